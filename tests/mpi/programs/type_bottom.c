/* Absolute addresses: data from all over memory is sent and received from MPI_BOTTOM. */
#include "check.h"

static int here[4];
static double there[3];

static MPI_Datatype scattered(const int *a, const double *b, const char *c)
{
    int lengths[3] = {4, 3, 1};
    MPI_Aint places[3];
    MPI_Datatype types[3] = {MPI_INT, MPI_DOUBLE, MPI_CHAR}, type;
    MPI_Get_address(a, &places[0]);
    MPI_Get_address(b, &places[1]);
    MPI_Get_address(c, &places[2]);
    MPI_Type_create_struct(3, lengths, places, types, &type);
    MPI_Type_commit(&type);
    return type;
}

static void addresses(void)
{
    MPI_Aint first, third;
    MPI_Get_address(&here[0], &first);
    MPI_Get_address(&here[2], &third);
    expect("difference", 2 * (int)sizeof(int), MPI_Aint_diff(third, first));
    expect("sum", 1, MPI_Aint_add(first, 2 * sizeof(int)) == third);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    int next = (rank + 1) % size, last = (rank + size - 1) % size, in_numbers[4] = {0};
    double in_reals[3] = {0};
    char letter = (char)('a' + rank % 26), *in_letter = allocate(1);
    addresses();
    fill(here, 4, rank);
    for (int i = 0; i < 3; i++)
        there[i] = rank + 0.1 * i;
    MPI_Datatype out = scattered(here, there, &letter);
    MPI_Datatype in = scattered(in_numbers, in_reals, in_letter);
    MPI_Sendrecv(MPI_BOTTOM, 1, out, next, 0, MPI_BOTTOM, 1, in, last, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    expect_pattern("numbers", in_numbers, 4, last);
    for (int i = 0; i < 3; i++)
        expect_real("reals", last + 0.1 * i, in_reals[i]);
    expect("letter", 'a' + last % 26, *in_letter);
    MPI_Bcast(MPI_BOTTOM, 1, out, 0, MPI_COMM_WORLD);
    expect_pattern("numbers of the root", here, 4, 0);
    expect("letter of the root", 'a', letter);
    MPI_Type_free(&out);
    MPI_Type_free(&in);
    free(in_letter);
    return finish("type_bottom");
}
