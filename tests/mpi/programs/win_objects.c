/* What windows have besides memory: attributes, names, groups, hints, error handlers. */
#include "check.h"

static int deleted, handled;

static int on_delete(MPI_Win win, int key, void *value, void *extra)
{
    (void)win, (void)key, (void)extra;
    deleted += *(int *)value;
    return MPI_SUCCESS;
}

static void on_error(MPI_Win *win, int *code, ...)
{
    (void)win;
    expect_class("class of the handled error", MPI_ERR_RANK, *code);
    handled++;
}

static void attributes(MPI_Win win, void *base)
{
    int flag = 0, key, own = 5, *number;
    MPI_Aint *bytes;
    void *value;
    MPI_Win_get_attr(win, MPI_WIN_BASE, &value, &flag);
    expect("base", 1, flag && value == base);
    MPI_Win_get_attr(win, MPI_WIN_SIZE, &bytes, &flag);
    expect("size", 40, *bytes);
    MPI_Win_get_attr(win, MPI_WIN_DISP_UNIT, &number, &flag);
    expect("unit", 4, *number);
    MPI_Win_get_attr(win, MPI_WIN_CREATE_FLAVOR, &number, &flag);
    expect("flavour", MPI_WIN_FLAVOR_CREATE, *number);
    MPI_Win_get_attr(win, MPI_WIN_MODEL, &number, &flag);
    expect("model", MPI_WIN_UNIFIED, *number);
    MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, on_delete, &key, NULL);
    MPI_Win_get_attr(win, key, &value, &flag);
    expect("not set", 0, flag);
    MPI_Win_set_attr(win, key, &own);
    MPI_Win_get_attr(win, key, &value, &flag);
    expect("set", 1, flag && value == &own);
    MPI_Win_delete_attr(win, key);
    expect("deleted", 5, deleted);
    MPI_Win_free_keyval(&key);
    expect("freed", MPI_KEYVAL_INVALID, key);
}

static void names(MPI_Win win)
{
    char name[MPI_MAX_OBJECT_NAME];
    MPI_Group all, group;
    int length, result;
    MPI_Win_set_name(win, "halo");
    MPI_Win_get_name(win, name, &length);
    expect_text("name", "halo", name);
    expect("its length", 4, length);
    MPI_Win_get_group(win, &group);
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_compare(group, all, &result);
    expect("group", MPI_IDENT, result);
    MPI_Group_free(&group);
    MPI_Group_free(&all);
}

static void mistakes(MPI_Win win)
{
    MPI_Errhandler handler, found;
    int data = 1;
    MPI_Win_get_errhandler(win, &found);
    expect("errors are fatal", 1, found == MPI_ERRORS_ARE_FATAL);
    MPI_Win_create_errhandler(on_error, &handler);
    MPI_Win_set_errhandler(win, handler);
    MPI_Win_lock_all(0, win);
    MPI_Put(&data, 1, MPI_INT, size, 0, 1, MPI_INT, win);
    MPI_Win_call_errhandler(win, MPI_ERR_RANK);
    MPI_Win_unlock_all(win);
    expect("handled", 2, handled);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    MPI_Errhandler_free(&handler);
    expect_class("no epoch", MPI_ERR_RMA_SYNC, MPI_Put(&data, 1, MPI_INT, 0, 0, 1, MPI_INT, win));
    expect_class("no lock", MPI_ERR_RMA_SYNC, MPI_Win_unlock(0, win));
    expect_class("kind of lock", MPI_ERR_LOCKTYPE, MPI_Win_lock(77, 0, 0, win));
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
    expect_class("twice", MPI_ERR_RMA_SYNC, MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win));
    MPI_Win_unlock(0, win);
}

static void hints(MPI_Win win)
{
    MPI_Info info;
    MPI_Win_get_info(win, &info);
    expect("hints", 1, info != MPI_INFO_NULL);
    MPI_Win_set_info(win, info);
    MPI_Info_free(&info);
}

int main(int argc, char **argv)
{
    int memory[10] = {0};
    MPI_Win win;
    begin(&argc, &argv);
    MPI_Win_create(memory, sizeof(memory), 4, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    attributes(win, memory);
    names(win);
    hints(win);
    mistakes(win);
    expect("converted", 1, MPI_Win_f2c(MPI_Win_c2f(win)) == win);
    MPI_Win_free(&win);
    return finish("win_objects");
}
