/*
 * The exchanges of a three-dimensional Fourier transform by single packets, as IBM's program for
 * Blue Gene/L made them (BlueMatter, ParaFrames/fft3d and pk/a2a/packet_alltoallv.cpp):
 *
 *   arguments: POINTS along each axis, PHASE, ROUNDS, BYTES of a point (usually 64, 0, 1, 16)
 *
 * Each process begins with a block of the cube. In phase 0, rows along z are put together within
 * columns; in phase 1 rows along y, within planes of z and y, from rows along z; in phase 2 rows
 * along x, within planes of y and x. The processes of a line along the axis of the rows share those
 * of their blocks. All begin a round together, by a barrier, which is part of it.
 *
 * What a process has to send is in one list for each direction, by the axis along which the
 * destination is farthest away, each in a random order that is the same everywhere. It sends six
 * packets, then takes what has come, then turns to the next list. Lists of both directions of an
 * axis share one injection FIFO: a packet that waits for its link holds up those of the other link
 * behind it. A process on each node, in the order of nodes.
 */
#include <stdbool.h>
#include <stdio.h>

#include "workload/programs/builtin.h"

enum { AXES = 3, LISTS = 2 * AXES, BURST = 6 };

/* The program's own work for a packet that it has read: who sent it, whether that completes a
 * block, and a second copy, from a buffer of its own to where the data belong. Assumed: IBM's
 * source makes about 70 instructions of it, of which a PowerPC 440 completes about one in a cycle.
 */
enum { TAKING_CYCLES = 70 };

/* Points of the cube: first and count along x, y and z. */
struct part {
    uint64_t first[AXES], count[AXES];
};

/* A destination, and what is left to be sent to it. */
struct target {
    uint32_t to;
    uint64_t left;
};

struct transpose {
    weft_task *t;
    uint64_t points, phase, point_bytes;
    uint64_t due, got;         /* bytes to receive in a round, and received */
    uint32_t lists_left, next; /* lists with targets; the list of the last packet */
    bool counted;              /* the lists have room for their targets */
    struct target *list[LISTS];
    uint32_t size[LISTS], sent[LISTS];
};

/* ---- who has what ---- */

static struct part block_of(const struct transpose *x, const uint32_t *at)
{
    struct part b;
    for (uint32_t i = 0; i < AXES; i++) {
        b.count[i] = x->points / x->t->dim[i];
        b.first[i] = at[i] * b.count[i];
    }
    return b;
}

/* The rows of a process in a phase: a share of those of two axes, next to each other along `fast`,
 * apart along `slow`. */
static struct part rows_of(const struct transpose *x, uint64_t phase, const uint32_t *at)
{
    static const struct {
        uint32_t along, slow, fast;
    } axes[AXES] = {{2, 0, 1}, {1, 2, 0}, {0, 2, 1}};
    uint32_t along = axes[phase].along, slow = axes[phase].slow, fast = axes[phase].fast;
    struct part b = block_of(x, at);
    uint64_t width = b.count[fast], rows = b.count[slow] * width / x->t->dim[along];
    uint64_t first = at[along] * rows;
    b.first[along] = 0;
    b.count[along] = x->points;
    b.first[slow] += first / width;
    b.first[fast] += first % width;
    b.count[slow] = rows > width ? rows / width : 1;
    b.count[fast] = rows < width ? rows : width;
    return b;
}

static struct part before(const struct transpose *x, const uint32_t *at)
{
    return x->phase ? rows_of(x, x->phase - 1, at) : block_of(x, at);
}

/* The bytes of the points that two parts share. */
static uint64_t shared_bytes(const struct transpose *x, const struct part *a, const struct part *b)
{
    uint64_t bytes = x->point_bytes;
    for (uint32_t i = 0; i < AXES; i++) {
        uint64_t end_a = a->first[i] + a->count[i], end_b = b->first[i] + b->count[i];
        uint64_t first = a->first[i] > b->first[i] ? a->first[i] : b->first[i];
        uint64_t end = end_a < end_b ? end_a : end_b;
        bytes *= end > first ? end - first : 0;
    }
    return bytes;
}

/* ---- lists ---- */

/* The direction of the axis along which a node is farthest away; of the last one, if several are.
 */
static uint32_t list_of(const weft_task *t, const uint32_t *at)
{
    uint32_t list = 0, farthest = 0;
    for (uint32_t i = 0; i < AXES; i++) {
        uint32_t plus = (at[i] + t->dim[i] - t->coordinate[i]) % t->dim[i];
        uint32_t minus = t->dim[i] - plus, far = plus <= minus ? plus : minus;
        if (far && far >= farthest) {
            farthest = far;
            list = 2 * i + (plus > minus);
        }
    }
    return list;
}

static void shuffle(struct target *list, uint32_t size)
{
    uint64_t state = 365;
    for (uint32_t i = size; i > 1; i--) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        uint32_t pick = (uint32_t)(state >> 33) % i;
        struct target last = list[i - 1];
        list[i - 1] = list[pick];
        list[pick] = last;
    }
}

/* What this process and the one at a place have for each other. At first targets are only counted.
 */
static void add_pair(struct transpose *x, const uint32_t *at)
{
    weft_task *t = x->t;
    struct part mine = before(x, t->coordinate), its = before(x, at);
    struct part mine_after = rows_of(x, x->phase, t->coordinate),
                its_after = rows_of(x, x->phase, at);
    uint32_t list = list_of(t, at);
    uint64_t out = shared_bytes(x, &mine, &its_after);
    x->due += shared_bytes(x, &its, &mine_after);
    if (out && x->counted)
        x->list[list][x->size[list]] =
            (struct target){.to = at[0] + t->dim[0] * (at[1] + t->dim[1] * at[2]), .left = out};
    x->size[list] += out > 0;
}

/* The axes along which nodes of a phase's column or plane differ. */
static int differs(uint64_t phase, uint32_t axis)
{
    return phase == 0 ? axis == 2 : phase == 1 ? axis >= 1 : axis <= 1;
}

/* Goes through the other nodes of the phase's column or plane. */
static void add_pairs(struct transpose *x)
{
    const weft_task *t = x->t;
    uint32_t at[AXES], low[AXES], high[AXES];
    for (uint32_t i = 0; i < AXES; i++) {
        low[i] = differs(x->phase, i) ? 0 : t->coordinate[i];
        high[i] = differs(x->phase, i) ? t->dim[i] : t->coordinate[i] + 1;
    }
    for (uint32_t i = 0; i < LISTS; i++)
        x->size[i] = x->sent[i] = 0;
    x->due = x->got = 0;
    for (at[2] = low[2]; at[2] < high[2]; at[2]++)
        for (at[1] = low[1]; at[1] < high[1]; at[1]++)
            for (at[0] = low[0]; at[0] < high[0]; at[0]++)
                if (at[0] != t->coordinate[0] || at[1] != t->coordinate[1] ||
                    at[2] != t->coordinate[2])
                    add_pair(x, at);
}

/* Room for the targets of all rounds, which have as many. */
static void alloc_lists(struct transpose *x)
{
    add_pairs(x);
    for (uint32_t i = 0; i < LISTS; i++)
        if (x->size[i])
            x->list[i] = weft_alloc(x->t, x->size[i] * sizeof(*x->list[i]));
    x->counted = true;
}

static void make_lists(struct transpose *x)
{
    if (!x->counted)
        alloc_lists(x);
    add_pairs(x);
    x->lists_left = 0;
    for (uint32_t i = 0; i < LISTS; i++) {
        shuffle(x->list[i], x->size[i]);
        x->lists_left += x->size[i] > 0;
    }
    x->next = x->t->rank % LISTS;
}

/* ---- the exchange ---- */

/* Sends the next packet of a list; 0: its FIFO has no room. */
static int send_one(struct transpose *x, uint32_t list)
{
    struct target *target = &x->list[list][x->sent[list]];
    uint32_t full = x->t->packet_bytes;
    uint32_t bytes = target->left < full ? (uint32_t)target->left : full;
    if (!weft_try_packet(x->t, list / 2, target->to, NULL, bytes))
        return 0;
    target->left -= bytes;
    x->sent[list] += target->left == 0;
    x->lists_left -= x->sent[list] == x->size[list];
    return 1;
}

static void send_burst(struct transpose *x)
{
    uint32_t burst = 0;
    while (x->lists_left && burst < BURST) {
        do
            x->next = (x->next + 1) % LISTS;
        while (x->sent[x->next] == x->size[x->next]);
        for (; x->sent[x->next] < x->size[x->next] && burst < BURST; burst++)
            if (!send_one(x, x->next))
                return;
    }
}

/* Takes what has come; when there is nothing left to send, waits for something. */
static void take(struct transpose *x)
{
    weft_info info;
    uint32_t packets = 0;
    if (!x->lists_left && x->got < x->due) {
        x->got += weft_receive_packet(x->t, NULL, 0).bytes;
        packets++;
    }
    for (; weft_test_packet(x->t, NULL, 0, &info); packets++)
        x->got += info.bytes;
    weft_compute(x->t, (double)packets * TAKING_CYCLES);
}

static void exchange(struct transpose *x)
{
    while (x->lists_left || x->got < x->due) {
        send_burst(x);
        take(x);
    }
    if (x->got > x->due)
        weft_fail(x->t, "got more than was sent");
}

static void refuse_shape(const struct transpose *x)
{
    const weft_task *t = x->t;
    char text[256];
    snprintf(text, sizeof(text),
             "%llu points along each axis cannot be cut into rows for %ux%ux%u processes; use "
             "powers of two, at most 4096 points, and a shape in which each process gets a row",
             (unsigned long long)x->points, t->dim[0], t->dim[1], t->dim[2]);
    weft_fail(x->t, text);
}

static void check(const struct transpose *x)
{
    const weft_task *t = x->t;
    uint64_t index = 0, scale = 1;
    for (uint32_t i = 0; i < t->dims; scale *= t->dim[i++])
        index += t->coordinate[i] * scale;
    if (t->packet_fifos < AXES || t->dims != AXES || index != t->rank || scale != t->size)
        weft_fail(x->t,
                  "transposes needs a torus of three axes whose processors write packets, with "
                  "a process on each node, in the order of nodes");
    for (uint32_t i = 0; i < AXES; i++) {
        uint64_t rows = x->points / t->dim[(i + 1) % AXES] * (x->points / t->dim[(i + 2) % AXES]);
        if (!x->points || x->points > 4096 || x->points & (x->points - 1) ||
            t->dim[i] & (t->dim[i] - 1) || rows < t->dim[i])
            refuse_shape(x);
    }
    if (x->phase >= AXES || !x->point_bytes || x->point_bytes > 4096)
        weft_fail(x->t, "there is no such phase or size of a point; use a phase of 0, 1 or 2, and "
                        "points of 1 to 4096 bytes");
}

void program_transposes(weft_task *t)
{
    struct transpose x = {.t = t,
                          .points = program_number(t, 0, 64),
                          .phase = program_number(t, 1, 0),
                          .point_bytes = program_number(t, 3, 16)};
    uint64_t rounds = program_number(t, 2, 1);
    check(&x);
    for (uint64_t i = 0; i < rounds; i++) {
        make_lists(&x);
        weft_barrier(t);
        exchange(&x);
    }
}
