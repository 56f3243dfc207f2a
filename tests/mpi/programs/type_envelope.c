/* Type_get_envelope and Type_get_contents give back how a type was made. */
#include "check.h"

static int integers[32];
static MPI_Aint addresses[8];
static MPI_Datatype types[8];

/* Reads how `type` was made, and frees it. */
static void take_apart(const char *what, MPI_Datatype type, int combiner, int n_integers,
                       int n_addresses, int n_types)
{
    int ni, na, nt, got;
    MPI_Type_get_envelope(type, &ni, &na, &nt, &got);
    expect(what, combiner, got);
    expect(what, n_integers, ni);
    expect(what, n_addresses, na);
    expect(what, n_types, nt);
    MPI_Type_get_contents(type, ni, na, nt, integers, addresses, types);
    MPI_Type_free(&type);
}

static void blocks(void)
{
    MPI_Datatype type;
    MPI_Type_contiguous(4, MPI_INT, &type);
    take_apart("contiguous", type, MPI_COMBINER_CONTIGUOUS, 1, 0, 1);
    expect("contiguous count", 4, integers[0]);
    expect("contiguous type", 1, types[0] == MPI_INT);
    MPI_Type_vector(2, 3, 5, MPI_DOUBLE, &type);
    take_apart("vector", type, MPI_COMBINER_VECTOR, 3, 0, 1);
    expect("vector stride", 5, integers[2]);
    expect("vector type", 1, types[0] == MPI_DOUBLE);
    MPI_Type_create_hvector(2, 3, 50, MPI_CHAR, &type);
    take_apart("hvector", type, MPI_COMBINER_HVECTOR, 2, 1, 1);
    expect("hvector block", 3, integers[1]);
    expect("hvector stride", 50, addresses[0]);
    MPI_Type_create_resized(MPI_INT, -8, 24, &type);
    take_apart("resized", type, MPI_COMBINER_RESIZED, 0, 2, 1);
    expect("resized lower bound", -8, addresses[0]);
    expect("resized extent", 24, addresses[1]);
    MPI_Type_dup(MPI_LONG, &type);
    take_apart("dup", type, MPI_COMBINER_DUP, 0, 0, 1);
    expect("dup type", 1, types[0] == MPI_LONG);
}

static void lists(void)
{
    MPI_Datatype type;
    MPI_Type_indexed(2, (int[]){1, 2}, (int[]){5, 7}, MPI_INT, &type);
    take_apart("indexed", type, MPI_COMBINER_INDEXED, 5, 0, 1);
    expect("indexed count", 2, integers[0]);
    expect("indexed length", 2, integers[2]);
    expect("indexed place", 7, integers[4]);
    MPI_Type_create_hindexed(2, (int[]){1, 2}, (MPI_Aint[]){5, 77}, MPI_INT, &type);
    take_apart("hindexed", type, MPI_COMBINER_HINDEXED, 3, 2, 1);
    expect("hindexed place", 77, addresses[1]);
    MPI_Type_create_indexed_block(2, 9, (int[]){3, 20}, MPI_INT, &type);
    take_apart("indexed_block", type, MPI_COMBINER_INDEXED_BLOCK, 4, 0, 1);
    expect("indexed_block length", 9, integers[1]);
    expect("indexed_block place", 20, integers[3]);
    MPI_Type_create_struct(2, (int[]){1, 3}, (MPI_Aint[]){0, 8},
                           (MPI_Datatype[]){MPI_INT, MPI_FLOAT}, &type);
    take_apart("struct", type, MPI_COMBINER_STRUCT, 3, 2, 2);
    expect("struct length", 3, integers[2]);
    expect("struct place", 8, addresses[1]);
    expect("struct type", 1, types[1] == MPI_FLOAT);
    MPI_Type_create_subarray(2, (int[]){8, 9}, (int[]){2, 3}, (int[]){4, 5}, MPI_ORDER_FORTRAN,
                             MPI_INT, &type);
    take_apart("subarray", type, MPI_COMBINER_SUBARRAY, 8, 0, 1);
    expect("subarray start", 5, integers[6]);
    expect("subarray order", MPI_ORDER_FORTRAN, integers[7]);
}

static void inner(void)
{
    MPI_Datatype row, table;
    int ni, na, nt, combiner;
    MPI_Type_contiguous(3, MPI_INT, &row);
    MPI_Type_vector(2, 1, 2, row, &table);
    MPI_Type_free(&row);
    take_apart("nested", table, MPI_COMBINER_VECTOR, 3, 0, 1);
    take_apart("inner", types[0], MPI_COMBINER_CONTIGUOUS, 1, 0, 1);
    expect("inner count", 3, integers[0]);
    MPI_Type_get_envelope(MPI_INT, &ni, &na, &nt, &combiner);
    expect("named", MPI_COMBINER_NAMED, combiner);
}

/* The handle of an inner type is the program's own, and does not end the one it was made by. */
static void handles(void)
{
    MPI_Datatype row, table;
    int bytes;
    MPI_Type_contiguous(3, MPI_INT, &row);
    MPI_Type_vector(2, 1, 2, row, &table);
    take_apart("table", table, MPI_COMBINER_VECTOR, 3, 0, 1);
    MPI_Type_free(&types[0]);
    MPI_Type_size(row, &bytes);
    expect("bytes of the row", 12, bytes);
    MPI_Type_contiguous(2, row, &table);
    take_apart("two rows", table, MPI_COMBINER_CONTIGUOUS, 1, 0, 1);
    MPI_Type_free(&row);
    MPI_Type_size(types[0], &bytes);
    expect("bytes of the same", 12, bytes);
    MPI_Type_free(&types[0]);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    blocks();
    lists();
    inner();
    handles();
    return finish("type_envelope");
}
