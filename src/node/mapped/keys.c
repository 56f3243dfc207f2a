/* The keys of the tree network and the global interrupts. */
#include "node/mapped/tree.h"

#define AT(field) offsetof(struct tree_params, field)

static const struct key rows[] = {
    {"machine.tree.arity", KEY_U32, AT(arity), "", NULL, 1, TREE_ARITY_MOST,
     .help = "children of a node"},
    {"machine.tree.mb_per_s", KEY_REAL, AT(mb_per_s), "MB/s", NULL, 1e-3, 1e9,
     .help = "link bandwidth, one way"},
    {"machine.tree.payload_bytes", KEY_U32, AT(packet_bytes), "B", NULL, 1, TREE_PACKET_MOST,
     .help = "of every packet, all payload"},
    {"machine.tree.control_bytes", KEY_U32, AT(control_bytes), "B", NULL, 0, 256,
     .help = "that a packet has besides, on a link"},
    {"machine.tree.hop_cycles", KEY_U32, AT(hop_cycles), "cycles", NULL, 1, 1024,
     .help = "from node to node, for the head of a packet"},
    {"machine.tree.fifo_packets", KEY_U32, AT(fifo_packets), "", NULL, 1, 8,
     .help = "injection and reception FIFO of each VC"},
    {"machine.tree.link_packets", KEY_U32, AT(link_packets), "", NULL, 1, 8,
     .help = "buffer behind each link, for each VC"},
    {"machine.tree.classes", KEY_TEXT, AT(classes), "", NULL,
     .help = "packet classes besides the whole tree: sets of nodes, as 4x4x4@0/0/0;nodes:0-3, "
             "each with a route of its own; none"},
    {"machine.tree.barrier_ns", KEY_REAL, AT(barrier_ns), "ns", NULL, 0, 1e6,
     .help = "global interrupts: a barrier, apart from the levels of the tree"},
    {"machine.tree.barrier_hop_ns", KEY_REAL, AT(barrier_hop_ns), "ns", NULL, 0, 1e6,
     .help = "global interrupts: each level, up and down"},
};

const struct key_section tree_section = {sizeof(struct tree_params)};
const struct key_table tree_keys = {rows, sizeof(rows) / sizeof(rows[0]), &tree_section};
