/* One-line notation, both ways; see notation.h. A running round is written as its deck and its
 * moves; the reader replays them under the rules, so nothing is lost or trusted. Fields of a rule
 * set are those of rules_field.c, numbers of a match the rows of match_numbers. Grammar: README.md.
 *
 * The reader checks every byte, then the rules: a rule set must pass rules_check(), a round is
 * replayed move by move, totals must fit together. The first fault gives its offset.
 */
#include "notation.h"
#include "capture.h"
#include "rules_field.h"

#include <assert.h>
#include <string.h>

/* ---- Numbers of a match ---------------------------------------------------------------------- */

enum { EACH = 0 /* a number of each player */, SEAT = -1 /* up to the last seat */ };

struct match_number {
    const char *key; /* NULL: the list of the row before goes on */
    uint16_t at;
    uint8_t size, n; /* bytes of a number; how many, or EACH */
    int8_t least;
    int32_t most; /* or SEAT */
};

#define NUMBER(key, member, least, most)                                                           \
    {                                                                                              \
        key, offsetof(struct match, member), sizeof((struct match *)0)->member, 1, least, most     \
    }
#define NUMBERS(key, member, n, most)                                                              \
    {                                                                                              \
        key, offsetof(struct match, member), sizeof((struct match *)0)->member[0], n, 0, most      \
    }
static const struct match_number match_numbers[] = {
    NUMBER("players", players, MIN_PLAYERS, MAX_PLAYERS),
    NUMBER("stage", stage, MATCH_READY, MATCH_OVER),
    NUMBER("round", round_no, 1, UINT16_MAX),
    NUMBER(NULL, attempt, 1, UINT16_MAX),
    NUMBER("dealer", dealer, 0, SEAT),
    NUMBER("end", why, MATCH_NONE, MATCH_AGREED),
    NUMBER(NULL, winner, -1, SEAT),
    NUMBERS("scores", scores, EACH, INT32_MAX),
    NUMBERS("won", rounds_won, EACH, UINT16_MAX),
    NUMBER("last", last.why, 0, WHY_BEST_YAKU),
    NUMBER(NULL, last.winner, -1, SEAT),
    NUMBER(NULL, last.hand, 0, N_HAND_YAKU - 1),
    NUMBER(NULL, last.points, 0, POINTS_MAX),
    NUMBER(NULL, last.score.base, 0, UINT16_MAX),
    NUMBER(NULL, last.score.n_yaku, 0, UINT16_MAX),
    NUMBERS(NULL, last.score.worth, N_YAKU, UINT16_MAX),
    NUMBERS(NULL, last.x, X_CALL_BONUS, POINTS_MAX * 4),
};
enum { N_MATCH_NUMBERS = sizeof match_numbers / sizeof *match_numbers };

static long match_number(const struct match *m, const struct match_number *row, int i)
{
    const unsigned char *at = (const unsigned char *)m + row->at + (size_t)i * row->size;
    uint16_t two;
    int32_t four;
    if (row->size == 1)
        return row->least < 0 ? (signed char)*at : *at;
    if (row->size == 2) {
        memcpy(&two, at, sizeof two);
        return two;
    }
    memcpy(&four, at, sizeof four);
    return four;
}

static void set_match_number(struct match *m, const struct match_number *row, int i, long value)
{
    unsigned char *at = (unsigned char *)m + row->at + (size_t)i * row->size;
    const uint16_t two = (uint16_t)value;
    const int32_t four = (int32_t)value;
    if (row->size == 1)
        *at = (unsigned char)value;
    else if (row->size == 2)
        memcpy(at, &two, sizeof two);
    else
        memcpy(at, &four, sizeof four);
}

/* ---- Writing --------------------------------------------------------------------------------- */

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

static void put_key(struct notation_line *l, const char *key)
{
    put_string(l, ";");
    put_string(l, key);
    put_string(l, "=");
}

static void put_next(struct notation_line *l, bool first, long n)
{
    if (!first)
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
    else
        for (int i = 0; i < s->count; i++) {
            if (s->type == RULES_I16)
                memcpy(&wide, at + (size_t)i * sizeof wide, sizeof wide);
            put_next(l, i == 0, s->type == RULES_I16 ? wide : at[i]);
        }
}

int notation_rules(const struct rules *r, char ret[static NOTATION_MAX])
{
    struct notation_line l = {ret, 0};
    put_string(&l, NOTATION_RULES);
    for (const struct rules_field *f = rules_fields; f->path; f++)
        if (!f->later || !rules_field_is_usual(r, f))
            for (int i = 0; i < MAX_RULES_STORED && f->stored[i].key; i++)
                put_stored(&l, r, &f->stored[i]);
    return l.n;
}

static void put_card(struct notation_line *l, int card)
{
    char code[CARD_CODE_SIZE];
    card_code(card, code);
    put_string(l, code);
}

/* Moves that are a word. */
static const char *const move_words[] = {[MOVE_KOIKOI] = "koikoi",
                                         [MOVE_STOP] = "stop",
                                         [MOVE_DECLARE] = "declare",
                                         [MOVE_REDEAL] = "redeal",
                                         [MOVE_RESIGN] = "resign"};

static void put_move(struct notation_line *l, struct move m)
{
    if (m.kind != MOVE_PLAY && m.kind != MOVE_CHOOSE) {
        put_string(l, move_words[m.kind]);
        return;
    }
    if (m.kind == MOVE_CHOOSE)
        put_string(l, "/");
    if (m.card != CARD_NONE)
        put_card(l, m.card);
    for (const char *mark = "="; m.take != 0; m.take = set_rest(m.take), mark = "+") {
        put_string(l, mark);
        put_card(l, set_first(m.take));
    }
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

/* The move that ended the round, if the log of moves seen does not show it. */
static void put_end(struct notation_line *l, const struct round *r)
{
    bool called = r->void_why == VOID_HAND_FOUR && r->may_redeal[r->void_by];
    int why = r->result.why;
    enum move_kind kind = called             ? MOVE_REDEAL
                          : why == WHY_STOP  ? MOVE_STOP
                          : why == WHY_LEAVE ? MOVE_RESIGN
                                             : MOVE_DECLARE;
    if (kind == MOVE_DECLARE && !(why == WHY_HAND_YAKU && r->declared))
        return;
    put_string(l, r->n_seen > 0 ? "," : "");
    put_string(l, move_words[kind]);
    if (called) {
        put_string(l, "@");
        put_long(l, r->void_by);
    }
}

int notation_match(const struct match *m, char ret[static NOTATION_MAX])
{
    struct notation_line l = {ret, 0};
    put_string(&l, NOTATION_MATCH);
    for (const struct match_number *row = match_numbers; row < match_numbers + N_MATCH_NUMBERS;
         row++) {
        if (row->key)
            put_key(&l, row->key);
        for (int i = 0; i < (row->n == EACH ? m->players : row->n); i++)
            put_next(&l, row->key && i == 0, match_number(m, row, i));
    }
    /* Numbers that came after the first rule sets stand only where the result has them. */
    if (m->last.added > 0 || m->last.x[X_CALL_BONUS] > 1) {
        put_next(&l, false, m->last.x[X_CALL_BONUS]);
        put_next(&l, false, m->last.added);
    }
    if (m->gone != 0) {
        put_key(&l, "gone");
        put_long(&l, m->gone);
    }
    if (m->round.players == 0)
        return l.n;
    put_key(&l, "deal");
    put_long(&l, m->round.dealer);
    put_string(&l, ",");
    for (int i = 0; i < N_CARDS; i++)
        put_card(&l, m->round.deck[i]);
    put_key(&l, "moves");
    for (int i = 0; i < m->round.n_seen; i++) {
        put_string(&l, i > 0 ? "," : "");
        put_move(&l, round_seen_move(m->round.seen[i]));
    }
    put_end(&l, &m->round);
    return l.n;
}

/* ---- Scanning -------------------------------------------------------------------------------- */

/* A line that is read. The first fault sticks: after it nothing more is consumed, and what is read
 * is worthless. */
struct scan {
    const char *s;
    int n, at; /* bytes; offset of the next one */
    int bad;   /* offset of the first fault, or -1 */
};

/* A line as long as NOTATION_MAX is a fault from the start. */
static struct scan scan_of(const char *s, size_t n)
{
    return (struct scan){.s = s,
                         .n = n < NOTATION_MAX ? (int)n : NOTATION_MAX,
                         .bad = n < NOTATION_MAX ? -1 : NOTATION_MAX};
}

static void scan_fault(struct scan *in, int at)
{
    if (in->bad < 0)
        in->bad = at;
}

/* Consumes `text` if it comes next; its absence is not a fault. */
static bool scan_accept(struct scan *in, const char *text)
{
    int n = (int)strlen(text);
    if (in->bad >= 0 || in->n - in->at < n || memcmp(in->s + in->at, text, (size_t)n) != 0)
        return false;
    in->at += n;
    return true;
}

static void scan_expect(struct scan *in, const char *text)
{
    if (!scan_accept(in, text))
        scan_fault(in, in->at);
}

/* A decimal number without leading zeros. */
static long scan_number(struct scan *in, long least, long most)
{
    int start = in->at;
    bool minus = scan_accept(in, "-");
    int digits = in->at;
    long n = 0;
    while (in->at < in->n && in->s[in->at] >= '0' && in->s[in->at] <= '9' && in->at - digits < 10)
        n = n * 10 + (in->s[in->at++] - '0');
    bool padded = in->at - digits > 1 && in->s[digits] == '0';
    if (in->at == digits || padded || (minus && n == 0))
        scan_fault(in, start);
    n = minus ? -n : n;
    if (n < least || n > most)
        scan_fault(in, start);
    return n;
}

/* `;key=` */
static void scan_key(struct scan *in, const char *key)
{
    scan_expect(in, ";");
    scan_expect(in, key);
    scan_expect(in, "=");
}

static bool scan_has_key(const struct scan *in, const char *key)
{
    struct scan ahead = *in;
    scan_key(&ahead, key);
    return ahead.bad < 0;
}

static int scan_card(struct scan *in)
{
    for (int n = CARD_CODE_SIZE - 1; n >= 2 && in->bad < 0; n--) {
        int card = n > in->n - in->at ? CARD_NONE : card_read(in->s + in->at, (size_t)n);
        if (card != CARD_NONE) {
            in->at += n;
            return card;
        }
    }
    scan_fault(in, in->at);
    return CARD_NONE;
}

static void scan_end(struct scan *in)
{
    if (in->at != in->n)
        scan_fault(in, in->at);
}

/* ---- Reading --------------------------------------------------------------------------------- */

static void read_stored(struct scan *in, const struct rules_stored *s, struct rules *r)
{
    unsigned char *at = (unsigned char *)r + s->at;
    scan_key(in, s->key);
    if (s->type == RULES_CHARS) {
        int start = in->at;
        while (in->at < in->n && in->s[in->at] != ';')
            in->at++;
        if (in->at - start >= s->count)
            scan_fault(in, start);
        else
            memcpy(at, in->s + start, (size_t)(in->at - start));
        return;
    }
    long most = s->type == RULES_BOOL ? 1 : s->type == RULES_U8 ? UINT8_MAX : INT16_MAX;
    for (int i = 0; i < s->count; i++) {
        if (i > 0)
            scan_expect(in, ",");
        long value = scan_number(in, 0, most);
        int16_t wide = (int16_t)value;
        if (s->type == RULES_I16)
            memcpy(at + (size_t)i * sizeof wide, &wide, sizeof wide);
        else
            at[i] = (unsigned char)value;
    }
}

int notation_read_rules(const char *s, size_t n, struct rules *ret)
{
    struct scan in = scan_of(s, n);
    int starts[MAX_RULES_FIELDS] = {0};
    struct rules r;
    memset(&r, 0, sizeof r);
    scan_expect(&in, NOTATION_RULES);
    for (const struct rules_field *f = rules_fields; f->path; f++) {
        if (f->later && !scan_has_key(&in, f->stored[0].key))
            continue; /* older lines lack it, and lines in which it is 0 */
        for (int i = 0; i < MAX_RULES_STORED && f->stored[i].key; i++) {
            starts[f - rules_fields] = in.at;
            read_stored(&in, &f->stored[i], &r);
        }
    }
    scan_end(&in);
    if (in.bad >= 0)
        return in.bad;
    const char *bad = rules_check(&r);
    if (bad) { /* the place of the field, or of the list that stores its object */
        const struct rules_field *f = rules_field_find(bad);
        while (!f->stored[0].key)
            f = rules_field_object(f);
        return starts[f - rules_fields];
    }
    *ret = r;
    return -1;
}

/* `=card+card+card`, or nothing. In canonical order, at most three. */
static cardset read_take(struct scan *in)
{
    const char *mark = "=";
    cardset take = 0;
    int last = -1;
    for (int n = 1; scan_accept(in, mark); mark = "+", n++) {
        int start = in->at, card = scan_card(in);
        if (card <= last || n > 3)
            scan_fault(in, start);
        if (card != CARD_NONE)
            take |= CARD(card);
        last = card;
    }
    return take;
}

static struct move read_move(struct scan *in)
{
    struct move m = {.card = CARD_NONE};
    for (int kind = MOVE_KOIKOI; kind <= MOVE_RESIGN; kind++)
        if (scan_accept(in, move_words[kind])) {
            m.kind = (uint8_t)kind;
            return m;
        }
    m.kind = scan_accept(in, "/") ? MOVE_CHOOSE : MOVE_PLAY;
    int start = in->at;
    if (m.kind == MOVE_PLAY || in->at == in->n || in->s[in->at] != '=')
        m.card = (uint8_t)scan_card(in);
    m.take = read_take(in);
    if (m.card != CARD_NONE && (m.take & CARD(m.card)) != 0)
        scan_fault(in, start);
    return m;
}

int notation_read_move(const char *s, size_t n, struct move *ret)
{
    struct scan in = scan_of(s, n);
    struct move m = read_move(&in);
    scan_end(&in);
    if (in.bad < 0)
        *ret = m;
    return in.bad;
}

/* Plays one move of the history on r. A draw that resolved by itself must equal the written one.
 * *done counts the entries of r->seen that the line has shown. */
static void replay(struct scan *in, const struct ruleset *g, struct round *r, int *done)
{
    int start = in->at;
    long seat = r->turn;
    struct move m = read_move(in);
    if (m.kind == MOVE_REDEAL) {
        scan_expect(in, "@");
        seat = scan_number(in, 0, r->players - 1);
    }
    if (in->bad >= 0)
        return;
    if (m.kind == MOVE_CHOOSE && *done < r->n_seen) {
        struct seen s = r->seen[(*done)++];
        if ((s.seat_kind & 15) != SEEN_DRAW || s.card != m.card || seen_take(s) != m.take)
            scan_fault(in, start);
        return;
    }
    if (*done < r->n_seen || (m.kind == MOVE_CHOOSE && m.card == CARD_NONE) ||
        round_apply(g, r, (int)seat, m, NULL) != LEGAL)
        scan_fault(in, start);
    *done += m.kind == MOVE_PLAY || m.kind == MOVE_CHOOSE || m.kind == MOVE_KOIKOI;
}

static void read_round(struct scan *in, const struct ruleset *g, int players, int round_no,
                       struct round *ret)
{
    struct ruleset room;
    uint8_t deck[N_CARDS];
    cardset seen = 0;
    int done = 0;
    scan_key(in, "deal");
    long dealer = scan_number(in, 0, players - 1);
    scan_expect(in, ",");
    for (int i = 0; i < N_CARDS && in->bad < 0; i++) {
        int start = in->at, card = scan_card(in);
        if (card != CARD_NONE && (seen & CARD(card)) != 0)
            scan_fault(in, start);
        seen |= card != CARD_NONE ? CARD(card) : 0;
        deck[i] = (uint8_t)card;
    }
    scan_key(in, "moves");
    if (in->bad >= 0)
        return;
    g = ruleset_in_round(g, round_no, &room);
    round_deal(g, players, (int)dealer, deck, ret, NULL);
    while (in->bad < 0 && in->at < in->n) {
        if (done > 0)
            scan_expect(in, ",");
        replay(in, g, ret, &done);
    }
    if (done != ret->n_seen)
        scan_fault(in, in->at);
}

/* All but the running round. starts: where each row of match_numbers begins. */
static void read_numbers(struct scan *in, const struct rules *r, struct match *m,
                         int starts[static N_MATCH_NUMBERS])
{
    for (int k = 0; k < N_MATCH_NUMBERS && in->bad < 0; k++) {
        const struct match_number *row = &match_numbers[k];
        starts[k] = in->at;
        if (row->key)
            scan_key(in, row->key);
        for (int i = 0; i < (row->n == EACH ? m->players : row->n); i++) {
            if (!row->key || i > 0)
                scan_expect(in, ",");
            long most = row->most == SEAT ? m->players - 1 : row->most;
            set_match_number(m, row, i, scan_number(in, row->least, most));
        }
        if (k == 0 && in->bad < 0 && (r->players_allowed >> m->players & 1) == 0)
            scan_fault(in, starts[k]);
    }
    int start = in->at;
    m->last.x[X_CALL_BONUS] = m->last.why != WHY_NONE;
    if (scan_accept(in, ",")) {
        m->last.x[X_CALL_BONUS] = (uint32_t)scan_number(in, 1, POINTS_MAX * 4L);
        scan_expect(in, ",");
        m->last.added = (uint16_t)scan_number(in, 0, UINT16_MAX);
        if (m->last.x[X_CALL_BONUS] == 1 && m->last.added == 0)
            scan_fault(in, start);
    }
    /* Of three seats one at most was left. */
    start = in->at;
    if (scan_has_key(in, "gone")) {
        scan_key(in, "gone");
        m->gone = (uint8_t)scan_number(in, 1, 1 << (MAX_PLAYERS - 1));
        if (m->players != MAX_PLAYERS || (m->gone & (m->gone - 1)) != 0)
            scan_fault(in, start);
    }
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

static int start_of(const char *key, const int *starts)
{
    int k = 0;
    while (!match_numbers[k].key || strcmp(match_numbers[k].key, key) != 0)
        k++;
    return starts[k];
}

int notation_read_match(const struct ruleset *g, const char *s, size_t n, struct match *ret)
{
    struct scan in = scan_of(s, n);
    int starts[N_MATCH_NUMBERS] = {0};
    struct match m = {0};
    scan_expect(&in, NOTATION_MATCH);
    read_numbers(&in, &g->rules, &m, starts);
    if (in.bad < 0 && in.at < in.n)
        read_round(&in, g, m.players, match_dealt_round(&m), &m.round);
    if (in.bad >= 0)
        return in.bad;
    if (!totals_fit(&g->rules, &m))
        return start_of("scores", starts);
    if (!end_fits(&m))
        return start_of("end", starts);
    if (!round_fits(&m))
        return start_of("stage", starts);
    if (!last_fits(&m))
        return start_of("last", starts);
    *ret = m;
    return -1;
}
