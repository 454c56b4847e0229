/* A feature of the inbox, a file inbox_FEATURE.c: facts that an event asks for, before the core runs;
 * what follows of its effects; timers, links. To remove one, delete its file and its row in
 * inbox_feature.def. */
#ifndef KOIKOI_INBOX_FEATURE_H
#define KOIKOI_INBOX_FEATURE_H

#include "inbox_internal.h"
#include "inbox_shown.h"
#include "store_chat.h"
#include "week.h"

/* What comes daily: its posts in the store, its hour among the settings, a member of theirs, and on
 * which days: day % every == first, where 0 is a Thursday. */
struct daily_kind {
    const struct sql_table *posts;
    size_t hour;
    int every, first;
};
/* A link that may be passed on, /WHAT/12-NAME, and GET /WHAT/12-NAME/DOCUMENT. */
struct shared_kind {
    const char *what, *document;
    bool renewed; /* with the links of the session of that number; else it stands */
    bool open;    /* its document asks for no secret */
    bool (*preview)(struct turn *t, int64_t no, struct scene_reader *reader,
                    struct scene_preview *ret); /* NULL: it has none */
    bool (*read)(struct turn *t, int64_t no, struct scene_reader *reader, struct str *ret);
    /* the same after a press on it; false: that is of something else */
    bool (*pressed)(struct turn *t, const struct press *p, struct scene_reader *reader,
                    struct str *ret);
    /* the chat in which a press on it acts; empty: in none */
    struct str (*place)(struct turn *t, int64_t no, const struct press *p);
};
/* Where a feature has a part in what all do; members may be NULL. */
struct inbox_feature {
    void (*reads)(struct turn *t); /* a command was typed: its words may mean another */
    unsigned facts;                /* enum fact: those of a verb that load() is for */
    void (*load)(struct turn *t);
    void (*settle)(struct turn *t, struct effects *fx); /* sessions and records are stored */
    /* the chat has new settings */
    void (*follow)(struct turn *t, const struct chat_settings *next);
    const struct daily_kind *daily;
    enum timer timer; /* of a session: it brings this event in place of VERB_CLOCK */
    enum verb timed;
    void (*banned)(struct store *s, int64_t who);
    void (*joined)(struct store *s, int64_t who, int64_t other); /* the other becomes `who` */
    /* a match has ended: an event of its own; NULL: none */
    struct turn *(*ended)(struct turn *t, const struct session *s);
    /* What a date brings: begins the turn of the first that is due, for settle_event(); NULL: none is,
     * or there is nothing to say. With `put_off` it tries the same so many ms later instead. */
    const char *date;
    struct turn *(*due)(struct inbox *in, int64_t put_off);
    /* what is kept of a person, as JSON lines */
    void (*list)(struct store *s, struct arena *a, int64_t who, struct buf *b);
    enum text run_head; /* in the table of solvers: */
    struct day_run (*run)(struct turn *t, int64_t who);
    struct shared_kind shared;
};
#define FEATURE(name) extern const struct inbox_feature inbox_##name;
#include "inbox_feature.def"
extern const struct inbox_feature *const inbox_features[]; /* NULL ends it */

#endif
