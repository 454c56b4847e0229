/* Tournament: its people and its games, as flat values, and the pairing of the next round. Pure
 * functions; no chat, clock or match is known here.
 *
 *     tournament_seed(&t)            once, before round 1: by rating; places in entrant[] are seeds
 *     tournament_pair(&t)            appends the games of round t.round + 1
 *     tournament_round_over(&t)      true once each of them has a result
 *     tournament_is_over(&t)         true if no round follows
 *     standing_table(&t, rows)       the table at any moment
 *
 * Points are counted in halves: a win 2, a draw 1. Entrants are known by their place in entrant[].
 */
#ifndef KOIKOI_TOURNAMENT_H
#define KOIKOI_TOURNAMENT_H

#include "str.h"

enum {
    ENTRANTS_LEAST = 3,
    ARENA_LEAST = 2, /* of an arena, which others join later */
    ENTRANTS_MOST = 64,
    TOURNAMENT_ROUNDS_MOST = ENTRANTS_MOST - 1,
    GAMES_MOST = TOURNAMENT_ROUNDS_MOST * ENTRANTS_MOST / 2,
    NO_ENTRANT = 255,
    ARENA_GAMES_MOST = 254 /* a board is a byte */
};

enum tournament_format {
    FORMAT_SWISS,
    FORMAT_ROUND_ROBIN,
    FORMAT_KNOCKOUT,
    FORMAT_ARENA, /* one round that lasts as long as its time: who is free is paired at once */
    N_FORMATS
};
enum tournament_stage { STAGE_OPEN, STAGE_RUNNING, STAGE_OVER, STAGE_CANCELLED, N_STAGES };

/* GAME_NEITHER: neither of them came. GAME_BYE: `second` is NO_ENTRANT, a win without a game. */
enum game_result {
    GAME_OPEN,
    GAME_FIRST,
    GAME_SECOND,
    GAME_DRAW,
    GAME_NEITHER,
    GAME_BYE,
    N_GAME_RESULTS
};

struct tournament_game {
    uint8_t round, board;  /* from 1 */
    uint8_t first, second; /* `first` deals first. In a knock-out both are NO_ENTRANT, with
                              GAME_NEITHER, if neither of two games before sent anybody on */
    uint8_t result;        /* enum game_result */
    bool unplayed;         /* decided without play */
    int64_t session;       /* its match; 0: not begun */
};

struct tournament_entrant {
    int64_t person, handle; /* in the store: the person, and the handle that joined */
    int64_t chat;           /* where they joined, and play */
    int64_t rating;         /* points; before the start that of the moment */
    bool out;               /* has left */
    bool left_chat, quiet;  /* has left that chat; it is in their quiet hours; for reading */
    struct str name, id;    /* of the handle; for reading */
    int64_t account;
};

struct tournament {
    int64_t no; /* its number; 0 before it is stored */
    uint8_t format, stage;
    int rounds; /* of a Swiss; 0 before the start: chosen by the number of entrants */
    int round;  /* that runs; 0 before the first */
    int n_entrants, n_games;
    struct tournament_entrant entrant[ENTRANTS_MOST];
    struct tournament_game game[GAMES_MOST]; /* by round, then board */
};

/* Entrants who have not left. */
int tournament_present(const struct tournament *t);
/* The place of a person, -1 if they have none. */
int tournament_find(const struct tournament *t, int64_t person);
/* Orders the entrants by rating, equals as they joined, and fixes the number of rounds. */
void tournament_seed(struct tournament *t);

/* Pairs the next round and makes it the one that runs. Games against those who have left are
 * decided at once. */
void tournament_pair(struct tournament *t);
/* In an arena: appends a game for each two who are free, in its one round. */
void tournament_pair_free(struct tournament *t);
bool tournament_round_over(const struct tournament *t);
bool tournament_is_over(const struct tournament *t);
/* Somebody leaves: their game of this round, if it has no session yet, is lost. Returns their game
 * that still has to be ended, else NULL. */
struct tournament_game *tournament_leave(struct tournament *t, int entrant);
/* The running game of an entrant, NULL if they have none. */
struct tournament_game *tournament_game_of(struct tournament *t, int entrant);
/* The next game of this round to be begun, or without a result; NULL if not found. */
struct tournament_game *tournament_next_to_begin(struct tournament *t);
struct tournament_game *tournament_next_open(struct tournament *t);

/* Decides a game of which one player or both are absent. Returns false if both are there. */
bool tournament_forfeit(struct tournament_game *g, bool first, bool second);

/* The one who goes on to the next round of a knock-out; NO_ENTRANT if neither does. The better seed
 * goes on after a draw, and if neither came. */
int tournament_winner(const struct tournament *t, const struct tournament_game *g);

/* ---- standing.c: the table with its tie-breaks ----
 *
 * Swiss: points, Buchholz, Sonneborn-Berger, games won. Round robin: points, Sonneborn-Berger,
 * games won, the games of two among themselves. Knock-out: rounds survived. Arena: points, games
 * won. Equals share a place.
 *
 * Buchholz is the sum of the opponents' points; Sonneborn-Berger that of those who were beaten,
 * with half of those drawn with. In a Swiss a bye and a game against somebody absent count for
 * Buchholz as FIDE's virtual opponent did until 2023: the points the player had before, what the
 * game left over, and half a point for each round since. An opponent's bye counts as a draw there.
 * For Sonneborn-Berger they add nothing. */
struct standing_row {
    int entrant, place;      /* place: from 1, shared by equals */
    int won, drawn, lost;    /* byes are won in a Swiss, else they are no games */
    int points;              /* halves */
    int buchholz, sonneborn; /* halves, quarters */
    int survived;            /* rounds of a knock-out */
};

/* Halves. */
int standing_points(const struct tournament *t, int entrant);
/* Fills ret[n_entrants], best first. */
void standing_table(const struct tournament *t, struct standing_row *ret);

/* ---- inside this room ---- */

/* A game against somebody who has left is won, one of two who have left is lost by both. */
void tournament_decide_absent(const struct tournament *t, struct tournament_game *g);
/* True if all of these players (bit n: player n) can be paired at once, each pair allowed;
 * allowed[n] is the set of opponents of n. */
bool matching_is_complete(const uint64_t *allowed, uint64_t players);
/* The number of pairs, as many as can be. */
int matching_size(const uint64_t *allowed, uint64_t players);

#endif
