/* See store_tournament.h. */
#include "store_tournament.h"

#include "store_table.h"

#define ROW(member) COLUMN(struct tournament_row, member)
static const struct sql_column columns[] = {
    ROW(id),    ROW(chat),     ROW(host),     ROW(format),   ROW(stage),   ROW(rounds),
    ROW(round), ROW(round_ms), ROW(clock_ms), ROW(total_ms), ROW(gain_ms), ROW(ends),
    ROW(due),   ROW(reminded), ROW(by_code),  ROW(rules)};
static const struct sql_table tournaments = {"tournament", .n_keys = 1, .counted = true,
                                             ROWS(struct tournament_row, columns)};

#define PLAYER(member) COLUMN(struct tournament_player_row, member)
static const struct sql_column player_columns[] = {
    PLAYER(tournament),
    PLAYER(place),
    COLUMN_NAMED(struct tournament_player_row, handle, "person"),
    PLAYER(chat),
    PLAYER(rating),
    PLAYER(gone)};
static const struct sql_table players = {"tournament_player", .n_keys = 2,
                                         ROWS(struct tournament_player_row, player_columns)};

#define GAME(member) COLUMN(struct tournament_game_row, member)
static const struct sql_column game_columns[] = {GAME(tournament), GAME(round),  GAME(board),
                                                 GAME(first),      GAME(second), GAME(result),
                                                 GAME(unplayed),   GAME(session)};
static const struct sql_table games = {"tournament_game", .n_keys = 3,
                                       ROWS(struct tournament_game_row, game_columns)};

int64_t store_new_tournament(struct store *s, const struct tournament_row *row)
{
    return store_insert(s, &tournaments, row);
}

void store_save_tournament(struct store *s, const struct tournament_row *row)
{
    store_update(s, &tournaments, row);
}

const struct tournament_row *store_tournament(struct store *s, struct arena *a, int64_t id)
{
    return store_find(s, a, &tournaments, "WHERE id = $1", VALUES(db_int(id)));
}

struct tournament_player_rows store_tournament_players(struct store *s, struct arena *a, int64_t id)
{
    return tournament_player_rows_of(
        store_select(s, a, &players, "WHERE tournament = $1 ORDER BY place", VALUES(db_int(id))));
}

void store_set_tournament_players(struct store *s, int64_t id,
                                  const struct tournament_player_rows *rows)
{
    store_run(s, "DELETE FROM tournament_player WHERE tournament = $1", VALUES(db_int(id)));
    for (int i = 0; i < rows->n; i++) {
        struct tournament_player_row row = rows->at[i];
        row.tournament = id;
        store_insert(s, &players, &row);
    }
}

struct tournament_game_rows store_tournament_games(struct store *s, struct arena *a, int64_t id)
{
    return tournament_game_rows_of(store_select(
        s, a, &games, "WHERE tournament = $1 ORDER BY round, board", VALUES(db_int(id))));
}

void store_set_tournament_game(struct store *s, const struct tournament_game_row *row)
{
    store_upsert(s, &games, row);
}

/* ---- which one ---- */

/* STAGE_OPEN and STAGE_RUNNING of the core. Those cancelled (3) are never found. */
#define LIVE "t.stage < 2"

int64_t store_tournament_of_chat(struct store *s, int64_t chat, bool live)
{
    return store_number(
        s,
        "SELECT t.id FROM tournament AS t WHERE t.stage < 3 AND t.id IN (SELECT id FROM tournament "
        "WHERE chat = $1 UNION SELECT tournament FROM tournament_player WHERE chat = $1) AND (" LIVE
        " OR $2 = 0) ORDER BY " LIVE " DESC, t.id DESC LIMIT 1",
        VALUES(db_int(chat), db_int(live)));
}

int64_t store_tournament_of_person(struct store *s, int64_t who)
{
    return store_number(s,
                        "SELECT t.id FROM tournament AS t WHERE t.stage < 3 AND t.id IN (SELECT "
                        "tournament FROM tournament_player WHERE person IN " HANDLES_OF(
                            1) ") ORDER BY " LIVE " DESC, t.id DESC LIMIT 1",
                        VALUES(db_int(who)));
}

struct ids store_tournaments_of_person(struct store *s, struct arena *a, int64_t who)
{
    return store_ids(s, a,
                     "SELECT DISTINCT tournament FROM tournament_player WHERE person "
                     "IN " HANDLES_OF(1) " ORDER BY tournament",
                     VALUES(db_int(who)));
}

/* ---- times ---- */

int64_t store_tournament_due(struct store *s, int64_t now)
{
    return store_number(
        s, "SELECT id FROM tournament WHERE due > 0 AND due <= $1 ORDER BY due, id LIMIT 1",
        VALUES(db_int(now)));
}

void store_set_tournament_due(struct store *s, int64_t id, int64_t due)
{
    store_run(s, "UPDATE tournament SET due = $1 WHERE id = $2", VALUES(db_int(due), db_int(id)));
}

void store_move_tournaments(struct store *s, int64_t ms)
{
    store_run(s,
              "UPDATE tournament SET ends = ends + $1, due = CASE WHEN due > $2 THEN due + $1 ELSE "
              "due END WHERE due > 0",
              VALUES(db_int(ms), db_int(TOURNAMENT_AT_ONCE)));
}

void store_forget_tournaments(struct store *s, int64_t before, int most)
{
    static const char *const steps[] = {"DELETE FROM tournament_game WHERE tournament = $1",
                                        "DELETE FROM tournament_player WHERE tournament = $1",
                                        "DELETE FROM tournament WHERE id = $1"};
    struct db_table t = store_ask(
        s, NULL, "SELECT id FROM tournament WHERE stage > 1 AND ends < $1 ORDER BY ends LIMIT $2",
        VALUES(db_int(before), db_int(most)));
    for (int i = 0; i < t.rows; i++)
        for (size_t k = 0; k < sizeof steps / sizeof *steps; k++)
            store_run(s, steps[k], 1, &t.at[i]);
}

/* A forgotten person's places in tournaments that have not begun go; of those that run they are
 * gone. */
const struct store_feature feature_tournament = {
    .soonest = "SELECT MIN(due) FROM tournament WHERE due > 0",
    .forget = {"DELETE FROM tournament_player WHERE person = $1 AND (SELECT stage FROM tournament "
               "WHERE id = tournament_player.tournament) = 0",
               "UPDATE tournament_player SET gone = 1 WHERE person = $1"},
    .join = {"UPDATE tournament SET chat = $1 WHERE chat = $2",
             "UPDATE tournament_player SET chat = $1 WHERE chat = $2"}};
