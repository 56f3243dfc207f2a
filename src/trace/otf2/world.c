/* Definitions of an OTF2 trace. */
#include "trace/otf2/otf2.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/memory.h"
#include "base/text/text.h"
#include "mpi/call.h"

enum { NAME = 64 };

#define REFUSE(w, ...) BAD_PLACE(("%s", (w)->path), (__VA_ARGS__), ("look at it with otf2-print"))

void otf2_world_init(struct otf2_world *w, const char *path, struct recording *to)
{
    *w = (struct otf2_world){.path = path, .to = to};
}

void otf2_world_fini(struct otf2_world *w)
{
    for (uint32_t i = 0; i < w->strings.count; i++)
        free(w->string[i]);
    for (uint32_t i = 0; i < w->groups.count; i++)
        free(w->group[i].member);
    free(w->string);
    free(w->group);
    free(w->comm);
    free(w->name);
    map_fini(&w->strings);
    map_fini(&w->groups);
    map_fini(&w->ranks);
    map_fini(&w->comms);
    map_fini(&w->regions);
}

void otf2_world_string(struct otf2_world *w, uint32_t ref, const char *text)
{
    uint32_t at = *map_add(&w->strings, ref, w->strings.count);
    LIST_ZERO(w->string, at + 1, w->string_room);
    free(w->string[at]);
    w->string[at] = memory_copy(text);
}

void otf2_world_region(struct otf2_world *w, uint32_t ref, uint32_t name, bool mpi)
{
    *LIST_ADD(w->name, w->names, w->name_room) = (struct otf2_region_name){ref, name, mpi};
}

void otf2_world_group(struct otf2_world *w, uint32_t ref, enum otf2_group_sort sort,
                      const uint64_t *member, uint32_t members)
{
    uint32_t at = *map_add(&w->groups, ref, w->groups.count);
    LIST_ZERO(w->group, at + 1, w->group_room);
    free(w->group[at].member);
    uint32_t kept = sort == GROUP_LOCATIONS || sort == GROUP_RANKS ? members : 0;
    w->group[at] = (struct otf2_group){sort, memory_alloc((size_t)kept + 1, sizeof(*member)), kept};
    if (kept)
        memcpy(w->group[at].member, member, kept * sizeof(*member));
}

void otf2_world_comm(struct otf2_world *w, const struct otf2_comm *comm)
{
    *LIST_ADD(w->comm, w->comm_count, w->comm_room) = *comm;
}

/* ---- ranks ---- */

static weft_status settle_ranks(struct otf2_world *w)
{
    const struct otf2_group *g = NULL;
    for (uint32_t i = 0; i < w->groups.count && !g; i++)
        if (w->group[i].sort == GROUP_LOCATIONS)
            g = &w->group[i];
    if (!g || !g->members)
        return REFUSE(w, "it has no ranks of MPI");
    if (g->members > RECORD_RANKS_MOST)
        return REFUSE(w, "it has %u ranks, and there can be %d", g->members, RECORD_RANKS_MOST);
    w->to->ranks = g->members;
    w->location = g->member;
    for (uint32_t i = 0; i < g->members; i++)
        if (*map_add(&w->ranks, g->member[i], i) != i)
            return REFUSE(w, "location %llu is two ranks", (unsigned long long)g->member[i]);
    return WEFT_OK;
}

/* ---- communicators ---- */

static const char *text_of(const struct otf2_world *w, uint32_t ref)
{
    const uint32_t *at = map_find(&w->strings, ref);
    return at ? w->string[*at] : "";
}

static const struct otf2_group *group_of(const struct otf2_world *w, uint32_t ref)
{
    const uint32_t *at = map_find(&w->groups, ref);
    return at ? &w->group[*at] : NULL;
}

/* All ranks, in their order. */
static bool is_everybody(const struct otf2_world *w, const struct otf2_comm *c)
{
    const struct otf2_group *g = group_of(w, c->group[0]);
    if (c->two || !g || g->sort != GROUP_RANKS || g->members != w->to->ranks)
        return false;
    for (uint32_t i = 0; i < g->members; i++)
        if (g->member[i] != i)
            return false;
    return true;
}

/* By its name or, if no communicator has that, the first that can be it. */
static const struct otf2_comm *find_world(const struct otf2_world *w)
{
    const struct otf2_comm *first = NULL;
    for (uint32_t i = 0; i < w->comm_count; i++) {
        if (!is_everybody(w, &w->comm[i]))
            continue;
        if (strcmp(text_of(w, w->comm[i].name), "MPI_COMM_WORLD") == 0)
            return &w->comm[i];
        first = first ? first : &w->comm[i];
    }
    return first;
}

/* Marks members in `seen`, where nobody may be yet. */
static weft_status fill_side(struct otf2_world *w, uint32_t ref, const struct otf2_group *g,
                             unsigned char *seen, struct recording_side *s)
{
    s->member = memory_alloc((size_t)g->members + 1, sizeof(*s->member));
    for (uint32_t i = 0; i < g->members; i++) {
        uint64_t who = g->member[i];
        if (who >= w->to->ranks)
            return REFUSE(w, "communicator %u has rank %llu, and the trace has %u ranks", ref,
                          (unsigned long long)who, w->to->ranks);
        if (seen[who])
            return REFUSE(w, "communicator %u has rank %llu twice", ref, (unsigned long long)who);
        seen[who] = 1;
        s->member[s->members++] = (uint32_t)who;
    }
    return WEFT_OK;
}

static weft_status add_comm(struct otf2_world *w, const struct otf2_comm *c, unsigned char *seen)
{
    struct recording *to = w->to;
    const struct otf2_group *g[2] = {group_of(w, c->group[0]), NULL};
    if (c->two)
        g[1] = group_of(w, c->group[1]);
    for (unsigned k = 0; k <= c->two; k++)
        if (!g[k] || (g[k]->sort != GROUP_RANKS && (c->two || g[k]->sort != GROUP_SELF)))
            return WEFT_OK; /* not MPI's: who uses it is told */
    if (g[0]->sort == GROUP_SELF) {
        *map_add(&w->comms, c->ref, 0) = COMM_SELF;
        return WEFT_OK;
    }
    struct recording_comm *made = &to->comm[to->comms++];
    *map_add(&w->comms, c->ref, 0) = COMM_FIRST + to->comms - 1;
    weft_status status = WEFT_OK;
    for (unsigned k = 0; k <= c->two && status == WEFT_OK; k++)
        status = fill_side(w, c->ref, g[k], seen, &made->side[k]);
    for (unsigned k = 0; k < 2; k++)
        for (uint32_t i = 0; i < made->side[k].members; i++)
            seen[made->side[k].member[i]] = 0;
    if (status == WEFT_OK && (!made->side[0].members || (c->two && !made->side[1].members)))
        status = REFUSE(w, "communicator %u has no members", c->ref);
    return status;
}

static weft_status settle_comms(struct otf2_world *w)
{
    const struct otf2_comm *world = find_world(w);
    unsigned char *seen = memory_alloc(w->to->ranks, 1);
    weft_status status = WEFT_OK;
    w->to->comm_room = w->comm_count;
    w->to->comm = memory_alloc((size_t)w->comm_count + 1, sizeof(*w->to->comm));
    for (uint32_t i = 0; i < w->comm_count && status == WEFT_OK; i++) {
        if (&w->comm[i] == world)
            *map_add(&w->comms, world->ref, 0) = COMM_WORLD;
        else
            status = add_comm(w, &w->comm[i], seen);
    }
    free(seen);
    return status;
}

/* ---- regions ---- */

/* "MPI_Send()", "mpi_send_", "PMPI_Send_c": send */
static bool mpi_name(const char *text, char name[NAME])
{
    size_t n = 0;
    text += toupper((unsigned char)*text) == 'P' && toupper((unsigned char)text[1]) == 'M';
    if (strncasecmp(text, "mpi_", 4) != 0)
        return false;
    for (text += 4; n < NAME - 1 && (isalnum((unsigned char)*text) || *text == '_'); text++)
        name[n++] = (char)tolower((unsigned char)*text);
    while (n && name[n - 1] == '_')
        n--;
    name[n] = '\0';
    static const char *const endings[] = {"_c", "_f08", "_f08ts"};
    for (unsigned i = 0; i < sizeof(endings) / sizeof(endings[0]); i++) {
        size_t length = strlen(endings[i]);
        if (n > length && strcmp(name + n - length, endings[i]) == 0)
            name[n - length] = '\0';
    }
    return true;
}

static uint32_t sort_of(const char *name)
{
    static const struct {
        const char *names;
        enum otf2_region region;
    } sorts[] = {
        {"start startall", REGION_START},
        {"sendrecv sendrecv_replace", REGION_EXCHANGE},
        {"test testall testany testsome request_get_status", REGION_TEST},
        {"probe iprobe mprobe improbe", REGION_PROBE},
        {"init init_thread", REGION_INIT},
        {"finalize", REGION_FINALIZE},
        {"comm_create_group comm_create_from_group", REGION_BY_MEMBERS},
        {"put get accumulate get_accumulate fetch_and_op compare_and_swap rput rget raccumulate "
         "rget_accumulate",
         REGION_ONE_SIDED},
    };
    struct message_call message;
    if (message_call_find(call_named(name), &message) && !message.receives &&
        message.way != MESSAGE_PERSISTENT)
        return (message.way == MESSAGE_BLOCKING ? REGION_SEND : REGION_START) |
               (uint32_t)message.mode << 8;
    for (unsigned i = 0; i < sizeof(sorts) / sizeof(sorts[0]); i++)
        if (text_has_word(sorts[i].names, name))
            return sorts[i].region;
    if (text_behind(name, "neighbor_") || text_behind(name, "ineighbor_"))
        return REGION_NEIGHBOURS;
    return REGION_CALL;
}

static void settle_regions(struct otf2_world *w)
{
    for (uint32_t i = 0; i < w->names; i++) {
        char name[NAME];
        bool named = mpi_name(text_of(w, w->name[i].name), name);
        uint32_t sort = named ? sort_of(name) : w->name[i].mpi ? REGION_CALL : REGION_OUTSIDE;
        if (sort != REGION_OUTSIDE)
            *map_add(&w->regions, w->name[i].ref, 0) = sort;
    }
}

weft_status otf2_world_settle(struct otf2_world *w)
{
    if (!(w->ticks > 0))
        return REFUSE(w, "it does not say how fast its clock is");
    TRY(settle_ranks(w));
    TRY(settle_comms(w));
    settle_regions(w);
    return WEFT_OK;
}

/* ---- members ---- */

enum { SIDE = 31 };
#define NOT_THERE UINT32_MAX

bool otf2_position(struct otf2_member *m, uint32_t comm, uint32_t *position, unsigned *side)
{
    const struct recording_comm *made = recording_comm(m->world->to, comm);
    *position = comm == COMM_WORLD ? m->rank : 0;
    *side = 0;
    if (!made)
        return true;
    const uint32_t *known = map_find(&m->positions, comm);
    if (!known) {
        bool is_member = recording_find(made, m->rank, position, side);
        known = map_add(&m->positions, comm, is_member ? *position | *side << SIDE : NOT_THERE);
    }
    *side = *known >> SIDE;
    *position = *known & ~(1u << SIDE);
    return *known != NOT_THERE;
}
