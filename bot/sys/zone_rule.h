/* POSIX TZ strings, the rule in the footer of a TZif file: "CET-1CEST,M3.5.0,M10.5.0/3". */
#ifndef KOIKOI_ZONE_RULE_H
#define KOIKOI_ZONE_RULE_H

#include "str.h"

/* Seconds east of UTC at a moment. Returns false if the rule cannot be read, or has daylight saving
 * time without its two dates. */
bool zone_rule_offset(struct str rule, int64_t unix_s, int32_t *ret);

#endif
