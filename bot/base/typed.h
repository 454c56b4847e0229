/* Text as people type it, in the signs that the readers of commands look for. Every reader of a typed
 * number goes through typed_plain(), so that whatever a list shows can be typed back.
 *
 *     typed_plain(a, "/play ٣.")  ->  "/play 3"
 */
#ifndef KOIKOI_TYPED_H
#define KOIKOI_TYPED_H

#include "arena.h"

/* A copy of s, of at most its bytes, in which
 * - decimal digits of every script, full-width forms and wide blanks are ASCII;
 * - keycaps and circled numbers are digits, marks of direction are left out;
 * - a word that is a number as lists and people write it is its digits alone: "3." "3)" "(3)" "3,"
 *   "3番" "三" (up to 99) are "3"; with a name right behind it, "3.pine" is "3 pine".
 * All else stays. For words that mean something, never for those that are kept or shown as text. */
struct str typed_plain(struct arena *a, struct str s);
/* The next word, cut at blanks of any alphabet; *rest is moved behind it and the blanks that follow.
 * Empty at the end. */
struct str typed_word(struct str *rest);

#endif
