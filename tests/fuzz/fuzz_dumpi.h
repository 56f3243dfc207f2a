/* What both forms of DUMPI traces must keep: a trace that is read has records that can be taken
 * from it, whose numbers are in their ranges, and requests that are waited for only once they were
 * started. */
#ifndef WEFT_TESTS_FUZZ_DUMPI_H
#define WEFT_TESTS_FUZZ_DUMPI_H

#include "fuzz.h"

#include <stdbool.h>

#include "trace/format.h"

extern const struct trace_format dumpi_format;

enum { SLOTS = 1 << 16 };

static void must(bool condition)
{
    if (!condition)
        abort();
}

static void check_records(const struct recording *r)
{
    static bool open[SLOTS];
    struct record_reader in;
    struct record e;
    memset(open, 0, sizeof(open));
    record_open(&in, r, 0);
    for (record_next(&in, &e); e.kind != RECORD_END; record_next(&in, &e)) {
        if (e.kind >= RECORD_SEND && e.kind <= RECORD_START_RECEIVE)
            must(e.peer >= PEER_ANY && e.peer < 1 && e.bytes <= INT32_MAX);
        if (e.kind == RECORD_START_SEND || e.kind == RECORD_START_RECEIVE) {
            must(e.slot < SLOTS);
            open[e.slot] = true;
        }
        if (e.kind == RECORD_CANCEL)
            must(e.slot < SLOTS && open[e.slot]);
        for (uint32_t i = 0; e.kind == RECORD_WAIT && i < e.listed; i++) {
            must(e.list[i] < SLOTS && open[e.list[i]]);
            open[e.list[i]] = false;
        }
        if (e.kind != RECORD_WAIT)
            must(e.listed <= 2);
        must(e.comm < COMM_FIRST || e.comm - COMM_FIRST < r->comms);
        must(e.amount >= 0);
    }
    record_close(&in);
    for (uint32_t i = 0; i < r->comms; i++)
        must(r->comm[i].side[0].members == 1 && r->comm[i].side[0].member[0] == 0);
}

/* Reads the input as the file of the one rank of a trace, t-0000.FORM: a link to it in a folder of
 * its own. */
static void read_rank(const uint8_t *data, size_t size, const char *form)
{
    static char folder[] = "/tmp/weft-fuzz-XXXXXX", meta[64], file[64];
    char path[32];
    struct recording *r;
    if (!meta[0]) {
        must(mkdtemp(folder) != NULL);
        snprintf(meta, sizeof(meta), "%s/t.meta", folder);
        snprintf(file, sizeof(file), "%s/t-0000.%s", folder, form);
        FILE *f = fopen(meta, "w");
        must(f && fputs("numprocs=1\nfileprefix=t\n", f) >= 0 && fclose(f) == 0);
    }
    int descriptor = fuzz_file(data, size, path);
    unlink(file);
    must(symlink(path, file) == 0);
    must(dumpi_format.matches(&(struct trace_file){.path = meta}));
    if (trace_read_as(&dumpi_format, meta, &r) != WEFT_OK) {
        must(weft_last_error()[0] != '\0' && !strchr(weft_last_error(), '\n'));
    } else {
        check_records(r);
        recording_destroy(r);
    }
    close(descriptor);
}

#endif
