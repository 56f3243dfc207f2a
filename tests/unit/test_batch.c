/*
 * Batches that end early: workers do not outlive their parent, and their partial files are removed,
 * whether they, the parent or both were killed. And files that are rewritten repeatedly: what a
 * killed process left is removed, what a living one is writing is not.
 */
#define _GNU_SOURCE
#include "group.h"
#include "testing.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file/output.h"
#include "report/result/result.h"
#include "study/batch.h"

static char folder[64];

static void nap(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
}

/* Files in the folder whose names end so. */
static unsigned count(const char *end)
{
    unsigned found = 0;
    DIR *d = opendir(folder);
    for (struct dirent *e; d && (e = readdir(d));) {
        size_t length = strlen(e->d_name);
        found += length >= strlen(end) && strcmp(e->d_name + length - strlen(end), end) == 0 &&
                 e->d_name[0] != '.';
    }
    if (d)
        closedir(d);
    return found;
}

static int make_folder(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/weft-test-batch-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    char command[256]; /* workers that live on would keep whoever runs the tests waiting */
    snprintf(command, sizeof(command),
             "cd %s && for f in *.pid; do kill -9 ${f%%.pid} 2>/dev/null; done; rm -r %s", folder,
             folder);
    return system(command);
}

/* A worker that never comes to the end of its result, and says who it is. */
static char *hang(const struct config *config, const struct run_result *result)
{
    char path[128];
    (void)config;
    (void)result;
    snprintf(path, sizeof(path), "%s/%d.pid", folder, (int)getpid());
    close(open(path, O_WRONLY | O_CREAT, 0666));
    while (pause() < 0)
        ;
    return NULL;
}

static bool when_both_write(void *arg)
{
    (void)arg;
    return count(".part") == 2 && count(".pid") == 2;
}

/* Two runs of two nodes, with two workers. */
static weft_status run_batch(char *(*text)(const struct config *, const struct run_result *),
                             bool (*interrupted)(void *))
{
    struct batch_item *item = calloc(2, sizeof(*item));
    struct batch_options o = {
        .folder = folder, .workers = 2, .text = text, .interrupted = interrupted};
    size_t resumed;
    setenv("WEFT_DATA", WEFT_TEST_DATA, 1);
    for (int i = 0; i < 2; i++) {
        machine_init(&item[i].config);
        assert_int_equal(config_machine(&item[i].config, "bluegene-l"), WEFT_OK);
        assert_int_equal(config_override(&item[i].config, "machine.dims=2x1x1"), WEFT_OK);
        assert_int_equal(config_override(&item[i].config, i ? "run.seed=1" : "run.seed=2"),
                         WEFT_OK);
        assert_int_equal(machine_finish(&item[i].config), WEFT_OK);
    }
    weft_status status = batch_run(item, 2, &o, &resumed);
    for (int i = 0; i < 2; i++)
        config_fini(&item[i].config);
    free(item);
    return status;
}

/* Whether all processes that left their number in the folder are gone within a second. */
static bool workers_end(void)
{
    bool any = true;
    for (double end = clock_seconds() + 1; any && clock_seconds() < end; nap()) {
        any = false;
        while (waitpid(-1, NULL, WNOHANG) > 0)
            ;
        DIR *d = opendir(folder);
        for (struct dirent *e; d && (e = readdir(d));)
            if (strstr(e->d_name, ".pid"))
                any |= kill((pid_t)atoi(e->d_name), 0) == 0;
        if (d)
            closedir(d);
    }
    return !any;
}

static void an_interrupted_batch_leaves_no_worker_and_no_half_of_a_result(void **state)
{
    (void)state;
    assert_int_equal(run_batch(hang, when_both_write), WEFT_FAILED);
    assert_true(workers_end());
    assert_int_equal(count(".part"), 0);
    assert_int_equal(count(".json"), 0);
}

static void workers_end_with_a_parent_that_is_killed(void **state)
{
    (void)state;
    prctl(PR_SET_CHILD_SUBREAPER, 1); /* orphans are ours, to see them end */
    pid_t parent = fork();
    if (parent == 0)
        _exit(run_batch(hang, NULL));
    for (double end = clock_seconds() + 20; !when_both_write(NULL) && clock_seconds() < end;)
        nap();
    assert_true(when_both_write(NULL));
    kill(parent, SIGKILL);
    waitpid(parent, NULL, 0);
    assert_true(workers_end());
    assert_int_equal(count(".part"), 2);
    /* The next batch clears up, and does the work. */
    assert_int_equal(run_batch(result_json, NULL), WEFT_OK);
    assert_int_equal(count(".part"), 0);
    assert_int_equal(count(".json"), 2);
}

static char *die(const struct config *config, const struct run_result *result)
{
    (void)config;
    (void)result;
    raise(SIGKILL);
    return NULL;
}

static void a_worker_that_is_killed_leaves_no_half_of_a_result(void **state)
{
    (void)state;
    assert_int_equal(run_batch(die, NULL), WEFT_FAILED);
    assert_string_equal(weft_last_error(), "its process was killed by signal 9; if memory ran out, "
                                           "use fewer processes (-j)");
    assert_int_equal(count(".part"), 0);
}

static void leftovers_of_other_runs_are_removed_and_other_files_stay(void **state)
{
    (void)state;
    static const char *const names[] = {"0123456789abcdef.json.part", "notes.json.part",
                                        "0123456789abcde.json.part"};
    for (int i = 0; i < 3; i++) {
        char path[128];
        snprintf(path, sizeof(path), "%s/%s", folder, names[i]);
        close(open(path, O_WRONLY | O_CREAT, 0666));
    }
    assert_int_equal(run_batch(result_json, NULL), WEFT_OK);
    assert_int_equal(count(".part"), 2);
    assert_int_equal(count("0123456789abcdef.json.part"), 0);
}

static void what_somebody_writes_is_not_cleaned_away(void **state)
{
    (void)state;
    struct output_file file;
    char path[128];
    snprintf(path, sizeof(path), "%s/r.json", folder);
    output_clean(path); /* nothing there */
    assert_int_equal(output_open_again(&file, path), WEFT_OK);
    output_clean(path);
    assert_int_equal(count(".part"), 1);
    assert_int_equal(output_commit_text(&file, "whole"), WEFT_OK);
    assert_int_equal(count("r.json"), 1);
    assert_int_equal(output_open_again(&file, path), WEFT_OK);
    close(file.descriptor); /* as a kill does */
    output_clean(path);
    assert_int_equal(count(".part"), 0);
    assert_int_equal(count("r.json"), 1);
}

GROUP(batch)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(
            an_interrupted_batch_leaves_no_worker_and_no_half_of_a_result, make_folder,
            remove_folder),
        cmocka_unit_test_setup_teardown(workers_end_with_a_parent_that_is_killed, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(a_worker_that_is_killed_leaves_no_half_of_a_result,
                                        make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(leftovers_of_other_runs_are_removed_and_other_files_stay,
                                        make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(what_somebody_writes_is_not_cleaned_away, make_folder,
                                        remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
