/* Counting deliveries, the timeline, and merging the partitions' counters. */
#include "fabric/measure.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "base/list.h"
#include "base/memory.h"
#include "engine/ranks.h"

void measure_init(struct measure *m, cycle_t from, cycle_t to, cycle_t interval)
{
    memset(m, 0, sizeof(*m));
    m->from = from;
    m->to = to;
    m->interval = interval;
    m->sample_at = interval ? interval : CYCLE_NEVER;
    m->first_injection = CYCLE_NEVER;
}

/* ---- a window that is found ---- */

void measure_follow(struct measure *m, cycle_t start, cycle_t width)
{
    m->bin_start = start;
    m->bin_width = width;
    memset(m->bin, 0, sizeof(m->bin));
}

void measure_widen_bins(struct measure *m)
{
    for (unsigned i = 0; i < MEASURE_BINS; i++) {
        const struct measure_bin *pair = &m->bin[2 * i];
        m->bin[i] = (struct measure_bin){.count = pair[0].count + pair[1].count,
                                         .sum = pair[0].sum + pair[1].sum,
                                         .withheld = pair[0].withheld + pair[1].withheld};
    }
    memset(m->bin + MEASURE_BINS, 0, sizeof(m->bin) / 2);
    m->bin_width *= 2;
}

void measure_open_window(struct measure *m, cycle_t from, cycle_t to)
{
    m->from = m->clock = from;
    m->to = to;
    /* What is there now is there from the beginning on. */
    for (unsigned vc = 0; vc < MEASURE_VCS; vc++) {
        m->occupied[vc] = -from * (uint64_t)m->occupied_now[vc];
        m->unavailable[vc] = -from * (uint64_t)m->unavailable_now[vc];
    }
}

void measure_double_window(struct measure *m)
{
    m->to += m->to - m->from;
    for (unsigned i = 0; i < MEASURE_BATCHES / 2; i++) {
        m->batch_count[i] = m->batch_count[2 * i] + m->batch_count[2 * i + 1];
        m->batch_sum[i] = m->batch_sum[2 * i] + m->batch_sum[2 * i + 1];
    }
    memset(m->batch_count + MEASURE_BATCHES / 2, 0, sizeof(m->batch_count) / 2);
    memset(m->batch_sum + MEASURE_BATCHES / 2, 0, sizeof(m->batch_sum) / 2);
}

void measure_divide(struct measure *m, struct measure_classes classes)
{
    m->classes = classes;
    if (classes.count)
        m->by_class = memory_alloc(classes.count, sizeof(*m->by_class));
}

void measure_fini(struct measure *m)
{
    free(m->row);
    free(m->by_class);
}

struct measure_row *measure_row_at(struct measure *m, cycle_t time)
{
    enum { ROWS_MOST = 1 << 24 }; /* 4 GB */
    if (time / m->interval >= ROWS_MOST) {
        RUN_FAILED(("the timeline has more than %d rows", ROWS_MOST),
                   ("use a longer run.interval_cycles"));
        protected_call_abandon();
    }
    uint32_t index = (uint32_t)(time / m->interval);
    LIST_ZERO(m->row, index + 1, m->row_capacity);
    if (index >= m->rows)
        m->rows = index + 1;
    return &m->row[index];
}

void measure_sample(struct measure *m, cycle_t now)
{
    while (m->sample_at <= now) {
        struct measure_row *row = measure_row_at(m, m->sample_at - 1);
        for (unsigned vc = 0; vc < MEASURE_VCS; vc++)
            row->occupied[vc] = (uint64_t)m->occupied_now[vc];
        m->sample_at += m->interval;
    }
}

void measure_busy_interval(struct measure *m, unsigned port, cycle_t start, cycle_t length)
{
    for (cycle_t here; length; start += here, length -= here) {
        here = m->interval - start % m->interval;
        here = here > length ? length : here;
        measure_row_at(m, start)->busy[port] += here;
    }
}

/* A delivery's digest by the numbers that nodes have for their class. */
static uint64_t class_digest(const uint32_t *number, const struct delivery *d, uint32_t at,
                             cycle_t time)
{
    uint64_t name = (uint64_t)number[d->source] << 32 | d->sequence;
    return random_mix(random_mix(name) ^ random_mix(time * 0x9e3779b97f4a7c15u + number[at] + 1));
}

static struct measure_class *class_between(struct measure *m, uint32_t from, uint32_t to)
{
    uint16_t a = m->classes.of[from], b = m->classes.of[to];
    return &m->by_class[a > b ? a : b];
}

/* Counts a delivery for its class, as measure_delivery() does for all. Not inlined: its registers
 * would cost every delivery. */
static __attribute__((noinline)) void count_in_class(struct measure *m, const struct delivery *d,
                                                     uint32_t at, cycle_t time, uint64_t digest)
{
    uint64_t own = m->classes.number ? class_digest(m->classes.number, d, at, time) : digest;
    struct measure_class *c = class_between(m, d->source, at);
    c->digest += own;
    m->digest += own - digest; /* which is the sum of its classes' */
    c->delivered++;
    c->payload_bytes += d->payload;
    if (time > c->last_delivery)
        c->last_delivery = time;
    if (measure_is_within(m, time)) {
        c->window_delivered++;
        c->window_payload_bytes += d->payload;
    }
    bool whole = m->classes.whole && m->classes.whole[c - m->by_class];
    if (whole || measure_is_within(m, d->birth))
        histogram_add(&c->response, time - d->birth);
}

/* Where there are bins. NULL: the time is in none. */
static struct measure_bin *bin_at(struct measure *m, cycle_t time)
{
    if (time < m->bin_start)
        return NULL;
    cycle_t number = (time - m->bin_start) / m->bin_width;
    return number < MEASURE_BIN_ROOM ? &m->bin[number] : NULL;
}

static void count_in_bin(struct measure *m, const struct delivery *d, cycle_t time)
{
    struct measure_bin *bin = bin_at(m, time);
    if (!bin)
        return;
    bin->count++;
    bin->sum += time - d->birth;
}

void measure_delivery(struct measure *m, const struct delivery *d, uint32_t at, cycle_t time)
{
    uint64_t name = (uint64_t)d->source << 32 | d->sequence;
    uint64_t mixed = random_mix(name);
    uint64_t digest = random_mix(mixed ^ random_mix(time * 0x9e3779b97f4a7c15u + at + 1));
    m->digest += digest;
    m->names += mixed * (2 * (uint64_t)at + 1);
    m->delivered++;
    m->payload_bytes += d->payload;
    if (time > m->last_delivery)
        m->last_delivery = time;
    if (measure_is_within(m, time)) {
        m->window_delivered++;
        m->window_payload_bytes += d->payload;
    } else if (time >= m->latest) {
        m->latest = time + 1;
    }
    if (m->bin_width)
        count_in_bin(m, d, time);
    if (measure_is_within(m, d->birth)) {
        uint64_t response = time - d->birth;
        histogram_add(&m->response, response);
        if (m->to != CYCLE_NEVER) {
            uint64_t batch = (d->birth - m->from) * MEASURE_BATCHES / (m->to - m->from);
            m->batch_count[batch]++;
            m->batch_sum[batch] += response;
        }
    }
    if (m->by_class)
        count_in_class(m, d, at, time, digest);
    if (m->interval) {
        struct measure_row *row = measure_row_at(m, time);
        row->delivered++;
        row->payload_bytes += d->payload;
    }
}

void measure_loss(struct measure *m, uint32_t from, uint32_t to)
{
    m->lost++;
    if (m->by_class)
        class_between(m, from, to)->lost++;
}

void measure_withheld(struct measure *m, uint32_t from, uint32_t to, uint64_t packets, cycle_t now)
{
    struct measure_bin *bin = m->bin_width ? bin_at(m, now) : NULL;
    if (bin)
        bin->withheld += packets;
    if (!measure_is_within(m, now))
        return;
    m->window_withheld += packets;
    if (m->by_class)
        class_between(m, from, to)->window_withheld += packets;
}

void measure_close(struct measure *m, cycle_t end)
{
    cycle_t clipped = measure_clip(m, end);
    if (m->interval)
        measure_sample(m, end);
    for (unsigned vc = 0; vc < MEASURE_VCS; vc++) {
        m->occupied[vc] += clipped * (uint64_t)m->occupied_now[vc];
        m->unavailable[vc] += clipped * (uint64_t)m->unavailable_now[vc];
    }
}

/* Adds counters of 64 bits, as one flat array. */
static void add_counters(void *into, const void *from, size_t bytes)
{
    uint64_t *sum = into;
    const uint64_t *add = from;
    for (size_t i = 0; i < bytes / sizeof(*sum); i++)
        sum[i] += add[i];
}

static void keep_later(cycle_t *into, cycle_t from)
{
    *into = from > *into ? from : *into;
}

void measure_merge(struct measure *into, const struct measure *from)
{
    const size_t sums = offsetof(struct measure, digest);
    add_counters((char *)into + sums, (const char *)from + sums,
                 offsetof(struct measure, first_injection) - sums);
    if (from->first_injection < into->first_injection)
        into->first_injection = from->first_injection;
    keep_later(&into->last_delivery, from->last_delivery);
    keep_later(&into->last_read, from->last_read);
    histogram_merge(&into->waiting, &from->waiting);
    histogram_merge(&into->response, &from->response);
    for (uint32_t i = 0; i < from->classes.count; i++) {
        struct measure_class *sum = &into->by_class[i], *more = &from->by_class[i];
        add_counters(sum, more, offsetof(struct measure_class, last_delivery));
        keep_later(&sum->last_delivery, more->last_delivery);
        histogram_merge(&sum->response, &more->response);
    }
    for (uint32_t i = 0; i < from->rows; i++)
        add_counters(measure_row_at(into, i * from->interval), &from->row[i],
                     sizeof(struct measure_row));
}

void measure_archive(struct measure *m, struct archive *a)
{
    archive_same(a, m->interval);
    archive_bytes(a, &m->from, offsetof(struct measure, row) - offsetof(struct measure, from));
    archive_list(a, (void **)&m->row, sizeof(*m->row), &m->rows, &m->row_capacity);
    archive_same(a, m->classes.count);
    archive_bytes(a, m->by_class, m->classes.count * sizeof(*m->by_class));
}

const char *measure_flaw(const struct measure *m, cycle_t now)
{
    const int64_t most = 1ll << 48; /* so that sums of some do not overflow */
    cycle_t ends = m->interval ? (now / m->interval + 1) * m->interval : CYCLE_NEVER;
    if (m->sample_at != ends || (m->rows && !m->interval))
        return "the timeline does not end now";
    for (unsigned v = 0; v < MEASURE_VCS; v++)
        if (m->occupied_now[v] > most || m->occupied_now[v] < -most ||
            m->unavailable_now[v] > most || m->unavailable_now[v] < -most)
            return "more is in buffers than there can be";
    if (!histogram_is_sound(&m->waiting) || !histogram_is_sound(&m->response))
        return "times of packets do not add up";
    return NULL;
}

/* A measure, its rows and its classes, as ranks send them. */
static void collect(void *into, const void *bytes, size_t size)
{
    struct measure theirs;
    const char *at = bytes;
    memcpy(&theirs, at, sizeof(theirs));
    size_t rows = theirs.rows * sizeof(*theirs.row);
    size_t classes = theirs.classes.count * sizeof(*theirs.by_class);
    WEFT_CHECK(size == sizeof(theirs) + rows + classes, "a rank's measures have %zu bytes", size);
    theirs.row = memory_alloc(1, rows);
    theirs.by_class = memory_alloc(1, classes);
    memcpy(theirs.row, at + sizeof(theirs), rows);
    memcpy(theirs.by_class, at + sizeof(theirs) + rows, classes);
    measure_merge(into, &theirs);
    measure_fini(&theirs);
}

void measure_collect(struct measure *m)
{
    size_t rows = m->rows * sizeof(*m->row), classes = m->classes.count * sizeof(*m->by_class);
    size_t size = sizeof(*m) + rows + classes;
    char *bytes = memory_alloc(1, size);
    memcpy(bytes, m, sizeof(*m));
    if (rows)
        memcpy(bytes + sizeof(*m), m->row, rows);
    if (classes)
        memcpy(bytes + sizeof(*m) + rows, m->by_class, classes);
    ranks_collect(bytes, size, collect, m);
    free(bytes);
}
