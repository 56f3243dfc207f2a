/* Any bytes as a list and as a file of nodes, on a torus with a dead one. Nodes that are read are
 * there, each once; those of a file live. */
#include "fuzz.h"

#include "workload/names.h"

static const bool dead[6] = {[4] = true};
static const struct torus torus = {.dims = 3, .size = {3, 2, 1}, .wrap = {true}, .nodes = 6};
static const struct site site = {.nodes = 6, .endpoints = 6, .dead = dead, .torus = &torus};

static void use(weft_status status, struct number_list *list, bool living)
{
    bool seen[6] = {false};
    if (status == WEFT_OK && (list->count < 1 || list->count > 6))
        abort();
    for (uint32_t i = 0; i < list->count; i++) {
        uint32_t node = list->number[i];
        if (node >= 6 || seen[node] || (living && dead[node]))
            abort();
        seen[node] = true;
    }
    number_list_fini(list);
}

int fuzz_nodes(const uint8_t *data, size_t size)
{
    struct number_list file = {.what = "node", .most = 6}, list = file;
    char *text = fuzz_text(data, size);
    use(number_list_lines(&file, &site, "fuzz", (const char *)data, size), &file, true);
    use(number_list_read(&list, text), &list, false);
    free(text);
    return 0;
}
