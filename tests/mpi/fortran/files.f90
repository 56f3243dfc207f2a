! Files: written through a view, read at an offset, by the shared pointer and without waiting; errors.
include 'check.inc'

program files
  use check
  implicit none
  integer, parameter :: count = 10
  character(len=*), parameter :: name = 'files.data   '
  integer :: file, i, request, class, mode, handler, etype, filetype
  integer :: status(MPI_STATUS_SIZE)
  integer :: out(count), in(count)
  integer(kind=MPI_OFFSET_KIND) :: place, bytes
  logical :: atomic
  character(len=20) :: form

  call begin()
  call MPI_File_open(MPI_COMM_WORLD, name, ior(MPI_MODE_CREATE, MPI_MODE_RDWR), MPI_INFO_NULL, file, ierr)
  call expect('open', MPI_SUCCESS, ierr)
  bytes = 0
  call MPI_File_set_size(file, bytes, ierr)
  place = 4 * count * rank
  call MPI_File_set_view(file, place, MPI_INTEGER, MPI_INTEGER, 'native', MPI_INFO_NULL, ierr)
  do i = 1, count
    out(i) = 100 * rank + i
  end do
  call MPI_File_write_all(file, out, count, MPI_INTEGER, status, ierr)
  call MPI_Get_count(status, MPI_INTEGER, i, ierr)
  call expect('count', count, i)
  place = 3
  call MPI_File_iread_at(file, place, in, count - 3, MPI_INTEGER, request, ierr)
  call MPI_Wait(request, status, ierr)
  call expect('read', 100 * rank + 4, in(1))
  call MPI_File_get_position(file, place, ierr)
  call expect('position', count, int(place))
  call MPI_File_get_view(file, place, etype, filetype, form, ierr)
  call expect_text('form', 'native', form)
  call expect('etype', MPI_INTEGER, etype)
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  call MPI_File_get_size(file, bytes, ierr)
  call expect('size', 4 * count * size, int(bytes))
  call MPI_File_set_atomicity(file, .true., ierr)
  call MPI_File_get_atomicity(file, atomic, ierr)
  call expect_true('atomic', atomic)
  place = 0
  call MPI_File_set_view(file, place, MPI_INTEGER, MPI_INTEGER, 'native', MPI_INFO_NULL, ierr)
  call MPI_File_read_ordered(file, in, count, MPI_INTEGER, status, ierr)
  call expect('in the order of ranks', 100 * rank + count, in(count))
  call MPI_File_get_amode(file, mode, ierr)
  call expect('mode', ior(MPI_MODE_CREATE, MPI_MODE_RDWR), mode)
  call MPI_File_close(file, ierr)
  call expect('closed', MPI_FILE_NULL, file)
  if (rank == 0) call MPI_File_delete(name, MPI_INFO_NULL, ierr)
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  call MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_RDONLY, MPI_INFO_NULL, file, ierr)
  call MPI_Error_class(ierr, class, i)
  call expect('no such file', MPI_ERR_NO_SUCH_FILE, class)
  call MPI_File_get_errhandler(MPI_FILE_NULL, handler, ierr)
  call expect('handler', MPI_ERRORS_RETURN, handler)
  call finish('files')
end program
