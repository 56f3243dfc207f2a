! Operations in Fortran, on basic types and on the program's own; generalised requests.
include 'check.inc'

module operations
  use check
  implicit none
  integer :: freed = 0
contains
  subroutine largest(in, inout, n, type)
    integer :: n, type
    integer :: in(n), inout(n)
    call expect('type of the operands', MPI_INTEGER, type)
    inout = max(in, inout)
  end subroutine

  ! Matrices, whose product depends on the order.
  subroutine multiply(in, inout, n, type)
    integer :: n, type, i
    double precision :: in(2, 2, n), inout(2, 2, n)
    do i = 1, n
      inout(:, :, i) = matmul(in(:, :, i), inout(:, :, i))
    end do
  end subroutine

  subroutine query(extra, status, error)
    integer(kind=MPI_ADDRESS_KIND) :: extra
    integer :: status(MPI_STATUS_SIZE), error
    call MPI_Status_set_elements(status, MPI_INTEGER, int(extra), error)
    call MPI_Status_set_cancelled(status, .false., error)
    status(MPI_SOURCE) = MPI_UNDEFINED
    status(MPI_TAG) = 12
    error = MPI_SUCCESS
  end subroutine

  subroutine release(extra, error)
    integer(kind=MPI_ADDRESS_KIND) :: extra
    integer :: error
    freed = freed + int(extra)
    error = MPI_SUCCESS
  end subroutine

  subroutine cancel(extra, complete, error)
    integer(kind=MPI_ADDRESS_KIND) :: extra
    logical :: complete
    integer :: error
    error = MPI_SUCCESS
  end subroutine
end module

program user_ops
  use operations
  implicit none
  integer :: op, matrix, got(3), i, request, status(MPI_STATUS_SIZE), n
  double precision :: a(2, 2), product(2, 2)
  integer(kind=MPI_ADDRESS_KIND) :: extra
  logical :: commutes
  call begin()

  call MPI_Op_create(largest, .true., op, ierr)
  call MPI_Op_commutative(op, commutes, ierr)
  call expect_true('commutes', commutes)
  call MPI_Allreduce([rank, -rank, 5], got, 3, MPI_INTEGER, op, MPI_COMM_WORLD, ierr)
  call expect_true('largest', all(got == [size - 1, 0, 5]))
  call MPI_Op_free(op, ierr)
  call expect('freed', MPI_OP_NULL, op)

  ! Row 1 adds up powers of two, as long as the order is kept.
  call MPI_Type_contiguous(4, MPI_DOUBLE_PRECISION, matrix, ierr)
  call MPI_Type_commit(matrix, ierr)
  call MPI_Op_create(multiply, .false., op, ierr)
  a = reshape([1d0, 0d0, dble(rank + 1), 1d0], [2, 2])
  call MPI_Reduce(a, product, 1, matrix, op, 0, MPI_COMM_WORLD, ierr)
  if (rank == 0) call expect('sum in a product', size * (size + 1) / 2, nint(product(1, 2)))
  a = reshape([0d0, 0d0, dble(rank), 1d0], [2, 2])
  call MPI_Allreduce(a, product, 1, matrix, op, MPI_COMM_WORLD, ierr)
  call expect('order', 0, nint(product(1, 2)))
  call MPI_Op_free(op, ierr)
  call MPI_Type_free(matrix, ierr)

  extra = 3
  call MPI_Grequest_start(query, release, cancel, extra, request, ierr)
  call MPI_Test(request, commutes, status, ierr)
  call expect_true('not over', .not. commutes)
  call MPI_Grequest_complete(request, ierr)
  call MPI_Wait(request, status, ierr)
  call MPI_Get_count(status, MPI_INTEGER, n, ierr)
  call expect('elements', 3, n)
  call expect('tag', 12, status(MPI_TAG))
  call expect('released', 3, freed)
  got(1:2) = [rank, size - rank]
  call MPI_Reduce(got, a, 1, MPI_2INTEGER, MPI_MAXLOC, 0, MPI_COMM_WORLD, ierr)
  call finish('user_ops')
end program
