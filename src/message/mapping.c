/* Orders and map files, described in mapping.h. */
#include "message/mapping.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file/input.h"
#include "base/memory.h"
#include "base/text/text.h"

enum { MAX_LETTERS = TORUS_MAX_DIMS + 1 }; /* with T */

/* ---- processors ---- */

static struct torus torus_of(const struct mapping_options *o)
{
    struct torus t = {.dims = o->dims};
    uint64_t processors = o->per_node;
    WEFT_CHECK(o->dims >= 1 && o->dims <= TORUS_MAX_DIMS, "a mapping to %u dimensions", o->dims);
    WEFT_CHECK(strlen(o->letters) == o->dims, "letters %s of %u dimensions", o->letters, o->dims);
    for (unsigned d = 0; d < o->dims; d++) {
        t.size[d] = o->size[d];
        processors *= o->size[d];
        WEFT_CHECK(processors > 0 && processors < MAPPING_NONE, "a mapping to %llu processors",
                   (unsigned long long)processors);
    }
    t.nodes = (uint32_t)processors / o->per_node;
    return t;
}

static bool is_dead(const struct mapping_options *o, uint32_t node)
{
    return o->dead && o->dead[node];
}

/* Makes room for the ranks that are wanted, if there are processors for them. */
static weft_status init(const struct mapping_options *o, uint32_t nodes, struct mapping *m)
{
    uint32_t living = 0;
    for (uint32_t node = 0; node < nodes; node++)
        living += !is_dead(o, node);
    uint32_t room = living * o->per_node, processors = nodes * o->per_node;
    if (room == 0)
        return BAD_INPUT(o->key, ("all nodes are dead"), ("leave some alive"));
    if (o->processes > room)
        return BAD_INPUT(
            o->key,
            ("%u processes are more than the %u processors on living nodes", o->processes, room),
            ("use fewer, or more processes per node"));
    m->ranks = 0;
    m->processor = memory_alloc(o->processes ? o->processes : room, sizeof(*m->processor));
    m->rank = memory_alloc(processors, sizeof(*m->rank));
    memset(m->rank, 0xff, processors * sizeof(*m->rank)); /* MAPPING_NONE */
    return WEFT_OK;
}

static bool is_full(const struct mapping_options *o, const struct mapping *m)
{
    return o->processes && m->ranks == o->processes;
}

static void add_rank(struct mapping *m, uint32_t processor)
{
    m->rank[processor] = m->ranks;
    m->processor[m->ranks++] = processor;
}

void mapping_fini(struct mapping *m)
{
    free(m->processor);
    free(m->rank);
    *m = (struct mapping){0};
}

/* ---- orders ---- */

/* The letters of coordinates: those of the dimensions, then T. */
static char letter(const struct mapping_options *o, unsigned i)
{
    return i < o->dims ? o->letters[i] : 'T';
}

/* Which of these letters a character is; o->dims is T, and o->dims + 1 none. */
static unsigned letter_index(const struct mapping_options *o, char c)
{
    unsigned i = 0;
    while (i <= o->dims && letter(o, i) != toupper((unsigned char)c))
        i++;
    return i;
}

/* The letters that a text does not have (times 0), has once (1) or has more often (2). */
static void letters_that_occur(const struct mapping_options *o, const char *text, unsigned times,
                               char out[MAX_LETTERS + 1])
{
    unsigned count[MAX_LETTERS] = {0}, n = 0;
    for (; *text; text++) {
        unsigned i = letter_index(o, *text);
        count[i] += count[i] < 2;
    }
    for (unsigned i = 0; i <= o->dims; i++)
        if (count[i] == times)
            out[n++] = letter(o, i);
    out[n] = '\0';
}

/* Says what keeps a text of the right letters from being an order. */
static weft_status check_order(const struct mapping_options *o, const char *text)
{
    char missing[MAX_LETTERS + 1], twice[MAX_LETTERS + 1];
    letters_that_occur(o, text, 0, missing);
    letters_that_occur(o, text, 2, twice);
    if (!*missing && !*twice)
        return WEFT_OK;
    return BAD_INPUT(o->key,
                     ("order '%.60s'%s%s%s%s%s", text, *twice ? " repeats " : "", twice,
                      *twice && *missing ? " and" : "", *missing ? " lacks " : "", missing),
                     ("use each letter of %sT once, or ./NAME for a file", o->letters));
}

/* A loop over one coordinate of the processors; the fastest comes first. */
struct loop {
    uint32_t size, stride;
};

static void make_loops(const struct mapping_options *o, const char *text, struct loop *loop)
{
    struct loop of[MAX_LETTERS];
    uint32_t stride = o->per_node;
    for (unsigned d = 0; d < o->dims; stride *= o->size[d++])
        of[d] = (struct loop){o->size[d], stride};
    of[o->dims] = (struct loop){o->per_node, 1};
    for (unsigned i = 0; i <= o->dims; i++)
        loop[i] = of[letter_index(o, text[i])];
}

static uint32_t loops_processor(const struct loop *loop, unsigned loops, uint32_t turn)
{
    uint32_t processor = 0;
    for (unsigned i = 0; i < loops; i++) {
        processor += turn % loop[i].size * loop[i].stride;
        turn /= loop[i].size;
    }
    return processor;
}

static weft_status deal_out(const struct mapping_options *o, const char *text, struct mapping *m)
{
    struct loop loop[MAX_LETTERS];
    uint32_t nodes = torus_of(o).nodes;
    TRY(check_order(o, text));
    TRY(init(o, nodes, m));
    make_loops(o, text, loop);
    for (uint32_t turn = 0; turn < nodes * o->per_node && !is_full(o, m); turn++) {
        uint32_t processor = loops_processor(loop, o->dims + 1, turn);
        if (!is_dead(o, processor / o->per_node))
            add_rank(m, processor);
    }
    return WEFT_OK;
}

/* ---- map files ---- */

struct reader {
    const struct mapping_options *o;
    struct torus torus;
    struct lines lines;
    char form[64];    /* what to write */
    unsigned numbers; /* on each line; 0: there was none so far */
    uint32_t first;   /* the line that decided this */
    uint32_t *given;  /* [processor] its line; 0: none so far */
    struct mapping m;
};

/* A line's numbers. */
struct spot {
    uint32_t number[MAX_LETTERS]; /* the coordinates, then t */
    unsigned count;
    uint32_t column; /* of the first */
};

#define REFUSE(READER, COLUMN, WHAT, REMEDY)                                                       \
    LINES_REFUSE(&(READER)->lines, (READER)->lines.line, COLUMN, WHAT, REMEDY)
#define FORM(READER) ("%s", (READER)->form)

static weft_status refuse_range(const struct reader *r, unsigned i, const char *start,
                                uint32_t last)
{
    const struct lines *l = &r->lines;
    int length = l->at - start < 20 ? (int)(l->at - start) : 20;
    weft_status status =
        REFUSE(r, lines_column(l, start),
               ("%c = %.*s is out of range", tolower(letter(r->o, i)), length, start), ("use 0"));
    if (last > 0)
        error_remedy("use 0 to %u", last);
    return status;
}

/* One number, the line's i-th; of a line that is ignored, whatever 32 bits hold. */
static weft_status read_number(struct reader *r, unsigned i, uint32_t *number)
{
    const char *start = r->lines.at;
    uint32_t last = (i < r->o->dims ? r->o->size[i] : r->o->per_node) - 1;
    uint64_t value;
    TRY(lines_number(&r->lines, "number", &value));
    if (value > (is_full(r->o, &r->m) ? UINT32_MAX : last))
        return refuse_range(r, i, start, last);
    *number = (uint32_t)value;
    return WEFT_OK;
}

/* All lines have t, or none has. */
static weft_status check_count(struct reader *r, const struct spot *s)
{
    unsigned dims = r->o->dims;
    if (s->count < dims)
        return REFUSE(r, s->column, ("%u of %u coordinates", s->count, dims), FORM(r));
    if (r->numbers == 0) {
        r->numbers = s->count;
        r->first = r->lines.line;
    }
    if (s->count == r->numbers)
        return WEFT_OK;
    return REFUSE(r, s->column,
                  ("%s t, but line %u has %s", s->count > dims ? "a" : "no", r->first,
                   s->count > dims ? "none" : "one"),
                  ("give t on every line or on none"));
}

static weft_status read_spot(struct reader *r, struct spot *s)
{
    struct lines *l = &r->lines;
    *s = (struct spot){.column = lines_column(l, l->at)};
    while (!lines_end(l)) {
        if (s->count > r->o->dims && lines_is_digit(l, l->at))
            return REFUSE(r, lines_column(l, l->at), ("more than %u numbers", s->count), FORM(r));
        if (s->count > r->o->dims)
            return lines_refuse(l, "number");
        TRY(read_number(r, s->count, &s->number[s->count]));
        s->count++;
    }
    return check_count(r, s);
}

/* The numbers as the line gives them: "0 0 1". */
static const char *spot_text(const struct spot *s, unsigned count, char out[12 * MAX_LETTERS])
{
    size_t at = 0;
    for (unsigned i = 0; i < count; i++)
        at = text_append(out, 12 * MAX_LETTERS, at, i ? " %u" : "%u", s->number[i]);
    return out;
}

static weft_status take_spot(struct reader *r, const struct spot *s)
{
    char text[12 * MAX_LETTERS];
    uint32_t node = torus_node(&r->torus, s->number);
    uint32_t processor = node * r->o->per_node + s->number[r->o->dims];
    if (is_dead(r->o, node))
        return REFUSE(r, s->column, ("node %s is dead", spot_text(s, r->o->dims, text)),
                      ("give rank %u a living node", r->m.ranks));
    if (r->given[processor])
        return REFUSE(r, s->column,
                      ("%s is given twice, first on line %u", spot_text(s, s->count, text),
                       r->given[processor]),
                      ("give each rank a processor of its own"));
    r->given[processor] = r->lines.line;
    add_rank(&r->m, processor);
    return WEFT_OK;
}

static weft_status read_line(struct reader *r)
{
    struct spot s;
    if (!lines_end(&r->lines)) {
        TRY(read_spot(r, &s));
        if (!is_full(r->o, &r->m))
            TRY(take_spot(r, &s));
    }
    return lines_next(&r->lines);
}

/* Complains where the next line would have to be. */
static weft_status check_ranks(const struct reader *r)
{
    if (r->m.ranks == 0)
        return REFUSE(r, 1, ("no rank"), FORM(r));
    if (r->m.ranks < r->o->processes)
        return REFUSE(r, 1, ("only %u of %u ranks", r->m.ranks, r->o->processes),
                      ("add lines or use fewer processes"));
    return WEFT_OK;
}

weft_status mapping_read_text(const struct mapping_options *o, const char *name, const char *text,
                              size_t size, struct mapping *m)
{
    struct reader r = {.o = o, .torus = torus_of(o)};
    size_t at = text_append(r.form, sizeof(r.form), 0, "write one line per rank,");
    for (unsigned i = 0; i <= o->dims; i++) /* "write one line per rank, x y z t" */
        at = text_append(r.form, sizeof(r.form), at, " %c", tolower(letter(o, i)));
    r.lines = lines_of(name, text, size, r.form);
    TRY(init(o, r.torus.nodes, &r.m));
    r.given = memory_alloc((size_t)r.torus.nodes * o->per_node, sizeof(*r.given));
    weft_status status = WEFT_OK;
    while (status == WEFT_OK && lines_left(&r.lines))
        status = read_line(&r);
    free(r.given);
    if (status == WEFT_OK)
        status = check_ranks(&r);
    if (status == WEFT_OK)
        *m = r.m;
    else
        mapping_fini(&r.m);
    return status;
}

static weft_status read_file(const struct mapping_options *o, const char *path, struct mapping *m)
{
    char *text, other[64];
    size_t size;
    snprintf(other, sizeof(other), "an order of the letters %sT", o->letters);
    TRY(input_read(path, "map file", other, &text, &size));
    weft_status status = mapping_read_text(o, path, text, size, m);
    free(text);
    return status;
}

/* ---- folding ---- */

/* Position `at` on a line that is folded into strips of `strip`, to and fro; *which: its strip. */
static uint32_t fold(uint32_t at, uint32_t strip, uint32_t *which)
{
    *which = at / strip;
    return *which % 2 ? strip - 1 - at % strip : at % strip;
}

/* Columns and rows are folded into strips as long as x and y; strips of columns lie side by side in
 * z, and so do, as blocks of those, strips of rows. */
static weft_status fold_grid(const struct mapping_options *o, const char *text, struct mapping *m)
{
    struct torus t = torus_of(o), grid = {.dims = 2};
    weft_status status = WEFT_OK;
    if (*text)
        status = torus_parse(text, &grid);
    else
        torus_near(t.nodes, 2, &grid);
    uint32_t x = t.size[0], y = t.size[1];
    bool fits = status == WEFT_OK && grid.dims == 2 && o->dims == 3 && !o->dead &&
                o->per_node == 1 && grid.size[0] % x == 0 && grid.size[1] % y == 0 &&
                grid.nodes == t.nodes;
    if (!fits)
        return BAD_INPUT(o->key,
                         ("a grid of %.40s cannot be folded onto this machine",
                          *text ? text : "columns and rows"),
                         ("use columns and rows that are multiples of x and y, and as many as a "
                          "whole machine of three dimensions has nodes"));
    status = init(o, t.nodes, m);
    for (uint32_t rank = 0; status == WEFT_OK && rank < t.nodes && !is_full(o, m); rank++) {
        uint32_t side, block, strips = grid.size[0] / x;
        uint32_t px = fold(rank % grid.size[0], x, &side);
        uint32_t py = fold(rank / grid.size[0], y, &block);
        uint32_t pz = block * strips + (block % 2 ? strips - 1 - side : side);
        add_rank(m, (pz * y + py) * x + px);
    }
    return status;
}

weft_status mapping_create(const struct mapping_options *o, const char *text, struct mapping *m)
{
    static const char folded[] = "fold:";
    if (strncmp(text, folded, strlen(folded)) == 0)
        return fold_grid(o, text + strlen(folded), m);
    if (strcmp(text, "fold") == 0)
        return fold_grid(o, "", m);
    const char *rest = text;
    while (*rest && letter_index(o, *rest) <= o->dims)
        rest++;
    return *rest ? read_file(o, text, m) : deal_out(o, text, m);
}
