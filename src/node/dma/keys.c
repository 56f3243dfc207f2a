/* The keys of the DMA engine. */
#include "node/dma/dma.h"

#define AT(field) offsetof(struct dma_params, field)

static const struct key rows[] = {
    {"machine.dma.mb_per_s", KEY_REAL, AT(mb_per_s), "MB/s", NULL, 1e-3, 1e9,
     .help = "rate at which the engine streams payload, each way"},
    {"machine.dma.event_ns", KEY_REAL, AT(event_ns), "ns", NULL, 0, 1e9,
     .help = "microcode time per event sent or received"},
    {"machine.dma.payload_bytes", KEY_U32, AT(packet_bytes), "B", NULL, 8, 65535,
     .help = "payload of a full packet"},
    {"machine.dma.receive_packets", KEY_U32, AT(receive_packets), "", NULL, 1, DMA_RECEIVE_MOST,
     .help = "incoming packets that there is room for, with the one being handled"},
    {"machine.dma.packets_ahead", KEY_U32, AT(packets_ahead), "", NULL, 1, 1024,
     .help = "packets that the engine is given in advance, when packets are all that is sent"},
    {"machine.node.processors", KEY_U32, AT(queues), "", NULL, 1, 8, .help = "processors per node"},
};

const struct key_section dma_section = {sizeof(struct dma_params)};
const struct key_table dma_keys = {rows, sizeof(rows) / sizeof(rows[0]), &dma_section};

weft_status dma_check(const struct dma_params *p, uint32_t payload_most)
{
    if (p->packet_bytes <= payload_most)
        return WEFT_OK;
    return BAD_INPUT("machine.dma.payload_bytes",
                     ("machine.dma.payload_bytes = %u is more than a packet of this network holds",
                      p->packet_bytes),
                     ("use at most %u", payload_most));
}
