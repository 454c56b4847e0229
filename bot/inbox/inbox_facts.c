/* Facts of an event, read from the store before the core runs: its sender, the matches it may mean,
 * records, and what the features know. The core itself reads nothing. To add a fact: a bit in enum
 * fact, a row of the command table that asks for it, and who loads it (inbox_feature.h). */
#include "inbox_features.h"

#include "replay.h"
#include "record_rounds.h"
#include "settings.h"
#include "zone.h"

void facts_me(struct turn *t)
{
    const struct event *e = &t->event;
    struct world *w = &t->world;
    const struct person *person =
        t->me.who == t->me.id ? &t->me : store_person_by_id(t->store, t->arena, t->me.who);
    w->me.person = t->me.who;
    w->me.handle = t->me.id;
    w->me.reachable = t->me.reachable;
    if (person)
        person_prefs_read(person->prefs, &w->me.prefs);
    facts_offsets(t, &w->me.prefs);
    facts_language(t, e->from.language, &w->me.prefs);
    /* a private chat speaks its person's language */
    if (e->direct && !w->chat.settings.language[0])
        NAME_PUT(w->chat.settings.language, str_of(w->me.prefs.language));
}

void facts_person(struct turn *t)
{
    const struct event *e = &t->event;
    if (e->from.id.n == 0 || e->from.anonymous)
        return;
    /* the private chat is stored with the person, for a new one in one row */
    t->me = store_person_speaks(t->store, t->arena, t->account->id, &e->from,
                                e->direct ? e->chat : e->from.direct);
    if (!e->direct && t->me.left_chats.n > 0)
        store_set_left(t->store, &t->me, t->chat.id, false);
    facts_me(t);
}

static void record_load(struct turn *t, unsigned facts)
{
    struct err ignored;
    const struct event *e = &t->event;
    const struct session *s = step_pick(&t->world, e);
    int64_t step = e->pressed ? e->index : 0; /* of /replay: a button's, or the number behind it */
    if (!s)
        return;
    struct str record = store_record(t->store, t->arena, s->no);
    if (e->verb == VERB_PLAY_ON)
        step = e->version;
    if (!e->pressed && !str_int(e->words, &step))
        step = 0;
    if (facts & FACT_RECORD)
        t->world.record = record;
    if ((facts & FACT_POSITION) && s->phase == SESSION_OVER && s->end == END_PLAYED &&
        !replay_position(record, step, t->arena, &t->world.position, &ignored))
        t->world.position = NULL; /* an unreadable record is no reason to stop */
    if (facts & FACT_ROUNDS)
        t->world.rounds.n = record_rounds_read(t->arena, record, &t->world.rounds.at);
}

/* Whether the zone of /settings zone=X is a known one. */
static void zone_check(struct turn *t)
{
    int32_t offset;
    for (struct str rest = t->event.words, w = str_word(&rest); w.n > 0; w = str_word(&rest)) {
        struct str value, name = str_cut(w, '=', &value);
        if (str_is(text_fold(t->arena, name), STR("zone")))
            t->world.zone_ok = value.n > 0 && value.n < sizeof t->world.chat.settings.zone &&
                               zone_offset(value, t->event.now, &offset);
    }
}

void facts_load(struct turn *t)
{
    enum verb verb = t->event.verb;
    unsigned facts = commands[verb].facts;
    if (verb == VERB_CHALLENGE)
        facts_mentions(t);
    if (verb == VERB_INVITE)
        facts_inviter(t);
    if (verb == VERB_SETTINGS && t->event.pressed)
        t->event.words = settings_pressed(&t->world, &t->event, t->arena);
    if (verb == VERB_SETTINGS)
        zone_check(t);
    if (verb == VERB_QUIET)
        facts_quiet(t);
    if (verb == VERB_LINK || verb == VERB_UNLINK)
        facts_link(t);
    if (facts & FACT_OPEN)
        facts_open(t);
    facts_lists(t, facts);
    if (verb == VERB_REMATCH)
        facts_rematch(t);
    const struct session *ended = facts & FACT_REVIEW ? step_pick(&t->world, &t->event) : NULL;
    if (ended)
        t->world.review = review_cache_find(t->in->review_cache, ended->no, t->event.now,
                                            &t->world.review_coming);
    for (int i = 0; inbox_features[i]; i++)
        if (facts & inbox_features[i]->facts)
            inbox_features[i]->load(t);
    if (facts & FACT_KEPT)
        facts_kept(t);
    if (facts & FACT_WINDOW)
        facts_window(t);
    if (facts & (FACT_ROUNDS | FACT_RECORD | FACT_POSITION))
        record_load(t, facts);
}
