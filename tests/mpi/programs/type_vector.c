/* Contiguous, vector and hvector types: what arrives, where, and what stays as it was. */
#include "check.h"

enum { CELLS = 200, GUARD = -1 };

/* Sends one element of `type` from a full array into an array of guards. */
static void transfer(MPI_Datatype type, int count, int *in)
{
    int next = (rank + 1) % size, last = (rank + size - 1) % size, out[CELLS];
    fill(out, CELLS, rank);
    for (int i = 0; i < CELLS; i++)
        in[i] = GUARD;
    MPI_Type_commit(&type);
    MPI_Sendrecv(out, count, type, next, 0, in, count, type, last, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Type_free(&type);
}

static void check(const char *what, const int *in, const char *used)
{
    int last = (rank + size - 1) % size;
    for (int i = 0; i < CELLS; i++)
        expect(what, used[i] ? pattern(last, i) : GUARD, in[i]);
}

static void contiguous(void)
{
    int in[CELLS];
    char used[CELLS] = {0};
    MPI_Datatype type;
    MPI_Type_contiguous(7, MPI_INT, &type);
    transfer(type, 3, in);
    memset(used, 1, 21);
    check("contiguous", in, used);
}

/* Two vectors in a row: the second begins where the first one's last block ends. */
static void vector(int blocks, int length, int stride)
{
    int in[CELLS], extent = (blocks - 1) * stride + length;
    char used[CELLS] = {0};
    MPI_Datatype type;
    MPI_Type_vector(blocks, length, stride, MPI_INT, &type);
    transfer(type, 2, in);
    for (int element = 0; element < 2; element++)
        for (int i = 0; i < blocks; i++)
            memset(used + element * extent + i * stride, 1, length);
    check("vector", in, used);
}

static void hvector(void)
{
    int in[CELLS];
    char used[CELLS] = {0};
    MPI_Datatype type;
    MPI_Type_create_hvector(6, 2, 5 * sizeof(int), MPI_INT, &type);
    transfer(type, 1, in);
    for (int i = 0; i < 6; i++)
        memset(used + 5 * i, 1, 2);
    check("hvector", in, used);
}

/* A vector is received as plain integers. */
static void gathered(void)
{
    int next = (rank + 1) % size, last = (rank + size - 1) % size, out[CELLS], in[CELLS / 4];
    MPI_Datatype type;
    MPI_Type_vector(CELLS / 4, 1, 4, MPI_INT, &type);
    MPI_Type_commit(&type);
    fill(out, CELLS, rank);
    MPI_Sendrecv(out, 1, type, next, 0, in, CELLS / 4, MPI_INT, last, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    for (int i = 0; i < CELLS / 4; i++)
        expect("gathered", pattern(last, 4 * i), in[i]);
    MPI_Type_free(&type);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    contiguous();
    vector(10, 1, 3);
    vector(5, 4, 6);
    vector(4, 3, 3);
    vector(1, 2, 9);
    hvector();
    gathered();
    return finish("type_vector");
}
