/* Pages: what each kind of notice says, as a row of parts. The table is in page.c.
 *
 *     page_write(d)        writes the page of d->notice
 *
 * The one header that a page includes, beside the facts it shows. To add a kind: enum notice_kind in
 * notice.h, its row in page.c, the parts that it lacks. A part of one page stands in the file of that
 * page, page_*.c; one that several pages use is in part.h. */
#ifndef KOIKOI_PAGE_H
#define KOIKOI_PAGE_H

#include "part.h"

enum page_flag {
    PAGE_PUBLIC = 1 << 0, /* an answer that all in the chat may read */
    PAGE_MENU = 1 << 1,   /* its buttons are worth a poll where there are no buttons */
    PAGE_RESULT = 1 << 2  /* its picture comes first, if both do not fit into one message */
};

/* Conditions of a part, as bits; see page_conditions(). */
enum page_when {
    IF_SEAT = 1 << 0,     /* the page is a seat's own, not an answer */
    IF_RUNS = 1 << 1,     /* the match runs */
    IF_DEALT = 1 << 2,    /* a round runs */
    IF_MINE = 1 << 3,     /* the reader is to move, */
    IF_PLAYS = 1 << 4,    /* with a card of the hand, */
    IF_CHOOSES = 1 << 5,  /* with the drawn card, */
    IF_DECIDES = 1 << 6,  /* by stop or koi-koi */
    IF_WAITS = 1 << 7,    /* another is to move */
    IF_LISTS = 1 << 8,    /* a round runs, and the hand is the numbered list */
    IF_BROKEN = 1 << 9,   /* the match ended before its last round */
    IF_DIRECT = 1 << 10,  /* read in a private venue */
    IF_BESIDE = 1 << 11,  /* a new board just above says the same */
    IF_ONE_POST = 1 << 12 /* in inline mode */
};
/* A part, written if all conditions of `when` and none of `unless` hold. */
struct page_part {
    void (*write)(struct draft *d);
    unsigned when, unless;
};
struct page {
    const struct page_part *parts; /* ends with an empty one */
    unsigned flags;                /* enum page_flag */
    const char *reaction; /* begins a slot by which a reaction to the message is understood */
};
extern const struct page page_of[N_NOTICES];

void page_write(struct draft *d);
/* The page of another kind, about the same notice. */
void page_write_as(struct draft *d, enum notice_kind kind);
/* True if all in the chat may read what this notice says. */
bool page_may_be_public(const struct notice *notice);

/* ---- parts of pages, by file; a page_*() is a whole page ---- */

typedef void page_writer(struct draft *d);

page_writer page_offer, page_decline, page_start;
page_writer board_foot, board_ping, board_buttons, board_moves;
page_writer hand_picture, hand_head, hand_held, hand_tips, hand_hint, hand_cards, hand_choices,
    hand_declare, hand_how, hand_kept, hand_choose_ahead, hand_decide;
page_writer page_hand_short, page_targets;
page_writer end_last_turn, end_round, end_void, end_pause, end_break, end_winner, end_rounds,
    end_characters, end_ranks, end_more;
page_writer page_score, page_verify;
page_writer page_yaku, page_games, page_help, page_opponents, page_settings, page_rules, page_sets;
/* features */
page_writer page_start_menu, page_friend, page_languages, page_lesson, page_lesson_refusal;
page_writer page_puzzle, page_puzzle_kept, page_puzzle_solution;
page_writer page_review, page_replay;
page_writer page_stats, page_versus, page_history, page_rating;
page_writer page_standings, page_season_over;
page_writer page_tournament;

#endif
