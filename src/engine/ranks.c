/* ranks.h by MPI; without MPI, a single process. */
#define _GNU_SOURCE
#include "engine/ranks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static struct {
    bool started; /* with MPI */
    int me, count, here, sharing, me_sharing;
} world = {.count = 1, .here = 1, .sharing = 1};

uint32_t ranks_count(void)
{
    return (uint32_t)world.count;
}

uint32_t ranks_me(void)
{
    return (uint32_t)world.me;
}

uint32_t ranks_here(void)
{
    return (uint32_t)world.here;
}

uint32_t ranks_sharing(void)
{
    return (uint32_t)world.sharing;
}

uint32_t ranks_me_sharing(void)
{
    return (uint32_t)world.me_sharing;
}

void ranks_leave(void)
{
    world.started = false;
    world.me = 0;
    world.count = world.here = 1;
}

/* How Open MPI, MPICH and Slurm tell a process that it is one of several. */
static long launched_ranks(void)
{
    static const char *const names[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"};
    long most = 0;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        const char *text = getenv(names[i]);
        long count = text ? strtol(text, NULL, 10) : 0;
        most = count > most ? count : most;
    }
    return most;
}

uint32_t ranks_owner(uint32_t item, uint32_t items)
{
    uint32_t ranks = ranks_count();
    uint32_t rank = (uint32_t)((uint64_t)item * ranks / items);
    /* Rank r starts at floor(items r / ranks). */
    while (rank + 1 < ranks && (uint64_t)items * (rank + 1) / ranks <= item)
        rank++;
    return rank;
}

#ifdef WEFT_MPI
#include <limits.h>
#include <mpi.h>
#include <sched.h>

#include "base/random.h"

static struct {
    MPI_Request *request;
    int count;
} sends; /* in progress */

/* A hash of the cores that this process may use. */
static uint64_t cores_hash(void)
{
    cpu_set_t set;
    uint64_t hash = 0;
    CPU_ZERO(&set);
    sched_getaffinity(0, sizeof(set), &set);
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
        if (CPU_ISSET(cpu, &set))
            hash = random_mix(hash + (uint64_t)cpu + 1);
    return hash;
}

/* Finds out which ranks share this computer, and which the same cores. */
static void look_around(void)
{
    MPI_Comm here;
    int me_here;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, world.me, MPI_INFO_NULL, &here);
    MPI_Comm_rank(here, &me_here);
    MPI_Comm_size(here, &world.here);
    uint64_t mine = cores_hash(), *all = memory_alloc((size_t)world.here, sizeof(*all));
    MPI_Allgather(&mine, 1, MPI_UINT64_T, all, 1, MPI_UINT64_T, here);
    world.sharing = 0;
    for (int r = 0; r < world.here; r++) {
        if (r == me_here)
            world.me_sharing = world.sharing;
        world.sharing += all[r] == mine;
    }
    free(all);
    MPI_Comm_free(&here);
}

weft_status ranks_begin(void)
{
    int threads;
    if (launched_ranks() <= 1)
        return WEFT_OK;
    MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &threads);
    MPI_Comm_rank(MPI_COMM_WORLD, &world.me);
    MPI_Comm_size(MPI_COMM_WORLD, &world.count);
    sends.request = memory_alloc((size_t)world.count, sizeof(MPI_Request));
    world.started = true;
    if (threads < MPI_THREAD_FUNNELED)
        return BAD_INPUT(NULL, ("this MPI does not support threads"), ("use one that does"));
    if (world.count == 1)
        return BAD_INPUT(
            NULL, ("started as one of %ld tasks that do not know of each other", launched_ranks()),
            ("start them by mpirun, or by srun --mpi=pmix"));
    look_around();
    return WEFT_OK;
}

const char *ranks_library(void)
{
    static char text[MPI_MAX_LIBRARY_VERSION_STRING + 1];
    int length;
    return MPI_Get_library_version(text, &length) == MPI_SUCCESS ? text : NULL;
}

void ranks_end(void)
{
    if (!world.started)
        return;
    free(sends.request);
    MPI_Finalize();
    world.started = false;
}

/* Adds up the ranks' values or, if `most`, finds the largest. In pieces, since MPI counts in int.
 */
static void combine(void *values, size_t count, size_t size, bool most)
{
    MPI_Datatype type = size == sizeof(uint64_t) ? MPI_UINT64_T : MPI_UINT32_T;
    for (size_t at = 0; at < count && world.started; at += INT_MAX) {
        int piece = count - at < INT_MAX ? (int)(count - at) : INT_MAX;
        MPI_Allreduce(MPI_IN_PLACE, (char *)values + at * size, piece, type,
                      most ? MPI_MAX : MPI_SUM, MPI_COMM_WORLD);
    }
}

void ranks_gather(const void *mine, void *all, size_t size)
{
    if (world.started)
        MPI_Allgather(mine, (int)size, MPI_BYTE, all, (int)size, MPI_BYTE, MPI_COMM_WORLD);
    else
        memcpy(all, mine, size);
}

void ranks_send(uint32_t to, const void *bytes, size_t size)
{
    WEFT_CHECK(size <= INT_MAX, "a message of %zu bytes to rank %u", size, to);
    MPI_Isend(bytes, (int)size, MPI_BYTE, (int)to, 0, MPI_COMM_WORLD,
              &sends.request[sends.count++]);
}

void ranks_sent(void)
{
    MPI_Waitall(sends.count, sends.request, MPI_STATUSES_IGNORE);
    sends.count = 0;
}

bool ranks_are_sent(void)
{
    int all = 0;
    MPI_Testall(sends.count, sends.request, &all, MPI_STATUSES_IGNORE);
    sends.count = all ? 0 : sends.count;
    return all;
}

size_t ranks_receive(uint32_t from, void **buffer, size_t *capacity)
{
    MPI_Status status;
    int size;
    MPI_Probe((int)from, 0, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_BYTE, &size);
    if ((size_t)size > *capacity) {
        *capacity = 2 * (size_t)size;
        *buffer = memory_grow(*buffer, *capacity, 1);
    }
    MPI_Recv(*buffer, size, MPI_BYTE, (int)from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return (size_t)size;
}

bool ranks_has_message(uint32_t *from)
{
    MPI_Status status;
    int there = 0;
    if (world.started)
        MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &there, &status);
    if (there)
        *from = (uint32_t)status.MPI_SOURCE;
    return there;
}

#else /* no MPI */

const char *ranks_library(void)
{
    return NULL;
}

weft_status ranks_begin(void)
{
    if (launched_ranks() <= 1)
        return WEFT_OK;
    return BAD_INPUT(NULL, ("started as one of %ld ranks, but built without MPI", launched_ranks()),
                     ("install an MPI library and rebuild, or run a single process"));
}

void ranks_end(void)
{
}

static void combine(void *values, size_t count, size_t size, bool most)
{
    (void)values, (void)count, (void)size, (void)most;
}

void ranks_gather(const void *mine, void *all, size_t size)
{
    memcpy(all, mine, size);
}

bool ranks_has_message(uint32_t *from)
{
    (void)from;
    return false;
}

void ranks_send(uint32_t to, const void *bytes, size_t size)
{
    (void)bytes;
    panic(__FILE__, __LINE__, "%zu bytes for rank %u, but there is one rank", size, to);
}

void ranks_sent(void)
{
}

bool ranks_are_sent(void)
{
    return true;
}

size_t ranks_receive(uint32_t from, void **buffer, size_t *capacity)
{
    (void)buffer, (void)capacity;
    panic(__FILE__, __LINE__, "waiting for rank %u, but there is one rank", from);
}

#endif

/* ---- made of these ---- */

/* What a rank reports in ranks_agree(). */
struct word {
    uint64_t fingerprint;
    struct error error;
};

weft_status ranks_agree(weft_status status, uint64_t fingerprint)
{
    if (world.count == 1)
        return status;
    struct word mine = {.fingerprint = fingerprint};
    struct word *all = memory_alloc((size_t)world.count, sizeof(*all));
    if (status != WEFT_OK)
        mine.error = *error_last();
    ranks_gather(&mine, all, sizeof(mine));
    int failed = -1, differs = -1;
    for (int r = world.count; r-- > 0;) {
        failed = all[r].error.status != WEFT_OK ? r : failed;
        differs = all[r].fingerprint != all[0].fingerprint ? r : differs;
    }
    if (failed == 0) {
        status = error_restore(&all[0].error);
    } else if (failed > 0) {
        const struct error *theirs = &all[failed].error;
        status = error_restore(theirs);
        error_place("rank %d%s%s", failed, theirs->place[0] ? ": " : "", theirs->place);
    } else if (differs > 0)
        status = BAD_INPUT(NULL, ("rank %d was started with different input than rank 0", differs),
                           ("give all ranks the same"));
    free(all);
    return status;
}

void ranks_sum(uint64_t *values, size_t count)
{
    combine(values, count, sizeof(*values), false);
}

void ranks_sum_32(uint32_t *values, size_t count)
{
    combine(values, count, sizeof(*values), false);
}

uint64_t ranks_max(uint64_t value)
{
    combine(&value, 1, sizeof(value), true);
    return value;
}

void ranks_collect(const void *mine, size_t size,
                   void (*take)(void *arg, const void *theirs, size_t size), void *arg)
{
    void *buffer = NULL;
    size_t capacity = 0;
    if (world.me != 0) {
        ranks_send(0, mine, size);
        ranks_sent();
    }
    for (int from = 1; from < world.count && world.me == 0; from++) {
        size_t size_there = ranks_receive((uint32_t)from, &buffer, &capacity);
        take(arg, buffer, size_there);
    }
    free(buffer);
}
