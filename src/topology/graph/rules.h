/*
 * Graphs by rule: what rules share, and one function per rule. To add one: its file, its function
 * here, its row in rules.c.
 */
#ifndef WEFT_TOPOLOGY_GRAPH_RULES_H
#define WEFT_TOPOLOGY_GRAPH_RULES_H

#include "topology/graph/graph.h"

enum { RULE_NUMBERS = 8 };

struct rule_numbers {
    uint32_t value[RULE_NUMBERS];
    unsigned count; /* there may be more than have room */
};

/* Digits; a number too large for 32 bits becomes UINT32_MAX. Moves behind them. */
bool rule_number(const char **text, uint32_t *number);

/* Numbers above 0 joined by a separator; moves behind them. */
bool rule_numbers(const char **text, char separator, struct rule_numbers *n);

/* ":N"; a default, unless that is 0, if there is nothing more. */
bool rule_more(const char **text, uint32_t otherwise, uint32_t *value);

weft_status rule_too_many_switches(const char *text);
weft_status rule_too_many_ports(const char *text, uint64_t ports);
weft_status rule_too_many(const char *text, const char *what, int most);

/* graph_finish() with the same hosts at the first `leaves` switches, none at the others. */
weft_status rule_finish(struct graph *g, const char *text, uint32_t leaves, uint32_t hosts);

/* Names of links along dimensions, of tori and of HyperX. */
extern const char *const rule_dimension_names[TORUS_MAX_DIMS];

/* Each makes the graph of a text, of which `at` is what follows the name of the rule. */
weft_status rule_kautz(const char *text, const char *at, struct graph *g);
weft_status rule_torus(const char *text, const char *at, struct graph *g);
weft_status rule_mesh(const char *text, const char *at, struct graph *g);
weft_status rule_hyperx(const char *text, const char *at, struct graph *g);
weft_status rule_full(const char *text, const char *at, struct graph *g);
weft_status rule_dragonfly(const char *text, const char *at, struct graph *g);
weft_status rule_xgft(const char *text, const char *at, struct graph *g);
weft_status rule_fattree(const char *text, const char *at, struct graph *g);

#endif
