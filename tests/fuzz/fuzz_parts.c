/* Any text as workload.parts of a small K computer. What is accepted must keep its word: every part
 * has living nodes of its own, and its steps lead to nodes or processes of the same part. */
#include "fuzz.h"

#include "machine/family.h"
#include "machine/machine.h"
#include "workload/parts/parts.h"

static void must(bool condition)
{
    if (!condition)
        abort();
}

static void check_nodes(const struct workload *w)
{
    const struct workload_parts *all = workload_parts(w);
    uint32_t claimed = 0, nodes = 0;
    for (uint32_t node = 0; node < w->site->nodes; node++)
        claimed += all->of[node] != 0;
    for (uint32_t i = 0; i < all->count; i++) {
        const struct workload_part *p = &all->part[i];
        nodes += p->nodes;
        for (uint32_t k = 0; k < p->nodes; k++) {
            uint32_t node = p->view.node[k];
            must(node < w->site->nodes && !w->site->dead[node]);
            must(all->of[node] == i + 1 && all->local[node] == k);
        }
    }
    must(all->count > 0 && nodes == claimed);
}

static uint32_t part_of(const struct workload *w, uint32_t who)
{
    if (w->as == LAYER_PACKETS)
        return workload_parts(w)->of[who];
    must(who < w->processes);
    uint32_t node = w->mapping.processor[who] / w->per_node;
    must(w->mapping.rank[w->mapping.processor[who]] == who);
    return workload_parts(w)->of[node];
}

static void check_steps(const struct workload *w)
{
    uint32_t count = w->as == LAYER_PACKETS ? w->site->nodes : w->processes;
    for (uint32_t who = 0; who < count; who++)
        for (uint32_t number = 0; number < 3; number++) {
            struct step step = {.to = NOBODY, .from = NOBODY};
            if (!w->program.step(w->program.ctx, who, number, &step))
                break;
            must(step.to == NOBODY || part_of(w, step.to) == part_of(w, who));
            must(step.from == NOBODY || part_of(w, step.from) == part_of(w, who));
        }
}

/* A machine, built once. */
static struct model *machine(struct config *c)
{
    static struct ground ground;
    struct run_options o = {.threads = 1};
    struct model *m;
    machine_init(c);
    if (config_machine(c, "k-computer") != WEFT_OK ||
        config_set(c, "machine.dims", "2x3x3x2x3x2", "") != WEFT_OK ||
        config_set(c, "machine.dead_nodes", "1/1/1/0/1/0", "") != WEFT_OK ||
        config_set(c, "workload.pattern", "none", "") != WEFT_OK || machine_finish(c) != WEFT_OK ||
        model_create(c, &o, &m) != WEFT_OK || family_of(c)->ground(c, &ground) != WEFT_OK ||
        config_set(c, "workload.pattern", "parts", "") != WEFT_OK)
        abort();
    m->site.ground = &ground;
    return m;
}

int fuzz_parts(const uint8_t *data, size_t size)
{
    static struct config c;
    static struct model *m;
    struct workload *w;
    char *text = fuzz_text(data, size);
    /* Programs and maps are files. */
    bool files = strstr(text, "program") || strstr(text, "mpi") || strstr(text, "mapping");
    m = m ? m : machine(&c);
    if (!files && config_set(&c, "workload.parts", text, "") == WEFT_OK) {
        if (workload_create(&c, &m->site, 1, &w) == WEFT_OK) {
            check_nodes(w);
            check_steps(w);
            workload_destroy(w);
        } else {
            must(weft_last_error()[0] != '\0');
        }
    }
    free(text);
    return 0;
}
