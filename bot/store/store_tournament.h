/* Tournaments in the store: one row each, one for each player and each game. See store.h. */
#ifndef KOIKOI_STORE_TOURNAMENT_H
#define KOIKOI_STORE_TOURNAMENT_H

#include "store_session.h"

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
    int64_t tournament, place, handle, chat, rating, gone;
};
ROW_LIST(tournament_player_rows, struct tournament_player_row);
struct tournament_game_row {
    int64_t tournament, round, board, first, second, result, unplayed, session;
};
ROW_LIST(tournament_game_rows, struct tournament_game_row);

/* Adds a tournament and returns its id. */
int64_t store_new_tournament(struct store *s, const struct tournament_row *row);
void store_save_tournament(struct store *s, const struct tournament_row *row);
const struct tournament_row *store_tournament(struct store *s, struct arena *a, int64_t id);

/* By place. */
struct tournament_player_rows store_tournament_players(struct store *s, struct arena *a,
                                                       int64_t id);
/* Replaces all of them; their `tournament` is not read. */
void store_set_tournament_players(struct store *s, int64_t id,
                                  const struct tournament_player_rows *rows);
/* By round and board. */
struct tournament_game_rows store_tournament_games(struct store *s, struct arena *a, int64_t id);
/* Adds or replaces one. */
void store_set_tournament_game(struct store *s, const struct tournament_game_row *row);

/* The newest tournament that a chat or a person takes part in: one that is not over, else one that
 * is; none that was cancelled. live: the former alone. Returns 0 if not found. */
int64_t store_tournament_of_chat(struct store *s, int64_t chat, bool live);
int64_t store_tournament_of_person(struct store *s, int64_t who);
/* Every one that a person was in, in order. */
struct ids store_tournaments_of_person(struct store *s, struct arena *a, int64_t who);

/* The one whose timer fired first by `now`; 0 if none did. */
int64_t store_tournament_due(struct store *s, int64_t now);
void store_set_tournament_due(struct store *s, int64_t id, int64_t due);
/* All times move, after a stop of the daemon or with the wall clock. */
void store_move_tournaments(struct store *s, int64_t ms);
/* Removes tournaments that ended, or were cancelled, before `before`, with their players and games,
 * at most `most`. */
void store_forget_tournaments(struct store *s, int64_t before, int most);

#endif
