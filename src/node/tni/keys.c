/* The keys of the communication engines. */
#include "node/tni/tni.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define AT(field) offsetof(struct tni_params, field)

static weft_status parse_path(const struct key *key, const char *text, void *field)
{
    uint32_t *path = field;
    char *end;
    unsigned long number = strtoul(text, &end, 10);
    bool turn = strcmp(text, "turn") == 0;
    if (!turn && (*end || *text < '0' || *text > '9' || number < 1 || number > TOFU_PATHS))
        return BAD_INPUT(NULL, ("%s = '%.60s' is no path", key->name, text),
                         ("use a number of 1 to %d, or turn", TOFU_PATHS));
    *path = turn ? TNI_PATH_TURN : (uint32_t)number;
    return WEFT_OK;
}

static void print_path(const struct key *key, const void *field, char text[CONFIG_TEXT])
{
    const uint32_t *path = field;
    (void)key;
    if (*path == TNI_PATH_TURN)
        strcpy(text, "turn");
    else
        snprintf(text, CONFIG_TEXT, "%u", *path);
}

static const struct key_format path_format = {parse_path, print_path};
static const char *const commands[] = {"memory", "direct", NULL};

static const struct key rows[] = {
    {"machine.tni.engines", KEY_U32, AT(engines), "", NULL, 1, TOFU_ENGINES,
     .help = "communication engines per node"},
    {"machine.tni.command", KEY_CHOICE, AT(command), "", NULL, .choices = commands,
     .help = "where an engine gets commands from: memory, or directly from the processor"},
    {"machine.tni.fetch_ns", KEY_REAL, AT(fetch_ns), "ns", NULL, 0, 1e9,
     .help = "time to fetch a command from memory"},
    {"machine.tni.start_ns", KEY_REAL, AT(start_ns), "ns", NULL, 0, 1e9,
     .help = "from a command to the first line of its first packet"},
    {"machine.tni.finish_ns", KEY_REAL, AT(finish_ns), "ns", NULL, 0, 1e9,
     .help = "from a packet's last line to when it is seen in memory"},
    {"machine.tni.header_bytes", KEY_U32, AT(header_bytes), "B", NULL, 32, 64,
     .help = "bytes of a packet that are not payload: header and CRC"},
    {"machine.tni.payload_bytes", KEY_U32, AT(packet_bytes), "B", NULL, 8, 2040,
     .help = "payload of a full packet"},
    {"machine.tni.packets_ahead", KEY_U32, AT(packets_ahead), "", NULL, 1, 1024,
     .help = "packets that the engines are given in advance, when packets are all that is sent"},
    {"machine.tni.path", KEY_OTHER, AT(path), "", NULL, .format = &path_format,
     .help = "path of messages, 1 to 12 (1: no relay), or turn: long messages and packets take "
             "paths in turn"},
    {"machine.barrier.start_ns", KEY_REAL, AT(gates.start_ns), "ns", NULL, 0, 1e9,
     .help = "from the processor's command to the first barrier gate"},
    {"machine.barrier.gate_ns", KEY_REAL, AT(gates.gate_ns), "ns", NULL, 0, 1e9,
     .help = "from a packet at its barrier gate to the packet of the next gate"},
    {"machine.barrier.finish_ns", KEY_REAL, AT(gates.finish_ns), "ns", NULL, 0, 1e9,
     .help = "from the last barrier gate to when the processor sees it"},
    {"machine.node.processors", KEY_U32, AT(queues), "", NULL, 1, 8, .help = "processors per node"},
};

const struct key_section tni_section = {sizeof(struct tni_params)};
const struct key_table tni_keys = {rows, sizeof(rows) / sizeof(rows[0]), &tni_section};
