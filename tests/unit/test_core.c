/*
 * What a core of bluegene-l pays for a packet, by hand (MSG, 3 and 5.3): 82 cycles for each packet
 * that it writes and for each that it reads; 50 for the 256 bytes of a full one from the cache, 100
 * from memory, by size; and a fifth of 204 cycles each time that it waits for loads of 16 bytes:
 * once for the header, then for every four, or for what is left.
 */
#include "group.h"
#include "testing.h"

#include "node/core.h"

enum { SIZES = 8, IN = 82, OUT = 82 };

static const uint32_t sizes[SIZES] = {32, 64, 96, 128, 160, 192, 224, 256};

static void machine(struct config *c, const char *settings, const struct core_params **cores)
{
    configure(c, "bluegene-l", settings);
    *cores = config_section(c, &core_section);
}

static void a_core_waits_for_the_header_and_for_every_four_loads(void **state)
{
    (void)state;
    static const double cycles[SIZES] = {81.6, 81.6, 122.4, 122.4, 163.2, 163.2, 204, 204};
    struct config c;
    const struct core_params *cores;
    machine(&c, "", &cores);
    for (unsigned i = 0; i < SIZES; i++) {
        struct core_cost read = core_read_cost(cores, sizes[i]);
        assert_near(read.access, cycles[i], 1e-9);
        assert_near(read.software, IN, 0);
    }
    assert_near(core_read_cost(cores, 16).access, 40.8, 1e-9); /* a header and nothing else */
    config_fini(&c);
}

static void a_core_writes_without_waiting(void **state)
{
    (void)state;
    static const double cycles[SIZES] = {6.25, 12.5, 18.75, 25, 31.25, 37.5, 43.75, 50};
    struct config c;
    const struct core_params *cores;
    machine(&c, "", &cores);
    for (unsigned i = 0; i < SIZES; i++) {
        struct core_cost cached = core_write_cost(cores, sizes[i], 32768);
        struct core_cost memory = core_write_cost(cores, sizes[i], 32769);
        assert_near(cached.access, cycles[i], 1e-9);
        assert_near(memory.access, 2 * cycles[i], 1e-9);
        assert_near(cached.software, OUT, 0);
        assert_near(memory.software, OUT, 0);
    }
    config_fini(&c);
}

static void loads_and_how_many_at_once_are_keys(void **state)
{
    (void)state;
    struct config c;
    const struct core_params *cores;
    /* 32 loads: the first, then 31 at once; of 128 bytes, the first and 15. */
    machine(&c, "machine.node.load_bytes=8 machine.node.loads_at_once=31", &cores);
    assert_near(core_read_cost(cores, 256).access, 204, 1e-9);
    assert_near(core_read_cost(cores, 128).access, 204, 1e-9);
    assert_near(core_read_cost(cores, 8).access, 102, 1e-9);
    config_fini(&c);
    /* One load of 256 bytes has the header and all else. */
    machine(&c, "machine.node.load_bytes=256", &cores);
    assert_near(core_read_cost(cores, 32).access, 204, 1e-9);
    config_fini(&c);
}

GROUP(core)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_core_waits_for_the_header_and_for_every_four_loads),
        cmocka_unit_test(a_core_writes_without_waiting),
        cmocka_unit_test(loads_and_how_many_at_once_are_keys),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
