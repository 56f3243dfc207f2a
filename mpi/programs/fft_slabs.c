/*
 * A 3D Fourier transform whose ranks each have some planes of the cube, as that of FFTW 2: planes
 * are transformed along z and y, exchanged by MPI_Alltoall(), transformed along x, and exchanged
 * back. Of more ranks than planes, the others have nothing to do. Computation takes as long as a
 * processor of so many floating-point operations per cycle needs.
 *
 *   fft_slabs POINTS [FLOPS_PER_CYCLE [ROUNDS]]
 *
 * POINTS along each axis, and ranks: powers of two.
 */
#include "fft.h"

#include <string.h>

struct slabs {
    int n, rank, ranks, busy; /* busy: ranks that have planes */
    int planes;               /* of each of them */
    double complex *root, *points, *out, *in;
    MPI_Comm comm; /* of those */
    double flops_per_cycle;
};

static size_t slab_points(const struct slabs *s)
{
    return (size_t)s->planes * (size_t)s->n * (size_t)s->n;
}

/* Transforms rows that lie one behind the other. */
static void transform_rows(const struct slabs *s, double complex *points, int rows)
{
    for (int i = 0; i < rows; i++)
        fft_row(points + (size_t)i * (size_t)s->n, s->n, s->root);
    MPIX_Compute(fft_cycles(rows, s->n, s->flops_per_cycle));
}

/* [a][b][c] becomes [b][a][c], with b divided among ranks as a was. One rank alone has all it
 * needs. */
static void exchange(struct slabs *s)
{
    int n = s->n, planes = s->planes;
    size_t block = (size_t)planes * (size_t)planes * (size_t)n;
    for (int b = 0; b < n; b++)
        for (int a = 0; a < planes; a++)
            for (int c = 0; c < n; c++)
                s->out[(size_t)(b / planes) * block + (size_t)((b % planes * planes + a) * n + c)] =
                    s->points[((size_t)a * (size_t)n + (size_t)b) * (size_t)n + (size_t)c];
    if (s->busy > 1)
        MPI_Alltoall(s->out, (int)(block * sizeof(*s->out)), MPI_BYTE, s->in,
                     (int)(block * sizeof(*s->in)), MPI_BYTE, s->comm);
    else
        memcpy(s->in, s->out, block * sizeof(*s->in));
    for (int b = 0; b < planes; b++)
        for (int a = 0; a < n; a++)
            for (int c = 0; c < n; c++)
                s->points[((size_t)b * (size_t)n + (size_t)a) * (size_t)n + (size_t)c] =
                    s->in[(size_t)(a / planes) * block +
                          (size_t)((b * planes + a % planes) * n + c)];
}

/* Exchanges the last two axes of each plane. */
static void turn_planes(struct slabs *s)
{
    for (int a = 0; a < s->planes; a++) {
        double complex *plane = s->points + (size_t)a * (size_t)s->n * (size_t)s->n;
        for (int b = 0; b < s->n; b++)
            for (int c = 0; c < b; c++) {
                double complex other = plane[b * s->n + c];
                plane[b * s->n + c] = plane[c * s->n + b];
                plane[c * s->n + b] = other;
            }
    }
}

/* Points are [x][y][z] before and after. Returns the seconds of both exchanges. */
static double transform(struct slabs *s)
{
    int rows = s->planes * s->n;
    double seconds = 0, start;
    transform_rows(s, s->points, rows);
    turn_planes(s);
    transform_rows(s, s->points, rows);
    turn_planes(s);
    start = MPI_Wtime();
    exchange(s); /* [y][x][z] */
    seconds += MPI_Wtime() - start;
    turn_planes(s);
    transform_rows(s, s->points, rows);
    turn_planes(s);
    start = MPI_Wtime();
    exchange(s);
    return seconds + MPI_Wtime() - start;
}

static void each_point(struct slabs *s, double *error)
{
    for (int a = 0; a < s->planes; a++)
        for (int y = 0; y < s->n; y++)
            for (int z = 0; z < s->n; z++) {
                int x = s->rank * s->planes + a;
                double complex *point =
                    &s->points[((size_t)a * (size_t)s->n + (size_t)y) * (size_t)s->n + (size_t)z];
                if (error)
                    *error = fmax(*error, fft_error(*point, x, y, z, s->n));
                else
                    *point = fft_wave(x, y, z, s->n, s->root);
            }
}

int main(int argc, char **argv)
{
    struct slabs s = {.n = argc > 1 ? atoi(argv[1]) : 0,
                      .flops_per_cycle = argc > 2 ? atof(argv[2]) : 0.3};
    int rounds = argc > 3 ? atoi(argv[3]) : 2;
    double whole = 0, exchanges = 0, error = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &s.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &s.ranks);
    if (!fft_is_power(s.n) || !fft_is_power(s.ranks) || !(s.flops_per_cycle > 0) || rounds < 1)
        fft_refuse("use fft_slabs POINTS [FLOPS_PER_CYCLE [ROUNDS]], with powers of two");
    s.busy = s.ranks < s.n ? s.ranks : s.n;
    s.planes = s.rank < s.busy ? s.n / s.busy : 0;
    MPI_Comm_split(MPI_COMM_WORLD, s.planes ? 0 : MPI_UNDEFINED, s.rank, &s.comm);
    s.root = fft_roots(s.n);
    s.points = fft_memory(3 * slab_points(&s), sizeof(*s.points));
    s.out = s.points + slab_points(&s);
    s.in = s.out + slab_points(&s);
    for (int i = 0; i < rounds; i++) {
        each_point(&s, NULL);
        MPI_Barrier(MPI_COMM_WORLD);
        double start = MPI_Wtime();
        if (s.planes)
            exchanges += transform(&s);
        whole += MPI_Wtime() - start;
    }
    each_point(&s, &error);
    int status = fft_report(s.n, whole / rounds, exchanges / rounds, error);
    if (s.planes)
        MPI_Comm_free(&s.comm);
    free(s.points);
    free(s.root);
    MPI_Finalize();
    return status;
}
