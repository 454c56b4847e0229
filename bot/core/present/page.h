/* Pages: what each kind of notice says, by its row in notice.def: a function, or rows of parts.
 *
 *     page_write(d)        writes the page of d->notice
 *
 * The one header that a page includes, beside the facts it shows. A part of one page stands in its
 * file, page_*.c; one that several pages use is in part.h; a feature has its pages in its own page.c. */
#ifndef KOIKOI_PAGE_H
#define KOIKOI_PAGE_H

#include "part_picture.h"

enum page_flag {
    PAGE_PUBLIC = 1 << 0,     /* an answer that all in the chat may read */
    PAGE_MENU = 1 << 1,       /* its buttons are worth a poll where there are no buttons */
    PAGE_POPUP = 1 << 2,      /* best in a popup, in answer to a press; */
    PAGE_GROUP_POPUP = 1 << 3 /* in a group */
};

/* Conditions of a part, as bits; see page_conditions(). */
enum page_when {
    IF_SEAT = 1 << 0,      /* the page is a seat's own, not an answer */
    IF_RUNS = 1 << 1,      /* the match runs */
    IF_DEALT = 1 << 2,     /* a round runs */
    IF_MINE = 1 << 3,      /* the reader is to move, */
    IF_PLAYS = 1 << 4,     /* with a card of the hand, */
    IF_CHOOSES = 1 << 5,   /* with the drawn card, */
    IF_DECIDES = 1 << 6,   /* by stop or koi-koi */
    IF_WAITS = 1 << 7,     /* another is to move */
    IF_LISTS = 1 << 8,     /* a round runs, and the hand is the numbered list */
    IF_BROKEN = 1 << 9,    /* the match ended before its last round */
    IF_DIRECT = 1 << 10,   /* read in a private venue */
    IF_BESIDE = 1 << 11,   /* a new board just above says the same */
    IF_ONE_POST = 1 << 12, /* in inline mode */
    IF_QUOTED = 1 << 13,   /* lines of a scene, no message */
    IF_SCREEN = 1 << 14,   /* a picture with a few lines: all the words are folded */
    IF_BRIEF = 1 << 15,    /* a computer moves at once, and its board follows as a new message */
    IF_FOLDED = 1 << 16    /* a few lines, with or without a picture: all the words are folded */
};
/* A part, written if all conditions of `when` and none of `unless` hold. */
struct page_part {
    void (*write)(struct draft *d);
    unsigned when, unless;
};
struct page {
    void (*whole)(struct draft *d); /* or */
    const struct page_part *parts;  /* ends with an empty one */
    unsigned flags;                 /* enum page_flag */
    const char *reaction;
};
extern const struct page page_of[N_NOTICES];

void page_write(struct draft *d);
/* The page of another kind, about the same notice. */
void page_write_as(struct draft *d, enum notice_kind kind);
/* What a notification says of a picture above a poll: "Your move. Round 2 of 3. Bo played ...". */
void page_caption(struct draft *d);
/* True if all in the chat may read what this notice says. */
bool page_may_be_public(const struct notice *notice);

/* A challenge while its page is written. */
struct offer {
    bool open, people; /* a seat waits for anyone; some guest is no computer */
    bool said;         /* a feature has written its head */
    bool elsewhere;    /* it is answered elsewhere: here it can be withdrawn at most */
    struct str more;   /* a line behind the terms */
};

/* The pages of all kinds, and parts that they have from features. */
typedef void page_writer(struct draft *d);
#define PAGE(kind, function, flags, reaction) page_writer function;
#define PARTS(kind, rows, flags, reaction)    extern const struct page_part rows[];
#define PART(function)                        page_writer function;
#define FIGURES(function)                     page_writer function;
#define OFFERED(function)                     void function(struct draft *d, struct offer *o);
#include "notice.def"

/* A decision that a review has judged: the move and, if another was better, which and why (page_review.c). */
struct match_review_line;
struct str part_decision(const struct draft *d, const struct match_review_line *line);

/* The address of a page that may be passed on; empty without pages. `renewed`: see share_write(). */
struct str part_link(const struct draft *d, const char *what, int64_t no, int renewed);
void part_replay_link(struct draft *d, int step); /* a line, if there are pages */

/* A hand that won, as hand_won_write() wrote it, and its points: its dearest set as a row of a picture, with
 * its owner if the name is not empty; all of it in words. Nothing for an empty one. */
void part_hand_won(const struct draft *d, struct layout *l, struct str name, struct str hand,
                   int64_t best);
struct str part_hand_won_words(const struct draft *d, struct str name, struct str hand,
                               int64_t best);

#endif
