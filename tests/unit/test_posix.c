/* The C library of ranks, without programs: two ranks on one thread, each with what it keeps. */
#define _GNU_SOURCE
#include "group.h"
#include "testing.h"

#include <err.h>
#include <errno.h>
#include <error.h>
#include <fcntl.h>
#include <sys/random.h>

#include "posix/internal.h"

/* What a program gets that calls this function. */
#define RANK(NAME) ((__typeof__(&NAME))posix_find(#NAME))

enum { RANKS = 2, COPY = 256 };

/* What a rank's node knows. */
struct node {
    double now, slept;
    char out[512], err[512];
};

static double seconds(void *owner)
{
    struct node *n = owner;
    return n->now += 0.5;
}

static void sleep_for(void *owner, double time)
{
    struct node *n = owner;
    n->now += time;
    n->slept += time;
}

static void write_text(void *owner, enum posix_stream stream, const char *text, size_t bytes)
{
    struct node *n = owner;
    strncat(stream == POSIX_OUT ? n->out : n->err, text, bytes);
}

static void name(void *owner, char *text, size_t size)
{
    (void)owner;
    snprintf(text, size, "node-1-2-3");
}

static const struct posix_host host = {
    .seconds = seconds, .sleep = sleep_for, .write = write_text, .name = name};
static const struct posix_places places = {{[VARIABLE_OPTARG] = 0,
                                            [VARIABLE_STREAM + POSIX_OUT] = 8,
                                            [VARIABLE_STREAM + POSIX_ERR] = 16,
                                            [VARIABLE_STREAM + POSIX_IN] = 24,
                                            [VARIABLE_ENVIRONMENT] = 32,
                                            [VARIABLE_NAME] = 40,
                                            [VARIABLE_NAME_OLD] = 48,
                                            [VARIABLE_PATH] = 56,
                                            [VARIABLE_PATH_OLD] = 64,
                                            [VARIABLE_OPTIND] = 72,
                                            [VARIABLE_OPTERR] = 76,
                                            [VARIABLE_OPTOPT] = 80}};
static struct posix_rank ranks[RANKS];
static struct node nodes[RANKS];
static char *words[] = {(char *)"./folder/program", (char *)"-a", NULL};

static int begin(void **state)
{
    static unsigned char copies[RANKS][COPY] __attribute__((aligned(16)));
    static char *none[] = {NULL};
    (void)state;
    for (uint32_t i = 0; i < RANKS; i++) {
        char **environment = none;
        memset(copies[i], 0, COPY);
        memcpy(copies[i] + places.at[VARIABLE_ENVIRONMENT], &environment, sizeof(environment));
        nodes[i] = (struct node){.now = 0};
        ranks[i] = (struct posix_rank){.host = &host,
                                       .owner = &nodes[i],
                                       .copy = copies[i],
                                       .places = &places,
                                       .number = i,
                                       .epoch = 1104537600,
                                       .words = {.argc = 2, .argv = words}};
    }
    posix_switch(&ranks[0]);
    return 0;
}

static int end(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < RANKS; i++) {
        streams_end(&ranks[i]);
        posix_drop(&ranks[i]);
    }
    posix_switch(NULL);
    return 0;
}

static void errno_is_the_ranks(void **state)
{
    (void)state;
    errno = EPERM;
    posix_switch(&ranks[1]);
    errno = ENOENT;
    posix_switch(&ranks[0]);
    assert_int_equal(errno, EPERM);
    posix_switch(&ranks[1]);
    assert_int_equal(errno, ENOENT);
}

static void random_numbers_are_the_ranks(void **state)
{
    (void)state;
    int first = RANK(rand)();
    long first48 = RANK(lrand48)();
    RANK(rand)();
    posix_switch(&ranks[1]);
    assert_int_equal(RANK(rand)(), first);
    assert_int_equal(RANK(lrand48)(), first48);
}

static void a_state_of_the_programs_own_comes_back(void **state)
{
    (void)state;
    char own[64], other[64];
    RANK(initstate)(5, own, sizeof(own));
    long first = RANK(random)();
    assert_ptr_equal(RANK(initstate)(5, other, sizeof(other)), own);
    assert_int_equal(RANK(random)(), first);
    assert_ptr_equal(RANK(setstate)(own), other);
    assert_int_not_equal(RANK(random)(), first);
}

static void noise_differs_between_ranks_only(void **state)
{
    (void)state;
    uint64_t mine, again, others;
    assert_int_equal(RANK(getrandom)(&mine, sizeof(mine), 0), sizeof(mine));
    posix_switch(&ranks[1]);
    RANK(getrandom)(&others, sizeof(others), 0);
    begin(NULL);
    RANK(getrandom)(&again, sizeof(again), 0);
    assert_int_equal(mine, again);
    assert_int_not_equal(mine, others);
    uint32_t (*uniform)(uint32_t) = posix_find("arc4random_uniform"); /* not in all C libraries */
    for (int i = 0; i < 100; i++)
        assert_true(uniform(3) < 3);
}

static void clocks_are_the_nodes(void **state)
{
    (void)state;
    struct timespec t;
    nodes[0].now = 7;
    RANK(clock_gettime)(CLOCK_MONOTONIC, &t);
    assert_int_equal(t.tv_sec, 7);
    assert_int_equal(t.tv_nsec, 500000000);
    RANK(clock_gettime)(CLOCK_REALTIME, &t);
    assert_int_equal(t.tv_sec, 1104537600 + 8);
    assert_int_equal(RANK(timespec_get)(&t, TIME_UTC), TIME_UTC);
    assert_int_equal(RANK(timespec_get)(&t, 99), 0);
}

static void sleep_takes_its_time(void **state)
{
    (void)state;
    struct timespec t = {2, 500000000};
    struct timeval v = {1, 0};
    RANK(nanosleep)(&t, &t); /* the same record for what is left */
    assert_near(nodes[0].slept, 2.5, 1e-9);
    assert_int_equal(t.tv_sec, 0);
    RANK(select)(0, NULL, NULL, NULL, &v);
    RANK(poll)(NULL, 0, 250);
    assert_near(nodes[0].slept, 3.75, 1e-9);
    t = (struct timespec){1, -1};
    assert_int_equal(RANK(nanosleep)(&t, NULL), -1);
    assert_int_equal(errno, EINVAL);
}

static void output_goes_line_by_line(void **state)
{
    (void)state;
    RANK(printf)("one %d\ntwo", 1);
    assert_string_equal(nodes[0].out, "one 1\n");
    RANK(puts)("");
    assert_string_equal(nodes[0].out, "one 1\ntwo\n");
    RANK(dprintf)(STDOUT_FILENO, "%s", "three");
    assert_string_equal(nodes[0].out, "one 1\ntwo\nthree");
    posix_switch(&ranks[1]);
    RANK(putchar)('x');
    RANK(fflush)(NULL);
    assert_string_equal(nodes[1].out, "x");
    assert_int_equal(RANK(close)(STDOUT_FILENO), 0);
    assert_true(fcntl(STDOUT_FILENO, F_GETFD) >= 0);
}

static void a_stream_that_the_program_has_replaced_is_used(void **state)
{
    (void)state;
    char *text = NULL;
    size_t size = 0;
    FILE *own = open_memstream(&text, &size);
    memcpy(ranks[0].copy + places.at[VARIABLE_STREAM + POSIX_OUT], &own, sizeof(own));
    RANK(printf)("mine");
    RANK(fclose)(own);
    assert_string_equal(text, "mine");
    assert_string_equal(nodes[0].out, "");
    free(text);
}

static void only_the_first_rank_has_input(void **state)
{
    (void)state;
    char byte;
    assert_true(fileno(streams_get(&ranks[0], POSIX_IN)) > STDERR_FILENO);
    posix_switch(&ranks[1]);
    FILE *in = streams_get(&ranks[1], POSIX_IN);
    assert_int_equal(fileno(in), -1);
    assert_int_equal(RANK(fileno)(in), STDIN_FILENO);
    assert_int_equal(RANK(getchar)(), EOF);
    assert_int_equal(RANK(scanf)("%*d"), EOF);
    assert_int_equal(RANK(read)(STDIN_FILENO, &byte, 1), 0);
    assert_true(feof(in));
}

static void messages_name_the_program(void **state)
{
    (void)state;
    const char *path;
    print_begin(&ranks[0]);
    memcpy(&path, ranks[0].copy + places.at[VARIABLE_NAME], sizeof(path));
    assert_string_equal(path, "program");
    RANK(warnx)("%d", 5);
    errno = ENOENT;
    RANK(warn)(NULL);
    RANK(error)(0, 0, "wrong");
    assert_string_equal(
        nodes[0].err, "program: 5\nprogram: No such file or directory\n./folder/program: wrong\n");
}

static void a_rank_has_one_processor(void **state)
{
    (void)state;
    cpu_set_t set;
    assert_int_equal(RANK(sysconf)(_SC_NPROCESSORS_ONLN), 1);
    assert_int_equal(RANK(sysconf)(_SC_PAGESIZE), sysconf(_SC_PAGESIZE));
    RANK(sched_getaffinity)(0, sizeof(set), &set);
    assert_int_equal(CPU_COUNT(&set), 1);
    int first = RANK(getpid)();
    posix_switch(&ranks[1]);
    assert_int_equal(RANK(getpid)(), first + 1);
}

static void environments_part_when_they_change(void **state)
{
    (void)state;
    assert_null(RANK(getenv)("A"));
    RANK(setenv)("A", "1", 1);
    RANK(setenv)("A", "2", 0);
    RANK(putenv)((char *)"B=3");
    assert_string_equal(RANK(getenv)("A"), "1");
    assert_string_equal(RANK(getenv)("B"), "3");
    posix_switch(&ranks[1]);
    assert_null(RANK(getenv)("A"));
    posix_switch(&ranks[0]);
    RANK(unsetenv)("A");
    assert_null(RANK(getenv)("A"));
    assert_int_equal(RANK(setenv)("=", "", 1), -1);
}

static void tables_of_words_are_the_ranks(void **state)
{
    (void)state;
    ENTRY entry = {(char *)"key", words};
    assert_null(RANK(hsearch)(entry, FIND));
    RANK(hcreate)(4);
    assert_non_null(RANK(hsearch)(entry, ENTER));
    posix_switch(&ranks[1]);
    RANK(hcreate)(4);
    assert_null(RANK(hsearch)(entry, FIND));
}

static void names_are_found(void **state)
{
    (void)state;
    assert_non_null(posix_find("printf"));
    assert_non_null(posix_find("__isoc23_scanf"));
    assert_null(posix_find("sqrt"));
    assert_non_null(posix_doubt("fork"));
    assert_null(posix_doubt("malloc"));
}

#define TEST(FUNCTION) cmocka_unit_test_setup_teardown(FUNCTION, begin, end)

GROUP(posix)
{
    const struct CMUnitTest tests[] = {
        TEST(errno_is_the_ranks),
        TEST(random_numbers_are_the_ranks),
        TEST(a_state_of_the_programs_own_comes_back),
        TEST(noise_differs_between_ranks_only),
        TEST(clocks_are_the_nodes),
        TEST(sleep_takes_its_time),
        TEST(output_goes_line_by_line),
        TEST(a_stream_that_the_program_has_replaced_is_used),
        TEST(only_the_first_rank_has_input),
        TEST(messages_name_the_program),
        TEST(a_rank_has_one_processor),
        TEST(environments_part_when_they_change),
        TEST(tables_of_words_are_the_ranks),
        TEST(names_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
