/* See store_tournament.h. */
#include "store_tournament.h"
#include "store_sql.h"

/* STAGE_OPEN and STAGE_RUNNING of the core; those cancelled (3) are looked for by nobody. */
#define LIVE  "t.stage < 2"
#define PLAYS "(SELECT tournament FROM tournament_player WHERE "

bool store_new_tournament(struct store *s, struct tournament_row *row, struct err *err)
{
    return store_make(
        s,
        "INSERT INTO tournament (chat, host, format, stage, rounds, round, round_ms, clock_ms, "
        "total_ms, gain_ms, ends, due, reminded, by_code, rules) VALUES ($1, $2, $3, $4, $5, $6, "
        "$7, $8, $9, $10, $11, $12, $13, $14, $15) "
        "RETURNING id",
        VALUES(db_int(row->chat), db_int(row->host), db_int(row->format), db_int(row->stage),
               db_int(row->rounds), db_int(row->round), db_int(row->round_ms),
               db_int(row->clock_ms), db_int(row->total_ms), db_int(row->gain_ms),
               db_int(row->ends), db_int(row->due), db_int(row->reminded), db_int(row->by_code),
               db_text(row->rules)),
        &row->id, err);
}

bool store_save_tournament(struct store *s, const struct tournament_row *row, struct err *err)
{
    return store_run(
        s,
        "UPDATE tournament SET chat = $1, host = $2, format = $3, stage = $4, rounds = $5, "
        "round = $6, round_ms = $7, clock_ms = $8, total_ms = $9, gain_ms = $10, ends = $11, "
        "due = $12, reminded = $13, by_code = $14, rules = $15 WHERE id = $16",
        VALUES(db_int(row->chat), db_int(row->host), db_int(row->format), db_int(row->stage),
               db_int(row->rounds), db_int(row->round), db_int(row->round_ms),
               db_int(row->clock_ms), db_int(row->total_ms), db_int(row->gain_ms),
               db_int(row->ends), db_int(row->due), db_int(row->reminded), db_int(row->by_code),
               db_text(row->rules), db_int(row->id)),
        NULL, err);
}

bool store_tournament(struct store *s, struct arena *a, int64_t id, struct tournament_row *ret,
                      bool *ret_found, struct err *err)
{
    struct db_table t;
    if (!store_ask(s, a,
                   "SELECT id, chat, host, format, stage, rounds, round, round_ms, clock_ms, "
                   "total_ms, gain_ms, ends, due, reminded, by_code, rules FROM tournament WHERE "
                   "id = $1",
                   VALUES(db_int(id)), &t, err))
        return false;
    *ret_found = t.rows > 0;
    if (t.rows == 0)
        return true;
    const struct db_value *v = t.at;
    *ret = (struct tournament_row){.id = v[0].i,
                                   .chat = v[1].i,
                                   .host = v[2].i,
                                   .format = v[3].i,
                                   .stage = v[4].i,
                                   .rounds = v[5].i,
                                   .round = v[6].i,
                                   .round_ms = v[7].i,
                                   .clock_ms = v[8].i,
                                   .total_ms = v[9].i,
                                   .gain_ms = v[10].i,
                                   .ends = v[11].i,
                                   .due = v[12].i,
                                   .reminded = v[13].i,
                                   .by_code = v[14].i,
                                   .rules = v[15].s};
    return true;
}

/* ---- players and games ---- */

bool store_tournament_players(struct store *s, struct arena *a, int64_t id,
                              struct tournament_player_rows *ret, struct err *err)
{
    struct db_table t;
    if (!store_ask(s, a,
                   "SELECT place, person, chat, rating, gone FROM tournament_player WHERE "
                   "tournament = $1 ORDER BY place",
                   VALUES(db_int(id)), &t, err))
        return false;
    ret->n = t.rows;
    ret->at = arena_array(a, struct tournament_player_row, (size_t)t.rows);
    for (int i = 0; i < t.rows; i++) {
        const struct db_value *v = t.at + i * t.cols;
        ret->at[i] = (struct tournament_player_row){v[0].i, v[1].i, v[2].i, v[3].i, v[4].i};
    }
    return true;
}

bool store_set_tournament_players(struct store *s, int64_t id,
                                  const struct tournament_player_rows *rows, struct err *err)
{
    if (!store_run(s, "DELETE FROM tournament_player WHERE tournament = $1", VALUES(db_int(id)),
                   NULL, err))
        return false;
    for (int i = 0; i < rows->n; i++) {
        const struct tournament_player_row *r = &rows->at[i];
        if (!store_run(s,
                       "INSERT INTO tournament_player (tournament, place, person, chat, rating, "
                       "gone) VALUES ($1, $2, $3, $4, $5, $6)",
                       VALUES(db_int(id), db_int(r->place), db_int(r->handle), db_int(r->chat),
                              db_int(r->rating), db_int(r->gone)),
                       NULL, err))
            return false;
    }
    return true;
}

bool store_tournament_games(struct store *s, struct arena *a, int64_t id,
                            struct tournament_game_rows *ret, struct err *err)
{
    struct db_table t;
    if (!store_ask(s, a,
                   "SELECT round, board, first, second, result, unplayed, session FROM "
                   "tournament_game WHERE tournament = $1 ORDER BY round, board",
                   VALUES(db_int(id)), &t, err))
        return false;
    ret->n = t.rows;
    ret->at = arena_array(a, struct tournament_game_row, (size_t)t.rows);
    for (int i = 0; i < t.rows; i++) {
        const struct db_value *v = t.at + i * t.cols;
        ret->at[i] =
            (struct tournament_game_row){v[0].i, v[1].i, v[2].i, v[3].i, v[4].i, v[5].i, v[6].i};
    }
    return true;
}

bool store_set_tournament_game(struct store *s, int64_t id, const struct tournament_game_row *row,
                               struct err *err)
{
    return store_run(
        s,
        "INSERT INTO tournament_game (tournament, round, board, first, second, result, unplayed, "
        "session) VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (tournament, round, board) "
        "DO UPDATE SET first = excluded.first, second = excluded.second, "
        "result = excluded.result, unplayed = excluded.unplayed, session = excluded.session",
        VALUES(db_int(id), db_int(row->round), db_int(row->board), db_int(row->first),
               db_int(row->second), db_int(row->result), db_int(row->unplayed),
               db_int(row->session)),
        NULL, err);
}

/* ---- which one ---- */

static bool one_id(struct store *s, const char *sql, int n, const struct db_value *args,
                   int64_t *ret, struct err *err)
{
    struct db_table t;
    if (!store_ask(s, NULL, sql, n, args, &t, err))
        return false;
    *ret = t.rows ? t.at[0].i : 0;
    return true;
}

bool store_tournament_of_chat(struct store *s, int64_t chat, bool live, int64_t *ret,
                              struct err *err)
{
    return one_id(
        s,
        "SELECT t.id FROM tournament AS t WHERE t.stage < 3 AND (t.chat = $1 OR t.id IN " PLAYS
        "chat = $1)) AND (" LIVE " OR $2 = 0) ORDER BY " LIVE " DESC, t.id DESC LIMIT 1",
        VALUES(db_int(chat), db_int(live)), ret, err);
}

bool store_tournament_of_person(struct store *s, int64_t who, int64_t *ret, struct err *err)
{
    return one_id(s,
                  "SELECT t.id FROM tournament AS t WHERE t.stage < 3 AND t.id IN " PLAYS
                  "person IN " HANDLES_OF_WHO ") "
                  "ORDER BY " LIVE " DESC, t.id DESC LIMIT 1",
                  VALUES(db_int(who)), ret, err);
}

bool store_tournaments_of_person(struct store *s, struct arena *a, int64_t who, struct ids *ret,
                                 struct err *err)
{
    return store_ask_ids(s, a,
                         "SELECT DISTINCT tournament FROM tournament_player WHERE "
                         "person IN " HANDLES_OF_WHO " ORDER BY tournament",
                         VALUES(db_int(who)), ret, err);
}

/* ---- times ---- */

bool store_tournament_due(struct store *s, int64_t now, int64_t *ret, struct err *err)
{
    return one_id(s,
                  "SELECT id FROM tournament WHERE due > 0 AND due <= $1 ORDER BY due, id LIMIT 1",
                  VALUES(db_int(now)), ret, err);
}

bool store_set_tournament_due(struct store *s, int64_t id, int64_t due, struct err *err)
{
    return store_run(s, "UPDATE tournament SET due = $1 WHERE id = $2",
                     VALUES(db_int(due), db_int(id)), NULL, err);
}

bool store_move_tournaments(struct store *s, int64_t ms, struct err *err)
{
    return store_run(s,
                     "UPDATE tournament SET ends = ends + $1, due = CASE WHEN due > $2 THEN due + "
                     "$1 ELSE due END WHERE due > 0",
                     VALUES(db_int(ms), db_int(TOURNAMENT_AT_ONCE)), NULL, err);
}
