/* Sizes, extents and true extents of types of every kind. */
#include "check.h"

static void check(const char *what, MPI_Datatype type, int bytes, int lower, int extent,
                  int true_lower, int true_extent)
{
    MPI_Aint got_lower, got_extent;
    MPI_Count count, count_lower, count_extent;
    int got;
    MPI_Type_size(type, &got);
    expect(what, bytes, got);
    MPI_Type_size_x(type, &count);
    expect(what, bytes, count);
    MPI_Type_get_extent(type, &got_lower, &got_extent);
    expect(what, lower, got_lower);
    expect(what, extent, got_extent);
    MPI_Type_get_true_extent(type, &got_lower, &got_extent);
    expect(what, true_lower, got_lower);
    expect(what, true_extent, got_extent);
    MPI_Type_get_extent_x(type, &count_lower, &count_extent);
    expect(what, lower, count_lower);
    expect(what, extent, count_extent);
    MPI_Type_get_true_extent_x(type, &count_lower, &count_extent);
    expect(what, true_lower, count_lower);
    expect(what, true_extent, count_extent);
}

static void simple(void)
{
    MPI_Datatype type;
    check("int", MPI_INT, 4, 0, 4, 0, 4);
    check("double", MPI_DOUBLE, 8, 0, 8, 0, 8);
    check("short and int", MPI_SHORT_INT, 6, 0, 8, 0, 8);
    MPI_Type_contiguous(5, MPI_SHORT, &type);
    check("contiguous", type, 10, 0, 10, 0, 10);
    MPI_Type_free(&type);
    MPI_Type_vector(3, 2, 4, MPI_INT, &type);
    check("vector", type, 24, 0, 40, 0, 40);
    MPI_Type_free(&type);
    MPI_Type_vector(3, 1, -2, MPI_INT, &type);
    check("vector backwards", type, 12, -16, 20, -16, 20);
    MPI_Type_free(&type);
    MPI_Type_indexed(2, (int[]){1, 2}, (int[]){3, 6}, MPI_DOUBLE, &type);
    check("indexed", type, 24, 24, 40, 24, 40);
    MPI_Type_free(&type);
}

static void padded(void)
{
    MPI_Datatype type;
    int lengths[2] = {1, 1};
    MPI_Aint places[2] = {0, 8};
    MPI_Datatype types[2] = {MPI_DOUBLE, MPI_CHAR};
    MPI_Type_create_struct(2, lengths, places, types, &type);
    check("struct with padding", type, 9, 0, 16, 0, 9);
    MPI_Type_free(&type);
}

static void resized(void)
{
    MPI_Datatype type, row;
    MPI_Type_create_resized(MPI_INT, -4, 20, &type);
    check("resized", type, 4, -4, 20, 0, 4);
    MPI_Type_contiguous(3, type, &row);
    check("three resized", row, 12, -4, 60, 0, 44);
    MPI_Type_free(&row);
    MPI_Type_dup(type, &row);
    check("duplicate", row, 4, -4, 20, 0, 4);
    MPI_Type_free(&row);
    MPI_Type_free(&type);
    MPI_Type_create_subarray(1, (int[]){10}, (int[]){3}, (int[]){4}, MPI_ORDER_C, MPI_INT, &type);
    check("subarray", type, 12, 0, 40, 16, 12);
    MPI_Type_free(&type);
}

/* New bounds are those of all types made of them, and need no padding. */
static void marked(void)
{
    MPI_Datatype resized, type;
    MPI_Type_create_resized(MPI_INT, -4, 21, &resized);
    MPI_Type_create_struct(2, (int[]){1, 1}, (MPI_Aint[]){0, 200},
                           (MPI_Datatype[]){resized, MPI_INT}, &type);
    check("resized and more", type, 8, -4, 21, 0, 204);
    MPI_Type_free(&type);
    MPI_Type_free(&resized);
    MPI_Type_create_subarray(1, (int[]){10}, (int[]){2}, (int[]){3}, MPI_ORDER_C, MPI_INT,
                             &resized);
    MPI_Type_create_struct(2, (int[]){1, 1}, (MPI_Aint[]){0, 400},
                           (MPI_Datatype[]){resized, MPI_INT}, &type);
    check("subarray and more", type, 12, 0, 40, 12, 392);
    MPI_Type_free(&type);
    MPI_Type_free(&resized);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    simple();
    padded();
    resized();
    marked();
    return finish("type_extent");
}
