/* Cutting a machine whose nodes have coordinates into bricks, one partition each. */
#ifndef WEFT_MACHINE_BRICKS_H
#define WEFT_MACHINE_BRICKS_H

#include "machine/family.h"
#include "topology/torus/bricks.h"

/* Sets the bricks and model->partitions: as for a resumed run, as run.bricks says (`text`), or as
 * suits the threads. `window_hops`: the most packet-hops in a window of the engine. */
weft_status model_cut_bricks(struct model *m, const struct run_options *options,
                             const struct torus *torus, const char *text, double window_hops,
                             struct bricks *bricks);

#endif
