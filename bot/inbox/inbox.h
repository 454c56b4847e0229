/* Inbox: turns an update, a deadline, an undeliverable message or a finished job into an event for
 * a session, runs the core, and stores and pushes what follows.
 *
 * Every call runs on the loop's thread, inside a transaction, and in a savepoint where one event
 * may fail alone. An event that was not handled leaves its failure in the store: after one of the
 * database (store_broken()) the loop gives the batch up and tries it again later; otherwise the
 * event is poison: the loop undoes it alone, puts it into quarantine and goes on.
 *
 * Messages go to outbox_push(), jobs to work_push(); both hold them back until the loop has
 * committed.
 */
#ifndef KOIKOI_INBOX_H
#define KOIKOI_INBOX_H

#include "beacon_client.h"
#include "cache.h"
#include "clock.h"
#include "outbox.h"
#include "registry.h"
#include "store.h"
#include "work.h"

struct inbox;
struct texts;

/* All of it belongs to the loop and outlives the inbox. */
struct inbox_parts {
    struct store *store;
    struct outbox *outbox;
    struct work *work;
    const struct clock *clock;
    int n_accounts;
    const struct account *accounts;
    struct str rules_dir, texts_dir; /* files that override the built-in ones, or empty */
    struct str default_rules;        /* a preset's name */
    struct str default_language;
    struct str operators;         /* NETWORK:ID with blanks between */
    int64_t think_ms;             /* the computer's time for a move, on one core */
    struct beacon_client *beacon; /* NULL: none is configured */
};

/* Returns false if a file of texts or rules has a fault; what it reads of the store may fail,
 * too. */
bool inbox_open(const struct inbox_parts *parts, struct inbox **ret, struct err *err) MUST_CHECK;
void inbox_close(struct inbox *in);
/* Reads texts and rule sets again, from the folders of *parts, and takes its options from
 * `default_rules` to `think_ms`. On failure all is as before. Outside of a transaction. */
bool inbox_reload(struct inbox *in, const struct inbox_parts *parts, struct err *err) MUST_CHECK;

struct inbox_caches {
    struct cache_counts rulesets, sessions, reviews;
};
struct inbox_caches inbox_caches(const struct inbox *in);

/* Matches since the start. A transaction that fails sets them back. */
struct inbox_counts {
    int64_t begun, finished;
    size_t logged; /* bytes of lines for the log */
};
struct inbox_counts inbox_counts(const struct inbox *in);
void inbox_set_counts(struct inbox *in, struct inbox_counts counts);
/* A transaction was rolled back as a whole: the commands in it are not counted, since they come
 * again. */
void inbox_undo(struct inbox *in);
/* Writes the log lines of the transaction that is durable now. */
void inbox_log(struct inbox *in);

/* Reads what n updates will need together; all of them must then be handled in this transaction. */
void inbox_look_ahead(struct inbox *in, const struct account *from, int n,
                      const struct update *const *u);
/* A known update (store_hear()) has no effect. */
void inbox_handle(struct inbox *in, const struct account *from, const struct update *u);
/* The deadline of the session has come. The core moves or clears `due`. */
void inbox_clock(struct inbox *in, int64_t session);
/* What became of a message, as outbox_report tells it. */
void inbox_report(struct inbox *in, const struct account *on, const struct outgoing *out,
                  const struct receipt *receipt);
/* Moves the times of the chat's sessions by so much; if stopped_ms > 0, tells the chat that the
 * daemon did not run for so long. */
void inbox_away(struct inbox *in, int64_t chat, int64_t move_ms, int64_t stopped_ms);
/* The wall clock was set back: what comes daily does not wait for the moments of the wrong clock. */
void inbox_clock_set_back(struct inbox *in);
/* The same as inbox_away() for all tournaments. */
void inbox_move_tournaments(struct inbox *in, int64_t ms);
/* Damaged matches that were found. inbox_damaged() is true if there are any; at the end of a
 * transaction they leave play and their chats get a message. inbox_forget_damaged() gives up those
 * for which that is impossible. */
bool inbox_damaged(const struct inbox *in);
void inbox_quarantine(struct inbox *in);
void inbox_forget_damaged(struct inbox *in);
/* The damaged session left play `at` (unix ms) and returns to it, if it is sound now. */
void inbox_take_back(struct inbox *in, int64_t session, int64_t at);
/* Somebody is being forgotten: a step takes the name out of a few matches, in a transaction of its
 * own. True after a start too, until a step has found that nothing is left. */
bool inbox_forgetting(const struct inbox *in);
void inbox_forget_step(struct inbox *in);
/* For the host, each in a transaction of its own: takes the person who is called so out of the
 * store, matches in steps; counts the results of the next chat anew (results_recount_step). What
 * cannot be done fails the store with a sentence. */
void inbox_forget_called(struct inbox *in, struct str called);
bool inbox_recount_step(struct inbox *in, int64_t *chat, int64_t *matches);
/* What a date brings: the end of a season, the puzzle of the day, the next step of a tournament, an
 * announcement. Kinds are numbered from 0; the name is NULL behind the last. inbox_date() does the
 * first of a kind that is due, if one is; with `put_off` it tries the same so many ms later. */
const char *inbox_date_kind(int kind);
void inbox_date(struct inbox *in, int kind, int64_t put_off);
void inbox_job_done(struct inbox *in, const struct job_done *done);

#endif
