/*
 * The pattern `program`: what every process runs is a C function (weft_program.h), one of those
 * that come with Weft or the weft_program() of a shared object.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file/input.h"
#include "base/memory.h"
#include "workload/programs/builtin.h"
#include "workload/programs/programs.h"

#define AT(field) offsetof(struct program_params, field)

static const char *const collectives[] = {"auto", "messages", "packets", "tree", "gates", NULL};

static const struct key rows[] = {
    {"workload.program", KEY_TEXT, AT(program), "", "halo",
     .help = "program: halo, wavefront, master, fft, boxes, transposes, or the path of a shared "
             "object; mpi: the path of an executable",
     .before = "workload.mapping"},
    {"workload.arguments", KEY_TEXT, AT(arguments), "", "",
     .help = "program, mpi: its arguments, separated by blanks", .before = "workload.mapping"},
    {"workload.stack_bytes", KEY_U32, AT(stack_bytes), "B", "0", 0, 1 << 30,
     .help = "program, mpi: stack of each process; memory is taken as it is used. 0: 64 KiB; mpi: "
             "8 MiB, or 1 MiB for more than 16384 processes",
     .before = "workload.mapping"},
    {"workload.collectives", KEY_CHOICE, AT(collectives), "", "auto", .choices = collectives,
     .help = "what collective operations of a program use; auto: the machine's own, or messages",
     .before = "workload.sizes"},
};

const struct key_section program_section = {sizeof(struct program_params)};
static const struct key_table program_keys = {rows, sizeof(rows) / sizeof(rows[0]),
                                              &program_section};

struct program_run {
    void *object; /* that it is from; NULL: Weft itself */
    char *words;  /* of its arguments */
};

static const struct built_in {
    const char *name;
    void (*main)(weft_task *t);
    bool rings; /* it counts distances around rings */
} programs[] = {{.name = "halo", .main = program_halo},
                {.name = "wavefront", .main = program_wavefront},
                {.name = "master", .main = program_master},
                {.name = "fft", .main = program_fft},
                {.name = "boxes", .main = program_boxes},
                {.name = "transposes", .main = program_transposes, .rings = true},
                {.name = "collectives", .main = program_collectives}};
enum { PROGRAMS = sizeof(programs) / sizeof(programs[0]) };

static weft_status load_program(struct workload *w, const char *path)
{
    struct program_run *run = w->state;
    char names[128] = "";
    for (unsigned i = 0; i < PROGRAMS; i++)
        snprintf(names + strlen(names), sizeof(names) - strlen(names), "%s, ", programs[i].name);
    if (!strchr(path, '/'))
        return BAD_INPUT("workload.program", ("there is no program '%.60s'", path),
                         ("use one of %sor ./NAME for a shared object", names));
    run->object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!run->object)
        return BAD_INPUT("workload.program", ("%s", dlerror()), ("build it with cc -shared -fPIC"));
    void *symbol = dlsym(run->object, "weft_program");
    if (!symbol)
        return BAD_INPUT("workload.program", ("%s has no function weft_program", path),
                         ("define void weft_program(weft_task *t)"));
    memcpy(&w->task.main, &symbol, sizeof(symbol));
    return WEFT_OK;
}

/* Cuts the arguments into words. */
static void cut_words(struct workload *w, const char *arguments)
{
    struct program_run *run = w->state;
    char *at = run->words = memory_copy(arguments);
    w->task.argv = memory_alloc(strlen(at) / 2 + 2, sizeof(*w->task.argv));
    for (char *word; (word = strsep(&at, " "));)
        if (*word)
            w->task.argv[w->task.argc++] = word;
}

weft_status program_check_collectives(const struct workload *w, enum collectives c)
{
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
    if (c == COLLECTIVES_PACKETS && !w->site->spreads)
        return BAD_INPUT("workload.collectives",
                         ("workload.collectives = packets needs a machine whose processors write "
                          "packets"),
                         ("use auto"));
    return WEFT_OK;
}

static weft_status check_rings(const struct workload *w, const struct built_in *program)
{
    const struct torus *t = w->site->torus;
    for (unsigned d = 0; program->rings && t && d < t->dims; d++)
        if (!t->wrap[d] && t->size[d] > 1)
            return BAD_INPUT("workload.program machine.wrap",
                             ("the program %s needs a torus, and the %u nodes along axis %c are a "
                              "line",
                              program->name, t->size[d], "xyzuvw"[d]),
                             ("use machine.wrap = true, or another program"));
    return WEFT_OK;
}

static weft_status find_program(struct workload *w, const char *name)
{
    for (unsigned i = 0; i < PROGRAMS; i++)
        if (strcmp(programs[i].name, name) == 0) {
            w->task.main = programs[i].main;
            return check_rings(w, &programs[i]);
        }
    return load_program(w, name);
}

static weft_status program_messages(struct workload *w)
{
    const struct program_params *own = config_section(w->config, &program_section);
    TRY(program_check_collectives(w, own->collectives));
    TRY(workload_order_processes(w));
    w->state = memory_alloc(1, sizeof(struct program_run));
    w->task.stack_bytes = own->stack_bytes ? own->stack_bytes : PROGRAM_STACK_BYTES;
    w->task.collectives = own->collectives;
    cut_words(w, own->arguments);
    return find_program(w, own->program);
}

static void program_fini(struct workload *w)
{
    struct program_run *run = w->state;
    if (run->object)
        dlclose(run->object);
    free(w->task.argv);
    free(run->words);
}

uint64_t program_fingerprint(const struct config *c)
{
    const struct program_params *own = config_section(c, &program_section);
    return workload_files(c) ^ (strchr(own->program, '/') ? input_hash(own->program) : 0);
}

bool program_describe(const struct config *c, enum layer as, char text[CONFIG_TEXT])
{
    const struct program_params *own = config_section(c, &program_section);
    (void)as;
    snprintf(text, CONFIG_TEXT, " %.200s", own->program);
    return true;
}

const struct pattern program_pattern = {
    .name = "program",
    .kind = PATTERN_PROGRAM,
    .messages = program_messages,
    .message_keys =
        "program arguments stack_bytes collectives order processes_per_node processes mapping",
    .keys = &program_keys,
    .fini = program_fini,
    .fingerprint = program_fingerprint,
    .message_work = "{who} of the program {program} {arguments}",
    .describe = program_describe};
