/* OTF2 traces behind libotf2: what definitions say; how much collective operations give and get, by
 * Score-P's count; events whose meaning is told later; and arrays that lie in a file. What the
 * library itself reads is tested by tests/mpi/otf2.sh. */
#define _GNU_SOURCE
#include "group.h"
#include "testing.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "trace/format.h"
#include "trace/otf2/otf2.h"

extern const struct trace_format otf2_format;

/* ---- sizes ---- */

static void test_sizes_are_those_of_one_member(void **state)
{
    (void)state;
    static const struct {
        enum call operation;
        uint32_t n, me, root;
        uint64_t sent, received, expected;
        bool in_place;
    } cases[] = {
        {CALL_Barrier, 4, 1, 0, 0, 0, 0, false},
        {CALL_Bcast, 4, 2, 2, 400, 100, 100, false},
        {CALL_Bcast, 4, 1, 2, 0, 100, 100, false},
        {CALL_Bcast, 4, 2, 2, 400, 0, 100, false}, /* the root of another tool */
        {CALL_Gather, 4, 0, 0, 100, 400, 100, false},
        {CALL_Gather, 4, 0, 0, 0, 300, 100, true},
        {CALL_Gather, 4, 3, 0, 100, 0, 100, false},
        {CALL_Scatter, 4, 0, 0, 400, 100, 100, false},
        {CALL_Scatter, 4, 0, 0, 300, 0, 100, true},
        {CALL_Scatter, 4, 3, 0, 0, 100, 100, false},
        {CALL_Reduce, 4, 0, 0, 0, 300, 100, true},
        {CALL_Reduce, 1, 0, 0, 100, 100, 100, false},
        {CALL_Allreduce, 4, 1, 0, 400, 400, 100, false},
        {CALL_Allreduce, 6, 1, 0, 40, 40, 8, true},
        {CALL_Allreduce, 1, 0, 0, 8, 8, 8, false},
        {CALL_Allgather, 4, 1, 0, 400, 400, 100, false},
        {CALL_Alltoall, 4, 1, 0, 400, 400, 100, false},
        {CALL_Reduce_scatter_block, 4, 1, 0, 400, 400, 100, false},
        {CALL_Scan, 4, 0, 0, 400, 100, 100, false},
        {CALL_Scan, 4, 3, 0, 100, 400, 100, false},
        {CALL_Scan, 4, 3, 0, 0, 300, 100, true},
        {CALL_Scan, 4, 0, 0, 300, 0, 100, true},
        {CALL_Exscan, 4, 0, 0, 300, 0, 100, false},
        {CALL_Exscan, 4, 2, 0, 100, 200, 100, false},
        {CALL_Exscan, 1, 0, 0, 0, 0, 0, false},
    };
    for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct record e = {.kind = RECORD_OPERATION,
                           .operation = (uint16_t)cases[i].operation,
                           .peer = (int32_t)cases[i].root,
                           .bytes = cases[i].sent,
                           .other = cases[i].received};
        assert_true(otf2_sizes_fill(&e, cases[i].n, cases[i].me));
        if (e.bytes != cases[i].expected || !(e.flags & RECORD_IN_PLACE) == cases[i].in_place)
            fail_msg("case %u: %llu bytes, flags %u", i, (unsigned long long)e.bytes, e.flags);
    }
}

static void test_sizes_of_too_many_bytes_are_refused(void **state)
{
    (void)state;
    struct record e = {
        .operation = CALL_Bcast, .bytes = 0, .other = (uint64_t)INT32_MAX + 1, .peer = 1};
    assert_false(otf2_sizes_fill(&e, 2, 0));
    e = (struct record){.operation = CALL_Alltoallv, .bytes = UINT64_MAX};
    assert_false(otf2_sizes_fill(&e, 2, 0));
    uint64_t list[4];
    struct otf2_sizes row[2] = {{INT32_MAX, 0}, {1, INT32_MAX}};
    e = (struct record){.operation = CALL_Gatherv, .peer = 0};
    assert_false(otf2_sizes_list(&e, row, 2, 0, list)); /* together */
    assert_true(otf2_sizes_list(&e, row, 2, 1, list));  /* who is not the root has only its own */
}

static void test_rows_tell_what_is_in_place(void **state)
{
    (void)state;
    uint64_t list[3];
    struct record e = {.operation = CALL_Allgatherv};
    /* 6, 12 and 24 bytes: three times each, or twice. */
    struct otf2_sizes apart[3] = {{18, 42}, {36, 42}, {72, 42}};
    assert_true(otf2_sizes_list(&e, apart, 3, 1, list));
    assert_true(list[0] == 6 && list[1] == 12 && list[2] == 24 && e.bytes == 12);
    struct otf2_sizes in_place[3] = {{12, 36}, {24, 30}, {48, 18}};
    for (uint32_t me = 0; me < 3; me++) {
        assert_true(otf2_sizes_list(&e, in_place, 3, me, list));
        assert_true(list[0] == 6 && list[1] == 12 && list[2] == 24);
    }
}

static void test_shares_of_an_alltoallv_are_the_same_at_both_ends(void **state)
{
    (void)state;
    enum { N = 5 };
    struct otf2_sizes row[N] = {{100, 7}, {3, 90}, {0, 41}, {77, 0}, {20, 62}};
    uint64_t list[N][2 * N];
    for (uint32_t me = 0; me < N; me++) {
        struct record e = {.operation = CALL_Alltoallv};
        assert_true(otf2_sizes_list(&e, row, N, me, list[me]));
        assert_int_equal(e.listed, 2 * N);
    }
    for (uint32_t i = 0; i < N; i++) {
        uint64_t sum = 0;
        for (uint32_t k = 0; k < N; k++) {
            assert_int_equal(list[i][k], list[k][N + i]);
            sum += list[i][k];
        }
        assert_true(sum + N >= row[i].sent && sum <= row[i].sent + N); /* but for rounding */
    }
}

/* ---- the anchor file ---- */

enum { ANCHOR_ROOM = 200, AT_CHUNK = 12, AT_LOCATIONS = 30, AT_DEFINITIONS = 38, AT_STRINGS = 46 };

/* A number of so many bytes, of either order. */
static void put(unsigned char *to, uint64_t value, unsigned width, bool big)
{
    for (unsigned i = 0; i < width; i++)
        to[big ? width - 1 - i : i] = (unsigned char)(value >> 8 * i);
}

/* As libotf2 writes it: 6 locations and 51 definitions, without names, and with two properties. */
static size_t make_anchor(unsigned char *to, unsigned format, bool big)
{
    static const unsigned char head[] = {3,      0x42, 'O', 'T', 'F', '2', 0, 3, 2, 3, 0, 2,
                                         /* */ 0};
    static const char properties[] = "A::B\0value\0C::D\0";
    size_t at = AT_STRINGS + 3;
    memset(to, 0, ANCHOR_ROOM);
    memcpy(to, head, AT_CHUNK);
    to[1] = big ? 0x23 : 0x42;
    to[7] = (unsigned char)format;
    put(to + AT_CHUNK, 1 << 20, 8, big);
    put(to + AT_CHUNK + 8, 4 << 20, 8, big);
    to[AT_CHUNK + 16] = to[AT_CHUNK + 17] = 1;
    put(to + AT_LOCATIONS, 6, 8, big);
    put(to + AT_DEFINITIONS, 51, 8, big);
    if (format > 1) {
        put(to + at, 2, 4, big);
        memcpy(to + at + 4, properties, sizeof(properties));
        at += 4 + sizeof(properties) + 8;
    }
    at += format > 2 ? 8 : 0;
    to[at] = format > 2 ? 2 : 0;
    return at + (format > 2 ? 3 : 0); /* also the end of a buffer and of a chunk */
}

static weft_status check_anchor(const unsigned char *bytes, size_t size)
{
    FILE *f = fopen("a.otf2", "wb");
    assert_int_equal(fwrite(bytes, 1, size, f), size);
    fclose(f);
    return otf2_anchor_check("a.otf2");
}

static void refuse_anchor(const unsigned char *bytes, size_t size, const char *text)
{
    if (check_anchor(bytes, size) != WEFT_BAD_INPUT || !strstr(weft_last_error(), text))
        fail_msg("'%s', not '%s'", weft_last_error(), text);
}

static void test_anchors_are_checked_before_libotf2_reads_them(void **state)
{
    (void)state;
    static const struct {
        unsigned at, width;
        uint64_t value;
        const char *text;
    } forged[] = {
        {0, 1, 2, "byte 0: an anchor file of OTF2 does not begin so"},
        {1, 1, 0x24, "byte 0: an anchor file of OTF2 does not begin so"},
        {6, 1, 'x', "byte 0: an anchor file of OTF2 does not begin so"},
        {7, 1, 0, "byte 7: format 0 of an anchor file, which there is not"},
        {12, 8, (256 << 10) - 1, "byte 12: chunks of events of 262143 bytes"},
        {12, 8, UINT64_MAX, "byte 12: chunks of events of 18446744073709551615 bytes"},
        {20, 8, (16 << 20) + 1, "byte 20: chunks of definitions of 16777217 bytes"},
        {30, 8, 301, "byte 30: 301 locations, for which its file of definitions is too short"},
        {38, 8, UINT64_MAX, "byte 38: 18446744073709551615 definitions, for which its file"},
        {49, 4, 0x80000001, "byte 49: 2147483649 properties, for which the file is too short"},
        {49, 4, 9, "the anchor file ends too early"},
        {86, 1, 3, "byte 86: the anchor file does not end here as it should"},
    };
    char folder[] = "/tmp/weft-anchor-XXXXXX";
    unsigned char bytes[ANCHOR_ROOM];
    assert_non_null(mkdtemp(folder));
    assert_int_equal(chdir(folder), 0);
    FILE *definitions = fopen("a.def", "wb");
    for (unsigned i = 0; i < 600; i++)
        fputc(0, definitions);
    fclose(definitions);
    for (unsigned big = 0; big < 2; big++)
        for (unsigned format = 1; format <= 4; format++) { /* a later one may append more */
            size_t size = make_anchor(bytes, format, big);
            if (check_anchor(bytes, size) != WEFT_OK)
                fail_msg("format %u: %s", format, weft_last_error());
            for (size_t cut = 0; cut < size - (format > 2 ? 2 : 0) - (format > 3); cut++)
                assert_int_equal(check_anchor(bytes, cut), WEFT_BAD_INPUT);
        }
    for (unsigned i = 0; i < sizeof(forged) / sizeof(forged[0]); i++) {
        size_t size = make_anchor(bytes, 3, i % 2);
        put(bytes + forged[i].at, forged[i].value, forged[i].width, i % 2);
        refuse_anchor(bytes, size, forged[i].text);
    }
    unlink("a.def"); /* that is for libotf2 to say */
    assert_int_equal(check_anchor(bytes, make_anchor(bytes, 3, false)), WEFT_OK);
    unlink("a.otf2");
    assert_int_equal(chdir("/"), 0);
    rmdir(folder);
}

/* ---- events ---- */

enum { INIT, IRECV, WAIT, STARTALL, MAIN, SENDRECV };

/* Three ranks; communicator 2 has ranks 2 and 0, communicator 3 two sides. */
static void define(struct otf2_world *w, struct recording **to)
{
    static const char *const names[] = {"MPI_Init",     "mpi_irecv_", "MPI_Wait()",
                                        "MPI_Startall", "main",       "PMPI_Sendrecv"};
    static const uint64_t locations[] = {7, 5, 6}, all[] = {0, 1, 2}, pair[] = {2, 0}, one[] = {1};
    assert_int_equal(recording_create(to), WEFT_OK);
    otf2_world_init(w, "t.otf2", *to);
    w->ticks = 1000;
    for (uint32_t i = 0; i < 6; i++) {
        otf2_world_region(w, i, 10 + i, false); /* before the name */
        otf2_world_string(w, 10 + i, names[i]);
    }
    otf2_world_group(w, 3, GROUP_RANKS, pair, 2);
    otf2_world_group(w, 0, GROUP_LOCATIONS, locations, 3);
    otf2_world_group(w, 1, GROUP_RANKS, all, 3);
    otf2_world_group(w, 2, GROUP_SELF, NULL, 0);
    otf2_world_group(w, 4, GROUP_RANKS, one, 1);
    otf2_world_string(w, 30, "MPI_COMM_WORLD");
    otf2_world_string(w, 31, "copy");
    otf2_world_comm(w, &(struct otf2_comm){.ref = 9, .name = 31, .group = {1}});
    otf2_world_comm(w, &(struct otf2_comm){.ref = 0, .name = 30, .group = {1}});
    otf2_world_comm(w, &(struct otf2_comm){.ref = 1, .name = 31, .group = {2}});
    otf2_world_comm(w, &(struct otf2_comm){.ref = 2, .name = 31, .group = {3}});
    otf2_world_comm(w, &(struct otf2_comm){.ref = 3, .name = 31, .group = {3, 4}, .two = true});
}

static void test_definitions_are_ranks_and_communicators(void **state)
{
    (void)state;
    struct otf2_world w;
    struct recording *to;
    define(&w, &to);
    assert_int_equal(otf2_world_settle(&w), WEFT_OK);
    assert_int_equal(to->ranks, 3);
    assert_int_equal(w.location[1], 5);
    assert_int_equal(*map_find(&w.comms, 0), COMM_WORLD); /* by its name, though another is first */
    assert_int_equal(*map_find(&w.comms, 1), COMM_SELF);
    assert_int_equal(*map_find(&w.comms, 9), COMM_FIRST);
    assert_null(map_find(&w.regions, MAIN));
    assert_int_equal(*map_find(&w.regions, SENDRECV), REGION_EXCHANGE);
    struct otf2_member m = {.world = &w, .rank = 1};
    uint32_t place;
    unsigned side;
    assert_false(otf2_position(&m, COMM_FIRST + 1, &place, &side));
    assert_true(otf2_position(&m, COMM_FIRST + 2, &place, &side) && side == 1 && place == 0);
    map_fini(&m.positions);
    otf2_world_fini(&w);
    recording_destroy(to);
}

static void expect(struct record_reader *in, struct record *e, enum record_kind kind,
                   unsigned flags)
{
    record_next(in, e);
    assert_int_equal(e->kind, kind);
    assert_int_equal(e->flags, flags);
}

#define AT(NUMBER, TIME) (otf2_rank_at(&r, NUMBER, TIME), &r)
#define OK(CALL)         assert_int_equal(CALL, WEFT_OK)

/* Rank 0 begins three receives with one call: the first is cancelled, the second gets its message
 * in the end, the third never does. */
static void test_receives_are_told_when_they_end(void **state)
{
    (void)state;
    struct otf2_world w;
    struct recording *to;
    struct otf2_drafts drafts;
    struct otf2_rank r;
    struct record_reader in;
    struct record e;
    define(&w, &to);
    OK(otf2_world_settle(&w));
    OK(otf2_drafts_init(&drafts));
    otf2_rank_begin(&r, &w, &drafts, 0);
    OK(otf2_rank_enter(AT(1, 1000), INIT));
    OK(otf2_rank_leave(AT(2, 2000), INIT));
    OK(otf2_rank_enter(AT(3, 2500), STARTALL)); /* after half a second */
    OK(otf2_rank_start_receive(AT(4, 2500), 11));
    OK(otf2_rank_start_receive(AT(5, 2500), 12));
    OK(otf2_rank_start_receive(AT(6, 2500), 13));
    OK(otf2_rank_leave(AT(7, 3000), STARTALL));
    OK(otf2_rank_cancel(AT(8, 3000), 11));
    OK(otf2_rank_enter(AT(9, 3000), WAIT));
    OK(otf2_rank_end_receive(AT(10, 4000), &(struct otf2_message){0, 2, 5, 80}, 12));
    OK(otf2_rank_leave(AT(11, 4000), WAIT));
    otf2_rank_end(&r);
    otf2_rank_drop(&r);
    OK(otf2_finish(&w, &drafts));
    OK(recording_seal(to));
    record_open(&in, to, 0);
    expect(&in, &e, RECORD_SLEEP, 0);
    assert_true(e.amount == 0.5);
    expect(&in, &e, RECORD_COMM, 0); /* where it is first used, though that was told later */
    expect(&in, &e, RECORD_START_RECEIVE, 0);
    assert_true(e.peer == 2 && e.tag == 5 && e.bytes == 80 && e.comm == COMM_FIRST + 1);
    uint32_t slot = e.slot;
    expect(&in, &e, RECORD_WAIT, 0);
    assert_true(e.listed == 1 && e.list[0] == slot);
    expect(&in, &e, RECORD_END, 0);
    record_close(&in);
    otf2_drafts_fini(&drafts);
    otf2_world_fini(&w);
    recording_destroy(to);
}

/* The send of an exchange is told first, and done after its receive is begun. */
static void test_exchanges_receive_first(void **state)
{
    (void)state;
    struct otf2_world w;
    struct recording *to;
    struct otf2_drafts drafts;
    struct otf2_rank r;
    struct record_reader in;
    struct record e;
    define(&w, &to);
    OK(otf2_world_settle(&w));
    OK(otf2_drafts_init(&drafts));
    otf2_rank_begin(&r, &w, &drafts, 1);
    OK(otf2_rank_enter(AT(1, 0), SENDRECV));
    OK(otf2_rank_send(AT(2, 0), &(struct otf2_message){0, 3, 1, 10})); /* to the other side */
    OK(otf2_rank_receive(AT(3, 0), &(struct otf2_message){2, 0, 1, 20}));
    OK(otf2_rank_leave(AT(4, 0), SENDRECV));
    otf2_rank_drop(&r);
    OK(otf2_finish(&w, &drafts));
    OK(recording_seal(to));
    record_open(&in, to, 1);
    expect(&in, &e, RECORD_START_RECEIVE, 0);
    assert_true(e.peer == 2 && e.bytes == 20);
    expect(&in, &e, RECORD_COMM, RECORD_MORE);
    expect(&in, &e, RECORD_START_SEND, RECORD_MORE);
    assert_true(e.peer == 2 && e.bytes == 10 && e.comm == COMM_FIRST + 2);
    expect(&in, &e, RECORD_WAIT, RECORD_MORE);
    assert_int_equal(e.listed, 2);
    expect(&in, &e, RECORD_END, 0);
    record_close(&in);
    otf2_drafts_fini(&drafts);
    otf2_world_fini(&w);
    recording_destroy(to);
}

/* ---- shelves ---- */

static void test_shelves_keep_more_than_memory_holds(void **state)
{
    (void)state;
    enum { MANY = 200000, STEP = 7919 };
    struct paged_array *s;
    assert_int_equal(paged_array_create(sizeof(uint64_t), &s), WEFT_OK);
    for (uint64_t i = 0, at = 0; i < MANY; i++, at = (at + STEP) % MANY)
        *(uint64_t *)paged_array_change(s, at) += at + 1;
    for (uint64_t i = 0; i < MANY; i++)
        assert_int_equal(*(const uint64_t *)paged_array_read(s, i), i + 1);
    assert_int_equal(*(const uint64_t *)paged_array_read(s, 10 * MANY), 0);
    assert_int_equal(paged_array_check(s), WEFT_OK);
    paged_array_destroy(s);
}

/* ---- files ---- */

static void write_file(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static bool is_anchor(const char *path)
{
    return otf2_format.matches(&(struct trace_file){.path = path});
}

static bool is_misnamed(const char *path)
{
    struct trace_file file = trace_file_at(path);
    return otf2_format.refuse_file(&file) != WEFT_OK;
}

static void test_the_hash_is_of_all_files(void **state)
{
    (void)state;
    char folder[] = "/tmp/weft-otf2-XXXXXX";
    uint64_t hash[5];
    assert_non_null(mkdtemp(folder));
    assert_int_equal(chdir(folder), 0);
    assert_int_equal(mkdir("t", 0700), 0);
    write_file("t.otf2", "\3BOTF2");
    hash[0] = otf2_format.hash("t.otf2");
    write_file("t.def", "1");
    hash[1] = otf2_format.hash("t.otf2");
    write_file("t/0.evt", "2");
    hash[2] = otf2_format.hash("t.otf2");
    write_file("t/0.evt", "3");
    hash[3] = otf2_format.hash("t.otf2");
    write_file("t.otf2", "\3LOTF2");
    hash[4] = otf2_format.hash("t.otf2");
    for (unsigned i = 0; i < 5; i++)
        for (unsigned k = 0; k < i; k++)
            assert_true(hash[i] != hash[k]);
    assert_int_equal(otf2_format.hash("t.otf2"), hash[4]);
    assert_true(is_anchor("t.otf2") && is_anchor("none.otf2"));
    assert_false(is_misnamed("t.otf2") || is_misnamed("none.otf2"));
    assert_int_equal(rename("t.otf2", "anchor"), 0);
    assert_true(!is_anchor("anchor") && is_misnamed("anchor"));
    assert_false(is_anchor("t.def") || is_misnamed("t.def"));
    assert_false(is_anchor("none") || is_misnamed("none"));
    unlink("t/0.evt"), unlink("t.def"), unlink("anchor"), rmdir("t");
    assert_int_equal(chdir("/"), 0);
    rmdir(folder);
}

GROUP(otf2)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes_are_those_of_one_member),
        cmocka_unit_test(test_sizes_of_too_many_bytes_are_refused),
        cmocka_unit_test(test_rows_tell_what_is_in_place),
        cmocka_unit_test(test_shares_of_an_alltoallv_are_the_same_at_both_ends),
        cmocka_unit_test(test_anchors_are_checked_before_libotf2_reads_them),
        cmocka_unit_test(test_definitions_are_ranks_and_communicators),
        cmocka_unit_test(test_receives_are_told_when_they_end),
        cmocka_unit_test(test_exchanges_receive_first),
        cmocka_unit_test(test_the_hash_is_of_all_files),
        cmocka_unit_test(test_shelves_keep_more_than_memory_holds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
