/* Accesses of ranks. */
#include "mpi/object/file.h"

#include <stdlib.h>

#include "mpi/object/type.h"
#include "mpi/rank.h"

/* Does what the rank has asked for before, and owes. */
static void catch_up(struct rank *r)
{
    task_wait_until(r->task, NULL, 0, 0);
}

void access_ask(struct rank *r, struct access *a)
{
    const struct io_params *io = &r->world->o.io;
    catch_up(r);
    a->turn = (struct turn){task_now(r->task), r->task->rank, ++r->accesses};
    a->server = r->task->node / io->nodes_per;
    a->call = task_length(r->task, io->call_us * 1e-6);
    a->byte = (double)task_length(r->task, 1) / (io->mb_per_s * 1e6);
    storage_add(&r->world->storage, a);
}

fine_t access_look(const struct rank *r, const struct access *a)
{
    return a->known ? a->end : a->turn.asked + task_settling(r->task);
}

bool access_is_over(struct rank *r, struct access *a)
{
    if (task_now(r->task) < access_look(r, a))
        return false;
    if (!a->known) {
        /* A processor may be ahead of the others' time: not one that has slept. */
        catch_up(r);
        task_wait_until(r->task, NULL, 0, task_now(r->task) + 1);
        storage_perform(&r->world->storage, a);
        a->known = true;
    }
    return task_now(r->task) >= a->end;
}

void access_wait(struct rank *r, const weft_request *message, size_t count, fine_t until)
{
    double before = task_reached(r->task);
    task_wait_until(r->task, message, count, until);
    double seconds = task_reached(r->task) - before;
    if (!count && seconds > 0 && rank_is_traced(r))
        call_log_compute(&r->log, seconds * r->task->clock_hz, false);
}

void access_perform(struct rank *r, struct access *a)
{
    access_ask(r, a);
    while (!access_is_over(r, a))
        access_wait(r, NULL, 0, access_look(r, a));
}

void access_drop(struct access *a)
{
    a->owner->under_way--;
    type_release(a->view.etype);
    type_release(a->view.filetype);
    free(a->data);
    free(a);
}
