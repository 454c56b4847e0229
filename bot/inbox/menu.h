/* The commands as a network's own list shows them: the table of commands, told by the
 * catalogues. */
#ifndef KOIKOI_MENU_H
#define KOIKOI_MENU_H

#include "adapter.h"
#include "command.h"

/* Returns how many; the first language of `all` is for everybody whose language is not among
 * them. */
int menu_of(const struct languages *all, struct arena *a, const struct menu_entry **ret);

#endif
