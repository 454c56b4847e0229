/* What the files of features, inbox_FEATURE.c, offer to the other files of the inbox; what they have a
 * part in is in inbox_feature.h. */
#ifndef KOIKOI_INBOX_FEATURES_H
#define KOIKOI_INBOX_FEATURES_H

#include "inbox_feature.h"
#include "inbox_results.h"

/* People: those that an event names; quiet hours; the language of an app; one person on several
 * networks. */
void facts_mentions(struct turn *t);
void facts_inviter(struct turn *t);
void facts_rematch(struct turn *t);
void facts_offsets(struct turn *t, struct person_prefs *prefs);
void facts_quiet(struct turn *t);
void facts_language(struct turn *t, struct str app, struct person_prefs *prefs);
struct person_prefs facts_prefs_of(struct turn *t, int64_t who);
void facts_link(struct turn *t);
void facts_window(struct turn *t);
void settle_link(struct turn *t, const struct link_effects *link);
void turn_ask(struct turn *t, enum out_kind kind, struct str page);

/* All that is kept of the sender, as a text; takes their name and handles out of it. */
void facts_kept(struct turn *t);
void settle_forget(struct turn *t);
/* JSON lines: handles, ratings, badges, counts, answers to puzzles, duels, matches; 4 MB at most, of some
 * 18,000 matches, and then a line that says from which on they are left out. */
struct str forget_listing(struct store *s, struct arena *a, int64_t who);
/* Returns the number of matches that run: if there are any, nothing was changed. */
int forget_person(struct store *s, int64_t who, struct str name);
/* The same for the one person who is called so, by handle, network id or #number; fails the store
 * with a sentence if there is not exactly one, or a match of theirs runs. */
void forget_called(struct store *s, struct str called, struct str name);
/* Takes the name of a person who is being forgotten out of a few matches. Returns true if there may
 * be more to do. */
bool forget_step(struct store *s, struct ruleset_cache *rulesets);

/* A review gives the results of its match their accuracy. */
void settle_review(struct turn *t, const struct session *s, const struct match_review *review);

/* The kind comes at the hour of the new settings from now on. */
void daily_follow_settings(struct turn *t, const struct daily_kind *kind,
                           const struct chat_settings *next);
struct day_calendar {
    int64_t today; /* by the clock of the zone, counted from 1970-01-01 */
    bool passed;   /* today's time has come */
    int64_t next;  /* unix ms: the next time after now; 0: the chat gets none */
};
/* setting: the hour, a minute of the day plus 1; 0: never. A time that daylight saving leaves out comes an hour off; one that it repeats comes once. */
struct day_calendar day_calendar_at(const struct chat_settings *settings, int setting, int64_t now);

/* A chat as its messages see it; and a person in a chat, at whose table they sit down from that
 * handle. Returns false if its network is not configured now. */
void facts_seen_from(struct turn *t, const struct chat *chat, struct seen_from *ret);
bool facts_seat(struct turn *t, int64_t chat, int64_t handle, int64_t person,
                struct tournament_seat *ret);
/* The event by which a person who is banned leaves a tournament. NULL if it is over, or cannot be
 * told. */
struct turn *tournament_banned_turn(struct inbox *in, int64_t no, int64_t person);

/* The turn of the chat whose daily post is due first: of today, after that of the day *ret_before
 * (0: there was none). NULL if none is, or it is not to come: it is posted on its day alone, and once. */
struct turn *daily_due_turn(struct inbox *in, const struct daily_kind *kind, int64_t put_off,
                            int64_t *ret_today, int64_t *ret_before);

/* Ceiling on the commands of one person in one chat, so that one member cannot fill the pace at which
 * the bot may write there. It is kept in memory alone: a restart forgives all. A minute begins with
 * the first command after the last minute.
 *
 *     switch (ceiling_count(c, key, 1, mono)) ...  a command came; CEILING_POST for one that posts
 *                                                  what goes out as early as a match's messages,
 *                                                  CEILING_ASK for one that asks the network
 *     ceiling_forgive(c, key, 1)                   it was a legal move, which does not count */
enum {
    CEILING_COMMANDS = 60,
    CEILING_POST = 12,
    CEILING_ASK = 6,
    CEILING_MS = 60 * 1000,
    CEILING_PEOPLE = 4096
};
enum ceiling_verdict {
    CEILING_BELOW,
    CEILING_REACHED, /* with this one, the first above: say so */
    CEILING_ABOVE    /* the next ones until the minute is over: silence */
};
enum ceiling_verdict ceiling_count(struct cache *c, uint64_t key, uint32_t weight, int64_t mono);
void ceiling_forgive(struct cache *c, uint64_t key, uint32_t weight);

/* Logs what the operator has ordered and may have forgotten. */
void operator_open(struct inbox *in);
/* True if the sender of the event is named by the option `operators`. */
bool operator_sends(const struct turn *t);
/* The event of a person who is banned becomes the sentence that says so, or nothing. Returns false
 * if the sender is not banned. */
bool operator_bans(struct turn *t);
/* Each person once who counts as `who`, linked or by the same id. */
struct ids operator_persons(struct store *s, struct arena *a, int64_t who);
/* For FACT_OPEN: whether new matches may begin. */
void facts_open(struct turn *t);

#endif
