/* Counts and shares in words. */
#include "report/picture/caption.h"

#include "base/text/text.h"
#include "report/picture/occupancy.h"

/* Where the machine's time went; what would read 0.0 is left out. */
static void put_shares(const struct schedule_result *r, char *text, size_t size, size_t at)
{
    const struct {
        const char *name;
        double share;
    } part[] = {
        {"internal fragmentation", r->share[SHARE_INTERNAL]},
        {"free while jobs wait", r->share[SHARE_EXTERNAL] + r->share[SHARE_STARVED]},
        {"idle", r->share[SHARE_IDLE]},
        {"closed for repair", r->share[SHARE_CLOSED]},
    };
    at = text_append(text, size, at, "; utilisation %.1f %%", 100 * r->share[SHARE_USED]);
    for (unsigned i = 0; i < sizeof(part) / sizeof(part[0]); i++)
        if (part[i].share >= 0.0005)
            at = text_append(text, size, at, ", %s %.1f %%", part[i].name, 100 * part[i].share);
}

const char *caption_of_jobs(const struct schedule_result *r, char *text, size_t size)
{
    char jobs[32], ended[32];
    size_t at = text_append(text, size, 0, "%s job%s, %s finished", text_count(r->jobs, jobs),
                            r->jobs == 1 ? "" : "s", text_count(r->count[JOB_FINISHED], ended));
    if (r->count[JOB_FAILED])
        at = text_append(text, size, at, ", %s failed", text_count(r->count[JOB_FAILED], ended));
    if (r->to > r->from)
        put_shares(r, text, size, at);
    return text;
}

const char *caption_of_colours(const struct schedule_result *r, bool stacked, const char *look,
                               char *text, size_t size)
{
    char count[32];
    uint32_t lost = lost_runs(r);
    size_t at =
        text_append(text, size, 0, "each job has its own colour; free and closed cells have none");
    if (lost)
        at = text_append(text, size, at, "; %s: %s run%s lost to a node that died", look,
                         text_count(lost, count), lost == 1 ? "" : "s");
    if (stacked)
        text_append(text, size, at,
                    "; jobs are scattered: stacked by their starts, not where they ran");
    return text;
}
