/* Keys that had another name: whoever uses the old one is told the new one. */
#include "config/keys.h"

#include <string.h>

static const struct {
    const char *old, *new;
} renamed[] = {
    {"machine.router.arbitration", "machine.router.arbiter"},
    {"machine.router.buffer_bytes", "machine.router.vc_bytes"},
    {"machine.switch.buffer_words", "machine.switch.vc_words"},
    {"machine.router.buffer_packets", "machine.router.crosspoint_packets"},
    {"machine.router.vc_rule", "machine.routing.vc_rule"},
    {"machine.router.vc_start", "machine.routing.vc_start"},
    {"machine.routing.when_short", "machine.routing.too_few_vcs"},
    {"machine.adapter.packet_bytes", "machine.adapter.payload_bytes"},
    {"machine.dma.packet_bytes", "machine.dma.payload_bytes"},
    {"machine.tni.packet_bytes", "machine.tni.payload_bytes"},
    {"machine.tree.packet_bytes", "machine.tree.payload_bytes"},
    {"machine.packet_bytes", "machine.payload_bytes"},
    {"machine.node.allreduce_bytes", "machine.collective.allreduce_bytes"},
    {"machine.node.broadcast_bytes", "machine.collective.broadcast_bytes"},
    {"machine.node.gather_bytes", "machine.collective.gather_bytes"},
};

const char *key_renamed(const char *name)
{
    for (size_t i = 0; i < sizeof(renamed) / sizeof(renamed[0]); i++)
        if (strcmp(renamed[i].old, name) == 0)
            return renamed[i].new;
    return NULL;
}
