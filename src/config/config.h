/*
 * The configuration of a run: every value by its dotted key, and where it was given.
 *
 * The keys that exist form a schema, a list of tables (keys.h); the machine file's `fabric` names
 * the schema. So this file knows keys but no machines: the owner of a table asks for its section.
 *
 *   config_init(&c, schemas)  config_machine(&c, "bluegene-l")  config_override(&c, "key=value")
 *   const struct params *p = config_section(&c, &section);
 *   config_fini(&c)
 *
 * The machine file must give all keys without a default, each with its source.
 */
#ifndef WEFT_CONFIG_CONFIG_H
#define WEFT_CONFIG_CONFIG_H

#include "config/keys.h"
#include "config/yaml.h"

enum { CONFIG_SECTIONS_MOST = 32 };

/* A nic that a fabric cannot have, and why. */
struct schema_refusal {
    const char *nic, *why;
};

/* Those of one fabric follow each other; the first is for machines that name no nic. */
struct schema {
    const char *fabric, *nic;
    const struct key_table *const *table; /* NULL ends the list */
    const struct schema_refusal *refused; /* a NULL nic ends the list */
};

/* A key of the schema, and how it was set. */
struct config_entry {
    const struct key *key;
    const struct key_section *section;
    uint32_t given; /* its rank in the order of settings, from 1; 0: not given */
    char *place;    /* where it was given: "file:3:7" or "-s key=value" */
    char *source;   /* as the machine file says, or the place that overrides it */
    double seconds; /* of a key in cycles that was given as a time; negative: it was not */
};

/* What was worked out from the values, and is the same until one of them is set. */
struct config_kept {
    void *value;
    void (*release)(void *value);
};

struct config {
    const struct schema *const *schemas; /* all schemas; NULL ends the list */
    const struct schema *schema;         /* the machine's; NULL: no machine yet */
    char machine[CONFIG_TEXT];           /* its file, as it was named */
    char name[CONFIG_TEXT];              /* that the file gives it; "": none */
    char root[CONFIG_TEXT];              /* the file that it is based on at last, or its own */
    struct config_entry *entry;
    size_t entries;
    uint32_t givings, own_givings; /* so far; by the machine's file */
    struct {
        const struct key_section *section;
        void *values;
    } section[CONFIG_SECTIONS_MOST];
    uint32_t sections;
    struct config_kept *kept;
};

void config_init(struct config *c, const struct schema *const *schemas);
void config_fini(struct config *c);

/* Takes the keys of the schema with a fabric and a nic of these names, all at their defaults. nic
 * NULL: the fabric's usual one. */
weft_status config_choose(struct config *c, const char *fabric, const char *nic);

/* The values of a section; NULL: the machine has no such keys. */
void *config_section(const struct config *c, const struct key_section *section);

/* What to call the machine: the name that its file gives it, or the file's own. */
const char *config_name(const struct config *c);

/* The number of a key; c->entries: there is none of that name. */
size_t config_find(const struct config *c, const char *name);

/* Sets a key; error messages name `place` ("file:3:7" or "-s key=value"). */
weft_status config_set(struct config *c, const char *key, const char *value, const char *place);

/* Sets the key of entry *index of a file, ignoring the first `skip` letters of its path; joins the
 * items of a list by commas, and moves *index to the last. */
weft_status config_take(struct config *c, const struct yaml *yaml, size_t *index, size_t skip);

/* Keys in this unit, cycles of some clock, that were given as times become numbers. */
weft_status config_settle(struct config *c, const char *unit, double per_second);

/* -s KEY=VALUE */
weft_status config_override(struct config *c, const char *assignment);

/* Reads machines/NAME.yaml (or a path) into the machine keys; chooses its schema. */
weft_status config_machine(struct config *c, const char *name);

/* Gives the last failure the place of the key that it is about (of several keys, the one given
 * last); returns `status`. So floors that know keys, but not files, can report errors in them. */
weft_status config_locate(const struct config *c, weft_status status);

/* The value of an entry as text. */
const char *config_text(const struct config *c, size_t entry, char text[CONFIG_TEXT]);

/* Keeps what was worked out from the values until one of them is set; NULL: nothing is kept. */
void config_keep(const struct config *c, void *value, void (*release)(void *value));
void *config_kept(const struct config *c);

/* A hash of the machine's name and all values but those that, by `without`, change no result. */
uint64_t config_hash(const struct config *c, bool (*without)(const char *key));

/* A configuration as bytes, for another process of the same program: the machine, and every key
 * that was given, with its place. The caller frees the bytes. */
char *config_pack(const struct config *c, size_t *size);

/* Reads them back into a configuration that config_init() has made. */
weft_status config_unpack(struct config *c, const char *bytes, size_t size);

#endif
