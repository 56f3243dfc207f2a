/* The programs of the pattern `mpi`, as keys name them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/list.h"
#include "base/memory.h"
#include "base/text/number.h"
#include "base/text/text.h"
#include "config/data.h"
#include "workload/programs/programs.h"

static const char more[] = "workload.more_programs", form[] = "write : RANKS PROGRAM ARGUMENT...";

/* ---- words ---- */

/* Cuts a text into words, as a shell has them, which end with NULL; `first` is a word before them,
 * or NULL. */
static struct mpi_words cut(const char *first, const char *text)
{
    size_t before = first ? strlen(first) + 1 : 0;
    struct mpi_words w = {.letters = memory_alloc(before + 2 * strlen(text) + 2, 1),
                          .word = memory_alloc(strlen(text) + 3, sizeof(*w.word))};
    char *to = w.letters + before;
    if (first)
        w.word[w.count++] = strcpy(w.letters, first);
    for (size_t at = strspn(text, TEXT_BLANKS); text[at]; at += strspn(text + at, TEXT_BLANKS)) {
        w.word[w.count++] = to;
        at = text_word(text, at, to);
        to += strlen(to) + 1;
    }
    return w;
}

bool mpi_is_variable(const char *word)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    size_t length = strspn(word, letters);
    return length && word[length] == '=' && !(word[0] >= '0' && word[0] <= '9');
}

/* ---- programs ---- */

/* A path; or the name of a program that comes with Weft. */
static weft_status find_program(const char *name, char **path)
{
    char folder[DATA_PATH], own[DATA_PATH + CONFIG_TEXT + 16];
    const char *found = strchr(name, '/') || access(name, F_OK) == 0 ? name : NULL;
    if (!found && data_mpi(folder)) {
        snprintf(own, sizeof(own), "%s/programs/%s", folder, name);
        found = access(own, F_OK) == 0 ? own : NULL;
    }
    if (!found)
        return BAD_INPUT("workload.program", ("there is no program '%.60s'", name),
                         ("give a path, or one of pingpong, exchange, grid, "
                          "collective, fft_volume, fft_slabs"));
    *path = memory_copy(found);
    return WEFT_OK;
}

static weft_status add(struct mpi_programs *list, const struct mpi_program *program)
{
    char *path;
    TRY(find_program(program->argv[0], &path));
    struct mpi_program *added = LIST_ADD(list->item, list->count, list->room);
    *added = *program;
    added->path = path;
    return WEFT_OK;
}

/* Reads what stands behind a colon; word[0] is the number of ranks. The list of variables, which
 * ends with NULL, takes its place and theirs. */
static weft_status read_program(struct mpi_programs *list, char **word)
{
    struct mpi_program p = {.environment = word};
    int64_t ranks;
    if (!word[0] || !number_integer(word[0], &ranks) || ranks < 1 || ranks > UINT32_MAX)
        return BAD_INPUT(more, ("'%.60s' is not a number of ranks", word[0] ? word[0] : ""),
                         ("%s", form));
    for (; word[1] && mpi_is_variable(word[1]); word++)
        word[0] = word[1];
    word[0] = NULL;
    p.ranks = (uint32_t)ranks;
    p.argv = word + 1;
    while (p.argv[p.argc])
        p.argc++;
    return p.argc ? add(list, &p)
                  : BAD_INPUT(more, ("there is no program for %u ranks", p.ranks), ("%s", form));
}

static weft_status read_more(struct mpi_programs *list)
{
    char **word = list->more.word;
    if (word[0] && strcmp(word[0], ":") != 0)
        return BAD_INPUT(more, ("'%.60s' stands where a colon must be", word[0]), ("%s", form));
    for (size_t i = 0, next = 1; i < list->more.count; i = next++) {
        while (word[next] && strcmp(word[next], ":") != 0)
            next++;
        word[next] = NULL;
        TRY(read_program(list, &word[i + 1]));
    }
    return WEFT_OK;
}

/* The first program has the ranks that the others leave. */
static weft_status count_ranks(struct mpi_programs *list, uint32_t processes)
{
    uint64_t others = 0;
    for (uint32_t i = 1; i < list->count; i++)
        others += list->item[i].ranks;
    if (others >= processes)
        return BAD_INPUT("workload.processes workload.more_programs",
                         ("further programs have %llu ranks, and there are %u processes",
                          (unsigned long long)others, processes),
                         ("use more processes"));
    list->item[0].ranks = processes - (uint32_t)others;
    return WEFT_OK;
}

static weft_status read_all(struct mpi_programs *list, const struct mpi_program *first,
                            uint32_t processes)
{
    for (char **v = list->environment.word; *v; v++)
        if (!mpi_is_variable(*v))
            return BAD_INPUT("workload.environment", ("'%.60s' is not a variable", *v),
                             ("write NAME=VALUE"));
    TRY(add(list, first));
    TRY(read_more(list));
    return count_ranks(list, processes);
}

weft_status mpi_programs_read(const struct config *c, uint32_t processes, struct mpi_programs *list)
{
    const struct program_params *own = config_section(c, &program_section);
    const struct mpi_run_params *run = config_section(c, &mpi_run_section);
    *list = (struct mpi_programs){.arguments = cut(own->program, own->arguments),
                                  .environment = cut(NULL, run->environment),
                                  .more = cut(NULL, run->more_programs)};
    const struct mpi_program first = {.argc = (int)list->arguments.count,
                                      .argv = list->arguments.word,
                                      .environment = list->environment.word};
    weft_status status = read_all(list, &first, processes);
    if (status != WEFT_OK)
        mpi_programs_drop(list);
    return status;
}

void mpi_programs_drop(struct mpi_programs *list)
{
    const struct mpi_words *words[] = {&list->arguments, &list->environment, &list->more};
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        free(words[i]->letters);
        free(words[i]->word);
    }
    for (uint32_t i = 0; i < list->count; i++)
        free((char *)list->item[i].path);
    free(list->item);
    *list = (struct mpi_programs){.count = 0};
}
