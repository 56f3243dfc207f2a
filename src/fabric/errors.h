/*
 * Errors on links: which bits of what passes are flipped. Any fabric's links may make them; what
 * mends them is the fabric's own business.
 *
 * Errors come at a rate a bit, alone or in bursts; a link may be bad for a time. Each link draws
 * its own, so that they do not depend on what other links carry.
 */
#ifndef WEFT_FABRIC_ERRORS_H
#define WEFT_FABRIC_ERRORS_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/wheel.h"

enum { ERRORS_BAD_MAX = 16 };

struct error_params {
    double bit_error_rate;
    uint32_t burst_bits;   /* an error flips this many bits, first and last for sure */
    double bad_error_rate; /* of links that are bad for a time */
    uint32_t bad_links;
    struct {
        uint32_t node, port;
        cycle_t from, to;
    } bad[ERRORS_BAD_MAX];
};

static inline bool errors_any(const struct error_params *p)
{
    return p->bit_error_rate > 0 || p->bad_links > 0;
}

/* One direction of one link. */
struct error_source {
    uint64_t good_bits;  /* until the next error, from the end of a burst on */
    uint64_t random;     /* state of its draws */
    uint32_t burst_left; /* bits of a burst that goes on in the next frame */
};

void errors_init(struct error_source *s, const struct error_params *p, uint64_t key);

/* Whether bits of a frame that leaves `node` by `port` may be flipped. If not, the frame has
 * passed: its bytes need not be made, and errors_pass() is not called for it. */
bool errors_will_hit(struct error_source *s, const struct error_params *p, uint32_t node,
                     uint32_t port, cycle_t time, uint32_t bits);

/* Flips bits of such a frame; how many. */
unsigned errors_pass(struct error_source *s, const struct error_params *p, uint32_t node,
                     uint32_t port, cycle_t time, uint8_t *bytes, uint32_t bits);

/*
 * Reads machine.link.bad_links, links and when they are bad: "LINK@1000-5000,LINK@700-", or "none".
 * `find` knows how this fabric names a link, `example` is such a name.
 */
weft_status errors_parse_bad(const char *list, const char *example,
                             bool (*find)(const void *ctx, const char *link, uint32_t *node,
                                          uint32_t *port),
                             const void *ctx, struct error_params *params);

#endif
