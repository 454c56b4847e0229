/* A match that ends becomes rows, from its effects and its record; they are counted, and the effects
 * get the places and ratings of its players. See inbox_results.h. */
#include "inbox_features.h"

#include "record_rounds.h"
#include "store_season.h"

#include <assert.h>

/* ---- sums ---- */

/* A seat's sums of the season, and those against each of the others. */
static void count_in_season(struct store *s, struct arena *a, const struct played *rows, int n,
                            int seat, struct str season)
{
    const struct played *p = &rows[seat];
    struct result_row row = store_result(s, a, p->chat, season, p->person);
    tally_add(&row.tally, &p->tally);
    row.streak = p->tally.won ? row.streak + 1 : 0;
    row.longest = row.streak > row.longest ? row.streak : row.longest;
    if (p->best > row.best) {
        row.best = p->best;
        row.best_hand = p->best_hand;
    }
    store_set_result(s, &row);
    for (int i = 0; i < n; i++) {
        if (i == seat)
            continue;
        int halves = rating_halves(p, &rows[i]);
        struct tally t = {.won = halves == 2,
                          .drawn = halves == 1,
                          .lost = halves == 0,
                          .points = p->tally.points - rows[i].tally.points};
        store_add_pairing(s, p->chat, season, p->person, rows[i].person, t);
    }
}

static void count_review(struct store *s, const struct played *p)
{
    if (p->accuracy < 0)
        return;
    store_count(s, p->chat, p->person, STR("review/matches"), 1);
    store_count(s, p->chat, p->person, STR("review/accuracy"), p->accuracy);
}

/* The next "koikoi=2" of a list of yaku. Returns an empty name at its end. */
static struct str next_yaku(struct str *rest, struct str *ret_count)
{
    return str_cut(str_word(rest), '=', ret_count);
}

/* ---- a match ---- */

static struct results_news results_count(struct store *s, struct arena *a,
                                         const struct played *rows, int n)
{
    assert(n > 0 && n <= RESULT_SEATS);
    if (rows[0].casual)
        return (struct results_news){0};
    for (int i = 0; i < n; i++) {
        struct str rest = rows[i].also, season = rows[i].season;
        for (; season.n > 0; season = str_word(&rest))
            count_in_season(s, a, rows, n, i, season);
        count_in_season(s, a, rows, n, i, STR(SEASON_ALL));
        const struct played *p = &rows[i];
        const char *result = p->tally.won ? "won" : p->tally.drawn ? "drawn" : "lost";
        struct str count, yaku = p->yaku;
        store_count(s, p->chat, p->person, arena_print(a, "%s/%.*s", result, STR_ARG(p->rules)), 1);
        for (struct str name; (name = next_yaku(&yaku, &count)).n > 0;) {
            int64_t times;
            if (str_int(count, &times))
                store_count(s, p->chat, p->person, arena_print(a, "yaku/%.*s", STR_ARG(name)),
                            times);
        }
        count_review(s, p);
    }
    return rating_count(s, a, rows, n);
}

struct results_news results_add(struct store *s, struct arena *a, struct played *rows, int n)
{
    for (int i = 0; i < n; i++) {
        /* of a person with several handles the rating of the handle with the most matches moves, so
         * that there is one for all */
        const struct person *who =
            rows[i].person > 0 ? store_person_by_id(s, a, rows[i].person) : NULL;
        const struct rating_row *row = who ? store_rating_of(s, a, rows[i].chat, who->who) : NULL;
        if (rows[i].person > 0)
            rows[i].rated = row ? row->person : rows[i].person;
    }
    store_add_played(s, rows, n);
    return results_count(s, a, rows, n);
}

/* All sums are those of one chat. */
bool results_recount_step(struct store *s, int64_t *chat, int64_t *matches)
{
    enum { AT_ONCE = 600, ARENA_BYTES = 64 << 20 };
    int64_t after = 0, next = store_next_counted(s, *chat);
    if (next < 0)
        return false;
    *chat = next;
    struct arena *a = arena_open(ARENA_BYTES);
    struct played_rows rows = {.n = AT_ONCE};
    store_uncount(s, next);
    while (rows.n == AT_ONCE) {
        arena_reset(a);
        rows = store_played_after(s, a, next, after, AT_ONCE);
        for (int i = 0, n; i < rows.n; i += n) {
            const struct played *p = &rows.at[i];
            for (n = 1; i + n < rows.n && p[n].session == p->session;)
                n++;
            if (i + n == rows.n && rows.n == AT_ONCE) /* the match may go on behind this page */
                break;
            results_count(s, a, p, n);
            after = p[n - 1].id;
            ++*matches;
        }
    }
    arena_close(a);
    return true;
}

int64_t results_recount(struct store *s)
{
    int64_t chat = -1, matches = 0;
    while (results_recount_step(s, &chat, &matches) && !store_failed(s))
        continue;
    return matches;
}

bool inbox_recount_step(struct inbox *in, int64_t *chat, int64_t *matches)
{
    return results_recount_step(in->parts.store, chat, matches);
}

/* ---- its rows ---- */

static int64_t local_day(int64_t unix_ms, int32_t offset)
{
    enum { DAY_S = 24 * 3600 };
    int64_t s = unix_ms / 1000 + offset;
    return s / DAY_S - (s % DAY_S < 0);
}

/* What does not depend on the chat. */
static struct played played_of(struct turn *t, const struct result_effect *r,
                               const struct record_figures *figures, struct str rules)
{
    enum { LIST_SIZE = 512 };
    const struct figures_of_seat *f = &figures->seat[r->seat];
    struct tally tally = r->tally;
    tally_add(&tally, &f->tally);
    struct buf yaku = {arena_alloc(t->arena, LIST_SIZE), 0, LIST_SIZE, false};
    struct buf best = {arena_alloc(t->arena, LIST_SIZE), 0, LIST_SIZE, false};
    for (int y = 0; y < N_YAKU; y++)
        if (f->yaku[y] > 0)
            buf_print(&yaku, "%s%s=%d", yaku.n ? " " : "", yaku_key((enum yaku)y), f->yaku[y]);
    if (f->dearest.points > 0)
        hand_won_write(&f->dearest, &best);
    return (struct played){.session = r->no,
                           .seat = r->seat,
                           .at = t->event.now,
                           .casual = r->casual,
                           .rateable = !r->casual && figures->moved,
                           .forfeit = r->forfeit,
                           .tally = tally,
                           .best = f->dearest.points,
                           .accuracy = NO_ACCURACY,
                           .rules = rules,
                           .best_hand = buf_str(&best),
                           .yaku = buf_str(&yaku)};
}

/* Adds the match to the results of a chat. results[0 ... n - 1] are those of that chat. */
static void settle_chat(struct turn *t, struct played *rows, const int64_t *who, int n,
                        struct result_effect *results)
{
    int64_t was[MAX_PLAYERS] = {0}, is[MAX_PLAYERS] = {0}, chat = results[0].chat;
    const struct chat *stored = store_chat_by_id(t->store, t->arena, chat);
    int32_t offset;
    struct chat_settings settings =
        facts_settings_of(t, stored ? stored : &(struct chat){0}, &offset);
    struct season_running now = season_now(&settings, t->event.now);
    struct str season = arena_str(t->arena, str_of(now.key.text));
    bool counts = !rows[0].casual;
    struct str also = {0}; /* seasons of other lengths: they may be asked for later */
    for (int length = 0; length < N_SEASONS_OF_DATE; length++) {
        struct season_key key;
        season_at(t->event.now, now.offset, (enum season_length)length, &key);
        if (!str_is(str_of(key.text), season))
            also = arena_print(t->arena, "%.*s%s%s", STR_ARG(also), also.n ? " " : "", key.text);
    }
    for (int i = 0; i < n; i++) {
        rows[i].chat = chat;
        rows[i].day = local_day(t->event.now, now.offset);
        rows[i].season = season;
        rows[i].also = also;
    }
    if (counts)
        season_table_places(t->store, t->arena, chat, season, n, who, was);
    struct results_news news = results_add(t->store, t->arena, rows, n);
    if (counts) {
        season_table_places(t->store, t->arena, chat, season, n, who, is);
        const struct season_due due = season_due_of(chat, &now, season);
        store_open_season(t->store, &due);
    }
    for (int i = 0; i < n; i++) {
        results[i].was = was[i];
        results[i].place = is[i];
        if (counts && n == 2 && who[0] && who[1]) {
            struct pairings met =
                store_pairings(t->store, t->arena, chat, STR(SEASON_ALL), who[i], who[1 - i], 1);
            results[i].met_won = met.n ? met.at[0].tally.won : 0;
            results[i].met_lost = met.n ? met.at[0].tally.lost : 0;
        }
        results[i].rated = news.rated;
        results[i].over_limit = news.over_limit;
        results[i].rating = news.rating[i];
    }
}

/* ---- badges ---- */

static bool earns(const struct badge_rule *rule, const struct played *p,
                  const struct result_row *all)
{
    struct str rest = p->yaku;
    switch (rule->kind) {
    case BADGE_BY_STREAK:
        return all->streak >= rule->n;
    case BADGE_BY_POINTS:
        return p->best >= rule->n;
    case BADGE_BY_YAKU:
        for (struct str name, count; (name = next_yaku(&rest, &count)).n > 0;)
            if (str_is(name, str_of(yaku_key((enum yaku)rule->n))))
                return true;
        break;
    case BADGE_BY_SEASONS: /* at the end of the season */
    case BADGE_NEVER:
        break;
    }
    return false;
}

static void settle_badges(struct turn *t, const struct played *rows, const int64_t *who, int n,
                          struct result_effect *results)
{
    for (int i = 0; i < n; i++) {
        if (rows[i].casual || who[i] == 0)
            continue;
        struct result_row all =
            store_result(t->store, t->arena, EVERY_CHAT, STR(SEASON_ALL), rows[i].person);
        for (int b = 0; b < N_BADGES; b++) {
            const struct badge_row badge = {str_of(badges[b].key), results[i].chat, rows[i].session,
                                            t->event.now};
            if (earns(&t->in->badges.rule[b], &rows[i], &all) &&
                store_add_badge(t->store, who[i], &badge))
                results[i].badges |= 1u << b;
        }
    }
}

/* ---- effects ---- */

static void settle(struct turn *t, struct effects *fx)
{
    struct played rows[MAX_PLAYERS];
    int64_t who[MAX_PLAYERS];
    struct record_figures figures;
    struct str rules = STR("");
    int n = 0;
    if (fx->n_results == 0)
        return;
    struct season_running now = season_everywhere(t->event.now);
    record_figures_read(store_record(t->store, t->arena, fx->result[0].no), &figures);
    while (n < fx->n_results && fx->result[n].venue == fx->result[0].venue)
        n++;
    assert(n <= MAX_PLAYERS);
    for (int i = 0; i < fx->n_saves; i++)
        if (fx->save[i]->no == fx->result[0].no)
            rules = str_of(fx->save[i]->rules.name);
    for (int i = 0; i < n; i++) {
        const struct result_effect *r = &fx->result[i];
        const struct sender from = {.id = r->who.id};
        struct person p = {0}; /* the computer */
        const struct person *gone = NULL;
        if (from.id.n > 0)
            p = store_person(t->store, t->arena, r->who.account, &from);
        else if (r->person) /* the handle of a forgotten person has no network id */
            gone = store_person_by_id(t->store, t->arena, r->person);
        p = gone ? *gone : p;
        rows[i] = played_of(t, r, &figures, rules);
        rows[i].person = p.id;
        who[i] = p.who;
    }
    for (int i = 0; i + n <= fx->n_results; i += n)
        settle_chat(t, rows, who, n, &fx->result[i]);
    /* once for all chats, in quarters of UTC; ratings move there if everybody wants it */
    for (int i = 0; i < n; i++) {
        rows[i].chat = EVERY_CHAT;
        rows[i].day = local_day(t->event.now, 0);
        rows[i].season = arena_str(t->arena, str_of(now.key.text));
        rows[i].also = (struct str){0};
        rows[i].rateable &= facts_prefs_of(t, who[i]).rated_everywhere;
    }
    results_add(t->store, t->arena, rows, n);
    settle_badges(t, rows, who, n, fx->result);
}

/* Notes how well each seat of a match played, in thousandths, once: a second review changes
 * nothing. NO_ACCURACY: it had too few decisions. */
static void review_in(struct turn *t, int64_t chat, int64_t session, const int64_t *accuracy)
{
    struct played_rows rows = store_played_match(t->store, t->arena, chat, session);
    for (int i = 0; i < rows.n; i++) {
        struct played *p = &rows.at[i];
        if (p->casual || p->accuracy >= 0 || accuracy[p->seat] == NO_ACCURACY)
            continue;
        p->accuracy = accuracy[p->seat];
        store_set_accuracy(t->store, p);
        count_review(t->store, p);
    }
}

void settle_review(struct turn *t, const struct session *s, const struct match_review *review)
{
    int64_t accuracy[MAX_PLAYERS] = {0};
    for (int i = 0; i < review->players; i++)
        accuracy[i] = review->player[i].decisions < MATCH_REVIEW_FEW
                          ? NO_ACCURACY
                          : (int64_t)(review->player[i].accuracy * 1000 + 0.5f);
    for (int i = 0; i <= s->n_more; i++)
        review_in(t, s->venue[i].chat, s->no, accuracy);
    review_in(t, EVERY_CHAT, s->no, accuracy);
}

const struct inbox_feature inbox_results = {.settle = settle};
