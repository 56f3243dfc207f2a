! Every collective operation once, and what is to come of it.
include 'check.inc'

program collectives
  use check
  implicit none
  integer :: i, root, mine(2), one, total, request
  integer, allocatable :: all_of(:), counts(:), displs(:), types(:), bytes(:), other(:)
  double precision :: x, y
  call begin()
  root = size - 1
  allocate (all_of(2 * size), counts(size), displs(size), types(size), bytes(size), other(2 * size))
  mine = [rank, -rank]

  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  one = merge(77, 0, rank == root)
  call MPI_Bcast(one, 1, MPI_INTEGER, root, MPI_COMM_WORLD, ierr)
  call expect('Bcast', 77, one)

  all_of = 0
  call MPI_Gather(mine, 2, MPI_INTEGER, all_of, 2, MPI_INTEGER, root, MPI_COMM_WORLD, ierr)
  if (rank == root) call check_all('Gather')
  call MPI_Scatter(all_of, 2, MPI_INTEGER, mine, 2, MPI_INTEGER, root, MPI_COMM_WORLD, ierr)
  call expect('Scatter', -rank, mine(2))
  all_of = 0
  call MPI_Allgather(mine, 2, MPI_INTEGER, all_of, 2, MPI_INTEGER, MPI_COMM_WORLD, ierr)
  call check_all('Allgather')

  counts = 2
  displs = [(2 * (i - 1), i = 1, size)]
  all_of = 0
  call MPI_Gatherv(mine, 2, MPI_INTEGER, all_of, counts, displs, MPI_INTEGER, root, MPI_COMM_WORLD, ierr)
  if (rank == root) call check_all('Gatherv')
  mine = 0
  call MPI_Scatterv(all_of, counts, displs, MPI_INTEGER, mine, 2, MPI_INTEGER, root, MPI_COMM_WORLD, ierr)
  call expect('Scatterv', rank, mine(1))
  all_of = 0
  call MPI_Allgatherv(mine, 2, MPI_INTEGER, all_of, counts, displs, MPI_INTEGER, MPI_COMM_WORLD, ierr)
  call check_all('Allgatherv')

  other = [(1000 * rank + i, i = 1, 2 * size)]
  call MPI_Alltoall(other, 2, MPI_INTEGER, all_of, 2, MPI_INTEGER, MPI_COMM_WORLD, ierr)
  call check_exchange('Alltoall')
  all_of = 0
  call MPI_Alltoallv(other, counts, displs, MPI_INTEGER, all_of, counts, displs, MPI_INTEGER, MPI_COMM_WORLD, ierr)
  call check_exchange('Alltoallv')
  all_of = 0
  types = MPI_INTEGER
  bytes = 4 * displs
  call MPI_Alltoallw(other, counts, bytes, types, all_of, counts, bytes, types, MPI_COMM_WORLD, ierr)
  call check_exchange('Alltoallw')
  call MPI_Ialltoallw(other, counts, bytes, types, all_of, counts, bytes, types, MPI_COMM_WORLD, request, ierr)
  call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
  call check_exchange('Ialltoallw')

  total = size * (size - 1) / 2
  call MPI_Reduce(rank, one, 1, MPI_INTEGER, MPI_SUM, root, MPI_COMM_WORLD, ierr)
  if (rank == root) call expect('Reduce', total, one)
  x = rank
  call MPI_Allreduce(x, y, 1, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD, ierr)
  call expect('Allreduce', size - 1, int(y))
  call MPI_Scan(rank, one, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
  call expect('Scan', rank * (rank + 1) / 2, one)
  one = 0
  call MPI_Exscan(rank, one, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
  call expect('Exscan', rank * (rank - 1) / 2, merge(one, 0, rank > 0))
  other = rank
  call MPI_Reduce_scatter(other, mine, counts, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
  call expect('Reduce_scatter', total, mine(2))
  mine = 0
  call MPI_Reduce_scatter_block(other, mine, 2, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
  call expect('Reduce_scatter_block', total, mine(1))

  call MPI_Iallreduce(rank, one, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, request, ierr)
  call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
  call expect('Iallreduce', total, one)
  call MPI_Ibarrier(MPI_COMM_WORLD, request, ierr)
  call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
  call finish('collectives')
contains
  subroutine check_all(what)
    character(len=*), intent(in) :: what
    do i = 1, size
      call expect(what, i - 1, all_of(2 * i - 1))
      call expect(what, 1 - i, all_of(2 * i))
    end do
  end subroutine

  subroutine check_exchange(what)
    character(len=*), intent(in) :: what
    do i = 1, size
      call expect(what, 1000 * (i - 1) + 2 * rank + 1, all_of(2 * i - 1))
    end do
  end subroutine
end program
