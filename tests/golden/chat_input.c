/* See chat_input.h. */
#include "golden/chat_input.h"

#include "fixture/scratch.h"
#include "golden/coverage.h"

#include <ctype.h>

static const struct {
    const char *name;
    uint32_t can;
} abilities[] = {
    {"buttons", CAN_BUTTONS},
    {"edit", CAN_EDIT},
    {"erase", CAN_ERASE},
    {"direct", CAN_DIRECT},
    {"popup", CAN_POPUP},
    {"whisper", CAN_WHISPER},
    {"picture", CAN_PICTURE},
    {"file", CAN_FILE},
    {"style", CAN_STYLE | CAN_FOLD},
    {"mention", CAN_MENTION},
    {"countdown", CAN_COUNTDOWN},
    {"return", CAN_RETURN},
    {"handles", CAN_HANDLES},
    {"query", CAN_QUERY},
    {"one_post", CAN_ONE_POST},
    {"number", CAN_NUMBER},
    {"poll", CAN_POLL},
    {"react", CAN_REACT},
    {"close", CAN_CLOSE},
    {"app", CAN_APP},
};

/* ---- parts of lines ---- */

static int64_t span(struct str s)
{
    int64_t n = 0;
    if (s.n < 2 || !str_int((struct str){s.p, s.n - 1}, &n))
        fail_msg("expected a time such as 3h");
    char unit = s.p[s.n - 1];
    return n * (unit == 's' ? 1000 : unit == 'm' ? 60000 : unit == 'h' ? 3600000 : 86400000);
}

static const char *zero(struct str s)
{
    return arena_str(harness->arena, s).p;
}

/* "deal 1: CARDS", "drawn 2.1: TEXTS" */
static void deal_line(struct chat_run *p, struct str line)
{
    int64_t round = 0, attempt = 1;
    struct str cards, rest = line, word = str_word(&rest),
                      head = str_cut(str_trim(rest), ':', &cards), tail;
    head = str_cut(head, '.', &tail);
    if (!str_int(head, &round) || (tail.n > 0 && !str_int(tail, &attempt)))
        fail_msg("%s:%d: expected deal ROUND.ATTEMPT: CARDS", p->file, p->line_no);
    (str_is(word, STR("drawn")) ? chat_harness_draw : chat_harness_deal)(p->harness, (int)round,
                                                                         (int)attempt, zero(cards));
}

static void network_line(struct chat_run *p, struct account *of, struct str rest)
{
    uint32_t can = CAN_HANDLES;
    for (struct str w = str_word(&rest); w.n > 0; w = str_word(&rest)) {
        bool known = str_is(w, STR("none")), short_captions = str_is(w, STR("short_captions"));
        known |= short_captions;
        of->limits.caption_chars = short_captions ? 240 : of->limits.caption_chars;
        for (size_t i = 0; i < sizeof abilities / sizeof *abilities; i++)
            if (str_is(w, str_of(abilities[i].name))) {
                can |= abilities[i].can;
                known = true;
            }
        if (!known)
            fail_msg("%s:%d: ability: expected one of chat_input.c, got %.*s", p->file, p->line_no,
                     STR_ARG(w));
    }
    of->can = can;
}

static void auto_line(struct chat_run *p, struct str line)
{
    struct str rest = str_skip(line, 5), word = str_word(&rest);
    bool koikoi = str_is(word, STR("koikoi"));
    int64_t n = 0;
    if (koikoi)
        word = str_word(&rest);
    if (!str_is(word, STR("end")) && !str_int(word, &n))
        fail_msg("%s:%d: expected auto NUMBER or auto end", p->file, p->line_no);
    for (int64_t i = 0; n == 0 || i < n; i++) {
        struct session s;
        if (!chat_harness_session(p->harness, &s))
            break;
        chat_harness_forget(p->harness);
        if (session_turn(&s) < 0 || session_by_computer(&s, session_turn(&s)))
            chat_harness_wait(p->harness, s.due - p->harness->now);
        else if (!chat_harness_auto(p->harness, koikoi))
            break;
    }
}

static bool typed_line(struct chat_run *p, struct str line)
{
    size_t n = 0;
    while (n < line.n && (isalnum((unsigned char)line.p[n]) || line.p[n] == '@' ||
                          line.p[n] == '/' || (unsigned char)line.p[n] >= 0x80))
        n++;
    if (n == 0 || n + 1 >= line.n || (line.p[n] != '>' && line.p[n] != '~') || line.p[n + 1] != ' ')
        return false;
    struct str room, who = str_cut((struct str){line.p, n}, '@', &room);
    bool direct = line.p[n] == '~' || (p->kind && p->kind->direct);
    chat_harness_type(p->harness, zero(who), room.n ? zero(room) : "tea", direct,
                      zero(str_skip(line, n + 2)));
    return true;
}

/* What a person does on the network, other than typing. Returns false for other lines. */
static bool person_acts(struct chat_run *p, struct str who, struct str verb, struct str rest)
{
    struct chat_harness *s = p->harness;
    const char *name = zero(who), *what = zero(str_trim(rest));
    bool before = str_is(verb, STR("reacts-before")), reported = str_is(verb, STR("posts"));
    if (str_is(verb, STR("presses"))) {
        if (!chat_harness_press(s, name, what))
            fail_msg("%s:%d: no such button", p->file, p->line_no);
    } else if (str_is(verb, STR("presses-old"))) {
        if (!chat_harness_press_old(s, name, what))
            fail_msg("%s:%d: no such button", p->file, p->line_no);
    } else if (str_is(verb, STR("taps"))) {
        int64_t no = 0;
        assert_true(str_int(str_trim(rest), &no) && no > 0);
        if (!chat_harness_tap(s, name, (int)no))
            fail_msg("%s:%d: no such button", p->file, p->line_no);
    } else if (str_is(verb, STR("reads"))) {
        coverage_print_rest();
    } else if (str_is(verb, STR("copies"))) {
        struct str room = str_word(&rest);
        bool direct = str_is(room, STR("private"));
        if (!chat_harness_copy(s, name, direct ? "" : zero(room), direct, zero(str_trim(rest))))
            fail_msg("%s:%d: no such button", p->file, p->line_no);
    } else if (str_is(verb, STR("reacts")) || before) {
        if (!chat_harness_react(s, name, before, what))
            fail_msg("%s:%d: no such message", p->file, p->line_no);
    } else if (str_is(verb, STR("redacts")) || str_is(verb, STR("redacts-as-bot"))) {
        if (!chat_harness_redact(s, name, !str_is(verb, STR("redacts"))))
            fail_msg("%s:%d: no such message", p->file, p->line_no);
    } else if (str_is(verb, STR("blocks")) || str_is(verb, STR("unblocks"))) {
        chat_harness_blocks(s, name, str_is(verb, STR("blocks")));
    } else if (str_is(verb, STR("answers"))) {
        chat_harness_answer(s, name, what);
    } else if (str_is(verb, STR("queries"))) {
        chat_harness_inline_query(s, name, what);
    } else if (reported || str_is(verb, STR("posts-unreported"))) {
        if (!chat_harness_post_article(s, name, what, reported))
            fail_msg("%s:%d: no such article", p->file, p->line_no);
    } else if (str_is(verb, STR("floods"))) {
        int64_t n = 0;
        assert_true(str_int(str_word(&rest), &n));
        for (int64_t i = 0; i < n; i++)
            chat_harness_type(s, name, "tea", false, zero(str_trim(rest)));
    } else if (str_is(verb, STR("plays-on"))) {
        int64_t n[3] = {0};
        for (int i = 0; i < 3; i++)
            assert_true(str_int(str_word(&rest), &n[i]));
        chat_harness_play_on(s, name, n[0], n[1], n[2]);
    } else if (str_is(verb, STR("forges"))) {
        chat_harness_forge(s, name, what);
    } else {
        return false;
    }
    return true;
}

/* What happens to the program and its computer player. Returns false for other lines. */
static bool program_event(struct chat_run *p, struct str line)
{
    struct chat_harness *s = p->harness;
    if (str_is(line, STR("again")) || str_is(line, STR("repeat")))
        chat_harness_press_again(s, str_is(line, STR("repeat")));
    else if (str_is(line, STR("restart")))
        chat_harness_restart(s);
    else if (str_starts(line, STR("analysis: ")))
        s->analysis = zero(str_skip(line, 10));
    else if (str_is(line, STR("analysis fails")))
        s->analysis = "";
    else if (str_is(line, STR("computer calls")))
        s->computer_calls = true;
    else if (str_is(line, STR("answers lost")))
        s->loses_jobs = true;
    else
        return false;
    return true;
}

void chat_input(struct chat_run *p, struct str line)
{
    struct chat_harness *s = p->harness;
    struct str rest = line, who = str_word(&rest), verb = str_word(&rest);
    if (typed_line(p, line) || person_acts(p, who, verb, rest) || program_event(p, line))
        return;
    if (str_is(who, STR("bot"))) {
        struct str by, room = str_word(&rest);
        assert_true(rest.n == 0 || str_is(str_word(&rest), STR("by")));
        by = str_trim(rest);
        chat_harness_bot(s, zero(verb), zero(room), zero(by));
    } else if (str_is(line, STR("the network says who is an admin"))) {
        chat_harness_tell_admins(s);
    } else if (str_is(who, STR("away"))) {
        chat_harness_away(s, span(verb));
    } else if (str_is(who, STR("damage")) || str_is(who, STR("mend"))) {
        int64_t no = 0;
        assert_true(str_int(verb, &no));
        (str_is(who, STR("mend")) ? chat_harness_mend : chat_harness_damage)(s, no);
    } else if (str_is(verb, STR("moves"))) {
        (void)str_word(&rest);
        chat_harness_moves(s, zero(who), zero(str_trim(rest)));
    } else if (str_is(who, STR("wait"))) {
        chat_harness_wait(s, span(verb));
    } else if (str_is(verb, STR("refuses")) || str_is(verb, STR("takes"))) {
        chat_harness_refuses(s, zero(who), str_is(verb, STR("refuses")));
    } else if (str_is(who, STR("hangs"))) {
        chat_harness_hangs(
            s, zero(str_trim(arena_print(s->arena, "%.*s %.*s", STR_ARG(verb), STR_ARG(rest)))));
    } else if (str_is(verb, STR("pauses"))) {
        chat_harness_hold(s, zero(who), span(str_trim(rest)));
    } else if (str_is(verb, STR("leaves")) || str_is(verb, STR("returns-to"))) {
        chat_harness_goes(s, zero(who), zero(str_trim(rest)), str_is(verb, STR("returns-to")));
    } else if (str_is(who, STR("unreachable"))) {
        chat_harness_unreachable(s, zero(verb));
    } else if (str_is(who, STR("auto"))) {
        auto_line(p, line);
    } else {
        fail_msg("%s:%d: input: expected one of golden_test.c's head, got %.*s", p->file,
                 p->line_no, STR_ARG(line));
    }
}

/* ---- settings ---- */

static int64_t read_number(const struct chat_run *p, struct str value)
{
    int64_t n = 0;
    if (!str_int(value, &n))
        fail_msg("%s:%d: expected a number, got %.*s", p->file, p->line_no, STR_ARG(value));
    return n;
}

static void beacon_line(struct chat_run *p, struct str value)
{
    static const struct {
        const char *name;
        enum fake_beacon_way way;
    } ways[] = {{"good", FAKE_BEACON_GOOD},
                {"dead", FAKE_BEACON_DEAD},
                {"lies", FAKE_BEACON_LIES},
                {"other", FAKE_BEACON_OTHER},
                {"odd", FAKE_BEACON_ODD}};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        if (str_is(value, str_of(ways[i].name))) {
            chat_harness_beacon(p->harness, ways[i].way);
            return;
        }
    fail_msg("%s:%d: beacon: expected good, dead, lies, other or odd, got %.*s", p->file,
             p->line_no, STR_ARG(value));
}

bool chat_setting(struct chat_run *p, struct str line)
{
    struct chat_harness *s = p->harness;
    struct str value, name = str_cut(line, ':', &value);
    value = str_trim(value);
    if (str_is(name, STR("network")))
        network_line(p, &s->accounts[0], value);
    else if (str_is(name, STR("far network")))
        network_line(p, &s->accounts[1], value);
    else if (str_is(name, STR("far")))
        snprintf(s->far, sizeof s->far, "%.*s", STR_ARG(value));
    else if (str_is(name, STR("twins")))
        snprintf(s->twins, sizeof s->twins, "%.*s", STR_ARG(value));
    else if (str_is(name, STR("handles")))
        snprintf(s->handles, sizeof s->handles, "%.*s", STR_ARG(value));
    else if (str_is(name, STR("apps")))
        snprintf(s->apps, sizeof s->apps, "%.*s", STR_ARG(value));
    else if (str_starts(name, STR("deal ")) || str_starts(name, STR("drawn ")))
        deal_line(p, line);
    else if (str_is(name, STR("chance")))
        s->chance = (uint64_t)read_number(p, value);
    else if (str_is(name, STR("admin")))
        chat_harness_admin(s, zero(value));
    else if (str_is(name, STR("admins")))
        s->asks_admins = str_is(value, STR("asked"));
    else if (str_is(name, STR("limit")))
        s->accounts[0].limits.text_chars = (int)read_number(p, value);
    else if (str_is(name, STR("commands")))
        s->accounts[0].limits.plain_commands = str_is(value, STR("plain"));
    else if (str_is(name, STR("prefix")))
        s->accounts[0].limits.prefix = arena_print(s->arena, "%.*s ", STR_ARG(value));
    else if (str_is(name, STR("speaks")))
        chat_harness_speaks(s, zero(value));
    else if (str_is(name, STR("beacon")))
        beacon_line(p, value);
    else if (str_is(name, STR("pace")))
        s->accounts[0].limits.per_chat_minute = (int)read_number(p, value);
    else if (str_is(name, STR("sounds")))
        s->sounds = str_is(value, STR("shown"));
    else if (str_is(name, STR("files")))
        s->files_of_program = str_is(value, STR("embedded"));
    else if (str_is(name, STR("anonymous")))
        s->anonymous = zero(value);
    else
        return false;
    return true;
}
