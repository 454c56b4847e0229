/* See verify.h. A deal's seed is told only when the deal is over: the deal line is kept until then,
 * and is the wrong one if the seed is what was committed to and gives other cards. */
#include "verify.h"

#include "record_read.h"

struct verifier {
    struct record_lines lines;
    FILE *out;
    cJSON *opening_tree, *deal_tree; /* hold the strings of what was read from them */
    struct record_opening opening;
    struct record_cards cards;
    int deal_line; /* 0: no deal is open */
    int wrong;     /* the line to blame, if it is not the one just read */
    bool ended;
};

static bool seats_hold(const struct record_opening *o, struct err *err)
{
    const struct record_head *h = &o->head;
    uint8_t deck[N_CARDS] = {0};
    char hex[SEED_HEX_SIZE];
    struct seats s;

    chance_commit(&h->seed, hex);
    if (o->has_draw && !str_is(o->commit, str_of(hex)))
        return err_set(err, "lots_draw: commit is not the SHA-256 of server_seed");
    if (o->has_draw)
        chance_shuffle(&h->seed, h->id, 0, 1, h->players, h->clients, deck);
    chance_seats((enum first_dealer)o->rules.first_dealer, h->players, deck, &s);
    for (int p = 0; p < h->players; p++) {
        if (s.has_lots && s.lots[p] != h->seats.lots[p])
            return err_set(err, "lots: not what the seeds of lots_draw give");
        if (o->has_draw && !str_is(h->names[p], o->joined[s.joined[p]]))
            return err_set(err, "players: not in the order of their lots");
    }
    if (o->rules.first_dealer == FIRST_RANDOM && !o->has_draw)
        return true; /* nothing was told that it could be checked against */
    return s.dealer == h->seats.dealer ||
           err_set(err, "dealer: is %d, must be %d", h->seats.dealer, s.dealer);
}

static bool take_opening(struct verifier *v, cJSON *tree, struct err *err)
{
    v->opening_tree = tree;
    if (!record_read_match(tree, &v->opening, err) || !seats_hold(&v->opening, err))
        return false;
    if (v->out && v->opening.has_draw)
        fprintf(v->out, "line 1: round 0, the first dealer: good\n");
    return true;
}

static bool take_deal(struct verifier *v, cJSON *tree, struct err *err)
{
    cJSON_Delete(v->deal_tree);
    v->deal_tree = tree;
    if (v->deal_line > 0)
        return err_set(err, "t: a deal, but the seed of the one before was not told");
    v->deal_line = v->lines.n;
    return record_read_deal(tree, &v->opening, &v->cards, err);
}

/* A round_end or void line tells the seed of the deal that is open. */
static bool take_seed(struct verifier *v, const cJSON *tree, struct err *err)
{
    const struct record_head *h = &v->opening.head;
    const struct record_deal *d = &v->cards.deal;
    char hex[SEED_HEX_SIZE];
    uint8_t deck[N_CARDS];
    struct seed seed = {{0}};

    if (v->deal_line == 0)
        return err_set(err, "t: no deal is open here");
    if (!record_read_seed(tree, &seed, err))
        return false;
    chance_commit(&seed, hex);
    chance_shuffle(&seed, h->id, d->round, d->attempt, h->players, d->clients, deck);
    bool committed = str_is(v->cards.commit, str_of(hex)),
         dealt = memcmp(deck, d->deck, N_CARDS) == 0;
    if (!committed && !dealt)
        return err_set(err, "server_seed: not the one that was committed to");
    v->wrong = v->deal_line;
    if (!committed)
        return err_set(err, "commit: not the SHA-256 of the server_seed told in line %d",
                       v->lines.n);
    if (!dealt)
        return err_set(err,
                       "hands, table, stock: not what the seeds of this round and attempt give");
    v->wrong = 0;
    if (v->out)
        fprintf(v->out, "line %d: round %d, attempt %d: good\n", v->deal_line, d->round,
                d->attempt);
    v->deal_line = 0;
    return true;
}

static bool is_other(struct str t)
{
    return str_is(t, STR("play")) || str_is(t, STR("draw")) || str_is(t, STR("decide")) ||
           str_is(t, STR("declare")) || str_is(t, STR("leave"));
}

/* Takes the tree. */
static bool take_line(struct verifier *v, struct str t, cJSON *tree, struct err *err)
{
    bool ok = true;

    if (str_is(t, STR("match")) != (v->lines.n == 1))
        ok = err_set(err, v->lines.n == 1 ? "t: a record begins with match" : "t: a second match");
    else if (v->ended)
        ok = err_set(err, "t: nothing may follow match_end");
    else if (v->lines.n == 1)
        return take_opening(v, tree, err);
    else if (str_is(t, STR("deal")))
        return take_deal(v, tree, err);
    else if (str_is(t, STR("round_end")) || str_is(t, STR("void")))
        ok = take_seed(v, tree, err);
    else if (str_is(t, STR("match_end")))
        v->ended = true;
    else if (!is_other(t))
        ok = err_set(err, "t: unknown");
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
        return err_set(err, "the record ends before the seed of line %d is told", v->deal_line);
    return v->ended || err_set(err, "the record ends without match_end");
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
