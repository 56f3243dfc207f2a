! Derived datatypes: columns and rows of a matrix, structures with MPI_BOTTOM, extents, contents.
include 'check.inc'

program datatypes
  use check
  implicit none
  integer, parameter :: n = 5
  double precision :: a(n, n), b(n, n)
  integer :: row, block, pair, status(MPI_STATUS_SIZE), i, j, count, next, last, bytes
  integer :: number, number_got, integers(4), types(2), combiner, kinds(3), lengths(2)
  double precision :: value, value_got
  integer(kind=MPI_ADDRESS_KIND) :: places(2), lb, extent, addresses(1), far
  call begin()
  next = mod(rank + 1, size)
  last = mod(rank + size - 1, size)
  do j = 1, n
    a(:, j) = [(100 * rank + 10 * i + j, i = 1, n)]
  end do

  call MPI_Type_vector(n, 1, n, MPI_DOUBLE_PRECISION, row, ierr)
  call MPI_Type_commit(row, ierr)
  b = 0
  call MPI_Sendrecv(a(2, 1), 1, row, next, 1, b(3, 1), 1, row, last, 1, MPI_COMM_WORLD, status, ierr)
  call expect_true('row', all(b(3, :) == [(100 * last + 20 + j, j = 1, n)]))
  call expect_true('nothing else', all(b(4, :) == 0))
  call MPI_Get_count(status, row, count, ierr)
  call expect('rows', 1, count)
  call MPI_Get_elements(status, row, count, ierr)
  call expect('elements', n, count)
  call MPI_Type_size(row, bytes, ierr)
  call expect('size', 8 * n, bytes)
  call MPI_Type_get_extent(row, lb, extent, ierr)
  call expect('extent', 8 * (n * (n - 1) + 1), int(extent))

  ! A column is contiguous, a section is copied by the compiler.
  b = 0
  call MPI_Sendrecv(a(:, 4), n, MPI_DOUBLE_PRECISION, next, 2, b(2, :), n, MPI_DOUBLE_PRECISION, last, 2, &
                    MPI_COMM_WORLD, status, ierr)
  call expect_true('column', all(b(2, :) == [(100 * last + 10 * i + 4, i = 1, n)]))

  call MPI_Type_create_subarray(2, [n, n], [2, 3], [1, 2], MPI_ORDER_FORTRAN, MPI_DOUBLE_PRECISION, block, ierr)
  call MPI_Type_commit(block, ierr)
  b = 0
  call MPI_Sendrecv(a, 1, block, next, 3, b, 1, block, last, 3, MPI_COMM_WORLD, status, ierr)
  call expect_true('block', b(2, 3) == 100 * last + 23 .and. b(3, 5) == 100 * last + 35 .and. b(4, 3) == 0)

  ! Sent from one pair of variables, and received into another: their distances differ.
  number = rank
  value = rank + 0.5d0
  call at_bottom(number, value)
  call MPI_Send(MPI_BOTTOM, 1, pair, rank, 4, MPI_COMM_WORLD, ierr)
  call MPI_Type_free(pair, ierr)
  call at_bottom(number_got, value_got)
  call MPI_Recv(MPI_BOTTOM, 1, pair, rank, 4, MPI_COMM_WORLD, status, ierr)
  call expect('number at the bottom', rank, number_got)
  call expect_true('value at the bottom', value_got == rank + 0.5d0)
  far = MPI_Aint_add(places(1), 8_MPI_ADDRESS_KIND)
  call expect('distance', 8, int(MPI_Aint_diff(far, places(1))))

  call MPI_Type_get_envelope(pair, kinds(1), kinds(2), kinds(3), combiner, ierr)
  call expect('combiner', MPI_COMBINER_STRUCT, combiner)
  call MPI_Type_get_envelope(row, kinds(1), kinds(2), kinds(3), combiner, ierr)
  call expect('types in a vector', 1, kinds(3))
  call MPI_Type_get_contents(row, 3, 1, 1, integers, addresses, types, ierr)
  call expect('stride', n, integers(3))
  call expect('its type', MPI_DOUBLE_PRECISION, types(1))
  call MPI_Type_free(row, ierr)
  call MPI_Type_free(block, ierr)
  call MPI_Type_free(pair, ierr)
  call expect('freed', MPI_DATATYPE_NULL, pair)
  call MPI_Type_create_f90_real(12, 200, row, ierr)
  call MPI_Type_size(row, bytes, ierr)
  call expect('a real of 12 digits', 8, bytes)
  call finish('datatypes')
contains
  subroutine at_bottom(a_number, a_value)
    integer :: a_number
    double precision :: a_value
    call MPI_Get_address(a_number, places(1), ierr)
    call MPI_Get_address(a_value, places(2), ierr)
    lengths = 1
    types = [MPI_INTEGER, MPI_DOUBLE_PRECISION]
    call MPI_Type_create_struct(2, lengths, places, types, pair, ierr)
    call MPI_Type_commit(pair, ierr)
  end subroutine
end program
