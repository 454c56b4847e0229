/* Sentences and their pieces: numbers, names, times, cards, commands, lists. See draft.h. */
#include "draft_words.h"

#include "keyword.h"
#include "text.h"

static struct buf scratch(const struct draft *d, size_t size)
{
    return (struct buf){arena_room(d->a, size), 0, size, false};
}

/* ---- sentences ---- */

bool draft_can(const struct draft *d, enum ability can)
{
    return (d->network->can & can) != 0 || (can == CAN_BUTTONS && d->poll);
}

struct str draft_text(const struct draft *d, enum text key, int64_t n, const struct str *args,
                      int n_args)
{
    if (draft_can(d, CAN_ONE_POST))
        key = text_inline(key);
    return text_make(d->t, d->a, key, n, args, n_args);
}

struct str draft_unmarked(const struct draft *d, struct str s)
{
    return text_unmarked(d->a, s);
}

/* Latin letters without marks, and Russian ones: what words for a call are written in. */
struct str draft_loud(const struct draft *d, struct str word)
{
    struct str loud = arena_str(d->a, word);
    unsigned char *p = (unsigned char *)(uintptr_t)loud.p, was = 0;
    for (size_t i = 0; i < loud.n; was = p[i++])
        if (p[i] >= 'a' && p[i] <= 'z')
            p[i] -= 'a' - 'A';
        else if (was == 0xD0 && p[i] >= 0xB0) /* а to п */
            p[i] -= 0x20;
        else if (was == 0xD1 && p[i] <= 0x8F) { /* р to я */
            p[i - 1] = 0xD0;
            p[i] += 0x20;
        }
    return loud;
}

/* ---- numbers ---- */

struct str draft_int(const struct draft *d, int64_t n)
{
    struct buf b = scratch(d, 24);
    buf_int(&b, n);
    return buf_str(&b);
}

struct str draft_signed(const struct draft *d, int64_t n)
{
    return arena_print(d->a, "%s%lld", n > 0 ? "+" : n < 0 ? "−" : "", (long long)(n < 0 ? -n : n));
}

struct str draft_coins(const struct draft *d, int64_t n)
{
    struct str number = draft_int(d, n);
    int64_t size = n < 0 ? -n : n;
    if (d->table && d->table->rules.scoring == SCORING_POINTS)
        return TN(d, T_POINTS, size, number);
    return text_fill(d->a, d->words->coins[plural_of(d->t->language, size)], "n", &number, 1);
}

/* ---- names ---- */

static struct str bold(const struct draft *d, struct str s)
{
    struct buf b = scratch(d, s.n + 2);
    buf_char(&b, MARK_BOLD);
    buf_put(&b, s);
    buf_char(&b, MARK_END);
    return buf_str(&b);
}

struct str draft_computer(const struct draft *d, int character)
{
    return character ? d->t->character[character] : TX(d, T_COMPUTER);
}

struct str draft_plain_name(const struct draft *d, int seat)
{
    const struct player_seen *p = &d->table->player[seat];
    return draft_unmarked(d, p->computer      ? draft_computer(d, p->character)
                             : p->gone        ? TX(d, T_COMPUTER_FOR, p->name)
                             : p->name.n == 0 ? TX(d, T_ANYONE)
                                              : p->name);
}

static struct str cut_name(const struct draft *d, int seat, int columns)
{
    struct str name = draft_plain_name(d, seat), cut = text_clean(d->a, name, columns);
    if (d->table->player[seat].computer || cut.n >= name.n)
        return name;
    return arena_print(d->a, "%.*s…", STR_ARG(text_clean(d->a, name, columns - 1)));
}

/* Two that are cut to the same are told apart by the number of the seat. */
struct str draft_short_name(const struct draft *d, int seat)
{
    enum { COLUMNS = 10, NUMBER = 4 };
    struct str name = cut_name(d, seat, COLUMNS);
    bool same = false;
    for (int i = 0; i < d->table->players; i++)
        same |= i != seat && str_is(cut_name(d, i, COLUMNS), name);
    return same ? arena_print(d->a, "%.*s (%d)", STR_ARG(cut_name(d, seat, COLUMNS - NUMBER)),
                              seat + 1)
                : name;
}

struct str draft_name(const struct draft *d, int seat)
{
    return bold(d, d->short_names ? draft_short_name(d, seat) : draft_plain_name(d, seat));
}

struct str draft_person(const struct draft *d, int seat)
{
    const struct player_seen *p = &d->table->player[seat];
    return p->gone ? bold(d, p->name) : draft_name(d, seat);
}

struct str draft_mark_name(const struct draft *d, struct str name, struct str id)
{
    if (id.n == 0 || !draft_can(d, CAN_MENTION))
        return bold(d, name);
    return arena_print(d->a, "%c%.*s%c%.*s%c", MARK_NAME, STR_ARG(id), MARK_NAME, STR_ARG(name),
                       MARK_END);
}

struct str draft_id(const struct draft *d, int seat)
{
    const struct player_seen *p = &d->table->player[seat];
    bool for_venue = d->at && d->at != &d->table->at,
         stranger = d->table->strangers && for_venue && p->venue != d->at->venue;
    return for_venue && (stranger || p->account != d->network->account) ? STR("") : p->id;
}

struct str draft_mention(const struct draft *d, int seat)
{
    return draft_mark_name(d, d->table->player[seat].name, draft_id(d, seat));
}

/* ---- times ---- */

struct str draft_time(const struct draft *d, int64_t ms)
{
    if (draft_can(d, CAN_COUNTDOWN))
        return arena_print(d->a, "%c%lld%c", MARK_TIME, (long long)ms / 1000, MARK_END);
    struct date at = date_at(ms, d->utc_offset), today = date_at(d->e->now, d->utc_offset);
    struct date tomorrow = date_at(d->e->now + 24 * 3600 * 1000, d->utc_offset);
    struct str clock = arena_print(d->a, "%02d:%02d", at.hour, at.minute);
    if (at.day == today.day && at.month == today.month && at.year == today.year)
        return clock;
    if (at.day == tomorrow.day && at.month == tomorrow.month && at.year == tomorrow.year)
        return TX(d, T_TIME_TOMORROW, clock);
    return TX(d, T_TIME_DAY, draft_int(d, at.day), TX(d, (enum text)(T_MONTH_1 + at.month - 1)),
              clock);
}

struct str draft_span(const struct draft *d, int64_t ms)
{
    enum { SECONDS_UP_TO = 5 /* minutes; longer spans are whole minutes */, DAY = 24 * 60 };
    int64_t minutes = (ms + 59999) / 60000;
    if (ms % 60000 && minutes <= SECONDS_UP_TO)
        return TN(d, T_SECONDS, ms / 1000, draft_int(d, ms / 1000));
    if (minutes >= 2 * DAY && minutes % DAY == 0)
        return TN(d, T_DAYS, minutes / DAY, draft_int(d, minutes / DAY));
    if (minutes >= 60 && minutes % 60 == 0)
        return TN(d, T_HOURS, minutes / 60, draft_int(d, minutes / 60));
    return TN(d, T_MINUTES, minutes, draft_int(d, minutes));
}

/* ---- cards ---- */

struct str draft_label(const struct draft *d, int card)
{
    const struct str *names = d->words->card;
    for (int c = 0; c < N_CARDS; c++)
        if (c != card && str_is(names[c], names[card]))
            return d->words->named[card];
    return names[card];
}

struct str draft_sign(const struct draft *d, enum card_kind kind)
{
    return TX(d, (enum text)(T_GLYPH_BRIGHT + kind));
}

static struct str glyph(const struct draft *d, int card)
{
    return draft_sign(d, card_kind(card));
}

struct str draft_sums(const struct draft *d, int64_t won, int64_t drawn, int64_t lost)
{
    return arena_print(d->a, "%lld–%lld–%lld", (long long)won, (long long)drawn, (long long)lost);
}

static struct str numbered(const struct draft *d, int card, const struct str names[N_CARDS])
{
    return TX(d, T_CARD, draft_int(d, card_month(card) + 1), names[card], glyph(d, card));
}

struct str draft_card(const struct draft *d, int card)
{
    return numbered(d, card, d->words->named);
}

struct str draft_card_taken(const struct draft *d, int card)
{
    return numbered(d, card, d->words->taken);
}

struct str draft_card_alone(const struct draft *d, int card, bool taken)
{
    return TX(d, T_CARD_ALONE, taken ? d->words->taken[card] : d->words->named[card],
              glyph(d, card));
}

static struct str list_of(const struct draft *d, cardset cards, const struct str names[N_CARDS])
{
    struct buf b = scratch(d, 4096);
    for (cardset rest = cards; rest; rest = set_rest(rest)) {
        if (b.n > 0)
            buf_put(&b, TX(d, T_DOT));
        buf_put(&b, numbered(d, set_first(rest), names));
    }
    return cards ? buf_str(&b) : TX(d, T_NOTHING);
}

struct str draft_cards(const struct draft *d, cardset cards)
{
    return list_of(d, cards, d->words->named);
}

struct str draft_cards_taken(const struct draft *d, cardset cards)
{
    return list_of(d, cards, d->words->taken);
}

struct str draft_cards_short(const struct draft *d, cardset cards)
{
    struct str list = {0};
    for (cardset rest = cards; rest; rest = set_rest(rest)) {
        struct str month = draft_int(d, card_month(set_first(rest)) + 1);
        list = draft_join(d, list, list.n > 0 ? STR(" ") : STR(""),
                          draft_join(d, month, STR(""), glyph(d, set_first(rest))));
    }
    return cards ? list : TX(d, T_NOTHING);
}

/* ---- commands ---- */

struct str draft_command_at(const struct draft *d, enum verb v, bool in_private)
{
    const struct limits *limits = &d->network->limits;
    struct str name = command_name(d->t, v, limits->plain_commands);
    if (in_private && limits->prefix.n > 0) /* a prefix of its own is for groups */
        return name;
    return draft_join(d, limits->prefix.n > 0 ? limits->prefix : STR("/"), (struct str){0}, name);
}

struct str draft_command(const struct draft *d, enum verb v)
{
    return draft_command_at(d, v, d->in_private);
}

/* A true or null of the rules is on or off to people. */
static struct str option_word(const struct draft *d, struct str word)
{
    static const struct {
        const char *word;
        enum keyword is;
    } rest[] = {{"on", KEYWORD_ON},       {"true", KEYWORD_ON},        {"off", KEYWORD_OFF},
                {"false", KEYWORD_OFF},   {"null", KEYWORD_OFF},       {"none", KEYWORD_OFF},
                {"level", KEYWORD_LEVEL}, {"picture", KEYWORD_PICTURE}};
    struct str local = {0};
    for (int k = KEYWORD_RULES; k < N_KEYWORDS; k++)
        if (str_is(word, str_of(keyword_names[k])))
            local = d->t->option[k][0];
    for (size_t i = 0; i < sizeof rest / sizeof *rest; i++)
        if (str_is(word, str_of(rest[i].word)))
            local = d->t->option[rest[i].is][0];
    return local.n > 0 ? local : word;
}

/* The language's word of a rule option or value that begins here; *ret_n: bytes of the English one. */
static struct str rule_word(const struct draft *d, struct str words, size_t *ret_n)
{
    size_t n = 0;
    while (n < words.n && words.p[n] != ' ' && words.p[n] != ',' && words.p[n] != '|')
        n++;
    *ret_n = n;
    for (int i = 0; i < d->t->n_rule_words; i++)
        if (str_is(d->t->rule_word[i].key, (struct str){words.p, n}))
            return d->t->rule_word[i].word;
    return (struct str){0};
}

struct str draft_option(const struct draft *d, struct str words)
{
    struct buf b = scratch(d, 1024);
    while (words.n > 0) {
        size_t n = 0;
        struct str own = rule_word(d, words, &n);
        if (own.n > 0) {
            buf_put(&b, own);
            words = str_skip(words, n);
        }
        n = 0;
        while (n < words.n && ((words.p[n] >= 'a' && words.p[n] <= 'z') || words.p[n] == '_'))
            n++;
        buf_put(&b, option_word(d, (struct str){words.p, n}));
        words = str_skip(words, n);
        bool listed = str_starts(words, STR("|")) || str_starts(words, STR(", "));
        if (listed)
            buf_put(&b, TX(d, T_COMMA));
        else if (words.n > 0)
            buf_char(&b, words.p[0]);
        words = str_skip(words, listed && words.p[0] == ',' ? 2 : 1);
    }
    return buf_str(&b);
}

/* ---- lists ---- */

struct str draft_join(const struct draft *d, struct str list, struct str sep, struct str more)
{
    if (list.n == 0)
        return more;
    struct buf b = scratch(d, list.n + sep.n + more.n);
    buf_put(&b, list);
    buf_put(&b, sep);
    buf_put(&b, more);
    return buf_str(&b);
}

void draft_add(const struct draft *d, struct str *list, enum text sep, struct str more)
{
    *list = list->n == 0 ? more : draft_join(d, *list, TX(d, sep), more);
}

struct str draft_short_score(const struct draft *d, int seat)
{
    return TX(d, T_NAME_SCORE, bold(d, draft_short_name(d, seat)),
              draft_int(d, d->table->view.scores[seat]));
}

struct str draft_scores(const struct draft *d)
{
    struct str list = {0};
    for (int i = 0; i < d->table->players; i++)
        draft_add(d, &list, T_DASH,
                  TX(d, T_NAME_SCORE, draft_name(d, i), draft_int(d, d->table->view.scores[i])));
    return list;
}

struct str draft_names(const struct draft *d)
{
    struct str list = {0};
    for (int i = 0; i < d->table->players; i++)
        draft_add(d, &list, T_DASH, draft_name(d, i));
    return TX(d, T_MATCH_NAMED, draft_int(d, d->table->no), list);
}

struct str draft_worth(const struct draft *d, struct str yaku, int64_t worth)
{
    return TX(d, T_YAKU_WORTH, yaku, draft_int(d, worth));
}

struct str draft_yaku(const struct draft *d, const uint16_t worth[static N_YAKU])
{
    struct str list = {0};
    for (int y = 0; y < N_YAKU; y++)
        if (worth[y] > 0)
            draft_add(d, &list, T_PLUS, draft_worth(d, d->words->yaku[y], worth[y]));
    return list;
}

bool draft_is_sum(const uint16_t worth[static N_YAKU])
{
    int n = 0;
    for (int y = 0; y < N_YAKU; y++)
        n += worth[y] > 0;
    return n > 1;
}

/* ---- the match ---- */

const struct ruleset *draft_ruleset(const struct draft *d)
{
    return ruleset_cache_get(d->w->bot->rulesets, &d->table->view.rules);
}

const struct scene *draft_scene(const struct draft *d)
{
    struct scene_cache *cache = d->scene;
    if (cache->table != d->table) {
        cache->table = d->table;
        scene_make(d->table, draft_ruleset(d), &cache->scene);
    }
    return &cache->scene;
}

struct str draft_rounds(const struct draft *d)
{
    const struct scene *s = draft_scene(d);
    return s->round > s->rounds
               ? TX(d, T_ROUND_EXTRA, draft_int(d, s->round - s->rounds))
               : TX(d, T_ROUND_OF, draft_int(d, s->round), draft_int(d, s->rounds));
}
