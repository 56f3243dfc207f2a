/* Any bytes as a file of switches, or as the text of a graph; a small one is routed, proved and cut
 * as well. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "fabric/switches/proof.h"

enum { MOST_SWITCHES = 60 };

static void prove(const struct wiring *w, const struct wiring_routes *routes, unsigned way)
{
    struct switches_routing r;
    struct switches_params p = {.vcs = 1 + way % 8,
                                .algorithm = way % 3,
                                .choice = way / 3 % 2,
                                .when_short = SHORT_LAST,
                                .rule = way % 5};
    char text[4096];
    if (switches_routing_init(&r, &p, w, routes, 1) == WEFT_OK)
        switches_prove(&r, text, sizeof(text));
}

static void use(const struct wiring *w, unsigned way)
{
    struct wiring_routes routes;
    uint32_t part[MOST_SWITCHES];
    wiring_hash(w);
    wiring_cut(w, w->switches > 1 ? 2 : 1, part);
    if (wiring_routes_init(&routes, w) == WEFT_OK)
        prove(w, &routes, way);
    wiring_routes_fini(&routes);
}

/* A text that names no file: those are not the fuzzer's to open. */
static weft_status parse(const char *text, struct wiring *w)
{
    return wiring_make(text, w);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct wiring w;
    unsigned way = size ? data[0] : 0;
    char *text = malloc(size + 1);
    memcpy(text, data, size);
    text[size] = 0;
    weft_status status =
        strchr(text, '\n') ? wiring_read_text("fuzz", text, size, &w) : parse(text, &w);
    free(text);
    if (status == WEFT_OK && w.switches <= MOST_SWITCHES)
        use(&w, way);
    wiring_fini(&w);
    return 0;
}
