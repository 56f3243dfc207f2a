/* What runs do: sentences, and what makes two works the same. */
#include "workload/work.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/text.h"

/* ---- numbers ---- */

static const struct config_entry *entry_of(const struct config *c, const char *key)
{
    size_t i = config_find(c, key);
    return i < c->entries ? &c->entry[i] : NULL;
}

static void value_of(const struct config *c, const char *key, char text[CONFIG_TEXT])
{
    const struct config_entry *e = entry_of(c, key);
    text[0] = '\0';
    if (e)
        config_text(c, (size_t)(e - c->entry), text);
}

static uint64_t number_of(const struct config *c, const char *key)
{
    char text[CONFIG_TEXT];
    value_of(c, key, text);
    return strtoull(text, NULL, 10);
}

static const char *own_keys(const struct pattern *p, enum layer as)
{
    const char *keys = as == LAYER_MESSAGES ? p->message_keys : p->packet_keys;
    return keys ? keys : "";
}

static bool has_key(const struct work *w, const struct pattern *p, const char *key)
{
    return text_has_word(own_keys(p, w->as), key);
}

/* Counts and sizes, by the keys that the pattern uses. */
static void take_numbers(const struct config *c, const struct pattern *p, struct work *w)
{
    bool pairs = has_key(w, p, "packets_per_pair");
    uint64_t pair_bytes = pairs ? number_of(c, "workload.bytes_per_pair") : 0;
    if (pairs && !pair_bytes)
        w->count = number_of(c, "workload.packets_per_pair");
    if (has_key(w, p, "messages"))
        w->count = config_workload(c)->messages;
    if (pair_bytes)
        snprintf(w->bytes, sizeof(w->bytes), "%llu", (unsigned long long)pair_bytes);
    else if (has_key(w, p, "packet_bytes"))
        value_of(c, "workload.packet_bytes", w->bytes);
    else if (has_key(w, p, "message_bytes"))
        value_of(c, "workload.message_bytes", w->bytes);
}

static uint32_t count_participants(const struct config *c, enum layer as,
                                   const struct workplace *place)
{
    const struct workload_params *p = config_workload(c);
    if (p->pattern->count || p->pattern->kind == PATTERN_PARTS)
        return 0;
    if (as != LAYER_MESSAGES)
        return place->nodes;
    uint32_t per_node = workload_per_node(p, place->processors, place->tasks);
    return p->processes ? p->processes : place->nodes * per_node;
}

/* ---- what makes it the same ---- */

/* Keys that say how the work is done and measured, not what it is; and those that take_numbers()
 * has. */
static const char not_work[] =
    "processes_per_node processes mapping algorithm packets_per_visit order warmup_cycles cycles "
    "most_cycles precision drain_cycles collectives stack_bytes piece_bytes deposit trace matrix "
    "packet_bytes packets_per_pair message_bytes messages";

static bool is_of_table(const struct key *key, const struct key_table *t)
{
    for (size_t i = 0; t && i < t->keys; i++)
        if (&t->key[i] == key)
            return true;
    return false;
}

/* Machines that lack a key do as its default says. */
static bool is_as_on_all(const struct pattern *p, const struct key *key, const char *value)
{
    return (is_of_table(key, p->coordinate_keys) || is_of_table(key, p->class_keys)) &&
           key->default_value && strcmp(value, key->default_value) == 0;
}

/* Whether the number of nodes or processes is a part of the work. */
static bool counts_participants(const struct pattern *p, enum layer as)
{
    bool open = p->kind == PATTERN_OPEN && as == LAYER_PACKETS;
    return !open && strcmp(p->name, "pingpong") != 0;
}

/* Whether a load, which is relative to the machine, is offered in the machine's full packets. */
static bool is_relative(const struct workload_params *p, const struct workplace *place,
                        enum layer as)
{
    return p->pattern->kind == PATTERN_OPEN && as == LAYER_PACKETS && !workload_rates_absolute(p) &&
           p->packet_bytes.count == 1 && p->packet_bytes.value[0] == place->full;
}

static void define(const struct config *c, const struct workplace *place, struct work *w)
{
    const struct pattern *p = config_workload(c)->pattern;
    char value[CONFIG_TEXT];
    size_t size = sizeof(w->definition);
    size_t at = text_append(w->definition, size, 0, "%s as=%s", p->name,
                            w->as == LAYER_MESSAGES ? "messages" : "packets");
    if (w->participants && counts_participants(p, w->as))
        at = text_append(w->definition, size, at, " of=%u", w->participants);
    if (has_key(w, p, "messages") || has_key(w, p, "packets_per_pair"))
        at = text_append(w->definition, size, at, " count=%llu", (unsigned long long)w->count);
    if (w->bytes[0])
        at = text_append(w->definition, size, at, " bytes=%s",
                         is_relative(config_workload(c), place, w->as) ? "full" : w->bytes);
    for (size_t i = 0; i < c->entries && at < size; i++) {
        const struct key *key = c->entry[i].key;
        const char *name = text_behind(key->name, "workload.");
        if (!name || !has_key(w, p, name) || text_has_word(not_work, name) ||
            !workload_uses(c, w->as, key->name))
            continue;
        config_text(c, i, value);
        if (!is_as_on_all(p, key, value))
            at = text_append(w->definition, size, at, " %s=%s", name, value);
    }
}

/* ---- sentences ---- */

/* "5 packets of 256 bytes", "messages of 240 bytes without end", "4096 bytes" */
static void say_units(const struct config *c, const struct workplace *place, const struct work *w,
                      char *text, size_t size)
{
    const struct workload_params *p = config_workload(c);
    char number[32], sizes[SIZES_TEXT];
    bool packets = has_key(w, p->pattern, "packet_bytes");
    bool pairs = has_key(w, p->pattern, "packets_per_pair");
    bool counted = pairs || has_key(w, p->pattern, "messages");
    const char *unit = packets ? "packet" : "message";
    size_t at = 0;
    if (pairs && !w->count && number_of(c, "workload.bytes_per_pair")) {
        snprintf(text, size, "%s bytes",
                 text_count(number_of(c, "workload.bytes_per_pair"), number));
        return;
    }
    if (counted && (w->count || pairs))
        at = text_append(text, size, at, "%s %s%s", text_count(w->count, number), unit,
                         w->count == 1 ? "" : "s");
    else
        at = text_append(text, size, at, counted || packets ? "%s%ss" : "%sa %s",
                         is_relative(p, place, w->as) ? "full " : "", unit);
    if (packets)
        at = text_append(text, size, at, " of %s bytes", workload_sizes_text(p, sizes));
    else if (w->bytes[0])
        at = text_append(text, size, at, " of %s bytes", text_count(p->message_bytes, number));
    if (packets && place->header)
        at = text_append(text, size, at, ", %u of them header", place->header);
    if (counted && !w->count && !pairs)
        text_append(text, size, at, " without end");
}

/* "512 nodes" */
static void say_participants(const struct work *w, char *text, size_t size)
{
    char number[32];
    bool processes = w->as == LAYER_MESSAGES;
    snprintf(text, size, "%s %s%s", text_count(w->participants, number),
             processes ? "process" : "node",
             w->participants == 1 ? ""
             : processes          ? "es"
                                  : "s");
}

/* Of an open loop: how much, and when it is measured. */
static size_t say_window(const struct config *c, char *text, size_t size, size_t at)
{
    const struct workload_params *p = config_workload(c);
    char cycles[32], warmup[32];
    text_count(p->cycles, cycles);
    if (workload_rates_absolute(p))
        at = text_append(text, size, at, ", at absolute rates");
    else
        at = text_append(text, size, at, ", at load %g", p->load);
    if (p->burst != BURST_NONE)
        at = text_append(text, size, at, ", in bursts of %g", p->burst_packets);
    if (p->warmup_cycles == KEY_AUTO_LONG)
        return text_append(text, size, at,
                           "; measured for at least %s cycles, warm-up and end found from the run",
                           cycles);
    return text_append(text, size, at, "; measured for %s cycles after %s of warm-up", cycles,
                       text_count(p->warmup_cycles, warmup));
}

/* Puts what words in braces stand for into a sentence: {who}, {what}, {times}, {file}, or the value
 * of a key of workload.*. */
static size_t fill_in(const struct config *c, const struct workplace *place, const struct work *w,
                      const char *sentence, char *text, size_t size, size_t at)
{
    char name[64], key[96], value[CONFIG_TEXT], number[32];
    for (const char *open; (open = strchr(sentence, '{')); sentence = strchr(open, '}') + 1) {
        snprintf(name, sizeof(name), "%.*s", (int)strcspn(open + 1, "}"), open + 1);
        at = text_append(text, size, at, "%.*s", (int)(open - sentence), sentence);
        if (strcmp(name, "who") == 0)
            say_participants(w, value, sizeof(value));
        else if (strcmp(name, "what") == 0)
            say_units(c, place, w, value, sizeof(value));
        else if (strcmp(name, "times") == 0)
            snprintf(value, sizeof(value), "%s time%s", text_count(w->count, number),
                     w->count == 1 ? "" : "s");
        else {
            snprintf(key, sizeof(key), "workload.%s", name);
            value_of(c, key, value);
        }
        if (!value[0] && at && at < size && text[at - 1] == ' ') /* there are no arguments */
            at--;
        at = text_append(text, size, at, "%.200s", value);
    }
    return text_append(text, size, at, "%s", sentence);
}

static void say(const struct config *c, const struct workplace *place, struct work *w)
{
    static const char open_work[] = "{pattern}: each of {who} sends {what}",
                      message_work[] = "{pattern} of {who}: {what}", file_work[] = "{file}";
    const struct pattern *p = config_workload(c)->pattern;
    const char *own = w->as == LAYER_MESSAGES ? p->message_work : p->packet_work;
    bool open = p->kind == PATTERN_OPEN && w->as == LAYER_PACKETS;
    bool chosen = has_key(w, p, "algorithm") && config_workload(c)->algorithm != ALGORITHM_AUTO;
    const char *usual = p->from_file ? file_work : open ? open_work : message_work;
    size_t at = fill_in(c, place, w, own ? own : usual, w->text, sizeof(w->text), 0);
    if (open)
        say_window(c, w->text, sizeof(w->text), at);
    else if (chosen)
        at = fill_in(c, place, w, " (algorithm {algorithm})", w->text, sizeof(w->text), at);
    if (has_key(w, p, "order") && config_workload(c)->order != ORDER_AUTO)
        fill_in(c, place, w, " (order {order})", w->text, sizeof(w->text), at);
}

bool work_of(const struct config *c, enum layer as, const struct workplace *place, struct work *w)
{
    const struct pattern *p = config_workload(c)->pattern;
    *w = (struct work){.as = as, .participants = count_participants(c, as, place)};
    if (pattern_is_silent(p))
        return false;
    snprintf(w->pattern, sizeof(w->pattern), "%s", p->name);
    take_numbers(c, p, w);
    define(c, place, w);
    say(c, place, w);
    return true;
}

/* ---- two machines ---- */

static const char *remedy_of(const struct work *a, const struct work *b)
{
    if (strcmp(a->pattern, b->pattern) != 0)
        return "give both the same workload.pattern";
    if (a->as != b->as)
        return "use -s workload.as=messages for both, or packets";
    if (strcmp(a->bytes, b->bytes) != 0)
        return a->as == LAYER_MESSAGES
                   ? "give both the same workload.message_bytes"
                   : "give both the same workload.packet_bytes, which both must allow; "
                     "most machines allow 64";
    if (a->count != b->count)
        return "give both the same number of packets or messages";
    if (a->participants != b->participants)
        return a->as == LAYER_MESSAGES
                   ? "give both the same workload.processes"
                   : "use machines with as many nodes, or -s workload.as=messages with the same "
                     "workload.processes";
    return "give both the same keys of workload.*";
}

weft_status work_check_same(const char *name, const struct work *a, const char *other_name,
                            const struct work *b)
{
    if (strcmp(a->definition, b->definition) == 0)
        return WEFT_OK;
    return BAD_INPUT("workload.as",
                     ("not the same work: %.100s: '%.300s'; %.100s: '%.300s'", name, a->text,
                      other_name, b->text),
                     ("%s", remedy_of(a, b)));
}
