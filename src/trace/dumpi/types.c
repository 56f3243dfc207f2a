/* Sizes of datatypes. */
#include "trace/dumpi/dumpi.h"

#include <strings.h>

/* What MPI predefines, in the order of DUMPI's numbers. */
/* clang-format off */
static const char *const type_names[] = {
    "DATATYPE_ERROR", "DATATYPE_NULL", "CHAR", "SIGNED_CHAR", "UNSIGNED_CHAR", "BYTE", "WCHAR",
    "SHORT", "UNSIGNED_SHORT", "INT", "UNSIGNED", "LONG", "UNSIGNED_LONG", "FLOAT", "DOUBLE",
    "LONG_DOUBLE", "LONG_LONG_INT", "UNSIGNED_LONG_LONG", "LONG_LONG", "PACKED", "LB", "UB",
    "FLOAT_INT", "DOUBLE_INT", "LONG_INT", "SHORT_INT", "2INT", "LONG_DOUBLE_INT"};
static const char *const comm_names[] = {"COMM_ERROR", "COMM_NULL", "COMM_WORLD", "COMM_SELF"};
static const char *const op_names[] = {
    "op_error", "max", "min", "sum", "prod", "land", "band", "lor", "bor", "lxor", "bxor",
    "minloc", "maxloc", "replace"};
/* clang-format on */
#define COUNT(LIST) (sizeof(LIST) / sizeof((LIST)[0]))
enum { PREDEFINED = COUNT(type_names), NONE = 1, LONG_LONG = 18, LOWER = 20, UPPER = 21 };

static int64_t find_name(const char *const *list, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcasecmp(list[i], name) == 0)
            return (int64_t)i;
    return -1;
}

int64_t dumpi_handle_by_name(const char *name)
{
    int64_t type = find_name(type_names, COUNT(type_names), name);
    int64_t comm = find_name(comm_names, COUNT(comm_names), name);
    return type >= 0 ? type : comm >= 0 ? comm : find_name(op_names, COUNT(op_names), name);
}

const char *dumpi_op_name(int64_t number)
{
    return number > 0 && number < (int64_t)COUNT(op_names) ? op_names[number] : NULL;
}

void dumpi_types_fini(struct dumpi_types *t)
{
    map_fini(&t->own);
    map_fini(&t->asked);
}

weft_status dumpi_types_find(const struct dumpi_types *t, const struct dumpi_call *c,
                             const struct dumpi_value *value, int64_t handle,
                             struct dumpi_element *element)
{
    const uint32_t *own = map_find(&t->own, (uint64_t)handle);
    own = own ? own : map_find(&t->asked, (uint64_t)handle);
    const struct type *basic = NULL; /* it has no data, or is unknown */
    /* MPI_LONG_LONG has another name in the standard ABI. */
    if (handle >= 0 && handle < PREDEFINED)
        basic = datatype_named(handle == LONG_LONG ? "long_long_int" : type_names[handle]);
    bool told = handle >= 0 && handle < t->sizes && t->size[handle] > 0;
    uint64_t size = basic ? (uint64_t)basic->size : 0;
    element->bytes = own ? *own : told ? (uint64_t)t->size[handle] : size;
    element->number = basic && element->bytes == size ? (uint16_t)basic->handle : 0;
    if (own || told || basic || handle == NONE || handle == LOWER || handle == UPPER)
        return WEFT_OK;
    return dumpi_call_blame(c, value, "has a datatype of unknown size",
                            c->binary ? "trace the program with a newer libdumpi"
                                      : "use the .bin file, which has the sizes of all types");
}

weft_status dumpi_types_take(const struct dumpi_types *t, const struct dumpi_call *c,
                             enum dumpi_argument argument, struct dumpi_element *element)
{
    const struct dumpi_value *v = dumpi_call_find(c, argument);
    *element = (struct dumpi_element){.bytes = 0};
    if (!v)
        return dumpi_call_refuse(c, NULL, "has no datatype");
    return dumpi_types_find(t, c, v, v->value, element);
}

weft_status dumpi_types_refuse(const struct dumpi_call *c)
{
    return dumpi_call_refuse(c, NULL, "has more than 2147483647 bytes");
}

weft_status dumpi_types_size(const struct dumpi_types *t, const struct dumpi_call *c,
                             enum dumpi_argument count, enum dumpi_argument type, uint64_t *bytes)
{
    int64_t n = 0;
    struct dumpi_element each;
    TRY(dumpi_call_take(c, count, 0, INT32_MAX, &n));
    TRY(dumpi_types_take(t, c, type, &each));
    *bytes = (uint64_t)n * each.bytes;
    return *bytes > INT32_MAX ? dumpi_types_refuse(c) : WEFT_OK;
}

/* ---- types that the program makes ---- */

static bool multiply(uint64_t *product, int64_t by)
{
    return by >= 0 && !__builtin_mul_overflow(*product, (uint64_t)by, product) &&
           *product <= INT32_MAX;
}

/* How many elements of the old type a new one has, or of which sizes; false: it cannot be told. */
static bool count_blocks(const struct dumpi_call *c, uint64_t *elements)
{
    const struct dumpi_value *lengths = dumpi_call_find(c, DUMPI_LENGTHS);
    const struct dumpi_value *subsizes = dumpi_call_find(c, DUMPI_SUBSIZES);
    *elements = 1;
    for (size_t i = 0; subsizes && i < subsizes->count; i++)
        if (!multiply(elements, c->number[subsizes->first + i]))
            return false;
    if (!lengths)
        return multiply(elements, dumpi_call_number(c, DUMPI_COUNT, 1)) &&
               multiply(elements, dumpi_call_number(c, DUMPI_BLOCKLENGTH, 1));
    *elements = 0;
    for (size_t i = 0; i < lengths->count; i++)
        *elements += (uint64_t)(c->number[lengths->first + i] & INT32_MAX);
    return *elements <= INT32_MAX;
}

static bool add_types(const struct dumpi_types *t, const struct dumpi_call *c,
                      const struct dumpi_value *types, uint64_t *bytes)
{
    const struct dumpi_value *lengths = dumpi_call_find(c, DUMPI_LENGTHS);
    *bytes = 0;
    for (size_t i = 0; i < types->count; i++) {
        struct dumpi_element each;
        if (!lengths || i >= lengths->count ||
            dumpi_types_find(t, c, types, c->number[types->first + i], &each) != WEFT_OK ||
            !multiply(&each.bytes, c->number[lengths->first + i]))
            return false;
        *bytes += each.bytes;
    }
    return *bytes <= INT32_MAX;
}

static bool size_of_new(const struct dumpi_types *t, const struct dumpi_call *c, uint64_t *bytes)
{
    const struct dumpi_value *old = dumpi_call_find(c, DUMPI_OLDTYPE);
    const struct dumpi_value *several = dumpi_call_find(c, DUMPI_OLDTYPES);
    struct dumpi_element each;
    if (several)
        return add_types(t, c, several, bytes);
    return c->function != DUMPI_Type_create_darray && old && count_blocks(c, bytes) &&
           dumpi_types_find(t, c, old, old->value, &each) == WEFT_OK &&
           multiply(bytes, (int64_t)each.bytes);
}

static void forget(struct dumpi_types *t, int64_t handle)
{
    uint32_t *own = map_find(&t->own, (uint64_t)handle),
             *asked = map_find(&t->asked, (uint64_t)handle);
    if (own)
        map_drop(&t->own, own);
    if (asked)
        map_drop(&t->asked, asked);
}

/* What cannot be told is told to who uses it. */
void dumpi_types_do(struct dumpi_types *t, const struct dumpi_call *c)
{
    const struct dumpi_value *made = dumpi_call_find(c, DUMPI_NEWTYPE);
    const struct dumpi_value *type = dumpi_call_find(c, DUMPI_DATATYPE);
    int64_t size = dumpi_call_number(c, DUMPI_SIZE, -1);
    uint64_t bytes;
    if (made) {
        bool known = size_of_new(t, c, &bytes);
        forget(t, made->value);
        if (known)
            *map_add(&t->own, (uint64_t)made->value, 0) = (uint32_t)bytes;
    } else if (c->function == DUMPI_Type_size && type && size >= 0 && size <= INT32_MAX) {
        *map_add(&t->asked, (uint64_t)type->value, 0) = (uint32_t)size;
    } else if (c->function == DUMPI_Type_free && type) {
        forget(t, type->value);
    }
}
