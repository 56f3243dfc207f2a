/*
 * Archived state is restored as it was, whatever its size; the checksum detects any change of the
 * bytes; a reader that finds too little, too much or something else is broken: from then on it
 * reads zeros and allocates nothing.
 */
#include "group.h"
#include "archives.h"

#include "base/random.h"

static void fill(unsigned char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        bytes[i] = (unsigned char)random_draw(11, i);
}

/* ---- what goes in comes out ---- */

/* Some bytes, archived in pieces. */
struct pieces {
    unsigned char *bytes;
    size_t size, piece;
};

static void archive_pieces(void *state, struct archive *a)
{
    struct pieces *p = state;
    for (size_t at = 0; at < p->size; at += p->piece)
        archive_bytes(a, p->bytes + at, p->size - at < p->piece ? p->size - at : p->piece);
}

static void bytes_come_back_whatever_their_number(void **state)
{
    (void)state;
    static unsigned char sent[3 * ARCHIVE_BLOCK + 5], came[sizeof(sent)];
    static const size_t sizes[] = {0,
                                   1,
                                   7,
                                   8,
                                   9,
                                   ARCHIVE_BLOCK - 1,
                                   ARCHIVE_BLOCK,
                                   ARCHIVE_BLOCK + 1,
                                   2 * ARCHIVE_BLOCK,
                                   sizeof(sent)};
    static const size_t pieces[] = {3, 8, 1000, ARCHIVE_BLOCK, sizeof(sent)};
    fill(sent, sizeof(sent));
    for (size_t s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++)
        for (size_t p = 0; p < sizeof(pieces) / sizeof(pieces[0]); p++) {
            struct pieces out = {sent, sizes[s], pieces[p]}, in = {came, sizes[s], 77};
            struct saved saved = save(archive_pieces, &out);
            assert_int_equal(saved.size, sizes[s] + 8);
            assert_memory_equal(saved.bytes, sent, sizes[s]);
            memset(came, 0, sizeof(came));
            assert_true(load(archive_pieces, &in, &saved));
            assert_memory_equal(came, sent, sizes[s]);
            free(saved.bytes);
        }
}

/* Something of every kind. */
struct mixture {
    uint64_t count, most, same;
    uint32_t items, capacity;
    uint16_t *item;
    char text[5];
};

static void archive_mixture(void *state, struct archive *a)
{
    struct mixture *m = state;
    m->count = archive_count(a, m->count, m->most);
    archive_same(a, m->same);
    archive_list(a, (void **)&m->item, sizeof(*m->item), &m->items, &m->capacity);
    archive_bytes(a, m->text, sizeof(m->text));
}

static struct saved save_mixture(void)
{
    uint16_t item[100];
    struct mixture m = {
        .count = 12, .most = 12, .same = 99, .items = 100, .capacity = 100, .item = item};
    memcpy(m.text, "weft", 5);
    for (uint16_t i = 0; i < 100; i++)
        item[i] = (uint16_t)(i * i);
    return save(archive_mixture, &m);
}

static void every_kind_of_thing_comes_back(void **state)
{
    (void)state;
    struct saved saved = save_mixture();
    struct mixture m = {.most = 12, .same = 99};
    assert_true(load(archive_mixture, &m, &saved));
    assert_int_equal(m.count, 12);
    assert_string_equal(m.text, "weft");
    assert_int_equal(m.items, 100);
    assert_true(m.capacity >= 100);
    for (unsigned i = 0; i < 100; i++)
        assert_int_equal(m.item[i], i * i);
    free(m.item);
    free(saved.bytes);
}

static void a_list_with_room_is_not_moved(void **state)
{
    (void)state;
    struct saved saved = save_mixture();
    uint16_t room[300];
    struct mixture m = {.most = 12, .same = 99, .items = 7, .capacity = 300, .item = room};
    assert_true(load(archive_mixture, &m, &saved));
    assert_ptr_equal(m.item, room);
    assert_int_equal(m.items, 100);
    assert_int_equal(m.capacity, 300);
    assert_int_equal(room[99], 99 * 99);
    free(saved.bytes);
}

/* ---- the checksum ---- */

static void flip(unsigned char *bytes, size_t bit)
{
    bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
}

static void the_checksum_of_a_file_is_that_of_its_bytes(void **state)
{
    (void)state;
    static unsigned char bytes[2 * ARCHIVE_BLOCK + 100];
    fill(bytes, sizeof(bytes));
    for (size_t size = 0; size <= sizeof(bytes); size += ARCHIVE_BLOCK / 2) {
        struct pieces out = {bytes, size, 500};
        struct saved saved = save(archive_pieces, &out);
        uint64_t sum;
        memcpy(&sum, saved.bytes + size, sizeof(sum));
        assert_int_equal(sum, archive_sum(bytes, size));
        free(saved.bytes);
    }
}

static void a_flipped_bit_is_seen_wherever_it_is(void **state)
{
    (void)state;
    static unsigned char bytes[ARCHIVE_BLOCK + 1003];
    fill(bytes, sizeof(bytes));
    struct pieces out = {bytes, sizeof(bytes), sizeof(bytes)};
    struct saved saved = save(archive_pieces, &out);
    for (size_t bit = 0;
         bit<8 * saved.size; bit += bit / 8 + 80> saved.size || bit < 80 ? 1 : 997) {
        flip(saved.bytes, bit);
        assert_false(archive_whole(saved.bytes, saved.size));
        flip(saved.bytes, bit);
    }
    assert_true(archive_whole(saved.bytes, saved.size));
    free(saved.bytes);
}

static void two_flipped_bits_do_not_cancel(void **state)
{
    (void)state;
    enum { BITS = 8 * 40 };
    unsigned char bytes[BITS / 8];
    fill(bytes, sizeof(bytes));
    uint64_t sum = archive_sum(bytes, sizeof(bytes));
    for (size_t one = 0; one < BITS; one++)
        for (size_t two = one + 1; two < BITS; two++) {
            flip(bytes, one);
            flip(bytes, two);
            assert_true(archive_sum(bytes, sizeof(bytes)) != sum);
            flip(bytes, one);
            flip(bytes, two);
        }
}

static void missing_added_and_exchanged_bytes_are_seen(void **state)
{
    (void)state;
    static unsigned char bytes[3 * ARCHIVE_BLOCK], other[sizeof(bytes)];
    fill(bytes, sizeof(bytes));
    struct pieces out = {bytes, 300, 300};
    struct saved saved = save(archive_pieces, &out);
    for (size_t size = 0; size < saved.size; size++)
        assert_false(archive_whole(saved.bytes, size));
    free(saved.bytes);
    memset(other, 0, sizeof(other)); /* the number of zeros matters */
    for (size_t size = 1; size < 50; size++)
        assert_true(archive_sum(other, size) != archive_sum(other, size - 1));
    memcpy(other, bytes + ARCHIVE_BLOCK, ARCHIVE_BLOCK);
    memcpy(other + ARCHIVE_BLOCK, bytes, ARCHIVE_BLOCK);
    memcpy(other + 2 * ARCHIVE_BLOCK, bytes + 2 * ARCHIVE_BLOCK, ARCHIVE_BLOCK);
    assert_true(archive_sum(other, sizeof(other)) != archive_sum(bytes, sizeof(bytes)));
}

/* ---- broken readers ---- */

static void a_reader_that_wants_more_reads_zeros(void **state)
{
    (void)state;
    static struct archive a;
    unsigned char bytes[20 + 8], came[20];
    fill(bytes, sizeof(bytes));
    memset(came, 0xff, sizeof(came));
    archive_from(&a, bytes, sizeof(bytes));
    archive_bytes(&a, came, 15);
    assert_memory_equal(came, bytes, 15);
    assert_false(a.broken);
    archive_bytes(&a, came, 6); /* of the 5 that are left */
    assert_true(a.broken);
    archive_bytes(&a, came + 6, 2); /* there are two more, but it is broken now */
    static const unsigned char zeros[8];
    assert_memory_equal(came, zeros, 8);
    assert_memory_equal(came + 8, bytes + 8, 7);
}

static void a_reader_that_leaves_something_is_broken(void **state)
{
    (void)state;
    unsigned char bytes[20], came[20];
    fill(bytes, sizeof(bytes));
    struct pieces out = {bytes, 20, 20}, in = {came, 19, 19};
    struct saved saved = save(archive_pieces, &out);
    assert_false(load(archive_pieces, &in, &saved));
    free(saved.bytes);
}

static void what_is_shorter_than_a_checksum_is_broken(void **state)
{
    (void)state;
    static struct archive a;
    unsigned char bytes[8] = {0}, came[4] = {1, 2, 3, 4};
    for (size_t size = 0; size < 8; size++) {
        assert_false(archive_whole(bytes, size));
        archive_from(&a, bytes, size);
        archive_bytes(&a, came, sizeof(came));
        assert_true(a.broken);
        assert_int_equal(came[0] | came[1] | came[2] | came[3], 0);
        assert_int_equal(archive_count(&a, 0, UINT64_MAX), 0);
    }
}

static void a_count_above_its_limit_is_broken(void **state)
{
    (void)state;
    struct saved saved = save_mixture();
    struct mixture m = {.most = 11, .same = 99};
    assert_false(load(archive_mixture, &m, &saved));
    assert_int_equal(m.count, 0);
    assert_int_equal(m.items, 0); /* nothing after it is believed either */
    assert_null(m.item);
    free(saved.bytes);
}

static void a_number_that_is_not_the_same_is_broken(void **state)
{
    (void)state;
    struct saved saved = save_mixture();
    struct mixture m = {.most = 12, .same = 98};
    assert_false(load(archive_mixture, &m, &saved));
    assert_int_equal(m.count, 12);
    assert_null(m.item);
    free(saved.bytes);
}

static void archive_only_list(void *state, struct archive *a)
{
    struct mixture *m = state;
    archive_list(a, (void **)&m->item, sizeof(*m->item), &m->items, &m->capacity);
}

static void a_list_longer_than_the_file_is_not_allocated(void **state)
{
    (void)state;
    uint16_t item[100] = {0};
    struct mixture m = {.items = 100, .capacity = 100, .item = item};
    struct saved saved = save(archive_only_list, &m);
    static const uint64_t counts[] = {101, 105, 1000, UINT32_MAX, 1ull << 32, UINT64_MAX};
    for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
        struct mixture in = {.items = 0};
        memcpy(saved.bytes, &counts[i], sizeof(counts[i]));
        assert_false(load(archive_only_list, &in, &saved));
        assert_true(in.items <= 104 &&
                    in.capacity <= 104); /* what the bytes that follow could hold */
        free(in.item);
    }
    free(saved.bytes);
}

GROUP(archive)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_come_back_whatever_their_number),
        cmocka_unit_test(every_kind_of_thing_comes_back),
        cmocka_unit_test(a_list_with_room_is_not_moved),
        cmocka_unit_test(the_checksum_of_a_file_is_that_of_its_bytes),
        cmocka_unit_test(a_flipped_bit_is_seen_wherever_it_is),
        cmocka_unit_test(two_flipped_bits_do_not_cancel),
        cmocka_unit_test(missing_added_and_exchanged_bytes_are_seen),
        cmocka_unit_test(a_reader_that_wants_more_reads_zeros),
        cmocka_unit_test(a_reader_that_leaves_something_is_broken),
        cmocka_unit_test(what_is_shorter_than_a_checksum_is_broken),
        cmocka_unit_test(a_count_above_its_limit_is_broken),
        cmocka_unit_test(a_number_that_is_not_the_same_is_broken),
        cmocka_unit_test(a_list_longer_than_the_file_is_not_allocated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
