/* Struct types: an array of C structures with holes, whose padding is not touched. */
#include "check.h"
#include <stddef.h>

enum { COUNT = 10 };

struct particle {
    char kind;
    double position[3];
    short charge;
    int number;
    float mass;
};

static struct particle make(int who, int i)
{
    struct particle p;
    memset(&p, 0, sizeof(p));
    p.kind = (char)('a' + (who + i) % 26);
    for (int d = 0; d < 3; d++)
        p.position[d] = who + 0.25 * i + d;
    p.charge = (short)(i - who);
    p.number = pattern(who, i);
    p.mass = (float)(who * 0.5 + i);
    return p;
}

static MPI_Datatype particle_type(void)
{
    int lengths[5] = {1, 3, 1, 1, 1};
    MPI_Aint places[5] = {offsetof(struct particle, kind), offsetof(struct particle, position),
                          offsetof(struct particle, charge), offsetof(struct particle, number),
                          offsetof(struct particle, mass)};
    MPI_Datatype types[5] = {MPI_CHAR, MPI_DOUBLE, MPI_SHORT, MPI_INT, MPI_FLOAT}, packed, type;
    MPI_Type_create_struct(5, lengths, places, types, &packed);
    MPI_Type_create_resized(packed, 0, sizeof(struct particle), &type);
    MPI_Type_free(&packed);
    MPI_Type_commit(&type);
    return type;
}

int main(int argc, char **argv)
{
    struct particle out[COUNT], in[COUNT];
    begin(&argc, &argv);
    int next = (rank + 1) % size, last = (rank + size - 1) % size, bytes;
    MPI_Datatype type = particle_type();
    MPI_Type_size(type, &bytes);
    expect("size", 1 + 3 * 8 + 2 + 4 + 4, bytes);
    for (int i = 0; i < COUNT; i++)
        out[i] = make(rank, i);
    memset(in, 0x55, sizeof(in));
    MPI_Sendrecv(out, COUNT, type, next, 0, in, COUNT, type, last, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    for (int i = 0; i < COUNT; i++) {
        struct particle right = make(last, i);
        expect("kind", right.kind, in[i].kind);
        for (int d = 0; d < 3; d++)
            expect_real("position", right.position[d], in[i].position[d]);
        expect("charge", right.charge, in[i].charge);
        expect("number", right.number, in[i].number);
        expect_real("mass", right.mass, in[i].mass);
        expect("hole", 0x55, ((char *)&in[i])[1]);
    }
    MPI_Type_free(&type);
    return finish("type_struct");
}
