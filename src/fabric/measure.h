/*
 * What a run measures: one set of counters per partition, merged in partition order at the end.
 *
 * All are integers (sums, counts, maxima), so that neither the order of events within a cycle nor
 * the cut into partitions can change a result. Time averages are kept as sums of
 * amount x cycles: subtract the clock when something appears, add it when it goes.
 *
 * Closed runs are measured whole, open-loop runs within [from, to); a packet counts by its birth.
 * Where the window begins and ends may be found while the run goes on (machine/window.h): until
 * then it begins at CYCLE_NEVER. It must be known before anything of it happens: what is busy
 * beyond an edge is remembered (`latest`), since that edge can no longer move.
 */
#ifndef WEFT_FABRIC_MEASURE_H
#define WEFT_FABRIC_MEASURE_H

#include <stddef.h>

#include "base/statistics/histogram.h"
#include "base/random.h"
#include "engine/wheel.h"

enum { MEASURE_PORTS = 10, MEASURE_VCS = 8, MEASURE_BATCHES = 32 };

/* Intervals in which responses are followed while a run goes on: when MEASURE_BINS have passed they
 * are looked at; as many again may come before that. */
enum { MEASURE_BINS = 64, MEASURE_BIN_ROOM = 2 * MEASURE_BINS };

/* When to measure, and what. */
struct measure_plan {
    cycle_t from, to;  /* the window; 0 and CYCLE_NEVER: the whole run; both NEVER: found later */
    cycle_t bin_width; /* responses are followed in bins of this width; 0: they are not */
    cycle_t interval;  /* of the timeline; 0: none */
    bool detail;       /* each link and node by itself, too (detail.h) */
};

/* Whether a run is measured whole. */
static inline bool measure_is_whole(const struct measure_plan *plan)
{
    return plan->from != CYCLE_NEVER && plan->to == CYCLE_NEVER;
}

/* Responses of the packets that arrived in an interval, and packets withheld in it. */
struct measure_bin {
    uint64_t count, sum, withheld;
};

/*
 * Traffic that is told apart by where it goes: every node belongs to a class, and a packet to the
 * higher one of its two ends: computing and I/O, say.
 */
struct measure_classes {
    uint32_t count;     /* 0: nothing is told apart */
    const uint16_t *of; /* [node]; its owner keeps it, */
    const bool
        *whole; /* and this: [class]: its response counts outside of the window, too; NULL: none */
    /* [node]: what the digest of its class knows it by; NULL: its number in the machine. */
    const uint32_t *number;
};

/* What is measured of a class, as of all packets. */
struct measure_class {
    uint64_t digest, delivered, payload_bytes, window_payload_bytes, window_delivered;
    uint64_t lost, window_withheld;
    cycle_t last_delivery; /* behind the sums */
    struct histogram response;
};

/* What links did, where errors are modelled (torus/link.h, crosspoint/state.h). */
enum link_count {
    LINK_PACKETS, /* sent, retransmissions included */
    LINK_ACKS,
    LINK_FLIPPED,    /* bits */
    LINK_CORRUPTED,  /* packets with flipped bits */
    LINK_HEADER_CRC, /* of those, caught by the header check, */
    LINK_PACKET_CRC, /* by the packet check, */
    LINK_ESCAPED,    /* by no check; acknowledgments included */
    LINK_ACK_CRC,    /* acknowledgments found corrupted */
    LINK_TIMEOUTS,
    LINK_RETRANSMITTED,
    LINK_GHOSTS,       /* corrupted packets that entered a router before their tail arrived */
    LINK_OUT_OF_ORDER, /* packets ignored because an earlier one was missing, */
    LINK_DUPLICATES,   /* or because they had already arrived */
    LINK_ACK_ONLY,
    LINK_RECOVERIES, /* answers to "error found" (crosspoint/state.h) */
    LINK_COUNTS,
};

/* One row of the timeline: amounts during the interval, but `occupied` is chunks at its end. */
struct measure_row {
    uint64_t delivered, payload_bytes;
    uint64_t busy[MEASURE_PORTS];
    uint64_t hops[MEASURE_VCS];
    uint64_t acks, unblocking;
    uint64_t occupied[MEASURE_VCS];
};

struct measure {
    cycle_t interval; /* of the timeline; 0: none; set before the run */

    /* From here on it is saved. */
    cycle_t from, to;  /* the window of measurement */
    cycle_t latest;    /* all that is known to happen outside of it, or across an edge, is before */
    cycle_t clock;     /* now, clipped to that window; see measure_now() */
    cycle_t bin_start; /* of the first bin, */
    cycle_t bin_width; /* and how long each is; 0: there are none */
    cycle_t sample_at; /* when the current row ends */

    /* Sums, from here to `first_injection`: nothing but 64-bit integers. Over the whole run: */
    uint64_t digest;
    uint64_t names; /* sum over deliveries, whatever their times: shows that each came once */
    uint64_t generated, injected, delivered, payload_bytes;
    uint64_t lost; /* of those injected, in what failed */
    uint64_t hops, payload_hop_bytes;
    uint64_t acks, unblocking, bypassed;
    uint64_t hops_by_vc[MEASURE_VCS];
    uint64_t link[LINK_COUNTS];
    uint64_t moves; /* grants of any kind: the run's progress */
    /* Over the window of measurement: */
    uint64_t busy[MEASURE_PORTS]; /* byte times of links: packets and acknowledgments */
    uint64_t window_delivered, window_payload_bytes, window_payload_hop_bytes;
    uint64_t window_withheld;             /* packets not sent, as one of their ends was out */
    uint64_t occupied[MEASURE_VCS];       /* chunks x cycles, all receivers; modulo 2^64 */
    uint64_t unavailable[MEASURE_VCS];    /* cycles without room for a full packet, all senders */
    int64_t occupied_now[MEASURE_VCS];    /* chunks */
    int64_t unavailable_now[MEASURE_VCS]; /* senders */
    uint64_t batch_count[MEASURE_BATCHES], batch_sum[MEASURE_BATCHES];
    struct measure_bin bin[MEASURE_BIN_ROOM]; /* by arrival, whenever born */

    cycle_t first_injection, last_delivery;
    cycle_t last_read;         /* by a processor that takes time for it; 0: none does */
    struct histogram waiting;  /* of the window: cycles from birth until it leaves its source */
    struct histogram response; /* the same: cycles from birth to the last byte */

    struct measure_row *row;
    uint32_t rows, row_capacity;
    struct measure_classes classes;
    struct measure_class *by_class; /* NULL: nothing is told apart */
};

void measure_init(struct measure *m, cycle_t from, cycle_t to, cycle_t interval);

/* Tells classes apart from now on. */
void measure_divide(struct measure *m, struct measure_classes classes);

/* Adds up the measures of all ranks at the first rank. */
void measure_collect(struct measure *m);
void measure_fini(struct measure *m);
void measure_merge(struct measure *into, const struct measure *from);

/* Saves or restores what was measured so far. */
void measure_archive(struct measure *m, struct archive *a);

/* What is wrong with what was restored, at cycle `now`; NULL: nothing. */
const char *measure_flaw(const struct measure *m, cycle_t now);

/* At the end of a run, closes the sums over time. */
void measure_close(struct measure *m, cycle_t end);

/* Follows responses from cycle `start` on, in bins of this width. */
void measure_follow(struct measure *m, cycle_t start, cycle_t width);

/* The same bins, twice as long. */
void measure_widen_bins(struct measure *m);

/* Sets a window that was to be found. Neither edge has been reached. */
void measure_open_window(struct measure *m, cycle_t from, cycle_t to);

/* Makes the window twice as long. Its end has not been reached. */
void measure_double_window(struct measure *m);

/* The row of a cycle, created if need be. */
struct measure_row *measure_row_at(struct measure *m, cycle_t time);

/* Writes buffer occupancies into the rows that end at or before `now`. */
void measure_sample(struct measure *m, cycle_t now);

/* A link is busy during [start, start + length). */
void measure_busy_interval(struct measure *m, unsigned port, cycle_t start, cycle_t length);

/* Whether a time is in the window of measurement. */
static inline bool measure_is_within(const struct measure *m, cycle_t time)
{
    return time >= m->from && time < m->to;
}

/* `time` clipped to the window of measurement. */
static inline cycle_t measure_clip(const struct measure *m, cycle_t time)
{
    return time < m->from ? m->from : time > m->to ? m->to : time;
}

/* Sets the clock by which occupancies are counted; called once per cycle. */
static inline void measure_now(struct measure *m, cycle_t now)
{
    m->clock = measure_clip(m, now);
}

/* Cycles of [start, start + length) that are in the window of measurement. */
static inline cycle_t measure_within(struct measure *m, cycle_t start, cycle_t length)
{
    if (__builtin_expect(start >= m->from && start + length <= m->to, 1))
        return length;
    m->latest = start + length > m->latest ? start + length : m->latest;
    return measure_clip(m, start + length) - measure_clip(m, start);
}

/* A link is busy during [start, start + length); returns the cycles of these in the window. */
static inline cycle_t measure_busy(struct measure *m, unsigned port, cycle_t start, cycle_t length)
{
    if (__builtin_expect(m->interval != 0, 0))
        measure_busy_interval(m, port, start, length);
    return measure_within(m, start, length);
}

static inline void measure_occupy(struct measure *m, unsigned vc, int chunks)
{
    m->occupied_now[vc] += chunks;
    m->occupied[vc] -= m->clock * (uint64_t)(int64_t)chunks;
}

/* A sender's VC lost, or regained, room for a full packet behind it. */
static inline void measure_room(struct measure *m, unsigned vc, int came)
{
    m->unavailable[vc] += came ? m->clock : -m->clock;
    m->unavailable_now[vc] += came ? -1 : 1;
}

/* Of `payload` bytes sent during [start, start + length), those within the window of measurement:
 * their share of the link's time. */
static inline uint64_t measure_payload(const struct measure *m, uint64_t payload, cycle_t start,
                                       cycle_t length)
{
    if (__builtin_expect(start >= m->from && start + length <= m->to, 1))
        return payload;
    cycle_t within = measure_clip(m, start + length) - measure_clip(m, start);
    return within ? (uint64_t)((unsigned __int128)payload * within / length) : 0;
}

/* A packet with `payload` bytes starts a hop, for which it occupies the link for `length` cycles.
 */
static inline void measure_hop(struct measure *m, unsigned vc, uint32_t payload, cycle_t start,
                               cycle_t length)
{
    m->hops++;
    m->hops_by_vc[vc]++;
    m->payload_hop_bytes += payload;
    m->window_payload_hop_bytes += measure_payload(m, payload, start, length);
    if (__builtin_expect(m->interval != 0, 0))
        measure_row_at(m, start)->hops[vc]++;
}

/* The same for several hops at once, of which only the first occupies a link. */
static inline void measure_hops(struct measure *m, unsigned vc, uint64_t payload, uint32_t hops,
                                cycle_t start, cycle_t length)
{
    m->hops += hops - 1;
    m->hops_by_vc[vc] += hops - 1;
    m->payload_hop_bytes += (uint64_t)payload * (hops - 1);
    measure_hop(m, vc, payload, start, length);
}

/* The timeline's share of an acknowledgment, which is counted elsewhere. */
static inline void measure_ack_time(struct measure *m, cycle_t when)
{
    if (__builtin_expect(m->interval != 0, 0))
        measure_row_at(m, when)->acks++;
}

static inline void measure_ack(struct measure *m, cycle_t now)
{
    m->acks++;
    measure_ack_time(m, now);
}

static inline void measure_unblocking(struct measure *m, cycle_t now)
{
    m->unblocking++;
    if (__builtin_expect(m->interval != 0, 0))
        measure_row_at(m, now)->unblocking++;
}

static inline void measure_injection(struct measure *m, cycle_t birth, cycle_t now)
{
    m->injected++;
    if (now < m->first_injection)
        m->first_injection = now;
    if (measure_is_within(m, birth))
        histogram_add(&m->waiting, now - birth);
}

/* What is measured of a packet whose last byte has arrived; (source, sequence) is its name. */
struct delivery {
    uint32_t source, sequence;
    cycle_t birth;
    uint64_t payload;
};

/* The last byte of a packet (or of a deposited copy) reaches node `at` in cycle `time`. */
void measure_delivery(struct measure *m, const struct delivery *d, uint32_t at, cycle_t time);

/* A packet under way is lost in what failed. */
void measure_loss(struct measure *m, uint32_t from, uint32_t to);

/* Packets are not sent, since one of their ends is out of service. */
void measure_withheld(struct measure *m, uint32_t from, uint32_t to, uint64_t packets, cycle_t now);

#endif
