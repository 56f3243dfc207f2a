/* Segments that never move; free letters go back to the partition that made them. */
#include "node/letters.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/status.h"

enum { SEGMENT_LETTERS = 1024, SEGMENTS_MOST = 1 << 18 };
enum { KEPT_BYTES = 64 };

struct letters_part {
    uint32_t free;              /* its own */
    _Atomic(uint32_t) returned; /* by others */
} __attribute__((aligned(64)));

struct letters {
    _Atomic(struct letter *) segment[SEGMENTS_MOST];
    uint32_t segments;
    pthread_mutex_t growing;
    struct letters_part *part;
};

struct letter *letter_at(const struct letters *l, uint32_t number)
{
    struct letter *segment =
        atomic_load_explicit(&l->segment[number / SEGMENT_LETTERS], memory_order_acquire);
    return &segment[number % SEGMENT_LETTERS];
}

bool letter_is(const struct letters *l, uint32_t number)
{
    return number / SEGMENT_LETTERS < SEGMENTS_MOST &&
           atomic_load_explicit(&l->segment[number / SEGMENT_LETTERS], memory_order_acquire);
}

/* Makes a segment, whose letters are free and a partition's. */
static uint32_t grow(struct letters *l, uint32_t partition)
{
    struct letter *segment = memory_alloc(SEGMENT_LETTERS, sizeof(*segment));
    pthread_mutex_lock(&l->growing);
    uint32_t index = l->segments++;
    pthread_mutex_unlock(&l->growing);
    WEFT_CHECK(index < SEGMENTS_MOST, "more than %d messages are under way",
               SEGMENTS_MOST * SEGMENT_LETTERS);
    uint32_t first = index * SEGMENT_LETTERS;
    for (uint32_t i = 0; i < SEGMENT_LETTERS; i++)
        segment[i] = (struct letter){.owner = partition,
                                     .next = i + 1 < SEGMENT_LETTERS ? first + i + 1 : LETTER_NONE};
    atomic_store_explicit(&l->segment[index], segment, memory_order_release);
    return first;
}

/* Short data, those of most messages, take memory that the letter has had before. */
static unsigned char *room_for(struct letter *letter, uint64_t bytes)
{
    if (bytes > KEPT_BYTES)
        return memory_alloc(bytes, 1);
    if (!letter->kept)
        letter->kept = memory_alloc(KEPT_BYTES, 1);
    return letter->kept;
}

uint32_t letter_new(struct letters *l, uint32_t partition, uint64_t bytes)
{
    struct letters_part *p = &l->part[partition];
    if (p->free == LETTER_NONE)
        p->free = atomic_exchange_explicit(&p->returned, LETTER_NONE, memory_order_acquire);
    if (p->free == LETTER_NONE)
        p->free = grow(l, partition);
    uint32_t number = p->free;
    struct letter *letter = letter_at(l, number);
    p->free = letter->next;
    letter->bytes = bytes;
    letter->data = bytes ? room_for(letter, bytes) : NULL;
    letter_share(l, number, 1);
    return number;
}

void letter_share(struct letters *l, uint32_t number, uint32_t holders)
{
    atomic_store_explicit(&letter_at(l, number)->holders, holders, memory_order_relaxed);
}

void letter_free(struct letters *l, uint32_t number)
{
    struct letter *letter = letter_at(l, number);
    struct letters_part *p = &l->part[letter->owner];
    if (atomic_fetch_sub_explicit(&letter->holders, 1, memory_order_acq_rel) > 1)
        return;
    if (letter->data != letter->kept)
        free(letter->data);
    letter->data = NULL;
    letter->next = atomic_load_explicit(&p->returned, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(&p->returned, &letter->next, number,
                                                  memory_order_release, memory_order_relaxed))
        continue;
}

struct letters *letters_create(uint32_t partitions)
{
    struct letters *l = memory_alloc(1, sizeof(*l));
    pthread_mutex_init(&l->growing, NULL);
    l->part = memory_alloc_lines(partitions, sizeof(*l->part));
    for (uint32_t i = 0; i < partitions; i++) {
        l->part[i].free = LETTER_NONE;
        atomic_init(&l->part[i].returned, LETTER_NONE);
    }
    return l;
}

void letters_destroy(struct letters *l)
{
    if (!l)
        return;
    for (uint32_t i = 0; i < l->segments; i++) {
        struct letter *segment = atomic_load(&l->segment[i]);
        for (uint32_t k = 0; k < SEGMENT_LETTERS; k++) {
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
