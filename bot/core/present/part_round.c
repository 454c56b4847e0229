/* Finished rounds: what they paid, and the chances to win the match before each of them and at its
 * end, from the scores alone. See part.h. */
#include "part.h"

#include "equity.h"

/* Longer matches take too long to compute while others wait. */
enum { MOST_ROUNDS = 24 };
static const float LEAST_MOMENT = 0.05f; /* less is only the turn to deal */

/* ---- what a round paid ---- */

struct round_summary part_round_over(const struct draft *d)
{
    const struct view *v = &d->table->view;
    const struct round_result *r = &v->result;
    struct round_summary n = {.round = draft_scene(d)->round,
                              .why = r->why,
                              .winner = r->winner,
                              .base = r->score.base,
                              .points = r->points,
                              .hand = r->hand,
                              .added = r->added};
    memcpy(n.scores, v->scores, sizeof n.scores);
    memcpy(n.worth, r->score.worth, sizeof n.worth);
    memcpy(n.x, r->x, sizeof n.x);
    return n;
}

struct str part_factors(const struct draft *d, int added, const uint32_t x[static N_MULTIPLIERS])
{
    struct str list = {0};
    if (added > 0)
        list = TX(d, T_ADDED, TX(d, T_X_CALL_BONUS), draft_int(d, added));
    for (int m = 0; m < N_MULTIPLIERS; m++)
        if (x[m] > 1)
            list = draft_join(
                d, list, STR(" "),
                TX(d, T_FACTOR, TX(d, (enum text)(T_X_SEVEN_PLUS + m)), draft_int(d, x[m])));
    return list;
}

/* ---- chances to win the match ---- */

/* By round and seat; the last line is the end. Returns the number of rounds; 0 if the match was
 * broken off, is too short or too long for a curve, or its rounds are not all known. */
static int chances_of(const struct draft *d, float ret[static MOST_ROUNDS + 1][MAX_PLAYERS])
{
    const struct table *t = d->table;
    const struct round_summary *notes = d->notice->rounds.at;
    int n = d->notice->rounds.n;
    struct view v = t->view;
    struct stakes stakes;
    if (v.players < 2 || v.why == MATCH_LEAVE || v.why == MATCH_AGREED || n < 2 ||
        n > MOST_ROUNDS || notes[0].round != 1)
        return 0;
    v.dealer = t->first;
    for (int s = 0; s < v.players; s++)
        v.scores[s] = rules_start_score(&t->rules);
    for (int i = 0; i < n; i++) {
        v.round_no = (uint16_t)notes[i].round;
        for (int s = 0; s < v.players; s++) {
            v.seat = (int8_t)s;
            stakes_make(&v, &stakes);
            ret[i][s] = stakes.again;
        }
        memcpy(v.scores, notes[i].scores, sizeof v.scores);
        v.dealer = (uint8_t)match_next_dealer(&v.rules, v.players, v.dealer, notes[i].winner);
    }
    for (int s = 0; s < v.players; s++)
        ret[n][s] = v.winner < 0 ? 1.0f / (float)v.players : v.winner == s ? 1.0f : 0.0f;
    return n;
}

static int percent(float chance)
{
    return (int)(100 * chance + 0.5f);
}

bool part_moment(const struct draft *d, struct part_moment *ret)
{
    float at[MOST_ROUNDS + 1][MAX_PLAYERS], most = LEAST_MOMENT;
    int n = chances_of(d, at);
    *ret = (struct part_moment){0};
    for (int i = 0; i < n; i++)
        for (int s = 0; s < d->table->players; s++)
            if (at[i + 1][s] - at[i][s] > most) {
                most = at[i + 1][s] - at[i][s];
                *ret = (struct part_moment){.round = &d->notice->rounds.at[i],
                                            .seat = s,
                                            .before = percent(at[i][s]),
                                            .after = percent(at[i + 1][s])};
            }
    return ret->round;
}

void part_moment_line(struct draft *d)
{
    struct part_moment m;
    if (!part_moment(d, &m))
        return;
    SAY(d, T_REVIEW_TURNING, draft_int(d, m.round->round), draft_name(d, m.seat),
        draft_int(d, m.before), draft_int(d, m.after));
    struct str cards = {0}; /* which the picture shows */
    for (cardset rest = m.round->last; rest; rest = set_rest(rest))
        draft_add(d, &cards, T_COMMA, draft_label(d, set_first(rest)));
    SAY_IF(d, cards.n > 0 && draft_can(d, CAN_PICTURE), T_SCREEN_TOOK,
           draft_name(d, m.round->winner), cards);
}
