/* Duel: the same sealed deal for everybody in a chat, one try each, three rounds against one
 * character of the computer, in the private chat. A day lasts from one hour of the chat to the next;
 * then its seed is opened and its table posted. Until then a table is for those who have played.
 *
 * All deals of a day follow from its seed (chance_duel), whose commitment stands in the post that
 * opens the day. The match id is the beginning of that commitment, and no player cuts the deck, so
 * that every try has the same cards; its record is checked like any other. */
#ifndef KOIKOI_DUEL_H
#define KOIKOI_DUEL_H

#include "tournament_run.h"
#include "world.h"

/* What became of a try. */
enum duel_state { DUEL_PLAYING, DUEL_PLAYED, DUEL_GAVE_UP, DUEL_UNFINISHED, N_DUEL_STATES };

struct duel_try {
    int64_t person, session;
    uint8_t state;  /* enum duel_state */
    int64_t points; /* own ones less the computer's */
    int64_t run;    /* days in a row they have played, up to that one; of those who have played */
    struct str name;
};

struct duel_facts {
    int64_t chat;        /* which plays it */
    struct seen_from at; /* the same */
    int64_t day;         /* by the chat's clock, counted from 1970-01-01; 0: none runs */
    int64_t ends;        /* unix ms; where none runs, when the next one comes, 0 for never */
    struct seed seed;    /* while the day runs it is for deals alone */
    struct rules rules;
    int n;
    const struct duel_try *at_try; /* the best first, then those that have not ended well */
    const struct duel_try *own;    /* the sender's; or NULL */
    bool shared;                   /* others may open it by a link */
    /* the sender in their private chat; NULL: they have none, or it is not reached */
    const struct tournament_seat *seat;
    int64_t opens, opens_ends; /* VERB_DUEL_DUE: the day that begins now, 0: none does */
};

struct duel_effects {
    bool begins;               /* the first saved session is the sender's try */
    bool over;                 /* the day that ran, */
    struct duel_facts *opened; /* and the one that begins; NULL: none */
};

/* Index of a button; its version is the day. */
enum duel_button { DUEL_BUTTON_PLAY, DUEL_BUTTON_TABLE };

/* What a notice shows. */
enum duel_page { DUEL_INVITES, DUEL_CLOSED, DUEL_SO_FAR, DUEL_OVER };

/* Number of a link to a day's duel: the chat and the day. */
enum { DUEL_DAY_BITS = 24 };
static inline int64_t duel_link_no(int64_t chat, int64_t day)
{
    return chat << DUEL_DAY_BITS | day;
}

/* Of the day of notice->duel: its first line; the picture and the words of its preview; lines, once it is
 * open to the reader the table, and the button that begins a try. `network`: the one it is played on, if
 * that is not the reader's. */
struct draft;
struct str part_duel_head(const struct draft *d);
void part_duel_preview(struct draft *d);
void part_duel_document(struct draft *d, struct str network, struct buf *ret);

/* A day's duel, {"head":"...","rows":[...],"lines":[...],"buttons":[{"text":"...","press":"..."}]}, and
 * its preview: `page` is DUEL_INVITES, and for those who have played DUEL_SO_FAR, until the day is over. */
struct scene_reader;
struct scene_preview;
struct str scene_duel(const struct scene_reader *reader, const struct duel_facts *duel, int page,
                      struct str network);
void scene_duel_preview(const struct scene_reader *reader, const struct duel_facts *duel, int page,
                        struct scene_preview *ret);

/* The state and points of a try that is over. */
void duel_outcome(const struct session *s, struct duel_try *ret);

#endif
