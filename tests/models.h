/* Models for tests: a machine with its workload, built as in a run, but not yet run; and a run of
 * whatever network there is. */
#ifndef WEFT_TESTS_MODELS_H
#define WEFT_TESTS_MODELS_H

#include "testing.h"

#include "machine/family.h"

struct test_model {
    struct config config;
    struct model *model;
};

/* Builds a machine with settings for so many threads, and for a host unless NULL; stops the test if
 * that fails. */
static inline void model_make_for(struct test_model *t, const char *machine, const char *settings,
                                  uint32_t threads, const struct nic_client *host)
{
    struct run_options o = {.threads = threads, .host = host};
    configure(&t->config, machine, settings);
    if (machine_finish(&t->config) != WEFT_OK || model_create(&t->config, &o, &t->model) != WEFT_OK)
        fail_msg("%s: %s", settings, weft_last_error());
}

static inline void model_make(struct test_model *t, const char *machine, const char *settings,
                              uint32_t threads)
{
    model_make_for(t, machine, settings, threads, NULL);
}

static inline void model_drop(struct test_model *t)
{
    model_destroy(t->model);
    config_fini(&t->config);
}

static inline weft_status model_inspect(void *network, cycle_t now)
{
    struct network *n = network;
    (void)now;
    return network_check(n);
}

/* Runs a network until nothing happens any more and nothing is under way, with checks. */
static inline void model_run(struct network *network, uint32_t threads)
{
    struct engine_outcome outcome;
    struct engine_options o = {.threads = threads,
                               .share_always = true,
                               .stop_at = CYCLE_NEVER,
                               .stall_cycles = 1000000,
                               .inspect_every = 512,
                               .inspect = model_inspect,
                               .arg = network};
    if (engine_run(&network->engine, &o, &outcome) != WEFT_OK)
        fail_msg("%s", weft_last_error());
    assert_int_equal(outcome.end, ENGINE_QUIET);
    network_settle(network, outcome.now);
    assert_int_equal(network_totals(network).pending, 0);
}

#endif
