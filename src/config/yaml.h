/*
 * A YAML (or JSON) file as a flat list: path, value and position.
 *
 *   router:                       router.paths.value = 2      line 2 column 21
 *     paths: {value: 2}
 *   sizes: [32, 64]               sizes.0 = 32, sizes.1 = 64
 *
 * Flat, because a key given by -s is the same path and value, and because every error can then
 * name file, line and column.
 */
#ifndef WEFT_CONFIG_YAML_H
#define WEFT_CONFIG_YAML_H

#include <stddef.h>
#include <stdint.h>

#include "base/map.h"
#include "base/status.h"

struct yaml_entry {
    char *path, *value;
    unsigned line, column; /* of the value, from 1 */
};

struct yaml {
    char *file;
    struct yaml_entry *entry; /* in the file's order; no path occurs twice */
    size_t entries, capacity;
    struct map paths; /* hash of a path: its entry */
};

weft_status yaml_load(const char *file, struct yaml *yaml);
weft_status yaml_parse(const char *file, const unsigned char *text, size_t size, struct yaml *yaml);
void yaml_fini(struct yaml *yaml);

/* The entry, and the value, at a path; NULL: there is none. */
const struct yaml_entry *yaml_find(const struct yaml *yaml, const char *path);
const char *yaml_get(const struct yaml *yaml, const char *path);

/* The place of an entry, "file:3:7"; returns `place`. */
enum { YAML_PLACE = 512 };
const char *yaml_where(const struct yaml *yaml, const struct yaml_entry *entry,
                       char place[YAML_PLACE]);

/* Gives the last failure the place of an entry; returns its status. */
weft_status yaml_place(const struct yaml *yaml, const struct yaml_entry *entry);

#define YAML_BAD(YAML, ENTRY, WHAT, REMEDY) (BAD_INPUT(0, WHAT, REMEDY), yaml_place(YAML, ENTRY))

#endif
