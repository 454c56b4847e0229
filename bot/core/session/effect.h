/* Effects of a step, all of them data: sessions and settings to save, lines for records, results
 * for the scoreboard, work for the computer player, notices.
 *
 *     struct effects fx = {.arena = turn}
 *     bot_step(&world, &event, &fx)          fills it by effect_notice(), effect_table()
 *     (the store saves the sessions)         effects_number(&fx, session, no) for new ones
 *     present(..., &fx, ...)                 notices become messages
 */
#ifndef KOIKOI_EFFECT_H
#define KOIKOI_EFFECT_H

#include "notice.h"
#include "rating.h"
#include "tally.h"

enum {
    MAX_NOTICES = 240, /* five for each session of a chat */
    MAX_RECORDS = 8,
    MAX_RESULTS = MAX_PLAYERS * MAX_VENUES,
    MAX_SAVES = 48, /* all sessions of one chat */
    MAX_TABLES = 320,
    MAX_SEALS = 8
};

/* Lines of a record: the head, the start of a deal, the log of a step, the first lines of another
 * match. Sessions as they were then.
 */
enum record_kind { RECORD_MATCH, RECORD_DEAL, RECORD_LOG, RECORD_FROM };
struct record_effect {
    uint8_t kind, session;                /* index into save[] */
    const struct session *before, *after; /* RECORD_MATCH, RECORD_DEAL: the same */
    uint8_t deck[N_CARDS];                /* RECORD_DEAL */
    struct round_log log;                 /* RECORD_LOG */
    int lines;                            /* RECORD_FROM */
    const struct seed *anew;              /* RECORD_FROM: of the stock; NULL: it lies as dealt */
};

/* One player's result in a match, for one venue. It belongs to the handle; a scoreboard adds up the
 * handles of a person. The caller of bot_step() fills the last lines: places on the scoreboard,
 * from 1, before this result and after all results of the match, 0 for none; what this player has
 * won and lost in the chat against the other of two, this match included; and the rating. */
struct result_effect {
    int64_t no, chat;
    uint8_t venue, seat;
    struct handle who; /* empty: the computer, or a forgotten person */
    int64_t person;    /* the handle's; 0: the computer */
    bool casual;       /* of no season */
    bool forfeit;      /* won or lost because somebody left */
    struct tally tally;
    int64_t was, place;
    int64_t met_won, met_lost;
    bool rated, over_limit; /* over_limit: the pair has had its rated matches of the day */
    struct rating rating;
    uint32_t badges; /* earned by it: bits of enum badge */
};

/* Work off the loop: a move for the session save[session]; a hint for a view, a review of a record,
 * of session `no`, which the chat gets or, JOB_REVIEW_PAGE, a page asks for; or a look-up of a round
 * of the beacon for it. */
enum job_kind { JOB_MOVE, JOB_HINT, JOB_REVIEW, JOB_REVIEW_PAGE, JOB_BEACON };
struct job_effect {
    uint8_t kind;
    const struct view *view;
    uint8_t level;
    uint64_t seed;
    uint32_t version;
    int session;
    int64_t no;
    int64_t round; /* JOB_BEACON */
};

/* Handles become one person, or no longer are. */
enum link_kind { LINK_CODE, LINK_WRONG, LINK_JOIN, LINK_PART, LINK_NEW };
struct link_effects {
    uint8_t kind;
    struct str code; /* LINK_CODE: replaces an older code of the sender */
    int64_t expires;
    /* LINK_JOIN: `other` becomes `person`; LINK_PART: the sender's handle is `other` again */
    int64_t person, other;
    /* LINK_NEW: browsers are no longer `person` (0: they stay); the chat's link has this name (empty:
     * it stays) */
    struct str room;
};

/* The commitment to a seed; computed once a step, although several tables show it. */
struct seal {
    struct seed seed;
    char commit[SEED_HEX_SIZE];
};

struct effects {
    struct arena *arena;
    int n_saves;
    struct session *save[MAX_SAVES]; /* no == 0: new */
    int n_records;
    struct record_effect record[MAX_RECORDS];
    int n_results;
    struct result_effect result[MAX_RESULTS];
    const struct chat_settings *chat; /* to save; NULL: they stay */
    struct person_prefs *prefs;       /* the sender's, to save; NULL: they stay */
    const struct job_effect *job;     /* NULL: none */
    const struct seed *ticket;        /* lets a browser in as the sender, once; NULL: none */
    struct str window; /* the browser that shows this code is the sender's; empty: none */
    enum widget { WIDGET_STAYS, WIDGET_SHOWN, WIDGET_TAKEN_AWAY } widget; /* beside the chat */
    bool forget; /* the sender: see bot/inbox/inbox_forget.c */
#define EFFECT(type, name) type *name;
#include "feature.def"
    int n_notices;
    struct notice *notice[MAX_NOTICES];
    int n_tables;
    struct table *table[MAX_TABLES];
    int n_seals;
    struct seal seal[MAX_SEALS];
};

/* A name as a table shows it: "Ann (2)" for the second Ann; see session_twin(). */
struct str effect_name(struct arena *a, struct str name, int twin);

/* All people at the table let others watch it by a link. */
bool effect_watched(const struct session *s);
/* A finished session becomes what it was at a position of its match. */
void effect_rewind(struct session *s, const struct match *position);
/* Appends a notice. Aborts above MAX_NOTICES, which is more than any step needs. */
struct notice *effect_notice(struct effects *fx, enum notice_kind kind, enum audience to);
/* The table of a session for the eyes of a seat (or SEAT_PUBLIC). */
struct table *effect_table(struct effects *fx, struct ruleset_cache *rulesets,
                           const struct session *s, int seat);
/* What of a table depends on the hour: the end of the move's time, vacations and quiet hours. */
void effect_times(struct table *t, const struct session *s, int64_t now);
/* Gives a new session the number from the store, in all tables as well. */
void effects_number(struct effects *fx, struct session *s, int64_t no);

#endif
