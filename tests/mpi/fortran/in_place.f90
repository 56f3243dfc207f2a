! MPI_IN_PLACE, wherever it may stand.
include 'check.inc'

program in_place
  use check
  implicit none
  integer :: i, root, one
  integer, allocatable :: list(:), counts(:), displs(:), types(:), bytes(:)
  double precision :: x(3)
  call begin()
  root = size / 2
  allocate (list(size), counts(size), displs(size), types(size), bytes(size))
  counts = 1
  displs = [(i - 1, i = 1, size)]
  bytes = 4 * displs
  types = MPI_INTEGER

  x = rank + 1
  call MPI_Allreduce(MPI_IN_PLACE, x, 3, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierr)
  call expect('Allreduce', size * (size + 1) / 2, int(x(3)))
  one = rank
  if (rank == root) then
    call MPI_Reduce(MPI_IN_PLACE, one, 1, MPI_INTEGER, MPI_SUM, root, MPI_COMM_WORLD, ierr)
    call expect('Reduce', size * (size - 1) / 2, one)
  else
    call MPI_Reduce(one, one, 1, MPI_INTEGER, MPI_SUM, root, MPI_COMM_WORLD, ierr)
  end if

  list = -1
  list(rank + 1) = rank
  call MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, list, 1, MPI_INTEGER, MPI_COMM_WORLD, ierr)
  call expect_true('Allgather', all(list == displs))
  list = -1
  list(rank + 1) = rank
  call MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, list, counts, displs, MPI_INTEGER, MPI_COMM_WORLD, ierr)
  call expect_true('Allgatherv', all(list == displs))

  list = -1
  if (rank == root) then
    list(rank + 1) = rank
    call MPI_Gather(MPI_IN_PLACE, 1, MPI_INTEGER, list, 1, MPI_INTEGER, root, MPI_COMM_WORLD, ierr)
    call expect_true('Gather', all(list == displs))
    call MPI_Scatter(list, 1, MPI_INTEGER, MPI_IN_PLACE, 1, MPI_INTEGER, root, MPI_COMM_WORLD, ierr)
  else
    call MPI_Gather(rank, 1, MPI_INTEGER, list, 1, MPI_INTEGER, root, MPI_COMM_WORLD, ierr)
    call MPI_Scatter(list, 1, MPI_INTEGER, one, 1, MPI_INTEGER, root, MPI_COMM_WORLD, ierr)
    call expect('Scatter', rank, one)
  end if

  list = 100 * rank + displs
  call MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, list, 1, MPI_INTEGER, MPI_COMM_WORLD, ierr)
  call expect_true('Alltoall', all(list == 100 * displs + rank))
  list = 100 * rank + displs
  call MPI_Alltoallw(MPI_IN_PLACE, counts, bytes, types, list, counts, bytes, types, MPI_COMM_WORLD, ierr)
  call expect_true('Alltoallw', all(list == 100 * displs + rank))
  one = 1
  call MPI_Scan(MPI_IN_PLACE, one, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
  call expect('Scan', rank + 1, one)
  call finish('in_place')
end program
