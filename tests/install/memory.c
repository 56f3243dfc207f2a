/*
 * A host that runs out of memory: `memory MACHINE KEY=VALUE` under `ulimit -v`. Says how far it got
 * and with what status; ends with 0 unless the library ends it, or a status is not one of weft.h's.
 */
#include <stdio.h>
#include <weft.h>

static int say(const char *what, weft_status status)
{
    printf("%s: %d %s\n", what, (int)status, status == WEFT_OK ? "" : weft_last_error());
    return status != WEFT_OK;
}

/* Messages from all nodes, more and more of them. */
static int drive(weft_run *run)
{
    uint32_t nodes = weft_run_nodes(run);
    for (uint64_t now = 0; now < 20000; now += 1000) {
        for (uint64_t i = 0; i < 10000; i++) {
            weft_message m = {.cycle = now + i % 5000,
                              .from = (uint32_t)(i % nodes),
                              .to = (uint32_t)((i + 1 + i / nodes) % nodes),
                              .bytes = 2000};
            weft_status status = m.from == m.to ? WEFT_OK : weft_run_inject(run, &m);
            if (status != WEFT_OK) {
                say("inject", status);
                return say("inject again", weft_run_inject(run, &m));
            }
        }
        weft_status status = weft_run_advance(run, now + 1000);
        if (status != WEFT_OK) {
            say("advance", status);
            return say("advance again", weft_run_advance(run, now + 2000));
        }
    }
    return 0;
}

int main(int argc, char **argv)
{
    weft_run *run = NULL;
    weft_status status = weft_run_create(argc > 1 ? argv[1] : "ideal", NULL, &run);
    int failed = say("create", status);
    for (int i = 2; i < argc && !failed; i++)
        failed = say("set", weft_run_set(run, argv[i]));
    failed = failed || say("start", weft_run_start(run, 1)) || drive(run);
    if (run)
        say("finish", weft_run_finish(run));
    printf("json: %s\n", run && weft_run_json(run) ? "yes" : "no");
    weft_run_destroy(run);
    run = NULL;
    /* The host goes on, and another run may fit. */
    if (weft_run_create("ideal", NULL, &run) == WEFT_OK &&
        weft_run_set(run, "machine.nodes=8") == WEFT_OK)
        say("another", weft_run_execute(run, 1));
    weft_run_destroy(run);
    return 0;
}
