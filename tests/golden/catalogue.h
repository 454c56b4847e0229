/* Languages made up for tests: the English catalogue, in the plural forms of another language, with
 * the sentences, words and commands of tests/golden/texts/LANGUAGE.json put over it. What comes out
 * is a whole catalogue, which the program has to read as any other. */
#ifndef KOIKOI_TEST_CATALOGUE_H
#define KOIKOI_TEST_CATALOGUE_H

#include <stdbool.h>

/* Writes FOLDER/LANGUAGE.json. */
bool catalogue_make(const char *language, const char *folder);

#endif
