/* The interface for tools has nothing to show, and says so; what the ABI leaves open. */
#include "check.h"

int main(int argc, char **argv)
{
    int provided, count = -1, index;
    char logical[8], no[8];
    MPI_T_pvar_session session;
    MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
    begin(&argc, &argv);
    expect("control variables", MPI_SUCCESS, MPI_T_cvar_get_num(&count));
    expect("their number", 0, count);
    expect("performance variables", MPI_SUCCESS, MPI_T_pvar_get_num(&count));
    expect("their number", 0, count);
    expect("a name", MPI_T_ERR_INVALID_NAME, MPI_T_cvar_get_index("eager_limit", &index));
    MPI_T_pvar_session_create(&session);
    expect("a handle", MPI_T_ERR_INVALID_HANDLE, MPI_T_pvar_start(session, MPI_T_PVAR_HANDLE_NULL));
    MPI_T_pvar_session_free(&session);
    expect("no session", 1, session == MPI_T_PVAR_SESSION_NULL);
    MPI_Abi_get_fortran_booleans(4, logical, no, &provided);
    expect("known", 1, provided);
    expect("true", 1, *(int *)(void *)logical);
    expect("false", 0, *(int *)(void *)no);
    MPI_T_finalize();
    return finish("tools");
}
