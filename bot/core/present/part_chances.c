/* Chances to win a finished match, before each round and at its end: what the review shows, from
 * the scores alone. And the moment that moved them most. See part.h. */
#include "part.h"

#include "equity.h"

/* Longer matches take too long to compute while others wait. */
enum { MOST_ROUNDS = 24 };
static const float LEAST_MOMENT = 0.05f; /* less is only the turn to deal */

struct chances {
    int n; /* rounds */
    float at[MOST_ROUNDS + 1][MAX_PLAYERS];
};

static float chance_of(const struct view *at, int seat)
{
    struct view v = *at;
    struct stakes stakes;
    v.seat = (int8_t)seat;
    stakes_make(&v, &stakes);
    return stakes.again;
}

static void set_end(const struct draft *d, float ret[static MAX_PLAYERS])
{
    const struct view *v = &d->table->view;
    for (int i = 0; i < v->players; i++)
        ret[i] = v->winner < 0 ? 1.0f / (float)v->players : v->winner == i ? 1.0f : 0.0f;
}

/* Returns false if the match was broken off, is too short or too long for a curve, or its rounds
 * are not all known. */
static bool chances_of(const struct draft *d, struct chances *ret)
{
    const struct notice *notice = d->notice;
    const struct table *t = d->table;
    struct view v = t->view;
    if (v.players < 2 || v.why == MATCH_LEAVE || v.why == MATCH_AGREED || notice->rounds.n < 2 ||
        notice->rounds.n > MOST_ROUNDS || notice->rounds.at[0].round != 1)
        return false;
    ret->n = notice->rounds.n;
    v.dealer = t->first;
    for (int s = 0; s < v.players; s++)
        v.scores[s] = rules_start_score(&t->rules);
    for (int i = 0; i < ret->n; i++) {
        const struct round_summary *n = &notice->rounds.at[i];
        v.round_no = (uint16_t)n->round;
        for (int s = 0; s < v.players; s++)
            ret->at[i][s] = chance_of(&v, s);
        memcpy(v.scores, n->scores, sizeof v.scores);
        v.dealer = (uint8_t)match_next_dealer(&v.rules, v.players, v.dealer, n->winner);
    }
    set_end(d, ret->at[ret->n]);
    return true;
}

static int percent(float chance)
{
    return (int)(100 * chance + 0.5f);
}

/* The round that moved the chances most, for the player who gained by it. Returns NULL if none
 * did. */
static const struct round_summary *find_moment(const struct draft *d, const struct chances *c,
                                               struct part_moment *ret)
{
    float most = LEAST_MOMENT;
    for (int i = 0; i < c->n; i++)
        for (int s = 0; s < d->table->players; s++) {
            float gain = c->at[i + 1][s] - c->at[i][s];
            if (gain <= most)
                continue;
            most = gain;
            *ret = (struct part_moment){.round = &d->notice->rounds.at[i],
                                        .seat = s,
                                        .before = percent(c->at[i][s]),
                                        .after = percent(c->at[i + 1][s])};
        }
    return ret->round;
}

bool part_moment(const struct draft *d, struct part_moment *ret)
{
    struct chances c;
    *ret = (struct part_moment){0};
    return chances_of(d, &c) && find_moment(d, &c, ret);
}

void part_moment_line(struct draft *d)
{
    struct part_moment m;
    if (part_moment(d, &m))
        SAY(d, T_REVIEW_TURNING, draft_int(d, m.round->round), draft_name(d, m.seat),
            draft_int(d, m.before), draft_int(d, m.after));
}

bool part_chances(const struct draft *d, struct str ret[static MAX_PLAYERS])
{
    struct chances c;
    if (!chances_of(d, &c))
        return false;
    for (int s = 0; s < d->table->players; s++) {
        struct buf b = {arena_room(d->a, LAYOUT_BYTES), 0, LAYOUT_BYTES, false};
        for (int i = 0; i <= c.n; i++)
            buf_print(&b, "%s%d %%", i ? " " : "", percent(c.at[i][s]));
        ret[s] = buf_str(&b);
    }
    return true;
}
