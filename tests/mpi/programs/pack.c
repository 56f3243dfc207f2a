/* Pack and Unpack: mixed data through one buffer, sent as MPI_PACKED or received as it. */
#include "check.h"

enum { BYTES = 1000, NUMBERS = 10 };

static int pack(char *buffer, int who)
{
    int count = NUMBERS, numbers[2 * NUMBERS], position = 0;
    double real = who + 0.5;
    char text[8] = "weft";
    MPI_Datatype odd;
    fill(numbers, 2 * NUMBERS, who);
    MPI_Type_vector(NUMBERS, 1, 2, MPI_INT, &odd);
    MPI_Type_commit(&odd);
    MPI_Pack(&count, 1, MPI_INT, buffer, BYTES, &position, MPI_COMM_WORLD);
    MPI_Pack(numbers + 1, 1, odd, buffer, BYTES, &position, MPI_COMM_WORLD);
    MPI_Pack(&real, 1, MPI_DOUBLE, buffer, BYTES, &position, MPI_COMM_WORLD);
    MPI_Pack(text, 8, MPI_CHAR, buffer, BYTES, &position, MPI_COMM_WORLD);
    MPI_Type_free(&odd);
    return position;
}

static void unpack(const char *buffer, int bytes, int who)
{
    int count = 0, numbers[NUMBERS], position = 0;
    double real;
    char text[8];
    MPI_Unpack(buffer, bytes, &position, &count, 1, MPI_INT, MPI_COMM_WORLD);
    expect("count", NUMBERS, count);
    MPI_Unpack(buffer, bytes, &position, numbers, NUMBERS, MPI_INT, MPI_COMM_WORLD);
    for (int i = 0; i < NUMBERS; i++)
        expect("number", pattern(who, 2 * i + 1), numbers[i]);
    MPI_Unpack(buffer, bytes, &position, &real, 1, MPI_DOUBLE, MPI_COMM_WORLD);
    expect_real("real", who + 0.5, real);
    MPI_Unpack(buffer, bytes, &position, text, 8, MPI_CHAR, MPI_COMM_WORLD);
    expect_text("text", "weft", text);
    expect("position", bytes, position);
}

/* What is sent as integers may be received as MPI_PACKED, and the other way round. */
static void matching(void)
{
    int next = (rank + 1) % size, last = (rank + size - 1) % size, numbers[4], got[4], bytes;
    char buffer[BYTES];
    int position = 0;
    MPI_Status status;
    fill(numbers, 4, rank);
    MPI_Sendrecv(numbers, 4, MPI_INT, next, 0, buffer, BYTES, MPI_PACKED, last, 0, MPI_COMM_WORLD,
                 &status);
    MPI_Get_count(&status, MPI_PACKED, &bytes);
    MPI_Unpack(buffer, bytes, &position, got, 4, MPI_INT, MPI_COMM_WORLD);
    expect_pattern("received as packed", got, 4, last);
    position = 0;
    MPI_Pack(numbers, 4, MPI_INT, buffer, BYTES, &position, MPI_COMM_WORLD);
    MPI_Sendrecv(buffer, position, MPI_PACKED, next, 0, got, 4, MPI_INT, last, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    expect_pattern("sent as packed", got, 4, last);
}

int main(int argc, char **argv)
{
    char out[BYTES], in[BYTES];
    int most, count;
    MPI_Status status;
    begin(&argc, &argv);
    int next = (rank + 1) % size, last = (rank + size - 1) % size;
    MPI_Pack_size(NUMBERS, MPI_INT, MPI_COMM_WORLD, &most);
    expect("packed size is enough", 1, most >= NUMBERS * (int)sizeof(int));
    int bytes = pack(out, rank);
    MPI_Sendrecv(out, bytes, MPI_PACKED, next, 0, in, BYTES, MPI_PACKED, last, 0, MPI_COMM_WORLD,
                 &status);
    MPI_Get_count(&status, MPI_PACKED, &count);
    expect("bytes", bytes, count);
    unpack(in, count, last);
    matching();
    return finish("pack");
}
