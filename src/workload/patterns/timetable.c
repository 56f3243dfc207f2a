/* Lines, batches, and where nodes are in them. */
#include "workload/patterns/patterns.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/status.h"
#include "base/file/input.h"
#include "base/list.h"
#include "base/memory.h"
#include "base/text/number.h"
#include "config/keys.h"
#include "workload/names.h"

#define FORM "write lines of a time, a sender, a receiver and bytes"

enum { TIME_WORD = 64, BATCH_LEAST = 4096, POLL_EVERY = 1 << 16 };

/* A line. */
struct item {
    cycle_t time;
    uint32_t from, to; /* nodes, or processes */
    uint64_t bytes;
};

/* What somebody has to do for it. */
struct timetable_entry {
    cycle_t time;
    uint32_t peer;
    uint32_t bytes;
    bool receives; /* a process only */
};

/* Lines that follow each other, by node and time. */
struct batch {
    cycle_t next;     /* the time at which the next one begins; CYCLE_NEVER: it is the last */
    uint32_t holders; /* nodes that have not gone on */
    uint32_t *first;  /* [node]: its lines are those from here up to the next one's first */
    struct timetable_entry *entry;
};

/* Where a node is: a line of a batch, and a packet of that line. */
struct position {
    uint32_t batch, line, piece, number;
    struct batch *at; /* that batch; NULL: to be looked for */
};

struct timetable {
    const struct workload *workload;
    struct timetable_sums sums;
    uint32_t nodes;            /* have numbers below this, */
    struct position *position; /* [node] */
    uint32_t asking;           /* and so many may ask */

    pthread_mutex_t lock; /* of all that follows */
    struct stream stream;
    struct item ahead;  /* the line that the next batch begins with, */
    bool more;          /* if there is one */
    weft_status status; /* of reading it */
    struct batch **batch;
    uint32_t batches, room; /* that have been read; */
    uint32_t kept;          /* those before are no more */
};

/* ---- lines ---- */

/* "1200", "1.5us" */
static weft_status read_time(struct lines *l, const struct site *site, cycle_t *time)
{
    char word[TIME_WORD];
    uint32_t column = lines_column(l, l->at);
    double cycles, seconds;
    TRY(lines_word(l, "time", word, sizeof(word)));
    if (!number_real(word, &cycles)) {
        if (!unit_seconds(word, &seconds))
            return LINES_REFUSE(l, l->line, column, ("'%s' is not a time", word),
                                ("use cycles, or a unit as in 1.5us"));
        cycles = seconds * site->cycles_per_second;
    }
    if (cycles < 0 || cycles > KEY_CYCLE_TOP)
        return LINES_REFUSE(l, l->line, column, ("'%s' is out of range", word),
                            ("use 0 to %.0e cycles", KEY_CYCLE_TOP));
    *time = (cycle_t)(cycles + 0.5);
    return WEFT_OK;
}

static weft_status read_bytes(struct lines *l, uint64_t *bytes)
{
    char word[TIME_WORD], number[UNIT_NUMBER];
    uint32_t column = lines_column(l, l->at);
    int64_t whole;
    double real, factor;
    TRY(lines_word(l, "number of bytes", word, sizeof(word)));
    if (!number_integer(word, &whole)) {
        whole = -1;
        if (unit_split(word, "B", number, &factor) && number_real(number, &real) &&
            real * factor <= UINT32_MAX)
            whole = (int64_t)(real * factor + 0.5);
    }
    if (whole < 0 || whole > UINT32_MAX)
        return LINES_REFUSE(l, l->line, column, ("'%s' is not a number of bytes", word),
                            ("use 0 to %u, or a unit as in 2KiB", UINT32_MAX));
    *bytes = (uint64_t)whole;
    return WEFT_OK;
}

/* A process by its number, or by the coordinates of its node. */
static bool find_process(const struct workload *w, const char *name, uint32_t *process)
{
    char wrong[NODE_WRONG];
    int64_t number;
    uint32_t node;
    if (number_integer(name, &number)) {
        *process = (uint32_t)number;
        return number >= 0 && number < w->processes;
    }
    if (!site_node_named(w->site, name, &node, wrong))
        return false;
    *process = w->mapping.rank[(size_t)node * w->per_node];
    return *process != MAPPING_NONE;
}

static weft_status read_process(struct lines *l, const struct workload *w, uint32_t *process)
{
    char name[NODE_NAME];
    uint32_t column = lines_column(l, l->at);
    weft_status status = lines_word(l, "process", name, sizeof(name));
    if (status != WEFT_OK || find_process(w, name, process))
        return status;
    return LINES_REFUSE(l, l->line, column, ("'%.60s' is not a process", name),
                        ("use a number below %u%s", w->processes,
                         w->site->torus ? ", or the coordinates of a node that has one" : ""));
}

static weft_status read_who(struct lines *l, const struct workload *w, uint32_t *who)
{
    return w->as == LAYER_MESSAGES ? read_process(l, w, who) : lines_node(l, w->site, who);
}

static weft_status read_line(struct lines *l, const struct workload *w, struct item *item)
{
    TRY(read_time(l, w->site, &item->time));
    TRY(read_who(l, w, &item->from));
    TRY(read_who(l, w, &item->to));
    TRY(read_bytes(l, &item->bytes));
    if (!lines_end(l))
        return LINES_REFUSE(l, l->line, lines_column(l, l->at), ("more than four words"), (FORM));
    if (item->from == item->to)
        return LINES_REFUSE(l, l->line, 1, ("nobody sends to itself"), ("leave the line out"));
    return WEFT_OK;
}

static bool has_messages(const struct timetable *t)
{
    return t->workload->as == LAYER_MESSAGES;
}

/* Whether somebody with a number can be asked for. */
static bool may_ask(const struct timetable *t, uint32_t node)
{
    return has_messages(t) || site_find_endpoint(t->workload->site, node) != NOBODY;
}

/* Steps of a line: its packets; or one, if it is a message. */
static uint64_t packets_of(const struct timetable *t, uint64_t bytes)
{
    return has_messages(t) ? 1 : workload_message_packets(t->workload, bytes);
}

/* ---- the first time through ---- */

static weft_status check_item(const struct timetable *t, const struct lines *l,
                              const struct item *item, uint32_t *sent)
{
    uint64_t packets = packets_of(t, item->bytes);
    if (item->time < t->sums.last)
        return LINES_REFUSE(l, l->line, 1,
                            ("its time, %llu, is before that of the line before, %llu",
                             (unsigned long long)item->time, (unsigned long long)t->sums.last),
                            ("sort the lines by time"));
    if (packets + sent[item->from] > INT32_MAX)
        return LINES_REFUSE(l, l->line, 1, ("one would send over 2 billion packets"),
                            ("use fewer"));
    return WEFT_OK;
}

static weft_status check_file(struct timetable *t)
{
    uint32_t *sent = memory_alloc(t->nodes, sizeof(*sent));
    struct stream s = {.file = NULL};
    weft_status status = input_lasts(t->workload->params.file, "traffic file");
    if (status == WEFT_OK)
        status = stream_open(&s, t->workload->params.file, "traffic file", FORM);
    struct timetable_sums *sums = &t->sums;
    if (status != WEFT_OK)
        error_keys("workload.file");
    while (status == WEFT_OK && stream_line(&s, &status)) {
        struct item item;
        status = read_line(&s.lines, t->workload, &item);
        if (status == WEFT_OK)
            status = check_item(t, &s.lines, &item, sent);
        if (status != WEFT_OK)
            break;
        sums->senders += !sent[item.from];
        sent[item.from] += (uint32_t)packets_of(t, item.bytes);
        sums->packets += packets_of(t, item.bytes);
        sums->bytes += item.bytes;
        sums->last = item.time;
        if (++sums->lines % POLL_EVERY == 0)
            protected_call_poll();
    }
    stream_close(&s);
    free(sent);
    if (status == WEFT_OK && !sums->lines)
        return BAD_PLACE(("%s", t->workload->params.file), ("it has no lines"), (FORM));
    return status;
}

/* ---- batches ---- */

/* The next line. The file was right when it was read first; if it has changed since, it ends. */
static void read_ahead(struct timetable *t)
{
    cycle_t before = t->ahead.time;
    t->more = stream_line(&t->stream, &t->status);
    if (t->more)
        t->status = read_line(&t->stream.lines, t->workload, &t->ahead);
    if (t->status == WEFT_OK && t->more && t->ahead.time < before)
        t->status =
            RUN_FAILED(("%s has changed during the run", t->workload->params.file), ("start over"));
    t->more = t->more && t->status == WEFT_OK;
}

/* A batch is at least so long, and all lines of one time are in one. */
static size_t batch_least(const struct timetable *t)
{
    return t->asking > BATCH_LEAST ? t->asking : BATCH_LEAST;
}

/* Sorts what lines ask for by who does it, in the lines' order. */
static struct batch *make_batch(const struct timetable *t, const struct item *item, uint32_t count)
{
    struct batch *b = memory_alloc(1, sizeof(*b));
    bool both = has_messages(t);
    b->first = memory_alloc((size_t)t->nodes + 2, sizeof(*b->first));
    b->entry = memory_alloc((size_t)count * (both ? 2 : 1), sizeof(*b->entry));
    for (uint32_t i = 0; i < count; i++) {
        b->first[item[i].from + 2]++;
        b->first[item[i].to + 2] += both;
    }
    for (uint32_t node = 0; node < t->nodes; node++)
        b->first[node + 2] += b->first[node + 1];
    for (uint32_t i = 0; i < count; i++) {
        const struct item *line = &item[i];
        struct timetable_entry entry = {line->time, line->to, (uint32_t)line->bytes, false};
        b->entry[b->first[line->from + 1]++] = entry;
        entry.peer = line->from;
        entry.receives = true;
        if (both)
            b->entry[b->first[line->to + 1]++] = entry;
    }
    b->next = t->more ? t->ahead.time : CYCLE_NEVER;
    return b;
}

static void free_batch(struct batch *b)
{
    if (!b)
        return;
    free(b->first);
    free(b->entry);
    free(b);
}

static void free_passed(struct timetable *t)
{
    while (t->kept < t->batches && !t->batch[t->kept]->holders) {
        free_batch(t->batch[t->kept]);
        t->batch[t->kept++] = NULL;
    }
}

/* Reads one more; there is one. */
static void read_batch(struct timetable *t)
{
    size_t room = batch_least(t), count = 0;
    struct item *item = memory_alloc(room, sizeof(*item));
    do {
        *LIST_ADD(item, count, room) = t->ahead;
        read_ahead(t);
    } while (t->more && count < UINT32_MAX / 4 &&
             (count < batch_least(t) || t->ahead.time == item[count - 1].time));
    struct batch *b = make_batch(t, item, (uint32_t)count);
    for (uint32_t node = 0; node < t->nodes; node++)
        b->holders += may_ask(t, node) && t->position[node].batch <= t->batches;
    *LIST_ADD(t->batch, t->batches, t->room) = b;
    free_passed(t);
    free(item);
}

/* ---- positions ---- */

/* Finds the batch that a position is in; false: there is none. */
static bool find_batch(struct timetable *t, struct position *p)
{
    if (p->at)
        return true;
    pthread_mutex_lock(&t->lock);
    while (t->batches <= p->batch && t->more)
        read_batch(t);
    p->at = p->batch < t->batches ? t->batch[p->batch] : NULL;
    bool failed = t->status != WEFT_OK;
    t->status = WEFT_OK; /* who finds out gives up, and so do all */
    pthread_mutex_unlock(&t->lock);
    if (failed)
        protected_call_abandon();
    return p->at != NULL;
}

/* Goes on to the next batch. */
static void leave_batch(struct timetable *t, struct position *p)
{
    pthread_mutex_lock(&t->lock);
    p->at->holders--;
    free_passed(t);
    pthread_mutex_unlock(&t->lock);
    *p = (struct position){.batch = p->batch + 1, .number = p->number};
}

static void next_packet(const struct timetable *t, const struct timetable_entry *entry,
                        struct position *p)
{
    p->number++;
    if (++p->piece >= packets_of(t, entry->bytes)) {
        p->line++;
        p->piece = 0;
    }
}

static void fill_entry(const struct timetable *t, const struct timetable_entry *entry,
                       uint32_t piece, struct step *step)
{
    step->timed = true;
    step->birth = entry->time;
    step->to = entry->receives ? NOBODY : entry->peer;
    if (!has_messages(t)) {
        step->bytes = workload_message_packet(t->workload, entry->bytes, piece);
        return;
    }
    step->from = entry->receives ? entry->peer : NOBODY;
    step->bytes = step->from_bytes = entry->bytes;
    step->sends_left = step->receives_left = ANY_NUMBER; /* it does not wait for what it began */
}

bool timetable_step(struct timetable *t, uint32_t node, uint32_t number, struct step *step)
{
    struct position *p = &t->position[node];
    while (find_batch(t, p)) {
        const struct batch *b = p->at; /* it has begun by now */
        uint32_t first = b->first[node], lines = b->first[node + 1] - first;
        const struct timetable_entry *entry = p->line < lines ? &b->entry[first + p->line] : NULL;
        if (entry && p->number == number) {
            fill_entry(t, entry, p->piece, step);
            return true;
        }
        if (entry) {
            next_packet(t, entry, p);
        } else if (step->now >= b->next) {
            leave_batch(t, p);
        } else { /* the next batch may have something for the node */
            step->timed = true;
            step->to = step->from = NOBODY;
            step->birth = b->next;
            return b->next != CYCLE_NEVER;
        }
    }
    return false;
}

/* ---- life cycle ---- */

static weft_status start_reading(struct timetable *t)
{
    TRY(stream_open(&t->stream, t->workload->params.file, "traffic file", FORM));
    read_ahead(t);
    return t->status;
}

weft_status timetable_open(const struct workload *w, struct timetable **table)
{
    struct timetable *t = *table = memory_alloc(1, sizeof(*t));
    t->workload = w;
    pthread_mutex_init(&t->lock, NULL);
    t->nodes = has_messages(t) ? w->processes : w->site->nodes;
    t->position = memory_alloc(t->nodes, sizeof(*t->position));
    for (uint32_t node = 0; node < t->nodes; node++)
        t->asking += may_ask(t, node);
    TRY(check_file(t));
    return start_reading(t);
}

const struct timetable_sums *timetable_sums(const struct timetable *t)
{
    return &t->sums;
}

static void forget_batches(struct timetable *t)
{
    for (uint32_t i = t->kept; i < t->batches; i++)
        free_batch(t->batch[i]);
    free(t->batch);
    t->batch = NULL;
    t->batches = t->room = t->kept = 0;
}

void timetable_free(struct timetable *t)
{
    if (!t)
        return;
    forget_batches(t);
    stream_close(&t->stream);
    pthread_mutex_destroy(&t->lock);
    free(t->position);
    free(t);
}

void timetable_archive(struct timetable *t, struct archive *a)
{
    for (uint32_t node = 0; node < t->nodes; node++) {
        struct position *p = &t->position[node];
        archive_bytes(a, p, offsetof(struct position, at));
        if (archive_has_read(a))
            p->at = NULL;
    }
    if (!archive_has_read(a))
        return;
    /* What it says is bounded by the file: a position that the file does not have is its end. */
    forget_batches(t);
    stream_close(&t->stream);
    t->ahead.time = 0;
    if (start_reading(t) != WEFT_OK)
        protected_call_abandon();
}

/* ---- the pattern ---- */

/* A process sends and receives at the times of its lines: whoever it has a message from, it has
 * posted the receive for it by then. */
static bool file_step(void *ctx, uint32_t who, uint32_t number, struct step *step)
{
    const struct workload *w = ctx;
    if (!timetable_step(w->state, who, number, step))
        return false;
    if (w->as == LAYER_PACKETS && step->to != NOBODY)
        workload_dress(w, who, number, step);
    return true;
}

static weft_status file_setup(struct workload *w)
{
    if (!w->params.file[0])
        return BAD_INPUT("workload.file workload.pattern",
                         ("workload.pattern = file needs a file of %s",
                          w->as == LAYER_PACKETS ? "packets" : "messages"),
                         ("name it by workload.file"));
    struct timetable *table;
    weft_status status = timetable_open(w, &table);
    w->program.timed = true;
    w->program.step = file_step;
    w->program.stop_at = CYCLE_NEVER;
    w->open = false;
    w->state = table;
    if (w->as == LAYER_PACKETS) {
        w->senders = table->sums.senders;
        w->deliveries = table->sums.packets;
    }
    return status;
}

static void fini(struct workload *w)
{
    timetable_free(w->state);
    w->state = NULL;
}

static void archive(struct workload *w, struct archive *a)
{
    timetable_archive(w->state, a);
}

const struct pattern file_pattern = {.name = "file",
                                     .from_file = true,
                                     .packets = file_setup,
                                     .packet_keys = "file",
                                     .messages = file_setup,
                                     .message_keys = "file processes_per_node processes mapping",
                                     .packet_work = "packets of {file}, at its times",
                                     .message_work = "messages of {file}, at its times",
                                     .fini = fini,
                                     .archive = archive};
