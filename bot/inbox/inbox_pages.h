/* What pages read of the inbox, outside of a transaction; strings that are returned are in the arena.
 *
 *     inbox_scene(in, &reader, table, a, &scene)      the table as that person may see it
 *     inbox_replay(in, account, table, ...)           a finished match, for whoever has its link
 *     inbox_take_changed(in)                          tables to look at again
 */
#ifndef KOIKOI_INBOX_PAGES_H
#define KOIKOI_INBOX_PAGES_H

#include "inbox.h"

/* ---- tables (inbox_scene.c) ---- */

struct inbox_reader {
    const struct account *account;
    int64_t who;         /* the person */
    struct str language; /* empty: the bot's */
    struct str chat;     /* the one that the page stands beside; may be empty */
};
struct inbox_scene {
    int64_t version; /* of the session's row */
    int64_t account; /* where their seat is played, ... */
    struct str chat; /* ... and in which chat */
    bool direct, live;
    int links;       /* how often the links to it were renewed */
    struct str json; /* config/formats/scene.schema.json */
};
/* Returns false if they have no seat there. Strings are in the arena. */
bool inbox_scene(struct inbox *in, const struct inbox_reader *reader, int64_t session,
                 struct arena *a, struct inbox_scene *ret);
/* The same without the JSON. */
bool inbox_seat(struct inbox *in, const struct inbox_reader *reader, int64_t session,
                struct arena *a, struct inbox_scene *ret);
struct inbox_table {
    int64_t no;
    struct str names; /* "Ann – Bo" */
    struct str deck;
    bool mine;  /* it is their move */
    bool begun; /* a match, not a challenge */
    bool here;  /* it is played in reader.chat */
};
/* Their live tables, newest first; returns how many. */
int inbox_tables(struct inbox *in, const struct inbox_reader *reader, struct arena *a, int most,
                 struct inbox_table *ret);
/* ---- pages that are opened by a link (inbox_replay.c) ---- */

/* A link's path "12-NAME", of "replay" or "watch"; and its secret. */
bool inbox_linked(const struct inbox *in, const char *what, struct str path, int64_t *ret_no);
bool inbox_link_opens(struct inbox *in, const char *what, int64_t no, struct str secret);
/* The public view of a match that runs, or has just ended, if its people and the admins of its chats
 * let others watch it. `account` is any. */
bool inbox_watched(struct inbox *in, const struct account *account, int64_t session,
                   struct str language, struct arena *a, struct inbox_scene *ret);
/* A finished match as steps with all hands open, {"names":{...},"steps":[scene, ...]}, each but the
 * first with what differs from the one before; or one of them, whole, from 0, with the presses that
 * play on from there; its record. `account` is any. Return false if it was not played to its end. In
 * the arena. */
enum { STEPS_ALL = -1 };
bool inbox_replay(struct inbox *in, const struct account *account, int64_t session, int64_t step,
                  struct str language, struct arena *a, struct str *ret);
bool inbox_record(struct inbox *in, const struct account *account, int64_t session, struct arena *a,
                  struct str *ret);
/* What a preview of a link shows, for those who have the path alone; `what` and `no` as in
 * inbox_linked(). Returns false if there is nothing to show. */
struct scene_preview;
bool inbox_preview(struct inbox *in, const struct account *account, const char *what, int64_t no,
                   struct str language, struct arena *a, struct scene_preview *ret);
/* Its review, once it is made; `begin` begins it. */
enum inbox_review { REVIEW_NONE, REVIEW_COMING, REVIEW_READY };
enum inbox_review inbox_review(struct inbox *in, const struct account *account, int64_t session,
                               struct str language, bool begin, struct arena *a, struct str *ret);

/* ---- documents behind links, of features (inbox_features.c) ---- */

/* True for the path of a kind of link, "/KIND/...". */
bool inbox_shares(struct str path);
/* True if GET /WHAT/12-NAME/NAME is one. *ret_open: without the link's secret. */
bool inbox_has_document(const char *what, struct str name, bool *ret_open);
/* The document as that person may see it; false if there is none or its chat keeps it private. */
bool inbox_document(struct inbox *in, const struct inbox_reader *reader, const char *what,
                    int64_t no, struct arena *a, struct str *ret);
/* The one that a press is on, after the press, which has been handled. False for any other press. */
bool inbox_document_pressed(struct inbox *in, const struct inbox_reader *reader, struct str press,
                            struct arena *a, struct str *ret);
/* The chat in which this press on the page of a link, "12-NAME#SECRET", acts, for people of the
 * chat's network; empty: in none. */
struct str inbox_link_chat(struct inbox *in, const struct account *account, struct str link,
                           struct str press, struct arena *a);

/* ---- words and changes ---- */

/* Their address, for links; it outlives the inbox's last event. */
void inbox_set_pages(struct inbox *in, struct str link);
const struct texts *inbox_texts(const struct inbox *in, struct str language);
/* What they chose, else what their app speaks; stands until the next call. */
struct str inbox_language(struct inbox *in, const struct person *p);
/* The popup that answered the press of that id on a page; may be empty. Stands until the next. */
struct str inbox_popup(struct inbox *in, struct str press);
/* Sessions that were stored since the last call, also those that were rolled back. */
enum { INBOX_CHANGED = 256 };
struct inbox_changed {
    int n;
    bool all;   /* there were more */
    bool links; /* logins ended, or links of rooms were renewed */
    int64_t at[INBOX_CHANGED];
};
struct inbox_changed inbox_take_changed(struct inbox *in);

#endif
