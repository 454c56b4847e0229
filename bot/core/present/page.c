/* The table of pages, one row a kind of notice; and the pages of one line. See page.h. */
#include "page.h"

/* ---- a line ---- */

/* A name; a mention if the id belongs to the network that sends it. */
static struct str arg_name(const struct draft *d, const struct arg *arg)
{
    int64_t account = arg->account ? arg->account : d->e->account;
    if (arg->known && (!d->table || d->at->venue != arg->known - 1))
        account = 0; /* a stranger, of another chat: the name alone */
    struct str name = effect_name(d->a, arg->s, arg->twin);
    return draft_mark_name(d, name, account == d->network->account ? arg->id : STR(""));
}

static struct str arg_text(const struct draft *d, const struct arg *arg)
{
    switch ((enum arg_kind)arg->kind) {
    case ARG_TEXT:
        return arg->s;
    case ARG_OPTION:
        return draft_option(d, arg->s);
    case ARG_INT:
        return draft_int(d, arg->n);
    case ARG_KEY:
        return TX(d, (enum text)arg->n);
    case ARG_TIME:
        return draft_time(d, arg->n);
    case ARG_CARD:
        return draft_card(d, (int)arg->n);
    case ARG_ALIAS:
        return draft_command(d, (enum verb)arg->n);
    case ARG_PRIVATE:
        return draft_command_at(d, (enum verb)arg->n, true);
    case ARG_GROUP:
        return draft_command_at(d, (enum verb)arg->n, false);
    case ARG_NAME:
        return arg->n          ? draft_computer(d, (int)arg->n - 1)
               : arg->s.n == 0 ? TX(d, T_ANYONE)
                               : arg_name(d, arg);
    case ARG_NONE:
        break;
    }
    return STR("");
}

static void line_text(struct draft *d)
{
    const struct notice *notice = d->notice;
    struct str args[MAX_ARGS], rest = str_of(text_args(notice->key));
    int n = 0;
    if (notice->audience == TO_TABLE)
        part_many(d);
    for (; str_word(&rest).n > 0 && n < MAX_ARGS; n++)
        args[n] = arg_text(d, &notice->arg[n]);
    draft_line(d, draft_text(d, notice->key, notice->n, args, n));
    if (notice->seals)
        part_seals(d);
}

/* Buttons of a line; the board below it has some of them in inline mode. */
static void line_buttons(struct draft *d)
{
    static const struct {
        enum verb verb;
        enum text label;
        enum button_style style;
        int index;
    } rows[] = {
        {VERB_HAND, T_BUTTON_HAND, BUTTON_PLAIN, 0},
        {VERB_CLAIM, T_BUTTON_CLAIM, BUTTON_DANGER, 0},
        {VERB_WAIT, T_BUTTON_WAIT, BUTTON_PLAIN, 0},
        {VERB_RESIGN, T_BUTTON_RESIGN, BUTTON_DANGER, 0},
        {VERB_START, T_BUTTON_OPEN, BUTTON_LINK, 0},
        {VERB_CONTINUE, T_BUTTON_PLAY_ON, BUTTON_TAKE, 0},
        {VERB_CONTINUE, T_BUTTON_END_IT, BUTTON_PLAIN, 1},
        {VERB_DRAW, T_BUTTON_ACCEPT, BUTTON_TAKE, 0},
        {VERB_DRAW, T_BUTTON_DECLINE_INLINE, BUTTON_PLAIN, 1},
        {VERB_TAKEBACK, T_BUTTON_ACCEPT, BUTTON_TAKE, 0},
        {VERB_TAKEBACK, T_BUTTON_DECLINE_INLINE, BUTTON_PLAIN, 1},
#define BUTTON(verb, label, style) {VERB_##verb, label, style, 0},
#include "notice.def"
    };
    uint64_t verbs = d->notice->verbs;
    if (draft_can(d, CAN_ONE_POST))
        verbs &= ~((uint64_t)1 << VERB_HAND | (uint64_t)1 << VERB_START);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (verbs >> rows[i].verb & 1) {
            bool own = rows[i].verb == VERB_RESIGN; /* others may read it: 1 + who was asked */
            draft_press(d, rows[i].label, rows[i].verb, own ? d->notice->seat + 1 : rows[i].index,
                        rows[i].style);
        }
}

void page_ping(struct draft *d)
{
    struct str name = draft_mention(d, d->notice->seat);
    draft_line(d, d->table->many ? TX(d, T_PING_MANY, name, draft_int(d, d->table->no))
                                 : TX(d, T_PING, name));
    draft_press(d, T_BUTTON_HAND, VERB_HAND, 0, BUTTON_PLAIN);
}

/* All that is kept of a person, or a record; what is in the file if it is one. */
void page_whole(struct draft *d)
{
    if (d->out.file.n == 0)
        buf_put(&d->text, d->notice->text);
    else if (d->page == NOTICE_EXPORT)
        SAY(d, T_EXPORT_FILE, draft_names(d));
    else
        SAY(d, T_MYDATA_HEAD);
}

const struct page_part page_line[] = {{line_text, 0, 0}, {line_buttons, 0, 0}, {0}};

/* ---- the table ---- */

const struct page page_of[N_NOTICES] = {
#define PAGE(kind, function, flags, reaction) [NOTICE_##kind] = {function, NULL, flags, reaction},
#define PARTS(kind, rows, flags, reaction)    [NOTICE_##kind] = {NULL, rows, flags, reaction},
#include "notice.def"
};

bool page_may_be_public(const struct notice *notice)
{
    for (int i = 0; notice->kind == NOTICE_LINE && i < MAX_ARGS; i++)
        if (notice->arg[i].kind == ARG_CARD)
            return false;
    return page_of[notice->kind].flags & PAGE_PUBLIC;
}

/* ---- writing ---- */

/* What holds of the notice and its table, as bits of enum page_when. */
static unsigned conditions(const struct draft *d)
{
    const struct notice *notice = d->notice;
    const struct view *v = &d->table->view;
    bool runs = d->table->phase == SESSION_PLAYING;
    bool dealt = runs && v->stage == MATCH_PLAYING, mine = dealt && v->turn == v->seat,
         plays = mine && v->phase == PHASE_HAND, chooses = mine && v->phase == PHASE_DRAW;
    bool shown = draft_can(d, CAN_PICTURE) && part_has_cards(d); /* words say what a picture does */
    bool beside = plays && notice->n == HAND_UNASKED && !draft_can(d, CAN_EDIT) && !d->at->direct &&
                  !shown && d->table->player[v->seat].channel == CHANNEL_WHISPER;
    bool brief = dealt && !d->quoted && d->table->phase == SESSION_PLAYING &&
                 !draft_can(d, CAN_EDIT) && d->table->player[v->turn].computer && v->n_seen > 0;
    bool screen = part_on_screen(d);
    bool folded = d->page == NOTICE_BOARD && draft_can(d, CAN_FOLD) && !d->quoted;
    return (notice->audience == TO_SEAT ? IF_SEAT : 0) | (runs ? IF_RUNS : 0) |
           (dealt ? IF_DEALT : 0) | (mine ? IF_MINE : 0) | (plays ? IF_PLAYS : 0) |
           (chooses ? IF_CHOOSES : 0) | (mine && v->phase == PHASE_DECIDE ? IF_DECIDES : 0) |
           (dealt && !mine ? IF_WAITS : 0) | (dealt && !chooses ? IF_LISTS : 0) |
           (v->why == MATCH_LEAVE || v->why == MATCH_AGREED ? IF_BROKEN : 0) |
           (d->at->direct ? IF_DIRECT : 0) | (beside ? IF_BESIDE : 0) |
           (draft_can(d, CAN_ONE_POST) ? IF_ONE_POST : 0) | (d->quoted ? IF_QUOTED : 0) |
           (screen ? IF_SCREEN : 0) | (screen || folded ? IF_FOLDED : 0) | (brief ? IF_BRIEF : 0);
}

void page_write_as(struct draft *d, enum notice_kind kind)
{
    const struct notice *notice = d->notice;
    const struct page *page = &page_of[kind];
    bool for_one =
        notice->audience != TO_HERE || d->e->direct; /* all see answers of a group's poll */
    d->poll = (page->flags & PAGE_MENU) && for_one && draft_can(d, CAN_POLL);
    d->page = kind;
    if (page->whole)
        page->whole(d);
    unsigned holds = page->parts && d->table ? conditions(d) : 0;
    d->short_names = (holds & IF_SCREEN) != 0;
    for (const struct page_part *part = page->parts; part && part->write; part++)
        if ((part->when & ~holds) == 0 && (part->unless & holds) == 0)
            part->write(d);
}

void page_write(struct draft *d)
{
    page_write_as(d, (enum notice_kind)d->notice->kind);
}
