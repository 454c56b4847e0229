/* Commands that read files: `koikoi replay`, `verify`, `texts`, `picture`. See tool.h. */
#include "tool.h"

#include <stdio.h>

#include "alloc.h"
#include "file.h"
#include "picture.h"
#include "record_read.h"
#include "replay.h"
#include "texts.h"

/* ---- records ---- */

typedef bool check_fn(struct str record, FILE *out, int *ret_line, struct err *err);

static enum tool_status check_record(struct tool *t, check_fn *check)
{
    struct err why = {""};
    struct str record;
    int line = 0;
    if (!file_read(t->argv[0], RECORD_FILE_LIMIT, &record, &t->err))
        return TOOL_BAD;
    bool good = check(record, stdout, &line, &why);
    fflush(stdout);
    if (!good)
        fprintf(stderr, "%s: line %d: %s\n", t->argv[0], line, why.text);
    file_free(record);
    return good ? TOOL_GOOD : TOOL_BAD;
}

enum tool_status replay_main(struct tool *t)
{
    return check_record(t, replay_record);
}

enum tool_status verify_main(struct tool *t)
{
    enum tool_status status = check_record(t, verify_record);
    if (status == TOOL_GOOD)
        printf("%s: every deck is the one that its sealed seed gives\n", t->argv[0]);
    return status;
}

/* ---- catalogues, for translators ---- */

static void print_lines(const char *file, const char *before, struct str lines)
{
    while (lines.n > 0) {
        struct str line = str_cut(lines, '\n', &lines);
        printf("%s: %s%.*s\n", file, before, STR_ARG(line));
    }
}

/* Prints "FILE: fault", a line each, and what English stands in for. Returns false if the file has
 * any fault, or cannot be read. */
static bool check_texts(const char *name, struct arena *a)
{
    enum { CATALOGUE_MAX = 1024 * 1024 };
    struct texts_found found;
    struct err err = {""};
    struct str bytes;
    if (!file_read(name, CATALOGUE_MAX, &bytes, &err)) {
        fprintf(stderr, "koikoi texts: %s\n", err.text);
        return false;
    }
    (void)texts_check(bytes, a, &found);
    file_free(bytes);
    print_lines(name, "", buf_str(&found.faults.text));
    print_lines(name, "warning: ", buf_str(&found.warnings.text));
    printf("%s: %d %s", name, found.faults.n, found.faults.n == 1 ? "fault" : "faults");
    if (found.warnings.n > 0)
        printf(", %d %s", found.warnings.n, found.warnings.n == 1 ? "warning" : "warnings");
    printf("\n");
    return found.faults.n == 0;
}

enum tool_status texts_main(struct tool *t)
{
    bool good = true;
    for (int i = 0; i < t->argc; i++) {
        arena_reset(t->scratch);
        good = check_texts(t->argv[i], t->scratch) && good;
    }
    return good ? TOOL_GOOD : TOOL_BAD;
}

/* ---- layouts ---- */

static bool draw(const char *name, struct decks *decks, struct err *err)
{
    struct str text;
    struct picture_ask ask;
    struct buf png = {alloc_room(JOB_RESULT), 0, JOB_RESULT, false};
    bool good = file_read(name, LAYOUT_BYTES, &text, err);
    if (good) {
        text.n -= text.n > 0 && text.p[text.n - 1] == '\n'; /* the end of the file is no row */
        good = picture_ask(decks, text, &ask, err) && picture_draw(&ask, &png, err);
        file_free(text);
    }
    if (good && fwrite(png.p, 1, png.n, stdout) != png.n)
        good = err_set(err, "standard output: cannot write");
    free(png.p);
    return good;
}

/* A PNG on standard output. */
enum tool_status picture_main(struct tool *t)
{
    struct str folder = {0};
    const struct tool_option option = {"--decks", .text = &folder};
    if (!tool_options(t, &option, 1))
        return TOOL_MISUSED;
    if (t->argc != 1)
        return TOOL_USAGE;
    struct decks *decks = decks_open(folder);
    bool good = draw(t->argv[0], decks, &t->err);
    decks_close(decks);
    return good ? TOOL_GOOD : TOOL_BAD;
}
