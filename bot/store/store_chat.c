/* Chats: found by the network's key, added when they are new, updated when name or key change. */
#include "store_sql.h"

#include <assert.h>

#define CHAT "id, account, key, name, direct, settings"
enum { CHAT_STRINGS = 3 };

static struct chat chat_of(const struct db_value *v)
{
    return (struct chat){v[0].i, v[1].i, v[2].s, v[3].s, v[4].i != 0, v[5].s};
}

static void keep_chat(struct store *s, const struct chat *c)
{
    const struct str parts[] = {{(const char *)c, sizeof *c}, c->key, c->name, c->settings};
    row_cache_put(s->rows, ROW_CHAT, c->account, c->key, 1 + CHAT_STRINGS, parts);
}

static bool find_chat(struct store *s, struct arena *a, int64_t account, struct str key,
                      struct chat *ret)
{
    struct str *strings[] = {&ret->key, &ret->name, &ret->settings};
    return row_cache_find_row(s->rows, a, ROW_CHAT, account, key, ret, sizeof *ret, CHAT_STRINGS,
                              strings);
}

static bool one_chat(struct store *s, struct arena *a, const char *sql, int n,
                     const struct db_value *args, struct chat *ret, bool *ret_found,
                     struct err *err)
{
    struct db_table t;
    if (!store_ask(s, a, sql, n, args, &t, err))
        return false;
    *ret_found = t.rows > 0;
    if (t.rows)
        *ret = chat_of(t.at);
    return true;
}

static bool chat_by_key(struct store *s, struct arena *a, int64_t account, struct str key,
                        struct chat *ret, bool *ret_found, struct err *err)
{
    *ret_found = find_chat(s, a, account, key, ret);
    return *ret_found || one_chat(s, a, "SELECT " CHAT " FROM chat WHERE account = $1 AND key = $2",
                                  VALUES(db_int(account), db_text(key)), ret, ret_found, err);
}

bool store_chat(struct store *s, struct arena *a, int64_t account, struct str key, struct str name,
                bool direct, struct chat *ret, struct err *err)
{
    bool found;
    struct chat c;
    struct db_table made;
    if (!chat_by_key(s, a, account, key, &c, &found, err))
        return false;
    if (!found) {
        if (!store_change(s, a,
                          "INSERT INTO chat (account, key, name, direct) VALUES ($1, $2, $3, $4) "
                          "RETURNING " CHAT,
                          VALUES(db_int(account), db_text(key), db_text(name), db_int(direct)),
                          &made, err))
            return false;
        c = chat_of(made.at);
    } else if (name.n && !str_is(name, c.name)) {
        c.name = name;
        if (!store_run(s, "UPDATE chat SET name = $1 WHERE id = $2",
                       VALUES(db_text(name), db_int(c.id)), NULL, err))
            return false;
    }
    keep_chat(s, &c);
    *ret = c;
    return true;
}

bool store_chat_by_id(struct store *s, struct arena *a, int64_t id, struct chat *ret,
                      bool *ret_found, struct err *err)
{
    return one_chat(s, a, "SELECT " CHAT " FROM chat WHERE id = $1", VALUES(db_int(id)), ret,
                    ret_found, err);
}

bool store_set_settings(struct store *s, int64_t chat, struct str settings, struct err *err)
{
    struct db_table t;
    if (!store_change(s, NULL, "UPDATE chat SET settings = $1 WHERE id = $2 RETURNING account, key",
                      VALUES(db_text(settings), db_int(chat)), &t, err))
        return false;
    for (int i = 0; i < t.rows; i++)
        row_cache_drop(s->rows, ROW_CHAT, t.at[i * 2].i, t.at[i * 2 + 1].s);
    return true;
}

/* ---- a chat that goes on under another key ---- */

/* Results of chat `from` count for `to`. Sums are added; of what cannot be added (a rating, a
 * streak) that of `to` stays if it has one. A recount makes all of it from the matches of both. */
static bool join_results(struct store *s, int64_t to, int64_t from, struct err *err)
{
    static const char *const steps[] = {
        "UPDATE played SET chat = $1 WHERE chat = $2 AND NOT EXISTS (SELECT 1 FROM played AS o "
        "WHERE o.chat = $1 AND o.session = played.session)",
        "INSERT INTO result_before (chat, season, person, won, drawn, lost, points) "
        "SELECT $1, season, person, won, drawn, lost, points FROM result_before WHERE chat = $2 "
        "ON CONFLICT (chat, season, person) DO UPDATE SET won = result_before.won + excluded.won, "
        "drawn = result_before.drawn + excluded.drawn, lost = result_before.lost + excluded.lost, "
        "points = result_before.points + excluded.points",
        "INSERT INTO result SELECT $1, season, person, won, drawn, lost, points, gave_up, rounds, "
        "rounds_won, calls, calls_won, calls_paid, best, best_hand, streak, longest FROM result "
        "WHERE chat = $2 ON CONFLICT (chat, season, person) DO UPDATE SET "
        "won = result.won + excluded.won, drawn = result.drawn + excluded.drawn, "
        "lost = result.lost + excluded.lost, points = result.points + excluded.points, "
        "gave_up = result.gave_up + excluded.gave_up, rounds = result.rounds + excluded.rounds, "
        "rounds_won = result.rounds_won + excluded.rounds_won, "
        "calls = result.calls + excluded.calls, "
        "calls_won = result.calls_won + excluded.calls_won, "
        "calls_paid = result.calls_paid + excluded.calls_paid",
        "INSERT INTO pairing SELECT $1, season, person, other, won, drawn, lost, points FROM "
        "pairing WHERE chat = $2 ON CONFLICT (chat, season, person, other) DO UPDATE SET "
        "won = pairing.won + excluded.won, drawn = pairing.drawn + excluded.drawn, "
        "lost = pairing.lost + excluded.lost, points = pairing.points + excluded.points",
        "INSERT INTO counted SELECT $1, person, what, n FROM counted WHERE chat = $2 "
        "ON CONFLICT (chat, person, what) DO UPDATE SET n = counted.n + excluded.n",
        "INSERT INTO rating SELECT $1, person, points, deviation, volatility, matches, season, at "
        "FROM rating WHERE chat = $2 ON CONFLICT DO NOTHING",
        "INSERT INTO season_open SELECT $1, season, due FROM season_open WHERE chat = $2 "
        "ON CONFLICT DO NOTHING",
        "INSERT INTO season_row SELECT $1, season, row, place, person, closed, won, drawn, lost, "
        "points, calls, calls_won, best, best_hand, longest, rating, deviation FROM season_row AS "
        "r "
        "WHERE chat = $2 AND NOT EXISTS (SELECT 1 FROM season_row AS o WHERE o.chat = $1 AND "
        "o.season = r.season)",
        "UPDATE tournament SET chat = $1 WHERE chat = $2",
        "UPDATE tournament_player SET chat = $1 WHERE chat = $2",
    };
    static const char *const emptied[] = {
        "DELETE FROM played WHERE chat = $1",      "DELETE FROM result_before WHERE chat = $1",
        "DELETE FROM result WHERE chat = $1",      "DELETE FROM pairing WHERE chat = $1",
        "DELETE FROM counted WHERE chat = $1",     "DELETE FROM rating WHERE chat = $1",
        "DELETE FROM season_open WHERE chat = $1", "DELETE FROM season_row WHERE chat = $1",
        "DELETE FROM rated_pair WHERE chat = $1"};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        if (!store_run(s, steps[i], VALUES(db_int(to), db_int(from)), NULL, err))
            return false;
    for (size_t i = 0; i < sizeof emptied / sizeof *emptied; i++)
        if (!store_run(s, emptied[i], VALUES(db_int(from)), NULL, err))
            return false;
    return true;
}

/* All that hangs on chat `from` hangs on `to` afterwards; `from` is no more. */
static bool join_chats(struct store *s, int64_t to, int64_t from, struct err *err)
{
    struct db_table t;
    if (!join_results(s, to, from, err) ||
        !store_ask(s, NULL,
                   "SELECT id, chats FROM session WHERE id IN (SELECT session FROM session_chat "
                   "WHERE chat = $1)",
                   VALUES(db_int(from)), &t, err))
        return false;
    for (int i = 0; i < t.rows; i++) {
        char list[128];
        struct buf b = BUF(list);
        struct str rest = t.at[i * 2 + 1].s;
        while (rest.n) {
            int64_t id = 0;
            struct str one = str_cut(rest, ' ', &rest);
            bool number = str_int(one, &id);
            assert(number);
            buf_print(&b, "%s%lld", b.n ? " " : "", (long long)(id == from ? to : id));
        }
        if (!store_run(s, "UPDATE session SET chats = $1 WHERE id = $2",
                       VALUES(db_text(buf_str(&b)), db_int(t.at[i * 2].i)), NULL, err))
            return false;
    }
    return store_run(s,
                     "INSERT INTO session_chat (chat, live, session) SELECT $1, live, session FROM "
                     "session_chat WHERE chat = $2 ON CONFLICT DO NOTHING",
                     VALUES(db_int(to), db_int(from)), NULL, err) &&
           store_run(s, "DELETE FROM session_chat WHERE chat = $1", VALUES(db_int(from)), NULL,
                     err) &&
           store_run(s, "DELETE FROM chat WHERE id = $1", VALUES(db_int(from)), NULL, err);
}

bool store_move_chat(struct store *s, int64_t account, struct str key, struct str new_key,
                     bool *ret_moved, struct err *err)
{
    struct chat old, other;
    bool found, taken;
    struct arena *a = arena_open(1 << 20);
    bool ok = chat_by_key(s, a, account, key, &old, &found, err) &&
              chat_by_key(s, a, account, new_key, &other, &taken, err);
    if (ok && found && taken && old.id != other.id) {
        ok = join_chats(s, old.id, other.id, err);
        if (ok && old.settings.n == 0 && other.settings.n)
            ok = store_set_settings(s, old.id, other.settings, err);
    }
    if (ok && found)
        ok = store_run(s, "UPDATE chat SET key = $1 WHERE id = $2",
                       VALUES(db_text(new_key), db_int(old.id)), NULL, err) &&
             store_run(
                 s,
                 "UPDATE person SET direct_chat = $1 WHERE account = $2 AND direct_chat = $3 AND "
                 "direct_chat <> ''",
                 VALUES(db_text(new_key), db_int(account), db_text(key)), NULL, err);
    ok = ok && store_run(s, "DELETE FROM post WHERE account = $1 AND place = $2",
                         VALUES(db_int(account), db_text(key)), NULL, err);
    arena_close(a);
    cache_clear(s->rows);
    *ret_moved = ok && found;
    return ok;
}
