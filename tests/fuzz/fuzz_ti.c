/* Any bytes as a time-independent trace, packed or not, and as an index of files. A trace that is
 * read must keep its word: records that can be taken from it one by one, whose numbers are in their
 * ranges, and requests that are waited for only once they were started. */
#include "fuzz.h"

#include <stdbool.h>

#include "trace/format.h"

extern const struct trace_format ti_format;

static void must(bool condition)
{
    if (!condition)
        abort();
}

static uint32_t members_of(const struct recording *r, uint32_t comm)
{
    if (comm < COMM_FIRST)
        return comm == COMM_SELF ? 1 : r->ranks;
    must(comm - COMM_FIRST < r->comms);
    return r->comm[comm - COMM_FIRST].side[0].members;
}

static void check_message(const struct recording *r, const struct record *e)
{
    must(e->peer >= PEER_ANY && (e->peer == PEER_ANY || (uint32_t)e->peer < r->ranks));
    must(e->mode <= SEND_READY && e->by <= BY_OTHER);
    must(e->bytes == BYTES_UNKNOWN || e->bytes <= (uint64_t)INT32_MAX * 32);
    (void)members_of(r, e->comm);
}

static void check_operation(const struct recording *r, const struct record *e)
{
    uint32_t members = members_of(r, e->comm);
    const struct collective_kind *kind = record_collective(e);
    must(kind && kind->action && !kind->replayed_as && e->peer >= 0 && (uint32_t)e->peer < members);
    must(!e->listed || e->listed == members || e->listed == 2 * members);
    if (e->op)
        must(e->type != 0);
}

enum { SLOTS = 1 << 16 };

static void check_rank(const struct recording *r, uint32_t rank)
{
    static bool open[SLOTS];
    struct record_reader in;
    struct record e;
    memset(open, 0, sizeof(open));
    record_open(&in, r, rank);
    for (record_next(&in, &e); e.kind != RECORD_END; record_next(&in, &e)) {
        bool later = e.kind == RECORD_OPERATION && (e.flags & RECORD_LATER);
        if (e.kind >= RECORD_SEND && e.kind <= RECORD_START_RECEIVE)
            check_message(r, &e);
        if (e.kind == RECORD_OPERATION)
            check_operation(r, &e);
        if (e.kind == RECORD_START_SEND || e.kind == RECORD_START_RECEIVE || later) {
            must(e.slot < SLOTS);
            open[e.slot] = true;
        }
        for (uint32_t i = 0; e.kind == RECORD_WAIT && i < e.listed; i++) {
            must(e.list[i] < SLOTS && open[e.list[i]]);
            open[e.list[i]] = false;
        }
        must(e.amount >= 0);
    }
    record_close(&in);
}

int fuzz_ti(const uint8_t *data, size_t size)
{
    struct recording *r;
    char path[32];
    int descriptor = fuzz_file(data, size, path);
    if (trace_read_as(&ti_format, path, &r) != WEFT_OK) {
        must(weft_last_error()[0] != '\0' && !strchr(weft_last_error(), '\n'));
    } else {
        for (uint32_t rank = 0; rank < r->ranks && rank < 64; rank++)
            check_rank(r, rank);
        recording_destroy(r);
    }
    close(descriptor);
    return 0;
}
