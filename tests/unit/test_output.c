/*
 * A file appears under its name, complete, when it is committed. Until then, and after a failure or
 * output_abandon(), the folder is as it was before. Links are followed, folders are refused,
 * devices and pipes are written directly. Of two processes that rewrite the same file, one waits.
 */
#include "group.h"
#include "testing.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/file/output.h"

/* ---- a folder of its own for each test ---- */

static int enter_folder(void **state)
{
    static char folder[64];
    strcpy(folder, "/tmp/weft-output-XXXXXX");
    *state = mkdtemp(folder);
    return *state && chdir(folder) == 0 ? 0 : -1;
}

/* How many files are in it, hidden ones included. */
static int files(void)
{
    int count = 0;
    DIR *folder = opendir(".");
    assert_non_null(folder);
    for (struct dirent *e; (e = readdir(folder));)
        count += strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0;
    closedir(folder);
    return count;
}

static int leave_folder(void **state)
{
    DIR *folder = opendir(".");
    for (struct dirent *e; folder && (e = readdir(folder));)
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
            remove(e->d_name);
    if (folder)
        closedir(folder);
    return chdir("/") == 0 ? rmdir(*state) : -1;
}

static void put(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static void link_to(const char *target, const char *path)
{
    assert_int_equal(symlink(target, path), 0);
}

static void assert_is_link(const char *path)
{
    struct stat there;
    assert_int_equal(lstat(path, &there), 0);
    assert_true(S_ISLNK(there.st_mode));
}

static void assert_holds(const char *path, const char *text)
{
    char there[256];
    FILE *f = fopen(path, "r");
    if (!f)
        fail_msg("no file %s", path);
    size_t size = fread(there, 1, sizeof(there) - 1, f);
    fclose(f);
    there[size] = '\0';
    assert_string_equal(there, text);
}

static void assert_absent(const char *path)
{
    struct stat there;
    assert_int_equal(lstat(path, &there), -1);
}

/* Both ways to open a file. */
static weft_status (*const openings[])(struct output_file *, const char *) = {output_open,
                                                                              output_open_again};

/* ---- whole or not at all ---- */

static void it_appears_when_it_is_committed(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct output_file f;
        assert_int_equal(openings[i](&f, "new"), WEFT_OK);
        output_write(&f, "ab", 2);
        output_write(&f, "", 0);
        assert_absent("new");
        assert_int_equal(output_commit_text(&f, "cd\n"), WEFT_OK);
        assert_holds("new", "abcd\n");
        assert_int_equal(files(), 1);
        remove("new");
    }
}

static void what_was_there_stays_until_the_commit(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct output_file f;
        put("there", "a longer text than the next");
        assert_int_equal(openings[i](&f, "there"), WEFT_OK);
        output_write(&f, "next", 4);
        assert_holds("there", "a longer text than the next");
        assert_int_equal(output_commit(&f), WEFT_OK);
        assert_holds("there", "next");
        assert_int_equal(files(), 1);
    }
}

static void abandoning_leaves_no_trace(void **state)
{
    (void)state;
    put("there", "old");
    for (int i = 0; i < 2; i++) {
        struct output_file f;
        assert_int_equal(openings[i](&f, "there"), WEFT_OK);
        output_write(&f, "new", 3);
        output_abandon(&f);
        int next = open("there", O_RDONLY); /* probably gets the descriptor just closed */
        output_abandon(&f);                 /* the second time does nothing */
        assert_int_equal(close(next), 0);
        assert_holds("there", "old");
        assert_int_equal(files(), 1);
        assert_int_equal(openings[i](&f, "absent"), WEFT_OK);
        output_abandon(&f);
        assert_int_equal(files(), 1);
    }
}

static void a_failed_write_is_reported_by_the_commit(void **state)
{
    (void)state;
    static char bytes[10000];
    struct rlimit before, limit;
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before);
    limit = before;
    limit.rlim_cur = 15000;
    put("there", "old");
    for (int i = 0; i < 2; i++) {
        struct output_file f;
        assert_int_equal(openings[i](&f, "there"), WEFT_OK);
        setrlimit(RLIMIT_FSIZE, &limit);
        output_write(&f, bytes, sizeof(bytes));
        int first = f.error;
        output_write(&f, bytes, sizeof(bytes));
        int second = f.error;
        output_write(&f, bytes, 1);
        setrlimit(RLIMIT_FSIZE, &before);
        weft_status status = output_commit(&f);
        assert_int_equal(first, 0);
        assert_int_not_equal(second, 0);
        assert_int_equal(status, WEFT_BAD_INPUT);
        assert_non_null(strstr(weft_last_error(), "/there: File too large; raise the limit"));
        assert_holds("there", "old");
        assert_int_equal(files(), 1);
    }
    signal(SIGXFSZ, handler);
}

static void two_files_written_at_once_do_not_mix(void **state)
{
    (void)state;
    struct output_file a, b;
    assert_int_equal(output_open(&a, "file"), WEFT_OK);
    assert_int_equal(output_open(&b, "file"), WEFT_OK);
    output_write(&a, "aaaa", 4);
    output_write(&b, "bb", 2);
    assert_int_equal(output_commit(&b), WEFT_OK);
    assert_holds("file", "bb");
    assert_int_equal(output_commit(&a), WEFT_OK);
    assert_holds("file", "aaaa");
    assert_int_equal(files(), 1);
}

/* ---- places ---- */

static void a_place_that_cannot_be_written_fails_at_once(void **state)
{
    (void)state;
    static char long_name[5000];
    static const char *const where[] = {".", "absent/file", "file/under", "", long_name};
    static const char *const why[] = {"is a folder", "No such file or directory", "Not a directory",
                                      "is not a file name", "is not a file name"};
    memset(long_name, 'x', sizeof(long_name) - 1);
    put("file", "");
    for (int i = 0; i < 2; i++)
        for (size_t k = 0; k < sizeof(where) / sizeof(where[0]); k++) {
            struct output_file f;
            assert_int_equal(openings[i](&f, where[k]), WEFT_BAD_INPUT);
            if (!strstr(weft_last_error(), why[k]))
                fail_msg("'%s' does not say '%s'", weft_last_error(), why[k]);
            assert_int_equal(files(), 1);
        }
}

static void the_longest_name_is_written(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct output_file f;
        char name[300] = "";
        memset(name, 'n', 240); /* with its suffix just under a file system's 255 */
        assert_int_equal(openings[i](&f, name), WEFT_OK);
        assert_int_equal(output_commit_text(&f, "t"), WEFT_OK);
        assert_holds(name, "t");
        assert_int_equal(files(), 1);
    }
}

static void a_link_stays_and_its_file_is_replaced(void **state)
{
    (void)state;
    put("file", "old");
    link_to("file", "link");
    link_to("link", "link to link");
    for (int i = 0; i < 2; i++) {
        struct output_file f;
        struct stat there;
        assert_int_equal(openings[i](&f, "link to link"), WEFT_OK);
        assert_int_equal(output_commit_text(&f, i ? "newer" : "new"), WEFT_OK);
        assert_is_link("link");
        assert_is_link("link to link");
        assert_int_equal(lstat("file", &there), 0);
        assert_true(S_ISREG(there.st_mode));
        assert_holds("file", i ? "newer" : "new");
        assert_int_equal(files(), 3);
    }
}

static void a_link_to_nothing_yet_leads_to_where_the_file_will_be(void **state)
{
    (void)state;
    struct output_file f;
    assert_int_equal(mkdir("folder", 0777), 0);
    link_to("folder/link", "link");
    link_to("file", "folder/link"); /* seen from its folder */
    assert_int_equal(output_open(&f, "link"), WEFT_OK);
    assert_int_equal(output_commit_text(&f, "new"), WEFT_OK);
    assert_holds("folder/file", "new");
    assert_is_link("folder/link");
    assert_is_link("link");
    assert_int_equal(files(), 2);
    remove("folder/file");
    remove("folder/link");
}

static void links_in_a_circle_lead_nowhere(void **state)
{
    (void)state;
    link_to("b", "a");
    link_to("a", "b");
    for (int i = 0; i < 2; i++) {
        struct output_file f;
        assert_int_equal(openings[i](&f, "a"), WEFT_BAD_INPUT);
        assert_non_null(strstr(weft_last_error(), "a: Too many levels of symbolic links; "));
        assert_is_link("a");
        assert_int_equal(files(), 2);
    }
}

/* A device that is always full; NULL: there is none. Root makes its own, so that a mistake in the
 * code under test cannot replace the one in /dev. */
static const char *full_device(void)
{
    if (geteuid() != 0)
        return "/dev/full";
    int made = mknod("full", S_IFCHR | 0600, makedev(1, 7));
    int there = made == 0 ? open("full", O_WRONLY) : -1;
    if (there < 0)
        return NULL;
    close(there);
    return "full";
}

static void a_device_is_written_as_it_is(void **state)
{
    (void)state;
    struct output_file f;
    struct stat there;
    const char *device = full_device();
    if (!device) {
        print_message("# no device can be made here\n");
        skip();
    }
    for (int i = 0; i < 2; i++) {
        assert_int_equal(openings[i](&f, device), WEFT_OK);
        assert_int_equal(output_commit_text(&f, "too much"), WEFT_BAD_INPUT);
        assert_non_null(strstr(weft_last_error(), "/full: No space left on device; make room"));
        assert_int_equal(openings[i](&f, device), WEFT_OK);
        output_abandon(&f);
        assert_int_equal(stat(device, &there), 0);
        assert_true(S_ISCHR(there.st_mode));
    }
}

static void a_pipe_gets_what_is_written(void **state)
{
    (void)state;
    struct output_file f;
    char text[16] = "";
    assert_int_equal(mkfifo("pipe", 0600), 0);
    int reader = open("pipe", O_RDONLY | O_NONBLOCK);
    assert_true(reader >= 0);
    assert_int_equal(output_open(&f, "pipe"), WEFT_OK);
    output_write(&f, "one", 3);
    assert_int_equal(read(reader, text, sizeof(text)), 3);
    assert_string_equal(text, "one");
    assert_int_equal(output_commit(&f), WEFT_OK);
    close(reader);
    assert_int_equal(files(), 1);
}

/* ---- again and again ---- */

static void what_a_kill_left_behind_is_reused(void **state)
{
    (void)state;
    struct output_file f;
    put("file", "before");
    put("file.part", "half of a text that was longer than the next one");
    assert_int_equal(output_open_again(&f, "file"), WEFT_OK);
    assert_int_equal(output_commit_text(&f, "whole"), WEFT_OK);
    assert_holds("file", "whole");
    assert_int_equal(files(), 1);
}

/* Writes the file in another process, which sends a byte before it begins. It must not inherit
 * `ours`, or it would hold our lock itself. */
static pid_t write_elsewhere(const char *text, int ours, int *ready)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    fflush(stdout);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        struct output_file f;
        close(ours);
        if (write(ends[1], "", 1) != 1 || output_open_again(&f, "file") != WEFT_OK)
            _exit(1);
        _exit(output_commit_text(&f, text));
    }
    close(ends[1]);
    *ready = ends[0];
    return child;
}

static void of_two_writers_one_waits(void **state)
{
    (void)state;
    static const struct timespec moment = {.tv_nsec = 50000000};
    for (int commits = 0; commits < 2; commits++) {
        struct output_file f;
        int ready, status;
        char byte;
        assert_int_equal(output_open_again(&f, "file"), WEFT_OK);
        output_write(&f, "ours, ", 6);
        pid_t child = write_elsewhere("theirs", f.descriptor, &ready);
        assert_int_equal(read(ready, &byte, 1), 1);
        nanosleep(&moment, NULL); /* long enough for it to do harm if it did not wait */
        output_write(&f, "still ours", 10);
        assert_int_equal(waitpid(child, &status, WNOHANG), 0);
        if (commits)
            assert_int_equal(output_commit(&f), WEFT_OK);
        else
            output_abandon(&f);
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_int_equal(status, 0);
        close(ready);
        assert_holds("file", "theirs");
        assert_int_equal(files(), 1);
        remove("file");
    }
}

/* It waited for a file that has its final name by now; beside it lies what a third one began. */
static void who_waited_for_a_file_that_was_committed_starts_over(void **state)
{
    (void)state;
    static const struct timespec moment = {.tv_nsec = 50000000};
    struct output_file f;
    int ready, status;
    char byte;
    assert_int_equal(output_open_again(&f, "file"), WEFT_OK);
    pid_t child = write_elsewhere("theirs", f.descriptor, &ready);
    assert_int_equal(read(ready, &byte, 1), 1);
    nanosleep(&moment, NULL);
    int lock = dup(f.descriptor); /* holds it beyond the commit */
    assert_int_equal(output_commit_text(&f, "ours"), WEFT_OK);
    assert_int_equal(link("file", "ours"), 0);
    put("file.part", "begun by a third");
    close(lock);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    close(ready);
    assert_holds("file", "theirs");
    assert_holds("ours", "ours");
    assert_int_equal(files(), 2);
}

static void a_file_is_the_same_by_any_of_its_names(void **state)
{
    (void)state;
    put("there", "text");
    assert_int_equal(mkdir("folder", 0777), 0);
    assert_int_equal(symlink("folder/new", "link"), 0);
    assert_true(output_is_same("there", "./folder/../there"));
    assert_true(output_is_same("folder/new", "link"));
    assert_false(output_is_same("there", "folder/there"));
    assert_false(output_is_same("nowhere/new", "nowhere/new"));
    assert_false(output_is_same("/dev/null", "/dev/null"));
    assert_false(output_is_same("", ""));
    unlink("link");
    rmdir("folder");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, enter_folder, leave_folder)

GROUP(output)
{
    const struct CMUnitTest tests[] = {
        TEST(it_appears_when_it_is_committed),
        TEST(what_was_there_stays_until_the_commit),
        TEST(abandoning_leaves_no_trace),
        TEST(a_failed_write_is_reported_by_the_commit),
        TEST(two_files_written_at_once_do_not_mix),
        TEST(a_place_that_cannot_be_written_fails_at_once),
        TEST(the_longest_name_is_written),
        TEST(a_link_stays_and_its_file_is_replaced),
        TEST(a_link_to_nothing_yet_leads_to_where_the_file_will_be),
        TEST(links_in_a_circle_lead_nowhere),
        TEST(a_file_is_the_same_by_any_of_its_names),
        TEST(a_device_is_written_as_it_is),
        TEST(a_pipe_gets_what_is_written),
        TEST(what_a_kill_left_behind_is_reused),
        TEST(of_two_writers_one_waits),
        TEST(who_waited_for_a_file_that_was_committed_starts_over),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
