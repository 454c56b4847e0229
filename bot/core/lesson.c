/* See lesson.h. */
#include "lesson.h"

static const float counts = 0.01f; /* of a loss, to be a moment */

static float share_at_end(const struct lesson *l, int seat)
{
    return l->winner < 0 ? 1.0f / (float)l->players : l->winner == seat ? 1.0f : 0.0f;
}

float lesson_after(const struct lesson *l, int i, int seat)
{
    return i + 1 < l->n_rounds ? l->round[i + 1].start[seat] : share_at_end(l, seat);
}

static void players(struct lesson *l)
{
    float could[MAX_PLAYERS] = {0}, all = 0;

    for (int i = 0; i < l->n; i++) {
        const struct lesson_line *line = &l->at[i];
        l->player[line->seat].decisions++;
        l->player[line->seat].lost += line->loss;
        could[line->seat] += line->spread;
        all += line->loss;
    }
    for (int s = 0; s < l->players; s++) {
        struct lesson_player *p = &l->player[s];
        p->accuracy = could[s] > 0 ? 1 - p->lost / could[s] : 1;
        if (l->why == MATCH_LEAVE || l->n_rounds == 0)
            continue;
        p->play = (all - p->lost) / (float)(l->players - 1) - p->lost;
        p->cards = share_at_end(l, s) - l->round[0].start[s] - p->play;
    }
}

static bool is_moment(const struct lesson *l, int i)
{
    for (int k = 0; k < l->n_moments; k++)
        if (l->moment[k] == i)
            return true;
    return false;
}

static void moments(struct lesson *l)
{
    while (l->n_moments < LESSON_MOMENTS) {
        int most = -1;
        for (int i = 0; i < l->n; i++)
            if (l->at[i].loss >= counts && !is_moment(l, i) &&
                (most < 0 || l->at[i].loss > l->at[most].loss))
                most = i;
        if (most < 0)
            break;
        int at = l->n_moments++;
        for (; at > 0 && l->moment[at - 1] > most; at--) /* as they were played */
            l->moment[at] = l->moment[at - 1];
        l->moment[at] = most;
    }
}

static void turning(struct lesson *l)
{
    float most = 0;

    l->turning = -1;
    for (int i = 0; i < l->n_rounds - (l->why == MATCH_LEAVE); i++)
        for (int s = 0; s < l->players; s++) {
            float change = lesson_after(l, i, s) - l->round[i].start[s];
            if (change > most) {
                most = change;
                l->turning = i;
            }
        }
}

void lesson_sum(struct lesson *l)
{
    for (int s = 0; s < MAX_PLAYERS; s++)
        l->player[s] = (struct lesson_player){0};
    l->n_moments = 0;
    players(l);
    moments(l);
    turning(l);
}
