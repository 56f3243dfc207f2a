/* What every nic begins and ends with, and what it does with its partitions between. */
#include "node/nic.h"

#include <stdlib.h>

#include "base/memory.h"

/* ---- life cycle ---- */

void *nic_create(const struct nic_kind *kind, const struct nic_traits *traits, uint32_t partitions)
{
    struct nic *n = memory_alloc(1, kind->size);
    *n = (struct nic){.kind = kind,
                      .traits = *traits,
                      .partitions = partitions,
                      .part = memory_alloc_lines(partitions, kind->part_size)};
    return n;
}

void nic_share_memory(struct nic *n, const struct memory_params *p)
{
    const struct nic_traits *t = &n->traits;
    n->memory = memories_create(p, t->queues + t->fetches, t->cycles_per_us, n->partitions);
}

void *nic_table(struct nic_part *s, void *pointer, size_t count, size_t size)
{
    WEFT_CHECK(s->tables < NIC_TABLES_MOST, "a nic has more than %d tables", NIC_TABLES_MOST);
    s->table[s->tables++] = (struct nic_table){pointer, count * size};
    return memory_alloc(count, size);
}

void nic_prepare(void *ctx, struct network_part *part)
{
    struct nic *n = ctx;
    struct nic_part *s = nic_part(n, part->index);
    s->network = part;
    s->nodes = part->nodes;
    slots_init(&s->items, n->kind->item_size, 0);
    if (n->kind->remembers_wakes)
        s->wakes = nic_table(s, &s->wakes, s->nodes, sizeof(*s->wakes));
    n->kind->prepare(n, s);
    if (n->memory)
        memories_prepare(n->memory, part->index, part->nodes);
    if (n->client.prepare)
        n->client.prepare(n->client.ctx, part->index, part->nodes);
}

void nic_destroy(struct nic *n)
{
    if (!n)
        return;
    for (uint32_t i = 0; i < n->partitions; i++) {
        struct nic_part *s = nic_part(n, i);
        for (uint32_t k = 0; k < s->tables; k++)
            free(*(void **)s->table[k].at);
        slots_fini(&s->items);
        if (n->kind->release_part)
            n->kind->release_part(s);
    }
    if (n->kind->release)
        n->kind->release(n);
    memories_destroy(n->memory);
    free(n->part);
    free(n);
}

void nic_archive(struct nic *n, struct archive *a)
{
    for (uint32_t i = 0; i < n->partitions; i++) {
        struct nic_part *s = nic_part(n, i);
        for (uint32_t k = 0; k < s->tables; k++)
            archive_bytes(a, *(void **)s->table[k].at, s->table[k].bytes);
        slots_archive(&s->items, a);
        memories_archive(n->memory, i, a);
        if (n->kind->archive)
            n->kind->archive(n, s, a);
        if (!archive_has_read(a))
            continue;
        struct visited items;
        bool valid = slots_visited(&s->items, &items) && n->kind->is_valid(n, s, &items) &&
                     visited_is_full(&items);
        visited_fini(&items);
        archive_sound(a, valid ? NULL : n->kind->flaw);
    }
}

/* ---- serving ---- */

/* The node was woken, or has room again. */
static void serve(void *ctx, struct network_part *part, uint32_t local, uint32_t node, cycle_t now)
{
    struct nic *n = ctx;
    struct nic_node at = {part->index, local, node};
    n->client.woken(n->client.ctx, &at, now);
    fine_t next = n->kind->serve(n, &at, now);
    if (next != NIC_NEVER)
        nic_wake_node(nic_part(n, at.partition), local, fine_cycle_after(next), true);
}

/* Of a nic that needs not be asked again. */
static void serve_first(void *ctx, struct network_part *part, uint32_t local, uint32_t node,
                        cycle_t now)
{
    struct nic *n = ctx;
    struct nic_node at = {part->index, local, node};
    n->kind->serve(n, &at, now);
    n->client.woken(n->client.ctx, &at, now);
}

struct face_client nic_face_client(struct nic *n)
{
    return (struct face_client){.ctx = n,
                                .prepare = nic_prepare,
                                .serve = n->kind->serves_first ? serve_first : serve,
                                .deliver = n->kind->deliver};
}

void nic_finish(const struct nic *n, const struct nic_node *at, uint32_t index, fine_t when)
{
    struct nic_part *s = nic_part(n, at->partition);
    struct nic_send done = ((struct nic_item *)slots_next(&s->items, index))->send;
    slots_put(&s->items, index);
    n->client.sent(n->client.ctx, at, &done, when);
}
