/*
 * The configuration of a run: every value by its dotted key, with where it was given.
 *
 * Which keys there are is a schema, a list of tables (keys.h); the machine file's `fabric` names
 * the schema. So this file knows keys but no machine: whoever owns a table asks for its section.
 *
 *   config_init(&c, schemas)  config_machine(&c, "bluegene-l")  config_override(&c, "key=value")
 *   const struct params *p = config_section(&c, &section);
 *   config_fini(&c)
 *
 * Keys without a default are the machine file's: it gives them all, each with its source.
 */
#ifndef WEFT_CONFIG_CONFIG_H
#define WEFT_CONFIG_CONFIG_H

#include "config/keys.h"
#include "config/yaml.h"

enum { CONFIG_SECTIONS_MOST = 12 };

struct schema {
    const char *fabric;
    const struct key_table *const *table; /* NULL ends it */
};

/* A key of the schema and what was said of it. */
struct config_entry {
    const struct key *key;
    const struct key_section *section;
    uint32_t given; /* how many were given before, from 1; 0: nobody gave it */
    char *place;    /* where it was given: "file:3:7" or "-s key=value" */
    char *source;   /* as the machine file tells, or the place that overrides it */
};

struct config {
    const struct schema *const *schemas; /* all there are; NULL ends it */
    const struct schema *schema;         /* the machine's; NULL: no machine yet */
    char machine[CONFIG_TEXT];           /* name of its file */
    struct config_entry *entry;
    size_t entries;
    uint32_t givings;
    struct {
        const struct key_section *section;
        void *values;
    } section[CONFIG_SECTIONS_MOST];
    uint32_t sections;
};

void config_init(struct config *c, const struct schema *const *schemas);
void config_fini(struct config *c);

/* Has the keys of a schema, by the name of its fabric, all at their defaults. */
weft_status config_choose(struct config *c, const char *fabric);

/* The values of a section; NULL: the machine has no such keys. */
void *config_section(const struct config *c, const struct key_section *section);

/* The number of a key; c->entries: there is none of that name. */
size_t config_find(const struct config *c, const char *name);

/* Sets a key; `place` ("file:3:7" or "-s key=value") is named in complaints. */
weft_status config_set(struct config *c, const char *key, const char *value, const char *place);

/* Sets the key of entry *index of a file, its path read from letter `skip` on; a list's items are
 * joined by commas, and *index moved to the last. */
weft_status config_take(struct config *c, const struct yaml *yaml, size_t *index, size_t skip);

/* -s KEY=VALUE */
weft_status config_override(struct config *c, const char *assignment);

/* Reads machines/NAME.yaml (or a path) into the machine keys; chooses its schema. */
weft_status config_machine(struct config *c, const char *name);

/* Gives the last failure the place of the key that it is about, of several the one that was given
 * last; returns `status`. So floors that know of keys, but not of files, can complain of them. */
weft_status config_locate(const struct config *c, weft_status status);

/* The value of an entry as text. */
const char *config_text(const struct config *c, size_t entry, char text[CONFIG_TEXT]);

/* A hash of the machine's name and of all values, but for the keys that `without` says cannot
 * change a result. */
uint64_t config_hash(const struct config *c, bool (*without)(const char *key));

#endif
