/*
 * Matching against a reference that walks two lists: the oldest that fits, whatever is left open,
 * for random receives and messages of few and of many kinds; and archives, whole and wrong.
 */
#include "archives.h"
#include "group.h"
#include "testing.h"

#include "base/random.h"
#include "message/match.h"

enum { PROCESSES = 3, MOST = 4000 };

struct item {
    struct envelope envelope;
    uint32_t value;
};

struct reference {
    struct item posted[MOST], arrived[MOST];
    uint32_t posts, arrivals;
};

static bool fits(const struct envelope *receive, const struct envelope *message)
{
    return receive->process == message->process && receive->context == message->context &&
           (receive->source == MATCH_ANY || receive->source == message->source) &&
           (receive->tag == MATCH_ANY || receive->tag == message->tag);
}

static uint32_t take(struct item *item, uint32_t *count, uint32_t at)
{
    uint32_t value = item[at].value;
    memmove(&item[at], &item[at + 1], (--*count - at) * sizeof(*item));
    return value;
}

static uint32_t reference_post(struct reference *r, const struct envelope *e, uint32_t value)
{
    for (uint32_t i = 0; i < r->arrivals; i++)
        if (fits(e, &r->arrived[i].envelope))
            return take(r->arrived, &r->arrivals, i);
    r->posted[r->posts++] = (struct item){*e, value};
    return MATCH_NONE;
}

static uint32_t reference_arrive(struct reference *r, const struct envelope *e, uint32_t value)
{
    for (uint32_t i = 0; i < r->posts; i++)
        if (fits(&r->posted[i].envelope, e))
            return take(r->posted, &r->posts, i);
    r->arrived[r->arrivals++] = (struct item){*e, value};
    return MATCH_NONE;
}

static uint32_t post(struct match *m, const struct envelope *e, uint32_t value)
{
    uint32_t found = match_take_arrived(m, e);
    if (found == MATCH_NONE)
        match_add_posted(m, e, value);
    return found;
}

static uint32_t arrive(struct match *m, const struct envelope *e, uint32_t value)
{
    uint32_t found = match_take_posted(m, e);
    if (found == MATCH_NONE)
        match_add_arrived(m, e, value);
    return found;
}

/* `kinds`: of sources and of tags; `open`: one receive of so many leaves something open. */
static struct envelope draw(uint64_t *random, uint32_t kinds, uint32_t open)
{
    struct envelope e = {.process = (uint32_t)random_next(random) % PROCESSES,
                         .context = (uint32_t)random_next(random) % 2,
                         .source = (uint32_t)random_next(random) % kinds,
                         .tag = (uint32_t)random_next(random) % kinds};
    if (open && random_next(random) % open == 0) {
        unsigned which = 1 + (unsigned)random_next(random) % 3;
        e.source = which & 1 ? MATCH_ANY : e.source;
        e.tag = which & 2 ? MATCH_ANY : e.tag;
    }
    return e;
}

static bool any(void *arg, const struct envelope *e, bool posted, uint32_t value)
{
    (void)e, (void)posted;
    return value < *(uint32_t *)arg;
}

static void the_oldest_that_fits_is_taken(void **state)
{
    (void)state;
    static struct reference r;
    static const uint32_t kinds[] = {1, 2, 5, 40}, opens[] = {0, 1, 3, 10};
    for (unsigned i = 0; i < 16; i++) {
        struct match m;
        uint64_t random = i;
        uint32_t value = 0;
        r.posts = r.arrivals = 0;
        match_init(&m, PROCESSES);
        for (; value < MOST; value++) {
            bool receive = random_next(&random) % 2;
            struct envelope e = draw(&random, kinds[i % 4], receive ? opens[i / 4] : 0), seen;
            if (receive && r.arrivals) {
                uint32_t first = 0;
                while (first < r.arrivals && !fits(&e, &r.arrived[first].envelope))
                    first++;
                uint32_t expected = first < r.arrivals ? r.arrived[first].value : MATCH_NONE;
                assert_int_equal(match_probe(&m, &e, &seen), expected);
                if (expected != MATCH_NONE)
                    assert_memory_equal(&seen, &r.arrived[first].envelope, sizeof(seen));
            }
            if (receive)
                assert_int_equal(post(&m, &e, value), reference_post(&r, &e, value));
            else
                assert_int_equal(arrive(&m, &e, value), reference_arrive(&r, &e, value));
            if (value % 500 == 0) {
                uint32_t most = value + 1;
                assert_true(match_is_sound(&m, any, &most));
                assert_int_equal(m.entries.count >= r.posts + r.arrivals, 1);
            }
        }
        match_fini(&m);
    }
}

/* ---- archives ---- */

static void fill(struct match *m, uint64_t random, uint32_t count)
{
    match_init(m, PROCESSES);
    for (uint32_t value = 0; value < count; value++) {
        bool receive = random_next(&random) % 2;
        struct envelope e = draw(&random, 5, receive ? 4 : 0);
        if (receive)
            post(m, &e, value);
        else
            arrive(m, &e, value);
    }
}

static void archive(void *m, struct archive *a)
{
    match_archive(m, a);
}

static void an_archive_matches_as_before(void **state)
{
    (void)state;
    struct match m, copy;
    uint32_t most = 1000;
    uint64_t random = 99;
    fill(&m, 7, most);
    fill(&copy, 8, 10);
    struct saved saved = save(archive, &m);
    assert_true(load(archive, &copy, &saved));
    free(saved.bytes);
    assert_true(match_is_sound(&copy, any, &most));
    for (uint32_t value = 0; value < 1000; value++) {
        bool receive = random_next(&random) % 2;
        struct envelope e = draw(&random, 5, receive ? 4 : 0);
        assert_int_equal(receive ? post(&m, &e, value) : arrive(&m, &e, value),
                         receive ? post(&copy, &e, value) : arrive(&copy, &e, value));
    }
    match_fini(&m);
    match_fini(&copy);
}

/* Whatever byte is wrong: it is found, or the table is one all the same and can be used. */
static void a_wrong_table_does_no_harm(void **state)
{
    (void)state;
    unsigned found = 0;
    for (unsigned i = 0; i < 3000; i++) {
        struct match m;
        uint32_t most = 60;
        uint64_t random = i;
        fill(&m, 7, most);
        unsigned char *table = i % 3 ? m.entries.item : (unsigned char *)m.process;
        size_t size = i % 3 ? m.entries.count * m.entries.size : PROCESSES * sizeof(*m.process);
        table[random_next(&random) % size] ^= (unsigned char)(1u << random_next(&random) % 8);
        bool sound = match_is_sound(&m, any, &most);
        found += !sound;
        for (uint32_t value = 0; sound && value < 60; value++) {
            struct envelope e = draw(&random, 5, value % 2 ? 4 : 0);
            if (value % 2)
                post(&m, &e, value);
            else
                arrive(&m, &e, value);
        }
        match_fini(&m);
    }
    assert_true(found > 1000);
}

GROUP(match)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_oldest_that_fits_is_taken),
        cmocka_unit_test(an_archive_matches_as_before),
        cmocka_unit_test(a_wrong_table_does_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
