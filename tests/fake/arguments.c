/* See arguments.h. */
#include "arguments.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void arguments_usage(const char *program, const struct argument *const *tables)
{
    printf("usage: %s [--OPTION=VALUE ...]\n", program);
    for (; *tables; tables++)
        for (const struct argument *at = *tables; at->name; at++)
            printf("  --%-12s %s\n", at->name, at->about);
    exit(2);
}

static void set(const struct argument *at, const char *value)
{
    switch (at->kind) {
    case IS_TEXT:
        *(const char **)at->to = value;
        break;
    case IS_INT:
        *(int *)at->to = (int)strtol(value, NULL, 10);
        break;
    case IS_LONG:
        *(int64_t *)at->to = strtoll(value, NULL, 10);
        break;
    case IS_REAL:
        *(double *)at->to = strtod(value, NULL);
        break;
    case IS_FLAG:
        *(bool *)at->to = strcmp(value, "0") != 0;
        break;
    }
}

/* False if the word is no option of the table, or lacks its value. */
static bool read_one(const struct argument *table, const char *word)
{
    size_t n = strcspn(word, "=");
    for (const struct argument *at = table; at->name; at++) {
        if (n != strlen(at->name) + 2 || strncmp(word, "--", 2) != 0 ||
            strncmp(word + 2, at->name, n - 2) != 0)
            continue;
        if (!word[n] && at->kind != IS_FLAG)
            return false;
        set(at, word[n] ? word + n + 1 : "1");
        return true;
    }
    return false;
}

void arguments_read(const char *program, const struct argument *const *tables, int argc,
                    char **argv)
{
    for (int i = 1; i < argc; i++) {
        const struct argument *const *t = tables;
        while (*t && !read_one(*t, argv[i]))
            t++;
        if (*t)
            continue;
        fprintf(stderr, "%s: expected --OPTION=VALUE from this list, got %s\n", program, argv[i]);
        arguments_usage(program, tables);
    }
}
