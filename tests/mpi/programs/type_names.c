/* Names of types and Type_dup: a duplicate transfers the same and has a name of its own. */
#include "check.h"

static void expect_name(const char *what, const char *expected, MPI_Datatype type)
{
    char name[MPI_MAX_OBJECT_NAME] = "?";
    int length = -1;
    MPI_Type_get_name(type, name, &length);
    expect_text(what, expected, name);
    expect(what, (long long)strlen(expected), length);
}

int main(int argc, char **argv)
{
    MPI_Datatype pairs, copy;
    int out[8], in[8] = {0};
    begin(&argc, &argv);
    int next = (rank + 1) % size, last = (rank + size - 1) % size;
    MPI_Type_vector(2, 2, 4, MPI_INT, &pairs);
    expect_name("new type", "", pairs);
    MPI_Type_set_name(pairs, "pairs");
    expect_name("named type", "pairs", pairs);
    MPI_Type_set_name(pairs, "two pairs");
    expect_name("renamed type", "two pairs", pairs);
    MPI_Type_commit(&pairs);
    MPI_Type_dup(pairs, &copy); /* a duplicate is committed if the type was */
    MPI_Type_set_name(copy, "copy");
    expect_name("duplicate", "copy", copy);
    expect_name("type with a duplicate", "two pairs", pairs);
    MPI_Type_free(&pairs);
    expect("freed handle", 1, pairs == MPI_DATATYPE_NULL);
    fill(out, 8, rank);
    MPI_Sendrecv(out, 1, copy, next, 0, in, 1, copy, last, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < 8; i++)
        expect("data", i % 4 < 2 && i < 6 ? pattern(last, i) : 0, in[i]);
    MPI_Type_free(&copy);
    MPI_Type_dup(MPI_INT, &copy);
    MPI_Sendrecv(out, 8, copy, next, 0, in, 8, MPI_INT, last, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    expect_pattern("data as a duplicate of MPI_INT", in, 8, last);
    MPI_Type_free(&copy);
    return finish("type_names");
}
