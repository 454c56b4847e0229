/* What people type and press, as verbs. One table for all networks: what a command is called in
 * each language is in the catalogue (the English words always work too); what it needs to be
 * answered is in its row, so that the shell can fetch it before the step. */
#ifndef KOIKOI_COMMAND_H
#define KOIKOI_COMMAND_H

#include "event.h"
#include "text.h"

/* What a step must be handed for a verb. */
enum fact {
    FACT_HERE = 1 << 0,         /* the live sessions of this chat */
    FACT_MINE = 1 << 1,         /* the live sessions of this person, in any chat */
    FACT_LAST = 1 << 2,         /* the newest ended session of this chat */
    FACT_NOTEBOOK = 1 << 3,     /* the rounds of the session that was picked */
    FACT_STANDINGS = 1 << 4,
    FACT_RECORD = 1 << 5,       /* the whole record of an ended session */
    FACT_LESSON = 1 << 6        /* its lesson, if there is one already */
};

struct command {
    enum verb verb;
    const char *name;           /* in catalogues, and what always works in English */
    char letter;                /* in button data; 0: never on a button */
    unsigned facts;
    bool admin;                 /* changing something needs an admin of the chat */
};
extern const struct command commands[N_VERBS];      /* by verb; name NULL where nobody can type
                                                       it */

/* Fills verb, no, words, alias, version, index of `ret` from what was typed; `ret->direct` and the
 * texts of the sender's and the chat's language decide what counts as a command. A text that is no
 * command is VERB_NONE; VERB_UNKNOWN in a private chat, and in a group if it has a slash and only
 * we can be meant (`ret->for_us`) or a command was nearly hit. A bare number is VERB_NUMBER. */
void command_read(const struct texts *const texts[], int n_texts, struct arena *a, struct str text,
                  struct event *ret);

/* Button data: "P12.7.3.hhhhhhhhhhh": letter, number of the match, version, index, keyed hash. */
enum { PRESS_KEY_BYTES = 16, PRESS_DATA_MAX = 64 };
struct press { enum verb verb; int64_t no, version, index; };
struct str press_write(const uint8_t key[static PRESS_KEY_BYTES], struct press p, struct arena *a);
bool press_read(const uint8_t key[static PRESS_KEY_BYTES], struct str data, struct press *ret);

/* The code of a challenge that people bring to other chats: "12-k7qfm2xa", its number and a keyed
 * hash. Nothing of it is stored. Reading takes what people make of it: capitals, blanks around
 * it. */
struct str join_write(const uint8_t key[static PRESS_KEY_BYTES], int64_t no, struct arena *a);
bool join_read(const uint8_t key[static PRESS_KEY_BYTES], struct str words, struct arena *a,
               int64_t *ret_no);

/* The verb a word stands for in these texts, VERB_NONE if none. `word` folded. */
enum verb command_find(const struct texts *const texts[], int n_texts, struct str word);

/* Words that are no commands but mean something behind one. */
enum spare {
    OPTION_NONE,
    OPTION_COMPUTER,
    OPTION_OPEN,
    OPTION_LATER,
    OPTION_TOO_LONG,
    OPTION_OTHER_RULES,
    OPTION_NO_TIME,
    OPTION_NO_COMPUTER,
    OPTION_STRONG,
    OPTION_LAST,
    OPTION_OFF,
    OPTION_FILLER,
    OPTION_CODE,
    N_OPTIONS
};
extern const char *const option_names[N_OPTIONS];       /* in catalogues; "computer" ... */
enum spare option_find(const struct languages *all, struct arena *a, struct str words);

#endif
