/* The scene of a table as one JSON document (config/formats/scene.schema.json), for a page that shows
 * it and knows neither rules nor sentences: cards with the moves that each allows and the press that
 * each move sends, seats, captures and what is near, round, clock, what happened; all words in the
 * reader's language.
 *
 *     scene_write(&(struct scene_reader){.bot = bot, .table = table, ...})
 *
 * A pure function. What the reader may see is decided by table->view, whose seat is the reader's. */
#ifndef KOIKOI_SCENE_WRITE_H
#define KOIKOI_SCENE_WRITE_H

#include "text.h"
#include "world.h"

enum { SCENE_BYTES = 4096 }; /* ceiling of a document */

/* What a feature shows as a scene in place of a match: a position whose moves are answers. */
struct draft;
struct scene_topic {
    const struct notice *notice; /* with what its pages show */
    struct str (*head)(const struct draft *d);
    void (*say)(struct draft *d); /* its sentences, as lines of the draft */
    enum verb verb;               /* of presses; their index counts moves that differ, from 1 */
    bool done;                    /* it has no moves, but a button: */
    enum text button;
    int64_t index;
    struct str page; /* which it opens */
};

struct scene_reader {
    const struct bot *bot;
    const struct table *table;
    int64_t version;     /* of the session's row, from 1 */
    struct str language; /* of the reader; empty: the bot's */
    const uint8_t *key;  /* signs the presses, PRESS_KEY_BYTES */
    int64_t now;         /* unix ms */
    struct arena *arena; /* of the result */
    const struct match
        *open;    /* of a finished match: its hands are shown, and its step is `version`; NULL */
    bool play_on; /* with presses that play on from that step */
    const struct scene_topic *topic; /* `table` is its position; NULL */
};

/* Draft of words for the reader alone, about their table; the same with pictures, and its notice to be
 * filled in. */
struct draft *scene_draft(const struct scene_reader *reader);
struct draft *scene_draft_shared(const struct scene_reader *reader, struct notice **ret_notice);

/* The names of all cards, {"1b":"1 pine crane", ...}. */
struct str scene_names(const struct scene_reader *reader);

/* A review as a document for the page of its replay: chances before each round and at the end,
 * decisions with the step each was made at; `mark` is on the greatest losses, and on the best finds. */
struct match_review;
struct str scene_review(const struct scene_reader *reader, const struct match_review *review);

/* What a messenger shows of a link: a title, a sentence (may be empty), a picture as text for
 * bot/picture. Of a finished match: the scores, the round that moved it most, the same as a poster. No
 * hand, no stock. */
struct scene_preview {
    struct str title, sentence, picture;
};
void scene_preview(const struct scene_reader *reader, struct rounds rounds,
                   struct scene_preview *ret);

/* The sentence of a preview: what it is about, and what the link opens. */
struct str scene_sentence(struct draft *d, struct str about, enum text opens);

/* A document longer than SCENE_BYTES loses its sentences, then the texts of its moves. */
struct str scene_write(const struct scene_reader *reader);

#endif
