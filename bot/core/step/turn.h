/* Inside a step: what handlers share, here and in the rooms of features. From the top down: step.c
 * calls the handlers of command.def; handlers call step_pick and timer; all of these call notice
 * and step_change. Calls never go back up (tests/rooms.sh). */
#ifndef KOIKOI_TURN_H
#define KOIKOI_TURN_H

#include "keyword.h"
#include "step.h"

enum { HOUR_MS = 3600 * 1000 };
#define MINUTE_MS  ((int64_t)60 * 1000)
#define DAY_MS     ((int64_t)24 * HOUR_MS)
#define ABANDON_MS (30 * DAY_MS) /* a match without clock and moves: closed, no result */

/* How many sessions fit the event best, how well, and the first of them. */
struct candidates {
    const struct session *s;
    int n, best;
};

struct step {
    const struct world *w;
    const struct event *e;
    struct effects *fx;
    struct candidates fits;     /* the event */
    bool taken_back;            /* a move */
    const struct session *open; /* a challenge to everybody, made by this step; NULL: none */
    uint8_t lost[MAX_PLAYERS];  /* by seat: 1 + the kept card that cannot take as it would have */
};

#define STEP_NEW(st, type, ...)                                                                    \
    ((type *)memcpy(arena_new((st)->fx->arena, type), &(const type){__VA_ARGS__}, sizeof(type)))

/* Which bytes of chance are whose; no step uses a byte twice. */
enum { CHANCE_ID = 0, CHANCE_LOTS = 16, CHANCE_NEXT = 48, CHANCE_DELAY = 80, CHANCE_SEARCH = 88 };

/* Handlers: one for each row of command.def. */
#define NO_SESSION(fn)   enum verdict fn(struct step *st);
#define ONE(scope, fn)   enum verdict fn(struct step *st, const struct session *s);
#define MAYBE(scope, fn) ONE(scope, fn)
#define SAYS(key)
#define COMMAND(verb, n, l, f, fn, ...) fn
#define EVENT(verb, l, f, fn)           fn
#include "command.def"
#define AFTER(fn)   void fn(struct step *st);
#define EXPIRED(fn) bool fn(struct step *st, const struct session *s);
#include "feature.def"

/* ---- notice.c: arguments of sentences, lines, messages whose buttons go dead ---- */
#define arg_str(text)      ((struct arg){.kind = ARG_TEXT, .s = (text)})
#define arg_int(number)    ((struct arg){.kind = ARG_INT, .n = (number)})
#define arg_key(text)      ((struct arg){.kind = ARG_KEY, .n = (text)})
#define arg_time(ms)       ((struct arg){.kind = ARG_TIME, .n = (ms)})
#define arg_card(card)     ((struct arg){.kind = ARG_CARD, .n = (card)})
#define arg_command(verb)  ((struct arg){.kind = ARG_ALIAS, .n = (verb)})
#define arg_private(verb)  ((struct arg){.kind = ARG_PRIVATE, .n = (verb)})
#define arg_in_group(verb) ((struct arg){.kind = ARG_GROUP, .n = (verb)})
#define arg_name(name, at) ((struct arg){.kind = ARG_NAME, .s = (name), .id = (at)})
struct arg arg_seat(const struct session *s, int seat);
struct arg arg_typed(struct step *st, struct str words); /* fit to be shown */
#define ARGS(...) ((const struct arg[MAX_ARGS]){__VA_ARGS__})

/* Lines, a sentence and its arguments: to some audience; to the sender alone, as a refusal (deny()
 * is false) or an answer; to every venue of a session, quietly, or with a sound and buttons (BUTTON_OF). */
#define notice_line(st, to, key, ...)      notice_with(st, to, key, ARGS(__VA_ARGS__))
#define refuse(st, key, ...)               notice_refuse(st, key, ARGS(__VA_ARGS__))
#define deny(st, key, ...)                 (notice_refuse(st, key, ARGS(__VA_ARGS__)), false)
#define answer(st, key, ...)               notice_answer(st, key, ARGS(__VA_ARGS__))
#define inform(st, s, key, ...)            notice_inform(st, s, key, ARGS(__VA_ARGS__))
#define announce(st, s, buttons, key, ...) notice_announce(st, s, buttons, key, ARGS(__VA_ARGS__))
#define BUTTON_OF(verb)                    ((uint64_t)1 << (verb))
struct notice *notice_with(struct step *st, enum audience to, enum text key,
                           const struct arg args[MAX_ARGS]);
enum verdict notice_refuse(struct step *st, enum text key, const struct arg args[MAX_ARGS]);
enum verdict notice_answer(struct step *st, enum text key, const struct arg args[MAX_ARGS]);
struct notice *notice_inform(struct step *st, const struct session *s, enum text key,
                             const struct arg args[MAX_ARGS]);
struct notice *notice_announce(struct step *st, const struct session *s, uint64_t buttons,
                               enum text key, const struct arg args[MAX_ARGS]);
/* A notice of another kind, with the table for the eyes of that seat. */
struct notice *notice_show(struct step *st, enum notice_kind kind, enum audience to,
                           const struct session *s, int seat);
enum verdict notice_not_theirs(struct step *st, const struct session *s); /* no seat in it */
bool notice_closed(struct step *st); /* with a refusal: the operator lets no match begin */
void notice_hello(struct step *st);  /* to a chat, or a person, that meets the bot */

/* This notice is the newest of its kind; the one before loses its buttons. */
void step_posts_add(struct step *st, struct session *s, enum posted kind, struct notice *notice);
/* A message to the sender alone is over: it loses its buttons. id: which one of its kind, or -1. */
void step_close_own(struct step *st, enum notice_kind kind, int64_t id);
void step_posts_close_hand(struct step *st, const struct session *s, int seat);
void step_posts_close(struct step *st); /* of all that went dead in this step */
/* NOTICE_PING, NOTICE_QUIET: about the message that pings; the second if there is one. */
struct notice *step_ping(struct step *st, const struct session *s, enum notice_kind kind);
void step_quiet(struct step *st, struct session *s);

/* ---- step_change.c ---- */
/* A copy to work on; it will be saved. So ask first, then change. */
struct session *step_change(struct step *st, const struct session *s);
/* The same for a change that is no act of the sender in that match. */
struct session *step_save(struct step *st, const struct session *s);
const struct session *step_before(const struct step *st, const struct session *s); /* NULL: new */
/* A copy as it is now, which is not saved: what a change began from, or led to. */
struct session *step_snapshot(struct step *st, const struct session *s);
const struct ruleset *step_ruleset(struct step *st, const struct session *s);
/* Their hand will be shown in a new message, sent at that time; 0: not yet. */
void step_new_hand(struct player *p, int64_t at);
/* Table for the eyes of a seat, with what only the world knows (other matches here). */
struct table *step_table(struct step *st, const struct session *s, int seat);
const struct rules *step_preset(const struct world *w, struct str name); /* NULL: not found */
/* The chat's rule set; the daemon's default if the chat has none, or one that no longer exists. */
const struct rules *step_usual_rules(const struct world *w);
/* Rounds if no number is given. `named`: the rule set was asked for; `few`: lobby, tournament. */
int step_usual_rounds(const struct world *w, const struct rules *r, bool named, bool few);
struct person_prefs *step_prefs(struct step *st); /* the sender's, to change; they are saved */
/* Of the event's chat; one that has none takes the sender's for its own. May be empty. */
struct str step_chat_language(struct step *st);
int64_t step_post(const struct step *st); /* number of a new post to leaf through */
/* True if an answer can reach the sender alone: in private, or unseen in the group. */
bool step_reaches_alone(const struct step *st);
/* The keyword that words are, in any language; the seat of the sender. */
enum keyword step_keyword(const struct step *st, struct str words);
int step_seat(const struct step *st, const struct session *s);
void query_ticket(struct step *st);      /* in private a link: a browser becomes the sender's */
enum channel channel_best(uint32_t can); /* to show a hand on a network that can do this */

/* ---- step_pick.c ---- */
struct candidates step_candidates(const struct world *w, const struct event *e);
enum verdict step_no_match(struct step *st);
enum verdict step_which_match(struct step *st);
/* The live sessions of the chat, with `mine` of the sender too, that fit the event so well (-1: all). */
struct tables step_list(struct step *st, int fit, bool mine);

/* ---- timer.c ---- */
void timer_set(struct session *s, int64_t due, enum timer timer);
/* True if an idle player is pinged: not against the computer, in one post, or by each new hand. */
bool timer_pings(const struct session *s, int seat);
/* When the player of a seat may be pinged, unless something is heard of them before. */
int64_t timer_idle_at(struct step *st, const struct session *s, int seat);
void timer_turn(struct step *st, struct session *s);     /* the player to move begins now */
bool timer_stands(const struct session *s);              /* the player to move is out of reach */
void timer_computer(struct step *st, struct session *s); /* it moves after its thinking time */
bool timer_paused(const struct step *st, const struct session *s); /* that is over */
void timer_close(struct session *s, enum session_end end);

/* Orders for work off the loop; a step orders one at most. */
void job_move(struct step *st, const struct session *s, int seat);
void job_hint(struct step *st, const struct session *s); /* for the player to move */

#endif
