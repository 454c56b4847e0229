/* See menu.h. A command that needs an admin has further entries for its other names, without a
 * description: networks do not list them, but let admins alone use them. */
#include "menu.h"

#include "utf8.h"

enum { MAX_ENTRIES = MAX_LANGUAGES * (N_VERBS + MAX_ALIASES) };

static int add_verb(const struct texts *t, enum verb v, struct str language, struct menu_entry *to)
{
    struct menu_entry e = {language,
                           command_name(t, v, true),
                           utf8_cut(t->brief[v], BRIEF_CHARS, true),
                           commands[v].seen_by == SEEN_BY_ASKER,
                           commands[v].permitted == FOR_ADMINS,
                           commands[v].listed == LISTED_PRIVATE};
    int n = 0;
    to[n++] = e;
    for (int i = 0; e.for_admins && i < MAX_ALIASES && t->alias[v][i].n > 0; i++)
        if (!str_is(t->alias[v][i], e.command))
            to[n++] = (struct menu_entry){
                .language = language, .command = t->alias[v][i], .for_admins = true};
    return n;
}

int menu_of(const struct languages *all, struct arena *a, const struct menu_entry **ret)
{
    struct menu_entry *at = arena_array(a, struct menu_entry, MAX_ENTRIES);
    int n = 0;
    for (int l = 0; l < all->n; l++)
        for (int v = 0; v < N_VERBS && n + MAX_ALIASES < MAX_ENTRIES; v++)
            if (commands[v].listed != UNLISTED)
                n += add_verb(all->at[l], (enum verb)v, l == 0 ? STR("") : all->at[l]->language,
                              at + n);
    *ret = at;
    return n;
}
