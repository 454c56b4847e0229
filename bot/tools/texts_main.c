/* See texts_main.h. */
#include "texts_main.h"

#include "file.h"
#include "texts.h"

#include <stdio.h>

/* Prints "FILE: fault", a line each. Returns false if the file has any, or cannot be read. */
static bool check(const char *name, struct arena *a)
{
    enum { CATALOGUE_MAX = 1024 * 1024 };
    struct err err = {""};
    struct str bytes, line;
    int n;
    if (!file_read(name, CATALOGUE_MAX, &bytes, &err)) {
        fprintf(stderr, "koikoi texts: %s\n", err.text);
        return false;
    }
    struct str faults = texts_check(bytes, a, &n);
    file_free(bytes);
    while (faults.n > 0) {
        line = str_cut(faults, '\n', &faults);
        printf("%s: %.*s\n", name, STR_ARG(line));
    }
    printf("%s: %d %s\n", name, n, n == 1 ? "fault" : "faults");
    return n == 0;
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
