/* Writing the one-line notation. A running round is its deck and its moves, so that reading
 * plays it again under the rules and nothing a match can hold is lost or taken on trust. A new
 * field of a rule set is a row in note_fields. Grammar: README.md, "Notation". */
#include "note.h"
#include "note_fields.h"

#include <assert.h>
#include <string.h>

#define ROW(k, member, type)                                                                       \
    {                                                                                              \
        k, offsetof(struct rules, member), sizeof((struct rules *)0)->member / sizeof(type),       \
            _Generic((type)0, bool                                                                 \
                     : FIELD_BOOL, uint8_t                                                         \
                     : FIELD_U8, int16_t                                                           \
                     : FIELD_I16, char                                                             \
                     : FIELD_WORD)                                                                 \
    }

const struct field note_fields[N_FIELDS] = {
    ROW("name", name, char),
    ROW("players", players_allowed, uint8_t),
    ROW("rounds", rounds, uint8_t),
    ROW("rounds_allowed.n", n_rounds_allowed, uint8_t),
    ROW("rounds_allowed", rounds_allowed, uint8_t),
    ROW("scoring", scoring, uint8_t),
    ROW("purse.has", has_purse, bool),
    ROW("purse.n", n_purse, uint8_t),
    ROW("purse.rounds", purse_rounds, uint8_t),
    ROW("purse", purse, int16_t),
    ROW("hand", hand, uint8_t),
    ROW("table", table, uint8_t),
    ROW("deal.packet", deal_packet, uint8_t),
    ROW("deal.order", deal_order, uint8_t),
    ROW("first_dealer", first_dealer, uint8_t),
    ROW("tie_break", tie_break, uint8_t),
    ROW("table_four", table_four, uint8_t),
    ROW("hand_four", hand_four, uint8_t),
    ROW("hand_yaku.has", has_hand_yaku, bool),
    ROW("hand_yaku", hand_yaku, uint8_t),
    ROW("hand_yaku.claim", claim, uint8_t),
    ROW("hand_yaku.multiplied", hand_yaku_multiplied, bool),
    ROW("capture", capture, uint8_t),
    ROW("wild_lightning", wild_lightning, bool),
    ROW("exhausted", exhausted, uint8_t),
    ROW("multipliers.seven_plus", has_seven_plus, bool),
    ROW("multipliers.seven_plus.points", seven_points, uint8_t),
    ROW("multipliers.seven_plus.min_yaku", seven_min_yaku, uint8_t),
    ROW("multipliers.seven_plus.x", seven_x, uint8_t),
    ROW("multipliers.own_koikoi", own_koikoi, uint8_t),
    ROW("multipliers.opponent_koikoi", opponent_koikoi, uint8_t),
    ROW("multipliers.any_koikoi", any_koikoi, uint8_t),
    ROW("multipliers.table_brights", table_brights, bool),
    ROW("yaku", yaku, uint8_t),
    ROW("viewing.rain_cancels", rain_cancels, uint8_t),
    ROW("viewing.both", viewing_both, uint8_t),
    ROW("viewing.with_brights", viewing_with_brights, bool),
    ROW("sake_is_plain", sake_is_plain, bool),
    ROW("trio_extra", trio_extra, uint8_t),
    ROW("words", words, char),
    ROW("deck", deck, char),
};

/* A line being written. What it holds is bounded by the rules, so NOTE_MAX is never reached. */
struct line {
    char *s;
    int n;
};

static void put(struct line *l, const char *s)
{
    size_t n = strlen(s);

    assert((size_t)l->n + n < NOTE_MAX);
    memcpy(l->s + l->n, s, n + 1);
    l->n += (int)n;
}

static void put_number(struct line *l, long n)
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
    put(l, digits + at);
}

/* `;key=` and the first number of a list; the rest follow after commas. */
static void put_key(struct line *l, const char *key)
{
    put(l, ";");
    put(l, key);
    put(l, "=");
}

static void put_next(struct line *l, int i, long n)
{
    if (i > 0)
        put(l, ",");
    put_number(l, n);
}

static long field_value(const struct rules *r, const struct field *f, int i)
{
    const unsigned char *at = (const unsigned char *)r + f->at;
    int16_t wide;

    if (f->kind != FIELD_I16)
        return at[i];
    memcpy(&wide, at + (size_t)i * sizeof wide, sizeof wide);
    return wide;
}

int note_rules(const struct rules *r, char ret[static NOTE_MAX])
{
    struct line l = {ret, 0};

    put(&l, NOTE_RULES);
    for (int f = 0; f < N_FIELDS; f++) {
        put_key(&l, note_fields[f].key);
        if (note_fields[f].kind == FIELD_WORD)
            put(&l, (const char *)r + note_fields[f].at);
        else
            for (int i = 0; i < note_fields[f].count; i++)
                put_next(&l, i, field_value(r, &note_fields[f], i));
    }
    return l.n;
}

/* ---- Moves ----------------------------------------------------------------------------------- */

static void put_card(struct line *l, int card)
{
    char code[CARD_CODE_SIZE];

    card_code(card, code);
    put(l, code);
}

static void put_take(struct line *l, const char *before, int card, cardset take)
{
    put(l, before);
    if (card != CARD_NONE)
        put_card(l, card);
    for (const char *mark = "="; take != 0; take = set_rest(take), mark = "+") {
        put(l, mark);
        put_card(l, set_first(take));
    }
}

static void put_move(struct line *l, struct move m)
{
    static const char *const words[] = {[MOVE_KOIKOI] = "koikoi",
                                        [MOVE_STOP] = "stop",
                                        [MOVE_DECLARE] = "declare",
                                        [MOVE_REDEAL] = "redeal",
                                        [MOVE_RESIGN] = "resign"};
    if (m.kind == MOVE_PLAY)
        put_take(l, "", m.card, m.take);
    else if (m.kind == MOVE_CHOOSE)
        put_take(l, "/", m.card, m.take);
    else
        put(l, words[m.kind]);
}

int note_move(struct move m, char ret[static NOTE_MOVE_MAX])
{
    char line[NOTE_MAX];
    struct line l = {line, 0};

    put_move(&l, m);
    assert(l.n < NOTE_MOVE_MAX);
    memcpy(ret, line, (size_t)l.n + 1);
    return l.n;
}

/* ---- Matches --------------------------------------------------------------------------------- */

static void put_result(struct line *l, const struct round_result *r)
{
    put_key(l, "last");
    put_next(l, 0, r->why);
    put_next(l, 1, r->winner);
    put_next(l, 2, r->hand);
    put_next(l, 3, r->points);
    put_next(l, 4, r->score.base);
    put_next(l, 5, r->score.n_yaku);
    for (int y = 0; y < N_YAKU; y++)
        put_next(l, 6 + y, r->score.worth[y]);
    for (int m = 0; m < N_MULTIPLIERS; m++)
        put_next(l, 6 + N_YAKU + m, r->x[m]);
}

static struct move move_of(struct seen s)
{
    static const uint8_t kinds[] = {
        [SEEN_PLAY] = MOVE_PLAY, [SEEN_DRAW] = MOVE_CHOOSE, [SEEN_KOIKOI] = MOVE_KOIKOI};
    int kind = s.seat_kind & 15;

    return (struct move){
        .kind = kinds[kind], .card = s.card, .take = kind == SEEN_KOIKOI ? 0 : seen_take(s)};
}

/* The move that ended the round, where what was seen does not show it. */
static void put_end(struct line *l, const struct round *r)
{
    const char *mark = r->n_seen > 0 ? "," : "";

    if (r->result.why != WHY_STOP && r->result.why != WHY_LEAVE && r->void_why != VOID_HAND_FOUR &&
        !(r->result.why == WHY_HAND_YAKU && r->declared))
        return;
    put(l, mark);
    if (r->void_why == VOID_HAND_FOUR) {
        put(l, "redeal@");
        put_number(l, r->void_by);
    } else {
        put(l, r->result.why == WHY_STOP    ? "stop"
               : r->result.why == WHY_LEAVE ? "resign"
                                            : "declare");
    }
}

static void put_round(struct line *l, const struct round *r)
{
    put_key(l, "deal");
    put_number(l, r->dealer);
    put(l, ",");
    for (int i = 0; i < N_CARDS; i++)
        put_card(l, r->deck[i]);
    put_key(l, "moves");
    for (int i = 0; i < r->n_seen; i++) {
        put(l, i > 0 ? "," : "");
        put_move(l, move_of(r->seen[i]));
    }
    put_end(l, r);
}

int note_match(const struct match *m, char ret[static NOTE_MAX])
{
    struct line l = {ret, 0};

    put(&l, NOTE_MATCH);
    put_key(&l, "players");
    put_number(&l, m->players);
    put_key(&l, "stage");
    put_number(&l, m->stage);
    put_key(&l, "round");
    put_next(&l, 0, m->round_no);
    put_next(&l, 1, m->attempt);
    put_key(&l, "dealer");
    put_number(&l, m->dealer);
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
    if (m->round.players != 0)
        put_round(&l, &m->round);
    return l.n;
}
