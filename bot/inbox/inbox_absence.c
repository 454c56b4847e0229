/* Facts of quiet hours: the offsets of their zone, before and after its next change. */
#include "inbox_internal.h"

#include "zone.h"

static bool put_offsets(struct turn *t, struct str zone, struct absence *ret)
{
    struct zone_change found;
    if (!zone_change_cached(t->in->zone_cache, zone, t->event.now, &found))
        return false;
    ret->offset = found.offset;
    ret->later_offset = found.later_offset;
    ret->change = found.change;
    return true;
}

void facts_offsets(struct turn *t, struct person_prefs *prefs)
{
    if (prefs->absence.quiet_from != prefs->absence.quiet_to)
        (void)put_offsets(t, str_of(prefs->quiet_zone), &prefs->absence); /* else they are UTC's */
}

void facts_quiet(struct turn *t)
{
    struct world *w = &t->world;
    struct str rest = t->event.words;
    (void)str_word(&rest);
    struct str named = str_trim(rest);
    bool theirs = w->prefs.absence.quiet_from != w->prefs.absence.quiet_to;
    w->quiet_zone = named.n > 0 ? named
                    : theirs    ? str_of(w->prefs.quiet_zone)
                                : str_of(w->settings.zone);
    w->zone_ok = w->quiet_zone.n < sizeof w->prefs.quiet_zone &&
                 put_offsets(t, w->quiet_zone, &w->quiet_offsets);
}
