/* See record.h. */
#include "record.h"

#include "ruleset_file.h"

static const char *const round_whys[] = {"",          "stop",    "hand_yaku", "hand_yaku_tie",
                                         "exhausted", "oya_kan", "leave",     "dealer_point"};
static const char *const match_whys[] = {"", "rounds", "bankrupt", "leave", "draw"};
static const char *const void_whys[] = {"", "table_four", "hand_four"};
static const char *const leave_whys[] = {"resign", "timeout"};

static void put_texts(struct buf *b, const struct str *at, int n)
{
    for (int i = 0; i < n; i++) {
        buf_char(b, i == 0 ? '[' : ',');
        json_put_text(b, at[i]);
    }
    buf_char(b, ']');
}

static void put_seat(struct buf *b, int seat)
{
    if (seat < 0)
        buf_put(b, STR("null"));
    else
        buf_int(b, seat);
}

/* The draw of the seats: the deck of round 0, and the players in the order in which they drew. */
static void put_draw(struct buf *b, const struct record_head *h)
{
    char hex[SEED_HEX_SIZE];
    struct str joined[MAX_PLAYERS];
    for (int s = 0; s < h->players; s++)
        joined[h->seats.joined[s]] = h->names[s];
    chance_commit(&h->seed, hex);
    buf_print(b, ",\"lots_draw\":{\"commit\":\"%s\",\"client_seeds\":", hex);
    put_texts(b, h->clients, h->players);
    buf_put(b, STR(",\"joined\":"));
    put_texts(b, joined, h->players);
    chance_hex(&h->seed, hex);
    buf_print(b, ",\"server_seed\":\"%s\"}", hex);
}

void record_match(struct buf *b, const struct record_head *h)
{
    buf_put(b, STR("{\"t\":\"match\",\"v\":1,\"id\":"));
    json_put_text(b, h->id);
    buf_put(b, STR(",\"rules\":"));
    ruleset_file_write(b, h->rules);
    buf_put(b, STR(",\"players\":"));
    put_texts(b, h->names, h->players);
    buf_put(b, STR(",\"lots\":"));
    if (h->seats.has_lots)
        json_put_cards(b, h->seats.lots, h->players);
    else
        buf_put(b, STR("null"));
    buf_print(b, ",\"dealer\":%d", h->seats.dealer);
    if (h->rules->first_dealer != FIRST_CHALLENGER)
        put_draw(b, h);
    buf_put(b, STR("}\n"));
}

static void put_beacon(struct buf *b, const struct record_beacon *beacon)
{
    if (beacon->value.n == 0)
        return;
    buf_put(b, STR(",\"beacon\":{\"url\":"));
    json_put_text(b, beacon->url);
    buf_print(b, ",\"round\":%lld,\"value\":\"%.*s\"}", (long long)beacon->round,
              STR_ARG(beacon->value));
}

void record_deal(struct buf *b, const struct rules *r, const struct record_deal *d)
{
    uint8_t hands[MAX_PLAYERS][N_CARDS], table[N_CARDS];
    char hex[SEED_HEX_SIZE];
    int hand = r->hand[d->players], field = r->table[d->players], dealt = d->players * hand + field;
    deal_order(r, d->players, d->dealer, d->deck, hands, table);
    chance_commit(&d->seed, hex);
    buf_print(b,
              "{\"t\":\"deal\",\"round\":%d,\"attempt\":%d,\"dealer\":%d,\"commit\":\"%s\","
              "\"client_seeds\":",
              d->round, d->attempt, d->dealer, hex);
    put_texts(b, d->clients, d->players);
    put_beacon(b, &d->beacon);
    buf_put(b, STR(",\"hands\":"));
    for (int p = 0; p < d->players; p++) {
        buf_char(b, p == 0 ? '[' : ',');
        json_put_cards(b, hands[p], hand);
    }
    buf_put(b, STR("],\"table\":"));
    json_put_cards(b, table, field);
    buf_put(b, STR(",\"stock\":"));
    json_put_cards(b, d->deck + dealt, N_CARDS - dealt);
    buf_put(b, STR("}\n"));
}

void record_yaku(struct buf *b, const struct score *s)
{
    const char *comma = "";
    buf_char(b, '{');
    for (int y = 0; y < N_YAKU; y++)
        if (s->worth[y] > 0) {
            buf_print(b, "%s\"%s\":%d", comma, yaku_key((enum yaku)y), s->worth[y]);
            comma = ",";
        }
    buf_char(b, '}');
}

void record_result(struct buf *b, const struct round_result *r, int players, const int32_t *scores)
{
    const char *comma = "";
    buf_print(b, "\"why\":\"%s\",\"winner\":", round_whys[r->why]);
    put_seat(b, r->winner);
    buf_put(b, STR(",\"yaku\":"));
    if (r->hand != HAND_NONE)
        buf_print(b, "{\"%s\":%d}", hand_yaku_key((enum hand_yaku)r->hand), r->score.base);
    else
        record_yaku(b, &r->score);
    buf_print(b, ",\"base\":%d,\"multipliers\":[", r->score.base);
    for (int x = 0; x < N_MULTIPLIERS; x++)
        if (r->x[x] > 1) {
            buf_print(b, "%s{\"name\":\"%s\",\"x\":%u}", comma, multiplier_key((enum multiplier)x),
                      (unsigned)r->x[x]);
            comma = ",";
        }
    if (r->added > 0)
        buf_print(b, "%s{\"name\":\"%s\",\"add\":%d}", comma, multiplier_key(X_CALL_BONUS),
                  r->added);
    buf_print(b, "],\"points\":%d,\"scores\":", (int)r->points);
    json_put_ints(b, scores, players);
}

static void put_seed(struct buf *b, const struct record_deal *d)
{
    char hex[SEED_HEX_SIZE];
    chance_hex(&d->seed, hex);
    buf_print(b, ",\"server_seed\":\"%s\"}\n", hex);
}

static void put_take(struct buf *b, const char *t, const struct log_line *l)
{
    buf_print(b, "{\"t\":\"%s\",\"p\":%d,\"card\":", t, l->seat);
    json_put_card(b, l->card);
    buf_put(b, STR(",\"take\":"));
    json_put_cardset(b, l->take);
}

static void put_hint(struct buf *b, bool hinted)
{
    buf_put(b, hinted ? STR(",\"hint\":true}\n") : STR("}\n"));
}

static void put_line(struct buf *b, const struct match *m, const struct record_deal *d,
                     const struct log_line *l, enum leave_why why, bool hinted)
{
    switch ((enum log_kind)l->kind) {
    case LOG_VOID:
        buf_print(b, "{\"t\":\"void\",\"round\":%d,\"attempt\":%d,\"why\":\"%s\"", d->round,
                  d->attempt, void_whys[l->what]);
        if (l->what == VOID_HAND_FOUR)
            buf_print(b, ",\"p\":%d", l->seat);
        put_seed(b, d);
        break;
    case LOG_PLAY:
        put_take(b, "play", l);
        put_hint(b, hinted);
        break;
    case LOG_DRAW:
        put_take(b, "draw", l);
        put_hint(b, hinted);
        break;
    case LOG_DECIDE:
        buf_print(b, "{\"t\":\"decide\",\"p\":%d,\"do\":\"%s\",\"yaku\":", l->seat,
                  l->what == MOVE_STOP ? "stop" : "koikoi");
        record_yaku(b, &l->score);
        buf_print(b, ",\"base\":%d", l->score.base);
        put_hint(b, hinted);
        break;
    case LOG_DECLARE:
        buf_print(b, "{\"t\":\"declare\",\"p\":%d,\"what\":\"%s\"", l->seat,
                  hand_yaku_key((enum hand_yaku)l->what));
        put_hint(b, hinted);
        break;
    case LOG_LEAVE:
        buf_print(b, "{\"t\":\"leave\",\"p\":%d,\"why\":\"%s\"%s}\n", l->seat, leave_whys[why],
                  l->what ? ",\"goes_on\":true" : "");
        break;
    case LOG_AGREE:
        buf_print(b, "{\"t\":\"agree\",\"p\":%d,\"what\":\"draw\"}\n", l->seat);
        break;
    case LOG_TAKEBACK:
        buf_print(b, "{\"t\":\"takeback\",\"p\":%d,\"lines\":%d}\n", l->seat, l->what);
        break;
    case LOG_END:
        buf_print(b, "{\"t\":\"round_end\",\"round\":%d,", d->round);
        record_result(b, &m->last, m->players, m->scores);
        put_seed(b, d);
        break;
    }
}

void record_log(struct buf *b, const struct match *m, const struct record_deal *d,
                const struct round_log *log, enum leave_why why, bool hinted)
{
    for (int i = 0; i < log->n; i++)
        put_line(b, m, d, &log->at[i], why, hinted && i == 0);
    if (m->stage == MATCH_OVER) {
        buf_print(b, "{\"t\":\"match_end\",\"why\":\"%s\",\"winner\":", match_whys[m->why]);
        put_seat(b, m->winner);
        buf_put(b, STR(",\"scores\":"));
        json_put_ints(b, m->scores, m->players);
        buf_put(b, STR("}\n"));
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
