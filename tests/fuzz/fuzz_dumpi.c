/* Any bytes as the text of the one rank of a DUMPI trace. A trace that is read must keep its word:
 * records that can be taken from it, whose numbers are in their ranges, and requests that are
 * waited for only once they were started. */
#include "fuzz.h"

#include <stdbool.h>

#include "trace/dumpi.h"

static void must(bool condition)
{
    if (!condition)
        abort();
}

enum { SLOTS = 1 << 16 };

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
}

/* A folder of its own, whose text of a rank is a link to the input. */
static const char *set_up(const uint8_t *data, size_t size, int *descriptor)
{
    static char folder[] = "/tmp/weft-fuzz-XXXXXX", meta[64], text[64];
    char path[32];
    if (!meta[0]) {
        must(mkdtemp(folder) != NULL);
        snprintf(meta, sizeof(meta), "%s/t.meta", folder);
        snprintf(text, sizeof(text), "%s/t-0000.txt", folder);
        FILE *f = fopen(meta, "w");
        must(f && fputs("numprocs=1\nfileprefix=t\n", f) >= 0 && fclose(f) == 0);
    }
    *descriptor = fuzz_file(data, size, path);
    unlink(text);
    must(symlink(path, text) == 0);
    return meta;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct recording *r;
    int descriptor;
    const char *meta = set_up(data, size, &descriptor);
    must(dumpi_is_meta(meta));
    if (dumpi_read(meta, &r) != WEFT_OK) {
        must(weft_last_error()[0] != '\0' && !strchr(weft_last_error(), '\n'));
    } else {
        check_records(r);
        recording_destroy(r);
    }
    close(descriptor);
    return 0;
}
