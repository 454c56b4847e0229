/* A session as one line: what is written reads back the same, and nothing else is read. Then
 * secrecy: of two tables that differ only in what a seat cannot see, that seat and the group read
 * the same bytes. */
#include "core/sitting.h"
#include "engine/world.h"

#include "present.h"

/* Ann and Bo under preset p, in a place and under names that are not easy to write, `moves` into
 * the first round of deck. */
static struct session table(int p, const uint8_t deck[static N_CARDS], int moves)
{
    struct session s = sitting_down(&sitting_presets[p], 2);
    struct ruleset g;
    struct move legal[MAX_MOVES];
    s.clock_ms = 86400000;
    NAME_PUT(s.home.chat_name, STR("Tea room 100% \xE2\x98\x98"));
    NAME_PUT(s.player[1].name, STR("Bo = 1"));
    NAME_PUT(s.player[0].seed, STR("e1"));
    NAME_PUT(s.player[1].seed, STR("lucky\tcut"));
    for (int i = 0; i < 2; i++)
        s.player[i].lot = (uint8_t)(4 * i);
    memset(s.deal_seed.at, 5, SEED_SIZE);
    sitting_deal(&s, deck);
    ruleset_make(&s.rules, &g);
    for (int i = 0; i < moves && s.match.stage == MATCH_PLAYING; i++) {
        round_legal(&g, &s.match.round, s.match.round.turn, legal);
        match_apply(&g, &s.match, s.match.round.turn, legal[0], NULL);
    }
    return s;
}

static struct str written(const struct session *s)
{
    struct buf b = {arena_alloc(sitting_arena, 16384), 0, 16384, false};
    return session_write(s, &b);
}

static void lines_read_back_the_same(void **state)
{
    uint8_t deck[N_CARDS];
    (void)state;
    for (int i = 0; i < 200; i++) {
        struct session back;
        deck_shuffled((uint64_t)i * 7919 + 1, deck);
        struct session s = table(i % 4, deck, i % 9);
        if (s.match.stage == MATCH_OVER)
            continue;
        struct str line = written(&s);
        const char *wrong = session_read(line, &sitting_made, &back);
        if (wrong)
            fail_msg("%s in %.*s", wrong, STR_ARG(line));
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
    return arena_print(sitting_arena, "%.*s%s%.*s", (int)(at - line.p), line.p, to,
                       (int)(line.n - (size_t)(at - line.p) - strlen(from)), at + strlen(from));
}

/* A line with this in it instead of that is refused, and by this name. */
struct change {
    const char *from, *to, *wrong;
};

static void are_refused(struct str line, const struct change *rows, size_t n)
{
    struct session back = {.no = 99};
    for (size_t i = 0; i < n; i++) {
        const char *wrong =
            session_read(replaced(line, rows[i].from, rows[i].to), &sitting_made, &back);
        if (!wrong || strcmp(wrong, rows[i].wrong) != 0)
            fail_msg("%s -> %s: wanted %s, found %s", rows[i].from, rows[i].to, rows[i].wrong,
                     wrong ? wrong : "nothing");
        assert_true(back.no == 99);
    }
}

static void a_rematch_reads_back_the_same(void **state)
{
    static const struct change rows[] = {
        {" first=1", " first=2", "first"}, /* two players */
        {" first=1", " first=3", "first"},
        {" again=1", " again=2", "again"},
        {"first_dealer=1", "first_dealer=0", "first"}, /* drawn, though it is known */
    };
    uint8_t deck[N_CARDS];
    struct session back;
    (void)state;
    deck_shuffled(3, deck);
    struct session s = table(0, deck, 2);
    s.again = true;
    s.first = 1;
    s.rules.first_dealer = FIRST_CHALLENGER;
    struct str line = written(&s);
    assert_null(session_read(line, &sitting_made, &back));
    assert_true(back.again && back.first == 1);
    are_refused(line, rows, sizeof rows / sizeof *rows);
}

/* The same table on two networks: Bo sits in a chat of the second. */
static struct session on_two_networks(struct session s)
{
    s.n_more = 1;
    s.more[0] = (struct venue){
        .chat = 8, .account = 2, .utc_offset = -3600, .season = SEASON_MONTH, .direct = true};
    NAME_PUT(s.more[0].chat_key, STR("!isle:koi.test"));
    NAME_PUT(s.more[0].chat_name, STR("Isle 7"));
    s.player[1].account = 2;
    s.player[1].venue = 1;
    s.ping = 7;
    s.ping_venue = s.ping_seat = 1;
    s.by_code = true;
    return s;
}

static void venues_read_back_the_same(void **state)
{
    static const struct change rows[] = {
        {" v1.chat=8", "", "venue"},
        {" v1.chat=8", " v2.chat=8", "venue"},
        {" v1.chat=8", " v3.chat=8", "unknown field"},
        {" v1.chat=8", " v1.chat=8 v1.chat=8", "chat"},
        {" v1.direct=1", " v1.direct=2", "direct"},
        {" v1.season=1", " v1.season=3", "season"},
        {" p1.venue=1", " p1.venue=2", "venue"},
        {" pingat=1", " pingat=2", "venue"},
        {" chat=3", " chat=3 chat=3", "chat"},
    };
    uint8_t deck[N_CARDS];
    struct session back;
    (void)state;
    deck_shuffled(3, deck);
    struct session s = on_two_networks(table(0, deck, 2));
    struct str line = written(&s);
    assert_null(session_read(line, &sitting_made, &back));
    assert_true(str_is(line, written(&back)));
    assert_int_equal(back.n_more, 1);
    assert_memory_equal(&back.more[0], &s.more[0], sizeof s.more[0]);
    assert_int_equal(session_venue_of(&back, 8), 1);
    assert_int_equal(session_venue_of(&back, 3), 0);
    assert_int_equal(session_venue_of(&back, 9), -1);
    are_refused(line, rows, sizeof rows / sizeof *rows);
}

static void a_venue_that_goes_leaves_the_others_as_they_are(void **state)
{
    uint8_t deck[N_CARDS];
    (void)state;
    deck_shuffled(3, deck);
    struct session s = on_two_networks(table(0, deck, 2));
    s.more[1] = s.more[0];
    s.more[1].chat = 9;
    s.n_more = 2;
    s.player[1].venue = s.ping_venue = 2;
    session_drop_venue(&s, 1);
    assert_int_equal(s.n_more, 1);
    assert_int_equal(s.more[0].chat, 9);
    assert_int_equal(s.player[0].venue, 0);
    assert_int_equal(s.player[1].venue, 1);
    assert_int_equal(s.ping_venue, 1);
}

static void wrong_lines_are_named(void **state)
{
    static const struct change rows[] = {
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
        {" left=-1", " left=2", "resign"},
        {" p1.lot=4", " p1.lot=60", "lot"},
    };
    uint8_t deck[N_CARDS];
    struct session back;
    (void)state;
    deck_shuffled(3, deck);
    struct session s = table(0, deck, 2);
    struct str line = written(&s);
    are_refused(line, rows, sizeof rows / sizeof *rows);
    for (size_t n = 0; n < line.n; n += 3) /* cut anywhere: never read as whole */
        assert_non_null(session_read((struct str){line.p, n}, &sitting_made, &back));
}

/* ---- secrecy ---- */

struct heard {
    char text[64 * 1024];
    struct buf b;
};

/* Everything that seat 0, or only the group, reads of `kinds` about a session. */
static void tell(const struct session *s, int seat, struct heard *h)
{
    static const enum say_kind kinds[] = {SAY_BOARD, SAY_HAND,  SAY_YAKU,
                                          SAY_PING,  SAY_SCORE, SAY_VERIFY};
    static const uint8_t key[PRESS_KEY_BYTES];
    struct letter out[MAX_OUTGOING];
    struct effects fx = {.arena = sitting_arena};
    struct world w = {.languages = &sitting_languages,
                      .made = &sitting_made,
                      .n_presets = 4,
                      .presets = sitting_presets,
                      .default_language = STR("en")};
    struct event e = {.now = 1000, .account = 1, .from = {.id = STR("a")}};
    struct place p = {
        1, CAN_BUTTONS | CAN_EDIT | CAN_DIRECT | CAN_STYLE | CAN_POPUP, {.text_chars = 4000}, key};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (seat < 0 && kinds[i] == SAY_HAND)
            continue;
        struct say *say = effect_say(&fx, kinds[i], kinds[i] == SAY_HAND ? TO_SEAT : TO_TABLE);
        say->seat = (int8_t)(kinds[i] == SAY_PING ? 0 : seat);
        say->fresh = true;
        say->table =
            effect_table(&fx, &sitting_made, s,
                         kinds[i] == SAY_HAND || kinds[i] == SAY_YAKU ? seat : SEAT_PUBLIC);
    }
    const struct places places = {1, &p};
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

static void nobody_sees_what_is_hidden(void **state)
{
    static struct heard ann, ann_elsewhere, group, group_elsewhere;
    uint8_t deck[N_CARDS];
    struct luck luck = luck_seed(77);
    int differed = 0;
    (void)state;
    for (int i = 0; i < 60; i++) {
        deck_shuffled((uint64_t)i * 104729 + 5, deck);
        struct session s = table(3, deck, i % 8);
        if (s.match.stage != MATCH_PLAYING || s.match.round.phase != PHASE_HAND)
            continue;
        struct session t = s;
        t.match = other_world(&s.match, 0, &luck);
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

/* Every letter about a hand goes to its owner, by the account they play from, and says nothing of
 * it on the other network: what is said there is the same whatever that hand is. */
static void a_hand_is_said_on_its_own_network_alone(void **state)
{
    static const uint8_t key[PRESS_KEY_BYTES];
    static char heard[2][32 * 1024];
    uint8_t deck[N_CARDS];
    (void)state;
    for (int k = 0; k < 2; k++) {
        struct letter out[MAX_OUTGOING];
        struct effects fx = {.arena = sitting_arena};
        struct world w = {
            .languages = &sitting_languages, .made = &sitting_made, .default_language = STR("en")};
        struct event e = {.now = 1000, .account = 1, .from = {.id = STR("a")}};
        const struct place at[] = {
            {1, CAN_BUTTONS | CAN_EDIT | CAN_DIRECT, {.text_chars = 4000}, key},
            {2, CAN_EDIT | CAN_DIRECT, {.text_chars = 4000}, key}};
        const struct places places = {2, at};
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
            struct say *say = effect_say(&fx, SAY_HAND, TO_SEAT);
            say->seat = (int8_t)seat;
            say->fresh = true;
            say->table = effect_table(&fx, &sitting_made, &s, seat);
        }
        effect_say(&fx, SAY_BOARD, TO_TABLE)->table =
            effect_table(&fx, &sitting_made, &s, SEAT_PUBLIC);
        int n = present(&w, &e, &fx, &places, out);
        assert_int_equal(n, 3); /* a private venue shows the board beside the hand */
        for (int i = 0; i < n; i++) {
            bool private = out[i].out.where == TO_DIRECT;
            assert_true(!private || (out[i].account == 1 && str_is(out[i].out.to, STR("a"))));
            if (out[i].account == 2 || !private)
                buf_put(&b, out[i].out.text);
        }
        buf_char(&b, '\0');
        assert_false(b.cut);
        assert_true(b.n > 500);
    }
    assert_string_equal(heard[0], heard[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_read_back_the_same),
        cmocka_unit_test(a_rematch_reads_back_the_same),
        cmocka_unit_test(venues_read_back_the_same),
        cmocka_unit_test(a_venue_that_goes_leaves_the_others_as_they_are),
        cmocka_unit_test(wrong_lines_are_named),
        cmocka_unit_test(nobody_sees_what_is_hidden),
        cmocka_unit_test(a_hand_is_said_on_its_own_network_alone),
    };
    return cmocka_run_group_tests(tests, sitting_open, sitting_close);
}
