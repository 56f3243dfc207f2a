/*
 * Nodes by name, in files and lists of traffic: by their numbers, or on machines with coordinates
 * as 1/2/3. Nodes that are dead, or no endpoints of traffic, are refused.
 */
#ifndef WEFT_WORKLOAD_NAMES_H
#define WEFT_WORKLOAD_NAMES_H

#include "base/file/input.h"
#include "workload/workload.h"

enum { NODE_NAME = 72, NODE_WRONG = 200 }; /* characters */

/* The endpoint of a node; NOBODY: it has none. */
uint32_t site_find_endpoint(const struct site *site, uint32_t node);

/* The node of a name; false: there is none that can send, and `wrong` says why. */
bool site_node_named(const struct site *site, const char *name, uint32_t *node,
                     char wrong[NODE_WRONG]);

/* What names there are: "a number below 64, or coordinates as 1/2/3". */
const char *site_names(const struct site *site, char text[NODE_WRONG]);

/* Reads the name of a node from a line; complains with file, line and column. */
weft_status lines_node(struct lines *l, const struct site *site, uint32_t *node);

/* ---- lists ---- */

/*
 * Lists of nodes, or of cells: each once, in the order in which they are named.
 *
 *   0-63,70        numbers and ranges
 *   0-62:2         every second number of a range
 *   a file         names of nodes, separated by blanks or lines
 */
struct number_list {
    const char *what; /* they number */
    uint32_t most, count;
    uint32_t *number;
    bool *named; /* while it is read */
};

/* `what` and `most` must be set. Whatever the status, number_list_fini() frees it. */
weft_status number_list_read(struct number_list *list, const char *text);

/* Nodes of a file. */
weft_status number_list_file(struct number_list *list, const struct site *site, const char *path);
weft_status number_list_lines(struct number_list *list, const struct site *site, const char *name,
                              const char *text, size_t size);

void number_list_fini(struct number_list *list);

#endif
