/*
 * Channels: the writer fills one buffer and leaves the other alone; messages and bodies keep their
 * order; a message for a cycle before the end of the window stops the program at the send; what
 * another process packed, or an archive holds, arrives as it was sent.
 */
#include "group.h"
#include "archives.h"
#include "child.h"

#include "engine/channel.h"

enum { BODY = 24 };

/* Message i of a test, of which every third goes without a body. */
static void send_one(struct channel *c, uint32_t i)
{
    void *body = channel_send(c, 100 + i, 7 * i, i % 3 != 0);
    if (i % 3 == 0)
        assert_null(body);
    else
        memset(body, (int)(i % 251), BODY);
}

/* Asserts that a buffer holds messages [0, count) of a test. */
static void assert_sent(const struct channel_buffer *b, uint32_t count)
{
    uint32_t bodies = 0;
    unsigned char body[BODY];
    assert_int_equal(b->count, count);
    for (uint32_t i = 0; i < count; i++) {
        assert_int_equal(b->message[i].time, 100 + i);
        assert_int_equal(b->message[i].event, 7 * i);
        if (i % 3 == 0)
            continue;
        memset(body, (int)(i % 251), BODY);
        assert_memory_equal(b->body + (size_t)bodies++ * BODY, body, BODY);
    }
    assert_int_equal(b->body_count, bodies);
}

static void messages_and_bodies_keep_their_order(void **state)
{
    (void)state;
    struct channel c;
    channel_init(&c, 1, 2, BODY);
    assert_sent(&c.buffer[0], 0);
    for (uint32_t i = 0; i < 1000; i++) /* many times its first capacity */
        send_one(&c, i);
    assert_sent(&c.buffer[0], 1000);
    channel_fini(&c);
}

static void the_writer_fills_one_buffer_and_leaves_the_other_alone(void **state)
{
    (void)state;
    struct channel c;
    channel_init(&c, 1, 2, BODY);
    for (uint32_t window = 0; window < 6; window++) {
        uint32_t now = 50 * window, before = window ? now - 50 : 0;
        c.writing = window & 1;
        for (uint32_t i = 0; i < now; i++)
            send_one(&c, i);
        assert_sent(&c.buffer[window & 1], now);
        assert_sent(&c.buffer[!(window & 1)], before); /* the window before, not read yet */
        c.buffer[!(window & 1)].count = c.buffer[!(window & 1)].body_count = 0;
    }
    channel_fini(&c);
}

static void the_buffers_share_no_cache_line(void **state)
{
    (void)state;
    assert_int_equal(offsetof(struct channel, buffer) % 64, 0);
    assert_int_equal(sizeof(struct channel_buffer) % 64, 0);
    assert_int_equal(sizeof(struct channel) % 64, 0);
}

/* ---- lookahead ---- */

static void send_at(void *time)
{
    struct channel c;
    channel_init(&c, 3, 8, BODY);
    c.earliest = 500;
    channel_send(&c, *(cycle_t *)time, 1, 0);
    channel_fini(&c);
}

static void a_message_before_the_end_of_the_window_stops_the_program(void **state)
{
    (void)state;
    cycle_t time = 499;
    assert_aborts(send_at, &time,
                  "lookahead violated: partition 3 sends to partition 8 for cycle 499, but its "
                  "window ends at cycle 500");
    time = 0;
    assert_aborts(send_at, &time, "for cycle 0, but its window ends at cycle 500");
    time = 500;
    assert_int_equal(child_run(send_at, &time).status, 0);
}

/* ---- from another process ---- */

/* Packs a buffer as shipping.c does, behind one byte that spoils the alignment. */
static unsigned char *pack(const struct channel_buffer *b, size_t *size)
{
    size_t messages = b->count * sizeof(*b->message), bodies = (size_t)b->body_count * BODY;
    unsigned char *bytes = malloc(1 + messages + bodies);
    assert_non_null(bytes);
    if (messages)
        memcpy(bytes + 1, b->message, messages);
    if (bodies)
        memcpy(bytes + 1 + messages, b->body, bodies);
    *size = messages + bodies;
    return bytes;
}

static void packed_messages_fill_the_buffer_of_their_parity(void **state)
{
    (void)state;
    static const uint32_t counts[] = {3, 400, 0, 1, 70};
    struct channel from, to;
    channel_init(&from, 1, 2, BODY);
    channel_init(&to, 1, 2, BODY);
    send_one(&to, 0);
    for (size_t k = 0; k < sizeof(counts) / sizeof(counts[0]); k++) {
        const struct channel_buffer *b = &from.buffer[0];
        size_t size;
        from.buffer[0].count = from.buffer[0].body_count = 0;
        for (uint32_t i = 0; i < counts[k]; i++)
            send_one(&from, i);
        unsigned char *bytes = pack(b, &size);
        assert_int_equal(channel_fill(&to, 1, b->count, b->body_count, bytes + 1), size);
        assert_sent(&to.buffer[1], counts[k]); /* in place of what was there */
        assert_sent(&to.buffer[0], 1);
        free(bytes);
    }
    channel_fini(&from);
    channel_fini(&to);
}

/* ---- archives ---- */

struct archived_channel {
    struct channel channel;
    unsigned parity;
};

static void archive_channel(void *state, struct archive *a)
{
    struct archived_channel *c = state;
    channel_archive(&c->channel, c->parity, a);
}

static void an_archived_buffer_comes_back(void **state)
{
    (void)state;
    for (uint32_t count = 0; count <= 500; count += 250) {
        struct archived_channel c = {.parity = 1}, copy = {.parity = 0};
        channel_init(&c.channel, 1, 2, BODY);
        channel_init(&copy.channel, 1, 2, BODY);
        send_one(&c.channel, 0); /* of the other parity: not saved */
        c.channel.writing = copy.channel.writing = 1;
        for (uint32_t i = 0; i < count; i++)
            send_one(&c.channel, i);
        send_one(&copy.channel, 0);
        struct saved saved = save(archive_channel, &c);
        assert_sent(&c.channel.buffer[1], count); /* saving takes nothing away */
        assert_true(load(archive_channel, &copy, &saved));
        assert_sent(&copy.channel.buffer[0], count);
        assert_sent(&copy.channel.buffer[1], 1);
        channel_fini(&c.channel);
        channel_fini(&copy.channel);
        free(saved.bytes);
    }
}

static void a_channel_without_bodies_is_archived_too(void **state)
{
    (void)state;
    struct archived_channel c = {.parity = 0}, copy = {.parity = 0};
    channel_init(&c.channel, 1, 2, 0);
    channel_init(&copy.channel, 1, 2, 0);
    channel_send(&c.channel, 5, 55, 0);
    struct saved saved = save(archive_channel, &c);
    assert_true(load(archive_channel, &copy, &saved));
    assert_int_equal(copy.channel.buffer[0].count, 1);
    assert_int_equal(copy.channel.buffer[0].message[0].event, 55);
    channel_fini(&c.channel);
    channel_fini(&copy.channel);
    free(saved.bytes);
}

static void counts_that_the_archive_cannot_hold_are_refused(void **state)
{
    (void)state;
    struct archived_channel c = {.parity = 0};
    channel_init(&c.channel, 1, 2, BODY);
    for (uint32_t i = 0; i < 10; i++)
        send_one(&c.channel, i);
    struct saved saved = save(archive_channel, &c);
    for (int which = 0; which < 2; which++) { /* of messages, of bodies */
        struct archived_channel copy = {.parity = 0};
        uint64_t before, many = UINT32_MAX;
        size_t at = which ? 8 + 10 * sizeof(struct wheel_far) : 0;
        channel_init(&copy.channel, 1, 2, BODY);
        memcpy(&before, saved.bytes + at, 8);
        memcpy(saved.bytes + at, &many, 8);
        assert_false(load(archive_channel, &copy, &saved));
        assert_true(copy.channel.buffer[0].capacity < 1000);
        assert_true(copy.channel.buffer[0].body_capacity < 1000);
        memcpy(saved.bytes + at, &before, 8);
        channel_fini(&copy.channel);
    }
    channel_fini(&c.channel);
    free(saved.bytes);
}

GROUP(exchange)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_and_bodies_keep_their_order),
        cmocka_unit_test(the_writer_fills_one_buffer_and_leaves_the_other_alone),
        cmocka_unit_test(the_buffers_share_no_cache_line),
        cmocka_unit_test(a_message_before_the_end_of_the_window_stops_the_program),
        cmocka_unit_test(packed_messages_fill_the_buffer_of_their_parity),
        cmocka_unit_test(an_archived_buffer_comes_back),
        cmocka_unit_test(a_channel_without_bodies_is_archived_too),
        cmocka_unit_test(counts_that_the_archive_cannot_hold_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
