! Texts of both directions: names, hints, versions.
include 'check.inc'

program names
  use check
  implicit none
  character(len=MPI_MAX_PROCESSOR_NAME) :: node
  character(len=MPI_MAX_OBJECT_NAME) :: name
  character(len=MPI_MAX_LIBRARY_VERSION_STRING) :: library
  character(len=MPI_MAX_INFO_KEY) :: key
  character(len=20) :: value
  character(len=4) :: short
  integer :: n, type, info, copy, version, subversion
  logical :: flag
  call begin()
  call MPI_Get_processor_name(node, n, ierr)
  call expect('node', len_trim(node), n)
  call expect_true('it has a name', n > 0)
  call MPI_Get_library_version(library, n, ierr)
  call expect_true('library', n > 0 .and. len_trim(library) <= n)
  call MPI_Get_version(version, subversion, ierr)
  call expect('version', MPI_VERSION, version)
  call expect('subversion', MPI_SUBVERSION, subversion)

  call MPI_Type_get_name(MPI_INTEGER, name, n, ierr)
  call expect_text('name of a type', 'MPI_INTEGER', name)
  call MPI_Type_contiguous(3, MPI_REAL, type, ierr)
  call MPI_Type_set_name(type, 'three  ', ierr)
  call MPI_Type_get_name(type, name, n, ierr)
  call expect_text('own name', 'three', name)
  call expect('its length', 5, n)
  call MPI_Type_free(type, ierr)

  call MPI_Info_create(info, ierr)
  call MPI_Info_set(info, ' first ', '  a value ', ierr)
  call MPI_Info_set(info, 'second', 'another value', ierr)
  call MPI_Info_get_nkeys(info, n, ierr)
  call expect('keys', 2, n)
  call MPI_Info_get_nthkey(info, 0, key, ierr)
  call expect_text('first key', 'first', key)
  value = 'x'
  call MPI_Info_get(info, 'first', 20, value, flag, ierr)
  call expect_true('there is a value', flag)
  call expect_text('value', 'a value', value)
  call MPI_Info_get(info, 'second  ', 4, short, flag, ierr)
  call expect_text('beginning of a value', 'anot', short)
  call MPI_Info_get_valuelen(info, 'second', n, flag, ierr)
  call expect('length of a value', 13, n)
  value = 'untouched'
  call MPI_Info_get(info, 'third', 20, value, flag, ierr)
  call expect_true('no value', .not. flag)
  call expect_text('as before', 'untouched', value)
  call MPI_Info_dup(info, copy, ierr)
  call MPI_Info_delete(copy, 'first', ierr)
  call MPI_Info_get_nkeys(copy, n, ierr)
  call expect('keys of a copy', 1, n)
  call MPI_Info_free(copy, ierr)
  call MPI_Info_free(info, ierr)
  call expect('freed', MPI_INFO_NULL, info)
  call finish('names')
end program
