/* Hints: pairs of texts, in the order in which they were set. */
#ifndef WEFT_MPI_OBJECT_INFO_H
#define WEFT_MPI_OBJECT_INFO_H

#include <stddef.h>

struct info_pair {
    char *key, *value;
};

struct info {
    struct info_pair *pair;
    size_t pairs;
};

struct info *info_new(void);
struct info *info_copy(const struct info *info); /* of NULL: NULL */
void info_drop(struct info *info);

void info_set(struct info *info, const char *key, const char *value);
const char *info_get(const struct info *info, const char *key); /* NULL: there is none */
int info_remove(struct info *info, const char *key);            /* 0: there was none */

#endif
