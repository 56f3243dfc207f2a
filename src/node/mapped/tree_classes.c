/* Classes as text, and their routes. */
#include "node/mapped/tree_classes.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text/text.h"

/* ---- sets of nodes ---- */

/* A number that ends where `*at` then is; false: there is none below `limit`. */
static bool read_number(const char **at, uint32_t limit, uint32_t *number)
{
    char *end;
    unsigned long value = strtoul(*at, &end, 10);
    if (**at < '0' || **at > '9' || value >= limit)
        return false;
    *number = (uint32_t)value;
    *at = end;
    return true;
}

/* "0-62,100" */
static bool read_list(const char *at, const struct torus *t, uint16_t *member, unsigned class)
{
    do {
        uint32_t first, last;
        if (!read_number(&at, t->nodes, &first))
            return false;
        last = first;
        if (*at == '-' && (at++, !read_number(&at, t->nodes, &last) || last < first))
            return false;
        for (uint32_t node = first; node <= last; node++)
            member[node] |= (uint16_t)(1u << class);
    } while (*at++ == ',');
    return !at[-1];
}

/* "2x2x2@0/0/0" */
static bool read_box(const char *at, const struct torus *t, uint16_t *member, unsigned class)
{
    struct box box;
    uint32_t corner;
    for (unsigned d = 0; d < t->dims; d++)
        if (!read_number(&at, t->size[d] + 1, &box.size[d]) || !box.size[d] ||
            *at++ != (d + 1 < t->dims ? 'x' : '@'))
            return false;
    if (!torus_parse_node(t, t->dims, &at, &corner) || *at)
        return false;
    torus_coordinates(t, corner, box.at);
    for (unsigned d = 0; d < t->dims; d++)
        if (!t->wrap[d] && box.at[d] + box.size[d] > t->size[d])
            return false;
    for (uint32_t i = 0; i < box_nodes(t, &box); i++)
        member[box_node(t, &box, i)] |= (uint16_t)(1u << class);
    return true;
}

static weft_status read_set(const char *text, const struct torus *t, struct tree_classes *c)
{
    const char *list = text_behind(text, "nodes:");
    if (c->count == TREE_USER_CLASSES)
        return BAD_INPUT(
            TREE_CLASSES_KEY,
            (TREE_CLASSES_KEY " has more than %d sets of nodes", TREE_USER_CLASSES - 1),
            ("use fewer; the other classes are the operating system's"));
    if (list ? read_list(list, t, c->member, c->count) : read_box(text, t, c->member, c->count)) {
        c->count++;
        return WEFT_OK;
    }
    return BAD_INPUT(TREE_CLASSES_KEY,
                     (TREE_CLASSES_KEY ": '%.60s' is no set of this machine's nodes", text),
                     ("use a box as 2x2x2@0/0/0, or nodes:0-7,12"));
}

/* ---- routes ---- */

uint32_t tree_class_route(unsigned class, const uint16_t *member, uint32_t living, uint32_t arity,
                          uint16_t *route)
{
    uint32_t *below = memory_alloc(living, sizeof(*below)), root = 0;
    for (uint32_t number = living; number--;) {
        below[number] += member[number] >> class & 1;
        if (number)
            below[(number - 1) / arity] += below[number];
    }
    /* From the top down, as long as all members are below one child. */
    for (uint32_t number = 1; number < living; number++)
        if (below[number] == below[0])
            root = number;
    for (uint32_t number = 0; number < living; number++)
        if (number == root || (below[number] && below[number] < below[0]))
            route[number] |= (uint16_t)(1u << class);
    free(below);
    return root;
}

/* Whether two classes can be in use at the same time. */
static bool can_be_both(const struct tree_classes *c, const uint16_t *member, const uint16_t *route,
                        const uint32_t *root, uint32_t living, unsigned a, unsigned b)
{
    unsigned both = 1u << a | 1u << b;
    uint32_t common = 0, links = 0;
    for (uint32_t number = 0; number < living; number++) {
        common += (member[number] & both) == both;
        links += (route[number] & both) == both && number != root[a] && number != root[b];
    }
    return !links || common == c->members[a] || common == c->members[b];
}

static weft_status check_pairs(const struct tree_classes *c, const uint16_t *member,
                               uint32_t living, uint32_t arity)
{
    uint16_t *route = memory_alloc(living, sizeof(*route));
    uint32_t root[TREE_CLASSES];
    weft_status status = WEFT_OK;
    for (unsigned i = 1; i < c->count; i++)
        root[i] = tree_class_route(i, member, living, arity, route);
    for (unsigned a = 1; a < c->count && status == WEFT_OK; a++)
        for (unsigned b = a + 1; b < c->count && status == WEFT_OK; b++)
            if (!can_be_both(c, member, route, root, living, a, b))
                status = BAD_INPUT(TREE_CLASSES_KEY,
                                   (TREE_CLASSES_KEY
                                    ": classes %u and %u share links of the tree, and neither "
                                    "has all nodes of the other: they could wait for each other",
                                    a, b),
                                   ("use sets inside each other, or in different subtrees"));
    free(route);
    return status;
}

/* ---- reading ---- */

/* Members by their numbers in the tree; returns how many living nodes there are. */
static uint32_t number_members(struct tree_classes *c, const struct torus *t, const bool *dead,
                               uint16_t *member)
{
    uint32_t living = 0;
    for (uint32_t node = 0; node < t->nodes; node++) {
        if (dead && dead[node])
            continue;
        member[living++] = c->member[node] |= 1;
        for (unsigned class = 0; class < c->count; class ++)
            c->members[class] += c->member[node] >> class & 1;
    }
    return living;
}

static weft_status read_all(const char *text, const struct torus *t, struct tree_classes *c)
{
    char *copy = memory_copy(text), *at = copy, *set;
    weft_status status = WEFT_OK;
    while (status == WEFT_OK && (set = strsep(&at, ";")))
        status = read_set(set, t, c);
    free(copy);
    return status;
}

weft_status tree_classes_parse(const char *text, const struct torus *t, const bool *dead,
                               uint32_t arity, struct tree_classes *c)
{
    *c = (struct tree_classes){.count = 1, .member = memory_alloc(t->nodes, sizeof(*c->member))};
    uint16_t *member = memory_alloc(t->nodes, sizeof(*member));
    weft_status status = strcmp(text, "none") == 0 ? WEFT_OK : read_all(text, t, c);
    uint32_t living = number_members(c, t, dead, member);
    for (unsigned class = 1; class < c->count && status == WEFT_OK; class ++)
        if (!c->members[class])
            status = BAD_INPUT(TREE_CLASSES_KEY " machine.dead_nodes",
                               (TREE_CLASSES_KEY ": all nodes of class %u are dead", class),
                               ("leave it out"));
    if (status == WEFT_OK)
        status = check_pairs(c, member, living, arity);
    free(member);
    if (status != WEFT_OK)
        tree_classes_fini(c);
    return status;
}

void tree_classes_fini(struct tree_classes *c)
{
    free(c->member);
    c->member = NULL;
}
