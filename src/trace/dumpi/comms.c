/* Who belongs to which communicator. */
#include "trace/dumpi/dumpi.h"

#include <stdlib.h>

#include "base/list.h"
#include "base/memory.h"
#include "base/text/text.h"

enum { DIMENSIONS_MOST = 1 << 16 };

/* The nth that was made from another one, and the colour. */
struct origin {
    uint32_t parent, nth;
    int64_t colour;
};

struct member {
    int64_t key;
    uint32_t rank, in_parent; /* in_parent: its rank there */
    int64_t told;             /* by MPI_Comm_rank(); -1: it did not ask */
};

struct dumpi_made {
    struct origin origin;
    uint32_t next; /* number of one whose origin has the same hash; 0: there is none */
    struct member *member;
    uint32_t members, room;
    int32_t *dimension; /* [dimensions], of a cartesian one */
    uint32_t dimensions;
};

static struct dumpi_made *made_of(const struct dumpi_comms *m, uint32_t number)
{
    return number >= COMM_FIRST ? &m->made[number - COMM_FIRST] : NULL;
}

void dumpi_comms_begin(struct dumpi_comms *m, uint32_t rank)
{
    map_fini(&m->known);
    map_fini(&m->splits);
    map_fini(&m->own_rank);
    m->me = rank;
    map_add(&m->known, DUMPI_COMM_WORLD, COMM_WORLD);
    map_add(&m->known, DUMPI_COMM_SELF, COMM_SELF);
    map_add(&m->own_rank, COMM_WORLD, rank);
    map_add(&m->own_rank, COMM_SELF, 0);
}

void dumpi_comms_fini(struct dumpi_comms *m)
{
    map_fini(&m->known);
    map_fini(&m->splits);
    map_fini(&m->own_rank);
    map_fini(&m->found);
    for (uint32_t i = 0; i < m->makes; i++) {
        free(m->made[i].member);
        free(m->made[i].dimension);
    }
    free(m->made);
}

weft_status dumpi_comms_take(const struct dumpi_comms *m, const struct dumpi_call *c,
                             enum dumpi_argument argument, uint32_t *comm)
{
    const struct dumpi_value *v = dumpi_call_find(c, argument);
    const uint32_t *known = v ? map_find(&m->known, (uint64_t)v->value) : NULL;
    if (!v)
        return dumpi_call_refuse(c, v, "has no communicator");
    if (!known)
        return dumpi_call_blame(c, v, "has a communicator that was not made before",
                                "trace a program that makes its communicators by MPI_Comm_split() "
                                "and others that DUMPI and Weft know");
    *comm = *known;
    return WEFT_OK;
}

/* ---- making ---- */

static uint32_t number_of(struct dumpi_comms *m, const struct origin *o)
{
    uint64_t hash = text_hash(text_hash(0, &o->parent, sizeof(o->parent)), &o->nth, sizeof(o->nth));
    uint32_t *last = map_add(&m->found, text_hash(hash, &o->colour, sizeof(o->colour)), 0);
    for (uint32_t n = *last; n; n = made_of(m, n)->next) {
        const struct origin *have = &made_of(m, n)->origin;
        if (have->parent == o->parent && have->nth == o->nth && have->colour == o->colour)
            return n;
    }
    m->made = memory_grow(m->made, m->makes + 1, sizeof(*m->made));
    m->made[m->makes] = (struct dumpi_made){.origin = *o, .next = *last};
    return *last = COMM_FIRST + m->makes++;
}

/* ---- cartesian ones ---- */

/* A slice of a grid, in which the dimensions vary that stay. *colour: which slice; *within: this
 * rank's rank in it. */
static weft_status cut(const struct dumpi_comms *m, const struct dumpi_call *c, uint32_t parent,
                       int64_t *colour, uint32_t *within)
{
    const struct dumpi_value *stays = dumpi_call_find(c, DUMPI_REMAIN_DIMS);
    const struct dumpi_made *d = made_of(m, parent);
    const uint32_t *known = map_find(&m->own_rank, parent);
    uint64_t rest = known ? *known : 0, at[2] = {0, 0},
             size[2] = {1, 1}; /* [the dimension stays] */
    if (!stays || !d || !d->dimension || stays->count != d->dimensions)
        return dumpi_call_refuse(c, stays, "is not of a cartesian communicator");
    if (!known)
        return dumpi_call_blame(c, stays, "is of a communicator in which its rank is not known",
                                "trace a program that asks MPI_Comm_rank() before");
    for (uint32_t i = d->dimensions; i-- > 0;) {
        uint64_t extent = d->dimension[i] > 0 ? (uint64_t)d->dimension[i] : 1;
        bool kept = c->number[stays->first + i] != 0;
        at[kept] += rest % extent * size[kept];
        size[kept] *= extent;
        rest /= extent;
    }
    *colour = (int64_t)at[false];
    *within = (uint32_t)at[true];
    return WEFT_OK;
}

/* A new grid has the dimensions that the call names, or those of the old one that stay. */
static void keep_dimensions(struct dumpi_comms *m, const struct dumpi_call *c, uint32_t parent,
                            uint32_t number)
{
    const struct dumpi_made *old = made_of(m, parent);
    struct dumpi_made *d = made_of(m, number);
    bool whole = c->function == DUMPI_Cart_create;
    const struct dumpi_value *v = whole ? dumpi_call_find(c, DUMPI_DIMS)
                                  : c->function == DUMPI_Cart_sub
                                      ? dumpi_call_find(c, DUMPI_REMAIN_DIMS)
                                      : NULL;
    if (!v || d->dimension || v->count > DIMENSIONS_MOST)
        return;
    d->dimension = memory_alloc(v->count + 1, sizeof(*d->dimension));
    for (size_t i = 0; i < v->count; i++)
        if (whole || c->number[v->first + i])
            d->dimension[d->dimensions++] =
                whole ? (int32_t)c->number[v->first + i] : old->dimension[i];
}

/* ---- calls ---- */

/* The order of the old one is kept by all but MPI_Comm_split() and MPI_Comm_create(). */
static void know_rank(struct dumpi_comms *m, const struct dumpi_call *c, uint32_t parent,
                      uint32_t number, uint32_t within)
{
    const uint32_t *old = map_find(&m->own_rank, parent);
    if (c->function == DUMPI_Cart_sub)
        old = &within;
    else if (c->function == DUMPI_Comm_split || c->function == DUMPI_Comm_create || !old)
        return;
    uint32_t own = *old;
    *map_add(&m->own_rank, number, 0) = own;
}

weft_status dumpi_comms_make(struct dumpi_comms *m, const struct dumpi_call *c, uint32_t *parent,
                             uint32_t *made)
{
    int64_t handle = dumpi_call_number(c, DUMPI_NEWCOMM, DUMPI_COMM_NULL);
    bool old = dumpi_call_find(c, DUMPI_OLDCOMM);
    uint32_t within = 0;
    TRY(dumpi_comms_take(m, c, old ? DUMPI_OLDCOMM : DUMPI_COMM, parent));
    struct origin o = {.parent = *parent,
                       .nth = (*map_add(&m->splits, *parent, 0))++,
                       .colour = dumpi_call_number(c, DUMPI_COLOR, 0)};
    *made = 0;
    if (handle == DUMPI_COMM_NULL)
        return WEFT_OK;
    if (c->function == DUMPI_Cart_sub)
        TRY(cut(m, c, *parent, &o.colour, &within));
    if (*parent == COMM_SELF)
        o.colour = m->me; /* every rank has its own */
    *made = number_of(m, &o);
    struct dumpi_made *d = made_of(m, *made);
    *LIST_ADD(d->member, d->members, d->room) =
        (struct member){.key = dumpi_call_number(c, DUMPI_KEY, 0), .rank = m->me, .told = -1};
    keep_dimensions(m, c, *parent, *made);
    know_rank(m, c, *parent, *made, within);
    *map_add(&m->known, (uint64_t)handle, 0) = *made;
    return WEFT_OK;
}

void dumpi_comms_tell(struct dumpi_comms *m, const struct dumpi_call *c)
{
    int64_t rank = dumpi_call_number(c, DUMPI_RANK, -1);
    const uint32_t *known =
        map_find(&m->known, (uint64_t)dumpi_call_number(c, DUMPI_COMM, DUMPI_COMM_NULL));
    struct dumpi_made *d = known ? made_of(m, *known) : NULL;
    if (!d || rank < 0 || rank > INT32_MAX)
        return;
    d->member[d->members - 1].told = rank; /* the last that joined is this rank */
    *map_add(&m->own_rank, *known, 0) = (uint32_t)rank;
}

/* ---- members ---- */

static int by_key(const void *a, const void *b)
{
    const struct member *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return x->in_parent < y->in_parent ? -1 : x->in_parent > y->in_parent;
}

/* Whether all were told different ranks. */
static bool all_told(const struct dumpi_made *d)
{
    bool *taken = memory_alloc(d->members + 1, sizeof(*taken)), all = true;
    for (uint32_t i = 0; i < d->members && all; i++) {
        int64_t told = d->member[i].told;
        all = told >= 0 && told < d->members && !taken[told];
        if (all)
            taken[told] = true;
    }
    free(taken);
    return all;
}

static void sort_members(struct dumpi_made *d, const struct recording_side *old)
{
    struct map in_parent = {.entry = NULL};
    bool told = all_told(d);
    for (uint32_t i = 0; old && i < old->members; i++)
        *map_add(&in_parent, old->member[i], 0) = i;
    for (uint32_t i = 0; i < d->members; i++) {
        struct member *e = &d->member[i];
        const uint32_t *at = map_find(&in_parent, e->rank);
        e->in_parent = at ? *at : e->rank;
        e->key = told ? e->told : e->key;
    }
    qsort(d->member, d->members, sizeof(*d->member), by_key);
    map_fini(&in_parent);
}

void dumpi_comms_settle(struct dumpi_comms *m, struct recording *to)
{
    to->comm = memory_alloc(m->makes + 1, sizeof(*to->comm));
    to->comms = to->comm_room = m->makes;
    for (uint32_t i = 0; i < m->makes; i++) {
        struct dumpi_made *d = &m->made[i];
        struct recording_side *s = &to->comm[i].side[0];
        /* Those that it comes from are known by now. */
        const struct recording_comm *parent = recording_comm(to, d->origin.parent);
        sort_members(d, parent ? &parent->side[0] : NULL);
        s->member = memory_alloc(d->members + 1, sizeof(*s->member));
        s->members = d->members;
        for (uint32_t k = 0; k < d->members; k++)
            s->member[k] = d->member[k].rank;
    }
}
