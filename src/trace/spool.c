/* Blocks of streams, chained through the file. */
#define _GNU_SOURCE
#include "trace/spool.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file/output.h"
#include "base/list.h"
#include "base/memory.h"

/* Small, as there is one for each of perhaps 32,768 streams; large enough for a hundred calls. */
enum { BLOCK = 1024, HEAD = sizeof(uint64_t), ROOM = BLOCK - HEAD };

struct stream {
    unsigned char *block;  /* that is being filled; NULL: none yet */
    uint64_t first, place; /* numbers of the first block, and of this one */
    uint64_t bytes;
};

struct spool {
    int file;
    struct stream *stream;
    uint32_t streams, room;
    uint64_t blocks;
    int error; /* errno of a block that could not be written; 0: none */
};

/* ---- the file ---- */

weft_status spool_create(struct spool **spool)
{
    int file;
    TRY(temporary_open(&file));
    *spool = memory_alloc(1, sizeof(**spool));
    (*spool)->file = file;
    return WEFT_OK;
}

void spool_destroy(struct spool *s)
{
    if (!s)
        return;
    close(s->file);
    for (uint32_t i = 0; i < s->streams; i++)
        free(s->stream[i].block);
    free(s->stream);
    free(s);
}

static void write_block(struct spool *s, const struct stream *to, uint64_t next)
{
    memcpy(to->block, &next, HEAD);
    ssize_t done = pwrite(s->file, to->block, BLOCK, (off_t)(to->place * BLOCK));
    if (done != BLOCK && !s->error)
        s->error = done < 0 ? errno : ENOSPC;
}

/* ---- writing ---- */

static struct stream *stream_at(struct spool *s, uint32_t index)
{
    LIST_ZERO(s->stream, index + 1, s->room);
    if (index >= s->streams)
        s->streams = index + 1;
    return &s->stream[index];
}

void spool_put(struct spool *s, uint32_t index, const void *bytes, size_t size)
{
    struct stream *to = stream_at(s, index);
    const unsigned char *from = bytes;
    if (!to->block) {
        to->block = memory_alloc(1, BLOCK);
        to->first = to->place = s->blocks++;
    }
    while (size) {
        size_t used = to->bytes % ROOM, piece = ROOM - used;
        if (to->bytes && !used) { /* it is full, and there is more */
            write_block(s, to, s->blocks);
            to->place = s->blocks++;
        }
        piece = piece < size ? piece : size;
        memcpy(to->block + HEAD + used, from, piece);
        to->bytes += piece;
        from += piece;
        size -= piece;
    }
}

weft_status spool_seal(struct spool *s)
{
    for (uint32_t i = 0; i < s->streams; i++) {
        struct stream *t = &s->stream[i];
        if (t->block)
            write_block(s, t, 0);
        free(t->block);
        t->block = NULL;
    }
    if (!s->error)
        return WEFT_OK;
    return RUN_FAILED(
        ("the temporary file for the trace cannot be written: %s", strerror(s->error)),
        ("set TMPDIR to a folder with room"));
}

/* ---- reading ---- */

static void load(struct spool_reader *r, uint64_t place)
{
    ssize_t done = pread(r->spool->file, r->block, BLOCK, (off_t)(place * BLOCK));
    WEFT_CHECK(done == BLOCK, "the temporary file of a trace cannot be read: %s",
               done < 0 ? strerror(errno) : "it is shorter than it was");
    r->at = HEAD;
    r->end = HEAD + (uint32_t)(r->left < ROOM ? r->left : ROOM);
    r->left -= r->end - HEAD;
}

void spool_open(struct spool_reader *r, const struct spool *s, uint32_t stream)
{
    *r = (struct spool_reader){.spool = s, .stream = stream};
    if (stream >= s->streams || !s->stream[stream].bytes)
        return;
    r->left = s->stream[stream].bytes;
    r->block = memory_alloc(1, BLOCK);
    load(r, s->stream[stream].first);
}

void spool_close(struct spool_reader *r)
{
    free(r->block);
    *r = (struct spool_reader){.block = NULL};
}

int spool_next_block(struct spool_reader *r)
{
    uint64_t next;
    if (!r->left)
        return -1;
    memcpy(&next, r->block, HEAD);
    load(r, next);
    return r->block[r->at++];
}
