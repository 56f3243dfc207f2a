/* Traces in GOAL: what text means, byte by byte in binary form; what is refused, and where; and
 * that both forms are one trace. */
#include <zlib.h>

#include "group.h"
#include "testing.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "trace/goal/goal.h"

static weft_status open_text(const char *text, struct goal *g)
{
    return goal_open_text("t.goal", text, strlen(text), g);
}

static void assert_refused(const char *text, const char *complaint)
{
    struct goal g;
    assert_int_equal(open_text(text, &g), WEFT_BAD_INPUT);
    if (strncmp(weft_last_error(), complaint, strlen(complaint)) != 0)
        fail_msg("'%s', not '%s'", weft_last_error(), complaint);
    assert_null(strchr(weft_last_error(), '\n'));
}

#define PAIR                                                                                       \
    "num_ranks 2\n"                                                                                \
    "rank 0 {\n"                                                                                   \
    "a: send 8b to 1 tag 5 cpu 1 nic 2\n"                                                          \
    "b: calc 1000\n"                                                                               \
    "b requires a\n"                                                                               \
    "c: recv 16b from -1 tag -1\n"                                                                 \
    "b irequires c\n"                                                                              \
    "}\n"                                                                                          \
    "rank 1 {\n"                                                                                   \
    "recv 8b from 0 tag 5\n"                                                                       \
    "send 16b to 0\n"                                                                              \
    "}\n"

static void test_text_means_what_it_says(void **state)
{
    (void)state;
    struct goal g;
    struct goal_node n;
    assert_int_equal(open_text(PAIR, &g), WEFT_OK);
    assert_int_equal(g.ranks, 2);
    struct goal_rank r = goal_rank(&g, 0);
    assert_int_equal(r.op_count, 3);
    assert_int_equal(r.root_count, 2);
    assert_int_equal(goal_root(&r, 0), 0);
    assert_int_equal(goal_root(&r, 1), 2);
    goal_node(&r, 0, &n);
    assert_int_equal(n.op.kind, GOAL_SEND);
    assert_int_equal(n.op.size, 8);
    assert_int_equal(n.op.peer, 1);
    assert_int_equal(n.op.tag, 5);
    assert_int_equal(n.op.cpu, 1);
    assert_int_equal(n.op.nic, 2);
    assert_int_equal(n.after.count, 1);
    assert_int_equal(goal_list_at(&n.after, 0), 1);
    goal_node(&r, 1, &n);
    assert_int_equal(n.op.kind, GOAL_CALC);
    assert_int_equal(n.op.size, 1000);
    assert_int_equal(n.needs, 2);
    goal_node(&r, 2, &n);
    assert_int_equal(n.op.peer, GOAL_ANY);
    assert_int_equal(n.op.tag, GOAL_ANY);
    assert_int_equal(n.with.count, 1);
    assert_int_equal(g.totals.ops, 5);
    assert_int_equal(g.totals.sends, 2);
    assert_int_equal(g.totals.bytes, 24);
    assert_int_equal(g.totals.cpus, 2);
    assert_true(g.totals.tagged);
    goal_close(&g);
}

/* As LogGOPSim's txt2bin writes it. */
static void test_binary_form_is_that_of_loggopsim(void **state)
{
    (void)state;
    static const unsigned char wanted[] = {
        /* magic, ranks, cpu, nic */
        0x7f, 0x10, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0,
        /* start, end */
        22, 0, 0, 0, 0, 0, 0, 0, 116, 0, 0, 0, 0, 0, 0, 0,
        /* operations, roots, the root */
        2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0,
        /* calc 300 cpu 1: needs, kind, peer, size, tag, cpu, nic, after, with */
        0, 0, 0, 0, 3, 0, 0, 0, 0, 0x2c, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 1, 0, 0, 0,
        /* send 1b to 0 */
        1, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0,
        0, 0, 0, 0, 1, 0, 0, 0,
        /* the list */
        1, 0, 0, 0};
    struct goal g;
    assert_int_equal(
        open_text("num_ranks 1\nrank 0 {\na: calc 300 cpu 1\nb: send 1b to 0\nb requires a\n}", &g),
        WEFT_OK);
    assert_int_equal(g.size, sizeof(wanted));
    assert_memory_equal(g.map, wanted, sizeof(wanted));
    goal_close(&g);
}

static void test_comments_blanks_and_semicolons(void **state)
{
    (void)state;
    struct goal g;
    assert_int_equal(open_text("// a trace\n/* of\n two */ num_ranks 3 rank 2 { a : calc 1 ; "
                               "b:calc 2;b requires a } // done\r\nrank\t0\r\n{\r\n}\n",
                               &g),
                     WEFT_OK);
    assert_int_equal(g.ranks, 3);
    assert_int_equal(goal_rank(&g, 0).op_count, 0);
    assert_int_equal(goal_rank(&g, 1).op_count, 0);
    assert_int_equal(goal_rank(&g, 2).op_count, 2);
    goal_close(&g);
}

#define RANK "num_ranks 2\nrank 0 {\n"

static void test_complaints_name_line_and_column(void **state)
{
    (void)state;
    assert_refused("", "t.goal:1:1: there are no ranks");
    assert_refused("rank 0 {}", "t.goal:1:1: 'rank' comes where num_ranks should");
    assert_refused("num_ranks 0", "t.goal:1:11: there are no ranks");
    assert_refused("num_ranks 99999999999", "t.goal:1:11: a number of ranks is too large");
    assert_refused("num_ranks 1\nnum_ranks 1", "t.goal:2:11: num_ranks comes again");
    assert_refused(RANK "a: send 8 to 1\n}", "t.goal:3:11: 'to' comes where 'b' should");
    assert_refused(RANK "a: send 8b from 1\n}", "t.goal:3:12: 'from' comes where 'to' should");
    assert_refused(RANK "a: send 8b to 2\n}", "t.goal:3:15: rank 2 is none of 2");
    assert_refused(RANK "a: send 8b to -1\n}", "t.goal:3:15: '-' comes where a rank should");
    assert_refused(RANK "a: send 8b to 1 tag -1\n}", "t.goal:3:21: '-' comes where a tag should");
    assert_refused(RANK "a: recv 8b from -2\n}", "t.goal:3:17: a rank is negative");
    assert_refused(RANK "a: calc 8 tag 1\n}", "t.goal:3:11: 'tag' has no place here");
    assert_refused(RANK "a: calc 8 cpu 256\n}", "t.goal:3:15: a cpu is too large");
    assert_refused(RANK "a: walk 8\n}", "t.goal:3:4: 'walk' is no operation");
    assert_refused(RANK "a: calc 8\na: calc 8\n}", "t.goal:4:1: the label 'a' is used again");
    assert_refused(RANK "a: calc 8\na requires b\n}",
                   "t.goal:4:12: no operation has the label 'b'");
    assert_refused(RANK "a: calc 8\na requires a\n}", "t.goal:4:1: 'a' waits for itself");
    assert_refused(RANK "a: calc 8 calc 9\n}", "t.goal:3:11: 'calc' has no place here");
    assert_refused(RANK "a: calc 8\n", "t.goal:2:5: a rank does not end");
    assert_refused(RANK "}\nrank 0 {\n}", "t.goal:4:6: rank 0 of 2 comes again");
    assert_refused(RANK "}\nrank 2 {\n}", "t.goal:4:6: rank 2 is none of 2");
    assert_refused(RANK "/* }", "t.goal:3:1: a comment does not end");
    assert_refused(RANK "a: calc 1\nb: calc 1\na requires b\nb irequires a\n}",
                   "t.goal:3:1: this operation waits for itself, through others");
}

/* ---- binary ---- */

static unsigned char *copy_of(const struct goal *g)
{
    unsigned char *copy = malloc(g->size);
    memcpy(copy, g->map, g->size);
    return copy;
}

static void assert_refused_bytes(const unsigned char *bytes, size_t size, const char *complaint)
{
    struct goal g;
    assert_int_equal(goal_open_bytes("t.bin", bytes, size, &g), WEFT_BAD_INPUT);
    if (strncmp(weft_last_error(), complaint, strlen(complaint)) != 0)
        fail_msg("'%s', not '%s'", weft_last_error(), complaint);
}

/* Changes one byte, and what is said then. */
static void assert_broken(const struct goal *g, size_t at, unsigned char value,
                          const char *complaint)
{
    unsigned char *bytes = copy_of(g);
    bytes[at] = value;
    assert_refused_bytes(bytes, g->size, complaint);
    free(bytes);
}

static void test_damaged_binary_is_refused_by_byte(void **state)
{
    (void)state;
    struct goal g;
    assert_int_equal(open_text(PAIR, &g), WEFT_OK);
    unsigned char *bytes = copy_of(&g);
    assert_refused_bytes(bytes, 13, "t.bin: byte 13: the file ends within its head");
    assert_refused_bytes(bytes, 40, "t.bin: byte 40: the file ends within the table of 2 ranks");
    assert_refused_bytes(bytes, g.size - 1, "t.bin: byte 30: rank 1 lies outside of the file");
    free(bytes);
    /* rank 0 begins at byte 46: head 8, roots 8, operations of 39 from byte 62, lists. */
    assert_broken(&g, 8, 0, "t.bin: byte 8: 0 ranks");
    assert_broken(&g, 46, 200, "t.bin: byte 46: rank 0 has no room for 200 operations");
    assert_broken(&g, 54, 1, "t.bin: byte 54: operation 1 of rank 0 is no root");
    assert_broken(&g, 58, 0, "t.bin: byte 58: operation 0 of rank 0 is no root, or comes again");
    assert_broken(&g, 62, 7, "t.bin: byte 62: operation 0 of rank 0 waits for 7 others");
    assert_broken(&g, 66, 9, "t.bin: byte 66: an operation of kind 9");
    assert_broken(&g, 67, 2, "t.bin: byte 67: rank 0 names rank 2 of 2");
    assert_broken(&g, 85, 9, "t.bin: byte 85: a list of 9 operations ends outside of its rank");
    assert_broken(&g, 179, 3, "t.bin: byte 179: operation 3 of 3 waits");
    assert_broken(&g, 179, 0,
                  "t.bin: byte 62: operation 0 of rank 0 waits for 0 others, and is in 1");
    goal_close(&g);
}

/* ---- both ---- */

static void test_forms_are_one_trace(void **state)
{
    (void)state;
    char text[] = "/tmp/weft-goal-XXXXXX", binary[] = "/tmp/weft-goal-XXXXXX";
    struct goal g, again, third;
    close(mkstemp(text));
    close(mkstemp(binary));
    assert_int_equal(open_text(PAIR, &g), WEFT_OK);
    assert_int_equal(goal_convert(&g, text, false), WEFT_OK);
    assert_int_equal(goal_convert(&g, binary, true), WEFT_OK);
    assert_true(goal_is_binary(binary) && !goal_is_binary(text));
    assert_int_equal(goal_open(text, &again), WEFT_OK);
    assert_int_equal(goal_open(binary, &third), WEFT_OK);
    assert_int_equal(g.size, again.size);
    assert_int_equal(g.size, third.size);
    assert_memory_equal(g.map, again.map, g.size);
    assert_memory_equal(g.map, third.map, g.size);
    goal_close(&g);
    goal_close(&again);
    goal_close(&third);
    unlink(text);
    unlink(binary);
}

static void test_packed_text_is_read(void **state)
{
    (void)state;
    char path[] = "/tmp/weft-goal-XXXXXX";
    struct goal g;
    close(mkstemp(path));
    gzFile f = gzopen(path, "wb");
    gzputs(f, PAIR);
    gzclose(f);
    assert_int_equal(goal_open(path, &g), WEFT_OK);
    assert_int_equal(g.totals.ops, 5);
    goal_close(&g);
    assert_int_equal(truncate(path, 60), 0);
    assert_int_equal(goal_open(path, &g), WEFT_BAD_INPUT);
    unlink(path);
}

static void test_no_file_is_refused(void **state)
{
    (void)state;
    struct goal g;
    assert_int_equal(goal_open("/nowhere/t.goal", &g), WEFT_BAD_INPUT);
    assert_string_equal(weft_last_error(),
                        "/nowhere/t.goal: No such file or directory; name a trace in GOAL");
}

GROUP(goal)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_text_means_what_it_says),
                                       cmocka_unit_test(test_binary_form_is_that_of_loggopsim),
                                       cmocka_unit_test(test_comments_blanks_and_semicolons),
                                       cmocka_unit_test(test_complaints_name_line_and_column),
                                       cmocka_unit_test(test_damaged_binary_is_refused_by_byte),
                                       cmocka_unit_test(test_forms_are_one_trace),
                                       cmocka_unit_test(test_packed_text_is_read),
                                       cmocka_unit_test(test_no_file_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
