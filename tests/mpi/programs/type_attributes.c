/* Attributes of types: copied by Type_dup as their function says, deleted with the type. */
#include "check.h"

static int copies, deletes;

static int copy(MPI_Datatype type, int key, void *extra, void *from, void *to, int *flag)
{
    (void)type;
    (void)key;
    expect("extra state", 5, *(int *)extra);
    copies++;
    *(void **)to = (int *)from + 1;
    *flag = 1;
    return MPI_SUCCESS;
}

static int discard(MPI_Datatype type, int key, void *value, void *extra)
{
    (void)type;
    (void)key;
    (void)value;
    (void)extra;
    deletes++;
    return MPI_SUCCESS;
}

static void expect_value(const char *what, MPI_Datatype type, int key, const int *value)
{
    int *got = NULL, flag = -1;
    MPI_Type_get_attr(type, key, &got, &flag);
    expect(what, value != NULL, flag);
    if (value && flag)
        expect(what, *value, *got);
}

int main(int argc, char **argv)
{
    int extra = 5, values[3] = {10, 11, 12}, counting, simple, lonely;
    MPI_Datatype type, twin;
    begin(&argc, &argv);
    MPI_Type_create_keyval(copy, discard, &counting, &extra);
    MPI_Type_create_keyval(MPI_TYPE_DUP_FN, MPI_TYPE_NULL_DELETE_FN, &simple, NULL);
    MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, &lonely, NULL);
    MPI_Type_contiguous(2, MPI_INT, &type);
    expect_value("not set yet", type, counting, NULL);
    MPI_Type_set_attr(type, counting, &values[0]);
    MPI_Type_set_attr(type, simple, &values[1]);
    MPI_Type_set_attr(type, lonely, &values[2]);
    MPI_Type_dup(type, &twin);
    expect("copies", 1, copies);
    expect_value("copied by a function", twin, counting, &values[1]);
    expect_value("copied as it is", twin, simple, &values[1]);
    expect_value("not copied", twin, lonely, NULL);
    expect_value("original", type, counting, &values[0]);
    MPI_Type_set_attr(type, counting, &values[2]);
    expect("deletes after setting again", 1, deletes);
    MPI_Type_delete_attr(type, counting);
    expect("deletes after deleting", 2, deletes);
    expect_value("deleted", type, counting, NULL);
    MPI_Type_free(&twin);
    expect("deletes after freeing", 3, deletes);
    MPI_Type_free(&type);
    expect("deletes at the end", 3, deletes);
    MPI_Type_free_keyval(&counting);
    MPI_Type_free_keyval(&simple);
    MPI_Type_free_keyval(&lonely);
    expect("freed key", MPI_KEYVAL_INVALID, lonely);
    return finish("type_attributes");
}
