/* A core's advance loop: what it does next (state.h). */
#ifndef WEFT_MESSAGE_PACKETS_LANE_H
#define WEFT_MESSAGE_PACKETS_LANE_H

#include "message/packets/state.h"

/* Goes on with what is due in this cycle. */
void lane_run(struct here *h, cycle_t now);

/* A packet will be in one of the lane's FIFOs. */
void lane_coming(struct here *h, unsigned fifo, fine_t there);

/* An injection FIFO may have room again. */
void lane_room(struct here *h, cycle_t now);

/* The tree may have brought something, or have room again. */
void lane_tree(struct here *h, cycle_t now);

#endif
