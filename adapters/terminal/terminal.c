/* The terminal: a group chat, and private chats, for everybody who shares one screen or pipe.
 *
 * One person types at a time; /as says who. To name a person is to create them, and the id of a
 * person is the name in lower case, so the same people are there after a restart. The cursor holds
 * who types, and where; the store keeps it with the updates.
 *
 *     ann> /challenge @bo            input, and who typed it (echoed if it comes from a pipe)
 *     Ann challenges Bo              a message to the group
 *     #tea Kei wins                  a message to a group other than the one shown
 *     → ann Your hand                for Ann alone
 *     → ann! Bo is thinking          a popup for Ann
 *     [a] Accept  [b] Decline        choices for all: type the letter
 *     → ann [1] crane  [2] curtain   choices for Ann: type the number
 *
 * A screen is welcomed as if `/start` had been typed, `/matches` when it comes again: in its language.
 * A number or letter presses the choice of the newest message that has it; /press does so
 * explicitly. Choices are lost at a restart: a number is then the game's /play.
 *
 * Input from a screen is read at once. A pipe is read a line at a time, each after all answers to
 * the one before, the computer's moves included: a prepared input plays as a person would.
 */
#include <fcntl.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "terminal.h"
#include "utf8.h"

enum { AT_ONCE = 64 };

struct terminal {
    int64_t input, output; /* options */
    struct str person, room;
    char name[TERMINAL_NAME],
        where[TERMINAL_NAME]; /* the person who types ("Ann"), and their room ("tea") */
    bool direct, edit, pipe, colour, output_lost, over, started;
    int welcome; /* readable until it is read: a screen begins with a question; -1: none */
    bool known;  /* this is not the first start */
    struct terminal_line *line;
    struct terminal_menu menu[TERMINAL_MENUS];
};

static const struct option terminal_options[] = {
    {"person", OPTION_TEXT, "", 0, 0, "Who types first; empty is the name you logged in with.",
     offsetof(struct terminal, person)},
    {"room", OPTION_TEXT, "home", 0, 0, "The group chat that is open first.",
     offsetof(struct terminal, room)},
    {"input", OPTION_INT, "0", 0, 1023, "The file descriptor lines are read from.",
     offsetof(struct terminal, input)},
    {"output", OPTION_INT, "1", 0, 1023, "The file descriptor that is written to.",
     offsetof(struct terminal, output)},
    {NULL, OPTION_TEXT, NULL, 0, 0, NULL, 0},
};

/* ---- people and rooms ---- */

static struct str room_key(struct arena *a, const struct terminal *t)
{
    return arena_print(a, "#%s", t->where);
}

static struct str chat_now(struct arena *a, const struct terminal *t)
{
    if (!t->direct)
        return room_key(a, t);
    return arena_print(a, "@%.*s", STR_ARG(terminal_name_lower(a, str_of(t->name))));
}

static struct str prompt_now(struct arena *a, const struct terminal *t)
{
    bool home = str_is(str_of(t->where), t->room);
    return arena_print(a, "%.*s%s%s%s> ", STR_ARG(terminal_name_lower(a, str_of(t->name))),
                       home && !t->direct ? "" : " ",
                       t->direct ? "@"
                       : home    ? ""
                                 : "#",
                       t->direct || home ? "" : t->where);
}

/* Writes the cursor: person and room, as "Ann tea dm". */
static struct str cursor_now(struct arena *a, const struct terminal *t)
{
    return arena_print(a, "%s %s%s", t->name, t->where, t->direct ? " dm" : "");
}

static void restore_cursor(struct terminal *t, struct str cursor)
{
    struct str name = str_word(&cursor), where = str_word(&cursor);
    char checked[2][TERMINAL_NAME];
    if (!terminal_name(name, true, checked[0]) || !terminal_name(where, false, checked[1]))
        return;
    memcpy(t->name, checked[0], TERMINAL_NAME);
    memcpy(t->where, checked[1], TERMINAL_NAME);
    t->direct = str_is(str_word(&cursor), STR("dm"));
}

/* ---- open, close ---- */

static bool configured(const void *account)
{
    (void)account;
    return false; /* it runs if no other network does, or by name */
}

static bool open_terminal(void *account, struct arena *process, uint32_t *can,
                          struct limits *limits, struct err *err)
{
    (void)process, (void)can, (void)limits;
    struct terminal *t = account;
    const char *user = getenv("USER"), *term = getenv("TERM"), *plain = getenv("NO_COLOR");
    if (fcntl((int)t->input, F_GETFD) < 0 || fcntl((int)t->output, F_GETFD) < 0)
        return err_set(err, "[terminal] descriptor %d is not open",
                       (int)(fcntl((int)t->input, F_GETFD) < 0 ? t->input : t->output));
    if (!terminal_name(t->room, false, t->where))
        return err_set(err, "[terminal] room: must be one word of letters and digits");
    if (t->person.n > 0 && !terminal_name(t->person, true, t->name))
        return err_set(err, "[terminal] person: must be one word of letters and digits");
    if (t->person.n == 0 && !terminal_name(str_of(user), true, t->name))
        snprintf(t->name, sizeof t->name, "Player");
    bool screen = isatty((int)t->output) && term && *term && strcmp(term, "dumb") != 0;
    t->pipe = !isatty((int)t->input);
    t->edit = screen && !t->pipe;
    t->colour = screen && !(plain && *plain);
    t->welcome = t->edit ? eventfd(1, EFD_CLOEXEC) : -1;
    t->line = terminal_line_open((int)t->input, (int)t->output, t->edit, err);
    return t->line != NULL;
}

static void end_welcome(struct terminal *t)
{
    if (t->welcome >= 0)
        close(t->welcome);
    t->welcome = -1;
}

static void close_terminal(void *account)
{
    struct terminal *t = account;
    end_welcome(t);
    terminal_line_close(t->line);
    t->line = NULL;
}

static void print(struct terminal *t, struct str text)
{
    if (!terminal_line_write(t->line, text))
        t->output_lost = true;
}

/* ---- input ---- */

static void poll_terminal(void *account, struct arena *turn, struct str cursor, struct request *ret)
{
    struct terminal *t = account;
    if (!t->started) {
        t->started = true;
        t->known = cursor.n > 0;
        restore_cursor(t, cursor);
        terminal_line_prompt(t->line, prompt_now(turn, t));
    }
    *ret = (struct request){.kind = REQUEST_WATCH,
                            .what = STR("lines"),
                            .fd = t->welcome >= 0 ? t->welcome : (int)t->input,
                            .patient = t->pipe};
}

/* A line of numbers alone is a move. */
static bool is_numbers(struct str line)
{
    for (size_t i = 0; i < line.n; i++)
        if (line.p[i] != ' ' && (line.p[i] < '0' || line.p[i] > '9'))
            return false;
    return line.n > 0;
}

/* Runs the terminal's own commands. True if the line is one and goes no further. */
static bool own_command(struct terminal *t, struct str line)
{
    struct str rest = line, word = str_word(&rest), name = str_word(&rest);
    if (str_is(word, STR("/as")) && terminal_name(name, true, t->name)) {
        t->direct = false;
    } else if (str_is(word, STR("/room"))) {
        if (name.n == 0 || !terminal_name(name, false, t->where))
            (void)terminal_name(t->room, false, t->where);
        t->direct = false;
    } else if (str_is(word, STR("/dm"))) {
        t->direct = true;
    } else if (str_is(word, STR("/quit"))) {
        t->over = true;
    } else {
        if ((str_is(word, STR("/help")) && name.n == 0) || str_is(word, STR("/as")))
            print(t, STR("/as NAME \xC2\xB7 /room NAME \xC2\xB7 /dm \xC2\xB7 /press N \xC2\xB7 "
                         "/quit\n"));
        return str_is(word, STR("/as"));
    }
    return true;
}

static struct update *hear(struct terminal *t, struct arena *turn, struct str typed,
                           struct batch *ret)
{
    struct update *u = &ret->at[ret->n++];
    *u = (struct update){.kind = UPDATE_TEXT,
                         .chat = chat_now(turn, t),
                         .direct = t->direct,
                         .admin = true,
                         .from = terminal_name_sender(turn, t->name),
                         .text = typed,
                         .raw = typed};
    u->chat_name = t->direct ? STR("") : arena_str(turn, str_of(t->where));
    return u;
}

static void read_line(struct terminal *t, struct arena *turn, struct str line, struct batch *ret)
{
    struct str typed = str_trim(utf8_clean(turn, line));
    if (t->pipe)
        print(t, arena_print(turn, "%.*s%.*s\n", STR_ARG(prompt_now(turn, t)), STR_ARG(typed)));
    if (typed.n == 0 || own_command(t, typed))
        return;
    struct update *u = hear(t, turn, typed, ret);
    struct str rest = typed, word = str_word(&rest);
    if (str_is(word, STR("/press")) ? terminal_menu_press(t->menu, turn, str_trim(rest), u)
                                    : terminal_menu_press(t->menu, turn, typed, u))
        return;
    if (t->edit && !t->direct && typed.p[0] != '/' && typed.p[0] != '!' && !is_numbers(typed))
        print(t, STR("? \xE2\x86\x92 /help\n"));
    if (!t->direct && is_numbers(typed))
        u->text = arena_print(turn, "/play %.*s", STR_ARG(typed));
    terminal_name_mentions(turn, u);
}

static bool read_terminal(void *account, struct arena *turn, const struct reply *reply,
                          struct batch *ret, struct err *err)
{
    (void)reply, (void)err;
    struct terminal *t = account;
    *ret = (struct batch){.at = arena_array(turn, struct update, AT_ONCE)};
    int most = t->pipe ? 1 : AT_ONCE;
    if (t->welcome >= 0) {
        end_welcome(t);
        hear(t, turn, t->known ? STR("/matches") : STR("/start"), ret);
        most = 0;
    }
    for (int lines = 0; lines < most && !t->over; lines++) {
        struct str line;
        enum line_status got = terminal_line_read(t->line, &line);
        if (got == LINE_NONE)
            break;
        if (got == LINE_END)
            t->over = true;
        else
            read_line(t, turn, line, ret);
    }
    ret->over = t->over || t->output_lost;
    ret->cursor = cursor_now(turn, t);
    if (!ret->over)
        terminal_line_prompt(t->line, prompt_now(turn, t));
    return true;
}

/* ---- output ---- */

/* The prefix of each line: for whom, and the room if it is not the one on the screen. */
static struct str prefix_of(const struct terminal *t, struct arena *turn,
                            const struct outgoing *out, struct str chat)
{
    const char *dim = t->colour ? "\033[2m" : "", *end = t->colour ? "\033[0m" : "";
    bool alone = out->kind == OUT_ANSWER || out->where != TO_CHAT;
    bool here = str_is(chat, room_key(turn, t));
    if (alone)
        return arena_print(turn, "%s\xE2\x86\x92 %.*s%s%s ", dim,
                           STR_ARG(utf8_clean(turn, out->to)), out->kind == OUT_ANSWER ? "!" : "",
                           end);
    if (str_starts(chat, STR("@"))) /* a private chat, named as such */
        return arena_print(turn, "%s\xE2\x86\x92 %.*s%s ", dim,
                           STR_ARG(str_skip(utf8_clean(turn, chat), 1)), end);
    return here ? STR("")
                : arena_print(turn, "%s%.*s%s ", dim, STR_ARG(utf8_clean(turn, chat)), end);
}

static void send_terminal(void *account, struct arena *turn, const struct outgoing *out,
                          struct request *ret)
{
    struct terminal *t = account;
    bool alone = out->kind == OUT_ANSWER || out->where != TO_CHAT;
    struct str to = alone                             ? out->to
                    : str_starts(out->chat, STR("@")) ? str_skip(out->chat, 1)
                                                      : STR("");
    struct str chat = out->where == TO_DIRECT ? STR("") : out->chat;
    *ret = (struct request){.kind = REQUEST_DONE, .what = STR("write")};
    if (out->kind == OUT_CLOSE)
        return;
    if (out->kind != OUT_ANSWER)
        terminal_menu_keep(t->menu, out, to, chat);
    if (out->kind == OUT_ERASE || (out->text.n == 0 && out->n_buttons == 0))
        return;
    struct str prefix = prefix_of(t, turn, out, out->chat);
    int columns = terminal_line_columns(t->line);
    struct str text = terminal_wrap(turn, terminal_paint(turn, prefix, out->text, t->colour),
                                    prefix, false, columns);
    int n = out->n_buttons < 0 ? 0 : out->n_buttons > MAX_BUTTONS ? MAX_BUTTONS : out->n_buttons;
    struct str choices =
        terminal_paint_buttons(turn, prefix, out->buttons, n, to.n == 0, t->colour);
    choices = terminal_wrap(turn, choices, prefix, true, columns);
    const char *bell = out->notify && t->edit ? "\a" : "";
    print(t, arena_print(turn, "%.*s%.*s%s", STR_ARG(text), STR_ARG(choices), bell));
}

static void receipt_terminal(void *account, struct arena *turn, const struct outgoing *out,
                             const struct reply *reply, struct receipt *ret)
{
    (void)reply;
    struct terminal *t = account;
    *ret = (struct receipt){.kind = SENT};
    if (t->output_lost)
        *ret = (struct receipt){.kind = NEVER, .note = STR("the output is closed")};
    else if (out->kind == OUT_POST)
        ret->post = arena_print(turn, "%lld", (long long)out->row);
    if (out->where == TO_DIRECT && out->kind == OUT_POST)
        ret->direct_chat = arena_print(turn, "@%.*s", STR_ARG(out->to));
}

const struct adapter terminal_adapter = {
    .name = "terminal",
    .title = "Terminal",
    .can =
        CAN_BUTTONS | CAN_WHISPER | CAN_DIRECT | CAN_POPUP | CAN_STYLE | CAN_HANDLES | CAN_NUMBER,
    .limits = {.prefix = {"/", 1}, .buttons = MAX_BUTTONS, .buttons_a_row = 8, .in_flight = 1},
    .account_size = sizeof(struct terminal),
    .options = terminal_options,
    .configured = configured,
    .open = open_terminal,
    .poll = poll_terminal,
    .read = read_terminal,
    .send = send_terminal,
    .receipt = receipt_terminal,
    .close = close_terminal,
};
