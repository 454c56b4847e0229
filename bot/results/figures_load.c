/* See figures_load.h. */
#include "figures_load.h"

#include "store.h"

/* ---- one person ---- */

/* "won/okoshki": adds to the row of these rules, or begins one. */
static void add_rules(struct rules_figures *at, int *n, struct str name, struct str result,
                      int64_t count)
{
    int i = 0;
    while (i < *n && !str_is(at[i].name, name))
        i++;
    if (i == *n)
        at[(*n)++] = (struct rules_figures){.name = name};
    if (str_is(result, STR("won")))
        at[i].won += count;
    else if (str_is(result, STR("drawn")))
        at[i].drawn += count;
    else
        at[i].lost += count;
}

static bool load_counts(struct store *s, struct arena *a, const struct figures_asked *asked,
                        struct figures *ret, struct err *err)
{
    struct count_rows counts;
    if (!store_counts(s, a, asked->chat, asked->who, &counts, err))
        return false;
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
            add_rules(rules, &ret->n_rules, name, kind, n);
        } else if (str_is(name, STR("matches"))) {
            ret->reviewed = n;
        } else {
            sum = n;
        }
    }
    ret->rules = rules;
    ret->accuracy = ret->reviewed > 0 ? sum / ret->reviewed : 0;
    return true;
}

static bool load_badges(struct store *s, struct arena *a, int64_t who, struct figures *ret,
                        struct err *err)
{
    struct badge_rows rows;
    if (!store_badges(s, a, who, &rows, err))
        return false;
    uint8_t *at = arena_array(a, uint8_t, (size_t)rows.n + 1);
    for (int i = 0; i < rows.n; i++)
        if (badge_find(rows.at[i].name) < N_BADGES)
            at[ret->n_badges++] = (uint8_t)badge_find(rows.at[i].name);
    ret->badge = at;
    return true;
}

static bool load_person(struct store *s, struct arena *a, int64_t who, struct figures *ret,
                        struct err *err)
{
    struct person p;
    struct person_prefs prefs = {0};
    bool found;
    if (!store_person_by_id(s, a, who, &p, &found, err))
        return false;
    if (found) {
        ret->name = text_clean(a, p.name, NAME_COLUMNS);
        person_prefs_read(p.prefs, &prefs);
    }
    ret->takes_part = prefs.rated_everywhere;
    return true;
}

/* The sums of all seasons in ret->sums, without the place. */
static bool load_sums(struct store *s, struct arena *a, const struct figures_asked *asked,
                      struct figures *ret, struct err *err)
{
    struct standing all;
    bool found;
    if (!store_standing(s, a, asked->chat, STR(SEASON_ALL), asked->who, &all, &found, err))
        return false;
    ret->sums.person = asked->who;
    if (!found)
        return true;
    const struct tally *t = &all.tally;
    ret->gave_up = t->gave_up;
    ret->rounds = t->rounds;
    ret->rounds_won = t->rounds_won;
    ret->calls_paid = t->calls_paid;
    ret->sums = (struct stand){.person = asked->who,
                               .won = t->won,
                               .drawn = t->drawn,
                               .lost = t->lost,
                               .points = t->points,
                               .calls = t->calls,
                               .calls_won = t->calls_won,
                               .best = all.best,
                               .longest = all.longest,
                               .best_hand = all.best_hand};
    return true;
}

bool figures_load(struct store *s, struct arena *a, const struct figures_asked *asked,
                  struct figures *ret, struct err *err)
{
    int64_t matches;
    struct season_key world;
    *ret = (struct figures){.everywhere = asked->chat == EVERY_CHAT};
    season_at(asked->now, 0, SEASON_QUARTER, &world);
    return load_person(s, a, asked->who, ret, err) && load_sums(s, a, asked, ret, err) &&
           season_table_places(s, a, asked->chat, asked->season, 1, &asked->who, &ret->sums.place,
                               err) &&
           results_rating(s, a, asked->chat, asked->who, asked->season, asked->now,
                          &ret->sums.rating, &matches, &ret->sums.rated, err) &&
           results_rating(s, a, EVERY_CHAT, asked->who, str_of(world.text), asked->now, &ret->world,
                          &matches, &ret->rated_everywhere, err) &&
           load_counts(s, a, asked, ret, err) && load_badges(s, a, asked->who, ret, err);
}

/* ---- matches ---- */

static bool name_of(struct store *s, struct arena *a, int64_t handle, struct str *ret,
                    struct err *err)
{
    struct person p;
    bool found = true;
    *ret = (struct str){0};
    if (!store_person_by_id(s, a, handle, &p, &found, err))
        return false;
    if (found && p.who != p.id && !store_person_by_id(s, a, p.who, &p, &found, err))
        return false;
    if (found)
        *ret = text_clean(a, p.name, NAME_COLUMNS);
    return true;
}

static bool past_of(struct store *s, struct arena *a, const struct played *own,
                    struct past_match *ret, struct err *err)
{
    struct played_rows rows;
    *ret = (struct past_match){.no = own->session,
                               .at = own->at,
                               .outcome = own->won     ? 1
                                          : own->drawn ? 0
                                                       : -1,
                               .gave_up = own->gave_up,
                               .casual = own->casual,
                               .points = own->points,
                               .rules = own->rules};
    if (!store_played_match(s, a, own->chat, own->session, &rows, err))
        return false;
    for (int i = 0; i < rows.n; i++) {
        struct str name;
        if (rows.at[i].seat == own->seat)
            continue;
        if (rows.at[i].person > 0 && !name_of(s, a, rows.at[i].person, &name, err))
            return false;
        if (rows.at[i].person > 0)
            ret->opponents = arena_print(a, "%.*s%s%.*s", STR_ARG(ret->opponents),
                                         ret->opponents.n ? ", " : "", STR_ARG(name));
    }
    return true;
}

bool figures_history(struct store *s, struct arena *a, const struct figures_asked *asked,
                     int64_t other, int64_t below, struct history *ret, struct err *err)
{
    struct played_rows rows;
    *ret = (struct history){.person = asked->who};
    if (!name_of(s, a, asked->who, &ret->name, err) ||
        !store_played_of(s, a, asked->chat, asked->who, other, below, HISTORY_ROWS + 1, &rows, err))
        return false;
    struct past_match *at = arena_array(a, struct past_match, HISTORY_ROWS);
    ret->more = rows.n > HISTORY_ROWS;
    for (; ret->n < rows.n && ret->n < HISTORY_ROWS; ret->n++)
        if (!past_of(s, a, &rows.at[ret->n], &at[ret->n], err))
            return false;
    ret->at = at;
    return true;
}

bool figures_versus(struct store *s, struct arena *a, const struct figures_asked *asked,
                    int64_t other, struct versus *ret, struct err *err)
{
    struct pairings met;
    *ret = (struct versus){0};
    if (!name_of(s, a, asked->who, &ret->name, err) || !name_of(s, a, other, &ret->other, err) ||
        !store_pairings(s, a, asked->chat, STR(SEASON_ALL), asked->who, other, 1, &met, err))
        return false;
    if (met.n > 0)
        ret->sums = (struct stand){.won = met.at[0].tally.won,
                                   .drawn = met.at[0].tally.drawn,
                                   .lost = met.at[0].tally.lost,
                                   .points = met.at[0].tally.points};
    return true;
}
