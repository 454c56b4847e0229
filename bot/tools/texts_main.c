/* See texts_main.h. */
#include "texts_main.h"

#include "file.h"
#include "texts.h"

#include <stdio.h>

static void print_lines(const char *file, const char *before, struct str lines)
{
    while (lines.n > 0) {
        struct str line = str_cut(lines, '\n', &lines);
        printf("%s: %s%.*s\n", file, before, STR_ARG(line));
    }
}

/* Prints "FILE: fault", a line each, and what English stands in for. Returns false if the file has
 * any fault, or cannot be read. */
static bool check(const char *name, struct arena *a)
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

int texts_main(int argc, char **argv)
{
    enum { CHECK_BYTES = 16 << 20 };
    bool good = argc > 1;
    if (argc < 2)
        fprintf(stderr, "usage: koikoi texts FILE...\n");
    for (int i = 1; i < argc; i++) {
        struct arena *a = arena_open(CHECK_BYTES);
        good = check(argv[i], a) && good;
        arena_close(a);
    }
    return argc < 2 ? 2 : good ? 0 : 1;
}
