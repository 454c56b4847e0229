/* The terminal through a pipe, and at a screen with line editing. */
#include "engine/test.h"

#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <unistd.h>

#include "adapter.h"

extern const struct adapter terminal_adapter;
#define T (&terminal_adapter)

/* ---- fixture ---- */

struct seat {
    void *account;
    struct arena *a;
    int keys, screen; /* our ends: we write its input and read its output */
    int its_input, its_output;
    struct batch heard;
    char shown[65536];
    size_t n_shown;
    int64_t row;
};

static void set(struct seat *s, const char *key, struct str value)
{
    for (const struct option *o = T->options; o->key; o++)
        if (strcmp(o->key, key) == 0) {
            int64_t n = 0;
            char *place = (char *)s->account + o->offset;
            if (o->kind == OPTION_INT && str_int(value, &n))
                memcpy(place, &n, sizeof n);
            else
                memcpy(place, &value, sizeof value);
            return;
        }
    fail_msg("no option %s", key);
}

static void sit_down(struct seat *s, int input, int output)
{
    struct err err = {""};
    uint32_t can = T->can;
    struct limits limits = T->limits;
    s->a = arena_open(16 << 20);
    s->account = arena_alloc(s->a, T->account_size);
    s->its_input = input;
    s->its_output = output;
    set(s, "person", STR("ann"));
    set(s, "room", STR("home"));
    set(s, "input", arena_print(s->a, "%d", input));
    set(s, "output", arena_print(s->a, "%d", output));
    if (!T->open(s->account, s->a, &can, &limits, &err))
        fail_msg("%s", err.text);
}

static void poll_with(struct seat *s, const char *cursor, struct request *ret)
{
    T->poll(s->account, s->a, str_of(cursor), ret);
}

/* `cursor`: as stored; "" at the first start. */
static void at_a_pipe_again(struct seat *s, const char *cursor)
{
    int in[2], out[2];
    struct request request;
    assert_int_equal(pipe(in), 0);
    assert_int_equal(pipe(out), 0);
    *s = (struct seat){.keys = in[1], .screen = out[0]};
    sit_down(s, in[0], out[1]);
    poll_with(s, cursor, &request);
    assert_int_equal(request.kind, REQUEST_WATCH);
    assert_int_equal(request.fd, in[0]);
    assert_true(request.patient);
}

static void at_a_pipe(struct seat *s)
{
    at_a_pipe_again(s, "");
}

static void leave(struct seat *s)
{
    T->close(s->account);
    arena_close(s->a);
    if (s->keys != s->screen)
        close(s->keys);
    close(s->screen);
    close(s->its_input);
    if (s->its_output != s->its_input)
        close(s->its_output);
}

static void keys(struct seat *s, const char *text)
{
    assert_int_equal(write(s->keys, text, strlen(text)), strlen(text));
}

static bool ready(int fd, int ms)
{
    struct pollfd p = {.fd = fd, .events = POLLIN};
    return poll(&p, 1, ms) > 0;
}

/* Reads the waiting input once. */
static void take(struct seat *s)
{
    struct err err = {""};
    struct reply reply = {.now = 1};
    assert_true(T->read(s->account, s->a, &reply, &s->heard, &err));
}

/* The next update; reads as long as there are keys. */
static const struct update *hear(struct seat *s)
{
    do
        take(s);
    while (s->heard.n == 0 && !s->heard.over && ready(s->its_input, 1000));
    return s->heard.n > 0 ? &s->heard.at[0] : NULL;
}

static const char *shown(struct seat *s)
{
    while (s->n_shown < sizeof s->shown - 1 && ready(s->screen, 0)) {
        ssize_t n = read(s->screen, s->shown + s->n_shown, sizeof s->shown - 1 - s->n_shown);
        if (n <= 0)
            break;
        s->n_shown += (size_t)n;
    }
    s->shown[s->n_shown] = 0;
    s->n_shown = 0;
    return s->shown;
}

static void say(struct seat *s, struct outgoing out)
{
    struct request request;
    struct receipt receipt;
    struct reply reply = {.now = 1};
    if (out.row == 0)
        out.row = ++s->row;
    T->send(s->account, s->a, &out, &request);
    assert_int_equal(request.kind, REQUEST_DONE);
    T->receipt(s->account, s->a, &out, &reply, &receipt);
    assert_int_equal(receipt.kind, SENT);
}

#define assert_str(s, literal) assert_string_equal(arena_str(seat.a, (s)).p, literal)

/* ---- through a pipe ---- */

TEST(line_is_a_text_of_its_typist)
{
    struct seat seat;
    at_a_pipe(&seat);
    keys(&seat, "/challenge @bo, or @Kei!\n");
    const struct update *u = hear(&seat);
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
    assert_string_equal(shown(&seat), "ann> /challenge @bo, or @Kei!\n");
    leave(&seat);
}

TEST(piped_lines_are_read_one_by_one)
{
    struct seat seat;
    at_a_pipe(&seat);
    keys(&seat, "one\ntwo\nthree");
    take(&seat);
    assert_int_equal(seat.heard.n, 1);
    assert_str(seat.heard.at[0].text, "one");
    take(&seat);
    assert_str(seat.heard.at[0].text, "two");
    take(&seat);
    assert_int_equal(seat.heard.n, 0); /* "three" may go on */
    assert_false(seat.heard.over);
    close(seat.keys);
    seat.keys = seat.screen;
    take(&seat);
    assert_int_equal(seat.heard.n, 1);
    assert_str(seat.heard.at[0].text, "three");
    take(&seat);
    assert_true(seat.heard.over);
    leave(&seat);
}

TEST(as_and_room_commands)
{
    struct seat seat;
    at_a_pipe(&seat);
    keys(&seat, "/as Bo\n/room tea\nhello\n/dm\nsecret\n/room\nback\n/as ann\nme\n");
    assert_str(hear(&seat)->chat, "#tea");
    assert_str(seat.heard.at[0].from.id, "bo");
    assert_str(seat.heard.cursor, "Bo tea");
    const struct update *u = hear(&seat);
    assert_str(u->chat, "@bo");
    assert_true(u->direct);
    assert_str(seat.heard.cursor, "Bo tea dm");
    assert_str(hear(&seat)->chat, "#home");
    assert_str(hear(&seat)->from.name, "Ann");
    leave(&seat);
}

TEST(names_may_have_their_sign)
{
    struct seat seat;
    at_a_pipe(&seat);
    keys(&seat, "/as @bo\n/room #tea\nhello\n");
    assert_str(hear(&seat)->chat, "#tea");
    assert_str(seat.heard.at[0].from.id, "bo");
    leave(&seat);
}

TEST(cursor_restores_person_and_room)
{
    struct seat seat;
    at_a_pipe_again(&seat, "Bo tea dm");
    keys(&seat, "hi\n");
    const struct update *u = hear(&seat);
    assert_str(u->from.id, "bo");
    assert_str(u->chat, "@bo");
    assert_string_equal(shown(&seat), "bo @> hi\n");
    leave(&seat);
}

TEST(damaged_cursor_is_ignored)
{
    static const char *const cursors[] = {" ", "Bo", "\x1b[2J tea", "@ #", "a>b tea"};
    for (size_t i = 0; i < sizeof cursors / sizeof *cursors; i++) {
        struct seat seat;
        at_a_pipe_again(&seat, cursors[i]);
        keys(&seat, "hi\n");
        assert_str(hear(&seat)->from.id, "ann");
        leave(&seat);
    }
}

TEST(private_messages_have_a_prefix_on_every_line)
{
    struct seat seat;
    at_a_pipe(&seat);
    say(&seat,
        (struct outgoing){.where = TO_CHAT, .chat = STR("#home"), .text = STR("Ann \x01wins\x07")});
    say(&seat, (struct outgoing){.where = TO_CHAT, .chat = STR("#tea"), .text = STR("elsewhere")});
    say(&seat,
        (struct outgoing){
            .where = TO_WHISPER, .chat = STR("#home"), .to = STR("bo"), .text = STR("a\nb")});
    say(&seat, (struct outgoing){.where = TO_DIRECT, .to = STR("ann"), .text = STR("c")});
    say(&seat, (struct outgoing){
                   .kind = OUT_ANSWER, .chat = STR("#home"), .to = STR("ann"), .text = STR("no")});
    assert_string_equal(shown(&seat),
                        "Ann wins\n#tea elsewhere\n\xE2\x86\x92 bo a\n\xE2\x86\x92 bo b\n"
                        "\xE2\x86\x92 ann c\n\xE2\x86\x92 ann! no\n");
    leave(&seat);
}

TEST(a_fold_stands_open_with_the_first_digits_of_its_codes)
{
    struct seat seat;
    at_a_pipe(&seat);
    say(&seat,
        (struct outgoing){.where = TO_CHAT,
                          .chat = STR("#home"),
                          .text = STR("Deal\n\010Proof\nseal: \00200112233445566778899aabbccdd"
                                      "eeff00112233445566778899aabbccddeeff\007\nmore\007\n"
                                      "\002short\007 \0020011223344556677\007")});
    assert_string_equal(shown(&seat), "Deal\nProof\nseal: 00112233\xE2\x80\xA6\nmore\nshort "
                                      "0011223344556677\n");
    leave(&seat);
}

TEST(control_characters_are_dropped)
{
    struct seat seat;
    at_a_pipe(&seat);
    say(&seat, (struct outgoing){.where = TO_CHAT,
                                 .chat = STR("#home"),
                                 .text = STR("\x05"
                                             "1\x05"
                                             "Ev\x1b[2Jil\xC2\x9B"
                                             "\x07 \xE2\x80\xAEon")});
    assert_string_equal(shown(&seat), "Ev[2Jil on\n");
    keys(&seat, "a\x1b[31mb\xFF\n");
    assert_str(hear(&seat)->text, "a[31mb\xEF\xBF\xBD");
    leave(&seat);
}

TEST(choices_are_pressed_by_number_and_letter)
{
    struct seat seat;
    struct button all[] = {{.label = STR("Accept"), .data = STR("A")},
                           {.label = STR("Decline"), .data = STR("D")}};
    struct button own[] = {{.label = STR("crane"), .data = STR("h1"), .row_end = true},
                           {.label = STR("moon"), .data = STR("h2")}};
    at_a_pipe(&seat);
    say(&seat, (struct outgoing){.where = TO_CHAT,
                                 .chat = STR("#home"),
                                 .text = STR("t"),
                                 .n_buttons = 2,
                                 .buttons = all});
    say(&seat, (struct outgoing){.where = TO_WHISPER,
                                 .chat = STR("#home"),
                                 .to = STR("ann"),
                                 .text = STR("h"),
                                 .n_buttons = 2,
                                 .buttons = own});
    assert_string_equal(
        shown(&seat),
        "t\n[a] Accept  [b] Decline\n"
        "\xE2\x86\x92 ann h\n\xE2\x86\x92 ann [1] crane\n\xE2\x86\x92 ann [2] moon\n");
    keys(&seat, "b\n2\n/press 1\n/as bo\nA\n2\n3\n");
    const struct update *u = hear(&seat);
    assert_int_equal(u->kind, UPDATE_PRESS);
    assert_str(u->text, "D");
    assert_str(u->post, "1");
    assert_str(hear(&seat)->text, "h2");
    assert_str(seat.heard.at[0].post, "2");
    assert_str(hear(&seat)->text, "h1");
    assert_str(hear(&seat)->text, "A"); /* Bo may press a choice for all */
    assert_str(seat.heard.at[0].from.id, "bo");
    u = hear(&seat); /* but none of Ann's */
    assert_int_equal(u->kind, UPDATE_TEXT);
    assert_str(u->text, "/play 2"); /* a number without a choice is a move */
    assert_str(hear(&seat)->text, "/play 3");
    leave(&seat);
}

/* A private chat has the name of its person, who alone sees and presses what is in it. */
TEST(private_chat_is_its_persons_alone)
{
    struct seat seat;
    struct button choice[] = {{.label = STR("crane"), .data = STR("h1")}};
    at_a_pipe(&seat);
    say(&seat, (struct outgoing){.where = TO_CHAT,
                                 .chat = STR("@bo"),
                                 .text = STR("your hand"),
                                 .n_buttons = 1,
                                 .buttons = choice});
    assert_string_equal(shown(&seat), "\xE2\x86\x92 bo your hand\n\xE2\x86\x92 bo [1] crane\n");
    keys(&seat, "/press 1\n/as bo\n/press 1\n");
    const struct update *u = hear(&seat);
    assert_str(u->from.id, "ann"); /* her number finds nothing to press */
    assert_int_equal(u->kind, UPDATE_TEXT);
    u = hear(&seat);
    assert_str(u->from.id, "bo");
    assert_int_equal(u->kind, UPDATE_PRESS);
    assert_str(u->text, "h1");
    leave(&seat);
}

TEST(choice_without_words_is_shown)
{
    struct seat seat;
    struct button choice[] = {{.label = STR("Open"), .data = STR("o")}};
    at_a_pipe(&seat);
    say(&seat, (struct outgoing){
                   .where = TO_CHAT, .chat = STR("#home"), .n_buttons = 1, .buttons = choice});
    assert_non_null(strstr(shown(&seat), "[a] Open\n"));
    leave(&seat);
}

TEST(newer_message_replaces_the_choices_of_its_slot)
{
    struct seat seat;
    struct button first[] = {{.label = STR("x"), .data = STR("old")}};
    struct button second[] = {{.label = STR("y"), .data = STR("new")}};
    at_a_pipe(&seat);
    struct outgoing out = {.where = TO_CHAT,
                           .chat = STR("#home"),
                           .slot = STR("m1"),
                           .text = STR("t"),
                           .n_buttons = 1};
    out.buttons = first;
    say(&seat, out);
    out.buttons = second;
    say(&seat, out);
    keys(&seat, "a\na\n");
    assert_str(hear(&seat)->text, "new");
    out.n_buttons = 0;
    say(&seat, out);
    assert_int_equal(hear(&seat)->kind, UPDATE_TEXT); /* no choice is left */
    leave(&seat);
}

TEST(overlong_line_is_cut)
{
    struct seat seat;
    at_a_pipe(&seat);
    char *flood = malloc(30001);
    memset(flood, 'x', 30000);
    flood[29999] = '\n';
    flood[30000] = 0;
    keys(&seat, flood);
    keys(&seat, "next\n");
    assert_int_equal(hear(&seat)->text.n, 4096);
    assert_str(hear(&seat)->text, "next");
    free(flood);
    leave(&seat);
}

/* ---- at a screen ---- */

/* `cursor` as in at_a_pipe_again(); `welcome`: what is asked before anything is typed. */
static void at_a_screen_again(struct seat *s, int columns, bool colour, const char *cursor,
                              const char *welcome)
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
    *s = (struct seat){.keys = ours, .screen = ours};
    sit_down(s, its, its);
    poll_with(s, cursor, &request);
    assert_false(request.patient);
    assert_true(ready(request.fd, 0));
    take(s);
    assert_int_equal(s->heard.n, 1);
    assert_string_equal(arena_str(s->a, s->heard.at[0].text).p, welcome);
    poll_with(s, cursor, &request);
    assert_int_equal(request.fd, its);
    (void)shown(s);
}

static void at_a_screen(struct seat *s, int columns, bool colour)
{
    at_a_screen_again(s, columns, colour, "", "/start");
}

TEST(a_screen_that_comes_again_is_told_what_runs)
{
    struct seat seat;
    at_a_screen_again(&seat, 80, false, "Bo tea", "/matches");
    assert_str(seat.heard.at[0].from.id, "bo");
    assert_str(seat.heard.at[0].chat, "#tea");
    leave(&seat);
}

TEST(lines_are_edited_with_the_usual_keys)
{
    struct seat seat;
    at_a_screen(&seat, 80, false);
    keys(&seat, "/plya\x02\x02\x04\x05\x7fya 3\r"); /* back, back, delete, end, rub out */
    assert_str(hear(&seat)->text, "/plya 3");
    keys(&seat, "\x10\r"); /* the line before, again */
    assert_str(hear(&seat)->text, "/plya 3");
    keys(&seat, "na\xC3\xAFve\x02\x02\x7f"
                "i\r"); /* rubs out one letter of two bytes */
    assert_str(hear(&seat)->text, "naive");
    leave(&seat);
}

TEST(plain_words_at_a_screen_get_a_hint_about_commands)
{
    struct seat seat;
    at_a_screen(&seat, 80, false);
    keys(&seat, "what is this\r");
    assert_str(hear(&seat)->text, "what is this");
    assert_non_null(strstr(shown(&seat), "? \xE2\x86\x92 /help"));
    keys(&seat, "/table\r");
    assert_str(hear(&seat)->text, "/table");
    assert_null(strstr(shown(&seat), "? \xE2\x86\x92 /help"));
    leave(&seat);
}

/* Arrows, delete, clear screen: on an empty line they do nothing. */
TEST(keys_on_an_empty_line_are_harmless)
{
    static const char *const idle[] = {"\x1b[A", "\x1b[D", "\x7f",  "\x01",
                                       "\x0c",   "\t",     "x\x7f", "\x15"};
    (void)state;
    struct seat seat;
    at_a_screen(&seat, 80, false);
    for (size_t i = 0; i < sizeof idle / sizeof *idle; i++) {
        keys(&seat, idle[i]);
        while (ready(seat.its_input, 200)) {
            take(&seat);
            assert_false(seat.heard.over);
        }
    }
    keys(&seat, "/table\r");
    assert_str(hear(&seat)->text, "/table");
    leave(&seat);
}

TEST(output_redraws_the_typed_line)
{
    struct seat seat;
    at_a_screen(&seat, 80, false);
    keys(&seat, "/pla");
    while (ready(seat.its_input, 200))
        take(&seat);
    (void)shown(&seat);
    say(&seat, (struct outgoing){.where = TO_CHAT, .chat = STR("#home"), .text = STR("Bo played")});
    const char *screen = shown(&seat);
    assert_non_null(strstr(screen, "\r\033[J"
                                   "Bo played\r\n"));               /* wiped, the message ... */
    assert_non_null(strstr(strstr(screen, "played"), "ann> /pla")); /* ... and drawn again */
    keys(&seat, "y 1\r");
    assert_str(hear(&seat)->text, "/play 1");
    leave(&seat);
}

TEST(wrapped_line_is_wiped_whole)
{
    struct seat seat;
    at_a_screen(&seat, 20, false);
    keys(&seat, "0123456789012345678901234567890123456789"); /* "ann> " and 40 in rows of 20 */
    while (ready(seat.its_input, 200))
        take(&seat);
    (void)shown(&seat);
    say(&seat, (struct outgoing){.where = TO_CHAT, .chat = STR("#home"), .text = STR("x")});
    assert_non_null(strstr(shown(&seat), "\033[2A\r\033[J"
                                         "x\r\n"));
    leave(&seat);
}

TEST(colours_follow_no_color_and_term)
{
    struct seat seat;
    struct outgoing out = {.where = TO_CHAT,
                           .chat = STR("#home"),
                           .text = STR("\x01"
                                       "a\nb\x07"
                                       "c")};
    at_a_screen(&seat, 80, true);
    say(&seat, out);
    assert_non_null(strstr(shown(&seat), "\033[1ma\033[0m\r\n\033[0m\033[1mb\033[0mc"));
    leave(&seat);
    at_a_screen(&seat, 80, false);
    say(&seat, out);
    const char *screen = shown(&seat);
    assert_non_null(strstr(screen, "a\r\nbc"));
    assert_null(strstr(screen, "\033[1m"));
    leave(&seat);
}

TEST(long_lines_wrap_between_words)
{
    struct seat seat;
    struct button own[] = {{.label = STR("plum poetry ribbon"), .data = STR("h1")},
                           {.label = STR("full moon"), .data = STR("h2")},
                           {.label = STR("crane"), .data = STR("h3")}};
    at_a_screen(&seat, 40, false);
    shown(&seat);
    say(&seat,
        (struct outgoing){
            .where = TO_CHAT,
            .chat = STR("#home"),
            .text = STR("Field 1 pine crane \xC2\xB7 3 cherry curtain \xC2\xB7 8 full moon")});
    assert_non_null(
        strstr(shown(&seat),
               "Field 1 pine crane \xC2\xB7 3 cherry curtain \xC2\xB7\r\n  8 full moon\r\n"));
    say(&seat,
        (struct outgoing){
            .where = TO_CHAT,
            .chat = STR("#home"), /* no card is cut in two */
            .text = STR("Field 1 pine crane \xC2\xB7 3 cherry \xC2\xB7 8 pampas full moon")});
    assert_non_null(strstr(
        shown(&seat), "Field 1 pine crane \xC2\xB7 3 cherry \xC2\xB7\r\n  8 pampas full moon\r\n"));
    say(&seat,
        (struct outgoing){.where = TO_CHAT,
                          .chat = STR("#home"),
                          .text = STR("0123456789012345678901234567890123456789012345 next")});
    assert_non_null(
        strstr(shown(&seat), "0123456789012345678901234567890123456789012345\r\n  next\r\n"));
    say(&seat,
        (struct outgoing){.where = TO_WHISPER,
                          .chat = STR("#home"),
                          .to = STR("ann"),
                          .n_buttons = 3,
                          .buttons = own,
                          .text = STR("A hand of eight cards, and a long line on them\nshort")});
    assert_non_null(strstr(shown(&seat), "\xE2\x86\x92 ann A hand of eight cards, and a long\r\n"
                                         "        line on them\r\n"
                                         "\xE2\x86\x92 ann short\r\n"
                                         "\xE2\x86\x92 ann [1] plum poetry ribbon\r\n"
                                         "        [2] full moon  [3] crane\r\n"));
    leave(&seat);
    at_a_pipe(&seat); /* a pipe has no width */
    say(&seat, (struct outgoing){
                   .where = TO_CHAT,
                   .chat = STR("#home"),
                   .text = STR(
                       "one two three four five six seven eight nine ten eleven twelve thirteen")});
    assert_string_equal(
        shown(&seat), "one two three four five six seven eight nine ten eleven twelve thirteen\n");
    leave(&seat);
}

/* No byte of input or message reaches the screen as a control code, and only codes are lost. */
TEST(any_bytes_can_be_typed)
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
    struct seat seat;
    at_a_pipe(&seat);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        keys(&seat, lines[i]);
        keys(&seat, "\n");
        take(&seat);
        assert_true(seat.heard.n <= 1 && !seat.heard.over);
        for (int k = 0; k < seat.heard.n; k++) {
            const struct update *u = &seat.heard.at[k];
            assert_true(u->from.id.n > 0 && u->from.name.n > 0 && u->chat.n > 1 &&
                        u->n_mentions <= MAX_MENTIONS);
            assert_null(memchr(u->text.p, '\x1b', u->text.n));
        }
        const char *screen = shown(&seat);
        for (const char *c = screen; *c; c++)
            assert_true((unsigned char)*c >= ' ' || *c == '\n');
    }
    keys(&seat, "/as \xE6\xA2\x85\nhi\n"); /* a name need not be Latin */
    assert_str(hear(&seat)->from.name, "\xE6\xA2\x85");
    leave(&seat);
}

TEST(end_of_file_ends_the_input)
{
    struct seat seat;
    at_a_screen(&seat, 80, false);
    keys(&seat, "x\x04"); /* behind "x" it does nothing; on an empty line it ends the input */
    while (ready(seat.its_input, 200))
        take(&seat);
    assert_false(seat.heard.over);
    keys(&seat, "\x7f\x04");
    assert_null(hear(&seat));
    assert_true(seat.heard.over);
    leave(&seat);
}

TEST(closed_output_ends_the_adapter)
{
    struct seat seat;
    at_a_screen(&seat, 80, false);
    close(seat.keys);
    seat.keys = seat.screen = open("/dev/null", O_RDWR);
    assert_null(hear(&seat));
    assert_true(seat.heard.over);
    leave(&seat);
}
