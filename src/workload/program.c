/*
 * The pattern `program`: what every process runs is a C function (weft_program.h), one of those
 * that come with Weft or the weft_program() of a shared object.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "mpi/world.h"
#include "trace/mpi_replay.h"
#include "workload/programs/programs.h"
#include "workload/workload.h"

static const struct {
    const char *name;
    void (*main)(weft_task *t);
} programs[] = {{"halo", program_halo},
                {"wavefront", program_wavefront},
                {"master", program_master},
                {"fft", program_fft},
                {"collectives", program_collectives}};
enum { PROGRAMS = sizeof(programs) / sizeof(programs[0]), STACK_BYTES = 1 << 16 };

static weft_status load(struct workload *w, const char *path)
{
    char names[128] = "";
    for (unsigned i = 0; i < PROGRAMS; i++)
        snprintf(names + strlen(names), sizeof(names) - strlen(names), "%s, ", programs[i].name);
    if (!strchr(path, '/'))
        return BAD_INPUT("workload.program", ("there is no program '%.60s'", path),
                         ("use one of %sor ./NAME for a shared object", names));
    w->object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!w->object)
        return BAD_INPUT("workload.program", ("%s", dlerror()), ("build it with cc -shared -fPIC"));
    void *symbol = dlsym(w->object, "weft_program");
    if (!symbol)
        return BAD_INPUT("workload.program", ("%s has no function weft_program", path),
                         ("define void weft_program(weft_task *t)"));
    memcpy(&w->task.main, &symbol, sizeof(symbol));
    return WEFT_OK;
}

/* Cuts the arguments into words. */
static void cut_words(struct workload *w)
{
    char *at = w->words = memory_copy(w->params.arguments);
    w->task.argv = memory_alloc(strlen(at) / 2 + 2, sizeof(*w->task.argv));
    for (char *word; (word = strsep(&at, " "));)
        if (*word)
            w->task.argv[w->task.argc++] = word;
}

weft_status mesh_broadcast(struct workload *w)
{
    struct workload_params *p = &w->params;
    const struct torus *t = w->site->torus;
    unsigned longer = 0;
    for (unsigned d = 0; t && d < t->dims; d++)
        longer += t->size[d] > 1;
    if (!t || longer > 2 || w->per_node > 1 || w->processes < t->nodes)
        return BAD_INPUT("workload.algorithm workload.processes workload.processes_per_node "
                         "machine.dims",
                         ("workload.algorithm = mesh needs a line or plane of nodes with "
                          "coordinates, and one process on each"),
                         ("use another"));
    snprintf(p->arguments, sizeof(p->arguments), "%llu %u %u", (unsigned long long)p->message_bytes,
             p->messages, p->piece_bytes);
    w->task.main = program_mesh_broadcast;
    w->task.stack_bytes = STACK_BYTES;
    w->task.collectives = COLLECTIVES_MESSAGES;
    cut_words(w);
    return WEFT_OK;
}

/* Whether a program's collective operations can use what they are to use. */
weft_status program_check_collectives(const struct workload *w)
{
    enum collectives c = w->params.collectives;
    bool all = workload_is_full(w);
    if (c == COLLECTIVES_TREE && (!w->site->tree || !all))
        return BAD_INPUT("workload.collectives workload.processes",
                         ("workload.collectives = tree needs a machine with a tree network, and "
                          "processes on all of its nodes"),
                         ("use auto"));
    if (c == COLLECTIVES_GATES && !w->site->gates)
        return BAD_INPUT("workload.collectives",
                         ("workload.collectives = gates needs a machine with barrier gates"),
                         ("use auto"));
    if (c == COLLECTIVES_PACKETS &&
        (!w->site->spreads || !w->site->whole || !all || w->per_node > 1))
        return BAD_INPUT("workload.collectives workload.processes workload.processes_per_node",
                         ("workload.collectives = packets needs a machine whose processors write "
                          "packets, and one process on each of its nodes, none of them dead"),
                         ("use auto"));
    return WEFT_OK;
}

weft_status program_messages(struct workload *w)
{
    const char *name = w->params.program;
    TRY(program_check_collectives(w));
    w->task.stack_bytes = w->params.stack_bytes ? w->params.stack_bytes : STACK_BYTES;
    w->task.collectives = w->params.collectives;
    cut_words(w);
    for (unsigned i = 0; i < PROGRAMS; i++)
        if (strcmp(programs[i].name, name) == 0)
            w->task.main = programs[i].main;
    return w->task.main ? WEFT_OK : load(w, name);
}

void program_fini(struct workload *w)
{
    world_destroy(w->world);
    mpi_replay_destroy(w->mpi_replay);
    if (w->object)
        dlclose(w->object);
    free(w->task.argv);
    free(w->words);
}
