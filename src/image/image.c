/* Laying out a program with its libraries, and finding what its words must be. */
#define _GNU_SOURCE
#include "image/image.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/list.h"
#include "base/memory.h"
#include "base/text/text.h"
#include "image/thread.h"

enum { OBJECTS_MOST = 64, NAMES_SHOWN = 4096 };

/* ---- files ---- */

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static weft_status add_object(struct image *image, const char *path)
{
    struct image_object *o = &image->object[image->objects];
    if (image->objects == OBJECTS_MOST)
        return BAD_PLACE(("%s", path), ("is one of more than %d libraries", OBJECTS_MOST),
                         ("link some of them statically"));
    *o = (struct image_object){.base = 0};
    TRY(elf_open(path, &o->elf));
    image->objects++;
    return WEFT_OK;
}

static weft_status add_needed(struct image *image, const struct elf *by)
{
    const char *name;
    for (size_t i = 0; (name = elf_needed(by, i)); i++) {
        char path[SEARCH_PATH_MOST];
        bool known = search_is_ours(name);
        for (size_t k = 0; k < image->objects && !known; k++)
            known = strcmp(base_name(image->object[k].elf.path), base_name(name)) == 0;
        if (known)
            continue;
        const char *refused = search_refuses(name);
        if (refused)
            return BAD_PLACE(("%s", by->path), ("needs %s, which %s", name, refused),
                             ("build it with weft mpicc, without that"));
        if (!search_is_shared(name)) {
            TRY(search_library(by, name, path));
            TRY(add_object(image, path));
        } else if (!dlopen(name, RTLD_NOW | RTLD_GLOBAL)) { /* into this process, for all ranks */
            return BAD_PLACE(("%s", by->path), ("%s", dlerror()), ("install it"));
        }
    }
    return WEFT_OK;
}

static weft_status open_files(struct image *image, const char *path)
{
    TRY(add_object(image, path));
    if (!image->object[0].elf.is_program)
        return BAD_PLACE(("%s", path), ("is a library"), ("name a program"));
    for (size_t i = 0; i < image->objects; i++)
        TRY(add_needed(image, &image->object[i].elf));
    return WEFT_OK;
}

/* ---- layout ---- */

/* Code that knows how far variables are from the thread's pointer has them at a fixed place. */
static weft_status fix_threads(void *arg, const struct elf *e, const struct elf_relocation *r)
{
    struct image *image = arg;
    const Elf64_Sym *symbol = elf_symbol(e, r->symbol);
    bool own = !r->symbol || ELF64_ST_BIND(symbol->st_info) == STB_LOCAL;
    image->threads |=
        r->symbol && text_has_word("pthread_create thrd_create", elf_text(e, symbol->st_name));
    for (size_t i = 0; i < image->objects && r->kind == ELF_THREAD_PLACE; i++) {
        struct image_object *o = &image->object[i];
        if (own ? &o->elf == e : elf_find(&o->elf, elf_text(e, symbol->st_name)) != NULL) {
            o->fixed = true;
            break;
        }
    }
    return WEFT_OK;
}

/* Only data at fixed places are a thread's own that a rank makes: all of them, if there is room. */
static void fix_all(struct image *image)
{
    struct thread_layout all = {.bytes = 0};
    for (size_t i = 0; i < image->objects; i++)
        if (image->object[i].elf.thread_bytes)
            thread_add(&all, image->object[i].elf.thread_bytes,
                       image->object[i].elf.thread_alignment);
    for (size_t i = 0; i < image->objects && thread_span(&all) <= thread_most(); i++)
        image->object[i].fixed = true;
}

static weft_status find_fixed(struct image *image)
{
    image->object[0].fixed = true;
    for (size_t i = 0; i < image->objects; i++)
        TRY(elf_relocate(&image->object[i].elf, fix_threads, image));
    if (image->threads)
        fix_all(image);
    return WEFT_OK;
}

/* Thread-local data: first those at fixed places, as beside the thread's pointer; then others. */
static weft_status lay_out_threads(struct image *image)
{
    struct thread_layout fixed = {.bytes = 0};
    uint64_t at;
    TRY(find_fixed(image));
    for (size_t i = 0; i < image->objects; i++) {
        struct image_object *o = &image->object[i];
        if (o->fixed && o->elf.thread_bytes)
            o->place = thread_add(&fixed, o->elf.thread_bytes, o->elf.thread_alignment);
    }
    image->fixed_bytes = thread_span(&fixed);
    if (image->fixed_bytes > thread_most())
        return BAD_PLACE(
            ("%s", image->object[0].elf.path),
            ("has %llu bytes of thread-local data", (unsigned long long)image->fixed_bytes),
            ("use no more than %llu", (unsigned long long)thread_most()));
    at = image->fixed_bytes;
    for (size_t i = 0; i < image->objects; i++) {
        struct image_object *o = &image->object[i];
        if (!o->elf.thread_bytes)
            continue;
        o->thread_at =
            o->fixed ? thread_offset(&fixed, o->place) : round_up(at, o->elf.thread_alignment);
        if (!o->fixed)
            at = o->thread_at + o->elf.thread_bytes;
    }
    image->bytes = at;
    return WEFT_OK;
}

static size_t count_words(char *const *list)
{
    size_t count = 0;
    while (list && list[count])
        count++;
    return count;
}

/* Words that a program is started with, as the system would put them onto its stack: a list of
 * addresses that ends with NULL, and the texts. */
static uint64_t lay_out_words(struct image *image, char *const *list)
{
    size_t count = count_words(list);
    uint64_t at = round_up(image->bytes, 16);
    image->bytes = at + (count + 1) * sizeof(*list);
    for (size_t i = 0; i < count; i++)
        image->bytes += strlen(list[i]) + 1;
    return at;
}

static void write_words(struct image *image, char *const *list, uint64_t at)
{
    size_t count = count_words(list);
    uint64_t text = at + (count + 1) * sizeof(*list);
    for (size_t i = 0; i < count; i++) {
        size_t bytes = strlen(list[i]) + 1;
        memcpy(image->template + text, list[i], bytes);
        patch_add(&image->patch, at + i * sizeof(*list), text);
        text += bytes;
    }
}

static void add_segments(struct image *image, const struct image_object *o)
{
    for (unsigned i = 0; i < o->elf.segments; i++) {
        const Elf64_Phdr *s = &o->elf.segment[i];
        int protection = (s->p_flags & PF_R ? PROT_READ : 0) |
                         (s->p_flags & PF_W ? PROT_WRITE : 0) | (s->p_flags & PF_X ? PROT_EXEC : 0);
        if (s->p_type == PT_LOAD && s->p_memsz)
            *LIST_ADD(image->segment, image->segments, image->segment_room) =
                (struct image_segment){o,           o->base + s->p_vaddr,      s->p_memsz,
                                       s->p_filesz, o->elf.file + s->p_offset, protection};
    }
}

static void lay_out_objects(struct image *image)
{
    for (size_t i = 0; i < image->objects; i++) {
        struct image_object *o = &image->object[i];
        uint64_t first = o->elf.low / image->page * image->page;
        o->base = round_up(image->bytes, image->page) - first;
        image->bytes = o->base + o->elf.high;
        add_segments(image, o);
    }
    image->bytes = round_up(image->bytes, image->page);
}

/* Each segment has pages of its own, or those that share one are protected alike. */
static weft_status check_pages(const struct image *image)
{
    for (size_t i = 1; i < image->segments; i++) {
        const struct image_segment *s = &image->segment[i], *before = s - 1;
        if (before->protection != s->protection &&
            s->at / image->page == (before->at + before->bytes - 1) / image->page)
            return BAD_PLACE(("%s", s->object->elf.path),
                             ("has segments that share a page of %zu bytes", image->page),
                             ("link it with -Wl,-z,max-page-size=%zu", image->page));
    }
    return WEFT_OK;
}

static weft_status make_template(struct image *image)
{
    image->file = memfd_create("weft-image", MFD_CLOEXEC);
    bool made = image->file >= 0 && ftruncate(image->file, (off_t)image->bytes) == 0;
    if (!made && errno == EFBIG) /* a file in memory is one, too */
        return RUN_FAILED(("the limit on the size of files is below the program's %llu KiB",
                           (unsigned long long)image->bytes / 1024),
                          ("raise it (ulimit -f)"));
    if (!made)
        return RUN_FAILED(("no memory for the program: %s", strerror(errno)), NO_REMEDY);
    void *at = mmap(NULL, image->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, image->file, 0);
    if (at == MAP_FAILED)
        return RUN_FAILED(("no memory for the program: %s", strerror(errno)), NO_REMEDY);
    image->template = at;
    for (size_t i = 0; i < image->segments; i++)
        memcpy(image->template + image->segment[i].at, image->segment[i].from,
               image->segment[i].file_bytes);
    return WEFT_OK;
}

static weft_status lay_out(struct image *image, const struct image_host *host)
{
    image->page = (size_t)sysconf(_SC_PAGESIZE);
    TRY(lay_out_threads(image));
    for (size_t i = 0; i < host->variables; i++) {
        struct image_variable *v = &host->variable[i];
        v->at = round_up(image->bytes, 16);
        v->used = false;
        image->bytes = v->at + v->bytes;
    }
    image->argv_at = lay_out_words(image, host->argv);
    image->environment_at = lay_out_words(image, host->environment);
    lay_out_objects(image);
    TRY(check_pages(image));
    TRY(make_template(image));
    for (size_t i = 0; i < host->variables; i++)
        memcpy(image->template + host->variable[i].at, host->variable[i].initial,
               host->variable[i].bytes);
    write_words(image, host->argv, image->argv_at);
    write_words(image, host->environment, image->environment_at);
    return WEFT_OK;
}

/* ---- symbols ---- */

enum where { NOWHERE, IN_IMAGE, IN_HOST, CHOSEN };

/* What a symbol stands for: an offset of the image, an address, or a function that knows it. */
struct meaning {
    enum where where;
    uint64_t value;
    const struct image_object *object; /* in the image: whose it is */
    const Elf64_Sym *symbol;
};

/* While a program is loaded. */
struct loading {
    struct image *image;
    const struct image_host *host;
    struct image_object *object; /* whose relocations are visited */
    bool copies;                 /* this pass copies variables, the one before does the rest */
    struct image_names missing;
};

static struct meaning defined(const struct image_object *o, const Elf64_Sym *symbol)
{
    bool chosen = ELF64_ST_TYPE(symbol->st_info) == STT_GNU_IFUNC;
    if (symbol->st_shndx == SHN_ABS)
        return (struct meaning){IN_HOST, symbol->st_value, NULL, symbol};
    return (struct meaning){chosen ? CHOSEN : IN_IMAGE, o->base + symbol->st_value, o, symbol};
}

static struct meaning find_in_image(const struct image *image, size_t first, const char *name)
{
    for (size_t i = first; i < image->objects; i++) {
        const Elf64_Sym *symbol = elf_find(&image->object[i].elf, name);
        if (symbol)
            return defined(&image->object[i], symbol);
    }
    return (struct meaning){NOWHERE, 0, NULL, NULL};
}

static bool has_name(const struct image_names *names, const char *name)
{
    for (size_t i = 0; i < names->count; i++)
        if (strcmp(names->name[i], name) == 0)
            return true;
    return false;
}

static void add_name(struct image_names *names, const char *name)
{
    if (!has_name(names, name))
        *LIST_ADD(names->name, names->count, names->room) = name;
}

static struct meaning find_in_host(struct loading *l, const char *name, const char *version)
{
    for (size_t i = 0; i < l->host->variables; i++)
        if (strcmp(l->host->variable[i].name, name) == 0) {
            l->host->variable[i].used = true;
            return (struct meaning){IN_IMAGE, l->host->variable[i].at, NULL, NULL};
        }
    void *address = l->host->find(name, version);
    if (!address)
        return (struct meaning){NOWHERE, 0, NULL, NULL};
    if (!search_is_compilers(l->object->elf.path))
        add_name(&l->image->used, name);
    return (struct meaning){IN_HOST, (uint64_t)(uintptr_t)address, NULL, NULL};
}

/* `first`: 1 if not even the program's own definition counts. */
static struct meaning find(struct loading *l, const struct elf *e, uint32_t index, size_t first)
{
    const Elf64_Sym *symbol = elf_symbol(e, index);
    const char *name = elf_text(e, symbol->st_name);
    if (!index)
        return (struct meaning){IN_HOST, 0, NULL, NULL};
    if (symbol->st_shndx != SHN_UNDEF && ELF64_ST_BIND(symbol->st_info) == STB_LOCAL)
        return defined(l->object, symbol);
    struct meaning m = find_in_image(l->image, first, name);
    if (m.where == NOWHERE && !first && symbol->st_shndx != SHN_UNDEF)
        return defined(l->object, symbol); /* an old version, which only the object itself sees */
    if (m.where == NOWHERE)
        m = find_in_host(l, name, elf_symbol_version(e, index));
    if (m.where == NOWHERE && ELF64_ST_BIND(symbol->st_info) != STB_WEAK)
        add_name(&l->missing, name);
    return m;
}

/* ---- relocations ---- */

static void set_word(struct image *image, uint64_t at, uint64_t value)
{
    memcpy(image->template + at, &value, sizeof(value));
}

void patch_add(struct patches *p, uint64_t at, uint64_t value)
{
    *LIST_ADD(p->item, p->count, p->room) = (struct patch){at, value};
}

static void set_meaning(struct image *image, uint64_t at, const struct meaning *m, int64_t addend)
{
    uint64_t value = m->value + (uint64_t)addend;
    if (m->where == IN_IMAGE)
        patch_add(&image->patch, at, value);
    else if (m->where == CHOSEN)
        patch_add(&image->choice, at, value);
    else
        set_word(image, at, m->where == NOWHERE ? 0 : value);
}

/* Whether so many bytes of a variable of this process can be read: it is known to have them. */
static bool host_has(const void *variable, uint64_t bytes)
{
    Dl_info info;
    const Elf64_Sym *symbol = NULL;
    return dladdr1(variable, &info, (void **)&symbol, RTLD_DL_SYMENT) && symbol &&
           info.dli_saddr == variable && bytes <= symbol->st_size;
}

/* A variable's first contents, and the patches among them. */
static weft_status copy_variable(struct loading *l, const struct elf *e,
                                 const struct elf_relocation *r)
{
    struct image *image = l->image;
    const Elf64_Sym *symbol = elf_symbol(e, r->symbol);
    uint64_t to = l->object->base + r->at, bytes = symbol->st_size;
    struct meaning m = find(l, e, r->symbol, 1);
    const void *from = (const void *)(uintptr_t)m.value;
    if (m.where == NOWHERE)
        return WEFT_OK;
    if (m.where == IN_IMAGE && m.value <= image->bytes && bytes <= image->bytes - m.value)
        from = image->template + m.value;
    else if (m.where != IN_HOST || !host_has(from, bytes))
        return BAD_PLACE(
            ("%s", e->path),
            ("copies the variable %.60s, which has not its size", elf_text(e, symbol->st_name)),
            ("build it again, with the libraries of this computer"));
    *LIST_ADD(image->copy, image->copied, image->copy_room) = (struct image_range){to, bytes};
    memmove(image->template + to, from, bytes);
    for (size_t i = 0, before = image->patch.count; i < before && m.where == IN_IMAGE; i++) {
        struct patch p = image->patch.item[i];
        if (p.at >= m.value && bytes >= 8 && p.at - m.value <= bytes - 8)
            patch_add(&image->patch, p.at - m.value + to, p.value);
    }
    return WEFT_OK;
}

static weft_status no_thread_data(const struct elf *e, const char *name)
{
    return BAD_PLACE(("%s", e->path),
                     ("uses the thread-local variable '%s' of another library", name),
                     ("build it with -fPIC"));
}

/* Where an owner's data are: their place, or, if that is not fixed, their address. */
static void set_thread_word(struct image *image, uint64_t at, const struct image_object *owner,
                            uint64_t offset)
{
    if (owner->fixed)
        set_word(image, at, (uint64_t)owner->place + offset);
    else
        patch_add(&image->patch, at, owner->thread_at + offset);
}

/* Thread-local variables: at a fixed place from the thread's pointer, or anywhere. */
static weft_status set_thread_data(struct loading *l, const struct elf *e,
                                   const struct elf_relocation *r)
{
    struct image *image = l->image;
    uint64_t at = l->object->base + r->at, offset = (uint64_t)r->addend;
    const struct image_object *owner = l->object;
    if (r->symbol) {
        struct meaning m = find(l, e, r->symbol, 0);
        const char *name = elf_text(e, elf_symbol(e, r->symbol)->st_name);
        if (!m.symbol || !m.object || ELF64_ST_TYPE(m.symbol->st_info) != STT_TLS)
            return no_thread_data(e, name);
        owner = m.object;
        offset += m.symbol->st_value;
    }
    if (!owner->fixed && r->kind == ELF_THREAD_PLACE)
        return no_thread_data(e, base_name(owner->elf.path));
    if (r->kind == ELF_THREAD_OFFSET)
        set_word(image, at, offset);
    else if (r->kind == ELF_THREAD_PLACE)
        set_word(image, at, (uint64_t)owner->place + offset);
    else if (r->kind == ELF_THREAD_MODULE)
        set_thread_word(image, at, owner, 0);
    else {
        set_word(image, at, thread_resolver(owner->fixed));
        set_thread_word(image, at + 8, owner, offset);
    }
    return WEFT_OK;
}

static weft_status relocate(void *arg, const struct elf *e, const struct elf_relocation *r)
{
    struct loading *l = arg;
    uint64_t at = l->object->base + r->at;
    if (r->kind == ELF_COPY)
        return l->copies ? copy_variable(l, e, r) : WEFT_OK;
    if (l->copies || r->kind == ELF_NOTHING)
        return WEFT_OK;
    if (r->kind == ELF_BASE) {
        patch_add(&l->image->patch, at, l->object->base + (uint64_t)r->addend);
    } else if (r->kind == ELF_IFUNC) {
        patch_add(&l->image->choice, at, l->object->base + (uint64_t)r->addend);
    } else if (r->kind == ELF_WORD) {
        struct meaning m = find(l, e, r->symbol, 0);
        set_meaning(l->image, at, &m, r->addend);
    } else {
        return set_thread_data(l, e, r);
    }
    return WEFT_OK;
}

static weft_status say_missing(const char *path, const struct image_names *missing)
{
    char names[NAMES_SHOWN] = "";
    size_t at = 0, shown = 0;
    for (; shown < missing->count && at + strlen(missing->name[shown]) + 32 < sizeof(names);
         shown++)
        at += (size_t)snprintf(names + at, sizeof(names) - at, "%s%s", shown ? ", " : "",
                               missing->name[shown]);
    if (missing->count > shown)
        snprintf(names + at, sizeof(names) - at, " and %zu others", missing->count - shown);
    return BAD_PLACE(
        ("%s", path),
        ("needs %s, which %s here", names, missing->count > 1 ? "do not exist" : "does not exist"),
        ("leave it out, or link what defines it"));
}

static weft_status relocate_all(struct image *image, const struct image_host *host)
{
    struct loading l = {.image = image, .host = host};
    weft_status status = WEFT_OK;
    for (int pass = 0; pass < 2; pass++) {
        l.copies = pass;
        for (size_t i = 0; i < image->objects && status == WEFT_OK; i++) {
            l.object = &image->object[i];
            status = elf_relocate(&l.object->elf, relocate, &l);
        }
    }
    /* Only the host knows how to begin a program (image.h). */
    if (status == WEFT_OK && !image_uses(image, "__libc_start_main"))
        status = BAD_PLACE(("%s", image->object[0].elf.path),
                           ("does not begin as programs of the GNU C library do"),
                           ("name a program that weft mpicc has built"));
    if (status == WEFT_OK && l.missing.count)
        status = say_missing(image->object[0].elf.path, &l.missing);
    free(l.missing.name);
    return status;
}

/* ---- images ---- */

weft_status image_create(const char *path, const struct image_host *host, struct image *image)
{
    *image = (struct image){.file = -1};
    image->object = memory_alloc(OBJECTS_MOST, sizeof(*image->object));
    weft_status status = open_files(image, path);
    if (status == WEFT_OK)
        status = lay_out(image, host);
    if (status == WEFT_OK)
        status = relocate_all(image, host);
    for (size_t i = 0; i < host->variables && status == WEFT_OK; i++)
        image_find(image, host->variable[i].name, &host->variable[i].at); /* the program's copy */
    if (status != WEFT_OK)
        image_destroy(image);
    return status;
}

void image_destroy(struct image *image)
{
    if (image->template)
        munmap(image->template, image->bytes);
    if (image->file >= 0)
        close(image->file);
    for (size_t i = 0; i < image->objects; i++)
        elf_close(&image->object[i].elf);
    free(image->object);
    free(image->segment);
    free(image->patch.item);
    free(image->choice.item);
    free(image->copy);
    free(image->used.name);
    *image = (struct image){.file = -1};
}

bool image_uses(const struct image *image, const char *name)
{
    return has_name(&image->used, name);
}

bool image_find(const struct image *image, const char *name, uint64_t *at)
{
    struct meaning m = find_in_image(image, 0, name);
    if (m.where != IN_IMAGE)
        return false;
    *at = m.value;
    return true;
}
