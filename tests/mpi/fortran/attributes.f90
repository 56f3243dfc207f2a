! Attributes in the forms of MPI-1 and MPI-2, with functions of the program's and MPI's own.
include 'check.inc'

module functions
  use check
  implicit none
  integer :: copied = 0, removed = 0
contains
  subroutine copy_it(comm, key, extra, from, to, flag, error)
    integer :: comm, key, error
    integer(kind=MPI_ADDRESS_KIND) :: extra, from, to
    logical :: flag
    copied = copied + int(extra)
    to = from + 1
    flag = .true.
    error = MPI_SUCCESS
  end subroutine

  subroutine remove_it(comm, key, value, extra, error)
    integer :: comm, key, error
    integer(kind=MPI_ADDRESS_KIND) :: value, extra
    removed = removed + int(value)
    error = MPI_SUCCESS
  end subroutine

  subroutine old_copy(comm, key, extra, from, to, flag, error)
    integer :: comm, key, extra, from, to, error
    logical :: flag
    call expect('extra of MPI-1', -3, extra)
    to = from - 1
    flag = .true.
    error = MPI_SUCCESS
  end subroutine

  subroutine old_remove(comm, key, value, extra, error)
    integer :: comm, key, value, extra, error
    removed = removed + value
    error = MPI_SUCCESS
  end subroutine
end module

program attributes
  use functions
  implicit none
  integer :: key, kept, dropped, copy, type, small
  integer(kind=MPI_ADDRESS_KIND) :: value, extra
  logical :: flag
  call begin()

  call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, value, flag, ierr)
  call expect_true('largest tag', flag .and. value >= 32767)
  call MPI_Attr_get(MPI_COMM_WORLD, MPI_TAG_UB, small, flag, ierr)
  call expect_true('the same of MPI-1', flag .and. small == value)

  extra = 7
  call MPI_Comm_create_keyval(copy_it, remove_it, key, extra, ierr)
  call MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, kept, extra, ierr)
  call MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, dropped, extra, ierr)
  value = 1000
  call MPI_Comm_set_attr(MPI_COMM_WORLD, key, value, ierr)
  value = -5000000000_MPI_ADDRESS_KIND
  call MPI_Comm_set_attr(MPI_COMM_WORLD, kept, value, ierr)
  call MPI_Comm_set_attr(MPI_COMM_WORLD, dropped, value, ierr)
  call MPI_Comm_dup(MPI_COMM_WORLD, copy, ierr)
  call MPI_Comm_get_attr(copy, key, value, flag, ierr)
  call expect_true('copied', flag .and. value == 1001)
  call expect('with extra state', 7, copied)
  call MPI_Comm_get_attr(copy, kept, value, flag, ierr)
  call expect_true('kept', flag .and. value == -5000000000_MPI_ADDRESS_KIND)
  call MPI_Comm_get_attr(copy, dropped, value, flag, ierr)
  call expect_true('dropped', .not. flag)
  call MPI_Comm_free(copy, ierr)
  call expect('removed with the copy', 1001, removed)
  call MPI_Comm_delete_attr(MPI_COMM_WORLD, key, ierr)
  call expect('removed', 2001, removed)
  call MPI_Comm_delete_attr(MPI_COMM_WORLD, kept, ierr)
  call MPI_Comm_delete_attr(MPI_COMM_WORLD, dropped, ierr)
  call MPI_Comm_free_keyval(key, ierr)
  call expect('no key', MPI_KEYVAL_INVALID, key)
  call MPI_Comm_free_keyval(kept, ierr)
  call MPI_Comm_free_keyval(dropped, ierr)

  removed = 0
  call MPI_Keyval_create(old_copy, old_remove, key, -3, ierr)
  call MPI_Attr_put(MPI_COMM_WORLD, key, -40, ierr)
  call MPI_Comm_dup(MPI_COMM_WORLD, copy, ierr)
  call MPI_Attr_get(copy, key, small, flag, ierr)
  call expect_true('copied in MPI-1', flag .and. small == -41)
  call MPI_Comm_free(copy, ierr)
  call MPI_Attr_delete(MPI_COMM_WORLD, key, ierr)
  call expect('removed in MPI-1', -81, removed)
  call MPI_Keyval_free(key, ierr)
  call MPI_Keyval_create(MPI_DUP_FN, MPI_NULL_DELETE_FN, key, 0, ierr)
  call MPI_Attr_put(MPI_COMM_WORLD, key, -9, ierr)
  call MPI_Comm_dup(MPI_COMM_WORLD, copy, ierr)
  call MPI_Attr_get(copy, key, small, flag, ierr)
  call expect_true('duplicated in MPI-1', flag .and. small == -9)
  call MPI_Comm_free(copy, ierr)
  call MPI_Attr_delete(MPI_COMM_WORLD, key, ierr)
  call MPI_Keyval_free(key, ierr)

  removed = 0
  call MPI_Type_create_keyval(copy_it, remove_it, key, extra, ierr)
  call MPI_Type_contiguous(2, MPI_INTEGER, type, ierr)
  value = 10
  call MPI_Type_set_attr(type, key, value, ierr)
  call MPI_Type_dup(type, copy, ierr)
  call MPI_Type_get_attr(copy, key, value, flag, ierr)
  call expect_true('of a type', flag .and. value == 11)
  call MPI_Type_free(copy, ierr)
  call MPI_Type_free(type, ierr)
  call expect('removed with types', 21, removed)
  call MPI_Type_free_keyval(key, ierr)
  call finish('attributes')
end program
