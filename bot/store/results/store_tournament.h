/* Tournaments in the store: one row each, one for each player and each game. See store.h. */
#ifndef KOIKOI_STORE_TOURNAMENT_H
#define KOIKOI_STORE_TOURNAMENT_H

#include "store_match.h"

struct store;

/* `due` of a tournament whose next step waits for no time. */
enum { TOURNAMENT_AT_ONCE = 1 };

/* Columns as in config/schema. */
struct tournament_row {
    int64_t id, chat, host;
    int64_t format, stage, rounds, round;
    int64_t round_ms, clock_ms, total_ms, gain_ms, ends, due;
    int64_t reminded, by_code;
    struct str rules;
};
struct tournament_player_row {
    int64_t place, handle, chat, rating, gone;
};
struct tournament_player_rows {
    int n;
    struct tournament_player_row *at;
};
struct tournament_game_row {
    int64_t round, board, first, second, result, unplayed, session;
};
struct tournament_game_rows {
    int n;
    struct tournament_game_row *at;
};

/* Adds a tournament and sets row->id. */
bool store_new_tournament(struct store *s, struct tournament_row *row, struct err *err) MUST_CHECK;
/* Chat and host may have become others since; the rest of the row is replaced. */
bool store_save_tournament(struct store *s, const struct tournament_row *row,
                           struct err *err) MUST_CHECK;
bool store_tournament(struct store *s, struct arena *a, int64_t id, struct tournament_row *ret,
                      bool *ret_found, struct err *err) MUST_CHECK;

/* By place. */
bool store_tournament_players(struct store *s, struct arena *a, int64_t id,
                              struct tournament_player_rows *ret, struct err *err) MUST_CHECK;
/* Replaces all of them. */
bool store_set_tournament_players(struct store *s, int64_t id,
                                  const struct tournament_player_rows *rows,
                                  struct err *err) MUST_CHECK;
/* By round and board. */
bool store_tournament_games(struct store *s, struct arena *a, int64_t id,
                            struct tournament_game_rows *ret, struct err *err) MUST_CHECK;
/* Adds or replaces one. */
bool store_set_tournament_game(struct store *s, int64_t id, const struct tournament_game_row *row,
                               struct err *err) MUST_CHECK;

/* The newest tournament that a chat or a person takes part in: one that is not over, else one that
 * is; none that was cancelled. live: the former alone. *ret is 0 if not found. */
bool store_tournament_of_chat(struct store *s, int64_t chat, bool live, int64_t *ret,
                              struct err *err) MUST_CHECK;
bool store_tournament_of_person(struct store *s, int64_t who, int64_t *ret,
                                struct err *err) MUST_CHECK;
/* Every one that a person was in, in order. */
bool store_tournaments_of_person(struct store *s, struct arena *a, int64_t who, struct ids *ret,
                                 struct err *err) MUST_CHECK;

/* The one whose timer fired first by `now`; 0 if none did. */
bool store_tournament_due(struct store *s, int64_t now, int64_t *ret, struct err *err) MUST_CHECK;
bool store_set_tournament_due(struct store *s, int64_t id, int64_t due, struct err *err) MUST_CHECK;
/* All times move, after a stop of the daemon or with the wall clock. */
bool store_move_tournaments(struct store *s, int64_t ms, struct err *err) MUST_CHECK;

#endif
