/* A person who has not played the duel of the day learns nothing of it. The same story is told on other
 * cards, and with other results of those who play: all that a third person and the group get, by
 * every question that might tell, and all that is logged, is the same, but for the day's seal, which
 * is the hash of its seed and of nothing else. */
#include "engine/test.h"
#include "golden/chat_harness.h"

#include "chance.h"
#include "duel.h"
#include "inbox_pages.h"
#include "log.h"
#include "replay.h"
#include "scene_write.h"
#include "store_duel.h"

#include <stdio.h>
#include <unistd.h>

enum { MOST_SEEN = 1 << 20, RESULTS_AT = 3 };

enum {
    CAN = CAN_BUTTONS | CAN_EDIT | CAN_ERASE | CAN_DIRECT | CAN_POPUP | CAN_HANDLES | CAN_CLOSE |
          CAN_STYLE | CAN_FOLD | CAN_PICTURE | CAN_QUERY
};

struct told_day {
    uint64_t chance;
    bool gives_up; /* bob, and carl plays to the end; else the other way round */
};

/* ---- what others see ---- */

/* Digests of a seal or seed become one word: each run has its own. */
static void put_without_hex(struct buf *b, struct str s, char ret_hex[static SEED_HEX_SIZE])
{
    for (size_t i = 0; i < s.n;) {
        size_t n = 0;
        while (i + n < s.n && strchr("0123456789abcdef", s.p[i + n]))
            n++;
        if (n == SEED_HEX_SIZE - 1) {
            memcpy(ret_hex, s.p + i, n);
            buf_put(b, STR("<hash>"));
            i += n;
        } else {
            buf_char(b, s.p[i++]);
        }
    }
}

static bool is_of(const struct outgoing *o, const char *who)
{
    char room[32];
    snprintf(room, sizeof room, "dm-%s", who);
    return str_is(o->to, str_of(who)) || str_is(o->chat, str_of(room));
}

/* All that the bot sent to anybody but bob and carl since the last call: words, buttons, pictures, files. */
static void look(struct chat_harness *s, struct buf *b, char ret_hex[static SEED_HEX_SIZE])
{
    const struct sent_message *sent;
    int n = chat_harness_sent(s, &sent);
    for (int i = 0; i < n; i++) {
        const struct outgoing *o = &sent[i].out;
        const struct str parts[] = {o->slot, o->text, o->news, o->picture, o->file, o->aloud};
        if (is_of(o, "bob") || is_of(o, "carl") || (o->kind == OUT_ANSWER && o->text.n == 0))
            continue;
        buf_print(b, "%d %d ", o->kind, o->where);
        for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
            put_without_hex(b, parts[k], ret_hex);
            buf_char(b, '|');
        }
        for (int k = 0; k < o->n_buttons; k++) {
            struct press p;
            assert_true(chat_harness_read_press(s, o->buttons[k].data, &p));
            buf_print(b, " [%.*s %d %lld %lld %lld]", STR_ARG(o->buttons[k].label), (int)p.verb,
                      (long long)p.no, (long long)p.version, (long long)p.index);
        }
        buf_char(b, '\n');
    }
    chat_harness_forget(s);
}

/* ---- the proof ---- */

/* Both records are checked like any other, have the same decks as far as both went, and their seeds
 * follow from the day's, whose hash is the seal in the group. */
static void records_hold(struct chat_harness *s, const char seal[static SEED_HEX_SIZE])
{
    enum { ROUND_SEEDS = 3 };
    struct seed day, deal;
    char hex[SEED_HEX_SIZE], commit[SEED_HEX_SIZE];
    struct str row = store_duel(s->store, s->arena, 1).seed;
    int found = 0;
    assert_true(chance_read_seed(row, &day));
    chance_commit(&day, commit);
    assert_string_equal(commit, seal);
    for (int no = 1; no <= 2; no++) {
        struct str record = store_record(s->store, s->arena, no);
        struct err err = {""};
        int line = 0;
        if (!verify_record(record, NULL, &line, &err))
            fail_msg("record of #%d, line %d: %s", no, line, err.text);
        for (int round = 1; round <= ROUND_SEEDS; round++) {
            chance_duel(&day, round, 1, &deal);
            chance_hex(&deal, hex);
            found += memmem(record.p, record.n, hex, strlen(hex)) != NULL;
        }
        assert_non_null(memmem(record.p, record.n, "\"id\":\"duel", 10));
    }
    assert_true(found >= 2); /* of each the deals that were begun */
}

/* ---- the story ---- */

static void plays(struct chat_harness *s, const char *who, bool gives_up)
{
    for (int i = 0; i < 2 && gives_up; i++)
        chat_harness_type(s, who, "", true, "/resign");
    for (int i = 0; !gives_up && i < 200; i++) {
        struct session now;
        if (!chat_harness_session(s, &now))
            break;
        if (session_turn(&now) == 0)
            assert_true(chat_harness_auto(s, false));
        else if (session_turn(&now) < 0)
            chat_harness_type(s, who, "", true, "/ready");
        else
            chat_harness_wait(s, 1000);
    }
}

/* Whatever might show a match of which only the number is known; by its number and without. */
static void ask_all(struct chat_harness *s)
{
    static const char *const asked[] = {
        "verify", "score", "table", "replay",  "export", "review", "hand",   "yaku",
        "games",  "board", "stats", "history", "rating", "versus", "join",   "accept",
        "ready",  "rules", "hint",  "rematch", "mydata", "duel",   "puzzle", "nudge"};
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        static const char *const behind[] = {"", " #1", " 1", " @bob"};
        for (size_t k = 0; k < sizeof behind / sizeof *behind; k++) {
            char typed[64];
            if (str_is(str_of(asked[i]), STR("duel")) && k == RESULTS_AT)
                continue; /* a challenge */
            snprintf(typed, sizeof typed, "/%s%s", asked[i], behind[k]);
            chat_harness_type(s, "alice", "tea", false, typed);
            chat_harness_type(s, "alice", "", true, typed);
        }
    }
    const struct person *alice =
        store_person_by_handle(s->store, s->arena, s->accounts[0].id, STR("alice"));
    const struct inbox_reader page = {.account = &s->accounts[0], .who = alice->who};
    struct inbox_scene scene;
    struct str words;
    assert_false(inbox_scene(s->inbox, &page, 1, s->arena, &scene));
    assert_false(inbox_watched(s->inbox, page.account, 1, STR("en"), s->arena, &scene));
    for (int64_t step = STEPS_ALL; step < 2; step++)
        assert_false(inbox_replay(s->inbox, page.account, 1, step, STR("en"), s->arena, &words));
    assert_false(inbox_record(s->inbox, page.account, 1, s->arena, &words));
    assert_int_equal(REVIEW_NONE,
                     inbox_review(s->inbox, page.account, 1, STR("en"), true, s->arena, &words));
    chat_harness_inline_query(s, "alice", "hand 1");
    (void)chat_harness_press(s, "alice", "Results");
}

/* The duel's own page, as alice has it by its link, and what a preview shows of it. */
static void open_page(struct chat_harness *s, struct buf *b, char ret_hex[static SEED_HEX_SIZE])
{
    const struct person *alice =
        store_person_by_handle(s->store, s->arena, s->accounts[0].id, STR("alice"));
    const struct inbox_reader reader = {.account = &s->accounts[0], .who = alice->who};
    int64_t no = duel_link_no(1, store_duel(s->store, s->arena, 1).day);
    struct scene_preview preview;
    struct str page;
    assert_true(inbox_document(s->inbox, &reader, "duel", no, s->arena, &page));
    assert_true(inbox_preview(s->inbox, reader.account, "duel", no, STR("en"), s->arena, &preview));
    const struct str parts[] = {page, preview.title, preview.sentence, preview.picture};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        put_without_hex(b, parts[i], ret_hex);
        buf_char(b, '\n');
    }
    assert_non_null(memmem(page.p, page.n, "Play the duel", 13));
}

/* What the player asks for in the group, where others read the answer. */
static void bob_asks_in_the_group(struct chat_harness *s)
{
    static const char *const asked[] = {"/verify #1", "/score #1",  "/table #1", "/replay #1",
                                        "/export #1", "/review #1", "/hand #1",  "/yaku #1",
                                        "/verify",    "/score",     "/table",    "/games",
                                        "/history",   "/stats",     "/duel",     "/rules #1"};
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++)
        chat_harness_type(s, "bob", "tea", false, asked[i]);
}

static void tell(const struct told_day *day, struct buf *b, char ret_hex[static SEED_HEX_SIZE])
{
    enum { HOUR = 3600 * 1000 };
    static const char *const copied[] = {"Verify", "Score", "🔍 Review", "Rematch", "1", "2"};
    struct chat_harness *s = chat_harness_open(CAN);
    chat_harness_admin(s, "alice");
    chat_harness_type(s, "alice", "tea", false, "/settings duel=20:00 board=picture watch=on");
    chat_harness_type(s, "bob", "", true, "/start");
    chat_harness_type(s, "carl", "", true, "/start");
    chat_harness_type(s, "alice", "", true, "/start");
    s->chance = day->chance; /* of the cards; numbers of pages come from chance, too */
    chat_harness_wait(s, 8 * HOUR);
    s->chance = 100;
    assert_true(chat_harness_press(s, "bob", "Play the duel"));
    look(s, b, ret_hex);
    for (size_t i = 0; i < sizeof copied / sizeof *copied; i++) /* while the match runs */
        (void)chat_harness_copy(s, "alice", "tea", false, copied[i]);
    ask_all(s);
    open_page(s, b, ret_hex);
    bob_asks_in_the_group(s);
    look(s, b, ret_hex);
    plays(s, "bob", day->gives_up);
    s->chance = 200;
    assert_true(chat_harness_press(s, "carl", "Play the duel"));
    plays(s, "carl", !day->gives_up);
    look(s, b, ret_hex);
    s->chance = 300;
    s->now = (s->now / HOUR + 1) * HOUR; /* the stories take different times */
    ask_all(s);
    open_page(s, b, ret_hex);
    bob_asks_in_the_group(s);
    for (size_t i = 0; i < sizeof copied / sizeof *copied; i++) {
        (void)chat_harness_copy(s, "alice", "tea", false, copied[i]);
        (void)chat_harness_copy(s, "alice", "", true, copied[i]);
    }
    look(s, b, ret_hex);
    inbox_log(s->inbox);
    records_hold(s, ret_hex);
    chat_harness_close(s);
    assert_false(b->cut);
}

/* What the log says of a story, times aside. */
static struct str logged(FILE *file, char *ret, size_t size)
{
    rewind(file);
    return (struct str){ret, fread(ret, 1, size, file)};
}

static void others_learn_nothing(void **state)
{
    (void)state;
    static char text[4][MOST_SEEN], log[MOST_SEEN];
    static const struct told_day stories[] = {{7, true}, {7, false}, {8, true}, {9, false}};
    char hex[4][SEED_HEX_SIZE] = {{0}};
    int before = dup(STDERR_FILENO);
    log_open(LOG_DEBUG);
    for (int i = 0; i < 4; i++) {
        struct buf b = {text[i], 0, MOST_SEEN - 1, false};
        FILE *file = tmpfile();
        assert_true(file && dup2(fileno(file), STDERR_FILENO) >= 0);
        tell(&stories[i], &b, hex[i]);
        fflush(stderr);
        struct str lines = logged(file, log, sizeof log);
        assert_true(dup2(before, STDERR_FILENO) >= 0);
        fclose(file);
        assert_true(lines.n > 0);
        for (struct str rest = lines, line = str_cut(rest, '\n', &rest); line.n > 0;
             line = str_cut(rest, '\n', &rest)) /* of cards there are neither codes nor hashes */
            assert_null(memmem(line.p, line.n, "seed", 4));
        text[i][b.n] = '\0';
        assert_true(b.n > 1000);
        assert_string_equal(text[i], text[0]);
    }
    close(before);
    log_open(LOG_WARN);
    assert_string_equal(hex[0], hex[1]); /* the seal is the same whatever the results are, */
    assert_string_not_equal(hex[0], hex[2]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(others_learn_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
