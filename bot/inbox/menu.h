/* Menu of commands for the networks that list them: the table of commands, in every language. */
#ifndef KOIKOI_MENU_H
#define KOIKOI_MENU_H

#include "adapter.h"
#include "command.h"

/* Returns the number of entries. Those of the first language have no language of their own: they
 * are the default. */
int menu_of(const struct languages *all, struct arena *a, const struct menu_entry **ret);

#endif
