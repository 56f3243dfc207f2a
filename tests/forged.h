/*
 * Forged checkpoints: bytes of a state changed, the checksum made anew so that it fits. A run that
 * goes on from one is refused, fails or ends somehow; it reads and writes nothing that is not its
 * own.
 */
#ifndef WEFT_TESTS_FORGED_H
#define WEFT_TESTS_FORGED_H

#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "config/data.h"
#include "machine/checkpoint.h"
#include "machine/family.h"
#include "machine/machine.h"
#include "machine/run.h"
#include "machine/session_state.h"

/* Of a checkpoint: what comes before the program's mark, and the least that can be signed. */
enum { FORGED_MARK = 12, FORGED_LEAST = FORGED_MARK + 8 + 8 };

/* Makes bytes the work of this program, whole. */
static inline void forged_sign(unsigned char *bytes, size_t size)
{
    uint64_t program = data_program();
    memcpy(bytes + FORGED_MARK, &program, sizeof(program));
    uint64_t sum = archive_sum(bytes, size - sizeof(sum));
    memcpy(bytes + size - sizeof(sum), &sum, sizeof(sum));
}

/* Where the state begins; 0: it is no checkpoint. */
static inline size_t forged_state(unsigned char *bytes, size_t size)
{
    struct checkpoint *c;
    if (checkpoint_parse("forged", bytes, size, &c) != WEFT_OK)
        return 0;
    size_t at = (size_t)(c->state.at - bytes);
    checkpoint_free(c);
    return at;
}

struct forged_end {
    struct session *session;
    struct run_result *result;
};

static inline weft_status forged_finish(void *arg)
{
    const struct forged_end *end = arg;
    return session_finish(end->session, end->result);
}

/* Restores the state, and goes on for so many cycles to a result. */
static inline weft_status forged_run(struct checkpoint *c, cycle_t cycles)
{
    struct run_options o = {.threads = 1, .resume = c};
    struct run_result *r = calloc(1, sizeof(*r));
    struct session *s;
    weft_status status = session_open(&c->config, &o, &s);
    if (status != WEFT_OK) {
        free(r);
        return status;
    }
    status = session_run(s, 1); /* it stands beyond, and stops before it runs anything */
    if (status == WEFT_OK && !session_is_over(s))
        status = session_run(s, s->outcome.now + cycles);
    if (status == WEFT_OK) {
        struct forged_end end = {s, r};
        status = protected_call(forged_finish, &end);
        if (status == WEFT_OK || r->deadlock)
            run_result_fini(r);
    }
    session_close(s);
    free(r);
    return status;
}

/* A checkpoint of a machine that is small enough, gone on from. */
static inline weft_status forged_resume(unsigned char *bytes, size_t size, uint32_t most_nodes,
                                        cycle_t cycles)
{
    struct checkpoint *c;
    weft_status status = checkpoint_parse("forged", bytes, size, &c);
    if (status != WEFT_OK)
        return status;
    status = machine_finish(&c->config);
    if (status == WEFT_OK && machine_facts(&c->config).nodes <= most_nodes)
        status = forged_run(c, cycles);
    checkpoint_free(c);
    return status;
}

#endif
