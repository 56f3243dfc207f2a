/* DUMPI traces, as text and in the binary form: what calls mean as records; communicators that are
 * known only when all ranks have been read; what old versions wrote differently; and what is
 * refused, and where. */
#define _GNU_SOURCE
#include "group.h"
#include "testing.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "trace/format.h"
#include "trace/dumpi/functions.h"

extern const struct trace_format dumpi_format;

static char folder[] = "/tmp/weft-dumpi-XXXXXX";
static char meta[64];

static void write_file(const char *name, const char *text)
{
    char path[128];
    snprintf(path, sizeof(path), "%s/%s", folder, name);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

#define AT(CALL, HOW, TIME)                                                                        \
    "MPI_" CALL " " HOW " at walltime " TIME ", cputime 0.0 seconds in thread 0.\n"
#define IN(CALL, TIME)  AT(CALL, "entering", TIME)
#define OUT(CALL, TIME) AT(CALL, "returning", TIME)
#define WORLD           "MPI_Comm comm=2 (MPI_COMM_WORLD)\n"
#define INT             "MPI_Datatype datatype=9 (MPI_INT)\n"
#define SPLIT(COLOUR, KEY)                                                                         \
    IN("Comm_split", "3.0")                                                                        \
    "MPI_Comm oldcomm=2 (MPI_COMM_WORLD)\nint color=" COLOUR "\nint key=" KEY                      \
    "\nMPI_Comm newcomm=5 (user-defined-communicator)\n" OUT("Comm_split", "3.0")

static void assert_refused(const char *text, const char *complaint)
{
    struct recording *r;
    write_file("t-0000.txt", text);
    assert_int_equal(trace_read_as(&dumpi_format, meta, &r), WEFT_BAD_INPUT);
    const char *after = strstr(weft_last_error(), "0000.txt:");
    if (!after || strncmp(after + 9, complaint, strlen(complaint)) != 0)
        fail_msg("'%s', not '%s'", weft_last_error(), complaint);
}

static void test_calls_are_records(void **state)
{
    (void)state;
    struct recording *r;
    struct record_reader in;
    struct record e;
    write_file("t.meta", "hostname=h\nnumprocs=2\nfileprefix=t\n");
    write_file(
        "t-0000.txt", IN("Init", "1.0") OUT("Init", "1.5")
        /* after half a second */
        IN("Isend",
           "2.0") "int count=3\n" INT "int dest=1\nint tag=4\n" WORLD
                  "MPI_Request request=[2]\n" OUT("Isend", "2.25") IN(
                      "Wait", "2.25") "MPI_Request request=[2]\n" OUT("Wait", "2.5") SPLIT("7", "1")
                      IN("Send", "3.0") "int count=3\n" INT "int dest=0\nint tag=4\n"
                                        "MPI_Comm comm=5 (user-defined-communicator)\n" OUT("Send",
                                                                                            "4.0"));
    write_file("t-0001.txt", IN("Init", "1.0") OUT("Init", "1.5") SPLIT("7", "0"));
    if (trace_read_as(&dumpi_format, meta, &r) != WEFT_OK)
        fail_msg("%s", weft_last_error());
    assert_int_equal(r->ranks, 2);
    record_open(&in, r, 0);
    record_next(&in, &e);
    assert_int_equal(e.kind, RECORD_SLEEP);
    assert_true(e.amount == 0.5);
    record_next(&in, &e);
    assert_int_equal(e.kind, RECORD_START_SEND);
    assert_int_equal(e.bytes, 12);
    assert_int_equal(e.tag, 4);
    uint32_t slot = e.slot;
    record_next(&in, &e);
    assert_int_equal(e.kind, RECORD_WAIT);
    assert_int_equal(e.list[0], slot);
    record_next(&in, &e);
    assert_int_equal(e.kind, RECORD_SLEEP);
    record_next(&in, &e);
    assert_int_equal(e.operation, CALL_Allgather);
    record_next(&in, &e);
    assert_int_equal(e.kind, RECORD_COMM);
    record_next(&in, &e);
    assert_int_equal(e.kind, RECORD_SEND);
    assert_true(e.flags & RECORD_LOCAL);
    assert_int_equal(e.comm, COMM_FIRST);
    record_next(&in, &e);
    assert_int_equal(e.kind, RECORD_END);
    record_close(&in);
    assert_int_equal(r->comms, 1);
    assert_int_equal(r->comm[0].side[0].members, 2);
    assert_int_equal(r->comm[0].side[0].member[0], 1); /* by keys */
    assert_int_equal(r->comm[0].side[0].member[1], 0);
    recording_destroy(r);
}

static void test_what_is_wrong_is_named(void **state)
{
    (void)state;
    write_file("t.meta", "hostname=h\nnumprocs=1\nfileprefix=t\n");
    assert_refused(IN("Init", "1.0"), "1:1: MPI_Init does not return");
    assert_refused(OUT("Init", "1.0"), "1:1: the line has not been entered");
    assert_refused(IN("Init", "1.0") IN("Send", "1.0"), "2:1: MPI_Init has not returned");
    assert_refused(IN("Init", "soon"), "1:1: the line has no wall time");
    assert_refused(IN("Send", "1.0") INT OUT("Send", "1.0"), "1:1: MPI_Send has no count");
    assert_refused(IN("Send", "1.0") "int count=-3\n" INT OUT("Send", "1.0"),
                   "2:1: MPI_Send has count = -3");
    assert_refused(IN("Send", "1.0") "int count=3\nMPI_Datatype datatype=40 (user-defined)\n" OUT(
                       "Send", "1.0"),
                   "3:1: MPI_Send has a datatype of unknown size");
    assert_refused(IN("Send", "1.0") "int count=3\n" INT
                                     "int dest=1\nint tag=0\n" WORLD OUT("Send", "1.0"),
                   "4:1: MPI_Send names a rank that does not exist");
    assert_refused(IN("Barrier", "1.0") "MPI_Comm comm=9 (user-defined)\n" OUT("Barrier", "1.0"),
                   "2:1: MPI_Barrier has a communicator that was not made");
}

/* ---- the binary form ---- */

enum { FLAGS = 0x48, BOTH = 0x4f, COUNTERS = 0x88 };

static unsigned char file[1 << 14];
static size_t at;

static void put(unsigned bytes, uint64_t value)
{
    for (unsigned i = 0; i < bytes; i++)
        file[at++] = (unsigned char)(value >> 8 * (bytes - 1 - i));
}

static void begin_file(void)
{
    at = 0;
    put(8, 0xffaadd44554d5049);
    put(4, 0);
    put(4, 1000); /* the wall clock's bias */
}

/* A call that takes a quarter of a second, from a second of the wall clock on. */
static void call(enum dumpi_function function, unsigned flags, unsigned second)
{
    put(2, function);
    put(1, flags);
    if (flags & 64)
        put(2, 3);
    if (flags & 4)
        for (int i = 0; i < 2; i++)
            put(2, 9), put(4, 9);
    put(2, second);
    put(4, 0);
    put(2, second);
    put(4, 250000000);
    if (flags & 128) {
        put(1, 1);
        put(8, 1);
        put(8, 2);
    }
}

/* Header, footer, the size of type 30, and the index; `version`: as three bytes. */
static void end_file(const char *name, unsigned version)
{
    char path[128];
    put(2, 293);
    uint64_t header = at;
    put(3, version);
    put(8, 0);
    put(4, 0);
    put(8, 0);
    uint64_t footer = at;
    put(8, 0xf007fee7);
    for (int i = 0; i < 2 * 291 + 1; i++)
        put(4, 0);
    uint64_t sizes = at;
    put(4, 31);
    for (int i = 0; i < 31; i++)
        put(4, i == 30 ? 24 : 0);
    uint64_t index[] = {0xffaadd44554d5049, sizes, 0, 0, header, 8, footer, 0};
    for (int i = 0; i < 8; i++)
        if (i != 1 || version >= 0x000606)
            put(8, index[i]);
    snprintf(path, sizeof(path), "%s/%s", folder, name);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    assert_int_equal(fwrite(file, 1, at, f), at);
    fclose(f);
}

static void put_comm(enum dumpi_function function, uint64_t old, uint64_t made)
{
    call(function, FLAGS, 1);
    put(2, old);
    if (function == DUMPI_Comm_split) {
        put(4, 0); /* colour, */
        put(4, 0); /* and key */
    }
    put(2, made);
}

static void put_send(enum dumpi_function function, unsigned flags, unsigned second, uint64_t type)
{
    call(function, flags, second);
    put(4, 3);
    put(2, type);
    put(4, 0); /* to itself, with tag 5 */
    put(4, 5);
    put(2, 2);
}

static struct recording *read_trace(struct record_reader *in)
{
    struct recording *r;
    if (trace_read_as(&dumpi_format, meta, &r) != WEFT_OK)
        fail_msg("%s", weft_last_error());
    record_open(in, r, 0);
    return r;
}

static void take_kind(struct record_reader *in, struct record *e, enum record_kind kind)
{
    record_next(in, e);
    assert_int_equal(e->kind, kind);
}

static void end_trace(struct record_reader *in, struct recording *r)
{
    struct record e;
    take_kind(in, &e, RECORD_END);
    record_close(in);
    recording_destroy(r);
}

static void put_init(unsigned version)
{
    call(DUMPI_Init, FLAGS, 0);
    put(4, 1);
    if (version < 0x000602)
        put(4, 1); /* twice, in old ones */
    put(4, 2);
    put(2, 0x2e78);
}

static void test_binary_calls_are_records(void **state)
{
    (void)state;
    struct record_reader in;
    struct record e;
    write_file("t.meta", "hostname=h\nnumprocs=1\nfileprefix=t\n");
    begin_file();
    put_init(0x010000);
    put_send(DUMPI_Send, BOTH, 2, 9);
    put_send(DUMPI_Issend, COUNTERS, 2, 30); /* of 24 bytes, as the file says */
    put(4, -7);                              /* the request, of which 16 bits were kept */
    call(DUMPI_Waitany, BOTH, 2);
    put(4, 2);
    put(4, 2);
    put(4, 1);
    put(4, -7);
    put(4, 1); /* the second one is over */
    put(4, 1); /* a status */
    put(8, 0);
    put(6, 0);
    call(DUMPI_Finalize, FLAGS, 2);
    put(2, 555); /* nothing comes after it */
    end_file("t-0000.bin", 0x010000);
    struct recording *r = read_trace(&in);
    take_kind(&in, &e, RECORD_SLEEP);
    assert_true(e.amount == 1.75);
    take_kind(&in, &e, RECORD_SEND);
    assert_int_equal(e.bytes, 12);
    assert_int_equal(e.tag, 5);
    take_kind(&in, &e, RECORD_START_SEND);
    assert_int_equal(e.bytes, 72);
    assert_int_equal(e.mode, SEND_SYNCHRONOUS);
    uint32_t slot = e.slot;
    take_kind(&in, &e, RECORD_WAIT);
    assert_int_equal(e.listed, 1);
    assert_int_equal(e.list[0], slot);
    end_trace(&in, r);
}

static void test_seconds_begin_again_after_16_bits(void **state)
{
    (void)state;
    struct record_reader in;
    struct record e;
    begin_file();
    put_init(0x010000);
    for (unsigned second = 0x4000; second <= 0x14000; second += 0x4000)
        call(DUMPI_Wtime, FLAGS, second & 0xffff);
    put_send(DUMPI_Send, FLAGS, 0x4001, 9);
    end_file("t-0000.bin", 0x010000);
    struct recording *r = read_trace(&in);
    for (int i = 0; i < 5; i++) {
        take_kind(&in, &e, RECORD_SLEEP);
        assert_true(e.amount == 0x4000 - 0.25);
    }
    take_kind(&in, &e, RECORD_SLEEP);
    assert_true(e.amount == 0.75);
    take_kind(&in, &e, RECORD_SEND);
    end_trace(&in, r);
}

/* What versions wrote differently; a send behind each shows that it was stepped over. */
static void test_old_versions_are_read(void **state)
{
    (void)state;
    const unsigned versions[] = {0x000601, 0x000602, 0x000603, 0x000607,
                                 0x000608, 0x000609, 0x0d0000};
    for (unsigned i = 0; i < 7; i++) {
        unsigned version = versions[i];
        struct record_reader in;
        struct record e;
        begin_file();
        put_init(version);
        call(DUMPI_Probe, BOTH, 0);
        put(4, 0);
        put(4, 0);
        put(2, 2);
        put(4, 1);
        put(8, 0);
        put(version < 0x000603 ? 2 : 6, 0);
        call(DUMPI_Cart_get, FLAGS, 0);
        put(4, 1);
        put(2, 5);
        put(4, 1);
        for (int k = 0; k < 3; k++)
            put(k < 2 || version >= 0x000608 ? 8 : 4, 0x100000001);
        call(DUMPI_Type_struct, FLAGS, 0);
        put(4, 1);
        put(8, 0x100000003);
        put(version >= 0x000609 ? 8 : 4, 0x100000000);
        put(4, 1);
        put(2, 14);
        put(2, 29);
        put_send(DUMPI_Send, FLAGS, 0, 29); /* three doubles each */
        end_file("t-0000.bin", version);
        struct recording *r = read_trace(&in);
        take_kind(&in, &e, RECORD_SEND);
        assert_int_equal(e.bytes, 72);
        end_trace(&in, r);
    }
}

static void test_only_the_root_has_what_it_gathers(void **state)
{
    (void)state;
    struct record_reader in;
    struct record e;
    write_file("t.meta", "hostname=h\nnumprocs=2\nfileprefix=t\n");
    for (unsigned me = 0; me < 2; me++) {
        begin_file();
        put_init(0x010000);
        call(DUMPI_Gatherv, FLAGS, 0);
        put(4, me);
        put(4, 2);
        put(4, 3);
        put(2, 9);
        put(4, 0); /* the root */
        put(2, 2);
        for (int k = 0; k < 2 && me == 0; k++)
            put(4, 2), put(4, 3), put(4, 3);
        put(2, me ? 0 : 9);
        call(DUMPI_Barrier, FLAGS, 0);
        put(2, 2);
        end_file(me ? "t-0001.bin" : "t-0000.bin", 0x010000);
    }
    struct recording *r = read_trace(&in);
    for (uint32_t me = 0; me < 2; me++) {
        if (me) {
            record_close(&in);
            record_open(&in, r, me);
        }
        take_kind(&in, &e, RECORD_OPERATION);
        assert_int_equal(e.operation, CALL_Gatherv);
        assert_int_equal(e.bytes, 12);
        assert_int_equal(e.listed, 2);
        assert_int_equal(e.list[1], me ? 0 : 12);
        take_kind(&in, &e, RECORD_OPERATION);
        assert_int_equal(e.operation, CALL_Barrier);
    }
    end_trace(&in, r);
}

/* Four ranks as a grid of 2 x 2, of which columns; in another one, ranks are told to be turned
 * round; and each has one of its own. */
static void test_binary_communicators(void **state)
{
    (void)state;
    struct recording *r;
    write_file("t.meta", "hostname=h\nnumprocs=4\nfileprefix=t\n");
    for (unsigned me = 0; me < 4; me++) {
        char name[16];
        begin_file();
        put_init(0x010000);
        call(DUMPI_Cart_create, FLAGS, 1);
        put(2, 2);
        put(4, 2);
        for (int k = 0; k < 2; k++)
            put(4, 2), put(4, 2), put(4, 2);
        put(4, 0);
        put(2, 5);
        call(DUMPI_Cart_sub, FLAGS, 1);
        put(4, 2);
        put(2, 5);
        put(4, 2), put(4, 1), put(4, 0);
        put(2, 6);
        put_comm(DUMPI_Comm_split, 2, 7);
        call(DUMPI_Comm_rank, FLAGS, 1);
        put(2, 7);
        put(4, 3 - me);
        put_comm(DUMPI_Comm_dup, 3, 8);
        snprintf(name, sizeof(name), "t-%04u.bin", me);
        end_file(name, 0x010000);
    }
    if (trace_read_as(&dumpi_format, meta, &r) != WEFT_OK)
        fail_msg("%s", weft_last_error());
    assert_int_equal(r->comms, 1 + 2 + 1 + 4);
    unsigned sizes[5] = {0};
    for (uint32_t i = 0; i < r->comms; i++) {
        const struct recording_side *s = &r->comm[i].side[0];
        sizes[s->members]++;
        if (s->members == 2)
            assert_int_equal(s->member[1] - s->member[0], 2);
    }
    assert_int_equal(sizes[4], 2);
    assert_int_equal(sizes[2], 2);
    assert_int_equal(sizes[1], 4);
    assert_int_equal(r->comm[0].side[0].member[0], 0);
    assert_int_equal(r->comm[2].side[0].member[0], 3);
    assert_int_equal(r->comm[2].side[0].member[3], 0);
    recording_destroy(r);
}

/* Their layouts are words, of which each means something. */
static void test_all_functions_have_fields(void **state)
{
    (void)state;
    unsigned fields = 0;
    for (unsigned i = 0; i < DUMPI_OTHER; i++) {
        struct dumpi_field field[2 * DUMPI_FIELDS_MOST];
        unsigned count = dumpi_function_fields((enum dumpi_function)i, field);
        assert_true(count <= DUMPI_FIELDS_MOST);
        for (unsigned k = 0; k < count; k++)
            assert_true(field[k].shape < DUMPI_SHAPES);
        assert_int_equal(dumpi_function_by_name(dumpi_function_name((enum dumpi_function)i)), i);
        fields += count;
    }
    assert_int_equal(DUMPI_OTHER, 290);
    assert_true(fields > 900);
}

static void assert_damage(const char *complaint)
{
    struct recording *r;
    assert_int_equal(trace_read_as(&dumpi_format, meta, &r), WEFT_BAD_INPUT);
    const char *after = strstr(weft_last_error(), "0000.bin:");
    if (!after || strncmp(after + 9, complaint, strlen(complaint)) != 0)
        fail_msg("'%s', not '%s'", weft_last_error(), complaint);
}

static void test_damage_is_named_by_its_byte(void **state)
{
    (void)state;
    write_file("t.meta", "hostname=h\nnumprocs=1\nfileprefix=t\n");
    begin_file();
    put(2, 290);
    end_file("t-0000.bin", 0x010000);
    assert_damage("byte 16: it has a call of function 290, which does not exist;");
    begin_file();
    end_file("t-0000.bin", 0x4d0102);
    assert_damage("byte 18: it is of DUMPI's version 77.1.2, which is not known; use one up to");
    begin_file();
    call(DUMPI_Barrier, FLAGS, 0);
    put(2, 9);
    end_file("t-0000.bin", 0x010000);
    assert_damage(
        "byte 33: MPI_Barrier has a communicator that was not made before; trace a program");
    begin_file();
    put_send(DUMPI_Send, FLAGS, 0, 31);
    end_file("t-0000.bin", 0x010000);
    assert_damage("byte 37: MPI_Send has a datatype of unknown size;");
    begin_file();
    put(2, DUMPI_Barrier);
    put(1, 0x20);
    end_file("t-0000.bin", 0x010000);
    assert_damage("byte 18: MPI_Barrier has flags 0x20, of which some are not known;");
    begin_file();
    call(DUMPI_Startall, FLAGS, 0);
    put(4, 1);
    put(4, INT32_MAX);
    end_file("t-0000.bin", 0x010000);
    assert_damage("byte 37: MPI_Startall has an array of 2147483647 elements, which does not fit;");
    write_file("t-0000.bin", "text");
    assert_damage("byte 0: its first bytes are not those of a DUMPI trace;");
}

GROUP(dumpi)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_calls_are_records),
        cmocka_unit_test(test_what_is_wrong_is_named),
        cmocka_unit_test(test_binary_calls_are_records),
        cmocka_unit_test(test_seconds_begin_again_after_16_bits),
        cmocka_unit_test(test_old_versions_are_read),
        cmocka_unit_test(test_only_the_root_has_what_it_gathers),
        cmocka_unit_test(test_binary_communicators),
        cmocka_unit_test(test_all_functions_have_fields),
        cmocka_unit_test(test_damage_is_named_by_its_byte),
    };
    char command[64];
    if (!mkdtemp(folder))
        return 1;
    snprintf(meta, sizeof(meta), "%s/t.meta", folder);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    snprintf(command, sizeof(command), "rm -rf %s", folder);
    return system(command) || failed;
}
