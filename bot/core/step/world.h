/* World: what a step may know, beside the event: the bot, the chat and the sender of the event,
 * their matches, and the facts of each feature. The inbox gathers it; a step changes none of it but
 * the cache `bot->rulesets`. */
#ifndef KOIKOI_WORLD_H
#define KOIKOI_WORLD_H

#include "chat_settings.h"
#include "event.h"
#include "table.h"

/* MAX_CANDIDATES: sessions of one chat or person that are read, MAX_LIVE_HERE and the games of a
 * tournament. */
enum { MAX_CANDIDATES = 48, MAX_LIVE_HERE = 12, MAX_LIVE_MINE = 16 };

/* The same at every event. */
struct bot {
    const struct languages *languages;
    int n_presets;
    const struct rules *presets;
    struct ruleset_cache *rulesets; /* cache of rule-set tables; outlives the event */
    struct str default_rules, default_language;
    const struct beacon_chain *beacon; /* NULL: none is configured */
    struct str pages; /* address of the tables in a browser; empty: there are none */
};

/* The chat of the event. */
struct chat_facts {
    int64_t id;         /* in the store */
    uint32_t can;       /* abilities there */
    int64_t said_at;    /* when the last message came into it; 0 = unknown */
    int64_t held_until; /* unix ms: the network takes none there before; 0: it does */
    struct chat_settings settings;
    int32_t utc_offset; /* now */
};

/* The sender of the event. */
struct sender_facts {
    int64_t person; /* in the store; 0 = unknown. Linked handles are one person */
    int64_t handle; /* their own handle on this network */
    bool reachable; /* they have a private chat with the bot on this network */
    bool newcomer;  /* they have not finished a match in any chat; known where FACT_OPEN is */
    struct person_prefs prefs;
};

/* event.mention[] in the store. */
struct mention_facts {
    int64_t person;
    bool by_handle; /* the person is a guess: who had that handle when last heard */
    bool left;      /* the chat of the event */
    struct absence absence;
};

/* For /link: the handles of one person on several networks. */
struct link_facts {
    int64_t own;         /* the sender's handle as a person of its own; world.me.person.person
                                     is the person it is linked to, if any */
    bool linked;         /* that person has other handles */
    int wrong;           /* wrong codes from this handle in the last hour */
    int64_t owner;       /* the person whose valid code was typed; 0: none */
    struct handle whose; /* the handle that asked for the code */
    struct str name, here, there; /* of the owner; of the sender's and the owner's network */
    bool same_network;            /* both have a handle on one network */
    int64_t both;                 /* a live match in which both sit; 0: none */
};

struct session_list {
    int n;
    const struct session *at[MAX_CANDIDATES];
};

struct world {
    const struct bot *bot;
    uint32_t can; /* abilities of the network of the event */
    struct chat_facts chat;
    struct sender_facts me;
    struct mention_facts mention[MAX_MENTIONS];
    bool untold;       /* a timer: the news of the player to move still waits */
    bool draining;     /* the operator lets no new match begin */
    int64_t banned;    /* a banned person whom the event would challenge; or 0 */
    uint8_t left_chat; /* /rematch: bit n: that player has left the chat of their venue */
    bool window;       /* a browser waits for the code in the words, as the sender's */
    bool zone_ok;      /* /settings zone=X, /quiet ... X: X is a known zone */
    struct session_list here, mine; /* live ones of the chat, of the sender in any chat */
    const struct session *last;     /* newest ended match of the chat; a challenge if none began;
                                       or NULL */
    const struct session *named;    /* the one event.no names, also an ended one, or NULL */
    /* of the ended session that is meant */
    struct rounds rounds;
    struct str record;                 /* the whole; for /mydata all that is kept of the sender */
    const struct position *position;   /* at event.index, or NULL */
    const struct match_review *review; /* or NULL */
    bool review_coming;                /* it is being made */
#define WORLD(type, name) type *name;
#include "feature.def"
};

#endif
