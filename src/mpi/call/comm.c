/* Communicators: made from others, and asked about. */
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/random.h"
#include "mpi/collective/series.h"
#include "mpi/object/request.h"
#include "mpi/call.h"

/* ---- asking ---- */

MPI_ANSWER(Comm_size, int, (int)c->group->size, struct rank *r, struct comm *c)
MPI_ANSWER(Comm_rank, int, (int)c->rank, struct rank *r, struct comm *c)
MPI_ANSWER(Comm_group, MPI_Group, give_group(r, group_hold(c->group)), struct rank *r,
           struct comm *c)
MPI_ANSWER(Comm_remote_size, int, (int)c->remote->size, struct rank *r, struct comm *c)
MPI_ANSWER(Comm_remote_group, MPI_Group, give_group(r, group_hold(c->remote)), struct rank *r,
           struct comm *c)
MPI_ANSWER(Comm_test_inter, int, c->remote != NULL, struct rank *r, struct comm *c)
MPI_ANSWER(Comm_get_parent, MPI_Comm, MPI_COMM_NULL, struct rank *r) /* nobody starts others */

int mpi_Comm_compare(struct rank *r, struct comm *a, struct comm *b, int *result)
{
    (void)r;
    *result = !a->remote != !b->remote ? MPI_UNEQUAL : group_compare(a->group, b->group);
    if (*result != MPI_UNEQUAL && a->remote) {
        int far = group_compare(a->remote, b->remote);
        *result = far == MPI_IDENT ? *result : far;
    }
    if (*result == MPI_IDENT && a != b)
        *result = MPI_CONGRUENT;
    return MPI_SUCCESS;
}

int mpi_Comm_set_name(struct rank *r, struct comm *c, const char *name)
{
    (void)r;
    snprintf(c->name, sizeof(c->name), "%s", name);
    return MPI_SUCCESS;
}

int mpi_Comm_get_name(struct rank *r, MPI_Comm comm, char *name, int *length)
{
    struct comm *c = NULL;
    if (comm != MPI_COMM_NULL)
        TRY_MPI(find_comm(r, comm, &c));
    *length = snprintf(name, MPI_MAX_OBJECT_NAME, "%s", c ? c->name : "MPI_COMM_NULL");
    return MPI_SUCCESS;
}

/* ---- contexts ---- */

struct meeting *comm_meet(struct rank *r, const struct comm *c, const int64_t *word, unsigned words)
{
    uint64_t key = comm_key(c, c->operations);
    return meeting_come(&r->world->meetings, key, comm_members(c), comm_member(c), word, words);
}

static void *new_context(const struct meeting *m, void *world)
{
    (void)m;
    return (void *)(uintptr_t)world_new_context(world);
}

static uint32_t context_of(struct rank *r, struct meeting *m)
{
    return (uint32_t)(uintptr_t)meeting_make(&r->world->meetings, m, new_context, r->world);
}

/* Who comes first makes it; the other one takes it, and the meeting is over. */
uint32_t comm_channel(struct rank *r, const struct comm *c, bool receives, int peer, int tag)
{
    uint32_t me = r->task->rank, other = group_at(comm_peer_group(c), (uint32_t)peer);
    uint64_t key = random_mix(comm_key(c, (uint32_t)tag) ^
                              (receives ? (uint64_t)other << 32 | me : (uint64_t)me << 32 | other));
    int64_t nothing = 0;
    struct meeting *m =
        meeting_come(&r->world->meetings, random_mix(key), 2, receives, &nothing, 1);
    uint32_t context = context_of(r, m);
    meeting_go(&r->world->meetings, m, NULL);
    return context;
}

/* Members say a word each, and agree on a context, by messages. request: the program waits for
 * them. The caller leaves the meeting. */
static struct meeting *agree(struct rank *r, struct comm *c, int64_t word, MPI_Request *request,
                             uint32_t *context)
{
    struct operands none = {.root = 0};
    struct meeting *m = comm_meet(r, c, &word, 1);
    *context = context_of(r, m);
    struct series *s = series_new(r, c, r->call, &none);
    start_agreement(s);
    request_perform(r, s, request);
    return m;
}

/* A communicator that takes over what others inherit. */
static MPI_Comm give(struct rank *r, const struct comm *from, uint32_t context,
                     const struct group *group, const struct group *remote)
{
    struct comm *c = comm_new(r, context, group, remote, true);
    c->errors = errhandler_hold(from->errors);
    c->session = from->session;
    return (MPI_Comm)c->handle;
}

/* ---- copies ---- */

/* Its hints are the communicator's, or others. */
int comm_duplicate(struct rank *r, struct comm *c, bool own, MPI_Info info, MPI_Comm *newcomm,
                   MPI_Request *request)
{
    struct attribute *copies = NULL;
    TRY_MPI(error_pass_on(r, c, attributes_copy(r, c->attributes, (MPI_Comm)c->handle, &copies)));
    uint32_t context;
    struct meeting *m = agree(r, c, 0, request, &context);
    meeting_go(&r->world->meetings, m, NULL);
    *newcomm = give(r, c, context, group_hold(c->group), c->remote ? group_hold(c->remote) : NULL);
    struct comm *copy = comm_find(r, (uintptr_t)*newcomm);
    copy->attributes = copies;
    copy->topology = topology_hold(c->topology);
    copy->info =
        info_copy(own ? c->info : handle_object(&r->handles, HANDLE_INFO, (uintptr_t)info));
    return MPI_SUCCESS;
}

/* ---- groups ---- */

static int check_members(struct rank *r, struct comm *c, const struct group *g)
{
    for (uint32_t i = 0; g != c->group && i < g->size; i++)
        if (group_rank(c->group, group_at(g, i)) == GROUP_NOBODY)
            return error_raise(r, c, MPI_ERR_GROUP,
                               "the group has members that the communicator has not");
    return MPI_SUCCESS;
}

/* Each side of two names its own group: what the other one says is known after the messages. */
int mpi_Comm_create(struct rank *r, struct comm *c, const struct group *g, MPI_Comm *newcomm)
{
    uint32_t context, far = comm_is_first(c) ? c->group->size : 0;
    TRY_MPI(check_members(r, c, g));
    struct meeting *m = agree(r, c, (int64_t)(uintptr_t)g, NULL, &context);
    const struct group *remote =
        c->remote ? (const struct group *)(uintptr_t)*meeting_words(m, far) : NULL;
    bool inside = group_rank(g, r->task->rank) != GROUP_NOBODY && (!remote || remote->size);
    *newcomm = MPI_COMM_NULL;
    if (inside)
        *newcomm = give(r, c, context, group_hold(g), remote ? group_hold(remote) : NULL);
    meeting_go(&r->world->meetings, m, NULL);
    return MPI_SUCCESS;
}

/* Members of a group, which know each other by it and a tag, agree on a context; each says a word,
 * and its messages have so many bytes. The caller leaves the meeting. */
static struct meeting *agree_among(struct rank *r, struct comm *c, const struct group *g,
                                   uint32_t me, int tag, int64_t word, uint64_t bytes,
                                   uint32_t *context)
{
    struct operands none = {.root = 0};
    uint32_t name = (uint32_t)tag | 1u << 31; /* no operation has this number */
    uint64_t key = random_mix(g->hash ^ random_mix((uint64_t)c->context << 32 | name));
    struct meeting *m = meeting_come(&r->world->meetings, key, g->size, me, &word, 1);
    *context = context_of(r, m);
    struct series *s = series_new(r, c, r->call, &none);
    series_among(s, g, me, (uint32_t)tag);
    start_agreement(s);
    s->each = bytes;
    request_perform(r, s, NULL);
    return m;
}

/* Only members of the group call this. */
int mpi_Comm_create_group(struct rank *r, struct comm *c, const struct group *g, int tag,
                          MPI_Comm *newcomm)
{
    uint32_t me = group_rank(g, r->task->rank), context;
    *newcomm = MPI_COMM_NULL;
    TRY_MPI(check_members(r, c, g));
    if (me == GROUP_NOBODY)
        return MPI_SUCCESS;
    struct meeting *m = agree_among(r, c, g, me, tag, 0, sizeof(context), &context);
    meeting_go(&r->world->meetings, m, NULL);
    *newcomm = give(r, c, context, group_hold(g), NULL);
    return MPI_SUCCESS;
}

void comm_among(struct rank *r, const struct group *members, const struct group *group,
                const struct group *remote, int number, struct errhandler *errors,
                MPI_Comm *newcomm)
{
    uint32_t me = group_rank(members, r->task->rank), context;
    struct meeting *m =
        agree_among(r, r->everybody, members, me, number, 0, sizeof(context), &context);
    meeting_go(&r->world->meetings, m, NULL);
    *newcomm =
        give(r, r->everybody, context, group_hold(group), remote ? group_hold(remote) : NULL);
    struct comm *c = comm_find(r, (uintptr_t)*newcomm);
    errhandler_keep(&c->errors, errors);
    c->session = r->session;
}

/* ---- splitting ---- */

/* What those of a colour get: their groups on both sides. */
struct share {
    int64_t colour;
    const struct group *group[2];
};

struct splitting {
    struct groups *groups;
    uint32_t context, shares;
    struct share *share;
};

struct member {
    int64_t colour, key;
    uint32_t number;
};

static int by_colour(const void *a, const void *b)
{
    const struct member *x = a, *y = b;
    if (x->colour != y->colour)
        return x->colour < y->colour ? -1 : 1;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

/* The groups of the members that share a colour. */
static struct share make_share(struct groups *groups, const struct comm *c, const struct member *m,
                               uint32_t count, uint32_t *list)
{
    struct share share = {.colour = m->colour};
    bool first = comm_is_first(c); /* whose members meetings number first */
    const struct group *of[2] = {first ? c->group : c->remote, first ? c->remote : c->group};
    for (unsigned side = 0; side < 2; side++) {
        uint32_t members = 0;
        for (uint32_t i = 0; i < count; i++)
            if ((m[i].number >= of[0]->size) == side)
                list[members++] = group_at(of[side], m[i].number - side * of[0]->size);
        share.group[side] = group_of_list(groups, list, members);
    }
    return share;
}

struct split_of {
    struct world *world;
    const struct comm *comm;
};

/* From what all have said: colours and keys. */
static void *make_splitting(const struct meeting *m, void *arg)
{
    const struct split_of *of = arg;
    struct splitting *s = memory_alloc(1, sizeof(*s));
    struct member *all = memory_alloc(m->members, sizeof(*all));
    uint32_t *list = memory_alloc(m->members, sizeof(*list)), count = 0;
    *s = (struct splitting){.groups = of->world->groups,
                            .context = world_new_context(of->world),
                            .share = memory_alloc(m->members, sizeof(*s->share))};
    for (uint32_t i = 0; i < m->members; i++) {
        const int64_t *word = meeting_words(m, i);
        if (word[0] != MPI_UNDEFINED)
            all[count++] = (struct member){word[0], word[1], i};
    }
    qsort(all, count, sizeof(*all), by_colour);
    for (uint32_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && all[end].colour == all[i].colour;)
            end++;
        s->share[s->shares++] = make_share(s->groups, of->comm, &all[i], end - i, list);
    }
    free(list);
    free(all);
    return s;
}

static void drop_splitting(void *made)
{
    struct splitting *s = made;
    for (uint32_t i = 0; i < s->shares; i++)
        for (unsigned side = 0; side < 2; side++)
            group_release(s->groups, s->share[i].group[side]);
    free(s->share);
    free(s);
}

static const struct share *find_share(const struct splitting *s, int64_t colour)
{
    uint32_t low = 0, high = s->shares;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (s->share[middle].colour < colour)
            low = middle + 1;
        else
            high = middle;
    }
    return &s->share[low];
}

void comm_split(struct rank *r, struct comm *c, int64_t colour, int64_t key, MPI_Comm *newcomm)
{
    struct operands none = {.root = 0};
    int64_t word[2] = {colour, key};
    struct split_of of = {r->world, c};
    struct meeting *m = comm_meet(r, c, word, 2);
    struct series *s = series_new(r, c, r->call, &none);
    start_silent_gather(s, 2 * sizeof(int));
    request_perform(r, s, NULL);
    const struct splitting *made = meeting_make(&r->world->meetings, m, make_splitting, &of);
    *newcomm = MPI_COMM_NULL;
    if (colour != MPI_UNDEFINED) {
        const struct share *share = find_share(made, colour);
        const struct group *mine = share->group[!comm_is_first(c)];
        const struct group *far = c->remote ? share->group[comm_is_first(c)] : NULL;
        if (!far || far->size)
            *newcomm = give(r, c, made->context, group_hold(mine), far ? group_hold(far) : NULL);
    }
    meeting_go(&r->world->meetings, m, drop_splitting);
}

int mpi_Comm_split(struct rank *r, struct comm *c, int color, int key, MPI_Comm *newcomm)
{
    if (color < 0 && color != MPI_UNDEFINED)
        return error_raise(r, c, MPI_ERR_ARG, "the colour is %d", color);
    comm_split(r, c, color, key, newcomm);
    return MPI_SUCCESS;
}

/* What shares memory is a node. */
int mpi_Comm_split_type(struct rank *r, struct comm *c, int type, int key, MPI_Info info,
                        MPI_Comm *newcomm)
{
    struct info *hints = handle_object(&r->handles, HANDLE_INFO, (uintptr_t)info);
    bool shared = type == MPI_COMM_TYPE_SHARED || type == MPI_COMM_TYPE_HW_UNGUIDED;
    if (!shared && type != MPI_UNDEFINED && type != MPI_COMM_TYPE_HW_GUIDED &&
        type != MPI_COMM_TYPE_RESOURCE_GUIDED)
        return error_raise(r, c, MPI_ERR_ARG, "the type is %d", type);
    comm_split(r, c, shared ? (int64_t)r->task->node : MPI_UNDEFINED, key, newcomm);
    if (hints && type == MPI_COMM_TYPE_HW_UNGUIDED)
        info_set(hints, "mpi_hw_resource_type", "node");
    return MPI_SUCCESS;
}

/* ---- two sides ---- */

/* What a leader tells its own side. */
struct introduction {
    const struct group *remote; /* held, once for each of them */
    uint32_t context;
};

/* Leaders tell each other of their sides, by messages on a communicator that both are in. */
static struct introduction introduce(struct rank *r, const struct comm *local, struct comm *peer,
                                     uint32_t other, int tag)
{
    struct introduction said;
    uint32_t me = r->task->rank, pair[2] = {me < other ? me : other, me < other ? other : me};
    const struct group *both = group_of_list(r->world->groups, pair, me == other ? 1 : 2);
    int64_t mine = (int64_t)(uintptr_t)local->group;
    struct meeting *m = agree_among(r, peer, both, me > other, tag, mine,
                                    (local->group->size + 2ull) * sizeof(uint32_t), &said.context);
    said.remote = (const struct group *)(uintptr_t)*meeting_words(m, me < other);
    for (uint32_t i = 0; i < local->group->size; i++)
        group_hold(said.remote);
    meeting_go(&r->world->meetings, m, NULL);
    group_release(r->world->groups, both);
    return said;
}

/* Bytes from the leader to all of its side. */
static void tell_all(struct rank *r, struct comm *c, int leader, void *data, uint64_t bytes)
{
    struct block b = block_bytes(data, bytes);
    struct operands o = {
        .root = leader, .in = {.layout = LAYOUT_ONE, .at = b.at, .count = b.count, .type = b.type}};
    request_run(r, c, &o, start_broadcast);
}

int mpi_Intercomm_create(struct rank *r, struct comm *c, int leader, MPI_Comm peer, int remote,
                         int tag, MPI_Comm *newcomm)
{
    struct introduction said = {.context = 0};
    TRY_MPI(check_rank(r, c, leader, c->group->size));
    if (tag < 0)
        return error_raise(r, c, MPI_ERR_TAG, "tag %d", tag);
    if ((int)c->rank == leader) {
        struct comm *between;
        TRY_MPI(find_comm(r, peer, &between));
        TRY_MPI(check_rank(r, between, remote, comm_peer_group(between)->size));
        uint32_t other = group_at(comm_peer_group(between), (uint32_t)remote);
        said = introduce(r, c, between, other, tag);
    }
    tell_all(r, c, leader, &said, sizeof(said));
    uint64_t list = said.remote->size * sizeof(uint32_t); /* only its length matters */
    void *members = memory_alloc(list, 1);
    tell_all(r, c, leader, members, list);
    free(members);
    *newcomm = give(r, c, said.context, group_hold(c->group), said.remote);
    return MPI_SUCCESS;
}

/* All members of both sides; those that say `high` come last. */
static const struct group *merge(struct rank *r, const struct comm *c, bool first)
{
    return group_joined(r->world->groups, first ? c->group : c->remote,
                        first ? c->remote : c->group);
}

int mpi_Intercomm_merge(struct rank *r, struct comm *c, int high, MPI_Comm *newcomm)
{
    int64_t word = high != 0;
    uint32_t context;
    struct meeting *m = agree(r, c, word, NULL, &context);
    int64_t other = *meeting_words(m, comm_is_first(c) ? c->group->size : 0);
    bool first = other == word ? comm_is_first(c) : !word;
    *newcomm = give(r, c, context, merge(r, c, first), NULL);
    meeting_go(&r->world->meetings, m, NULL);
    return MPI_SUCCESS;
}

/* ---- the end ---- */

int mpi_Comm_free(struct rank *r, struct comm *c, MPI_Comm *comm)
{
    if (c == r->everybody || c == r->self)
        return error_raise(r, c, MPI_ERR_COMM, "the communicator is predefined");
    TRY_MPI(error_pass_on(r, c, attributes_drop(r, &c->attributes, *comm)));
    comm_free(r, c);
    *comm = MPI_COMM_NULL;
    return MPI_SUCCESS;
}

/* All that was sent on it has arrived when all members are here. */
int mpi_Comm_disconnect(struct rank *r, struct comm *c, MPI_Comm *comm)
{
    struct operands none = {.root = 0};
    if (c == r->everybody || c == r->self)
        return error_raise(r, c, MPI_ERR_COMM, "the communicator is predefined");
    request_drain(r, NULL);
    request_run(r, c, &none, start_barrier);
    return mpi_Comm_free(r, c, comm);
}

/* ---- processes that are started later: a run has those that it began with ---- */

static int refuse(struct rank *r, struct comm *c, MPI_Comm *newcomm)
{
    *newcomm = MPI_COMM_NULL;
    return error_raise(r, c, MPI_ERR_SPAWN,
                       "no processes can be started during a run; mpirun starts several programs: "
                       "-np 2 ./a : -np 2 ./b");
}

int mpi_Comm_spawn(struct rank *r, const char *command, char *arguments[], int processes,
                   MPI_Info info, int root, struct comm *c, MPI_Comm *newcomm, int codes[])
{
    (void)command, (void)arguments, (void)info, (void)root;
    for (int i = 0; i < processes && codes != MPI_ERRCODES_IGNORE && (int)c->rank == root; i++)
        codes[i] = MPI_ERR_SPAWN;
    return refuse(r, c, newcomm);
}

int mpi_Comm_spawn_multiple(struct rank *r, int count, char *commands[], char **arguments[],
                            const int processes[], const MPI_Info infos[], int root, struct comm *c,
                            MPI_Comm *newcomm, int codes[])
{
    (void)commands, (void)arguments, (void)infos;
    for (int i = 0, at = 0; i < count && (int)c->rank == root && codes != MPI_ERRCODES_IGNORE; i++)
        for (int k = 0; k < processes[i]; k++)
            codes[at++] = MPI_ERR_SPAWN;
    return refuse(r, c, newcomm);
}
