/* What programs can call (weft_program.h). */
#include "message/calls.h"

#include "message/collect.h"

static weft_request send_data(weft_task *t, uint32_t to, uint32_t tag, const weft_data *data)
{
    return task_send(t, 0, to, tag, data);
}

static weft_request receive_data(weft_task *t, uint32_t from, uint32_t tag, const weft_data *data)
{
    return task_receive(t, 0, from, tag, data);
}

const weft_calls program_calls = {.send = send_data,
                                  .receive = receive_data,
                                  .wait = task_wait,
                                  .wait_any = task_wait_any,
                                  .test = task_test,
                                  .probe = task_probe,
                                  .compute = task_compute,
                                  .seconds = task_seconds,
                                  .alloc = task_alloc,
                                  .release = task_release,
                                  .give_up = task_give_up,
                                  .co_start = task_co_start,
                                  .co_join = task_co_join,
                                  .barrier = collect_barrier,
                                  .broadcast = collect_broadcast,
                                  .reduce = collect_reduce,
                                  .allreduce = collect_allreduce,
                                  .allgather = collect_allgather,
                                  .alltoall = collect_alltoall};
