/* Get_count and Get_elements of messages that end in the middle of a derived type. */
#include "check.h"
#include <stddef.h>

struct pair {
    int number;
    double real;
};

static MPI_Datatype pair_type(void)
{
    int lengths[2] = {1, 1};
    MPI_Aint places[2] = {offsetof(struct pair, number), offsetof(struct pair, real)};
    MPI_Datatype types[2] = {MPI_INT, MPI_DOUBLE}, type;
    MPI_Type_create_struct(2, lengths, places, types, &type);
    MPI_Type_commit(&type);
    return type;
}

static void check(const char *what, const MPI_Status *status, MPI_Datatype type, int count,
                  int elements)
{
    int got;
    MPI_Count many;
    MPI_Get_count(status, type, &got);
    expect(what, count, got);
    MPI_Get_elements(status, type, &got);
    expect(what, elements, got);
    MPI_Get_elements_x(status, type, &many);
    expect(what, elements, many);
}

static void integers(int sent, int count, int elements)
{
    int next = (rank + 1) % size, last = (rank + size - 1) % size, out[12] = {0}, in[12];
    MPI_Datatype three;
    MPI_Status status;
    MPI_Type_contiguous(3, MPI_INT, &three);
    MPI_Type_commit(&three);
    MPI_Sendrecv(out, sent, MPI_INT, next, 0, in, 4, three, last, 0, MPI_COMM_WORLD, &status);
    check("threes", &status, three, count, elements);
    MPI_Type_free(&three);
}

/* Two pairs and the integer of a third. */
static void mixed(void)
{
    int next = (rank + 1) % size, last = (rank + size - 1) % size;
    struct pair out[3] = {{1, 1.5}, {2, 2.5}, {3, 3.5}}, in[3] = {{0, 0}};
    MPI_Datatype pair = pair_type(), most;
    MPI_Status status;
    MPI_Type_create_struct(2, (int[]){2, 1}, (MPI_Aint[]){0, 2 * sizeof(struct pair)},
                           (MPI_Datatype[]){pair, MPI_INT}, &most);
    MPI_Type_commit(&most);
    MPI_Sendrecv(out, 1, most, next, 0, in, 3, pair, last, 0, MPI_COMM_WORLD, &status);
    check("pairs", &status, pair, MPI_UNDEFINED, 5);
    expect("integer of the third", 3, in[2].number);
    expect_real("real of the third", 0, in[2].real);
    MPI_Sendrecv(out, 2, pair, next, 0, in, 3, pair, last, 0, MPI_COMM_WORLD, &status);
    check("whole pairs", &status, pair, 2, 4);
    MPI_Type_free(&most);
    MPI_Type_free(&pair);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    integers(0, 0, 0);
    integers(3, 1, 3);
    integers(4, MPI_UNDEFINED, 4);
    integers(12, 4, 12);
    mixed();
    return finish("get_elements");
}
