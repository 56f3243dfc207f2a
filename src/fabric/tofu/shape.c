/* Axes, ports and neighbours of Tofu, and what of them is dead. */
#include "fabric/tofu/route.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "config/keys.h"

weft_status tofu_shape_finish(struct torus *t)
{
    static const uint32_t fixed[TOFU_AXES] = {0, 0, 0, 2, 3, 2};
    if (t->dims != TOFU_AXES)
        return BAD_INPUT("machine.dims", ("machine.dims has %u axes; Tofu has six", t->dims),
                         ("give x, y, z, a, b and c, as in 4x4x4x2x3x2"));
    for (unsigned axis = 0; axis < TOFU_AXES; axis++) {
        if (fixed[axis] && t->size[axis] != fixed[axis])
            return BAD_INPUT(
                "machine.dims",
                ("machine.dims has %u nodes along axis %c", t->size[axis], "xyzabc"[axis]),
                ("use %u: a and c have two nodes, b has three", fixed[axis]));
        bool ring = axis == TOFU_B;
        if (fixed[axis] && axis < t->wraps && t->wrap[axis] != ring)
            return BAD_INPUT(
                "machine.wrap",
                ("machine.wrap has a %s along axis %c", ring ? "line" : "ring", "xyzabc"[axis]),
                ("use values for x, y and z only: a and c are lines, b is a ring"));
        if (fixed[axis])
            t->wrap[axis] = ring;
    }
    for (unsigned axis = TOFU_X; axis <= TOFU_Z; axis++)
        if (t->size[axis] > 4096)
            return BAD_INPUT("machine.dims",
                             ("machine.dims = %u along an axis is too large", t->size[axis]),
                             ("use at most 4096"));
    return WEFT_OK;
}

const char *tofu_port_name(unsigned port)
{
    static const char *const names[TOFU_LINKS] = {"x+", "x-", "y+", "y-", "z+",
                                                  "z-", "a",  "b+", "b-", "c"};
    return names[port];
}

uint32_t tofu_neighbour(const struct torus *t, uint32_t node, unsigned port)
{
    enum tofu_axis axis = tofu_port_axis(port);
    uint32_t c[TORUS_MAX_DIMS];
    unsigned minus = port < TOFU_PORT_A ? port & 1 : port == TOFU_PORT_B_MINUS;
    if (port == TOFU_PORT_A || port == TOFU_PORT_C) {
        torus_coordinates(t, node, c);
        minus = c[axis];
    }
    return torus_neighbour(t, node, 2 * axis + minus);
}

uint64_t tofu_links(const struct torus *t, unsigned port)
{
    enum tofu_axis axis = tofu_port_axis(port);
    uint64_t lines = t->nodes / t->size[axis];
    if (axis == TOFU_A || axis == TOFU_C)
        return t->nodes;
    if (t->size[axis] == 1)
        return 0;
    return lines * (t->size[axis] - !t->wrap[axis]);
}

uint64_t tofu_bisection_links(const struct torus *t)
{
    uint64_t least = torus_bisection_links(t);
    for (unsigned axis = 0; axis < TOFU_AXES; axis++) {
        uint64_t lines = t->nodes / t->size[axis], links = 2 * lines * (t->wrap[axis] ? 2 : 1);
        if (t->size[axis] % 2 == 0 && links < least)
            least = links;
    }
    return least;
}

/* A sort of things that can be dead. */
struct sort {
    const char *key, *name, *example;
    unsigned numbers;    /* that name one: the first three are x, y and z */
    enum tofu_unit unit; /* unless it is a link */
};

static const struct sort node_sort = {"machine.dead_nodes", "node", "1/2/3/0/1/0", TOFU_AXES,
                                      TOFU_UNIT_NODE};
static const struct sort board_sort = {"machine.dead_boards", "board", "1/2/3/2 (x, y, z and b)", 4,
                                       TOFU_UNIT_BOARD};
static const struct sort group_sort = {"machine.dead_groups", "node group", "1/2/3", 3,
                                       TOFU_UNIT_GROUP};
static const struct sort link_sort = {"machine.dead_links", "link", "1/2/3/0/1/0:x+", TOFU_AXES, 0};

static int compare(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

bool tofu_is_dead(const struct tofu_faults *f, uint32_t node)
{
    return f->nodes && bsearch(&node, f->node, f->nodes, sizeof(node), compare);
}

static void kill(struct tofu_faults *f, uint32_t node)
{
    if (tofu_is_dead(f, node))
        return;
    f->node[f->nodes++] = node;
    qsort(f->node, f->nodes, sizeof(node), compare);
}

void tofu_faults_kill(const struct torus *t, uint32_t node, enum tofu_unit unit,
                      struct tofu_faults *f)
{
    uint32_t c[TORUS_MAX_DIMS];
    torus_coordinates(t, node, c);
    unsigned b = c[TOFU_B];
    if (unit == TOFU_UNIT_NODE)
        kill(f, node);
    for (unsigned i = 0; unit != TOFU_UNIT_NODE && i < TOFU_GROUP_NODES; i++) {
        c[TOFU_A] = i % 2;
        c[TOFU_B] = i / 2 % 3;
        c[TOFU_C] = i / 6;
        if (unit == TOFU_UNIT_GROUP || b == c[TOFU_B])
            kill(f, torus_node(t, c));
    }
}

static bool parse_port(const char **at, uint8_t *port)
{
    for (unsigned p = 0; p < TOFU_LINKS; p++) {
        size_t length = strlen(tofu_port_name(p));
        if (strncmp(*at, tofu_port_name(p), length) == 0) {
            *port = (uint8_t)p;
            *at += length;
            return true;
        }
    }
    return false;
}

bool tofu_parse_board(const struct torus *t, const char **at, uint32_t *node)
{
    uint32_t c[TORUS_MAX_DIMS];
    if ((*at)[0] != '/' || (*at)[1] < '0' || (*at)[1] > '2')
        return false;
    torus_coordinates(t, *node, c);
    c[TOFU_B] = (uint32_t)((*at)[1] - '0');
    *node = torus_node(t, c);
    *at += 2;
    return true;
}

/* Reads one thing of a sort; false: there is none of that name. */
static bool parse_one(const struct torus *t, const struct sort *sort, const char **at,
                      struct tofu_faults *f)
{
    uint32_t node;
    uint8_t port = 0;
    if (!torus_parse_node(t, sort->numbers == TOFU_AXES ? TOFU_AXES : 3, at, &node) ||
        (sort == &board_sort && !tofu_parse_board(t, at, &node)))
        return false;
    if (sort == &link_sort) {
        if (*(*at)++ != ':' || !parse_port(at, &port) ||
            tofu_neighbour(t, node, port) == TORUS_NO_NODE)
            return false;
        f->link[f->links].node = node;
        f->link[f->links++].port = port;
    } else {
        tofu_faults_kill(t, node, sort->unit, f);
    }
    return true;
}

static weft_status parse_list(const struct torus *t, const struct sort *sort, const char *list,
                              struct tofu_faults *f)
{
    unsigned count = 0;
    for (const char *at = list; strcmp(list, "none") != 0 && *at;) {
        const char *item = at += strspn(at, " ");
        if (count++ == TOFU_FAULTS_MOST)
            return BAD_INPUT(sort->key, ("%s has over %d", sort->key, TOFU_FAULTS_MOST),
                             ("use fewer"));
        if (!parse_one(t, sort, &at, f) || (*(at += strspn(at, " ")) && *at != ',')) {
            char text[32];
            key_list_item(item, text);
            return BAD_INPUT(sort->key,
                             ("%s: '%s' is not a %s of this machine", sort->key, text, sort->name),
                             ("use %s, joined by commas, or none", sort->example));
        }
        at += *at == ',';
    }
    return WEFT_OK;
}

weft_status tofu_faults_parse(const struct torus *t, const struct tofu_fault_texts *texts,
                              struct tofu_faults *f)
{
    memset(f, 0, sizeof(*f));
    TRY(parse_list(t, &node_sort, texts->nodes, f));
    TRY(parse_list(t, &board_sort, texts->boards, f));
    TRY(parse_list(t, &group_sort, texts->groups, f));
    return parse_list(t, &link_sort, texts->links, f);
}

bool tofu_link_lives(const struct tofu_faults *f, const struct torus *t, uint32_t node,
                     unsigned port)
{
    uint32_t to = tofu_neighbour(t, node, port);
    if (to == TORUS_NO_NODE || tofu_is_dead(f, node) || tofu_is_dead(f, to))
        return false;
    for (uint32_t i = 0; i < f->links; i++) {
        uint32_t a = f->link[i].node, b = tofu_neighbour(t, a, f->link[i].port);
        if ((a == node && f->link[i].port == port) ||
            (b == node && tofu_opposite(f->link[i].port) == port))
            return false;
    }
    return true;
}

const char *tofu_link_text(const struct torus *t, uint32_t node, unsigned port, char text[64])
{
    char place[TORUS_NODE_TEXT];
    snprintf(text, 64, "%.58s:%s", torus_node_text(t, node, place), tofu_port_name(port));
    return text;
}

bool tofu_find_link(const struct torus *t, const char *text, uint32_t *node, uint32_t *port)
{
    struct tofu_faults *one = memory_alloc(1, sizeof(*one));
    bool found = parse_list(t, &link_sort, text, one) == WEFT_OK && one->links == 1;
    *node = found ? one->link[0].node : 0;
    *port = found ? one->link[0].port : 0;
    free(one);
    return found;
}
