/* Match records: the writer follows the format, records replay and verify, an independent checker
 * agrees, and any change to a record is found at the changed line. */
#include "engine/test.h"
#include "fixture/match/random_match.h"
#include "fixture/match/record_check.h"
#include "record.h"
#include "record_rounds.h"
#include "replay.h"
#include "stride.h"

#include <cjson/cJSON.h>

static char room[SELFPLAY_RECORD_MAX];

static void refused(struct str record, int wanted_line, const char *part)
{
    struct err err = {""};
    int line = 0;
    assert_false(replay_record(record, NULL, &line, &err));
    /* the caller adds the line of the record */
    if (line != wanted_line || !strstr(err.text, part) || strncmp(err.text, "line ", 5) == 0)
        fail_msg("line %d: %s, not line %d with \"%s\"", line, err.text, wanted_line, part);
}

/* ---- one short match, written by hand from the format page ---- */

/* All follows from the seed 00 01 ... 1f, id M, round 1, seeds a and b. The challenger deals, so
 * Ann, the dealer, is seat 0: packets of 4 to Bo, Ann, the table, twice. */
static const char opening[] = "{\"t\":\"match\",\"v\":1,\"id\":\"M\",\"rules\":%s,\"players\":["
                              "\"Ann\",\"Bo\"],\"lots\":null,\"dealer\":0}\n";
static const char deal_line[] = "{\"t\":\"deal\",\"round\":1,\"attempt\":1,\"dealer\":0,\"commit\":"
                                "\"630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"
                                "\",\"client_seeds\":[\"a\",\"b\"],";
static const char leave_lines[] =
    "{\"t\":\"leave\",\"p\":1,\"why\":\"timeout\"}\n"
    "{\"t\":\"round_end\",\"round\":1,\"why\":\"leave\",\"winner\":null,\"yaku\":{},\"base\":0,"
    "\"multipliers\":[],"
    "\"points\":0,\"scores\":[25,25],\"server_seed\":"
    "\"000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f\"}\n"
    "{\"t\":\"match_end\",\"why\":\"leave\",\"winner\":0,\"scores\":[25,25]}\n";

static struct rules short_sensei(void)
{
    struct rules r = rules_named("sensei");
    r.first_dealer = FIRST_CHALLENGER;
    r.rounds = 3;
    return r;
}

/* The match above, before its first deal. */
static struct known {
    struct rules r;
    struct ruleset g;
    struct record_head h;
    struct record_deal d;
    struct match m;
    struct round_log log;
    struct buf b; /* the record, in `room` */
    uint8_t deck[N_CARDS];
} known;

static void begin(const char *preset, const char *id)
{
    known = (struct known){.r = rules_named(preset), .b = BUF(room)};
    known.r.first_dealer = FIRST_CHALLENGER;
    known.h = (struct record_head){.id = str_of(id),
                                   .rules = &known.r,
                                   .players = 2,
                                   .names = {STR("Ann"), STR("Bo")},
                                   .seats = {.joined = {0, 1}}};
    known.d = (struct record_deal){.round = 1,
                                   .attempt = 1,
                                   .players = 2,
                                   .clients = {STR("a"), STR("b")},
                                   .deck = known.deck};
}

static void begin_known(void)
{
    begin("sensei", "M");
    known.r.rounds = 3;
    for (int i = 0; i < SEED_SIZE; i++)
        known.d.seed.at[i] = (uint8_t)i;
    chance_shuffle(&known.d.seed, known.h.id, 1, 1, 2, known.d.clients, NO_BEACON, known.deck);
    ruleset_make(&known.r, &known.g);
    record_match(&known.b, &known.h);
    match_start(&known.r, 2, 0, &known.m);
}

static void deal_known(void)
{
    record_deal(&known.b, &known.r, &known.d);
    match_deal(&known.g, &known.m, known.deck, &known.log);
}

static void write_log(enum leave_why why)
{
    record_log(&known.b, &known.m, &known.d, &known.log, why, false);
    known.log.n = 0;
}

/* The record as text. */
static struct str ended(void)
{
    buf_char(&known.b, '\0');
    return (struct str){room, known.b.n - 1};
}

TEST(lines_are_those_of_the_format)
{
    char wanted[16384], rules_text[4096];
    struct buf w = BUF(wanted), rt = BUF(rules_text);
    begin_known();
    size_t head_n = known.b.n;
    deal_known();
    write_log(LEAVE_RESIGN);
    match_leave(&known.g, &known.m, 1, &known.log);
    write_log(LEAVE_TIMEOUT);
    struct str record = ended(), rules_json = {NULL, 0};
    assert_true(json_raw((struct str){room, head_n}, "rules", &rules_json));
    buf_put(&rt, rules_json);
    buf_char(&rt, '\0');
    buf_print(&w, opening, rules_text);
    assert_memory_equal(room, wanted, w.n);
    assert_memory_equal(room + head_n, deal_line, sizeof deal_line - 1);
    /* The published deck starts 6p1 1b 8p1 8p2 | 10p1 3r 7a 6p2 | 3p1 2a 1p1 9p2: Bo, Ann,
     * table. */
    assert_non_null(strstr(room, "\"hands\":[[\"10p1\",\"3r\",\"7a\",\"6p2\",\""));
    assert_non_null(strstr(room, "],[\"6p1\",\"1b\",\"8p1\",\"8p2\",\""));
    assert_non_null(strstr(room, "\"table\":[\"3p1\",\"2a\",\"1p1\",\"9p2\",\""));
    assert_string_equal(room + record.n - (sizeof leave_lines - 1), leave_lines);
    record_holds(record);
}

/* ---- a public beacon ---- */

#define BEACON_VALUE "e0e1e2e3e4e5e6e7e8e9eaebecedeeeff0f1f2f3f4f5f6f7f8f9fafbfcfdfeff"

/* What `koikoi verify` prints. */
static void verified(struct str record, char *ret, size_t size)
{
    struct err err = {""};
    int line = 0;
    FILE *out = fmemopen(ret, size, "w");
    assert_non_null(out);
    assert_true(verify_record(record, out, &line, &err));
    fclose(out);
}

/* The short match with these seeds, dealt with one value of a beacon and telling of another. */
static struct str mixed_record(const char *told, struct str dealt_with, struct str client)
{
    begin_known();
    known.d.clients[0] = client;
    chance_shuffle(&known.d.seed, known.h.id, 1, 1, 2, known.d.clients, dealt_with, known.deck);
    known.d.beacon = (struct record_beacon){STR("https://b.example/c"), 77, str_of(told)};
    deal_known();
    known.log.n = 0;
    match_leave(&known.g, &known.m, 1, &known.log);
    write_log(LEAVE_RESIGN);
    return ended();
}

/* The published vector's deck starts 6a 3b 10a 12p1 | 1p1 2a 8p1 4p1: Bo, Ann. */
TEST(a_beacon_is_mixed_into_its_deal)
{
    char text[2048];
    struct str record = mixed_record(BEACON_VALUE, STR(BEACON_VALUE), STR("a"));
    record_holds(record);
    assert_non_null(
        strstr(room, "\"client_seeds\":[\"a\",\"b\"],\"beacon\":{\"url\":\"https://b.example/c\","
                     "\"round\":77,\"value\":\"" BEACON_VALUE
                     "\"},\"hands\":[[\"1p1\",\"2a\",\"8p1\",\"4p1\""));
    verified(record, text, sizeof text);
    assert_non_null(strstr(text, "line 2: round 1, attempt 1: good; cut by Ann and Bo; mixed with "
                                 "round 77 of the beacon https://b.example/c, which must "
                                 "be " BEACON_VALUE "\n"));
    assert_non_null(strstr(text, "deals cut by a player: 1."));
    assert_non_null(strstr(text, "deals mixed with a beacon: 1."));
    assert_null(strstr(text, "nobody cut"));
}

TEST(a_wrong_or_missing_beacon_is_found)
{
    char other[] = BEACON_VALUE;
    struct str value = STR(BEACON_VALUE), a = STR("a");
    other[0] = 'f';
    refused(mixed_record(other, value, a), 2, "hands, table, stock");
    refused(mixed_record("", value, a), 2, "hands, table, stock");
    refused(mixed_record(BEACON_VALUE, NO_BEACON, a), 2, "hands, table, stock");
    refused(mixed_record("E0", value, a), 2, "beacon.value: expected 64 hex digits");
}

/* `seat N` is what stands for a seat that did not cut. Bo's text here is b. */
TEST(verify_says_who_cut)
{
    char text[2048];
    verified(mixed_record("", NO_BEACON, STR("seat 0")), text, sizeof text);
    assert_non_null(strstr(text, "line 2: round 1, attempt 1: good; cut by Bo\n"));
    assert_null(strstr(text, "beacon"));
    verified(mixed_record("", NO_BEACON, STR("seat 1")), text, sizeof text);
    assert_non_null(strstr(text, "good; cut by Ann and Bo\n"));
}

/* ---- resignations between rounds ---- */

TEST(leaving_between_rounds_ends_the_match)
{
    begin_known();
    match_leave(&known.g, &known.m, 0, &known.log); /* before the first deal */
    write_log(LEAVE_RESIGN);
    struct str record = ended();
    assert_non_null(strstr(
        room,
        "{\"t\":\"leave\",\"p\":0,\"why\":\"resign\"}\n{\"t\":\"match_end\",\"why\":\"leave\","
        "\"winner\":1,\"scores\":[25,25]}\n"));
    record_holds(record);
}

/* Okoshki: seat 1 has four of a month, calls a redeal out of turn, and leaves before the next
 * deal. */
TEST(leaving_after_a_void_deal)
{
    struct move redeal = {.kind = MOVE_REDEAL, .card = CARD_NONE};
    begin("okoshki", "V");
    ruleset_make(&known.r, &known.g);
    for (unsigned i = 0;; i++) { /* a deal in which seat 1 may call it */
        known.d.seed.at[0] = (uint8_t)i;
        known.d.seed.at[1] = (uint8_t)(i >> 8);
        chance_shuffle(&known.d.seed, known.h.id, 1, 1, 2, known.d.clients, NO_BEACON, known.deck);
        match_start(&known.r, 2, 0, &known.m);
        known.log.n = 0;
        match_deal(&known.g, &known.m, known.deck, &known.log);
        if (known.m.stage == MATCH_PLAYING && known.m.round.may_redeal[1])
            break;
    }
    record_match(&known.b, &known.h);
    record_deal(&known.b, &known.r, &known.d);
    write_log(LEAVE_RESIGN);
    assert_int_equal(match_apply(&known.g, &known.m, 1, redeal, &known.log), LEGAL);
    write_log(LEAVE_RESIGN);
    match_leave(&known.g, &known.m, 1, &known.log);
    write_log(LEAVE_RESIGN);
    struct str record = ended();
    assert_non_null(strstr(room, "{\"t\":\"void\",\"round\":1,\"attempt\":1,\"why\":\"hand_four\","
                                 "\"p\":1,\"server_seed\":"));
    record_holds(record);
}

/* ---- every line, every value changed ---- */

struct record_parts {
    int n;
    struct str line[1024];
};

static struct record_parts split(struct str record)
{
    struct record_parts p = {.n = 0};
    while (record.n > 0)
        p.line[p.n++] = str_cut(record, '\n', &record);
    return p;
}

/* The record with line k (from 0) replaced. */
static struct str with_line(const struct record_parts *p, int k, const char *line, char *space,
                            size_t size)
{
    struct buf b = {space, 0, size, false};
    for (int i = 0; i < p->n; i++) {
        buf_put(&b, i == k ? str_of(line) : p->line[i]);
        buf_char(&b, '\n');
    }
    assert_false(b.cut);
    return buf_str(&b);
}

/* Another value of the same kind; a card becomes one of the next month, which is never valid
 * there. */
static void change(cJSON *v)
{
    char text[256];
    if (cJSON_IsNumber(v)) {
        cJSON_SetNumberValue(v, v->valuedouble + 1);
    } else if (cJSON_IsString(v)) {
        size_t n = strlen(v->valuestring);
        int card = card_read(v->valuestring, n);
        if (card != CARD_NONE) {
            card_code((card + 4) % N_CARDS, text);
        } else {
            snprintf(text, sizeof text, "%s", v->valuestring);
            if (n == 64)
                text[63] = text[63] == '0' ? '1' : '0';
            else
                snprintf(text, sizeof text, "%sx", v->valuestring);
        }
        cJSON_SetValuestring(v, text);
    } else if (cJSON_IsNull(v)) {
        v->type = cJSON_Number;
        v->valuedouble = 0;
        v->valueint = 0;
    }
}

struct mutation {
    const struct record_parts *parts;
    int line, count;
    cJSON *root;
    bool maybe_later;
};

static char changed[SELFPLAY_RECORD_MAX], before[SELFPLAY_RECORD_MAX];

static void expect_refusal(struct mutation *m)
{
    char *text = cJSON_PrintUnformatted(m->root);
    struct err err = {""};
    int line = 0;
    struct str record = with_line(m->parts, m->line, text, changed, sizeof changed);
    if (replay_record(record, NULL, &line, &err))
        fail_msg("line %d was let pass: %s", m->line + 1, text);
    if (line < m->line + 1 || (line > m->line + 1 && !m->maybe_later))
        fail_msg("line %d was blamed (%s) for line %d: %s", line, err.text, m->line + 1, text);
    m->count++;
    cJSON_free(text);
}

static void mutate(struct mutation *m, cJSON *v)
{
    for (cJSON *c = v->child; c; c = c->next) {
        if (c->string && strcmp(c->string, "rules") == 0)
            continue; /* a field that no round used has no effect */
        if (cJSON_IsArray(c) || cJSON_IsObject(c)) {
            mutate(m, c);
            continue;
        }
        cJSON *old = cJSON_Duplicate(c, true);
        /* Another card may be legal too: then the first move that differs is wrong. */
        m->maybe_later = c->string && strcmp(c->string, "card") == 0;
        change(c);
        expect_refusal(m);
        cJSON *next = c->next;
        cJSON_ReplaceItemViaPointer(v, c, old);
        c = old;
        assert_ptr_equal(c->next, next);
    }
}

/* A field less, and one more. */
static void strip_fields(struct mutation *m)
{
    m->maybe_later = false;
    for (int i = 0, n = cJSON_GetArraySize(m->root); i < n; i++) {
        cJSON *copy = cJSON_Duplicate(m->root, true), *whole = m->root;
        cJSON_DeleteItemFromArray(copy, i);
        m->root = copy;
        expect_refusal(m);
        m->root = whole;
        cJSON_Delete(copy);
    }
    cJSON_AddNumberToObject(m->root, "more", 1);
    expect_refusal(m);
    cJSON_DeleteItemFromObject(m->root, "more");
}

static int mutate_record(struct str record)
{
    struct record_parts parts;
    int count = 0;
    memcpy(before, record.p, record.n);
    parts = split((struct str){before, record.n});
    record_holds(record);
    for (int k = 0; k < parts.n; k++) {
        struct mutation m = {.parts = &parts,
                             .line = k,
                             .root = cJSON_ParseWithLength(parts.line[k].p, parts.line[k].n)};
        assert_non_null(m.root);
        mutate(&m, m.root);
        strip_fields(&m);
        cJSON_Delete(m.root);
        count += m.count;
    }
    return count;
}

TEST(nothing_can_be_changed)
{
    struct rules r = rules_named("sensei");
    r.rounds = 3;
    assert_true(mutate_record(random_record(&r, 2, 11, 0, room, sizeof room)) > 500);
    r = rules_named("okoshki"); /* redeals, extra rounds */
    r.n_rounds_allowed = 1;
    r.rounds = r.rounds_allowed[0] = 1;
    assert_true(mutate_record(random_record(&r, 2, 4, 0, room, sizeof room)) > 100);
}

TEST(lines_cannot_be_dropped_doubled_or_swapped)
{
    struct rules r = short_sensei();
    struct str record = random_record(&r, 2, 3, 0, room, sizeof room);
    struct record_parts parts;
    memcpy(before, record.p, record.n);
    parts = split((struct str){before, record.n});
    for (int k = 0; k < parts.n; k++) {
        struct buf drop = BUF(changed);
        struct err err;
        int line = 0;
        for (int i = 0; i < parts.n; i++)
            if (i != k) {
                buf_put(&drop, parts.line[i]);
                buf_char(&drop, '\n');
            }
        assert_false(replay_record(buf_str(&drop), NULL, &line, &err));
        /* Without a line the next one is wrong; without the last one the error says that it is
         * missing. A missing seed of a deal shows only at the next deal or at the end. */
        assert_true(line >= k + 1);
        struct buf twice = BUF(changed);
        for (int i = 0; i < parts.n; i++)
            for (int j = 0; j < 1 + (i == k); j++) {
                buf_put(&twice, parts.line[i]);
                buf_char(&twice, '\n');
            }
        assert_false(replay_record(buf_str(&twice), NULL, &line, &err));
        assert_int_equal(line, k + 2);
    }
}

static bool is_line(struct str line, const char *t)
{
    char begin[24];
    snprintf(begin, sizeof begin, "{\"t\":\"%s\"", t);
    return str_starts(line, str_of(begin));
}

/* The record without its lines from..to, with those twice. */
static void copy_lines(const struct record_parts *parts, int from, int to, int times,
                       struct buf *ret)
{
    for (int i = 0; i < parts->n; i++)
        if (i < from || i > to) {
            buf_put(ret, parts->line[i]);
            buf_char(ret, '\n');
        } else if (i == from) {
            for (int k = 0; k < times * (to - from + 1); k++) {
                buf_put(ret, parts->line[from + k % (to - from + 1)]);
                buf_char(ret, '\n');
            }
        }
}

/* Whoever leaves out a deal that was begun, or shows one twice, chose among decks. */
TEST(verify_misses_no_deal)
{
    struct rules r = rules_named("console"); /* four of a month in a hand: the deal is void */
    int left_out = 0, voids = 0;
    for (uint64_t seed = 1; seed < 60; seed++) {
        struct str record = random_record(&r, 2, seed, 0, room, sizeof room);
        memcpy(before, record.p, record.n);
        struct record_parts parts = split((struct str){before, record.n});
        for (int from = 0, to; from < parts.n; from++) {
            struct buf without = BUF(changed);
            struct err err;
            int line = 0;
            if (!is_line(parts.line[from], "deal"))
                continue;
            for (to = from;
                 !is_line(parts.line[to], "round_end") && !is_line(parts.line[to], "void");)
                to++;
            voids += is_line(parts.line[to], "void");
            copy_lines(&parts, from, to, 2, &without);
            assert_false(verify_record(buf_str(&without), NULL, &line, &err));
            assert_int_equal(line, to + 2);
            if (is_line(parts.line[to + 1], "match_end"))
                continue; /* that the match could have gone on is for replay to say */
            without.n = 0;
            copy_lines(&parts, from, to, 0, &without);
            assert_false(verify_record(buf_str(&without), NULL, &line, &err));
            assert_int_equal(line, from + 1);
            left_out++;
        }
    }
    if (left_out < 5 || voids == 0)
        fail_msg("%d deals left out, %d void", left_out, voids);
}

/* One changed byte anywhere in a record: the error names its line and the reason. */
TEST(no_byte_can_be_broken)
{
    struct rules r = short_sensei();
    int wanted = 1, broken = 0;
    r.first_dealer = FIRST_LOTS; /* so that every value of the first line is checked */
    struct str record = random_record(&r, 2, 3, 0, room, sizeof room);
    memcpy(changed, record.p, record.n);
    for (size_t i = 0; i < record.n; i++) {
        char was = changed[i];
        if (was == '\n')
            wanted++;
        if (was == '\n' || was == '}' || i % (size_t)stride(151, 23) != 0)
            continue;
        changed[i] = '}';
        struct err err = {""};
        int line = 0;
        if (replay_record((struct str){changed, record.n}, NULL, &line, &err))
            fail_msg("byte %zu, '%c', can be broken", i, was);
        if (line != wanted || err.text[0] == '\0' || strncmp(err.text, "line ", 5) == 0)
            fail_msg("byte %zu, '%c', line %d: line %d: %s", i, was, wanted, line, err.text);
        changed[i] = was;
        broken++;
    }
    assert_true(broken > stride(30, 200));
}

TEST(wrong_lines_are_refused_with_their_number)
{
    refused(STR(""), 1, "expected match_end, got the end");
    refused(STR("\n"), 1, "column 1: a value is missing");
    refused(STR("[]\n"), 1, "expected an object, got []");
    refused(STR("{}\n"), 1, "t: missing");
    refused(STR("{\"t\":\"deal\"}\n"), 1, "t: expected match in the first line, got deal");
    refused(STR("{\"t\":\"match\",\"v\":2}\n"), 1, "v: expected a whole number from 1 to 1, got 2");
    refused(STR("{\"t\":\"match\",\"v\":1,\"id\":\"\\u0000\"}\n"), 1, "a zero character");
    refused(STR("{\"t\":\"match\",\"v\":1,\"id\":\"M\",\"rules\":\"sensei\"}\n"), 1,
            "rules: expected a rule set without `extends`");
}

/* ---- an independent checker ---- */

static void write_records(struct record_folder *folder)
{
    static const char *const names[] = {"sensei",   "mongolopedia", "okoshki",
                                        "standard", "console",      "steam"};
    struct rng rng = rng_seed(2024);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        for (int k = 0; k < stride(1, 20); k++) {
            struct rules r = rules_named(names[i]);
            struct str record = random_record(&r, 2 + (i == 1 && k % 2), (uint64_t)k,
                                              k % 5 ? 0 : 60, room, sizeof room);
            record_holds(record);
            record_folder_save(folder, record);
        }
    for (int k = 0; k < stride(10, 220); k++) {
        struct rules r = random_short_rules(&rng);
        int players = r.players_allowed & 8 ? 2 + k % 2 : 2;
        struct str record =
            random_record(&r, players, rng_next(&rng), k % 7 ? 0 : 30, room, sizeof room);
        record_holds(record);
        record_folder_save(folder, record);
    }
}

TEST(another_program_finds_the_same_numbers)
{
    struct record_folder folder;
    char said[4096], wanted[64];
    record_folder_open(&folder);
    write_records(&folder);
    if (!record_folder_agrees(&folder, said, sizeof said))
        fail_msg("%s", said);
    snprintf(wanted, sizeof wanted, "%d records checked\n", folder.n);
    assert_string_equal(said, wanted);
    /* And it refuses: one number wrong. */
    struct rules r = short_sensei();
    struct str record = random_record(&r, 2, 3, 0, room, sizeof room);
    char *points = strstr(strstr(room, "\"t\":\"round_end\""), "\"points\":");
    assert_non_null(points);
    points[9] = points[9] == '9' ? '8' : (char)(points[9] + 1);
    record_folder_save(&folder, record);
    assert_false(record_folder_agrees(&folder, said, sizeof said));
    assert_non_null(strstr(said, "points is"));
    record_folder_close(&folder);
}

/* ---- summaries of rounds ---- */

/* The cards of a summary make the sets that it names; those of the last turn are among them. */
TEST(a_summary_has_the_winners_cards)
{
    struct arena *a = arena_open(1 << 20);
    struct rng rng = {7};
    int won = 0;
    for (int k = 0; k < 60; k++) {
        arena_reset(a);
        const struct round_summary *rounds;
        struct rules r = rules_named(k % 2 ? "standard" : "sensei");
        struct str record = random_record(&r, 2, rng_next(&rng), 0, room, sizeof room);
        int n = record_rounds_read(a, record, &rounds);
        for (int i = 0; i < n; i++) {
            for (int y = 0, need; y < N_YAKU && rounds[i].why == WHY_STOP; y++) {
                cardset set = yaku_cards(&r, (enum yaku)y, &need);
                if (rounds[i].worth[y] > 0)
                    assert_true(set_count(set & rounds[i].pile) >= need);
            }
            won += rounds[i].why == WHY_STOP;
            assert_true(rounds[i].why != WHY_STOP || rounds[i].last);
            assert_int_equal(rounds[i].last & ~rounds[i].pile, 0);
            assert_true(rounds[i].why != WHY_HAND_YAKU || set_count(rounds[i].pile) == 8);
        }
    }
    assert_true(won > 100);
    arena_close(a);
}

/* ---- exports for people ---- */

TEST(a_replay_is_readable_text)
{
    static char said[1 << 20];
    struct rules r = rules_named("mongolopedia");
    struct str record = random_record(&r, 3, 5, 0, room, sizeof room);
    struct err err;
    int line = 0;
    FILE *out = fmemopen(said, sizeof said, "w");
    assert_non_null(out);
    assert_true(replay_record(record, out, &line, &err));
    fclose(out);
    assert_int_equal(strncmp(said, "match test: mongolopedia, 12 rounds: ", 37), 0);
    assert_non_null(strstr(said, "\nround 1, attempt 1, dealer "));
    assert_non_null(strstr(said, "\n  table: "));
    assert_non_null(strstr(said, " takes "));
    assert_non_null(strstr(said, "\nround 12: "));
    assert_non_null(strstr(said, "\nmatch over: rounds, winner "));
    const char *at = said; /* what was played and drawn, in its order */
    int n = 0;
    for (struct str rest = record, l = str_cut(rest, '\n', &rest); l.n > 0;
         l = str_cut(rest, '\n', &rest)) {
        char what[8], card[8], part[24];
        if (sscanf(l.p, "{\"t\":\"%7[a-z]\",\"p\":%*d,\"card\":\"%7[^\"]", what, card) != 2)
            continue;
        snprintf(part, sizeof part, " %s %s", what, card);
        at = strstr(at, part);
        assert_non_null(at);
        at += strlen(part);
        n++;
    }
    assert_true(n > 100);
}
