/* See record_rounds.h. */
#include "record_rounds.h"

#include "json.h"

static const char *const whys[] = {"",          "stop",    "hand_yaku", "hand_yaku_tie",
                                   "exhausted", "oya_kan", "leave",     "dealer_point",
                                   NULL};

static void read_round_yaku(const cJSON *yaku, struct round_summary *n)
{
    const cJSON *v = NULL;
    cJSON_ArrayForEach(v, yaku)
    {
        for (int y = 0; y < N_YAKU; y++)
            if (strcmp(v->string, yaku_key((enum yaku)y)) == 0)
                n->worth[y] = (uint16_t)v->valueint;
        for (int h = 1; h < N_HAND_YAKU; h++)
            if (strcmp(v->string, hand_yaku_key((enum hand_yaku)h)) == 0)
                n->hand = (uint8_t)h;
    }
}

static void read_multipliers(const cJSON *list, struct round_summary *n)
{
    const cJSON *v = NULL;
    cJSON_ArrayForEach(v, list)
    {
        const cJSON *name = json_member(v, "name"), *x = json_member(v, "x");
        for (int m = 0; m < N_MULTIPLIERS && cJSON_IsString(name) && cJSON_IsNumber(x); m++)
            if (strcmp(name->valuestring, multiplier_key((enum multiplier)m)) == 0)
                n->x[m] = (uint32_t)x->valueint;
        if (cJSON_IsNumber(json_member(v, "add")))
            n->added = (uint16_t)json_member(v, "add")->valueint;
    }
}

bool record_round_read(struct str line, struct round_summary *ret)
{
    struct err err;
    struct str t;
    int why = 0;
    int64_t round, base, points, score, winner = -1;
    /* most lines are moves: skip them without parsing */
    cJSON *v = memmem(line.p, line.n, "round_end", 9) ? json_parse(line, &err) : NULL;
    if (!v)
        return false;
    struct round_summary n = {.winner = -1};
    const cJSON *won = json_member(v, "winner"), *scores = json_member(v, "scores"), *at = NULL;
    bool good = json_text(json_member(v, "t"), "t", &t, &err) && str_is(t, STR("round_end")) &&
                json_whole(json_member(v, "round"), "round", 1, 10000, &round, &err) &&
                json_whole(json_member(v, "base"), "base", 0, 60000, &base, &err) &&
                json_whole(json_member(v, "points"), "points", 0, INT32_MAX, &points, &err) &&
                json_choice(json_member(v, "why"), "why", whys, &why, &err) &&
                (cJSON_IsNull(won) || json_whole(won, "winner", 0, MAX_PLAYERS - 1, &winner, &err));
    if (good) {
        n.round = round;
        n.why = (uint8_t)why;
        n.winner = (int8_t)winner;
        n.base = (uint16_t)base;
        n.points = (int32_t)points;
        read_round_yaku(json_member(v, "yaku"), &n);
        read_multipliers(json_member(v, "multipliers"), &n);
        int i = 0;
        cJSON_ArrayForEach(at, scores) if (i < MAX_PLAYERS && json_whole(at, "scores", INT32_MIN,
                                                                         INT32_MAX, &score, &err))
            n.scores[i++] = (int32_t)score;
        *ret = n;
    }
    cJSON_Delete(v);
    return good;
}

int record_rounds_read(struct arena *a, struct str record, const struct round_summary **ret)
{
    struct round_summary *rounds = arena_array(a, struct round_summary, MAX_RECORD_ROUNDS);
    int n = 0;
    for (struct str rest = record, line; rest.n > 0;) {
        struct round_summary one;
        line = str_cut(rest, '\n', &rest);
        if (!record_round_read(line, &one))
            continue;
        if (n == MAX_RECORD_ROUNDS)
            memmove(rounds, rounds + 1, sizeof *rounds * (size_t)--n);
        rounds[n++] = one;
    }
    *ret = rounds;
    return n;
}
