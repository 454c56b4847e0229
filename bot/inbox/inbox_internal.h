/* Shared by the files of the inbox: the inbox itself, and the turn of one event. Calls go downward:
 *
 *     inbox.c          entries: a deadline, a refusal or a finished job becomes an event
 *     inbox_handle.c   one more entry: an update becomes an event
 *     inbox_facts.c    reads what the event needs to know from the store, before the core runs
 *     inbox_settle.c   runs the core; stores, pushes and asks for what follows
 *     inbox_mentions.c facts about people that an event names
 *     inbox_figures.c  the same for people's pages
 *     inbox_absence.c  the same for quiet hours
 *     inbox_seek.c     the same for searches for an opponent; and what is kept of them
 *     inbox_seasons.c, inbox_puzzle_facts.c  two more: a season ends, a puzzle is due; its facts
 *     inbox_tournament.c, inbox_tournament_due.c  tournaments, and one more entry: their timer
 *     inbox_results.c  results of matches that end, for bot/results
 *     inbox_people.c, operator/  the same for one person on several networks; for the operator
 *     inbox_damage.c   matches whose rows are damaged
 *     inbox_turn.c     a turn: the event, and how sessions become rows
 */
#ifndef KOIKOI_INBOX_PARTS_H
#define KOIKOI_INBOX_PARTS_H

#include "ceiling.h"
#include "inbox.h"
#include "log.h"
#include "match_review_make.h"
#include "present.h"
#include "puzzle.h"
#include "link.h"
#include "seasons.h"
#include "seek.h"
#include "session_cache.h"
#include "tournament_run.h"

enum { MAX_PRESETS = 32, DAMAGED_MOST = 64 };

struct inbox {
    struct inbox_parts parts;
    struct arena *process, *turn;
    struct arena *words; /* languages, and the menu made of them */
    struct languages languages;
    int n_presets;
    struct rules presets[MAX_PRESETS];
    struct badge_rules badges;
    struct bot bot;                /* of the above, for the core */
    struct ruleset_cache rulesets; /* tables of the rule sets that are played */
    bool forgetting;               /* somebody's matches may still hold their name */
    uint8_t key[PRESS_KEY_BYTES];  /* of button data */
    struct cache *review_cache, *session_cache, *zone_cache;
    struct cache *last_said; /* when the last message came into a chat, by account and key */
    struct ceiling *ceiling;
    struct inbox_counts counts;
    struct log_held log; /* of the open transaction */
    int64_t match;       /* the event was about; 0 = none */
    int n_damaged;
    int64_t damaged[DAMAGED_MOST]; /* sessions to be set aside */
};

/* Data of one event while it is handled; lives in the arena of the turn. */
struct turn {
    struct inbox *in;
    const struct account *account;
    struct event event;
    struct world world; /* points to the facts of features below */
    struct absence_facts absence;
    struct link_facts link;
    struct seasons_facts seasons;
    struct seek_facts seek;
    struct person me;
    struct chat chat;
    int64_t banned, ban_told; /* of the person: see struct person */
    /* sessions that were read, and the version of each in the store, by place in `row` */
    const struct session *row[2 * MAX_CANDIDATES + MAX_SEEKS + 8];
    int64_t row_version[2 * MAX_CANDIDATES + MAX_SEEKS + 8];
    int n_rows;
    bool taken; /* the core took the event */
    struct err *err;
};

/* Begins a turn with an event of no verb, now; resets the arena of the turn. */
struct turn *turn_begin(struct inbox *in, const struct account *account, struct err *err);
/* The same in a chat of the store. *ret is NULL if the chat or its account is gone. */
bool turn_begin_in(struct inbox *in, int64_t chat_id, struct turn **ret,
                   struct err *err) MUST_CHECK;
/* The session of a slot such as "hand:12:0" or "board:12"; 0 if it is of another kind. */
int64_t turn_session_of_slot(struct str slot, struct str kind);
/* Returns NULL if that network is not configured now. */
const struct account *turn_account(const struct inbox *in, int64_t account);

/* A message stands at the bottom of a chat from now on. */
void turn_note_said(struct turn *t, int64_t account, struct str chat);
/* When that was last; 0 = unknown. */
int64_t turn_said_at(const struct turn *t, struct str chat);

/* Notes a session that is to be set aside: see inbox_damage.c. */
void turn_note_damaged(struct inbox *in, int64_t session);
bool turn_noted_damaged(const struct inbox *in, int64_t session);

/* A session as a row; its version is not set. */
void turn_row(struct turn *t, const struct session *s, struct session_row *ret);

/* Reading. Returns false if the database failed. Unreadable sessions are logged and left out. */
bool facts_chat(struct turn *t, struct str key, struct str name, bool direct) MUST_CHECK;
bool facts_person(struct turn *t) MUST_CHECK;
bool facts_named(struct turn *t, int64_t session, bool *ret_found) MUST_CHECK;
/* Sessions of the chat and of the person, as `facts` (enum fact) asks, and the one the event
 * names. */
bool facts_lists(struct turn *t, unsigned facts) MUST_CHECK;
bool facts_link(struct turn *t) MUST_CHECK;
bool facts_mentions(struct turn *t) MUST_CHECK;
bool facts_inviter(struct turn *t) MUST_CHECK;
bool facts_figures(struct turn *t) MUST_CHECK;
/* Zone of quiet hours; that /quiet names; the app's language, if the person chose none. */
void facts_offsets(struct turn *t, struct person_prefs *prefs);
void facts_quiet(struct turn *t);
void facts_language(struct turn *t, struct str app, struct person_prefs *prefs);
/* Searches for an opponent, and the people who want to read of one. */
bool facts_seeks(struct turn *t) MUST_CHECK;
bool facts_watchers(struct turn *t) MUST_CHECK;
bool facts_seek_ids(struct turn *t, struct ids *ret) MUST_CHECK;
bool facts_puzzle(struct turn *t) MUST_CHECK;
/* One puzzle, with what people made of it. */
bool facts_puzzle_of_day(struct turn *t, const struct puzzle_asked *asked,
                         struct puzzle_of_day *ret) MUST_CHECK;
int puzzle_total(void); /* of the collection */
bool facts_puzzle_record(struct turn *t, int64_t who, struct puzzle_record *ret) MUST_CHECK;
/* *ret_match: the match that the sender, or the one they name, plays in it now; 0: none. */
bool facts_tournament(struct turn *t, int64_t *ret_match) MUST_CHECK;
/* *ret is NULL if there is no such tournament, or its rules cannot be read. */
bool tournament_load(struct turn *t, int64_t no, struct tournament_run **ret) MUST_CHECK;
void tournament_chat_settings(struct turn *t, const struct chat *chat,
                              struct chat_settings *ret_settings, int32_t *ret_offset);
/* All that the event's verb asks for. The chat and the person must have been loaded. */
bool facts_load(struct turn *t) MUST_CHECK;

/* Looks for damage in all live sessions and their records. */
bool damage_look(struct inbox *in, struct err *err) MUST_CHECK;

/* Runs the core on the event and carries out its effects. */
bool settle_event(struct turn *t) MUST_CHECK;
/* Adds the results of the effects; the chat's season follows its new settings. */
bool results_settle(struct turn *t, struct effects *fx) MUST_CHECK;
bool results_review(struct turn *t, const struct session *s,
                    const struct match_review *review) MUST_CHECK;
bool results_follow_settings(struct turn *t, const struct chat_settings *next) MUST_CHECK;
bool settle_puzzle(struct turn *t, const struct puzzle_effects *fx) MUST_CHECK;
/* The next puzzle of the chat is due by its new settings. */
bool puzzles_follow_settings(struct turn *t, const struct chat_settings *next) MUST_CHECK;
/* Stores the tournament of the effects, after their sessions. */
bool settle_tournament(struct turn *t, const struct effects *fx) MUST_CHECK;
/* A match of a tournament ended: an event of its own. *ret is NULL if the tournament is gone. */
bool tournament_result_turn(struct turn *t, const struct session *s, struct turn **ret) MUST_CHECK;
/* All that is kept of the sender, as a text. */
bool facts_kept(struct turn *t) MUST_CHECK;
/* Takes the sender's name and handles out of it. */
bool settle_forget(struct turn *t) MUST_CHECK;
/* A search waits from now on, or not any more. */
bool settle_seek(struct turn *t, const struct session *s) MUST_CHECK;
bool settle_watch(struct turn *t, const struct seek_effects *watch) MUST_CHECK;
bool settle_link(struct turn *t, const struct link_effects *link) MUST_CHECK;

#endif
