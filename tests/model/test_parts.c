/* Jobs that share a machine: what each does, and that neighbours leave it alone. */
#include "group.h"
#include "models.h"

#include "workload/parts/parts.h"

#define SMALL "machine.dims=6x6x3x2x3x2"

/* Parts on a K computer of the dimensions in `settings`. */
static weft_status configure_parts(struct config *c, const char *settings, const char *parts)
{
    configure(c, "k-computer", settings);
    assert_int_equal(config_set(c, "workload.pattern", "parts", "test"), WEFT_OK);
    assert_int_equal(config_set(c, "workload.parts", parts, "test"), WEFT_OK);
    return machine_finish(c);
}

static weft_status try_parts(const char *settings, const char *parts, uint32_t threads,
                             struct run_result *r)
{
    struct config c;
    struct run_options o = {.threads = threads, .check = true};
    weft_status status = configure_parts(&c, settings, parts);
    if (status == WEFT_OK)
        status = run_config(&c, &o, r);
    config_fini(&c);
    return status;
}

/* Stops the test if a run fails. */
static struct run_result run_parts(const char *settings, const char *parts, uint32_t threads)
{
    struct run_result r;
    if (try_parts(settings, parts, threads, &r) != WEFT_OK)
        fail_msg("%s: %s", parts, weft_last_error());
    return r;
}

static void parts_make(struct test_model *t, const char *settings, const char *parts)
{
    struct run_options o = {.threads = 1};
    if (configure_parts(&t->config, settings, parts) != WEFT_OK ||
        model_create(&t->config, &o, &t->model) != WEFT_OK)
        fail_msg("%s: %s", parts, weft_last_error());
}

static void assert_refused(const char *parts, const char *what)
{
    struct run_result r;
    assert_int_equal(try_parts(SMALL, parts, 1, &r), WEFT_BAD_INPUT);
    if (!strstr(weft_last_error(), what))
        fail_msg("'%s': %s, not %s", parts, weft_last_error(), what);
}

/* ---- alone and among neighbours ---- */

/* A part among others has the digest that it has alone. */
static void assert_left_alone(const char *settings, const char *const part[], unsigned count)
{
    char all[1024] = "";
    for (unsigned i = 0; i < count; i++)
        snprintf(all + strlen(all), sizeof(all) - strlen(all), "%s; ", part[i]);
    struct run_result together = run_parts(settings, all, 1);
    assert_int_equal(together.parts, count);
    for (unsigned i = 0; i < count; i++) {
        struct run_result alone = run_parts(settings, part[i], 1);
        const struct run_part *a = &alone.part[0], *b = &together.part[i];
        assert_true(a->delivered > 0);
        assert_int_equal(a->delivered, b->delivered);
        assert_int_equal(a->digest, b->digest);
        assert_true(a->seconds == b->seconds);
        run_result_fini(&alone);
    }
    run_result_fini(&together);
}

static void packets_of_boxes_are_left_alone(void **state)
{
    (void)state;
    static const char *const parts[] = {"3x3x2@0/0/1 uniform load=0.5", "3x3x2@3/0/1 neighbour",
                                        "3x3x2@0/3/1 tornado load=0.3",
                                        "3x3x2@3/3/1 uniform load=0.7"};
    assert_left_alone(SMALL " workload.warmup_cycles=500 workload.cycles=3000", parts, 4);
}

static void closed_loops_run_beside_open_ones(void **state)
{
    (void)state;
    static const char *const parts[] = {"3x3x2@0/0/1 alltoall packets_per_pair=2",
                                        "3x3x2@3/0/1 uniform load=0.5",
                                        "1x1x1@0/3/1 pingpong message_bytes=4000 messages=20"};
    assert_left_alone(SMALL " workload.as=packets workload.warmup_cycles=500 workload.cycles=3000",
                      parts, 3);
}

static void scripts_run_beside_programs(void **state)
{
    (void)state;
    static const char *const parts[] = {"3x3x1@0/0/1 alltoall message_bytes=500 messages=1",
                                        "2x3x2@3/0/1 program program=halo",
                                        "1x1x2@0/3/1 pingpong hops=2 message_bytes=40000",
                                        "2x2x2@3/3/1 program program=fft processes_per_node=2",
                                        "1x2x1@5/4/1 allreduce messages=20 processes=7"};
    assert_left_alone(SMALL, parts, 5);
}

/* ---- what is measured ---- */

static void parts_add_up_to_the_run(void **state)
{
    (void)state;
    struct run_result r =
        run_parts(SMALL " workload.as=packets",
                  "2x2x2@0/0/1 alltoall; nodes:0-11,20 alltoall packets_per_pair=3", 1);
    assert_int_equal(r.part[0].delivered, 96 * 95);
    assert_int_equal(r.part[1].delivered, 13 * 12 * 3);
    assert_int_equal(r.measure.delivered, r.part[0].delivered + r.part[1].delivered);
    assert_int_equal(r.measure.digest, r.part[0].digest + r.part[1].digest);
    assert_int_equal(r.measure.payload_bytes, r.part[0].payload_bytes + r.part[1].payload_bytes);
    run_result_fini(&r);
}

static void any_number_of_threads_gives_one_answer(void **state)
{
    (void)state;
    static const char parts[] = "2x2x1@0/0/1 alltoall messages=1 message_bytes=3000; nodes:0-11,99 "
                                "ring; 1x2x1@4/4/1 program program=halo";
    struct run_result one = run_parts(SMALL, parts, 1);
    for (uint32_t threads = 2; threads <= 3; threads++) {
        struct run_result more = run_parts(SMALL, parts, threads);
        assert_int_equal(more.measure.digest, one.measure.digest);
        for (uint32_t i = 0; i < one.parts; i++)
            assert_int_equal(more.part[i].digest, one.part[i].digest);
        run_result_fini(&more);
    }
    run_result_fini(&one);
}

static void what_is_offered_arrives(void **state)
{
    (void)state;
    struct run_result r = run_parts(SMALL,
                                    "3x3x2@0/0/1 uniform load=0.2; 3x3x2@3/0/1 uniform "
                                    "load=0.4; nodes:0-11 uniform load=0.1",
                                    1);
    assert_near(r.part[0].fraction_of_peak, 0.2, 0.01);
    assert_near(r.part[1].fraction_of_peak, 0.4, 0.01);
    assert_near(r.part[2].fraction_of_peak, 0.1, 0.01);
    run_result_fini(&r);
}

/* A closed loop has its response beside an open one, too. */
static void a_response_is_the_same_alone(void **state)
{
    (void)state;
    static const char settings[] = SMALL " workload.as=packets workload.warmup_cycles=500";
    struct run_result alone = run_parts(settings, "2x2x2@0/0/1 alltoall", 1);
    struct run_result among =
        run_parts(settings, "2x2x2@0/0/1 alltoall; 2x2x2@3/0/1 uniform load=0.3", 1);
    assert_true(alone.part[0].responses == 96 * 95);
    assert_int_equal(alone.part[0].responses, among.part[0].responses);
    assert_true(alone.part[0].response_mean == among.part[0].response_mean);
    assert_true(alone.part[0].fraction_of_peak == among.part[0].fraction_of_peak);
    run_result_fini(&alone);
    run_result_fini(&among);
}

/* Packets of a box may go around the rest of a ring only where that is as short. */
static void a_bound_is_that_of_the_paths_there_are(void **state)
{
    (void)state;
    static const char *const dims[] = {"7x2x2x2x3x2", "8x2x2x2x3x2", "9x2x2x2x3x2"};
    double peak[3];
    for (unsigned i = 0; i < 3; i++) {
        char settings[160];
        snprintf(settings, sizeof(settings),
                 "machine.io_plane=false workload.as=packets machine.dims=%s", dims[i]);
        struct run_result r = run_parts(settings, "4x1x1 alltoall", 1);
        peak[i] = r.part[0].fraction_of_peak;
        run_result_fini(&r);
    }
    assert_true(peak[0] == peak[1] && peak[1] == peak[2] && peak[0] < 1);
}

/* Also where the view turns round, and around a dead node. */
static void neighbours_in_a_view_are_one_link_apart(void **state)
{
    (void)state;
    struct run_result r =
        run_parts("machine.dims=4x3x3x2x3x2 machine.dead_nodes=1/1/1/0/1/0",
                  "3x3x2@0/0/1 neighbour load=0.2; 1x2x2@3/0/1 neighbour load=0.1 axes=1", 1);
    assert_int_equal(r.measure.hops, r.measure.delivered);
    assert_true(r.part[0].left_out > 0 && r.part[0].nodes + r.part[0].left_out == 3 * 3 * 2 * 12);
    assert_int_equal(r.part[1].left_out, 0);
    run_result_fini(&r);
}

/* Cells come in the order in which they are named, and have their living nodes. */
static void cells_are_nodes(void **state)
{
    (void)state;
    struct test_model t;
    parts_make(&t, "machine.dims=3x3x2x2x3x2 machine.dead_nodes=1/0/1/0/0/0",
               "cells:4,1 ring; cells:6 ring");
    const struct workload_part *part = workload_parts(t.model->workload)->part;
    assert_int_equal(part[0].nodes, 23);
    assert_int_equal(part[0].view.left_out, 1);
    assert_int_equal(part[1].nodes, 12);
    for (uint32_t i = 0; i < part[0].nodes; i++) {
        uint32_t c[TORUS_MAX_DIMS];
        torus_coordinates(t.model->site.torus, part[0].view.node[i], c);
        assert_int_equal(c[0], 1);
        assert_int_equal(c[1], i < 12 ? 1 : 0);
        assert_int_equal(c[2], 1);
    }
    model_drop(&t);
}

/* Two jobs with the same pattern do not send in step. */
static void parts_draw_their_own_numbers(void **state)
{
    (void)state;
    struct test_model t;
    unsigned same = 0;
    parts_make(&t, SMALL, "2x2x2 uniform; 2x2x2@2/0/1 uniform");
    for (uint32_t k = 0; k < 100; k++) {
        struct step step[2];
        for (unsigned i = 0; i < 2; i++) {
            const struct program *p = &workload_member(t.model->workload, i)->program;
            assert_true(p->step(p->ctx, 5, k, &step[i]));
        }
        same += step[0].to == step[1].to;
    }
    assert_true(same < 20);
    model_drop(&t);
}

/* ---- bad input ---- */

static void mistakes_name_the_part(void **state)
{
    (void)state;
    assert_refused("", "workload.parts is empty");
    assert_refused("2x2x2 ring; 2x2x2", "part 2: it has no pattern");
    assert_refused("2x2x2 ring; 2x2x2@1/0/1 ring", "part 2: node 37 is in part 1 already");
    assert_refused("nodes:4,4 ring", "part 1: it has node 4 twice");
    assert_refused("nodes:1-9999 ring", "part 1: node 9999: there are 1296");
    assert_refused("cells:72 ring", "part 1: cell 72: there are 72");
    assert_refused("cells:0-3 ring; cells:8,3 ring", "part 2: node");
    assert_refused("nodes:0,40 neighbour", "part 1: no node of it has another one to send to");
    assert_refused("nodes:0-9 tornado", "needs coordinates");
    assert_refused("2x2x2 uniform; 2x2x2@2/0/1 ring", "ring is only for messages");
    assert_refused("2x2x2 ring messages=0; 2x2x2@2/0/1 ring", "messages of some parts never end");
    assert_refused("2x2x2 ring load=1", "'load' is not a setting of ring as messages");
    assert_refused("2x2x2 ring; nodes:0-3 view", "part 2: view does not run in a part");
    assert_refused("2x2x2 pingpong hops=70", "part 1: workload.hops = 70");
    assert_refused("2x2x2 uniform packet_bytes=9000", "a packet holds");
    assert_refused("nodes:0-00000000000000000000000000000000001 ring", "is not a list of nodes");
}

/* What is written by pieces is read back, whatever its words are; and what is too long is refused.
 */
static void parts_are_written_as_they_are_read(void **state)
{
    (void)state;
    const struct part_list *list;
    char text[CONFIG_TEXT] = "", piece[CONFIG_TEXT];
    const char *file = "it's; a \"file\" \\ of pairs";
    struct config c;
    configure(&c, "bluegene-l", "");
    assert_int_equal(parts_append(text, "0-63,70", "uniform"), WEFT_OK);
    assert_int_equal(parts_append_setting(text, "load", "0.25"), WEFT_OK);
    assert_string_equal(text, "nodes:0-63,70 uniform load=0.25");
    assert_int_equal(parts_append(text, "cells:1", "matrix"), WEFT_OK);
    assert_int_equal(parts_append_setting(text, "file", file), WEFT_OK);
    assert_int_equal(config_set(&c, "workload.parts", text, "-"), WEFT_OK);
    assert_int_equal(parts_list(&c, &list), WEFT_OK);
    assert_int_equal(list->count, 2);
    assert_string_equal(list->part[0].place, "nodes:0-63,70");
    assert_near(config_workload(&list->part[0].config)->load, 0.25, 0);
    assert_string_equal(list->part[1].place, "cells:1");
    assert_string_equal(config_workload(&list->part[1].config)->file, file);
    assert_string_equal(list->part[0].text, "nodes:0-63,70 uniform load=0.25");
    assert_non_null(strstr(list->part[1].text, "cells:1 matrix file="));
    const struct part_list *again;
    assert_int_equal(parts_list(&c, &again), WEFT_OK);
    assert_ptr_equal(list, again); /* read once, */
    assert_int_equal(config_set(&c, "workload.load", "0.7", "-"), WEFT_OK);
    assert_int_equal(parts_list(&c, &again), WEFT_OK); /* and anew if something was set */
    assert_near(config_workload(&again->part[1].config)->load, 0.7, 0);
    memset(piece, '7', sizeof(piece) - 1);
    piece[sizeof(piece) - 1] = '\0';
    assert_int_equal(parts_append_setting(text, "file", piece), WEFT_BAD_INPUT);
    config_fini(&c);
}

GROUP(parts)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_are_written_as_they_are_read),
        cmocka_unit_test(packets_of_boxes_are_left_alone),
        cmocka_unit_test(closed_loops_run_beside_open_ones),
        cmocka_unit_test(scripts_run_beside_programs),
        cmocka_unit_test(parts_add_up_to_the_run),
        cmocka_unit_test(any_number_of_threads_gives_one_answer),
        cmocka_unit_test(what_is_offered_arrives),
        cmocka_unit_test(a_response_is_the_same_alone),
        cmocka_unit_test(a_bound_is_that_of_the_paths_there_are),
        cmocka_unit_test(neighbours_in_a_view_are_one_link_apart),
        cmocka_unit_test(cells_are_nodes),
        cmocka_unit_test(parts_draw_their_own_numbers),
        cmocka_unit_test(mistakes_name_the_part),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
