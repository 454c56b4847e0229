/* The fields of a rule set as JSON, by the table of ruleset_table.h: reading in ruleset_fields.c,
 * writing in ruleset_write.c. Callers use ruleset_file.h; this is its inner half. */
#ifndef KOIKOI_RULESET_FIELDS_H
#define KOIKOI_RULESET_FIELDS_H

#include "err.h"
#include "json.h"
#include "rules.h"
#include "str.h"

/* An object that extends nothing any more. The error begins with the dotted name of the field; *ret
 * is untouched then. */
bool ruleset_read(const cJSON *object, struct rules *ret, struct err *err) MUST_CHECK;
void ruleset_write(struct buf *b, const struct rules *r);
/* a-z, 0-9, _ and -, at least one of them: what names are made of. */
bool ruleset_word(struct str s);

#endif
