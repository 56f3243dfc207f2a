/* The key, and the life of nodes' memories. */
#include "node/memory.h"

#include <stdlib.h>

#include "base/memory.h"
#include "engine/ranks.h"

static const struct key rows[] = {
    {"machine.node.memory_total_mb_per_s", KEY_REAL, offsetof(struct memory_params, total_mb_per_s),
     "MB/s", NULL, 0, 1e9,
     .help = "rate of a node's memory, which its processors and engines share, reads and writes "
             "together; 0: unlimited"},
};

const struct key_section node_memory_section = {sizeof(struct memory_params)};
const struct key_table node_memory_keys = {rows, sizeof(rows) / sizeof(rows[0]),
                                           &node_memory_section};

weft_status memory_check(const struct memory_params *p)
{
    if (p->total_mb_per_s == 0 || p->total_mb_per_s >= 1)
        return WEFT_OK;
    return BAD_INPUT(rows[0].name,
                     ("%s = %g is too slow for a memory", rows[0].name, p->total_mb_per_s),
                     ("use at least 1, or 0 for no limit"));
}

struct memories *memories_create(const struct memory_params *p, uint32_t users,
                                 double cycles_per_us, uint32_t partitions)
{
    if (!(p->total_mb_per_s > 0))
        return NULL;
    double byte_cycles = cycles_per_us / p->total_mb_per_s;
    struct memories *m = memory_alloc(1, sizeof(*m));
    *m = (struct memories){.byte_24 = (fine_t)(byte_cycles * 0x1p40 + 0.5), /* 16 and 24 bits */
                           .users = users,
                           .partitions = partitions,
                           .part = memory_alloc_lines(partitions, sizeof(*m->part))};
    return m;
}

void memories_destroy(struct memories *m)
{
    if (!m)
        return;
    for (uint32_t i = 0; i < m->partitions; i++)
        free(m->part[i].node);
    free(m->part);
    free(m);
}

void memories_prepare(struct memories *m, uint32_t partition, uint32_t nodes)
{
    m->part[partition] =
        (struct memory_part){memory_alloc(nodes, sizeof(struct node_memory)), nodes};
}

/* Memory cannot have worked longer than until it is done; times stay far from where they wrap. */
static bool is_sound(const struct node_memory *n)
{
    const fine_t most = 1ull << 62;
    return n->busy <= n->until && n->until < most && n->waited < most;
}

void memories_archive(struct memories *m, uint32_t partition, struct archive *a)
{
    if (!m)
        return;
    const struct memory_part *s = &m->part[partition];
    bool sound = true;
    archive_bytes(a, s->node, s->nodes * sizeof(*s->node));
    for (uint32_t i = 0; archive_has_read(a) && i < s->nodes; i++)
        sound = sound && is_sound(&s->node[i]);
    archive_sound(a, sound ? NULL : "a node's memory has worked longer than it can have");
}

/* What it has been told of and has not done by then is its last work, mostly without a pause. */
static fine_t busy_until(const struct node_memory *n, fine_t end)
{
    fine_t left = n->until > end ? n->until - end : 0;
    return left < n->busy ? n->busy - left : 0;
}

struct memory_counts memories_counts(const struct memories *m, cycle_t end)
{
    enum { KEPT_BITS = 8 }; /* of a fraction, so that the sums of large machines fit */
    uint64_t sum[2] = {0, 0};
    for (uint32_t i = 0; i < m->partitions; i++)
        for (uint32_t k = 0; k < m->part[i].nodes; k++) {
            sum[0] += busy_until(&m->part[i].node[k], fine_at(end)) >> (FRACTION_BITS - KEPT_BITS);
            sum[1] += m->part[i].node[k].waited >> (FRACTION_BITS - KEPT_BITS);
        }
    ranks_sum(sum, 2);
    return (struct memory_counts){.busy = (double)sum[0] / (1 << KEPT_BITS),
                                  .waited = (double)sum[1] / (1 << KEPT_BITS)};
}
