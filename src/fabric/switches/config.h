/* A network of switches as its keys describe it. */
#ifndef WEFT_FABRIC_SWITCHES_CONFIG_H
#define WEFT_FABRIC_SWITCHES_CONFIG_H

#include "config/keys.h"
#include "fabric/switches/params.h"

struct switches_config {
    char graph[CONFIG_TEXT]; /* as topology/graph/routes.h has it */
    struct switches_params params;
    uint32_t partitions;      /* 0: by the number of threads */
    uint32_t hosts, switches; /* after switches_config_finish() */
};

extern const struct key_section switches_section;
extern const struct key_table switches_keys;

/* Checks that the values fit together, and counts the hosts. `packet_bytes`: of a full packet. */
weft_status switches_config_finish(struct switches_config *c, uint32_t packet_bytes);

/* The graph; the caller must free it. */
weft_status switches_config_graph(const struct switches_config *c, struct graph *g);

#endif
