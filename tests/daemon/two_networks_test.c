/* One match on two networks, with the daemon killed at every step. Ann sits in a chat of one
 * network, Bo in a chat of another; each move reaches a daemon that dies on the way, by the
 * database or by either network, and the next one completes it. In each case one move is one move,
 * both chats end with the same board and result, and no hand appears on the other player's
 * network. */
#include "fixture/daemon_run.h"
#include "stride.h"

#include "store_season.h"

#include <cjson/cJSON.h>

#include "command.h"
#include "replay.h"
#include "session.h"
#include "view.h"

static struct arena *keep;
static struct str rules_dir;
static struct err err;
static int deaths;

FIXTURE(setup)
{
    keep = arena_open(1 << 16);
    if (!daemon_run_setup())
        return 1;
    scratch_write("short.json", "{\"extends\":\"standard\",\"rounds\":2,\"rounds_allowed\":[2],"
                                "\"table_four\":\"keep\",\"hand_yaku\":null}");
    rules_dir = arena_str(keep, scratch_file("."));
    daemon_run_begin_two();
    return 0;
}

FIXTURE(teardown)
{
    daemon_run_end();
    daemon_run_teardown();
    arena_close(keep);
    return 0;
}

/* ---- what stands in the store ---- */

/* The session after an undisturbed run. */
static void finish_and_load(struct session *ret)
{
    struct daemon_run *l = daemon_run_open(rules_dir, DB_FAILS, 0, 0);
    assert_non_null(l);
    daemon_run_for(l, 2000);
    daemon_run_session(daemon_run_store(l), 1, ret);
    ret->no = 1;
    daemon_run_close(l);
}

/* Run number n, cut short: in turn by the near network, the far one, and the database. */
static void die(int n)
{
    static const int kinds = 5;
    switch (n % kinds) {
    case 0:
        deaths += daemon_run_killed_by_peer(daemon_run_peer, rules_dir, 2 + n / kinds % 4, false);
        break;
    case 1:
        deaths +=
            daemon_run_killed_by_peer(daemon_run_second_peer, rules_dir, 2 + n / kinds % 4, true);
        break;
    case 2:
        deaths += daemon_run_dies(rules_dir, DB_DIES, 18 + n);
        break;
    case 3:
        deaths += daemon_run_dies(rules_dir, DB_DIES_AFTER, 18 + n);
        break;
    default:
        deaths +=
            daemon_run_killed_by_peer(daemon_run_second_peer, rules_dir, 2 + n / kinds % 4, false);
        break;
    }
}

static struct peer *peer_of(const char *who)
{
    return strcmp(who, "ann") == 0 ? daemon_run_peer : daemon_run_second_peer;
}

static const char *chat_of(const char *who)
{
    return strcmp(who, "ann") == 0 ? "tea" : "isle";
}

static const char *press_of(const struct session *s, enum verb verb, int index)
{
    static const uint8_t key[PRESS_KEY_BYTES] = {[0 ... PRESS_KEY_BYTES - 1] = FAKE_CLOCK_CHANCE};
    return press_write(key, (struct press){verb, s->no, s->version, index}, daemon_run_arena).p;
}

static const char *code(void)
{
    static const uint8_t key[PRESS_KEY_BYTES] = {[0 ... PRESS_KEY_BYTES - 1] = FAKE_CLOCK_CHANCE};
    return join_code_write(key, VERB_JOIN, 1, daemon_run_arena).p;
}

/* ---- messages ---- */

static const char *text_in(const cJSON *o, const char *key)
{
    const cJSON *v = cJSON_GetObjectItemCaseSensitive(o, key);
    return cJSON_IsString(v) ? v->valuestring : "";
}

/* The last text in the chat that contains `part`; empty: none. */
static struct str last_with(struct peer *p, const char *chat, const char *part)
{
    struct str found = {"", 0};
    for (int i = 0; i < peer_count(p); i++) {
        struct peer_request r = peer_request(p, i);
        cJSON *o = cJSON_Parse(r.body);
        if (r.done && strcmp(text_in(o, "chat_id"), chat) == 0 && strstr(text_in(o, "text"), part))
            found = arena_str(daemon_run_arena, str_of(text_in(o, "text")));
        cJSON_Delete(o);
    }
    return found;
}

static void nothing_private_is_said_to(struct peer *p, const char *other)
{
    for (int i = 0; i < peer_count(p); i++) {
        struct peer_request r = peer_request(p, i);
        cJSON *o = cJSON_Parse(r.body);
        assert_string_not_equal(text_in(o, "to"), other);
        cJSON_Delete(o);
    }
}

/* ---- the match ---- */

static void step(int n, const char *who, bool press, const char *text, struct session *s)
{
    (press ? peer_presses : peer_types)(peer_of(who), chat_of(who), who, text);
    die(n);
    finish_and_load(s);
}

/* Koi-koi once, stop at the second decision; else the first move. */
static int choose(const struct session *s, const struct move *legal, int n)
{
    int seat = session_turn(s);
    for (int i = 0; i < n; i++)
        if (legal[i].kind == (s->match.round.koikoi[seat] ? MOVE_STOP : MOVE_KOIKOI))
            return i;
    return 0;
}

static void move(int n, struct session *s)
{
    struct ruleset g;
    struct move legal[MAX_MOVES];
    struct session was = *s;
    int seat = session_turn(s);
    char who[8];
    NAME_PUT(who, str_of(s->player[seat].id));
    ruleset_make(&s->rules, &g);
    int k = choose(s, legal, round_legal(&g, &s->match.round, seat, legal));
    step(n, who, true, press_of(s, VERB_MOVE, k), s);
    assert_int_equal(s->version, was.version + 1);
    /* Bo's press again, as a network may deliver it twice: its message is gone. */
    if (n % 7 == 0) {
        step(n, who, true, press_of(&was, VERB_MOVE, k), s);
        assert_int_equal(s->version, was.version + 1);
    }
}

static void a_match(int first)
{
    struct session s;
    struct standings far;
    int n = first, line = 0;
    deaths = 0;
    peer_types(daemon_run_peer, "tea", "ann", "/challenge code short clock=none");
    finish_and_load(&s);
    step(n++, "bo", false, arena_print(daemon_run_arena, "/join %s", code()).p, &s);
    assert_int_equal(s.n_more, 1);
    step(n++, "bo", false, "/accept", &s);
    assert_int_equal(s.phase, SESSION_PLAYING);
    while (session_live(&s)) {
        assert_in_range(n, first, first + 400);
        if (s.match.stage == MATCH_READY) {
            step(n++, "bo", false, "/ready", &s);
            step(n++, "ann", false, "/ready", &s);
            assert_int_equal(s.match.stage, MATCH_PLAYING);
        } else {
            move(n++, &s);
        }
    }
    assert_int_equal(s.end, END_PLAYED);
    assert_true(deaths > (n - first) / 2);
    struct daemon_run *l = daemon_run_open(rules_dir, DB_FAILS, 0, 0);
    assert_non_null(l);
    struct str lines = store_record(daemon_run_store(l), daemon_run_arena, 1);
    OK(replay_record(lines, NULL, &line, &err));
    struct standings near =
        store_standings(daemon_run_store(l), daemon_run_arena, s.venue[0].chat, STR("1970-Q1"), 10);
    far =
        store_standings(daemon_run_store(l), daemon_run_arena, s.venue[1].chat, STR("1970-Q1"), 10);
    daemon_run_close(l);
    assert_int_equal(near.n, 2);
    assert_int_equal(far.n, 2);
    for (int i = 0; i < 2; i++) {
        assert_memory_equal(&near.at[i].tally, &far.at[i].tally, sizeof near.at[i].tally);
        assert_int_equal(near.at[i].tally.won + near.at[i].tally.drawn + near.at[i].tally.lost, 1);
    }

    struct str board = last_with(daemon_run_peer, "tea", "in hand)");
    assert_true(board.n > 0);
    assert_true(str_is(board, last_with(daemon_run_second_peer, "isle", "in hand)")));
    struct str result = last_with(daemon_run_peer, "tea", "/rematch");
    assert_true(result.n > 0);
    assert_true(str_is(result, last_with(daemon_run_second_peer, "isle", "/rematch")));
    nothing_private_is_said_to(daemon_run_peer, "bo");
    nothing_private_is_said_to(daemon_run_second_peer, "ann");
    print_message("%d steps, %d deaths\n", n - first, deaths);
}

/* From another number on, so that each step dies in another way. */
TEST_WITH(a_match_on_two_networks_outlives_its_daemon_at_every_step, setup, teardown)
{
    for (int i = 0; i < stride(1, 5); i++) {
        if (i > 0)
            daemon_run_end(), daemon_run_begin_two();
        a_match(i * 13);
    }
}

/* ---- one person ---- */

static void notice(struct peer *p, const char *chat, const char *who, const char *text)
{
    peer_types(p, chat, who, text);
    struct daemon_run *l = daemon_run_open(rules_dir, DB_FAILS, 0, 0);
    assert_non_null(l);
    daemon_run_for(l, 2000);
    daemon_run_close(l);
}

/* Requests a code: "Your code: XXXXX-XXXXX." */
static void code_of(const char *who, char ret_command[32])
{
    char chat[16];
    snprintf(chat, sizeof chat, "@%s", who);
    notice(daemon_run_peer, chat, who, "/link");
    struct str text = last_with(daemon_run_peer, chat, "code");
    const char *dash = memchr(text.p, '-', text.n);
    assert_true(dash && dash - text.p >= 5);
    snprintf(ret_command, 32, "/link %.11s", dash - 5);
}

/* Linking dies at every database call: afterwards it is complete, or not begun and the code is
 * still good. */
TEST_WITH(linking_is_all_or_nothing, setup, teardown)
{
    struct session s;
    struct people handles;
    struct person ann;
    bool found, died = true;
    char link[32];
    for (int n = 20; died; n += stride(37, 1)) {
        if (n > 20)
            daemon_run_end(), daemon_run_begin_two();
        peer_types(daemon_run_peer, "tea", "ann", "/challenge @bo short");
        notice(daemon_run_peer, "tea", "bo", "/accept");
        code_of("ann", link);
        peer_types(daemon_run_second_peer, "@anna", "anna", link);
        died = daemon_run_dies(rules_dir, n % 2 ? DB_DIES : DB_DIES_AFTER, n);
        finish_and_load(&s);
        struct daemon_run *l = daemon_run_open(rules_dir, DB_FAILS, 0, 0);
        assert_non_null(l);
        found = GOT(
            ann, store_person_by_network_id(daemon_run_store(l), daemon_run_arena, 1, STR("ann")));
        assert_true(found);
        handles = store_handles(daemon_run_store(l), daemon_run_arena, ann.id);
        assert_int_equal(handles.n, 2);
        assert_int_equal(session_seat(&s, ann.id) >= 0, true);
        daemon_run_close(l);
        /* once only */
        notice(daemon_run_second_peer, "@dora", "dora", link);
        assert_true(last_with(daemon_run_second_peer, "@dora", "do not know that code").n > 0);
    }
}
