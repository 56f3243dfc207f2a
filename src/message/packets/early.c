/*
 * Packets of the tree that come before their operation, on a machine with several classes of them:
 * a core that polls takes them out of the FIFO and keeps them, so that they do not hold up those of
 * other classes. They are the node's: whichever of its processes acts in their operation copies
 * them. With one class, all packets are in the order of operations, and wait in the FIFO.
 */
#include "message/packets/packets.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static const struct nic_tree *tree_of(const struct here *h)
{
    return h->me.all->nic->tree;
}

static struct early *early_at(const struct packets_part *s, uint32_t index)
{
    return (struct early *)s->earlies.item + index;
}

/* The node's packets of a class. */
static struct slots_list *list_of(const struct here *h, unsigned class)
{
    return &h->s->early[(size_t)h->me.at.local * tree_of(h)->classes + class];
}

/* Whether a core is in an operation of the tree, and reads its packets: the second of two processes
 * of a node to enter it acts for both. */
static bool is_acting(const struct here *h, const struct advance_loop *loop)
{
    const struct collective *c = &loop->collective;
    return c->kind >= STEP_TREE_ALL && c->kind <= STEP_TREE_CAST &&
           c->role == (h->me.all->o.per_node > 1 ? ROLE_ACTS : ROLE_ALONE);
}

/* Whether another core of the node reads; or, if `acts`, acts. */
static bool is_another(const struct here *h, bool acts)
{
    for (uint32_t core = 0; core < h->all->loops; core++) {
        const struct advance_loop *loop = here_at(h->me.all, &h->me.at, core).loop;
        if (core != h->core && (loop->doing == DOING_TREE_READ || (acts && is_acting(h, loop))))
            return true;
    }
    return false;
}

bool early_is_kept(const struct here *h)
{
    return tree_of(h)->classes > 1 && is_acting(h, h->loop) && h->loop->collective.reads &&
           list_of(h, h->loop->action.tree_class)->first != NONE;
}

bool early_is_read(const struct here *h)
{
    return tree_of(h)->classes > 1 && is_another(h, false);
}

bool early_is_due(const struct here *h, fine_t *when)
{
    const struct nic_tree *tree = tree_of(h);
    struct nic_tree_packet packet;
    cycle_t there;
    if (!tree || tree->classes == 1 || h->core != core_main(h->all->cores.mode, h->me.slot) ||
        !tree->peek(tree, &h->me.at, 0, &packet, &there) || is_another(h, true))
        return false;
    *when = fine_at(there);
    return !early_is_own(h, &packet);
}

bool early_is_own(const struct here *h, const struct nic_tree_packet *packet)
{
    return is_acting(h, h->loop) && h->loop->collective.reads &&
           packet->class == h->loop->action.tree_class;
}

bool early_start_read(struct here *h)
{
    fine_t there;
    if (!early_is_due(h, &there) || there > h->loop->core.until)
        return false;
    h->loop->doing = DOING_TREE_READ;
    cost_read(h, tree_of(h)->packet_bytes);
    return true;
}

void early_keep(struct here *h, const struct nic_tree_packet *packet)
{
    struct nic_tree *tree = h->me.all->nic->tree;
    struct attachments *attachments = h->me.all->attachments;
    uint32_t index = slots_get(&h->s->earlies);
    struct early *e = early_at(h->s, index);
    *e = (struct early){.attachment = ATTACHMENT_NONE};
    if (packet->data) {
        e->attachment = attachment_new(attachments, h->me.at.partition, tree->packet_bytes);
        memcpy(attachment_at(attachments, e->attachment)->data, packet->data, tree->packet_bytes);
    }
    slots_append(&h->s->earlies, list_of(h, packet->class), index);
}

void early_take(struct here *h, unsigned char *data)
{
    struct attachments *attachments = h->me.all->attachments;
    struct slots_list *list = list_of(h, h->loop->action.tree_class);
    uint32_t index = slots_take(&h->s->earlies, list);
    uint32_t attachment = early_at(h->s, index)->attachment;
    if (attachment != ATTACHMENT_NONE) {
        memcpy(data, attachment_at(attachments, attachment)->data, tree_of(h)->packet_bytes);
        attachment_free(attachments, attachment);
    }
    slots_put(&h->s->earlies, index);
}

/* ---- the lists ---- */

static size_t lists(const struct nic_tree *tree, uint32_t nodes)
{
    return tree && tree->classes > 1 ? (size_t)nodes * tree->classes : 0;
}

void early_init(struct packets_part *s, const struct nic_tree *tree, uint32_t nodes)
{
    slots_init(&s->earlies, sizeof(struct early), offsetof(struct early, next));
    s->early = lists(tree, nodes) ? memory_alloc(lists(tree, nodes), sizeof(*s->early)) : NULL;
    for (size_t i = 0; i < lists(tree, nodes); i++)
        s->early[i].first = NONE;
}

void early_fini(struct packets_part *s)
{
    slots_fini(&s->earlies);
    free(s->early);
}

void early_archive(struct packets_part *s, const struct nic_tree *tree, uint32_t nodes,
                   struct archive *a)
{
    slots_archive(&s->earlies, a);
    archive_bytes(a, s->early, lists(tree, nodes) * sizeof(*s->early));
}

bool early_are(const struct packets_part *s, const struct nic_tree *tree, uint32_t nodes)
{
    struct visited kept;
    bool right = slots_visited(&s->earlies, &kept);
    for (uint32_t i = 0; i < s->earlies.count && right; i++)
        right = kept.taken[i] || early_at(s, i)->attachment == ATTACHMENT_NONE;
    for (size_t i = 0; i < lists(tree, nodes) && right; i++)
        right = slots_list_visited(&s->earlies, &s->early[i], &kept);
    right = right && visited_is_full(&kept);
    visited_fini(&kept);
    return right;
}
