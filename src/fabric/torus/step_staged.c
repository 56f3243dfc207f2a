/* The same step, saying which stage it is in: for `weft bench`. Other runs use torus_step.c as it
 * stands and do not pay for it. */
#define TORUS_STAGES
#include "fabric/torus/step.c"
