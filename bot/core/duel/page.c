/* The duel of a day: its post, with who plays; its table. */
#include "duel.h"

#include "json.h"
#include "page.h"
#include "part_picture.h"

/* The day's seal, or its seed beside it once the day is over. Of a seed that is not open only the
 * commitment is ever written. */
static void put_seal(struct draft *d, const struct duel_facts *f, bool open)
{
    char commit[SEED_HEX_SIZE], seed[SEED_HEX_SIZE];
    chance_commit(&f->seed, commit);
    chance_hex(&f->seed, seed);
    draft_fold(d, T_SEALS_FOLD);
    SAY(d, T_DUEL_SEALED, str_of(commit));
    SAY_IF(d, open, T_DUEL_SEED, str_of(seed));
    draft_unfold(d);
}

/* "Mei" */
static struct str opponent(const struct draft *d)
{
    return draft_computer(d, character_find(d->w->bot->languages, d->a, STR("mei")));
}

/* As they began: the order of the table would tell how they played. */
static struct str players(const struct draft *d, const struct duel_facts *f)
{
    struct str names = {0};
    int64_t last = 0;
    for (int n = 0; n < f->n; n++) {
        const struct duel_try *next = NULL; /* the newest has no number yet */
        for (int i = 0; i < f->n; i++) {
            const struct duel_try *t = &f->at_try[i];
            bool later = t->session > last || t->session == 0;
            if (later &&
                (!next || next->session == 0 || (t->session && t->session < next->session)))
                next = t;
        }
        if (!next)
            break;
        draft_add(d, &names, T_COMMA, draft_mark_name(d, next->name, STR("")));
        last = next->session;
    }
    return names;
}

/* What it is, who plays, until when. */
static void put_words(struct draft *d, const struct duel_facts *f, bool runs)
{
    SAY(d, T_DUEL_HOW, part_rounds(d, &f->rules), opponent(d));
    SAY_IF(d, f->n > 0, T_DUEL_PLAYERS, players(d, f));
    SAY_IF(d, runs, T_DUEL_UNTIL, draft_time(d, f->ends));
    SAY_IF(d, !runs, T_DUEL_DAY_OVER);
}

/* Where others may read what it is, if there are pages and the chat lets them. */
static void put_link(struct draft *d, const struct duel_facts *f)
{
    struct str link = f->shared ? part_link(d, "duel", duel_link_no(f->chat, f->day), 0) : STR("");
    SAY_IF(d, link.n > 0, T_PAGE_DUEL_LINK, link);
}

static void put_invitation(struct draft *d, const struct duel_facts *f)
{
    struct str command = draft_command(d, VERB_DUEL);
    bool runs = d->notice->n == DUEL_INVITES;
    draft_line(d, TX(d, T_DUEL_HEAD, str_of(f->rules.name)));
    put_words(d, f, runs);
    SAY_IF(d, runs && !draft_can(d, CAN_BUTTONS), T_DUEL_TYPE, command);
    put_link(d, f);
    put_seal(d, f, false);
    if (!runs)
        return;
    d->press_version = f->day;
    draft_press(d, T_BUTTON_DUEL_PLAY, VERB_DUEL, DUEL_BUTTON_PLAY, BUTTON_TAKE);
    draft_press(d, T_BUTTON_DUEL_TABLE, VERB_DUEL, DUEL_BUTTON_TABLE, BUTTON_PLAIN);
}

enum { COLUMNS = 4 };

/* Its head and a row for each; returns how many rows. *ret_own: that of the reader, or -1. */
static int table_of(const struct draft *d, const struct duel_facts *f, struct draft_cells **ret,
                    int *ret_own)
{
    enum { NAME_WIDE = 14, MOST = 40 };
    static const enum text states[N_DUEL_STATES] = {[DUEL_PLAYING] = T_DUEL_PLAYING,
                                                    [DUEL_GAVE_UP] = T_DUEL_GAVE_UP,
                                                    [DUEL_UNFINISHED] = T_DUEL_UNFINISHED};
    int n = f->n < MOST ? f->n : MOST, place = 0, own = -1;
    struct draft_cells *rows = arena_array(d->a, struct draft_cells, (size_t)n + 1);
    rows[0] = (struct draft_cells){
        {STR("#"), TX(d, T_BOARD_NAME), TX(d, T_BOARD_POINTS), TX(d, T_DUEL_RUN)}};
    for (int i = 0; i < n; i++) {
        const struct duel_try *t = &f->at_try[i];
        bool played = t->state == DUEL_PLAYED;
        if (i == 0 || t->points != f->at_try[i - 1].points)
            place = i + 1;
        if (d->notice->audience != TO_CHATS && t->person == d->w->me.person)
            own = i + 1;
        rows[i + 1] = (struct draft_cells){
            {played ? draft_int(d, place) : STR("–"), text_clean(d->a, t->name, NAME_WIDE),
             played ? draft_signed(d, t->points) : TX(d, states[t->state]),
             played ? draft_int(d, t->run) : STR("")}};
    }
    *ret = rows;
    *ret_own = own;
    return n + 1;
}

/* The first of the table. */
static void put_winners(struct draft *d, const struct duel_facts *f)
{
    struct str first = {0};
    int n = 0;
    for (; n < f->n && f->at_try[n].state == DUEL_PLAYED &&
           f->at_try[n].points == f->at_try[0].points;
         n++)
        draft_add(d, &first, T_AND, f->at_try[n].name);
    if (n > 0)
        SAY_N(d, T_DUEL_WON, n, first);
}

void page_duel(struct draft *d)
{
    const struct duel_facts *f = d->notice->duel;
    enum duel_page page = (enum duel_page)d->notice->n;
    enum { NAME = 1 << 1 };
    struct draft_cells *rows;
    int own;
    if (page <= DUEL_CLOSED) {
        if (d->notice->audience == TO_CHATS)
            d->out.slot = draft_slot(d, "duel", f->day, -1);
        put_invitation(d, f);
        return;
    }
    draft_line(d, page == DUEL_OVER ? TX(d, T_DUEL_OVER) : TX(d, T_DUEL_SO_FAR));
    if (page == DUEL_OVER)
        put_winners(d, f);
    int n = table_of(d, f, &rows, &own);
    draft_table(d, rows, n, NAME, own, false);
    SAY_IF(d, page == DUEL_SO_FAR, T_DUEL_KEEP, draft_time(d, f->ends));
    if (page == DUEL_OVER)
        put_seal(d, f, true);
}

/* ---- the page in a browser ---- */

struct str part_duel_head(const struct draft *d)
{
    const struct duel_facts *f = d->notice->duel;
    bool over = d->notice->n == DUEL_OVER;
    return draft_unmarked(d, over ? TX(d, T_DUEL_OVER) : TX(d, T_DUEL_HEAD, str_of(f->rules.name)));
}

/* Before its end the picture has the opponent, and no card: what is dealt is the same for all. */
void part_duel_preview(struct draft *d)
{
    enum { SHOWN = 8 };
    const struct duel_facts *f = d->notice->duel;
    struct layout l;
    part_poster(d, &l);
    part_poster_title(d, &l, part_duel_head(d));
    if (d->notice->n == DUEL_OVER) {
        struct draft_cells *rows;
        int own, n = table_of(d, f, &rows, &own);
        put_winners(d, f);
        for (int i = 1; i < n && i <= SHOWN && f->at_try[i - 1].state == DUEL_PLAYED; i++) {
            int64_t place;
            if (str_int(rows[i].at[0], &place))
                part_place(d, &l, place, true, rows[i].at[1], STR(""), STR(""), rows[i].at[2]);
        }
    } else {
        SAY(d, T_DUEL_HOW, part_rounds(d, &f->rules), opponent(d));
        LAYOUT_ADD(&l, LAYOUT_FACE, STR("mei"), opponent(d),
                   draft_unmarked(d, str_trim(buf_str(&d->text))));
    }
    part_poster_end(d, &l);
}

void part_duel_document(struct draft *d, struct str network, struct buf *ret)
{
    const struct duel_facts *f = d->notice->duel;
    enum duel_page page = (enum duel_page)d->notice->n;
    struct draft_cells *rows = NULL;
    bool runs = page == DUEL_INVITES;
    int own, n = runs ? 0 : table_of(d, f, &rows, &own);
    if (page == DUEL_OVER)
        put_winners(d, f);
    else if (page == DUEL_SO_FAR)
        SAY(d, T_DUEL_KEEP, draft_time(d, f->ends));
    else
        put_words(d, f, true);
    SAY_IF(d, runs && f->own, T_DUEL_ONCE, draft_int(d, f->own ? f->own->session : 0),
           draft_time(d, f->ends));
    SAY_IF(d, runs && network.n > 0, T_PAGE_DUEL_CHAT, network);
    draft_document(d, rows, n, COLUMNS, ret);
    d->press_version = f->day;
    if (runs && !f->own && network.n == 0)
        draft_press(d, T_BUTTON_DUEL_PLAY, VERB_DUEL, DUEL_BUTTON_PLAY, BUTTON_TAKE);
    json_put_open(ret, "buttons", '[');
    for (int i = 0; i < d->out.n_buttons; i++) {
        json_put_open(ret, NULL, '{');
        json_put_str(ret, "text", d->out.buttons[i].label);
        json_put_str(ret, "press", d->out.buttons[i].data);
        buf_char(ret, '}');
    }
    buf_char(ret, ']');
}
