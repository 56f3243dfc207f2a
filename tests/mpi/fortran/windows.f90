! Windows: memory made and given, accesses, epochs, attributes and functions of the program's.
include 'check.inc'

module window_functions
  use check
  implicit none
  integer :: removed = 0, handled = 0
contains
  subroutine copy_it(win, key, extra, from, to, flag, error)
    integer :: win, key, error
    integer(kind=MPI_ADDRESS_KIND) :: extra, from, to
    logical :: flag
    to = from
    flag = .false.
    error = MPI_SUCCESS
  end subroutine

  subroutine remove_it(win, key, value, extra, error)
    integer :: win, key, error
    integer(kind=MPI_ADDRESS_KIND) :: value, extra
    removed = removed + int(value + extra)
    error = MPI_SUCCESS
  end subroutine

  subroutine handle_it(win, code)
    integer :: win, code
    handled = code
  end subroutine
end module

program windows
  use window_functions
  use, intrinsic :: iso_c_binding
  implicit none
  integer :: win, own, key, next, before, handler, group, members, i, seen, found
  integer :: memory(10), data(10)
  integer(kind=MPI_ADDRESS_KIND) :: bytes, at, value, extra
  integer, pointer :: made(:)
  type(c_ptr) :: base
  logical :: flag
  character(len=MPI_MAX_OBJECT_NAME) :: name
  call begin()
  next = mod(rank + 1, size)
  before = mod(rank + size - 1, size)

  memory = 0
  bytes = 40
  call MPI_Win_create(memory, bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr)
  data = [(100 * rank + i, i = 1, 10)]
  at = 2
  call MPI_Win_fence(0, win, ierr)
  call MPI_Put(data, 5, MPI_INTEGER, next, at, 5, MPI_INTEGER, win, ierr)
  call MPI_Win_fence(0, win, ierr)
  do i = 1, 5
    call expect('put', 100 * before + i, memory(2 + i))
  end do
  at = 9
  call MPI_Win_lock_all(0, win, ierr)
  call MPI_Accumulate([1], 1, MPI_INTEGER, 0, at, 1, MPI_INTEGER, MPI_SUM, win, ierr)
  call MPI_Win_unlock_all(win, ierr)
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  if (rank == 0) call expect('accumulated', size, memory(10))

  call MPI_Win_get_attr(win, MPI_WIN_BASE, value, flag, ierr)
  call expect_true('base', flag .and. value == loc(memory))
  call MPI_Win_get_attr(win, MPI_WIN_SIZE, value, flag, ierr)
  call expect('size', 40, int(value))
  call MPI_Win_get_attr(win, MPI_WIN_DISP_UNIT, value, flag, ierr)
  call expect('unit', 4, int(value))
  extra = 7
  call MPI_Win_create_keyval(copy_it, remove_it, key, extra, ierr)
  value = 1000
  call MPI_Win_set_attr(win, key, value, ierr)
  call MPI_Win_create_errhandler(handle_it, handler, ierr)
  call MPI_Win_set_errhandler(win, handler, ierr)
  call MPI_Win_unlock(0, win, ierr)
  call expect('handled', MPI_ERR_RMA_SYNC, handled)
  call MPI_Errhandler_free(handler, ierr)
  call MPI_Win_set_name(win, 'halo', ierr)
  call MPI_Win_get_name(win, name, members, ierr)
  call expect_text('name', 'halo', name)
  call MPI_Win_get_group(win, group, ierr)
  call MPI_Group_size(group, members, ierr)
  call expect('members', size, members)
  call MPI_Group_free(group, ierr)
  call MPI_Win_free(win, ierr)
  call expect('removed', 1007, removed)
  call expect_true('freed', win == MPI_WIN_NULL)

  bytes = 8
  call MPI_Win_allocate(bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, base, own, ierr)
  call c_f_pointer(base, made, [2])
  made = 5
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  at = 1
  call MPI_Win_lock(MPI_LOCK_EXCLUSIVE, next, 0, own, ierr)
  call MPI_Compare_and_swap([6], [5], found, MPI_INTEGER, next, at, own, ierr)
  call MPI_Fetch_and_op([10], seen, MPI_INTEGER, next, at, MPI_SUM, own, ierr)
  call MPI_Win_unlock(next, own, ierr)
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  call expect('compared', 5, found)
  call expect('swapped', 6, seen)
  call expect('added', 16, made(2))
  call MPI_Win_free(own, ierr)
  call finish('windows')
end program
