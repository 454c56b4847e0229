/* A tournament: who has joined, the games of a round, its table, its end. */
#include "page.h"
#include "tournament_run.h"
#include "part.h"

#include "standing.h"

enum { ROWS = 10, NAME_WIDE = 14, ROW_BYTES = 256 };

/* ---- pieces ---- */

static const struct tournament_run *run_of(const struct draft *d)
{
    return d->notice->tournament.run;
}

static struct str title(const struct draft *d)
{
    const struct tournament *t = &run_of(d)->t;
    return TX(d, (enum text)(T_TOURNAMENT_SWISS + t->format), draft_int(d, t->no));
}

static struct str entrant_name(const struct draft *d, int entrant)
{
    return run_of(d)->t.entrant[entrant].name;
}

static void put_choice(struct draft *d, enum text label, int64_t index, enum button_style style)
{
    d->press_no = run_of(d)->t.no;
    draft_press(d, label, VERB_TOURNAMENT, index, style);
}

/* "2", "2½": halves as points. */
static struct str points(const struct draft *d, int halves)
{
    if (halves == 1)
        return STR("½");
    return arena_print(d->a, "%d%s", halves / 2, halves % 2 ? "½" : "");
}

/* Quarters: "25.25" */
static struct str quarters(const struct draft *d, int n)
{
    static const char *const part[] = {"", ".25", ".5", ".75"};
    return arena_print(d->a, "%d%s", n / 4, part[n % 4]);
}

/* ---- joining ---- */

static void put_terms(struct draft *d)
{
    const struct tournament_run *run = run_of(d);
    struct table *t = arena_new(d->a, struct table);
    t->rules = run->rules;
    t->time.move_ms = run->time.move_ms;
    t->time.total_ms = run->time.total_ms;
    t->time.gain_ms = run->time.gain_ms;
    t->again = true; /* the first deal is by turns, not by a rule of the host */
    d->table = t;
    part_terms(d, &run->rules);
    d->table = NULL;
}

static void put_players(struct draft *d)
{
    const struct tournament *t = &run_of(d)->t;
    struct str list = {0};
    for (int i = 0; i < t->n_entrants; i++)
        list = draft_join(d, list, STR(", "), entrant_name(d, i));
    if (t->n_entrants == 0)
        list = TX(d, T_NOTHING);
    SAY(d, T_TOURNAMENT_PLAYERS, draft_int(d, t->n_entrants), list);
}

static void put_how_to_join(struct draft *d)
{
    const struct tournament_run *run = run_of(d);
    struct str command = draft_command(d, VERB_TOURNAMENT);
    SAY(d, T_TOURNAMENT_WAITS, run->host_name, draft_int(d, ENTRANTS_LEAST),
        draft_time(d, run->ends));
    if (!draft_can(d, CAN_BUTTONS))
        SAY(d, T_TOURNAMENT_HOW, command);
    if (run->by_code)
        SAY(d, T_TOURNAMENT_CODE, command, join_code_write(d->network->key, VERB_TOURNAMENT, run->t.no, d->a));
    put_choice(d, T_BUTTON_JOIN, TOURNAMENT_BUTTON_JOIN, BUTTON_TAKE);
    put_choice(d, T_BUTTON_LEAVE, TOURNAMENT_BUTTON_LEAVE, BUTTON_PLAIN);
    put_choice(d, T_BUTTON_START, TOURNAMENT_BUTTON_START, BUTTON_PLAIN);
}

static void put_opening(struct draft *d)
{
    const struct tournament_run *run = run_of(d);
    draft_line(d, title(d));
    put_terms(d);
    if (run->t.rounds > 0 && run->t.format == FORMAT_SWISS)
        SAY(d, T_TOURNAMENT_LENGTH_ROUNDS, draft_int(d, run->t.rounds),
            draft_span(d, run->round_ms));
    else
        SAY(d, T_TOURNAMENT_LENGTH, draft_span(d, run->round_ms));
    put_players(d);
    if (run->t.stage == STAGE_OPEN)
        put_how_to_join(d);
}

/* ---- a round ---- */

static void put_game(struct draft *d, const struct tournament_game *g)
{
    static const char *const marks[N_GAME_RESULTS] = {
        [GAME_FIRST] = "1–0", [GAME_SECOND] = "0–1", [GAME_DRAW] = "½–½", [GAME_NEITHER] = "0–0"};
    static const enum text byes[N_FORMATS] = {[FORMAT_SWISS] = T_TOURNAMENT_BYE,
                                              [FORMAT_ROUND_ROBIN] = T_TOURNAMENT_BYE_FREE,
                                              [FORMAT_KNOCKOUT] = T_TOURNAMENT_BYE_ON};
    if (g->first == NO_ENTRANT)
        return;
    if (g->second == NO_ENTRANT) {
        SAY(d, byes[run_of(d)->t.format], entrant_name(d, g->first));
        return;
    }
    struct str no = draft_int(d, g->board), first = entrant_name(d, g->first),
               second = entrant_name(d, g->second);
    draft_line(d, marks[g->result]
                      ? TX(d, T_TOURNAMENT_GAME_OVER, no, first, second, str_of(marks[g->result]))
                      : TX(d, T_TOURNAMENT_GAME, no, first, second));
}

static struct str round_head(const struct draft *d)
{
    return TX(d, T_TOURNAMENT_ROUND, title(d), draft_int(d, d->notice->tournament.round),
              draft_int(d, run_of(d)->t.rounds));
}

static void put_round(struct draft *d)
{
    const struct tournament_run *run = run_of(d);
    int open = 0;
    draft_line(d, round_head(d));
    for (int i = 0; i < run->t.n_games; i++)
        if (run->t.game[i].round == d->notice->tournament.round) {
            put_game(d, &run->t.game[i]);
            open += run->t.game[i].result == GAME_OPEN;
        }
    if (open > 0)
        SAY(d, T_TOURNAMENT_UNTIL, draft_time(d, run->ends));
    if (!draft_can(d, CAN_BUTTONS))
        SAY(d, T_TOURNAMENT_TABLE_HOW, draft_command(d, VERB_TOURNAMENT));
    put_choice(d, T_BUTTON_TOURNAMENT, TOURNAMENT_BUTTON_TABLE, BUTTON_PLAIN);
}

static void put_reminder(struct draft *d)
{
    const struct tournament_run *run = run_of(d);
    draft_line(d, round_head(d));
    SAY(d, T_TOURNAMENT_REMINDER, draft_time(d, run->ends));
    for (int i = 0; i < run->t.n_games; i++)
        if (run->t.game[i].round == run->t.round && run->t.game[i].result == GAME_OPEN)
            put_game(d, &run->t.game[i]);
}

/* ---- the table ---- */

enum tournament_column {
    COLUMN_PLACE,
    COLUMN_NAME,
    COLUMN_RECORD,
    COLUMN_POINTS,
    COLUMN_BH,
    COLUMN_SB,
    N_COLUMNS
};
struct tournament_cells {
    struct str at[N_COLUMNS];
};

static struct tournament_cells cells_of(const struct draft *d, const struct standing_row *row)
{
    enum tournament_format format = (enum tournament_format)run_of(d)->t.format;
    struct tournament_cells c = {{draft_int(d, row->place),
                                  text_clean(d->a, entrant_name(d, row->entrant), NAME_WIDE),
                                  arena_print(d->a, "%d–%d–%d", row->won, row->drawn, row->lost)}};
    if (format != FORMAT_KNOCKOUT) {
        c.at[COLUMN_POINTS] = points(d, row->points);
        c.at[COLUMN_SB] = quarters(d, row->sonneborn);
    }
    if (format == FORMAT_SWISS)
        c.at[COLUMN_BH] = points(d, row->buchholz);
    return c;
}

static struct tournament_cells titles(const struct draft *d)
{
    return (struct tournament_cells){{STR("#"), TX(d, T_BOARD_NAME), TX(d, T_BOARD_WON_DRAWN_LOST),
                                      TX(d, T_BOARD_POINTS), TX(d, T_TOURNAMENT_BH),
                                      TX(d, T_TOURNAMENT_SB)}};
}

static void pad(struct buf *b, struct str s, int wide, bool right)
{
    int blanks = wide - text_columns(s);
    for (int i = 0; right && i < blanks; i++)
        buf_char(b, ' ');
    buf_put(b, s);
    for (int i = 0; !right && i < blanks; i++)
        buf_char(b, ' ');
}

static struct str row_text(const struct draft *d, const struct tournament_cells *c, const int *wide,
                           bool own)
{
    struct buf b = {arena_alloc(d->a, ROW_BYTES), 0, ROW_BYTES, false};
    for (int i = 0; i < N_COLUMNS; i++) {
        if (wide[i] == 0)
            continue;
        buf_put(&b, i == 0 ? STR(" ") : STR("  "));
        pad(&b, c->at[i], wide[i], i != COLUMN_NAME);
    }
    if (own)
        buf_put(&b, TX(d, T_BOARD_OWN));
    return buf_str(&b);
}

/* The rows of a page, and that of the sender. */
static void put_rows(struct draft *d, const struct standing_row *rows, int from, int n, int own)
{
    struct tournament_cells cells[ROWS + 2], head = titles(d);
    int wide[N_COLUMNS] = {0}, shown = 0;
    bool apart = own >= 0 && (own < from || own >= from + n);
    for (int i = from; i < from + n; i++)
        cells[shown++] = cells_of(d, &rows[i]);
    if (apart)
        cells[shown++] = cells_of(d, &rows[own]);
    for (int i = 0; i < shown; i++)
        for (int k = 0; k < N_COLUMNS; k++) {
            int columns = text_columns(cells[i].at[k]), least = text_columns(head.at[k]);
            wide[k] = columns > wide[k] ? columns : wide[k];
            wide[k] = columns > 0 && least > wide[k] ? least : wide[k];
        }
    buf_char(&d->text, '\n');
    buf_char(&d->text, MARK_TABLE);
    draft_put(d, row_text(d, &head, wide, false));
    for (int i = 0; i < n; i++)
        draft_line(d, row_text(d, &cells[i], wide, from + i == own));
    if (apart) {
        draft_line(d, STR(" …"));
        draft_line(d, row_text(d, &cells[n], wide, true));
    }
    buf_char(&d->text, MARK_END);
}

static void put_pages(struct draft *d, int page, int pages)
{
    if (pages < 2)
        return;
    SAY(d, T_BOARD_PAGE, draft_int(d, page + 1), draft_int(d, pages));
    d->press_version = d->notice->post;
    if (page > 0)
        put_choice(d, T_BUTTON_BEFORE, TOURNAMENT_PAGE + page - 1, BUTTON_PLAIN);
    if (page + 1 < pages)
        put_choice(d, T_BUTTON_AFTER, TOURNAMENT_PAGE + page + 1, BUTTON_PLAIN);
}

static void put_table(struct draft *d)
{
    const struct tournament *t = &run_of(d)->t;
    struct standing_row rows[ENTRANTS_MOST];
    int pages = (t->n_entrants + ROWS - 1) / ROWS, page = d->notice->tournament.page, own = -1;
    page = page < pages ? page : pages - 1;
    standing_table(t, rows);
    bool for_sender = d->notice->audience != TO_TOURNAMENT && d->w->me.person;
    for (int i = 0; for_sender && i < t->n_entrants; i++)
        if (t->entrant[rows[i].entrant].person == d->w->me.person)
            own = i;
    int from = page * ROWS, n = t->n_entrants - from < ROWS ? t->n_entrants - from : ROWS;
    put_rows(d, rows, from, n, own);
    if (t->format != FORMAT_KNOCKOUT)
        SAY(d, t->format == FORMAT_SWISS ? T_TOURNAMENT_LEGEND_SWISS : T_TOURNAMENT_LEGEND);
    put_pages(d, page, pages);
}

static void put_result(struct draft *d)
{
    const struct tournament *t = &run_of(d)->t;
    struct standing_row rows[ENTRANTS_MOST];
    struct str first = {0};
    int n = 0;
    standing_table(t, rows);
    for (; n < t->n_entrants && rows[n].place == 1; n++)
        draft_add(d, &first, T_AND, entrant_name(d, rows[n].entrant));
    SAY(d, T_TOURNAMENT_OVER, title(d));
    SAY_N(d, T_TOURNAMENT_WON, n, first);
    put_table(d);
}

void page_tournament(struct draft *d)
{
    switch ((enum tournament_page)d->notice->n) {
    case TOURNAMENT_OPENING:
        put_opening(d);
        break;
    case TOURNAMENT_ROUND:
        put_round(d);
        break;
    case TOURNAMENT_TABLE:
        draft_line(d, run_of(d)->t.stage == STAGE_OVER ? TX(d, T_TOURNAMENT_OVER, title(d))
                                                       : round_head(d));
        put_table(d);
        break;
    case TOURNAMENT_RESULT:
        put_result(d);
        break;
    case TOURNAMENT_REMINDER:
        put_reminder(d);
        break;
    }
}
