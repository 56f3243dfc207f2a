/* Rows of the communication matrix. */
#define _GNU_SOURCE
#include "mpi/observe/peers.h"

#include <stdlib.h>

#include "base/list.h"
#include "base/memory.h"
#include "base/file/output.h"

/* ---- one rank ---- */

static uint32_t place_of(struct peers *p, uint32_t process)
{
    uint32_t place = *map_add(&p->place, process, p->count);
    if (place < p->count)
        return place;
    *LIST_ADD(p->peer, p->count, p->room) = (struct peer_row){.process = process};
    return place;
}

static bool is_at(const struct peers *p, uint32_t place, uint32_t process)
{
    return place < p->count && p->peer[place].process == process;
}

/* Programs send to the same processes in the same order, or to one many times. */
void peers_add(struct peers *p, uint32_t process, enum peer_use use, uint64_t bytes)
{
    uint32_t next = p->last + 1 < p->count ? p->last + 1 : 0;
    if (is_at(p, next, process))
        p->last = next;
    else if (!is_at(p, p->last, process))
        p->last = place_of(p, process);
    p->peer[p->last].messages[use]++;
    p->peer[p->last].bytes[use] += bytes;
}

void peers_drop(struct peers *p)
{
    map_fini(&p->place);
    free(p->peer);
    *p = (struct peers){.peer = NULL};
}

/* ---- the file ---- */

static int by_process(const void *a, const void *b)
{
    const struct peer_row *x = a, *y = b;
    return (x->process > y->process) - (x->process < y->process);
}

static void put_rank(struct writer *w, uint32_t rank, const struct peers *p)
{
    struct peer_row *sorted = memory_alloc(p->count ? p->count : 1, sizeof(*sorted));
    for (uint32_t i = 0; i < p->count; i++)
        sorted[i] = p->peer[i];
    qsort(sorted, p->count, sizeof(*sorted), by_process);
    for (uint32_t i = 0; i < p->count; i++) {
        const struct peer_row *to = &sorted[i];
        writer_put(w, "%u,%u,%llu,%llu,%llu,%llu\n", rank, to->process,
                   (unsigned long long)to->messages[USE_MESSAGES],
                   (unsigned long long)to->bytes[USE_MESSAGES],
                   (unsigned long long)to->messages[USE_COLLECTIVE],
                   (unsigned long long)to->bytes[USE_COLLECTIVE]);
    }
    free(sorted);
}

weft_status matrix_write(const char *path, uint32_t ranks,
                         const struct peers *(*of)(const void *arg, uint32_t rank), const void *arg)
{
    struct writer *w;
    TRY(writer_open(&w, path));
    writer_put(w, "from,to,messages,bytes,collective_messages,collective_bytes\n");
    for (uint32_t rank = 0; rank < ranks; rank++)
        put_rank(w, rank, of(arg, rank));
    return writer_close(w);
}
