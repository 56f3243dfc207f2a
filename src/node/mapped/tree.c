/* Queues, links and the ALU of a tree node; barriers. */
#include "node/mapped/tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "base/slots.h"
#include "base/memory.h"
#include "base/random.h"
#include "engine/fine.h"
#include "engine/ranks.h"
#include "node/attachments.h"

/* Inputs of a node: its children, its processor, its parent. */
enum {
    FROM_SELF = TREE_ARITY_MOST,
    FROM_PARENT,
    INPUTS,
    VCS = 2,
    QUEUE_MOST = 8,
    LINKS = TREE_ARITY_MOST + 1, /* to each child; to the parent */
    TO_PARENT = TREE_ARITY_MOST,
};

/* What an event is: a packet from a child (its number) or from the parent, room behind a link
 * (payload: the link; more: the VC), a node to look at again, or a barrier's. */
enum what { WHAT_PARENT = TREE_ARITY_MOST, WHAT_ROOM, WHAT_LOOK, WHAT_BARRIER };
enum { BARRIER_REPORT, BARRIER_END, BARRIER_SEEN };

/* A packet: its way, the node that it is for or from, and its data. */
struct entry {
    uint32_t target;
    uint32_t attachment; /* ATTACHMENT_NONE: nobody looks at them */
    uint8_t route;
};

/* Over a link, an attachment travels instead of the target, which it names as its tag. */
enum { ATTACHMENT_TRAVELS = 1 << 30 };

struct queue {
    struct entry entry[QUEUE_MOST];
    uint8_t first, count;
};

struct link {
    cycle_t free;      /* busy until then */
    uint8_t room[VCS]; /* packets that fit behind it */
};

struct tree_node {
    struct queue in[INPUTS][VCS];
    struct link link[LINKS];
    struct queue received[VCS];     /* for the processor to read, */
    cycle_t there[VCS][QUEUE_MOST]; /* when the last byte of each is there */
    cycle_t look;                   /* a pending look; 0: none */
    uint32_t barriers;              /* that have ended */
    bool entered;                   /* the next one */
};

struct tree_part {
    struct network_part *torus;
    struct tree_node *node;      /* [local] */
    struct error_source *errors; /* [local * LINKS + link]; NULL: none */
    uint32_t nodes, living;
    uint32_t queued;  /* packets, at all of its nodes */
    uint32_t entered; /* nodes, in the barrier that is under way */
    uint32_t reports; /* of partitions; at the first one */
    struct tree_counts counts;
} __attribute__((aligned(64)));

/* A neighbour in the tree. */
struct far {
    uint32_t partition, local;
};

struct tree {
    struct nic_tree base;
    struct tree_params params;
    struct error_params errors;
    struct bricks bricks;
    uint64_t seed;
    uint32_t living;            /* nodes */
    uint32_t *number, *node_at; /* of a node in the tree, UINT32_MAX: dead; and back */
    uint32_t *channel;          /* [from * partitions + to]; UINT32_MAX: none */
    uint32_t packet_cycles, barrier_cycles, report_cycles;
    struct attachments *attachments;
    struct tree_part *part;
};

static struct tree_node *node_of(const struct tree *t, const struct nic_node *at)
{
    return &t->part[at->partition].node[at->local];
}

/* ---- shape ---- */

static uint32_t parent_of(const struct tree *t, uint32_t number)
{
    return (number - 1) / t->params.arity;
}

static uint32_t children_of(const struct tree *t, uint32_t number)
{
    uint64_t first = (uint64_t)number * t->params.arity + 1;
    if (first >= t->living)
        return 0;
    uint64_t left = t->living - first;
    return left < t->params.arity ? (uint32_t)left : t->params.arity;
}

/* The child of `number` on the way to `target`; arity: it is not below. */
static uint32_t child_towards(const struct tree *t, uint32_t number, uint32_t target)
{
    for (uint32_t below = target; below > number; below = parent_of(t, below))
        if (parent_of(t, below) == number)
            return (below - 1) % t->params.arity;
    return t->params.arity;
}

static struct far find(const struct tree *t, uint32_t number)
{
    struct far far;
    bricks_find(&t->bricks, t->node_at[number], &far.partition, &far.local);
    return far;
}

/* ---- events ---- */

static void send_event(struct tree *t, uint32_t from, struct far to, unsigned what, unsigned more,
                       uint32_t payload, cycle_t when)
{
    struct network_part *part = t->part[from].torus;
    uint32_t channel = t->channel[from * t->bricks.count + to.partition];
    if (to.partition == from)
        torus_client_event(part, to.local, what, more, payload, when);
    else
        torus_client_event_far(part, channel, to.local, what, more, payload, when);
}

/* Looks at a node again; one look is enough. */
static void look_at(struct tree *t, const struct nic_node *at, cycle_t when)
{
    struct tree_node *n = node_of(t, at);
    cycle_t now = part_now(t->part[at->partition].torus);
    if (n->look > now && n->look <= when)
        return;
    n->look = when;
    torus_client_event(t->part[at->partition].torus, at->local, WHAT_LOOK, 0, 0, when);
}

/* ---- queues ---- */

static const struct entry *head(const struct queue *q)
{
    return q->count ? &q->entry[q->first] : NULL;
}

static void push(struct queue *q, struct entry e, uint32_t most)
{
    WEFT_CHECK(q->count < most && q->count < QUEUE_MOST, "a tree node overruns a queue");
    q->entry[(q->first + q->count++) % QUEUE_MOST] = e;
}

static void drop_head(struct queue *q)
{
    q->first = (uint8_t)((q->first + 1) % QUEUE_MOST);
    q->count--;
}

/* Takes the head out; whoever sent it over a link has room for another. */
static void pop(struct tree *t, const struct nic_node *at, unsigned input, unsigned vc, cycle_t now)
{
    struct queue *q = &t->part[at->partition].node[at->local].in[input][vc];
    uint32_t number = t->number[at->node], hop = t->params.hop_cycles;
    drop_head(q);
    t->part[at->partition].queued--;
    if (input == FROM_PARENT) {
        uint32_t link = (number - 1) % t->params.arity;
        send_event(t, at->partition, find(t, parent_of(t, number)), WHAT_ROOM, vc, link, now + hop);
    } else if (input != FROM_SELF) {
        uint32_t child = number * t->params.arity + 1 + input;
        send_event(t, at->partition, find(t, child), WHAT_ROOM, vc, TO_PARENT, now + hop);
    }
}

/* ---- links ---- */

static bool is_open(const struct tree_node *n, unsigned link, unsigned vc, cycle_t now)
{
    return n->link[link].free <= now && n->link[link].room[vc];
}

/* How often a packet is sent until it arrives whole. */
static uint32_t tries_of(struct tree *t, const struct nic_node *at, unsigned link, cycle_t now)
{
    struct tree_part *s = &t->part[at->partition];
    uint32_t bytes = t->params.packet_bytes + t->params.control_bytes, tries = 1;
    uint8_t frame[4096];
    if (!s->errors)
        return 1;
    struct error_source *source = &s->errors[(size_t)at->local * LINKS + link];
    for (;; tries++, s->counts.retransmitted++) {
        if (!errors_will_hit(source, &t->errors, at->node, link, now, 8 * bytes))
            return tries;
        memset(frame, 0, bytes);
        if (!errors_pass(source, &t->errors, at->node, link, now, frame, 8 * bytes))
            return tries;
    }
}

/* Sends a packet over a link, whose other end sees it a hop later. */
static void send(struct tree *t, const struct nic_node *at, unsigned link, unsigned vc,
                 struct entry e, cycle_t now)
{
    struct tree_part *s = &t->part[at->partition];
    struct tree_node *n = &s->node[at->local];
    uint32_t number = t->number[at->node], hop = t->params.hop_cycles;
    uint32_t again = tries_of(t, at, link, now) - 1;
    cycle_t start = now + again * (cycle_t)(t->packet_cycles + 2 * hop);
    bool up = link == TO_PARENT;
    struct far to = find(t, up ? parent_of(t, number) : number * t->params.arity + 1 + link);
    n->link[link].free = start + t->packet_cycles;
    n->link[link].room[vc]--;
    s->counts.packets++;
    send_event(t, at->partition, to, up ? (number - 1) % t->params.arity : WHAT_PARENT,
               vc << 2 | e.route,
               e.attachment == ATTACHMENT_NONE ? e.target : ATTACHMENT_TRAVELS | e.attachment,
               start + hop);
}

/* ---- reception ---- */

static bool has_reception(const struct tree *t, const struct tree_node *n, unsigned vc)
{
    return n->received[vc].count < t->params.fifo_packets;
}

/* The processor can read a packet when its last byte is there. */
static void receive(struct tree *t, const struct nic_node *at, unsigned vc, struct entry e,
                    cycle_t now)
{
    struct tree_node *n = node_of(t, at);
    struct queue *q = &n->received[vc];
    n->there[vc][(q->first + q->count) % QUEUE_MOST] = now + t->packet_cycles;
    push(q, e, t->params.fifo_packets);
}

/* ---- a node's step ---- */

/* Whether a packet can go to all children and to the processor. */
static bool can_cast(const struct tree *t, const struct tree_node *n, uint32_t number, bool self,
                     cycle_t now)
{
    for (uint32_t c = 0; c < children_of(t, number); c++)
        if (!is_open(n, c, 0, now))
            return false;
    return !self || has_reception(t, n, 0);
}

/* The same packet once more. */
static struct entry copy(struct tree *t, const struct nic_node *at, struct entry e)
{
    if (e.attachment == ATTACHMENT_NONE)
        return e;
    uint32_t fresh = attachment_new(t->attachments, at->partition, t->params.packet_bytes);
    struct attachment *to = attachment_at(t->attachments, fresh);
    const struct attachment *from = attachment_at(t->attachments, e.attachment);
    memcpy(to->data, from->data, t->params.packet_bytes);
    to->tag = from->tag;
    to->context = from->context;
    e.attachment = fresh;
    return e;
}

static void drop(struct tree *t, struct entry e)
{
    if (e.attachment != ATTACHMENT_NONE)
        attachment_free(t->attachments, e.attachment);
}

static void cast(struct tree *t, const struct nic_node *at, struct entry e, bool self, cycle_t now)
{
    for (uint32_t c = 0; c < children_of(t, t->number[at->node]); c++)
        send(t, at, c, 0, copy(t, at, e), now);
    if (self)
        receive(t, at, 0, e, now);
    else
        drop(t, e);
}

/* Whether all children and the processor have a packet to combine. */
static bool can_combine(const struct tree *t, struct tree_node *n, uint32_t number)
{
    const struct entry *own = head(&n->in[FROM_SELF][0]);
    bool all = own && (own->route == TREE_REDUCE || own->route == TREE_ALL);
    for (uint32_t c = 0; c < children_of(t, number); c++)
        all = all && head(&n->in[c][0]);
    return all;
}

/* The ALU: what has come from a child goes into what the node itself has. */
static void combine_data(struct tree *t, const struct nic_node *at, struct entry mine,
                         struct entry other)
{
    if (mine.attachment == ATTACHMENT_NONE && other.attachment == ATTACHMENT_NONE)
        return;
    bool both = mine.attachment != ATTACHMENT_NONE && other.attachment != ATTACHMENT_NONE;
    struct attachment *to = both ? attachment_at(t->attachments, mine.attachment) : NULL;
    const struct attachment *from = both ? attachment_at(t->attachments, other.attachment) : NULL;
    if (!both || to->context != from->context)
        RUN_ABANDONED(
            ("processes of node %u and below it call different collective operations", at->node),
            NO_REMEDY);
    alu_combine((enum nic_operation)(to->context & 0xff), to->context >> 8, to->data, from->data,
                t->params.packet_bytes);
    drop(t, other);
}

/* One packet from all. */
static bool combine(struct tree *t, const struct nic_node *at, cycle_t now)
{
    struct tree_node *n = node_of(t, at);
    uint32_t number = t->number[at->node];
    if (!can_combine(t, n, number))
        return false;
    struct entry e = *head(&n->in[FROM_SELF][0]);
    bool all = e.route == TREE_ALL;
    if (number ? !is_open(n, TO_PARENT, 0, now)
        : all  ? !can_cast(t, n, number, true, now)
               : !has_reception(t, n, 0))
        return false;
    for (uint32_t c = 0; c < children_of(t, number); c++) {
        combine_data(t, at, e, *head(&n->in[c][0]));
        pop(t, at, c, 0, now);
    }
    pop(t, at, FROM_SELF, 0, now);
    if (number)
        send(t, at, TO_PARENT, 0, e, now);
    else if (all)
        cast(t, at, e, true, now);
    else
        receive(t, at, 0, e, now);
    return true;
}

/* Passes a packet from the parent on to all below. */
static bool pass_down(struct tree *t, const struct nic_node *at, cycle_t now)
{
    struct tree_node *n = node_of(t, at);
    const struct entry *e = head(&n->in[FROM_PARENT][0]);
    uint32_t number = t->number[at->node];
    if (!e)
        return false;
    struct entry packet = *e;
    bool self = packet.route != TREE_CAST || packet.target != number; /* its sender has it */
    if (!can_cast(t, n, number, self, now))
        return false;
    pop(t, at, FROM_PARENT, 0, now);
    cast(t, at, packet, self, now);
    return true;
}

/* Moves the packet at the head of a queue of VC 1: to its node, or to the root to be cast. */
static bool pass_point(struct tree *t, const struct nic_node *at, unsigned input, cycle_t now)
{
    struct tree_node *n = node_of(t, at);
    uint32_t number = t->number[at->node];
    const struct entry *e = head(&n->in[input][1]);
    if (!e)
        return false;
    struct entry packet = *e;
    bool is_cast = packet.route == TREE_CAST;
    uint32_t child = is_cast ? t->params.arity : child_towards(t, number, packet.target);
    bool here = is_cast ? number == 0 : packet.target == number;
    unsigned link = child < t->params.arity ? child : TO_PARENT;

    bool self = is_cast && packet.target != number; /* the sender of a cast has it */
    if (here ? (is_cast ? !can_cast(t, n, number, self, now) : !has_reception(t, n, 1))
             : !is_open(n, link, 1, now))
        return false;
    pop(t, at, input, 1, now);
    if (!here)
        send(t, at, link, 1, packet, now);
    else if (is_cast)
        cast(t, at, packet, self, now);
    else
        receive(t, at, 1, packet, now);
    return true;
}

/* If packets are left, looks again when the next link is free. Room behind a link, and packets that
 * are needed, have events of their own. */
static void look_again(struct tree *t, const struct nic_node *at, cycle_t now)
{
    const struct tree_node *n = node_of(t, at);
    cycle_t next = CYCLE_NEVER;
    unsigned left = 0;
    for (unsigned input = 0; input < INPUTS; input++)
        left += n->in[input][0].count + n->in[input][1].count;
    for (unsigned link = 0; link < LINKS; link++)
        if (n->link[link].free > now && n->link[link].free < next)
            next = n->link[link].free;
    if (left && next != CYCLE_NEVER)
        look_at(t, at, next);
}

void tree_step(struct tree *t, const struct nic_node *at, cycle_t now)
{
    if (!t->part[at->partition].queued || t->number[at->node] == UINT32_MAX)
        return;
    bool moved = true;
    while (moved) {
        moved = pass_down(t, at, now) || combine(t, at, now);
        for (unsigned input = 0; input < INPUTS; input++)
            moved = pass_point(t, at, input, now) || moved;
    }
    look_again(t, at, now);
}

/* ---- barriers ---- */

/* All nodes see it at once, a cycle later: also the one that this event happens at. */
static void end_barrier(struct tree *t, uint32_t partition)
{
    struct tree_part *s = &t->part[partition];
    s->entered = 0;
    for (uint32_t local = 0; local < s->nodes; local++)
        if (s->node[local].entered)
            torus_client_event(s->torus, local, WHAT_BARRIER, BARRIER_SEEN, 0,
                               part_now(s->torus) + 1);
}

/* The first partition knows when all have entered, and tells all when the wires do. */
static void report(struct tree *t, cycle_t now)
{
    struct tree_part *s = &t->part[0];
    uint32_t with_nodes = 0;
    for (uint32_t i = 0; i < t->bricks.count; i++)
        with_nodes += t->part[i].living > 0;
    if (++s->reports < with_nodes)
        return;
    s->reports = 0;
    for (uint32_t i = 0; i < t->bricks.count; i++)
        if (t->part[i].living)
            send_event(t, 0, (struct far){i, 0}, WHAT_BARRIER, BARRIER_END, 0,
                       now - t->report_cycles + t->barrier_cycles - 1);
}

static void enter(struct nic_tree *tree, const struct nic_node *at)
{
    struct tree *t = (struct tree *)tree;
    struct tree_part *s = &t->part[at->partition];
    struct tree_node *n = &s->node[at->local];
    WEFT_CHECK(!n->entered, "node %u enters a barrier twice", at->node);
    n->entered = true;
    if (++s->entered == s->living)
        send_event(t, at->partition, (struct far){0, 0}, WHAT_BARRIER, BARRIER_REPORT, 0,
                   part_now(s->torus) + t->report_cycles);
}

static uint32_t barriers(const struct nic_tree *tree, const struct nic_node *at)
{
    return node_of((const struct tree *)tree, at)->barriers;
}

/* ---- the torus's calls ---- */

static struct entry travelled(const struct tree *t, uint32_t payload, unsigned route)
{
    struct entry e = {.target = payload, .attachment = ATTACHMENT_NONE, .route = (uint8_t)route};
    if (payload & ATTACHMENT_TRAVELS) {
        e.attachment = payload & ~(uint32_t)ATTACHMENT_TRAVELS;
        e.target = attachment_at(t->attachments, e.attachment)->tag;
    }
    return e;
}

void tree_event(struct tree *t, uint32_t partition, uint32_t local, unsigned what, unsigned more,
                uint32_t payload, cycle_t now)
{
    struct tree_node *n = &t->part[partition].node[local];
    if (what == WHAT_BARRIER && more == BARRIER_REPORT)
        report(t, now);
    else if (what == WHAT_BARRIER && more == BARRIER_END)
        end_barrier(t, partition);
    else if (what == WHAT_BARRIER)
        n->entered = false, n->barriers++;
    else if (what == WHAT_ROOM)
        n->link[payload].room[more]++;
    else if (what <= WHAT_PARENT) {
        t->part[partition].queued++;
        push(&n->in[what == WHAT_PARENT ? FROM_PARENT : what][more >> 2],
             travelled(t, payload, more & 3), t->params.link_packets);
    }
}

/* Whether packets can come to a node by an input. */
static bool has_input(const struct tree *t, uint32_t partition, uint32_t local, unsigned input)
{
    uint32_t number = local < t->part[partition].nodes
                          ? t->number[bricks_node(&t->bricks, partition, local)]
                          : UINT32_MAX;
    if (number == UINT32_MAX)
        return false;
    return input == WHAT_PARENT ? number > 0 : input < children_of(t, number);
}

bool tree_is_event(const struct tree *t, uint32_t partition, uint32_t local, unsigned what,
                   unsigned more, uint32_t payload)
{
    bool known = local < t->part[partition].nodes;
    if (what == WHAT_ROOM)
        return known && payload < LINKS && more < VCS;
    if (what == WHAT_BARRIER)
        return known && more <= BARRIER_SEEN && (more != BARRIER_REPORT || partition == 0);
    if (what <= WHAT_PARENT && !has_input(t, partition, local, what))
        return false;
    if (payload & ATTACHMENT_TRAVELS)
        return known && what <= WHAT_PARENT &&
               attachment_is(t->attachments, payload & ~(uint32_t)ATTACHMENT_TRAVELS);
    return known && (what == WHAT_LOOK || payload < t->living);
}

/* ---- the processor's side ---- */

static bool has_room(const struct nic_tree *tree, const struct nic_node *at, unsigned vc)
{
    const struct tree *t = (const struct tree *)tree;
    const struct tree_node *n = node_of(t, at);
    return n->in[FROM_SELF][vc].count < t->params.fifo_packets;
}

static void inject(struct nic_tree *tree, const struct nic_node *at,
                   const struct nic_tree_packet *p)
{
    struct tree *t = (struct tree *)tree;
    struct tree_node *n = node_of(t, at);
    uint32_t target = p->route == TREE_POINT ? t->number[p->target] : t->number[at->node];
    WEFT_CHECK(target != UINT32_MAX, "node %u sends to a dead node", at->node);
    struct entry e = {.target = target, .attachment = ATTACHMENT_NONE, .route = p->route};
    if (p->data) {
        e.attachment = attachment_new(t->attachments, at->partition, t->params.packet_bytes);
        struct attachment *attachment = attachment_at(t->attachments, e.attachment);
        memcpy(attachment->data, p->data, t->params.packet_bytes);
        attachment->tag = target;
        attachment->context = p->operation | (uint32_t)p->width << 8; /* see combine_data() */
    }
    t->part[at->partition].queued++;
    unsigned vc = p->route == TREE_CAST || p->route == TREE_POINT;
    push(&n->in[FROM_SELF][vc], e, t->params.fifo_packets);
    look_at(t, at, part_now(t->part[at->partition].torus) + 1);
}

static bool peek(const struct nic_tree *tree, const struct nic_node *at, unsigned vc,
                 struct nic_tree_packet *packet, cycle_t *there)
{
    const struct tree *t = (const struct tree *)tree;
    const struct tree_node *n = node_of(t, at);
    const struct entry *e = head(&n->received[vc]);
    if (!e)
        return false;
    *packet = (struct nic_tree_packet){.route = e->route, .target = t->node_at[e->target]};
    *there = n->there[vc][n->received[vc].first];
    return true;
}

static void read_packet(struct nic_tree *tree, const struct nic_node *at, unsigned vc, void *data)
{
    struct tree *t = (struct tree *)tree;
    struct queue *q = &node_of(t, at)->received[vc];
    WEFT_CHECK(q->count, "node %u reads an empty FIFO", at->node);
    struct entry e = *head(q);
    if (data && e.attachment != ATTACHMENT_NONE)
        memcpy(data, attachment_at(t->attachments, e.attachment)->data, t->params.packet_bytes);
    drop(t, e);
    drop_head(q);
    look_at(t, at, part_now(t->part[at->partition].torus) + 1);
}

static bool is_root(const struct nic_tree *tree, const struct nic_node *at)
{
    return ((const struct tree *)tree)->number[at->node] == 0;
}

/* ---- life cycle ---- */

uint32_t tree_least_cycles(const struct tree_params *p)
{
    return p->hop_cycles;
}

static void number_nodes(struct tree *t, const struct tree_options *o)
{
    t->number = memory_alloc(o->nodes, sizeof(*t->number));
    t->node_at = memory_alloc(o->nodes, sizeof(*t->node_at));
    for (uint32_t node = 0; node < o->nodes; node++) {
        t->number[node] = UINT32_MAX;
        if (o->dead && o->dead[node])
            continue;
        t->node_at[t->living] = node;
        t->number[node] = t->living++;
    }
}

struct nic_tree *tree_face(struct tree *t)
{
    return &t->base;
}

struct tree *tree_create(const struct tree_options *o)
{
    struct tree *t = memory_alloc(1, sizeof(*t));
    *t = (struct tree){.base = {.packet_bytes = o->params->packet_bytes,
                                .has_room = has_room,
                                .inject = inject,
                                .peek = peek,
                                .read = read_packet,
                                .is_root = is_root,
                                .enter = enter,
                                .barriers = barriers},
                       .params = *o->params,
                       .bricks = o->bricks,
                       .seed = o->seed};
    if (o->errors) {
        t->errors = *o->errors;
        t->errors.bad_links = 0; /* those are the torus's */
    }
    number_nodes(t, o);
    WEFT_CHECK(t->living < ATTACHMENT_TRAVELS, "the tree has too many nodes");
    double bytes = o->params->packet_bytes + o->params->control_bytes;
    t->packet_cycles = (uint32_t)ceil(bytes * o->link_mb_per_s / o->params->mb_per_s);
    uint32_t levels = 0;
    for (uint32_t number = t->living - 1; number; number = parent_of(t, number))
        levels++;
    double ns = o->params->barrier_ns + 2 * levels * o->params->barrier_hop_ns;
    t->report_cycles = tree_least_cycles(o->params);
    t->barrier_cycles = (uint32_t)ceil(ns * 1e-3 * o->link_mb_per_s);
    if (t->barrier_cycles < 2 * t->report_cycles + 1)
        t->barrier_cycles = 2 * t->report_cycles + 1;
    size_t pairs = (size_t)o->bricks.count * o->bricks.count;
    t->channel = memory_alloc(pairs, sizeof(*t->channel));
    memset(t->channel, 0xff, pairs * sizeof(*t->channel));
    t->attachments = attachments_create(o->bricks.count);
    t->part = memory_alloc_lines(o->bricks.count, sizeof(*t->part));
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

void tree_prepare(struct tree *t, struct network_part *part)
{
    struct tree_part *s = &t->part[part->index];
    uint32_t nodes = part->nodes;
    s->torus = part;
    s->nodes = nodes;
    s->node = memory_alloc(nodes, sizeof(*s->node));
    for (uint32_t local = 0; local < nodes; local++)
        for (unsigned link = 0; link < LINKS; link++)
            for (unsigned vc = 0; vc < VCS; vc++)
                s->node[local].link[link].room[vc] = (uint8_t)t->params.link_packets;
    if (!errors_any(&t->errors))
        return;
    s->errors = memory_alloc((size_t)nodes * LINKS, sizeof(*s->errors));
    for (uint32_t local = 0; local < nodes; local++)
        for (unsigned link = 0; link < LINKS; link++) {
            uint64_t owner = (uint64_t)bricks_node(&t->bricks, part->index, local) * 64 + 32 + link;
            errors_init(&s->errors[(size_t)local * LINKS + link], &t->errors,
                        random_key(t->seed, owner, RANDOM_LINK));
        }
}

void tree_destroy(struct tree *t)
{
    if (!t)
        return;
    for (uint32_t i = 0; i < t->bricks.count; i++) {
        free(t->part[i].node);
        free(t->part[i].errors);
    }
    free(t->part);
    attachments_destroy(t->attachments);
    free(t->channel);
    free(t->number);
    free(t->node_at);
    free(t);
}

/* ---- archives ---- */

static bool is_queue(const struct tree *t, const struct queue *q)
{
    bool right = q->first < QUEUE_MOST && q->count <= QUEUE_MOST;
    for (unsigned i = 0; right && i < q->count; i++) {
        const struct entry *e = &q->entry[(q->first + i) % QUEUE_MOST];
        right = e->target < t->living && e->route <= TREE_POINT && e->attachment == ATTACHMENT_NONE;
    }
    return right;
}

static bool is_node(const struct tree *t, const struct tree_node *n)
{
    bool right = visited_is_bool(&n->entered);
    for (unsigned vc = 0; vc < VCS; vc++) {
        right = right && is_queue(t, &n->received[vc]);
        for (unsigned input = 0; input < INPUTS; input++)
            right = right && is_queue(t, &n->in[input][vc]);
        for (unsigned link = 0; link < LINKS; link++)
            right = right && n->link[link].room[vc] <= t->params.link_packets;
    }
    return right;
}

/* Nothing waits where nothing can come from. */
static bool are_inputs(const struct tree *t, uint32_t partition, uint32_t local)
{
    const struct tree_node *n = &t->part[partition].node[local];
    for (unsigned input = 0; input < INPUTS; input++) {
        bool waits = n->in[input][0].count || n->in[input][1].count;
        bool can = input == FROM_SELF ||
                   has_input(t, partition, local, input == FROM_PARENT ? WHAT_PARENT : input);
        if (waits && !can)
            return false;
    }
    return true;
}

static const char *flaw(const struct tree *t, uint32_t partition)
{
    const struct tree_part *s = &t->part[partition];
    uint32_t queued = 0;
    for (uint32_t local = 0; local < s->nodes; local++) {
        if (!is_node(t, &s->node[local]) || !are_inputs(t, partition, local))
            return "a node of the tree is not valid";
        for (unsigned input = 0; input < INPUTS; input++)
            queued += s->node[local].in[input][0].count + s->node[local].in[input][1].count;
    }
    return queued == s->queued ? NULL : "packets of the tree are miscounted";
}

void tree_archive(struct tree *t, uint32_t partition, struct archive *a)
{
    struct tree_part *s = &t->part[partition];
    archive_bytes(a, s->node, s->nodes * sizeof(*s->node));
    if (s->errors)
        archive_bytes(a, s->errors, (size_t)s->nodes * LINKS * sizeof(*s->errors));
    archive_bytes(a, &s->queued, sizeof(s->queued));
    archive_bytes(a, &s->entered, sizeof(s->entered));
    archive_bytes(a, &s->reports, sizeof(s->reports));
    archive_bytes(a, &s->counts, sizeof(s->counts));
    if (archive_has_read(a))
        archive_sound(a, flaw(t, partition));
}

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
