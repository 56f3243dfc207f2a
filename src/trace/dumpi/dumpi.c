/*
 * DUMPI traces of SST (github.com/sstsimulator/sst-dumpi): a .meta file, and beside it a file of
 * each rank, as libdumpi has written it (lu-0003.bin, binary.c), or else as its dumpi2ascii has
 * made a text of that (lu-0003.txt, text.c). Of a rank that has both, the first is read: only
 * it has sizes of datatypes that no call makes.
 *
 *   hostname=...  numprocs=64  fileprefix=lu  ...
 *
 * What lies between two calls, by the wall clock, is computation. Communicators are known by what
 * their members say of them (comms.c). Calls of which neither messages nor time come are
 * skipped.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file/input.h"
#include "base/text/number.h"
#include "base/text/text.h"
#include "trace/dumpi/dumpi.h"
#include "trace/format.h"
#include "trace/line_reader.h"

enum { PATH = 4096 };

/* The first line of a .meta file is KEY=VALUE. */
static bool is_meta(const struct trace_file *file)
{
    struct line_reader w;
    bool is = false;
    if (line_reader_open(&w, file->path, "trace") != WEFT_OK)
        return false;
    if (line_reader_next(&w) == WEFT_OK && w.count) {
        size_t letters = strspn(w.field[0], "abcdefghijklmnopqrstuvwxyz");
        is = letters && w.field[0][letters] == '=';
    }
    line_reader_close(&w);
    return is;
}

static weft_status refuse_file(const struct trace_file *f)
{
    static const unsigned char magic[TRACE_FIRST_BYTES] = {0xff, 0xaa, 0xdd, 0x44,
                                                           'U',  'M',  'P',  'I'};
    bool begins = f->size == sizeof(magic) && memcmp(f->first, magic, sizeof(magic)) == 0;
    const char *what = begins || (f->binary && text_ends(f->path, ".bin"))
                           ? "it is a binary file, as DUMPI has one of each rank"
                       : !f->size && text_ends(f->path, ".meta") ? "it is empty"
                                                                 : NULL;
    return what ? BAD_PLACE(("%s", f->path), ("%s", what), ("give the .meta file of a DUMPI trace"))
                : WEFT_OK;
}

struct meta {
    uint32_t ranks;
    char prefix[PATH];
};

static weft_status read_meta(const char *path, struct meta *m)
{
    struct line_reader w;
    TRY(line_reader_open(&w, path, "trace"));
    weft_status status;
    *m = (struct meta){.ranks = 0};
    while ((status = line_reader_next(&w)) == WEFT_OK && w.count) {
        int64_t value;
        const char *ranks = text_behind(w.field[0], "numprocs=");
        const char *prefix = text_behind(w.field[0], "fileprefix=");
        if (ranks && number_integer(ranks, &value) && value > 0 && value <= RECORD_RANKS_MOST)
            m->ranks = (uint32_t)value;
        if (prefix)
            snprintf(m->prefix, PATH, "%s", prefix);
    }
    line_reader_close(&w);
    if (status == WEFT_OK && (!m->ranks || !m->prefix[0]))
        status = BAD_PLACE(("%s", path), ("it has no numprocs or no fileprefix"),
                           ("name the .meta file of a DUMPI trace"));
    return status;
}

/* What a rank did lies beside the .meta file: PREFIX-0003.bin, or else PREFIX-0003.txt. */
static weft_status find_rank(const char *meta, const struct meta *m, uint32_t rank, char path[PATH])
{
    const char *slash = strrchr(meta, '/'), *name = strrchr(m->prefix, '/');
    int stem = snprintf(path, PATH, "%.*s%s-%04u", slash ? (int)(slash - meta) + 1 : 0, meta,
                        name ? name + 1 : m->prefix, rank);
    if (stem < PATH - 4) {
        strcpy(path + stem, ".bin");
        if (access(path, R_OK) != 0)
            strcpy(path + stem, ".txt");
        if (access(path, R_OK) == 0)
            return WEFT_OK;
    }
    return BAD_PLACE(
        ("%s", meta),
        ("there is no file %.*s.bin or .txt of rank %u", stem < 300 ? stem : 300, path, rank),
        ("copy the files of all ranks to where it is"));
}

static weft_status read_trace(const char *path, struct recording *to)
{
    struct meta m;
    struct dumpi_records records;
    struct dumpi_reader *in;
    char file[PATH];
    weft_status status = WEFT_OK;
    TRY(read_meta(path, &m));
    /* One that is missing is told before others are read. */
    for (uint32_t i = 0; i < m.ranks; i++)
        TRY(find_rank(path, &m, i, file));
    to->ranks = m.ranks;
    dumpi_records_init(&records, to);
    for (uint32_t i = 0; i < m.ranks && status == WEFT_OK; i++) {
        status = find_rank(path, &m, i, file);
        if (status == WEFT_OK)
            status = (text_ends(file, ".bin") ? dumpi_binary_open : dumpi_text_open)(file, &in);
        if (status != WEFT_OK)
            break;
        status = dumpi_records_read(&records, i, in);
        in->close(in);
    }
    if (status == WEFT_OK)
        dumpi_comms_settle(&records.comms, to);
    dumpi_records_fini(&records);
    return status;
}

static uint64_t hash_files(const char *path)
{
    struct meta m;
    char file[PATH];
    uint64_t hash = input_hash(path);
    if (read_meta(path, &m) != WEFT_OK)
        return hash;
    for (uint32_t i = 0; i < m.ranks && find_rank(path, &m, i, file) == WEFT_OK; i++)
        hash = trace_hash_add(hash, file);
    return hash;
}

const struct trace_format dumpi_format = {.name = "DUMPI",
                                          .matches = is_meta,
                                          .refuse_file = refuse_file,
                                          .read = read_trace,
                                          .hash = hash_files};
