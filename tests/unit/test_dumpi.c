/* DUMPI traces as text: what calls mean as records; communicators that are known only when all
 * ranks have been read; and what is refused, and where. */
#define _GNU_SOURCE
#include "testing.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "trace/dumpi.h"

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
    assert_int_equal(dumpi_read(meta, &r), WEFT_BAD_INPUT);
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
    if (dumpi_read(meta, &r) != WEFT_OK)
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
    assert_int_equal(e.operation, OPERATION_ALLGATHER);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_calls_are_records),
        cmocka_unit_test(test_what_is_wrong_is_named),
    };
    char command[64];
    if (!mkdtemp(folder))
        return 1;
    snprintf(meta, sizeof(meta), "%s/t.meta", folder);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    snprintf(command, sizeof(command), "rm -rf %s", folder);
    return system(command) || failed;
}
