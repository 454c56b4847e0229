/* Inputs of a golden chat: what people type and press, and what happens to the program. The head
 * of golden_test.c is the grammar. A line that does not fit fails the test with its place.
 */
#ifndef KOIKOI_TEST_CHAT_INPUT_H
#define KOIKOI_TEST_CHAT_INPUT_H

#include "golden/kinds.h"
#include "golden/transcript.h"

/* Abilities of both networks, unless the chat names others. */
#define DEFAULT_CAN                                                                                \
    (CAN_EDIT | CAN_ERASE | CAN_BUTTONS | CAN_DIRECT | CAN_POPUP | CAN_HANDLES | CAN_STYLE |       \
     CAN_FOLD)

struct chat_run {
    struct chat_harness *harness;
    const struct kind *kind; /* NULL: the chat names its abilities */
    const char *file;
    int line_no;
    struct str rest;        /* of the file, from the next line on */
    struct transcript sent; /* since the last input */
};

/* Sets what holds from here on ("network: ..."). Returns false if the line is no setting. */
bool chat_setting(struct chat_run *p, struct str line);
void chat_input(struct chat_run *p, struct str line);

#endif
