/* The keys of the message layer. */
#include "message/process.h"

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
    {"machine.collective.allreduce_bytes", KEY_U64, AT(limits.allreduce_bytes), "B", NULL, 0,
     KEY_U64_TOP, .help = "longer vectors are reduced by halving, others by doubling"},
    {"machine.collective.broadcast_bytes", KEY_U64, AT(limits.broadcast_bytes), "B", NULL, 0,
     KEY_U64_TOP, .help = "vectors of this size and above are scattered, then gathered"},
    {"machine.collective.gather_bytes", KEY_U64, AT(limits.gather_bytes), "B", NULL, 0, KEY_U64_TOP,
     .help = "blocks of this size together, and above, go around in a ring"},
};

static const struct key clock_rows[] = {
    {"machine.node.clock_mhz", KEY_REAL, AT(clock_mhz), "MHz", NULL, 1, 1e6,
     .help = "processor clock, for programs that compute"},
};

static const struct key protocol_rows[] = {
    {"machine.node.send_ns", KEY_REAL, AT(send_ns), "ns", NULL, 0, 1e9,
     .help = "processor time per event sent"},
    {"machine.node.receive_ns", KEY_REAL, AT(receive_ns), "ns", NULL, 0, 1e9,
     .help = "processor time per event received"},
    {"machine.node.eager_bytes", KEY_U32, AT(eager_bytes), "B", NULL, 0, KEY_U32_TOP,
     .help = "longer messages use rendezvous: a request first"},
};

static const struct key room_rows[] = {
    {"machine.node.eager_packets", KEY_U32, AT(eager_packets), "", NULL, 1, 65535,
     .help = "packets of eager messages that a process has room for, from each other process; what "
             "does not fit uses rendezvous"},
};

static const struct key rails_rows[] = {
    {"machine.node.rails_bytes", KEY_U64, AT(rails_bytes), "B", NULL, 1, KEY_U64_TOP,
     .help = "messages of this size and above go over several rails"},
    {"machine.node.rails", KEY_U32, AT(rails), "", NULL, 1, 7,
     .help = "routes that share nothing, for long messages"},
};

static const char *const rendezvous[] = {"put", "get", NULL};

static const struct key gets_rows[] = {
    {"machine.node.rendezvous", KEY_CHOICE, AT(rendezvous), "", NULL, .choices = rendezvous,
     .help = "long messages: the sender puts them, or the receiver gets them"},
};

#undef AT
#define AT(field) offsetof(struct steps_params, field)
#define STEP(name, field, text)                                                                    \
    {                                                                                              \
        "machine.message." name, KEY_REAL, AT(field), "processor cycles", NULL, 0, 1e9,            \
            .help = text                                                                           \
    }

static const char *const protocols[] = {"auto",           "one_packet", "eager",
                                        "adaptive_eager", "rendezvous", NULL};

static const struct key steps_rows[] = {
    {"machine.message.protocol", KEY_CHOICE, AT(protocol), "", NULL, .choices = protocols,
     .help = "of all messages; auto: by their size"},
    {"machine.message.eager_bytes", KEY_U32, AT(eager_bytes), "B", NULL, 0, KEY_U32_TOP,
     .help = "auto: longer messages use rendezvous"},
    {"machine.message.metadata_bytes", KEY_U32, AT(metadata_bytes), "B", NULL, 0, 128,
     .help = "envelope in the first packet of a message"},
    {"machine.message.each_bytes", KEY_U32, AT(each_bytes), "B", NULL, 0, 128,
     .help = "that each packet of the layer's own all-to-all has besides data"},
    STEP("post_cycles", post_cycles, "a message is set up: state, buffer, callbacks"),
    STEP("connect_cycles", connect_cycles, "it goes through the queue of its peer"),
    STEP("poll_cycles", poll_cycles, "a turn of the advance loop that finds nothing"),
    STEP("object_cycles", object_cycles, "a message object for what arrives"),
    STEP("callback_cycles", callback_cycles, "recvnew, recvdone, senddone"),
    STEP("control_cycles", control_cycles, "an acknowledgment or confirmation is made"),
    STEP("lookup_cycles", lookup_cycles, "the message of a packet is looked up"),
};

const struct key_section steps_section = {sizeof(struct steps_params)};
const struct key_section software_section = {sizeof(struct software_params)};

#define TABLE(ROWS, SECTION)                                                                       \
    {                                                                                              \
        ROWS, sizeof(ROWS) / sizeof((ROWS)[0]), &SECTION                                           \
    }

const struct key_table steps_keys = TABLE(steps_rows, steps_section);
const struct key_table memory_keys = TABLE(memory_rows, software_section);
const struct key_table byte_keys = TABLE(byte_rows, software_section);
const struct key_table reduce_keys = TABLE(reduce_rows, software_section);
const struct key_table clock_keys = TABLE(clock_rows, software_section);
const struct key_table protocol_keys = TABLE(protocol_rows, software_section);
const struct key_table room_keys = TABLE(room_rows, software_section);
const struct key_table rails_keys = TABLE(rails_rows, software_section);
const struct key_table gets_keys = TABLE(gets_rows, software_section);
