/* Reading the one-line notation. Every byte is checked, and every line is then held against the
 * rules: a rule set must pass rules_check(), a round is played again move by move, totals must
 * fit together. The first thing wrong gives its offset and nothing is written. Grammar:
 * README.md, "Notation". */
#include "note.h"
#include "note_fields.h"
#include "note_reader.h"

#include <string.h>

/* ---- Rule sets ------------------------------------------------------------------------------- */

static bool read_word(struct reader *in, int size, char *ret)
{
    int start = in->at;

    while (in->at < in->n && in->s[in->at] != ';')
        in->at++;
    if (in->at - start >= size)
        return reader_fault(in, start);
    memcpy(ret, in->s + start, (size_t)(in->at - start));
    return true;
}

static bool read_field(struct reader *in, const struct field *f, struct rules *r)
{
    unsigned char *at = (unsigned char *)r + f->at;
    long values[N_CARDS] = {0};

    if (f->kind == FIELD_WORD)
        return reader_key(in, f->key) && read_word(in, f->count, (char *)at);
    long most = f->kind == FIELD_BOOL ? 1 : f->kind == FIELD_U8 ? UINT8_MAX : INT16_MAX;
    if (!reader_list(in, f->key, f->count, 0, most, values))
        return false;
    for (int i = 0; i < f->count; i++) {
        int16_t wide = (int16_t)values[i];
        if (f->kind == FIELD_I16)
            memcpy(at + (size_t)i * sizeof wide, &wide, sizeof wide);
        else
            at[i] = (unsigned char)values[i];
    }
    return true;
}

/* The place of the field that rules_check() names: the longest key that its name begins with. */
static int place_of(const char *name, const int *starts)
{
    size_t longest = 0;
    int place = 0;

    for (int f = 0; f < N_FIELDS; f++) {
        size_t n = strlen(note_fields[f].key);
        if (n > longest && strlen(name) >= n && memcmp(name, note_fields[f].key, n) == 0) {
            longest = n;
            place = starts[f];
        }
    }
    return place;
}

int note_read_rules(const char *s, size_t n, struct rules *ret)
{
    struct reader in = reader_of(s, n);
    struct rules r;
    int starts[N_FIELDS];

    memset(&r, 0, sizeof r);
    if (in.bad >= 0 || !reader_expect(&in, NOTE_RULES))
        return in.bad;
    for (int f = 0; f < N_FIELDS; f++) {
        starts[f] = in.at;
        if (!read_field(&in, &note_fields[f], &r))
            return in.bad;
    }
    if (!reader_end(&in))
        return in.bad;
    const char *name = rules_check(&r);
    if (name != NULL)
        return place_of(name, starts);
    *ret = r;
    return -1;
}

/* ---- Moves ----------------------------------------------------------------------------------- */

/* `=card+card+card`, or nothing. In canonical order, three at most. */
static bool read_take(struct reader *in, cardset *ret)
{
    const char *mark = "=";
    int last = -1, n = 0;

    for (*ret = 0; reader_accept(in, mark); mark = "+") {
        int start = in->at, card;
        if (!reader_card(in, &card))
            return false;
        if (card <= last || ++n > 3)
            return reader_fault(in, start);
        *ret |= CARD(card);
        last = card;
    }
    return true;
}

static bool read_move(struct reader *in, struct move *ret)
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
        if (reader_accept(in, words[i].word)) {
            ret->kind = words[i].kind;
            return true;
        }
    ret->kind = reader_accept(in, "/") ? MOVE_CHOOSE : MOVE_PLAY;
    start = in->at;
    if ((ret->kind == MOVE_PLAY || in->at == in->n || in->s[in->at] != '=') &&
        !reader_card(in, &card))
        return false;
    ret->card = (uint8_t)card;
    return read_take(in, &ret->take) &&
           (card == CARD_NONE || (ret->take & CARD(card)) == 0 || reader_fault(in, start));
}

int note_read_move(const char *s, size_t n, struct move *ret)
{
    struct reader in = reader_of(s, n);
    struct move m;

    if (in.bad >= 0 || !read_move(&in, &m) || !reader_end(&in))
        return in.bad;
    *ret = m;
    return -1;
}

/* ---- Matches --------------------------------------------------------------------------------- */

static bool read_deck(struct reader *in, uint8_t *ret)
{
    cardset seen = 0;

    for (int i = 0; i < N_CARDS; i++) {
        int start = in->at, card;
        if (!reader_card(in, &card))
            return false;
        if ((seen & CARD(card)) != 0)
            return reader_fault(in, start);
        seen |= CARD(card);
        ret[i] = (uint8_t)card;
    }
    return true;
}

/* One move of the history, played on r. A draw that resolved by itself must be the one that is
 * written. *done counts the entries of r->seen that the line has shown. */
static bool replay(struct reader *in, const struct ruleset *g, struct round *r, int *done)
{
    int start = in->at;
    long seat = r->turn;
    struct move m;

    if (!read_move(in, &m))
        return false;
    if (m.kind == MOVE_REDEAL &&
        (!reader_expect(in, "@") || !reader_number(in, 0, r->players - 1, &seat)))
        return false;
    if (m.kind == MOVE_CHOOSE && *done < r->n_seen) {
        struct seen s = r->seen[(*done)++];
        return (s.seat_kind & 15) == SEEN_DRAW && s.card == m.card && seen_take(s) == m.take
                   ? true
                   : reader_fault(in, start);
    }
    if (*done < r->n_seen || (m.kind == MOVE_CHOOSE && m.card == CARD_NONE) ||
        round_apply(g, r, (int)seat, m, NULL) != LEGAL)
        return reader_fault(in, start);
    *done += m.kind == MOVE_PLAY || m.kind == MOVE_CHOOSE || m.kind == MOVE_KOIKOI;
    return true;
}

static bool read_round(struct reader *in, const struct ruleset *g, int players, struct round *ret)
{
    uint8_t deck[N_CARDS];
    long dealer;
    int done = 0;

    if (!reader_list(in, "deal", 1, 0, players - 1, &dealer) || !reader_expect(in, ",") ||
        !read_deck(in, deck) || !reader_key(in, "moves"))
        return false;
    round_deal(g, players, (int)dealer, deck, ret, NULL);
    while (in->at < in->n) {
        if (done > 0 && !reader_expect(in, ","))
            return false;
        if (!replay(in, g, ret, &done))
            return false;
    }
    return done == ret->n_seen || reader_fault(in, in->at);
}

static bool read_result(struct reader *in, int players, struct round_result *ret)
{
    enum { HEAD = 6, ALL = HEAD + N_YAKU + N_MULTIPLIERS };
    static const long most[HEAD] = {WHY_LEAVE,  0,          N_HAND_YAKU - 1,
                                    POINTS_MAX, UINT16_MAX, UINT16_MAX};
    long v[ALL];

    if (!reader_key(in, "last"))
        return false;
    for (int i = 0; i < ALL; i++) {
        long top = i == 1              ? players - 1
                   : i < HEAD          ? most[i]
                   : i < HEAD + N_YAKU ? UINT16_MAX
                                       : POINTS_MAX * 4L;
        if ((i > 0 && !reader_expect(in, ",")) || !reader_number(in, i == 1 ? -1 : 0, top, &v[i]))
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
    for (int x = 0; x < N_MULTIPLIERS; x++)
        ret->x[x] = (uint32_t)v[HEAD + N_YAKU + x];
    return true;
}

/* Where the parts of a line begin, to say which of them does not fit the others. */
struct starts {
    int stage, dealer, end, scores, last, deal;
};

static bool read_head(struct reader *in, const struct rules *r, struct match *m, struct starts *at)
{
    long players, stage, round[2], dealer, why, winner, scores[MAX_PLAYERS], won[MAX_PLAYERS];
    int start = in->at;

    if (!reader_list(in, "players", 1, MIN_PLAYERS, MAX_PLAYERS, &players))
        return false;
    if ((r->players_allowed >> players & 1) == 0)
        return reader_fault(in, start);
    at->stage = in->at;
    if (!reader_list(in, "stage", 1, MATCH_READY, MATCH_OVER, &stage) ||
        !reader_list(in, "round", 2, 1, UINT16_MAX, round))
        return false;
    at->dealer = in->at;
    if (!reader_list(in, "dealer", 1, 0, players - 1, &dealer))
        return false;
    at->end = in->at;
    if (!reader_list(in, "end", 1, MATCH_NONE, MATCH_LEAVE, &why) || !reader_expect(in, ",") ||
        !reader_number(in, -1, players - 1, &winner))
        return false;
    at->scores = in->at;
    if (!reader_list(in, "scores", (int)players, 0, INT32_MAX, scores) ||
        !reader_list(in, "won", (int)players, 0, UINT16_MAX, won))
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
    return m->why == MATCH_LEAVE || m->winner == match_leader(m, (1u << m->players) - 1);
}

/* A round that runs, is void or was the last must be where the stage says the match is. */
static bool round_fits(const struct match *m)
{
    const struct round *r = &m->round;

    if (r->players == 0)
        return (m->stage == MATCH_READY && m->round_no == 1 && m->attempt == 1) ||
               (m->stage == MATCH_OVER && m->why == MATCH_LEAVE && m->round_no == 1 &&
                m->attempt == 1);
    if (m->stage == MATCH_PLAYING)
        return r->phase != PHASE_OVER && r->dealer == m->dealer;
    if (r->phase != PHASE_OVER)
        return false;
    if (r->void_why != VOID_NONE)
        return r->dealer == m->dealer && m->attempt > 1 &&
               (m->stage == MATCH_READY || m->why == MATCH_LEAVE);
    return (r->result.why == WHY_LEAVE) <= (m->stage == MATCH_OVER && m->why == MATCH_LEAVE);
}

/* The result kept must be that of the round kept, but for the cap. */
static bool last_fits(const struct match *m)
{
    const struct round_result *kept = &m->last, *own = &m->round.result;

    if (own->why == WHY_NONE)
        return true;
    return kept->points <= own->points && kept->why == own->why && kept->winner == own->winner &&
           kept->hand == own->hand && memcmp(&kept->score, &own->score, sizeof own->score) == 0 &&
           memcmp(kept->x, own->x, sizeof own->x) == 0;
}

int note_read_match(const struct ruleset *g, const char *s, size_t n, struct match *ret)
{
    struct reader in = reader_of(s, n);
    struct starts at = {0};
    struct match m = {0};

    if (in.bad >= 0 || !reader_expect(&in, NOTE_MATCH) || !read_head(&in, &g->rules, &m, &at))
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
