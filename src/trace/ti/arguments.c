/* Arguments of actions, and Weft's own options behind them. */
#include "trace/ti/ti.h"

#include <string.h>

#include "base/text/number.h"
#include "base/text/text.h"
#include "mpi/call.h"

/* ---- arguments ---- */

static weft_status missing(const struct ti *t, const char *what)
{
    return LINE_REFUSE(&t->w, t->options, ("'%.20s' has no %s here", t->w.field[1], what),
                       ("%s", TI_FORM));
}

/* A number among the arguments of the action, counted from 0. */
weft_status ti_real(const struct ti *t, uint32_t index, const char *what, double *value)
{
    uint32_t at = 2 + index;
    if (index >= t->numbers)
        return missing(t, what);
    if (!number_real(t->w.field[at], value) || *value < 0)
        return LINE_REFUSE(&t->w, at, ("'%.40s' is no %s", t->w.field[at], what),
                           ("use a number from 0 on"));
    return WEFT_OK;
}

weft_status ti_whole(const struct ti *t, uint32_t index, const char *what, int64_t least,
                     int64_t most, int64_t *value)
{
    uint32_t at = 2 + index;
    if (index >= t->numbers)
        return missing(t, what);
    double size;
    int64_t exact;
    if (number_integer(t->w.field[at], &exact) && exact >= least && exact <= most) {
        *value = exact;
        return WEFT_OK;
    }
    /* SimGrid writes and reads sizes as real numbers, of which it takes the whole part. */
    if (number_real(t->w.field[at], &size) && size >= (double)least && size <= (double)most &&
        size < 9e15) {
        *value = (int64_t)size;
        return WEFT_OK;
    }
    return LINE_REFUSE(&t->w, at, ("'%.40s' is no %s", t->w.field[at], what),
                       ("use a whole number from %lld to %lld", (long long)least, (long long)most));
}

weft_status ti_peer_at(struct ti *t, uint32_t index, bool receives, int32_t *peer)
{
    int64_t value = 0;
    enum { SIMGRID_ANY = -555, SIMGRID_NULL = -666 };
    TRY(ti_whole(t, index, "rank", SIMGRID_NULL, INT32_MAX, &value));
    if (receives && (value == -1 || value == SIMGRID_ANY)) {
        *peer = PEER_ANY;
        return WEFT_OK;
    }
    *peer = (int32_t)value;
    if (value == SIMGRID_NULL || (value >= 0 && value < t->to->ranks))
        return WEFT_OK;
    return LINE_REFUSE(&t->w, 2 + index, ("there is no rank %lld", (long long)value),
                       ("the trace has lines of ranks 0 to %u", t->to->ranks - 1));
}

weft_status ti_tag_at(struct ti *t, uint32_t index, bool receives, uint32_t *tag)
{
    int64_t value = 0;
    enum { SIMGRID_ANY = -444 };
    TRY(ti_whole(t, index, "tag", SIMGRID_ANY, (int64_t)UINT32_MAX - 1, &value));
    bool any = receives && (value == -1 || value == SIMGRID_ANY);
    if (value < 0 && !any)
        return LINE_REFUSE(&t->w, 2 + index, ("%lld is no tag", (long long)value),
                           ("use numbers from 0 on"));
    *tag = any ? TAG_ANY : (uint32_t)value;
    return WEFT_OK;
}

weft_status ti_type_at(struct ti *t, uint32_t index, const struct type **type)
{
    int64_t value = 0;
    *type = t->usual;
    if (index >= t->numbers)
        return WEFT_OK;
    TRY(ti_whole(t, index, "datatype", 0, 127, &value));
    *type = datatype_of_simgrid((uint64_t)value);
    if (*type)
        return WEFT_OK;
    return LINE_REFUSE(&t->w, 2 + index, ("there is no datatype %lld", (long long)value),
                       ("use SimGrid's numbers: 0 double, 1 int, 6 byte ..."));
}

/* Elements of a type, as bytes. */
weft_status ti_size_at(struct ti *t, uint32_t index, const struct type *type, uint64_t *bytes)
{
    int64_t count = 0;
    TRY(ti_whole(t, index, "size", 0, INT32_MAX, &count));
    *bytes = (uint64_t)(count * type->size);
    return WEFT_OK;
}

/* ---- Weft's own options ---- */

/* What a call by another name is. */
static void read_call(struct ti *t, const char *name)
{
    enum call call = call_named(name);
    struct message_call message;
    if (message_call_find(call, &message) && message.mode) {
        t->e.mode = (uint8_t)message.mode;
        return;
    }
    enum chapter chapter = call < CALLS ? call_chapter(call) : CHAPTER_ENVIRONMENT;
    t->to->nonblocking |= text_behind(name, "ineighbor") || call == CALL_Comm_idup;
    t->e.by = chapter == CHAPTER_MESSAGES || chapter == CHAPTER_REQUESTS ? BY_ITSELF
              : chapter == CHAPTER_COLLECTIVE                            ? BY_COLLECTIVE
                                                                         : BY_OTHER;
}

static weft_status read_op(struct ti *t, uint32_t *at)
{
    struct line_reader *w = &t->w;
    const struct type *type = *at + 2 < w->count ? datatype_named(w->field[*at + 2]) : NULL;
    int64_t element = 0;
    if (!type || !(t->e.op = (uint8_t)reduction_named(w->field[*at + 1])))
        return LINE_REFUSE(w, *at, ("this is no operation and datatype"),
                           ("write op OPERATION DATATYPE, as op sum double"));
    t->e.type = (uint16_t)type->handle;
    *at += 3;
    if (*at >= w->count || !number_integer(w->field[*at], &element))
        return WEFT_OK;
    if (element < 1 || element > UINT16_MAX)
        return LINE_REFUSE(w, *at, ("an element of %lld bytes", (long long)element),
                           ("use 1 to %d", UINT16_MAX));
    t->e.element = (uint16_t)element;
    ++*at;
    return WEFT_OK;
}

static weft_status read_comm(struct ti *t, uint32_t at)
{
    int64_t number;
    const char *word = at < t->w.count ? t->w.field[at] : "";
    if (strcmp(word, "self") == 0) {
        t->e.comm = COMM_SELF;
        return WEFT_OK;
    }
    const uint32_t *known =
        number_integer(word, &number) && number >= 0 ? map_find(&t->comms, (uint64_t)number) : NULL;
    if (!known)
        return LINE_REFUSE(&t->w, at, ("this communicator was not made before"),
                           ("write comm_split NUMBER MEMBERS first"));
    t->e.comm = *known;
    return WEFT_OK;
}

/* 0: it is none. */
static uint8_t flag_of(const char *option)
{
    return strcmp(option, "more") == 0       ? RECORD_MORE
           : strcmp(option, "calls") == 0    ? RECORD_CALLS
           : strcmp(option, "in_place") == 0 ? RECORD_IN_PLACE
           : strcmp(option, "strided") == 0  ? RECORD_STRIDED
                                             : 0;
}

weft_status ti_read_options(struct ti *t)
{
    struct line_reader *w = &t->w;
    for (uint32_t at = t->options; at < w->count;) {
        const char *option = w->field[at];
        uint8_t flag = flag_of(option);
        if (flag) {
            t->e.flags |= flag;
            at++;
        } else if (strcmp(option, "op") == 0) {
            TRY(read_op(t, &at));
        } else if (strcmp(option, "by") == 0 && at + 1 < w->count) {
            read_call(t, w->field[at + 1]);
            at += 2;
        } else if (strcmp(option, "comm") == 0) {
            TRY(read_comm(t, at + 1));
            at += 2;
        } else {
            return LINE_REFUSE(w, at, ("'%.40s' is no number", option), ("%s", TI_FORM));
        }
    }
    return WEFT_OK;
}
