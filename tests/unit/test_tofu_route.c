/*
 * Tofu's routes: the twelve paths go by their relays in the order of their phases and end at the
 * destination, half a ring away by the parity of its group's node; paths that are to share nothing
 * share nothing; whatever node, board or (on rings) group is dead, all others reach each other;
 * what is dead is read as it was meant.
 */
#include "group.h"
#include "sanitizers.h"
#include "testing.h"

#include "base/random.h"
#include "fabric/tofu/route.h"

/* Of all paths every one or every forty-first; dead parts, and pairs for each. */
enum {
    PATH_STRIDE = SANITIZED ? 41 : 1,
    DEAD_PARTS = SANITIZED ? 4 : 30,
    PAIRS = SANITIZED ? 60 : 2000
};

/* A machine; too large for a stack of machines. */
struct machine {
    struct torus shape;
    struct tofu_faults faults;
    struct tofu_routing routing;
};

static void make(struct machine *m, const char *dims, const char *wrap)
{
    memset(m, 0, sizeof(*m));
    assert_int_equal(torus_parse(dims, &m->shape), WEFT_OK);
    for (unsigned axis = TOFU_X; axis <= TOFU_Z; axis++)
        m->shape.wrap[axis] = wrap[axis] == 'r'; /* 'r': a ring; 'l': a line */
    assert_int_equal(tofu_shape_finish(&m->shape), WEFT_OK);
    m->routing =
        (struct tofu_routing){.shape = &m->shape,
                              .faults = &m->faults,
                              .order = {{TOFU_Z, TOFU_X, TOFU_Y}, {TOFU_Y, TOFU_X, TOFU_Z}},
                              .io_plane = true};
}

static weft_status kill(struct machine *m, const char *nodes, const char *boards,
                        const char *groups, const char *links)
{
    struct tofu_fault_texts texts = {nodes, boards, groups, links};
    return tofu_faults_parse(&m->shape, &texts, &m->faults);
}

static uint32_t node_at(const struct torus *t, uint32_t x, uint32_t y, uint32_t z, uint32_t a,
                        uint32_t b, uint32_t c)
{
    uint32_t place[TORUS_MAX_DIMS] = {x, y, z, a, b, c};
    return torus_node(t, place);
}

static const struct {
    const char *dims, *wrap;
} shapes[] = {{"1x1x1x2x3x2", "rrr"}, {"2x1x1x2x3x2", "rrr"}, {"2x1x1x2x3x2", "lll"},
              {"3x1x1x2x3x2", "rlr"}, {"1x4x1x2x3x2", "rrl"}, {"1x2x2x2x3x2", "lrl"}};
enum { SHAPES = sizeof(shapes) / sizeof(shapes[0]) };

/* ---- routes ---- */

/* The phase of a hop by its port, from the one before: never backwards. */
static unsigned phase(const struct tofu_routing *r, unsigned group, unsigned port, unsigned before)
{
    /* 0 b, 1 c, 2 a, 3 to 5 x, y and z in their order, 6 a, 7 c, 8 b */
    static const uint8_t first[] = {[TOFU_A] = 2, [TOFU_B] = 0, [TOFU_C] = 1};
    static const uint8_t last[] = {[TOFU_A] = 6, [TOFU_B] = 8, [TOFU_C] = 7};
    unsigned axis = tofu_port_axis(port);
    for (unsigned i = 0; i < 3; i++)
        if (r->order[group][i] == axis)
            return 3 + i;
    return first[axis] >= before ? first[axis] : last[axis];
}

/* Hops of a way along an axis. */
static uint32_t axis_hops(const struct torus *t, unsigned axis, uint32_t a, uint32_t b, bool around)
{
    bool tie;
    uint32_t hops = (uint32_t)abs(torus_offset(t, axis, a, b, &tie));
    return around ? t->size[axis] - hops : hops;
}

/* Hops that a path should have, by its phases. */
static uint32_t path_hops(const struct torus *t, uint32_t from, uint32_t to, uint32_t relay,
                          unsigned around)
{
    uint32_t a[TORUS_MAX_DIMS], b[TORUS_MAX_DIMS], r[TORUS_MAX_DIMS], hops = 0;
    torus_coordinates(t, from, a);
    torus_coordinates(t, to, b);
    torus_coordinates(t, relay, r);
    for (unsigned axis = TOFU_X; axis <= TOFU_Z; axis++)
        hops += axis_hops(t, axis, a[axis], b[axis], around >> axis & 1);
    for (unsigned axis = TOFU_A; axis <= TOFU_C; axis++)
        hops += axis_hops(t, axis, a[axis], r[axis], false) +
                axis_hops(t, axis, r[axis], b[axis], false);
    return hops;
}

/* The relay of a path, as route.h numbers them. */
static uint32_t relay_of(const struct torus *t, uint32_t from, unsigned number)
{
    uint32_t c[TORUS_MAX_DIMS], offset = number - 1;
    torus_coordinates(t, from, c);
    c[TOFU_A] = (c[TOFU_A] + offset % 2) % 2;
    c[TOFU_B] = (c[TOFU_B] + offset / 2 % 3) % 3;
    c[TOFU_C] = (c[TOFU_C] + offset / 6) % 2;
    return torus_node(t, c);
}

/* Walks a route: its phases in order, through the relay, to its end. */
static void walk(const struct tofu_routing *r, uint32_t from, uint32_t to, struct tofu_path path,
                 tofu_route_t route)
{
    uint32_t relay = relay_of(r->shape, from, path.number), at = from;
    uint32_t hops = tofu_route_hops(route), done = 0;
    unsigned now = 0, before = 0;
    bool relayed = at == relay;
    assert_int_equal(hops, path_hops(r->shape, from, to, relay, path.around));
    for (; route; done++) {
        assert_true(tofu_route_is_one(route));
        assert_int_equal(tofu_route_hops(route), hops - done);
        unsigned port = tofu_route_port(route);
        bool ends = tofu_route_is_last(route);
        now = ends && tofu_port_axis(port) >= TOFU_A ? phase(r, path.group, port, 6)
                                                     : phase(r, path.group, port, before);
        assert_true(now >= before && ends == (now >= 6));
        assert_true(now < 3 || relayed);
        at = tofu_neighbour(r->shape, at, port);
        assert_int_not_equal(at, TORUS_NO_NODE);
        relayed |= now < 3 && at == relay;
        before = now;
        route = tofu_route_advance(route);
    }
    assert_int_equal(done, hops);
    assert_int_equal(at, to);
    assert_true(relayed);
}

/* Of all pairs, twelve paths in both groups, and all long ways that there are. */
static void every_path_goes_by_its_relay_to_its_destination(void **state)
{
    (void)state;
    for (unsigned s = 0; s < SHAPES; s++) {
        struct machine m;
        make(&m, shapes[s].dims, shapes[s].wrap);
        for (uint64_t i = 0; i < (uint64_t)m.shape.nodes * m.shape.nodes * 12 * 2 * 8;
             i += PATH_STRIDE) {
            uint32_t from = (uint32_t)(i / 192) / m.shape.nodes,
                     to = (uint32_t)(i / 192) % m.shape.nodes, a[TORUS_MAX_DIMS], b[TORUS_MAX_DIMS];
            struct tofu_path path = {1 + i % 12, i / 12 % 2, i / 24 % 8};
            tofu_route_t route;
            bool possible = true;
            torus_coordinates(&m.shape, from, a);
            torus_coordinates(&m.shape, to, b);
            for (unsigned axis = TOFU_X; axis <= TOFU_Z; axis++)
                possible &=
                    !(path.around >> axis & 1) || (m.shape.wrap[axis] && a[axis] != b[axis]);
            assert_int_equal(tofu_route_make(&m.routing, from, to, path, &route), possible);
            if (!possible)
                continue;
            walk(&m.routing, from, to, path, route);
            assert_true(tofu_route_is_whole(&m.routing, from, to, route));
            assert_int_equal(tofu_route_is_whole(&m.routing, from, from, route), to == from);
        }
    }
}

/* TOFU, Figure 2. */
static void figure_2_has_twelve_paths(void **state)
{
    (void)state;
    struct machine m;
    make(&m, "3x1x1x2x3x2", "lll");
    uint32_t from = node_at(&m.shape, 0, 0, 0, 0, 2, 0), to = node_at(&m.shape, 2, 0, 0, 0, 0, 1);
    tofu_route_t route[13];
    uint32_t sum = 0;
    for (unsigned number = 1; number <= 12; number++) {
        assert_true(tofu_route_make(&m.routing, from, to, (struct tofu_path){number, 0, 0},
                                    &route[number]));
        walk(&m.routing, from, to, (struct tofu_path){number, 0, 0}, route[number]);
        for (unsigned other = 1; other < number; other++)
            assert_int_not_equal(route[other], route[number]);
        sum += tofu_route_hops(route[number]);
    }
    assert_int_equal(tofu_route_hops(route[1]), 4); /* two along x, c, b */
    /* Two along x; over the relays, a takes 0 or 2, c 1, b 1, 1 or 2. */
    assert_int_equal(sum, 12 * 2 + 6 * 2 + 12 + 4 * (1 + 1 + 2));
}

/* Half a ring away along x, y and z, an even a + b + c of the destination is reached by plus, an
 * odd one by minus, wherever the way begins. */
static void half_a_ring_goes_by_the_parity_of_the_destination(void **state)
{
    (void)state;
    struct machine m;
    make(&m, "4x6x2x2x3x2", "rrr");
    for (uint32_t i = 0; i < 12 * 12; i++) {
        uint32_t s = i / 12, d = i % 12, a = d % 2, b = d / 2 % 3, c = d / 6;
        uint32_t from = node_at(&m.shape, s % 4, s % 6, s % 2, s % 2, s / 2 % 3, s / 6);
        uint32_t to = node_at(&m.shape, (s + 2) % 4, (s + 3) % 6, (s + 1) % 2, a, b, c);
        unsigned axes = 0;
        tofu_route_t route;
        assert_true(tofu_route_make(&m.routing, from, to, (struct tofu_path){1, 0, 0}, &route));
        walk(&m.routing, from, to, (struct tofu_path){1, 0, 0}, route);
        for (; route; route = tofu_route_advance(route)) {
            unsigned port = tofu_route_port(route), axis = tofu_port_axis(port);
            if (axis > TOFU_Z)
                continue;
            assert_int_equal(port, 2 * axis + (a + b + c) % 2);
            axes |= 1u << axis;
        }
        assert_int_equal(axes, 1 << TOFU_X | 1 << TOFU_Y | 1 << TOFU_Z);
    }
}

static void a_word_that_is_no_route_is_told(void **state)
{
    (void)state;
    static const tofu_route_t good[] = {0,
                                        1ull << ROUTE_B1,
                                        2ull << ROUTE_B3,
                                        (1ull << ROUTE_HOPS | 5) << ROUTE_XYZ,
                                        (4096ull << ROUTE_HOPS) << (ROUTE_XYZ + 2 * ROUTE_FIELD),
                                        0x3c};
    static const tofu_route_t bad[] = {
        3ull << ROUTE_B1,                                  /* both ways along b */
        3ull << ROUTE_B3,                                  /* the same at the end */
        5ull << ROUTE_XYZ,                                 /* no hops */
        (1ull << ROUTE_HOPS | 6) << ROUTE_XYZ,             /* by a */
        (7ull << ROUTE_HOPS | 7) << (ROUTE_XYZ + 32),      /* by b */
        1ull << (ROUTE_XYZ + 3 * ROUTE_FIELD),             /* a fourth field */
        (1ull << ROUTE_HOPS) << (ROUTE_XYZ + 48) | 1,      /* the same behind a hop */
        1ull << (ROUTE_XYZ + ROUTE_FIELD) | 1 << ROUTE_A3, /* no hops in the second */
    };
    for (unsigned i = 0; i < sizeof(good) / sizeof(good[0]); i++)
        assert_true(tofu_route_is_one(good[i]));
    for (unsigned i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        assert_false(tofu_route_is_one(bad[i]));
}

/* A word that can be a route ends after as many hops as it says, whatever it is. */
static void any_route_ends(void **state)
{
    (void)state;
    uint64_t random = 1;
    unsigned routes = 0;
    for (unsigned i = 0; i < 20000; i++) {
        tofu_route_t route =
            random_next(&random) & random_next(&random) >> random_next(&random) % 48;
        if (!tofu_route_is_one(route))
            continue;
        routes++;
        for (uint32_t left = tofu_route_hops(route); left--; route = tofu_route_advance(route))
            assert_true(route && tofu_route_port(route) < TOFU_LINKS);
        assert_true(route == 0);
    }
    assert_true(routes > 100);
}

/* ---- paths that share nothing ---- */

/* Marks the links of a route; no other may have marked one. */
static void mark(const struct torus *t, uint32_t from, tofu_route_t route, uint8_t *marked)
{
    for (; route; route = tofu_route_advance(route)) {
        unsigned port = tofu_route_port(route);
        assert_int_equal(marked[from * TOFU_LINKS + port]++, 0);
        from = tofu_neighbour(t, from, port);
    }
}

static void disjoint_paths_share_no_link(void **state)
{
    (void)state;
    unsigned fewest = 12;
    for (unsigned s = 0; s < SHAPES; s++) {
        struct machine m;
        make(&m, shapes[s].dims, shapes[s].wrap);
        uint8_t *marked = malloc(m.shape.nodes * TOFU_LINKS);
        for (uint32_t pair = 0; pair < m.shape.nodes * m.shape.nodes; pair += 1 + s) {
            uint32_t from = pair / m.shape.nodes, to = pair % m.shape.nodes, before = 0;
            struct tofu_path path[TOFU_PATHS];
            if (from == to)
                continue;
            unsigned count = tofu_route_disjoint(&m.routing, from, to, 12, path);
            memset(marked, 0, m.shape.nodes * TOFU_LINKS);
            for (unsigned i = 0; i < count; i++) {
                tofu_route_t route;
                assert_true(tofu_route_make(&m.routing, from, to, path[i], &route));
                assert_true(tofu_route_hops(route) >= before); /* the shortest first */
                before = tofu_route_hops(route);
                mark(&m.shape, from, route, marked);
            }
            fewest = count < fewest ? count : fewest;
            assert_int_equal(tofu_route_disjoint(&m.routing, from, to, 2, path), count < 2 ? 1 : 2);
        }
        free(marked);
    }
    /* A node has four links within its group: b+, b-, c and a. */
    assert_in_range(fewest, 2, 4);
}

/* ---- what is dead ---- */

/* All pairs of living nodes have a path, whichever number was asked for. */
static void assert_connected(const struct machine *m, unsigned number, const char *what)
{
    for (uint32_t from = 0; from < m->shape.nodes; from++)
        for (uint32_t to = 0; to < m->shape.nodes; to++) {
            struct tofu_path path;
            tofu_route_t route;
            if (tofu_is_dead(&m->faults, from) || tofu_is_dead(&m->faults, to) || from == to)
                continue;
            if (!tofu_route_choose(&m->routing, from, to, number, &path, &route))
                fail_msg("without %s, no path from %u to %u", what, from, to);
            assert_true(tofu_route_is_whole(&m->routing, from, to, route));
            assert_true(path.number != number || path.group != tofu_group_of(&m->routing, from) ||
                        path.around || tofu_route_is_one(route));
        }
}

static void any_dead_node_leaves_the_rest_connected(void **state)
{
    (void)state;
    static const char *const wraps[] = {"rrr", "lll"};
    for (unsigned w = 0; w < 2; w++) {
        struct machine m;
        char text[TORUS_NODE_TEXT];
        make(&m, "1x3x1x2x3x2", wraps[w]);
        for (uint32_t node = 0; node < m.shape.nodes; node++) {
            assert_int_equal(kill(&m, torus_node_text(&m.shape, node, text), "none", "none", ""),
                             WEFT_OK);
            assert_int_equal(m.faults.nodes, 1);
            assert_connected(&m, 1 + node % 12, text);
        }
    }
}

static void any_dead_board_leaves_the_rest_connected(void **state)
{
    (void)state;
    struct machine m;
    make(&m, "3x1x2x2x3x2", "rll");
    for (uint32_t board = 0; board < m.shape.nodes / TOFU_BOARD_NODES; board++) {
        char text[64];
        snprintf(text, sizeof(text), "%u/0/%u/%u", board / 3 % 3, board / 9, board % 3);
        assert_int_equal(kill(&m, "none", text, "none", "none"), WEFT_OK);
        assert_int_equal(m.faults.nodes, TOFU_BOARD_NODES);
        assert_connected(&m, 1 + board % 12, text);
    }
}

static void any_dead_group_leaves_rings_connected(void **state)
{
    (void)state;
    static const char *const dims[] = {"3x2x1x2x3x2", "1x3x2x2x3x2", "2x1x3x2x3x2"};
    for (unsigned d = 0; d < 3; d++) {
        struct machine m;
        make(&m, dims[d], "rrr");
        uint32_t x = m.shape.size[0], y = m.shape.size[1];
        for (uint32_t group = 0; group < m.shape.nodes / TOFU_GROUP_NODES; group++) {
            char text[64];
            snprintf(text, sizeof(text), "%u/%u/%u", group % x, group / x % y, group / x / y);
            assert_int_equal(kill(&m, "none", "none", text, "none"), WEFT_OK);
            assert_int_equal(m.faults.nodes, TOFU_GROUP_NODES);
            assert_connected(&m, 1, text);
            assert_int_equal(tofu_check_paths(&m.routing), WEFT_OK);
        }
    }
}

static void any_dead_link_leaves_the_rest_connected(void **state)
{
    (void)state;
    struct machine m;
    make(&m, "1x1x3x2x3x2", "lll");
    for (uint32_t link = 0; link < m.shape.nodes * TOFU_LINKS; link++) {
        uint32_t node = link / TOFU_LINKS, other;
        unsigned port = link % TOFU_LINKS;
        char text[64];
        if ((other = tofu_neighbour(&m.shape, node, port)) == TORUS_NO_NODE)
            continue;
        assert_int_equal(
            kill(&m, "none", "none", "none", tofu_link_text(&m.shape, node, port, text)), WEFT_OK);
        assert_false(tofu_link_lives(&m.faults, &m.shape, node, port));
        assert_false(tofu_link_lives(&m.faults, &m.shape, other, tofu_opposite(port)));
        assert_connected(&m, 1, text);
    }
}

/* A group in the middle of a line: those on both sides of it are cut off from each other. */
static void a_dead_group_cuts_a_line(void **state)
{
    (void)state;
    struct machine m;
    make(&m, "3x1x1x2x3x2", "lll");
    assert_int_equal(kill(&m, "none", "none", "1/0/0", "none"), WEFT_OK);
    assert_int_equal(tofu_check_paths(&m.routing), WEFT_BAD_INPUT);
    make(&m, "3x2x1x2x3x2", "lll");
    assert_int_equal(kill(&m, "none", "none", "1/0/0", "none"), WEFT_OK);
    assert_int_equal(tofu_check_paths(&m.routing), WEFT_BAD_INPUT); /* along y is no detour */
}

/* On the K computer: nodes, boards and groups, and pairs, at random, many of them in line. */
static void what_is_dead_in_the_k_computer_is_no_obstacle(void **state)
{
    (void)state;
    struct machine *m = malloc(sizeof(*m));
    make(m, "24x18x17x2x3x2", "rrr");
    uint64_t random = 7;
    for (unsigned i = 0; i < DEAD_PARTS; i++) {
        uint32_t dead = random_below(random_next(&random), m->shape.nodes), c[TORUS_MAX_DIMS];
        char text[TORUS_NODE_TEXT];
        torus_coordinates(&m->shape, dead, c);
        snprintf(text, sizeof(text), i % 3 ? "%u/%u/%u/%u" : "%u/%u/%u", c[0], c[1], c[2], c[4]);
        assert_int_equal(kill(m, i % 3 == 2 ? torus_node_text(&m->shape, dead, text) : "none",
                              i % 3 == 1 ? text : "none", i % 3 == 0 ? text : "none", "none"),
                         WEFT_OK);
        assert_true(i > 0 || SANITIZED || tofu_check_paths(&m->routing) == WEFT_OK);
        for (unsigned pair = 0; pair < PAIRS; pair++) {
            uint32_t end[2];
            for (unsigned e = 0; e < 2; e++) {
                uint32_t at[TORUS_MAX_DIMS];
                torus_coordinates(&m->shape, random_below(random_next(&random), m->shape.nodes),
                                  at);
                for (unsigned axis = TOFU_X; axis <= TOFU_Z; axis++)
                    at[axis] = axis == pair % 4 ? at[axis] : pair % 4 < 3 ? c[axis] : at[axis];
                end[e] = torus_node(&m->shape, at);
            }
            struct tofu_path path;
            tofu_route_t route;
            if (tofu_is_dead(&m->faults, end[0]) || tofu_is_dead(&m->faults, end[1]))
                continue;
            assert_true(
                tofu_route_choose(&m->routing, end[0], end[1], 1 + pair % 12, &path, &route));
            assert_true(tofu_route_is_whole(&m->routing, end[0], end[1], route));
        }
    }
    /* With one order for both groups of channels, those who turn at a dead group have no path. */
    memcpy(m->routing.order[1], m->routing.order[0], 3);
    assert_int_equal(kill(m, "none", "none", "23/0/16", "none"), WEFT_OK);
    assert_int_equal(tofu_check_paths(&m->routing), WEFT_BAD_INPUT);
    assert_int_equal(kill(m, "none", "23/0/16/1", "none", "none"), WEFT_OK);
    assert_true(SANITIZED || tofu_check_paths(&m->routing) == WEFT_OK);
    free(m);
}

static void faults_are_read(void **state)
{
    (void)state;
    struct machine m;
    char text[64];
    make(&m, "3x2x2x2x3x2", "rlr");
    assert_int_equal(kill(&m, "none", "none", "none", "none"), WEFT_OK);
    assert_false(tofu_faults_any(&m.faults));
    assert_int_equal(kill(&m, "", "", "", ""), WEFT_OK);
    assert_false(tofu_faults_any(&m.faults));
    /* A node, its board and its group: none is counted twice. */
    assert_int_equal(kill(&m, "2/1/1/1/2/1,0/0/0/0/0/0", "2/1/1/2", "2/1/1, 1/0/1", "none"),
                     WEFT_OK);
    assert_int_equal(m.faults.nodes, 2 * TOFU_GROUP_NODES + 1);
    for (uint32_t i = 1; i < m.faults.nodes; i++)
        assert_true(m.faults.node[i - 1] < m.faults.node[i]);
    for (uint32_t node = 0; node < m.shape.nodes; node++) {
        uint32_t c[TORUS_MAX_DIMS];
        torus_coordinates(&m.shape, node, c);
        bool dead =
            (c[0] == 2 && c[1] == 1 && c[2] == 1) || (c[0] == 1 && !c[1] && c[2] == 1) || node == 0;
        assert_int_equal(tofu_is_dead(&m.faults, node), dead);
    }
    assert_int_equal(kill(&m, "none", "1/0/1/2", "none", "none"), WEFT_OK);
    for (uint32_t i = 0; i < 4; i++)
        assert_true(tofu_is_dead(&m.faults, node_at(&m.shape, 1, 0, 1, i % 2, 2, i / 2)));
    assert_int_equal(kill(&m, "none", "none", "none", "0/0/0/0/0/0:x-, 1/1/1/1/1/1:c"), WEFT_OK);
    assert_int_equal(m.faults.links, 2);
    assert_false(tofu_link_lives(&m.faults, &m.shape, node_at(&m.shape, 2, 0, 0, 0, 0, 0), 0));
    assert_string_equal(tofu_link_text(&m.shape, 0, TOFU_PORT_B_MINUS, text), "0/0/0/0/0/0:b-");
}

static void faults_that_are_none_are_refused(void **state)
{
    (void)state;
    static const char *const wrong[][4] = {
        {"3/0/0/0/0/0", "", "", ""},
        {"0/0/0/0/0", "", "", ""},
        {"0/0/0/0/3/0", "", "", ""},
        {"0/0/0/0/0/0/0", "", "", ""},
        {"0/0/0/0/0/-1", "", "", ""},
        {"0/0/0/0/0/0;", "", "", ""},
        {"x", "", "", ""},
        {"", "1/1/1/3", "", ""},
        {"", "1/1/1", "", ""},
        {"", "1/1/1/10", "", ""},
        {"", "1/1/1/0/0/0", "", ""},
        {"", "3/1/1/0", "", ""},
        {"", "", "1/1", ""},
        {"", "", "1/2/1", ""},
        {"", "", "1/1/1/1", ""},
        {"", "", "", "0/0/0/0/0/0"},
        {"", "", "", "0/0/0/0/0/0:"},
        {"", "", "", "0/0/0/0/0/0:d"},
        {"", "", "", "0/0/0/0/0/0:a+"},
        {"", "", "", "0/0/0/0/0/0:y-"}, /* y is a line */
        {"", "", "", "0/0/0/0/0/0:x+x"},
        {"", "", "", "9/0/0/0/0/0:x+"},
        {"none,none", "", "", ""},
        {"4294967296/0/0/0/0/0", "", "", ""},
    };
    struct machine m;
    make(&m, "3x2x2x2x3x2", "rlr");
    for (unsigned i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
        if (kill(&m, wrong[i][0], wrong[i][1], wrong[i][2], wrong[i][3]) != WEFT_BAD_INPUT)
            fail_msg("'%s' '%s' '%s' '%s' is not refused", wrong[i][0], wrong[i][1], wrong[i][2],
                     wrong[i][3]);
    char many[12 * (TOFU_FAULTS_MOST + 1) + 1] = "";
    for (unsigned i = 0; i < TOFU_FAULTS_MOST; i++)
        strcat(many, "0/0/0/0/0/0,");
    assert_int_equal(kill(&m, many, "", "", ""), WEFT_OK);
    strcat(many, "0/0/0/0/0/0");
    assert_int_equal(kill(&m, many, "", "", ""), WEFT_BAD_INPUT);
}

GROUP(tofu_route)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_path_goes_by_its_relay_to_its_destination),
        cmocka_unit_test(figure_2_has_twelve_paths),
        cmocka_unit_test(half_a_ring_goes_by_the_parity_of_the_destination),
        cmocka_unit_test(a_word_that_is_no_route_is_told),
        cmocka_unit_test(any_route_ends),
        cmocka_unit_test(disjoint_paths_share_no_link),
        cmocka_unit_test(any_dead_node_leaves_the_rest_connected),
        cmocka_unit_test(any_dead_board_leaves_the_rest_connected),
        cmocka_unit_test(any_dead_group_leaves_rings_connected),
        cmocka_unit_test(any_dead_link_leaves_the_rest_connected),
        cmocka_unit_test(a_dead_group_cuts_a_line),
        cmocka_unit_test(what_is_dead_in_the_k_computer_is_no_obstacle),
        cmocka_unit_test(faults_are_read),
        cmocka_unit_test(faults_that_are_none_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
