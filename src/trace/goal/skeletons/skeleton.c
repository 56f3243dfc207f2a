/* What there is, and its keys. */
#include "trace/goal/skeletons/skeleton.h"

#include <string.h>

#include "base/text/suggest.h"

const struct skeleton *const skeletons[] = {
    &skeleton_halo,   &skeleton_wavefront, &skeleton_fft,      &skeleton_data,
    &skeleton_tensor, &skeleton_pipeline,  &skeleton_training, &skeleton_rings};
const size_t skeleton_count = sizeof(skeletons) / sizeof(skeletons[0]);

const struct skeleton *skeleton_find(const char *name)
{
    for (size_t i = 0; i < skeleton_count; i++)
        if (strcmp(skeletons[i]->name, name) == 0)
            return skeletons[i];
    return NULL;
}

void skeleton_defaults(const struct skeleton *s, struct skeleton_params *p)
{
    *p = (struct skeleton_params){.iterations = 1, .combine_mb_per_s = 1};
    for (size_t i = 0; i < s->keys.keys; i++) {
        weft_status status = key_parse(&s->keys.key[i], s->keys.key[i].default_value, p);
        WEFT_CHECK(status == WEFT_OK, "a default of %s does not fit", s->keys.key[i].name);
    }
}

weft_status skeleton_set(const struct skeleton *s, const char *key, const char *value,
                         struct skeleton_params *p)
{
    for (size_t i = 0; i < s->keys.keys; i++)
        if (strcmp(s->keys.key[i].name, key) == 0)
            return key_parse(&s->keys.key[i], value, p);
    struct suggestion suggestion = suggestion_for(key);
    for (size_t i = 0; i < s->keys.keys; i++)
        suggestion_offer(&suggestion, s->keys.key[i].name);
    return suggestion_remedy(&suggestion, BAD_INPUT(NULL, ("%s has no '%.60s'", s->name, key),
                                                    ("`weft goal --list` lists what it has")));
}

weft_status skeleton_grid(struct skeleton_params *p, unsigned dims)
{
    struct torus *g = &p->grid;
    char text[128];
    if (!g->dims && !p->ranks)
        return BAD_INPUT(NULL, ("no number of ranks"), ("give -n RANKS or grid="));
    if (!g->dims)
        torus_near(p->ranks, dims, g);
    p->ranks = p->ranks ? p->ranks : g->nodes;
    if (g->dims != dims || g->nodes != p->ranks)
        return BAD_INPUT(NULL,
                         ("grid=%s is no grid of %u ranks in %u dimensions", torus_text(g, text),
                          p->ranks, dims),
                         ("use %u sides whose product is that", dims));
    return WEFT_OK;
}

weft_status skeleton_write(const struct skeleton *s, const struct skeleton_params *p,
                           const char *path, bool binary)
{
    struct goal_writer *w;
    TRY(goal_write_open(&w, path, p->ranks, binary));
    for (uint32_t rank = 0; rank < p->ranks; rank++) {
        goal_write_rank(w, rank);
        s->write(p, w, rank);
    }
    return goal_write_close(w);
}
