/*
 * Lists of nodes, or of cells: each once, in the order in which they are named.
 *
 *   0-63,70        numbers and ranges
 *   0-62:2         every second number of a range
 *   a file         nodes by their names (names.h), separated by blanks or lines
 */
#ifndef WEFT_WORKLOAD_NUMBER_LIST_H
#define WEFT_WORKLOAD_NUMBER_LIST_H

#include "workload/workload.h"

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
