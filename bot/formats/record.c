/* See record.h. */
#include "record.h"

#include "json_cards.h"
#include "ruleset_file.h"

const char *const record_round_whys[] = {"",          "stop",    "hand_yaku", "hand_yaku_tie",
                                         "exhausted", "oya_kan", "leave",     "dealer_point",
                                         "best_yaku", NULL};
static const char *const match_whys[] = {"", "rounds", "bankrupt", "leave", "draw"};
static const char *const void_whys[] = {"", "table_four", "hand_four"};
static const char *const leave_whys[] = {"resign", "timeout"};

static void put_texts(struct buf *b, const char *name, const struct str *at, int n)
{
    json_put_open(b, name, '[');
    for (int i = 0; i < n; i++)
        json_put_str(b, NULL, at[i]);
    buf_char(b, ']');
}

static void put_commit(struct buf *b, const struct seed *seed)
{
    char hex[SEED_HEX_SIZE];
    chance_commit(seed, hex);
    json_put_str(b, "commit", str_of(hex));
}

static void put_seed(struct buf *b, const struct seed *seed)
{
    char hex[SEED_HEX_SIZE];
    chance_hex(seed, hex);
    json_put_str(b, "server_seed", str_of(hex));
}

static void put_seat(struct buf *b, const char *name, int seat)
{
    if (seat < 0)
        json_put_null(b, name);
    else
        json_put_int(b, name, seat);
}

/* A line, up to its own fields. */
static void begin(struct buf *b, const char *t)
{
    json_put_open(b, NULL, '{');
    json_put_str(b, "t", str_of(t));
}

static void end(struct buf *b)
{
    buf_put(b, STR("}\n"));
}

/* The draw of the seats: the deck of round 0, and the players in the order in which they drew. */
static void put_draw(struct buf *b, const struct record_head *h)
{
    struct str joined[MAX_PLAYERS];
    for (int s = 0; s < h->players; s++)
        joined[h->seats.joined[s]] = h->names[s];
    json_put_open(b, "lots_draw", '{');
    put_commit(b, &h->seed);
    put_texts(b, "client_seeds", h->clients, h->players);
    put_texts(b, "joined", joined, h->players);
    put_seed(b, &h->seed);
    buf_char(b, '}');
}

void record_match(struct buf *b, const struct record_head *h)
{
    begin(b, "match");
    json_put_int(b, "v", 1);
    json_put_str(b, "id", h->id);
    json_put_name(b, "rules");
    ruleset_file_write(b, h->rules);
    put_texts(b, "players", h->names, h->players);
    if (h->seats.has_lots)
        json_put_cards(b, "lots", h->seats.lots, h->players);
    else
        json_put_null(b, "lots");
    json_put_int(b, "dealer", h->seats.dealer);
    if (h->rules->first_dealer != FIRST_CHALLENGER)
        put_draw(b, h);
    if (h->from) {
        json_put_open(b, "from", '{');
        json_put_int(b, "match", h->from);
        json_put_int(b, "lines", h->from_lines);
        buf_char(b, '}');
    }
    end(b);
}

void record_deal(struct buf *b, const struct rules *r, const struct record_deal *d)
{
    uint8_t hands[MAX_PLAYERS][N_CARDS], table[N_CARDS];
    int hand = r->hand[d->players], field = r->table[d->players], dealt = d->players * hand + field;
    deal_order(r, d->players, d->dealer, d->deck, hands, table);
    begin(b, "deal");
    json_put_int(b, "round", d->round);
    json_put_int(b, "attempt", d->attempt);
    json_put_int(b, "dealer", d->dealer);
    put_commit(b, &d->seed);
    put_texts(b, "client_seeds", d->clients, d->players);
    if (d->beacon.value.n > 0) {
        json_put_open(b, "beacon", '{');
        json_put_str(b, "url", d->beacon.url);
        json_put_int(b, "round", d->beacon.round);
        json_put_str(b, "value", d->beacon.value);
        buf_char(b, '}');
    }
    json_put_open(b, "hands", '[');
    for (int p = 0; p < d->players; p++)
        json_put_cards(b, NULL, hands[p], hand);
    buf_char(b, ']');
    json_put_cards(b, "table", table, field);
    json_put_cards(b, "stock", d->deck + dealt, N_CARDS - dealt);
    if (d->n_anew > 0)
        json_put_open(b, "anew", '[');
    for (int i = 0; i < d->n_anew; i++) {
        char hex[SEED_HEX_SIZE];
        chance_hex(&d->anew[i].seed, hex);
        json_put_open(b, NULL, '{');
        json_put_int(b, "cards", d->anew[i].cards);
        json_put_str(b, "seed", str_of(hex));
        buf_char(b, '}');
    }
    if (d->n_anew > 0)
        buf_char(b, ']');
    end(b);
}

void record_result(struct buf *b, const struct round_result *r, int players, const int32_t *scores)
{
    json_put_str(b, "why", str_of(record_round_whys[r->why]));
    put_seat(b, "winner", r->winner);
    if (r->hand != HAND_NONE) {
        json_put_open(b, "yaku", '{');
        json_put_int(b, hand_yaku_key((enum hand_yaku)r->hand), r->score.base);
        buf_char(b, '}');
    } else {
        json_put_yaku(b, "yaku", &r->score);
    }
    json_put_int(b, "base", r->score.base);
    json_put_open(b, "multipliers", '[');
    for (int x = 0; x < N_MULTIPLIERS; x++) {
        bool factor = r->x[x] > 1, added = x == X_CALL_BONUS && r->added > 0;
        if (!factor && !added)
            continue;
        json_put_open(b, NULL, '{');
        json_put_str(b, "name", str_of(multiplier_key((enum multiplier)x)));
        json_put_int(b, factor ? "x" : "add", factor ? r->x[x] : r->added);
        buf_char(b, '}');
    }
    buf_char(b, ']');
    json_put_int(b, "points", r->points);
    json_put_scores(b, scores, players);
}

static void put_line(struct buf *b, const struct match *m, const struct record_deal *d,
                     const struct log_line *l, enum leave_why why, bool hinted)
{
    static const char *const lines[] = {
        [LOG_VOID] = "void",     [LOG_PLAY] = "play",       [LOG_DRAW] = "draw",
        [LOG_DECIDE] = "decide", [LOG_DECLARE] = "declare", [LOG_LEAVE] = "leave",
        [LOG_END] = "round_end", [LOG_AGREE] = "agree",     [LOG_TAKEBACK] = "takeback"};
    begin(b, lines[l->kind]);
    if (l->kind == LOG_VOID || l->kind == LOG_END)
        json_put_int(b, "round", d->round);
    else
        json_put_int(b, "p", l->seat);
    switch ((enum log_kind)l->kind) {
    case LOG_VOID:
        json_put_int(b, "attempt", d->attempt);
        json_put_str(b, "why", str_of(void_whys[l->what]));
        if (l->what == VOID_HAND_FOUR)
            json_put_int(b, "p", l->seat);
        put_seed(b, &d->seed);
        break;
    case LOG_PLAY:
    case LOG_DRAW:
        json_put_card(b, "card", l->card);
        json_put_cardset(b, "take", l->take);
        break;
    case LOG_DECIDE:
        json_put_str(b, "do", l->what == MOVE_STOP ? STR("stop") : STR("koikoi"));
        json_put_yaku(b, "yaku", &l->score);
        json_put_int(b, "base", l->score.base);
        break;
    case LOG_DECLARE:
        json_put_str(b, "what", str_of(hand_yaku_key((enum hand_yaku)l->what)));
        break;
    case LOG_LEAVE:
        json_put_str(b, "why", str_of(leave_whys[why]));
        if (l->what)
            json_put_bool(b, "goes_on", true);
        break;
    case LOG_AGREE:
        json_put_str(b, "what", STR("draw"));
        break;
    case LOG_TAKEBACK:
        json_put_int(b, "lines", l->what);
        break;
    case LOG_END:
        record_result(b, &m->last, m->players, m->scores);
        put_seed(b, &d->seed);
        break;
    }
    if (hinted && l->kind >= LOG_PLAY && l->kind <= LOG_DECLARE)
        json_put_bool(b, "hint", true);
    end(b);
}

void record_log(struct buf *b, const struct match *m, const struct record_deal *d,
                const struct round_log *log, enum leave_why why, bool hinted)
{
    for (int i = 0; i < log->n; i++)
        put_line(b, m, d, &log->at[i], why, hinted && i == 0);
    if (m->stage == MATCH_OVER) {
        begin(b, "match_end");
        json_put_str(b, "why", str_of(match_whys[m->why]));
        put_seat(b, "winner", m->winner);
        json_put_scores(b, m->scores, m->players);
        end(b);
    }
}

const char *record_illegal_text(enum illegal why)
{
    static const char *const texts[] = {
        [LEGAL] = "legal",
        [ILLEGAL_OVER] = "the round is over",
        [ILLEGAL_NOT_YOUR_TURN] = "it is not this seat's turn",
        [ILLEGAL_PHASE] = "not in this phase of the turn",
        [ILLEGAL_NOT_IN_HAND] = "the card is not in this hand, or was not drawn",
        [ILLEGAL_TAKE] = "the card cannot take that",
        [ILLEGAL_MUST_CHOOSE] = "several answers are possible, take must say which",
        [ILLEGAL_NO_HAND_YAKU] = "there is no hand yaku to declare now",
        [ILLEGAL_NO_REDEAL] = "this seat may not call a redeal",
        [ILLEGAL_NO_CALL] = "koi-koi has been called as often as the rules allow",
    };
    return texts[why];
}
