/* MPI_LB and MPI_UB as codes from before MPI-2 use them: they set the bounds of a structure, and of
 * all types made of it. */
#include "check.h"

enum { N = 6, MOST = 4 };

/* Members of one element each, as MPI_Type_struct() takes them. */
static MPI_Datatype structure(int count, const MPI_Aint *places, const MPI_Datatype *types)
{
    int lengths[MOST] = {1, 1, 1, 1};
    MPI_Aint displs[MOST];
    MPI_Datatype own[MOST], made;
    for (int i = 0; i < count; i++) {
        displs[i] = places[i];
        own[i] = types[i];
    }
    MPI_Type_struct(count, lengths, displs, own, &made);
    MPI_Type_commit(&made);
    return made;
}
#define STRUCTURE(COUNT, PLACES, ...)                                                              \
    structure(COUNT, (const MPI_Aint[])PLACES, (const MPI_Datatype[]){__VA_ARGS__})
#define AT(...)                                                                                    \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }

static void check(const char *what, MPI_Datatype type, MPI_Aint low, MPI_Aint high,
                  MPI_Aint true_low, MPI_Aint true_extent)
{
    MPI_Aint lower, upper, extent;
    MPI_Type_lb(type, &lower);
    MPI_Type_ub(type, &upper);
    MPI_Type_extent(type, &extent);
    expect(what, low, lower);
    expect(what, high, upper);
    expect(what, high - low, extent);
    MPI_Type_get_true_extent(type, &lower, &extent);
    expect(what, true_low, lower);
    expect(what, true_extent, extent);
}

/* The marked type is freed: types keep what they are made of. */
static void check_made(const char *what, MPI_Datatype type, MPI_Aint low, MPI_Aint high,
                       MPI_Aint true_low, MPI_Aint true_extent)
{
    check(what, type, low, high, true_low, true_extent);
    MPI_Type_free(&type);
}

static void bounds(void)
{
    MPI_Datatype marked = STRUCTURE(3, AT(-3, 0, 6), MPI_LB, MPI_INT, MPI_UB), made, none;
    check("both marks", marked, -3, 6, 0, 4);
    MPI_Type_contiguous(2, marked, &made);
    check_made("two in a row", made, -3, 15, 0, 13);
    MPI_Type_hvector(3, 1, 100, marked, &made);
    check_made("far apart", made, -3, 206, 0, 204);
    MPI_Type_indexed(2, (int[]){1, 2}, (int[]){3, 1}, marked, &made);
    check_made("indexed", made, 6, 33, 9, 22);
    MPI_Type_dup(marked, &made);
    check("a duplicate", made, -3, 6, 0, 4);
    check_made("marks of a member", STRUCTURE(2, AT(0, 40), made, MPI_INT), -3, 6, 0, 44);
    MPI_Type_free(&made);
    check_made("the farthest marks", STRUCTURE(3, AT(0, 20, 15), marked, MPI_INT, MPI_UB), -3, 15,
               0, 24);
    MPI_Type_create_resized(marked, 0, 64, &made);
    check_made("new bounds", made, 0, 64, 0, 4);
    check_made("the compiler's end", STRUCTURE(2, AT(0, 10), MPI_DOUBLE, MPI_CHAR), 0, 16, 0, 11);
    check_made("an end of one's own", STRUCTURE(3, AT(0, 10, 11), MPI_DOUBLE, MPI_CHAR, MPI_UB), 0,
               11, 0, 11);
    check_made("a beginning", STRUCTURE(3, AT(4, 10, 0), MPI_INT, MPI_CHAR, MPI_LB), 0, 12, 4, 7);
    check_made("an end before the data's", STRUCTURE(2, AT(0, 4), MPI_DOUBLE, MPI_UB), 0, 4, 0, 8);
    none = STRUCTURE(2, AT(-4, 12), MPI_LB, MPI_UB);
    check("no data", none, -4, 12, 0, 0);
    check_made("no data and a number", STRUCTURE(2, AT(0, 2), none, MPI_INT), -4, 12, 2, 4);
    MPI_Type_free(&none);
    MPI_Type_free(&marked);
}

/* Particles: what is sent of each, and how far the next one is. */
static void particles(void)
{
    struct particle {
        double position[3];
        char note[5];
        int kind;
    } out[N], in[N];
    int next = (rank + 1) % size, last = (rank + size - 1) % size, received;
    int lengths[3] = {3, 1, 1};
    MPI_Aint places[3], start;
    MPI_Datatype types[3] = {MPI_DOUBLE, MPI_INT, MPI_UB}, particle;
    MPI_Status status;
    MPI_Address(&out[0], &start);
    MPI_Address(out[0].position, &places[0]);
    MPI_Address(&out[0].kind, &places[1]);
    MPI_Address(&out[1], &places[2]);
    for (int i = 0; i < 3; i++)
        places[i] -= start;
    MPI_Type_struct(3, lengths, places, types, &particle);
    MPI_Type_commit(&particle);
    memset(in, 'x', sizeof(in));
    memset(out, 0, sizeof(out));
    for (int i = 0; i < N; i++) {
        out[i].position[2] = rank + i;
        out[i].kind = pattern(rank, i);
    }
    MPI_Sendrecv(out, N, particle, next, 0, in, N, particle, last, 0, MPI_COMM_WORLD, &status);
    for (int i = 0; i < N; i++) {
        expect_real("position", last + i, in[i].position[2]);
        expect("kind", pattern(last, i), in[i].kind);
        expect("what was not sent", 'x', in[i].note[4]);
    }
    MPI_Get_count(&status, particle, &received);
    expect("particles", N, received);
    MPI_Get_elements(&status, particle, &received);
    expect("numbers", 4 * N, received);
    MPI_Type_free(&particle);
}

/* A matrix is transposed: columns whose extent is one number, by a mark. */
static void transposition(void)
{
    int matrix[N][N], transposed[N][N], next = (rank + 1) % size, last = (rank + size - 1) % size;
    MPI_Datatype column, slim;
    MPI_Type_vector(N, 1, N, MPI_INT, &column);
    slim = STRUCTURE(2, AT(0, sizeof(int)), column, MPI_UB);
    fill(matrix[0], N * N, rank);
    MPI_Sendrecv(matrix, N, slim, next, 0, transposed, N * N, MPI_INT, last, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            expect("transposed", pattern(last, j * N + i), transposed[i][j]);
    MPI_Type_free(&slim);
    MPI_Type_free(&column);
}

static void names(void)
{
    char name[MPI_MAX_OBJECT_NAME];
    int integers, addresses, types, combiner, length;
    MPI_Datatype pair = STRUCTURE(2, AT(0, 8), MPI_INT, MPI_UB), kept[2];
    int lengths[3];
    MPI_Aint places[2];
    MPI_Type_get_name(MPI_LB, name, &length);
    expect_text("name", "MPI_LB", name);
    MPI_Type_get_envelope(MPI_UB, &integers, &addresses, &types, &combiner);
    expect("predefined", MPI_COMBINER_NAMED, combiner);
    MPI_Type_get_contents(pair, 3, 2, 2, lengths, places, kept);
    expect("the mark is kept", 1, kept[1] == MPI_UB);
    expect("its place", 8, places[1]);
    MPI_Type_size(MPI_UB, &length);
    expect("size", 0, length);
    MPI_Type_free(&pair);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    bounds();
    particles();
    transposition();
    names();
    return finish("type_marks");
}
