/* The arguments of a command. */
#include "cli/cli.h"

#include <string.h>

#include "base/file/output.h"
#include "base/text/suggest.h"

weft_status cli_set(const struct cli_setting *s, struct config *c)
{
    char place[128];
    snprintf(place, sizeof(place), "%s %.80s", s->option, s->value);
    return s->key ? config_set(c, s->key, s->value, place) : config_override(c, s->value);
}

weft_status cli_apply(const struct cli_options *o, struct config *c)
{
    if (several_given(o))
        return several_apply(o, c);
    for (unsigned i = 0; i < o->sets; i++)
        TRY(cli_set(&o->set[i], c));
    return WEFT_OK;
}

static weft_status refuse_both(const struct cli_setting *a, const struct cli_setting *b,
                               const char *remedy)
{
    return BAD_INPUT(
        NULL, ("%s %.60s and %s %.60s: only one can be", a->option, a->value, b->option, b->value),
        ("leave one out%s", remedy));
}

/* One of two values would be lost. */
static weft_status take_once(struct cli_options *o, const struct cli_option *option,
                             const char *value)
{
    if (option->repeated)
        return WEFT_OK;
    const struct cli_setting own = {.option = option->name, .value = value};
    for (unsigned i = 0; i < o->onces; i++)
        if (cli_same_thing(o->once[i].option, option->name))
            return refuse_both(&o->once[i], &own, "");
    WEFT_CHECK(o->onces < sizeof(o->once) / sizeof(o->once[0]), "more options than there are");
    o->once[o->onces++] = own;
    return WEFT_OK;
}

/* Two patterns, or a pattern and a program, without nodes of their own. */
static weft_status check_workloads(const struct cli_options *o)
{
    const struct cli_setting *first = NULL;
    bool on_nodes = cli_option_of(o->command, "--on");
    for (unsigned i = 0; i < o->sets && !several_given(o); i++) {
        const struct cli_setting *s = &o->set[i];
        if (strcmp(s->option, "-w") != 0 &&
            (strcmp(s->option, "-p") != 0 || strcmp(s->key, "workload.program") != 0))
            continue;
        if (first)
            return refuse_both(first, s,
                               on_nodes ? ", or give each its nodes: -w PATTERN --on NODES" : "");
        first = s;
    }
    return WEFT_OK;
}

/* "-s machine.dims 8x8x8", and "machine.dims = 8x8x8": what is meant by the words that follow. */
static weft_status refuse_blank(const struct cli_option *option, const char *key, char *const *next,
                                int count)
{
    bool sign = next && count > 1 && strcmp(next[0], "=") == 0;
    const char *value = next && count > sign ? next[sign] : "-";
    if (value[0] == '-')
        return BAD_INPUT(NULL, ("%s %.60s has no value", option->name, key),
                         ("write %s %.60s=%s", option->name, key, strchr(option->value, '=') + 1));
    return BAD_INPUT(
        NULL, ("%s %.60s%s %.60s is not one word", option->name, key, sign ? " =" : "", value),
        ("write %s %.60s=%.60s", option->name, key, value));
}

static weft_status unknown_option(const struct cli_command *command, const char *word)
{
    char name[64];
    snprintf(name, sizeof(name), "%.*s", (int)strcspn(word, "="), word);
    struct suggestion suggestion = suggestion_for(name);
    for (size_t i = 0; i < cli_known_option_count; i++)
        if (cli_option_of(command, cli_known_options[i].name))
            suggestion_offer(&suggestion, cli_known_options[i].name);
    return suggestion_remedy(&suggestion,
                             BAD_INPUT(NULL, ("unknown option '%.60s'", word),
                                       ("`weft %s --help` lists the options", command->name)));
}

/* The option of a word, and its value if that is in the same word: -j2, --seed=2. NULL: there is
 * none; -seed is no -s. */
static const struct cli_option *split_option(const char *word, const char **value)
{
    char name[64];
    const struct cli_option *option = cli_option_of(NULL, word);
    const char *equals = strchr(word, '=');
    *value = NULL;
    if (option)
        return option;
    bool is_long = word[1] == '-';
    if (is_long && !equals)
        return NULL;
    if (is_long) {
        snprintf(name, sizeof(name), "%.*s", (int)(equals - word), word);
        *value = equals + 1;
    } else {
        snprintf(name, sizeof(name), "-%s", word);
        if (cli_option_of(NULL, name))
            return NULL;
        snprintf(name, sizeof(name), "-%c", word[1]);
        *value = word + 2;
    }
    option = cli_option_of(NULL, name);
    return option && option->value ? option : NULL;
}

static weft_status take_option(struct cli_options *o, int *at)
{
    const char *value, *command = o->command->name;
    const struct cli_option *option = split_option(o->argv[*at], &value);
    if (!option)
        return unknown_option(o->command, o->argv[*at]);
    if (!cli_option_of(o->command, option->name))
        return BAD_INPUT(NULL, ("`weft %s` has no option %s", command, option->name),
                         ("`weft %s --help` lists the options", command));
    if (!option->value)
        return option->take(o, option, NULL);
    if (!value && (*at + 1 == o->argc || cli_option_of(NULL, o->argv[*at + 1])))
        return BAD_INPUT(NULL, ("%s needs a value", option->name),
                         ("give it as %s %s", option->name, option->value));
    value = value ? value : o->argv[++*at];
    TRY(take_once(o, option, value));
    if (strcmp(value, "-") == 0 && option->written)
        TRY(output_take_standard());
    if (option->completes == CLI_KEYS && !strchr(value, '='))
        return refuse_blank(option, value, o->command->passes ? NULL : o->argv + *at + 1,
                            o->argc - *at - 1);
    return option->take(o, option, value);
}

weft_status cli_parse(const struct cli_command *command, int argc, char **argv,
                      struct cli_options *o)
{
    *o = (struct cli_options){.command = command,
                              .argc = argc,
                              .argv = argv,
                              .threads = 1,
                              .team = {1},
                              .teams = 1,
                              .debugged_rank = CLI_NO_RANK};
    if (command->passes == CLI_PASSES_ALL)
        return WEFT_OK;
    for (int i = 0; i < argc && !o->rest; i++) {
        if (argv[i][0] == '-' && argv[i][1])
            TRY(take_option(o, &i));
        else if (command->passes == CLI_PASSES_PROGRAM)
            o->rest = &argv[i];
        else if (o->names == sizeof(o->name) / sizeof(o->name[0]))
            return BAD_INPUT(NULL, ("too many arguments"), ("use fewer"));
        else
            o->name[o->names++] = argv[i];
    }
    TRY(check_workloads(o));
    if (o->teams > 1 && command->run != cmd_bench)
        return BAD_INPUT(NULL, ("-j with a list is for `weft bench`"), ("use one number"));
    if (command->takes && (o->names < command->least || o->names > command->most))
        return BAD_INPUT(NULL, ("`weft %s` takes %s", command->name, command->takes),
                         ("%s", command->remedy));
    return WEFT_OK;
}
