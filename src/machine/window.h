/*
 * The window in which an open loop is measured: as it was given, or found from the run itself.
 *
 *   |-- warm-up --------|-- margin --|-- window --------------------|
 *   0                  look         from                    look    to     (twice as long?)
 *
 * The run is stopped now and then, and looked at: means of the response in equal intervals, by
 * arrival. The warm-up ends when the truncation rule of base/statistics/series.h finds its end in
 * the first half of what has been seen; otherwise it is looked at again when twice as much has. The
 * window is then as long as was asked for, and doubled until the interval of the mean, widened for
 * correlation, is as narrow as was asked for (batch means whose size doubles: Law and Carson, "A
 * sequential procedure for determining the length of a steady-state simulation", 1979). Where less
 * arrives than is offered, responses grow for ever: then it is arrivals that must be steady, and
 * the window is not doubled. A network that still fills up looks the same at first.
 *
 * Every look is at a cycle that follows from sums over the whole machine, whoever runs its parts.
 * Births are over at the end that is known at a time, and go on when it moves; so a run whose
 * window was found is packet by packet the one in which that window is given, except where a nic
 * chooses by what it has in hand (Tofu's four engines).
 */
#ifndef WEFT_MACHINE_WINDOW_H
#define WEFT_MACHINE_WINDOW_H

#include "fabric/network.h"
#include "workload/workload.h"

enum window_phase {
    WINDOW_SET,      /* it does not change any more */
    WINDOW_WARM_UP,  /* its beginning is to be found, */
    WINDOW_MEASURES, /* its end */
};

struct window {
    uint8_t phase;     /* enum window_phase */
    uint8_t is_found;  /* it was not given */
    uint8_t unsettled; /* found, but the limit came first */
    cycle_t from, to;  /* warming up: not before these */
    cycle_t look;      /* at the run; CYCLE_NEVER: not any more */
    cycle_t width;     /* of the intervals that are looked at */
    cycle_t margin;    /* from a look to what it decides */
    cycle_t least, most;
    double precision;
};

/* The window of a workload. */
struct window window_of(const struct workload *workload);

/* What the network is to measure at first. */
struct measure_plan window_plan(const struct window *window);

/* No packet is born from this cycle on, as far as is known now. */
cycle_t window_births_end(const struct window *window);

/* The run stands at window->look, with all partitions at rest. All ranks. */
void window_look(struct window *window, struct network *network, const struct workload *workload);

void window_archive(struct window *window, struct archive *archive);

/* Whether as many packets were carried as were offered, as shares of the bound, within 3 % and the
 * random variation of so many. */
bool window_is_carried(const struct workload_params *p, double packets, double offered,
                       double carried);

#endif
