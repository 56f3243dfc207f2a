/* Alltoallv with a different length for each pair, many of them zero, in place too. */
#include "check.h"

enum { LONGEST = 37 };

static int pair_of(int from, int to)
{
    return from * 1000 + to;
}

static int length_of(int from, int to)
{
    int length = (from * 11 + to * 5) % (LONGEST + 1);
    return length % 3 == 0 ? 0 : length;
}

static int symmetric(int from, int to)
{
    return (from + to) % 9;
}

struct layout {
    int *counts, *places, total;
};

/* Of what this process sends (or receives), with a gap of one element between parts. */
static struct layout lay_out(int (*length)(int, int), int sending)
{
    struct layout l = {allocate(size * sizeof(int)), allocate(size * sizeof(int)), 0};
    for (int i = 0; i < size; i++) {
        l.counts[i] = sending ? length(rank, i) : length(i, rank);
        l.places[i] = l.total;
        l.total += l.counts[i] + 1;
    }
    return l;
}

static void release(struct layout *l)
{
    free(l->counts);
    free(l->places);
}

static void check(const char *what, const int *in, const struct layout *l)
{
    for (int from = 0; from < size; from++) {
        expect_pattern(what, in + l->places[from], l->counts[from], pair_of(from, rank));
        expect("gap", 0, in[l->places[from] + l->counts[from]]);
    }
}

static void exchange(int (*length)(int, int))
{
    struct layout send = lay_out(length, 1), receive = lay_out(length, 0);
    int *out = allocate(send.total * sizeof(int)), *in = allocate(receive.total * sizeof(int));
    for (int to = 0; to < size; to++)
        fill(out + send.places[to], send.counts[to], pair_of(rank, to));
    MPI_Alltoallv(out, send.counts, send.places, MPI_INT, in, receive.counts, receive.places,
                  MPI_INT, MPI_COMM_WORLD);
    check("alltoallv", in, &receive);
    free(out);
    free(in);
    release(&send);
    release(&receive);
}

static void in_place(void)
{
    struct layout l = lay_out(symmetric, 1);
    int *data = allocate(l.total * sizeof(int));
    for (int to = 0; to < size; to++)
        fill(data + l.places[to], l.counts[to], pair_of(rank, to));
    MPI_Alltoallv(MPI_IN_PLACE, NULL, NULL, MPI_DATATYPE_NULL, data, l.counts, l.places, MPI_INT,
                  MPI_COMM_WORLD);
    check("in place", data, &l);
    free(data);
    release(&l);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    exchange(length_of);
    exchange(symmetric);
    in_place();
    return finish("alltoallv");
}
