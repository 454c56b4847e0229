/* What the files of the inbox share that answer pages (inbox_pages.h). */
#ifndef KOIKOI_INBOX_SHOWN_H
#define KOIKOI_INBOX_SHOWN_H

#include "scene_write.h"

/* A table as a seat sees it, for a reader who does nothing: its hours are effect_times(). */
struct table *page_table(struct turn *t, const struct session *s, int seat, struct arena *a);
/* A scene's reader without table and version. */
struct scene_reader page_reader(struct turn *t, struct str language, struct arena *a);

#endif
