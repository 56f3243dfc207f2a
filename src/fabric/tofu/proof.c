/* Listing what channels may wait for, and looking for a cycle. */
#include "fabric/tofu/network.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/text/text.h"
#include "topology/dependency.h"

/* Channels are numbered (node * TOFU_LINKS + port) * TOFU_VCS + vc. */
struct channels {
    const struct tofu_routing *routing;
    const struct tofu_params *params;
};

/* The channels that a packet at a node may ask for. */
struct edges {
    const struct channels *channels;
    uint32_t node;
    unsigned group;
    uint32_t *edge;
    unsigned count;
};

static bool ends_ring(const struct channels *c, uint32_t node, unsigned port)
{
    return port < TOFU_PORT_A && torus_link_wraps(c->routing->shape, node, port);
}

static void add(struct edges *e, unsigned port, bool higher)
{
    const struct channels *c = e->channels;
    if (tofu_neighbour(c->routing->shape, e->node, port) == TORUS_NO_NODE)
        return;
    unsigned vc = tofu_vc(c->params, e->group, higher);
    uint32_t channel = (e->node * TOFU_LINKS + port) * TOFU_VCS + vc;
    for (unsigned i = 0; i < e->count; i++)
        if (e->edge[i] == channel)
            return;
    WEFT_CHECK(e->count < DEPENDENCY_MOST_EDGES, "a channel waits for more than %d others",
               DEPENDENCY_MOST_EDGES);
    e->edge[e->count++] = channel;
}

/* Phase 3, from an axis on: a, c, b. */
static void add_last(struct edges *e, bool a, bool c, bool b)
{
    if (a)
        add(e, TOFU_PORT_A, true);
    if (c)
        add(e, TOFU_PORT_C, true);
    if (b) {
        add(e, TOFU_PORT_B_PLUS, true);
        add(e, TOFU_PORT_B_MINUS, true);
    }
}

/* Phase 2, from an axis of the order on, and what may follow. */
static void add_xyz(struct edges *e, unsigned from)
{
    for (unsigned i = from; i < 3; i++)
        for (unsigned minus = 0; minus < 2; minus++) {
            unsigned port = 2u * e->channels->routing->order[e->group][i] + minus;
            if (tofu_neighbour(e->channels->routing->shape, e->node, port) != TORUS_NO_NODE)
                add(e, port, ends_ring(e->channels, e->node, port));
        }
    add_last(e, true, true, true);
}

/* A packet that has come along x, y or z. No packet passes the last link of a ring twice. */
static void list_straight(struct edges *e, unsigned port, bool higher)
{
    const struct channels *c = e->channels;
    unsigned i = 0;
    while (c->routing->order[e->group][i] != port / 2)
        i++;
    if (tofu_neighbour(c->routing->shape, e->node, port) != TORUS_NO_NODE) {
        bool end = ends_ring(c, e->node, port);
        if (!end || !higher)
            add(e, port, higher || end);
    }
    add_xyz(e, i + 1);
}

/* A packet of a group that has come by a port on its lower or higher channel. */
static void list_group(struct edges *e, uint32_t from, unsigned port, bool higher)
{
    bool end = ends_ring(e->channels, from, port);
    if (port < TOFU_PORT_A) {
        if (!end || higher)
            list_straight(e, port, higher);
        return;
    }
    bool is_a = port == TOFU_PORT_A, is_c = port == TOFU_PORT_C;
    if (higher) {
        add_last(e, false, is_a, is_a || is_c);
        return;
    }
    if (!is_a && !is_c)
        add(e, TOFU_PORT_C, false);
    if (!is_a)
        add(e, TOFU_PORT_A, false);
    add_xyz(e, 0);
}

static unsigned list_edges(const void *ctx, uint32_t channel, uint32_t edge[DEPENDENCY_MOST_EDGES])
{
    const struct channels *c = ctx;
    uint32_t link = channel / TOFU_VCS, from = link / TOFU_LINKS;
    unsigned vc = channel % TOFU_VCS, port = link % TOFU_LINKS;
    uint32_t node = tofu_neighbour(c->routing->shape, from, port);
    struct edges e = {.channels = c, .node = node, .edge = edge};
    for (e.group = 0; node != TORUS_NO_NODE && e.group < TOFU_GROUPS; e.group++)
        for (unsigned higher = 0; higher < 2; higher++)
            if (tofu_vc(c->params, e.group, higher) == vc)
                list_group(&e, from, port, higher);
    return e.count;
}

static void print_cycle(const struct channels *c, const uint32_t *cycle, uint32_t length,
                        char *text, size_t size)
{
    size_t at = text_append(text, size, 0, "possible; %u channels wait for each other:", length);
    for (uint32_t i = 0; i < length; i++) {
        uint32_t link = cycle[i] / TOFU_VCS;
        char name[64];
        at = text_append(
            text, size, at, "\n  link %s, %s",
            tofu_link_text(c->routing->shape, link / TOFU_LINKS, link % TOFU_LINKS, name),
            tofu_vc_name(cycle[i] % TOFU_VCS));
    }
}

weft_status tofu_prove(const struct tofu_routing *r, const struct tofu_params *p, char *text,
                       size_t size)
{
    struct channels c = {r, p};
    struct dependency graph = {
        .channels = r->shape->nodes * TOFU_LINKS * TOFU_VCS, .list = list_edges, .ctx = &c};
    uint32_t *cycle, length = dependency_find_cycle(&graph, &cycle);
    if (length)
        print_cycle(&c, cycle, length, text, size);
    else
        snprintf(text, size,
                 "the channels of links (%u VCs) never wait in a cycle, on any of the %d paths in "
                 "either order, whatever node, board, group or link is dead or out of service",
                 p->vcs, TOFU_PATHS);
    free(cycle);
    return length ? WEFT_FAILED : WEFT_OK;
}
