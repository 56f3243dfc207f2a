/* Sessions, and communicators of groups that nobody has a communicator of. */
#include "mpi/object/session.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/random.h"
#include "mpi/call.h"
#include "mpi/object/request.h"

/* Groups that have names. */
static const char *const sets[] = {"mpi://WORLD", "mpi://SELF"};
enum { SETS = sizeof(sets) / sizeof(sets[0]) };

int find_session(struct rank *r, MPI_Session handle, struct mpi_session **s)
{
    *s = handle_object(&r->handles, HANDLE_SESSION, (uintptr_t)handle);
    if (*s)
        r->judge = (struct judge){true, (*s)->errors, (*s)->handle};
    return *s ? MPI_SUCCESS
              : error_raise(r, NULL, MPI_ERR_SESSION, "the session %s",
                            handle == MPI_SESSION_NULL ? "is MPI_SESSION_NULL"
                                                       : "does not exist, or is over");
}

/* ---- life ---- */

int mpi_Session_init(struct rank *r, MPI_Info info, MPI_Errhandler handler, MPI_Session *session)
{
    struct errhandler *h;
    (void)info;
    environment_begin(r);
    TRY_MPI(find_errhandler(r, NULL, handler, &h));
    struct mpi_session *s = memory_alloc(1, sizeof(*s));
    *s = (struct mpi_session){.next = r->sessions, .errors = errhandler_hold(h)};
    s->handle = handle_new(&r->handles, HANDLE_SESSION, s);
    r->sessions = s;
    r->open_sessions++;
    *session = (MPI_Session)s->handle;
    return MPI_SUCCESS;
}

int mpi_Session_finalize(struct rank *r, struct mpi_session *s, MPI_Session *session)
{
    request_drain(r, &s->buffer);
    handle_drop(&r->handles, s->handle);
    s->handle = 0;
    errhandler_release(s->errors);
    s->errors = NULL;
    r->open_sessions--;
    *session = MPI_SESSION_NULL;
    return MPI_SUCCESS;
}

/* ---- asking ---- */

static MPI_Info give_info(struct rank *r, const char *key, const char *value)
{
    struct info *info = info_new();
    info_set(info, key, value);
    return (MPI_Info)handle_new(&r->handles, HANDLE_INFO, info);
}

int mpi_Session_get_info(struct rank *r, struct mpi_session *s, MPI_Info *info)
{
    (void)s;
    *info = give_info(r, "thread_level", "MPI_THREAD_SINGLE");
    return MPI_SUCCESS;
}

int mpi_Session_get_num_psets(struct rank *r, struct mpi_session *s, MPI_Info info, int *count)
{
    (void)r, (void)s, (void)info;
    *count = SETS;
    return MPI_SUCCESS;
}

/* *length: the room for the name; 0: how much is needed. */
int mpi_Session_get_nth_pset(struct rank *r, struct mpi_session *s, MPI_Info info, int index,
                             int *length, char *name)
{
    (void)s, (void)info;
    if (index < 0 || index >= SETS)
        return error_raise(r, NULL, MPI_ERR_ARG, "there is no set of processes %d", index);
    if (*length > 0)
        snprintf(name, (size_t)*length, "%s", sets[index]);
    *length = (int)strlen(sets[index]) + 1;
    return MPI_SUCCESS;
}

/* The group of a set, held; NULL: there is no such set, which was raised. */
static const struct group *find_set(struct rank *r, const char *name)
{
    if (strcasecmp(name, sets[0]) == 0)
        return group_hold(r->everybody->group);
    if (strcasecmp(name, sets[1]) == 0)
        return group_hold(r->self->group);
    error_raise(r, NULL, MPI_ERR_ARG, "there is no set of processes '%.100s'", name);
    return NULL;
}

int mpi_Session_get_pset_info(struct rank *r, struct mpi_session *s, const char *name,
                              MPI_Info *info)
{
    char size[16];
    (void)s;
    const struct group *g = find_set(r, name);
    if (!g)
        return MPI_ERR_ARG;
    snprintf(size, sizeof(size), "%u", g->size);
    group_release(r->world->groups, g);
    *info = give_info(r, "mpi_size", size);
    return MPI_SUCCESS;
}

int mpi_Group_from_session_pset(struct rank *r, struct mpi_session *s, const char *name,
                                MPI_Group *newgroup)
{
    const struct group *g = find_set(r, name);
    r->session = s;
    *newgroup = g ? give_group(r, g) : MPI_GROUP_NULL;
    return g ? MPI_SUCCESS : MPI_ERR_ARG;
}

/* ---- communicators ---- */

/* Communicators that have this name at the same time are told apart by their members. */
static int number_of(const char *name)
{
    uint64_t mixed = 0;
    for (; *name; name++)
        mixed = random_mix(mixed + (unsigned char)*name);
    return (int)(mixed & INT32_MAX);
}

static int check_member(struct rank *r, const struct group *g, const char *name,
                        MPI_Errhandler handler, struct errhandler **h)
{
    TRY_MPI(find_errhandler(r, NULL, handler, h));
    r->judge = (struct judge){true, *h, (uintptr_t)MPI_COMM_NULL};
    if (!name || strlen(name) > MPI_MAX_STRINGTAG_LEN)
        return error_raise(r, NULL, MPI_ERR_ARG, "the tag is NULL, or too long");
    return group_rank(g, r->task->rank) != GROUP_NOBODY
               ? MPI_SUCCESS
               : error_raise(r, NULL, MPI_ERR_GROUP, "this rank is not in the group");
}

int mpi_Comm_create_from_group(struct rank *r, const struct group *g, const char *name,
                               MPI_Info info, MPI_Errhandler handler, MPI_Comm *newcomm)
{
    struct errhandler *h;
    (void)info;
    *newcomm = MPI_COMM_NULL;
    if (!g->size)
        return MPI_SUCCESS;
    TRY_MPI(check_member(r, g, name, handler, &h));
    comm_among(r, g, g, NULL, number_of(name), h, newcomm);
    return MPI_SUCCESS;
}

/* The side whose leader comes first is the first one: so all members know one order of them. */
int mpi_Intercomm_create_from_groups(struct rank *r, const struct group *g, int leader,
                                     const struct group *remote, int remote_leader,
                                     const char *name, MPI_Info info, MPI_Errhandler handler,
                                     MPI_Comm *newcomm)
{
    struct errhandler *h;
    (void)info;
    *newcomm = MPI_COMM_NULL;
    if (!g->size || !remote->size)
        return MPI_SUCCESS;
    TRY_MPI(check_member(r, g, name, handler, &h));
    TRY_MPI(check_rank(r, NULL, leader, g->size));
    TRY_MPI(check_rank(r, NULL, remote_leader, remote->size));
    for (uint32_t i = 0; i < remote->size; i++)
        if (group_rank(g, group_at(remote, i)) != GROUP_NOBODY)
            return error_raise(r, NULL, MPI_ERR_GROUP, "the groups have a rank in common");
    bool first = group_at(g, (uint32_t)leader) < group_at(remote, (uint32_t)remote_leader);
    const struct group *both =
        group_joined(r->world->groups, first ? g : remote, first ? remote : g);
    comm_among(r, both, g, remote, number_of(name), h, newcomm);
    group_release(r->world->groups, both);
    return MPI_SUCCESS;
}

/* ---- errors ---- */

int mpi_Session_create_errhandler(struct rank *r, MPI_Session_errhandler_function *function,
                                  MPI_Errhandler *handler)
{
    return mpi_Comm_create_errhandler(r, (MPI_Comm_errhandler_function *)(void (*)(void))function,
                                      handler);
}

int mpi_Session_set_errhandler(struct rank *r, struct mpi_session *s, MPI_Errhandler handler)
{
    struct errhandler *h;
    TRY_MPI(find_errhandler(r, NULL, handler, &h));
    errhandler_keep(&s->errors, h);
    return MPI_SUCCESS;
}

MPI_ANSWER(Session_get_errhandler, MPI_Errhandler, give_errhandler(r, s->errors), struct rank *r,
           struct mpi_session *s)

/* Which judges the call's own errors, too. */
int mpi_Session_call_errhandler(struct rank *r, struct mpi_session *s, int code)
{
    (void)s;
    error_pass_on(r, NULL, code);
    return MPI_SUCCESS;
}
