/* How far a send has come. */
#ifndef KOIKOI_MATRIX_PROGRESS_H
#define KOIKOI_MATRIX_PROGRESS_H

#include "adapter.h"

/* What the shell keeps as outgoing.progress. */
struct progress {
    struct str room;            /* the private chat, once there is one */
    struct str picture;         /* mxc://, "-": the server would not take it */
    bool made, open, noted, in; /* the chat was made by us; found unencrypted; noted; its person is
                                   in */
    bool abandon, other_way;
    bool image;                 /* SAY_IMAGE is done */
    bool renew;                 /* the known private chat is of no use */
};
struct progress progress_read(struct str text);
struct str progress_write(struct arena *a, const struct progress *p);

#endif
