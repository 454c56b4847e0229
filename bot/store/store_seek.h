/* Searches for an opponent that wait, and the people who want to read of them. See store.h. */
#ifndef KOIKOI_STORE_SEEK_H
#define KOIKOI_STORE_SEEK_H

#include "store_session.h"

struct seek_row {
    int64_t session, person, points, at;
    struct str rules, clock; /* empty: any */
};

void store_put_seek(struct store *s, const struct seek_row *row);
void store_drop_seek(struct store *s, int64_t session);
/* Sessions of other people's searches whose terms agree with those of `like`, the nearest points
 * first, then the oldest. */
struct ids store_seeks(struct store *s, struct arena *a, const struct seek_row *like, int most);
/* The searches of a person. */
struct ids store_seeks_of(struct store *s, struct arena *a, int64_t person);

/* Chat 0 is all chats. */
enum { ANY_CHAT = 0 };
void store_watch(struct store *s, int64_t person, int64_t chat, bool on);
/* Chats that the person watches. */
struct ids store_watches(struct store *s, struct arena *a, int64_t person);
/* People, except `without`, who watch that chat, or with `any` every chat, and have read of no
 * search since `before`; those who waited longest first. */
struct ids store_watchers(struct store *s, struct arena *a, int64_t chat, bool any, int64_t without,
                          int64_t before, int most);
void store_watcher_read(struct store *s, int64_t person, int64_t now);
void store_drop_watches(struct store *s, int64_t person);
/* Watches of `other` become those of `person`. */
void store_join_watches(struct store *s, int64_t person, int64_t other);

#endif
