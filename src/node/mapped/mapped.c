/* Packets into injection FIFOs, and those that wait in reception FIFOs. */
#include "node/mapped/mapped.h"

#include "engine/ranks.h"

/* Wake-ups come as if from an injection FIFO that messages do not use. */
enum { WAKE_BIT = 1 << TORUS_WAKE_FIFO };

enum { GROUPS = 2, GROUP_FIFOS = TORUS_RECEPTION_FIFOS / GROUPS };

/* A packet in a reception FIFO, or on its way there over the bus. */
struct mapped_packet {
    uint32_t next, source;
    cycle_t there;
    uint64_t cargo;
    uint8_t chunks, padding;
};

struct mapped_part {
    struct nic_part base;       /* items: struct mapped_packet */
    uint32_t *sequence;         /* [local], packets written */
    struct slots_list *arrived; /* [local * TORUS_RECEPTION_FIFOS + fifo] */
    struct watermark_counts crossed;
};

struct mapped {
    struct nic nic;
    struct torus_params router;
    struct torus_faults faults;
    struct torus_addressing addressing;
    uint32_t header_bytes;
    struct watermarks watermarks;
    struct tree *tree; /* NULL: none */
};

static struct mapped_packet *packet_at(const struct mapped_part *s, uint32_t index)
{
    return (struct mapped_packet *)s->base.items.item + index;
}

static unsigned chunks_of(const struct mapped *m, const struct nic_packet *p)
{
    return torus_chunks((uint64_t)p->bytes + p->extra + m->header_bytes);
}

/* ---- writing ---- */

static unsigned direction(struct nic *nic, uint32_t from, const struct nic_packet *p)
{
    const struct mapped *m = (const struct mapped *)nic;
    struct torus_packet packet = {.flags = p->flags & NIC_ADAPTIVE ? TORUS_DYNAMIC : 0};
    address_packet(&m->addressing, from, p->node, p->turn, &packet);
    unsigned hints = packet.hint, left = (unsigned)__builtin_popcount(hints);
    if (!(packet.flags & TORUS_DYNAMIC) || !left)
        return address_first_port(&m->addressing, &packet);
    for (unsigned skip = (p->turn >> TORUS_ROUTER_DIMS) % left; skip; skip--)
        hints &= hints - 1;
    return (unsigned)__builtin_ctz(hints);
}

static uint32_t size(const struct nic *nic, const struct nic_packet *packet)
{
    return chunks_of((const struct mapped *)nic, packet) * TORUS_CHUNK_BYTES;
}

static bool has_room(struct nic *nic, const struct nic_node *at, const struct nic_packet *packet)
{
    const struct mapped *m = (const struct mapped *)nic;
    uint32_t capacity = m->router.injection_fifo_bytes / TORUS_CHUNK_BYTES;
    uint32_t taken = torus_fifo_chunks(nic_network(nic, at->partition), at->local, packet->fifo);
    return !capacity || taken + chunks_of(m, packet) <= capacity;
}

/* Whether all nodes straight on are there. */
static bool is_inside(const struct torus *t, uint32_t node, unsigned port, uint32_t hops)
{
    uint32_t at[TORUS_MAX_DIMS];
    unsigned d = port / 2;
    if (d >= t->dims || !hops)
        return false;
    torus_coordinates(t, node, at);
    return hops < t->size[d] && (t->wrap[d] || hops <= (port % 2 ? at[d] : t->size[d] - 1 - at[d]));
}

static void write_packet(struct nic *nic, const struct nic_node *at, const struct nic_packet *p)
{
    struct mapped *m = (struct mapped *)nic;
    struct mapped_part *s = nic_part(nic, at->partition);
    unsigned chunks = chunks_of(m, p);
    struct torus_packet packet = {
        .birth = p->birth,
        .source = at->node,
        .sequence = s->sequence[at->local]++,
        .chunks = (uint8_t)chunks,
        .flags = (uint8_t)((p->flags & NIC_ADAPTIVE ? TORUS_DYNAMIC : 0) |
                           (p->group ? TORUS_GROUP1 : 0)),
        .padding = (uint8_t)(chunks * TORUS_CHUNK_BYTES - m->header_bytes - p->bytes)};
    WEFT_CHECK(chunks <= TORUS_MAX_CHUNKS && has_room(nic, at, p),
               "node %u overruns injection FIFO %u", at->node, p->fifo);
    if (p->flags & NIC_DEPOSIT) {
        WEFT_CHECK(is_inside(m->addressing.torus, at->node, p->port, p->hops),
                   "node %u sends a packet off the machine", at->node);
        packet.flags |= TORUS_DEPOSIT;
        packet.hint = (uint8_t)(1u << p->port);
        packet.hops[p->port / 2] = p->hops;
    } else {
        address_packet(&m->addressing, at->node, p->node, p->turn, &packet);
    }
    uint32_t before = torus_fifo_chunks(s->base.network, at->local, p->fifo);
    s->crossed.injection += watermark_is_crossed(m->watermarks.injection, before, chunks);
    torus_inject(s->base.network, at->local, p->fifo, &packet, p->cargo,
                 part_now(s->base.network) + m->router.arbitration_cycles);
}

/* ---- reading ---- */

static struct slots_list *list_of(const struct mapped_part *s, uint32_t local, unsigned fifo)
{
    return &s->arrived[(size_t)local * TORUS_RECEPTION_FIFOS + fifo];
}

static bool peek(struct nic *nic, const struct nic_node *at, unsigned group, unsigned fifo,
                 struct nic_packet *packet, cycle_t *there)
{
    const struct mapped *m = (const struct mapped *)nic;
    const struct mapped_part *s = nic_part(nic, at->partition);
    uint32_t first = list_of(s, at->local, group * GROUP_FIFOS + fifo)->first;
    if (first == SLOT_NONE)
        return false;
    const struct mapped_packet *p = packet_at(s, first);
    *packet =
        (struct nic_packet){.node = p->source,
                            .bytes = p->chunks * TORUS_CHUNK_BYTES - m->header_bytes - p->padding,
                            .extra = p->padding,
                            .cargo = p->cargo,
                            .group = (uint8_t)group,
                            .fifo = (uint8_t)fifo};
    *there = p->there;
    return true;
}

static void read_packet(struct nic *nic, const struct nic_node *at, unsigned group, unsigned fifo)
{
    const struct mapped *m = (const struct mapped *)nic;
    struct mapped_part *s = nic_part(nic, at->partition);
    unsigned number = group * GROUP_FIFOS + fifo;
    struct slots_list *list = list_of(s, at->local, number);
    WEFT_CHECK(list->first != SLOT_NONE, "node %u reads an empty FIFO", at->node);
    uint32_t index = slots_take(&s->base.items, list);
    if (m->router.reception_fifo_bytes)
        torus_consume(s->base.network, at->local, number, packet_at(s, index)->chunks,
                      part_now(s->base.network) + 1);
    slots_put(&s->base.items, index);
}

/* A packet counts from when its last byte is there. Without a watermark, the first one calls. */
static bool calls(struct nic *nic, const struct nic_node *at, unsigned group, unsigned fifo,
                  cycle_t *when)
{
    const struct mapped *m = (const struct mapped *)nic;
    const struct mapped_part *s = nic_part(nic, at->partition);
    uint32_t sum = 0, mark = m->watermarks.reception ? m->watermarks.reception : 1;
    cycle_t there = 0;
    for (uint32_t i = list_of(s, at->local, group * GROUP_FIFOS + fifo)->first;
         i != SLOT_NONE && sum < mark; i = packet_at(s, i)->next) {
        sum += packet_at(s, i)->chunks;
        there = packet_at(s, i)->there > there ? packet_at(s, i)->there : there;
    }
    *when = there;
    return sum >= mark;
}

static bool drained(struct nic *nic, const struct nic_node *at, unsigned fifo)
{
    uint32_t mark = ((const struct mapped *)nic)->watermarks.injection;
    return !mark || torus_fifo_chunks(nic_network(nic, at->partition), at->local, fifo) <= mark;
}

static void deliver(void *ctx, struct network_part *part, uint32_t local, uint32_t node,
                    const struct torus_packet *packet, uint64_t cargo, unsigned fifo, cycle_t when)
{
    struct mapped *m = ctx;
    struct nic_node at = {part->index, local, node};
    struct mapped_part *s = nic_part(ctx, at.partition);
    uint32_t index = slots_get(&s->base.items);
    *packet_at(s, index) = (struct mapped_packet){.there = when,
                                                  .cargo = cargo,
                                                  .source = packet->source,
                                                  .chunks = packet->chunks,
                                                  .padding = packet->padding};
    slots_append(&s->base.items, list_of(s, local, fifo), index);
    if (m->watermarks.reception)
        s->crossed.reception += watermark_is_crossed(
            m->watermarks.reception, torus_reception_chunks(part, local, fifo) - packet->chunks,
            packet->chunks);
    m->nic.client.coming(m->nic.client.ctx, &at, fifo / GROUP_FIFOS, fifo % GROUP_FIFOS, when);
}

/* Counts no further than a FIFO can reach: the list may be no list. */
static uint32_t held(void *ctx, uint32_t partition, uint32_t local, unsigned fifo)
{
    const struct mapped *m = ctx;
    const struct mapped_part *s = nic_part(ctx, partition);
    uint32_t most = m->router.reception_fifo_bytes / TORUS_CHUNK_BYTES, sum = 0;
    for (uint32_t i = list_of(s, local, fifo)->first; i < s->base.items.count && sum <= most;
         i = packet_at(s, i)->next)
        sum += packet_at(s, i)->chunks ? packet_at(s, i)->chunks : most + 1;
    return sum;
}

/* ---- the nic ---- */

static void refill(void *ctx, struct network_part *part, uint32_t local, uint32_t node,
                   unsigned fifos, cycle_t now)
{
    struct mapped *m = ctx;
    struct nic_node at = {part->index, local, node};
    if (m->tree)
        tree_step(m->tree, &at, now);
    if (fifos & ~(unsigned)WAKE_BIT)
        m->nic.client.room(m->nic.client.ctx, &at, now);
    m->nic.client.woken(m->nic.client.ctx, &at, now);
}

static void other(void *ctx, uint32_t partition, uint32_t local, unsigned what, unsigned more,
                  uint32_t payload, cycle_t now)
{
    tree_event(((struct mapped *)ctx)->tree, partition, local, what, more, payload, now);
}

static bool is_other(void *ctx, uint32_t partition, uint32_t local, unsigned what, unsigned more,
                     uint32_t payload)
{
    const struct tree *t = ((struct mapped *)ctx)->tree;
    return t && tree_is_event(t, partition, local, what, more, payload);
}

/* ---- what clients see ---- */

static const struct nic_fifos mapped_fifos = {.direction = direction,
                                              .size = size,
                                              .has_room = has_room,
                                              .write = write_packet,
                                              .peek = peek,
                                              .read = read_packet,
                                              .calls = calls,
                                              .drained = drained};

/* ---- whether a state can be one ---- */

/* Every packet is in one FIFO, and can be one. */
static bool is_valid(const struct nic *nic, const struct nic_part *part, struct visited *packets)
{
    const struct mapped *m = (const struct mapped *)nic;
    const struct mapped_part *s = (const struct mapped_part *)part;
    bool valid = true;
    for (uint32_t i = 0; valid && i < part->items.count; i++) {
        const struct mapped_packet *p = packet_at(s, i);
        valid =
            packets->taken[i] ||
            (p->source < m->addressing.torus->nodes && p->chunks && p->chunks <= TORUS_MAX_CHUNKS &&
             p->padding + m->header_bytes <= p->chunks * TORUS_CHUNK_BYTES);
    }
    for (size_t i = 0; valid && i < (size_t)part->nodes * TORUS_RECEPTION_FIFOS; i++)
        valid = slots_list_visited(&part->items, &s->arrived[i], packets);
    return valid;
}

/* ---- life cycle ---- */

static void prepare(struct nic *nic, struct nic_part *part)
{
    struct mapped *m = (struct mapped *)nic;
    struct mapped_part *s = (struct mapped_part *)part;
    size_t lists = (size_t)part->nodes * TORUS_RECEPTION_FIFOS;
    NIC_TABLE(s, &s->sequence, part->nodes);
    NIC_TABLE(s, &s->arrived, lists);
    for (size_t i = 0; i < lists; i++)
        s->arrived[i].first = SLOT_NONE;
    if (m->tree)
        tree_prepare(m->tree, part->network);
}

static void archive(struct nic *nic, struct nic_part *part, struct archive *a)
{
    struct mapped_part *s = (struct mapped_part *)part;
    struct tree *tree = ((struct mapped *)nic)->tree;
    archive_bytes(a, &s->crossed, sizeof(s->crossed));
    if (tree)
        tree_archive(tree, part->network->index, a);
}

static void release(struct nic *nic)
{
    tree_destroy(((struct mapped *)nic)->tree);
}

static const struct nic_kind mapped_kind = {.fifos = &mapped_fifos,
                                            .size = sizeof(struct mapped),
                                            .part_size = sizeof(struct mapped_part),
                                            .item_size = sizeof(struct mapped_packet),
                                            .prepare = prepare,
                                            .archive = archive,
                                            .is_valid = is_valid,
                                            .flaw = "a packet in a reception FIFO is none",
                                            .release = release};

weft_status mapped_create(const struct mapped_options *o, struct nic **nic)
{
    struct torus_derived derived;
    TRY(torus_params_derive(o->router, &derived));
    struct nic_traits traits = {.packet_payload =
                                    TORUS_MAX_CHUNKS * TORUS_CHUNK_BYTES - o->software_header_bytes,
                                .queues = GROUPS,
                                .routes = 1,
                                .groups = GROUPS,
                                .group_fifos = GROUP_FIFOS,
                                .directions = TORUS_NORMAL_FIFOS,
                                .cycles_per_us = o->router->link_mb_per_s};
    struct mapped *m = nic_create(&mapped_kind, &traits, o->partitions);
    m->router = *o->router;
    m->header_bytes = o->software_header_bytes;
    m->watermarks = o->watermarks;
    if (o->faults)
        m->faults = *o->faults;
    m->addressing = addressing_make(o->torus, &m->router, &derived, &m->faults, o->hints);
    m->tree = o->tree;
    m->nic.tree = o->tree ? tree_face(o->tree) : NULL;
    *nic = &m->nic;
    return WEFT_OK;
}

struct torus_client mapped_client(struct nic *mapped)
{
    return (struct torus_client){.ctx = mapped,
                                 .prepare = nic_prepare,
                                 .refill = refill,
                                 .deliver = deliver,
                                 .held = held,
                                 .other = other,
                                 .is_other = is_other,
                                 .cargoes = true};
}

struct watermark_counts mapped_watermarks(const struct nic *mapped)
{
    uint64_t sum[2] = {0, 0};
    for (uint32_t i = 0; i < mapped->partitions; i++) {
        const struct mapped_part *s = nic_part(mapped, i);
        sum[0] += s->crossed.injection;
        sum[1] += s->crossed.reception;
    }
    ranks_sum(sum, 2);
    return (struct watermark_counts){sum[0], sum[1]};
}
