/* Hints. */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>

#include "mpi/call.h"
#include "mpi/object/info.h"

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

static int find(struct rank *r, MPI_Info handle, struct info **info)
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

static MPI_Info give(struct rank *r, struct info *info)
{
    return (MPI_Info)handle_new(&r->handles, HANDLE_INFO, info);
}

int call_Info_create(MPI_Info *info)
{
    struct rank *r = call_begin(CALL_Info_create);
    *info = give(r, info_new());
    return call_end(r, MPI_SUCCESS);
}

int call_Info_create_env(int argc, char **argv, MPI_Info *info)
{
    struct rank *r = call_begin(CALL_Info_create_env);
    (void)argc, (void)argv;
    *info = give(r, info_copy(surroundings(r)));
    return call_end(r, MPI_SUCCESS);
}

int call_Info_set(MPI_Info handle, const char *key, const char *value)
{
    struct rank *r = call_begin(CALL_Info_set);
    struct info *info;
    int error = find(r, handle, &info);
    if (!error)
        error = check_key(r, key);
    if (!error && (!value || strlen(value) >= MPI_MAX_INFO_VAL))
        error = error_raise(r, NULL, MPI_ERR_INFO_VALUE, "the value is too long");
    if (!error)
        info_set(info, key, value);
    return call_end(r, error);
}

int call_Info_get(MPI_Info handle, const char *key, int length, char *value, int *flag)
{
    struct rank *r = call_begin(CALL_Info_get);
    struct info *info;
    int error = find(r, handle, &info);
    if (!error)
        error = check_key(r, key);
    const char *found = error ? NULL : info_get(info, key);
    *flag = found != NULL;
    if (found)
        snprintf(value, (size_t)length + 1, "%s", found);
    return call_end(r, error);
}

int call_Info_get_string(MPI_Info handle, const char *key, int *length, char *value, int *flag)
{
    struct rank *r = call_begin(CALL_Info_get_string);
    struct info *info;
    int error = find(r, handle, &info);
    if (!error)
        error = check_key(r, key);
    const char *found = error ? NULL : info_get(info, key);
    *flag = found != NULL;
    if (found && *length > 0)
        snprintf(value, (size_t)*length, "%s", found);
    if (found)
        *length = (int)strlen(found) + 1;
    return call_end(r, error);
}

int call_Info_get_valuelen(MPI_Info handle, const char *key, int *length, int *flag)
{
    struct rank *r = call_begin(CALL_Info_get_valuelen);
    struct info *info;
    int error = find(r, handle, &info);
    if (!error)
        error = check_key(r, key);
    const char *found = error ? NULL : info_get(info, key);
    *flag = found != NULL;
    if (found)
        *length = (int)strlen(found);
    return call_end(r, error);
}

int call_Info_get_nkeys(MPI_Info handle, int *count)
{
    struct rank *r = call_begin(CALL_Info_get_nkeys);
    struct info *info;
    int error = find(r, handle, &info);
    if (!error)
        *count = (int)info->pairs;
    return call_end(r, error);
}

int call_Info_get_nthkey(MPI_Info handle, int index, char *key)
{
    struct rank *r = call_begin(CALL_Info_get_nthkey);
    struct info *info;
    int error = find(r, handle, &info);
    if (!error && (index < 0 || (size_t)index >= info->pairs))
        error = error_raise(r, NULL, MPI_ERR_ARG, "there is no key %d", index);
    if (!error)
        snprintf(key, MPI_MAX_INFO_KEY, "%s", info->pair[index].key);
    return call_end(r, error);
}

int call_Info_delete(MPI_Info handle, const char *key)
{
    struct rank *r = call_begin(CALL_Info_delete);
    struct info *info;
    int error = find(r, handle, &info);
    if (!error)
        error = check_key(r, key);
    if (!error && !info_remove(info, key))
        error = error_raise(r, NULL, MPI_ERR_INFO_NOKEY, "there is no key '%.60s'", key);
    return call_end(r, error);
}

int call_Info_dup(MPI_Info handle, MPI_Info *newinfo)
{
    struct rank *r = call_begin(CALL_Info_dup);
    struct info *info;
    int error = find(r, handle, &info);
    if (!error)
        *newinfo = give(r, info_copy(info));
    return call_end(r, error);
}

int call_Info_free(MPI_Info *handle)
{
    struct rank *r = call_begin(CALL_Info_free);
    struct info *info;
    int error = find(r, *handle, &info);
    if (!error && *handle == MPI_INFO_ENV)
        error = error_raise(r, NULL, MPI_ERR_INFO, "the info is predefined");
    if (error)
        return call_end(r, error);
    handle_drop(&r->handles, (uintptr_t)*handle);
    info_drop(info);
    *handle = MPI_INFO_NULL;
    return call_end(r, MPI_SUCCESS);
}

/* ---- of communicators ---- */

int call_Comm_set_info(MPI_Comm comm, MPI_Info handle)
{
    struct rank *r = call_begin(CALL_Comm_set_info);
    struct comm *c;
    int error = find_comm(r, comm, &c);
    struct info *info = NULL;
    if (!error && handle != MPI_INFO_NULL)
        error = find(r, handle, &info);
    if (error)
        return call_end(r, error);
    info_drop(c->info);
    c->info = info_copy(info);
    return call_end(r, MPI_SUCCESS);
}

int call_Comm_get_info(MPI_Comm comm, MPI_Info *info)
{
    struct rank *r = call_begin(CALL_Comm_get_info);
    struct comm *c;
    int error = find_comm(r, comm, &c);
    if (!error)
        *info = give(r, c->info ? info_copy(c->info) : info_new());
    return call_end(r, error);
}
