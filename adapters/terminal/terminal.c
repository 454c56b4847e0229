/* The terminal: a group chat, and private chats, for all who sit at one screen or speak through a pipe.
 *
 * One person types at a time; /as says who. People are made by naming them, and a person's id is their
 * name in lower case, so the same people are there after a restart. Who types, and where, is the
 * cursor: the store keeps it with what was typed.
 *
 *     ann> /challenge @bo            what was typed, and by whom (echoed if a pipe is read)
 *     Ann challenges Bo              said in the group
 *     #tea Kei wins                  said in another group than the one shown
 *     → ann Your hand                for Ann's eyes alone
 *     → ann! Bo is thinking          a popup for Ann
 *     [a] Accept  [b] Decline        choices for all: type the letter
 *     → ann [1] crane  [2] curtain   choices for Ann: type the number
 *
 * A choice pressed by number or letter is the one of the newest message that has it; /press says so
 * explicitly. Choices are not kept over a restart: a number is the game's /play then.
 *
 * A person at a screen is read at once. A pipe is read patiently, a line when all is said that
 * the line before led to, the computer's moves included: a prepared input plays as a person would.
 */
#include <fcntl.h>
#include <unistd.h>

#include "terminal.h"
#include "utf8.h"

enum { MENUS = 16, DATA_MAX = 64, AT_ONCE = 64 };

/* Choices on the screen. */
struct menu {
    int64_t row;            /* of the message; 0 = free */
    char to[TERMINAL_NAME]; /* person, or empty: all in `chat` */
    char chat[TERMINAL_NAME + 1];
    uint64_t slot; /* hash; 0 = none */
    int n;
    struct {
        uint8_t n;
        char data[DATA_MAX];
    } at[MAX_BUTTONS];
};

struct terminal {
    int64_t input, output; /* options */
    struct str person, room;
    char name[TERMINAL_NAME], where[TERMINAL_NAME]; /* who types ("Ann"), in which room ("tea") */
    bool direct, edit, pipe, colour, deaf, over, started;
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

/* ---- people and rooms ---- */

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool name_part(char c)
{
    return (unsigned char)c > ' ' && c != 0x7f && !strchr("@#>!,;:/\"'()[]", c);
}

/* A word as a name: valid, short enough, its first letter raised. False if it is none. */
static bool name_take(struct str word, bool raise, char ret[static TERMINAL_NAME])
{
    while (word.n > 0 && (word.p[0] == '@' || word.p[0] == '#'))
        word = str_skip(word, 1);
    if (word.n == 0 || word.n >= TERMINAL_NAME || !utf8_ok(word))
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

static struct str id_of(struct arena *a, struct str name)
{
    struct str id = arena_str(a, name);
    for (size_t i = 0; i < id.n; i++)
        ((char *)id.p)[i] = lower(id.p[i]);
    return id;
}

static struct sender sender_of(struct arena *a, const char *name)
{
    struct str id = id_of(a, str_of(name));
    return (struct sender){.id = id, .name = arena_str(a, str_of(name)), .handle = id};
}

static struct str room_key(struct arena *a, const struct terminal *t)
{
    return arena_print(a, "#%s", t->where);
}

static struct str chat_now(struct arena *a, const struct terminal *t)
{
    if (!t->direct)
        return room_key(a, t);
    return arena_print(a, "@%.*s", STR_ARG(id_of(a, str_of(t->name))));
}

static struct str prompt_now(struct arena *a, const struct terminal *t)
{
    bool home = str_is(str_of(t->where), t->room);
    return arena_print(a, "%.*s%s%s%s> ", STR_ARG(id_of(a, str_of(t->name))),
                       home && !t->direct ? "" : " ",
                       t->direct ? "@"
                       : home    ? ""
                                 : "#",
                       t->direct || home ? "" : t->where);
}

/* Who types and where, over a restart: "Ann tea dm". */
static struct str cursor_now(struct arena *a, const struct terminal *t)
{
    return arena_print(a, "%s %s%s", t->name, t->where, t->direct ? " dm" : "");
}

static void cursor_take(struct terminal *t, struct str cursor)
{
    struct str name = str_word(&cursor), where = str_word(&cursor);
    char checked[2][TERMINAL_NAME];
    if (!name_take(name, true, checked[0]) || !name_take(where, false, checked[1]))
        return;
    memcpy(t->name, checked[0], TERMINAL_NAME);
    memcpy(t->where, checked[1], TERMINAL_NAME);
    t->direct = str_is(str_word(&cursor), STR("dm"));
}

/* ---- open, close ---- */

static bool wanted(const void *account)
{
    (void)account;
    return false; /* it runs when nothing else does, or when asked for by name */
}

static bool open_terminal(void *account, struct arena *process, uint32_t *can,
                          struct limits *limits, struct err *err)
{
    (void)process, (void)can, (void)limits;
    struct terminal *t = account;
    const char *user = getenv("USER"), *term = getenv("TERM"), *plain = getenv("NO_COLOR");
    if (fcntl((int)t->input, F_GETFD) < 0 || fcntl((int)t->output, F_GETFD) < 0)
        return err_set(err, "terminal: descriptor %d is not open",
                       (int)(fcntl((int)t->input, F_GETFD) < 0 ? t->input : t->output));
    if (!name_take(t->room, false, t->where))
        return err_set(err, "terminal: room has to be one word of letters and digits");
    if (t->person.n > 0 && !name_take(t->person, true, t->name))
        return err_set(err, "terminal: person has to be one word of letters and digits");
    if (t->person.n == 0 && !name_take(str_of(user), true, t->name))
        snprintf(t->name, sizeof t->name, "Player");
    bool screen = isatty((int)t->output) && term && *term && strcmp(term, "dumb") != 0;
    t->pipe = !isatty((int)t->input);
    t->edit = screen && !t->pipe;
    t->colour = screen && !(plain && *plain);
    t->line = terminal_line_open((int)t->input, (int)t->output, t->edit, err);
    return t->line != NULL;
}

static void close_terminal(void *account)
{
    struct terminal *t = account;
    terminal_line_close(t->line);
    t->line = NULL;
}

static void tell(struct terminal *t, struct str text)
{
    if (!terminal_line_write(t->line, text))
        t->deaf = true;
}

/* ---- heard ---- */

static void poll_terminal(void *account, struct arena *turn, struct str cursor, struct request *ret)
{
    struct terminal *t = account;
    if (!t->started) {
        t->started = true;
        cursor_take(t, cursor);
        if (t->edit)
            tell(t, STR("koikoi \xF0\x9F\x8E\xB4 /help\n"));
        terminal_line_prompt(t->line, prompt_now(turn, t));
    }
    *ret = (struct request){
        .kind = REQUEST_WATCH, .what = STR("lines"), .fd = (int)t->input, .patient = t->pipe};
}

/* The newest choices with that many entries: one's own, or those of the room. */
static const struct menu *menu_find(const struct terminal *t, struct str who, struct str chat,
                                    int index)
{
    const struct menu *best = NULL;
    for (const struct menu *m = t->menu; m < t->menu + MENUS; m++) {
        bool mine =
            who.n > 0 ? str_is(str_of(m->to), who) : !m->to[0] && str_is(str_of(m->chat), chat);
        if (m->row > 0 && mine && index < m->n && (!best || m->row > best->row))
            best = m;
    }
    return best;
}

/* A number or a letter that is a choice on the screen becomes a press. */
static bool press_take(struct terminal *t, struct arena *turn, struct str word, struct update *u)
{
    int64_t number = 0;
    bool letter = word.n == 1 && lower(word.p[0]) >= 'a' && lower(word.p[0]) <= 'z';
    if (!letter && (!str_int(word, &number) || number < 1 || number > MAX_BUTTONS))
        return false;
    int index = letter ? lower(word.p[0]) - 'a' : (int)number - 1;
    const struct menu *m = menu_find(t, letter ? STR("") : u->from.id, u->chat, index);
    if (!m)
        return false;
    u->kind = UPDATE_PRESS;
    u->text = arena_str(turn, (struct str){m->at[index].data, m->at[index].n});
    u->post = arena_print(turn, "%lld", (long long)m->row);
    u->press = u->from.id;
    return true;
}

/* Nobody counts aloud at a keyboard: a line of numbers is a move. */
static bool is_numbers(struct str line)
{
    for (size_t i = 0; i < line.n; i++)
        if (line.p[i] != ' ' && (line.p[i] < '0' || line.p[i] > '9'))
            return false;
    return line.n > 0;
}

static void mentions_take(struct arena *turn, struct update *u)
{
    struct str text = u->text;
    while (text.n > 0 && u->n_mentions < MAX_MENTIONS) {
        char name[TERMINAL_NAME];
        struct str word = str_word(&text);
        while (word.n > 1 && !name_part(word.p[word.n - 1]))
            word.n--; /* "@bo," */
        if (str_starts(word, STR("@")) && name_take(word, true, name))
            u->mention[u->n_mentions++] = sender_of(turn, name);
    }
}

/* The terminal's own commands. True if the line was one and is done. */
static bool own_command(struct terminal *t, struct str line)
{
    struct str rest = line, word = str_word(&rest), name = str_word(&rest);
    if (str_is(word, STR("/as")) && name_take(name, true, t->name)) {
        t->direct = false;
    } else if (str_is(word, STR("/room"))) {
        if (name.n == 0 || !name_take(name, false, t->where))
            (void)name_take(t->room, false, t->where);
        t->direct = false;
    } else if (str_is(word, STR("/dm"))) {
        t->direct = true;
    } else if (str_is(word, STR("/quit"))) {
        t->over = true;
    } else {
        if (str_is(word, STR("/help")) || str_is(word, STR("/as")))
            tell(t, STR("/as NAME \xC2\xB7 /room NAME \xC2\xB7 /dm \xC2\xB7 /press N \xC2\xB7 "
                        "/quit\n"));
        return str_is(word, STR("/as"));
    }
    return true;
}

static void update_take(struct terminal *t, struct arena *turn, struct str line, struct batch *ret)
{
    struct str typed = str_trim(utf8_clean(turn, line));
    if (t->pipe)
        tell(t, arena_print(turn, "%.*s%.*s\n", STR_ARG(prompt_now(turn, t)), STR_ARG(typed)));
    if (typed.n == 0 || own_command(t, typed))
        return;
    struct update *u = &ret->at[ret->n++];
    *u = (struct update){.kind = UPDATE_TEXT,
                         .chat = chat_now(turn, t),
                         .direct = t->direct,
                         .admin = true,
                         .from = sender_of(turn, t->name),
                         .text = typed,
                         .raw = typed};
    u->chat_name = t->direct ? STR("") : arena_str(turn, str_of(t->where));
    struct str rest = typed, word = str_word(&rest);
    if (str_is(word, STR("/press")) ? press_take(t, turn, str_trim(rest), u)
                                    : press_take(t, turn, typed, u))
        return;
    if (!t->direct && is_numbers(typed))
        u->text = arena_print(turn, "/play %.*s", STR_ARG(typed));
    mentions_take(turn, u);
}

static bool read_terminal(void *account, struct arena *turn, const struct reply *reply,
                          struct batch *ret, struct err *err)
{
    (void)reply, (void)err;
    struct terminal *t = account;
    *ret = (struct batch){.at = arena_array(turn, struct update, AT_ONCE)};
    int most = t->pipe ? 1 : AT_ONCE;
    for (int lines = 0; lines < most && !t->over; lines++) {
        struct str line;
        enum line_got got = terminal_line_take(t->line, &line);
        if (got == LINE_NONE)
            break;
        if (got == LINE_OVER)
            t->over = true;
        else
            update_take(t, turn, line, ret);
    }
    ret->over = t->over || t->deaf;
    ret->cursor = cursor_now(turn, t);
    if (!ret->over)
        terminal_line_prompt(t->line, prompt_now(turn, t));
    return true;
}

/* ---- said ---- */

static void keep(char *ret, size_t size, struct str s)
{
    size_t n = s.n < size ? s.n : size - 1;
    if (n > 0)
        memcpy(ret, s.p, n);
    ret[n] = 0;
}

/* Remembers the choices of a message, in place of those it replaces or of the oldest. */
static void menu_keep(struct terminal *t, const struct outgoing *out, struct str to,
                      struct str chat)
{
    uint64_t slot = out->slot.n > 0 ? str_hash(out->slot) | 1 : 0;
    struct menu *place = t->menu;
    for (struct menu *m = t->menu; m < t->menu + MENUS; m++) {
        if (m->row > 0 && slot && m->slot == slot && str_is(str_of(m->to), to) &&
            str_is(str_of(m->chat), chat))
            m->row = 0;
        if (m->row < place->row)
            place = m;
    }
    if (out->kind != OUT_POST || out->n_buttons <= 0)
        return;
    *place = (struct menu){.row = out->row > 0 ? out->row : 1, .slot = slot};
    keep(place->to, sizeof place->to, to);
    keep(place->chat, sizeof place->chat, chat);
    for (int i = 0; i < out->n_buttons && i < MAX_BUTTONS; i++) {
        struct str data = out->buttons[i].data;
        place->at[i].n = (uint8_t)(data.n < DATA_MAX ? data.n : DATA_MAX);
        if (place->at[i].n > 0)
            memcpy(place->at[i].data, data.p, place->at[i].n);
        place->n = i + 1;
    }
}

/* What stands before each line: for whom, and which room if it is not the one on the screen. */
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
    if (out->kind != OUT_ANSWER)
        menu_keep(t, out, to, chat);
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
    tell(t, arena_print(turn, "%.*s%.*s%s", STR_ARG(text), STR_ARG(choices), bell));
}

static void receipt_terminal(void *account, struct arena *turn, const struct outgoing *out,
                             const struct reply *reply, struct receipt *ret)
{
    (void)reply;
    struct terminal *t = account;
    *ret = (struct receipt){.kind = SENT};
    if (t->deaf)
        *ret = (struct receipt){.kind = NEVER, .note = STR("nobody reads the output any more")};
    else if (out->kind == OUT_POST)
        ret->post = arena_print(turn, "%lld", (long long)out->row);
    if (out->where == TO_DIRECT && out->kind == OUT_POST)
        ret->direct_chat = arena_print(turn, "@%.*s", STR_ARG(out->to));
}

const struct adapter terminal_adapter = {
    .name = "terminal",
    .title = "Terminal",
    .can = CAN_BUTTONS | CAN_WHISPER | CAN_DIRECT | CAN_POPUP | CAN_STYLE | CAN_HANDLES |
           CAN_NUMBER,
    .limits = {.prefix = {"/", 1},
               .data_bytes = DATA_MAX,
               .buttons = MAX_BUTTONS,
               .buttons_a_row = 8,
               .in_flight = 1},
    .account_size = sizeof(struct terminal),
    .options = terminal_options,
    .configured = wanted,
    .open = open_terminal,
    .poll = poll_terminal,
    .read = read_terminal,
    .send = send_terminal,
    .receipt = receipt_terminal,
    .close = close_terminal,
};
