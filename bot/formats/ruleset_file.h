/* Reader and writer of rule sets as JSON. The format is in README.md, "Rule set".
 *
 *     ruleset_file_find(folder, STR("sensei"), &rules, &err)   folder/NAME.json, else built in
 *     ruleset_file_read(folder, bytes, &rules, &err)           the text of a rule set
 *     ruleset_file_write(&buf, &rules)                         resolved, in the format's order
 *
 * Every rule set returned has passed rules_check(). An error names line, field and reason (and the
 * file, if there is one); *ret is untouched on failure. An empty `folder` leaves the built-in ones.
 */
#ifndef KOIKOI_RULESET_FILE_H
#define KOIKOI_RULESET_FILE_H

#include "json.h"
#include "rules.h"

/* Bytes written and read at most. */
enum { RULESET_TEXT_MAX = 4096, RULESET_FILE_MAX = 16 * 1024 };

bool ruleset_file_find(struct str folder, struct str name, struct rules *ret,
                       struct err *err) MUST_CHECK;
bool ruleset_file_read(struct str folder, struct str bytes, struct rules *ret,
                       struct err *err) MUST_CHECK;
/* Reads a field of other JSON: the name of a rule set, or an object, whose `extends` is filled
 * in. */
void ruleset_file_value(struct json v, const char *key, struct str folder, struct rules *ret);
/* Appends every field; a later one only where it is not 0. */
void ruleset_file_write(struct buf *b, const struct rules *r);

/* Lists the names that ruleset_file_find() knows, sorted. Returns their number, at most max. */
int ruleset_file_names(struct str folder, int max, char ret[][RULES_NAME_SIZE]);

enum { RULESETS_MOST = 32 };

/* Reads all of these. Returns their number, 0 if one has a fault or none is called `wanted`. */
int ruleset_file_all(struct str folder, struct str wanted, struct rules ret[RULESETS_MOST],
                     struct err *err);

#endif
