/* A machine with a crosspoint fabric as its keys describe it, and what is made of their texts. */
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

/* Checks what has to fit together, and reads the texts. */
weft_status crosspoint_config_finish(struct crosspoint_config *c);

/* The graph, its dead nodes and links taken out; the caller's to free. */
weft_status crosspoint_config_graph(const struct crosspoint_config *c, struct digraph *graph);

/* The graph's nodes and links as they are, file or not; another file of the same name differs. */
uint64_t crosspoint_config_hash(const struct crosspoint_config *c);

#endif
