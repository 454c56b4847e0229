/* See store_played.h: the rows of matches. */
#include "store_played.h"
#include "store_sql.h"

/* The columns of a row: one line each, in the order of PLAYED. */
#define PLAYED_COLUMNS                                                                             \
    "chat, session, seat, person, rated, at, day, casual, rateable, won, drawn, lost, gave_up, "   \
    "points, rounds, rounds_won, calls, calls_won, calls_paid, best, accuracy, season, also, "     \
    "rules, best_hand, yaku"
#define PLAYED "id, " PLAYED_COLUMNS

static struct played played_of(const struct db_value *v)
{
    return (struct played){.id = v[0].i,
                           .chat = v[1].i,
                           .session = v[2].i,
                           .seat = v[3].i,
                           .person = v[4].i,
                           .rated = v[5].i,
                           .at = v[6].i,
                           .day = v[7].i,
                           .casual = v[8].i,
                           .rateable = v[9].i,
                           .won = v[10].i,
                           .drawn = v[11].i,
                           .lost = v[12].i,
                           .gave_up = v[13].i,
                           .points = v[14].i,
                           .rounds = v[15].i,
                           .rounds_won = v[16].i,
                           .calls = v[17].i,
                           .calls_won = v[18].i,
                           .calls_paid = v[19].i,
                           .best = v[20].i,
                           .accuracy = v[21].i,
                           .season = v[22].s,
                           .also = v[23].s,
                           .rules = v[24].s,
                           .best_hand = v[25].s,
                           .yaku = v[26].s};
}

bool store_add_played(struct store *s, const struct played *p, struct err *err)
{
    return store_run(s,
                     "INSERT INTO played (" PLAYED_COLUMNS
                     ") VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, "
                     "$16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26)",
                     VALUES(db_int(p->chat), db_int(p->session), db_int(p->seat), db_int(p->person),
                            db_int(p->rated), db_int(p->at), db_int(p->day), db_int(p->casual),
                            db_int(p->rateable), db_int(p->won), db_int(p->drawn), db_int(p->lost),
                            db_int(p->gave_up), db_int(p->points), db_int(p->rounds),
                            db_int(p->rounds_won), db_int(p->calls), db_int(p->calls_won),
                            db_int(p->calls_paid), db_int(p->best), db_int(p->accuracy),
                            db_text(p->season), db_text(p->also), db_text(p->rules),
                            db_text(p->best_hand), db_text(p->yaku)),
                     NULL, err);
}

static bool some_played(struct store *s, struct arena *a, const char *sql, int n,
                        const struct db_value *args, struct played_rows *ret, struct err *err)
{
    struct db_table t;
    if (!store_ask(s, a, sql, n, args, &t, err))
        return false;
    ret->n = t.rows;
    ret->at = arena_array(a, struct played, (size_t)t.rows);
    for (int i = 0; i < t.rows; i++)
        ret->at[i] = played_of(t.at + i * t.cols);
    return true;
}

bool store_played_after(struct store *s, struct arena *a, int64_t after, int most,
                        struct played_rows *ret, struct err *err)
{
    return some_played(s, a, "SELECT " PLAYED " FROM played WHERE id > $1 ORDER BY id LIMIT $2",
                       VALUES(db_int(after), db_int(most)), ret, err);
}

bool store_played_match(struct store *s, struct arena *a, int64_t chat, int64_t session,
                        struct played_rows *ret, struct err *err)
{
    return some_played(
        s, a, "SELECT " PLAYED " FROM played WHERE chat = $1 AND session = $2 ORDER BY seat",
        VALUES(db_int(chat), db_int(session)), ret, err);
}

#define HANDLES_OF(number) "(SELECT id FROM person WHERE id = " number " OR owner = " number ")"

/* The inner query needs the index alone. */
bool store_played_of(struct store *s, struct arena *a, int64_t chat, int64_t who, int64_t other,
                     int64_t below, int most, struct played_rows *ret, struct err *err)
{
    if (other == 0)
        return some_played(
            s, a,
            "SELECT " PLAYED " FROM played WHERE id IN (SELECT id FROM played WHERE chat = $1 AND "
            "person IN " HANDLES_OF("$2") " AND session < $3 ORDER BY session DESC LIMIT $4) "
                                          "ORDER BY session DESC",
            VALUES(db_int(chat), db_int(who), db_int(below), db_int(most)), ret, err);
    return some_played(
        s, a,
        "SELECT " PLAYED " FROM played AS p WHERE chat = $1 AND person IN " HANDLES_OF(
            "$2") " AND session < $3 AND EXISTS (SELECT 1 FROM played AS o WHERE o.chat = p.chat "
                  "AND "
                  "o.session = p.session AND o.person IN " HANDLES_OF(
                      "$4") ") ORDER BY session DESC LIMIT $5",
        VALUES(db_int(chat), db_int(who), db_int(below), db_int(other), db_int(most)), ret, err);
}

bool store_set_accuracy(struct store *s, int64_t id, int64_t accuracy, struct err *err)
{
    return store_run(s, "UPDATE played SET accuracy = $1 WHERE id = $2",
                     VALUES(db_int(accuracy), db_int(id)), NULL, err);
}
