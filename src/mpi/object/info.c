/* Hints. */
#include "mpi/object/comm.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

struct info *info_new(void)
{
    return memory_alloc(1, sizeof(struct info));
}

void info_drop(struct info *info)
{
    for (size_t i = 0; info && i < info->pairs; i++) {
        free(info->pair[i].key);
        free(info->pair[i].value);
    }
    if (info)
        free(info->pair);
    free(info);
}

static struct info_pair *find(const struct info *info, const char *key)
{
    for (size_t i = 0; i < info->pairs; i++)
        if (strcmp(info->pair[i].key, key) == 0)
            return &info->pair[i];
    return NULL;
}

void info_set(struct info *info, const char *key, const char *value)
{
    struct info_pair *p = find(info, key);
    if (p) {
        free(p->value);
        p->value = memory_copy(value);
        return;
    }
    info->pair = memory_grow(info->pair, info->pairs + 1, sizeof(*info->pair));
    info->pair[info->pairs++] = (struct info_pair){memory_copy(key), memory_copy(value)};
}

const char *info_get(const struct info *info, const char *key)
{
    const struct info_pair *p = find(info, key);
    return p ? p->value : NULL;
}

int info_remove(struct info *info, const char *key)
{
    struct info_pair *p = find(info, key);
    if (!p)
        return 0;
    free(p->key);
    free(p->value);
    info->pairs--;
    memmove(p, p + 1, (size_t)(info->pair + info->pairs - p) * sizeof(*p));
    return 1;
}

struct info *info_copy(const struct info *from)
{
    struct info *to = from ? info_new() : NULL;
    for (size_t i = 0; from && i < from->pairs; i++)
        info_set(to, from->pair[i].key, from->pair[i].value);
    return to;
}
