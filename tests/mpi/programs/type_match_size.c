/* Type_match_size and the parametrized types of Fortran: of the right size, and they transfer. */
#include "check.h"

static void match(int class, int bytes)
{
    MPI_Datatype type = MPI_DATATYPE_NULL;
    int got = -1, next = (rank + 1) % size, last = (rank + size - 1) % size;
    unsigned char out[16], in[16] = {0};
    MPI_Type_match_size(class, bytes, &type);
    MPI_Type_size(type, &got);
    expect("size", bytes, got);
    memset(out, rank + 1, sizeof(out));
    MPI_Sendrecv(out, 1, type, next, 0, in, 1, type, last, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    expect("first byte", (unsigned char)(last + 1), in[0]);
    expect("last byte", (unsigned char)(last + 1), in[bytes - 1]);
}

static void parametrized(void)
{
    MPI_Datatype type;
    int bytes;
    MPI_Type_create_f90_integer(9, &type);
    MPI_Type_size(type, &bytes);
    expect("integer of 9 digits", 4, bytes);
    MPI_Type_create_f90_integer(18, &type);
    MPI_Type_size(type, &bytes);
    expect("integer of 18 digits", 8, bytes);
    MPI_Type_create_f90_real(6, 30, &type);
    MPI_Type_size(type, &bytes);
    expect("real of 6 digits", 4, bytes);
    MPI_Type_create_f90_real(15, 300, &type);
    MPI_Type_size(type, &bytes);
    expect("real of 15 digits", 8, bytes);
    MPI_Type_create_f90_complex(15, 300, &type);
    MPI_Type_size(type, &bytes);
    expect("complex of 15 digits", 16, bytes);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    for (int bytes = 1; bytes <= 8; bytes *= 2)
        match(MPI_TYPECLASS_INTEGER, bytes);
    match(MPI_TYPECLASS_REAL, 4);
    match(MPI_TYPECLASS_REAL, 8);
    match(MPI_TYPECLASS_COMPLEX, 8);
    match(MPI_TYPECLASS_COMPLEX, 16);
    parametrized();
    return finish("type_match_size");
}
