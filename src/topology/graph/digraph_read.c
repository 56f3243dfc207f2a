/*
 * Graph files, described in digraph.h. Lines may come in any order. Errors visible from a line
 * alone are refused there; whether the nodes it names exist is known only at the end.
 */
#include "topology/graph/digraph.h"

#include <stdlib.h>

#include "base/file/input.h"
#include "base/list.h"
#include "base/file/lines.h"
#include "base/memory.h"

#define FORM "write one line per node, FROM: TO TO ..., as 0: 1 2"

struct link {
    uint32_t from, to;
    uint32_t line, column; /* where the file names it */
};

struct reader {
    struct lines lines;
    uint32_t *given; /* [node] its line; 0: none so far */
    uint8_t *in;     /* [node] links into it */
    struct link *link;
    size_t links, capacity;
    uint32_t nodes, degree; /* so far */
};

#define REFUSE(READER, LINE, COLUMN, WHAT, REMEDY)                                                 \
    LINES_REFUSE(&(READER)->lines, LINE, COLUMN, WHAT, REMEDY)

static weft_status read_node(struct reader *r, uint32_t *node)
{
    struct lines *l = &r->lines;
    const char *start = l->at;
    uint64_t value;
    TRY(lines_number(l, "node number", &value));
    if (value >= DIGRAPH_MAX_NODES)
        return REFUSE(
            r, l->line, lines_column(l, start),
            ("node %.*s is too large", (int)(l->at - start < 20 ? l->at - start : 20), start),
            ("number nodes from 0 to %d", DIGRAPH_MAX_NODES - 1));
    *node = (uint32_t)value;
    return WEFT_OK;
}

static weft_status read_from(struct reader *r, uint32_t *from)
{
    struct lines *l = &r->lines;
    uint32_t where = lines_column(l, l->at);
    TRY(read_node(r, from));
    if (r->given[*from])
        return REFUSE(r, l->line, where, ("node %u already has line %u", *from, r->given[*from]),
                      ("give all its links on one line"));
    if (lines_end(l) || *l->at != ':')
        return REFUSE(r, l->line, lines_column(l, l->at), ("no ':' after node %u", *from), (FORM));
    l->at++;
    r->given[*from] = l->line;
    r->nodes = *from >= r->nodes ? *from + 1 : r->nodes;
    return WEFT_OK;
}

/* The `count` links before this one must be of the same line. */
static weft_status check_link(const struct reader *r, const struct link *l, size_t count)
{
    if (l->from == l->to)
        return REFUSE(r, l->line, l->column, ("a link from node %u to itself", l->from),
                      ("remove it"));
    for (size_t i = r->links - count; i < r->links; i++)
        if (r->link[i].to == l->to)
            return REFUSE(r, l->line, l->column,
                          ("a second link from node %u to node %u", l->from, l->to),
                          ("keep one: ports are identified by their neighbour"));
    if (count == DIGRAPH_MAX_DEGREE)
        return REFUSE(r, l->line, l->column,
                      ("more than %d links out of node %u", DIGRAPH_MAX_DEGREE, l->from),
                      ("remove some"));
    if (r->in[l->to] == DIGRAPH_MAX_DEGREE)
        return REFUSE(r, l->line, l->column,
                      ("more than %d links into node %u", DIGRAPH_MAX_DEGREE, l->to),
                      ("remove some"));
    return WEFT_OK;
}

static void add_link(struct reader *r, struct link l, uint32_t links_out)
{
    *LIST_ADD(r->link, r->links, r->capacity) = l;
    uint32_t links_in = ++r->in[l.to], most = links_in > links_out ? links_in : links_out;
    r->degree = most > r->degree ? most : r->degree;
}

static weft_status read_links(struct reader *r)
{
    struct lines *lines = &r->lines;
    uint32_t from, count = 0;
    weft_status status = read_from(r, &from);
    while (status == WEFT_OK && !lines_end(lines)) {
        struct link l = {
            .from = from, .line = lines->line, .column = lines_column(lines, lines->at)};
        status = read_node(r, &l.to);
        if (status == WEFT_OK)
            status = check_link(r, &l, count);
        if (status == WEFT_OK)
            add_link(r, l, ++count);
    }
    return status;
}

static weft_status read_line(struct reader *r)
{
    TRY(lines_end(&r->lines) ? WEFT_OK : read_links(r));
    return lines_next(&r->lines);
}

static weft_status check_nodes(const struct reader *r)
{
    if (r->nodes == 0)
        return REFUSE(r, 1, 1, ("no node"), (FORM));
    for (size_t i = 0; i < r->links; i++) {
        const struct link *l = &r->link[i];
        if (!r->given[l->to])
            return REFUSE(r, l->line, l->column, ("there is no node %u", l->to),
                          ("give it a line or remove the link"));
    }
    for (uint32_t node = 0; node < r->nodes; node++)
        if (!r->given[node])
            return REFUSE(r, r->given[r->nodes - 1], 1,
                          ("node %u, but no line for node %u", r->nodes - 1, node),
                          ("give every node, from 0 on, a line"));
    return WEFT_OK;
}

weft_status digraph_read_text(const char *name, const char *text, size_t size, struct digraph *g)
{
    struct reader r = {.lines = lines_of(name, text, size, FORM)};
    weft_status status = WEFT_OK;
    r.given = memory_alloc(DIGRAPH_MAX_NODES, sizeof(*r.given));
    r.in = memory_alloc(DIGRAPH_MAX_NODES, sizeof(*r.in));
    while (status == WEFT_OK && lines_left(&r.lines))
        status = read_line(&r);
    if (status == WEFT_OK)
        status = check_nodes(&r);
    if (status == WEFT_OK) {
        digraph_init(g, r.nodes, r.degree);
        for (size_t i = 0; i < r.links; i++)
            digraph_connect(g, r.link[i].from, r.link[i].to);
    }
    free(r.given);
    free(r.in);
    free(r.link);
    return status;
}

weft_status digraph_read(const char *path, struct digraph *g)
{
    char *text;
    size_t size;
    TRY(input_lasts(path, "graph file"));
    TRY(input_read(path, "graph file", "a graph as kautz:DEGREE:DIAMETER", &text, &size));
    weft_status status = digraph_read_text(path, text, size, g);
    free(text);
    return status;
}
