/*
 * Pictures of a schedule: a PNG holds the pixels that were encoded, cells and curves are those of
 * the runs, every SVG is well-formed XML whatever the machine and the title, and the same schedule
 * gives the same bytes.
 */
#include <zlib.h>

#include "group.h"
#include "testing.h"

#include <unistd.h>

#include "base/memory.h"
#include "report/picture/drawing.h"
#include "report/picture/picture.h"

/* ---- PNG ---- */

static uint32_t word_at(const unsigned char *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

/* Checks a chunk's name, size and sum; returns what follows it. */
static const unsigned char *chunk(const unsigned char *at, const char *name,
                                  const unsigned char **data, uint32_t *size)
{
    *size = word_at(at);
    *data = at + 8;
    assert_memory_equal(at + 4, name, 4);
    assert_int_equal(word_at(*data + *size), crc32(0, at + 4, *size + 4));
    return *data + *size + 4;
}

static void assert_round_trip(uint32_t width, uint32_t height)
{
    size_t row = 3 * (size_t)width, size;
    unsigned char *rgb = malloc(row * height), *rows = malloc((row + 1) * height);
    for (size_t i = 0; i < row * height; i++)
        rgb[i] = (unsigned char)(i * i * 31 + i / 7);
    unsigned char *png = png_encode(rgb, width, height, &size);
    const unsigned char *data, *at = png + 8;
    uint32_t bytes;
    assert_memory_equal(png, "\x89PNG\r\n\x1a\n", 8);
    at = chunk(at, "IHDR", &data, &bytes);
    assert_int_equal(bytes, 13);
    assert_int_equal(word_at(data), width);
    assert_int_equal(word_at(data + 4), height);
    assert_memory_equal(data + 8, "\x08\x02\0\0\0", 5);
    at = chunk(at, "IDAT", &data, &bytes);
    uLongf unpacked = (row + 1) * height;
    assert_int_equal(uncompress(rows, &unpacked, data, bytes), Z_OK);
    assert_int_equal(unpacked, (row + 1) * height);
    for (uint32_t y = 0; y < height; y++) {
        assert_int_equal(rows[y * (row + 1)], 0);
        assert_memory_equal(rows + y * (row + 1) + 1, rgb + y * row, row);
    }
    at = chunk(at, "IEND", &data, &bytes);
    assert_int_equal(bytes, 0);
    assert_ptr_equal(at, png + size);
    free(png);
    free(rows);
    free(rgb);
}

static void test_png_holds_what_was_encoded(void **state)
{
    (void)state;
    assert_round_trip(1, 1);
    assert_round_trip(1, 300);
    assert_round_trip(300, 1);
    assert_round_trip(127, 65);
}

/* ---- colours and times ---- */

static int distance(struct colour a, struct colour b)
{
    return abs(a.red - b.red) + abs(a.green - b.green) + abs(a.blue - b.blue);
}

static void test_jobs_that_follow_each_other_differ_in_colour(void **state)
{
    (void)state;
    for (uint32_t job = 0; job < 1000; job++) {
        struct colour c = colour_of_job(job, false), dark = colour_of_job(job, true);
        for (uint32_t next = job + 1; next < job + 5; next++)
            assert_true(distance(c, colour_of_job(next, false)) > 40);
        assert_true(dark.red + dark.green + dark.blue < c.red + c.green + c.blue);
        assert_true(c.red + c.green + c.blue < 3 * 240); /* a free cell is white */
    }
}

static void test_ticks_are_few_and_in_a_unit_that_suits(void **state)
{
    static const struct {
        int64_t span, step;
        const char *unit;
    } expected[] = {
        {0, 1, "seconds"},
        {40, 5, "seconds"},
        {86400, 7200, "hours"},
        {10 * 86400, 86400, "days"},
        {90 * 86400, 7 * 86400, "days"},
        {365 * 86400, 30 * 86400, "days"},
        {9000ll * 86400, 2 * 360 * 86400, "days"},
    };
    (void)state;
    for (unsigned i = 0; i < sizeof(expected) / sizeof(expected[0]); i++) {
        struct time_axis axis = time_axis_of(1000, 1000 + expected[i].span, 14);
        assert_int_equal(axis.step, expected[i].step);
        assert_string_equal(axis.name, expected[i].unit);
        assert_true((axis.to - axis.from) / axis.step < 14);
        assert_near(time_axis_share(&axis, axis.to), 1, 0);
    }
}

/* ---- schedules made by hand ---- */

/* Takes runs as they are; each is of the job of its number. */
static struct jobs_report *make_report(const uint32_t size[SPACE_AXES], const struct job_run *run,
                                       uint32_t runs, uint32_t jobs)
{
    struct jobs_report *report = memory_alloc(1, sizeof(*report));
    struct schedule_result *r = &report->schedule;
    r->space = (struct space){.rows = size[1] * size[2], .cells = size[0] * size[1] * size[2]};
    memcpy(r->space.size, size, sizeof(r->space.size));
    r->cell_nodes = 12;
    r->nodes = 12 * r->space.cells;
    r->jobs = jobs;
    r->runs = runs;
    r->job = memory_alloc(jobs, sizeof(*r->job));
    r->run = memory_alloc(runs, sizeof(*r->run));
    for (uint32_t i = 0; i < jobs; i++)
        r->job[i] = (struct job){.number = i, .nodes = 20, .state = JOB_FAILED};
    for (uint32_t i = 0; i < runs; i++) {
        r->run[i] = run[i];
        r->job[run[i].job].state = JOB_FINISHED;
        r->last = run[i].end > r->last ? run[i].end : r->last;
    }
    return report;
}

static const uint32_t three[SPACE_AXES] = {4, 2, 3};

/* Across the ends of x and z; lost, then again; beside it. */
static const struct job_run three_runs[] = {
    {.job = 0, .start = 10, .end = 20, .place = {{3, 0, 2}, {2, 2, 2}}, .lost = true},
    {.job = 1, .start = 5, .end = 30, .place = {{1, 0, 0}, {2, 1, 1}}},
    {.job = 0, .start = 25, .end = 50, .place = {{0, 1, 1}, {4, 1, 1}}},
};

static const struct job_run scattered_runs[] = {
    {.job = 0, .start = 10, .end = 20},
    {.job = 1, .start = 5, .end = 30},
};

static struct jobs_report *three_report(void)
{
    struct jobs_report *report = make_report(three, three_runs, 3, 3);
    report->schedule.to = 40;
    return report;
}

static uint32_t cells_of(const struct occupancy *o, uint32_t run)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < o->result->space.cells; i++)
        count += o->run_in[i] == run;
    return count;
}

static void test_cells_are_those_of_the_places(void **state)
{
    struct jobs_report *report = three_report();
    struct occupancy o;
    (void)state;
    occupancy_init(&o, &report->schedule);
    occupancy_advance(&o, 4);
    assert_int_equal(cells_of(&o, NO_RUN), 24);
    occupancy_advance(&o, 10);
    assert_false(o.stacked);
    assert_int_equal(cells_of(&o, 0), 8);
    assert_int_equal(cells_of(&o, 1), 2);
    assert_int_equal(o.run_in[0], 0);              /* x = 4, modulo 4, of z = 3, modulo 3 */
    assert_int_equal(o.run_in[1], 1);              /* x = 1 */
    assert_int_equal(o.run_in[3 + 4 * 2], NO_RUN); /* z = 1 */
    assert_int_equal(o.run_in[3 + 4 * 5], 0);      /* y = 1, z = 2 */
    occupancy_advance(&o, 20);                     /* an end is the first second without it */
    assert_int_equal(cells_of(&o, 0), 0);
    assert_int_equal(cells_of(&o, 1), 2);
    occupancy_advance(&o, 49);
    assert_int_equal(cells_of(&o, 2), 4);
    assert_int_equal(cells_of(&o, NO_RUN), 20);
    occupancy_fini(&o);
    jobs_report_free(report);
}

static void test_scattered_jobs_are_stacked_by_their_starts(void **state)
{
    struct jobs_report *report = make_report(three, scattered_runs, 2, 2);
    struct occupancy o;
    (void)state;
    occupancy_init(&o, &report->schedule);
    occupancy_advance(&o, 10);
    assert_true(o.stacked);
    for (uint32_t cell = 0; cell < 24; cell++) /* 20 nodes are two cells */
        assert_int_equal(o.run_in[cell], cell < 2 ? 1 : cell < 4 ? 0 : NO_RUN);
    occupancy_fini(&o);
    jobs_report_free(report);
}

static void test_curves_are_means_over_time(void **state)
{
    struct jobs_report *report = three_report();
    struct load_window tens = {0, 50, 5};
    double value[5];
    (void)state;
    load_in_use(&report->schedule, tens, value);
    assert_near(value[0], 2 * 5 / 240.0, 1e-12);
    assert_near(value[1], (2 + 8) / 24.0, 1e-12);
    assert_near(value[2], (2 + 4 * 0.5) / 24.0, 1e-12);
    assert_near(value[4], 4 / 24.0, 1e-12);
    load_waiting(&report->schedule, tens, value);
    assert_near(value[0], 1 + 0.5, 1e-12); /* job 0 throughout, job 1 until 5 */
    assert_near(value[1], 0, 1e-12);
    assert_near(value[2], 0.5, 1e-12); /* job 0 was lost at 20 and starts at 25 */
    assert_near(value[3], 0, 1e-12);
    jobs_report_free(report);
}

static void test_a_schedule_says_what_its_places_are_in(void **state)
{
    struct ground g = {.torus = {.dims = 3, .size = {16, 8, 24}, .wrap = {1, 1, 1}, .nodes = 3072},
                       .box = {{0, 0, 0}, {16, 8, 24}},
                       .cell = {8, 8, 8}};
    struct schedule_options o = {.ground = &g};
    struct schedule_result r;
    struct job *job = memory_alloc(1, sizeof(*job));
    (void)state;
    *job = (struct job){.run = 100, .estimate = 100, .nodes = 512};
    assert_int_equal(schedule_run(&o, job, 1, &r), WEFT_OK);
    assert_int_equal(r.space.size[0], 2);
    assert_int_equal(r.space.size[1], 1);
    assert_int_equal(r.space.size[2], 3);
    assert_int_equal(r.space.rows, 3);
    assert_int_equal(r.space.cells, 6);
    assert_true(r.space.wrap[2]);
    assert_null(r.space.scratch);
    schedule_result_fini(&r);
}

/* ---- SVG ---- */

typedef weft_status (*write_picture)(const char *path, const struct jobs_report *report,
                                     const char *title);

static const write_picture pictures[] = {gantt_write, frames_write};

/* The file of a picture, with a NUL behind it. */
static char *draw(write_picture write, const struct jobs_report *report, const char *title)
{
    char path[] = "/tmp/weft-picture-XXXXXX";
    close(mkstemp(path));
    if (write(path, report, title) != WEFT_OK)
        fail_msg("%s", weft_last_error());
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    fseek(f, 0, SEEK_END);
    size_t size = (size_t)ftell(f);
    char *text = calloc(1, size + 1);
    rewind(f);
    assert_int_equal(fread(text, 1, size, f), size);
    assert_int_equal(strlen(text), size);
    fclose(f);
    unlink(path);
    return text;
}

static void assert_entity(const char *at)
{
    static const char *const known[] = {"&amp;", "&lt;", "&gt;"};
    bool found = false;
    for (unsigned i = 0; i < 3; i++)
        found |= strncmp(at, known[i], strlen(known[i])) == 0;
    assert_true(found);
}

/* Tags are closed in the order in which they were opened, quotes are paired within a tag, and
 * numbers are numbers. */
static void assert_well_formed(const char *text)
{
    const char *open[32];
    unsigned depth = 0;
    assert_true(strncmp(text, "<?xml ", 6) == 0);
    for (const char *at = strchr(text, '\n'); *at; at++) {
        if (*at == '&')
            assert_entity(at);
        if (*at != '<')
            continue;
        const char *end = strchr(at, '>');
        unsigned quotes = 0;
        assert_non_null(end);
        for (const char *c = at + 1; c < end; c++) {
            assert_int_not_equal(*c, '<');
            quotes += *c == '"';
        }
        assert_int_equal(quotes % 2, 0);
        if (at[1] == '/') {
            assert_true(depth > 0);
            assert_memory_equal(at + 2, open[--depth], (size_t)(end - at) - 2);
        } else if (end[-1] != '/') {
            assert_true(depth < 32);
            open[depth++] = at + 1;
        }
        at = end;
    }
    assert_int_equal(depth, 0);
    static const char *const wrong[] = {" nan", "\"nan", " -nan", " inf", "\"inf", " -inf"};
    for (unsigned i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
        assert_null(strstr(text, wrong[i]));
}

static void assert_drawable(struct jobs_report *report, const char *title)
{
    for (unsigned i = 0; i < 2; i++) {
        char *text = draw(pictures[i], report, title);
        assert_well_formed(text);
        free(text);
    }
}

static void assert_drawable_of(const uint32_t size[SPACE_AXES], const struct job_run *run,
                               uint32_t runs, uint32_t jobs)
{
    struct jobs_report *report = make_report(size, run, runs, jobs);
    assert_drawable(report, "odd");
    report->schedule.to = 7;
    assert_drawable(report, "odd");
    jobs_report_free(report);
}

static void test_any_machine_can_be_drawn(void **state)
{
    static const uint32_t sizes[][SPACE_AXES] = {{1, 1, 1}, {2, 1, 1},  {1, 2, 1},
                                                 {1, 1, 2}, {64, 1, 1}, {1, 90, 70}};
    static const struct job_run one = {.start = 3, .end = 9, .place = {{0, 0, 0}, {1, 1, 1}}};
    (void)state;
    for (unsigned i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        assert_drawable_of(sizes[i], &one, 1, 1);
        assert_drawable_of(sizes[i], NULL, 0, 1); /* none ran */
        assert_drawable_of(sizes[i], scattered_runs, 2, 2);
    }
}

static void test_a_title_may_be_any_text(void **state)
{
    struct jobs_report *report = three_report();
    char long_title[3000];
    (void)state;
    memset(long_title, '&', sizeof(long_title));
    long_title[sizeof(long_title) - 1] = '\0';
    assert_drawable(report, long_title);
    assert_drawable(report, "");
    assert_drawable(report, "\xc3");
    assert_drawable(report, "]]> \"</text>' \x01\x7f\xff");
    char *text = draw(gantt_write, report, "a<b & \xc3\xa9\xff\x02.");
    assert_non_null(strstr(text, ">a&lt;b &amp; \xc3\xa9.</text>"));
    free(text);
    jobs_report_free(report);
}

static void test_pictures_say_what_they_show(void **state)
{
    struct jobs_report *report = three_report();
    (void)state;
    report->schedule.share[SHARE_USED] = 0.4567;
    char *text = draw(gantt_write, report, "t");
    assert_non_null(strstr(text, "seconds since the first submission"));
    assert_non_null(strstr(text, "utilisation 45.7 %"));
    assert_non_null(strstr(text, "hatched: 1 run lost"));
    assert_null(strstr(text, "stacked"));
    free(text);
    jobs_report_free(report);
    report = make_report(three, scattered_runs, 2, 2);
    for (unsigned i = 0; i < 2; i++) {
        text = draw(pictures[i], report, "t");
        assert_non_null(strstr(text, "stacked"));
        free(text);
    }
    jobs_report_free(report);
}

/* Layers have the machine's coordinates, where the first ones are not given to jobs. */
static void test_layers_are_those_of_the_machine(void **state)
{
    struct jobs_report *report = three_report();
    (void)state;
    report->schedule.space.first[2] = 101;
    char *text = draw(frames_write, report, "t");
    assert_non_null(strstr(text, ">z = 101</text>"));
    assert_non_null(strstr(text, ">z = 103</text>"));
    free(text);
    text = draw(gantt_write, report, "t");
    for (unsigned z = 101; z <= 103; z++) {
        char label[32];
        snprintf(label, sizeof(label), ">%u</text>", z);
        assert_non_null(strstr(text, label));
    }
    free(text);
    jobs_report_free(report);
}

static void test_the_same_schedule_gives_the_same_bytes(void **state)
{
    struct jobs_report *report = three_report();
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        char *once = draw(pictures[i], report, "t"), *again = draw(pictures[i], report, "t");
        assert_string_equal(once, again);
        free(once);
        free(again);
    }
    jobs_report_free(report);
}

static void test_a_place_that_cannot_be_written_is_a_failure(void **state)
{
    struct jobs_report *report = three_report();
    (void)state;
    for (unsigned i = 0; i < 2; i++)
        assert_int_not_equal(pictures[i]("/nowhere/at/all.svg", report, "t"), WEFT_OK);
    jobs_report_free(report);
}

GROUP(pictures)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_png_holds_what_was_encoded),
        cmocka_unit_test(test_jobs_that_follow_each_other_differ_in_colour),
        cmocka_unit_test(test_ticks_are_few_and_in_a_unit_that_suits),
        cmocka_unit_test(test_cells_are_those_of_the_places),
        cmocka_unit_test(test_scattered_jobs_are_stacked_by_their_starts),
        cmocka_unit_test(test_curves_are_means_over_time),
        cmocka_unit_test(test_a_schedule_says_what_its_places_are_in),
        cmocka_unit_test(test_any_machine_can_be_drawn),
        cmocka_unit_test(test_a_title_may_be_any_text),
        cmocka_unit_test(test_pictures_say_what_they_show),
        cmocka_unit_test(test_layers_are_those_of_the_machine),
        cmocka_unit_test(test_the_same_schedule_gives_the_same_bytes),
        cmocka_unit_test(test_a_place_that_cannot_be_written_is_a_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
