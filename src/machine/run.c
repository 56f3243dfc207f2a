/* A run in one call. */
#include "machine/run.h"

#include <string.h>

#include "machine/family.h"
#include "machine/session.h"

weft_status run_config(const struct config *c, const struct run_options *o, struct run_result *r)
{
    struct session *s;
    uint64_t warm_hops = 0, warm_events = 0, samples[STAGES_MOST] = {0};
    memset(r, 0, sizeof(*r));
    TRY(session_open(c, o, &s));
    weft_status status = WEFT_OK;
    if (o->timed_from) { /* run up to there untimed */
        status = session_run(s, o->timed_from);
        session_forget_times(s);
        warm_hops = session_hops(s);
        warm_events = session_events(s);
    }
    if (o->stages)
        o->stages->start();
    if (status == WEFT_OK && !session_is_over(s))
        status = session_run(s, CYCLE_NEVER);
    if (o->stages)
        o->stages->stop(samples);
    if (status == WEFT_OK) {
        status = session_finish(s, r);
        r->timed_hops = r->measure.hops - warm_hops;
        r->timed_events = r->events - warm_events;
        memcpy(r->stage_samples, samples, sizeof(samples));
    } else {
        session_finish_failed(s, r);
    }
    session_close(s);
    return status;
}
