/*
 * Packets from a file come as they are written, at their times, cut into packets of the machine's
 * size, however nodes ask for them; what lies behind the present is not read; a state that was
 * saved goes on where it was; plain and packed files are the same; and what is wrong is named.
 */
#include "archives.h"
#include "group.h"
#include "testing.h"

#include <unistd.h>

#include "base/file/input.h"
#include "workload/patterns/patterns.h"

enum { NODES = 8, FULL = 100 };

static const struct torus torus = {.dims = 2, .size = {4, 2}, .nodes = NODES};
static const struct site site = {.nodes = NODES,
                                 .endpoints = NODES,
                                 .torus = &torus,
                                 .packet_payload = FULL,
                                 .cycles_per_second = 2e9};

static char path[] = "/tmp/weft-timetable-XXXXXX";
static struct workload workload = {.site = &site, .as = LAYER_PACKETS};

static void write_text(const char *text, bool packed)
{
    char command[100];
    snprintf(command, sizeof(command), "gzip -c >%s", path);
    FILE *f = packed ? popen(command, "w") : fopen(path, "w");
    assert_int_equal(fwrite(text, 1, strlen(text), f), strlen(text));
    assert_int_equal(packed ? pclose(f) : fclose(f), 0);
}

static struct timetable *open_text(const char *text, bool packed)
{
    struct timetable *t;
    write_text(text, packed);
    if (timetable_open(&workload, &t) != WEFT_OK)
        fail_msg("%s", weft_last_error());
    return t;
}

static void assert_packet(struct timetable *t, uint32_t node, uint32_t number, uint32_t to,
                          uint64_t bytes, cycle_t birth)
{
    struct step step = {.to = NOBODY};
    assert_true(timetable_step(t, node, number, &step));
    assert_true(step.timed);
    assert_int_equal(step.to, to);
    assert_int_equal(step.bytes, bytes);
    assert_int_equal(step.birth, birth);
}

static void packets_come_as_they_are_written(void **state)
{
    (void)state;
    for (unsigned packed = 0; packed < 2; packed++) {
        struct timetable *t = open_text("# time from to bytes\n0 0 1 250\n\n3 1 0 0 # none\n"
                                        "5ns 0 3/1 100\n20 0/0 2 1KB",
                                        packed);
        struct step step = {.to = NOBODY, .now = 100};
        assert_int_equal(timetable_sums(t)->lines, 4);
        assert_int_equal(timetable_sums(t)->packets, 3 + 1 + 1 + 10);
        assert_int_equal(timetable_sums(t)->bytes, 250 + 100 + 1000);
        assert_int_equal(timetable_sums(t)->senders, 2);
        assert_int_equal(timetable_sums(t)->last, 20);
        for (unsigned again = 0; again < 2; again++) /* a packet may be asked for more than once */
            assert_packet(t, 0, 0, 1, 100, 0);
        assert_packet(t, 0, 1, 1, 100, 0);
        assert_packet(t, 1, 0, 0, 0, 3);
        assert_packet(t, 0, 2, 1, 50, 0);
        assert_packet(t, 0, 3, 7, 100, 10);
        for (unsigned i = 0; i < 10; i++)
            assert_packet(t, 0, 4 + i, 2, 100, 20);
        assert_false(timetable_step(t, 0, 14, &step));
        assert_false(timetable_step(t, 1, 1, &step));
        assert_false(timetable_step(t, 5, 0, &step));
        timetable_free(t);
    }
}

/* Processes have two things to do for each line: one sends, the other receives, at the same time.
 */
static void messages_are_sent_and_received(void **state)
{
    (void)state;
    uint32_t rank[2 * NODES];
    for (uint32_t i = 0; i < 2 * NODES; i++)
        rank[i] = i < 12 ? i : MAPPING_NONE;
    struct workload messages = workload;
    messages.as = LAYER_MESSAGES;
    messages.processes = 12;
    messages.per_node = 2;
    messages.mapping.rank = rank;
    write_text("5 0 11 1000\n7 11 1/0 0\n", false); /* the first process of node 1 is 2 */
    struct timetable *t;
    assert_int_equal(timetable_open(&messages, &t), WEFT_OK);
    static const struct {
        uint32_t who, number, to, from;
        uint64_t bytes;
        cycle_t birth;
    } expected[] = {{0, 0, 11, NOBODY, 1000, 5},
                    {11, 0, NOBODY, 0, 1000, 5},
                    {11, 1, 2, NOBODY, 0, 7},
                    {2, 0, NOBODY, 11, 0, 7}};
    for (unsigned i = 0; i < sizeof(expected) / sizeof(expected[0]); i++) {
        struct step step = {.to = NOBODY, .from = NOBODY};
        assert_true(timetable_step(t, expected[i].who, expected[i].number, &step));
        assert_int_equal(step.to, expected[i].to);
        assert_int_equal(step.from, expected[i].from);
        assert_int_equal(step.to == NOBODY ? step.from_bytes : step.bytes, expected[i].bytes);
        assert_int_equal(step.birth, expected[i].birth);
        assert_int_equal(step.sends_left, ANY_NUMBER);
    }
    timetable_free(t);
    static const char *const wrong[] = {"5 0 12 1", "5 0 2/1 1", "5 0 0/0 1", "5 -1 0 1"};
    for (unsigned i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        write_text(wrong[i], false);
        assert_int_equal(timetable_open(&messages, &t), WEFT_BAD_INPUT);
        timetable_free(t);
    }
}

/* Some batches of lines from all nodes but the last, which has one at the end. */
static char *long_text(uint32_t lines)
{
    char *text = malloc(40 * (size_t)lines);
    size_t at = 0;
    for (uint32_t i = 0; i + 1 < lines; i++)
        at += (size_t)sprintf(text + at, "%u %u %u %u\n", i / 2, i % 7, (i + 1) % 7, i % 150);
    sprintf(text + at, "%u 7 0 1\n", lines);
    return text;
}

/* Takes up to `most` packets of a node and adds them to a hash; false: it has no more. */
static bool take(struct timetable *t, uint32_t node, uint32_t *number, cycle_t *now, uint32_t most,
                 uint64_t *hash)
{
    struct step step = {.to = NOBODY};
    while (most--) {
        step.now = *now;
        if (!timetable_step(t, node, *number, &step))
            return false;
        if (step.to == NOBODY) {
            assert_true(step.birth > *now);
            *now = step.birth;
            continue;
        }
        *hash = 31 * *hash + step.to + 7 * step.bytes + 1000003 * step.birth;
        ++*number;
    }
    return true;
}

static void the_order_of_asking_does_not_matter(void **state)
{
    (void)state;
    enum { LINES = 30000 };
    char *text = long_text(LINES);
    uint64_t first[NODES];
    for (unsigned way = 0; way < 3; way++) {
        struct timetable *t = open_text(text, way == 1);
        uint64_t hash[NODES] = {0};
        uint32_t number[NODES] = {0}, going = NODES;
        cycle_t now[NODES] = {0};
        /* One after the other, or in turns of several lengths. */
        for (uint32_t turn = 0; going; turn++) {
            going = 0;
            for (uint32_t node = 0; node < NODES; node++)
                going += take(t, node, &number[node], &now[node],
                              way == 0 ? UINT32_MAX : 1 + (node + turn) % 5, &hash[node]);
        }
        for (uint32_t node = 0; node < NODES; node++) {
            first[node] = way ? first[node] : hash[node];
            assert_true(hash[node] == first[node]);
        }
        assert_int_equal(number[7], 1);
        timetable_free(t);
    }
    free(text);
}

/* A node without packets is told to come again, and not sooner than it must. */
static void the_future_is_not_read(void **state)
{
    (void)state;
    enum { LINES = 30000, BATCH = 4096 };
    char *text = long_text(LINES);
    struct timetable *t = open_text(text, false);
    struct step step = {.to = NOBODY};
    unsigned asked = 0;
    while (timetable_step(t, 7, 0, &step) && step.to == NOBODY) {
        assert_near((double)(step.birth - step.now), BATCH / 2.0, BATCH / 2.0);
        step.now = step.birth;
        asked++;
    }
    assert_int_equal(step.to, 0);
    assert_int_equal(step.birth, LINES);
    assert_in_range(asked, LINES / BATCH, LINES / BATCH + 1);
    timetable_free(t);
    free(text);
}

static void save_table(void *table, struct archive *a)
{
    timetable_archive(table, a);
}

static void a_saved_state_goes_on_where_it_was(void **state)
{
    (void)state;
    enum { LINES = 30000 };
    char *text = long_text(LINES);
    struct timetable *t = open_text(text, false), *again = open_text(text, false);
    uint64_t hash[2][NODES] = {{0}};
    uint32_t number[2][NODES] = {{0}};
    cycle_t now[2][NODES] = {{0}};
    for (uint32_t node = 0; node < NODES; node++) /* each at another place */
        take(t, node, &number[0][node], &now[0][node], 1 + 900 * node, &hash[0][node]);
    struct saved saved = save(save_table, t);
    assert_true(load(save_table, again, &saved));
    memcpy(number[1], number[0], sizeof(number[0]));
    memcpy(hash[1], hash[0], sizeof(hash[0]));
    memcpy(now[1], now[0], sizeof(now[0]));
    for (uint32_t node = 0; node < NODES; node++) {
        take(t, node, &number[0][node], &now[0][node], UINT32_MAX, &hash[0][node]);
        take(again, node, &number[1][node], &now[1][node], UINT32_MAX, &hash[1][node]);
        assert_true(hash[0][node] == hash[1][node]);
        assert_int_equal(number[0][node], number[1][node]);
    }
    free(saved.bytes);
    timetable_free(t);
    timetable_free(again);
    free(text);
}

static void what_is_wrong_is_named(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"5 0 1 8\n4 0 1 8\n", ":2:1: its time, 4, is before that of the line before, 5"},
        {"1 0 0 8", ":1:1: nobody sends to itself"},
        {"x 0 1 8", ":1:1: 'x' is not a time; use cycles, or a unit as in 1.5us"},
        {"-1 0 1 8", ":1:1: '-1' is out of range"},
        {"1 0 8 8", ":1:5: '8' is not a node; use a number below 8, or coordinates as 1/2"},
        {"1 0 1", ":1:6: the line ends before its number of bytes"},
        {"1 0 1 1.5", ":1:7: '1.5' is not a number of bytes"},
        {"1 0 1 5000000000", ":1:7: '5000000000' is not a number of bytes"},
        {"1 0 1 2 3", ":1:9: more than four words"},
        {"# nothing\n\n", ": it has no lines"},
    };
    for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct timetable *t;
        char wrong[200];
        write_text(cases[i][0], false);
        assert_int_equal(timetable_open(&workload, &t), WEFT_BAD_INPUT);
        snprintf(wrong, sizeof(wrong), "%s%s", path, cases[i][1]);
        if (strncmp(weft_last_error(), wrong, strlen(wrong)) != 0)
            fail_msg("'%s': %s, not %s", cases[i][0], weft_last_error(), wrong);
        timetable_free(t);
    }
}

/* ---- streams ---- */

static void lines_of_all_lengths_are_read_whole(void **state)
{
    (void)state;
    enum { LINES = 3000 };
    char *text = malloc(LINES * 1100);
    size_t at = 0;
    for (uint32_t i = 0; i < LINES; i++)
        at += (size_t)sprintf(text + at, "%u%*s%u%s", i, (int)(1 + i % 1000), "", 2 * i,
                              i + 1 < LINES ? "\n" : "");
    for (unsigned packed = 0; packed < 2; packed++) {
        struct stream s;
        weft_status status;
        uint64_t a, b;
        uint32_t lines = 0;
        write_text(text, packed);
        assert_int_equal(stream_open(&s, path, "file", "write it"), WEFT_OK);
        for (; stream_line(&s, &status); lines++) {
            assert_int_equal(lines_number(&s.lines, "number", &a), WEFT_OK);
            assert_false(lines_end(&s.lines));
            assert_int_equal(lines_number(&s.lines, "number", &b), WEFT_OK);
            assert_true(a == lines && b == 2 * a && s.lines.line == lines + 1);
        }
        assert_int_equal(status, WEFT_OK);
        assert_int_equal(lines, LINES);
        stream_close(&s);
    }
    free(text);
}

static void damaged_files_and_endless_lines_are_refused(void **state)
{
    (void)state;
    struct stream s;
    weft_status status;
    enum { ENDLESS = 40 << 20 };
    char *line = malloc(ENDLESS + 1);
    memset(line, '7', ENDLESS);
    line[ENDLESS] = '\0';
    write_text(line, false);
    assert_int_equal(stream_open(&s, path, "file", "write it"), WEFT_OK);
    assert_false(stream_line(&s, &status));
    assert_int_equal(status, WEFT_BAD_INPUT);
    stream_close(&s);
    char *text = long_text(30000);
    write_text(text, true);
    assert_int_equal(truncate(path, 30000), 0);
    assert_int_equal(stream_open(&s, path, "file", "write it"), WEFT_OK);
    while (stream_line(&s, &status))
        continue;
    assert_int_equal(status, WEFT_BAD_INPUT);
    stream_close(&s);
    free(text);
    free(line);
}

GROUP(timetable)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packets_come_as_they_are_written),
        cmocka_unit_test(messages_are_sent_and_received),
        cmocka_unit_test(the_order_of_asking_does_not_matter),
        cmocka_unit_test(the_future_is_not_read),
        cmocka_unit_test(a_saved_state_goes_on_where_it_was),
        cmocka_unit_test(what_is_wrong_is_named),
        cmocka_unit_test(lines_of_all_lengths_are_read_whole),
        cmocka_unit_test(damaged_files_and_endless_lines_are_refused),
    };
    close(mkstemp(path));
    snprintf(workload.params.file, sizeof(workload.params.file), "%s", path);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    unlink(path);
    return failed;
}
