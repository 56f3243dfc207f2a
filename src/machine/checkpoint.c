/* Writing and reading checkpoints. */
#define _GNU_SOURCE
#include "machine/checkpoint.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "config/data.h"
#include "machine/machine.h"

/* Incremented with every change to what is saved. */
enum { CHECKPOINT_VERSION = 14 };

static const char magic[8] = {'W', 'E', 'F', 'T', 'S', 'A', 'V', 'E'};

static void archive_head(struct archive *a, struct checkpoint_head *head)
{
    char mark[8];
    uint32_t version = CHECKPOINT_VERSION;
    uint64_t ours = data_program();
    memcpy(mark, magic, sizeof(mark));
    archive_bytes(a, mark, sizeof(mark));
    archive_bytes(a, &version, sizeof(version));
    archive_bytes(a, &ours, sizeof(ours));
    archive_bytes(a, head, sizeof(*head));
}

weft_status checkpoint_save(const char *path, const struct checkpoint_head *head,
                            const struct config *c, void (*state)(void *, struct archive *),
                            void *arg)
{
    struct output_file file;
    struct checkpoint_head copy = *head;
    size_t size;
    TRY(output_open_again(&file, path));
    struct archive *a = memory_alloc(1, sizeof(*a));
    archive_to(a, &file);
    archive_head(a, &copy);
    char *packed = config_pack(c, &size);
    archive_count(a, size, UINT64_MAX);
    archive_bytes(a, packed, size);
    free(packed);
    state(arg, a);
    archive_end(a);
    free(a);
    return output_commit(&file);
}

/* ---- reading ---- */

static weft_status read_config(struct archive *a, struct config *c)
{
    size_t size = (size_t)archive_count(a, 0, archive_room(a, 1));
    char *packed = memory_alloc(size + 1, 1);
    archive_bytes(a, packed, size);
    archive_sound(a, size && packed[size - 1] ? "a configuration that does not end" : NULL);
    weft_status status = size && !a->broken ? config_unpack(c, packed, size) : WEFT_OK;
    a->broken |= !size;
    free(packed);
    return status;
}

/* The first bytes of a file tell what it is, even if the rest is damaged. */
static weft_status read_identity(const char *path, const unsigned char *bytes, size_t size)
{
    uint32_t version = 0;
    uint64_t theirs = 0;
    if (size < sizeof(magic) + sizeof(version) + sizeof(theirs) ||
        memcmp(bytes, magic, sizeof(magic)) != 0)
        return BAD_PLACE(("%s", path), ("is not a checkpoint"),
                         ("name a file that `weft run --checkpoint` wrote"));
    memcpy(&version, bytes + sizeof(magic), sizeof(version));
    memcpy(&theirs, bytes + sizeof(magic) + sizeof(version), sizeof(theirs));
    if (version != CHECKPOINT_VERSION)
        return BAD_PLACE(
            ("%s", path),
            ("is a checkpoint of version %u, this Weft reads %d", version, CHECKPOINT_VERSION),
            ("use %s Weft", version > CHECKPOINT_VERSION ? "a newer" : "an older"));
    if (theirs != data_program())
        return BAD_PLACE(("%s", path), ("was written by another build of Weft"),
                         ("resume it with that build"));
    return WEFT_OK;
}

static bool sensible(struct checkpoint_head *h)
{
    h->output[sizeof(h->output) - 1] = '\0';
    for (unsigned d = 0; d < CHECKPOINT_CUTS; d++)
        if (h->cuts[d] == 0 || h->cuts[d] > 65536)
            return false;
    return isfinite(h->every) && h->every >= 0 && isfinite(h->cpu_seconds) &&
           isfinite(h->wall_seconds);
}

weft_status checkpoint_parse(const char *path, void *bytes, size_t size, struct checkpoint **out)
{
    TRY(read_identity(path, bytes, size));
    if (!archive_whole(bytes, size))
        return BAD_PLACE(("%s", path), ("is damaged or cut short"),
                         ("use an earlier copy or start over"));
    struct checkpoint *c = memory_alloc(1, sizeof(*c));
    c->path = path;
    archive_from(&c->state, bytes, size);
    machine_init(&c->config);
    archive_head(&c->state, &c->head);
    weft_status status = read_config(&c->state, &c->config);
    if (status == WEFT_OK && (c->state.broken || !sensible(&c->head)))
        status = BAD_PLACE(("%s", path), ("does not hold what a checkpoint holds"), ("start over"));
    if (status != WEFT_OK) {
        checkpoint_free(c);
        return status;
    }
    *out = c;
    return WEFT_OK;
}

weft_status checkpoint_load(const char *path, struct checkpoint **checkpoint)
{
    struct stat there;
    if (stat(path, &there) == 0 && !S_ISREG(there.st_mode)) /* opening a pipe would block */
        return BAD_PLACE(("%s", path), ("is not a plain file"), ("name a checkpoint"));
    FILE *f = fopen(path, "rb");
    if (!f || fstat(fileno(f), &there) != 0) { /* of the open file: its name may be another's */
        weft_status status =
            BAD_PLACE(("%s", path), ("%s", strerror(errno)), ("name a checkpoint"));
        if (f)
            fclose(f);
        return status;
    }
    long size = (long)there.st_size;
    void *bytes = memory_alloc((size_t)size + 1, 1);
    bool whole = fread(bytes, 1, (size_t)size, f) == (size_t)size;
    fclose(f);
    weft_status status = whole ? checkpoint_parse(path, bytes, (size_t)size, checkpoint)
                               : BAD_PLACE(("%s", path), ("cannot be read"), ("name a file"));
    if (status == WEFT_OK)
        (*checkpoint)->bytes = bytes;
    else
        free(bytes);
    return status;
}

void checkpoint_free(struct checkpoint *c)
{
    if (!c)
        return;
    config_fini(&c->config);
    free(c->bytes);
    free(c);
}
