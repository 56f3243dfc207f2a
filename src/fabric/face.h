/*
 * The face between a fabric and the network interfaces of its nodes: all that a nic which makes
 * packets knows of the network behind it, so that it serves any fabric that has this face.
 *
 *   nic                                      fabric
 *   inject(packet)      ──────────────────>  its first buffer, then hop by hop
 *   serve()             <──────────────────  the node was woken, or a buffer has room again
 *   deliver(packet)     <──────────────────  the packet is on its way into a node
 *
 * A packet is described once, by what a nic knows of it. What a fabric needs besides (words,
 * chunks, hint bits, virtual channels) follows from that, inside the fabric. Waking a node, the
 * time and the digest are the partition's (part.h).
 */
#ifndef WEFT_FABRIC_FACE_H
#define WEFT_FABRIC_FACE_H

#include "engine/fine.h"
#include "fabric/part.h"

enum face_flag {
    FACE_LAST = 1,      /* of its send */
    FACE_STREAM = 2,    /* of a buffer that an engine splits; else made by software */
    FACE_ADAPTIVE = 4,  /* may take any shortest route, and overtake others */
    FACE_ASKS = 8,      /* for `whole` bytes; brings none */
    FACE_GATE = 16,     /* for the gates of its destination (node/nic.h) */
    FACE_NUMBERED = 32, /* has a number, by which its receiver's nic puts it in order */
};

/* A route has at most so many bits; those above are the nic's. 0: none. */
enum { FACE_ROUTE_BITS = 58 };

/* (source, sequence) is its name. */
struct face_packet {
    cycle_t birth;
    uint64_t cargo; /* the sender's, opaque to the fabric */
    uint64_t route; /* that face_route() or face_routes() found */
    uint32_t source, sequence;
    uint32_t destination; /* node */
    uint64_t bytes;       /* of payload */
    fine_t start, length; /* where ports are the nic's (face.occupy): when its first byte leaves or
                           * comes, and for how long it occupies the port that it leaves by */
    uint32_t whole;       /* bytes of its send, or that it asks for; */
    uint32_t number;      /* the nic's own: these two travel where face.labels says so */
    uint8_t flags;        /* enum face_flag */
    uint8_t port;         /* of its sender that it was injected by */
    uint8_t started;      /* what face.start said of its send; 0 where there is none */
};

/* In an initialiser: what a packet of any fabric and a struct face_packet have in common. */
#define FACE_COMMON(PACKET)                                                                        \
    .birth = (PACKET)->birth, .cargo = (PACKET)->cargo, .source = (PACKET)->source,                \
    .sequence = (PACKET)->sequence, .destination = (PACKET)->destination, .bytes = (PACKET)->bytes

/* What becomes of a packet that a nic is handed. */
struct face_taken {
    cycle_t next; /* when there is a place for the last byte of the next one */
    cycle_t done; /* when the nic has taken this one out of the buffer that it came to */
};

struct face_client {
    void *ctx;
    /* Makes the client's state for a partition; runs on the thread that will use it. */
    void (*prepare)(void *ctx, struct network_part *part);
    /* The node was woken, or a buffer that its packets begin in has room again. */
    void (*serve)(void *ctx, struct network_part *part, uint32_t local, uint32_t node, cycle_t now);
    /* The last byte of a packet will be there in cycle `when`. */
    struct face_taken (*deliver)(void *ctx, struct network_part *part, uint32_t local,
                                 const struct face_packet *packet, cycle_t when);
};

/* What a fabric offers; the first member of what it keeps for that. */
struct face {
    uint32_t routes_most; /* routes of one pair that share nothing, at most */
    uint32_t ports;       /* by which a node injects */
    bool overtaking;      /* FACE_ADAPTIVE packets may overtake others; else all keep their order */
    bool labels;          /* packets have room for `whole` and `number` */
    double cycles_per_us;
    /* Takes a packet by a port; false: there is no room, and serve() is called when there is.
     * *free_at: the first cycle in which the port may take another, if nothing holds this one up.
     */
    bool (*inject)(const struct face *face, struct network_part *part, uint32_t local,
                   unsigned port, const struct face_packet *packet, cycle_t *free_at);
    /* Whether a port has passed on the packet that it took last. NULL: inject() says. */
    bool (*is_free)(const struct network_part *part, uint32_t local, unsigned port);
    /* The ports that packets to a node should take, as a mask. NULL: any. */
    uint32_t (*ports_to)(const struct face *face, const struct network_part *part, uint32_t local,
                         uint32_t to);
    /* The usual route from one node to another: if there are several, one of them by number. NULL:
     * packets need none. */
    uint64_t (*route)(const struct face *face, uint32_t from, uint32_t to, unsigned number);
    /* Numbers routes that a sender may spread over its ports. NULL: all are alike. */
    unsigned (*spread)(uint64_t route);
    /* Up to `most` routes that share nothing; returns how many, at least one. NULL: there is only
     * the usual one. */
    uint32_t (*routes)(const struct face *face, uint32_t from, uint32_t to, uint32_t most,
                       uint64_t *route);
    /* A send of so many packets starts: it may get another route than it was posted with. Returns
     * what its packets bring as `started`; 0: it must not start, now or later. NULL: routes stay as
     * they are. */
    uint8_t (*start)(const struct face *face, struct network_part *part, uint32_t local,
                     uint32_t to, uint64_t packets, uint64_t *route);
    uint8_t starts; /* the most that it says */
    /* A packet that has come occupies its receiver's port. NULL: ports are the fabric's. */
    void (*occupy)(struct network_part *part, uint32_t local, fine_t start, fine_t length);
    /* Whether a node exists, and a route from a local node leads there: for restored states. */
    bool (*leads)(const struct face *face, const struct network_part *part, uint32_t local,
                  uint32_t to, uint64_t route);
};

static inline bool face_is_free(const struct face *f, const struct network_part *part,
                                uint32_t local, unsigned port)
{
    return !f->is_free || f->is_free(part, local, port);
}

static inline uint32_t face_ports_to(const struct face *f, const struct network_part *part,
                                     uint32_t local, uint32_t to)
{
    return f->ports_to ? f->ports_to(f, part, local, to) : (1u << f->ports) - 1;
}

static inline uint64_t face_route(const struct face *f, uint32_t from, uint32_t to, unsigned number)
{
    return f->route ? f->route(f, from, to, number) : 0;
}

static inline unsigned face_spread(const struct face *f, uint64_t route)
{
    return f->spread ? f->spread(route) : 0;
}

static inline uint32_t face_routes(const struct face *f, uint32_t from, uint32_t to, uint32_t most,
                                   uint64_t *route)
{
    if (f->routes)
        return f->routes(f, from, to, most, route);
    route[0] = face_route(f, from, to, 0);
    return 1;
}

#endif
