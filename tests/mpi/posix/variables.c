/* Variables of all kinds: each rank, and where they are thread-local each thread, has its own. */
#include <mpi.h>
#include <stdio.h>

enum { ROUNDS = 5 };

extern __thread int known_counter, known_zero;
extern int shown, *shown_at;
int known_next(void), own_next(void);

__thread int mine = 5;
__thread char room[300];
static __thread double real = 2.5;
static int made, rank, errors;

static int one(void)
{
    return 1;
}

static int (*choose(void))(void)
{
    return one;
}

int chosen(void) __attribute__((ifunc("choose")));

__attribute__((constructor)) static void make(void)
{
    made++;
}

static void expect(const char *what, double expected, double got)
{
    if (expected != got) {
        printf("rank %d: %s, expected %g, got %g\n", rank, what, expected, got);
        errors++;
    }
}

#ifdef THREADS
#include <pthread.h>

static void *change(void *result)
{
    mine += 100;
    *(int *)result = mine + 1000 * known_next() + 100000 * own_next();
    return NULL;
}

static void check_thread(void)
{
    int before = mine, result = 0;
    pthread_t thread;
    pthread_create(&thread, NULL, change, &result);
    pthread_join(thread, NULL);
    expect("of a thread", 105 + 11000 + 1100000, result);
    expect("of the rank", before, mine);
}
#else
static void check_thread(void)
{
}
#endif

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < ROUNDS; i++) {
        mine += rank;
        real *= 2;
        room[i] = (char)rank;
        known_counter += rank;
        known_zero++;
        shown += rank;
        MPI_Barrier(MPI_COMM_WORLD);
        expect("of a library that is known", 10 + (i + 1) * (rank + 1), known_next());
        expect("of a library that is not", 11 + i, own_next());
    }
    expect("thread-local", 5 + ROUNDS * rank, mine);
    expect("thread-local and static", 80, real);
    expect("thread-local and zero", ROUNDS, known_zero);
    expect("room", rank, room[ROUNDS - 1]);
    expect("more room", 0, room[ROUNDS]);
    expect("of a library", 99 + ROUNDS * rank, shown);
    expect("by its address", shown, *shown_at);
    expect("chosen", 1, chosen());
    expect("made", 1, made);
    check_thread();
    MPI_Finalize();
    printf("%s\n", errors ? "failed" : "ok");
    return errors != 0;
}
