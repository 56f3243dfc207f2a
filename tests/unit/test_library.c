/*
 * The library as its hosts see it (include/weft.h): runs are made, set, executed and cancelled;
 * what cannot be is refused, in words; a host's messages arrive once, unchanged, in an order and at
 * times that depend neither on threads nor on how the host steps.
 */
#define _GNU_SOURCE
#include "group.h"
#include "testing.h"

#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "weft.h"

/* Machines of every family, with 27 nodes at least. */
static const struct machine {
    const char *name, *size;
} machines[] = {
    {"ideal", "machine.nodes=27"},
    {"bluegene-l", "machine.dims=3x3x3"},
    {"sc5832", "machine.graph=kautz:3:3"},
};
enum { MACHINES = sizeof(machines) / sizeof(machines[0]), NODES = 27 };

static void assert_ok(weft_status status)
{
    if (status != WEFT_OK)
        fail_msg("%s", weft_last_error());
}

static void assert_refused(weft_status status, const char *words)
{
    assert_int_equal(status, WEFT_BAD_INPUT);
    assert_string_equal(weft_last_error(), words);
}

static weft_run *make(const struct machine *m)
{
    weft_run *run;
    setenv("WEFT_DATA", WEFT_TEST_DATA, 1);
    assert_ok(weft_run_create(m->name, NULL, &run));
    assert_ok(weft_run_set(run, m->size));
    return run;
}

static weft_run *start(const struct machine *m, unsigned threads)
{
    weft_run *run = make(m);
    assert_ok(weft_run_start(run, threads));
    return run;
}

static void put_text(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    assert_int_equal(fclose(f), 0);
}

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- making ---- */

static void a_run_is_made_from_a_name_a_file_or_a_text(void **state)
{
    (void)state;
    static const char study[] = "machine: ideal\nworkload: {pattern: alltoall}\n";
    char path[] = "/tmp/weft-test-XXXXXX.yaml";
    weft_run *run;
    setenv("WEFT_DATA", WEFT_TEST_DATA, 1);
    int file = mkstemps(path, 5);
    assert_true(file >= 0 && write(file, study, sizeof(study) - 1) == sizeof(study) - 1);
    close(file);
    assert_ok(weft_run_create(NULL, path, &run));
    weft_run_destroy(run);
    assert_ok(weft_run_create("bluegene-l", path, &run)); /* the study on another machine */
    assert_ok(weft_run_set(run, "machine.dims=2x2x2"));
    weft_run_destroy(run);
    unlink(path);
    assert_ok(weft_run_create_text(study, sizeof(study) - 1, &run));
    weft_run_destroy(run);
    weft_run_destroy(NULL);
}

static void a_run_that_cannot_be_made_is_null_and_says_why(void **state)
{
    (void)state;
    static const char wrong[] = "machine: ideal\nworkload: {patern: alltoall}\n";
    static const char many[] = "machine: ideal\nruns:\n  - {name: a}\n";
    weft_run *run = (weft_run *)(uintptr_t)1;
    setenv("WEFT_DATA", WEFT_TEST_DATA, 1);
    assert_refused(weft_run_create("cray", NULL, &run),
                   "machine 'cray' is not known; `weft machines` lists those available");
    assert_null(run);
    run = (weft_run *)(uintptr_t)1;
    assert_refused(weft_run_create(NULL, "/nowhere.yaml", &run),
                   "/nowhere.yaml: No such file or directory; name a file that can be read");
    assert_null(run);
    run = (weft_run *)(uintptr_t)1;
    assert_int_equal(weft_run_create(NULL, NULL, &run), WEFT_BAD_INPUT);
    assert_null(run);
    run = (weft_run *)(uintptr_t)1;
    assert_refused(weft_run_create_text(wrong, sizeof(wrong) - 1, &run),
                   "text:2:20: unknown key 'workload.patern'; did you mean 'workload.pattern'?");
    assert_null(run);
    run = (weft_run *)(uintptr_t)1;
    assert_int_equal(weft_run_create_text(many, sizeof(many) - 1, &run), WEFT_BAD_INPUT);
    assert_non_null(strstr(weft_last_error(), ": a study of several runs; give one; several may"));
    assert_null(run);
    run = (weft_run *)(uintptr_t)1;
    assert_int_equal(weft_run_create_text("", 0, &run), WEFT_BAD_INPUT);
    assert_null(run);
}

static void data_that_are_not_there_are_named(void **state)
{
    (void)state;
    weft_run *run;
    unsetenv("WEFT_DATA");
    weft_use_data("/nowhere");
    assert_refused(weft_run_create("ideal", NULL, &run),
                   "/nowhere/machines: no such folder; set WEFT_DATA, or call weft_use_data(), to "
                   "where Weft's machines/ and studies/ are");
    weft_use_data(WEFT_TEST_DATA);
    assert_ok(weft_run_create("ideal", NULL, &run));
    weft_run_destroy(run);
    weft_use_data(NULL);
}

static void keys_are_refused_once_the_run_has_started(void **state)
{
    (void)state;
    weft_run *run = make(&machines[0]);
    assert_refused(weft_run_set(run, "machine.nodez=8"),
                   "-s machine.nodez=8: unknown key 'machine.nodez'; did you mean "
                   "'machine.nodes'?");
    assert_ok(weft_run_set(run, "run.seed=3")); /* a refusal changes nothing */
    assert_ok(weft_run_start(run, 1));
    assert_refused(weft_run_set(run, "run.seed=4"),
                   "the run has started; set keys before weft_run_start()");
    assert_refused(weft_run_start(run, 1), "the run was started already; create another");
    assert_refused(weft_run_execute(run, 1),
                   "the run has started; use weft_run_advance(), or another run");
    assert_ok(weft_run_advance(run, 10)); /* it goes on all the same */
    weft_run_destroy(run);
}

/* ---- what there is ---- */

static void note_machine(void *arg, const char *name, const char *description)
{
    char *names = arg;
    assert_true(description[0]);
    snprintf(names + strlen(names), 256 - strlen(names), "%s ", name);
}

static void machines_are_listed_with_what_they_are(void **state)
{
    (void)state;
    char names[256] = "";
    setenv("WEFT_DATA", WEFT_TEST_DATA, 1);
    assert_ok(weft_machines(note_machine, names));
    assert_string_equal(
        names, "bluegene-l bluegene-l-sim2003 bluegene-p dragonfly fat-tree ideal k-computer "
               "sc5832 torus-pod ");
}

static void a_machine_file_that_cannot_be_read_is_left_out_and_named(void **state)
{
    (void)state;
    char folder[] = "/tmp/weft-test-XXXXXX", path[64], wrong[128], names[256] = "", words[136];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof(path), "%s/machines", folder);
    assert_int_equal(mkdir(path, 0700), 0);
    snprintf(wrong, sizeof(wrong), "%s/a.yaml", path);
    put_text(wrong, "description: [");
    snprintf(path, sizeof(path), "%s/machines/b.yaml", folder);
    put_text(path, "description: a machine\n");
    weft_use_data(folder);
    assert_int_equal(weft_machines(note_machine, names), WEFT_BAD_INPUT);
    weft_use_data(NULL);
    assert_string_equal(names, "b ");
    snprintf(words, sizeof(words), "%s:", wrong);
    assert_int_equal(strncmp(weft_last_error(), words, strlen(words)), 0);
    unlink(wrong);
    unlink(path);
    *strrchr(path, '/') = '\0';
    rmdir(path);
    rmdir(folder);
}

struct noted {
    const char *name;
    unsigned times;
    char value[32], default_value[32], unit[8], source[64], last_choice[16];
};

static void note_key(void *arg, const weft_key *key)
{
    struct noted *n = arg;
    assert_true(key->help[0]);
    if (strcmp(key->name, n->name) != 0)
        return;
    n->times++;
    snprintf(n->value, sizeof(n->value), "%s", key->value);
    snprintf(n->default_value, sizeof(n->default_value), "%s",
             key->default_value ? key->default_value : "none");
    snprintf(n->unit, sizeof(n->unit), "%s", key->unit);
    snprintf(n->source, sizeof(n->source), "%s", key->source);
    for (const char *const *word = key->choices; word && *word; word++)
        snprintf(n->last_choice, sizeof(n->last_choice), "%s", *word);
}

static struct noted look_up(weft_run *run, const char *name)
{
    struct noted n = {.name = name};
    assert_ok(weft_run_keys(run, note_key, &n));
    assert_int_equal(n.times, 1);
    return n;
}

static void metrics_are_checked_before_a_run(void **state)
{
    (void)state;
    weft_run *run = make(&machines[1]);
    assert_ok(weft_run_check_metric(run, "response_cycles.mean"));
    assert_int_equal(weft_run_check_metric(run, "response_cycles.men"), WEFT_BAD_INPUT);
    assert_non_null(strstr(weft_last_error(), "did you mean 'response_cycles.mean'?"));
    assert_int_equal(weft_run_check_metric(run, "rounds_done"), WEFT_BAD_INPUT);
    assert_ok(weft_run_set(run, "workload.pattern=mpi")); /* its programs name figures */
    assert_ok(weft_run_check_metric(run, "rounds_done"));
    weft_run_destroy(run);
}

static uint64_t hash_of(weft_run *run)
{
    uint64_t hash;
    assert_ok(weft_run_hash(run, &hash));
    return hash;
}

static void a_hash_follows_settings_and_files(void **state)
{
    (void)state;
    char file[] = "/tmp/weft-library-XXXXXX", setting[64];
    weft_run *run = make(&machines[1]);
    FILE *f = fdopen(mkstemp(file), "w");
    uint64_t first = hash_of(run);
    assert_true(first == hash_of(run));
    assert_ok(weft_run_set(run, "run.seed=2"));
    assert_true(first != hash_of(run));
    assert_ok(weft_run_set(run, "run.seed=1"));
    assert_true(first == hash_of(run));
    snprintf(setting, sizeof(setting), "workload.file=%s", file);
    assert_ok(weft_run_set(run, "workload.pattern=pairs"));
    assert_ok(weft_run_set(run, setting));
    first = hash_of(run);
    fputs("0 1\n", f);
    fclose(f);
    assert_true(first != hash_of(run));
    assert_ok(weft_run_start(run, 1));
    assert_refused(weft_run_hash(run, &first), "the run has started; ask before weft_run_start()");
    weft_run_destroy(run);
    unlink(file);
}

static void a_mean_over_seeds_has_an_interval(void **state)
{
    (void)state;
    const double values[] = {1, 2, 3};
    double mean, half;
    weft_interval(values, 3, &mean, &half);
    assert_true(mean == 2 && fabs(half - 4.303 / sqrt(3)) < 1e-9);
    weft_interval(values, 1, &mean, &half);
    assert_true(mean == 1 && isnan(half));
    weft_interval(values, 0, &mean, &half);
    assert_true(isnan(mean) && isnan(half));
}

static void keys_have_the_runs_values(void **state)
{
    (void)state;
    weft_run *run = make(&machines[1]);
    struct noted n = look_up(run, "machine.dims");
    assert_string_equal(n.value, "3x3x3");
    assert_string_equal(n.default_value, "none"); /* every machine gives its own */
    assert_string_equal(n.source, "-s machine.dims=3x3x3");
    n = look_up(run, "workload.packet_bytes");
    assert_string_equal(n.value, "auto");
    assert_string_equal(n.default_value, "auto");
    assert_string_equal(n.unit, "B");
    assert_string_equal(n.source, "");
    assert_string_equal(look_up(run, "workload.as").last_choice, "messages");
    assert_string_equal(look_up(run, "workload.load").last_choice, "");
    weft_run_destroy(run);
}

/* ---- executing ---- */

static void an_executed_run_has_a_result_and_not_before(void **state)
{
    (void)state;
    char *first = NULL;
    for (unsigned threads = 0; threads < 3; threads++) { /* 0: one */
        weft_run *run = make(&machines[1]);
        assert_ok(weft_run_set(run, "workload.pattern=alltoall"));
        assert_null(weft_run_json(run));
        assert_ok(weft_run_execute(run, threads));
        const char *digest = strstr(weft_run_json(run), "\"digest\": ");
        assert_non_null(digest);
        assert_ptr_equal(weft_run_json(run), weft_run_json(run));
        if (!first)
            first = strndup(digest, 28);
        assert_memory_equal(digest, first, 28);
        assert_ok(weft_run_execute(run, 1)); /* once more */
        assert_memory_equal(strstr(weft_run_json(run), "\"digest\": "), first, 28);
        weft_run_destroy(run);
    }
    free(first);
}

static void a_run_that_fails_leaves_no_result_of_the_one_before(void **state)
{
    (void)state;
    weft_run *run = make(&machines[1]);
    assert_ok(weft_run_execute(run, 1));
    assert_non_null(weft_run_json(run));
    assert_ok(weft_run_set(run, "run.bricks=2x2"));
    assert_int_equal(weft_run_execute(run, 1), WEFT_BAD_INPUT);
    assert_null(weft_run_json(run));
    weft_run_destroy(run);
}

struct watching {
    unsigned told;
    weft_progress last;
    bool went_back;
    weft_run *cancel; /* NULL: let it run */
};

static void watch(void *arg, const weft_progress *p)
{
    struct watching *w = arg;
    w->went_back |= p->cycle < w->last.cycle || p->packets_delivered < w->last.packets_delivered;
    w->last = *p;
    w->told++;
    if (w->cancel)
        weft_run_cancel(w->cancel);
}

/* A run of many minutes. */
static weft_run *make_long(void)
{
    weft_run *run = make(&machines[1]);
    assert_ok(weft_run_set(run, "workload.pattern=alltoall"));
    assert_ok(weft_run_set(run, "workload.packets_per_pair=100000"));
    return run;
}

static void progress_is_told_and_may_cancel(void **state)
{
    (void)state;
    weft_run *run = make_long();
    struct watching w = {.cancel = run};
    weft_run_on_progress(run, watch, &w);
    double from = seconds();
    assert_int_equal(weft_run_execute(run, 2), WEFT_FAILED);
    assert_true(seconds() - from < 2);
    assert_true(w.told >= 1 && !w.went_back);
    assert_true(w.last.cycle > 0 && w.last.packets_delivered > 0);
    assert_true(w.last.share > 0 && w.last.share < 1);
    assert_null(weft_run_json(run));
    weft_run_destroy(run);
}

struct meddling {
    weft_run *run;
    unsigned told, refused;
};

/* While a run works, it can only be cancelled. */
static void meddle(void *arg, const weft_progress *p)
{
    struct meddling *m = arg;
    weft_counters counters;
    weft_message message = {.cycle = p->cycle + 1000000, .from = 0, .to = 1, .bytes = 1};
    uint64_t later = p->cycle + 1000000;
    m->told++;
    m->refused += weft_run_set(m->run, "run.seed=2") == WEFT_BAD_INPUT;
    m->refused += weft_run_execute(m->run, 1) == WEFT_BAD_INPUT;
    m->refused += weft_run_start(m->run, 1) == WEFT_BAD_INPUT;
    m->refused += weft_run_inject(m->run, &message) == WEFT_BAD_INPUT;
    m->refused += weft_run_advance(m->run, later) == WEFT_BAD_INPUT;
    m->refused += weft_run_counters(m->run, &counters) == WEFT_BAD_INPUT;
    m->refused += weft_run_finish(m->run) == WEFT_BAD_INPUT;
    assert_non_null(strstr(weft_last_error(), "called while the run is working"));
    weft_run_cancel(m->run);
}

static void a_run_that_works_refuses_everything_else(void **state)
{
    (void)state;
    struct meddling m = {.run = make_long()};
    weft_run_on_progress(m.run, meddle, &m);
    assert_int_equal(weft_run_execute(m.run, 1), WEFT_FAILED);
    assert_true(m.told >= 1);
    assert_int_equal(m.refused, 7 * m.told);
    weft_run_destroy(m.run);
}

static void a_result_ends_when_a_key_is_set(void **state)
{
    (void)state;
    weft_run *run;
    setenv("WEFT_DATA", WEFT_TEST_DATA, 1);
    assert_ok(weft_run_create("ideal", NULL, &run));
    assert_ok(weft_run_set(run, "machine.nodes=8"));
    assert_ok(weft_run_execute(run, 1));
    assert_non_null(strstr(weft_run_json(run), "\"nodes\": 8"));
    assert_ok(weft_run_set(run, "machine.nodes=16"));
    assert_null(weft_run_json(run));
    weft_run_destroy(run);
}

static void *cancel_soon(void *run)
{
    usleep(300000);
    weft_run_cancel(run);
    return NULL;
}

static void another_thread_cancels_within_a_second(void **state)
{
    (void)state;
    for (unsigned threads = 1; threads <= 3; threads++) {
        weft_run *run = make_long();
        pthread_t thread;
        double from = seconds();
        assert_int_equal(pthread_create(&thread, NULL, cancel_soon, run), 0);
        assert_int_equal(weft_run_execute(run, threads), WEFT_FAILED);
        assert_true(seconds() - from < 1.3);
        pthread_join(thread, NULL);
        assert_non_null(strstr(weft_last_error(), "interrupted at cycle "));
        assert_int_equal(weft_run_execute(run, threads), WEFT_FAILED); /* it stays cancelled */
        weft_run_destroy(run);
    }
}

static weft_run *signalled;

static void on_alarm(int number)
{
    (void)number;
    weft_run_cancel(signalled);
}

static void a_signal_handler_of_the_host_cancels_within_a_second(void **state)
{
    (void)state;
    struct sigaction action = {.sa_handler = on_alarm}, before, now;
    struct itimerval soon = {.it_value = {0, 300000}};
    signalled = make_long();
    sigaction(SIGALRM, &action, &before);
    setitimer(ITIMER_REAL, &soon, NULL);
    double from = seconds();
    assert_int_equal(weft_run_execute(signalled, 1), WEFT_FAILED);
    assert_true(seconds() - from < 1.3);
    sigaction(SIGALRM, &before, &now);
    assert_ptr_equal(now.sa_handler, on_alarm); /* the host's handlers are the host's */
    weft_run_destroy(signalled);
}

/* ---- a host's messages ---- */

struct post {
    weft_run *run;
    weft_delivery *d;
    size_t count, capacity;
};

static void keep(void *arg, const weft_delivery *delivery)
{
    struct post *p = arg;
    if (p->count == p->capacity) {
        p->capacity = p->capacity ? 2 * p->capacity : 64;
        p->d = realloc(p->d, p->capacity * sizeof(*p->d));
    }
    p->d[p->count++] = *delivery;
}

static uint64_t mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/* The n-th message of a made-up load; cycles do not fall. */
static weft_message message_at(unsigned n)
{
    static const uint64_t sizes[] = {0, 1, 32, 240, 241, 1000, 5000, 20000};
    uint64_t random = mix(n + 1);
    uint32_t from = (uint32_t)(random % NODES);
    return (weft_message){.cycle = n / 4 * 37,
                          .from = from,
                          .to = (uint32_t)((from + 1 + random / 64 % (NODES - 1)) % NODES),
                          .bytes = sizes[random / 4096 % 8],
                          .tag = mix(random)};
}

enum { LOAD = 300 };

/* All deliveries of the load; as_it_goes: each message is injected in the step it falls in. */
static struct post deliver(const struct machine *m, unsigned threads, uint64_t step,
                           bool as_it_goes)
{
    struct post p = {.run = start(m, threads)};
    unsigned injected = 0;
    weft_run_on_delivery(p.run, keep, &p);
    for (uint64_t now = 0; p.count < LOAD;) {
        for (weft_message next; injected < LOAD; injected++) {
            next = message_at(injected);
            if (as_it_goes && next.cycle >= now + step)
                break;
            assert_ok(weft_run_inject(p.run, &next));
        }
        assert_ok(weft_run_advance(p.run, now += step));
        assert_true(now < 100000000);
    }
    assert_ok(weft_run_finish(p.run));
    weft_run_destroy(p.run);
    return p;
}

static int by_tag(const void *a, const void *b)
{
    const weft_delivery *x = a, *y = b;
    return x->message.tag < y->message.tag ? -1 : x->message.tag > y->message.tag;
}

static void assert_in_order(const struct post *p)
{
    for (size_t i = 1; i < p->count; i++) {
        const weft_delivery *a = &p->d[i - 1], *b = &p->d[i];
        assert_true(a->cycle < b->cycle ||
                    (a->cycle == b->cycle &&
                     (a->message.to < b->message.to ||
                      (a->message.to == b->message.to && a->message.from <= b->message.from))));
    }
}

static void every_message_arrives_once_unchanged_and_in_order(void **state)
{
    (void)state;
    for (int m = 0; m < MACHINES; m++) {
        struct post p = deliver(&machines[m], 1, 1000, false);
        assert_int_equal(p.count, LOAD);
        assert_in_order(&p);
        qsort(p.d, p.count, sizeof(*p.d), by_tag);
        for (unsigned n = 0; n < LOAD; n++) {
            weft_delivery sent = {.message = message_at(n)};
            const weft_delivery *came = bsearch(&sent, p.d, p.count, sizeof(*p.d), by_tag);
            assert_non_null(came);
            assert_int_equal(came->message.cycle, sent.message.cycle);
            assert_int_equal(came->message.from, sent.message.from);
            assert_int_equal(came->message.to, sent.message.to);
            assert_int_equal(came->message.bytes, sent.message.bytes);
            assert_true(came->cycle > sent.message.cycle);
        }
        free(p.d);
    }
}

static void deliveries_depend_neither_on_threads_nor_on_steps(void **state)
{
    (void)state;
    static const struct {
        unsigned threads;
        uint64_t step;
        bool as_it_goes;
    } way[] = {{1, 1, false},        {1, 7, true},     {1, 1000, true},
               {1, 10000000, false}, {2, 5000, false}, {2, 999, true},
               {2, 10000000, false}, {3, 5000, true},  {3, 10000000, true}};
    for (int m = 0; m < MACHINES; m++) {
        struct post expected = deliver(&machines[m], 1, 1000, false);
        for (size_t w = 0; w < sizeof(way) / sizeof(way[0]); w++) {
            struct post p = deliver(&machines[m], way[w].threads, way[w].step, way[w].as_it_goes);
            assert_int_equal(p.count, expected.count);
            for (size_t i = 0; i < p.count; i++)
                if (memcmp(&p.d[i], &expected.d[i], sizeof(*p.d)) != 0)
                    fail_msg("%s, %u threads, steps of %llu%s: delivery %zu is at cycle %llu, tag "
                             "%llx; expected %llu, %llx",
                             machines[m].name, way[w].threads, (unsigned long long)way[w].step,
                             way[w].as_it_goes ? " as it goes" : "", i,
                             (unsigned long long)p.d[i].cycle,
                             (unsigned long long)p.d[i].message.tag,
                             (unsigned long long)expected.d[i].cycle,
                             (unsigned long long)expected.d[i].message.tag);
            free(p.d);
        }
        free(expected.d);
    }
}

/* The only message of a machine: when it is there. */
static uint64_t alone(const struct machine *m, weft_message message)
{
    struct post p = {.run = start(m, 1)};
    weft_run_on_delivery(p.run, keep, &p);
    assert_ok(weft_run_inject(p.run, &message));
    assert_ok(weft_run_advance(p.run, message.cycle + 100000000));
    assert_int_equal(p.count, 1);
    assert_memory_equal(&p.d[0].message, &message, sizeof(message));
    uint64_t cycle = p.d[0].cycle;
    free(p.d);
    weft_run_destroy(p.run);
    return cycle;
}

static void messages_of_no_bytes_and_of_a_megabyte_arrive(void **state)
{
    (void)state;
    for (int m = 0; m < MACHINES; m++) {
        uint64_t none = alone(&machines[m], (weft_message){.from = 1, .to = 5, .tag = 7});
        uint64_t one = alone(&machines[m], (weft_message){.from = 1, .to = 5, .bytes = 1});
        uint64_t much = alone(&machines[m], (weft_message){.from = 1, .to = 5, .bytes = 1 << 20});
        assert_true(none > 0 && none <= one && much > 100 * one);
    }
}

static void an_idle_machine_is_as_fast_later(void **state)
{
    (void)state;
    for (int m = 0; m < MACHINES; m++) {
        weft_message message = {.from = 1, .to = 5, .bytes = 100};
        uint64_t at_once = alone(&machines[m], message);
        message.cycle = 5000040; /* far beyond run.stall_cycles; cycles of all clocks start there */
        assert_int_equal(alone(&machines[m], message), message.cycle + at_once);
    }
}

/* Links that acknowledge and repeat have events while no message is under way. */
static void links_that_talk_while_nothing_is_sent_are_no_stall(void **state)
{
    (void)state;
    struct post p = {.run = make(&machines[1])};
    weft_message message = {.cycle = 3000000, .from = 1, .to = 5, .bytes = 100};
    weft_run_on_delivery(p.run, keep, &p);
    assert_ok(weft_run_set(p.run, "machine.link.protocol=true"));
    assert_ok(weft_run_set(p.run, "run.stall_cycles=1000"));
    assert_ok(weft_run_start(p.run, 1));
    assert_ok(weft_run_advance(p.run, 3000000));
    assert_ok(weft_run_inject(p.run, &message));
    assert_ok(weft_run_advance(p.run, 3010000));
    assert_int_equal(p.count, 1);
    assert_ok(weft_run_finish(p.run));
    free(p.d);
    weft_run_destroy(p.run);
}

static void a_message_for_later_does_not_hold_up_one_for_sooner(void **state)
{
    (void)state;
    for (int m = 0; m < MACHINES; m++) {
        weft_message sooner = {.cycle = 400, .from = 1, .to = 5, .bytes = 100, .tag = 1};
        weft_message later = {.cycle = 400000, .from = 1, .to = 5, .bytes = 100, .tag = 2};
        uint64_t expected = alone(&machines[m], sooner);
        struct post p = {.run = start(&machines[m], 1)};
        weft_run_on_delivery(p.run, keep, &p);
        assert_ok(weft_run_inject(p.run, &later));
        assert_ok(weft_run_inject(p.run, &sooner));
        assert_ok(weft_run_advance(p.run, 2000000));
        assert_int_equal(p.count, 2);
        assert_int_equal(p.d[0].message.tag, 1);
        assert_int_equal(p.d[0].cycle, expected);
        assert_int_equal(p.d[1].cycle, alone(&machines[m], later));
        free(p.d);
        weft_run_destroy(p.run);
    }
}

static void many_messages_of_one_cycle_are_told_in_order_of_injection(void **state)
{
    (void)state;
    for (int m = 0; m < MACHINES; m++) {
        struct post p = {.run = start(&machines[m], 1)};
        weft_run_on_delivery(p.run, keep, &p);
        for (uint64_t i = 0; i < 2000; i++) {
            weft_message message = {.cycle = 10,
                                    .from = 1 + (uint32_t)i % (NODES - 1),
                                    .to = 0,
                                    .bytes = 8,
                                    .tag = i + 1};
            assert_ok(weft_run_inject(p.run, &message));
        }
        assert_ok(weft_run_advance(p.run, 100000000));
        assert_int_equal(p.count, 2000);
        assert_in_order(&p);
        for (size_t i = 1; i < p.count; i++) /* of one cycle and pair */
            if (p.d[i].cycle == p.d[i - 1].cycle && p.d[i].message.from == p.d[i - 1].message.from)
                assert_true(p.d[i].message.tag > p.d[i - 1].message.tag);
        free(p.d);
        weft_run_destroy(p.run);
    }
}

/* ---- within a delivery ---- */

enum { PASSES = 50 };

struct relay {
    weft_run *run;
    uint64_t until; /* of the advance that tells */
    unsigned passes;
    weft_status early, again, finish;
};

/* Sends what came on to the next node. */
static void pass_on(void *arg, const weft_delivery *d)
{
    struct relay *r = arg;
    weft_message next = {.cycle = r->until,
                         .from = d->message.to,
                         .to = (d->message.to + 1) % NODES,
                         .bytes = d->message.bytes,
                         .tag = d->message.tag + 1};
    if (++r->passes > PASSES)
        return;
    assert_ok(weft_run_inject(r->run, &next));
    next.cycle = r->until - 1;
    r->early = weft_run_inject(r->run, &next);
    r->again = weft_run_advance(r->run, r->until + 1);
    r->finish = weft_run_finish(r->run);
}

static void a_delivery_may_inject_but_not_run(void **state)
{
    (void)state;
    for (int m = 0; m < MACHINES; m++) {
        struct relay r = {.run = start(&machines[m], 1)};
        weft_message first = {.from = 0, .to = 1, .bytes = 64, .tag = 100};
        weft_run_on_delivery(r.run, pass_on, &r);
        assert_ok(weft_run_inject(r.run, &first));
        while (r.passes <= PASSES)
            assert_ok(weft_run_advance(r.run, r.until += 500));
        assert_int_equal(r.early, WEFT_BAD_INPUT);
        assert_int_equal(r.again, WEFT_BAD_INPUT);
        assert_int_equal(r.finish, WEFT_BAD_INPUT);
        weft_counters c;
        assert_ok(weft_run_counters(r.run, &c));
        assert_int_equal(c.messages_injected, PASSES + 1);
        assert_int_equal(c.messages_delivered, PASSES + 1);
        assert_int_equal(c.packets_pending, 0);
        assert_ok(weft_run_finish(r.run));
        weft_run_destroy(r.run);
    }
}

/* ---- refusals ---- */

static void what_cannot_be_injected_is_refused_in_words(void **state)
{
    (void)state;
    weft_run *run = make(&machines[1]);
    weft_message message = {.cycle = 100, .from = 0, .to = 1, .bytes = 8};
    weft_counters c;
    assert_refused(weft_run_inject(run, &message),
                   "the run was not started; call weft_run_start()");
    assert_refused(weft_run_advance(run, 10), "the run was not started; call weft_run_start()");
    assert_refused(weft_run_finish(run), "the run was not started; call weft_run_start()");
    assert_refused(weft_run_counters(run, &c), "the run was not started; call weft_run_start()");
    assert_int_equal(weft_run_nodes(run), 0);
    assert_ok(weft_run_start(run, 1));
    assert_int_equal(weft_run_nodes(run), NODES);
    assert_near(weft_run_cycles_per_second(run), 175e6, 1e-3);
    assert_ok(weft_run_advance(run, 100));
    message.cycle = 99;
    assert_refused(weft_run_inject(run, &message),
                   "a message for cycle 99, when cycle 100 is next; inject it before time has "
                   "passed it");
    message.cycle = 100;
    message.to = NODES;
    assert_refused(weft_run_inject(run, &message),
                   "a message from node 0 to node 27; use nodes 0 to 26");
    message.to = 0;
    message.from = UINT32_MAX;
    assert_refused(weft_run_inject(run, &message),
                   "a message from node 4294967295 to node 0; use nodes 0 to 26");
    message.from = 0;
    assert_refused(
        weft_run_inject(run, &message),
        "a message of node 0 to itself; keep it in the host: it does not pass the network");
    message.to = 1;
    message.bytes = (uint64_t)1 << 32;
    assert_refused(weft_run_inject(run, &message),
                   "a message of 4294967296 bytes; use at most 4294967295");
    assert_refused(weft_run_advance(run, 99),
                   "time cannot go back from cycle 100 to 99; advance to a later cycle");
    message.bytes = 8;
    message.cycle = UINT64_MAX;
    assert_int_equal(weft_run_inject(run, &message), WEFT_BAD_INPUT);
    assert_int_equal(weft_run_advance(run, UINT64_MAX), WEFT_BAD_INPUT);
    assert_ok(weft_run_advance(run, 100));
    assert_ok(weft_run_counters(run, &c)); /* nothing of it was taken */
    assert_int_equal(c.messages_injected, 0);
    assert_int_equal(c.cycle, 100);
    weft_run_destroy(run);
}

static void a_dead_node_is_refused(void **state)
{
    (void)state;
    weft_run *run = make(&machines[1]);
    weft_message message = {.from = 0, .to = 5, .bytes = 8};
    assert_ok(weft_run_set(run, "machine.dead_nodes=2/1/0"));
    assert_ok(weft_run_start(run, 1));
    assert_refused(weft_run_inject(run, &message),
                   "a message from node 0 to node 5: node 5 is dead; use living nodes");
    message = (weft_message){.from = 5, .to = 0, .bytes = 8};
    assert_refused(weft_run_inject(run, &message),
                   "a message from node 5 to node 0: node 5 is dead; use living nodes");
    weft_run_destroy(run);
}

/* ---- counters, finishing, cancelling ---- */

static void counters_follow_a_message(void **state)
{
    (void)state;
    for (int m = 0; m < MACHINES; m++) {
        weft_run *run = start(&machines[m], 1);
        weft_message message = {.cycle = 50, .from = 0, .to = 13, .bytes = 10000};
        weft_counters c;
        assert_ok(weft_run_counters(run, &c));
        assert_int_equal(c.cycle + c.messages_injected + c.messages_delivered + c.packet_hops, 0);
        assert_int_equal(c.packets_pending, 0);
        assert_ok(weft_run_inject(run, &message));
        assert_ok(weft_run_counters(run, &c));
        assert_int_equal(c.messages_injected, 1);
        uint64_t hops = 0, most_pending = 0;
        do {
            assert_ok(weft_run_advance(run, c.cycle + 100));
            assert_ok(weft_run_counters(run, &c));
            assert_true(c.packet_hops >= hops);
            hops = c.packet_hops;
            most_pending = c.packets_pending > most_pending ? c.packets_pending : most_pending;
            assert_true(c.cycle < 10000000);
        } while (!c.messages_delivered);
        assert_true(most_pending > 0 && hops > 0 && c.events > 0);
        assert_int_equal(c.packets_pending, 0);
        weft_run_destroy(run);
    }
}

/* Decided so (weft.h): a host may stop when it likes; what was measured is the result. */
static void finishing_with_packets_under_way_is_a_result(void **state)
{
    (void)state;
    static const uint64_t until[] = {0, 1, 100, 3000};
    for (int m = 0; m < MACHINES; m++)
        for (size_t u = 0; u < sizeof(until) / sizeof(until[0]); u++) {
            weft_run *run = start(&machines[m], 1);
            for (uint32_t node = 1; node < NODES; node++) {
                weft_message message = {.from = node, .to = 0, .bytes = 100000};
                assert_ok(weft_run_inject(run, &message));
            }
            if (until[u])
                assert_ok(weft_run_advance(run, until[u]));
            assert_null(weft_run_json(run));
            assert_ok(weft_run_finish(run));
            assert_non_null(weft_run_json(run));
            assert_null(strstr(weft_run_json(run), "\"deadlock\""));
            assert_refused(weft_run_advance(run, 5000),
                           "the run was not started; call weft_run_start()");
            assert_non_null(weft_run_json(run));
            assert_int_equal(weft_run_nodes(run), 0);
            weft_run_destroy(run);
        }
}

static void a_run_that_was_finished_may_start_again(void **state)
{
    (void)state;
    for (int m = 0; m < MACHINES; m++) {
        weft_run *run = make(&machines[m]);
        struct post p = {.run = run};
        weft_run_on_delivery(run, keep, &p);
        for (int turn = 0; turn < 3; turn++) {
            weft_message message = {.from = 0, .to = 13, .bytes = 500};
            assert_ok(weft_run_start(run, 1));
            assert_null(weft_run_json(run));
            assert_ok(weft_run_inject(run, &message));
            assert_ok(weft_run_advance(run, 1000000));
            assert_int_equal(p.count, turn + 1);
            assert_int_equal(p.d[turn].cycle, p.d[0].cycle);
            assert_ok(weft_run_finish(run));
        }
        free(p.d);
        weft_run_destroy(run);
    }
}

static void a_cancelled_host_is_stopped_at_its_next_step(void **state)
{
    (void)state;
    for (int m = 0; m < MACHINES; m++) {
        weft_run *run = start(&machines[m], 1);
        assert_ok(weft_run_advance(run, 100));
        weft_run_cancel(run);
        assert_int_equal(weft_run_advance(run, 101), WEFT_FAILED);
        assert_string_equal(weft_last_error(), "cancelled at cycle 100; create another run");
        assert_int_equal(weft_run_advance(run, 102), WEFT_FAILED);
        assert_ok(weft_run_finish(run)); /* of what was run */
        assert_non_null(weft_run_json(run));
        weft_run_destroy(run);
    }
}

static void a_long_step_is_cancelled_within_a_second(void **state)
{
    (void)state;
    weft_run *run = start(&machines[1], 1);
    pthread_t thread;
    for (uint32_t node = 1; node < NODES; node++) {
        weft_message message = {.from = node, .to = 0, .bytes = UINT32_MAX};
        assert_ok(weft_run_inject(run, &message));
    }
    double from = seconds();
    assert_int_equal(pthread_create(&thread, NULL, cancel_soon, run), 0);
    assert_int_equal(weft_run_advance(run, (uint64_t)1 << 40), WEFT_FAILED);
    assert_true(seconds() - from < 1.3);
    pthread_join(thread, NULL);
    assert_int_equal(weft_run_advance(run, (uint64_t)1 << 41), WEFT_FAILED);
    assert_ok(weft_run_finish(run));
    weft_run_destroy(run);
}

static void progress_is_told_of_small_steps_too(void **state)
{
    (void)state;
    weft_run *run = start(&machines[0], 1);
    struct watching w = {.told = 0};
    weft_run_on_progress(run, watch, &w);
    double from = seconds();
    for (uint64_t now = 10; seconds() - from < 0.7; now += 10)
        assert_ok(weft_run_advance(run, now));
    assert_true(w.told >= 2 && w.told <= 10 && !w.went_back);
    assert_true(w.last.share < 0 && w.last.cycle > 0);
    weft_run_destroy(run);
}

static void progress_may_be_turned_off_and_on(void **state)
{
    (void)state;
    weft_run *run = start(&machines[0], 1);
    struct watching w = {.told = 0};
    uint64_t now = 0;
    weft_run_on_progress(run, watch, &w);
    for (double from = seconds(); seconds() - from < 0.3;)
        assert_ok(weft_run_advance(run, now += 10));
    unsigned told = w.told;
    assert_true(told >= 1);
    weft_run_on_progress(run, NULL, NULL);
    for (double from = seconds(); seconds() - from < 0.3;)
        assert_ok(weft_run_advance(run, now += 10));
    assert_int_equal(w.told, told);
    weft_run_on_progress(run, watch, &w);
    for (double from = seconds(); seconds() - from < 0.3;)
        assert_ok(weft_run_advance(run, now += 10));
    assert_true(w.told > told);
    weft_run_destroy(run);
}

/* A message that comes too late for a cancelled run does not cost it its result. */
static void a_cancelled_run_refuses_messages_and_can_be_finished(void **state)
{
    (void)state;
    for (int m = 0; m < MACHINES; m++) {
        weft_run *run = start(&machines[m], 1);
        weft_message message = {.from = 0, .to = 1, .bytes = 64};
        assert_ok(weft_run_inject(run, &message));
        weft_run_cancel(run);
        assert_int_equal(weft_run_inject(run, &message), WEFT_FAILED);
        assert_int_equal(weft_run_advance(run, 100), WEFT_FAILED);
        assert_int_equal(weft_run_inject(run, &message), WEFT_FAILED);
        assert_ok(weft_run_finish(run));
        assert_non_null(weft_run_json(run));
        weft_run_destroy(run);
    }
}

/* A ring whose packets may fill it (a rule that tests/cli has deadlock, too). */
static weft_run *start_deadlocking(void)
{
    weft_run *run;
    setenv("WEFT_DATA", WEFT_TEST_DATA, 1);
    assert_ok(weft_run_create("bluegene-l", NULL, &run));
    static const char *const settings[] = {
        "machine.dims=16x1x1", "machine.router.escape=none", "machine.router.dynamic_vcs=0",
        "machine.router.in_network_share=0", "run.stall_cycles=20000"};
    for (size_t i = 0; i < sizeof(settings) / sizeof(settings[0]); i++)
        assert_ok(weft_run_set(run, settings[i]));
    assert_ok(weft_run_start(run, 1));
    for (uint32_t node = 0; node < 16; node++) {
        weft_message message = {.from = node, .to = (node + 7) % 16, .bytes = 100000};
        assert_ok(weft_run_inject(run, &message));
    }
    return run;
}

static void a_deadlock_fails_the_step_that_meets_it(void **state)
{
    (void)state;
    for (uint64_t step = 1000; step <= 1000000; step *= 1000) {
        weft_run *run = start_deadlocking();
        weft_status status = WEFT_OK;
        for (uint64_t now = step; status == WEFT_OK && now < 3000000; now += step)
            status = weft_run_advance(run, now);
        assert_int_equal(status, WEFT_FAILED);
        assert_non_null(strstr(weft_last_error(), "deadlock: "));
        assert_int_equal(weft_run_finish(run), WEFT_FAILED);
        assert_non_null(strstr(weft_last_error(), "wait for each other"));
        assert_non_null(strstr(weft_run_json(run), "\"deadlock\""));
        weft_run_destroy(run);
    }
}

/* Two runs on two threads know nothing of each other. */
static void *run_alone(void *arg)
{
    *(struct post *)arg = deliver(&machines[1], 1, 1000, true);
    return NULL;
}

static void runs_on_two_threads_do_not_meet(void **state)
{
    (void)state;
    struct post expected = deliver(&machines[1], 1, 1000, true), p[2];
    pthread_t thread[2];
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, run_alone, &p[i]), 0);
    for (int i = 0; i < 2; i++) {
        pthread_join(thread[i], NULL);
        assert_int_equal(p[i].count, expected.count);
        assert_memory_equal(p[i].d, expected.d, expected.count * sizeof(*expected.d));
        free(p[i].d);
    }
    free(expected.d);
}

/* NULL for what is needed is refused, or nothing is done. */
static void nothing_is_not_followed(void **state)
{
    (void)state;
    weft_run *run;
    weft_counters counters;
    weft_message message = {.bytes = 1};
    uint64_t hash;
    double mean, half;
    setenv("WEFT_DATA", WEFT_TEST_DATA, 1);
    assert_refused(weft_machines(NULL, NULL), "told is NULL; give one");
    assert_refused(weft_run_create("ideal", NULL, NULL), "run is NULL; give one");
    assert_int_equal(weft_run_create_text(NULL, 5, &run), WEFT_BAD_INPUT);
    weft_figures(NULL, NULL);
    weft_interval(NULL, 3, &mean, &half);
    assert_true(isnan(mean) && isnan(half));
    weft_interval(&mean, 1, NULL, NULL);

    assert_refused(weft_run_set(NULL, "workload.load=1"), "run is NULL; give one");
    assert_int_equal(weft_run_keys(NULL, NULL, NULL), WEFT_BAD_INPUT);
    assert_int_equal(weft_run_check_metric(NULL, "cycles"), WEFT_BAD_INPUT);
    assert_int_equal(weft_run_hash(NULL, &hash), WEFT_BAD_INPUT);
    assert_int_equal(weft_run_execute(NULL, 1), WEFT_BAD_INPUT);
    assert_null(weft_run_json(NULL));
    weft_run_on_progress(NULL, NULL, NULL);
    weft_run_on_delivery(NULL, NULL, NULL);
    weft_run_cancel(NULL);
    assert_int_equal(weft_run_start(NULL, 1), WEFT_BAD_INPUT);
    assert_int_equal(weft_run_inject(NULL, &message), WEFT_BAD_INPUT);
    assert_int_equal(weft_run_advance(NULL, 5), WEFT_BAD_INPUT);
    assert_int_equal(weft_run_counters(NULL, &counters), WEFT_BAD_INPUT);
    assert_int_equal(weft_run_finish(NULL), WEFT_BAD_INPUT);
    assert_int_equal(weft_run_nodes(NULL), 0);
    assert_true(weft_run_cycles_per_second(NULL) == 0);

    assert_ok(weft_run_create("ideal", NULL, &run));
    assert_refused(weft_run_set(run, NULL), "assignment is NULL; give one");
    assert_refused(weft_run_keys(run, NULL, NULL), "told is NULL; give one");
    assert_refused(weft_run_check_metric(run, NULL), "name is NULL; give one");
    assert_refused(weft_run_hash(run, NULL), "hash is NULL; give one");
    assert_ok(weft_run_start(run, 1));
    assert_refused(weft_run_inject(run, NULL), "message is NULL; give one");
    assert_refused(weft_run_counters(run, NULL), "counters is NULL; give one");
    weft_run_destroy(run);
}

GROUP(library)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_is_made_from_a_name_a_file_or_a_text),
        cmocka_unit_test(a_run_that_cannot_be_made_is_null_and_says_why),
        cmocka_unit_test(nothing_is_not_followed),
        cmocka_unit_test(data_that_are_not_there_are_named),
        cmocka_unit_test(keys_are_refused_once_the_run_has_started),
        cmocka_unit_test(machines_are_listed_with_what_they_are),
        cmocka_unit_test(a_machine_file_that_cannot_be_read_is_left_out_and_named),
        cmocka_unit_test(metrics_are_checked_before_a_run),
        cmocka_unit_test(a_hash_follows_settings_and_files),
        cmocka_unit_test(a_mean_over_seeds_has_an_interval),
        cmocka_unit_test(keys_have_the_runs_values),
        cmocka_unit_test(an_executed_run_has_a_result_and_not_before),
        cmocka_unit_test(a_run_that_fails_leaves_no_result_of_the_one_before),
        cmocka_unit_test(progress_is_told_and_may_cancel),
        cmocka_unit_test(a_run_that_works_refuses_everything_else),
        cmocka_unit_test(a_result_ends_when_a_key_is_set),
        cmocka_unit_test(another_thread_cancels_within_a_second),
        cmocka_unit_test(a_signal_handler_of_the_host_cancels_within_a_second),
        cmocka_unit_test(every_message_arrives_once_unchanged_and_in_order),
        cmocka_unit_test(deliveries_depend_neither_on_threads_nor_on_steps),
        cmocka_unit_test(messages_of_no_bytes_and_of_a_megabyte_arrive),
        cmocka_unit_test(an_idle_machine_is_as_fast_later),
        cmocka_unit_test(links_that_talk_while_nothing_is_sent_are_no_stall),
        cmocka_unit_test(a_message_for_later_does_not_hold_up_one_for_sooner),
        cmocka_unit_test(many_messages_of_one_cycle_are_told_in_order_of_injection),
        cmocka_unit_test(a_delivery_may_inject_but_not_run),
        cmocka_unit_test(what_cannot_be_injected_is_refused_in_words),
        cmocka_unit_test(a_dead_node_is_refused),
        cmocka_unit_test(counters_follow_a_message),
        cmocka_unit_test(finishing_with_packets_under_way_is_a_result),
        cmocka_unit_test(a_run_that_was_finished_may_start_again),
        cmocka_unit_test(a_cancelled_host_is_stopped_at_its_next_step),
        cmocka_unit_test(a_long_step_is_cancelled_within_a_second),
        cmocka_unit_test(progress_is_told_of_small_steps_too),
        cmocka_unit_test(progress_may_be_turned_off_and_on),
        cmocka_unit_test(a_cancelled_run_refuses_messages_and_can_be_finished),
        cmocka_unit_test(a_deadlock_fails_the_step_that_meets_it),
        cmocka_unit_test(runs_on_two_threads_do_not_meet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
