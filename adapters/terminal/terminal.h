/* The parts of the terminal adapter. The story is in terminal.c. */
#ifndef KOIKOI_TERMINAL_H
#define KOIKOI_TERMINAL_H

#include "adapter.h"

/* ---- paint.c: marked text as terminal text, in lines that fit the screen ---- */

/* Marks become colours, or are dropped; each line begins with `prefix`; control characters are
 * dropped. Ends with a line feed. */
struct str terminal_paint(struct arena *turn, struct str prefix, struct str text, bool colour);
/* The buttons as lines of numbered (or lettered) choices: "[1] Accept  [2] Decline". */
struct str terminal_paint_buttons(struct arena *turn, struct str prefix,
                                  const struct button *buttons, int n, bool letters, bool colour);

/* The width of text on the screen, in columns. */
int terminal_paint_columns(struct str text);
/* Wraps painted text between words (`choices`: between choices) and indents the continued lines.
 * `columns` of the screen; 0: no screen, no wrapping. */
struct str terminal_paint_wrap(struct arena *turn, struct str text, struct str prefix, bool choices,
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
