/* Hints. */
#include <stdio.h>
#include <string.h>

#include "mpi/call.h"

/* MPI_INFO_ENV: what is known before the program begins. */
static struct info *surroundings(struct rank *r)
{
    char text[64];
    if (r->surroundings)
        return r->surroundings;
    r->surroundings = info_new();
    info_set(r->surroundings, "command", r->posix.words.argv[0]);
    snprintf(text, sizeof(text), "%u", r->task->size);
    info_set(r->surroundings, "maxprocs", text);
    rank_node_name(r, text, sizeof(text));
    info_set(r->surroundings, "host", text);
    info_set(r->surroundings, "thread_level", "MPI_THREAD_SINGLE");
    return r->surroundings;
}

int find_info(struct rank *r, MPI_Info handle, struct info **info)
{
    *info = handle == MPI_INFO_ENV ? surroundings(r)
                                   : handle_object(&r->handles, HANDLE_INFO, (uintptr_t)handle);
    return *info ? MPI_SUCCESS : error_raise(r, NULL, MPI_ERR_INFO, "the info does not exist");
}

static int check_key(struct rank *r, const char *key)
{
    return key && *key && strlen(key) < MPI_MAX_INFO_KEY
               ? MPI_SUCCESS
               : error_raise(r, NULL, MPI_ERR_INFO_KEY, "the key is empty or too long");
}

static MPI_Info give_info(struct rank *r, struct info *info)
{
    return (MPI_Info)handle_new(&r->handles, HANDLE_INFO, info);
}

MPI_ANSWER(Info_create, MPI_Info, give_info(r, info_new()), struct rank *r)
MPI_ANSWER(Info_dup, MPI_Info, give_info(r, info_copy(info)), struct rank *r, struct info *info)
MPI_ANSWER(Info_get_nkeys, int, (int)info->pairs, struct rank *r, struct info *info)

int mpi_Info_create_env(struct rank *r, int argc, char **argv, MPI_Info *info)
{
    (void)argc, (void)argv;
    *info = give_info(r, info_copy(surroundings(r)));
    return MPI_SUCCESS;
}

int mpi_Info_set(struct rank *r, struct info *info, const char *key, const char *value)
{
    TRY_MPI(check_key(r, key));
    if (!value || strlen(value) >= MPI_MAX_INFO_VAL)
        return error_raise(r, NULL, MPI_ERR_INFO_VALUE, "the value is too long");
    info_set(info, key, value);
    return MPI_SUCCESS;
}

/* The value under a key; *flag: whether there is one. */
static int find_value(struct rank *r, const struct info *info, const char *key, int *flag,
                      const char **value)
{
    *flag = 0;
    TRY_MPI(check_key(r, key));
    *value = info_get(info, key);
    *flag = *value != NULL;
    return MPI_SUCCESS;
}

int mpi_Info_get(struct rank *r, struct info *info, const char *key, int length, char *value,
                 int *flag)
{
    const char *found;
    TRY_MPI(find_value(r, info, key, flag, &found));
    if (found)
        snprintf(value, (size_t)length + 1, "%s", found);
    return MPI_SUCCESS;
}

int mpi_Info_get_string(struct rank *r, struct info *info, const char *key, int *length,
                        char *value, int *flag)
{
    const char *found;
    TRY_MPI(find_value(r, info, key, flag, &found));
    if (found && *length > 0)
        snprintf(value, (size_t)*length, "%s", found);
    if (found)
        *length = (int)strlen(found) + 1;
    return MPI_SUCCESS;
}

int mpi_Info_get_valuelen(struct rank *r, struct info *info, const char *key, int *length,
                          int *flag)
{
    const char *found;
    TRY_MPI(find_value(r, info, key, flag, &found));
    if (found)
        *length = (int)strlen(found);
    return MPI_SUCCESS;
}

int mpi_Info_get_nthkey(struct rank *r, struct info *info, int index, char *key)
{
    if (index < 0 || (size_t)index >= info->pairs)
        return error_raise(r, NULL, MPI_ERR_ARG, "there is no key %d", index);
    snprintf(key, MPI_MAX_INFO_KEY, "%s", info->pair[index].key);
    return MPI_SUCCESS;
}

int mpi_Info_delete(struct rank *r, struct info *info, const char *key)
{
    TRY_MPI(check_key(r, key));
    if (!info_remove(info, key))
        return error_raise(r, NULL, MPI_ERR_INFO_NOKEY, "there is no key '%.60s'", key);
    return MPI_SUCCESS;
}

int mpi_Info_free(struct rank *r, struct info *info, MPI_Info *handle)
{
    if (*handle == MPI_INFO_ENV)
        return error_raise(r, NULL, MPI_ERR_INFO, "the info is predefined");
    handle_drop(&r->handles, (uintptr_t)*handle);
    info_drop(info);
    *handle = MPI_INFO_NULL;
    return MPI_SUCCESS;
}

/* ---- of communicators ---- */

int mpi_Comm_set_info(struct rank *r, struct comm *c, MPI_Info handle)
{
    struct info *info = NULL;
    if (handle != MPI_INFO_NULL)
        TRY_MPI(find_info(r, handle, &info));
    info_drop(c->info);
    c->info = info_copy(info);
    return MPI_SUCCESS;
}

MPI_ANSWER(Comm_get_info, MPI_Info, give_info(r, c->info ? info_copy(c->info) : info_new()),
           struct rank *r, struct comm *c)
