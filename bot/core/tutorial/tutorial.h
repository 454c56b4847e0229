/* Buttons of the tutorial, and of the door that /start opens: what the index of a press means. */
#ifndef KOIKOI_TUTORIAL_H
#define KOIKOI_TUTORIAL_H

/* VERB_TUTORIAL: 0 shows the lesson, 1 ... is an answer; the version is the place. */
enum { LESSON_AGAIN = 1000 /* from the start */ };

/* VERB_DOOR. */
enum door { DOOR_OPEN, DOOR_COMPUTER, DOOR_FRIEND, DOOR_CODE, DOOR_GROUP, N_DOORS };

#endif
