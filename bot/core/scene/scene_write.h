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

struct scene_reader {
    const struct bot *bot;
    const struct table *table;
    int64_t version;     /* of the session's row, from 1 */
    struct str language; /* of the reader; empty: the bot's */
    const uint8_t *key;  /* signs the presses, PRESS_KEY_BYTES */
    int64_t now;         /* unix ms */
    struct arena *arena; /* of the result */
};

/* A document longer than SCENE_BYTES loses its sentences, then the texts of its moves. */
struct str scene_write(const struct scene_reader *reader);

#endif
