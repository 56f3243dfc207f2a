/* Time-independent traces: what their lines mean as records, in SimGrid's forms, old and new, and
 * in Weft's own; what is refused, and where; that streams of many ranks come back as they were; and
 * that the table of collective operations is complete.
 */
#define _GNU_SOURCE
#include "group.h"
#include "testing.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "mpi/call.h"
#include "trace/format.h"

extern const struct trace_format ti_format;

static weft_status read_text(const char *text, struct recording **r)
{
    char path[32];
    int file = memfd_create("trace", 0);
    assert_int_equal(write(file, text, strlen(text)), strlen(text));
    snprintf(path, sizeof(path), "/proc/self/fd/%d", file);
    weft_status status = trace_read_as(&ti_format, path, r);
    close(file);
    return status;
}

/* The complaint, without the path. */
static void assert_refused(const char *text, const char *complaint)
{
    struct recording *r;
    assert_int_equal(read_text(text, &r), WEFT_BAD_INPUT);
    const char *after = strstr(weft_last_error(), "/fd/");
    assert_non_null(after);
    after = strchr(after, ':') + 1;
    if (strncmp(after, complaint, strlen(complaint)) != 0)
        fail_msg("'%s', not '%s'", after, complaint);
    assert_null(strchr(after, '\n'));
}

static struct recording *read_good(const char *text)
{
    struct recording *r = NULL;
    if (read_text(text, &r) != WEFT_OK)
        fail_msg("%s", weft_last_error());
    return r;
}

/* All records of a rank. */
enum { MOST = 32 };
struct taken {
    struct record e[MOST];
    uint64_t list[MOST][8];
    unsigned count;
};

static struct taken take(const struct recording *r, uint32_t rank)
{
    static struct taken t;
    struct record_reader in;
    t.count = 0;
    record_open(&in, r, rank);
    for (;;) {
        struct record *e = &t.e[t.count];
        record_next(&in, e);
        if (e->kind == RECORD_END)
            break;
        for (uint32_t i = 0; i < e->listed && i < 8; i++)
            t.list[t.count][i] = e->list[i];
        t.count++;
        assert_true(t.count < MOST);
    }
    record_close(&in);
    return t;
}

static void test_messages_and_waits(void **state)
{
    (void)state;
    struct recording *r = read_good("0 init\n1 init\n"
                                    "0 isend 1 7 10 0\n"
                                    "0 irecv 1 8 1e3\n"
                                    "1 recv 0 7 10 0\n"
                                    "0 test 1 0 8\n"
                                    "0 wait 1 0 8\n"
                                    "0 wait 0 1 7\n"
                                    "1 send 0 8 1000\n"
                                    "0 compute 2.5e9\n0 finalize\n1 finalize\n");
    assert_int_equal(r->ranks, 2);
    struct taken t = take(r, 0);
    assert_int_equal(t.count, 6);
    assert_int_equal(t.e[0].kind, RECORD_START_SEND);
    assert_int_equal(t.e[0].bytes, 80); /* doubles */
    assert_int_equal(t.e[0].tag, 7);
    assert_int_equal(t.e[0].peer, 1);
    assert_int_equal(t.e[1].kind, RECORD_START_RECEIVE);
    assert_int_equal(t.e[1].bytes, 1000);
    assert_int_not_equal(t.e[0].slot, t.e[1].slot);
    assert_int_equal(t.e[2].kind, RECORD_TEST);
    assert_int_equal(t.e[2].slot, t.e[1].slot);
    assert_int_equal(t.e[3].kind, RECORD_WAIT);
    assert_int_equal(t.list[3][0], t.e[1].slot);
    assert_int_equal(t.list[4][0], t.e[0].slot);
    assert_int_equal(t.e[5].kind, RECORD_COMPUTE);
    assert_true(t.e[5].amount == 2.5e9);
    recording_destroy(r);
}

static void test_old_traces_have_no_tags(void **state)
{
    (void)state;
    struct recording *r = read_good("p0 init 1\np1 init 1\n"
                                    "p0 isend 1 10\np0 isend 1 20 6\np0 wait\np0 wait\n"
                                    "p1 recv 0 10\np1 recv 0 20 6\n");
    struct taken t = take(r, 0);
    assert_int_equal(t.count, 4);
    assert_int_equal(t.e[0].bytes, 80); /* `init` with an argument: doubles */
    assert_int_equal(t.e[1].bytes, 20);
    assert_int_equal(t.list[2][0], t.e[1].slot); /* the last one first */
    assert_int_equal(t.list[3][0], t.e[0].slot);
    recording_destroy(r);
}

static void test_operations(void **state)
{
    (void)state;
    struct recording *r = read_good("1 init\n0 allreduce 4 1e6 0\n"
                                    "0 gatherv 3 3 5 1 1 0\n0 scatterv 3 5 3 1 6 6\n"
                                    "0 alltoallv 9 4 5 9 6 3 6 6\n0 reducescatter 4 8 0 1\n"
                                    "0 ibcast 100 1 6\n0 wait operation 0\n"
                                    "0 reduce 24 0 1 6 op own double 24 in_place\n");
    struct taken t = take(r, 0);
    assert_int_equal(t.count, 9);
    assert_int_equal(t.e[0].operation, CALL_Allreduce);
    assert_int_equal(t.e[0].bytes, 32);
    assert_int_equal(t.e[0].type, 0x214);
    assert_int_equal(t.e[1].kind, RECORD_COMPUTE); /* the work of the reduction */
    assert_true(t.e[1].amount == 1e6);
    assert_int_equal(t.e[2].bytes, 12); /* three ints */
    assert_int_equal(t.list[2][1], 40); /* five doubles */
    assert_int_equal(t.e[2].peer, 1);
    assert_int_equal(t.e[3].bytes, 3);
    assert_int_equal(t.list[3][0], 3);
    assert_int_equal(t.list[3][1], 5);
    assert_int_equal(t.e[4].listed, 4);
    assert_int_equal(t.list[4][1], 5);
    assert_int_equal(t.list[4][2], 6);
    assert_int_equal(t.e[5].operation, CALL_Reduce_scatter);
    assert_int_equal(t.list[5][1], 32);
    assert_true(t.e[6].flags & RECORD_LATER);
    assert_int_equal(t.list[7][0], t.e[6].slot);
    assert_int_equal(t.e[8].op, RECORD_OP_OWN);
    assert_int_equal(t.e[8].element, 24);
    assert_true(t.e[8].flags & RECORD_IN_PLACE);
    assert_true(r->nonblocking);
    recording_destroy(r);
}

static void test_words_of_one_call(void **state)
{
    (void)state;
    struct recording *r =
        read_good("2 init\n1 init\n"
                  "0 irecv 1 0 8 6 by cart_create\n0 isend 1 0 8 6 more\n"
                  "0 wait 1 0 0 more\n0 wait 0 1 0 more\n"
                  "0 comm_split 4 2,0 more\n0 send 2 1 8 6 strided by ssend comm 4\n");
    struct taken t = take(r, 0);
    assert_int_equal(t.count, 5);
    assert_int_equal(t.e[0].by, BY_OTHER);
    assert_false(t.e[0].flags & RECORD_MORE);
    assert_true(t.e[1].flags & RECORD_MORE);
    assert_int_equal(t.e[2].listed, 2); /* both waits are one */
    assert_true(t.e[2].flags & RECORD_MORE);
    assert_int_equal(t.e[3].kind, RECORD_COMM);
    assert_int_equal(t.e[4].comm, COMM_FIRST);
    assert_int_equal(t.e[4].mode, SEND_SYNCHRONOUS);
    assert_true(t.e[4].flags & RECORD_STRIDED);
    assert_int_equal(r->comm[0].side[0].members, 2);
    assert_int_equal(r->comm[0].side[0].member[0], 2);
    recording_destroy(r);
}

static void test_what_is_wrong_is_named(void **state)
{
    (void)state;
    assert_refused("", " it is empty");
    assert_refused("0 init\n0 sned 1 0 8\n", "2:3: 'sned' is no action");
    assert_refused("0 init\nx init\n", "2:1: 'x' is no rank");
    assert_refused("0 init\n0 send 1 0 8\n", "2:8: there is no rank 1");
    assert_refused("0 send 0 0 -8\n", "1:12: '-8' is no size");
    assert_refused("0 send 0\n", "1:9: 'send' has no tag here");
    assert_refused("0 bcast\n", "1:8: 'bcast' has no size here");
    assert_refused("0 bcast 8 1\n", "1:11: '1' is no root");
    assert_refused("0 bcast 8 0 99\n", "1:13: there is no datatype 99");
    assert_refused("0 wait 0 0 1\n", "1:3: rank 0 has started no such message before");
    assert_refused("0 wait\n", "1:3: rank 0 has started nothing before");
    assert_refused("0 wait operation 0\n", "1:3: rank 0 has started no such operation before");
    assert_refused("0 finalize\n0 barrier\n", "2:3: rank 0 has finalized before");
    assert_refused("0 barrier comm 3\n", "1:16: this communicator was not made before");
    assert_refused("0 comm_split 3 1\n", "1:16: '1' is no list of members");
    assert_refused("0 comm_split 3 0,0\n", "1:16: a member is listed twice");
    assert_refused("2 init\n0 init\n0 barrier\n", " rank 1 of 3 has no line");
    assert_refused("2 init\n0 init\n", " 2 lines are of fewer than 3 ranks");
    assert_refused("0 compute -1\n", "1:11: '-1' is no amount");
    assert_refused("0 barrier soon\n", "1:11: 'soon' is no number");
    assert_refused("0 allreduce 9 0 6 op sum double\n", "1:13: 9 bytes are no elements of 8");
    assert_refused("0 in\x01it\n", "1:5: byte 1 is no text");
    assert_refused("nofile\n", "1:1: there is no file nofile");
    assert_refused("/dev/null\n", " the trace has no ranks");
}

static void test_streams_of_many_ranks_come_back(void **state)
{
    enum { STREAMS = 300, RECORDS = 700 };
    (void)state;
    struct recording *r;
    struct record_reader in;
    struct record e;
    assert_int_equal(recording_create(&r), WEFT_OK);
    for (uint32_t i = 0; i < RECORDS; i++)
        for (uint32_t rank = 0; rank < STREAMS; rank += 1 + i % 3)
            recording_put(r, rank,
                          &(struct record){.kind = RECORD_SEND,
                                           .peer = (int32_t)(i * 7919 % 100000),
                                           .tag = rank,
                                           .bytes = (uint64_t)i << (rank % 40)});
    assert_int_equal(recording_seal(r), WEFT_OK);
    for (uint32_t rank = 0; rank < STREAMS; rank++) {
        record_open(&in, r, rank);
        for (uint32_t i = 0; i < RECORDS; i++) {
            if (rank % (1 + i % 3))
                continue;
            record_next(&in, &e);
            assert_int_equal(e.kind, RECORD_SEND);
            assert_int_equal(e.peer, i * 7919 % 100000);
            assert_int_equal(e.tag, rank);
            assert_true(e.bytes == (uint64_t)i << (rank % 40));
        }
        record_next(&in, &e);
        assert_int_equal(e.kind, RECORD_END);
        record_close(&in);
    }
    recording_destroy(r);
}

/* Functions of MPI's chapter have a row each, and traces find the rows that they may name. */
static void test_every_collective_has_a_row(void **state)
{
    const struct collective_kind *kind;
    char name[64];
    bool nonblocking;
    (void)state;
    for (enum call call = 0; call < CALLS; call++)
        assert_int_equal(collective_of(call) != NULL, call_chapter(call) == CHAPTER_COLLECTIVE);
    for (unsigned i = 0; (kind = collective_at(i)); i++) {
        assert_ptr_equal(collective_of(kind->call), kind);
        assert_ptr_equal(collective_of(kind->nonblocking), kind);
        assert_non_null(kind->start);
        assert_int_equal(call_named(call_name(kind->call) + strlen("MPI_")), kind->call);
        if (!kind->action)
            continue;
        snprintf(name, sizeof(name), "i%s", kind->action);
        assert_ptr_equal(collective_by_action(name, &nonblocking), kind);
        assert_true(nonblocking);
        assert_ptr_equal(collective_by_action(kind->action, &nonblocking), kind);
        assert_false(nonblocking);
    }
}

GROUP(ti)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_messages_and_waits),
        cmocka_unit_test(test_old_traces_have_no_tags),
        cmocka_unit_test(test_operations),
        cmocka_unit_test(test_words_of_one_call),
        cmocka_unit_test(test_what_is_wrong_is_named),
        cmocka_unit_test(test_streams_of_many_ranks_come_back),
        cmocka_unit_test(test_every_collective_has_a_row),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
