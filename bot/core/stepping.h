/* Inside a step: shared by the files that make up bot_step (step, lobby, play, knock, query, wish,
 * people, teach). */
#ifndef KOIKOI_STEPPING_H
#define KOIKOI_STEPPING_H

#include "step.h"

struct step { const struct world *w; const struct event *e; struct effects *fx; };

enum { HOUR_MS = 3600 * 1000, WRONG_CODES = 5 };
#define MINUTE_MS ((int64_t)60 * 1000)
#define DAY_MS ((int64_t)24 * HOUR_MS)
#define OFFER_MS DAY_MS                 /* a challenge stands this long */
#define PAUSE_MS (3 * MINUTE_MS)        /* between rounds */
#define ABANDON_MS (30 * DAY_MS)        /* nobody moves: closed without a result */
#define CLAIM_MS (7 * DAY_MS)           /* nobody claims: the same */
#define NUDGE_MS ((int64_t)HOUR_MS)
#define LINK_MS (10 * MINUTE_MS)        /* a code for linking is good this long */
#define REMEMBER_MS (7 * DAY_MS)        /* a way that failed is left out in the next match in that
                                           chat, too */
#define RETRY_MS (10 * MINUTE_MS)       /* a way that failed is tried again after this long, when
                                           asked for */

/* Which of the 128 bytes of chance are whose; no step uses one twice. */
enum { CHANCE_ID = 0, CHANCE_LOTS = 16, CHANCE_NEXT = 48, CHANCE_DELAY = 80, CHANCE_SEARCH = 88 };

struct arg a_str(struct str s);
struct arg a_int(int64_t n);
struct arg a_key(enum text key);
struct arg a_time(int64_t ms);
struct arg a_card(int card);
struct arg a_alias(int verb);
struct arg a_name(struct str name, struct str id);
struct arg a_seat(const struct session *s, int seat);

#define ARGS(...) (const struct arg[MAX_ARGS]){__VA_ARGS__}
#define NO_ARGS (const struct arg[MAX_ARGS]){{0}}
struct say *say_line(struct step *st, enum audience to, enum text key,
                     const struct arg args[MAX_ARGS]);
/* One short answer to whoever asked, alone; nothing changes. */
enum verdict refuse(struct step *st, enum text key, const struct arg args[MAX_ARGS]);
enum verdict answer(struct step *st, enum text key, const struct arg args[MAX_ARGS]);

/* A copy to work on; it is saved. */
struct session *step_change(struct step *st, const struct session *s);
/* Table for the eyes of a seat, with what only the world knows (other matches here). */
struct table *step_table(struct step *st, const struct session *s, int seat);

/* The rule set of that name; NULL: there is none. */
const struct rules *step_preset(const struct world *w, struct str name);
/* What is played in the chat unless told: by its settings, or the daemon's default if there is no
 * such rule set (any more). */
const struct rules *step_usual_rules(const struct world *w);

void seed_from(const struct event *e, int at, struct seed *ret);

/* How many sessions fit the event best, how well, and the first of them. */
struct candidates { const struct session *s; int n, best; };
struct candidates step_candidates(const struct world *w, const struct event *e);

/* What every verb does. `s` is the session picked. */
enum verdict lobby_challenge(struct step *st);
enum verdict lobby_accept(struct step *st, const struct session *s);
enum verdict lobby_decline(struct step *st, const struct session *s);
enum verdict lobby_cancel(struct step *st, const struct session *s);
enum verdict lobby_rematch(struct step *st, const struct session *s);
enum verdict lobby_join(struct step *st, const struct session *s);
/* A challenge was said where the bot is not, or somebody pressed its button. */
enum verdict lobby_invite(struct step *st);
/* Something to say is looked for. */
enum verdict lobby_query(struct step *st);
/* Reads the words of a challenge: rules, clock, who plays. False: the refusal has been said. */
struct wish {
    struct rules rules;
    int64_t clock_ms;
    int players;                /* 0 = not said */
    int computers, level;       /* level -1 = not said */
    int n_characters, character[MAX_PLAYERS];       /* named computers, in order */
    int open;
    bool by_code;
};
bool wish_read(struct step *st, struct str words, struct wish *ret);

enum verdict play_cards(struct step *st, const struct session *s);     /* VERB_PLAY, VERB_NUMBER */
/* True if the words name a card of the hand of the player to move. */
bool play_names(struct step *st, const struct session *s);
enum verdict play_move(struct step *st, const struct session *s);      /* VERB_MOVE */
/* koikoi, stop, declare, redeal */
enum verdict play_verb(struct step *st, const struct session *s);
enum verdict play_advice(struct step *st, const struct session *s);
/* Why this person cannot move now; true if it was said. */
bool play_out_of_turn(struct step *st, const struct session *s, int *ret_seat);
enum verdict play_ready(struct step *st, const struct session *s);
enum verdict play_cut(struct step *st, const struct session *s);
enum verdict play_resign(struct step *st, const struct session *s);
enum verdict play_claim(struct step *st, const struct session *s);
enum verdict play_wait(struct step *st, const struct session *s);
/* All seats are filled: draws the lots and deals. */
void play_start(struct step *st, struct session *s);
/* Deals the next round or attempt. */
void play_deal(struct step *st, struct session *s);
/* Makes a legal move of a seat and says what follows. */
void play_make(struct step *st, struct session *s, int seat, struct move m);
void play_leave(struct step *st, struct session *s, int seat, bool timeout);
/* The hand of a seat goes to whoever sits there. fresh: as a message of its own; asked: they asked
 * for it. */
void play_hand(struct step *st, const struct session *s, int seat, bool fresh, bool asked);

enum verdict knock(struct step *st, const struct session *s);
/* The bot leaves a chat, comes (back) to it, may do more or less in it: what becomes of its
 * matches. */
enum verdict chat_left(struct step *st);
enum verdict chat_joined(struct step *st);
enum verdict chat_rights(struct step *st);
enum verdict chat_away(struct step *st);
/* Two handles that are one person. */
enum verdict people_link(struct step *st);
enum verdict people_unlink(struct step *st);
/* Fills in the chat of the event as a venue. */
void lobby_venue(struct step *st, struct venue *ret);
/* The best way to show a hand on a network that can do this. */
enum channel lobby_channel(uint32_t can);
enum verdict unreachable(struct step *st, const struct session *s);
enum verdict nudge(struct step *st, const struct session *s);
/* Sets `due` and `knock` for the player to move, who begins now. */
void knock_turn(struct step *st, struct session *s);
void knock_close(struct session *s, enum session_end end);
int64_t knock_deadline(const struct session *s);

/* The teacher. A match is casual if it does not count for the season. */
bool teach_casual(const struct session *s);
void teach_think(struct step *st, const struct session *s);    /* of the player to move, no
                                                                  computer */
enum verdict teach_hint(struct step *st, const struct session *s);
enum verdict teach_hinted(struct step *st, const struct session *s);
enum verdict teach_review(struct step *st, const struct session *s);   /* s may be NULL */
enum verdict teach_reviewed(struct step *st, const struct session *s);

/* Questions change nothing. `many`: there are several it could be about. */
enum verdict query(struct step *st, const struct session *s, bool many);
enum verdict hello(struct step *st);
enum verdict which_match(struct step *st);
enum verdict no_match(struct step *st);
enum verdict settings(struct step *st);
enum verdict language(struct step *st);

/* Finding a card or take by what a person typed. */
enum find { FIND_ONE, FIND_NONE, FIND_MANY };
enum find find_card(struct arena *a, const struct words *w, cardset among, struct str folded,
                    int *ret);

#endif
