/* What the tests share: cmocka with its includes, and runs set up in one line. */
#ifndef WEFT_TESTS_TESTING_H
#define WEFT_TESTS_TESTING_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "machine/run.h"

/* Cores of a Blue Gene/L that handle packets in no time. */
#define NO_CORES                                                                                   \
    "machine.node.packet_out_cycles=0 machine.node.packet_write_cycles=0 "                         \
    "machine.node.packet_in_cycles=0 machine.node.packet_read_cycles=0 "

/* A machine with settings separated by spaces; stops the test if a setting is wrong. Whether it all
 * fits together is machine_finish()'s to say. */
static inline void configure(struct config *c, const char *machine, const char *settings)
{
    char *text = strdup(settings);
    setenv("WEFT_DATA", WEFT_TEST_DATA, 1);
    machine_init(c);
    if (config_machine(c, machine) != WEFT_OK)
        fail_msg("%s", weft_last_error());
    for (char *word = strtok(text, " "); word; word = strtok(NULL, " "))
        if (config_override(c, word) != WEFT_OK)
            fail_msg("%s", weft_last_error());
    free(text);
}

/* Runs a machine with settings. */
static inline weft_status run_on(const char *machine, const char *settings, uint32_t threads,
                                 bool check, struct run_result *result)
{
    struct config c;
    struct run_options o = {.threads = threads, .check = check};
    configure(&c, machine, settings);
    weft_status status = machine_finish(&c);
    if (status == WEFT_OK)
        status = run_config(&c, &o, result);
    config_fini(&c);
    return status;
}

/* The same on Blue Gene/L. */
static inline weft_status run_machine(const char *settings, uint32_t threads, bool check,
                                      struct run_result *result)
{
    return run_on("bluegene-l", settings, threads, check, result);
}

/* The same on one thread, with checks; it must end well. */
static inline struct run_result run_ok(const char *settings)
{
    struct run_result r;
    if (run_machine(settings, 1, true, &r) != WEFT_OK)
        fail_msg("%s: %s", settings, weft_last_error());
    run_result_fini(&r);
    return r;
}

static inline void assert_near(double value, double expected, double tolerance)
{
    if (!(value >= expected - tolerance && value <= expected + tolerance))
        fail_msg("%.6g is not %.6g +- %.6g", value, expected, tolerance);
}

#endif
