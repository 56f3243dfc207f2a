/* Who must not live on units that are swapped, and what a result says about these. */
#include "machine/tofu/swaps.h"

#include <stdio.h>

#include "base/memory.h"
#include "workload/parts/parts.h"

/* ---- who lives there ---- */

/* A swap whose unit has the node; NULL: there is none. */
static const struct tofu_swap *find_swap(const struct tofu_config *m, uint32_t node)
{
    for (uint32_t i = 0; i < m->swaps.count; i++)
        if (tofu_swap_has(&m->shape, &m->swaps.swap[i], node))
            return &m->swaps.swap[i];
    return NULL;
}

/* Packets of an open loop are not waited for: those of a node that is out are left out. */
static weft_status check_node(const struct tofu_config *m, const struct workload *w, uint32_t node)
{
    const struct tofu_swap *swap = find_swap(m, node);
    char unit[TOFU_UNIT_TEXT];
    bool processes = w->as == LAYER_MESSAGES;
    if (!swap)
        return WEFT_OK;
    return BAD_INPUT("machine.swap workload.pattern workload.parts workload.mapping",
                     ("machine.swap: %s has %s of workload.pattern = %s, which would wait for it",
                      tofu_swap_text(&m->shape, swap, unit), processes ? "processes" : "packets",
                      w->pattern->name),
                     ("leave its nodes out%s",
                      processes ? ", by a part of the machine (-w parts) or workload.mapping"
                                : ", by a part of the machine (-w parts)"));
}

static weft_status check_processes(const struct tofu_config *m, const struct workload *w)
{
    const struct workload_parts *parts = workload_parts(w);
    for (uint32_t i = 0; i < w->processes; i++) {
        uint32_t node = w->mapping.processor[i] / w->per_node;
        TRY(check_node(m, parts ? parts->part[parts->of[node] - 1].workload : w, node));
    }
    return WEFT_OK;
}

static weft_status check_parts(const struct tofu_config *m, const struct workload_parts *all)
{
    for (uint32_t i = 0; i < all->count; i++) {
        const struct workload_part *part = &all->part[i];
        bool waits = part->workload->pattern->kind != PATTERN_OPEN;
        for (uint32_t k = 0; waits && k < part->nodes; k++)
            TRY(check_node(m, part->workload, part->view.node[k]));
    }
    return WEFT_OK;
}

weft_status tofu_swaps_check(const struct tofu_config *m, const struct workload *w)
{
    if (!m->swaps.count)
        return WEFT_OK;
    if (!w)
        return BAD_INPUT("machine.swap workload.pattern",
                         ("machine.swap has no meaning for surveys, jobs, views and hosts"),
                         ("use a pattern of packets or messages, or machine.swap = none"));
    if (w->as == LAYER_MESSAGES)
        return check_processes(m, w);
    if (workload_parts(w))
        return check_parts(m, workload_parts(w));
    for (uint32_t node = 0; w->pattern->kind != PATTERN_OPEN && node < m->shape.nodes; node++)
        TRY(check_node(m, w, node));
    return WEFT_OK;
}

/* ---- what happened ---- */

static struct run_swap to_result(const struct tofu_config *m, const struct tofu_swap *swap,
                                 const struct tofu_swap_counts *c)
{
    struct run_swap s = {.fails = swap->fails,
                         .holds = c->started > c->ended,
                         .from = swap->from,
                         .to = swap->to,
                         .emptied = c->emptied > swap->from ? c->emptied : swap->from,
                         .passed = c->passed,
                         .detoured = c->detoured,
                         .withheld = c->withheld,
                         .lost = c->lost};
    tofu_swap_text(&m->shape, swap, s.unit);
    return s;
}

void tofu_swaps_gather(const struct tofu_config *m, const struct tofu_network *n,
                       struct run_result *r)
{
    struct tofu_swap_counts counts[TOFU_SWAPS_MOST];
    uint64_t detoured = 0, withheld = 0, drained = 0;
    if (!m->swaps.count)
        return;
    tofu_network_swaps(n, counts);
    r->swaps = m->swaps.count;
    r->swap = memory_alloc(r->swaps, sizeof(*r->swap));
    for (uint32_t i = 0; i < r->swaps; i++) {
        struct run_swap *s = &r->swap[i];
        *s = to_result(m, &m->swaps.swap[i], &counts[i]);
        detoured += s->detoured;
        withheld += s->withheld;
        drained = s->emptied - s->from > drained ? s->emptied - s->from : drained;
    }
    run_result_add(r, "packets_detoured", (double)detoured);
    run_result_add(r, "packets_withheld", (double)withheld);
    run_result_add(r, "packets_lost", (double)r->measure.lost);
    run_result_add(r, "swap_drained_cycles", (double)drained);
}
