/* Graph files, good ones and every kind of wrong one with its message. */
#include "group.h"
#include "graphs.h"

#include <unistd.h>

static void a_file_is_read_in_its_order(void **state)
{
    (void)state;
    struct graph g = read_graph("# a comment\n\n2 : 0 1 # another\r\n\t0:1 2\n1:2");
    assert_int_equal(g.nodes, 3);
    assert_int_equal(g.degree, 2);
    assert_int_equal(g.links, 5);
    assert_int_equal(next_node(&g, 2, 0), 0);
    assert_int_equal(next_node(&g, 2, 1), 1);
    assert_int_equal(g.from[1 * 2].node, 2); /* the line of node 2 came first */
    assert_int_equal(g.from[1 * 2 + 1].node, 0);
    check_tables(&g);
    graph_fini(&g);
}

static void a_file_is_read_by_its_path(void **state)
{
    (void)state;
    char path[] = "/tmp/weft-test-graph-XXXXXX";
    int descriptor = mkstemp(path);
    FILE *f = fdopen(descriptor, "w");
    for (int i = 0; i < 20000; i++) /* several pieces */
        fputs("# padding\n", f);
    fputs(irregular, f);
    fclose(f);
    struct graph g = make(path);
    assert_int_equal(g.nodes, 8);
    graph_fini(&g);
    unlink(path);
}

static void switches_are_read(void **state)
{
    (void)state;
    static const char text[] = "# two leaves below a spine, one of them by two links\n"
                               "2 0: 0 1 1\n0 3: 1\n1 2:\n";
    struct graph g;
    struct graph_routes r;
    assert_int_equal(graph_read_text("g", text, strlen(text), &g), WEFT_OK);
    check_ends(&g);
    assert_int_equal(g.nodes, 3);
    assert_int_equal(g.hosts, 5);
    assert_int_equal(g.links, 8);
    assert_int_equal(g.ports[1], 3);
    assert_int_equal(graph_routes_init(&r, &g), WEFT_OK);
    assert_int_equal(r.leaves, 2);
    assert_int_equal(graph_routes_hops(&r, 0, r.leaf[1]), 1);
    assert_int_equal(__builtin_popcountll(graph_routes_ports(&r, 2, r.leaf[1])), 2);
    graph_routes_fini(&r);
    graph_fini(&g);
}

static void refused(const char *text, size_t size, const char *message)
{
    struct graph g;
    assert_int_equal(graph_read_text("g", text, size, &g), WEFT_BAD_INPUT);
    assert_string_equal(weft_last_error(), message);
    graph_fini(&g);
}

static void wrong_files_are_refused(void **state)
{
    (void)state;
#define FORM        "write one line per node, FROM: TO TO ..., as 0: 1 2"
#define SWITCHES    "SWITCH HOSTS: TO TO ..., as 0 4: 1 2"
#define SWITCH_FORM "write one line per switch, " SWITCHES
#define EITHER      FORM "; or per switch, " SWITCHES
    static const char *const wrong[][2] = {
        {"", "g:1:1: no node; " EITHER},
        {"# nothing\n\n", "g:1:1: no node; " EITHER},
        {"b: 0\n", "g:1:1: 'b' is not a node number; " EITHER},
        {"0: 1\n1: 0\nb: 0\n", "g:3:1: 'b' is not a node number; " FORM},
        {"0: 1 x\n1: 0\n", "g:1:6: 'x' is not a node number; " FORM},
        {"0: 1x\n1: 0\n", "g:1:5: 'x' is not a node number; " FORM},
        {"0: -1\n", "g:1:4: a number with a sign; count from 0, without signs"},
        {"0: 1: 2\n", "g:1:5: ':' is not a node number; " FORM},
        {"0: \xff\n", "g:1:4: byte 0xff is not a node number; " FORM},
        {"0\n", "g:1:2: no ':' after node 0; " FORM},
        {"0: 1\n1 1: 0", "g:2:3: no ':' after node 1; " FORM},
        {"0: 1\n1", "g:2:2: no ':' after node 1; " FORM},
        {"0: 1\n1: 0\n 0: 1\n", "g:3:2: node 0 already has line 1; give all its links on one line"},
        {"0: 1\n1: 0 2\n", "g:2:6: there is no node 2; give it a line or remove the link"},
        {"0: 3\n3: 0\n",
         "g:2:1: node 3, but no line for node 1; give every node, from 0 on, a line"},
        {"0: 1\n1: 1\n", "g:2:4: a link from node 1 to itself; remove it"},
        {"0: 1 1\n1: 0\n", "g:1:6: a second link from node 0 to node 1; keep one: ports are "
                           "identified by their neighbour"},
        {"0: 1 2 3 4 5 6 7 8\n", "g:1:18: more than 7 links out of node 0; remove some"},
        {"1: 0\n2: 0\n3: 0\n4: 0\n5: 0\n6: 0\n7: 0\n8: 0\n0:\n",
         "g:8:4: more than 7 links into node 0; remove some"},
        {"65536:\n", "g:1:1: node number 65536 is too large; use numbers from 0 to 65535"},
        {"0: 123456789012345678901234567890\n",
         "g:1:4: node number 12345678901234567890 is too large; use numbers from 0 to 65535"},
        {"0 1: 1\n", "g:1:6: there is no switch 1; give it a line or remove the link"},
        {"0 1: 0\n", "g:1:6: a link from switch 0 to itself; remove it"},
        {"0 1: 2\n2 1:\n",
         "g:2:1: switch 2, but no line for switch 1; give every switch, from 0 on, a line"},
        {"0 1:\n0 1:\n", "g:2:1: switch 0 already has line 1; give all its links on one line"},
        {"0 1\n", "g:1:4: no ':' after the number of hosts; " SWITCH_FORM},
        {"0 1:\n1\n", "g:2:2: no number of hosts; " SWITCH_FORM},
        {"0 1:\n1: 0\n", "g:2:2: ':' is not a number of hosts; " SWITCH_FORM},
        {"0 x: 1\n", "g:1:3: 'x' is not a number of hosts; " SWITCH_FORM},
        {"0 65: 1\n", "g:1:3: number of hosts 65 is too large; use numbers from 0 to 64"},
        {"0 0: 1\n1 0:\n", "'g' has no hosts; give some switch a host"},
        {"0 60: 1 1 1 1 1\n1 0:\n",
         "'g' gives switch 0 5 links and 60 hosts; use at most 64 ports per switch"},
    };
#undef FORM
#undef SWITCHES
#undef SWITCH_FORM
#undef EITHER
    for (unsigned i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
        refused(wrong[i][0], strlen(wrong[i][0]), wrong[i][1]);
    refused("0: \0", 4, "g:1:4: a NUL byte; name a text file");
    refused("0:\n# \0\n", 7, "g:2:3: a NUL byte; name a text file");
}

static void wrong_names_are_refused(void **state)
{
    (void)state;
    static const char *const wrong[][2] = {
        {"kautz:a:6", "'kautz:a:6' is not a Kautz graph; use kautz:DEGREE:DIAMETER, as kautz:3:6"},
        {"kautz:3", "'kautz:3' is not a Kautz graph; use kautz:DEGREE:DIAMETER, as kautz:3:6"},
        {"kautz:3:6x",
         "'kautz:3:6x' is not a Kautz graph; use kautz:DEGREE:DIAMETER, as kautz:3:6"},
        {"kautz:0:6", "kautz:0:6 has degree 0; use a degree from 1 to 7"},
        {"kautz:8:2", "kautz:8:2 has degree 8; use a degree from 1 to 7"},
        {"kautz:3:0", "kautz:3:0 has diameter 0; use a diameter above 0"},
        {"kautz:3:10", "kautz:3:10 has more than 65536 nodes; use a diameter of at most 9"},
        {"kautz:2:99999999999",
         "'kautz:2:99999999999' has a number above 1048576; use smaller ones"},
        {"kautz:2:16", "kautz:2:16 has more than 65536 nodes; use a diameter of at most 15"},
        {"kautz:1:2", "kautz:1:2 has only two nodes, one hop apart; use kautz:1:1 or a "
                      "larger degree"},
        {"/no/such/file", "/no/such/file: No such file or directory; name a graph file, or a graph "
                          "as kautz:DEGREE:DIAMETER"},
        {"/", "/: Is a directory; name a graph file"},
        {"/dev/zero", "/dev/zero: is not a file but a pipe or a device, and a graph file is read "
                      "several times; write it to a file first"},
    };
    struct graph g;
    for (unsigned i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        assert_int_equal(graph_parse_direct(wrong[i][0], &g), WEFT_BAD_INPUT);
        assert_string_equal(weft_last_error(), wrong[i][1]);
    }
}

static void leaves_apart_are_refused(void **state)
{
    (void)state;
    static const char text[] = "0 1: 1\n1 1:\n2 1: 3\n3 1:\n";
    struct graph g;
    struct graph_routes r;
    assert_int_equal(graph_read_text("g", text, strlen(text), &g), WEFT_OK);
    assert_int_equal(graph_routes_init(&r, &g), WEFT_BAD_INPUT);
    assert_string_equal(weft_last_error(),
                        "machine.graph has no route from switch 2 to switch 0; link them, if only "
                        "through others");
    graph_routes_fini(&r);
    graph_fini(&g);
}

GROUP(graph_read)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_is_read_in_its_order), cmocka_unit_test(a_file_is_read_by_its_path),
        cmocka_unit_test(switches_are_read),           cmocka_unit_test(wrong_files_are_refused),
        cmocka_unit_test(wrong_names_are_refused),     cmocka_unit_test(leaves_apart_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
