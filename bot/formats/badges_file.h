/* The table of badges, config/badges.json: by name, what earns it. */
#ifndef KOIKOI_BADGES_FILE_H
#define KOIKOI_BADGES_FILE_H

#include "seasons.h"
#include "err.h"

bool badges_read(struct str json, struct badge_rules *ret, struct err *err) MUST_CHECK;
/* The built-in table. */
bool badges_load(struct badge_rules *ret, struct err *err) MUST_CHECK;

#endif
