/*
 * The functions of MPI that DUMPI knows, by their names and in the order of their numbers there
 * (its common/funclabels.h), and how each one's arguments lie in its binary form (its
 * common/dumpiio.c), as words:
 *
 *   i8 i16 i32 i64      a number
 *   count, comm, ...    one that matters for a replay (enum dumpi_argument), of the size it has
 *   bytes shorts ints   an array: i32 elements, and these
 *   rows                an array of arrays of i32
 *   texts               an array of arrays of bytes; text_lists: of arrays of those
 *   status              an array of statuses, if the call has any
 *   ?WORD               it is there at the root only, whose commrank is root
 *   init_texts cart_ints struct_ints      something else in old versions
 */
#ifndef WEFT_TRACE_DUMPI_FUNCTIONS_H
#define WEFT_TRACE_DUMPI_FUNCTIONS_H

#include <stdbool.h>
#include <stdint.h>

/* clang-format off */
#define DUMPI_FUNCTIONS(X) \
    X(Send, "count datatype dest tag comm") \
    X(Recv, "count datatype source tag comm status") \
    X(Get_count, "status datatype count") \
    X(Bsend, "count datatype dest tag comm") \
    X(Ssend, "count datatype dest tag comm") \
    X(Rsend, "count datatype dest tag comm") \
    X(Buffer_attach, "size") \
    X(Buffer_detach, "size") \
    X(Isend, "count datatype dest tag comm request") \
    X(Ibsend, "count datatype dest tag comm request") \
    X(Issend, "count datatype dest tag comm request") \
    X(Irsend, "count datatype dest tag comm request") \
    X(Irecv, "count datatype source tag comm request") \
    X(Wait, "request status") \
    X(Test, "request flag status") \
    X(Request_free, "request") \
    X(Waitany, "count requests index status") \
    X(Testany, "count requests index flag status") \
    X(Waitall, "count requests status") \
    X(Testall, "count requests flag status") \
    X(Waitsome, "count requests i32 indices status") \
    X(Testsome, "count requests i32 indices status") \
    X(Iprobe, "source tag comm flag status") \
    X(Probe, "source tag comm status") \
    X(Cancel, "request") \
    X(Test_cancelled, "status i32") \
    X(Send_init, "count datatype dest tag comm request") \
    X(Bsend_init, "count datatype dest tag comm request") \
    X(Ssend_init, "count datatype dest tag comm request") \
    X(Rsend_init, "count datatype dest tag comm request") \
    X(Recv_init, "count datatype source tag comm request") \
    X(Start, "request") \
    X(Startall, "count requests") \
    X(Sendrecv, "sendcount sendtype dest sendtag recvcount recvtype source recvtag comm status") \
    X(Sendrecv_replace, "count datatype dest sendtag source recvtag comm status") \
    X(Type_contiguous, "count oldtype newtype") \
    X(Type_vector, "count blocklength i32 oldtype newtype") \
    X(Type_hvector, "count blocklength i32 oldtype newtype") \
    X(Type_indexed, "count lengths ints oldtype newtype") \
    X(Type_hindexed, "count lengths ints oldtype newtype") \
    X(Type_struct, "count lengths struct_ints oldtypes newtype") \
    X(Address, "i32") \
    X(Type_extent, "datatype i32") \
    X(Type_size, "datatype size") \
    X(Type_lb, "datatype i32") \
    X(Type_ub, "datatype i32") \
    X(Type_commit, "datatype") \
    X(Type_free, "datatype") \
    X(Get_elements, "status datatype i32") \
    X(Pack, "i32 datatype i32 i32 i32 comm") \
    X(Unpack, "i32 i32 i32 i32 datatype comm") \
    X(Pack_size, "i32 datatype comm size") \
    X(Barrier, "comm") \
    X(Bcast, "count datatype root comm") \
    X(Gather, "commrank sendcount sendtype root comm ?recvcount ?recvtype") \
    X(Gatherv, "commrank commsize sendcount sendtype root comm ?recvcounts ?ints recvtype") \
    X(Scatter, "commrank recvcount recvtype root comm ?sendcount ?sendtype") \
    X(Scatterv, "commrank commsize sendtype recvcount recvtype root comm ?sendcounts ?ints") \
    X(Allgather, "sendcount sendtype recvcount recvtype comm") \
    X(Allgatherv, "commsize sendcount sendtype recvcounts ints recvtype comm") \
    X(Alltoall, "sendcount sendtype recvcount recvtype comm") \
    X(Alltoallv, "commsize sendcounts ints sendtype recvcounts ints recvtype comm") \
    X(Reduce, "count datatype op root comm") \
    X(Op_create, "i32 op") \
    X(Op_free, "op") \
    X(Allreduce, "count datatype op comm") \
    X(Reduce_scatter, "commsize recvcounts datatype op comm") \
    X(Scan, "count datatype op comm") \
    X(Group_size, "i16 size") \
    X(Group_rank, "i16 rank") \
    X(Group_translate_ranks, "i16 count ints i16 ints") \
    X(Group_compare, "i16 i16 i8") \
    X(Comm_group, "comm i16") \
    X(Group_union, "i16 i16 i16") \
    X(Group_intersection, "i16 i16 i16") \
    X(Group_difference, "i16 i16 i16") \
    X(Group_incl, "i16 count ints i16") \
    X(Group_excl, "i16 count ints i16") \
    X(Group_range_incl, "i16 count rows i16") \
    X(Group_range_excl, "i16 count rows i16") \
    X(Group_free, "i16") \
    X(Comm_size, "comm size") \
    X(Comm_rank, "comm rank") \
    X(Comm_compare, "i16 i16 i8") \
    X(Comm_dup, "oldcomm newcomm") \
    X(Comm_create, "oldcomm i16 newcomm") \
    X(Comm_split, "oldcomm color key newcomm") \
    X(Comm_free, "comm") \
    X(Comm_test_inter, "comm i32") \
    X(Comm_remote_size, "comm size") \
    X(Comm_remote_group, "comm i16") \
    X(Intercomm_create, "i16 i32 i16 i32 tag newcomm") \
    X(Intercomm_merge, "comm i32 newcomm") \
    X(Keyval_create, "i16") \
    X(Keyval_free, "i16") \
    X(Attr_put, "comm key") \
    X(Attr_get, "comm key flag") \
    X(Attr_delete, "comm key") \
    X(Topo_test, "comm i8") \
    X(Cart_create, "oldcomm i32 dims ints i32 newcomm") \
    X(Dims_create, "i32 i32 ints ints") \
    X(Graph_create, "i32 oldcomm i32 ints ints i32 newcomm") \
    X(Graphdims_get, "comm i32 i32") \
    X(Graph_get, "i32 i32 comm i32 i32 ints ints") \
    X(Cartdim_get, "comm i32") \
    X(Cart_get, "i32 comm i32 dims ints cart_ints") \
    X(Cart_rank, "i32 comm ints rank") \
    X(Cart_coords, "i32 comm rank i32 ints") \
    X(Graph_neighbors_count, "comm rank i32") \
    X(Graph_neighbors, "i32 comm rank i32 ints") \
    X(Cart_shift, "comm i32 i32 source dest") \
    X(Cart_sub, "i32 oldcomm remain_dims newcomm") \
    X(Cart_map, "comm i32 dims ints i32") \
    X(Graph_map, "i32 comm i32 ints ints i32") \
    X(Get_processor_name, "bytes i32") \
    X(Get_version, "i32 i32") \
    X(Errhandler_create, "i16") \
    X(Errhandler_set, "comm i16") \
    X(Errhandler_get, "comm i16") \
    X(Errhandler_free, "i16") \
    X(Error_string, "i32 bytes i32") \
    X(Error_class, "i32 i32") \
    X(Wtime, "") \
    X(Wtick, "") \
    X(Init, "init_texts") \
    X(Finalize, "") \
    X(Initialized, "i32") \
    X(Abort, "comm i32") \
    X(Pcontrol, "") \
    X(Close_port, "bytes") \
    X(Comm_accept, "bytes i16 root oldcomm newcomm") \
    X(Comm_connect, "bytes i16 root oldcomm newcomm") \
    X(Comm_disconnect, "comm") \
    X(Comm_get_parent, "i16") \
    X(Comm_join, "i32 comm") \
    X(Comm_spawn, "commrank root oldcomm newcomm ?bytes ?texts ?i32 ?i16 ?ints") \
    X(Comm_spawn_multiple, "i32 commrank root oldcomm newcomm ?count ?texts ?text_lists " \
                           "?ints ?shorts ?ints") \
    X(Lookup_name, "bytes i16 bytes") \
    X(Open_port, "i16 bytes") \
    X(Publish_name, "bytes i16 bytes") \
    X(Unpublish_name, "bytes i16 bytes") \
    X(Accumulate, "i32 i16 i32 i32 i32 i16 op i16") \
    X(Get, "i32 i16 i32 i32 i32 i16 i16") \
    X(Put, "i32 i16 i32 i32 i32 i16 i16") \
    X(Win_complete, "i16") \
    X(Win_create, "size i32 i16 comm i16") \
    X(Win_fence, "i8 i16") \
    X(Win_free, "i16") \
    X(Win_get_group, "i16 i16") \
    X(Win_lock, "i8 i32 i8 i16") \
    X(Win_post, "i16 i8 i16") \
    X(Win_start, "i16 i8 i16") \
    X(Win_test, "i16 flag") \
    X(Win_unlock, "i32 i16") \
    X(Win_wait, "i16") \
    X(Alltoallw, "commsize sendcounts ints sendtypes recvcounts ints recvtypes comm") \
    X(Exscan, "count datatype op comm") \
    X(Add_error_class, "i32") \
    X(Add_error_code, "i32 i32") \
    X(Add_error_string, "i32 bytes") \
    X(Comm_call_errhandler, "comm i32") \
    X(Comm_create_keyval, "i16") \
    X(Comm_delete_attr, "comm i16") \
    X(Comm_free_keyval, "i16") \
    X(Comm_get_attr, "comm i16 flag") \
    X(Comm_get_name, "comm bytes i32") \
    X(Comm_set_attr, "comm i16") \
    X(Comm_set_name, "comm bytes") \
    X(File_call_errhandler, "i16 i32") \
    X(Grequest_complete, "request") \
    X(Grequest_start, "request") \
    X(Init_thread, "texts i8 i8") \
    X(Is_thread_main, "flag") \
    X(Query_thread, "i8") \
    X(Status_set_cancelled, "status flag") \
    X(Status_set_elements, "status datatype count") \
    X(Type_create_keyval, "i16") \
    X(Type_delete_attr, "datatype i16") \
    X(Type_dup, "oldtype newtype") \
    X(Type_free_keyval, "i16") \
    X(Type_get_attr, "datatype i16 flag") \
    X(Type_get_contents, "i32 i32 i32 datatype i32 i32 i32 ints ints shorts") \
    X(Type_get_envelope, "datatype i32 i32 i32 i8") \
    X(Type_get_name, "datatype bytes i32") \
    X(Type_set_attr, "datatype i16") \
    X(Type_set_name, "datatype bytes") \
    X(Type_match_size, "i8 size datatype") \
    X(Win_call_errhandler, "i16 i32") \
    X(Win_create_keyval, "i16") \
    X(Win_delete_attr, "i16 i16") \
    X(Win_free_keyval, "i16") \
    X(Win_get_attr, "i16 i16 flag") \
    X(Win_get_name, "i16 bytes i32") \
    X(Win_set_attr, "i16 i16") \
    X(Win_set_name, "i16 bytes") \
    X(Alloc_mem, "size i16") \
    X(Comm_create_errhandler, "i16") \
    X(Comm_get_errhandler, "comm i16") \
    X(Comm_set_errhandler, "comm i16") \
    X(File_create_errhandler, "i16") \
    X(File_get_errhandler, "i16 i16") \
    X(File_set_errhandler, "i16 i16") \
    X(Finalized, "flag") \
    X(Free_mem, "") \
    X(Get_address, "i32") \
    X(Info_create, "i16") \
    X(Info_delete, "i16 bytes") \
    X(Info_dup, "i16 i16") \
    X(Info_free, "i16") \
    X(Info_get, "i16 bytes i32 bytes flag") \
    X(Info_get_nkeys, "i16 i32") \
    X(Info_get_nthkey, "i16 i32 bytes") \
    X(Info_get_valuelen, "i16 bytes i32 flag") \
    X(Info_set, "i16 bytes bytes") \
    X(Pack_external, "bytes i32 i16 i32 i32 i32") \
    X(Pack_external_size, "bytes i32 datatype size") \
    X(Request_get_status, "request flag status") \
    X(Type_create_darray, "size rank i32 ints bytes ints ints i8 oldtype newtype") \
    X(Type_create_hindexed, "count lengths ints oldtype newtype") \
    X(Type_create_hvector, "count blocklength i32 oldtype newtype") \
    X(Type_create_indexed_block, "count blocklength ints oldtype newtype") \
    X(Type_create_resized, "oldtype i32 i32 newtype") \
    X(Type_create_struct, "count lengths ints oldtypes newtype") \
    X(Type_create_subarray, "i32 ints subsizes ints i8 oldtype newtype") \
    X(Type_get_extent, "datatype i32 i32") \
    X(Type_get_true_extent, "datatype i32 i32") \
    X(Unpack_external, "bytes i32 i32 i32 i32 datatype") \
    X(Win_create_errhandler, "i16") \
    X(Win_get_errhandler, "i16 i16") \
    X(Win_set_errhandler, "i16 i16") \
    X(File_open, "comm bytes i8 i16 i16") \
    X(File_close, "i16") \
    X(File_delete, "bytes i16") \
    X(File_set_size, "i16 i64") \
    X(File_preallocate, "i16 i64") \
    X(File_get_size, "i16 i64") \
    X(File_get_group, "i16 i16") \
    X(File_get_amode, "i16 i8") \
    X(File_set_info, "i16 i16") \
    X(File_get_info, "i16 i16") \
    X(File_set_view, "i16 i64 i16 i16 bytes i16") \
    X(File_get_view, "i16 i64 i16 i16 bytes") \
    X(File_read_at, "i16 i64 count datatype status") \
    X(File_read_at_all, "i16 i64 count datatype status") \
    X(File_write_at, "i16 i64 count datatype status") \
    X(File_write_at_all, "i16 i64 count datatype status") \
    X(File_iread_at, "i16 i64 count datatype request") \
    X(File_iwrite_at, "i16 i64 count datatype request") \
    X(File_read, "i16 count datatype status") \
    X(File_read_all, "i16 count datatype status") \
    X(File_write, "i16 count datatype status") \
    X(File_write_all, "i16 count datatype status") \
    X(File_iread, "i16 count datatype request") \
    X(File_iwrite, "i16 count datatype request") \
    X(File_seek, "i16 i64 i8") \
    X(File_get_position, "i16 i64") \
    X(File_get_byte_offset, "i16 i64 i64") \
    X(File_read_shared, "i16 count datatype status") \
    X(File_write_shared, "i16 count datatype status") \
    X(File_iread_shared, "i16 count datatype request") \
    X(File_iwrite_shared, "i16 count datatype request") \
    X(File_read_ordered, "i16 count datatype status") \
    X(File_write_ordered, "i16 count datatype status") \
    X(File_seek_shared, "i16 i64 i8") \
    X(File_get_position_shared, "i16 i64") \
    X(File_read_at_all_begin, "i16 i64 count datatype") \
    X(File_read_at_all_end, "i16 status") \
    X(File_write_at_all_begin, "i16 i64 count datatype") \
    X(File_write_at_all_end, "i16 status") \
    X(File_read_all_begin, "i16 count datatype") \
    X(File_read_all_end, "i16 status") \
    X(File_write_all_begin, "i16 count datatype") \
    X(File_write_all_end, "i16 status") \
    X(File_read_ordered_begin, "i16 count datatype") \
    X(File_read_ordered_end, "i16 status") \
    X(File_write_ordered_begin, "i16 count datatype") \
    X(File_write_ordered_end, "i16 status") \
    X(File_get_type_extent, "i16 datatype i32") \
    X(Register_datarep, "bytes") \
    X(File_set_atomicity, "i16 flag") \
    X(File_get_atomicity, "i16 flag") \
    X(File_sync, "i16") \
    X(IO_Test, "request flag status") \
    X(IO_Wait, "request status") \
    X(IO_Testall, "count requests flag status") \
    X(IO_Waitall, "count requests status") \
    X(IO_Testany, "count requests flag index status") \
    X(IO_Waitany, "count requests index status") \
    X(IO_Waitsome, "count requests i32 indices status") \
    X(IO_Testsome, "count requests i32 indices status")
/* clang-format on */

/* Arguments that matter for a replay, and their shapes. Those of blocks are also blocklengths. */
/* clang-format off */
#define DUMPI_ARGUMENT_LIST(X) \
    X(COUNT, "count", I32) X(DATATYPE, "datatype", I16) X(DEST, "dest", I32) \
    X(SOURCE, "source", I32) X(TAG, "tag", I32) X(COMM, "comm", I16) X(REQUEST, "request", I32) \
    X(REQUESTS, "requests", INTS) X(FLAG, "flag", I32) X(INDEX, "index", I32) \
    X(INDICES, "indices", INTS) X(SENDCOUNT, "sendcount", I32) X(SENDTYPE, "sendtype", I16) \
    X(RECVCOUNT, "recvcount", I32) X(RECVTYPE, "recvtype", I16) X(SENDTAG, "sendtag", I32) \
    X(RECVTAG, "recvtag", I32) X(SENDCOUNTS, "sendcounts", INTS) \
    X(RECVCOUNTS, "recvcounts", INTS) X(SENDTYPES, "sendtypes", SHORTS) \
    X(RECVTYPES, "recvtypes", SHORTS) X(ROOT, "root", I32) X(COMMSIZE, "commsize", I32) \
    X(COMMRANK, "commrank", I32) X(OP, "op", I8) X(OLDCOMM, "oldcomm", I16) \
    X(NEWCOMM, "newcomm", I16) X(COLOR, "color", I32) X(KEY, "key", I32) \
    X(OLDTYPE, "oldtype", I16) X(NEWTYPE, "newtype", I16) X(BLOCKLENGTH, "blocklength", I32) \
    X(LENGTHS, "lengths", INTS) X(OLDTYPES, "oldtypes", SHORTS) X(SUBSIZES, "subsizes", INTS) \
    X(DIMS, "dims", INTS) X(REMAIN_DIMS, "remain_dims", INTS) X(RANK, "rank", I32) \
    X(SIZE, "size", I32)

/* How a field lies in the binary form; numbers are big-endian. Of the last three, old versions have
 * texts with their number twice (before 0.6.2), and one i32 for ints (before 0.6.8 and 0.6.9). */
#define DUMPI_SHAPE_LIST(X) \
    X(I8, "i8") X(I16, "i16") X(I32, "i32") X(I64, "i64") X(BYTES, "bytes") X(SHORTS, "shorts") \
    X(INTS, "ints") X(ROWS, "rows") X(TEXTS, "texts") X(TEXT_LISTS, "text_lists") \
    X(STATUS, "status") X(INIT_TEXTS, "init_texts") X(CART_INTS, "cart_ints") \
    X(STRUCT_INTS, "struct_ints")
/* clang-format on */

#define DUMPI_FIRST(NAME, ...) DUMPI_##NAME,
enum dumpi_function {
    DUMPI_FUNCTIONS(DUMPI_FIRST) DUMPI_OTHER, /* one that it does not know */
    DUMPI_END,                                /* no call: the rank's trace is over */
};
enum dumpi_argument { DUMPI_ARGUMENT_LIST(DUMPI_FIRST) DUMPI_ARGUMENTS };
enum dumpi_shape { DUMPI_SHAPE_LIST(DUMPI_FIRST) DUMPI_SHAPES };

struct dumpi_field {
    enum dumpi_shape shape;
    enum dumpi_argument argument; /* DUMPI_ARGUMENTS: it does not matter */
    bool at_root;                 /* it is there at the root only */
};

enum { DUMPI_FIELDS_MOST = 12 };

/* The fields of a function's arguments, in their order; returns how many. */
unsigned dumpi_function_fields(enum dumpi_function function,
                               struct dumpi_field field[DUMPI_FIELDS_MOST]);

/* "MPI_Send" */
const char *dumpi_function_name(enum dumpi_function function);
enum dumpi_function dumpi_function_by_name(const char *name);

/* "count"; DUMPI_ARGUMENTS: one that does not matter. */
enum dumpi_argument dumpi_argument_by_name(const char *name);

#endif
