/*
 * Rates between nodes: from a file (pattern `matrix`), one line `FROM TO RATE` per pair or one row
 * of rates per node; or of pairs (pattern `pairs`). Relative rates: workload.load is a share of
 * what the busiest link or port could carry of such traffic. Absolute ones are MB/s of payload.
 */
#ifndef WEFT_WORKLOAD_PATTERNS_RATES_H
#define WEFT_WORKLOAD_PATTERNS_RATES_H

#include "workload/workload.h"

struct rates {
    uint32_t places, senders;
    size_t *first;  /* [place]: its pairs are those from here up to the next one's first */
    uint32_t *to;   /* [pair]: place */
    double *up_to;  /* [pair]: share of its sender's packets that goes to this or those before */
    double *of;     /* [place]: what it sends, relative to the mean sender */
    double busiest; /* the most of these */
    double mean;    /* of what senders send, as the file has it */
};

weft_status rates_read(const struct site *site, enum rates_as as, const char *path,
                       struct rates **rates);
weft_status rates_read_text(const struct site *site, enum rates_as as, const char *name,
                            const char *text, size_t size, struct rates **rates);
/* The same rate for each of some pairs of places, from the first to the second; at least one. */
struct rates *rates_of_pairs(const struct site *site, const uint32_t (*pair)[2], size_t pairs);
void rates_free(struct rates *rates);

/* The place that a packet goes to, by a draw; its own: it sends nothing. */
uint32_t rates_draw(const struct rates *rates, uint32_t place, uint64_t draw);

/* Share of a place's packets that goes to the place of a pair. */
static inline double rates_share(const struct rates *r, uint32_t place, size_t pair)
{
    return r->up_to[pair] - (pair > r->first[place] ? r->up_to[pair - 1] : 0);
}

#endif
