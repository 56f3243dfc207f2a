/* MINLOC and MAXLOC on every type of pairs; of equal values the lowest index wins. */
#include "check.h"

enum { COUNT = 5 };

/* Values repeat, so that there are ties. */
static int value_of(int who, int i)
{
    return (who * 7 + i * 3) % 5 - 2;
}

static int best(int i, int largest)
{
    int where = 0;
    for (int who = 1; who < size; who++) {
        int difference = value_of(who, i) - value_of(where, i);
        if (largest ? difference > 0 : difference < 0)
            where = who;
    }
    return where;
}

#define CHECK(name, c_type)                                                                        \
    static void name(MPI_Datatype type)                                                            \
    {                                                                                              \
        struct {                                                                                   \
            c_type value;                                                                          \
            int where;                                                                             \
        } out[COUNT], in[COUNT];                                                                   \
        for (int largest = 0; largest < 2; largest++) {                                            \
            for (int i = 0; i < COUNT; i++) {                                                      \
                out[i].value = (c_type)value_of(rank, i);                                          \
                out[i].where = rank;                                                               \
            }                                                                                      \
            MPI_Op op = largest ? MPI_MAXLOC : MPI_MINLOC;                                         \
            MPI_Allreduce(out, in, COUNT, type, op, MPI_COMM_WORLD);                               \
            for (int i = 0; i < COUNT; i++) {                                                      \
                expect(#name " where", best(i, largest), in[i].where);                             \
                expect(#name, value_of(best(i, largest), i), (long long)in[i].value);              \
            }                                                                                      \
        }                                                                                          \
    }

CHECK(two_ints, int)
CHECK(float_int, float)
CHECK(double_int, double)
CHECK(long_int, long)
CHECK(short_int, short)
CHECK(long_double_int, long double)

/* The index of a tie is the least one, wherever it comes from. */
static void indices_of_another_order(void)
{
    struct {
        int value, where;
    } out = {1, size - rank}, in;
    MPI_Allreduce(&out, &in, 1, MPI_2INT, MPI_MAXLOC, MPI_COMM_WORLD);
    expect("value of a tie", 1, in.value);
    expect("least index of a tie", 1, in.where);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    two_ints(MPI_2INT);
    float_int(MPI_FLOAT_INT);
    double_int(MPI_DOUBLE_INT);
    long_int(MPI_LONG_INT);
    short_int(MPI_SHORT_INT);
    long_double_int(MPI_LONG_DOUBLE_INT);
    indices_of_another_order();
    return finish("op_minloc");
}
