! Functions by their second name; time; memory of MPI's; packing.
include 'check.inc'

program profiling
  use check
  use iso_c_binding
  implicit none
  integer :: sum, position, bytes, i, provided, n
  integer, pointer :: memory(:)
  integer(kind=MPI_ADDRESS_KIND) :: wanted
  type(c_ptr) :: base
  character :: packed(200)
  double precision :: before, x
  logical :: flag
  call begin()
  call PMPI_Allreduce(1, sum, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
  call expect('PMPI_Allreduce', size, sum)
  before = MPI_Wtime()
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  call expect_true('time goes on', MPI_Wtime() >= before .and. MPI_Wtick() > 0 .and. PMPI_Wtime() >= before)
  call MPI_Initialized(flag, ierr)
  call expect_true('initialised', flag)
  call MPI_Finalized(flag, ierr)
  call expect_true('not finalised', .not. flag)
  call MPI_Query_thread(provided, ierr)
  call expect_true('threads', provided >= MPI_THREAD_SINGLE)
  call MPI_Pcontrol(1)

  wanted = 400
  call MPI_Alloc_mem(wanted, MPI_INFO_NULL, base, ierr)
  call c_f_pointer(base, memory, [100])
  memory = [(i * rank, i = 1, 100)]
  call MPI_Allreduce(MPI_IN_PLACE, memory, 100, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
  call expect('in that memory', 100 * (size * (size - 1) / 2), memory(100))
  call MPI_Free_mem(memory, ierr)

  position = 0
  x = rank + 0.5d0
  call MPI_Pack(rank, 1, MPI_INTEGER, packed, 200, position, MPI_COMM_WORLD, ierr)
  call MPI_Pack(x, 1, MPI_DOUBLE_PRECISION, packed, 200, position, MPI_COMM_WORLD, ierr)
  call MPI_Pack_size(1, MPI_DOUBLE_PRECISION, MPI_COMM_WORLD, bytes, ierr)
  call expect_true('packed', position >= 12 .and. bytes >= 8)
  call MPI_Bcast(packed, position, MPI_PACKED, 0, MPI_COMM_WORLD, ierr)
  position = 0
  call MPI_Unpack(packed, 200, position, n, 1, MPI_INTEGER, MPI_COMM_WORLD, ierr)
  call MPI_Unpack(packed, 200, position, x, 1, MPI_DOUBLE_PRECISION, MPI_COMM_WORLD, ierr)
  call expect('unpacked', 0, n)
  call expect_true('and more', x == 0.5d0)
  call finish('profiling')
end program
