! mpi_f08: collective operations, operations of the program's own, derived datatypes, MPI_IN_PLACE and MPI_BOTTOM.
include 'check_f08.inc'

module operations
  use check
  use, intrinsic :: iso_c_binding, only: c_ptr, c_f_pointer
  implicit none
contains
  subroutine largest(invec, inoutvec, len, datatype)
    type(c_ptr), value :: invec, inoutvec
    integer :: len
    type(MPI_Datatype) :: datatype
    integer, pointer :: in(:), inout(:)
    call expect_true('type of the operands', datatype == MPI_INTEGER)
    call c_f_pointer(invec, in, [len])
    call c_f_pointer(inoutvec, inout, [len])
    inout = max(in, inout)
  end subroutine
end module

program f08_collectives
  use operations
  implicit none
  type particle
    sequence
    double precision :: x(3)
    integer :: kind, pad
  end type
  type(particle) :: one, all_of_them(256)
  type(MPI_Datatype) :: types(2), row, block, kept(2)
  type(MPI_Datatype), allocatable :: sendtypes(:), recvtypes(:)
  type(MPI_Op) :: op
  type(MPI_Request) :: request
  integer(kind=MPI_ADDRESS_KIND) :: at(3), low, extent, addresses(2)
  integer :: i, n, values(3), integers(3), na, nd, combiner, matrix(4, 4), column(4)
  integer, allocatable :: list(:), counts(:), bytes(:)
  double precision :: sums(2)
  logical :: commutes
  integer :: calls
  call begin()
  allocate (list(size), counts(size), bytes(size), sendtypes(size), recvtypes(size))

  call MPI_Op_create(user_fn=largest, commute=.true., op=op)
  call expect_true('an operation', op /= MPI_OP_NULL)
  call MPI_Op_commutative(op, commutes)
  call expect_true('it commutes', commutes)
  values = [rank, -rank, 7]
  call MPI_Allreduce(MPI_IN_PLACE, values, 3, MPI_INTEGER, op, MPI_COMM_WORLD)
  call expect_true('largest', all(values == [size - 1, 0, 7]))
  call MPI_Iallreduce(rank, n, 1, MPI_INTEGER, op, MPI_COMM_WORLD, request)
  call MPI_Wait(request, MPI_STATUS_IGNORE)
  call expect('largest rank', size - 1, n)
  n = 3
  call MPI_Reduce_local(inbuf=5, inoutbuf=n, count=1, datatype=MPI_INTEGER, op=op)
  call expect('largest of two', 5, n)
  call MPI_Op_free(op)

  ! An internal procedure, which knows the variables around it.
  calls = 0
  call MPI_Op_create(sum_of, .true., op)
  n = rank
  call MPI_Allreduce(MPI_IN_PLACE, n, 1, MPI_INTEGER, op, MPI_COMM_SELF)
  call MPI_Reduce_local(5, n, 1, MPI_INTEGER, op)
  call expect('sum', rank + 5, n)
  call expect('calls', 1, calls)
  call MPI_Op_free(op)
  call expect_true('no operation', op == MPI_OP_NULL)
  call MPI_Reduce([1d0, 0d0], sums, 2, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
  if (rank == 0) call expect('sum', size, int(sums(1)))

  list = -1
  list(rank + 1) = rank * rank
  call MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, list, 1, MPI_INTEGER, MPI_COMM_WORLD)
  call expect_true('Allgather', all(list == [((i - 1)**2, i = 1, size)]))
  n = -1
  if (rank == 0) then
    call MPI_Scatter(list, 1, MPI_INTEGER, MPI_IN_PLACE, 1, MPI_INTEGER, 0, MPI_COMM_WORLD)
  else
    call MPI_Scatter(list, 1, MPI_INTEGER, n, 1, MPI_INTEGER, 0, MPI_COMM_WORLD)
    call expect('Scatter', rank * rank, n)
  end if
  list = [(rank * i, i = 1, size)]
  call MPI_Bcast(buffer=list(size:1:-1), count=size, datatype=MPI_INTEGER, root=size - 1, comm=MPI_COMM_WORLD)
  call expect_true('a section backwards', all(list == [((size - 1) * i, i = 1, size)]))

  ! A structure, whose members' addresses give the displacements.
  call MPI_Get_address(one%x, at(1))
  call MPI_Get_address(one%kind, at(2))
  call MPI_Get_address(all_of_them(2), at(3))
  at(2) = MPI_Aint_diff(at(2), at(1))
  call expect('displacement', 24, int(at(2)))
  call MPI_Type_create_struct(2, [3, 1], [0_MPI_ADDRESS_KIND, at(2)], [MPI_DOUBLE_PRECISION, MPI_INTEGER], types(1))
  call MPI_Sizeof(one%x, n)
  call expect('size of a number', 8, n)
  call MPI_Sizeof(list, n, ierr)
  call expect('size of an element', 4, n)
  call MPI_Type_create_resized(types(1), 0_MPI_ADDRESS_KIND, 32_MPI_ADDRESS_KIND, types(2))
  call MPI_Type_commit(types(2))
  call MPI_Type_get_extent(types(2), low, extent)
  call expect('extent', 32, int(extent))
  call MPI_Type_get_envelope(types(1), n, na, nd, combiner)
  call expect_true('envelope', combiner == MPI_COMBINER_STRUCT .and. n == 3 .and. na == 2 .and. nd == 2)
  call MPI_Type_get_contents(types(1), n, na, nd, integers, addresses, kept)
  call expect_true('its types', kept(1) == MPI_DOUBLE_PRECISION .and. kept(2) == MPI_INTEGER)
  one = particle([rank + 0.5d0, 2d0, 3d0], -rank, 0)
  call MPI_Allgather(one, 1, types(2), all_of_them, 1, types(2), MPI_COMM_WORLD)
  call expect_true('structures', all(all_of_them(1:size)%kind == [(1 - i, i = 1, size)]))
  call MPI_Type_free(types(1))
  call MPI_Type_free(types(2))
  call expect_true('no types', all(types == MPI_DATATYPE_NULL))

  matrix = rank
  call MPI_Type_vector(4, 1, 4, MPI_INTEGER, row)
  call MPI_Type_create_subarray(2, [4, 4], [1, 4], [1, 0], MPI_ORDER_FORTRAN, MPI_INTEGER, block)
  call MPI_Type_commit(row)
  call MPI_Type_commit(block)
  if (rank == 0) matrix(2, :) = [5, 6, 7, 8]
  call MPI_Bcast(matrix, 1, block, 0, MPI_COMM_WORLD)
  call expect_true('second row', all(matrix(2, :) == [5, 6, 7, 8]) .and. all(matrix(1, :) == rank))
  call MPI_Get_address(matrix(2, 1), at(1))
  call MPI_Type_create_hindexed(1, [1], at(1:1), row, types(1))
  call MPI_Type_commit(types(1))
  if (rank == 0) matrix(2, :) = -matrix(2, :)
  call MPI_Bcast(MPI_BOTTOM, 1, types(1), 0, MPI_COMM_WORLD)
  call expect_true('from the bottom', all(matrix(2, :) == [-5, -6, -7, -8]))
  n = 0
  call MPI_Pack(matrix, 1, row, column, 16, n, MPI_COMM_WORLD)
  call expect('packed', 16, n)
  call expect('of the first row', rank, column(4))

  ! A type for each peer.
  counts = 1
  bytes = [(4 * (i - 1), i = 1, size)]
  sendtypes = MPI_INTEGER
  recvtypes = MPI_INTEGER
  list = [(size * rank + i, i = 1, size)]
  call MPI_Ialltoallw(MPI_IN_PLACE, counts, bytes, sendtypes, list, counts, bytes, recvtypes, MPI_COMM_WORLD, request)
  call MPI_Wait(request, MPI_STATUS_IGNORE)
  call expect_true('Alltoallw', all(list == [(size * (i - 1) + rank + 1, i = 1, size)]))
  call finish('f08_collectives')
contains
  subroutine sum_of(invec, inoutvec, len, datatype)
    type(c_ptr), value :: invec, inoutvec
    integer :: len
    type(MPI_Datatype) :: datatype
    integer, pointer :: in(:), inout(:)
    calls = calls + 1
    call c_f_pointer(invec, in, [len])
    call c_f_pointer(inoutvec, inout, [len])
    inout = inout + in
  end subroutine
end program
