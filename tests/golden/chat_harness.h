/* Chat harness: the program under test in golden chats. The real inbox and the real store, with a
 * clock and chance that the test sets (chat_harness.c), and people who type and press
 * (chat_harness_people.c). The linker replaces some functions of the program (--wrap), so that
 * messages come here instead of the outbox (chat_harness_wrap.c); the product has no such door.
 *
 *     s = chat_harness_open(can)
 *     chat_harness_type(s, "alice", "tea", false, "/challenge @bob")
 *     n = chat_harness_sent(s, &sent)              what the bot sent
 *     chat_harness_forget(s)
 *     chat_harness_close(s)
 */
#ifndef KOIKOI_TEST_CHAT_HARNESS_H
#define KOIKOI_TEST_CHAT_HARNESS_H

#include "command.h"
#include "fake/fake_beacon.h"
#include "inbox.h"
#include "session.h"

struct sent_message {
    struct outgoing out;
    int account;   /* 0: the near network, 1: the far one */
    bool edit;     /* it replaces a standing message */
    bool dropped;  /* replace_only, without a standing message; or refused */
    bool refused;  /* by its chat */
    bool held;     /* the network takes it when it opens the chat again */
    bool waits;    /* there is no answer yet, only attempts */
    char post[16]; /* the network's id of the message */
};

struct chat_harness;

/* can: abilities of both networks. */
struct chat_harness *chat_harness_open(uint32_t can);
void chat_harness_close(struct chat_harness *s);
/* Ends the program and starts it again on the same store. */
void chat_harness_restart(struct chat_harness *s);
/* Lets the clock run on without the program, then starts it. */
void chat_harness_away(struct chat_harness *s, int64_t ms);
/* Flips a bit in the stored row of a match while the program does not run, then starts it. */
void chat_harness_damage(struct chat_harness *s, int64_t no);
/* Flips it back, and has the match tried again. */
void chat_harness_mend(struct chat_harness *s, int64_t no);
/* Moves the clock; timers fire in their order. */
void chat_harness_wait(struct chat_harness *s, int64_t ms);
/* Adds the catalogue of this language in tests/golden/texts and restarts the program. */
void chat_harness_speaks(struct chat_harness *s, const char *language);
/* Fixes the cards of a deal: "ann 1b 1r; bo 2a; field 3b; stock 4a"; the others follow in order. */
void chat_harness_deal(struct chat_harness *s, int round, int attempt, const char *cards);

/* Draws the deck of a deal of the next match from these client seeds, separated by bars, whatever
 * the players' are; round 0: the lots. */
void chat_harness_draw(struct chat_harness *s, int round, int attempt, const char *texts);

/* A public beacon is configured from now on, and answers so; restarts the program. */
void chat_harness_beacon(struct chat_harness *s, enum fake_beacon_way way);

/* ---- people (chat_harness_people.c) ---- */

void chat_harness_admin(struct chat_harness *s, const char *who);
/* A person types, in the group `room` or in private. */
void chat_harness_type(struct chat_harness *s, const char *who, const char *room, bool direct,
                       const char *text);
/* A person presses the newest button they can see whose label begins so. Returns false if there is
 * no such button. */
bool chat_harness_press(struct chat_harness *s, const char *who, const char *label);
/* The same in a group, of a message so old that the network does not say its topic. */
bool chat_harness_press_old(struct chat_harness *s, const char *who, const char *label);
/* The no-th button, from 1, of the newest message with buttons that the person can see. */
bool chat_harness_tap(struct chat_harness *s, const char *who, int no);
/* The same for a button of that message. Returns false if the person does not see it. */
bool chat_harness_press_in(struct chat_harness *s, const char *who, const struct sent_message *sent,
                           const struct button *button);
/* A person presses the newest button of that label from the group `room` or in private, whoever it
 * was made for: a forwarded message, or an app that lies. Returns false if there is no such
 * button. */
bool chat_harness_copy(struct chat_harness *s, const char *who, const char *room, bool direct,
                       const char *label);
/* Delivers the last press again: as another update, or as the same one. */
/* A press of a page, which stands under no message. */
void chat_harness_play_on(struct chat_harness *s, const char *who, int64_t no, int64_t step,
                          int64_t index);
void chat_harness_press_again(struct chat_harness *s, bool same_update);
/* A press with data that the bot never signed. */
void chat_harness_forge(struct chat_harness *s, const char *who, const char *data);
/* A reaction with a number to the newest private message, or to the one before it. Returns false if
 * there is no such message. */
bool chat_harness_react(struct chat_harness *s, const char *who, bool before, const char *number);
/* A person, or a bot, erases the bot's newest message in a group. Returns false if there is none. */
bool chat_harness_redact(struct chat_harness *s, const char *who, bool bot);
void chat_harness_answer(struct chat_harness *s, const char *who, const char *text);
/* An inline query. */
void chat_harness_inline_query(struct chat_harness *s, const char *who, const char *text);
/* A person posts the newest article whose title begins so in the group; the network reports it to
 * the bot or not. Returns false if there is no such article. */
bool chat_harness_post_article(struct chat_harness *s, const char *who, const char *title,
                               bool reported);
/* The next legal move of the newest live match, by a press: a capture if there is one; stop, or
 * koi-koi if `koikoi`. Returns false if no person is to move. */
bool chat_harness_auto(struct chat_harness *s, bool koikoi);

/* ---- the network (chat_harness_people.c) ---- */

/* The bot "joins" or "leaves" a group, its "rights" change there, or it is "deaf": it cannot read
 * an encrypted room. `by`: who did that; may be empty. */
void chat_harness_bot(struct chat_harness *s, const char *what, const char *room, const char *by);
/* A person leaves a group, or joins it again. */
void chat_harness_goes(struct chat_harness *s, const char *who, const char *room, bool back);
/* Reports that the last private message to this person could not be delivered. */
void chat_harness_unreachable(struct chat_harness *s, const char *who);
/* The network answers nothing that is sent to these places ("tea @bob") from now on; what waits in
 * others arrives. */
void chat_harness_hangs(struct chat_harness *s, const char *places);
bool chat_harness_hangs_at(const struct chat_harness *s, const struct outgoing *out);
/* The group refuses what the bot sends, or takes it again. */
void chat_harness_refuses(struct chat_harness *s, const char *room, bool refuses);
/* A person shuts their private chat with the bot, or opens it again. */
void chat_harness_blocks(struct chat_harness *s, const char *who, bool blocks);
/* The network asks for a pause of so many ms in the group. */
void chat_harness_hold(struct chat_harness *s, const char *room, int64_t ms);
/* Says of each person who was asked about whether they are an admin. */
void chat_harness_tell_admins(struct chat_harness *s);
/* The network gives a group another key. */
void chat_harness_moves(struct chat_harness *s, const char *room, const char *new_key);

/* ---- looking ---- */

/* The messages since the last call of chat_harness_forget(); returns their number. */
int chat_harness_sent(struct chat_harness *s, const struct sent_message **ret);
void chat_harness_forget(struct chat_harness *s);
/* The key that signs buttons. */
void chat_harness_key(struct chat_harness *s, struct seed *ret);
/* Reads a button's data. Returns false if the bot did not sign it. */
bool chat_harness_read_press(struct chat_harness *s, struct str data, struct press *ret);
/* True if this text is the stored record of a match, whole. */
bool chat_harness_is_record(struct chat_harness *s, struct str text);
/* The newest live session. Returns false without one. */
bool chat_harness_session(struct chat_harness *s, struct session *ret);

/* ---- inside the harness ---- */

enum {
    MAX_SENT = 4096,
    MAX_DEALS = 16,
    MAX_DRAWS = 32,
    MAX_STANDING = 512,
    JOBS = 8,
    MAX_ASKED = 128
};

struct fixed_deal {
    int round, attempt;
    char cards[512];
};
struct drawn_deal {
    int round, attempt;
    char id[MATCH_ID_SIZE], texts[160];
};
struct standing_post {
    char place[400], chat[400], slot[80], id[16];
    bool poll; /* which can be taken away, not edited */
};

struct chat_harness {
    struct arena *arena;
    char path[300];
    struct store *store;
    struct inbox *inbox;
    struct account accounts[2]; /* the near network and the far one */
    struct adapter adapters[2];
    char far[200];     /* people on the far network, separated by blanks */
    bool sender_far;   /* of the update that is made up now, ... */
    bool last_far;     /* ... and of last_press */
    char twins[64];    /* "ali=alice": whom the network knows by another's id; the far one is then
                          a second account of the near one from the next start on */
    char handles[256]; /* "bo=bob ann=": what people are called by; else as here */
    char apps[256];    /* "ann=pl bo=ja": languages of their apps */
    char code[40];     /* the newest code shown to people */
    struct ruleset_cache rulesets;
    struct clock clock;
    int64_t now;
    int64_t aside; /* when a match was set aside */
    uint64_t chance;
    int n_sent, n_read;
    struct sent_message sent[MAX_SENT];
    int n_reported;   /* what became of those before has been reported */
    char refuses[64]; /* a group that takes no message now; may be empty */
    char blocks[64];  /* a person who has shut their private chat; may be empty */
    char held[64];    /* one that takes none before held_until; may be empty */
    int64_t held_until;
    char hangs[64]; /* places, as outbox_post_key() has them, where the network does not answer */
    int n_standing;
    struct standing_post standing[MAX_STANDING];
    int n_deals;
    struct fixed_deal deals[MAX_DEALS];
    int n_draws;
    struct drawn_deal draws[MAX_DRAWS];
    int n_jobs;
    struct job jobs[JOBS];
    int updates;
    struct update last_press;
    char admin[32];
    bool asks_admins; /* the network says who is one only when it is asked */
    int n_asked;      /* questions that it has not answered */
    struct sent_message asked[MAX_ASKED];
    const char *anonymous;
    bool sounds;                  /* messages that ring say so */
    struct str texts_dir;         /* catalogues beside the built-in ones; empty: none */
    bool loses_jobs;              /* results of jobs do not arrive */
    bool computer_calls;          /* the computer's next stop becomes koi-koi */
    bool files_of_program;        /* embedded files are the program's, not those of the chats */
    struct beacon_client *beacon; /* NULL: none */
    enum fake_beacon_way beacon_way;
    const char *analysis; /* result of the next hint or review; empty: failure; NULL: the
                             real one */
};

/* The open one, for the replaced functions, which have no argument for it. */
extern struct chat_harness *harness;

/* A copy that lives as long as the harness. */
struct str chat_harness_keep(struct str s);
/* True for text that looks like a code for people to type: `k7qfm-2xa9d`, `12-k7qfm2xa`. */
bool chat_harness_is_code(struct str s);
/* Aborts with the error unless good. */
void chat_harness_must(bool good, const struct err *err);
/* Runs the jobs that are queued, and hands in their results; so with what the beacon is asked. */
void chat_harness_jobs(struct chat_harness *s);

#endif
