/* Outbox rows in the store, where messages stand, and pictures on networks. See store.h; only the
 * outbox calls these. */
#ifndef KOIKOI_STORE_OUT_H
#define KOIKOI_STORE_OUT_H

#include "adapter.h"

struct store;

struct out_row {
    int64_t id;
    int64_t account;
    struct str lane;    /* rows of a lane are sent one after another */
    struct str slot;    /* a newer row of the same lane and slot replaces it; or empty */
    bool attempted;     /* an attempt may have been made */
    int64_t not_before; /* unix ms; 0 = now */
    int64_t tries;
    struct str progress; /* of a message sent in several steps; the adapter's */
    struct str bytes;    /* struct outgoing, encoded */
};
struct out_rows {
    int n;
    struct out_row *at;
};

/* Adds a row and sets row->id, above that of every row there ever was. */
bool store_push(struct store *s, struct out_row *row, struct err *err) MUST_CHECK;
/* Deletes the rows from id `first` to id `last`. */
bool store_drop(struct store *s, int64_t first, int64_t last, struct err *err) MUST_CHECK;
/* Updates attempted, not_before, tries and progress. */
bool store_hold(struct store *s, const struct out_row *row, struct err *err) MUST_CHECK;
/* Rows in order of id, above `after`; an empty lane means all of them. For one lane it may scan all
 * rows. */
bool store_outbox(struct store *s, struct arena *a, int64_t account, struct str lane, int64_t after,
                  int most, struct out_rows *ret, struct err *err) MUST_CHECK;
/* The rows of one lane that were not attempted, by an index. */
bool store_waiting(struct store *s, struct arena *a, int64_t account, struct str lane,
                   int64_t after, int most, struct out_rows *ret, struct err *err) MUST_CHECK;
/* Deletes the rows of a lane and slot that were not attempted and have an id above `but`. */
bool store_drop_slot(struct store *s, int64_t account, struct str lane, struct str slot,
                     int64_t but, int *ret_dropped, struct err *err) MUST_CHECK;
/* The message that stands in a slot of a chat (`place`, the chat's key), by the network's id; empty
 * if no message stands there. */
bool store_post(struct store *s, struct arena *a, int64_t account, struct str place,
                struct str slot, struct str *ret, struct err *err) MUST_CHECK;
/* The slot in which this message stands, by any of its ids; empty if it stands in none. */
bool store_slot(struct store *s, struct arena *a, int64_t account, struct str place,
                struct str post, struct str *ret, struct err *err) MUST_CHECK;
bool store_set_post(struct store *s, int64_t account, struct str place, struct str slot,
                    struct str post, struct err *err) MUST_CHECK; /* empty: delete */
/* The network's id of an uploaded picture, by the picture's name (picture.h); empty if unknown. */
bool store_picture_file(struct store *s, struct arena *a, int64_t account, struct str name,
                        struct str *ret, struct err *err) MUST_CHECK;
bool store_set_picture_file(struct store *s, int64_t account, struct str name, struct str file,
                            int64_t now, struct err *err) MUST_CHECK; /* empty: delete */
/* Deletes ids stored before that time. */
bool store_forget_pictures(struct store *s, int64_t before, struct err *err) MUST_CHECK;

#endif
