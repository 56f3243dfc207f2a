! The heat equation on a square, in strips of columns; every number of ranks finds the same sum.
include 'check.inc'

program heat
  use check
  implicit none
  integer, parameter :: n = 48, steps = 40
  double precision, allocatable :: now(:, :), then(:, :)
  double precision :: sum, total, whole(0:n + 1, 0:n + 1), next(0:n + 1, 0:n + 1)
  integer :: first, last, left, right, step, j, requests(4)
  call begin()
  first = rank * n / size + 1
  last = (rank + 1) * n / size
  allocate (now(0:n + 1, first - 1:last + 1), then(0:n + 1, first - 1:last + 1))
  left = MPI_PROC_NULL
  right = MPI_PROC_NULL
  if (first > 1 .and. last >= first) left = owner(first - 1)
  if (last < n .and. last >= first) right = owner(last + 1)

  call start(now, first - 1, last + 1)
  do step = 1, steps
    call MPI_Irecv(now(1, first - 1), n, MPI_DOUBLE_PRECISION, left, 1, MPI_COMM_WORLD, requests(1), ierr)
    call MPI_Irecv(now(1, last + 1), n, MPI_DOUBLE_PRECISION, right, 2, MPI_COMM_WORLD, requests(2), ierr)
    call MPI_Isend(now(1, last), n, MPI_DOUBLE_PRECISION, right, 1, MPI_COMM_WORLD, requests(3), ierr)
    call MPI_Isend(now(1, first), n, MPI_DOUBLE_PRECISION, left, 2, MPI_COMM_WORLD, requests(4), ierr)
    call MPI_Waitall(4, requests, MPI_STATUSES_IGNORE, ierr)
    then = now
    do j = first, last
      then(1:n, j) = now(1:n, j) + 0.2d0 * (now(0:n - 1, j) + now(2:n + 1, j) + now(1:n, j - 1) + now(1:n, j + 1) &
                                            - 4 * now(1:n, j))
    end do
    now = then
  end do
  sum = 0
  do j = first, last
    sum = sum + j * dot_product(now(1:n, j), now(1:n, j))
  end do
  call MPI_Allreduce(sum, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierr)

  call start(whole, 0, n + 1)
  do step = 1, steps
    next = whole
    next(1:n, 1:n) = whole(1:n, 1:n) + 0.2d0 * (whole(0:n - 1, 1:n) + whole(2:n + 1, 1:n) + whole(1:n, 0:n - 1) &
                                                + whole(1:n, 2:n + 1) - 4 * whole(1:n, 1:n))
    whole = next
  end do
  sum = 0
  do j = 1, n
    sum = sum + j * dot_product(whole(1:n, j), whole(1:n, j))
  end do
  call expect_true('the same heat', abs(sum - total) <= 1d-9 * abs(sum))
  call finish('heat')
contains
  subroutine start(field, from, to)
    integer, intent(in) :: from, to
    double precision, intent(out) :: field(0:n + 1, from:to)
    field = 0
    if (from <= 10 .and. to >= 10) field(5:20, 10) = 100
    if (from == 0) field(:, 0) = 1
    if (to == n + 1) field(:, n + 1) = 2
  end subroutine

  ! Whose strip a column is in.
  integer function owner(column)
    integer, intent(in) :: column
    do owner = 0, size - 1
      if (column >= owner * n / size + 1 .and. column <= (owner + 1) * n / size) return
    end do
  end function
end program
