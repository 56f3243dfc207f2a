/* Mappings of ranks: every order against its definition, map files, and every kind of wrong order
 * or file with its message. */
#include "group.h"
#include "testing.h"

#include <unistd.h>

#include "message/mapping.h"

/* 2x3x4 nodes with two processors each: no two coordinates can be confused. */
static struct mapping_options brick(void)
{
    return (struct mapping_options){.dims = 3, .size = {2, 3, 4}, .letters = "XYZ", .per_node = 2};
}

/* A graph of nodes that have only numbers. */
static struct mapping_options graph(uint32_t nodes, uint32_t per_node)
{
    return (struct mapping_options){
        .dims = 1, .size = {nodes}, .letters = "N", .per_node = per_node};
}

static uint32_t places_of(const struct mapping_options *o)
{
    uint32_t processors = o->per_node;
    for (unsigned d = 0; d < o->dims; d++)
        processors *= o->size[d];
    return processors;
}

/* The two tables are inverse, and nobody runs on a dead node. */
static void check_tables(const struct mapping_options *o, const struct mapping *m)
{
    uint32_t used = 0;
    for (uint32_t processor = 0; processor < places_of(o); processor++)
        if (m->rank[processor] != MAPPING_NONE) {
            assert_true(m->rank[processor] < m->ranks);
            assert_int_equal(m->processor[m->rank[processor]], processor);
            assert_false(o->dead && o->dead[processor / o->per_node]);
            used++;
        }
    assert_int_equal(used, m->ranks);
}

static struct mapping made(const struct mapping_options *o, const char *text)
{
    struct mapping m;
    if (mapping_create(o, text, &m) != WEFT_OK)
        fail_msg("%s: %s", text, weft_last_error());
    check_tables(o, &m);
    return m;
}

static struct mapping read_text(const struct mapping_options *o, const char *text)
{
    struct mapping m;
    if (mapping_read_text(o, "m", text, strlen(text), &m) != WEFT_OK)
        fail_msg("%s", weft_last_error());
    check_tables(o, &m);
    return m;
}

static uint32_t processor_of(const struct mapping_options *o, uint32_t x, uint32_t y, uint32_t z,
                             uint32_t t)
{
    struct torus torus = {.dims = 3, .size = {o->size[0], o->size[1], o->size[2]}};
    return torus_node(&torus, (uint32_t[]){x, y, z}) * o->per_node + t;
}

/* ---- orders ---- */

static void x_varies_fastest_and_t_slowest_in_xyzt(void **state)
{
    (void)state;
    struct mapping_options o = brick();
    struct mapping m = made(&o, "XYZT");
    assert_int_equal(m.ranks, 48);
    assert_int_equal(m.processor[0], processor_of(&o, 0, 0, 0, 0));
    assert_int_equal(m.processor[1], processor_of(&o, 1, 0, 0, 0));
    assert_int_equal(m.processor[2], processor_of(&o, 0, 1, 0, 0));
    assert_int_equal(m.processor[6], processor_of(&o, 0, 0, 1, 0));
    assert_int_equal(m.processor[24], processor_of(&o, 0, 0, 0, 1));
    assert_int_equal(m.processor[47], processor_of(&o, 1, 2, 3, 1));
    mapping_fini(&m);
}

static void txyz_fills_node_after_node(void **state)
{
    (void)state;
    struct mapping_options o = brick();
    struct mapping m = made(&o, "TXYZ");
    for (uint32_t rank = 0; rank < 48; rank++)
        assert_int_equal(m.processor[rank], rank);
    mapping_fini(&m);
}

/* Rank by rank, by four nested loops with the order's first letter innermost. */
static void check_order(const struct mapping_options *o, const char *order)
{
    const uint32_t size[] = {o->size[0], o->size[1], o->size[2], o->per_node};
    unsigned at[4];
    for (unsigned i = 0; i < 4; i++)
        at[i] = (unsigned)(strchr("XYZT", order[i]) - "XYZT");
    struct mapping m = made(o, order);
    uint32_t rank = 0, c[4];
    for (c[at[3]] = 0; c[at[3]] < size[at[3]]; c[at[3]]++)
        for (c[at[2]] = 0; c[at[2]] < size[at[2]]; c[at[2]]++)
            for (c[at[1]] = 0; c[at[1]] < size[at[1]]; c[at[1]]++)
                for (c[at[0]] = 0; c[at[0]] < size[at[0]]; c[at[0]]++)
                    assert_int_equal(m.processor[rank++], processor_of(o, c[0], c[1], c[2], c[3]));
    assert_int_equal(m.ranks, rank);
    mapping_fini(&m);
}

static void every_order_is_its_nest_of_loops(void **state)
{
    (void)state;
    struct mapping_options o = brick();
    unsigned orders = 0;
    for (unsigned code = 0; code < 256; code++) {
        char order[] = {"XYZT"[code & 3], "XYZT"[code >> 2 & 3], "XYZT"[code >> 4 & 3],
                        "XYZT"[code >> 6], '\0'};
        if (!strchr(order, 'X') || !strchr(order, 'Y') || !strchr(order, 'Z') ||
            !strchr(order, 'T'))
            continue;
        check_order(&o, order);
        orders++;
    }
    assert_int_equal(orders, 24);
}

static void case_does_not_matter(void **state)
{
    (void)state;
    struct mapping_options o = brick();
    struct mapping upper = made(&o, "ZTXY"), mixed = made(&o, "zTxY");
    assert_memory_equal(upper.processor, mixed.processor, 48 * sizeof(uint32_t));
    mapping_fini(&upper);
    mapping_fini(&mixed);
}

static void a_graph_has_the_orders_nt_and_tn(void **state)
{
    (void)state;
    struct mapping_options o = graph(3, 2);
    struct mapping nt = made(&o, "NT"), tn = made(&o, "tn");
    assert_memory_equal(nt.processor, ((uint32_t[]){0, 2, 4, 1, 3, 5}), 6 * sizeof(uint32_t));
    assert_memory_equal(tn.processor, ((uint32_t[]){0, 1, 2, 3, 4, 5}), 6 * sizeof(uint32_t));
    mapping_fini(&nt);
    mapping_fini(&tn);
}

static void six_dimensions_have_orders_too(void **state)
{
    (void)state;
    struct mapping_options o = {
        .dims = 6, .size = {2, 2, 2, 2, 2, 3}, .letters = "XYZUVW", .per_node = 1};
    struct mapping m = made(&o, "WVUZYXT");
    assert_int_equal(m.ranks, 96);
    assert_int_equal(m.processor[1], 32);
    assert_int_equal(m.processor[3], 16);
    assert_int_equal(m.processor[95], 95);
    mapping_fini(&m);
}

static void orders_skip_dead_nodes(void **state)
{
    (void)state;
    bool dead[4] = {[1] = true};
    struct mapping_options o = graph(4, 2);
    o.dead = dead;
    struct mapping nt = made(&o, "NT"), tn = made(&o, "TN");
    assert_int_equal(nt.ranks, 6);
    assert_memory_equal(nt.processor, ((uint32_t[]){0, 4, 6, 1, 5, 7}), 6 * sizeof(uint32_t));
    assert_memory_equal(tn.processor, ((uint32_t[]){0, 1, 4, 5, 6, 7}), 6 * sizeof(uint32_t));
    mapping_fini(&nt);
    mapping_fini(&tn);
}

static void an_order_ends_with_the_ranks_that_are_wanted(void **state)
{
    (void)state;
    struct mapping_options o = graph(4, 2);
    o.processes = 5;
    struct mapping m = made(&o, "NT");
    assert_int_equal(m.ranks, 5);
    assert_memory_equal(m.processor, ((uint32_t[]){0, 2, 4, 6, 1}), 5 * sizeof(uint32_t));
    assert_int_equal(m.rank[3], MAPPING_NONE);
    mapping_fini(&m);
    o.processes = 8;
    m = made(&o, "NT");
    assert_int_equal(m.ranks, 8);
    mapping_fini(&m);
}

static void refused_order(const struct mapping_options *o, const char *text, const char *message)
{
    struct mapping m = {.ranks = 7};
    assert_int_equal(mapping_create(o, text, &m), WEFT_BAD_INPUT);
    assert_string_equal(weft_last_error(), message);
    assert_int_equal(m.ranks, 7); /* outputs are set only on success */
}

static void texts_that_are_no_permutation_are_refused(void **state)
{
    (void)state;
#define RIGHT "; use each letter of XYZT once, or ./NAME for a file"
    static const char *const wrong[][2] = {
        {"", "order '' lacks XYZT" RIGHT},
        {"XYZ", "order 'XYZ' lacks T" RIGHT},
        {"x", "order 'x' lacks YZT" RIGHT},
        {"XXYT", "order 'XXYT' repeats X and lacks Z" RIGHT},
        {"XYZTt", "order 'XYZTt' repeats T" RIGHT},
        {"zxzyxtz", "order 'zxzyxtz' repeats XZ" RIGHT},
    };
#undef RIGHT
    struct mapping_options o = brick();
    for (unsigned i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
        refused_order(&o, wrong[i][0], wrong[i][1]);
    o = graph(4, 1);
    refused_order(&o, "N", "order 'N' lacks T; use each letter of NT once, or ./NAME for a file");
}

static void a_very_long_order_is_cut_in_its_message(void **state)
{
    (void)state;
    char text[5001], message[200];
    memset(text, 'X', sizeof(text) - 1);
    text[sizeof(text) - 1] = '\0';
    snprintf(message, sizeof(message),
             "order '%.60s' repeats X and lacks YZT; use each letter of XYZT once, or ./NAME for a "
             "file",
             text);
    struct mapping_options o = brick();
    refused_order(&o, text, message);
}

static void more_processes_than_places_are_refused(void **state)
{
    (void)state;
    bool dead[4] = {[1] = true, [2] = true};
    struct mapping_options o = graph(4, 2);
    const char *message =
        "5 processes are more than the 4 processors on living nodes; use fewer, or "
        "more processes per node";
    struct mapping m;
    o.dead = dead;
    o.processes = 5;
    refused_order(&o, "NT", message);
    assert_int_equal(mapping_read_text(&o, "m", "0\n", 2, &m), WEFT_BAD_INPUT);
    assert_string_equal(weft_last_error(), message);
    dead[0] = dead[3] = true;
    refused_order(&o, "NT", "all nodes are dead; leave some alive");
}

/* ---- map files ---- */

static void a_file_gives_each_rank_its_place(void **state)
{
    (void)state;
    struct mapping_options o = brick();
    struct mapping m = read_text(&o, "# ranks 0 to 3\n\n1 2 3 1\r\n \t0 0 0 0 # a comment\n\r\n"
                                     "1\t0 002 0\n#0 0 0 1\n0 1 0 1");
    assert_int_equal(m.ranks, 4);
    assert_int_equal(m.processor[0], processor_of(&o, 1, 2, 3, 1));
    assert_int_equal(m.processor[1], processor_of(&o, 0, 0, 0, 0));
    assert_int_equal(m.processor[2], processor_of(&o, 1, 0, 2, 0));
    assert_int_equal(m.processor[3], processor_of(&o, 0, 1, 0, 1));
    mapping_fini(&m);
}

static void without_t_it_is_zero(void **state)
{
    (void)state;
    struct mapping_options o = brick();
    struct mapping m = read_text(&o, "1 2 3\n0 0 0\n");
    assert_int_equal(m.ranks, 2);
    assert_int_equal(m.processor[0], processor_of(&o, 1, 2, 3, 0));
    assert_int_equal(m.processor[1], processor_of(&o, 0, 0, 0, 0));
    mapping_fini(&m);
}

static void a_graph_file_names_nodes_by_number(void **state)
{
    (void)state;
    struct mapping_options o = graph(4, 2);
    struct mapping m = read_text(&o, "3 1\n0 0\n3 0\n");
    assert_memory_equal(m.processor, ((uint32_t[]){7, 0, 6}), 3 * sizeof(uint32_t));
    mapping_fini(&m);
    m = read_text(&o, "3\n1\n");
    assert_memory_equal(m.processor, ((uint32_t[]){6, 2}), 2 * sizeof(uint32_t));
    mapping_fini(&m);
}

static void lines_beyond_the_ranks_that_are_wanted_are_ignored(void **state)
{
    (void)state;
    bool dead[4] = {[1] = true};
    struct mapping_options o = graph(4, 1);
    o.dead = dead;
    o.processes = 2;
    /* beyond: a processor given twice, a dead node, no such node */
    struct mapping m = read_text(&o, "3\n0\n3\n1\n4294967295\n");
    assert_int_equal(m.ranks, 2);
    assert_memory_equal(m.processor, ((uint32_t[]){3, 0}), 2 * sizeof(uint32_t));
    assert_int_equal(m.rank[2], MAPPING_NONE);
    mapping_fini(&m);
}

static void a_file_that_lists_an_order_is_that_order(void **state)
{
    (void)state;
    struct mapping_options o = brick();
    char text[2000];
    size_t at = 0;
    for (unsigned t = 0; t < 2; t++)
        for (unsigned z = 0; z < 4; z++)
            for (unsigned y = 0; y < 3; y++)
                for (unsigned x = 0; x < 2; x++)
                    at += (size_t)sprintf(text + at, "%u %u %u %u\n", x, y, z, t);
    struct mapping file = read_text(&o, text), order = made(&o, "XYZT");
    assert_int_equal(file.ranks, 48);
    assert_memory_equal(file.processor, order.processor, 48 * sizeof(uint32_t));
    assert_memory_equal(file.rank, order.rank, 48 * sizeof(uint32_t));
    mapping_fini(&file);
    mapping_fini(&order);
}

/* 131,072 ranks on 64x32x32 nodes, by path, the last rank first. */
static void a_large_file_is_read_by_its_path(void **state)
{
    (void)state;
    char path[] = "/tmp/weft-test-mapping-XXXXXX";
    FILE *f = fdopen(mkstemp(path), "w");
    struct mapping_options o = {
        .dims = 3, .size = {64, 32, 32}, .letters = "XYZ", .per_node = 2, .processes = 131072};
    for (uint32_t processor = 131072; processor-- > 0;)
        fprintf(f, "%u %u %u %u\n", processor / 2 % 64, processor / 128 % 32, processor / 4096,
                processor % 2);
    fclose(f);
    struct mapping m = made(&o, path);
    unlink(path);
    assert_int_equal(m.ranks, 131072);
    for (uint32_t rank = 0; rank < m.ranks; rank++)
        assert_int_equal(m.processor[rank], 131071 - rank);
    mapping_fini(&m);
}

static void refused_text(const struct mapping_options *o, const char *text, size_t size,
                         const char *message)
{
    struct mapping m = {.ranks = 7};
    assert_int_equal(mapping_read_text(o, "m", text, size, &m), WEFT_BAD_INPUT);
    assert_string_equal(weft_last_error(), message);
    assert_int_equal(m.ranks, 7);
}

#define FORM "write one line per rank, x y z t"

static void wrong_files_are_refused(void **state)
{
    (void)state;
    static const char *const wrong[][2] = {
        {"", "m:1:1: no rank; " FORM},
        {"# nothing\n\n", "m:3:1: no rank; " FORM},
        {"0 0 0 0\na 0 0 0\n", "m:2:1: 'a' is not a number; " FORM},
        {"0 0 x 0\n", "m:1:5: 'x' is not a number; " FORM},
        {"0 0 0x1\n", "m:1:6: 'x' is not a number; " FORM},
        {"0 0.5 0\n", "m:1:4: '.' is not a number; " FORM},
        {"0,0,0\n", "m:1:2: ',' is not a number; " FORM},
        {"0 0 -\n", "m:1:5: '-' is not a number; " FORM},
        {"0 0 \xff\n", "m:1:5: byte 0xff is not a number; " FORM},
        {"\x7f"
         "ELF",
         "m:1:1: byte 0x7f is not a number; " FORM},
        {"\xef\xbb\xbf"
         "0 0 0\n",
         "m:1:1: byte 0xef is not a number; " FORM},
        {"0 0 -1 0\n", "m:1:5: a number with a sign; count from 0, without signs"},
        {"+1 0 0 0\n", "m:1:1: a number with a sign; count from 0, without signs"},
        {"0 0 0 0 -1\n", "m:1:9: a number with a sign; count from 0, without signs"},
        {"2 0 0 0\n", "m:1:1: x = 2 is out of range; use 0 to 1"},
        {"1 3 0 0\n", "m:1:3: y = 3 is out of range; use 0 to 2"},
        {"# z\n1 2  4\n", "m:2:6: z = 4 is out of range; use 0 to 3"},
        {"1 2 3 2\n", "m:1:7: t = 2 is out of range; use 0 to 1"},
        {"0 4294967296 0 0\n", "m:1:3: y = 4294967296 is out of range; use 0 to 2"},
        {"0 0 123456789012345678901234567890\n",
         "m:1:5: z = 12345678901234567890 is out of range; use 0 to 3"},
        {"0 0 0 0\n1\n", "m:2:1: 1 of 3 coordinates; " FORM},
        {" 0 0 # 0 0\n", "m:1:2: 2 of 3 coordinates; " FORM},
        {"0 0\r\n", "m:1:1: 2 of 3 coordinates; " FORM},
        {"0 0 0 0 0\n", "m:1:9: more than 4 numbers; " FORM},
        {"0 0 0 0 here\n", "m:1:9: 'h' is not a number; " FORM},
        {"0 0 0 0x\n", "m:1:8: 'x' is not a number; " FORM},
        {"\n0 0 0 0\n0 0 1\n", "m:3:1: no t, but line 2 has one; give t on every line or on none"},
        {"0 0 0\n0 0 1 0\n", "m:2:1: a t, but line 1 has none; give t on every line or on none"},
        {"0 0 0 0\n1 2 3 1\n\n1 2 3 1\n",
         "m:4:1: 1 2 3 1 is given twice, first on line 2; give each rank a processor of its own"},
        {"0 0 1\n  00 0 1\n",
         "m:2:3: 0 0 1 is given twice, first on line 1; give each rank a processor of its own"},
    };
    struct mapping_options o = brick();
    for (unsigned i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
        refused_text(&o, wrong[i][0], strlen(wrong[i][0]), wrong[i][1]);
    refused_text(&o, "0 0 \0", 5, "m:1:5: a NUL byte; name a text file");
    refused_text(&o, "0 0 0\n# \0\n", 10, "m:2:3: a NUL byte; name a text file");
    refused_text(&o, "0 0 -", 5, "m:1:5: '-' is not a number; " FORM);
    o.per_node = 1;
    refused_text(&o, "0 0 0 1\n", 8, "m:1:7: t = 1 is out of range; use 0");
}

/* What the text behind the last byte would say must not matter. */
static void a_file_ends_where_its_size_says(void **state)
{
    (void)state;
    struct mapping_options o = brick();
    char *text = malloc(7); /* ASan watches its end */
    memcpy(text, "1 1 1 1", 7);
    struct mapping m;
    assert_int_equal(mapping_read_text(&o, "m", text, 7, &m), WEFT_OK);
    assert_int_equal(m.processor[0], processor_of(&o, 1, 1, 1, 1));
    mapping_fini(&m);
    assert_int_equal(mapping_read_text(&o, "m", text, 5, &m), WEFT_OK);
    assert_int_equal(m.processor[0], processor_of(&o, 1, 1, 1, 0));
    mapping_fini(&m);
    free(text);
}

static void dead_nodes_are_refused(void **state)
{
    (void)state;
    bool dead[24] = {[7] = true}; /* 1 0 1 */
    struct mapping_options o = brick();
    o.dead = dead;
    refused_text(&o, "0 0 0 0\n1 0 1 0\n", 16,
                 "m:2:1: node 1 0 1 is dead; give rank 1 a living node");
}

static void too_few_ranks_are_refused(void **state)
{
    (void)state;
    struct mapping_options o = brick();
    o.processes = 3;
    refused_text(&o, "0 0 0\n0 0 1\n", 12,
                 "m:3:1: only 2 of 3 ranks; add lines or use fewer processes");
    refused_text(&o, "0 0 0", 5, "m:2:1: only 1 of 3 ranks; add lines or use fewer processes");
}

static void lines_beyond_the_ranks_that_are_wanted_must_have_their_form(void **state)
{
    (void)state;
    static const char *const wrong[][2] = {
        {"0 0 0 0\n0 0 0\n", "m:2:1: no t, but line 1 has one; give t on every line or on none"},
        {"0 0 0 0\n0 0\n", "m:2:1: 2 of 3 coordinates; " FORM},
        {"0 0 0 0\n0 0 0 0 0\n", "m:2:9: more than 4 numbers; " FORM},
        {"0 0 0 0\n0 0 zero 0\n", "m:2:5: 'z' is not a number; " FORM},
        {"0 0 0 0\n0 4294967296 0 0\n", "m:2:3: y = 4294967296 is out of range; use 0 to 2"},
    };
    struct mapping_options o = brick();
    o.processes = 1;
    for (unsigned i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
        refused_text(&o, wrong[i][0], strlen(wrong[i][0]), wrong[i][1]);
}

static void wrong_paths_are_refused(void **state)
{
    (void)state;
    struct mapping_options o = brick();
    refused_order(&o, "XYZW",
                  "XYZW: No such file or directory; name a map file, or an order of "
                  "the letters XYZT");
    refused_order(&o, "./XYZ",
                  "./XYZ: No such file or directory; name a map file, or an order of "
                  "the letters XYZT");
    refused_order(&o, "/", "/: Is a directory; name a map file");
    refused_order(&o, "/dev/zero", "/dev/zero: is over 64 MiB; name a map file");
}

/* Every processor once; neighbours along a row of the grid are neighbours in the machine, and no
 * two that are neighbours in the grid are far away. */
static void a_folded_grid_keeps_neighbours(void **state)
{
    (void)state;
    static const struct {
        uint32_t size[3], columns, rows;
        const char *text;
    } cases[] = {{{4, 4, 4}, 8, 8, "fold:8x8"},   {{4, 4, 4}, 16, 4, "fold:16x4"},
                 {{4, 4, 4}, 4, 16, "fold:4x16"}, {{8, 8, 8}, 16, 32, "fold:16x32"},
                 {{2, 3, 6}, 4, 9, "fold:4x9"},   {{5, 5, 1}, 5, 5, "fold"}};
    for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct mapping_options o = {.dims = 3, .letters = "XYZ", .per_node = 1};
        struct mapping m;
        struct torus t = {.dims = 3};
        memcpy(o.size, cases[i].size, sizeof(cases[i].size));
        memcpy(t.size, cases[i].size, sizeof(cases[i].size));
        t.nodes = o.size[0] * o.size[1] * o.size[2];
        assert_int_equal(mapping_create(&o, cases[i].text, &m), WEFT_OK);
        assert_int_equal(m.ranks, t.nodes);
        for (uint32_t rank = 0; rank < m.ranks; rank++) {
            assert_int_equal(m.rank[m.processor[rank]], rank);
            if ((rank + 1) % cases[i].columns)
                assert_int_equal(torus_distance(&t, m.processor[rank], m.processor[rank + 1]), 1);
            uint32_t below = rank + cases[i].columns, strips = cases[i].columns / o.size[0];
            if (below < m.ranks)
                assert_true(torus_distance(&t, m.processor[rank], m.processor[below]) < 2 * strips);
        }
        mapping_fini(&m);
    }
}

static void what_cannot_be_folded_is_refused(void **state)
{
    (void)state;
    static const char *const wrong[] = {"fold:6x6", "fold:8x9", "fold:64x1",
                                        "fold:",    "fold:x",   "fold:4x4x4"};
    for (unsigned i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        struct mapping_options o = {
            .dims = 3, .size = {4, 4, 4}, .letters = "XYZ", .per_node = 1 + i % 2};
        struct mapping m;
        if (strcmp(wrong[i], "fold:") != 0)
            assert_int_equal(mapping_create(&o, wrong[i], &m), WEFT_BAD_INPUT);
    }
}

GROUP(mapping)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(x_varies_fastest_and_t_slowest_in_xyzt),
        cmocka_unit_test(txyz_fills_node_after_node),
        cmocka_unit_test(every_order_is_its_nest_of_loops),
        cmocka_unit_test(case_does_not_matter),
        cmocka_unit_test(a_graph_has_the_orders_nt_and_tn),
        cmocka_unit_test(six_dimensions_have_orders_too),
        cmocka_unit_test(orders_skip_dead_nodes),
        cmocka_unit_test(an_order_ends_with_the_ranks_that_are_wanted),
        cmocka_unit_test(texts_that_are_no_permutation_are_refused),
        cmocka_unit_test(a_very_long_order_is_cut_in_its_message),
        cmocka_unit_test(more_processes_than_places_are_refused),
        cmocka_unit_test(a_file_gives_each_rank_its_place),
        cmocka_unit_test(without_t_it_is_zero),
        cmocka_unit_test(a_graph_file_names_nodes_by_number),
        cmocka_unit_test(lines_beyond_the_ranks_that_are_wanted_are_ignored),
        cmocka_unit_test(a_file_that_lists_an_order_is_that_order),
        cmocka_unit_test(a_large_file_is_read_by_its_path),
        cmocka_unit_test(wrong_files_are_refused),
        cmocka_unit_test(a_file_ends_where_its_size_says),
        cmocka_unit_test(dead_nodes_are_refused),
        cmocka_unit_test(too_few_ranks_are_refused),
        cmocka_unit_test(lines_beyond_the_ranks_that_are_wanted_must_have_their_form),
        cmocka_unit_test(wrong_paths_are_refused),
        cmocka_unit_test(a_folded_grid_keeps_neighbours),
        cmocka_unit_test(what_cannot_be_folded_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
