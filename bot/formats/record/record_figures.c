/* See record_figures.h. Two kinds of lines matter beside a first card: calls of koi-koi, and ends
 * of rounds. */
#include "record_figures.h"

#include "json.h"
#include "record_rounds.h"

static bool line_holds(struct str line, const char *word)
{
    return memmem(line.p, line.n, word, strlen(word)) != NULL;
}

/* The seat that calls koi-koi in this line, -1 for another line. */
static int caller_of(struct str line)
{
    struct err err;
    int64_t seat = -1;
    if (!line_holds(line, "\"koikoi\"") || !line_holds(line, "\"decide\""))
        return -1;
    cJSON *v = json_parse(line, &err);
    if (v && !json_whole(json_member(v, "p"), "p", 0, MAX_PLAYERS - 1, &seat, &err))
        seat = -1;
    cJSON_Delete(v);
    return (int)seat;
}

static void end_round(struct record_figures *ret, const struct round_summary *round,
                      const bool called[MAX_PLAYERS])
{
    if (round->why == WHY_LEAVE)
        return;
    ret->rounds++;
    for (int i = 0; i < MAX_PLAYERS; i++) {
        struct figures_of_seat *to = &ret->seat[i];
        bool won = round->winner == i;
        to->calls += called[i];
        to->calls_won += called[i] && won;
        to->calls_paid += called[i] && !won && round->winner >= 0;
        to->won += won;
        if (!won)
            continue;
        for (int y = 0; y < N_YAKU; y++)
            to->yaku[y] += round->worth[y] > 0;
        if (round->points > to->dearest.points)
            to->dearest = *round;
    }
}

void record_figures_read(struct str record, struct record_figures *ret)
{
    bool called[MAX_PLAYERS] = {false};
    *ret = (struct record_figures){0};
    for (struct str rest = record, line; rest.n > 0;) {
        struct round_summary round;
        line = str_cut(rest, '\n', &rest);
        int caller = caller_of(line);
        ret->moved |= line_holds(line, "\"t\":\"play\"");
        if (caller >= 0)
            called[caller] = true;
        if (!record_round_read(line, &round))
            continue;
        end_round(ret, &round, called);
        memset(called, 0, sizeof called);
    }
}
