/* Numbers, coordinates. */
#include "workload/names.h"

#include <stdio.h>
#include <string.h>

uint32_t site_place(const struct site *site, uint32_t node)
{
    uint32_t low = 0, high = site->places;
    if (node >= site->nodes || (site->dead && site->dead[node]))
        return NOBODY;
    if (!site->node_at)
        return node < site->places ? node : NOBODY;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (site->node_at[middle] < node)
            low = middle + 1;
        else
            high = middle;
    }
    return low < site->places && site->node_at[low] == node ? low : NOBODY;
}

/* A number of at most nine digits. */
static bool is_number(const char *name, uint32_t *number)
{
    size_t digits = strspn(name, "0123456789");
    *number = 0;
    for (size_t i = 0; i < digits && digits < 10; i++)
        *number = 10 * *number + (uint32_t)(name[i] - '0');
    return digits && digits < 10 && !name[digits];
}

static bool is_place(const struct site *site, const char *name, uint32_t *node)
{
    const char *at = name;
    return site->torus && strchr(name, '/') &&
           torus_parse_place(site->torus, site->torus->dims, &at, node) && !*at;
}

const char *site_names(const struct site *site, char text[NODE_WRONG])
{
    static const char last[] = "1/2/3/0/1/0";
    if (!site->torus)
        snprintf(text, NODE_WRONG, "a number below %u", site->nodes);
    else
        snprintf(text, NODE_WRONG, "a number below %u, or coordinates as %.*s", site->nodes,
                 (int)(2 * site->torus->dims - 1), last);
    return text;
}

bool site_node_named(const struct site *site, const char *name, uint32_t *node,
                     char wrong[NODE_WRONG])
{
    if ((!is_number(name, node) || *node >= site->nodes) && !is_place(site, name, node)) {
        snprintf(wrong, NODE_WRONG, "'%.60s' is not a node", name);
        *node = NOBODY;
        return false;
    }
    if (site_place(site, *node) != NOBODY)
        return true;
    snprintf(wrong, NODE_WRONG, "node %.60s is %s", name,
             site->dead && site->dead[*node] ? "dead" : "not one that computes");
    return false;
}

weft_status lines_node(struct lines *l, const struct site *site, uint32_t *node)
{
    char name[NODE_NAME], wrong[NODE_WRONG], names[NODE_WRONG];
    uint32_t column = lines_column(l, l->at);
    weft_status status = lines_word(l, "node", name, sizeof(name));
    if (status != WEFT_OK || site_node_named(site, name, node, wrong))
        return status;
    if (*node < site->nodes) /* there is such a node, but not for this */
        return LINES_REFUSE(l, l->line, column, ("%s", wrong), ("leave it out"));
    return LINES_REFUSE(l, l->line, column, ("%s", wrong), ("use %s", site_names(site, names)));
}
