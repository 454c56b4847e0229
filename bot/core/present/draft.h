/* Draft: one message while it is written. It knows who reads it, what their network can, and in
 * which language; it holds the address, the text with marks, the buttons and the picture. A call of
 * present() has one, which is opened anew for each message.
 *
 *     d.notice = notice, draft_from(&d, account, at) the subject, and the login that sends it
 *     draft_open(&d, (struct outgoing){...})        the address; empty, in its reader's language
 *     page_write(&d)                                the words: page.h
 *     draft_send(&d)                                to the messages of the event
 *
 * Pages and parts write with SAY(), draft_button() and draft_picture(); what fills a sentence is in
 * draft_words.h.
 */
#ifndef KOIKOI_DRAFT_H
#define KOIKOI_DRAFT_H

#include "character.h"
#include "layout.h"
#include "present.h"
#include "scene.h"

enum { DRAFT_BYTES = 12 * 1024 }; /* of a text, but of a file's */

/* The scene of the table that was looked at last: a board in several chats is looked at once. */
struct scene_cache {
    const struct table *table;
    struct scene scene;
};

struct draft {
    /* the event, the same for all messages */
    const struct world *w;
    const struct event *e;
    const struct effects *fx;
    const struct networks *networks;
    struct arena *a;
    struct scene_cache *scene; /* shared by copies of a draft */
    struct message *sent;      /* MAX_OUTGOING */
    int n_sent;
    /* this message */
    const struct notice *notice;
    uint8_t page;               /* enum notice_kind: the page that is written */
    const struct table *table;  /* NULL: about no match */
    const struct seen_from *at; /* the chat it is read in, as far as it matters; or NULL */
    const struct network *network;
    struct network one_post; /* a copy of it, cut down by draft_one_post(), draft_in_words() */
    const struct texts *t;
    const struct words *words;
    int32_t utc_offset;
    enum out_where where; /* the form that way.c has chosen */
    bool poll;            /* answers of a poll replace the buttons */
    bool in_private;      /* for a private chat */
    bool quoted;          /* for lines of a scene; no message comes of it */
    struct buf text;
    bool short_names; /* until a fold begins: the lines share a screen with a picture */
    int folds;        /* that are open; those in another are lines of it */
    size_t fold;      /* where the outer one began */
    bool has_news;    /* text[news ... news_end) is out.news */
    size_t news, news_end;
    size_t taken, taken_end;         /* lines of captures that the picture shows, dropped first */
    size_t spare, spare_end;         /* lines that the picture shows too, see draft_send() */
    int64_t press_no, press_version; /* of buttons about no match */
    struct str picture;              /* a layout as text; empty: none */
    struct outgoing out;             /* address and buttons; the rest comes by draft_send() */
};

/* ---- one message after the other ---- */

/* Makes this account the sender of what follows, to be read in a chat that the notice names, or NULL.
 * Returns false if no network has it. */
bool draft_from(struct draft *d, int64_t account, const struct seen_from *at);
/* Limits what follows to what one message that everybody shares can do (inline mode). */
void draft_one_post(struct draft *d);
/* The same to words in place of polls, if the player or asker has chosen them. */
void draft_in_words(struct draft *d);
/* Begins an empty message about d->notice, to that address. */
void draft_open(struct draft *d, struct outgoing address);
/* Makes this notice the subject of what is written next, in the same message. */
void draft_about(struct draft *d, const struct notice *notice);
/* Adds the message: its text cut to what the network holds, with a picture only if the text fits
 * under it, perhaps without its spare lines. */
void draft_send(struct draft *d);
/* Slot of a message to the sender alone, by which it is closed: the start menu, a lesson;
 * id: which of them, or -1. */
struct str draft_own_slot(const struct draft *d, enum notice_kind kind, int64_t id);
/* Gives this message that slot; it is a new message even so. */
void draft_name_own(struct draft *d, int64_t id);
/* "board:12", "ping:12:3"; n -1: without the third part. */
struct str draft_slot(const struct draft *d, const char *what, int64_t no, int64_t n);

/* ---- the text ---- */

void draft_line(struct draft *d, struct str s); /* on a new line; an empty s adds nothing */
/* Begins a fold with its title, on a new line; ends it. One in another is lines of the outer one. Where
 * nothing folds its lines stand open, but for those with hashes and seeds: /verify shows them. */
void draft_fold(struct draft *d, enum text title);
void draft_unfold(struct draft *d);
/* A table in monospaced lines. row[0] is its head; a column that is empty below it is left out.
 * left: bits of the columns whose cells stand at the left; own: the row of the reader, or -1; apart:
 * the last row stands below an ellipsis. */
enum { DRAFT_COLUMNS = 6 };
struct draft_cells {
    struct str at[DRAFT_COLUMNS];
};
void draft_table(struct draft *d, const struct draft_cells *row, int n, unsigned left, int own,
                 bool apart);
/* The same rows (n 0: none), and the lines of the message so far, as members of a JSON document. */
void draft_document(struct draft *d, const struct draft_cells *row, int n, int columns,
                    struct buf *ret);
/* True if text of that length fits; a limit of 0 holds everything. */
bool draft_fits(const struct draft *d, struct str text, int limit);
/* A line with what the seat's character says. Adds nothing if no character plays there. */
void draft_character_says(struct draft *d, int seat, enum manner m);

/* ---- buttons and picture ---- */

/* A button for a verb about the match. Adds nothing on a network without buttons, or when the
 * message is full. */
void draft_button(struct draft *d, struct str label, enum verb v, int64_t index,
                  enum button_style style);
void draft_press(struct draft *d, enum text label, enum verb v, int64_t index,
                 enum button_style style);
void draft_row(struct draft *d); /* ends the row of buttons */
/* Sets the picture; a layout that is too long is left out. */
void draft_picture(struct draft *d, const struct layout *l);

#endif
