/*
 * Sources post the packets of a program: each once, in order, a few ahead and no more; births of
 * open loops are drawn once and for all; answers go out beside them; dead nodes are left out. On a
 * nic of the test's own, where every call is seen, and on the DMA engines of a small graph.
 */
#include "archives.h"
#include "fake_nic.h"
#include "group.h"
#include "models.h"

#include "node/source.h"

enum { AHEAD = 8, NODES = 4 };

/* A program: `steps` packets of each node, all different, and what it was told of them. */
struct script {
    uint32_t steps, nodes;
    uint32_t answers; /* to each packet of the program, as long as it has a tag below 100 */
    uint32_t told[8][8];
    uint64_t bytes;
    cycle_t latest;
};

static uint64_t bytes_of(uint32_t node, uint32_t number)
{
    return 1 + (node * 31 + number * 7) % 128;
}

static uint32_t to_of(const struct script *s, uint32_t node, uint32_t number)
{
    return (node + 1 + number % (s->nodes - 1)) % s->nodes;
}

static bool script_step(void *ctx, uint32_t who, uint32_t number, struct step *step)
{
    const struct script *s = ctx;
    if (number >= s->steps)
        return false;
    *step = (struct step){
        .to = to_of(s, who, number), .bytes = bytes_of(who, number), .tag = number % 100};
    return true;
}

static void script_received(void *ctx, struct replies *replies, const struct receipt *r,
                            cycle_t when)
{
    struct script *s = ctx;
    s->told[r->source][r->node]++;
    s->bytes += r->bytes;
    s->latest = when > s->latest ? when : s->latest;
    for (uint32_t i = 0; r->tag < 100 && i < s->answers; i++) {
        struct step answer = {.to = r->source, .bytes = r->bytes, .tag = (uint8_t)(100 + i)};
        replies->send(replies, &answer, when);
    }
}

static struct program program_of(struct script *s)
{
    return (struct program){
        .ctx = s, .step = script_step, .received = script_received, .stop_at = CYCLE_NEVER};
}

static const struct nic_traits traits = {.packet_payload = 128,
                                         .ordered = true,
                                         .engine = true,
                                         .queues = 1,
                                         .routes = 1,
                                         .cycles_per_us = 200};

/* A nic, a script, and sources between them. */
struct rig {
    struct fake_nic nic;
    struct script script;
    struct sources *sources;
};

static void rig_init(struct rig *r, uint32_t steps, const struct source_options *more)
{
    struct source_options o = *more;
    memset(r, 0, sizeof(*r));
    fake_init(&r->nic, NODES, traits);
    r->script.steps = steps;
    r->script.nodes = NODES;
    if (!o.program.step)
        o.program = program_of(&r->script);
    o.program.ctx = &r->script;
    o.nic = &r->nic.nic;
    r->sources = sources_create(&o);
    r->nic.nic.client = sources_client(r->sources);
}

static void rig_fini(struct rig *r)
{
    sources_destroy(r->sources);
    fake_fini(&r->nic);
}

/* ---- closed programs ---- */

static void a_few_packets_are_posted_ahead(void **state)
{
    (void)state;
    struct rig r;
    struct nic_node at = {0, 2, 2};
    rig_init(&r, 20, &(struct source_options){.seed = 1});
    const struct nic_client *c = &r.nic.nic.client;
    c->prepare(c->ctx, 0, NODES);
    c->woken(c->ctx, &at, 0);
    assert_int_equal(r.nic.posts, AHEAD);
    c->woken(c->ctx, &at, 5);
    c->woken(c->ctx, &at, 6);
    assert_int_equal(r.nic.posts, AHEAD); /* however often it is looked at */
    for (uint32_t i = 0; i < 20; i++) {
        struct nic_send done = r.nic.post[i].send; /* the post may move */
        c->sent(c->ctx, &at, &done, fine_at(10 + i));
        assert_int_equal(r.nic.posts, AHEAD + i + 1 < 20 ? AHEAD + i + 1 : 20);
    }
    for (uint32_t i = 0; i < 20; i++) {
        const struct nic_send *s = &r.nic.post[i].send;
        assert_int_equal(s->to, to_of(&r.script, 2, i));
        assert_int_equal(s->bytes, bytes_of(2, i));
        assert_int_equal(s->cargo & 0xff, i);
        assert_int_equal(s->birth, 0);
        assert_int_equal(s->ready, 0);
        assert_true(s->flags & NIC_STREAM);
    }
    rig_fini(&r);
}

static void every_packet_is_sent_once_and_told(void **state)
{
    (void)state;
    struct rig r;
    uint64_t bytes = 0;
    rig_init(&r, 300, &(struct source_options){.seed = 1});
    fake_run(&r.nic);
    assert_int_equal(r.nic.posts, NODES * 300);
    for (uint32_t from = 0; from < NODES; from++) {
        for (uint32_t i = 0; i < 300; i++)
            bytes += bytes_of(from, i);
        for (uint32_t to = 0; to < NODES; to++)
            assert_int_equal(r.script.told[from][to], from == to ? 0 : 100);
    }
    assert_int_equal(r.script.bytes, bytes);
    rig_fini(&r);
}

static void an_empty_program_posts_nothing(void **state)
{
    (void)state;
    struct rig r;
    rig_init(&r, 0, &(struct source_options){.seed = 1});
    fake_run(&r.nic);
    assert_int_equal(r.nic.posts, 0);
    rig_fini(&r);
}

/* Neither sent by dead nodes nor to them; the others keep their numbers. */
static void dead_nodes_are_left_out(void **state)
{
    (void)state;
    static const bool dead[NODES] = {false, true, false, false};
    struct rig r;
    rig_init(&r, 30, &(struct source_options){.seed = 1, .dead = dead});
    fake_run(&r.nic);
    assert_int_equal(r.nic.posts, 3 * 20);
    for (uint32_t from = 0; from < NODES; from++)
        for (uint32_t to = 0; to < NODES; to++)
            assert_int_equal(r.script.told[from][to],
                             from == to || dead[from] || dead[to] ? 0 : 10);
    for (size_t i = 0; i < r.nic.posts; i++) {
        const struct fake_post *p = &r.nic.post[i];
        uint32_t number = p->send.cargo & 0xff;
        assert_int_equal(p->send.to, to_of(&r.script, p->from, number));
        assert_int_equal(p->send.bytes, bytes_of(p->from, number));
    }
    rig_fini(&r);
}

/* ---- answers ---- */

static void answers_go_out_beside_the_program(void **state)
{
    (void)state;
    struct rig r;
    rig_init(&r, 60, &(struct source_options){.seed = 1});
    r.script.answers = 3;
    fake_run(&r.nic);
    assert_int_equal(r.nic.posts, NODES * 60 * 4);
    uint32_t answers = 0;
    for (size_t i = 0; i < r.nic.posts; i++) {
        const struct fake_post *p = &r.nic.post[i];
        if ((p->send.cargo & 0xff) < 100)
            continue;
        answers++;
        assert_true(p->send.ready >= fine_at(p->at)); /* told ahead, given when it is read */
        assert_true(p->send.birth <= p->send.ready >> FRACTION_BITS);
        assert_true(p->send.birth >= FAKE_LATENCY);
    }
    assert_int_equal(answers, NODES * 60 * 3);
    /* To a packet that takes LATENCY the answer sets out then: two of them, there and back. */
    assert_true(r.script.latest >= 2 * FAKE_LATENCY);
    rig_fini(&r);
}

/* Answers that wait do not keep the program's own packets back, nor count as them. */
static void answers_are_not_in_hand(void **state)
{
    (void)state;
    struct rig r;
    struct nic_node at = {0, 0, 0};
    rig_init(&r, 20, &(struct source_options){.seed = 1});
    r.script.answers = 1;
    const struct nic_client *c = &r.nic.nic.client;
    c->prepare(c->ctx, 0, NODES);
    c->woken(c->ctx, &at, 0);
    assert_int_equal(r.nic.posts, AHEAD);
    struct nic_arrival arrival = {.source = 3, .sequence = 5, .bytes = 64, .cargo = 7};
    c->arrived(c->ctx, &at, &arrival, fine_at(50));
    assert_int_equal(r.nic.posts, AHEAD + 1);
    const struct nic_send answer = r.nic.post[AHEAD].send;
    assert_int_equal(answer.to, 3);
    assert_int_equal(answer.bytes, 64);
    assert_int_equal(answer.ready, fine_at(50));
    c->sent(c->ctx, &at, &answer, fine_at(60));
    assert_int_equal(r.nic.posts, AHEAD + 1); /* nothing of the program has left */
    struct nic_send first = r.nic.post[0].send;
    c->sent(c->ctx, &at, &first, fine_at(70));
    assert_int_equal(r.nic.posts, AHEAD + 2);
    rig_fini(&r);
}

/* Of many answers to one packet a few are posted ahead, and the others in their order as
 * those leave: what a nic has in hand, it may look at again and again. */
static void a_few_answers_are_posted_ahead(void **state)
{
    (void)state;
    enum { ANSWERS = 150 };
    struct rig r;
    struct nic_node at = {0, 0, 0};
    rig_init(&r, 0, &(struct source_options){.seed = 1});
    r.script.answers = ANSWERS;
    const struct nic_client *c = &r.nic.nic.client;
    c->prepare(c->ctx, 0, NODES);
    c->woken(c->ctx, &at, 0);
    struct nic_arrival arrival = {.source = 3, .bytes = 64, .cargo = 7};
    c->arrived(c->ctx, &at, &arrival, fine_at(50));
    assert_int_equal(r.nic.posts, AHEAD);
    for (uint32_t i = 0; i < ANSWERS; i++) {
        struct nic_send done = r.nic.post[i].send;
        r.nic.part.wheel.now = 100 + i;
        assert_int_equal(done.cargo & 0xff, 100 + i);
        assert_int_equal(done.birth, 50);
        c->sent(c->ctx, &at, &done, fine_at(r.nic.part.wheel.now));
        assert_int_equal(r.nic.posts, AHEAD + i + 1 < ANSWERS ? AHEAD + i + 1 : ANSWERS);
    }
    c->arrived(c->ctx, &at, &arrival, fine_at(500)); /* and as many once more */
    assert_int_equal(r.nic.posts, ANSWERS + AHEAD);
    rig_fini(&r);
}

/* ---- open loops ---- */

static struct source_options open_loop(uint64_t seed, double gap, cycle_t stop_at)
{
    return (struct source_options){
        .seed = seed, .program = {.step = script_step, .mean_gap_cycles = gap, .stop_at = stop_at}};
}

static void births_are_drawn_and_come_in_order(void **state)
{
    (void)state;
    enum { STOP = 100000, GAP = 40 };
    struct rig r, again, other;
    struct source_options o = open_loop(1, GAP, STOP), p = open_loop(2, GAP, STOP);
    rig_init(&r, UINT32_MAX, &o);
    rig_init(&again, UINT32_MAX, &o);
    rig_init(&other, UINT32_MAX, &p);
    fake_run(&r.nic);
    fake_run(&again.nic);
    fake_run(&other.nic);
    cycle_t last[NODES] = {0};
    uint32_t count[NODES] = {0};
    for (size_t i = 0; i < r.nic.posts; i++) {
        const struct fake_post *post = &r.nic.post[i];
        const struct nic_send *s = &post->send;
        assert_true(s->birth >= last[post->from] && s->birth < STOP);
        assert_true(s->ready == fine_at(s->birth) || s->ready == fine_at(s->birth + 1));
        last[post->from] = s->birth;
        count[post->from]++;
    }
    for (uint32_t node = 0; node < NODES; node++)
        assert_near(count[node], (double)STOP / GAP, 5 * 50.0); /* five standard deviations */
    assert_true(count[0] != count[1] || count[1] != count[2]);
    assert_int_equal(again.nic.posts, r.nic.posts);
    for (size_t i = 0; i < r.nic.posts; i++)
        assert_int_equal(again.nic.post[i].send.birth, r.nic.post[i].send.birth);
    assert_true(other.nic.posts != r.nic.posts ||
                other.nic.post[0].send.birth != r.nic.post[0].send.birth);
    rig_fini(&r);
    rig_fini(&again);
    rig_fini(&other);
}

/* When packets are born does not depend on how fast the nic takes them. */
static void births_do_not_wait_for_the_nic(void **state)
{
    (void)state;
    struct rig fast, slow;
    struct source_options o = open_loop(5, 10, 3000);
    rig_init(&fast, UINT32_MAX, &o);
    rig_init(&slow, UINT32_MAX, &o);
    const struct nic_client *c = &slow.nic.nic.client;
    struct nic_node at = {0, 1, 1};
    fake_run(&fast.nic);
    c->prepare(c->ctx, 0, NODES);
    c->woken(c->ctx, &at, 0);
    for (size_t i = 0; i < slow.nic.posts; i++) { /* each leaves long after its birth */
        struct nic_send done = slow.nic.post[i].send;
        slow.nic.part.wheel.now = 100000 * (i + 1);
        c->sent(c->ctx, &at, &done, fine_at(slow.nic.part.wheel.now));
    }
    size_t next = 0;
    for (size_t i = 0; i < fast.nic.posts; i++)
        if (fast.nic.post[i].from == 1) {
            assert_true(next < slow.nic.posts);
            assert_int_equal(slow.nic.post[next].send.birth, fast.nic.post[i].send.birth);
            assert_int_equal(slow.nic.post[next].send.to, fast.nic.post[i].send.to);
            next++;
        }
    assert_int_equal(next, slow.nic.posts);
    rig_fini(&fast);
    rig_fini(&slow);
}

static void a_gap_beyond_all_time_never_ends(void **state)
{
    (void)state;
    struct rig r;
    struct source_options o = open_loop(1, 1e300, (cycle_t)1 << 45);
    rig_init(&r, UINT32_MAX, &o);
    fake_run(&r.nic);
    assert_int_equal(r.nic.posts, 0);
    rig_fini(&r);
}

/* ---- archives ---- */

static void archive_sources(void *sources, struct archive *a)
{
    sources_archive(sources, a);
}

/* With packets in hand, and with answers that wait. */
static void an_archive_goes_on_as_if_nothing_had_been(void **state)
{
    (void)state;
    struct rig whole, cut;
    struct source_options o = open_loop(3, 20, 5000);
    o.program.received = script_received;
    rig_init(&whole, UINT32_MAX, &o);
    rig_init(&cut, UINT32_MAX, &o);
    whole.script.answers = cut.script.answers = 30;
    fake_run(&whole.nic);
    fake_start(&cut.nic);
    assert_true(fake_run_until(&cut.nic, 2000));
    struct saved saved = save(archive_sources, cut.sources);
    o.nic = &cut.nic.nic;
    o.program.ctx = &cut.script;
    struct sources *back = sources_create(&o);
    struct nic_client client = sources_client(back);
    client.prepare(client.ctx, 0, NODES);
    assert_true(load(archive_sources, back, &saved));
    assert_false(load(archive_sources, back, &(struct saved){saved.bytes, saved.size - 4}));
    assert_true(load(archive_sources, back, &saved));
    sources_destroy(cut.sources);
    cut.sources = back;
    cut.nic.nic.client = client;
    fake_run_until(&cut.nic, CYCLE_NEVER);
    assert_int_equal(cut.nic.posts, whole.nic.posts);
    for (size_t i = 0; i < whole.nic.posts; i++) {
        assert_int_equal(cut.nic.post[i].at, whole.nic.post[i].at);
        assert_int_equal(cut.nic.post[i].send.birth, whole.nic.post[i].send.birth);
        assert_int_equal(cut.nic.post[i].send.cargo, whole.nic.post[i].send.cargo);
    }
    assert_int_equal(cut.script.latest, whole.script.latest);
    free(saved.bytes);
    rig_fini(&whole);
    rig_fini(&cut);
}

/* ---- on DMA engines ---- */

/* The same script on a graph of six nodes, cut in three ways. */
static void a_script_runs_on_engines(void **state)
{
    (void)state;
    enum { STEPS = 200, ANSWERS = 2 };
    cycle_t ended = 0;
    for (uint32_t partitions = 1; partitions <= 3; partitions++) {
        struct test_model t;
        struct script s = {.steps = STEPS, .nodes = 6, .answers = ANSWERS};
        char settings[200];
        snprintf(settings, sizeof(settings),
                 "machine.graph=kautz:2:2 workload.pattern=ring run.partitions=%u", partitions);
        model_make(&t, "sc5832", settings, 1);
        struct source_options o = {.nic = t.model->nic, .program = program_of(&s), .seed = 1};
        struct sources *sources = sources_create(&o);
        t.model->nic->client = sources_client(sources);
        model_run(t.model->network, 1);
        for (uint32_t from = 0; from < 6; from++)
            for (uint32_t to = 0; to < 6; to++)
                assert_int_equal(s.told[from][to],
                                 from == to ? 0 : STEPS / 5 + ANSWERS * (STEPS / 5));
        assert_true(partitions == 1 || s.latest == ended);
        ended = s.latest;
        sources_destroy(sources);
        model_drop(&t);
    }
}

GROUP(source)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_few_packets_are_posted_ahead),
        cmocka_unit_test(every_packet_is_sent_once_and_told),
        cmocka_unit_test(an_empty_program_posts_nothing),
        cmocka_unit_test(dead_nodes_are_left_out),
        cmocka_unit_test(answers_go_out_beside_the_program),
        cmocka_unit_test(answers_are_not_in_hand),
        cmocka_unit_test(a_few_answers_are_posted_ahead),
        cmocka_unit_test(births_are_drawn_and_come_in_order),
        cmocka_unit_test(births_do_not_wait_for_the_nic),
        cmocka_unit_test(a_gap_beyond_all_time_never_ends),
        cmocka_unit_test(an_archive_goes_on_as_if_nothing_had_been),
        cmocka_unit_test(a_script_runs_on_engines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
