/* See record_read.h. */
#include "record_read.h"

#include "ruleset_file.h"

cJSON *record_next(struct record_lines *lines, struct str *ret_t, bool *ret_end, struct err *err)
{
    *ret_end = lines->rest.n == 0;
    if (*ret_end)
        return NULL;
    lines->n++;
    struct str line = str_cut(lines->rest, '\n', &lines->rest);
    if (line.n > RECORD_LINE_LIMIT) {
        (void)err_set(err, "expected at most %d bytes in a line, got %zu", RECORD_LINE_LIMIT,
                      line.n);
        return NULL;
    }
    cJSON *v = json_parse_line(line, err);
    if (v && json_object(v, "", false, err) && json_text(json_member(v, "t"), "t", ret_t, err))
        return v;
    cJSON_Delete(v);
    return NULL;
}

static bool read_texts(const cJSON *v, const char *name, int least, int most, struct str *ret,
                       int *ret_n, struct err *err)
{
    int n = 0;
    if (!json_list(v, name, least, most, err))
        return false;
    for (const cJSON *m = v->child; m; m = m->next)
        if (!json_text(m, name, &ret[n++], err))
            return false;
    if (ret_n)
        *ret_n = n;
    return true;
}

static bool read_hex(const cJSON *v, const char *name, struct str *ret, struct seed *ret_seed,
                     struct err *err)
{
    struct str s = {NULL, 0};
    struct seed seed;
    if (!json_text(v, name, &s, err))
        return false;
    if (!chance_read_seed(s, &seed))
        return err_set(err, "%s: expected 64 hex digits in lower case, got \"%.70s\"", name, s.p);
    if (ret)
        *ret = s;
    if (ret_seed)
        *ret_seed = seed;
    return true;
}

bool record_read_seed(const cJSON *v, struct seed *ret, struct err *err)
{
    return read_hex(json_member(v, "server_seed"), "server_seed", NULL, ret, err);
}

/* lots_draw: required with lots, allowed with a random dealer. */
static bool read_draw(const cJSON *v, struct record_opening *o, struct err *err)
{
    static const char *const keys[] = {"commit", "client_seeds", "joined", "server_seed", NULL};
    int players = o->head.players;
    o->has_draw = v && !cJSON_IsNull(v);
    if (!o->has_draw)
        return o->rules.first_dealer != FIRST_LOTS || err_set(err, "lots_draw: missing");
    if (o->rules.first_dealer == FIRST_CHALLENGER)
        return err_set(err, "lots_draw: expected no such field, since the challenger deals");
    if (!json_only(v, keys, err))
        return err_wrap(err, "lots_draw");
    return read_hex(json_member(v, "commit"), "lots_draw.commit", &o->commit, NULL, err) &&
           read_texts(json_member(v, "client_seeds"), "lots_draw.client_seeds", players, players,
                      o->head.clients, NULL, err) &&
           read_texts(json_member(v, "joined"), "lots_draw.joined", players, players, o->joined,
                      NULL, err) &&
           read_hex(json_member(v, "server_seed"), "lots_draw.server_seed", NULL, &o->head.seed,
                    err);
}

static bool read_lots(const cJSON *v, struct record_opening *o, struct err *err)
{
    struct seats *seats = &o->head.seats;
    uint8_t lots[N_CARDS];
    int n = 0;
    seats->has_lots = o->rules.first_dealer == FIRST_LOTS;
    if (!seats->has_lots)
        return cJSON_IsNull(v) ||
               err_set(err, "lots: expected null, since these rules draw no lots");
    if (!json_cards(v, "lots", o->head.players, o->head.players, lots, &n, err))
        return false;
    memcpy(seats->lots, lots, (size_t)n);
    return true;
}

bool record_read_match(const cJSON *v, struct record_opening *ret, struct err *err)
{
    static const char *const keys[] = {"t",    "v",      "id",        "rules", "players",
                                       "lots", "dealer", "lots_draw", NULL};
    struct record_opening *o = ret;
    struct record_head *h = &o->head;
    int64_t version, dealer = 0;
    memset(o, 0, sizeof *o);
    if (!json_only(v, keys, err) || !json_whole(json_member(v, "v"), "v", 1, 1, &version, err) ||
        !json_text(json_member(v, "id"), "id", &h->id, err))
        return false;
    if (!cJSON_IsObject(json_member(v, "rules")) || json_member(json_member(v, "rules"), "extends"))
        return err_set(err, "rules: expected a rule set without `extends`");
    if (!ruleset_file_value((struct str){NULL, 0}, json_member(v, "rules"), &o->rules, err))
        return err_wrap(err, "rules");
    h->rules = &o->rules;
    if (!read_texts(json_member(v, "players"), "players", MIN_PLAYERS, MAX_PLAYERS, h->names,
                    &h->players, err))
        return false;
    if (!(o->rules.players_allowed & 1 << h->players))
        return err_set(err, "players: expected a number that the rule set allows, got %d",
                       h->players);
    if (!read_lots(json_member(v, "lots"), o, err) ||
        !json_whole(json_member(v, "dealer"), "dealer", 0, h->players - 1, &dealer, err))
        return false;
    h->seats.dealer = (uint8_t)dealer;
    return read_draw(json_member(v, "lots_draw"), o, err);
}

/* The deck of a deal: each card goes back to the index that deal_order() took it from. */
static bool read_dealt_deck(const cJSON *v, const struct record_opening *o, struct record_cards *c,
                            struct err *err)
{
    const struct rules *r = &o->rules;
    uint8_t place[N_CARDS], hands[MAX_PLAYERS][N_CARDS], table[N_CARDS], list[N_CARDS] = {0};
    int players = o->head.players, n_hand = r->hand[players], n_table = r->table[players], n;
    int dealt = players * n_hand + n_table;
    const cJSON *hand = json_member(v, "hands");
    cardset seen = 0;
    for (int i = 0; i < N_CARDS; i++)
        place[i] = (uint8_t)i;
    deal_order(r, players, c->deal.dealer, place, hands, table);
    if (!json_list(hand, "hands", players, players, err))
        return false;
    hand = hand->child;
    for (int p = 0; p < players; p++, hand = hand->next) {
        if (!json_cards(hand, "hands", n_hand, n_hand, list, &n, err))
            return false;
        for (int i = 0; i < n; i++)
            c->deck[hands[p][i]] = list[i];
    }
    if (!json_cards(json_member(v, "table"), "table", n_table, n_table, list, &n, err))
        return false;
    for (int i = 0; i < n; i++)
        c->deck[table[i]] = list[i];
    if (!json_cards(json_member(v, "stock"), "stock", N_CARDS - dealt, N_CARDS - dealt, list, &n,
                    err))
        return false;
    memcpy(c->deck + dealt, list, (size_t)n);
    for (int i = 0; i < N_CARDS; i++) {
        if (seen & CARD(c->deck[i]))
            return err_set(err, "hands, table, stock: expected different cards, got one twice");
        seen |= CARD(c->deck[i]);
    }
    return true;
}

/* Absent if no beacon is mixed in. */
static bool read_beacon(const cJSON *v, struct record_beacon *ret, struct err *err)
{
    static const char *const keys[] = {"url", "round", "value", NULL};
    if (!v)
        return true;
    if (!json_only(v, keys, err))
        return err_wrap(err, "beacon");
    return json_text(json_member(v, "url"), "beacon.url", &ret->url, err) &&
           json_whole(json_member(v, "round"), "beacon.round", 1, (int64_t)1 << 53, &ret->round,
                      err) &&
           read_hex(json_member(v, "value"), "beacon.value", &ret->value, NULL, err);
}

bool record_read_deal(const cJSON *v, const struct record_opening *o, struct record_cards *ret,
                      struct err *err)
{
    static const char *const keys[] = {"t",      "round",        "attempt", "dealer",
                                       "commit", "client_seeds", "beacon",  "hands",
                                       "table",  "stock",        NULL};
    struct record_cards *c = ret;
    int players = o->head.players;
    int64_t round = 0, attempt = 0, dealer = 0;
    memset(c, 0, sizeof *c);
    if (!json_only(v, keys, err) ||
        !json_whole(json_member(v, "round"), "round", 1, LAST_ROUND, &round, err) ||
        !json_whole(json_member(v, "attempt"), "attempt", 1, UINT16_MAX, &attempt, err) ||
        !json_whole(json_member(v, "dealer"), "dealer", 0, players - 1, &dealer, err) ||
        !read_hex(json_member(v, "commit"), "commit", &c->commit, NULL, err) ||
        !read_texts(json_member(v, "client_seeds"), "client_seeds", players, players,
                    c->deal.clients, NULL, err) ||
        !read_beacon(json_member(v, "beacon"), &c->deal.beacon, err))
        return false;
    c->deal.round = (int)round;
    c->deal.attempt = (int)attempt;
    c->deal.dealer = (int)dealer;
    c->deal.players = players;
    c->deal.deck = c->deck;
    return read_dealt_deck(v, o, c, err);
}
