/* Settings of a chat (/settings), and what the bot keeps of a person: the language they chose,
 * their place in the lessons. */
#ifndef KOIKOI_CHAT_SETTINGS_H
#define KOIKOI_CHAT_SETTINGS_H

#include "season.h"
#include "session.h"

#define CLOCK_MS ((int64_t)24 * 3600 * 1000) /* default time for one move */

enum { VACATION_DAYS = 30 }; /* of a person, in one year */
enum { CHARACTER_SIZE = 16, ZONE_SIZE = 48, PREFS_LINE = 512 };
struct chat_settings {
    char rules[RULES_NAME_SIZE];   /* preset; empty: the daemon's default */
    uint8_t rounds;                /* 0: the preset's */
    struct time_control time;      /* move_ms -1: CLOCK_MS, but none with the computer */
    uint8_t season;                /* enum season_length */
    bool board_picture;            /* boards are pictures, where the network shows them */
    int32_t season_no;             /* of seasons by hand: the one that runs, from 1 */
    char zone[ZONE_SIZE];          /* "UTC", "+03:00", "Europe/Warsaw"; empty: UTC */
    char language[LANGUAGE_SIZE];  /* empty: the daemon's default */
    char opponent[CHARACTER_SIZE]; /* key of the computer's usual character; empty: none */
#define SWITCH(id, name, member, ...) bool member;
#define HOUR(id, name, member, usual) uint16_t member;
#include "setting.def"
};
struct person_prefs {
    char language[LANGUAGE_SIZE]; /* empty: the chat's */
    bool language_of_app;         /* not chosen, and not stored: the language of their app */
    bool words;                   /* their hands come as words, where others get a poll */
    bool rated_everywhere;        /* takes part in the rating over all chats */
    uint8_t lesson;               /* place in the tutorial, see lesson.h; 0: not begun */
    int64_t lesson_shown;         /* when they last saw a lesson, unix ms; 0: never */
    uint8_t tips;                 /* bits of enum tip that they have seen */
    struct absence absence;
    char quiet_zone[ZONE_SIZE]; /* of the quiet hours; empty: UTC */
    uint16_t vacation_year;     /* the year that vacation_days were taken in */
    uint16_t vacation_days;
    uint16_t lesson_message; /* counts the messages that show lessons */
};

/* What is explained to a person once. */
enum tip { TIP_CAPTURE, TIP_YAKU, TIP_KOIKOI, TIP_DOUBLING, N_TIPS };

/* A line "rules=sensei clock=..." both ways; a value that cannot be read keeps its default. */
void chat_settings_default(struct chat_settings *ret);
struct str chat_settings_write(const struct chat_settings *c, struct buf *ret);
void chat_settings_read(struct str line, struct chat_settings *ret);
/* The season that runs in the chat; offset: of its zone then, seconds. */
void chat_settings_season(const struct chat_settings *c, int64_t unix_ms, int32_t offset,
                          struct season_key *ret);
/* The same for a person. What has its default is left out, so that a person without preferences is an
 * empty line. */
struct str person_prefs_write(const struct person_prefs *p, struct buf *ret);
void person_prefs_read(struct str line, struct person_prefs *ret);
/* Two people become one: what `p` lacks comes from `other`. */
void person_prefs_join(struct person_prefs *p, const struct person_prefs *other);

/* True if others may open its season and its duels by a link: a group's admins let them (`watch`), and
 * rooms of pages have no admins. A private chat has no link. `can`: abilities there. */
bool chat_settings_share(const struct chat_settings *s, uint32_t can, bool direct);

#endif
