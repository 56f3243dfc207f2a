/* Calls of DUMPI's text form as records. */
#define _GNU_SOURCE
#include "trace/dumpi.h"

#include <ctype.h>
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

enum { NAME = 40, ARGUMENTS_MOST = 24, PATH = 4096, RANKS_MOST = 1 << 22 };

/* An argument of a call: a number with perhaps a name, or several numbers. */
struct argument {
    char name[NAME], meaning[NAME];
    int64_t value;
    size_t first, count; /* of an array, in dumpi.number */
    uint32_t word;       /* of its line */
    uint64_t line;
};

/* A request that can be started again. */
struct persistent {
    int64_t handle;
    struct record record;
};

/* A communicator: the nth that was made from another, and the colour. */
struct origin {
    uint32_t parent, nth;
    int64_t colour;
};

struct member {
    int64_t key;
    uint32_t rank, place; /* place: in the parent, by rank */
};

struct made {
    struct origin origin;
    struct member *member;
    uint32_t members, room;
};

struct dumpi {
    struct recording *to;
    struct trace_words w;
    uint32_t me, ranks;
    char call[NAME];
    uint64_t call_line;
    bool inside, begun;
    double left; /* when the last call ended */
    struct argument argument[ARGUMENTS_MOST];
    unsigned arguments;
    int64_t *number;
    size_t numbers, number_room;
    struct trace_requests requests;
    struct persistent *persistent;
    size_t persistents;
    struct map comms;  /* handle: number of a communicator, of this rank */
    struct map splits; /* number: how many were made from it, by this rank */
    struct map types;  /* handle: bytes, of this rank */
    struct made *made; /* [number - COMM_FIRST] */
    uint32_t makes;
};

/* ---- complaints ---- */

static weft_status refuse(const struct dumpi *d, uint64_t line, const char *what)
{
    return BAD_PLACE(("%s:%llu:1", d->w.path, (unsigned long long)line),
                     ("%s %s", d->call[0] ? d->call : "the line", what),
                     ("use what dumpi2ascii has written"));
}

/* ---- arguments ---- */

static void add_number(struct dumpi *d, int64_t value)
{
    if (d->numbers == d->number_room) {
        d->number_room = d->number_room ? 2 * d->number_room : 64;
        d->number = memory_grow(d->number, d->number_room, sizeof(*d->number));
    }
    d->number[d->numbers++] = value;
}

/* "[1, 2, 3]", from a word on; what is none has no numbers. */
static void read_array(struct dumpi *d, struct argument *a, const char *text, uint32_t word)
{
    const struct trace_words *w = &d->w;
    a->first = d->numbers;
    for (;;) {
        char *end;
        text += *text == '[';
        long long value = strtoll(text, &end, 10);
        if (end == text)
            break;
        add_number(d, value);
        if (*end != ',' || ++word >= w->count)
            break;
        text = w->word[word];
    }
    a->count = d->numbers - a->first;
    a->value = a->count ? d->number[a->first] : 0;
}

/* "int count=1", "MPI_Comm comm=2 (MPI_COMM_WORLD)", "int counts[2]=[1, 2]" */
static void read_argument(struct dumpi *d)
{
    const struct trace_words *w = &d->w;
    const char *text = w->count > 1 ? w->word[1] : "", *equals = strchr(text, '=');
    if (!equals || d->arguments == ARGUMENTS_MOST)
        return;
    struct argument *a = &d->argument[d->arguments++];
    *a = (struct argument){.line = w->line, .word = 1};
    snprintf(a->name, NAME, "%.*s", (int)strcspn(text, "=["), text);
    if (equals[1] == '[')
        read_array(d, a, equals + 1, 1);
    else
        a->value = strtoll(equals + 1, NULL, 10);
    if (w->count > 2 && w->word[2][0] == '(')
        snprintf(a->meaning, NAME, "%.*s", (int)strcspn(w->word[2] + 1, ")"), w->word[2] + 1);
}

static const struct argument *find(const struct dumpi *d, const char *name)
{
    for (unsigned i = 0; i < d->arguments; i++)
        if (strcmp(d->argument[i].name, name) == 0)
            return &d->argument[i];
    return NULL;
}

static weft_status take(const struct dumpi *d, const char *name, int64_t least, int64_t most,
                        int64_t *value)
{
    const struct argument *a = find(d, name);
    if (a && a->value >= least && a->value <= most) {
        *value = a->value;
        return WEFT_OK;
    }
    char text[96];
    snprintf(text, sizeof(text), a ? "has %s = %lld" : "has no %s", name,
             a ? (long long)a->value : 0LL);
    return refuse(d, a ? a->line : d->call_line, text);
}

/* "MPI_INT": int */
static void small(const char *meaning, char name[NAME])
{
    size_t skip = strncmp(meaning, "MPI_", 4) == 0 ? 4 : 0;
    snprintf(name, NAME, "%s", meaning + skip);
    for (char *c = name; *c; c++)
        *c = (char)tolower((unsigned char)*c);
}

/* Bytes of a type; *number: of a basic one, in the standard ABI. */
static weft_status take_type(const struct dumpi *d, const char *name, uint64_t *bytes,
                             uint16_t *number)
{
    char text[NAME];
    const struct argument *a = find(d, name);
    *bytes = 1;
    *number = 0;
    if (!a)
        return refuse(d, d->call_line, "has no datatype");
    const uint32_t *own = map_find(&d->types, (uint64_t)a->value);
    small(a->meaning, text);
    const struct type_name *t = type_by_name(text);
    if (own)
        *bytes = *own;
    else if (t)
        *bytes = t->bytes, *number = t->number;
    else if (strcmp(text, "lb") && strcmp(text, "ub") && strcmp(text, "datatype_null"))
        return refuse(d, a->line, "has a datatype of unknown size");
    return WEFT_OK;
}

static weft_status take_size(const struct dumpi *d, const char *count, const char *type,
                             uint64_t *bytes, uint16_t *number)
{
    int64_t n = 0;
    uint64_t each = 1;
    weft_status status = take(d, count, 0, INT32_MAX, &n);
    if (status == WEFT_OK)
        status = take_type(d, type, &each, number);
    *bytes = (uint64_t)n * each;
    return status == WEFT_OK && *bytes > INT32_MAX
               ? refuse(d, d->call_line, "has more than 2147483647 bytes")
               : status;
}

static weft_status take_comm(struct dumpi *d, const char *name, uint32_t *comm)
{
    const struct argument *a = find(d, name);
    const uint32_t *known = a ? map_find(&d->comms, (uint64_t)a->value) : NULL;
    if (a && strcmp(a->meaning, "MPI_COMM_WORLD") == 0)
        *comm = COMM_WORLD;
    else if (a && strcmp(a->meaning, "MPI_COMM_SELF") == 0)
        *comm = COMM_SELF;
    else if (known)
        *comm = *known;
    else
        return refuse(d, a ? a->line : d->call_line, "has a communicator that was not made before");
    return WEFT_OK;
}

/* ---- messages ---- */

/* *nobody: it is MPI_PROC_NULL, which is below all others. */
static weft_status take_message(struct dumpi *d, bool receives, const char *count, const char *type,
                                const char *peer, const char *tag, struct record *e, bool *nobody)
{
    int64_t who = 0, which = 0;
    uint16_t number;
    const struct argument *t = find(d, tag);
    *e = (struct record){.kind = receives ? RECORD_RECEIVE : RECORD_SEND};
    weft_status status = take_size(d, count, type, &e->bytes, &number);
    if (status == WEFT_OK)
        status = take_comm(d, "comm", &e->comm);
    if (status == WEFT_OK)
        status = take(d, peer, INT32_MIN, INT32_MAX, &who);
    *nobody = who < -1 || (who == -1 && !receives);
    if (status == WEFT_OK && !*nobody && who >= (int64_t)d->ranks)
        status = refuse(d, find(d, peer)->line, "names a rank that does not exist");
    bool any = receives && t && t->value == -1;
    if (status == WEFT_OK && !any && !*nobody)
        status = take(d, tag, 0, INT32_MAX, &which);
    e->peer = (int32_t)who;
    e->tag = any ? TAG_ANY : (uint32_t)which;
    e->flags = e->comm >= COMM_FIRST ? RECORD_LOCAL : 0;
    return status;
}

static void put(struct dumpi *d, const struct record *e)
{
    recording_put(d->to, d->me, e);
}

static bool is_receive(const char *call)
{
    return strstr(call, "recv") || strstr(call, "Recv");
}

static enum record_mode mode_of(const char *call)
{
    const char *letter = call + strlen("MPI_") + (call[4] == 'I');
    return strchr("bB", *letter)                                                  ? MODE_BUFFERED
           : strncmp(letter, "ssend", 5) == 0 || strncmp(letter, "Ssend", 5) == 0 ? MODE_SYNCHRONOUS
           : strchr("rR", *letter) && !is_receive(call)                           ? MODE_READY
                                                                                  : MODE_STANDARD;
}

static void start(struct dumpi *d, struct record *e, int64_t handle)
{
    e->kind = e->kind == RECORD_RECEIVE || e->kind == RECORD_START_RECEIVE ? RECORD_START_RECEIVE
                                                                           : RECORD_START_SEND;
    e->slot = requests_add(&d->requests, (uint64_t)handle, 0);
    put(d, e);
}

static weft_status do_message(struct dumpi *d)
{
    struct record e;
    bool nobody, receives = is_receive(d->call);
    size_t length = strlen(d->call);
    bool again = length > 5 && strcmp(d->call + length - 5, "_init") == 0;
    int64_t handle = 0;
    weft_status status = take_message(d, receives, "count", "datatype",
                                      receives ? "source" : "dest", "tag", &e, &nobody);
    if (status == WEFT_OK && (d->call[4] == 'I' || again))
        status = take(d, "request", 0, INT32_MAX, &handle);
    if (status != WEFT_OK || nobody)
        return status;
    e.mode = (uint8_t)mode_of(d->call);
    if (again) {
        d->persistent = memory_grow(d->persistent, d->persistents + 1, sizeof(*d->persistent));
        d->persistent[d->persistents++] = (struct persistent){handle, e};
    } else if (d->call[4] == 'I') {
        start(d, &e, handle);
    } else {
        put(d, &e);
    }
    return WEFT_OK;
}

static void start_again(struct dumpi *d, int64_t handle, bool more)
{
    for (size_t i = d->persistents; i-- > 0;)
        if (d->persistent[i].handle == handle) {
            struct record e = d->persistent[i].record;
            e.flags |= more ? RECORD_MORE : 0;
            start(d, &e, handle);
            return;
        }
}

static weft_status do_start(struct dumpi *d)
{
    const struct argument *a = find(d, "requests");
    a = a ? a : find(d, "request");
    for (size_t i = 0; a && i < a->count; i++)
        start_again(d, d->number[a->first + i], i > 0);
    return WEFT_OK;
}

static void wait_for(struct dumpi *d, const int64_t *handle, size_t count)
{
    uint64_t *list = memory_alloc(count + 1, sizeof(*list));
    struct record e = {.kind = RECORD_WAIT, .list = list};
    for (size_t i = 0; i < count; i++) {
        uint64_t key = (uint64_t)handle[i];
        struct trace_request *q = requests_find(&d->requests, key, key, 0);
        if (!q)
            continue; /* it was over, or with nobody */
        list[e.listed++] = q->slot;
        requests_end(&d->requests, q);
    }
    if (e.listed)
        put(d, &e);
    free(list);
}

static weft_status do_exchange(struct dumpi *d)
{
    bool replaces = strstr(d->call, "replace"), none[2];
    struct record in, out;
    int64_t handles[2] = {-2, -3};
    weft_status status =
        take_message(d, true, replaces ? "count" : "recvcount", replaces ? "datatype" : "recvtype",
                     "source", "recvtag", &in, &none[0]);
    if (status == WEFT_OK)
        status =
            take_message(d, false, replaces ? "count" : "sendcount",
                         replaces ? "datatype" : "sendtype", "dest", "sendtag", &out, &none[1]);
    if (status != WEFT_OK)
        return status;
    if (!none[0])
        start(d, &in, handles[0]);
    out.flags |= none[0] ? 0 : RECORD_MORE;
    if (!none[1])
        start(d, &out, handles[1]);
    wait_for(d, handles, 2);
    return WEFT_OK;
}

/* Wait, Waitall, Waitany, Waitsome and tests that have found something. */
static weft_status do_wait(struct dumpi *d)
{
    const struct argument *a = find(d, "requests"), *flag = find(d, "flag");
    const struct argument *index = find(d, "index"), *indices = find(d, "indices");
    a = a ? a : find(d, "request");
    if (!a || (flag && !flag->value))
        return WEFT_OK;
    if (index && index->value >= 0 && (uint64_t)index->value < a->count)
        wait_for(d, &d->number[a->first + (size_t)index->value], 1);
    for (size_t i = 0; indices && i < indices->count; i++) {
        int64_t at = d->number[indices->first + i];
        if (at >= 0 && (uint64_t)at < a->count)
            wait_for(d, &d->number[a->first + (size_t)at], 1);
    }
    if (!index && !indices && a->count)
        wait_for(d, &d->number[a->first], a->count);
    return WEFT_OK;
}

/* ---- collective operations ---- */

static const struct {
    const char *call;
    enum record_operation operation;
} operations[] = {
    {"MPI_Barrier", OPERATION_BARRIER},
    {"MPI_Bcast", OPERATION_BCAST},
    {"MPI_Gather", OPERATION_GATHER},
    {"MPI_Gatherv", OPERATION_GATHERV},
    {"MPI_Scatter", OPERATION_SCATTER},
    {"MPI_Scatterv", OPERATION_SCATTERV},
    {"MPI_Allgather", OPERATION_ALLGATHER},
    {"MPI_Allgatherv", OPERATION_ALLGATHERV},
    {"MPI_Alltoall", OPERATION_ALLTOALL},
    {"MPI_Alltoallv", OPERATION_ALLTOALLV},
    {"MPI_Reduce", OPERATION_REDUCE},
    {"MPI_Allreduce", OPERATION_ALLREDUCE},
    {"MPI_Reduce_scatter", OPERATION_REDUCE_SCATTER},
    {"MPI_Scan", OPERATION_SCAN},
    {"MPI_Exscan", OPERATION_EXSCAN},
};

static weft_status take_sizes(struct dumpi *d, struct record *e, const char *name, const char *type,
                              uint32_t members)
{
    const struct argument *a = find(d, name);
    uint64_t each = 1, sum = 0;
    uint16_t number;
    weft_status status = take_type(d, type, &each, &number);
    e->list = memory_grow(e->list, e->listed + members + 1, sizeof(*e->list));
    for (uint32_t i = 0; i < members; i++) {
        int64_t count = a && i < a->count ? d->number[a->first + i] : 0;
        uint64_t bytes = count > 0 && count <= INT32_MAX ? (uint64_t)count * each : 0;
        e->list[e->listed++] = bytes;
        sum += bytes;
    }
    return status == WEFT_OK && sum > INT32_MAX
               ? refuse(d, d->call_line, "has more than 2147483647 bytes")
               : status;
}

/* What is combined, by the names of the operation and of a basic type. */
static weft_status take_combining(struct dumpi *d, struct record *e)
{
    char text[NAME];
    uint64_t bytes;
    const struct argument *op = find(d, "op");
    weft_status status = take_type(d, "datatype", &bytes, &e->type);
    small(op ? op->meaning : "", text);
    e->op = (uint8_t)op_by_name(text);
    if (!e->op)
        e->op = RECORD_OP_OWN;
    if (!e->type) { /* elements of the program's own */
        e->type = type_by_name("byte")->number;
        e->element = bytes > 1 && bytes <= UINT16_MAX ? (uint16_t)bytes : 0;
        e->op = RECORD_OP_OWN;
    }
    return status;
}

/* Members of a communicator that was made: as the call says, since others are not read yet. */
static uint32_t members_of(const struct dumpi *d, uint32_t comm)
{
    const struct argument *size = find(d, "commsize");
    if (comm == COMM_SELF)
        return 1;
    if (comm == COMM_WORLD)
        return d->ranks;
    return size && size->value > 0 && size->value <= d->ranks ? (uint32_t)size->value : 1;
}

static bool is_first_pair(enum record_operation o)
{
    return o == OPERATION_GATHER || o == OPERATION_SCATTER || o == OPERATION_ALLGATHER ||
           o == OPERATION_ALLTOALL;
}

static weft_status fill_operation(struct dumpi *d, struct record *e)
{
    enum record_operation o = (enum record_operation)e->operation;
    uint32_t members = members_of(d, e->comm);
    uint16_t number;
    int64_t root = 0;
    bool reduces = o >= OPERATION_REDUCE;
    weft_status status =
        find(d, "root") ? take(d, "root", 0, members_of(d, COMM_WORLD) - 1, &root) : WEFT_OK;
    e->peer = (int32_t)root;
    if (status == WEFT_OK && (o == OPERATION_BCAST || (reduces && o != OPERATION_REDUCE_SCATTER)))
        status = take_size(d, "count", "datatype", &e->bytes, &number);
    if (status == WEFT_OK && reduces)
        status = take_combining(d, e);
    if (status == WEFT_OK && is_first_pair(o))
        status = take_size(d, "sendcount", "sendtype", &e->bytes, &number);
    if (status == WEFT_OK && is_first_pair(o))
        status = take_size(d, "recvcount", "recvtype", &e->other, &number);
    if (status == WEFT_OK && (o == OPERATION_GATHERV || o == OPERATION_ALLGATHERV))
        status = take_size(d, "sendcount", "sendtype", &e->bytes, &number);
    if (status == WEFT_OK && o == OPERATION_SCATTERV)
        status = take_size(d, "recvcount", "recvtype", &e->bytes, &number);
    if (status == WEFT_OK && (o == OPERATION_SCATTERV || o == OPERATION_ALLTOALLV))
        status = take_sizes(d, e, "sendcounts", "sendtype", members);
    if (status == WEFT_OK &&
        (o == OPERATION_GATHERV || o == OPERATION_ALLGATHERV || o == OPERATION_ALLTOALLV))
        status = take_sizes(d, e, "recvcounts", "recvtype", members);
    if (status == WEFT_OK && o == OPERATION_REDUCE_SCATTER)
        status = take_sizes(d, e, "recvcounts", "datatype", members);
    return status;
}

static weft_status do_operation(struct dumpi *d, enum record_operation o)
{
    struct record e = {.kind = RECORD_OPERATION, .operation = (uint8_t)o};
    weft_status status = take_comm(d, "comm", &e.comm);
    if (status == WEFT_OK)
        status = fill_operation(d, &e);
    if (status == WEFT_OK)
        put(d, &e);
    free(e.list);
    return status;
}

/* ---- communicators ---- */

static uint32_t number_of(struct dumpi *d, const struct origin *o)
{
    for (uint32_t i = d->makes; i-- > 0;)
        if (d->made[i].origin.parent == o->parent && d->made[i].origin.nth == o->nth &&
            d->made[i].origin.colour == o->colour)
            return i;
    d->made = memory_grow(d->made, d->makes + 1, sizeof(*d->made));
    d->made[d->makes] = (struct made){.origin = *o};
    return d->makes++;
}

static void join(struct dumpi *d, uint32_t index, int64_t key)
{
    struct made *m = &d->made[index];
    if (m->members == m->room) {
        m->room = m->room ? 2 * m->room : 8;
        m->member = memory_grow(m->member, m->room, sizeof(*m->member));
    }
    m->member[m->members++] = (struct member){.key = key, .rank = d->me};
}

/* All members of the old one tell each other where they belong. */
static weft_status do_comm(struct dumpi *d)
{
    const struct argument *made = find(d, "newcomm"), *colour = find(d, "color");
    const struct argument *key = find(d, "key");
    uint32_t parent;
    weft_status status = take_comm(d, find(d, "oldcomm") ? "oldcomm" : "comm", &parent);
    if (status != WEFT_OK)
        return status;
    struct record e = {.kind = RECORD_OPERATION,
                       .operation = OPERATION_ALLGATHER,
                       .comm = parent,
                       .bytes = 8,
                       .other = 8};
    put(d, &e);
    uint32_t nth = (*map_add(&d->splits, parent, 0))++;
    if (!made || strcmp(made->meaning, "MPI_COMM_NULL") == 0)
        return WEFT_OK;
    struct origin o = {parent, nth, colour ? colour->value : 0};
    uint32_t index = number_of(d, &o);
    join(d, index, key ? key->value : 0);
    *map_add(&d->comms, (uint64_t)made->value, 0) = COMM_FIRST + index;
    e = (struct record){.kind = RECORD_COMM, .comm = COMM_FIRST + index, .flags = RECORD_MORE};
    put(d, &e);
    return WEFT_OK;
}

/* ---- datatypes ---- */

static weft_status do_type(struct dumpi *d)
{
    const struct argument *made = find(d, "newtype"), *count = find(d, "count");
    const struct argument *length = find(d, "blocklength"), *lengths = find(d, "lengths");
    uint64_t each = 0, blocks = count && count->value > 0 ? (uint64_t)count->value : 1;
    uint16_t number;
    lengths = lengths ? lengths : find(d, "blocklengths");
    if (!made || !find(d, "oldtype") || take_type(d, "oldtype", &each, &number) != WEFT_OK)
        return WEFT_OK; /* who uses it is told */
    if (length)
        blocks *= length->value > 0 ? (uint64_t)length->value : 0;
    if (lengths) {
        blocks = 0;
        for (size_t i = 0; i < lengths->count; i++)
            blocks += (uint64_t)(d->number[lengths->first + i] & INT32_MAX);
    }
    uint64_t bytes = blocks <= INT32_MAX ? blocks * each : UINT64_MAX;
    if (bytes <= INT32_MAX)
        *map_add(&d->types, (uint64_t)made->value, 0) = (uint32_t)bytes;
    return WEFT_OK;
}

/* ---- calls ---- */

static bool starts(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

static bool is_one_of(const char *call, const char *list)
{
    return text_has_word(list, call);
}

static weft_status do_call(struct dumpi *d)
{
    const char *call = d->call;
    for (unsigned i = 0; i < sizeof(operations) / sizeof(operations[0]); i++)
        if (strcmp(call, operations[i].call) == 0)
            return do_operation(d, operations[i].operation);
    if (is_one_of(call, "MPI_Send MPI_Bsend MPI_Ssend MPI_Rsend MPI_Recv MPI_Isend MPI_Ibsend "
                        "MPI_Issend MPI_Irsend MPI_Irecv MPI_Send_init MPI_Bsend_init "
                        "MPI_Ssend_init MPI_Rsend_init MPI_Recv_init"))
        return do_message(d);
    if (is_one_of(call, "MPI_Sendrecv MPI_Sendrecv_replace"))
        return do_exchange(d);
    if (is_one_of(call, "MPI_Wait MPI_Waitall MPI_Waitany MPI_Waitsome MPI_Test MPI_Testall "
                        "MPI_Testany MPI_Testsome"))
        return do_wait(d);
    if (is_one_of(call, "MPI_Start MPI_Startall"))
        return do_start(d);
    if (is_one_of(call, "MPI_Comm_split MPI_Comm_dup MPI_Comm_create"))
        return do_comm(d);
    return starts(call, "MPI_Type_") ? do_type(d) : WEFT_OK;
}

/* "12.000000300," */
static weft_status take_time(const struct dumpi *d, double *seconds)
{
    char text[NAME];
    const struct trace_words *w = &d->w;
    snprintf(text, sizeof(text), "%.*s", (int)strcspn(w->count > 4 ? w->word[4] : "", ","),
             w->count > 4 ? w->word[4] : "");
    if (number_real(text, seconds) && *seconds >= 0)
        return WEFT_OK;
    return refuse(d, w->line, "has no wall time");
}

static weft_status enter(struct dumpi *d)
{
    double now;
    weft_status status = take_time(d, &now);
    if (status != WEFT_OK)
        return status;
    if (d->inside)
        return refuse(d, d->w.line, "has not returned before the next call");
    if (d->begun && now > d->left)
        put(d, &(struct record){.kind = RECORD_SLEEP, .amount = now - d->left});
    snprintf(d->call, NAME, "%s", d->w.word[0]);
    d->call_line = d->w.line;
    d->inside = true;
    d->arguments = 0;
    d->numbers = 0;
    return WEFT_OK;
}

static weft_status leave(struct dumpi *d)
{
    weft_status status = take_time(d, &d->left);
    if (status != WEFT_OK)
        return status;
    if (!d->inside || strcmp(d->call, d->w.word[0]) != 0)
        return refuse(d, d->w.line, "has not been entered");
    d->inside = false;
    d->begun = d->begun || starts(d->call, "MPI_Init");
    status = do_call(d);
    if (strcmp(d->call, "MPI_Finalize") == 0)
        d->begun = false;
    d->call[0] = '\0';
    return status;
}

static weft_status read_line(struct dumpi *d)
{
    const struct trace_words *w = &d->w;
    bool call = w->count > 3 && starts(w->word[0], "MPI") && strcmp(w->word[2], "at") == 0;
    if (call && strcmp(w->word[1], "entering") == 0)
        return enter(d);
    if (call && strcmp(w->word[1], "returning") == 0)
        return leave(d);
    if (d->inside)
        read_argument(d);
    return WEFT_OK;
}

/* ---- files ---- */

bool dumpi_is_meta(const char *path)
{
    struct trace_words w;
    bool is = false;
    if (words_open(&w, path, "a trace") != WEFT_OK)
        return false;
    if (words_next(&w) == WEFT_OK && w.count) {
        const char *equals = strchr(w.word[0], '=');
        size_t letters = strspn(w.word[0], "abcdefghijklmnopqrstuvwxyz");
        is = equals && letters && equals == w.word[0] + letters;
    }
    words_close(&w);
    return is;
}

struct meta {
    uint32_t ranks;
    char prefix[PATH];
};

static weft_status read_meta(const char *path, struct meta *m)
{
    struct trace_words w;
    weft_status status = words_open(&w, path, "a trace");
    if (status != WEFT_OK)
        return status;
    *m = (struct meta){.ranks = 0};
    while ((status = words_next(&w)) == WEFT_OK && w.count) {
        int64_t value;
        if (starts(w.word[0], "numprocs=") && number_integer(strchr(w.word[0], '=') + 1, &value) &&
            value > 0 && value <= RANKS_MOST)
            m->ranks = (uint32_t)value;
        if (starts(w.word[0], "fileprefix="))
            snprintf(m->prefix, PATH, "%s", strchr(w.word[0], '=') + 1);
    }
    words_close(&w);
    if (status == WEFT_OK && (!m->ranks || !m->prefix[0]))
        status = BAD_PLACE(("%s", path), ("it has no numprocs or no fileprefix"),
                           ("name the .meta file of a DUMPI trace"));
    return status;
}

/* The text of a rank lies beside the .meta file: PREFIX-0003.txt. */
static weft_status text_path(const char *meta, const struct meta *m, uint32_t rank, char path[PATH])
{
    const char *slash = strrchr(meta, '/'), *name = strrchr(m->prefix, '/');
    int length = snprintf(path, PATH, "%.*s%s-%04u.txt", slash ? (int)(slash - meta) + 1 : 0, meta,
                          name ? name + 1 : m->prefix, rank);
    if (length < PATH && access(path, R_OK) == 0)
        return WEFT_OK;
    return BAD_PLACE(("%s", meta), ("there is no file %.300s of rank %u", path, rank),
                     ("make it with dumpi2ascii from the .bin file"));
}

static void forget_rank(struct dumpi *d)
{
    requests_drop(&d->requests);
    free(d->persistent);
    d->persistent = NULL;
    d->persistents = 0;
    map_fini(&d->comms);
    map_fini(&d->splits);
    map_fini(&d->types);
    d->comms = d->splits = d->types = (struct map){.entry = NULL};
    d->inside = d->begun = false;
    d->call[0] = '\0';
}

static weft_status read_rank(struct dumpi *d, const char *path)
{
    weft_status status = words_open(&d->w, path, "the text of a rank");
    if (status != WEFT_OK)
        return status;
    while ((status = words_next(&d->w)) == WEFT_OK && d->w.count) {
        attempt_poll();
        status = read_line(d);
        if (status != WEFT_OK)
            break;
    }
    if (status == WEFT_OK && d->inside)
        status = refuse(d, d->call_line, "does not return");
    words_close(&d->w);
    forget_rank(d);
    return status;
}

/* By key, then by their order in the communicator that they come from, which is that of ranks. */
static int by_key(const void *a, const void *b)
{
    const struct member *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return x->place < y->place ? -1 : x->place > y->place;
}

/* The members of a communicator; those that it comes from are known by now. */
static void settle(struct dumpi *d, uint32_t index)
{
    struct made *m = &d->made[index];
    struct recording_side *s = &d->to->comm[index].side[0];
    const struct recording_side *old =
        m->origin.parent >= COMM_FIRST ? &d->to->comm[m->origin.parent - COMM_FIRST].side[0] : NULL;
    struct map place = {.entry = NULL};
    for (uint32_t i = 0; old && i < old->members; i++)
        *map_add(&place, old->member[i], 0) = i;
    for (uint32_t i = 0; i < m->members; i++) {
        const uint32_t *at = old ? map_find(&place, m->member[i].rank) : NULL;
        m->member[i].place = at ? *at : m->member[i].rank;
    }
    qsort(m->member, m->members, sizeof(*m->member), by_key);
    s->member = memory_alloc(m->members + 1, sizeof(*s->member));
    s->members = m->members;
    for (uint32_t i = 0; i < m->members; i++)
        s->member[i] = m->member[i].rank;
    map_fini(&place);
}

static void settle_all(struct dumpi *d)
{
    d->to->comm = memory_alloc(d->makes + 1, sizeof(*d->to->comm));
    d->to->comms = d->to->comm_room = d->makes;
    for (uint32_t i = 0; i < d->makes; i++)
        settle(d, i);
}

weft_status dumpi_read(const char *path, struct recording **recording)
{
    struct dumpi d = {.me = 0};
    struct meta m;
    char file[PATH];
    weft_status status = read_meta(path, &m);
    /* One that is missing is told before others are read. */
    for (uint32_t i = 0; i < m.ranks && status == WEFT_OK; i++)
        status = text_path(path, &m, i, file);
    if (status == WEFT_OK)
        status = recording_create(&d.to);
    if (status != WEFT_OK)
        return status;
    d.to->ranks = d.ranks = m.ranks;
    for (d.me = 0; d.me < m.ranks && status == WEFT_OK; d.me++) {
        status = text_path(path, &m, d.me, file);
        if (status == WEFT_OK)
            status = read_rank(&d, file);
    }
    if (status == WEFT_OK)
        settle_all(&d);
    if (status == WEFT_OK)
        status = spool_seal(d.to->spool);
    for (uint32_t i = 0; i < d.makes; i++)
        free(d.made[i].member);
    free(d.made);
    free(d.number);
    if (status != WEFT_OK)
        recording_destroy(d.to);
    else
        *recording = d.to;
    return status;
}

uint64_t dumpi_hash(const char *path)
{
    struct meta m;
    char file[PATH];
    uint64_t hash = input_hash(path);
    if (read_meta(path, &m) != WEFT_OK)
        return hash;
    for (uint32_t i = 0; i < m.ranks && text_path(path, &m, i, file) == WEFT_OK; i++) {
        uint64_t more = input_hash(file);
        hash = text_hash(hash, &more, sizeof(more));
    }
    return hash;
}
