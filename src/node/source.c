/* Births of packets, and packets posted in advance. */
#include "node/source.h"

#include <stdlib.h>

#include "base/slots.h"
#include "base/memory.h"
#include "base/random.h"

/* The most packets of the program, and the most answers, that a nic is given in advance unless it
 * says itself: a nic may look at all of them whenever one leaves. */
enum { USUAL_AHEAD = 8 };

/* Cargoes: a packet's tag, and whether it is an answer; answers do not count as in hand. */
enum { CARGO_TAG = 0xff, CARGO_ANSWER = 0x100 };

/* An answer that waits for those before it. */
struct answer {
    struct nic_send send;
    uint32_t next;
};

struct source {
    fine_t birth; /* of the next packet */
    uint32_t sequence, in_hand;
    uint32_t burst_left; /* packets after the next one */
    uint32_t answers_in_hand;
    struct slots_list waiting; /* answers */
    bool started, done;
    cycle_t asked; /* to be woken at; 0: never */
};

struct source_part {
    struct source *source; /* [local] */
    struct slots answers;  /* struct answer */
    uint32_t nodes;
} __attribute__((aligned(64)));

struct sources {
    struct source_options options;
    uint32_t ahead;
    struct source_part *part;
};

/* A node whose program is being told about a packet. */
struct source_replies {
    struct replies base;
    struct sources *sources;
    const struct nic_node *at;
};

static fine_t gap(const struct sources *s, uint32_t node, struct source *source)
{
    struct arrival_process arrivals = program_arrivals(&s->options.program, node);
    if (arrivals.mean_gap_cycles <= 0)
        return 0;
    uint32_t drawn = s->options.number ? s->options.number[node] : node;
    double cycles = arrival_process_next(&arrivals, s->options.seed, drawn, source->sequence,
                                         &source->burst_left);
    return cycles < 0x1p45 ? fine_length(cycles) + 1 : fine_at(1ull << 45);
}

static struct nic_send to_send(const struct step *step, cycle_t birth, fine_t ready)
{
    return (struct nic_send){.to = step->to,
                             .bytes = step->bytes,
                             .cargo = step->tag,
                             .birth = birth,
                             .ready = ready,
                             .flags = NIC_STREAM};
}

/* Posts a packet of the program, born at a fine time. */
static void post(struct sources *s, struct source *source, const struct nic_node *at,
                 const struct step *step, fine_t birth)
{
    cycle_t ready = fine_cycle_after(birth), now = nic_now(s->options.nic, at->partition);
    if (step->timed && ready < now) /* read when there was room for it */
        ready = now;
    struct nic_send send = to_send(step, birth >> FRACTION_BITS, fine_at(ready));
    source->sequence++;
    source->birth += step->timed ? 0 : gap(s, at->node, source);
    if (s->options.dead && s->options.dead[step->to])
        return;
    source->in_hand++;
    nic_post(s->options.nic, at, &send);
}

/* Posts the next packet to the nic; false: the node has none, at least for now. */
static bool send_next(struct sources *s, struct source *source, const struct nic_node *at)
{
    const struct program *p = &s->options.program;
    struct step step = {.to = NOBODY, .now = nic_now(s->options.nic, at->partition)};
    bool late = source->birth >> FRACTION_BITS >= p->stop_at;
    source->done = late || !p->step(p->ctx, at->node, source->sequence, &step);
    if (source->done)
        return false;
    if (step.timed && step.to == NOBODY) {
        if (source->asked != step.birth)
            nic_wake(s->options.nic, at, step.birth);
        source->asked = step.birth;
        return false;
    }
    post(s, source, at, &step, step.timed ? fine_at(step.birth) : source->birth);
    return true;
}

static void fill_hand(struct sources *s, const struct nic_node *at)
{
    struct source *source = &s->part[at->partition].source[at->local];
    if (!source->started) {
        source->started = true;
        source->done = s->options.dead && s->options.dead[at->node];
        source->birth = source->done ? 0 : gap(s, at->node, source);
    }
    while (!source->done && source->in_hand < s->ahead && send_next(s, source, at))
        continue;
}

/* ---- answers ---- */

static struct answer *answer_at(const struct source_part *p, uint32_t index)
{
    return (struct answer *)p->answers.item + index;
}

static void reply(struct replies *base, const struct step *step, cycle_t when)
{
    struct source_replies *r = (struct source_replies *)base;
    struct source_part *p = &r->sources->part[r->at->partition];
    struct source *source = &p->source[r->at->local];
    cycle_t next = nic_now(r->sources->options.nic, r->at->partition) + 1;
    struct nic_send send = to_send(step, when, fine_at(when > next ? when : next));
    send.cargo |= CARGO_ANSWER;
    if (source->answers_in_hand == r->sources->ahead) {
        uint32_t index = slots_get(&p->answers);
        *answer_at(p, index) = (struct answer){.send = send};
        slots_append(&p->answers, &source->waiting, index);
        return;
    }
    source->answers_in_hand++;
    nic_post(r->sources->options.nic, r->at, &send);
}

/* One has left: the next that waits takes its place. */
static void next_answer(struct sources *s, const struct nic_node *at)
{
    struct source_part *p = &s->part[at->partition];
    struct source *source = &p->source[at->local];
    if (source->waiting.first == SLOT_NONE) {
        source->answers_in_hand--;
        return;
    }
    uint32_t index = slots_take(&p->answers, &source->waiting);
    struct nic_send send = answer_at(p, index)->send;
    send.ready = fine_max(send.ready, fine_at(nic_now(s->options.nic, at->partition)));
    slots_put(&p->answers, index);
    nic_post(s->options.nic, at, &send);
}

/* ---- what the nic tells ---- */

static void woken(void *ctx, const struct nic_node *at, cycle_t now)
{
    (void)now; /* births have their own times */
    fill_hand(ctx, at);
}

static void arrived(void *ctx, const struct nic_node *at, const struct nic_arrival *arrival,
                    fine_t when)
{
    struct sources *s = ctx;
    const struct program *p = &s->options.program;
    struct source_replies replies = {.base = {reply}, .sources = s, .at = at};
    struct receipt receipt = {.node = at->node,
                              .source = arrival->source,
                              .sequence = arrival->sequence,
                              .bytes = arrival->bytes,
                              .tag = arrival->cargo & CARGO_TAG};
    if (p->received)
        p->received(p->ctx, &replies.base, &receipt, fine_cycle_after(when));
}

static void sent(void *ctx, const struct nic_node *at, const struct nic_send *send, fine_t when)
{
    struct sources *s = ctx;
    (void)when;
    if (send->cargo & CARGO_ANSWER) {
        next_answer(s, at);
        return;
    }
    s->part[at->partition].source[at->local].in_hand--;
    fill_hand(s, at);
}

/* ---- life cycle ---- */

static void prepare(void *ctx, uint32_t partition, uint32_t nodes)
{
    struct sources *s = ctx;
    struct source_part *p = &s->part[partition];
    p->nodes = nodes;
    p->source = memory_alloc(nodes, sizeof(*p->source));
    slots_init(&p->answers, sizeof(struct answer), offsetof(struct answer, next));
    for (uint32_t i = 0; i < nodes; i++)
        p->source[i].waiting.first = SLOT_NONE;
}

struct sources *sources_create(const struct source_options *o)
{
    struct sources *s = memory_alloc(1, sizeof(*s));
    s->options = *o;
    s->ahead = o->nic->traits.ahead ? o->nic->traits.ahead : USUAL_AHEAD;
    s->part = memory_alloc_lines(o->nic->partitions, sizeof(*s->part));
    return s;
}

void sources_destroy(struct sources *s)
{
    if (!s)
        return;
    for (uint32_t i = 0; i < s->options.nic->partitions; i++) {
        free(s->part[i].source);
        slots_fini(&s->part[i].answers);
    }
    free(s->part);
    free(s);
}

struct nic_client sources_client(struct sources *s)
{
    return (struct nic_client){
        .ctx = s, .prepare = prepare, .woken = woken, .arrived = arrived, .sent = sent};
}

void sources_go_on(struct sources *s, cycle_t stop_at, cycle_t when)
{
    struct program *p = &s->options.program;
    for (uint32_t i = 0; i < s->options.nic->partitions && when; i++)
        for (uint32_t local = 0; local < s->part[i].nodes; local++) {
            struct source *source = &s->part[i].source[local];
            if (!source->done || source->birth >> FRACTION_BITS < p->stop_at)
                continue;
            source->done = false;
            nic_wake_node(nic_part(s->options.nic, i), local, when, false);
        }
    p->stop_at = stop_at;
}

/* ---- whether a restored state is possible ---- */

static bool are_answers(const struct source_part *p, const struct source *source, uint32_t nodes,
                        struct visited *answers)
{
    if (!slots_list_visited(&p->answers, &source->waiting, answers))
        return false;
    for (uint32_t i = source->waiting.first; i != SLOT_NONE; i = answer_at(p, i)->next)
        if (answer_at(p, i)->send.to >= nodes)
            return false;
    return true;
}

static const char *flaw(const struct source_part *p, uint32_t nodes)
{
    struct visited answers;
    bool right = slots_visited(&p->answers, &answers);
    for (uint32_t i = 0; i < p->nodes && right; i++)
        right = visited_is_bool(&p->source[i].started) && visited_is_bool(&p->source[i].done) &&
                are_answers(p, &p->source[i], nodes, &answers);
    right = right && visited_is_full(&answers);
    visited_fini(&answers);
    return right ? NULL : "a source of packets is impossible";
}

void sources_archive(struct sources *s, struct archive *a)
{
    uint32_t nodes = 0;
    for (uint32_t i = 0; i < s->options.nic->partitions; i++)
        nodes += s->part[i].nodes;
    for (uint32_t i = 0; i < s->options.nic->partitions; i++) {
        struct source_part *p = &s->part[i];
        archive_bytes(a, p->source, p->nodes * sizeof(*p->source));
        slots_archive(&p->answers, a);
        if (archive_has_read(a))
            archive_sound(a, flaw(p, nodes));
    }
}
