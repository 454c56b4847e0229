/* Reader of the one-line notation. It checks every byte, then the rules: a rule set must pass
 * rules_check(), a round is replayed move by move, totals must fit together. The first fault gives
 * its offset and *ret is not written. Grammar: README.md of the rules. */
#include "notation.h"
#include "notation_reader.h"
#include "rules_field.h"

#include <string.h>

/* ---- Rule sets ------------------------------------------------------------------------------- */

static bool read_token(struct notation_reader *in, int size, char *ret)
{
    int start = in->at;
    while (in->at < in->n && in->s[in->at] != ';')
        in->at++;
    if (in->at - start >= size)
        return notation_reader_fault(in, start);
    memcpy(ret, in->s + start, (size_t)(in->at - start));
    return true;
}

static bool read_stored(struct notation_reader *in, const struct rules_stored *s, struct rules *r)
{
    unsigned char *at = (unsigned char *)r + s->at;
    long values[N_CARDS] = {0};
    if (s->type == RULES_CHARS)
        return notation_reader_key(in, s->key) && read_token(in, s->count, (char *)at);
    long most = s->type == RULES_BOOL ? 1 : s->type == RULES_U8 ? UINT8_MAX : INT16_MAX;
    if (!notation_reader_list(in, s->key, s->count, 0, most, values))
        return false;
    for (int i = 0; i < s->count; i++) {
        int16_t wide = (int16_t)values[i];
        if (s->type == RULES_I16)
            memcpy(at + (size_t)i * sizeof wide, &wide, sizeof wide);
        else
            at[i] = (unsigned char)values[i];
    }
    return true;
}

/* A later field may be missing: older lines lack it, and lines in which it is 0. */
static bool is_left_out(const struct notation_reader *in, const struct rules_field *f)
{
    struct notation_reader ahead = *in;
    return f->later && !notation_reader_key(&ahead, f->stored[0].key);
}

/* Position of the field that rules_check() names, or of the list that stores its object. */
static int field_start(const char *path, const int *starts)
{
    const struct rules_field *f = rules_field_find(path);
    while (!f->stored[0].key)
        f = rules_field_object(f);
    return starts[f - rules_fields];
}

int notation_read_rules(const char *s, size_t n, struct rules *ret)
{
    struct notation_reader in = notation_reader_of(s, n);
    struct rules r;
    int starts[MAX_RULES_FIELDS] = {0};
    memset(&r, 0, sizeof r);
    if (in.bad >= 0 || !notation_reader_expect(&in, NOTATION_RULES))
        return in.bad;
    for (const struct rules_field *f = rules_fields; f->path; f++)
        for (int i = 0; i < MAX_RULES_STORED && f->stored[i].key && !is_left_out(&in, f); i++) {
            starts[f - rules_fields] = in.at;
            if (!read_stored(&in, &f->stored[i], &r))
                return in.bad;
        }
    if (!notation_reader_end(&in))
        return in.bad;
    const char *bad = rules_check(&r);
    if (bad)
        return field_start(bad, starts);
    *ret = r;
    return -1;
}

/* ---- Moves ----------------------------------------------------------------------------------- */

/* `=card+card+card`, or nothing. In canonical order, at most three. */
static bool read_take(struct notation_reader *in, cardset *ret)
{
    const char *mark = "=";
    int last = -1, n = 0;
    for (*ret = 0; notation_reader_accept(in, mark); mark = "+") {
        int start = in->at, card;
        if (!notation_reader_card(in, &card))
            return false;
        if (card <= last || ++n > 3)
            return notation_reader_fault(in, start);
        *ret |= CARD(card);
        last = card;
    }
    return true;
}

static bool read_move(struct notation_reader *in, struct move *ret)
{
    static const struct {
        const char *word;
        uint8_t kind;
    } words[] = {{"koikoi", MOVE_KOIKOI},
                 {"stop", MOVE_STOP},
                 {"declare", MOVE_DECLARE},
                 {"redeal", MOVE_REDEAL},
                 {"resign", MOVE_RESIGN}};
    int start, card = CARD_NONE;
    memset(ret, 0, sizeof *ret);
    ret->card = CARD_NONE;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (notation_reader_accept(in, words[i].word)) {
            ret->kind = words[i].kind;
            return true;
        }
    ret->kind = notation_reader_accept(in, "/") ? MOVE_CHOOSE : MOVE_PLAY;
    start = in->at;
    if ((ret->kind == MOVE_PLAY || in->at == in->n || in->s[in->at] != '=') &&
        !notation_reader_card(in, &card))
        return false;
    ret->card = (uint8_t)card;
    return read_take(in, &ret->take) &&
           (card == CARD_NONE || (ret->take & CARD(card)) == 0 || notation_reader_fault(in, start));
}

int notation_read_move(const char *s, size_t n, struct move *ret)
{
    struct notation_reader in = notation_reader_of(s, n);
    struct move m;
    if (in.bad >= 0 || !read_move(&in, &m) || !notation_reader_end(&in))
        return in.bad;
    *ret = m;
    return -1;
}

/* ---- Matches --------------------------------------------------------------------------------- */

static bool read_deck_codes(struct notation_reader *in, uint8_t *ret)
{
    cardset seen = 0;
    for (int i = 0; i < N_CARDS; i++) {
        int start = in->at, card;
        if (!notation_reader_card(in, &card))
            return false;
        if ((seen & CARD(card)) != 0)
            return notation_reader_fault(in, start);
        seen |= CARD(card);
        ret[i] = (uint8_t)card;
    }
    return true;
}

/* Plays one move of the history on r. A draw that resolved by itself must equal the written one.
 * *done counts the entries of r->seen that the line has shown. */
static bool replay(struct notation_reader *in, const struct ruleset *g, struct round *r, int *done)
{
    int start = in->at;
    long seat = r->turn;
    struct move m;
    if (!read_move(in, &m))
        return false;
    if (m.kind == MOVE_REDEAL &&
        (!notation_reader_expect(in, "@") || !notation_reader_number(in, 0, r->players - 1, &seat)))
        return false;
    if (m.kind == MOVE_CHOOSE && *done < r->n_seen) {
        struct seen s = r->seen[(*done)++];
        return (s.seat_kind & 15) == SEEN_DRAW && s.card == m.card && seen_take(s) == m.take
                   ? true
                   : notation_reader_fault(in, start);
    }
    if (*done < r->n_seen || (m.kind == MOVE_CHOOSE && m.card == CARD_NONE) ||
        round_apply(g, r, (int)seat, m, NULL) != LEGAL)
        return notation_reader_fault(in, start);
    *done += m.kind == MOVE_PLAY || m.kind == MOVE_CHOOSE || m.kind == MOVE_KOIKOI;
    return true;
}

static bool read_round(struct notation_reader *in, const struct ruleset *g, int players,
                       struct round *ret)
{
    uint8_t deck[N_CARDS];
    long dealer;
    int done = 0;
    if (!notation_reader_list(in, "deal", 1, 0, players - 1, &dealer) ||
        !notation_reader_expect(in, ",") || !read_deck_codes(in, deck) ||
        !notation_reader_key(in, "moves"))
        return false;
    round_deal(g, players, (int)dealer, deck, ret, NULL);
    while (in->at < in->n) {
        if (done > 0 && !notation_reader_expect(in, ","))
            return false;
        if (!replay(in, g, ret, &done))
            return false;
    }
    return done == ret->n_seen || notation_reader_fault(in, in->at);
}

/* The numbers that came after the first rule sets: there where one of them says something. */
static bool read_later(struct notation_reader *in, struct round_result *r)
{
    int start = in->at;
    long x = r->why != WHY_NONE, added = 0;
    if (notation_reader_accept(in, ",")) {
        if (!notation_reader_number(in, 1, POINTS_MAX * 4L, &x) ||
            !notation_reader_expect(in, ",") || !notation_reader_number(in, 0, UINT16_MAX, &added))
            return false;
        if (x == 1 && added == 0)
            return notation_reader_fault(in, start);
    }
    r->x[X_CALL_BONUS] = (uint32_t)x;
    r->added = (uint16_t)added;
    return true;
}

static bool read_result(struct notation_reader *in, int players, struct round_result *ret)
{
    enum { HEAD = 6, ALL = HEAD + N_YAKU + X_CALL_BONUS };
    static const long most[HEAD] = {WHY_DEALER_POINT, 0,          N_HAND_YAKU - 1,
                                    POINTS_MAX,       UINT16_MAX, UINT16_MAX};
    long v[ALL];
    if (!notation_reader_key(in, "last"))
        return false;
    for (int i = 0; i < ALL; i++) {
        long top = i == 1              ? players - 1
                   : i < HEAD          ? most[i]
                   : i < HEAD + N_YAKU ? UINT16_MAX
                                       : POINTS_MAX * 4L;
        if ((i > 0 && !notation_reader_expect(in, ",")) ||
            !notation_reader_number(in, i == 1 ? -1 : 0, top, &v[i]))
            return false;
    }
    memset(ret, 0, sizeof *ret);
    ret->why = (uint8_t)v[0];
    ret->winner = (int8_t)v[1];
    ret->hand = (uint8_t)v[2];
    ret->points = (int32_t)v[3];
    ret->score.base = (uint16_t)v[4];
    ret->score.n_yaku = (uint16_t)v[5];
    for (int y = 0; y < N_YAKU; y++)
        ret->score.worth[y] = (uint16_t)v[HEAD + y];
    for (int x = 0; x < X_CALL_BONUS; x++)
        ret->x[x] = (uint32_t)v[HEAD + N_YAKU + x];
    return read_later(in, ret);
}

/* Start of each part of a line, for the offset of a part that does not fit the others. */
struct starts {
    int stage, dealer, end, scores, last, deal;
};

static bool read_head(struct notation_reader *in, const struct rules *r, struct match *m,
                      struct starts *at)
{
    long players, stage, round[2], dealer, why, winner, scores[MAX_PLAYERS], won[MAX_PLAYERS];
    int start = in->at;
    if (!notation_reader_list(in, "players", 1, MIN_PLAYERS, MAX_PLAYERS, &players))
        return false;
    if ((r->players_allowed >> players & 1) == 0)
        return notation_reader_fault(in, start);
    at->stage = in->at;
    if (!notation_reader_list(in, "stage", 1, MATCH_READY, MATCH_OVER, &stage) ||
        !notation_reader_list(in, "round", 2, 1, UINT16_MAX, round))
        return false;
    at->dealer = in->at;
    if (!notation_reader_list(in, "dealer", 1, 0, players - 1, &dealer))
        return false;
    at->end = in->at;
    if (!notation_reader_list(in, "end", 1, MATCH_NONE, MATCH_AGREED, &why) ||
        !notation_reader_expect(in, ",") || !notation_reader_number(in, -1, players - 1, &winner))
        return false;
    at->scores = in->at;
    if (!notation_reader_list(in, "scores", (int)players, 0, INT32_MAX, scores) ||
        !notation_reader_list(in, "won", (int)players, 0, UINT16_MAX, won))
        return false;
    m->stage = (uint8_t)stage;
    m->players = (uint8_t)players;
    m->round_no = (uint16_t)round[0];
    m->attempt = (uint16_t)round[1];
    m->dealer = (uint8_t)dealer;
    m->winner = (int8_t)winner;
    m->why = (uint8_t)why;
    for (int p = 0; p < players; p++) {
        m->scores[p] = (int32_t)scores[p];
        m->rounds_won[p] = (uint16_t)won[p];
    }
    at->last = in->at;
    return read_result(in, (int)players, &m->last);
}

/* Seats that were left, of three at most one; absent where all are there. */
static bool read_gone(struct notation_reader *in, struct match *m)
{
    struct notation_reader ahead = *in;
    long gone;
    int start = in->at;
    if (!notation_reader_key(&ahead, "gone"))
        return true;
    if (!notation_reader_list(in, "gone", 1, 1, 1 << (MAX_PLAYERS - 1), &gone))
        return false;
    if (m->players != MAX_PLAYERS || (gone & (gone - 1)) != 0)
        return notation_reader_fault(in, start);
    m->gone = (uint8_t)gone;
    return true;
}

static bool totals_fit(const struct rules *r, const struct match *m)
{
    long sum = 0, start = rules_start_score(r);
    int won = 0;
    for (int p = 0; p < m->players; p++) {
        sum += m->scores[p];
        won += m->rounds_won[p];
    }
    if (won > m->round_no || m->round_no > LAST_ROUND ||
        (m->round_no > r->rounds && r->tie_break != TIE_EXTRA_ROUND))
        return false;
    return r->scoring == SCORING_COINS ? sum == start * m->players : sum >= start * m->players;
}

static bool end_fits(const struct match *m)
{
    if (m->stage != MATCH_OVER)
        return m->why == MATCH_NONE && m->winner == -1;
    if (m->why == MATCH_NONE)
        return false;
    if (m->why == MATCH_AGREED)
        return m->winner == -1;
    return m->why == MATCH_LEAVE || m->winner == match_leader(m, match_contenders(m));
}

/* A round that runs, is void or was the last must agree with the stage of the match. */
static bool round_fits(const struct match *m)
{
    const struct round *r = &m->round;
    bool broken_off = m->why == MATCH_LEAVE || m->why == MATCH_AGREED;
    if (r->players == 0)
        return (m->stage == MATCH_READY && m->round_no == 1 && m->attempt == 1) ||
               (m->stage == MATCH_OVER && broken_off && m->round_no == 1 && m->attempt == 1);
    if (m->stage == MATCH_PLAYING)
        return r->phase != PHASE_OVER && r->dealer == m->dealer;
    if (r->phase != PHASE_OVER)
        return false;
    if (r->void_why != VOID_NONE)
        return r->dealer == m->dealer && m->attempt > 1 && (m->stage == MATCH_READY || broken_off);
    return (r->result.why == WHY_LEAVE) <= (m->stage == MATCH_OVER && broken_off);
}

/* The stored result must be that of the stored round, except for the cap. */
static bool last_fits(const struct match *m)
{
    const struct round_result *kept = &m->last, *own = &m->round.result;
    if (own->why == WHY_NONE)
        return true;
    return kept->points <= own->points && kept->why == own->why && kept->winner == own->winner &&
           kept->hand == own->hand && kept->added == own->added &&
           memcmp(&kept->score, &own->score, sizeof own->score) == 0 &&
           memcmp(kept->x, own->x, sizeof own->x) == 0;
}

int notation_read_match(const struct ruleset *g, const char *s, size_t n, struct match *ret)
{
    struct notation_reader in = notation_reader_of(s, n);
    struct starts at = {0};
    struct match m = {0};
    if (in.bad >= 0 || !notation_reader_expect(&in, NOTATION_MATCH) ||
        !read_head(&in, &g->rules, &m, &at) || !read_gone(&in, &m))
        return in.bad;
    at.deal = in.at;
    if (in.at < in.n && !read_round(&in, g, m.players, &m.round))
        return in.bad;
    if (!totals_fit(&g->rules, &m))
        return at.scores;
    if (!end_fits(&m))
        return at.end;
    if (!round_fits(&m))
        return at.stage;
    if (!last_fits(&m))
        return at.last;
    *ret = m;
    return -1;
}
