/* One copy of a story. play.c runs the copies, play_step.c does a step, play_look.c and
 * play_press.c hold the large kinds of steps. */
#ifndef FAKE_PLAY_COPY_H
#define FAKE_PLAY_COPY_H

#include "script.h"
#include "fake/telegram/world.h"

/* Distance between the ids of one copy's people and groups and the next one's. */
enum { STRIDE = 1000 };
enum { MAX_VIEWS = 64, MAX_DEPTH = 8 };
enum result { DONE, WAIT, FAILED };

/* How far a copy has read a chat (publicly, or as one person sees it), and where it pressed last.
 */
struct copy_view {
    int64_t chat, receiver;
    uint64_t seen, pressed;
};

struct copy {
    int number, at, depth, n_views, mover, pings;
    int64_t left[MAX_DEPTH];
    uint64_t since[MAX_DEPTH]; /* messages up to this one do not end the loop */
    uint64_t looked;           /* messages up to this one do not end the step */
    struct copy_view views[MAX_VIEWS];
    struct tg_chat *groups[MAX_GROUPS];
    int64_t last_tap[MAX_PEOPLE];
    uint64_t always[MAX_ALWAYS]; /* newest message on which it pressed */
    int64_t deadline, turn, acted_at;
    uint64_t acted_event;
    bool over, tried_in_vain, pinging;
    char *last_words;
    struct copy_words *words;      /* all messages and edits, newest first */
    const struct copy_words *held; /* the newest one at `holds` or `releases` */
};

struct copy_words {
    struct copy_words *before;
    const struct tg_chat *chat;
    int64_t receiver, thread;
    char *text;
};

extern struct story_run {
    const char *file;
    int copies;
    double patience; /* factor for the time limits of steps */
} story;
extern struct story_script script;
extern struct story_tally {
    int64_t presses, texts;
} tally;

/* ---- play.c ---- */
/* Counts the time since the copy's last action, which led to this message. */
void play_time(struct copy *x, const struct tg_message *m);

/* ---- play_step.c ---- */
enum result play_step(struct copy *x, const struct story_step *s);

/* ---- play_look.c ---- */
int64_t play_person(const struct copy *x, int person);
int play_actor(const struct copy *x, const struct story_step *s);
/* The chat of a step, for this person. */
struct tg_chat *play_place(const struct copy *x, const struct story_step *s, int person);
/* The only person who sees what the step looks for; 0: everybody. */
int64_t play_receiver(const struct copy *x, const struct story_step *s);
/* Replaces "{copy}" by the copy's number (nothing for the first) and "{bo}" by "[12]", the id of
 * that person. The caller frees it. */
char *play_filled(const struct copy *x, const char *text);
struct copy_view *play_view(struct copy *x, int64_t chat, int64_t receiver);
bool play_matches(const struct story_step *s, const char *text);
/* The earliest matching message of the bot after `since`. */
struct tg_message *play_said_since(const struct story_step *s, struct tg_chat *c, int64_t receiver,
                                   uint64_t since);
/* Number of matching messages newer than `from`, also of those changed or erased later. */
int64_t play_times_said(struct copy *x, const struct story_step *s, const struct copy_words *from);
enum result play_expect(struct copy *x, const struct story_step *s);
enum result play_hold(struct copy *x, const struct story_step *s);
enum result play_who(struct copy *x, const struct story_step *s);

/* ---- play_press.c ---- */
enum result play_press(struct copy *x, const struct story_step *s);
/* The `always` steps: presses a button as soon as it appears, once on each message. */
void play_press_always(struct copy *x);
/* Presses data that no button holds, on the newest message of the bot in the chat. */
enum result play_forge(struct copy *x, const struct story_step *s);
enum result play_ask(struct copy *x, const struct story_step *s);
enum result play_toast(struct copy *x, const struct story_step *s);

#endif
