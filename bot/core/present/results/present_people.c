/* Pages of people: figures, one against another, past matches, ratings. */
#include "present_bodies.h"

#include "figures.h"

enum { YAKU_SHOWN = 8, PERMILLE = 1000 };

static struct str where_of(const struct body *body)
{
    return body->e->direct            ? TX0(body, T_EVERYWHERE)
           : body->e->chat_name.n > 0 ? body->e->chat_name
                                      : TX0(body, T_THIS_CHAT);
}

static struct str won_drawn_lost(const struct body *body, int64_t won, int64_t drawn, int64_t lost)
{
    return arena_print(body->a, "%lld–%lld–%lld", (long long)won, (long long)drawn,
                       (long long)lost);
}

/* "+2.1", "-0.4": tenths. */
static struct str tenths(const struct body *body, int64_t sum, int64_t n)
{
    int64_t t = n > 0 ? (20 * sum + (sum < 0 ? -n : n)) / (2 * n) : 0;
    int64_t size = t < 0 ? -t : t;
    return arena_print(body->a, "%s%lld.%lld",
                       t > 0   ? "+"
                       : t < 0 ? "-"
                               : "",
                       (long long)size / 10, (long long)size % 10);
}

/* ---- figures ---- */

/* The yaku won with most, at most YAKU_SHOWN. */
static struct str yaku_list(const struct body *body, const struct figures *f)
{
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
        list = body_join(
            body, list, TX0(body, T_DOT),
            TX(body, T_STATS_COUNT, body->words->yaku[most], body_int(body, f->yaku[most])));
    }
    return list;
}

static struct str rules_list(const struct body *body, const struct figures *f)
{
    struct str list = {0};
    for (int i = 0; i < f->n_rules; i++) {
        const struct rules_figures *r = &f->rules[i];
        list = body_join(
            body, list, TX0(body, T_DOT),
            TX(body, T_STATS_COUNT, r->name, won_drawn_lost(body, r->won, r->drawn, r->lost)));
    }
    return list;
}

static struct str badge_list(const struct body *body, const struct figures *f)
{
    struct str list = {0};
    for (int i = 0; i < f->n_badges; i++)
        list = body_join(body, list, TX0(body, T_DOT), TX0(body, badges[f->badge[i]].text));
    return list;
}

static void put_matches(struct body *body, const struct figures *f)
{
    const struct stand *s = &f->sums;
    struct str line = TX(body, T_STATS_MATCHES, body_int(body, s->won), body_int(body, s->drawn),
                         body_int(body, s->lost));
    if (f->gave_up > 0)
        line = body_join(body, line, TX0(body, T_DOT),
                         TX(body, T_STATS_GAVE_UP, body_int(body, f->gave_up)));
    body_line(body, line);
    struct str rating =
        s->rated ? TX(body, T_STATS_RATING, part_rating(body, &s->rating)) : (struct str){0};
    if (s->place > 0)
        rating = body_join(body, rating, TX0(body, T_DOT),
                           TX(body, T_STATS_PLACE, body_int(body, s->place)));
    body_line(body, rating);
}

static void put_play(struct body *body, const struct figures *f)
{
    const struct stand *s = &f->sums;
    if (f->rounds > 0)
        body_line(body, TN(body, T_STATS_ROUNDS, f->rounds, body_int(body, f->rounds_won),
                           body_int(body, f->rounds), tenths(body, s->points, f->rounds)));
    if (s->calls > 0)
        body_line(body, TN(body, T_STATS_CALLS, s->calls, body_int(body, s->calls),
                           body_int(body, s->calls_won), body_int(body, f->calls_paid)));
    struct str yaku = yaku_list(body, f);
    if (yaku.n > 0)
        body_line(body, TX(body, T_STATS_YAKU, yaku));
    if (s->best > 0)
        body_line(body, TX(body, T_STATS_BEST, part_hand_won(body, s->best_hand),
                           TN(body, T_POINTS, s->best, body_int(body, s->best))));
    if (s->longest > 0)
        body_line(body, TN(body, T_STATS_RUN, s->longest, body_int(body, s->longest)));
    if (f->reviewed > 0)
        body_line(body, TN(body, T_STATS_ACCURACY, f->reviewed,
                           body_int(body, (f->accuracy * 100 + PERMILLE / 2) / PERMILLE),
                           body_int(body, f->reviewed)));
}

static void put_puzzles(struct body *body, const struct puzzle_record *p)
{
    if (p->answered > 0)
        body_line(body,
                  TX(body, T_STATS_PUZZLES, body_int(body, p->solved), body_int(body, p->answered),
                     body_int(body, p->run), body_int(body, p->longest)));
}

void present_stats(struct body *body)
{
    const struct figures *f = body->notice->people->figures;
    const struct stand *s = &f->sums;
    body_line(body, TX(body, T_STATS_HEAD, f->name, where_of(body)));
    if (s->won + s->drawn + s->lost == 0) {
        body_line(body, TX(body, T_STATS_NONE, body_command(body, VERB_CHALLENGE)));
        put_puzzles(body, &f->puzzles);
        return;
    }
    put_matches(body, f);
    put_play(body, f);
    put_puzzles(body, &f->puzzles);
    if (f->n_rules > 1)
        body_line(body, TX(body, T_STATS_RULES, rules_list(body, f)));
    if (f->n_badges > 0)
        body_line(body, TX(body, T_STATS_BADGES, badge_list(body, f)));
}

/* ---- matches ---- */

static struct str result_text(const struct body *body, const struct past_match *m)
{
    struct str other = m->opponents.n > 0 ? m->opponents : TX0(body, T_COMPUTER);
    return TX(body,
              m->gave_up        ? T_HISTORY_GAVE_UP
              : m->outcome > 0  ? T_HISTORY_WON
              : m->outcome == 0 ? T_HISTORY_DRAWN
                                : T_HISTORY_LOST,
              other);
}

static void put_past(struct body *body, const struct history *h)
{
    for (int i = 0; i < h->n; i++) {
        const struct past_match *m = &h->at[i];
        struct date d = date_at(m->at, body->utc_offset);
        body_line(body, TX(body, T_HISTORY_LINE, body_int(body, m->no), body_int(body, d.day),
                           TX0(body, (enum text)(T_MONTH_1 + d.month - 1)), result_text(body, m),
                           body_signed(body, m->points), m->rules));
    }
}

static void put_past_buttons(struct body *body, const struct history *h)
{
    for (int i = 0; i < h->n; i++) {
        struct str no = body_int(body, h->at[i].no);
        body->press_no = h->at[i].no;
        body_button(body, TX(body, T_BUTTON_REVIEW_OF, no), VERB_REVIEW, 0, BUTTON_PLAIN);
        body_button(body, TX(body, T_BUTTON_SCORE_OF, no), VERB_SCORE, 0, BUTTON_PLAIN);
        body_button(body, TX(body, T_BUTTON_REPLAY_OF, no), VERB_REPLAY, 0, BUTTON_PLAIN);
        body_row(body);
    }
    body->press_version = h->person;
    if (h->more)
        body_button(body, TX0(body, T_BUTTON_OLDER), VERB_HISTORY, body->notice->post,
                    BUTTON_PLAIN);
}

void present_history(struct body *body)
{
    const struct history *h = body->notice->people->history;
    body_line(body, TX(body, T_HISTORY_HEAD, h->name, where_of(body)));
    put_past(body, h);
    if (h->n == 0)
        body_line(body, TX(body, T_HISTORY_NONE, body_command(body, VERB_CHALLENGE)));
    put_past_buttons(body, h);
}

void present_versus(struct body *body)
{
    const struct versus *v = body->notice->people->versus;
    const struct stand *s = &v->sums;
    body_line(body, TX(body, T_VERSUS_HEAD, v->name, v->other));
    if (s->won + s->drawn + s->lost == 0) {
        body_line(body, TX0(body, T_VERSUS_NONE));
        return;
    }
    body_line(body, TX(body, T_VERSUS_MATCHES, v->name, body_int(body, s->won), v->other,
                       body_int(body, s->lost), body_int(body, s->drawn)));
    body_line(body, TX(body, T_VERSUS_POINTS, v->name, body_signed(body, s->points)));
    put_past(body, body->notice->people->history);
}

/* ---- ratings ---- */

void present_rating(struct body *body)
{
    const struct figures *f = body->notice->people->figures;
    if (body->notice->n != RATING_ASKED) {
        body_line(body, TX0(body, body->notice->n == RATING_JOINED ? T_RATING_ON : T_RATING_OFF));
        return;
    }
    if (!f->everywhere)
        body_line(body, f->sums.rated ? TX(body, T_RATING_HERE, f->name,
                                           part_rating(body, &f->sums.rating), where_of(body))
                                      : TX(body, T_RATING_NONE, f->name, where_of(body)));
    body_line(body, f->rated_everywhere ? TX(body, T_RATING_WORLD, part_rating(body, &f->world))
                                        : TX0(body, T_RATING_WORLD_NONE));
    body_line(body, TX(body, T_RATING_HOW, body_command(body, VERB_RATING)));
}
