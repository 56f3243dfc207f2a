/* weft mpicc, weft mpicxx, weft mpif90: compilers, with what MPI programs need. */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/list.h"
#include "base/memory.h"
#include "base/text/text.h"
#include "cli/cli.h"
#include "config/data.h"

static const struct compiler {
    const char *command, *language, *usual;
    const char *variable[3]; /* that name another one; the first that is set counts */
    const char *own;         /* an option that it needs; NULL: none */
} compilers[] = {
    {"mpicc", "C", "cc", {"WEFT_CC", "MPICH_CC", "OMPI_CC"}, NULL},
    {"mpicxx", "C++", "c++", {"WEFT_CXX", "MPICH_CXX", "OMPI_CXX"}, NULL},
    /* With mpif.h, calls of one function with buffers of several types are no mistake. */
    {"mpif90",
     "Fortran",
     "gfortran",
     {"WEFT_FC", "MPICH_FC", "OMPI_FC"},
     "-fallow-argument-mismatch"},
};

/* ---- the arguments ---- */

/* Options whose value is the next word. */
static const char with_value[] =
    "-o -x -I -L -D -U -J -T -u -z -e -A -MF -MT -MQ -include -imacros -isystem -idirafter -iquote "
    "-iprefix -iwithprefix -isysroot -Xlinker -Xpreprocessor -Xassembler -Xclang --param -target "
    "-wrapper -specs";

/* Without a program as their result. */
static const char no_program[] = "-c -E -S -M -MM -fsyntax-only -r";

/* For programs at a fixed address, which cannot run (src/image). */
static const char fixed[] = "-no-pie -nopie -fno-pie -fno-PIE -fno-pic -fno-PIC";

/* Options of the wrapper: which compiler, as MPICH has it. */
static const char *const choices[] = {"-cc=", "-CC=", "-cxx=", "-fc=", "-f90=", "-f77=", NULL};

static const char *find(const struct cli_options *o, const char *list)
{
    for (int i = 0; i < o->argc; i++)
        if (text_has_word(list, o->argv[i]))
            return o->argv[i];
    return NULL;
}

static const char *chosen_by(const char *word)
{
    const char *name = NULL;
    for (size_t i = 0; choices[i] && !name; i++)
        name = text_behind(word, choices[i]);
    return name;
}

/* Whether there is anything to compile or to link: a compiler that is only asked for something
 * must not be given libraries. */
static bool has_input(const struct cli_options *o)
{
    for (int i = 0; i < o->argc; i++) {
        const char *word = o->argv[i];
        if (word[0] != '-' || !word[1] || text_behind(word, "-l"))
            return true;
        i += text_has_word(with_value, word);
    }
    return false;
}

/* ---- the command ---- */

struct command {
    char **word; /* ends with NULL once it is complete */
    size_t count, room;
};

static void add(struct command *to, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void add(struct command *to, const char *format, ...)
{
    char text[2 * DATA_PATH];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    *LIST_ADD(to->word, to->count, to->room) = memory_copy(text);
}

static void drop(struct command *c)
{
    for (size_t i = 0; i < c->count; i++)
        free(c->word[i]);
    free(c->word);
}

/* A compiler's name may be several words, as "ccache gcc". */
static void add_compiler(struct command *to, const struct compiler *c, const struct cli_options *o)
{
    const char *name = NULL;
    for (int i = 0; i < o->argc && !name; i++)
        name = chosen_by(o->argv[i]);
    for (size_t i = 0; i < 3 && !(name && *name); i++)
        name = getenv(c->variable[i]);
    name = name && *name ? name : c->usual;
    char *word = memory_alloc(strlen(name) + 1, 1);
    for (size_t at = strspn(name, TEXT_BLANKS); name[at]; at += strspn(name + at, TEXT_BLANKS)) {
        at = text_word(name, at, word);
        *LIST_ADD(to->word, to->count, to->room) = memory_copy(word);
    }
    free(word);
}

/* library: what is compiled may become a part of one. */
static void add_compile_options(struct command *to, const struct compiler *c,
                                const struct cli_options *o, const char *folder, bool library)
{
    add(to, "-I%s/include", folder);
    add(to, library ? "-fPIC" : "-fPIE");
    if (c->own)
        add(to, "%s", c->own);
    add(to, "-fstack-clash-protection"); /* large frames meet the guard */
    if (find(o, "--count"))
        add(to, "-fsanitize-coverage=trace-pc");
}

static void add_link_options(struct command *to, const struct cli_options *o, const char *folder)
{
    if (!find(o, "-shared"))
        add(to, "-pie");
    add(to, "-L%s/lib", folder);
    add(to, "-Wl,-rpath,%s/lib", folder); /* programs that configure scripts run call no MPI */
    add(to, "-lmpi_abi");
}

/* ---- questions ---- */

enum {
    COMPILER = 1,
    COMPILE_OPTIONS = 2,
    GIVEN = 4,
    LINK_OPTIONS = 8,
    LINK_ALWAYS = 16, /* even without anything to link */
    INCLUDE_FOLDER = 32,
    LIBRARY_FOLDER = 64,
    LIBRARY = 128,
    VERSION = 256,
    WHOLE = COMPILER | COMPILE_OPTIONS | GIVEN | LINK_OPTIONS,
};

/* What is printed and not run, by the names that MPICH and Open MPI have for it. */
static const struct question {
    const char *names;
    unsigned parts;
} questions[] = {
    {"-show -showme --showme", WHOLE | LINK_ALWAYS},
    {"-compile_info -compile-info", COMPILER | COMPILE_OPTIONS | GIVEN},
    {"-link_info -link-info", COMPILER | GIVEN | LINK_OPTIONS | LINK_ALWAYS},
    {"-showme:command --showme:command", COMPILER},
    {"-showme:compile --showme:compile", COMPILE_OPTIONS},
    {"-showme:link --showme:link", LINK_OPTIONS | LINK_ALWAYS},
    {"-showme:incdirs --showme:incdirs", INCLUDE_FOLDER},
    {"-showme:libdirs --showme:libdirs", LIBRARY_FOLDER},
    {"-showme:libs --showme:libs", LIBRARY},
    {"-showme:version --showme:version", VERSION},
};
enum { QUESTIONS = sizeof(questions) / sizeof(questions[0]) };

static const struct question *question_of(const struct cli_options *o)
{
    for (size_t i = 0; i < QUESTIONS; i++)
        if (find(o, questions[i].names))
            return &questions[i];
    return NULL;
}

/* Whether a word is for the wrapper, not for the compiler. */
static bool is_own(const char *word)
{
    bool own = strcmp(word, "--count") == 0 || chosen_by(word) || text_has_word(fixed, word);
    for (size_t i = 0; i < QUESTIONS; i++)
        own = own || text_has_word(questions[i].names, word);
    return own;
}

static void compose(struct command *to, const struct compiler *c, const struct cli_options *o,
                    const char *folder, unsigned parts)
{
    bool links = !find(o, no_program) && (has_input(o) || parts & LINK_ALWAYS);
    if (parts & COMPILER)
        add_compiler(to, c, o);
    if (parts & COMPILE_OPTIONS)
        add_compile_options(to, c, o, folder, find(o, "-shared") || !(parts & COMPILER));
    for (int i = 0; parts & GIVEN && i < o->argc; i++)
        if (!is_own(o->argv[i]))
            *LIST_ADD(to->word, to->count, to->room) = memory_copy(o->argv[i]);
    if (parts & LINK_OPTIONS && links)
        add_link_options(to, o, folder);
    if (parts & INCLUDE_FOLDER)
        add(to, "%s/include", folder);
    if (parts & LIBRARY_FOLDER)
        add(to, "%s/lib", folder);
    if (parts & LIBRARY)
        add(to, "mpi_abi");
    if (parts & VERSION)
        add(to, "%s: Weft " WEFT_VERSION " (Language: %s)", c->command, c->language);
    *LIST_ADD(to->word, to->count, to->room) = NULL;
    to->count--;
}

static weft_status execute(const struct compiler *c, const struct command *command)
{
    execvp(command->word[0], command->word);
    return BAD_INPUT(NULL, ("%s: %s", command->word[0], strerror(errno)),
                     ("install it, or set %s", c->variable[0]));
}

static void print(const struct command *command)
{
    for (size_t i = 0; i < command->count; i++) {
        cli_print_exactly(command->word[i], strlen(command->word[i]));
        cli_print_exactly(i + 1 < command->count ? " " : "\n", 1);
    }
}

static weft_status check_arguments(const struct cli_options *o)
{
    const char *option = find(o, "-static -static-pie");
    if (option && !find(o, no_program))
        return BAD_INPUT(NULL, ("%s: MPI programs are linked dynamically", option),
                         ("leave it out"));
    for (int i = 0; i < o->argc; i++)
        if ((text_behind(o->argv[i], "-showme") || text_behind(o->argv[i], "--showme")) &&
            !is_own(o->argv[i]))
            return BAD_INPUT(NULL, ("unknown option '%.60s'", o->argv[i]),
                             ("use -showme, -showme:compile or -showme:link"));
    return WEFT_OK;
}

weft_status cmd_compiler(struct cli_options *o)
{
    const struct compiler *c = compilers;
    const struct question *asked = question_of(o);
    struct command command = {.count = 0};
    char folder[DATA_PATH];
    TRY(check_arguments(o));
    if (!data_mpi(folder))
        return BAD_INPUT(NULL, ("mpi.h is not where it was installed"), ("install Weft again"));
    while (strcmp(c->command, o->command->name) != 0)
        c++;
    compose(&command, c, o, folder, asked ? asked->parts : WHOLE);
    weft_status status = asked ? WEFT_OK : execute(c, &command);
    if (asked)
        print(&command);
    drop(&command);
    return status;
}
