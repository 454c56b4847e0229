/* Searches for an opponent, and the people who want to read of one: see seek.c. */
#ifndef KOIKOI_SEEK_H
#define KOIKOI_SEEK_H

#include "chat_settings.h"

enum { MAX_SEEKS = 16, MAX_WATCHERS = 8 };

/* A person who wants to read of somebody who looks for a game. */
struct watcher {
    int64_t person;
    bool here; /* in this chat; else anywhere */
    struct handle handle;
    struct person_prefs prefs;
};

struct seek_facts {
    int n;
    const struct session *at[MAX_SEEKS]; /* that wait, the nearest rating first */
    uint16_t points;                     /* the sender's rating over all chats */
    bool watches;                        /* /notify is on, for the sender in this chat */
    int n_watchers;
    struct watcher watcher[MAX_WATCHERS];
};

/* /notify on, off; and the people who get a message about a search by this step. */
enum watch_kind { WATCH_STAYS, WATCH_ON, WATCH_OFF };
struct seek_effects {
    uint8_t watch;
    int n_notified;
    int64_t notified[MAX_WATCHERS];
};

#endif
