/* Any bytes as a file of rates, on a torus with a dead node, on a graph and on three nodes. Rates
 * that are read add up, and what is drawn by them is a pair. */
#include "fuzz.h"

#include "workload/patterns/patterns.h"

static const bool dead[6] = {[4] = true};
static const struct torus torus = {.dims = 3, .size = {3, 2, 1}, .wrap = {true}, .nodes = 6};
static const struct site sites[] = {{.nodes = 6, .endpoints = 6, .dead = dead, .torus = &torus},
                                    {.nodes = 6, .endpoints = 6},
                                    {.nodes = 3, .endpoints = 3}};

static void must(bool condition)
{
    if (!condition)
        abort();
}

static void check_endpoint(const struct site *site, const struct rates *r, uint32_t endpoint)
{
    size_t first = r->first[endpoint], end = r->first[endpoint + 1];
    double before = 0;
    must(first <= end && r->of[endpoint] >= 0 && r->of[endpoint] <= r->busiest);
    for (size_t i = first; i < end; i++) {
        must(r->to[i] < site->endpoints && r->to[i] != endpoint);
        must(!site->dead || !(site->dead[endpoint] || site->dead[r->to[i]]));
        must(r->up_to[i] >= before && r->up_to[i] <= 1 && rates_share(r, endpoint, i) >= 0);
        before = r->up_to[i];
    }
    for (uint64_t draw = 0; draw < 8; draw++) {
        uint32_t to = rates_draw(r, endpoint, draw << 61);
        must(first < end ? to != endpoint && to < site->endpoints : to == endpoint);
    }
    must(first == end || before == 1);
}

int fuzz_rates(const uint8_t *data, size_t size)
{
    for (unsigned i = 0; i < sizeof(sites) / sizeof(sites[0]); i++) {
        struct rates *r;
        if (rates_read_text(&sites[i], i % 2 ? RATES_ABSOLUTE : RATES_RELATIVE, "fuzz",
                            (const char *)data, size, &r) != WEFT_OK)
            continue;
        must(r->senders > 0 && r->busiest > 1 - 1e-9);
        for (uint32_t endpoint = 0; endpoint < r->endpoints; endpoint++)
            check_endpoint(&sites[i], r, endpoint);
        rates_free(r);
    }
    return 0;
}
