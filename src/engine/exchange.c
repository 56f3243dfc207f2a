/* Appending to a channel, with the lookahead checked. */
#include "engine/exchange.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

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

static void need_messages(struct channel_buffer *b, uint32_t count)
{
    if (count <= b->capacity)
        return;
    b->capacity = count > 2 * b->capacity ? count : 2 * b->capacity;
    b->capacity = b->capacity > 64 ? b->capacity : 64;
    b->message = memory_grow(b->message, b->capacity, sizeof(*b->message));
}

static void need_bodies(struct channel_buffer *b, uint32_t count, uint32_t size)
{
    if (count <= b->body_capacity)
        return;
    b->body_capacity = count > 2 * b->body_capacity ? count : 2 * b->body_capacity;
    b->body_capacity = b->body_capacity > 64 ? b->body_capacity : 64;
    b->body = memory_grow(b->body, b->body_capacity, size);
}

size_t channel_fill(struct channel *c, unsigned parity, uint32_t messages, uint32_t bodies,
                    const void *bytes)
{
    struct channel_buffer *b = &c->buffer[parity];
    size_t size = messages * sizeof(*b->message), body_size = (size_t)bodies * c->body_size;
    need_messages(b, messages);
    need_bodies(b, bodies, c->body_size);
    if (messages)
        memcpy(b->message, bytes, size);
    if (bodies)
        memcpy(b->body, (const char *)bytes + size, body_size);
    b->count = messages;
    b->body_count = bodies;
    return size + body_size;
}

void *channel_send(struct channel *c, cycle_t time, event_t event, int with_body)
{
    WEFT_CHECK(time >= c->earliest,
               "lookahead violated: partition %u sends to partition %u for cycle %llu, but its "
               "window ends at cycle %llu",
               c->from, c->to, (unsigned long long)time, (unsigned long long)c->earliest);
    struct channel_buffer *b = &c->buffer[c->writing];
    need_messages(b, b->count + 1);
    b->message[b->count++] = (struct wheel_far){time, event};
    if (!with_body)
        return NULL;
    need_bodies(b, b->body_count + 1, c->body_size);
    return b->body + (size_t)b->body_count++ * c->body_size;
}

void channel_archive(struct channel *c, unsigned parity, struct archive *a)
{
    struct channel_buffer *b = &c->buffer[parity];
    size_t most = archive_room(a, sizeof(*b->message));
    most = most < UINT32_MAX / 2 ? most : UINT32_MAX / 2;
    uint32_t messages = (uint32_t)archive_count(a, b->count, most);
    most = c->body_size ? archive_room(a, c->body_size) : 0;
    most = most < messages ? most : messages;
    uint32_t bodies = (uint32_t)archive_count(a, b->body_count, most);
    need_messages(b, messages);
    need_bodies(b, bodies, c->body_size);
    b->count = messages;
    b->body_count = bodies;
    archive_bytes(a, b->message, messages * sizeof(*b->message));
    archive_bytes(a, b->body, (size_t)bodies * c->body_size);
}
