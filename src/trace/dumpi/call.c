/* Functions, their names and layouts; calls of them, and their arguments. */
#include <stdio.h>
#include <string.h>

#include "base/list.h"
#include "trace/dumpi/dumpi.h"

enum { WORD = 16 };

/* ROMIO's own functions are IO_... here. */
static const struct {
    const char *name, *layout;
} functions[] = {
#define DUMPI_FUNCTION(NAME, LAYOUT) {"MPI_" #NAME, LAYOUT},
    DUMPI_FUNCTIONS(DUMPI_FUNCTION)
#undef DUMPI_FUNCTION
};

static const struct {
    const char *name;
    enum dumpi_shape shape;
} arguments[] = {
#define DUMPI_ARGUMENT(NAME, WORD, SHAPE) {WORD, DUMPI_##SHAPE},
    DUMPI_ARGUMENT_LIST(DUMPI_ARGUMENT)
#undef DUMPI_ARGUMENT
};

static const char *const shapes[] = {
#define DUMPI_SHAPE(NAME, WORD) WORD,
    DUMPI_SHAPE_LIST(DUMPI_SHAPE)
#undef DUMPI_SHAPE
};

static struct dumpi_field field_of(const char *word)
{
    struct dumpi_field f = {.at_root = *word == '?'};
    word += f.at_root;
    f.argument = dumpi_argument_by_name(word);
    if (f.argument < DUMPI_ARGUMENTS)
        f.shape = arguments[f.argument].shape;
    else
        while (f.shape < DUMPI_SHAPES && strcmp(shapes[f.shape], word) != 0)
            f.shape++;
    return f;
}

unsigned dumpi_function_fields(enum dumpi_function function,
                               struct dumpi_field field[DUMPI_FIELDS_MOST])
{
    unsigned count = 0;
    char word[WORD];
    for (const char *at = functions[function].layout; *at; at += *at == ' ') {
        size_t length = strcspn(at, " ");
        snprintf(word, WORD, "%.*s", (int)length, at);
        field[count++] = field_of(word);
        at += length;
    }
    return count;
}

const char *dumpi_function_name(enum dumpi_function function)
{
    return functions[function].name;
}

enum dumpi_function dumpi_function_by_name(const char *name)
{
    unsigned i = 0;
    while (i < DUMPI_OTHER && strcmp(functions[i].name, name) != 0)
        i++;
    return (enum dumpi_function)i;
}

enum dumpi_argument dumpi_argument_by_name(const char *name)
{
    unsigned i = 0;
    if (strcmp(name, "blocklengths") == 0)
        return DUMPI_LENGTHS;
    while (i < DUMPI_ARGUMENTS && strcmp(arguments[i].name, name) != 0)
        i++;
    return (enum dumpi_argument)i;
}

/* ---- calls ---- */

void dumpi_call_begin(struct dumpi_call *c, enum dumpi_function function, uint64_t where)
{
    c->function = function;
    c->name = function < DUMPI_OTHER ? dumpi_function_name(function) : "the call";
    c->where = where;
    c->clock = DUMPI_CLOCK_NONE;
    c->given = 0;
    c->numbers = 0;
}

struct dumpi_value *dumpi_call_give(struct dumpi_call *c, enum dumpi_argument argument,
                                    uint64_t where)
{
    struct dumpi_value *v = &c->argument[argument];
    c->given |= (uint64_t)1 << argument;
    *v = (struct dumpi_value){.first = c->numbers, .where = where};
    return v;
}

void dumpi_call_add(struct dumpi_call *c, struct dumpi_value *value, int64_t number)
{
    *LIST_ADD(c->number, c->numbers, c->room) = number;
    if (!value->count++)
        value->value = number;
}

weft_status dumpi_call_take(const struct dumpi_call *c, enum dumpi_argument argument, int64_t least,
                            int64_t most, int64_t *value)
{
    const struct dumpi_value *v = dumpi_call_find(c, argument);
    if (v && v->value >= least && v->value <= most) {
        *value = v->value;
        return WEFT_OK;
    }
    char text[96];
    if (v)
        snprintf(text, sizeof(text), "has %s = %lld", arguments[argument].name,
                 (long long)v->value);
    else
        snprintf(text, sizeof(text), "has no %s", arguments[argument].name);
    return dumpi_call_refuse(c, v, text);
}

weft_status dumpi_call_blame(const struct dumpi_call *c, const struct dumpi_value *value,
                             const char *what, const char *remedy)
{
    return BAD_PLACE((c->binary ? "%s:byte %llu" : "%s:%llu:1", c->path,
                      (unsigned long long)(value ? value->where : c->where)),
                     ("%s %s", c->name, what), ("%s", remedy));
}

weft_status dumpi_call_refuse(const struct dumpi_call *c, const struct dumpi_value *value,
                              const char *what)
{
    return dumpi_call_blame(c, value, what,
                            c->binary ? "use what libdumpi has written"
                                      : "use what dumpi2ascii has written");
}
