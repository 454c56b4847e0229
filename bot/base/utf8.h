/* UTF-8 at the edges, where bytes come in or go out: decode, check, clean, count, cut. Inside,
 * every string is valid UTF-8: code that receives bytes calls utf8_clean once. */
#ifndef KOIKOI_UTF8_H
#define KOIKOI_UTF8_H

#include "arena.h"

enum { UTF8_BAD = 0xFFFD, UTF8_LONGEST = 4 };

/* The next code point; *rest moves behind it. A byte that belongs to no valid sequence (overlong, a
 * surrogate, above U+10FFFF, cut short) is one UTF8_BAD. *rest must not be empty. */
uint32_t utf8_next(struct str *rest);
/* Writes one code point; returns its bytes, 1 ... UTF8_LONGEST. */
size_t utf8_put(uint32_t point, char ret[static UTF8_LONGEST]);
bool utf8_ok(struct str s);
bool utf8_is_ascii(struct str s);
/* A copy with U+FFFD for every bad byte and without control characters: those below space (but line
 * feed), DEL, U+0080 ... U+009F, and the marks that turn the writing direction of what follows. */
struct str utf8_clean(struct arena *a, struct str s);
/* True if utf8_clean would drop it. */
bool utf8_is_control(uint32_t point);
/* Length of s in code points, or in UTF-16 units. */
size_t utf8_count(struct str s, bool utf16);
/* The longest head of at most `most` code points (or UTF-16 units) that cuts no character in two:
 * nor an accent from its letter, nor an emoji joined of several. If the first character alone is
 * longer, the cut is between its code points. */
struct str utf8_cut(struct str s, size_t most, bool utf16);

#endif
