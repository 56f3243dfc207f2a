/*
 * Exceptions: where the tables are that tell how to leave a function, of a rank's own code. And
 * where a rank has failed: the innermost function of its own, which may have called the C library.
 */
#define _GNU_SOURCE
#include <string.h>
#include <unwind.h>

#include "posix/internal.h"

/* The object of the rank that runs which an address is in; NULL: it is the computer's. */
static const struct image_object *object_at(const struct posix_rank *r, const void *address)
{
    uint64_t at = (uint64_t)((const unsigned char *)address - r->copy);
    for (size_t i = 0; i < r->image->objects; i++) {
        const struct image_object *o = &r->image->object[i];
        if (at >= o->base + o->elf.low && at < o->base + o->elf.high)
            return o;
    }
    return NULL;
}

#ifdef DLFO_STRUCT_HAS_EH_DBASE

static int rank_dl_find_object(void *address, struct dl_find_object *result)
{
    const struct posix_rank *r = posix_current();
    const struct image_object *o = object_at(r, address);
    if (!o)
        return _dl_find_object(address, result);
    memset(result, 0, sizeof(*result));
    result->dlfo_map_start = r->copy + o->base + o->elf.low;
    result->dlfo_map_end = r->copy + o->base + o->elf.high;
    result->dlfo_eh_frame = r->copy + o->base + o->elf.frames;
    return o->elf.frames ? 0 : -1;
}

#endif

static int rank_dl_iterate_phdr(int (*visit)(struct dl_phdr_info *info, size_t size, void *arg),
                                void *arg)
{
    const struct posix_rank *r = posix_current();
    for (size_t i = 0; i < r->image->objects; i++) {
        const struct image_object *o = &r->image->object[i];
        struct dl_phdr_info info = {.dlpi_addr = (uint64_t)(uintptr_t)(r->copy + o->base),
                                    .dlpi_name = o->elf.path,
                                    .dlpi_phdr = o->elf.segment,
                                    .dlpi_phnum = (uint16_t)o->elf.segments,
                                    .dlpi_adds = 1};
        int result = visit(&info, sizeof(info), arg);
        if (result)
            return result;
    }
    return dl_iterate_phdr(visit, arg);
}

/* ---- where a rank has failed ---- */

/* The call before an address that is returned to may end its function. */
static _Unwind_Reason_Code visit_frame(struct _Unwind_Context *context, void *arg)
{
    struct posix_rank *r = arg;
    int before = 0;
    uintptr_t at = _Unwind_GetIPInfo(context, &before);
    at -= !before;
    if (!object_at(r, (const void *)at))
        return _URC_NO_REASON;
    r->where = (uint64_t)(at - (uintptr_t)r->copy);
    return _URC_NORMAL_STOP;
}

/* A stack that is overwritten may lead to a second failure. */
void unwind_look(struct posix_rank *r, int signal)
{
    r->failing = signal;
    _Unwind_Backtrace(visit_frame, r);
    r->failing = 0;
}

const struct posix_function unwind_functions[] = {
#ifdef DLFO_STRUCT_HAS_EH_DBASE
    FUNCTION_AS("_dl_find_object", rank_dl_find_object),
#endif
    FUNCTION(dl_iterate_phdr),
    {NULL, NULL},
};
