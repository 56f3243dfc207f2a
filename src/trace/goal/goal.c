/* Traces as they lie in memory. */
#define _GNU_SOURCE
#include "trace/goal/goal.h"

#include <sys/mman.h>

struct goal_rank goal_rank(const struct goal *g, uint32_t rank)
{
    uint64_t start = goal_read_u64(g->map + GOAL_TABLE + (size_t)rank * GOAL_TABLE_ENTRY);
    const unsigned char *at = g->map + GOAL_BASE + start;
    struct goal_rank r = {.op_count = goal_read_u32(at), .root_count = goal_read_u32(at + 4)};
    r.roots = at + GOAL_RANK_HEAD;
    r.ops = r.roots + 4 * (size_t)r.root_count;
    r.lists = r.ops + (size_t)r.op_count * GOAL_OP_BYTES;
    return r;
}

static struct goal_list list_at(const struct goal_rank *r, const unsigned char *at)
{
    return (struct goal_list){r->lists + 4 * (size_t)goal_read_u32(at + 4), goal_read_u32(at)};
}

void goal_node(const struct goal_rank *r, uint32_t op, struct goal_node *node)
{
    const unsigned char *at = r->ops + (size_t)op * GOAL_OP_BYTES;
    *node = (struct goal_node){.needs = goal_read_u32(at),
                               .op = {.kind = at[4],
                                      .peer = goal_read_u32(at + 5),
                                      .size = goal_read_u64(at + 9),
                                      .tag = goal_read_u32(at + 17),
                                      .cpu = at[21],
                                      .nic = at[22]},
                               .after = list_at(r, at + 23),
                               .with = list_at(r, at + 31)};
}

void goal_forget(const struct goal *g)
{
    if (g->mapped)
        madvise((void *)(uintptr_t)g->map, g->size, MADV_DONTNEED);
}

void goal_close(struct goal *g)
{
    if (g->mapped)
        munmap((void *)(uintptr_t)g->map, g->size);
    *g = (struct goal){0};
}
