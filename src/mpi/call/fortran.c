/*
 * What Fortran's calls need: its texts, its handles, its addresses that mean something, and C
 * functions that call the program's in Fortran's way.
 *
 * Fortran's INTEGERs are often the lower half of a word of C's: a handle of a pointer, MPI-1's
 * address of an MPI_Aint. On the computers that Weft runs on that half comes first, so a function
 * of the program that wants the address of such an INTEGER gets that of the word.
 */
#include "mpi/call.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "image/image.h"

/* ---- handles ---- */

static void *handle(int number)
{
    return (void *)(intptr_t)number;
}

static int number(const void *handle)
{
    return (int)(intptr_t)handle;
}

static void *take_handles(int count, const int *numbers)
{
    void **taken = memory_alloc(count > 0 ? (size_t)count : 1, sizeof(*taken));
    for (int i = 0; i < count; i++)
        taken[i] = handle(numbers[i]);
    return taken;
}

static void give_handles(void *taken, int count, int *numbers)
{
    for (int i = 0; i < count; i++)
        numbers[i] = number(((void **)taken)[i]);
    free(taken);
}

/* ---- addresses ---- */

static MPI_Aint *take_addresses(int count, const int *small)
{
    MPI_Aint *taken = memory_alloc(count > 0 ? (size_t)count : 1, sizeof(*taken));
    for (int i = 0; i < count; i++)
        taken[i] = small[i];
    return taken;
}

/* A new type of MPI-1: MPI_Type_get_contents() gives its addresses as integers, after the others.
 */
static void keep_small(MPI_Datatype type)
{
    struct type *t;
    if (find_type(rank_self(), NULL, type, &t))
        return;
    struct type_origin *o = &t->origin;
    o->combiner = o->combiner == MPI_COMBINER_HVECTOR    ? MPI_COMBINER_HVECTOR_INTEGER
                  : o->combiner == MPI_COMBINER_HINDEXED ? MPI_COMBINER_HINDEXED_INTEGER
                                                         : MPI_COMBINER_STRUCT_INTEGER;
    for (size_t i = 0; i < o->length[ORIGIN_ADDRESSES]; i++) /* each list has room for all */
        o->number[ORIGIN_INTEGERS][o->length[ORIGIN_INTEGERS]++] = o->number[ORIGIN_ADDRESSES][i];
    o->length[ORIGIN_ADDRESSES] = 0;
}

/* What an address means: itself, unless it is MPI_BOTTOM's or the like. */
static void *place(const void *address);

/* ---- texts: blanks at their ends are none of them, and fill up what is left ---- */

static char *take_text(const char *text, size_t length, bool begins_with_blanks)
{
    while (length && text[length - 1] == ' ')
        length--;
    for (; begins_with_blanks && length && *text == ' '; length--)
        text++;
    char *taken = memory_alloc(length + 1, 1);
    memcpy(taken, text, length);
    return taken;
}

static void give_text(char *from, char *to, size_t length)
{
    size_t given = strnlen(from, length);
    memcpy(to, from, given);
    memset(to + given, ' ', length - given);
    free(from);
}

/* ---- numbers ---- */

/* NULL: a program with mpi_f08 has left ierror out. */
static void give_error(int *ierror, int error)
{
    if (ierror)
        *ierror = error;
}

static void count_from_one(int *index)
{
    if (*index != MPI_UNDEFINED)
        ++*index;
}

static void count_all_from_one(const int *count, int *indices)
{
    for (int i = 0; *count != MPI_UNDEFINED && i < *count; i++)
        indices[i]++;
}

/* How many datatypes come with a buffer of MPI_Alltoallw() and of its kin for neighbours. */
static int peers(int comm, const void *buffer)
{
    const struct comm *c = comm_find(call_rank(), (uintptr_t)handle(comm));
    return c && place(buffer) != MPI_IN_PLACE ? (int)comm_peer_group(c)->size : 0;
}

static const struct topology *topology(int comm)
{
    const struct comm *c = comm_find(call_rank(), (uintptr_t)handle(comm));
    return c ? c->topology : NULL;
}

static int in_edges(int comm)
{
    return topology(comm) ? (int)topology(comm)->ins : 0;
}

static int out_edges(int comm)
{
    return topology(comm) ? (int)topology(comm)->outs : 0;
}

/* ---- attributes ---- */

/* The functions of a key, which MPI calls with it. */
struct fortran_key {
    struct fortran_key *next; /* first: memory_free_list() */
    void (*copy)(int *object, int *key, MPI_Aint *extra, MPI_Aint *from, MPI_Aint *to, int *flag,
                 int *ierror);
    void (*remove)(int *object, int *key, MPI_Aint *value, MPI_Aint *extra, int *ierror);
    MPI_Aint extra;
};

static int copy_attribute(MPI_Comm object, int key, void *functions, void *from, void *to,
                          int *flag)
{
    struct fortran_key *k = functions;
    int owner = number(object), ierror = MPI_SUCCESS;
    MPI_Aint was = (MPI_Aint)from, is = 0;
    k->copy(&owner, &key, &k->extra, &was, &is, flag, &ierror);
    memcpy(to, &is, sizeof(is));
    return ierror;
}

static int remove_attribute(MPI_Comm object, int key, void *value, void *functions)
{
    struct fortran_key *k = functions;
    int owner = number(object), ierror = MPI_SUCCESS;
    MPI_Aint was = (MPI_Aint)value;
    k->remove(&owner, &key, &was, &k->extra, &ierror);
    return ierror;
}

/* They are kept as long as the rank: an attribute may outlive its key. */
static struct fortran_key *keep(void (*copy)(void), void (*remove)(void), MPI_Aint extra)
{
    struct rank *r = call_rank();
    struct fortran_key *k = memory_alloc(1, sizeof(*k));
    *k = (struct fortran_key){.next = r->fortran_keys, .extra = extra};
    memcpy(&k->copy, &copy, sizeof(copy));
    memcpy(&k->remove, &remove, sizeof(remove));
    return r->fortran_keys = k;
}

#define CREATE_KEYVAL(NAME, COPY, REMOVE, EXTRA)                                                   \
    static void fortran_##NAME(void (*copy)(void), void (*remove)(void), int *key,                 \
                               const EXTRA *extra, int *ierror)                                    \
    {                                                                                              \
        give_error(ierror, call_##NAME((COPY *)copy_attribute, (REMOVE *)remove_attribute, key,    \
                                       keep(copy, remove, *extra)));                               \
    }
CREATE_KEYVAL(Comm_create_keyval, MPI_Comm_copy_attr_function, MPI_Comm_delete_attr_function,
              MPI_Aint)
CREATE_KEYVAL(Type_create_keyval, MPI_Type_copy_attr_function, MPI_Type_delete_attr_function,
              MPI_Aint)
CREATE_KEYVAL(Win_create_keyval, MPI_Win_copy_attr_function, MPI_Win_delete_attr_function, MPI_Aint)
CREATE_KEYVAL(Keyval_create, MPI_Copy_function, MPI_Delete_function, int)

/* MPI's own attributes are addresses of numbers in C, and the numbers in Fortran. */
static MPI_Aint attribute(int key, const void *value)
{
    bool is_own = (key >= MPI_TAG_UB && key <= MPI_UNIVERSE_SIZE) ||
                  (key >= MPI_WIN_DISP_UNIT && key <= MPI_WIN_MODEL);
    if (key == MPI_WIN_SIZE)
        return *(const MPI_Aint *)value;
    return is_own ? *(const int *)value : (MPI_Aint)value;
}

/* MPI_NULL_COPY_FN and its kin, those of MPI-1 first. */

static void fortran_NULL_COPY_FN(int *object, int *key, int *extra, int *from, int *to, int *flag,
                                 int *ierror)
{
    (void)object, (void)key, (void)extra, (void)from, (void)to;
    *flag = 0;
    *ierror = MPI_SUCCESS;
}

#define DUP_FN(NAME, TYPE)                                                                         \
    static void fortran_##NAME(int *object, int *key, TYPE *extra, TYPE *from, TYPE *to,           \
                               int *flag, int *ierror)                                             \
    {                                                                                              \
        (void)object, (void)key, (void)extra;                                                      \
        *to = *from;                                                                               \
        *flag = 1;                                                                                 \
        *ierror = MPI_SUCCESS;                                                                     \
    }
DUP_FN(DUP_FN, int)
DUP_FN(COMM_DUP_FN, MPI_Aint)

static void fortran_NULL_DELETE_FN(int *object, int *key, void *value, void *extra, int *ierror)
{
    (void)object, (void)key, (void)value, (void)extra;
    *ierror = MPI_SUCCESS;
}

#define fortran_TYPE_DUP_FN         fortran_COMM_DUP_FN
#define fortran_WIN_DUP_FN          fortran_COMM_DUP_FN
#define fortran_COMM_NULL_COPY_FN   fortran_NULL_COPY_FN
#define fortran_TYPE_NULL_COPY_FN   fortran_NULL_COPY_FN
#define fortran_WIN_NULL_COPY_FN    fortran_NULL_COPY_FN
#define fortran_COMM_NULL_DELETE_FN fortran_NULL_DELETE_FN
#define fortran_TYPE_NULL_DELETE_FN fortran_NULL_DELETE_FN
#define fortran_WIN_NULL_DELETE_FN  fortran_NULL_DELETE_FN

/* ---- data representations: those of programs are refused ---- */

static void fortran_CONVERSION_FN_NULL(void *buf, int *type, int *count, void *filebuf,
                                       MPI_Offset *position, MPI_Aint *extra, int *ierror)
{
    (void)buf, (void)type, (void)count, (void)filebuf, (void)position, (void)extra;
    *ierror = MPI_SUCCESS;
}

/* ---- the program's own requests ---- */

/* The functions of one, which end with it. */
struct general_functions {
    void (*query)(MPI_Aint *extra, MPI_Status *status, int *ierror);
    void (*release)(MPI_Aint *extra, int *ierror);
    void (*cancel)(MPI_Aint *extra, int *complete, int *ierror);
    MPI_Aint extra;
};

static int query_request(void *functions, MPI_Status *status)
{
    struct general_functions *g = functions;
    int ierror = MPI_SUCCESS;
    g->query(&g->extra, status, &ierror);
    return ierror;
}

static int release_request(void *functions)
{
    struct general_functions *g = functions;
    int ierror = MPI_SUCCESS;
    g->release(&g->extra, &ierror);
    free(g);
    return ierror;
}

static int cancel_request(void *functions, int complete)
{
    struct general_functions *g = functions;
    int ierror = MPI_SUCCESS;
    g->cancel(&g->extra, &complete, &ierror);
    return ierror;
}

static void fortran_Grequest_start(void (*query)(MPI_Aint *, MPI_Status *, int *),
                                   void (*release)(MPI_Aint *, int *),
                                   void (*cancel)(MPI_Aint *, int *, int *), const MPI_Aint *extra,
                                   int *request, int *ierror)
{
    struct general_functions *g = memory_alloc(1, sizeof(*g));
    MPI_Request own = MPI_REQUEST_NULL;
    *g = (struct general_functions){query, release, cancel, *extra};
    give_error(ierror,
               call_Grequest_start(query_request, release_request, cancel_request, g, &own));
    *request = number(own);
}

/* ---- single functions ---- */

static void fortran_Buffer_detach_f08(void *buffer, int *size, int *ierror)
{
    give_error(ierror, call_Buffer_detach(buffer, size));
}

/* Without mpi_f08, Fortran is not told where the buffer was. */
static void fortran_Buffer_detach(const void *buffer, int *size, int *ierror)
{
    void *was;
    (void)buffer;
    fortran_Buffer_detach_f08(&was, size, ierror);
}

#define DETACH_BUFFER(OBJECT)                                                                      \
    static void fortran_##OBJECT##_detach_buffer_f08(const int *object, void *buffer, int *size,   \
                                                     int *ierror)                                  \
    {                                                                                              \
        give_error(ierror, call_##OBJECT##_detach_buffer(handle(*object), buffer, size));          \
    }                                                                                              \
    static void fortran_##OBJECT##_detach_buffer(const int *object, const void *buffer, int *size, \
                                                 int *ierror)                                      \
    {                                                                                              \
        void *was;                                                                                 \
        (void)buffer;                                                                              \
        fortran_##OBJECT##_detach_buffer_f08(object, &was, size, ierror);                          \
    }
DETACH_BUFFER(Comm)
DETACH_BUFFER(Session)

static void fortran_Info_get(const int *info, const char *key, const int *most, char *value,
                             int *flag, int *ierror, size_t key_length, size_t value_length)
{
    char *name = take_text(key, key_length, true);
    char *found = memory_alloc(*most > 0 ? (size_t)*most + 1 : 1, 1);
    give_error(ierror, call_Info_get(handle(*info), name, *most, found, flag));
    free(name);
    if (*flag)
        give_text(found, value, value_length);
    else
        free(found);
}

/* Lengths count a last zero in C only. */
static void fortran_Info_get_string(const int *info, const char *key, int *length, char *value,
                                    int *flag, int *ierror, size_t key_length, size_t value_length)
{
    char *name = take_text(key, key_length, true);
    int bytes = *length > 0 ? *length + 1 : 0;
    char *found = memory_alloc((size_t)bytes + 1, 1);
    give_error(ierror, call_Info_get_string(handle(*info), name, &bytes, found, flag));
    free(name);
    if (*flag && *length > 0)
        give_text(found, value, value_length);
    else
        free(found);
    if (*flag)
        *length = bytes - 1;
}

static void fortran_Pcontrol(const int *level)
{
    call_Pcontrol(*level);
}

/* For the compiler: whoever calls it may have changed the buffer. */
static void fortran_F_sync_reg(void *buffer)
{
    (void)buffer;
}

/* ---- what modules have beside functions ---- */

static int fortran_Handle_eq(const int *x, const int *y)
{
    return *x == *y;
}

static int fortran_Handle_ne(const int *x, const int *y)
{
    return *x != *y;
}

/* How a descriptor of an array begins: CFI_cdesc_t of Fortran 2018. */
struct descriptor {
    void *base;
    size_t element_bytes;
};

static void fortran_Sizeof(const struct descriptor *x, int *size, int *ierror)
{
    *size = (int)x->element_bytes;
    give_error(ierror, MPI_SUCCESS);
}

static void fortran_Status_f2f08(const MPI_Status *from, MPI_Status *to, int *ierror)
{
    give_error(ierror, call_Status_f082c(from, to));
}
#define fortran_Status_f082f fortran_Status_f2f08

/* ---- all others, and their names ---- */

#include "mpi_fortran.h"

static void *place(const void *address)
{
    const struct rank *r = call_rank();
    uint64_t first = r->executable->fortran_at;
    uint64_t at = (uint64_t)(uintptr_t)address - (uintptr_t)r->posix.copy - first;
    for (size_t i = 0; first != FORTRAN_NOWHERE && i < PLACES; i++)
        if (at == places[i].at)
            return (void *)places[i].means;
    return (void *)address;
}

uint64_t fortran_places(const struct image *image)
{
    uint64_t at;
    return image_find(image, PLACES_NAME, &at) ? at : FORTRAN_NOWHERE;
}

void *fortran_find(const char *name)
{
    void *found = NULL;
    const char *plain = name[0] == 'p' ? name + 1 : name; /* pmpi_send_ */
    for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]) && !found; i++)
        if (strcmp(functions[i].name, plain) == 0)
            memcpy(&found, &functions[i].function, sizeof(found));
    return found;
}
