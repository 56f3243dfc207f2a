! What ranks print comes out line by line, in turn, whatever standard output is.
include 'check.inc'

program output
  use check
  implicit none
  integer :: turn
  call begin()
  do turn = 0, size - 1
    if (turn == rank) then
      write (*, '(a)', advance='no') 'rank '
      write (*, '(i0)') rank
    end if
    call MPI_Barrier(MPI_COMM_WORLD, ierr)
  end do
  call finish('output')
end program
