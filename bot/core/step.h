/* The whole bot as one function of its arguments.
 *
 *     command_read(...)                    what was typed or pressed -> event.verb
 *     (fetch the facts of commands[verb])  -> world
 *     step_pick(&world, &event)            which session it is about, for the facts that need one
 *     bot_step(&world, &event, &effects)   what follows from it
 *     present(&effects, ...)               the words
 *
 * Nothing in the world is changed but what `made` remembers: sessions are copied before they are
 * touched, and a refused event leaves no copy behind. A refusal is one say to the person who asked.
 */
#ifndef KOIKOI_STEP_H
#define KOIKOI_STEP_H

#include "command.h"
#include "effect.h"

enum { MAX_CANDIDATES = 16, MAX_LIVE_HERE = 12, MAX_LIVE_MINE = 16 };

/* For /link and /unlink. */
struct link_facts {
    int64_t own;                        /* the sender's handle as a person by itself; world.me:
                                           whoever it is */
    bool linked;                        /* that person has other handles */
    int wrong;                          /* codes that were none, typed by this handle in the last
                                           hour */
    int64_t owner;                      /* the person whose valid code was typed; 0: nobody's */
    struct handle whose;                /* the handle that asked for it */
    struct str name, here, there;       /* of that person; what the sender's and their networks are
                                           called */
    bool same_network;                  /* both have a handle on one network */
    int64_t both;                       /* a live match in which both sit; 0: none */
};

struct world {
    const struct languages *languages;
    int n_presets;
    const struct rules *presets;
    struct made *made;                  /* tables of rule sets; kept by the owner from event to
                                           event */
    struct str default_rules, default_language;
    uint32_t can;                       /* abilities of the network of the event */
    uint32_t can_here;                  /* abilities in the chat of the event */
    int64_t me;                         /* the sender in the store; 0 = nobody. Of several handles
                                           that were linked, the one person */
    int64_t handle;                     /* their own one on this network */
    bool reachable;                     /* they have a private chat with the bot, on this network */
    struct link_facts link;
    int64_t mention[MAX_MENTIONS];      /* who event.mention[] are in the store */
    int64_t chat;                       /* event.chat in the store */
    struct chat_settings settings;      /* of it */
    struct person_prefs prefs;          /* of the sender */
    int32_t utc_offset;                 /* of the chat, now */
    int n_here, n_mine;
    const struct session *here[MAX_CANDIDATES], *mine[MAX_CANDIDATES];
    const struct session *last;         /* newest ended one of the chat; NULL: none */
    const struct session *named;        /* the one event.no names, also an ended one; NULL: none */
    int n_notes;
    const struct round_note *notes;
    const struct board_facts *board;
    struct str record;
    const struct lesson *lesson;        /* of the ended session that is meant; NULL: none yet */
    bool lesson_coming;                 /* it is being made */
    bool zone_ok;                       /* /settings zone=X: the shell knows X */
};

/* The session an event is about, NULL if there is none or it is not clear. */
const struct session *step_pick(const struct world *w, const struct event *e);

enum verdict { TAKEN, REFUSED, IGNORED };
enum verdict bot_step(const struct world *w, const struct event *e, struct effects *fx);

/* The season key `/board WORDS` asks for; false if the words are none. `now` and offset of the
 * chat. */
bool step_season(const struct world *w, const struct event *e, struct season_key *ret);

#endif
