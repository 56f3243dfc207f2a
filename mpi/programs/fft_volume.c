/*
 * A 3D Fourier transform whose ranks each begin with a block of the cube: rows along z, then y,
 * then x are put together by MPI_Alltoallv() and transformed. Computation takes as long as a
 * processor of so many floating-point operations per cycle needs.
 *
 *   fft_volume POINTS XxYxZ [FLOPS_PER_CYCLE [ROUNDS]]
 *
 * POINTS along each axis, and the ranks along each (as `dims` of a torus, rank 1 being next to rank
 * 0 along x): powers of two. At the end, ranks have rows along x. Rounds follow each other without
 * a barrier.
 *
 * Who has which rows is as in IBM's program for Blue Gene/L (BlueMatter, ParaFrames/fft3d): the
 * ranks of a line along the axis of the rows share the rows of their blocks, so that exchanges are
 * within columns along z, within planes of z and y, and within planes of y and x. Within a plane,
 * most ranks have nothing for each other.
 */
#include "fft.h"

#include <stdbool.h>
#include <string.h>

enum { AXES = 3, PHASES = 3 };

/* The points of a rank: first and count along x, y and z. */
struct box {
    int first[AXES], count[AXES];
};

/* What a rank does for one direction of rows. */
struct phase {
    MPI_Comm comm;
    int members;
    int *counts, *places, *in_counts, *in_places; /* bytes, by member */
    struct box *out, *in; /* of each member: what it gets of this rank's points, and gives to it */
    struct box box;       /* what this rank has from then on */
    int along;            /* the axis of its rows */
};

struct cube {
    int n;           /* points along each axis */
    int ranks[AXES]; /* along each axis */
    int at[AXES];    /* where this rank is */
    struct box box;  /* of the beginning */
    struct phase phase[PHASES];
    double complex *root, *points, *packed, *arrived;
    double flops_per_cycle;
};

static size_t box_points(const struct box *b)
{
    return (size_t)b->count[0] * (size_t)b->count[1] * (size_t)b->count[2];
}

/* The points that two boxes share. */
static struct box common(const struct box *a, const struct box *b)
{
    struct box c;
    for (int i = 0; i < AXES; i++) {
        int end_a = a->first[i] + a->count[i], end_b = b->first[i] + b->count[i];
        int end = end_a < end_b ? end_a : end_b;
        c.first[i] = a->first[i] > b->first[i] ? a->first[i] : b->first[i];
        c.count[i] = end > c.first[i] ? end - c.first[i] : 0;
    }
    return c;
}

/* Where a point is in memory: rows along an axis are in one piece. */
static size_t offset_in(const struct box *b, int along, const int point[AXES])
{
    size_t at = 0;
    for (int i = 0; i < AXES; i++)
        if (i != along)
            at = at * (size_t)b->count[i] + (size_t)(point[i] - b->first[i]);
    return at * (size_t)b->count[along] + (size_t)(point[along] - b->first[along]);
}

/* Copies the points of a part of a box between the box and one piece of memory. */
static void copy_part(const struct box *box, int along, const struct box *part,
                      double complex *points, double complex *piece, int out)
{
    int p[AXES];
    for (p[0] = part->first[0]; p[0] < part->first[0] + part->count[0]; p[0]++)
        for (p[1] = part->first[1]; p[1] < part->first[1] + part->count[1]; p[1]++)
            for (p[2] = part->first[2]; p[2] < part->first[2] + part->count[2]; p[2]++) {
                double complex *point = &points[offset_in(box, along, p)];
                if (out)
                    *piece++ = *point;
                else
                    *point = *piece++;
            }
}

/* ---- who has what ---- */

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

static struct box block_of(const struct cube *c, const int at[AXES])
{
    struct box b;
    for (int i = 0; i < AXES; i++) {
        b.count[i] = c->n / c->ranks[i];
        b.first[i] = at[i] * b.count[i];
    }
    return b;
}

/* A share of the rows of two axes: `slow` of them apart, `fast` next to each other, by the index of
 * the rank among those that share the rows. */
static void share_rows(struct box *b, int slow, int fast, int sharers, int index)
{
    int rows = b->count[slow] * b->count[fast] / sharers, first = index * rows;
    int width = b->count[fast];
    b->first[slow] += first / width;
    b->first[fast] += first % width;
    b->count[slow] = larger(rows / width, 1);
    b->count[fast] = smaller(rows, width);
}

/* The rows of a rank in a phase: along the phase's axis, whose ranks share those of their blocks.
 */
static struct box rows_of(const struct cube *c, int phase, const int at[AXES])
{
    static const struct {
        int along, slow, fast;
    } axes[PHASES] = {{2, 0, 1}, {1, 2, 0}, {0, 2, 1}};
    int along = axes[phase].along;
    struct box b = block_of(c, at);
    b.first[along] = 0;
    b.count[along] = c->n;
    share_rows(&b, axes[phase].slow, axes[phase].fast, c->ranks[along], at[along]);
    return b;
}

static int rank_at(const struct cube *c, const int at[AXES])
{
    return at[0] + c->ranks[0] * (at[1] + c->ranks[1] * at[2]);
}

static void place_of(const struct cube *c, int rank, int at[AXES])
{
    at[0] = rank % c->ranks[0];
    at[1] = rank / c->ranks[0] % c->ranks[1];
    at[2] = rank / c->ranks[0] / c->ranks[1];
}

/* What a rank has before a phase. */
static struct box box_before(const struct cube *c, int phase, const int at[AXES])
{
    return phase ? rows_of(c, phase - 1, at) : block_of(c, at);
}

/* The ranks that may exchange points with this one, in order: of its column along z; of its plane
 * of z and y; of its plane of y and x. */
static int find_members(const struct cube *c, int phase, int *rank)
{
    int members = 0, at[AXES], low[AXES], high[AXES];
    bool stays[AXES] = {phase != 2, phase == 0, phase == 2};
    for (int i = 0; i < AXES; i++) {
        low[i] = stays[i] ? c->at[i] : 0;
        high[i] = stays[i] ? c->at[i] + 1 : c->ranks[i];
    }
    for (at[2] = low[2]; at[2] < high[2]; at[2]++)
        for (at[1] = low[1]; at[1] < high[1]; at[1]++)
            for (at[0] = low[0]; at[0] < high[0]; at[0]++)
                rank[members++] = rank_at(c, at);
    return members;
}

static void make_comm(struct phase *p, int *rank)
{
    MPI_Group world, group;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, p->members, rank, &group);
    MPI_Comm_create_group(MPI_COMM_WORLD, group, 0, &p->comm);
    MPI_Group_free(&group);
    MPI_Group_free(&world);
}

static void lay_out(const struct box *part, int members, int *counts, int *places)
{
    size_t place = 0;
    for (int i = 0; i < members; i++) {
        counts[i] = (int)(box_points(&part[i]) * sizeof(double complex));
        places[i] = (int)place;
        place += (size_t)counts[i];
    }
}

static void prepare(struct cube *c, int phase)
{
    struct phase *p = &c->phase[phase];
    int *rank = fft_memory((size_t)(c->ranks[0] * c->ranks[1] * c->ranks[2]), sizeof(*rank));
    struct box before = box_before(c, phase, c->at);
    p->box = rows_of(c, phase, c->at);
    p->along = 2 - phase;
    p->members = find_members(c, phase, rank);
    size_t members = (size_t)p->members;
    p->counts = fft_memory(4 * members, sizeof(*p->counts));
    p->places = p->counts + members;
    p->in_counts = p->counts + 2 * members;
    p->in_places = p->counts + 3 * members;
    p->out = fft_memory(2 * members, sizeof(*p->out));
    p->in = p->out + members;
    for (int i = 0; i < p->members; i++) {
        int at[AXES];
        place_of(c, rank[i], at);
        struct box after = rows_of(c, phase, at), its = box_before(c, phase, at);
        p->out[i] = common(&before, &after);
        p->in[i] = common(&its, &p->box);
    }
    lay_out(p->out, p->members, p->counts, p->places);
    lay_out(p->in, p->members, p->in_counts, p->in_places);
    make_comm(p, rank);
    free(rank);
}

/* ---- the transform ---- */

static void fill(struct cube *c)
{
    const struct box *b = &c->box;
    int p[AXES];
    for (p[0] = b->first[0]; p[0] < b->first[0] + b->count[0]; p[0]++)
        for (p[1] = b->first[1]; p[1] < b->first[1] + b->count[1]; p[1]++)
            for (p[2] = b->first[2]; p[2] < b->first[2] + b->count[2]; p[2]++)
                c->points[offset_in(b, 2, p)] = fft_wave(p[0], p[1], p[2], c->n, c->root);
}

/* The seconds that members take to exchange their points. */
static double exchange(struct cube *c, const struct phase *p)
{
    double start = MPI_Wtime();
    if (p->members > 1)
        MPI_Alltoallv(c->packed, p->counts, p->places, MPI_BYTE, c->arrived, p->in_counts,
                      p->in_places, MPI_BYTE, p->comm);
    else
        memcpy(c->arrived, c->packed, (size_t)p->counts[0]);
    return MPI_Wtime() - start;
}

/* Puts rows together and transforms them; returns the seconds of the exchange. Points are put in
 * order on one rank, too: that is part of its rate. */
static double perform(struct cube *c, int phase)
{
    struct phase *p = &c->phase[phase];
    const struct box *before = phase ? &c->phase[phase - 1].box : &c->box;
    int was_along = phase ? c->phase[phase - 1].along : 2;
    for (int i = 0; i < p->members; i++)
        copy_part(before, was_along, &p->out[i], c->points,
                  c->packed + (size_t)p->places[i] / sizeof(*c->packed), 1);
    double seconds = exchange(c, p);
    for (int i = 0; i < p->members; i++)
        copy_part(&p->box, p->along, &p->in[i], c->points,
                  c->arrived + (size_t)p->in_places[i] / sizeof(*c->arrived), 0);
    size_t rows = box_points(&p->box) / (size_t)c->n;
    for (size_t i = 0; i < rows; i++)
        fft_row(c->points + i * (size_t)c->n, c->n, c->root);
    MPIX_Compute(fft_cycles((double)rows, c->n, c->flops_per_cycle));
    return seconds;
}

/* The time of an exchange, a mean over ranks and rounds, as the measurements are. */
static void report_exchange(const struct cube *c, int phase, double seconds)
{
    static const char *const name[PHASES] = {"exchange_z_us", "exchange_y_us", "exchange_x_us"};
    double all;
    int ranks = c->ranks[0] * c->ranks[1] * c->ranks[2];
    MPI_Reduce(&seconds, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank_at(c, c->at) == 0) {
        printf("exchange among %d ranks: %.2f us\n", c->phase[phase].members, 1e6 * all / ranks);
        MPIX_Figure(name[phase], 1e6 * all / ranks);
    }
}

static double largest_error(const struct cube *c)
{
    const struct phase *last = &c->phase[PHASES - 1];
    const struct box *b = &last->box;
    double error = 0;
    int p[AXES];
    for (p[0] = b->first[0]; p[0] < b->first[0] + b->count[0]; p[0]++)
        for (p[1] = b->first[1]; p[1] < b->first[1] + b->count[1]; p[1]++)
            for (p[2] = b->first[2]; p[2] < b->first[2] + b->count[2]; p[2]++)
                error = fmax(error, fft_error(c->points[offset_in(b, last->along, p)], p[0], p[1],
                                              p[2], c->n));
    return error;
}

static void set_up(struct cube *c, int argc, char **argv)
{
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    *c = (struct cube){.n = argc > 1 ? atoi(argv[1]) : 0,
                       .flops_per_cycle = argc > 3 ? atof(argv[3]) : 0.3};
    if (argc < 3 || sscanf(argv[2], "%dx%dx%d", &c->ranks[0], &c->ranks[1], &c->ranks[2]) != AXES ||
        c->ranks[0] * c->ranks[1] * c->ranks[2] != ranks || !(c->flops_per_cycle > 0))
        fft_refuse("use fft_volume POINTS XxYxZ [FLOPS_PER_CYCLE [ROUNDS]], with as many ranks");
    for (int i = 0; i < AXES; i++)
        if (!fft_is_power(c->n) || !fft_is_power(c->ranks[i]) || c->ranks[i] > c->n)
            fft_refuse("use powers of two, and no more ranks along an axis than points");
    for (int i = 0; i < AXES; i++)
        if (c->n / c->ranks[(i + 1) % AXES] * (c->n / c->ranks[(i + 2) % AXES]) < c->ranks[i])
            fft_refuse("use a shape in which every rank gets a row along each axis");
    place_of(c, rank, c->at);
    c->box = block_of(c, c->at);
    size_t points = box_points(&c->box);
    c->root = fft_roots(c->n);
    c->points = fft_memory(3 * points, sizeof(*c->points));
    c->packed = c->points + points;
    c->arrived = c->packed + points;
    for (int i = 0; i < PHASES; i++)
        prepare(c, i);
}

static void tear_down(struct cube *c)
{
    for (int i = 0; i < PHASES; i++) {
        MPI_Comm_free(&c->phase[i].comm);
        free(c->phase[i].counts);
        free(c->phase[i].out);
    }
    free(c->points);
    free(c->root);
}

int main(int argc, char **argv)
{
    struct cube c;
    MPI_Init(&argc, &argv);
    int rounds = argc > 4 ? atoi(argv[4]) : 2;
    double exchanges[PHASES] = {0}, start, whole;
    set_up(&c, argc, argv);
    MPI_Barrier(MPI_COMM_WORLD);
    start = MPI_Wtime();
    for (int i = 0; i < rounds; i++) {
        fill(&c);
        for (int phase = 0; phase < PHASES; phase++)
            exchanges[phase] += perform(&c, phase) / rounds;
    }
    whole = (MPI_Wtime() - start) / rounds;
    double error = largest_error(&c);
    for (int phase = 0; phase < PHASES; phase++)
        report_exchange(&c, phase, exchanges[phase]);
    int status = fft_report(c.n, whole, exchanges[0] + exchanges[1] + exchanges[2], error);
    tear_down(&c);
    MPI_Finalize();
    return status;
}
