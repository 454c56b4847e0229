/* See text.h. */
#include "body.h"

#include "character.h"

#include <assert.h>

enum { LABEL_CHARS = 60, ANSWER_CHARS = 240 }; /* of a button; of an answer in a poll */

struct str body_unmarked(const struct body *body, struct str s)
{
    struct buf b = {arena_alloc(body->a, s.n + 1), 0, s.n, false};
    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] == MARK_NAME)
            while (++i < s.n && s.p[i] != MARK_NAME)
                continue;
        else if (s.p[i] < MARK_BOLD || s.p[i] > MARK_LAST)
            buf_char(&b, s.p[i]);
    }
    return buf_str(&b);
}

void body_picture(struct body *body, const struct layout *l)
{
    struct buf b = {arena_room(body->a, LAYOUT_BYTES), 0, LAYOUT_BYTES, false};
    layout_write(l, &b);
    body->picture = b.cut ? STR("") : buf_str(&b);
}

bool body_can(const struct body *body, enum ability can)
{
    return (body->network->can & can) != 0 || (can == CAN_BUTTONS && body->poll);
}

/* The key to use in inline mode, where no command can be typed: some sentences that name a command
 * have a form without it. Its arguments are the first ones of the original. */
static enum text key_for_inline(const struct body *body, enum text key)
{
    static const struct {
        enum text key, inline_key;
    } rows[] = {
        {T_NOT_FOR_YOU, T_NOT_FOR_YOU_INLINE},
        {T_OFFER_GONE, T_OFFER_GONE_INLINE},
        {T_ACCEPT_OWN, T_ACCEPT_OWN_INLINE},
        {T_EXPIRED, T_EXPIRED_INLINE},
        {T_NOT_YOUR_MATCH, T_NOT_YOUR_MATCH_INLINE},
        {T_MATCH_OVER, T_MATCH_OVER_INLINE},
        {T_BETWEEN_ROUNDS, T_BETWEEN_ROUNDS_INLINE},
        {T_DEAL_SEED, T_DEAL_SEED_INLINE},
        {T_TIME_UP, T_TIME_UP_INLINE},
        {T_ABANDONED, T_ABANDONED_INLINE},
        {T_DRAW_OFFERED, T_DRAW_OFFERED_INLINE},
    };
    for (size_t i = 0; body_can(body, CAN_ONE_POST) && i < sizeof rows / sizeof *rows; i++)
        if (rows[i].key == key)
            return rows[i].inline_key;
    return key;
}

struct str body_text(const struct body *body, enum text key, int64_t n, const struct str *args,
                     int n_args)
{
    return text_make(body->t, body->a, key_for_inline(body, key), n, args, n_args);
}

void body_put(struct body *body, struct str s)
{
    buf_put(&body->text, s);
}

void body_line(struct body *body, struct str s)
{
    if (s.n == 0)
        return;
    if (body->text.n > 0)
        buf_char(&body->text, '\n');
    buf_put(&body->text, s);
}

void body_fold(struct body *body, struct str title)
{
    if (body->text.n > 0)
        buf_char(&body->text, '\n');
    buf_char(&body->text, MARK_FOLD);
    buf_put(&body->text, title);
}

void body_unfold(struct body *body)
{
    buf_char(&body->text, MARK_END);
}

static struct buf body_scratch(const struct body *body, size_t size)
{
    return (struct buf){arena_room(body->a, size), 0, size, false};
}

struct str body_int(const struct body *body, int64_t n)
{
    struct buf b = body_scratch(body, 24);
    buf_int(&b, n);
    return buf_str(&b);
}

struct str body_letter(const struct body *body, int n)
{
    struct buf b = body_scratch(body, 1);
    buf_char(&b, (char)('A' + n - 1));
    return buf_str(&b);
}

struct str body_signed(const struct body *body, int64_t n)
{
    struct buf b = body_scratch(body, 24);
    if (n > 0)
        buf_char(&b, '+');
    buf_int(&b, n);
    return buf_str(&b);
}

struct str body_coins(const struct body *body, int64_t n)
{
    struct str number = body_int(body, n);
    enum plural form = plural_of(body->t->language, n < 0 ? -n : n);
    bool points = body->table && body->table->rules.scoring == SCORING_POINTS;
    if (points)
        return TN(body, T_POINTS, n < 0 ? -n : n, number);
    return text_fill(body->a, body->words->coins[form], "n", &number, 1);
}

static struct str in_marks(const struct body *body, char mark, struct str s)
{
    struct buf b = body_scratch(body, s.n + 2);
    buf_char(&b, mark);
    buf_put(&b, s);
    buf_char(&b, MARK_END);
    return buf_str(&b);
}

struct str body_computer(const struct body *body, int character)
{
    return character ? TX0(body, character_text(character, MANNER_NAME)) : TX0(body, T_COMPUTER);
}

static struct str player_name(const struct body *body, int seat)
{
    const struct player_seen *p = &body->table->player[seat];
    if (p->computer)
        return body_computer(body, p->character);
    if (p->gone)
        return TX(body, T_COMPUTER_FOR, p->name);
    return p->name.n > 0 ? p->name : TX0(body, T_ANYONE);
}

struct str body_name(const struct body *body, int seat)
{
    return in_marks(body, MARK_BOLD, player_name(body, seat));
}

struct str body_person(const struct body *body, int seat)
{
    const struct player_seen *p = &body->table->player[seat];
    return p->gone ? in_marks(body, MARK_BOLD, p->name) : body_name(body, seat);
}

void body_character_says(struct body *body, int seat, enum manner m)
{
    int character = body->table->player[seat].character;
    if (body->table->player[seat].computer && character)
        body_line(body, TX(body, T_CHARACTER_SAYS, body_name(body, seat),
                           TX0(body, character_text(character, m))));
}

struct str body_mention(const struct body *body, struct str name, struct str id)
{
    if (id.n == 0 || !body_can(body, CAN_MENTION))
        return in_marks(body, MARK_BOLD, name);
    struct buf b = body_scratch(body, id.n + name.n + 3);
    buf_char(&b, MARK_NAME);
    buf_put(&b, id);
    buf_char(&b, MARK_NAME);
    buf_put(&b, name);
    buf_char(&b, MARK_END);
    return buf_str(&b);
}

struct str body_time(const struct body *body, int64_t ms)
{
    if (body_can(body, CAN_COUNTDOWN)) {
        struct buf b = body_scratch(body, 32);
        buf_char(&b, MARK_TIME);
        buf_int(&b, ms / 1000);
        buf_char(&b, MARK_END);
        return buf_str(&b);
    }
    struct date at = date_at(ms, body->utc_offset), today = date_at(body->e->now, body->utc_offset);
    struct date tomorrow = date_at(body->e->now + 24 * 3600 * 1000, body->utc_offset);
    struct buf b = body_scratch(body, 8);
    buf_print(&b, "%02d:%02d", at.hour, at.minute);
    struct str clock = buf_str(&b);
    if (at.day == today.day && at.month == today.month && at.year == today.year)
        return clock;
    if (at.day == tomorrow.day && at.month == tomorrow.month && at.year == tomorrow.year)
        return TX(body, T_TIME_TOMORROW, clock);
    return TX(body, T_TIME_DAY, body_int(body, at.day),
              TX0(body, (enum text)(T_MONTH_1 + at.month - 1)), clock);
}

enum { SECONDS_UP_TO = 5 }; /* minutes; longer spans are whole minutes */

struct str body_span(const struct body *body, int64_t ms)
{
    int64_t minutes = (ms + 59999) / 60000, seconds = ms / 1000;
    if (ms % 60000 && minutes <= SECONDS_UP_TO)
        return TN(body, T_SECONDS, seconds, body_int(body, seconds));
    if (minutes >= 2 * 24 * 60 && minutes % (24 * 60) == 0)
        return TN(body, T_DAYS, minutes / 1440, body_int(body, minutes / 1440));
    if (minutes >= 60 && minutes % 60 == 0)
        return TN(body, T_HOURS, minutes / 60, body_int(body, minutes / 60));
    return TN(body, T_MINUTES, minutes, body_int(body, minutes));
}

static struct card_names *card_names_of(const struct body *body)
{
    struct card_names *n = *body->names;
    while (n && (n->t != body->t || n->words != body->words))
        n = n->next;
    if (!n) {
        n = arena_new(body->a, struct card_names);
        n->next = *body->names;
        n->t = body->t;
        n->words = body->words;
        *body->names = n;
    }
    return n;
}

static struct str card_label(const struct body *body, int card)
{
    bool unique = true;
    for (int c = 0; c < N_CARDS; c++)
        unique &= c == card || !str_is(body->words->card[c], body->words->card[card]);
    return unique
               ? body->words->card[card]
               : TX(body, T_LABEL, body->words->month[card_month(card)], body->words->card[card]);
}

struct str body_label(const struct body *body, int card)
{
    struct str *label = &card_names_of(body)->label[card];
    if (label->n == 0)
        *label = card_label(body, card);
    return *label;
}

struct str body_card(const struct body *body, int card)
{
    struct str *name = &card_names_of(body)->card[card];
    int month = card_month(card);
    if (name->n == 0)
        *name =
            TX(body, T_CARD, body_int(body, month + 1), body->words->month[month],
               body->words->card[card], TX0(body, (enum text)(T_GLYPH_BRIGHT + card_kind(card))));
    return *name;
}

struct str body_card_alone(const struct body *body, int card)
{
    return TX(body, T_CARD_ALONE, body->words->month[card_month(card)], body->words->card[card],
              TX0(body, (enum text)(T_GLYPH_BRIGHT + card_kind(card))));
}

struct str body_cards(const struct body *body, cardset cards)
{
    struct buf b = body_scratch(body, 4096);
    for (cardset rest = cards; rest; rest = set_rest(rest)) {
        if (b.n > 0)
            buf_put(&b, TX0(body, T_DOT));
        buf_put(&b, body_card(body, set_first(rest)));
    }
    return cards ? buf_str(&b) : TX0(body, T_NOTHING);
}

struct str body_join(const struct body *body, struct str list, struct str sep, struct str more)
{
    if (list.n == 0)
        return more;
    struct buf b = body_scratch(body, list.n + sep.n + more.n);
    buf_put(&b, list);
    buf_put(&b, sep);
    buf_put(&b, more);
    return buf_str(&b);
}

struct str body_scores(const struct body *body)
{
    struct str list = {0};
    for (int i = 0; i < body->table->players; i++)
        list = body_join(body, list, TX0(body, T_DASH),
                         TX(body, T_NAME_SCORE, body_name(body, i),
                            body_int(body, body->table->view.scores[i])));
    return list;
}

struct str body_names(const struct body *body)
{
    struct str list = {0};
    for (int i = 0; i < body->table->players; i++)
        list = body_join(body, list, TX0(body, T_DASH), body_name(body, i));
    return TX(body, T_MATCH_NAMED, body_int(body, body->table->no), list);
}

static struct str yaku_name(const struct body *body, int y)
{
    return body->words->yaku[y];
}

struct str body_yaku(const struct body *body, const struct score *s)
{
    struct str list = {0};
    for (int y = 0; y < N_YAKU; y++)
        if (s->worth[y] > 0)
            list =
                body_join(body, list, TX0(body, T_PLUS),
                          TX(body, T_YAKU_WORTH, yaku_name(body, y), body_int(body, s->worth[y])));
    return list;
}

bool body_is_sum(const struct score *s)
{
    int n = 0;
    for (int y = 0; y < N_YAKU; y++)
        n += s->worth[y] > 0;
    return n > 1;
}

const struct ruleset *body_ruleset(const struct body *body)
{
    return ruleset_cache_get(body->w->rulesets, &body->table->view.rules);
}

struct str body_rounds(const struct body *body)
{
    const struct view *v = &body->table->view;
    bool left = v->stage == MATCH_OVER && (v->why == MATCH_LEAVE || v->why == MATCH_AGREED) &&
                v->result.why != WHY_LEAVE;
    bool ended = (v->stage == MATCH_READY || left) && v->attempt == 1 && v->round_no > 1;
    int round = v->round_no - ended; /* between rounds: the one that was played */
    if (round > v->rules.rounds)
        return TX(body, T_ROUND_EXTRA, body_int(body, round - v->rules.rounds));
    return TX(body, T_ROUND_OF, body_int(body, round), body_int(body, v->rules.rounds));
}

static int64_t button_version(const struct body *body, enum verb v)
{
    if (v == VERB_REVIEW && body->notice->audience == TO_ASKER)
        return press_reader(body->w->me);
    if (v == VERB_DRAW || v == VERB_TAKEBACK || v == VERB_CONTINUE)
        return body->notice->posted; /* of this question, and no later one */
    return body->table ? body->table->version : body->press_version;
}

void body_button(struct body *body, struct str label, enum verb v, int64_t index,
                 enum button_style style)
{
    if (!body_can(body, CAN_BUTTONS) || body->n_buttons == MAX_BUTTONS ||
        (body->network->limits.buttons > 0 && body->n_buttons >= body->network->limits.buttons))
        return;
    struct button *b = &body->buttons[body->n_buttons++];
    struct press p = {v, body->table ? body->table->no : body->press_no, button_version(body, v),
                      index};
    *b = (struct button){
        .label = text_cut(body->a, label, body->poll ? ANSWER_CHARS : LABEL_CHARS, false),
        .style = (uint8_t)style};
    if (style == BUTTON_QUERY)
        b->data = arena_print(body->a, "hand %lld", (long long)p.no);
    else if (style != BUTTON_BACK && style != BUTTON_ADD)
        b->data = style == BUTTON_LINK ? arena_print(body->a, "%s_%lld",
                                                     v == VERB_EXPORT ? "o" : "h", (long long)p.no)
                                       : press_write(body->network->key, p, body->a);
    int a_row = body->network->limits.buttons_a_row, in_row = 1;
    for (int i = body->n_buttons - 2; i >= 0 && !body->buttons[i].row_end; i--)
        in_row++;
    b->row_end = a_row > 0 && in_row >= a_row;
}

void body_row(struct body *body)
{
    if (body->n_buttons > 0)
        body->buttons[body->n_buttons - 1].row_end = true;
}
