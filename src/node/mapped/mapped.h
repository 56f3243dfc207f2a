/*
 * The FIFOs of a torus node as its processors see them: mapped into their memory, and written and
 * read packet by packet (MSG, "CPU/network interface" and 5.3, "Packet layer primitives"). This is
 * the packet layer: it has no state but the FIFOs themselves, tells their status, takes a packet
 * in, shows the header of the next one, and gives it out.
 *
 * Nobody else reads: a reception FIFO that no processor empties fills up, and the torus behind it
 * backs up.
 *
 * Watermarks (TORUS, "Torus network": interrupts fire when the contents of a FIFO cross them). A
 * reception FIFO calls for an interrupt while it holds its watermark or more; an injection FIFO,
 * while it holds its watermark or less. Whoever runs the processor decides whether to listen. How
 * often contents rise to a watermark is counted in any case.
 */
#ifndef WEFT_NODE_MAPPED_MAPPED_H
#define WEFT_NODE_MAPPED_MAPPED_H

#include "fabric/torus/route.h"
#include "fabric/torus/network.h"
#include "node/nic.h"
#include "node/mapped/tree.h"
#include "node/watermark.h"

struct mapped_options {
    const struct torus *torus;
    const struct torus_params *router;
    const struct torus_faults *faults; /* NULL: none */
    enum hint_source hints;
    uint32_t software_header_bytes;
    struct watermarks watermarks;
    uint32_t partitions;
    struct tree *tree; /* beside the torus, the nic's from then on; NULL: none */
};

/* How often contents rose to their watermarks, over all nodes. All ranks must call this. */
struct watermark_counts mapped_watermarks(const struct nic *mapped);

weft_status mapped_create(const struct mapped_options *options, struct nic **nic);

/* The client to give to the network. */
struct torus_client mapped_client(struct nic *mapped);

#endif
