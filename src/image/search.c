/* Looking for libraries, in the order of the system's loader; its cache is not read: the folders
 * that it comes from are looked through instead. */
#include "image/elf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if defined(__x86_64__)
#define TRIPLE "x86_64-linux-gnu"
#else
#define TRIPLE "aarch64-linux-gnu"
#endif

/* Libraries whose functions either keep no state, or are replaced for ranks where they do. */
static const char *const shared[] = {"libc.so",  "libm.so",    "libpthread.so", "libdl.so",
                                     "librt.so", "libmvec.so", "libresolv.so",  "libquadmath.so",
                                     "ld-linux", NULL};
static const char *const compilers[] = {"libgfortran.so", "libstdc++.so", "libgcc_s.so", NULL};
static const char *const ours[] = {"libmpi_abi.so", "libmpi_weft.so", NULL};
static const char *const others[] = {"libmpi.so", "libmpich.so", "libmpi_mt.so", NULL};
static const char *const watchers[] = {"libasan.so", "libtsan.so", "liblsan.so", "libhwasan.so",
                                       NULL};

static bool begins_with_one(const char *name, const char *const *list)
{
    for (; *list; list++)
        if (strncmp(name, *list, strlen(*list)) == 0)
            return true;
    return false;
}

bool search_is_shared(const char *name)
{
    return begins_with_one(name, shared);
}

bool search_is_compilers(const char *path)
{
    const char *slash = strrchr(path, '/');
    return begins_with_one(slash ? slash + 1 : path, compilers);
}

bool search_is_ours(const char *name)
{
    return begins_with_one(name, ours);
}

const char *search_refuses(const char *name)
{
    if (!*name)
        return "has no name";
    if (begins_with_one(name, others))
        return "is another MPI library";
    return begins_with_one(name, watchers) ? "watches the whole process" : NULL;
}

/* Writes a folder's name, with $ORIGIN as the folder of the file that names it. */
static void expand(const struct elf *by, const char *folder, size_t length, char *to, size_t size)
{
    static const char *const origins[] = {"$ORIGIN", "${ORIGIN}"};
    const char *slash = strrchr(by->path, '/');
    int own = slash ? (int)(slash - by->path) : 1;
    for (unsigned i = 0; i < 2; i++) {
        size_t word = strlen(origins[i]);
        if (length >= word && strncmp(folder, origins[i], word) == 0) {
            snprintf(to, size, "%.*s%.*s", own, slash ? by->path : ".", (int)(length - word),
                     folder + word);
            return;
        }
    }
    snprintf(to, size, "%.*s", (int)length, folder);
}

/* Looks through folders that are separated by colons. */
static bool look_in(const struct elf *by, const char *folders, const char *name, char *path)
{
    while (folders && *folders) {
        size_t length = strcspn(folders, ":");
        char folder[SEARCH_PATH_MOST / 2];
        expand(by, folders, length, folder, sizeof(folder));
        if (length && snprintf(path, SEARCH_PATH_MOST, "%s/%s", folder, name) < SEARCH_PATH_MOST &&
            access(path, R_OK) == 0)
            return true;
        folders += length + (folders[length] == ':');
    }
    return false;
}

weft_status search_library(const struct elf *by, const char *name, char path[SEARCH_PATH_MOST])
{
    static const char system[] = "/lib/" TRIPLE ":/usr/lib/" TRIPLE ":/usr/local/lib/" TRIPLE
                                 ":/usr/local/lib:/lib64:/usr/lib64:/lib:"
                                 "/usr/lib";
    if (strchr(name, '/')) {
        snprintf(path, SEARCH_PATH_MOST, "%s", name);
        return WEFT_OK;
    }
    if (look_in(by, elf_search_path(by), name, path) ||
        look_in(by, getenv("LD_LIBRARY_PATH"), name, path) || look_in(by, system, name, path))
        return WEFT_OK;
    return BAD_PLACE(("%s", by->path), ("needs %s, which is not to be found", name),
                     ("name its folder in LD_LIBRARY_PATH"));
}
