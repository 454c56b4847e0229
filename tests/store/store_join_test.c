/* A chat that becomes another, which is known already: whatever table names a chat, no row of it names
 * the one that is gone. The tables are asked of the database, so that a new one is tried at once. */
#include "fixture/store_fixture.h"

#include "store_quarantine.h"
#include "store_sql.h"

enum { SQL_BYTES = 2000, TABLES_MOST = 100 };

static struct err err;

/* A row that names that chat; its other columns are small numbers. Returns false for a table that
 * names none by its number. */
static bool add_row(struct str table, int64_t chat)
{
    struct db_value name = db_text(table);
    struct db_table columns =
        store_ask(store_fixture, store_fixture_arena, store_fixture->db->verbs->columns, 1, &name);
    struct buf b = {arena_alloc(store_fixture_arena, SQL_BYTES), 0, SQL_BYTES, false};
    bool names_chat = false;
    buf_print(&b, "INSERT INTO %.*s VALUES (", STR_ARG(table));
    for (int i = 0; i < columns.rows; i++) {
        bool is_chat = str_is(columns.at[i].s, STR("chat")),
             is_account = str_is(columns.at[i].s, STR("account")); /* of the chat: 1 */
        long long value = is_chat ? (long long)chat : is_account ? 1 : i + 900;
        buf_print(&b, "%s%lld", i ? ", " : "", value);
        names_chat |= is_chat;
    }
    buf_put(&b, STR(")"));
    buf_char(&b, '\0');
    if (names_chat && !str_is(table, STR("letter"))) /* by the key of the network */
        store_run(store_fixture, b.p, 0, NULL);
    return names_chat && !str_is(table, STR("letter"));
}

STORE_TEST(no_row_is_left_behind_in_any_table)
{
    SQLITE_ALONE();
    int64_t to = store_chat(store_fixture, store_fixture_arena, 1, STR("-5"), STR("Tea"), false).id;
    int64_t from =
        store_chat(store_fixture, store_fixture_arena, 1, STR("-1005"), STR("Tea"), false).id;
    struct db_table tables =
        store_ask(store_fixture, store_fixture_arena, store_fixture->db->verbs->tables, 0, NULL);
    struct str with_chat[TABLES_MOST];
    int n = 0, left = 0;
    store_begin(store_fixture);
    for (int i = 0; i < tables.rows; i++)
        if (add_row(tables.at[i].s, from))
            with_chat[n++] = tables.at[i].s;
    assert_true(n > 15);
    assert_true(store_move_chat(store_fixture, 1, STR("-5"), STR("-1005")));
    for (int i = 0; i < n; i++) {
        const char *sql =
            arena_print(store_fixture_arena, "SELECT COUNT(*) FROM %.*s WHERE chat = $1",
                        STR_ARG(with_chat[i]))
                .p;
        const struct db_value gone = db_int(from);
        if (store_number(store_fixture, sql, 1, &gone) > 0) {
            print_error("%.*s names a chat that is gone\n", STR_ARG(with_chat[i]));
            left++;
        }
    }
    OK(store_commit(store_fixture, &err));
    assert_true(to != from);
    assert_int_equal(left, 0);
}

/* ---- a match that is set aside ---- */

static int64_t chat_called(const char *key)
{
    return store_chat(store_fixture, store_fixture_arena, 1, str_of(key), STR("Tea"), false).id;
}

static int64_t match_in(int64_t chat)
{
    const struct session_row row = {.version = 1,
                                    .due = 500,
                                    .live = true,
                                    .n_people = 2,
                                    .n_chats = 1,
                                    .person = {3, 4},
                                    .chat = {chat},
                                    .line = STR("a session, as the core writes it")};
    return store_new_session(store_fixture, &row);
}

static void plays_in(int64_t chat, int64_t match)
{
    struct session_rows rows = store_sessions_of_chat(store_fixture, store_fixture_arena, chat, 8);
    assert_int_equal(rows.n, 1);
    assert_int_equal(rows.at[0].id, match);
    assert_false(rows.at[0].damaged);
    assert_int_equal(rows.at[0].chat[0], chat);
}

/* The chat becomes another, and that one a third, meanwhile: the match comes back to where its people
 * are. */
STORE_TEST(a_match_that_was_set_aside_follows_its_chat)
{
    int64_t third = chat_called("-3"), second = chat_called("-2"),
            match = match_in(chat_called("-1"));
    store_quarantine_session(store_fixture, store_fixture_arena, match, 100, STR("why"));
    assert_true(store_move_chat(store_fixture, 1, STR("-2"), STR("-1")));
    assert_true(store_move_chat(store_fixture, 1, STR("-3"), STR("-1")));
    assert_true(second != third);
    store_fixture_reopen();
    store_take_back(store_fixture, store_fixture_arena, match, 500);
    assert_false(store_failed(store_fixture));
    store_fixture_reopen();
    plays_in(third, match);
}

/* A damaged one that no event has met yet keeps its bytes, so that it can be healed; it is set aside
 * in the chat where its people are. */
STORE_TEST(a_damaged_match_keeps_its_bytes_when_its_chat_becomes_another)
{
    SQLITE_ALONE();
    int64_t to = chat_called("-2"), match = match_in(chat_called("-1"));
    scratch_store_damaged();
    store_close(store_fixture);
    scratch_store_sql("UPDATE session SET line = replace(line, 'core', 'cord')");
    OK(store_open(scratch_store(), &store_fixture, &err));
    assert_true(store_move_chat(store_fixture, 1, STR("-2"), STR("-1")));
    struct ids told =
        store_quarantine_session(store_fixture, store_fixture_arena, match, 100, STR("why"));
    assert_int_equal(told.n, 1);
    assert_int_equal(told.at[0], to);
    store_close(store_fixture);
    scratch_store_sql("UPDATE session SET line = replace(line, 'cord', 'core')");
    OK(store_open(scratch_store(), &store_fixture, &err));
    store_take_back(store_fixture, store_fixture_arena, match, 500);
    assert_false(store_failed(store_fixture));
    plays_in(to, match);
}

static struct person with_chats_left(const char *chats)
{
    struct person p = store_fixture_person(1, "ann");
    const struct db_value row[] = {db_text(str_of(chats)), db_int(p.id)};
    store_run(store_fixture, "UPDATE person SET left_chats = $1 WHERE id = $2", 2, row);
    store_forget_cached(store_fixture);
    return store_fixture_person(1, "ann");
}

STORE_TEST(who_has_left_a_chat_has_left_what_it_becomes)
{
    int64_t to = store_chat(store_fixture, store_fixture_arena, 1, STR("-5"), STR("Tea"), false).id;
    int64_t from =
        store_chat(store_fixture, store_fixture_arena, 1, STR("-1005"), STR("Tea"), false).id;
    store_begin(store_fixture);
    struct person ann =
        with_chats_left(arena_print(store_fixture_arena, " 901 %lld 902 ", (long long)from).p);
    assert_true(person_has_left(&ann, from));
    assert_true(store_move_chat(store_fixture, 1, STR("-5"), STR("-1005")));
    ann = store_fixture_person(1, "ann");
    assert_false(person_has_left(&ann, from));
    assert_true(person_has_left(&ann, to));
    assert_true(person_has_left(&ann, 901) && person_has_left(&ann, 902));
    OK(store_commit(store_fixture, &err));
}
