! mpi_f08: communicators, topologies, attributes, error handlers, hints, memory; and `use mpi` in the same program.
include 'check_f08.inc'

module functions
  use check
  implicit none
  integer :: copied = 0, removed = 0, handled = 0, freed = 0
contains
  subroutine copy_it(oldcomm, comm_keyval, extra_state, attribute_val_in, attribute_val_out, flag, ierror)
    type(MPI_Comm) :: oldcomm
    integer :: comm_keyval, ierror
    integer(kind=MPI_ADDRESS_KIND) :: extra_state, attribute_val_in, attribute_val_out
    logical :: flag
    copied = copied + int(extra_state)
    attribute_val_out = attribute_val_in + 1
    flag = oldcomm == MPI_COMM_WORLD
    ierror = MPI_SUCCESS
  end subroutine

  subroutine remove_it(comm, comm_keyval, attribute_val, extra_state, ierror)
    type(MPI_Comm) :: comm
    integer :: comm_keyval, ierror
    integer(kind=MPI_ADDRESS_KIND) :: attribute_val, extra_state
    removed = removed + int(attribute_val)
    ierror = MPI_SUCCESS
  end subroutine

  subroutine handle_it(comm, error_code)
    type(MPI_Comm) :: comm
    integer :: error_code
    if (comm == MPI_COMM_SELF) handled = error_code
  end subroutine

  subroutine query(extra_state, status, ierror)
    integer(kind=MPI_ADDRESS_KIND) :: extra_state
    type(MPI_Status) :: status
    integer :: ierror
    call MPI_Status_set_elements(status, MPI_INTEGER, int(extra_state))
    call MPI_Status_set_cancelled(status, .false.)
    status%MPI_SOURCE = MPI_UNDEFINED
    status%MPI_TAG = 12
    ierror = MPI_SUCCESS
  end subroutine

  subroutine release(extra_state, ierror)
    integer(kind=MPI_ADDRESS_KIND) :: extra_state
    integer :: ierror
    freed = freed + int(extra_state)
    ierror = MPI_SUCCESS
  end subroutine

  subroutine cancel(extra_state, complete, ierror)
    integer(kind=MPI_ADDRESS_KIND) :: extra_state
    logical :: complete
    integer :: ierror
    ierror = MPI_SUCCESS
  end subroutine
end module

! Old code, which has handles as numbers.
subroutine add_ranks(comm, total)
  use mpi
  implicit none
  integer, intent(in) :: comm
  integer, intent(out) :: total
  type(MPI_Comm) :: same
  integer :: rank, error
  call MPI_Comm_rank(comm, rank, error)
  call MPI_Allreduce(rank, total, 1, MPI_INTEGER, MPI_SUM, comm, error)
  same = MPI_Comm(comm)
  if (same /= MPI_Comm(MPI_COMM_WORLD)) total = -1
  call MPI_Sizeof(1d0, rank, error)
  if (rank /= 8) total = -2
end subroutine

program f08_objects
  use functions
  use, intrinsic :: iso_c_binding, only: c_ptr, c_f_pointer
  implicit none
  type(MPI_Comm) :: comm, grid, line, copy
  type(MPI_Group) :: all_of_them, first
  type(MPI_Errhandler) :: handler
  type(MPI_Info) :: info
  type(MPI_Request) :: request
  type(MPI_Status) :: status
  type(MPI_Datatype) :: type
  type(c_ptr) :: address
  integer, pointer :: memory(:)
  integer(kind=MPI_ADDRESS_KIND) :: value
  integer :: i, n, error, key, kept, dims(2), coords(2), source, dest, weights(1)
  logical :: flag, periods(2)
  character(len=20) :: text
  double precision :: start
  call begin()
  start = MPI_Wtime()

  call MPI_Comm_split(MPI_COMM_WORLD, modulo(rank, 2), -rank, comm)
  call expect_true('a new communicator', comm /= MPI_COMM_WORLD .and. .not. comm == MPI_COMM_NULL)
  call MPI_Comm_size(comm, n)
  call expect('every second', (size + 1 - modulo(rank, 2)) / 2, n)
  call MPI_Comm_compare(comm, MPI_COMM_WORLD, n)
  if (size > 1) call expect('they differ', MPI_UNEQUAL, n)
  call MPI_Comm_free(comm)
  call expect_true('freed', comm == MPI_COMM_NULL)
  copy = MPI_COMM_WORLD
  call expect_true('copied', copy == MPI_COMM_WORLD .and. copy%MPI_VAL == MPI_COMM_WORLD%MPI_VAL)
  call MPI_Comm_group(MPI_COMM_WORLD, all_of_them)
  call MPI_Group_incl(all_of_them, 1, [0], first)
  call MPI_Comm_create(MPI_COMM_WORLD, first, comm)
  call expect_true('of the first only', (comm == MPI_COMM_NULL) .neqv. rank == 0)
  if (comm /= MPI_COMM_NULL) call MPI_Comm_free(comm)
  call MPI_Group_free(first)
  call MPI_Group_free(all_of_them)
  call expect_true('no group', first == MPI_GROUP_NULL .and. all_of_them == first)

  dims = 0
  call MPI_Dims_create(size, 2, dims)
  call expect('all of them', size, product(dims))
  call MPI_Cart_create(MPI_COMM_WORLD, 2, dims, [.true., .false.], .false., grid)
  call MPI_Cart_coords(grid, rank, 2, coords)
  call MPI_Cart_rank(grid, coords, n)
  call expect('rank of the coordinates', rank, n)
  call MPI_Cart_shift(comm=grid, direction=0, disp=1, rank_source=source, rank_dest=dest)
  call MPI_Sendrecv(rank, 1, MPI_INTEGER, dest, 0, n, 1, MPI_INTEGER, source, 0, grid, MPI_STATUS_IGNORE)
  call expect('from the neighbour', source, n)
  call MPI_Cart_get(grid, 2, dims, periods, coords)
  call expect_true('periods', periods(1) .and. .not. periods(2))
  call MPI_Cart_sub(grid, remain_dims=[.true., .false.], newcomm=line)
  call MPI_Comm_size(line, n)
  call expect('a line', dims(1), n)
  call MPI_Comm_free(line)
  call MPI_Comm_free(grid)
  call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, [modulo(rank - 1, size)], MPI_UNWEIGHTED, &
                                      1, [modulo(rank + 1, size)], MPI_UNWEIGHTED, MPI_INFO_NULL, .false., line)
  call MPI_Neighbor_allgather(rank, 1, MPI_INTEGER, n, 1, MPI_INTEGER, line)
  call expect('from the left', modulo(rank - 1, size), n)
  call MPI_Dist_graph_neighbors_count(line, i, n, flag)
  call expect_true('without weights', i == 1 .and. n == 1 .and. .not. flag)
  call MPI_Dist_graph_neighbors(line, 1, coords, weights, 1, dims, MPI_UNWEIGHTED)
  call expect('to the right', modulo(rank + 1, size), dims(1))
  call MPI_Comm_free(line)

  call MPI_Comm_create_keyval(copy_it, remove_it, key, extra_state=7_MPI_ADDRESS_KIND)
  call MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, kept, 0_MPI_ADDRESS_KIND)
  call MPI_Comm_set_attr(MPI_COMM_WORLD, key, 1000_MPI_ADDRESS_KIND)
  call MPI_Comm_set_attr(MPI_COMM_WORLD, kept, -5000000000_MPI_ADDRESS_KIND)
  call MPI_Comm_dup(MPI_COMM_WORLD, copy)
  call MPI_Comm_get_attr(copy, comm_keyval=key, attribute_val=value, flag=flag)
  call expect_true('copied', flag .and. value == 1001)
  call MPI_Comm_get_attr(copy, kept, value, flag)
  call expect_true('kept', flag .and. value == -5000000000_MPI_ADDRESS_KIND)
  call MPI_Comm_free(copy)
  call expect('copied once', 7, copied)
  call expect('removed', 1001, removed)
  call MPI_Comm_delete_attr(MPI_COMM_WORLD, key)
  call MPI_Comm_delete_attr(MPI_COMM_WORLD, kept)
  call MPI_Comm_free_keyval(key)
  call MPI_Comm_free_keyval(kept)
  call expect('no key', MPI_KEYVAL_INVALID, key)
  call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, value, flag)
  call expect_true('the largest tag', flag .and. value >= 32767)

  call MPI_Comm_create_errhandler(handle_it, handler)
  call MPI_Comm_set_errhandler(MPI_COMM_SELF, handler)
  call MPI_Send(n, 1, MPI_INTEGER, 5, 0, MPI_COMM_SELF, error)
  call MPI_Error_class(handled, n)
  call expect('error of the function', handled, error)
  call expect('class', MPI_ERR_RANK, n)
  call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN)
  call MPI_Errhandler_free(handler)
  call expect_true('no handler', handler == MPI_ERRHANDLER_NULL)
  call MPI_Send(n, -1, MPI_INTEGER, 0, 0, MPI_COMM_SELF) ! an error that nobody wants to know
  call MPI_Comm_get_errhandler(MPI_COMM_SELF, handler)
  call expect_true('the handler', handler == MPI_ERRORS_RETURN)

  call MPI_Info_create(info)
  call MPI_Info_set(info, 'color', 'blue')
  n = 20
  call MPI_Info_get_string(info, 'color', n, text, flag)
  call expect_true('a hint', flag .and. text == 'blue' .and. n == 4)
  call MPI_Info_free(info)
  call expect_true('no hints', info == MPI_INFO_NULL)

  call MPI_Alloc_mem(400_MPI_ADDRESS_KIND, MPI_INFO_NULL, address)
  call c_f_pointer(address, memory, [100])
  memory = rank
  call MPI_Allreduce(MPI_IN_PLACE, memory, 100, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD)
  call expect_true('its memory', all(memory == size - 1))
  call MPI_Free_mem(memory)

  call MPI_Grequest_start(query, release, cancel, 3_MPI_ADDRESS_KIND, request)
  call MPI_Grequest_complete(request)
  call MPI_Wait(request, status)
  call MPI_Get_elements(status, MPI_INTEGER, n)
  call expect('of the function', 3, n)
  call expect('its tag', 12, status%MPI_TAG)
  call expect('freed', 3, freed)

  call MPI_Type_match_size(MPI_TYPECLASS_REAL, 8, type)
  call MPI_Type_get_name(type, text, n)
  call expect('as long as its name', len_trim(text), n)
  call add_ranks(MPI_COMM_WORLD%MPI_VAL, n)
  call expect('with the other module', size * (size - 1) / 2, n)
  call expect_true('time goes on', MPI_Wtime() >= start)
  call finish('f08_objects')
end program
