/* See record_read.h. */
#include "record_read.h"

#include "json_cards.h"
#include "ruleset_file.h"

#define NUMBER_MAX ((int64_t)1 << 53)

bool record_next(struct record_lines *lines, struct json *ret, struct str *ret_t)
{
    if (lines->rest.n == 0)
        return false;
    lines->n++;
    struct str line = str_cut(lines->rest, '\n', &lines->rest);
    bool longer = line.n > RECORD_LINE_LIMIT;
    *ret = json_open(longer ? STR("{}") : line, JSON_LINE);
    if (longer)
        json_fail(*ret, NULL, "expected at most %d bytes in a line, got %zu", RECORD_LINE_LIMIT,
                  line.n);
    *ret_t = json_str(*ret, "t");
    return true;
}

/* Returns how many. */
static int read_texts(struct json v, const char *key, int least, int most, struct str *ret)
{
    int n = 0;
    for (struct json m = json_first(json_list(v, key, least, most)); m.at; m = json_next(m))
        ret[n++] = json_str(m, NULL);
    return n;
}

static struct str read_hex(struct json v, const char *key, struct seed *ret_seed)
{
    struct str s = json_str(v, key);
    struct seed seed = {{0}};
    if (!chance_read_seed(s, &seed))
        json_fail(v, key, "expected 64 hex digits in lower case, got \"%.70s\"", s.p);
    if (ret_seed)
        *ret_seed = seed;
    return s;
}

struct seed record_read_seed(struct json v)
{
    struct seed seed;
    read_hex(v, "server_seed", &seed);
    return seed;
}

/* lots_draw: required with lots, allowed with a random dealer. */
static void read_draw(struct json line, struct record_opening *o)
{
    static const char *const keys[] = {"commit", "client_seeds", "joined", "server_seed", NULL};
    int players = o->head.players;
    o->has_draw = json_kind(json_at(line, "lots_draw")) > JSON_NULL;
    if (!o->has_draw && o->rules.first_dealer == FIRST_LOTS)
        json_fail(line, "lots_draw", "missing");
    if (!o->has_draw)
        return;
    if (o->rules.first_dealer == FIRST_CHALLENGER)
        json_fail(line, "lots_draw", "expected no such field, since the challenger deals");
    struct json v = json_object(line, "lots_draw");
    json_allow(v, keys);
    o->commit = read_hex(v, "commit", NULL);
    read_texts(v, "client_seeds", players, players, o->head.clients);
    read_texts(v, "joined", players, players, o->joined);
    read_hex(v, "server_seed", &o->head.seed);
}

void record_read_match(struct json v, struct record_opening *ret)
{
    static const char *const keys[] = {"t",    "v",      "id",        "rules", "players",
                                       "lots", "dealer", "lots_draw", "from",  NULL},
                             *const from_keys[] = {"match", "lines", NULL};
    struct record_opening *o = ret;
    struct record_head *h = &o->head;
    uint8_t lots[N_CARDS];
    memset(o, 0, sizeof *o);
    json_allow(v, keys);
    json_int(v, "v", 1, 1);
    h->id = json_str(v, "id");
    struct json rules = json_at(v, "rules");
    if (json_kind(rules) != JSON_OBJECT || json_at(rules, "extends").at)
        json_fail(v, "rules", "expected a rule set without `extends`");
    ruleset_file_value(v, "rules", (struct str){NULL, 0}, &o->rules);
    h->rules = &o->rules;
    h->players = read_texts(v, "players", MIN_PLAYERS, MAX_PLAYERS, h->names);
    if (!(o->rules.players_allowed & 1 << h->players))
        json_fail(v, "players", "expected a number that the rule set allows, got %d", h->players);
    h->seats.has_lots = o->rules.first_dealer == FIRST_LOTS;
    if (h->seats.has_lots) {
        int n = json_cards(v, "lots", h->players, h->players, lots);
        memcpy(h->seats.lots, lots, (size_t)n);
    } else if (json_kind(json_at(v, "lots")) != JSON_NULL) {
        json_fail(v, "lots", "expected null, since these rules draw no lots");
    }
    h->seats.dealer = (uint8_t)json_int(v, "dealer", 0, h->players - 1);
    read_draw(v, o);
    if (!json_at(v, "from").at)
        return;
    struct json from = json_object(v, "from");
    json_allow(from, from_keys);
    h->from = json_int(from, "match", 1, NUMBER_MAX);
    h->from_lines = (int)json_int(from, "lines", 2, INT32_MAX);
}

/* The deck of a deal: each card goes back to the index that deal_order() took it from. */
static void read_dealt_deck(struct json v, const struct record_opening *o, struct record_cards *c)
{
    const struct rules *r = &o->rules;
    uint8_t place[N_CARDS], hands[MAX_PLAYERS][N_CARDS], table[N_CARDS], list[N_CARDS];
    int players = o->head.players, n_hand = r->hand[players], n_table = r->table[players], n, p = 0;
    int dealt = players * n_hand + n_table;
    cardset seen = 0;
    for (int i = 0; i < N_CARDS; i++)
        place[i] = (uint8_t)i;
    deal_order(r, players, c->deal.dealer, place, hands, table);
    struct json hand = json_first(json_list(v, "hands", players, players));
    for (; hand.at; hand = json_next(hand), p++) {
        n = json_cards(hand, NULL, n_hand, n_hand, list);
        for (int i = 0; i < n; i++)
            c->deck[hands[p][i]] = list[i];
    }
    n = json_cards(v, "table", n_table, n_table, list);
    for (int i = 0; i < n; i++)
        c->deck[table[i]] = list[i];
    n = json_cards(v, "stock", N_CARDS - dealt, N_CARDS - dealt, list);
    memcpy(c->deck + dealt, list, (size_t)n);
    for (int i = 0; i < N_CARDS; i++) {
        if (seen & CARD(c->deck[i]))
            json_fail(v, "hands, table, stock", "expected different cards, got one twice");
        seen |= CARD(c->deck[i]);
    }
}

static void read_anew(struct json v, struct record_deal *d)
{
    static const char *const keys[] = {"cards", "seed", NULL};
    int most = N_CARDS;
    if (!json_at(v, "anew").at)
        return;
    struct json part = json_first(json_list(v, "anew", 1, RECORD_ANEW));
    for (; part.at; part = json_next(part)) {
        struct record_anew *at = &d->anew[d->n_anew++];
        json_allow(part, keys);
        at->cards = (int)json_int(part, "cards", 1, most);
        most = at->cards > 1 ? at->cards - 1 : 1;
        read_hex(part, "seed", &at->seed);
    }
}

void record_read_deal(struct json v, const struct record_opening *o, struct record_cards *ret)
{
    static const char *const keys[] = {"t",      "round",        "attempt", "dealer",
                                       "commit", "client_seeds", "beacon",  "hands",
                                       "table",  "stock",        "anew",    NULL},
                             *const beacon_keys[] = {"url", "round", "value", NULL};
    struct record_deal *d = &ret->deal;
    int players = o->head.players;
    memset(ret, 0, sizeof *ret);
    json_allow(v, keys);
    d->round = (int)json_int(v, "round", 1, LAST_ROUND);
    d->attempt = (int)json_int(v, "attempt", 1, UINT16_MAX);
    d->dealer = (int)json_int(v, "dealer", 0, players - 1);
    d->players = players;
    ret->commit = read_hex(v, "commit", NULL);
    read_texts(v, "client_seeds", players, players, d->clients);
    if (json_at(v, "beacon").at) {
        struct json beacon = json_object(v, "beacon");
        json_allow(beacon, beacon_keys);
        d->beacon.url = json_str(beacon, "url");
        d->beacon.round = json_int(beacon, "round", 1, NUMBER_MAX);
        d->beacon.value = read_hex(beacon, "value", NULL);
    }
    read_anew(v, d);
    d->deck = ret->deck;
    read_dealt_deck(v, o, ret);
}
