/*
 * Packet classes of the tree (MSG, 3; IBM's public SPI headers: sixteen, of which the last four are
 * the operating system's). A class is a route: which links its packets take at a node, and whether
 * the node's processor puts packets in and gets them. Class 0 is the whole tree. Others are
 * configured for a run, by their members:
 *
 *   machine.tree.classes = 4x4x4@0/0/0;nodes:0-3
 *
 * The route of such a class is the smallest connected part of the tree that has all members; its
 * top node is the class's root. Nodes on the way that are no members pass packets on.
 *
 * Packets of all classes share links and queues, and combining waits for heads of the same class.
 * So two classes that are used at the same time could wait for each other for ever, unless their
 * routes share no link, or one has all members of the other, whose processes then call operations
 * of both in one order. Other classes are refused.
 */
#ifndef WEFT_NODE_MAPPED_TREE_CLASSES_H
#define WEFT_NODE_MAPPED_TREE_CLASSES_H

#include "base/status.h"
#include "topology/torus/torus.h"

enum { TREE_CLASSES = 16, TREE_USER_CLASSES = 12 };

#define TREE_CLASSES_KEY "machine.tree.classes"

struct tree_classes {
    unsigned count;                 /* class 0 included */
    uint32_t members[TREE_CLASSES]; /* living nodes */
    uint16_t *member;               /* [node]: classes that it is a member of, as a mask */
};

/* Reads them. WEFT_BAD_INPUT: they cannot be, on a tree of this arity. dead NULL: no node is. */
weft_status tree_classes_parse(const char *text, const struct torus *torus, const bool *dead,
                               uint32_t arity, struct tree_classes *classes);
void tree_classes_fini(struct tree_classes *classes);

/* The route of a class in the heap of so many living nodes: sets its bit in route[] where the class
 * goes; returns its root. */
uint32_t tree_class_route(unsigned class, const uint16_t *member, uint32_t living, uint32_t arity,
                          uint16_t *route);

#endif
