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

#include "world.h"

enum { SCENE_BYTES = 4096 }; /* ceiling of a document */

/* A puzzle as a scene: each move is an answer. Once there is one, it has no moves; its sentences tell
 * that it is kept, or with `over` the solution. */
struct scene_puzzle {
    const struct puzzle_of_day *day;
    bool over;
    int answer;   /* from 1; 0: none */
    int64_t next; /* version of one for practice (puzzle_version()) */
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
    const struct scene_puzzle *puzzle; /* `table` is its position; NULL */
};

/* Draft of words for the reader alone, about their table. */
struct draft;
struct draft *scene_draft(const struct scene_reader *reader);

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

/* The same of a puzzle: title, question, position; nothing of its answer. */
void scene_puzzle_preview(const struct scene_reader *reader, struct scene_preview *ret);

/* A season's table in a chat of that name, as a document for its page: {"head":"...","rows":[["#",
 * ...], ...],"lines":[...]}, the first row the names of the columns; and its preview. */
struct board_facts;
struct str scene_season(const struct scene_reader *reader, const struct board_facts *board,
                        struct str chat);
void scene_season_preview(const struct scene_reader *reader, const struct board_facts *board,
                          struct str chat, struct scene_preview *ret);

/* A day's duel, {"head":"...","rows":[...],"lines":[...],"buttons":[{"text":"...","press":"..."}]}, and
 * its preview: `page` is DUEL_INVITES, and for those who have played DUEL_SO_FAR, until the day is over.
 * `network`: the title of the one it is played on, if that is not the reader's. */
struct duel_facts;
struct str scene_duel(const struct scene_reader *reader, const struct duel_facts *duel, int page,
                      struct str network);
void scene_duel_preview(const struct scene_reader *reader, const struct duel_facts *duel, int page,
                        struct scene_preview *ret);

/* A document longer than SCENE_BYTES loses its sentences, then the texts of its moves. */
struct str scene_write(const struct scene_reader *reader);

#endif
