/* Names of communicators: of the predefined ones, of new ones, and of the longest length. */
#include "check.h"

static void expect_name(const char *what, const char *expected, MPI_Comm comm)
{
    char name[MPI_MAX_OBJECT_NAME] = "?";
    int length = -1;
    MPI_Comm_get_name(comm, name, &length);
    expect_text(what, expected, name);
    expect(what, (long long)strlen(expected), length);
}

int main(int argc, char **argv)
{
    char longest[MPI_MAX_OBJECT_NAME];
    MPI_Comm comm, twin;
    begin(&argc, &argv);
    expect_name("world", "MPI_COMM_WORLD", MPI_COMM_WORLD);
    expect_name("self", "MPI_COMM_SELF", MPI_COMM_SELF);
    MPI_Comm_split(MPI_COMM_WORLD, 0, rank, &comm);
    MPI_Comm_set_name(comm, "one");
    expect_name("named", "one", comm);
    MPI_Comm_dup(comm, &twin);
    MPI_Comm_set_name(twin, "two");
    expect_name("original", "one", comm);
    expect_name("twin", "two", twin);
    memset(longest, 'x', sizeof(longest) - 1);
    longest[sizeof(longest) - 1] = 0;
    MPI_Comm_set_name(comm, longest);
    expect_name("longest", longest, comm);
    MPI_Comm_set_name(comm, "");
    expect_name("no name", "", comm);
    MPI_Comm_set_name(MPI_COMM_WORLD, "everybody");
    expect_name("renamed world", "everybody", MPI_COMM_WORLD);
    MPI_Comm_free(&comm);
    MPI_Comm_free(&twin);
    return finish("comm_names");
}
