/* Segments that never move; free attachments go back to the partition that made them. */
#include "node/attachments.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/status.h"

enum { SEGMENT_ATTACHMENTS = 1024, SEGMENTS_MOST = 1 << 18 };
enum { KEPT_BYTES = 64 };

struct attachments_part {
    uint32_t free;              /* its own */
    _Atomic(uint32_t) returned; /* by others */
} __attribute__((aligned(64)));

struct attachments {
    _Atomic(struct attachment *) segment[SEGMENTS_MOST];
    uint32_t segments;
    pthread_mutex_t growing;
    struct attachments_part *part;
};

struct attachment *attachment_at(const struct attachments *l, uint32_t number)
{
    struct attachment *segment =
        atomic_load_explicit(&l->segment[number / SEGMENT_ATTACHMENTS], memory_order_acquire);
    return &segment[number % SEGMENT_ATTACHMENTS];
}

bool attachment_is(const struct attachments *l, uint32_t number)
{
    return number / SEGMENT_ATTACHMENTS < SEGMENTS_MOST &&
           atomic_load_explicit(&l->segment[number / SEGMENT_ATTACHMENTS], memory_order_acquire);
}

/* Makes a segment, whose attachments are free and a partition's. */
static uint32_t grow(struct attachments *l, uint32_t partition)
{
    struct attachment *segment = memory_alloc(SEGMENT_ATTACHMENTS, sizeof(*segment));
    pthread_mutex_lock(&l->growing);
    uint32_t index = l->segments++;
    pthread_mutex_unlock(&l->growing);
    WEFT_CHECK(index < SEGMENTS_MOST, "more than %d messages are under way",
               SEGMENTS_MOST * SEGMENT_ATTACHMENTS);
    uint32_t first = index * SEGMENT_ATTACHMENTS;
    for (uint32_t i = 0; i < SEGMENT_ATTACHMENTS; i++)
        segment[i] = (struct attachment){.owner = partition,
                                         .next = i + 1 < SEGMENT_ATTACHMENTS ? first + i + 1
                                                                             : ATTACHMENT_NONE};
    atomic_store_explicit(&l->segment[index], segment, memory_order_release);
    return first;
}

uint32_t attachment_new(struct attachments *l, uint32_t partition, uint64_t bytes)
{
    struct attachments_part *p = &l->part[partition];
    if (p->free == ATTACHMENT_NONE)
        p->free = atomic_exchange_explicit(&p->returned, ATTACHMENT_NONE, memory_order_acquire);
    if (p->free == ATTACHMENT_NONE)
        p->free = grow(l, partition);
    uint32_t number = p->free;
    struct attachment *attachment = attachment_at(l, number);
    p->free = attachment->next;
    attachment->bytes = bytes;
    attachment->remote = REMOTE_NONE;
    /* Short data, those of most messages, take memory that the attachment has had before. */
    bool is_short = bytes && bytes <= KEPT_BYTES;
    if (is_short && !attachment->kept)
        attachment->kept = memory_alloc(KEPT_BYTES, 1);
    attachment->data = is_short ? attachment->kept : bytes ? memory_alloc(bytes, 1) : NULL;
    attachment_share(l, number, 1);
    return number;
}

void attachment_share(struct attachments *l, uint32_t number, uint32_t holders)
{
    atomic_store_explicit(&attachment_at(l, number)->holders, holders, memory_order_relaxed);
}

void attachment_free(struct attachments *l, uint32_t number)
{
    struct attachment *attachment = attachment_at(l, number);
    struct attachments_part *p = &l->part[attachment->owner];
    if (atomic_fetch_sub_explicit(&attachment->holders, 1, memory_order_acq_rel) > 1)
        return;
    if (attachment->data != attachment->kept)
        free(attachment->data);
    attachment->data = NULL;
    attachment->next = atomic_load_explicit(&p->returned, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(&p->returned, &attachment->next, number,
                                                  memory_order_release, memory_order_relaxed))
        continue;
}

struct attachments *attachments_create(uint32_t partitions)
{
    struct attachments *l = memory_alloc(1, sizeof(*l));
    pthread_mutex_init(&l->growing, NULL);
    l->part = memory_alloc_lines(partitions, sizeof(*l->part));
    for (uint32_t i = 0; i < partitions; i++) {
        l->part[i].free = ATTACHMENT_NONE;
        atomic_init(&l->part[i].returned, ATTACHMENT_NONE);
    }
    return l;
}

void attachments_destroy(struct attachments *l)
{
    if (!l)
        return;
    for (uint32_t i = 0; i < l->segments; i++) {
        struct attachment *segment = atomic_load(&l->segment[i]);
        for (uint32_t k = 0; k < SEGMENT_ATTACHMENTS; k++) {
            if (segment[k].data != segment[k].kept)
                free(segment[k].data);
            free(segment[k].kept);
        }
        free(segment);
    }
    pthread_mutex_destroy(&l->growing);
    free(l->part);
    free(l);
}
