/* The parts of the terminal adapter. The story is in terminal.c. */
#ifndef KOIKOI_TERMINAL_H
#define KOIKOI_TERMINAL_H

#include "adapter.h"

enum {
    TERMINAL_LINE = 4096, /* the longest line, in bytes; a longer one is cut */
    TERMINAL_NAME = 64,   /* of a person or room, with its NUL */
    TERMINAL_PROMPT = 2 * TERMINAL_NAME + 16
};

/* ---- name.c: names and the people behind them ---- */

/* A word as a name, without its @ or #; `raise` makes its first letter a capital. False if it is
 * too long or not a name. */
bool terminal_name(struct str word, bool raise, char ret[static TERMINAL_NAME]);
struct str terminal_name_lower(struct arena *a,
                               struct str word); /* of a name: the id of its person */
struct sender terminal_name_sender(struct arena *a, const char *name);
/* Adds a mention for each @name in the text. */
void terminal_name_mentions(struct arena *turn, struct update *u);

/* ---- menu.c: buttons as choices on the screen ---- */

enum { TERMINAL_MENUS = 16 };
struct terminal_menu {
    int64_t row;            /* of the message; 0 = free */
    char to[TERMINAL_NAME]; /* person, or empty: all in `chat` */
    char chat[TERMINAL_NAME + 1];
    uint64_t slot; /* hash; 0 = none */
    int n;
    struct {
        uint8_t n;
        char data[BUTTON_DATA];
    } at[MAX_BUTTONS];
};
/* Stores the choices of a message, in place of those it replaces or of the oldest. */
void terminal_menu_keep(struct terminal_menu at[static TERMINAL_MENUS], const struct outgoing *out,
                        struct str to, struct str chat);
/* Makes *u a press if the word is the number or letter of a choice on the screen; else false. */
bool terminal_menu_press(const struct terminal_menu at[static TERMINAL_MENUS], struct arena *turn,
                         struct str word, struct update *u);

/* ---- paint.c: marked text as terminal text ---- */

/* Marks become colours, or are dropped; each line begins with `prefix`; control characters are
 * dropped. Ends with a line feed. */
struct str terminal_paint(struct arena *turn, struct str prefix, struct str text, bool colour);
/* The buttons as lines of numbered (or lettered) choices: "[1] Accept  [2] Decline". */
struct str terminal_paint_buttons(struct arena *turn, struct str prefix,
                                  const struct button *buttons, int n, bool letters, bool colour);

/* ---- wrap.c: lines that fit the screen ---- */

/* The width of text on the screen, in columns. */
int terminal_wrap_columns(struct str text);
/* Wraps painted text between words (`choices`: between choices) and indents the continued lines.
 * `columns` of the screen; 0: no screen, no wrapping. */
struct str terminal_wrap(struct arena *turn, struct str text, struct str prefix, bool choices,
                         int columns);

/* ---- line.c: input of lines, output above them ---- */

struct terminal_line;

/* `edit`: line editing and history for a person at a screen; else plain bytes up to a line feed.
 * Returns NULL and *err if the descriptors are unusable. */
struct terminal_line *terminal_line_open(int input, int output, bool edit, struct err *err);
void terminal_line_close(struct terminal_line *line);
enum line_status { LINE_NONE, LINE_TYPED, LINE_END };
/* Reads without waiting. LINE_TYPED: *ret is the line without its line feed, valid until the next
 * call. */
enum line_status terminal_line_read(struct terminal_line *line, struct str *ret);
void terminal_line_prompt(struct terminal_line *line, struct str prompt);
/* Columns of the screen; 0: no screen. */
int terminal_line_columns(struct terminal_line *line);
/* Writes text above the line being typed, then redraws that line. Returns false if the output is
 * gone. */
bool terminal_line_write(struct terminal_line *line, struct str text);

#endif
