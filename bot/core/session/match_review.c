/* See match_review.h. */
#include "match_review.h"

static const float moment_loss = 0.01f; /* the least loss of a moment */

static float share_at_end(const struct match_review *review, int seat)
{
    return review->winner < 0       ? 1.0f / (float)review->players
           : review->winner == seat ? 1.0f
                                    : 0.0f;
}

float match_review_after(const struct match_review *review, int i, int seat)
{
    return i + 1 < review->n_rounds ? review->round[i + 1].start[seat] : share_at_end(review, seat);
}

static void sum_players(struct match_review *review)
{
    float could[MAX_PLAYERS] = {0}, all = 0;
    for (int i = 0; i < review->n; i++) {
        const struct match_review_line *line = &review->at[i];
        review->player[line->seat].decisions++;
        review->player[line->seat].lost += line->loss;
        could[line->seat] += line->spread;
        all += line->loss;
    }
    for (int s = 0; s < review->players; s++) {
        struct match_review_player *p = &review->player[s];
        p->accuracy = could[s] > 0 ? 1 - p->lost / could[s] : 1;
        if (review->why == MATCH_LEAVE || review->n_rounds == 0)
            continue;
        p->play = (all - p->lost) / (float)(review->players - 1) - p->lost;
        p->cards = share_at_end(review, s) - review->round[0].start[s] - p->play;
    }
}

static bool is_moment(const struct match_review *review, int i)
{
    for (int k = 0; k < review->n_moments; k++)
        if (review->moment[k] == i)
            return true;
    return false;
}

static void find_moments(struct match_review *review)
{
    while (review->n_moments < REVIEW_MOMENTS) {
        int most = -1;
        for (int i = 0; i < review->n; i++)
            if (review->at[i].loss >= moment_loss && !is_moment(review, i) &&
                (most < 0 || review->at[i].loss > review->at[most].loss))
                most = i;
        if (most < 0)
            break;
        int at = review->n_moments++;
        for (; at > 0 && review->moment[at - 1] > most; at--) /* in the order of play */
            review->moment[at] = review->moment[at - 1];
        review->moment[at] = most;
    }
}

void match_review_sum(struct match_review *review)
{
    for (int s = 0; s < MAX_PLAYERS; s++)
        review->player[s] = (struct match_review_player){0};
    review->n_moments = 0;
    sum_players(review);
    find_moments(review);
    float most = 0;
    review->turning = -1;
    for (int i = 0; i < review->n_rounds - (review->why == MATCH_LEAVE); i++)
        for (int s = 0; s < review->players; s++) {
            float change = match_review_after(review, i, s) - review->round[i].start[s];
            if (change > most) {
                most = change;
                review->turning = i;
            }
        }
}
