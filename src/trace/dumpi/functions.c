/* Names and layouts of functions, and names of arguments. */
#include "trace/dumpi/functions.h"

#include <stdio.h>
#include <string.h>

enum { WORD = 16 };

/* ROMIO's own functions are IO_... here. */
static const struct {
    const char *name, *layout;
} functions[] = {
#define DUMPI_FUNCTION(NAME, LAYOUT) {"MPI_" #NAME, LAYOUT},
    DUMPI_FUNCTIONS(DUMPI_FUNCTION)
#undef DUMPI_FUNCTION
};

static const struct {
    const char *name;
    enum dumpi_shape shape;
} arguments[DUMPI_ARGUMENTS] = {
    [DUMPI_COUNT] = {"count", DUMPI_I32},
    [DUMPI_DATATYPE] = {"datatype", DUMPI_I16},
    [DUMPI_DEST] = {"dest", DUMPI_I32},
    [DUMPI_SOURCE] = {"source", DUMPI_I32},
    [DUMPI_TAG] = {"tag", DUMPI_I32},
    [DUMPI_COMM] = {"comm", DUMPI_I16},
    [DUMPI_REQUEST] = {"request", DUMPI_I32},
    [DUMPI_REQUESTS] = {"requests", DUMPI_INTS},
    [DUMPI_FLAG] = {"flag", DUMPI_I32},
    [DUMPI_INDEX] = {"index", DUMPI_I32},
    [DUMPI_INDICES] = {"indices", DUMPI_INTS},
    [DUMPI_SENDCOUNT] = {"sendcount", DUMPI_I32},
    [DUMPI_SENDTYPE] = {"sendtype", DUMPI_I16},
    [DUMPI_RECVCOUNT] = {"recvcount", DUMPI_I32},
    [DUMPI_RECVTYPE] = {"recvtype", DUMPI_I16},
    [DUMPI_SENDTAG] = {"sendtag", DUMPI_I32},
    [DUMPI_RECVTAG] = {"recvtag", DUMPI_I32},
    [DUMPI_SENDCOUNTS] = {"sendcounts", DUMPI_INTS},
    [DUMPI_RECVCOUNTS] = {"recvcounts", DUMPI_INTS},
    [DUMPI_SENDTYPES] = {"sendtypes", DUMPI_SHORTS},
    [DUMPI_RECVTYPES] = {"recvtypes", DUMPI_SHORTS},
    [DUMPI_ROOT] = {"root", DUMPI_I32},
    [DUMPI_COMMSIZE] = {"commsize", DUMPI_I32},
    [DUMPI_COMMRANK] = {"commrank", DUMPI_I32},
    [DUMPI_OP] = {"op", DUMPI_I8},
    [DUMPI_OLDCOMM] = {"oldcomm", DUMPI_I16},
    [DUMPI_NEWCOMM] = {"newcomm", DUMPI_I16},
    [DUMPI_COLOR] = {"color", DUMPI_I32},
    [DUMPI_KEY] = {"key", DUMPI_I32},
    [DUMPI_OLDTYPE] = {"oldtype", DUMPI_I16},
    [DUMPI_NEWTYPE] = {"newtype", DUMPI_I16},
    [DUMPI_BLOCKLENGTH] = {"blocklength", DUMPI_I32},
    [DUMPI_LENGTHS] = {"lengths", DUMPI_INTS},
    [DUMPI_OLDTYPES] = {"oldtypes", DUMPI_SHORTS},
    [DUMPI_SUBSIZES] = {"subsizes", DUMPI_INTS},
    [DUMPI_DIMS] = {"dims", DUMPI_INTS},
    [DUMPI_REMAIN_DIMS] = {"remain_dims", DUMPI_INTS},
    [DUMPI_RANK] = {"rank", DUMPI_I32},
    [DUMPI_SIZE] = {"size", DUMPI_I32},
};

static const char *const shapes[DUMPI_SHAPES] = {
    [DUMPI_I8] = "i8",
    [DUMPI_I16] = "i16",
    [DUMPI_I32] = "i32",
    [DUMPI_I64] = "i64",
    [DUMPI_BYTES] = "bytes",
    [DUMPI_SHORTS] = "shorts",
    [DUMPI_INTS] = "ints",
    [DUMPI_ROWS] = "rows",
    [DUMPI_TEXTS] = "texts",
    [DUMPI_TEXT_LISTS] = "text_lists",
    [DUMPI_STATUS] = "status",
    [DUMPI_INIT_TEXTS] = "init_texts",
    [DUMPI_CART_INTS] = "cart_ints",
    [DUMPI_STRUCT_INTS] = "struct_ints",
};

static struct dumpi_field field_of(const char *word)
{
    struct dumpi_field f = {.at_root = *word == '?'};
    word += f.at_root;
    f.argument = (uint8_t)dumpi_argument_by_name(word);
    if (f.argument < DUMPI_ARGUMENTS)
        f.shape = (uint8_t)arguments[f.argument].shape;
    else
        while (f.shape < DUMPI_SHAPES && strcmp(shapes[f.shape], word) != 0)
            f.shape++;
    return f;
}

unsigned dumpi_function_fields(enum dumpi_function function,
                               struct dumpi_field field[DUMPI_FIELDS_MOST])
{
    unsigned count = 0;
    char word[WORD];
    for (const char *at = functions[function].layout; *at; at += *at == ' ') {
        size_t length = strcspn(at, " ");
        snprintf(word, WORD, "%.*s", (int)length, at);
        field[count++] = field_of(word);
        at += length;
    }
    return count;
}

const char *dumpi_function_name(enum dumpi_function function)
{
    return functions[function].name;
}

enum dumpi_function dumpi_function_by_name(const char *name)
{
    unsigned i = 0;
    while (i < DUMPI_OTHER && strcmp(functions[i].name, name) != 0)
        i++;
    return (enum dumpi_function)i;
}

const char *dumpi_argument_name(enum dumpi_argument argument)
{
    return arguments[argument].name;
}

enum dumpi_argument dumpi_argument_by_name(const char *name)
{
    unsigned i = 0;
    if (strcmp(name, "blocklengths") == 0)
        return DUMPI_LENGTHS;
    while (i < DUMPI_ARGUMENTS && strcmp(arguments[i].name, name) != 0)
        i++;
    return (enum dumpi_argument)i;
}
