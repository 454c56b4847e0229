/* The scoreboard: one page of a season's table with what was best in it, and the post at a season's
 * end. */
#include "present_bodies.h"

enum { NAME_WIDE = 14, ROW_BYTES = 256, DAY = 86400000 };

/* ---- the table ---- */

/* The columns of a row, as text; rating is empty without one. */
enum column { COLUMN_PLACE, COLUMN_NAME, COLUMN_RECORD, COLUMN_POINTS, COLUMN_RATING, N_COLUMNS };
struct cells {
    struct str at[N_COLUMNS];
};

static struct str won_lost(const struct body *body, const struct stand *s, bool draws)
{
    return draws ? arena_print(body->a, "%lld–%lld–%lld", (long long)s->won, (long long)s->drawn,
                               (long long)s->lost)
                 : arena_print(body->a, "%lld–%lld", (long long)s->won, (long long)s->lost);
}

static struct cells cells_of(const struct body *body, const struct stand *s, bool draws)
{
    return (struct cells){{body_int(body, s->place), text_clean(body->a, s->name, NAME_WIDE),
                           won_lost(body, s, draws), body_signed(body, s->points),
                           s->rated ? part_rating(body, &s->rating) : (struct str){0}}};
}

static struct cells titles(const struct body *body, bool draws, bool ratings)
{
    return (struct cells){{STR("#"), TX0(body, T_BOARD_NAME),
                           TX0(body, draws ? T_BOARD_WON_DRAWN_LOST : T_BOARD_WON_LOST),
                           TX0(body, T_BOARD_POINTS),
                           ratings ? TX0(body, T_BOARD_RATING) : (struct str){0}}};
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

static struct str row_text(struct body *body, const struct cells *c, const int *wide, bool own)
{
    struct buf b = {arena_alloc(body->a, ROW_BYTES), 0, ROW_BYTES, false};
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
        buf_put(&b, TX0(body, T_BOARD_OWN));
    return buf_str(&b);
}

static void put_table(struct body *body, const struct board_facts *f)
{
    bool draws = false, ratings = false;
    int wide[N_COLUMNS] = {0}, n = f->n + (f->own != NULL);
    struct cells *rows = arena_array(body->a, struct cells, (size_t)n + 1);
    for (int i = 0; i < n; i++) {
        const struct stand *s = i < f->n ? &f->at[i] : f->own;
        draws |= s->drawn > 0;
        ratings |= s->rated;
    }
    rows[n] = titles(body, draws, ratings);
    for (int i = 0; i <= n; i++) {
        if (i < n)
            rows[i] = cells_of(body, i < f->n ? &f->at[i] : f->own, draws);
        for (int k = 0; k < N_COLUMNS; k++) {
            int columns = text_columns(rows[i].at[k]);
            wide[k] = columns > wide[k] ? columns : wide[k];
        }
    }
    buf_char(&body->text, '\n');
    buf_char(&body->text, MARK_TABLE);
    body_put(body, row_text(body, &rows[n], wide, false));
    for (int i = 0; i < f->n; i++)
        body_line(body,
                  row_text(body, &rows[i], wide, f->at[i].person == f->asker && f->asker != 0));
    if (f->own) {
        body_line(body, STR(" …"));
        body_line(body, row_text(body, &rows[f->n], wide, true));
    }
    buf_char(&body->text, MARK_END);
}

/* ---- around it ---- */

static void put_honours(struct body *body, const struct board_facts *f)
{
    if (f->best)
        body_line(body,
                  TX(body, T_BOARD_BEST, f->best->name, part_hand_won(body, f->best->best_hand),
                     TN(body, T_POINTS, f->best->best, body_int(body, f->best->best))));
    if (f->caller)
        body_line(body, TX(body, T_BOARD_CALLER, f->caller->name,
                           body_int(body, f->caller->calls_won), body_int(body, f->caller->calls)));
    if (f->run)
        body_line(body, TN(body, T_BOARD_RUN, f->run->longest, f->run->name,
                           body_int(body, f->run->longest)));
}

static bool some_provisional(const struct board_facts *f)
{
    bool some = f->own && f->own->rated && rating_provisional(&f->own->rating);
    for (int i = 0; i < f->n; i++)
        some |= f->at[i].rated && rating_provisional(&f->at[i].rating);
    return some;
}

static void put_champions(struct body *body, const struct board_facts *f)
{
    if (f->n_champions > 0)
        body_line(body, TX0(body, T_BOARD_CHAMPIONS));
    for (int i = 0, next; i < f->n_champions; i = next) {
        const struct champion_seen *c = &f->champions[i];
        struct str names = c->name;
        for (next = i + 1;
             next < f->n_champions && strcmp(f->champions[next].season.text, c->season.text) == 0;
             next++)
            names = body_join(body, names, TX0(body, T_AND), f->champions[next].name);
        body_line(body, TX(body, T_BOARD_CHAMPION, part_season(body, &c->season), names));
    }
}

/* Rows, honours, and the way to other pages. */
static void put_page(struct body *body, const struct board_facts *f)
{
    put_table(body, f);
    put_honours(body, f);
    if (some_provisional(f))
        body_line(body, TX0(body, T_BOARD_PROVISIONAL));
    put_champions(body, f);
    if (f->pages < 2)
        return;
    body_line(body, TX(body, T_BOARD_PAGE, body_int(body, f->page + 1), body_int(body, f->pages)));
    body->press_no = body->notice->post;
    body->press_version = season_code(&f->season);
    if (f->page > 0)
        body_button(body, TX0(body, T_BUTTON_BEFORE), VERB_BOARD, f->page - 1, BUTTON_PLAIN);
    if (f->page + 1 < f->pages)
        body_button(body, TX0(body, T_BUTTON_AFTER), VERB_BOARD, f->page + 1, BUTTON_PLAIN);
}

static struct str chat_name(const struct body *body)
{
    return body->e->chat_name.n && !body->e->direct ? body->e->chat_name : TX0(body, T_THIS_CHAT);
}

void present_standings(struct body *body)
{
    const struct board_facts *f = body->notice->board;
    struct str chat = chat_name(body), season = part_season(body, &f->season);
    bool over = f->ends == 0 && !f->open;
    struct str head = f->open ? TX(body, T_BOARD_SEASON_OPEN, chat, season)
                      : over  ? TX(body, T_BOARD_SEASON_OVER, chat, season)
                              : TX(body, T_BOARD_SEASON, chat, season,
                                   body_span(body, (f->ends - body->e->now + DAY - 1) / DAY * DAY));
    body_line(body, head);
    if (f->n > 0)
        put_page(body, f);
    else
        body_line(body, over ? TX0(body, T_BOARD_NONE)
                             : TX(body, T_BOARD_EMPTY, body_command(body, VERB_CHALLENGE)));
    if (f->n > 0 && body->notice->n)
        part_picture_season(body, head);
}

void present_season_over(struct body *body)
{
    const struct board_facts *f = body->notice->board;
    struct str first = {0};
    int n = 0;
    for (int i = 0; i < f->n && f->at[i].place == 1; i++, n++)
        first = body_join(body, first, TX0(body, T_AND), f->at[i].name);
    struct str head = TX(body, T_SEASON_ENDED, chat_name(body), part_season(body, &f->season));
    body_line(body, head);
    body_line(body, TN(body, T_SEASON_WON, n, first));
    put_page(body, f);
    body_line(body, TX(body, T_SEASON_NEXT, body_command(body, VERB_BOARD)));
    part_picture_season(body, head);
}
