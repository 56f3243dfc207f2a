/* The files of an OTF2 trace: the anchor file, definitions (traces.def), and the events and
 * definitions of each location in a folder (traces/0.evt). */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file/input.h"
#include "base/text/text.h"
#include "trace/format.h"
#include "trace/otf2/otf2.h"

static bool is_anchor(const struct trace_file *f)
{
    return text_ends(f->path, ".otf2");
}

/* libotf2 finds the other files by the anchor's name. */
static weft_status refuse_part(const struct trace_file *f)
{
    /* a chunk of the sort and byte order that the first two bytes say */
    bool begins = f->size >= 6 && memcmp(f->first + 2, "OTF2", 4) == 0;
    if (f->binary && (text_ends(f->path, ".def") || text_ends(f->path, ".evt")))
        return BAD_PLACE(("%s", f->path), ("it is one of several files of an OTF2 trace"),
                         ("give the .otf2 file of an OTF2 trace"));
    if (begins && !is_anchor(f))
        return BAD_PLACE(("%s", f->path), ("it is an OTF2 trace under another name"),
                         ("give it a name that ends in .otf2, beside its other files"));
    return WEFT_OK;
}

static weft_status read_trace(const char *path, struct recording *to)
{
    if (access(path, R_OK) != 0)
        return BAD_PLACE(("%s", path), ("%s", strerror(errno)), ("name a trace"));
    return otf2_read(path, to);
}

static uint64_t hash_files(const char *path)
{
    char file[OTF2_PATH];
    struct dirent **entry;
    uint64_t hash = input_hash(path);
    int stem = otf2_stem(path);
    snprintf(file, OTF2_PATH, "%.*s.def", stem, path);
    hash = trace_hash_add(hash, file);
    snprintf(file, OTF2_PATH, "%.*s", stem, path);
    int entries = scandir(file, &entry, NULL, alphasort);
    for (int i = 0; i < entries; i++) {
        if (entry[i]->d_name[0] != '.' &&
            snprintf(file, OTF2_PATH, "%.*s/%s", stem, path, entry[i]->d_name) < OTF2_PATH)
            hash = trace_hash_add(hash, file);
        free(entry[i]);
    }
    if (entries >= 0)
        free(entry);
    return hash;
}

const struct trace_format otf2_format = {.name = "OTF2",
                                         .matches = is_anchor,
                                         .refuse_part = refuse_part,
                                         .read = read_trace,
                                         .hash = hash_files,
                                         .library = otf2_library};
