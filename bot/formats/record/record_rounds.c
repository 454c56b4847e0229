/* See notebook.h. */
#include "notebook.h"

#include "json.h"

static const char *const whys[] = {"",          "stop",    "hand_yaku", "hand_yaku_tie",
                                   "exhausted", "oya_kan", "leave",     NULL};

static void yaku_of(const cJSON *yaku, struct round_note *n)
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

static void multipliers_of(const cJSON *list, struct round_note *n)
{
    const cJSON *v = NULL;
    cJSON_ArrayForEach(v, list)
    {
        const cJSON *name = json_member(v, "name"), *x = json_member(v, "x");
        for (int m = 0; m < N_MULTIPLIERS && cJSON_IsString(name) && cJSON_IsNumber(x); m++)
            if (strcmp(name->valuestring, multiplier_key((enum multiplier)m)) == 0)
                n->x[m] = (uint32_t)x->valueint;
    }
}

static bool note_of(struct str line, struct round_note *ret)
{
    struct err err;
    struct str t;
    int why = 0;
    int64_t round, base, points, score, winner = -1;
    cJSON *v = json_parse(line, &err);
    if (!v)
        return false;
    struct round_note n = {.winner = -1};
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
        yaku_of(json_member(v, "yaku"), &n);
        multipliers_of(json_member(v, "multipliers"), &n);
        int i = 0;
        cJSON_ArrayForEach(at, scores) if (i < MAX_PLAYERS && json_whole(at, "scores", INT32_MIN,
                                                                         INT32_MAX, &score, &err))
            n.scores[i++] = (int32_t)score;
        *ret = n;
    }
    cJSON_Delete(v);
    return good;
}

int notebook_read(struct arena *a, struct str record, const struct round_note **ret)
{
    struct round_note *notes = arena_array(a, struct round_note, MAX_NOTES);
    int n = 0;
    for (struct str rest = record, line; rest.n > 0;) {
        struct round_note note;
        line = str_cut(rest, '\n', &rest);
        /* a match is mostly moves, of which none need be taken apart */
        if (!memmem(line.p, line.n, "round_end", 9) || !note_of(line, &note))
            continue;
        if (n == MAX_NOTES)
            memmove(notes, notes + 1, sizeof *notes * (size_t)--n);
        notes[n++] = note;
    }
    *ret = notes;
    return n;
}
