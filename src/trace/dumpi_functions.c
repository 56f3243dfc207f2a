/* Names of functions and of arguments. */
#include "trace/dumpi_functions.h"

#include <stdlib.h>
#include <string.h>

/* ROMIO's own functions are IO_... here. */
static const char *const functions[] = {
#define DUMPI_FUNCTION(NAME) "MPI_" #NAME,
    DUMPI_FUNCTIONS(DUMPI_FUNCTION)
#undef DUMPI_FUNCTION
};

static const char *const arguments[DUMPI_ARGUMENTS] = {
    [DUMPI_COUNT] = "count",
    [DUMPI_DATATYPE] = "datatype",
    [DUMPI_DEST] = "dest",
    [DUMPI_SOURCE] = "source",
    [DUMPI_TAG] = "tag",
    [DUMPI_COMM] = "comm",
    [DUMPI_REQUEST] = "request",
    [DUMPI_REQUESTS] = "requests",
    [DUMPI_FLAG] = "flag",
    [DUMPI_INDEX] = "index",
    [DUMPI_INDICES] = "indices",
    [DUMPI_SENDCOUNT] = "sendcount",
    [DUMPI_SENDTYPE] = "sendtype",
    [DUMPI_RECVCOUNT] = "recvcount",
    [DUMPI_RECVTYPE] = "recvtype",
    [DUMPI_SENDTAG] = "sendtag",
    [DUMPI_RECVTAG] = "recvtag",
    [DUMPI_SENDCOUNTS] = "sendcounts",
    [DUMPI_RECVCOUNTS] = "recvcounts",
    [DUMPI_SENDTYPES] = "sendtypes",
    [DUMPI_RECVTYPES] = "recvtypes",
    [DUMPI_ROOT] = "root",
    [DUMPI_COMMSIZE] = "commsize",
    [DUMPI_COMMRANK] = "commrank",
    [DUMPI_OP] = "op",
    [DUMPI_OLDCOMM] = "oldcomm",
    [DUMPI_NEWCOMM] = "newcomm",
    [DUMPI_COLOR] = "color",
    [DUMPI_KEY] = "key",
    [DUMPI_OLDTYPE] = "oldtype",
    [DUMPI_NEWTYPE] = "newtype",
    [DUMPI_BLOCKLENGTH] = "blocklength",
    [DUMPI_LENGTHS] = "lengths",
    [DUMPI_OLDTYPES] = "oldtypes",
    [DUMPI_SUBSIZES] = "subsizes",
    [DUMPI_DIMS] = "dims",
    [DUMPI_REMAIN_DIMS] = "remain_dims",
    [DUMPI_RANK] = "rank",
    [DUMPI_SIZE] = "size",
};

const char *dumpi_function_name(enum dumpi_function function)
{
    return functions[function];
}

enum dumpi_function dumpi_function_by_name(const char *name)
{
    unsigned i = 0;
    while (i < DUMPI_OTHER && strcmp(functions[i], name) != 0)
        i++;
    return (enum dumpi_function)i;
}

const char *dumpi_argument_name(enum dumpi_argument argument)
{
    return arguments[argument];
}

enum dumpi_argument dumpi_argument_by_name(const char *name)
{
    unsigned i = 0;
    if (strcmp(name, "blocklengths") == 0)
        return DUMPI_LENGTHS;
    while (i < DUMPI_ARGUMENTS && strcmp(arguments[i], name) != 0)
        i++;
    return (enum dumpi_argument)i;
}
