/* Golden chats: what people type, and what they read. Every tests/golden/NAME.chat is one test.
 *
 *     # a remark
 *     network: buttons edit erase direct popup whisper style mention countdown     what it can; default below
 *     deal 1: alice 1b 1r; bob 2a; field 3b; stock 4a       these cards, the rest in canonical order;
 *                                             with any deal line the challenger draws the crane and deals
 *     chance: 7                               where the deals come from, else; any number
 *     admin: alice
 *     far: dora erik                          these people are on another network; its group is "isle"
 *     far network: edit direct                what that one can; default as above
 *     limit: 300                              of a message, in characters
 *     speaks: pl                              the catalogue of tests/golden/texts is there too
 *     anonymous: dan                          posts as the group itself
 *     alice> /challenge @bob                  typed in the group "tea"; alice@den> in the group "den",
 *                                             alice@nameless> in one whose name is not known
 *     alice~ /hand                            typed in the private chat
 *     alice asks hand 1                       looks for something to say by way of the bot; then
 *     alice utters Challenge: sensei          the answer whose title begins so is said, and the bot is told,
 *     alice utters-untold Challenge: sensei   or is not told
 *     bob presses Accept                      the newest button that begins so and bob can see
 *     bob reacts 3 / bob reacts-before 3      a number under the newest private message, under the one before it
 *     again / repeat                          the last press by a second update / the same update twice
 *     unreachable bob                         the last private message to bob cannot be given
 *     wait 3h                                 the clock moves; what is due happens (s, m, h, d)
 *     away 9h                                 the program does not run for so long
 *     den moves to lair                       the network gives a group another key
 *     restart                                 the program ends and starts again
 *     answer lost                             the computer's answers do not arrive until the next restart
 *     bob forges j1.1.1                       presses a button that nobody made
 *     bot joins den / bot leaves den          it is added to a group, or removed from it
 *     bot rights den / bot deaf den           it may do more or less there; alice has invited it where all is encrypted
 *     teacher: TEXT / teacher is silent       the next hint or review is that, or cannot be made
 *     computer goes on                        where it would stop next, it calls koi-koi
 *     auto 5 / auto koikoi 5 / auto end       so many moves by whoever is to move, said or not
 *
 * What is said after each of these must be exactly:
 *
 *     group: first line                       in a group (den: for another), "group edits:" replaces a message
 *         second line                         more lines, indented by four
 *         [Accept] [Decline]                  its buttons
 *         ...                                 any more lines, and any buttons
 *     to alice: text                          in her private chat; "alone alice:" in the group for her eyes
 *     offers alice: title / about             something to say; then its text and its button
 *     popup alice: text                       an answer to her press; an answer without words is not shown
 *     erases ping                             a message is taken away
 *     ...                                     anything else until the next input
 *
 * Hashes and seeds of 64 digits are shown as <hash>, numbers before " %" as <n>: chances are
 * reckoned anew whenever the search learns something. A code for people to type is shown as <code>, and
 * <code> in what is typed is the newest one. A message that would only have replaced one that
 * does not stand is not shown. GOLDEN_SHOW=1 prints what was said, for writing a new chat: read every
 * line as a player before you keep it.
 *
 * The last test is about all chats: every sentence of text.def stands in a line that some chat expects.
 */
#include "stage.h"

#include <dirent.h>

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

/* ---- which sentences are shown ---- */

enum { MAX_MADE = 4096, MATCHED = 64 * 1024 };

/* What text_make made since the last input, and the lines that the chat expected and found. */
static struct {
    enum text key;
    struct str text;
} made[MAX_MADE];
static int n_made;
static char matched[MATCHED];
static size_t n_matched;
static bool is_shown[N_TEXTS];

struct str __wrap_text_make(const struct texts *t, struct arena *a, enum text key, int64_t n,
                            const struct str *args, int n_args);
struct str __real_text_make(const struct texts *t, struct arena *a, enum text key, int64_t n,
                            const struct str *args, int n_args);

struct str __wrap_text_make(const struct texts *t, struct arena *a, enum text key, int64_t n,
                            const struct str *args, int n_args)
{
    struct str text = __real_text_make(t, a, key, n, args, n_args);
    if (!is_shown[key] && n_made < MAX_MADE && text.n > 0) {
        made[n_made].key = key;
        made[n_made++].text = arena_str(stage->arena, text);
    }
    return text;
}

static void matched_line(struct str line)
{
    struct buf b = {matched, n_matched, sizeof matched, false};
    buf_put(&b, line);
    buf_char(&b, '\n');
    n_matched = b.n;
}

static void plain(struct buf *b, struct str s);

/* A sentence is shown if it stands, whole, in what was expected. */
static void count_shown(void)
{
    static char bytes[SHOWN];
    for (int i = 0; i < n_made; i++) {
        struct buf b = BUF(bytes);
        plain(&b, made[i].text);
        if (!is_shown[made[i].key] && b.n > 0)
            is_shown[made[i].key] = memmem(matched, n_matched, b.p, b.n) != NULL;
    }
    n_made = 0;
    n_matched = 0;
}

/* ---- what was said, as lines ---- */

static size_t digits_at(struct str s)
{
    size_t n = 0;
    while (n < s.n && isdigit((unsigned char)s.p[n]))
        n++;
    return n;
}

static void plain(struct buf *b, struct str s)
{
    struct str rest;
    for (size_t i = 0; i < s.n; i++) {
        char c = s.p[i];
        size_t hex = 0;
        while (i + hex < s.n && isxdigit((unsigned char)s.p[i + hex]) && hex < 65)
            hex++;
        size_t digits = i > 0 && isdigit((unsigned char)s.p[i - 1]) ? 0 : digits_at(str_skip(s, i));
        if (digits > 0 && str_starts(str_skip(s, i + digits), STR(" %"))) {
            buf_put(b, STR("<n>"));
            i += digits - 1;
            continue;
        }
        if (hex == 64) {
            buf_put(b, STR("<hash>"));
            i += 63;
        } else if (c == '\n') {
            buf_put(b, STR("\n    "));
        } else if (c == MARK_CODE && is_code(str_cut(str_skip(s, i + 1), MARK_END, &rest))) {
            buf_put(b, STR("<code>"));
            i = (size_t)(rest.p - s.p) - 1;
        } else if (c == MARK_NAME) {
            buf_char(b, '@');
            while (++i < s.n && s.p[i] != MARK_NAME)
                continue;
        } else if (c == MARK_TIME) {
            buf_put(b, STR("@"));
        } else if (c < MARK_BOLD || c > MARK_END) {
            buf_char(b, c);
        }
    }
}

static void show_articles(struct buf *b, const struct outgoing *o)
{
    for (int i = 0; i < o->n_articles; i++) {
        const struct article *it = &o->articles[i];
        buf_print(b, "offers %.*s: ", STR_ARG(o->to));
        plain(b, it->title);
        if (it->about.n > 0)
            buf_put(b, STR(" / "));
        plain(b, it->about);
        buf_put(b, STR("\n    "));
        plain(b, it->text);
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
    plain(b, o->text);
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
        matched_line(line);
    }
    if (found.n > 0)
        differ(p, STR("(nothing more)"), line_of(&found));
    count_shown();
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

static char *zero(struct play *p, struct str s)
{
    (void)p;
    return (char *)arena_str(stage->arena, s).p;
}

static void deal_line(struct play *p, struct str line)
{
    int64_t round = 0, attempt = 1;
    struct str cards, head = str_cut(str_skip(line, 5), ':', &cards), tail;
    head = str_cut(head, '.', &tail);
    if (!str_int(head, &round) || (tail.n > 0 && !str_int(tail, &attempt)))
        fail_msg("%s:%d: deal ROUND.ATTEMPT: cards", p->file, p->line_no);
    stage_deal(p->stage, (int)round, (int)attempt, zero(p, cards));
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
    stage_type(p->stage, zero(p, who), room.n ? zero(p, room) : "tea", line.p[n] == '~',
               zero(p, str_skip(line, n + 2)));
    return true;
}

static void input(struct play *p, struct str line)
{
    struct str rest = line, who = str_word(&rest), verb = str_word(&rest);
    if (typed(p, line))
        return;
    if (str_is(verb, STR("presses"))) {
        if (!stage_press(p->stage, zero(p, who), zero(p, str_trim(rest))))
            fail_msg("%s:%d: there is no such button", p->file, p->line_no);
    } else if (str_is(verb, STR("reacts")) || str_is(verb, STR("reacts-before"))) {
        if (!stage_react(p->stage, zero(p, who), str_is(verb, STR("reacts-before")),
                         zero(p, str_trim(rest))))
            fail_msg("%s:%d: there is no such message", p->file, p->line_no);
    } else if (str_is(line, STR("again")) || str_is(line, STR("repeat"))) {
        stage_press_again(p->stage, str_is(line, STR("repeat")));
    } else if (str_is(verb, STR("asks"))) {
        stage_ask(p->stage, zero(p, who), zero(p, str_trim(rest)));
    } else if (str_is(verb, STR("utters")) || str_is(verb, STR("utters-untold"))) {
        if (!stage_say(p->stage, zero(p, who), zero(p, str_trim(rest)),
                       str_is(verb, STR("utters"))))
            fail_msg("%s:%d: nothing like that was offered", p->file, p->line_no);
    } else if (str_is(verb, STR("forges"))) {
        stage_forge(p->stage, zero(p, who), zero(p, str_trim(rest)));
    } else if (str_starts(line, STR("teacher: "))) {
        p->stage->teaches = zero(p, str_skip(line, 9));
    } else if (str_is(line, STR("computer goes on"))) {
        p->stage->goes_on = true;
    } else if (str_is(line, STR("teacher is silent"))) {
        p->stage->teaches = "";
    } else if (str_is(line, STR("answer lost"))) {
        p->stage->lose = true;
    } else if (str_is(who, STR("bot"))) {
        stage_bot(p->stage, zero(p, verb), zero(p, str_trim(rest)));
    } else if (str_is(line, STR("restart"))) {
        stage_restart(p->stage);
    } else if (str_is(who, STR("away"))) {
        stage_away(p->stage, span(verb));
    } else if (str_is(verb, STR("moves"))) {
        (void)str_word(&rest);
        stage_moves(p->stage, zero(p, who), zero(p, str_trim(rest)));
    } else if (str_is(who, STR("wait"))) {
        stage_wait(p->stage, span(verb));
    } else if (str_is(who, STR("unreachable"))) {
        stage_unreachable(p->stage, zero(p, verb));
    } else if (str_is(who, STR("auto"))) {
        auto_line(p, line);
    } else {
        fail_msg("%s:%d: not understood: %.*s", p->file, p->line_no, STR_ARG(line));
    }
}

/* ---- one chat ---- */

static void play_chat(struct play *p, bool show)
{
    while (p->rest.n > 0) {
        struct str line = line_of(&p->rest);
        p->line_no++;
        if (line.n == 0 || line.p[0] == '#') {
            if (show)
                printf("%.*s\n", STR_ARG(line));
            continue;
        }
        if (show && !is_said(line))
            printf("%.*s\n", STR_ARG(line));
        if (str_starts(line, STR("network:"))) {
            network_line(p, &p->stage->accounts[0], str_skip(line, 8));
        } else if (str_starts(line, STR("far network:"))) {
            network_line(p, &p->stage->accounts[1], str_skip(line, 12));
        } else if (str_starts(line, STR("far:"))) {
            snprintf(p->stage->far, sizeof p->stage->far, "%.*s", STR_ARG(str_skip(line, 4)));
        } else if (str_starts(line, STR("deal "))) {
            deal_line(p, line);
        } else if (str_starts(line, STR("chance:"))) {
            int64_t n;
            if (str_int(str_trim(str_skip(line, 7)), &n))
                p->stage->chance = (uint64_t)n;
        } else if (str_starts(line, STR("admin:"))) {
            stage_admin(p->stage, zero(p, str_trim(str_skip(line, 6))));
        } else if (str_starts(line, STR("limit:"))) {
            int64_t n;
            if (str_int(str_trim(str_skip(line, 6)), &n))
                p->stage->accounts[0].limits.text_chars = (int)n;
        } else if (str_starts(line, STR("speaks:"))) {
            stage_speaks(p->stage, zero(p, str_trim(str_skip(line, 7))));
        } else if (str_starts(line, STR("anonymous:"))) {
            p->stage->anonymous = zero(p, str_trim(str_skip(line, 10)));
        } else if (!is_said(line)) {
            input(p, line);
            gather(p);
            if (!show)
                compare(p);
            else if (!str_starts(p->rest, STR("...\n")))
                printf("%.*s", (int)p->n_shown, p->shown);
            else
                printf("...\n");
        } else if (!show) {
            fail_msg("%s:%d: said before anything was typed", p->file, p->line_no);
        }
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
    stage_close(p.stage);
}

/* Every sentence is shown by a chat. */
static void every_sentence(void **state)
{
    int missing = 0;
    (void)state;
    for (int k = 0; k < N_TEXTS; k++) {
        if (is_shown[k] || k == T_GLYPH_PLAIN) /* plain cards have no sign in English */
            continue;
        print_error("no chat shows \"%s\"\n", text_name((enum text)k));
        missing++;
    }
    assert_int_equal(missing, 0);
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
