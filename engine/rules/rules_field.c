/* See rules_field.h. */
#include "rules_field.h"

#include <string.h>

#define AT(member) offsetof(struct rules, member)
#define STORED(key, member, type)                                                                  \
    {                                                                                              \
        key, AT(member), sizeof((struct rules *)0)->member / sizeof(type),                         \
            _Generic((type)0, bool                                                                 \
                     : RULES_BOOL, uint8_t                                                         \
                     : RULES_U8, int16_t                                                           \
                     : RULES_I16, char                                                             \
                     : RULES_CHARS)                                                                \
    }

#define WORD(p, member)                                                                            \
    .path = p, .kind = RULES_WORD, .at = AT(member), .most = sizeof((struct rules *)0)->member,    \
    .stored = {STORED(p, member, char)}
#define NUMBER(p, member, from, to)                                                                \
    .path = p, .kind = RULES_NUMBER, .at = AT(member), .least = from, .most = to,                  \
    .stored = {STORED(p, member, uint8_t)}
#define CHOICE(p, member, ...)                                                                     \
    .path = p, .kind = RULES_CHOICE, .at = AT(member), .words = {__VA_ARGS__},                     \
    .stored = {STORED(p, member, uint8_t)}
#define SWITCH(p, member)                                                                          \
    .path = p, .kind = RULES_SWITCH, .at = AT(member), .stored = {STORED(p, member, bool)}
/* Elements of arrays; the row of their object stores them as one list. */
#define CARDS(p, member, n)                                                                        \
    .path = p "." #n, .kind = RULES_NUMBER, .at = AT(member[n]), .least = 1, .most = N_CARDS,      \
    .players = n
#define WORTH(p, element)                                                                          \
    .path = p, .kind = RULES_NUMBER, .at = AT(element), .least = 0, .most = MAX_WORTH

const struct rules_field rules_fields[] = {
    {WORD("name", name), .file_only = true},
    {.path = "players",
     .kind = RULES_PLAYERS,
     .file_only = true,
     .stored = {STORED("players", players_allowed, uint8_t)}},
    {NUMBER("rounds", rounds, 1, MAX_ROUNDS)},
    {.path = "rounds_allowed",
     .kind = RULES_ROUND_LIST,
     .least = 1,
     .most = MAX_ROUNDS,
     .file_only = true,
     .stored = {STORED("rounds_allowed.n", n_rounds_allowed, uint8_t),
                STORED("rounds_allowed", rounds_allowed, uint8_t)}},
    {CHOICE("scoring", scoring, "coins", "points")},
    {.path = "purse",
     .kind = RULES_PURSE,
     .least = 1,
     .most = MAX_PURSE,
     .stored = {STORED("purse.has", has_purse, bool), STORED("purse.n", n_purse, uint8_t),
                STORED("purse.rounds", purse_rounds, uint8_t), STORED("purse", purse, int16_t)}},
    {.path = "hand", .kind = RULES_OBJECT, .stored = {STORED("hand", hand, uint8_t)}},
    {CARDS("hand", hand, 2)},
    {CARDS("hand", hand, 3)},
    {.path = "table", .kind = RULES_OBJECT, .stored = {STORED("table", table, uint8_t)}},
    {CARDS("table", table, 2)},
    {CARDS("table", table, 3)},
    {.path = "deal", .kind = RULES_OBJECT},
    {NUMBER("deal.packet", deal_packet, 1, N_CARDS)},
    {CHOICE("deal.order", deal_order, "others_dealer_table", "players_table",
            "dealer_others_table")},
    {CHOICE("first_dealer", first_dealer, "lots", "challenger", "random")},
    {CHOICE("tie_break", tie_break, "none", "extra_round")},
    {CHOICE("table_four", table_four, "redeal", "keep")},
    {CHOICE("hand_four", hand_four, "none", "may_redeal", "redeal")},
    {.path = "hand_yaku",
     .kind = RULES_OBJECT,
     .at = AT(has_hand_yaku),
     .stored = {STORED("hand_yaku.has", has_hand_yaku, bool),
                STORED("hand_yaku", hand_yaku, uint8_t)}},
    {WORTH("hand_yaku.four", hand_yaku[HAND_FOUR])},
    {WORTH("hand_yaku.pairs", hand_yaku[HAND_PAIRS])},
    {WORTH("hand_yaku.double_four", hand_yaku[HAND_DOUBLE_FOUR])},
    {CHOICE("hand_yaku.claim", claim, "declared", "automatic")},
    {SWITCH("hand_yaku.multiplied", hand_yaku_multiplied)},
    {CHOICE("capture", capture, "forced", "optional")},
    {SWITCH("wild_lightning", wild_lightning)},
    {CHOICE("exhausted", exhausted, "draw", "oya_kan", "dealer_point", "best_yaku")},
    {.path = "multipliers", .kind = RULES_OBJECT},
    {.path = "multipliers.seven_plus",
     .kind = RULES_OBJECT,
     .at = AT(has_seven_plus),
     .stored = {STORED("multipliers.seven_plus", has_seven_plus, bool)}},
    {NUMBER("multipliers.seven_plus.points", seven_points, 1, MAX_WORTH), .usual = 7},
    {NUMBER("multipliers.seven_plus.min_yaku", seven_min_yaku, 1, N_CARDS), .usual = 1},
    {NUMBER("multipliers.seven_plus.x", seven_x, 2, MAX_WORTH), .usual = 2},
    {CHOICE("multipliers.own_koikoi", own_koikoi, "none", "double_once", "double_each")},
    {CHOICE("multipliers.opponent_koikoi", opponent_koikoi, "none", "double_once", "double_each")},
    {CHOICE("multipliers.any_koikoi", any_koikoi, "none", "double_once", "", "plus_one_each")},
    {SWITCH("multipliers.table_brights", table_brights)},
    {.path = "yaku", .kind = RULES_OBJECT, .stored = {STORED("yaku", yaku, uint8_t)}},
    {WORTH("yaku.goko", yaku[YAKU_GOKO])},
    {WORTH("yaku.shiko", yaku[YAKU_SHIKO])},
    {WORTH("yaku.ame_shiko", yaku[YAKU_AME_SHIKO])},
    {WORTH("yaku.sanko", yaku[YAKU_SANKO])},
    {WORTH("yaku.tsukimi", yaku[YAKU_TSUKIMI])},
    {WORTH("yaku.hanami", yaku[YAKU_HANAMI])},
    {WORTH("yaku.inoshikacho", yaku[YAKU_INOSHIKACHO])},
    {WORTH("yaku.akatan", yaku[YAKU_AKATAN])},
    {WORTH("yaku.aotan", yaku[YAKU_AOTAN])},
    {WORTH("yaku.tane", yaku[YAKU_TANE])},
    {WORTH("yaku.tanzaku", yaku[YAKU_TANZAKU])},
    {WORTH("yaku.kasu", yaku[YAKU_KASU])},
    {WORTH("yaku.hiki", yaku[YAKU_HIKI])},
    {NUMBER("yaku.month_of_round", month_of_round, 0, MAX_WORTH), .later = true},
    {.path = "viewing", .kind = RULES_OBJECT},
    {CHOICE("viewing.rain_cancels", rain_cancels, "none", "rainman", "rainman_or_lightning",
            "willow")},
    {NUMBER("viewing.both", viewing_both, 0, MAX_WORTH)},
    {SWITCH("viewing.with_brights", viewing_with_brights)},
    {NUMBER("viewing.after_koikoi", viewing_after_koikoi, 0, MAX_WORTH), .later = true},
    {SWITCH("viewing.alone", viewing_beside), .later = true, .inverted = true},
    {CHOICE("viewing.season", viewing_season, "any", "double", "only"), .later = true},
    {SWITCH("sake_is_plain", sake_is_plain)},
    {CHOICE("trio_extra", trio_extra, "none", "add", "absorb")},
    {NUMBER("koikoi_limit", koikoi_limit, 0, N_CARDS), .later = true},
    {CHOICE("drawn_dealer", drawn_dealer, "stays", "changes"), .later = true},
    {CHOICE("call_bonus", call_bonus, "none", "steps"), .later = true},
    {NUMBER("both_ribbons", both_ribbons, 0, MAX_WORTH), .later = true},
    {WORD("words", words), .fallback = "standard"},
    {WORD("deck", deck), .fallback = "hanafuda"},
    {.path = NULL},
};
_Static_assert(sizeof rules_fields / sizeof *rules_fields <= MAX_RULES_FIELDS, "see rules_field.h");

const struct rules_field *rules_field_find(const char *path)
{
    for (const struct rules_field *f = rules_fields; f->path; f++)
        if (strcmp(f->path, path) == 0)
            return f;
    return NULL;
}

const struct rules_field *rules_field_object(const struct rules_field *f)
{
    size_t n = (size_t)(rules_field_name(f) - f->path);
    const struct rules_field *o = f;
    if (n == 0)
        return NULL;
    do
        o--;
    while (strncmp(o->path, f->path, n - 1) != 0 || o->path[n - 1] != '\0');
    return o;
}

const char *rules_field_name(const struct rules_field *f)
{
    const char *dot = strrchr(f->path, '.');
    return dot ? dot + 1 : f->path;
}

/* bool and uint8_t have one byte each. */
_Static_assert(sizeof(bool) == 1, "see rules_field_get()");

int rules_field_get(const struct rules *r, const struct rules_field *f)
{
    int stored = ((const unsigned char *)r)[f->at];
    return f->kind == RULES_OBJECT && f->at == 0 ? 1 : f->inverted ? !stored : stored;
}

bool rules_field_is_usual(const struct rules *r, const struct rules_field *f)
{
    return rules_field_get(r, f) == f->inverted;
}

void rules_field_set(struct rules *r, const struct rules_field *f, int value)
{
    ((unsigned char *)r)[f->at] = (unsigned char)(f->inverted ? !value : value);
}

bool rules_field_is_on(const struct rules *r, const struct rules_field *f)
{
    const struct rules_field *o = rules_field_object(f);
    return !o || rules_field_get(r, o) != 0;
}

bool rules_is_word(const char *s, size_t n, size_t most)
{
    for (size_t i = 0; i < n; i++)
        if (!((s[i] >= 'a' && s[i] <= 'z') || (s[i] >= '0' && s[i] <= '9') || s[i] == '_' ||
              s[i] == '-'))
            return false;
    return n > 0 && n <= most;
}
