/* A tournament: who has joined, the games of a round, its table, its end. */
#include "page.h"

#include "tournament_run.h"

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

static struct str short_name(const struct draft *d, int entrant)
{
    enum { NAME_WIDE = 14 };
    return text_clean(d->a, entrant_name(d, entrant), NAME_WIDE);
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

static void put_opening(struct draft *d)
{
    const struct tournament_run *run = run_of(d);
    struct table *t = arena_new(d->a, struct table);
    struct str list = {0}, command = draft_command(d, VERB_TOURNAMENT);
    draft_line(d, title(d));
    t->rules = run->rules;
    t->time = run->time;
    t->again = true; /* the first deal is by turns, not by a rule of the host */
    d->table = t;
    part_terms(d, &run->rules);
    d->table = NULL;
    if (run->t.rounds > 0 && run->t.format == FORMAT_SWISS)
        SAY(d, T_TOURNAMENT_LENGTH_ROUNDS, draft_int(d, run->t.rounds),
            draft_span(d, run->round_ms));
    else
        SAY(d, run->t.format == FORMAT_ARENA ? T_TOURNAMENT_LENGTH_ARENA : T_TOURNAMENT_LENGTH,
            draft_span(d, run->round_ms));
    for (int i = 0; i < run->t.n_entrants; i++)
        list = draft_join(d, list, TX(d, T_COMMA), entrant_name(d, i));
    SAY(d, T_TOURNAMENT_PLAYERS, draft_int(d, run->t.n_entrants),
        run->t.n_entrants ? list : TX(d, T_NOTHING));
    if (run->t.stage != STAGE_OPEN)
        return;
    SAY(d, T_TOURNAMENT_WAITS, run->host_name,
        draft_int(d, run->t.format == FORMAT_ARENA ? ARENA_LEAST : ENTRANTS_LEAST),
        draft_time(d, run->ends));
    SAY_IF(d, !draft_can(d, CAN_BUTTONS), T_TOURNAMENT_HOW, command);
    SAY_IF(d, run->by_code, T_TOURNAMENT_CODE, command,
           join_code_write(d->network->key, VERB_TOURNAMENT, run->t.no, d->a));
    put_choice(d, T_BUTTON_JOIN, TOURNAMENT_BUTTON_JOIN, BUTTON_TAKE);
    put_choice(d, T_BUTTON_LEAVE, TOURNAMENT_BUTTON_LEAVE, BUTTON_PLAIN);
    put_choice(d, T_BUTTON_START, TOURNAMENT_BUTTON_START, BUTTON_PLAIN);
}

/* ---- a round ---- */

static struct str pair(const struct draft *d, const struct tournament_game *g)
{
    static const char *const marks[N_GAME_RESULTS] = {
        [GAME_FIRST] = "1–0", [GAME_SECOND] = "0–1", [GAME_DRAW] = "½–½", [GAME_NEITHER] = "0–0"};
    struct str first = entrant_name(d, g->first), second = entrant_name(d, g->second);
    return marks[g->result] ? TX(d, T_TOURNAMENT_PAIR_OVER, first, second, str_of(marks[g->result]))
                            : TX(d, T_TOURNAMENT_PAIR, first, second);
}

/* The games of a round as they are listed: with two players, numbered if there are several; then
 * those who have none. */
struct round_games {
    int games, byes;
    struct str names; /* with a bye */
};

static struct round_games games_of(const struct draft *d, int round)
{
    const struct tournament *t = &run_of(d)->t;
    struct round_games l = {0};
    for (int i = 0; i < t->n_games; i++) {
        const struct tournament_game *g = &t->game[i];
        bool two = g->first != NO_ENTRANT && g->second != NO_ENTRANT;
        if (g->round != round || g->first == NO_ENTRANT)
            continue;
        l.games += two;
        l.byes += !two;
        if (!two)
            draft_add(d, &l.names, T_COMMA, entrant_name(d, g->first));
    }
    return l;
}

static void put_byes(struct draft *d, const struct round_games *l, int round)
{
    const struct tournament *t = &run_of(d)->t;
    const int left = t->rounds - round;
    if (l->byes == 0)
        return;
    if (t->format != FORMAT_KNOCKOUT)
        SAY(d, t->format == FORMAT_SWISS ? T_TOURNAMENT_BYE : T_TOURNAMENT_BYE_FREE, l->names);
    else if (left > 0)
        draft_line(d, TN(d,
                         left == 1   ? T_TOURNAMENT_WAIT_1
                         : left == 2 ? T_TOURNAMENT_WAIT_2
                                     : T_TOURNAMENT_WAIT_ON,
                         l->byes, l->names));
}

/* All games of a round, or those that are open. Round 1 of a knock-out is a play-in for those who do
 * not wait in the next one. */
static void put_games(struct draft *d, int round, bool open)
{
    const struct tournament *t = &run_of(d)->t;
    const struct round_games l = games_of(d, round);
    const bool play_in = t->format == FORMAT_KNOCKOUT && round == 1 && l.byes > 0;
    int no = 0;
    for (int i = 0; i < t->n_games; i++) {
        const struct tournament_game *g = &t->game[i];
        if (g->round != round || g->first == NO_ENTRANT || g->second == NO_ENTRANT)
            continue;
        no++;
        if (open && g->result != GAME_OPEN)
            continue;
        draft_line(d, play_in       ? TX(d, T_TOURNAMENT_PLAY_IN, pair(d, g))
                      : l.games > 1 ? TX(d, T_TOURNAMENT_NUMBERED, draft_int(d, no), pair(d, g))
                                    : pair(d, g));
    }
    if (!open)
        put_byes(d, &l, round);
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
    put_games(d, d->notice->tournament.round, false);
    for (int i = 0; i < run->t.n_games; i++)
        open += run->t.game[i].round == d->notice->tournament.round &&
                run->t.game[i].result == GAME_OPEN;
    SAY_IF(d, open > 0, T_TOURNAMENT_UNTIL, draft_time(d, run->ends));
    SAY_IF(d, !draft_can(d, CAN_BUTTONS), T_TOURNAMENT_TABLE_HOW,
           draft_command(d, VERB_TOURNAMENT));
    put_choice(d, T_BUTTON_TOURNAMENT, TOURNAMENT_BUTTON_TABLE, BUTTON_PLAIN);
}

static void put_reminder(struct draft *d)
{
    const struct tournament_run *run = run_of(d);
    draft_line(d, round_head(d));
    SAY(d, T_TOURNAMENT_REMINDER, draft_time(d, run->ends));
    put_games(d, run->t.round, true);
}

/* ---- the table ---- */

static struct draft_cells cells_of(const struct draft *d, const struct standing_row *row)
{
    uint8_t format = run_of(d)->t.format;
    bool scored = format != FORMAT_KNOCKOUT, swiss = format == FORMAT_SWISS,
         arena = format == FORMAT_ARENA;
    return (struct draft_cells){{draft_int(d, row->place), short_name(d, row->entrant),
                                 draft_sums(d, row->won, row->drawn, row->lost),
                                 scored ? points(d, row->points) : STR(""),
                                 swiss ? points(d, row->buchholz) : STR(""),
                                 scored && !arena ? quarters(d, row->sonneborn) : STR("")}};
}

/* The page of the table, and the row of the sender. */
static void put_table(struct draft *d, const struct standing_row *rows)
{
    enum { ROWS = 10, NAME = 1 << 1 };
    const struct tournament *t = &run_of(d)->t;
    const struct notice *notice = d->notice;
    int pages = (t->n_entrants + ROWS - 1) / ROWS;
    int page = notice->tournament.page < pages ? notice->tournament.page : pages - 1,
        from = page * ROWS, own = -1;
    int n = t->n_entrants - from < ROWS ? t->n_entrants - from : ROWS;
    bool for_sender = notice->audience != TO_CHATS && d->w->me.person;
    struct draft_cells cells[ROWS + 2] = {
        {{STR("#"), TX(d, T_BOARD_NAME), TX(d, T_BOARD_WON_DRAWN_LOST), TX(d, T_BOARD_POINTS),
          TX(d, T_TOURNAMENT_BH), TX(d, T_TOURNAMENT_SB)}}};
    for (int i = 0; for_sender && i < t->n_entrants; i++)
        if (t->entrant[rows[i].entrant].person == d->w->me.person)
            own = i;
    bool apart = own >= 0 && (own < from || own >= from + n);
    for (int i = 0; i < n; i++)
        cells[i + 1] = cells_of(d, &rows[from + i]);
    if (apart)
        cells[n + 1] = cells_of(d, &rows[own]);
    d->spare = d->text.n;
    draft_table(d, cells, n + 1 + apart, NAME,
                apart     ? n + 1
                : own < 0 ? -1
                          : own - from + 1,
                apart);
    d->spare_end = d->text.n;
    SAY_IF(d, t->format < FORMAT_KNOCKOUT,
           t->format == FORMAT_SWISS ? T_TOURNAMENT_LEGEND_SWISS : T_TOURNAMENT_LEGEND);
    if (notice->n == TOURNAMENT_PICTURE)
        return;
    d->press_no = t->no;
    d->press_version = notice->post;
    part_pages(d, page, pages, VERB_TOURNAMENT, TOURNAMENT_PAGE);
    if (draft_can(d, CAN_PICTURE) && notice->post > 0)
        draft_press(d, T_BUTTON_PICTURE, VERB_TOURNAMENT, TOURNAMENT_BUTTON_PICTURE, BUTTON_PLAIN);
    d->press_no = d->press_version = 0;
    if (t->stage == STAGE_OVER)
        draft_press(d, T_BUTTON_TOURNAMENT_NEW, VERB_TOURNAMENT, TOURNAMENT_NEW, BUTTON_PLAIN);
}

/* ---- as a picture ---- */

static struct str picture_head(const struct draft *d)
{
    const struct tournament *t = &run_of(d)->t;
    return t->stage == STAGE_OVER      ? TX(d, T_TOURNAMENT_OVER, title(d))
           : t->format == FORMAT_ARENA ? title(d)
                                       : round_head(d);
}

/* A bracket has the last rounds of a knock-out: more are too narrow for names. */
static int first_shown(const struct tournament *t)
{
    enum { SHOWN = 3 };
    return t->rounds > SHOWN ? t->rounds - SHOWN + 1 : 1;
}

static void add_bracket(const struct draft *d, struct layout *l)
{
    const struct tournament *t = &run_of(d)->t;
    for (int round = first_shown(t); round <= t->rounds; round++) {
        int names = 2 << (t->rounds - round);
        layout_row(l, LAYOUT_BRACKET);
        for (int i = 0; i < t->n_games; i++) {
            const uint8_t both[] = {t->game[i].first, t->game[i].second};
            for (int k = 0; k < 2 && t->game[i].round == round; k++, names--)
                layout_text(l, both[k] == NO_ENTRANT ? STR("") : short_name(d, both[k]));
        }
        for (; names > 0; names--) /* of a round that has not begun */
            layout_text(l, STR(""));
    }
}

/* A poster: who leads or has won, the others; of a knock-out who has won, and how. */
static void put_picture(struct draft *d, const struct standing_row *rows)
{
    enum { ROWS = 10 };
    const struct tournament *t = &run_of(d)->t;
    const bool bracket = t->format == FORMAT_KNOCKOUT;
    const int most = !bracket ? ROWS : t->stage == STAGE_OVER;
    const bool told = t->stage == STAGE_OVER || rows[0].place < rows[t->n_entrants - 1].place;
    struct layout l;
    if (!draft_can(d, CAN_PICTURE))
        return;
    part_poster(d, &l);
    part_poster_title(d, &l, picture_head(d));
    for (int i = 0; i < t->n_entrants && i < most; i++) {
        struct draft_cells c = cells_of(d, &rows[i]);
        part_place(d, &l, rows[i].place, told, c.at[1], c.at[2], (struct str){0}, c.at[3]);
    }
    if (bracket)
        add_bracket(d, &l);
    part_poster_end(d, &l);
}

/* The same in words. */
static void put_pictured(struct draft *d, const struct standing_row *rows)
{
    const struct tournament *t = &run_of(d)->t;
    part_picture_beside(d, true);
    draft_line(d, picture_head(d));
    for (int i = first_shown(t); t->format == FORMAT_KNOCKOUT && i <= t->round; i++) {
        draft_line(d, TX(d, T_ROUND_OF, draft_int(d, i), draft_int(d, t->rounds)));
        put_games(d, i, false);
    }
    if (t->format != FORMAT_KNOCKOUT)
        put_table(d, rows);
    put_picture(d, rows);
}

/* ---- one to be opened ---- */

static struct str kind(const struct draft *d, int format)
{
    return TX(d, (enum text)(T_TOURNAMENT_KIND_SWISS + format));
}

/* Which kind, then how many rounds a match has; then what was chosen. */
static void put_ask(struct draft *d)
{
    static const uint8_t rounds[] = {FEW_ROUNDS, 6, 12};
    const int chosen = d->notice->tournament.round;
    struct rules r = *d->notice->rules;
    d->press_version = d->notice->post;
    if (chosen >= TOURNAMENT_OPENS) {
        d->out.replace_only = true; /* the opening says it, too */
        r.rounds = (uint8_t)((chosen - TOURNAMENT_OPENS) % 100);
        SAY(d, T_TOURNAMENT_ASKED, kind(d, (chosen - TOURNAMENT_OPENS) / 100), part_rounds(d, &r));
    } else if (chosen >= TOURNAMENT_KIND && chosen < TOURNAMENT_KIND + N_FORMATS) {
        const int format = chosen - TOURNAMENT_KIND;
        SAY(d, T_TOURNAMENT_ASK_ROUNDS, kind(d, format));
        for (size_t i = 0; i < sizeof rounds; i++) {
            r.rounds = rounds[i];
            if (i == 0 || memchr(r.rounds_allowed, rounds[i], r.n_rounds_allowed))
                draft_button(d, part_rounds(d, &r), VERB_TOURNAMENT,
                             TOURNAMENT_OPENS + 100 * format + rounds[i], BUTTON_PLAIN);
        }
    } else {
        SAY(d, T_TOURNAMENT_ASK);
        for (int format = N_FORMATS - 1; format >= 0; format--) {
            draft_line(d, TX(d, (enum text)(T_TOURNAMENT_ASK_SWISS + format)));
            draft_button(d, kind(d, format), VERB_TOURNAMENT, TOURNAMENT_KIND + format,
                         BUTTON_PLAIN);
        }
    }
}

/* An arena while it runs: its table, who plays, who waits. */
static void put_arena(struct draft *d, const struct standing_row *rows)
{
    const struct tournament_run *run = run_of(d);
    struct str games = {0}, waiting = {0};
    bool plays[ENTRANTS_MOST] = {false};
    draft_line(d, TX(d, T_TOURNAMENT_ARENA_UNTIL, title(d), draft_time(d, run->ends)));
    put_table(d, rows);
    for (int i = 0; i < run->t.n_games; i++) {
        const struct tournament_game *g = &run->t.game[i];
        if (g->result != GAME_OPEN)
            continue;
        plays[g->first] = plays[g->second] = true;
        struct str pair = {0};
        draft_add(d, &pair, T_DASH, entrant_name(d, g->first));
        draft_add(d, &pair, T_DASH, entrant_name(d, g->second));
        draft_add(d, &games, T_COMMA, pair);
    }
    for (int i = 0; i < run->t.n_entrants; i++)
        if (!plays[i] && !run->t.entrant[i].out)
            draft_add(d, &waiting, T_COMMA, entrant_name(d, i));
    SAY_IF(d, games.n > 0, T_TOURNAMENT_ARENA_PLAYS, games);
    if (run->t.stage != STAGE_RUNNING)
        return;
    SAY_IF(d, waiting.n > 0, T_TOURNAMENT_ARENA_WAITS, waiting);
    SAY_IF(d, !draft_can(d, CAN_BUTTONS), T_TOURNAMENT_ARENA_HOW,
           draft_command(d, VERB_TOURNAMENT));
    d->press_version = 0;
    put_choice(d, T_BUTTON_JOIN, TOURNAMENT_BUTTON_JOIN, BUTTON_TAKE);
    put_choice(d, T_BUTTON_LEAVE, TOURNAMENT_BUTTON_LEAVE, BUTTON_PLAIN);
}

void page_tournament(struct draft *d)
{
    if (d->notice->n == TOURNAMENT_ASK) {
        put_ask(d);
        return;
    }
    const struct tournament *t = &run_of(d)->t;
    struct standing_row rows[ENTRANTS_MOST];
    struct str over = TX(d, T_TOURNAMENT_OVER, title(d)), first = {0};
    int n = 0;
    standing_table(t, rows);
    if (d->notice->audience == TO_CHATS && d->notice->n <= TOURNAMENT_ROUND)
        d->out.slot = draft_slot(d, "tournament", t->no, d->notice->tournament.round);
    switch ((enum tournament_page)d->notice->n) {
    case TOURNAMENT_OPENING:
        put_opening(d);
        break;
    case TOURNAMENT_ROUND:
        if (t->format == FORMAT_ARENA)
            put_arena(d, rows);
        else
            put_round(d);
        break;
    case TOURNAMENT_TABLE:
        draft_line(d, t->stage == STAGE_OVER      ? over
                      : t->format == FORMAT_ARENA ? TX(d, T_TOURNAMENT_ARENA_UNTIL, title(d),
                                                       draft_time(d, run_of(d)->ends))
                                                  : round_head(d));
        put_table(d, rows);
        break;
    case TOURNAMENT_RESULT:
        for (; n < t->n_entrants && rows[n].place == 1; n++)
            draft_add(d, &first, T_AND, entrant_name(d, rows[n].entrant));
        draft_line(d, over);
        SAY_N(d, T_TOURNAMENT_WON, n, first);
        put_table(d, rows);
        put_picture(d, rows);
        break;
    case TOURNAMENT_REMINDER:
        put_reminder(d);
        break;
    case TOURNAMENT_PICTURE:
        put_pictured(d, rows);
        break;
    case TOURNAMENT_ASK:
        break;
    }
}
