/* GOAL text: characters, words, statements. */
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/text/text.h"
#include "trace/goal/compile.h"

enum { BUFFER_BYTES = 1 << 16, WORD_BYTES = 128 };
enum { END = -1 }; /* of the text */

/* A word, and where it began. */
struct word {
    char text[WORD_BYTES];
    size_t length;
    struct goal_position from;
};

struct label {
    size_t at; /* in the text of all labels */
    uint32_t op;
};

/* Labels of a rank, and their text, one after the other, each with its end. */
struct labels {
    struct map by_hash; /* hash of a label: its number */
    char *text;
    size_t size, room;
    struct label *label;
    uint32_t count, label_room;
};

struct reader {
    const char *name;
    gzFile source;
    unsigned char buffer[BUFFER_BYTES];
    size_t at, end;
    bool ended, damaged;
    struct goal_position now; /* the next character */
    int descriptor;
    struct goal_writer *out; /* NULL: num_ranks has not come yet */
    uint32_t ranks;
    bool *seen; /* [rank] */
    struct labels labels;
    struct goal_spot *spot; /* NULL: nobody asks */
    uint32_t rank;
};

#define REFUSE(R, FROM, WHAT, REMEDY)                                                              \
    BAD_PLACE(("%s:%u:%u", (R)->name, (FROM).line, (FROM).column), WHAT, REMEDY)

static const struct goal_position text_start = {1, 1};

/* ---- characters ---- */

static int fill(struct reader *r)
{
    int got = r->ended ? 0 : gzread(r->source, r->buffer, sizeof(r->buffer));
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
    r->now.line += line;
    r->now.column = line ? 1 : r->now.column + 1;
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
    return REFUSE(r, r->now, ("%s comes where %s should", show(r, found), wanted),
                  ("write GOAL as `a: send 8b to 1 tag 0`, `b: recv 8b from 0`, `c: calc 100` and "
                   "`c requires a`"));
}

/* ---- blanks and comments ---- */

static weft_status skip_comment(struct reader *r)
{
    struct goal_position from = r->now;
    skip(r);
    int kind = peek(r), before = 0;
    if (kind != '/' && kind != '*')
        return REFUSE(r, from, ("a '/' begins no comment"), ("write // or /* */"));
    skip(r);
    for (int c; (c = peek(r)) != END; before = c) {
        if (kind == '/' && c == '\n')
            return WEFT_OK;
        skip(r);
        if (kind == '*' && before == '*' && c == '/')
            return WEFT_OK;
    }
    if (kind == '*')
        return REFUSE(r, from, ("a comment does not end"), ("end it with */"));
    return WEFT_OK;
}

/* Blanks of a line; `lines`: also its end. */
static weft_status skip_blanks(struct reader *r, bool lines)
{
    for (;;) {
        int c = peek(r);
        if (c == '/')
            TRY(skip_comment(r));
        else if (c == ' ' || c == '\t' || c == '\r' || (lines && (c == '\n' || c == ';')))
            skip(r);
        else
            return WEFT_OK;
    }
}

/* ---- words ---- */

/* A label or keyword. */
static weft_status read_word(struct reader *r, const char *wanted, struct word *word)
{
    TRY(skip_blanks(r, false));
    word->from = r->now;
    word->length = 0;
    if (!is_letter(peek(r)))
        return refuse(r, wanted);
    for (int c; is_letter(c = peek(r)) || is_digit(c) || c == '_'; skip(r)) {
        if (word->length + 1 == WORD_BYTES)
            return REFUSE(r, word->from, ("a word is too long"),
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
    char wanted[24];
    snprintf(wanted, sizeof(wanted), "'%s'", text);
    TRY(read_word(r, wanted, &word));
    if (!word_is(&word, text))
        return REFUSE(r, word.from, ("'%.40s' comes where '%s' should", word.text, text),
                      ("write it"));
    return WEFT_OK;
}

/* Up to `most`; `any`, if it is not NULL, is set if it is -1. */
static weft_status read_number(struct reader *r, const char *what, uint64_t most, bool *any,
                               uint64_t *value)
{
    TRY(skip_blanks(r, false));
    struct goal_position from = r->now;
    uint64_t number = 0;
    bool minus = any && peek(r) == '-';
    if (minus)
        skip(r);
    if (!is_digit(peek(r)))
        return refuse(r, what);
    for (int c; is_digit(c = peek(r)); skip(r)) {
        uint64_t digit = (uint64_t)(c - '0');
        if (number > (most - digit) / 10)
            return REFUSE(r, from, ("%s is too large", what),
                          ("use at most %llu", (unsigned long long)most));
        number = 10 * number + digit;
    }
    if (minus && number != 1)
        return REFUSE(r, from, ("%s is negative", what), ("use -1 for any"));
    if (any)
        *any = minus;
    *value = number;
    return WEFT_OK;
}

/* ---- labels ---- */

/* The number of a label; GOAL_NONE: there is none. *key: where it would be. */
static uint32_t find_label(const struct labels *l, const struct word *word, uint64_t *key)
{
    const uint32_t *number;
    *key = text_hash(TEXT_HASH, word->text, word->length);
    while ((number = map_find(&l->by_hash, *key)) &&
           strcmp(l->text + l->label[*number].at, word->text) != 0)
        ++*key; /* another label of the same hash */
    return number ? *number : GOAL_NONE;
}

static void add_label(struct labels *l, uint64_t key, const struct word *word, uint32_t op)
{
    size_t bytes = word->length + 1;
    LIST_RESERVE(l->text, l->size + bytes, l->room);
    memcpy(l->text + l->size, word->text, bytes);
    map_add(&l->by_hash, key, l->count);
    *LIST_ADD(l->label, l->count, l->label_room) = (struct label){l->size, op};
    l->size += bytes;
}

/* ---- statements ---- */

static uint32_t write_op(struct reader *r, const struct goal_op *op, const struct word *first)
{
    uint32_t number = goal_write_op(r->out, op);
    if (r->spot && r->spot->rank == r->rank && r->spot->op == number)
        r->spot->from = first->from;
    return number;
}

/* The end of a statement: of its line, or what ends the rank. */
static weft_status end_statement(struct reader *r)
{
    TRY(skip_blanks(r, false));
    int c = peek(r);
    return c == '\n' || c == ';' || c == '}' ? WEFT_OK : refuse(r, "the line's end");
}

/* "8b to 3": what a message is. */
static weft_status read_message(struct reader *r, struct goal_op *op)
{
    bool send = op->kind == GOAL_SEND, any = false;
    uint64_t peer = 0;
    TRY(read_number(r, "a number of bytes", INT64_MAX, NULL, &op->size));
    TRY(expect_word(r, "b"));
    TRY(expect_word(r, send ? "to" : "from"));
    TRY(skip_blanks(r, false));
    struct goal_position from = r->now;
    TRY(read_number(r, "a rank", UINT32_MAX - 1, send ? NULL : &any, &peer));
    if (!any && peer >= r->ranks)
        return REFUSE(r, from, ("rank %llu is none of %u", (unsigned long long)peer, r->ranks),
                      ("use a rank below num_ranks"));
    op->peer = any ? GOAL_ANY : (uint32_t)peer;
    return WEFT_OK;
}

/* "tag 5", "cpu 0", "nic 0". */
static weft_status read_option(struct reader *r, struct goal_op *op, unsigned *had)
{
    struct word word;
    uint64_t value = 0;
    bool any = false;
    TRY(read_word(r, "tag, cpu, nic or the line's end", &word));
    unsigned which = word_is(&word, "tag")   ? 1
                     : word_is(&word, "cpu") ? 2
                     : word_is(&word, "nic") ? 4
                                             : 0;
    if (!which || (which == 1 && op->kind == GOAL_CALC) || (*had & which))
        return REFUSE(r, word.from, ("'%.40s' has no place here", word.text),
                      ("write tag, cpu and nic, once each; a calc has no tag"));
    *had |= which;
    if (which == 1) {
        bool *may_be_any = op->kind == GOAL_RECEIVE ? &any : NULL;
        TRY(read_number(r, "a tag", UINT32_MAX - 1, may_be_any, &value));
        op->tag = any ? GOAL_ANY : (uint32_t)value;
        return WEFT_OK;
    }
    TRY(read_number(r, which == 2 ? "a cpu" : "a nic", UINT8_MAX, NULL, &value));
    *(which == 2 ? &op->cpu : &op->nic) = (uint8_t)value;
    return WEFT_OK;
}

/* What follows "send", "recv" or "calc". */
static weft_status read_op(struct reader *r, struct goal_op *op)
{
    unsigned had = 0;
    if (op->kind == GOAL_CALC)
        TRY(read_number(r, "a time in ns", INT64_MAX, NULL, &op->size));
    else
        TRY(read_message(r, op));
    TRY(skip_blanks(r, false));
    while (is_letter(peek(r))) {
        TRY(read_option(r, op, &had));
        TRY(skip_blanks(r, false));
    }
    return end_statement(r);
}

static uint8_t kind_of(const struct word *word)
{
    return word_is(word, "send")   ? GOAL_SEND
           : word_is(word, "recv") ? GOAL_RECEIVE
           : word_is(word, "calc") ? GOAL_CALC
                                   : 0;
}

/* The operation of a label that was there before. */
static weft_status find_op(const struct reader *r, const struct word *label, uint32_t *op)
{
    uint64_t key;
    uint32_t number = find_label(&r->labels, label, &key);
    if (number == GOAL_NONE)
        return REFUSE(r, label->from, ("no operation has the label '%.60s' so far", label->text),
                      ("label one, above"));
    *op = r->labels.label[number].op;
    return WEFT_OK;
}

/* "requires" or "irequires", and a label. */
static weft_status read_edge(struct reader *r, const struct word *label, const struct word *verb)
{
    struct word other;
    uint32_t op = 0, on = 0;
    TRY(read_word(r, "a label", &other));
    TRY(end_statement(r));
    TRY(find_op(r, label, &op));
    TRY(find_op(r, &other, &on));
    if (op == on)
        return REFUSE(r, label->from, ("'%.60s' waits for itself", label->text),
                      ("name another operation"));
    goal_write_edge(r->out, &(struct goal_edge){op, on, .start = word_is(verb, "irequires")});
    return WEFT_OK;
}

/* From its ':' on. */
static weft_status read_labelled_op(struct reader *r, const struct word *label)
{
    struct goal_op op = {0};
    struct word verb;
    uint64_t key;
    skip(r);
    TRY(read_word(r, "send, recv or calc", &verb));
    op.kind = kind_of(&verb);
    if (!op.kind)
        return REFUSE(r, verb.from, ("'%.40s' is no operation", verb.text),
                      ("write send, recv or calc"));
    TRY(read_op(r, &op));
    if (find_label(&r->labels, label, &key) != GOAL_NONE)
        return REFUSE(r, label->from, ("the label '%.60s' is used again", label->text),
                      ("use another one"));
    add_label(&r->labels, key, label, write_op(r, &op, label));
    return WEFT_OK;
}

/* What follows a label: its operation, or what it waits for. */
static weft_status read_labelled(struct reader *r, const struct word *label)
{
    struct word verb;
    TRY(skip_blanks(r, false));
    if (peek(r) == ':')
        return read_labelled_op(r, label);
    TRY(read_word(r, "':', 'requires' or 'irequires'", &verb));
    if (!word_is(&verb, "requires") && !word_is(&verb, "irequires"))
        return REFUSE(r, verb.from, ("'%.40s' is no statement", verb.text),
                      ("write ':', 'requires' or 'irequires'"));
    return read_edge(r, label, &verb);
}

static weft_status read_statement(struct reader *r)
{
    struct word word;
    struct goal_op op = {0};
    TRY(read_word(r, "an operation, a label or '}'", &word));
    op.kind = kind_of(&word);
    if (!op.kind)
        return read_labelled(r, &word);
    TRY(read_op(r, &op));
    write_op(r, &op, &word);
    return WEFT_OK;
}

/* ---- ranks ---- */

static weft_status begin_rank(struct reader *r)
{
    uint64_t rank = 0;
    TRY(skip_blanks(r, false));
    struct goal_position from = r->now;
    TRY(read_number(r, "a rank", UINT32_MAX - 1, NULL, &rank));
    if (rank >= r->ranks || r->seen[rank])
        return REFUSE(r, from,
                      (rank >= r->ranks ? "rank %llu is none of %u" : "rank %llu of %u comes again",
                       (unsigned long long)rank, r->ranks),
                      ("write each rank below num_ranks once"));
    TRY(skip_blanks(r, true));
    if (peek(r) != '{')
        return refuse(r, "'{'");
    skip(r);
    r->seen[rank] = true;
    r->rank = (uint32_t)rank;
    map_fini(&r->labels.by_hash);
    r->labels.size = r->labels.count = 0;
    goal_write_rank(r->out, (uint32_t)rank);
    return WEFT_OK;
}

static weft_status read_rank(struct reader *r)
{
    struct goal_position from = r->now;
    TRY(begin_rank(r));
    for (;;) {
        TRY(skip_blanks(r, true));
        int c = peek(r);
        if (c == END)
            return REFUSE(r, from, ("a rank does not end"),
                          ("%s", r->damaged ? "the file is damaged" : "end it with '}'"));
        if (c == '}')
            break;
        TRY(read_statement(r));
    }
    skip(r);
    protected_call_poll();
    return WEFT_OK;
}

static weft_status read_ranks(struct reader *r)
{
    uint64_t ranks = 0;
    TRY(skip_blanks(r, false));
    struct goal_position from = r->now;
    TRY(read_number(r, "a number of ranks", GOAL_RANKS_MOST, NULL, &ranks));
    if (!ranks || r->out)
        return REFUSE(r, from, ("%s", r->out ? "num_ranks comes again" : "there are no ranks"),
                      ("write num_ranks once, with the number of ranks"));
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
            r, word.from,
            ("'%.40s' comes where num_ranks%s should", word.text, r->out ? " or rank" : ""),
            ("begin with `num_ranks N`, then write `rank 0 {`"));
    return read_rank(r);
}

static weft_status read_all(struct reader *r)
{
    TRY(skip_blanks(r, true));
    while (peek(r) != END) {
        TRY(read_part(r));
        TRY(skip_blanks(r, true));
    }
    if (r->damaged)
        return REFUSE(r, r->now, ("it cannot be read, or is damaged"), ("make it again"));
    if (!r->out)
        return REFUSE(r, text_start, ("there are no ranks"), ("begin with `num_ranks N`"));
    return WEFT_OK;
}

weft_status goal_compile(const char *name, gzFile text, int descriptor, struct goal_spot *spot)
{
    struct reader *r = memory_alloc(1, sizeof(*r));
    r->name = name;
    r->source = text;
    r->spot = spot;
    r->descriptor = descriptor;
    r->now = text_start;
    weft_status status = read_all(r);
    if (status == WEFT_OK)
        status = goal_write_close(r->out);
    else if (r->out)
        goal_write_abandon(r->out);
    map_fini(&r->labels.by_hash);
    free(r->labels.text);
    free(r->labels.label);
    free(r->seen);
    free(r);
    return status;
}
