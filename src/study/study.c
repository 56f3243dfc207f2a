/* Reads studies and their results, and judges them. */
#define _GNU_SOURCE
#include "study/study.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "config/data.h"
#include "study/expression.h"

/* ---- reading ---- */

/* The rest of a path after "LIST.N."; NULL if the path does not start like this. */
static const char *item_path(const char *path, const char *list, size_t *index)
{
    size_t length = strlen(list);
    char *end;
    if (strncmp(path, list, length) != 0 || path[length] != '.')
        return NULL;
    unsigned long value = strtoul(path + length + 1, &end, 10);
    if (end == path + length + 1 || *end != '.')
        return NULL;
    *index = value;
    return end + 1;
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

static weft_status read_bool(const struct study *s, const struct yaml_entry *e, bool *value)
{
    if (strcmp(e->value, "true") != 0 && strcmp(e->value, "false") != 0)
        return YAML_BAD(&s->yaml, e, ("'%.60s' is neither true nor false", e->value),
                        ("use one of them"));
    *value = e->value[0] == 't';
    return WEFT_OK;
}

static weft_status read_text(const struct study *s, const struct yaml_entry *e, char *text,
                             size_t size)
{
    if (snprintf(text, size, "%s", e->value) >= (int)size)
        return YAML_BAD(&s->yaml, e, ("this text is too long"),
                        ("use at most %zu characters", size - 1));
    return WEFT_OK;
}

static weft_status read_point_entry(struct study *s, const struct yaml_entry *e, size_t index,
                                    const char *key)
{
    if (index >= STUDY_RUNS_MAX)
        return YAML_BAD(&s->yaml, e, ("too many runs"), ("list at most %d", STUDY_RUNS_MAX));
    while (index >= s->points) {
        s->point = memory_grow(s->point, s->points + 1, sizeof(*s->point));
        memset(&s->point[s->points++], 0, sizeof(*s->point));
    }
    struct study_point *p = &s->point[index];
    if (strncmp(key, "set.", 4) == 0)
        return WEFT_OK;
    if (strcmp(key, "x") == 0)
        return read_number(s, e, &p->x);
    if (strcmp(key, "paper.value") == 0) {
        p->has_paper = true;
        return read_number(s, e, &p->paper_value);
    }
    if (strcmp(key, "paper.tolerance") == 0)
        return read_number(s, e, &p->paper_tolerance);
    if (strcmp(key, "name") == 0)
        return read_text(s, e, p->name, sizeof(p->name));
    if (strcmp(key, "paper.text") == 0)
        return read_text(s, e, p->paper_text, sizeof(p->paper_text));
    if (strcmp(key, "paper.claim") == 0)
        return read_text(s, e, p->claim, sizeof(p->claim));
    return YAML_BAD(&s->yaml, e, ("unknown key '%.60s' of a run", key),
                    ("use name, x, set and paper (text, value, tolerance, claim)"));
}

static weft_status read_curve_entry(struct study *s, const struct yaml_entry *e, size_t index,
                                    const char *key)
{
    if (index >= STUDY_CURVES_MAX)
        return YAML_BAD(&s->yaml, e, ("too many curves"), ("list at most %d", STUDY_CURVES_MAX));
    s->curves = index >= s->curves ? index + 1 : s->curves;
    if (strncmp(key, "set.", 4) == 0)
        return WEFT_OK;
    if (strcmp(key, "name") == 0)
        return read_text(s, e, s->curve[index].name, sizeof(s->curve[index].name));
    return YAML_BAD(&s->yaml, e, ("unknown key '%.60s' of a curve", key), ("use name and set"));
}

static weft_status read_claim_entry(struct study *s, const struct yaml_entry *e, size_t index,
                                    const char *key)
{
    if (index >= STUDY_CLAIMS_MAX)
        return YAML_BAD(&s->yaml, e, ("too many claims"), ("list at most %d", STUDY_CLAIMS_MAX));
    while (index >= s->claims) {
        s->claim = memory_grow(s->claim, s->claims + 1, sizeof(*s->claim));
        s->claim[s->claims++] = (struct study_claim){.small = true, .full = true};
    }
    struct study_claim *c = &s->claim[index];
    struct {
        const char *name;
        double *value;
        bool *given;
    } numbers[] = {{"value", &c->value, &c->has_value},
                   {"tolerance", &c->tolerance, NULL},
                   {"above", &c->above, &c->has_above},
                   {"below", &c->below, &c->has_below}};
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
        if (strcmp(key, numbers[i].name) == 0) {
            if (numbers[i].given)
                *numbers[i].given = true;
            return read_number(s, e, numbers[i].value);
        }
    if (strcmp(key, "size") == 0) {
        c->small = strcmp(e->value, "small") == 0;
        c->full = strcmp(e->value, "full") == 0;
        return c->small || c->full ? WEFT_OK
                                   : YAML_BAD(&s->yaml, e, ("'%.60s' is not a size", e->value),
                                              ("use small or full"));
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
                    ("use id, says, of, size, note, and value with tolerance, above or below"));
}

/* "payload_bytes_per_second", or several joined by commas. */
static weft_status read_series(struct study *s, const struct yaml_entry *e)
{
    char list[STUDY_SERIES_MAX * 64], *at = list, *word;
    weft_status status = read_text(s, e, list, sizeof(list));
    for (s->series = 0; status == WEFT_OK && (word = strsep(&at, ","));) {
        word += strspn(word, " ");
        word[strcspn(word, " ")] = '\0';
        if (!*word || strlen(word) >= sizeof(s->timeline[0]) || s->series == STUDY_SERIES_MAX)
            return YAML_BAD(&s->yaml, e, ("'%.60s' is not a list of series", e->value),
                            ("join 1 to %d by commas", STUDY_SERIES_MAX));
        strcpy(s->timeline[s->series++], word);
    }
    return status;
}

static weft_status read_plot_entry(struct study *s, const struct yaml_entry *e)
{
    const char *key = e->path + strlen("plot.");
    if (strcmp(key, "metric") == 0)
        return read_text(s, e, s->metric, sizeof(s->metric));
    if (strcmp(key, "timeline") == 0)
        return read_series(s, e);
    if (strcmp(key, "x") == 0)
        return read_text(s, e, s->x_label, sizeof(s->x_label));
    if (strcmp(key, "y") == 0)
        return read_text(s, e, s->y_label, sizeof(s->y_label));
    if (strcmp(key, "log_x") == 0)
        return read_bool(s, e, &s->log_x);
    if (strcmp(key, "per") == 0) {
        snprintf(s->per_text, sizeof(s->per_text), "%.15s", e->value);
        weft_status status = read_number(s, e, &s->per);
        return status == WEFT_OK && s->per <= 0
                   ? YAML_BAD(&s->yaml, e, ("'%.60s' is not a unit", e->value),
                              ("use a number above 0"))
                   : status;
    }
    return YAML_BAD(&s->yaml, e, ("unknown key '%s'", e->path),
                    ("use plot.metric, timeline, x, y, per or log_x"));
}

/* Points from "0.1, 0.5, 0.9". */
static weft_status read_over(struct study *s, const struct yaml_entry *e, const char *key)
{
    char list[1024], *at = list, *word;
    if (s->points && !s->over[0])
        return YAML_BAD(&s->yaml, e, ("a study has 'over' or 'runs', not both"), ("remove one"));
    free(s->point);
    s->point = NULL;
    s->points = 0;
    snprintf(s->over, sizeof(s->over), "%s", key);
    snprintf(list, sizeof(list), "%s", e->value);
    while ((word = strsep(&at, ","))) {
        word += strspn(word, " ");
        word[strcspn(word, " ")] = '\0';
        if (!*word || s->points == STUDY_RUNS_MAX)
            return YAML_BAD(&s->yaml, e, ("'%.60s' is not a list of values", e->value),
                            ("join 1 to %d by commas", STUDY_RUNS_MAX));
        s->point = memory_grow(s->point, s->points + 1, sizeof(*s->point));
        struct study_point *p = &s->point[s->points];
        memset(p, 0, sizeof(*p));
        snprintf(p->over, sizeof(p->over), "%s", word);
        snprintf(p->name, sizeof(p->name), "%s", word);
        if (!number_real(word, &p->x))
            p->x = (double)s->points; /* words are placed side by side */
        s->points++;
    }
    return WEFT_OK;
}

static weft_status read_entry(struct study *s, const struct yaml_entry *e, enum study_size size)
{
    static const char *const sizes[] = {"small.", "full."};
    size_t index;
    const char *key;
    if ((key = item_path(e->path, "runs", &index)))
        return read_point_entry(s, e, index, key);
    if ((key = item_path(e->path, "curves", &index)))
        return read_curve_entry(s, e, index, key);
    if ((key = item_path(e->path, "claims", &index)))
        return read_claim_entry(s, e, index, key);
    for (const char *const *list = (const char *const[]){"runs", "curves", "claims", NULL}; *list;
         list++)
        if (strncmp(e->path, *list, strlen(*list)) == 0)
            return YAML_BAD(&s->yaml, e, ("'%s' is not a list", *list),
                            ("write '- name: ...' below it"));
    s->has_sizes |= strncmp(e->path, sizes[STUDY_FULL], strlen(sizes[STUDY_FULL])) == 0;
    if (strncmp(e->path, "plot.", 5) == 0)
        return read_plot_entry(s, e);
    if (strncmp(e->path, "over.", 5) == 0)
        return read_over(s, e, e->path + 5);
    size_t length = strlen(sizes[size]);
    if (strncmp(e->path, sizes[size], length) == 0 && strncmp(e->path + length, "over.", 5) == 0)
        return read_over(s, e, e->path + length + 5);
    if (strcmp(e->path, "title") == 0)
        return read_text(s, e, s->title, sizeof(s->title));
    if (strcmp(e->path, "source") == 0)
        return read_text(s, e, s->source, sizeof(s->source));
    return WEFT_OK;
}

static weft_status complete(struct study *s)
{
    if (!s->curves && !s->points)
        return BAD_PLACE(("%s:1:1", s->yaml.file), ("the study has no runs"),
                         ("list them under 'runs:'"));
    if (!s->curves)
        snprintf(s->curve[s->curves++].name, sizeof(s->curve[0].name), "Weft");
    if (!s->points) {
        s->point = memory_alloc(1, sizeof(*s->point));
        s->points = 1;
    }
    if (!s->metric[0] && !s->series)
        snprintf(s->metric, sizeof(s->metric), "fraction_of_peak");
    for (size_t c = 0; c < s->claims; c++)
        if (!s->claim[c].of[0] ||
            !(s->claim[c].has_value || s->claim[c].has_above || s->claim[c].has_below))
            return BAD_PLACE(("%s:%u:%u", s->yaml.file, s->claim[c].line, s->claim[c].column),
                             ("claim '%s' says nothing to check", s->claim[c].id),
                             ("give it 'of' and value, above or below"));
    s->result = memory_alloc(s->curves * s->points, sizeof(*s->result));
    return WEFT_OK;
}

weft_status study_load(const char *name, enum study_size size, struct study *s)
{
    char path[4200];
    data_find("studies", name, path, sizeof(path));
    if (access(path, F_OK) != 0 && !strchr(name, '/'))
        return data_unknown("study", name, "weft study list");
    *s = (struct study){.size = size};
    weft_status status = yaml_load(path, &s->yaml);
    if (status != WEFT_OK)
        return status;
    text_stem(path, s->name, sizeof(s->name));
    for (size_t i = 0; i < s->yaml.entries && status == WEFT_OK; i++)
        status = read_entry(s, &s->yaml.entry[i], size);
    if (status == WEFT_OK)
        status = complete(s);
    if (status != WEFT_OK)
        study_fini(s);
    return status;
}

void study_fini(struct study *s)
{
    for (size_t i = 0; s->result && i < s->curves * s->points; i++)
        if (s->result[i].there)
            yaml_fini(&s->result[i].yaml);
    free(s->result);
    free(s->point);
    free(s->claim);
    yaml_fini(&s->yaml);
    s->result = NULL;
    s->point = NULL;
    s->claim = NULL;
}

/* ---- configurations ---- */

/* Top-level parts of a study (study.h) that are not keys of the configuration. */
static bool is_study_part(const char *path)
{
    static const char *const whole[] = {"title", "source", "description", "machine",
                                        "machine.name"};
    static const char *const parts[] = {"runs.", "curves.", "over.", "claims.",
                                        "plot.", "small.",  "full."};
    for (size_t i = 0; i < sizeof(whole) / sizeof(whole[0]); i++)
        if (strcmp(path, whole[i]) == 0)
            return true;
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
        if (strncmp(path, parts[i], strlen(parts[i])) == 0)
            return true;
    return false;
}

static weft_status apply_study_entry(struct config *c, const struct yaml *y, size_t *index,
                                     size_t skip)
{
    const struct yaml_entry *e = &y->entry[*index];
    char place[512];
    if (is_study_part(e->path + skip))
        return WEFT_OK;
    if (strcmp(e->path + skip, "workload") != 0)
        return config_take(c, y, index, skip);
    snprintf(place, sizeof(place), "%s:%u:%u", y->file, e->line, e->column);
    return config_set(c, "workload.pattern", e->value, place);
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

/* Keys under "LIST.INDEX.set." or, without an index, under "PART.". */
static weft_status apply_part(const struct study *s, const char *part, struct config *config)
{
    size_t length = strlen(part);
    weft_status status = WEFT_OK;
    for (size_t i = 0; i < s->yaml.entries && status == WEFT_OK; i++) {
        const char *path = s->yaml.entry[i].path;
        if (strncmp(path, part, length) == 0 && strncmp(path + length, "over.", 5) != 0)
            status = config_take(config, &s->yaml, &i, length);
    }
    return status;
}

weft_status study_config(const struct study *s, enum study_size size, size_t curve, size_t point,
                         const char *machine, struct config *config)
{
    char part[64], place[128];
    machine_init(config);
    weft_status status = study_apply(config, &s->yaml, machine);
    if (status == WEFT_OK)
        status = apply_part(s, size == STUDY_FULL ? "full." : "small.", config);
    snprintf(part, sizeof(part), "curves.%zu.set.", curve);
    if (status == WEFT_OK)
        status = apply_part(s, part, config);
    snprintf(part, sizeof(part), "runs.%zu.set.", point);
    if (status == WEFT_OK)
        status = apply_part(s, part, config);
    snprintf(place, sizeof(place), "%.100s: over", s->yaml.file);
    if (status == WEFT_OK && s->over[0])
        status = config_set(config, s->over, s->point[point].over, place);
    return status;
}

/* ---- results ---- */

static weft_status figure_of(const struct yaml *result, const char *figure, double *value)
{
    const char *text = yaml_get(result, figure);
    if (!text)
        return BAD_INPUT(
            NULL, ("the runs have no '%.60s'", figure),
            ("use a figure of a result file, such as link_utilisation or response_cycles.mean"));
    if (!number_real(text, value))
        return BAD_INPUT(NULL, ("'%.60s' is '%.60s' in a result, not a number", figure, text),
                         ("use another figure"));
    return WEFT_OK;
}

weft_status study_take(struct study *s, size_t curve, size_t point, const char *path)
{
    struct study_result *r = &s->result[curve * s->points + point];
    weft_status status = yaml_load(path, &r->yaml);
    if (status != WEFT_OK)
        return status;
    r->there = true;
    if (s->metric[0])
        status = figure_of(&r->yaml, s->metric, &r->measured);
    r->measured /= s->per > 0 ? s->per : 1;
    return status;
}

static weft_status find_curve(const struct study *s, const char *name, size_t *curve)
{
    for (*curve = 0; *curve < s->curves; ++*curve)
        if (strcmp(s->curve[*curve].name, name) == 0)
            return WEFT_OK;
    return BAD_INPUT(NULL, ("no curve is named '%.60s'", name), ("use one of the study's"));
}

static weft_status figure_at(void *ctx, const char *name, const char *figure, double x,
                             double *value)
{
    struct study *s = ctx;
    size_t curve, low = SIZE_MAX, high = SIZE_MAX;
    weft_status status = find_curve(s, name, &curve);
    if (status != WEFT_OK)
        return status;
    for (size_t p = 0; p < s->points; p++) {
        if (s->point[p].x <= x && (low == SIZE_MAX || s->point[p].x > s->point[low].x))
            low = p;
        if (s->point[p].x >= x && (high == SIZE_MAX || s->point[p].x < s->point[high].x))
            high = p;
    }
    if (low == SIZE_MAX || high == SIZE_MAX)
        return BAD_INPUT(NULL, ("the study has no run at %g", x), ("use a value between its own"));
    double a = 0, b = 0, span = s->point[high].x - s->point[low].x;
    status = figure_of(&s->result[curve * s->points + low].yaml, figure, &a);
    if (status == WEFT_OK)
        status = figure_of(&s->result[curve * s->points + high].yaml, figure, &b);
    *value = span > 0 ? a + (b - a) * (x - s->point[low].x) / span : a;
    return status;
}

static weft_status series_of(void *ctx, const char *name, const char *series, double **values,
                             size_t *count)
{
    struct study *s = ctx;
    size_t curve, row;
    weft_status status = find_curve(s, name, &curve);
    *values = NULL;
    *count = 0;
    if (status != WEFT_OK)
        return status;
    const struct yaml *y = &s->result[curve * s->points].yaml;
    for (size_t i = 0; i < y->entries; i++) {
        const char *key = item_path(y->entry[i].path, "timeline", &row);
        if (!key || strcmp(key, series) != 0)
            continue;
        *values = memory_grow(*values, *count + 1, sizeof(**values));
        if (!number_real(y->entry[i].value, &(*values)[(*count)++]))
            return YAML_BAD(y, &y->entry[i], ("'%.60s' is not a number", y->entry[i].value),
                            ("run the study again"));
    }
    if (!*count)
        return BAD_INPUT("run.interval_cycles", ("'%.60s' has no series '%.60s'", name, series),
                         ("set run.interval_cycles and use a field of its timeline"));
    return WEFT_OK;
}

void study_judge_claim(struct study_claim *c)
{
    c->judged = true;
    c->ok = (!c->has_value || fabs(c->measured - c->value) <= c->tolerance) &&
            (!c->has_above || c->measured > c->above) && (!c->has_below || c->measured < c->below);
}

weft_status study_judge(struct study *s)
{
    struct expression_source source = {.ctx = s, .figure = figure_at, .series = series_of};
    for (size_t i = 0; i < s->claims; i++) {
        struct study_claim *c = &s->claim[i];
        if (!(s->size == STUDY_FULL ? c->full : c->small))
            continue;
        if (expression_value(c->of, &source, &c->measured) != WEFT_OK) {
            error_place("%s:%u:%u", s->yaml.file, c->line, c->column);
            return error_status();
        }
        study_judge_claim(c);
    }
    return WEFT_OK;
}

const char *study_point_verdict(const struct study *s, size_t curve, size_t point)
{
    const struct study_point *p = &s->point[point];
    const struct study_result *r = &s->result[curve * s->points + point];
    if (!p->has_paper || !r->there)
        return "";
    return fabs(r->measured - p->paper_value) <= p->paper_tolerance ? "ok" : "MISSED";
}

const char *study_claim_verdict(const struct study_claim *c)
{
    return !c->judged ? "" : c->ok ? "ok" : "MISSED";
}

/* Whether two expressions are the same except for blanks and quotes. */
static bool same_expression(const char *a, const char *b)
{
    for (;; a++, b++) {
        a += strspn(a, " \"'");
        b += strspn(b, " \"'");
        if (*a != *b || !*a)
            return *a == *b;
    }
}

/* Whether a claim is judged in the study's current size. */
static bool is_of_size(const struct study *s, const struct study_claim *c)
{
    return s->size == STUDY_FULL ? c->full : c->small;
}

bool study_paper_value(const struct study *s, size_t curve, size_t point, double *value)
{
    char of[256];
    if (s->point[point].has_paper && s->curves == 1) {
        *value = s->point[point].paper_value;
        return true;
    }
    snprintf(of, sizeof(of), "at(%s, %s, %.15g)%s%s", s->curve[curve].name, s->metric,
             s->point[point].x, s->per > 0 ? " / " : "", s->per_text);
    for (size_t i = 0; i < s->claims; i++)
        if (s->claim[i].has_value && is_of_size(s, &s->claim[i]) &&
            same_expression(s->claim[i].of, of)) {
            *value = s->claim[i].value;
            return true;
        }
    return false;
}

bool study_missed(const struct study *s)
{
    bool missed = false;
    for (size_t c = 0; c < s->curves; c++)
        for (size_t p = 0; p < s->points; p++)
            missed |= study_point_verdict(s, c, p)[0] == 'M';
    for (size_t i = 0; i < s->claims; i++)
        missed |= study_claim_verdict(&s->claim[i])[0] == 'M';
    return missed;
}

static uint64_t hash_text(uint64_t hash, const char *text)
{
    return text_hash(text_hash(hash, text, strlen(text)), "\xff", 1);
}

uint64_t study_settings(const struct study *s)
{
    static const char *const others[] = {"claims.", "plot.", "small.", "title", "source"};
    uint64_t hash = TEXT_HASH;
    for (size_t i = 0; i < s->yaml.entries; i++) {
        const struct yaml_entry *e = &s->yaml.entry[i];
        bool counts = !strstr(e->path, ".paper.");
        for (size_t k = 0; k < sizeof(others) / sizeof(others[0]); k++)
            counts &= strncmp(e->path, others[k], strlen(others[k])) != 0;
        if (counts)
            hash = hash_text(hash_text(hash, e->path), e->value);
    }
    return hash;
}
