/* Crash test of a whole match: challenge, moves typed and pressed, in the group and in private,
 * koi-koi, two rounds, the result. The test plays the story once undisturbed, update by update, and
 * records it; then it repeats it, and each time the database or the network fails, the process
 * dies, or the power is cut, one point later. In each case the stored match, its record and the
 * season must be the same, and the chats must show the same messages.
 */
#include "fixture/daemon_run.h"
#include "stride.h"

#include "disk.h"
#include "store_season.h"

#include <cjson/cJSON.h>
#include <ctype.h>

#include "command.h"
#include "replay.h"
#include "session.h"
#include "view.h"

enum { MOST_STEPS = 400, MOST_SAID = 4000, RECORD_MOST = 64 * 1024 };

struct game_step {
    bool press;
    char chat[16], from[16], text[80];
};
struct line {
    const char *key, *to;
    int64_t post;
    bool again;
};
/* Messages as people saw them: all that were sent, and those that stand. */
struct show {
    int n;
    struct line at[MOST_SAID];
};

/* The undisturbed story. */
static int n_steps;
static struct game_step steps[MOST_STEPS];
static struct show told;
static char record[RECORD_MOST];
static struct session ended;
static struct standings standings;

static struct str rules_dir;
static struct arena *keep;
static struct err err;

/* ---- recording the story ---- */

static void queue(const struct game_step *s)
{
    (s->press ? peer_presses : peer_types)(daemon_run_peer, s->chat, s->from, s->text);
}

static void step(struct daemon_run *l, bool press, const char *chat, const char *from,
                 const char *text)
{
    struct game_step *s = &steps[n_steps++];
    assert_in_range(n_steps, 1, MOST_STEPS);
    s->press = press;
    snprintf(s->chat, sizeof s->chat, "%s", chat);
    snprintf(s->from, sizeof s->from, "%s", from);
    snprintf(s->text, sizeof s->text, "%s", text);
    queue(s);
    daemon_run_for(l, 2000);
}

static const char *button(const struct session *s, int index)
{
    static const uint8_t key[PRESS_KEY_BYTES] = {[0 ... PRESS_KEY_BYTES - 1] = FAKE_CLOCK_CHANCE};
    struct press p = {VERB_MOVE, s->no, s->version, index};
    return press_write(key, p, daemon_run_arena).p;
}

/* Calls koi-koi at the first decision and stops at the second; else makes the move that captures
 * most. */
static int choose(const struct session *s, int seat, const struct move *legal, int n)
{
    int best = 0;
    for (int i = 0; i < n; i++) {
        if (legal[i].kind == (s->match.round.koikoi[seat] ? MOVE_STOP : MOVE_KOIKOI))
            return i;
        if (set_count(legal[i].take) > set_count(legal[best].take))
            best = i;
    }
    return best;
}

/* The move as typed; empty if that would be ambiguous. */
static void type_move(const struct move *legal, int n, int i, char *ret, size_t size)
{
    char code[CARD_CODE_SIZE];
    int same = 0;
    for (int k = 0; k < n; k++)
        same += legal[k].kind == MOVE_PLAY && legal[k].card == legal[i].card;
    ret[0] = '\0';
    if (legal[i].kind == MOVE_KOIKOI || legal[i].kind == MOVE_STOP)
        snprintf(ret, size, legal[i].kind == MOVE_STOP ? "/stop" : "/koikoi");
    if (legal[i].kind == MOVE_PLAY && same == 1) {
        card_code(legal[i].card, code);
        snprintf(ret, size, "/play %s", code);
    }
}

static void move(struct daemon_run *l, struct session *s)
{
    static const char *const ways[] = {"tea", "tea", "@"};
    struct ruleset g;
    struct move legal[MAX_MOVES];
    char text[80], chat[16];
    int seat = session_turn(s), way = n_steps % 3;
    ruleset_make(&s->rules, &g);
    int n = round_legal(&g, &s->match.round, seat, legal), i = choose(s, seat, legal, n);
    const char *who = s->player[seat].id, *other = s->player[!seat].id;
    s->no = 1;
    snprintf(chat, sizeof chat, "%.3s%.12s", ways[way], way == 2 ? who : "");
    type_move(legal, n, i, text, sizeof text);
    if (way == 0 || text[0] == '\0') {
        const char *data = button(s, i);
        snprintf(text, sizeof text, "%s", data);
        if (n_steps % 4 == 0)
            step(l, true, "tea", other, text); /* not a button of theirs */
        step(l, true, "tea", who, text);
        if (n_steps % 2 == 0)
            step(l, true, "tea", who, text); /* pressed twice */
    } else {
        step(l, false, chat, who, text);
    }
}

static void play(struct daemon_run *l)
{
    step(l, false, "tea", "ann", "/ping one");
    step(l, false, "tea", "ann", "/challenge @bo short clock=none");
    step(l, false, "tea", "bo", "/accept");
    for (daemon_run_session(daemon_run_store(l), 1, &ended); session_live(&ended);
         daemon_run_session(daemon_run_store(l), 1, &ended)) {
        if (ended.match.stage == MATCH_READY) {
            step(l, false, "tea", "bo", "/ready");
            step(l, false, "tea", "ann", "/ready");
        } else {
            move(l, &ended);
        }
    }
    step(l, false, "tea", "bo", "/board");
}

/* ---- messages ---- */

static const char *text_in(const cJSON *o, const char *key)
{
    const cJSON *v = cJSON_GetObjectItemCaseSensitive(o, key);
    return cJSON_IsString(v) ? v->valuestring : "";
}

/* Retries take time: "00:19" stands for any time of the day. */
static const char *timeless(struct str text)
{
    char *p = arena_alloc(keep, text.n + 1);
    memcpy(p, text.p, text.n + 1);
    for (size_t i = 0; i + 5 <= text.n; i++)
        if (isdigit((unsigned char)p[i]) && isdigit((unsigned char)p[i + 1]) && p[i + 2] == ':' &&
            isdigit((unsigned char)p[i + 3]) && isdigit((unsigned char)p[i + 4]))
            memset(p + i, 'x', 5);
    return p;
}

static void look(struct show *ret)
{
    ret->n = 0;
    for (int i = 0; i < peer_count(daemon_run_peer); i++) {
        struct peer_request r = peer_request(daemon_run_peer, i);
        cJSON *o = cJSON_Parse(r.body);
        struct line *l = &ret->at[ret->n++];
        int64_t post;
        assert_in_range(ret->n, 1, MOST_SAID);
        if (!str_int(str_of(text_in(o, "message_id")), &post))
            post = r.post;
        struct str key = arena_print(keep, "%s in %s to %s: %s",
                                     strcmp(r.method, "editMessageText") ? r.method : "sendMessage",
                                     text_in(o, "chat_id"), text_in(o, "to"), text_in(o, "text"));
        *l = (struct line){
            .key = timeless(key),
            .to = *text_in(o, "to")
                      ? arena_print(keep, "%s in %s", text_in(o, "to"), text_in(o, "chat_id")).p
                      : "",
            .post = strcmp(r.method, "answerCallbackQuery") ? post : 0,
            .again = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(o, "maybe_sent"))};
        cJSON_Delete(o);
    }
}

/* Standing messages of the group, and the last ephemeral one of each person. */
static bool stands(const struct show *s, int i)
{
    if (s->at[i].post == 0 || strncmp(s->at[i].key, "sendMessage", 11) != 0)
        return false;
    for (int k = i + 1; k < s->n; k++)
        if (s->at[k].post == s->at[i].post ||
            (*s->at[i].to && strcmp(s->at[k].to, s->at[i].to) == 0))
            return false;
    return true;
}

/* ---- boards that tell of more than one turn ---- */

/* A line of a board that tells what happened. */
static bool is_news(struct str line)
{
    static const char *const words[] = {" took ", " calls "};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (memmem(line.p, line.n, words[i], strlen(words[i])))
            return true;
    return line.n > 0 && line.p[line.n - 1] == '!'; /* a yaku was made */
}

static struct str next_line(struct str *rest)
{
    const char *end = memchr(rest->p, '\n', rest->n);
    struct str line = {rest->p, end ? (size_t)(end - rest->p) : rest->n};
    *rest = str_skip(*rest, end ? line.n + 1 : line.n);
    return line;
}

/* Of a board, what everybody sees; its fold says the same in full. */
static struct str above_fold(const char *key)
{
    const char *fold = strstr(key, "\nAll cards in words\n");
    return (struct str){key, fold ? (size_t)(fold - key) : 0};
}

/* True if some message has this line. */
static bool has_line(const struct show *s, struct str line)
{
    for (int i = 0; i < s->n; i++)
        for (struct str rest = str_of(s->at[i].key); rest.n;)
            if (str_is(next_line(&rest), line))
                return true;
    return false;
}

/* True if both are the same but for news of the story that `key` has besides: that of a board which
 * it replaced before anybody saw it. */
static bool is_message(const char *key, const char *base)
{
    struct str rest = str_of(key), wanted = str_of(base);
    while (rest.n) {
        struct str after = wanted, line = next_line(&rest);
        if (str_is(line, next_line(&after)))
            wanted = after;
        else if (!is_news(line) || !has_line(&told, line))
            return false;
    }
    return wanted.n == 0;
}

/* How often the message was said, with or without news of others. */
static int said(const struct show *s, const char *key, bool again)
{
    int n = 0;
    for (int i = 0; i < s->n; i++)
        n += s->at[i].again == again && is_message(s->at[i].key, key);
    return n;
}

/* The message of the undisturbed story that this one is. Returns NULL for any other. */
static const char *base_of(const char *key)
{
    for (int i = 0; i < told.n; i++)
        if (is_message(key, told.at[i].key))
            return told.at[i].key;
    return NULL;
}

/* ---- comparison ---- */

#define HOLDS(condition, ...)                                                                      \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            print_error(__VA_ARGS__);                                                              \
            fail_msg("%s %d: %s", how, n, #condition);                                             \
        }                                                                                          \
    } while (0)

static void check_chats(const char *how, int n, const struct show *now)
{
    for (int i = 0; i < now->n; i++) {
        const char *key = base_of(now->at[i].key);
        HOLDS(key, "never to be said: %s\n", now->at[i].key);
        int most = said(&told, key, false);
        HOLDS(now->at[i].again || said(now, key, false) <= most, "said too often: %s\n", key);
    }
    for (int i = 0; i < told.n; i++) {
        bool there = !stands(&told, i);
        for (int k = 0; k < now->n && !there; k++)
            there = is_message(now->at[k].key, told.at[i].key) && stands(now, k);
        HOLDS(there, "not there: %s\n", told.at[i].key);
        for (struct str rest = above_fold(told.at[i].key); rest.n;) {
            struct str line = next_line(&rest);
            HOLDS(!is_news(line) || has_line(now, line), "never told: %.*s\n", STR_ARG(line));
        }
    }
}

static void check_store(const char *how, int n, struct store *store)
{
    static struct session s;
    struct session_row second;
    daemon_run_session(store, 1, &s);
    HOLDS(s.version == ended.version && !session_live(&s), "version %u of %u\n", s.version,
          ended.version);
    HOLDS(memcmp(s.match.scores, ended.match.scores, sizeof s.match.scores) == 0, "scores\n");
    bool found = GOT(second, store_session(store, daemon_run_arena, 2));
    HOLDS(!found, "a second match\n");
    struct str lines = store_record(store, daemon_run_arena, 1);
    HOLDS(str_is(lines, str_of(record)), "%.*s\n", STR_ARG(lines));
    struct standings rows = store_standings(
        store, daemon_run_arena, ended.venue[0].chat ? ended.venue[0].chat : 1, STR("1970-Q1"), 10);
    HOLDS(rows.n == standings.n && rows.n == 2, "%d rows\n", rows.n);
    for (int i = 0; i < rows.n; i++)
        HOLDS(memcmp(&rows.at[i].tally, &standings.at[i].tally, sizeof rows.at[i].tally) == 0,
              "place %d\n", i);
    struct out_rows left = store_outbox(store, daemon_run_arena, 0, STR(""), 0, 100);
    HOLDS(left.n == 0, "%d rows unsaid\n", left.n);
}

static void write_down(struct daemon_run *l)
{
    int line = 0;
    struct str lines = store_record(daemon_run_store(l), daemon_run_arena, 1);
    assert_in_range(lines.n, 1, RECORD_MOST - 1);
    memcpy(record, lines.p, lines.n);
    OK(replay_record(lines, NULL, &line, &err));
    standings = store_standings(daemon_run_store(l), keep, 1, STR("1970-Q1"), 10);
    look(&told);
    for (int i = 0; i < told.n; i++)
        assert_false(told.at[i].again);
}

static void begin_again(void)
{
    daemon_run_begin();
    peer_hands_out(daemon_run_peer, 1);
    for (int i = 0; i < n_steps; i++)
        queue(&steps[i]);
}

/* The end of a disturbed run: another run must lead to the same state. */
static void check(const char *how, int n)
{
    static struct show now;
    struct daemon_run *l = daemon_run_open(rules_dir, DB_FAILS, 0, 0);
    HOLDS(l, "%s\n", daemon_run_why());
    daemon_run_for(l, DAEMON_RUN_MS);
    check_store(how, n, daemon_run_store(l));
    daemon_run_close(l);
    look(&now);
    check_chats(how, n, &now);
    daemon_run_end();
}

/* ---- the tests ---- */

FIXTURE(setup)
{
    if (!daemon_run_setup())
        return 1;
    keep = arena_open((size_t)1 << 32);
    scratch_write("short.json", "{\"extends\":\"standard\",\"rounds\":2,\"rounds_allowed\":[2]}");
    rules_dir = arena_str(keep, scratch_file("."));
    n_steps = 0;
    daemon_run_begin();
    struct daemon_run *l = daemon_run_open(rules_dir, DB_FAILS, 0, 0);
    if (!l)
        return 1;
    play(l);
    write_down(l);
    daemon_run_close(l);
    daemon_run_end();
    return 0;
}

FIXTURE(teardown)
{
    daemon_run_teardown();
    arena_close(keep);
    return 0;
}

TEST_WITH(the_story_has_all_that_it_should, setup, teardown)
{
    int moves = 0, typed = 0, pressed = 0, in_private = 0;
    for (int i = 0; i < n_steps; i++) {
        moves += steps[i].press || strncmp(steps[i].text, "/play", 5) == 0;
        typed += strncmp(steps[i].text, "/play", 5) == 0;
        pressed += steps[i].press;
        in_private += steps[i].chat[0] == '@';
    }
    assert_true(moves > 20 && typed > 5 && pressed > 5 && in_private > 3);
    assert_non_null(strstr(record, "\"do\":\"koikoi\""));
    assert_non_null(strstr(record, "\"do\":\"stop\""));
    assert_non_null(strstr(record, "\"t\":\"round_end\",\"round\":2"));
    assert_non_null(strstr(record, "\"t\":\"match_end\""));
    assert_int_equal(standings.n, 2);
}

TEST_WITH(told_again_undisturbed_it_is_the_same, setup, teardown)
{
    int calls;
    begin_again();
    assert_true(daemon_run_whole(rules_dir, DB_FAILS, 0, 0, &calls));
    check("undisturbed", 0);
}

static void the_database_fails(int times)
{
    int calls = 0;
    for (int n = 1; n == 1 || n <= calls; n += stride(499, 13)) {
        begin_again();
        if (!daemon_run_whole(rules_dir, DB_FAILS, n, times, &calls) && calls == 0)
            calls = 101; /* it could not start: later points tell */
        check("call failing", n);
    }
    assert_true(calls > 100);
}

TEST_WITH(one_call_of_the_database_fails, setup, teardown)
{
    the_database_fails(1);
}

TEST_WITH(the_disk_is_full_for_a_while, setup, teardown)
{
    the_database_fails(6);
}

static void dying_at_a_call(enum db_fault fault, const char *how)
{
    int n = 1;
    for (bool died = true; died; n += stride(499, 13)) {
        begin_again();
        died = daemon_run_dies(rules_dir, fault, n);
        check(how, n);
    }
    assert_true(n > 100);
}

TEST_WITH(dying_before_a_call_of_the_database, setup, teardown)
{
    dying_at_a_call(DB_DIES, "dead before call");
}

TEST_WITH(dying_after_a_call_of_the_database, setup, teardown)
{
    dying_at_a_call(DB_DIES_AFTER, "dead after call");
}

/* After what a power cut leaves at each n-th write or sync of the store. */
static void the_power_is_cut(enum disk_left left, const char *how)
{
    SQLITE_ALONE();
    int n = 1;
    for (bool cut = true; cut; n += stride(499, 13)) {
        begin_again();
        disk_cuts(n, left, (uint64_t)n);
        cut = daemon_run_dies(rules_dir, DB_FAILS, 0);
        disk_cuts(0, left, 0);
        check(how, n);
    }
    assert_true(n > 100);
}

TEST_WITH(a_power_cut_loses_all_that_was_not_synced, setup, teardown)
{
    the_power_is_cut(DISK_LEAVES_SAFE, "power cut, the safe part left, at");
}

TEST_WITH(a_power_cut_loses_some_of_it, setup, teardown)
{
    the_power_is_cut(DISK_LEAVES_SOME, "power cut, some sectors left, at");
}

TEST_WITH(a_power_cut_loses_nothing, setup, teardown)
{
    the_power_is_cut(DISK_LEAVES_ALL, "power cut, all left, at");
}

static void killed_at_a_request(bool after, const char *how)
{
    int n = 1;
    for (bool killed = true; killed && n < 2 * n_steps; n += stride(127, 5)) {
        begin_again();
        killed = daemon_run_killed_by_peer(daemon_run_peer, rules_dir, n, after);
        check(how, n);
    }
    assert_true(n > n_steps);
}

TEST_WITH(killed_when_a_request_is_sent, setup, teardown)
{
    killed_at_a_request(false, "killed before request");
}

TEST_WITH(killed_when_a_request_is_answered, setup, teardown)
{
    killed_at_a_request(true, "killed after request");
}

/* Each n-th request fails in one of several ways; it may have been carried out all the same. */
TEST_WITH(a_request_fails, setup, teardown)
{
    static const struct {
        enum peer_fault fault;
        int status;
        bool done;
    } ways[] = {{PEER_HANGS_UP, 0, false},
                {PEER_HANGS_UP, 0, true},
                {PEER_CUTS, 0, true},
                {PEER_ANSWERS, 502, false},
                {PEER_BABBLES, 0, true}};
    int calls, n = 1;
    for (bool failed = true; failed && n < 2 * n_steps; n += stride(67, 3)) {
        begin_again();
        peer_fails(daemon_run_peer, n, ways[n % 5].fault, ways[n % 5].status, ways[n % 5].done);
        assert_true(daemon_run_whole(rules_dir, DB_FAILS, 0, 0, &calls));
        failed = peer_failed(daemon_run_peer);
        check("request failing", n);
    }
    assert_true(n > n_steps);
}
