/* The keys of the message layer. */
#include "message/options.h"

#define AT(field) offsetof(struct software_params, field)

static const struct key memory_rows[] = {
    {"machine.node.memory_mb_per_s", KEY_REAL, AT(memory_mb_per_s), "MB/s", NULL, 1, 1e9,
     .help = "rate of copies between processes of a node"},
};

static const struct key byte_rows[] = {
    {"machine.node.byte_ns", KEY_REAL, AT(byte_ns), "ns", NULL, 0, 1e6,
     .help = "processor time per byte sent or received (O)"},
};

static const struct key reduce_rows[] = {
    {"machine.node.reduce_mb_per_s", KEY_REAL, AT(reduce_mb_per_s), "MB/s", NULL, 1, 1e9,
     .help = "rate at which a processor combines two vectors"},
};

static const struct key protocol_rows[] = {
    {"machine.node.send_ns", KEY_REAL, AT(send_ns), "ns", NULL, 0, 1e9,
     .help = "processor time per event sent"},
    {"machine.node.receive_ns", KEY_REAL, AT(receive_ns), "ns", NULL, 0, 1e9,
     .help = "processor time per event received"},
    {"machine.node.eager_bytes", KEY_U32, AT(eager_bytes), "B", NULL, 0, KEY_U32_TOP,
     .help = "longer messages use rendezvous: a request first"},
};

static const struct key rails_rows[] = {
    {"machine.node.rails_bytes", KEY_U64, AT(rails_bytes), "B", NULL, 1, KEY_U64_TOP,
     .help = "messages of this size and above go over several rails"},
    {"machine.node.rails", KEY_U32, AT(rails), "", NULL, 1, 7,
     .help = "routes that share nothing, for long messages"},
};

const struct key_section software_section = {sizeof(struct software_params)};
const struct key_table memory_keys = {memory_rows, sizeof(memory_rows) / sizeof(memory_rows[0]),
                                      &software_section};
const struct key_table byte_keys = {byte_rows, sizeof(byte_rows) / sizeof(byte_rows[0]),
                                    &software_section};
const struct key_table reduce_keys = {reduce_rows, sizeof(reduce_rows) / sizeof(reduce_rows[0]),
                                      &software_section};
const struct key_table protocol_keys = {
    protocol_rows, sizeof(protocol_rows) / sizeof(protocol_rows[0]), &software_section};
const struct key_table rails_keys = {rails_rows, sizeof(rails_rows) / sizeof(rails_rows[0]),
                                     &software_section};
