/* Types as trees. */
#include "mpi/object/type.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

struct type *type_hold(struct type *t)
{
    if (!t->predefined) /* threads share those */
        t->holders++;
    return t;
}

void type_release(struct type *t)
{
    if (!t || t->predefined || --t->holders)
        return;
    type_release(t->child);
    for (size_t i = 0; i < t->blocks; i++)
        type_release(t->block[i].child);
    for (size_t i = 0; i < t->origin.types; i++)
        type_release(t->origin.type[i]);
    free(t->block);
    for (unsigned list = 0; list < ORIGIN_LISTS; list++)
        free(t->origin.number[list]);
    free(t->origin.type);
    free(t);
}

/* ---- bounds ---- */

/* What is known of a type while its blocks are added. */
struct bounds {
    int64_t low, high, true_low, true_high, size;
    enum type_bound low_bound, high_bound;
    bool data, overflow;
};

static int64_t add(struct bounds *b, int64_t x, int64_t y)
{
    int64_t sum;
    b->overflow |= __builtin_add_overflow(x, y, &sum);
    return b->overflow ? 0 : sum;
}

static int64_t multiply(struct bounds *b, int64_t x, int64_t y)
{
    int64_t product;
    b->overflow |= __builtin_mul_overflow(x, y, &product);
    return b->overflow ? 0 : product;
}

static bool outweighs(enum type_bound next, enum type_bound last, bool farther)
{
    return next > last || (next == last && farther);
}

static void include(struct bounds *b, const struct type *child, int64_t at)
{
    int64_t low = add(b, at, child->low), high = add(b, low, child->extent);
    int64_t true_low = add(b, at, child->true_low), true_high = add(b, at, child->true_high);
    if (outweighs(child->low_bound, b->low_bound, low < b->low))
        b->low = low, b->low_bound = child->low_bound;
    if (outweighs(child->high_bound, b->high_bound, high > b->high))
        b->high = high, b->high_bound = child->high_bound;
    if (!child->size)
        return;
    b->true_low = !b->data || true_low < b->true_low ? true_low : b->true_low;
    b->true_high = !b->data || true_high > b->true_high ? true_high : b->true_high;
    b->data = true;
}

/* A block of children: its first and last decide. */
static void include_block(struct bounds *b, const struct type *child, int64_t at, int64_t length)
{
    if (length <= 0)
        return;
    include(b, child, at);
    include(b, child, add(b, at, multiply(b, length - 1, child->extent)));
    b->size = add(b, b->size, multiply(b, length, child->size));
}

static struct type *finish(struct type *t, const struct bounds *b)
{
    t->size = b->size;
    t->low = b->low;
    t->low_bound = b->low_bound;
    t->extent = b->high - b->low;
    t->high_bound = b->high_bound;
    t->true_low = b->true_low;
    t->true_high = b->true_high;
    if (!b->overflow)
        return t;
    type_release(t);
    return NULL;
}

static struct type *new_type(void)
{
    struct type *t = memory_alloc(1, sizeof(*t));
    t->holders = 1;
    t->alignment = 1;
    return t;
}

/* ---- making types ---- */

struct type *type_regular(struct type *child, int64_t count, int64_t length, int64_t stride)
{
    struct bounds b = {.size = 0};
    struct type *t = new_type();
    if (count > 0) {
        include_block(&b, child, 0, length);
        include_block(&b, child, multiply(&b, count - 1, stride), length);
    }
    b.size = length > 0 ? multiply(&b, multiply(&b, count, length), child->size) : 0;
    t->child = type_hold(child);
    t->count = length > 0 ? count : 0;
    t->length = length;
    t->stride = stride;
    t->alignment = child->alignment;
    t->signature = b.size ? child->signature : 0;
    if (!finish(t, &b))
        return NULL;
    bool together = t->count == 1 || stride == length * child->extent;
    t->dense = child->dense && together && t->low == 0 && t->size == t->extent;
    return t;
}

struct type *type_listed(const struct type_block *block, size_t blocks)
{
    struct bounds b = {.size = 0};
    struct signature_sum sum = {.length = 0};
    struct type *t = new_type();
    t->block = memory_alloc(blocks, sizeof(*t->block));
    t->dense = true;
    for (size_t i = 0; i < blocks; i++) {
        const struct type_block *from = &block[i];
        if (from->length <= 0)
            continue;
        /* Blocks that follow the one before continue it. */
        t->dense &= from->child->dense && from->at == b.size;
        include_block(&b, from->child, from->at, from->length);
        signature_add(&sum, from->child->signature,
                      (uint64_t)from->length * (uint64_t)from->child->size);
        t->block[t->blocks++] = (struct type_block){from->at, from->length, type_hold(from->child)};
        t->alignment =
            from->child->alignment > t->alignment ? from->child->alignment : t->alignment;
    }
    t->signature = signature_end(&sum);
    if (!finish(t, &b))
        return NULL;
    t->dense &= t->low == 0 && t->size == t->extent;
    return t;
}

struct type *type_resized(struct type *child, int64_t low, int64_t extent)
{
    struct type *t = type_regular(child, 1, 1, 0);
    if (!t)
        return NULL;
    t->low = low;
    t->extent = extent;
    t->low_bound = t->high_bound = BOUND_MARK;
    t->dense = child->dense && low == 0 && extent == child->size;
    return t;
}

/* ---- arrays ---- */

/* The dimension that varies in place `i`, counted from the fastest. */
static int dimension(int dims, bool fortran, int i)
{
    return fortran ? i : dims - 1 - i;
}

/* Gives a type the extent of a whole array of children, which begins at `at` before it. NULL: there
 * is no such type, or its numbers are too large. */
static struct type *as_array(struct bounds *b, struct type *t, const struct type *child, int64_t at,
                             int64_t elements)
{
    struct type_block block = {multiply(b, at, child->extent), 1, t};
    int64_t extent = multiply(b, elements, child->extent);
    struct type *moved = !t || b->overflow ? NULL : type_listed(&block, 1);
    struct type *whole = moved ? type_resized(moved, 0, extent) : NULL;
    type_release(moved);
    type_release(t);
    return whole;
}

struct type *type_subarray(const struct type_array *a)
{
    struct bounds b = {.size = 0};
    struct type *t = type_hold(a->child);
    int64_t elements = 1, first = 0;
    for (int i = 0; i < a->dims && t; i++) {
        int d = dimension(a->dims, a->fortran, i);
        int64_t apart = multiply(&b, elements, a->child->extent);
        struct type *rows =
            b.overflow ? NULL : type_regular(t, number_at(a->subsize, (size_t)d), 1, apart);
        type_release(t);
        t = rows;
        first = add(&b, first, multiply(&b, number_at(a->start, (size_t)d), elements));
        elements = multiply(&b, elements, number_at(a->size, (size_t)d));
    }
    return as_array(&b, t, a->child, first, elements);
}

/* The elements of one dimension that a process has: blocks of `block` in turn. */
static struct type *share(struct type *row, int64_t elements, int64_t block, int64_t processes,
                          int64_t place, int64_t apart)
{
    int64_t first = place * block, round = block * processes;
    int64_t whole = elements > first ? (elements - first) / round : 0;
    int64_t rest = elements > first ? (elements - first) % round : 0;
    if (rest >= block) {
        whole++;
        rest = 0;
    }
    struct type *of_block = type_regular(row, block, 1, apart), *t = NULL;
    struct type *of_rest = type_regular(row, rest, 1, apart);
    struct type *blocks = of_block ? type_regular(of_block, whole, 1, round * apart) : NULL;
    if (blocks && of_rest) {
        struct type_block parts[2] = {{first * apart, 1, blocks},
                                      {(first + whole * round) * apart, rest > 0, of_rest}};
        t = type_listed(parts, 2);
    }
    type_release(of_block);
    type_release(of_rest);
    type_release(blocks);
    return t;
}

static int64_t block_of(const struct type_shares *s, int d)
{
    int64_t size = number_at(s->size, (size_t)d), grid = s->grid[d], argument = s->argument[d];
    if (s->distribution[d] == MPI_DISTRIBUTE_NONE)
        return size;
    if (argument != MPI_DISTRIBUTE_DFLT_DARG)
        return argument;
    return s->distribution[d] == MPI_DISTRIBUTE_BLOCK ? (size + grid - 1) / grid : 1;
}

struct type *type_darray(const struct type_shares *s)
{
    struct bounds b = {.size = 0};
    struct type *t = type_hold(s->child);
    int64_t elements = 1, behind = s->processes;
    int *place = memory_alloc((size_t)s->dims + 1, sizeof(*place));
    for (int d = 0, rank = s->rank; d < s->dims; d++) { /* processes are in C's order always */
        behind /= s->grid[d];
        place[d] = rank / (int)behind;
        rank %= (int)behind;
    }
    for (int i = 0; i < s->dims && t; i++) {
        int d = dimension(s->dims, s->fortran, i);
        int64_t apart = multiply(&b, elements, s->child->extent), block = block_of(s, d);
        struct type *rows = b.overflow ? NULL
                                       : share(t, number_at(s->size, (size_t)d), block ? block : 1,
                                               s->grid[d], place[d], apart);
        type_release(t);
        t = rows;
        elements = multiply(&b, elements, number_at(s->size, (size_t)d));
    }
    free(place);
    return as_array(&b, t, s->child, 0, elements);
}

/* ---- data ---- */

/* A pair is listed, as its parts may have a gap between them. */
static bool is_leaf(const struct type *t)
{
    return t->basic != BASIC_NONE && t->basic != BASIC_PAIR;
}

/* A walk over memory or a file: bytes of data that come before it, those that are left, and what
 * is done with each piece. */
struct walk {
    uint64_t skip, left;
    void (*piece)(void *arg, uintptr_t at, uint64_t bytes);
    void *arg;
};

static void walk_piece(struct walk *w, uintptr_t at, uint64_t bytes)
{
    uint64_t skip = bytes < w->skip ? bytes : w->skip;
    uint64_t now = bytes - skip < w->left ? bytes - skip : w->left;
    w->skip -= skip;
    if (!now)
        return;
    w->piece(w->arg, at + skip, now);
    w->left -= now;
}

static void walk_type(struct walk *w, const struct type *t, uintptr_t at);

/* Elements an extent apart. */
static void walk_elements(struct walk *w, const struct type *t, int64_t count, uintptr_t at)
{
    if (!t->size || count <= 0)
        return;
    if (t->dense) {
        walk_piece(w, at, (uint64_t)(count * t->size));
        return;
    }
    if (w->skip >= (uint64_t)t->size) {
        uint64_t whole = w->skip / (uint64_t)t->size;
        int64_t skipped = whole < (uint64_t)count ? (int64_t)whole : count;
        w->skip -= (uint64_t)(skipped * t->size);
        at += (uintptr_t)(skipped * t->extent);
        count -= skipped;
    }
    for (; count && w->left; count--, at += (uintptr_t)t->extent)
        walk_type(w, t, at);
}

static void walk_type(struct walk *w, const struct type *t, uintptr_t at)
{
    if (t->dense || is_leaf(t)) {
        walk_piece(w, at + (uintptr_t)t->true_low, (uint64_t)t->size);
        return;
    }
    for (int64_t i = 0; t->child && i < t->count && w->left; i++)
        walk_elements(w, t->child, t->length, at + (uintptr_t)(i * t->stride));
    for (size_t i = 0; i < t->blocks && w->left; i++)
        walk_elements(w, t->block[i].child, t->block[i].length, at + (uintptr_t)t->block[i].at);
}

static void pack_piece(void *packed, uintptr_t at, uint64_t bytes)
{
    unsigned char **to = packed;
    memcpy(*to, (const void *)at, bytes);
    *to += bytes;
}

static void unpack_piece(void *packed, uintptr_t at, uint64_t bytes)
{
    const unsigned char **from = packed;
    memcpy((void *)at, *from, bytes);
    *from += bytes;
}

void block_pack(const struct block *b, uint64_t bytes, void *to)
{
    struct walk w = {0, bytes, pack_piece, &to};
    walk_elements(&w, b->type, b->count, (uintptr_t)b->at);
}

void block_unpack(const struct block *b, uint64_t bytes, const void *from)
{
    struct walk w = {0, bytes, unpack_piece, &from};
    walk_elements(&w, b->type, b->count, (uintptr_t)b->at);
}

void type_tile(const struct type *t, const struct type_range *range,
               void (*piece)(void *arg, uintptr_t at, uint64_t bytes), void *arg)
{
    struct walk w = {range->skip, range->bytes, piece, arg};
    if (t->size)
        walk_elements(&w, t, INT64_MAX / t->size, (uintptr_t)range->at);
}

/* ---- basic elements ---- */

static int64_t basics_in(const struct type *t)
{
    int64_t sum = 0;
    if (is_leaf(t))
        return 1;
    if (t->child)
        return t->count * t->length * basics_in(t->child);
    for (size_t i = 0; i < t->blocks; i++)
        sum += t->block[i].length * basics_in(t->block[i].child);
    return sum;
}

/* Takes elements off `bytes`; whether it stops within a basic one is left in `bytes`. */
static int64_t take_elements(const struct type *t, int64_t count, uint64_t *bytes);

static int64_t take_type(const struct type *t, uint64_t *bytes)
{
    int64_t sum = 0;
    if (is_leaf(t))
        return 0;
    if (t->child)
        return take_elements(t->child, t->count * t->length, bytes);
    for (size_t i = 0; i < t->blocks; i++) {
        uint64_t whole = (uint64_t)(t->block[i].length * t->block[i].child->size);
        bool ends = *bytes < whole;
        sum += take_elements(t->block[i].child, t->block[i].length, bytes);
        if (ends)
            break;
    }
    return sum;
}

static int64_t take_elements(const struct type *t, int64_t count, uint64_t *bytes)
{
    if (!t->size || count <= 0)
        return 0;
    uint64_t whole = *bytes / (uint64_t)t->size;
    int64_t n = whole < (uint64_t)count ? (int64_t)whole : count;
    *bytes -= (uint64_t)(n * t->size);
    int64_t sum = n * basics_in(t);
    return n < count && *bytes ? sum + take_type(t, bytes) : sum;
}

int64_t type_elements(const struct type *t, uint64_t bytes)
{
    if (!t->size)
        return 0;
    int64_t elements = take_elements(t, INT64_MAX / t->size, &bytes);
    return bytes ? MPI_UNDEFINED : elements;
}

uint64_t type_bytes(const struct type *t, int64_t elements)
{
    int64_t each = basics_in(t);
    if (!each)
        return 0;
    uint64_t bytes = (uint64_t)(elements / each * t->size);
    for (uint64_t more = 0, rest = (uint64_t)(elements % each); rest; more++) {
        uint64_t left = more;
        if (take_elements(t, 1, &left) == (int64_t)rest && !left)
            return bytes + more;
    }
    return bytes;
}

const struct type *type_basic(const struct type *t)
{
    const struct type *basic = NULL;
    if (t->basic)
        return t;
    if (t->child)
        return type_basic(t->child);
    for (size_t i = 0; i < t->blocks; i++) {
        const struct type *child = t->block[i].child, *other = type_basic(child);
        if (!child->size)
            continue;
        if (!other || (basic && other != basic))
            return NULL;
        basic = other;
    }
    return basic;
}
