/* Every process writes to the world outside, or reads from it, by the I/O node of its processing
 * set (MSG, 2; node/io.h). */
#include "workload/patterns/patterns.h"

#include <stdio.h>

struct io_pattern_params {
    enum { OPERATION_WRITE, OPERATION_READ } operation;
};

static const char *const operations[] = {"write", "read", NULL};

static const struct key rows[] = {
    {"workload.operation", KEY_CHOICE, offsetof(struct io_pattern_params, operation), "", "write",
     .choices = operations, .help = "io: what every process does", .before = "workload.algorithm"},
};

static const struct key_section section = {sizeof(struct io_pattern_params)};
static const struct key_table keys = {rows, sizeof(rows) / sizeof(rows[0]), &section};

static bool io_pattern_step(void *ctx, uint32_t process, uint32_t number, struct step *step)
{
    const struct workload *w = ctx;
    (void)process;
    *step = (struct step){.to = NOBODY,
                          .from = NOBODY,
                          .bytes = w->params.message_bytes,
                          .collective = w->collective};
    return number < w->params.messages;
}

static weft_status io_messages(struct workload *w)
{
    const struct io_pattern_params *own = config_section(w->config, &section);
    if (!w->params.messages)
        return BAD_INPUT("workload.messages", ("workload.messages = 0: the run must end"),
                         ("use 1 or more"));
    w->collective = own->operation == OPERATION_READ ? STEP_READ_IN : STEP_WRITE_OUT;
    w->program.step = io_pattern_step;
    return WEFT_OK;
}

/* ", 87520 B written" */
static bool describe(const struct config *c, enum layer as, char text[CONFIG_TEXT])
{
    const struct io_pattern_params *own = config_section(c, &section);
    (void)as;
    snprintf(text, CONFIG_TEXT, ", %llu B %s",
             (unsigned long long)config_workload(c)->message_bytes,
             own->operation == OPERATION_READ ? "read" : "written");
    return true;
}

const struct pattern io_pattern = {
    .name = "io",
    .needs = SITE_IO,
    .messages = io_messages,
    .message_keys = "message_bytes messages processes_per_node processes mapping operation",
    .message_work = "I/O of {who}, {times} (operation: {operation}): {message_bytes} bytes",
    .keys = &keys,
    .describe = describe};
