/* Facts about the people that an event names: opponents of a challenge, and its author. */
#include "inbox_internal.h"

/* "/challenge @bo" where the network itself does not mark names. */
static void mentions_from_words(struct turn *t)
{
    struct event *e = &t->event;
    for (struct str rest = e->words, w = str_word(&rest); w.n > 0 && e->n_mentions < MAX_MENTIONS;
         w = str_word(&rest))
        if (w.n > 1 && w.p[0] == '@' && (t->account->can & CAN_HANDLES))
            e->mention[e->n_mentions++] = (struct sender){.handle = str_skip(w, 1)};
}

static bool mentioned_absence(struct turn *t, const struct person *handle, struct absence *ret)
{
    struct person person = *handle;
    struct person_prefs prefs;
    bool found = true;
    if (handle->who != handle->id &&
        !store_person_by_id(t->in->parts.store, t->in->turn, handle->who, &person, &found, t->err))
        return false;
    person_prefs_read(found ? person.prefs : (struct str){0}, &prefs);
    facts_offsets(t, &prefs);
    *ret = prefs.absence;
    return true;
}

bool facts_mentions(struct turn *t)
{
    struct event *e = &t->event;
    struct person p;
    if (e->n_mentions == 0 && e->unnamed.n == 0)
        mentions_from_words(t);
    for (int i = 0; i < e->n_mentions; i++) {
        struct sender *who = &e->mention[i];
        if (who->bot || (who->id.n == 0 && who->handle.n == 0))
            continue;
        if (!store_person(t->in->parts.store, t->in->turn, t->account->id, who, &p, t->err))
            return false;
        t->world.mention[i].person = p.who;
        if (!mentioned_absence(t, &p, &t->world.mention[i].absence))
            return false;
        who->name = text_clean(t->in->turn, p.name, NAME_COLUMNS);
        who->id = p.network_id;
        who->handle = p.handle;
    }
    return true;
}

/* Sets mention[0] to the author of the challenge whose button was pressed, if found. */
bool facts_inviter(struct turn *t)
{
    struct person p;
    bool found;
    if (!store_person_by_id(t->in->parts.store, t->in->turn, t->event.index, &p, &found, t->err))
        return false;
    if (!found || p.account != t->account->id)
        return true;
    t->world.mention[0].person = p.who;
    t->event.n_mentions = 1;
    t->event.mention[0] = (struct sender){.id = p.network_id,
                                          .handle = p.handle,
                                          .name = text_clean(t->in->turn, p.name, NAME_COLUMNS)};
    return true;
}
