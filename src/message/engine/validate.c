/* Whether a state can be one: every note and message is where it belongs. */
#include "message/engine/state.h"
#include "message/cargo.h"

static bool is_note(const struct processes *all, const struct carried_part *s,
                    const struct carried_note *n)
{
    bool mine = n->code == CODE_LOCAL || n->code == CODE_SENT;
    bool known = mine ? n->message < s->messages.count : n->message < CARGO_NUMBERS;
    return n->source < all->o.processes && n->to < all->o.per_node && n->code < CODES && known &&
           visited_is_bool(&n->last) && n->attachment == ATTACHMENT_NONE;
}

/* Every note is in a list of its node, in the ring of a message, or free. */
static bool are_notes(const struct processes *all, const struct carried_part *s, uint32_t nodes,
                      struct visited *notes)
{
    struct visited_items items = slots_items(&s->notes);
    uint32_t last;
    for (uint32_t i = 0; i < s->notes.count; i++)
        if (!notes->taken[i] && !is_note(all, s, note_at(s, i)))
            return false;
    for (uint32_t local = 0; local < nodes; local++)
        if (!visited_list(notes, items, s->later[local], &last))
            return false;
    for (uint32_t i = 0; i < s->messages.count; i++) {
        uint32_t ring = message_at(s, i)->notes;
        if (message_at(s, i)->peer >= all->o.processes ||
            message_at(s, i)->attachment != ATTACHMENT_NONE ||
            (message_at(s, i)->request != NO_REQUEST && !all->runner.complete) ||
            (ring != NONE && !visited_ring(notes, items, ring)))
            return false;
    }
    return visited_is_full(notes);
}

/* Whether all values of a map are messages. */
static bool are_messages(const struct carried_part *s, const struct map *map, uint32_t flags)
{
    for (uint32_t i = 0; i < map->capacity; i++)
        if (map->entry[i].used && (map->entry[i].value & ~flags) >= s->messages.count)
            return false;
    return true;
}

static bool is_match(void *part, const struct envelope *e, bool posted, uint32_t value)
{
    (void)e, (void)posted;
    return value < ((const struct carried_part *)part)->messages.count;
}

const char *carried_flaw(const struct processes *all, uint32_t partition)
{
    struct carried_part *s = &((const struct carried *)all->carried)->part[partition];
    struct visited notes, messages;
    bool right = slots_visited(&s->messages, &messages);
    right = slots_visited(&s->notes, &notes) && right &&
            are_notes(all, s, all->part[partition].nodes, &notes);
    visited_fini(&notes);
    visited_fini(&messages);
    right = right && are_messages(s, &s->incoming, ARRIVED) && are_messages(s, &s->asked, 0) &&
            are_messages(s, &s->streaming, 0) && room_is_sound(&s->room) &&
            match_is_sound(&all->part[partition].match, is_match, s);
    return right ? NULL : "a message is not valid";
}
