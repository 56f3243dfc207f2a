! mpi_f08: a file that all write and read, views, shared pointers, an error handler.
include 'check_f08.inc'

module file_functions
  use check
  implicit none
  integer :: handled = 0
contains
  subroutine handle_it(fh, error_code)
    type(MPI_File) :: fh
    integer :: error_code
    handled = error_code
  end subroutine
end module

program f08_files
  use file_functions
  implicit none
  type(MPI_File) :: file
  type(MPI_Datatype) :: each, etype, filetype
  type(MPI_Errhandler) :: handler
  type(MPI_Request) :: request
  type(MPI_Status) :: status
  integer(kind=MPI_OFFSET_KIND) :: bytes, disp
  integer :: i, n, class, error, numbers(4), got(4)
  character(len=20) :: representation
  call begin()
  call MPI_File_open(MPI_COMM_WORLD, 'f08_files.data', ior(MPI_MODE_CREATE, MPI_MODE_RDWR), MPI_INFO_NULL, file)
  call expect_true('a file', file /= MPI_FILE_NULL)
  call MPI_File_set_size(file, 0_MPI_OFFSET_KIND)

  ! Numbers of all processes in turn.
  call MPI_Type_create_resized(MPI_INTEGER, 0_MPI_ADDRESS_KIND, int(4 * size, MPI_ADDRESS_KIND), each)
  call MPI_Type_commit(each)
  call MPI_File_set_view(file, disp=int(4 * rank, MPI_OFFSET_KIND), etype=MPI_INTEGER, filetype=each, datarep='native', &
                         info=MPI_INFO_NULL)
  call MPI_File_get_view(file, disp, etype, filetype, representation)
  call expect_true('view', disp == 4 * rank .and. etype == MPI_INTEGER .and. representation == 'native')
  numbers = [(10 * rank + i, i = 1, 4)]
  call MPI_File_write_all(file, numbers, 4, MPI_INTEGER, status)
  call MPI_Get_count(status, MPI_INTEGER, n)
  call expect('written', 4, n)
  call MPI_File_set_view(file, 0_MPI_OFFSET_KIND, MPI_INTEGER, MPI_INTEGER, 'native', MPI_INFO_NULL)
  call MPI_File_sync(file)
  call MPI_Barrier(MPI_COMM_WORLD)
  call MPI_File_get_size(file, bytes)
  call expect('bytes', 16 * size, int(bytes))
  call MPI_File_iread_at(file, int(size, MPI_OFFSET_KIND), got, 1, MPI_INTEGER, request)
  call MPI_Wait(request, status)
  call expect('second number of the first', 2, got(1))
  call MPI_File_read_at(file, int(3 * size + rank, MPI_OFFSET_KIND), got, 1_MPI_COUNT_KIND, MPI_INTEGER, MPI_STATUS_IGNORE)
  call expect('last number', 10 * rank + 4, got(1))
  call MPI_File_read_ordered(file, got, 1, MPI_INTEGER, status)
  call expect('in order', 10 * rank + 1, got(1))

  ! A view that begins where the shared pointer is.
  call MPI_File_close(file)
  call MPI_File_open(MPI_COMM_WORLD, 'f08_files.data', ior(MPI_MODE_RDONLY, MPI_MODE_SEQUENTIAL), MPI_INFO_NULL, file)
  call MPI_File_read_ordered(file, got, 2, MPI_INTEGER, status)
  call MPI_File_set_view(file, MPI_DISPLACEMENT_CURRENT, MPI_INTEGER, MPI_INTEGER, 'native', MPI_INFO_NULL)
  call MPI_File_read_ordered(file, got, 2, MPI_INTEGER, status)
  call MPI_Get_count(status, MPI_INTEGER, n)
  call expect('behind the others', 2, n)
  i = 2 * (size + rank)
  call expect('where the view begins', 10 * modulo(i, size) + i / size + 1, got(1))
  call MPI_File_close(file)
  call MPI_File_open(MPI_COMM_WORLD, 'f08_files.data', MPI_MODE_RDWR, MPI_INFO_NULL, file)

  call MPI_File_create_errhandler(handle_it, handler)
  call MPI_File_set_errhandler(file, handler)
  call MPI_File_seek(file, -1_MPI_OFFSET_KIND, MPI_SEEK_SET, error)
  call MPI_Error_class(error, class)
  call expect('handled', error, handled)
  call expect_true('an error', class /= MPI_SUCCESS)
  call MPI_Errhandler_free(handler)
  call MPI_Type_free(each)
  call MPI_File_close(file)
  call expect_true('no file', file == MPI_FILE_NULL)
  if (rank == 0) call MPI_File_delete('f08_files.data', MPI_INFO_NULL)
  call finish('f08_files')
end program
