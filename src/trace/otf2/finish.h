/* From the drafts of all ranks (rank.h) to a recording. */
#ifndef WEFT_TRACE_OTF2_FINISH_H
#define WEFT_TRACE_OTF2_FINISH_H

#include "trace/otf2/rank.h"

/* Fills w->to, and seals it. */
weft_status otf2_finish(struct otf2_world *w, struct otf2_drafts *drafts);

#endif
