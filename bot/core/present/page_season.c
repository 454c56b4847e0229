/* The scoreboard: one page of a season's table with what was best in it, and the post at a season's
 * end. */
#include "page.h"

#include "seasons.h"

/* ---- the table ---- */

static struct draft_cells cells_of(const struct draft *d, const struct stand *s, bool draws)
{
    enum { NAME_WIDE = 14 };
    long long won = s->won, drawn = s->drawn, lost = s->lost;
    return (struct draft_cells){{draft_int(d, s->place), text_clean(d->a, s->name, NAME_WIDE),
                                 draws ? arena_print(d->a, "%lld–%lld–%lld", won, drawn, lost)
                                       : arena_print(d->a, "%lld–%lld", won, lost),
                                 draft_signed(d, s->points),
                                 s->rated ? draft_rating(d, &s->rating) : STR("")}};
}

static void put_table(struct draft *d, const struct board_facts *f)
{
    enum { NAME = 1 << 1, RATING = 1 << 4 /* "1688 ±48": by its equal digits */ };
    int n = f->n + (f->own != NULL), own = f->own ? n : -1;
    struct draft_cells *rows = arena_array(d->a, struct draft_cells, (size_t)n + 1);
    bool draws = f->own && f->own->drawn > 0;
    for (int i = 0; i < f->n; i++) {
        draws |= f->at[i].drawn > 0;
        own = f->asker != 0 && f->at[i].person == f->asker ? i + 1 : own;
    }
    rows[0] = (struct draft_cells){{STR("#"), TX(d, T_BOARD_NAME),
                                    TX(d, draws ? T_BOARD_WON_DRAWN_LOST : T_BOARD_WON_LOST),
                                    TX(d, T_BOARD_POINTS), TX(d, T_BOARD_RATING)}};
    for (int i = 0; i < n; i++)
        rows[i + 1] = cells_of(d, i < f->n ? &f->at[i] : f->own, draws);
    draft_table(d, rows, n + 1, NAME | RATING, own, f->own != NULL);
}

static void add_stand(const struct draft *d, struct layout *l, const struct stand *s)
{
    layout_row(l, LAYOUT_TABLE);
    layout_text(l, draft_int(d, s->place));
    layout_text(l, draft_unmarked(d, s->name));
    layout_text(l, draft_int(d, s->won));
    layout_text(l, draft_int(d, s->drawn));
    layout_text(l, draft_int(d, s->lost));
    layout_text(l, draft_signed(d, s->points));
}

/* The table below its first line. */
static void put_picture(struct draft *d, struct str head)
{
    static const enum text names[] = {T_PICTURE_WON, T_PICTURE_DRAWN, T_PICTURE_LOST,
                                      T_PICTURE_POINTS};
    const struct board_facts *f = d->notice->seasons->board;
    struct layout l;
    if (!draft_can(d, CAN_PICTURE) || f->n == 0)
        return;
    layout_open(&l, d->w->bot->n_presets > 0 ? d->w->bot->presets[0].deck : "hanafuda");
    part_layout_line(&l, LAYOUT_LINE, draft_unmarked(d, head), STR(""));
    layout_row(&l, LAYOUT_TABLE);
    layout_text(&l, STR(""));
    layout_text(&l, STR(""));
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        layout_text(&l, TX(d, names[i]));
    for (int i = 0; i < f->n; i++)
        add_stand(d, &l, &f->at[i]);
    if (f->own)
        add_stand(d, &l, f->own);
    draft_picture(d, &l);
}

/* ---- around it ---- */

/* Rows, honours, and the way to other pages. */
static void put_page(struct draft *d, const struct board_facts *f)
{
    const struct stand *best = f->best, *caller = f->caller;
    bool provisional = f->own && f->own->rated && rating_provisional(&f->own->rating);
    for (int i = 0; i < f->n; i++)
        provisional |= f->at[i].rated && rating_provisional(&f->at[i].rating);
    put_table(d, f);
    SAY_IF(d, best, T_BOARD_BEST, best->name, draft_hand_won(d, best->best_hand),
           TN(d, T_POINTS, best->best, draft_int(d, best->best)));
    SAY_IF(d, caller, T_BOARD_CALLER, caller->name, draft_int(d, caller->calls_won),
           draft_int(d, caller->calls));
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
        SAY(d, T_BOARD_CHAMPION, draft_season(d, &c->season), names);
    }
    d->press_no = d->notice->post;
    d->press_version = season_code(&f->season);
    part_pages(d, f->page, f->pages, VERB_BOARD, 0);
}

static struct str chat_name(const struct draft *d)
{
    return d->e->chat_name.n && !d->e->direct ? d->e->chat_name : TX(d, T_THIS_CHAT);
}

void page_standings(struct draft *d)
{
    enum { DAY = 86400000 };
    const struct board_facts *f = d->notice->seasons->board;
    struct str chat = chat_name(d), season = draft_season(d, &f->season);
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
        put_picture(d, head);
}

void page_season_over(struct draft *d)
{
    const struct board_facts *f = d->notice->seasons->board;
    struct str first = {0};
    int n = 0;
    for (int i = 0; i < f->n && f->at[i].place == 1; i++, n++)
        draft_add(d, &first, T_AND, f->at[i].name);
    struct str head = TX(d, T_SEASON_ENDED, chat_name(d), draft_season(d, &f->season));
    draft_line(d, head);
    SAY_N(d, T_SEASON_WON, n, first);
    put_page(d, f);
    SAY(d, T_SEASON_NEXT, draft_command(d, VERB_BOARD));
    put_picture(d, head);
}
