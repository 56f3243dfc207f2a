/* Looking for the data. */
#define _GNU_SOURCE
#include "config/data.h"

#include <dirent.h>
#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/text/suggest.h"
#include "base/text/text.h"

#ifndef WEFT_LIBDIR
#define WEFT_LIBDIR "lib"
#endif
#ifndef WEFT_DATADIR /* Meson's prefix; others compile this file too */
#define WEFT_DATADIR "/usr/local/share/weft"
#endif

static char chosen[4096];
static char found[PATH_MAX + 32]; /* where the installation has them */

void data_set(const char *folder)
{
    snprintf(chosen, sizeof(chosen), "%s", folder ? folder : "");
}

static bool has_machines(const char *folder)
{
    char path[4200];
    snprintf(path, sizeof(path), "%s/machines", folder);
    return access(path, F_OK) == 0;
}

/* The file that holds this code, with links resolved; false: unknown. */
static bool own_file(char path[PATH_MAX])
{
    Dl_info info;
    /* A program's own name is as it was called: without a slash it was found in the PATH. */
    return dladdr((void *)(uintptr_t)data_folder, &info) && info.dli_fname &&
           strchr(info.dli_fname, '/') && realpath(info.dli_fname, path);
}

/* PREFIX/lib/libweft.so, or PREFIX/lib/TRIPLET/libweft.so, has PREFIX/share/weft; otherwise it is
 * the folder that Weft was built for. */
static void find_installed(void)
{
    static const char *const ways[] = {"share/weft", "../share/weft"};
    char path[PATH_MAX], *slash = own_file(path) ? strrchr(path, '/') : NULL;
    bool library = slash && strncmp(slash, "/libweft.", 9) == 0;
    size_t count = library ? sizeof(ways) / sizeof(ways[0]) : 0;
    for (size_t i = 0; i < count; i++) {
        *slash = '\0'; /* lib, or lib/TRIPLET */
        snprintf(found, sizeof(found), "%s/../%s", path, ways[i]);
        if (has_machines(found))
            return;
    }
    snprintf(found, sizeof(found), "%s", WEFT_DATADIR);
}

const char *data_folder(void)
{
    static pthread_once_t looked = PTHREAD_ONCE_INIT;
    const char *given = getenv("WEFT_DATA");
    if (chosen[0])
        return chosen;
    if (given && given[0])
        return given;
    pthread_once(&looked, find_installed);
    return found;
}

weft_status data_check(void)
{
    if (has_machines(data_folder()))
        return WEFT_OK;
    return BAD_PLACE(("%.900s/machines", data_folder()), ("no such folder"),
                     ("set WEFT_DATA, or call weft_use_data(), to where Weft's machines/ and "
                      "studies/ are"));
}

static int is_yaml(const struct dirent *entry)
{
    return text_ends(entry->d_name, ".yaml");
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

size_t data_list(const char *folder, char ***names)
{
    char path[4200];
    struct dirent **entry = NULL;
    snprintf(path, sizeof(path), "%s/%s", data_folder(), folder);
    int found_files = scandir(path, &entry, is_yaml, NULL);
    size_t count = found_files > 0 ? (size_t)found_files : 0;
    *names = memory_alloc(count + 1, sizeof(**names));
    for (size_t i = 0; i < count; i++) {
        entry[i]->d_name[strlen(entry[i]->d_name) - 5] = '\0';
        (*names)[i] = memory_copy(entry[i]->d_name);
        free(entry[i]);
    }
    free(entry);
    qsort(*names, count, sizeof(**names), compare_names);
    return count;
}

weft_status data_unknown(const char *folder, const char *kind, const char *name,
                         const char *command)
{
    weft_status status = data_check();
    struct suggestion suggestion = suggestion_for(name);
    char **names, file[4200];
    snprintf(file, sizeof(file), "%s.yaml", name);
    if (status != WEFT_OK)
        return status;
    if (access(file, F_OK) == 0)
        return BAD_INPUT(NULL, ("%s '%.200s' is not known", kind, name),
                         ("for the file here, write %.200s", file));
    size_t count = data_list(folder, &names);
    for (size_t i = 0; i < count; i++) {
        suggestion_offer(&suggestion, names[i]);
        free(names[i]);
    }
    free(names);
    return suggestion_remedy(&suggestion, BAD_INPUT(NULL, ("%s '%.200s' is not known", kind, name),
                                                    ("`%s` lists those available", command)));
}

void data_find(const char *folder, const char *name, char *path, size_t size)
{
    if (strchr(name, '/') || text_ends(name, ".yaml"))
        snprintf(path, size, "%s", name);
    else
        snprintf(path, size, "%s/%s/%s.yaml", data_folder(), folder, name);
}

bool data_mpi(char folder[DATA_PATH])
{
    _Static_assert(DATA_PATH >= PATH_MAX, "room for realpath()");
    static const char *const ways[] = {"/mpi", "/weft/mpi", "/../" WEFT_LIBDIR "/weft/mpi"};
    char way[DATA_PATH], file[DATA_PATH + 32], own[PATH_MAX];
    if (!own_file(own) && !realpath("/proc/self/exe", own))
        return false;
    char *slash = strrchr(own, '/');
    for (size_t i = 0; slash && i < sizeof(ways) / sizeof(ways[0]); i++) {
        snprintf(way, sizeof(way), "%.*s%s", (int)(slash - own), own, ways[i]);
        snprintf(file, sizeof(file), "%s/include/mpi.h", way);
        if (access(file, F_OK) == 0)
            return realpath(way, folder); /* programs keep it */
    }
    return false;
}

static uint64_t program; /* a hash */

static void hash_program(void)
{
    unsigned char bytes[4096];
    char path[PATH_MAX];
    FILE *f = own_file(path) ? fopen(path, "rb") : NULL;
    if (!f)
        f = fopen("/proc/self/exe", "rb");
    program = TEXT_HASH;
    for (size_t got; f && (got = fread(bytes, 1, sizeof(bytes), f)) > 0;)
        program = text_hash(program, bytes, got);
    if (f)
        fclose(f);
}

uint64_t data_program(void)
{
    static pthread_once_t made = PTHREAD_ONCE_INIT;
    pthread_once(&made, hash_program);
    return program;
}
