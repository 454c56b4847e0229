/* Test languages: the English catalogue in the plural forms of another language, overlaid with the
 * sentences, words and commands of tests/golden/texts/LANGUAGE.json. The result is a whole
 * catalogue, which the program reads as any other. */
#ifndef KOIKOI_TEST_CATALOGUE_H
#define KOIKOI_TEST_CATALOGUE_H

#include <stdbool.h>

/* Writes FOLDER/LANGUAGE.json. Returns false if a file cannot be read, parsed or written. */
bool catalogue_make(const char *language, const char *folder);

#endif
