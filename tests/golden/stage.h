/* The stage on which golden chats are played: the real inbox and the real store, a clock and chance
 * that are moved by hand (stage.c), and people who type and press (stage_people.c). What the bot
 * says is caught where it would go to the outbox (stage_catch.c): golden_test is linked with some
 * functions replaced (--wrap). The program that people run has no such door. */
#ifndef KOIKOI_STAGE_H
#define KOIKOI_STAGE_H

#include "inbox.h"
#include "session.h"

struct said {
    struct outgoing out;
    int account;                /* 0: said on the near network, 1: on the far one */
    bool edit;                  /* it replaces a message that stands */
    bool dropped;               /* replace_only, and nothing stands */
    char post[16];              /* what the network calls the message */
};

struct stage;

struct stage *stage_open(uint32_t can);
void stage_close(struct stage *s);
/* Ends the program and starts it again on the same store. */
void stage_restart(struct stage *s);

/* Somebody types; in the group `room`, or in private. */
void stage_type(struct stage *s, const char *who, const char *room, bool direct, const char *text);
/* Somebody presses the newest button with that label that they can see; false if there is none. */
bool stage_press(struct stage *s, const char *who, const char *label);
/* The same press once more, as a network may deliver it twice: another update, or the same one. */
void stage_press_again(struct stage *s, bool same_update);
/* A number under the newest private message to them, or under the one before it; false if there is
 * none. */
bool stage_react(struct stage *s, const char *who, bool before, const char *number);
/* Somebody looks for something to say by way of the bot; then says the newest answer whose title
 * begins so: it stands in the group, and the bot is told of it or not. False: there is none. */
void stage_ask(struct stage *s, const char *who, const char *text);
bool stage_say(struct stage *s, const char *who, const char *title, bool told);
/* A press whose data the bot never wrote. */
void stage_forge(struct stage *s, const char *who, const char *data);
/* The bot "joins" or "leaves" a group, or its "rights" change there, or it is "deaf": it cannot
 * read. */
void stage_bot(struct stage *s, const char *what, const char *room);
/* The network says that the last private message to this person cannot be given. */
void stage_unreachable(struct stage *s, const char *who);
/* Moves the clock; what becomes due happens in its order. */
void stage_wait(struct stage *s, int64_t ms);
void stage_admin(struct stage *s, const char *who);
/* The program does not run for so long, and starts again. */
void stage_away(struct stage *s, int64_t ms);
/* The network gives a group another key. */
void stage_moves(struct stage *s, const char *room, const char *new_key);
/* A catalogue of this language (catalogue.h) is laid where the program looks for them; it starts
 * again. */
void stage_speaks(struct stage *s, const char *language);
/* The next legal move of the newest live match, by a press: the first that takes, stop when it
 * can. */
bool stage_auto(struct stage *s, bool koikoi);
/* Sets the cards of a deal: "ann 1b 1r; bo 2a; field 3b; stock 4a"; the rest follows in order. */
void stage_deal(struct stage *s, int round, int attempt, const char *cards);

/* What was said since the last call of stage_heard(). */
int stage_said(struct stage *s, const struct said **ret);
void stage_heard(struct stage *s);
/* The newest live session; false if there is none. */
bool stage_session(struct stage *s, struct session *ret);

enum { MAX_SAID = 4096, MAX_DEALS = 16, MAX_POSTS = 512, JOBS = 8 };

struct deal { int round, attempt; char cards[512]; };
struct post { char place[400], slot[80], id[16]; };

struct stage {
    struct arena *arena;
    char path[300];
    struct store *store;
    struct inbox *inbox;
    struct account accounts[2];         /* the near network and the far one */
    struct adapter adapters[2];
    char far[200];                      /* who is on the far one, blank separated */
    char code[40];                      /* the newest that was shown */
    struct made made;
    struct clock clock;
    int64_t now;
    uint64_t chance;
    int n_said, n_heard;
    struct said said[MAX_SAID];
    int n_posts;
    struct post posts[MAX_POSTS];
    int n_deals;
    struct deal deals[MAX_DEALS];
    int n_jobs;
    struct job jobs[JOBS];
    int updates;
    struct update last_press;
    char admin[32];
    const char *anonymous;
    struct str texts_dir;       /* catalogues beside the built-in ones; empty: none */
    bool lose;                  /* what is being computed does not arrive */
    bool goes_on;               /* the computer's next stop becomes koi-koi */
    const char *teaches;        /* what the teacher says next; empty: nothing; NULL: as it thinks */
};

extern struct stage *stage;             /* the one that is open: the replaced functions have no
                                           argument for it */

/* A copy that stays for as long as the stage. */
struct str stage_keep(struct str s);
/* `k7qfm-2xa9d`, `12-k7qfm2xa`: what stands between marks for code and looks like one. */
bool stage_is_code(struct str s);
/* The program breaks off unless it is good. */
void stage_must(bool good, const struct err *err);
/* Runs what the computer was asked. */
void stage_jobs(struct stage *s);

#endif
