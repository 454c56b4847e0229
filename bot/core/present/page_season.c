/* The scoreboard: one page of a season's table with what was best in it, and the post at a season's
 * end. */
#include "page.h"
#include "seasons.h"
#include "part.h"

enum { NAME_WIDE = 14, ROW_BYTES = 256, DAY = 86400000 };

/* ---- the table ---- */

/* The columns of a row, as text; rating is empty without one. */
enum column { COLUMN_PLACE, COLUMN_NAME, COLUMN_RECORD, COLUMN_POINTS, COLUMN_RATING, N_COLUMNS };
struct cells {
    struct str at[N_COLUMNS];
};

static struct str won_lost(const struct draft *d, const struct stand *s, bool draws)
{
    return draws ? arena_print(d->a, "%lld–%lld–%lld", (long long)s->won, (long long)s->drawn,
                               (long long)s->lost)
                 : arena_print(d->a, "%lld–%lld", (long long)s->won, (long long)s->lost);
}

static struct cells cells_of(const struct draft *d, const struct stand *s, bool draws)
{
    return (struct cells){{draft_int(d, s->place), text_clean(d->a, s->name, NAME_WIDE),
                           won_lost(d, s, draws), draft_signed(d, s->points),
                           s->rated ? part_rating(d, &s->rating) : (struct str){0}}};
}

static struct cells titles(const struct draft *d, bool draws, bool ratings)
{
    return (struct cells){
        {STR("#"), TX(d, T_BOARD_NAME), TX(d, draws ? T_BOARD_WON_DRAWN_LOST : T_BOARD_WON_LOST),
         TX(d, T_BOARD_POINTS), ratings ? TX(d, T_BOARD_RATING) : (struct str){0}}};
}

static void put_padded(struct buf *b, struct str s, int columns, bool right)
{
    int blanks = columns - text_columns(s);
    if (!right)
        buf_put(b, s);
    for (; blanks > 0; blanks--)
        buf_char(b, ' ');
    if (right)
        buf_put(b, s);
}

static struct str row_text(struct draft *d, const struct cells *c, const int *wide, bool own)
{
    struct buf b = {arena_alloc(d->a, ROW_BYTES), 0, ROW_BYTES, false};
    for (int i = 0; i < N_COLUMNS; i++) {
        if (wide[i] == 0)
            continue;
        buf_put(&b, i == 0 ? STR(" ") : STR("  "));
        if (i == COLUMN_RATING) /* the last one: "1688 ±48", left by its equal digits */
            buf_put(&b, c->at[i]);
        else
            put_padded(&b, c->at[i], wide[i], i != COLUMN_NAME);
    }
    while (b.n > 0 && b.p[b.n - 1] == ' ')
        b.n--;
    if (own) /* everybody reads the board, so the row keeps its name */
        buf_put(&b, TX(d, T_BOARD_OWN));
    return buf_str(&b);
}

static void put_table(struct draft *d, const struct board_facts *f)
{
    bool draws = false, ratings = false;
    int wide[N_COLUMNS] = {0}, n = f->n + (f->own != NULL);
    struct cells *rows = arena_array(d->a, struct cells, (size_t)n + 1);
    for (int i = 0; i < n; i++) {
        const struct stand *s = i < f->n ? &f->at[i] : f->own;
        draws |= s->drawn > 0;
        ratings |= s->rated;
    }
    rows[n] = titles(d, draws, ratings);
    for (int i = 0; i <= n; i++) {
        if (i < n)
            rows[i] = cells_of(d, i < f->n ? &f->at[i] : f->own, draws);
        for (int k = 0; k < N_COLUMNS; k++) {
            int columns = text_columns(rows[i].at[k]);
            wide[k] = columns > wide[k] ? columns : wide[k];
        }
    }
    buf_char(&d->text, '\n');
    buf_char(&d->text, MARK_TABLE);
    draft_put(d, row_text(d, &rows[n], wide, false));
    for (int i = 0; i < f->n; i++)
        draft_line(d, row_text(d, &rows[i], wide, f->at[i].person == f->asker && f->asker != 0));
    if (f->own) {
        draft_line(d, STR(" …"));
        draft_line(d, row_text(d, &rows[f->n], wide, true));
    }
    buf_char(&d->text, MARK_END);
}

/* ---- around it ---- */

static void put_honours(struct draft *d, const struct board_facts *f)
{
    if (f->best)
        SAY(d, T_BOARD_BEST, f->best->name, part_hand_won(d, f->best->best_hand),
            TN(d, T_POINTS, f->best->best, draft_int(d, f->best->best)));
    if (f->caller)
        SAY(d, T_BOARD_CALLER, f->caller->name, draft_int(d, f->caller->calls_won),
            draft_int(d, f->caller->calls));
    if (f->run)
        SAY_N(d, T_BOARD_RUN, f->run->longest, f->run->name, draft_int(d, f->run->longest));
}

static bool some_provisional(const struct board_facts *f)
{
    bool some = f->own && f->own->rated && rating_provisional(&f->own->rating);
    for (int i = 0; i < f->n; i++)
        some |= f->at[i].rated && rating_provisional(&f->at[i].rating);
    return some;
}

static void put_champions(struct draft *d, const struct board_facts *f)
{
    if (f->n_champions > 0)
        SAY(d, T_BOARD_CHAMPIONS);
    for (int i = 0, next; i < f->n_champions; i = next) {
        const struct champion_seen *c = &f->champions[i];
        struct str names = c->name;
        for (next = i + 1;
             next < f->n_champions && strcmp(f->champions[next].season.text, c->season.text) == 0;
             next++)
            draft_add(d, &names, T_AND, f->champions[next].name);
        SAY(d, T_BOARD_CHAMPION, part_season(d, &c->season), names);
    }
}

/* Rows, honours, and the way to other pages. */
static void put_page(struct draft *d, const struct board_facts *f)
{
    put_table(d, f);
    put_honours(d, f);
    if (some_provisional(f))
        SAY(d, T_BOARD_PROVISIONAL);
    put_champions(d, f);
    if (f->pages < 2)
        return;
    SAY(d, T_BOARD_PAGE, draft_int(d, f->page + 1), draft_int(d, f->pages));
    d->press_no = d->notice->post;
    d->press_version = season_code(&f->season);
    if (f->page > 0)
        draft_press(d, T_BUTTON_BEFORE, VERB_BOARD, f->page - 1, BUTTON_PLAIN);
    if (f->page + 1 < f->pages)
        draft_press(d, T_BUTTON_AFTER, VERB_BOARD, f->page + 1, BUTTON_PLAIN);
}

static struct str chat_name(const struct draft *d)
{
    return d->e->chat_name.n && !d->e->direct ? d->e->chat_name : TX(d, T_THIS_CHAT);
}

void page_standings(struct draft *d)
{
    const struct board_facts *f = d->notice->seasons->board;
    struct str chat = chat_name(d), season = part_season(d, &f->season);
    bool over = f->ends == 0 && !f->open;
    struct str head = f->open ? TX(d, T_BOARD_SEASON_OPEN, chat, season)
                      : over  ? TX(d, T_BOARD_SEASON_OVER, chat, season)
                              : TX(d, T_BOARD_SEASON, chat, season,
                                   draft_span(d, (f->ends - d->e->now + DAY - 1) / DAY * DAY));
    draft_line(d, head);
    if (f->n > 0)
        put_page(d, f);
    else
        draft_line(d, over ? TX(d, T_BOARD_NONE)
                           : TX(d, T_BOARD_EMPTY, draft_command(d, VERB_CHALLENGE)));
    if (f->n > 0 && d->notice->n)
        part_picture_season(d, head);
}

void page_season_over(struct draft *d)
{
    const struct board_facts *f = d->notice->seasons->board;
    struct str first = {0};
    int n = 0;
    for (int i = 0; i < f->n && f->at[i].place == 1; i++, n++)
        draft_add(d, &first, T_AND, f->at[i].name);
    struct str head = TX(d, T_SEASON_ENDED, chat_name(d), part_season(d, &f->season));
    draft_line(d, head);
    SAY_N(d, T_SEASON_WON, n, first);
    put_page(d, f);
    SAY(d, T_SEASON_NEXT, draft_command(d, VERB_BOARD));
    part_picture_season(d, head);
}
