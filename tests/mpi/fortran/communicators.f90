! Groups, communicators made from others, and their names.
include 'check.inc'

program communicators
  use check
  implicit none
  integer :: copy, half, group, odd, result, n, r, inter, merged, i, ranges(3, 1), request
  integer, allocatable :: members(:), places(:)
  character(len=MPI_MAX_OBJECT_NAME) :: name
  logical :: flag
  call begin()

  call MPI_Comm_dup(MPI_COMM_WORLD, copy, ierr)
  call MPI_Comm_compare(MPI_COMM_WORLD, copy, result, ierr)
  call expect('compare', MPI_CONGRUENT, result)
  call MPI_Comm_get_name(MPI_COMM_WORLD, name, n, ierr)
  call expect_text('name of the world', 'MPI_COMM_WORLD', name)
  call expect('its length', 14, n)
  call MPI_Comm_set_name(copy, 'a copy   ', ierr)
  call MPI_Comm_get_name(copy, name, n, ierr)
  call expect_text('name', 'a copy', name)
  call expect('length', 6, n)
  call expect_text('and blanks', ' ', name(7:))
  call MPI_Comm_free(copy, ierr)
  call expect('freed', MPI_COMM_NULL, copy)

  call MPI_Comm_split(MPI_COMM_WORLD, mod(rank, 2), -rank, half, ierr)
  call MPI_Comm_size(half, n, ierr)
  call expect('half', (size + 1 - mod(rank, 2)) / 2, n)
  call MPI_Comm_rank(half, r, ierr)
  call expect('backwards', n - 1 - rank / 2, r)

  call MPI_Comm_group(MPI_COMM_WORLD, group, ierr)
  allocate (members(n), places(n))
  members = [(mod(rank, 2) + 2 * (i - 1), i = 1, n)]
  call MPI_Group_incl(group, n, members, odd, ierr)
  call MPI_Group_translate_ranks(odd, n, [(i - 1, i = 1, n)], group, places, ierr)
  call expect_true('translated', all(places == members))
  call MPI_Group_free(odd, ierr)
  ranges(:, 1) = [0, size - 1, 2]
  call MPI_Group_range_incl(group, 1, ranges, odd, ierr)
  call MPI_Group_size(odd, n, ierr)
  call expect('range', (size + 1) / 2, n)
  call MPI_Comm_create(MPI_COMM_WORLD, odd, copy, ierr)
  call expect_true('created for some', (copy == MPI_COMM_NULL) .eqv. mod(rank, 2) == 1)
  if (copy /= MPI_COMM_NULL) call MPI_Comm_free(copy, ierr)
  call MPI_Group_free(odd, ierr)
  call MPI_Group_free(group, ierr)

  if (size > 1) then
    call MPI_Comm_split(MPI_COMM_WORLD, mod(rank, 2), rank, copy, ierr)
    call MPI_Intercomm_create(copy, 0, MPI_COMM_WORLD, 1 - mod(rank, 2), 9, inter, ierr)
    call MPI_Comm_test_inter(inter, flag, ierr)
    call expect_true('two sides', flag)
    call MPI_Comm_remote_size(inter, n, ierr)
    call expect('of the other side', (size + mod(rank, 2)) / 2, n)
    call MPI_Intercomm_merge(inter, mod(rank, 2) == 1, merged, ierr)
    call MPI_Comm_rank(merged, r, ierr)
    call expect('merged', rank / 2 + mod(rank, 2) * ((size + 1) / 2), r)
    call MPI_Comm_free(merged, ierr)
    call MPI_Comm_free(inter, ierr)
    call MPI_Comm_free(copy, ierr)
  end if
  call MPI_Comm_idup(half, copy, request, ierr)
  call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
  call MPI_Allreduce(1, n, 1, MPI_INTEGER, MPI_SUM, copy, ierr)
  call expect('in a copy', (size + 1 - mod(rank, 2)) / 2, n)
  call MPI_Comm_free(copy, ierr)
  call MPI_Comm_free(half, ierr)
  call finish('communicators')
end program
