/* Any bytes as a list and as a file of pairs: of nodes on a torus with a dead one, and of
 * processes. Pairs that are read are two that exist. */
#include "fuzz.h"

#include "workload/patterns/patterns.h"

static const bool dead[6] = {[4] = true};
static const struct torus torus = {.dims = 3, .size = {3, 2, 1}, .wrap = {true}, .nodes = 6};
static const struct site site = {.nodes = 6, .endpoints = 6, .dead = dead, .torus = &torus};

static void use(const struct workload *w, weft_status status, struct pair_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        const uint32_t end[] = {list->pair[i].from, list->pair[i].to};
        for (unsigned k = 0; k < 2; k++)
            if (end[k] >= (w->as == LAYER_PACKETS ? 6 : 5) ||
                (w->as == LAYER_PACKETS && dead[end[k]]) || end[k] == end[!k])
                abort();
    }
    if (status == WEFT_OK && !list->count)
        abort();
    free(list->pair);
    *list = (struct pair_list){.pair = NULL};
}

int fuzz_pairs(const uint8_t *data, size_t size)
{
    static struct pairs_params p;
    static struct workload w = {.site = &site, .processes = 5};
    char *text = fuzz_text(data, size);
    for (w.as = LAYER_PACKETS; w.as <= LAYER_MESSAGES; w.as++) {
        struct pair_list list = {.pair = NULL};
        use(&w, pair_list_read_text(&w, "fuzz", (const char *)data, size, &list), &list);
        snprintf(p.list, sizeof(p.list), "%s", text);
        if (p.list[0])
            use(&w, pair_list_read(&w, &p, &list), &list);
    }
    free(text);
    return 0;
}
