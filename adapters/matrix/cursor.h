/* The account's durable state: one line of JSON, stored with every batch. It holds tokens, so it is
 * never shown. */
#ifndef KOIKOI_MATRIX_CURSOR_H
#define KOIKOI_MATRIX_CURSOR_H

#include "arena.h"
#include "str.h"

enum { MAX_ACTIONS = 256, MAX_FRESH = 64 };

struct matrix;

/* Actions on rooms. Those that other servers may hold up run one at a time beside the polls; the
 * others in order, ahead of the next sync. */
enum room_action_kind {
    ACTION_NONE,  /* of a newer program */
    ACTION_JOIN,  /* accept the invite to `room`; `who` invited, `direct`: as a
                     private chat; `to`: the room that it says it replaces */
    ACTION_LEAVE, /* leave `room` (or refuse its invite) */
    ACTION_FORGET,
    ACTION_DIRECT, /* write into m.direct that `room` is the private chat with `who` */
    ACTION_FILL,   /* `room` has a gap: read it from `at` up to `to` */
    ACTION_FOLLOW, /* `to` replaces `room`: join it, by way of the server `at` */
    ACTION_PROVE,  /* `to` is joined: does it name `room` as its predecessor? */
    ACTION_LOOK,   /* `room` is joined by the invite of `who`: is it a space, does it replace a
                      room of ours? */
    ACTION_PAIR,   /* `room` is to be the private chat with `who`: are they and the bot alone? */
    ACTION_NAMES,  /* whom does `event`, a command in `room`, name? */
    ACTION_TRACE,  /* `to` says that it replaces `room`: does that say so too? */
    N_ACTIONS
};
struct room_action {
    enum room_action_kind kind;
    struct str room, who, at, to;
    struct str event; /* JSON */
    bool direct;
    int64_t tries, due; /* due: not before, unix ms */
};

/* Invitations by one person, on one day, which bound the joins; not stored. */
struct invited {
    uint64_t who; /* hash of the id */
    int64_t day;
    int n;
};

/* The durable state: see cursor.c. Times are unix ms. */
struct matrix_session {
    struct str setup; /* hash of the options it was made for; with others it starts anew */
    int64_t born;     /* when it was made: part of every transaction id */
    struct str base;  /* "https://matrix.example.org", no slash at the end */
    struct str user, device;
    struct str access, refresh;
    int64_t expires;      /* of access; 0 = unknown or never */
    int64_t life;         /* lifetime of access tokens, ms; 0 = not given */
    int64_t logged_in;    /* when the last login succeeded */
    int64_t early;        /* 1: it followed the one before within an hour */
    int64_t tried, tries; /* the last login tried; how many since one succeeded */
    int64_t renewed;      /* when the store of a device was found lost: part of the name of the
                             next one; 0 = never */
    /* OAuth */
    struct str client, token_url, device_url, register_url;
    struct str code; /* the device code that a person must confirm; may be empty */
    int64_t interval, code_expires;
    /* sync */
    struct str since;
    int n_actions;
    struct room_action actions[MAX_ACTIONS];
    int n_fresh; /* rooms just joined, before their own join event came */
    struct str fresh[MAX_FRESH];
    int n_silent; /* rooms where the bot might not write when it came: greeted once it may */
    struct str silent[MAX_FRESH];
};

/* A line that cannot be read, or of other options, becomes an empty session that keeps its
 * birth. */
void cursor_read(const struct matrix *m, struct arena *a, struct str cursor,
                 struct matrix_session *ret);
struct str cursor_write(struct arena *a, const struct matrix_session *s);
/* Inserts an action: at the end, as the first, or as number i. False if the list is full. */
bool cursor_add_action(struct matrix_session *s, struct room_action action);
bool cursor_add_action_first(struct matrix_session *s, struct room_action action);
bool cursor_add_action_at(struct matrix_session *s, int i, struct room_action action);
void cursor_drop_action(struct matrix_session *s, int i);

#endif
