/* All functions that stand in for others; variables; and functions that ranks share in vain. */
#define _GNU_SOURCE
#include <string.h>

#include "base/text/text.h"
#include "posix/internal.h"

static const struct posix_function *const functions[] = {
    life_functions,   clocks_functions,  random_functions,   options_functions, streams_functions,
    print_functions,  threads_functions, context_functions,  signals_functions, unwind_functions,
    timers_functions, folder_functions,  children_functions,
};

void *posix_find(const char *name)
{
    void *found = NULL;
    for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++)
        for (const struct posix_function *f = functions[i]; f->names && !found; f++)
            if (text_has_word(f->names, name))
                memcpy(&found, &f->function, sizeof(found));
    return found;
}

/* ---- variables ---- */

static const int one = 1, question = '?';
static void *const nothing = NULL;

#define POINTER(NAME)                                                                              \
    {                                                                                              \
        .name = NAME, .initial = &nothing, .bytes = sizeof(nothing)                                \
    }

static struct image_variable variables[POSIX_VARIABLES] = {
    [VARIABLE_OPTARG] = POINTER("optarg"),
    [VARIABLE_OPTIND] = {.name = "optind", .initial = &one, .bytes = sizeof(one)},
    [VARIABLE_OPTERR] = {.name = "opterr", .initial = &one, .bytes = sizeof(one)},
    [VARIABLE_OPTOPT] = {.name = "optopt", .initial = &question, .bytes = sizeof(question)},
    [VARIABLE_STREAM + POSIX_OUT] = POINTER("stdout"),
    [VARIABLE_STREAM + POSIX_ERR] = POINTER("stderr"),
    [VARIABLE_STREAM + POSIX_IN] = POINTER("stdin"),
    [VARIABLE_ENVIRONMENT] = POINTER("environ"),
    [VARIABLE_NAME] = POINTER("program_invocation_short_name"),
    [VARIABLE_NAME_OLD] = POINTER("__progname"),
    [VARIABLE_PATH] = POINTER("program_invocation_name"),
    [VARIABLE_PATH_OLD] = POINTER("__progname_full"),
};

struct image_variable *posix_variables(size_t *count)
{
    *count = POSIX_VARIABLES;
    return variables;
}

struct posix_places posix_places(void)
{
    struct posix_places places;
    for (unsigned i = 0; i < POSIX_VARIABLES; i++)
        places.at[i] = variables[i].at;
    return places;
}

/* ---- doubts ---- */

#define ALL(WHAT) "which changes " WHAT " of all ranks"

/* Names are separated by single spaces. */
static const struct {
    const char *names, *doubt;
} doubts[] = {
    {"system popen fork vfork posix_spawn posix_spawnp", "whose children take no simulated time"},
    {"pthread_create thrd_create", "whose threads take no simulated time, and must not call MPI"},
    {"umask", ALL("the file mode mask")},
    {"setlocale", ALL("the language")},
    {"mallopt", ALL("the memory")},
    {"dup2", ALL("files, and perhaps the standard output,")},
    {"setrlimit", "which limits the simulator"},
    {"timer_create timerfd_create", "which goes by the computer's time, not by simulated time"},
    {"sigaltstack", "which changes the stack of the simulator's own handlers"},
    {"getcontext", "which leaves the rank's stack"},
    {"sigsuspend sigwait sigwaitinfo sigtimedwait", "which waits for signals of the computer"},
    {"settimeofday clock_settime", "which sets the computer's clock"},
    {"dlopen", "which loads one copy for all ranks"},
};

const char *posix_doubt(const char *name)
{
    for (size_t i = 0; i < sizeof(doubts) / sizeof(doubts[0]); i++)
        if (text_has_word(doubts[i].names, name))
            return doubts[i].doubt;
    return NULL;
}
