/* One message in the making: text with marks, and buttons. Used by the present_*.c files. */
#ifndef KOIKOI_PAGE_H
#define KOIKOI_PAGE_H

#include "character.h"
#include "present.h"
#include "spread.h"

enum { PAGE_BYTES = 12 * 1024 };

/* What cards are called in one language and one set of words; each is made when it is first asked
 * for. */
struct card_names {
    struct card_names *next;
    const struct texts *t;
    const struct words *words;
    struct str card[N_CARDS], label[N_CARDS];       /* empty: not yet */
};

struct page {
    const struct world *w;
    const struct event *e;
    const struct place *place;
    struct arena *a;
    const struct texts *t;
    const struct words *words;
    struct card_names **names;          /* of all pages of one event */
    const struct say *say;              /* what is said; see letter_about() */
    const struct table *table;          /* which it is about; NULL: no match */
    int32_t utc_offset;
    struct buf body;
    int n_buttons;
    struct button *buttons;
    bool poll;                          /* a poll stands in for buttons here */
    struct str picture;                 /* what can be shown beside the words; empty: nothing */
};

/* A sentence; arguments in the order of text.def. */
#define TX(pg, key, ...) \
    page_text((pg), (key), 0, (struct str[]){__VA_ARGS__}, \
              (int)(sizeof((struct str[]){__VA_ARGS__}) / sizeof(struct str)))
#define TX0(pg, key) page_text((pg), (key), 0, NULL, 0)
#define TN(pg, key, number, ...) \
    page_text((pg), (key), (number), (struct str[]){__VA_ARGS__}, \
              (int)(sizeof((struct str[]){__VA_ARGS__}) / sizeof(struct str)))
struct str page_text(const struct page *pg, enum text key, int64_t n, const struct str *args,
                     int n_args);

void page_put(struct page *pg, struct str s);
void page_line(struct page *pg, struct str s);          /* on a line of its own */
bool page_can(const struct page *pg, enum ability can);

struct str page_int(const struct page *pg, int64_t n);
enum { PAGE_LETTERS = 12 };
struct str page_letter(const struct page *pg, int n);                   /* "A" for 1, "B" ... */
struct str page_signed(const struct page *pg, int64_t n);
struct str page_coins(const struct page *pg, int64_t n);
struct str page_name(const struct page *pg, int seat);                  /* bold */
struct str page_computer(const struct page *pg, int character);
/* What a character says now, on a line of its own; nothing if the seat is none. */
void page_says(struct page *pg, int seat, enum manner m);
struct str page_mention(const struct page *pg, struct str name, struct str id);
struct str page_time(const struct page *pg, int64_t ms);
struct str page_span(const struct page *pg, int64_t ms);
struct str page_card(const struct page *pg, int card);
struct str page_label(const struct page *pg, int card);           /* short: for buttons and lists */
struct str page_cards(const struct page *pg, cardset cards);
struct str page_command(const struct page *pg, enum verb v);            /* "/play", "!koi play" */
struct str page_join(const struct page *pg, struct str list, struct str sep, struct str more);
struct str page_scores(const struct page *pg);                          /* "Ann 50 – Bo 50" */
struct str page_names(const struct page *pg);                /* "Ann – Bo", with #12 where needed */
struct str page_yaku(const struct page *pg, const struct score *s);     /* "tane 1 + akatan 5" */
struct str page_rounds(const struct page *pg);                          /* "1 of 6" */
const struct ruleset *page_ruleset(const struct page *pg);              /* of the match */

/* A button that does a verb about the page's match; nothing where there are no buttons. */
void page_button(struct page *pg, struct str label, enum verb v, int64_t index,
                 enum button_style style);
void page_row(struct page *pg);                                        /* ends the row of buttons */

/* What the page's say says, by its kind: a line of its own, or one of these. */
void present_say(struct page *pg);
void present_offer(struct page *pg);
void present_start(struct page *pg);
void present_board(struct page *pg);
void present_hand(struct page *pg);
void present_hand_short(struct page *pg);
void present_targets(struct page *pg);
void present_round(struct page *pg);
void present_void(struct page *pg);
void present_match(struct page *pg);
void present_yaku(struct page *pg);
void present_rules(struct page *pg);
void present_score(struct page *pg);
void present_games(struct page *pg);
void present_standings(struct page *pg);
void present_help(struct page *pg);
void present_settings(struct page *pg);
void present_verify(struct page *pg);
void present_opponents(struct page *pg);
void present_review(struct page *pg);
void present_decline(struct page *pg);

/* Parts of them, and articles. */
void present_terms(struct page *pg, const struct rules *r);            /* rules, clock, doublings */
void present_invite(struct page *pg, const struct rules *r, struct article *ret);
/* False: that move is shown by the one before it. */
bool present_move_article(struct page *pg, int move, struct article *ret);
void present_hand_article(struct page *pg, struct article *ret);    /* there is nothing to do now */
void present_seal(struct page *pg);                           /* of the running deal, if one runs */
/* True if the player to move has nothing but popups to see their cards by: their moves are then
 * buttons of the board, by numbers that tell nothing. */
bool present_in_open(const struct page *pg);
void present_open_moves(struct page *pg);
/* True if the question what a card takes is a popup, which has no buttons: letters on the board
 * answer it. */
bool present_asks_by_popup(const struct page *pg);
/* True if a popup is all that reaches who pressed: nothing can be shown unseen here, or not to
 * them, and their private chat is closed. */
bool present_popup_alone(const struct page *pg);
struct str present_option(const struct page *pg, const struct move *m); /* "takes 8 moon for tsukimi 5" */
struct str present_declare(const struct page *pg);      /* "Declare pairs: 6", to the owner of the
                                                           hand */
struct str present_turn(const struct page *pg);                         /* "Ann to move" */
void present_head(struct page *pg);                                     /* round and scores */
void present_events(struct page *pg);                         /* the last turn that anybody began */
void present_field(struct page *pg);                                    /* while a round runs */
void present_captures(struct page *pg);                                /* who took what, its yaku */
void present_decide(struct page *pg);                        /* stop or koi-koi? with its buttons */
/* The same where little fits: what the board does not tell comes first, and what may be cut
 * last. */
void present_decide_short(struct page *pg);
void present_hint(struct page *pg);             /* under a hand; nothing if none was given */
/* "opponent's koi-koi ×2 · seven or more ×2"; empty: none applies. */
struct str present_factors(const struct page *pg, const uint32_t x[static N_MULTIPLIERS]);
struct str present_doublings(const struct page *pg, const struct rules *r);
struct str present_changes(const struct page *pg, const struct rules *r,
                           const struct rules *preset);

#endif
