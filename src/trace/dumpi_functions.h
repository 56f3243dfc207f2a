/*
 * The functions of MPI that DUMPI knows, by their names and in the order of their numbers there
 * (its common/funclabels.h), and those of their arguments that matter for a replay.
 */
#ifndef WEFT_TRACE_DUMPI_FUNCTIONS_H
#define WEFT_TRACE_DUMPI_FUNCTIONS_H

/* clang-format off */
#define DUMPI_FUNCTIONS(X)                                                                           \
    X(Send) X(Recv) X(Get_count) X(Bsend) X(Ssend) X(Rsend) X(Buffer_attach) X(Buffer_detach)      \
    X(Isend) X(Ibsend) X(Issend) X(Irsend) X(Irecv) X(Wait) X(Test) X(Request_free) X(Waitany)     \
    X(Testany) X(Waitall) X(Testall) X(Waitsome) X(Testsome) X(Iprobe) X(Probe) X(Cancel)          \
    X(Test_cancelled) X(Send_init) X(Bsend_init) X(Ssend_init) X(Rsend_init) X(Recv_init)          \
    X(Start) X(Startall) X(Sendrecv) X(Sendrecv_replace) X(Type_contiguous) X(Type_vector)         \
    X(Type_hvector) X(Type_indexed) X(Type_hindexed) X(Type_struct) X(Address) X(Type_extent)      \
    X(Type_size) X(Type_lb) X(Type_ub) X(Type_commit) X(Type_free) X(Get_elements) X(Pack)         \
    X(Unpack) X(Pack_size) X(Barrier) X(Bcast) X(Gather) X(Gatherv) X(Scatter) X(Scatterv)         \
    X(Allgather) X(Allgatherv) X(Alltoall) X(Alltoallv) X(Reduce) X(Op_create) X(Op_free)          \
    X(Allreduce) X(Reduce_scatter) X(Scan) X(Group_size) X(Group_rank) X(Group_translate_ranks)    \
    X(Group_compare) X(Comm_group) X(Group_union) X(Group_intersection) X(Group_difference)        \
    X(Group_incl) X(Group_excl) X(Group_range_incl) X(Group_range_excl) X(Group_free)              \
    X(Comm_size) X(Comm_rank) X(Comm_compare) X(Comm_dup) X(Comm_create) X(Comm_split)             \
    X(Comm_free) X(Comm_test_inter) X(Comm_remote_size) X(Comm_remote_group) X(Intercomm_create)   \
    X(Intercomm_merge) X(Keyval_create) X(Keyval_free) X(Attr_put) X(Attr_get) X(Attr_delete)      \
    X(Topo_test) X(Cart_create) X(Dims_create) X(Graph_create) X(Graphdims_get) X(Graph_get)       \
    X(Cartdim_get) X(Cart_get) X(Cart_rank) X(Cart_coords) X(Graph_neighbors_count)                \
    X(Graph_neighbors) X(Cart_shift) X(Cart_sub) X(Cart_map) X(Graph_map) X(Get_processor_name)    \
    X(Get_version) X(Errhandler_create) X(Errhandler_set) X(Errhandler_get) X(Errhandler_free)     \
    X(Error_string) X(Error_class) X(Wtime) X(Wtick) X(Init) X(Finalize) X(Initialized) X(Abort)   \
    X(Pcontrol) X(Close_port) X(Comm_accept) X(Comm_connect) X(Comm_disconnect)                    \
    X(Comm_get_parent) X(Comm_join) X(Comm_spawn) X(Comm_spawn_multiple) X(Lookup_name)            \
    X(Open_port) X(Publish_name) X(Unpublish_name) X(Accumulate) X(Get) X(Put) X(Win_complete)     \
    X(Win_create) X(Win_fence) X(Win_free) X(Win_get_group) X(Win_lock) X(Win_post) X(Win_start)   \
    X(Win_test) X(Win_unlock) X(Win_wait) X(Alltoallw) X(Exscan) X(Add_error_class)                \
    X(Add_error_code) X(Add_error_string) X(Comm_call_errhandler) X(Comm_create_keyval)            \
    X(Comm_delete_attr) X(Comm_free_keyval) X(Comm_get_attr) X(Comm_get_name) X(Comm_set_attr)     \
    X(Comm_set_name) X(File_call_errhandler) X(Grequest_complete) X(Grequest_start)                \
    X(Init_thread) X(Is_thread_main) X(Query_thread) X(Status_set_cancelled)                       \
    X(Status_set_elements) X(Type_create_keyval) X(Type_delete_attr) X(Type_dup)                   \
    X(Type_free_keyval) X(Type_get_attr) X(Type_get_contents) X(Type_get_envelope)                 \
    X(Type_get_name) X(Type_set_attr) X(Type_set_name) X(Type_match_size) X(Win_call_errhandler)   \
    X(Win_create_keyval) X(Win_delete_attr) X(Win_free_keyval) X(Win_get_attr) X(Win_get_name)     \
    X(Win_set_attr) X(Win_set_name) X(Alloc_mem) X(Comm_create_errhandler)                         \
    X(Comm_get_errhandler) X(Comm_set_errhandler) X(File_create_errhandler)                        \
    X(File_get_errhandler) X(File_set_errhandler) X(Finalized) X(Free_mem) X(Get_address)          \
    X(Info_create) X(Info_delete) X(Info_dup) X(Info_free) X(Info_get) X(Info_get_nkeys)           \
    X(Info_get_nthkey) X(Info_get_valuelen) X(Info_set) X(Pack_external) X(Pack_external_size)     \
    X(Request_get_status) X(Type_create_darray) X(Type_create_hindexed) X(Type_create_hvector)     \
    X(Type_create_indexed_block) X(Type_create_resized) X(Type_create_struct)                      \
    X(Type_create_subarray) X(Type_get_extent) X(Type_get_true_extent) X(Unpack_external)          \
    X(Win_create_errhandler) X(Win_get_errhandler) X(Win_set_errhandler) X(File_open)              \
    X(File_close) X(File_delete) X(File_set_size) X(File_preallocate) X(File_get_size)             \
    X(File_get_group) X(File_get_amode) X(File_set_info) X(File_get_info) X(File_set_view)         \
    X(File_get_view) X(File_read_at) X(File_read_at_all) X(File_write_at) X(File_write_at_all)     \
    X(File_iread_at) X(File_iwrite_at) X(File_read) X(File_read_all) X(File_write)                 \
    X(File_write_all) X(File_iread) X(File_iwrite) X(File_seek) X(File_get_position)               \
    X(File_get_byte_offset) X(File_read_shared) X(File_write_shared) X(File_iread_shared)          \
    X(File_iwrite_shared) X(File_read_ordered) X(File_write_ordered) X(File_seek_shared)           \
    X(File_get_position_shared) X(File_read_at_all_begin) X(File_read_at_all_end)                  \
    X(File_write_at_all_begin) X(File_write_at_all_end) X(File_read_all_begin)                     \
    X(File_read_all_end) X(File_write_all_begin) X(File_write_all_end)                             \
    X(File_read_ordered_begin) X(File_read_ordered_end) X(File_write_ordered_begin)                \
    X(File_write_ordered_end) X(File_get_type_extent) X(Register_datarep) X(File_set_atomicity)    \
    X(File_get_atomicity) X(File_sync) X(IO_Test) X(IO_Wait) X(IO_Testall) X(IO_Waitall)           \
    X(IO_Testany) X(IO_Waitany) X(IO_Waitsome) X(IO_Testsome)
/* clang-format on */

enum dumpi_function {
#define DUMPI_FUNCTION(NAME) DUMPI_##NAME,
    DUMPI_FUNCTIONS(DUMPI_FUNCTION)
#undef DUMPI_FUNCTION
        DUMPI_OTHER, /* one that it does not know */
    DUMPI_END,       /* no call: the rank's trace is over */
};

enum dumpi_argument {
    DUMPI_COUNT,
    DUMPI_DATATYPE,
    DUMPI_DEST,
    DUMPI_SOURCE,
    DUMPI_TAG,
    DUMPI_COMM,
    DUMPI_REQUEST,
    DUMPI_REQUESTS,
    DUMPI_FLAG,
    DUMPI_INDEX,
    DUMPI_INDICES,
    DUMPI_SENDCOUNT,
    DUMPI_SENDTYPE,
    DUMPI_RECVCOUNT,
    DUMPI_RECVTYPE,
    DUMPI_SENDTAG,
    DUMPI_RECVTAG,
    DUMPI_SENDCOUNTS,
    DUMPI_RECVCOUNTS,
    DUMPI_SENDTYPES,
    DUMPI_RECVTYPES,
    DUMPI_ROOT,
    DUMPI_COMMSIZE,
    DUMPI_COMMRANK,
    DUMPI_OP,
    DUMPI_OLDCOMM,
    DUMPI_NEWCOMM,
    DUMPI_COLOR,
    DUMPI_KEY,
    DUMPI_OLDTYPE,
    DUMPI_NEWTYPE,
    DUMPI_BLOCKLENGTH,
    DUMPI_LENGTHS, /* of blocks, however they are called */
    DUMPI_OLDTYPES,
    DUMPI_SUBSIZES,
    DUMPI_DIMS,
    DUMPI_REMAIN_DIMS,
    DUMPI_RANK,
    DUMPI_SIZE,
    DUMPI_ARGUMENTS,
};

/* "MPI_Send" */
const char *dumpi_function_name(enum dumpi_function function);
enum dumpi_function dumpi_function_by_name(const char *name);

/* "count"; DUMPI_ARGUMENTS: one that does not matter. */
const char *dumpi_argument_name(enum dumpi_argument argument);
enum dumpi_argument dumpi_argument_by_name(const char *name);

#endif
