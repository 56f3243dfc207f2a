/* How many bricks, and which. */
#include "machine/bricks.h"

#include <math.h>
#include <string.h>

#include "engine/ranks.h"

/* Threads with at least one packet-hop per window: more would only synchronise. At least one per
 * rank. */
static uint32_t useful_threads(double hops, uint32_t threads)
{
    uint32_t useful = hops < threads ? (uint32_t)ceil(hops) : threads;
    return useful > ranks_count() ? useful : ranks_count();
}

/* Few large bricks cost least; several per thread let the work be shared evenly. */
static weft_status choose(const struct torus *t, uint32_t threads, struct bricks *bricks)
{
    struct bricks_wish wish = {.most_nodes = 16384,
                               .least = threads,
                               .good = threads > 1 ? 4 * threads : 1,
                               .good_nodes = 1024};
    bricks_init(bricks, t, &wish);
    if (bricks->count < ranks_count())
        return BAD_INPUT("machine.dims",
                         ("%u nodes are too few for %u ranks", t->nodes, ranks_count()),
                         ("use fewer ranks"));
    return WEFT_OK;
}

/* As run.bricks says. */
static weft_status take(const struct torus *t, const char *text, struct bricks *bricks)
{
    enum { MOST_BRICKS = 4096 };
    struct torus cuts;
    if (torus_parse(text, &cuts) != WEFT_OK || cuts.dims != t->dims)
        return BAD_INPUT("run.bricks", ("run.bricks = '%s' does not fit the machine", text),
                         ("cut each of its %u dimensions, as in %s, or use auto", t->dims,
                          t->dims > 3 ? "2x2x1x1x1x1" : "2x2x1"));
    bricks_init_cuts(bricks, t, cuts.size);
    uint32_t count = bricks->count;
    if (count < ranks_count())
        return BAD_INPUT(
            "run.bricks",
            ("run.bricks = '%s' makes %u partitions for %u ranks", text, count, ranks_count()),
            ("use more, or auto"));
    if (count > MOST_BRICKS)
        return BAD_INPUT("run.bricks", ("run.bricks = '%s' makes %u partitions", text, count),
                         ("use at most %d", MOST_BRICKS));
    return WEFT_OK;
}

weft_status model_cut_bricks(struct model *m, const struct run_options *o, const struct torus *t,
                             const char *text, double window_hops, struct bricks *bricks)
{
    uint32_t threads, cuts[TORUS_MAX_DIMS];
    weft_status status;
    if (o->resume) {
        model_resumed_cuts(o, cuts, TORUS_MAX_DIMS);
        bricks_init_cuts(bricks, t, cuts);
        status = model_check_resumed(o, bricks->count);
    } else {
        status = model_threads(o, &threads);
        if (status == WEFT_OK)
            status = strcmp(text, "auto") == 0
                         ? choose(t, useful_threads(window_hops, threads), bricks)
                         : take(t, text, bricks);
    }
    m->partitions = bricks->count;
    return status;
}
