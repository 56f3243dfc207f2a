/* Topology against plain counting: breadth-first distances, sums over all pairs, odd sizes. */
#include "group.h"
#include "testing.h"

#include "topology/torus/torus.h"

static const char *const sizes[] = {"1x1x1", "2x1x1", "2x2x2", "4x4x4",  "3x5x7",
                                    "8x8x1", "5",     "2x3",   "3x2x2x2"};
enum { SIZES = sizeof(sizes) / sizeof(sizes[0]) };

static struct torus make(const char *text, bool wrap)
{
    struct torus t;
    assert_int_equal(torus_parse(text, &t), WEFT_OK);
    for (unsigned d = 0; d < t.dims; d++)
        t.wrap[d] = wrap;
    return t;
}

/* Hops from node `from` to all others, by breadth-first search over neighbours. */
static void search(const struct torus *t, uint32_t from, uint32_t *hops)
{
    uint32_t *queue = malloc(t->nodes * sizeof(*queue)), head = 0, tail = 0;
    for (uint32_t n = 0; n < t->nodes; n++)
        hops[n] = UINT32_MAX;
    hops[from] = 0;
    queue[tail++] = from;
    while (head < tail) {
        uint32_t node = queue[head++];
        for (unsigned port = 0; port < 2 * t->dims; port++) {
            uint32_t next = torus_neighbour(t, node, port);
            if (next != TORUS_NO_NODE && hops[next] == UINT32_MAX) {
                hops[next] = hops[node] + 1;
                queue[tail++] = next;
            }
        }
    }
    free(queue);
}

static void distances_are_shortest_paths(void **state)
{
    (void)state;
    for (unsigned i = 0; i < SIZES; i++)
        for (int wrap = 0; wrap < 2; wrap++) {
            struct torus t = make(sizes[i], wrap);
            uint32_t *hops = malloc(t.nodes * sizeof(*hops)), furthest = 0;
            uint64_t sum = 0;
            for (uint32_t a = 0; a < t.nodes; a++) {
                search(&t, a, hops);
                for (uint32_t b = 0; b < t.nodes; b++) {
                    assert_int_equal(torus_distance(&t, a, b), hops[b]);
                    sum += hops[b];
                    furthest = hops[b] > furthest ? hops[b] : furthest;
                }
            }
            double mean = 0;
            for (unsigned d = 0; d < t.dims; d++)
                mean += torus_mean_hops(&t, d);
            if (t.nodes > 1)
                assert_near(mean, (double)sum / ((double)t.nodes * (t.nodes - 1)), 1e-9);
            assert_int_equal(torus_diameter(&t), furthest);
            free(hops);
        }
}

/* The ports on a shortest way, as offsets and their ties say. */
static uint32_t minimal_ports(const struct torus *t, uint32_t a, uint32_t b)
{
    uint32_t from[TORUS_MAX_DIMS], to[TORUS_MAX_DIMS], ports = 0;
    torus_coordinates(t, a, from);
    torus_coordinates(t, b, to);
    for (unsigned d = 0; d < t->dims; d++) {
        bool tie;
        int32_t offset = torus_offset(t, d, from[d], to[d], &tie);
        ports |= (offset > 0 ? 1u + 2u * tie : offset < 0 ? 2u : 0u) << 2 * d;
    }
    return ports;
}

static void minimal_ports_lead_nearer(void **state)
{
    (void)state;
    for (unsigned i = 0; i < SIZES; i++)
        for (int wrap = 0; wrap < 2; wrap++) {
            struct torus t = make(sizes[i], wrap);
            for (uint32_t a = 0; a < t.nodes; a += 1 + t.nodes / 17)
                for (uint32_t b = 0; b < t.nodes; b++) {
                    uint32_t ports = minimal_ports(&t, a, b);
                    for (unsigned port = 0; port < 2 * t.dims; port++) {
                        uint32_t next = torus_neighbour(&t, a, port);
                        bool nearer = next != TORUS_NO_NODE &&
                                      torus_distance(&t, next, b) < torus_distance(&t, a, b);
                        assert_int_equal(ports >> port & 1, nearer);
                    }
                }
        }
}

static void links_lead_back(void **state)
{
    (void)state;
    for (unsigned i = 0; i < SIZES; i++)
        for (int wrap = 0; wrap < 2; wrap++) {
            struct torus t = make(sizes[i], wrap);
            uint64_t links = 0;
            for (uint32_t n = 0; n < t.nodes; n++)
                for (unsigned port = 0; port < 2 * t.dims; port++) {
                    uint32_t next = torus_neighbour(&t, n, port);
                    if (next == TORUS_NO_NODE)
                        continue;
                    links++;
                    assert_int_equal(torus_neighbour(&t, next, torus_opposite(port)), n);
                }
            assert_int_equal(torus_links(&t), links);
        }
}

static void a_ring_of_two_has_both_its_links(void **state)
{
    (void)state;
    struct torus ring = make("2x1x1", true), line = make("2x1x1", false);
    assert_int_equal(torus_neighbour(&ring, 0, 0), 1);
    assert_int_equal(torus_neighbour(&ring, 0, 1), 1);
    assert_int_equal(torus_links(&ring), 4);
    assert_int_equal(minimal_ports(&ring, 0, 1), 3);
    assert_int_equal(torus_links(&line), 2);
    assert_int_equal(torus_neighbour(&line, 0, 1), TORUS_NO_NODE);
}

static void the_full_machine(void **state)
{
    (void)state;
    struct torus t = make("64x32x32", true);
    assert_int_equal(t.nodes, 65536);
    assert_int_equal(torus_bisection_links(&t), 4096);
    assert_int_equal(torus_diameter(&t), 64);
    assert_near(torus_mean_hops(&t, 0), 16 * 65536 / 65535.0, 1e-9);
}

static void wrong_sizes_are_refused(void **state)
{
    (void)state;
    static const char *const wrong[] = {
        "",      "0x8x8", "8x",          "x8",  "8x-8x8",      "8x8x8x",
        "8 x 8", "8.5",   "99999999999", "axb", "65536x65536", "1x1x1x1x1x1x1"};
    struct torus t;
    for (unsigned i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
        assert_int_equal(torus_parse(wrong[i], &t), WEFT_BAD_INPUT);
}

GROUP(torus)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances_are_shortest_paths),
        cmocka_unit_test(minimal_ports_lead_nearer),
        cmocka_unit_test(links_lead_back),
        cmocka_unit_test(a_ring_of_two_has_both_its_links),
        cmocka_unit_test(the_full_machine),
        cmocka_unit_test(wrong_sizes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
