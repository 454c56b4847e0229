/* Stories: people and groups that follow a script against the bot, in any number of copies at once;
 * and loads, in which many chats send "/ping N" and wait for an answer that ends with N.
 * README.md lists the steps of a script.
 *
 *     person ann 1 Ann @ann
 *     group tea 5 "Tea room"
 *     ann@tea> /challenge @bo
 *     tea: Ann challenges Bo
 *     bo@tea presses Accept
 *     ann@tea: Your hand            only Ann sees it
 */
#ifndef FAKE_STORY_H
#define FAKE_STORY_H

#include "world.h"

#include <regex.h>

/* What main.c may be told to do; each adds its fields to the result line and returns true if all
 * went well. _begin returns false if the command line does not ask for it. */
extern const struct argument play_table[], load_table[];
bool play_begin(void);
bool play_report(struct text_buffer *t);
bool load_begin(void);
bool load_report(struct text_buffer *t);
/* Percentile p (0 < p <= 1) of n durations in us, as ms; 0 if n is 0. Sorts the durations. */
double percentile_ms(uint32_t *us, int64_t n, double p);

/* ---- actions of people, as updates for the bot: actions.c ---- */

/* In privacy mode, unless it is an administrator, the bot gets commands, replies to it and mentions
 * of it only. */
enum action_as { AS_SELF, AS_ANONYMOUS, AS_HIDDEN /* an ephemeral command */ };
void action_say(struct tg_chat *c, int64_t person, int64_t thread, const char *words,
                enum action_as as);
/* late: the tap expires before the bot answers it. */
struct tap *action_press(struct tg_chat *c, int64_t person, const struct tg_message *m,
                         const char *data, bool late);
void action_standing(struct tg_chat *c, int64_t person, enum tg_standing now);
void action_block(int64_t person);
/* Turns the group into a supergroup with another id. Returns that chat. */
struct tg_chat *action_migrate(struct tg_chat *c, int64_t person, int64_t new_id);

/* ---- the script: script.c ---- */

enum { NOBODY = -1, ANYBODY = -2, MOVER = -3, ANONYMOUS = -4 };
enum { MAX_PEOPLE = 32, MAX_GROUPS = 16, MAX_ALWAYS = 8, MAX_VIEWS = 64, MAX_DEPTH = 8 };

struct copy;
struct story_step;
enum result { DONE, WAIT, FAILED };

/* A kind of step. A row in steps.c is all that a new one needs. */
struct story_verb {
    const char *word;
    enum result (*act)(struct copy *x, const struct story_step *s); /* NULL: repeat and end */
    int arg;
    enum { PLAIN, PATTERN, ALONE } form; /* the rest of the line; ALONE: no place before it */
};
extern const struct story_verb story_verbs[];

struct story_step {
    const struct story_verb *verb;
    int line;
    int person, group; /* index, or one of the above; group NOBODY: the private chat */
    int64_t thread;
    const char *text; /* as written */
    regex_t pattern;
    bool late, again, chance, last, but, try, otherwise, until, always, lying, stolen;
    double within; /* seconds */
    int64_t n, seconds;
    int other_end; /* of a repeat and its end: the partner */
};

struct cast_person {
    const char *key, *name, *handle, *language;
    int64_t id;
    bool opened, owner;
};
struct cast_group {
    const char *key, *title;
    int64_t id;
    bool super, forum, admin, bare, without;
};

extern struct story_script {
    struct story_step *steps, always[MAX_ALWAYS]; /* always: those beside the others */
    struct cast_person people[MAX_PEOPLE];
    struct cast_group groups[MAX_GROUPS];
    int n, n_always, n_people, n_groups;
} script;
/* Reads the file. Ends the program with the line and the reason if it is wrong. */
void script_read(const char *file);

/* ---- one copy of a story: play.c runs it, steps.c does a step ---- */

enum {
    STRIDE = 1000
}; /* distance between the ids of one copy's people and groups and the next's */

struct copy_words {
    struct copy_words *before;
    const struct tg_chat *chat;
    int64_t receiver, thread;
    char *text;
};

struct copy {
    int number, at, depth, n_views, mover, pings;
    int64_t left[MAX_DEPTH];
    uint64_t since[MAX_DEPTH]; /* messages up to this one do not end the loop */
    uint64_t looked;           /* messages up to this one do not end the step */
    /* How far it has read a chat, publicly or as one person sees it, and where it pressed last. */
    struct copy_view {
        int64_t chat, receiver;
        uint64_t seen, pressed;
    } views[MAX_VIEWS];
    struct tg_chat *groups[MAX_GROUPS];
    int64_t last_tap[MAX_PEOPLE];
    uint64_t always[MAX_ALWAYS]; /* newest message on which it pressed */
    int64_t deadline, turn, acted_at;
    uint64_t acted_event;
    bool over, tried_in_vain, pinging;
    struct copy_words *words;      /* all messages and edits, newest first */
    const struct copy_words *held; /* the newest one at `holds` or `releases` */
};

extern struct story_tally {
    int64_t presses, texts;
} tally;

/* Counts the time since the copy's last action, which led to this message. */
void play_time(struct copy *x, const struct tg_message *m);
int64_t play_person(const struct copy *x, int person);
/* Replaces "{copy}" by the copy's number (nothing for the first) and "{bo}" by "[12]", the id of
 * that person. The caller frees it. */
char *play_filled(const struct copy *x, const char *text);
/* The earliest matching message of the bot at the step's place after `since`. */
struct tg_message *play_said_since(const struct copy *x, const struct story_step *s,
                                   uint64_t since);
/* The `always` steps: presses a button as soon as it appears, once on each message. */
void play_press_always(struct copy *x);

#endif
