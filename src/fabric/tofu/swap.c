/* What is out of service when: reading it, and which paths are left. */
#include "fabric/tofu/swap.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "config/keys.h"

#define KEY   "machine.swap"
#define FAILS "fail:"

/* ---- units ---- */

bool tofu_swap_has(const struct torus *t, const struct tofu_swap *s, uint32_t node)
{
    uint32_t groups = t->nodes / TOFU_GROUP_NODES, a[TORUS_MAX_DIMS], b[TORUS_MAX_DIMS];
    if (s->unit == TOFU_UNIT_NODE || node % groups != s->node % groups)
        return node == s->node;
    torus_coordinates(t, s->node, a);
    torus_coordinates(t, node, b);
    return s->unit == TOFU_UNIT_GROUP || a[TOFU_B] == b[TOFU_B];
}

const char *tofu_swap_text(const struct torus *t, const struct tofu_swap *s,
                           char text[TOFU_UNIT_TEXT])
{
    uint32_t c[TORUS_MAX_DIMS];
    char node[TORUS_NODE_TEXT];
    torus_coordinates(t, s->node, c);
    if (s->unit == TOFU_UNIT_NODE)
        snprintf(text, TOFU_UNIT_TEXT, "node %.58s", torus_node_text(t, s->node, node));
    else if (s->unit == TOFU_UNIT_BOARD)
        snprintf(text, TOFU_UNIT_TEXT, "board %u/%u/%u/%u", c[0], c[1], c[2], c[TOFU_B]);
    else
        snprintf(text, TOFU_UNIT_TEXT, "group %u/%u/%u", c[0], c[1], c[2]);
    return text;
}

/* ---- reading ---- */

/* How many numbers name a unit says which sort it is. */
static bool parse_unit(const struct torus *t, const char **at, struct tofu_swap *s)
{
    size_t length = strcspn(*at, "@,"), slashes = 0;
    for (size_t i = 0; i < length; i++)
        slashes += (*at)[i] == '/';
    s->unit = slashes == 2 ? TOFU_UNIT_GROUP : slashes == 3 ? TOFU_UNIT_BOARD : TOFU_UNIT_NODE;
    if (!torus_parse_node(t, s->unit == TOFU_UNIT_NODE ? TOFU_AXES : 3, at, &s->node))
        return false;
    if (s->unit == TOFU_UNIT_BOARD && !tofu_parse_board(t, at, &s->node))
        return false;
    return strcspn(*at, "@, ") == 0; /* it ends there */
}

/* A cycle; false: it is none, or lies behind the end of time. */
static bool parse_cycle(const char **at, cycle_t *cycle)
{
    char *end;
    *cycle = strtoull(*at, &end, 10);
    bool right = isdigit((unsigned char)**at) && *cycle < CYCLE_END;
    *at = end;
    return right;
}

/* "@1000-5000", or "@1000-" */
static bool parse_times(const char **at, struct tofu_swap *s)
{
    s->to = CYCLE_NEVER;
    if (*(*at)++ != '@' || !parse_cycle(at, &s->from) || *(*at)++ != '-')
        return false;
    return !**at || **at == ',' || **at == ' ' || parse_cycle(at, &s->to);
}

static weft_status refuse(const char *item, const char *what, const char *remedy)
{
    char text[64];
    snprintf(text, sizeof(text), "%.*s", (int)strcspn(item, ","), item);
    return BAD_INPUT(KEY, (KEY ": '%s' %s", text, what), ("%s", remedy));
}

static weft_status check_living(const struct torus *t, const struct tofu_faults *dead,
                                const struct tofu_swap *s)
{
    char text[TOFU_UNIT_TEXT];
    for (uint32_t node = 0; node < t->nodes; node++)
        if (tofu_swap_has(t, s, node) && !tofu_is_dead(dead, node))
            return WEFT_OK;
    return BAD_INPUT(KEY, (KEY ": %s is dead", tofu_swap_text(t, s, text)), ("leave it out"));
}

static weft_status parse_swap(const struct torus *t, const struct tofu_faults *dead,
                              const char **at, struct tofu_swap *s)
{
    const char *item = *at;
    s->fails = strncmp(*at, FAILS, strlen(FAILS)) == 0;
    *at += s->fails ? strlen(FAILS) : 0;
    if (!parse_unit(t, at, s))
        return refuse(item, "is not a unit of this machine",
                      "use a node as 1/2/3/0/1/0@1000-5000, a board as 1/2/3/2@1000-5000 (x, y, z "
                      "and b) or a group as 1/2/3@1000-5000");
    if (**at != '@')
        return refuse(item, "has no time", "use @1000-5000, or @1000- with no end (cycles)");
    if (!parse_times(at, s) || (*(*at += strspn(*at, " ")) && **at != ','))
        return refuse(item, "has no valid time", "use @1000-5000, or @1000- with no end (cycles)");
    if (s->to <= s->from)
        return refuse(item, "comes back before it is out", "use a later end");
    *at += **at == ',';
    return check_living(t, dead, s);
}

weft_status tofu_swaps_parse(const struct torus *t, const struct tofu_faults *dead,
                             const char *list, struct tofu_swaps *swaps)
{
    swaps->count = 0;
    for (const char *at = list; strcmp(list, "none") != 0 && *at; swaps->count++) {
        at += strspn(at, " ");
        if (swaps->count == TOFU_SWAPS_MOST)
            return BAD_INPUT(KEY, (KEY " has over %d", TOFU_SWAPS_MOST), ("use fewer"));
        TRY(parse_swap(t, dead, &at, &swaps->swap[swaps->count]));
    }
    return WEFT_OK;
}

/* ---- what is out when ---- */

static int compare(const void *a, const void *b)
{
    cycle_t x = *(const cycle_t *)a, y = *(const cycle_t *)b;
    return (x > y) - (x < y);
}

/* Writes the cycles from which other units are out; returns how many. */
static uint32_t list_changes(const struct tofu_swaps *swaps,
                             cycle_t change[2 * TOFU_SWAPS_MOST + 1])
{
    uint32_t count = 1, kept = 1;
    change[0] = 0;
    for (uint32_t i = 0; i < swaps->count; i++) {
        change[count++] = swaps->swap[i].from;
        change[count++] = swaps->swap[i].to;
    }
    qsort(change, count, sizeof(*change), compare);
    for (uint32_t i = 1; i < count; i++)
        if (change[i] != change[kept - 1] && change[i] != CYCLE_NEVER)
            change[kept++] = change[i];
    return kept;
}

void tofu_outages_init(struct tofu_outages *o, const struct torus *t,
                       const struct tofu_faults *dead, const struct tofu_swaps *swaps)
{
    cycle_t change[2 * TOFU_SWAPS_MOST + 1];
    *o = (struct tofu_outages){.swaps = swaps, .count = list_changes(swaps, change)};
    o->outage = memory_alloc(o->count, sizeof(*o->outage));
    for (uint32_t i = 0; i < o->count; i++) {
        struct tofu_outage *outage = &o->outage[i];
        outage->from = change[i];
        outage->faults = *dead;
        for (uint32_t k = 0; k < swaps->count; k++) {
            const struct tofu_swap *s = &swaps->swap[k];
            if (!tofu_swap_is_out(s, change[i]))
                continue;
            outage->out |= 1u << k;
            tofu_faults_kill(t, s->node, (enum tofu_unit)s->unit, &outage->faults);
        }
    }
}

void tofu_outages_fini(struct tofu_outages *o)
{
    free(o->outage);
}

const struct tofu_outage *tofu_outage_at(const struct tofu_outages *o, cycle_t cycle)
{
    uint32_t i = o->count - 1;
    while (o->outage[i].from > cycle)
        i--;
    return &o->outage[i];
}

/* ---- whether paths are left ---- */

static weft_status check_outage(const struct tofu_routing *r, const struct tofu_swaps *swaps,
                                const struct tofu_outage *outage)
{
    struct tofu_routing then = *r;
    char unit[TOFU_UNIT_TEXT], others[48] = "";
    uint32_t count = (uint32_t)__builtin_popcount(outage->out);
    then.faults = &outage->faults;
    if (outage->faults.nodes == r->shape->nodes)
        return BAD_INPUT(
            KEY,
            (KEY ": no node is in service from cycle %llu on", (unsigned long long)outage->from),
            ("name fewer"));
    weft_status status = count ? tofu_check_paths(&then) : WEFT_OK;
    if (status != WEFT_BAD_INPUT)
        return status;
    if (count > 1)
        snprintf(others, sizeof(others), " and %u other unit%s", count - 1, count > 2 ? "s" : "");
    error_prefix("while %s%s %s out of service, from cycle %llu on: ",
                 tofu_swap_text(r->shape, &swaps->swap[__builtin_ctz(outage->out)], unit), others,
                 count > 1 ? "are" : "is", (unsigned long long)outage->from);
    error_keys(KEY);
    return status;
}

/* Whether the same nodes are in service in an earlier outage, which has been checked. */
static bool is_again(const struct tofu_outages *o, uint32_t i)
{
    const struct tofu_faults *mine = &o->outage[i].faults;
    for (uint32_t k = 0; k < i; k++) {
        const struct tofu_faults *f = &o->outage[k].faults;
        if (f->nodes == mine->nodes &&
            memcmp(f->node, mine->node, mine->nodes * sizeof(*mine->node)) == 0)
            return true;
    }
    return false;
}

weft_status tofu_check_outages(const struct tofu_routing *r, const struct tofu_swaps *swaps)
{
    struct tofu_outages o;
    weft_status status = WEFT_OK;
    tofu_outages_init(&o, r->shape, r->faults, swaps);
    for (uint32_t i = 0; i < o.count && status == WEFT_OK; i++)
        status = is_again(&o, i) ? WEFT_OK : check_outage(r, swaps, &o.outage[i]);
    tofu_outages_fini(&o);
    return status;
}
