/*
 * Messages that wait cost no more than messages that do not: with four times as many of them,
 * processes make about four times the calls. Counted are calls of functions, not seconds: this test
 * has its own copy of the message layer, compiled with -finstrument-functions, so that a walk along
 * a list counts at every item.
 */
#include "fake_nic.h"

#include "message/process.h"

static uint64_t calls;

void __cyg_profile_func_enter(void *function, void *caller) __attribute__((no_instrument_function));
void __cyg_profile_func_exit(void *function, void *caller) __attribute__((no_instrument_function));

void __cyg_profile_func_enter(void *function, void *caller)
{
    (void)function, (void)caller;
    calls++;
}

void __cyg_profile_func_exit(void *function, void *caller)
{
    (void)function, (void)caller;
}

enum { PROCESSES = 9 };

/* All send so many messages to the first process, which takes those of one after the other, the
 * last one's first; or of each in turn. */
struct hot_spot {
    uint32_t messages;
    uint64_t bytes;
    bool in_turn;
};

static bool hot_step(void *ctx, uint32_t who, uint32_t number, struct step *step)
{
    const struct hot_spot *h = ctx;
    uint32_t others = PROCESSES - 1;
    *step = (struct step){.to = NOBODY, .from = NOBODY, .bytes = h->bytes, .from_bytes = h->bytes};
    if (who)
        step->to = 0;
    else
        step->from = h->in_turn ? 1 + number % others : others - number / h->messages;
    return number < (who ? h->messages : others * h->messages);
}

/* Calls that it takes. */
static double cost(const struct nic_traits *traits, uint32_t per_node, struct hot_spot hot)
{
    struct fake_nic nic;
    uint32_t nodes = (PROCESSES + per_node - 1) / per_node;
    fake_init(&nic, nodes, *traits);
    struct mapping mapping;
    fake_map(&mapping, PROCESSES, nodes, per_node, NULL);
    struct processes_options o = {
        .nic = &nic.nic,
        .software = &fake_software,
        .program = {.ctx = &hot, .step = hot_step, .stop_at = CYCLE_NEVER},
        .processes = PROCESSES,
        .per_node = per_node,
        .mapping = &mapping,
        .nodes = nodes,
        .measure_to = CYCLE_NEVER};
    struct processes *p = processes_create(&o);
    nic.nic.client = processes_client(p);
    calls = 0;
    fake_run(&nic);
    double sum = (double)calls;
    assert_int_equal(processes_result(p).messages, (PROCESSES - 1) * hot.messages);
    assert_true(sum > 0);
    processes_destroy(p);
    mapping_fini(&mapping);
    fake_fini(&nic);
    return sum;
}

static void early_messages_cost_linear_time(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 12; i++) {
        struct hot_spot hot = {.messages = 300, .bytes = i & 1 ? 900 : 1, .in_turn = i & 2};
        const struct nic_traits *traits = &fake_engine;
        uint32_t per_node = 1 + i / 4;
        double one = cost(traits, per_node, hot);
        hot.messages *= 4;
        double four = cost(traits, per_node, hot);
        if (four > 4.5 * one || four < 3 * one)
            fail_msg("case %u: %g calls for 300 messages, %g for 1200", i, one, four);
    }
}

/* A message more costs as much as the one before, however many wait. */
static void a_message_costs_some_hundreds_of_calls_at_most(void **state)
{
    (void)state;
    struct hot_spot hot = {.messages = 5000, .bytes = 100};
    double each = cost(&fake_engine, 1, hot) / ((PROCESSES - 1) * hot.messages);
    assert_in_range((unsigned)each, 10, 300);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(early_messages_cost_linear_time),
        cmocka_unit_test(a_message_costs_some_hundreds_of_calls_at_most),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
