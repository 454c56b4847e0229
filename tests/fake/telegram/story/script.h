/* Script of a story, one step a line. README.md lists the steps.
 *
 *     person ann 1 Ann @ann
 *     group tea 5 "Tea room"
 *     ann@tea> /challenge @bo
 *     tea: Ann challenges Bo
 *     bo@tea presses Accept
 *     ann@tea: Your hand            only Ann sees it
 */
#ifndef FAKE_SCRIPT_H
#define FAKE_SCRIPT_H

#include <regex.h>
#include <stdbool.h>
#include <stdint.h>

enum story_verb {
    SAY,
    SAY_HIDDEN,
    PRESS,
    FORGE,
    ASK,     /* an inline query */
    CHOOSE,  /* sends an answer to it */
    MENTION, /* of the bot as a guest */
    DEAF,    /* the bot is not told of chosen answers */
    EXPECT,
    NEVER,
    MOST,
    TOAST,
    WHO,
    BLOCKS,
    FORGETS,
    PINGS,
    MIGRATES,
    HOLDS,
    RELEASES,
    PROMOTES,
    DEMOTES,
    REMOVES,
    ADDS,
    REPEAT,
    END,
    KILL,
    STOP,
    START,
    STORM,
    GATEWAY,
    LOSE,
    AGE,
    TWICE,
    BACKWARDS,
    ANSWERED /* waits until every press is answered */
};
enum { NOBODY = -1, ANYBODY = -2, MOVER = -3, ANONYMOUS = -4 };
enum { MAX_PEOPLE = 32, MAX_GROUPS = 16, MAX_ALWAYS = 8 };

struct story_step {
    enum story_verb verb;
    int line;
    int person, group; /* index, or one of the above; group NOBODY: the private chat */
    int64_t thread;
    const char *text; /* as written */
    regex_t pattern;
    bool late, again, chance, last, but, try, otherwise, until, always, lying, stolen;
    double within; /* seconds */
    int64_t n, seconds;
    int other_end; /* of REPEAT and END: its partner */
};

struct cast_person {
    const char *key, *name, *handle, *language;
    int64_t id;
    bool opened, owner;
};
struct cast_group {
    const char *key, *title;
    int64_t id;
    bool super, forum, admin, bare, without;
};

struct story_script {
    struct story_step *steps;
    int n;
    struct story_step always[MAX_ALWAYS]; /* `always` steps */
    int n_always;
    struct cast_person people[MAX_PEOPLE];
    int n_people;
    struct cast_group groups[MAX_GROUPS];
    int n_groups;
};

/* Reads the file. Ends the program with the line and the reason if it is wrong. */
void script_read(struct story_script *s, const char *file);

#endif
