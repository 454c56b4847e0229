/* The terminal through a pipe, and at a screen with line editing. */
#include "engine/test.h"

#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <unistd.h>

#include "adapters/account.h"

extern const struct adapter terminal_adapter;
#define T (&terminal_adapter)

/* ---- fixture ---- */

static struct {
    void *account;
    struct arena *a;
    int keys, screen; /* our ends: we write its input and read its output */
    int its_input, its_output;
    struct batch heard;
    char shown[65536];
    size_t n_shown;
    int64_t row;
} seat;

static void sit_down(int keys, int screen, int input, int output)
{
    struct err err = {""};
    uint32_t can = T->can;
    struct limits limits = T->limits;
    memset(&seat, 0, sizeof seat);
    seat.keys = keys;
    seat.screen = screen;
    seat.its_input = input;
    seat.its_output = output;
    seat.a = arena_open(16 << 20);
    seat.account = test_account(
        seat.a, T,
        (const char *const[]){"person=ann", "room=home", arena_print(seat.a, "input=%d", input).p,
                              arena_print(seat.a, "output=%d", output).p, NULL});
    if (!T->open(seat.account, seat.a, &can, &limits, &err))
        fail_msg("%s", err.text);
}

/* `cursor`: as stored; "" at the first start. */
static void at_a_pipe_again(const char *cursor)
{
    int in[2], out[2];
    struct request request;
    assert_int_equal(pipe(in), 0);
    assert_int_equal(pipe(out), 0);
    sit_down(in[1], out[0], in[0], out[1]);
    T->poll(seat.account, seat.a, str_of(cursor), &request);
    assert_int_equal(request.kind, REQUEST_WATCH);
    assert_int_equal(request.fd, in[0]);
    assert_true(request.patient);
}

FIXTURE(at_a_pipe)
{
    at_a_pipe_again("");
    return 0;
}

FIXTURE(leave)
{
    T->close(seat.account);
    arena_close(seat.a);
    if (seat.keys != seat.screen)
        close(seat.keys);
    close(seat.screen);
    close(seat.its_input);
    if (seat.its_output != seat.its_input)
        close(seat.its_output);
    return 0;
}

static void keys(const char *text)
{
    assert_int_equal(write(seat.keys, text, strlen(text)), strlen(text));
}

static bool ready(int fd, int ms)
{
    struct pollfd p = {.fd = fd, .events = POLLIN};
    return poll(&p, 1, ms) > 0;
}

/* Reads the waiting input once. */
static void take(void)
{
    struct err err = {""};
    struct reply reply = {.now = 1};
    assert_true(T->read(seat.account, seat.a, &reply, &seat.heard, &err));
}

/* The next update; reads as long as there are keys. */
static const struct update *hear(void)
{
    do
        take();
    while (seat.heard.n == 0 && !seat.heard.over && ready(seat.its_input, 1000));
    return seat.heard.n > 0 ? &seat.heard.at[0] : NULL;
}

/* Reads keys that make no line. */
static void take_keys(void)
{
    while (ready(seat.its_input, 200)) {
        take();
        assert_false(seat.heard.over);
    }
}

static const char *shown(void)
{
    while (seat.n_shown < sizeof seat.shown - 1 && ready(seat.screen, 0)) {
        ssize_t n =
            read(seat.screen, seat.shown + seat.n_shown, sizeof seat.shown - 1 - seat.n_shown);
        if (n <= 0)
            break;
        seat.n_shown += (size_t)n;
    }
    seat.shown[seat.n_shown] = 0;
    seat.n_shown = 0;
    return seat.shown;
}

static void say(struct outgoing out)
{
    struct request request;
    struct receipt receipt;
    struct reply reply = {.now = 1};
    if (out.row == 0)
        out.row = ++seat.row;
    T->send(seat.account, seat.a, &out, &request);
    assert_int_equal(request.kind, REQUEST_DONE);
    T->receipt(seat.account, seat.a, &out, &reply, &receipt);
    assert_int_equal(receipt.kind, SENT);
}

static struct outgoing to_chat(const char *chat, const char *text)
{
    return (struct outgoing){.where = TO_CHAT, .chat = str_of(chat), .text = str_of(text)};
}

static struct outgoing whisper(const char *to, const char *text)
{
    return (struct outgoing){
        .where = TO_WHISPER, .chat = STR("#home"), .to = str_of(to), .text = str_of(text)};
}

static struct outgoing with_buttons(struct outgoing out, struct button *buttons, int n)
{
    out.buttons = buttons;
    out.n_buttons = n;
    return out;
}

#define assert_str(s, literal) assert_string_equal(arena_str(seat.a, (s)).p, literal)
#define assert_shows(part)     assert_non_null(strstr(shown(), part))

/* ---- through a pipe ---- */

TEST_WITH(line_is_a_text_of_its_typist, at_a_pipe, leave)
{
    keys("/challenge @bo, or @Kei!\n");
    const struct update *u = hear();
    assert_non_null(u);
    assert_int_equal(u->kind, UPDATE_TEXT);
    assert_str(u->text, "/challenge @bo, or @Kei!");
    assert_str(u->from.id, "ann");
    assert_str(u->from.name, "Ann");
    assert_str(u->chat, "#home");
    assert_false(u->direct);
    assert_int_equal(u->n_mentions, 2);
    assert_str(u->mention[0].handle, "bo");
    assert_str(u->mention[1].id, "kei");
    assert_string_equal(shown(), "ann> /challenge @bo, or @Kei!\n");
}

TEST_WITH(piped_lines_are_read_one_by_one, at_a_pipe, leave)
{
    keys("one\ntwo\nthree");
    take();
    assert_int_equal(seat.heard.n, 1);
    assert_str(seat.heard.at[0].text, "/one");
    take();
    assert_str(seat.heard.at[0].text, "/two");
    take();
    assert_int_equal(seat.heard.n, 0); /* "three" may go on */
    assert_false(seat.heard.over);
    close(seat.keys);
    seat.keys = seat.screen;
    take();
    assert_int_equal(seat.heard.n, 1);
    assert_str(seat.heard.at[0].text, "/three");
    take();
    assert_true(seat.heard.over);
}

TEST_WITH(as_and_room_commands, at_a_pipe, leave)
{
    keys("/as Bo\n/room tea\nhello\n/dm\nsecret\n/room\nback\n/as ann\nme\n");
    assert_str(hear()->chat, "#tea");
    assert_str(seat.heard.at[0].from.id, "bo");
    assert_str(seat.heard.cursor, "Bo tea");
    const struct update *u = hear();
    assert_str(u->chat, "@bo");
    assert_true(u->direct);
    assert_str(seat.heard.cursor, "Bo tea dm");
    assert_str(hear()->chat, "#home");
    assert_str(hear()->from.name, "Ann");
}

TEST_WITH(names_may_have_their_sign, at_a_pipe, leave)
{
    keys("/as @bo\n/room #tea\nhello\n");
    assert_str(hear()->chat, "#tea");
    assert_str(seat.heard.at[0].from.id, "bo");
}

TEST(cursor_restores_person_and_room)
{
    at_a_pipe_again("Bo tea dm");
    keys("hi\n");
    const struct update *u = hear();
    assert_str(u->from.id, "bo");
    assert_str(u->chat, "@bo");
    assert_string_equal(shown(), "bo @> hi\n");
    leave(NULL);
}

TEST(damaged_cursor_is_ignored)
{
    static const char *const cursors[] = {" ", "Bo", "\x1b[2J tea", "@ #", "a>b tea"};
    for (size_t i = 0; i < sizeof cursors / sizeof *cursors; i++) {
        at_a_pipe_again(cursors[i]);
        keys("hi\n");
        assert_str(hear()->from.id, "ann");
        leave(NULL);
    }
}

TEST_WITH(private_messages_have_a_prefix_on_every_line, at_a_pipe, leave)
{
    say(to_chat("#home", "Ann \x01wins\x07"));
    say(to_chat("#tea", "elsewhere"));
    say(whisper("bo", "a\nb"));
    say((struct outgoing){.where = TO_DIRECT, .to = STR("ann"), .text = STR("c")});
    say((struct outgoing){
        .kind = OUT_ANSWER, .chat = STR("#home"), .to = STR("ann"), .text = STR("no")});
    assert_string_equal(shown(), "Ann wins\n#tea elsewhere\n\xE2\x86\x92 bo a\n\xE2\x86\x92 bo b\n"
                                 "\xE2\x86\x92 ann c\n\xE2\x86\x92 ann! no\n");
}

TEST_WITH(a_fold_stands_open, at_a_pipe, leave)
{
    say(to_chat("#home", "Deal\n\010Details\nless\nmore\007\nend"));
    assert_string_equal(shown(), "Deal\nDetails\nless\nmore\nend\n");
}

TEST_WITH(control_characters_are_dropped, at_a_pipe, leave)
{
    say(to_chat("#home", "\x05"
                         "1\x05"
                         "Ev\x1b[2Jil\xC2\x9B"
                         "\x07 \xE2\x80\xAEon"));
    assert_string_equal(shown(), "Ev[2Jil on\n");
    keys("a\x1b[31mb\xFF\n");
    assert_str(hear()->text, "/a[31mb\xEF\xBF\xBD");
}

TEST_WITH(choices_are_pressed_by_number_and_letter, at_a_pipe, leave)
{
    struct button all[] = {{.label = STR("Accept"), .data = STR("A")},
                           {.label = STR("Decline"), .data = STR("D")}};
    struct button own[] = {{.label = STR("crane"), .data = STR("h1"), .row_end = true},
                           {.label = STR("moon"), .data = STR("h2")}};
    say(with_buttons(to_chat("#home", "t"), all, 2));
    say(with_buttons(whisper("ann", "h"), own, 2));
    assert_string_equal(
        shown(), "t\n[a] Accept  [b] Decline\n"
                 "\xE2\x86\x92 ann h\n\xE2\x86\x92 ann [1] crane\n\xE2\x86\x92 ann [2] moon\n");
    keys("b\n2\n/press 1\n/press \xDB\xB2.\n\xDB\xB1.\n/as bo\nA\n2\n\xDB\xB3\n");
    const struct update *u = hear();
    assert_int_equal(u->kind, UPDATE_PRESS);
    assert_str(u->text, "D");
    assert_str(u->post, "1");
    assert_str(hear()->text, "h2");
    assert_str(seat.heard.at[0].post, "2");
    assert_str(hear()->text, "h1");
    assert_str(hear()->text, "h2"); /* in any script, as a list shows it */
    assert_str(hear()->text, "h1");
    assert_str(hear()->text, "A"); /* Bo may press a choice for all */
    assert_str(seat.heard.at[0].from.id, "bo");
    u = hear(); /* but none of Ann's */
    assert_int_equal(u->kind, UPDATE_TEXT);
    assert_str(u->text, "/play 2"); /* a number without a choice is a move */
    assert_str(hear()->text, "/play 3");
}

/* People type what they read: what is first on the screen is pressed by its words, too. */
TEST_WITH(the_first_choice_is_pressed_by_what_it_is_called, at_a_pipe, leave)
{
    struct button all[] = {{.label = STR("\xF0\x9F\x8E\xB4 My hand"), .data = STR("M")},
                           {.label = STR("Yaku"), .data = STR("Y")}};
    struct button own[] = {{.label = STR("Start"), .data = STR("S")}};
    say(with_buttons(to_chat("#home", "t"), all, 2));
    say(with_buttons(whisper("bo", "h"), own, 1));
    keys("my Hand\nstart\nyaku\n/my hand\n/as bo\nstart\n");
    assert_str(hear()->text, "M");
    assert_str(hear()->text, "/start"); /* that is Bo's */
    assert_str(hear()->text, "/yaku");  /* others are commands */
    assert_str(hear()->text, "/my hand");
    assert_str(hear()->text, "S");
}

/* A private chat has the name of its person, who alone sees and presses what is in it. */
TEST_WITH(private_chat_is_its_persons_alone, at_a_pipe, leave)
{
    struct button choice[] = {{.label = STR("crane"), .data = STR("h1")}};
    say(with_buttons(to_chat("@bo", "your hand"), choice, 1));
    assert_string_equal(shown(), "\xE2\x86\x92 bo your hand\n\xE2\x86\x92 bo [1] crane\n");
    keys("/press 1\n/as bo\n/press 1\n");
    const struct update *u = hear();
    assert_str(u->from.id, "ann"); /* her number finds nothing to press */
    assert_int_equal(u->kind, UPDATE_TEXT);
    u = hear();
    assert_str(u->from.id, "bo");
    assert_int_equal(u->kind, UPDATE_PRESS);
    assert_str(u->text, "h1");
}

TEST_WITH(choice_without_words_is_shown, at_a_pipe, leave)
{
    struct button choice[] = {{.label = STR("Open"), .data = STR("o")}};
    say(with_buttons(to_chat("#home", ""), choice, 1));
    assert_shows("[a] Open\n");
}

TEST_WITH(newer_message_replaces_the_choices_of_its_slot, at_a_pipe, leave)
{
    struct button first[] = {{.label = STR("x"), .data = STR("old")}};
    struct button second[] = {{.label = STR("y"), .data = STR("new")}};
    struct outgoing out = {.where = TO_CHAT,
                           .chat = STR("#home"),
                           .slot = STR("m1"),
                           .text = STR("t"),
                           .n_buttons = 1};
    out.buttons = first;
    say(out);
    out.buttons = second;
    say(out);
    keys("a\na\n");
    assert_str(hear()->text, "new");
    out.n_buttons = 0;
    say(out);
    assert_int_equal(hear()->kind, UPDATE_TEXT); /* no choice is left */
}

TEST_WITH(overlong_line_is_cut, at_a_pipe, leave)
{
    char *flood = malloc(30001);
    memset(flood, 'x', 30000);
    flood[29999] = '\n';
    flood[30000] = 0;
    keys(flood);
    keys("next\n");
    assert_int_equal(hear()->text.n, 4096 + 1); /* its slash */
    assert_str(hear()->text, "/next");
    free(flood);
}

/* ---- at a screen ---- */

/* `cursor` as in at_a_pipe_again(); `welcome`: what is asked before anything is typed. */
static void at_a_screen_of(int columns, bool colour, const char *cursor, const char *welcome)
{
    int ours, its;
    struct winsize size = {.ws_row = 24, .ws_col = (unsigned short)columns};
    struct request request;
    setenv("TERM", "xterm", 1);
    if (colour)
        unsetenv("NO_COLOR");
    else
        setenv("NO_COLOR", "1", 1);
    assert_int_equal(openpty(&ours, &its, NULL, NULL, &size), 0);
    sit_down(ours, ours, its, its);
    T->poll(seat.account, seat.a, str_of(cursor), &request);
    assert_false(request.patient);
    assert_true(ready(request.fd, 0));
    take();
    assert_int_equal(seat.heard.n, 1);
    assert_str(seat.heard.at[0].text, welcome);
    T->poll(seat.account, seat.a, str_of(cursor), &request);
    assert_int_equal(request.fd, its);
    (void)shown();
}

FIXTURE(at_a_screen)
{
    at_a_screen_of(80, false, "", "/start");
    return 0;
}

TEST(a_screen_that_comes_again_is_told_what_runs)
{
    at_a_screen_of(80, false, "Bo tea", "/matches");
    assert_str(seat.heard.at[0].from.id, "bo");
    assert_str(seat.heard.at[0].chat, "#tea");
    leave(NULL);
}

TEST_WITH(lines_are_edited_with_the_usual_keys, at_a_screen, leave)
{
    keys("/plya\x02\x02\x04\x05\x7fya 3\r"); /* back, back, delete, end, rub out */
    assert_str(hear()->text, "/plya 3");
    keys("\x10\r"); /* the line before, again */
    assert_str(hear()->text, "/plya 3");
    keys("na\xC3\xAFve\x02\x02\x7f"
         "i\r"); /* rubs out one letter of two bytes */
    assert_str(hear()->text, "/naive");
}

TEST_WITH(plain_words_at_a_screen_are_commands, at_a_screen, leave)
{
    static const char *const typed[][2] = {{"what is this\r", "/what is this"},
                                           {"\xD0\xBF\xD1\x80\r", "/\xD0\xBF\xD1\x80"},
                                           {"3 pine\r", "3 pine"},
                                           {"???\r", "/help"}};
    for (size_t i = 0; i < sizeof typed / sizeof *typed; i++) {
        keys(typed[i][0]);
        const struct update *u = hear();
        assert_str(u->text, typed[i][1]);
        assert_true(u->addressed);
    }
    keys("/table\r");
    assert_false(hear()->addressed);
}

/* Arrows, delete, clear screen: on an empty line they do nothing. */
TEST_WITH(keys_on_an_empty_line_are_harmless, at_a_screen, leave)
{
    static const char *const idle[] = {"\x1b[A", "\x1b[D", "\x7f",  "\x01",
                                       "\x0c",   "\t",     "x\x7f", "\x15"};
    for (size_t i = 0; i < sizeof idle / sizeof *idle; i++) {
        keys(idle[i]);
        take_keys();
    }
    keys("/table\r");
    assert_str(hear()->text, "/table");
}

TEST_WITH(output_redraws_the_typed_line, at_a_screen, leave)
{
    keys("/pla");
    take_keys();
    (void)shown();
    say(to_chat("#home", "Bo played"));
    const char *screen = shown();
    assert_non_null(strstr(screen, "\r\033[J"
                                   "Bo played\r\n"));               /* wiped, the message ... */
    assert_non_null(strstr(strstr(screen, "played"), "ann> /pla")); /* ... and drawn again */
    keys("y 1\r");
    assert_str(hear()->text, "/play 1");
}

TEST(wrapped_line_is_wiped_whole)
{
    at_a_screen_of(20, false, "", "/start");
    keys("0123456789012345678901234567890123456789"); /* "ann> " and 40 in rows of 20 */
    take_keys();
    (void)shown();
    say(to_chat("#home", "x"));
    assert_shows("\033[2A\r\033[J"
                 "x\r\n");
    leave(NULL);
}

TEST(colours_follow_no_color_and_term)
{
    struct outgoing out = {.where = TO_CHAT,
                           .chat = STR("#home"),
                           .text = STR("\x01"
                                       "a\nb\x07"
                                       "c")};
    at_a_screen_of(80, true, "", "/start");
    say(out);
    assert_shows("\033[1ma\033[0m\r\n\033[0m\033[1mb\033[0mc");
    leave(NULL);
    at_a_screen_of(80, false, "", "/start");
    say(out);
    const char *screen = shown();
    assert_non_null(strstr(screen, "a\r\nbc"));
    assert_null(strstr(screen, "\033[1m"));
    leave(NULL);
}

TEST(long_lines_wrap_between_words)
{
    struct button own[] = {{.label = STR("plum poetry ribbon"), .data = STR("h1")},
                           {.label = STR("full moon"), .data = STR("h2")},
                           {.label = STR("crane"), .data = STR("h3")}};
    at_a_screen_of(40, false, "", "/start");
    shown();
    say(to_chat("#home", "Field 1 pine crane \xC2\xB7 3 cherry curtain \xC2\xB7 8 full moon"));
    assert_shows("Field 1 pine crane \xC2\xB7 3 cherry curtain \xC2\xB7\r\n  8 full moon\r\n");
    /* No card is cut in two. */
    say(to_chat("#home", "Field 1 pine crane \xC2\xB7 3 cherry \xC2\xB7 8 pampas full moon"));
    assert_shows("Field 1 pine crane \xC2\xB7 3 cherry \xC2\xB7\r\n  8 pampas full moon\r\n");
    say(to_chat("#home", "0123456789012345678901234567890123456789012345 next"));
    assert_shows("0123456789012345678901234567890123456789012345\r\n  next\r\n");
    say((struct outgoing){.where = TO_WHISPER,
                          .chat = STR("#home"),
                          .to = STR("ann"),
                          .n_buttons = 3,
                          .buttons = own,
                          .text = STR("A hand of eight cards, and a long line on them\nshort")});
    assert_shows("\xE2\x86\x92 ann A hand of eight cards, and a long\r\n"
                 "        line on them\r\n"
                 "\xE2\x86\x92 ann short\r\n"
                 "\xE2\x86\x92 ann [1] plum poetry ribbon\r\n"
                 "        [2] full moon  [3] crane\r\n");
    leave(NULL);
    at_a_pipe(NULL); /* a pipe has no width */
    say(to_chat("#home",
                "one two three four five six seven eight nine ten eleven twelve thirteen"));
    assert_string_equal(
        shown(), "one two three four five six seven eight nine ten eleven twelve thirteen\n");
    leave(NULL);
}

/* No byte of input or message reaches the screen as a control code, and only codes are lost. */
TEST_WITH(any_bytes_can_be_typed, at_a_pipe, leave)
{
    static const char *const lines[] = {"/as",
                                        "/as ",
                                        "/as @",
                                        "/as @@bo",
                                        "/as a b",
                                        "/as \xFF",
                                        "/as a\x1b[2Jb",
                                        "/as \xE2\x80\xAE",
                                        "/as a:b",
                                        "/as #x",
                                        "/as /as",
                                        "/as \xE6\xA2\x85",
                                        "/room",
                                        "/room \xFF\xFE",
                                        "/room a#b",
                                        "/press",
                                        "/press 0",
                                        "/press 99999999999999999999",
                                        "/press -1",
                                        "/press zz",
                                        "@ @@ @, @@@@ @bo @bo @bo @bo @bo",
                                        "\t\t",
                                        "\xC0\x80",
                                        "\xED\xA0\x80",
                                        "/dm \x01\x02\x07",
                                        "/",
                                        "//",
                                        "/quit?"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        keys(lines[i]);
        keys("\n");
        take();
        assert_true(seat.heard.n <= 1 && !seat.heard.over);
        for (int k = 0; k < seat.heard.n; k++) {
            const struct update *u = &seat.heard.at[k];
            assert_true(u->from.id.n > 0 && u->from.name.n > 0 && u->chat.n > 1 &&
                        u->n_mentions <= MAX_MENTIONS);
            assert_null(memchr(u->text.p, '\x1b', u->text.n));
        }
        const char *screen = shown();
        for (const char *c = screen; *c; c++)
            assert_true((unsigned char)*c >= ' ' || *c == '\n');
    }
    keys("/as \xE6\xA2\x85\nhi\n"); /* a name need not be Latin */
    assert_str(hear()->from.name, "\xE6\xA2\x85");
}

TEST_WITH(end_of_file_ends_the_input, at_a_screen, leave)
{
    keys("x\x04"); /* behind "x" it does nothing; on an empty line it ends the input */
    take_keys();
    keys("\x7f\x04");
    assert_null(hear());
    assert_true(seat.heard.over);
}

TEST_WITH(closed_output_ends_the_adapter, at_a_screen, leave)
{
    close(seat.keys);
    seat.keys = seat.screen = open("/dev/null", O_RDWR);
    assert_null(hear());
    assert_true(seat.heard.over);
}
