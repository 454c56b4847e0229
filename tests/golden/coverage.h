/* Coverage of sentences: which of the catalogue some chat shows. A sentence counts if it stands
 * whole in lines that a chat expects and finds; what a short form leaves out does not count.
 *
 * And lines that a language has in English alone, because nobody has translated them yet: a chat in
 * that language need not show them.
 */
#ifndef KOIKOI_TEST_COVERAGE_H
#define KOIKOI_TEST_COVERAGE_H

#include "str.h"

/* A line that the chat expects was found. */
/* A chat begins: sentences made for another one are forgotten. */
void coverage_begin(void);
void coverage_line(struct str line);
/* An input is over: counts the sentences made since the last call against those lines. */
void coverage_count(void);
/* True if the line is such a sentence of a built-in language, of the last input. */
bool coverage_is_untranslated(struct str line);
/* Returns how many sentences no chat has shown, and prints their names. */
int coverage_missing(void);
/* Prints what the language read last has beside the sentences made since coverage_begin(), with their
 * placeholders, and what it says of each command. */
void coverage_print_rest(void);

#endif
