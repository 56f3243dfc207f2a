/* Lines of a time-independent trace as records. */
#define _GNU_SOURCE
#include "trace/ti.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/attempt.h"
#include "base/input.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "trace/names.h"
#include "trace/requests.h"
#include "trace/words.h"

enum { RANKS_MOST = 1 << 22, PATH = 4096 };

/* What is known of a rank while its lines are read. */
struct ti_rank {
    struct trace_requests requests;
    uint64_t *waits; /* slots that its last lines have waited for, in one call */
    uint32_t wait_count, wait_room;
    uint8_t wait_flags;
    uint32_t operations; /* nonblocking ones, so far */
    bool seen, ended;
};

struct ti {
    struct recording *to;
    struct trace_words w;
    struct ti_rank *rank;
    uint32_t ranks;
    bool old;                      /* without tags */
    const struct type_name *usual; /* type of what says none */
    struct map comms;              /* numbers of communicators, as the file has them */
    /* The current line: */
    uint32_t me, numbers, options; /* words that are numbers; where others begin */
    struct record e;
    uint64_t *list;
    uint32_t list_room;
};

static const char form[] = "write RANK ACTION ARGUMENTS, as SimGrid does";

/* ---- words ---- */

static weft_status missing(const struct ti *t, const char *what)
{
    return WORDS_REFUSE(&t->w, t->options, ("'%.20s' has no %s here", t->w.word[1], what),
                        ("%s", form));
}

/* A number among the arguments of the action, counted from 0. */
static weft_status real(const struct ti *t, uint32_t index, const char *what, double *value)
{
    uint32_t at = 2 + index;
    if (index >= t->numbers)
        return missing(t, what);
    if (!number_real(t->w.word[at], value) || *value < 0)
        return WORDS_REFUSE(&t->w, at, ("'%.40s' is no %s", t->w.word[at], what),
                            ("use a number from 0 on"));
    return WEFT_OK;
}

static weft_status whole(const struct ti *t, uint32_t index, const char *what, int64_t least,
                         int64_t most, int64_t *value)
{
    uint32_t at = 2 + index;
    if (index >= t->numbers)
        return missing(t, what);
    double size;
    int64_t exact;
    if (number_integer(t->w.word[at], &exact) && exact >= least && exact <= most) {
        *value = exact;
        return WEFT_OK;
    }
    /* SimGrid writes and reads sizes as real numbers, of which it takes the whole part. */
    if (number_real(t->w.word[at], &size) && size >= (double)least && size <= (double)most &&
        size < 9e15) {
        *value = (int64_t)size;
        return WEFT_OK;
    }
    return WORDS_REFUSE(
        &t->w, at, ("'%.40s' is no %s", t->w.word[at], what),
        ("use a whole number from %lld to %lld", (long long)least, (long long)most));
}

static weft_status peer_at(struct ti *t, uint32_t index, bool receives, int32_t *peer)
{
    int64_t value = 0;
    enum { SIMGRID_ANY = -555, SIMGRID_NULL = -666 };
    weft_status status = whole(t, index, "rank", SIMGRID_NULL, INT32_MAX, &value);
    if (status != WEFT_OK)
        return status;
    if (receives && (value == -1 || value == SIMGRID_ANY)) {
        *peer = PEER_ANY;
        return WEFT_OK;
    }
    *peer = (int32_t)value;
    if (value == SIMGRID_NULL || (value >= 0 && value < t->ranks))
        return WEFT_OK;
    return WORDS_REFUSE(&t->w, 2 + index, ("there is no rank %lld", (long long)value),
                        ("the trace has lines of ranks 0 to %u", t->ranks - 1));
}

static bool is_null(int32_t peer)
{
    return peer < PEER_ANY;
}

static weft_status tag_at(struct ti *t, uint32_t index, bool receives, uint32_t *tag)
{
    int64_t value = 0;
    enum { SIMGRID_ANY = -444 };
    weft_status status = whole(t, index, "tag", SIMGRID_ANY, (int64_t)UINT32_MAX - 1, &value);
    if (status != WEFT_OK)
        return status;
    bool any = receives && (value == -1 || value == SIMGRID_ANY);
    if (value < 0 && !any)
        return WORDS_REFUSE(&t->w, 2 + index, ("%lld is no tag", (long long)value),
                            ("use numbers from 0 on"));
    *tag = any ? TAG_ANY : (uint32_t)value;
    return WEFT_OK;
}

static weft_status type_at(struct ti *t, uint32_t index, const struct type_name **type)
{
    int64_t value = 0;
    *type = t->usual;
    if (index >= t->numbers)
        return WEFT_OK;
    weft_status status = whole(t, index, "datatype", 0, 127, &value);
    if (status != WEFT_OK)
        return status;
    *type = type_by_simgrid((uint64_t)value);
    if (*type)
        return WEFT_OK;
    return WORDS_REFUSE(&t->w, 2 + index, ("there is no datatype %lld", (long long)value),
                        ("use SimGrid's numbers: 0 double, 1 int, 6 byte ..."));
}

/* Elements of a type, as bytes. */
static weft_status size_at(struct ti *t, uint32_t index, const struct type_name *type,
                           uint64_t *bytes)
{
    int64_t count = 0;
    weft_status status = whole(t, index, "size", 0, INT32_MAX, &count);
    if (status == WEFT_OK)
        *bytes = (uint64_t)count * type->bytes;
    return status;
}

/* ---- Weft's own words ---- */

static bool starts(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* What a call by another name is. */
static void note_call(struct record *e, const char *call)
{
    static const char *const modes[] = {"bsend", "ssend", "rsend"};
    const char *plain = call[0] == 'i' && strlen(call) == 6 ? call + 1 : call;
    for (unsigned i = 0; i < 3; i++)
        if (strcmp(plain, modes[i]) == 0) {
            e->mode = (uint8_t)(MODE_BUFFERED + i);
            return;
        }
    bool messages = starts(call, "wait") || starts(call, "test") || starts(call, "start") ||
                    starts(call, "sendrecv") || starts(call, "isendrecv") ||
                    starts(call, "mrecv") || starts(call, "imrecv") || starts(call, "request");
    bool collective = starts(call, "neighbor") || starts(call, "ineighbor") ||
                      starts(call, "all") || starts(call, "iall") || starts(call, "barrier") ||
                      starts(call, "ibarrier") || starts(call, "bcast") || starts(call, "ibcast") ||
                      starts(call, "gather") || starts(call, "igather") ||
                      starts(call, "scatter") || starts(call, "iscatter") ||
                      starts(call, "reduce") || starts(call, "ireduce");
    e->by = messages ? BY_ITSELF : collective ? BY_COLLECTIVE : BY_OTHER;
}

static weft_status read_op(struct ti *t, uint32_t *at)
{
    struct trace_words *w = &t->w;
    const struct type_name *type = *at + 2 < w->count ? type_by_name(w->word[*at + 2]) : NULL;
    int64_t element = 0;
    if (!type || !(t->e.op = (uint8_t)op_by_name(w->word[*at + 1])))
        return WORDS_REFUSE(w, *at, ("this is no operation and datatype"),
                            ("write op OPERATION DATATYPE, as op sum double"));
    t->e.type = type->number;
    *at += 3;
    if (*at >= w->count || !number_integer(w->word[*at], &element))
        return WEFT_OK;
    if (element < 1 || element > UINT16_MAX)
        return WORDS_REFUSE(w, *at, ("an element of %lld bytes", (long long)element),
                            ("use 1 to %d", UINT16_MAX));
    t->e.element = (uint16_t)element;
    ++*at;
    return WEFT_OK;
}

static const struct recording_comm *comm_of(const struct ti *t, uint32_t comm)
{
    return &t->to->comm[comm - COMM_FIRST];
}

static bool is_member(const struct recording_side *s, uint32_t rank)
{
    for (uint32_t i = 0; i < s->members; i++)
        if (s->member[i] == rank)
            return true;
    return false;
}

static weft_status read_comm(struct ti *t, uint32_t at)
{
    int64_t number;
    if (at < t->w.count && strcmp(t->w.word[at], "self") == 0) {
        t->e.comm = COMM_SELF;
        return WEFT_OK;
    }
    const uint32_t *known = at < t->w.count && number_integer(t->w.word[at], &number) && number >= 0
                                ? map_find(&t->comms, (uint64_t)number)
                                : NULL;
    if (!known)
        return WORDS_REFUSE(&t->w, at < t->w.count ? at : t->w.count,
                            ("this communicator was not made before"),
                            ("write comm_split NUMBER MEMBERS first"));
    t->e.comm = *known;
    return WEFT_OK;
}

static weft_status read_options(struct ti *t)
{
    struct trace_words *w = &t->w;
    weft_status status = WEFT_OK;
    for (uint32_t at = t->options; at < w->count && status == WEFT_OK;) {
        const char *word = w->word[at];
        if (strcmp(word, "more") == 0) {
            t->e.flags |= RECORD_MORE;
            at++;
        } else if (strcmp(word, "calls") == 0) {
            t->e.flags |= RECORD_CALLS;
            at++;
        } else if (strcmp(word, "in_place") == 0) {
            t->e.flags |= RECORD_IN_PLACE;
            at++;
        } else if (strcmp(word, "strided") == 0) {
            t->e.flags |= RECORD_STRIDED;
            at++;
        } else if (strcmp(word, "op") == 0) {
            status = read_op(t, &at);
        } else if (strcmp(word, "by") == 0 && at + 1 < w->count) {
            note_call(&t->e, w->word[at + 1]);
            t->to->nonblocking |=
                starts(w->word[at + 1], "ineighbor") || strcmp(w->word[at + 1], "comm_idup") == 0;
            at += 2;
        } else if (strcmp(word, "comm") == 0) {
            status = read_comm(t, at + 1);
            at += 2;
        } else {
            return WORDS_REFUSE(w, at, ("'%.40s' is no number", word), ("%s", form));
        }
    }
    return status;
}

/* ---- records ---- */

/* What a rank has waited for in one call is one record. */
static void put_waits(struct ti *t, uint32_t rank)
{
    struct ti_rank *r = &t->rank[rank];
    if (!r->wait_count)
        return;
    struct record e = {
        .kind = RECORD_WAIT, .flags = r->wait_flags, .list = r->waits, .listed = r->wait_count};
    recording_put(t->to, rank, &e);
    r->wait_count = 0;
}

static void put(struct ti *t)
{
    put_waits(t, t->me);
    recording_put(t->to, t->me, &t->e);
}

static void add_wait(struct ti *t, struct trace_request *q)
{
    struct ti_rank *r = &t->rank[t->me];
    if (!(t->e.flags & RECORD_MORE))
        put_waits(t, t->me);
    if (!r->wait_count)
        r->wait_flags = t->e.flags & RECORD_MORE;
    if (r->wait_count == r->wait_room) {
        r->wait_room = r->wait_room ? 2 * r->wait_room : 8;
        r->waits = memory_grow(r->waits, r->wait_room, sizeof(*r->waits));
    }
    r->waits[r->wait_count++] = q->slot;
    requests_end(&r->requests, q);
    t->e.flags |= RECORD_MORE;
}

/* ---- messages ---- */

/* What describes a request: a message to or from a process, or an operation. */
enum request_sort { SORT_SEND = 1, SORT_RECEIVE, SORT_OPERATION };

static uint64_t key_of(enum request_sort sort, uint32_t comm, int32_t peer)
{
    return (uint64_t)sort << 62 | (uint64_t)comm << 32 | (uint32_t)peer;
}

/* "PEER TAG SIZE [TYPE]" or, if the trace is old, "PEER SIZE [TYPE]" */
static weft_status read_message(struct ti *t, bool receives)
{
    const struct type_name *type;
    if (t->numbers == 2)
        t->old = true;
    uint32_t size = t->old ? 1 : 2;
    weft_status status = peer_at(t, 0, receives, &t->e.peer);
    if (status == WEFT_OK && !t->old)
        status = tag_at(t, 1, receives, &t->e.tag);
    if (status == WEFT_OK)
        status = type_at(t, size + 1, &type);
    if (status == WEFT_OK && receives && size < t->numbers && t->w.word[2 + size][0] == '-')
        t->e.bytes = BYTES_UNKNOWN;
    else if (status == WEFT_OK)
        status = size_at(t, size, type, &t->e.bytes);
    return status;
}

static weft_status do_message(struct ti *t, enum record_kind kind)
{
    bool receives = kind == RECORD_RECEIVE || kind == RECORD_START_RECEIVE;
    bool later = kind == RECORD_START_SEND || kind == RECORD_START_RECEIVE;
    weft_status status = read_message(t, receives);
    if (status != WEFT_OK || is_null(t->e.peer))
        return status;
    t->e.kind = kind;
    if (later)
        t->e.slot = requests_add(&t->rank[t->me].requests,
                                 key_of(receives ? SORT_RECEIVE : SORT_SEND, t->e.comm, t->e.peer),
                                 t->e.tag);
    put(t);
    return WEFT_OK;
}

static weft_status do_send(struct ti *t)
{
    return do_message(t, RECORD_SEND);
}

static weft_status do_receive(struct ti *t)
{
    return do_message(t, RECORD_RECEIVE);
}

static weft_status do_start_send(struct ti *t)
{
    return do_message(t, RECORD_START_SEND);
}

static weft_status do_start_receive(struct ti *t)
{
    return do_message(t, RECORD_START_RECEIVE);
}

/* One half of "sendRecv SENDCOUNT TO RECVCOUNT FROM [SENDTYPE RECVTYPE]": all have tag 0. */
static weft_status do_half(struct ti *t, bool receives)
{
    const struct type_name *type;
    struct trace_requests *q = &t->rank[t->me].requests;
    weft_status status = type_at(t, receives ? 5 : 4, &type);
    if (status == WEFT_OK)
        status = size_at(t, receives ? 2 : 0, type, &t->e.bytes);
    if (status == WEFT_OK)
        status = peer_at(t, receives ? 3 : 1, receives, &t->e.peer);
    if (status != WEFT_OK || is_null(t->e.peer))
        return status;
    t->e.kind = receives ? RECORD_START_RECEIVE : RECORD_START_SEND;
    /* Its own request: nothing else waits for it. */
    uint64_t key = key_of(receives ? SORT_RECEIVE : SORT_SEND, UINT32_MAX >> 2, 0);
    t->e.slot = requests_add(q, key, 0);
    put(t);
    t->e.flags |= RECORD_MORE;
    return WEFT_OK;
}

static weft_status do_exchange(struct ti *t)
{
    struct trace_requests *q = &t->rank[t->me].requests;
    weft_status status = do_half(t, true);
    if (status == WEFT_OK)
        status = do_half(t, false);
    if (status != WEFT_OK)
        return status;
    for (unsigned sort = SORT_SEND; sort <= SORT_RECEIVE; sort++) {
        uint64_t key = key_of((enum request_sort)sort, UINT32_MAX >> 2, 0);
        struct trace_request *found = requests_find(q, key, key, 0);
        if (found)
            add_wait(t, found);
    }
    return WEFT_OK;
}

/* ---- waiting ---- */

static weft_status find_message(struct ti *t, struct trace_request **found)
{
    struct trace_requests *q = &t->rank[t->me].requests;
    int32_t from, to;
    uint32_t tag;
    weft_status status = peer_at(t, 0, true, &from);
    if (status == WEFT_OK)
        status = peer_at(t, 1, false, &to);
    if (status == WEFT_OK)
        status = tag_at(t, 2, true, &tag);
    if (status != WEFT_OK)
        return status;
    bool mine = from == (int32_t)t->me || to == (int32_t)t->me;
    uint64_t sent = key_of(SORT_SEND, t->e.comm, to), got = key_of(SORT_RECEIVE, t->e.comm, from);
    if (from != (int32_t)t->me)
        sent = got;
    if (to != (int32_t)t->me)
        got = sent;
    *found = mine ? requests_find(q, sent, got, tag) : NULL;
    uint64_t anybody = key_of(SORT_RECEIVE, t->e.comm, PEER_ANY);
    if (mine && !*found)
        *found = requests_find(q, anybody, anybody, tag);
    if (mine && !*found)
        *found = requests_find(q, anybody, got, TAG_ANY);
    if (*found || is_null(from) || is_null(to))
        return WEFT_OK;
    return WORDS_REFUSE(&t->w, 1, ("rank %u has started no such message before", t->me),
                        ("isend or irecv must come first"));
}

static weft_status find_operation(struct ti *t, struct trace_request **found)
{
    struct trace_requests *q = &t->rank[t->me].requests;
    uint64_t key = key_of(SORT_OPERATION, 0, 0);
    int64_t number = -1;
    *found = t->w.count > 3 && number_integer(t->w.word[3], &number) && number >= 0
                 ? requests_find(q, key, key, (uint64_t)number)
                 : NULL;
    t->options = 4;
    if (*found)
        return WEFT_OK;
    return WORDS_REFUSE(&t->w, 1, ("rank %u has started no such operation before", t->me),
                        ("a nonblocking operation must come first"));
}

/* Which request a line means: an old one, that was started last. *found NULL: none is needed. */
static weft_status find_request(struct ti *t, struct trace_request **found)
{
    struct trace_requests *q = &t->rank[t->me].requests;
    if (t->w.count > 2 && strcmp(t->w.word[2], "operation") == 0)
        return find_operation(t, found);
    if (t->numbers)
        return find_message(t, found);
    *found = requests_open(q) ? &q->open[q->end - 1] : NULL;
    if (!*found)
        return WORDS_REFUSE(&t->w, 1, ("rank %u has started nothing before", t->me),
                            ("isend or irecv must come first"));
    return WEFT_OK;
}

static weft_status do_wait(struct ti *t)
{
    struct trace_request *found;
    weft_status status = find_request(t, &found);
    if (status == WEFT_OK && found)
        add_wait(t, found);
    return status;
}

static weft_status do_test(struct ti *t)
{
    struct trace_request *found;
    weft_status status = find_request(t, &found);
    if (status != WEFT_OK || !found)
        return status;
    found->tested = true;
    t->e.kind = RECORD_TEST;
    t->e.slot = found->slot;
    put(t);
    return WEFT_OK;
}

/* All messages; operations are waited for by their numbers. */
static weft_status do_wait_all(struct ti *t)
{
    struct trace_requests *q = &t->rank[t->me].requests;
    for (size_t i = q->first; i < q->end;) {
        if (q->open[i].key >> 62 == SORT_OPERATION) {
            i++;
            continue;
        }
        size_t first = q->first;
        add_wait(t, &q->open[i]);
        i += q->first - first;
    }
    return WEFT_OK;
}

/* ---- collective operations ---- */

static uint32_t members_of(const struct ti *t)
{
    if (t->e.comm == COMM_SELF)
        return 1;
    return t->e.comm == COMM_WORLD ? t->ranks : comm_of(t, t->e.comm)->side[0].members;
}

static weft_status root_at(struct ti *t, uint32_t index)
{
    int64_t root = 0;
    uint32_t members = members_of(t);
    weft_status status =
        index < t->numbers ? whole(t, index, "root", 0, (int64_t)members - 1, &root) : WEFT_OK;
    t->e.peer = (int32_t)root;
    return status;
}

/* Sizes for each member, from an argument on; they go to the end of the list. */
static weft_status sizes_at(struct ti *t, uint32_t index, const struct type_name *type)
{
    uint32_t members = members_of(t);
    uint64_t sum = 0;
    weft_status status = WEFT_OK;
    if (t->list_room < t->e.listed + members) {
        t->list_room = t->e.listed + members;
        t->list = memory_grow(t->list, t->list_room, sizeof(*t->list));
    }
    t->e.list = t->list;
    for (uint32_t i = 0; i < members && status == WEFT_OK; i++) {
        status = size_at(t, index + i, type, &t->list[t->e.listed + i]);
        sum += status == WEFT_OK ? t->list[t->e.listed + i] : 0;
    }
    t->e.listed += members;
    if (status == WEFT_OK && sum > INT32_MAX)
        return WORDS_REFUSE(&t->w, 2 + index,
                            ("these sizes add up to %llu bytes", (unsigned long long)sum),
                            ("use at most %d", INT32_MAX));
    return status;
}

/* An element is of whole basic ones, and a vector of whole elements. */
static weft_status check_elements(const struct ti *t, uint64_t bytes)
{
    unsigned basic = type_by_number(t->e.type)->bytes;
    unsigned each = t->e.element ? t->e.element : basic;
    if (each % basic == 0 && bytes % each == 0)
        return WEFT_OK;
    return WORDS_REFUSE(&t->w, 2,
                        ("%llu bytes are no elements of %u, or those not of %u",
                         (unsigned long long)bytes, each, basic),
                        ("use multiples"));
}

/* A reduction works on elements; bytes that come in eights or fours are taken as such. */
static weft_status take_elements(struct ti *t, const struct type_name *type, uint64_t bytes,
                                 uint32_t amount)
{
    enum { DOUBLE = 0x214, INT = 0x209, SUM = 0x21, UINT8 = 0x241 };
    weft_status status = amount < t->numbers ? real(t, amount, "amount", &t->e.amount) : WEFT_OK;
    if (status == WEFT_OK && t->e.op)
        return check_elements(t, bytes);
    t->e.op = SUM;
    t->e.type = type->number;
    if (type->bytes == 1)
        t->e.type = bytes % 8 == 0 ? DOUBLE : bytes % 4 == 0 ? INT : UINT8;
    return status;
}

/* The work of a reduction, which is counted apart from its messages. */
static void put_operation(struct ti *t)
{
    struct ti_rank *r = &t->rank[t->me];
    t->e.kind = RECORD_OPERATION;
    if (t->e.flags & RECORD_LATER) {
        t->e.slot = requests_add(&r->requests, key_of(SORT_OPERATION, 0, 0), r->operations++);
        t->to->nonblocking = true;
    }
    put(t);
    if (t->e.amount > 0) {
        t->e = (struct record){.kind = RECORD_COMPUTE, .amount = t->e.amount};
        put(t);
    }
}

static weft_status do_bcast(struct ti *t)
{
    const struct type_name *type;
    weft_status status = root_at(t, 1);
    if (status == WEFT_OK)
        status = type_at(t, 2, &type);
    return status == WEFT_OK ? size_at(t, 0, type, &t->e.bytes) : status;
}

/* Sizes that go out and come in: "OUT IN [ROOT] [TYPE TYPE]" */
static weft_status two_sizes(struct ti *t, bool root)
{
    const struct type_name *out, *in;
    weft_status status = root ? root_at(t, 2) : WEFT_OK;
    if (status == WEFT_OK)
        status = type_at(t, 2 + root, &out);
    if (status == WEFT_OK)
        status = type_at(t, 3 + root, &in);
    if (status == WEFT_OK)
        status = size_at(t, 0, out, &t->e.bytes);
    return status == WEFT_OK ? size_at(t, 1, in, &t->e.other) : status;
}

/* "OUT IN IN ... [ROOT] [TYPE TYPE]"; of a scatter "OUT OUT ... IN [ROOT] [TYPE TYPE]" */
static weft_status one_and_sizes(struct ti *t, bool root, bool scatter)
{
    const struct type_name *type[2];
    uint32_t members = members_of(t), behind = members + 1 + root;
    weft_status status = root ? root_at(t, members + 1) : WEFT_OK;
    /* Displacements, if there are any, matter to nobody. */
    uint32_t types = t->numbers > behind + 2 ? t->numbers : behind;
    if (t->numbers > behind + members)
        types = behind;
    for (unsigned i = 0; i < 2 && status == WEFT_OK; i++)
        status = type_at(t, types + i, &type[i]);
    if (status == WEFT_OK)
        status = sizes_at(t, scatter ? 0 : 1, type[!scatter]);
    return status == WEFT_OK ? size_at(t, scatter ? members : 0, type[scatter], &t->e.bytes)
                             : status;
}

/* "ALL OUT OUT ... ALL IN IN ... [TYPE TYPE]" */
static weft_status do_alltoallv(struct ti *t)
{
    const struct type_name *out, *in;
    uint32_t members = members_of(t);
    weft_status status = type_at(t, 2 * members + 2, &out);
    if (status == WEFT_OK)
        status = type_at(t, 2 * members + 3, &in);
    if (status == WEFT_OK)
        status = sizes_at(t, 1, out);
    return status == WEFT_OK ? sizes_at(t, members + 2, in) : status;
}

/* "SIZE AMOUNT [ROOT] [TYPE]" */
static weft_status do_reduction(struct ti *t, bool root)
{
    const struct type_name *type;
    weft_status status = root ? root_at(t, 2) : WEFT_OK;
    if (status == WEFT_OK)
        status = type_at(t, 2 + root, &type);
    if (status == WEFT_OK)
        status = size_at(t, 0, type, &t->e.bytes);
    return status == WEFT_OK ? take_elements(t, type, t->e.bytes, 1) : status;
}

/* "SIZE SIZE ... AMOUNT [TYPE]" */
static weft_status do_reduce_scatter(struct ti *t)
{
    const struct type_name *type;
    uint32_t members = members_of(t);
    uint64_t all = 0;
    weft_status status = type_at(t, members + 1, &type);
    if (status == WEFT_OK)
        status = sizes_at(t, 0, type);
    for (uint32_t i = 0; i < members && status == WEFT_OK; i++)
        all |= t->list[i];
    return status == WEFT_OK ? take_elements(t, type, all, members) : status;
}

static weft_status read_operation(struct ti *t, enum record_operation o)
{
    switch (o) {
    case OPERATION_BARRIER:
        return WEFT_OK;
    case OPERATION_BCAST:
        return do_bcast(t);
    case OPERATION_GATHER:
    case OPERATION_SCATTER:
        return two_sizes(t, true);
    case OPERATION_ALLGATHER:
    case OPERATION_ALLTOALL:
        return two_sizes(t, false);
    case OPERATION_GATHERV:
        return one_and_sizes(t, true, false);
    case OPERATION_ALLGATHERV:
        return one_and_sizes(t, false, false);
    case OPERATION_SCATTERV:
        return one_and_sizes(t, true, true);
    case OPERATION_ALLTOALLV:
        return do_alltoallv(t);
    case OPERATION_REDUCE:
        return do_reduction(t, true);
    case OPERATION_REDUCE_SCATTER:
    case OPERATION_REDUCE_SCATTER_BLOCK:
        return do_reduce_scatter(t);
    default:
        return do_reduction(t, false);
    }
}

static weft_status do_operation(struct ti *t, enum record_operation o, bool later)
{
    t->e.operation = (uint8_t)o;
    t->e.flags |= later ? RECORD_LATER : 0;
    const struct recording_comm *c = t->e.comm >= COMM_FIRST ? comm_of(t, t->e.comm) : NULL;
    if (c && c->side[1].members)
        return WORDS_REFUSE(&t->w, 1, ("the communicator has two sides"),
                            ("write the operation as messages"));
    weft_status status = read_operation(t, o);
    /* The machine sees elements of one size; what goes out or comes in has whole ones. */
    if (status == WEFT_OK)
        put_operation(t);
    return status;
}

/* ---- communicators ---- */

/* "0-14/2" or "3,1,17" */
static weft_status read_members(struct ti *t, uint32_t at, struct recording_side *s)
{
    const char *c = t->w.word[at];
    uint32_t room = 0;
    for (bool more = true; more;) {
        unsigned first, last, stride = 1;
        int length = 0;
        bool good = sscanf(c, "%7u%n", &first, &length) == 1;
        c += good ? length : 0;
        last = first;
        if (good && *c == '-' && (good = sscanf(c, "-%7u%n", &last, &length) == 1))
            c += length;
        if (good && *c == '/' && (good = sscanf(c, "/%7u%n", &stride, &length) == 1))
            c += length;
        more = good && *c == ',';
        if (!good || (*c && !more) || last < first || !stride || last >= t->ranks)
            return WORDS_REFUSE(&t->w, at, ("'%.40s' is no list of members", t->w.word[at]),
                                ("write 0-14/2 or 3,1,17, of ranks 0 to %u", t->ranks - 1));
        for (uint64_t i = first; i <= last; i += stride) {
            if (s->members == t->ranks)
                return WORDS_REFUSE(&t->w, at, ("a member is listed twice"), ("list it once"));
            if (s->members == room) {
                room = room ? 2 * room : 8;
                s->member = memory_grow(s->member, room, sizeof(*s->member));
            }
            s->member[s->members++] = (uint32_t)i;
        }
        c += more;
    }
    return WEFT_OK;
}

static int by_number(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* All members of both sides differ. */
static bool are_different(const struct recording_comm *c)
{
    uint32_t count = c->side[0].members + c->side[1].members;
    uint32_t *all = memory_alloc(count + 1, sizeof(*all));
    if (c->side[0].members)
        memcpy(all, c->side[0].member, c->side[0].members * sizeof(*all));
    if (c->side[1].members)
        memcpy(all + c->side[0].members, c->side[1].member, c->side[1].members * sizeof(*all));
    qsort(all, count, sizeof(*all), by_number);
    bool different = true;
    for (uint32_t i = 1; i < count; i++)
        different = different && all[i] != all[i - 1];
    free(all);
    return different;
}

static weft_status new_comm(struct ti *t, uint64_t number)
{
    struct recording *to = t->to;
    struct recording_comm c = {.side = {{.member = NULL}}};
    weft_status status = WEFT_OK;
    for (uint32_t i = 3; i < t->w.count && i < 5 && status == WEFT_OK; i++)
        status = read_members(t, i, &c.side[i - 3]);
    if (status == WEFT_OK && !are_different(&c))
        status = WORDS_REFUSE(&t->w, 3, ("a member is listed twice"), ("list it once"));
    if (status != WEFT_OK) {
        free(c.side[0].member);
        free(c.side[1].member);
        return status;
    }
    if (to->comms == to->comm_room) {
        to->comm_room = to->comm_room ? 2 * to->comm_room : 8;
        to->comm = memory_grow(to->comm, to->comm_room, sizeof(*to->comm));
    }
    to->comm[to->comms] = c;
    *map_add(&t->comms, number, 0) = COMM_FIRST + to->comms++;
    return WEFT_OK;
}

/* SimGrid's has no arguments, and does nothing. */
static weft_status do_split(struct ti *t)
{
    int64_t number;
    weft_status status = WEFT_OK;
    if (strcmp(t->w.word[t->w.count - 1], "more") == 0) {
        t->e.flags |= RECORD_MORE;
        t->w.count--;
    }
    if (t->w.count == 2)
        return WEFT_OK;
    if (!number_integer(t->w.word[2], &number) || number < 0 || number >= UINT32_MAX / 8)
        return WORDS_REFUSE(&t->w, 2, ("'%.40s' is no communicator", t->w.word[2]),
                            ("use a number from 0 on"));
    uint32_t *known = map_find(&t->comms, (uint64_t)number);
    if (!known && t->w.count < 4)
        return WORDS_REFUSE(&t->w, 2, ("communicator %lld has no members", (long long)number),
                            ("list them where it is first mentioned"));
    if (!known)
        status = new_comm(t, (uint64_t)number);
    if (status != WEFT_OK)
        return status;
    t->e.comm = *map_find(&t->comms, (uint64_t)number);
    const struct recording_comm *c = comm_of(t, t->e.comm);
    if (!is_member(&c->side[0], t->me) && !is_member(&c->side[1], t->me))
        return WORDS_REFUSE(&t->w, 0,
                            ("rank %u is no member of communicator %lld", t->me, (long long)number),
                            ("list it among its members"));
    t->e.kind = RECORD_COMM;
    put(t);
    return WEFT_OK;
}

/* ---- lines ---- */

static weft_status do_init(struct ti *t)
{
    t->usual = type_by_name(t->numbers ? "double" : "byte");
    return WEFT_OK;
}

static weft_status do_finalize(struct ti *t)
{
    t->rank[t->me].ended = true;
    return WEFT_OK;
}

static weft_status do_amount(struct ti *t, enum record_kind kind)
{
    t->e.kind = kind;
    weft_status status = real(t, 0, "amount", &t->e.amount);
    if (status == WEFT_OK && t->e.amount > 0)
        put(t);
    return status;
}

static weft_status do_compute(struct ti *t)
{
    return do_amount(t, RECORD_COMPUTE);
}

static weft_status do_sleep(struct ti *t)
{
    return do_amount(t, RECORD_SLEEP);
}

static weft_status do_probe_of(struct ti *t, bool later)
{
    weft_status status = peer_at(t, 0, true, &t->e.peer);
    if (status == WEFT_OK)
        status = tag_at(t, 1, true, &t->e.tag);
    t->e.kind = RECORD_PROBE;
    t->e.flags |= later ? RECORD_LATER : 0;
    if (status == WEFT_OK && !is_null(t->e.peer))
        put(t);
    return status;
}

static weft_status do_probe(struct ti *t)
{
    return do_probe_of(t, false);
}

static weft_status do_look(struct ti *t)
{
    return do_probe_of(t, true);
}

static weft_status do_poll(struct ti *t)
{
    t->e.kind = RECORD_POLL;
    put(t);
    return WEFT_OK;
}

static weft_status do_bytes(struct ti *t, enum record_kind kind)
{
    int64_t bytes = 0;
    weft_status status = whole(t, 0, "size", 0, (int64_t)1 << 50, &bytes);
    t->e.kind = kind;
    t->e.amount = (double)bytes;
    if (status == WEFT_OK)
        put(t);
    return status;
}

static weft_status do_copy(struct ti *t)
{
    return do_bytes(t, RECORD_COPY);
}

static weft_status do_combine(struct ti *t)
{
    return do_bytes(t, RECORD_COMBINE);
}

static weft_status do_nothing(struct ti *t)
{
    (void)t;
    return WEFT_OK;
}

static const struct {
    const char *name;
    weft_status (*act)(struct ti *t);
    bool words; /* its arguments are not numbers */
} actions[] = {
    {"init", do_init, false},         {"finalize", do_finalize, false},
    {"compute", do_compute, false},   {"sleep", do_sleep, false},
    {"send", do_send, false},         {"recv", do_receive, false},
    {"isend", do_start_send, false},  {"irecv", do_start_receive, false},
    {"wait", do_wait, false},         {"test", do_test, false},
    {"waitall", do_wait_all, false},  {"sendRecv", do_exchange, false},
    {"sendrecv", do_exchange, false}, {"comm_size", do_nothing, true},
    {"comm_dup", do_nothing, true},   {"comm_split", do_split, true},
    {"location", do_nothing, true},   {"probe", do_probe, false},
    {"iprobe", do_look, false},       {"poll", do_poll, false},
    {"copy", do_copy, false},         {"combine", do_combine, false},
};
enum { ACTIONS = sizeof(actions) / sizeof(actions[0]) };

static const char *const operations[OPERATIONS] = {"barrier",       "bcast",
                                                   "gather",        "gatherv",
                                                   "scatter",       "scatterv",
                                                   "allgather",     "allgatherv",
                                                   "alltoall",      "alltoallv",
                                                   "reduce",        "allreduce",
                                                   "reducescatter", "reducescatterblock",
                                                   "scan",          "exscan"};

static int find_action(const char *name)
{
    for (unsigned i = 0; i < ACTIONS; i++)
        if (strcmp(actions[i].name, name) == 0)
            return (int)i;
    return -1;
}

/* *later: its name begins with an i more. Operations of several types have their sizes in bytes. */
static int find_named_operation(const char *name, bool *later)
{
    for (*later = false;; *later = true, name++) {
        for (unsigned i = 0; i < OPERATIONS; i++)
            if (strcmp(operations[i], name) == 0)
                return (int)i;
        if (strcmp(name, "alltoallw") == 0)
            return OPERATION_ALLTOALLV;
        if (strcmp(name, "reduceScatter") == 0)
            return OPERATION_REDUCE_SCATTER;
        if (*later || name[0] != 'i')
            return -1;
    }
}

static bool is_known(const char *action)
{
    bool later;
    return find_action(action) >= 0 || find_named_operation(action, &later) >= 0;
}

/* The number of a rank; SimGrid's older files have "p0". */
static bool read_rank(const char *word, int64_t *rank)
{
    return number_integer(word[0] == 'p' ? word + 1 : word, rank) && *rank >= 0 &&
           *rank < RANKS_MOST;
}

static weft_status check_rank(const struct trace_words *w, int64_t *rank)
{
    if (read_rank(w->word[0], rank))
        return WEFT_OK;
    return WORDS_REFUSE(w, 0, ("'%.40s' is no rank", w->word[0]),
                        ("%s, or the path of a file in each line", form));
}

static void count_numbers(struct ti *t)
{
    uint32_t at = 2;
    while (at < t->w.count && number_is_written(t->w.word[at]))
        at++;
    t->numbers = at - 2;
    t->options = at;
}

static weft_status read_line(struct ti *t)
{
    struct trace_words *w = &t->w;
    int64_t rank;
    bool later = false;
    weft_status status = check_rank(w, &rank);
    if (status != WEFT_OK)
        return status;
    if (w->count < 2)
        return WORDS_REFUSE(w, 1, ("there is no action"), ("%s", form));
    int action = find_action(w->word[1]);
    int operation = action < 0 ? find_named_operation(w->word[1], &later) : -1;
    if (action < 0 && operation < 0)
        return WORDS_REFUSE(w, 1, ("'%.40s' is no action", w->word[1]), ("%s", form));
    t->me = (uint32_t)rank;
    t->e = (struct record){.kind = RECORD_END};
    t->rank[t->me].seen = true;
    if (t->rank[t->me].ended)
        return WORDS_REFUSE(w, 1, ("rank %u has finalized before", t->me), ("%s", form));
    count_numbers(t);
    if (action >= 0 && actions[action].words)
        return actions[action].act(t);
    if (w->count > 3 && strcmp(w->word[2], "operation") == 0)
        t->options = 4;
    status = read_options(t);
    if (status != WEFT_OK)
        return status;
    return action >= 0 ? actions[action].act(t)
                       : do_operation(t, (enum record_operation)operation, later);
}

/* ---- files ---- */

typedef weft_status each_file(const char *path, void *arg);

/* A path from the folder of the index, or from the current one. */
static void resolve(const char *index, const char *name, char path[PATH])
{
    const char *slash = strrchr(index, '/');
    snprintf(path, PATH, "%.*s%s", slash && name[0] != '/' ? (int)(slash - index) + 1 : 0, index,
             name);
    if (access(path, F_OK) != 0 && access(name, F_OK) == 0)
        snprintf(path, PATH, "%s", name);
}

static weft_status visit_index(struct trace_words *w, each_file *each, void *arg)
{
    char path[PATH];
    weft_status status = WEFT_OK;
    for (uint64_t file = 0; status == WEFT_OK && w->count; file++) {
        if (w->count > 1 || file >= RANKS_MOST)
            return WORDS_REFUSE(w, w->count > 1, ("this is no path of a file"),
                                ("write one in each line"));
        resolve(w->path, w->word[0], path);
        if (access(path, R_OK) != 0)
            return WORDS_REFUSE(w, 0, ("there is no file %.200s", w->word[0]),
                                ("write paths from the folder of this file"));
        status = each(path, arg);
        if (status == WEFT_OK)
            status = words_next(w);
    }
    return status;
}

/* Calls each() for the files of a trace: itself, or those that it names. */
static weft_status visit_files(const char *path, each_file *each, void *arg)
{
    struct trace_words w;
    int64_t rank;
    weft_status status = words_open(&w, path, "a trace");
    if (status != WEFT_OK)
        return status;
    status = words_next(&w);
    bool lines =
        status == WEFT_OK && w.count > 1 && read_rank(w.word[0], &rank) && is_known(w.word[1]);
    if (status == WEFT_OK && !w.count)
        status = BAD_PLACE(("%s", path), ("it is empty"), ("%s", form));
    if (status == WEFT_OK && w.count > 1 && !lines)
        status = check_rank(&w, &rank) == WEFT_OK
                     ? WORDS_REFUSE(&w, 1, ("'%.40s' is no action", w.word[1]), ("%s", form))
                     : WEFT_BAD_INPUT;
    if (status == WEFT_OK && !lines)
        status = visit_index(&w, each, arg);
    words_close(&w);
    return status == WEFT_OK && lines ? each(path, arg) : status;
}

/* ---- ranks ---- */

struct count {
    uint32_t ranks;
    uint64_t lines;
};

static weft_status count_ranks(const char *path, void *arg)
{
    struct count *count = arg;
    struct trace_words w;
    int64_t rank;
    weft_status status = words_open(&w, path, "a trace");
    if (status != WEFT_OK)
        return status;
    while ((status = words_next(&w)) == WEFT_OK && w.count) {
        attempt_poll();
        status = check_rank(&w, &rank);
        if (status != WEFT_OK)
            break;
        count->lines++;
        count->ranks = rank >= count->ranks ? (uint32_t)rank + 1 : count->ranks;
    }
    words_close(&w);
    return status;
}

static weft_status read_lines(const char *path, void *arg)
{
    struct ti *t = arg;
    weft_status status = words_open(&t->w, path, "a trace");
    if (status != WEFT_OK)
        return status;
    while ((status = words_next(&t->w)) == WEFT_OK && t->w.count) {
        attempt_poll();
        status = read_line(t);
        if (status != WEFT_OK)
            break;
    }
    words_close(&t->w);
    return status;
}

static weft_status check_all(const struct ti *t, const char *path)
{
    for (uint32_t i = 0; i < t->ranks; i++)
        if (!t->rank[i].seen)
            return BAD_PLACE(("%s", path), ("rank %u of %u has no line", i, t->ranks),
                             ("write at least init and finalize for each"));
    return WEFT_OK;
}

static void drop(struct ti *t)
{
    for (uint32_t i = 0; i < t->ranks; i++) {
        requests_drop(&t->rank[i].requests);
        free(t->rank[i].waits);
    }
    free(t->rank);
    free(t->list);
    map_fini(&t->comms);
}

weft_status ti_read(const char *path, struct recording **recording)
{
    struct ti t = {.usual = type_by_name("byte")};
    struct count count = {.ranks = 0};
    weft_status status = visit_files(path, count_ranks, &count);
    if (status == WEFT_OK && count.lines < count.ranks)
        status = BAD_PLACE(
            ("%s", path),
            ("%llu lines are of fewer than %u ranks", (unsigned long long)count.lines, count.ranks),
            ("write at least init and finalize for each"));
    t.ranks = count.ranks;
    if (status == WEFT_OK)
        status = recording_create(&t.to);
    if (status != WEFT_OK)
        return status;
    t.rank = memory_alloc(t.ranks, sizeof(*t.rank));
    t.to->ranks = t.ranks;
    status = visit_files(path, read_lines, &t);
    for (uint32_t i = 0; i < t.ranks && status == WEFT_OK; i++)
        put_waits(&t, i);
    if (status == WEFT_OK)
        status = check_all(&t, path);
    if (status == WEFT_OK)
        status = spool_seal(t.to->spool);
    drop(&t);
    if (status != WEFT_OK)
        recording_destroy(t.to);
    else
        *recording = t.to;
    return status;
}

static weft_status add_hash(const char *path, void *arg)
{
    uint64_t *hash = arg, more = input_hash(path);
    *hash = text_hash(*hash, &more, sizeof(more));
    return WEFT_OK;
}

uint64_t ti_hash(const char *path)
{
    uint64_t hash = TEXT_HASH;
    if (access(path, R_OK) != 0)
        return 0;
    return visit_files(path, add_hash, &hash) == WEFT_OK ? hash : input_hash(path);
}
