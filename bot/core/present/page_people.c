/* Pages of people: figures, one against another, past matches, ratings. */
#include "page.h"

#include "puzzle.h"
#include "seasons.h"

static struct str where_of(const struct draft *d)
{
    return d->e->direct            ? TX(d, T_EVERYWHERE)
           : d->e->chat_name.n > 0 ? d->e->chat_name
                                   : TX(d, T_THIS_CHAT);
}

/* ---- figures ---- */

/* A mean: "+2.1", "-0.4". */
static struct str tenths(const struct draft *d, int64_t sum, int64_t n)
{
    int64_t t = n > 0 ? (20 * sum + (sum < 0 ? -n : n)) / (2 * n) : 0, size = t < 0 ? -t : t;
    return arena_print(d->a, "%s%lld.%lld",
                       t > 0   ? "+"
                       : t < 0 ? "-"
                               : "",
                       (long long)size / 10, (long long)size % 10);
}

/* The yaku won with most. */
static struct str yaku_list(const struct draft *d, const struct figures *f)
{
    enum { YAKU_SHOWN = 8 };
    struct str list = {0};
    bool done[N_YAKU] = {false};
    for (int k = 0; k < YAKU_SHOWN; k++) {
        int most = -1;
        for (int y = 0; y < N_YAKU; y++)
            if (!done[y] && f->yaku[y] > 0 && (most < 0 || f->yaku[y] > f->yaku[most]))
                most = y;
        if (most < 0)
            break;
        done[most] = true;
        draft_add(d, &list, T_DOT,
                  TX(d, T_STATS_COUNT, d->words->yaku[most], draft_int(d, f->yaku[most])));
    }
    return list;
}

static void put_play(struct draft *d, const struct figures *f)
{
    enum { PERMILLE = 1000 };
    const struct stand *s = &f->sums;
    struct str line =
        TX(d, T_STATS_MATCHES, draft_int(d, s->won), draft_int(d, s->drawn), draft_int(d, s->lost));
    struct str rating = s->rated ? TX(d, T_STATS_RATING, draft_rating(d, &s->rating)) : STR("");
    struct str yaku = yaku_list(d, f);
    if (f->gave_up > 0)
        draft_add(d, &line, T_DOT, TX(d, T_STATS_GAVE_UP, draft_int(d, f->gave_up)));
    if (s->place > 0)
        draft_add(d, &rating, T_DOT, TX(d, T_STATS_PLACE, draft_int(d, s->place)));
    draft_line(d, line);
    draft_line(d, rating);
    if (f->rounds > 0)
        SAY_N(d, T_STATS_ROUNDS, f->rounds, draft_int(d, f->rounds_won), draft_int(d, f->rounds),
              tenths(d, s->points, f->rounds));
    if (s->calls > 0)
        SAY_N(d, T_STATS_CALLS, s->calls, draft_int(d, s->calls), draft_int(d, s->calls_won),
              draft_int(d, f->calls_paid));
    SAY_IF(d, yaku.n > 0, T_STATS_YAKU, yaku);
    SAY_IF(d, s->best > 0, T_STATS_BEST, draft_hand_won(d, s->best_hand),
           TN(d, T_POINTS, s->best, draft_int(d, s->best)));
    if (s->longest > 0)
        SAY_N(d, T_STATS_RUN, s->longest, draft_int(d, s->longest));
    if (f->reviewed > 0)
        SAY_N(d, T_STATS_ACCURACY, f->reviewed,
              draft_int(d, (f->accuracy * 100 + PERMILLE / 2) / PERMILLE),
              draft_int(d, f->reviewed));
}

void page_stats(struct draft *d)
{
    const struct figures *f = d->notice->seasons->figures;
    const struct puzzle_record *p = f->puzzles;
    struct str rules = {0}, earned = {0};
    bool played = f->sums.won + f->sums.drawn + f->sums.lost > 0;
    SAY(d, T_STATS_HEAD, f->name, where_of(d));
    SAY_IF(d, !played, T_STATS_NONE, draft_command(d, VERB_CHALLENGE));
    if (played)
        put_play(d, f);
    SAY_IF(d, p->answered > 0, T_STATS_PUZZLES, draft_int(d, p->solved), draft_int(d, p->answered),
           draft_int(d, p->run), draft_int(d, p->longest));
    for (int i = 0; i < f->n_rules; i++) {
        const struct rules_figures *r = &f->rules[i];
        struct str sums = arena_print(d->a, "%lld–%lld–%lld", (long long)r->won,
                                      (long long)r->drawn, (long long)r->lost);
        draft_add(d, &rules, T_DOT, TX(d, T_STATS_COUNT, r->name, sums));
    }
    for (int i = 0; i < f->n_badges; i++)
        draft_add(d, &earned, T_DOT, TX(d, badges[f->badge[i]].text));
    SAY_IF(d, played && f->n_rules > 1, T_STATS_RULES, rules);
    SAY_IF(d, played && f->n_badges > 0, T_STATS_BADGES, earned);
}

/* ---- matches ---- */

static void put_past(struct draft *d, const struct history *h)
{
    for (int i = 0; i < h->n; i++) {
        const struct past_match *m = &h->at[i];
        struct date on = date_at(m->at, d->utc_offset);
        enum text result = m->gave_up        ? T_HISTORY_GAVE_UP
                           : m->outcome > 0  ? T_HISTORY_WON
                           : m->outcome == 0 ? T_HISTORY_DRAWN
                                             : T_HISTORY_LOST;
        SAY(d, T_HISTORY_LINE, draft_int(d, m->no), draft_int(d, on.day),
            TX(d, (enum text)(T_MONTH_1 + on.month - 1)),
            TX(d, result, m->opponents.n > 0 ? m->opponents : TX(d, T_COMPUTER)),
            draft_signed(d, m->points), m->rules);
    }
}

void page_history(struct draft *d)
{
    const struct history *h = d->notice->seasons->history;
    SAY(d, T_HISTORY_HEAD, h->name, where_of(d));
    put_past(d, h);
    SAY_IF(d, h->n == 0, T_HISTORY_NONE, draft_command(d, VERB_CHALLENGE));
    for (int i = 0; i < h->n; i++) {
        struct str no = draft_int(d, h->at[i].no);
        d->press_no = h->at[i].no;
        draft_button(d, TX(d, T_BUTTON_REVIEW_OF, no), VERB_REVIEW, 0, BUTTON_PLAIN);
        draft_button(d, TX(d, T_BUTTON_SCORE_OF, no), VERB_SCORE, 0, BUTTON_PLAIN);
        draft_button(d, TX(d, T_BUTTON_REPLAY_OF, no), VERB_REPLAY, 0, BUTTON_PLAIN);
        draft_row(d);
    }
    d->press_version = h->person;
    if (h->more)
        draft_press(d, T_BUTTON_OLDER, VERB_HISTORY, d->notice->post, BUTTON_PLAIN);
}

void page_versus(struct draft *d)
{
    const struct versus *v = d->notice->seasons->versus;
    const struct stand *s = &v->sums;
    SAY(d, T_VERSUS_HEAD, v->name, v->other);
    if (s->won + s->drawn + s->lost == 0) {
        SAY(d, T_VERSUS_NONE);
        return;
    }
    SAY(d, T_VERSUS_MATCHES, v->name, draft_int(d, s->won), v->other, draft_int(d, s->lost),
        draft_int(d, s->drawn));
    SAY(d, T_VERSUS_POINTS, v->name, draft_signed(d, s->points));
    put_past(d, d->notice->seasons->history);
}

/* ---- ratings ---- */

void page_rating(struct draft *d)
{
    const struct figures *f = d->notice->seasons->figures;
    if (d->notice->n != RATING_ASKED) {
        SAY(d, d->notice->n == RATING_JOINED ? T_RATING_ON : T_RATING_OFF);
        return;
    }
    if (!f->everywhere)
        draft_line(d, f->sums.rated ? TX(d, T_RATING_HERE, f->name,
                                         draft_rating(d, &f->sums.rating), where_of(d))
                                    : TX(d, T_RATING_NONE, f->name, where_of(d)));
    draft_line(d, f->rated_everywhere ? TX(d, T_RATING_WORLD, draft_rating(d, &f->world))
                                      : TX(d, T_RATING_WORLD_NONE));
    SAY(d, T_RATING_HOW, draft_command(d, VERB_RATING));
}
