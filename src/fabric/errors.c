/* Drawing random errors. */
#include "fabric/errors.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"

bool errors_is_bad(const struct error_params *p, uint32_t node, uint32_t port, cycle_t first,
                   cycle_t last)
{
    for (uint32_t i = 0; i < p->bad_links; i++)
        if (p->bad[i].node == node && p->bad[i].port == port && last >= p->bad[i].from &&
            first < p->bad[i].to)
            return true;
    return false;
}

/* Bits until the next error: exponential if errors are rare, bit by bit if they are frequent. */
static uint64_t draw_gap(struct error_source *s, double rate)
{
    if (rate <= 0)
        return UINT64_MAX;
    if (rate < 0.01) {
        double gap = random_exponential(random_next(&s->random)) / rate;
        return gap < 0x1p62 ? (uint64_t)gap : UINT64_MAX;
    }
    uint64_t gap = 0;
    while ((double)(random_next(&s->random) >> 11) * 0x1p-53 >= rate && gap < 1 << 20)
        gap++;
    return gap;
}

void errors_init(struct error_source *s, const struct error_params *p, uint64_t key)
{
    *s = (struct error_source){.random = key};
    s->good_bits = draw_gap(s, p->bit_error_rate);
}

static unsigned flip(uint8_t *bytes, uint32_t bits, uint64_t bit)
{
    if (bit >= bits)
        return 0;
    bytes[bit / 8] ^= (uint8_t)(0x80u >> bit % 8);
    return 1;
}

/* Flips the bits of a burst from one on: its last for sure, those before at random. */
static unsigned flip_burst(struct error_source *s, uint8_t *bytes, uint32_t bits, uint64_t from,
                           uint64_t end)
{
    unsigned flipped = 0;
    for (uint64_t at = from; at < end && at < bits; at++)
        if (at + 1 == end || (random_next(&s->random) >> 63))
            flipped += flip(bytes, bits, at);
    return flipped;
}

/* A burst may begin in one frame and end in a later one. A bad link draws afresh for each frame. */
unsigned errors_pass(struct error_source *s, const struct error_params *p, uint32_t node,
                     uint32_t port, cycle_t time, uint8_t *bytes, uint32_t bits)
{
    bool bad = errors_is_bad(p, node, port, time, time);
    double rate = bad ? p->bad_error_rate : p->bit_error_rate;
    uint64_t burst_end = s->burst_left, good = bad ? draw_gap(s, rate) : s->good_bits;
    uint64_t next = good == UINT64_MAX ? good : burst_end + good;
    unsigned flipped = flip_burst(s, bytes, bits, 0, burst_end);
    while (next < bits) {
        burst_end = next + p->burst_bits;
        flipped += flip(bytes, bits, next);
        flipped += flip_burst(s, bytes, bits, next + 1, burst_end);
        good = draw_gap(s, rate);
        next = good == UINT64_MAX ? good : burst_end + good;
    }
    uint64_t from = burst_end > bits ? burst_end : bits;
    s->burst_left = (uint32_t)(from - bits);
    if (!bad)
        s->good_bits = next == UINT64_MAX ? next : next - from;
    return flipped;
}

bool errors_will_hit(struct error_source *s, const struct error_params *p, uint32_t node,
                     uint32_t port, cycle_t time, uint32_t bits)
{
    if (errors_is_bad(p, node, port, time, time) || s->burst_left || s->good_bits < bits)
        return true;
    if (s->good_bits != UINT64_MAX)
        s->good_bits -= bits;
    return false;
}

weft_status errors_parse_bad(const char *list, const char *example,
                             bool (*find)(const void *ctx, const char *link, uint32_t *node,
                                          uint32_t *port),
                             const void *ctx, struct error_params *l)
{
    const char *text = strcmp(list, "none") == 0 ? "" : list;
    for (l->bad_links = 0; *text; l->bad_links++) {
        char link[64], *end = NULL;
        struct bad_link bad = {.to = CYCLE_NEVER};
        size_t length = strcspn(text, "@");
        snprintf(link, sizeof(link), "%.*s", (int)(length < 63 ? length : 63), text);
        bool right = text[length] == '@' && l->bad_links < ERRORS_BAD_MAX &&
                     find(ctx, link, &bad.node, &bad.port);
        if (right) {
            bad.from = strtoull(text + length + 1, &end, 10);
            right = isdigit((unsigned char)text[length + 1]) && *end == '-';
        }
        if (right && end[1] && end[1] != ',') {
            char *start = end + 1;
            bad.to = strtoull(start, &end, 10);
            right = isdigit((unsigned char)*start) && bad.to > bad.from;
        } else if (right) {
            end++;
        }
        if (!right || (*end && *end != ','))
            return BAD_INPUT("machine.link.bad_links",
                             ("machine.link.bad_links = '%.60s' is not valid", list),
                             ("use up to %d as %s@1000-5000, joined by commas, or none",
                              ERRORS_BAD_MAX, example));
        l->bad[l->bad_links] = bad;
        text = *end ? end + 1 : end;
    }
    return WEFT_OK;
}
