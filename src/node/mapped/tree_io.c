/* The daemon of an I/O node and its Ethernet. */
#include "base/status.h"
#include "node/io.h"
#include "node/mapped/tree_state.h"

#define AT(field) offsetof(struct io_params, field)

static const struct key rows[] = {
    {"machine.io.header_bytes", KEY_U32, AT(header_bytes), "B", NULL, 1, 256,
     .help = "of a call, before its data; and of its answer"},
    {"machine.io.buffer_bytes", KEY_U32, AT(buffer_bytes), "B", NULL, 1, 1 << 30,
     .help = "that an I/O node has for each process: what is longer takes several calls"},
};

const struct key_table tree_io_keys = {rows, sizeof(rows) / sizeof(rows[0]), &io_section};

/* An I/O node that something happens at. */
struct daemon {
    struct tree *t;
    struct nic_node at;
    struct io_node *io;
    struct io_call *call; /* [process of its set] */
    uint32_t calls;
};

static struct daemon daemon_at(struct tree *t, const struct nic_node *at)
{
    struct tree_part *s = &t->part[at->partition];
    uint32_t index = at->local - s->nodes, calls = t->io_params.nodes_per * IO_SLOTS;
    return (struct daemon){.t = t,
                           .at = *at,
                           .io = &s->io[index],
                           .call = &s->call[(size_t)index * calls],
                           .calls = calls};
}

/* ---- its processor ---- */

static fine_t length_of(const struct daemon *d, double us)
{
    return fine_length(us * d->t->link_cycles_per_us);
}

static fine_t cost_of(const struct daemon *d, struct core_cost cost)
{
    return length_of(d, (cost.software + cost.access) / d->t->cores.clock_mhz);
}

static void work(struct daemon *d, enum io_doing doing, fine_t from, fine_t length)
{
    d->io->doing = (uint8_t)doing;
    d->io->until = from + length;
    d->io->busy += length;
}

/* ---- calls ---- */

/* The call of the process that a packet is from. */
static uint32_t call_of(const struct daemon *d, uint32_t source, unsigned slot)
{
    const struct tree *t = d->t;
    uint32_t set = t->io_params.nodes_per,
             number = source < t->nodes ? t->number[source] : TREE_NONE;
    WEFT_CHECK(number != TREE_NONE && slot < IO_SLOTS &&
                   t->rank[number] / set == d->at.node - t->nodes,
               "an I/O node is sent a packet of another processing set");
    return t->rank[number] % set * IO_SLOTS + slot;
}

/* The node and slot of a call's process. */
static struct nic_tree_packet answer_to(const struct daemon *d, uint32_t call)
{
    const struct tree *t = d->t;
    uint32_t first = (d->at.node - t->nodes) * t->io_params.nodes_per;
    return (struct nic_tree_packet){
        .route = TREE_POINT,
        .target = t->node_at[t->in_order[first + call / IO_SLOTS]],
        .cargo = io_pack((struct io_cargo){
            .kind = IO_REPLY, .slot = call % IO_SLOTS, .bytes = d->call[call].bytes})};
}

/* A packet has been read. With a call's last one the daemon makes the call. */
static void take_packet(struct daemon *d)
{
    struct nic_tree *tree = &d->t->base;
    struct nic_tree_packet packet;
    cycle_t there;
    bool found = tree->peek(tree, &d->at, 1, &packet, &there);
    WEFT_CHECK(found, "an I/O node has read what is gone");
    struct io_cargo cargo = io_unpack(packet.cargo);
    uint32_t index = call_of(d, packet.source, cargo.slot);
    struct io_call *c = &d->call[index];
    bool first = cargo.kind != IO_DATA, reads = cargo.kind == IO_READ;
    WEFT_CHECK(cargo.kind < IO_REPLY && c->state == (first ? CALL_NONE : CALL_COMING) &&
                   cargo.bytes <= d->t->io_params.buffer_bytes,
               "an I/O node is sent what is no call");
    tree->read(tree, &d->at, 1, NULL);
    d->io->packets[IO_IN]++;
    if (first) {
        uint32_t bytes = reads ? 0 : cargo.bytes;
        *c = (struct io_call){
            .bytes = cargo.bytes,
            .packets = io_packets(bytes, d->t->io_params.header_bytes, tree->packet_bytes),
            .state = CALL_COMING,
            .way = reads ? IO_IN : IO_OUT};
    }
    if (--c->packets)
        return;
    c->state = CALL_MADE;
    d->io->call = index;
    work(d, IO_CALLS, d->io->until, length_of(d, d->t->io_params.call_us));
}

/* The data of a call go over the Ethernet, behind those of the calls before. */
static void use_wire(struct daemon *d)
{
    struct io_node *io = d->io;
    struct io_call *c = &d->call[io->call];
    unsigned way = c->way;
    fine_t length = length_of(d, c->bytes / d->t->io_params.mb_per_s);
    io->wire[way] = fine_max(io->wire[way], io->until) + length;
    io->wire_busy[way] += length;
    io->bytes[way] += c->bytes;
    io->calls++;
    c->ready = io->wire[way];
    c->state = CALL_WAITS;
    c->next = TREE_NONE;
    *(io->first[way] == TREE_NONE ? &io->first[way] : &d->call[io->last[way]].next) = io->call;
    io->last[way] = io->call;
}

static void write_packet(struct daemon *d)
{
    struct nic_tree *tree = &d->t->base;
    struct nic_tree_packet packet = answer_to(d, d->io->answered);
    struct io_call *c = &d->call[d->io->answered];
    tree->inject(tree, &d->at, &packet);
    d->io->packets[IO_OUT]++;
    if (--c->packets)
        return;
    c->state = CALL_NONE;
    d->io->answered = TREE_NONE;
}

/* ---- what it does next ---- */

/* The call that the Ethernet was or will be done with first; TREE_NONE: it has nothing to do. */
static uint32_t next_call(const struct daemon *d)
{
    uint32_t out = d->io->first[IO_OUT], in = d->io->first[IO_IN];
    if (out == TREE_NONE || in == TREE_NONE)
        return out == TREE_NONE ? in : out;
    return d->call[in].ready < d->call[out].ready ? in : out;
}

/* Takes a call that the Ethernet is done with. */
static void begin_answer(struct daemon *d, uint32_t call)
{
    struct io_call *c = &d->call[call];
    const struct nic_tree *tree = &d->t->base;
    d->io->first[c->way] = c->next;
    d->io->answered = call;
    c->state = CALL_ANSWERED;
    c->packets =
        io_packets(c->way == IO_IN ? c->bytes : 0, tree->io_header_bytes, tree->packet_bytes);
}

/* Starts something that can begin by now, at `clock` or when it could begin; answers go first. */
static bool start(struct daemon *d, fine_t clock, cycle_t now)
{
    const struct nic_tree *tree = &d->t->base;
    struct nic_tree_packet packet;
    cycle_t there;
    uint32_t call = next_call(d);
    if (d->io->answered == TREE_NONE && call != TREE_NONE && d->call[call].ready <= fine_at(now)) {
        clock = fine_max(clock, d->call[call].ready);
        begin_answer(d, call);
    }
    if (d->io->answered != TREE_NONE && tree->has_room(tree, &d->at, 1)) {
        uint64_t bytes = d->call[d->io->answered].way == IO_IN ? d->call[d->io->answered].bytes : 0;
        work(d, IO_WRITES, clock,
             cost_of(d, core_write_cost(&d->t->cores, tree->packet_bytes, bytes)));
        return true;
    }
    if (!tree->peek(tree, &d->at, 1, &packet, &there) || there > now)
        return false;
    work(d, IO_READS, fine_max(clock, fine_at(there)),
         cost_of(d, core_read_cost(&d->t->cores, tree->packet_bytes)));
    return true;
}

static void finish(struct daemon *d)
{
    enum io_doing doing = (enum io_doing)d->io->doing;
    d->io->doing = IO_RESTS;
    if (doing == IO_READS)
        take_packet(d);
    else if (doing == IO_CALLS)
        use_wire(d);
    else
        write_packet(d);
}

/* When something comes that the daemon waits for; room in a FIFO has an event of its own. */
static cycle_t next_due(const struct daemon *d)
{
    const struct nic_tree *tree = &d->t->base;
    struct nic_tree_packet packet;
    cycle_t due = CYCLE_NEVER, there;
    uint32_t call = next_call(d);
    if (d->io->answered == TREE_NONE && call != TREE_NONE)
        due = fine_cycle_after(d->call[call].ready);
    if (tree->peek(tree, &d->at, 1, &packet, &there) && there < due)
        due = there;
    return due;
}

void io_step(struct tree *t, const struct nic_node *at, cycle_t now)
{
    struct daemon d = daemon_at(t, at);
    fine_t clock = fine_at(now);
    for (;;) {
        if (d.io->doing && d.io->until > fine_at(now)) {
            tree_look_at(t, at, fine_cycle_after(d.io->until));
            return;
        }
        if (d.io->doing) {
            clock = d.io->until;
            finish(&d);
            part_record(t->part[at->partition].torus, 0); /* progress */
        } else if (!start(&d, clock, now)) {
            cycle_t due = next_due(&d);
            if (due != CYCLE_NEVER && due > now)
                tree_look_at(t, at, due);
            return;
        }
    }
}

/* ---- whether a state can be one ---- */

/* Calls that wait for the Ethernet are in the list of their way, in the order of their times. */
static bool are_waiting(const struct io_node *io, const struct io_call *call, unsigned way,
                        struct visited *waiting)
{
    fine_t before = 0;
    uint32_t at = io->first[way];
    for (; at != TREE_NONE; at = call[at].next) {
        if (!visited_mark(waiting, at) || call[at].state != CALL_WAITS || call[at].way != way ||
            call[at].ready < before || call[at].ready > io->wire[way])
            return false;
        before = call[at].ready;
        if (call[at].next == TREE_NONE && io->last[way] != at)
            return false;
    }
    return true;
}

/* Which call the daemon is at, by what it does. */
static bool is_at(const struct io_node *io, const struct io_call *call, uint32_t calls)
{
    bool answers = io->answered != TREE_NONE;
    if (io->doing > IO_WRITES ||
        (answers && (io->answered >= calls || call[io->answered].state != CALL_ANSWERED)))
        return false;
    if (io->doing == IO_CALLS)
        return io->call < calls && call[io->call].state == CALL_MADE;
    return io->doing != IO_WRITES || answers;
}

const char *io_flaw(const struct tree *t, uint32_t number)
{
    struct nic_node at = io_as_node(t, number);
    const struct tree_part *s = &t->part[at.partition];
    uint32_t index = t->io[number].index, first = number * t->io_params.nodes_per;
    const struct io_node *io = &s->io[index];
    uint32_t calls = t->io_params.nodes_per * IO_SLOTS, waiting = 0;
    const struct io_call *call = &s->call[(size_t)index * calls];
    struct visited listed;
    visited_init(&listed, calls);
    bool right = is_at(io, call, calls) && are_waiting(io, call, IO_OUT, &listed) &&
                 are_waiting(io, call, IO_IN, &listed);
    for (uint32_t i = 0; i < calls && right; i++) {
        const struct io_call *c = &call[i];
        bool counts = c->state == CALL_COMING || c->state == CALL_ANSWERED;
        bool known = (uint64_t)first + i / IO_SLOTS < t->living || c->state == CALL_NONE;
        right = known && c->state <= CALL_ANSWERED && c->way < IO_WAYS &&
                c->bytes <= t->io_params.buffer_bytes && (!counts || c->packets) &&
                (c->state != CALL_MADE || (io->doing == IO_CALLS && io->call == i)) &&
                (c->state != CALL_ANSWERED || io->answered == i);
        waiting += c->state == CALL_WAITS;
    }
    right = right && listed.found == waiting;
    visited_fini(&listed);
    return right ? NULL : "an I/O node is not valid";
}
