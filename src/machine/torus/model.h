/* The torus family: Blue Gene/L, Blue Gene/P and their kin. What its files share. */
#ifndef WEFT_MACHINE_TORUS_MODEL_H
#define WEFT_MACHINE_TORUS_MODEL_H

#include "fabric/torus/network.h"
#include "machine/bricks.h"
#include "machine/coordinates.h"
#include "machine/family.h"
#include "node/dma/dma.h"
#include "node/fifo/fifo.h"
#include "node/mapped/mapped.h"

struct torus_model;

/* Which classes of packets there are. */
struct torus_classes {
    bool dynamic, fixed, high;
};

/* A network interface on a torus: what depends on it. */
struct torus_nic {
    /* ---- of a configuration ---- */
    weft_status (*finish)(const struct config *c);
    struct packet_sizes (*sizes)(const struct config *c);
    unsigned offers; /* enum site_offer, besides those of every torus */
    struct torus_classes (*classes)(const struct config *c);

    /* ---- of a model ---- */
    /* Fills in what the site knows of nodes and packets. */
    void (*site)(const struct torus_model *m, struct site *site);
    /* Makes the nic; *client: that of the network. */
    weft_status (*build)(struct torus_model *m, struct torus_client *client);
    /* Its own figures. NULL: none. */
    void (*gather)(const struct torus_model *m, struct run_result *r);
};

extern const struct torus_nic torus_fifo_nic, torus_dma_nic;

struct torus_model {
    struct model base;
    const struct torus_nic *nic;
    const struct torus_config *machine;
    struct torus_derived derived;
    struct torus_network *network;
    struct bricks bricks;
    struct living living;

    struct core_params cores; /* of FIFOs that processors write and read */
    struct tree *tree;        /* the nic's; NULL: nobody uses it */
    struct torus_face face;   /* of an engine */
};

static inline struct torus_config *config_torus(const struct config *c)
{
    return config_section(c, &torus_section);
}

static inline const struct torus_nic *config_torus_nic(const struct config *c)
{
    return family_of(c)->own;
}

/* ---- configurations (config.c) ---- */

weft_status torus_finish(struct config *c);
struct machine_facts torus_facts(const struct config *c);
unsigned torus_offers(const struct config *c);
const char *torus_size_text(const struct config *c, char text[CONFIG_TEXT]);
weft_status torus_ground(const struct config *c, struct ground *ground);
weft_status torus_check_routes(const struct config *c);
weft_status torus_prove_config(const struct config *c, char *text, size_t size);

/* ---- models ---- */

void torus_fill_site(struct torus_model *m);

/* How long a packet of this many bytes, header included, occupies a link. */
double torus_slot_cycles(const struct torus_params *p, double bytes);

weft_status torus_create(const struct config *c, const struct run_options *options,
                         struct model **model);
void torus_destroy(struct model *model);
void torus_archive(struct model *model, struct archive *archive);
void torus_locate(const struct model *model, struct nic_node *at);
void torus_cuts(const struct model *model, uint32_t cuts[MODEL_CUTS]);

void torus_map(const struct model *model, struct link_map *map);
bool torus_link(const struct model *model, uint64_t number, struct machine_link *link);
void torus_gather(const struct model *model, struct run_result *r);
void torus_show(FILE *out, const struct config *c);

#endif
