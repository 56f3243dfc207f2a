/* What a rank sees of a file: views, and where its pointers are. */
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "mpi/call.h"
#include "mpi/object/file.h"

/* An offset beyond which no file goes. */
#define OFFSET_MOST (1ll << 60)

/* ---- places in a view ---- */

static void take_first(void *first, uintptr_t at, uint64_t bytes)
{
    (void)bytes;
    *(int64_t *)first = (int64_t)at;
}

int64_t file_view_byte(const struct file_view *v, int64_t offset)
{
    int64_t first = OFFSET_MOST;
    struct type_range range = {v->displacement, (uint64_t)(offset * v->etype->size), 1};
    type_tile(v->filetype, &range, take_first, &first);
    return first;
}

int64_t file_view_offset(const struct file_view *v, int64_t byte)
{
    int64_t tiles =
        v->filetype->extent > 0 ? (byte - v->displacement) / v->filetype->extent + 1 : 1;
    int64_t low = 0, high = tiles > 0 ? tiles * (v->filetype->size / v->etype->size) : 0;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (file_view_byte(v, middle) < byte)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* ---- views ---- */

/* How the pieces of a type follow each other. */
struct order {
    int64_t last, end; /* where the last one began, and where all before ended */
    bool descends, overlaps;
};

static void look_at_piece(void *order, uintptr_t at, uint64_t bytes)
{
    struct order *o = order;
    int64_t begin = (int64_t)at, end = begin + (int64_t)bytes;
    o->descends |= begin < o->last;
    o->overlaps |= begin < o->end;
    o->last = begin;
    o->end = end > o->end ? end : o->end;
}

/* Files are read in the order of their bytes, and nothing is written twice. */
static int check_order(struct rank *r, struct file *f, const struct type *t, const char *what)
{
    struct order o = {.last = 0};
    type_tile(t, &(struct type_range){.bytes = (uint64_t)t->size}, look_at_piece, &o);
    if (o.descends)
        return error_raise_file(r, f, MPI_ERR_IO, "the %s does not ascend from 0 on", what);
    if (o.overlaps && !(f->at->mode & MPI_MODE_RDONLY))
        return error_raise_file(r, f, MPI_ERR_IO, "the %s overlaps itself", what);
    return MPI_SUCCESS;
}

static int check_types(struct rank *r, struct file *f, const struct file_view *v)
{
    const struct type *e = v->etype, *t = v->filetype;
    if (!e->size || t->size % e->size)
        return error_raise_file(r, f, MPI_ERR_ARG,
                                "the filetype must be made of whole elements of the etype");
    TRY_MPI(check_order(r, f, e, "etype"));
    TRY_MPI(check_order(r, f, t, "filetype"));
    if (v->external && !(type_keeps_sizes(e) && type_keeps_sizes(t)))
        return error_raise_file(r, f, MPI_ERR_UNSUPPORTED_DATAREP,
                                "the types have other sizes in external32");
    return MPI_SUCCESS;
}

static int take_form(struct rank *r, struct file *f, const char *datarep, struct file_view *v)
{
    v->external = strcmp(datarep, "external32") == 0;
    return v->external || strcmp(datarep, "native") == 0 || strcmp(datarep, "internal") == 0
               ? MPI_SUCCESS
               : error_raise_file(r, f, MPI_ERR_UNSUPPORTED_DATAREP,
                                  "'%.60s' is not native, internal or external32", datarep);
}

static int check_displacement(struct rank *r, struct file *f, MPI_Offset displacement)
{
    bool sequential = f->at->mode & MPI_MODE_SEQUENTIAL;
    if (sequential != (displacement == MPI_DISPLACEMENT_CURRENT))
        return error_raise_file(r, f, MPI_ERR_ARG,
                                "MPI_DISPLACEMENT_CURRENT is for files that were opened with "
                                "MPI_MODE_SEQUENTIAL, which have no others");
    if (!sequential && (displacement < 0 || displacement > OFFSET_MOST))
        return error_raise_file(r, f, MPI_ERR_ARG, "the displacement is %lld",
                                (long long)displacement);
    return MPI_SUCCESS;
}

/* All pointers begin anew; of a sequential file where the shared one was. */
static void reset_pointers(struct rank *r, struct file *f, int64_t *place)
{
    if (f->comm->rank == 0) {
        struct access a = {.kind = ACCESS_MOVE, .file = f->at};
        access_perform(r, &a);
        *place = file_view_byte(&f->view, a.offset);
        access_perform(r, &(struct access){.kind = ACCESS_SEEK, .file = f->at});
    }
    file_tell(r, f->comm, place, sizeof(*place));
    f->position = 0;
}

int mpi_File_set_view(struct rank *r, struct file *f, MPI_Offset disp, MPI_Datatype etype,
                      MPI_Datatype filetype, const char *datarep, MPI_Info info)
{
    struct file_view v = {.displacement = disp};
    struct info *hints = NULL;
    int64_t place = 0;
    TRY_MPI(check_displacement(r, f, disp));
    TRY_MPI(find_data(r, NULL, 0, etype, &v.etype));
    TRY_MPI(find_data(r, NULL, 0, filetype, &v.filetype));
    if (info != MPI_INFO_NULL)
        TRY_MPI(find_info(r, info, &hints));
    TRY_MPI(take_form(r, f, datarep, &v));
    TRY_MPI(check_types(r, f, &v));
    TRY_MPI(file_agree(r, f, (int64_t[]){v.etype->extent, v.external}, 2));
    reset_pointers(r, f, &place);
    if (disp == MPI_DISPLACEMENT_CURRENT)
        v.displacement = place;
    type_hold(v.etype);
    type_hold(v.filetype);
    type_release(f->view.etype);
    type_release(f->view.filetype);
    f->view = v;
    if (hints) {
        info_drop(f->info);
        f->info = info_copy(hints);
    }
    return MPI_SUCCESS;
}

static int give_copy(struct rank *r, struct type *t, MPI_Datatype *handle)
{
    if (!t->predefined)
        return mpi_Type_dup(r, t, handle);
    *handle = (MPI_Datatype)t->handle;
    return MPI_SUCCESS;
}

int mpi_File_get_view(struct rank *r, struct file *f, MPI_Offset *disp, MPI_Datatype *etype,
                      MPI_Datatype *filetype, char *datarep)
{
    *disp = f->view.displacement;
    strcpy(datarep, f->view.external ? "external32" : "native");
    TRY_MPI(give_copy(r, f->view.etype, etype));
    return give_copy(r, f->view.filetype, filetype);
}

int mpi_File_get_type_extent(struct rank *r, struct file *f, MPI_Datatype type, MPI_Aint *extent)
{
    struct type *t;
    TRY_MPI(find_type(r, NULL, type, &t));
    if (f->view.external && !type_keeps_sizes(t))
        return error_raise_file(r, f, MPI_ERR_UNSUPPORTED_DATAREP,
                                "the type has another size in external32");
    *extent = t->extent;
    return MPI_SUCCESS;
}

/* Conversions by the program would have to run inside of accesses of other ranks. */
int file_refuse_datarep(struct rank *r, const char *datarep)
{
    return error_raise_file(r, NULL, MPI_ERR_UNSUPPORTED_OPERATION,
                            "'%.60s': data representations of programs are not supported", datarep);
}

/* ---- pointers ---- */

/* The end of the file, as an offset in the view. */
static int64_t end_offset(struct rank *r, struct file *f)
{
    struct access a = {.kind = ACCESS_SIZE, .file = f->at};
    access_perform(r, &a);
    return file_view_offset(&f->view, (int64_t)a.done);
}

/* An offset from somewhere; `current`: where the pointer is. */
static int find_place(struct rank *r, struct file *f, MPI_Offset offset, int whence,
                      int64_t current, int64_t *place)
{
    if (whence != MPI_SEEK_SET && whence != MPI_SEEK_CUR && whence != MPI_SEEK_END)
        return error_raise_file(r, f, MPI_ERR_ARG, "whence %d is unknown", whence);
    if (offset > OFFSET_MOST || offset < -OFFSET_MOST)
        return error_raise_file(r, f, MPI_ERR_ARG, "the offset is %lld", (long long)offset);
    int64_t from = whence == MPI_SEEK_SET ? 0 : whence == MPI_SEEK_CUR ? current : end_offset(r, f);
    *place = from + offset;
    return *place >= 0 && *place <= OFFSET_MOST / f->view.etype->size
               ? MPI_SUCCESS
               : error_raise_file(r, f, MPI_ERR_ARG, "the pointer would be at %lld",
                                  (long long)*place);
}

static int check_own_pointer(struct rank *r, struct file *f)
{
    return f->at->mode & MPI_MODE_SEQUENTIAL
               ? error_raise_file(r, f, MPI_ERR_UNSUPPORTED_OPERATION,
                                  "the file was opened with MPI_MODE_SEQUENTIAL")
               : MPI_SUCCESS;
}

int mpi_File_seek(struct rank *r, struct file *f, MPI_Offset offset, int whence)
{
    int64_t place = 0;
    TRY_MPI(check_own_pointer(r, f));
    TRY_MPI(find_place(r, f, offset, whence, f->position, &place));
    f->position = place;
    return MPI_SUCCESS;
}

static int64_t shared_pointer(struct rank *r, struct file *f)
{
    struct access a = {.kind = ACCESS_MOVE, .file = f->at};
    access_perform(r, &a);
    return a.offset;
}

/* Every member finds the same place. */
int mpi_File_seek_shared(struct rank *r, struct file *f, MPI_Offset offset, int whence)
{
    int64_t place = 0, current = 0;
    TRY_MPI(check_own_pointer(r, f));
    TRY_MPI(file_agree(r, f, (int64_t[]){offset, whence}, 2));
    if (whence == MPI_SEEK_CUR && f->comm->rank == 0)
        current = shared_pointer(r, f);
    file_tell(r, f->comm, &current, sizeof(current));
    TRY_MPI(find_place(r, f, offset, whence, current, &place));
    if (f->comm->rank == 0)
        access_perform(r, &(struct access){.kind = ACCESS_SEEK, .file = f->at, .offset = place});
    file_tell(r, f->comm, &place, sizeof(place));
    return MPI_SUCCESS;
}

int mpi_File_get_position(struct rank *r, struct file *f, MPI_Offset *offset)
{
    TRY_MPI(check_own_pointer(r, f));
    *offset = f->position;
    return MPI_SUCCESS;
}

MPI_ANSWER(File_get_position_shared, MPI_Offset, shared_pointer(r, f), struct rank *r,
           struct file *f)

int mpi_File_get_byte_offset(struct rank *r, struct file *f, MPI_Offset offset, MPI_Offset *disp)
{
    if (offset < 0 || offset > OFFSET_MOST / f->view.etype->size)
        return error_raise_file(r, f, MPI_ERR_ARG, "the offset is %lld", (long long)offset);
    *disp = file_view_byte(&f->view, offset);
    return MPI_SUCCESS;
}
