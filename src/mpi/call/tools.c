/* MPI's interface for tools: this implementation has no variables, categories or events. */
#include "mpi/call.h"

/* Errors of these functions are answers: nobody raises them. */
int tool_error(struct rank *r, int code)
{
    (void)r;
    return code;
}

int tool_count(struct rank *r, int *count)
{
    (void)r;
    *count = 0;
    return MPI_SUCCESS;
}

int mpi_T_init_thread(struct rank *r, int required, int *provided)
{
    (void)r;
    *provided = required;
    return MPI_SUCCESS;
}

int mpi_T_finalize(struct rank *r)
{
    return tool_error(r, MPI_SUCCESS);
}

/* Any address that is not null: nothing can be done with it. */
int mpi_T_pvar_session_create(struct rank *r, MPI_T_pvar_session *session)
{
    *session = (MPI_T_pvar_session)(void *)r;
    return MPI_SUCCESS;
}

int mpi_T_pvar_session_free(struct rank *r, MPI_T_pvar_session *session)
{
    if (*session != (MPI_T_pvar_session)(void *)r)
        return MPI_T_ERR_INVALID_SESSION;
    *session = MPI_T_PVAR_SESSION_NULL;
    return MPI_SUCCESS;
}
