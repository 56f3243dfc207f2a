/*
 * Master and workers: the first process hands out pieces of work, one at a time, to whoever asks;
 * pieces differ in length, so nobody knows who will ask next.
 *
 *   arguments: PIECES per worker (8), BYTES of a piece (500), CYCLES of the longest piece (50000)
 */
#include "workload/programs/programs.h"

enum { TAG_ASK, TAG_WORK, TAG_STOP };

/* How long a piece takes: anything up to the longest. */
static double length_of(uint32_t piece, double longest)
{
    return longest * ((piece * 2654435761u >> 8) % 1000 + 1) / 1000;
}

static void lead(weft_task *t, uint32_t pieces, unsigned char *data, size_t bytes)
{
    uint32_t working = t->size - 1, result;
    for (uint32_t piece = 0; working; piece++) {
        weft_info asks = weft_receive(t, WEFT_ANY, &result, sizeof(result), TAG_ASK);
        if (piece >= pieces) {
            weft_send(t, asks.source, &piece, sizeof(piece), TAG_STOP);
            working--;
            continue;
        }
        program_fill(data, bytes, piece, asks.source, piece);
        weft_send(t, asks.source, &piece, sizeof(piece), TAG_WORK);
        weft_send(t, asks.source, data, bytes, TAG_WORK);
    }
}

static void work(weft_task *t, unsigned char *data, size_t bytes, double longest)
{
    for (uint32_t piece = 0;;) {
        weft_send(t, 0, &piece, sizeof(piece), TAG_ASK);
        weft_info comes = weft_probe(t, 0, WEFT_ANY);
        weft_receive(t, 0, &piece, sizeof(piece), comes.tag);
        if (comes.tag == TAG_STOP)
            return;
        weft_receive(t, 0, data, bytes, TAG_WORK);
        program_check(t, data, bytes, piece, t->rank, piece);
        weft_compute(t, length_of(piece, longest));
    }
}

void program_master(weft_task *t)
{
    uint32_t pieces = (uint32_t)program_number(t, 0, 8) * (t->size - 1);
    size_t bytes = program_number(t, 1, 500);
    unsigned char *data = weft_alloc(t, bytes);
    if (t->rank == 0)
        lead(t, pieces, data, bytes);
    else
        work(t, data, bytes, (double)program_number(t, 2, 50000));
    weft_release(t, data);
}
