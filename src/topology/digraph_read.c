/*
 * Graph files, described in digraph.h. Lines may come in any order. Errors visible from a line
 * alone are refused there; whether the nodes it names exist is known only at the end.
 */
#include "topology/digraph.h"

#include <stdlib.h>

#include "base/input.h"
#include "base/memory.h"

#define FORM "write one line per node, FROM: TO TO ..., as 0: 1 2"

struct link {
    uint32_t from, to;
    uint32_t line, column; /* where the file names it */
};

struct reader {
    const char *name, *at, *end;
    const char *line_start;
    uint32_t line;
    uint32_t *given; /* [node] its line; 0: none so far */
    uint8_t *in;     /* [node] links into it */
    struct link *link;
    size_t links, capacity;
    uint32_t nodes, degree; /* so far */
};

static uint32_t column(const struct reader *r, const char *at)
{
    return (uint32_t)(at - r->line_start) + 1;
}

#define REFUSE(READER, LINE, COLUMN, WHAT, REMEDY)                                                 \
    BAD_PLACE(("%s:%u:%u", (READER)->name, LINE, COLUMN), WHAT, REMEDY)

static void skip_blanks(struct reader *r)
{
    while (r->at < r->end && (*r->at == ' ' || *r->at == '\t' || *r->at == '\r'))
        r->at++;
}

static bool line_ends(const struct reader *r)
{
    return r->at == r->end || *r->at == '\n' || *r->at == '#';
}

/* Refuses a misplaced byte, naming it so that the message stays one line of text. */
static weft_status refuse_byte(const struct reader *r)
{
    uint32_t where = column(r, r->at);
    unsigned char byte = (unsigned char)*r->at;
    if (byte == 0)
        return REFUSE(r, r->line, where, ("a NUL byte"), ("name a text file"));
    if (byte < ' ' || byte > '~')
        return REFUSE(r, r->line, where, ("byte 0x%02x is not a node number", byte), (FORM));
    return REFUSE(r, r->line, where, ("'%c' is not a node number", byte), (FORM));
}

static weft_status read_node(struct reader *r, uint32_t *node)
{
    const char *start = r->at;
    uint32_t value = 0;
    for (; r->at < r->end && *r->at >= '0' && *r->at <= '9'; r->at++)
        if (value < DIGRAPH_MAX_NODES)
            value = value * 10 + (uint32_t)(*r->at - '0');
    if (r->at == start)
        return refuse_byte(r);
    if (value >= DIGRAPH_MAX_NODES)
        return REFUSE(
            r, r->line, column(r, start),
            ("node %.*s is too large", (int)(r->at - start < 20 ? r->at - start : 20), start),
            ("number nodes from 0 to %d", DIGRAPH_MAX_NODES - 1));
    *node = value;
    return WEFT_OK;
}

static weft_status read_from(struct reader *r, uint32_t *from)
{
    uint32_t where = column(r, r->at);
    weft_status status = read_node(r, from);
    if (status != WEFT_OK)
        return status;
    if (r->given[*from])
        return REFUSE(r, r->line, where, ("node %u already has line %u", *from, r->given[*from]),
                      ("give all its links on one line"));
    skip_blanks(r);
    if (r->at == r->end || *r->at != ':')
        return REFUSE(r, r->line, column(r, r->at), ("no ':' after node %u", *from), (FORM));
    r->at++;
    r->given[*from] = r->line;
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
    if (r->links == r->capacity) {
        r->capacity = r->capacity ? 2 * r->capacity : 64;
        r->link = memory_grow(r->link, r->capacity, sizeof(*r->link));
    }
    r->link[r->links++] = l;
    uint32_t links_in = ++r->in[l.to], most = links_in > links_out ? links_in : links_out;
    r->degree = most > r->degree ? most : r->degree;
}

static weft_status read_links(struct reader *r)
{
    uint32_t from, count = 0;
    weft_status status = read_from(r, &from);
    for (skip_blanks(r); status == WEFT_OK && !line_ends(r); skip_blanks(r)) {
        struct link l = {.from = from, .line = r->line, .column = column(r, r->at)};
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
    skip_blanks(r);
    weft_status status = line_ends(r) ? WEFT_OK : read_links(r);
    if (status != WEFT_OK)
        return status;
    for (; r->at < r->end && *r->at != '\n'; r->at++)
        if (*r->at == '\0')
            return refuse_byte(r);
    r->at += r->at < r->end;
    r->line_start = r->at;
    r->line++;
    return WEFT_OK;
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
    struct reader r = {.name = name, .at = text, .end = text + size, .line_start = text, .line = 1};
    weft_status status = WEFT_OK;
    r.given = memory_alloc(DIGRAPH_MAX_NODES, sizeof(*r.given));
    r.in = memory_alloc(DIGRAPH_MAX_NODES, sizeof(*r.in));
    while (status == WEFT_OK && r.at < r.end)
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
    weft_status status =
        input_read(path, "graph file", "a graph as kautz:DEGREE:DIAMETER", &text, &size);
    if (status != WEFT_OK)
        return status;
    status = digraph_read_text(path, text, size, g);
    free(text);
    return status;
}
