/* Challenges, inside a step: what is shared by those who make and accept one, and the values of
 * options ("24h", "6", a list of what is allowed). */
#ifndef KOIKOI_LOBBY_H
#define KOIKOI_LOBBY_H

#include "turn.h"

/* Returns false, after a refusal, if the chat or the person may have no further match. */
bool lobby_room(struct step *st);
/* True, and a refusal, while the sender is on vacation. */
bool lobby_on_vacation(struct step *st);
/* Refuses to answer a challenge that is no longer open: the sender plays in it, others do, or it is
 * over. Names no player, since the button may have been forwarded. */
enum verdict lobby_not_open(struct step *st, const struct session *s);
/* Opens a challenge: seals the lots and the first deal, starts its timer. */
void lobby_begin(struct step *st, struct session *s);
/* Shows the challenge in one venue, or all of them (only -1). */
struct notice *lobby_offer(struct step *st, struct session *s, int only);

/* The challenge in its new state: an edit of the message where the network can. */
struct notice *lobby_show(struct step *st, const struct session *s);
/* What /challenge does with these words; a lobby begins when its opener says so. `few`: as in
 * challenge_options_read(). */
enum verdict lobby_open(struct step *st, struct str words, bool lobby, bool few);
/* They have left the chat of their venue: what they must learn they read in private. */
void lobby_leaves_chat(struct player *p, uint32_t can);
/* Empty seats, in the chat of the event. */
void lobby_seats(struct step *st, struct session *s);
/* Somebody gets up from a lobby that another opened; those behind move up. */
enum verdict lobby_leave(struct step *st, const struct session *s, int seat);
/* Puts this person on the seat; the bot may never have heard of them. */
void lobby_sit(struct player *p, int64_t person, const struct sender *who);
/* The sender sits down on that seat. */
void lobby_take_seat(struct step *st, struct player *p, int venue);
/* The chat of the event as a venue. */
void lobby_venue(struct step *st, struct venue *ret);

/* ---- lobby_table.c: tables by tapping ---- */

/* A table in this chat for the sender: the one that waits for somebody here, else a new one. */
enum verdict lobby_here(struct step *st);
/* lobby_open() with the few rounds of a first match, unless the chat has its own number. */
enum verdict lobby_first(struct step *st, struct str words, bool lobby);

/* ---- options.c: values; and the options of /challenge, typed in any order behind it ---- */

/* "30m", "24h", "2d" as ms, one minute to 30 days; 0 for "none". Returns -1 for anything else. */
int64_t value_span(struct step *st, struct str s);
/* "24h" for one move, "10m+20s" for the match and after each turn, "none". */
bool value_clock(struct step *st, struct str s, struct time_control *ret);
bool value_number(struct str s, int64_t low, int64_t high, int64_t *ret);
/* True if the rule set may be played with its number of rounds. FEW_ROUNDS are possible by any rule
 * set: they join its list, with a purse in proportion, and make a house table of it. */
bool value_rounds_ok(struct rules *r);
/* Appends to a list, with a comma between. */
struct str value_list(struct step *st, struct str list, struct str item);

/* Refusals; all return false. The second argument of the sentence is the help command, what is
 * allowed, or the allowed numbers of rounds. */
bool value_refuse(struct step *st, enum text key, struct str word);
bool value_refuse_for(struct step *st, struct str name, struct arg allowed);
/* "on", or "off" in any language. Returns false after a refusal of another word. */
bool value_switch(struct step *st, struct str name, struct str value, bool *ret_on);
/* "on" (the usual one), "off", "9:00" or "21:30": a minute of the day plus 1, or 0. Returns false
 * after a refusal. */
bool value_hour(struct step *st, struct str name, struct str value, int usual, uint16_t *ret);
bool value_refuse_clock(struct step *st);
bool value_refuse_rounds(struct step *st, const struct rules *r);

struct challenge_options {
    struct rules rules;
    struct time_control time;                 /* move_ms -1: not given */
    int players;                              /* 0 = not given */
    int computers, level;                     /* level -1 = not given */
    int n_characters, character[MAX_PLAYERS]; /* named computers, in order */
    int open;
    bool by_code, casual;
};
/* The words with English names and values in each "name=value". */
struct str step_options(const struct step *st, struct str words);
/* Such names or values, in a refusal; the reader's language has others. */
#define arg_option(words) ((struct arg){.kind = ARG_OPTION, .s = (words)})

/* `few`: few rounds, unless the words or the chat say more. Returns false after a refusal. */
bool challenge_options_read(struct step *st, struct str words, bool few,
                            struct challenge_options *ret);

#endif
