/*
 * getopt(), getopt_long() and getopt_long_only(), with the variables and the place within a word as
 * the rank's own. As GNU's: words that are no options are moved to the end, unless the list of
 * options begins with '+' or POSIXLY_CORRECT is set; with '-' they are options of code 1.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "posix/internal.h"

/* What is looked for, and in what. */
struct search {
    struct posix_rank *rank;
    int argc;
    char **argv;
    const char *letters;
    const struct option *longs; /* NULL: none */
    int *index;
    bool only;               /* long options begin with one dash, too */
    bool in_order, in_place; /* stops at other words; takes them as options */
    bool quiet, colon;       /* no messages; a missing argument is ':' */
};

static int *option_index(const struct posix_rank *r)
{
    return variable_of(r, VARIABLE_OPTIND);
}

static char **option_argument(const struct posix_rank *r)
{
    return variable_of(r, VARIABLE_OPTARG);
}

static void complain(const struct search *s, const char *what, const char *dashes, const char *word,
                     int length)
{
    if (*(const int *)variable_of(s->rank, VARIABLE_OPTERR) && !s->quiet)
        fprintf(streams_get(s->rank, POSIX_ERR), "%s: %s '%s%.*s'\n", s->argv[0], what, dashes,
                length, word);
}

static void say_option(const struct search *s, int option)
{
    *(int *)variable_of(s->rank, VARIABLE_OPTOPT) = option;
}

static bool is_option(const char *word)
{
    return word[0] == '-' && word[1];
}

/* ---- options of one letter ---- */

static void next_word(struct search *s)
{
    s->rank->option_letter = 0;
    ++*option_index(s->rank);
}

static int missing_argument(const struct search *s, int option)
{
    say_option(s, option);
    return s->colon ? ':' : '?';
}

static int find_letter(struct search *s)
{
    struct posix_rank *r = s->rank;
    int *index = option_index(r);
    const char *word = s->argv[*index];
    char letter = word[r->option_letter++];
    const char *at = letter == ':' || letter == ';' ? NULL : strchr(s->letters, letter);
    const char *rest = word + r->option_letter;
    if (!*rest)
        next_word(s);
    if (!at) {
        complain(s, "invalid option --", "", &letter, 1);
        say_option(s, (unsigned char)letter);
        return '?';
    }
    if (at[1] != ':')
        return (unsigned char)letter;
    *option_argument(r) = *rest ? (char *)rest : NULL;
    if (*rest) {
        next_word(s);
    } else if (at[2] != ':') {
        if (*index >= s->argc) {
            complain(s, "option requires an argument --", "", &letter, 1);
            return missing_argument(s, (unsigned char)letter);
        }
        *option_argument(r) = s->argv[(*index)++];
    }
    return (unsigned char)letter;
}

/* ---- long options ---- */

/* The option of this name, or of which it is the only beginning; -1: none, -2: several. */
static int match_long(const struct search *s, const char *name, size_t length)
{
    int found = -1;
    for (int i = 0; s->longs[i].name; i++) {
        const struct option *o = &s->longs[i];
        if (strncmp(o->name, name, length) != 0)
            continue;
        if (strlen(o->name) == length)
            return i;
        bool same = found >= 0 && s->longs[found].has_arg == o->has_arg &&
                    s->longs[found].flag == o->flag && s->longs[found].val == o->val;
        found = found == -1 ? i : same ? found : -2;
    }
    return found;
}

static int take_long(struct search *s, int which, const char *dashes, const char *equals)
{
    const struct option *o = &s->longs[which];
    struct posix_rank *r = s->rank;
    int *index = option_index(r), length = (int)strlen(o->name);
    *option_argument(r) = equals ? (char *)equals + 1 : NULL;
    if (equals && o->has_arg == no_argument) {
        complain(s, "option doesn't allow an argument --", dashes, o->name, length);
        say_option(s, o->val);
        return '?';
    }
    if (!equals && o->has_arg == required_argument) {
        if (*index >= s->argc) {
            complain(s, "option requires an argument --", dashes, o->name, length);
            return missing_argument(s, o->val);
        }
        *option_argument(r) = s->argv[(*index)++];
    }
    if (s->index)
        *s->index = which;
    if (!o->flag)
        return o->val;
    *o->flag = o->val;
    return 0;
}

/* -1: the word holds options of one letter instead. */
static int find_long(struct search *s)
{
    int *index = option_index(s->rank);
    const char *word = s->argv[*index], *dashes = word[1] == '-' ? "--" : "-";
    const char *name = word + strlen(dashes), *equals = strchr(name, '=');
    size_t length = equals ? (size_t)(equals - name) : strlen(name);
    int which = match_long(s, name, length);
    if (dashes[1] == '\0' && which < 0 && strchr(s->letters, name[0]))
        return -1;
    next_word(s);
    if (which >= 0)
        return take_long(s, which, dashes, equals);
    complain(s, which == -1 ? "unrecognized option" : "option is ambiguous:", dashes, name,
             (int)length);
    say_option(s, 0);
    return '?';
}

/* ---- words ---- */

static int find_in_word(struct search *s)
{
    const char *word = s->argv[*option_index(s->rank)];
    bool is_long =
        s->longs && (word[1] == '-' || (s->only && (word[2] || !strchr(s->letters, word[1]))));
    int found = s->rank->option_letter == 0 && is_long ? find_long(s) : -1;
    if (found != -1)
        return found;
    if (s->rank->option_letter == 0)
        s->rank->option_letter = 1;
    return find_letter(s);
}

/* Words that are no options, from option_first to option_last, go behind the options that were
 * found since; later than these, as the caller may look at what follows an option. */
static void move_others(struct search *s)
{
    struct posix_rank *r = s->rank;
    for (int index = *option_index(r); r->option_last < index; r->option_first++) {
        char **first = s->argv + r->option_first, *option = s->argv[r->option_last];
        memmove(first + 1, first, (size_t)(r->option_last - r->option_first) * sizeof(*first));
        *first = option;
        r->option_last++;
    }
}

static void skip_others(struct search *s)
{
    struct posix_rank *r = s->rank;
    int *index = option_index(r);
    move_others(s);
    while (*index < s->argc && !is_option(s->argv[*index]))
        ++*index;
    r->option_last = *index;
}

static int find_option(struct search *s)
{
    struct posix_rank *r = s->rank;
    int *index = option_index(r);
    *option_argument(r) = NULL;
    if (*index <= 0) {
        *index = r->option_first = r->option_last = 1;
        r->option_letter = 0;
    }
    if (r->option_letter)
        return find_letter(s);
    if (r->option_last > *index) /* the caller has gone back */
        r->option_last = *index;
    if (r->option_first > *index)
        r->option_first = *index;
    if (!s->in_order && !s->in_place)
        skip_others(s);
    if (*index < s->argc &&
        strcmp(s->argv[*index], "--") == 0) { /* all that follow are other words */
        ++*index;
        move_others(s);
        r->option_last = *index = s->argc;
    }
    if (*index >= s->argc) {
        if (r->option_first != r->option_last)
            *index = r->option_first;
        return -1;
    }
    if (is_option(s->argv[*index]))
        return find_in_word(s);
    if (!s->in_place)
        return -1;
    *option_argument(r) = s->argv[(*index)++];
    return 1;
}

static int search(int argc, char *const *argv, const char *letters, const struct option *longs,
                  int *index, bool only)
{
    struct search s = {.rank = posix_current(),
                       .argc = argc,
                       .argv = (char **)argv,
                       .longs = longs,
                       .index = index,
                       .only = only};
    s.in_place = *letters == '-';
    s.in_order = *letters == '+' || (!s.in_place && getenv("POSIXLY_CORRECT"));
    letters += *letters == '-' || *letters == '+';
    s.quiet = s.colon = *letters == ':';
    s.letters = letters;
    return argc < 1 ? -1 : find_option(&s);
}

static int rank_getopt(int argc, char *const *argv, const char *letters)
{
    return search(argc, argv, letters, NULL, NULL, false);
}

static int rank_getopt_long(int argc, char *const *argv, const char *letters,
                            const struct option *longs, int *index)
{
    return search(argc, argv, letters, longs, index, false);
}

static int rank_getopt_long_only(int argc, char *const *argv, const char *letters,
                                 const struct option *longs, int *index)
{
    return search(argc, argv, letters, longs, index, true);
}

const struct posix_function options_functions[] = {
    FUNCTION_AS("getopt __posix_getopt", rank_getopt),
    FUNCTION(getopt_long),
    FUNCTION(getopt_long_only),
    {NULL, NULL},
};
