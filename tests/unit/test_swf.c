/* Logs in the Standard Workload Format: what real ones have, and every kind of wrong line with its
 * message. */
#include "group.h"
#include "testing.h"

#include <unistd.h>

#include "jobs/log.h"

/* A line: number, submit, wait, run, used processors, CPU, memory, processors, estimate, ... */
#define REST " -1 1 2 3 4 1 1 -1 -1\n"
#define LINE(NUMBER, SUBMIT, RUN, USED, ASKED, ESTIMATE)                                           \
    NUMBER " " SUBMIT " 7 " RUN " " USED " -1 -1 " ASKED " " ESTIMATE REST

#define FORM "; write 18 numbers per job, -1 for what is not known, and ';' before comments"

static struct swf_log read_text(const char *text)
{
    struct swf_log log;
    if (swf_read_text("log", text, strlen(text), &log) != WEFT_OK)
        fail_msg("%s", weft_last_error());
    return log;
}

static void assert_job(const struct job *j, int64_t number, int64_t submit, int64_t run,
                       int64_t estimate, int64_t processors)
{
    assert_int_equal(j->number, number);
    assert_int_equal(j->submit, submit);
    assert_int_equal(j->run, run);
    assert_int_equal(j->estimate, estimate);
    assert_int_equal(j->processors, processors);
}

/* ---- what real logs have ---- */

static void a_line_is_a_job(void **state)
{
    (void)state;
    struct swf_log log = read_text(LINE("3", "100", "60", "8", "16", "90"));
    assert_int_equal(log.jobs, 1);
    assert_int_equal(log.lines, 1);
    assert_job(&log.job[0], 3, 100, 60, 90, 16);
    assert_int_equal(log.processors, 16); /* it has no head */
    assert_int_equal(log.no_run + log.no_processors + log.unsorted + log.no_estimate + log.overrun,
                     0);
    swf_fini(&log);
    assert_null(log.job);
}

static void the_head_says_how_large_the_machine_is(void **state)
{
    (void)state;
    static const struct {
        const char *head;
        int64_t processors;
    } heads[] = {
        {"; Version: 2.2\n; MaxProcs: 100\n", 100},
        {";MaxProcs:128\n", 128},
        {";;\t MaxProcs:\t128 (of 136)\n", 128},
        {"; MaxNodes: 64\n", 64},
        {"; MaxNodes: 64\n; MaxProcs: 1024\n", 1024},
        {"; MaxProcs: 1024\n; MaxNodes: 64\n", 1024},
        {"; MaxProcs: 2\n", 4}, /* a job has more */
        {"; MaxProcs: many\n; MaxProcs: 99999999999\n; MaxProcs:\n; MaxProcs: -5\n", 4},
        {"; Note: MaxProcs: 77\n", 4},
        {"", 4},
    };
    for (unsigned i = 0; i < sizeof(heads) / sizeof(heads[0]); i++) {
        char text[400];
        snprintf(text, sizeof(text), "%s%s", heads[i].head, LINE("1", "0", "1", "4", "4", "1"));
        struct swf_log log = read_text(text);
        assert_int_equal(log.jobs, 1);
        assert_int_equal(log.processors, heads[i].processors);
        swf_fini(&log);
    }
}

static void comments_and_blank_lines_may_be_anywhere(void **state)
{
    (void)state;
    struct swf_log log =
        read_text("\n; head\n\n  ; indented\n" LINE("1", "0", "1", "1", "1", "1") //
                  "; between 1 2 3\n   \t\n" LINE("2", "5", "1", "1", "1", "1")   //
                  "\n;\n;no newline");
    assert_int_equal(log.jobs, 2);
    assert_int_equal(log.job[1].submit, 5);
    swf_fini(&log);
    log = read_text("1 0 7 1 1 -1 -1 1 1 -1 1 2 3 4 1 1 -1 -1 ; behind a job");
    assert_int_equal(log.jobs, 1);
    swf_fini(&log);
}

static void fields_that_are_not_known_have_stand_ins(void **state)
{
    (void)state;
    struct swf_log log = read_text(LINE("1", "0", "60", "8", "-1", "90")   /* processors used */
                                   LINE("2", "0", "60", "8", "0", "90")    /* the same */
                                   LINE("3", "0", "60", "-1", "16", "90")  /* those asked for */
                                   LINE("4", "0", "60", "8", "8", "-1")    /* no estimate */
                                   LINE("5", "0", "60", "8", "8", "0")     /* the same */
                                   LINE("6", "-1", "60", "8", "8", "90")); /* from the start */
    assert_int_equal(log.jobs, 6);
    assert_job(&log.job[0], 1, 0, 60, 90, 8);
    assert_job(&log.job[1], 2, 0, 60, 90, 8);
    assert_job(&log.job[2], 3, 0, 60, 90, 16);
    assert_job(&log.job[3], 4, 0, 60, 60, 8);
    assert_job(&log.job[4], 5, 0, 60, 60, 8);
    assert_job(&log.job[5], 6, 0, 60, 90, 8);
    assert_int_equal(log.no_estimate, 2);
    assert_int_equal(log.overrun, 0);
    swf_fini(&log);
}

static void jobs_that_did_not_run_are_left_out_and_counted(void **state)
{
    (void)state;
    struct swf_log log = read_text(LINE("1", "0", "-1", "8", "8", "90")   /* no run time */
                                   LINE("2", "0", "60", "0", "0", "90")   /* no processors */
                                   LINE("3", "0", "60", "-1", "-1", "90") /* the same */
                                   LINE("4", "0", "-1", "-1", "-1", "90") /* neither: no run time */
                                   LINE("5", "0", "0", "8", "8", "90"));  /* below a second */
    assert_int_equal(log.lines, 5);
    assert_int_equal(log.jobs, 1);
    assert_int_equal(log.no_run, 2);
    assert_int_equal(log.no_processors, 2);
    assert_job(&log.job[0], 5, 0, 1, 90, 8);
    swf_fini(&log);
}

static void estimates_that_were_overrun_are_raised(void **state)
{
    (void)state;
    struct swf_log log = read_text(LINE("1", "0", "60", "8", "8", "59")   //
                                   LINE("2", "0", "60", "8", "8", "60")   //
                                   LINE("3", "0", "60", "8", "8", "-1")); //
    assert_int_equal(log.overrun, 1);
    assert_int_equal(log.no_estimate, 1);
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(log.job[i].estimate, 60);
    swf_fini(&log);
}

/* By submit time, then number, then place in the log. */
static void jobs_are_put_in_order(void **state)
{
    (void)state;
    struct swf_log log = read_text(LINE("4", "50", "1", "1", "1", "1")   //
                                   LINE("9", "10", "2", "1", "1", "2")   //
                                   LINE("7", "50", "3", "1", "1", "3")   //
                                   LINE("2", "50", "4", "1", "1", "4")   //
                                   LINE("7", "50", "5", "1", "1", "5")   //
                                   LINE("1", "40", "6", "1", "1", "6")); //
    static const int64_t runs[] = {2, 6, 4, 1, 3, 5};
    assert_int_equal(log.jobs, 6);
    assert_int_equal(log.unsorted, 2);
    for (unsigned i = 0; i < 6; i++)
        assert_int_equal(log.job[i].run, runs[i]);
    swf_fini(&log);
}

static void lines_may_end_as_on_other_systems(void **state)
{
    (void)state;
    struct swf_log log = read_text("; MaxProcs: 32\r\n\r\n"
                                   "1\t0 7 60 8 -1 -1 16 90 -1 1 2 3 4 1 1 -1 -1\r\n"
                                   "2 5 7 60 8 -1 -1 16 90 -1 1 2 3 4 1 1 -1 -1\r\n");
    assert_int_equal(log.processors, 32);
    assert_int_equal(log.jobs, 2);
    assert_job(&log.job[0], 1, 0, 60, 90, 16);
    swf_fini(&log);
}

static void fractions_are_dropped(void **state)
{
    (void)state;
    struct swf_log log = read_text(LINE("1", "10.9", "60.5", "8", "8", "9e1"));
    assert_job(&log.job[0], 1, 10, 60, 90, 8);
    swf_fini(&log);
}

static void a_long_log_is_read_whole(void **state)
{
    (void)state;
    enum { JOBS = 5000, LONGEST = 80 };
    char *text = malloc(JOBS * LONGEST);
    size_t size = 0;
    for (unsigned i = 0; i < JOBS; i++)
        size += (size_t)sprintf(text + size, LINE("%u", "%u", "10", "1", "1", "10"), JOBS - i,
                                (JOBS - i) / 3);
    struct swf_log log = read_text(text);
    assert_int_equal(log.jobs, JOBS);
    for (unsigned i = 0; i < JOBS; i++)
        assert_job(&log.job[i], i + 1, (i + 1) / 3, 10, 10, 1);
    swf_fini(&log);
    free(text);
}

/* ---- what is refused ---- */

static void wrong_lines_are_refused_with_their_place(void **state)
{
    (void)state;
    static const char *const wrong[][2] = {
        {"1 0 7 60\n", "log:1:9: the line ends after 4 of 18 numbers" FORM},
        {"; head\n\n1 0 7 60 \r\n", "log:3:11: the line ends after 4 of 18 numbers" FORM},
        {"1 0 7 60 ; 8 -1\n", "log:1:10: ';' is not a number of processors" FORM},
        {LINE("1", "0", "1", "1", "1", "1") "2 x 7\n", "log:2:3: 'x' is not a submit time" FORM},
        {"1 0 7 6o 8\n", "log:1:7: '6o' is not a run time" FORM},
        {"-1- 0\n", "log:1:1: '-1-' is not a job number" FORM},
        {"nan 0\n", "log:1:1: 'nan' is not a job number" FORM},
        {"1 inf\n", "log:1:3: 'inf' is not a submit time" FORM},
        {"0x10 0\n", "log:1:1: '0x10' is not a job number" FORM},
        {"# a comment\n", "log:1:1: '#' is not a job number" FORM},
        {"1 0 7 2e15\n", "log:1:7: a run time of 2e15 is out of range; use at most 10000000000"},
        {"1 -2e15\n", "log:1:3: a submit time of -2e15 is out of range; use at least -10000000000"},
        {"1 0 7 60 8 -1 -1 16 90 -1 1 2 3 4 1 1 -1 -1 5\n",
         "log:1:45: the line goes on after 18 numbers" FORM},
        {"1 \xc3\xa4 7\n", "log:1:3: byte 0xc3 is not a submit time" FORM},
        {"\x1f\x8b\x08\n", "log:1:1: byte 0x1f is not a job number" FORM},
        {"", "log: has no job that ran" FORM},
        {"; MaxProcs: 100\n", "log: has no job that ran" FORM},
        {LINE("1", "0", "-1", "1", "1", "1"), "log: has no job that ran" FORM},
    };
    for (unsigned i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        struct swf_log log;
        assert_int_equal(swf_read_text("log", wrong[i][0], strlen(wrong[i][0]), &log),
                         WEFT_BAD_INPUT);
        assert_string_equal(weft_last_error(), wrong[i][1]);
        assert_null(log.job);
    }
}

static void a_nul_byte_is_no_text(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t size;
        const char *message;
    } wrong[] = {
        {"\0", 1, "log:1:1: a NUL byte; name a text file"},
        {"; head\n; \0\n", 11, "log:2:3: a NUL byte; name a text file"},
        {"1 0\0 7\n", 7, "log:1:4: a NUL byte; name a text file"},
    };
    for (unsigned i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        struct swf_log log;
        assert_int_equal(swf_read_text("log", wrong[i].text, wrong[i].size, &log), WEFT_BAD_INPUT);
        assert_string_equal(weft_last_error(), wrong[i].message);
    }
}

/* A word of any length is one line of the message. */
static void a_long_word_is_refused_in_short(void **state)
{
    (void)state;
    char text[2000];
    struct swf_log log;
    memset(text, '1', sizeof(text));
    assert_int_equal(swf_read_text("log", text, sizeof(text), &log), WEFT_BAD_INPUT);
    assert_memory_equal(weft_last_error(), "log:1:1: '111", 13);
    assert_true(strlen(weft_last_error()) < 250);
    assert_non_null(strstr(weft_last_error(), "is not a job number" FORM));
}

/* ---- files ---- */

static const char log_text[] = "; MaxProcs: 64\n" LINE("1", "0", "60", "8", "16", "90")
    LINE("2", "5", "61", "8", "17", "91") LINE("3", "9", "62", "8", "18", "92");

static void write_file(const char *path, const void *bytes, size_t size)
{
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, size, f), size);
    assert_int_equal(fclose(f), 0);
}

/* Packs the log by gzip; returns the packed bytes. */
static size_t pack(const char *folder, unsigned char bytes[4096])
{
    char path[200], command[300];
    snprintf(path, sizeof(path), "%s/packed", folder);
    write_file(path, log_text, strlen(log_text));
    snprintf(command, sizeof(command), "gzip -9 -f %s", path);
    assert_int_equal(system(command), 0);
    snprintf(path, sizeof(path), "%s/packed.gz", folder);
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    size_t size = fread(bytes, 1, 4096, f);
    fclose(f);
    unlink(path);
    assert_true(size > 20 && size < 4096);
    return size;
}

static void assert_log_text(const struct swf_log *log)
{
    assert_int_equal(log->processors, 64);
    assert_int_equal(log->jobs, 3);
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(log->job[i].run, 60 + i);
}

static void files_are_read_packed_or_not(void **state)
{
    (void)state;
    char folder[] = "/tmp/weft-swf-XXXXXX", path[200];
    unsigned char packed[8192];
    struct swf_log log;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof(path), "%s/log", folder);
    write_file(path, log_text, strlen(log_text));
    assert_int_equal(swf_read(path, &log), WEFT_OK);
    assert_log_text(&log);
    swf_fini(&log);
    size_t size = pack(folder, packed);
    write_file(path, packed, size);
    assert_int_equal(swf_read(path, &log), WEFT_OK);
    assert_log_text(&log);
    swf_fini(&log);
    memcpy(packed + size, packed, size); /* two members: the log twice */
    write_file(path, packed, 2 * size);
    assert_int_equal(swf_read(path, &log), WEFT_OK);
    assert_int_equal(log.jobs, 6);
    swf_fini(&log);
    unlink(path);
    rmdir(folder);
}

/* Cut anywhere, with any byte of its check sum changed, or before anything but another member. */
static void damaged_gzip_files_are_refused(void **state)
{
    (void)state;
    char folder[] = "/tmp/weft-swf-XXXXXX", path[200], message[400];
    unsigned char packed[8192];
    struct swf_log log;
    assert_non_null(mkdtemp(folder));
    size_t size = pack(folder, packed);
    snprintf(path, sizeof(path), "%s/log", folder);
    snprintf(message, sizeof(message),
             "%s: is a damaged gzip file, or over 1 GiB unpacked; name a log of jobs", path);
    for (size_t length = 3; length < size; length++) {
        write_file(path, packed, length);
        assert_int_equal(swf_read(path, &log), WEFT_BAD_INPUT);
        assert_string_equal(weft_last_error(), message);
    }
    for (size_t at = size - 8; at < size; at++) {
        packed[at] ^= 1;
        write_file(path, packed, size);
        packed[at] ^= 1;
        assert_int_equal(swf_read(path, &log), WEFT_BAD_INPUT);
        assert_string_equal(weft_last_error(), message);
    }
    memcpy(packed + size, packed, size);
    for (size_t at = size; at < size + 3; at++) {
        packed[at] ^= 1;
        write_file(path, packed, 2 * size);
        packed[at] ^= 1;
        assert_int_equal(swf_read(path, &log), WEFT_BAD_INPUT);
        assert_string_equal(weft_last_error(), message);
    }
    unlink(path);
    assert_int_equal(swf_read(path, &log), WEFT_BAD_INPUT);
    assert_non_null(strstr(weft_last_error(), "No such file"));
    rmdir(folder);
}

/* Complaints name the file by its path, and the line of what is in it. */
static void a_file_s_wrong_line_is_named(void **state)
{
    (void)state;
    char path[] = "/tmp/weft-swf-XXXXXX", message[400];
    struct swf_log log;
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    close(descriptor);
    write_file(path, "; head\n1 2 three\n", 17);
    assert_int_equal(swf_read(path, &log), WEFT_BAD_INPUT);
    snprintf(message, sizeof(message), "%s:2:5: 'three' is not a wait time" FORM, path);
    assert_string_equal(weft_last_error(), message);
    unlink(path);
}

GROUP(swf)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_is_a_job),
        cmocka_unit_test(the_head_says_how_large_the_machine_is),
        cmocka_unit_test(comments_and_blank_lines_may_be_anywhere),
        cmocka_unit_test(fields_that_are_not_known_have_stand_ins),
        cmocka_unit_test(jobs_that_did_not_run_are_left_out_and_counted),
        cmocka_unit_test(estimates_that_were_overrun_are_raised),
        cmocka_unit_test(jobs_are_put_in_order),
        cmocka_unit_test(lines_may_end_as_on_other_systems),
        cmocka_unit_test(fractions_are_dropped),
        cmocka_unit_test(a_long_log_is_read_whole),
        cmocka_unit_test(wrong_lines_are_refused_with_their_place),
        cmocka_unit_test(a_nul_byte_is_no_text),
        cmocka_unit_test(a_long_word_is_refused_in_short),
        cmocka_unit_test(files_are_read_packed_or_not),
        cmocka_unit_test(damaged_gzip_files_are_refused),
        cmocka_unit_test(a_file_s_wrong_line_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
