/* See menu.h. What only its sender should see the answer of may be typed unseen: one's own cards,
 * and moves, of which the others see the board. Other names of a command that needs an admin are
 * entries without a line of their own: not shown, but known. */
#include "menu.h"

#include "utf8.h"

enum { ABOUT_CHARS = 200, NAME_BYTES = 32, MAX_ENTRIES = MAX_LANGUAGES * (N_VERBS + MAX_ALIASES) };

static const enum verb unseen[] = {VERB_HAND,    VERB_PLAY,   VERB_KOIKOI, VERB_STOP,
                                   VERB_DECLARE, VERB_REDEAL, VERB_YAKU};

static bool is_unseen(enum verb v)
{
    for (size_t i = 0; i < sizeof unseen / sizeof *unseen; i++)
        if (unseen[i] == v)
            return true;
    return false;
}

static bool fits(struct str name)
{
    for (size_t i = 0; i < name.n; i++)
        if (!(name.p[i] >= 'a' && name.p[i] <= 'z') && !(name.p[i] >= '0' && name.p[i] <= '9') &&
            name.p[i] != '_')
            return false;
    return name.n > 0 && name.n <= NAME_BYTES;
}

/* The first of its names that networks take; the English one always is. */
static struct str shown_name(const struct texts *t, enum verb v)
{
    for (int i = 0; i < MAX_ALIASES && t->alias[v][i].n > 0; i++)
        if (fits(t->alias[v][i]))
            return t->alias[v][i];
    return str_of(commands[v].name);
}

static int add_verb(const struct texts *t, enum verb v, struct str language, struct menu_entry *to)
{
    struct menu_entry e = {language, shown_name(t, v), utf8_cut(t->about[v], ABOUT_CHARS, true),
                           is_unseen(v), commands[v].admin};
    int n = 0;
    if (e.about.n == 0)
        return 0;
    to[n++] = e;
    for (int i = 0; e.for_admins && i < MAX_ALIASES && t->alias[v][i].n > 0; i++)
        if (!str_is(t->alias[v][i], e.command))
            to[n++] = (struct menu_entry){language, t->alias[v][i], {NULL, 0}, false, true};
    return n;
}

int menu_of(const struct languages *all, struct arena *a, const struct menu_entry **ret)
{
    struct menu_entry *at = arena_array(a, struct menu_entry, MAX_ENTRIES);
    int n = 0;
    for (int l = 0; l < all->n; l++)
        for (int v = 0; v < N_VERBS && n + MAX_ALIASES < MAX_ENTRIES; v++)
            if (commands[v].name && v != VERB_START)
                n += add_verb(all->at[l], (enum verb)v, l == 0 ? STR("") : all->at[l]->language,
                              at + n);
    *ret = at;
    return n;
}
