/* What must hold of every trace that was read. */
#ifndef WEFT_TESTS_FUZZ_GOAL_CHECKS_H
#define WEFT_TESTS_FUZZ_GOAL_CHECKS_H

#include <stdbool.h>

#include "trace/goal/goal.h"

static void must(bool condition)
{
    if (!condition)
        abort();
}

/* Ranks may share what they do: a short file can hold a long trace. */
static bool is_small(const struct goal *g)
{
    return g->totals.ops < 2000 && g->ranks < 2000;
}

/* Does everything, in an order that is allowed. */
static void walk(const struct goal *g)
{
    for (uint32_t i = 0; i < g->ranks; i++) {
        struct goal_rank r = goal_rank(g, i);
        struct goal_node n;
        uint32_t *left = calloc(r.op_count + 1, sizeof(*left));
        uint32_t *queue = calloc(r.op_count + 1, sizeof(*queue)), end = 0;
        for (uint32_t k = 0; k < r.op_count; k++)
            left[k] = goal_needs(&r, k);
        for (uint32_t k = 0; k < r.root_count; k++)
            queue[end++] = goal_root(&r, k);
        for (uint32_t k = 0; k < end; k++) {
            goal_node(&r, queue[k], &n);
            must(n.op.kind == GOAL_CALC || n.op.peer < g->ranks ||
                 (n.op.kind == GOAL_RECEIVE && n.op.peer == GOAL_ANY));
            const struct goal_list *lists[] = {&n.after, &n.with};
            for (unsigned l = 0; l < 2; l++)
                for (uint32_t e = 0; e < lists[l]->count; e++)
                    if (!--left[goal_list_at(lists[l], e)])
                        queue[end++] = goal_list_at(lists[l], e);
        }
        must(end == r.op_count);
        free(left);
        free(queue);
    }
}

/* Whether two have the same ranks and operations, wherever these lie. */
static void compare(const struct goal *a, const struct goal *b)
{
    must(a->ranks == b->ranks && a->totals.ops == b->totals.ops &&
         a->totals.bytes == b->totals.bytes && a->totals.cpus == b->totals.cpus);
    for (uint32_t i = 0; i < a->ranks; i++) {
        struct goal_rank x = goal_rank(a, i), y = goal_rank(b, i);
        must(x.op_count == y.op_count && x.root_count == y.root_count);
        for (uint32_t k = 0; k < x.op_count; k++) {
            struct goal_node m, n;
            goal_node(&x, k, &m);
            goal_node(&y, k, &n);
            must(m.needs == n.needs && m.op.kind == n.op.kind && m.op.size == n.op.size &&
                 m.after.count == n.after.count && m.with.count == n.with.count);
        }
    }
}

/* The same trace as text. */
static char *as_text(const struct goal *g, size_t *size)
{
    char *text;
    FILE *f = open_memstream(&text, size);
    fprintf(f, "num_ranks %u\n", g->ranks);
    for (uint32_t i = 0; i < g->ranks; i++) {
        struct goal_rank r = goal_rank(g, i);
        struct goal_node n;
        fprintf(f, "rank %u {\n", i);
        for (uint32_t k = 0; k < r.op_count; k++) {
            goal_node(&r, k, &n);
            unsigned long long bytes = n.op.size;
            if (n.op.kind == GOAL_CALC)
                fprintf(f, "x%u: calc %llu", k, bytes);
            else
                fprintf(f, "x%u: %s %llub %s %lld tag %lld", k,
                        n.op.kind == GOAL_SEND ? "send" : "recv", bytes,
                        n.op.kind == GOAL_SEND ? "to" : "from",
                        n.op.peer == GOAL_ANY ? -1ll : (long long)n.op.peer,
                        n.op.tag == GOAL_ANY ? -1ll : (long long)n.op.tag);
            fprintf(f, " cpu %u nic %u\n", n.op.cpu, n.op.nic);
        }
        for (uint32_t k = 0; k < r.op_count; k++) {
            goal_node(&r, k, &n);
            for (uint32_t e = 0; e < n.after.count; e++)
                fprintf(f, "x%u requires x%u\n", goal_list_at(&n.after, e), k);
            for (uint32_t e = 0; e < n.with.count; e++)
                fprintf(f, "x%u irequires x%u\n", goal_list_at(&n.with, e), k);
        }
        fprintf(f, "}\n");
    }
    fclose(f);
    return text;
}

#endif
