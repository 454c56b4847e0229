/* The store: what was put in comes out, through a restart too; nothing half. */
#include "fixture/store_fixture.h"

#include "store_season.h"
#include "store_sql.h"

static struct err err;

#define SAYS(str_, literal) assert_string_equal(arena_str(store_fixture_arena, str_).p, literal)

static struct sender somebody(const char *id, const char *name, const char *handle)
{
    return (struct sender){
        .id = str_of(id), .name = str_of(name), .handle = str_of(handle), .language = STR("en")};
}

STORE_TEST(a_cursor_outlives_the_process)
{
    int64_t id = store_account(store_fixture, STR("net"));
    struct str cursor = store_cursor(store_fixture, store_fixture_arena, id);
    assert_int_equal(cursor.n, 0);
    store_set_cursor(store_fixture, id, STR("41"));
    store_fixture_reopen();
    int64_t same = store_account(store_fixture, STR("net"));
    assert_int_equal(same, id);
    cursor = store_cursor(store_fixture, store_fixture_arena, id);
    SAYS(cursor, "41");
}

static void two_accounts(void)
{
    assert_int_equal(store_account(store_fixture, STR("one")), 1);
    assert_int_equal(store_account(store_fixture, STR("two")), 2);
}

STORE_TEST(an_update_is_heard_once)
{
    two_accounts();
    bool is_new = store_hear(store_fixture, 1, STR("u1"), 0, 1000);
    assert_true(is_new);
    is_new = store_hear(store_fixture, 1, STR("u1"), 0, 2000);
    assert_false(is_new);
    is_new = store_hear(store_fixture, 2, STR("u1"), 0, 2000);
    assert_true(is_new); /* another account's u1 is another update */
    store_forget_heard(store_fixture, 2, 1500, 100);
    is_new = store_hear(store_fixture, 1, STR("u1"), 0, 3000);
    assert_false(is_new); /* the first one's old marks stay */
    store_forget_heard(store_fixture, 0, 1500, 100);
    is_new = store_hear(store_fixture, 1, STR("u1"), 0, 3000);
    assert_true(is_new);
    is_new = store_hear(store_fixture, 2, STR("u1"), 0, 3000);
    assert_false(is_new);
}

STORE_TEST(an_id_with_another_content_is_new)
{
    static const struct {
        int64_t what;
        bool is_new;
    } heard[] = {{5, true}, {5, false}, {6, true}, {5, false}, {6, false}, {0, true}, {0, false}};
    for (size_t i = 0; i < sizeof heard / sizeof *heard; i++) {
        store_fixture_reopen();
        bool is_new = store_hear(store_fixture, 1, STR("u1"), heard[i].what, 1000);
        assert_int_equal(is_new, heard[i].is_new);
    }
}

/* Each row is an update of a batch in which all are looked at first. */
STORE_TEST(a_batch_is_marked_ahead_and_each_update_is_heard_once)
{
    static const struct {
        struct foreseen seen;
        bool is_new;
    } rows[] = {
        {{.id = {"u1", 2}}, false},
        {{.id = {"u2", 2}}, true},
        {{.id = {"u2", 2}}, false}, /* twice in the batch */
        {{.id = {"u3", 2}, .what = 5}, true},
        {{.id = {"u3", 2}, .what = -6}, true},
        {{.id = {"u3", 2}, .what = 5}, false},
        {{.id = {"u4", 2}, .what = 7}, true}, /* heard with another content */
        {{.id = {"u\"\\\n\xc3\xa9", 6}, .what = INT64_MIN}, true},
    };
    enum { N = sizeof rows / sizeof *rows };
    struct foreseen all[N];
    for (int i = 0; i < N; i++)
        all[i] = rows[i].seen;
    two_accounts();
    (void)store_hear(store_fixture, 1, STR("u1"), 0, 1);
    (void)store_hear(store_fixture, 1, STR("u4"), 0, 1);
    for (int time = 0; time < 3; time++) { /* undone, stored, delivered again */
        store_begin(store_fixture);
        store_look_ahead(store_fixture, 1, N, all, 1000);
        for (int i = 0; i < N; i++) {
            store_savepoint(store_fixture);
            bool is_new = store_hear(store_fixture, 1, all[i].id, all[i].what, 1000);
            assert_int_equal(is_new, rows[i].is_new && time < 2);
            if (i % 2)
                store_rollback_to(store_fixture);
            else
                store_release(store_fixture);
        }
        if (time == 0)
            store_rollback(store_fixture);
        else
            OK(store_commit(store_fixture, &err));
        store_fixture_reopen();
    }
    for (int i = 0; i < N; i++)
        assert_false(store_hear(store_fixture, 1, all[i].id, all[i].what, 2000));
    assert_true(store_hear(store_fixture, 2, STR("u2"), 0, 2000));
    store_forget_heard(store_fixture, 0, 1500, 100);
    assert_true(store_hear(store_fixture, 1, all[3].id, all[3].what, 3000));
}

/* On a server; a file is asked without a wait. */
STORE_TEST(new_people_and_chats_wait_for_one_answer_however_many_they_are)
{
    enum { N = 400, BATCHES = 3 };
    struct foreseen all[N];
    two_accounts();
    for (int batch = 0; batch < BATCHES; batch++) {
        const int n = N >> (BATCHES - 1 - batch);
        store_begin(store_fixture);
        int64_t before = store_fixture->db->waits;
        for (int i = 0; i < n; i++) {
            struct str key = arena_print(store_fixture_arena, "%d.%d", batch, i);
            all[i] = (struct foreseen){.id = key, .person = key, .chat = key};
        }
        store_look_ahead(store_fixture, 1, n, all, 1000);
        assert_int_equal(store_fixture->db->waits - before, store_on_server(store_fixture));
        for (int i = 0; i < n; i++) {
            assert_true(store_hear(store_fixture, 1, all[i].id, 0, 1000));
            (void)store_chat(store_fixture, store_fixture_arena, 1, all[i].chat, STR(""), true);
            (void)store_person_speaks(store_fixture, store_fixture_arena, 1,
                                      &(struct sender){.id = all[i].person}, all[i].chat);
        }
        store_forget_heard(store_fixture, 1, 500, 100);
        OK(store_commit(store_fixture, &err));
        assert_true(store_fixture->db->waits - before <= 2);
    }
}

STORE_TEST(an_undone_update_leaves_nothing_and_its_neighbours_stay)
{
    bool is_new;
    store_begin(store_fixture);
    for (int i = 0; i < 3; i++) {
        char id[] = {'u', (char)('0' + i)};
        store_savepoint(store_fixture);
        is_new = store_hear(store_fixture, 1, (struct str){id, 2}, 0, 1);
        if (i == 1)
            store_rollback_to(store_fixture);
        else
            store_release(store_fixture);
    }
    OK(store_commit(store_fixture, &err));
    store_fixture_reopen();
    is_new = store_hear(store_fixture, 1, STR("u0"), 0, 1);
    assert_false(is_new);
    is_new = store_hear(store_fixture, 1, STR("u1"), 0, 1);
    assert_true(is_new);
    is_new = store_hear(store_fixture, 1, STR("u2"), 0, 1);
    assert_false(is_new);
}

STORE_TEST(a_rollback_undoes_everything)
{
    store_begin(store_fixture);
    bool is_new = store_hear(store_fixture, 1, STR("u"), 0, 1);
    store_rollback(store_fixture);
    is_new = store_hear(store_fixture, 1, STR("u"), 0, 1);
    assert_true(is_new);
}

STORE_TEST(a_person_named_by_handle_is_the_same_when_they_speak)
{
    struct person found;
    struct sender by_handle = {.handle = STR("@Bo")}, bo = somebody("77", "Bo Diddley", "bo");
    struct person named = store_person(store_fixture, store_fixture_arena, 1, &by_handle);
    SAYS(named.network_id, "");
    SAYS(named.name, "Bo");
    struct person spoke = store_person(store_fixture, store_fixture_arena, 1, &bo);
    assert_int_equal(spoke.id, named.id);
    SAYS(spoke.network_id, "77");
    SAYS(spoke.name, "Bo Diddley");
    bool any = GOT(found, store_person_by_handle(store_fixture, store_fixture_arena, 1, STR("BO")));
    assert_true(any);
    assert_int_equal(found.id, named.id);
    any = GOT(found, store_person_by_network_id(store_fixture, store_fixture_arena, 1, STR("77")));
    assert_true(any);
    assert_int_equal(found.id, named.id);
}

STORE_TEST(a_handle_that_changes_owner_names_the_new_one)
{
    struct sender ann = somebody("1", "Ann", "tea"), bo = somebody("2", "Bo", "tea");
    struct person found;
    struct person p = store_person(store_fixture, store_fixture_arena, 1, &ann);
    struct person q = store_person(store_fixture, store_fixture_arena, 1, &bo);
    assert_int_not_equal(p.id, q.id);
    bool any =
        GOT(found, store_person_by_handle(store_fixture, store_fixture_arena, 1, STR("tea")));
    assert_true(any);
    assert_int_equal(found.id, q.id);
    any = GOT(found, store_person_by_id(store_fixture, store_fixture_arena, p.id));
    assert_true(any);
    SAYS(found.handle, "");
}

/* Topics of a private chat are chats: what is for the person goes to the one they spoke in last. */
STORE_TEST(a_person_is_reached_where_they_spoke_last_in_private)
{
    struct sender ann = somebody("1", "Ann", "ann");
    static const char *const places[] = {"1/11", "1/12", "1", "1/11"};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        (void)store_person_speaks(store_fixture, store_fixture_arena, 1, &ann, str_of(places[i]));
        (void)store_person(store_fixture, store_fixture_arena, 1, &ann); /* in a group */
        store_fixture_reopen();
        struct person p = store_person(store_fixture, store_fixture_arena, 1, &ann);
        SAYS(p.direct_chat, places[i]);
        assert_true(p.reachable);
    }
}

STORE_TEST(names_follow_and_preferences_stay)
{
    struct sender ann = somebody("1", "Ann", "ann"), anna = somebody("1", "Anna", "anna");
    struct person p = store_person(store_fixture, store_fixture_arena, 1, &ann);
    assert_false(p.reachable);
    store_set_prefs(store_fixture, p.id, STR("names=short"));
    store_set_direct(store_fixture, &p, STR("d1"), true);
    p = store_person(store_fixture, store_fixture_arena, 1, &anna);
    store_fixture_reopen();
    p = store_person(store_fixture, store_fixture_arena, 1, &anna);
    SAYS(p.name, "Anna");
    SAYS(p.handle, "anna");
    SAYS(p.prefs, "names=short");
    SAYS(p.direct_chat, "d1");
    assert_true(p.reachable);
    store_set_direct(store_fixture, &p, STR(""), false);
    p = store_person(store_fixture, store_fixture_arena, 1, &anna);
    SAYS(p.direct_chat, "d1");
    assert_false(p.reachable);
}

static struct session_row match(int64_t person, int64_t other, int64_t chat, const char *line)
{
    return (struct session_row){.version = 1,
                                .live = true,
                                .n_people = 2,
                                .person = {person, other},
                                .n_chats = 1,
                                .chat = {chat},
                                .line = str_of(line)};
}

STORE_TEST(sessions_are_found_by_seat_and_chat_while_they_live)
{
    struct session_row one = match(1, 2, 9, "one"), two = match(2, 3, 9, "two"), got;
    one.id = store_new_session(store_fixture, &one);
    two.id = store_new_session(store_fixture, &two);
    struct session_rows rows = store_sessions_of_chat(store_fixture, store_fixture_arena, 9, 10);
    assert_int_equal(rows.n, 2);
    SAYS(rows.at[0].line, "two");
    rows = store_sessions_of_person(store_fixture, store_fixture_arena, 2, 10);
    assert_int_equal(rows.n, 2);
    rows = store_sessions_of_person(store_fixture, store_fixture_arena, 3, 10);
    assert_int_equal(rows.n, 1);
    bool found = GOT(got, store_last_session_of_chat(store_fixture, store_fixture_arena, 9));
    assert_false(found);
    two.version = 2;
    two.live = false;
    two.line = STR("over");
    store_save(store_fixture, &two, 1);
    store_fixture_reopen();
    rows = store_sessions_of_chat(store_fixture, store_fixture_arena, 9, 10);
    assert_int_equal(rows.n, 1);
    SAYS(rows.at[0].line, "one");
    rows = store_sessions_of_person(store_fixture, store_fixture_arena, 3, 10);
    assert_int_equal(rows.n, 0);
    found = GOT(got, store_last_session_of_chat(store_fixture, store_fixture_arena, 9));
    assert_true(found);
    assert_int_equal(got.id, two.id);
    SAYS(got.line, "over");
    assert_int_equal(got.version, 2);
    assert_int_equal(got.person[1], 3);
}

/* Three matches of a chat have ended; the newest was a challenge without a record. */
STORE_TEST(last_match_that_began_has_a_record)
{
    struct session_row row[3], got;
    bool found;
    for (int i = 0; i < 3; i++) {
        row[i] = match(1, 2, 9, "line");
        row[i].id = store_new_session(store_fixture, &row[i]);
        if (i < 2)
            store_append_record(store_fixture, row[i].id, STR("{}\n"));
        found =
            GOT(got, store_last_begun_of_chat(store_fixture, store_fixture_arena, 9, INT64_MAX));
        assert_int_equal(found, i > 0); /* not while it lives */
        row[i].version = 2;
        row[i].live = false;
        store_save(store_fixture, &row[i], 1);
    }
    found = GOT(got, store_last_session_of_chat(store_fixture, store_fixture_arena, 9));
    assert_int_equal(got.id, row[2].id);
    found = GOT(got, store_last_begun_of_chat(store_fixture, store_fixture_arena, 9, INT64_MAX));
    assert_int_equal(got.id, row[1].id);
    found = GOT(got, store_last_begun_of_chat(store_fixture, store_fixture_arena, 9, got.id));
    assert_true(found);
    assert_int_equal(got.id, row[0].id);
    found = GOT(got, store_last_begun_of_chat(store_fixture, store_fixture_arena, 9, got.id));
    assert_false(found);
    found = GOT(got, store_last_begun_of_chat(store_fixture, store_fixture_arena, 8, INT64_MAX));
    assert_false(found);
}

STORE_TEST(a_save_over_another_version_is_refused)
{
    struct session_row one = match(1, 2, 9, "one");
    one.id = store_new_session(store_fixture, &one);
    one.version = 5;
    one.line = STR("five");
    store_save(store_fixture, &one, 4);
    assert_false(store_broken(store_fixture)); /* it would fail again */
    store_fixture_fails("is not at version 4");
    SAYS(store_session(store_fixture, store_fixture_arena, one.id)->line, "one");
}

STORE_TEST(deadlines_come_in_order)
{
    struct session_row r[4];
    int64_t due[] = {300, 0, 100, 200}, soonest;
    soonest = store_soonest_due(store_fixture);
    assert_int_equal(soonest, 0);
    for (int i = 0; i < 4; i++) {
        r[i] = match(1, 2, 9, "x");
        r[i].due = due[i];
        r[i].id = store_new_session(store_fixture, &r[i]);
    }
    soonest = store_soonest_due(store_fixture);
    assert_int_equal(soonest, 100);
    struct ids ids = store_due(store_fixture, store_fixture_arena, 200, 10);
    assert_int_equal(ids.n, 2);
    assert_int_equal(ids.at[0], r[2].id);
    assert_int_equal(ids.at[1], r[3].id);
    ids = store_due(store_fixture, store_fixture_arena, 99, 10);
    assert_int_equal(ids.n, 0);
}

/* Also of an account that is newer than the question. */
STORE_TEST(the_next_deadline_is_one_of_any_account)
{
    for (int i = 0; i < 3; i++) {
        struct str name = arena_print(store_fixture_arena, "telegram.of%d", i);
        int64_t account = store_account(store_fixture, name), soonest;
        struct chat chat =
            store_chat(store_fixture, store_fixture_arena, account, STR("g"), STR("Tea"), false);
        struct session_row r = match(1, 2, chat.id, "x");
        r.due = 900 - 100 * i;
        (void)store_new_session(store_fixture, &r);
        soonest = store_soonest_due(store_fixture);
        assert_int_equal(soonest, 900 - 100 * i);
    }
}

STORE_TEST(a_record_is_the_sum_of_its_appends)
{
    store_append_record(store_fixture, 1, STR("a\nb\n"));
    store_append_record(store_fixture, 2, STR("other\n"));
    store_append_record(store_fixture, 1, STR("c\n"));
    store_fixture_reopen();
    struct str all = store_record(store_fixture, store_fixture_arena, 1);
    SAYS(all, "a\nb\nc\n");
    all = store_record(store_fixture, store_fixture_arena, 3);
    assert_int_equal(all.n, 0);
}

static void add(int64_t chat, const char *season, int64_t person, int won, int drawn, int lost,
                int points)
{
    store_fixture_result(
        chat, season, person,
        (struct tally){.won = won, .drawn = drawn, .lost = lost, .points = points});
}

STORE_TEST(standings_go_by_wins_then_points_then_losses)
{
    struct person p[4];
    const char *names[] = {"Ann", "Bo", "Kei", "Dee"};
    for (int i = 0; i < 4; i++) {
        struct sender who = somebody(names[i], names[i], "");
        p[i] = store_person(store_fixture, store_fixture_arena, 1, &who);
    }
    add(9, "2026-Q3", p[0].id, 1, 0, 0, 20);
    add(9, "2026-Q3", p[0].id, 1, 0, 1, -15); /* Ann: 2 won, 5 points */
    add(9, "2026-Q3", p[1].id, 2, 0, 1, 30);
    add(9, "2026-Q3", p[2].id, 3, 1, 0, 1);
    add(9, "2026-Q3", p[3].id, 2, 0, 1, 5); /* Dee: just like Ann */
    add(9, "2026-Q2", p[0].id, 7, 0, 0, 7);
    add(8, "2026-Q3", p[0].id, 8, 0, 0, 8);
    struct standings list =
        store_standings(store_fixture, store_fixture_arena, 9, STR("2026-Q3"), 10);
    assert_int_equal(list.n, 4);
    const char *order[] = {"Kei", "Bo", "Ann", "Dee"};
    int place[] = {1, 2, 3, 3};
    for (int i = 0; i < 4; i++) {
        SAYS(list.at[i].name, order[i]);
        assert_int_equal(list.at[i].place, place[i]);
    }
    assert_int_equal(list.at[2].tally.points, 5);
    assert_int_equal(list.at[2].tally.lost, 1);
    struct standing own;
    bool found;
    found =
        GOT(own, store_standing(store_fixture, store_fixture_arena, 9, STR("2026-Q3"), p[3].id));
    assert_true(found);
    assert_int_equal(own.place, 3);
    found =
        GOT(own, store_standing(store_fixture, store_fixture_arena, 9, STR("2026-Q2"), p[3].id));
    assert_false(found);
}

static void season_row(int64_t chat, const char *season, struct season_row row)
{
    row.chat = chat;
    row.season = str_of(season);
    store_add_season_row(store_fixture, &row);
}

STORE_TEST(a_moved_chat_keeps_its_matches_settings_and_scores)
{
    bool moved = false;
    struct chat is_new;
    struct sender ann = somebody("1", "Ann", "");
    struct person p = store_person(store_fixture, store_fixture_arena, 1, &ann);
    struct chat old =
        store_chat(store_fixture, store_fixture_arena, 1, STR("-5"), STR("Tea room"), false);
    store_set_settings(store_fixture, old.id, STR("rules=okoshki"));
    is_new = store_chat(store_fixture, store_fixture_arena, 1, STR("-1005"), STR("Tea room"),
                        false); /* was heard of already */
    struct session_row before = match(1, 2, old.id, "before"),
                       after = match(1, 2, is_new.id, "after");
    before.id = store_new_session(store_fixture, &before);
    after.id = store_new_session(store_fixture, &after);
    add(old.id, "Q", p.id, 1, 0, 0, 10);
    add(is_new.id, "Q", p.id, 0, 0, 1, -3);
    const struct season_row first = {.s = {.place = 1, .person = p.id}, .closed = 5},
                            other = {.row = 1, .s = {.place = 2, .person = p.id}, .closed = 5};
    season_row(old.id, "2026-Q1", first);
    season_row(is_new.id, "2026-Q2", first);
    season_row(is_new.id, "2026-Q1", other);
    store_begin(store_fixture);
    moved = store_move_chat(store_fixture, 1, STR("-5"), STR("-1005"));
    assert_true(moved);
    OK(store_commit(store_fixture, &err));
    struct chat got =
        store_chat(store_fixture, store_fixture_arena, 1, STR("-1005"), STR(""), false);
    assert_int_equal(got.id, old.id);
    SAYS(got.settings, "rules=okoshki");
    SAYS(got.name, "Tea room");
    struct session_rows rows =
        store_sessions_of_chat(store_fixture, store_fixture_arena, got.id, 10);
    assert_int_equal(rows.n, 2);
    assert_int_equal(rows.at[0].chat[0], old.id);
    assert_int_equal(rows.at[1].chat[0], old.id);
    struct standing own;
    bool found =
        GOT(own, store_standing(store_fixture, store_fixture_arena, got.id, STR("Q"), p.id));
    assert_true(found);
    assert_int_equal(own.tally.points, 7);
    struct season_rows closed =
        store_season_rows(store_fixture, store_fixture_arena, got.id, STR("2026-Q1"));
    assert_int_equal(closed.n, 1);
    assert_int_equal(closed.at[0].s.place, 1);
    closed = store_season_rows(store_fixture, store_fixture_arena, got.id, STR("2026-Q2"));
    assert_int_equal(closed.n, 1);
}

STORE_TEST(named_values_are_kept)
{
    struct str v = store_meta(store_fixture, store_fixture_arena, STR("key"));
    assert_int_equal(v.n, 0);
    store_set_meta(store_fixture, STR("key"), STR("first"));
    store_set_meta(store_fixture, STR("key"), STR("second"));
    store_fixture_reopen();
    v = store_meta(store_fixture, store_fixture_arena, STR("key"));
    SAYS(v, "second");
}

/* On a server that is a matter of leases: db/db_lease_test.c. */
STORE_TEST(a_second_process_is_refused)
{
    SQLITE_ALONE();
    struct store *other = NULL;
    assert_false(store_open(scratch_store(), &other, &err));
    assert_non_null(strstr(err.text, scratch_store_named()));
    assert_non_null(strstr(err.text, "another koikoi is running"));
    assert_false(store_damaged(store_fixture, &err));
    assert_true(store_account(store_fixture, STR("net")) > 0);
}

STORE_TEST(the_file_is_private)
{
    SQLITE_ALONE();
    assert_int_equal(scratch_mode("store.db"), 0600);
    assert_int_equal(scratch_mode("store.db-wal"), 0600);
}

/* A message of several parts has an id for each. */
STORE_TEST(a_slot_is_found_by_each_id_of_its_message)
{
    struct store *own;
    struct str slot;
    OK(store_open(scratch_file("slots.db"), &own, &err));
    store_set_post(own, 1, STR("c1"), STR("hand:7:0"), STR("poll:$a_b $a_b $c"));
    store_set_post(own, 1, STR("c1"), STR("board:7"), STR("12"));
    static const struct {
        const char *post, *slot;
    } rows[] = {{"$a_b", "hand:7:0"},
                {"$c", "hand:7:0"},
                {"poll:$a_b", "hand:7:0"},
                {"12", "board:7"},
                {"$axb", ""},
                {"$A_B", ""},
                {"$a", ""},
                {"1", ""},
                {"", ""},
                {"%", ""}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        slot = store_slot(own, store_fixture_arena, 1, STR("c1"), str_of(rows[i].post));
        SAYS(slot, rows[i].slot);
    }
    store_close(own);
}

static int64_t pushed(struct store *s)
{
    struct out_row row = {
        .account = 1, .lane = STR("c1"), .slot = STR(""), .bytes = STR("words"), .attempted = true};
    row.id = store_push(s, &row);
    return row.id;
}

/* A network may know a message by its number: after a crash, too, and when there are none left. */
STORE_TEST(outbox_ids_are_never_reused)
{
    int64_t last = 0;
    for (int i = 0; i < 3; i++) {
        store_begin(store_fixture);
        int64_t id = pushed(store_fixture);
        assert_true(id > last);
        last = pushed(store_fixture);
        assert_true(last > id);
        store_drop(store_fixture, 1, id, last);
        OK(store_commit(store_fixture, &err));
        store_begin(store_fixture); /* nobody has heard of those that are taken back */
        pushed(store_fixture);
        store_rollback(store_fixture);
        store_begin(store_fixture);
        store_savepoint(store_fixture);
        pushed(store_fixture);
        store_rollback_to(store_fixture);
        id = pushed(store_fixture);
        assert_true(id > last);
        last = id;
        store_drop(store_fixture, 1, id, id);
        OK(store_commit(store_fixture, &err));
        if (i == 1)
            store_fixture_reopen();
    }
    store_begin(store_fixture);
    for (int i = 0; i < 10000; i++, last++) /* as many as are ever set aside, and more */
        assert_true(pushed(store_fixture) > last);
    OK(store_commit(store_fixture, &err));
}

/* One chat's messages, all or those that nobody has tried to send. */
STORE_TEST(waiting_rows_of_a_lane_are_found)
{
    int64_t id[6];
    for (int i = 0; i < 6; i++) {
        struct out_row row = {.account = 1,
                              .lane = i % 2 ? STR("c1") : STR("c2"),
                              .slot = i == 5 ? STR("board") : STR(""),
                              .bytes = STR("w"),
                              .attempted = i == 1};
        row.id = store_push(store_fixture, &row);
        id[i] = row.id;
    }
    struct out_rows rows = store_outbox(store_fixture, store_fixture_arena, 1, STR("c1"), 0, 10);
    assert_int_equal(rows.n, 3);
    assert_true(rows.at[0].attempted);
    rows = store_waiting(store_fixture, store_fixture_arena, 1, STR("c1"), 0, 10);
    assert_int_equal(rows.n, 2);
    assert_int_equal(rows.at[0].id, id[3]);
    assert_int_equal(rows.at[1].id, id[5]);
    rows = store_waiting(store_fixture, store_fixture_arena, 1, STR("c1"), id[3], 10);
    assert_int_equal(rows.n, 1);
    rows = store_waiting(store_fixture, store_fixture_arena, 2, STR("c1"), 0, 10);
    assert_int_equal(rows.n, 0);
    struct out_row held = {.id = id[3], .account = 1, .attempted = true};
    store_hold(store_fixture, &held);
    rows = store_waiting(store_fixture, store_fixture_arena, 1, STR("c1"), 0, 10);
    assert_int_equal(rows.n, 1);
    held.attempted = false;
    store_hold(store_fixture, &held);
    rows = store_waiting(store_fixture, store_fixture_arena, 1, STR("c1"), 0, 10);
    assert_int_equal(rows.n, 2);
}

STORE_TEST(a_store_of_a_newer_program_is_refused)
{
    store_close(store_fixture);
    scratch_store_sql("INSERT INTO migration (number, name) VALUES (999, 'schema/999_future.sql')");
    assert_false(store_open(scratch_store(), &store_fixture, &err));
    assert_non_null(strstr(err.text, "newer"));
    assert_non_null(strstr(err.text, scratch_store_named()));
    scratch_store_sql("DELETE FROM migration WHERE number = 999");
    OK(store_open(scratch_store(), &store_fixture, &err));
}

STORE_TEST(a_file_that_is_no_database_is_refused)
{
    struct store *other = NULL;
    scratch_write("letter.txt",
                  "Dear all, this is a letter, long enough to be no database header at all.");
    assert_false(store_open(scratch_file("letter.txt"), &other, &err));
    assert_non_null(strstr(err.text, "letter.txt"));
    assert_false(store_open(scratch_file("none/such.db"), &other, &err));
    assert_non_null(strstr(err.text, "such.db"));
}

static void leave(int64_t chat, bool left)
{
    struct person ann = store_fixture_person(1, "ann");
    store_set_left(store_fixture, &ann, chat, left);
    assert_false(store_failed(store_fixture));
}

static bool has_left(int64_t chat)
{
    struct person ann = store_fixture_person(1, "ann");
    return person_has_left(&ann, chat);
}

STORE_TEST(chats_that_somebody_has_left)
{
    leave(7, true);
    leave(70, true);
    leave(7, true);
    leave(8, true);
    store_fixture_reopen();
    assert_true(has_left(7) && has_left(70) && has_left(8));
    assert_false(has_left(0) || has_left(9) || has_left(707));
    leave(70, false);
    assert_true(has_left(7) && has_left(8) && !has_left(70));
    leave(9, false);
    leave(7, false);
    leave(8, false);
    assert_false(has_left(7) || has_left(8));
    SAYS(store_fixture_person(1, "ann").left_chats, "");
}

/* Somebody who leaves chat after chat: the newest are kept, in bounds. */
STORE_TEST(of_many_chats_that_somebody_has_left_the_newest_are_kept)
{
    const int64_t large = INT64_C(9000000000000000000);
    for (int64_t i = 0; i < 300; i++)
        leave(large + i, true);
    assert_true(has_left(large + 299) && has_left(large + 285));
    assert_false(has_left(large));
    assert_true(store_fixture_person(1, "ann").left_chats.n < 512);
}
