/* Hint bits lead to the destination by a shortest path; at half a ring, both ways get equal use. */
#include "group.h"
#include "testing.h"

#include "fabric/torus/route.h"

/* Walks a packet by its hint bits, any order of dimensions; returns where it ends. */
static uint32_t walk(const struct torus *t, uint32_t node, struct torus_packet p)
{
    while (p.hint) {
        unsigned port = (unsigned)__builtin_ctz(p.hint);
        node = torus_neighbour(t, node, port);
        assert_int_not_equal(node, TORUS_NO_NODE);
        if (--p.hops[port / 2] == 0)
            p.hint &= (uint8_t) ~(1u << port);
    }
    return node;
}

static void hints_lead_to_the_destination(void **state)
{
    (void)state;
    static const char *const sizes[] = {"2x1x1", "4x4x4", "3x5x7", "8x8x1", "2x2x2"};
    for (unsigned i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
        for (int wrap = 0; wrap < 2; wrap++)
            for (int source = 0; source < 2; source++) {
                struct torus t;
                torus_parse(sizes[i], &t);
                for (unsigned d = 0; d < t.dims; d++)
                    t.wrap[d] = wrap;
                for (uint32_t a = 0; a < t.nodes; a++)
                    for (uint32_t b = 0; b < t.nodes; b++) {
                        struct torus_packet p = {.hint = 0};
                        hints_set(&t, (enum hint_source)source, a, b, a * 7 + b, &p);
                        assert_int_equal(walk(&t, a, p), b);
                        assert_int_equal(p.hops[0] + p.hops[1] + p.hops[2],
                                         torus_distance(&t, a, b));
                        for (unsigned d = 0; d < 3; d++) /* never both ways */
                            assert_int_not_equal(p.hint >> (2 * d) & 3, 3);
                    }
            }
}

static void hardware_shares_half_a_ring(void **state)
{
    (void)state;
    struct torus t;
    unsigned plus = 0, minus = 0;
    torus_parse("8x8x8", &t);
    for (uint32_t a = 0; a < t.nodes; a++) {
        struct torus_packet p = {.hint = 0};
        uint32_t c[TORUS_MAX_DIMS];
        torus_coordinates(&t, a, c);
        c[0] = (c[0] + 4) % 8;
        hints_set(&t, HINTS_HARDWARE, a, torus_node(&t, c), 0, &p);
        plus += p.hint == 1;
        minus += p.hint == 2;
    }
    assert_int_equal(plus, 256);
    assert_int_equal(minus, 256);
}

static void cut_off_registers_follow_the_rule(void **state)
{
    (void)state;
    struct torus t;
    torus_parse("8x1x1", &t);
    uint32_t even[] = {2, 0, 0}, odd[] = {3, 0, 0};
    struct cutoffs e = hints_cutoffs(&t, 0, even), o = hints_cutoffs(&t, 0, odd);
    assert_int_equal(e.plus, 6); /* 2 to 6 is half a ring: plus */
    assert_int_equal(e.minus, -1);
    assert_int_equal(o.plus, 6); /* 3 to 7 is half a ring: not plus */
    assert_int_equal(o.minus, -1);
}

GROUP(hints)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hints_lead_to_the_destination),
        cmocka_unit_test(hardware_shares_half_a_ring),
        cmocka_unit_test(cut_off_registers_follow_the_rule),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
