/* Reader of the sentences of a catalogue. Each must exist, with exactly its placeholders, its marks
 * in pairs, and plural ones in exactly the forms of the language; a button's is short. Internal to
 * texts.c. All functions return false if the reading has to end. */
#ifndef KOIKOI_SENTENCES_H
#define KOIKOI_SENTENCES_H

#include "json_tree.h"
#include "text.h"

/* Faults of a catalogue, a line each. */
struct texts_faults {
    struct buf lines;
    int n;
};

/* A catalogue being read: strings live in `a`; t->language is known. Without `faults` the first
 * fault ends the reading and stands in `err`. */
struct texts_reading {
    struct arena *a;
    struct texts *t;
    const char *where; /* the part being read, put before each fault: "words.sensei." */
    struct texts_faults *faults;
    struct err *err;
};

/* Notes a fault. Returns true if the reading goes on. */
bool texts_fault(const struct texts_reading *r, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Reads "texts" of the catalogue into r->t->text. */
bool sentences_read(const struct texts_reading *r, const cJSON *texts) MUST_CHECK;
/* True if the pattern has the placeholder {name}. */
bool sentences_have_placeholder(struct str pattern, struct str name);

#endif
