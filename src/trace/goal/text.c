/* GOAL text: characters, words, statements. */
#include "trace/goal/text.h"

#include <stdlib.h>
#include <string.h>

#include "base/protected_call.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/text/text.h"

enum { BUFFER_BYTES = 1 << 16, WORD_BYTES = 128 };
enum { END = -1 }; /* of the text */

/* A word, and where it began. */
struct word {
    char text[WORD_BYTES];
    size_t length;
    uint32_t line, column;
};

/* Labels of a rank: their text, one after the other, each with its end; and which operation. */
struct labels {
    struct map by_hash; /* hash of a label: its number */
    char *text;
    size_t size, room;
    size_t *at; /* [number] */
    uint32_t *op;
    uint32_t count, capacity;
};

struct reader {
    const char *name;
    const struct goal_source *source;
    unsigned char buffer[BUFFER_BYTES];
    size_t at, end;
    bool ended, damaged;
    uint32_t line, column; /* of the next character */
    int descriptor;
    struct goal_writer *out; /* NULL: num_ranks has not come yet */
    uint32_t ranks;
    bool *seen; /* [rank] */
    struct labels labels;
    struct goal_spot *spot; /* NULL: nobody asks */
    uint32_t rank;
};

#define REFUSE(R, LINE, COLUMN, WHAT, REMEDY)                                                      \
    BAD_PLACE(("%s:%u:%u", (R)->name, LINE, COLUMN), WHAT, REMEDY)

/* ---- characters ---- */

static int fill(struct reader *r)
{
    long got = r->ended ? 0 : r->source->read(r->source->ctx, r->buffer, sizeof(r->buffer));
    r->damaged = r->damaged || got < 0;
    r->ended = got <= 0;
    r->at = 0;
    r->end = got > 0 ? (size_t)got : 0;
    return r->ended ? END : r->buffer[0];
}

static inline int peek(struct reader *r)
{
    return r->at < r->end ? r->buffer[r->at] : fill(r);
}

static inline void skip(struct reader *r)
{
    bool line = r->buffer[r->at++] == '\n';
    r->line += line;
    r->column = line ? 1 : r->column + 1;
}

static bool is_letter(int c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_digit(int c)
{
    return c >= '0' && c <= '9';
}

/* For complaints: the character that comes. */
static const char *show(struct reader *r, char text[16])
{
    int c = peek(r);
    if (c == END)
        snprintf(text, 16, "%s", r->damaged ? "damaged data" : "the end");
    else if (c == '\n')
        snprintf(text, 16, "the line's end");
    else if (c > ' ' && c < 127)
        snprintf(text, 16, "'%c'", c);
    else
        snprintf(text, 16, "byte 0x%02x", (unsigned)c);
    return text;
}

static weft_status refuse(struct reader *r, const char *wanted)
{
    char found[16];
    return REFUSE(r, r->line, r->column, ("%s comes where %s should", show(r, found), wanted),
                  ("write GOAL as `a: send 8b to 1 tag 0`, `b: recv 8b from 0`, `c: calc 100` and "
                   "`c requires a`"));
}

/* ---- blanks and comments ---- */

static weft_status skip_comment(struct reader *r)
{
    uint32_t line = r->line, column = r->column;
    skip(r);
    int kind = peek(r), before = 0;
    if (kind != '/' && kind != '*')
        return REFUSE(r, line, column, ("a '/' begins no comment"), ("write // or /* */"));
    skip(r);
    for (int c; (c = peek(r)) != END; before = c) {
        if (kind == '/' && c == '\n')
            return WEFT_OK;
        skip(r);
        if (kind == '*' && before == '*' && c == '/')
            return WEFT_OK;
    }
    if (kind == '*')
        return REFUSE(r, line, column, ("a comment does not end"), ("end it with */"));
    return WEFT_OK;
}

/* Blanks of a line; `lines`: also its end. */
static weft_status skip_blanks(struct reader *r, bool lines)
{
    weft_status status = WEFT_OK;
    while (status == WEFT_OK) {
        int c = peek(r);
        if (c == '/')
            status = skip_comment(r);
        else if (c == ' ' || c == '\t' || c == '\r' || (lines && (c == '\n' || c == ';')))
            skip(r);
        else
            break;
    }
    return status;
}

/* ---- words ---- */

/* A label or keyword. */
static weft_status read_word(struct reader *r, const char *wanted, struct word *word)
{
    TRY(skip_blanks(r, false));
    word->line = r->line;
    word->column = r->column;
    word->length = 0;
    if (!is_letter(peek(r)))
        return refuse(r, wanted);
    for (int c; is_letter(c = peek(r)) || is_digit(c) || c == '_'; skip(r)) {
        if (word->length + 1 == WORD_BYTES)
            return REFUSE(r, word->line, word->column, ("a word is too long"),
                          ("use at most %d characters", WORD_BYTES - 1));
        word->text[word->length++] = (char)c;
    }
    word->text[word->length] = '\0';
    return WEFT_OK;
}

static bool word_is(const struct word *word, const char *text)
{
    return strcmp(word->text, text) == 0;
}

static weft_status expect_word(struct reader *r, const char *text)
{
    struct word word;
    weft_status status = skip_blanks(r, false);
    if (status == WEFT_OK && !is_letter(peek(r))) {
        char wanted[24];
        snprintf(wanted, sizeof(wanted), "'%s'", text);
        return refuse(r, wanted);
    }
    if (status == WEFT_OK)
        status = read_word(r, text, &word);
    if (status == WEFT_OK && !word_is(&word, text))
        return REFUSE(r, word.line, word.column,
                      ("'%.40s' comes where '%s' should", word.text, text), ("write it"));
    return status;
}

static weft_status expect(struct reader *r, int c, const char *wanted)
{
    weft_status status = skip_blanks(r, false);
    if (status == WEFT_OK && peek(r) != c)
        return refuse(r, wanted);
    if (status == WEFT_OK)
        skip(r);
    return status;
}

/* Up to `most`; `any`, if it is not NULL, is set if it is -1. */
static weft_status read_number(struct reader *r, const char *what, uint64_t most, bool *any,
                               uint64_t *value)
{
    weft_status status = skip_blanks(r, false);
    uint32_t line = r->line, column = r->column;
    uint64_t number = 0;
    if (status != WEFT_OK)
        return status;
    bool minus = any && peek(r) == '-';
    if (minus)
        skip(r);
    if (!is_digit(peek(r)))
        return refuse(r, what);
    for (int c; is_digit(c = peek(r)); skip(r)) {
        uint64_t digit = (uint64_t)(c - '0');
        if (number > (most - digit) / 10)
            return REFUSE(r, line, column, ("%s is too large", what),
                          ("use at most %llu", (unsigned long long)most));
        number = 10 * number + digit;
    }
    if (minus && number != 1)
        return REFUSE(r, line, column, ("%s is negative", what), ("use -1 for any"));
    if (any)
        *any = minus;
    *value = number;
    return WEFT_OK;
}

/* ---- labels ---- */

static void labels_clear(struct labels *l)
{
    map_fini(&l->by_hash);
    l->by_hash = (struct map){0};
    l->size = l->count = 0;
}

static void labels_fini(struct labels *l)
{
    map_fini(&l->by_hash);
    free(l->text);
    free(l->at);
    free(l->op);
}

/* The number of a label; GOAL_NONE: there is none. *key: where it would be. */
static uint32_t find_label(const struct labels *l, const struct word *word, uint64_t *key)
{
    const uint32_t *number;
    *key = text_hash(TEXT_HASH, word->text, word->length);
    while ((number = map_find(&l->by_hash, *key)) &&
           strcmp(l->text + l->at[*number], word->text) != 0)
        ++*key; /* another label of the same hash */
    return number ? *number : GOAL_NONE;
}

static void add_label(struct labels *l, uint64_t key, const struct word *word, uint32_t op)
{
    if (l->count == l->capacity) {
        l->capacity = l->capacity ? 2 * l->capacity : 1024;
        l->at = memory_grow(l->at, l->capacity, sizeof(*l->at));
        l->op = memory_grow(l->op, l->capacity, sizeof(*l->op));
    }
    if (l->size + word->length + 1 > l->room) {
        l->room = 2 * (l->size + WORD_BYTES);
        l->text = memory_grow(l->text, l->room, 1);
    }
    memcpy(l->text + l->size, word->text, word->length + 1);
    l->at[l->count] = l->size;
    l->op[l->count] = op;
    l->size += word->length + 1;
    map_add(&l->by_hash, key, l->count++);
}

/* ---- statements ---- */

static uint32_t write_op(struct reader *r, const struct goal_op *op, const struct word *first)
{
    uint32_t number = goal_write_op(r->out, op);
    if (r->spot && r->spot->rank == r->rank && r->spot->op == number) {
        r->spot->line = first->line;
        r->spot->column = first->column;
    }
    return number;
}

/* The end of a statement: of its line, or what ends the rank. */
static weft_status end_statement(struct reader *r)
{
    weft_status status = skip_blanks(r, false);
    int c = status == WEFT_OK ? peek(r) : END;
    if (status != WEFT_OK || c == '\n' || c == ';' || c == '}')
        return status;
    return refuse(r, "the line's end");
}

/* "8b to 3": what a message is. */
static weft_status read_message(struct reader *r, struct goal_op *op)
{
    bool send = op->kind == GOAL_SEND, any = false;
    uint64_t peer = 0;
    weft_status status = read_number(r, "a number of bytes", INT64_MAX, NULL, &op->size);
    if (status == WEFT_OK)
        status = expect_word(r, "b");
    if (status == WEFT_OK)
        status = expect_word(r, send ? "to" : "from");
    if (status == WEFT_OK)
        status = skip_blanks(r, false);
    uint32_t line = r->line, column = r->column;
    if (status == WEFT_OK)
        status = read_number(r, "a rank", UINT32_MAX - 1, send ? NULL : &any, &peer);
    if (status == WEFT_OK && !any && peer >= r->ranks)
        return REFUSE(r, line, column,
                      ("rank %llu is none of %u", (unsigned long long)peer, r->ranks),
                      ("use a rank below num_ranks"));
    op->peer = any ? GOAL_ANY : (uint32_t)peer;
    return status;
}

/* "tag 5", "cpu 0", "nic 0". */
static weft_status read_option(struct reader *r, struct goal_op *op, unsigned *had)
{
    struct word word;
    uint64_t value = 0;
    bool any = false;
    TRY(read_word(r, "tag, cpu, nic or the line's end", &word));
    weft_status status = WEFT_OK;
    unsigned which = word_is(&word, "tag")   ? 1
                     : word_is(&word, "cpu") ? 2
                     : word_is(&word, "nic") ? 4
                                             : 0;
    if (!which || (which == 1 && op->kind == GOAL_CALC) || (*had & which))
        return REFUSE(r, word.line, word.column, ("'%.40s' has no place here", word.text),
                      ("write tag, cpu and nic, once each; a calc has no tag"));
    *had |= which;
    if (which == 1)
        status =
            read_number(r, "a tag", UINT32_MAX - 1, op->kind == GOAL_RECEIVE ? &any : NULL, &value);
    else
        status = read_number(r, which == 2 ? "a cpu" : "a nic", UINT8_MAX, NULL, &value);
    if (which == 1)
        op->tag = any ? GOAL_ANY : (uint32_t)value;
    else
        *(which == 2 ? &op->cpu : &op->nic) = (uint8_t)value;
    return status;
}

/* What follows "send", "recv" or "calc". */
static weft_status read_op(struct reader *r, struct goal_op *op)
{
    unsigned had = 0;
    weft_status status = op->kind == GOAL_CALC
                             ? read_number(r, "a time in ns", INT64_MAX, NULL, &op->size)
                             : read_message(r, op);
    if (status == WEFT_OK)
        status = skip_blanks(r, false);
    while (status == WEFT_OK && is_letter(peek(r))) {
        status = read_option(r, op, &had);
        if (status == WEFT_OK)
            status = skip_blanks(r, false);
    }
    return status == WEFT_OK ? end_statement(r) : status;
}

static uint8_t kind_of(const struct word *word)
{
    return word_is(word, "send")   ? GOAL_SEND
           : word_is(word, "recv") ? GOAL_RECEIVE
           : word_is(word, "calc") ? GOAL_CALC
                                   : 0;
}

/* "requires" or "irequires", and a label. */
static weft_status read_edge(struct reader *r, const struct word *label, const struct word *verb)
{
    struct word other;
    uint64_t key;
    weft_status status = read_word(r, "a label", &other);
    if (status == WEFT_OK)
        status = end_statement(r);
    const struct word *both[] = {label, &other};
    uint32_t number[2];
    for (unsigned i = 0; status == WEFT_OK && i < 2; i++) {
        number[i] = find_label(&r->labels, both[i], &key);
        if (number[i] == GOAL_NONE)
            status = REFUSE(r, both[i]->line, both[i]->column,
                            ("no operation has the label '%.60s' so far", both[i]->text),
                            ("label one, above"));
    }
    if (status != WEFT_OK)
        return status;
    uint32_t op = r->labels.op[number[0]], on = r->labels.op[number[1]];
    if (op == on)
        return REFUSE(r, label->line, label->column, ("'%.60s' waits for itself", label->text),
                      ("name another operation"));
    (word_is(verb, "requires") ? goal_write_requires : goal_write_irequires)(r->out, op, on);
    return WEFT_OK;
}

/* What follows a label: its operation, or what it waits for. */
static weft_status read_labelled(struct reader *r, const struct word *label)
{
    struct goal_op op = {0};
    struct word verb;
    uint64_t key;
    weft_status status = skip_blanks(r, false);
    if (status == WEFT_OK && peek(r) != ':') {
        status = read_word(r, "':', 'requires' or 'irequires'", &verb);
        if (status == WEFT_OK && !word_is(&verb, "requires") && !word_is(&verb, "irequires"))
            return REFUSE(r, verb.line, verb.column, ("'%.40s' is no statement", verb.text),
                          ("write ':', 'requires' or 'irequires'"));
        return status == WEFT_OK ? read_edge(r, label, &verb) : status;
    }
    if (status == WEFT_OK)
        status = expect(r, ':', "':'");
    if (status == WEFT_OK)
        status = read_word(r, "send, recv or calc", &verb);
    op.kind = status == WEFT_OK ? kind_of(&verb) : 0;
    if (status == WEFT_OK && !op.kind)
        return REFUSE(r, verb.line, verb.column, ("'%.40s' is no operation", verb.text),
                      ("write send, recv or calc"));
    if (status == WEFT_OK)
        status = read_op(r, &op);
    if (status == WEFT_OK && find_label(&r->labels, label, &key) != GOAL_NONE)
        return REFUSE(r, label->line, label->column,
                      ("the label '%.60s' is used again", label->text), ("use another one"));
    if (status == WEFT_OK)
        add_label(&r->labels, key, label, write_op(r, &op, label));
    return status;
}

static weft_status read_statement(struct reader *r)
{
    struct word word;
    struct goal_op op = {0};
    TRY(read_word(r, "an operation, a label or '}'", &word));
    op.kind = kind_of(&word);
    if (!op.kind)
        return read_labelled(r, &word);
    weft_status status = read_op(r, &op);
    if (status == WEFT_OK)
        write_op(r, &op, &word);
    return status;
}

/* ---- ranks ---- */

static weft_status begin_rank(struct reader *r)
{
    uint64_t rank = 0;
    weft_status status = skip_blanks(r, false);
    uint32_t line = r->line, column = r->column;
    if (status == WEFT_OK)
        status = read_number(r, "a rank", UINT32_MAX - 1, NULL, &rank);
    if (status == WEFT_OK && (rank >= r->ranks || r->seen[rank]))
        return REFUSE(r, line, column,
                      (rank >= r->ranks ? "rank %llu is none of %u" : "rank %llu of %u comes again",
                       (unsigned long long)rank, r->ranks),
                      ("write each rank below num_ranks once"));
    if (status == WEFT_OK)
        status = skip_blanks(r, true);
    if (status == WEFT_OK)
        status = expect(r, '{', "'{'");
    if (status != WEFT_OK)
        return status;
    r->seen[rank] = true;
    r->rank = (uint32_t)rank;
    labels_clear(&r->labels);
    goal_write_rank(r->out, (uint32_t)rank);
    return WEFT_OK;
}

static weft_status read_rank(struct reader *r)
{
    uint32_t line = r->line, column = r->column;
    weft_status status = begin_rank(r);
    while (status == WEFT_OK) {
        status = skip_blanks(r, true);
        int c = status == WEFT_OK ? peek(r) : END;
        if (status == WEFT_OK && c == END)
            return REFUSE(r, line, column, ("a rank does not end"),
                          ("%s", r->damaged ? "the file is damaged" : "end it with '}'"));
        if (c == '}') {
            skip(r);
            break;
        }
        if (status == WEFT_OK)
            status = read_statement(r);
    }
    protected_call_poll();
    return status;
}

static weft_status read_ranks(struct reader *r)
{
    uint64_t ranks = 0;
    weft_status status = skip_blanks(r, false);
    uint32_t line = r->line, column = r->column;
    if (status == WEFT_OK)
        status = read_number(r, "a number of ranks", GOAL_RANKS_MOST, NULL, &ranks);
    if (status == WEFT_OK && (!ranks || r->out))
        return REFUSE(r, line, column,
                      ("%s", r->out ? "num_ranks comes again" : "there are no ranks"),
                      ("write num_ranks once, with the number of ranks"));
    if (status != WEFT_OK)
        return status;
    r->ranks = (uint32_t)ranks;
    r->seen = memory_alloc(ranks, sizeof(*r->seen));
    r->out = goal_write_to(r->descriptor, r->ranks);
    return WEFT_OK;
}

/* "num_ranks 8" or "rank 0 { ... }". */
static weft_status read_part(struct reader *r)
{
    struct word word;
    TRY(read_word(r, "num_ranks or rank", &word));
    if (word_is(&word, "num_ranks"))
        return read_ranks(r);
    if (!word_is(&word, "rank") || !r->out)
        return REFUSE(
            r, word.line, word.column,
            ("'%.40s' comes where num_ranks%s should", word.text, r->out ? " or rank" : ""),
            ("begin with `num_ranks N`, then write `rank 0 {`"));
    return read_rank(r);
}

static weft_status read_all(struct reader *r)
{
    weft_status status = skip_blanks(r, true);
    while (status == WEFT_OK && peek(r) != END) {
        status = read_part(r);
        if (status == WEFT_OK)
            status = skip_blanks(r, true);
    }
    if (status == WEFT_OK && r->damaged)
        return REFUSE(r, r->line, r->column, ("it cannot be read, or is damaged"),
                      ("make it again"));
    if (status == WEFT_OK && !r->out)
        return REFUSE(r, 1, 1, ("there are no ranks"), ("begin with `num_ranks N`"));
    return status;
}

weft_status goal_compile(const char *name, const struct goal_source *source, int descriptor,
                         struct goal_spot *spot)
{
    struct reader *r = memory_alloc(1, sizeof(*r));
    r->name = name;
    r->source = source;
    r->spot = spot;
    r->descriptor = descriptor;
    r->line = r->column = 1;
    weft_status status = read_all(r);
    if (status == WEFT_OK)
        status = goal_write_close(r->out);
    else if (r->out)
        goal_write_abandon(r->out);
    labels_fini(&r->labels);
    free(r->seen);
    free(r);
    return status;
}
