/* A torus whose nodes have a DMA engine. */
#include "machine/machine.h"
#include "machine/torus/model.h"

/* ---- configurations ---- */

static weft_status check_fifo(const char *which, uint32_t bytes, bool needed)
{
    uint32_t full = TORUS_MAX_CHUNKS * TORUS_CHUNK_BYTES;
    char key[64];
    snprintf(key, sizeof(key), "machine.node.%s_fifo_bytes", which);
    if (bytes ? bytes < full || bytes % TORUS_CHUNK_BYTES : needed)
        return BAD_INPUT(key,
                         ("%s = %u: the FIFOs that a DMA engine fills are bounded", key, bytes),
                         ("use a multiple of %d, at least %u", TORUS_CHUNK_BYTES, full));
    return WEFT_OK;
}

static weft_status finish(const struct config *c)
{
    const struct torus_config *t = config_torus(c);
    TRY(model_check_node_memory(c, true));
    TRY(check_fifo("injection", t->router.injection_fifo_bytes, true));
    TRY(check_fifo("reception", t->router.reception_fifo_bytes, false));
    return dma_check(config_section(c, &dma_section), torus_face_payload(t->software_header_bytes));
}

static struct packet_sizes packet_sizes(const struct config *c)
{
    const struct dma_params *dma = config_section(c, &dma_section);
    return (struct packet_sizes){.most = dma->packet_bytes,
                                 .most_key = "machine.dma.payload_bytes"};
}

static uint32_t processors(const struct config *c, uint32_t *tasks)
{
    (void)tasks;
    return ((const struct dma_params *)config_section(c, &dma_section))->queues;
}

/* Streams are adaptive; what software makes keeps its order on fixed paths. */
static struct torus_classes classes(const struct config *c)
{
    bool vcs = config_torus(c)->router.dynamic_vcs > 0;
    return (struct torus_classes){.dynamic = vcs,
                                  .fixed = machine_layer(c) == LAYER_MESSAGES || !vcs};
}

/* ---- models ---- */

/* Packets are made of whole chunks, header included. */
static double slot(const struct site *site, double bytes)
{
    const struct torus_model *m = site->ctx;
    uint32_t chunks = torus_chunks((uint64_t)bytes + m->machine->software_header_bytes);
    return torus_slot_cycles(&m->machine->router, chunks * TORUS_CHUNK_BYTES);
}

static void site(const struct torus_model *m, struct site *s)
{
    const struct dma_params *dma = config_section(m->base.config, &dma_section);
    s->packet_payload = dma->packet_bytes;
    s->slot = slot;
}

static weft_status build(struct torus_model *m, struct torus_client *client)
{
    const struct torus_config *t = m->machine;
    const struct config *c = m->base.config;
    TRY(torus_face_init(&m->face, &m->wired.torus, &t->router, &m->wired.faults,
                        t->software_header_bytes));
    model_attach(&m->base,
                 dmas_create(config_section(c, &dma_section), &m->face.face, m->base.bricks.count));
    *client = torus_face_client(&m->face, nic_face_client(m->base.nic));
    return WEFT_OK;
}

const struct torus_nic torus_dma_nic = {.finish = finish,
                                        .sizes = packet_sizes,
                                        .processors = processors,
                                        .classes = classes,
                                        .site = site,
                                        .build = build};
