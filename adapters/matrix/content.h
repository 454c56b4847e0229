/* What stands in an event: one outgoing, its marks read, and where it goes -> JSON. */
#ifndef KOIKOI_MATRIX_CONTENT_H
#define KOIKOI_MATRIX_CONTENT_H

#include "mark.h"
#include "wire.h"

#define PICTURE_NAME "koikoi.png"

struct wording {
    const struct outgoing *out;
    struct marked text;
    struct str picture;         /* as content_picture() made it; empty: none */
    struct str replaces;        /* the event this is an edit of; empty: it is new */
    struct str answers, thread; /* event ids; may be empty */
};

/* m.room.message: text, or a picture with it */
cJSON *content_message(struct arena *a, const struct wording *w);
cJSON *content_image(const struct wording *w);                 /* the same: the picture by itself */
/* One word for a picture that was uploaded: "mxc://server/id#800,612,45123", its width, height and
 * bytes. */
struct str content_picture(struct arena *a, struct str mxc, struct str png);
/* the buttons as answers (MSC3381) */
cJSON *content_poll(struct arena *a, const struct wording *w);

#endif
