/*
 * The window loop on a toy model: a ring of partitions that pass tokens on, each after the
 * lookahead or later. Any number of threads gives the same sum; a message before the window's end
 * stops the program at the send, naming both partitions and times.
 */

#include "group.h"
#include "testing.h"

#include "base/random.h"
#include "engine/engine.h"

enum { PARTS = 7, LOOKAHEAD = 5 };

struct toy {
    struct engine engine;
    struct wheel wheel[PARTS];
    uint64_t sum[PARTS]; /* of (time, token) seen */
    uint64_t moves[PARTS], events[PARTS];
    uint32_t channel[PARTS];
    cycle_t delay; /* of a message */
    bool stuck;    /* events without progress */
};

static void toy_receive(void *ctx, uint32_t p, const struct channel_buffer *messages)
{
    struct toy *t = ctx;
    for (uint32_t i = 0; i < messages->count; i++)
        wheel_push(&t->wheel[p], messages->message[i].time, messages->message[i].event);
}

static void toy_event(struct toy *t, uint32_t p, cycle_t now, event_t token)
{
    t->sum[p] += random_mix(now * 31 + token);
    t->moves[p] += !t->stuck;
    t->events[p]++;
    if (t->stuck)
        wheel_push(&t->wheel[p], now + 50, token);
    else if (token % 1000 < 400) /* hops so far */
        channel_send(&t->engine.channel[t->channel[p]], now + t->delay + token % 3, token + 1, 0);
}

static void toy_advance(void *ctx, uint32_t p, cycle_t until)
{
    struct toy *t = ctx;
    cycle_t now;
    while ((now = wheel_next(&t->wheel[p])) < until) {
        struct wheel *w = &t->wheel[p];
        for (struct wheel_chain c = wheel_take(w, now); c.block; c = wheel_next_block(w, c))
            for (uint32_t i = 0; i < c.count; i++)
                toy_event(t, p, now, wheel_events(w, c)[i]);
    }
}

static void toy_account(void *ctx, uint32_t p, struct engine_account *account)
{
    struct toy *t = ctx;
    *account = (struct engine_account){.next = wheel_next(&t->wheel[p]),
                                       .progress = t->moves[p],
                                       .cut_independent_events = t->events[p],
                                       .work = t->moves[p]};
}

static void toy_init(struct toy *t, cycle_t delay)
{
    struct engine_model model = {
        .ctx = t, .receive = toy_receive, .advance = toy_advance, .account = toy_account};
    memset(t, 0, sizeof(*t));
    t->delay = delay;
    engine_init(&t->engine, &model, PARTS, LOOKAHEAD);
    for (uint32_t p = 0; p < PARTS; p++) {
        wheel_init(&t->wheel[p], 30000);
        t->channel[p] = engine_connect(&t->engine, p, (p + 1) % PARTS);
        for (uint64_t token = 0; token <= p; token++)
            wheel_push(&t->wheel[p], 3 * token + p, token * 1000);
    }
}

static void toy_fini(struct toy *t)
{
    for (uint32_t p = 0; p < PARTS; p++)
        wheel_fini(&t->wheel[p]);
    engine_fini(&t->engine);
}

static uint64_t toy_run(uint32_t threads, bool share_always, struct engine_outcome *outcome)
{
    struct toy t;
    struct engine_options o = {.threads = threads,
                               .share_always = share_always,
                               .stop_at = CYCLE_NEVER,
                               .stall_cycles = 100000};
    uint64_t sum = 0;
    toy_init(&t, LOOKAHEAD);
    assert_int_equal(engine_run(&t.engine, &o, outcome), WEFT_OK);
    for (uint32_t p = 0; p < PARTS; p++)
        sum += t.sum[p];
    toy_fini(&t);
    return sum;
}

static void any_number_of_threads_gives_one_answer(void **state)
{
    (void)state;
    struct engine_outcome outcome;
    uint64_t one = toy_run(1, false, &outcome), windows = outcome.windows;
    assert_int_equal(outcome.end, ENGINE_QUIET);
    for (uint32_t threads = 2; threads <= 12; threads++)
        for (int always = 0; always < 2; always++) { /* windows are small enough to be run alone */
            assert_int_equal(toy_run(threads, always, &outcome), one);
            assert_int_equal(outcome.windows, windows);
            assert_int_equal(outcome.end, ENGINE_QUIET);
        }
}

static void it_stops_where_it_is_told(void **state)
{
    (void)state;
    struct toy t;
    struct engine_outcome outcome;
    struct engine_options o = {.threads = 2, .stop_at = 100, .stall_cycles = 100000};
    toy_init(&t, LOOKAHEAD);
    engine_run(&t.engine, &o, &outcome);
    assert_int_equal(outcome.end, ENGINE_STOPPED);
    assert_true(outcome.now >= 100);
    for (uint32_t p = 0; p < PARTS; p++)
        assert_true(t.wheel[p].now < 100);
    toy_fini(&t);
}

static void standing_still_is_noticed(void **state)
{
    (void)state;
    struct toy t;
    struct engine_outcome outcome;
    struct engine_options o = {.threads = 1, .stop_at = CYCLE_NEVER, .stall_cycles = 1000};
    toy_init(&t, LOOKAHEAD);
    t.stuck = true;
    engine_run(&t.engine, &o, &outcome);
    assert_int_equal(outcome.end, ENGINE_STALLED);
    toy_fini(&t);
}

/* A broken invariant ends the run, with both partitions and times, and not the program. */
static void a_message_too_early_stops_at_the_send(void **state)
{
    (void)state;
    for (uint32_t threads = 1; threads <= 3; threads++) {
        struct toy t;
        struct engine_outcome outcome;
        struct engine_options o = {
            .threads = threads, .stop_at = CYCLE_NEVER, .stall_cycles = 1000};
        toy_init(&t, 1);
        assert_int_equal(engine_run(&t.engine, &o, &outcome), WEFT_FAILED);
        assert_non_null(strstr(weft_last_error(), "lookahead violated: partition "));
        assert_non_null(strstr(weft_last_error(), " sends to partition "));
        assert_non_null(strstr(weft_last_error(), "window ends at cycle "));
        toy_fini(&t);
    }
}

GROUP(engine)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_number_of_threads_gives_one_answer),
        cmocka_unit_test(it_stops_where_it_is_told),
        cmocka_unit_test(standing_still_is_noticed),
        cmocka_unit_test(a_message_too_early_stops_at_the_send),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
