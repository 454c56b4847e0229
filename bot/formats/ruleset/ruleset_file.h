/* Rule sets as JSON, both ways. README.md, "Rule set", is the format.
 *
 *     ruleset_file_find(folder, STR("sensei"), &rules, &err)        by name: folder/NAME.json, else built in
 *     ruleset_file_read(folder, bytes, &rules, &err)                the text of a rule set
 *     ruleset_file_write(&buf, &rules)                       resolved, fields in the format's order
 *
 * A rule set that is handed back has passed rules_check(). An error names line, field and reason
 * (and the file, where there is one); *ret is untouched then. `folder` may be empty: built-in ones
 * only.
 */
#ifndef KOIKOI_RULESET_FILE_H
#define KOIKOI_RULESET_FILE_H

#include "err.h"
#include "json.h"
#include "rules.h"
#include "str.h"

enum { RULESET_TEXT_MAX = 4096, RULESET_FILE_MAX = 16 * 1024 };   /* written at most; read at
                                                                     most */

bool ruleset_file_find(struct str folder, struct str name, struct rules *ret,
                       struct err *err) MUST_CHECK;
bool ruleset_file_read(struct str folder, struct str bytes, struct rules *ret,
                       struct err *err) MUST_CHECK;
/* The same from a value inside other JSON: the name of a rule set, or an object. The error names
 * the field only. */
bool ruleset_file_value(struct str folder, const cJSON *value, struct rules *ret,
                        struct err *err) MUST_CHECK;
void ruleset_file_write(struct buf *b, const struct rules *r);

/* The names that ruleset_file_find() knows, sorted; returns how many, at most max. */
int ruleset_file_names(struct str folder, int max, char ret[][RULES_NAME_SIZE]);

#endif
