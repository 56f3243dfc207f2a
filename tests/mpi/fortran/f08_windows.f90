! mpi_f08: windows, sessions, partitions and attached buffers.
include 'check_f08.inc'

module window_functions
  use check
  implicit none
  integer :: removed = 0, handled = 0
contains
  subroutine remove_it(win, win_keyval, attribute_val, extra_state, ierror)
    type(MPI_Win) :: win
    integer :: win_keyval, ierror
    integer(kind=MPI_ADDRESS_KIND) :: attribute_val, extra_state
    removed = removed + int(attribute_val + extra_state)
    ierror = MPI_SUCCESS
  end subroutine

  subroutine handle_it(win, error_code)
    type(MPI_Win) :: win
    integer :: error_code
    if (win /= MPI_WIN_NULL) handled = error_code
  end subroutine
end module

program f08_windows
  use window_functions
  use, intrinsic :: iso_c_binding, only: c_ptr, c_loc, c_f_pointer, c_associated
  implicit none
  type(MPI_Win) :: win
  type(MPI_Errhandler) :: handler
  type(MPI_Session) :: session
  type(MPI_Group) :: group
  type(MPI_Comm) :: comm
  type(MPI_Request) :: requests(2)
  type(MPI_Status) :: status
  type(c_ptr) :: base, attached
  integer, pointer :: made(:)
  integer, target :: buffer(500)
  integer :: next, last, key, i, n, got, class, unit, out(4), in(4)
  integer(kind=MPI_ADDRESS_KIND) :: value, bytes
  logical :: flag
  character(len=MPI_MAX_OBJECT_NAME) :: name
  call begin()
  next = modulo(rank + 1, size)
  last = modulo(rank - 1, size)

  call MPI_Win_allocate(40_MPI_ADDRESS_KIND, disp_unit=4, info=MPI_INFO_NULL, comm=MPI_COMM_WORLD, baseptr=base, win=win)
  call c_f_pointer(base, made, [10])
  made = -1
  call MPI_Win_fence(assert=0, win=win)
  call MPI_Put(rank, 1, MPI_INTEGER, target_rank=next, target_disp=3_MPI_ADDRESS_KIND, target_count=1, &
               target_datatype=MPI_INTEGER, win=win)
  call MPI_Win_fence(0, win)
  call expect('put', last, made(4))
  call MPI_Win_lock(lock_type=MPI_LOCK_SHARED, rank=0, assert=0, win=win)
  n = 2
  call MPI_Fetch_and_op(n, got, MPI_INTEGER, 0, 0_MPI_ADDRESS_KIND, MPI_SUM, win)
  call MPI_Win_unlock(0, win)
  call MPI_Barrier(MPI_COMM_WORLD)
  call expect_true('fetched', got >= -1 .and. modulo(got, 2) == 1)
  if (rank == 0) call expect('added', 2 * size - 1, made(1))
  call MPI_Win_get_attr(win, MPI_WIN_SIZE, value, flag)
  call expect_true('its size', flag .and. value == 40)
  call MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, remove_it, key, 5_MPI_ADDRESS_KIND)
  call MPI_Win_set_attr(win, win_keyval=key, attribute_val=10_MPI_ADDRESS_KIND)
  call MPI_Win_create_errhandler(handle_it, handler)
  call MPI_Win_set_errhandler(win, handler)
  call MPI_Win_call_errhandler(win, MPI_ERR_RMA_SYNC)
  call MPI_Error_class(handled, class)
  call expect('handled', MPI_ERR_RMA_SYNC, class)
  call MPI_Win_set_name(win, 'glass')
  call MPI_Win_get_name(win, name, n)
  call expect_text('name', 'glass', name(1:n))
  call MPI_Win_free(win)
  call expect_true('no window', win == MPI_WIN_NULL)
  call expect('removed', 15, removed)
  call MPI_Win_free_keyval(key)
  call MPI_Errhandler_free(handler)
  call MPI_Win_allocate_shared(8_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_SELF, base, win)
  call MPI_Win_shared_query(win, 0, bytes, unit, attached)
  call expect_true('shared', c_associated(base, attached) .and. bytes == 8 .and. unit == 4)
  call MPI_Win_free(win)

  call MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, session)
  call MPI_Group_from_session_pset(session, 'mpi://WORLD', group)
  call MPI_Comm_create_from_group(group, 'all', MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, comm)
  call MPI_Comm_size(comm, n)
  call expect('of the session', size, n)
  call MPI_Comm_free(comm)
  call MPI_Group_free(group)
  call MPI_Session_finalize(session)
  call expect_true('no session', session == MPI_SESSION_NULL)

  out = [(10 * rank + i, i = 1, 4)]
  call MPI_Psend_init(out, 2, 2_MPI_COUNT_KIND, MPI_INTEGER, next, 4, MPI_COMM_WORLD, MPI_INFO_NULL, requests(1))
  call MPI_Precv_init(in, 2, 2_MPI_COUNT_KIND, MPI_INTEGER, last, 4, MPI_COMM_WORLD, MPI_INFO_NULL, requests(2))
  call MPI_Startall(2, requests)
  call MPI_Pready_range(partition_low=0, partition_high=1, request=requests(1))
  call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
  call expect_true('partitions', all(in == [(10 * last + i, i = 1, 4)]))
  call MPI_Request_free(requests(1))
  call MPI_Request_free(requests(2))

  call MPI_Comm_attach_buffer(MPI_COMM_WORLD, buffer, 2000)
  call MPI_Bsend(rank, 1, MPI_INTEGER, next, 9, MPI_COMM_WORLD)
  call MPI_Recv(n, 1, MPI_INTEGER, last, 9, MPI_COMM_WORLD, status)
  call MPI_Comm_detach_buffer(MPI_COMM_WORLD, attached, n)
  call expect_true('the buffer', c_associated(attached, c_loc(buffer)) .and. n == 2000)

  ! Indices begin with 1.
  requests(1) = MPI_REQUEST_NULL
  call MPI_Irecv(n, 1, MPI_INTEGER, MPI_PROC_NULL, 0, MPI_COMM_WORLD, requests(2))
  call MPI_Request_get_status_any(2, requests, i, flag, status)
  call expect_true('which one', flag .and. i == 2)
  call MPI_Request_get_status_some(2, requests, n, out, MPI_STATUSES_IGNORE)
  call expect_true('which ones', n == 1 .and. out(1) == 2)
  call MPI_Wait(requests(2), status)
  call finish('f08_windows')
end program
