/* Check of the shuffles: see replay.h. A deal's seed comes only when the deal is over, so the deal
 * line is kept until then. If the seed fits the commit but gives other cards, the deal line is the
 * wrong one. */
#include "record_read.h"
#include "replay.h"

struct verifier {
    struct record_lines lines;
    FILE *out;
    struct json opening_line, deal_text; /* hold the strings of opening and cards */
    struct record_opening opening;
    struct record_cards cards;
    int deal_line;        /* 0: no deal is open */
    int n_rounds, n_void; /* that are over; deals of the round that were void */
    int wrong;            /* the line to blame, if it is not the one just read */
    bool ended;
    int n_cut, n_mixed, n_neither; /* deals */
};

/* The text of a seat that was not cut. */
static bool is_fixed(struct str client, int seat)
{
    char fixed[16];
    struct buf b = BUF(fixed);
    buf_print(&b, "seat %d", seat);
    return str_is(client, buf_str(&b));
}

/* "; cut by Ann and Bo". Returns false if no player cut. */
static bool say_cut(FILE *out, const struct str *clients, const struct str *names, int players)
{
    const char *before = "; cut by ";
    bool any = false;
    for (int p = 0; p < players; p++) {
        if (is_fixed(clients[p], p))
            continue;
        if (out)
            fprintf(out, "%s%.*s", before, STR_ARG(names[p]));
        before = " and ";
        any = true;
    }
    return any;
}

static void say_deal(struct verifier *v)
{
    const struct record_deal *d = &v->cards.deal;
    bool mixed = d->beacon.value.n > 0;
    if (v->out)
        fprintf(v->out, "line %d: round %d, attempt %d: good", v->deal_line, d->round, d->attempt);
    bool cut = say_cut(v->out, d->clients, v->opening.head.names, d->players);
    v->n_cut += cut;
    v->n_mixed += mixed;
    v->n_neither += !cut && !mixed;
    if (!v->out)
        return;
    if (mixed)
        fprintf(v->out, "; mixed with round %lld of the beacon %.*s, which must be %.*s",
                (long long)d->beacon.round, STR_ARG(d->beacon.url), STR_ARG(d->beacon.value));
    for (int i = 0; i < d->n_anew; i++)
        fprintf(v->out, "; the last %d cards shuffled anew by the host", d->anew[i].cards);
    fprintf(v->out, cut || mixed ? "\n" : "; not cut\n");
}

/* What the good shuffles prove, and what they do not. */
static void say_proof(const struct verifier *v)
{
    if (v->n_cut)
        fprintf(v->out,
                "deals cut by a player: %d. Nobody could choose their cards, unless all who "
                "cut were in league with the host.\n",
                v->n_cut);
    if (v->n_mixed)
        fprintf(v->out,
                "deals mixed with a beacon: %d. Look the values up: if they were published as they "
                "stand here, the host could not choose these cards by its seed.\n",
                v->n_mixed);
    if (v->n_neither)
        fprintf(v->out,
                "deals that nobody cut and no beacon was mixed into: %d. The host could not change "
                "their decks afterwards, but could have tried seeds before it sealed one.\n",
                v->n_neither);
}

static void check_seats(struct json line, const struct record_opening *o)
{
    const struct record_head *h = &o->head;
    uint8_t deck[N_CARDS] = {0};
    char hex[SEED_HEX_SIZE];
    struct seats s;
    chance_commit(&h->seed, hex);
    if (o->has_draw && !str_is(o->commit, str_of(hex)))
        json_fail(line, "lots_draw.commit", "expected the SHA-256 of server_seed");
    if (o->has_draw)
        chance_shuffle(&h->seed, h->id, 0, 1, h->players, h->clients, NO_BEACON, deck);
    chance_seats((enum first_dealer)o->rules.first_dealer, h->players, deck, &s);
    for (int p = 0; p < h->players; p++) {
        if (s.has_lots && s.lots[p] != h->seats.lots[p])
            json_fail(line, "lots", "expected the cards that the seeds of lots_draw give");
        if (o->has_draw && !str_is(h->names[p], o->joined[s.joined[p]]))
            json_fail(line, "players", "expected the order of their lots");
    }
    bool checked = o->has_draw || o->rules.first_dealer != FIRST_RANDOM;
    if (checked && s.dealer != h->seats.dealer)
        json_fail(line, "dealer", "expected %d, got %d", s.dealer, h->seats.dealer);
}

static void take_opening(struct verifier *v, struct json line)
{
    record_read_match(line, &v->opening);
    if (json_good(line))
        check_seats(line, &v->opening);
    const struct record_head *h = &v->opening.head;
    if (json_good(line) && v->out && h->from)
        fprintf(v->out,
                "line 1: the match goes on from match %lld of the same host; lines 1 to %d, whose "
                "cards its players knew, are of that\n",
                (long long)h->from, h->from_lines);
    if (json_good(line) && v->out && v->opening.has_draw) {
        fprintf(v->out, "line 1: round 0, the first dealer: good");
        bool cut =
            say_cut(v->out, v->opening.head.clients, v->opening.joined, v->opening.head.players);
        fprintf(v->out, cut ? "\n" : "; not cut\n");
    }
}

/* One that is left out may be one that somebody disliked. */
static void take_deal(struct verifier *v, struct json line)
{
    const struct record_deal *d = &v->cards.deal;
    if (v->deal_line > 0)
        json_fail(line, "t", "expected the end of the deal before, got another deal");
    v->deal_line = v->lines.n;
    record_read_deal(line, &v->opening, &v->cards);
    if (json_good(line) && d->round != v->n_rounds + 1)
        json_fail(line, "round", "expected %d, got %d", v->n_rounds + 1, d->round);
    if (json_good(line) && d->attempt != v->n_void + 1)
        json_fail(line, "attempt", "expected %d, got %d", v->n_void + 1, d->attempt);
}

/* A round_end or void line holds the seed of the open deal. */
static void take_seed(struct verifier *v, struct json line)
{
    const struct record_head *h = &v->opening.head;
    const struct record_deal *d = &v->cards.deal;
    char hex[SEED_HEX_SIZE];
    uint8_t deck[N_CARDS];
    if (v->deal_line == 0)
        json_fail(line, "t", "expected a deal before its end");
    struct seed seed = record_read_seed(line);
    if (!json_good(line))
        return;
    chance_commit(&seed, hex);
    chance_shuffle(&seed, h->id, d->round, d->attempt, h->players, d->clients, d->beacon.value,
                   deck);
    for (int i = 0; i < d->n_anew; i++)
        chance_rest(&d->anew[i].seed, h->id, d->round, d->attempt, d->anew[i].cards, deck);
    bool committed = str_is(v->cards.commit, str_of(hex)),
         dealt = memcmp(deck, d->deck, N_CARDS) == 0;
    if (!committed && !dealt) {
        json_fail(line, "server_seed", "expected the seed behind the deal's commit");
        return;
    }
    if (!committed)
        json_fail(line, "commit", "expected the SHA-256 of the server_seed in line %d", v->lines.n);
    if (!dealt)
        json_fail(line, "hands, table, stock",
                  "expected the deck that the seeds of this round and attempt give");
    v->wrong = committed && dealt ? 0 : v->deal_line;
    if (v->wrong)
        return;
    say_deal(v);
    v->deal_line = 0;
}

static bool is_other(struct str t)
{
    return str_is(t, STR("play")) || str_is(t, STR("draw")) || str_is(t, STR("decide")) ||
           str_is(t, STR("declare")) || str_is(t, STR("leave")) || str_is(t, STR("agree")) ||
           str_is(t, STR("takeback"));
}

/* Returns the line that it takes the place of, if it has to stay open. */
static struct json *take_line(struct verifier *v, struct str t, struct json line)
{
    bool first = v->lines.n == 1;
    if (str_is(t, STR("match")) != first)
        json_fail(line, "t", "expected %s, got %.20s",
                  first ? "match in the first line" : "another line than match", t.p);
    if (v->ended)
        json_fail(line, "t", "expected the end of the record behind match_end");
    if (!json_good(line))
        return NULL;
    if (first) {
        take_opening(v, line);
        return &v->opening_line;
    }
    if (str_is(t, STR("deal"))) {
        take_deal(v, line);
        return &v->deal_text;
    }
    bool is_void = str_is(t, STR("void"));
    if (is_void || str_is(t, STR("round_end"))) {
        take_seed(v, line);
        v->n_void = is_void ? v->n_void + 1 : 0;
        v->n_rounds += !is_void;
    } else if (str_is(t, STR("match_end"))) {
        v->ended = true;
    } else if (!is_other(t)) {
        json_fail(line, "t", "unknown line %.20s", t.p);
    }
    return NULL;
}

static bool walk(struct verifier *v, struct err *err)
{
    struct json line;
    struct str t;
    while (record_next(&v->lines, &line, &t)) {
        struct json *stays = take_line(v, t, line);
        if (stays && json_good(line)) {
            json_free(*stays);
            *stays = line;
        } else if (!json_close(line, err)) {
            return false;
        }
    }
    v->wrong = v->lines.n + 1;
    if (v->deal_line > 0)
        return err_set(err, "expected the server_seed of the deal in line %d, got the end",
                       v->deal_line);
    if (!v->ended)
        return err_set(err, "expected match_end, got the end of the record");
    if (v->out)
        say_proof(v);
    return true;
}

bool verify_record(struct str record, FILE *out, int *ret_line, struct err *err)
{
    struct verifier v = {.lines = {.rest = record}, .out = out};
    bool good = walk(&v, err);
    if (!good)
        *ret_line = v.wrong > 0 ? v.wrong : v.lines.n;
    json_free(v.opening_line);
    json_free(v.deal_text);
    return good;
}
