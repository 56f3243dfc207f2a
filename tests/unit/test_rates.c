/*
 * Rates of a file: lines and rows mean the same, nodes have numbers and coordinates, packets are
 * drawn as often as the rates say, and what is wrong is named with line and column. Lists of pairs.
 */
#include "group.h"
#include "testing.h"

#include "base/random.h"
#include "workload/names.h"
#include "workload/patterns/patterns.h"

static const bool dead[6] = {[4] = true};
static const struct torus torus = {.dims = 2, .size = {3, 2}, .nodes = 6};
static const struct site plain = {.nodes = 4, .endpoints = 4};
static const struct site placed = {.nodes = 6, .endpoints = 6, .dead = dead, .torus = &torus};

static struct rates *read_rates(const struct site *site, const char *text)
{
    struct rates *r;
    if (rates_read_text(site, RATES_RELATIVE, "f", text, strlen(text), &r) != WEFT_OK)
        fail_msg("%s", weft_last_error());
    return r;
}

static void lines_and_rows_mean_the_same(void **state)
{
    (void)state;
    struct rates *lines = read_rates(&plain, "0 1 3\n0 2 1 # comment\n\n2 0 .5\n0 1 1\n1 3 0\n");
    struct rates *rows = read_rates(&plain, "0 4 1 0\n0 0 0 0\n0.5 0 0 0\n 0 0 0 0");
    for (unsigned i = 0; i < 2; i++) {
        const struct rates *r = i ? rows : lines;
        assert_int_equal(r->senders, 2);
        assert_near(r->of[0], 2 * 5 / 5.5, 1e-12);
        assert_near(r->of[2], 2 * 0.5 / 5.5, 1e-12);
        assert_near(r->of[1] + r->of[3], 0, 0);
        assert_near(r->busiest, r->of[0], 0);
        assert_near(rates_share(r, 0, r->first[0]), 0.8, 1e-12);
        assert_near(rates_share(r, 0, r->first[0] + 1), 0.2, 1e-12);
        assert_int_equal(r->first[4], 3);
    }
    rates_free(lines);
    rates_free(rows);
}

static void packets_are_drawn_by_their_rates(void **state)
{
    (void)state;
    enum { DRAWS = 100000 };
    struct rates *r = read_rates(&plain, "0 1 5\n0 2 1\n0 3 4\n1 3 1\n");
    uint32_t count[4] = {0};
    for (uint32_t i = 0; i < DRAWS; i++) {
        count[rates_draw(r, 0, random_draw(7, i))]++;
        assert_int_equal(rates_draw(r, 1, random_draw(7, i)), 3);
        assert_int_equal(rates_draw(r, 2, random_draw(7, i)), 2); /* it is silent */
    }
    assert_int_equal(count[0], 0);
    assert_near(count[1], 0.5 * DRAWS, 700);
    assert_near(count[2], 0.1 * DRAWS, 400);
    assert_near(count[3], 0.4 * DRAWS, 700);
    assert_int_equal(rates_draw(r, 0, 0), 1);
    assert_int_equal(rates_draw(r, 0, UINT64_MAX), 3);
    rates_free(r);
}

static void nodes_have_coordinates(void **state)
{
    (void)state;
    struct rates *r = read_rates(&placed, "1/0 2/1 1\n5 0/0 1\n");
    assert_int_equal(rates_draw(r, 1, 0), 5);
    assert_int_equal(rates_draw(r, 5, 0), 0);
    rates_free(r);
}

static void places_of_nodes_are_found(void **state)
{
    (void)state;
    const uint32_t node_at[] = {1, 4, 9};
    const struct site site = {.nodes = 12, .endpoints = 3, .node_at = node_at};
    for (uint32_t node = 0; node < 14; node++)
        assert_int_equal(site_find_endpoint(&site, node), node == 1   ? 0
                                                          : node == 4 ? 1
                                                          : node == 9 ? 2
                                                                      : NOBODY);
}

static void absolute_rates_have_units(void **state)
{
    (void)state;
    struct rates *r;
    const char text[] = "0 1 1.5GB/s\n0 2 500\n2 0 8Mb/s\n", bad[] = "0 1 1GB\n";
    assert_int_equal(rates_read_text(&plain, RATES_ABSOLUTE, "f", text, strlen(text), &r), WEFT_OK);
    assert_near(r->mean, (1500 + 500 + 1) / 2.0, 1e-9);
    assert_near(r->of[0], 2000 / r->mean, 1e-9);
    rates_free(r);
    assert_int_equal(rates_read_text(&plain, RATES_ABSOLUTE, "f", bad, strlen(bad), &r),
                     WEFT_BAD_INPUT);
    assert_string_equal(weft_last_error(), "f:1:5: '1GB' is not a rate; use numbers from 0 on, in "
                                           "MB/s or with a unit as 1.5GB/s");
}

static void what_is_wrong_is_named(void **state)
{
    (void)state;
    static const struct {
        const struct site *site;
        const char *text, *wrong;
    } cases[] = {
        {&plain, "0 1 1\n0 4 1", "f:2:3: '4' is not a node; use a number below 4"},
        {&plain, "0 1/0 1", "f:1:3: '1/0' is not a node; use a number below 4"},
        {&plain, "0 0 1", "f:1:1: a node does not send to itself; use 0"},
        {&plain, "0 1 0\n", "f: no rate is above 0"},
        {&plain, "", "f: no rate is above 0"},
        {&plain, "0 0 1 1\n0 0 0 0\n", "f: it has 2 rows for 4 nodes"},
        {&plain, "0 0 1 1\n0 0 0\n", "f:2:6: the line ends before its rate"},
        {&plain, "0 1 \x01", "f:1:5: byte 0x01 is not a rate"},
        {&plain, "0 1 2GB/s",
         "f:1:5: '2GB/s' is not a rate; use numbers from 0 to 1e30, which "
         "workload.load scales; units need workload.rates=absolute"},
        {&plain, "0 1 1e31", "f:1:5: '1e31' is not a rate"},
        {&placed, "0 4 1", "f:1:3: node 4 is dead"},
        {&placed, "0/0 3/0 1", "f:1:5: '3/0' is not a node; use a number below 6, or coordinates"},
    };
    for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct rates *r = NULL;
        weft_status status = rates_read_text(cases[i].site, RATES_RELATIVE, "f", cases[i].text,
                                             strlen(cases[i].text), &r);
        assert_int_equal(status, WEFT_BAD_INPUT);
        if (strncmp(weft_last_error(), cases[i].wrong, strlen(cases[i].wrong)) != 0)
            fail_msg("'%s': %s, not %s", cases[i].text, weft_last_error(), cases[i].wrong);
    }
}

/* ---- pairs ---- */

static void lists_and_files_of_pairs_mean_the_same(void **state)
{
    (void)state;
    static struct pairs_params p;
    static struct workload w = {.site = &placed, .as = LAYER_PACKETS, .processes = 9};
    struct pair_list list = {.pair = NULL}, file = {.pair = NULL};
    snprintf(p.list, sizeof(p.list), "0-5,1/0-2/1,3-0/0");
    assert_int_equal(pair_list_read(&w, &p, &list), WEFT_OK);
    const char text[] = "0 5\n1/0 2/1\n\n3 0\n";
    assert_int_equal(pair_list_read_text(&w, "f", text, strlen(text), &file), WEFT_OK);
    assert_int_equal(list.count, 3);
    assert_int_equal(file.count, 3);
    assert_memory_equal(list.pair, file.pair, 3 * sizeof(*list.pair));
    assert_int_equal(list.pair[1].to, 5);
    free(list.pair);
    free(file.pair);
}

static void pairs_of_processes_have_numbers(void **state)
{
    (void)state;
    static struct pairs_params p;
    static struct workload w = {.site = &placed, .as = LAYER_MESSAGES, .processes = 9};
    static const char *const wrong[] = {"0-9", "0/0-1", "1-1",  "3",     "3-",
                                        "-3",  "3-4,",  ",3-4", "3-4-5", "3 - 4"};
    struct pair_list list = {.pair = NULL};
    snprintf(p.list, sizeof(p.list), "8-0");
    assert_int_equal(pair_list_read(&w, &p, &list), WEFT_OK);
    assert_int_equal(list.pair[0].from, 8);
    for (unsigned i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        snprintf(p.list, sizeof(p.list), "%s", wrong[i]);
        assert_int_equal(pair_list_read(&w, &p, &list), WEFT_BAD_INPUT);
    }
    free(list.pair);
}

GROUP(rates)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_and_rows_mean_the_same),
        cmocka_unit_test(packets_are_drawn_by_their_rates),
        cmocka_unit_test(nodes_have_coordinates),
        cmocka_unit_test(places_of_nodes_are_found),
        cmocka_unit_test(absolute_rates_have_units),
        cmocka_unit_test(what_is_wrong_is_named),
        cmocka_unit_test(lists_and_files_of_pairs_mean_the_same),
        cmocka_unit_test(pairs_of_processes_have_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
