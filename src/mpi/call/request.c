/* Waiting for requests, statuses, requests of the program's own. */
#define _GNU_SOURCE
#include <limits.h>
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
    if (count < 0)
        return error_raise(r, NULL, MPI_ERR_COUNT, "the count is %d", count);
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

static bool is_any_active(const struct list *l)
{
    for (int i = 0; i < l->count; i++)
        if (is_waited_for(l->q[i]))
            return true;
    return false;
}

static struct comm *judge_of(const struct mpi_request *q)
{
    return q ? q->message.comm : NULL;
}

static int finish_one(struct rank *r, MPI_Request *handle, struct mpi_request *q,
                      MPI_Status *status)
{
    struct comm *c = judge_of(q), *judge = c && c->handle ? c : NULL;
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

/* All that are over; with errors in their statuses. */
static int finish_all(struct rank *r, struct list *l, MPI_Request handle[], MPI_Status statuses[])
{
    struct result first = {.error = MPI_SUCCESS};
    for (int i = 0; i < l->count; i++)
        finish_among(r, &handle[i], l->q[i], statuses ? &statuses[i] : MPI_STATUS_IGNORE, &first);
    return raise_among(r, &first);
}

/* ---- waiting ---- */

int call_Wait(MPI_Request *request, MPI_Status *status)
{
    struct rank *r = call_begin(CALL_Wait);
    struct mpi_request *q;
    int error = find_request(r, *request, &q);
    if (error)
        return call_end(r, error);
    request_wait_all(r, &q, 1);
    return call_end(r, finish_one(r, request, q, status));
}

int call_Waitall(int count, MPI_Request requests[], MPI_Status statuses[])
{
    struct rank *r = call_begin(CALL_Waitall);
    struct list l;
    int error = look_up(r, count, requests, &l);
    if (!error) {
        request_wait_all(r, l.q, (size_t)count);
        error = finish_all(r, &l, requests, statuses);
    }
    drop_list(&l);
    return call_end(r, error);
}

/* The first that is over, and active; count: none. */
static int first_over(struct rank *r, const struct list *l)
{
    for (int i = 0; i < l->count; i++)
        if (is_waited_for(l->q[i]) && request_is_over(r, l->q[i]))
            return i;
    return l->count;
}

int call_Waitany(int count, MPI_Request requests[], int *index, MPI_Status *status)
{
    struct rank *r = call_begin(CALL_Waitany);
    struct list l;
    int error = look_up(r, count, requests, &l);
    *index = MPI_UNDEFINED;
    if (!error && is_any_active(&l)) {
        request_wait_one(r, l.q, (size_t)count);
        *index = first_over(r, &l);
        error = finish_one(r, &requests[*index], l.q[*index], status);
    } else if (!error) {
        empty_status(status);
    }
    drop_list(&l);
    return call_end(r, error);
}

static int take_some(struct rank *r, const struct list *l, MPI_Request requests[], int *done,
                     int indices[], MPI_Status statuses[])
{
    struct result first = {.error = MPI_SUCCESS};
    *done = 0;
    for (int i = 0; i < l->count; i++) {
        if (!is_waited_for(l->q[i]) || !request_is_over(r, l->q[i]))
            continue;
        MPI_Status *status = statuses ? &statuses[*done] : MPI_STATUS_IGNORE;
        finish_among(r, &requests[i], l->q[i], status, &first);
        indices[(*done)++] = i;
    }
    return raise_among(r, &first);
}

int call_Waitsome(int count, MPI_Request requests[], int *done, int indices[],
                  MPI_Status statuses[])
{
    struct rank *r = call_begin(CALL_Waitsome);
    struct list l;
    int error = look_up(r, count, requests, &l);
    *done = MPI_UNDEFINED;
    if (!error && is_any_active(&l)) {
        request_wait_one(r, l.q, (size_t)count);
        error = take_some(r, &l, requests, done, indices, statuses);
    }
    drop_list(&l);
    return call_end(r, error);
}

/* ---- testing ---- */

int call_Test(MPI_Request *request, int *flag, MPI_Status *status)
{
    struct rank *r = call_begin(CALL_Test);
    struct mpi_request *q;
    int error = find_request(r, *request, &q);
    *flag = 0;
    if (error)
        return call_end(r, error);
    request_progress(r, true);
    *flag = request_is_over(r, q);
    return call_end(r, *flag ? finish_one(r, request, q, status) : MPI_SUCCESS);
}

int call_Testall(int count, MPI_Request requests[], int *flag, MPI_Status statuses[])
{
    struct rank *r = call_begin(CALL_Testall);
    struct list l;
    int error = look_up(r, count, requests, &l);
    *flag = 0;
    if (!error) {
        request_progress(r, true);
        *flag = 1;
        for (int i = 0; i < count; i++)
            *flag &= request_is_over(r, l.q[i]);
    }
    if (*flag)
        error = finish_all(r, &l, requests, statuses);
    drop_list(&l);
    return call_end(r, error);
}

int call_Testany(int count, MPI_Request requests[], int *index, int *flag, MPI_Status *status)
{
    struct rank *r = call_begin(CALL_Testany);
    struct list l;
    int error = look_up(r, count, requests, &l);
    *index = MPI_UNDEFINED;
    *flag = 0;
    if (!error && is_any_active(&l)) {
        request_progress(r, true);
        int over = first_over(r, &l);
        *flag = over < count;
        *index = *flag ? over : MPI_UNDEFINED;
        if (*flag)
            error = finish_one(r, &requests[over], l.q[over], status);
    } else if (!error) {
        *flag = 1;
        empty_status(status);
    }
    drop_list(&l);
    return call_end(r, error);
}

int call_Testsome(int count, MPI_Request requests[], int *done, int indices[],
                  MPI_Status statuses[])
{
    struct rank *r = call_begin(CALL_Testsome);
    struct list l;
    int error = look_up(r, count, requests, &l);
    *done = MPI_UNDEFINED;
    if (!error && is_any_active(&l)) {
        request_progress(r, true);
        error = take_some(r, &l, requests, done, indices, statuses);
    }
    drop_list(&l);
    return call_end(r, error);
}

int call_Request_get_status(MPI_Request request, int *flag, MPI_Status *status)
{
    struct rank *r = call_begin(CALL_Request_get_status);
    struct mpi_request *q;
    int error = find_request(r, request, &q);
    if (error)
        return call_end(r, error);
    request_progress(r, true);
    *flag = request_is_over(r, q);
    if (*flag && q && q->active && q->kind == REQUEST_GENERAL)
        ask_general(q);
    if (*flag && q && q->active)
        result_to_status(&q->result, status);
    else if (*flag)
        empty_status(status);
    return call_end(r, MPI_SUCCESS);
}

int call_Request_free(MPI_Request *request)
{
    struct rank *r = call_begin(CALL_Request_free);
    struct mpi_request *q;
    int error = find_request(r, *request, &q);
    if (!error && !q)
        error = error_raise(r, NULL, MPI_ERR_REQUEST, "the request is MPI_REQUEST_NULL");
    if (error)
        return call_end(r, error);
    *request = MPI_REQUEST_NULL;
    if (q->kind == REQUEST_GENERAL && request_is_over(r, q))
        error = q->general->release(q->general->extra);
    if (request_is_over(r, q))
        request_drop(r, q);
    else
        request_leave(r, q);
    return call_end(r, error);
}

int call_Cancel(MPI_Request *request)
{
    struct rank *r = call_begin(CALL_Cancel);
    struct mpi_request *q;
    int error = find_request(r, *request, &q);
    if (!error && !q)
        error = error_raise(r, NULL, MPI_ERR_REQUEST, "the request is MPI_REQUEST_NULL");
    if (error)
        return call_end(r, error);
    if (q->kind == REQUEST_GENERAL)
        error = q->general->cancel(q->general->extra, q->over);
    else
        request_cancel(r, q);
    return call_end(r, error);
}

/* ---- statuses ---- */

int call_Test_cancelled(const MPI_Status *status, int *flag)
{
    struct rank *r = call_begin(CALL_Test_cancelled);
    *flag = result_of_status(status).cancelled;
    return call_end(r, MPI_SUCCESS);
}

/* Elements of a type in what has come; below 0: there is no such number. */
static int64_t whole_elements(const MPI_Status *status, const struct type *t)
{
    uint64_t bytes = result_of_status(status).bytes;
    if (!t->size)
        return bytes ? -1 : 0;
    return bytes % (uint64_t)t->size ? -1 : (int64_t)(bytes / (uint64_t)t->size);
}

static int as_int(int64_t value)
{
    return value < 0 || value > INT_MAX ? MPI_UNDEFINED : (int)value;
}

int call_Get_count(const MPI_Status *status, MPI_Datatype type, int *count)
{
    struct rank *r = call_begin(CALL_Get_count);
    struct type *t;
    int error = find_type(r, NULL, type, &t);
    if (!error)
        *count = as_int(whole_elements(status, t));
    return call_end(r, error);
}

int call_Get_elements(const MPI_Status *status, MPI_Datatype type, int *count)
{
    struct rank *r = call_begin(CALL_Get_elements);
    struct type *t;
    int error = find_type(r, NULL, type, &t);
    if (!error)
        *count = as_int(type_elements(t, result_of_status(status).bytes));
    return call_end(r, error);
}

int call_Get_elements_x(const MPI_Status *status, MPI_Datatype type, MPI_Count *count)
{
    struct rank *r = call_begin(CALL_Get_elements_x);
    struct type *t;
    int error = find_type(r, NULL, type, &t);
    if (error)
        return call_end(r, error);
    int64_t elements = type_elements(t, result_of_status(status).bytes);
    *count = elements < 0 ? MPI_UNDEFINED : elements;
    return call_end(r, MPI_SUCCESS);
}

static int set_elements(struct rank *r, MPI_Status *status, MPI_Datatype type, MPI_Count count)
{
    struct type *t;
    int error = find_type(r, NULL, type, &t);
    if (error)
        return error;
    if (count < 0)
        return error_raise(r, NULL, MPI_ERR_COUNT, "the count is %lld", (long long)count);
    int kept = status->MPI_ERROR;
    struct result result = result_of_status(status);
    result.bytes = type_bytes(t, count);
    result_to_status(&result, status);
    status->MPI_ERROR = kept;
    return MPI_SUCCESS;
}

int call_Status_set_elements(MPI_Status *status, MPI_Datatype type, int count)
{
    struct rank *r = call_begin(CALL_Status_set_elements);
    return call_end(r, set_elements(r, status, type, count));
}

int call_Status_set_elements_x(MPI_Status *status, MPI_Datatype type, MPI_Count count)
{
    struct rank *r = call_begin(CALL_Status_set_elements_x);
    return call_end(r, set_elements(r, status, type, count));
}

int call_Status_set_cancelled(MPI_Status *status, int flag)
{
    struct rank *r = call_begin(CALL_Status_set_cancelled);
    struct result result = result_of_status(status);
    result.cancelled = flag != 0;
    result_to_status(&result, status);
    return call_end(r, MPI_SUCCESS);
}

/* ---- the program's own requests ---- */

int call_Grequest_start(MPI_Grequest_query_function *query, MPI_Grequest_free_function *release,
                        MPI_Grequest_cancel_function *cancel, void *extra, MPI_Request *request)
{
    struct rank *r = call_begin(CALL_Grequest_start);
    struct mpi_request *q = request_new(r, REQUEST_GENERAL, NULL);
    q->general = memory_alloc(1, sizeof(*q->general));
    *q->general = (struct general){query, release, cancel, extra};
    q->active = true;
    *request = request_give(r, q);
    return call_end(r, MPI_SUCCESS);
}

int call_Grequest_complete(MPI_Request request)
{
    struct rank *r = call_begin(CALL_Grequest_complete);
    struct mpi_request *q;
    int error = find_request(r, request, &q);
    if (!error && (!q || q->kind != REQUEST_GENERAL))
        error = error_raise(r, NULL, MPI_ERR_REQUEST, "the request is not the program's own");
    if (!error)
        q->over = true;
    return call_end(r, error);
}
