/* The engine protocol as used by another program, with and without mistakes. */

#include "engine/test.h"
#include "engine/table.h"
#include "json_cards.h"
#include "protocol.h"
#include "tool.h"

#include <cjson/cJSON.h>

static char answer_room[PROTOCOL_ANSWER_MAX], line_room[PROTOCOL_LINE_MAX + 16];
static struct protocol *engine;
static int64_t clock_ms, clock_step;

static int64_t fake_clock(void)
{
    return clock_ms += clock_step;
}

FIXTURE(open_engine)
{
    clock_step = 1;
    engine = protocol_open((struct str){NULL, 0}, fake_clock);
    return 0;
}

FIXTURE(close_engine)
{
    protocol_close(engine);
    return 0;
}

/* Here an apostrophe stands for the quotation mark of JSON, in what is asked and answered. */
static void exchange_quotes(char *text, size_t n, char from, char to)
{
    for (size_t i = 0; i < n; i++)
        text[i] = text[i] == from ? to : text[i];
}

/* The answer without its line feed; there is exactly one. */
static const char *ask_bytes(struct str line)
{
    static char asked[PROTOCOL_LINE_MAX + 16];
    struct buf b = BUF(answer_room);
    memcpy(asked, line.p, line.n);
    exchange_quotes(asked, line.n, '\'', '"');
    protocol_line(engine, (struct str){asked, line.n}, &b);
    assert_false(b.cut);
    assert_true(b.n > 1 && b.p[b.n - 1] == '\n' && !memchr(b.p, '\n', b.n - 1));
    b.p[b.n - 1] = '\0';
    exchange_quotes(b.p, b.n, '"', '\'');
    return b.p;
}

static cJSON *tree_of(const char *text)
{
    static char json[PROTOCOL_ANSWER_MAX];
    size_t n = strlen(text) + 1;
    memcpy(json, text, n);
    exchange_quotes(json, n, '\'', '"');
    cJSON *v = cJSON_Parse(json);
    assert_non_null(v);
    return v;
}

static const char *ask(const char *line)
{
    return ask_bytes(str_of(line));
}

static cJSON *ask_tree(const char *line)
{
    cJSON *v = tree_of(ask(line));
    if (cJSON_GetObjectItem(v, "error"))
        fail_msg("%s -> %s", line, answer_room);
    return v;
}

static void answers(const char *line, const char *wanted)
{
    assert_string_equal(ask(line), wanted);
}

/* An error with this id, code and part of a message; the held round is unchanged. */
static void refuses(const char *line, const char *id, const char *code, const char *part)
{
    char before[16384], head[512];
    snprintf(before, sizeof before, "%s", ask("{'do':'state','for':'all'}"));
    snprintf(head, sizeof head, "{'id':%s,'error':{'code':'%s','message':'", id, code);
    const char *said = ask(line);
    if (strncmp(said, head, strlen(head)) != 0 || !strstr(said + strlen(head), part))
        fail_msg("%.200s -> %s\nnot %s...%s", line, said, head, part);
    assert_string_equal(ask("{'do':'state','for':'all'}"), before);
}

/* ---- decks ---- */

static const char *deck_json(const char *codes)
{
    static char text[1024];
    struct buf b = BUF(text);
    uint8_t deck[N_CARDS];
    deck_starting(codes, deck);
    json_put_cards(&b, NULL, deck, N_CARDS);
    buf_char(&b, '\0');
    return text;
}

/* standard: four to seat 1, four to seat 0 (the dealer), four to the table, twice; then the
 * stock. */
static const char plain_deal[] =
    "1b 2a 3b 4a 5a 6a 7a 8b 1r 2r 3r 4r 5r 6r 7r 8a 9a 9r 10a 10r 5p1 6p1 7p1 8p1 9p1 11b";

static const char *begin(const char *rules, const char *codes)
{
    snprintf(line_room, sizeof line_room,
             "{'id':1,'do':'new','rules':%s,'players':2,'dealer':0,'round':1,'scores':[100,100],'"
             "deck':%s}",
             rules, deck_json(codes));
    return ask(line_room);
}

/* ---- the examples of the format page ---- */

TEST(score_and_rules)
{
    answers("{'id':1,'do':'score','rules':'sensei','taken':['1b','3b','8b']}",
            "{'id':1,'yaku':{'sanko':5},'base':5}");
    answers("{'do':'score','rules':'steam','taken':['8b','9a']}",
            "{'id':null,'yaku':{'tsukimi':1},'base':1}");
    answers("{'do':'score','rules':'steam','taken':['8b','9a'],'koikoi':2}",
            "{'id':null,'yaku':{'tsukimi':3},'base':3}");
    refuses("{'do':'score','rules':'steam','taken':[],'koikoi':-1}", "null", "bad_field",
            "koikoi:");
    answers("{'do':'score','rules':'okoshki','taken':[]}", "{'id':null,'yaku':{},'base':0}");
    answers("{'do':'score','rules':{'extends':'sensei','yaku':{'sanko':9}},'taken':['12b','3b','8b'"
            ",'9a']}",
            "{'id':null,'yaku':{'sanko':9,'tsukimi':5,'hanami':5},'base':19}");
    assert_int_equal(strncmp(ask("{'id':2,'do':'rules','rules':'sensei'}"),
                             "{'id':2,'rules':{'name':'sensei','players':[2],'rounds':12,", 59),
                     0);
}

TEST(the_id_comes_back_as_it_was)
{
    static const char *const ids[] = {"7",
                                      "'x \\u00e9 \\''",
                                      "null",
                                      "true",
                                      "-0.50e+3",
                                      "[1,{'a':[ ]}]",
                                      "12345678901234567890123456789",
                                      "{'id':'do'}"};
    char line[256], wanted[256];
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        snprintf(line, sizeof line, "{'do':'score','rules':'sensei','taken':[],'id' : %s }",
                 ids[i]);
        snprintf(wanted, sizeof wanted, "{'id':%s,'yaku':{},'base':0}", ids[i]);
        answers(line, wanted);
    }
    /* Even if the rest of the line is malformed. */
    assert_int_equal(strncmp(ask("{'id':[5],'do':"), "{'id':[5],'error':{'code':'bad_json'", 36),
                     0);
}

TEST(a_state_shows_the_view_of_its_seat)
{
    assert_null(strstr(begin("'standard'", plain_deal), "error"));
    const char *seat0 = ask("{'id':5,'do':'state','for':0}");
    static const char wanted[] =
        "{'id':5,'phase':'hand','turn':0,'hand':['5a','6a','7a','8b','9a','9r','10a','10r'],'table'"
        ":['1r','2r','3r','4r','5p1','6p1','7p1','8p1'],'taken':[[],[]],'hand_sizes':[8,8],'stock_"
        "size':24,'koikoi':[0,0],'scores':[100,100],'drawn':null,'legal':[{'do':'play','card':'5a',"
        "'take':['5p1']},{'do':'play','card':'6a','take':['6p1']},{'do':'play','card':'7a','take':["
        "'7p1']},{'do':'play','card':'8b','take':['8p1']},{'do':'play','card':'9a','take':[]},{'do'"
        ":'play','card':'9r','take':[]},{'do':'play','card':'10a','take':[]},{'do':'play','card':'"
        "10r','take':[]}],'result':null,'seat':0,'dealer':0,'round':1,'rules':{'name':'standard',";
    assert_int_equal(strncmp(seat0, wanted, sizeof wanted - 1), 0);
    assert_non_null(strstr(seat0, "'table_brights':0,'last_decision':[null,null]"));
    assert_null(strstr(seat0, "'1b'"));
    assert_null(strstr(seat0, "stock':"));
    const char *seat1 = ask("{'id':5,'do':'state','for':1}");
    assert_non_null(strstr(seat1, "'hand':['1b','2a','3b','4a','5r','6r','7r','8a']"));
    assert_non_null(strstr(seat1, "'legal':[],'result':null,'seat':1"));
    const char *all = ask("{'do':'state','for':'all'}");
    assert_non_null(strstr(all, "'hands':[['5a'"));
    assert_non_null(strstr(all, "'stock':['9p1','11b',"));
    assert_null(strstr(all, "'hand':["));
}

/* Seat p may not make that move now. */
static void no_move(int p, const char *move, const char *reason)
{
    char line[256];
    snprintf(line, sizeof line, "{'id':1,'do':'apply','p':%d,'move':%s}", p, move);
    refuses(line, "1", "illegal_move", reason);
}

TEST(a_take_may_be_left_out_where_there_is_one_answer)
{
    begin(
        "'standard'",
        "1b 2a 3b 4a 5a 6a 7a 8b 5r 5p1 3r 4r 6r 7r 8a 9a 9r 10a 10r 11b 6p1 7p1 8p1 12p1 9p1 11a");
    no_move(0, "{'do':'play','card':'5a'}", "several");
    no_move(0, "{'do':'play','card':'5a','take':[]}", "cannot take");
    no_move(0, "{'do':'play','card':'1b'}", "not in this hand");
    no_move(1, "{'do':'play','card':'1b'}", "turn");
    no_move(0, "{'do':'stop'}", "phase");
    no_move(0, "{'do':'redeal'}", "redeal");
    no_move(0, "{'do':'declare'}", "hand yaku");
    no_move(0, "{'do':'choose','take':['5r']}", "phase");
    const char *after = ask("{'do':'apply','p':0,'move':{'do':'play','card':'5a','take':['5r']}}");
    assert_non_null(strstr(after, "'turn':1"));
    assert_non_null(strstr(after, "'taken':[['5a','5r'],[]]"));
    assert_non_null(strstr(after, "'stock_size':23"));
}

TEST(a_drawn_card_with_a_choice_waits)
{
    begin(
        "'standard'",
        "1b 2a 3b 4a 5a 6a 7a 8b 9a 9r 3r 4r 5r 6r 7r 8a 1r 10a 10r 11b 5p1 6p1 12p1 12p2 9p1 11a");
    const char *s = ask("{'do':'apply','p':0,'move':{'do':'play','card':'7a'}}");
    assert_non_null(strstr(s, "'phase':'draw','turn':0"));
    assert_non_null(strstr(s, "'drawn':'9p1'"));
    assert_non_null(strstr(s, "'stock_size':23"));
    assert_non_null(
        strstr(s, "'legal':[{'do':'choose','take':['9a']},{'do':'choose','take':['9r']}]"));
    refuses("{'do':'apply','p':0,'move':{'do':'choose'}}", "null", "illegal_move", "several");
    s = ask("{'do':'apply','p':0,'move':{'do':'choose','take':['9a']}}");
    assert_non_null(strstr(s, "'turn':1"));
    assert_non_null(strstr(s, "'drawn':null"));
}

TEST(deals_that_are_over_at_once)
{
    const char *s;
    /* four of a month on the table */
    s = begin("'sensei'", "1b 2a 3b 4a 5a 6a 7a 8b 9a 9r 9p1 9p2");
    assert_non_null(strstr(s, "'phase':'over'"));
    assert_non_null(strstr(s, "'result':null,'void':'table_four'"));
    assert_non_null(strstr(s, "'legal':[]"));
    refuses("{'do':'apply','p':0,'move':{'do':'resign'}}", "null", "illegal_move", "over");
    /* an automatic hand yaku: seat 1 holds four of January */
    s = begin("'standard'",
              "1b 1r 1p1 1p2 5a 6a 7a 8b 9a 9r 2r 3r 2a 3b 4a 5r 6r 7r 10r 11b 11a 12b 4r 5p1");
    assert_non_null(strstr(s, "'phase':'over'"));
    assert_non_null(strstr(s, "'result':{'why':'hand_yaku','winner':1,'yaku':{'four':6},'base':6,'"
                              "multipliers':[],'points':6,'scores':[100,106]}"));
}

TEST(a_redeal_may_be_called_out_of_turn)
{
    const char *s;
    /* okoshki: eight to the dealer, eight to seat 1, who holds January */
    begin("'okoshki'",
          "2a 3b 4a 5a 6a 7a 8b 9a 1b 1r 1p1 1p2 2r 3r 4r 5r 6r 7r 8a 9r 10a 10r 11b 12b");
    assert_non_null(strstr(ask("{'do':'state','for':1}"), "'legal':[{'do':'redeal'}]"));
    assert_null(strstr(ask("{'do':'state','for':0}"), "redeal'}"));
    /* Such a view can be asked for advice too: it has one move. */
    s = ask("{'do':'apply','p':1,'move':{'do':'redeal'}}");
    assert_non_null(strstr(s, "'phase':'over'"));
    assert_non_null(strstr(s, "'result':null,'void':'hand_four'"));
}

TEST(a_declared_hand_yaku_and_a_resignation)
{
    const char *s;
    begin("'sensei'",
          "2a 3b 4a 5a 1b 1r 1p1 1p2 9a 9r 2r 3r 6r 7r 8a 10r 6a 7a 8b 12b 4r 5r 10a 11b");
    assert_non_null(
        strstr(ask("{'do':'state','for':0}"), "'legal':[{'do':'declare'},{'do':'play'"));
    s = ask("{'do':'apply','p':0,'move':{'do':'declare'}}");
    assert_non_null(strstr(s, "'result':{'why':'hand_yaku','winner':0,'yaku':{'four':6},'base':6,'"
                              "multipliers':[],'points':6,'scores':[106,94]}"));
    begin("'sensei'", plain_deal);
    s = ask("{'do':'apply','p':1,'move':{'do':'resign'}}");
    assert_non_null(strstr(s, "'result':{'why':'leave','winner':null,'yaku':{},'base':0,'"
                              "multipliers':[],'points':0,'scores':[100,100]}"));
}

/* A loser with less pays what they own; base, yaku and multipliers stay as counted. */
TEST(points_are_capped_by_the_purse)
{
    const char *s;
    snprintf(
        line_room, sizeof line_room,
        "{'do':'new','rules':'sensei','players':2,'dealer':0,'round':12,'scores':[196,4],'deck':%"
        "s}",
        deck_json("2a 3b 4a 5a 1b 1r 1p1 1p2 9a 9r 2r 3r 6r 7r 8a 10r 6a 7a 8b 12b 4r 5r 10a 11b"));
    ask(line_room);
    s = ask("{'do':'apply','p':0,'move':{'do':'declare'}}");
    assert_non_null(strstr(s, "'base':6,'multipliers':[],'points':4,'scores':[200,0]}"));
    assert_non_null(strstr(s, "'dealer':0,'round':12,"));
}

/* ---- malformed requests ---- */

TEST(bad_lines_change_nothing)
{
    begin("'standard'", plain_deal);
    refuses("", "null", "bad_json", "");
    refuses("hello", "null", "bad_json", "column 1: a value is missing");
    assert_null(strstr(ask("hello"), "line 1")); /* it may be any line of many */
    refuses("[1,2]", "null", "bad_json", "object");
    refuses("{'id':3,'do':'state','for':0", "3", "bad_json", "comma or }");
    refuses("{'id':3,'do':'state','for':0}}", "3", "bad_json", "behind the end");
    refuses("{'id':3,'do':'state','for':01}", "3", "bad_json", "");
    refuses("{'id':3,'do':'st\\u0000ate'}", "3", "bad_json", "zero");
    refuses("{'id':3,'do':'\\ud800'}", "3", "bad_json", "not a character");
    refuses("{'id':3,'do':'\xff'}", "3", "bad_json", "UTF-8");
    refuses("{'id':'\\ud800','do':'state','for':0}", "null", "bad_json", "not a character");
    refuses("{'id':['a',{'b':'\\udc00'}],'do':'state'}", "null", "bad_json", "not a character");
    refuses("{'id':{'a':1,'a':2},'do':'fly'}", "null", "bad_json", "a: given twice");
    refuses("{'id':'\\ud83c\\udf38','do':'fly'}", "'\\ud83c\\udf38'", "unknown", "fly");
    refuses("{'id':3,'do':'fly'}", "3", "unknown", "fly");
    refuses("{'id':3}", "3", "bad_field", "do: missing");
    refuses("{'id':3,'do':4}", "3", "bad_field", "do: expected a string, got 4");
    refuses("{'id':3,'do':'state'}", "3", "bad_field", "for: missing");
    refuses("{'id':3,'do':'state','for':2}", "3", "bad_field",
            "for: expected a whole number from 0 to 1, got 2");
    refuses("{'id':3,'do':'state','for':-1}", "3", "bad_field", "for:");
    refuses("{'id':3,'do':'state','for':0.5}", "3", "bad_field", "for:");
    refuses("{'id':3,'do':'state','for':1e400}", "3", "bad_field", "for:");
    refuses("{'id':3,'do':'state','for':null}", "3", "bad_field", "for:");
    refuses("{'id':3,'do':'state','for':0,'For':0}", "3", "bad_field", "For: unknown field");
    refuses("{'id':3,'do':'state','for':0,'for':1}", "3", "bad_json", "for: given twice");
    refuses("{'id':3,'do':'apply','p':0}", "3", "bad_field", "move: missing");
    refuses("{'id':3,'do':'apply','p':0,'move':5}", "3", "bad_field",
            "move: expected an object, got 5");
    refuses("{'id':3,'do':'apply','p':0,'move':{'do':'jump'}}", "3", "bad_field",
            "move.do: expected one of");
    refuses("{'id':3,'do':'apply','p':0,'move':{'do':'play'}}", "3", "bad_field",
            "move.card: missing");
    refuses("{'id':3,'do':'apply','p':0,'move':{'do':'play','card':'13b'}}", "3", "bad_field",
            "card: expected a card, got \\'13b\\'");
    refuses("{'id':3,'do':'apply','p':0,'move':{'do':'stop','card':'1b'}}", "3", "bad_field",
            "card: unknown");
    refuses("{'id':3,'do':'apply','p':2,'move':{'do':'stop'}}", "3", "bad_field", "p:");
    refuses("{'id':3,'do':'score','taken':[]}", "3", "bad_field", "rules: missing");
    refuses("{'id':3,'do':'score','rules':'chess','taken':[]}", "3", "bad_field",
            "rules: no rule set is called");
    refuses("{'id':3,'do':'score','rules':'sensei','taken':'1b'}", "3", "bad_field",
            "taken: expected a list");
    refuses("{'id':3,'do':'score','rules':'sensei','taken':['1b','1b']}", "3", "bad_field",
            "expected different cards, got 1b twice");
    refuses("{'id':3,'do':'rules','rules':{'extends':'sensei','rounds':4}}", "3", "bad_field",
            "rounds: expected one of rounds_allowed, got 4");
    refuses("{'id':3,'do':'new','rules':'standard','players':3,'deck':[]}", "3", "bad_field",
            "players: expected a number that the rule set allows, got 3");
    refuses("{'id':3,'do':'new','rules':'standard','players':2,'deck':[]}", "3", "bad_field",
            "deck: expected a list of 48, got a list of 0");
    refuses("{'id':3,'do':'new','rules':'standard','players':2,'dealer':2,'deck':[]}", "3",
            "bad_field", "dealer:");
    refuses("{'id':3,'do':'new','rules':'standard','players':2,'round':13,'deck':[]}", "3",
            "bad_field", "round:");
    refuses("{'id':3,'do':'new','rules':'standard','players':2,'scores':[1],'deck':[]}", "3",
            "bad_field", "scores:");
    refuses("{'id':3,'do':'advise','level':'god'}", "3", "bad_field", "level:");
    refuses("{'id':3,'do':'advise','ms':10,'visits':10}", "3", "bad_field", "visits:");
    refuses("{'id':3,'do':'advise','ms':0}", "3", "bad_field", "ms:");
    refuses("{'id':3,'do':'advise','seed':-1}", "3", "bad_field", "seed:");
    refuses("{'id':3,'do':'advise','view':{}}", "3", "bad_field", "view.rules: missing");
}

TEST(lines_that_are_too_much)
{
    static const char nul[] = "{'id':3,'do':'state','for':0\0}";
    begin("'standard'", plain_deal);
    assert_non_null(strstr(ask_bytes((struct str){nul, sizeof nul - 1}), "'code':'bad_json'"));
    memset(line_room, '[', 100000);
    assert_non_null(strstr(ask_bytes((struct str){line_room, 100000}), "too deeply nested"));
    memset(line_room, ' ', sizeof line_room);
    assert_non_null(strstr(ask_bytes((struct str){line_room, PROTOCOL_LINE_MAX + 1}),
                           "expected at most 262144 bytes"));
    /* The longest possible id is still echoed. */
    struct buf b = BUF(line_room);
    buf_put(&b, STR("{'do':'state','for':'all','id':'"));
    while (b.n < PROTOCOL_LINE_MAX - 2)
        buf_char(&b, 'x');
    buf_put(&b, STR("'}"));
    assert_non_null(strstr(ask_bytes(buf_str(&b)), "x','phase':'hand'"));
    assert_non_null(strstr(ask("{'do':'state','for':0}\r"), "'phase':'hand'"));
}

TEST(without_a_round)
{
    static const char *const lines[] = {"{'do':'state','for':0}", "{'do':'advise'}",
                                        "{'do':'apply','p':0,'move':{'do':'stop'}}"};
    struct protocol *fresh = protocol_open((struct str){NULL, 0}, fake_clock), *held = engine;
    engine = fresh;
    for (int i = 0; i < 3; i++)
        assert_non_null(strstr(ask(lines[i]), "{'id':null,'error':{'code':'bad_state'"));
    engine = held;
    protocol_close(fresh);
}

/* Lines of a file as of a pipe: each has its answer, the last one without a line feed too. */
TEST(a_stream_is_answered_line_by_line)
{
    char said[] = "{'id':1,'do':'score','rules':'sensei','taken':[]}\n"
                  "\n"
                  "nonsense\n"
                  "{'id':2,'do':'score','rules':'sensei','taken':['1b','3b','8b']}";
    static const char wanted[] =
        "{'id':1,'yaku':{},'base':0}\n"
        "{'id':null,'error':{'code':'bad_json','message':'column 1: a value is missing'}}\n"
        "{'id':null,'error':{'code':'bad_json','message':'column 1: a value is missing'}}\n"
        "{'id':2,'yaku':{'sanko':5},'base':5}\n";
    char *argv[] = {"engine", "more", NULL}, got[1024] = {0};
    exchange_quotes(said, sizeof said - 1, '\'', '"');
    FILE *in = fmemopen(said, sizeof said - 1, "r"), *out = fmemopen(got, sizeof got, "w");
    assert_true(in && out);
    assert_true(protocol_serve(in, out, (struct str){NULL, 0}));
    fclose(in);
    fclose(out);
    exchange_quotes(got, sizeof got, '"', '\'');
    assert_string_equal(got, wanted);
    /* It ends when its reader is gone. */
    in = fmemopen(said, sizeof said - 1, "r");
    out = fopen("/dev/full", "w");
    assert_true(in && out);
    assert_false(protocol_serve(in, out, (struct str){NULL, 0}));
    fclose(in);
    fclose(out);
    const struct tool_command engine_command = {"engine", engine_main, TOOL_NOTHING, 0, 0, "", ""};
    assert_int_equal(tool_run(&engine_command, 2, argv), TOOL_MISUSED);
}

/* ---- advice ---- */

TEST(advice_is_repeatable_and_for_views_from_elsewhere)
{
    static char first[65536], view[32768];
    begin("'standard'", plain_deal);
    snprintf(first, sizeof first, "%s",
             ask("{'do':'advise','level':'normal','visits':50,'seed':7}"));
    assert_ptr_equal(strstr(first, "{'id':null,'move':{'do':'play','card':"), first);
    assert_non_null(strstr(first, ",'value':"));
    assert_non_null(
        strstr(first, ",'moves':[{'move':{'do':'play','card':'5a','take':['5p1']},'value':"));
    assert_non_null(strstr(first, ",'visits':"));
    assert_string_equal(ask("{'do':'advise','level':'normal','visits':50,'seed':7}"), first);
    snprintf(view, sizeof view, "%s", ask("{'do':'state','for':0}"));
    /* Another round is held meanwhile: the view alone counts. */
    begin("'okoshki'", "1b");
    snprintf(line_room, sizeof line_room,
             "{'do':'advise','level':'normal','visits':50,'seed':7,'view':%s}", view);
    assert_string_equal(ask(line_room), first);
}

/* With the other hand and the stock exchanged seat 0 has the same view, and gets the same
 * advice. */
TEST(advice_knows_no_hidden_card)
{
    static char state0[32768], advice[65536];
    begin("'standard'", plain_deal);
    snprintf(state0, sizeof state0, "%s", ask("{'do':'state','for':0}"));
    snprintf(advice, sizeof advice, "%s",
             ask("{'do':'advise','level':'normal','visits':60,'seed':1}"));
    begin("'standard'", "12b 12p1 12p2 11a 5a 6a 7a 8b 1r 2r 3r 4r 11r 11p 10p1 2p1 9a 9r 10a 10r "
                        "5p1 6p1 7p1 8p1 3b 1b");
    assert_string_equal(ask("{'do':'state','for':0}"), state0);
    assert_string_equal(ask("{'do':'advise','level':'normal','visits':60,'seed':1}"), advice);
}

TEST(time_bounds_a_search)
{
    begin("'standard'", plain_deal);
    clock_step = 50; /* each look at the clock costs 50 ms: ten looks at most */
    int64_t from = clock_ms;
    assert_non_null(strstr(ask("{'do':'advise','level':'normal','ms':500}"), "'moves':["));
    assert_in_range(clock_ms - from, 50, 700);
    clock_step = 1;
}

TEST(advice_where_nothing_is_to_be_done)
{
    begin("'sensei'", "1b 2a 3b 4a 5a 6a 7a 8b 9a 9r 9p1 9p2");
    refuses("{'do':'advise'}", "null", "bad_state", "over");
    begin("'standard'", plain_deal);
    static char view[32768];
    snprintf(view, sizeof view, "{'id':1,'do':'advise','view':%s}", ask("{'do':'state','for':1}"));
    refuses(view, "1", "bad_state", "turn: expected a seat with a move to make");
}

/* Plays a round by the first legal move, koi-koi always, and asks for advice on the view of each
 * state. */
static void play_by_views(const char *rules, int players)
{
    static char view[32768];
    char line[512];
    const cJSON *phase;
    cJSON *s;
    snprintf(line_room, sizeof line_room, "{'do':'new','rules':%s,'players':%d,'deck':%s}", rules,
             players,
             deck_json("1b 6p1 8p1 8p2 10p1 3r 7a 6p2 3p1 2a 1p1 9p2 9a 8b 11p 3b 4a 12b 5a 1r 7p1 "
                       "4p1 11a 2p1 10a 9r"));
    s = ask_tree(line_room);
    while (phase = cJSON_GetObjectItem(s, "phase"), strcmp(phase->valuestring, "over") != 0) {
        int turn = (int)cJSON_GetObjectItem(s, "turn")->valuedouble;
        snprintf(line, sizeof line, "{'do':'state','for':%d}", turn);
        snprintf(view, sizeof view, "%s", ask(line));
        snprintf(line_room, sizeof line_room, "{'do':'advise','level':'easy','visits':4,'view':%s}",
                 view);
        cJSON *advice = ask_tree(line_room);
        assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(advice, "moves")),
                         cJSON_GetArraySize(cJSON_GetObjectItem(s, "legal")));
        cJSON_Delete(advice);
        char *move = cJSON_PrintUnformatted(cJSON_GetObjectItem(s, "legal")->child);
        snprintf(line, sizeof line, "{'do':'apply','p':%d,'move':%s}", turn, move);
        cJSON_free(move);
        cJSON_Delete(s);
        s = ask_tree(line);
    }
    cJSON_Delete(s);
}

TEST(every_view_of_a_round_is_a_good_view)
{
    play_by_views("'sensei'", 2);
    play_by_views("'mongolopedia'", 2);
    play_by_views("'mongolopedia'", 3);
    play_by_views("'okoshki'", 2);
    play_by_views(
        "{'extends':'standard','capture':'optional','wild_lightning':true,'exhausted':'oya_kan'}",
        2);
}

/* ---- impossible views ---- */

static char good_view[32768];

/* The view with one member replaced; removed if value is NULL. */
static void bad_view(const char *member, const char *value, const char *part)
{
    cJSON *v = tree_of(good_view);
    cJSON_DeleteItemFromObjectCaseSensitive(v, member);
    if (value)
        cJSON_AddItemToObject(v, member, tree_of(value));
    char *text = cJSON_PrintUnformatted(v);
    snprintf(line_room, sizeof line_room, "{'id':1,'do':'advise','visits':4,'view':%s}", text);
    cJSON_free(text);
    cJSON_Delete(v);
    const char *said = ask(line_room);
    if (strncmp(said, "{'id':1,'error':{'code':'bad_", 29) != 0 || !strstr(said, part))
        fail_msg("%s = %s -> %s, not '%s'", member, value ? value : "(out)", said, part);
}

TEST(views_that_cannot_be)
{
    static const char *const needed[] = {
        "phase",  "turn", "hand",   "table", "taken", "hand_sizes",    "stock_size",   "koikoi",
        "scores", "seat", "dealer", "round", "rules", "table_brights", "last_decision"};
    char part[64];
    begin("'standard'", plain_deal);
    ask("{'do':'apply','p':0,'move':{'do':'play','card':'5a'}}");
    snprintf(good_view, sizeof good_view, "%s", ask("{'do':'state','for':1}"));
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++) {
        snprintf(part, sizeof part, "view.%s: missing", needed[i]);
        bad_view(needed[i], NULL, part);
    }
    bad_view("colour", "1", "colour: unknown field");
    bad_view("phase", "'over'", "bad_state");
    bad_view("phase", "'sleep'", "phase: expected one of");
    bad_view("phase", "'draw'", "hand_sizes: expected sizes that fit turn and dealer");
    bad_view("turn", "0", "hand_sizes: expected sizes that fit turn and dealer");
    bad_view("turn", "2", "turn:");
    bad_view("dealer", "1", "hand_sizes: expected sizes that fit turn and dealer");
    bad_view("seat", "0", "hand: expected 7 cards as in hand_sizes, got 8");
    bad_view("round", "0", "round:");
    bad_view("round", "13", "round:");
    bad_view("rules", "'nobody'", "rules:");
    bad_view("hand_sizes", "[7]", "hand_sizes: expected a list");
    bad_view("hand_sizes", "[7,8,7]",
             "hand_sizes: expected a number of players that the rule set allows, got 3");
    bad_view("hand_sizes", "[7,9]", "hand_sizes:");
    bad_view("hand_sizes", "[6,8]", "hand_sizes: expected sizes that fit turn and dealer");
    bad_view("hand", "['1b','1b','3b','4a','5r','6r','7r','8a']",
             "expected different cards, got 1b twice");
    bad_view("hand", "['5a','2a','3b','4a','5r','6r','7r','8a']",
             "expected different cards, got one twice");
    bad_view("hand", "['1b','2a']", "hand: expected 8 cards as in hand_sizes, got 2");
    bad_view("table", "[]", "expected 48 cards, got");
    bad_view("taken", "[['5a'],[]]", "taken: expected an even number of cards in each pile, got 1");
    bad_view("taken", "[[],['5a','5p1']]", "seen: expected moves that lead");
    bad_view("taken", "[['12p1','12p2'],[]]", "seen: expected moves that lead");
    bad_view("taken", "[]", "taken: expected a list of 2, got a list of 0");
    bad_view("stock_size", "22", "stock_size: expected 23 after 1 plays, got 22");
    bad_view("koikoi", "[1,0]", "last_decision");
    bad_view("last_decision", "[{'tane':1},null]",
             "last_decision: expected null for a seat without koi-koi calls");
    bad_view("scores", "[1]", "scores:");
    bad_view("scores", "[1,-1]", "scores:");
    bad_view("drawn", "'12p3'", "expected 48 cards, got 49");
    bad_view("table_brights", "5", "table_brights:");
    bad_view("legal", "[]", "legal:");
    bad_view("legal", "7", "legal:");
    bad_view("result", "{}", "result");
    bad_view("void", "'hand_four'", "void");
    bad_view("seen", "[]", "seen: expected moves that lead");
    bad_view("seen", "[[0,'play']]", "seen: expected a card with a play or a draw");
    bad_view("seen", "[[0,'koikoi','1b']]", "seen: expected a card with a play or a draw");
    bad_view("seen", "[[0,'play','5a','6p1','7p1']]", "seen: expected taken cards of one month");
    bad_view("seen", "[[0,'play','5a','5p1'],[0,'draw','9p2']]", "seen: expected moves that lead");
    bad_view("seen", "[[9,'play','5a']]", "seen:");
    bad_view("seen", "[7]", "seen:");
}

TEST(a_view_may_call_koikoi_and_decide)
{
    static const char with[] =
        "{'id':1,'do':'advise','visits':4,'view':{'phase':'%s','turn':0,'hand':[],'table':%s,'"
        "taken':%s,'hand_sizes':[0,0],'stock_size':8,'koikoi':[%s],'scores':[0,0],'drawn':null,'"
        "seat':0,'dealer':1,'round':1,'rules':'%s','table_brights':0,'last_decision':[%s]}}";
    static const char table[] =
        "['4p1','4p2','5p1','5p2','6p1','6p2','7p1','7p2','8p1','8p2','9p1','9p2','10p1','10p2','"
        "11r','11a','12p1','12p2','1p1','1p2','2p1','2p2','3p1','3p2','4a','4r','5a','5r','6a','6r'"
        ",'7a','7r','8a','9r']";
    static const char three_brights[] = "[['1b','1r','3b','3r','8b','12b'],[]]";
    static const struct {
        const char *phase, *calls, *rules, *last_decision, *answer;
    } rows[] = {
        {"decide", "0,0", "standard", "null,null", "{'id':1,'move':{'do':'"},
        /* the same pile as at the koi-koi call: nothing new to decide */
        {"decide", "1,0", "standard", "{'shiko':8},null", "needs a new yaku of the seat to move"},
        {"decide", "1,0", "standard", "{'sanko':5},null", "{'id':1,'move':{'do':'"},
        {"decide", "1,0", "standard", "{'hiki':4},null",
         "last_decision.hiki: expected a yaku of this rule set"},
        {"decide", "1,0", "standard", "{},null",
         "last_decision: expected a yaku for a seat that called koi-koi, got {}"},
        {"decide", "8,0", "standard", "{'sanko':5},null",
         "koikoi: expected at most 7 calls of seat 0, got 8"},
        {"hand", "0,0", "standard", "null,null",
         "hand_sizes: expected sizes that fit turn and dealer"},
        /* one call a round by both together: after it a yaku can only be stopped with */
        {"decide", "0,1", "console", "null,{'kasu':1}",
         "{'id':1,'move':{'do':'stop'},'value':32.0000,'moves':[{'move':{'do':'stop'},'value':"
         "32.0000,'visits':4}]}"},
        {"decide", "1,1", "console", "{'sanko':5},{'kasu':1}",
         "koikoi: expected at most 1 calls of all seats, got 2"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        snprintf(line_room, sizeof line_room, with, rows[i].phase, table, three_brights,
                 rows[i].calls, rows[i].rules, rows[i].last_decision);
        if (!strstr(ask(line_room), rows[i].answer))
            fail_msg("%s %s: %s", rows[i].calls, rows[i].last_decision, answer_room);
    }
}

TESTS_WITH(open_engine, close_engine)
