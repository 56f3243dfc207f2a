/*
 * The configuration of a run: machine + workload + how to run, every value by its dotted key.
 *
 * One table (keys.c) holds a row per key: name, type, place, unit, default, range and help. It
 * drives reading, -s overrides, complaints, `weft show`, `weft keys` and the result's `config`.
 * Machine keys have no defaults in code: the machine file gives them all, each with its source.
 */
#ifndef WEFT_MACHINE_CONFIG_H
#define WEFT_MACHINE_CONFIG_H

#include "fabric/crosspoint/params.h"
#include "fabric/torus/params.h"
#include "message/process.h"
#include "node/fifo/endpoint.h"
#include "config/yaml.h"
#include "topology/torus.h"
#include "workload/workload.h"

enum { CONFIG_KEYS_MAX = 128, CONFIG_TEXT = 512 };

enum fabric { FABRIC_TORUS, FABRIC_CROSSPOINT, FABRICS };

struct config {
    char machine[CONFIG_TEXT]; /* name of its file */
    enum fabric fabric;        /* by that file: which keys there are */
    struct torus torus;
    char dead_nodes[CONFIG_TEXT], dead_links[CONFIG_TEXT]; /* "1/2/3,...", "1/2/3:x+,..." */
    char bad_links[CONFIG_TEXT];                           /* "1/2/3:x+@1000-5000,..." */
    char dateline[CONFIG_TEXT]; /* "highest", "none", or a coordinate of each dimension */
    struct torus_faults faults; /* made of them by config_finish(), as router.dateline is */
    double clock_mhz;           /* of the processor */
    uint32_t software_header_bytes;
    double packet_write_cycles, packet_read_cycles; /* of the processor */
    struct torus_params router;
    struct fifo_params node;
    char graph[CONFIG_TEXT];          /* "kautz:3:6", or a path */
    uint32_t graph_nodes, graph_dead; /* of it, after config_finish() */
    struct crosspoint_params crosspoint;
    struct dma_params dma;
    struct software_params software;
    uint32_t partitions; /* 0: by the number of threads */
    struct workload_params workload;
    uint64_t seed;
    uint64_t interval_cycles, stall_cycles;
    char bricks[CONFIG_TEXT]; /* "auto", or cuts of each dimension as 2x2x1 */

    uint32_t givings;
    uint32_t given[CONFIG_KEYS_MAX]; /* by key number: how many were before, from 1; 0: by none */
    char *place[CONFIG_KEYS_MAX];    /* where it was given: "file:3:7" or "-s key=value" */
    char *source[CONFIG_KEYS_MAX];   /* as the machine file tells, or the place that overrides it */
};

/* What a configuration asks of its fabric (finish.c). */
struct fabric_kind {
    const char *name;
    const char *link_example; /* as keys name a link */
    bool has_stages;          /* its router tells which stage it is in, for `weft bench` */
    bool has_processes;       /* its closed patterns are processes with messages */
    weft_status (*finish)(struct config *c);
    uint32_t (*nodes)(const struct config *c);
    uint32_t (*dead_nodes)(const struct config *c);
    const char *(*size_text)(const struct config *c, char *text);
    double (*cycles_per_second)(const struct config *c);
    bool (*has_pattern)(enum pattern pattern);
};
extern const struct fabric_kind fabric_kinds[FABRICS];

static inline const struct fabric_kind *config_fabric(const struct config *c)
{
    return &fabric_kinds[c->fabric];
}

enum key_type {
    KEY_DIMS, /* 8x8x8 */
    KEY_WRAP, /* true, or one of true and false for each dimension */
    KEY_U32,
    KEY_U64,
    KEY_I32,
    KEY_REAL,
    KEY_BOOL,
    KEY_CHOICE, /* a word of `choices`; stored as its number */
    KEY_SIZES,  /* packet sizes in bytes: 256, or 32,64,256 */
    KEY_BYTES,  /* payload sizes in bytes: 128, or 0,8,128 */
    KEY_TEXT,
};

struct key {
    const char *name;
    enum key_type type;
    size_t offset;
    const char *unit;          /* "" : none */
    const char *default_value; /* NULL: the machine file gives it */
    double min, max;
    const char *const *choices;
    const char *help;
    uint32_t fabrics; /* mask of those that have it */
};

extern const struct key config_keys[];
extern const size_t config_key_count;

/* Whether a configuration's machine has a key. */
static inline bool config_has(const struct config *c, const struct key *key)
{
    return key->fabrics >> c->fabric & 1;
}

/* Whether a configuration's pattern has a use for a key (keys.c). */
bool config_uses(const struct config *c, const struct key *key);

void config_init(struct config *c);
void config_fini(struct config *c);

/* Sets a key; `place` ("file:3:7" or "-s key=value") is named in complaints. */
weft_status config_set(struct config *c, const char *key, const char *value, const char *place);

/* Sets the key of entry *index of a file, its path read from letter `skip` on; a list's items are
 * joined by commas, and *index moved to the last. */
weft_status config_entry(struct config *c, const struct yaml *yaml, size_t *index, size_t skip);

/* -s KEY=VALUE */
weft_status config_override(struct config *c, const char *assignment);

/* Reads machines/NAME.yaml (or a path) into the machine keys. */
weft_status config_machine(struct config *c, const char *name);

/* The keys of a study file or of a result file; `machine` comes from it unless already given. */
weft_status config_study(struct config *c, const struct yaml *yaml, const char *machine);

/* The next of a comma-separated list into `item`; the rest of it, or NULL at its end. */
const char *config_list_item(const char *text, char item[32]);

/* What has to fit together, after all keys are set (finish.c). */
weft_status config_finish(struct config *c);

/* Puts the place of a key that the last complaint names before it, of the one that was given last;
 * returns `status`. So floors that know of keys, but not of files, can complain of them. */
weft_status config_locate(const struct config *c, weft_status status);

/* The value of a key as text into `text` of CONFIG_TEXT bytes. */
const char *config_text(const struct config *c, const struct key *key, char *text);

/* The graph of a crosspoint fabric, its dead nodes and links taken out; the caller's to free. */
weft_status config_graph(const struct config *c, struct digraph *graph);

/* "8x8x8", "kautz:3:6" */
const char *config_size_text(const struct config *c, char text[CONFIG_TEXT]);

/* A graph's nodes and links as they are, file or not; another file of the same name differs. */
uint64_t config_graph_hash(const struct config *c);

/* Of all nodes, and of those that are not dead; after config_finish(). */
uint32_t config_nodes(const struct config *c);
uint32_t config_living_nodes(const struct config *c);
double config_cycles_per_second(const struct config *c);

/* A hash of all that can change a result. */
uint64_t config_hash(const struct config *c);

/* A hash of the program itself: another build may compute something else. */
uint64_t config_program(void);

/* Folder that holds machines/ and studies/: WEFT_DATA, beside the program, or where installed. */
const char *config_data_folder(void);

/* Finds a file by name in a folder of the data, or takes a path as it is. */
void config_find(const char *folder, const char *name, char *path, size_t size);

#endif
