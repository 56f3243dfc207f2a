/* Choosing what to leave out, and numbering the rest. */
#include "topology/places/places.h"

#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/memory.h"

/* ---- plans ---- */

/* Which of x, y and z turns round in b, a and c: the longest, the next, the last. */
static struct view_plan plan_three(const struct box *box)
{
    static const uint8_t across[3] = {AXIS_B, AXIS_A, AXIS_C};
    struct view_plan plan = {.axes = 3};
    uint8_t order[3] = {0, 1, 2};
    for (unsigned i = 1; i < 3; i++)
        for (unsigned k = i; k > 0 && box->size[order[k]] > box->size[order[k - 1]]; k--) {
            uint8_t swap = order[k];
            order[k] = order[k - 1];
            order[k - 1] = swap;
        }
    for (unsigned i = 0; i < 3; i++)
        plan.plane[order[i]] = (struct view_plane){{order[i]}, 1, across[i]};
    return plan;
}

struct view_plan view_usual(const struct torus *t, const struct box *box, unsigned axes)
{
    struct view_plan plan = {.axes = t->dims};
    if (t->dims != SIX_AXES) {
        for (unsigned d = 0; d < t->dims; d++)
            plan.plane[d] = (struct view_plane){{(uint8_t)d}, 1, VIEW_NO_AXIS};
        return plan;
    }
    if (axes == 1)
        return (struct view_plan){1, {{{0, 1, 2, AXIS_A, AXIS_C}, 5, AXIS_B}}};
    if (axes == 2)
        return (struct view_plan){2, {{{0, 1, AXIS_C}, 3, AXIS_B}, {{2}, 1, AXIS_A}}};
    return plan_three(box);
}

/* Adds an axis to the last plane; false: there is no such axis, or it is in a plane already. */
static bool add_axis(const struct torus *t, struct view_plan *plan, char letter, uint32_t *used)
{
    static const char letters[] = "xyzabc";
    const char *found = letter ? strchr(letters, letter) : NULL;
    struct view_plane *p = &plan->plane[plan->axes - 1];
    if (!found || found - letters >= (long)t->dims || *used >> (found - letters) & 1)
        return false;
    *used |= 1u << (found - letters);
    p->along[p->alongs++] = (uint8_t)(found - letters);
    return true;
}

/* Of six axes, a plane's last one is across it. */
static bool end_plane(const struct torus *t, struct view_plane *p)
{
    p->across = VIEW_NO_AXIS;
    if (t->dims != SIX_AXES)
        return p->alongs == 1;
    if (p->alongs < 2 || p->along[p->alongs - 1] < AXIS_A)
        return false;
    p->across = p->along[--p->alongs];
    return true;
}

weft_status view_parse(const struct torus *t, const char *key, const char *text,
                       struct view_plan *plan)
{
    uint32_t used = 0;
    bool good = true;
    *plan = (struct view_plan){.axes = 1};
    for (const char *at = text; good && *at; at++) {
        if (*at != ',')
            good = add_axis(t, plan, *at, &used);
        else if ((good = plan->axes < VIEW_MOST_AXES && end_plane(t, &plan->plane[plan->axes - 1])))
            plan->axes++;
    }
    if (good && end_plane(t, &plan->plane[plan->axes - 1]) && used == (1u << t->dims) - 1)
        return WEFT_OK;
    return BAD_INPUT(
        key, ("%s = '%.60s' does not name planes that have each axis once", key, text),
        ("use one to three, as %s",
         t->dims == SIX_AXES ? "xb,ya,zc or xyzacb: the last of each is a, b or c" : "x,y,z"));
}

/* ---- points of planes ---- */

/* A plane of a view, while what to leave out of it is being chosen. */
struct field {
    const struct view_plane *axes;
    struct plane plane;
    uint32_t length; /* of its loop, or of the axis as it is */
};

/* Where a snake over some axes passes a point of the box, and the other way round. */
static uint32_t snake_index(const struct view_plane *p, const struct box *box, const uint32_t *at)
{
    uint32_t index = 0;
    for (unsigned k = p->alongs; k-- > 0;) {
        uint32_t size = box->size[p->along[k]], c = at[p->along[k]];
        index = index * size + (index % 2 ? size - 1 - c : c);
    }
    return index;
}

static void snake_point(const struct view_plane *p, const struct box *box, uint32_t index,
                        uint32_t *at)
{
    for (unsigned k = 0; k < p->alongs; k++) {
        uint32_t size = box->size[p->along[k]], c = index % size;
        index /= size;
        at[p->along[k]] = index % 2 ? size - 1 - c : c;
    }
}

/* Whether the last point of a snake is linked to its first: the box spans a ring of the machine, or
 * the snake comes back. */
static bool ends_meet(const struct torus *t, const struct box *box, const struct view_plane *p,
                      uint32_t along)
{
    uint32_t first[TORUS_MAX_DIMS] = {0}, last[TORUS_MAX_DIMS] = {0};
    snake_point(p, box, 0, first);
    snake_point(p, box, along - 1, last);
    return torus_distance(t, box_node_at(t, box, first), box_node_at(t, box, last)) == 1;
}

static struct field field_make(const struct torus *t, const struct box *box,
                               const struct view_plane *p)
{
    struct plane plane = {.along = 1, .across = 1};
    for (unsigned k = 0; k < p->alongs; k++)
        plane.along *= box->size[p->along[k]];
    if (p->across != VIEW_NO_AXIS) {
        plane.across = box->size[p->across];
        plane.ring_across = t->wrap[p->across] && plane.across == t->size[p->across];
        plane.ring_along = ends_meet(t, box, p, plane.along);
    }
    plane.dead = memory_alloc(plane.along, sizeof(*plane.dead));
    return (struct field){.axes = p, .plane = plane};
}

/* Points of the view axis that a plane gives; NULL: only how many. Without an axis across it, ends
 * are wired to each other, and what is dead cannot be passed. */
static uint32_t field_loop(const struct field *f, uint32_t *point)
{
    if (f->axes->across != VIEW_NO_AXIS)
        return point ? loop_find(&f->plane, point) : loop_length(&f->plane);
    for (uint32_t i = 0; i < f->plane.along; i++) {
        if (f->plane.dead[i])
            return 0;
        if (point)
            point[i] = i;
    }
    return f->plane.along;
}

/* ---- what to leave out ---- */

/* A dead node: its point in each plane. */
struct hole {
    uint32_t index; /* in the box */
    uint32_t column[VIEW_MOST_AXES];
    uint8_t row[VIEW_MOST_AXES];
};

struct search {
    struct field *field;
    unsigned axes;
    const struct hole *hole;
    uint32_t holes;
    uint64_t best;   /* nodes; a choice must leave more */
    uint64_t enough; /* nodes: more are not looked for */
    uint8_t *chosen; /* [hole]: the plane whose point goes; axes: another hole's choice covers
                        it */
    uint8_t *best_chosen;
};

static void leave_out(struct field *f, const struct hole *h, unsigned axis)
{
    f[axis].plane.dead[h->column[axis]] |= (uint8_t)(1u << h->row[axis]);
    f[axis].length = field_loop(&f[axis], NULL);
}

/* Takes the point of a hole in again; the loop is as long as it was. */
static void take_in(struct field *f, const struct hole *h, unsigned axis, uint32_t length)
{
    f[axis].plane.dead[h->column[axis]] &= (uint8_t) ~(1u << h->row[axis]);
    f[axis].length = length;
}

static uint64_t size_now(const struct search *s)
{
    uint64_t size = 1;
    for (unsigned k = 0; k < s->axes; k++)
        size *= s->field[k].length;
    return size;
}

static bool is_covered(const struct search *s, uint32_t hole)
{
    const struct hole *h = &s->hole[hole];
    for (unsigned k = 0; k < s->axes; k++)
        if (s->field[k].plane.dead[h->column[k]] >> h->row[k] & 1)
            return true;
    return false;
}

/* Tries all choices for a hole and those behind it. What is left out never lets a loop grow. */
static void try_all(struct search *s, uint32_t hole)
{
    uint64_t size = size_now(s);
    if (size <= s->best || s->best >= s->enough)
        return;
    while (hole < s->holes && is_covered(s, hole))
        s->chosen[hole++] = (uint8_t)s->axes;
    if (hole == s->holes) {
        s->best = size;
        memcpy(s->best_chosen, s->chosen, s->holes);
        return;
    }
    for (unsigned k = 0; k < s->axes; k++) {
        uint32_t before = s->field[k].length;
        s->chosen[hole] = (uint8_t)k;
        leave_out(s->field, &s->hole[hole], k);
        try_all(s, hole + 1);
        take_in(s->field, &s->hole[hole], k, before);
    }
}

/* One hole after the other, each where it costs least just then. */
static void try_each(struct search *s)
{
    for (uint32_t hole = 0; hole < s->holes; hole++) {
        uint64_t best = 0;
        unsigned axis = 0;
        if (is_covered(s, hole))
            continue;
        for (unsigned k = 0; k < s->axes; k++) {
            uint32_t before = s->field[k].length;
            leave_out(s->field, &s->hole[hole], k);
            uint64_t size = size_now(s);
            take_in(s->field, &s->hole[hole], k, before);
            axis = size > best ? k : axis;
            best = size > best ? size : best;
        }
        leave_out(s->field, &s->hole[hole], axis);
    }
}

/* Leaves out what is dead: exact for few dead nodes, one by one for many. Looks for more than
 * `below` nodes, and is content with `enough`; returns how many are left, 0: not more than `below`.
 */
static uint64_t choose_left_out(struct field *field, unsigned axes, const struct hole *hole,
                                uint32_t holes, uint64_t below, uint64_t enough)
{
    enum { MOST_TRIED = 8 };
    struct search s = {.field = field,
                       .axes = axes,
                       .hole = hole,
                       .holes = holes,
                       .best = below,
                       .enough = enough,
                       .chosen = memory_alloc(holes + 1, 1),
                       .best_chosen = memory_alloc(holes + 1, 1)};
    for (unsigned k = 0; k < axes; k++)
        field[k].length = field_loop(&field[k], NULL);
    if (holes <= MOST_TRIED) {
        try_all(&s, 0);
        s.best = s.best > below ? s.best : 0;
        for (uint32_t i = 0; i < holes && s.best; i++)
            if (s.best_chosen[i] < axes)
                leave_out(field, &hole[i], s.best_chosen[i]);
    } else {
        try_each(&s);
        s.best = size_now(&s) > below ? size_now(&s) : 0;
    }
    free(s.chosen);
    free(s.best_chosen);
    return s.best;
}

/* ---- the view ---- */

static struct hole hole_at(const struct torus *t, const struct box *box,
                           const struct view_plan *plan, uint32_t index)
{
    struct hole h = {.index = index};
    uint32_t at[TORUS_MAX_DIMS];
    box_coordinates(t, box, index, at);
    for (unsigned k = 0; k < plan->axes; k++) {
        const struct view_plane *p = &plan->plane[k];
        h.column[k] = snake_index(p, box, at);
        h.row[k] = p->across == VIEW_NO_AXIS ? 0 : (uint8_t)at[p->across];
    }
    return h;
}

/* Lists the dead nodes of a box, in its order. */
static uint32_t find_holes(const struct torus *t, const struct box *box,
                           const struct view_plan *plan, const bool *dead, struct hole **hole)
{
    uint32_t holes = 0, room = 0, nodes = dead ? box_nodes(t, box) : 0;
    *hole = NULL;
    for (uint32_t i = 0; i < nodes; i++)
        if (dead[box_node(t, box, i)])
            *LIST_ADD(*hole, holes, room) = hole_at(t, box, plan, i);
    return holes;
}

/* Numbers the nodes of a view, the first axis fastest. */
static void number_nodes(const struct torus *t, const struct box *box, const struct view_plan *plan,
                         uint32_t *const *point, struct view *v)
{
    v->node = memory_alloc(v->shape.nodes, sizeof(*v->node));
    for (uint32_t i = 0; i < v->shape.nodes; i++) {
        uint32_t at[TORUS_MAX_DIMS], c[TORUS_MAX_DIMS];
        torus_coordinates(&v->shape, i, c);
        for (unsigned k = 0; k < plan->axes; k++) {
            const struct view_plane *p = &plan->plane[k];
            uint32_t across = p->across == VIEW_NO_AXIS ? 1 : box->size[p->across];
            snake_point(p, box, point[k][c[k]] / across, at);
            if (p->across != VIEW_NO_AXIS)
                at[p->across] = point[k][c[k]] % across;
        }
        v->node[i] = box_node_at(t, box, at);
    }
}

weft_status view_create(const struct torus *t, const struct box *box, const struct view_plan *plan,
                        const bool *dead, struct view *v)
{
    struct field field[VIEW_MOST_AXES];
    uint32_t *point[VIEW_MOST_AXES];
    struct hole *hole;
    *v = (struct view){.shape = {.dims = plan->axes, .nodes = 1}};
    for (unsigned k = 0; k < plan->axes; k++) {
        uint8_t across = plan->plane[k].across;
        if (across != VIEW_NO_AXIS && box->size[across] > LOOP_MOST_ACROSS)
            return BAD_INPUT(NULL,
                             ("an axis of %u is too long to turn round in", box->size[across]),
                             ("use a, b or c"));
    }
    uint32_t holes = find_holes(t, box, plan, dead, &hole);
    for (unsigned k = 0; k < plan->axes; k++)
        field[k] = field_make(t, box, &plan->plane[k]);
    weft_status status = WEFT_OK;
    if (!choose_left_out(field, plan->axes, hole, holes, 0, UINT64_MAX))
        status = BAD_INPUT(NULL, ("too many nodes of the box are dead for a view"),
                           ("use another place, or fewer axes"));
    for (unsigned k = 0; k < plan->axes; k++) {
        point[k] =
            memory_alloc((size_t)field[k].plane.along * field[k].plane.across, sizeof(**point));
        v->shape.size[k] = status == WEFT_OK ? field_loop(&field[k], point[k]) : 0;
        v->shape.wrap[k] = true;
        v->shape.nodes *= v->shape.size[k];
    }
    v->left_out = box_nodes(t, box) - v->shape.nodes;
    if (status == WEFT_OK)
        number_nodes(t, box, plan, point, v);
    for (unsigned k = 0; k < plan->axes; k++) {
        free(field[k].plane.dead);
        free(point[k]);
    }
    free(hole);
    return status;
}

void view_fini(struct view *v)
{
    free(v->node);
    v->node = NULL;
}

bool view_has(const struct torus *t, const struct box *box, const struct view_plan *plan,
              const uint32_t *dead, uint32_t deads, uint64_t nodes)
{
    struct field field[VIEW_MOST_AXES];
    struct hole *hole = memory_alloc(deads + 1, sizeof(*hole));
    for (uint32_t i = 0; i < deads; i++) {
        struct hole h = hole_at(t, box, plan, box_index(t, box, dead[i]));
        uint32_t k = i;
        for (; k > 0 && hole[k - 1].index > h.index; k--)
            hole[k] = hole[k - 1];
        hole[k] = h;
    }
    for (unsigned k = 0; k < plan->axes; k++)
        field[k] = field_make(t, box, &plan->plane[k]);
    bool has = choose_left_out(field, plan->axes, hole, deads, nodes - 1, nodes) > 0;
    for (unsigned k = 0; k < plan->axes; k++)
        free(field[k].plane.dead);
    free(hole);
    return has;
}
