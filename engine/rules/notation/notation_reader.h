/* Scanner of the notation, byte by byte; private to the engine.
 *
 *     struct notation_reader in = notation_reader_of(s, n);
 *     if (in.bad >= 0 || !notation_reader_expect(&in, "M1") || ... || !notation_reader_end(&in))
 *         return in.bad;
 *
 * Each call consumes its token, or keeps the offset of the fault and returns false.
 */
#ifndef KOIKOI_NOTATION_READER_H
#define KOIKOI_NOTATION_READER_H

#include "notation.h"

/* The line and the offset of the next byte; `bad` is the offset of the first fault, or -1. */
struct notation_reader {
    const char *s;
    int n, at, bad;
};

/* A line as long as NOTATION_MAX is a fault from the start. */
struct notation_reader notation_reader_of(const char *s, size_t n);
/* Keeps the first fault. Returns false. */
bool notation_reader_fault(struct notation_reader *in, int at);
bool notation_reader_expect(struct notation_reader *in, const char *text);
/* Consumes `text` if it comes next; its absence is not a fault. */
bool notation_reader_accept(struct notation_reader *in, const char *text);
/* A decimal number without leading zeros. */
bool notation_reader_number(struct notation_reader *in, long least, long most, long *ret);
/* `;key=` */
bool notation_reader_key(struct notation_reader *in, const char *key);
/* `;key=` and count numbers with commas between. */
bool notation_reader_list(struct notation_reader *in, const char *key, int count, long least,
                          long most, long *ret);
bool notation_reader_card(struct notation_reader *in, int *ret);
bool notation_reader_end(struct notation_reader *in);

#endif
