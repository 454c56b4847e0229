/* Draft: one message while it is written. It knows who reads it, what their network can, and in
 * which language; it holds the address, the text with marks, the buttons and the picture. A call of
 * present() has one, which is opened anew for each message.
 *
 *     d.notice = notice, draft_from(&d, account)   the subject, and the login that sends it
 *     draft_open(&d, OUT_POST, TO_CHAT)            empty, in its reader's language
 *     d.out.slot = ...                             the address
 *     page_write(&d)                               the words: page.h
 *     draft_send(&d)                               to the messages of the event
 *
 * Pages and parts write with SAY() and draft_button(); sentences are made of pieces, which are
 * strings in d->a: draft_name(), draft_cards() and so on.
 */
#ifndef KOIKOI_DRAFT_H
#define KOIKOI_DRAFT_H

#include "character.h"
#include "layout_table.h"
#include "present.h"

enum { DRAFT_BYTES = 12 * 1024 }; /* of a text, but of a file's */

struct card_names;

struct draft {
    /* the event, the same for all messages */
    const struct world *w;
    const struct event *e;
    const struct effects *fx;
    const struct networks *networks;
    struct arena *a;
    struct card_names **names; /* cache */
    struct message *sent;      /* MAX_OUTGOING */
    int n_sent;
    /* this message */
    const struct notice *notice;
    uint8_t page;               /* enum notice_kind: the page that is written */
    const struct table *table;  /* NULL: about no match */
    const struct seen_from *at; /* the chat it is read in, as far as it matters; or NULL */
    const struct network *network;
    struct network one_post; /* a copy of it, cut down by draft_one_post() */
    const struct texts *t;
    const struct words *words;
    int32_t utc_offset;
    bool poll;       /* answers of a poll replace the buttons */
    bool in_private; /* for a private chat */
    struct buf text;
    bool has_news; /* text[news ... news_end) is out.news */
    size_t news, news_end;
    int64_t press_no, press_version; /* of buttons about no match */
    struct str picture;              /* a layout as text; empty: none */
    struct outgoing out;             /* address and buttons; the rest comes by draft_send() */
};

/* ---- one message after the other ---- */

/* Makes this account the sender of what follows. Returns false if no network has it. */
bool draft_from(struct draft *d, int64_t account);
/* The same for one venue of the notice's table. */
bool draft_from_venue(struct draft *d, int venue);
/* Limits what follows to what one message that everybody shares can do (inline mode). */
void draft_one_post(struct draft *d);
/* Begins an empty message about d->notice, to the chat of the event. */
void draft_open(struct draft *d, enum out_kind kind, enum out_where where);
/* Makes this notice the subject of what is written next, in the same message. */
void draft_about(struct draft *d, const struct notice *notice);
/* Adds the message: its text cut to what the network holds, with a picture only if the text fits
 * under it. */
struct outgoing *draft_send(struct draft *d);
/* "board:12", "ping:12:3"; n -1: without the third part. */
struct str draft_slot(const struct draft *d, const char *what, int64_t no, int64_t n);

/* ---- the text ---- */

/* Makes a sentence; arguments in the order of text.def. TN chooses a plural form by a number. */
#define DRAFT_ARGS(...)                                                                            \
    (struct str[]){__VA_ARGS__}, (int)(sizeof((struct str[]){__VA_ARGS__}) / sizeof(struct str))
#define TX(d, key, ...)         draft_text((d), (key), 0, DRAFT_ARGS(__VA_ARGS__))
#define TN(d, key, number, ...) draft_text((d), (key), (number), DRAFT_ARGS(__VA_ARGS__))
/* The same as a line of its own. */
#define SAY(d, key, ...)           draft_line((d), TX(d, key, __VA_ARGS__))
#define SAY_N(d, key, number, ...) draft_line((d), TN(d, key, number, __VA_ARGS__))
struct str draft_text(const struct draft *d, enum text key, int64_t n, const struct str *args,
                      int n_args);

void draft_put(struct draft *d, struct str s);
void draft_line(struct draft *d, struct str s); /* on a new line; an empty s adds nothing */
/* Begins a fold with its title, on a new line; ends it. */
void draft_fold(struct draft *d, enum text title);
void draft_unfold(struct draft *d);
/* True if text of that length fits; a limit of 0 holds everything. */
bool draft_fits(const struct draft *d, struct str text, int limit);
/* The text without marks; a mention keeps its shown name. */
struct str draft_unmarked(const struct draft *d, struct str s);
/* A line with what the seat's character says. Adds nothing if no character plays there. */
void draft_character_says(struct draft *d, int seat, enum manner m);

/* ---- buttons and picture ---- */

/* What the network can; a poll stands in for buttons. */
bool draft_can(const struct draft *d, enum ability can);
/* A button for a verb about the match. Adds nothing on a network without buttons, or when the
 * message is full. */
void draft_button(struct draft *d, struct str label, enum verb v, int64_t index,
                  enum button_style style);
void draft_press(struct draft *d, enum text label, enum verb v, int64_t index,
                 enum button_style style);
void draft_row(struct draft *d); /* ends the row of buttons */
/* Sets the picture; a layout that is too long is left out. */
void draft_picture(struct draft *d, const struct layout *l);

/* ---- pieces of a sentence ---- */

struct str draft_int(const struct draft *d, int64_t n);
struct str draft_signed(const struct draft *d, int64_t n); /* "+3", "0", "-3" */
enum { DRAFT_LETTERS = 12 };
struct str draft_letter(const struct draft *d, int n);     /* 1 is "A", 2 is "B" ... */
struct str draft_coins(const struct draft *d, int64_t n);  /* or points */
struct str draft_time(const struct draft *d, int64_t ms);  /* unix ms */
struct str draft_span(const struct draft *d, int64_t ms);  /* "24 hours" */
struct str draft_name(const struct draft *d, int seat);    /* bold */
struct str draft_person(const struct draft *d, int seat);  /* the same, of one who has left */
struct str draft_mention(const struct draft *d, int seat); /* notifies them, if it can */
struct str draft_computer(const struct draft *d, int character);
/* A name; a mention unless id is empty. */
struct str draft_mark_name(const struct draft *d, struct str name, struct str id);
/* The network id of a seat's player; empty where they are not, or are strangers. */
struct str draft_id(const struct draft *d, int seat);
struct str draft_card(const struct draft *d, int card);
struct str draft_card_alone(const struct draft *d, int card); /* without its month's number */
struct str draft_label(const struct draft *d, int card);      /* short: for buttons and lists */
struct str draft_cards(const struct draft *d, cardset cards);
/* "/play", "!koi play"; in private "play", where the network needs no more. */
struct str draft_command(const struct draft *d, enum verb v);
struct str draft_command_at(const struct draft *d, enum verb v, bool in_private);
struct str draft_join(const struct draft *d, struct str list, struct str sep, struct str more);
/* Appends to a list, behind the text `sep` if it has something already. */
void draft_add(const struct draft *d, struct str *list, enum text sep, struct str more);
struct str draft_scores(const struct draft *d); /* "Ann 50 – Bo 50" */
struct str draft_names(const struct draft *d);  /* "#12 Ann – Bo" */
/* "hanami 5"; "tane 1 + akatan 5" of worths by yaku. */
struct str draft_worth(const struct draft *d, struct str yaku, int64_t worth);
struct str draft_yaku(const struct draft *d, const uint16_t worth[static N_YAKU]);
/* True if draft_yaku() lists several, so that their sum says something new. */
bool draft_is_sum(const uint16_t worth[static N_YAKU]);
struct str draft_rounds(const struct draft *d);             /* "Round 1 of 6" */
const struct ruleset *draft_ruleset(const struct draft *d); /* of the match */

#endif
