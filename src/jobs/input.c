/* Logs scaled to a machine. */
#include "jobs/input.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/random.h"

static double work_of(const struct swf_log *log)
{
    double work = 0;
    for (uint32_t i = 0; i < log->jobs; i++)
        work += (double)log->job[i].run * (double)log->job[i].processors;
    return work;
}

/* Submit times: scaled, and shaken. */
static weft_status set_times(const struct jobs_params *p, uint64_t seed, struct jobs_input *in)
{
    struct swf_log *log = &in->log;
    int64_t first = log->job[0].submit;
    double span = (double)(log->job[log->jobs - 1].submit - first), scale = 1;
    if (p->load > 0 && span <= 0)
        return BAD_INPUT("jobs.load", ("jobs.load: all jobs of the log are submitted at once"),
                         ("use 0: there are no times to scale"));
    if (p->load > 0)
        scale = in->own_load / p->load;
    if (p->load > 0 && scale * span > JOBS_MOST_SECONDS)
        return BAD_INPUT("jobs.load",
                         ("jobs.load = %g: submit times would be more than %.0f s apart", p->load,
                          JOBS_MOST_SECONDS),
                         ("use a larger load"));
    for (uint32_t i = 0; i < log->jobs; i++) {
        uint64_t draw = random_draw(random_key(seed, 2, RANDOM_JOB), i);
        double shift = (double)p->shake_seconds * ((double)(draw >> 11) * 0x1p-52 - 1);
        double time = (double)(log->job[i].submit - first) * scale + shift;
        log->job[i].submit = time > 0 ? (int64_t)time : 0;
    }
    swf_sort(log);
    return WEFT_OK;
}

/* The same share of the machine, rounded up to a whole node. */
static void scale_jobs(const struct jobs_params *p, uint32_t nodes, struct jobs_input *in)
{
    const struct swf_log *log = &in->log;
    double scale = (double)nodes / (double)log->processors;
    for (uint32_t i = 0; i < log->jobs; i++) {
        const struct swf_job *j = &log->job[i];
        double size = ceil((double)j->processors * scale - 1e-9);
        in->job[i].number = j->number;
        in->job[i].submit = j->submit;
        in->job[i].nodes = size < 1 ? 1 : size > nodes ? nodes : (uint32_t)size;
        in->job[i].run = j->run;
        in->job[i].estimate = p->estimates == ESTIMATES_PERFECT ? j->run : j->estimate;
    }
}

weft_status jobs_input(const struct jobs_params *p, uint32_t nodes, uint64_t seed,
                       struct jobs_input *in)
{
    weft_status status = WEFT_OK;
    *in = (struct jobs_input){.job = NULL};
    if (p->log[0])
        status = swf_read(p->log, &in->log);
    else
        generate_log(&p->model, seed, &in->log);
    if (status != WEFT_OK)
        return status;
    struct swf_log *log = &in->log;
    if (p->processors != KEY_AUTO)
        log->processors = p->processors;
    double span = (double)(log->job[log->jobs - 1].submit - log->job[0].submit);
    in->own_load = span > 0 ? work_of(log) / span / (double)log->processors : 0;
    status = set_times(p, seed, in);
    if (status == WEFT_OK) {
        in->jobs = log->jobs;
        in->job = memory_alloc(log->jobs, sizeof(*in->job));
        scale_jobs(p, nodes, in);
    }
    free(log->job);
    log->job = NULL;
    return status;
}
