/* The keys of the FIFOs. */
#include "node/fifo/fifo.h"

#define AT(field) offsetof(struct fifo_params, field)

static const char *const hint_sources[] = {"hardware", "software", NULL};
static const char *const fifo_choices[] = {"turn", "direction", NULL};

static const struct key rows[] = {
    {"machine.node.hints", KEY_CHOICE, AT(hints), "", NULL, 0, 0, hint_sources,
     .help = "who sets the hint bits"},
    {"machine.node.injection_choice", KEY_CHOICE, AT(choice), "", NULL, .choices = fifo_choices,
     .help = "which bounded injection FIFO gets a packet: the next one in turn, or that of its "
             "first direction (packets)"},
    {"machine.node.consumer_mb_per_s", KEY_REAL, AT(consumer_mb_per_s), "MB/s", NULL, 0, 1e9,
     .help = "rate at which a core also empties its reception FIFOs; 0: at once"},
    {"machine.node.injection_watermark_bytes", KEY_U32, AT(injection_watermark_bytes), "B", NULL, 0,
     1 << 20,
     .help = "level of an injection FIFO: how often one fills up to it is counted; "
             "with machine.node.interrupts, one that falls to it interrupts a program "
             "that works, if packets wait for its room; 0: none, any room does"},
    {"machine.node.reception_watermark_bytes", KEY_U32, AT(reception_watermark_bytes), "B", NULL, 0,
     8160,
     .help = "level of a reception FIFO: how often one fills up to it is counted; with "
             "machine.node.interrupts, one that has risen to it interrupts a program that "
             "works; 0: none, every packet does"},
};

const struct key_section fifo_section = {sizeof(struct fifo_params)};
const struct key_table fifo_keys = {rows, sizeof(rows) / sizeof(rows[0]), &fifo_section};
