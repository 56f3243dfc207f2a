/*
 * What patterns share: groups of nodes, hot boxes, pairs and their rates, open loops, timetables;
 * and the little that machines ask about a single pattern.
 */
#ifndef WEFT_WORKLOAD_PATTERNS_PATTERNS_H
#define WEFT_WORKLOAD_PATTERNS_PATTERNS_H

#include "workload/workload.h"

/* ---- lines and planes (groups.c) ---- */

/* Groups of nodes, lines or planes of a torus, and the keys that say which: for the patterns
 * `alltoall` and the fills. */
enum within { WITHIN_ALL, WITHIN_LINE, WITHIN_PLANE };

struct group_params {
    enum within within;
    uint32_t dim; /* a line's dimension, a plane's normal */
};

extern const struct key_section group_section;
extern const struct key_table group_keys;

struct node_group {
    uint32_t dims; /* mask of the dimensions in which a group's nodes differ */
    uint32_t nodes;
};

/* On a torus; WEFT_BAD_INPUT: it has no such dimension. */
weft_status group_setup(const struct torus *t, enum within within, uint32_t dim,
                        struct node_group *group);

/* Node number `index` of the group that a node belongs to. */
uint32_t group_node(const struct torus *t, const struct node_group *group, uint32_t node,
                    uint32_t index);

/* ---- hot boxes (groups.c) ---- */

/*
 * A hot box of nodes, which starts at the origin, and the keys that say how much goes there: for
 * the patterns `hotregion` and `hotspot`. Without coordinates it is the first node.
 */
struct hot_box {
    double share;     /* of packets that go to it; the rest goes anywhere */
    bool apart;       /* the rest stays outside the box, and the box is silent */
    struct torus box; /* as a key, dims 0: the pattern's default */
    /* These are no keys. */
    uint32_t nodes, links; /* links into it, if there are coordinates */
};

extern const struct key_table hot_keys;

/* For a region, half of each side; else one node. Sets w->hot. */
weft_status hot_setup(struct workload *w, bool region, struct hot_box *hot);

/* Whether flows go to a hot box. */
static inline bool flows_are_hot(const struct flows *f)
{
    const struct hot_box *hot = f->workload->hot;
    return hot && (hot->share > 0 || hot->apart);
}

/* Whether a node is in the hot box; node number `index` of the box. */
bool workload_is_hot(const struct workload *w, uint32_t node);
uint32_t workload_hot_node(const struct workload *w, uint32_t index);

/* ---- all-to-all and hot spot (pairwise.c) ---- */

enum sizes { SIZES_EQUAL, SIZES_VARIED };

struct pairwise_params {
    uint32_t packets_per_pair;
    uint64_t bytes_per_pair;    /* payload; if not 0, it replaces packets_per_pair and sizes */
    uint32_t packets_per_visit; /* to a destination before the next one's turn */
    enum sizes sizes;           /* of the messages of an all-to-all */
};

extern const struct key_section pairwise_section;

/* Not 0: the payload of a pair, and the sizes of packets are what it takes. */
static inline uint64_t pairwise_bytes(const struct config *c)
{
    return ((const struct pairwise_params *)config_section(c, &pairwise_section))->bytes_per_pair;
}

/* ---- pairs (rates.c) ---- */

/*
 * Pairs that a user names: workload.list = 0-5,3-7, or a file with a line `FROM TO` for each. Of
 * packets they are nodes (names.h), of messages processes, by their numbers.
 */
enum exchange { EXCHANGE_BOTH, EXCHANGE_ONE_WAY, EXCHANGE_TURNS };
enum pairing { PAIRING_RANDOM, PAIRING_TRANSPOSE };

struct pairs_params {
    uint32_t pairs;
    char list[CONFIG_TEXT];
    enum pairing pairing;
    enum exchange exchange;
};

struct pair {
    uint32_t from, to; /* endpoints of nodes, or processes */
    double rate;
};

struct pair_list {
    struct pair *pair;
    size_t count, room;
};

/* Whether pairs are named. */
static inline bool pair_list_given(const struct workload *w, const struct pairs_params *p)
{
    return p->list[0] || w->params.file[0];
}

/* Reads them; without any, the list is empty. */
weft_status pair_list_read(const struct workload *w, const struct pairs_params *p,
                           struct pair_list *list);
weft_status pair_list_read_text(const struct workload *w, const char *name, const char *text,
                                size_t size, struct pair_list *list);
void pair_list_add(struct pair_list *list, uint32_t from, uint32_t to, double rate);

/* ---- rates (rates.c) ---- */

/*
 * Rates between nodes: from a file (pattern `matrix`), one line `FROM TO RATE` per pair or one row
 * of rates per node; or of pairs (pattern `pairs`). Relative rates: workload.load is a share of
 * what the busiest link or port could carry of such traffic. Absolute ones are MB/s of payload.
 */
struct rates {
    uint32_t endpoints, senders;
    size_t *first;  /* [endpoint]: its pairs are those from here up to the next one's first */
    uint32_t *to;   /* [pair]: endpoint */
    double *up_to;  /* [pair]: share of its sender's packets that goes to this or those before */
    double *of;     /* [endpoint]: what it sends, relative to the mean sender */
    double busiest; /* the most of these */
    double mean;    /* of what senders send, as the file has it */
};

weft_status rates_read(const struct site *site, enum rates_as as, const char *path,
                       struct rates **rates);
weft_status rates_read_text(const struct site *site, enum rates_as as, const char *name,
                            const char *text, size_t size, struct rates **rates);

/* Rates of some pairs of endpoints, at least one; the list is sorted. */
struct rates *rates_of_pairs(const struct site *site, struct pair_list *list);
void rates_free(struct rates *rates);

/* The endpoint that a packet goes to, by a draw; its own: it sends nothing. */
uint32_t rates_draw(const struct rates *rates, uint32_t endpoint, uint64_t draw);

/* Share of an endpoint's packets that goes to the endpoint of a pair. */
static inline double rates_share(const struct rates *r, uint32_t endpoint, size_t pair)
{
    return r->up_to[pair] - (pair > r->first[endpoint] ? r->up_to[pair - 1] : 0);
}

/* ---- open loops (open.c) ---- */

/* Sets up a pattern whose senders have rates, and takes them; NULL: all are alike. */
weft_status open_setup_rates(struct workload *w, struct rates *rates);
void open_fini(struct workload *w);

/* The pattern's partner() for one with rates. */
uint32_t open_by_rates(const struct workload *w, uint32_t endpoint, uint32_t sequence);

/* Where a packet of a node goes; false: it sends none. */
bool open_destination(const struct workload *w, uint32_t node, uint32_t sequence,
                      struct step *step);

/* ---- packets from a file (timetable.c) ---- */

/*
 * Packets from a file (pattern `file`), a line TIME FROM TO BYTES for each: when a node has how
 * much to send to whom. The file is in the order of its times, and may be as long as it likes: it
 * is read as the simulated time goes on, in batches of some thousand lines.
 *
 *   file     | batch 0      | batch 1      | batch 2 (not read yet)
 *            +--------------+--------------+---------
 *   node 0       ^ here                                 lines of its own in a batch, one by one;
 *   node 1                     ^                        then it is told to ask again when the next
 *   node 2              ^                               batch begins
 *
 * Where a batch ends depends on the file alone. It is kept until all nodes have gone on: so the
 * memory is that of a few batches, and of those that a node is behind with, if the network cannot
 * take what the file asks for. Nodes keep no more than a position, which a checkpoint saves; after
 * that the file is read again.
 */
struct timetable;

/* What the file has in all. */
struct timetable_sums {
    uint64_t lines, packets, bytes;
    uint32_t senders;
    cycle_t last; /* time */
};

/* Reads a workload's file through and checks it. */
weft_status timetable_open(const struct workload *workload, struct timetable **table);
const struct timetable_sums *timetable_sums(const struct timetable *table);

/* The packet, or message to send or receive, with this number of a node, which is asked for in
 * order, at a time. It is to and from NOBODY if there is none that early: ask again at step->birth.
 * False: there are no more. */
bool timetable_step(struct timetable *table, uint32_t node, uint32_t number, struct step *step);

void timetable_free(struct timetable *table); /* whatever timetable_open() said */
void timetable_archive(struct timetable *table, struct archive *archive);

/* ---- others ---- */

/* Two processes of a workload take turns, and `a` begins. */
void pairs_play(struct workload *w, uint32_t a, uint32_t b);

/* Refuses workload.algorithm = tree where single packets of the tree cannot be. */
weft_status pairs_check_tree(const struct workload *w);

/* A collective operation by packets of the message layer (message/packets/packets.h), which
 * replaces what the pattern has set up. varied: what sizes depend on (node/program.h). */
weft_status spread_collective(struct workload *w, enum step_collective kind, uint64_t varied);

#endif
