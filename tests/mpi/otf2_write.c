/*
 * Writes an OTF2 trace from lines of text, for tests: well-formed ones and others.
 *
 *   otf2_write FOLDER < TEXT      makes FOLDER/traces.otf2
 *
 *   clock TICKS                                    a second has so many; the first line
 *   locations LOCATION,LOCATION,...                which are ranks 0, 1, ... and exist if they have
 * events region REF NAME comm REF NAME RANK,RANK,... | self             intercomm REF NAME RANK,...
 * RANK,... location LOCATION                              it exists LOCATION TIME enter|leave
 * REGION LOCATION TIME send|recv PEER COMM TAG BYTES LOCATION TIME isend|irecv PEER COMM TAG BYTES
 * REQUEST      irecv: it is over LOCATION TIME isent|irequest|itest|icancel|icollective REQUEST
 *   LOCATION TIME collective OP COMM ROOT SENT RECEIVED [REQUEST]      ROOT -: none
 *   LOCATION TIME create|flush|measure|put NUMBER
 *
 * Events of a location come in the order of time.
 */
#include <otf2/otf2.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 1 << 16 };

static uint64_t events[MOST], location[MOST], member[MOST];
static uint64_t map_of[MOST]; /* FROM << 32 | TO of a location, plus 1; 0: none */
static bool own_files;
static uint32_t locations, strings, groups;
static OTF2_EvtWriter *writer[MOST];
static OTF2_Archive *archive;
static OTF2_GlobalDefWriter *defs;
static char word[10][1 << 16];
static int words;

static OTF2_FlushType before_flush(void *data, OTF2_FileType type, OTF2_LocationRef at,
                                   void *caller, bool final)
{
    (void)data, (void)type, (void)at, (void)caller, (void) final;
    return OTF2_FLUSH;
}

static uint64_t number(int i)
{
    return i >= words || strcmp(word[i], "-") == 0 ? UINT32_MAX : strtoull(word[i], NULL, 10);
}

static uint32_t list(int i)
{
    uint32_t n = 0;
    for (char *c = strtok(word[i], ","); c && n < MOST; c = strtok(NULL, ","))
        member[n++] = strtoull(c, NULL, 10);
    return n;
}

static uint32_t string(const char *text)
{
    OTF2_GlobalDefWriter_WriteString(defs, strings, text);
    return strings++;
}

static uint32_t group(OTF2_GroupType type, int i)
{
    uint32_t n = i ? list(i) : 0;
    OTF2_GlobalDefWriter_WriteGroup(defs, groups, string(""), type, OTF2_PARADIGM_MPI,
                                    OTF2_GROUP_FLAG_NONE, n, member);
    return groups++;
}

/* Whoever a location is, it has a writer. */
static uint32_t place_of(uint64_t at)
{
    for (uint32_t i = 0; i < locations; i++)
        if (location[i] == at)
            return i;
    location[locations] = at;
    writer[locations] = OTF2_Archive_GetEvtWriter(archive, at);
    return locations++;
}

static void define(void)
{
    if (strcmp(word[0], "clock") == 0)
        OTF2_GlobalDefWriter_WriteClockProperties(defs, number(1), 0, 1, OTF2_UNDEFINED_TIMESTAMP);
    if (strcmp(word[0], "location") == 0)
        place_of(number(1));
    if (strcmp(word[0], "definitions") == 0)
        own_files = true;
    if (strcmp(word[0], "map") == 0)
        map_of[place_of(number(1))] = (number(2) << 32 | number(3)) + 1;
    if (strcmp(word[0], "locations") == 0) {
        uint32_t ranks = list(1);
        OTF2_GlobalDefWriter_WriteGroup(defs, groups++, string(""), OTF2_GROUP_TYPE_COMM_LOCATIONS,
                                        OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, ranks, member);
    }
    if (strcmp(word[0], "region") == 0) {
        bool mpi = strncmp(word[2], "MPI", 3) == 0;
        OTF2_GlobalDefWriter_WriteRegion(
            defs, (uint32_t)number(1), string(word[2]), 0, 0, OTF2_REGION_ROLE_FUNCTION,
            mpi ? OTF2_PARADIGM_MPI : OTF2_PARADIGM_USER, OTF2_REGION_FLAG_NONE, 0, 0, 0);
    }
    if (strcmp(word[0], "comm") == 0) {
        bool self = strcmp(word[3], "self") == 0;
        uint32_t g =
            group(self ? OTF2_GROUP_TYPE_COMM_SELF : OTF2_GROUP_TYPE_COMM_GROUP, self ? 0 : 3);
        OTF2_GlobalDefWriter_WriteComm(defs, (uint32_t)number(1), string(word[2]), g,
                                       OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
    }
    if (strcmp(word[0], "intercomm") == 0) {
        uint32_t a = group(OTF2_GROUP_TYPE_COMM_GROUP, 3), b = group(OTF2_GROUP_TYPE_COMM_GROUP, 4);
        OTF2_GlobalDefWriter_WriteInterComm(defs, (uint32_t)number(1), string(word[2]), a, b,
                                            OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
    }
}

static OTF2_ErrorCode write_event(OTF2_EvtWriter *to, const char *what, uint64_t time)
{
    uint32_t a = (uint32_t)number(3), b = (uint32_t)number(4), c = (uint32_t)number(5);
    uint64_t bytes = number(6), request = number(3);
    if (strcmp(what, "enter") == 0)
        return OTF2_EvtWriter_Enter(to, NULL, time, a);
    if (strcmp(what, "leave") == 0)
        return OTF2_EvtWriter_Leave(to, NULL, time, a);
    if (strcmp(what, "send") == 0)
        return OTF2_EvtWriter_MpiSend(to, NULL, time, a, b, c, bytes);
    if (strcmp(what, "recv") == 0)
        return OTF2_EvtWriter_MpiRecv(to, NULL, time, a, b, c, bytes);
    if (strcmp(what, "isend") == 0)
        return OTF2_EvtWriter_MpiIsend(to, NULL, time, a, b, c, bytes, number(7));
    if (strcmp(what, "irecv") == 0)
        return OTF2_EvtWriter_MpiIrecv(to, NULL, time, a, b, c, bytes, number(7));
    if (strcmp(what, "isent") == 0)
        return OTF2_EvtWriter_MpiIsendComplete(to, NULL, time, request);
    if (strcmp(what, "irequest") == 0)
        return OTF2_EvtWriter_MpiIrecvRequest(to, NULL, time, request);
    if (strcmp(what, "itest") == 0)
        return OTF2_EvtWriter_MpiRequestTest(to, NULL, time, request);
    if (strcmp(what, "icancel") == 0)
        return OTF2_EvtWriter_MpiRequestCancelled(to, NULL, time, request);
    if (strcmp(what, "icollective") == 0)
        return OTF2_EvtWriter_NonBlockingCollectiveRequest(to, NULL, time, request);
    if (strcmp(what, "collective") == 0 && words > 8)
        return OTF2_EvtWriter_NonBlockingCollectiveComplete(to, NULL, time, (OTF2_CollectiveOp)a, b,
                                                            c, bytes, number(7), number(8));
    if (strcmp(what, "collective") == 0) {
        OTF2_ErrorCode code = OTF2_EvtWriter_MpiCollectiveBegin(to, NULL, time);
        return code ? code
                    : OTF2_EvtWriter_MpiCollectiveEnd(to, NULL, time, (OTF2_CollectiveOp)a, b, c,
                                                      bytes, number(7));
    }
    if (strcmp(what, "create") == 0)
        return OTF2_EvtWriter_CommCreate(to, NULL, time, a);
    if (strcmp(what, "flush") == 0)
        return OTF2_EvtWriter_BufferFlush(to, NULL, time, number(3));
    if (strcmp(what, "measure") == 0)
        return OTF2_EvtWriter_MeasurementOnOff(to, NULL, time,
                                               a ? OTF2_MEASUREMENT_ON : OTF2_MEASUREMENT_OFF);
    if (strcmp(what, "put") == 0)
        return OTF2_EvtWriter_RmaPut(to, NULL, time, 0, a, 8, 0);
    fprintf(stderr, "otf2_write: '%s' is no event\n", what);
    exit(1);
}

static void read_lines(void)
{
    static char line[1 << 18];
    while (fgets(line, sizeof(line), stdin)) {
        words = 0;
        for (char *c = strtok(line, " \n"); c && words < 10; c = strtok(NULL, " \n"))
            snprintf(word[words++], sizeof(word[0]), "%s", c);
        if (words && word[0][0] >= '0' && word[0][0] <= '9') {
            uint32_t i = place_of(number(0));
            if (write_event(writer[i], word[2], number(1)) != OTF2_SUCCESS)
                exit(1);
            events[i] += strcmp(word[2], "collective") == 0 && words <= 8 ? 2 : 1;
        } else if (words) {
            define();
        }
    }
}

/* Definitions of a location. */
static void write_own(uint32_t i)
{
    OTF2_DefWriter *to = OTF2_Archive_GetDefWriter(archive, location[i]);
    OTF2_IdMap *map = map_of[i] ? OTF2_IdMap_Create(OTF2_ID_MAP_SPARSE, 1) : NULL;
    if (map) {
        OTF2_IdMap_AddIdPair(map, (map_of[i] - 1) >> 32, (uint32_t)(map_of[i] - 1));
        OTF2_DefWriter_WriteMappingTable(to, OTF2_MAPPING_REGION, map);
        OTF2_IdMap_Free(map);
    }
    OTF2_Archive_CloseDefWriter(archive, to);
}

int main(int count, char **argument)
{
    static const OTF2_FlushCallbacks flush = {.otf2_pre_flush = before_flush};
    if (count != 2)
        return 2;
    archive = OTF2_Archive_Open(argument[1], "traces", OTF2_FILEMODE_WRITE, 1 << 20, 4 << 20,
                                OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    if (!archive)
        return 1;
    OTF2_Archive_SetFlushCallbacks(archive, &flush, NULL);
    OTF2_Archive_SetSerialCollectiveCallbacks(archive);
    OTF2_Archive_OpenEvtFiles(archive);
    defs = OTF2_Archive_GetGlobalDefWriter(archive);
    string("");
    OTF2_GlobalDefWriter_WriteSystemTreeNode(defs, 0, string("here"), string("node"),
                                             OTF2_UNDEFINED_SYSTEM_TREE_NODE);
    read_lines();
    for (uint32_t i = 0; i < locations; i++) {
        OTF2_GlobalDefWriter_WriteLocationGroup(defs, i, 0, OTF2_LOCATION_GROUP_TYPE_PROCESS, 0,
                                                OTF2_UNDEFINED_LOCATION_GROUP);
        OTF2_GlobalDefWriter_WriteLocation(defs, location[i], 0, OTF2_LOCATION_TYPE_CPU_THREAD,
                                           events[i], i);
        OTF2_Archive_CloseEvtWriter(archive, writer[i]);
    }
    OTF2_Archive_CloseEvtFiles(archive);
    if (own_files) {
        OTF2_Archive_OpenDefFiles(archive);
        for (uint32_t i = 0; i < locations; i++)
            write_own(i);
        OTF2_Archive_CloseDefFiles(archive);
    }
    return OTF2_Archive_Close(archive) == OTF2_SUCCESS ? 0 : 1;
}
