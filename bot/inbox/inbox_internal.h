/* Shared by the files of the inbox: the inbox itself, and the turn of one event. Calls go downward:
 *
 *     inbox.c          entries: a deadline, a refusal or a finished job becomes an event
 *     inbox_handle.c   one more entry: an update becomes an event
 *     inbox_facts.c    reads what the event needs to know from the store, before the core runs
 *     inbox_settle.c   runs the core; stores, pushes and asks for what follows
 *     inbox_FEATURE.c  facts, effects, timer and links of a feature (inbox_feature.h)
 *     inbox_sessions.c sessions as they are stored, and damaged ones
 *     inbox_turn.c     a turn: the event, and how sessions become rows
 *
 * A failure stays in the store (store_failed()). Facts and effects after it are empty and change
 * nothing; settle_event() asks before the core runs, and before anything is pushed.
 */
#ifndef KOIKOI_INBOX_INTERNAL_H
#define KOIKOI_INBOX_INTERNAL_H

#include "inbox_pages.h"
#include "log.h"
#include "match_review_make.h"
#include "present.h"
#include "ruleset_file.h"
#include "link.h"
#include "operator.h"
#include "seasons.h"
#include "tournament_run.h"
#include "store_played.h"
#include "store_rating.h"

enum { DAMAGED_MOST = 64, COUNTED_MOST = 1024 };
enum { FEATURE_SESSIONS = 16 }; /* that a feature may read as facts of one event */
static const int64_t DAY_MS = 24 * 3600 * (int64_t)1000;

struct inbox {
    struct inbox_parts parts;
    struct arena *process, *turn;
    struct arena *words; /* languages, and the menu made of them */
    struct languages languages;
    struct menu_lists menu;
    int n_list[MAX_LANGUAGES];                    /* entries of each list */
    const struct menu_entry *list[MAX_LANGUAGES]; /* NULL: not made yet */
    int n_presets;
    struct rules presets[RULESETS_MOST];
    struct badge_rules badges;
    struct bot bot;                              /* of the above, for the core */
    const struct inbox_feature *const *features; /* for one that asks the others */
    struct ruleset_cache rulesets;               /* tables of the rule sets that are played */
    bool forgetting;                             /* somebody's matches may still hold their name */
    uint8_t key[PRESS_KEY_BYTES];                /* of button data */
    struct cache *review_cache, *session_cache, *zone_cache;
    struct cache *last_said; /* when the last message came into a chat, by account and key */
    struct cache *ceiling;   /* commands of this minute, by person and chat, ... */
    int n_counted;           /* ... and what the open transaction has added there */
    uint64_t counted[COUNTED_MOST];
    uint32_t added[COUNTED_MOST];
    struct str pages;              /* see inbox_set_pages() */
    struct cache *popups, *scenes; /* of pages: by the id of the press; see inbox_scene() */
    struct inbox_changed changed;
    struct inbox_counts counts;
    struct log_held log; /* of the open transaction */
    int64_t match;       /* the event was about; 0 = none */
    int64_t banned;      /* the person whom the event has banned; 0 = none */
    int n_damaged;
    int64_t damaged[DAMAGED_MOST]; /* sessions to be taken out of play */
};

/* Data of one event while it is handled; lives in the arena of the turn. */
struct turn {
    struct inbox *in;
    struct store *store;
    struct arena *arena;
    const struct account *account;
    struct event event;
    struct world world; /* points to the facts of features below */
    struct absence_facts absence;
    struct link_facts link;
    struct seasons_facts seasons;
    struct person me;
    struct chat chat;
    /* sessions that were read, and the version of each in the store, by place in `row` */
    const struct session *row[2 * MAX_CANDIDATES + FEATURE_SESSIONS + 8];
    int64_t row_version[2 * MAX_CANDIDATES + FEATURE_SESSIONS + 8];
    int n_rows;
    const struct update *update; /* NULL: the event comes from none */
    bool answered;    /* the update has waited for the network's answer, and is counted */
    bool taken, page; /* the core took the event; it comes from a page, which shows its popups */
};

/* Begins a turn with an event of no verb, now; resets the arena of the turn. */
struct turn *turn_begin(struct inbox *in, const struct account *account);
/* The same in a chat of the store, with its facts. NULL if the chat or its account is gone. */
struct turn *turn_begin_in(struct inbox *in, int64_t chat_id);
/* The session of a slot such as "hand:12:0" or "board:12"; 0 if it is of another kind. */
int64_t turn_session_of_slot(struct str slot, struct str kind);
const struct account *turn_account(const struct inbox *in, int64_t account); /* NULL: none now */
/* A message stands at the bottom of a chat from now on. */
void turn_note_said(struct turn *t, int64_t account, struct str chat);
void turn_row(struct turn *t, const struct session *s, struct session_row *ret); /* no version */
struct str turn_name(struct turn *t, struct str name); /* as it is shown */
void turn_push_job(struct turn *t, const struct job *job);
/* A line for the log, once the transaction is durable. */
void turn_log(struct turn *t, const char *event, const struct session *s, const char *key,
              const char *value);

/* An event of the session itself, in its home or a venue of its account. Its number is in the event;
 * `shift` is how far times move, or the person who is banned. */
void turn_of_session_event(struct inbox *in, enum verb verb, int64_t session, int64_t shift);
/* Sets the chat of an event without an update: the session's venue with that key, or with an empty
 * one its home or venue on this account. It stays empty if the account shows only a hand of that
 * session. */
void turn_chat_of_session(struct turn *t, struct str key);

/* ---- sessions; unreadable ones are logged and left out ---- */

/* Cache of parsed sessions, keyed by the stored line. A lookup brings the line that the store has
 * now and compares all its bytes, so an entry cannot be stale and is never invalidated: a change
 * that was rolled back, or made by another process, is another line. *ret is what session_read()
 * would make of the line; untouched if it is not found. */
struct cache *session_cache_open(void);
bool session_cache_find(struct cache *c, int64_t no, struct str line, struct session *ret);
void session_cache_put(struct cache *c, int64_t no, struct str line, const struct session *s);

/* NULL if it cannot be found or read; facts_named(): as the session that the event names. */
const struct session *facts_session(struct turn *t, int64_t no);
const struct session *facts_named(struct turn *t, int64_t no);
/* Sessions of chat and person, as `facts` (enum fact) asks, and the one that the event names. */
void facts_lists(struct turn *t, unsigned facts);
/* Looks for damage in all live sessions and their records. */
void damage_look(struct inbox *in);
void damage_note(struct inbox *in, int64_t session); /* it is to be taken out of play */
bool damage_noted(const struct inbox *in, int64_t session);
void changed_note(struct inbox *in, int64_t session); /* for pages; 0: all their readers look */
void popup_keep(struct inbox *in, struct str press, struct str text);

/* ---- facts ---- */

void facts_chat(struct turn *t, struct str key, struct str name, bool direct);
void facts_person(struct turn *t);
void facts_me(struct turn *t); /* of turn.me: what facts_person() knows of who has just spoken */
/* All that the event's verb asks for. The chat and the person must have been loaded. */
void facts_load(struct turn *t);
/* The settings of a chat, and the offset of its zone now. */
struct chat_settings facts_settings_of(struct turn *t, const struct chat *chat,
                                       int32_t *ret_offset);

/* ---- the core ---- */

/* Runs the core on the event and carries out its effects. */
void settle_event(struct turn *t);

#endif
