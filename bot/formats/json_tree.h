/* The tree of a catalogue's JSON. */
#ifndef KOIKOI_JSON_TREE_H
#define KOIKOI_JSON_TREE_H

#include "err.h"
#include "str.h"

#include <cjson/cJSON.h>

cJSON *json_parse(struct str bytes, struct err *err) MUST_CHECK;
cJSON *json_member(const cJSON *object, const char *key);
bool json_only(const cJSON *object, const char *const keys[], struct err *err) MUST_CHECK;
bool json_text(const cJSON *v, const char *name, struct str *ret, struct err *err) MUST_CHECK;

#endif
