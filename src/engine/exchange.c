/* Appending to a channel, with the lookahead checked. */
#include "engine/exchange.h"

#include <stdlib.h>

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

void *channel_send(struct channel *c, cycle_t time, event_t event, int with_body)
{
    WEFT_CHECK(time >= c->earliest,
               "lookahead violated: partition %u sends to partition %u for cycle %llu, but its "
               "window ends at cycle %llu",
               c->from, c->to, (unsigned long long)time, (unsigned long long)c->earliest);
    struct channel_buffer *b = &c->buffer[c->writing];
    if (b->count == b->capacity) {
        b->capacity = b->capacity ? 2 * b->capacity : 64;
        b->message = weft_grow(b->message, b->capacity, sizeof(*b->message));
    }
    b->message[b->count++] = (struct wheel_far){time, event};
    if (!with_body)
        return NULL;
    if (b->body_count == b->body_capacity) {
        b->body_capacity = b->body_capacity ? 2 * b->body_capacity : 64;
        b->body = weft_grow(b->body, b->body_capacity, c->body_size);
    }
    return b->body + (size_t)b->body_count++ * c->body_size;
}
