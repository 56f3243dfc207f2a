/*
 * What a run measures, against results by hand: deliveries, occupancies, busy links, batches, the
 * timeline, and which of it the measurement window counts. Neither the order of events nor the cut
 * into partitions changes anything: the merged parts equal the whole in every counter. A restored
 * measure continues as the original would.
 */
#include "group.h"
#include "archives.h"

#include "fabric/measure.h"

/* Large; not for the stack. */
static struct measure m, other, part[3];

/* All that is counted, the timeline apart. */
static const size_t COUNTERS = offsetof(struct measure, digest);
static const size_t COUNTER_BYTES =
    offsetof(struct measure, row) - offsetof(struct measure, digest);

static void assert_same(const struct measure *a, const struct measure *b)
{
    assert_memory_equal((const char *)a + COUNTERS, (const char *)b + COUNTERS, COUNTER_BYTES);
    assert_int_equal(a->rows, b->rows);
    if (a->rows)
        assert_memory_equal(a->row, b->row, a->rows * sizeof(*a->row));
}

static void deliver(struct measure *to, uint32_t source, uint32_t sequence, cycle_t birth,
                    uint32_t at, cycle_t time)
{
    struct delivery d = {
        .source = source, .sequence = sequence, .birth = birth, .payload = 10 + sequence % 7};
    measure_delivery(to, &d, at, time);
}

/* ---- deliveries ---- */

static void deliveries_are_counted(void **state)
{
    (void)state;
    measure_init(&m, 0, CYCLE_NEVER, 0);
    assert_true(m.first_injection == CYCLE_NEVER);
    measure_injection(&m, 7, 7);
    measure_injection(&m, 5, 5);
    measure_injection(&m, 6, 6);
    deliver(&m, 1, 0, 5, 2, 30);  /* 10 bytes, 25 cycles */
    deliver(&m, 1, 1, 6, 2, 90);  /* 11 bytes, 84 cycles */
    deliver(&m, 2, 0, 20, 1, 60); /* 10 bytes, 40 cycles */
    assert_int_equal(m.injected, 3);
    assert_int_equal(m.first_injection, 5);
    assert_int_equal(m.delivered, 3);
    assert_int_equal(m.payload_bytes, 31);
    assert_int_equal(m.last_delivery, 90);
    assert_int_equal(m.window_delivered, 3);
    assert_int_equal(m.window_payload_bytes, 31);
    assert_int_equal(m.response.count, 3);
    assert_int_equal(m.response.sum, 25 + 84 + 40);
    assert_int_equal(m.response.max, 84);
    for (int b = 0; b < MEASURE_BATCHES; b++)
        assert_int_equal(m.batch_count[b], 0); /* a closed run has none */
    measure_fini(&m);
}

/* The digest of a single delivery; its sum of names goes into *names. */
static uint64_t digest_of(uint32_t source, uint32_t sequence, uint32_t at, cycle_t time,
                          uint64_t *names)
{
    measure_init(&other, 0, CYCLE_NEVER, 0);
    deliver(&other, source, sequence, 0, at, time);
    *names = other.names;
    return other.digest;
}

static void the_digest_tells_who_came_where_and_when(void **state)
{
    (void)state;
    uint64_t names, other_names, digest = digest_of(3, 5, 9, 100, &names);
    assert_true(digest_of(3, 5, 9, 100, &other_names) == digest && other_names == names);
    assert_true(digest_of(4, 5, 9, 100, &other_names) != digest && other_names != names);
    assert_true(digest_of(3, 6, 9, 100, &other_names) != digest && other_names != names);
    assert_true(digest_of(5, 3, 9, 100, &other_names) != digest && other_names != names);
    assert_true(digest_of(3, 5, 8, 100, &other_names) != digest && other_names != names);
    /* The names do not tell when. */
    assert_true(digest_of(3, 5, 9, 101, &other_names) != digest && other_names == names);
}

static void two_that_change_places_change_the_names(void **state)
{
    (void)state;
    measure_init(&m, 0, CYCLE_NEVER, 0);
    deliver(&m, 1, 1, 0, 8, 50);
    deliver(&m, 1, 2, 0, 9, 50);
    uint64_t right = m.names;
    measure_init(&m, 0, CYCLE_NEVER, 0);
    deliver(&m, 1, 1, 0, 9, 50);
    deliver(&m, 1, 2, 0, 8, 50);
    assert_true(m.names != right);
    measure_init(&m, 0, CYCLE_NEVER, 0); /* one twice and the other never */
    deliver(&m, 1, 1, 0, 8, 50);
    deliver(&m, 1, 1, 0, 9, 50);
    assert_true(m.names != right);
}

/* ---- classes ---- */

static void classes_are_told_apart_by_both_ends(void **state)
{
    (void)state;
    static const uint16_t of[] = {0, 0, 1, 2};
    struct measure parts[2], whole;
    for (int i = 0; i < 2; i++) {
        measure_init(&parts[i], 100, 200, 0);
        measure_divide(&parts[i], (struct measure_classes){.count = 3, .of = of});
    }
    deliver(&parts[0], 0, 0, 110, 1, 130); /* class 0 */
    deliver(&parts[0], 1, 1, 90, 0, 150);  /* class 0, born too early */
    deliver(&parts[1], 0, 2, 120, 2, 160); /* into class 1, */
    deliver(&parts[0], 2, 3, 120, 0, 170); /* and out of it */
    deliver(&parts[1], 2, 4, 130, 3, 140); /* class 2 */
    measure_init(&whole, 100, 200, 0);
    measure_divide(&whole, (struct measure_classes){.count = 3, .of = of});
    for (int i = 0; i < 2; i++) {
        measure_merge(&whole, &parts[i]);
        measure_fini(&parts[i]);
    }
    assert_int_equal(whole.by_class[0].response.count, 1);
    assert_int_equal(whole.by_class[0].response.sum, 20);
    assert_int_equal(whole.by_class[1].response.count, 2);
    assert_int_equal(whole.by_class[1].response.sum, 40 + 50);
    assert_int_equal(whole.by_class[2].response.sum, 10);
    assert_int_equal(whole.response.count, 4);
    assert_int_equal(whole.by_class[0].delivered, 2);
    assert_int_equal(whole.by_class[1].window_delivered, 2);
    assert_int_equal(whole.by_class[1].last_delivery, 170);
    assert_int_equal(whole.by_class[0].digest + whole.by_class[1].digest + whole.by_class[2].digest,
                     whole.digest);
    assert_int_equal(whole.by_class[2].payload_bytes, 14);
    measure_fini(&whole);
}

/* ---- order and cut ---- */

enum { EVENTS = 20000, END = 24000 };

/* Something that happens in cycle i, by chance, to one of a few nodes. */
static void happen(struct measure *to, uint32_t i)
{
    uint64_t draw = random_draw(17, i);
    unsigned vc = draw >> 8 & 7, port = (draw >> 16) % MEASURE_PORTS;
    cycle_t now = i;
    if (now >= to->sample_at)
        measure_sample(to, now);
    measure_now(to, now);
    switch (draw % 8) {
    case 0:
        to->generated++;
        measure_injection(to, now, now);
        break;
    case 1:
        deliver(to, draw >> 20 & 15, i, now - (draw >> 32) % (now + 1), draw >> 40 & 15,
                now + (draw >> 48) % 100);
        break;
    case 2:
        to->moves++;
        measure_hop(to, vc, i % 240, now, 250);
        break;
    case 3:
        to->busy[port] += measure_busy(to, port, now, (draw >> 32) % 300);
        break;
    case 4:
        measure_occupy(to, vc, (int)(draw >> 32) % 9);
        break;
    case 5:
        measure_room(to, vc, draw >> 32 & 1);
        break;
    case 6:
        measure_ack(to, now);
        measure_ack_time(to, now);
        if (draw >> 32 & 1)
            measure_unblocking(to, now);
        break;
    default:
        to->link[(draw >> 32) % LINK_COUNTS]++;
        to->bypassed++;
        break;
    }
}

/* Which partition an event belongs to: interleaved, in three stretches, or nearly all in one. */
static unsigned part_of(int cut, uint32_t i)
{
    return cut == 0 ? i % 3 : cut == 1 ? i / (EVENTS / 3 + 1) : i % 1000 == 0;
}

static void the_parts_merged_are_the_whole(void **state)
{
    (void)state;
    static const cycle_t windows[][3] = {
        {0, CYCLE_NEVER, 0}, {0, CYCLE_NEVER, 500}, {5000, 15000, 0}, {5000, 15000, 333}};
    for (int w = 0; w < 4; w++)
        for (int cut = 0; cut < 3; cut++) {
            measure_init(&m, windows[w][0], windows[w][1], windows[w][2]);
            measure_init(&other, windows[w][0], windows[w][1], windows[w][2]);
            for (int p = 0; p < 3; p++)
                measure_init(&part[p], windows[w][0], windows[w][1], windows[w][2]);
            for (uint32_t i = 0; i < EVENTS; i++) {
                happen(&m, i);
                happen(&part[part_of(cut, i)], i);
            }
            measure_close(&m, END);
            for (int p = 0; p < 3; p++) {
                measure_close(&part[p], END);
                measure_merge(&other, &part[p]);
                measure_fini(&part[p]);
            }
            assert_true(m.delivered > 2000 && m.hops > 2000);
            assert_same(&m, &other);
            measure_fini(&m);
            measure_fini(&other);
        }
}

static void merging_parts_in_any_order_gives_the_same(void **state)
{
    (void)state;
    static const int orders[][3] = {{0, 1, 2}, {2, 0, 1}, {1, 2, 0}};
    measure_init(&m, 1000, 9000, 100);
    for (int k = 0; k < 3; k++) {
        measure_init(&other, 1000, 9000, 100);
        for (int p = 0; p < 3; p++) {
            measure_init(&part[p], 1000, 9000, 100);
            for (uint32_t i = (uint32_t)p * 4000; i < ((uint32_t)p + 1) * 4000; i++)
                happen(&part[p], i);
            measure_close(&part[p], END);
        }
        for (int p = 0; p < 3; p++)
            measure_merge(k ? &other : &m, &part[orders[k][p]]);
        if (k)
            assert_same(&m, &other);
        measure_fini(&other);
        for (int p = 0; p < 3; p++)
            measure_fini(&part[p]);
    }
    measure_fini(&m);
}

static void the_order_of_deliveries_does_not_matter(void **state)
{
    (void)state;
    measure_init(&m, 200, 4000, 50);
    measure_init(&other, 200, 4000, 50);
    for (uint32_t i = 0; i < 5000; i++) {
        uint32_t k = random_permute(77, 5000, i);
        deliver(&m, i % 16, i, i, i % 11, i + 20 + i % 13);
        deliver(&other, k % 16, k, k, k % 11, k + 20 + k % 13);
    }
    assert_same(&m, &other);
    measure_fini(&m);
    measure_fini(&other);
}

/* ---- a window that is found ---- */

static void a_window_that_is_found_is_as_one_that_was_given(void **state)
{
    (void)state;
    measure_init(&m, 5000, 13000, 333);
    measure_init(&other, CYCLE_NEVER, CYCLE_NEVER, 333);
    measure_follow(&other, 0, 50);
    for (uint32_t i = 0; i < EVENTS; i++) {
        if (i == 3200)
            measure_widen_bins(&other);
        if (i == 4000) {
            assert_true(other.latest > 4000 && other.latest < 4400);
            measure_open_window(&other, 5000, 9000);
            measure_follow(&other, 5000, 100);
        }
        if (i == 8000) {
            assert_true(other.latest < 9000); /* nothing reaches across the end */
            measure_double_window(&other);
        }
        happen(&m, i);
        happen(&other, i);
    }
    measure_close(&m, END);
    measure_close(&other, END);
    assert_true(m.batch_count[MEASURE_BATCHES - 1] > 0 && m.occupied[3] != 0);
    measure_follow(&other, 0, 0);
    assert_same(&m, &other);
    measure_fini(&m);
    measure_fini(&other);
}

static void bins_follow_arrivals(void **state)
{
    (void)state;
    measure_init(&m, CYCLE_NEVER, CYCLE_NEVER, 0);
    measure_follow(&m, 1000, 10);
    for (uint32_t i = 0; i < 3000; i++) /* one in a cycle; its response says when */
        deliver(&m, 0, i, 0, 1, i);
    for (unsigned b = 0; b < MEASURE_BIN_ROOM; b++) {
        assert_int_equal(m.bin[b].count, 10);
        assert_int_equal(m.bin[b].sum, 10 * (1000 + 10 * b) + 45);
    }
    measure_widen_bins(&m);
    assert_int_equal(m.bin[1].count, 20);
    assert_int_equal(m.bin[1].sum, 20 * 1020 + 190);
    assert_int_equal(m.bin[MEASURE_BINS - 1].count, 20);
    assert_int_equal(m.bin[MEASURE_BINS].count, 0);
    assert_int_equal(m.window_delivered, 0);
}

/* ---- sums over time ---- */

/* 3 chunks from cycle 10 on, 2 from 20, none from 50; 1 from 80 until the end at 100. */
static void fill_and_empty(cycle_t from, cycle_t to)
{
    measure_init(&m, from, to, 0);
    static const struct {
        cycle_t time;
        int chunks;
    } step[] = {{10, 3}, {20, -1}, {50, -2}, {80, 1}};
    for (int i = 0; i < 4; i++) {
        measure_now(&m, step[i].time);
        measure_occupy(&m, 2, step[i].chunks);
    }
    measure_close(&m, 100);
}

static void occupancy_is_chunks_times_cycles(void **state)
{
    (void)state;
    fill_and_empty(0, CYCLE_NEVER);
    assert_int_equal(m.occupied[2], 3 * 10 + 2 * 30 + 1 * 20);
    assert_int_equal(m.occupied_now[2], 1);
    for (unsigned vc = 0; vc < MEASURE_VCS; vc++)
        assert_true(vc == 2 || m.occupied[vc] == 0);
}

static void occupancy_counts_within_the_window_only(void **state)
{
    (void)state;
    fill_and_empty(15, 40);
    assert_int_equal(m.occupied[2], 3 * 5 + 2 * 20);
    fill_and_empty(40, 90);
    assert_int_equal(m.occupied[2], 2 * 10 + 1 * 10);
    fill_and_empty(0, 10);
    assert_int_equal(m.occupied[2], 0);
    fill_and_empty(55, 75);
    assert_int_equal(m.occupied[2], 0);
    fill_and_empty(30, 31);
    assert_int_equal(m.occupied[2], 2);
    fill_and_empty(200, 300); /* after the end */
    assert_int_equal(m.occupied[2], 0);
}

static void cycles_without_room_are_counted_alike(void **state)
{
    (void)state;
    static const cycle_t window[][2] = {{0, CYCLE_NEVER}, {30, 60}, {90, 95}};
    static const uint64_t expected[] = {40 + 20 + 10, 30 + 20, 5};
    for (int w = 0; w < 3; w++) {
        measure_init(&m, window[w][0], window[w][1], 0);
        measure_now(&m, 20);
        measure_room(&m, 1, 0); /* one sender from 20 to 60, */
        measure_now(&m, 40);
        measure_room(&m, 1, 0); /* another from 40 to 60, */
        measure_now(&m, 60);
        measure_room(&m, 1, 1);
        measure_room(&m, 1, 1);
        measure_now(&m, 90);
        measure_room(&m, 1, 0); /* one from 90 on */
        measure_close(&m, 100);
        assert_int_equal(m.unavailable[1], expected[w]);
        assert_int_equal(m.unavailable_now[1], 1);
    }
}

static void a_busy_link_counts_within_the_window_only(void **state)
{
    (void)state;
    measure_init(&m, 100, 200, 0);
    assert_int_equal(measure_busy(&m, 0, 120, 30), 30);
    assert_int_equal(measure_busy(&m, 0, 100, 100), 100);
    assert_int_equal(measure_busy(&m, 0, 90, 30), 20);
    assert_int_equal(measure_busy(&m, 0, 190, 30), 10);
    assert_int_equal(measure_busy(&m, 0, 50, 300), 100);
    assert_int_equal(measure_busy(&m, 0, 70, 30), 0);
    assert_int_equal(measure_busy(&m, 0, 200, 30), 0);
    assert_int_equal(measure_busy(&m, 0, 10, 20), 0);
    assert_int_equal(measure_busy(&m, 0, 300, 20), 0);
    measure_init(&m, 0, CYCLE_NEVER, 0);
    assert_int_equal(measure_busy(&m, 0, 1ull << 40, 30), 30);
}

/* ---- the window ---- */

static void deliveries_count_by_arrival_and_responses_by_birth(void **state)
{
    (void)state;
    measure_init(&m, 100, 200, 0);
    deliver(&m, 0, 0, 50, 1, 99);   /* before */
    deliver(&m, 0, 0, 99, 1, 100);  /* comes in it, born before */
    deliver(&m, 0, 0, 100, 1, 199); /* both: 99 cycles */
    deliver(&m, 0, 0, 199, 1, 200); /* born in it, comes after: 1 cycle */
    deliver(&m, 0, 0, 200, 1, 250); /* after */
    assert_int_equal(m.delivered, 5);
    assert_int_equal(m.payload_bytes, 50);
    assert_int_equal(m.last_delivery, 250);
    assert_int_equal(m.window_delivered, 2);
    assert_int_equal(m.window_payload_bytes, 20);
    assert_int_equal(m.response.count, 2);
    assert_int_equal(m.response.sum, 100);
}

static void hops_count_always_and_their_bytes_in_the_window_too(void **state)
{
    (void)state;
    static const cycle_t when[] = {99, 100, 199, 200};
    measure_init(&m, 100, 200, 0);
    for (int i = 0; i < 4; i++)
        measure_hop(&m, (unsigned)i, 10u << i, when[i], 1);
    assert_int_equal(m.hops, 4);
    assert_int_equal(m.payload_hop_bytes, 10 + 20 + 40 + 80);
    assert_int_equal(m.window_payload_hop_bytes, 20 + 40);
    for (unsigned vc = 0; vc < MEASURE_VCS; vc++)
        assert_int_equal(m.hops_by_vc[vc], vc < 4);
}

/* A hop that only in part lies in the window counts for that part: no share exceeds 1, however
 * short the window is. */
static void bytes_of_a_hop_are_spread_over_its_time(void **state)
{
    (void)state;
    measure_init(&m, 100, 200, 0);
    measure_hop(&m, 0, 240, 90, 40); /* three quarters within */
    assert_int_equal(m.window_payload_hop_bytes, 180);
    measure_hop(&m, 0, 240, 190, 40); /* a quarter */
    assert_int_equal(m.window_payload_hop_bytes, 180 + 60);
    measure_hop(&m, 0, 240, 50, 200); /* longer than the window */
    assert_int_equal(m.window_payload_hop_bytes, 180 + 60 + 120);
    measure_hop(&m, 0, 240, 60, 40); /* before it */
    measure_hop(&m, 0, 240, 200, 40);
    measure_hop(&m, 0, 0, 250, 0);
    assert_int_equal(m.window_payload_hop_bytes, 180 + 60 + 120);
}

static void batches_part_the_window_by_birth(void **state)
{
    (void)state;
    measure_init(&m, 1000, 1000 + 100 * MEASURE_BATCHES, 0);
    for (cycle_t birth = 900; birth < 1100 + 100 * MEASURE_BATCHES; birth++)
        deliver(&m, 1, 1, birth, 2, birth + birth / 100);
    for (unsigned b = 0; b < MEASURE_BATCHES; b++) {
        assert_int_equal(m.batch_count[b], 100);
        assert_int_equal(m.batch_sum[b], 100 * (10 + b));
    }
    assert_int_equal(m.response.count, 100 * MEASURE_BATCHES);
}

/* ---- the timeline ---- */

static void a_row_holds_what_happens_in_its_interval(void **state)
{
    (void)state;
    measure_init(&m, 0, 150, 100); /* the timeline goes on after the window */
    measure_hop(&m, 3, 10, 0, 20);
    measure_hop(&m, 3, 10, 99, 20);
    measure_hop(&m, 3, 10, 100, 20);
    measure_ack(&m, 199);
    measure_ack_time(&m, 200);
    measure_unblocking(&m, 200);
    deliver(&m, 1, 1, 50, 2, 299); /* 11 bytes */
    deliver(&m, 1, 2, 50, 2, 300); /* 12 bytes */
    assert_int_equal(m.rows, 4);
    assert_int_equal(m.row[0].hops[3], 2);
    assert_int_equal(m.row[1].hops[3], 1);
    assert_int_equal(m.row[1].acks, 1);
    assert_int_equal(m.row[2].acks, 1);
    assert_int_equal(m.acks, 1); /* one of them is counted elsewhere */
    assert_int_equal(m.row[2].unblocking, 1);
    assert_int_equal(m.row[2].delivered, 1);
    assert_int_equal(m.row[2].payload_bytes, 11);
    assert_int_equal(m.row[3].delivered, 1);
    assert_int_equal(m.row[3].payload_bytes, 12);
    measure_fini(&m);
}

static void a_busy_link_is_shared_out_among_rows(void **state)
{
    (void)state;
    measure_init(&m, 0, 300, 100);
    assert_int_equal(measure_busy(&m, 4, 250, 200), 50); /* the sum is limited, the rows are not */
    assert_int_equal(m.rows, 5);
    static const uint64_t expected[] = {0, 0, 50, 100, 50};
    for (int i = 0; i < 5; i++)
        assert_int_equal(m.row[i].busy[4], expected[i]);
    measure_busy(&m, 4, 300, 100);
    measure_busy(&m, 4, 499, 1);
    assert_int_equal(m.row[3].busy[4], 200);
    assert_int_equal(m.row[4].busy[4], 51);
    assert_int_equal(m.rows, 5);
    measure_fini(&m);
}

static void rows_far_ahead_leave_empty_ones_between(void **state)
{
    (void)state;
    static const struct measure_row empty;
    measure_init(&m, 0, CYCLE_NEVER, 10);
    for (cycle_t time = 5; time < 100000; time *= 7)
        measure_row_at(&m, time)->delivered = time;
    for (size_t i = 0; i < m.rows; i++) {
        cycle_t time = 5;
        while (time / 10 < i)
            time *= 7;
        if (time / 10 == i)
            assert_int_equal(m.row[i].delivered, time);
        else
            assert_memory_equal(&m.row[i], &empty, sizeof(empty));
    }
    assert_true(m.rows > 1000);
    measure_fini(&m);
}

static void rows_tell_what_fills_the_buffers_at_their_end(void **state)
{
    (void)state;
    measure_init(&m, 0, CYCLE_NEVER, 100);
    measure_now(&m, 10);
    measure_occupy(&m, 0, 5);
    measure_sample(&m, 99); /* the first is not over */
    assert_int_equal(m.sample_at, 100);
    measure_sample(&m, 130);
    measure_now(&m, 130);
    measure_occupy(&m, 0, -2);
    measure_occupy(&m, 7, 1);
    measure_sample(&m, 400); /* three at a time; the last ends here */
    measure_now(&m, 400);
    measure_occupy(&m, 0, -3);
    measure_close(&m, 500);
    static const uint64_t first[] = {5, 3, 3, 3, 0}, last[] = {0, 1, 1, 1, 1};
    assert_int_equal(m.rows, 5);
    for (int i = 0; i < 5; i++) {
        assert_int_equal(m.row[i].occupied[0], first[i]);
        assert_int_equal(m.row[i].occupied[7], last[i]);
    }
    measure_fini(&m);
}

static void without_an_interval_there_are_no_rows(void **state)
{
    (void)state;
    measure_init(&m, 0, CYCLE_NEVER, 0);
    for (uint32_t i = 0; i < 1000; i++)
        happen(&m, i);
    measure_close(&m, 1000);
    assert_int_equal(m.rows, 0);
    assert_null(m.row);
    measure_fini(&m);
}

/* ---- archives ---- */

static void archive_measure(void *state, struct archive *a)
{
    measure_archive(state, a);
}

static void a_saved_measure_goes_on_as_the_original_would(void **state)
{
    (void)state;
    static const cycle_t intervals[] = {0, 100, 5};
    for (int k = 0; k < 3; k++) {
        measure_init(&m, 500, 9000, intervals[k]);
        measure_init(&other, 500, 9000, intervals[k]);
        for (uint32_t i = 0; i < 5000; i++)
            happen(&m, i);
        struct saved saved = save(archive_measure, &m);
        assert_true(load(archive_measure, &other, &saved));
        assert_same(&m, &other);
        for (uint32_t i = 5000; i < 10000; i++) {
            happen(&m, i);
            happen(&other, i);
        }
        measure_close(&m, 10000);
        measure_close(&other, 10000);
        assert_same(&m, &other);
        measure_fini(&m);
        measure_fini(&other);
        free(saved.bytes);
    }
}

static void more_rows_than_the_archive_holds_are_refused(void **state)
{
    (void)state;
    measure_init(&m, 0, CYCLE_NEVER, 100);
    measure_row_at(&m, 950);
    struct saved saved = save(archive_measure, &m);
    uint64_t many[] = {11, 1000000, UINT64_MAX};
    for (int i = 0; i < 3; i++) {
        measure_init(&other, 0, CYCLE_NEVER, 100);
        memcpy(saved.bytes + offsetof(struct measure, row), &many[i], 8);
        assert_false(load(archive_measure, &other, &saved));
        assert_true(other.row_capacity <= 11);
        measure_fini(&other);
    }
    measure_fini(&m);
    free(saved.bytes);
}

GROUP(measure)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(deliveries_are_counted),
        cmocka_unit_test(the_digest_tells_who_came_where_and_when),
        cmocka_unit_test(two_that_change_places_change_the_names),
        cmocka_unit_test(classes_are_told_apart_by_both_ends),
        cmocka_unit_test(the_parts_merged_are_the_whole),
        cmocka_unit_test(merging_parts_in_any_order_gives_the_same),
        cmocka_unit_test(the_order_of_deliveries_does_not_matter),
        cmocka_unit_test(a_window_that_is_found_is_as_one_that_was_given),
        cmocka_unit_test(bins_follow_arrivals),
        cmocka_unit_test(occupancy_is_chunks_times_cycles),
        cmocka_unit_test(occupancy_counts_within_the_window_only),
        cmocka_unit_test(cycles_without_room_are_counted_alike),
        cmocka_unit_test(a_busy_link_counts_within_the_window_only),
        cmocka_unit_test(deliveries_count_by_arrival_and_responses_by_birth),
        cmocka_unit_test(hops_count_always_and_their_bytes_in_the_window_too),
        cmocka_unit_test(bytes_of_a_hop_are_spread_over_its_time),
        cmocka_unit_test(batches_part_the_window_by_birth),
        cmocka_unit_test(a_row_holds_what_happens_in_its_interval),
        cmocka_unit_test(a_busy_link_is_shared_out_among_rows),
        cmocka_unit_test(rows_far_ahead_leave_empty_ones_between),
        cmocka_unit_test(rows_tell_what_fills_the_buffers_at_their_end),
        cmocka_unit_test(without_an_interval_there_are_no_rows),
        cmocka_unit_test(a_saved_measure_goes_on_as_the_original_would),
        cmocka_unit_test(more_rows_than_the_archive_holds_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
