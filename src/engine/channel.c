/* Appending to a channel, with the lookahead checked; shipping to and from other ranks. */
#include "engine/channel.h"

#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/memory.h"
#include "engine/ranks.h"

void channel_init(struct channel *c, uint32_t from, uint32_t to, uint32_t body_size)
{
    *c = (struct channel){.from = from, .to = to, .body_size = body_size};
}

void channel_fini(struct channel *c)
{
    for (int i = 0; i < 2; i++) {
        free(c->buffer[i].message);
        free(c->buffer[i].body);
    }
}

/* Makes room for so many messages and bodies. */
static void reserve(struct channel *c, struct channel_buffer *b, uint32_t messages, uint32_t bodies)
{
    LIST_RESERVE(b->message, messages, b->capacity);
    if (bodies <= b->body_capacity)
        return;
    b->body_capacity = (uint32_t)list_room(b->body_capacity, bodies, UINT32_MAX);
    b->body = memory_grow(b->body, b->body_capacity, c->body_size);
}

void *channel_send(struct channel *c, cycle_t time, event_t event, int with_body)
{
    WEFT_CHECK(time >= c->earliest,
               "lookahead violated: partition %u sends to partition %u for cycle %llu, but its "
               "window ends at cycle %llu",
               c->from, c->to, (unsigned long long)time, (unsigned long long)c->earliest);
    struct channel_buffer *b = &c->buffer[c->writing];
    reserve(c, b, b->count + 1, b->body_count + (with_body != 0));
    b->message[b->count++] = (struct wheel_far){time, event};
    if (!with_body)
        return NULL;
    return b->body + (size_t)b->body_count++ * c->body_size;
}

void channel_archive(struct channel *c, unsigned parity, struct archive *a)
{
    struct channel_buffer *b = &c->buffer[parity];
    archive_list(a, (void **)&b->message, sizeof(*b->message), &b->count, &b->capacity);
    if (c->body_size)
        archive_list(a, (void **)&b->body, c->body_size, &b->body_count, &b->body_capacity);
}

/* ---- between ranks ---- */

/* The header before each channel's messages. */
struct label {
    uint32_t messages, bodies;
};

static struct peer *peer_of(struct shipping *s, uint32_t rank)
{
    for (uint32_t i = 0; i < s->peers; i++)
        if (s->peer[i].rank == rank)
            return &s->peer[i];
    s->peer = memory_grow(s->peer, s->peers + 1, sizeof(*s->peer));
    s->peer[s->peers] = (struct peer){.rank = rank};
    return &s->peer[s->peers++];
}

static void list_channel(struct channel_list *l, const struct channel *channel, uint32_t number)
{
    const struct channel *c = &channel[number], *other;
    uint32_t at = l->count++;
    l->channel = memory_grow(l->channel, l->count, sizeof(*l->channel));
    for (; at > 0; at--) {
        other = &channel[l->channel[at - 1]];
        if (other->from < c->from || (other->from == c->from && other->to < c->to))
            break;
        l->channel[at] = l->channel[at - 1];
    }
    l->channel[at] = number;
}

void shipping_init(struct shipping *s, struct channel *channel, uint32_t channels,
                   uint32_t partitions)
{
    *s = (struct shipping){.channel = channel};
    for (uint32_t c = 0; c < channels; c++) {
        uint32_t from = ranks_owner(channel[c].from, partitions);
        uint32_t to = ranks_owner(channel[c].to, partitions);
        if (from == to)
            continue;
        bool ours = from == ranks_me();
        struct peer *peer = peer_of(s, ours ? to : from);
        list_channel(ours ? &peer->out : &peer->in, channel, c);
    }
}

void shipping_fini(struct shipping *s)
{
    for (uint32_t i = 0; i < s->peers; i++) {
        free(s->peer[i].out.channel);
        free(s->peer[i].in.channel);
        free(s->peer[i].parcel);
    }
    free(s->peer);
    free(s->received);
}

static unsigned char *append(unsigned char *at, const void *bytes, size_t size)
{
    if (size == 0) /* then there may be no room, either: NULL */
        return at;
    memcpy(at, bytes, size);
    return at + size;
}

static void pack(struct channel *channel, struct peer *peer, unsigned parity)
{
    size_t size = 0;
    for (uint32_t i = 0; i < peer->out.count; i++) {
        const struct channel *c = &channel[peer->out.channel[i]];
        const struct channel_buffer *b = &c->buffer[parity];
        size += sizeof(struct label) + b->count * sizeof(*b->message) +
                (size_t)b->body_count * c->body_size;
    }
    if (size > peer->parcel_capacity) {
        peer->parcel_capacity = 2 * size;
        peer->parcel = memory_grow(peer->parcel, peer->parcel_capacity, 1);
    }
    unsigned char *at = peer->parcel;
    for (uint32_t i = 0; i < peer->out.count; i++) {
        struct channel *c = &channel[peer->out.channel[i]];
        struct channel_buffer *b = &c->buffer[parity];
        struct label label = {b->count, b->body_count};
        at = append(at, &label, sizeof(label));
        at = append(at, b->message, b->count * sizeof(*b->message));
        at = append(at, b->body, (size_t)b->body_count * c->body_size);
        b->count = b->body_count = 0;
    }
    ranks_send(peer->rank, peer->parcel, (size_t)(at - peer->parcel));
}

size_t channel_fill(struct channel *c, unsigned parity, uint32_t messages, uint32_t bodies,
                    const void *bytes)
{
    struct channel_buffer *b = &c->buffer[parity];
    size_t size = messages * sizeof(*b->message), body_size = (size_t)bodies * c->body_size;
    reserve(c, b, messages, bodies);
    append((unsigned char *)b->message, bytes, size);
    append(b->body, (const char *)bytes + size, body_size);
    b->count = messages;
    b->body_count = bodies;
    return size + body_size;
}

static void unpack(struct shipping *s, const struct peer *peer, unsigned parity)
{
    size_t size = ranks_receive(peer->rank, &s->received, &s->received_capacity);
    const unsigned char *at = s->received, *end = at + size;
    for (uint32_t i = 0; i < peer->in.count; i++) {
        struct channel *c = &s->channel[peer->in.channel[i]];
        struct label label;
        memcpy(&label, at, sizeof(label));
        at += sizeof(label);
        at += channel_fill(c, parity, label.messages, label.bodies, at);
    }
    WEFT_CHECK(at == end, "rank %u sent %zu bytes, %zu too many", peer->rank, size,
               (size_t)(end - at));
}

void shipping_send(struct shipping *s, unsigned parity)
{
    for (uint32_t i = 0; i < s->peers; i++)
        pack(s->channel, &s->peer[i], parity);
}

void shipping_receive(struct shipping *s, unsigned parity)
{
    for (uint32_t i = 0; i < s->peers; i++)
        unpack(s, &s->peer[i], parity);
    ranks_sent();
}
