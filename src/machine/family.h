/*
 * A family of machines: everything that differs between one kind of network and another, in one
 * row. Code that all families share (runs, checkpoints, processes, reports) asks the row and knows
 * no more. registry.c lists the rows; each family fills in its own in one file.
 */
#ifndef WEFT_MACHINE_FAMILY_H
#define WEFT_MACHINE_FAMILY_H

#include <stdio.h>

#include "config/config.h"
#include "machine/jobs_params.h"
#include "machine/links.h"
#include "machine/result.h"
#include "message/process.h"
#include "node/source.h"
#include "workload/workload.h"

/* A machine with its workload, built from a configuration and ready to run; the first member of
 * each family's own model. */
enum { MODEL_CUTS = 8 };

struct model {
    const struct config *config;
    struct network *network;
    uint32_t partitions;
    struct site site;
    struct workload *workload;     /* NULL: nothing is sent */
    const struct nic_client *host; /* NULL: none */
    struct nic *nic;               /* with a client, unless it runs a program by itself */
    struct sources *sources;       /* post packets to the nic; or */
    struct processes *processes;
    const struct core_params *cores;  /* if processors write and read packets themselves, */
    const struct steps_params *steps; /* else NULL */
    bool open;                        /* measured in a window */
    uint64_t deliveries;              /* closed: packets expected; 0: not known */
    cycle_t stop_at;                  /* the run is cut off there; 0: never */
};

/* What is known of a configuration that is finished. */
struct machine_facts {
    uint32_t nodes, dead_nodes; /* nodes: dead ones included */
    bool damaged;               /* some node or link is dead */
    double cycles_per_second;
    struct packet_sizes sizes;
};

struct family {
    struct schema schema; /* its names, and its tables of keys */
    const void *own;      /* for the family's own functions */
    enum layer usual;     /* the layer of patterns that can run as either */
    /* Names of the stages that its router reports (base/clock.h), then NULL; NULL: none. */
    const char *const *stages;

    /* ---- of a configuration ---- */
    /* Checks that the keys fit together, and parses texts. */
    weft_status (*finish)(struct config *c);
    struct machine_facts (*facts)(const struct config *c);
    /* What the machine offers to patterns: enum site_offer. */
    unsigned (*offers)(const struct config *c);
    const char *(*size_text)(const struct config *c, char text[CONFIG_TEXT]);
    /* A hash of input outside the configuration itself, such as files; NULL: there is none. */
    uint64_t (*fingerprint)(const struct config *c);
    /* WEFT_BAD_INPUT, with the pair, if two living nodes that may send have no route. */
    weft_status (*check_routes)(const struct config *c);
    /* What it hands out to jobs; ground_fini() frees it. NULL: it has no cells. */
    weft_status (*ground)(const struct config *c, struct ground *ground);
    /* Says why it cannot deadlock (WEFT_OK), or how it can, or that no proof was found. */
    weft_status (*prove)(const struct config *c, char *text, size_t size);
    /* The head of `weft show`: topology and peak figures. */
    void (*show)(FILE *out, const struct config *c);

    /* ---- of a model ---- */
    /* Always sets *model: after a failure, destroy() frees what was built. */
    weft_status (*create)(const struct config *c, const struct run_options *options,
                          struct model **model);
    void (*destroy)(struct model *model);
    /* Saves or restores the family's own state of a run. */
    void (*archive)(struct model *model, struct archive *archive);
    /* Fills in the partition of a node, and its number there. */
    void (*locate)(const struct model *model, struct nic_node *at);
    /* What create() needs to cut the machine in the same way again. NULL: the number of partitions.
     */
    void (*cuts)(const struct model *model, uint32_t cuts[MODEL_CUTS]);
    /* How its links are numbered; and the link of a number: false: there is none. */
    void (*map)(const struct model *model, struct link_map *map);
    bool (*link)(const struct model *model, uint64_t number, struct machine_link *link);
    /* Fills in the family's own figures; r->measure and the times are already set. */
    void (*gather)(const struct model *model, struct run_result *r);
};

/* Why a fabric does not have a nic that others have. */
extern const struct schema_refusal nic_refusals[];

/* All families, then NULL. */
extern const struct family *const families[];

static inline const struct family *family_of(const struct config *c)
{
    return (const struct family *)c->schema;
}

/* ---- for families ---- */

/* What the workload runs as. */
enum layer machine_layer(const struct config *c);

/* WEFT_BAD_INPUT, naming the key, if a machine needs more memory than this computer has. */
weft_status model_check_memory(const char *key, uint32_t nodes, uint64_t bytes);

/* Threads of all ranks that need partitions; with checkpoints one per core, since the run may be
 * resumed on more threads. WEFT_BAD_INPUT: checkpoints with several ranks. */
weft_status model_threads(const struct run_options *options, uint32_t *threads);

/* How a resumed run was cut, and whether its state can have that many partitions. */
void model_resumed_cuts(const struct run_options *options, uint32_t *cuts, unsigned count);
weft_status model_check_resumed(const struct run_options *options, uint32_t partitions);

/* Sets model->partitions: as many as were asked for, or one per thread; at most `most`. */
weft_status model_cut(struct model *m, const struct run_options *options, uint32_t most,
                      uint32_t asked);

/* Creates the workload at model->site and sets what follows from it; with a host there is none. */
weft_status model_workload(struct model *m, const struct run_options *options);

/* Gives a nic its client: a host, sources of packets, or processes. */
void model_attach(struct model *m, struct nic *nic);

/* What the network is to measure, and when. */
struct measure_plan model_plan(const struct model *m);

#endif
