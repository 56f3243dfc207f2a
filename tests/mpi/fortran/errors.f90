! Errors that are returned, texts of errors, handlers in Fortran.
include 'check.inc'

module handlers
  use check
  implicit none
  integer :: seen = 0, seen_comm
contains
  subroutine handle(comm, code)
    integer :: comm, code, class
    call MPI_Error_class(code, class, ierr)
    seen = class
    seen_comm = comm
  end subroutine
end module

program error_codes
  use handlers
  implicit none
  integer :: class, code, own, n, handler, x, copy
  character(len=MPI_MAX_ERROR_STRING) :: text
  call begin()
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, ierr)
  call MPI_Comm_get_errhandler(MPI_COMM_WORLD, handler, ierr)
  call expect('handler', MPI_ERRORS_RETURN, handler)
  x = 0
  call MPI_Send(x, 1, MPI_INTEGER, size, 0, MPI_COMM_WORLD, code)
  call expect_true('an error', code /= MPI_SUCCESS)
  call MPI_Error_class(code, class, ierr)
  call expect('class', MPI_ERR_RANK, class)
  call MPI_Error_string(code, text, n, ierr)
  call expect('length of its text', len_trim(text), n)
  call expect_true('rank is named', index(text, 'rank') > 0 .or. index(text, 'RANK') > 0)

  call MPI_Add_error_class(own, ierr)
  call MPI_Add_error_code(own, code, ierr)
  call MPI_Add_error_string(code, 'our own error  ', ierr)
  call MPI_Error_string(code, text, n, ierr)
  call expect_text('own text', 'our own error', text)
  call expect('its length', 13, n)

  call MPI_Comm_dup(MPI_COMM_WORLD, copy, ierr)
  call MPI_Comm_create_errhandler(handle, handler, ierr)
  call MPI_Comm_set_errhandler(copy, handler, ierr)
  call MPI_Errhandler_free(handler, ierr)
  call expect('freed', MPI_ERRHANDLER_NULL, handler)
  call MPI_Send(x, -1, MPI_INTEGER, 0, 0, copy, code)
  call expect('handler called', MPI_ERR_COUNT, seen)
  call expect('with the communicator', copy, seen_comm)
  call MPI_Comm_call_errhandler(copy, MPI_ERR_OTHER, ierr)
  call expect('handler called by the program', MPI_ERR_OTHER, seen)
  call MPI_Comm_free(copy, ierr)
  call finish('errors')
end program
