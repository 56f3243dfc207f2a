/* Switches, links and hosts as tables; how they are cut into parts. */
#include "topology/graph/wiring.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/random.h"
#include "topology/graph/cut.h"

void wiring_init(struct wiring *w, uint32_t switches, uint32_t radix)
{
    *w = (struct wiring){.form = WIRING_OTHER, .switches = switches, .radix = radix ? radix : 1};
    w->end = memory_alloc((size_t)switches * w->radix, sizeof(*w->end));
    w->ports = memory_alloc(switches, sizeof(*w->ports));
    w->first_host = memory_alloc((size_t)switches + 1, sizeof(*w->first_host));
    for (size_t i = 0; i < (size_t)switches * w->radix; i++)
        w->end[i].node = WIRING_NONE;
    w->sorts = 1;
    w->sort_name[0] = "links";
    for (unsigned sort = 0; sort < WIRING_SORTS; sort++)
        w->weight[sort] = 1;
}

void wiring_fini(struct wiring *w)
{
    free(w->end);
    free(w->ports);
    free(w->first_host);
    free(w->host_switch);
    *w = (struct wiring){0};
}

void wiring_connect(struct wiring *w, uint32_t a, uint32_t b, uint8_t sort, bool wraps)
{
    uint8_t at_a = w->ports[a]++, at_b = w->ports[b]++;
    WEFT_CHECK(a != b && at_a < w->radix && at_b < w->radix, "no port for a link from %u to %u", a,
               b);
    w->end[(size_t)a * w->radix + at_a] = (struct wiring_end){b, at_b, sort, wraps};
    w->end[(size_t)b * w->radix + at_b] = (struct wiring_end){a, at_a, sort, wraps};
    w->links += 2;
}

weft_status wiring_finish(struct wiring *w, const char *text, const uint32_t *hosts)
{
    uint64_t count = 0;
    for (uint32_t node = 0; node < w->switches; node++) {
        w->first_host[node] = (uint32_t)count;
        count += hosts[node];
        if (count > WIRING_MAX_HOSTS)
            return BAD_INPUT(NULL, ("'%.60s' has more than %d hosts", text, WIRING_MAX_HOSTS),
                             ("use fewer"));
        if (w->ports[node] + hosts[node] > WIRING_MAX_PORTS)
            return BAD_INPUT(NULL,
                             ("'%.60s' gives switch %u %u links and %u hosts", text, node,
                              w->ports[node], hosts[node]),
                             ("use at most %d ports per switch", WIRING_MAX_PORTS));
    }
    if (!count)
        return BAD_INPUT(NULL, ("'%.60s' has no hosts", text), ("give some switch a host"));
    w->hosts = w->first_host[w->switches] = (uint32_t)count;
    w->host_switch = memory_alloc(w->hosts, sizeof(*w->host_switch));
    for (uint32_t node = 0; node < w->switches; node++)
        for (uint32_t host = w->first_host[node]; host < w->first_host[node + 1]; host++)
            w->host_switch[host] = node;
    return WEFT_OK;
}

uint64_t wiring_hash(const struct wiring *w)
{
    uint64_t hash = random_mix((uint64_t)w->switches << 32 | w->hosts);
    for (size_t i = 0; i < (size_t)w->switches * w->radix; i++)
        hash = random_mix(hash ^ ((uint64_t)w->end[i].node << 8 | w->end[i].sort)) + i;
    for (uint32_t node = 0; node < w->switches; node++)
        hash = random_mix(hash ^ w->first_host[node]) + node;
    return hash;
}

void wiring_cut(const struct wiring *w, uint32_t parts, uint32_t *part)
{
    struct cut_graph g;
    cut_init(&g, w->switches, w->links);
    for (uint32_t node = 0; node < w->switches; node++) {
        cut_node(&g, node);
        for (unsigned port = 0; port < w->ports[node]; port++)
            cut_link(&g, node, w->end[(size_t)node * w->radix + port].node);
    }
    cut(&g, parts, part);
    cut_fini(&g);
}
