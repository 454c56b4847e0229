/* Words of a draft: sentences by their keys, and the pieces that fill their placeholders. Strings live
 * in d->a. */
#ifndef KOIKOI_DRAFT_WORDS_H
#define KOIKOI_DRAFT_WORDS_H

#include "draft.h"

/* Makes a sentence; arguments in the order of text.def. TN chooses a plural form by a number. */
#define DRAFT_ARGS(...)                                                                            \
    (struct str[]){__VA_ARGS__}, (int)(sizeof((struct str[]){__VA_ARGS__}) / sizeof(struct str))
#define TX(d, key, ...)         draft_text((d), (key), 0, DRAFT_ARGS(__VA_ARGS__))
#define TN(d, key, number, ...) draft_text((d), (key), (number), DRAFT_ARGS(__VA_ARGS__))
/* The same as a line of its own; if a condition holds. */
#define SAY(d, key, ...)               draft_line((d), TX(d, key, __VA_ARGS__))
#define SAY_N(d, key, number, ...)     draft_line((d), TN(d, key, number, __VA_ARGS__))
#define SAY_IF(d, condition, key, ...) ((condition) ? SAY(d, key, __VA_ARGS__) : (void)0)
struct str draft_text(const struct draft *d, enum text key, int64_t n, const struct str *args,
                      int n_args);

/* The text without marks; a mention keeps its shown name. */
struct str draft_unmarked(const struct draft *d, struct str s);
/* In capitals, as far as its letters have them. */
struct str draft_loud(const struct draft *d, struct str word);
/* What the network can; a poll stands in for buttons. */
bool draft_can(const struct draft *d, enum ability can);

/* ---- pieces of a sentence ---- */

struct str draft_int(const struct draft *d, int64_t n);
struct str draft_signed(const struct draft *d, int64_t n); /* "+3", "0", "−3" */
struct str draft_sums(const struct draft *d, int64_t won, int64_t drawn,
                      int64_t lost);                      /* "14–1–3" */
struct str draft_coins(const struct draft *d, int64_t n); /* or points */
struct str draft_time(const struct draft *d, int64_t ms); /* unix ms */
struct str draft_span(const struct draft *d, int64_t ms); /* "24 hours" */
struct str draft_name(const struct draft *d, int seat);   /* bold */
/* Without marks, for pictures and narrow lines; the short one of a person is cut
 * to a few columns, with an ellipsis. */
struct str draft_plain_name(const struct draft *d, int seat);
struct str draft_short_name(const struct draft *d, int seat);
struct str draft_person(const struct draft *d, int seat);  /* the same, of one who has left */
struct str draft_mention(const struct draft *d, int seat); /* notifies them, if it can */
struct str draft_computer(const struct draft *d, int character);
/* A name; a mention unless id is empty. */
struct str draft_mark_name(const struct draft *d, struct str name, struct str id);
/* The network id of a seat's player; empty where they are not, or are strangers. */
struct str draft_id(const struct draft *d, int seat);
/* A card with its month, its number and its sign, in a list; `taken`: as what is played or taken. */
struct str draft_card(const struct draft *d, int card);
struct str draft_card_taken(const struct draft *d, int card);
struct str draft_card_alone(const struct draft *d, int card, bool taken); /* without the number */
struct str draft_label(const struct draft *d, int card); /* short: for buttons and lists */
struct str draft_cards(const struct draft *d, cardset cards);
struct str draft_cards_taken(const struct draft *d, cardset cards);
struct str draft_cards_short(const struct draft *d, cardset cards); /* "1☀ 5": months, signs */
struct str draft_sign(const struct draft *d, enum card_kind kind);
/* "/play", "!koi play"; in private "play", where the network needs no more. */
struct str draft_command(const struct draft *d, enum verb v);
struct str draft_command_at(const struct draft *d, enum verb v, bool in_private);
/* Names or values of options, in English, in the reader's language: "rounds"; "quarter, month". */
struct str draft_option(const struct draft *d, struct str words);
struct str draft_join(const struct draft *d, struct str list, struct str sep, struct str more);
/* Appends to a list, behind the text `sep` if it has something already. */
void draft_add(const struct draft *d, struct str *list, enum text sep, struct str more);
struct str draft_scores(const struct draft *d);                /* "Ann 50 – Bo 50" */
struct str draft_short_score(const struct draft *d, int seat); /* "Ann 50", with a short name */
struct str draft_names(const struct draft *d);                 /* "#12 Ann – Bo" */
/* "hanami 5"; "tane 1 + akatan 5" of worths by yaku. */
struct str draft_worth(const struct draft *d, struct str yaku, int64_t worth);
struct str draft_yaku(const struct draft *d, const uint16_t worth[static N_YAKU]);
/* True if draft_yaku() lists several, so that their sum says something new. */
bool draft_is_sum(const uint16_t worth[static N_YAKU]);
struct str draft_rounds(const struct draft *d); /* "Round 1 of 6" */

/* ---- the match of d->table, which stays as it is ---- */

const struct ruleset *draft_ruleset(const struct draft *d);
const struct scene *draft_scene(const struct draft *d);

#endif
