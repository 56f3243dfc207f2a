/* Coordinates, neighbours and distances of a torus or mesh. */
#include "topology/torus/torus.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *torus_port_name(unsigned port)
{
    static const char *const names[TORUS_MAX_PORTS] = {"x+", "x-", "y+", "y-", "z+", "z-",
                                                       "u+", "u-", "v+", "v-", "w+", "w-"};
    return names[port];
}

weft_status torus_parse(const char *text, struct torus *t)
{
    struct torus parsed = {.dims = 0};
    uint64_t nodes = 1;
    const char *at = text;
    for (bool more = true; more; at += more) {
        char *end;
        uint64_t size = *at >= '0' && *at <= '9' ? strtoull(at, &end, 10) : 0;
        bool good = size > 0 && size <= UINT32_MAX;
        if (parsed.dims == TORUS_MAX_DIMS)
            return BAD_INPUT(NULL, ("'%.60s' has more than %d dimensions", text, TORUS_MAX_DIMS),
                             ("use fewer"));
        nodes *= good ? size : 0;
        if (nodes > INT32_MAX)
            return BAD_INPUT(NULL, ("'%.60s' has over 2 billion nodes", text),
                             ("use a smaller machine"));
        at = good ? end : at;
        more = *at == 'x';
        parsed.size[parsed.dims] = (uint32_t)size;
        parsed.wrap[parsed.dims++] = true;
        if (!good || (*at && !more))
            return BAD_INPUT(NULL, ("'%.60s' is not a machine size", text),
                             ("use positive sizes joined by x, as 8x8x8"));
    }
    parsed.nodes = (uint32_t)nodes;
    *t = parsed;
    return WEFT_OK;
}

const char *torus_text(const struct torus *t, char *text)
{
    char *at = text;
    for (unsigned d = 0; d < t->dims; d++)
        at += sprintf(at, d ? "x%u" : "%u", t->size[d]);
    return text;
}

void torus_near(uint32_t nodes, unsigned dims, struct torus *t)
{
    uint32_t best = UINT32_MAX;
    *t = (struct torus){.dims = dims, .nodes = nodes};
    for (uint32_t first = 1; (uint64_t)first * first <= nodes; first++) {
        if (nodes % first || (dims == 2 && first > 1))
            continue;
        uint32_t rest = nodes / first, second = 1; /* its largest divisor up to its square root */
        for (uint32_t side = 1; (uint64_t)side * side <= rest; side++)
            second = rest % side ? second : side;
        uint32_t third = rest / second;
        if (first + second + third < best) {
            best = first + second + third;
            t->size[0] = dims == 2 ? second : first;
            t->size[1] = dims == 2 ? third : second;
            t->size[2] = dims == 2 ? 1 : third;
        }
    }
    for (unsigned d = 0; d < dims; d++)
        t->wrap[d] = true;
}

const char *torus_node_text(const struct torus *t, uint32_t node, char text[TORUS_NODE_TEXT])
{
    uint32_t c[TORUS_MAX_DIMS];
    size_t at = 0;
    torus_coordinates(t, node, c);
    text[0] = '\0';
    for (unsigned d = 0; d < t->dims; d++)
        at += (size_t)snprintf(text + at, TORUS_NODE_TEXT - at, d ? "/%u" : "%u", c[d]);
    return text;
}

bool torus_parse_node(const struct torus *t, unsigned dims, const char **text, uint32_t *node)
{
    uint32_t c[TORUS_MAX_DIMS] = {0};
    for (unsigned d = 0; d < dims; d++) {
        char *end;
        unsigned long value = strtoul(*text, &end, 10);
        if (end == *text || **text < '0' || **text > '9' || value >= t->size[d])
            return false;
        c[d] = (uint32_t)value;
        *text = end;
        if (d + 1 < dims && *(*text)++ != '/')
            return false;
    }
    *node = torus_node(t, c);
    return true;
}

static void split(unsigned dims, const uint32_t *size, uint32_t index, uint32_t *coordinate)
{
    for (unsigned d = 0; d < dims; d++) {
        coordinate[d] = index % size[d];
        index /= size[d];
    }
}

void torus_coordinates(const struct torus *t, uint32_t node, uint32_t *coordinate)
{
    split(t->dims, t->size, node, coordinate);
}

uint32_t torus_node(const struct torus *t, const uint32_t *coordinate)
{
    uint32_t node = 0;
    for (unsigned d = t->dims; d-- > 0;)
        node = node * t->size[d] + coordinate[d];
    return node;
}

/* ---- boxes ---- */

uint32_t box_nodes(const struct torus *t, const struct box *box)
{
    uint32_t nodes = 1;
    for (unsigned d = 0; d < t->dims; d++)
        nodes *= box->size[d];
    return nodes;
}

void box_coordinates(const struct torus *t, const struct box *box, uint32_t index,
                     uint32_t *coordinate)
{
    split(t->dims, box->size, index, coordinate);
}

uint32_t box_node_at(const struct torus *t, const struct box *box, const uint32_t *coordinate)
{
    uint32_t c[TORUS_MAX_DIMS];
    for (unsigned d = 0; d < t->dims; d++)
        c[d] = (box->at[d] + coordinate[d]) % t->size[d];
    return torus_node(t, c);
}

uint32_t box_node(const struct torus *t, const struct box *box, uint32_t index)
{
    uint32_t c[TORUS_MAX_DIMS];
    box_coordinates(t, box, index, c);
    return box_node_at(t, box, c);
}

uint32_t box_index(const struct torus *t, const struct box *box, uint32_t node)
{
    uint32_t c[TORUS_MAX_DIMS], index = 0;
    torus_coordinates(t, node, c);
    for (unsigned d = t->dims; d-- > 0;)
        index = index * box->size[d] + (c[d] + t->size[d] - box->at[d]) % t->size[d];
    return index;
}

bool box_has(const struct torus *t, const struct box *box, uint32_t node)
{
    uint32_t c[TORUS_MAX_DIMS];
    torus_coordinates(t, node, c);
    for (unsigned d = 0; d < t->dims; d++)
        if ((c[d] + t->size[d] - box->at[d]) % t->size[d] >= box->size[d])
            return false;
    return true;
}

/* ---- links ---- */

bool torus_link_wraps(const struct torus *t, uint32_t node, unsigned port)
{
    uint32_t coordinate[TORUS_MAX_DIMS];
    unsigned d = port / 2;
    t = wiring_home(t, node, coordinate);
    return coordinate[d] == (port % 2 ? 0 : t->size[d] - 1);
}

/* Of a torus that is wired apart. */
static uint32_t wired_neighbour(const struct torus *t, uint32_t node, unsigned port)
{
    const struct wiring_box *own = wiring_box_of(t->wiring, node);
    uint32_t next = torus_neighbour(&own->torus, t->wiring->number[node], port);
    return next == TORUS_NO_NODE ? next : box_node(t, &own->box, next);
}

uint32_t torus_neighbour(const struct torus *t, uint32_t node, unsigned port)
{
    uint32_t coordinate[TORUS_MAX_DIMS];
    unsigned d = port / 2;
    if (t->wiring)
        return wired_neighbour(t, node, port);
    if (d >= t->dims || t->size[d] == 1)
        return TORUS_NO_NODE;
    torus_coordinates(t, node, coordinate);
    if (coordinate[d] == (port % 2 ? 0 : t->size[d] - 1) && !t->wrap[d])
        return TORUS_NO_NODE;
    coordinate[d] = (coordinate[d] + (port % 2 ? t->size[d] - 1 : 1)) % t->size[d];
    return torus_node(t, coordinate);
}

static uint64_t wired_links(const struct wiring *w)
{
    uint64_t links = 0;
    for (uint32_t i = 0; i < w->boxes; i++)
        links += torus_links(&w->box[i].torus);
    return links;
}

uint64_t torus_links(const struct torus *t)
{
    uint64_t links = 0;
    if (t->wiring)
        return wired_links(t->wiring);
    for (unsigned d = 0; d < t->dims; d++) {
        uint64_t lines = t->nodes / t->size[d];
        if (t->size[d] > 1)
            links += 2 * lines * (t->wrap[d] ? t->size[d] : t->size[d] - 1);
    }
    return links;
}

int32_t torus_offset(const struct torus *t, unsigned dim, uint32_t a, uint32_t b, bool *tie)
{
    int32_t size = (int32_t)t->size[dim], straight = (int32_t)b - (int32_t)a;
    *tie = false;
    if (!t->wrap[dim])
        return straight;
    int32_t plus = straight < 0 ? straight + size : straight;
    *tie = plus > 0 && 2 * plus == size;
    return 2 * plus <= size ? plus : plus - size;
}

uint32_t torus_distance(const struct torus *t, uint32_t a, uint32_t b)
{
    uint32_t from[TORUS_MAX_DIMS], to[TORUS_MAX_DIMS], distance = 0;
    bool tie;
    if (!wiring_joins(t, a, b))
        return UINT32_MAX;
    wiring_home(t, b, to);
    t = wiring_home(t, a, from);
    for (unsigned d = 0; d < t->dims; d++)
        distance += (uint32_t)abs(torus_offset(t, d, from[d], to[d], &tie));
    return distance;
}

double torus_mean_hops(const struct torus *t, unsigned dim)
{
    uint64_t hops = 0;
    uint32_t size = t->size[dim];
    bool tie;
    if (t->nodes == 1)
        return 0;
    if (t->wrap[dim])
        for (uint32_t b = 0; b < size; b++)
            hops += (uint64_t)abs(torus_offset(t, dim, 0, b, &tie)) * size;
    else
        for (uint64_t gap = 1; gap < size; gap++)
            hops += 2 * gap * (size - gap);
    /* `hops` is over pairs of coordinates; pairs of different nodes exclude the node itself. */
    double lines = (double)t->nodes / size;
    return (double)hops * lines * lines / ((double)t->nodes * (t->nodes - 1.0));
}

uint32_t torus_diameter(const struct torus *t)
{
    uint32_t diameter = 0;
    for (unsigned d = 0; d < t->dims; d++)
        diameter += t->wrap[d] ? t->size[d] / 2 : t->size[d] - 1;
    return diameter;
}

uint64_t torus_bisection_links(const struct torus *t)
{
    unsigned longest = 0;
    for (unsigned d = 1; d < t->dims; d++)
        if (t->size[d] > t->size[longest])
            longest = d;
    if (t->size[longest] == 1)
        return 0;
    return 2ull * (t->wrap[longest] ? 2 : 1) * (t->nodes / t->size[longest]);
}

/* ---- as values of keys ---- */

static weft_status parse_dims(const struct key *key, const char *text, void *field)
{
    struct torus *torus = field, parsed = {.dims = 0};
    if (strcmp(text, "auto") != 0 || !key->default_value) {
        weft_status status = torus_parse(text, &parsed);
        if (status != WEFT_OK) {
            error_prefix("%s = ", key->name);
            return status;
        }
    }
    memcpy(parsed.wrap, torus->wrap, sizeof(parsed.wrap)); /* set by its own key */
    parsed.wraps = torus->wraps;
    *torus = parsed;
    return WEFT_OK;
}

static void print_dims(const struct key *key, const void *field, char text[CONFIG_TEXT])
{
    const struct torus *torus = field;
    (void)key;
    if (torus->dims)
        torus_text(torus, text);
    else
        strcpy(text, "auto");
}

static weft_status parse_wrap(const struct key *key, const char *text, void *field)
{
    struct torus *torus = field;
    bool wrap[TORUS_MAX_DIMS] = {false};
    unsigned count = 0;
    while (text) {
        char item[32];
        if (count == TORUS_MAX_DIMS)
            return BAD_INPUT(NULL, ("%s has more values than dimensions", key->name),
                             ("use one for each"));
        text = key_list_item(text, item);
        if (strcmp(item, "true") != 0 && strcmp(item, "false") != 0)
            return BAD_INPUT(NULL, ("%s = '%.60s' is neither true nor false", key->name, item),
                             ("use one of them"));
        wrap[count++] = item[0] == 't';
    }
    for (unsigned d = count; d < TORUS_MAX_DIMS; d++)
        wrap[d] = wrap[count - 1];
    memcpy(torus->wrap, wrap, sizeof(wrap));
    torus->wraps = count;
    return WEFT_OK;
}

static void print_wrap(const struct key *key, const void *field, char text[CONFIG_TEXT])
{
    const struct torus *torus = field;
    (void)key;
    for (unsigned d = 0; d < torus->dims; d++)
        sprintf(text + strlen(text), d ? ",%s" : "%s", torus->wrap[d] ? "true" : "false");
}

const struct key_format torus_dims_format = {parse_dims, print_dims};
const struct key_format torus_wrap_format = {parse_wrap, print_wrap};
