/*
 * Graph files: a line per node, in one of two forms, which the first line decides.
 *
 *   # node: links to                  # switch hosts: linked with
 *   0: 1 2                            0 4: 1 2
 *   1: 2                              1 4: 2 2
 *   2: 0                              2 0:
 *
 * A node without a number of hosts is its own host, and its links are one-way, in the order of
 * output ports. Links of switches are two-way and named once, at either end; two between the same
 * switches are named twice. Lines may come in any order, and every node from 0 on has one; input
 * ports are numbered in the order in which the file names their links.
 *
 * Errors visible from a line alone are refused there; whether the nodes it names exist is known
 * only at the end.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/file/input.h"
#include "base/list.h"
#include "base/memory.h"
#include "topology/graph/graph.h"

#define NODE_FORM   "write one line per node, FROM: TO TO ..., as 0: 1 2"
#define SWITCH_FORM "write one line per switch, SWITCH HOSTS: TO TO ..., as 0 4: 1 2"
#define EITHER_FORM NODE_FORM "; or per switch, SWITCH HOSTS: TO TO ..., as 0 4: 1 2"

struct link {
    uint32_t from, to;
    uint32_t line, column; /* where the file names it */
};

struct reader {
    struct lines lines;
    bool switches;    /* the form */
    const char *node; /* what it calls a node */
    uint32_t *given;  /* [node] its line; 0: none so far */
    uint32_t *hosts;  /* [node], of switches */
    uint32_t *out;    /* [node] links so far out of it, */
    uint32_t *in;     /* and into it: the same of two-way links */
    struct link *link;
    size_t links, capacity;
    uint32_t nodes, degree;
};

#define REFUSE(READER, LINE, COLUMN, WHAT, REMEDY)                                                 \
    LINES_REFUSE(&(READER)->lines, LINE, COLUMN, WHAT, REMEDY)

/* ---- the form ---- */

/* Two numbers begin the first line of switches. */
static void find_form(struct reader *r)
{
    struct lines ahead = r->lines;
    uint64_t number;
    while (lines_left(&ahead) && lines_end(&ahead))
        if (lines_next(&ahead) != WEFT_OK)
            return;
    if (!lines_is_digit(&ahead, ahead.at) || lines_number(&ahead, "", &number) != WEFT_OK)
        return;
    r->switches = !lines_end(&ahead) && *ahead.at != ':';
    r->node = r->switches ? "switch" : "node";
    r->lines.form = r->switches ? SWITCH_FORM : NODE_FORM;
}

/* ---- lines ---- */

static weft_status read_number(struct reader *r, const char *what, uint32_t below, uint32_t *number)
{
    struct lines *l = &r->lines;
    const char *start = l->at;
    uint64_t value;
    TRY(lines_number(l, what, &value));
    if (value >= below)
        return REFUSE(
            r, l->line, lines_column(l, start),
            ("%s %.*s is too large", what, (int)(l->at - start < 20 ? l->at - start : 20), start),
            ("use numbers from 0 to %u", below - 1));
    *number = (uint32_t)value;
    return WEFT_OK;
}

static weft_status read_node(struct reader *r, uint32_t *node)
{
    if (r->switches)
        return read_number(r, "switch number", GRAPH_MAX_NODES, node);
    return read_number(r, "node number", GRAPH_ONE_WAY_NODES, node);
}

/* "NODE:" or "SWITCH HOSTS:" */
static weft_status read_head(struct reader *r, uint32_t *from)
{
    struct lines *l = &r->lines;
    uint32_t where = lines_column(l, l->at);
    TRY(read_node(r, from));
    if (r->given[*from])
        return REFUSE(r, l->line, where,
                      ("%s %u already has line %u", r->node, *from, r->given[*from]),
                      ("give all its links on one line"));
    if (r->switches && lines_end(l))
        return REFUSE(r, l->line, lines_column(l, l->at), ("no number of hosts"), (SWITCH_FORM));
    if (r->switches)
        TRY(read_number(r, "number of hosts", GRAPH_MAX_PORTS + 1, &r->hosts[*from]));
    if (lines_end(l) || *l->at != ':') {
        if (r->switches)
            return REFUSE(r, l->line, lines_column(l, l->at), ("no ':' after the number of hosts"),
                          (SWITCH_FORM));
        return REFUSE(r, l->line, lines_column(l, l->at), ("no ':' after node %u", *from),
                      (NODE_FORM));
    }
    l->at++;
    r->given[*from] = l->line;
    r->nodes = *from >= r->nodes ? *from + 1 : r->nodes;
    return WEFT_OK;
}

/* A link takes a port at an end. */
static weft_status count_end(struct reader *r, const struct link *l, uint32_t *count, uint32_t node,
                             const char *at)
{
    uint32_t most = r->switches ? GRAPH_MAX_PORTS : GRAPH_ONE_WAY_LINKS;
    if (count[node] == most)
        return REFUSE(r, l->line, l->column,
                      ("more than %u links %s %s %u", most, at, r->node, node), ("remove some"));
    count[node]++;
    r->degree = count[node] > r->degree ? count[node] : r->degree;
    return WEFT_OK;
}

static weft_status add_link(struct reader *r, const struct link *l)
{
    if (l->from == l->to)
        return REFUSE(r, l->line, l->column, ("a link from %s %u to itself", r->node, l->from),
                      ("remove it"));
    /* Of the same line. */
    for (size_t i = r->links - r->out[l->from]; i < r->links && !r->switches; i++)
        if (r->link[i].to == l->to)
            return REFUSE(r, l->line, l->column,
                          ("a second link from node %u to node %u", l->from, l->to),
                          ("keep one: ports are identified by their neighbour"));
    TRY(count_end(r, l, r->out, l->from, r->switches ? "at" : "out of"));
    TRY(count_end(r, l, r->switches ? r->out : r->in, l->to, r->switches ? "at" : "into"));
    *LIST_ADD(r->link, r->links, r->capacity) = *l;
    return WEFT_OK;
}

static weft_status read_line(struct reader *r)
{
    struct lines *lines = &r->lines;
    uint32_t from = 0;
    if (!lines_end(lines))
        TRY(read_head(r, &from));
    while (!lines_end(lines)) {
        struct link l = {
            .from = from, .line = lines->line, .column = lines_column(lines, lines->at)};
        TRY(read_node(r, &l.to));
        TRY(add_link(r, &l));
    }
    return lines_next(lines);
}

/* ---- the whole ---- */

static weft_status check_nodes(const struct reader *r)
{
    if (r->nodes == 0)
        return REFUSE(r, 1, 1, ("no %s", r->node), ("%s", r->lines.form));
    for (size_t i = 0; i < r->links; i++) {
        const struct link *l = &r->link[i];
        if (!r->given[l->to])
            return REFUSE(r, l->line, l->column, ("there is no %s %u", r->node, l->to),
                          ("give it a line or remove the link"));
    }
    for (uint32_t node = 0; node < r->nodes; node++)
        if (!r->given[node])
            return REFUSE(r, r->given[r->nodes - 1], 1,
                          ("%s %u, but no line for %s %u", r->node, r->nodes - 1, r->node, node),
                          ("give every %s, from 0 on, a line", r->node));
    return WEFT_OK;
}

static weft_status make(const struct reader *r, struct graph *g)
{
    graph_init(g, r->nodes, r->degree);
    for (size_t i = 0; i < r->links; i++)
        if (r->switches)
            graph_join(g, r->link[i].from, r->link[i].to, 0, false);
        else
            graph_connect(g, r->link[i].from, r->link[i].to);
    return graph_finish(g, r->lines.name, r->switches ? r->hosts : NULL);
}

weft_status graph_read_text(const char *name, const char *text, size_t size, struct graph *g)
{
    struct reader r = {.lines = lines_of(name, text, size, EITHER_FORM), .node = "node"};
    weft_status status = WEFT_OK;
    *g = (struct graph){0};
    r.given = memory_alloc(4 * (size_t)GRAPH_MAX_NODES, sizeof(*r.given));
    r.hosts = r.given + GRAPH_MAX_NODES;
    r.out = r.hosts + GRAPH_MAX_NODES;
    r.in = r.out + GRAPH_MAX_NODES;
    find_form(&r);
    while (status == WEFT_OK && lines_left(&r.lines))
        status = read_line(&r);
    if (status == WEFT_OK)
        status = check_nodes(&r);
    if (status == WEFT_OK)
        status = make(&r, g);
    free(r.given);
    free(r.link);
    return status;
}

weft_status graph_read(const char *path, const char *example, struct graph *g)
{
    char *text, other[80];
    size_t size;
    *g = (struct graph){0};
    snprintf(other, sizeof(other), "a graph as %s", example);
    TRY(input_lasts(path, "graph file"));
    TRY(input_read(path, "graph file", other, &text, &size));
    weft_status status = graph_read_text(path, text, size, g);
    free(text);
    return status;
}

/* ---- graphs for a kind of network ---- */

static weft_status check_switches(const struct graph *g, const char *text)
{
    if (!g->one_way)
        return WEFT_OK;
    return BAD_INPUT(
        NULL, ("'%.60s' has one-way links, and those of switches are two-way", text),
        ("use a graph as dragonfly:4:8:4, or a file of lines SWITCH HOSTS: TO TO ..."));
}

static weft_status check_node(const struct graph *g, const char *text, uint32_t node)
{
    if (graph_hosts_at(g, node) != 1)
        return BAD_INPUT(NULL,
                         ("'%.60s' has %u hosts at switch %u, and here every node is its own host",
                          text, graph_hosts_at(g, node), node),
                         ("use a graph as kautz:DEGREE:DIAMETER, or with one host at each switch"));
    for (uint32_t port = 0; port < g->ports[node]; port++) {
        uint32_t to = graph_end_at(g, node, port)->node;
        if (graph_port(g, node, to) != port)
            return BAD_INPUT(NULL,
                             ("'%.60s' has two links from node %u to node %u", text, node, to),
                             ("use a graph with one: ports are identified by their neighbour"));
    }
    return WEFT_OK;
}

static weft_status check_direct(const struct graph *g, const char *text)
{
    if (g->nodes > GRAPH_ONE_WAY_NODES)
        return BAD_INPUT(NULL, ("'%.60s' has more than %d nodes", text, GRAPH_ONE_WAY_NODES),
                         ("use fewer"));
    if (g->degree > GRAPH_ONE_WAY_LINKS)
        return BAD_INPUT(NULL,
                         ("'%.60s' has more than %d links at a node", text, GRAPH_ONE_WAY_LINKS),
                         ("use fewer"));
    for (uint32_t node = 0; node < g->nodes; node++)
        TRY(check_node(g, text, node));
    return WEFT_OK;
}

/* Reads a graph of any kind, and checks that it is of the kind wanted. */
static weft_status parse(const char *text, const char *example,
                         weft_status (*check)(const struct graph *g, const char *text),
                         struct graph *g)
{
    weft_status status =
        graph_is_rule(text) ? graph_by_rule(text, g) : graph_read(text, example, g);
    if (status == WEFT_OK)
        status = check(g, text);
    if (status != WEFT_OK)
        graph_fini(g);
    return status;
}

weft_status graph_parse_switches(const char *text, struct graph *g)
{
    return parse(text, "dragonfly:4:8:4", check_switches, g);
}

weft_status graph_parse_direct(const char *text, struct graph *g)
{
    return parse(text, "kautz:DEGREE:DIAMETER", check_direct, g);
}
