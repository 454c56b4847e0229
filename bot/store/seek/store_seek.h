/* Searches for an opponent that wait, and the people who want to read of them. */
#ifndef KOIKOI_STORE_SEEK_H
#define KOIKOI_STORE_SEEK_H

#include "store.h"

struct seek_row {
    int64_t session, person, points, at;
    struct str rules, clock; /* empty: any */
};

bool store_put_seek(struct store *s, const struct seek_row *row, struct err *err) MUST_CHECK;
bool store_drop_seek(struct store *s, int64_t session, struct err *err) MUST_CHECK;
/* Sessions of other people's searches whose terms agree with those of `like`, the nearest points
 * first, then the oldest. */
bool store_seeks(struct store *s, struct arena *a, const struct seek_row *like, int most,
                 struct ids *ret, struct err *err) MUST_CHECK;

/* The searches of a person. */
bool store_seeks_of(struct store *s, struct arena *a, int64_t person, struct ids *ret,
                    struct err *err) MUST_CHECK;

/* Chat 0 is all chats. */
enum { ANY_CHAT = 0 };
bool store_watch(struct store *s, int64_t person, int64_t chat, bool on,
                 struct err *err) MUST_CHECK;
/* Chats that the person watches. */
bool store_watches(struct store *s, struct arena *a, int64_t person, struct ids *ret,
                   struct err *err) MUST_CHECK;
/* People, but for `without`, who watch that chat, or with `any` every chat, and read of nobody
 * since `before`; those who waited longest first. */
bool store_watchers(struct store *s, struct arena *a, int64_t chat, bool any, int64_t without,
                    int64_t before, int most, struct ids *ret, struct err *err) MUST_CHECK;
bool store_watcher_told(struct store *s, int64_t person, int64_t now, struct err *err) MUST_CHECK;
/* Watches of `other` become those of `person`. */
bool store_join_watches(struct store *s, int64_t person, int64_t other, struct err *err) MUST_CHECK;

#endif
