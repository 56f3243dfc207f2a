/* Boxes of a torus that are wired apart: each is a torus of its own, for all that asks for
 * neighbours, distances, hint bits and routes around what is dead. */
#include "group.h"
#include "testing.h"

#include "fabric/torus/network.h"
#include "fabric/torus/route.h"
#include "topology/torus/wiring.h"

/* A machine of 3x4x3 cells of 2x2x2 nodes with three boxes, one of them around an end. */
enum { BOXES = 3, CELLS = 3 * 4 * 3 };

struct wired {
    struct torus machine;
    struct wiring *wiring;
};

static const uint32_t cell[TORUS_MAX_DIMS] = {2, 2, 2};

static struct wired wire(void)
{
    static const struct box box[BOXES] = {
        {{4, 6, 4}, {4, 4, 2}}, {{0, 0, 0}, {2, 8, 2}}, {{2, 2, 0}, {2, 2, 6}}};
    struct wired w;
    assert_int_equal(torus_parse("6x8x6", &w.machine), WEFT_OK);
    w.machine.wiring = w.wiring = wiring_create(&w.machine, cell, box, BOXES);
    return w;
}

static void boxes_have_all_nodes_once(void **state)
{
    (void)state;
    struct wired w = wire();
    uint32_t nodes = 0, idle = 0;
    assert_int_equal(w.wiring->given, BOXES);
    assert_int_equal(w.wiring->boxes, BOXES + CELLS - 4 - 4 - 3);
    for (uint32_t i = 0; i < w.wiring->boxes; i++)
        nodes += w.wiring->box[i].torus.nodes;
    assert_int_equal(nodes, w.machine.nodes);
    for (uint32_t node = 0; node < w.machine.nodes; node++) {
        const struct wiring_box *own = wiring_box_of(w.wiring, node);
        assert_true(box_has(&w.machine, &own->box, node));
        assert_int_equal(box_node(&w.machine, &own->box, wiring_number(&w.machine, node)), node);
        idle += wiring_idles(&w.machine, node);
    }
    assert_int_equal(idle, w.machine.nodes - 8 * (4 + 4 + 3));
    wiring_destroy(w.wiring);
}

/* The link behind a port leads to the node that it leads to in a torus of the box's size, and back
 * by the opposite port. */
static void each_box_is_a_torus(void **state)
{
    (void)state;
    struct wired w = wire();
    const struct torus *t = &w.machine;
    uint64_t links = 0;
    for (uint32_t node = 0; node < t->nodes; node++)
        for (unsigned port = 0; port < 6; port++) {
            uint32_t next = torus_neighbour(t, node, port);
            const struct torus *own = wiring_torus(t, node);
            assert_true(next != TORUS_NO_NODE && wiring_joins(t, node, next));
            assert_int_equal(wiring_number(t, next),
                             torus_neighbour(own, wiring_number(t, node), port));
            assert_int_equal(torus_neighbour(t, next, torus_opposite(port)), node);
            assert_int_equal(torus_link_wraps(t, node, port),
                             torus_link_wraps(own, wiring_number(t, node), port));
            links++;
        }
    assert_int_equal(torus_links(t), links);
    wiring_destroy(w.wiring);
}

/* x of the first box is two cells around the machine's end: 4, 5, 0, 1. */
static void a_ring_closes_within_its_box(void **state)
{
    (void)state;
    struct wired w = wire();
    static const uint32_t along[] = {4, 5, 0, 1};
    for (unsigned i = 0; i < 4; i++) {
        uint32_t here[] = {along[i], 6, 4}, next[] = {along[(i + 1) % 4], 6, 4};
        assert_int_equal(torus_neighbour(&w.machine, torus_node(&w.machine, here), 0),
                         torus_node(&w.machine, next));
    }
    wiring_destroy(w.wiring);
}

static void distances_end_at_the_box(void **state)
{
    (void)state;
    struct wired w = wire();
    const struct torus *t = &w.machine;
    for (uint32_t a = 0; a < t->nodes; a += 5)
        for (uint32_t b = 0; b < t->nodes; b++) {
            uint32_t inside =
                wiring_joins(t, a, b)
                    ? torus_distance(wiring_torus(t, a), wiring_number(t, a), wiring_number(t, b))
                    : UINT32_MAX;
            assert_int_equal(torus_distance(t, a, b), inside);
        }
    wiring_destroy(w.wiring);
}

/* Follows a packet's hint bits to where they lead. */
static uint32_t walk(const struct torus *t, uint32_t node, const struct torus_packet *packet)
{
    for (unsigned port = 0; port < 6; port++)
        for (unsigned hop = 0; (packet->hint >> port & 1) && hop < packet->hops[port / 2]; hop++)
            node = torus_neighbour(t, node, port);
    return node;
}

static struct torus_addressing addressing_of(const struct torus *t, const struct torus_faults *f,
                                             enum hint_source hints)
{
    struct torus_params params = {.dynamic_vcs = 2};
    struct torus_derived derived = {.escape_order = {0, 1, 2, 3, 4, 5}};
    return addressing_make(t, &params, &derived, f, hints);
}

/* Ties at half a ring too, which hardware decides by where a node is in its box. */
static void hint_bits_are_those_of_the_box(void **state)
{
    (void)state;
    struct wired w = wire();
    const struct torus *t = &w.machine;
    for (unsigned hints = HINTS_HARDWARE; hints <= HINTS_SOFTWARE; hints++) {
        struct torus_addressing a = addressing_of(t, NULL, hints);
        for (uint32_t from = 0; from < t->nodes; from += 3)
            for (uint32_t to = 0; to < t->nodes; to++) {
                struct torus_packet here = {.flags = 0}, alone = {.flags = 0};
                if (!wiring_joins(t, from, to))
                    continue;
                address_packet(&a, from, to, from ^ to, &here);
                hints_set(wiring_torus(t, from), hints, wiring_number(t, from),
                          wiring_number(t, to), from ^ to, &alone);
                assert_int_equal(here.hint, alone.hint);
                assert_memory_equal(here.hops, alone.hops, sizeof(here.hops));
                assert_int_equal(walk(t, from, &here), to);
            }
    }
    wiring_destroy(w.wiring);
}

/* What is dead in one box changes nothing in another; in its own, it does what it would do there.
 */
static void packets_go_around_what_is_dead_in_their_box(void **state)
{
    (void)state;
    struct wired w = wire();
    const struct torus *t = &w.machine, *own = &w.wiring->box[0].torus;
    struct torus_faults here, alone;
    static const uint8_t xyz[] = {0, 1, 2, 3, 4, 5};
    /* Nodes 1/2/0 and link 3/1/1:y+ of the first box. */
    assert_int_equal(faults_parse(t, "5/0/4", "1/7/5:y+", &here), WEFT_OK);
    assert_int_equal(faults_parse(own, "1/2/0", "3/1/1:y+", &alone), WEFT_OK);
    assert_int_equal(here.wounded, alone.wounded);
    assert_int_equal(faults_connected(&here, t, xyz, true, false), WEFT_OK);
    for (uint32_t from = 0; from < t->nodes; from++)
        for (uint32_t to = 0; to < t->nodes; to++) {
            struct torus_packet a = {.flags = TORUS_DYNAMIC}, b = a;
            if (from == to || faults_is_dead(&here, from) || faults_is_dead(&here, to))
                continue;
            bool found = faults_route(&here, t, xyz, from, to, from + to, &a);
            assert_int_equal(found, wiring_joins(t, from, to));
            if (!found || w.wiring->of[from])
                continue;
            assert_true(faults_route(&alone, own, xyz, wiring_number(t, from), wiring_number(t, to),
                                     from + to, &b));
            assert_int_equal(a.hint, b.hint);
            assert_memory_equal(a.hops, b.hops, sizeof(a.hops));
        }
    wiring_destroy(w.wiring);
}

static void datelines_are_those_of_the_box(void **state)
{
    (void)state;
    struct wired w = wire();
    struct torus_params highest = {.dateline = {5, 7, 5}}, first = {.dateline = {0, 0, 0}},
                        own = {.dateline = {3, 3, 1}};
    for (uint32_t node = 0; node < w.machine.nodes; node++)
        for (unsigned port = 0; port < 6; port++) {
            uint32_t number = wiring_number(&w.machine, node);
            const struct torus *home = wiring_torus(&w.machine, node);
            assert_int_equal(torus_crosses_dateline(&w.machine, &first, node, port),
                             torus_crosses_dateline(home, &first, number, port));
            if (home == &w.wiring->box[0].torus)
                assert_int_equal(torus_crosses_dateline(&w.machine, &highest, node, port),
                                 torus_crosses_dateline(home, &own, number, port));
        }
    wiring_destroy(w.wiring);
}

GROUP(wiring)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_have_all_nodes_once),
        cmocka_unit_test(each_box_is_a_torus),
        cmocka_unit_test(a_ring_closes_within_its_box),
        cmocka_unit_test(distances_end_at_the_box),
        cmocka_unit_test(hint_bits_are_those_of_the_box),
        cmocka_unit_test(packets_go_around_what_is_dead_in_their_box),
        cmocka_unit_test(datelines_are_those_of_the_box),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
