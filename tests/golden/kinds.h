/* Kinds of networks, for chats that hold on several of them: "kinds: group rights private matrix
 * terminal". Each is the row of its adapter, so that a chat meets what the network can.
 *
 *     for matrix terminal:      the lines below are for these alone, until an empty line
 */
#ifndef KOIKOI_TEST_KINDS_H
#define KOIKOI_TEST_KINDS_H

#include "registry.h"

struct kind {
    const char *name, *adapter;
    uint32_t without;   /* abilities that it lacks there */
    const char *prefix; /* of commands in a group, where the adapter has none until it is opened */
    bool direct;        /* what is typed in the group is typed in private */
};
extern const struct kind network_kinds[]; /* ends with a row without a name */

/* The kind of that number that the chat names; NULL behind the last. A chat that names none has none. */
const struct kind *kind_of_chat(struct str chat, int i);
/* Leaves the lines of this kind, in their places: all others become remarks. */
void kind_take(const struct kind *kind, char *chat, const char *file);
void kind_open(const struct kind *kind, struct account *of);

#endif
