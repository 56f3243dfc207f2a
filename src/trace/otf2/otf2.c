/*
 * The files of an OTF2 trace: the anchor file, definitions (traces.def), and the events and
 * definitions of each location in a folder (traces/0.evt). The readers of libotf2 read them; a
 * build without it only says so.
 */
#include "trace/otf2/otf2.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file/input.h"
#include "base/list.h"
#include "base/text/text.h"
#include "trace/format.h"

enum { PATH = 4096 };

/* Letters of the path of an anchor file before ".otf2": those of the folder of events, too. */
static int stem_length(const char *path)
{
    return (int)strlen(path) - 5;
}

#ifdef WEFT_OTF2

#include <otf2/otf2.h>

struct location {
    uint64_t ref, events;
    bool thread; /* of a program; others measure, or stand for devices */
};

struct reading {
    OTF2_Reader *reader;
    struct otf2_world world;
    struct otf2_drafts drafts;
    struct otf2_rank rank;     /* that is read */
    bool stranger;             /* it is none, but a thread beside one */
    uint64_t at;               /* the location that is read, */
    char who[40];              /* and how it is called in complaints */
    struct location *location; /* all of them */
    uint32_t locations, location_room;
    struct map by_ref;  /* reference: its number among them */
    weft_status status; /* of our own complaint; the library goes on about it */
};

/* What libotf2 says first is nearest to the cause. It has one listener for the whole process. */
static _Thread_local char said[256];

static OTF2_ErrorCode listen(void *data, const char *file, uint64_t line, const char *function,
                             OTF2_ErrorCode code, const char *format, va_list arguments)
{
    (void)data, (void)file, (void)line, (void)function;
    if (said[0] || code == OTF2_SUCCESS)
        return code;
    const char *kind = OTF2_Error_GetDescription(code);
    int length = snprintf(said, sizeof(said), "%.100s", kind ? kind : "error");
    if (format && *format && length > 0 && length < (int)sizeof(said) - 3) {
        said[length++] = ':';
        said[length++] = ' ';
        vsnprintf(said + length, sizeof(said) - (size_t)length, format, arguments);
    }
    for (char *c = said; *c; c++)
        if ((unsigned char)*c < ' ')
            *c = ' ';
    return code;
}

static weft_status library_failed(const struct reading *a, const char *what)
{
    if (a->status != WEFT_OK)
        return a->status;
    return BAD_PLACE(("%s%s", a->world.path, a->who),
                     ("%s: libotf2: %s", what, said[0] ? said : "it gives no reason"),
                     ("look at it with otf2-print"));
}

/* ---- definitions ---- */

/* Callbacks ignore most of what the library passes to them, up to the pop below. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"

static enum otf2_group_sort sort_of_group(OTF2_GroupType type, OTF2_Paradigm paradigm)
{
    return paradigm != OTF2_PARADIGM_MPI            ? GROUP_OTHER
           : type == OTF2_GROUP_TYPE_COMM_LOCATIONS ? GROUP_LOCATIONS
           : type == OTF2_GROUP_TYPE_COMM_GROUP     ? GROUP_RANKS
           : type == OTF2_GROUP_TYPE_COMM_SELF      ? GROUP_SELF
                                                    : GROUP_OTHER;
}

static void add_location(struct reading *a, struct location location)
{
    *map_add(&a->by_ref, location.ref, 0) = a->locations;
    *LIST_ADD(a->location, a->locations, a->location_room) = location;
}

#define DEFINITION(NAME, ARGUMENTS, DOES)                                                          \
    static OTF2_CallbackCode NAME ARGUMENTS                                                        \
    {                                                                                              \
        struct reading *a = data;                                                                  \
        DOES;                                                                                      \
        return OTF2_CALLBACK_SUCCESS;                                                              \
    }

DEFINITION(def_clock,
           (void *data, uint64_t resolution, uint64_t offset, uint64_t length, uint64_t realtime),
           a->world.ticks = (double)resolution)
DEFINITION(def_string, (void *data, OTF2_StringRef self, const char *text),
           otf2_world_string(&a->world, self, text ? text : ""))
DEFINITION(def_region,
           (void *data, OTF2_RegionRef self, OTF2_StringRef name, OTF2_StringRef canonical,
            OTF2_StringRef description, OTF2_RegionRole role, OTF2_Paradigm paradigm,
            OTF2_RegionFlag flags, OTF2_StringRef source, uint32_t begin, uint32_t end),
           otf2_world_region(&a->world, self, name, paradigm == OTF2_PARADIGM_MPI))
DEFINITION(def_group,
           (void *data, OTF2_GroupRef self, OTF2_StringRef name, OTF2_GroupType type,
            OTF2_Paradigm paradigm, OTF2_GroupFlag flags, uint32_t count, const uint64_t *members),
           otf2_world_group(&a->world, self, sort_of_group(type, paradigm), members,
                            members ? count : 0))
DEFINITION(def_comm,
           (void *data, OTF2_CommRef self, OTF2_StringRef name, OTF2_GroupRef group,
            OTF2_CommRef parent, OTF2_CommFlag flags),
           otf2_world_comm(&a->world,
                           &(struct otf2_comm){.ref = self, .name = name, .group = {group}}))
DEFINITION(def_intercomm,
           (void *data, OTF2_CommRef self, OTF2_StringRef name, OTF2_GroupRef one,
            OTF2_GroupRef other, OTF2_CommRef common, OTF2_CommFlag flags),
           otf2_world_comm(&a->world,
                           &(struct otf2_comm){
                               .ref = self, .name = name, .group = {one, other}, .two = true}))
DEFINITION(def_location,
           (void *data, OTF2_LocationRef self, OTF2_StringRef name, OTF2_LocationType type,
            uint64_t events, OTF2_LocationGroupRef group),
           add_location(a, (struct location){self, events, type == OTF2_LOCATION_TYPE_CPU_THREAD}))

static weft_status read_definitions(struct reading *a)
{
    uint64_t read;
    OTF2_GlobalDefReader *in = OTF2_Reader_GetGlobalDefReader(a->reader);
    OTF2_GlobalDefReaderCallbacks *to = OTF2_GlobalDefReaderCallbacks_New();
    if (!in || !to)
        return library_failed(a, "the definitions cannot be read");
    OTF2_GlobalDefReaderCallbacks_SetClockPropertiesCallback(to, def_clock);
    OTF2_GlobalDefReaderCallbacks_SetStringCallback(to, def_string);
    OTF2_GlobalDefReaderCallbacks_SetRegionCallback(to, def_region);
    OTF2_GlobalDefReaderCallbacks_SetGroupCallback(to, def_group);
    OTF2_GlobalDefReaderCallbacks_SetCommCallback(to, def_comm);
    OTF2_GlobalDefReaderCallbacks_SetInterCommCallback(to, def_intercomm);
    OTF2_GlobalDefReaderCallbacks_SetLocationCallback(to, def_location);
    OTF2_Reader_RegisterGlobalDefCallbacks(a->reader, in, to, a);
    OTF2_GlobalDefReaderCallbacks_Delete(to);
    if (OTF2_Reader_ReadAllGlobalDefinitions(a->reader, in, &read) != OTF2_SUCCESS)
        return library_failed(a, "the definitions cannot be read");
    OTF2_Reader_CloseGlobalDefReader(a->reader, in);
    return otf2_world_settle(&a->world);
}

/* ---- events ---- */

/* Every one begins with the same arguments; what it does is in the braces of its own. */
#define HEAD                                                                                       \
    OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t number, void *data,                   \
        OTF2_AttributeList *list

static weft_status refuse_stranger(const struct reading *a, uint64_t number)
{
    return BAD_PLACE(("%s: location %llu, event %llu", a->world.path, (unsigned long long)a->at,
                      (unsigned long long)number),
                     ("a thread besides the first one of its rank calls MPI"),
                     ("trace the program with MPI_THREAD_FUNNELED"));
}

#define EVENT(NAME, ARGUMENTS, DOES)                                                               \
    static OTF2_CallbackCode NAME ARGUMENTS                                                        \
    {                                                                                              \
        struct reading *a = data;                                                                  \
        struct otf2_rank *r = &a->rank;                                                            \
        otf2_rank_at(r, number, time);                                                             \
        a->status = a->stranger ? refuse_stranger(a, number) : (DOES);                             \
        return a->status == WEFT_OK ? OTF2_CALLBACK_SUCCESS : OTF2_CALLBACK_INTERRUPT;             \
    }

EVENT(evt_enter, (HEAD, OTF2_RegionRef region), otf2_rank_enter(r, region))
EVENT(evt_leave, (HEAD, OTF2_RegionRef region), otf2_rank_leave(r, region))
EVENT(evt_send, (HEAD, uint32_t peer, OTF2_CommRef comm, uint32_t tag, uint64_t bytes),
      otf2_rank_send(r, &(struct otf2_message){peer, comm, tag, bytes}))
EVENT(evt_receive, (HEAD, uint32_t peer, OTF2_CommRef comm, uint32_t tag, uint64_t bytes),
      otf2_rank_receive(r, &(struct otf2_message){peer, comm, tag, bytes}))
EVENT(evt_start_send,
      (HEAD, uint32_t peer, OTF2_CommRef comm, uint32_t tag, uint64_t bytes, uint64_t id),
      otf2_rank_start_send(r, &(struct otf2_message){peer, comm, tag, bytes}, id))
EVENT(evt_end_send, (HEAD, uint64_t id), otf2_rank_end_send(r, id))
EVENT(evt_start_receive, (HEAD, uint64_t id), otf2_rank_start_receive(r, id))
EVENT(evt_end_receive,
      (HEAD, uint32_t peer, OTF2_CommRef comm, uint32_t tag, uint64_t bytes, uint64_t id),
      otf2_rank_end_receive(r, &(struct otf2_message){peer, comm, tag, bytes}, id))
EVENT(evt_cancel, (HEAD, uint64_t id), otf2_rank_cancel(r, id))
EVENT(evt_start_collective, (HEAD, uint64_t id), otf2_rank_start_collective(r, id))
EVENT(evt_collective_begins, (HEAD), WEFT_OK)
EVENT(evt_makes, (HEAD, OTF2_CommRef comm), (otf2_rank_makes(r, comm), WEFT_OK))
EVENT(evt_flush, (HEAD, OTF2_TimeStamp until), (otf2_rank_flush(r, until), WEFT_OK))
EVENT(evt_measures, (HEAD, OTF2_MeasurementMode mode),
      (otf2_rank_measures(r, mode == OTF2_MEASUREMENT_ON), WEFT_OK))

static unsigned operation_of(OTF2_CollectiveOp op)
{
    static const uint16_t operations[] = {
        [OTF2_COLLECTIVE_OP_BARRIER] = CALL_Barrier,
        [OTF2_COLLECTIVE_OP_BCAST] = CALL_Bcast,
        [OTF2_COLLECTIVE_OP_GATHER] = CALL_Gather,
        [OTF2_COLLECTIVE_OP_GATHERV] = CALL_Gatherv,
        [OTF2_COLLECTIVE_OP_SCATTER] = CALL_Scatter,
        [OTF2_COLLECTIVE_OP_SCATTERV] = CALL_Scatterv,
        [OTF2_COLLECTIVE_OP_ALLGATHER] = CALL_Allgather,
        [OTF2_COLLECTIVE_OP_ALLGATHERV] = CALL_Allgatherv,
        [OTF2_COLLECTIVE_OP_ALLTOALL] = CALL_Alltoall,
        [OTF2_COLLECTIVE_OP_ALLTOALLV] = CALL_Alltoallv,
        [OTF2_COLLECTIVE_OP_ALLTOALLW] = CALL_Alltoallv,
        [OTF2_COLLECTIVE_OP_ALLREDUCE] = CALL_Allreduce,
        [OTF2_COLLECTIVE_OP_REDUCE] = CALL_Reduce,
        [OTF2_COLLECTIVE_OP_REDUCE_SCATTER] = CALL_Reduce_scatter,
        [OTF2_COLLECTIVE_OP_SCAN] = CALL_Scan,
        [OTF2_COLLECTIVE_OP_EXSCAN] = CALL_Exscan,
        [OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK] = CALL_Reduce_scatter_block,
        [OTF2_COLLECTIVE_OP_CREATE_HANDLE] = OTF2_MAKES,
        [OTF2_COLLECTIVE_OP_DESTROY_HANDLE] = OTF2_FREES,
        [OTF2_COLLECTIVE_OP_ALLOCATE] = OTF2_MEETS,
        [OTF2_COLLECTIVE_OP_DEALLOCATE] = OTF2_MEETS,
        [OTF2_COLLECTIVE_OP_CREATE_HANDLE_AND_ALLOCATE] = OTF2_MEETS,
        [OTF2_COLLECTIVE_OP_DESTROY_HANDLE_AND_DEALLOCATE] = OTF2_MEETS,
    };
    return op < sizeof(operations) / sizeof(operations[0]) ? operations[op] : OTF2_UNKNOWN;
}

EVENT(evt_collective,
      (HEAD, OTF2_CollectiveOp op, OTF2_CommRef comm, uint32_t root, uint64_t sent,
       uint64_t received),
      otf2_rank_collective(r,
                           &(struct otf2_collective){operation_of(op), comm, root, sent, received}))
EVENT(evt_end_collective,
      (HEAD, OTF2_CollectiveOp op, OTF2_CommRef comm, uint32_t root, uint64_t sent,
       uint64_t received, uint64_t id),
      otf2_rank_end_collective(
          r, &(struct otf2_collective){operation_of(op), comm, root, sent, received}, id))
EVENT(evt_put, (HEAD, OTF2_RmaWinRef window, uint32_t remote, uint64_t bytes, uint64_t id),
      otf2_rank_one_sided(r))
EVENT(evt_atomic,
      (HEAD, OTF2_RmaWinRef window, uint32_t remote, OTF2_RmaAtomicType type, uint64_t sent,
       uint64_t received, uint64_t id),
      otf2_rank_one_sided(r))
#pragma GCC diagnostic pop

/* Of a rank. A request that was tested in vain, or a collective operation that begins: the region
 * that it is in says enough. Threads that are no ranks must not call MPI at all. */
static OTF2_EvtReaderCallbacks *new_callbacks(bool rank)
{
    OTF2_EvtReaderCallbacks *to = OTF2_EvtReaderCallbacks_New();
    if (!to)
        return NULL;
    OTF2_EvtReaderCallbacks_SetMpiSendCallback(to, evt_send);
    OTF2_EvtReaderCallbacks_SetMpiIsendCallback(to, evt_start_send);
    OTF2_EvtReaderCallbacks_SetMpiIsendCompleteCallback(to, evt_end_send);
    OTF2_EvtReaderCallbacks_SetMpiRecvCallback(to, evt_receive);
    OTF2_EvtReaderCallbacks_SetMpiIrecvRequestCallback(to, evt_start_receive);
    OTF2_EvtReaderCallbacks_SetMpiIrecvCallback(to, evt_end_receive);
    OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveRequestCallback(to, evt_start_collective);
    if (!rank) {
        OTF2_EvtReaderCallbacks_SetMpiCollectiveBeginCallback(to, evt_collective_begins);
        return to;
    }
    OTF2_EvtReaderCallbacks_SetEnterCallback(to, evt_enter);
    OTF2_EvtReaderCallbacks_SetLeaveCallback(to, evt_leave);
    OTF2_EvtReaderCallbacks_SetBufferFlushCallback(to, evt_flush);
    OTF2_EvtReaderCallbacks_SetMeasurementOnOffCallback(to, evt_measures);
    OTF2_EvtReaderCallbacks_SetMpiRequestCancelledCallback(to, evt_cancel);
    OTF2_EvtReaderCallbacks_SetMpiCollectiveEndCallback(to, evt_collective);
    OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveCompleteCallback(to, evt_end_collective);
    OTF2_EvtReaderCallbacks_SetCommCreateCallback(to, evt_makes);
    OTF2_EvtReaderCallbacks_SetRmaPutCallback(to, evt_put);
    OTF2_EvtReaderCallbacks_SetRmaGetCallback(to, evt_put);
    OTF2_EvtReaderCallbacks_SetRmaAtomicCallback(to, evt_atomic);
    return to;
}

/* ---- locations ---- */

/* libotf2 loses the memory of a reader, 4 MiB of Score-P's, where there is no file. */
static bool has_definitions(const struct reading *a, uint64_t location)
{
    char path[PATH];
    OTF2_FileSubstrate substrate;
    bool apart = OTF2_Reader_GetFileSubstrate(a->reader, &substrate) == OTF2_SUCCESS &&
                 substrate == OTF2_SUBSTRATE_POSIX;
    int length = snprintf(path, PATH, "%.*s/%llu.def", stem_length(a->world.path), a->world.path,
                          (unsigned long long)location);
    return !apart || (length < PATH && access(path, F_OK) == 0);
}

/* References of a location's events may be its own: its definitions say what they are. */
static weft_status read_own_definitions(struct reading *a, uint64_t location)
{
    uint64_t read;
    if (!has_definitions(a, location))
        return WEFT_OK;
    OTF2_DefReader *in = OTF2_Reader_GetDefReader(a->reader, location);
    snprintf(a->who, sizeof(a->who), ": location %llu", (unsigned long long)location);
    if (!in || OTF2_Reader_ReadAllLocalDefinitions(a->reader, in, &read) != OTF2_SUCCESS)
        return library_failed(a, "its definitions cannot be read");
    OTF2_Reader_CloseDefReader(a->reader, in);
    return WEFT_OK;
}

static weft_status read_all_own_definitions(struct reading *a)
{
    weft_status status = WEFT_OK;
    if (OTF2_Reader_OpenDefFiles(a->reader) != OTF2_SUCCESS)
        return library_failed(a, "definitions of locations cannot be read");
    for (uint32_t i = 0; i < a->locations && status == WEFT_OK; i++)
        status = read_own_definitions(a, a->location[i].ref);
    OTF2_Reader_CloseDefFiles(a->reader);
    a->who[0] = '\0';
    return status;
}

static weft_status read_pieces(struct reading *a, OTF2_EvtReader *in, uint64_t events)
{
    enum { AT_ONCE = 1 << 16 };
    uint64_t read = AT_ONCE, all = 0;
    for (; read == AT_ONCE; all += read) {
        protected_call_poll();
        if (OTF2_Reader_ReadLocalEvents(a->reader, in, AT_ONCE, &read) != OTF2_SUCCESS ||
            a->status != WEFT_OK)
            return library_failed(a, "its events cannot be read");
    }
    if (!events || all == events)
        return WEFT_OK; /* not all who write traces say how many there are */
    return BAD_PLACE(("%s%s", a->world.path, a->who),
                     ("%llu events are defined, and there are %llu", (unsigned long long)events,
                      (unsigned long long)all),
                     ("look at it with otf2-print"));
}

static weft_status read_events(struct reading *a, const struct location *l,
                               OTF2_EvtReaderCallbacks *to)
{
    a->at = l->ref;
    OTF2_EvtReader *in = OTF2_Reader_GetEvtReader(a->reader, l->ref);
    if (!in && !l->events)
        return WEFT_OK; /* it needs no file */
    if (!in || !to || OTF2_Reader_RegisterEvtCallbacks(a->reader, in, to, a) != OTF2_SUCCESS)
        return library_failed(a, "its events cannot be read");
    weft_status status = read_pieces(a, in, l->events);
    OTF2_Reader_CloseEvtReader(a->reader, in);
    return status;
}

static weft_status read_rank(struct reading *a, uint32_t rank, OTF2_EvtReaderCallbacks *to)
{
    const struct location *l = &a->location[*map_find(&a->by_ref, a->world.location[rank])];
    otf2_rank_begin(&a->rank, &a->world, &a->drafts, rank);
    snprintf(a->who, sizeof(a->who), ": rank %u", rank);
    weft_status status = read_events(a, l, to);
    if (status == WEFT_OK)
        otf2_rank_end(&a->rank);
    otf2_rank_drop(&a->rank);
    return status;
}

/* Every rank has a location. */
static weft_status select_locations(struct reading *a)
{
    for (uint32_t i = 0; i < a->locations; i++)
        if (OTF2_Reader_SelectLocation(a->reader, a->location[i].ref) != OTF2_SUCCESS)
            return library_failed(a, "a location cannot be read");
    for (uint32_t i = 0; i < a->world.to->ranks; i++)
        if (!map_find(&a->by_ref, a->world.location[i]))
            return BAD_PLACE(
                ("%s: rank %u", a->world.path, i),
                ("location %llu is not defined", (unsigned long long)a->world.location[i]),
                ("look at it with otf2-print"));
    return WEFT_OK;
}

static weft_status read_all(struct reading *a)
{
    TRY(select_locations(a));
    TRY(read_all_own_definitions(a));
    if (OTF2_Reader_OpenEvtFiles(a->reader) != OTF2_SUCCESS)
        return library_failed(a, "the events cannot be read");
    OTF2_EvtReaderCallbacks *rank = new_callbacks(true), *stranger = new_callbacks(false);
    weft_status status = otf2_drafts_init(&a->drafts);
    for (uint32_t i = 0; i < a->world.to->ranks && status == WEFT_OK; i++)
        status = read_rank(a, i, rank);
    a->stranger = true;
    for (uint32_t i = 0; i < a->locations && status == WEFT_OK; i++) {
        const struct location *l = &a->location[i];
        if (!l->thread || map_find(&a->world.ranks, l->ref))
            continue; /* threads' own events matter only if they are MPI's */
        snprintf(a->who, sizeof(a->who), ": location %llu", (unsigned long long)l->ref);
        status = read_events(a, l, stranger);
    }
    OTF2_EvtReaderCallbacks_Delete(rank);
    OTF2_EvtReaderCallbacks_Delete(stranger);
    return status == WEFT_OK ? otf2_finish(&a->world, &a->drafts) : status;
}

static weft_status open_trace(struct reading *a)
{
    a->reader = OTF2_Reader_Open(a->world.path);
    if (!a->reader || OTF2_Reader_SetSerialCollectiveCallbacks(a->reader) != OTF2_SUCCESS)
        return library_failed(a, "it cannot be opened");
    TRY(read_definitions(a));
    return read_all(a);
}

static weft_status read_files(const char *path, struct recording *to)
{
    struct reading a = {.reader = NULL};
    TRY(otf2_anchor_check(path));
    otf2_world_init(&a.world, path, to);
    said[0] = '\0';
    OTF2_ErrorCallback before = OTF2_Error_RegisterCallback(listen, NULL);
    weft_status status = open_trace(&a);
    if (a.reader)
        OTF2_Reader_Close(a.reader);
    OTF2_Error_RegisterCallback(before, NULL);
    otf2_drafts_fini(&a.drafts);
    otf2_world_fini(&a.world);
    map_fini(&a.by_ref);
    free(a.location);
    return status;
}

static const char *library_version(void)
{
    return OTF2_VERSION;
}

#else

static const char *library_version(void)
{
    return NULL;
}

static weft_status read_files(const char *path, struct recording *to)
{
    (void)to;
    return BAD_PLACE(("%s", path), ("this Weft was built without OTF2"),
                     ("install libotf2 3.0 or later (Debian package libotf2-trace-dev), and build "
                      "again"));
}

#endif

/* ---- the format ---- */

static bool is_anchor(const struct trace_file *f)
{
    return text_ends(f->path, ".otf2");
}

/* libotf2 finds the other files by the anchor's name. */
static weft_status refuse_file(const struct trace_file *f)
{
    /* a chunk of the sort and byte order that the first two bytes say */
    bool begins = f->size >= 6 && memcmp(f->first + 2, "OTF2", 4) == 0;
    if (f->binary && (text_ends(f->path, ".def") || text_ends(f->path, ".evt")))
        return BAD_PLACE(("%s", f->path), ("it is one of several files of an OTF2 trace"),
                         ("give the .otf2 file of an OTF2 trace"));
    if (begins && !is_anchor(f))
        return BAD_PLACE(("%s", f->path), ("it is an OTF2 trace under another name"),
                         ("give it a name that ends in .otf2, beside its other files"));
    return WEFT_OK;
}

static weft_status read_trace(const char *path, struct recording *to)
{
    if (access(path, R_OK) != 0)
        return BAD_PLACE(("%s", path), ("%s", strerror(errno)), ("name a trace"));
    return read_files(path, to);
}

static uint64_t hash_files(const char *path)
{
    char file[PATH];
    struct dirent **entry;
    uint64_t hash = input_hash(path);
    int stem = stem_length(path);
    snprintf(file, PATH, "%.*s.def", stem, path);
    hash = trace_hash_add(hash, file);
    snprintf(file, PATH, "%.*s", stem, path);
    int entries = scandir(file, &entry, NULL, alphasort);
    for (int i = 0; i < entries; i++) {
        if (entry[i]->d_name[0] != '.' &&
            snprintf(file, PATH, "%.*s/%s", stem, path, entry[i]->d_name) < PATH)
            hash = trace_hash_add(hash, file);
        free(entry[i]);
    }
    if (entries >= 0)
        free(entry);
    return hash;
}

const struct trace_format otf2_format = {.name = "OTF2",
                                         .matches = is_anchor,
                                         .refuse_file = refuse_file,
                                         .read = read_trace,
                                         .hash = hash_files,
                                         .reader_version = library_version};
