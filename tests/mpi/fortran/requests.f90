! Many requests: arrays of statuses, indices that begin with 1, persistent requests.
include 'check.inc'

program requests
  use check
  implicit none
  integer, parameter :: n = 6
  integer :: receives(n), sends(n), statuses(MPI_STATUS_SIZE, n), status(MPI_STATUS_SIZE)
  integer :: in(n), out(n), indices(n), next, last, i, index, done, seen
  logical :: flag
  call begin()
  next = mod(rank + 1, size)
  last = mod(rank + size - 1, size)

  call start()
  call MPI_Waitall(n, receives, statuses, ierr)
  do i = 1, n
    call expect('tag in statuses', i, statuses(MPI_TAG, i))
    call expect('source in statuses', last, statuses(MPI_SOURCE, i))
    call expect('data', 10 * last + i, in(i))
    call expect('request is null', MPI_REQUEST_NULL, receives(i))
  end do
  call MPI_Waitall(n, sends, MPI_STATUSES_IGNORE, ierr)

  call start()
  do i = 1, n
    call MPI_Waitany(n, receives, index, status, ierr)
    call expect_true('index of Waitany', index >= 1 .and. index <= n)
    call expect('tag is index', index, status(MPI_TAG))
    call expect('data of index', 10 * last + index, in(index))
  end do
  call MPI_Waitany(n, receives, index, MPI_STATUS_IGNORE, ierr)
  call expect('no index', MPI_UNDEFINED, index)
  call MPI_Waitall(n, sends, MPI_STATUSES_IGNORE, ierr)

  call start()
  seen = 0
  do while (seen < n)
    call MPI_Testany(n, receives, index, flag, status, ierr)
    if (.not. flag) cycle
    call expect('tag is index of Testany', index, status(MPI_TAG))
    seen = seen + 1
  end do
  flag = .false.
  do while (.not. flag)
    call MPI_Testall(n, sends, flag, MPI_STATUSES_IGNORE, ierr)
  end do

  call start()
  seen = 0
  do while (seen < n)
    call MPI_Waitsome(n, receives, done, indices, statuses, ierr)
    do i = 1, done
      call expect('tag is index of Waitsome', indices(i), statuses(MPI_TAG, i))
    end do
    seen = seen + done
  end do
  call expect('seen', n, seen)
  call MPI_Waitsome(n, receives, done, indices, MPI_STATUSES_IGNORE, ierr)
  call expect('none are done', MPI_UNDEFINED, done)
  call MPI_Waitall(n, sends, MPI_STATUSES_IGNORE, ierr)

  do i = 1, n
    call MPI_Recv_init(in(i), 1, MPI_INTEGER, last, i, MPI_COMM_WORLD, receives(i), ierr)
    call MPI_Send_init(out(i), 1, MPI_INTEGER, next, i, MPI_COMM_WORLD, sends(i), ierr)
  end do
  in = 0
  call MPI_Startall(n, receives, ierr)
  call MPI_Startall(n, sends, ierr)
  call MPI_Waitall(n, receives, MPI_STATUSES_IGNORE, ierr)
  call MPI_Waitall(n, sends, MPI_STATUSES_IGNORE, ierr)
  call expect('persistent', 10 * last + n, in(n))
  call expect_true('persistent requests stay', all(receives /= MPI_REQUEST_NULL))
  do i = 1, n
    call MPI_Request_free(receives(i), ierr)
    call MPI_Request_free(sends(i), ierr)
  end do

  call repeat_one()
  call MPI_Irecv(in, 1, MPI_INTEGER, rank, 50, MPI_COMM_WORLD, receives(1), ierr)
  call MPI_Cancel(receives(1), ierr)
  call MPI_Wait(receives(1), status, ierr)
  call MPI_Test_cancelled(status, flag, ierr)
  call expect_true('cancelled', flag)
  call finish('requests')
contains
  ! Variables that no call after MPI_Recv_init names: the compiler must not take them for unchanged.
  subroutine repeat_one()
    integer :: given, got, j, both(2)
    call MPI_Recv_init(got, 1, MPI_INTEGER, last, 40, MPI_COMM_WORLD, both(1), ierr)
    call MPI_Send_init(given, 1, MPI_INTEGER, next, 40, MPI_COMM_WORLD, both(2), ierr)
    do j = 1, 3
      given = j
      call MPI_Startall(2, both, ierr)
      call MPI_Waitall(2, both, MPI_STATUSES_IGNORE, ierr)
      call expect('repeated', j, got)
    end do
    call MPI_Request_free(both(1), ierr)
    call MPI_Request_free(both(2), ierr)
  end subroutine

  subroutine start()
    do i = 1, n
      out(i) = 10 * rank + i
      call MPI_Irecv(in(i), 1, MPI_INTEGER, last, i, MPI_COMM_WORLD, receives(i), ierr)
      call MPI_Isend(out(i), 1, MPI_INTEGER, next, i, MPI_COMM_WORLD, sends(i), ierr)
    end do
  end subroutine
end program
