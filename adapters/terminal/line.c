/* Line input.
 *
 * A person at a screen gets libedit: editing, history, UTF-8. It runs unbuffered, one key at a
 * time, because the loop must never wait here. To write while somebody types, the line is wiped (it
 * may have wrapped), the text written, and the line drawn again.
 *
 * Other input (a pipe, a file, TERM=dumb) is read as plain bytes, one at a time and only up to the
 * next line feed: unread input stays in the pipe and survives this process.
 */
#include <errno.h>
#include <histedit.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "terminal.h"
#include "utf8.h"

enum {
    LINE_MOST = 4096, /* bytes; a longer line is cut */
    PROMPT_MOST = 144,
    KEPT_LINES = 500
};

struct terminal_line {
    int input, output;
    bool edit, over, drawn; /* drawn: prompt and line are on the screen */
    int columns;
    char prompt[PROMPT_MOST];
    char text[LINE_MOST + 1];
    size_t n;
    FILE *in, *out;
    EditLine *el;
    History *history;
};

/* ---- the line editor ---- */

static char *prompt_now(EditLine *el)
{
    struct terminal_line *line = NULL;
    el_get(el, EL_CLIENTDATA, &line);
    return line->prompt;
}

/* Ctrl-D: ends the input on an empty line, else deletes the character under the cursor. */
static unsigned char end_or_delete(EditLine *el, int key)
{
    (void)key;
    struct terminal_line *line = NULL;
    el_get(el, EL_CLIENTDATA, &line);
    const LineInfo *now = el_line(el);
    if (now->lastchar == now->buffer) {
        line->over = true;
        return CC_NORM;
    }
    if (now->cursor == now->lastchar)
        return CC_ERROR;
    el_cursor(el, 1);
    el_deletestr(el, 1);
    return CC_REFRESH;
}

static int screen_columns(const struct terminal_line *line)
{
    struct winsize size;
    return ioctl(line->output, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

static bool edit_open(struct terminal_line *line, struct err *err)
{
    setlocale(LC_CTYPE, "");
    if (strcmp(nl_langinfo(CODESET), "UTF-8") != 0)
        setlocale(LC_CTYPE, "C.UTF-8");
    int in = dup(line->input), out = dup(line->output);
    line->in = in >= 0 ? fdopen(in, "r") : NULL;
    line->out = out >= 0 ? fdopen(out, "w") : NULL;
    line->el = line->in && line->out ? el_init("koikoi", line->in, line->out, line->out) : NULL;
    line->history = history_init();
    if (!line->el || !line->history)
        return err_set(err, "the line editor does not start on this terminal");
    HistEvent event;
    history(line->history, &event, H_SETSIZE, KEPT_LINES);
    history(line->history, &event, H_SETUNIQUE, 1);
    el_set(line->el, EL_CLIENTDATA, line);
    el_set(line->el, EL_PROMPT, prompt_now);
    el_set(line->el, EL_EDITOR, "emacs");
    el_set(line->el, EL_SIGNAL, 0);
    el_set(line->el, EL_HIST, history, line->history);
    el_set(line->el, EL_ADDFN, "koikoi-end", "end of input, or delete a character", end_or_delete);
    el_set(line->el, EL_BIND, "^D", "koikoi-end", NULL);
    el_source(line->el, NULL);
    line->columns = screen_columns(line);
    return true;
}

static void draw(struct terminal_line *line)
{
    if (!line->edit || line->drawn)
        return;
    el_set(line->el, EL_UNBUFFERED, 1);
    line->drawn = true;
}

static void follow_size(struct terminal_line *line)
{
    int columns = screen_columns(line);
    if (columns == line->columns)
        return;
    line->columns = columns;
    el_resize(line->el);
}

static enum line_status read_edited(struct terminal_line *line, struct str *ret)
{
    follow_size(line);
    draw(line);
    int n = 0;
    const char *text = el_gets(line->el, &n);
    /* libedit returns the same for a closed terminal and for a key that leaves the line empty */
    struct pollfd p = {.fd = line->input, .events = POLLIN};
    if (line->over ||
        (!text && poll(&p, 1, 0) > 0 && (p.revents & (POLLHUP | POLLERR | POLLNVAL)))) {
        line->over = true;
        return LINE_END;
    }
    if (!text || n <= 0 || (text[n - 1] != '\n' && text[n - 1] != '\r'))
        return LINE_NONE;
    struct str typed = {text, (size_t)n - 1};
    if (typed.n > LINE_MOST)
        typed = utf8_cut(typed, LINE_MOST / UTF8_LONGEST, false);
    memcpy(line->text, typed.p, typed.n);
    line->text[typed.n] = 0;
    el_set(line->el, EL_UNBUFFERED, 0);
    line->drawn = false;
    HistEvent event;
    if (str_trim(typed).n > 0)
        history(line->history, &event, H_ENTER, line->text);
    *ret = (struct str){line->text, typed.n};
    return LINE_TYPED;
}

/* ---- plain bytes ---- */

static bool readable(int fd)
{
    struct pollfd p = {.fd = fd, .events = POLLIN};
    return poll(&p, 1, 0) > 0;
}

static enum line_status read_plain(struct terminal_line *line, struct str *ret)
{
    while (!line->over && readable(line->input)) {
        char c;
        ssize_t got = read(line->input, &c, 1);
        if (got < 0 && (errno == EINTR || errno == EAGAIN))
            return LINE_NONE;
        line->over = got <= 0;
        if (got > 0 && c != '\n') {
            if (line->n < LINE_MOST)
                line->text[line->n++] = c;
        } else if (got > 0 || line->n > 0) { /* a last line may lack its line feed */
            *ret = (struct str){line->text, line->n};
            line->n = 0;
            return LINE_TYPED;
        }
    }
    return line->over ? LINE_END : LINE_NONE;
}

/* ---- both ---- */

struct terminal_line *terminal_line_open(int input, int output, bool edit, struct err *err)
{
    struct terminal_line *line = calloc(1, sizeof *line);
    if (!line) {
        err_set(err, "no memory for the line editor");
        return NULL;
    }
    line->input = input;
    line->output = output;
    line->edit = edit;
    if (edit && !edit_open(line, err)) {
        terminal_line_close(line);
        return NULL;
    }
    return line;
}

void terminal_line_close(struct terminal_line *line)
{
    if (!line)
        return;
    if (line->el) {
        if (line->drawn) {
            el_set(line->el, EL_UNBUFFERED, 0);
            (void)!write(line->output, "\n", 1);
        }
        el_end(line->el);
    }
    if (line->history)
        history_end(line->history);
    if (line->in)
        fclose(line->in);
    if (line->out)
        fclose(line->out);
    free(line);
}

enum line_status terminal_line_read(struct terminal_line *line, struct str *ret)
{
    if (line->over)
        return LINE_END;
    if (!line->edit)
        return read_plain(line, ret);
    while (readable(line->input)) {
        enum line_status got = read_edited(line, ret);
        if (got != LINE_NONE)
            return got;
    }
    return LINE_NONE;
}

static bool write_all(int fd, struct str text)
{
    while (text.n > 0) {
        ssize_t n = write(fd, text.p, text.n);
        if (n < 0 && errno == EAGAIN) { /* a slow screen: wait for its reader */
            struct pollfd p = {.fd = fd, .events = POLLOUT};
            poll(&p, 1, 1000);
        } else if (n < 0 && errno != EINTR) {
            return false;
        }
        text = str_skip(text, n > 0 ? (size_t)n : 0);
    }
    return true;
}

/* Wipes prompt and typed text, which may take several rows of the screen. */
static bool wipe(struct terminal_line *line)
{
    const LineInfo *now = el_line(line->el);
    struct str left = {now->buffer, (size_t)(now->cursor - now->buffer)};
    int rows = (terminal_paint_columns(str_of(line->prompt)) + terminal_paint_columns(left)) /
               line->columns;
    char code[32];
    struct buf b = BUF(code);
    if (rows > 0)
        buf_print(&b, "\033[%dA", rows);
    buf_put(&b, STR("\r\033[J"));
    return write_all(line->output, buf_str(&b));
}

int terminal_line_columns(struct terminal_line *line)
{
    if (!line->edit)
        return 0;
    follow_size(line);
    return line->columns;
}

bool terminal_line_write(struct terminal_line *line, struct str text)
{
    if (!line->edit || !line->drawn)
        return write_all(line->output, text);
    follow_size(line);
    bool good = wipe(line) && write_all(line->output, text);
    el_set(line->el, EL_REFRESH);
    return good;
}

void terminal_line_prompt(struct terminal_line *line, struct str prompt)
{
    struct buf b = {line->prompt, 0, sizeof line->prompt - 1, false};
    buf_put(&b, prompt);
    line->prompt[b.n] = 0;
    draw(line);
}
