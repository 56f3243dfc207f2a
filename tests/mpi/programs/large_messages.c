/* Messages of one byte up to 1 MB there and back, between the first process and the last. */
#include "check.h"

enum { LARGEST = 1 << 20 };

static unsigned char letter(int i, int bytes)
{
    return (unsigned char)(i * 7 + i / 256 + bytes);
}

static void check_letters(const unsigned char *data, int bytes)
{
    int wrong = 0;
    for (int i = 0; i < bytes; i++)
        wrong += data[i] != letter(i, bytes);
    expect("wrong bytes", 0, wrong);
}

static void first(unsigned char *data, int bytes, int partner)
{
    for (int i = 0; i < bytes; i++)
        data[i] = letter(i, bytes);
    MPI_Send(data, bytes, MPI_BYTE, partner, 1, MPI_COMM_WORLD);
    memset(data, 0, bytes);
    MPI_Recv(data, bytes, MPI_BYTE, partner, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    check_letters(data, bytes);
}

static void second(unsigned char *data, int bytes, int partner)
{
    MPI_Status status;
    int count;
    MPI_Recv(data, LARGEST, MPI_BYTE, partner, 1, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_BYTE, &count);
    expect("bytes", bytes, count);
    check_letters(data, bytes);
    MPI_Ssend(data, bytes, MPI_BYTE, partner, 2, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    unsigned char *data = rank == 0 || rank == size - 1 ? allocate(LARGEST) : NULL;
    for (int bytes = 1; bytes <= LARGEST && size > 1; bytes *= 4) {
        for (int odd = bytes > 1 ? -1 : 0; odd <= 0; odd++) {
            if (rank == 0)
                first(data, bytes + odd, size - 1);
            else if (rank == size - 1)
                second(data, bytes + odd, 0);
        }
    }
    free(data);
    return finish("large_messages");
}
