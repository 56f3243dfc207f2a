/* The shape of the tree, its life cycle, and archives. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/random.h"
#include "base/status.h"
#include "engine/ranks.h"
#include "node/io.h"
#include "node/mapped/tree_state.h"

/* ---- life cycle ---- */

uint32_t tree_least_cycles(const struct tree_params *p)
{
    return p->hop_cycles;
}

static double packet_cycles(const struct tree_params *p, double link_mb_per_s)
{
    return ceil((double)(p->packet_bytes + p->control_bytes) * link_mb_per_s / p->mb_per_s);
}

static double barrier_cycles(const struct tree_params *p, uint32_t nodes, double link_mb_per_s)
{
    double levels = 0;
    for (uint32_t number = nodes - 1; number; number = (number - 1) / p->arity)
        levels++;
    return ceil((p->barrier_ns + 2 * levels * p->barrier_hop_ns) * 1e-3 * link_mb_per_s);
}

weft_status tree_check_times(const struct tree_params *p, uint32_t nodes, double link_mb_per_s)
{
    const double most = 1 << 30;
    double packet = packet_cycles(p, link_mb_per_s);
    double barrier = barrier_cycles(p, nodes, link_mb_per_s);
    if (packet > most)
        return BAD_INPUT("machine.tree.mb_per_s machine.link.mb_per_s",
                         ("a packet on a link of the tree takes as long as %.3g bytes on a link of "
                          "the torus",
                          packet),
                         ("use rates that differ by less"));
    if (barrier > most)
        return BAD_INPUT(
            "machine.tree.barrier_ns machine.tree.barrier_hop_ns machine.link.mb_per_s",
            ("a barrier takes as long as %.3g bytes on a link of the torus", barrier),
            ("use shorter times"));
    return WEFT_OK;
}

static void number_nodes(struct tree *t, const struct tree_options *o)
{
    t->nodes = o->nodes;
    t->number = memory_alloc(2 * (size_t)o->nodes, sizeof(*t->number));
    t->node_at = memory_alloc(2 * (size_t)o->nodes, sizeof(*t->node_at));
    for (uint32_t node = 0; node < o->nodes; node++) {
        t->number[node] = TREE_NONE;
        if (o->dead && o->dead[node])
            continue;
        t->node_at[t->living] = node;
        t->number[node] = t->living++;
    }
}

/*
 * Processing sets: the nodes in depth-first order are cut into sets of as many as an I/O node
 * serves; the last one may have fewer. An I/O node hangs on the first node from the middle of its
 * set on that has a free port (a chip has three, one of them up).
 */
static void order_nodes(struct tree *t)
{
    uint32_t *stack = memory_alloc(t->living, sizeof(*stack)), depth = 0, count = 0;
    stack[depth++] = 0;
    while (depth) {
        uint32_t number = stack[--depth];
        t->in_order[count] = number;
        t->rank[number] = count++;
        for (uint32_t c = children_of(t, number); c--;)
            stack[depth++] = number * t->params.arity + 1 + c;
    }
    free(stack);
}

static void place_io(struct tree *t, uint32_t io)
{
    uint32_t ports = t->params.arity > 2 ? t->params.arity : 2;
    uint32_t set = t->io_params.nodes_per, left = t->living - io * set;
    for (uint32_t i = io * set + (left < set ? left : set) / 2;; i = (i + 1) % t->living) {
        uint32_t host = t->in_order[i];
        if (children_of(t, host) == ports || t->io_at[host] != TREE_NONE)
            continue;
        t->io_at[host] = io;
        t->io[io] = (struct io_place){.host = host, .link = children_of(t, host)};
        return;
    }
}

static void place_ios(struct tree *t)
{
    uint32_t ios = tree_io_nodes(t->living, t->io_params.nodes_per);
    t->rank = memory_alloc(t->living, sizeof(*t->rank));
    t->in_order = memory_alloc(t->living, sizeof(*t->in_order));
    t->io_at = memory_alloc(t->living, sizeof(*t->io_at));
    t->io = memory_alloc(ios, sizeof(*t->io));
    memset(t->io_at, 0xff, t->living * sizeof(*t->io_at));
    order_nodes(t);
    for (uint32_t io = 0; io < ios; io++) {
        place_io(t, io);
        t->number[t->nodes + io] = t->living + io;
        t->node_at[t->living + io] = t->nodes + io;
    }
    t->ios = ios;
}

/* The routes of all classes. */
static void make_routes(struct tree *t, const struct tree_classes *classes)
{
    t->classes = classes->count;
    t->member = memory_alloc(t->living, sizeof(*t->member));
    t->route = memory_alloc(t->living, sizeof(*t->route));
    for (uint32_t number = 0; number < t->living; number++)
        t->member[number] = classes->member[t->node_at[number]];
    for (unsigned class = 0; class < t->classes; class ++) {
        t->class_root[class] =
            tree_class_route(class, t->member, t->living, t->params.arity, t->route);
        t->base.class_nodes[class] = classes->members[class];
    }
    t->base.classes = t->classes;
}

/* Where all nodes are, and which I/O nodes a partition has. */
static void find_nodes(struct tree *t)
{
    uint32_t all = t->living + t->ios;
    t->far = memory_alloc(all, sizeof(*t->far));
    for (uint32_t number = 0; number < all; number++) {
        struct far *far = &t->far[number];
        far->io = is_io(t, number);
        uint32_t heap = far->io ? parent_of(t, number) : number;
        bricks_find(&t->bricks, t->node_at[heap], &far->partition, &far->local);
    }
    for (uint32_t io = 0; io < t->ios; io++)
        t->io[io].index = t->part[find(t, t->living + io).partition].ios++;
}

struct nic_tree *tree_face(struct tree *t)
{
    return &t->base;
}

struct tree *tree_create(const struct tree_options *o)
{
    struct tree *t = memory_alloc(1, sizeof(*t));
    *t = (struct tree){.base = tree_calls,
                       .params = *o->params,
                       .io_params = *o->io,
                       .cores = *o->cores,
                       .bricks = o->bricks,
                       .seed = o->seed,
                       .link_cycles_per_us = o->link_mb_per_s};
    if (o->errors) {
        t->errors = *o->errors;
        t->errors.bad_links = 0; /* those are the torus's */
    }
    number_nodes(t, o);
    WEFT_CHECK(t->living <= TREE_NODES_MOST, "the tree has too many nodes");
    if (o->io->nodes_per)
        place_ios(t);
    make_routes(t, o->classes);
    t->base.packet_bytes = o->params->packet_bytes;
    t->base.nodes = t->living;
    t->base.io_header_bytes = o->io->header_bytes;
    t->base.io_piece_bytes = t->ios ? o->io->buffer_bytes : 0;
    t->packet_cycles = (uint32_t)packet_cycles(o->params, o->link_mb_per_s);
    t->report_cycles = tree_least_cycles(o->params);
    t->barrier_cycles = (uint32_t)barrier_cycles(o->params, t->living, o->link_mb_per_s);
    if (t->barrier_cycles < 2 * t->report_cycles + 1)
        t->barrier_cycles = 2 * t->report_cycles + 1;
    size_t pairs = (size_t)o->bricks.count * o->bricks.count;
    t->channel = memory_alloc(pairs, sizeof(*t->channel));
    memset(t->channel, 0xff, pairs * sizeof(*t->channel));
    t->attachments = attachments_create(o->bricks.count);
    t->part = memory_alloc_lines(o->bricks.count, sizeof(*t->part));
    find_nodes(t);
    for (uint32_t i = 0; i < t->living; i++)
        t->part[find(t, i).partition].living++;
    return t;
}

static void connect(struct tree *t, struct torus_network *n, uint32_t from, uint32_t to)
{
    uint32_t *channel = &t->channel[(size_t)from * t->bricks.count + to];
    if (from != to && *channel == UINT32_MAX)
        *channel = torus_connect(n, from, to);
}

void tree_connect(struct tree *t, struct torus_network *n)
{
    for (uint32_t i = 1; i < t->living; i++) {
        uint32_t here = find(t, i).partition, there = find(t, parent_of(t, i)).partition;
        connect(t, n, here, there);
        connect(t, n, there, here);
    }
    for (uint32_t i = 1; i < t->bricks.count; i++) {
        connect(t, n, i, 0);
        connect(t, n, 0, i);
    }
}

static void prepare_errors(struct tree *t, struct tree_part *s, uint32_t local, uint32_t node)
{
    for (unsigned link = 0; link < LINKS; link++)
        errors_init(&s->errors[(size_t)local * LINKS + link], &t->errors,
                    random_key(t->seed, (uint64_t)node * 64 + 32 + link, RANDOM_LINK));
}

void tree_prepare(struct tree *t, struct network_part *part)
{
    struct tree_part *s = &t->part[part->index];
    uint32_t nodes = part->nodes;
    uint32_t all = nodes + s->ios, calls = t->io_params.nodes_per * IO_SLOTS;
    s->torus = part;
    s->nodes = nodes;
    s->node = memory_alloc(all, sizeof(*s->node));
    s->io = memory_alloc(s->ios, sizeof(*s->io));
    s->call = memory_alloc((size_t)s->ios * calls, sizeof(*s->call));
    slots_init(&s->points, sizeof(struct point), offsetof(struct point, next));
    for (uint32_t io = 0; io < s->ios; io++)
        s->io[io].answered = s->io[io].first[IO_OUT] = s->io[io].first[IO_IN] = TREE_NONE;
    for (uint32_t local = 0; local < all; local++)
        for (unsigned link = 0; link < LINKS; link++)
            for (unsigned buffer = 0; buffer < BUFFERS; buffer++)
                s->node[local].link[link].room[buffer] = (uint8_t)t->params.link_packets;
    if (!errors_any(&t->errors))
        return;
    s->errors = memory_alloc((size_t)all * LINKS, sizeof(*s->errors));
    for (uint32_t local = 0; local < nodes; local++)
        prepare_errors(t, s, local, bricks_node(&t->bricks, part->index, local));
    for (uint32_t io = 0; io < t->ios; io++)
        if (find(t, t->living + io).partition == part->index)
            prepare_errors(t, s, nodes + t->io[io].index, t->nodes + io);
}

void tree_destroy(struct tree *t)
{
    if (!t)
        return;
    for (uint32_t i = 0; i < t->bricks.count; i++) {
        free(t->part[i].node);
        free(t->part[i].errors);
        free(t->part[i].io);
        free(t->part[i].call);
        slots_fini(&t->part[i].points);
    }
    free(t->part);
    attachments_destroy(t->attachments);
    free(t->channel);
    free(t->number);
    free(t->node_at);
    free(t->rank);
    free(t->in_order);
    free(t->io_at);
    free(t->io);
    free(t->far);
    free(t->member);
    free(t->route);
    free(t);
}

/* ---- archives ---- */

/* Points that wait are taken from the set; other packets carry nothing that could be saved. */
static bool is_queue(const struct tree *t, const struct tree_part *s, const struct queue *q,
                     uint32_t number, unsigned vc, struct visited *points)
{
    bool right = q->first < QUEUE_MOST && q->count <= QUEUE_MOST;
    for (unsigned i = 0; right && i < q->count; i++) {
        const struct entry *e = &q->entry[(q->first + i) % QUEUE_MOST];
        if (e->route == TREE_POINT)
            right = vc == 1 && visited_mark(points, e->attachment) &&
                    e->target == point_at(s, e->attachment)->target &&
                    e->target < t->living + t->ios &&
                    point_at(s, e->attachment)->source < t->living + t->ios;
        else
            right = e->target < t->living && e->route < TREE_POINT &&
                    e->attachment == ATTACHMENT_NONE && number != TREE_NONE &&
                    is_on_route(t, number, e->class);
    }
    return right;
}

static bool is_node(const struct tree *t, const struct tree_part *s, uint32_t local,
                    struct visited *points)
{
    const struct tree_node *n = &s->node[local];
    /* I/O nodes have points only, wherever they are. */
    uint32_t number =
        local < s->nodes ? t->number[bricks_node(&t->bricks, s->torus->index, local)] : TREE_NONE;
    bool right = n->filled == tree_filled(n) && visited_is_bool(&n->entered) &&
                 !(n->operations >> (LINKS + 1));
    for (unsigned output = 0; output <= LINKS; output++)
        right = right && n->last_queue[output] < QUEUES;
    for (unsigned input = 0; input < INPUTS; input++)
        right = right && !n->arriving[input].words; /* within a cycle only */
    for (unsigned vc = 0; vc < VCS; vc++)
        right = right && is_queue(t, s, &n->received[vc], number, vc, points);
    for (unsigned buffer = 0; buffer < BUFFERS; buffer++) {
        for (unsigned input = 0; input < INPUTS; input++)
            right = right && is_queue(t, s, &n->in[input][buffer], number, buffer, points);
        for (unsigned link = 0; link < LINKS; link++)
            right = right && n->link[link].room[buffer] <= t->params.link_packets;
    }
    return right;
}

/* An I/O node has to do with points only. */
static bool is_quiet(const struct tree_node *n)
{
    for (unsigned input = 0; input < INPUTS; input++)
        if (n->in[input][0].count || n->in[input][RISING].count)
            return false;
    return !n->received[0].count && !n->entered;
}

/* Nothing waits where nothing can come from. */
static bool are_inputs(const struct tree *t, uint32_t partition, uint32_t local)
{
    const struct tree_node *n = &t->part[partition].node[local];
    for (unsigned input = 0; input < INPUTS; input++) {
        bool waits = tree_waiting(n, input);
        bool can = input == FROM_SELF ||
                   tree_has_input(t, partition, local, input == FROM_PARENT ? WHAT_PARENT : input);
        if (waits && !can)
            return false;
    }
    return true;
}

static const char *nodes_flaw(const struct tree *t, uint32_t partition, struct visited *points)
{
    const struct tree_part *s = &t->part[partition];
    for (uint32_t local = 0; local < s->nodes + s->ios; local++)
        if (!is_node(t, s, local, points) || !are_inputs(t, partition, local) ||
            (local >= s->nodes && !is_quiet(&s->node[local])))
            return "a node of the tree is not valid";
    return NULL;
}

static const char *flaw(const struct tree *t, uint32_t partition)
{
    const struct tree_part *s = &t->part[partition];
    struct visited points;
    const char *wrong = slots_visited(&s->points, &points) ? nodes_flaw(t, partition, &points)
                                                           : "packets of the tree are no list";
    if (!wrong && !visited_is_full(&points))
        wrong = "a packet of the tree is nowhere";
    visited_fini(&points);
    for (uint32_t io = 0; io < t->ios && !wrong; io++)
        if (find(t, t->living + io).partition == partition)
            wrong = io_flaw(t, io);
    return wrong;
}

void tree_archive(struct tree *t, uint32_t partition, struct archive *a)
{
    struct tree_part *s = &t->part[partition];
    size_t all = s->nodes + s->ios, calls = (size_t)s->ios * t->io_params.nodes_per * IO_SLOTS;
    archive_bytes(a, s->node, all * sizeof(*s->node));
    if (s->errors)
        archive_bytes(a, s->errors, all * LINKS * sizeof(*s->errors));
    archive_bytes(a, s->io, s->ios * sizeof(*s->io));
    archive_bytes(a, s->call, calls * sizeof(*s->call));
    slots_archive(&s->points, a);
    archive_bytes(a, &s->entered, sizeof(s->entered));
    archive_bytes(a, &s->reports, sizeof(s->reports));
    archive_bytes(a, &s->counts, sizeof(s->counts));
    if (archive_has_read(a))
        archive_sound(a, flaw(t, partition));
}

/* ---- counts ---- */

struct tree_counts tree_counts(const struct tree *t)
{
    uint64_t sums[2] = {0, 0};
    for (uint32_t i = 0; i < t->bricks.count; i++) {
        sums[0] += t->part[i].counts.packets;
        sums[1] += t->part[i].counts.retransmitted;
    }
    ranks_sum(sums, 2);
    return (struct tree_counts){sums[0], sums[1]};
}

struct io_counts tree_io_counts(const struct tree *t)
{
    enum { OWN = 2, EACH = 3, SUMS = OWN + EACH * IO_WAYS };
    uint64_t sums[SUMS] = {0};
    for (uint32_t i = 0; i < t->bricks.count; i++)
        for (uint32_t k = 0; t->part[i].io && k < t->part[i].ios; k++) {
            const struct io_node *io = &t->part[i].io[k];
            sums[0] += io->calls;
            sums[1] += io->busy >> FRACTION_BITS;
            for (unsigned way = 0; way < IO_WAYS; way++) {
                uint64_t *sum = &sums[OWN + EACH * way];
                sum[0] += io->bytes[way];
                sum[1] += io->packets[way];
                sum[2] += io->wire_busy[way] >> FRACTION_BITS;
            }
        }
    ranks_sum(sums, SUMS);
    struct io_counts all = {.nodes = t->ios, .calls = sums[0], .busy = (double)sums[1]};
    for (unsigned way = 0; way < IO_WAYS; way++) {
        const uint64_t *sum = &sums[OWN + EACH * way];
        all.bytes[way] = sum[0];
        all.packets[way] = sum[1];
        all.wire_busy[way] = (double)sum[2];
    }
    return all;
}

uint32_t tree_packet_cycles(const struct tree *t)
{
    return t->packet_cycles;
}
