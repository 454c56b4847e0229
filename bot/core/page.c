/* See page.h. */
#include "page.h"

#include "character.h"

#include <assert.h>

enum { LABEL_CHARS = 60, ANSWER_CHARS = 240 }; /* of a button; of an answer in a poll */

bool page_can(const struct page *pg, enum ability can)
{
    return (pg->place->can & can) != 0 || (can == CAN_BUTTONS && pg->poll);
}

/* Where we are not, nobody can type a command: what names one is said without it. Its arguments are
 * the first of the other's. */
static enum text fitting(const struct page *pg, enum text key)
{
    static const struct {
        enum text here, there;
    } rows[] = {
        {T_NOT_FOR_YOU, T_NOT_FOR_YOU_THERE},
        {T_OFFER_GONE, T_OFFER_GONE_THERE},
        {T_ACCEPT_OWN, T_ACCEPT_OWN_THERE},
        {T_EXPIRED, T_EXPIRED_THERE},
        {T_NOT_YOUR_MATCH, T_NOT_YOUR_MATCH_THERE},
        {T_MATCH_OVER, T_MATCH_OVER_THERE},
        {T_BETWEEN_ROUNDS, T_BETWEEN_ROUNDS_THERE},
        {T_DEAL_SEED, T_DEAL_SEED_THERE},
        {T_TIME_UP, T_TIME_UP_THERE},
        {T_ABANDONED, T_ABANDONED_THERE},
    };
    for (size_t i = 0; page_can(pg, CAN_ONE_POST) && i < sizeof rows / sizeof *rows; i++)
        if (rows[i].here == key)
            return rows[i].there;
    return key;
}

struct str page_text(const struct page *pg, enum text key, int64_t n, const struct str *args,
                     int n_args)
{
    return text_make(pg->t, pg->a, fitting(pg, key), n, args, n_args);
}

void page_put(struct page *pg, struct str s)
{
    buf_put(&pg->body, s);
}

void page_line(struct page *pg, struct str s)
{
    if (s.n == 0)
        return;
    if (pg->body.n > 0)
        buf_char(&pg->body, '\n');
    buf_put(&pg->body, s);
}

static struct buf scratch(const struct page *pg, size_t size)
{
    return (struct buf){arena_room(pg->a, size), 0, size, false};
}

struct str page_int(const struct page *pg, int64_t n)
{
    struct buf b = scratch(pg, 24);
    buf_int(&b, n);
    return buf_str(&b);
}

struct str page_letter(const struct page *pg, int n)
{
    struct buf b = scratch(pg, 1);
    buf_char(&b, (char)('A' + n - 1));
    return buf_str(&b);
}

struct str page_signed(const struct page *pg, int64_t n)
{
    struct buf b = scratch(pg, 24);
    if (n > 0)
        buf_char(&b, '+');
    buf_int(&b, n);
    return buf_str(&b);
}

struct str page_coins(const struct page *pg, int64_t n)
{
    struct str number = page_int(pg, n);
    enum plural form = plural_of(pg->t->language, n < 0 ? -n : n);
    bool points = pg->table && pg->table->rules.scoring == SCORING_POINTS;
    if (points)
        return TN(pg, T_POINTS, n < 0 ? -n : n, number);
    return text_fill(pg->a, pg->words->coins[form], "n", &number, 1);
}

static struct str marked(const struct page *pg, char mark, struct str s)
{
    struct buf b = scratch(pg, s.n + 2);
    buf_char(&b, mark);
    buf_put(&b, s);
    buf_char(&b, MARK_END);
    return buf_str(&b);
}

struct str page_computer(const struct page *pg, int character)
{
    return character ? TX0(pg, character_text(character, MANNER_NAME)) : TX0(pg, T_COMPUTER);
}

static struct str plain_name(const struct page *pg, int seat)
{
    if (pg->table->player[seat].computer)
        return page_computer(pg, pg->table->player[seat].character);
    struct str name = pg->table->player[seat].name;
    return name.n > 0 ? name : TX0(pg, T_ANYONE);
}

struct str page_name(const struct page *pg, int seat)
{
    return marked(pg, MARK_BOLD, plain_name(pg, seat));
}

void page_says(struct page *pg, int seat, enum manner m)
{
    int character = pg->table->player[seat].character;
    if (pg->table->player[seat].computer && character)
        page_line(pg, TX(pg, T_CHARACTER_SAYS, page_name(pg, seat),
                         TX0(pg, character_text(character, m))));
}

struct str page_mention(const struct page *pg, struct str name, struct str id)
{
    if (id.n == 0 || !page_can(pg, CAN_MENTION))
        return marked(pg, MARK_BOLD, name);
    struct buf b = scratch(pg, id.n + name.n + 3);
    buf_char(&b, MARK_NAME);
    buf_put(&b, id);
    buf_char(&b, MARK_NAME);
    buf_put(&b, name);
    buf_char(&b, MARK_END);
    return buf_str(&b);
}

struct str page_time(const struct page *pg, int64_t ms)
{
    if (page_can(pg, CAN_COUNTDOWN)) {
        struct buf b = scratch(pg, 32);
        buf_char(&b, MARK_TIME);
        buf_int(&b, ms / 1000);
        buf_char(&b, MARK_END);
        return buf_str(&b);
    }
    struct date at = date_at(ms, pg->utc_offset), today = date_at(pg->e->now, pg->utc_offset);
    struct date tomorrow = date_at(pg->e->now + 24 * 3600 * 1000, pg->utc_offset);
    struct buf b = scratch(pg, 8);
    buf_print(&b, "%02d:%02d", at.hour, at.minute);
    struct str clock = buf_str(&b);
    if (at.day == today.day && at.month == today.month && at.year == today.year)
        return clock;
    if (at.day == tomorrow.day && at.month == tomorrow.month && at.year == tomorrow.year)
        return TX(pg, T_TIME_TOMORROW, clock);
    return TX(pg, T_TIME_DAY, page_int(pg, at.day), TX0(pg, (enum text)(T_MONTH_1 + at.month - 1)),
              clock);
}

struct str page_span(const struct page *pg, int64_t ms)
{
    int64_t minutes = (ms + 59999) / 60000;
    if (minutes >= 2 * 24 * 60 && minutes % (24 * 60) == 0)
        return TN(pg, T_DAYS, minutes / 1440, page_int(pg, minutes / 1440));
    if (minutes >= 60 && minutes % 60 == 0)
        return TN(pg, T_HOURS, minutes / 60, page_int(pg, minutes / 60));
    return TN(pg, T_MINUTES, minutes, page_int(pg, minutes));
}

static struct card_names *names_of(const struct page *pg)
{
    struct card_names *n = *pg->names;
    while (n && (n->t != pg->t || n->words != pg->words))
        n = n->next;
    if (!n) {
        n = arena_new(pg->a, struct card_names);
        n->next = *pg->names;
        n->t = pg->t;
        n->words = pg->words;
        *pg->names = n;
    }
    return n;
}

static struct str label_of(const struct page *pg, int card)
{
    bool unique = true;
    for (int c = 0; c < N_CARDS; c++)
        unique &= c == card || !str_is(pg->words->card[c], pg->words->card[card]);
    return unique ? pg->words->card[card]
                  : TX(pg, T_LABEL, pg->words->month[card_month(card)], pg->words->card[card]);
}

struct str page_label(const struct page *pg, int card)
{
    struct str *label = &names_of(pg)->label[card];
    if (label->n == 0)
        *label = label_of(pg, card);
    return *label;
}

struct str page_card(const struct page *pg, int card)
{
    struct str *name = &names_of(pg)->card[card];
    int month = card_month(card);
    if (name->n == 0)
        *name = TX(pg, T_CARD, page_int(pg, month + 1), pg->words->month[month],
                   pg->words->card[card], TX0(pg, (enum text)(T_GLYPH_BRIGHT + card_kind(card))));
    return *name;
}

struct str page_cards(const struct page *pg, cardset cards)
{
    struct buf b = scratch(pg, 4096);
    for (cardset rest = cards; rest; rest = set_rest(rest)) {
        if (b.n > 0)
            buf_put(&b, TX0(pg, T_DOT));
        buf_put(&b, page_card(pg, set_first(rest)));
    }
    return cards ? buf_str(&b) : TX0(pg, T_NOTHING);
}

struct str page_command(const struct page *pg, enum verb v)
{
    struct str name = pg->t->alias[v][0].n > 0 ? pg->t->alias[v][0] : str_of(commands[v].name);
    struct str prefix = pg->place->limits.prefix.n > 0 ? pg->place->limits.prefix : STR("/");
    struct buf b = scratch(pg, prefix.n + name.n);
    buf_put(&b, prefix);
    buf_put(&b, name);
    return buf_str(&b);
}

struct str page_join(const struct page *pg, struct str list, struct str sep, struct str more)
{
    if (list.n == 0)
        return more;
    struct buf b = scratch(pg, list.n + sep.n + more.n);
    buf_put(&b, list);
    buf_put(&b, sep);
    buf_put(&b, more);
    return buf_str(&b);
}

struct str page_scores(const struct page *pg)
{
    struct str list = {0};
    for (int i = 0; i < pg->table->players; i++)
        list = page_join(
            pg, list, TX0(pg, T_DASH),
            TX(pg, T_NAME_SCORE, page_name(pg, i), page_int(pg, pg->table->view.scores[i])));
    return list;
}

struct str page_names(const struct page *pg)
{
    struct str list = {0};
    for (int i = 0; i < pg->table->players; i++)
        list = page_join(pg, list, TX0(pg, T_DASH), page_name(pg, i));
    return TX(pg, T_MATCH_NAMED, page_int(pg, pg->table->no), list);
}

static struct str yaku_name(const struct page *pg, int y)
{
    return pg->words->yaku[y];
}

struct str page_yaku(const struct page *pg, const struct score *s)
{
    struct str list = {0};
    for (int y = 0; y < N_YAKU; y++)
        if (s->worth[y] > 0)
            list = page_join(pg, list, TX0(pg, T_PLUS),
                             TX(pg, T_YAKU_WORTH, yaku_name(pg, y), page_int(pg, s->worth[y])));
    return list;
}

const struct ruleset *page_ruleset(const struct page *pg)
{
    return made_ruleset(pg->w->made, &pg->table->view.rules);
}

struct str page_rounds(const struct page *pg)
{
    const struct view *v = &pg->table->view;
    bool left = v->stage == MATCH_OVER && v->why == MATCH_LEAVE && v->result.why != WHY_LEAVE;
    bool ended = (v->stage == MATCH_READY || left) && v->attempt == 1 && v->round_no > 1;
    int round = v->round_no - ended; /* between rounds: the one that was played */
    if (round > v->rules.rounds)
        return TX(pg, T_ROUND_EXTRA, page_int(pg, round - v->rules.rounds));
    return TX(pg, T_ROUND_OF, page_int(pg, round), page_int(pg, v->rules.rounds));
}

void page_button(struct page *pg, struct str label, enum verb v, int64_t index,
                 enum button_style style)
{
    if (!page_can(pg, CAN_BUTTONS) || pg->n_buttons == MAX_BUTTONS ||
        (pg->place->limits.buttons > 0 && pg->n_buttons >= pg->place->limits.buttons))
        return;
    struct button *b = &pg->buttons[pg->n_buttons++];
    struct press p = {v, pg->table ? pg->table->no : 0, pg->table ? pg->table->version : 0, index};
    *b = (struct button){.label =
                             text_cut(pg->a, label, pg->poll ? ANSWER_CHARS : LABEL_CHARS, false),
                         .style = (uint8_t)style};
    if (style == BUTTON_QUERY)
        b->data = arena_print(pg->a, "hand %lld", (long long)p.no);
    else if (style != BUTTON_BACK)
        b->data = style == BUTTON_LINK ? arena_print(pg->a, "h_%lld", (long long)p.no)
                                       : press_write(pg->place->key, p, pg->a);
    int a_row = pg->place->limits.buttons_a_row, in_row = 1;
    for (int i = pg->n_buttons - 2; i >= 0 && !pg->buttons[i].row_end; i--)
        in_row++;
    b->row_end = a_row > 0 && in_row >= a_row;
}

void page_row(struct page *pg)
{
    if (pg->n_buttons > 0)
        pg->buttons[pg->n_buttons - 1].row_end = true;
}
