/*
 * Hot swap on Tofu: from the cycle in which a unit is taken out nothing starts through it, what is
 * under way passes it or, if it fails, is lost, and later paths are as before. Times are known by
 * hand (test_tofu.c): a hop takes 62 cycles. Whatever is swapped, there is one result for any
 * threads, and for a run that is interrupted before, during or after it; and what has an order
 * keeps it though paths change.
 */
#include "group.h"
#include "models.h"

#include <unistd.h>

#include "fabric/tofu/network.h"
#include "machine/family.h"
#include "topology/dependency.h"
#include "forged.h"

enum { HOP = 62 };

/* A run with checks, which must end as it should; the caller frees the result. */
static struct run_result run_swap(weft_status expected, uint32_t threads, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static struct run_result run_swap(weft_status expected, uint32_t threads, const char *format, ...)
{
    char settings[1024];
    struct run_result r;
    va_list args;
    va_start(args, format);
    vsnprintf(settings, sizeof(settings), format, args);
    va_end(args);
    if (run_on("k-computer", settings, threads, true, &r) != expected)
        fail_msg("%s: %s", settings, weft_last_error());
    return r;
}

/* ---- by hand ---- */

/* Packets from 0/0/0/0/0/0 to 2/0/0/0/0/0 every 20,000 cycles: on a ring of five they pass
 * 1/0/0/0/0/0. */
static void a_packet_takes_the_way_of_its_start(void **state)
{
    (void)state;
    static const struct {
        const char *swap;
        unsigned detours, hops; /* of three packets; and by how many hops these are longer */
    } cases[] = {
        {"none", 0, 0},
        {"1/0/0/0/0/0@10000-30000", 1, 2}, /* by another node of the group */
        {"1/0/0/0/0/0@0-", 3, 6},
        {"1/0/0@20000-40000", 1, 1}, /* the other way round; from its start, not its birth */
        {"1/0/0@0-20000,1/0/0/0/0/0@39000-", 2, 3},
        {"fail:1/0/0@10000-30000", 1, 1},
        {"1/0/0/1/0/0@0-,3/0/0@0-", 0, 0}}; /* beside their way */
    char path[] = "/tmp/weft-swap-XXXXXX";
    FILE *f = fdopen(mkstemp(path), "w");
    uint64_t base = 0;
    fprintf(f, "0 0 1 8\n20000 0 1 8\n40000 0 1 8\n");
    fclose(f);
    for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char parts[96], settings[600];
        struct config c;
        struct run_options o = {.threads = 1, .check = true};
        struct run_result r;
        snprintf(settings, sizeof(settings),
                 "machine.dims=5x1x1x2x3x2 machine.io_plane=false workload.pattern=parts "
                 "workload.as=packets machine.swap=%s",
                 cases[i].swap);
        configure(&c, "k-computer", settings);
        snprintf(parts, sizeof(parts), "workload.parts=nodes:0,2 file file=%s", path);
        assert_int_equal(config_override(&c, parts), WEFT_OK);
        if (machine_finish(&c) != WEFT_OK || run_config(&c, &o, &r) != WEFT_OK)
            fail_msg("%s: %s", settings, weft_last_error());
        base = i ? base : r.measure.response.max;
        assert_int_equal(r.measure.hops, 6 + cases[i].hops);
        assert_int_equal(r.measure.response.sum, 3 * base + HOP * cases[i].hops);
        uint64_t detoured = 0;
        for (uint32_t k = 0; k < r.swaps; k++)
            detoured += r.swap[k].detoured;
        assert_int_equal(detoured, cases[i].detours);
        assert_int_equal(r.measure.lost, 0);
        run_result_fini(&r);
        config_fini(&c);
    }
    unlink(path);
}

/* ---- what passes a unit ---- */

#define LOADED                                                                                     \
    "machine.dims=3x3x2x2x3x2 workload.pattern=uniform workload.load=0.5 run.detail=true "

/* Busy cycles of the links into and out of a node, or between others, in a window of time. */
static uint64_t busy_at(uint32_t node, bool at, unsigned from, unsigned cycles, const char *swap)
{
    struct run_result r =
        run_swap(WEFT_OK, 1, LOADED "workload.warmup_cycles=%u workload.cycles=%u machine.swap=%s",
                 from, cycles, swap);
    uint64_t sum = 0;
    for (uint32_t i = 0; i < r.links->count; i++)
        if (((r.links->from[i] == node) || (r.links->to[i] == node)) == at)
            sum += r.links->busy[i];
    run_result_fini(&r);
    return sum;
}

static void nothing_passes_a_unit_that_is_out(void **state)
{
    (void)state;
    /* 1/1/1/0/1/0 is node 49. What was under way at 5,000 has passed by 7,000. */
    const char *swap = "1/1/1/0/1/0@5000-15000";
    assert_true(busy_at(49, true, 2000, 2500, swap) > 0);
    assert_true(busy_at(49, true, 5000, 2000, swap) > 0);
    assert_int_equal(busy_at(49, true, 7000, 8000, swap), 0);
    assert_true(busy_at(49, false, 7000, 8000, swap) > 0);
    assert_true(busy_at(49, true, 15000, 3000, swap) > 0);
    assert_true(busy_at(49, true, 7000, 8000, "none") > 0);
}

static void a_unit_is_empty_when_the_last_packet_has_passed(void **state)
{
    (void)state;
    static const char *const units[] = {"1/1/1/0/1/0", "1/1/1/1", "1/1/1"};
    for (unsigned i = 0; i < 3; i++) {
        struct run_result r = run_swap(WEFT_OK, 1,
                                       LOADED "workload.warmup_cycles=2000 workload.cycles=20000 "
                                              "machine.swap=%s@8000-16000",
                                       units[i]);
        const struct run_swap *s = r.swap;
        assert_int_equal(r.swaps, 1);
        assert_false(s->holds);
        assert_true(s->passed > 0 && s->detoured > 0 && s->withheld > 0);
        assert_true(s->emptied > 8000 && s->emptied < 12000);
        assert_int_equal(r.measure.delivered, r.measure.generated);
        if (i == 0) { /* until then its links are busy, and later they are not */
            char swap[64];
            snprintf(swap, sizeof(swap), "%s@8000-16000", units[0]);
            unsigned at = (unsigned)s->emptied;
            assert_true(busy_at(49, true, at - 1, 1, swap) > 0);
            assert_int_equal(busy_at(49, true, at, 16000 - at, swap), 0);
        }
        run_result_fini(&r);
    }
}

/* One that is back before that is full of packets of both sorts: it is empty when the last old one
 * has passed, and as long as one is in it, it is not. */
static void a_unit_that_is_back_too_soon_is_not_empty(void **state)
{
    (void)state;
    static const char *const swaps[] = {"1/1/1@8000-8001", "1/1/1@8000-8100", "1/1/1/1@8000-8200"};
    for (unsigned i = 0; i < 3; i++) {
        struct run_result r = run_swap(
            WEFT_OK, 1, LOADED "workload.warmup_cycles=2000 workload.cycles=20000 machine.swap=%s",
            swaps[i]);
        assert_true(r.swap->emptied > 8500);
        assert_true(run_swap_is_empty(&r, r.swap));
        run_result_fini(&r);
        r = run_swap(WEFT_OK, 1,
                     LOADED "workload.warmup_cycles=2000 workload.cycles=6300 "
                            "workload.drain_cycles=1 machine.swap=%s",
                     swaps[i]);
        assert_true(r.cycles >= 8300 && r.swap->holds);
        assert_false(run_swap_is_empty(&r, r.swap));
        run_result_fini(&r);
    }
}

/* One that nothing has reached yet is not empty as long as packets from before may come. */
static void a_unit_that_packets_are_on_their_way_to_is_not_empty(void **state)
{
    (void)state;
    const char *swap = "1/2/1/1/0/1@5950-,0/1/1/0/2/1@5950-";
    for (unsigned drains = 0; drains < 2; drains++) {
        struct run_result r =
            run_swap(WEFT_OK, 1,
                     "machine.dims=3x3x2x2x3x2 workload.pattern=uniform workload.load=0.3 "
                     "workload.warmup_cycles=1000 workload.cycles=5000 workload.drain_cycles=%u "
                     "machine.swap=%s",
                     drains ? 100000 : 10, swap);
        for (uint32_t k = 0; k < 2; k++) {
            assert_int_equal(run_swap_is_empty(&r, &r.swap[k]), drains);
            assert_true(!drains || r.swap[k].emptied > 6400);
        }
        run_result_fini(&r);
    }
}

/* A part is judged by what its units in service offer, as the whole machine is. */
static void what_is_withheld_was_not_offered(void **state)
{
    (void)state;
    static const char *const windows[] = {"workload.warmup_cycles=10000 workload.cycles=50000",
                                          "workload.cycles=20000"};
    for (unsigned i = 0; i < 4; i++) {
        char settings[400];
        struct config c;
        struct run_options o = {.threads = 1, .check = true};
        struct run_result r;
        bool in_parts = i & 1;
        snprintf(settings, sizeof(settings),
                 "machine.dims=3x2x2x2x3x2 workload.as=packets machine.swap=1/1/0@0- %s %s",
                 windows[i / 2],
                 in_parts ? "workload.pattern=parts"
                          : "workload.pattern=uniform workload.load=0.2");
        configure(&c, "k-computer", settings);
        if (in_parts)
            assert_int_equal(config_override(&c, "workload.parts=nodes:0-143 uniform load=0.2"),
                             WEFT_OK);
        if (machine_finish(&c) != WEFT_OK || run_config(&c, &o, &r) != WEFT_OK)
            fail_msg("%s: %s", settings, weft_last_error());
        assert_true(r.measure.window_withheld > 0 && r.judged && r.steady);
        assert_true(!r.searched || r.warmup_cycles < 20000);
        run_result_fini(&r);
        config_fini(&c);
    }
}

/* Births are the same whatever is out: what a unit does not send, or is not sent, is missing, and
 * nothing else. */
static void what_a_unit_does_not_send_changes_no_other_packet(void **state)
{
    (void)state;
    uint64_t births = 0;
    static const char *const swaps[] = {"none",
                                        "1/1/1/0/1/0@8000-16000",
                                        "1/1/1@3000-9000",
                                        "0/0/0/1@0-",
                                        "fail:2/2/0@5000-17000",
                                        "1/1/1@3000-9000,1/1/1/1@5000-12000,fail:0/0/1/2@7000-",
                                        "fail:1/1/0@3000-,fail:1/1/0/0@3000-,1/1/0/0/0/0@3000-"};
    for (unsigned i = 0; i < sizeof(swaps) / sizeof(swaps[0]); i++) {
        struct run_result r = run_swap(
            WEFT_OK, 1, LOADED "workload.warmup_cycles=2000 workload.cycles=20000 machine.swap=%s",
            swaps[i]);
        uint64_t withheld = 0, lost = 0;
        for (uint32_t k = 0; k < r.swaps; k++) {
            withheld += r.swap[k].withheld;
            lost += r.swap[k].lost;
            assert_false(r.swap[k].holds);
        }
        assert_int_equal(lost, r.measure.lost);
        births = i ? births : r.measure.generated;
        assert_true((withheld > 0) == (i > 0));
        assert_true((r.measure.lost > 0) == (strstr(swaps[i], "fail") != NULL));
        assert_int_equal(r.measure.generated + withheld, births);
        assert_int_equal(r.measure.delivered + r.measure.lost, r.measure.generated);
        run_result_fini(&r);
    }
}

/* ---- packets that are lost ---- */

static void who_waits_for_a_lost_packet_is_told(void **state)
{
    (void)state;
    static const struct {
        const char *as, *parts;
        bool stuck; /* the network is at rest, and processes wait */
    } cases[] = {{"packets", "nodes:0-27,29-143 alltoall packets_per_pair=3", false},
                 {"packets",
                  "nodes:0-27,29-100 alltoall packets_per_pair=3; nodes:101-143 uniform load=0.1",
                  false},
                 {"messages", "nodes:0-27,29-143 pairs messages=20 message_bytes=20000", true},
                 {"messages", "nodes:0-27,29-143 pairs messages=0 message_bytes=20000", false}};
    for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char parts[200];
        struct config c;
        struct run_options o = {.threads = 1, .check = true};
        struct run_result r;
        configure(&c, "k-computer",
                  "machine.dims=3x2x2x2x3x2 workload.pattern=parts workload.cycles=100000 "
                  "machine.swap=fail:1/1/0/0/1/0@30000-");
        snprintf(parts, sizeof(parts), "workload.as=%s", cases[i].as);
        assert_int_equal(config_override(&c, parts), WEFT_OK);
        snprintf(parts, sizeof(parts), "workload.parts=%s", cases[i].parts);
        assert_int_equal(config_override(&c, parts), WEFT_OK);
        assert_int_equal(machine_finish(&c), WEFT_OK);
        if (run_config(&c, &o, &r) != WEFT_FAILED)
            fail_msg("nobody missed a packet: %s", parts);
        assert_non_null(strstr(weft_last_error(), "lost in units that failed (machine.swap)"));
        assert_true((strstr(weft_last_error(), "for ever") != NULL) == cases[i].stuck);
        if (r.deadlock)
            run_result_fini(&r);
        config_fini(&c);
    }
}

/* ---- one result ---- */

#define BUSY                                                                                       \
    "machine.dims=3x2x2x2x3x2 workload.pattern=uniform workload.load=0.9 "                         \
    "workload.warmup_cycles=2000 workload.cycles=12000 workload.packet_bytes=0,8,2008 "            \
    "machine.tni.path=turn "

static const char *const mixed[] = {
    BUSY "machine.swap=1/1/1@4000-9000,0/0/0/1@6000-7000,2/1/0/0/1/1@0-5000",
    BUSY "machine.swap=fail:1/1/1/1@4000-9000,0/0/0@6000-",
    BUSY "machine.swap=fail:1/1/1@4000-9000,0/0/1/2@3000-8000 machine.link.bit_error_rate=1e-6",
};
enum { MIXED = sizeof(mixed) / sizeof(mixed[0]) };

static void assert_same_swaps(const struct run_result *a, const struct run_result *b)
{
    assert_int_equal(a->measure.digest, b->measure.digest);
    assert_int_equal(a->swaps, b->swaps);
    for (uint32_t i = 0; i < a->swaps; i++) {
        const struct run_swap *x = &a->swap[i], *y = &b->swap[i];
        assert_int_equal(x->emptied, y->emptied);
        assert_int_equal(x->passed, y->passed);
        assert_int_equal(x->lost, y->lost);
        assert_int_equal(x->detoured, y->detoured);
        assert_int_equal(x->withheld, y->withheld);
    }
}

static void threads_agree(void **state)
{
    (void)state;
    for (unsigned i = 0; i < MIXED; i++) {
        struct run_result one = run_swap(WEFT_OK, 1, "%s", mixed[i]);
        for (uint32_t threads = 2; threads <= 3; threads++) {
            struct run_result many = run_swap(WEFT_OK, threads, "%s", mixed[i]);
            assert_same_swaps(&one, &many);
            run_result_fini(&many);
        }
        run_result_fini(&one);
    }
}

/* Runs to a cycle, saves, and goes on from there to the end in another session. */
static struct run_result interrupt_at(const char *settings, cycle_t at)
{
    char path[] = "/tmp/weft-swap-XXXXXX";
    struct config c;
    struct session *s;
    struct checkpoint *saved;
    struct run_result r;
    close(mkstemp(path));
    struct run_options o = {.threads = 1, .checkpoint = path, .every = 1e6};
    configure(&c, "k-computer", settings);
    assert_int_equal(machine_finish(&c), WEFT_OK);
    assert_int_equal(session_open(&c, &o, &s), WEFT_OK);
    assert_int_equal(session_run(s, at), WEFT_OK);
    assert_int_equal(s->engine.at_rest(s->engine.arg, s->outcome.now), WEFT_OK);
    session_close(s);
    config_fini(&c);
    if (checkpoint_load(path, &saved) != WEFT_OK || machine_finish(&saved->config) != WEFT_OK)
        fail_msg("%s", weft_last_error());
    unlink(path);
    o = (struct run_options){.threads = 1, .resume = saved, .check = true};
    if (run_config(&saved->config, &o, &r) != WEFT_OK)
        fail_msg("%s, from cycle %llu: %s", settings, (unsigned long long)at, weft_last_error());
    checkpoint_free(saved);
    return r;
}

/* Before, while the unit empties, while it is out, and after it. */
static void an_interrupted_run_goes_on(void **state)
{
    (void)state;
    static const cycle_t at[] = {1000, 3999, 4100, 4700, 7500, 9100, 13000};
    for (unsigned i = 0; i < MIXED; i++) {
        struct run_result whole = run_swap(WEFT_OK, 1, "%s", mixed[i]);
        for (unsigned k = 0; k < sizeof(at) / sizeof(at[0]); k++) {
            struct run_result r = interrupt_at(mixed[i], at[k]);
            assert_same_swaps(&whole, &r);
            run_result_fini(&r);
        }
        run_result_fini(&whole);
    }
}

/* ---- deadlock ---- */

/* Which channels the packets of some routes wait for, one after the other: bits (TOFU_VCS port +
 * vc) of the node that the channel leads to. */
struct waits {
    const struct torus *shape;
    uint64_t *next; /* [TOFU_VCS * (TOFU_LINKS node + port) + vc] */
};

static void add_route(const struct waits *w, uint32_t node, tofu_route_t route, unsigned group)
{
    unsigned last = TOFU_LINKS, last_vc = 0;
    for (; route; route = tofu_route_advance(route)) {
        unsigned port = tofu_route_port(route);
        bool higher = port < TOFU_PORT_A ? torus_link_wraps(w->shape, node, port) ||
                                               (last == port && last_vc % TOFU_GROUP_VCS)
                                         : tofu_route_is_last(route);
        unsigned vc = TOFU_GROUP_VCS * group + higher;
        if (last < TOFU_LINKS) {
            uint32_t before = tofu_neighbour(w->shape, node, tofu_opposite(last));
            w->next[TOFU_VCS * (TOFU_LINKS * before + last) + last_vc] |= 1ull
                                                                          << (TOFU_VCS * port + vc);
        }
        node = tofu_neighbour(w->shape, node, port);
        last = port;
        last_vc = vc;
    }
}

static unsigned list_waits(const void *ctx, uint32_t channel, uint32_t edge[DEPENDENCY_MOST_EDGES])
{
    const struct waits *w = ctx;
    uint32_t link = channel / TOFU_VCS,
             node = tofu_neighbour(w->shape, link / TOFU_LINKS, link % TOFU_LINKS);
    unsigned count = 0;
    for (uint64_t left = w->next[channel]; left; left &= left - 1)
        edge[count++] = TOFU_VCS * TOFU_LINKS * node + (unsigned)__builtin_ctzll(left);
    return count;
}

/* The routes of all pairs by all paths, as they are before, and by detours while a unit is out. */
static void add_routes(const struct waits *w, const struct tofu_routing *r)
{
    tofu_route_t route;
    for (uint32_t from = 0; from < w->shape->nodes; from++)
        for (uint32_t to = 0; to < w->shape->nodes; to++)
            for (unsigned number = 1; number <= TOFU_PATHS; number++) {
                struct tofu_path path;
                if (!tofu_is_dead(r->faults, from) && !tofu_is_dead(r->faults, to) &&
                    tofu_route_choose(r, from, to, number, &path, &route))
                    add_route(w, from, route, path.group);
            }
}

/* Packets that started before, while and after it is out are under way together. */
static void routes_of_all_times_together_cannot_deadlock(void **state)
{
    (void)state;
    static const char *const swaps[] = {"1/1/0@5-9", "0/1/1/2@5-9,2/0/0@7-", "1/0/1/1/2/0@0-2"};
    for (unsigned i = 0; i < sizeof(swaps) / sizeof(swaps[0]); i++) {
        char settings[128], text[4096];
        struct config c;
        struct tofu_outages outages;
        uint32_t *cycle;
        snprintf(settings, sizeof(settings), "machine.dims=3x3x2x2x3x2 machine.swap=%s", swaps[i]);
        configure(&c, "k-computer", settings);
        assert_int_equal(machine_finish(&c), WEFT_OK);
        assert_int_equal(family_of(&c)->check_routes(&c), WEFT_OK);
        assert_int_equal(family_of(&c)->prove(&c, text, sizeof(text)), WEFT_OK);
        assert_non_null(strstr(text, "dead or out of service"));
        const struct tofu_config *m = config_section(&c, &tofu_section);
        struct waits w = {&m->shape, calloc(m->shape.nodes, TOFU_LINKS * TOFU_VCS * 8)};
        tofu_outages_init(&outages, &m->shape, &m->faults, &m->swaps);
        assert_true(outages.count > 1);
        for (uint32_t k = 0; k < outages.count; k++) {
            struct tofu_routing r = tofu_config_routing(m);
            r.faults = &outages.outage[k].faults;
            add_routes(&w, &r);
        }
        struct dependency graph = {m->shape.nodes * TOFU_LINKS * TOFU_VCS, list_waits, &w};
        assert_int_equal(dependency_find_cycle(&graph, &cycle), 0);
        tofu_outages_fini(&outages);
        free(w.next);
        config_fini(&c);
    }
}

/* Under more load than there is room for, by all paths in turn, with the smallest buffers. */
static void saturation_around_units_is_no_deadlock(void **state)
{
    (void)state;
    static const char *const cases[] = {
        "machine.dims=4x2x1x2x3x2 machine.swap=1/1/0@300-900,2/0/0/1@600-1500,1/1/0@1200-",
        "machine.dims=3x3x1x2x3x2 machine.swap=1/1/0@1000-2000,fail:0/0/0/0@500-",
        "machine.dims=3x3x1x2x3x2 machine.swap=fail:1/1/0@1000-2000 machine.tni.packets_ahead=64"};
    for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct run_result r = run_swap(
            WEFT_OK, 1,
            "%s workload.pattern=uniform workload.load=1.5 workload.cycles=2500 "
            "workload.warmup_cycles=500 machine.router.vc_bytes=2048 machine.tni.path=turn",
            cases[i]);
        assert_int_equal(r.measure.delivered + r.measure.lost, r.measure.generated);
        run_result_fini(&r);
    }
}

/* ---- order ---- */

enum { SENT = 150 };

/* The first process sends to the second, at once: each message as long as its number. */
static void send_in_order(weft_task *t)
{
    unsigned char data[SENT + 1], sent[SENT][SENT];
    weft_request request[SENT];
    for (unsigned i = 0; t->rank == 0 && i < SENT; i++) {
        memset(sent[i], (int)i, sizeof(sent[i]));
        request[i] = weft_start_send(t, 1, sent[i], i + 1, 7);
    }
    for (unsigned i = 0; t->rank == 0 && i < SENT; i++)
        weft_wait(t, request[i]);
    for (unsigned i = 0; t->rank == 1 && i < SENT; i++) {
        weft_info info = weft_receive(t, 0, data, sizeof(data), 7);
        if (info.bytes != i + 1 || data[0] != i)
            weft_fail(t, "a message has overtaken another");
    }
}

static uint64_t run_program(const char *settings, uint32_t threads, void (*program)(weft_task *t))
{
    struct test_model t;
    struct measure measure;
    model_make(&t, "k-computer", settings, threads);
    struct model *m = t.model;
    const struct workload *w = m->workload;
    struct task_group group = {.program = {.main = program, .stack_bytes = 1 << 17},
                               .processes = w->processes,
                               .mapping = &w->mapping,
                               .per_node = w->per_node};
    struct processes_options o = {.nic = m->nic,
                                  .software = config_section(&t.config, &software_section),
                                  .group = &group,
                                  .groups = 1,
                                  .processes = w->processes,
                                  .per_node = w->per_node,
                                  .mapping = &w->mapping,
                                  .nodes = m->site.nodes,
                                  .measure_to = CYCLE_NEVER};
    struct processes *made = processes_create(&o);
    m->nic->client = processes_client(made);
    model_run(m->network, threads);
    assert_int_equal(network_totals(m->network).awaited, 0);
    network_measure(m->network, network_now(m->network), &measure);
    uint64_t digest = measure.digest;
    measure_fini(&measure);
    processes_destroy(made);
    model_drop(&t);
    return digest;
}

/* From node 0/0/0/0/0/0 to its neighbour by path 2, over 0/0/0/1/0/0, two hops more: while that one
 * is out, messages take one hop and would overtake those before. */
static void messages_keep_their_order(void **state)
{
    (void)state;
    char settings[400];
    uint64_t digest[8];
    for (unsigned i = 0; i < 8; i++) {
        snprintf(settings, sizeof(settings),
                 "machine.dims=2x1x1x2x3x2 workload.pattern=ring workload.as=messages "
                 "workload.processes=2 machine.tni.path=2 machine.node.send_ns=20 "
                 "machine.node.eager_packets=1000 machine.swap=0/0/0/1/0/0@%u-%u",
                 400 + i / 2 * 40, 3000 + i / 2 * 40);
        digest[i] = run_program(settings, 1 + i % 2, send_in_order);
    }
    for (unsigned i = 0; i < 8; i += 2)
        assert_int_equal(digest[i], digest[i + 1]);
}

/* Nodes that synchronise by gates, again and again, while a node between them comes and goes. */
static void barriers_hold(void **state)
{
    (void)state;
    char path[] = "/tmp/weft-swap-XXXXXX";
    FILE *f = fdopen(mkstemp(path), "w");
    uint64_t digest = 0;
    fprintf(f, "0 0 0 0 0 0 0\n2 0 0 0 0 0 0\n");
    fclose(f);
    for (uint32_t threads = 1; threads <= 3; threads++) {
        struct run_result r =
            run_swap(WEFT_OK, threads,
                     "machine.dims=5x1x1x2x3x2 machine.io_plane=false workload.pattern=barrier "
                     "workload.algorithm=gates workload.messages=60 workload.processes=2 "
                     "workload.processes_per_node=1 workload.mapping=%s "
                     "machine.swap=1/0/0/0/0/0@2000-2500,1/0/0/0/0/0@3000-9000,1/0/0/0@9000-9700,"
                     "1/0/0@12000-20000",
                     path);
        digest = threads == 1 ? r.measure.digest : digest;
        assert_int_equal(r.measure.digest, digest);
        for (unsigned i = 1; i < r.swaps; i++)
            assert_true(r.swap[i].detoured > 0);
        run_result_fini(&r);
    }
    unlink(path);
}

/* Numbers that nobody needs change nothing. */
static void a_swap_that_meets_nothing_changes_nothing(void **state)
{
    (void)state;
    static const char *const cases[] = {
        "workload.pattern=alltoall workload.as=messages workload.message_bytes=5000 "
        "workload.processes=24 workload.processes_per_node=1",
        "workload.pattern=barrier workload.messages=9 workload.processes=24 "
        "workload.processes_per_node=1"};
    for (unsigned i = 0; i < 2; i++) {
        struct run_result with = run_swap(
            WEFT_OK, 1, "machine.dims=3x2x2x2x3x2 machine.swap=2/1/1/1/2/1@90000000- %s", cases[i]);
        struct run_result without = run_swap(WEFT_OK, 1, "machine.dims=3x2x2x2x3x2 %s", cases[i]);
        assert_int_equal(with.measure.digest, without.measure.digest);
        run_result_fini(&with);
        run_result_fini(&without);
    }
}

/* ---- what is refused ---- */

static void what_cannot_be_swapped_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *settings, *complaint;
    } cases[] = {
        {"machine.swap=3/0/0@1-2", "'3/0/0@1-2' is not a unit of this machine"},
        {"machine.swap=0/0/0/3@1-2", "is not a unit of this machine"},
        {"machine.swap=0/0/0/0/0@1-2", "is not a unit of this machine"},
        {"machine.swap=0/0/0/0/0/0/0@1-2", "is not a unit of this machine"},
        {"machine.swap=0/0/0x@1-2", "is not a unit of this machine"},
        {"machine.swap=0/0/0", "has no time"},
        {"machine.swap=0/0/0@5", "has no valid time"},
        {"machine.swap=0/0/0@5-x", "has no valid time"},
        {"machine.swap=0/0/0@99999999999999999999-", "has no valid time"},
        {"machine.swap=0/0/0@5-5", "comes back before it is out"},
        {"machine.swap=0/0/0@9-5", "comes back before it is out"},
        {"machine.swap=0/0/0@1-2 machine.dead_groups=0/0/0", "group 0/0/0 is dead"},
        {"machine.wrap=false machine.swap=1/0/0@7-",
         "while group 1/0/0 is out of service, from cycle 7 on: no path leads from node"},
        {"machine.dims=1x1x1x2x3x2 machine.swap=0/0/0@5-", "no node is in service from cycle 5 on"},
        {"workload.pattern=alltoall workload.as=packets machine.swap=0/0/0@1-2",
         "machine.swap: group 0/0/0 has packets of workload.pattern = alltoall"},
        {"workload.pattern=ring machine.swap=0/0/0@1-2",
         "machine.swap: group 0/0/0 has processes of workload.pattern = ring"},
        {"workload.pattern=survey machine.swap=0/0/0@1-2", "machine.swap has no meaning for"},
        {"workload.pattern=jobs machine.swap=0/0/0@1-2", "machine.swap has no meaning for"},
    };
    for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char settings[300];
        struct run_result r;
        snprintf(settings, sizeof(settings),
                 "machine.dims=3x3x1x2x3x2 workload.pattern=uniform workload.load=0.1 %s",
                 cases[i].settings);
        assert_int_equal(run_on("k-computer", settings, 1, false, &r), WEFT_BAD_INPUT);
        if (!strstr(weft_last_error(), cases[i].complaint))
            fail_msg("%s: %s", settings, weft_last_error());
    }
}

/* Two units that only together leave a pair without a path. */
static void pairs_are_tried_for_all_that_is_out_at_once(void **state)
{
    (void)state;
    struct run_result r;
    const char *line = "machine.dims=4x1x1x2x3x2 machine.wrap=false machine.io_plane=false "
                       "workload.pattern=uniform workload.load=0.1 workload.cycles=2000 "
                       "workload.warmup_cycles=100 ";
    char settings[400];
    snprintf(settings, sizeof(settings),
             "%smachine.swap=1/0/0/0@100-200,1/0/0/1@200-300,1/0/0/2@300-", line);
    assert_int_equal(run_on("k-computer", settings, 1, true, &r), WEFT_OK);
    run_result_fini(&r);
    snprintf(settings, sizeof(settings),
             "%smachine.swap=1/0/0/0@100-200,1/0/0/1@150-300,1/0/0/2@199-", line);
    assert_int_equal(run_on("k-computer", settings, 1, true, &r), WEFT_BAD_INPUT);
    assert_non_null(strstr(weft_last_error(),
                           "while board 1/0/0/0 and 2 other units are out of service, from cycle "
                           "199 on: no path"));
}

GROUP(swap)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_packet_takes_the_way_of_its_start),
        cmocka_unit_test(nothing_passes_a_unit_that_is_out),
        cmocka_unit_test(a_unit_is_empty_when_the_last_packet_has_passed),
        cmocka_unit_test(a_unit_that_is_back_too_soon_is_not_empty),
        cmocka_unit_test(a_unit_that_packets_are_on_their_way_to_is_not_empty),
        cmocka_unit_test(what_is_withheld_was_not_offered),
        cmocka_unit_test(what_a_unit_does_not_send_changes_no_other_packet),
        cmocka_unit_test(who_waits_for_a_lost_packet_is_told),
        cmocka_unit_test(threads_agree),
        cmocka_unit_test(an_interrupted_run_goes_on),
        cmocka_unit_test(routes_of_all_times_together_cannot_deadlock),
        cmocka_unit_test(saturation_around_units_is_no_deadlock),
        cmocka_unit_test(messages_keep_their_order),
        cmocka_unit_test(barriers_hold),
        cmocka_unit_test(a_swap_that_meets_nothing_changes_nothing),
        cmocka_unit_test(what_cannot_be_swapped_is_refused),
        cmocka_unit_test(pairs_are_tried_for_all_that_is_out_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
