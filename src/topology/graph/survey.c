/*
 * Distances to one node, those of all pairs, and diameters after every single failure.
 *
 * One bit per source: after h hops, seen[node] is the set of sources that reach the node in at most
 * h hops. One more hop adds the sets of the nodes with a link to it:
 *
 *     next[node] = seen[node] | seen[in 0] | seen[in 1] | ...
 *
 * Sources go in blocks of 512 (a set is a cache line), so that the sets of a thousand nodes stay in
 * the second-level cache: all 3,888 failures of K(3,6) take 0.3 s.
 */
#include "topology/graph/graph.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

void graph_hops(const struct graph *g, uint32_t to, uint32_t *hops, uint32_t *queue)
{
    uint32_t tail = 0;
    for (uint32_t node = 0; node < g->nodes; node++)
        hops[node] = UINT32_MAX;
    hops[to] = 0;
    queue[tail++] = to;
    for (uint32_t head = 0; head < tail; head++) {
        const struct graph_end *from = &g->from[(size_t)queue[head] * g->degree];
        for (uint32_t port = 0; port < g->degree; port++) {
            uint32_t before = from[port].node;
            if (before == GRAPH_NONE || hops[before] != UINT32_MAX)
                continue;
            hops[before] = hops[queue[head]] + 1;
            queue[tail++] = before;
        }
    }
}

/* ---- all pairs ---- */

enum { BLOCK_WORDS = 8, BLOCK = 64 * BLOCK_WORDS };

struct sources {
    uint64_t word[BLOCK_WORDS];
};

struct sweep {
    const struct graph *g;
    uint32_t *in;          /* [node * degree + input port] the node before; the node itself: none */
    bool *dead;            /* [node] */
    uint32_t first;        /* first source of the block */
    struct sources living; /* of the block */
    struct sources *seen, *next; /* [node] */
};

static void sweep_init(struct sweep *s, const struct graph *g)
{
    *s = (struct sweep){.g = g};
    s->in = memory_alloc((size_t)g->nodes * g->degree, sizeof(*s->in));
    s->dead = memory_alloc(g->nodes, sizeof(*s->dead));
    s->seen = memory_alloc(g->nodes, sizeof(*s->seen));
    s->next = memory_alloc(g->nodes, sizeof(*s->next));
    memcpy(s->dead, g->dead, g->nodes * sizeof(*s->dead));
    /* A node's own set adds nothing to itself, so a missing link needs no test in the loop. */
    for (size_t i = 0; i < (size_t)g->nodes * g->degree; i++)
        s->in[i] = g->from[i].node != GRAPH_NONE ? g->from[i].node : (uint32_t)(i / g->degree);
}

static void sweep_fini(struct sweep *s)
{
    free(s->in);
    free(s->dead);
    free(s->seen);
    free(s->next);
}

/* Every node has seen itself; a dead one counts as having seen all, and passes nothing on. */
static void start(struct sweep *s, uint32_t first)
{
    uint32_t nodes = s->g->nodes;
    s->first = first;
    s->living = (struct sources){{0}};
    for (uint32_t node = 0; node < nodes; node++)
        for (unsigned w = 0; w < BLOCK_WORDS; w++)
            s->seen[node].word[w] = s->dead[node] ? UINT64_MAX : 0;
    for (uint32_t bit = 0; bit < BLOCK && first + bit < nodes; bit++)
        if (!s->dead[first + bit]) {
            s->seen[first + bit].word[bit / 64] |= 1ull << bit % 64;
            s->living.word[bit / 64] |= 1ull << bit % 64;
        }
}

/* Makes one more hop; false: it changed nothing. */
static bool step(struct sweep *s)
{
    uint32_t degree = s->g->degree;
    struct sources news = {{0}};
    for (uint32_t node = 0; node < s->g->nodes; node++) {
        struct sources set = s->seen[node];
        for (const uint32_t *in = &s->in [(size_t)node * degree], *end = in + degree; in < end;
             in++)
            for (unsigned w = 0; w < BLOCK_WORDS; w++)
                set.word[w] |= s->seen[*in].word[w];
        for (unsigned w = 0; w < BLOCK_WORDS; w++)
            news.word[w] |= set.word[w] ^ s->seen[node].word[w];
        s->next[node] = set;
    }
    struct sources *seen = s->next;
    s->next = s->seen;
    s->seen = seen;
    uint64_t any = 0;
    for (unsigned w = 0; w < BLOCK_WORDS; w++)
        any |= news.word[w];
    return any != 0;
}

static bool complete(const struct sweep *s)
{
    for (uint32_t node = 0; node < s->g->nodes; node++) {
        uint64_t missing = 0;
        for (unsigned w = 0; w < BLOCK_WORDS; w++)
            missing |= s->living.word[w] & ~s->seen[node].word[w];
        if (missing)
            return false;
    }
    return true;
}

/* A pair at distance n is missing before hops 1 to n: the counts add up to all distances. */
static uint64_t pairs_missing(const struct sweep *s)
{
    uint64_t pairs = 0;
    for (uint32_t node = 0; node < s->g->nodes; node++)
        for (unsigned w = 0; w < BLOCK_WORDS; w++)
            pairs += (unsigned)__builtin_popcountll(s->living.word[w] & ~s->seen[node].word[w]);
    return pairs;
}

/* Hops until every living node has seen all living sources; adds up distances unless NULL. */
static uint32_t diameter(struct sweep *s, uint64_t *distances)
{
    uint32_t most = 0;
    for (uint32_t first = 0; first < s->g->nodes; first += BLOCK) {
        start(s, first);
        for (uint32_t hops = 1; !complete(s); hops++) {
            protected_call_poll();
            if (distances)
                *distances += pairs_missing(s);
            if (!step(s))
                return UINT32_MAX;
            most = hops > most ? hops : most;
        }
    }
    return most;
}

/* The lowest source that some node does not see, and the lowest such node. */
static void find_cut(const struct sweep *s, uint32_t *from, uint32_t *to)
{
    *from = UINT32_MAX;
    for (uint32_t node = 0; node < s->g->nodes; node++)
        for (uint32_t w = 0; w < BLOCK_WORDS; w++) {
            uint64_t missing = s->living.word[w] & ~s->seen[node].word[w];
            if (!missing)
                continue;
            uint32_t source = s->first + 64 * w + (uint32_t)__builtin_ctzll(missing);
            if (source < *from) {
                *from = source;
                *to = node;
            }
            break;
        }
}

struct graph_survey graph_survey(const struct graph *g)
{
    struct graph_survey survey = {0};
    struct sweep s;
    uint64_t distances = 0;
    double living = g->nodes - g->dead_nodes;
    sweep_init(&s, g);
    survey.diameter = diameter(&s, &distances);
    survey.connected = survey.diameter != UINT32_MAX;
    if (!survey.connected)
        find_cut(&s, &survey.cut_from, &survey.cut_to);
    else if (living > 1)
        survey.mean_distance = (double)distances / (living * (living - 1));
    sweep_fini(&s);
    return survey;
}

uint32_t graph_diameter_link_dead(const struct graph *g)
{
    struct sweep s;
    sweep_init(&s, g);
    uint32_t most = diameter(&s, NULL); /* a failure never makes a distance smaller */
    for (uint32_t node = 0; node < g->nodes; node++)
        for (uint32_t port = 0; port < g->degree && most != UINT32_MAX; port++) {
            size_t link = (size_t)node * g->degree + port;
            if (g->from[link].node == GRAPH_NONE)
                continue;
            s.in[link] = node;
            uint32_t hops = diameter(&s, NULL);
            most = hops > most ? hops : most;
            s.in[link] = g->from[link].node;
        }
    sweep_fini(&s);
    return most;
}

/* Takes a node with its links away, or brings it back. */
static void kill_node(struct sweep *s, uint32_t node, bool dies)
{
    uint32_t degree = s->g->degree;
    for (size_t i = (size_t)node * degree; i < (size_t)(node + 1) * degree; i++) {
        struct graph_end to = s->g->to[i];
        s->in[i] = dies || s->g->from[i].node == GRAPH_NONE ? node : s->g->from[i].node;
        if (to.node != GRAPH_NONE)
            s->in[(size_t)to.node * degree + to.port] = dies ? to.node : node;
    }
    s->dead[node] = dies;
}

uint32_t graph_diameter_node_dead(const struct graph *g)
{
    struct sweep s;
    uint32_t most = 0;
    sweep_init(&s, g);
    for (uint32_t node = 0; node < g->nodes && most != UINT32_MAX; node++) {
        if (g->dead[node])
            continue;
        kill_node(&s, node, true);
        uint32_t hops = diameter(&s, NULL);
        most = hops > most ? hops : most;
        kill_node(&s, node, false);
    }
    sweep_fini(&s);
    return most;
}
