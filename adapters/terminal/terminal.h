/* What the files of the terminal adapter share. terminal.c tells the story. */
#ifndef KOIKOI_TERMINAL_H
#define KOIKOI_TERMINAL_H

#include "adapter.h"

enum { TERMINAL_LINE = 4096,      /* the longest line typed, in bytes; what is longer is cut */
       TERMINAL_NAME = 64,        /* of a person or room, with its NUL */
       TERMINAL_PROMPT = 2 * TERMINAL_NAME + 16 };

/* ---- name.c: who is meant by what is typed ---- */

/* A word as a name: valid and short enough, without its @ or #; raise: its first letter is raised.
 * False: it is none. */
bool terminal_name(struct str word, bool raise, char ret[static TERMINAL_NAME]);
struct str terminal_lower(struct arena *a, struct str word);        /* of a name: the person's id */
struct sender terminal_sender(struct arena *a, const char *name);
/* Each @name in the text becomes a mention. */
void terminal_mentions(struct arena *turn, struct update *u);

/* ---- menu.c: choices on the screen ---- */

enum { TERMINAL_MENUS = 16, TERMINAL_DATA = 64 };
struct terminal_menu {
    int64_t row;                /* of the message; 0 = free */
    char to[TERMINAL_NAME];     /* person, or empty: all in `chat` */
    char chat[TERMINAL_NAME + 1];
    uint64_t slot;              /* hash; 0 = none */
    int n;
    struct { uint8_t n; char data[TERMINAL_DATA]; } at[MAX_BUTTONS];
};
/* Remembers the choices of a message, in place of those it replaces or of the oldest. */
void terminal_menu_keep(struct terminal_menu at[static TERMINAL_MENUS], const struct outgoing *out,
                        struct str to, struct str chat);
/* A number or a letter that is a choice on the screen makes *u a press. False: it is none. */
bool terminal_press(const struct terminal_menu at[static TERMINAL_MENUS], struct arena *turn,
                    struct str word, struct update *u);

/* ---- paint.c: outgoing text to what a terminal shows ---- */

/* Marks become colours, or nothing; each line gets `prefix` (as it is); control bytes of strangers
 * are dropped. Ends with a line feed. */
struct str terminal_paint(struct arena *turn, struct str prefix, struct str text, bool colour);
/* The buttons as lines of numbered (or lettered) choices: "[1] Accept  [2] Decline". */
struct str terminal_paint_buttons(struct arena *turn, struct str prefix,
                                  const struct button *buttons, int n, bool letters, bool colour);

/* ---- wrap.c: lines that fit the screen ---- */

/* How many columns text takes on the screen. */
int terminal_columns(struct str text);
/* Painted text with its long lines cut between words (of buttons: between choices) and what goes on
 * set in below. `columns` of the screen; 0: not a screen, nothing is cut. */
struct str terminal_wrap(struct arena *turn, struct str text, struct str prefix, bool choices,
                         int columns);

/* ---- line.c: where lines are typed ---- */

struct terminal_line;

/* `edit`: a person at a screen gets line editing and history; else plain bytes up to a line feed.
 * NULL and *err if the descriptors cannot be used. */
struct terminal_line *terminal_line_open(int input, int output, bool edit, struct err *err);
void terminal_line_close(struct terminal_line *line);
enum line_got { LINE_NONE, LINE_TYPED, LINE_OVER };
/* Takes what is there without waiting. LINE_TYPED: *ret is the line without its end, valid until
 * the next call. */
enum line_got terminal_line_take(struct terminal_line *line, struct str *ret);
void terminal_line_prompt(struct terminal_line *line, struct str prompt);
/* Columns of the screen it is typed at; 0: no screen. */
int terminal_line_columns(struct terminal_line *line);
/* Writes text above the line being typed, which stays whole. False: nobody reads any more. */
bool terminal_line_write(struct terminal_line *line, struct str text);

#endif
