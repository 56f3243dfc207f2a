! Messages of several types in one file, in all modes; statuses and counts.
include 'check.inc'

program messages
  use check
  implicit none
  integer :: next, last, status(MPI_STATUS_SIZE), count, i, request, message
  integer :: numbers(5), got(5), one
  real :: reals(3), real_got(3)
  double precision :: doubles(2, 2), doubles_got(2, 2)
  complex :: value, value_got
  character(len=12) :: text, text_got
  logical :: yes, yes_got, flag
  integer :: buffer(1000), bytes
  call begin()
  next = mod(rank + 1, size)
  last = mod(rank + size - 1, size)

  numbers = [(100 * rank + i, i = 1, 5)]
  call MPI_Sendrecv(numbers, 5, MPI_INTEGER, next, 1, got, 5, MPI_INTEGER, last, 1, MPI_COMM_WORLD, status, ierr)
  call expect('source', last, status(MPI_SOURCE))
  call expect('tag', 1, status(MPI_TAG))
  call MPI_Get_count(status, MPI_INTEGER, count, ierr)
  call expect('count', 5, count)
  call expect('number', 100 * last + 5, got(5))

  reals = rank + 0.5
  call MPI_Irecv(real_got, 3, MPI_REAL, last, 2, MPI_COMM_WORLD, request, ierr)
  call MPI_Send(reals, 3, MPI_REAL, next, 2, MPI_COMM_WORLD, ierr)
  call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
  call expect_true('real', all(real_got == last + 0.5))
  call expect('request is null', MPI_REQUEST_NULL, request)

  doubles = rank + 0.25d0
  call MPI_Irecv(doubles_got, 4, MPI_DOUBLE_PRECISION, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, request, ierr)
  call MPI_Ssend(doubles, 4, MPI_DOUBLE_PRECISION, next, 3, MPI_COMM_WORLD, ierr)
  call MPI_Wait(request, status, ierr)
  call expect_true('double', all(doubles_got == last + 0.25d0))
  call expect('any source', last, status(MPI_SOURCE))

  value = cmplx(rank, -rank)
  call MPI_Isend(value, 1, MPI_COMPLEX, next, 4, MPI_COMM_WORLD, request, ierr)
  call MPI_Recv(value_got, 1, MPI_COMPLEX, last, MPI_ANY_TAG, MPI_COMM_WORLD, status, ierr)
  call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
  call expect_true('complex', value_got == cmplx(last, -last))
  call expect('any tag', 4, status(MPI_TAG))

  call MPI_Buffer_attach(buffer, 4000, ierr)
  write (text, '(a,i0)') 'rank ', rank
  call MPI_Bsend(text, 12, MPI_CHARACTER, next, 5, MPI_COMM_WORLD, ierr)
  call MPI_Probe(last, 5, MPI_COMM_WORLD, status, ierr)
  call MPI_Get_count(status, MPI_CHARACTER, count, ierr)
  call expect('characters', 12, count)
  call MPI_Recv(text_got, 12, MPI_CHARACTER, last, 5, MPI_COMM_WORLD, status, ierr)
  write (text, '(a,i0)') 'rank ', last
  call expect_text('text', text, text_got)
  call MPI_Buffer_detach(buffer, bytes, ierr)
  call expect('bytes of the buffer', 4000, bytes)

  yes = mod(rank, 2) == 0
  call MPI_Isend(yes, 1, MPI_LOGICAL, next, 6, MPI_COMM_WORLD, request, ierr)
  call MPI_Mprobe(last, 6, MPI_COMM_WORLD, message, status, ierr)
  call MPI_Mrecv(yes_got, 1, MPI_LOGICAL, message, status, ierr)
  call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
  call expect_true('logical', yes_got .eqv. mod(last, 2) == 0)
  call expect('message is null', MPI_MESSAGE_NULL, message)

  one = rank
  call MPI_Sendrecv_replace(one, 1, MPI_INTEGER, next, 7, last, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  call expect('replaced', last, one)
  call MPI_Iprobe(MPI_ANY_SOURCE, 99, MPI_COMM_WORLD, flag, status, ierr)
  call expect_true('nothing to probe', .not. flag)
  call MPI_Recv(one, 1, MPI_INTEGER, MPI_PROC_NULL, 8, MPI_COMM_WORLD, status, ierr)
  call expect('from nobody', MPI_PROC_NULL, status(MPI_SOURCE))
  call finish('messages')
end program
