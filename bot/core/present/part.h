/* Parts: what several pages share. A part writes lines, buttons or a picture into the draft, or makes
 * a piece of a sentence. */
#ifndef KOIKOI_PART_H
#define KOIKOI_PART_H

#include "draft_words.h"
#include "hint.h"

/* ---- the table as all players see it (part_table.c) ---- */

struct str part_turn(const struct draft *d); /* "Ann to move (until 18:40)" */
/* The same about one who is called that. */
struct str part_turn_of(const struct draft *d, struct str name);
void part_turn_line(struct draft *d);
/* What is left of a total clock, "9:12", "26:05:00"; empty without one. Of all of them; as a line. */
struct str part_time_left(const struct draft *d, int seat);
struct str part_times_left(const struct draft *d);
void part_times(struct draft *d);
void part_head(struct draft *d); /* round and scores */
void part_many(struct draft *d); /* which match it is, if the chat has several */
/* Of several pages, which one this is, and buttons to its neighbours: index `first` + the page. */
void part_pages(struct draft *d, int page, int pages, enum verb v, int64_t first);
void part_events(struct draft *d); /* what happened since a turn last began, */
struct str part_call(const struct draft *d, int seat, struct str name); /* of koi-koi */
/* By how much the caller's win would be multiplied, if they called no more: "×2"; empty for once. Then
 * *ret_base is what it pays. */
struct str part_stake(const struct draft *d, int seat, int *ret_base);
/* Makes what was written from there on out.news, unless there is some. */
void part_name_news(struct draft *d, size_t from);
/* What a press did, to the player of that seat, who pressed: "You laid down iris. You drew …" */
void part_answer(struct draft *d, const struct round_log *log, int seat);
void part_field(struct draft *d); /* while a round runs */
/* "moon viewing" of "moon viewing (tsukimi)". */
struct str part_short_yaku(const struct draft *d, int yaku);
/* A line for each player: yaku made, then what is nearest: "animals 4/5 · moon viewing 1/2". Below a
 * picture also what they took: "took 1☀ 5". */
void part_captures(struct draft *d);
/* "moon viewing 5 + plains 1", by short names, as much as that many columns hold. */
struct str part_worth_list(const struct draft *d, const uint16_t worth[static N_YAKU], int columns);
struct str part_progress(const struct draft *d, const struct scene_near *near); /* "animals 4/5" */
/* What a seat has and what is nearest to it, as much as that many columns hold. */
struct str part_near_list(const struct draft *d, int seat, int columns);
/* A line for each yaku that one or two cards would make, with the cards. */
void part_near(struct draft *d, int seat);

void part_seal(struct draft *d);                 /* commitment of the running deal, if any */
void part_seal_next(struct draft *d, int round); /* of the coming one */
/* The seed of the deal that is over, and the commitment of the next one, folded. */
void part_seals(struct draft *d);
/* The beacon's round that is mixed into the last deal, or was missing; and the one that the seal of
 * the coming deal names. Nothing without a beacon. */
void part_beacon(struct draft *d);
void part_beacon_next(struct draft *d);

/* True if popups are the only view that the player to move has of their cards. Their moves are
 * then buttons of the board, by numbers that reveal nothing. */
bool part_moves_in_open(const struct draft *d);
/* True if the question what a card takes is asked in a popup, which has no buttons: lettered
 * buttons of the board answer it. */
bool part_asks_by_popup(const struct draft *d);
/* True if only a popup reaches the sender of this press: the network shows them nothing ephemeral
 * here, and their private chat is closed. */
bool part_popup_only(const struct draft *d);

void part_doors(struct draft *d); /* in a group, buttons: a table, the computer, how to play */

/* ---- one screen of a phone (part_screen.c) ---- */

enum { PART_LINE = 42 }; /* columns of a line of text */
/* True if the message is a picture with a few lines under it, and its buttons. */
bool part_on_screen(const struct draft *d);
/* Those lines, three at most: what just happened, what is near (or what `put` writes instead, if it
 * is not NULL), whose move it is and until when. Then opens the fold for all of it in words. */
void part_screen(struct draft *d, void (*put)(struct draft *d));
/* What just happened, in so many lines, two at most: a call or a yaku that was made, then what was
 * taken. Returns true if there is one of the first. `asks`: its maker is asked, and needs no more. */
bool part_news(struct draft *d, bool asks, int most);
bool part_has_news(const struct draft *d); /* false before the end of a first turn */
/* The name of the one to move; a mention in a board that stands in for a ping. */
struct str part_turn_name(const struct draft *d, struct str name);
/* Opens the fold; says that what follows in it may be left out for want of room; closes it. Where
 * nothing folds the words are left out, and a button shows them. */
void part_screen_fold(struct draft *d);
void part_spare(struct draft *d);
void part_screen_end(struct draft *d);

/* ---- moves (part_move.c) ---- */

/* "pampas moon for moon viewing 5"; with "takes", or "lays down". */
struct str part_capture(const struct draft *d, const struct scene_move *m);
struct str part_move(const struct draft *d, const struct scene_move *m);
struct str part_declare(const struct draft *d); /* "Declare pairs: 6" */
/* What stopping now pays: in coin matches at most what the payer owns. */
int64_t part_stop_gain(const struct draft *d);
/* What a call of koi-koi may win and cost, a line each. */
void part_koikoi_means(struct draft *d);
enum { PART_LETTERS = 12 };
struct str part_letter(const struct draft *d, int n); /* of a capture: 1 is "A" */
/* "crane", "geese → moon", "Stop: 5 points". */
struct str part_option_label(const struct draft *d, const struct scene_move *m);
/* The reader's moves, numbered from 1: lines and buttons of that verb, or the answers of a poll. */
void part_options(struct draft *d, enum verb verb);

/* ---- why a move is the best (part_move.c) ---- */

/* A reason as numbers: see struct reason. Chances are percents. */
struct part_why {
    int kind, seat, yaku, card, chance, instead;
};
/* "Play pine: takes crane", "Stop" */
struct str part_move_words(const struct draft *d, struct move m);
struct str part_why_words(const struct draft *d, const struct part_why *w); /* may be empty */
/* The move, its chance beside the next best one's and the reason, or both calls with their numbers;
 * then the plan and the threat, with the cards that they lack. The view is the hint's. */
void part_hint(struct draft *d, const struct hint *h);

/* ---- rules and terms (page_rules.c, part_rules.c) ---- */

struct str part_level(const struct draft *d, int level);              /* of the computer: "easy" */
struct str part_rounds(const struct draft *d, const struct rules *r); /* "6 rounds" */
const struct rules *part_preset(const struct draft *d, const struct rules *r); /* or NULL */
void part_terms(struct draft *d, const struct rules *r); /* rounds, purse, clock, house rules */
/* "24 hours a move", "10 minutes each, 20 seconds more a turn" */
struct str part_clock(const struct draft *d, int64_t move_ms, int64_t total_ms, int64_t gain_ms);
void part_pay(struct draft *d, const struct rules *r); /* what multiplies a win, a line each */
/* "seven or more · opponent's koi-koi", as the rules have them. Empty: the rules double nothing. */
struct str part_doublings(const struct draft *d, const struct rules *r);
/* What the rules do in a field, by its path ("tie_break"); may be empty. */
struct str part_rule(const struct draft *d, const struct rules *r, const char *path);
/* In what they differ from their preset; may be empty. */
struct str part_changes(const struct draft *d, const struct rules *r, const struct rules *preset);

/* ---- finished rounds (part_round.c) ---- */

struct round_summary part_round_over(const struct draft *d); /* the one that has just ended */
/* "opponent's koi-koi ×2 · seven or more ×2", as they applied. Empty: none above 1. */
struct str part_factors(const struct draft *d, int added, const uint32_t x[static N_MULTIPLIERS]);

/* The round that moved the chances to win the match most; percent of who gained by it. */
struct part_moment {
    const struct round_summary *round;
    int seat, before, after;
};
/* Returns false if there is no such round, or too few or too many to reckon with. */
bool part_moment(const struct draft *d, struct part_moment *ret);
void part_moment_line(struct draft *d); /* in the words of the review; or nothing */

#endif
