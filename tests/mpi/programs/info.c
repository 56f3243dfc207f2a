/* Info objects: keys and values, order, copies, deleting, and hints of communicators. */
#include "check.h"

static void expect_value(const char *what, MPI_Info info, const char *key, const char *value)
{
    char got[MPI_MAX_INFO_VAL + 1] = "";
    int flag = -1, length = -1;
    MPI_Info_get(info, key, MPI_MAX_INFO_VAL, got, &flag);
    expect(what, value != NULL, flag);
    if (value)
        expect_text(what, value, got);
    MPI_Info_get_valuelen(info, key, &length, &flag);
    expect(what, value != NULL, flag);
    if (value)
        expect(what, (long long)strlen(value), length);
}

static void keys(MPI_Info info, int count)
{
    int got = -1, seen = 0;
    char key[MPI_MAX_INFO_KEY + 1];
    MPI_Info_get_nkeys(info, &got);
    expect("number of keys", count, got);
    for (int i = 0; i < got; i++) {
        MPI_Info_get_nthkey(info, i, key);
        seen += strcmp(key, "colour") == 0;
        expect_value(key, info, key, strcmp(key, "colour") ? "3" : "blue");
    }
    expect("times of one key", 1, seen);
}

int main(int argc, char **argv)
{
    MPI_Info info, copy;
    char part[4] = "";
    int flag;
    begin(&argc, &argv);
    MPI_Info_create(&info);
    expect_value("not set", info, "colour", NULL);
    MPI_Info_set(info, "colour", "red");
    MPI_Info_set(info, "number", "3");
    expect_value("set", info, "colour", "red");
    MPI_Info_set(info, "colour", "blue");
    expect_value("set again", info, "colour", "blue");
    MPI_Info_set(info, "with spaces", "3");
    keys(info, 3);
    MPI_Info_get(info, "colour", 3, part, &flag); /* only so many characters */
    expect_text("part of a value", "blu", part);
    MPI_Info_dup(info, &copy);
    MPI_Info_delete(info, "number");
    expect_value("deleted", info, "number", NULL);
    expect_value("copied", copy, "number", "3");
    keys(info, 2);
    keys(copy, 3);
    MPI_Comm_set_info(MPI_COMM_WORLD, info);
    MPI_Info_free(&info);
    expect("freed handle", 1, info == MPI_INFO_NULL);
    MPI_Comm_get_info(MPI_COMM_WORLD, &info); /* hints may be ignored, but an object comes */
    expect("hints", 1, info != MPI_INFO_NULL);
    MPI_Info_free(&info);
    MPI_Info_free(&copy);
    return finish("info");
}
