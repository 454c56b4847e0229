/* See naive.h. Slow on purpose: each rule is one question about names of cards. */
#include "naive.h"

#include <string.h>

const char *const naive_codes[N_CARDS] = {
    "1b",  "1r",  "1p1",  "1p2",  "2a",  "2r",  "2p1", "2p2", "3b",  "3r",   "3p1",  "3p2",
    "4a",  "4r",  "4p1",  "4p2",  "5a",  "5r",  "5p1", "5p2", "6a",  "6r",   "6p1",  "6p2",
    "7a",  "7r",  "7p1",  "7p2",  "8b",  "8a",  "8p1", "8p2", "9a",  "9r",   "9p1",  "9p2",
    "10a", "10r", "10p1", "10p2", "11b", "11a", "11r", "11p", "12b", "12p1", "12p2", "12p3",
};

/* Parses a code: its number is the month, the letter after it the kind. */
static int month_in(const char *code)
{
    return code[1] >= '0' && code[1] <= '9' ? 10 + code[1] - '0' : code[0] - '0';
}

/* Parses all codes once: the tests ask about millions of piles. */
static struct {
    int month;
    char kind;
} known[N_CARDS];

static void know(void)
{
    for (int c = 0; c < N_CARDS && known[N_CARDS - 1].month == 0; c++) {
        const char *code = naive_codes[c];
        known[c].kind = code[month_in(code) >= 10 ? 2 : 1];
        known[c].month = month_in(code);
    }
}

static int month(int card)
{
    know();
    return known[card].month;
}

static char kind(int card)
{
    know();
    return known[card].kind;
}

/* Cards are in order of their months, four each. */
static bool has(const bool *pile, const char *code)
{
    int c = 4 * (month_in(code) - 1);
    while (strcmp(naive_codes[c], code) != 0)
        c++;
    return pile[c];
}

static int count_kind(const bool *pile, char k)
{
    int n = 0;
    for (int c = 0; c < N_CARDS; c++)
        n += pile[c] && kind(c) == k;
    return n;
}

static bool has_all(const bool *pile, const char *a, const char *b, const char *c)
{
    return has(pile, a) && has(pile, b) && has(pile, c);
}

/* ---- Yaku ------------------------------------------------------------------------------------ */

static void brights_and_viewings(const struct rules *r, const bool *pile, bool called, int *worth)
{
    int brights = count_kind(pile, 'b'), rain = has(pile, "11b"), dry = brights - rain;
    int best = -1;
    if (brights == 5 && r->yaku[YAKU_GOKO] > 0)
        best = YAKU_GOKO;
    if (dry >= 4 && r->yaku[YAKU_SHIKO] > (best < 0 ? 0 : r->yaku[best]))
        best = YAKU_SHIKO;
    if (dry >= 3 && rain && r->yaku[YAKU_AME_SHIKO] > (best < 0 ? 0 : r->yaku[best]))
        best = YAKU_AME_SHIKO;
    if (dry >= 3 && r->yaku[YAKU_SANKO] > (best < 0 ? 0 : r->yaku[best]))
        best = YAKU_SANKO;

    int tsukimi = has(pile, "8b") && has(pile, "9a") ? r->yaku[YAKU_TSUKIMI] : 0;
    int hanami = has(pile, "3b") && has(pile, "9a") ? r->yaku[YAKU_HANAMI] : 0;
    if (called && r->viewing_after_koikoi != 0) {
        tsukimi = tsukimi == 0 ? 0 : r->viewing_after_koikoi;
        hanami = hanami == 0 ? 0 : r->viewing_after_koikoi;
    }
    if (r->rain_cancels != RAIN_NONE && rain)
        tsukimi = hanami = 0;
    if (r->rain_cancels == RAIN_RAINMAN_OR_LIGHTNING && has(pile, "11p"))
        tsukimi = hanami = 0;
    for (int c = 0; c < N_CARDS; c++)
        if (r->rain_cancels == RAIN_WILLOW && pile[c] && month(c) == 11)
            tsukimi = hanami = 0;
    if (r->viewing_season == IN_SEASON_ONLY) {
        tsukimi = r->month == 8 ? tsukimi : 0;
        hanami = r->month == 3 ? hanami : 0;
    }
    if (r->viewing_both != 0 && tsukimi != 0 && hanami != 0)
        tsukimi = hanami = r->viewing_both;
    if (r->viewing_season == IN_SEASON_DOUBLE) {
        tsukimi *= r->month == 8 ? 2 : 1;
        hanami *= r->month == 3 ? 2 : 1;
    }
    int bright = best < 0 ? 0 : r->yaku[best];
    if (!r->viewing_with_brights && bright > 0 && tsukimi + hanami > 0) {
        if (tsukimi + hanami > bright)
            best = -1;
        else
            tsukimi = hanami = 0;
    }
    if (best >= 0)
        worth[best] = r->yaku[best];
    worth[YAKU_TSUKIMI] = tsukimi;
    worth[YAKU_HANAMI] = hanami;
}

static void animals_and_ribbons(const struct rules *r, const bool *pile, int *worth)
{
    int animals = count_kind(pile, 'a'), ribbons = count_kind(pile, 'r');
    bool boar = has_all(pile, "7a", "10a", "6a") && r->yaku[YAKU_INOSHIKACHO] > 0;
    bool poetry = has_all(pile, "1r", "2r", "3r") && r->yaku[YAKU_AKATAN] > 0;
    bool blue = has_all(pile, "6r", "9r", "10r") && r->yaku[YAKU_AOTAN] > 0;
    int each = r->trio_extra == TRIO_ADD ? 1 : 0;
    if (boar)
        worth[YAKU_INOSHIKACHO] = r->yaku[YAKU_INOSHIKACHO] + each * (animals - 3);
    if (poetry)
        worth[YAKU_AKATAN] = r->yaku[YAKU_AKATAN] + each * (ribbons - 3);
    if (blue)
        worth[YAKU_AOTAN] = r->yaku[YAKU_AOTAN] + each * (ribbons - 3);
    if (animals >= 5 && r->yaku[YAKU_TANE] > 0)
        worth[YAKU_TANE] = r->yaku[YAKU_TANE] + animals - 5;
    if (ribbons >= 5 && r->yaku[YAKU_TANZAKU] > 0)
        worth[YAKU_TANZAKU] = r->yaku[YAKU_TANZAKU] + ribbons - 5;
    if (poetry && blue)
        worth[YAKU_AKATAN] += r->both_ribbons;
    if (r->trio_extra != TRIO_ABSORB)
        return;
    if (boar) {
        worth[YAKU_TANE] = 0;
        worth[YAKU_INOSHIKACHO] += animals - 3;
    }
    if (poetry || blue) {
        worth[YAKU_TANZAKU] = 0;
        worth[poetry ? YAKU_AKATAN : YAKU_AOTAN] += ribbons - 3 * (poetry + blue);
    }
}

struct naive_score naive_score(const struct rules *r, const bool pile[N_CARDS], bool called)
{
    struct naive_score s = {0};
    int plains = count_kind(pile, 'p') + (r->sake_is_plain && has(pile, "9a")), months = 0;
    int of_month[13] = {0};
    brights_and_viewings(r, pile, called, s.worth);
    animals_and_ribbons(r, pile, s.worth);
    if (plains >= 10 && r->yaku[YAKU_KASU] > 0)
        s.worth[YAKU_KASU] = r->yaku[YAKU_KASU] + plains - 10;
    for (int c = 0; c < N_CARDS; c++)
        of_month[month(c)] += pile[c];
    for (int m = 1; m <= 12; m++)
        months += of_month[m] == 4;
    bool own = r->month > 0 && of_month[r->month] == 4 && r->month_of_round > 0;
    s.worth[YAKU_HIKI] = months * r->yaku[YAKU_HIKI] + (own ? r->month_of_round : 0);
    int others = 0; /* sets that are no viewing */
    for (int y = 0; y < N_YAKU; y++)
        others += y != YAKU_TSUKIMI && y != YAKU_HANAMI && s.worth[y] > 0;
    if (r->viewing_beside && others == 0)
        s.worth[YAKU_TSUKIMI] = s.worth[YAKU_HANAMI] = 0;
    for (int y = 0; y < N_YAKU; y++) {
        s.base += s.worth[y];
        s.n_yaku += y != YAKU_HIKI ? s.worth[y] > 0 : own + (r->yaku[y] > 0 ? months : 0);
    }
    return s;
}

int naive_hand_yaku(const struct rules *r, const bool hand[N_CARDS])
{
    int fours = 0, pairs = 0, cards = 0, best = HAND_NONE, worth = 0;
    if (!r->has_hand_yaku)
        return HAND_NONE;
    for (int m = 1; m <= 12; m++) {
        int n = 0;
        for (int c = 0; c < N_CARDS; c++)
            n += month(c) == m && hand[c];
        fours += n == 4;
        pairs += n == 4 ? 2 : n == 2 ? 1 : 0;
        cards += n;
    }
    const struct {
        int what;
        bool held;
    } order[] = {{HAND_DOUBLE_FOUR, fours == 2},
                 {HAND_FOUR, fours > 0},
                 {HAND_PAIRS, cards == 8 && pairs == 4}};
    for (int i = 0; i < 3; i++)
        if (order[i].held && r->hand_yaku[order[i].what] > worth) {
            best = order[i].what;
            worth = r->hand_yaku[best];
        }
    return best;
}

static long doubled(int how, int calls)
{
    long x = 1;
    if (how == DOUBLING_ONCE && calls > 0)
        x = 2;
    for (int i = 0; how == DOUBLING_EACH && i < calls; i++)
        x *= 2;
    if (how == DOUBLING_PLUS_ONE_EACH)
        x = 1 + calls;
    return x;
}

long naive_pay(const struct rules *r, int base, int n_yaku, int players, int winner,
               const int *calls, int table_brights)
{
    int others = 0, own = calls[winner];
    long points = base;
    if (r->call_bonus == CALL_BONUS_STEPS)
        points = own < 4 ? base + own : (long)base * (own - 2);

    for (int p = 0; p < players; p++)
        others += p == winner ? 0 : calls[p];
    if (r->has_seven_plus && base >= r->seven_points && n_yaku >= r->seven_min_yaku)
        points *= r->seven_x;
    points *= doubled(r->own_koikoi, calls[winner]);
    points *= doubled(r->opponent_koikoi, others);
    points *= doubled(r->any_koikoi, others + calls[winner]);
    if (r->table_brights)
        points *= 1 + table_brights;
    return points;
}

int naive_next_dealer(const struct rules *r, int players, int dealer, int winner)
{
    if (winner >= 0)
        return winner;
    if (r->drawn_dealer == DRAWN_STAYS)
        return dealer;
    return dealer == players - 1 ? 0 : dealer + 1;
}

/* ---- A round --------------------------------------------------------------------------------- */

static void give(struct naive_round *n, int place, int cards)
{
    while (cards-- > 0)
        n->place[n->deck[n->next++]] = place;
}

static int at_place(const struct naive_round *n, int place)
{
    int cards = 0;
    for (int c = 0; c < N_CARDS; c++)
        cards += n->place[c] == place;
    return cards;
}

static bool whole_month_at(const struct naive_round *n, int place)
{
    for (int m = 1; m <= 12; m++) {
        int cards = 0;
        for (int c = 0; c < N_CARDS; c++)
            cards += month(c) == m && n->place[c] == place;
        if (cards == 4)
            return true;
    }
    return false;
}

static void put_out(const struct rules *r, struct naive_round *n)
{
    const int hand = r->hand[n->players], table = r->table[n->players], packet = r->deal_packet;
    int after = r->deal_order == DEAL_OTHERS_DEALER_TABLE ? 1 : 0;
    while (n->next < hand * n->players + table) {
        for (int i = 0; i < n->players; i++) {
            int seat = (n->dealer + after + i) % n->players,
                need = hand - at_place(n, NAIVE_HAND + seat);
            give(n, NAIVE_HAND + seat, need < packet ? need : packet);
        }
        int need = table - at_place(n, NAIVE_FIELD);
        give(n, NAIVE_FIELD, need < packet ? need : packet);
    }
}

void naive_deal(const struct rules *r, int players, int dealer, const int *deck,
                struct naive_round *ret)
{
    int owners = 0;
    memset(ret, 0, sizeof *ret);
    ret->players = players;
    ret->dealer = ret->turn = dealer;
    ret->drawn = -1;
    for (int i = 0; i < N_CARDS; i++)
        ret->deck[i] = deck[i];
    put_out(r, ret);
    for (int p = 0; p < players; p++) {
        bool hand[N_CARDS];
        for (int c = 0; c < N_CARDS; c++)
            hand[c] = ret->place[c] == NAIVE_HAND + p;
        owners += naive_hand_yaku(r, hand) != HAND_NONE;
        ret->four[p] = whole_month_at(ret, NAIVE_HAND + p);
    }
    for (int p = 0; p < players; p++)
        ret->over = ret->over || (r->hand_four == HAND_FOUR_REDEAL && ret->four[p]);
    ret->over = ret->over ||
                (r->table_four == TABLE_FOUR_REDEAL && whole_month_at(ret, NAIVE_FIELD)) ||
                (r->has_hand_yaku && r->claim == CLAIM_AUTOMATIC && owners > 0);
}

/* The ways to play a card onto the table: each a list of cards it captures; an empty list lays it
 * down. */
struct naive_way {
    int n, card[3];
};

static int ways(const struct rules *r, const struct naive_round *n, int card, bool from_hand,
                struct naive_way *ret)
{
    int same[4], n_same = 0, n_ways = 0;
    bool is_lightning = strcmp(naive_codes[card], "11p") == 0;
    for (int c = 0; c < N_CARDS; c++)
        if (n->place[c] == NAIVE_FIELD && month(c) == month(card))
            same[n_same++] = c;
    if (n_same == 3)
        ret[n_ways++] = (struct naive_way){3, {same[0], same[1], same[2]}};
    else
        for (int i = 0; i < n_same; i++)
            ret[n_ways++] = (struct naive_way){1, {same[i]}};
    for (int c = 0; r->wild_lightning && c < N_CARDS; c++)
        if (n->place[c] == NAIVE_FIELD && month(c) != month(card) &&
            (is_lightning || strcmp(naive_codes[c], "11p") == 0))
            ret[n_ways++] = (struct naive_way){1, {c}};
    if (n_ways == 0 || (from_hand && r->capture == CAPTURE_OPTIONAL && n_same < 3))
        ret[n_ways++] = (struct naive_way){0};
    return n_ways;
}

static void put_down(struct naive_round *n, int card, const struct naive_way *w)
{
    n->place[card] = w->n == 0 ? NAIVE_FIELD : NAIVE_PILE + n->turn;
    for (int i = 0; i < w->n; i++)
        n->place[w->card[i]] = NAIVE_PILE + n->turn;
}

static void pass_on(struct naive_round *n)
{
    n->asked = false;
    n->turn = (n->turn + 1) % n->players;
    n->over = at_place(n, NAIVE_HAND + n->turn) == 0;
}

static struct naive_score score_of(const struct rules *r, const struct naive_round *n, bool called)
{
    bool pile[N_CARDS];
    for (int c = 0; c < N_CARDS; c++)
        pile[c] = n->place[c] == NAIVE_PILE + n->turn;
    return naive_score(r, pile, called);
}

static void after_both_phases(const struct rules *r, struct naive_round *n)
{
    struct naive_score now = score_of(r, n, n->calls[n->turn] > 0);
    for (int y = 0; y < N_YAKU; y++)
        n->asked = n->asked || now.worth[y] > n->at_call[n->turn].worth[y];
    if (!n->asked)
        pass_on(n);
}

/* The draw phase after a hand card: every continuation. */
static long from_draw(const struct rules *r, const struct naive_round *n, int depth)
{
    struct naive_round m = *n;
    struct naive_way w[N_CARDS];
    if (m.next < N_CARDS) {
        int card = m.deck[m.next++];
        if (ways(r, &m, card, false, w) > 1) {
            m.drawn = card;
            return naive_perft(r, &m, depth);
        }
        put_down(&m, card, &w[0]);
    }
    after_both_phases(r, &m);
    return naive_perft(r, &m, depth);
}

static long from_hand(const struct rules *r, const struct naive_round *n, int depth)
{
    struct naive_way w[N_CARDS];
    long sum = 0;
    for (int card = 0; card < N_CARDS; card++) {
        if (n->place[card] != NAIVE_HAND + n->turn)
            continue;
        int count = ways(r, n, card, true, w);
        for (int i = 0; i < count; i++) {
            struct naive_round m = *n;
            m.played[m.turn] = true;
            put_down(&m, card, &w[i]);
            sum += from_draw(r, &m, depth - 1);
        }
    }
    return sum;
}

static long from_choice(const struct rules *r, const struct naive_round *n, int depth)
{
    struct naive_way w[N_CARDS];
    int count = ways(r, n, n->drawn, false, w);
    long sum = 0;
    for (int i = 0; i < count; i++) {
        struct naive_round m = *n;
        put_down(&m, m.drawn, &w[i]);
        m.drawn = -1;
        after_both_phases(r, &m);
        sum += naive_perft(r, &m, depth - 1);
    }
    return sum;
}

static bool may_declare(const struct rules *r, const struct naive_round *n)
{
    bool hand[N_CARDS];
    if (r->claim != CLAIM_DECLARED || n->asked || n->drawn >= 0 || n->played[n->turn])
        return false;
    for (int c = 0; c < N_CARDS; c++)
        hand[c] = n->place[c] == NAIVE_HAND + n->turn;
    return naive_hand_yaku(r, hand) != HAND_NONE;
}

long naive_perft(const struct rules *r, const struct naive_round *n, int depth)
{
    long ends = 0;
    if (depth == 0)
        return 1;
    if (n->over)
        return 0;
    /* Declaring a hand yaku or calling a redeal ends the deal: a sequence of one more move. */
    for (int p = 0; p < n->players; p++)
        ends += depth == 1 && r->hand_four == HAND_FOUR_MAY_REDEAL && n->four[p] && !n->played[p];
    ends += depth == 1 && may_declare(r, n);
    if (n->asked) {
        struct naive_round m = *n;
        int calls = 0;
        for (int p = 0; p < n->players; p++)
            calls += n->calls[p];
        if (r->koikoi_limit > 0 && calls >= r->koikoi_limit)
            return ends + (depth == 1);
        m.calls[m.turn]++;
        m.at_call[m.turn] = score_of(r, n, true);
        pass_on(&m);
        return ends + (depth == 1) + naive_perft(r, &m, depth - 1);
    }
    return ends + (n->drawn >= 0 ? from_choice(r, n, depth) : from_hand(r, n, depth));
}
