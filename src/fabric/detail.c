/* Counting by link and node. */
#include "fabric/detail.h"

#include "base/list.h"

static size_t row_items(const struct detail *d)
{
    return (size_t)d->slots * d->flows;
}

/* Has zeroed rows up to one. Ends a run whose rows would not fit. */
static void reach_row(struct detail *d, size_t row)
{
    size_t needed = (row + 1) * row_items(d);
    if (needed > d->row_room &&
        list_room(d->row_room, needed, SIZE_MAX) > d->most_bytes / sizeof(*d->row)) {
        RUN_ABANDONED(("the timeline of each link takes more than half of this computer's memory"),
                      ("use a longer run.interval_cycles, or no run.detail"));
    }
    LIST_ZERO(d->row, needed, d->row_room);
    if (row >= d->rows)
        d->rows = row + 1;
}

static void busy_in_rows(struct detail *d, cycle_t interval, size_t at, cycle_t start,
                         cycle_t length)
{
    for (cycle_t here; length; start += here, length -= here) {
        here = interval - start % interval;
        here = here > length ? length : here;
        reach_row(d, start / interval);
        d->row[start / interval * row_items(d) + at] += (uint32_t)here;
    }
}

void detail_busy(struct detail *d, const struct measure *m, uint32_t slot, unsigned flow,
                 cycle_t start, cycle_t length, cycle_t within)
{
    struct detail_flow *at = detail_flow_at(d, slot, flow);
    at->busy += within;
    at->packets += measure_is_within(m, start);
    if (m->interval)
        busy_in_rows(d, m->interval, (size_t)(at - d->flow), start, length);
}

static void note(uint64_t value, uint64_t *count, uint64_t *sum, uint64_t *most)
{
    ++*count;
    *sum += value;
    *most = value > *most ? value : *most;
}

void detail_injection(struct detail *d, const struct measure *m, uint32_t local, cycle_t birth,
                      uint64_t payload, cycle_t now)
{
    struct detail_node *n = &d->node[local];
    if (measure_is_within(m, now)) {
        n->sent_packets++;
        n->sent_bytes += payload;
    }
    if (measure_is_within(m, birth))
        note(now - birth, &n->waits, &n->waited, &n->waited_most);
}

void detail_delivery(struct detail *d, const struct measure *m, uint32_t local,
                     const struct delivery *delivery, cycle_t time)
{
    struct detail_node *n = &d->node[local];
    if (measure_is_within(m, time)) {
        n->received_packets++;
        n->received_bytes += delivery->payload;
    }
    if (measure_is_within(m, delivery->birth))
        note(time - delivery->birth, &n->responses, &n->response, &n->response_most);
}

void detail_archive(struct detail *d, struct archive *a)
{
    size_t items = row_items(d);
    if (!d->flow)
        return;
    size_t rows = archive_count(a, d->rows, archive_room(a, items * sizeof(*d->row)));
    if (rows)
        reach_row(d, rows - 1);
    d->rows = rows;
    archive_bytes(a, d->row, rows * items * sizeof(*d->row));
}

const char *detail_flaw(const struct detail *d)
{
    const int64_t most = 1ll << 40; /* so that sums of some do not overflow */
    for (size_t i = 0; d->flow && i < row_items(d); i++) {
        const struct detail_flow *flow = &d->flow[i];
        if (flow->blocked_now > most || flow->blocked_now < -most || flow->queued_now > most ||
            flow->queued_now < -most)
            return "more is in the buffer of a link than there can be";
    }
    return NULL;
}

void detail_open_window(struct detail *d, const struct measure *m)
{
    for (size_t i = 0; d->flow && i < row_items(d); i++) {
        d->flow[i].blocked = -m->from * (uint64_t)d->flow[i].blocked_now;
        d->flow[i].queued = -m->from * (uint64_t)d->flow[i].queued_now;
    }
}

void detail_close(struct detail *d, const struct measure *m, cycle_t end)
{
    cycle_t clipped = measure_clip(m, end);
    for (size_t i = 0; d->flow && i < row_items(d); i++) {
        d->flow[i].blocked += clipped * (uint64_t)d->flow[i].blocked_now;
        d->flow[i].queued += clipped * (uint64_t)d->flow[i].queued_now;
    }
}
