/* The doctor's questions in a room of its own, and what the answers mean. exam_room() begins; each
 * of the others takes the answer to one question, says what it found, and asks the next. */
#ifndef KOIKOI_MATRIX_EXAMINE_ROOM_H
#define KOIKOI_MATRIX_EXAMINE_ROOM_H

#include "wire.h"

#define EXAM_DEVICE "KOIKOI-DOCTOR"

enum exam_step {
    EXAM_BEGIN,
    EXAM_FIND,
    EXAM_VERSIONS,
    EXAM_METADATA,
    EXAM_FLOWS,
    EXAM_LOGIN,
    EXAM_WHOAMI,
    EXAM_ROOM,
    EXAM_CLOSED,
    EXAM_SAY,
    EXAM_LEAVE,
    EXAM_FORGET,
    EXAM_LOGOUT,
    EXAM_END
};

/* A question of the doctor's: its answer comes to what stands for `step`. */
void exam_ask(struct matrix *m, struct arena *a, enum exam_step step, const char *method,
              struct str path, struct request *next);
/* What remains when the room is gone: our own session, if there is one. */
void exam_log_out(struct matrix *m, struct arena *a, struct request *next);

void exam_room(struct matrix *m, struct arena *a, struct request *next);
void exam_found_room(struct matrix *m, struct arena *a, const struct reply *reply,
                     struct request *next, struct findings *ret);
void exam_found_closed(struct matrix *m, struct arena *a, const struct reply *reply,
                       struct request *next, struct findings *ret);
void exam_found_said(struct matrix *m, struct arena *a, const struct reply *reply,
                     struct request *next, struct findings *ret);
void exam_left(struct matrix *m, struct arena *a, const struct reply *reply, struct request *next,
               struct findings *ret);
void exam_forgot(struct matrix *m, struct arena *a, const struct reply *reply, struct request *next,
                 struct findings *ret);

#endif
