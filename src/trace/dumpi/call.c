/* Arguments of a call. */
#include "trace/dumpi/call.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/list.h"
#include "base/memory.h"

void dumpi_call_fini(struct dumpi_call *c)
{
    free(c->number);
    c->number = NULL;
    c->room = 0;
}

void dumpi_call_begin(struct dumpi_call *c, enum dumpi_function function, uint64_t place)
{
    c->function = function;
    c->name = function < DUMPI_OTHER ? dumpi_function_name(function) : "the call";
    c->place = place;
    c->clock = DUMPI_CLOCK_NONE;
    c->given = 0;
    c->numbers = 0;
}

struct dumpi_value *dumpi_call_give(struct dumpi_call *c, enum dumpi_argument argument,
                                    uint64_t place)
{
    struct dumpi_value *v = &c->argument[argument];
    c->given |= (uint64_t)1 << argument;
    *v = (struct dumpi_value){.first = c->numbers, .place = place};
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
        snprintf(text, sizeof(text), "has %s = %lld", dumpi_argument_name(argument),
                 (long long)v->value);
    else
        snprintf(text, sizeof(text), "has no %s", dumpi_argument_name(argument));
    return dumpi_call_refuse(c, v, text);
}

weft_status dumpi_call_blame(const struct dumpi_call *c, const struct dumpi_value *value,
                             const char *what, const char *remedy)
{
    unsigned long long place = value ? value->place : c->place;
    if (c->binary)
        return BAD_PLACE(("%s:byte %llu", c->path, place), ("%s %s", c->name, what),
                         ("%s", remedy));
    return BAD_PLACE(("%s:%llu:1", c->path, place), ("%s %s", c->name, what), ("%s", remedy));
}

weft_status dumpi_call_refuse(const struct dumpi_call *c, const struct dumpi_value *value,
                              const char *what)
{
    return dumpi_call_blame(c, value, what,
                            c->binary ? "use what libdumpi has written"
                                      : "use what dumpi2ascii has written");
}
