/* The same step over links that make errors (torus_link.h). Other runs use torus_step.c as it
 * stands and do not pay for it. */
#define TORUS_LOSSY
#include "fabric/torus/step.c"
