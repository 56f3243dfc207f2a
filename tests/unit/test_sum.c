/*
 * Tofu's sums of doubles: in every order and grouping they are, to the last of 320 bits, what their
 * definition says of integers as wide as all doubles; and their value is the double nearest to
 * that.
 *
 * The reference below shares nothing with the sums but the definition. It takes doubles apart by
 * frexp(), adds them bit by bit, and finds the nearest double by looking among all of them.
 */
#include "group.h"
#include "testing.h"

#include <float.h>
#include <math.h>

#include "base/random.h"
#include "node/tni/sum.h"

/* ---- integers of 2,304 bits, in units of 2^-1074 ---- */

enum { LIMBS = 72, BIN_BITS = 112, UNITS_IN_ONE = 1074, MANTISSA_BYTES = 18 };

/* In two's complement, lowest limb first. */
struct wide {
    uint32_t limb[LIMBS];
};

static void add_bit(struct wide *w, int at, bool negative)
{
    uint32_t step = 1u << at % 32;
    for (int i = at / 32; i < LIMBS; i++, step = 1) {
        uint32_t before = w->limb[i];
        w->limb[i] = negative ? before - step : before + step;
        if (negative ? before >= step : w->limb[i] >= step)
            return;
    }
}

/* A number that takes up to 64 bits, from bit `at` on. */
static void add_integer(struct wide *w, uint64_t integer, int at, bool negative)
{
    for (int i = 0; i < 64; i++)
        if (integer >> i & 1)
            add_bit(w, at + i, negative);
}

static void add_wide(struct wide *w, const struct wide *other)
{
    uint64_t sum = 0;
    for (int i = 0; i < LIMBS; i++) {
        sum = (sum >> 32) + w->limb[i] + other->limb[i];
        w->limb[i] = (uint32_t)sum;
    }
}

static bool is_negative(const struct wide *w)
{
    return w->limb[LIMBS - 1] >> 31;
}

static struct wide negative_of(const struct wide *w)
{
    struct wide result;
    for (int i = 0; i < LIMBS; i++)
        result.limb[i] = ~w->limb[i];
    add_bit(&result, 0, false);
    return result;
}

static struct wide size_of(const struct wide *w)
{
    return is_negative(w) ? negative_of(w) : *w;
}

/* Of two that are not negative. */
static int compare(const struct wide *a, const struct wide *b)
{
    for (int i = LIMBS - 1; i >= 0; i--)
        if (a->limb[i] != b->limb[i])
            return a->limb[i] < b->limb[i] ? -1 : 1;
    return 0;
}

/* ---- doubles ---- */

static uint64_t bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof(bits));
    return bits;
}

static double double_of(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof(x));
    return x;
}

/* The position after that of the leading bit; 0: it is zero. */
static int end_of(double x)
{
    int power;
    return frexp(x, &power) != 0 ? power + UNITS_IN_ONE : 0;
}

/* |x|, as an integer of at most 53 bits and the position of its lowest. */
static uint64_t integer_of(double x, int *at)
{
    int end = end_of(x), bits = end < DBL_MANT_DIG ? end : DBL_MANT_DIG, power;
    double fraction = frexp(fabs(x), &power);
    *at = end - bits;
    return (uint64_t)ldexp(fraction, bits);
}

/* A double that is not negative; infinity is what would come after the largest. */
static struct wide wide_of(uint64_t bits)
{
    struct wide w = {{0}};
    int at = DBL_MAX_EXP + UNITS_IN_ONE;
    uint64_t integer = isinf(double_of(bits)) ? 1 : integer_of(double_of(bits), &at);
    add_integer(&w, integer, at, false);
    return w;
}

/* The largest double not above w, by its bits, whose order is that of the doubles. */
static uint64_t double_below(const struct wide *w)
{
    uint64_t least = 0, most = bits_of(INFINITY);
    while (least < most) {
        uint64_t middle = least + (most - least + 1) / 2;
        struct wide there = wide_of(middle);
        if (compare(&there, w) <= 0)
            least = middle;
        else
            most = middle - 1;
    }
    return least;
}

static double nearest(const struct wide *w)
{
    struct wide size = size_of(w), twice = size;
    uint64_t bits = double_below(&size);
    if (bits != bits_of(INFINITY)) {
        struct wide both = wide_of(bits), next = wide_of(bits + 1);
        add_wide(&both, &next);
        add_wide(&twice, &size);
        int side = compare(&twice, &both);
        bits += side > 0 || (side == 0 && bits & 1);
    }
    return is_negative(w) ? -double_of(bits) : double_of(bits);
}

/* ---- the definition ---- */

/* Every bit of every addend is in one of three sums. */
struct reference {
    struct wide high, low; /* what is in the bins of the window */
    struct wide lost;      /* what is below */
    double largest;        /* |addend| */
    int bin;
    int lowest;            /* position of the lowest bit of all */
    bool nan, plus, minus; /* is among the addends */
    bool more;             /* than -0 */
};

static void reference_add(struct reference *r, double x)
{
    r->nan |= isnan(x) != 0;
    r->plus |= isinf(x) && x > 0;
    r->minus |= isinf(x) && x < 0;
    r->more |= x != 0 || !signbit(x);
    int at = 0, window = r->bin * BIN_BITS;
    for (uint64_t integer = isfinite(x) ? integer_of(x, &at) : 0; integer; integer >>= 1, at++) {
        if (!(integer & 1))
            continue;
        add_bit(at < window              ? &r->lost
                : at < window + BIN_BITS ? &r->low
                                         : &r->high,
                at, signbit(x));
        r->lowest = at < r->lowest ? at : r->lowest;
    }
}

static struct reference reference_of(const double *x, size_t count)
{
    struct reference r = {.lowest = INT32_MAX};
    for (size_t i = 0; i < count; i++)
        if (isfinite(x[i]))
            r.largest = fmax(r.largest, fabs(x[i]));
    int top = r.largest > 0 ? (end_of(r.largest) - 1) / BIN_BITS : 0;
    r.bin = top ? top - 1 : 0;
    for (size_t i = 0; i < count; i++)
        reference_add(&r, x[i]);
    return r;
}

/* Bins begin with a byte. */
static void reference_number(const struct wide *w, unsigned flags, unsigned bin,
                             unsigned char *bytes)
{
    bytes[0] = (unsigned char)flags;
    bytes[1] = (unsigned char)bin;
    for (unsigned i = 0, from = bin * BIN_BITS / 8; i < MANTISSA_BYTES; i++, from++)
        bytes[2 + i] = (unsigned char)(w->limb[from / 4] >> from % 4 * 8);
}

static void reference_pack(const struct reference *r, unsigned char *bytes)
{
    unsigned flags =
        r->nan | (unsigned)r->plus << 1 | (unsigned)r->minus << 2 | (unsigned)r->more << 3;
    reference_number(&r->high, flags, (unsigned)r->bin + 1, bytes);
    reference_number(&r->low, 0, (unsigned)r->bin, bytes + TOFU_SUM_BYTES / 2);
}

static double reference_value(const struct reference *r)
{
    if (r->nan || (r->plus && r->minus))
        return double_of(0x7ff8000000000000);
    if (r->plus || r->minus)
        return r->plus ? INFINITY : -INFINITY;
    struct wide kept = r->high;
    add_wide(&kept, &r->low);
    return r->more ? nearest(&kept) : -0.0;
}

/* What sum.h says of it: nothing is lost that is less than 113 places below the leading bit of the
 * largest; and less than 2^-112 of that, of each addend. */
static void assert_accurate(const struct reference *r, size_t count)
{
    struct wide lost = size_of(&r->lost), bound = {{0}}, none = {{0}};
    if (r->lowest >= end_of(r->largest) - 1 - 112) {
        assert_int_equal(compare(&lost, &none), 0);
        return;
    }
    int at;
    uint64_t largest = integer_of(r->largest, &at);
    for (int i = 0; i < 32; i++)
        if (count >> i & 1)
            add_integer(&bound, largest, at + i, false);
    for (int i = 0; i < 112; i++)
        add_wide(&lost, &lost);
    assert_true(compare(&lost, &bound) < 0);
}

/* ---- the sums ---- */

static void assert_same(double value, double expected)
{
    if (bits_of(value) != bits_of(expected))
        fail_msg("%a is not %a", value, expected);
}

static struct tofu_sum in_order(const double *x, size_t count)
{
    struct tofu_sum sum = {.bin = 0};
    for (size_t i = 0; i < count; i++) {
        struct tofu_sum one = tofu_sum_of(x[i]);
        tofu_sum_add(&sum, &one);
    }
    return sum;
}

static double sum_of(const double *x, size_t count)
{
    struct tofu_sum sum = in_order(x, count);
    return tofu_sum_value(&sum);
}

#define SUM(...)                                                                                   \
    sum_of((const double[]){__VA_ARGS__}, sizeof((const double[]){__VA_ARGS__}) / sizeof(double))

static void travel(struct tofu_sum *sum)
{
    unsigned char bytes[TOFU_SUM_BYTES];
    tofu_sum_pack(sum, bytes);
    memset(sum, 0xff, sizeof(*sum));
    assert_true(tofu_sum_unpack(bytes, sum));
}

/* As a random tree adds them; one partial sum of 32 travels. */
static struct tofu_sum in_groups(const double *x, size_t count, uint64_t *random)
{
    if (count == 1)
        return tofu_sum_of(*x);
    uint64_t draw = random_next(random);
    size_t left = 1 + random_below(draw, (uint32_t)count - 1);
    struct tofu_sum a = in_groups(x, left, random), b = in_groups(x + left, count - left, random);
    if (draw % 32 == 0)
        travel(&b);
    if (draw & 32) {
        tofu_sum_add(&a, &b);
        return a;
    }
    tofu_sum_add(&b, &a);
    return b;
}

static void shuffle(double *x, size_t count, uint64_t *random)
{
    for (size_t i = count; i > 1; i--) {
        size_t j = random_below(random_next(random), (uint32_t)i);
        double other = x[j];
        x[j] = x[i - 1];
        x[i - 1] = other;
    }
}

/* Sums x, in the order that it has and in random ones. */
static void check(double *x, size_t count, unsigned orders, uint64_t *random)
{
    struct reference r = reference_of(x, count);
    unsigned char expected[TOFU_SUM_BYTES], bytes[TOFU_SUM_BYTES];
    double value = reference_value(&r);
    reference_pack(&r, expected);
    assert_accurate(&r, count);
    struct tofu_sum sum = in_order(x, count);
    for (unsigned i = 0; i <= orders; i++) {
        tofu_sum_pack(&sum, bytes);
        assert_memory_equal(bytes, expected, TOFU_SUM_BYTES);
        assert_same(tofu_sum_value(&sum), value);
        shuffle(x, count, random);
        sum = in_groups(x, count, random);
    }
}

/* ---- few addends ---- */

static void a_single_addend_comes_back(void **state)
{
    (void)state;
    uint64_t random = 1;
    for (unsigned i = 0; i < 30000; i++) {
        double x = double_of(random_next(&random));
        if (!isnan(x))
            assert_same(SUM(x), x);
        double subnormal = double_of(bits_of(x) & ~bits_of(INFINITY));
        assert_same(SUM(subnormal), subnormal);
    }
    for (unsigned i = 0; i < 2000; i++) {
        double x = double_of(random_next(&random));
        check(&x, 1, 0, &random);
    }
}

static void zeros_keep_their_sign_if_all_are_negative(void **state)
{
    (void)state;
    assert_same(sum_of(NULL, 0), -0.0);
    assert_same(SUM(-0.0, -0.0, -0.0), -0.0);
    assert_same(SUM(-0.0, 0.0), 0.0);
    assert_same(SUM(0.0, -0.0), 0.0);
    assert_same(SUM(1, -1), 0.0);
    assert_same(SUM(-1, -0.0, 1), 0.0);
    assert_same(SUM(-DBL_TRUE_MIN, DBL_TRUE_MIN), 0.0);
    assert_same(SUM(-0.0, -DBL_TRUE_MIN), -DBL_TRUE_MIN);
}

static void infinities_and_what_is_no_number_stay(void **state)
{
    (void)state;
    double quiet = double_of(0x7ff8000000000000), own = double_of(0xfff8000000001234);
    assert_same(SUM(1, INFINITY, -DBL_MAX, INFINITY), INFINITY);
    assert_same(SUM(-INFINITY, DBL_MAX, DBL_MAX), -INFINITY);
    assert_same(SUM(INFINITY, 1, -INFINITY), quiet);
    assert_same(SUM(own), quiet);
    assert_same(SUM(own, INFINITY), quiet);
    assert_same(SUM(-INFINITY, double_of(0x7ff0000000000001)), quiet);
    assert_same(SUM(-0.0, -INFINITY), -INFINITY);
}

static void ties_go_to_even(void **state)
{
    (void)state;
    assert_same(SUM(1, 0x1p-53), 1);
    assert_same(SUM(1 + DBL_EPSILON, 0x1p-53), 1 + 2 * DBL_EPSILON);
    assert_same(SUM(-1, -0x1p-53, -0x1p-54), -1 - DBL_EPSILON);
    assert_same(SUM(1, -0x1p-54), 1);
    assert_same(SUM(1, -0x1p-54, -0x1p-80), 1 - DBL_EPSILON / 2);
    /* The window of 1 ends at 2^-178: the last bit that breaks a tie, and the first that is lost.
     */
    assert_same(SUM(1, 0x1p-53, 0x1p-178), 1 + DBL_EPSILON);
    assert_same(SUM(1, 0x1p-53, 0x1p-179), 1);
    assert_same(SUM(1, 0x1p-53, 0x1p-179, 0x1p-179), 1);
    assert_same(SUM(1, 0x1p-53, 0x1.8p-178, -0x1p-178), 1);
    /* Rounding reaches the next power of two. */
    assert_same(SUM(2 - DBL_EPSILON, 0x1p-53), 2);
    assert_same(SUM(DBL_MIN - DBL_TRUE_MIN, DBL_TRUE_MIN), DBL_MIN);
}

static void only_the_result_overflows(void **state)
{
    (void)state;
    assert_same(SUM(DBL_MAX, DBL_MAX), INFINITY);
    assert_same(SUM(-DBL_MAX, -DBL_MAX), -INFINITY);
    assert_same(SUM(DBL_MAX, DBL_MAX, -DBL_MAX), DBL_MAX);
    assert_same(SUM(DBL_MAX, 0x1p970), INFINITY);
    assert_same(SUM(DBL_MAX, 0x1.fffffffffffffp969), DBL_MAX);
    assert_same(SUM(-DBL_MAX, -0x1p969, -0x1p969), -INFINITY);
    /* Its window ends at 2^830. */
    assert_same(SUM(DBL_MAX, 0x1p970, -0x1p830), DBL_MAX);
    assert_same(SUM(DBL_MAX, 0x1p970, -0x1p829), INFINITY);
}

static void the_largest_addend_sets_the_window(void **state)
{
    (void)state;
    assert_same(SUM(1e300, 1, -1e300), 0.0);
    assert_same(SUM(1e300, -1e300, 1), 0.0);
    assert_same(SUM(1, 1e300, -1e300), 0.0);
    assert_same(SUM(1, 0x1p-178, -1), 0x1p-178);
    assert_same(SUM(1, 0x1p-179, -1), 0.0);
    /* Cut towards zero, each by itself. */
    assert_same(SUM(1, 0x1.8p-178, 0x1.8p-178, -1), 0x1p-177);
    assert_same(SUM(1, -0x1.8p-178, -0x1.8p-178, -1), -0x1p-177);
    /* Two subnormals are never too small for each other, nor for what is in their window. */
    assert_same(SUM(0x1p-851, DBL_TRUE_MIN, -0x1p-851), DBL_TRUE_MIN);
    assert_same(SUM(0x1p-850, DBL_TRUE_MIN, -0x1p-850), 0.0);
}

/* Both sides of every bin's ends, and of where doubles change their kind. */
static size_t hard_numbers(double *x)
{
    size_t count = 0;
    for (int end = BIN_BITS; end < DBL_MAX_EXP + UNITS_IN_ONE; end += BIN_BITS)
        for (int i = -1; i <= 1; i++) {
            double edge = ldexp(1, end - UNITS_IN_ONE + i * 26);
            x[count++] = edge;
            x[count++] = nextafter(edge, 0);
            x[count++] = nextafter(edge, INFINITY);
        }
    static const double more[] = {
        0,       DBL_TRUE_MIN,
        DBL_MIN, DBL_MIN - DBL_TRUE_MIN,
        1,       1 + DBL_EPSILON,
        0x1p-53, 0x1.0000000000001p-53,
        0x1p-54, 0x1p-178,
        0x1p970, DBL_MAX / 2,
        DBL_MAX, 0x1.ffffffffffffep1023,
        0x1p830, INFINITY,
        1e300,   NAN,
    };
    for (size_t i = 0; i < sizeof(more) / sizeof(*more); i++)
        x[count++] = more[i];
    for (size_t i = count; i-- > 0;)
        x[count + i] = -x[i];
    return 2 * count;
}

static void hard_numbers_meet(void **state)
{
    (void)state;
    enum { GROUP = 8, GROUPS = 5000 };
    double hard[512], x[GROUP];
    uint64_t random = 2;
    size_t count = hard_numbers(hard);
    assert_true(count <= sizeof(hard) / sizeof(*hard));
    for (unsigned i = 0; i < GROUPS; i++) {
        size_t size = 2 + random_below(random_next(&random), GROUP - 1);
        size_t first = random_below(random_next(&random), (uint32_t)count);
        for (size_t j = 0; j < size; j++) {
            /* Mostly from close by, or the same with the other sign: more meets and cancels. */
            uint64_t draw = random_next(&random);
            size_t far = draw % 8 ? first + random_below(draw, 24) : random_below(draw, UINT32_MAX);
            x[j] = draw & 32 ? hard[far % count] : -hard[far % count];
        }
        check(x, size, 6, &random);
    }
}

/* ---- a whole machine ---- */

/* Nodes of the K computer, with those for I/O. */
enum { NODES = 88128 };

static double addends[2 * NODES];

static double random_double(uint64_t *random, int least_power, int powers)
{
    uint64_t draw = random_next(random);
    double fraction = 1 + (double)(draw & 0xfffffffffffff) * 0x1p-52;
    int power = least_power + (int)random_below(random_next(random), (uint32_t)powers);
    return ldexp(draw >> 63 ? -fraction : fraction, power);
}

static void check_machine(int least_power, int powers, unsigned orders)
{
    uint64_t random = (uint64_t)(least_power + 5000);
    for (size_t i = 0; i < NODES; i++)
        addends[i] = random_double(&random, least_power, powers);
    check(addends, NODES, orders, &random);
}

static void addends_of_all_sizes(void **state)
{
    (void)state;
    check_machine(-1074, 1074 + 1023, 30);
}

static void addends_of_like_size(void **state)
{
    (void)state;
    check_machine(-40, 41, 20);
}

static void addends_across_the_end_of_a_bin(void **state)
{
    (void)state;
    check_machine(10 * BIN_BITS - UNITS_IN_ONE - 60, 120, 10);
    check_machine(-1074, 60, 10); /* subnormals, most of them */
    check_machine(1000, 24, 10);  /* and what overflows without its opposite */
}

/* All but 128 of them have their opposite. */
static void addends_that_cancel(void **state)
{
    (void)state;
    uint64_t random = 3;
    for (size_t i = 0; i < NODES; i += 2) {
        addends[i] = random_double(&random, -100, 1124);
        addends[i + 1] = -addends[i];
    }
    for (size_t i = 0; i < 128; i++)
        addends[i] = random_double(&random, 800, 100);
    check(addends, NODES, 20, &random);
}

static void the_largest_addends_fit(void **state)
{
    (void)state;
    uint64_t random = 4;
    for (size_t i = 0; i < NODES; i++) {
        addends[i] = DBL_MAX;
        addends[NODES + i] = -DBL_MAX;
    }
    assert_same(sum_of(addends, NODES), INFINITY);
    assert_same(sum_of(addends + NODES, NODES), -INFINITY);
    assert_same(sum_of(addends, 2 * NODES), 0.0);
    assert_same(sum_of(addends + 1, 2 * NODES - 1), -DBL_MAX);
    check(addends, 2 * NODES, 2, &random);
}

/* As many as fit into a sum, by doubling. */
static struct tofu_sum doubled(double x, unsigned times)
{
    struct tofu_sum sum = tofu_sum_of(x);
    for (unsigned i = 0; i < times; i++)
        tofu_sum_add(&sum, &sum);
    return sum;
}

static void two_to_the_31_addends_fit(void **state)
{
    (void)state;
    for (int end = BIN_BITS; end < 1900; end += BIN_BITS)
        for (int sign = -1; sign <= 1; sign += 2) {
            double x = sign * nextafter(ldexp(1, end - UNITS_IN_ONE), 0);
            struct tofu_sum sum = doubled(x, 31), back = doubled(-x, 31);
            travel(&sum);
            assert_same(tofu_sum_value(&sum), ldexp(x, 31));
            tofu_sum_add(&sum, &back);
            assert_same(tofu_sum_value(&sum), 0.0);
        }
}

/* ---- as they travel ---- */

/* Whether bytes of a sum unpack, once one of them has been set. */
static bool unpacks(double x, unsigned at, unsigned char byte)
{
    unsigned char bytes[TOFU_SUM_BYTES];
    struct tofu_sum sum = tofu_sum_of(x);
    tofu_sum_pack(&sum, bytes);
    bytes[at] = byte;
    return tofu_sum_unpack(bytes, &sum);
}

static void impossible_bytes_do_not_unpack(void **state)
{
    (void)state;
    assert_true(unpacks(1, 0, 15));
    assert_false(unpacks(1, 0, 16)); /* flags that do not exist */
    assert_false(unpacks(1, 0, 8 | 128));
    assert_false(unpacks(1, 20, 8)); /* flags of the lower number */
    assert_false(unpacks(1, 0, 0));  /* a number, but nothing has been seen */
    assert_false(unpacks(-0.0, 0, 2));
    assert_false(unpacks(-0.0, 19, 1));
    assert_false(unpacks(-0.0, 39, 1));
    assert_true(unpacks(0, 39, 1));
    assert_true(unpacks(1, 1, 9) && unpacks(1, 21, 8)); /* those that it has */
    assert_false(unpacks(1, 1, 10));                    /* not in succession */
    assert_false(unpacks(1, 21, 9));
    assert_false(unpacks(0, 1, 0));
    assert_true(unpacks(DBL_MAX, 1, 18));
}

static void bins_that_do_not_exist_do_not_unpack(void **state)
{
    (void)state;
    unsigned char bytes[TOFU_SUM_BYTES] = {0};
    for (unsigned bin = 0; bin < 256; bin++) {
        struct tofu_sum sum = {.bin = 99};
        bytes[1] = (unsigned char)(bin + 1);
        bytes[21] = (unsigned char)bin;
        bytes[0] = 0; /* -0 is in the lowest ones */
        assert_int_equal(tofu_sum_unpack(bytes, &sum), bin == 0);
        bytes[0] = TOFU_SEEN_MORE;
        assert_int_equal(tofu_sum_unpack(bytes, &sum), bin < 18);
        assert_int_equal(sum.bin, bin < 18 ? bin : 99); /* set only on success */
    }
}

static bool random_sum(uint64_t *random, struct tofu_sum *sum)
{
    unsigned char bytes[TOFU_SUM_BYTES], again[TOFU_SUM_BYTES];
    for (unsigned i = 0; i < TOFU_SUM_BYTES; i++)
        bytes[i] = (unsigned char)random_next(random);
    bytes[0] &= 31;
    bytes[20] = 0;
    bytes[21] %= 20;
    bytes[1] = (unsigned char)(bytes[21] + 1);
    if (!tofu_sum_unpack(bytes, sum))
        return false;
    tofu_sum_pack(sum, again);
    assert_memory_equal(bytes, again, TOFU_SUM_BYTES);
    return true;
}

/* Whatever unpacks packs again and has a value; sums of it wrap, in all orders alike, and are what
 * their bytes say. */
static void random_bytes_do_no_harm(void **state)
{
    (void)state;
    uint64_t random = 5;
    unsigned accepted = 0;
    struct tofu_sum sum, up = {.bin = 0}, down = up;
    for (unsigned i = 0; i < 20000; i++) {
        unsigned char bytes[TOFU_SUM_BYTES], other[TOFU_SUM_BYTES];
        if (!random_sum(&random, &sum))
            continue;
        accepted++;
        sum.seen = TOFU_SEEN_MORE; /* or soon all would be no number */
        tofu_sum_add(&up, &sum);
        tofu_sum_add(&sum, &down);
        down = sum;
        tofu_sum_pack(&up, bytes);
        tofu_sum_pack(&down, other);
        assert_memory_equal(bytes, other, TOFU_SUM_BYTES);
        travel(&down);
        assert_same(tofu_sum_value(&up), tofu_sum_value(&down));
    }
    assert_in_range(accepted, 1000, 19000);
}

GROUP(sum)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_single_addend_comes_back),
        cmocka_unit_test(zeros_keep_their_sign_if_all_are_negative),
        cmocka_unit_test(infinities_and_what_is_no_number_stay),
        cmocka_unit_test(ties_go_to_even),
        cmocka_unit_test(only_the_result_overflows),
        cmocka_unit_test(the_largest_addend_sets_the_window),
        cmocka_unit_test(hard_numbers_meet),
        cmocka_unit_test(addends_of_all_sizes),
        cmocka_unit_test(addends_of_like_size),
        cmocka_unit_test(addends_across_the_end_of_a_bin),
        cmocka_unit_test(addends_that_cancel),
        cmocka_unit_test(the_largest_addends_fit),
        cmocka_unit_test(two_to_the_31_addends_fit),
        cmocka_unit_test(impossible_bytes_do_not_unpack),
        cmocka_unit_test(bins_that_do_not_exist_do_not_unpack),
        cmocka_unit_test(random_bytes_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
