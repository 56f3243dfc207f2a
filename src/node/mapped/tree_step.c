/* Queues, links and the ALU of a tree node; barriers. */
#include <string.h>

#include "base/status.h"
#include "node/mapped/tree_state.h"

/* Over a link, an attachment travels instead of target and class, which it has as its tag. An event
 * for an I/O node comes to the node that it hangs on. */
enum { CLASS_AT = 24 };
#define ATTACHMENT_TRAVELS (1u << 30)
#define FOR_IO             (1u << 31)

/* The queues of VC 0, the first of each input, as a mask: an octal digit has an input's three. */
enum { VC_0 = 0111111 };
_Static_assert(BUFFERS == 3 && INPUTS == 6, "a mask of queues has an octal digit for each input");

enum { NO_OUTPUT = LINKS + 1, ALL_OUTPUTS = (1 << (LINKS + 1)) - 1 };

/* ---- shape ---- */

/* The link of `number` on the way to `target`; LINKS: it is there. */
static unsigned link_towards(const struct tree *t, uint32_t number, uint32_t target)
{
    if (number == target)
        return LINKS;
    if (is_io(t, number))
        return TO_PARENT;
    for (uint32_t below = target; below > number; below = parent_of(t, below))
        if (parent_of(t, below) == number)
            return link_to(t, below);
    return TO_PARENT;
}

/* ---- events ---- */

static void send_event(struct tree *t, uint32_t from, struct far to, unsigned what, unsigned more,
                       uint32_t payload, cycle_t when)
{
    struct network_part *part = t->part[from].torus;
    uint32_t channel = t->channel[from * t->bricks.count + to.partition];
    payload |= to.io ? FOR_IO : 0;
    if (to.partition == from)
        torus_client_event(part, to.local, what, more, payload, when);
    else
        torus_client_event_far(part, channel, to.local, what, more, payload, when);
}

void tree_look_at(struct tree *t, const struct nic_node *at, cycle_t when)
{
    struct tree_node *n = node_of(t, at);
    cycle_t now = part_now(t->part[at->partition].torus);
    if (n->look > now && n->look <= when)
        return;
    n->look = when;
    send_event(t, at->partition, find(t, t->number[at->node]), WHAT_LOOK, 0, 0, when);
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

/* Into a queue of an input. */
static void enter_queue(struct tree_node *n, unsigned input, unsigned buffer, struct entry e,
                        uint32_t most)
{
    push(&n->in[input][buffer], e, most);
    n->filled |= 1u << (input * BUFFERS + buffer);
}

static void drop_head(struct queue *q)
{
    q->first = (uint8_t)((q->first + 1) % QUEUE_MOST);
    q->count--;
}

/* Takes the head out; whoever sent it over a link has room for another. */
static void pop(struct tree *t, const struct nic_node *at, unsigned input, unsigned buffer,
                cycle_t now)
{
    struct tree_node *n = node_of(t, at);
    struct queue *q = &n->in[input][buffer];
    uint32_t number = t->number[at->node], hop = t->params.hop_cycles;
    drop_head(q);
    if (!q->count)
        n->filled &= ~(1u << (input * BUFFERS + buffer));
    if (input == FROM_PARENT)
        send_event(t, at->partition, find(t, parent_of(t, number)), WHAT_ROOM, buffer,
                   link_to(t, number), now + hop);
    else if (input != FROM_SELF)
        send_event(t, at->partition, find(t, behind(t, number, input)), WHAT_ROOM, buffer,
                   TO_PARENT, now + hop);
}

/* ---- links ---- */

static bool is_open(const struct tree_node *n, unsigned link, unsigned buffer, cycle_t now)
{
    return n->link[link].free <= now && n->link[link].room[buffer];
}

enum { TRIES_MOST = 1024 };

/* How often a packet is sent until it arrives whole. */
static uint32_t tries_of(struct tree *t, const struct nic_node *at, unsigned link, cycle_t now)
{
    struct tree_part *s = &t->part[at->partition];
    uint32_t bytes = t->params.packet_bytes + t->params.control_bytes, tries = 1;
    uint8_t frame[4096];
    if (!s->errors)
        return 1;
    struct error_source *source = &s->errors[(size_t)at->local * LINKS + link];
    for (; tries < TRIES_MOST; tries++, s->counts.retransmitted++) {
        if (!errors_will_hit(source, &t->errors, at->node, link, now, 8 * bytes))
            return tries;
        memset(frame, 0, bytes);
        if (!errors_pass(source, &t->errors, at->node, link, now, frame, 8 * bytes))
            return tries;
    }
    RUN_ABANDONED(
        ("a link of node %u on the tree has sent a packet %u times in vain", at->node, TRIES_MOST),
        ("use a lower machine.link.bit_error_rate"));
}

/*
 * A point travels as four events of one cycle, since an event has 32 bits of payload; no other
 * packet comes over the link in that cycle. Three kinds of packets that do not exist tell them
 * apart:
 *
 *   | FOR_IO 1 | target 23, cargo 8 | source 23, cargo 8 | cargo 24 | cargo 24 |
 */
enum { WORDS = 4, NUMBER_BITS = 23, WORD_MORE = 8, REST_BITS = 24 };
static const uint8_t word_kind[WORDS] = {1 << 2 | TREE_POINT, TREE_POINT, 1 << 2 | TREE_REDUCE,
                                         1 << 2 | TREE_ALL};

/* Which word such an event is; WORDS: none. */
static unsigned word_of(unsigned more)
{
    unsigned word = 0;
    while (word < WORDS && word_kind[word] != more)
        word++;
    return word;
}

static void send_point(struct tree *t, uint32_t partition, struct far to, unsigned what,
                       uint32_t index, cycle_t when)
{
    struct tree_part *s = &t->part[partition];
    const struct point p = *point_at(s, index);
    uint32_t word[WORDS] = {
        p.target | (uint32_t)(p.cargo & 0xff) << NUMBER_BITS,
        p.source | (uint32_t)(p.cargo >> WORD_MORE & 0xff) << NUMBER_BITS,
        (uint32_t)(p.cargo >> 2 * WORD_MORE) & ((1u << REST_BITS) - 1),
        (uint32_t)(p.cargo >> (2 * WORD_MORE + REST_BITS)),
    };
    for (unsigned i = 0; i < WORDS; i++)
        send_event(t, partition, to, what, word_kind[i], word[i], when);
    slots_put(&s->points, index);
}

/* A word of a point has come: the last one makes it a packet. */
static void take_word(struct tree *t, uint32_t partition, struct tree_node *n, unsigned input,
                      unsigned word, uint32_t payload)
{
    struct tree_part *s = &t->part[partition];
    struct arriving *a = &n->arriving[input];
    if (!a->words) {
        a->point = slots_get(&s->points);
        *point_at(s, a->point) = (struct point){.cargo = 0};
    }
    struct point *p = point_at(s, a->point);
    uint32_t number = payload & ((1u << NUMBER_BITS) - 1);
    if (word < 2)
        *(word ? &p->source : &p->target) = number;
    p->cargo |= word < 2 ? (uint64_t)(payload >> NUMBER_BITS) << word * WORD_MORE
                         : (uint64_t)payload << (2 * WORD_MORE + (word - 2) * REST_BITS);
    a->words |= (uint8_t)(1u << word);
    if (a->words != (1u << WORDS) - 1)
        return;
    a->words = 0;
    enter_queue(n, input, 1,
                (struct entry){.target = p->target, .attachment = a->point, .route = TREE_POINT},
                t->params.link_packets);
}

static uint32_t tag_of(struct entry e)
{
    return e.target | (uint32_t)e.class << CLASS_AT;
}

/* Sends a packet over a link, whose other end sees it a hop later. */
static void send(struct tree *t, const struct nic_node *at, unsigned link, unsigned buffer,
                 struct entry e, cycle_t now)
{
    struct tree_part *s = &t->part[at->partition];
    struct tree_node *n = &s->node[at->local];
    uint32_t number = t->number[at->node], hop = t->params.hop_cycles;
    uint32_t again = tries_of(t, at, link, now) - 1;
    cycle_t start = now + again * (cycle_t)(t->packet_cycles + 2 * hop);
    struct far to = find(t, behind(t, number, link));
    unsigned what = link == TO_PARENT ? link_to(t, number) : WHAT_PARENT;
    n->link[link].free = start + t->packet_cycles;
    n->link[link].room[buffer]--;
    n->operations = (uint8_t)((n->operations & ~(1u << link)) | (unsigned)!buffer << link);
    s->counts.packets++;
    if (e.route == TREE_POINT)
        send_point(t, at->partition, to, what, e.attachment, start + hop);
    else
        send_event(t, at->partition, to, what, (buffer > 0) << 2 | e.route,
                   e.attachment == ATTACHMENT_NONE ? tag_of(e) : ATTACHMENT_TRAVELS | e.attachment,
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

/* Whether a packet of a class can go to all children that it is for, and to the processor. */
static bool can_cast(const struct tree *t, const struct tree_node *n, uint32_t number,
                     unsigned class, bool self, cycle_t now)
{
    for (uint32_t c = 0; c < children_of(t, number); c++)
        if (has_child(t, number, c, class) && !is_open(n, c, 0, now))
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
    uint32_t number = t->number[at->node];
    for (uint32_t c = 0; c < children_of(t, number); c++)
        if (has_child(t, number, c, e.class))
            send(t, at, c, 0, copy(t, at, e), now);
    if (self)
        receive(t, at, 0, e, now);
    else
        drop(t, e);
}

/* Whether the head of an input is to be combined. */
static bool is_combined(const struct entry *e)
{
    return e && (e->route == TREE_REDUCE || e->route == TREE_ALL);
}

/* The classes of heads that are to be combined, as a mask. */
static unsigned classes_of(const struct tree *t, const struct tree_node *n, uint32_t number)
{
    const struct entry *own = head(&n->in[FROM_SELF][0]);
    unsigned classes = is_combined(own) ? 1u << own->class : 0;
    for (uint32_t c = 0; c < children_of(t, number); c++)
        classes |= head(&n->in[c][0]) ? 1u << head(&n->in[c][0])->class : 0;
    return classes;
}

/* The inputs that an operation of a class needs at a node, as a mask. */
static unsigned inputs_of(const struct tree *t, uint32_t number, unsigned class)
{
    unsigned inputs = is_member(t, number, class) ? 1u << FROM_SELF : 0;
    for (uint32_t c = 0; c < children_of(t, number); c++)
        inputs |= has_child(t, number, c, class) ? 1u << c : 0;
    return inputs;
}

/* Whether all of them have a packet to combine at their heads. */
static bool can_combine(const struct tree_node *n, unsigned inputs, unsigned class)
{
    for (; inputs; inputs &= inputs - 1) {
        const struct entry *e = head(&n->in[__builtin_ctz(inputs)][0]);
        if (!is_combined(e) || e->class != class)
            return false;
    }
    return true;
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

/* One packet from all of a class; the processor's own, if there is one, takes up the others. */
static bool combine_class(struct tree *t, const struct nic_node *at, unsigned class, cycle_t now)
{
    struct tree_node *n = node_of(t, at);
    uint32_t number = t->number[at->node];
    unsigned inputs = inputs_of(t, number, class), own = inputs & 1u << FROM_SELF;
    if (!inputs || !can_combine(n, inputs, class))
        return false;
    unsigned first = own ? FROM_SELF : (unsigned)__builtin_ctz(inputs);
    struct entry e = *head(&n->in[first][0]);
    bool all = e.route == TREE_ALL, root = number == t->class_root[class];
    if (!root ? !is_open(n, TO_PARENT, 0, now)
        : all ? !can_cast(t, n, number, class, own, now)
              : !has_reception(t, n, 0))
        return false;
    for (unsigned rest = inputs & ~(1u << first); rest; rest &= rest - 1) {
        unsigned input = (unsigned)__builtin_ctz(rest);
        combine_data(t, at, e, *head(&n->in[input][0]));
        pop(t, at, input, 0, now);
    }
    pop(t, at, first, 0, now);
    if (!root)
        send(t, at, TO_PARENT, 0, e, now);
    else if (all)
        cast(t, at, e, own, now);
    else
        receive(t, at, 0, e, now);
    return true;
}

/* Classes do not wait for each other, but for what is before them in a queue. */
static bool combine(struct tree *t, const struct nic_node *at, cycle_t now)
{
    uint32_t number = t->number[at->node];
    if (is_io(t, number))
        return false;
    for (unsigned rest = classes_of(t, node_of(t, at), number); rest; rest &= rest - 1)
        if (combine_class(t, at, (unsigned)__builtin_ctz(rest), now))
            return true;
    return false;
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
    bool self = is_member(t, number, packet.class) && /* its sender has it */
                (packet.route != TREE_CAST || packet.target != number);
    if (!can_cast(t, n, number, packet.class, self, now))
        return false;
    pop(t, at, FROM_PARENT, 0, now);
    cast(t, at, packet, self, now);
    return true;
}

/* Where the packet at the head of a queue of VC 1 goes: a link, or LINKS: to its node, or to all
 * from here. */
static unsigned output_of(const struct tree *t, uint32_t number, const struct entry *e)
{
    if (e->route != TREE_CAST)
        return link_towards(t, number, e->target);
    return number == t->class_root[e->class] ? LINKS : TO_PARENT;
}

/* Moves the packet at the head of a queue of VC 1: to its node, or to the root to be cast. Points
 * never wait for casts behind links: those wait for nodes that are not in their operation yet,
 * since they may have to send a point, or get one, before. */
static bool pass_point(struct tree *t, const struct nic_node *at, unsigned input, unsigned buffer,
                       unsigned output, cycle_t now)
{
    struct tree_node *n = node_of(t, at);
    uint32_t number = t->number[at->node];
    struct entry packet = *head(&n->in[input][buffer]);
    bool is_cast = packet.route == TREE_CAST, here = output == LINKS;
    unsigned next = is_cast ? RISING : 1;
    /* The sender of a cast has it. */
    bool self = is_cast && is_member(t, number, packet.class) && packet.target != number;
    if (here
            ? (is_cast ? !can_cast(t, n, number, packet.class, self, now) : !has_reception(t, n, 1))
            : !is_open(n, output, next, now))
        return false;
    pop(t, at, input, buffer, now);
    if (!here)
        send(t, at, output, next, packet, now);
    else if (is_cast)
        cast(t, at, packet, self, now);
    else
        receive(t, at, 1, packet, now);
    if (here && is_cast)
        n->operations &= (uint8_t) ~(1u << LINKS);
    return true;
}

/* Where the heads of a node's queues of VC 1 go. */
struct wishes {
    uint8_t output[QUEUES]; /* of those that are not empty; NO_OUTPUT: its head has gone */
    uint32_t filled;        /* those of VC 1, as a mask */
    unsigned outputs;       /* as a mask */
};

static struct wishes wishes_of(const struct tree *t, const struct nic_node *at, uint32_t filled)
{
    const struct tree_node *n = node_of(t, at);
    struct wishes w = {.filled = filled};
    for (; filled; filled &= filled - 1) {
        unsigned queue = (unsigned)__builtin_ctz(filled);
        const struct entry *e = head(&n->in[queue / BUFFERS][queue % BUFFERS]);
        w.output[queue] = (uint8_t)output_of(t, t->number[at->node], e);
        w.outputs |= 1u << w.output[queue];
    }
    return w;
}

/* The next packet of VC 1 to an output: queues take turns. */
static bool pass_to(struct tree *t, const struct nic_node *at, unsigned output, struct wishes *w,
                    cycle_t now)
{
    struct tree_node *n = node_of(t, at);
    for (unsigned i = 1; i <= QUEUES; i++) {
        unsigned queue = (n->last_queue[output] + i) % QUEUES;
        if (!(w->filled >> queue & 1) || w->output[queue] != output ||
            !pass_point(t, at, queue / BUFFERS, queue % BUFFERS, output, now))
            continue;
        w->output[queue] = NO_OUTPUT; /* where the next one goes, the next look tells */
        n->last_queue[output] = (uint8_t)queue;
        return true;
    }
    return false;
}

/* Packets of VC 1, one for each output of a mask. */
static bool pass_points(struct tree *t, const struct nic_node *at, unsigned mask, cycle_t now)
{
    struct wishes w = wishes_of(t, at, node_of(t, at)->filled & ~VC_0);
    bool moved = false;
    for (unsigned outputs = w.outputs & mask; outputs; outputs &= outputs - 1)
        moved = pass_to(t, at, (unsigned)__builtin_ctz(outputs), &w, now) || moved;
    return moved;
}

/* Packets of VC 0: down from the parent, or combined. */
static bool pass_operation(struct tree *t, const struct nic_node *at, cycle_t now)
{
    bool moved = pass_down(t, at, now) || combine(t, at, now);
    node_of(t, at)->operations |= (uint8_t)(moved << LINKS);
    return moved;
}

/* If packets are left, looks again when the next link is free. Room behind a link, and packets that
 * are needed, have events of their own. */
static void look_again(struct tree *t, const struct nic_node *at, cycle_t now)
{
    const struct tree_node *n = node_of(t, at);
    cycle_t next = CYCLE_NEVER;
    for (unsigned link = 0; link < LINKS; link++)
        if (n->link[link].free > now && n->link[link].free < next)
            next = n->link[link].free;
    if (n->filled && next != CYCLE_NEVER)
        tree_look_at(t, at, next);
}

/* The two virtual channels take turns on each link, and casts that begin here with those that come
 * from above (assumed, as the turns of queues). */
static void step_node(struct tree *t, const struct nic_node *at, cycle_t now)
{
    const struct tree_node *n = node_of(t, at);
    bool moved = n->filled;
    if (!moved)
        return;
    while (moved) {
        moved = n->filled & ~VC_0 && pass_points(t, at, n->operations, now);
        moved = (n->filled & VC_0 && pass_operation(t, at, now)) || moved;
        moved = (n->filled & ~VC_0 && pass_points(t, at, ALL_OUTPUTS, now)) || moved;
    }
    look_again(t, at, now);
}

void tree_step(struct tree *t, const struct nic_node *at, cycle_t now)
{
    uint32_t number = t->number[at->node];
    if (number == TREE_NONE)
        return;
    step_node(t, at, now);
    uint32_t io = io_of(t, number);
    if (io == TREE_NONE)
        return;
    struct nic_node there = io_as_node(t, io);
    step_node(t, &there, now);
    io_step(t, &there, now);
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
            send_event(t, 0, (struct far){i, 0, false}, WHAT_BARRIER, BARRIER_END, 0,
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
        send_event(t, at->partition, (struct far){0, 0, false}, WHAT_BARRIER, BARRIER_REPORT, 0,
                   part_now(s->torus) + t->report_cycles);
}

static uint32_t barriers(const struct nic_tree *tree, const struct nic_node *at)
{
    return node_of((const struct tree *)tree, at)->barriers;
}

/* ---- the torus's calls ---- */

static struct entry travelled(const struct tree *t, uint32_t payload, unsigned route)
{
    struct entry e = {.attachment = ATTACHMENT_NONE, .route = (uint8_t)route};
    uint32_t tag = payload;
    if (payload & ATTACHMENT_TRAVELS) {
        e.attachment = payload & ~(uint32_t)ATTACHMENT_TRAVELS;
        tag = attachment_at(t->attachments, e.attachment)->tag;
    }
    e.target = tag & ((1u << CLASS_AT) - 1);
    e.class = (uint8_t)(tag >> CLASS_AT);
    return e;
}

/* The I/O node that hangs on a node; TREE_NONE: there is no such node, or none hangs on it. */
static uint32_t io_on(const struct tree *t, uint32_t partition, uint32_t local)
{
    uint32_t number = local < t->part[partition].nodes
                          ? t->number[bricks_node(&t->bricks, partition, local)]
                          : TREE_NONE;
    return number == TREE_NONE ? TREE_NONE : io_of(t, number);
}

static struct tree_node *node_of_event(const struct tree *t, uint32_t partition, uint32_t local,
                                       bool io)
{
    const struct tree_part *s = &t->part[partition];
    return &s->node[io ? s->nodes + t->io[io_on(t, partition, local)].index : local];
}

void tree_event(struct tree *t, uint32_t partition, uint32_t local, unsigned what, unsigned more,
                uint32_t payload, cycle_t now)
{
    struct tree_node *n = node_of_event(t, partition, local, payload & FOR_IO);
    payload &= ~FOR_IO;
    if (what == WHAT_BARRIER && more == BARRIER_REPORT)
        report(t, now);
    else if (what == WHAT_BARRIER && more == BARRIER_END)
        end_barrier(t, partition);
    else if (what == WHAT_BARRIER)
        n->entered = false, n->barriers++;
    else if (what == WHAT_ROOM)
        n->link[payload].room[more]++;
    else if (what <= WHAT_PARENT && word_of(more) < WORDS)
        take_word(t, partition, n, what == WHAT_PARENT ? FROM_PARENT : what, word_of(more),
                  payload);
    else if (what <= WHAT_PARENT)
        enter_queue(n, what == WHAT_PARENT ? FROM_PARENT : what, more >> 2 ? RISING : 0,
                    travelled(t, payload, more & 3), t->params.link_packets);
}

/* Whether packets can come to a node by an input. An I/O node's only input is its parent. */
bool tree_has_input(const struct tree *t, uint32_t partition, uint32_t local, unsigned input)
{
    const struct tree_part *s = &t->part[partition];
    if (local >= s->nodes)
        return input == WHAT_PARENT && local < s->nodes + s->ios;
    uint32_t number = t->number[bricks_node(&t->bricks, partition, local)];
    if (number == TREE_NONE)
        return false;
    uint32_t io = io_of(t, number);
    return input == WHAT_PARENT
               ? number > 0
               : input < children_of(t, number) || (io != TREE_NONE && input == t->io[io].link);
}

/* The same of an event: to an I/O node, and from one, come points only. */
static bool is_packet(const struct tree *t, uint32_t partition, uint32_t local, unsigned what,
                      unsigned more, uint32_t payload)
{
    unsigned word = word_of(more);
    uint32_t io = io_on(t, partition, local), number = payload & ((1u << NUMBER_BITS) - 1);
    bool only_points = payload & FOR_IO || (io != TREE_NONE && what == t->io[io].link);
    if (payload & FOR_IO ? what != WHAT_PARENT : !tree_has_input(t, partition, local, what))
        return false;
    if (word < WORDS)
        return word >= 2 || number < t->living + t->ios;
    if (only_points)
        return false;
    if (payload & ATTACHMENT_TRAVELS)
        return attachment_is(t->attachments, payload & ~ATTACHMENT_TRAVELS);
    return (payload & ((1u << CLASS_AT) - 1)) < t->living &&
           is_on_route(t, t->number[bricks_node(&t->bricks, partition, local)],
                       payload >> CLASS_AT);
}

bool tree_is_event(const struct tree *t, uint32_t partition, uint32_t local, unsigned what,
                   unsigned more, uint32_t payload)
{
    if (local >= t->part[partition].nodes ||
        (payload & FOR_IO && io_on(t, partition, local) == TREE_NONE))
        return false;
    if (what <= WHAT_PARENT)
        return is_packet(t, partition, local, what, more, payload);
    if (what == WHAT_ROOM)
        return (payload & ~FOR_IO) < LINKS && more < BUFFERS;
    if (what == WHAT_BARRIER)
        return !payload && more <= BARRIER_SEEN && (more != BARRIER_REPORT || partition == 0);
    return what == WHAT_LOOK;
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
    struct entry e = {
        .target = target, .attachment = ATTACHMENT_NONE, .route = p->route, .class = p->class};
    WEFT_CHECK(p->route == TREE_POINT || is_member(t, target, p->class),
               "node %u is no member of class %u", at->node, p->class);
    WEFT_CHECK(p->route != TREE_REDUCE || is_member(t, t->class_root[p->class], p->class),
               "the root of class %u takes no packets", p->class);
    if (p->route == TREE_POINT) {
        struct tree_part *s = &t->part[at->partition];
        e.attachment = slots_get(&s->points);
        *point_at(s, e.attachment) =
            (struct point){.cargo = p->cargo, .source = t->number[at->node], .target = target};
    } else if (p->data) {
        e.attachment = attachment_new(t->attachments, at->partition, t->params.packet_bytes);
        struct attachment *attachment = attachment_at(t->attachments, e.attachment);
        memcpy(attachment->data, p->data, t->params.packet_bytes);
        attachment->tag = tag_of(e);
        attachment->context = p->operation | (uint32_t)p->width << 8; /* see combine_data() */
    }
    unsigned vc = p->route == TREE_CAST || p->route == TREE_POINT;
    enter_queue(n, FROM_SELF, vc, e, t->params.fifo_packets);
    tree_look_at(t, at, part_now(t->part[at->partition].torus) + 1);
}

static bool peek(const struct nic_tree *tree, const struct nic_node *at, unsigned vc,
                 struct nic_tree_packet *packet, cycle_t *there)
{
    const struct tree *t = (const struct tree *)tree;
    const struct tree_node *n = node_of(t, at);
    const struct entry *e = head(&n->received[vc]);
    if (!e)
        return false;
    *packet = (struct nic_tree_packet){
        .route = e->route, .class = e->class, .target = t->node_at[e->target]};
    if (e->route == TREE_POINT) {
        const struct point *p = point_at(&t->part[at->partition], e->attachment);
        packet->source = t->node_at[p->source];
        packet->cargo = p->cargo;
    }
    *there = n->there[vc][n->received[vc].first];
    return true;
}

static bool read_packet(struct nic_tree *tree, const struct nic_node *at, unsigned vc, void *data)
{
    struct tree *t = (struct tree *)tree;
    struct queue *q = &node_of(t, at)->received[vc];
    WEFT_CHECK(q->count, "node %u reads an empty FIFO", at->node);
    struct entry e = *head(q);
    bool has_data = e.route != TREE_POINT && e.attachment != ATTACHMENT_NONE;
    if (e.route == TREE_POINT)
        slots_put(&t->part[at->partition].points, e.attachment);
    else if (data && has_data)
        memcpy(data, attachment_at(t->attachments, e.attachment)->data, t->params.packet_bytes);
    if (e.route != TREE_POINT)
        drop(t, e);
    drop_head(q);
    tree_look_at(t, at, part_now(t->part[at->partition].torus) + 1);
    return has_data;
}

static bool is_root(const struct nic_tree *tree, const struct nic_node *at)
{
    return ((const struct tree *)tree)->number[at->node] == 0;
}

static bool is_member_node(const struct nic_tree *tree, uint32_t node, unsigned class)
{
    const struct tree *t = (const struct tree *)tree;
    return is_member(t, t->number[node], class);
}

static uint32_t io_node(const struct nic_tree *tree, const struct nic_node *at)
{
    const struct tree *t = (const struct tree *)tree;
    return t->nodes + t->rank[t->number[at->node]] / t->io_params.nodes_per;
}

const struct nic_tree tree_calls = {.is_member = is_member_node,
                                    .io_node = io_node,
                                    .has_room = has_room,
                                    .inject = inject,
                                    .peek = peek,
                                    .read = read_packet,
                                    .is_root = is_root,
                                    .enter = enter,
                                    .barriers = barriers};
