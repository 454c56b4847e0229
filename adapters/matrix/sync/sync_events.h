/* The updates of one answer, collected into a batch. A server decides how many events an answer
 * has: beyond MAX_EVENTS, or MAX_BATCH updates, the rest is not read, with a line in the log. */
#ifndef KOIKOI_MATRIX_SYNC_EVENTS_H
#define KOIKOI_MATRIX_SYNC_EVENTS_H

#include "cursor.h"
#include "read.h"

enum { MAX_EVENTS = 50 * 1000, MAX_BATCH = 4000 };

struct sync_events {
    struct matrix *m;
    struct arena *a;
    struct matrix_session *next;
    struct batch *batch;
    int cap;
    int n_events;        /* read so far */
    struct update spare; /* additions to a full batch go here */
};

struct sync_events sync_events_begin(struct matrix *m, struct arena *a, struct matrix_session *next,
                                     struct batch *ret);
struct update *sync_events_add(struct sync_events *g); /* zeroed, at the end of the batch */
/* UPDATE_JOINED; `when` makes its id unique. */
void sync_events_add_joined(struct sync_events *g, const struct room *room, struct str when);
/* Counts one event. False if it must not be read. */
bool sync_events_count(struct sync_events *g);
/* The update of one event, if it has one. */
void sync_events_take(struct sync_events *g, const struct event_context *at, const cJSON *event);
/* Reads the events of a room in order, from number `first` on: updates, and changes of state. */
void sync_events_read(struct sync_events *g, const struct event_context *at, const cJSON *events,
                      int first);

#endif
