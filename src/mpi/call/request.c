/* Waiting for requests, statuses, requests of the program's own. */
#include <stdlib.h>

#include "base/memory.h"
#include "mpi/call.h"
#include "mpi/object/request.h"

/* ---- the end of a request ---- */

static void empty_status(MPI_Status *status)
{
    struct result none = {.source = MPI_ANY_SOURCE, .tag = MPI_ANY_TAG};
    result_to_status(&none, status);
    if (status != MPI_STATUS_IGNORE)
        status->MPI_ERROR = MPI_SUCCESS;
}

/* What a function of the program says of its own request. */
static void ask_general(struct mpi_request *q)
{
    MPI_Status status = {.MPI_SOURCE = MPI_UNDEFINED, .MPI_TAG = MPI_UNDEFINED};
    int error = q->general->query(q->general->extra, &status);
    q->result = result_of_status(&status);
    q->result.error = error;
}

/* Takes the result of a request that is over. Its handle goes, unless it can be started again. */
static int finish(struct rank *r, MPI_Request *handle, struct mpi_request *q, MPI_Status *status)
{
    if (!q || !q->active) {
        empty_status(status);
        return MPI_SUCCESS;
    }
    if (q->kind == REQUEST_GENERAL)
        ask_general(q);
    int error = q->result.error;
    result_to_status(&q->result, status);
    q->active = false;
    if (q->persistent)
        return error;
    if (q->kind == REQUEST_GENERAL)
        error = error ? error : q->general->release(q->general->extra);
    request_drop(r, q);
    *handle = MPI_REQUEST_NULL;
    return error;
}

/* The requests of handles; freed by the caller unless they are few. */
struct list {
    struct mpi_request **q, *few[16];
    int count;
};

static int look_up(struct rank *r, int count, const MPI_Request handle[], struct list *l)
{
    l->q = l->few;
    l->count = count;
    TRY_MPI(check_count(r, NULL, count));
    if (count > 16)
        l->q = memory_alloc((size_t)count, sizeof(struct mpi_request *));
    int error = MPI_SUCCESS;
    for (int i = 0; i < count && !error; i++)
        error = find_request(r, handle[i], &l->q[i]);
    return error;
}

static void drop_list(struct list *l)
{
    if (l->q != l->few)
        free(l->q);
}

static bool is_waited_for(const struct mpi_request *q)
{
    return q && q->active;
}

static int finish_one(struct rank *r, MPI_Request *handle, struct mpi_request *q,
                      MPI_Status *status)
{
    struct comm *c = q ? q->message.comm : NULL, *judge = c && c->handle ? c : NULL;
    struct result result = q ? q->result : (struct result){.error = MPI_SUCCESS};
    if (c)
        comm_hold(c);
    result.error = finish(r, handle, q, status);
    int error = result_raise(r, judge, &result);
    comm_release(r, c);
    return error;
}

/* An error of one of several is in its status; if it ends the program, the report says which. */
static int raise_among(struct rank *r, const struct result *first)
{
    if (!first->error)
        return MPI_SUCCESS;
    if (first->file) {
        result_raise(r, NULL, first);
        return MPI_ERR_IN_STATUS;
    }
    return error_is_fatal(r, NULL) ? result_raise(r, NULL, first)
                                   : error_pass_on(r, NULL, MPI_ERR_IN_STATUS);
}

/* The same as finish(); keeps the first result that is an error. */
static void finish_among(struct rank *r, MPI_Request *handle, struct mpi_request *q,
                         MPI_Status *status, struct result *first)
{
    struct result result = is_waited_for(q) ? q->result : (struct result){.error = MPI_SUCCESS};
    result.error = finish(r, handle, q, status);
    if (status)
        status->MPI_ERROR = result.error;
    if (!first->error)
        *first = result;
}

/* ---- waiting, or looking once ---- */

/* Functions that wait have no flag. */
int request_finish(struct rank *r, MPI_Request *request, int *flag, MPI_Status *status)
{
    struct mpi_request *q;
    TRY_MPI(find_request(r, *request, &q));
    if (!flag) {
        request_wait_all(r, &q, 1);
        return finish_one(r, request, q, status);
    }
    request_progress(r, true);
    *flag = request_is_over(r, q);
    return *flag ? finish_one(r, request, q, status) : MPI_SUCCESS;
}

int request_finish_all(struct rank *r, int count, MPI_Request requests[], int *flag,
                       MPI_Status statuses[])
{
    struct result first = {.error = MPI_SUCCESS};
    struct list l;
    int error = look_up(r, count, requests, &l);
    bool over = !error;
    if (!error && !flag)
        request_wait_all(r, l.q, (size_t)count);
    else if (!error)
        request_progress(r, true);
    for (int i = 0; i < count && !error && flag; i++)
        over &= request_is_over(r, l.q[i]);
    for (int i = 0; i < count && over; i++)
        finish_among(r, &requests[i], l.q[i], statuses ? &statuses[i] : MPI_STATUS_IGNORE, &first);
    if (flag)
        *flag = over;
    drop_list(&l);
    return error ? error : raise_among(r, &first);
}

/* Until one is over, or until it has looked; false: none is active. */
static bool progress_one(struct rank *r, const struct list *l, bool wait)
{
    bool active = false;
    for (int i = 0; i < l->count && !active; i++)
        active = is_waited_for(l->q[i]);
    if (active && wait)
        request_wait_one(r, l->q, (size_t)l->count);
    else if (active)
        request_progress(r, true);
    return active;
}

static bool has_ended(struct rank *r, struct mpi_request *q)
{
    return is_waited_for(q) && request_is_over(r, q);
}

int request_finish_any(struct rank *r, int count, MPI_Request requests[], int *index, int *flag,
                       MPI_Status *status)
{
    struct list l;
    int error = look_up(r, count, requests, &l), i = 0;
    bool active = !error && progress_one(r, &l, !flag);
    while (active && i < count && !has_ended(r, l.q[i]))
        i++;
    bool found = active && i < count;
    *index = found ? i : MPI_UNDEFINED;
    if (flag)
        *flag = !error && (found || !active);
    if (found)
        error = finish_one(r, &requests[i], l.q[i], status);
    else if (!error && !active)
        empty_status(status);
    drop_list(&l);
    return error;
}

int request_finish_some(struct rank *r, bool wait, int count, MPI_Request requests[], int *done,
                        int indices[], MPI_Status statuses[])
{
    struct result first = {.error = MPI_SUCCESS};
    struct list l;
    int error = look_up(r, count, requests, &l);
    bool active = !error && progress_one(r, &l, wait);
    *done = active ? 0 : MPI_UNDEFINED;
    for (int i = 0; active && i < count; i++) {
        if (!has_ended(r, l.q[i]))
            continue;
        MPI_Status *status = statuses ? &statuses[*done] : MPI_STATUS_IGNORE;
        finish_among(r, &requests[i], l.q[i], status, &first);
        indices[(*done)++] = i;
    }
    drop_list(&l);
    return error ? error : raise_among(r, &first);
}

/* ---- single requests ---- */

/* The status of a request that is over, and stays. */
static void state(struct mpi_request *q, MPI_Status *status)
{
    if (q && q->active && q->kind == REQUEST_GENERAL)
        ask_general(q);
    if (q && q->active)
        result_to_status(&q->result, status);
    else
        empty_status(status);
}

int mpi_Request_get_status(struct rank *r, struct mpi_request *q, int *flag, MPI_Status *status)
{
    request_progress(r, true);
    *flag = request_is_over(r, q);
    if (*flag)
        state(q, status);
    return MPI_SUCCESS;
}

/* Looks at several without ending any. */
static int look_at(struct rank *r, int count, const MPI_Request requests[], struct list *l)
{
    TRY_MPI(look_up(r, count, requests, l));
    request_progress(r, true);
    return MPI_SUCCESS;
}

int mpi_Request_get_status_all(struct rank *r, int count, const MPI_Request requests[], int *flag,
                               MPI_Status statuses[])
{
    struct list l;
    int error = look_at(r, count, requests, &l);
    *flag = !error;
    for (int i = 0; i < count && *flag; i++)
        *flag = request_is_over(r, l.q[i]);
    for (int i = 0; i < count && *flag && statuses; i++)
        state(l.q[i], &statuses[i]);
    drop_list(&l);
    return error;
}

int mpi_Request_get_status_any(struct rank *r, int count, const MPI_Request requests[], int *index,
                               int *flag, MPI_Status *status)
{
    struct list l;
    int error = look_at(r, count, requests, &l), active = 0;
    *index = MPI_UNDEFINED;
    for (int i = 0; i < count && !error && *index == MPI_UNDEFINED; i++) {
        active += is_waited_for(l.q[i]);
        if (has_ended(r, l.q[i]))
            *index = i;
    }
    *flag = !error && (!active || *index != MPI_UNDEFINED);
    if (*flag)
        state(*index == MPI_UNDEFINED ? NULL : l.q[*index], status);
    drop_list(&l);
    return error;
}

int mpi_Request_get_status_some(struct rank *r, int count, const MPI_Request requests[], int *done,
                                int indices[], MPI_Status statuses[])
{
    struct list l;
    int error = look_at(r, count, requests, &l), active = 0;
    *done = 0;
    for (int i = 0; i < count && !error; i++) {
        active += is_waited_for(l.q[i]);
        if (!has_ended(r, l.q[i]))
            continue;
        if (statuses)
            state(l.q[i], &statuses[*done]);
        indices[(*done)++] = i;
    }
    if (!error && !active)
        *done = MPI_UNDEFINED;
    drop_list(&l);
    return error;
}

static int check_not_null(struct rank *r, const struct mpi_request *q)
{
    return q ? MPI_SUCCESS
             : error_raise(r, NULL, MPI_ERR_REQUEST, "the request is MPI_REQUEST_NULL");
}

int mpi_Request_free(struct rank *r, struct mpi_request *q, MPI_Request *request)
{
    TRY_MPI(check_not_null(r, q));
    *request = MPI_REQUEST_NULL;
    if (!request_is_over(r, q)) {
        request_leave(r, q);
        return MPI_SUCCESS;
    }
    int error = q->kind == REQUEST_GENERAL ? q->general->release(q->general->extra) : MPI_SUCCESS;
    request_drop(r, q);
    return error;
}

int mpi_Cancel(struct rank *r, struct mpi_request *q)
{
    TRY_MPI(check_not_null(r, q));
    if (q->kind == REQUEST_GENERAL)
        return q->general->cancel(q->general->extra, q->over);
    request_cancel(r, q);
    return MPI_SUCCESS;
}

/* ---- statuses ---- */

MPI_ANSWER(Test_cancelled, int, result_of_status(status).cancelled, struct rank *r,
           const MPI_Status *status)

int mpi_Get_count(struct rank *r, const MPI_Status *status, struct type *t, MPI_Count *count)
{
    uint64_t bytes = result_of_status(status).bytes, size = t->size ? (uint64_t)t->size : 1;
    bool whole = t->size ? bytes % size == 0 : bytes == 0;
    (void)r;
    *count = whole ? (MPI_Count)(bytes / size) : MPI_UNDEFINED;
    return MPI_SUCCESS;
}

MPI_ANSWER(Get_elements, MPI_Count, type_elements(t, result_of_status(status).bytes),
           struct rank *r, const MPI_Status *status, struct type *t)

int mpi_Status_set_elements(struct rank *r, MPI_Status *status, struct type *t, MPI_Count count)
{
    TRY_MPI(check_count(r, NULL, count));
    struct result result = result_of_status(status);
    result.bytes = type_bytes(t, count);
    result_to_status(&result, status);
    return MPI_SUCCESS;
}

int mpi_Status_set_cancelled(struct rank *r, MPI_Status *status, int flag)
{
    (void)r;
    struct result result = result_of_status(status);
    result.cancelled = flag != 0;
    result_to_status(&result, status);
    return MPI_SUCCESS;
}

MPI_ANSWER(Status_get_source, int, status->MPI_SOURCE, struct rank *r, const MPI_Status *status)
MPI_ANSWER(Status_get_tag, int, status->MPI_TAG, struct rank *r, const MPI_Status *status)
MPI_ANSWER(Status_get_error, int, status->MPI_ERROR, struct rank *r, const MPI_Status *status)

int mpi_Status_set_source(struct rank *r, MPI_Status *status, int source)
{
    (void)r;
    status->MPI_SOURCE = source;
    return MPI_SUCCESS;
}

int mpi_Status_set_tag(struct rank *r, MPI_Status *status, int tag)
{
    (void)r;
    status->MPI_TAG = tag;
    return MPI_SUCCESS;
}

int mpi_Status_set_error(struct rank *r, MPI_Status *status, int error)
{
    (void)r;
    status->MPI_ERROR = error;
    return MPI_SUCCESS;
}

/* ---- the program's own requests ---- */

int mpi_Grequest_start(struct rank *r, MPI_Grequest_query_function *query,
                       MPI_Grequest_free_function *release, MPI_Grequest_cancel_function *cancel,
                       void *extra, MPI_Request *request)
{
    struct mpi_request *q = request_new(r, REQUEST_GENERAL, NULL);
    q->general = memory_alloc(1, sizeof(*q->general));
    *q->general = (struct general){query, release, cancel, extra};
    q->active = true;
    *request = request_give(r, q);
    return MPI_SUCCESS;
}

int mpi_Grequest_complete(struct rank *r, struct mpi_request *q)
{
    if (!q || q->kind != REQUEST_GENERAL)
        return error_raise(r, NULL, MPI_ERR_REQUEST, "the request is not the program's own");
    q->over = true;
    return MPI_SUCCESS;
}
