/* See store_duel.h. */
#include "store_duel.h"

#include "store_table.h"

#define DUEL(member) COLUMN(struct duel_row, member)
static const struct sql_column duel_columns[] = {DUEL(chat), DUEL(due), DUEL(day), DUEL(seed),
                                                 DUEL(rules)};
static const struct sql_table duels = {"duel", .n_keys = 1, ROWS(struct duel_row, duel_columns)};

struct duel_row store_duel(struct store *s, struct arena *a, int64_t chat)
{
    const struct duel_row *row = store_find(s, a, &duels, "WHERE chat = $1", VALUES(db_int(chat)));
    return row ? *row : (struct duel_row){.chat = chat};
}

void store_set_duel(struct store *s, const struct duel_row *row)
{
    store_upsert(s, &duels, row);
}

struct duel_row store_duel_due(struct store *s, struct arena *a, int64_t now)
{
    const struct duel_row *row =
        store_find(s, a, &duels, "WHERE due > 0 AND due <= $1 ORDER BY due, chat LIMIT 1",
                   VALUES(db_int(now)));
    return row ? *row : (struct duel_row){0};
}

int64_t store_duel_of_person(struct store *s, int64_t who)
{
    return store_number(
        s,
        "SELECT d.chat FROM duel AS d WHERE d.day > 0 AND d.chat IN (SELECT chat FROM duel_try "
        "WHERE person IN " HANDLES_OF(
            1) " UNION SELECT chat FROM result WHERE season = 'all' AND "
               "person IN " HANDLES_OF(
                   1) ") ORDER BY (SELECT COUNT(*) FROM duel_try AS x WHERE x.chat = "
                      "d.chat AND x.day = d.day AND x.person IN " HANDLES_OF(
                          1) "), d.due, d.chat LIMIT 1",
        VALUES(db_int(who)));
}

#define TRY(member) COLUMN(struct duel_try_row, member)
static const struct sql_column try_columns[] = {
    TRY(chat),    TRY(day),     COLUMN_NAMED(struct duel_try_row, handle, "person"),
    TRY(account), TRY(session), TRY(state),
    TRY(points),  TRY(at)};
static const struct sql_table tries = {"duel_try", .n_keys = 4,
                                       ROWS(struct duel_try_row, try_columns)};

void store_add_duel_try(struct store *s, const struct duel_try_row *row)
{
    struct duel_try_row r = *row;
    r.account = store_home(s, HOME_OF_CHAT, r.chat);
    store_insert(s, &tries, &r);
}

/* Of the try of a match. Mostly its match is kept there, too: people try at duels of the bot that they
 * talk to. Returns 0 if not found. */
static int64_t account_of_try(struct store *s, int64_t session)
{
    int64_t account =
        store_number(s, "SELECT account FROM duel_try WHERE account = $1 AND session = $2",
                     VALUES(db_int(store_home(s, HOME_OF_SESSION, session)), db_int(session)));
    return account ? account
                   : store_number(s, "SELECT account FROM duel_try WHERE session = $1",
                                  VALUES(db_int(session)));
}

void store_end_duel_try(struct store *s, int64_t session, int64_t state, int64_t points)
{
    store_run(
        s, "UPDATE duel_try SET state = $1, points = $2 WHERE account = $3 AND session = $4",
        VALUES(db_int(state), db_int(points), db_int(account_of_try(s, session)), db_int(session)));
}

#define SEEN(member, name) COLUMN_NAMED(struct duel_try_row, member, name)
static const struct sql_column seen_columns[] = {SEEN(who, "o.id"),          SEEN(name, "o.name"),
                                                 SEEN(session, "x.session"), SEEN(state, "x.state"),
                                                 SEEN(points, "x.points"),   SEEN(at, "x.at")};
static const struct sql_table tries_seen = {ROWS(struct duel_try_row, seen_columns)};

struct duel_try_rows store_duel_tries(struct store *s, struct arena *a, int64_t chat, int64_t day)
{
    return duel_try_rows_of(
        store_select(s, a, &tries_seen,
                     "FROM duel_try AS x" JOIN_PERSON(
                         "x.person") "WHERE x.account = $1 AND x.chat = $2 AND x.day = $3 AND "
                                     "o.banned = 0 ORDER BY CASE x.state "
                                     "WHEN 1 THEN 0 ELSE 1 END, x.points DESC, x.at, x.person",
                     VALUES(db_int(store_home(s, HOME_OF_CHAT, chat)), db_int(chat), db_int(day))));
}

struct duel_try_rows store_duel_tries_of(struct store *s, struct arena *a, int64_t chat,
                                         int64_t who, int64_t day)
{
    return duel_try_rows_of(
        chat ? store_select(s, a, &tries,
                            "WHERE account = $1 AND chat = $2 AND person IN " HANDLES_OF(
                                3) " AND day <= $4 ORDER BY day DESC, at",
                            VALUES(db_int(store_home(s, HOME_OF_CHAT, chat)), db_int(chat),
                                   db_int(who), db_int(day)))
             : store_select(
                   s, a, &tries,
                   "WHERE person IN " HANDLES_OF(1) " AND day <= $2 ORDER BY day DESC, chat, at",
                   VALUES(db_int(who), db_int(day))));
}

int64_t store_duel_chat(struct store *s, int64_t session)
{
    return store_number(s, "SELECT chat FROM duel_try WHERE account = $1 AND session = $2",
                        VALUES(db_int(account_of_try(s, session)), db_int(session)));
}

int64_t store_duel_open_try(struct store *s, int64_t chat)
{
    return store_number(s,
                        "SELECT session FROM duel_try WHERE account = $1 AND chat = $2 AND state = "
                        "0 ORDER BY session LIMIT 1",
                        VALUES(db_int(store_home(s, HOME_OF_CHAT, chat)), db_int(chat)));
}

/* Where both chats that become one have a day, that of the chat that stays goes on; tries at the
 * other one count with it. */
const struct store_feature feature_duel = {
    DAILY_DATES("duel"),
    .people =
        "SELECT person FROM duel_try WHERE " ACCOUNT_OF_CHAT(1) " AND chat = $1 AND day >= $2",
    .forget = {"DELETE FROM duel_try WHERE person = $1"}, .counted = {&duels, &tries}};
