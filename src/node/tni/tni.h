/*
 * The communication engines of a Tofu node (TOFU, "Multiple communications engines"): up to four,
 * each of which sends and receives at the same time, in any direction, at the rate of a link. They
 * send through the ports of their network (fabric/face.h); the port behind them is the barrier
 * interface's.
 *
 *   put   a buffer to another node: packets follow each other; the receiver's engine writes them to
 *         memory. Addresses are already resolved.
 *   get   (NIC_GET) asks the other node's engine to put a buffer here, without its processor
 *
 * A send goes through one engine, which serves its sends one after the other. Which one: the
 * route's, if the client asked for routes that share nothing (trunking: each has an engine of its
 * own); else a stream's is the one with the fewest sends, and that of other sends depends on
 * processor, first port and distance, so that those to one node keep their order. The receiving
 * engine is the one with the sender's number. Where a network changes routes when sends start
 * (face.start), events and packets for gates have numbers by which they are put in order.
 */
#ifndef WEFT_NODE_TNI_TNI_H
#define WEFT_NODE_TNI_TNI_H

#include "config/keys.h"
#include "fabric/face.h"
#include "node/nic.h"
#include "node/tni/gates.h"

/* Engines of a node, at most; how software chooses among the routes that the network has: by number
 * from 1 on, or in turn. */
enum { TNI_ENGINES = 4, TNI_PATHS = 12, TNI_PATH_TURN = 0 };

/* Where an engine gets its commands from. */
enum tni_command { TNI_COMMAND_MEMORY, TNI_COMMAND_DIRECT };

struct tni_params {
    uint32_t engines;
    double start_ns;  /* from a command to the first line of its first packet */
    double finish_ns; /* from a packet's last line to when the processor sees it in memory */
    double fetch_ns;  /* of a command, from memory */
    enum tni_command command;
    uint32_t header_bytes;  /* of a packet: header and CRC */
    uint32_t packet_bytes;  /* payload of a full packet */
    uint32_t packets_ahead; /* that it is given in advance, if they are all that is sent */
    uint32_t queues;        /* processors */
    uint32_t path;          /* TNI_PATH_TURN, or 1 to TNI_PATHS */
    struct gates_params gates;
};

extern const struct key_section tni_section;
extern const struct key_table tni_keys;

/* `nodes`: of the machine. */
struct nic *tnis_create(const struct tni_params *params, const struct face *face, uint32_t nodes,
                        uint32_t partitions);

#endif
