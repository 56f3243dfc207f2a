/* weft check: what can be said of a study before it runs. */
#include "cli/cli.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "fabric/torus_proof.h"

static bool has_small_packets(const struct workload_params *w)
{
    bool messages = w->pattern == PATTERN_PINGPONG || w->pattern == PATTERN_LINEFILL ||
                    w->pattern == PATTERN_PLANEFILL || w->bytes_per_pair;
    for (uint32_t i = 0; i < w->sizes; i++)
        messages |= w->chunks[i] < PACKET_MAX_CHUNKS;
    return messages;
}

static weft_status prove(const struct config *c, char *text, size_t size)
{
    const struct workload_params *w = &c->workload;
    struct proof_traffic traffic = {.dynamic = w->dynamic_share > 0 && c->router.dynamic_vcs,
                                    .high = w->high_share > 0,
                                    .long_ways = w->pattern == PATTERN_LINEFILL ||
                                                 w->pattern == PATTERN_PLANEFILL,
                                    .small_packets = has_small_packets(w)};
    return torus_prove(&c->torus, &c->router, &c->faults, &traffic, text, size);
}

/* Prints what is found; WEFT_FAILED if it can deadlock, or cannot be proved not to. */
static weft_status check(struct config *c)
{
    enum { TEXT = 1 << 20 };
    char dims[80];
    weft_status status = config_finish(c);
    if (status == WEFT_OK)
        status = run_check_routes(c);
    if (status != WEFT_OK)
        return status;
    uint32_t live = c->torus.nodes - c->faults.nodes;
    printf("%s %s: the configuration is right\n", c->machine, torus_text(&c->torus, dims));
    printf("routes: every pair of its %u %snodes has one\n", live,
           faults_any(&c->faults) ? "living " : "");
    char *text = weft_alloc(TEXT, 1);
    status = prove(c, text, TEXT);
    printf("deadlock: %s%s\n", status == WEFT_OK ? "impossible; " : "", text);
    free(text);
    return status;
}

int cmd_check(int argc, char **argv)
{
    struct cli_options o;
    weft_run *run = NULL;
    weft_status status = cli_parse(argc, argv, &o);
    if (status == WEFT_OK)
        status = cli_refuse_batch_options(&o);
    if (status == WEFT_OK)
        status = cli_refuse_checkpoint_options(&o);
    if (status == WEFT_OK && (o.names > 1 || o.output))
        status = weft_fail(WEFT_BAD_INPUT, "use weft check STUDY.yaml, or -m MACHINE [-s ...]");
    if (status == WEFT_OK)
        status = weft_run_create(o.machine, o.names ? o.name[0] : NULL, &run);
    for (unsigned i = 0; i < o.sets && status == WEFT_OK; i++)
        status = weft_run_set(run, o.set[i]);
    if (status == WEFT_OK)
        status = check(&run->config);
    weft_run_destroy(run);
    return status == WEFT_BAD_INPUT ? cli_fail(status) : (int)status;
}
