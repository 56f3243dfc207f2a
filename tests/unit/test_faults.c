/* T015: hint bits route packets around dead nodes. */
#include "group.h"
#include "sanitizers.h"
#include "testing.h"

#include "fabric/torus/route.h"

enum { SIZES = SANITIZED ? 2 : 3, MIDPLANES = SANITIZED ? 6 : 60 };

static const uint8_t xyz[] = {0, 1, 2, 3, 4, 5};

static struct torus torus_of(const char *dims)
{
    struct torus t;
    assert_int_equal(torus_parse(dims, &t), WEFT_OK);
    return t;
}

/* Faults of a list of nodes. */
static struct torus_faults faults_of(const struct torus *t, const uint32_t *node, uint32_t nodes)
{
    struct torus_faults f;
    char text[256] = "";
    for (uint32_t i = 0; i < nodes; i++) {
        uint32_t c[TORUS_MAX_DIMS];
        torus_coordinates(t, node[i], c);
        sprintf(text + strlen(text), i ? ",%u/%u/%u" : "%u/%u/%u", c[0], c[1], c[2]);
    }
    assert_int_equal(faults_parse(t, text, "none", &f), WEFT_OK);
    return f;
}

/* Whether two nodes differ in one dimension only. */
static bool in_line(const struct torus *t, uint32_t a, uint32_t b)
{
    uint32_t ca[TORUS_MAX_DIMS], cb[TORUS_MAX_DIMS];
    unsigned differ = 0;
    torus_coordinates(t, a, ca);
    torus_coordinates(t, b, cb);
    for (unsigned d = 0; d < 3; d++)
        differ += ca[d] != cb[d];
    return differ <= 1;
}

/* A packet that takes any of its live hinted ways, each at random, arrives. */
static void walk(const struct torus *t, const struct torus_faults *f, uint32_t from, uint32_t to,
                 uint32_t seed)
{
    struct torus_packet p = {.flags = TORUS_DYNAMIC};
    assert_true(faults_route(f, t, xyz, from, to, seed, &p));
    for (uint32_t at = from; at != to;) {
        unsigned ports = p.hint & ~faults_ports(f, at), port;
        assert_true(ports);
        do
            port = (seed = seed * 1664525 + 1013904223) >> 16 & 7;
        while (port > 5 || !(ports >> port & 1));
        at = torus_neighbour(t, at, port);
        assert_false(faults_is_dead(f, at));
        if (--p.hops[port / 2] == 0)
            p.hint &= (uint8_t) ~(1u << port);
    }
    assert_int_equal(p.hint, 0);
}

static void three_dead_nodes_not_in_line_leave_all_connected(void **state)
{
    (void)state;
    static const char *const sizes[] = {"3x3x3", "2x4x4", "4x4x4"};
    for (size_t s = 0; s < SIZES; s++) {
        struct torus t = torus_of(sizes[s]);
        uint32_t triples = 0;
        /* The torus looks the same from every node: the first is the origin. */
        for (uint32_t a = 1; a < t.nodes; a++)
            for (uint32_t b = a + 1; b < t.nodes; b++) {
                if (in_line(&t, 0, a) || in_line(&t, 0, b) || in_line(&t, a, b))
                    continue;
                uint32_t node[] = {0, a, b};
                struct torus_faults f = faults_of(&t, node, 3);
                assert_int_equal(faults_connected(&f, &t, xyz, true, false), WEFT_OK);
                triples++;
            }
        print_message("# %s: %u triples\n", sizes[s], triples);
        assert_true(triples > 10);
    }
}

static void samples_of_the_midplane_are_connected(void **state)
{
    (void)state;
    struct torus t = torus_of("8x8x8");
    uint32_t seed = 7;
    for (unsigned n = 0; n < MIDPLANES; n++) {
        uint32_t node[3];
        do
            for (unsigned i = 0; i < 3; i++)
                node[i] = (seed = seed * 1664525 + 1013904223) >> 8 & 511;
        while (in_line(&t, node[0], node[1]) || in_line(&t, node[0], node[2]) ||
               in_line(&t, node[1], node[2]));
        struct torus_faults f = faults_of(&t, node, 3);
        assert_int_equal(faults_connected(&f, &t, xyz, true, false), WEFT_OK);
        for (unsigned w = 0; w < 2000; w++) {
            uint32_t a = (seed = seed * 1664525 + 1013904223) >> 8 & 511;
            uint32_t b = (seed = seed * 1664525 + 1013904223) >> 8 & 511;
            if (a != b && !faults_is_dead(&f, a) && !faults_is_dead(&f, b))
                walk(&t, &f, a, b, seed);
        }
    }
}

static void two_dead_nodes_in_a_line_part_it(void **state)
{
    (void)state;
    struct torus t = torus_of("8x8x8");
    uint32_t node[] = {2,
                       5}; /* x = 2 and x = 5: what lies between cannot be reached from outside */
    struct torus_faults f = faults_of(&t, node, 2);
    assert_int_equal(faults_connected(&f, &t, xyz, true, false), WEFT_BAD_INPUT);
    assert_non_null(strstr(weft_last_error(), "from node"));
    struct torus_packet p = {.flags = TORUS_DYNAMIC};
    assert_false(faults_route(&f, &t, xyz, 3, 6, 0, &p));
    assert_true(faults_route(&f, &t, xyz, 3, 4, 0, &p));
    uint32_t neighbours[] = {2, 3}; /* side by side nothing lies between them */
    f = faults_of(&t, neighbours, 2);
    assert_int_equal(faults_connected(&f, &t, xyz, true, false), WEFT_OK);
}

static void a_fixed_path_needs_its_corners(void **state)
{
    (void)state;
    struct torus t = torus_of("4x4x4");
    uint32_t corner = 1; /* of the way x, then y, from 0 to (1, 1, 0) */
    struct torus_faults f = faults_of(&t, &corner, 1);
    struct torus_packet fixed = {.flags = 0}, dynamic = {.flags = TORUS_DYNAMIC};
    assert_false(faults_route(&f, &t, xyz, 0, 5, 0, &fixed));
    assert_true(faults_route(&f, &t, xyz, 0, 5, 0, &dynamic));
    assert_true(faults_route(&f, &t, xyz, 0, 2, 0, &fixed)); /* by x- */
    assert_int_equal(fixed.hint, 2);
    assert_int_equal(faults_connected(&f, &t, xyz, false, true), WEFT_BAD_INPUT);
}

static void a_dead_link_is_gone_around(void **state)
{
    (void)state;
    struct torus t = torus_of("4x4x4");
    struct torus_faults f;
    struct torus_packet p = {.flags = TORUS_DYNAMIC};
    assert_int_equal(faults_parse(&t, "none", "0/0/0:x+", &f), WEFT_OK);
    assert_int_equal(faults_ports(&f, 0), 1);
    assert_int_equal(faults_ports(&f, 1), 2);
    assert_true(faults_route(&f, &t, xyz, 0, 1, 0, &p));
    assert_int_equal(p.hint, 2);
    assert_int_equal(p.hops[0], 3);
    assert_int_equal(faults_connected(&f, &t, xyz, true, true), WEFT_OK);
}

static void what_is_wrong_is_said(void **state)
{
    (void)state;
    struct torus t = torus_of("4x4x4");
    struct torus_faults f;
    static const char *const nodes[] = {"1/2",         "4/0/0",  "1/2/3/1", "a",
                                        "1/2/3;1/1/1", "-1/0/0", "1/2/3,,", "1//2"};
    for (size_t i = 0; i < sizeof(nodes) / sizeof(nodes[0]); i++)
        assert_int_equal(faults_parse(&t, nodes[i], "none", &f), WEFT_BAD_INPUT);
    static const char *const links[] = {"1/2/3", "1/2/3:", "1/2/3:w+", "1/2/3x+", "1/2/3:x+y"};
    for (size_t i = 0; i < sizeof(links) / sizeof(links[0]); i++)
        assert_int_equal(faults_parse(&t, "none", links[i], &f), WEFT_BAD_INPUT);
    struct torus flat = torus_of("4x4x1");
    assert_int_equal(faults_parse(&flat, "none", "1/2/0:z+", &f), WEFT_BAD_INPUT);
    assert_string_equal(weft_last_error(),
                        "machine.dead_links: this machine has no link 1/2/0:z+; name others");
}

GROUP(faults)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(three_dead_nodes_not_in_line_leave_all_connected),
        cmocka_unit_test(samples_of_the_midplane_are_connected),
        cmocka_unit_test(two_dead_nodes_in_a_line_part_it),
        cmocka_unit_test(a_fixed_path_needs_its_corners),
        cmocka_unit_test(a_dead_link_is_gone_around),
        cmocka_unit_test(what_is_wrong_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
