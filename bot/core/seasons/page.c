/* Scoreboards with what was best in them, the post at a season's end, places and badges after a
 * match; the card of a person: figures, past matches, one against another, ratings, badges. */
#include "page.h"

#include "seasons.h"
#include "season_link.h"

/* ---- pieces ---- */

static struct str chat_name(const struct draft *d)
{
    return d->e->chat_name.n && !d->e->direct ? d->e->chat_name : TX(d, T_THIS_CHAT);
}

static struct str where_of(const struct draft *d)
{
    return d->e->direct ? TX(d, T_EVERYWHERE) : chat_name(d);
}

/* "1534 ±62", "1534 ±162 ?" */
static struct str rating_words(const struct draft *d, const struct rating *r)
{
    int64_t unit = RATING_UNIT, half = unit / 2;
    return arena_print(d->a, "%lld ±%lld%s", (long long)((r->points + half) / unit),
                       (long long)((r->deviation + half) / unit),
                       rating_provisional(r) ? " ?" : "");
}

static struct str season_name(const struct draft *d, const struct season_key *key)
{
    int year, part;
    if (season_is_all(key))
        return TX(d, T_SEASON_ALL);
    enum season_length length = season_parts(key, &year, &part);
    if (length == SEASON_HAND)
        return TX(d, T_SEASON_NUMBER, draft_int(d, part));
    if (length == SEASON_YEAR)
        return draft_int(d, year);
    return TX(d, (enum text)((length == SEASON_MONTH ? T_SEASON_M1 : T_SEASON_Q1) + part - 1),
              draft_int(d, year));
}

static struct str hand_won_words(const struct draft *d, struct str hand)
{
    struct round_summary n;
    struct str list = {0};
    hand_won_read(hand, &n);
    if (n.hand)
        list = d->words->hand_yaku[n.hand];
    for (int y = 0; y < N_YAKU; y++)
        if (n.worth[y] > 0)
            draft_add(d, &list, T_PLUS, d->words->yaku[y]);
    return n.x[0] > 1 ? TX(d, T_HAND_TIMES, list, draft_int(d, n.x[0])) : list;
}

/* Of a button of the card. */
static int64_t card_index(const struct draft *d, enum card_tab tab)
{
    return d->notice->post * CARD_TABS + tab;
}

/* ---- the table ---- */

enum { NAME_WIDE = 14, BOARD_COLUMNS = 5 };

/* "14–3", with `draws` "14–1–3". */
static struct str sums_words(const struct draft *d, const struct stand *s, bool draws)
{
    return draws
               ? draft_sums(d, s->tally.won, s->tally.drawn, s->tally.lost)
               : arena_print(d->a, "%lld–%lld", (long long)s->tally.won, (long long)s->tally.lost);
}

static struct draft_cells cells_of(const struct draft *d, const struct stand *s, bool draws)
{
    return (struct draft_cells){{draft_int(d, s->place), text_clean(d->a, s->name, NAME_WIDE),
                                 sums_words(d, s, draws), draft_signed(d, s->tally.points),
                                 s->rated ? rating_words(d, &s->rating) : STR("")}};
}

/* Its head and a row for each; returns how many below the head. */
static int table_of(const struct draft *d, const struct board_facts *f, struct draft_cells **ret)
{
    int n = f->n + (f->own != NULL);
    struct draft_cells *rows = arena_array(d->a, struct draft_cells, (size_t)n + 1);
    bool draws = f->own && f->own->tally.drawn > 0;
    for (int i = 0; i < f->n; i++)
        draws |= f->at[i].tally.drawn > 0;
    rows[0] = (struct draft_cells){{STR("#"), TX(d, T_BOARD_NAME),
                                    TX(d, draws ? T_BOARD_WON_DRAWN_LOST : T_BOARD_WON_LOST),
                                    TX(d, T_BOARD_POINTS), TX(d, T_BOARD_RATING)}};
    for (int i = 0; i < n; i++)
        rows[i + 1] = cells_of(d, i < f->n ? &f->at[i] : f->own, draws);
    *ret = rows;
    return n;
}

static void put_table(struct draft *d, const struct board_facts *f)
{
    enum { NAME = 1 << 1, RATING = 1 << 4 /* "1688 ±48": by its equal digits */ };
    struct draft_cells *rows;
    int n = table_of(d, f, &rows), own = f->own ? n : -1;
    for (int i = 0; i < f->n; i++)
        own = f->asker != 0 && f->at[i].person == f->asker ? i + 1 : own;
    draft_table(d, rows, n + 1, NAME | RATING, own, f->own != NULL);
}

static void add_stand(const struct draft *d, struct layout *l, const struct stand *s)
{
    part_place(d, l, s->place, true, text_clean(d->a, s->name, NAME_WIDE),
               sums_words(d, s, s->tally.drawn > 0),
               s->rated ? rating_words(d, &s->rating) : STR(""), draft_signed(d, s->tally.points));
}

void part_hand_won(const struct draft *d, struct layout *l, struct str name, struct str hand,
                   int64_t best)
{
    struct round_summary n;
    if (hand.n == 0)
        return;
    hand_won_read(hand, &n);
    LAYOUT_ADD(l, LAYOUT_YAKU, draft_unmarked(d, part_dearest_words(d, &n)),
               TX(d, T_PICTURE_PLUS, draft_int(d, best)), str_of(part_dearest_key(&n)));
    if (name.n > 0)
        layout_text(l, text_clean(d->a, name, NAME_WIDE));
    layout_cards(l, part_dearest_cards(&d->w->bot->presets[0], &n));
}

/* The same with the cards of its dearest set, if pictures show them: "· plains: 1 2 3", without the name
 * if it is the only one. */
static struct str with_cards(const struct draft *d, struct str hand)
{
    struct round_summary n;
    struct str words = hand_won_words(d, hand);
    hand_won_read(hand, &n);
    struct str cards = part_hand_cards(d, &d->w->bot->presets[0], &n);
    if (cards.n > 0)
        draft_add(d, &words, T_DOT,
                  draft_is_sum(n.worth) ? TX(d, T_SCREEN_NEAR, part_dearest_words(d, &n), cards)
                                        : cards);
    return words;
}

struct str part_hand_won_words(const struct draft *d, struct str name, struct str hand,
                               int64_t best)
{
    struct str words = hand.n ? with_cards(d, hand) : STR("");
    if (hand.n == 0)
        return words;
    draft_add(d, &words, T_COMMA, TN(d, T_POINTS, best, draft_int(d, best)));
    return TX(d, T_SCREEN_NEAR, name, words);
}

/* The first three of a season, or of its page: fewer if that page begins below them. */
static int podium(const struct board_facts *f)
{
    enum { PODIUM = 3 };
    int n = 0;
    while (n < f->n && n < PODIUM && f->at[n].place <= PODIUM)
        n++;
    return n;
}

/* True if the season's dearest hand stands on the podium. */
static bool best_is_shown(const struct board_facts *f)
{
    for (int i = 0; f->best && i < podium(f); i++)
        if (f->at[i].person == f->best->person)
            return true;
    return !f->best;
}

/* In words, what the picture shows of the others on the podium. */
static void put_hands(struct draft *d, const struct board_facts *f)
{
    for (int i = 0; i < podium(f); i++) {
        const struct stand *s = &f->at[i];
        if (!f->best || s->person != f->best->person)
            draft_line(d, part_hand_won_words(d, s->name, s->best_hand, s->best));
    }
}

/* A poster: a podium with the best hand of each, the others as lines, the season's dearest hand. */
static void put_picture(struct draft *d, struct str head)
{
    const struct board_facts *f = d->notice->seasons->board;
    struct layout l;
    if (!draft_can(d, CAN_PICTURE) || f->n == 0)
        return;
    part_poster(d, &l);
    part_poster_title(d, &l, head);
    for (int i = 0; i < f->n; i++) {
        add_stand(d, &l, &f->at[i]);
        if (i < podium(f))
            part_hand_won(d, &l, STR(""), f->at[i].best_hand, f->at[i].best);
    }
    if (f->own)
        add_stand(d, &l, f->own);
    if (!best_is_shown(f))
        part_hand_won(d, &l, f->best->name, f->best->best_hand, f->best->best);
    part_poster_end(d, &l);
}

/* ---- around it ---- */

/* What was best in it, and its champions. */
static void put_honours(struct draft *d, const struct board_facts *f, bool picture)
{
    const struct stand *best = f->best, *caller = f->caller;
    bool provisional = f->own && f->own->rated && rating_provisional(&f->own->rating);
    for (int i = 0; i < f->n; i++)
        provisional |= f->at[i].rated && rating_provisional(&f->at[i].rating);
    SAY_IF(d, best, T_BOARD_BEST, best->name,
           picture ? with_cards(d, best->best_hand) : hand_won_words(d, best->best_hand),
           TN(d, T_POINTS, best->best, draft_int(d, best->best)));
    if (picture && draft_can(d, CAN_PICTURE))
        put_hands(d, f);
    SAY_IF(d, caller, T_BOARD_CALLER, caller->name, draft_int(d, caller->tally.calls_won),
           draft_int(d, caller->tally.calls));
    if (f->run)
        SAY_N(d, T_BOARD_RUN, f->run->longest, f->run->name, draft_int(d, f->run->longest));
    SAY_IF(d, provisional, T_BOARD_PROVISIONAL);
    SAY_IF(d, f->n_champions > 0, T_BOARD_CHAMPIONS);
    for (int i = 0, next; i < f->n_champions; i = next) {
        const struct champion_seen *c = &f->champions[i];
        struct str names = c->name;
        for (next = i + 1;
             next < f->n_champions && strcmp(f->champions[next].season.text, c->season.text) == 0;
             next++)
            draft_add(d, &names, T_AND, f->champions[next].name);
        SAY(d, T_BOARD_CHAMPION, season_name(d, &c->season), names);
    }
}

/* Where others may read it, if there are pages and the chat lets them. */
static void put_link(struct draft *d, const struct board_facts *f)
{
    bool shared = chat_settings_share(&d->w->chat.settings, d->w->can, d->e->direct);
    struct str link =
        shared ? part_link(d, "season", season_link_no(d->w->chat.id, &f->season), 0) : STR("");
    SAY_IF(d, link.n > 0, T_PAGE_SEASON_LINK, link);
}

/* Rows, honours, and the way to other pages. */
static void put_page(struct draft *d, const struct board_facts *f, bool picture)
{
    d->spare = d->text.n;
    put_table(d, f);
    d->spare_end = d->text.n;
    put_honours(d, f, picture);
    put_link(d, f);
    if (d->out.slot.n > 0) /* a picture beside the message with the buttons */
        return;
    d->press_no = d->notice->post;
    d->press_version = season_code(&f->season);
    part_pages(d, f->page, f->pages, VERB_BOARD, 0);
    if (draft_can(d, CAN_PICTURE) && d->notice->kind == NOTICE_STANDINGS && !d->notice->n)
        draft_press(d, T_BUTTON_PICTURE, VERB_BOARD, BOARD_PICTURE + f->page, BUTTON_PLAIN);
}

static bool is_over(const struct board_facts *f)
{
    return f->ends == 0 && !f->open;
}

static struct str head_of(const struct draft *d, const struct board_facts *f)
{
    enum { DAY = 86400000 };
    struct str chat = chat_name(d), season = season_name(d, &f->season);
    return f->open      ? TX(d, T_BOARD_SEASON_OPEN, chat, season)
           : is_over(f) ? TX(d, T_BOARD_SEASON_OVER, chat, season)
                        : TX(d, T_BOARD_SEASON, chat, season,
                             draft_span(d, (f->ends - d->e->now + DAY - 1) / DAY * DAY));
}

static struct str empty_words(const struct draft *d, const struct board_facts *f)
{
    return is_over(f) ? TX(d, T_BOARD_NONE)
                      : TX(d, T_BOARD_EMPTY, draft_command(d, VERB_CHALLENGE));
}

void page_standings(struct draft *d)
{
    const struct board_facts *f = d->notice->seasons->board;
    struct str head = head_of(d, f);
    part_picture_beside(d, d->notice->n != 0);
    draft_line(d, head);
    if (f->n > 0)
        put_page(d, f, d->notice->n != 0);
    else
        draft_line(d, empty_words(d, f));
    if (f->n > 0 && d->notice->n)
        put_picture(d, head);
}

void page_season_over(struct draft *d)
{
    const struct board_facts *f = d->notice->seasons->board;
    struct str first = {0};
    int n = 0;
    for (int i = 0; i < f->n && f->at[i].place == 1; i++, n++)
        draft_add(d, &first, T_AND, f->at[i].name);
    struct str head = TX(d, T_SEASON_ENDED, chat_name(d), season_name(d, &f->season));
    draft_line(d, head);
    SAY_N(d, T_SEASON_WON, n, first);
    put_page(d, f, true);
    SAY(d, T_SEASON_NEXT, draft_command(d, VERB_BOARD));
    put_picture(d, head);
}

/* ---- the page in a browser ---- */

struct str part_season_head(const struct draft *d)
{
    return draft_unmarked(d, head_of(d, d->notice->seasons->board));
}

void part_season_picture(struct draft *d)
{
    put_picture(d, head_of(d, d->notice->seasons->board));
}

void part_season_document(struct draft *d, struct buf *ret)
{
    const struct board_facts *f = d->notice->seasons->board;
    struct draft_cells *rows = NULL;
    int n = f->n > 0 ? table_of(d, f, &rows) : -1;
    if (n < 0)
        draft_line(d, empty_words(d, f));
    else
        put_honours(d, f, false);
    draft_document(d, rows, n + 1, BOARD_COLUMNS, ret);
}

/* ---- after a match ---- */

/* A place on the scoreboard; with the rating, once it is sure. */
static struct str season_rank(const struct draft *d, const struct result_effect *r)
{
    struct str place = draft_int(d, r->place), name = draft_person(d, r->seat);
    struct str rank = r->was > r->place
                          ? TX(d, T_RANK_UP, place, name, draft_int(d, r->was - r->place))
                      : r->was > 0 && r->was < r->place
                          ? TX(d, T_RANK_DOWN, place, name, draft_int(d, r->place - r->was))
                          : TX(d, T_RANK, place, name);
    return r->rated && !rating_provisional(&r->rating)
               ? TX(d, T_RANK_RATED, rank, rating_words(d, &r->rating))
               : rank;
}

/* The players' places on this chat's scoreboard after the match, best first; and their badges, which
 * the match's first chat alone reads of: the results of others carry none. */
void seasons_ranks(struct draft *d)
{
    const struct notice *notice = d->notice;
    struct str list = {0};
    const struct result_effect *last = NULL;
    for (int n = 0; n < d->table->players; n++) {
        const struct result_effect *next = NULL;
        for (int i = 0; i < notice->results.n; i++) {
            const struct result_effect *r = &notice->results.at[i];
            bool later = !last || r->place > last->place ||
                         (r->place == last->place && r->seat > last->seat);
            if (r->venue == d->at->venue && later && (!next || r->place < next->place))
                next = r;
        }
        if (!next)
            break;
        draft_add(d, &list, T_DOT, season_rank(d, next));
        last = next;
    }
    if (d->table->duel)
        return;
    draft_line(d, list.n ? TX(d, T_SEASON_NOW, list, draft_command(d, VERB_BOARD))
                         : TX(d, d->table->casual ? T_CASUAL_OVER : T_NOT_IN_SEASON));
    for (int i = 0; i < notice->results.n; i++) {
        const struct result_effect *r = &notice->results.at[i];
        SAY_IF(d, r->seat == 0 && r->venue == d->at->venue && r->met_won + r->met_lost > 0,
               T_HEAD_TO_HEAD, draft_person(d, 0), draft_int(d, r->met_won),
               draft_int(d, r->met_lost), draft_person(d, 1));
    }
    for (int i = 0; i < notice->results.n; i++) {
        const struct result_effect *r = &notice->results.at[i];
        SAY_IF(d, r->forfeit && r->tally.won && r->venue == d->at->venue, T_FORFEIT_POINTS,
               draft_coins(d, r->tally.points));
    }
    for (int i = 0; i < notice->results.n; i++)
        for (int b = 0; b < N_BADGES && notice->results.at[i].venue == d->at->venue; b++)
            SAY_IF(d, notice->results.at[i].badges >> b & 1, T_BADGE_EARNED,
                   draft_name(d, notice->results.at[i].seat), TX(d, badges[b].text));
    SAY_IF(d, last && last->over_limit, T_OVER_RATED, draft_int(d, RATED_PAIR_DAY));
}

/* ---- figures ---- */

/* A mean, as the language writes it: "+2.1", "−0,4". */
static struct str tenths(const struct draft *d, int64_t sum, int64_t n)
{
    int64_t t = n > 0 ? (20 * sum + (sum < 0 ? -n : n)) / (2 * n) : 0, size = t < 0 ? -t : t;
    return arena_print(d->a, "%s%.*s",
                       t > 0   ? "+"
                       : t < 0 ? "−"
                               : "",
                       STR_ARG(TX(d, T_DECIMAL, draft_int(d, size / 10), draft_int(d, size % 10))));
}

/* The yaku that comes at this place, from 0, among those that rounds were won with; -1: no more. */
static int most_won(const struct figures *f, int place)
{
    int found = -1;
    for (unsigned done = 0; place >= 0; place--) {
        found = -1;
        for (int y = 0; y < N_YAKU; y++)
            if (!(done >> y & 1) && f->yaku[y] > 0 && (found < 0 || f->yaku[y] > f->yaku[found]))
                found = y;
        if (found < 0)
            break;
        done |= 1u << found;
    }
    return found;
}

static struct str yaku_list(const struct draft *d, const struct figures *f)
{
    enum { YAKU_SHOWN = 8 };
    struct str list = {0};
    for (int k = 0, y; k < YAKU_SHOWN && (y = most_won(f, k)) >= 0; k++)
        draft_add(d, &list, T_DOT,
                  TX(d, T_STATS_COUNT, d->words->yaku[y], draft_int(d, f->yaku[y])));
    return list;
}

static struct str matches_words(const struct draft *d, const struct tally *t)
{
    return TX(d, T_STATS_MATCHES, draft_int(d, t->won), draft_int(d, t->drawn),
              draft_int(d, t->lost));
}

static void put_play(struct draft *d, const struct figures *f)
{
    enum { PERMILLE = 1000 };
    const struct stand *s = &f->sums;
    const struct tally *t = &s->tally;
    struct str line = matches_words(d, t);
    struct str rating = s->rated ? TX(d, T_STATS_RATING, rating_words(d, &s->rating)) : STR("");
    struct str yaku = yaku_list(d, f);
    if (t->gave_up > 0)
        draft_add(d, &line, T_DOT, TX(d, T_STATS_GAVE_UP, draft_int(d, t->gave_up)));
    if (s->place > 0)
        draft_add(d, &rating, T_DOT, TX(d, T_STATS_PLACE, draft_int(d, s->place)));
    draft_line(d, line);
    draft_line(d, rating);
    if (t->rounds > 0)
        SAY_N(d, T_STATS_ROUNDS, t->rounds, draft_int(d, t->rounds_won), draft_int(d, t->rounds),
              tenths(d, t->points, t->rounds));
    if (t->calls > 0)
        SAY_N(d, T_STATS_CALLS, t->calls, draft_int(d, t->calls), draft_int(d, t->calls_won),
              draft_int(d, t->calls_paid));
    SAY_IF(d, yaku.n > 0, T_STATS_YAKU, yaku);
    SAY_IF(d, s->best > 0, T_STATS_BEST, hand_won_words(d, s->best_hand),
           TN(d, T_POINTS, s->best, draft_int(d, s->best)));
    if (s->longest > 0)
        SAY_N(d, T_STATS_RUN, s->longest, draft_int(d, s->longest));
    if (f->reviewed > 0)
        SAY_N(d, T_STATS_ACCURACY, f->reviewed,
              draft_int(d, (f->accuracy * 100 + PERMILLE / 2) / PERMILLE),
              draft_int(d, f->reviewed));
}

static void put_figures(struct draft *d)
{
    const struct figures *f = d->notice->seasons->figures;
    struct str rules = {0}, earned = {0};
    bool played = tally_matches(&f->sums.tally) > 0;
    SAY(d, T_STATS_HEAD, f->name, where_of(d));
    SAY_IF(d, !played, T_STATS_NONE, draft_command(d, VERB_CHALLENGE));
    if (played)
        put_play(d, f);
#define FIGURES(function) function(d);
#include "notice.def"
    for (int i = 0; i < f->n_rules; i++) {
        const struct rules_figures *r = &f->rules[i];
        draft_add(d, &rules, T_DOT,
                  TX(d, T_STATS_COUNT, r->name, draft_sums(d, r->won, r->drawn, r->lost)));
    }
    for (int i = 0; i < f->n_badges; i++)
        draft_add(d, &earned, T_DOT, TX(d, badges[f->badge[i]].text));
    SAY_IF(d, played && f->n_rules > 1, T_STATS_RULES, rules);
    SAY_IF(d, played && f->n_badges > 0, T_STATS_BADGES, earned);
}

/* ---- matches ---- */

static void put_past(struct draft *d, const struct history *h)
{
    for (int i = 0; i < h->n; i++) {
        const struct past_match *m = &h->at[i];
        struct date on = date_at(m->at, d->utc_offset);
        enum text result = m->gave_up        ? T_HISTORY_GAVE_UP
                           : m->outcome > 0  ? (m->forfeit ? T_HISTORY_FORFEIT : T_HISTORY_WON)
                           : m->outcome == 0 ? T_HISTORY_DRAWN
                                             : T_HISTORY_LOST;
        SAY(d, T_HISTORY_LINE, draft_int(d, m->no), draft_int(d, on.day),
            TX(d, (enum text)(T_MONTH_1 + on.month - 1)),
            TX(d, result, m->opponents.n > 0 ? m->opponents : TX(d, T_COMPUTER)),
            draft_signed(d, m->points), m->rules);
    }
}

/* A number for each match, which opens its card. */
static void put_history(struct draft *d)
{
    const struct history *h = d->notice->seasons->history;
    SAY(d, T_HISTORY_HEAD, h->name, where_of(d));
    put_past(d, h);
    SAY_IF(d, h->n == 0, T_HISTORY_NONE, draft_command(d, VERB_CHALLENGE));
    for (int i = 0; i < h->n; i++) {
        d->press_no = h->at[i].no;
        draft_button(d, draft_int(d, d->press_no), VERB_ME, card_index(d, CARD_MATCH),
                     BUTTON_PLAIN);
    }
    SAY_IF(d, h->n > 0 && !draft_can(d, CAN_BUTTONS), T_HISTORY_HOW,
           draft_command(d, VERB_HISTORY));
    if (h->more)
        draft_press(d, T_BUTTON_OLDER, VERB_ME, card_index(d, CARD_HISTORY), BUTTON_PLAIN);
}

static void put_match(struct draft *d)
{
    const struct history *h = d->notice->seasons->history;
    int64_t person = d->press_version;
    SAY(d, T_HISTORY_HEAD, h->name, where_of(d));
    put_past(d, h);
    d->press_no = h->at[0].no;
    d->press_version = 0;
    SAY_IF(d, !draft_can(d, CAN_BUTTONS), T_CARD_MATCH, draft_command(d, VERB_REVIEW),
           draft_int(d, d->press_no), draft_command(d, VERB_REPLAY), draft_command(d, VERB_EXPORT));
    draft_press(d, T_BUTTON_REVIEW, VERB_REVIEW, 0, BUTTON_PLAIN);
    draft_press(d, T_BUTTON_REPLAY, VERB_REPLAY, 0, BUTTON_PLAIN);
    draft_press(d, T_BUTTON_RECORD, VERB_EXPORT, 0, BUTTON_PLAIN);
    d->press_version = person;
}

/* ---- against others ---- */

static void put_rival(struct draft *d, const struct rival *r)
{
    SAY(d, T_VERSUS_MATCHES, d->notice->seasons->versus->name, draft_int(d, r->tally.won), r->name,
        draft_int(d, r->tally.lost), draft_int(d, r->tally.drawn));
}

/* One of them, with the matches; or all of them, and a button for each. */
static void put_versus(struct draft *d)
{
    const struct versus *v = d->notice->seasons->versus;
    if (v->asked) {
        const struct rival *r = v->at;
        SAY(d, T_VERSUS_HEAD, v->name, r->name);
        if (tally_matches(&r->tally) == 0) {
            SAY(d, T_VERSUS_NONE);
            return;
        }
        put_rival(d, r);
        SAY(d, T_VERSUS_POINTS, v->name, draft_signed(d, r->tally.points));
        put_past(d, d->notice->seasons->history);
        return;
    }
    SAY(d, T_VERSUS_ALL, v->name, where_of(d));
    SAY_IF(d, v->n == 0, T_STATS_NONE, draft_command(d, VERB_CHALLENGE));
    for (int i = 0; i < v->n; i++) {
        put_rival(d, &v->at[i]);
        d->press_no = v->at[i].person;
        draft_button(d, v->at[i].name, VERB_ME, card_index(d, CARD_VERSUS), BUTTON_PLAIN);
    }
}

/* ---- ratings, badges ---- */

static void put_rating(struct draft *d)
{
    const struct figures *f = d->notice->seasons->figures;
    if (!f->everywhere)
        draft_line(d, f->sums.rated ? TX(d, T_RATING_HERE, f->name,
                                         rating_words(d, &f->sums.rating), where_of(d))
                                    : TX(d, T_RATING_NONE, f->name, where_of(d)));
    draft_line(d, f->rated_everywhere ? TX(d, T_RATING_WORLD, rating_words(d, &f->world))
                                      : TX(d, T_RATING_WORLD_NONE));
    SAY(d, T_RATING_HOW, draft_command(d, VERB_RATING));
}

static void put_badges(struct draft *d)
{
    const struct figures *f = d->notice->seasons->figures;
    unsigned earned = 0;
    SAY(d, T_BADGES_HEAD, f->name);
    for (int i = 0; i < f->n_badges; i++) {
        earned |= 1u << f->badge[i];
        SAY(d, T_BADGE_HAS, TX(d, badges[f->badge[i]].text));
    }
    for (int b = 0; b < N_BADGES; b++)
        SAY_IF(d, !(earned >> b & 1), T_BADGE_TO_EARN, TX(d, badges[b].text));
}

/* ---- the card as a picture ---- */

/* The sets that were won with most, with cards that make them. */
static void add_favourites(struct draft *d, struct layout *l, const struct figures *f)
{
    enum { SHOWN = 3, CARDS = 10 };
    const struct rules *r = &d->w->bot->presets[0];
    for (int k = 0, y; k < SHOWN && (y = most_won(f, k)) >= 0; k++) {
        int need;
        cardset shown = 0, rest = yaku_cards(r, (enum yaku)y, &need);
        LAYOUT_ADD(l, LAYOUT_YAKU, part_short_yaku(d, y),
                   TX(d, T_PICTURE_TIMES, draft_int(d, f->yaku[y])),
                   str_of(yaku_key((enum yaku)y)));
        for (int i = 0; i < need && i < CARDS && rest; i++, rest = set_rest(rest))
            shown |= CARD(set_first(rest));
        layout_cards(l, shown);
        SAY_IF(d, shown, T_SCREEN_NEAR, part_short_yaku(d, y), draft_cards_short(d, shown));
    }
}

/* A poster: results and rating, badges as seals, the favourite sets. The text says the same. */
static void put_profile(struct draft *d)
{
    const struct figures *f = d->notice->seasons->figures;
    const struct stand *s = &f->sums;
    struct round_summary best;
    struct layout l;
    part_picture_beside(d, true);
    put_figures(d);
    hand_won_read(s->best_hand, &best);
    part_poster(d, &l);
    LAYOUT_ADD(&l, LAYOUT_RESULT, part_place_stamp(s->place), text_clean(d->a, f->name, NAME_WIDE),
               matches_words(d, &s->tally),
               s->rated ? draft_int(d, (s->rating.points + RATING_UNIT / 2) / RATING_UNIT)
                        : STR(""));
    if (f->n_badges > 0)
        layout_row(&l, LAYOUT_SEALS);
    for (int i = 0; i < f->n_badges; i++) {
        layout_text(&l, str_of(badges[f->badge[i]].key));
        layout_text(&l, TX(d, badges[f->badge[i]].text));
    }
    add_favourites(d, &l, f);
    if (s->best > 0)
        LAYOUT_ADD(&l, LAYOUT_NOTE,
                   draft_unmarked(d, TX(d, T_STATS_BEST, part_dearest_words(d, &best),
                                        TN(d, T_POINTS, s->best, draft_int(d, s->best)))));
    if (s->longest > 0)
        LAYOUT_ADD(&l, LAYOUT_NOTE, TN(d, T_STATS_RUN, s->longest, draft_int(d, s->longest)));
    part_poster_end(d, &l);
}

/* ---- the card ---- */

void page_me(struct draft *d)
{
    static const struct {
        void (*put)(struct draft *d);
        enum text label;
    } tabs[] = {[CARD_FIGURES] = {put_figures, T_TAB_FIGURES},
                [CARD_HISTORY] = {put_history, T_TAB_HISTORY},
                [CARD_VERSUS] = {put_versus, T_TAB_VERSUS},
                [CARD_RATING] = {put_rating, T_TAB_RATING},
                [CARD_BADGES] = {put_badges, T_TAB_BADGES},
                [CARD_MATCH] = {.put = put_match},
                [CARD_PICTURE] = {.put = put_profile}};
    const int64_t shown = d->notice->n;
    d->press_version = d->notice->seasons->person;
    tabs[shown].put(d);
    if (shown == CARD_PICTURE)
        return;
    draft_row(d);
    d->press_no = 0;
    for (int tab = 0; tab < CARD_MATCH; tab++) {
        struct str label = TX(d, tabs[tab].label);
        draft_button(d, tab == shown ? TX(d, T_SEAT_IN, label) : label, VERB_ME,
                     card_index(d, (enum card_tab)tab), BUTTON_PLAIN);
    }
    const struct figures *f = d->notice->seasons->figures;
    if (shown == CARD_FIGURES && draft_can(d, CAN_PICTURE) && tally_matches(&f->sums.tally) > 0)
        draft_press(d, T_BUTTON_PICTURE, VERB_ME, card_index(d, CARD_PICTURE), BUTTON_PLAIN);
    if (!draft_can(d, CAN_BUTTONS) && shown == CARD_FIGURES)
        SAY(d, T_CARD_MORE, draft_command(d, VERB_HISTORY), draft_command(d, VERB_VERSUS),
            draft_command(d, VERB_RATING));
}
