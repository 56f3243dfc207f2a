/*
 * Functions of MPI-1 that newer ones stand for. A call within a call takes nothing and is told as
 * the outer one (call_begin()).
 */
#define _GNU_SOURCE
#include "mpi/call.h"

int call_Address(void *location, MPI_Aint *address)
{
    struct rank *r = call_begin(CALL_Address);
    return call_end(r, call_Get_address(location, address));
}

int call_Type_hvector(int count, int blocklength, MPI_Aint stride, MPI_Datatype oldtype,
                      MPI_Datatype *newtype)
{
    struct rank *r = call_begin(CALL_Type_hvector);
    return call_end(r, call_Type_create_hvector(count, blocklength, stride, oldtype, newtype));
}

int call_Type_hindexed(int count, int blocklengths[], MPI_Aint displs[], MPI_Datatype oldtype,
                       MPI_Datatype *newtype)
{
    struct rank *r = call_begin(CALL_Type_hindexed);
    return call_end(r, call_Type_create_hindexed(count, blocklengths, displs, oldtype, newtype));
}

int call_Type_struct(int count, int blocklengths[], MPI_Aint displs[], MPI_Datatype types[],
                     MPI_Datatype *newtype)
{
    struct rank *r = call_begin(CALL_Type_struct);
    return call_end(r, call_Type_create_struct(count, blocklengths, displs, types, newtype));
}

int call_Errhandler_create(MPI_Handler_function *function, MPI_Errhandler *handler)
{
    struct rank *r = call_begin(CALL_Errhandler_create);
    return call_end(r, call_Comm_create_errhandler(function, handler));
}

int call_Errhandler_set(MPI_Comm comm, MPI_Errhandler handler)
{
    struct rank *r = call_begin(CALL_Errhandler_set);
    return call_end(r, call_Comm_set_errhandler(comm, handler));
}

int call_Errhandler_get(MPI_Comm comm, MPI_Errhandler *handler)
{
    struct rank *r = call_begin(CALL_Errhandler_get);
    return call_end(r, call_Comm_get_errhandler(comm, handler));
}

int call_Keyval_create(MPI_Copy_function *copy, MPI_Delete_function *remove, int *key, void *extra)
{
    struct rank *r = call_begin(CALL_Keyval_create);
    return call_end(r, call_Comm_create_keyval(copy, remove, key, extra));
}

int call_Keyval_free(int *key)
{
    struct rank *r = call_begin(CALL_Keyval_free);
    return call_end(r, call_Comm_free_keyval(key));
}

int call_Attr_put(MPI_Comm comm, int key, void *value)
{
    struct rank *r = call_begin(CALL_Attr_put);
    return call_end(r, call_Comm_set_attr(comm, key, value));
}

int call_Attr_get(MPI_Comm comm, int key, void *value, int *flag)
{
    struct rank *r = call_begin(CALL_Attr_get);
    return call_end(r, call_Comm_get_attr(comm, key, value, flag));
}

int call_Attr_delete(MPI_Comm comm, int key)
{
    struct rank *r = call_begin(CALL_Attr_delete);
    return call_end(r, call_Comm_delete_attr(comm, key));
}

int call_Type_extent(MPI_Datatype type, MPI_Aint *extent)
{
    struct rank *r = call_begin(CALL_Type_extent);
    MPI_Aint lb;
    return call_end(r, call_Type_get_extent(type, &lb, extent));
}

int call_Type_lb(MPI_Datatype type, MPI_Aint *lb)
{
    struct rank *r = call_begin(CALL_Type_lb);
    MPI_Aint extent;
    return call_end(r, call_Type_get_extent(type, lb, &extent));
}

int call_Type_ub(MPI_Datatype type, MPI_Aint *ub)
{
    struct rank *r = call_begin(CALL_Type_ub);
    MPI_Aint lb, extent;
    int error = call_Type_get_extent(type, &lb, &extent);
    if (!error)
        *ub = lb + extent;
    return call_end(r, error);
}
