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
#include "machine/result.h"
#include "machine/window.h"
#include "message/process.h"
#include "node/source.h"
#include "topology/graph/routes.h"
#include "topology/torus/bricks.h"
#include "workload/workload.h"

struct machine_facts; /* machine/machine.h */

/* Nodes that live, and marks at those that do not. */
struct living {
    uint32_t *node; /* NULL: all live */
    bool *dead;     /* [node]; the same */
};

/* A machine with its workload, built from a configuration and ready to run; the first member of
 * each family's own model. */
struct model {
    const struct config *config;
    struct network *network;
    struct nic *nic;     /* with a client, unless it runs a program by itself */
    uint64_t input_hash; /* of files that the machine is from: a resumed run must have the same */
    uint64_t seed;
    uint32_t partitions;
    struct bricks bricks; /* the partitions, where nodes have coordinates; count 0: they do not */
    struct living living;
    struct graph graph;         /* where nodes or switches are a graph's, */
    struct graph_routes routes; /* its routes, */
    uint32_t *partition;        /* and the partition of each */
    struct site site;
    struct workload *workload;     /* NULL: nothing is sent */
    const struct nic_client *host; /* NULL: none */
    struct sources *sources;       /* post packets to the nic; or */
    struct processes *processes;
    const struct core_params *cores;  /* if processors write and read packets themselves, */
    const struct steps_params *steps; /* else NULL */
    struct window window;             /* that is measured, */
    bool open;                        /* if there is one */
    uint64_t deliveries;              /* closed: packets expected; 0: not known */
    cycle_t stop_at;                  /* the run is cut off there; 0: never */
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
    /* Whether its parts are wired apart: routes are within each. NULL: they never are. */
    bool (*apart)(const struct config *c);
    /* Says why it cannot deadlock (WEFT_OK), or how it can, or that no proof was found. */
    weft_status (*prove)(const struct config *c, char *text, size_t size);
    /* Topology and peak figures, for `weft show`. */
    void (*show)(FILE *out, const struct config *c);

    /* ---- of a model, in the order of its life ---- */
    size_t model_size;
    /* Topology, routes and what of the site is the family's own. */
    weft_status (*prepare)(struct model *model);
    /* Partitions: model_cut() or model_cut_bricks(). */
    weft_status (*cut)(struct model *model, const struct run_options *options);
    /* Nic and network; the workload is there. */
    weft_status (*build)(struct model *model, const struct run_options *options);
    /* Fills in the partition of a node, and its number there. NULL: as in the network's tables. */
    void (*locate)(const struct model *model, struct nic_node *at);
    /* How its links are numbered; and the link of a row and port: false: there is none. */
    void (*map)(const struct model *model, struct links_map *map);
    bool (*link)(const struct model *model, uint32_t row, unsigned port, struct machine_link *link);
    /* Adds the family's own figures, r->measure, times, links and VCs are already there; or, of a
     * survey, properties of the topology. */
    void (*gather)(const struct model *model, struct run_result *r);
    void (*survey)(const struct model *model, struct run_result *r);
    /* Frees what is the family's own, of a model that may be built in part. NULL: nothing. */
    void (*release)(struct model *model);
};

/* The functions that every family has, by the names that the files of all give them. */
#define FAMILY_FUNCTIONS                                                                           \
    .finish = finish, .facts = facts, .offers = offers, .size_text = size_text,                    \
    .check_routes = check_routes, .prove = prove, .show = show, .prepare = prepare, .cut = cut,    \
    .build = build, .map = map, .link = find_link, .gather = gather

/* Why a fabric does not have a nic that others have. */
extern const struct schema_refusal nic_refusals[];

/* All families, then NULL. */
extern const struct family *const families[];

static inline const struct family *family_of(const struct config *c)
{
    return (const struct family *)c->schema;
}

/* Builds what a configuration says. Always sets *model: after a failure, model_destroy() frees what
 * was built. */
weft_status model_create(const struct config *c, const struct run_options *options,
                         struct model **model);
void model_destroy(struct model *model);

/* Where a node is. */
struct nic_node model_locate(const struct model *model, uint32_t node);

/* ---- for families: configurations and models ---- */

/* What the workload runs as. */
enum layer machine_layer(const struct config *c);

/* WEFT_BAD_INPUT, naming the key, if a machine needs more memory than this computer has: what the
 * ranks share, and what each of them has whole. */
weft_status model_check_memory(const char *key, uint32_t nodes, uint64_t shared, uint64_t whole);

/* WEFT_BAD_INPUT: nodes cannot have the memory that is asked for, or nothing would use it: without
 * an engine, only processors do, with messages. What a machine's file says is no question. */
weft_status model_check_node_memory(const struct config *c, bool engine);

/* Hops of a shortest route, and the most of any; for sites with coordinates. */
uint32_t coordinates_distance(const struct site *site, uint32_t from, uint32_t to);
uint32_t coordinates_diameter(const struct site *site);

/* Fills in model->living. */
void model_list_living(struct model *m, uint32_t nodes,
                       bool (*is_dead)(const void *faults, uint32_t node), const void *faults);

/* Sets model->partitions: as many as were asked for, or one per thread; at most `most`. */
weft_status model_cut(struct model *m, const struct run_options *options, uint32_t most,
                      uint32_t asked);

/* The same, and model->partition, for a graph. Wherever a graph is cut, many links cross between
 * its parts: one part per thread. */
weft_status model_cut_graph(struct model *m, const struct run_options *options, uint32_t asked);
uint32_t graph_model_diameter(const struct site *site);

/* Frees graph, routes and partitions. */
void model_release_graph(struct model *m);

/* Sets the bricks and model->partitions: as for a resumed run, as run.bricks says (`text`), or as
 * suits the threads. `full_hops`: the most packet-hops in a window of the engine, under full load.
 */
weft_status model_cut_bricks(struct model *m, const struct run_options *options,
                             const struct torus *torus, const char *text, double full_hops);

/* Gives a nic its client: a host, sources of packets, or processes. */
void model_attach(struct model *m, struct nic *nic);

/* A link from a port of a node, or of a switch, to another's port, whose counters are there. */
struct machine_link model_link(const struct model *m, uint32_t from, unsigned port, uint32_t to,
                               unsigned back, enum link_state state);

/* What the network is to measure, and when. */
struct measure_plan model_plan(const struct model *m);

/* Looks at a run that stands at the window's next look, and has births go on as long as follows
 * from it. */
void model_look(struct model *m);

/* Saves or restores where the search for the window stands. */
void model_archive_window(struct model *m, struct archive *a);

/* ---- for families: lines of `weft show` ---- */

void show_dead(FILE *out, uint32_t nodes, uint32_t links);
void show_diameter(FILE *out, uint32_t hops, const char *between);
void show_mean_distance(FILE *out, double hops);
void show_bisection(FILE *out, uint64_t links, double mb_per_s);
void show_packet(FILE *out, uint32_t bytes, double words, const char *unit, double mb_per_s);
void show_hop(FILE *out, uint32_t cycles, double ns);

#endif
