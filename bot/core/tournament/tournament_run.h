/* A tournament as its chats know it: where it is played, by which rules, until when. Loaded by the
 * inbox before a step; a step that changes it works on a copy (effects.tournament). */
#ifndef KOIKOI_TOURNAMENT_RUN_H
#define KOIKOI_TOURNAMENT_RUN_H

#include "table.h"
#include "tournament.h"

/* TOURNAMENT_CHATS: in which one tournament is played, its home included. */
enum { TOURNAMENT_CHATS = 8 };

/* A player of the game that begins next: where they joined, and from which handle. */
struct tournament_seat {
    struct venue venue;
    uint32_t can; /* abilities in that chat */
    struct player player;
};

struct tournament_run {
    struct tournament t;
    int64_t chat, host; /* home; the host is a person */
    int64_t host_handle;
    struct str host_name;
    struct rules rules;
    struct time_control time;
    int64_t round_ms; /* for one round */
    int64_t ends;     /* of joining, or of the round; when it ended; unix ms */
    int64_t due;      /* unix ms; 0: never */
    bool reminded;    /* of this round's end */
    bool by_code;     /* other chats may join */
    int n_chats;
    int64_t chat_id[TOURNAMENT_CHATS]; /* home first */
    struct seen_from at[TOURNAMENT_CHATS];
    int begins; /* effect: 1 + the place in t.game[] of the game that the saved session plays */
    const struct tournament_seat *next; /* [2], first and second of tournament_next_to_begin();
                                           NULL: not loaded, or one of them cannot be reached */
};

/* Index of a button: what it does, or TOURNAMENT_PAGE + the page of the table. Of one that is to be
 * opened: TOURNAMENT_NEW asks for the kind, TOURNAMENT_KIND + enum tournament_format for the rounds of a
 * match, TOURNAMENT_OPENS + 100 times the format + the rounds opens it. */
enum tournament_button {
    TOURNAMENT_BUTTON_TABLE,
    TOURNAMENT_BUTTON_JOIN,
    TOURNAMENT_BUTTON_LEAVE,
    TOURNAMENT_BUTTON_START,
    TOURNAMENT_BUTTON_PICTURE,
    TOURNAMENT_PAGE = 16,
    TOURNAMENT_NEW = 32,
    TOURNAMENT_KIND = 40,
    TOURNAMENT_OPENS = 100
};

/* What a notice shows of it. */
enum tournament_page {
    TOURNAMENT_OPENING, /* who has joined */
    TOURNAMENT_ROUND,   /* the games of the round that runs */
    TOURNAMENT_TABLE,   /* one page of the table */
    TOURNAMENT_RESULT,  /* the end, with champions */
    TOURNAMENT_REMINDER,
    TOURNAMENT_PICTURE, /* of the table, or of the bracket; a message of its own */
    TOURNAMENT_ASK      /* one that is to be opened, without a run: `round` is the button pressed */
};

#endif
