/* Writers of bodies: one function a kind of notice, or an inline article.
 *
 *     present_notice(body)             writes the body of body->notice, by its kind
 *
 * To add a kind: enum notice_kind in effect.h, a function here, its row in present_notice.c.
 */
#ifndef KOIKOI_PRESENT_BODIES_H
#define KOIKOI_PRESENT_BODIES_H

#include "part.h"

void present_notice(struct body *body);

void present_offer(struct body *body);
void present_start(struct body *body);
void present_board(struct body *body);
void present_hand(struct body *body);
void present_hand_short(struct body *body);
void present_targets(struct body *body);
void present_round(struct body *body);
void present_void(struct body *body);
void present_match(struct body *body);
void present_yaku(struct body *body);
void present_rules(struct body *body);
void present_sets(struct body *body);
/* What these rules say and `usual` does not; a section of the last lesson. */
void present_differences(struct body *body, const struct rules *r, const struct rules *usual);
void present_score(struct body *body);
void present_games(struct body *body);
void present_standings(struct body *body);
void present_season_over(struct body *body);
void present_tournament(struct body *body);
void present_stats(struct body *body);
void present_versus(struct body *body);
void present_history(struct body *body);
void present_replay(struct body *body);
void present_rating(struct body *body);
void present_help(struct body *body);
void present_settings(struct body *body);
void present_verify(struct body *body);
void present_opponents(struct body *body);
void present_review(struct body *body);
void present_decline(struct body *body);
void present_door(struct body *body);
void present_friend(struct body *body);
void present_languages(struct body *body);
void present_lesson(struct body *body);
void present_puzzle(struct body *body);
void present_puzzle_kept(struct body *body);
void present_puzzle_solution(struct body *body);
/* What just happened to the owner of a hand for the first time; a section of a hand. */
void present_tips(struct body *body);
void present_lesson_refusal(struct body *body);

/* Stop or koi-koi, with its buttons; a section of a hand. */
void present_decide(struct body *body);
/* The same for a popup: first what the board does not show, last what may be cut. */
void present_decide_short(struct body *body);
/* The hint under a hand. Adds nothing if none was given. */
void present_hint(struct body *body);

/* Inline articles: a challenge by these rules; a legal move, by its index; a hand whose owner has
 * nothing to do now. */
void present_challenge_article(struct body *body, const struct rules *r, struct article *ret);
/* Returns false if the move gets no article: resigning, or an equal plain's second move. */
bool present_move_article(struct body *body, int move, struct article *ret);
void present_hand_article(struct body *body, struct article *ret);

#endif
