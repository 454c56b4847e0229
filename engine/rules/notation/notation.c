/* Writer of the one-line notation. A running round is written as its deck and its moves; the reader
 * replays them under the rules, so nothing is lost or trusted. The fields of a rule set are those
 * of rules_field.c. Grammar: README.md of the rules. */
#include "notation.h"
#include "round_internal.h"
#include "rules_field.h"

#include <assert.h>
#include <string.h>

/* A line while it is written. The rules bound its length, so it never reaches NOTATION_MAX. */
struct notation_line {
    char *s;
    int n;
};

static void put_string(struct notation_line *l, const char *s)
{
    size_t n = strlen(s);
    assert((size_t)l->n + n < NOTATION_MAX);
    memcpy(l->s + l->n, s, n + 1);
    l->n += (int)n;
}

static void put_long(struct notation_line *l, long n)
{
    char digits[24];
    size_t at = sizeof digits;
    unsigned long rest = n < 0 ? 0 - (unsigned long)n : (unsigned long)n;
    digits[--at] = '\0';
    do
        digits[--at] = (char)('0' + rest % 10);
    while ((rest /= 10) > 0);
    if (n < 0)
        digits[--at] = '-';
    put_string(l, digits + at);
}

/* `;key=` and the first number of a list; the rest follow after commas. */
static void put_key(struct notation_line *l, const char *key)
{
    put_string(l, ";");
    put_string(l, key);
    put_string(l, "=");
}

static void put_next(struct notation_line *l, int i, long n)
{
    if (i > 0)
        put_string(l, ",");
    put_long(l, n);
}

static void put_stored(struct notation_line *l, const struct rules *r, const struct rules_stored *s)
{
    const unsigned char *at = (const unsigned char *)r + s->at;
    int16_t wide;
    put_key(l, s->key);
    if (s->type == RULES_CHARS)
        put_string(l, (const char *)at);
    else if (s->type == RULES_I16)
        for (int i = 0; i < s->count; i++) {
            memcpy(&wide, at + (size_t)i * sizeof wide, sizeof wide);
            put_next(l, i, wide);
        }
    else
        for (int i = 0; i < s->count; i++)
            put_next(l, i, at[i]);
}

int notation_rules(const struct rules *r, char ret[static NOTATION_MAX])
{
    struct notation_line l = {ret, 0};
    put_string(&l, NOTATION_RULES);
    for (const struct rules_field *f = rules_fields; f->path; f++)
        if (!f->later || rules_field_get(r, f) != 0)
            for (int i = 0; i < MAX_RULES_STORED && f->stored[i].key; i++)
                put_stored(&l, r, &f->stored[i]);
    return l.n;
}

/* ---- Moves ----------------------------------------------------------------------------------- */

static void put_card(struct notation_line *l, int card)
{
    char code[CARD_CODE_SIZE];
    card_code(card, code);
    put_string(l, code);
}

static void put_capture(struct notation_line *l, const char *before, int card, cardset take)
{
    put_string(l, before);
    if (card != CARD_NONE)
        put_card(l, card);
    for (const char *mark = "="; take != 0; take = set_rest(take), mark = "+") {
        put_string(l, mark);
        put_card(l, set_first(take));
    }
}

static void put_move(struct notation_line *l, struct move m)
{
    static const char *const words[] = {[MOVE_KOIKOI] = "koikoi",
                                        [MOVE_STOP] = "stop",
                                        [MOVE_DECLARE] = "declare",
                                        [MOVE_REDEAL] = "redeal",
                                        [MOVE_RESIGN] = "resign"};
    if (m.kind == MOVE_PLAY)
        put_capture(l, "", m.card, m.take);
    else if (m.kind == MOVE_CHOOSE)
        put_capture(l, "/", m.card, m.take);
    else
        put_string(l, words[m.kind]);
}

int notation_move(struct move m, char ret[static NOTATION_MOVE_MAX])
{
    char line[NOTATION_MAX];
    struct notation_line l = {line, 0};
    put_move(&l, m);
    assert(l.n < NOTATION_MOVE_MAX);
    memcpy(ret, line, (size_t)l.n + 1);
    return l.n;
}

/* ---- Matches --------------------------------------------------------------------------------- */

/* The numbers that came after the first rule sets stand only where the result has them. */
static void put_result(struct notation_line *l, const struct round_result *r)
{
    bool later = r->added > 0 || r->x[X_CALL_BONUS] > 1;
    int n_x = later ? N_MULTIPLIERS : X_CALL_BONUS;
    put_key(l, "last");
    put_next(l, 0, r->why);
    put_next(l, 1, r->winner);
    put_next(l, 2, r->hand);
    put_next(l, 3, r->points);
    put_next(l, 4, r->score.base);
    put_next(l, 5, r->score.n_yaku);
    for (int y = 0; y < N_YAKU; y++)
        put_next(l, 6 + y, r->score.worth[y]);
    for (int m = 0; m < n_x; m++)
        put_next(l, 6 + N_YAKU + m, r->x[m]);
    if (later)
        put_next(l, 6 + N_YAKU + N_MULTIPLIERS, r->added);
}

/* The move that ended the round, if the log of moves seen does not show it. */
static void put_end(struct notation_line *l, const struct round *r)
{
    const char *mark = r->n_seen > 0 ? "," : "";
    bool called = r->void_why == VOID_HAND_FOUR && r->may_redeal[r->void_by];
    if (r->result.why != WHY_STOP && r->result.why != WHY_LEAVE && !called &&
        !(r->result.why == WHY_HAND_YAKU && r->declared))
        return;
    put_string(l, mark);
    if (called) {
        put_string(l, "redeal@");
        put_long(l, r->void_by);
    } else {
        put_string(l, r->result.why == WHY_STOP    ? "stop"
                      : r->result.why == WHY_LEAVE ? "resign"
                                                   : "declare");
    }
}

static void put_round(struct notation_line *l, const struct round *r)
{
    put_key(l, "deal");
    put_long(l, r->dealer);
    put_string(l, ",");
    for (int i = 0; i < N_CARDS; i++)
        put_card(l, r->deck[i]);
    put_key(l, "moves");
    for (int i = 0; i < r->n_seen; i++) {
        put_string(l, i > 0 ? "," : "");
        put_move(l, round_seen_move(r->seen[i]));
    }
    put_end(l, r);
}

int notation_match(const struct match *m, char ret[static NOTATION_MAX])
{
    struct notation_line l = {ret, 0};
    put_string(&l, NOTATION_MATCH);
    put_key(&l, "players");
    put_long(&l, m->players);
    put_key(&l, "stage");
    put_long(&l, m->stage);
    put_key(&l, "round");
    put_next(&l, 0, m->round_no);
    put_next(&l, 1, m->attempt);
    put_key(&l, "dealer");
    put_long(&l, m->dealer);
    put_key(&l, "end");
    put_next(&l, 0, m->why);
    put_next(&l, 1, m->winner);
    put_key(&l, "scores");
    for (int p = 0; p < m->players; p++)
        put_next(&l, p, m->scores[p]);
    put_key(&l, "won");
    for (int p = 0; p < m->players; p++)
        put_next(&l, p, m->rounds_won[p]);
    put_result(&l, &m->last);
    if (m->gone != 0) {
        put_key(&l, "gone");
        put_long(&l, m->gone);
    }
    if (m->round.players != 0)
        put_round(&l, &m->round);
    return l.n;
}
