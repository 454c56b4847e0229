/* The content of an event, as JSON. */
#ifndef KOIKOI_MATRIX_CONTENT_H
#define KOIKOI_MATRIX_CONTENT_H

#include "markup.h"
#include "wire.h"

#define PICTURE_NAME "koikoi.png"

struct event_parts {
    const struct outgoing *out;
    struct rendered text;
    struct str picture;         /* as content_picture() made it; of out->file: mxc://...;
                                   empty: none */
    struct str replaces;        /* the event this one edits; empty: it is new */
    struct str answers, thread; /* event ids; may be empty */
    bool quiet;                 /* a poll whose picture has notified already */
};

/* m.room.message: text, or a picture with a caption */
cJSON *content_message(struct arena *a, const struct event_parts *w);
/* m.room.message: the picture alone. It notifies instead of the poll below it. */
cJSON *content_image(struct arena *a, const struct event_parts *w);
/* An uploaded picture as one word: "mxc://server/id#800,612,45123" has its width, height and
 * bytes. */
struct str content_picture(struct arena *a, struct str mxc, struct str png);
/* A poll (MSC3381) with the buttons as answers. */
cJSON *content_poll(struct arena *a, const struct event_parts *w);
/* The end of that poll. */
cJSON *content_poll_end(struct str poll);

#endif
