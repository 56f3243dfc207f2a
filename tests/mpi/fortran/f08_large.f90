! mpi_f08: counts of MPI_COUNT_KIND, by the same names as default integers.
include 'check_f08.inc'

module large_operation
  use check
  use, intrinsic :: iso_c_binding, only: c_ptr, c_f_pointer
  implicit none
contains
  subroutine largest(invec, inoutvec, len, datatype)
    type(c_ptr), value :: invec, inoutvec
    integer(kind=MPI_COUNT_KIND) :: len
    type(MPI_Datatype) :: datatype
    integer, pointer :: in(:), inout(:)
    call c_f_pointer(invec, in, [len])
    call c_f_pointer(inoutvec, inout, [len])
    inout = max(in, inout)
  end subroutine
end module

program f08_large
  use large_operation
  implicit none
  integer, parameter :: ck = MPI_COUNT_KIND, ak = MPI_ADDRESS_KIND
  type(MPI_Status) :: status
  type(MPI_Request) :: request
  type(MPI_Datatype) :: type, kept(1)
  type(MPI_Op) :: op
  integer(ck) :: n, na, nl, nd, position, large(3)
  integer(ak) :: low, extent, addresses(1)
  integer(ck), allocatable :: counts(:)
  integer(ak), allocatable :: displs(:)
  integer, allocatable :: all_of_them(:), mine(:)
  integer :: next, last, i, combiner, integers(1), out(5), in(5), packed(5)
  call begin()
  next = modulo(rank + 1, size)
  last = modulo(rank - 1, size)

  out = [(10 * rank + i, i = 1, 5)]
  call MPI_Irecv(in, 5_ck, MPI_INTEGER, last, 1, MPI_COMM_WORLD, request)
  call MPI_Send(out, count=5_ck, datatype=MPI_INTEGER, dest=next, tag=1, comm=MPI_COMM_WORLD)
  call MPI_Wait(request, status)
  call expect_true('received', all(in == [(10 * last + i, i = 1, 5)]))
  call MPI_Get_count(status, MPI_INTEGER, n)
  call expect('count', 5, int(n))
  call MPI_Sendrecv(out, 2_ck, MPI_INTEGER, next, 2, in, 3_ck, MPI_INTEGER, last, 2, MPI_COMM_WORLD, status, ierr)
  call expect('exchanged', 10 * last + 2, in(2))

  ! As many numbers of each process as it has a rank.
  allocate (counts(size), displs(size), all_of_them(size * (size - 1) / 2), mine(rank))
  counts = [(i - 1, i = 1, size)]
  displs = [(i * (i - 1) / 2, i = 0, size - 1)]
  mine = [(i, i = 1, rank)]
  call MPI_Allgatherv(mine, int(rank, ck), MPI_INTEGER, all_of_them, counts, displs, MPI_INTEGER, MPI_COMM_WORLD)
  do i = 1, size - 1
    call expect('of each', i, all_of_them(displs(i + 1) + i))
  end do

  call MPI_Op_create_c(largest, .true., op)
  call MPI_Allreduce(rank, i, 1_ck, MPI_INTEGER, op, MPI_COMM_WORLD)
  call expect('largest', size - 1, i)
  call MPI_Op_free(op)

  ! A type that is larger than default integers can say.
  call MPI_Type_contiguous(3000000000_ck, MPI_INTEGER, type)
  call MPI_Type_size(type, n)
  call expect_true('size', n == 12000000000_ck)
  call MPI_Type_get_extent(type, low, extent)
  call expect_true('extent', low == 0 .and. extent == 12000000000_ak)
  call MPI_Type_get_envelope(type, n, na, nl, nd, combiner)
  call expect_true('envelope', n == 0 .and. na == 0 .and. nl == 1 .and. nd == 1)
  call expect('combiner', MPI_COMBINER_CONTIGUOUS, combiner)
  call MPI_Type_get_contents(type, n, na, nl, nd, integers, addresses, large, kept)
  call expect_true('contents', large(1) == 3000000000_ck .and. kept(1) == MPI_INTEGER)
  call MPI_Type_free(type)

  position = 0
  call MPI_Pack(out, 5_ck, MPI_INTEGER, packed, 20_ck, position, MPI_COMM_WORLD)
  call expect('packed', 20, int(position))
  call expect_true('as it was', all(packed == out))
  call finish('f08_large')
end program
