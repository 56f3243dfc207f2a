/* What surrounds a rank: its environment, dates, tables. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "posix/parts.h"

/* ---- environment ---- */

static char **environment(const struct posix_rank *r)
{
    return *(char ***)(r->copy + r->variable->environment);
}

/* The entry of a name, or NULL. */
static char **find_entry(const struct posix_rank *r, const char *name)
{
    size_t length = strcspn(name, "=");
    for (char **e = environment(r); e && *e; e++)
        if (strncmp(*e, name, length) == 0 && (*e)[length] == '=')
            return e;
    return NULL;
}

/* Makes a copy before the first change, with room for one more entry and NULL. */
static char **own_environment(struct posix_rank *r)
{
    char **from = environment(r);
    size_t count = 0;
    while (from && from[count])
        count++;
    bool first = from != r->environment || !from;
    char **to = memory_alloc(count + 2, sizeof(*to));
    for (size_t i = 0; i < count; i++)
        to[i] = first ? memory_copy(from[i]) : from[i];
    if (!first)
        free(from);
    r->environment = to;
    memcpy(r->copy + r->variable->environment, &to, sizeof(to));
    return to;
}

char *rank_getenv(const char *name)
{
    char **entry = find_entry(posix_current(), name);
    return entry ? *entry + strlen(name) + 1 : NULL;
}

static void set_entry(const char *name, char *assignment)
{
    struct posix_rank *r = posix_current();
    char **all = own_environment(r), **entry = find_entry(r, name);
    if (entry)
        free(*entry);
    else
        for (entry = all; *entry; entry++)
            ;
    *entry = assignment;
}

static bool is_name(const char *name)
{
    if (name && *name && !strchr(name, '='))
        return true;
    errno = EINVAL;
    return false;
}

int rank_setenv(const char *name, const char *value, int overwrite)
{
    if (!is_name(name))
        return -1;
    if (!overwrite && rank_getenv(name))
        return 0;
    size_t length = strlen(name), all = length + strlen(value) + 2;
    char *assignment = memory_alloc(all, 1);
    snprintf(assignment, all, "%s=%s", name, value);
    set_entry(name, assignment);
    return 0;
}

int rank_unsetenv(const char *name)
{
    struct posix_rank *r = posix_current();
    if (!is_name(name))
        return -1;
    if (!find_entry(r, name))
        return 0;
    own_environment(r);
    char **entry = find_entry(r, name);
    free(*entry);
    for (; *entry; entry++)
        entry[0] = entry[1];
    return 0;
}

/* The text stays the caller's, who may change it later; here it is copied. */
int rank_putenv(char *assignment)
{
    char name[256];
    if (!strchr(assignment, '='))
        return rank_unsetenv(assignment);
    snprintf(name, sizeof(name), "%.*s", (int)strcspn(assignment, "="), assignment);
    set_entry(name, memory_copy(assignment));
    return 0;
}

int rank_clearenv(void)
{
    struct posix_rank *r = posix_current();
    char **all = own_environment(r);
    for (char **e = all; *e; e++)
        free(*e);
    *all = NULL;
    return 0;
}

/* ---- texts and dates that the C library would keep for all ---- */

char *rank_strtok(char *text, const char *delimiters)
{
    return strtok_r(text, delimiters, &posix_current()->rest);
}

struct tm *rank_localtime(const time_t *time)
{
    return localtime_r(time, &posix_current()->date);
}

struct tm *rank_gmtime(const time_t *time)
{
    return gmtime_r(time, &posix_current()->date);
}

char *rank_asctime(const struct tm *date)
{
    return asctime_r(date, posix_current()->date_text);
}

char *rank_ctime(const time_t *time)
{
    return ctime_r(time, posix_current()->date_text);
}

/* ---- the table of hsearch() ---- */

int rank_hcreate(size_t entries)
{
    struct posix_rank *r = posix_current();
    if (!r->table)
        r->table = memory_alloc(1, sizeof(*r->table));
    return hcreate_r(entries, r->table);
}

void context_drop_table(struct posix_rank *r)
{
    if (r->table)
        hdestroy_r(r->table);
    free(r->table);
    r->table = NULL;
}

void rank_hdestroy(void)
{
    context_drop_table(posix_current());
}

ENTRY *rank_hsearch(ENTRY entry, ACTION action)
{
    struct posix_rank *r = posix_current();
    ENTRY *found = NULL;
    errno = ESRCH;
    if (r->table)
        hsearch_r(entry, action, &found, r->table);
    return found;
}
