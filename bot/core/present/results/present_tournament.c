/* A tournament: who has joined, the games of a round, its table, its end. */
#include "present_bodies.h"

#include "standing.h"

enum { ROWS = 10, NAME_WIDE = 14, ROW_BYTES = 256 };

/* ---- pieces ---- */

static const struct tournament_run *run_of(const struct body *body)
{
    return body->notice->tournament;
}

static struct str title(const struct body *body)
{
    const struct tournament *t = &run_of(body)->t;
    return TX(body, (enum text)(T_TOURNAMENT_SWISS + t->format), body_int(body, t->no));
}

static struct str entrant_name(const struct body *body, int entrant)
{
    return run_of(body)->t.entrant[entrant].name;
}

static void put_choice(struct body *body, enum text label, int64_t index, enum button_style style)
{
    body->press_no = run_of(body)->t.no;
    body_button(body, TX0(body, label), VERB_TOURNAMENT, index, style);
}

/* "2", "2½": halves as points. */
static struct str points(const struct body *body, int halves)
{
    if (halves == 1)
        return STR("½");
    return arena_print(body->a, "%d%s", halves / 2, halves % 2 ? "½" : "");
}

/* Quarters: "25.25" */
static struct str quarters(const struct body *body, int n)
{
    static const char *const part[] = {"", ".25", ".5", ".75"};
    return arena_print(body->a, "%d%s", n / 4, part[n % 4]);
}

/* ---- joining ---- */

static void put_terms(struct body *body)
{
    const struct tournament_run *run = run_of(body);
    struct table *t = arena_new(body->a, struct table);
    t->rules = run->rules;
    t->clock_ms = run->clock_ms;
    t->total_ms = run->total_ms;
    t->gain_ms = run->gain_ms;
    t->again = true; /* the first deal is by turns, not by a rule of the host */
    body->table = t;
    part_terms(body, &run->rules);
    body->table = NULL;
}

static void put_players(struct body *body)
{
    const struct tournament *t = &run_of(body)->t;
    struct str list = {0};
    for (int i = 0; i < t->n_entrants; i++)
        list = body_join(body, list, STR(", "), entrant_name(body, i));
    if (t->n_entrants == 0)
        list = TX0(body, T_NOTHING);
    body_line(body, TX(body, T_TOURNAMENT_PLAYERS, body_int(body, t->n_entrants), list));
}

static void put_how_to_join(struct body *body)
{
    const struct tournament_run *run = run_of(body);
    struct str command = body_command(body, VERB_TOURNAMENT);
    body_line(body, TX(body, T_TOURNAMENT_WAITS, run->host_name, body_int(body, ENTRANTS_LEAST),
                       body_time(body, run->ends)));
    if (!body_can(body, CAN_BUTTONS))
        body_line(body, TX(body, T_TOURNAMENT_HOW, command));
    if (run->by_code)
        body_line(body, TX(body, T_TOURNAMENT_CODE, command,
                           tournament_code_write(body->network->key, run->t.no, body->a)));
    put_choice(body, T_BUTTON_JOIN, TOURNAMENT_BUTTON_JOIN, BUTTON_TAKE);
    put_choice(body, T_BUTTON_LEAVE, TOURNAMENT_BUTTON_LEAVE, BUTTON_PLAIN);
    put_choice(body, T_BUTTON_START, TOURNAMENT_BUTTON_START, BUTTON_PLAIN);
}

static void put_opening(struct body *body)
{
    const struct tournament_run *run = run_of(body);
    body_line(body, title(body));
    put_terms(body);
    if (run->t.rounds > 0 && run->t.format == FORMAT_SWISS)
        body_line(body, TX(body, T_TOURNAMENT_LENGTH_ROUNDS, body_int(body, run->t.rounds),
                           body_span(body, run->round_ms)));
    else
        body_line(body, TX(body, T_TOURNAMENT_LENGTH, body_span(body, run->round_ms)));
    put_players(body);
    if (run->t.stage == STAGE_OPEN)
        put_how_to_join(body);
}

/* ---- a round ---- */

static void put_game(struct body *body, const struct tournament_game *g)
{
    static const char *const marks[N_GAME_RESULTS] = {
        [GAME_FIRST] = "1–0", [GAME_SECOND] = "0–1", [GAME_DRAW] = "½–½", [GAME_NEITHER] = "0–0"};
    static const enum text byes[N_FORMATS] = {[FORMAT_SWISS] = T_TOURNAMENT_BYE,
                                              [FORMAT_ROUND_ROBIN] = T_TOURNAMENT_BYE_FREE,
                                              [FORMAT_KNOCKOUT] = T_TOURNAMENT_BYE_ON};
    if (g->first == NO_ENTRANT)
        return;
    if (g->second == NO_ENTRANT) {
        body_line(body, TX(body, byes[run_of(body)->t.format], entrant_name(body, g->first)));
        return;
    }
    struct str no = body_int(body, g->board), first = entrant_name(body, g->first),
               second = entrant_name(body, g->second);
    body_line(body, marks[g->result] ? TX(body, T_TOURNAMENT_GAME_OVER, no, first, second,
                                          str_of(marks[g->result]))
                                     : TX(body, T_TOURNAMENT_GAME, no, first, second));
}

static struct str round_head(const struct body *body)
{
    return TX(body, T_TOURNAMENT_ROUND, title(body), body_int(body, body->notice->round),
              body_int(body, run_of(body)->t.rounds));
}

static void put_round(struct body *body)
{
    const struct tournament_run *run = run_of(body);
    int open = 0;
    body_line(body, round_head(body));
    for (int i = 0; i < run->t.n_games; i++)
        if (run->t.game[i].round == body->notice->round) {
            put_game(body, &run->t.game[i]);
            open += run->t.game[i].result == GAME_OPEN;
        }
    if (open > 0)
        body_line(body, TX(body, T_TOURNAMENT_UNTIL, body_time(body, run->ends)));
    if (!body_can(body, CAN_BUTTONS))
        body_line(body, TX(body, T_TOURNAMENT_TABLE_HOW, body_command(body, VERB_TOURNAMENT)));
    put_choice(body, T_BUTTON_TOURNAMENT, TOURNAMENT_BUTTON_TABLE, BUTTON_PLAIN);
}

static void put_reminder(struct body *body)
{
    const struct tournament_run *run = run_of(body);
    body_line(body, round_head(body));
    body_line(body, TX(body, T_TOURNAMENT_REMINDER, body_time(body, run->ends)));
    for (int i = 0; i < run->t.n_games; i++)
        if (run->t.game[i].round == run->t.round && run->t.game[i].result == GAME_OPEN)
            put_game(body, &run->t.game[i]);
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

static struct tournament_cells cells_of(const struct body *body, const struct standing_row *row)
{
    enum tournament_format format = (enum tournament_format)run_of(body)->t.format;
    struct tournament_cells c = {
        {body_int(body, row->place),
         text_clean(body->a, entrant_name(body, row->entrant), NAME_WIDE),
         arena_print(body->a, "%d–%d–%d", row->won, row->drawn, row->lost)}};
    if (format != FORMAT_KNOCKOUT) {
        c.at[COLUMN_POINTS] = points(body, row->points);
        c.at[COLUMN_SB] = quarters(body, row->sonneborn);
    }
    if (format == FORMAT_SWISS)
        c.at[COLUMN_BH] = points(body, row->buchholz);
    return c;
}

static struct tournament_cells titles(const struct body *body)
{
    return (struct tournament_cells){{STR("#"), TX0(body, T_BOARD_NAME),
                                      TX0(body, T_BOARD_WON_DRAWN_LOST), TX0(body, T_BOARD_POINTS),
                                      TX0(body, T_TOURNAMENT_BH), TX0(body, T_TOURNAMENT_SB)}};
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

static struct str row_text(const struct body *body, const struct tournament_cells *c,
                           const int *wide, bool own)
{
    struct buf b = {arena_alloc(body->a, ROW_BYTES), 0, ROW_BYTES, false};
    for (int i = 0; i < N_COLUMNS; i++) {
        if (wide[i] == 0)
            continue;
        buf_put(&b, i == 0 ? STR(" ") : STR("  "));
        pad(&b, c->at[i], wide[i], i != COLUMN_NAME);
    }
    if (own)
        buf_put(&b, TX0(body, T_BOARD_OWN));
    return buf_str(&b);
}

/* The rows of a page, and that of the sender. */
static void put_rows(struct body *body, const struct standing_row *rows, int from, int n, int own)
{
    struct tournament_cells cells[ROWS + 2], head = titles(body);
    int wide[N_COLUMNS] = {0}, shown = 0;
    bool apart = own >= 0 && (own < from || own >= from + n);
    for (int i = from; i < from + n; i++)
        cells[shown++] = cells_of(body, &rows[i]);
    if (apart)
        cells[shown++] = cells_of(body, &rows[own]);
    for (int i = 0; i < shown; i++)
        for (int k = 0; k < N_COLUMNS; k++) {
            int columns = text_columns(cells[i].at[k]), least = text_columns(head.at[k]);
            wide[k] = columns > wide[k] ? columns : wide[k];
            wide[k] = columns > 0 && least > wide[k] ? least : wide[k];
        }
    buf_char(&body->text, '\n');
    buf_char(&body->text, MARK_TABLE);
    body_put(body, row_text(body, &head, wide, false));
    for (int i = 0; i < n; i++)
        body_line(body, row_text(body, &cells[i], wide, from + i == own));
    if (apart) {
        body_line(body, STR(" …"));
        body_line(body, row_text(body, &cells[n], wide, true));
    }
    buf_char(&body->text, MARK_END);
}

static void put_pages(struct body *body, int page, int pages)
{
    if (pages < 2)
        return;
    body_line(body, TX(body, T_BOARD_PAGE, body_int(body, page + 1), body_int(body, pages)));
    body->press_version = body->notice->post;
    if (page > 0)
        put_choice(body, T_BUTTON_BEFORE, TOURNAMENT_PAGE + page - 1, BUTTON_PLAIN);
    if (page + 1 < pages)
        put_choice(body, T_BUTTON_AFTER, TOURNAMENT_PAGE + page + 1, BUTTON_PLAIN);
}

static void put_table(struct body *body)
{
    const struct tournament *t = &run_of(body)->t;
    struct standing_row rows[ENTRANTS_MOST];
    int pages = (t->n_entrants + ROWS - 1) / ROWS, page = body->notice->page, own = -1;
    page = page < pages ? page : pages - 1;
    standing_table(t, rows);
    bool for_sender = body->notice->audience != TO_TOURNAMENT && body->w->me;
    for (int i = 0; for_sender && i < t->n_entrants; i++)
        if (t->entrant[rows[i].entrant].person == body->w->me)
            own = i;
    int from = page * ROWS, n = t->n_entrants - from < ROWS ? t->n_entrants - from : ROWS;
    put_rows(body, rows, from, n, own);
    if (t->format != FORMAT_KNOCKOUT)
        body_line(body, TX0(body, t->format == FORMAT_SWISS ? T_TOURNAMENT_LEGEND_SWISS
                                                            : T_TOURNAMENT_LEGEND));
    put_pages(body, page, pages);
}

static void put_result(struct body *body)
{
    const struct tournament *t = &run_of(body)->t;
    struct standing_row rows[ENTRANTS_MOST];
    struct str first = {0};
    int n = 0;
    standing_table(t, rows);
    for (; n < t->n_entrants && rows[n].place == 1; n++)
        first = body_join(body, first, TX0(body, T_AND), entrant_name(body, rows[n].entrant));
    body_line(body, TX(body, T_TOURNAMENT_OVER, title(body)));
    body_line(body, TN(body, T_TOURNAMENT_WON, n, first));
    put_table(body);
}

void present_tournament(struct body *body)
{
    switch ((enum tournament_page)body->notice->n) {
    case TOURNAMENT_OPENING:
        put_opening(body);
        break;
    case TOURNAMENT_ROUND:
        put_round(body);
        break;
    case TOURNAMENT_TABLE:
        body_line(body, run_of(body)->t.stage == STAGE_OVER
                            ? TX(body, T_TOURNAMENT_OVER, title(body))
                            : round_head(body));
        put_table(body);
        break;
    case TOURNAMENT_RESULT:
        put_result(body);
        break;
    case TOURNAMENT_REMINDER:
        put_reminder(body);
        break;
    }
}
