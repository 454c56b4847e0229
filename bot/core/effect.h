/* What a step wants: sessions and settings to save, lines for records, results for the scoreboard,
 * work for the computer player, and things to say. All of it is data. Nothing here is a sentence: a
 * `say` is a kind, keys, numbers and views, and present.c finds the words. In says there is never a
 * session, only a `struct table` and the view of the eyes it is for. */
#ifndef KOIKOI_EFFECT_H
#define KOIKOI_EFFECT_H

#include "event.h"
#include "lesson.h"
#include "season.h"
#include "session.h"
#include "text.h"
#include "view.h"

/* How a session is seen from one of its venues: the one of that number, 0 the home. */
struct seen_from {
    int64_t account;
    struct str chat, chat_name, language;
    int32_t utc_offset;
    uint8_t venue;
    bool direct, one_post;
};

/* What everybody may know of a session, and what `view.seat` may know of its cards. `at` is the
 * venue it is looked at from: the home, until present.c looks from another. */
struct table {
    int64_t no;
    uint32_t version, ping;
    uint8_t n_venues;
    struct seen_from at, venue[MAX_VENUES];     /* venue[0] is the home */
    bool again;                         /* a rematch; offered, `first` is who will deal first */
    uint8_t first;
    bool overdue, by_code, many;        /* many: other matches run in this chat, say the number */
    uint8_t phase, end, players;
    struct str match_id;
    struct player_seen {
        struct str name, id, handle, language, seed;
        int64_t person, account;
        bool computer, joined, ready, cut;
        uint8_t venue, channel, lot, level, character;
        uint32_t hand_no;
    } player[MAX_PLAYERS];
    struct rules rules;
    int8_t left;
    bool left_timeout;
    int64_t clock_ms, due, deadline;    /* deadline: end of the time for this move, 0 = none */
    char lots_commit[65], next_commit[65], deal_commit[65];     /* empty: none */
    char lots_seed[65], deal_seed[65];                          /* once revealed, else empty */
    struct view view;                   /* only from SESSION_PLAYING on */
    bool computer;                      /* somebody here is the computer */
    struct str hint;                    /* for the seat to move alone, once shown; empty: none */
};

enum say_kind {
    SAY_LINE,                   /* a sentence: key, args */
    SAY_OFFER,                  /* the challenge */
    SAY_START,                  /* accepted: the lots, who sits where, who deals */
    SAY_BOARD,                  /* the public view */
    SAY_HAND,                   /* a seat's own view with what it can do */
    SAY_HAND_SHORT,             /* the same for a popup */
    SAY_TARGETS,                /* what one card (n) could take: which? */
    SAY_PING,                   /* "your move" */
    SAY_QUIET,                  /* the ping is answered: take it away */
    SAY_ROUND,                  /* how a round ended, what comes next */
    SAY_VOID,                   /* a deal that does not count */
    SAY_MATCH,                  /* how the match ended */
    SAY_YAKU, SAY_RULES, SAY_SCORE, SAY_GAMES, SAY_STANDINGS, SAY_HELP, SAY_SETTINGS, SAY_VERIFY,
    SAY_EXPORT,
    SAY_OPPONENTS,
    SAY_REVIEW,                 /* the lesson: of the match (n = 0) or of a round by its place */
    SAY_DECLINE,                /* the reasons to choose from */
    SAY_INVITES,                /* challenges to say where the bot is not, by `rules` first; `table`
                                   knows who */
    SAY_MOVES,                  /* what a seat can do, to be said from any chat */
    N_SAYS
};

enum audience {
    TO_TABLE,                   /* every venue of the session, or the one that `only` names */
    TO_SEAT,                    /* one player, by the ladder of channels */
    TO_HERE,                    /* the chat where it was asked, for all */
    TO_ASKER,                   /* whoever asked, alone */
    TO_HANDLE                   /* one person's private chat on another network: `handle` */
};

/* Why a hand is shown: something happened; its owner asked; they asked once more for one that was
 * hidden in the group and has not changed: it was dropped there, so that a new one takes its
 * place. */
enum hand_asked { HAND_UNASKED, HAND_ASKED, HAND_AGAIN };
enum arg_kind { ARG_NONE, ARG_TEXT, ARG_INT, ARG_KEY, ARG_TIME, ARG_CARD, ARG_NAME, ARG_ALIAS };
struct arg {
    uint8_t kind;
    int64_t n;                  /* number, key, unix ms, card, verb */
    struct str s;               /* text; ARG_NAME: the shown name */
    struct str id;              /* ARG_NAME: network id; empty: none */
    int64_t account;            /* ARG_NAME: whose id that is; 0: of the network of the event */
};
enum { MAX_ARGS = 6, MAX_SAYS = 24, MAX_RECORDS = 8, MAX_RESULTS = MAX_PLAYERS * MAX_VENUES,
       MAX_SAVES = 16 /* all of one chat */, MAX_TABLES = 64, MAX_SEALS = 8 };

/* Somebody on one network: an account in the store and that network's id for them. */
struct handle { int64_t account; struct str id, name; };

struct round_note {
    int64_t round;
    uint8_t why;                /* enum round_why */
    int8_t winner;
    uint16_t base;
    int32_t points, scores[MAX_PLAYERS];
    uint16_t worth[N_YAKU];
    uint8_t hand;               /* enum hand_yaku */
    uint32_t x[N_MULTIPLIERS];
};
struct stand { int64_t place, person, won, drawn, lost, points; struct str name; };
struct board_facts {
    struct season_key season;
    bool last;                  /* of a season that has ended */
    int64_t ends;               /* unix ms; 0: it has ended */
    int n;
    const struct stand *at;
    const struct stand *own;    /* the asker's row if it is not among `at`; NULL: none */
    int64_t asker;
};

#define CLOCK_MS ((int64_t)24 * 3600 * 1000) /* for one move, unless told */

enum { CHARACTER_SIZE = 16 };
struct chat_settings {
    char rules[RULES_NAME_SIZE];        /* preset; empty: the daemon's default */
    uint8_t rounds;                     /* 0: the preset's */
    int64_t clock_ms;                   /* -1: CLOCK_MS, none with the computer */
    uint8_t season;                     /* enum season_length */
    char zone[48];                      /* "UTC", "+03:00", "Europe/Warsaw"; empty: UTC */
    char language[LANGUAGE_SIZE];       /* empty: the daemon's default */
    char opponent[CHARACTER_SIZE];      /* key of whom the computer plays as unless told; empty:
                                           itself */
};
struct person_prefs { char language[LANGUAGE_SIZE]; };

struct say {
    uint8_t kind, audience;
    int8_t seat;                /* TO_SEAT; SAY_PING: who */
    int8_t only;                /* TO_TABLE: one venue; -1: all */
    struct handle handle;       /* TO_HANDLE */
    bool fresh;                 /* SAY_HAND: shown anew (asked for), else only where one stands or
                                   nothing else can */
    bool notify, alert;
    enum text key;
    int64_t n;                  /* chooses the plural form; other uses by kind; SAY_HAND: enum
                                   hand_asked */
    struct arg arg[MAX_ARGS];
    const struct table *table;
    uint64_t verbs;             /* buttons under a line: bits of enum verb */
    struct str text;            /* SAY_EXPORT, SAY_HELP */
    const struct rules *rules, *versus;         /* SAY_RULES */
    int n_notes; const struct round_note *notes;
    int n_games; const struct table *const *games;
    const struct board_facts *board;
    int n_results; const struct result_effect *results;     /* SAY_MATCH; 0: it counts for no
                                                               season */
    const struct chat_settings *settings;
    const struct lesson *lesson;                /* SAY_REVIEW */
};

/* Lines of a record: the head, a deal that begins, what a step did. Sessions as they were then. */
enum record_kind { RECORD_MATCH, RECORD_DEAL, RECORD_LOG };
struct record_effect {
    uint8_t kind, session;      /* index into save[] */
    const struct session *before, *after;   /* RECORD_MATCH, RECORD_DEAL: the same */
    uint8_t deck[N_CARDS];      /* RECORD_DEAL */
    struct round_log log;       /* RECORD_LOG */
};
/* One player's result for the season of one venue, and for the seasons of other lengths that it
 * falls into, which may be asked for or set later. It is kept under the handle they played from; a
 * scoreboard adds up the handles of a person. Their places on it, from 1, 0 for none, before it is
 * added and after all of the match are, are written by whoever adds it. */
struct result_effect { int64_t chat; uint8_t venue, seat; struct handle who;
                       struct season_key season, also[N_SEASON_LENGTHS - 1];
                       int won, drawn, lost; int64_t points, was, place; };
/* Handles that become one person, or part: see people.c. */
enum link_kind { LINK_NONE, LINK_CODE, LINK_WRONG, LINK_JOIN, LINK_PART };
struct link_effect {
    uint8_t kind;
    struct str code;            /* LINK_CODE: the new one of the asker; it replaces an older */
    int64_t expires;
    int64_t person, other;      /* LINK_JOIN: `other` becomes `person`; LINK_PART: the handle that
                                   asks is `other` again, and `person` no more */
};
/* Work off the loop: the move of the computer whose session is save[session]; a hint for a view, a
 * lesson about a record, of session `no`. */
enum job_kind { JOB_MOVE, JOB_HINT, JOB_LESSON };
struct job_effect {
    uint8_t kind;
    const struct view *view;
    uint8_t level;
    uint64_t seed;
    uint32_t version;
    int session;
    int64_t no;
};

/* The commitment to a seed; several tables of one step show the same. */
struct seal { struct seed seed; char commit[SEED_HEX_SIZE]; };

struct effects {
    struct arena *arena;
    int n_saves; struct session *save[MAX_SAVES];       /* no == 0: new */
    bool set_chat; struct chat_settings chat;
    bool set_prefs; struct person_prefs prefs;
    int n_records; struct record_effect record[MAX_RECORDS];
    int n_results; struct result_effect result[MAX_RESULTS];
    bool think; struct job_effect job;
    struct link_effect link;
    int n_says; struct say *say[MAX_SAYS];
    int n_tables; struct table *table[MAX_TABLES];
    int n_seals; struct seal seal[MAX_SEALS];
};

/* A line "rules=sensei clock=..." both ways; what cannot be read keeps its default. */
void chat_settings_default(struct chat_settings *ret);
struct str chat_settings_write(const struct chat_settings *c, struct buf *ret);
void chat_settings_read(struct str line, struct chat_settings *ret);

/* A say that is appended; aborts if there is no room (MAX_SAYS is more than any step needs). */
struct say *effect_say(struct effects *fx, enum say_kind kind, enum audience to);
/* The table of a session for the eyes of a seat (or SEAT_PUBLIC). */
struct table *effect_table(struct effects *fx, struct made *made, const struct session *s,
                           int seat);
/* After the store has given a new session its number: writes it where it was not known yet. */
void effects_number(struct effects *fx, struct session *s, int64_t no);

#endif
