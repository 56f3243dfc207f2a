/*
 * A host that drives a network with its own traffic: a parameter server. Every worker asks node 0
 * for a block of data; the server answers each request when it has been read, and a worker that has
 * its answer asks again. The host keeps time in steps of its own; the network runs between them.
 *
 *   cc embed.c $(pkg-config --cflags --libs weft) -o embed && ./embed ideal machine.nodes=64
 */
#include <stdio.h>
#include <weft.h>

enum { SERVER = 0, ROUNDS = 4, REQUEST_BYTES = 32, ANSWER_BYTES = 4096, STEP_CYCLES = 1000 };

struct server {
    weft_run *run;
    uint64_t now; /* where the network stands */
    unsigned answers, rounds[4096];
    uint64_t asked[4096], waited; /* cycles from a request to its answer, summed up */
};

static weft_status send(struct server *s, uint32_t from, uint32_t to, uint64_t bytes)
{
    weft_message message = {.cycle = s->now, .from = from, .to = to, .bytes = bytes};
    return weft_run_inject(s->run, &message);
}

static void told(void *arg, const weft_delivery *d)
{
    struct server *s = arg;
    uint32_t worker = d->message.to == SERVER ? d->message.from : d->message.to;
    if (d->message.to == SERVER) {
        send(s, SERVER, worker, ANSWER_BYTES);
        return;
    }
    s->answers++;
    s->waited += d->cycle - s->asked[worker];
    if (++s->rounds[worker] < ROUNDS) {
        s->asked[worker] = s->now;
        send(s, worker, SERVER, REQUEST_BYTES);
    }
}

int main(int argc, char **argv)
{
    static struct server s;
    if (weft_run_create(argc > 1 ? argv[1] : "ideal", NULL, &s.run) != WEFT_OK)
        goto failed;
    for (int i = 2; i < argc; i++)
        if (weft_run_set(s.run, argv[i]) != WEFT_OK)
            goto failed;
    weft_run_on_delivery(s.run, told, &s);
    if (weft_run_start(s.run, 1) != WEFT_OK)
        goto failed;
    uint32_t nodes = weft_run_nodes(s.run);
    nodes = nodes < 4096 ? nodes : 4096;
    for (uint32_t worker = 1; worker < nodes; worker++)
        if (send(&s, worker, SERVER, REQUEST_BYTES) != WEFT_OK)
            goto failed;
    while (s.answers < (nodes - 1) * ROUNDS) {
        s.now += STEP_CYCLES;
        if (weft_run_advance(s.run, s.now) != WEFT_OK)
            goto failed;
    }
    printf("%u workers, %u answers, %.2f us each on average\n", nodes - 1, s.answers,
           1e6 * (double)s.waited / s.answers / weft_run_cycles_per_second(s.run));
    if (weft_run_finish(s.run) != WEFT_OK)
        goto failed;
    weft_run_destroy(s.run);
    return 0;
failed:
    fprintf(stderr, "%s\n", weft_last_error());
    weft_run_destroy(s.run);
    return 1;
}
