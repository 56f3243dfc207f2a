/*
 * A broadcast that knows the mesh (MSG, 8.4 and Figure 11): the message is cut into one stripe per
 * dimension, and each stripe travels over links that no other stripe uses, in pieces that follow
 * each other. Stripe d goes along dimension d first, then along the next one, and so on; what is
 * left is reached backwards by one hop:
 *
 *       stripe 0 on 4 x 4               stripe 1
 *       o──>o──>o──>o                   o   o   o   o
 *           │   │   │                   │   ^   ^   ^
 *       o<──o   o   o                   o──>o──>o──>o
 *           v   v   v                   v
 *       o<──o   o   o                   o──>o──>o──>o
 *
 *   arguments: BYTES, ROUNDS, bytes of a PIECE
 *
 * The first process is the root and sits at the origin; the processes are those of a whole mesh or
 * torus of up to two dimensions that are longer than 1, one per node.
 */
#include "workload/programs/builtin.h"

enum { STRIPES = 2, CHILDREN_MOST = 3 };

/* Where a stripe comes from and goes to at one process. */
struct way {
    uint32_t parent, child[CHILDREN_MOST], children;
    size_t first, bytes; /* of the message */
};

/* The mesh as the program sees it: two dimensions. */
struct mesh {
    uint32_t side[2], at[2];
};

static struct mesh mesh_of(weft_task *t)
{
    struct mesh m = {{1, 1}, {0, 0}};
    unsigned found = 0;
    for (uint32_t d = 0; d < t->dims; d++)
        if (t->dim[d] > 1 && found < 2) {
            m.side[found] = t->dim[d];
            m.at[found++] = t->coordinate[d];
        }
    if (m.side[0] * m.side[1] != t->size)
        weft_fail(t,
                  "a mesh-aware broadcast needs a whole line or plane of nodes, one process each");
    return m;
}

static uint32_t rank_at(const struct mesh *m, uint32_t x, uint32_t y)
{
    return y * m->side[0] + x;
}

/* Stripe 0, with x and y as they are; stripe 1 with both exchanged. */
static struct way way_of(const struct mesh *m, unsigned stripe)
{
    struct mesh turned = {{m->side[stripe], m->side[1 - stripe]},
                          {m->at[stripe], m->at[1 - stripe]}};
    uint32_t x = turned.at[0], y = turned.at[1], sx = turned.side[0], sy = turned.side[1];
    struct way w = {UINT32_MAX, {0, 0, 0}, 0, 0, 0};
    uint32_t to[CHILDREN_MOST][2];
    if (y == 0 && x + 1 < sx)
        to[w.children][0] = x + 1, to[w.children++][1] = 0; /* along the first dimension */
    if ((x > 0 || sx == 1) && y + 1 < sy)
        to[w.children][0] = x, to[w.children++][1] = y + 1; /* along the second */
    if (x == 1 && y > 0)
        to[w.children][0] = 0, to[w.children++][1] = y; /* backwards */
    for (uint32_t i = 0; i < w.children; i++)
        w.child[i] = stripe ? rank_at(m, to[i][1], to[i][0]) : rank_at(m, to[i][0], to[i][1]);
    uint32_t px = x, py = y;
    if (x == 0 && y > 0 && sx > 1)
        px = 1;
    else if (y > 0)
        py = y - 1;
    else
        px = x - 1;
    if (x || y)
        w.parent = stripe ? rank_at(m, py, px) : rank_at(m, px, py);
    return w;
}

/* One broadcast at one process: the pieces of all stripes, in and out. */
struct cast {
    weft_task *t;
    const struct way *way;
    unsigned stripes;
    unsigned char *data;
    size_t piece, pieces;
    weft_request *in, *out; /* [piece * STRIPES + stripe]; sends so far */
    size_t sends;
};

/* Where a piece of a stripe is in the message, and its length. */
static unsigned char *piece_at(const struct cast *c, unsigned stripe, size_t k, size_t *bytes)
{
    size_t at = k * c->piece, all = c->way[stripe].bytes, left = all > at ? all - at : 0;
    *bytes = left < c->piece ? left : c->piece;
    return c->data + c->way[stripe].first + (left ? at : 0);
}

static void pass_on(struct cast *c, unsigned stripe, size_t k)
{
    const struct way *w = &c->way[stripe];
    size_t bytes;
    unsigned char *data = piece_at(c, stripe, k, &bytes);
    for (uint32_t i = 0; i < w->children; i++)
        c->out[c->sends++] =
            weft_start_send(c->t, w->child[i], data, bytes, (uint32_t)(k * STRIPES + stripe));
}

static void post_receives(struct cast *c)
{
    for (size_t k = 0; k < c->pieces; k++)
        for (unsigned stripe = 0; stripe < c->stripes; stripe++) {
            size_t bytes;
            unsigned char *data = piece_at(c, stripe, k, &bytes);
            c->in[k * STRIPES + stripe] = weft_start_receive(
                c->t, c->way[stripe].parent, data, bytes, (uint32_t)(k * STRIPES + stripe));
        }
}

/* The pieces of a stripe come in order, but nobody knows which stripe is next. */
static void relay(struct cast *c)
{
    size_t next[STRIPES] = {0, c->stripes > 1 ? 0 : c->pieces};
    while (next[0] < c->pieces || next[1] < c->pieces) {
        weft_request waiting[STRIPES];
        unsigned stripe[STRIPES];
        size_t count = 0;
        for (unsigned p = 0; p < c->stripes; p++)
            if (next[p] < c->pieces) {
                stripe[count] = p;
                waiting[count++] = c->in[next[p] * STRIPES + p];
            }
        unsigned came = stripe[weft_wait_any(c->t, waiting, count, 0)];
        pass_on(c, came, next[came]++);
    }
}

static void broadcast(struct cast *c)
{
    c->sends = 0;
    c->in = weft_alloc(c->t, STRIPES * (c->pieces + 1) * sizeof(*c->in));
    c->out = weft_alloc(c->t, STRIPES * CHILDREN_MOST * (c->pieces + 1) * sizeof(*c->out));
    if (c->t->rank) {
        post_receives(c);
        relay(c);
    } else {
        for (size_t k = 0; k < c->pieces; k++)
            for (unsigned stripe = 0; stripe < c->stripes; stripe++)
                pass_on(c, stripe, k);
    }
    weft_wait_all(c->t, c->out, c->sends, 0);
    weft_release(c->t, c->in);
    weft_release(c->t, c->out);
}

void program_mesh_broadcast(weft_task *t)
{
    size_t bytes = program_number(t, 0, 100000), piece = program_number(t, 2, 10000);
    uint32_t rounds = (uint32_t)program_number(t, 1, 1);
    struct mesh m = mesh_of(t);
    unsigned stripes = m.side[0] > 1 && m.side[1] > 1 ? 2 : 1;
    struct way way[STRIPES] = {way_of(&m, 0), way_of(&m, 1)};
    way[0].bytes = (bytes + stripes - 1) / stripes;
    way[1].first = way[0].bytes;
    way[1].bytes = bytes - way[0].bytes;
    struct cast c = {.t = t, .way = way, .stripes = stripes, .piece = piece};
    c.pieces = (way[0].bytes + piece - 1) / piece;
    c.data = weft_alloc(t, bytes);
    for (uint32_t round = 0; round < rounds; round++) {
        if (t->rank == 0)
            program_fill(c.data, bytes, 0, 0, round);
        broadcast(&c);
        program_check(t, c.data, bytes, 0, 0, round);
    }
    weft_release(t, c.data);
}
