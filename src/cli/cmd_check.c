/* weft check: what can be said of a study before it runs. */
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "machine/family.h"
#include "machine/run.h"

struct check {
    struct config *config;
    weft_status verdict; /* WEFT_FAILED: it can deadlock, or cannot be proved not to */
};

static bool has_workload(const struct config *c)
{
    return c->entry[config_find(c, "workload.pattern")].given > 0;
}

/* The machine and a workload that was given can be built, with all the files that they name. */
static weft_status check_set_up(const struct config *c)
{
    struct session *s;
    if (!has_workload(c))
        return WEFT_OK;
    TRY(session_open(c, &(struct run_options){.threads = 1}, &s));
    session_close(s);
    return WEFT_OK;
}

/* Prints what is found. */
static weft_status check(void *arg)
{
    enum { TEXT = 1 << 20 };
    char size[CONFIG_TEXT];
    struct check *what = arg;
    struct config *c = what->config;
    TRY(machine_finish(c));
    TRY(config_locate(c, family_of(c)->check_routes(c)));
    TRY(check_set_up(c));
    struct machine_facts facts = machine_facts(c);
    uint32_t living = facts.nodes - facts.dead_nodes;
    bool apart = family_of(c)->apart && family_of(c)->apart(c);
    printf("%s %s: the %s valid\n", config_name(c), machine_size_text(c, size),
           has_workload(c) ? "machine and its workload are" : "machine is");
    if (living == 1)
        printf("routes: none is needed by a single %snode\n", facts.damaged ? "living " : "");
    else if (apart)
        printf("routes: every pair of %snodes within a part has one, and no link joins parts\n",
               facts.damaged ? "living " : "");
    else
        printf("routes: every pair of its %u %snodes has one\n", living,
               facts.damaged ? "living " : "");
    char *text = memory_alloc(TEXT, 1);
    what->verdict = family_of(c)->prove(c, text, TEXT);
    if (what->verdict != WEFT_BAD_INPUT)
        printf("deadlock: %s%s\n", what->verdict == WEFT_OK ? "impossible; " : "", text);
    free(text);
    return what->verdict == WEFT_BAD_INPUT ? WEFT_BAD_INPUT : WEFT_OK;
}

static weft_status check_run(struct cli_options *o, weft_run *run)
{
    struct check what = {.config = &run->config};
    TRY(cli_apply(o, &run->config));
    TRY(cli_protected_call(check, &what, "nothing was decided"));
    o->exit_code = (int)what.verdict;
    return WEFT_OK;
}

weft_status cmd_check(struct cli_options *o)
{
    return cli_with_run(o, o->machine, o->names ? o->name[0] : NULL, check_run);
}
