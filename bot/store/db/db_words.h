/* Scripts in the words of one database. Included by db_*.c alone. */
#ifndef KOIKOI_DB_WORDS_H
#define KOIKOI_DB_WORDS_H

#include "str.h"

struct db_word {
    struct str word, ours;
};

/* A copy of the script with each word replaced, NUL-terminated; the first match in the list wins.
 * The caller frees it. */
char *db_words_put(struct str sql, int n, const struct db_word *words)
    __attribute__((returns_nonnull));

#endif
