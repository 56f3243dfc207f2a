/*
 * Errors on links: as many as the rates say, evenly spread; bursts begin and end with a flipped
 * bit, across any number of frames; bad links are bad in their time only; errors_will_hit() agrees
 * with errors_pass(); and a link's errors depend neither on other links nor, for errors of one or
 * two bits, on how its bits are cut into frames.
 *
 * The keys fix all draws, so these statistical tests always give the same result.
 */
#include "group.h"
#include "testing.h"

#include <math.h>

#include "base/random.h"
#include "fabric/errors.h"

enum { NODE = 3, PORT = 1 };

static unsigned bit_at(const uint8_t *bytes, uint64_t bit)
{
    return bytes[bit / 8] >> (7 - bit % 8) & 1;
}

static unsigned ones(const uint8_t *bytes, size_t size)
{
    unsigned count = 0;
    for (size_t i = 0; i < size; i++)
        count += (unsigned)__builtin_popcount(bytes[i]);
    return count;
}

/* Passes zeros in frames whose sizes come in turn from a list; returns what arrives: the errors. */
static uint8_t *errors_of(const struct error_params *p, uint64_t key, const uint32_t *frame_bytes,
                          size_t frames, size_t bytes)
{
    struct error_source s;
    uint8_t *came = calloc(bytes, 1);
    assert_non_null(came);
    errors_init(&s, p, key);
    for (size_t at = 0, i = 0; at < bytes; i++) {
        size_t size = frame_bytes[i % frames];
        size = size < bytes - at ? size : bytes - at;
        unsigned flipped = errors_pass(&s, p, NODE, PORT, i, came + at, (uint32_t)(8 * size));
        assert_int_equal(flipped, ones(came + at, size));
        at += size;
    }
    return came;
}

/* ---- rates ---- */

static void no_rate_is_no_error(void **state)
{
    (void)state;
    struct error_params p = {.burst_bits = 1};
    struct error_source s;
    uint8_t bytes[256] = {0};
    assert_false(errors_any(&p));
    errors_init(&s, &p, 1);
    for (cycle_t t = 0; t < 1000; t++) {
        assert_false(errors_will_hit(&s, &p, NODE, PORT, t, 2048));
        assert_int_equal(errors_pass(&s, &p, NODE, PORT, t, bytes, 2048), 0);
    }
    assert_int_equal(ones(bytes, sizeof(bytes)), 0);
    p.bit_error_rate = 1e-15;
    assert_true(errors_any(&p));
    p = (struct error_params){.bad_links = 1};
    assert_true(errors_any(&p));
}

/* Passes frames until some 20,000 errors are expected; counts them by sixteenths of a frame. */
static void count_errors(double rate, uint64_t key, uint64_t *bits, unsigned by_part[16])
{
    enum { FRAME = 256 };
    struct error_params p = {.bit_error_rate = rate, .burst_bits = 1};
    struct error_source s;
    uint8_t bytes[FRAME];
    errors_init(&s, &p, key);
    memset(by_part, 0, 16 * sizeof(*by_part));
    for (*bits = 0; (double)*bits * rate < 20000; *bits += 8 * FRAME) {
        if (!errors_will_hit(&s, &p, NODE, PORT, *bits, 8 * FRAME))
            continue;
        memset(bytes, 0, FRAME);
        errors_pass(&s, &p, NODE, PORT, *bits, bytes, 8 * FRAME);
        for (int part = 0; part < 16; part++)
            by_part[part] += ones(bytes + part * (FRAME / 16), FRAME / 16);
    }
}

static void errors_come_at_their_rate_and_evenly(void **state)
{
    (void)state;
    static const double rates[] = {1e-6, 1e-4, 0.009, 0.011, 0.1, 0.5};
    for (size_t i = 0; i < sizeof(rates) / sizeof(rates[0]); i++) {
        uint64_t bits;
        unsigned by_part[16], sum = 0;
        double square = 0;
        count_errors(rates[i], i, &bits, by_part);
        for (int part = 0; part < 16; part++)
            sum += by_part[part];
        double expected = (double)bits * rates[i], one = expected / 16;
        /* Four standard deviations; half a per cent for what is drawn as an exponential. */
        assert_near(sum, expected, 4 * sqrt(expected) + 0.005 * expected);
        for (int part = 0; part < 16; part++)
            square += (by_part[part] - one) * (by_part[part] - one) / one;
        assert_true(square < 40); /* chi-square of 16: one in 1,000 is above 39 */
    }
}

static void a_sure_error_flips_every_bit(void **state)
{
    (void)state;
    struct error_params p = {.bit_error_rate = 1, .burst_bits = 1};
    uint8_t *came = errors_of(&p, 5, (const uint32_t[]){30}, 1, 1000);
    assert_int_equal(ones(came, 1000), 8000);
    free(came);
}

/* ---- frames ---- */

/* For longer bursts this does not hold: what reaches into the next frame is drawn after the gap
 * behind it. */
static void frames_of_any_size_see_the_same_errors(void **state)
{
    (void)state;
    enum { BYTES = 40000 };
    static const uint32_t one[] = {BYTES}, small[] = {1}, mixed[] = {20, 1, 277, 0, 32, 5};
    static const double rates[] = {0.0005, 0.005, 0.05, 0.4};
    for (uint32_t burst = 1; burst <= 2; burst++)
        for (size_t i = 0; i < sizeof(rates) / sizeof(rates[0]); i++) {
            struct error_params p = {.bit_error_rate = rates[i], .burst_bits = burst};
            uint8_t *whole = errors_of(&p, i, one, 1, BYTES);
            uint8_t *bytes = errors_of(&p, i, small, 1, BYTES);
            uint8_t *some = errors_of(&p, i, mixed, 6, BYTES);
            assert_true(ones(whole, BYTES) > 100);
            assert_memory_equal(bytes, whole, BYTES);
            assert_memory_equal(some, whole, BYTES);
            free(whole);
            free(bytes);
            free(some);
        }
}

/* Two sources of one key pass the same frames, of which one is asked first. */
static void assert_agree(const struct error_params *p, uint64_t key, bool sure)
{
    struct error_source asked, other;
    unsigned hits = 0, spared = 0;
    errors_init(&asked, p, key);
    errors_init(&other, p, key);
    for (cycle_t t = 0; t < 20000; t++) {
        uint8_t a[64] = {0}, b[64] = {0};
        uint32_t bits = 8 * random_below(random_draw(key, t), 65);
        bool will = errors_will_hit(&asked, p, NODE, PORT, t, bits);
        if (will)
            errors_pass(&asked, p, NODE, PORT, t, a, bits);
        unsigned flipped = errors_pass(&other, p, NODE, PORT, t, b, bits);
        assert_memory_equal(a, b, sizeof(a));
        assert_int_equal(asked.good_bits, other.good_bits);
        assert_int_equal(asked.random, other.random);
        assert_int_equal(asked.burst_left, other.burst_left);
        if (!will)
            assert_int_equal(flipped, 0);
        else if (sure)
            assert_true(flipped > 0);
        hits += flipped > 0;
        spared += !will;
    }
    assert_true(hits > 100 && spared > 100); /* both were tried */
}

static void asking_first_changes_nothing(void **state)
{
    (void)state;
    struct error_params p = {.bit_error_rate = 0.002, .burst_bits = 1};
    assert_agree(&p, 1, true);
    p.bit_error_rate = 0.02;
    assert_agree(&p, 2, true);
    p.burst_bits = 40; /* what is left of a burst may flip nothing */
    assert_agree(&p, 3, false);
    p.bit_error_rate = 0.0005;
    assert_agree(&p, 4, false);
    p.bad_links = 1;
    p.bad_error_rate = 0.01;
    p.bad[0].node = NODE;
    p.bad[0].port = PORT;
    p.bad[0].from = 5000;
    p.bad[0].to = 10000;
    assert_agree(&p, 5, false);
}

static void each_link_draws_its_own(void **state)
{
    (void)state;
    enum { FRAME = 100, FRAMES = 300 };
    struct error_params p = {.bit_error_rate = 0.005, .burst_bits = 9};
    static const uint32_t frame[] = {FRAME};
    uint8_t *first = errors_of(&p, 10, frame, 1, FRAME * FRAMES);
    uint8_t *second = errors_of(&p, 20, frame, 1, FRAME * FRAMES);
    struct error_source a, b;
    assert_memory_not_equal(first, second, FRAME * FRAMES);
    errors_init(&a, &p, 10);
    errors_init(&b, &p, 20);
    for (unsigned i = 0; i < FRAMES; i++) { /* side by side */
        uint8_t x[FRAME] = {0}, y[FRAME] = {0};
        errors_pass(&a, &p, NODE, PORT, i, x, 8 * FRAME);
        errors_pass(&b, &p, NODE + 1, PORT, i, y, 8 * FRAME);
        assert_memory_equal(x, first + i * FRAME, FRAME);
        assert_memory_equal(y, second + i * FRAME, FRAME);
    }
    free(first);
    free(second);
}

/* ---- bursts ---- */

/* Walks from burst to burst: each starts and ends with a flip. Their number. */
static unsigned bursts(const uint8_t *came, uint64_t bits, uint32_t burst, uint64_t *inner)
{
    unsigned count = 0;
    *inner = 0;
    for (uint64_t at = 0; at + burst <= bits;) {
        if (!bit_at(came, at)) {
            at++;
            continue;
        }
        assert_true(bit_at(came, at + burst - 1));
        for (uint32_t k = 1; k + 1 < burst; k++)
            *inner += bit_at(came, at + k);
        count++;
        at += burst;
    }
    return count;
}

static void bursts_are_framed_by_flips_over_any_frames(void **state)
{
    (void)state;
    enum { BYTES = 200000, BITS = 8 * BYTES };
    static const uint32_t large[] = {BYTES}, small[] = {8}, mixed[] = {1, 32, 5, 40, 3};
    static const uint32_t *const frame[] = {large, small, mixed};
    static const size_t frames[] = {1, 1, 5};
    static const uint32_t lengths[] = {2, 3, 24, 200};
    static const double rates[] = {0.0005, 0.02};
    for (int f = 0; f < 3; f++)
        for (int l = 0; l < 4; l++)
            for (int r = 0; r < 2; r++) {
                uint32_t length = lengths[l];
                struct error_params p = {.bit_error_rate = rates[r], .burst_bits = length};
                uint8_t *came = errors_of(&p, (uint64_t)(10 * l + r), frame[f], frames[f], BYTES);
                uint64_t inner;
                unsigned count = bursts(came, BITS, length, &inner);
                /* A gap is 1 / rate - 1 good bits on average, from the end of a burst on. */
                double expected = BITS / (1 / rates[r] - 1 + length);
                assert_near(count, expected, 4 * sqrt(expected));
                double chances = (double)count * (length - 2); /* half of the bits within */
                assert_near((double)inner, chances / 2, 2 * sqrt(chances));
                free(came);
            }
}

static void a_burst_that_goes_on_hits_the_next_frame(void **state)
{
    (void)state;
    struct error_params p = {.bit_error_rate = 0.0001, .burst_bits = 2048};
    struct error_source s;
    uint8_t bytes[256] = {0};
    errors_init(&s, &p, 9);
    cycle_t t = 0;
    while (!errors_will_hit(&s, &p, NODE, PORT, t, 64))
        t++;
    errors_pass(&s, &p, NODE, PORT, t, bytes, 64);
    uint32_t left = s.burst_left;
    assert_in_range(left, 2048 - 64, 2047);
    assert_true(errors_will_hit(&s, &p, NODE, PORT, t, 64));
    errors_pass(&s, &p, NODE, PORT, t, bytes, 64);
    assert_int_equal(s.burst_left, left - 64);
    memset(bytes, 0, sizeof(bytes));
    errors_pass(&s, &p, NODE, PORT, t, bytes, 2048);
    assert_int_equal(bit_at(bytes, left - 64 - 1), 1); /* the last of it */
    assert_int_equal(s.burst_left, 0);
}

/* ---- bad links ---- */

static struct error_params bad_twice(double rate, double bad_rate)
{
    struct error_params p = {
        .bit_error_rate = rate, .bad_error_rate = bad_rate, .burst_bits = 1, .bad_links = 3};
    static const cycle_t from[] = {100, 0, 500}, to[] = {200, 1000, 600};
    for (int i = 0; i < 3; i++) {
        p.bad[i].node = i == 1 ? NODE + 10 : NODE;
        p.bad[i].port = PORT;
        p.bad[i].from = from[i];
        p.bad[i].to = to[i];
    }
    return p;
}

static void a_link_is_bad_in_its_time_only(void **state)
{
    (void)state;
    struct error_params p = bad_twice(0, 0.5);
    struct error_source s;
    errors_init(&s, &p, 4);
    for (uint32_t node = NODE - 1; node <= NODE + 1; node++)
        for (uint32_t port = PORT - 1; port <= PORT + 1; port++)
            for (cycle_t t = 0; t < 1000; t++) {
                uint8_t bytes[32] = {0};
                bool bad = node == NODE && port == PORT &&
                           ((t >= 100 && t < 200) || (t >= 500 && t < 600));
                assert_int_equal(errors_will_hit(&s, &p, node, port, t, 256), bad);
                unsigned flipped = errors_pass(&s, &p, node, port, t, bytes, 256);
                assert_int_equal(flipped, ones(bytes, 32));
                assert_int_equal(flipped > 60, bad); /* of 128 on average */
            }
}

static void a_bad_link_has_its_own_rate(void **state)
{
    (void)state;
    static const double rates[] = {0.002, 0.05};
    for (int i = 0; i < 2; i++) {
        struct error_params p = bad_twice(1e-9, rates[i]);
        struct error_source s;
        static uint8_t bytes[10000];
        unsigned flipped = 0;
        errors_init(&s, &p, 4);
        for (cycle_t t = 100; t < 200; t++)
            flipped += errors_pass(&s, &p, NODE, PORT, t, bytes, 8 * sizeof(bytes));
        double expected = 100.0 * 8 * sizeof(bytes) * rates[i];
        assert_near(flipped, expected, 4 * sqrt(expected) + 0.005 * expected);
    }
}

static void the_bad_time_does_not_bring_the_next_error_nearer(void **state)
{
    (void)state;
    struct error_params p = bad_twice(0.001, 0.3);
    struct error_source s;
    uint8_t bytes[32];
    errors_init(&s, &p, 4);
    uint64_t good = s.good_bits;
    for (cycle_t t = 100; t < 200; t++)
        errors_pass(&s, &p, NODE, PORT, t, bytes, 256);
    assert_int_equal(s.good_bits, good);
}

GROUP(errors)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_rate_is_no_error),
        cmocka_unit_test(errors_come_at_their_rate_and_evenly),
        cmocka_unit_test(a_sure_error_flips_every_bit),
        cmocka_unit_test(frames_of_any_size_see_the_same_errors),
        cmocka_unit_test(asking_first_changes_nothing),
        cmocka_unit_test(each_link_draws_its_own),
        cmocka_unit_test(bursts_are_framed_by_flips_over_any_frames),
        cmocka_unit_test(a_burst_that_goes_on_hits_the_next_frame),
        cmocka_unit_test(a_link_is_bad_in_its_time_only),
        cmocka_unit_test(a_bad_link_has_its_own_rate),
        cmocka_unit_test(the_bad_time_does_not_bring_the_next_error_nearer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
