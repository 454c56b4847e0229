/* Figures of people, and the facts of their pages: whose card is asked for, and its tab. A name that is only
 * asked about adds no person to the store. See inbox_results.h. */
#include "inbox_features.h"

/* ---- one person ---- */

static void load_counts(struct store *s, struct arena *a, const struct figures_asked *asked,
                        struct figures *ret)
{
    struct count_rows counts = store_counts(s, a, asked->chat, asked->who);
    struct rules_figures *rules = arena_array(a, struct rules_figures, (size_t)counts.n);
    int64_t sum = 0;
    for (int i = 0; i < counts.n; i++) {
        struct str name, kind = str_cut(counts.at[i].what, '/', &name);
        int64_t n = counts.at[i].n;
        if (str_is(kind, STR("yaku"))) {
            for (int y = 0; y < N_YAKU; y++)
                if (str_is(name, str_of(yaku_key((enum yaku)y))))
                    ret->yaku[y] = n;
        } else if (!str_is(kind, STR("review"))) {
            /* "won/okoshki": adds to the row of these rules, or begins one */
            int r = 0;
            while (r < ret->n_rules && !str_is(rules[r].name, name))
                r++;
            if (r == ret->n_rules)
                rules[ret->n_rules++] = (struct rules_figures){.name = name};
            int64_t *result = str_is(kind, STR("won"))     ? &rules[r].won
                              : str_is(kind, STR("drawn")) ? &rules[r].drawn
                                                           : &rules[r].lost;
            *result += n;
        } else if (str_is(name, STR("matches"))) {
            ret->reviewed = n;
        } else {
            sum = n;
        }
    }
    ret->rules = rules;
    ret->accuracy = ret->reviewed > 0 ? sum / ret->reviewed : 0;
}

struct figures figures_load(struct store *s, struct arena *a, const struct figures_asked *asked)
{
    struct figures f = {.everywhere = asked->chat == EVERY_CHAT};
    const struct person *p = store_person_by_id(s, a, asked->who);
    const struct season_running world = season_everywhere(asked->now);
    if (p)
        f.name = text_clean(a, p->name, NAME_COLUMNS);
    f.sums.person = asked->who;
    const struct standing *all = store_standing(s, a, asked->chat, STR(SEASON_ALL), asked->who);
    if (all) {
        f.sums = season_stand(all);
        f.sums.name = (struct str){0};
    }
    season_table_places(s, a, asked->chat, asked->season, 1, &asked->who, &f.sums.place);
    f.sums.rated =
        rating_of(s, a, asked->chat, asked->who, asked->season, asked->now, &f.sums.rating);
    f.rated_everywhere =
        rating_of(s, a, EVERY_CHAT, asked->who, str_of(world.key.text), asked->now, &f.world);
    load_counts(s, a, asked, &f);
    struct badge_rows earned = store_badges(s, a, asked->who);
    uint8_t *badge = arena_array(a, uint8_t, (size_t)earned.n + 1);
    for (int i = 0; i < earned.n; i++)
        if (badge_find(earned.at[i].name) < N_BADGES)
            badge[f.n_badges++] = (uint8_t)badge_find(earned.at[i].name);
    f.badge = badge;
    return f;
}

/* ---- matches ---- */

/* Of the person that the handle counts as. */
static struct str name_of(struct store *s, struct arena *a, int64_t handle)
{
    const struct person *p = store_person_by_id(s, a, handle);
    if (p && p->who != p->id)
        p = store_person_by_id(s, a, p->who);
    return p ? text_clean(a, p->name, NAME_COLUMNS) : (struct str){0};
}

struct history figures_history(struct store *s, struct arena *a, const struct figures_asked *asked,
                               int64_t other, int64_t below)
{
    struct history h = {.person = asked->who, .name = name_of(s, a, asked->who)};
    struct played_rows rows =
        store_played_of(s, a, asked->chat, asked->who, other, below, HISTORY_ROWS + 1);
    struct past_match *at = arena_array(a, struct past_match, HISTORY_ROWS);
    h.more = rows.n > HISTORY_ROWS;
    for (; h.n < rows.n && h.n < HISTORY_ROWS; h.n++) {
        const struct played *own = &rows.at[h.n];
        struct past_match *m = &at[h.n];
        *m = (struct past_match){.no = own->session,
                                 .at = own->at,
                                 .outcome = own->tally.won     ? 1
                                            : own->tally.drawn ? 0
                                                               : -1,
                                 .gave_up = own->tally.gave_up,
                                 .forfeit = own->forfeit,
                                 .casual = own->casual,
                                 .points = own->tally.points,
                                 .rules = own->rules};
        struct played_rows seats = store_played_match(s, a, own->chat, own->session);
        for (int i = 0; i < seats.n; i++)
            if (seats.at[i].seat != own->seat && seats.at[i].person > 0)
                m->opponents =
                    arena_print(a, "%.*s%s%.*s", STR_ARG(m->opponents), m->opponents.n ? ", " : "",
                                STR_ARG(name_of(s, a, seats.at[i].person)));
    }
    h.at = at;
    return h;
}

struct versus figures_versus(struct store *s, struct arena *a, const struct figures_asked *asked,
                             int64_t other)
{
    struct versus v = {.name = name_of(s, a, asked->who), .asked = other};
    struct pairings met =
        store_pairings(s, a, asked->chat, STR(SEASON_ALL), asked->who, other, other ? 1 : MET_ROWS);
    struct rival *at = arena_array(a, struct rival, MET_ROWS);
    at[0] = (struct rival){.person = other, .name = name_of(s, a, other)};
    for (; v.n < met.n; v.n++)
        at[v.n] = (struct rival){.person = met.at[v.n].other,
                                 .name = name_of(s, a, met.at[v.n].other),
                                 .tally = met.at[v.n].tally};
    v.at = at;
    return v;
}

/* ---- what a page asks for ---- */

/* The person a name means, one that the network marked, or "@name"; 0: not known. *ret_typed: as
 * it was typed. */
static int64_t find_named(struct turn *t, struct str *ret_typed)
{
    struct event *e = &t->event;
    struct str rest = e->words, typed = {0};
    for (struct str word = str_word(&rest); word.n > 0 && typed.n == 0; word = str_word(&rest))
        if (word.p[0] == '@')
            typed = str_skip(word, 1);
    struct sender who = e->n_mentions > 0 ? e->mention[0] : (struct sender){.handle = typed};
    const struct person *p = NULL;
    *ret_typed = (struct str){0};
    if (e->n_mentions == 0 && typed.n == 0)
        return 0;
    if (who.id.n > 0)
        p = store_person_by_network_id(t->store, t->arena, t->account->id, who.id);
    if (!p)
        p = store_person_by_handle(t->store, t->arena, t->account->id, who.handle);
    *ret_typed = who.handle.n > 0 ? who.handle : who.name;
    return p ? p->who : 0;
}

static struct figures_asked asked_of(struct turn *t, int64_t who)
{
    bool direct = t->event.direct;
    struct season_running now = direct ? season_everywhere(t->event.now)
                                       : season_now(&t->world.chat.settings, t->event.now);
    return (struct figures_asked){.chat = direct ? EVERY_CHAT : t->chat.id,
                                  .who = who,
                                  .season = arena_str(t->arena, str_of(now.key.text)),
                                  .now = t->event.now};
}

static void load_history(struct turn *t, const struct figures_asked *asked, int64_t other,
                         int64_t below)
{
    struct history *history = arena_new(t->arena, struct history);
    *history = figures_history(t->store, t->arena, asked, other, below);
    t->seasons.history = history;
}

/* One match of theirs, or none. */
static void load_match(struct turn *t, const struct figures_asked *asked)
{
    int64_t no = t->event.no;
    if (no == 0 && !str_int(str_trim(t->event.words), &no))
        no = 0;
    struct history *h = arena_new(t->arena, struct history);
    *h = figures_history(t->store, t->arena, asked, 0, no + 1);
    h->n = h->n > 0 && h->at[0].no == no;
    t->seasons.history = h;
}

static void load_versus(struct turn *t, const struct figures_asked *asked, int64_t other)
{
    struct versus *versus = arena_new(t->arena, struct versus);
    *versus = figures_versus(t->store, t->arena, asked, other);
    t->seasons.versus = versus;
    if (other)
        load_history(t, asked, other, INT64_MAX);
}

static void load_figures(struct turn *t, const struct figures_asked *asked)
{
    struct figures *figures = arena_new(t->arena, struct figures);
    *figures = figures_load(t->store, t->arena, asked);
    t->seasons.figures = figures;
}

static void load_asked(struct turn *t)
{
    const struct event *e = &t->event;
    enum card_tab tab = card_tab_asked(e);
    bool versus = tab == CARD_VERSUS;
    struct str typed = {0};
    int64_t named = e->pressed ? 0 : find_named(t, &typed);
    /* in private the figures are of all chats, so they are the reader's own alone */
    bool foreign = e->direct && !versus && named != t->me.who;
    if (typed.n > 0 && (named == 0 || foreign)) {
        t->seasons.unknown = typed;
        return;
    }
    bool theirs = e->pressed && e->version > 0 && !e->direct;
    const struct figures_asked asked = asked_of(t, theirs             ? e->version
                                                   : named && !versus ? named
                                                                      : t->me.who);
    t->seasons.person = asked.who;
    if (asked.who == 0)
        return;
    if (tab == CARD_HISTORY)
        load_history(t, &asked, 0, e->pressed && e->no > 0 ? e->no : INT64_MAX);
    else if (tab == CARD_MATCH)
        load_match(t, &asked);
    else if (versus)
        load_versus(t, &asked, e->pressed ? e->no : named == asked.who ? 0 : named);
    else
        load_figures(t, &asked);
}

const struct inbox_feature inbox_figures = {.facts = FACT_FIGURES, .load = load_asked};
