/* Pages of a file, each with one frame in memory where it can be. */
#include "trace/otf2/paged_array.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file/output.h"
#include "base/memory.h"

enum { PAGE = 4096, FRAMES = 64 };

struct page {
    uint64_t number; /* in the file, from 1 on; 0: none is here */
    bool changed;
    _Alignas(16) unsigned char bytes[PAGE];
};

struct paged_array {
    int file;
    size_t element;
    int error; /* errno of a page that could not be written or read; 0: none */
    struct page page[FRAMES];
};

weft_status paged_array_create(size_t element, struct paged_array **array)
{
    int file;
    TRY(temporary_open(&file));
    WEFT_CHECK(element && element <= PAGE && !(element & (element - 1)), "elements of %zu bytes",
               element);
    *array = memory_alloc(1, sizeof(**array));
    (*array)->file = file;
    (*array)->element = element;
    return WEFT_OK;
}

void paged_array_destroy(struct paged_array *a)
{
    if (!a)
        return;
    close(a->file);
    free(a);
}

static void write_back(struct paged_array *a, struct page *p)
{
    if (!p->changed)
        return;
    ssize_t done = pwrite(a->file, p->bytes, PAGE, (off_t)((p->number - 1) * PAGE));
    if (done != PAGE && !a->error)
        a->error = done < 0 ? errno : ENOSPC;
    p->changed = false;
}

static void *find(struct paged_array *a, uint64_t index, bool change)
{
    uint64_t byte = index * a->element, number = byte / PAGE + 1;
    struct page *p = &a->page[number % FRAMES];
    if (p->number != number) {
        write_back(a, p);
        p->number = number;
        /* What was never written is zero: behind the end of the file, too. */
        memset(p->bytes, 0, PAGE);
        if (pread(a->file, p->bytes, PAGE, (off_t)((number - 1) * PAGE)) < 0 && !a->error)
            a->error = errno;
    }
    p->changed |= change;
    return p->bytes + byte % PAGE;
}

void *paged_array_change(struct paged_array *a, uint64_t index)
{
    return find(a, index, true);
}

const void *paged_array_read(struct paged_array *a, uint64_t index)
{
    return find(a, index, false);
}

weft_status paged_array_check(const struct paged_array *a)
{
    return a->error ? temporary_failed(a->error) : WEFT_OK;
}
