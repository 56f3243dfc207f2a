/*
 * A machine with its workload, built from a configuration and ready to run. What differs between
 * fabrics is behind a model_kind: one file each (model_torus.c, model_graph.c).
 */
#ifndef WEFT_MACHINE_MODEL_H
#define WEFT_MACHINE_MODEL_H

#include "machine/run.h"

struct model {
    const struct config *config;
    struct network *network;
    uint32_t partitions;
    bool open;           /* open-loop traffic */
    uint64_t deliveries; /* closed: packets expected; 0: not known */
    cycle_t stop_at;     /* where it is cut off; 0: not */
};

struct model_kind {
    /* *model is set in any case; destroy() takes what was built. */
    weft_status (*create)(const struct config *config, const struct run_options *options,
                          struct model **model);
    void (*destroy)(struct model *model);
    /* Saves all that changes while it runs, or takes it in. */
    void (*archive)(struct model *model, struct archive *archive);
    /* What create() needs to cut the machine in the same way again. */
    void (*cuts)(const struct model *model, uint32_t cuts[TORUS_MAX_DIMS]);
    /* Fills in what is the fabric's own; r->measure and the times are there. */
    void (*gather)(const struct model *model, struct run_result *r);
    /* WEFT_BAD_INPUT, with the pair, if two living nodes that may send have no route. */
    weft_status (*check_routes)(const struct config *config);
    /* Says why it cannot deadlock (WEFT_OK), or how it can, or that no proof was found. */
    weft_status (*prove)(const struct config *config, char *text, size_t size);
};

extern const struct model_kind model_torus, model_graph;

/* The kind that a configuration asks for. */
const struct model_kind *model_kind(const struct config *config);

static inline double model_ratio(double a, double b)
{
    return b > 0 ? a / b : 0;
}

/* WEFT_BAD_INPUT, naming the key, if a machine needs more memory than this computer has. */
weft_status model_check_memory(const char *key, uint32_t nodes, uint64_t bytes);

/* Threads of all ranks for which partitions are wanted: with checkpoints, every core, should it go
 * on with more of them. WEFT_BAD_INPUT: with checkpoints, several ranks. */
weft_status model_threads(const struct run_options *options, uint32_t *threads);

#endif
