/* See table.h. */
#include "table.h"
#include "test.h"
#include "notation.h"
#include "presets.h"
#include "rules_field.h"

#include <stdlib.h>
#include <string.h>

int card_list(const char *codes, uint8_t *ret)
{
    int n = 0;
    while (codes != NULL && *codes != '\0') {
        size_t length = strcspn(codes, " ");
        int card = card_read(codes, length);
        if (card == CARD_NONE)
            fail_msg("no card: %s", codes);
        ret[n++] = (uint8_t)card;
        codes += length + strspn(codes + length, " ");
    }
    return n;
}

cardset set_of(const char *codes)
{
    uint8_t list[N_CARDS];
    cardset s = 0;
    for (int n = card_list(codes, list); n > 0; n--)
        s |= CARD(list[n - 1]);
    return s;
}

void deck_of(const struct rules *r, int players, int dealer, const char *const *hands,
             const char *table, const char *stock, uint8_t ret[static N_CARDS])
{
    uint8_t slots[N_CARDS], chosen[SLOT_STOCK + 1][N_CARDS];
    int n[SLOT_STOCK + 1] = {0}, used[SLOT_STOCK + 1] = {0};
    cardset left = ALL_CARDS;
    for (int s = 0; hands != NULL && s < players; s++) {
        int slot = (s - dealer + players) % players;
        n[slot] = card_list(hands[s], chosen[slot]);
    }
    n[SLOT_TABLE] = card_list(table, chosen[SLOT_TABLE]);
    n[SLOT_STOCK] = card_list(stock, chosen[SLOT_STOCK]);
    for (int slot = 0; slot <= SLOT_STOCK; slot++)
        for (int i = 0; i < n[slot]; i++) {
            assert_true((left & CARD(chosen[slot][i])) != 0);
            left &= ~CARD(chosen[slot][i]);
        }
    deal_slots(r, players, slots);
    for (int i = 0; i < N_CARDS; i++) {
        int slot = slots[i];
        if (used[slot] < n[slot]) {
            ret[i] = chosen[slot][used[slot]++];
        } else {
            ret[i] = (uint8_t)set_first(left);
            left = set_rest(left);
        }
    }
}

void deck_starting(const char *codes, uint8_t ret[static N_CARDS])
{
    cardset left = ALL_CARDS & ~set_of(codes);
    int n = card_list(codes, ret);
    assert_int_equal(n + set_count(left), N_CARDS);
    for (; left; left = set_rest(left))
        ret[n++] = (uint8_t)set_first(left);
}

void shuffle(struct rng *c, uint8_t ret[static N_CARDS])
{
    for (int i = 0; i < N_CARDS; i++)
        ret[i] = (uint8_t)i;
    for (int i = N_CARDS - 1; i > 0; i--) {
        int j = (int)(rng_next(c) % (uint64_t)(i + 1));
        uint8_t card = ret[i];
        ret[i] = ret[j];
        ret[j] = card;
    }
}

void deck_shuffled(uint64_t seed, uint8_t ret[static N_CARDS])
{
    struct rng c = rng_seed(seed);
    shuffle(&c, ret);
}

struct move move_of(const char *note)
{
    struct move m;
    assert_int_equal(notation_read_move(note, strlen(note), &m), -1);
    return m;
}

const struct ruleset *ready(int slot, const struct rules *r)
{
    static struct ruleset sets[8];
    assert_null(rules_check(r));
    ruleset_make(r, &sets[slot]);
    return &sets[slot];
}

/* A word of a choice, "on", "off" or a number. */
static int value_of(const struct rules_field *f, const char *text)
{
    for (int i = 0; i < MAX_RULES_WORDS && f->kind == RULES_CHOICE && f->words[i]; i++)
        if (strcmp(f->words[i], text) == 0)
            return i;
    assert_int_not_equal(f->kind, RULES_CHOICE); /* an unknown word */
    if (strcmp(text, "on") == 0 || strcmp(text, "off") == 0)
        return text[1] == 'n';
    char *end;
    int value = (int)strtol(text, &end, 10);
    assert_true(end > text && !*end);
    return value;
}

const struct ruleset *under(const char *text)
{
    static struct ruleset sets[8];
    static int next;
    struct ruleset *g = &sets[next++ % 8];
    char word[64];
    struct rules r = {.rounds = 0};
    for (size_t n; *text; text += n + (text[n] == ' ')) {
        n = strcspn(text, " ");
        assert_true(n < sizeof word);
        memcpy(word, text, n);
        word[n] = '\0';
        char *equals = strchr(word, '=');
        if (!equals) {
            int which = preset_named(word);
            assert_true(which < N_PRESETS);
            r = presets[which];
            continue;
        }
        *equals = '\0';
        const struct rules_field *f = rules_field_find(word);
        assert_non_null(f);
        rules_field_set(&r, f, value_of(f, equals + 1));
    }
    assert_null(rules_check(&r));
    ruleset_make(&r, g);
    return g;
}

void assert_same(long have, long want, const char *where)
{
    if (have != want)
        print_error("%s: %ld, not %ld\n", where, have, want);
    assert_int_equal(have, want);
}

static uint8_t below(struct rng *c, int n)
{
    return (uint8_t)(rng_next(c) % (uint64_t)n);
}

struct rules random_rules(struct rng *c)
{
    struct rules r = presets[below(c, N_PRESETS)];
    static const uint8_t any[] = {DOUBLING_NONE, DOUBLING_ONCE, DOUBLING_PLUS_ONE_EACH};
    for (int y = 0; y < N_YAKU; y++)
        r.yaku[y] = below(c, 4) == 0 ? 0 : below(c, 12);
    r.yaku[YAKU_HIKI] = below(c, 2) ? 0 : below(c, 6);
    r.capture = below(c, 3) == 0;
    r.wild_lightning = below(c, 2);
    r.exhausted = below(c, 4);
    r.table_four = below(c, 2);
    r.hand_four = below(c, 3);
    r.own_koikoi = below(c, 3);
    r.opponent_koikoi = below(c, 3);
    r.any_koikoi = any[below(c, 3)];
    r.table_brights = below(c, 2);
    r.has_hand_yaku = below(c, 3) > 0;
    for (int h = HAND_DOUBLE_FOUR; h < N_HAND_YAKU; h++)
        r.hand_yaku[h] = r.has_hand_yaku ? below(c, 15) : 0;
    r.claim = r.has_hand_yaku && below(c, 2);
    r.hand_yaku_multiplied = r.has_hand_yaku && below(c, 2);
    r.has_seven_plus = below(c, 2);
    r.seven_points = r.has_seven_plus ? (uint8_t)(1 + below(c, 10)) : 0;
    r.seven_min_yaku = r.has_seven_plus ? (uint8_t)(1 + below(c, 3)) : 0;
    r.seven_x = r.has_seven_plus ? (uint8_t)(2 + below(c, 2)) : 0;
    r.rain_cancels = below(c, 4);
    r.viewing_both = below(c, 2) ? 0 : below(c, 9);
    r.viewing_with_brights = below(c, 2);
    r.sake_is_plain = below(c, 2);
    r.trio_extra = below(c, 3);
    r.tie_break = below(c, 2);
    r.deal_order = below(c, 3);
    r.deal_packet = (uint8_t)(1 + below(c, 8));
    r.koikoi_limit = below(c, 2) ? 0 : (uint8_t)(1 + below(c, 3));
    r.drawn_dealer = below(c, 2);
    r.call_bonus = below(c, 2);
    r.both_ribbons = below(c, 2) ? 0 : below(c, 12);
    r.viewing_after_koikoi = below(c, 2) ? 0 : below(c, 7);
    r.viewing_season = below(c, 2) ? 0 : below(c, 3);
    r.viewing_beside = below(c, 4) == 0;
    r.month_of_round = below(c, 2) ? 0 : below(c, 6);
    for (int n = MIN_PLAYERS; n <= MAX_PLAYERS; n++)
        if (r.players_allowed >> n & 1 && below(c, 3) == 0) {
            r.hand[n] = (uint8_t)(5 + below(c, 4));
            r.table[n] = (uint8_t)(5 + below(c, 4));
        }
    return r;
}
