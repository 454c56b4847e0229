/* Engine-private: reading a note byte by byte.
 *
 *     struct reader in = reader_of(s, n);
 *     if (in.bad >= 0 || !reader_expect(&in, "M1") || ... || !reader_end(&in))
 *         return in.bad;
 *
 * Each call takes what it is named after, or tells where it is not and takes nothing more.
 */
#ifndef KOIKOI_NOTE_READER_H
#define KOIKOI_NOTE_READER_H

#include "note.h"

/* What is read, and where; `bad` is the first fault's offset, or -1. */
struct reader {
    const char *s;
    int n, at, bad;
};

/* A note as long as NOTE_MAX is a fault from the start. */
struct reader reader_of(const char *s, size_t n);
/* Keeps the first fault; always false, for returning it. */
bool reader_fault(struct reader *in, int at);
bool reader_expect(struct reader *in, const char *text);
/* Takes `text` if it comes next; no fault if not. */
bool reader_accept(struct reader *in, const char *text);
/* Decimal, nothing before its first digit but a minus. */
bool reader_number(struct reader *in, long least, long most, long *ret);
/* `;key=` */
bool reader_key(struct reader *in, const char *key);
/* `;key=` and count numbers with commas between. */
bool reader_list(struct reader *in, const char *key, int count, long least, long most, long *ret);
bool reader_card(struct reader *in, int *ret);
bool reader_end(struct reader *in);

#endif
