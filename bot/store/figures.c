/* Figures of people: matches that were played, counts, badges. See store_played.h. */
#include "store_played.h"

#include "store_table.h"

#define PLAYED(member) COLUMN(struct played, member)
#define SUM(member)    COLUMN_NAMED(struct played, tally.member, #member)
static const struct sql_column columns[] = {
    PLAYED(id),       PLAYED(account), PLAYED(chat),      PLAYED(session),  PLAYED(seat),
    PLAYED(person),   PLAYED(rated),   PLAYED(at),        PLAYED(day),      PLAYED(casual),
    PLAYED(rateable), SUM(won),        SUM(drawn),        SUM(lost),        SUM(gave_up),
    PLAYED(forfeit),  SUM(points),     SUM(rounds),       SUM(rounds_won),  SUM(calls),
    SUM(calls_won),   SUM(calls_paid), PLAYED(best),      PLAYED(accuracy), PLAYED(season),
    PLAYED(also),     PLAYED(rules),   PLAYED(best_hand), PLAYED(yaku)};
static const struct sql_table played = {"played", .n_keys = 2, .counted = true,
                                        ROWS(struct played, columns)};

int64_t store_home_of_result(struct store *s, int64_t chat, int64_t handle)
{
    if (chat != EVERY_CHAT)
        return store_home(s, HOME_OF_CHAT, chat);
    return handle > 0 ? store_home(s, HOME_OF_PERSON, handle) : 0;
}

/* In EVERY_CHAT the computer's row is beside that of the first handle. */
void store_add_played(struct store *s, const struct played *rows, int n)
{
    int64_t first = 0;
    for (int i = 0; i < n && first == 0; i++)
        first = rows[i].person;
    for (int i = 0; i < n; i++) {
        struct played p = rows[i];
        p.account = store_home_of_result(s, p.chat, p.person ? p.person : first);
        store_insert(s, &played, &p);
    }
}

static struct played_rows select_played(struct store *s, struct arena *a, const char *tail, int n,
                                        const struct db_value *args)
{
    return played_rows_of(store_select(s, a, &played, tail, n, args));
}

struct played_rows store_played_after(struct store *s, struct arena *a, int64_t chat, int64_t after,
                                      int most)
{
    if (chat == EVERY_CHAT)
        return select_played(s, a, "WHERE chat = 0 AND id > $1 ORDER BY id LIMIT $2",
                             VALUES(db_int(after), db_int(most)));
    return select_played(s, a, "WHERE account = $1 AND chat = $2 AND id > $3 ORDER BY id LIMIT $4",
                         VALUES(db_int(store_home(s, HOME_OF_CHAT, chat)), db_int(chat),
                                db_int(after), db_int(most)));
}

struct played_rows store_played_match(struct store *s, struct arena *a, int64_t chat,
                                      int64_t session)
{
    if (chat == EVERY_CHAT)
        return select_played(s, a, "WHERE chat = 0 AND session = $1 ORDER BY seat",
                             VALUES(db_int(session)));
    return select_played(
        s, a, "WHERE account = $1 AND chat = $2 AND session = $3 ORDER BY seat",
        VALUES(db_int(store_home(s, HOME_OF_CHAT, chat)), db_int(chat), db_int(session)));
}

/* The inner query needs the index alone. */
#define PAGE(also, most)                                                                           \
    "JOIN (SELECT r.account AS account, r.id AS no FROM " RESULTS_OF(                              \
        "played", "r", "h", 1, 2, 3) " AND r.session < $4 " also                                   \
                                     "ORDER BY r.session DESC LIMIT $" #most                       \
                                     ") AS x ON played.account = x.account AND played.id = x.no "  \
                                     "ORDER BY played.session DESC"
#define OF_OTHER                                                                                   \
    "AND EXISTS (SELECT 1 FROM " RESULTS_OF("played", "o", "g", 5, 2,                              \
                                            3) " AND o.session = r.session) "

struct played_rows store_played_of(struct store *s, struct arena *a, int64_t chat, int64_t who,
                                   int64_t other, int64_t below, int most)
{
    const int64_t account = store_home_of_result(s, chat, 0);
    if (other == 0)
        return select_played(
            s, a, PAGE("", 5),
            VALUES(db_int(who), db_int(chat), db_int(account), db_int(below), db_int(most)));
    return select_played(s, a, PAGE(OF_OTHER, 6),
                         VALUES(db_int(who), db_int(chat), db_int(account), db_int(below),
                                db_int(other), db_int(most)));
}

void store_set_accuracy(struct store *s, const struct played *p)
{
    store_run(s, "UPDATE played SET accuracy = $1 WHERE account = $2 AND id = $3",
              VALUES(db_int(p->accuracy), db_int(p->account), db_int(p->id)));
}

/* ---- counts by name ---- */

#define COUNT(member) COLUMN(struct count_row, member)
static const struct sql_column count_columns[] = {COUNT(chat), COUNT(person), COUNT(what),
                                                  COUNT(account),
                                                  COLUMN_OF(struct count_row, n, "n", COLUMN_SUM)};
static const struct sql_table counted = {"counted", .n_keys = 4,
                                         ROWS(struct count_row, count_columns)};
static const struct sql_column summed_columns[] = {COUNT(what),
                                                   COLUMN_NAMED(struct count_row, n, "SUM(n)")};
static const struct sql_table view_of_counts = {ROWS(struct count_row, summed_columns)};

void store_count(struct store *s, int64_t chat, int64_t handle, struct str what, int64_t n)
{
    const int64_t account = store_home_of_result(s, chat, handle);
    store_add(s, &counted, &(struct count_row){chat, handle, account, what, n});
}

struct count_rows store_counts(struct store *s, struct arena *a, int64_t chat, int64_t who)
{
    return count_rows_of(store_select(
        s, a, &view_of_counts,
        "FROM " RESULTS_OF("counted", "r", "h", 1, 2, 3) " GROUP BY what ORDER BY what",
        VALUES(db_int(who), db_int(chat), db_int(store_home_of_result(s, chat, 0)))));
}

/* ---- badges ---- */

bool store_add_badge(struct store *s, int64_t who, const struct badge_row *badge)
{
    return store_changed(s,
                         "INSERT INTO badge (person, name, chat, session, at) VALUES ($1, $2, $3, "
                         "$4, $5) ON CONFLICT DO NOTHING",
                         VALUES(db_int(who), db_text(badge->name), db_int(badge->chat),
                                db_int(badge->session), db_int(badge->at))) > 0;
}

#define FIRST(member) COLUMN_NAMED(struct badge_row, member, "MIN(" #member ")")
static const struct sql_column badge_columns[] = {COLUMN(struct badge_row, name), FIRST(chat),
                                                  FIRST(session), FIRST(at)};
static const struct sql_table view_of_badges = {ROWS(struct badge_row, badge_columns)};

struct badge_rows store_badges(struct store *s, struct arena *a, int64_t who)
{
    return badge_rows_of(store_select(
        s, a, &view_of_badges,
        "FROM badge WHERE person IN " HANDLES_OF(1) " GROUP BY name ORDER BY MIN(at), name",
        VALUES(db_int(who))));
}

const struct store_feature feature_figures = {
    .forget = {"DELETE FROM badge WHERE person = $1"},
    .join = {"UPDATE played SET chat = $1 WHERE " ACCOUNT_OF_CHAT(
                 1) " AND "
                    "chat = $2 AND NOT EXISTS (SELECT 1 FROM played AS o WHERE o.account = "
                    "played.account AND "
                    "o.chat = $1 AND o.session = played.session)",
             "DELETE FROM played WHERE " ACCOUNT_OF_CHAT(1) " AND chat = $2",
             "UPDATE badge SET chat = $1 WHERE chat = $2"},
    .counted = {&counted},
    .sums = {SUMS("counted")}};
