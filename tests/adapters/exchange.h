/* A file of recorded exchanges with a network: its head, its macros and its tests; README.md has the
 * language. */
#ifndef KOIKOI_TEST_EXCHANGE_H
#define KOIKOI_TEST_EXCHANGE_H

#include "adapters/words.h"

enum { MOST_LINES = 8000, MOST_TESTS = 400, MOST_LETS = 64, MOST_MACROS = 32 };

struct let {
    struct str name, value;
};
struct macro {
    struct str name;
    int first, last; /* its lines, from 0; last: the one after */
};
struct exchanges {
    const char *path;
    const struct adapter *row;
    const char *line[MOST_LINES];
    const char *option[16];
    struct let let[MOST_LETS];
    struct macro macro[MOST_MACROS];
    int n, n_options, n_lets, n_macros;
    int at; /* the line at hand, from 1 */
    struct update usual;
    struct outgoing usual_out;
    struct request usual_request;
    bool hides_cursor;
    int64_t now;             /* at the beginning of each test */
    struct text_buffer made; /* the file with what the program does now */
};
struct test {
    struct exchanges *of;
    int first, last;
    struct str setup;
};

/* Reads a file, and adds its tests after the n of before. Returns how many there are then. What it
 * returns lives in the arena. */
int exchange_read(struct arena *a, struct exchanges *ret, const char *path, struct test *tests,
                  int n);
/* Writes the file as it would be if all of it held. */
void exchange_write(const struct exchanges *f, const struct test *tests, int n);

/* Named values and repetitions in the words of a line, in full. */
struct str exchange_expand(const struct exchanges *f, struct arena *a, struct str s);
/* The other way: what has a name by its name, and no blanks at the end. */
void exchange_shorten(const struct exchanges *f, struct text_buffer *to, struct str s);
/* Ends the program at the line at hand. */
_Noreturn void exchange_wrong(const struct exchanges *f, const char *what, struct str about);

#endif
