/* Axes, ports and neighbours of Tofu. */
#include "fabric/tofu/shape.h"

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
