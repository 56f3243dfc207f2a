/* Messages between two processes never overtake each other, short or long, posted or not. */
#include "check.h"

enum { MESSAGES = 40, LONGEST = 9000 };

/* Short and long ones alternate, so that different protocols carry neighbours. */
static int length_of(int i)
{
    static const int lengths[] = {1, LONGEST, 2, 600, 0, 3000, 16};
    return lengths[i % 7];
}

static void send_all(int partner)
{
    static int data[LONGEST + 1];
    for (int i = 0; i < MESSAGES; i++) {
        data[0] = i;
        if (i % 3 == 0)
            MPI_Ssend(data, length_of(i) + 1, MPI_INT, partner, 1, MPI_COMM_WORLD);
        else
            MPI_Send(data, length_of(i) + 1, MPI_INT, partner, 1, MPI_COMM_WORLD);
    }
}

static void receive_all(int partner)
{
    static int data[LONGEST + 1], ahead[LONGEST + 1];
    MPI_Request request;
    MPI_Status status;
    int count;
    for (int i = 0; i < MESSAGES; i += 2) {
        MPI_Irecv(ahead, LONGEST + 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &request);
        MPI_Recv(data, LONGEST + 1, MPI_INT, partner, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        MPI_Get_count(&status, MPI_INT, &count);
        expect("second of two", i + 1, data[0]);
        expect("count of the second", length_of(i + 1) + 1, count);
        MPI_Wait(&request, &status);
        MPI_Get_count(&status, MPI_INT, &count);
        expect("first of two", i, ahead[0]);
        expect("count of the first", length_of(i) + 1, count);
    }
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    int partner = rank ^ 1;
    if (partner < size && rank < partner)
        send_all(partner);
    else if (partner < size)
        receive_all(partner);
    return finish("ordering");
}
