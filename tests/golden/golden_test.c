/* Golden chats: what people type, and what they read. Every tests/golden/NAME.chat is one test.
 *
 *     # a remark
 *     network: buttons edit erase direct popup whisper style mention countdown     what it can; default below
 *     deal 1: alice 1b 1r; bob 2a; field 3b; stock 4a     these cards, the rest in canonical order;
 *                                             with any deal line the challenger draws the crane and deals
 *     chance: 7                               where the deals come from, else; any number
 *     admin: alice
 *     far: dora erik                       these people are on another network; its group is "isle"
 *     far network: edit direct                what that one can; default as above
 *     limit: 300                              of a message, in characters
 *     speaks: pl                              the catalogue of tests/golden/texts is there too
 *     anonymous: dan                          posts as the group itself
 *     alice> /challenge @bob               typed in the group "tea"; alice@den> in the group "den",
 *                                             alice@nameless> in one whose name is not known
 *     alice~ /hand                            typed in the private chat
 *     alice asks hand 1                       looks for something to say by way of the bot; then
 *     alice utters Challenge: sensei          the answer whose title begins so is said, and the bot is told,
 *     alice utters-untold Challenge: sensei   or is not told
 *     bob presses Accept                      the newest button that begins so and bob can see
 *     bob reacts 3 / bob reacts-before 3      a number under the newest private message, under the one before it
 *     again / repeat                      the last press by a second update / the same update twice
 *     unreachable bob                         the last private message to bob cannot be given
 *     wait 3h                                 the clock moves; what is due happens (s, m, h, d)
 *     away 9h                                 the program does not run for so long
 *     den moves to lair                       the network gives a group another key
 *     restart                                 the program ends and starts again
 *     answer lost                       the computer's answers do not arrive until the next restart
 *     bob forges j1.1.1                       presses a button that nobody made
 *     bot joins den / bot leaves den          it is added to a group, or removed from it
 *     bot rights den / bot deaf den           it may do more or less there; alice has invited it where all is encrypted
 *     teacher: TEXT / teacher is silent       the next hint or review is that, or cannot be made
 *     computer goes on                        where it would stop next, it calls koi-koi
 *     auto 5 / auto koikoi 5 / auto end       so many moves by whoever is to move, said or not
 *
 * What is said after each of these must be exactly:
 *
 *     group: first line            in a group (den: for another), "group edits:" replaces a message
 *         second line                         more lines, indented by four
 *         [Accept] [Decline]                  its buttons
 *         ...                                 any more lines, and any buttons
 *     to alice: text                  in her private chat; "alone alice:" in the group for her eyes
 *     offers alice: title / about             something to say; then its text and its button
 *     popup alice: text                an answer to her press; an answer without words is not shown
 *     erases ping                             a message is taken away
 *     ...                                     anything else until the next input
 *
 * Hashes and seeds of 64 digits are shown as <hash>, numbers before " %" as <n>: chances are
 * reckoned anew whenever the search learns something. A code for people to type is shown as <code>,
 * and <code> in what is typed is the newest one. A message that would only have replaced one that
 * does not stand is not shown. GOLDEN_SHOW=1 prints what was said, for writing a new chat: read
 * every line as a player before you keep it.
 *
 * The record of each match that ended is played again and must hold, unless the chat names cards.
 *
 * The last test is about all chats: every sentence of text.def stands in a line that some chat
 * expects.
 */
#include "golden/shown.h"
#include "golden/stage.h"
#include "replay.h"
#include "shell/scratch.h"

#include <assert.h>
#include <ctype.h>
#include <dirent.h>
#include <stdlib.h>

enum { MAX_CHATS = 200, SHOWN = 64 * 1024 };

#define DEFAULT_CAN                                                                                \
    (CAN_EDIT | CAN_ERASE | CAN_BUTTONS | CAN_DIRECT | CAN_POPUP | CAN_HANDLES | CAN_STYLE)

static const struct {
    const char *name;
    uint32_t can;
} abilities[] = {
    {"buttons", CAN_BUTTONS},   {"edit", CAN_EDIT},       {"erase", CAN_ERASE},
    {"direct", CAN_DIRECT},     {"popup", CAN_POPUP},     {"whisper", CAN_WHISPER},
    {"style", CAN_STYLE},       {"mention", CAN_MENTION}, {"countdown", CAN_COUNTDOWN},
    {"return", CAN_RETURN},     {"handles", CAN_HANDLES}, {"query", CAN_QUERY},
    {"one_post", CAN_ONE_POST}, {"poll", CAN_POLL},       {"react", CAN_REACT},
};

struct play {
    struct stage *stage;
    const char *file;
    int line_no;
    struct str rest;   /* of the file, from the next line on */
    char shown[SHOWN]; /* what was said since the last input */
    size_t n_shown;
};

/* ---- what was said, as lines ---- */

static void show_articles(struct buf *b, const struct outgoing *o)
{
    for (int i = 0; i < o->n_articles; i++) {
        const struct article *it = &o->articles[i];
        buf_print(b, "offers %.*s: ", STR_ARG(o->to));
        shown_plain(b, it->title);
        if (it->about.n > 0)
            buf_put(b, STR(" / "));
        shown_plain(b, it->about);
        buf_put(b, STR("\n    "));
        shown_plain(b, it->text);
        if (it->label.n > 0)
            buf_print(b, "\n    [%.*s]", STR_ARG(it->label));
        buf_char(b, '\n');
    }
}

static void show_one(struct buf *b, const struct said *said)
{
    const struct outgoing *o = &said->out;
    show_articles(b, o);
    if (said->dropped || (o->kind == OUT_ANSWER && o->text.n == 0))
        return;
    if (o->kind == OUT_ERASE) {
        struct str what, rest;
        what = str_cut(o->slot, ':', &rest);
        buf_print(b, "erases %.*s\n", STR_ARG(what));
        return;
    }
    if (o->kind == OUT_ANSWER)
        buf_print(b, "popup %.*s", STR_ARG(o->to));
    else if (o->where == TO_DIRECT)
        buf_print(b, "to %.*s", STR_ARG(o->to));
    else if (o->where == TO_WHISPER)
        buf_print(b, "alone %.*s", STR_ARG(o->to));
    else if (str_starts(o->chat, STR("dm-")))
        buf_print(b, "to %.*s", STR_ARG(str_skip(o->chat, 3)));
    else
        buf_put(b, str_is(o->chat, STR("tea")) ? STR("group") : o->chat);
    buf_put(b, said->edit ? STR(" edits: ") : STR(": "));
    shown_plain(b, o->text);
    for (int i = 0; i < o->n_buttons; i++) {
        bool first = i == 0 || o->buttons[i - 1].row_end;
        buf_print(b, "%s[%.*s]", first ? "\n    " : " ", STR_ARG(o->buttons[i].label));
    }
    buf_char(b, '\n');
}

static void gather(struct play *p)
{
    const struct said *said;
    struct buf b = BUF(p->shown);
    int n = stage_said(p->stage, &said);
    for (int i = 0; i < n; i++)
        show_one(&b, &said[i]);
    p->n_shown = b.n;
    assert(!b.cut);
    stage_heard(p->stage);
}

/* ---- comparing ---- */

static struct str line_of(struct str *rest)
{
    return str_cut(*rest, '\n', rest);
}

static bool is_more(struct str line)
{
    return str_starts(line, STR("    "));
}

static bool is_said(struct str line)
{
    static const char *const heads[] = {
        "group: ",      "group edits: ", "den: ",   "den edits: ",  "lair: ",
        "lair edits: ", "nameless: ",    "isle: ",  "isle edits: ", "to ",
        "alone ",       "popup ",        "erases ", "offers ",      "..."};
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        if (str_starts(line, str_of(heads[i])))
            return true;
    return is_more(line);
}

static void differ(const struct play *p, struct str wanted, struct str found)
{
    print_error("%s:%d\n  wanted: %.*s\n  found:  %.*s\n  all that was said:\n%.*s", p->file,
                p->line_no, STR_ARG(wanted), STR_ARG(found), (int)p->n_shown, p->shown);
    fail();
}

/* Compares what stands in the file from here on with what was said. */
static void compare(struct play *p)
{
    struct str found = {p->shown, p->n_shown};
    for (;;) {
        struct str ahead = p->rest, wanted = line_of(&ahead);
        if (p->rest.n == 0 || (!is_said(wanted) && wanted.n > 0 && wanted.p[0] != '#'))
            break;
        p->rest = ahead;
        p->line_no++;
        if (wanted.n == 0 || wanted.p[0] == '#')
            continue;
        if (str_is(wanted, STR("..."))) {
            found = (struct str){0};
            continue;
        }
        if (str_is(wanted, STR("    ..."))) {
            while (found.n > 0 && is_more(found))
                (void)line_of(&found);
            continue;
        }
        struct str line = line_of(&found);
        if (!str_is(line, wanted))
            differ(p, wanted, line);
        shown_line(line);
    }
    if (found.n > 0)
        differ(p, STR("(nothing more)"), line_of(&found));
    shown_count();
}

/* ---- inputs ---- */

static int64_t span(struct str s)
{
    int64_t n = 0;
    if (s.n < 2 || !str_int((struct str){s.p, s.n - 1}, &n))
        fail_msg("a time looks like 3h");
    char unit = s.p[s.n - 1];
    return n * (unit == 's' ? 1000 : unit == 'm' ? 60000 : unit == 'h' ? 3600000 : 86400000);
}

static const char *zero(struct str s)
{
    return arena_str(stage->arena, s).p;
}

static void deal_line(struct play *p, struct str line)
{
    int64_t round = 0, attempt = 1;
    struct str cards, head = str_cut(str_skip(line, 5), ':', &cards), tail;
    head = str_cut(head, '.', &tail);
    if (!str_int(head, &round) || (tail.n > 0 && !str_int(tail, &attempt)))
        fail_msg("%s:%d: deal ROUND.ATTEMPT: cards", p->file, p->line_no);
    stage_deal(p->stage, (int)round, (int)attempt, zero(cards));
}

static void network_line(struct play *p, struct account *of, struct str rest)
{
    uint32_t can = CAN_HANDLES;
    for (struct str w = str_word(&rest); w.n > 0; w = str_word(&rest)) {
        bool known = str_is(w, STR("none"));
        for (size_t i = 0; i < sizeof abilities / sizeof *abilities; i++)
            if (str_is(w, str_of(abilities[i].name))) {
                can |= abilities[i].can;
                known = true;
            }
        if (!known)
            fail_msg("%s:%d: no ability %.*s", p->file, p->line_no, STR_ARG(w));
    }
    of->can = can;
}

static void auto_line(struct play *p, struct str line)
{
    struct str rest = str_skip(line, 5), word = str_word(&rest);
    bool koikoi = str_is(word, STR("koikoi"));
    int64_t n = 0;
    if (koikoi)
        word = str_word(&rest);
    if (!str_is(word, STR("end")) && !str_int(word, &n))
        fail_msg("%s:%d: auto NUMBER or auto end", p->file, p->line_no);
    for (int64_t i = 0; n == 0 || i < n; i++) {
        struct session s;
        if (!stage_session(p->stage, &s))
            break;
        stage_heard(p->stage);
        if (session_turn(&s) < 0 || s.player[session_turn(&s)].computer)
            stage_wait(p->stage, s.due - p->stage->now);
        else if (!stage_auto(p->stage, koikoi))
            break;
    }
}

static bool typed(struct play *p, struct str line)
{
    size_t n = 0;
    while (n < line.n && (isalnum((unsigned char)line.p[n]) || line.p[n] == '@'))
        n++;
    if (n == 0 || n + 1 >= line.n || (line.p[n] != '>' && line.p[n] != '~') || line.p[n + 1] != ' ')
        return false;
    struct str room, who = str_cut((struct str){line.p, n}, '@', &room);
    stage_type(p->stage, zero(who), room.n ? zero(room) : "tea", line.p[n] == '~',
               zero(str_skip(line, n + 2)));
    return true;
}

static void input(struct play *p, struct str line)
{
    struct str rest = line, who = str_word(&rest), verb = str_word(&rest);
    if (typed(p, line))
        return;
    if (str_is(verb, STR("presses"))) {
        if (!stage_press(p->stage, zero(who), zero(str_trim(rest))))
            fail_msg("%s:%d: there is no such button", p->file, p->line_no);
    } else if (str_is(verb, STR("reacts")) || str_is(verb, STR("reacts-before"))) {
        if (!stage_react(p->stage, zero(who), str_is(verb, STR("reacts-before")),
                         zero(str_trim(rest))))
            fail_msg("%s:%d: there is no such message", p->file, p->line_no);
    } else if (str_is(line, STR("again")) || str_is(line, STR("repeat"))) {
        stage_press_again(p->stage, str_is(line, STR("repeat")));
    } else if (str_is(verb, STR("asks"))) {
        stage_ask(p->stage, zero(who), zero(str_trim(rest)));
    } else if (str_is(verb, STR("utters")) || str_is(verb, STR("utters-untold"))) {
        if (!stage_say(p->stage, zero(who), zero(str_trim(rest)), str_is(verb, STR("utters"))))
            fail_msg("%s:%d: nothing like that was offered", p->file, p->line_no);
    } else if (str_is(verb, STR("forges"))) {
        stage_forge(p->stage, zero(who), zero(str_trim(rest)));
    } else if (str_starts(line, STR("teacher: "))) {
        p->stage->teaches = zero(str_skip(line, 9));
    } else if (str_is(line, STR("computer goes on"))) {
        p->stage->goes_on = true;
    } else if (str_is(line, STR("teacher is silent"))) {
        p->stage->teaches = "";
    } else if (str_is(line, STR("answer lost"))) {
        p->stage->lose = true;
    } else if (str_is(who, STR("bot"))) {
        stage_bot(p->stage, zero(verb), zero(str_trim(rest)));
    } else if (str_is(line, STR("restart"))) {
        stage_restart(p->stage);
    } else if (str_is(who, STR("away"))) {
        stage_away(p->stage, span(verb));
    } else if (str_is(verb, STR("moves"))) {
        (void)str_word(&rest);
        stage_moves(p->stage, zero(who), zero(str_trim(rest)));
    } else if (str_is(who, STR("wait"))) {
        stage_wait(p->stage, span(verb));
    } else if (str_is(who, STR("unreachable"))) {
        stage_unreachable(p->stage, zero(verb));
    } else if (str_is(who, STR("auto"))) {
        auto_line(p, line);
    } else {
        fail_msg("%s:%d: not understood: %.*s", p->file, p->line_no, STR_ARG(line));
    }
}

/* ---- one chat ---- */

static int64_t number(const struct play *p, struct str value)
{
    int64_t n = 0;
    if (!str_int(value, &n))
        fail_msg("%s:%d: no number: %.*s", p->file, p->line_no, STR_ARG(value));
    return n;
}

/* What holds from here on; false if the line is none of these. */
static bool setting(struct play *p, struct str line)
{
    struct stage *s = p->stage;
    struct str value, name = str_cut(line, ':', &value);
    value = str_trim(value);
    if (str_is(name, STR("network")))
        network_line(p, &s->accounts[0], value);
    else if (str_is(name, STR("far network")))
        network_line(p, &s->accounts[1], value);
    else if (str_is(name, STR("far")))
        snprintf(s->far, sizeof s->far, "%.*s", STR_ARG(value));
    else if (str_starts(name, STR("deal ")))
        deal_line(p, line);
    else if (str_is(name, STR("chance")))
        s->chance = (uint64_t)number(p, value);
    else if (str_is(name, STR("admin")))
        stage_admin(s, zero(value));
    else if (str_is(name, STR("limit")))
        s->accounts[0].limits.text_chars = (int)number(p, value);
    else if (str_is(name, STR("speaks")))
        stage_speaks(s, zero(value));
    else if (str_is(name, STR("anonymous")))
        s->anonymous = zero(value);
    else
        return false;
    return true;
}

static void play_chat(struct play *p, bool show)
{
    while (p->rest.n > 0) {
        struct str line = line_of(&p->rest);
        p->line_no++;
        if (show && !is_said(line))
            printf("%.*s\n", STR_ARG(line));
        if (line.n == 0 || line.p[0] == '#' || setting(p, line) || (show && is_said(line)))
            continue;
        if (is_said(line))
            fail_msg("%s:%d: said before anything was typed", p->file, p->line_no);
        input(p, line);
        gather(p);
        if (!show)
            compare(p);
        else if (!str_starts(p->rest, STR("...\n")))
            printf("%.*s", (int)p->n_shown, p->shown);
        else
            printf("...\n");
    }
}

/* What is written down of the matches that ended holds for whoever plays it again, unless the chat
 * named its cards: then no seed leads to them. */
static void records_hold(const struct play *p)
{
    enum { SESSIONS = 40 };
    for (int no = 1; no <= SESSIONS && p->stage->n_deals == 0; no++) {
        struct str record;
        struct err err = {""};
        int line = 0;
        if (!store_record(p->stage->store, p->stage->arena, no, &record, &err))
            fail_msg("%s: %s", p->file, err.text);
        if (!memmem(record.p, record.n, "\"match_end\"", 11))
            continue;
        if (!replay_record(record, NULL, &line, &err))
            fail_msg("%s: record of #%d, line %d: %s", p->file, no, line, err.text);
    }
}

static char *slurp(const char *path)
{
    static char bytes[256 * 1024];
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    size_t n = fread(bytes, 1, sizeof bytes - 1, f);
    assert_true(n < sizeof bytes - 1);
    bytes[n] = '\0';
    fclose(f);
    return bytes;
}

static void golden(void **state)
{
    static struct play p;
    const char *path = *state;
    memset(&p, 0, sizeof p);
    p.file = path;
    p.rest = str_of(slurp(path));
    p.stage = stage_open(DEFAULT_CAN);
    play_chat(&p, getenv("GOLDEN_SHOW") != NULL);
    records_hold(&p);
    stage_close(p.stage);
}

/* Every sentence is shown by a chat. */
static void every_sentence(void **state)
{
    (void)state;
    assert_int_equal(shown_missing(), 0);
}

/* ---- all chats ---- */

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

int main(int argc, char **argv)
{
    static char *paths[MAX_CHATS];
    static struct CMUnitTest tests[MAX_CHATS + 1];
    int n = 0;
    for (int i = 1; i < argc && n < MAX_CHATS; i++)
        paths[n++] = argv[i];
    DIR *dir = n == 0 ? opendir("tests/golden") : NULL;
    for (struct dirent *e; dir && n < MAX_CHATS && (e = readdir(dir)) != NULL;) {
        size_t k = strlen(e->d_name);
        if (k > 5 && strcmp(e->d_name + k - 5, ".chat") == 0 &&
            asprintf(&paths[n], "tests/golden/%s", e->d_name) > 0)
            n++;
    }
    if (dir)
        closedir(dir);
    if (n == 0) {
        fprintf(stderr, "golden_test: there is no chat in tests/golden\n");
        return 1;
    }
    qsort(paths, (size_t)n, sizeof *paths, by_name);
    for (int i = 0; i < n; i++)
        tests[i] = (struct CMUnitTest){paths[i], golden, NULL, NULL, paths[i]};
    if (dir)
        tests[n++] =
            (struct CMUnitTest){"every sentence is shown", every_sentence, NULL, NULL, NULL};
    return _cmocka_run_group_tests("golden chats", tests, (size_t)n, NULL, NULL);
}
