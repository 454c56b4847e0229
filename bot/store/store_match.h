/* Matches in the store: sessions and records. See store.h. */
#ifndef KOIKOI_STORE_MATCH_H
#define KOIKOI_STORE_MATCH_H

#include "adapter.h"

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
    int64_t ended;   /* when it is saved as no longer live; not read back */
    struct str line; /* the core's notation, at most SESSION_LINE bytes */
};

struct ids {
    int n;
    int64_t *at;
};

/* Adds a session and sets row->id; row->version is stored as given. */
bool store_new_session(struct store *s, struct session_row *row, struct err *err) MUST_CHECK;
bool store_session(struct store *s, struct arena *a, int64_t id, struct session_row *ret,
                   bool *ret_found, struct err *err) MUST_CHECK;
/* Replaces the row; fails if the stored version is not `was`. */
bool store_save(struct store *s, const struct session_row *row, int64_t was,
                struct err *err) MUST_CHECK;

/* Takes a damaged session out of play: copies it to the quarantine, and no call finds it from then
 * on but store_session(), by id, with due = DUE_ASIDE. *ret are the chats where it was live. */
enum { DUE_ASIDE = -1 };
bool store_set_aside(struct store *s, struct arena *a, int64_t session, int64_t now, struct str why,
                     struct ids *ret, struct err *err) MUST_CHECK;
/* Puts it back into play with its deadline `due`, if its checksum and those of its record hold now.
 * Otherwise fails, and the savepoint must be undone. */
bool store_take_back(struct store *s, struct arena *a, int64_t session, int64_t due,
                     struct session_row *ret, struct err *err) MUST_CHECK;

/* Changes the deadline alone, for an event that could not be handled. */
bool store_set_due(struct store *s, int64_t session, int64_t due, struct err *err) MUST_CHECK;

struct session_rows {
    int n;
    struct session_row *at;
};
/* Live sessions, newest first, at most `most`. */
bool store_sessions_of_chat(struct store *s, struct arena *a, int64_t chat, int most,
                            struct session_rows *ret, struct err *err) MUST_CHECK;
bool store_sessions_of_person(struct store *s, struct arena *a, int64_t person, int most,
                              struct session_rows *ret, struct err *err) MUST_CHECK;
/* The newest ended session of the chat. */
/* The newest finished match of a person; 0 if there is none. It may have left since. */
bool store_set_last_of_person(struct store *s, int64_t person, int64_t session,
                              struct err *err) MUST_CHECK;
bool store_last_of_person(struct store *s, int64_t person, int64_t *ret,
                          struct err *err) MUST_CHECK;
bool store_last_session_of_chat(struct store *s, struct arena *a, int64_t chat,
                                struct session_row *ret, bool *ret_found,
                                struct err *err) MUST_CHECK;
/* The same with a record, so one that began, and with an id below `below`. */
bool store_last_begun_of_chat(struct store *s, struct arena *a, int64_t chat, int64_t below,
                              struct session_row *ret, bool *ret_found, struct err *err) MUST_CHECK;
/* Chats with live sessions and an id above `after`, in order. */
/* How many matches and challenges wait for a timer, as all that run do. */
bool store_running(struct store *s, int64_t *ret_n, struct err *err) MUST_CHECK;
bool store_live_chats(struct store *s, struct arena *a, int64_t after, int most, struct ids *ret,
                      struct err *err) MUST_CHECK;
/* Live sessions whose deadline is not after `now`, at most `most`. */
bool store_due(struct store *s, struct arena *a, int64_t now, int most, struct ids *ret,
               struct err *err) MUST_CHECK;
/* The next deadline of all, also of seasons; 0 if there is none. */
bool store_soonest_due(struct store *s, int64_t *ret_due, struct err *err) MUST_CHECK;

/* Removes sessions that ended before `before`, and their records, at most `most`. Those from before
 * the store knew when one ends count from the first call. Results stay. */
bool store_forget_matches(struct store *s, int64_t before, int64_t now, int most,
                          struct err *err) MUST_CHECK;
/* Removes tournaments that ended, or were cancelled, before `before`, with their players and games,
 * at most `most`. */
bool store_forget_tournaments(struct store *s, int64_t before, int most,
                              struct err *err) MUST_CHECK;

/* Sessions with an id above `after`, in order, for a check of all; the live ones alone. */
bool store_all_sessions(struct store *s, struct arena *a, int64_t after, int most,
                        struct session_rows *ret, struct err *err) MUST_CHECK;
bool store_live_sessions(struct store *s, struct arena *a, int64_t after, int most,
                         struct session_rows *ret, struct err *err) MUST_CHECK;

/* ---- records: exported as .koikoi ---- */

/* Appends whole lines, each with its '\n'. */
bool store_append_record(struct store *s, int64_t session, struct str lines,
                         struct err *err) MUST_CHECK;
bool store_record(struct store *s, struct arena *a, int64_t session, struct str *ret,
                  struct err *err) MUST_CHECK; /* empty if it has no record, or a damaged one */
/* *ret_sound is false if a piece of the record is damaged. */
bool store_record_sound(struct store *s, int64_t session, bool *ret_sound,
                        struct err *err) MUST_CHECK;

#endif
