/*
 * Files of wirings: a line per switch, its number, its hosts, and the switches that it is linked
 * with, as
 *
 *   # switch hosts: linked with
 *   0 4: 1 2
 *   1 4: 2 2
 *   2 0:
 *
 * A link is named once, at either end; two between the same switches are named twice. Lines may
 * come in any order, and every switch from 0 on has one.
 */
#include <stdlib.h>

#include "base/file/input.h"
#include "base/list.h"
#include "base/file/lines.h"
#include "base/memory.h"
#include "topology/graph/wiring.h"

#define FORM "write one line per switch, SWITCH HOSTS: TO TO ..., as 0 4: 1 2"

struct link {
    uint32_t from, to;
    uint32_t line, column; /* where the file names it */
};

struct reader {
    struct lines lines;
    uint32_t *given; /* [switch] its line; 0: none so far */
    uint32_t *hosts; /* [switch] */
    uint32_t *ports; /* [switch] links so far */
    struct link *link;
    size_t links, capacity;
    uint32_t switches, radix;
};

#define REFUSE(READER, LINE, COLUMN, WHAT, REMEDY)                                                 \
    LINES_REFUSE(&(READER)->lines, LINE, COLUMN, WHAT, REMEDY)

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

/* "SWITCH HOSTS:" */
static weft_status read_head(struct reader *r, uint32_t *from)
{
    struct lines *l = &r->lines;
    uint32_t where = lines_column(l, l->at);
    TRY(read_number(r, "switch number", WIRING_MAX_SWITCHES, from));
    if (r->given[*from])
        return REFUSE(r, l->line, where, ("switch %u already has line %u", *from, r->given[*from]),
                      ("name all its links on one line"));
    if (lines_end(l))
        return REFUSE(r, l->line, lines_column(l, l->at), ("no number of hosts"), (FORM));
    TRY(read_number(r, "number of hosts", WIRING_MAX_PORTS + 1, &r->hosts[*from]));
    if (lines_end(l) || *l->at != ':')
        return REFUSE(r, l->line, lines_column(l, l->at), ("no ':' after the number of hosts"),
                      (FORM));
    l->at++;
    r->given[*from] = l->line;
    r->switches = *from >= r->switches ? *from + 1 : r->switches;
    return WEFT_OK;
}

/* A link takes a port at both ends. */
static weft_status add_link(struct reader *r, const struct link *l)
{
    uint32_t ends[2] = {l->from, l->to};
    if (l->from == l->to)
        return REFUSE(r, l->line, l->column, ("a link from switch %u to itself", l->from),
                      ("remove it"));
    for (unsigned i = 0; i < 2; i++) {
        if (++r->ports[ends[i]] > WIRING_MAX_PORTS)
            return REFUSE(r, l->line, l->column,
                          ("switch %u has more than %d links", ends[i], WIRING_MAX_PORTS),
                          ("remove some"));
        r->radix = r->ports[ends[i]] > r->radix ? r->ports[ends[i]] : r->radix;
    }
    *LIST_ADD(r->link, r->links, r->capacity) = *l;
    return WEFT_OK;
}

static weft_status read_line(struct reader *r)
{
    struct lines *lines = &r->lines;
    uint32_t from = 0;
    weft_status status = WEFT_OK;
    if (!lines_end(lines)) {
        status = read_head(r, &from);
        while (status == WEFT_OK && !lines_end(lines)) {
            struct link l = {
                .from = from, .line = lines->line, .column = lines_column(lines, lines->at)};
            status = read_number(r, "switch number", WIRING_MAX_SWITCHES, &l.to);
            if (status == WEFT_OK)
                status = add_link(r, &l);
        }
    }
    return status == WEFT_OK ? lines_next(lines) : status;
}

static weft_status check_switches(const struct reader *r)
{
    if (r->switches == 0)
        return REFUSE(r, 1, 1, ("no switch"), (FORM));
    for (size_t i = 0; i < r->links; i++) {
        const struct link *l = &r->link[i];
        if (!r->given[l->to])
            return REFUSE(r, l->line, l->column, ("there is no switch %u", l->to),
                          ("give it a line or remove the link"));
    }
    for (uint32_t node = 0; node < r->switches; node++)
        if (!r->given[node])
            return REFUSE(r, r->given[r->switches - 1], 1,
                          ("switch %u, but no line for switch %u", r->switches - 1, node),
                          ("give every switch, from 0 on, a line"));
    return WEFT_OK;
}

weft_status wiring_read_text(const char *name, const char *text, size_t size, struct wiring *w)
{
    struct reader r = {.lines = lines_of(name, text, size, FORM)};
    weft_status status = WEFT_OK;
    *w = (struct wiring){0};
    r.given = memory_alloc(WIRING_MAX_SWITCHES, sizeof(*r.given));
    r.hosts = memory_alloc(WIRING_MAX_SWITCHES, sizeof(*r.hosts));
    r.ports = memory_alloc(WIRING_MAX_SWITCHES, sizeof(*r.ports));
    while (status == WEFT_OK && lines_left(&r.lines))
        status = read_line(&r);
    if (status == WEFT_OK)
        status = check_switches(&r);
    if (status == WEFT_OK) {
        wiring_init(w, r.switches, r.radix);
        for (size_t i = 0; i < r.links; i++)
            wiring_connect(w, r.link[i].from, r.link[i].to, 0, false);
        status = wiring_finish(w, name, r.hosts);
    }
    free(r.given);
    free(r.hosts);
    free(r.ports);
    free(r.link);
    return status;
}

weft_status wiring_read(const char *path, struct wiring *w)
{
    char *text;
    size_t size;
    *w = (struct wiring){0};
    TRY(input_lasts(path, "graph file"));
    TRY(input_read(path, "graph file", "a graph as dragonfly:4:8:4", &text, &size));
    weft_status status = wiring_read_text(path, text, size, w);
    free(text);
    return status;
}
