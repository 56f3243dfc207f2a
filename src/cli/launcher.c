/*
 * mpirun and mpiexec of lib/weft/mpi/bin: what people type for other MPIs, as arguments of `weft
 * mpirun`. What has no meaning for simulated ranks is left out, and named in one line.
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/list.h"
#include "base/memory.h"
#include "base/text/text.h"
#include "cli/cli.h"
#include "workload/programs/programs.h"

/* ---- options ---- */

enum use {
    RANKS,
    PER_NODE,
    MAP,
    VARIABLE,        /* NAME or NAME=VALUE, of all programs */
    LOCAL_VARIABLE,  /* NAME VALUE, of one program; */
    SHARED_VARIABLE, /* of all */
    FOLDER,
    TAGS,
    REPORT,
    WEFT_WORDS,
    HELP,
    VERSION,
    NEEDLESS, /* it is so anyway */
    IGNORED,
};

/* Names without the one or two hyphens before them. */
static const struct launcher_option {
    const char *names;
    enum use use;
    unsigned values; /* words that follow */
    const char *help;
} options[] = {
    {"n np c", RANKS, 1, "how many ranks; 1, or those of a node, if it is not given"},
    {"N npernode ppn perhost", PER_NODE, 1, "ranks per node; so does -map-by ppr:N:node"},
    {"map-by", MAP, 1, NULL},
    {"x", VARIABLE, 1, "NAME=VALUE: a variable of the environment of all programs"},
    {"env", LOCAL_VARIABLE, 2, "NAME VALUE: a variable of this program"},
    {"genv", SHARED_VARIABLE, 2, "NAME VALUE: a variable of all programs"},
    {"wdir wd", FOLDER, 1, "the folder to run in"},
    {"tag-output l prepend-rank", TAGS, 0, "print the rank before each line"},
    {"v verbose", REPORT, 0, "print what was simulated and measured"},
    {"weft", WEFT_WORDS, 1,
     "options of `weft mpirun`, as \"-m bluegene-l -s machine.dims=4x4x4 -o r.json\""},
    {"h help", HELP, 0, "print this"},
    {"V version", VERSION, 0, "print the version"},
    {"oversubscribe allow-run-as-root use-hwthread-cpus genvall envall q quiet", NEEDLESS, 0,
     "these are always so"},
    {"report-bindings display-map display-allocation nolocal nooversubscribe bind-to-core "
     "bind-to-socket bind-to-none bycore bynode byslot bysocket",
     IGNORED, 0, "these are ignored"},
    {"H host hosts hostfile machinefile default-hostfile f bind-to rank-by cpu-set rankfile rf "
     "prefix timeout stdin launcher iface",
     IGNORED, 1, "so are these and their values"},
    {"mca gmca omca pmca prtemca pmixmca", IGNORED, 2, "and these with two values"},
};
enum { OPTIONS = sizeof(options) / sizeof(options[0]) };

static void print_help(void)
{
    enum { COLUMN = 24 };
    puts("mpirun and mpiexec of Weft run an MPI program on a simulated machine, WEFT_MACHINE or\n"
         "ideal, by `weft mpirun`.\n\n"
         "  mpirun [OPTION]... PROGRAM [ARGUMENT]... [: [OPTION]... PROGRAM [ARGUMENT]...]...\n");
    for (size_t i = 0; i < OPTIONS; i++) {
        char names[512] = "";
        const char *blank = "";
        if (!options[i].help)
            continue;
        for (const char *at = options[i].names; *at; at += strcspn(at, " "), at += *at == ' ') {
            size_t used = strlen(names), length = strcspn(at, " ");
            snprintf(names + used, sizeof(names) - used, "%s-%.*s", blank, (int)length, at);
            blank = " ";
        }
        bool fits = strlen(names) + 2 < COLUMN;
        printf("  ");
        if (fits)
            printf("%s", names);
        else
            text_wrap(stdout, names, 2, 2, terminal_columns());
        printf("%*s", fits ? COLUMN - 2 - (int)strlen(names) : COLUMN, "");
        text_wrap(stdout, options[i].help, COLUMN, COLUMN, terminal_columns());
    }
}

/* -np and --np are one. */
static const char *without_hyphens(const char *word)
{
    return word + 1 + (word[1] == '-');
}

/* The option of a word, which may have its value behind a sign, as --np=4. */
static const struct launcher_option *option_of(const char *word, const char **value)
{
    char name[64];
    const char *plain = without_hyphens(word), *equals = strchr(plain, '=');
    snprintf(name, sizeof(name), "%.*s", (int)strcspn(plain, "="), plain);
    *value = equals ? equals + 1 : NULL;
    for (size_t i = 0; i < OPTIONS; i++)
        if (text_has_word(options[i].names, name) && (!equals || options[i].values == 1))
            return &options[i];
    return NULL;
}

/* ---- what is asked for ---- */

struct words {
    char **word;
    size_t count, room;
};

/* One program; words[] are those of the command line. */
struct context {
    const char *ranks; /* NULL: not given */
    struct words variables;
    char **word; /* the program and its arguments */
    size_t words;
};

struct launch {
    struct context *context;
    size_t contexts, room;
    struct words machine, variables, ignored;
    const char *per_node; /* NULL: not given */
    bool tags, report, answered;
};

static void add(struct words *to, const char *word)
{
    *LIST_ADD(to->word, to->count, to->room) = memory_copy(word);
}

static void add_pair(struct words *to, const char *name, const char *value)
{
    size_t size = strlen(name) + strlen(value) + 2;
    char *word = memory_alloc(size, 1);
    snprintf(word, size, "%s=%s", name, value);
    *LIST_ADD(to->word, to->count, to->room) = word;
}

static bool has(const struct words *list, const char *word)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->word[i], word) == 0)
            return true;
    return false;
}

/* "-m bluegene-l -s ...", or "bluegene-l", as words of a shell. */
static void add_machine(struct words *to, const char *text)
{
    char *word = memory_alloc(strlen(text) + 1, 1);
    size_t at = strspn(text, TEXT_BLANKS);
    if (text[at] && text[at] != '-')
        add(to, "-m");
    for (; text[at]; at += strspn(text + at, TEXT_BLANKS)) {
        at = text_word(text, at, word);
        add(to, word);
    }
    free(word);
}

static weft_status change_folder(const struct launch *l, const char *folder)
{
    if (l->contexts > 1)
        return BAD_INPUT(NULL, ("-wdir behind a colon is not supported"),
                         ("give it once, before the first program"));
    if (chdir(folder) != 0)
        return BAD_PLACE(("-wdir %.200s", folder), ("%s", strerror(errno)), ("name a folder"));
    return WEFT_OK;
}

/* ppr:2:node */
static bool take_map(struct launch *l, const char *value)
{
    static char number[16];
    const char *count = text_behind(value, "ppr:");
    size_t digits = count ? strspn(count, "0123456789") : 0;
    if (!digits || digits >= sizeof(number) || !text_behind(count + digits, ":node"))
        return false;
    snprintf(number, sizeof(number), "%.*s", (int)digits, count);
    l->per_node = number;
    return true;
}

static void ignore(struct launch *l, const char *word)
{
    for (size_t i = 0; i < l->ignored.count; i++)
        if (strcmp(without_hyphens(l->ignored.word[i]), without_hyphens(word)) == 0)
            return;
    add(&l->ignored, word);
}

static weft_status take(struct launch *l, const struct launcher_option *option, char *word,
                        const char *value, const char *second)
{
    struct context *c = &l->context[l->contexts - 1];
    switch (option->use) {
    case RANKS:
        c->ranks = value;
        break;
    case PER_NODE:
        l->per_node = value;
        break;
    case MAP:
        if (!take_map(l, value))
            ignore(l, word);
        break;
    case VARIABLE: /* all that this computer has are passed on anyway */
        if (mpi_is_variable(value))
            add(&l->variables, value);
        break;
    case LOCAL_VARIABLE:
        add_pair(&c->variables, value, second);
        break;
    case SHARED_VARIABLE:
        add_pair(&l->variables, value, second);
        break;
    case FOLDER:
        return change_folder(l, value);
    case TAGS:
        l->tags = true;
        break;
    case REPORT:
        l->report = true;
        break;
    case WEFT_WORDS:
        add_machine(&l->machine, value);
        break;
    case HELP:
    case VERSION:
        l->answered = true;
        if (option->use == HELP)
            print_help();
        else
            puts("mpirun (Weft " WEFT_VERSION ")");
        break;
    case NEEDLESS:
        break;
    case IGNORED:
        ignore(l, word);
        break;
    }
    return WEFT_OK;
}

/* Reads the options before a program; *at then is the program's place. */
static weft_status read_options(struct launch *l, char **word, size_t count, size_t *at)
{
    for (; *at < count && word[*at][0] == '-' && !l->answered; ++*at) {
        const char *value, *name = word[*at];
        const struct launcher_option *option = option_of(name, &value);
        if (!option)
            return BAD_INPUT(NULL, ("unknown option '%.60s'", name),
                             ("`mpirun --help` lists the options"));
        size_t wanted = value ? 0 : option->values;
        if (count - *at - 1 < wanted)
            return BAD_INPUT(NULL, ("%s needs %s", name, wanted > 1 ? "two values" : "a value"),
                             ("`mpirun --help` lists the options"));
        value = wanted ? word[*at + 1] : value;
        TRY(take(l, option, word[*at], value, wanted > 1 ? word[*at + 2] : NULL));
        *at += wanted;
    }
    return WEFT_OK;
}

static weft_status read_words(struct launch *l, char **word, size_t count)
{
    for (size_t at = 0; at <= count && !l->answered; at++) { /* behind a colon */
        struct context *c = LIST_ADD(l->context, l->contexts, l->room);
        *c = (struct context){.ranks = NULL};
        TRY(read_options(l, word, count, &at));
        c->word = word + at;
        for (; at < count && strcmp(word[at], ":") != 0; at++)
            c->words++;
        if (!c->words && !l->answered)
            return BAD_INPUT(NULL, ("no program"), ("`mpirun -n 4 ./PROGRAM` runs one"));
    }
    return WEFT_OK;
}

/* ---- the arguments of `weft mpirun` ---- */

/* Whether a file can be run and, if only others are wanted, is not this program. */
static bool is_executable(const char *path, bool others)
{
    struct stat file, own;
    if (stat(path, &file) != 0 || !S_ISREG(file.st_mode) || access(path, X_OK) != 0)
        return false;
    return !others || stat("/proc/self/exe", &own) != 0 || file.st_dev != own.st_dev ||
           file.st_ino != own.st_ino;
}

/* Looks for a program in the folders of PATH. */
static bool search_path(const char *name, bool others, char path[PATH_MAX])
{
    const char *folder = getenv("PATH");
    while (folder && *folder) {
        int length = (int)strcspn(folder, ":");
        int needed = snprintf(path, PATH_MAX, "%.*s/%s", length, folder, name);
        if (length && needed < PATH_MAX && is_executable(path, others))
            return true;
        folder += length + (folder[length] == ':');
    }
    return false;
}

/* The path of a program: a name without a folder is here, or in the PATH, or Weft's own. */
static const char *path_of(const char *name, char path[PATH_MAX])
{
    bool here = strchr(name, '/') || is_executable(name, false);
    return !here && search_path(name, false, path) ? path : name;
}

static void add_ranks(struct words *to, const struct launch *l, const struct context *c)
{
    const struct words *lists[] = {&l->variables, &c->variables};
    add(to, "-np");
    add(to, c->ranks ? c->ranks : l->per_node ? l->per_node : "1");
    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; i < lists[k]->count; i++) {
            add(to, "-x");
            add(to, lists[k]->word[i]);
        }
}

static void add_setting(struct words *to, const char *key, const char *value)
{
    add(to, "-s");
    add_pair(to, key, value);
}

/* --weft goes before WEFT_MACHINE, where it names a machine. */
static void add_options(struct words *to, const struct launch *l)
{
    const char *machine = getenv("WEFT_MACHINE");
    bool given = machine && machine[strspn(machine, TEXT_BLANKS)];
    if (!has(&l->machine, "-m"))
        add_machine(to, given ? machine : "ideal");
    for (size_t i = 0; i < l->machine.count; i++)
        add(to, l->machine.word[i]);
    if (!has(to, "-m"))
        add_machine(to, "ideal");
    if (l->per_node)
        add_setting(to, "workload.processes_per_node", l->per_node);
    if (l->per_node && has(to, "ideal"))
        add_setting(to, "machine.node.processors", l->per_node);
    if (l->tags)
        add(to, "--tag-output");
    if (!l->report)
        add(to, "-q");
}

static void compose(struct words *to, const struct launch *l)
{
    add_options(to, l);
    for (size_t i = 0; i < l->contexts; i++) {
        const struct context *c = &l->context[i];
        char path[PATH_MAX];
        if (i)
            add(to, ":");
        add_ranks(to, l, c);
        add(to, path_of(c->word[0], path));
        for (size_t k = 1; k < c->words; k++)
            add(to, c->word[k]);
    }
    *LIST_ADD(to->word, to->count, to->room) = NULL;
    to->count--;
}

/* `mpirun -n 2 weft run`: Weft itself runs on ranks of this computer's MPI. */
static weft_status pass_on(const struct launch *l, char **argv)
{
    char path[PATH_MAX];
    const char *program = path_of(l->context[0].word[0], path);
    if (!is_executable(program, false) || is_executable(program, true))
        return WEFT_OK;
    if (!search_path("mpirun", true, path))
        return BAD_INPUT(NULL, ("no other mpirun is in the PATH, and this one cannot run weft"),
                         ("install Open MPI or MPICH"));
    execv(path, argv);
    return BAD_PLACE(("%.1000s", path), ("%s", strerror(errno)), ("install it again"));
}

static bool is_script(const char *path)
{
    char first[2] = "";
    FILE *f = is_executable(path, false) ? fopen(path, "r") : NULL;
    size_t got = f ? fread(first, 1, sizeof(first), f) : 0;
    if (f)
        fclose(f);
    return got == sizeof(first) && first[0] == '#' && first[1] == '!';
}

/* Becomes a script; what it starts that uses MPI reads the words of `weft mpirun` (mpi/launch.c).
 */
static weft_status run_script(const struct launch *l, const char *path, char **argv)
{
    char *text = NULL, own[PATH_MAX];
    size_t size;
    ssize_t length = readlink("/proc/self/exe", own, sizeof(own));
    struct words words = {.count = 0};
    if (l->contexts > 1)
        return BAD_PLACE(("%.1000s", path), ("is a script among several programs"),
                         ("name a program, or the script alone"));
    add_options(&words, l);
    add_ranks(&words, l, l->context);
    FILE *f = open_memstream(&text, &size);
    fprintf(f, "%.*s\nmpirun", (int)length, own);
    for (size_t i = 0; i < words.count; i++)
        fprintf(f, "\n%s", words.word[i]);
    fclose(f);
    setenv("WEFT_LAUNCH", text, 1);
    execv(path, argv);
    return BAD_PLACE(("%.1000s", path), ("%s", strerror(errno)), ("name a program"));
}

/* Scripts of several programs are refused. */
static weft_status run_scripts(const struct launch *l)
{
    for (size_t i = 0; i < l->contexts; i++) {
        char path[PATH_MAX];
        const char *found = path_of(l->context[i].word[0], path);
        if (is_script(found))
            TRY(run_script(l, found, l->context[i].word));
    }
    return WEFT_OK;
}

static void say_ignored(const struct words *ignored)
{
    for (size_t i = 0; i < ignored->count; i++)
        fprintf(stderr, "%s%s", i ? ", " : "weft: mpirun ignores ", ignored->word[i]);
    if (ignored->count)
        fprintf(stderr, ": its ranks run on a simulated machine\n");
}

static void drop(struct words *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->word[i]);
    free(list->word);
}

static void drop_launch(struct launch *l)
{
    for (size_t i = 0; i < l->contexts; i++)
        drop(&l->context[i].variables);
    free(l->context);
    drop(&l->machine);
    drop(&l->variables);
    drop(&l->ignored);
}

weft_status launcher_translate(int *argc, char ***argv)
{
    struct launch l = {.contexts = 0};
    struct words words = {.count = 0};
    weft_status status = read_words(&l, *argv + 1, (size_t)*argc - 1);
    if (status == WEFT_OK && !l.answered)
        status = pass_on(&l, *argv);
    if (status == WEFT_OK && !l.answered) {
        say_ignored(&l.ignored);
        status = run_scripts(&l);
    }
    if (status == WEFT_OK && !l.answered)
        compose(&words, &l);
    *argv = words.word;
    *argc = (int)words.count;
    drop_launch(&l);
    return status;
}

void launcher_drop(int argc, char **argv)
{
    drop(&(struct words){.word = argv, .count = (size_t)argc});
}
