/* Attributes of communicators: copy and delete functions are called when due, with their state. */
#include "check.h"

static int copies, deletes, extra = 9;

static int copy(MPI_Comm comm, int key, void *state, void *from, void *to, int *flag)
{
    (void)comm;
    (void)key;
    expect("state of the copy", 1, state == &extra);
    copies++;
    *(void **)to = (int *)from + 1;
    *flag = *(int *)from % 2; /* odd values are copied */
    return MPI_SUCCESS;
}

static int discard(MPI_Comm comm, int key, void *value, void *state)
{
    (void)comm;
    (void)key;
    expect("state of the delete", 1, state == &extra);
    expect("value of the delete", 1, *(int *)value >= 0);
    deletes++;
    return MPI_SUCCESS;
}

static void expect_value(const char *what, MPI_Comm comm, int key, int value)
{
    int *got = NULL, flag = -1;
    MPI_Comm_get_attr(comm, key, &got, &flag);
    expect(what, value >= 0, flag);
    if (flag == 1 && value >= 0)
        expect(what, value, *got);
}

static void on_copies(int key)
{
    int values[4] = {0, 1, 2, 3};
    MPI_Comm first, second, third;
    MPI_Comm_dup(MPI_COMM_WORLD, &first);
    expect_value("not set", first, key, -1);
    MPI_Comm_set_attr(first, key, &values[1]);
    MPI_Comm_dup(first, &second);
    expect_value("copied", second, key, 2);
    MPI_Comm_dup(second, &third);
    expect_value("refused", third, key, -1);
    expect("copies", 2, copies);
    MPI_Comm_set_attr(first, key, &values[3]);
    expect("deletes by setting", 1, deletes);
    MPI_Comm_delete_attr(first, key);
    expect("deletes by deleting", 2, deletes);
    expect_value("deleted", first, key, -1);
    MPI_Comm_free(&first);
    MPI_Comm_free(&second);
    MPI_Comm_free(&third);
    expect("deletes by freeing", 3, deletes);
}

static void predefined_functions(void)
{
    int kept, lost, values[2] = {5, 6};
    MPI_Comm comm, twin;
    MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &kept, NULL);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &lost, NULL);
    MPI_Comm_split(MPI_COMM_WORLD, 0, rank, &comm);
    MPI_Comm_set_attr(comm, kept, &values[0]);
    MPI_Comm_set_attr(comm, lost, &values[1]);
    MPI_Comm_dup(comm, &twin);
    expect_value("kept", twin, kept, 5);
    expect_value("lost", twin, lost, -1);
    MPI_Comm_free_keyval(&kept); /* attributes stay until they are deleted */
    expect("key", MPI_KEYVAL_INVALID, kept);
    MPI_Comm_free(&comm);
    MPI_Comm_free(&twin);
    MPI_Comm_free_keyval(&lost);
}

int main(int argc, char **argv)
{
    int key;
    begin(&argc, &argv);
    MPI_Comm_create_keyval(copy, discard, &key, &extra);
    on_copies(key);
    MPI_Comm_free_keyval(&key);
    predefined_functions();
    return finish("comm_attributes");
}
