/* Fields of a struct as name=value on a line of text. A field of value zero is left out. */
#ifndef KOIKOI_PAIR_H
#define KOIKOI_PAIR_H

#include "str.h"

enum pair_kind {
    PAIR_INT, /* 1, 2, 4 or 8 bytes; signed if it has 8 or min is negative */
    PAIR_BOOL,
    PAIR_TEXT, /* a char array that ends with a NUL: UTF-8 */
    PAIR_SEED  /* struct seed, as hex */
};

struct pair {
    const char *name;
    enum pair_kind kind;
    size_t offset, size; /* of the field in its struct */
    int64_t min, max;    /* PAIR_INT, PAIR_BOOL */
};

/* " name=value"; with a part, of several alike, " p1.name=value". */
void pair_put(struct buf *b, const void *base, char part, int i, const struct pair *f);
void pair_put_text(struct buf *b, const char *name, struct str text);

/* Into a struct that was all zero. Returns false for a value that is not allowed; the struct is
 * undefined then. */
bool pair_read(void *base, const struct pair *f, struct str value);
/* Decodes the text of pair_put_text(). Returns false for text that it would not write, or that does
 * not fit into `size` bytes with its NUL. */
bool pair_read_text(struct str value, char *ret, size_t size, struct str *ret_text);

#endif
