! mpi_f08: messages, requests and statuses, with ierror and without.
include 'check_f08.inc'

program f08_messages
  use check
  use, intrinsic :: iso_c_binding, only: c_ptr, c_loc, c_associated
  implicit none
  type point
    sequence
    integer :: x, y
  end type
  type(MPI_Request) :: requests(4), request
  type(MPI_Status) :: status, statuses(4)
  type(MPI_Message) :: message
  type(c_ptr) :: attached
  integer, target :: buffer(1000)
  integer :: right, left, i, n, done, indices(4), got(4), sent(4), words(MPI_STATUS_SIZE)
  integer :: table(6, 4), column(6)
  integer(kind=MPI_COUNT_KIND) :: elements
  character(len=5) :: text
  type(point) :: p
  logical :: flag
  call begin()
  right = modulo(rank + 1, size)
  left = modulo(rank - 1, size)

  call MPI_Sendrecv(rank, 1, MPI_INTEGER, right, 5, n, 1, MPI_INTEGER, left, MPI_ANY_TAG, MPI_COMM_WORLD, status)
  call expect('from the left', left, n)
  call expect('source', left, status%MPI_SOURCE)
  call expect('tag', 5, status%MPI_TAG)
  call MPI_Get_count(status, MPI_INTEGER, n)
  call expect('count', 1, n)
  call MPI_Get_elements_x(status, MPI_BYTE, elements)
  call expect('bytes', 4, int(elements))
  call MPI_Status_f082f(status, words)
  call expect('source in the array', left, words(MPI_SOURCE))
  words(MPI_TAG) = 77
  call MPI_Status_f2f08(words, status, ierr)
  call expect('tag from the array', 77, status%MPI_TAG)
  call expect('no error', MPI_SUCCESS, ierr)

  ! Requests in arrays, and comparisons of many handles.
  sent = [(10 * rank + i, i = 1, 4)]
  do i = 1, 2
    call MPI_Irecv(got(i), 1, MPI_INTEGER, left, i, MPI_COMM_WORLD, requests(i))
    call MPI_Isend(sent(i), 1, MPI_INTEGER, right, i, MPI_COMM_WORLD, requests(i + 2))
  end do
  call expect_true('all requests', all(requests /= MPI_REQUEST_NULL))
  call MPI_Waitall(count=4, array_of_requests=requests, array_of_statuses=statuses)
  call expect_true('no request', all(requests == MPI_REQUEST_NULL) .and. .not. any(requests .ne. MPI_REQUEST_NULL))
  call expect_true('what came', all(got(1:2) == [10 * left + 1, 10 * left + 2]))
  call expect('second status', 2, statuses(2)%MPI_TAG)

  ! From an element of an array on.
  call MPI_Irecv(got(1), 1, MPI_INTEGER, left, 1, MPI_COMM_WORLD, requests(3))
  call MPI_Isend(sent(1), 1, MPI_INTEGER, right, 1, MPI_COMM_WORLD, requests(4))
  call MPI_Waitall(2, requests(3), statuses(2))
  call expect('third request', left, statuses(2)%MPI_SOURCE)

  do i = 1, 2
    call MPI_Irecv(got(i), 1, MPI_INTEGER, MPI_ANY_SOURCE, i, MPI_COMM_WORLD, requests(i), ierr)
    call MPI_Isend(sent(i), 1, MPI_INTEGER, right, i, MPI_COMM_WORLD, requests(i + 2), ierr)
  end do
  n = 0
  do while (n < 4)
    call MPI_Waitsome(4, requests, done, indices, statuses)
    do i = 1, done
      if (indices(i) <= 2) call expect('tag of Waitsome', indices(i), statuses(i)%MPI_TAG)
    end do
    n = n + done
  end do
  call MPI_Waitsome(4, requests, done, indices, MPI_STATUSES_IGNORE)
  call expect('nothing to wait for', MPI_UNDEFINED, done)

  call MPI_Irecv(text, 5, MPI_CHARACTER, left, 0, MPI_COMM_WORLD, request)
  call MPI_Send(buf='hello', count=5, datatype=MPI_CHARACTER, dest=right, tag=0, comm=MPI_COMM_WORLD)
  call MPI_Wait(request, MPI_STATUS_IGNORE)
  call expect_text('text', 'hello', text)

  ! Rows of a matrix are copied on their way; columns lie together.
  table = reshape([(100 * rank + i, i = 1, 24)], [6, 4])
  call MPI_Irecv(column, 6, MPI_INTEGER, left, 0, MPI_COMM_WORLD, request, ierr)
  call MPI_Ssend(table(:, 2), 6, MPI_INTEGER, right, 0, MPI_COMM_WORLD, ierr)
  call MPI_Wait(request, status)
  call expect_true('column', all(column == [(100 * left + i, i = 7, 12)]))
  call MPI_Sendrecv(table(3, :), 4, MPI_INTEGER, right, 0, table(5, :), 4, MPI_INTEGER, left, 0, &
                    MPI_COMM_WORLD, MPI_STATUS_IGNORE)
  call expect_true('row', all(table(5, :) == [(100 * left + i, i = 3, 21, 6)]))
  p = point(rank, -rank)
  call MPI_Sendrecv_replace(p, 2, MPI_INTEGER, right, 0, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
  call expect('structure', -left, p%y)

  call MPI_Isend(rank, 1, MPI_INTEGER, right, 3, MPI_COMM_WORLD, request)
  call MPI_Mprobe(left, 3, MPI_COMM_WORLD, message, status)
  call expect_true('a message', message /= MPI_MESSAGE_NULL)
  call MPI_Mrecv(n, 1, MPI_INTEGER, message, status)
  call expect_true('no message', message == MPI_MESSAGE_NULL)
  call expect('matched', left, n)
  call MPI_Wait(request, status)
  call MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, flag, status)
  call expect_true('nothing comes', .not. flag)
  call MPI_Recv(n, 1, MPI_INTEGER, MPI_PROC_NULL, 0, MPI_COMM_WORLD, status)
  call expect('from nobody', MPI_PROC_NULL, status%MPI_SOURCE)

  call MPI_Recv_init(n, 1, MPI_INTEGER, left, 8, MPI_COMM_WORLD, requests(1))
  call MPI_Send_init(i, 1, MPI_INTEGER, right, 8, MPI_COMM_WORLD, requests(2))
  do i = 1, 3
    call MPI_Startall(2, requests)
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
    call expect('persistent', i, n)
  end do
  call MPI_Request_free(requests(1))
  call MPI_Request_free(requests(2))
  call expect_true('freed', all(requests(1:2) == MPI_REQUEST_NULL))

  call MPI_Buffer_attach(buffer, 4000)
  call MPI_Bsend(rank, 1, MPI_INTEGER, right, 9, MPI_COMM_WORLD)
  call MPI_Recv(n, 1, MPI_INTEGER, left, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
  call MPI_Buffer_detach(attached, n)
  call expect_true('the buffer', c_associated(attached, c_loc(buffer)))
  call expect('its size', 4000, n)
  call finish('f08_messages')
end program
