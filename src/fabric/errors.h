/*
 * Errors on links: which bits of passing frames are flipped. Links of any fabric may make errors;
 * recovering from them is up to the fabric.
 *
 * Errors occur at a rate per bit, singly or in bursts; a link may be bad for a time. Each link
 * draws its own errors, so they do not depend on what other links carry.
 */
#ifndef WEFT_FABRIC_ERRORS_H
#define WEFT_FABRIC_ERRORS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/random.h"
#include "engine/wheel.h"

enum { ERRORS_BAD_MAX = 16 };

struct bad_link {
    uint32_t node, port;
    cycle_t from, to;
};

struct error_params {
    double bit_error_rate;
    uint32_t burst_bits;   /* span of an error: first and last bit are always flipped */
    double bad_error_rate; /* of links while they are bad */
    uint32_t bad_links;
    struct bad_link bad[ERRORS_BAD_MAX];
};

static inline bool errors_any(const struct error_params *p)
{
    return p->bit_error_rate > 0 || p->bad_links > 0;
}

/* Whether a link is bad at some time, from a first cycle to a last one. */
bool errors_is_bad(const struct error_params *p, uint32_t node, uint32_t port, cycle_t first,
                   cycle_t last);

/* One direction of one link. */
struct error_source {
    uint64_t good_bits;  /* until the next error, counted from the end of a burst */
    uint64_t random;     /* state of its random generator */
    uint32_t burst_left; /* bits of a burst that continues in the next frame */
};

void errors_init(struct error_source *s, const struct error_params *p, uint64_t key);

/* Whether bits of a frame that leaves `node` by `port` may be flipped. If not, the frame has
 * passed: the caller need not make its bytes and must not call errors_pass() for it. */
bool errors_will_hit(struct error_source *s, const struct error_params *p, uint32_t node,
                     uint32_t port, cycle_t time, uint32_t bits);

/* Flips bits of a frame that errors_will_hit() announced; returns how many. */
unsigned errors_pass(struct error_source *s, const struct error_params *p, uint32_t node,
                     uint32_t port, cycle_t time, uint8_t *bytes, uint32_t bits);

/*
 * The keys of links that make errors, as rows of a fabric's table. PROTOCOL, ERRORS, TEXT: where
 * its configuration has the switch, struct error_params, and what errors_parse_bad() reads;
 * MODELLED: what the protocol has; CARRIED: what links carry; LINK: a link, for example.
 */
#define ERRORS_KEYS(PROTOCOL, ERRORS, MODELLED, CARRIED)                                           \
    {"machine.link.protocol",                                                                      \
     KEY_BOOL,                                                                                     \
     PROTOCOL,                                                                                     \
     "",                                                                                           \
     NULL,                                                                                         \
     .help = "model CRCs, " MODELLED "; always on when links make errors"},                        \
        {"machine.link.bit_error_rate",                                                            \
         KEY_REAL,                                                                                 \
         (ERRORS) + offsetof(struct error_params, bit_error_rate),                                 \
         "",                                                                                       \
         NULL,                                                                                     \
         0,                                                                                        \
         0.1,                                                                                      \
         .help = "per bit, on every link, for " CARRIED " alike"},                                 \
    {                                                                                              \
        "machine.link.burst_bits", KEY_U32, (ERRORS) + offsetof(struct error_params, burst_bits),  \
            "bits", NULL, 1, 2048,                                                                 \
            .help = "length of an error: its first and last bit flip, those between at random"     \
    }

#define ERRORS_BAD_LINKS_KEY(TEXT, LINK)                                                           \
    {                                                                                              \
        "machine.link.bad_links", KEY_TEXT, TEXT, "", NULL,                                        \
            .help = "bad for a time: " LINK "@1000-5000, or " LINK "@1000- with no end (cycles); " \
                    "joined by commas"                                                             \
    }

#define ERRORS_BAD_RATE_KEY(ERRORS)                                                                \
    {                                                                                              \
        "machine.link.bad_error_rate", KEY_REAL,                                                   \
            (ERRORS) + offsetof(struct error_params, bad_error_rate), "", NULL, 0, 1,              \
            .help = "per bit, on bad links while they are bad; 0.5: noise, 1: all bits inverted"   \
    }

/*
 * Reads machine.link.bad_links, links and when they are bad: "LINK@1000-5000,LINK@700-", or "none".
 * `find` looks up a link by this fabric's name for it; `example` is such a name.
 */
weft_status errors_parse_bad(const char *list, const char *example,
                             bool (*find)(const void *ctx, const char *link, uint32_t *node,
                                          uint32_t *port),
                             const void *ctx, struct error_params *params);

/* Fields of packed headers, and what packets carry. */

/* Appends a field to a packed word; `left`: bits still free, counted from the top. */
static inline void put_bits(uint64_t *word, unsigned *left, unsigned bits, uint64_t value)
{
    *left -= bits;
    *word |= (value & ((1ull << bits) - 1)) << *left;
}

static inline uint64_t take_bits(uint64_t word, unsigned *left, unsigned bits)
{
    *left -= bits;
    return word >> *left & ((1ull << bits) - 1);
}

/* Numbers as they are on a wire, most significant byte first. */
static inline void put_bytes(uint8_t *bytes, unsigned count, uint64_t number)
{
    for (unsigned i = count; i-- > 0; number >>= 8)
        bytes[i] = (uint8_t)number;
}

static inline uint64_t get_bytes(const uint8_t *bytes, unsigned count)
{
    uint64_t number = 0;
    for (unsigned i = 0; i < count; i++)
        number = number << 8 | bytes[i];
    return number;
}

/* A packet's payload, derived from its name: arbitrary, but the same wherever it is made. */
static inline uint64_t payload_word(uint32_t source, uint32_t sequence, uint32_t number)
{
    uint64_t name = (uint64_t)source << 32 | sequence;
    return random_mix(name + number * 0x9e3779b97f4a7c15u);
}

#endif
