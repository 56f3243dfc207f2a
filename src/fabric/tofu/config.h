/* A Tofu machine as its keys describe it, and what is derived from them. */
#ifndef WEFT_FABRIC_TOFU_CONFIG_H
#define WEFT_FABRIC_TOFU_CONFIG_H

#include "config/keys.h"
#include "fabric/tofu/params.h"

struct tofu_config {
    struct torus shape;
    char dead_nodes[CONFIG_TEXT], dead_boards[CONFIG_TEXT], dead_groups[CONFIG_TEXT],
        dead_links[CONFIG_TEXT];
    char bad_links[CONFIG_TEXT];                            /* "1/2/3/0/1/0:x+@1000-5000,..." */
    char compute_order[CONFIG_TEXT], io_order[CONFIG_TEXT]; /* "zxy" */
    char bricks[CONFIG_TEXT];                               /* "auto", or cuts per axis */
    bool io_plane;
    struct tofu_params router;
    struct tofu_faults faults; /* made by tofu_config_finish() */
};

extern const struct key_section tofu_section;
extern const struct key_table tofu_keys;

/* Checks that the values fit together, and parses the texts. */
weft_status tofu_config_finish(struct tofu_config *c);

/* How packets are routed; it refers to the configuration. */
struct tofu_routing tofu_config_routing(const struct tofu_config *c);

#endif
