/* What the files of the inbox share: the inbox itself, and one event while it is taken. Included by
 * inbox*.c alone.
 *
 *     inbox.c         the doors: a deadline, a refusal or a finished job becomes an event
 *     inbox_hear.c    one more: an update becomes an event
 *     inbox_facts.c   what the event needs to know is read from the store, before the core runs
 *     inbox_settle.c  the core runs, and what follows is stored, pushed and asked for
 *     inbox_people.c  both of that for one person on several networks
 */
#ifndef KOIKOI_INBOX_PARTS_H
#define KOIKOI_INBOX_PARTS_H

#include "inbox.h"
#include "lessons.h"
#include "present.h"
#include "recall.h"

enum { MAX_PRESETS = 32 };

struct inbox {
    struct inbox_parts parts;
    struct arena *process, *turn;
    struct languages languages;
    int n_presets;
    struct rules presets[MAX_PRESETS];
    struct made made;             /* tables of the rule sets that are played */
    uint8_t key[PRESS_KEY_BYTES]; /* of button data */
    struct lessons lessons;       /* made lately */
    struct recall *recall;        /* sessions that were read or written lately */
};

/* What one event needs while it is taken; lives in the turn. */
struct taking {
    struct inbox *in;
    const struct account *account;
    struct event event;
    struct world world;
    struct person me;
    struct chat chat;
    /* sessions that were read, and the version of each in the store, by place in `row` */
    const struct session *row[2 * MAX_CANDIDATES + 2];
    int64_t row_version[2 * MAX_CANDIDATES + 2];
    int n_rows;
    struct err *err;
};

/* A new event, of nothing yet, now; what was of the turn before is gone. */
struct taking *taking_begin(struct inbox *in, const struct account *account, struct err *err);
/* "hand:12:0", "board:12": the session that a slot of this kind belongs to, 0 if none. */
int64_t session_of_slot(struct str slot, struct str kind);
/* NULL: that network is not configured now. */
const struct account *account_by_id(const struct inbox *in, int64_t account);

/* Reading. False: the database failed; a session that cannot be read is logged and left out. */
bool facts_chat(struct taking *t, struct str key, struct str name, bool direct) MUST_CHECK;
bool facts_person(struct taking *t) MUST_CHECK;
bool facts_named(struct taking *t, int64_t session, bool *ret_found) MUST_CHECK;
/* Sessions of the chat and of the person, as `facts` (enum fact) asks, and the one the event
 * names. */
bool facts_lists(struct taking *t, unsigned facts) MUST_CHECK;
bool facts_link(struct taking *t) MUST_CHECK;
/* All that the event's verb asks for. The chat and the person must be known. */
bool facts_load(struct taking *t) MUST_CHECK;

/* The core takes the event; what follows is stored, said and asked for. */
bool settle_event(struct taking *t) MUST_CHECK;
bool settle_link(struct taking *t, const struct link_effect *link) MUST_CHECK;
/* A session as a row; its version is not set. */
void settle_row(struct taking *t, const struct session *s, struct session_row *ret);

#endif
