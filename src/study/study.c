/* Reads studies, and makes configurations of them. */
#include "study/study.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/text/suggest.h"
#include "base/text/number.h"
#include "base/text/text.h"
#include "config/data.h"
#include "workload/parts/parts.h"

/* ---- reading ---- */

/* The rest of a path after "LIST.N."; NULL if the path does not start like this. */
static const char *item_path(const char *path, const char *list, size_t *index)
{
    const char *rest = text_behind(path, list);
    char *end;
    if (!rest || *rest != '.')
        return NULL;
    *index = strtoul(rest + 1, &end, 10);
    return end == rest + 1 || *end != '.' ? NULL : end + 1;
}

static weft_status read_number(const struct study *s, const struct yaml_entry *e, double *value)
{
    if (number_real(e->value, value))
        return WEFT_OK;
    if (number_is_written(e->value))
        return YAML_BAD(&s->yaml, e, ("'%.60s' is out of range", e->value),
                        ("use 0, or a number between 1e-307 and 1e308"));
    return YAML_BAD(&s->yaml, e, ("'%.60s' is not a number", e->value),
                    ("use one such as 42, 0.5 or 1e6"));
}

static weft_status read_text(const struct study *s, const struct yaml_entry *e, char *text,
                             size_t size)
{
    if (snprintf(text, size, "%s", e->value) >= (int)size)
        return YAML_BAD(&s->yaml, e, ("this text is too long"),
                        ("use at most %zu characters", size - 1));
    return WEFT_OK;
}

/* One of some words; their position. */
static weft_status read_word(const struct study *s, const struct yaml_entry *e,
                             const char *const *choices, unsigned *which)
{
    char list[100] = "";
    for (*which = 0; choices[*which]; ++*which) {
        if (strcmp(e->value, choices[*which]) == 0)
            return WEFT_OK;
        text_append(list, sizeof(list), strlen(list), "%s%s", *which ? ", " : "", choices[*which]);
    }
    return YAML_BAD(&s->yaml, e, ("'%.60s' is not known", e->value), ("use one of %s", list));
}

static weft_status read_sizes(const struct study *s, const struct yaml_entry *e, bool in[2])
{
    static const char *const choices[] = {"small", "full", "both", NULL};
    unsigned which;
    TRY(read_word(s, e, choices, &which));
    in[STUDY_SMALL] = which != STUDY_FULL;
    in[STUDY_FULL] = which != STUDY_SMALL;
    return WEFT_OK;
}

static weft_status read_point_entry(struct study *s, const struct yaml_entry *e, size_t index,
                                    const char *key)
{
    if (index >= STUDY_RUNS_MAX)
        return YAML_BAD(&s->yaml, e, ("too many runs"), ("list at most %d", STUDY_RUNS_MAX));
    while (index >= s->points) {
        s->point = memory_grow(s->point, s->points + 1, sizeof(*s->point));
        s->point[s->points] = (struct study_point){.item = s->points};
        s->points++;
    }
    struct study_point *p = &s->point[index];
    if (text_behind(key, "set."))
        return WEFT_OK;
    if (strcmp(key, "x") == 0)
        return read_number(s, e, &p->x);
    if (strcmp(key, "name") == 0)
        return read_text(s, e, p->name, sizeof(p->name));
    if (strcmp(key, "size") == 0) {
        bool in[2];
        TRY(read_sizes(s, e, in));
        p->left_out = !in[s->size];
        s->has_sizes |= !in[STUDY_SMALL] || !in[STUDY_FULL];
        return WEFT_OK;
    }
    return YAML_BAD(&s->yaml, e, ("unknown key '%.60s' of a run", key),
                    ("use name, x, set and size"));
}

static weft_status read_curve_entry(struct study *s, const struct yaml_entry *e, size_t index,
                                    const char *key)
{
    if (index >= STUDY_CURVES_MAX)
        return YAML_BAD(&s->yaml, e, ("too many curves"), ("list at most %d", STUDY_CURVES_MAX));
    s->curves = index >= s->curves ? index + 1 : s->curves;
    if (text_behind(key, "set."))
        return WEFT_OK;
    if (strcmp(key, "name") == 0)
        return read_text(s, e, s->curve[index].name, sizeof(s->curve[index].name));
    return YAML_BAD(&s->yaml, e, ("unknown key '%.60s' of a curve", key), ("use name and set"));
}

static weft_status read_claim_entry(struct study *s, const struct yaml_entry *e, size_t index,
                                    const char *key)
{
    static const char *const kinds[] = {"measured", "calibrated", "formula", "words", "both", NULL};
    unsigned which;
    if (index >= STUDY_CLAIMS_MAX)
        return YAML_BAD(&s->yaml, e, ("too many claims"), ("list at most %d", STUDY_CLAIMS_MAX));
    while (index >= s->claims) {
        s->claim = memory_grow(s->claim, s->claims + 1, sizeof(*s->claim));
        s->claim[s->claims++] = (struct study_claim){
            .judged_in = {true, true}, .value = NAN, .above = NAN, .below = NAN, .weft = NAN};
    }
    struct study_claim *c = &s->claim[index];
    struct {
        const char *name;
        double *value;
    } numbers[] = {{"value", &c->value},
                   {"tolerance", &c->tolerance},
                   {"above", &c->above},
                   {"below", &c->below},
                   {"weft", &c->weft}};
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
        if (strcmp(key, numbers[i].name) == 0)
            return read_number(s, e, numbers[i].value);
    if (strcmp(key, "size") == 0)
        return read_sizes(s, e, c->judged_in);
    if (strcmp(key, "known") == 0)
        return read_sizes(s, e, c->known_in);
    if (strcmp(key, "kind") == 0) {
        TRY(read_word(s, e, kinds, &which));
        c->kind = (enum claim_kind)which;
        return WEFT_OK;
    }
    if (strcmp(key, "id") == 0)
        return read_text(s, e, c->id, sizeof(c->id));
    if (strcmp(key, "says") == 0)
        return read_text(s, e, c->says, sizeof(c->says));
    if (strcmp(key, "note") == 0)
        return read_text(s, e, c->note, sizeof(c->note));
    if (strcmp(key, "of") == 0) {
        c->line = e->line;
        c->column = e->column;
        return read_text(s, e, c->of, sizeof(c->of));
    }
    return YAML_BAD(&s->yaml, e, ("unknown key '%.60s' of a claim", key),
                    ("use id, says, of, size, kind, weft, known, note, and value with tolerance, "
                     "above or below"));
}

weft_status study_check_series(const char *name)
{
    static const char *const known[] = {"packets_delivered", "payload_bytes_per_second",
                                        "link_utilisation", "unblocking_probability", NULL};
    static const char *const groups[] = {"link_utilisation_by_direction.", "hops_by_vc.",
                                         "vc_chunks.", NULL};
    struct suggestion suggestion = suggestion_for(name);
    const char *rest;
    for (const char *const *k = known; *k; k++) {
        suggestion_offer(&suggestion, *k);
        if (strcmp(name, *k) == 0)
            return WEFT_OK;
    }
    for (const char *const *g = groups; *g; g++)
        if ((rest = text_behind(name, *g)) && *rest)
            return WEFT_OK;
    return suggestion_remedy(
        &suggestion,
        BAD_INPUT(NULL, ("no timeline has a series '%.60s'", name),
                  ("use packets_delivered, payload_bytes_per_second, link_utilisation, "
                   "unblocking_probability, or one of link_utilisation_by_direction, "
                   "hops_by_vc and vc_chunks, as hops_by_vc.D0")));
}

/* "payload_bytes_per_second", or several joined by commas. */
static weft_status read_series(struct study *s, const struct yaml_entry *e)
{
    char list[STUDY_SERIES_MAX * 64], *at = list, *word;
    TRY(read_text(s, e, list, sizeof(list)));
    for (s->series = 0; (word = strsep(&at, ","));) {
        word += strspn(word, " ");
        word[strcspn(word, " ")] = '\0';
        if (!*word || strlen(word) >= sizeof(s->timeline[0]) || s->series == STUDY_SERIES_MAX)
            return YAML_BAD(&s->yaml, e, ("'%.60s' is not a list of series", e->value),
                            ("join 1 to %d by commas", STUDY_SERIES_MAX));
        strcpy(s->timeline[s->series++], word);
        if (study_check_series(word) != WEFT_OK)
            return yaml_place(&s->yaml, e);
    }
    return WEFT_OK;
}

static weft_status read_plot_entry(struct study *s, const struct yaml_entry *e, const char *key)
{
    if (strcmp(key, "metric") == 0)
        return read_text(s, e, s->metric, sizeof(s->metric));
    if (strcmp(key, "timeline") == 0)
        return read_series(s, e);
    if (strcmp(key, "x") == 0)
        return read_text(s, e, s->x_label, sizeof(s->x_label));
    if (strcmp(key, "y") == 0)
        return read_text(s, e, s->y_label, sizeof(s->y_label));
    if (strcmp(key, "log_x") == 0) {
        s->log_x = strcmp(e->value, "true") == 0;
        return s->log_x || strcmp(e->value, "false") == 0
                   ? WEFT_OK
                   : YAML_BAD(&s->yaml, e, ("'%.60s' is neither true nor false", e->value),
                              ("use one of them"));
    }
    if (strcmp(key, "per") == 0) {
        snprintf(s->per_text, sizeof(s->per_text), "%.15s", e->value);
        TRY(read_number(s, e, &s->per));
        return s->per > 0 ? WEFT_OK
                          : YAML_BAD(&s->yaml, e, ("'%.60s' is not a unit", e->value),
                                     ("use a number above 0"));
    }
    return YAML_BAD(&s->yaml, e, ("unknown key '%s'", e->path),
                    ("use plot.metric, timeline, x, y, per or log_x"));
}

static weft_status add_over(struct study *s, const struct yaml_entry *e, const char *word)
{
    struct study_point p = {0};
    if (!*word || strlen(word) >= sizeof(p.over) || s->points == STUDY_RUNS_MAX)
        return YAML_BAD(&s->yaml, e, ("'%.60s' is not a list of values", e->value),
                        ("use 1 to %d, joined by commas", STUDY_RUNS_MAX));
    strcpy(p.over, word);
    strcpy(p.name, word);
    number_real(word, &p.x);
    s->point = memory_grow(s->point, s->points + 1, sizeof(*s->point));
    s->point[s->points++] = p;
    return WEFT_OK;
}

/* Points from "0.1, 0.5, 0.9". */
static weft_status split_over(struct study *s, const struct yaml_entry *e)
{
    char list[4096], *at = list, *word;
    TRY(read_text(s, e, list, sizeof(list)));
    while ((word = strsep(&at, ","))) {
        word += strspn(word, " ");
        for (size_t end = strlen(word); end && word[end - 1] == ' ';)
            word[--end] = '\0';
        TRY(add_over(s, e, word));
    }
    return WEFT_OK;
}

/* Points from a text, or from a list, whose items come one by one. What a size has replaces what
 * all have. */
static weft_status read_over(struct study *s, const struct yaml_entry *e, const char *key)
{
    const char *dot = strrchr(key, '.');
    bool item = dot && dot[1] && !dot[1 + strspn(dot + 1, "0123456789")]; /* "KEY.3", of a list */
    size_t length = item ? (size_t)(dot - key) : strlen(key), level = (size_t)(key - e->path);
    bool further = e > s->yaml.entry && strncmp(e[-1].path, e->path, level) == 0;
    bool same = strlen(s->over) == length && strncmp(s->over, key, length) == 0;
    if (s->points && !s->over[0])
        return YAML_BAD(&s->yaml, e, ("a study has 'over' or 'runs', not both"), ("remove one"));
    if (further && !same)
        return YAML_BAD(&s->yaml, e, ("'over' has two keys"),
                        ("keep one, and make curves of the other"));
    if (length >= sizeof(s->over))
        return YAML_BAD(&s->yaml, e, ("unknown key '%.60s'", key), ("`weft keys` lists the keys"));
    if (!further)
        s->points = 0;
    snprintf(s->over, sizeof(s->over), "%.*s", (int)length, key);
    return item ? add_over(s, e, e->value) : split_over(s, e);
}

/* `counts`: for this size; `sized`: for this size alone, whatever is said for all. */
static weft_status read_seeds(struct study *s, const struct yaml_entry *e, bool counts, bool sized)
{
    double seeds;
    TRY(read_number(s, e, &seeds));
    if (!(seeds >= 1 && seeds <= STUDY_SEEDS_MAX && seeds == floor(seeds)))
        return YAML_BAD(&s->yaml, e, ("'%.60s' is not a number of seeds", e->value),
                        ("use 1 to %d", STUDY_SEEDS_MAX));
    if (counts && (sized || !s->seeds_sized)) {
        s->seeds = (uint32_t)seeds;
        s->seeds_sized = sized;
    }
    return WEFT_OK;
}

/* What is nearly a section of a study is not a key either. */
static weft_status refuse_near(const struct study *s, const struct yaml_entry *e)
{
    static const char *const sections[] = {
        "title", "source", "description", "machine", "workload", "workloads", "run",  "jobs",
        "small", "full",   "curves",      "over",    "runs",     "seeds",     "plot", "claims"};
    char word[SUGGESTION_WORD];
    snprintf(word, sizeof(word), "%.*s", (int)strcspn(e->path, "."), e->path);
    struct suggestion suggestion = suggestion_for(word);
    for (size_t i = 0; i < sizeof(sections) / sizeof(sections[0]); i++) {
        if (strcmp(word, sections[i]) == 0)
            return WEFT_OK;
        suggestion_offer(&suggestion, sections[i]);
    }
    if (!suggestion.best[0])
        return WEFT_OK;
    return suggestion_remedy(&suggestion, YAML_BAD(&s->yaml, e, ("a study has no part '%s'", word),
                                                   ("the guide lists them")));
}

static weft_status read_entry(struct study *s, const struct yaml_entry *e, enum study_size size)
{
    static const char *const sizes[] = {"small.", "full."};
    static const char *const lists[] = {"runs", "curves", "claims"};
    const char *key, *own = text_behind(e->path, sizes[size]);
    size_t index;
    if ((key = item_path(e->path, "runs", &index)))
        return read_point_entry(s, e, index, key);
    if ((key = item_path(e->path, "curves", &index)))
        return read_curve_entry(s, e, index, key);
    if ((key = item_path(e->path, "claims", &index)))
        return read_claim_entry(s, e, index, key);
    for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
        if (text_behind(e->path, lists[i]))
            return YAML_BAD(&s->yaml, e, ("'%s' is not a list", lists[i]),
                            ("write '- name: ...' below it"));
    s->has_sizes |= text_behind(e->path, sizes[STUDY_FULL]) != NULL;
    if ((key = text_behind(e->path, "plot.")))
        return read_plot_entry(s, e, key);
    if ((key = text_behind(own ? own : e->path, "over.")))
        return read_over(s, e, key);
    if (strcmp(e->path, "seeds") == 0 || strcmp(e->path, "small.seeds") == 0 ||
        strcmp(e->path, "full.seeds") == 0)
        return read_seeds(s, e, own || strcmp(e->path, "seeds") == 0, own);
    if (strcmp(e->path, "title") == 0)
        return read_text(s, e, s->title, sizeof(s->title));
    if (strcmp(e->path, "source") == 0)
        return read_text(s, e, s->source, sizeof(s->source));
    return refuse_near(s, e);
}

static weft_status check_claim(const struct study *s, const struct study_claim *c)
{
    bool known = c->known_in[STUDY_SMALL] || c->known_in[STUDY_FULL];
#define BAD_CLAIM(WHAT, REMEDY)                                                                    \
    BAD_PLACE(("%s:%u:%u", s->yaml.file, c->line, c->column), WHAT, REMEDY)
    if (c->tolerance < 0 || (c->tolerance > 0 && isnan(c->value)))
        return BAD_CLAIM(
            ("claim '%s' has a tolerance of %g without a value or below 0", c->id, c->tolerance),
            ("give it a value and a tolerance"));
    if (!c->of[0] || (isnan(c->value) && isnan(c->above) && isnan(c->below)))
        return BAD_CLAIM(("claim '%s' says nothing to check", c->id),
                         ("give it 'of' and value, above or below"));
    if (known && !c->note[0])
        return BAD_CLAIM(("claim '%s' is known to be missed, without a reason", c->id),
                         ("say why in 'note'"));
    if ((c->kind == CLAIM_BOTH) == isnan(c->weft))
        return BAD_CLAIM(("claim '%s' must have both or neither of 'kind: both' and 'weft'", c->id),
                         ("say in 'weft' what comes out here"));
#undef BAD_CLAIM
    return WEFT_OK;
}

/* Runs that have names and no x are placed side by side, and so are values that are words. */
static void spread_points(struct study *s)
{
    bool x = false, word = false;
    for (size_t p = 0; p < s->points; p++) {
        double number;
        x |= s->point[p].x != 0;
        word |= s->over[0] && !number_real(s->point[p].over, &number);
    }
    s->categorical = s->points > 1 && (s->over[0] ? word : !x);
    for (size_t p = 0; p < s->points && s->categorical; p++)
        s->point[p].x = (double)p;
}

static void leave_out_points(struct study *s)
{
    size_t left = 0;
    for (size_t p = 0; p < s->points; p++)
        if (!s->point[p].left_out)
            s->point[left++] = s->point[p];
    s->points = left;
}

static weft_status complete(struct study *s)
{
    if (!s->curves && !s->points)
        return BAD_PLACE(("%s:1:1", s->yaml.file), ("the study has no runs"),
                         ("add 'over', 'runs' or 'curves'"));
    if (!s->curves)
        snprintf(s->curve[s->curves++].name, sizeof(s->curve[0].name), "Weft");
    if (!s->points) {
        s->point = memory_alloc(1, sizeof(*s->point));
        s->points = 1;
    }
    leave_out_points(s);
    if (!s->points)
        return BAD_PLACE(("%s:1:1", s->yaml.file), ("the study has no runs of this size"),
                         ("add one, or remove a 'size'"));
    spread_points(s);
    if (!s->metric[0] && !s->series)
        snprintf(s->metric, sizeof(s->metric), "fraction_of_peak");
    for (size_t i = 0; i < s->claims; i++)
        TRY(check_claim(s, &s->claim[i]));
    study_make_results(s);
    return WEFT_OK;
}

static weft_status read_entries(struct study *s)
{
    bool result =
        yaml_get(&s->yaml, "digest"); /* of one run: a result has no sections of a study */
    for (size_t i = 0; !result && i < s->yaml.entries; i++)
        TRY(read_entry(s, &s->yaml.entry[i], s->size));
    if (s->seeds && strcmp(s->over, "run.seed") == 0)
        return BAD_PLACE(("%s:1:1", s->yaml.file), ("'seeds' and 'over' both choose seeds"),
                         ("remove one"));
    return WEFT_OK;
}

weft_status study_read(const char *path, enum study_size size, struct study *s)
{
    *s = (struct study){.size = size};
    TRY(yaml_load(path, &s->yaml));
    text_stem(path, s->name, sizeof(s->name));
    weft_status status = read_entries(s);
    if (status != WEFT_OK)
        study_fini(s);
    return status;
}

weft_status study_load(const char *name, enum study_size size, struct study *s)
{
    char path[4200];
    data_find("studies", name, path, sizeof(path));
    if (access(path, F_OK) != 0 && !strchr(name, '/'))
        return data_unknown("studies", "study", name, "weft study list");
    TRY(study_read(path, size, s));
    weft_status status = complete(s);
    if (status != WEFT_OK)
        study_fini(s);
    return status;
}

void study_fini(struct study *s)
{
    for (size_t i = 0; i < s->results; i++)
        if (s->result[i].there)
            yaml_fini(&s->result[i].yaml);
    free(s->result);
    free(s->point);
    free(s->claim);
    yaml_fini(&s->yaml);
    s->results = 0;
    s->result = NULL;
    s->point = NULL;
    s->claim = NULL;
}

/* ---- configurations ---- */

/* Top-level sections of a study (study.h) that are not keys of the configuration. */
static bool is_study_section(const char *path)
{
    static const char *const sections[] = {"runs.", "curves.", "over.", "claims.",
                                           "plot.", "small.",  "full."};
    for (size_t i = 0; i < sizeof(sections) / sizeof(sections[0]); i++)
        if (text_behind(path, sections[i]))
            return true;
    return text_has_word("title source description machine machine.name seeds", path);
}

/* ---- several workloads ---- */

/* Adds the settings of one workload; a list is joined by commas. */
static weft_status add_settings(const struct yaml *y, const char *item, char text[CONFIG_TEXT])
{
    size_t length = strlen(item);
    for (size_t i = 0; i < y->entries; i++) {
        if (strncmp(y->entry[i].path, item, length) != 0)
            continue;
        const char *name = y->entry[i].path + length, *dot = strchr(name, '.');
        char value[CONFIG_TEXT] = "", word[64];
        if (strcmp(name, "pattern") == 0 || strcmp(name, "on") == 0)
            continue;
        snprintf(word, sizeof(word), "%.*s", (int)(dot ? dot - name : 60), name);
        snprintf(value, sizeof(value), "%s", y->entry[i].value);
        for (size_t all = strlen(word);
             dot && i + 1 < y->entries && strncmp(y->entry[i + 1].path, item, length) == 0 &&
             strncmp(y->entry[i + 1].path + length, word, all) == 0 &&
             y->entry[i + 1].path[length + all] == '.';
             i++)
            text_append(value, sizeof(value), strlen(value), ",%s", y->entry[i + 1].value);
        if (parts_append_setting(text, word, value) != WEFT_OK)
            return yaml_place(y, &y->entry[i]);
    }
    return WEFT_OK;
}

/* `workloads:`, a list of patterns, the nodes that each runs on, and its settings, is the pattern
 * `parts`. */
static weft_status apply_workloads(struct config *c, const struct yaml *y, const char *prefix,
                                   const struct yaml_entry *first)
{
    char text[CONFIG_TEXT] = "", item[64], path[96], place[YAML_PLACE];
    for (unsigned i = 0;; i++) {
        snprintf(item, sizeof(item), "%sworkloads.%u.", prefix, i);
        const struct yaml_entry *any = NULL;
        for (size_t k = 0; k < y->entries && !any; k++)
            if (strncmp(y->entry[k].path, item, strlen(item)) == 0)
                any = &y->entry[k];
        if (!any)
            break;
        snprintf(path, sizeof(path), "%son", item);
        const char *on = yaml_get(y, path);
        snprintf(path, sizeof(path), "%spattern", item);
        const char *pattern = yaml_get(y, path);
        if (!on || !pattern)
            return YAML_BAD(y, any, ("a workload without its %s", on ? "pattern" : "nodes"),
                            ("write {pattern: uniform, on: 0-63, load: 0.3}"));
        TRY(parts_append(text, on, pattern));
        TRY(add_settings(y, item, text));
    }
    yaml_where(y, first, place);
    TRY(config_set(c, "workload.pattern", "parts", place));
    return config_set(c, "workload.parts", text, place);
}

static weft_status apply_study_entry(struct config *c, const struct yaml *y, size_t *index,
                                     size_t skip)
{
    const struct yaml_entry *e = &y->entry[*index];
    char place[YAML_PLACE];
    if (is_study_section(e->path + skip))
        return WEFT_OK;
    if (text_behind(e->path + skip, "workloads."))
        return text_behind(e->path + skip, "workloads.0.") &&
                       (!*index || !text_behind(e[-1].path + skip, "workloads."))
                   ? apply_workloads(c, y, skip ? "config." : "", e)
                   : WEFT_OK;
    if (strcmp(e->path + skip, "workload") != 0)
        return config_take(c, y, index, skip);
    return config_set(c, "workload.pattern", e->value, yaml_where(y, e, place));
}

weft_status study_apply(struct config *c, const struct yaml *y, const char *machine)
{
    /* A result file holds its configuration under `config`. */
    size_t skip = yaml_get(y, "digest") ? strlen("config.") : 0;
    const struct yaml_entry *named = NULL;
    static const char *const names[] = {"machine", "machine.name"};
    for (size_t i = 0; !machine && i < sizeof(names) / sizeof(names[0]); i++) {
        named = yaml_find(y, skip ? "config.machine.name" : names[i]);
        machine = named ? named->value : NULL;
    }
    if (!machine)
        return BAD_PLACE(("%s:1:1", y->file), ("the study names no machine"),
                         ("add 'machine: bluegene-l'"));
    weft_status status = config_machine(c, machine);
    if (status != WEFT_OK && named && !error_last()->place[0])
        yaml_place(y, named);
    for (size_t i = 0; i < y->entries && status == WEFT_OK; i++)
        if (!skip || strncmp(y->entry[i].path, "config.", skip) == 0)
            status = apply_study_entry(c, y, &i, skip);
    return status;
}

/* Keys under "LIST.INDEX.set." or, without an index, under "SECTION.". */
static weft_status apply_keys(const struct study *s, const char *prefix, struct config *config)
{
    for (size_t i = 0; i < s->yaml.entries; i++) {
        const char *key = text_behind(s->yaml.entry[i].path, prefix);
        if (key && !text_behind(key, "over.") && strcmp(key, "seeds") != 0)
            TRY(config_take(config, &s->yaml, &i, strlen(prefix)));
    }
    return WEFT_OK;
}

size_t study_seeds(const struct study *s)
{
    return s->seeds ? s->seeds : 1;
}

size_t study_runs(const struct study *s)
{
    return study_seeds(s) * s->curves * s->points;
}

struct study_run study_run_at(const struct study *s, size_t index)
{
    size_t curve = index / s->points;
    return (struct study_run){curve / s->curves, curve % s->curves, index % s->points};
}

struct study_result *study_result_at(const struct study *s, struct study_run run)
{
    return &s->result[(run.seed * s->curves + run.curve) * s->points + run.point];
}

void study_make_results(struct study *s)
{
    s->results = study_runs(s);
    s->result = memory_alloc(s->results, sizeof(*s->result));
}

weft_status study_config(const struct study *s, struct study_run run, const char *machine,
                         struct config *config)
{
    char text[64], place[128];
    machine_init(config);
    TRY(study_apply(config, &s->yaml, machine));
    TRY(apply_keys(s, s->size == STUDY_FULL ? "full." : "small.", config));
    snprintf(text, sizeof(text), "curves.%zu.set.", run.curve);
    TRY(apply_keys(s, text, config));
    if (run.point < s->points) { /* a sweep also has points that its file does not list */
        snprintf(text, sizeof(text), "runs.%zu.set.", s->point[run.point].item);
        TRY(apply_keys(s, text, config));
    }
    snprintf(place, sizeof(place), "%.100s: over", s->yaml.file);
    if (s->over[0])
        TRY(config_set(config, s->over, s->point[run.point].over, place));
    snprintf(place, sizeof(place), "%.100s: seeds", s->yaml.file);
    snprintf(text, sizeof(text), "%zu", run.seed + 1);
    return s->seeds ? config_set(config, "run.seed", text, place) : WEFT_OK;
}

weft_status study_refuse(const struct study *s, const char *option, const char *key)
{
    static const char *const lists[] = {"curves", "runs"};
    size_t index;
    if (strcmp(s->over, key) == 0)
        return BAD_PLACE(("%s", option), ("%.300s sweeps over %s", s->yaml.file, key),
                         ("use `weft sweep` with --over %s=...", key));
    for (size_t i = 0; i < s->yaml.entries; i++)
        for (size_t k = 0; k < sizeof(lists) / sizeof(lists[0]); k++) {
            /* "LIST.N.set.KEY", or an item of a list there */
            const char *rest = item_path(s->yaml.entry[i].path, lists[k], &index);
            rest = rest ? text_behind(rest, "set.") : NULL;
            rest = rest ? text_behind(rest, key) : NULL;
            if (rest && (!*rest || (*rest == '.' && rest[1] >= '0' && rest[1] <= '9')))
                return BAD_PLACE(("%s", option),
                                 ("the %s of %.300s set %s", lists[k], s->yaml.file, key),
                                 ("change them in the file, or leave this out"));
        }
    return WEFT_OK;
}

/* ---- what defines its runs ---- */

static uint64_t hash_text(uint64_t hash, const char *text)
{
    return text_hash(text_hash(hash, text, strlen(text)), "\xff", 1);
}

static uint64_t hash_config(uint64_t hash, const struct config *c)
{
    char text[CONFIG_TEXT];
    for (size_t i = 0; i < c->entries; i++) {
        const struct key *key = c->entry[i].key;
        bool usual = !c->entry[i].given || (key->default_value && strcmp(config_text(c, i, text),
                                                                         key->default_value) == 0);
        if (!usual)
            hash = hash_text(hash_text(hash, key->name), config_text(c, i, text));
    }
    return hash_text(hash, c->schema->fabric);
}

weft_status study_settings(const struct study *s, uint64_t *hash)
{
    *hash = TEXT_HASH;
    for (size_t i = 0; i < study_runs(s); i++) {
        struct config config;
        weft_status status = study_config(s, study_run_at(s, i), NULL, &config);
        if (status == WEFT_OK)
            *hash = hash_config(*hash, &config);
        config_fini(&config);
        if (status != WEFT_OK)
            return status;
    }
    return WEFT_OK;
}
