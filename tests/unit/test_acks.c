/* Acknowledgments on their way: notes, when they count, and which of them wake their node. */
#include "group.h"
#include "testing.h"

#include "fabric/torus/queue.h"

static void a_note_keeps_its_time_its_vc_and_its_tokens(void **state)
{
    (void)state;
    static const cycle_t nears[] = {1 << 23, (1 << 24) - 1, 1 << 24, (1 << 24) + 3, 1ull << 40};
    static const int64_t aheads[] = {-(1 << 22), -1, 0, 1, 300, 1 << 22};
    for (unsigned n = 0; n < sizeof(nears) / sizeof(nears[0]); n++)
        for (unsigned a = 0; a < sizeof(aheads) / sizeof(aheads[0]); a++)
            for (unsigned vc = 0; vc < TORUS_VCS; vc++) {
                cycle_t time = nears[n] + (cycle_t)aheads[a];
                unsigned tokens = 1 + vc % TORUS_MAX_CHUNKS;
                uint32_t note = note_make(time, vc, tokens);
                assert_int_equal(note_time(note, nears[n]), time);
                assert_int_equal(note_time(note | NOTE_EVENT, nears[n]), time);
                assert_int_equal(note_has_come(note | NOTE_EVENT, nears[n]), aheads[a] <= 0);
                assert_int_equal(note_vc(note), vc);
                assert_int_equal(note_tokens(note), tokens);
            }
}

static void what_has_come_is_counted_and_the_rest_is_kept(void **state)
{
    (void)state;
    uint64_t both = (uint64_t)note_make(120, 1, 3) << 32 | note_make(100, 0, 8);
    static const struct {
        cycle_t now;
        unsigned first, second; /* tokens of the two VCs by then */
    } cases[] = {{99, 0, 0}, {100, 8, 0}, {119, 8, 0}, {120, 8, 3}, {5000, 8, 3}};
    for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct torus_part p = {.base.nodes = 0};
        struct torus_port port = {.notes = both};
        count_acks(&p, &port, cases[i].now);
        assert_int_equal(port.tokens[0], cases[i].first);
        assert_int_equal(port.tokens[1], cases[i].second);
        assert_int_equal(noted_tokens(&port, 0), 8 - cases[i].first);
        assert_int_equal(noted_tokens(&port, 1), 3 - cases[i].second);
        assert_int_equal(port.notes != 0, cases[i].now < 120);
        count_acks(&p, &port, cases[i].now); /* once is enough */
        assert_int_equal(port.tokens[0], cases[i].first);
        assert_int_equal(port.tokens[1], cases[i].second);
    }
}

/* One node whose port 2 gets acknowledgments; moves ask VC 0 for one packet, VC 1 for two. */
struct rig {
    struct torus_part part;
    struct torus_derived derived;
    struct torus_router router;
    unsigned events, empty; /* pending; without tokens of their own */
    cycle_t last;
};

static void see_event(void *arg, cycle_t time, event_t e)
{
    struct rig *rig = arg;
    assert_int_equal(event_kind(e), TORUS_EVENT_ACK);
    assert_int_equal(event_port(e), 2);
    rig->events++;
    rig->empty += event_payload(e) == 0;
    rig->last = time > rig->last ? time : rig->last;
}

static void rig_init(struct rig *rig, unsigned tokens_0, unsigned tokens_1)
{
    static uint32_t dirty[2][4];
    memset(rig, 0, sizeof(*rig));
    rig->derived.room_asked[0] = 3;
    rig->derived.room_asked[1] = 2;
    rig->derived.most_asked[0] = TORUS_MAX_CHUNKS;
    rig->derived.most_asked[1] = 2 * TORUS_MAX_CHUNKS;
    rig->part.derived = &rig->derived;
    rig->part.router = &rig->router;
    rig->part.dirty[0].node = dirty[0];
    rig->part.dirty[1].node = dirty[1];
    rig->router.port[2].tokens[0] = (uint8_t)tokens_0;
    rig->router.port[2].tokens[1] = (uint8_t)tokens_1;
    wheel_init(&rig->part.base.wheel, 64);
}

static void rig_look(struct rig *rig)
{
    rig->events = rig->empty = 0;
    rig->last = 0;
    wheel_visit(&rig->part.base.wheel, see_event, rig);
}

static void only_what_may_let_a_head_move_takes_an_event(void **state)
{
    (void)state;
    struct rig rig;
    rig_init(&rig, 8, 8);
    note_ack(&rig.part, 0, 2, 0, 8, 30); /* VC 0 has room already */
    rig_look(&rig);
    assert_int_equal(rig.events, 0);
    note_ack(&rig.part, 0, 2, 1, 8, 40); /* VC 1 has room for one, is asked for two */
    rig_look(&rig);
    assert_int_equal(rig.events, 1);
    assert_int_equal(rig.empty, 1);
    assert_int_equal(rig.last, 40);
    note_ack(&rig.part, 0, 2, 0, 8, 50); /* no place for a third note */
    rig_look(&rig);
    assert_int_equal(rig.events, 2);
    assert_int_equal(rig.empty, 1);
    assert_int_equal(rig.last, 50);
    rig.router.port[2].tokens[0] = 0; /* VC 0 was used up: its note matters now, once */
    watch_notes(&rig.part, 0, 2, 0, 10);
    watch_notes(&rig.part, 0, 2, 0, 10);
    rig_look(&rig);
    assert_int_equal(rig.events, 3);
    assert_int_equal(rig.empty, 2);
    wheel_fini(&rig.part.base.wheel);
}

static void room_that_appears_wakes_the_node_in_its_cycle(void **state)
{
    (void)state;
    struct rig rig;
    rig_init(&rig, 0, 16);
    note_ack(&rig.part, 0, 2, 0, 8, 30);
    note_ack(&rig.part, 0, 2, 1, 8, 38);
    assert_int_equal(settle_acks(&rig.part, &rig.router, 0, 2, 29, 29), 0);
    assert_int_equal(rig.part.dirty[DIRTY_OTHER].count, 0);
    assert_int_equal(settle_acks(&rig.part, &rig.router, 0, 2, 30, 30), 30);
    assert_int_equal(rig.part.dirty[DIRTY_OTHER].count, 1);
    assert_int_equal(rig.router.port[2].acked, 1);
    rig.router.dirty = 0;
    assert_int_equal(settle_acks(&rig.part, &rig.router, 0, 2, 30, 1ull << 40), 38);
    assert_int_equal(rig.router.port[2].tokens[1], 24);
    assert_int_equal(rig.part.dirty[DIRTY_OTHER].count, 1); /* it had room for two before */
    assert_int_equal(rig.part.base.measure.acks, 2);
    wheel_fini(&rig.part.base.wheel);
}

GROUP(acks)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_note_keeps_its_time_its_vc_and_its_tokens),
        cmocka_unit_test(what_has_come_is_counted_and_the_rest_is_kept),
        cmocka_unit_test(only_what_may_let_a_head_move_takes_an_event),
        cmocka_unit_test(room_that_appears_wakes_the_node_in_its_cycle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
