/* FIFOs that the processors of a torus node write and read, and the tree beside the torus. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "machine/machine.h"
#include "machine/torus/model.h"

/* ---- configurations ---- */

/* Checks the size of a FIFO (0: unbounded) and its watermark. */
static weft_status check_fifo(const char *which, uint32_t bytes, uint32_t watermark)
{
    uint32_t full = TORUS_MAX_CHUNKS * TORUS_CHUNK_BYTES;
    char size[64], mark[64], both[128];
    snprintf(size, sizeof(size), "machine.node.%s_fifo_bytes", which);
    snprintf(mark, sizeof(mark), "machine.node.%s_watermark_bytes", which);
    snprintf(both, sizeof(both), "%s %s", size, mark);
    if (bytes && bytes < full)
        return BAD_INPUT(size, ("%s = %u does not hold a packet", size, bytes),
                         ("use at least %u, or 0 for an unbounded FIFO", full));
    if (bytes % TORUS_CHUNK_BYTES)
        return BAD_INPUT(size, ("%s = %u is not made of whole chunks", size, bytes),
                         ("use a multiple of %d", TORUS_CHUNK_BYTES));
    if (watermark % TORUS_CHUNK_BYTES)
        return BAD_INPUT(mark, ("%s = %u is not made of whole chunks", mark, watermark),
                         ("use a multiple of %d", TORUS_CHUNK_BYTES));
    if (watermark && !bytes)
        return BAD_INPUT(both, ("%s needs a bounded FIFO", mark), ("set %s too", size));
    if (watermark > bytes)
        return BAD_INPUT(both, ("%s = %u is never reached", mark, watermark),
                         ("use at most %s, %u", size, bytes));
    return WEFT_OK;
}

/* Packets are made of whole chunks. */
static struct packet_sizes packet_sizes(const struct config *c)
{
    return (struct packet_sizes){.most = TORUS_MAX_CHUNKS * TORUS_CHUNK_BYTES,
                                 .step = TORUS_CHUNK_BYTES,
                                 .header = config_torus(c)->software_header_bytes,
                                 .most_key = "",
                                 .header_key = "machine.software_header_bytes"};
}

static uint32_t processors(const struct config *c, uint32_t *tasks)
{
    const struct core_params *cores = config_section(c, &core_section);
    return *tasks = core_processes(cores->mode);
}

/* Packets find their way into unbounded FIFOs before anybody looks at them; those of messages go
 * where the message layer says. */
static weft_status check_choice(const struct config *c)
{
    const struct fifo_params *node = config_section(c, &fifo_section);
    if (node->choice != FIFO_BY_DIRECTION)
        return WEFT_OK;
    if (machine_layer(c) == LAYER_MESSAGES)
        return BAD_INPUT("machine.node.injection_choice",
                         ("the message layer chooses the injection FIFOs of its packets"),
                         ("use machine.node.injection_choice=turn"));
    if (!config_torus(c)->router.injection_fifo_bytes)
        return BAD_INPUT("machine.node.injection_choice machine.node.injection_fifo_bytes",
                         ("packets cannot choose among unbounded injection FIFOs"),
                         ("use machine.node.injection_choice=turn, or give "
                          "machine.node.injection_fifo_bytes"));
    return WEFT_OK;
}

/* Refuses a header of the message layer that fills a packet. */
static weft_status check_header(const char *key, uint32_t all, uint32_t bytes)
{
    char both[128];
    if (all < TORUS_MAX_CHUNKS * TORUS_CHUNK_BYTES)
        return WEFT_OK;
    snprintf(both, sizeof(both), "%s machine.software_header_bytes", key);
    return BAD_INPUT(both, ("%s = %u leaves no room for data", key, bytes), ("use less"));
}

/* Refuses what does not go together with messages. */
static weft_status check_messages(const struct config *c)
{
    const struct fifo_params *node = config_section(c, &fifo_section);
    const struct steps_params *steps = config_section(c, &steps_section);
    const struct tree_params *tree = config_section(c, &tree_section);
    uint32_t header = config_torus(c)->software_header_bytes;
    if (machine_layer(c) != LAYER_MESSAGES)
        return WEFT_OK;
    if (node->consumer_mb_per_s > 0)
        return BAD_INPUT("machine.node.consumer_mb_per_s",
                         ("machine.node.consumer_mb_per_s is for packets, and this workload has "
                          "messages"),
                         ("set it to 0"));
    TRY(check_header("machine.message.metadata_bytes", steps->metadata_bytes + header,
                     steps->metadata_bytes));
    TRY(check_header("machine.message.each_bytes", steps->each_bytes + header, steps->each_bytes));
    if (tree->packet_bytes % TREE_OPERAND_MOST)
        return BAD_INPUT("machine.tree.payload_bytes",
                         ("machine.tree.payload_bytes = %u would cut operands of %d bytes",
                          tree->packet_bytes, TREE_OPERAND_MOST),
                         ("use a multiple of that"));
    return WEFT_OK;
}

/* Every I/O node hangs on a port of the tree that no node needs. */
static weft_status check_io(const struct config *c)
{
    const struct torus_config *t = config_torus(c);
    const struct io_params *io = config_section(c, &io_section);
    uint32_t nodes = t->torus.nodes - t->faults.nodes;
    if (nodes > 1 && io->nodes_per == 1)
        return BAD_INPUT("machine.io.nodes_per",
                         ("machine.io.nodes_per = 1: the tree of %u nodes has no free ports for as "
                          "many I/O nodes",
                          nodes),
                         ("use 2 or more, or 0 for no I/O nodes"));
    return WEFT_OK;
}

/* Dead nodes, for who asks for all of them; to be freed. NULL: none is. */
static bool *list_dead(const struct torus_config *t)
{
    if (!t->faults.nodes)
        return NULL;
    bool *dead = memory_alloc(t->torus.nodes, sizeof(*dead));
    for (uint32_t i = 0; i < t->faults.nodes; i++)
        dead[t->faults.node[i]] = true;
    return dead;
}

static weft_status parse_classes(const struct config *c, struct tree_classes *classes)
{
    const struct torus_config *t = config_torus(c);
    const struct tree_params *tree = config_section(c, &tree_section);
    bool *dead = list_dead(t);
    weft_status status = tree_classes_parse(tree->classes, &t->torus, dead, tree->arity, classes);
    free(dead);
    return status;
}

static weft_status check_classes(const struct config *c)
{
    struct tree_classes classes;
    if (strcmp(((const struct tree_params *)config_section(c, &tree_section))->classes, "none") ==
        0)
        return WEFT_OK;
    TRY(parse_classes(c, &classes));
    tree_classes_fini(&classes);
    return WEFT_OK;
}

static weft_status finish(const struct config *c)
{
    const struct torus_config *t = config_torus(c);
    const struct fifo_params *node = config_section(c, &fifo_section);
    TRY(model_check_node_memory(c, false));
    TRY(tree_check_times(config_section(c, &tree_section), t->torus.nodes,
                         t->router.link_mb_per_s));
    TRY(check_io(c));
    TRY(check_classes(c));
    TRY(check_choice(c));
    TRY(check_fifo("injection", t->router.injection_fifo_bytes, node->injection_watermark_bytes));
    TRY(check_fifo("reception", t->router.reception_fifo_bytes, node->reception_watermark_bytes));
    TRY(check_messages(c));
    return WEFT_OK;
}

static struct torus_classes classes_of(const struct config *c)
{
    const struct workload_params *w = config_workload(c);
    bool vcs = config_torus(c)->router.dynamic_vcs > 0;
    const struct steps_params *steps = config_section(c, &steps_section);
    bool adaptive = steps->protocol == PROTOCOL_ADAPTIVE;
    if (machine_layer(c) == LAYER_MESSAGES)
        return (struct torus_classes){.dynamic = vcs, .fixed = !adaptive || !vcs};
    return (struct torus_classes){.dynamic = w->dynamic_share > 0 && vcs,
                                  .fixed = w->dynamic_share < 1 || w->high_share > 0 || !vcs,
                                  .high = w->high_share > 0};
}

/* ---- models ---- */

_Static_assert(CORE_FULL_PACKET == TORUS_MAX_CHUNKS * TORUS_CHUNK_BYTES, "one full packet");

static const struct core_params *core_params(const struct config *c)
{
    return config_section(c, &core_section);
}

static void site(const struct torus_model *m, struct site *s)
{
    uint32_t header = m->machine->software_header_bytes;
    const struct io_params *io = config_section(m->base.config, &io_section);
    const struct tree_params *tree = config_section(m->base.config, &tree_section);
    s->spreads = true;
    s->tree = tree->packet_bytes;
    s->io = io->nodes_per > 0;
    s->packet_payload = TORUS_MAX_CHUNKS * TORUS_CHUNK_BYTES - header;
    s->packet_header = header;
}

/* The tree beside the torus, for workloads that use it. */
static weft_status build_tree(struct torus_model *m, const struct config *c)
{
    const struct torus_config *t = m->machine;
    struct tree_classes classes;
    struct tree_options o = {.params = config_section(c, &tree_section),
                             .io = config_section(c, &io_section),
                             .cores = core_params(c),
                             .errors = &t->router.link.errors,
                             .link_mb_per_s = t->router.link_mb_per_s,
                             .nodes = t->torus.nodes,
                             .dead = m->base.living.dead,
                             .bricks = m->base.bricks,
                             .seed = m->base.seed};
    if (!m->base.workload || !workload_uses_tree(m->base.workload))
        return WEFT_OK;
    if (t->torus.nodes - t->faults.nodes > TREE_NODES_MOST)
        return BAD_INPUT("machine.dims",
                         ("the tree of this machine has more than %d nodes", TREE_NODES_MOST),
                         ("use a smaller machine"));
    TRY(parse_classes(c, &classes));
    o.classes = &classes;
    m->tree = tree_create(&o);
    tree_classes_fini(&classes);
    return WEFT_OK;
}

/* Processors that write and read every packet: for messages. */
static weft_status build_mapped(struct torus_model *m, const struct config *c)
{
    const struct fifo_params *node = config_section(c, &fifo_section);
    const struct torus_config *t = m->machine;
    struct mapped_options o = {.torus = &m->wired.torus,
                               .router = &t->router,
                               .faults = &m->wired.faults,
                               .hints = node->hints,
                               .software_header_bytes = t->software_header_bytes,
                               .watermarks = {node->injection_watermark_bytes / TORUS_CHUNK_BYTES,
                                              node->reception_watermark_bytes / TORUS_CHUNK_BYTES},
                               .partitions = m->base.bricks.count};
    TRY(build_tree(m, c));
    o.tree = m->tree;
    struct nic *nic;
    TRY(mapped_create(&o, &nic));
    m->base.cores = core_params(c);
    m->base.steps = config_section(c, &steps_section);
    model_attach(&m->base, nic);
    return WEFT_OK;
}

/* FIFOs that run a program of packets, or serve a host. */
static weft_status build_fifos(struct torus_model *m, const struct config *c)
{
    const struct torus_config *t = m->machine;
    const struct workload *w = m->base.workload;
    struct fifos_options o = {.torus = &m->wired.torus,
                              .router = &t->router,
                              .faults = &m->wired.faults,
                              .params = config_section(c, &fifo_section),
                              .cores = core_params(c),
                              .software_header_bytes = t->software_header_bytes,
                              .program = w ? w->program : (struct program){.ctx = NULL},
                              .bricks = m->base.bricks,
                              .seed = m->base.seed};
    if (w && workload_mixes_loops(w))
        return BAD_INPUT("workload.parts",
                         ("some parts are open loops or files, and others programs that end: a "
                          "node of this machine writes packets in one way"),
                         ("use open loops and files for all parts, or for none"));
    TRY(fifos_create(&o, &m->base.nic));
    if (!w)
        model_attach(&m->base, m->base.nic);
    return WEFT_OK;
}

static weft_status build(struct torus_model *m, struct torus_client *client)
{
    const struct workload *w = m->base.workload;
    const struct config *c = m->base.config;
    bool messages = !m->base.host && (!w || w->as == LAYER_MESSAGES);
    TRY(messages ? build_mapped(m, c) : build_fifos(m, c));
    *client = messages ? mapped_client(m->base.nic) : fifos_client(m->base.nic);
    return WEFT_OK;
}

/* What the I/O nodes did, if anything; shares are of the whole run, means over all I/O nodes. */
static void gather_io(const struct torus_model *m, struct run_result *r)
{
    struct io_counts io = tree_io_counts(m->tree);
    double cycles = (double)r->cycles * io.nodes;
    double second = m->machine->router.link_mb_per_s * 1e6; /* cycles */
    double bytes = (double)(io.bytes[IO_OUT] + io.bytes[IO_IN]);
    if (!io.calls)
        return;
    run_result_add(r, "io_nodes", io.nodes);
    run_result_add(r, "io_calls", (double)io.calls);
    run_result_add(r, "io_bytes_per_second", run_ratio(bytes * second, (double)r->cycles));
    run_result_add(r, "io_bytes_per_node_second", run_ratio(bytes * second, cycles));
    run_result_add(r, "io_ethernet_busy",
                   run_ratio(fmax(io.wire_busy[IO_OUT], io.wire_busy[IO_IN]), cycles));
    run_result_add(r, "io_daemon_busy", run_ratio(io.busy, cycles));
    run_result_add(
        r, "io_link_busy",
        run_ratio((double)tree_packet_cycles(m->tree) *
                      (double)(io.packets[IO_OUT] > io.packets[IO_IN] ? io.packets[IO_OUT]
                                                                      : io.packets[IO_IN]),
                  cycles));
}

static void gather(const struct torus_model *m, struct run_result *r)
{
    if (m->tree) {
        struct tree_counts tree = tree_counts(m->tree);
        run_result_add(r, "tree_packet_hops", (double)tree.packets);
        run_result_add(r, "tree_retransmissions", (double)tree.retransmitted);
        gather_io(m, r);
    }
    const struct nic *nic = m->base.nic;
    struct watermark_counts marks =
        nic->kind->fifos ? mapped_watermarks(nic) : fifos_watermarks(nic);
    r->injection_watermarks = marks.injection;
    r->reception_watermarks = marks.reception;
}

const struct torus_nic torus_fifo_nic = {.finish = finish,
                                         .sizes = packet_sizes,
                                         .processors = processors,
                                         .offers = SITE_DEPOSIT,
                                         .classes = classes_of,
                                         .site = site,
                                         .build = build,
                                         .gather = gather};
