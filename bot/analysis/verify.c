/* See verify.h. A deal's seed comes only when the deal is over, so the deal line is kept until
 * then. If the seed fits the commit but gives other cards, the deal line is the wrong one. */
#include "verify.h"

#include "record_read.h"

struct verifier {
    struct record_lines lines;
    FILE *out;
    cJSON *opening_tree, *deal_tree; /* hold the strings of opening and cards */
    struct record_opening opening;
    struct record_cards cards;
    int deal_line; /* 0: no deal is open */
    int wrong;     /* the line to blame, if it is not the one just read */
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

static bool seats_hold(const struct record_opening *o, struct err *err)
{
    const struct record_head *h = &o->head;
    uint8_t deck[N_CARDS] = {0};
    char hex[SEED_HEX_SIZE];
    struct seats s;
    chance_commit(&h->seed, hex);
    if (o->has_draw && !str_is(o->commit, str_of(hex)))
        return err_set(err, "lots_draw.commit: expected the SHA-256 of server_seed");
    if (o->has_draw)
        chance_shuffle(&h->seed, h->id, 0, 1, h->players, h->clients, NO_BEACON, deck);
    chance_seats((enum first_dealer)o->rules.first_dealer, h->players, deck, &s);
    for (int p = 0; p < h->players; p++) {
        if (s.has_lots && s.lots[p] != h->seats.lots[p])
            return err_set(err, "lots: expected the cards that the seeds of lots_draw give");
        if (o->has_draw && !str_is(h->names[p], o->joined[s.joined[p]]))
            return err_set(err, "players: expected the order of their lots");
    }
    if (o->rules.first_dealer == FIRST_RANDOM && !o->has_draw)
        return true; /* the record has no draw to check against */
    return s.dealer == h->seats.dealer ||
           err_set(err, "dealer: expected %d, got %d", s.dealer, h->seats.dealer);
}

static bool take_opening(struct verifier *v, cJSON *tree, struct err *err)
{
    v->opening_tree = tree;
    if (!record_read_match(tree, &v->opening, err) || !seats_hold(&v->opening, err))
        return false;
    if (v->out && v->opening.has_draw) {
        fprintf(v->out, "line 1: round 0, the first dealer: good");
        bool cut =
            say_cut(v->out, v->opening.head.clients, v->opening.joined, v->opening.head.players);
        fprintf(v->out, cut ? "\n" : "; not cut\n");
    }
    return true;
}

static bool take_deal(struct verifier *v, cJSON *tree, struct err *err)
{
    cJSON_Delete(v->deal_tree);
    v->deal_tree = tree;
    if (v->deal_line > 0)
        return err_set(err, "t: expected the end of the deal before, got another deal");
    v->deal_line = v->lines.n;
    return record_read_deal(tree, &v->opening, &v->cards, err);
}

/* A round_end or void line holds the seed of the open deal. */
static bool take_seed(struct verifier *v, const cJSON *tree, struct err *err)
{
    const struct record_head *h = &v->opening.head;
    const struct record_deal *d = &v->cards.deal;
    char hex[SEED_HEX_SIZE];
    uint8_t deck[N_CARDS];
    struct seed seed = {{0}};
    if (v->deal_line == 0)
        return err_set(err, "t: expected a deal before its end");
    if (!record_read_seed(tree, &seed, err))
        return false;
    chance_commit(&seed, hex);
    chance_shuffle(&seed, h->id, d->round, d->attempt, h->players, d->clients, d->beacon.value,
                   deck);
    bool committed = str_is(v->cards.commit, str_of(hex)),
         dealt = memcmp(deck, d->deck, N_CARDS) == 0;
    if (!committed && !dealt)
        return err_set(err, "server_seed: expected the seed behind the deal's commit");
    v->wrong = v->deal_line;
    if (!committed)
        return err_set(err, "commit: expected the SHA-256 of the server_seed in line %d",
                       v->lines.n);
    if (!dealt)
        return err_set(
            err,
            "hands, table, stock: expected the deck that the seeds of this round and attempt give");
    v->wrong = 0;
    say_deal(v);
    v->deal_line = 0;
    return true;
}

static bool is_other(struct str t)
{
    return str_is(t, STR("play")) || str_is(t, STR("draw")) || str_is(t, STR("decide")) ||
           str_is(t, STR("declare")) || str_is(t, STR("leave")) || str_is(t, STR("agree")) ||
           str_is(t, STR("takeback"));
}

/* Owns and frees the tree. */
static bool take_line(struct verifier *v, struct str t, cJSON *tree, struct err *err)
{
    bool ok = true;
    if (str_is(t, STR("match")) != (v->lines.n == 1))
        ok = err_set(err, "t: expected %s, got %.20s",
                     v->lines.n == 1 ? "match in the first line" : "another line than match", t.p);
    else if (v->ended)
        ok = err_set(err, "t: expected the end of the record behind match_end");
    else if (v->lines.n == 1)
        return take_opening(v, tree, err);
    else if (str_is(t, STR("deal")))
        return take_deal(v, tree, err);
    else if (str_is(t, STR("round_end")) || str_is(t, STR("void")))
        ok = take_seed(v, tree, err);
    else if (str_is(t, STR("match_end")))
        v->ended = true;
    else if (!is_other(t))
        ok = err_set(err, "t: unknown line %.20s", t.p);
    cJSON_Delete(tree);
    return ok;
}

static bool walk(struct verifier *v, struct err *err)
{
    struct str t = {NULL, 0};
    bool end = false;
    for (;;) {
        cJSON *tree = record_next(&v->lines, &t, &end, err);
        if (!tree && !end)
            return false;
        if (end)
            break;
        if (!take_line(v, t, tree, err))
            return false;
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
    bool ok = walk(&v, err);
    if (!ok)
        *ret_line = v.wrong > 0 ? v.wrong : v.lines.n;
    cJSON_Delete(v.opening_tree);
    cJSON_Delete(v.deal_tree);
    return ok;
}
