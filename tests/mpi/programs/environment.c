/* Surroundings: versions, processor name, time, memory, and what is said before MPI begins. */
#include "check.h"

static void versions(void)
{
    int version = 0, subversion = -1, length = 0;
    char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    MPI_Get_version(&version, &subversion);
    expect("version", MPI_VERSION, version);
    expect("subversion", MPI_SUBVERSION, subversion);
    expect("at least version 3", 1, version >= 3);
    MPI_Get_library_version(text, &length);
    int characters = (int)strlen(text); /* some count the one at the end too */
    expect("library's version", 1, characters > 0 && length - characters <= 1);
}

static void name(void)
{
    char text[MPI_MAX_PROCESSOR_NAME] = "";
    int length = 0;
    MPI_Get_processor_name(text, &length);
    expect("length of the name", (long long)strlen(text), length);
    expect("name", 1, length > 0 && length < MPI_MAX_PROCESSOR_NAME);
}

static void times(void)
{
    double first = MPI_Wtime(), before = first;
    for (int i = 0; i < 100; i++) {
        double now = MPI_Wtime();
        expect("time goes forward", 1, now >= before);
        before = now;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    expect("time after a barrier", 1, MPI_Wtime() >= before);
    expect("tick", 1, MPI_Wtick() > 0 && MPI_Wtick() < 1);
}

static void memory(void)
{
    int *numbers = NULL;
    MPI_Alloc_mem(100 * sizeof(int), MPI_INFO_NULL, &numbers);
    expect("memory", 1, numbers != NULL);
    fill(numbers, 100, rank);
    MPI_Bcast(numbers, 100, MPI_INT, size - 1, MPI_COMM_WORLD);
    expect_pattern("numbers", numbers, 100, size - 1);
    MPI_Free_mem(numbers);
}

int main(int argc, char **argv)
{
    int initialized = -1, finalized = -1;
    MPI_Initialized(&initialized);
    MPI_Finalized(&finalized);
    int early = initialized == 0 && finalized == 0;
    begin(&argc, &argv);
    expect("neither begun nor ended", 1, early);
    MPI_Initialized(&initialized);
    MPI_Finalized(&finalized);
    expect("begun", 1, initialized);
    expect("not ended", 0, finalized);
    expect("arguments", 1, argc == 1 && argv[0] != NULL);
    versions();
    name();
    times();
    memory();
    return finish("environment");
}
