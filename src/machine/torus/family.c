/* The rows of the torus family: one for each nic. */
#include "machine/machine.h"
#include "machine/torus/model.h"

#define TORUS_FAMILY(NIC, TABLES, OWN)                                                             \
    {                                                                                              \
        .schema = {"torus", NIC, TABLES, nic_refusals}, .own = OWN, .usual = LAYER_PACKETS,        \
        .stages = torus_stage_names, .finish = torus_finish, .facts = torus_facts,                 \
        .offers = torus_offers, .size_text = torus_size_text, .check_routes = torus_check_routes,  \
        .ground = torus_ground, .prove = torus_prove_config, .show = torus_show,                   \
        .create = torus_create, .destroy = torus_destroy, .archive = torus_archive,                \
        .locate = torus_locate, .cuts = torus_cuts, .map = torus_map, .link = torus_link,          \
        .gather = torus_gather                                                                     \
    }

static const struct key_table *const fifo_tables[] = {&torus_keys,    &fifo_keys,
                                                      &core_keys,     &tree_keys,
                                                      &steps_keys,    &reduce_keys,
                                                      &mpi_keys,      &adaptive_keys,
                                                      &workload_keys, &coordinate_keys,
                                                      &class_keys,    &jobs_keys,
                                                      &run_keys,      NULL};

static const struct key_table *const dma_tables[] = {
    &torus_keys,  &dma_keys, &protocol_keys, &room_keys,       &clock_keys, &reduce_keys,
    &memory_keys, &mpi_keys, &workload_keys, &coordinate_keys, &jobs_keys,  &run_keys,
    NULL};

const struct family torus_family = TORUS_FAMILY("fifo", fifo_tables, &torus_fifo_nic);
const struct family torus_dma_family = TORUS_FAMILY("dma", dma_tables, &torus_dma_nic);
