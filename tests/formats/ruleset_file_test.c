/* Rule-set files: the presets equal the rules page, and each kind of fault has its own error. */
#include "engine/test.h"
#include "engine/presets.h"
#include "ruleset_file.h"

#include <cjson/cJSON.h>

#include <sys/stat.h>
#include <unistd.h>

static const struct str nowhere = {NULL, 0};

/* Here an apostrophe stands for the quotation mark of JSON, in files and in messages. */
static const char *quoted(const char *text)
{
    static char room[4][RULESET_FILE_MAX + 2];
    static int n;
    char *at = room[n++ % 4];
    snprintf(at, sizeof *room, "%s", text);
    for (char *c = at; (c = strchr(c, '\''));)
        *c = '"';
    return at;
}

static struct rules good(const char *text)
{
    struct rules r;
    struct err err;
    text = quoted(text);
    if (!ruleset_file_read(nowhere, str_of(text), &r, &err))
        fail_msg("%s: %s", text, err.text);
    return r;
}

static void bad(const char *text, const char *message)
{
    struct rules r = {.rounds = 77};
    struct err err = {""};
    assert_false(ruleset_file_read(nowhere, str_of(quoted(text)), &r, &err));
    assert_string_equal(err.text, quoted(message));
    assert_int_equal(r.rounds, 77); /* untouched */
}

/* Compares fields; padding bytes may differ. */
static void same_rules(const struct rules *a, const struct rules *b)
{
    char ta[RULESET_TEXT_MAX], tb[RULESET_TEXT_MAX];
    struct buf ba = BUF(ta), bb = BUF(tb);
    ruleset_file_write(&ba, a);
    ruleset_file_write(&bb, b);
    buf_char(&ba, '\0');
    buf_char(&bb, '\0');
    assert_false(ba.cut || bb.cut);
    assert_string_equal(ta, tb);
}

TEST(the_presets_are_those_of_the_rules_page)
{
    static const char *const names[N_PRESETS] = {"sensei",   "mongolopedia", "okoshki",
                                                 "standard", "console",      "steam"};
    for (int i = 0; i < N_PRESETS; i++) {
        struct rules r;
        struct err err;
        assert_true(ruleset_file_find(nowhere, str_of(names[i]), &r, &err));
        same_rules(&r, &presets[i]);
    }
}

TEST(a_written_rule_set_follows_the_format_and_reads_back)
{
    /* The example of the format page, literally. */
    static const char sensei[] =
        "{'name':'sensei','players':[2],'rounds':12,'rounds_allowed':[3,6,12],'scoring':'coins','"
        "purse':{'3':25,'6':50,'12':100},'hand':{'2':8},'table':{'2':8},'deal':{'packet':4,'order':"
        "'others_dealer_table'},'first_dealer':'lots','tie_break':'none','table_four':'redeal','"
        "hand_four':'none','hand_yaku':{'four':6,'pairs':6,'double_four':14,'claim':'declared','"
        "multiplied':true},'capture':'forced','wild_lightning':false,'exhausted':'draw','"
        "multipliers':{'seven_plus':{'points':7,'min_yaku':1,'x':2},'own_koikoi':'double_each','"
        "opponent_koikoi':'double_once','any_koikoi':'none','table_brights':false},'yaku':{'goko':"
        "10,'shiko':8,'ame_shiko':7,'sanko':5,'tsukimi':5,'hanami':5,'inoshikacho':5,'akatan':5,'"
        "aotan':5,'tane':1,'tanzaku':1,'kasu':1,'hiki':0},'viewing':{'rain_cancels':'none','both':"
        "0,'with_brights':true},'sake_is_plain':true,'trio_extra':'none','words':'sensei','deck':'"
        "hanafuda'}";
    char text[RULESET_TEXT_MAX];
    struct buf b = BUF(text);
    struct rules r = good(sensei);
    ruleset_file_write(&b, &r);
    buf_char(&b, '\0');
    assert_string_equal(text, quoted(sensei));
    for (int i = 0; i < N_PRESETS; i++) {
        struct buf again = BUF(text);
        ruleset_file_write(&again, &presets[i]);
        buf_char(&again, '\0');
        struct rules back = good(text);
        same_rules(&back, &presets[i]);
    }
}

TEST(extends_takes_fields_and_overrides_some)
{
    struct rules r;
    r = good("{'extends':'sensei','name':'mine','yaku':{'sanko':6},'hand':{'2':10},'rounds_allowed'"
             ":[6],'rounds':6}");
    assert_string_equal(r.name, "mine");
    assert_int_equal(r.yaku[YAKU_SANKO], 6);
    assert_int_equal(r.yaku[YAKU_GOKO], 10); /* objects are merged */
    assert_int_equal(r.n_rounds_allowed, 1); /* lists replace */
    assert_int_equal(r.hand[2], 10);
    assert_int_equal(r.purse[2], 100);
    r = good("{'extends':'sensei','scoring':'points','purse':null,'hand_yaku':null,'multipliers':{'"
             "seven_plus':null}}");
    assert_false(r.has_purse || r.has_hand_yaku || r.has_seven_plus);
    assert_int_equal(rules_start_score(&r), 0);
    assert_int_equal(r.own_koikoi, DOUBLING_EACH);
    /* Points may start from a purse, and need none for each number of rounds. */
    r = good("{'extends':'sensei','scoring':'points','rounds_allowed':[12,4]}");
    assert_int_equal(rules_start_score(&r), 100);
    r.rounds = 4;
    assert_int_equal(rules_start_score(&r), 0);
}

static bool reads(const cJSON *tree, struct rules *ret, struct err *err)
{
    char *text = cJSON_PrintUnformatted(tree);
    bool good = ruleset_file_read(nowhere, str_of(text), ret, err);
    cJSON_free(text);
    return good;
}

TEST(optional_fields_may_be_missing)
{
    char text[RULESET_TEXT_MAX];
    struct buf b = BUF(text);
    struct err err;
    ruleset_file_write(&b, &presets[PRESET_STANDARD]);
    cJSON *tree = cJSON_ParseWithLength(b.p, b.n);
    static const char *const optional[] = {"purse", "hand_yaku", "words", "deck"};
    for (int i = 0; i < 4; i++)
        cJSON_DeleteItemFromObjectCaseSensitive(tree, optional[i]);
    cJSON_DeleteItemFromObjectCaseSensitive(cJSON_GetObjectItem(tree, "multipliers"), "seven_plus");
    struct rules r;
    assert_true(reads(tree, &r, &err));
    assert_false(r.has_purse || r.has_hand_yaku || r.has_seven_plus);
    assert_string_equal(r.words, "standard");
    assert_string_equal(r.deck, "hanafuda");
    for (cJSON *m = tree->child, *next; m; m = next) { /* every other one is required */
        char name[64], start[96];
        snprintf(name, sizeof name, "%s", m->string);
        snprintf(start, sizeof start, "line 1: %s: missing", name);
        next = m->next;
        cJSON *copy = cJSON_Duplicate(tree, true);
        cJSON_DeleteItemFromObjectCaseSensitive(copy, name);
        assert_false(reads(copy, &r, &err));
        assert_string_equal(err.text, start);
        cJSON_Delete(copy);
    }
    cJSON_Delete(tree);
}

TEST(faults_are_named_with_line_and_field)
{
    bad("", "line 1, column 1: a value is missing");
    bad("{'extends':'sensei',\n 'name' 'x'}", "line 2, column 9: a colon is missing");
    bad("{'extends':'sensei'}x", "line 1, column 21: text behind the end");
    bad("[]", "line 1: expected an object, got []");
    bad("{'extends':'sensei',\n\n'colour':1}", "line 3: colour: unknown field");
    bad("{'extends':'sensei',\n'multipliers':{\n'seven_plus':{'x':1}}}",
        "line 3: multipliers.seven_plus.x: expected a whole number from 2 to 100, got 1");
    bad("{'extends':'sensei','multipliers':{'seven':1}}",
        "line 1: multipliers.seven: unknown field");
    bad("{'extends':'sensei','rounds':6.5}",
        "line 1: rounds: expected a whole number from 1 to 48, got 6.5");
    bad("{'extends':'sensei','rounds':1e300}",
        "line 1: rounds: expected a whole number from 1 to 48, got 1e+300");
    bad("{'extends':'sensei','rounds':'6'}",
        "line 1: rounds: expected a whole number from 1 to 48, got '6'");
    bad("{'extends':'sensei','rounds':5}", "line 1: rounds: expected one of rounds_allowed, got 5");
    bad("{'extends':'sensei','rounds':6,\n'rounds':6}", "line 1: rounds: given twice");
    bad("{'extends':'sensei','rounds_allowed':[]}",
        "line 1: rounds_allowed: expected a list of 1 to 8, got a list of 0");
    bad("{'extends':'sensei','rounds_allowed':[12,12]}",
        "line 1: rounds_allowed: expected different numbers, got 12 twice");
    bad("{'extends':'sensei','players':[4]}",
        "line 1: players: expected a whole number from 2 to 3, got 4");
    bad("{'extends':'sensei','players':[2,2]}",
        "line 1: players: expected different numbers, got 2 twice");
    bad("{'extends':'sensei','name':'a b'}",
        "line 1: name: expected 1 to 31 of a-z, 0-9, _ and -, got 'a b'");
    bad("{'extends':'sensei','name':null}", "line 1: name: expected a string, got null");
    bad("{'extends':'sensei','scoring':'gold'}",
        "line 1: scoring: expected one of coins, points, got 'gold'");
    bad("{'extends':'sensei','scoring':7}", "line 1: scoring: expected a string, got 7");
    bad("{'extends':'sensei','sake_is_plain':1}",
        "line 1: sake_is_plain: expected true or false, got 1");
    bad("{'extends':'sensei','deal':null}", "line 1: deal: expected an object, got null");
    bad("{'extends':'sensei','hand_yaku':7}",
        "line 1: hand_yaku: expected null or an object, got 7");
    bad("{'extends':'okoshki','hand_yaku':{'four':6}}", "line 1: hand_yaku.pairs: missing");
    bad("{'extends':'sensei','hand':{'4':8}}", "line 1: hand.4: unknown field");
    bad("{'extends':'sensei','hand':{'02':8}}", "line 1: hand.02: unknown field");
    bad("{'extends':'sensei','hand':{'2':0}}",
        "line 1: hand.2: expected a whole number from 1 to 48, got 0");
    bad("{'extends':'sensei','hand':8}", "line 1: hand: expected an object, got 8");
    bad("{'extends':'sensei','hand':{'2':21}}",
        "line 1: hand.2: expected at most 48 cards in 2 hands and table, got 50");
    bad("{'extends':'sensei','purse':5}", "line 1: purse: expected null or an object, got 5");
    bad("{'extends':'sensei','scoring':'points','purse':{'6':-1}}",
        "line 1: purse.6: expected a whole number from 0 to 10000, got -1");
    bad("{'extends':'standard','purse':{}}",
        "line 1: purse: expected a number of rounds or null, got {}");
    bad("{'extends':'standard','any_koikoi':'none'}", "line 1: any_koikoi: unknown field");
    bad("{'extends':'standard','multipliers':{'any_koikoi':'double_each'}}",
        "line 1: multipliers.any_koikoi: expected one of none, double_once, plus_one_each, got "
        "'double_each'");
    bad("{'extends':'nobody'}", "line 1: extends: no rule set is called 'nobody'");
    bad("{'extends':'../sensei'}",
        "line 1: extends: expected the name of a rule set, got '../sensei'");
    bad("{'extends':5}", "line 1: extends: expected a string, got 5");
}

TEST(coins_are_for_two_with_a_purse)
{
    bad("{'extends':'sensei','players':[2,3],'hand':{'3':7},'table':{'3':6}}",
        "line 1: players: expected [2], since coins are for two");
    bad("{'extends':'sensei','players':[3],'hand':{'3':7},'table':{'3':6}}",
        "line 1: players: expected [2], since coins are for two");
    bad("{'extends':'sensei','players':[2,3]}", "line 1: hand.3: missing");
    bad("{'extends':'sensei','purse':null}", "line 1: purse: missing, coins need one");
    bad("{'extends':'sensei','rounds_allowed':[12,24]}",
        "line 1: purse.24: missing, each of rounds_allowed needs one");
    bad("{'extends':'sensei','purse':{'12':0}}",
        "line 1: purse.12: expected a whole number from 1 to 10000, got 0");
}

/* ---- a folder beside the program ---- */

static char folder[] = "/tmp/koikoi-rules-XXXXXX";

static void put(const char *name, const char *text)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(quoted(text), f);
    fclose(f);
}

FIXTURE(open_folder)
{
    return mkdtemp(folder) ? 0 : -1;
}

FIXTURE(close_folder)
{
    static const char *const names[] = {"mine.json", "sensei.json", "loop.json",
                                        "ring.json", "wrong.json",  "bad.json",
                                        "note.txt",  "Big.json",    "long.json"};
    char path[128];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        unlink(path);
    }
    return rmdir(folder);
}

static void find_bad(const char *name, const char *message)
{
    struct rules r;
    struct err err;
    assert_false(ruleset_file_find(str_of(folder), str_of(name), &r, &err));
    assert_string_equal(err.text, quoted(message));
}

TEST(a_file_overrides_the_built_in_rule_set)
{
    struct rules r;
    struct err err;
    put("mine.json", "{'extends':'sensei','rounds':3}");
    put("sensei.json", "{'extends':'sensei','rounds':6}"); /* its own name: the built-in one */
    assert_true(ruleset_file_find(str_of(folder), STR("sensei"), &r, &err));
    assert_int_equal(r.rounds, 6);
    assert_true(ruleset_file_find(str_of(folder), STR("mine"), &r, &err));
    assert_string_equal(r.name, "mine");
    assert_int_equal(r.rounds, 3);
    assert_true(ruleset_file_find(str_of(folder), STR("okoshki"), &r, &err));
    assert_true(ruleset_file_find(nowhere, STR("sensei"), &r, &err));
    assert_int_equal(r.rounds, 12);
}

TEST(wrong_files_are_named_with_their_line)
{
    char *longer = malloc(RULESET_FILE_MAX + 2);
    memset(longer, ' ', RULESET_FILE_MAX + 1);
    longer[RULESET_FILE_MAX + 1] = '\0';
    put("long.json", longer);
    free(longer);
    put("loop.json", "{'extends':'ring'}");
    put("ring.json", "{'extends':'loop'}");
    put("wrong.json", "{'extends':'sensei','name':'other'}");
    put("bad.json", "{'extends':'sensei',\n'rounds':}");
    find_bad("wrong",
             "wrong.json: line 1: name: expected 'wrong', the name of its file, got other");
    find_bad("bad", "bad.json: line 2, column 10: a value is missing");
    find_bad("long", "long.json: expected at most 16384 bytes, got more");
    find_bad("nobody", "no rule set is called 'nobody'");
    find_bad("a/b", "expected the name of a rule set, got 'a/b'");
    struct rules r;
    struct err err;
    assert_false(ruleset_file_find(str_of(folder), STR("loop"), &r, &err));
    assert_non_null(
        strstr(err.text, "expected at most 8 rule sets that extend one another, got more"));
}

TEST(the_names_are_sorted_and_once)
{
    char names[16][RULES_NAME_SIZE];
    put("note.txt", "x");
    put("Big.json", "x");
    int n = ruleset_file_names(str_of(folder), 16, names);
    static const char *const wanted[] = {"bad",    "console",      "long",    "loop",
                                         "mine",   "mongolopedia", "okoshki", "ring",
                                         "sensei", "standard",     "steam",   "wrong"};
    assert_int_equal(n, 12);
    for (int i = 0; i < n; i++)
        assert_string_equal(names[i], wanted[i]);
    assert_int_equal(ruleset_file_names(nowhere, 16, names), 6);
    assert_int_equal(ruleset_file_names(nowhere, 2, names), 2);
}

TEST(a_value_inside_other_json)
{
    struct rules r;
    struct err err;
    static const char text[] =
        "{'name':'okoshki','object':{'extends':'sensei','rounds':3},'number':3}";
    struct json v = json_open(str_of(quoted(text)), JSON_LINE);
    ruleset_file_value(v, "name", nowhere, &r);
    assert_string_equal(r.name, "okoshki");
    ruleset_file_value(v, "object", nowhere, &r);
    assert_int_equal(r.rounds, 3);
    assert_true(json_good(v));
    ruleset_file_value(v, "number", nowhere, &r);
    assert_false(json_close(v, &err));
    assert_string_equal(err.text, "number: expected an object, got 3");
}

TESTS_WITH(open_folder, close_folder)
