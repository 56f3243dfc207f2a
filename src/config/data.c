/* Looking for the data. */
#define _GNU_SOURCE
#include "config/data.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef WEFT_DATADIR
#define WEFT_DATADIR "/usr/local/share/weft"
#endif

static char chosen[4096];

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

/* The file that holds this code; "" if nobody knows. */
static void own_file(char path[4096])
{
    Dl_info info;
    path[0] = '\0';
    if (dladdr((void *)(uintptr_t)data_folder, &info) && info.dli_fname)
        snprintf(path, 4096, "%s", info.dli_fname);
}

/* PREFIX/lib/libweft.so, or PREFIX/lib/TRIPLET/libweft.so, has PREFIX/share/weft. */
static bool find_beside_library(char folder[4096])
{
    static const char *const ways[] = {"/../share/weft", "/../../share/weft"};
    own_file(folder);
    char *slash = strrchr(folder, '/');
    if (!slash || !strstr(slash, "libweft"))
        return false;
    for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
        snprintf(slash, 4096 - (size_t)(slash - folder), "%s", ways[i]);
        if (has_machines(folder))
            return true;
    }
    return false;
}

const char *data_folder(void)
{
    static char found[4096];
    const char *given = getenv("WEFT_DATA");
    if (chosen[0])
        return chosen;
    if (given && given[0])
        return given;
    if (!found[0] && !find_beside_library(found))
        snprintf(found, sizeof(found), "%s", WEFT_DATADIR);
    return found;
}

void data_find(const char *folder, const char *name, char *path, size_t size)
{
    size_t length = strlen(name);
    bool is_path = strchr(name, '/') || (length > 5 && strcmp(name + length - 5, ".yaml") == 0);
    if (is_path)
        snprintf(path, size, "%s", name);
    else
        snprintf(path, size, "%s/%s/%s.yaml", data_folder(), folder, name);
}

uint64_t data_program(void)
{
    static uint64_t hash; /* made once */
    unsigned char bytes[4096];
    char path[4096];
    if (hash)
        return hash;
    own_file(path);
    FILE *f = fopen(path, "rb");
    if (!f) /* a program names itself as it was called */
        f = fopen("/proc/self/exe", "rb");
    hash = 0xcbf29ce484222325u;
    for (size_t got; f && (got = fread(bytes, 1, sizeof(bytes), f)) > 0;)
        for (size_t i = 0; i < got; i++)
            hash = (hash ^ bytes[i]) * 0x100000001b3u;
    if (f)
        fclose(f);
    return hash;
}
