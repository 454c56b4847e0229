/* Inside play: one copy of the scenario, and what its steps are done with. play.c runs the copies,
 * play_step.c does a step, play_look.c and play_press.c have the large ones. */
#ifndef FAKE_PLAY_COPY_H
#define FAKE_PLAY_COPY_H

#include "script.h"
#include "world.h"

/* Ids of people and groups of one copy are this far from those of the next. */
enum { STRIDE = 1000 };
enum { MAX_VIEWS = 64, MAX_DEPTH = 8 };
enum result { DONE, WAIT, FAILED };

/* How far a copy has read a chat (public, or what one person alone sees), and last pressed there.
 */
struct view {
    int64_t chat, receiver;
    uint64_t seen, pressed;
};

struct copy {
    int number, at, depth, n_views, mover, pings;
    int64_t left[MAX_DEPTH];
    uint64_t since[MAX_DEPTH]; /* what loops wait for was not said until then */
    uint64_t looked;           /* what the step waits for was not there until then */
    struct view views[MAX_VIEWS];
    struct chat *groups[MAX_GROUPS];
    int64_t last_tap[MAX_PEOPLE];
    uint64_t always[MAX_ALWAYS]; /* the newest message on which this was pressed */
    int64_t deadline, turn, acted_at;
    uint64_t acted_event;
    bool over, tried_in_vain, pinging;
    char *last_words;
    struct words *words;      /* all that was said and edited, newest first */
    const struct words *held; /* the newest when `holds` or `releases` came */
};

struct words {
    struct words *before;
    const struct chat *chat;
    int64_t receiver, thread;
    char *text;
};

extern struct script script;
extern struct tally {
    int64_t presses, texts;
} tally;

/* ---- play.c ---- */
/* The copy has waited for this message since it did something last. */
void play_time(struct copy *x, const struct message *m);

/* ---- play_step.c ---- */
enum result play_step(struct copy *x, const struct step *s);

/* ---- play_look.c ---- */
int64_t play_person(const struct copy *x, int person);
int play_actor(const struct copy *x, const struct step *s);
/* The chat that a step is about, for this person. */
struct chat *play_place(const struct copy *x, const struct step *s, int person);
/* Who alone sees what the step is about; 0: everybody. */
int64_t play_receiver(const struct copy *x, const struct step *s);
/* "{copy}" becomes the copy's number; the first copy has none. The caller frees it. */
char *play_filled(const struct copy *x, const char *text);
struct view *play_view(struct copy *x, int64_t chat, int64_t receiver);
bool play_matches(const struct step *s, const char *text);
/* The earliest thing the bot said after `since` that matches. */
struct message *play_said_since(const struct step *s, struct chat *c, int64_t receiver,
                                uint64_t since);
/* How often it was said, whatever became of the message later: of all that is newer than `from`. */
int64_t play_times_said(struct copy *x, const struct step *s, const struct words *from);
enum result play_expect(struct copy *x, const struct step *s);
enum result play_hold(struct copy *x, const struct step *s);
enum result play_who(struct copy *x, const struct step *s);

/* ---- play_press.c ---- */
enum result play_press(struct copy *x, const struct step *s);
/* What somebody presses whenever it is there: once on each message, beside the steps. */
void play_press_always(struct copy *x);
/* Presses what no button says, on the newest message of the bot in the chat. */
enum result play_forge(struct copy *x, const struct step *s);
enum result play_ask(struct copy *x, const struct step *s);
enum result play_toast(struct copy *x, const struct step *s);

#endif
