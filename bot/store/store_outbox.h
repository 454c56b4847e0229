/* Outbox rows in the store, where messages stand, and pictures on networks. See store.h; only the
 * outbox calls these, and the tools store_waiting_messages(). */
#ifndef KOIKOI_STORE_OUTBOX_H
#define KOIKOI_STORE_OUTBOX_H

#include "adapter.h"
#include "rows.h"

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
ROW_LIST(out_rows, struct out_row);

/* Adds a row; row->id is not read. Returns its id, above that of every row there ever was. */
int64_t store_push(struct store *s, const struct out_row *row);
/* Deletes the account's rows from id `first` to id `last`. */
void store_drop(struct store *s, int64_t account, int64_t first, int64_t last);
/* Updates attempted, not_before, tries and progress. */
void store_hold(struct store *s, const struct out_row *row);
/* Replaces the bytes of a row. */
void store_reword(struct store *s, int64_t account, int64_t id, struct str bytes);
/* Rows in order of id, above `after`; an empty lane means all of them. For one lane it may scan all
 * rows. */
struct out_rows store_outbox(struct store *s, struct arena *a, int64_t account, struct str lane,
                             int64_t after, int most);
/* The rows of one lane that were not attempted, by an index. */
struct out_rows store_waiting(struct store *s, struct arena *a, int64_t account, struct str lane,
                              int64_t after, int most);
/* Deletes the rows of a lane and slot that were not attempted and have an id above `but`. */
void store_drop_slot(struct store *s, int64_t account, struct str lane, struct str slot,
                     int64_t but);
/* The message that stands in a slot of a chat (`place`, the chat's key), by the network's id; empty
 * if no message stands there. */
struct str store_post(struct store *s, struct arena *a, int64_t account, struct str place,
                      struct str slot);
/* The slot in which this message stands, by any of its ids; empty if it stands in none. */
struct str store_slot(struct store *s, struct arena *a, int64_t account, struct str place,
                      struct str post);
/* An empty post deletes it. */
void store_set_post(struct store *s, int64_t account, struct str place, struct str slot,
                    struct str post);
/* The network's id of an uploaded picture, by the picture's name (picture.h); empty if unknown. */
struct str store_picture_file(struct store *s, struct arena *a, int64_t account, struct str name);
/* An empty file deletes it. */
void store_set_picture_file(struct store *s, int64_t account, struct str name, struct str file,
                            int64_t now);
/* Deletes ids stored before that time. */
void store_forget_pictures(struct store *s, int64_t before);

/* A row of the outbox without what it says, for the host. */
struct waiting_message {
    int64_t id;
    struct str account, lane, slot; /* the account's name; lane: the chat's key on the network */
    bool attempted;                 /* it may have been sent */
    int64_t tries, not_before, bytes;
};
ROW_LIST(waiting_messages, struct waiting_message);
/* With an id above `after`, in order, at most `most`. */
struct waiting_messages store_waiting_messages(struct store *s, struct arena *a, int64_t after,
                                               int most);

#endif
