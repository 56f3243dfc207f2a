/*
 * The ALU of a tree, and what software makes of it: what it computes from images of elements is
 * what software computes from the elements.
 */
#include "group.h"
#include "testing.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/random.h"
#include "message/reduce.h"
#include "node/nic.h"

static void wide_operands_carry(void **state)
{
    (void)state;
    unsigned char a[8] = {0xff, 0xff, 0xff, 0xff, 0xff, 0x00, 1, 2};
    unsigned char b[8] = {0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 3, 4};
    alu_combine(OPERATION_ADD, 6, a, b, 8); /* one operand; the rest is less than one, and stays */
    static const unsigned char sum[8] = {0, 0, 0, 0, 0, 1, 1, 2};
    assert_memory_equal(a, sum, 8);
    unsigned char c[4] = {0xff, 0x00, 0x01, 0x80}, d[4] = {0x00, 0x01, 0x02, 0x7f};
    alu_combine(OPERATION_MAX, 2, c, d, 4);
    static const unsigned char most[4] = {0x00, 0x01, 0x01, 0x80};
    assert_memory_equal(c, most, 4);
}

static void bits_are_bits(void **state)
{
    (void)state;
    unsigned char a[2] = {0x0f, 0xf0}, b[2] = {0x55, 0x55};
    alu_combine(OPERATION_XOR, 2, a, b, 2);
    assert_true(a[0] == 0x5a && a[1] == 0xa5);
    alu_combine(OPERATION_AND, 2, a, b, 2);
    assert_true(a[0] == 0x50 && a[1] == 0x05);
    alu_combine(OPERATION_OR, 2, a, b, 2);
    assert_true(a[0] == 0x55 && a[1] == 0x55);
}

enum { COUNT = 64 };

/* Elements of a type, from random bits; doubles of all sizes, but numbers. */
static void fill(weft_type type, uint64_t key, void *data)
{
    for (size_t i = 0; i < COUNT; i++) {
        uint64_t bits = random_mix(key + i) >> (i % 3 ? 0 : 40);
        double x = ldexp((double)(int64_t)bits, (int)(i * 13 % 400) - 300);
        if (type == WEFT_DOUBLE)
            memcpy((double *)data + i, &x, sizeof(x));
        else
            memcpy((unsigned char *)data + i * reduce_size(type), &bits, reduce_size(type));
    }
}

static void the_tree_computes_what_software_does(void **state)
{
    (void)state;
    for (weft_type type = WEFT_INT32; type <= WEFT_DOUBLE; type++)
        for (weft_operation operation = WEFT_SUM; operation <= WEFT_XOR; operation++) {
            uint64_t mine[COUNT], other[COUNT], tree[COUNT], image[COUNT];
            size_t bytes = COUNT * reduce_size(type);
            enum nic_operation on_tree = reduce_on_tree(type, operation);
            assert_int_equal(reduce_is(type, operation),
                             type != WEFT_DOUBLE || operation < WEFT_AND);
            if (!reduce_is(type, operation) || on_tree == OPERATION_NONE)
                continue;
            fill(type, 1, mine);
            fill(type, 99, other);
            memcpy(tree, mine, bytes);
            memcpy(image, other, bytes);
            reduce_to_tree(type, operation, tree, COUNT);
            reduce_to_tree(type, operation, image, COUNT);
            alu_combine(on_tree, (unsigned)reduce_size(type), (unsigned char *)tree,
                        (const unsigned char *)image, bytes);
            reduce_from_tree(type, operation, tree, COUNT);
            reduce_combine(type, operation, mine, other, COUNT);
            assert_memory_equal(tree, mine, bytes);
        }
}

/* The sum of all summands, by two phases. */
static double sum_of(const double *x, uint32_t processes)
{
    uint16_t most = 0, exponent;
    uint64_t sum = 0, mantissa;
    double result;
    for (uint32_t i = 0; i < processes; i++) {
        reduce_exponents(&x[i], &exponent, 1);
        alu_combine(OPERATION_MAX, 2, (unsigned char *)&most, (unsigned char *)&exponent, 2);
    }
    for (uint32_t i = 0; i < processes; i++) {
        reduce_mantissas(&x[i], &most, processes, &mantissa, 1);
        alu_combine(OPERATION_ADD, 8, (unsigned char *)&sum, (unsigned char *)&mantissa, 8);
    }
    reduce_sums(&sum, &most, processes, &result, 1);
    return result;
}

static void two_phases_make_a_sum(void **state)
{
    (void)state;
    double few[] = {1.5, -0.25, 1024, -7}, none[] = {0, -0.0, 0}, large[] = {DBL_MAX / 4, 1, 2};
    double tiny[] = {DBL_TRUE_MIN, DBL_TRUE_MIN, 0}, cancel[] = {1e300, -1e300, 0};
    assert_true(sum_of(few, 4) == 1018.25);
    assert_true(sum_of(none, 3) == 0);
    assert_true(sum_of(large, 3) == DBL_MAX / 4);
    assert_true(sum_of(tiny, 3) == 2 * DBL_TRUE_MIN);
    assert_true(sum_of(cancel, 3) == 0);
    /* Many: as close as the bits that are left allow. */
    enum { MANY = 65536 };
    static double many[MANY];
    long double exact = 0;
    for (uint32_t i = 0; i < MANY; i++)
        exact += many[i] = (double)(random_mix(i) >> 11) * 0x1p-53;
    assert_true(fabsl(sum_of(many, MANY) - exact) < 1e-9L);
    for (uint32_t i = 0; i < MANY; i++)
        many[i] = DBL_MAX; /* does not fit */
    assert_true(isinf(sum_of(many, MANY)));
}

static void what_is_no_number_stays_none(void **state)
{
    (void)state;
    double plus[] = {1, INFINITY, 2, INFINITY}, minus[] = {-INFINITY, 5}, nan_too[] = {1, NAN, 3};
    double both[] = {INFINITY, -INFINITY};
    assert_true(sum_of(plus, 4) == INFINITY);
    assert_true(sum_of(minus, 2) == -INFINITY);
    assert_true(isnan(sum_of(nan_too, 3)));
    assert_true(isnan(sum_of(both, 2)));
    /* Maxima have an order that does not depend on who is first. */
    double a[] = {0.0, -0.0, NAN, 1}, b[] = {-0.0, 0.0, 1, NAN};
    reduce_combine(WEFT_DOUBLE, WEFT_MAX, a, b, 4);
    assert_true(!signbit(a[0]) && !signbit(a[1]) && isnan(a[2]) && isnan(a[3]));
}

GROUP(reduce)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wide_operands_carry),
        cmocka_unit_test(bits_are_bits),
        cmocka_unit_test(the_tree_computes_what_software_does),
        cmocka_unit_test(two_phases_make_a_sum),
        cmocka_unit_test(what_is_no_number_stays_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
