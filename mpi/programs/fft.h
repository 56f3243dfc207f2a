/* What the Fourier transforms of this folder share: rows, and what the transform of a wave must be.
 */
#ifndef FFT_H
#define FFT_H

#include <complex.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static inline int fft_is_power(int n)
{
    return n > 0 && !(n & (n - 1));
}

/* The exponent of a power of two. */
static inline int fft_log(int n)
{
    int log = 0;
    while (1 << log < n)
        log++;
    return log;
}

static inline void fft_refuse(const char *what)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        fprintf(stderr, "%s\n", what);
    MPI_Abort(MPI_COMM_WORLD, 2);
}

static inline void *fft_memory(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1, size);
    if (!memory)
        fft_refuse("out of memory");
    return memory;
}

/* The roots of unity for rows of n points. */
static inline double complex *fft_roots(int n)
{
    double complex *root = fft_memory((size_t)n, sizeof(*root));
    for (int i = 0; i < n; i++)
        root[i] = cexp(-2 * M_PI * I * i / n);
    return root;
}

/* Transforms a row of n points, n a power of two. */
static inline void fft_row(double complex *x, int n, const double complex *root)
{
    for (int i = 1, j = 0; i < n; i++) {
        int bit = n >> 1;
        for (; j & bit; bit >>= 1)
            j ^= bit;
        j ^= bit;
        if (i < j) {
            double complex other = x[i];
            x[i] = x[j];
            x[j] = other;
        }
    }
    for (int half = 1; half < n; half *= 2)
        for (int i = 0; i < n; i += 2 * half)
            for (int k = 0; k < half; k++) {
                double complex odd = x[i + k + half] * root[k * (n / (2 * half))];
                x[i + k + half] = x[i + k] - odd;
                x[i + k] += odd;
            }
}

/* Processor cycles for rows of n points: 5 n log2 n operations each. */
static inline double fft_cycles(double rows, int n, double flops_per_cycle)
{
    return rows * 5 * n * fft_log(n) / flops_per_cycle;
}

/* A wave along all axes: its transform is one point, of the height n * n * n. */
enum { FFT_WAVE_X = 1, FFT_WAVE_Y = 2, FFT_WAVE_Z = 3 };

static inline double complex fft_wave(int x, int y, int z, int n, const double complex *root)
{
    int phase = (FFT_WAVE_X * x + FFT_WAVE_Y * y + FFT_WAVE_Z * z) % n;
    return conj(root[phase]);
}

/* How far a point of the transform is from what it must be, as a share of that height. */
static inline double fft_error(double complex value, int x, int y, int z, int n)
{
    int peak = x == FFT_WAVE_X % n && y == FFT_WAVE_Y % n && z == FFT_WAVE_Z % n;
    return cabs(value / ((double)n * n * n) - peak);
}

/* The slowest rank's times, in us, of the whole and of its exchanges, and the largest error, by
 * rank 0; ends the program with what went wrong. */
static inline int fft_report(int n, double whole, double exchanges, double error)
{
    double mine[3] = {whole, exchanges, error}, most[3];
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Allreduce(mine, most, 3, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    if (rank == 0 && most[2] < 1e-9) {
        printf("transform of %d^3 points on %d ranks: %.2f us, of which exchanges %.2f us\n", n,
               ranks, 1e6 * most[0], 1e6 * most[1]);
        MPIX_Figure("transform_us", 1e6 * most[0]);
        MPIX_Figure("exchanges_us", 1e6 * most[1]);
    } else if (rank == 0) {
        printf("wrong by %g\n", most[2]);
    }
    return most[2] < 1e-9 ? 0 : 1;
}

#endif
