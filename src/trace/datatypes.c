/* MPI's own tables, searched by other names. */
#include "trace/datatypes.h"

#include <string.h>
#include <strings.h>

#include "mpi/object/op.h"
#include "trace/record.h"

const struct type *datatype_named(const char *name)
{
    for (unsigned handle = BASICS_FIRST; handle < BASICS_END; handle++) {
        const struct type *t = basics_find(handle);
        if (t && strcasecmp(t->name + strlen("MPI_"), name) == 0)
            return t;
    }
    return NULL;
}

const struct type *datatype_of_simgrid(uint64_t number)
{
    /* Handles, in the order of its table of datatypes; 0: Weft has none. Those of Fortran's types
     * there have the same sizes as C's here. */
    static const uint16_t handles[] = {
        0x214, 0x209, 0x243, 0x208, 0x20a, 0x210, 0x247, 0x20b, 0x244, 0x245, 0x20c, 0x20d,
        0x20e, 0x20f, 0x220, 0x23c, 0x238, 0x240, 0x248, 0x250, 0x258, 0x241, 0x249, 0x251,
        0x259, 0x212, 0x216, 0x224, 0x201, 0x203, 0x228, 0x22a, 0x229, 0x22c, 0x22b, 0x230,
        0x231, 0,     0x21a, 0x2d2, 0x2da, 0,     0x2db, 0x2e3, 0,     0x2c1, 0x2c9, 0x2d1,
        0x2d9, 0,     0x22d, 0x239, 0x213, 0x217, 0x225, 0,     0,     0x207, 0,     0x202};
    bool known = number < sizeof(handles) / sizeof(handles[0]);
    return known ? basics_find(handles[number]) : NULL;
}

unsigned reduction_named(const char *name)
{
    for (unsigned kind = OP_SUM; kind <= OP_NO_OP; kind++) {
        const char *own = op_name((enum op_kind)kind);
        if (own && strcmp(own, name) == 0)
            return kind;
    }
    return strcmp(name, "own") == 0       ? RECORD_OP_OWN
           : strcmp(name, "ordered") == 0 ? RECORD_OP_ORDERED
                                          : 0;
}
