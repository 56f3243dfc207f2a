/*
 * Slots: an index has one holder at a time and keeps its item while the array grows; an index that
 * was given back is handed out before a new one; restored slots continue as the original would.
 */
#include "group.h"
#include "archives.h"

#include "base/random.h"
#include "base/slots.h"

struct item {
    uint64_t value;
    uint32_t other, next;
};

static struct item *item_at(struct slots *s, uint32_t index)
{
    return &((struct item *)s->item)[index];
}

static void init(struct slots *s)
{
    slots_init(s, sizeof(struct item), offsetof(struct item, next));
}

static void items_stay_while_the_array_grows(void **state)
{
    (void)state;
    struct slots s;
    init(&s);
    for (uint32_t i = 0; i < 5000; i++) {
        assert_int_equal(slots_get(&s), i);
        *item_at(&s, i) = (struct item){.value = 3 * i, .other = i, .next = i + 1};
    }
    for (uint32_t i = 0; i < 5000; i++) {
        assert_int_equal(item_at(&s, i)->value, 3 * i);
        assert_int_equal(item_at(&s, i)->other, i);
        assert_int_equal(item_at(&s, i)->next, i + 1);
    }
    slots_fini(&s);
}

static void what_was_given_back_last_is_taken_first(void **state)
{
    (void)state;
    struct slots s;
    init(&s);
    for (uint32_t i = 0; i < 10; i++)
        slots_get(&s);
    static const uint32_t back[] = {3, 9, 0, 4};
    for (int i = 0; i < 4; i++)
        slots_put(&s, back[i]);
    for (int i = 4; i-- > 0;)
        assert_int_equal(slots_get(&s), back[i]);
    assert_int_equal(slots_get(&s), 10);
    slots_fini(&s);
}

static void only_next_is_written_when_an_item_goes_back(void **state)
{
    (void)state;
    enum { SIZE = 11, NEXT_AT = 5 }; /* not aligned */
    struct slots s;
    slots_init(&s, SIZE, NEXT_AT);
    for (int i = 0; i < 3; i++) {
        uint32_t index = slots_get(&s);
        memset((char *)s.item + index * SIZE, 'a' + i, SIZE);
    }
    slots_put(&s, 1);
    const char *item = s.item;
    assert_memory_equal(item, "aaaaaaaaaaa", SIZE);
    assert_memory_equal(item + SIZE, "bbbbb", NEXT_AT);
    assert_memory_equal(item + SIZE + NEXT_AT + 4, "bb", SIZE - NEXT_AT - 4);
    assert_memory_equal(item + 2 * SIZE, "ccccccccccc", SIZE);
    assert_int_equal(slots_get(&s), 1);
    slots_fini(&s);
}

static void no_index_has_two_holders(void **state)
{
    (void)state;
    enum { MOST = 3000 };
    static uint32_t held[MOST];
    static bool taken[MOST];
    struct slots s;
    uint32_t holders = 0, peak = 0;
    init(&s);
    for (uint64_t step = 0; step < 50000; step++) {
        uint64_t draw = random_draw(5, step);
        bool get = holders == 0 || (holders < MOST && draw % 100 < (step < 25000 ? 60 : 40));
        if (get) {
            uint32_t index = slots_get(&s);
            assert_true(index < MOST);
            assert_false(taken[index]);
            taken[index] = true;
            item_at(&s, index)->value = index + 1000000;
            held[holders++] = index;
        } else {
            uint32_t at = random_below(random_mix(draw), holders), index = held[at];
            assert_int_equal(item_at(&s, index)->value, index + 1000000);
            taken[index] = false;
            slots_put(&s, index);
            held[at] = held[--holders];
        }
        peak = holders > peak ? holders : peak;
        assert_int_equal(s.count, peak); /* no new index while another is free */
    }
    assert_true(peak > 256); /* it did grow */
    slots_fini(&s);
}

static void archive_slots(void *state, struct archive *a)
{
    slots_archive(state, a);
}

/* 600 items, of which every third was given back. */
static void make(struct slots *s)
{
    init(s);
    for (uint32_t i = 0; i < 600; i++)
        *item_at(s, slots_get(s)) = (struct item){.value = i};
    for (uint32_t i = 0; i < 600; i += 3)
        slots_put(s, i);
}

static void assert_alike(struct slots *a, struct slots *b)
{
    assert_int_equal(a->count, b->count);
    assert_memory_equal(a->item, b->item, a->count * sizeof(struct item));
    for (int i = 0; i < 1000; i++) /* the free ones, then fresh ones */
        assert_int_equal(slots_get(a), slots_get(b));
}

static void saved_slots_go_on_as_the_original_would(void **state)
{
    (void)state;
    for (int used = 0; used < 2; used++) { /* whatever the reader held before */
        struct slots s, copy;
        make(&s);
        init(&copy);
        for (int i = 0; i < 2000 * used; i++)
            slots_get(&copy);
        struct saved saved = save(archive_slots, &s);
        assert_true(load(archive_slots, &copy, &saved));
        assert_alike(&s, &copy);
        slots_fini(&s);
        slots_fini(&copy);
        free(saved.bytes);
    }
}

static void no_items_can_be_saved_too(void **state)
{
    (void)state;
    struct slots s, copy;
    init(&s);
    init(&copy);
    struct saved saved = save(archive_slots, &s);
    assert_true(load(archive_slots, &copy, &saved));
    assert_int_equal(copy.count, 0);
    assert_int_equal(slots_get(&copy), 0);
    slots_fini(&s);
    slots_fini(&copy);
    free(saved.bytes);
}

GROUP(slots)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(items_stay_while_the_array_grows),
        cmocka_unit_test(what_was_given_back_last_is_taken_first),
        cmocka_unit_test(only_next_is_written_when_an_item_goes_back),
        cmocka_unit_test(no_index_has_two_holders),
        cmocka_unit_test(saved_slots_go_on_as_the_original_would),
        cmocka_unit_test(no_items_can_be_saved_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
