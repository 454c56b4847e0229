/* Arguments of a notice's sentence, in the order of text.def, and the handle of a person. */
#ifndef KOIKOI_ARG_H
#define KOIKOI_ARG_H

#include "str.h"

/* ARG_PRIVATE, ARG_GROUP: a command as it is typed in a private chat, in a group. */
enum arg_kind {
    ARG_NONE,
    ARG_TEXT,
    ARG_INT,
    ARG_KEY,
    ARG_TIME,
    ARG_CARD,
    ARG_NAME,
    ARG_ALIAS,
    ARG_PRIVATE,
    ARG_GROUP
};
struct arg {
    uint8_t kind;
    int64_t n;       /* number, key, unix ms, card, verb; ARG_NAME: 1 + the character */
    struct str s;    /* text; ARG_NAME: the shown name */
    struct str id;   /* ARG_NAME: network id; empty: none */
    int64_t account; /* ARG_NAME: account of that id; 0: the one of the event */
    uint8_t known;   /* ARG_NAME: 1 + the only venue that may see the id; 0: any */
};
enum { MAX_ARGS = 6 };

/* A person on one network: an account in the store and that network's id. */
struct handle {
    int64_t account;
    struct str id, name;
};

#endif
