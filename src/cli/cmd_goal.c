/* weft goal: traces in GOAL, of patterns and of skeletons of programs, and from one form to the
 * other. */
#include "cli/cli.h"

#include <string.h>

#include "base/text/suggest.h"
#include "base/file/output.h"
#include "base/text/text.h"
#include "machine/family.h"
#include "machine/run.h"
#include "message/process.h"
#include "trace/goal/skeletons/skeleton.h"
#include "workload/workload.h"

/* ---- what there is ---- */

/* Patterns that a trace can be made of: with messages, and without a file or program of their own.
 */
static bool is_exported(const struct pattern *p)
{
    return p->messages && (p->kind == PATTERN_CLOSED || p->kind == PATTERN_OPEN);
}

/* Algorithms of a pattern that consist of messages. */
static void list_pattern(const struct pattern *p)
{
    static const char without[] = "packets tree recast two_phase gates interrupt mesh deposit";
    char names[256], *at = names, *word;
    const char *before = "algorithm=";
    printf("  %-22s ", p->name);
    snprintf(names, sizeof(names), "%s", p->algorithms ? p->algorithms : "");
    while ((word = strsep(&at, " ")))
        if (*word && !text_has_word(without, word)) {
            printf("%s%s", before, word);
            before = " or ";
        }
    putchar('\n');
}

static void list_all(void)
{
    char name[64];
    printf(
        "patterns, with the keys of workload.* that `weft keys` lists, as message_bytes=4096:\n");
    for (size_t i = 0; i < pattern_count; i++)
        if (is_exported(patterns[i]))
            list_pattern(patterns[i]);
    printf("skeletons of programs, with their keys:\n");
    for (size_t i = 0; i < skeleton_count; i++) {
        printf("  %-22s %s\n", skeletons[i]->name, skeletons[i]->help);
        for (size_t k = 0; k < skeletons[i]->keys.keys; k++) {
            const struct key *key = &skeletons[i]->keys.key[k];
            snprintf(name, sizeof(name), "%s=%s", key->name, key->default_value);
            printf("    %-20s %-4s %s\n", name, key->unit, key->help);
        }
    }
}

/* ---- KEY=VALUE ---- */

/* Cuts an argument in two. */
static weft_status cut(const char *argument, char key[64], const char **value)
{
    const char *sign = strchr(argument, '=');
    if (!sign || sign == argument || sign - argument >= 64)
        return BAD_INPUT(NULL, ("'%.60s' is not KEY=VALUE", argument),
                         ("give one pattern or skeleton, and then its keys"));
    snprintf(key, 64, "%.*s", (int)(sign - argument), argument);
    *value = sign + 1;
    return WEFT_OK;
}

/* ---- skeletons ---- */

static weft_status write_skeleton(const struct skeleton *s, const struct cli_options *o)
{
    struct skeleton_params p;
    char key[64];
    const char *value = "";
    skeleton_defaults(s, &p);
    p.ranks = o->ranks;
    if (o->machine || o->sets > (o->ranks > 0))
        return BAD_INPUT(NULL, ("%s needs no machine and no settings of one", s->name),
                         ("give its own keys; `weft goal --list` lists them"));
    for (unsigned i = 1; i < o->names; i++) {
        TRY(cut(o->name[i], key, &value));
        TRY(skeleton_set(s, key, value, &p));
    }
    TRY(s->complete(&p));
    if (p.ranks > PROCESSES_MOST)
        return BAD_INPUT(NULL, ("%u ranks", p.ranks), ("use at most %d", PROCESSES_MOST));
    return skeleton_write(s, &p, o->output, o->binary);
}

/* ---- patterns ---- */

struct exporting {
    const struct config *config;
    const struct cli_options *o;
};

static weft_status export_pattern(void *arg)
{
    const struct exporting *e = arg;
    const struct software_params *software = config_section(e->config, &software_section);
    struct session *s;
    TRY(session_open(e->config, &(struct run_options){.threads = 1}, &s));
    weft_status status = workload_export(session_model(s)->workload, software->reduce_mb_per_s,
                                         e->o->output, e->o->binary);
    session_close(s);
    return status;
}

/* Without a machine, one of as many nodes as there are ranks. */
static weft_status configure(struct config *c, const struct cli_options *o)
{
    char key[64], full[80], ranks[16];
    const char *value = "";
    snprintf(ranks, sizeof(ranks), "%u", o->ranks);
    TRY(config_set(c, "workload.pattern", o->name[0], o->name[0]));
    TRY(config_set(c, "workload.as", "messages", o->name[0]));
    if (o->ranks && !o->machine)
        TRY(config_set(c, "machine.nodes", ranks, "-n"));
    for (unsigned i = 1; i < o->names; i++) {
        TRY(cut(o->name[i], key, &value));
        snprintf(full, sizeof(full), "workload.%s", key);
        TRY(config_set(c, full, value, o->name[i]));
    }
    TRY(cli_apply(o, c));
    return machine_finish(c);
}

static weft_status write_pattern(struct cli_options *o, weft_run *run)
{
    TRY(configure(&run->config, o));
    return config_locate(&run->config,
                         protected_call(export_pattern, &(struct exporting){&run->config, o}));
}

/* ---- forms ---- */

static weft_status convert(const struct cli_options *o)
{
    struct goal g;
    if (o->names || o->machine || o->sets)
        return BAD_INPUT(NULL, ("--convert takes a trace and -o, and nothing else"),
                         ("use `weft goal --convert IN -o OUT`"));
    if (output_is_same(o->convert, o->output))
        return BAD_INPUT(NULL, ("--convert and -o name the same file"), ("use two"));
    bool binary = o->binary || !goal_is_binary(o->convert);
    TRY(goal_open(o->convert, &g));
    weft_status status = goal_convert(&g, o->output, binary);
    goal_close(&g);
    return status;
}

static weft_status unknown_name(const char *name)
{
    struct suggestion suggestion = suggestion_for(name);
    for (size_t i = 0; i < skeleton_count; i++)
        suggestion_offer(&suggestion, skeletons[i]->name);
    for (size_t i = 0; i < pattern_count; i++)
        if (is_exported(patterns[i]))
            suggestion_offer(&suggestion, patterns[i]->name);
    return suggestion_remedy(
        &suggestion, BAD_INPUT(NULL, ("'%.60s' is no pattern of messages and no skeleton", name),
                               ("`weft goal --list` lists them")));
}

weft_status cmd_goal(struct cli_options *o)
{
    if (o->list) {
        list_all();
        return WEFT_OK;
    }
    if (o->convert)
        return o->output ? convert(o) : BAD_INPUT(NULL, ("no file to write"), ("name it by -o"));
    if (!o->names)
        return BAD_INPUT(NULL, ("no pattern and no skeleton"), ("`weft goal --list` lists them"));
    TRY(o->output ? WEFT_OK : output_take_standard());
    o->output = o->output ? o->output : "-";
    const struct skeleton *s = skeleton_find(o->name[0]);
    for (size_t i = 0; !s && i < pattern_count; i++)
        if (strcmp(patterns[i]->name, o->name[0]) == 0 && is_exported(patterns[i]))
            return cli_with_run(o, o->machine ? o->machine : "ideal", NULL, write_pattern);
    return s ? write_skeleton(s, o) : unknown_name(o->name[0]);
}
