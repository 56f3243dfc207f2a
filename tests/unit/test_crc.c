/* The checks that links use. */
#include "group.h"
#include "testing.h"

#include "base/crc.h"

/* Bit by bit, as the definition says. */
static uint32_t slowly(unsigned width, uint32_t polynomial, const uint8_t *bytes, size_t size)
{
    uint64_t rest = 0;
    for (size_t i = 0; i < 8 * size + width; i++) {
        unsigned bit = i < 8 * size ? bytes[i / 8] >> (7 - i % 8) & 1 : 0;
        rest = rest << 1 | bit;
        if (rest >> width & 1)
            rest ^= 1ull << width | polynomial;
    }
    return (uint32_t)rest;
}

static void tables_follow_the_definition(void **state)
{
    (void)state;
    uint8_t bytes[40];
    for (size_t i = 0; i < sizeof(bytes); i++)
        bytes[i] = (uint8_t)(37 * i * i + 11);
    for (size_t size = 0; size <= sizeof(bytes); size++) {
        assert_int_equal(crc_update(CRC_8, 0, bytes, size), slowly(8, 0x2f, bytes, size));
        assert_int_equal(crc_update(CRC_24, 0, bytes, size), slowly(24, 0x5d6dcb, bytes, size));
        assert_int_equal(crc_update(CRC_32, 0, bytes, size), slowly(32, 0x1edc6f41, bytes, size));
        for (size_t cut = 0; cut <= size; cut += 3)
            assert_int_equal(
                crc_update(CRC_24, crc_update(CRC_24, 0, bytes, cut), bytes + cut, size - cut),
                crc_update(CRC_24, 0, bytes, size));
    }
}

/* The check of one flipped bit, counted from the end of text and check. */
static uint32_t of_bit(enum crc_kind kind, unsigned width, unsigned bit)
{
    uint8_t bytes[300] = {0};
    if (bit < width)
        return 1u << bit; /* in the check itself */
    bit -= width;
    bytes[299 - bit / 8] = (uint8_t)(1u << bit % 8);
    return crc_update(kind, 0, bytes, sizeof(bytes));
}

static void three_flipped_bits_of_a_header_are_seen(void **state)
{
    (void)state;
    uint32_t crc[64];
    for (unsigned i = 0; i < 64; i++)
        crc[i] = of_bit(CRC_8, 8, i);
    for (unsigned i = 0; i < 64; i++)
        for (unsigned j = i + 1; j < 64; j++) {
            assert_int_not_equal(crc[i], crc[j]);
            for (unsigned k = j + 1; k < 64; k++)
                assert_int_not_equal(crc[i] ^ crc[j], crc[k]);
        }
}

/* Text and check of a full packet: 257 bytes and 24 bits. */
static void three_flipped_bits_of_a_packet_are_seen(void **state)
{
    (void)state;
    enum { BITS = 257 * 8 + 24 };
    static uint8_t seen[1 << 24]; /* checks of one bit */
    static uint32_t crc[BITS];
    for (unsigned i = 0; i < BITS; i++) {
        crc[i] = of_bit(CRC_24, 24, i);
        assert_int_equal(seen[crc[i]], 0);
        seen[crc[i]] = 1;
    }
    for (unsigned i = 0; i < BITS; i++)
        for (unsigned j = i + 1; j < BITS; j++)
            assert_false(seen[crc[i] ^ crc[j]]);
}

GROUP(crc)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_follow_the_definition),
        cmocka_unit_test(three_flipped_bits_of_a_header_are_seen),
        cmocka_unit_test(three_flipped_bits_of_a_packet_are_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
