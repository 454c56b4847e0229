/* Matches in the store: sessions and records. See store.h. */
#ifndef KOIKOI_STORE_SESSION_H
#define KOIKOI_STORE_SESSION_H

#include "err.h"
#include "adapter.h"
#include "rows.h"

struct store;

/* ---- sessions ---- */

enum { SESSION_SEATS = 3, SESSION_LINE = 16 * 1024 };

struct session_row {
    int64_t id;
    int64_t version; /* from 1; rises with every save */
    int64_t due;     /* when its timer fires; 0: never */
    bool live;       /* false: over; found by id only */
    bool damaged;    /* read, and its checksum does not hold: no other field can be trusted */
    int n_people, n_chats;
    int64_t person[SESSION_SEATS], chat[SESSION_SEATS]; /* for look-up; distinct */
    int64_t ended;                                      /* when it was saved as no longer live */
    struct str line; /* the core's notation, at most SESSION_LINE bytes */
    /* the store's own: lists of ids as they are stored, the account it is kept under, the checksum */
    struct str people, chats;
    int64_t account, sum;
};
ROW_LIST(session_rows, struct session_row);
struct ids {
    int n;
    int64_t *at;
};

/* Adds a session and returns its id; row->version is stored as given. */
int64_t store_new_session(struct store *s, const struct session_row *row);
const struct session_row *store_session(struct store *s, struct arena *a, int64_t id);
/* Replaces the row; fails if the stored version is not `was`. */
void store_save(struct store *s, const struct session_row *row, int64_t was);
/* Changes the deadline alone, for an event that could not be handled. */
void store_set_due(struct store *s, int64_t session, int64_t due);

/* Live sessions, newest first, at most `most`. */
struct session_rows store_sessions_of_chat(struct store *s, struct arena *a, int64_t chat,
                                           int most);
struct session_rows store_sessions_of_person(struct store *s, struct arena *a, int64_t person,
                                             int most);
/* The newest ended session of the chat. */
const struct session_row *store_last_session_of_chat(struct store *s, struct arena *a,
                                                     int64_t chat);
/* The same with a record, so one that began, and with an id below `below`. */
const struct session_row *store_last_begun_of_chat(struct store *s, struct arena *a, int64_t chat,
                                                   int64_t below);
/* The newest finished match of a person; 0 if not found. It may have left since. */
void store_set_last_of_person(struct store *s, int64_t person, int64_t session);
int64_t store_last_of_person(struct store *s, int64_t person);

/* How many matches and challenges wait for a timer, as all that run do. */
int64_t store_running(struct store *s);
/* Chats with live sessions and an id above `after`, in order. */
struct ids store_live_chats(struct store *s, struct arena *a, int64_t after, int most);
/* Those of them that are parts of a chat, topics or threads: their keys are its key, a slash or a blank,
 * and more. */
struct ids store_live_parts(struct store *s, struct arena *a, int64_t account, struct str key);
/* The key of the chat, or of the part of it, where this message stands; empty if it stands in no slot
 * there. */
struct str store_place_of_post(struct store *s, struct arena *a, int64_t account, struct str chat,
                               struct str post);
/* Live sessions whose deadline is not after `now`, at most `most`. */
struct ids store_due(struct store *s, struct arena *a, int64_t now, int most);
/* The next deadline of all, also of seasons; 0: none. */
int64_t store_soonest_due(struct store *s);
/* What comes daily and is due after `later` only is due `now`. */
void store_clock_set_back(struct store *s, int64_t now, int64_t later);
/* Commits as store_commit() does; *ret_soonest is store_soonest_due() as it stands then. */
bool store_commit_and_look(struct store *s, int64_t *ret_soonest, struct err *err) MUST_CHECK;

/* Removes sessions that ended before `before`, and their records, at most `most`. Results stay. */
void store_forget_matches(struct store *s, int64_t before, int most);

/* Sessions with an id above `after`, in order, for a check of all; the live ones alone. */
struct session_rows store_all_sessions(struct store *s, struct arena *a, int64_t after, int most);
struct session_rows store_live_sessions(struct store *s, struct arena *a, int64_t after, int most);

/* ---- records: exported as .koikoi ---- */

/* Appends whole lines, each with its '\n'. */
void store_append_record(struct store *s, int64_t session, struct str lines);
/* Empty if it has no record, or a damaged one. */
struct str store_record(struct store *s, struct arena *a, int64_t session);
/* What to say of a match whose checksum, or that of its record, does not hold: damage, or, if this
 * process wrote the match, a fault of the program. */
const char *store_damage_why(struct store *s, int64_t session);
/* False if a piece of the record is damaged. */
bool store_record_sound(struct store *s, int64_t session);
/* The first piece of a record; *ret_id 0 if it has none that is sound. */
struct str store_record_head(struct store *s, struct arena *a, int64_t session, int64_t *ret_id);
void store_rewrite_record(struct store *s, int64_t id, int64_t session, struct str lines);

/* ---- for other files of the store ---- */

/* Where its people and chats find a session. */
void store_link_session(struct store *s, const struct session_row *row);
/* Matches of the chat `from` are those of `to` from now on. */
void store_rename_chat(struct store *s, int64_t to, int64_t from);

/* ---- for the quarantine ---- */

/* Takes a session out of play, its deadline DUE_QUARANTINED, or back. Returns the row as it stands
 * then, NULL if not found. */
const struct session_row *store_set_aside(struct store *s, struct arena *a, int64_t session);
const struct session_row *store_put_back(struct store *s, struct arena *a, int64_t session,
                                         int64_t due);

#endif
