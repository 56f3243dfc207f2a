/* Any bytes as a map file and as an order, on a torus and on a graph with a dead node, with and
 * without a number of processes. A mapping that is made must be one, and the same once it has been
 * written as a file and read again. */
#include "fuzz.h"

#include "message/mapping.h"

enum { MOST_PLACES = 24 };

static const bool dead[MOST_PLACES] = {[2] = true};
static const struct mapping_options machines[] = {
    {.dims = 3, .size = {2, 2, 3}, .letters = "XYZ", .per_node = 2},
    {.dims = 3, .size = {2, 2, 3}, .letters = "XYZ", .per_node = 2, .dead = dead, .processes = 2},
    {.dims = 1, .size = {5}, .letters = "N", .per_node = 1, .dead = dead},
};

static void must(bool condition)
{
    if (!condition)
        abort();
}

static void check_tables(const struct mapping_options *o, const struct mapping *m)
{
    must(m->ranks > 0 && m->ranks <= MOST_PLACES && (!o->processes || m->ranks == o->processes));
    for (uint32_t rank = 0; rank < m->ranks; rank++) {
        must(m->rank[m->processor[rank]] == rank);
        must(!o->dead || !o->dead[m->processor[rank] / o->per_node]);
    }
}

static void read_again(const struct mapping_options *o, const struct mapping *m)
{
    char text[MOST_PLACES * 16];
    size_t at = 0;
    struct torus torus = {.dims = o->dims, .size = {o->size[0], o->size[1], o->size[2]}};
    struct mapping again;
    for (uint32_t rank = 0; rank < m->ranks; rank++) {
        uint32_t c[TORUS_MAX_DIMS];
        torus_coordinates(&torus, m->processor[rank] / o->per_node, c);
        for (unsigned d = 0; d < o->dims; d++)
            at += (size_t)sprintf(text + at, "%u ", c[d]);
        at += (size_t)sprintf(text + at, "%u\n", m->processor[rank] % o->per_node);
    }
    must(mapping_read_text(o, "again", text, at, &again) == WEFT_OK);
    must(again.ranks == m->ranks);
    must(memcmp(again.processor, m->processor, m->ranks * sizeof(*m->processor)) == 0);
    mapping_fini(&again);
}

static void use(const struct mapping_options *o, weft_status status, struct mapping *m)
{
    if (status != WEFT_OK)
        return;
    check_tables(o, m);
    read_again(o, m);
    mapping_fini(m);
}

int fuzz_mapping(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size);
    bool is_path = text[strspn(text, "XYZNTxyznt")] != '\0'; /* opens no files */
    for (unsigned i = 0; i < sizeof(machines) / sizeof(machines[0]); i++) {
        const struct mapping_options *o = &machines[i];
        struct mapping m;
        use(o, mapping_read_text(o, "fuzz", (const char *)data, size, &m), &m);
        if (!is_path)
            use(o, mapping_create(o, text, &m), &m);
    }
    free(text);
    return 0;
}
