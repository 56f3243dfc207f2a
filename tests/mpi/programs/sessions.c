/* Sessions before and beside MPI_Init(): groups by name, communicators of groups with one and two sides, handlers, buffers.
 * Communicators with one name are made again and again. */
#include "check.h"

static int calls;

static void note(MPI_Session *session, int *code, ...)
{
    (void)session;
    calls += *code == MPI_ERR_OTHER || *code == MPI_ERR_ARG;
}

/* Even and odd members of the world, each a side. */
static void check_sides(MPI_Group world, int me, int all)
{
    int *list = malloc((size_t)all * sizeof(*list)), even = (all + 1) / 2, far;
    MPI_Group side[2];
    MPI_Comm inter;
    if (all < 2) {
        free(list);
        return;
    }
    for (int i = 0; i < all; i++)
        list[i % 2 ? even + i / 2 : i / 2] = i;
    MPI_Group_incl(world, even, list, &side[0]);
    MPI_Group_incl(world, all - even, list + even, &side[1]);
    MPI_Intercomm_create_from_groups(side[me % 2], 0, side[1 - me % 2], 0, "sides", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL,
                                     &inter);
    MPI_Comm_remote_size(inter, &far);
    expect("other side", me % 2 ? even : all - even, far);
    MPI_Barrier(inter);
    MPI_Comm_free(&inter);
    MPI_Group_free(&side[0]);
    MPI_Group_free(&side[1]);
    free(list);
}

/* Who is through may begin again while others are not. */
static void check_again(MPI_Group world, int me, int all)
{
    int sum;
    MPI_Comm comm;
    for (int i = 0; i < 8; i++) {
        MPI_Comm_create_from_group(world, "again", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
        MPI_Reduce(&me, &sum, 1, MPI_INT, MPI_SUM, 0, comm);
        if (me == 0)
            expect("sum, again", all * (all - 1) / 2, sum);
        MPI_Comm_free(&comm);
    }
    MPI_Comm_create_from_group(MPI_GROUP_EMPTY, "nobody", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
    expect("communicator of nobody", 1, comm == MPI_COMM_NULL);
}

/* A message leaves from the buffer of the session that the communicator's group comes from. */
static void check_buffer(MPI_Session session, MPI_Group world, int me)
{
    char buffer[MPI_BSEND_OVERHEAD + sizeof(int)], *back;
    int other, size;
    MPI_Group one;
    MPI_Comm comm;
    MPI_Group_incl(world, 1, &me, &one);
    MPI_Comm_create_from_group(one, "one", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
    MPI_Session_attach_buffer(session, buffer, sizeof(buffer));
    MPI_Bsend(&me, 1, MPI_INT, 0, 0, comm);
    MPI_Recv(&other, 1, MPI_INT, 0, 0, comm, MPI_STATUS_IGNORE);
    expect("own message", me, other);
    MPI_Session_detach_buffer(session, &back, &size);
    expect("buffer", 1, back == buffer && size == sizeof(buffer));
    MPI_Comm_free(&comm);
    MPI_Group_free(&one);
}

int main(int argc, char **argv)
{
    MPI_Session session;
    MPI_Errhandler handler;
    MPI_Group world, none;
    MPI_Comm comm;
    MPI_Info info;
    int flag, sets, length = 0, me, all, sum;
    char name[MPI_MAX_PSET_NAME_LEN], text[32];
    MPI_Session_create_errhandler(note, &handler);
    MPI_Session_init(MPI_INFO_NULL, handler, &session);
    MPI_Initialized(&flag);
    expect("initialised by a session", 0, flag);
    MPI_Session_get_num_psets(session, MPI_INFO_NULL, &sets);
    expect("sets", 2, sets);
    MPI_Session_get_nth_pset(session, MPI_INFO_NULL, 0, &length, NULL);
    MPI_Session_get_nth_pset(session, MPI_INFO_NULL, 0, &length, name);
    expect_text("set", "mpi://WORLD", name);
    MPI_Session_get_pset_info(session, name, &info);
    length = sizeof(text);
    MPI_Info_get_string(info, "mpi_size", &length, text, &flag);
    MPI_Info_free(&info);
    MPI_Group_from_session_pset(session, name, &world);
    MPI_Comm_create_from_group(world, "weft.test", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm);
    MPI_Comm_rank(comm, &me);
    MPI_Comm_size(comm, &all);
    expect("size of the set", all, atoi(text));
    MPI_Allreduce(&me, &sum, 1, MPI_INT, MPI_SUM, comm);
    expect("sum", all * (all - 1) / 2, sum);
    check_sides(world, me, all);
    check_again(world, me, all);
    check_buffer(session, world, me);
    expect_class("no such set", MPI_ERR_ARG, MPI_Group_from_session_pset(session, "mpi://NOBODY", &none));
    MPI_Session_call_errhandler(session, MPI_ERR_OTHER);
    expect("calls of the handler", 2, calls);
    MPI_Comm_free(&comm);
    MPI_Group_free(&world);
    MPI_Errhandler_free(&handler);
    MPI_Session_finalize(&session);
    expect("session", 1, session == MPI_SESSION_NULL);
    begin(&argc, &argv); /* the other way, after it */
    return finish("sessions");
}
