/*
 * What --check is for: a network at rest in the middle of a run passes, and with one packet too
 * many, or a bit of room that is not where it should be, it does not.
 */
#include "group.h"
#include "models.h"

#include "fabric/crosspoint/state.h"
#include "fabric/switches/state.h"
#include "fabric/tofu/state.h"
#include "fabric/torus/state.h"
#include "machine/run.h"
#include "machine/session_state.h"

enum { AT = 5000 };

#define OPEN "workload.pattern=uniform workload.cycles=1000000 workload.load=0.8 "

/* A run of a machine up to a cycle, and its network. */
struct running {
    struct config config;
    struct session *session;
    struct network *network;
};

static struct running run_until(const char *machine, const char *settings)
{
    struct running r;
    struct run_options o = {.threads = 1};
    configure(&r.config, machine, settings);
    assert_int_equal(machine_finish(&r.config), WEFT_OK);
    assert_int_equal(session_open(&r.config, &o, &r.session), WEFT_OK);
    assert_int_equal(session_run(r.session, AT), WEFT_OK);
    r.network = r.session->model->network;
    if (network_check(r.network) != WEFT_OK)
        fail_msg("%s: %s", machine, weft_last_error());
    assert_true(network_part(r.network, 0)->packets > 0);
    return r;
}

/* The check finds what was changed, and says so. */
static void must_find(struct running *r, const char *what)
{
    assert_int_equal(network_check(r->network), WEFT_FAILED);
    if (!strstr(weft_last_error(), "invariant broken") || !strstr(weft_last_error(), what))
        fail_msg("'%s' is not about '%s'", weft_last_error(), what);
}

static void end(struct running *r)
{
    assert_int_equal(network_check(r->network), WEFT_OK);
    session_close(r->session);
    config_fini(&r->config);
}

static void packets_are_counted(struct running *r)
{
    for (int change = -1; change <= 1; change += 2) {
        network_part(r->network, 0)->packets += (uint32_t)change;
        must_find(r, "packets");
        network_part(r->network, 0)->packets -= (uint32_t)change;
    }
}

static void on_a_torus(void **state)
{
    (void)state;
    struct running r = run_until("bluegene-l", "machine.dims=4x4x2 run.bricks=2x1x1 " OPEN);
    struct torus_part *p = (struct torus_part *)network_part(r.network, 1);
    packets_are_counted(&r);
    p->router[3].port[0].tokens[1]++;
    must_find(&r, "add up to");
    p->router[3].port[0].tokens[1]--;
    end(&r);
}

static void on_a_graph(void **state)
{
    (void)state;
    struct running r = run_until("sc5832", "machine.graph=kautz:2:3 run.partitions=2 " OPEN);
    struct crosspoint_part *p = (struct crosspoint_part *)network_part(r.network, 1);
    packets_are_counted(&r);
    unsigned busy = 0, found = 0;
    for (uint32_t local = 0; local < p->base.nodes; local++)
        for (unsigned port = 0; port < p->degree; port++)
            for (unsigned behind = 0; behind < p->derived->ports; behind++) {
                uint32_t was = p->node[local].busy[port][behind];
                if (!was)
                    continue;
                busy++;
                p->node[local].busy[port][behind] = 0;
                found += network_check(r.network) == WEFT_FAILED;
                p->node[local].busy[port][behind] = (typeof(p->node[local].busy[port][behind]))was;
            }
    /* Some entries are free again without their transmitter knowing. */
    assert_true(busy > 0 && found > 0 && found <= busy);
    end(&r);
}

static void on_tofu(void **state)
{
    (void)state;
    struct running r =
        run_until("k-computer", "machine.dims=2x1x1x2x3x2 run.bricks=2x1x1x1x1x1 " OPEN);
    struct tofu_part *p = (struct tofu_part *)network_part(r.network, 1);
    packets_are_counted(&r);
    unsigned tried = 0;
    for (unsigned channel = 0; channel < TOFU_LINK_CHANNELS; channel++) {
        bool linked = tofu_neighbour(p->network->routing.shape, p->node[2].node,
                                     channel / TOFU_VCS) != TORUS_NO_NODE;
        if (!linked || !p->node[2].credit[channel])
            continue;
        tried++;
        p->node[2].credit[channel]--;
        must_find(&r, "accounts for");
        p->node[2].credit[channel]++;
    }
    assert_true(tried > 0);
    end(&r);
}

static void on_switches(void **state)
{
    (void)state;
    struct running r =
        run_until("dragonfly", "machine.graph=dragonfly:2:4:2 run.partitions=3 " OPEN);
    struct switches_part *p = (struct switches_part *)network_part(r.network, 2);
    packets_are_counted(&r);
    p->output[1].room[0]--, p->output[1].all_room--;
    must_find(&r, "accounts for");
    p->output[1].room[0]++, p->output[1].all_room++;
    p->lane[0].room[1]--;
    must_find(&r, "accounts for");
    p->lane[0].room[1]++;
    end(&r);
}

GROUP(audit)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(on_a_torus),
        cmocka_unit_test(on_a_graph),
        cmocka_unit_test(on_tofu),
        cmocka_unit_test(on_switches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
