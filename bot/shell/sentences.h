/* The sentences of a catalogue: each one there, with exactly its placeholders, its marks in pairs,
 * a plural one in exactly the forms of the language. Read by texts.c. */
#ifndef KOIKOI_SENTENCES_H
#define KOIKOI_SENTENCES_H

#include "json.h"
#include "text.h"

/* A catalogue being read: strings live in `a`; t->language is known. */
struct reading { struct arena *a; struct texts *t; struct err *err; };

/* "texts" of the catalogue into r->t->text. */
bool sentences_read(const struct reading *r, const cJSON *texts) MUST_CHECK;
/* True if the pattern has the placeholder {name}. */
bool sentence_says(struct str pattern, struct str name);

#endif
