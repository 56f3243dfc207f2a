/*
 * Completion: `weft --complete WORD...` prints what may stand in place of the last word. The
 * shells' scripts (completion/) ask for it, so that the tables of the program are the only ones.
 */
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/text/text.h"
#include "config/data.h"
#include "machine/family.h"
#include "machine/machine.h"
#include "study/bench.h"
#include "study/study.h"
#include "workload/workload.h"

/* The word so far, and where it stands. */
struct cursor {
    const char *word;
    const struct cli_command *command;
    const char *machine; /* NULL: none is named */
    unsigned names;      /* words before it that are neither options nor their values */
};

/* Prints a line once: families have tables of keys in common. */
static void print_once(const char *line)
{
    static char **printed;
    static size_t count, room;
    for (size_t i = 0; i < count; i++)
        if (strcmp(printed[i], line) == 0)
            return;
    *LIST_ADD(printed, count, room) = memory_copy(line);
    puts(line);
}

static void offer(const struct cursor *p, const char *word, const char *suffix)
{
    char line[256];
    snprintf(line, sizeof(line), "%s%s", word, suffix);
    if (text_behind(word, p->word))
        print_once(line);
}

static void offer_data(const struct cursor *p, const char *folder)
{
    char **names;
    size_t count = data_list(folder, &names);
    for (size_t i = 0; i < count; i++) {
        offer(p, names[i], "");
        free(names[i]);
    }
    free(names);
}

/* ---- keys ---- */

static void offer_value(const struct cursor *p, const struct key *k, const char *value)
{
    char line[256];
    snprintf(line, sizeof(line), "%s=%s", k->name, value);
    offer(p, line, "");
}

/* KEY=VALUE for all values that the key of the word may have, if they are words. */
static void offer_values(const struct cursor *p, const struct key *k)
{
    size_t length = strlen(k->name);
    if (strncmp(p->word, k->name, length) != 0 || p->word[length] != '=')
        return;
    for (unsigned truth = 2; k->type == KEY_BOOL && truth--;)
        offer_value(p, k, truth ? "true" : "false");
    for (size_t i = 0; key_choice(k, i); i++)
        offer_value(p, k, key_choice(k, i));
    for (size_t i = 0; strcmp(k->name, "workload.pattern") == 0 && i < pattern_count; i++)
        offer_value(p, k, patterns[i]->name);
}

static void offer_key(const struct cursor *p, const struct key *k, enum cli_completion what)
{
    if (what == CLI_PREFIXES)
        offer(p, k->name, "");
    else if (strchr(p->word, '='))
        offer_values(p, k);
    else
        offer(p, k->name, "=");
}

static void offer_keys(const struct cursor *p, enum cli_completion what)
{
    const struct schema *only = NULL; /* of the machine that the words name, if it is known */
    struct config c;
    machine_init(&c);
    if (p->machine && config_machine(&c, p->machine) == WEFT_OK)
        only = c.schema;
    config_fini(&c);
    for (const struct family *const *f = families; *f; f++) {
        if (only && only != &(*f)->schema)
            continue;
        for (const struct key_table *const *t = (*f)->schema.table; *t; t++) {
            size_t count;
            struct listed_key *list = key_table_list(*t, &count);
            for (size_t i = 0; i < count; i++)
                offer_key(p, list[i].key, what);
            free(list);
        }
    }
}

/* ---- what a word may be ---- */

static void offer_all(const struct cursor *p, enum cli_completion what)
{
    const char *name;
    size_t at = 0;
    if (what == CLI_STUDIES && p->names == 0)
        for (const char *const *verb = cli_study_verbs; *verb; verb++)
            offer(p, *verb, "");
    else if (what == CLI_STUDIES)
        offer_data(p, "studies");
    else if (what == CLI_MACHINES)
        offer_data(p, "machines");
    else if (what == CLI_KEYS || what == CLI_PREFIXES)
        offer_keys(p, what);
    for (size_t i = 0; what == CLI_COMMANDS && i < cli_command_count; i++)
        offer(p, cli_commands[i].name, "");
    for (size_t i = 0; what == CLI_PATTERNS && i < pattern_count; i++)
        offer(p, patterns[i]->name, "");
    while (what == CLI_METRICS && (name = metric_name(&at)))
        offer(p, name, "");
    for (size_t i = 0; what == CLI_ROWS && i < bench_row_count; i++) {
        offer(p, bench_rows[i].traffic, "");
        offer(p, bench_rows[i].size, "");
    }
}

static unsigned count_names(int count, char **word)
{
    unsigned names = 0;
    for (int i = 0; i < count; i++) {
        const struct cli_option *o = cli_option_of(NULL, word[i]);
        if (o && o->value)
            i++;
        else
            names += word[i][0] != '-';
    }
    return names;
}

static const char *find_machine(const struct cli_command *command, int count, char **word)
{
    if (command && strcmp(command->name, "show") == 0 && count > 1)
        return word[1];
    for (int i = 1; i + 1 < count; i++)
        if (strcmp(word[i], "-m") == 0)
            return word[i + 1];
    return NULL;
}

void complete(int count, char **word)
{
    if (count < 1)
        return;
    struct cursor p = {.word = word[count - 1]};
    if (count == 1) {
        offer_all(&p, CLI_COMMANDS);
        offer(&p, "--help", "");
        offer(&p, "--version", "");
        return;
    }
    const struct cli_option *before = cli_option_of(NULL, word[count - 2]);
    p.command = cli_find_command(word[0]);
    p.names = count_names(count - 2, word + 1);
    p.machine = find_machine(p.command, count - 1, word);
    if (!p.command)
        return;
    if (before && before->value)
        offer_all(&p, before->completes);
    else if (p.word[0] != '-')
        offer_all(&p, p.command->completes);
    else {
        for (size_t i = 0; i < cli_known_option_count; i++)
            if (cli_option_of(p.command, cli_known_options[i].name) == &cli_known_options[i])
                offer(&p, cli_known_options[i].name, "");
        offer(&p, "--help", "");
    }
}
