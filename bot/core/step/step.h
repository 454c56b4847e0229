/* The bot as one pure function of its arguments.
 *
 *     command_read(...)                    what was typed or pressed -> event.verb
 *     (fetch the facts of commands[verb])  -> world
 *     step_pick(&world, &event)            the session meant, for the facts that need one
 *     bot_step(&world, &event, &effects)   what follows
 *     present(&effects, ...)               the words
 *
 * The world stays as it is, but for the cache `rulesets`: sessions are copied before they are
 * changed. A refused event saves nothing. A refusal is one notice to the sender.
 */
#ifndef KOIKOI_STEP_H
#define KOIKOI_STEP_H

#include "command.h"
#include "effect.h"
#include "figures.h"

/* MAX_CANDIDATES: sessions of one chat or person that are read, MAX_LIVE_HERE and the games of a
 * tournament. */
enum { MAX_CANDIDATES = 48, MAX_LIVE_HERE = 12, MAX_LIVE_MINE = 16 };

/* For /link and /unlink. */
struct link_facts {
    int64_t own;                  /* the sender's handle as a person of its own; world.me is
                                     the person it is linked to, if any */
    bool linked;                  /* that person has other handles */
    int wrong;                    /* wrong codes from this handle in the last hour */
    int64_t owner;                /* the person whose valid code was typed; 0: none */
    struct handle whose;          /* the handle that asked for the code */
    struct str name, here, there; /* of the owner; of the sender's and the owner's network */
    bool same_network;            /* both have a handle on one network */
    int64_t both;                 /* a live match in which both sit; 0: none */
};

/* A person who wants to read of somebody who looks for a game. */
struct watcher {
    int64_t person;
    bool here; /* in this chat; else anywhere */
    struct handle handle;
    struct person_prefs prefs;
};
enum { MAX_SEEKS = 16 };

/* For the operator's commands. */
struct operator_facts {
    int64_t running, chats; /* matches and open challenges, and the chats that have them */
    int64_t waiting;        /* messages */
    int64_t quarantined, n_banned;
    int64_t recent;   /* chats that an announcement reaches */
    struct str names; /* of people who are banned: "#12 Ann, #13 Bo" */
    bool banned;      /* mention[0] is */
};

struct world {
    const struct languages *languages;
    int n_presets;
    const struct rules *presets;
    struct ruleset_cache *rulesets; /* cache of rule-set tables; outlives the event */
    struct str default_rules, default_language;
    uint32_t can;      /* abilities of the network of the event */
    uint32_t can_here; /* abilities in the chat of the event */
    int64_t me;        /* the sender in the store; 0 = unknown. Linked handles are
                          one person */
    int64_t handle;    /* the sender's own handle on this network */
    bool reachable;    /* they have a private chat with the bot on this network */
    struct link_facts link;
    int n_seeks;
    const struct session *seek[MAX_SEEKS]; /* that wait, the nearest rating first */
    uint16_t points;                       /* the sender's rating over all chats */
    bool watches;                          /* /notify is on, for the sender in this chat */
    int n_watchers;
    struct watcher watcher[MAX_TOLD];
    int64_t mention[MAX_MENTIONS];        /* event.mention[] in the store */
    struct absence absence[MAX_MENTIONS]; /* theirs */
    int64_t chat;                         /* event.chat in the store */
    int64_t said_at;               /* when the last message came into that chat; 0 = unknown */
    struct chat_settings settings; /* of the chat */
    struct person_prefs prefs;     /* of the sender */
    int32_t utc_offset;            /* of the chat, now */
    int n_here, n_mine;
    const struct session *here[MAX_CANDIDATES], *mine[MAX_CANDIDATES];
    const struct session *last;  /* newest ended match of the chat; a challenge if none began;
                                    or NULL */
    const struct session *named; /* the one event.no names, also an ended one, or NULL */
    int n_notes;
    const struct round_summary *notes;
    const struct board_facts *board;
    struct people_facts people;
    const struct puzzle_facts *puzzles;
    struct str record;
    const struct position *position;         /* of the ended session, at event.index; or NULL */
    const struct match_review *match_review; /* of the ended session, or NULL */
    bool match_review_coming;                /* it is being made */
    bool zone_ok;                            /* /settings zone=X, /quiet ... X: X is a known zone */
    struct str quiet_zone;             /* /quiet: the zone named, else theirs, else the chat's */
    struct absence quiet_offsets;      /* its offsets */
    const struct beacon_chain *beacon; /* NULL: none is configured */
    const struct tournament_run *tournament; /* the one that is meant, or NULL */
    bool draining;                           /* the operator lets no new match begin */
    const struct operator_facts *operates;
};

/* Returns the session an event is about, NULL if none fits, or several fit equally well. */
const struct session *step_pick(const struct world *w, const struct event *e);

enum verdict { TAKEN, REFUSED, IGNORED };
enum verdict bot_step(const struct world *w, const struct event *e, struct effects *fx);

/* The season that the words of /board ask for: none, a key, or "last". Returns false for other
 * words. */
bool query_season(const struct world *w, const struct event *e, struct arena *a,
                  struct season_key *ret);

#endif
