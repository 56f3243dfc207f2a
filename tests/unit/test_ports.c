/*
 * The ports of an ideal network's nodes, through the nic's face: every send arrives once, whole,
 * with its cargo, in the order in which it was posted, on any cut; a port takes what passes one by
 * one.
 *
 * Times, in cycles of 1 ns: the processor half a cycle per byte at each end, a port one per byte,
 * the network 91.
 */
#include "group.h"
#include "nics.h"

enum { LATENCY = 91 };

#define EXACT                                                                                      \
    "machine.nodes=2 machine.latency_ns=91 machine.port.mb_per_s=1000 machine.port.gap_ns=0 "

static const char *const machines[] = {
    "machine.nodes=2",
    "machine.nodes=7 machine.node.processors=4",
    "machine.nodes=0 machine.topology=torus:2x2x2 machine.hop_ns=33.3",
    "machine.nodes=6 machine.port.gap_ns=500 machine.latency_ns=1",
    "machine.nodes=3 machine.port.mb_per_s=1e9 machine.latency_ns=5000",
};
enum { MACHINES = sizeof(machines) / sizeof(machines[0]) };

/* Sends stay whole; those of a queue leave as they were posted. */
static void every_send_arrives_once_in_order_with_its_cargo(void **state)
{
    (void)state;
    nics_test_random("ideal", machines, MACHINES, "run.partitions=2", NICS_QUEUE_ORDER);
}

static void sends_are_posted_from_all_calls(void **state)
{
    (void)state;
    nics_test_chain("ideal", machines, MACHINES, 3000, NICS_QUEUE_ORDER);
}

/* The port goes to the send that is ready, not to the one that was posted first. */
static void a_send_that_is_ready_does_not_wait_for_one_that_is_not(void **state)
{
    (void)state;
    struct nics n;
    nics_init(&n, "ideal", EXACT "machine.node.processors=2", 1);
    struct nic_send send = {.to = 1, .bytes = 100};
    send.ready = fine_at(5000);
    struct posting *late = nics_add(&n, 0, 1000, send);
    send.queue = 1;
    send.ready = fine_at(1010);
    struct posting *soon = nics_add(&n, 0, 1000, send);
    nics_run(&n);
    nics_check(&n);
    assert_int_equal(soon->sent_when, fine_at(1110));
    assert_int_equal(late->sent_when, fine_at(5100));
    nics_fini(&n);
}

static void a_send_takes_what_its_parts_take(void **state)
{
    (void)state;
    static const uint64_t bytes[] = {0, 1, 100, 100000};
    for (unsigned b = 0; b < sizeof(bytes) / sizeof(bytes[0]); b++) {
        struct nics n;
        nics_init(&n, "ideal", EXACT, 1);
        struct posting *p = nics_add(
            &n, 0, 1000, (struct nic_send){.to = 1, .bytes = bytes[b], .ready = fine_at(1050)});
        nics_run(&n);
        nics_check(&n);
        assert_int_equal(p->free, fine_at(1050));
        assert_int_equal(p->sent_when, fine_at(1050 + bytes[b]));
        assert_int_equal(p->first, fine_at(1050 + LATENCY + bytes[b]));
        nics_fini(&n);
    }
}

/* Out of a node and into a node one after the other, and no faster than the gap. */
static void ports_take_sends_one_by_one(void **state)
{
    (void)state;
    enum { SENDS = 20, BYTES = 100 };
    for (unsigned rule = 0; rule < 4; rule++) {
        char settings[300];
        struct nics n;
        uint32_t gap = rule % 2 ? 300 : 50;
        bool added = rule / 2;
        uint32_t slot = added ? gap + BYTES - 1 : gap > BYTES ? gap : BYTES;
        snprintf(settings, sizeof(settings),
                 EXACT "machine.nodes=4 machine.port.gap_ns=%u machine.port.gap_rule=%s", gap,
                 added ? "added" : "least");
        nics_init(&n, "ideal", settings, 1);
        for (unsigned i = 0; i < SENDS; i++) /* to three nodes, from one */
            nics_add(&n, 0, 0, (struct nic_send){.to = 1 + i % 3, .bytes = BYTES});
        for (unsigned i = 0; i < SENDS; i++) /* from three nodes, to one */
            nics_add(&n, 1 + i % 3, 100000, (struct nic_send){.to = 0, .bytes = BYTES});
        nics_run(&n);
        nics_check(&n);
        for (unsigned i = 0; i < SENDS; i++)
            assert_int_equal(n.posting[i].first, fine_at(i * slot + LATENCY + BYTES));
        for (unsigned i = SENDS; i < 2 * SENDS; i++)
            assert_int_equal(n.posting[i].first,
                             fine_at(100000 + n.posting[i].number * slot + LATENCY + BYTES));
        nics_fini(&n);
    }
}

static void the_client_is_woken_when_it_asked(void **state)
{
    (void)state;
    nics_test_wakes("ideal", "machine.nodes=4");
}

static void awaited_processes_are_counted(void **state)
{
    (void)state;
    nics_test_awaits("ideal", "machine.nodes=4");
}

static void a_pair_has_one_route(void **state)
{
    (void)state;
    struct nics n;
    uint64_t route[4];
    nics_init(&n, "ideal", "machine.nodes=4", 1);
    assert_int_equal(nic_routes(n.nic, 0, 1, 4, route), 1);
    nics_fini(&n);
}

GROUP(ports)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_send_arrives_once_in_order_with_its_cargo),
        cmocka_unit_test(sends_are_posted_from_all_calls),
        cmocka_unit_test(a_send_that_is_ready_does_not_wait_for_one_that_is_not),
        cmocka_unit_test(a_send_takes_what_its_parts_take),
        cmocka_unit_test(ports_take_sends_one_by_one),
        cmocka_unit_test(the_client_is_woken_when_it_asked),
        cmocka_unit_test(awaited_processes_are_counted),
        cmocka_unit_test(a_pair_has_one_route),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
