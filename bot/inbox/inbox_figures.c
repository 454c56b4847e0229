/* Facts of people's pages: whose figures are asked for, and those figures. A name that is only
 * asked about adds no person to the store. */
#include "inbox_internal.h"

#include "figures_load.h"

/* The person a name means: one that the network marked, or "@name"; 0 if there is none. */
static bool find_named(struct turn *t, int64_t *ret, struct str *ret_typed)
{
    struct event *e = &t->event;
    struct person p;
    bool found = false;
    struct str rest = e->words, typed = {0};
    for (struct str word = str_word(&rest); word.n > 0 && typed.n == 0; word = str_word(&rest))
        if (word.p[0] == '@')
            typed = str_skip(word, 1);
    struct sender who = e->n_mentions > 0 ? e->mention[0] : (struct sender){.handle = typed};
    *ret = 0;
    *ret_typed = (struct str){0};
    if (e->n_mentions == 0 && typed.n == 0)
        return true;
    if (who.id.n > 0 && !store_person_by_network_id(t->in->parts.store, t->in->turn, t->account->id,
                                                    who.id, &p, &found, t->err))
        return false;
    if (!found && !store_person_by_handle(t->in->parts.store, t->in->turn, t->account->id,
                                          who.handle, &p, &found, t->err))
        return false;
    *ret_typed = who.handle.n > 0 ? who.handle : who.name;
    if (found)
        *ret = p.who;
    return true;
}

static struct figures_asked asked_of(struct turn *t, int64_t who)
{
    static const struct chat_settings everywhere = {.season = SEASON_QUARTER};
    struct season_running now;
    bool direct = t->event.direct;
    season_now(direct ? &everywhere : &t->world.chat.settings, t->event.now, &now);
    return (struct figures_asked){.chat = direct ? EVERY_CHAT : t->chat.id,
                                  .who = who,
                                  .season = arena_str(t->in->turn, str_of(now.key.text)),
                                  .now = t->event.now};
}

static bool load_history(struct turn *t, const struct figures_asked *asked, int64_t other)
{
    struct history *history = arena_new(t->in->turn, struct history);
    int64_t below = t->event.pressed && t->event.no > 0 ? t->event.no : INT64_MAX;
    t->seasons.history = history;
    return figures_history(t->in->parts.store, t->in->turn, asked, other, below, history, t->err);
}

static bool load_versus(struct turn *t, const struct figures_asked *asked, int64_t other)
{
    struct versus *versus = arena_new(t->in->turn, struct versus);
    t->seasons.versus = versus;
    return figures_versus(t->in->parts.store, t->in->turn, asked, other, versus, t->err) &&
           load_history(t, asked, other);
}

bool facts_figures(struct turn *t)
{
    int64_t named;
    struct str typed;
    if (!find_named(t, &named, &typed))
        return false;
    /* in private the figures are of all chats, so they are the reader's own alone */
    bool foreign = t->event.direct && t->event.verb != VERB_VERSUS && named != t->me.who;
    if (typed.n > 0 && (named == 0 || foreign)) {
        t->seasons.unknown = typed;
        return true;
    }
    if (t->event.verb == VERB_VERSUS) {
        const struct figures_asked asked = asked_of(t, t->me.who);
        return named == 0 || t->me.who == 0 || named == t->me.who || load_versus(t, &asked, named);
    }
    bool leafed = t->event.verb == VERB_HISTORY && t->event.pressed && t->event.version > 0 &&
                  !t->event.direct;
    const struct figures_asked asked = asked_of(t, leafed  ? t->event.version
                                                   : named ? named
                                                           : t->me.who);
    if (asked.who == 0)
        return true;
    if (t->event.verb == VERB_HISTORY)
        return load_history(t, &asked, 0);
    struct figures *figures = arena_new(t->in->turn, struct figures);
    struct puzzle_record *puzzles = arena_new(t->in->turn, struct puzzle_record);
    t->seasons.figures = figures;
    if (!figures_load(t->in->parts.store, t->in->turn, &asked, figures, t->err))
        return false;
    figures->puzzles = puzzles;
    return facts_puzzle_record(t, asked.who, puzzles);
}
