/* A scenario, one step a line, as a player would tell it. README.md has the whole list.
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

enum verb {
    SAY,
    SAY_HIDDEN,
    PRESS,
    FORGE,
    ASK,     /* an inline query */
    CHOOSE,  /* an answer to it is said */
    MENTION, /* of a bot that is a guest */
    DEAF,    /* the bot is not told what was chosen */
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
    ANSWERED /* every press */
};
enum { NOBODY = -1, ANYBODY = -2, MOVER = -3, ANONYMOUS = -4 };
enum { MAX_PEOPLE = 32, MAX_GROUPS = 16, MAX_ALWAYS = 8 };

struct step {
    enum verb verb;
    int line;
    int person, group; /* index, or one of the above; group NOBODY: the private chat */
    int64_t thread;
    const char *text; /* as written */
    regex_t pattern;
    bool late, again, chance, last, but, try, otherwise, until, always, lying, stolen;
    double within; /* seconds */
    int64_t n, seconds;
    int other_end; /* REPEAT, END: the step of its partner */
};

struct cast_person {
    const char *key, *name, *handle, *language;
    int64_t id;
    bool opened;
};
struct cast_group {
    const char *key, *title;
    int64_t id;
    bool super, forum, admin, bare, without;
};

struct script {
    struct step *steps;
    int n;
    struct step always[MAX_ALWAYS]; /* presses that are made whenever they can be */
    int n_always;
    struct cast_person people[MAX_PEOPLE];
    int n_people;
    struct cast_group groups[MAX_GROUPS];
    int n_groups;
};

/* Reads the file or ends the program with the line and the reason. */
void script_read(struct script *s, const char *file);

#endif
