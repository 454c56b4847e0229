/* All that must outlive the process, as typed calls. Below is db.h, a few verbs that a database has
 * to offer; above nobody knows SQL.
 *
 * Calling sequence
 *
 *     store_open(where, &store, &err)           migrates; refuses a file of a newer program
 *     store_begin(store, &err)                  one transaction for all updates that came together
 *         store_mark(store, &err)               before each of them
 *         store_hear(...) store_chat(...) store_session(...) store_save(...) ...
 *         store_release(store, &err)            it was taken ... or
 *         store_undo(store, &err)               it was not: as if it had never come
 *     store_commit(store, &err)                 durable now; only now may anything be said
 *     store_rollback(store)                     instead, when anything failed
 *
 * Reading works in or out of a transaction. Every call that returns false has changed nothing but
 * may have spoilt the transaction: after a failure of the database itself store_ill() is true until
 * store_rollback(), and the whole batch must be given up and tried again later.
 *
 * Strings handed back live in the arena given; ids are positive. Times are unix milliseconds. A
 * call with ret_found answers true with *ret_found = false when there is no such row: absence is no
 * failure.
 */
#ifndef KOIKOI_STORE_H
#define KOIKOI_STORE_H

#include "adapter.h"

struct store;
struct db;

/* `where` is the path of an SQLite file (made if absent, mode 0600). */
bool store_open(struct str where, struct store **ret, struct err *err) MUST_CHECK;
/* The same over a database that is already open; takes it over, closes it also when it fails. */
bool store_open_db(struct db *db, struct store **ret, struct err *err) MUST_CHECK;
void store_close(struct store *s);

bool store_begin(struct store *s, struct err *err) MUST_CHECK;
bool store_commit(struct store *s, struct err *err) MUST_CHECK;   /* false: it was rolled back */
void store_rollback(struct store *s);
bool store_mark(struct store *s, struct err *err) MUST_CHECK;
bool store_release(struct store *s, struct err *err) MUST_CHECK;
bool store_undo(struct store *s, struct err *err) MUST_CHECK;
bool store_ill(const struct store *s);
/* To be called when there is nothing else to do: tidies up for at most some milliseconds. */
void store_idle(struct store *s);

/* ---- accounts: one per configured network login ---- */

bool store_account(struct store *s, struct str name, int64_t *ret_id, struct err *err) MUST_CHECK;
bool store_cursor(struct store *s, struct arena *a, int64_t account, struct str *ret,
                  struct err *err) MUST_CHECK;                    /* empty: none yet */
bool store_set_cursor(struct store *s, int64_t account, struct str cursor,
                      struct err *err) MUST_CHECK;

/* Notes that update `id` was heard; *ret_new is false if it had been before. */
bool store_hear(struct store *s, int64_t account, struct str id, int64_t now, bool *ret_new,
                struct err *err) MUST_CHECK;
/* Forgets marks older than `before`, at most `most` of them. */
bool store_forget_heard(struct store *s, int64_t before, int most, struct err *err) MUST_CHECK;

/* ---- people ---- */

/* A handle: somebody as one network knows them. */
struct person {
    int64_t id, account;
    int64_t who;                /* the person it counts as: its own id, or that of the handle it is
                                   linked to */
    struct str network_id;      /* empty: known by handle alone, has not spoken yet */
    struct str name, handle, language;
    struct str prefs;           /* a line of core's */
    struct str direct_chat;     /* key of the private chat; empty: none known */
    bool reachable;             /* false: the private chat was closed, or never opened */
};

/* Finds a person by network id, else by handle; makes one if there is none; brings name, handle and
 * language up to date. Who was known by handle alone and speaks now gets the id and stays the same
 * person. `who` must have an id or a handle. A new person has a name even if `who` has none (the
 * handle or id). */
bool store_person(struct store *s, struct arena *a, int64_t account, const struct sender *who,
                  struct person *ret, struct err *err) MUST_CHECK;
bool store_person_by_id(struct store *s, struct arena *a, int64_t id, struct person *ret,
                        bool *ret_found, struct err *err) MUST_CHECK;
bool store_person_by_network_id(struct store *s, struct arena *a, int64_t account,
                                struct str network_id, struct person *ret, bool *ret_found,
                                struct err *err) MUST_CHECK;
/* Handles are compared without regard to ASCII case, with or without '@'. */
bool store_person_by_handle(struct store *s, struct arena *a, int64_t account, struct str handle,
                            struct person *ret, bool *ret_found, struct err *err) MUST_CHECK;
bool store_set_prefs(struct store *s, int64_t person, struct str prefs, struct err *err) MUST_CHECK;
/* An empty chat leaves the known one. */
bool store_set_direct(struct store *s, int64_t person, struct str direct_chat, bool reachable,
                      struct err *err) MUST_CHECK;

/* ---- one person, several handles ---- */

struct people { int n; struct person *at; };
/* All handles of a person, itself among them. */
bool store_handles(struct store *s, struct arena *a, int64_t who, struct people *ret,
                   struct err *err) MUST_CHECK;
/* The handles of `other` count as `who` from now on. Both are persons: neither counts as
 * another. */
bool store_link(struct store *s, int64_t who, int64_t other, struct err *err) MUST_CHECK;
/* The handle counts as itself, and so does each that counted as it. */
bool store_part(struct store *s, int64_t handle, struct err *err) MUST_CHECK;
/* The code a handle has asked for; it replaces an older one. */
bool store_set_code(struct store *s, int64_t handle, struct str code, int64_t expires,
                    struct err *err) MUST_CHECK;
/* The handle whose code that is; 0: nobody's, or too old. */
bool store_code(struct store *s, struct str code, int64_t now, int64_t *ret_handle,
                struct err *err) MUST_CHECK;
/* Codes of all handles of a person are void. */
bool store_drop_codes(struct store *s, int64_t who, struct err *err) MUST_CHECK;
/* Counts a wrong code typed by a handle; the count begins anew if the last began before `since`. */
bool store_wrong_code(struct store *s, int64_t handle, int64_t now, int64_t since,
                      struct err *err) MUST_CHECK;
bool store_wrong_codes(struct store *s, int64_t handle, int64_t since, int *ret,
                       struct err *err) MUST_CHECK;

/* ---- chats ---- */

struct chat {
    int64_t id, account;
    struct str key;             /* the network's, opaque */
    struct str name;
    bool direct;
    struct str settings;        /* a line of core's */
};

/* Finds or makes; a name that is not empty and differs is taken over. */
bool store_chat(struct store *s, struct arena *a, int64_t account, struct str key, struct str name,
                bool direct, struct chat *ret, struct err *err) MUST_CHECK;
bool store_chat_by_id(struct store *s, struct arena *a, int64_t id, struct chat *ret,
                      bool *ret_found, struct err *err) MUST_CHECK;
bool store_set_settings(struct store *s, int64_t chat, struct str settings,
                        struct err *err) MUST_CHECK;
/* The chat goes on under another key, with its id, matches and seasons; where its messages stood is
 * forgotten. If there is already a chat of that key, its matches and seasons are joined to the one
 * that moves, which keeps its id (session_row.chat is rewritten); settings of the one that moves
 * win. */
bool store_move_chat(struct store *s, int64_t account, struct str key, struct str new_key,
                     struct err *err) MUST_CHECK;

/* ---- sessions ---- */

enum { SESSION_SEATS = 3, SESSION_LINE = 16 * 1024 };

struct session_row {
    int64_t id;
    int64_t version;            /* from 1; rises with every save */
    int64_t due;                /* when the clock is to knock; 0 = never */
    bool live;                  /* false: over; found by id only */
    int n_people, n_chats;
    int64_t person[SESSION_SEATS], chat[SESSION_SEATS];   /* for look-up; distinct */
    struct str line;            /* core's notation, at most SESSION_LINE bytes */
};

/* Stores a new one and sets row->id; row->version is stored as it is. */
bool store_new_session(struct store *s, struct session_row *row, struct err *err) MUST_CHECK;
bool store_session(struct store *s, struct arena *a, int64_t id, struct session_row *ret,
                   bool *ret_found, struct err *err) MUST_CHECK;
/* Replaces it; fails if the stored version is not `was`. */
bool store_save(struct store *s, const struct session_row *row, int64_t was,
                struct err *err) MUST_CHECK;

/* Moves the deadline alone, for an event that could not be taken. */
bool store_set_due(struct store *s, int64_t session, int64_t due, struct err *err) MUST_CHECK;

struct session_rows { int n; struct session_row *at; };
/* Live ones, newest first, at most `most`. */
bool store_sessions_of_chat(struct store *s, struct arena *a, int64_t chat, int most,
                            struct session_rows *ret, struct err *err) MUST_CHECK;
bool store_sessions_of_person(struct store *s, struct arena *a, int64_t person, int most,
                              struct session_rows *ret, struct err *err) MUST_CHECK;
/* The newest ended one of the chat: for a rematch, the notebook, the record. */
bool store_last_session_of_chat(struct store *s, struct arena *a, int64_t chat,
                                struct session_row *ret, bool *ret_found,
                                struct err *err) MUST_CHECK;
struct ids { int n; int64_t *at; };
/* Chats with live sessions, with an id above `after`, in order. */
bool store_live_chats(struct store *s, struct arena *a, int64_t after, int most, struct ids *ret,
                      struct err *err) MUST_CHECK;
bool store_due(struct store *s, struct arena *a, int64_t now, int most, struct ids *ret,
               struct err *err) MUST_CHECK;
bool store_soonest_due(struct store *s, int64_t *ret_due, struct err *err) MUST_CHECK; /* 0: none */

/* ---- records: what is exported as .koikoi ---- */

/* Appends whole lines, each ended by '\n'. */
bool store_append_record(struct store *s, int64_t session, struct str lines,
                         struct err *err) MUST_CHECK;
bool store_record(struct store *s, struct arena *a, int64_t session, struct str *ret,
                  struct err *err) MUST_CHECK;                    /* empty: none */

/* ---- seasons: the scoreboard of a chat ---- */

struct tally { int64_t won, drawn, lost, points; };
struct standing {
    int64_t person;
    struct str name;
    struct tally tally;
    int64_t place;              /* from 1; equals share one */
};
struct standings { int n; struct standing *at; };

bool store_add_result(struct store *s, int64_t chat, struct str season, int64_t person,
                      struct tally add, struct err *err) MUST_CHECK;
/* Results are kept by handle and shown by person: those of all handles of one are added up. By
 * matches won, then points, then fewer lost; at most `most`. */
bool store_standings(struct store *s, struct arena *a, int64_t chat, struct str season, int most,
                     struct standings *ret, struct err *err) MUST_CHECK;
bool store_standing(struct store *s, struct arena *a, int64_t chat, struct str season,
                    int64_t person, struct standing *ret, bool *ret_found,
                    struct err *err) MUST_CHECK;

/* ---- outbox: only outbox.c calls these ---- */

struct out_row {
    int64_t id;
    int64_t account;
    struct str lane;            /* rows of one lane go out one after another */
    struct str slot;            /* lane-wide name of what it replaces; empty: none */
    bool flown;                 /* an attempt may have been made */
    int64_t not_before;
    int64_t tries;
    struct str progress;
    struct str bytes;           /* struct outgoing, encoded */
};
struct out_rows { int n; struct out_row *at; };

/* Sets id, which is above that of every row there ever was. */
bool store_push(struct store *s, struct out_row *row, struct err *err) MUST_CHECK;
/* All rows from id `first` to id `last`. */
bool store_drop(struct store *s, int64_t first, int64_t last, struct err *err) MUST_CHECK;
/* Writes flown, not_before, tries and progress. */
bool store_hold(struct store *s, const struct out_row *row, struct err *err) MUST_CHECK;
/* In order of id, above `after`; lane empty: all lanes. For one lane it may look through all
 * rows. */
bool store_outbox(struct store *s, struct arena *a, int64_t account, struct str lane, int64_t after,
                  int most, struct out_rows *ret, struct err *err) MUST_CHECK;
/* The same of one lane, quickly, without rows that have flown. */
bool store_waiting(struct store *s, struct arena *a, int64_t account, struct str lane,
                   int64_t after, int most, struct out_rows *ret, struct err *err) MUST_CHECK;
/* Rows of a lane and slot with an id above `but` that have not flown are dropped. */
bool store_drop_slot(struct store *s, int64_t account, struct str lane, struct str slot,
                     int64_t but, int *ret_dropped, struct err *err) MUST_CHECK;
bool store_post(struct store *s, struct arena *a, int64_t account, struct str place,
                struct str slot, struct str *ret,
                struct err *err) MUST_CHECK; /* empty: no message stands
                                                                     there */
/* The slot whose message that is now; empty: none. */
bool store_slot(struct store *s, struct arena *a, int64_t account, struct str place,
                struct str post, struct str *ret, struct err *err) MUST_CHECK;
bool store_set_post(struct store *s, int64_t account, struct str place, struct str slot,
                    struct str post, struct err *err) MUST_CHECK; /* empty: it is gone */
/* A network's own id of a picture, by what the picture is called (picture.h); empty: none is
 * known. */
bool store_picture_file(struct store *s, struct arena *a, int64_t account, struct str name,
                        struct str *ret, struct err *err) MUST_CHECK;
bool store_set_picture_file(struct store *s, int64_t account, struct str name, struct str file,
                            int64_t now, struct err *err) MUST_CHECK;   /* empty: it is of no use */
bool store_forget_pictures(struct store *s, int64_t before, struct err *err) MUST_CHECK;

/* ---- the rest ---- */

bool store_quarantine(struct store *s, int64_t account, int64_t now, struct str raw, struct str why,
                      struct err *err) MUST_CHECK;
/* A value by name; empty if there is none. */
bool store_meta(struct store *s, struct arena *a, struct str name, struct str *ret,
                struct err *err) MUST_CHECK;
bool store_set_meta(struct store *s, struct str name, struct str value, struct err *err) MUST_CHECK;

#endif
