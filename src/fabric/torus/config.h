/* A torus machine as its keys describe it, and what is derived from them. */
#ifndef WEFT_FABRIC_TORUS_CONFIG_H
#define WEFT_FABRIC_TORUS_CONFIG_H

#include "config/keys.h"
#include "fabric/torus/faults.h"
#include "fabric/torus/params.h"

struct torus_config {
    struct torus torus;
    char dead_nodes[CONFIG_TEXT], dead_links[CONFIG_TEXT]; /* "1/2/3,...", "1/2/3:x+,..." */
    char bad_links[CONFIG_TEXT];                           /* "1/2/3:x+@1000-5000,..." */
    char dateline[CONFIG_TEXT]; /* "highest", "none", or a coordinate per dimension */
    char bricks[CONFIG_TEXT];   /* "auto", or cuts per dimension, as 2x2x1 */
    uint32_t software_header_bytes;
    struct torus_params router;
    struct torus_faults faults; /* made by torus_config_finish(), as router.dateline is */
};

extern const struct key_section torus_section;
extern const struct key_table torus_keys;

/* Checks that the values fit together, and parses the texts. */
weft_status torus_config_finish(struct torus_config *c);

#endif
