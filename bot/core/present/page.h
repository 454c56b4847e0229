/* Pages: what a kind of notice says, as a row of parts. The table is in page.c.
 *
 *     page_write(d)        writes the page of d->notice
 *
 * To add a kind: enum notice_kind in notice.h, its row in page.c, the parts that it lacks.
 */
#ifndef KOIKOI_PAGE_H
#define KOIKOI_PAGE_H

#include "draft.h"

enum page_flag {
    PAGE_PUBLIC = 1 << 0, /* an answer that all in the chat may read */
    PAGE_MENU = 1 << 1,   /* its buttons are worth a poll where there are no buttons */
    PAGE_RESULT = 1 << 2  /* its picture comes first, if both do not fit into one message */
};
struct page {
    void (*write)(struct draft *d);
    unsigned flags;       /* enum page_flag */
    const char *reaction; /* begins a slot by which a reaction to the message is understood */
};
extern const struct page page_of[N_NOTICES];

void page_write(struct draft *d);
void page_write_as(struct draft *d, enum notice_kind kind);
/* True if all in the chat may read what this notice says. */
bool page_may_be_public(const struct notice *notice);

void page_offer(struct draft *d);
void page_start(struct draft *d);
void page_board(struct draft *d);
void page_hand(struct draft *d);
void page_hand_short(struct draft *d);
void page_targets(struct draft *d);
void page_round(struct draft *d);
void page_void(struct draft *d);
void page_match(struct draft *d);
void page_yaku(struct draft *d);
void page_rules(struct draft *d);
void page_sets(struct draft *d);
/* What these rules say and `usual` does not; a section of the last lesson. */
void page_differences(struct draft *d, const struct rules *r, const struct rules *usual);
void page_score(struct draft *d);
void page_games(struct draft *d);
void page_standings(struct draft *d);
void page_season_over(struct draft *d);
void page_tournament(struct draft *d);
void page_stats(struct draft *d);
void page_versus(struct draft *d);
void page_history(struct draft *d);
void page_replay(struct draft *d);
void page_rating(struct draft *d);
void page_help(struct draft *d);
void page_settings(struct draft *d);
void page_verify(struct draft *d);
void page_opponents(struct draft *d);
void page_review(struct draft *d);
void page_decline(struct draft *d);
void page_start_menu(struct draft *d);
void page_friend(struct draft *d);
void page_languages(struct draft *d);
void page_lesson(struct draft *d);
void page_puzzle(struct draft *d);
void page_puzzle_kept(struct draft *d);
void page_puzzle_solution(struct draft *d);
/* What just happened to the owner of a hand for the first time; a section of a hand. */
void page_tips(struct draft *d);
void page_lesson_refusal(struct draft *d);

/* Stop or koi-koi, with its buttons; a section of a hand. */
void page_decide(struct draft *d);
/* The same for a popup: first what the board does not show, last what may be cut. */
void page_decide_short(struct draft *d);
/* The hint under a hand. Adds nothing if none was given. */
void page_hint(struct draft *d);

#endif
