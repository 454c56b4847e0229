/* Seasons as pages show them: a season's table (/board), the card of a person with its tabs (/me,
 * /history, /versus, /rating), badges, a hand that won. The inbox loads the facts before a step. */
#ifndef KOIKOI_SEASONS_H
#define KOIKOI_SEASONS_H

#include "rating.h"
#include "step.h"
#include "tally.h"

/* Badges: what a player may be proud of. Each is earned once, and announced once, in the chat where
 * it happened. What earns one is in config/badges.json. To add one: a row here, its name in the
 * catalogues (badge_NAME), a row there. */
enum badge { BADGE_GOKO, BADGE_SHIKO, BADGE_HUNDRED, BADGE_RUN, BADGE_CHAMPION, N_BADGES };
extern const struct badge_row_of {
    const char *key; /* in config/badges.json and the store */
    enum text text;
} badges[N_BADGES];

/* What earns it. */
enum badge_kind {
    BADGE_NEVER,
    BADGE_BY_STREAK,  /* n matches won in a row */
    BADGE_BY_POINTS,  /* n points in one round */
    BADGE_BY_SEASONS, /* a season won */
    BADGE_BY_YAKU     /* a round won with this yaku: n */
};
struct badge_rules {
    struct badge_rule {
        enum badge_kind kind;
        int64_t n;
    } rule[N_BADGES];
};
/* Returns N_BADGES if not found. */
enum badge badge_find(struct str key);

/* A hand that won, as it is kept with a player's results: its yaku with their worth, and the
 * product of the multipliers, the captures as the bits of a cardset: "goko=10 hanami=5 x=4
 * pile=5"; "four=6" for a hand yaku. Older ones have no captures. */
void hand_won_write(const struct round_summary *round, struct buf *ret);
/* Fills worth, hand and base, pile, and x[0] with the product; skips words it does not know. */
void hand_won_read(struct str s, struct round_summary *ret);

struct stand {
    int64_t place, person;
    struct tally tally;
    int64_t best, longest; /* points of the dearest round won; matches won in a row */
    struct str best_hand;  /* by hand_won_write() */
    struct str name;
    bool rated;
    struct rating rating;
};
struct champion_seen {
    struct season_key season;
    struct str name;
};
/* Index of a button of the table: its page; or this and the page, for a picture of it. */
enum { BOARD_PICTURE = 1 << 12 };
/* One page of a season's table. */
struct board_facts {
    struct season_key season;
    bool open;       /* it has no date for its end */
    int64_t ends;    /* unix ms; 0: it has ended, or it is open */
    int page, pages; /* from 0 */
    int n;
    const struct stand *at;
    const struct stand *own; /* the sender's row if not among `at`, else NULL */
    int64_t asker;
    const struct stand *best, *caller, *run; /* dearest round, most successful koi-koi, most wins in
                                                a row; NULL: none so far */
    int n_champions;                         /* with all matches: of closed seasons, newest first */
    const struct champion_seen *champions;
};

/* A match as one of its players remembers it. */
struct past_match {
    int64_t no, at;
    int outcome;                   /* 1 won, 0 drawn, -1 lost */
    bool gave_up, forfeit, casual; /* gave_up: the one whose page it is */
    int64_t points;
    struct str opponents, rules;
};
struct rules_figures {
    struct str name;
    int64_t won, drawn, lost;
};
struct figures {
    struct str name;
    bool everywhere;      /* of all chats, else of the chat of the event */
    struct stand sums;    /* of all seasons; sums.place is that in the running one, 0: none */
    int64_t yaku[N_YAKU]; /* rounds won with it */
    int n_rules;
    const struct rules_figures *rules;
    int64_t reviewed, accuracy; /* matches; mean, in thousandths */
    bool rated_everywhere;
    struct rating world;
    int n_badges;
    const uint8_t *badge; /* enum badge, in the order they were earned */
};
/* /versus: those whom the person has met, most matches first; the numbers are the person's. */
struct versus {
    struct str name;
    int64_t asked; /* the one of `at` that was asked for; 0: all are shown */
    int n;
    const struct rival {
        int64_t person;
        struct str name;
        struct tally tally;
    } * at;
};
/* A page of matches, newest first. */
struct history {
    struct str name;
    int64_t person;
    int n;
    const struct past_match *at;
    bool more; /* there are older ones */
};

/* The card of a person: its tabs in the order of their buttons, then what is opened from one.
 * VERB_ME, NOTICE_ME: `index` of a button is the post times CARD_TABS and the tab; its version the
 * person; `no` of CARD_HISTORY the match that all listed ones are older than, of CARD_VERSUS the other
 * person, of CARD_MATCH the match; 0: none is named. */
enum card_tab {
    CARD_FIGURES,
    CARD_HISTORY,
    CARD_VERSUS,
    CARD_RATING,
    CARD_BADGES,
    CARD_MATCH,
    CARD_PICTURE /* the figures and badges as a picture, a message of its own */
};
enum { CARD_TABS = 8 };
enum card_tab card_tab_asked(const struct event *e);

struct seasons_facts {
    const struct board_facts *board;
    struct str unknown;            /* a name that was typed and is not known here; else empty */
    int64_t person;                /* whose card it is; 0: an anonymous sender's */
    const struct figures *figures; /* of CARD_FIGURES, CARD_RATING, CARD_BADGES, CARD_PICTURE */
    const struct versus *versus;   /* of CARD_VERSUS */
    const struct history *history; /* of CARD_HISTORY, CARD_MATCH, and of one rival */
};

/* The season that the words of /board ask for: none, a key, or "last". Returns false for other
 * words. */
bool seasons_asked(const struct world *w, const struct event *e, struct arena *a,
                   struct season_key *ret);

#endif
