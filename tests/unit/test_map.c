/*
 * The table from keys to values: whatever was added and removed in whatever order, it holds what a
 * plain list would; it grows as it must and no further; it comes back from an archive as it was.
 */
#include "group.h"
#include "archives.h"

#include "base/map.h"
#include "base/random.h"

/* Keys that are looked at: spread, neighbours of each other, and the ends of the range. */
enum { KEYS = 700 };

static uint64_t key_of(unsigned i)
{
    if (i == 0)
        return 0;
    if (i == 1)
        return UINT64_MAX;
    return i % 3 == 0 ? i : i % 3 == 1 ? (uint64_t)i << 32 : random_mix(i);
}

/* What a map should hold. */
struct model {
    bool there[KEYS];
    uint32_t value[KEYS], count;
};

static void assert_same(const struct map *m, const struct model *model)
{
    uint32_t used = 0;
    assert_int_equal(m->count, model->count);
    for (unsigned i = 0; i < KEYS; i++) {
        const uint32_t *found = map_find(m, key_of(i));
        assert_int_equal(found != NULL, model->there[i]);
        if (found)
            assert_int_equal(*found, model->value[i]);
    }
    for (uint32_t i = 0; i < m->capacity; i++)
        used += m->entry[i].used != 0;
    assert_int_equal(used, m->count);
}

/* One random operation on both; `more`: of 8, how often a key is added. */
static void operate(struct map *m, struct model *model, uint64_t draw, unsigned more)
{
    unsigned i = random_below(draw, KEYS);
    uint32_t value = (uint32_t)draw, *at;
    if (draw % 8 < more) {
        at = map_add(m, key_of(i), value);
        if (!model->there[i]) {
            model->there[i] = true;
            model->value[i] = value;
            model->count++;
        }
        assert_int_equal(*at, model->value[i]); /* what was there stays */
        if (draw >> 8 & 1) {
            *at += 1; /* through the pointer */
            model->value[i] += 1;
        }
    } else if (model->there[i]) {
        map_remove(m, key_of(i));
        model->there[i] = false;
        model->count--;
    }
    at = map_find(m, key_of(i));
    assert_int_equal(at != NULL, model->there[i]);
}

static void it_holds_what_a_list_would(void **state)
{
    (void)state;
    for (unsigned more = 2; more <= 6; more += 2) {
        struct map m = {.count = 0};
        struct model model = {.count = 0};
        for (unsigned step = 0; step < 40000; step++) {
            operate(&m, &model, random_draw(more, step), more);
            if (step % 500 == 0)
                assert_same(&m, &model);
        }
        assert_true(model.count > 50);
        assert_same(&m, &model);
        for (unsigned i = 0; i < KEYS; i++)
            if (model.there[i])
                map_remove(&m, key_of(i));
        assert_same(&m, &(struct model){.count = 0});
        map_fini(&m);
        assert_null(map_find(&m, 0));
    }
}

static void an_empty_map_finds_nothing(void **state)
{
    (void)state;
    struct map m = {.count = 0};
    assert_null(map_find(&m, 0));
    assert_null(map_find(&m, 12345));
    *map_add(&m, 0, 7) = 8;
    assert_int_equal(*map_find(&m, 0), 8);
    assert_null(map_find(&m, 1));
    map_remove(&m, 0);
    assert_null(map_find(&m, 0));
    map_fini(&m);
}

static void it_grows_with_what_it_holds(void **state)
{
    (void)state;
    enum { MANY = 100000 };
    struct map m = {.count = 0};
    for (uint32_t i = 0; i < MANY; i++) {
        map_add(&m, (uint64_t)i * 64, i);
        assert_true(2 * m.count <= m.capacity);
        assert_int_equal(m.capacity & (m.capacity - 1), 0);
    }
    assert_int_equal(m.count, MANY);
    assert_true(m.capacity <= 4 * MANY);
    for (uint32_t i = 0; i < MANY; i++) {
        assert_int_equal(*map_find(&m, (uint64_t)i * 64), i);
        assert_null(map_find(&m, (uint64_t)i * 64 + 1));
    }
    map_fini(&m);
    assert_true(m.count == 0 && m.capacity == 0);
}

/* Keys that come and go leave no room taken behind, or it would grow for ever. */
static void what_was_removed_leaves_nothing_behind(void **state)
{
    (void)state;
    struct map m = {.count = 0};
    for (uint64_t i = 0; i < 200000; i++) {
        map_add(&m, random_mix(i), (uint32_t)i);
        if (i >= 20)
            map_remove(&m, random_mix(i - 20));
    }
    assert_int_equal(m.count, 20);
    assert_int_equal(m.capacity, 64);
    for (uint64_t i = 200000 - 20; i < 200000; i++)
        assert_int_equal(*map_find(&m, random_mix(i)), i);
    map_fini(&m);
}

/* ---- archives ---- */

static void archive_map(void *map, struct archive *a)
{
    map_archive(map, a);
}

static void an_archive_brings_it_back(void **state)
{
    (void)state;
    static const unsigned steps[] = {0, 1, 30, 5000};
    for (unsigned i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
        struct map m = {.count = 0}, back = {.count = 0};
        struct model model = {.count = 0};
        for (unsigned step = 0; step < steps[i]; step++)
            operate(&m, &model, random_draw(i, step), step ? 5 : 8);
        struct saved saved = save(archive_map, &m);
        map_add(&back, 5000, 1); /* which is not in the archive, and goes */
        map_add(&back, key_of(5), 77);
        assert_true(load(archive_map, &back, &saved));
        assert_same(&back, &model);
        assert_null(map_find(&back, 5000));
        for (unsigned step = 0; step < 2000; step++)
            operate(&back, &model, random_draw(i + 100, step), 4);
        assert_same(&back, &model);
        free(saved.bytes);
        map_fini(&m);
        map_fini(&back);
    }
}

static void an_archive_that_is_none_is_found(void **state)
{
    (void)state;
    struct map m = {.count = 0}, back = {.count = 0};
    size_t entry = sizeof(struct map_entry);
    map_add(&m, 1, 10);
    map_add(&m, 2, 20);
    struct saved saved = save(archive_map, &m);
    assert_true(load(archive_map, &back, &saved));
    for (size_t less = 1; less <= saved.size - 8; less += 7) /* too short */
        assert_false(load(archive_map, &back, &(struct saved){saved.bytes, saved.size - less}));
    saved.bytes[0] = 3; /* more than there are */
    assert_false(load(archive_map, &back, &saved));
    saved.bytes[0] = 2;
    memcpy(saved.bytes + 8, saved.bytes + 8 + entry, entry); /* the same key twice */
    assert_false(load(archive_map, &back, &saved));
    free(saved.bytes);
    map_fini(&m);
    map_fini(&back);
}

GROUP(map)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_holds_what_a_list_would),
        cmocka_unit_test(an_empty_map_finds_nothing),
        cmocka_unit_test(it_grows_with_what_it_holds),
        cmocka_unit_test(what_was_removed_leaves_nothing_behind),
        cmocka_unit_test(an_archive_brings_it_back),
        cmocka_unit_test(an_archive_that_is_none_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
