/* Steps as actions. */
#include "message/script.h"

#include <stdlib.h>

#include "base/memory.h"

struct script {
    uint32_t number; /* of the next step */
    uint32_t ending; /* it waits for the last of its messages */
};

struct script_part {
    struct script *script; /* [process] */
    uint32_t processes;
} __attribute__((aligned(64)));

struct scripts {
    struct program program;
    uint32_t partitions;
    struct script_part *part;
};

static void next(void *ctx, const struct seat *seat, fine_t now, struct action *action)
{
    const struct scripts *all = ctx;
    const struct program *p = &all->program;
    struct script *s = &all->part[seat->partition].script[seat->index];
    struct step step = {.to = NOBODY, .from = NOBODY, .now = now >> FRACTION_BITS};
    bool waits = s->number && !s->ending; /* for what earlier steps left under way */
    bool more = !s->ending && (now >> FRACTION_BITS) < p->stop_at;
    if (!more || !p->step(p->ctx, seat->rank, s->number, &step)) {
        *action = (struct action){.parts = waits ? ACTION_WAIT : ACTION_END};
        s->ending = 1;
        return;
    }
    if (step.timed && fine_at(step.birth) > now) { /* it is asked for again then */
        *action = (struct action){.parts = ACTION_WAIT,
                                  .sends_left = ANY_NUMBER,
                                  .receives_left = ANY_NUMBER,
                                  .sleep = fine_at(step.birth)};
        return;
    }
    s->number++;
    *action = (struct action){.parts = ACTION_WAIT | (step.to == NOBODY ? 0 : ACTION_SEND) |
                                       (step.from == NOBODY ? 0 : ACTION_RECEIVE) |
                                       (step.reduce_bytes ? ACTION_COMBINE : 0),
                              .to = step.to,
                              .from = step.from,
                              .bytes = step.bytes,
                              .from_bytes = step.from_bytes,
                              .sends_left = step.sends_left,
                              .receives_left = step.receives_left,
                              .attachment = ATTACHMENT_NONE,
                              .request = NO_REQUEST,
                              .from_request = NO_REQUEST,
                              .shape = SHAPE_LINES,
                              .from_shape = SHAPE_LINES,
                              .pass_bytes = step.reduce_bytes};
    if (step.collective)
        *action =
            (struct action){.parts = ACTION_COLLECTIVE | (step.reduce_bytes ? ACTION_COMBINE : 0),
                            .pass_bytes = step.reduce_bytes,
                            .collective = step.collective,
                            .bytes = step.bytes,
                            .root = step.root,
                            .varied = step.varied};
}

static void prepare(void *ctx, uint32_t partition, uint32_t processes)
{
    struct script_part *s = &((struct scripts *)ctx)->part[partition];
    s->processes = processes;
    s->script = memory_alloc(processes, sizeof(*s->script));
}

static void archive(void *ctx, uint32_t partition, struct archive *a)
{
    struct script_part *s = &((struct scripts *)ctx)->part[partition];
    archive_bytes(a, s->script, s->processes * sizeof(*s->script));
}

struct scripts *scripts_create(const struct program *program, uint32_t partitions)
{
    struct scripts *all = memory_alloc(1, sizeof(*all));
    *all = (struct scripts){.program = *program, .partitions = partitions};
    all->part = memory_alloc_lines(partitions, sizeof(*all->part));
    return all;
}

void scripts_destroy(struct scripts *all)
{
    if (!all)
        return;
    for (uint32_t i = 0; i < all->partitions; i++)
        free(all->part[i].script);
    free(all->part);
    free(all);
}

struct runner scripts_runner(struct scripts *all)
{
    return (struct runner){.ctx = all,
                           .timely = all->program.timed,
                           .prepare = prepare,
                           .next = next,
                           .archive = archive};
}
