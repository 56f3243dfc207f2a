/* Any bytes as a log of jobs, as a text and as a file, packed or not. A log that is read must keep
 * its word: jobs in order, times and sizes in their ranges, every line counted; and it must be the
 * same once its jobs have been written as a log and read again. */
#include "fuzz.h"

#include <stdbool.h>

#include "jobs/log.h"

static void must(bool condition)
{
    if (!condition)
        abort();
}

static void check_jobs(const struct swf_log *log)
{
    int64_t largest = 0;
    for (uint32_t i = 0; i < log->jobs; i++) {
        const struct job *j = &log->job[i];
        must(j->submit >= 0 && j->run >= 1 && j->estimate >= j->run && j->processors >= 1);
        must(!i || j[-1].submit < j->submit ||
             (j[-1].submit == j->submit && j[-1].number <= j->number));
        largest = j->processors > largest ? j->processors : largest;
    }
    must(log->jobs > 0 && log->processors >= largest);
    must(log->lines == log->jobs + log->no_run + log->no_processors);
    must(log->unsorted < log->jobs && log->no_estimate + log->overrun <= log->jobs);
}

static void read_again(const struct swf_log *log)
{
    enum { LONGEST = 256 };
    char *text = malloc((size_t)log->jobs * LONGEST);
    size_t size = 0;
    struct swf_log again;
    for (uint32_t i = 0; i < log->jobs; i++) {
        const struct job *j = &log->job[i];
        size += (size_t)sprintf(text + size,
                                "%lld %lld -1 %lld -1 -1 -1 %lld %lld -1 -1 -1 -1 -1 -1 -1 -1 -1\n",
                                (long long)j->number, (long long)j->submit, (long long)j->run,
                                (long long)j->processors, (long long)j->estimate);
    }
    must(swf_read_text("again", text, size, &again) == WEFT_OK);
    must(again.jobs == log->jobs && again.unsorted == 0 && again.overrun == 0);
    for (uint32_t i = 0; i < log->jobs; i++) { /* their order is that of the new text */
        const struct job *a = &again.job[i], *b = &log->job[i];
        must(a->number == b->number && a->submit == b->submit && a->run == b->run);
        must(a->processors == b->processors && a->estimate == b->estimate);
    }
    swf_fini(&again);
    free(text);
}

static void use(weft_status status, struct swf_log *log)
{
    if (status != WEFT_OK) {
        must(weft_last_error()[0] != '\0' && !strchr(weft_last_error(), '\n'));
        return;
    }
    check_jobs(log);
    read_again(log);
    swf_fini(log);
}

int fuzz_swf(const uint8_t *data, size_t size)
{
    struct swf_log log;
    use(swf_read_text("fuzz", (const char *)data, size, &log), &log);
    if (size > 1 && data[0] == 0x1f && data[1] == 0x8b) {
        char path[32];
        int descriptor = fuzz_file(data, size, path);
        use(swf_read(path, &log), &log);
        close(descriptor);
    }
    return 0;
}
