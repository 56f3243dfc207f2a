/* Pages of a file, each with one place in memory where it can be. */
#define _GNU_SOURCE
#include "trace/otf2/shelf.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file/temporary.h"
#include "base/memory.h"

enum { PAGE = 4096, PLACES = 64 };

struct page {
    uint64_t number; /* in the file, from 1 on; 0: none is here */
    bool changed;
    _Alignas(16) unsigned char bytes[PAGE];
};

struct shelf {
    int file;
    size_t element;
    int error; /* errno of a page that could not be written or read; 0: none */
    struct page page[PLACES];
};

weft_status shelf_create(size_t element, struct shelf **shelf)
{
    int file;
    TRY(temporary_open(&file));
    WEFT_CHECK(element && element <= PAGE && !(element & (element - 1)), "elements of %zu bytes",
               element);
    *shelf = memory_alloc(1, sizeof(**shelf));
    (*shelf)->file = file;
    (*shelf)->element = element;
    return WEFT_OK;
}

void shelf_destroy(struct shelf *s)
{
    if (!s)
        return;
    close(s->file);
    free(s);
}

static void write_back(struct shelf *s, struct page *p)
{
    if (!p->changed)
        return;
    ssize_t done = pwrite(s->file, p->bytes, PAGE, (off_t)((p->number - 1) * PAGE));
    if (done != PAGE && !s->error)
        s->error = done < 0 ? errno : ENOSPC;
    p->changed = false;
}

/* What was never written is zero: behind the end of the file, too. */
static void fetch(struct shelf *s, struct page *p, uint64_t number)
{
    memset(p->bytes, 0, PAGE);
    p->number = number;
    if (pread(s->file, p->bytes, PAGE, (off_t)((number - 1) * PAGE)) < 0 && !s->error)
        s->error = errno;
}

static void *find(struct shelf *s, uint64_t index, bool change)
{
    uint64_t byte = index * s->element, number = byte / PAGE + 1;
    struct page *p = &s->page[number % PLACES];
    if (p->number != number) {
        write_back(s, p);
        fetch(s, p, number);
    }
    p->changed |= change;
    return p->bytes + byte % PAGE;
}

void *shelf_change(struct shelf *s, uint64_t index)
{
    return find(s, index, true);
}

const void *shelf_read(struct shelf *s, uint64_t index)
{
    return find(s, index, false);
}

weft_status shelf_check(const struct shelf *s)
{
    if (!s->error)
        return WEFT_OK;
    return RUN_FAILED(("a temporary file cannot be used: %s", strerror(s->error)),
                      ("set TMPDIR to a folder with room"));
}
