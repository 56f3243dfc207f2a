/* A machine with a crosspoint fabric as its keys describe it, and what is derived from them. */
#ifndef WEFT_FABRIC_CROSSPOINT_CONFIG_H
#define WEFT_FABRIC_CROSSPOINT_CONFIG_H

#include "config/keys.h"
#include "fabric/crosspoint/params.h"

struct crosspoint_config {
    char graph[CONFIG_TEXT];                               /* "kautz:3:6", or a path */
    char dead_nodes[CONFIG_TEXT], dead_links[CONFIG_TEXT]; /* "5,77", "5>77,..." */
    char bad_links[CONFIG_TEXT];                           /* "5>77@1000-5000,..." */
    struct crosspoint_params params;
    uint32_t partitions;        /* 0: by the number of threads */
    uint32_t nodes, dead_count; /* of the graph, after crosspoint_config_finish() */
};

extern const struct key_section crosspoint_section;
extern const struct key_table crosspoint_keys;

/* Checks that the values fit together, and parses the texts. */
weft_status crosspoint_config_finish(struct crosspoint_config *c);

/* The graph without its dead nodes and links; the caller must free it. */
weft_status crosspoint_config_graph(const struct crosspoint_config *c, struct graph *graph);

/* A hash of the graph's nodes and links, not of its name: a file with new content differs. */
uint64_t crosspoint_config_hash(const struct crosspoint_config *c);

#endif
