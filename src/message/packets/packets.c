/* The carrier: what the nic calls, and its life cycle. */
#include "message/packets/packets.h"

#include <stdlib.h>

#include "base/memory.h"
#include "engine/ranks.h"

static struct packets_part *part_at(const struct processes *all, uint32_t partition)
{
    return &((struct packets *)all->carried)->part[partition];
}

/* ---- calls from the nic ---- */

/* All processes of a node start when it is first woken. */
static void start_node(struct processes *all, const struct nic_node *at, cycle_t now)
{
    const struct packets *p = all->carried;
    for (uint32_t slot = 0; slot < all->o.per_node; slot++) {
        struct self me = self_at(all, at, slot);
        process_start(&me);
    }
    for (uint32_t core = 0; core < p->loops; core++) {
        struct here h = here_at(all, at, core);
        h.loop->core.until = fine_at(now);
        h.loop->wake = now;
    }
}

static void woken(void *ctx, const struct nic_node *at, cycle_t now)
{
    struct processes *all = ctx;
    const struct packets *p = all->carried;
    if (!self_at(all, at, 0).p->started)
        start_node(all, at, now);
    for (uint32_t core = 0; core < p->loops; core++) {
        struct here h = here_at(all, at, core);
        if (h.loop->wake == now)
            loop_run(&h, now);
        else if (h.loop->collective.kind || all->nic->tree)
            loop_tree(&h, now);
    }
}

static void room(void *ctx, const struct nic_node *at, cycle_t now)
{
    struct processes *all = ctx;
    const struct packets *p = all->carried;
    for (uint32_t core = 0; core < p->loops; core++) {
        struct here h = here_at(all, at, core);
        loop_room(&h, now);
    }
}

static void coming(void *ctx, const struct nic_node *at, unsigned group, unsigned fifo,
                   cycle_t there)
{
    struct processes *all = ctx;
    const struct packets *p = all->carried;
    struct here h = here_at(all, at, core_reader(p->cores.mode, group));
    loop_coming(&h, group * GROUP_FIFOS_MOST + fifo, fine_at(there));
}

/* ---- life cycle ---- */

static void *create(struct processes *all)
{
    struct packets *p = memory_alloc(1, sizeof(*p));
    const struct nic_traits *traits = &all->nic->traits;
    const struct core_params *cores = all->o.cores;
    WEFT_CHECK(traits->groups <= GROUPS_MOST && traits->group_fifos <= GROUP_FIFOS_MOST &&
                   traits->directions <= DIRECTIONS_MOST,
               "the nic has more FIFOs than the message layer has room for");
    *p = (struct packets){.cores = *cores,
                          .steps = *all->o.steps,
                          .loops = core_count(cores->mode),
                          .full = (uint32_t)traits->packet_payload,
                          .link_cycles = traits->cycles_per_us / cores->clock_mhz,
                          .reduce_cycles_per_byte =
                              cores->clock_mhz / all->software.reduce_mb_per_s};
    p->poll = cost_length(p, p->steps.poll_cycles);
    p->poll = p->poll ? p->poll : 1;
    if (all->o.torus)
        p->flood = flood_make(all->o.torus, ~0u);
    p->part = memory_alloc_lines(all->nic->partitions, sizeof(*p->part));
    return p;
}

static void prepare(struct processes *all, uint32_t partition)
{
    const struct packets *p = all->carried;
    struct packets_part *s = part_at(all, partition);
    size_t loops = (size_t)all->part[partition].nodes * p->loops;
    slots_init(&s->partners, sizeof(struct partner), offsetof(struct partner, next));
    slots_init(&s->virtual_packets, sizeof(struct virtual_packet),
               offsetof(struct virtual_packet, next));
    slots_init(&s->gatherings, sizeof(struct gathering), offsetof(struct gathering, next));
    slots_init(&s->forwards, sizeof(struct forward), offsetof(struct forward, next));
    slots_init(&s->singles, sizeof(struct single), offsetof(struct single, next));
    early_init(s, all->nic->tree, all->part[partition].nodes);
    s->loop = memory_alloc(loops, sizeof(*s->loop));
    s->inside = memory_alloc(all->part[partition].processes, sizeof(*s->inside));
    for (size_t i = 0; i < loops; i++) {
        s->loop[i].finished.first = s->loop[i].single.first = s->loop[i].point.first = NONE;
        for (unsigned ring = 0; ring < RINGS_MOST; ring++)
            s->loop[i].out[ring].first = NONE;
        for (unsigned port = 0; port < DIRECTIONS_MOST; port++)
            s->loop[i].forward[port].first = NONE;
    }
    for (uint32_t i = 0; i < all->part[partition].processes; i++)
        s->inside[i].packets.first = NONE;
}

static void destroy(struct processes *all)
{
    struct packets *p = all->carried;
    for (uint32_t i = 0; i < all->nic->partitions; i++) {
        struct packets_part *s = &p->part[i];
        free(s->loop);
        free(s->inside);
        slots_fini(&s->partners);
        slots_fini(&s->virtual_packets);
        slots_fini(&s->gatherings);
        slots_fini(&s->forwards);
        slots_fini(&s->singles);
        early_fini(s);
        map_fini(&s->gathering);
        map_fini(&s->partner);
    }
    free(p->part);
    free(p);
}

static enum task_way way(const void *layer, uint64_t bytes, uint8_t shape)
{
    const struct processes *all = layer;
    enum code code = protocol_code(all->carried, bytes, shape);
    return code == CODE_ONE     ? WAY_ONE_PACKET
           : code == CODE_FIRST ? WAY_EAGER
           : code == CODE_SCOUT ? WAY_RENDEZVOUS
                                : WAY_ADAPTIVE;
}

static void result(const struct processes *all, struct processes_result *r)
{
    const struct packets *p = all->carried;
    enum {
        CORE_SUMS = CORES_MOST * WORKS,
        UNEXPECTED = CORE_SUMS,
        IO_CALLS,
        IO_TIME,
        INTERRUPT,
        SUMS = INTERRUPT + INTERRUPTS
    };
    uint64_t sums[SUMS] = {0};
    for (uint32_t i = 0; i < all->nic->partitions; i++) {
        const struct packets_part *s = &p->part[i];
        size_t loops = s->loop ? (size_t)all->part[i].nodes * p->loops : 0;
        sums[UNEXPECTED] += s->unexpected;
        for (unsigned by = 0; by < INTERRUPTS; by++)
            sums[INTERRUPT + by] += s->interrupts[by];
        sums[IO_CALLS] += s->io_calls;
        sums[IO_TIME] += s->io_time; /* whole: its sum must not depend on the cut */
        for (size_t loop = 0; loop < loops; loop++)
            for (unsigned work = 0; work < WORKS; work++)
                sums[loop % p->loops * WORKS + work] +=
                    s->loop[loop].core.spent[work] >> FRACTION_BITS;
    }
    ranks_sum(sums, SUMS);
    r->unexpected = sums[UNEXPECTED];
    r->interrupted = p->cores.interrupts;
    r->reception_interrupts = sums[INTERRUPT + INTERRUPT_RECEPTION];
    r->injection_interrupts = sums[INTERRUPT + INTERRUPT_INJECTION];
    r->io_calls = sums[IO_CALLS];
    r->io_cycles = (double)sums[IO_TIME] / (1 << FRACTION_BITS);
    for (unsigned core = 0; core < CORES_MOST; core++)
        for (unsigned work = 0; work < WORKS; work++)
            r->spent[core][work] = (double)sums[core * WORKS + work] * p->cores.clock_mhz /
                                   all->nic->traits.cycles_per_us;
}

static enum collecting collects(const struct processes *all, uint32_t partition, uint32_t process)
{
    const struct packets *p = all->carried;
    uint32_t local = process / all->o.per_node, slot = process % all->o.per_node;
    size_t loop = (size_t)local * p->loops + core_main(p->cores.mode, slot);
    uint8_t kind = p->part[partition].loop[loop].collective.kind;
    return kind == STEP_PACKET_OUT || kind == STEP_POINT_OUT ? SENDS_PACKET
           : kind == STEP_PACKET_IN || kind == STEP_POINT_IN ? TAKES_PACKET
           : io_is(kind)                                     ? CALLS_IO_NODE
           : kind == STEP_NO_COLLECTIVE                      ? COLLECTS_NOT
                                                             : COLLECTS;
}

/* ---- archives, and whether a state can be one ---- */

/* What the core was doing when the state was saved. */
static bool is_doing(const struct process_part *part, const struct advance_loop *l, bool tree,
                     struct visited *messages)
{
    switch ((enum doing)l->doing) {
    case DOING_WRITE:
        return l->message < part->messages.count &&
               l->out[message_at(part, l->message)->ring % RINGS_MOST].first == l->message;
    case DOING_FLUSH:
    case DOING_FINISH:
        return visited_mark(messages, l->message);
    case DOING_ENTER:
    case DOING_TREE_WRITE:
    case DOING_TREE_READ:
    case DOING_POINT_READ:
        return tree;
    default:
        return l->doing <= DOING_PICK && l->doing != DOING_CO_WORK;
    }
}

/* The operation that a process is in is that of its action; scripts' have no data. */
static bool is_collecting(const struct processes *all, const struct advance_loop *l, bool tree)
{
    const struct collective *c = &l->collective;
    uint8_t kind = l->action.collective;
    if (io_is(kind) && !(tree && all->nic->tree->io_piece_bytes))
        return false;
    if (point_is(kind))
        return tree && c->role == ROLE_ALONE && (!c->kind || c->kind == kind) &&
               (!c->kind || point_is_valid(all, c)) &&
               (kind != STEP_POINT_OUT || l->action.to < all->o.processes);
    return kind <= STEP_EACH && (tree || !kind || spread_is(kind)) && c->role <= ROLE_SERVED &&
           !c->context && c->number < CARGO_NUMBERS &&
           (!c->kind || (c->kind == kind && c->attachment == ATTACHMENT_NONE));
}

/* Programs cannot be saved, so no second core works for one, and no packet is for one. */
static bool is_loop(const struct processes *all, uint32_t partition, const struct advance_loop *l,
                    struct visited *messages, struct visited *forwards, struct visited *singles)
{
    const struct process_part *part = &all->part[partition];
    const struct packets_part *s = part_at(all, partition);
    bool tree = all->nic->tree != NULL;
    uint32_t before = forwards->found;
    bool indices = l->fifo <= VIRTUAL_FIFO && l->next_fifo <= VIRTUAL_FIFO &&
                   l->next_out < RINGS_MOST && l->push <= RINGS_MOST && l->pick < PICKS &&
                   l->next_pick < PICKS && !(l->coming >> (VIRTUAL_FIFO + 1));
    if (!visited_is_bool(&l->reads) || !visited_is_bool(&l->resting) ||
        !visited_is_bool(&l->interrupted) || !visited_is_bool(&l->co_waits) ||
        !visited_is_bool(&l->co_busy) || l->co_waits || l->co_busy || l->single.first != NONE ||
        !indices || !is_collecting(all, l, tree) ||
        !slots_list_visited(&s->singles, &l->point, singles) ||
        !is_doing(part, l, tree, messages) ||
        !slots_list_visited(&part->messages, &l->finished, messages))
        return false;
    for (unsigned ring = 0; ring < RINGS_MOST; ring++)
        if (!slots_list_visited(&part->messages, &l->out[ring], messages))
            return false;
    for (unsigned port = 0; port < DIRECTIONS_MOST; port++)
        if (!slots_list_visited(&s->forwards, &l->forward[port], forwards))
            return false;
    return forwards->found - before == l->forwards;
}

/* Actions name processes of the machine. */
static bool is_action(const struct processes *all, const struct action *a)
{
    return (!(a->kinds & ACTION_SEND) || a->to < all->o.processes) &&
           (!(a->kinds & ACTION_RECEIVE) || a->from < all->o.processes || a->from == MATCH_ANY) &&
           (!(a->kinds & ACTION_SEND) ||
            (a->attachment == ATTACHMENT_NONE && process_is_request(all, a->request))) &&
           (!(a->kinds & ACTION_RECEIVE) || process_is_request(all, a->from_request)) &&
           a->cycles >= 0 && !a->tree_class &&
           (!a->collective || (a->root < all->o.processes && a->bytes <= UINT32_MAX)) && !a->data &&
           !a->members && !a->single && !a->fifo &&
           (!(a->kinds & ACTION_COLLECTIVE) || a->collective) &&
           !(a->kinds & (ACTION_CO_START | ACTION_POLL | ACTION_PROBE | ACTION_CANCEL));
}

static bool are_inside(const struct processes *all, const struct packets_part *s,
                       uint32_t processes)
{
    struct visited packets;
    bool right = slots_visited(&s->virtual_packets, &packets);
    for (uint32_t i = 0; right && i < s->virtual_packets.count; i++) {
        const struct nic_packet *p = &virtual_at(s, i)->packet;
        right = packets.taken[i] ||
                (p->node < all->o.nodes && p->bytes <= all->nic->traits.packet_payload);
    }
    for (uint32_t i = 0; right && i < processes; i++)
        right = slots_list_visited(&s->virtual_packets, &s->inside[i].packets, &packets);
    right = right && visited_is_full(&packets);
    visited_fini(&packets);
    return right;
}

/* Every packet that is to be sent on can be one; it is in one list. */
static bool are_forwards(const struct processes *all, const struct packets_part *s,
                         const struct visited *unused)
{
    const struct packets *p = all->carried;
    for (uint32_t i = 0; i < s->forwards.count; i++) {
        const struct forward *f = forward_at(s, i);
        if (!unused->taken[i] && (f->root >= all->o.processes || f->number >= CARGO_NUMBERS ||
                                  f->attachment != ATTACHMENT_NONE || f->bytes > p->full ||
                                  f->colour >= p->flood.colours))
            return false;
    }
    return true;
}

static bool are_gatherings(const struct packets_part *s)
{
    struct visited found;
    bool right = slots_visited(&s->gatherings, &found);
    for (uint32_t i = 0; right && i < s->gathering.capacity; i++)
        right = !s->gathering.entry[i].used ||
                (visited_mark(&found, s->gathering.entry[i].value) &&
                 gathering_at(s, s->gathering.entry[i].value)->attachment == ATTACHMENT_NONE);
    right = right && visited_is_full(&found);
    visited_fini(&found);
    return right;
}

static bool are_loops(const struct processes *all, uint32_t partition, struct visited *messages)
{
    const struct packets *p = all->carried;
    const struct packets_part *s = part_at(all, partition);
    struct visited forwards, singles;
    bool right = slots_visited(&s->forwards, &forwards) && are_forwards(all, s, &forwards);
    right = slots_visited(&s->singles, &singles) && right;
    for (size_t i = 0; right && i < (size_t)all->part[partition].nodes * p->loops; i++)
        right = is_loop(all, partition, &s->loop[i], messages, &forwards, &singles) &&
                is_action(all, &s->loop[i].action);
    right = right && visited_is_full(&forwards) && visited_is_full(&singles);
    visited_fini(&forwards);
    visited_fini(&singles);
    return right;
}

static bool are_partners(const struct packets_part *s, const struct process_part *part,
                         struct visited *messages)
{
    struct visited partners;
    bool right = slots_visited(&s->partners, &partners);
    for (uint32_t i = 0; right && i < s->partner.capacity; i++) {
        const struct map_entry *e = &s->partner.entry[i];
        right = !e->used ||
                (visited_mark(&partners, e->value) &&
                 visited_is_bool(&partner_at(s, e->value)->sending) &&
                 visited_is_bool(&partner_at(s, e->value)->streaming) &&
                 slots_list_visited(&part->messages, &partner_at(s, e->value)->data, messages) &&
                 visited_is_bool(&partner_at(s, e->value)->unconfirmed) &&
                 slots_list_visited(&part->messages, &partner_at(s, e->value)->queue, messages));
    }
    right = right && visited_is_full(&partners);
    visited_fini(&partners);
    return right;
}

static bool is_sound(const struct processes *all, uint32_t partition, const struct visited *unused)
{
    const struct process_part *part = &all->part[partition];
    const struct packets_part *s = part_at(all, partition);
    struct visited messages; /* takes those that are in a list, too */
    bool right = slots_visited(&part->messages, &messages);
    for (uint32_t i = 0; right && i < part->messages.count; i++) {
        const struct message *m = message_at(part, i); /* what is this carrier's own of it */
        right = unused->taken[i] ||
                (m->moved <= UINT32_MAX && m->bytes <= UINT32_MAX && m->code < MESSAGE_CODES &&
                 m->ring < RINGS_MOST && m->group < all->nic->traits.groups &&
                 visited_is_bool(&m->ordered) && visited_is_bool(&m->known));
    }
    right = right && early_are(s, all->nic->tree, part->nodes) &&
            are_loops(all, partition, &messages) && are_gatherings(s) &&
            are_partners(s, part, &messages) && are_inside(all, s, part->processes);
    visited_fini(&messages);
    return right;
}

static void archive(struct processes *all, uint32_t partition, struct archive *a)
{
    const struct packets *p = all->carried;
    struct packets_part *s = part_at(all, partition);
    size_t loops = (size_t)all->part[partition].nodes * p->loops;
    archive_bytes(a, s->loop, loops * sizeof(*s->loop));
    archive_bytes(a, s->inside, all->part[partition].processes * sizeof(*s->inside));
    slots_archive(&s->partners, a);
    slots_archive(&s->virtual_packets, a);
    slots_archive(&s->gatherings, a);
    slots_archive(&s->forwards, a);
    slots_archive(&s->singles, a);
    early_archive(s, all->nic->tree, all->part[partition].nodes, a);
    map_archive(&s->gathering, a);
    map_archive(&s->partner, a);
    archive_bytes(a, &s->unexpected, sizeof(s->unexpected));
    archive_bytes(a, s->interrupts, sizeof(s->interrupts));
    archive_bytes(a, &s->io_calls, sizeof(s->io_calls));
    archive_bytes(a, &s->io_time, sizeof(s->io_time));
}

const struct carrier packets_carrier = {.client = {.woken = woken, .coming = coming, .room = room},
                                        .create = create,
                                        .destroy = destroy,
                                        .prepare = prepare,
                                        .way = way,
                                        .archive = archive,
                                        .is_sound = is_sound,
                                        .result = result,
                                        .collects = collects,
                                        .reply = protocol_reply};
