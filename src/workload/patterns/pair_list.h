/*
 * Pairs that a user names: workload.list = 0-5,3-7, or a file with a line `FROM TO` for each. Of
 * packets they are nodes (names.h), of messages processes, by their numbers.
 */
#ifndef WEFT_WORKLOAD_PATTERNS_PAIR_LIST_H
#define WEFT_WORKLOAD_PATTERNS_PAIR_LIST_H

#include "workload/workload.h"

enum exchange { EXCHANGE_BOTH, EXCHANGE_ONE_WAY, EXCHANGE_TURNS };
enum pairing { PAIRING_RANDOM, PAIRING_TRANSPOSE };

struct pairs_params {
    uint32_t pairs;
    char list[CONFIG_TEXT];
    enum pairing pairing;
    enum exchange exchange;
};

struct pair_list {
    uint32_t (*pair)[2]; /* places of nodes, or processes */
    size_t count;
};

/* Whether pairs are named. */
static inline bool pair_list_given(const struct workload *w, const struct pairs_params *p)
{
    return p->list[0] || w->params.file[0];
}

/* Reads them; without any, the list is empty. */
weft_status pair_list_read(const struct workload *w, const struct pairs_params *p,
                           struct pair_list *list);
weft_status pair_list_read_text(const struct workload *w, const char *name, const char *text,
                                size_t size, struct pair_list *list);
void pair_list_add(struct pair_list *list, uint32_t from, uint32_t to);
void pair_list_fini(struct pair_list *list);

#endif
