/* Sessions as lines: they read back unchanged, and wrong lines are refused. And secrecy: if two
 * tables differ only in cards that a seat cannot see, messages to that seat and to the group are
 * equal bytes. */
#include "engine/test.h"
#include "fixture/session_fixture.h"
#include "engine/world.h"

#include "present.h"

/* Ann and Bo under preset p, in a place and under names that are not easy to write, `moves` into
 * the first round of deck. */
static struct session table(int p, const uint8_t deck[static N_CARDS], int moves)
{
    struct session s = session_fixture_match(&session_fixture_presets[p], 2);
    struct ruleset g;
    struct move legal[MAX_MOVES];
    s.time.move_ms = 86400000;
    s.time.total_ms = 600000;
    s.time.gain_ms = 20000;
    s.player[0].time_left = 590001;
    s.player[1].absence = (struct absence){1, 2, 22 * 60, 450, -3600, 7200, 5};
    s.seek_points = 1500;
    NAME_PUT(s.venue[0].chat_name, STR("Tea room 100% \xE2\x98\x98"));
    NAME_PUT(s.player[1].name, STR("Bo = 1"));
    NAME_PUT(s.player[0].seed, STR("e1"));
    NAME_PUT(s.player[1].seed, STR("lucky\tcut"));
    for (int i = 0; i < 2; i++)
        s.player[i].lot = (uint8_t)(4 * i);
    memset(s.deal_seed.at, 5, SEED_SIZE);
    session_fixture_deal(&s, deck);
    ruleset_make(&s.rules, &g);
    for (int i = 0; i < moves && s.match.stage == MATCH_PLAYING; i++) {
        round_legal(&g, &s.match.round, s.match.round.turn, legal);
        match_apply(&g, &s.match, s.match.round.turn, legal[0], NULL);
    }
    return s;
}

static struct str written(const struct session *s)
{
    struct buf b = {arena_alloc(session_fixture_arena, 16384), 0, 16384, false};
    return session_write(s, &b);
}

TEST(line_reads_back_unchanged)
{
    uint8_t deck[N_CARDS];
    for (int i = 0; i < 200; i++) {
        struct session back;
        deck_shuffled((uint64_t)i * 7919 + 1, deck);
        struct session s = table(i % 4, deck, i % 9);
        if (s.match.stage == MATCH_OVER)
            continue;
        struct str line = written(&s);
        const char *wrong = session_read(line, &session_fixture_rulesets, &back);
        if (wrong)
            fail_msg("%s in %.*s", wrong, STR_ARG(line));
        assert_true(back.time.total_ms == 600000 && back.time.gain_ms == 20000 &&
                    back.player[0].time_left == 590001);
        assert_int_equal(back.seek_points, 1500);
        assert_memory_equal(&back.player[1].absence, &s.player[1].absence, sizeof(struct absence));
        struct str again = written(&back);
        assert_true(str_is(line, again));
        assert_string_equal(back.player[1].seed, "lucky\tcut");
        assert_true(back.no == 12 && back.due == 3 && back.left == -1 &&
                    back.match.round.turn == s.match.round.turn);
    }
}

static struct str replaced(struct str line, const char *from, const char *to)
{
    const char *at = memmem(line.p, line.n, from, strlen(from));
    assert_non_null(at);
    return arena_print(session_fixture_arena, "%.*s%s%.*s", (int)(at - line.p), line.p, to,
                       (int)(line.n - (size_t)(at - line.p) - strlen(from)), at + strlen(from));
}

/* A line with one part replaced is refused, with the name of this field. */
struct line_change {
    const char *from, *to, *wrong;
};

static void are_refused(struct str line, const struct line_change *rows, size_t n)
{
    struct session back = {.no = 99};
    for (size_t i = 0; i < n; i++) {
        const char *wrong = session_read(replaced(line, rows[i].from, rows[i].to),
                                         &session_fixture_rulesets, &back);
        if (!wrong || strcmp(wrong, rows[i].wrong) != 0)
            fail_msg("%s -> %s: wanted %s, found %s", rows[i].from, rows[i].to, rows[i].wrong,
                     wrong ? wrong : "nothing");
        assert_true(back.no == 99);
    }
}

TEST(rematch_reads_back_unchanged)
{
    static const struct line_change rows[] = {
        {" first=1", " first=2", "first"}, /* two players */
        {" first=1", " first=3", "first"},
        {" again=1", " again=2", "again"},
        {"first_dealer=1", "first_dealer=0", "first"}, /* drawn, though it is known */
    };
    uint8_t deck[N_CARDS];
    struct session back;
    deck_shuffled(3, deck);
    struct session s = table(0, deck, 2);
    s.again = true;
    s.first = 1;
    s.rules.first_dealer = FIRST_CHALLENGER;
    struct str line = written(&s);
    assert_null(session_read(line, &session_fixture_rulesets, &back));
    assert_true(back.again && back.first == 1);
    are_refused(line, rows, sizeof rows / sizeof *rows);
}

/* The same table on two networks: Bo sits in a chat of the second. */
static struct session on_two_networks(struct session s)
{
    s.n_more = 1;
    s.venue[1] = (struct venue){.chat = 8, .account = 2, .utc_offset = -3600, .direct = true};
    NAME_PUT(s.venue[1].chat_key, STR("!isle:koi.test"));
    NAME_PUT(s.venue[1].chat_name, STR("Isle 7"));
    s.player[1].account = 2;
    s.player[1].venue = 1;
    s.ping.version = 7;
    s.ping.venue = s.ping.seat = 1;
    s.by_code = true;
    return s;
}

TEST(venues_read_back_unchanged)
{
    static const struct line_change rows[] = {
        {" v1.chat=8", "", "venue"},
        {" v1.chat=8", " v2.chat=8", "venue"},
        {" v1.chat=8", " v3.chat=8", "unknown field"},
        {" v1.chat=8", " v1.chat=8 v1.chat=8", "chat"},
        {" v1.direct=1", " v1.direct=2", "direct"},
        {" v1.offset=-3600", " v1.offset=-50401", "offset"},
        {" p1.venue=1", " p1.venue=2", "venue"},
        {" pingat=1", " pingat=2", "venue"},
        {" chat=3", " chat=3 chat=3", "chat"},
    };
    uint8_t deck[N_CARDS];
    struct session back;
    deck_shuffled(3, deck);
    struct session s = on_two_networks(table(0, deck, 2));
    struct str line = written(&s);
    assert_null(session_read(line, &session_fixture_rulesets, &back));
    assert_true(str_is(line, written(&back)));
    assert_int_equal(back.n_more, 1);
    assert_memory_equal(&back.venue[1], &s.venue[1], sizeof s.venue[1]);
    assert_int_equal(session_venue_of(&back, 8), 1);
    assert_int_equal(session_venue_of(&back, 3), 0);
    assert_int_equal(session_venue_of(&back, 9), -1);
    are_refused(line, rows, sizeof rows / sizeof *rows);
}

TEST(dropped_venue_leaves_the_others_unchanged)
{
    uint8_t deck[N_CARDS];
    deck_shuffled(3, deck);
    struct session s = on_two_networks(table(0, deck, 2));
    s.venue[2] = s.venue[1];
    s.venue[2].chat = 9;
    s.n_more = 2;
    s.player[1].venue = s.ping.venue = 2;
    session_drop_venue(&s, 1);
    assert_int_equal(s.n_more, 1);
    assert_int_equal(s.venue[1].chat, 9);
    assert_int_equal(s.player[0].venue, 0);
    assert_int_equal(s.player[1].venue, 1);
    assert_int_equal(s.ping.venue, 1);
}

TEST(wrong_line_is_refused_by_field)
{
    static const struct line_change rows[] = {
        {"koikoi1", "koikoi2", "notation"},
        {" no=12", " no=x", "no"},
        {" no=12", " no=-1", "no"},
        {" no=12", " no=12 no=12", "no"},
        {" phase=1", " phase=7", "phase"},
        {" players=2", " players=9", "players"},
        {" players=2", " players=3", "players"},
        {" id=abc", "", "id"},
        {" p0.name=Ann", " p0.name=%00", "name"},
        {" p0.name=Ann", " p0.name=%FF", "name"},
        {" p0.name=Ann", " p0.name=%4", "name"},
        {" p0.name=Ann", "", "joined"},
        {" p0.name=Ann", " p9.name=Ann", "unknown field"},
        {" p0.name=Ann", " p0.colour=red", "unknown field"},
        {" knock=2", "", "knock"},
        {" match=", " match=x", "match"},
        {" rules=", " rules=x", "rules"},
        {" dealseed=05", " dealseed=5", "dealseed"},
        {" left=-1", " left=2", "left"},
        {" p1.lot=4", " p1.lot=60", "lot"},
    };
    uint8_t deck[N_CARDS];
    struct session back;
    deck_shuffled(3, deck);
    struct session s = table(0, deck, 2);
    struct str line = written(&s);
    are_refused(line, rows, sizeof rows / sizeof *rows);
    for (size_t n = 0; n < line.n; n += 3) /* cut anywhere: never read as whole */
        assert_non_null(session_read((struct str){line.p, n}, &session_fixture_rulesets, &back));
}

/* ---- secrecy ---- */

struct heard {
    char text[64 * 1024];
    struct buf b;
};

/* Everything that seat 0, or only the group, reads of `kinds` about a session. */
static void tell(const struct session *s, int seat, struct heard *h)
{
    static const enum notice_kind kinds[] = {NOTICE_BOARD, NOTICE_HAND,  NOTICE_YAKU,
                                             NOTICE_PING,  NOTICE_SCORE, NOTICE_VERIFY};
    static const uint8_t key[PRESS_KEY_BYTES];
    struct message out[MAX_OUTGOING];
    struct effects fx = {.arena = session_fixture_arena};
    struct world w = {.bot = &session_fixture_bot};
    struct event e = {.now = 1000, .account = 1, .from = {.id = STR("a")}};
    struct network p = {1,
                        CAN_BUTTONS | CAN_EDIT | CAN_DIRECT | CAN_STYLE | CAN_FOLD | CAN_POPUP,
                        {.text_chars = 4000},
                        .key = key};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (seat < 0 && kinds[i] == NOTICE_HAND)
            continue;
        struct notice *notice =
            effect_notice(&fx, kinds[i], kinds[i] == NOTICE_HAND ? TO_SEAT : TO_TABLE);
        notice->seat = (int8_t)(kinds[i] == NOTICE_PING ? 0 : seat);
        notice->fresh = true;
        notice->table =
            effect_table(&fx, &session_fixture_rulesets, s,
                         kinds[i] == NOTICE_HAND || kinds[i] == NOTICE_YAKU ? seat : SEAT_PUBLIC);
    }
    const struct networks places = {1, &p};
    int n = present(&w, &e, &fx, &places, out);
    assert_true(n >= 5);
    h->b = (struct buf){h->text, 0, sizeof h->text, false};
    for (int i = 0; i < n; i++) {
        const struct outgoing *o = &out[i].out;
        buf_put(&h->b, o->text);
        buf_put(&h->b, o->slot);
        for (int k = 0; k < o->n_buttons; k++) {
            buf_put(&h->b, o->buttons[k].label);
            buf_put(&h->b, o->buttons[k].data);
        }
    }
    assert_false(h->b.cut);
}

TEST(hidden_cards_change_no_message)
{
    static struct heard ann, ann_elsewhere, group, group_elsewhere;
    uint8_t deck[N_CARDS];
    struct rng rng = rng_seed(77);
    int differed = 0;
    for (int i = 0; i < 60; i++) {
        deck_shuffled((uint64_t)i * 104729 + 5, deck);
        struct session s = table(3, deck, i % 8);
        if (s.match.stage != MATCH_PLAYING || s.match.round.phase != PHASE_HAND)
            continue;
        struct session t = s;
        t.match = other_world(&s.match, 0, &rng);
        differed += t.match.round.hand[1] != s.match.round.hand[1];
        tell(&s, 0, &ann);
        tell(&t, 0, &ann_elsewhere);
        tell(&s, SEAT_PUBLIC, &group);
        tell(&t, SEAT_PUBLIC, &group_elsewhere);
        assert_true(str_is(buf_str(&ann.b), buf_str(&ann_elsewhere.b)));
        assert_true(str_is(buf_str(&group.b), buf_str(&group_elsewhere.b)));
    }
    assert_true(differed > 20);
}

/* A message about a hand goes to its owner, by the account they play from. Messages on the other
 * network are the same whatever that hand is. */
TEST(hand_goes_to_its_owners_account_alone)
{
    static const uint8_t key[PRESS_KEY_BYTES];
    static char heard[2][32 * 1024];
    uint8_t deck[N_CARDS];
    for (int k = 0; k < 2; k++) {
        struct message out[MAX_OUTGOING];
        struct effects fx = {.arena = session_fixture_arena};
        struct world w = {.bot = &session_fixture_bot};
        struct event e = {.now = 1000, .account = 1, .from = {.id = STR("a")}};
        const struct network at[] = {
            {1, CAN_BUTTONS | CAN_EDIT | CAN_DIRECT, {.text_chars = 4000}, .key = key},
            {2, CAN_EDIT | CAN_DIRECT, {.text_chars = 4000}, .key = key}};
        const struct networks places = {2, at};
        struct buf b = BUF(heard[k]);
        deck_shuffled(11, deck);
        struct session s = on_two_networks(table(3, deck, 0));
        struct round *r = &s.match.round;
        if (k == 1) { /* Ann, on the first network, has other cards */
            cardset stock = CARD(r->deck[r->next]) | CARD(r->deck[r->next + 1]);
            r->deck[r->next] = (uint8_t)set_first(r->hand[0]);
            r->deck[r->next + 1] = (uint8_t)set_first(set_rest(r->hand[0]));
            r->hand[0] = set_rest(set_rest(r->hand[0])) | stock;
        }
        for (int seat = 0; seat < 2; seat++) {
            struct notice *notice = effect_notice(&fx, NOTICE_HAND, TO_SEAT);
            notice->seat = (int8_t)seat;
            notice->fresh = true;
            notice->table = effect_table(&fx, &session_fixture_rulesets, &s, seat);
        }
        effect_notice(&fx, NOTICE_BOARD, TO_TABLE)->table =
            effect_table(&fx, &session_fixture_rulesets, &s, SEAT_PUBLIC);
        int n = present(&w, &e, &fx, &places, out);
        assert_int_equal(n, 3); /* a private venue shows the board beside the hand */
        for (int i = 0; i < n; i++) {
            bool is_private = out[i].out.where == TO_DIRECT;
            assert_true(!is_private || (out[i].account == 1 && str_is(out[i].out.to, STR("a"))));
            if (out[i].account == 2 || !is_private)
                buf_put(&b, out[i].out.text);
        }
        buf_char(&b, '\0');
        assert_false(b.cut);
        assert_true(b.n > 500);
    }
    assert_string_equal(heard[0], heard[1]);
}

TEST(names_are_cut_between_characters)
{
    char three[3], four[4], six[6];
    NAME_PUT(three, STR("a\xC3\xA9\xC3\xA9")); /* a, é, é: five bytes */
    assert_string_equal(three, "a");
    NAME_PUT(four, STR("a\xC3\xA9\xC3\xA9"));
    assert_string_equal(four, "a\xC3\xA9");
    NAME_PUT(six, STR("a\xC3\xA9\xC3\xA9"));
    assert_string_equal(six, "a\xC3\xA9\xC3\xA9");
}

TESTS_WITH(session_fixture_setup, session_fixture_teardown)

/* Each stays with the group they sit in, whoever has the first seat. */
TEST(a_group_that_goes_moves_no_one_of_another)
{
    struct session s = {.players = 3, .n_more = 2, .ping = {.venue = 2}};
    for (int i = 0; i < 3; i++) {
        s.venue[i].chat = 10 + i;
        s.player[i].venue = i == 1 ? 0 : 2;
    }
    session_drop_venue(&s, 1);
    assert_int_equal(s.n_more, 1);
    assert_int_equal(s.venue[1].chat, 12);
    assert_int_equal(s.player[0].venue, 1);
    assert_int_equal(s.player[1].venue, 0);
    assert_int_equal(s.player[2].venue, 1);
    assert_int_equal(s.ping.venue, 1);
}
