/* A partition's tables, and links out of it. */
#include "fabric/part.h"

#include <stdlib.h>

#include "base/memory.h"

void *part_table(struct network_part *p, void *pointer, size_t count, size_t size,
                 enum part_table_kind kind)
{
    WEFT_CHECK(p->tables < PART_TABLES_MOST, "more than %d tables", PART_TABLES_MOST);
    p->table[p->tables++] =
        (struct part_table){.at = pointer, .bytes = count * size, .kind = kind, .item = size};
    return memory_reserve(count * size);
}

static void *block_of(const struct part_table *t)
{
    void *block;
    memcpy(&block, t->at, sizeof(block));
    return block;
}

void part_fini(struct network_part *p)
{
    for (uint32_t i = p->tables; i-- > 0;) /* in reverse: a table may lie in an earlier one */
        memory_release(block_of(&p->table[i]), p->table[i].bytes);
    free(p->far);
    free(p->members);
    wheel_fini(&p->wheel);
    measure_fini(&p->measure);
    free(p->detail.row);
}

void part_grow(struct network_part *p)
{
    WEFT_CHECK(p->pool_packets < 1u << 30, "partition %u holds more than %u packets", p->index,
               p->pool_packets);
    for (uint32_t i = 0; i < p->tables; i++) {
        struct part_table *t = &p->table[i];
        if (t->kind != PART_PACKETS)
            continue;
        void *block = memory_extend(block_of(t), t->bytes, 2 * t->bytes);
        memcpy(t->at, &block, sizeof(block));
        t->bytes *= 2;
    }
    p->pool_packets *= 2;
}

uint32_t part_far(struct network_part *p, uint32_t channel, uint32_t local)
{
    if (p->far_count % 64 == 0)
        p->far = memory_grow(p->far, p->far_count + 64, sizeof(*p->far));
    p->far[p->far_count] = (struct far_node){channel, local};
    return ELSEWHERE | p->far_count++;
}

const char *part_flaw(const struct network_part *p, struct part_pool pool, struct visited *packets)
{
    uint32_t last;
    visited_init(packets, p->fresh_packet);
    const char *flaw = measure_flaw(&p->measure, p->wheel.now);
    if (flaw || (flaw = detail_flaw(&p->detail)) != NULL)
        return flaw;
    if (!visited_list(packets, (struct visited_items){pool.packet, pool.size, pool.next_at},
                      p->free_packet, &last))
        return "the list of free packets is not valid";
    return packets->found + p->packets == p->fresh_packet ? NULL : "packets are miscounted";
}

/* The most packets that an archive can hold for this partition. */
static size_t most_packets(const struct network_part *p, const struct archive *a)
{
    size_t most = p->pool_grows ? 1u << 30 : p->pool_packets;
    for (uint32_t i = 0; i < p->tables; i++) {
        size_t room = archive_room(a, p->table[i].item);
        if (p->table[i].kind == PART_PACKETS && room < most)
            most = room;
    }
    return most;
}

void part_archive(struct network_part *p, struct archive *a)
{
    archive_same(a, p->nodes);
    archive_same(a, p->tables);
    wheel_archive(&p->wheel, a);
    measure_archive(&p->measure, a);
    detail_archive(&p->detail, a);
    p->fresh_packet = (uint32_t)archive_count(a, p->fresh_packet, most_packets(p, a));
    while (p->pool_packets < p->fresh_packet)
        part_grow(p);
    archive_bytes(a, &p->free_packet, sizeof(p->free_packet));
    p->packets = (uint32_t)archive_count(a, p->packets, p->pool_packets);
    archive_bytes(a, &p->awaited, sizeof(p->awaited));
    archive_bytes(a, &p->cut_dependent_events, sizeof(p->cut_dependent_events));
    for (uint32_t i = 0; i < p->tables; i++) {
        const struct part_table *t = &p->table[i];
        archive_same(a, t->bytes);
        if (t->kind != PART_SCRATCH)
            archive_bytes(a, block_of(t),
                          t->kind == PART_SAVED ? t->bytes : p->fresh_packet * t->item);
    }
}
