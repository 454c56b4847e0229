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
 * A screen is welcomed as if `/start` had been typed, `/matches` when it comes again: in its
 * language. A number or letter presses the choice of the newest message that has it; /press does so
 * explicitly. Choices are lost at a restart: a number is then the game's /play.
 *
 * Input from a screen is read at once. A pipe is read a line at a time, each after all answers to
 * the one before, the computer's moves included: a prepared input plays as a person would.
 */
#include <fcntl.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "terminal.h"
#include "typed.h"
#include "utf8.h"

enum { AT_ONCE = 64, MENUS = 16, NAME_ROOM = 64 /* of a person or room, with its NUL */ };

struct menu {
    int64_t row;        /* of the message; 0 = free */
    char to[NAME_ROOM]; /* person, or empty: all in `chat` */
    char chat[NAME_ROOM + 1];
    uint64_t slot;         /* hash; 0 = none */
    char first[NAME_ROOM]; /* what the first choice is called, in lower case */
    int n;
    struct {
        uint8_t n;
        char data[BUTTON_DATA];
    } at[MAX_BUTTONS];
};

struct terminal {
    int64_t input, output; /* options */
    struct str person, room;
    char name[NAME_ROOM];  /* the person who types: "Ann" */
    char where[NAME_ROOM]; /* and their room: "tea" */
    bool direct, edit, pipe, colour, output_lost, over, started;
    int welcome; /* readable until it is read: a screen begins with a question; -1: none */
    bool known;  /* this is not the first start */
    struct terminal_line *line;
    struct menu menu[MENUS];
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

/* ---- names and people ---- */

static bool name_part(char c)
{
    return (unsigned char)c > ' ' && c != 0x7f && !strchr("@#>!,;:/\"'()[]", c);
}

/* A word as a name, without its @ or #; `raise` makes its first letter a capital. False if it is
 * too long or not a name. */
static bool read_name(struct str word, bool raise, char ret[static NAME_ROOM])
{
    while (word.n > 0 && (word.p[0] == '@' || word.p[0] == '#'))
        word = str_skip(word, 1);
    if (word.n == 0 || word.n >= NAME_ROOM || !utf8_ok(word))
        return false;
    for (struct str rest = word; rest.n > 0;)
        if (utf8_is_control(utf8_next(&rest)))
            return false;
    for (size_t i = 0; i < word.n; i++)
        if (!name_part(word.p[i]))
            return false;
    memcpy(ret, word.p, word.n);
    ret[word.n] = 0;
    if (raise && ret[0] >= 'a' && ret[0] <= 'z')
        ret[0] = (char)(ret[0] - 'a' + 'A');
    return true;
}

/* A name in lower case: the id of its person. */
static struct str name_lower(struct arena *a, struct str word)
{
    struct buf low = {arena_alloc(a, word.n + 1), 0, word.n, false};
    for (size_t i = 0; i < word.n; i++) {
        char c = word.p[i];
        buf_char(&low, c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c);
    }
    return buf_str(&low);
}

static struct sender name_sender(struct arena *a, const char *name)
{
    struct str id = name_lower(a, str_of(name));
    return (struct sender){.id = id, .name = arena_str(a, str_of(name)), .handle = id};
}

/* Adds a mention for each @name in the text. */
static void name_mentions(struct arena *turn, struct update *u)
{
    struct str text = u->text;
    while (text.n > 0 && u->n_mentions < MAX_MENTIONS) {
        char name[NAME_ROOM];
        struct str word = str_word(&text);
        while (word.n > 1 && !name_part(word.p[word.n - 1]))
            word.n--; /* "@bo," */
        if (str_starts(word, STR("@")) && read_name(word, true, name))
            u->mention[u->n_mentions++] = name_sender(turn, name);
    }
}

/* ---- choices: buttons on the screen, pressed by number or letter ---- */

/* The newest menu that has entry `index`: one for `who`, or, if that is empty, one for the chat. */
static const struct menu *find_menu(const struct menu *at, struct str who, struct str chat,
                                    int index)
{
    const struct menu *best = NULL;
    for (const struct menu *m = at; m < at + MENUS; m++) {
        bool mine =
            who.n > 0 ? str_is(str_of(m->to), who) : !m->to[0] && str_is(str_of(m->chat), chat);
        if (m->row > 0 && mine && index < m->n && (!best || m->row > best->row))
            best = m;
    }
    return best;
}

/* The newest menu that somebody sees whose first choice is called so. */
static const struct menu *find_called(const struct menu *at, struct str who, struct str chat,
                                      struct str small)
{
    const struct menu *best = NULL;
    for (const struct menu *m = at; m < at + MENUS; m++) {
        bool seen = m->to[0] ? str_is(str_of(m->to), who) : str_is(str_of(m->chat), chat);
        if (m->row > 0 && seen && str_is(str_of(m->first), small) && (!best || m->row > best->row))
            best = m;
    }
    return best;
}

/* Makes *u a press if the word is the number or letter of a choice on the screen, or what the first
 * one is called; else false. */
static bool menu_press(const struct menu at[static MENUS], struct arena *turn, struct str word,
                       struct update *u)
{
    int64_t number = 0;
    struct str small = name_lower(turn, word);
    bool letter = small.n == 1 && small.p[0] >= 'a' && small.p[0] <= 'z';
    bool digits = str_int(word, &number);
    if (small.n == 0 || (digits && (number < 1 || number > MAX_BUTTONS)))
        return false;
    int index = letter ? small.p[0] - 'a' : digits ? (int)number - 1 : 0;
    const struct menu *m = letter || digits
                               ? find_menu(at, letter ? STR("") : u->from.id, u->chat, index)
                               : find_called(at, u->from.id, u->chat, small);
    if (!m)
        return false;
    u->kind = UPDATE_PRESS;
    u->text = arena_str(turn, (struct str){m->at[index].data, m->at[index].n});
    u->post = arena_print(turn, "%lld", (long long)m->row);
    u->press = u->from.id;
    return true;
}

static void copy_text(char *ret, size_t size, struct str s)
{
    size_t n = s.n < size ? s.n : size - 1;
    if (n > 0)
        memcpy(ret, s.p, n);
    ret[n] = 0;
}

/* "My hand" of "🎴 My hand", "decline" of "Decline ▾": a label without words that begin with a sign. */
static struct str label_words(struct arena *a, struct str label)
{
    struct str all = {0}, rest = label;
    for (struct str word; (word = str_word(&rest)).n > 0;) {
        const unsigned char lead = (unsigned char)word.p[0];
        const bool sign = lead == 0xC2 || lead == 0xE2 || lead == 0xF0;
        if (!sign)
            all = arena_print(a, "%.*s%s%.*s", STR_ARG(all), all.n > 0 ? " " : "", STR_ARG(word));
    }
    return name_lower(a, all);
}

/* Stores the choices of a message, in place of those it replaces or of the oldest. */
static void menu_keep(struct menu at[static MENUS], struct arena *turn, const struct outgoing *out,
                      struct str to, struct str chat)
{
    uint64_t slot = out->slot.n > 0 ? str_hash(out->slot) | 1 : 0;
    struct menu *target = at;
    for (struct menu *m = at; m < at + MENUS; m++) {
        if (m->row > 0 && slot && m->slot == slot && str_is(str_of(m->to), to) &&
            str_is(str_of(m->chat), chat))
            m->row = 0;
        if (m->row < target->row)
            target = m;
    }
    if (out->kind != OUT_POST || out->n_buttons <= 0)
        return;
    *target = (struct menu){.row = out->row, .slot = slot};
    copy_text(target->to, sizeof target->to, to);
    copy_text(target->chat, sizeof target->chat, chat);
    copy_text(target->first, sizeof target->first, label_words(turn, out->buttons[0].label));
    for (int i = 0; i < out->n_buttons && i < MAX_BUTTONS; i++) {
        struct str data = out->buttons[i].data;
        target->at[i].n = (uint8_t)(data.n < BUTTON_DATA ? data.n : BUTTON_DATA);
        if (target->at[i].n > 0)
            memcpy(target->at[i].data, data.p, target->at[i].n);
        target->n = i + 1;
    }
}

/* ---- where we are ---- */

static struct str chat_now(struct arena *a, const struct terminal *t)
{
    return t->direct ? arena_print(a, "@%.*s", STR_ARG(name_lower(a, str_of(t->name))))
                     : arena_print(a, "#%s", t->where);
}

static struct str prompt_now(struct arena *a, const struct terminal *t)
{
    bool home = str_is(str_of(t->where), t->room);
    return arena_print(a, "%.*s%s%s%s> ", STR_ARG(name_lower(a, str_of(t->name))),
                       home && !t->direct ? "" : " ",
                       t->direct ? "@"
                       : home    ? ""
                                 : "#",
                       t->direct || home ? "" : t->where);
}

static void restore_cursor(struct terminal *t, struct str cursor)
{
    struct str name = str_word(&cursor), where = str_word(&cursor);
    char checked[2][NAME_ROOM];
    if (!read_name(name, true, checked[0]) || !read_name(where, false, checked[1]))
        return;
    memcpy(t->name, checked[0], NAME_ROOM);
    memcpy(t->where, checked[1], NAME_ROOM);
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
    if (!read_name(t->room, false, t->where))
        return err_set(err, "[terminal] room: must be one word of letters and digits");
    if (t->person.n > 0 && !read_name(t->person, true, t->name))
        return err_set(err, "[terminal] person: must be one word of letters and digits");
    if (t->person.n == 0 && !read_name(str_of(user), true, t->name))
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
    if (str_is(word, STR("/as")) && read_name(name, true, t->name)) {
        t->direct = false;
    } else if (str_is(word, STR("/room"))) {
        if (name.n == 0 || !read_name(name, false, t->where))
            (void)read_name(t->room, false, t->where);
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
                         .from = name_sender(turn, t->name),
                         .text = typed,
                         .raw = typed};
    u->chat_name = t->direct ? STR("") : arena_str(turn, str_of(t->where));
    return u;
}

/* Whoever types here talks to the program: plain words are a command, signs alone ask for help. */
static struct str plain_words(struct arena *turn, struct str plain)
{
    unsigned char c = (unsigned char)plain.p[0];
    if (c >= '0' && c <= '9')
        return plain;
    bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c >= 0x80;
    return letter ? arena_print(turn, "/%.*s", STR_ARG(plain)) : STR("/help");
}

static void read_line(struct terminal *t, struct arena *turn, struct str line, struct batch *ret)
{
    struct str typed = str_trim(utf8_clean(turn, line));
    if (t->pipe)
        print(t, arena_print(turn, "%.*s%.*s\n", STR_ARG(prompt_now(turn, t)), STR_ARG(typed)));
    if (typed.n == 0 || own_command(t, typed))
        return;
    struct update *u = hear(t, turn, typed, ret);
    struct str plain = typed_plain(turn, typed), rest = plain, word = str_word(&rest);
    if (menu_press(t->menu, turn, str_is(word, STR("/press")) ? str_trim(rest) : plain, u))
        return;
    bool command = str_starts(plain, STR("/")) || str_starts(plain, STR("!"));
    if (!t->direct && !command && !is_numbers(plain)) {
        u->text = plain_words(turn, plain);
        u->addressed = true;
    }
    if (!t->direct && is_numbers(plain))
        u->text = arena_print(turn, "/play %.*s", STR_ARG(plain));
    name_mentions(turn, u);
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
    /* person and room: "Ann tea dm" */
    ret->cursor = arena_print(turn, "%s %s%s", t->name, t->where, t->direct ? " dm" : "");
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
    bool to_one = out->kind == OUT_ANSWER || out->where != TO_CHAT;
    bool here = str_starts(chat, STR("#")) && str_is(str_skip(chat, 1), str_of(t->where));
    if (to_one)
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
    bool to_one = out->kind == OUT_ANSWER || out->where != TO_CHAT;
    struct str to = to_one                            ? out->to
                    : str_starts(out->chat, STR("@")) ? str_skip(out->chat, 1)
                                                      : STR("");
    struct str chat = out->where == TO_DIRECT ? STR("") : out->chat;
    *ret = (struct request){.kind = REQUEST_DONE, .what = STR("write")};
    if (out->kind != OUT_ANSWER)
        menu_keep(t->menu, turn, out, to, chat);
    if (out->kind == OUT_ERASE || out->kind == OUT_CLOSE ||
        (out->text.n == 0 && out->n_buttons == 0))
        return;
    struct str prefix = prefix_of(t, turn, out, out->chat);
    int columns = terminal_line_columns(t->line);
    struct str text = terminal_paint_wrap(turn, terminal_paint(turn, prefix, out->text, t->colour),
                                          prefix, false, columns);
    int n = out->n_buttons < 0 ? 0 : out->n_buttons > MAX_BUTTONS ? MAX_BUTTONS : out->n_buttons;
    struct str choices =
        terminal_paint_buttons(turn, prefix, out->buttons, n, to.n == 0, t->colour);
    choices = terminal_paint_wrap(turn, choices, prefix, true, columns);
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
    .can = CAN_BUTTONS | CAN_WHISPER | CAN_DIRECT | CAN_POPUP | CAN_STYLE | CAN_HANDLES |
           CAN_NUMBER | CAN_CLOSE,
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
