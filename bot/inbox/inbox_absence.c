/* Facts of a person: the offsets of the zone of their quiet hours, before and after its next
 * change; the language of their app. */
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

void facts_language(struct turn *t, struct str app, struct person_prefs *prefs)
{
    const struct texts *spoken = texts_find(&t->in->languages, app);
    prefs->language_of_app = !prefs->language[0] && spoken;
    if (prefs->language_of_app)
        NAME_PUT(prefs->language, spoken->language);
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
    bool theirs = w->me.prefs.absence.quiet_from != w->me.prefs.absence.quiet_to;
    t->absence.zone = named.n > 0 ? named
                      : theirs    ? str_of(w->me.prefs.quiet_zone)
                                  : str_of(w->chat.settings.zone);
    w->zone_ok = t->absence.zone.n < sizeof w->me.prefs.quiet_zone &&
                 put_offsets(t, t->absence.zone, &t->absence.offsets);
}
