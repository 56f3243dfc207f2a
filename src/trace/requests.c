/* Requests in the order in which they were started. */
#include "trace/requests.h"

#include <stdlib.h>
#include <string.h>

#include "base/list.h"

/* Requests that were tested may never be waited for: more of them than this are forgotten. */
enum { MANY = 1 << 16 };

void requests_drop(struct trace_requests *r)
{
    free(r->open);
    free(r->spare);
    *r = (struct trace_requests){.open = NULL};
}

static void give_back(struct trace_requests *r, uint32_t slot)
{
    *LIST_ADD(r->spare, r->spares, r->spare_room) = slot;
}

static void forget_tested(struct trace_requests *r)
{
    size_t kept = r->first;
    for (size_t i = r->first; i < r->end; i++) {
        if (r->open[i].tested)
            give_back(r, r->open[i].slot);
        else
            r->open[kept++] = r->open[i];
    }
    r->end = kept;
}

/* Room for one more: at the front, if half of it is free there. */
static void make_room(struct trace_requests *r)
{
    if (r->end < r->room)
        return;
    if (requests_open(r) >= MANY)
        forget_tested(r);
    size_t open = requests_open(r);
    LIST_RESERVE(r->open, open * 2 + 1, r->room);
    memmove(r->open, r->open + r->first, open * sizeof(*r->open));
    r->first = 0;
    r->end = open;
}

uint32_t requests_add(struct trace_requests *r, uint64_t key, uint64_t tag)
{
    uint32_t slot = r->spares ? r->spare[--r->spares] : r->slots++;
    make_room(r);
    r->open[r->end++] = (struct trace_request){.key = key, .tag = tag, .slot = slot};
    return slot;
}

struct trace_request *requests_find(struct trace_requests *r, uint64_t key, uint64_t or_key,
                                    uint64_t tag)
{
    for (size_t i = r->first; i < r->end; i++)
        if ((r->open[i].key == key || r->open[i].key == or_key) && r->open[i].tag == tag)
            return &r->open[i];
    return NULL;
}

void requests_end(struct trace_requests *r, struct trace_request *which)
{
    size_t at = (size_t)(which - r->open);
    give_back(r, which->slot);
    if (at == r->first) {
        r->first++;
        return;
    }
    memmove(which, which + 1, (r->end - at - 1) * sizeof(*which));
    r->end--;
}
