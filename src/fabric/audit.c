/* Going through all events, messages and tables. */
#include "fabric/audit.h"

#include "base/protected_call.h"
#include "engine/ranks.h"

/* A partition whose events are visited. */
struct visit {
    struct audit *audit;
    const struct network_part *part;
};

static void visit_event(void *arg, cycle_t time, event_t e)
{
    struct visit *v = arg;
    const struct network_kind *kind = v->audit->network->kind;
    const char *packet = NULL;
    (void)time;
    if (kind->brings(e)) {
        struct part_pool pool = kind->pool(v->part);
        packet = (const char *)pool.packet + event_payload(e) * pool.size;
        v->audit->packets++;
    }
    v->audit->event(v->audit, v->part, e, packet);
}

static weft_status take_part(struct audit *a, const struct network_part *p)
{
    struct visit v = {a, p};
    a->packets = 0;
    wheel_visit(&p->wheel, visit_event, &v);
    a->part(a, p);
    if (a->packets != p->packets)
        return RUN_FAILED(("invariant broken: partition %u holds %u packets; %llu were found",
                           p->index, p->packets, (unsigned long long)a->packets),
                          NO_REMEDY);
    return WEFT_OK;
}

/* Messages that their partition has not yet received. */
static void take_messages(struct audit *a, const struct channel *channel,
                          const struct channel_buffer *b)
{
    const struct network_part *to = network_part(a->network, channel->to);
    const unsigned char *body = b->body;
    for (uint32_t m = 0; m < b->count; m++) {
        bool brings = a->network->kind->brings(b->message[m].event);
        a->event(a, to, b->message[m].event, brings ? body : NULL);
        if (brings)
            body += channel->body_size;
    }
}

weft_status audit_take(struct audit *a)
{
    const struct engine *e = &a->network->engine;
    weft_status status = WEFT_OK;
    for (uint32_t i = e->first; i < e->end && status == WEFT_OK; i++)
        status = take_part(a, network_part(a->network, i));
    for (uint32_t c = 0; c < 2 * e->channels; c++)
        if (engine_rank(e, e->channel[c / 2].to) == ranks_me()) /* or it is another rank's */
            take_messages(a, &e->channel[c / 2], &e->channel[c / 2].buffer[c % 2]);
    ranks_sum_32(a->count, a->counts);
    if (ranks_max(status != WEFT_OK) && status == WEFT_OK)
        return RUN_FAILED(("invariant broken in another rank"), NO_REMEDY);
    return status;
}
