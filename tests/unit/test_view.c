/* Views of boxes: neighbours are one link apart, nothing dead is in them, nobody is there twice,
 * and they are as large as they can be. */
#include "group.h"
#include "sanitizers.h"
#include "testing.h"

#include "base/random.h"
#include "topology/places/places.h"

/* A machine like Tofu: rings along x, y, z and b. */
static struct torus tofu(const char *text)
{
    struct torus t;
    assert_int_equal(torus_parse(text, &t), WEFT_OK);
    t.wrap[3] = t.wrap[5] = false;
    return t;
}

static struct box groups(uint32_t x, uint32_t y, uint32_t z)
{
    return (struct box){{0, 0, 0, 0, 0, 0}, {x, y, z, 2, 3, 2}};
}

/* Neighbours along all axes, around their ends too if these are closed. */
static void assert_linked(const struct torus *t, const struct view *v, bool closed)
{
    for (uint32_t i = 0; i < v->shape.nodes; i++) {
        uint32_t c[TORUS_MAX_DIMS];
        torus_coordinates(&v->shape, i, c);
        for (unsigned k = 0; k < v->shape.dims; k++) {
            uint32_t here = c[k], size = v->shape.size[k];
            if (size < 2 || (!closed && here + 1 == size))
                continue;
            c[k] = (here + 1) % size;
            uint32_t next = v->node[torus_node(&v->shape, c)];
            c[k] = here;
            if (torus_distance(t, v->node[i], next) != 1)
                fail_msg("%u and %u are not linked", v->node[i], next);
        }
    }
}

static void assert_view(const struct torus *t, const struct box *box, const bool *dead,
                        const struct view *v, bool closed)
{
    bool *seen = calloc(t->nodes, sizeof(*seen));
    uint32_t nodes = 1;
    for (unsigned k = 0; k < v->shape.dims; k++) {
        nodes *= v->shape.size[k];
        assert_true(v->shape.wrap[k]);
    }
    assert_true(nodes > 0);
    assert_int_equal(v->shape.nodes, nodes);
    assert_int_equal(v->left_out + nodes, box_nodes(t, box));
    for (uint32_t i = 0; i < nodes; i++) {
        assert_true(v->node[i] < t->nodes && box_has(t, box, v->node[i]));
        assert_false(seen[v->node[i]] || (dead && dead[v->node[i]]));
        seen[v->node[i]] = true;
    }
    assert_linked(t, v, closed);
    free(seen);
}

/* The usual view of a box, which must be one. */
static struct view made(const struct torus *t, const struct box *box, unsigned axes,
                        const bool *dead)
{
    struct view_plan plan = view_usual(t, box, axes);
    struct view v;
    assert_int_equal(view_create(t, box, &plan, dead, &v), WEFT_OK);
    assert_int_equal(v.shape.dims, t->dims == 6 ? axes : t->dims);
    assert_view(t, box, dead, &v, true);
    return v;
}

/* ---- the paper's example ---- */

static uint32_t node_of(const struct torus *t, uint32_t x, uint32_t a, uint32_t b, uint32_t c)
{
    return torus_node(t, (uint32_t[]){x, 0, 0, a, b, c});
}

/* TOFU, Figure 3a: an axis of 9 on x and b, coordinate 0 on (0,0,0,0,0,0), 5 on (2,0,0,0,0,0). */
static void figure_3a_comes_out(void **state)
{
    (void)state;
    struct torus t = tofu("6x6x6x2x3x2");
    struct box box = groups(3, 1, 1);
    struct view v = made(&t, &box, 3, NULL);
    assert_int_equal(v.shape.size[0], 9);
    assert_int_equal(v.shape.size[1], 2);
    assert_int_equal(v.shape.size[2], 2);
    assert_int_equal(v.node[0], node_of(&t, 0, 0, 0, 0));
    assert_int_equal(v.node[5], node_of(&t, 2, 0, 0, 0));
    view_fini(&v);
}

/* Figure 3b: node (1,0,0,0,1,1) is down; the axis has 8, and four nodes are left out. */
static void figure_3b_comes_out(void **state)
{
    (void)state;
    struct torus t = tofu("6x6x6x2x3x2");
    struct box box = groups(3, 1, 1);
    bool *dead = calloc(t.nodes, sizeof(*dead)), *seen = calloc(t.nodes, sizeof(*seen));
    dead[node_of(&t, 1, 0, 1, 1)] = true;
    struct view v = made(&t, &box, 3, dead);
    assert_int_equal(v.shape.size[0], 8);
    assert_int_equal(v.shape.nodes, 32);
    assert_int_equal(v.left_out, 4);
    for (uint32_t i = 0; i < v.shape.nodes; i++)
        seen[v.node[i]] = true;
    for (uint32_t a = 0; a < 2; a++)
        for (uint32_t c = 0; c < 2; c++)
            assert_false(seen[node_of(&t, 1, a, 1, c)]);
    view_fini(&v);
    free(dead);
    free(seen);
}

/* ---- small boxes ---- */

/* Without dead nodes nothing is left out, wherever the box lies. */
static void whole_boxes_have_whole_views(void **state)
{
    (void)state;
    struct torus t = tofu("6x6x6x2x3x2");
    for (uint32_t i = 0; i < 64; i++)
        for (unsigned axes = 1; axes <= 3; axes++) {
            struct box box = groups(1 + i % 4, 1 + i / 4 % 4, 1 + i / 16);
            for (unsigned d = 0; d < 3; d++)
                box.at[d] = i % (5 - d); /* some lie across an end */
            struct view v = made(&t, &box, axes, NULL);
            assert_int_equal(v.left_out, 0);
            view_fini(&v);
        }
}

/* A dead point of a plane with b costs itself; with a or c, all that lies on one side of it. */
static uint32_t cost(const struct view_plane *p, const struct box *box, const uint32_t *at,
                     uint32_t nodes)
{
    uint32_t along = 1, column = 0;
    for (unsigned k = p->alongs; k-- > 0;) {
        uint32_t size = box->size[p->along[k]], c = at[p->along[k]];
        column = column * size + (column % 2 ? size - 1 - c : c);
        along *= size;
    }
    if (box->size[p->across] == 3)
        return nodes / (3 * along);
    if (along == 1)
        return nodes / 2;
    uint32_t kept = column > along - 1 - column ? column : along - 1 - column;
    return nodes / along * (along - kept);
}

static uint32_t least_cost(const struct torus *t, const struct box *box, unsigned axes,
                           const uint32_t *at)
{
    struct view_plan plan = view_usual(t, box, axes);
    uint32_t nodes = box_nodes(t, box), least = nodes;
    for (unsigned k = 0; k < plan.axes; k++) {
        uint32_t c = cost(&plan.plane[k], box, at, nodes);
        least = c < least ? c : least;
    }
    return least;
}

static void one_dead_node_costs_the_least_it_can(void **state)
{
    (void)state;
    struct torus t = tofu("4x4x4x2x3x2");
    bool *dead = calloc(t.nodes, sizeof(*dead));
    for (uint32_t i = 0; i < 27; i++)
        for (unsigned axes = 1 + (SANITIZED ? i % 3 : 0); axes <= 3; axes += SANITIZED ? 3 : 1) {
            struct box box = groups(1 + i % 3, 1 + i / 3 % 3, 1 + i / 9);
            for (uint32_t node = 0; node < t.nodes; node++) {
                uint32_t at[TORUS_MAX_DIMS];
                if (!box_has(&t, &box, node))
                    continue;
                torus_coordinates(&t, node, at);
                dead[node] = true;
                struct view v = made(&t, &box, axes, dead);
                assert_int_equal(v.left_out, least_cost(&t, &box, axes, at));
                dead[node] = false;
                view_fini(&v);
            }
        }
    free(dead);
}

/* ---- all loops of small boxes ---- */

enum { MOST_POINTS = 15 };

/* Points of a plane, those nodes of the box that are in its corner on all other axes, by the
 * machine's own links. */
struct grid {
    uint32_t points, node[MOST_POINTS];
    bool linked[MOST_POINTS][MOST_POINTS], used[MOST_POINTS];
};

static uint32_t longest_from(struct grid *g, uint32_t start, uint32_t here, uint32_t length)
{
    uint32_t best = length <= 2 || g->linked[here][start] ? length : 0;
    for (uint32_t next = start + 1; next < g->points && best < g->points; next++) {
        if (g->used[next] || !g->linked[here][next])
            continue;
        g->used[next] = true;
        uint32_t found = longest_from(g, start, next, length + 1);
        g->used[next] = false;
        best = found > best ? found : best;
    }
    return best;
}

/* The longest loop through a plane of an axis and one across it, without a point of it (or none):
 * every loop is tried. */
static uint32_t longest_loop(const struct torus *t, const struct box *box,
                             const struct view_plane *p, const uint32_t *without)
{
    struct grid g = {.points = 0};
    uint32_t c[TORUS_MAX_DIMS], best = 0;
    memcpy(c, box->at, sizeof(c));
    for (uint32_t i = 0; i < box->size[p->along[0]]; i++)
        for (uint32_t j = 0; j < box->size[p->across]; j++) {
            c[p->along[0]] = (box->at[p->along[0]] + i) % t->size[p->along[0]];
            c[p->across] = j;
            if (!without || c[p->along[0]] != without[p->along[0]] ||
                c[p->across] != without[p->across])
                g.node[g.points++] = torus_node(t, c);
        }
    for (uint32_t i = 0; i < g.points; i++)
        for (uint32_t j = 0; j < g.points; j++)
            g.linked[i][j] = torus_distance(t, g.node[i], g.node[j]) == 1;
    for (uint32_t start = 0; start < g.points && best < g.points; start++) {
        uint32_t found = longest_from(&g, start, start, 1);
        best = found > best ? found : best;
    }
    return best;
}

/* Nodes of the largest view around a dead node: its point goes from one plane or another. */
static uint32_t largest_view(const struct torus *t, const struct box *box,
                             const struct view_plan *plan, uint32_t dead)
{
    uint32_t at[TORUS_MAX_DIMS], best = 0;
    torus_coordinates(t, dead, at);
    for (unsigned gone = 0; gone < plan->axes; gone++) {
        uint32_t nodes = 1;
        for (unsigned k = 0; k < plan->axes; k++)
            nodes *= longest_loop(t, box, &plan->plane[k], k == gone ? at : NULL);
        best = nodes > best ? nodes : best;
    }
    return best;
}

static void assert_views_are_the_largest(const struct torus *t, const struct box *box,
                                         const char *planes)
{
    struct view_plan plan;
    bool *dead = calloc(t->nodes, sizeof(*dead));
    assert_int_equal(view_parse(t, "jobs.planes", planes, &plan), WEFT_OK);
    for (uint32_t i = 0; i < box_nodes(t, box); i++) {
        uint32_t node = box_node(t, box, i);
        struct view v;
        dead[node] = true;
        assert_int_equal(view_create(t, box, &plan, dead, &v), WEFT_OK);
        assert_view(t, box, dead, &v, true);
        assert_int_equal(v.shape.nodes, largest_view(t, box, &plan, node));
        dead[node] = false;
        view_fini(&v);
    }
    free(dead);
}

/* Boxes that span rings of the machine, all planes, each of their nodes dead. The same boxes on
 * lines, and ones that a node group is missing to the ring, too. */
static void views_of_small_boxes_are_the_largest(void **state)
{
    (void)state;
    static const char *const machines[] = {"5x1x1x2x3x2", "1x4x1x2x3x2", "4x1x3x2x3x2",
                                           "3x2x1x2x3x2", "2x3x5x2x3x2"};
    static const char *const planes[] = {"xa,yb,zc", "xa,yc,zb", "xb,ya,zc",
                                         "xb,yc,za", "xc,ya,zb", "xc,yb,za"};
    for (unsigned i = 0; i < sizeof(machines) / sizeof(machines[0]); i++)
        for (unsigned line = 0; line <= 1; line++)
            for (unsigned part = 0; part <= 1; part++)
                for (unsigned k = 0; k < sizeof(planes) / sizeof(planes[0]);
                     k += SANITIZED ? 4 : 1) {
                    struct torus t = tofu(machines[i]);
                    struct box box = groups(t.size[0], t.size[1], t.size[2]);
                    for (unsigned d = 0; d < 3; d++) {
                        t.wrap[d] = !line;
                        box.size[d] -= part && t.size[d] > 2;
                        box.at[d] = !line && t.size[d] > 2; /* lies across the end */
                    }
                    assert_views_are_the_largest(&t, &box, planes[k]);
                }
}

/* Five groups that are the machine's ring along x: 54 of 60 nodes, and 40 without its last link. */
static void a_dead_node_of_a_ring_is_passed(void **state)
{
    (void)state;
    for (unsigned line = 0; line <= 1; line++) {
        struct torus t = tofu("5x3x3x2x3x2");
        struct box box = groups(5, 1, 1);
        struct view_plan plan;
        struct view v;
        bool *dead = calloc(t.nodes, sizeof(*dead));
        t.wrap[0] = !line;
        dead[node_of(&t, 2, 0, 1, 1)] = true;
        assert_int_equal(view_parse(&t, "jobs.planes", "xa,yb,zc", &plan), WEFT_OK);
        assert_int_equal(view_create(&t, &box, &plan, dead, &v), WEFT_OK);
        assert_view(&t, &box, dead, &v, true);
        assert_int_equal(v.shape.nodes, line ? 40 : 54);
        assert_int_equal(v.shape.size[0], line ? 10 : 9);
        view_fini(&v);
        free(dead);
    }
}

/* A snake over x, y and c ends beside its first point: a loop may pass from one to the other. */
static void a_snake_that_comes_back_is_a_ring(void **state)
{
    (void)state;
    struct torus t = tofu("4x4x4x2x3x2");
    struct box box = groups(3, 1, 1);
    struct view_plan plan;
    struct view v;
    bool *dead = calloc(t.nodes, sizeof(*dead));
    dead[node_of(&t, 1, 0, 1, 1)] = true;
    assert_int_equal(view_parse(&t, "jobs.planes", "xca,yzb", &plan), WEFT_OK);
    assert_int_equal(view_create(&t, &box, &plan, dead, &v), WEFT_OK);
    assert_view(&t, &box, dead, &v, true);
    assert_int_equal(v.shape.nodes, 10 * 3); /* six columns of two; along b it would be 12 * 2 */
    view_fini(&v);
    free(dead);
}

/* ---- many dead nodes ---- */

static void kill(const struct torus *t, const struct box *box, uint64_t *random, uint32_t count,
                 bool *dead)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t c[TORUS_MAX_DIMS];
        for (unsigned d = 0; d < t->dims; d++)
            c[d] = (box->at[d] + random_below(random_next(random), box->size[d])) % t->size[d];
        dead[torus_node(t, c)] = true;
    }
}

static void some_dead_nodes_are_left_out(void **state)
{
    (void)state;
    struct torus t = tofu("6x6x6x2x3x2");
    bool *dead = malloc(t.nodes * sizeof(*dead));
    uint64_t random = 1;
    for (uint32_t i = 0; i < 64; i++)
        for (unsigned axes = 1; axes <= 3; axes++)
            for (uint32_t count = 2; count <= 3; count++)
                for (unsigned again = 0; again < 6; again++) {
                    struct box box = groups(1 + i % 4, 1 + i / 4 % 4, 1 + i / 16);
                    box.at[i % 3] = 5;
                    memset(dead, 0, t.nodes * sizeof(*dead));
                    kill(&t, &box, &random, count, dead);
                    struct view v = made(&t, &box, axes, dead);
                    view_fini(&v);
                }
    free(dead);
}

/* Whether a view is large enough is what the view itself says, in whatever order the dead nodes are
 * listed. */
static void assert_has(const struct torus *t, const struct box *box, const struct view_plan *plan,
                       const bool *dead, uint64_t nodes)
{
    uint32_t *list = calloc(t->nodes, sizeof(*list)), deads = 0;
    for (uint32_t node = t->nodes; node-- > 0;)
        if (dead[node])
            list[deads++] = node;
    assert_true(!nodes || view_has(t, box, plan, list, deads, nodes));
    assert_false(view_has(t, box, plan, list, deads, nodes + 1));
    free(list);
}

/* More than are tried in all ways; one that leaves nothing is refused, never wrong. */
static void many_dead_nodes_leave_a_view_or_none(void **state)
{
    (void)state;
    struct torus t = tofu("6x6x6x2x3x2");
    bool *dead = malloc(t.nodes * sizeof(*dead));
    uint64_t random = 2;
    uint32_t views = 0, refused = 0;
    for (uint32_t i = 0; i < 600; i += SANITIZED ? 4 : 1) {
        struct box box = groups(1 + i % 3, 1 + i / 3 % 3, 1 + i / 9 % 3);
        struct view_plan plan = view_usual(&t, &box, 1 + i % 3);
        struct view v;
        memset(dead, 0, t.nodes * sizeof(*dead));
        kill(&t, &box, &random, 4 + i * box_nodes(&t, &box) / 300, dead);
        if (view_create(&t, &box, &plan, dead, &v) == WEFT_OK) {
            assert_view(&t, &box, dead, &v, true);
            assert_has(&t, &box, &plan, dead, v.shape.nodes);
            views++;
        } else {
            assert_non_null(strstr(weft_last_error(), "dead"));
            assert_has(&t, &box, &plan, dead, 0);
            refused++;
        }
        view_fini(&v);
    }
    assert_true(views > 20 && refused > 10);
    free(dead);
}

static void a_box_of_dead_nodes_has_no_view(void **state)
{
    (void)state;
    struct torus t = tofu("2x2x2x2x3x2");
    bool *dead = malloc(t.nodes * sizeof(*dead));
    memset(dead, true, t.nodes * sizeof(*dead));
    for (unsigned axes = 1; axes <= 3; axes++)
        for (uint32_t x = 1; x <= 2; x++) {
            struct box box = groups(x, 1, 1);
            struct view_plan plan = view_usual(&t, &box, axes);
            struct view v;
            assert_int_equal(view_create(&t, &box, &plan, dead, &v), WEFT_BAD_INPUT);
            view_fini(&v);
        }
    free(dead);
}

/* ---- odd and large ones ---- */

static void odd_boxes_have_views(void **state)
{
    (void)state;
    static const struct {
        const char *machine;
        uint32_t size[3], view[3];
    } odd[] = {
        {"1x1x1x2x3x2", {1, 1, 1}, {3, 2, 2}},  {"2x1x1x2x3x2", {2, 1, 1}, {6, 2, 2}},
        {"1x2x1x2x3x2", {1, 2, 1}, {2, 6, 2}},  {"3x5x7x2x3x2", {3, 5, 7}, {6, 10, 21}},
        {"5x5x1x2x3x2", {3, 5, 1}, {6, 15, 2}},
    };
    for (unsigned i = 0; i < sizeof(odd) / sizeof(odd[0]); i++) {
        struct torus t = tofu(odd[i].machine);
        struct box box = groups(odd[i].size[0], odd[i].size[1], odd[i].size[2]);
        struct view v = made(&t, &box, 3, NULL);
        for (unsigned k = 0; k < 3; k++)
            assert_int_equal(v.shape.size[k], odd[i].view[k]);
        view_fini(&v);
        for (unsigned axes = 1; axes <= 2; axes++) {
            v = made(&t, &box, axes, NULL);
            assert_int_equal(v.left_out, 0);
            view_fini(&v);
        }
    }
}

static void boxes_of_the_k_computer_have_views(void **state)
{
    (void)state;
    struct torus t = tofu("24x18x16x2x3x2");
    bool *dead = malloc(t.nodes * sizeof(*dead));
    uint64_t random = 3;
    for (uint32_t i = 0; i < 12; i++)
        for (uint32_t count = 0; count <= 3; count++) {
            struct box box = groups(24, 18, 16);
            for (unsigned d = 0; d < 3 && i; d++) {
                box.at[d] = random_below(random_next(&random), t.size[d]);
                box.size[d] = 1 + random_below(random_next(&random), t.size[d]);
            }
            memset(dead, 0, t.nodes * sizeof(*dead));
            kill(&t, &box, &random, count, dead);
            struct view v = made(&t, &box, 1 + (i + count) % 3, dead);
            assert_true(count || !v.left_out);
            view_fini(&v);
        }
    free(dead);
}

/* ---- machines whose axes are those of the view ---- */

static void blue_gene_partitions_keep_their_axes(void **state)
{
    (void)state;
    struct torus t;
    assert_int_equal(torus_parse("64x32x32", &t), WEFT_OK);
    struct box all = {{0}, {64, 32, 32}}, part = {{56, 8, 0}, {16, 8, 24}};
    struct view v = made(&t, &all, 3, NULL);
    for (uint32_t i = 0; i < t.nodes; i++)
        assert_int_equal(v.node[i], i);
    view_fini(&v);
    struct view_plan plan = view_usual(&t, &part, 3);
    assert_int_equal(view_create(&t, &part, &plan, NULL, &v), WEFT_OK);
    assert_view(&t, &part, NULL, &v, false); /* its ends are wired, not linked */
    assert_int_equal(v.left_out, 0);
    for (unsigned d = 0; d < 3; d++)
        assert_int_equal(v.shape.size[d], part.size[d]);
    assert_int_equal(v.node[1], torus_node(&t, (uint32_t[]){57, 8, 0}));
    assert_int_equal(v.node[8], torus_node(&t, (uint32_t[]){0, 8, 0}));
    view_fini(&v);
}

/* Nothing turns round there: a dead node cannot be passed. */
static void blue_gene_partitions_have_no_dead_nodes(void **state)
{
    (void)state;
    struct torus t;
    assert_int_equal(torus_parse("8x8x8", &t), WEFT_OK);
    struct box box = {{0}, {8, 8, 4}};
    struct view_plan plan = view_usual(&t, &box, 3);
    bool *dead = calloc(t.nodes, sizeof(*dead));
    for (uint32_t node = 0; node < t.nodes; node += 37) {
        struct view v;
        dead[node] = true;
        assert_int_equal(view_create(&t, &box, &plan, dead, &v),
                         node / 64 < 4 ? WEFT_BAD_INPUT : WEFT_OK);
        dead[node] = false;
        view_fini(&v);
    }
    free(dead);
}

static void a_long_axis_is_none_to_turn_round_in(void **state)
{
    (void)state;
    struct torus t;
    assert_int_equal(torus_parse("4x4", &t), WEFT_OK);
    struct box box = {{0}, {4, 4}};
    struct view_plan plan = {1, {{{0}, 1, 1}}};
    struct view v;
    assert_int_equal(view_create(&t, &box, &plan, NULL, &v), WEFT_BAD_INPUT);
    assert_string_equal(weft_last_error(),
                        "an axis of 4 is too long to turn round in; use a, b or c");
    view_fini(&v);
}

/* ---- the ground that jobs are given ---- */

/* The planned view of a place is the one that shapes count on, all of its nodes. */
static void plans_of_places_give_the_compact_view(void **state)
{
    (void)state;
    struct ground g = {.torus = tofu("7x6x6x2x3x2"),
                       .box = {{1, 0, 0, 0, 0, 0}, {6, 6, 6, 2, 3, 2}},
                       .cell = {1, 1, 1, 2, 3, 2}};
    struct shapes_options o = {.choice = SHAPES_SINGLE};
    ground_shapes(&g, &o);
    assert_int_equal(ground_cell_nodes(&g), 12);
    assert_int_equal(ground_nodes(&g), 2592);
    for (uint32_t i = 0; i < 216; i++) {
        struct place p = {{i % 2, i % 3, i % 5}, {1 + i % 6, 1 + i / 6 % 6, 1 + i / 36}};
        struct box box = ground_box(&g, &p);
        struct view_plan plan = ground_plan(&g, &p, 3);
        struct view v;
        uint32_t view[SPACE_AXES];
        struct extent compact = shapes_compact(&o, p.size);
        if (p.at[0] + p.size[0] > 6) /* the machine's plane 0 is not handed out */
            continue;
        shapes_view(&o, &compact, view);
        assert_int_equal(view_create(&g.torus, &box, &plan, NULL, &v), WEFT_OK);
        assert_view(&g.torus, &box, NULL, &v, true);
        for (unsigned d = 0; d < SPACE_AXES; d++)
            assert_int_equal(v.shape.size[d], view[d]);
        for (uint32_t n = 0; n < v.shape.nodes; n++) {
            uint32_t cell = ground_cell(&g, v.node[n]);
            uint32_t at[3] = {cell % 6, cell / 6 % 6, cell / 36};
            for (unsigned d = 0; d < 3; d++)
                assert_true((at[d] + 6 - p.at[d]) % 6 < p.size[d]);
        }
        view_fini(&v);
    }
}

/* A box of groups has the machine's coordinates, where z = 0 is not handed out. */
static void boxes_are_read_in_coordinates_of_the_machine(void **state)
{
    (void)state;
    struct ground g = {.torus = tofu("4x3x3x2x3x2"),
                       .box = {{0, 0, 1, 0, 0, 0}, {4, 3, 2, 2, 3, 2}},
                       .cell = {1, 1, 1, 2, 3, 2}};
    struct space s;
    struct place p;
    ground_space(&g, &s);
    for (uint32_t group = 0; group < 36; group++) {
        uint32_t at[TORUS_MAX_DIMS] = {group % 4, group / 4 % 3, group / 12};
        char text[32];
        snprintf(text, sizeof(text), "1x1x1@%u/%u/%u", at[0], at[1], at[2]);
        weft_status status = ground_parse(&g, "jobs.box", text, &p);
        assert_int_equal(status, at[2] ? WEFT_OK : WEFT_BAD_INPUT);
        if (!at[2])
            continue;
        struct box box = ground_box(&g, &p);
        assert_int_equal(box_node(&g.torus, &box, 0), torus_node(&g.torus, at));
        for (unsigned d = 0; d < SPACE_AXES; d++)
            assert_int_equal(s.first[d] + p.at[d], at[d]);
    }
    assert_int_equal(ground_parse(&g, "jobs.box", "2x2x2", &p), WEFT_OK);
    assert_int_equal(p.at[2], 0);
    assert_int_equal(ground_parse(&g, "jobs.box", "1x1x2@0/0/2", &p), WEFT_BAD_INPUT);
    assert_int_equal(ground_parse(&g, "jobs.box", "1x1x1@0/0/0", &p), WEFT_BAD_INPUT);
    assert_string_equal(weft_last_error(),
                        "jobs.box = '1x1x1@0/0/0' starts at a cell that is not available to jobs; "
                        "the machine has 4x3x2 cells for jobs, from 0/0/1 to 3/2/2");
    space_fini(&s);
}

static void nodes_of_the_ground_are_in_its_cells(void **state)
{
    (void)state;
    struct ground g = {.torus = tofu("4x3x3x2x3x2"),
                       .box = {{0, 0, 1, 0, 0, 0}, {4, 3, 2, 2, 3, 2}},
                       .cell = {1, 1, 1, 2, 3, 2}};
    uint32_t count[24] = {0};
    bool *seen = calloc(g.torus.nodes, sizeof(*seen));
    for (uint32_t i = 0; i < ground_nodes(&g); i++) {
        uint32_t node = ground_node(&g, i);
        assert_false(seen[node]);
        seen[node] = true;
        assert_true(ground_cell(&g, node) < 24);
        count[ground_cell(&g, node)]++;
    }
    for (uint32_t i = 0; i < 24; i++)
        assert_int_equal(count[i], 12);
    for (uint32_t node = 0; node < g.torus.nodes; node++)
        assert_int_equal(seen[node], ground_cell(&g, node) != UINT32_MAX);
    free(seen);
}

GROUP(view)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figure_3a_comes_out),
        cmocka_unit_test(figure_3b_comes_out),
        cmocka_unit_test(whole_boxes_have_whole_views),
        cmocka_unit_test(one_dead_node_costs_the_least_it_can),
        cmocka_unit_test(views_of_small_boxes_are_the_largest),
        cmocka_unit_test(a_dead_node_of_a_ring_is_passed),
        cmocka_unit_test(a_snake_that_comes_back_is_a_ring),
        cmocka_unit_test(some_dead_nodes_are_left_out),
        cmocka_unit_test(many_dead_nodes_leave_a_view_or_none),
        cmocka_unit_test(a_box_of_dead_nodes_has_no_view),
        cmocka_unit_test(odd_boxes_have_views),
        cmocka_unit_test(boxes_of_the_k_computer_have_views),
        cmocka_unit_test(blue_gene_partitions_keep_their_axes),
        cmocka_unit_test(blue_gene_partitions_have_no_dead_nodes),
        cmocka_unit_test(a_long_axis_is_none_to_turn_round_in),
        cmocka_unit_test(plans_of_places_give_the_compact_view),
        cmocka_unit_test(boxes_are_read_in_coordinates_of_the_machine),
        cmocka_unit_test(nodes_of_the_ground_are_in_its_cells),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
