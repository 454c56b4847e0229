/* Commands and buttons: what players type and press, as verbs. The rows are in command.def; what a
 * command is called in each language is in the catalogues.
 *
 *     command_read(texts, n, arena, text, &event)       typed text -> verb, words
 *     press_read(key, data, &press)                     button data -> verb, match, version, index
 */
#ifndef KOIKOI_COMMAND_H
#define KOIKOI_COMMAND_H

#include "event.h"
#include "text.h"

/* Facts that a step needs for a verb; those of features are in feature.def. */
enum {
    FACT_FIRST_BIT = 9,
#define FACT(name) FACT_BIT_##name,
#include "feature.def"
};
enum fact {
    FACT_HERE = 1 << 0,     /* the live sessions of this chat */
    FACT_MINE = 1 << 1,     /* the live sessions of this person, in any chat */
    FACT_LAST = 1 << 2,     /* the newest ended match of this chat */
    FACT_ROUNDS = 1 << 3,   /* the rounds of the session that was picked */
    FACT_RECORD = 1 << 4,   /* the whole record of an ended session */
    FACT_REVIEW = 1 << 5,   /* its review, if it exists already */
    FACT_KEPT = 1 << 6,     /* all that is kept of the sender, as world.record */
    FACT_POSITION = 1 << 7, /* a position of an ended session */
    FACT_WINDOW = 1 << 8,   /* whether a browser waits for the code that the sender has typed */
    FACT_OPEN = 1 << 9,     /* whether new matches may begin, and the sender is a newcomer */
#define FACT(name) FACT_##name = 1 << FACT_BIT_##name,
#include "feature.def"
    FACT_GAME = FACT_HERE | FACT_MINE
};

/* The sessions a verb can be about, if no number says which. */
enum scope {
    SCOPE_NONE,
    SCOPE_NUMBER, /* only the one whose number was given */
    SCOPE_NAMED,  /* the one the event names; the event is ignored if it is gone */
    SCOPE_OFFER,  /* a challenge */
    SCOPE_TURN,   /* a match of the sender, best one where they are to move */
    SCOPE_SEAT,   /* a match of the sender */
    SCOPE_ANY,    /* a match of this chat, best one of the sender */
    SCOPE_ENDED   /* the newest ended one of this chat */
};

/* Groups of commands in the help; GROUP_NONE: neither in the help nor in menus. */
enum help_group {
    GROUP_NONE,
    GROUP_CHALLENGE,
    GROUP_PLAY,
    GROUP_LOOK,
    GROUP_STUCK,
    GROUP_BOT,
    GROUP_NETWORKS,
    N_GROUPS
};
enum seen_by { SEEN_BY_ALL, SEEN_BY_ASKER };
enum words_of { WORDS_OPTIONS, WORDS_TEXT, WORDS_AS_TYPED };
/* Digits of the code that a browser in a network's window shows; true for what may be one. */
enum { WIDGET_CODE = 6 };
bool widget_is_code(struct str words);

enum permitted { FOR_ALL, FOR_PEOPLE, FOR_ADMINS, FOR_OPERATORS };
enum listing { UNLISTED, LISTED_PRIVATE, LISTED, LISTED_FIRST }; /* see command.def */

struct command {      /* see command.def; zero is the usual value */
    const char *name; /* NULL for an event */
    char letter;
    unsigned facts; /* enum fact */
    enum scope scope;
    bool optional; /* the handler takes NULL where not exactly one session fits */
    enum help_group group;
    enum seen_by seen_by;
    enum words_of words;
    enum permitted permitted;
    bool posts;
    enum listing listed;
};
extern const struct command commands[N_VERBS]; /* by verb */

/* Fills verb, no, words, alias, version, index of `ret` from typed text, by ret->direct and the
 * texts of the sender's and the chat's language. A bare number is VERB_NUMBER. Other text without a
 * command is VERB_NONE; but VERB_UNKNOWN in a private chat, and in a group if it has a slash and
 * either can only be meant for the bot (ret->for_us) or is nearly a command. Without ret->operates
 * the commands of operators are not known. */
void command_read(const struct texts *const texts[], int n_texts, struct arena *a, struct str text,
                  struct event *ret);

/* Button data: "P12.7.3.hhhhhhhhhhh": letter, number of the match, version, index, keyed hash. */
enum { PRESS_KEY_BYTES = 16, PRESS_DATA_MAX = BUTTON_DATA };
struct press {
    enum verb verb;
    int64_t no, version, index;
};
/* In place of the version, on the pages of a review that only their reader sees: the person. No
 * match has so many versions. */
static inline int64_t press_reader(int64_t person)
{
    return (int64_t)1 << 31 | (person & INT32_MAX);
}
struct str press_write(const uint8_t key[static PRESS_KEY_BYTES], struct press p, struct arena *a);
bool press_read(const uint8_t key[static PRESS_KEY_BYTES], struct str data, struct press *ret);

/* The code that brings a challenge (VERB_JOIN) or a tournament (VERB_TOURNAMENT) to other chats:
 * "12-k7qfm2xa", its number and a keyed hash. It is not stored. Reading accepts capitals, and blanks
 * around it. */
struct str join_code_write(const uint8_t key[static PRESS_KEY_BYTES], enum verb verb, int64_t no,
                           struct arena *a);
bool join_code_read(const uint8_t key[static PRESS_KEY_BYTES], enum verb verb, struct str words,
                    struct arena *a, int64_t *ret_no);

/* A link to a page that may be passed on: "replay/12-NAME#SECRET", what it shows, a number, and two
 * keyed hashes. NAME is what servers, logs and previews of links see; SECRET, of 128 bits, opens the
 * page until its links are renewed once more. Nothing of it is stored. `path` is "12-NAME". */
struct str share_write(const uint8_t key[static PRESS_KEY_BYTES], const char *what, int64_t no,
                       int renewed, struct arena *a);
bool share_read(const uint8_t key[static PRESS_KEY_BYTES], const char *what, struct str path,
                int64_t *ret_no);
bool share_opens(const uint8_t key[static PRESS_KEY_BYTES], const char *what, int64_t no,
                 int renewed, struct str secret);

/* Fills alias_at, once all aliases are there; of two commands with one word the first has it. */
void command_index(struct texts *t);
/* The verb of a command by its name in these texts or in English; those of operators if the reader
 * is one. Returns VERB_NONE if not found. `word` folded. */
enum verb command_find(const struct texts *const texts[], int n_texts, bool operates,
                       struct str word);
/* The name to show: the first one of the catalogue; plain: the first of a-z, 0-9 and _ alone, at
 * most 32 of them. */
struct str command_name(const struct texts *t, enum verb v, bool plain);

#endif
