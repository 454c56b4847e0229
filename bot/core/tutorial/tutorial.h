/* Buttons of the tutorial, and of the start menu that /start opens: what the index of a press
 * means. */
#ifndef KOIKOI_TUTORIAL_H
#define KOIKOI_TUTORIAL_H

/* VERB_TUTORIAL: 0 shows the lesson, 1 ... is an answer; the version is the place. */
enum { LESSON_AGAIN = 1000 /* from the start */ };

/* VERB_START_MENU. */
enum start_menu { MENU_OPEN, MENU_COMPUTER, MENU_FRIEND, MENU_CODE, MENU_GROUP };

#endif
