/* Body of one message while it is written: text with marks, and buttons.
 *
 * The lowest layer of this room. Nothing here knows which message it is for; part.h and
 * present_bodies.h stand on it.
 */
#ifndef KOIKOI_BODY_H
#define KOIKOI_BODY_H

#include "layout_table.h"
#include "character.h"
#include "network.h"
#include "step.h"

enum { BODY_BYTES = 12 * 1024 };

/* Cache of card names in one language and one set of words. */
struct card_names {
    struct card_names *next;
    const struct texts *t;
    const struct words *words;
    struct str card[N_CARDS], label[N_CARDS]; /* empty: not made yet */
};

struct body {
    const struct world *w;
    const struct event *e;
    const struct network *network;
    struct arena *a;
    const struct texts *t;
    const struct words *words;
    struct card_names **names;   /* shared by all bodies of one event */
    const struct notice *notice; /* set by message_about() */
    const struct table *table;   /* NULL: the notice is about no match */
    int32_t utc_offset;
    struct buf text;
    bool has_news; /* text[news .. news_end) is outgoing.news */
    size_t news, news_end;
    int n_buttons;
    struct button *buttons;
    int64_t press_no, press_version; /* of buttons about no match */
    bool poll;                       /* answers of a poll replace the buttons */
    bool in_private;                 /* for a private chat */
    struct str picture;              /* a layout as text; empty: no picture */
};

/* Makes a sentence; arguments in the order of text.def. TN chooses a plural form. */
#define TX(body, key, ...)                                                                         \
    body_text((body), (key), 0, (struct str[]){__VA_ARGS__},                                       \
              (int)(sizeof((struct str[]){__VA_ARGS__}) / sizeof(struct str)))
#define TX0(body, key) body_text((body), (key), 0, NULL, 0)
#define TN(body, key, number, ...)                                                                 \
    body_text((body), (key), (number), (struct str[]){__VA_ARGS__},                                \
              (int)(sizeof((struct str[]){__VA_ARGS__}) / sizeof(struct str)))
struct str body_text(const struct body *body, enum text key, int64_t n, const struct str *args,
                     int n_args);

void body_put(struct body *body, struct str s);
void body_line(struct body *body, struct str s); /* on a new line; an empty s adds nothing */
/* Begins a fold with its title, on a new line; ends it. */
void body_fold(struct body *body, struct str title);
void body_unfold(struct body *body);
bool body_can(const struct body *body, enum ability can);
/* The text without marks; a mention keeps its shown name. */
struct str body_unmarked(const struct body *body, struct str s);
/* Sets the picture; a layout that is too long is left out. */
void body_picture(struct body *body, const struct layout *l);

/* A button for a verb about the body's match. Adds nothing on a network without buttons, or when
 * the message is full. */
void body_button(struct body *body, struct str label, enum verb v, int64_t index,
                 enum button_style style);
void body_row(struct body *body); /* ends the row of buttons */

/* Pieces of a sentence; strings live in body->a. */
struct str body_int(const struct body *body, int64_t n);
struct str body_signed(const struct body *body, int64_t n); /* "+3", "0", "-3" */
enum { BODY_LETTERS = 12 };
struct str body_letter(const struct body *body, int n);    /* 1 is "A", 2 is "B" ... */
struct str body_coins(const struct body *body, int64_t n); /* or points */
struct str body_name(const struct body *body, int seat);   /* bold */
struct str body_person(const struct body *body, int seat); /* the same, of a player who has left */
struct str body_computer(const struct body *body, int character);
struct str body_mention(const struct body *body, struct str name, struct str id);
struct str body_time(const struct body *body, int64_t ms); /* unix ms */
struct str body_span(const struct body *body, int64_t ms); /* "24 hours" */
struct str body_card(const struct body *body, int card);
struct str body_card_alone(const struct body *body, int card); /* without its month's number */
struct str body_label(const struct body *body, int card);      /* short: for buttons and lists */
struct str body_cards(const struct body *body, cardset cards);
/* "/play", "!koi play"; in private "play", where the network needs no more. */
struct str body_command(const struct body *body, enum verb v);
struct str body_command_in_private(const struct body *body, enum verb v);
struct str body_command_in_group(const struct body *body, enum verb v);
struct str body_join(const struct body *body, struct str list, struct str sep, struct str more);
struct str body_scores(const struct body *body);                      /* "Ann 50 – Bo 50" */
struct str body_names(const struct body *body);                       /* "#12 Ann – Bo" */
struct str body_yaku(const struct body *body, const struct score *s); /* "tane 1 + akatan 5" */
/* True if body_yaku lists several, so that their sum says something new. */
bool body_is_sum(const struct score *s);
struct str body_rounds(const struct body *body);             /* "Round 1 of 6" */
const struct ruleset *body_ruleset(const struct body *body); /* of the match */

/* A line with what the seat's character says. Adds nothing if no character plays there. */
void body_character_says(struct body *body, int seat, enum manner m);

#endif
