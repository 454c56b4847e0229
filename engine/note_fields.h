/* Engine-private: the fields of a rule set in the order its notation has them. One table, so
 * that what is written and what is read cannot differ. */
#ifndef KOIKOI_NOTE_FIELDS_H
#define KOIKOI_NOTE_FIELDS_H

#include "rules.h"

enum field_kind { FIELD_WORD, FIELD_BOOL, FIELD_U8, FIELD_I16 };

struct field {
    const char *key;              /* as rules_check() names it, or a prefix of what it names */
    uint16_t at, count;           /* offset in struct rules; values, or bytes of a word */
    uint8_t kind;                 /* enum field_kind */
};

enum { N_FIELDS = 41 };
extern const struct field note_fields[N_FIELDS];

#define NOTE_RULES "R1"           /* what a line begins with: what it is, and its version */
#define NOTE_MATCH "M1"

#endif
