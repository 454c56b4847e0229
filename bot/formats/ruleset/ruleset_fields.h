/* Fields of a rule set as JSON, by the table of rules_field.h: reading in ruleset_fields.c, writing
 * in ruleset_write.c. Internal to ruleset_file.h. */
#ifndef KOIKOI_RULESET_FIELDS_H
#define KOIKOI_RULESET_FIELDS_H

#include "err.h"
#include "json.h"
#include "rules.h"
#include "str.h"

/* Reads an object without `extends`. The error begins with the path of the field; *ret is untouched
 * on failure. */
bool ruleset_read(const cJSON *object, struct rules *ret, struct err *err) MUST_CHECK;
/* Appends every field; a later one only where it is not 0. */
void ruleset_write(struct buf *b, const struct rules *r);

#endif
