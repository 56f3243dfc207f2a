/* Waitsome and Testsome: a server takes requests of all clients and answers each. */
#include "check.h"

enum { ROUNDS = 3, QUESTION = 1, ANSWER = 2 };

static void client(void)
{
    for (int round = 0; round < ROUNDS; round++) {
        int question = 1000 * rank + round, answer;
        MPI_Send(&question, 1, MPI_INT, 0, QUESTION, MPI_COMM_WORLD);
        MPI_Recv(&answer, 1, MPI_INT, 0, ANSWER, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        expect("answer", 2 * question + 1, answer);
    }
}

static int some(int wait, int count, MPI_Request *requests, int *indices, MPI_Status *statuses)
{
    int done = 0;
    if (wait)
        MPI_Waitsome(count, requests, &done, indices, statuses);
    while (!wait && done == 0)
        MPI_Testsome(count, requests, &done, indices, statuses);
    return done;
}

static void server(void)
{
    int clients = size - 1, left = clients * ROUNDS;
    int *questions = allocate(clients * sizeof(int)), *indices = allocate(clients * sizeof(int));
    int *asked = allocate(clients * sizeof(int));
    MPI_Request *requests = allocate(clients * sizeof(MPI_Request));
    MPI_Status *statuses = allocate(clients * sizeof(MPI_Status));
    for (int i = 0; i < clients; i++)
        MPI_Irecv(&questions[i], 1, MPI_INT, i + 1, QUESTION, MPI_COMM_WORLD, &requests[i]);
    for (int turn = 0; left > 0; turn++) {
        int done = some(turn % 2, clients, requests, indices, statuses);
        expect("number done", 1, done > 0 && done <= left);
        for (int i = 0; i < done; i++, left--) {
            int who = indices[i], answer = 2 * questions[who] + 1;
            expect("source", who + 1, statuses[i].MPI_SOURCE);
            expect("question", 1000 * (who + 1) + asked[who], questions[who]);
            MPI_Send(&answer, 1, MPI_INT, who + 1, ANSWER, MPI_COMM_WORLD);
            if (++asked[who] < ROUNDS)
                MPI_Irecv(&questions[who], 1, MPI_INT, who + 1, QUESTION, MPI_COMM_WORLD,
                          &requests[who]);
        }
    }
    expect("none left", MPI_UNDEFINED, some(1, clients, requests, indices, statuses));
    free(questions);
    free(indices);
    free(asked);
    free(requests);
    free(statuses);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    if (rank == 0)
        server();
    else
        client();
    return finish("waitsome");
}
