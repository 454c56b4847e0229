/* One message while it is written: its reader, text, buttons, and how it ends. The pieces of its
 * sentences are in draft_words.c. See draft.h. */
#include "draft_words.h"

#include "json.h"
#include "text.h"

#include <assert.h>

enum { LABEL_CHARS = 60, ANSWER_CHARS = 240 }; /* of a button; of an answer in a poll */

/* ---- who sends and reads it ---- */

bool draft_from(struct draft *d, int64_t account, const struct seen_from *at)
{
    d->at = at;
    for (int i = 0; i < d->networks->n; i++)
        if (d->networks->at[i].account == account) {
            d->network = &d->networks->at[i];
            return true;
        }
    return false;
}

void draft_one_post(struct draft *d)
{
    d->one_post = *d->network;
    d->one_post.can &= ~(uint32_t)(CAN_WHISPER | CAN_ERASE | CAN_PICTURE | CAN_RETURN);
    d->one_post.can |= CAN_ONE_POST;
    d->network = &d->one_post;
}

void draft_in_words(struct draft *d)
{
    const struct notice *notice = d->notice;
    const struct person_prefs *asker = d->fx->prefs ? d->fx->prefs : &d->w->me.prefs;
    bool words =
        notice->audience == TO_SEAT ? notice->table->player[notice->seat].words : asker->words;
    if (!words)
        return;
    d->one_post = *d->network;
    d->one_post.can &= ~(uint32_t)CAN_POLL;
    d->network = &d->one_post;
}

/* The reader's catalogue. A language chosen by this very event counts already. A match has that of its
 * venue, or none: not that of the chat in which somebody moves. */
static const struct texts *reader_texts(const struct draft *d)
{
    const struct notice *notice = d->notice;
    const struct effects *fx = d->fx;
    const char *asker = fx->prefs ? fx->prefs->language : d->w->me.prefs.language;
    struct str language = str_of(fx->chat ? fx->chat->language : d->w->chat.settings.language);
    if (d->at && (d->at->language.n > 0 || (notice->table && d->at->chat.n > 0)))
        language = d->at->language;
    if ((notice->audience == TO_ASKER || notice->audience == TO_HANDLE) && asker[0])
        language = str_of(asker);
    if (notice->language.n > 0)
        language = notice->language;
    assert(notice->audience != TO_SEAT || notice->table);
    if (notice->audience == TO_SEAT && notice->table->player[notice->seat].language.n > 0)
        language = notice->table->player[notice->seat].language;
    return texts_for(d->w->bot->languages, language.n > 0 ? language : d->w->bot->default_language);
}

/* True if the message goes to a private chat; an answer may still end in the group. */
static bool is_private(const struct draft *d)
{
    const struct notice *notice = d->notice;
    uint8_t to = notice->audience;
    if (to == TO_HERE || to == TO_ASKER)
        return d->e->direct;
    return to == TO_HANDLE || (d->at && d->at->direct) ||
           (to == TO_SEAT && notice->table->player[notice->seat].channel == CHANNEL_DIRECT);
}

void draft_about(struct draft *d, const struct notice *notice)
{
    const struct rules *r = notice->rules   ? notice->rules
                            : notice->table ? &notice->table->rules
                                            : NULL;
    d->notice = notice;
    d->page = notice->kind;
    d->table = notice->table;
    d->words = words_for(d->t, r ? str_of(r->words) : STR("standard"));
}

void draft_open(struct draft *d, struct outgoing address)
{
    const struct notice *notice = d->notice;
    bool whole = notice->kind == NOTICE_EXPORT || notice->kind == NOTICE_MYDATA;
    size_t size = whole ? notice->text.n + 1 : DRAFT_BYTES;
    if (!d->at && notice->table)
        d->at = &notice->table->at;
    d->t = reader_texts(d);
    draft_about(d, notice);
    d->utc_offset = d->at ? d->at->utc_offset : d->w->chat.utc_offset;
    d->in_private = is_private(d);
    d->poll = d->short_names = false;
    d->folds = 0;
    d->text = (struct buf){arena_room(d->a, size), 0, size, false};
    d->has_news = false;
    d->news = d->news_end = 0;
    d->spare = d->spare_end = d->taken = d->taken_end = 0;
    d->press_no = d->press_version = 0;
    d->picture = (struct str){0};
    d->out = address;
    d->out.buttons = (void *)arena_room(d->a, MAX_BUTTONS * sizeof(struct button));
}

/* ---- the end ---- */

/* Where `upto` bytes of the draft end in the text as it is sent. */
static size_t place_of(const struct draft *d, size_t upto)
{
    struct str part = {d->text.p, upto};
    return draft_can(d, CAN_STYLE) ? upto : draft_unmarked(d, part).n;
}

bool draft_fits(const struct draft *d, struct str text, int limit)
{
    return limit == 0 || text_units(text, d->network->limits.counts_utf16) <= limit;
}

/* A text too long to stand under its picture does without lines that the picture shows too. */
static bool make_room(struct draft *d, size_t from, size_t to)
{
    int most = d->network->limits.caption_chars;
    struct str all = buf_str(&d->text);
    if (to <= from || d->picture.n == 0 || draft_fits(d, all, most))
        return false;
    struct str shorter = draft_join(d, (struct str){all.p, from}, STR(""), str_skip(all, to));
    bool fits = draft_fits(d, shorter, most);
    if (fits) {
        d->text.n = from;
        buf_put(&d->text, str_skip(shorter, from));
    }
    return fits;
}

void draft_send(struct draft *d)
{
    const struct limits *limits = &d->network->limits;
    struct outgoing *o = &d->out;
    int most = o->kind == OUT_ANSWER ? limits->popup_chars
               : o->file.n > 0       ? limits->caption_chars
                                     : limits->text_chars;
    if (!make_room(d, d->taken, d->taken_end))
        (void)make_room(d, d->spare, d->spare_end);
    struct str text = buf_str(&d->text);
    if (!draft_can(d, CAN_STYLE))
        text = draft_unmarked(d, text);
    if (text.n > 0)
        o->text = text_cut(d->a, text, most, limits->counts_utf16);
    o->alone = o->where == TO_CHAT && ((d->at && d->at->direct && str_is(o->chat, d->at->chat)) ||
                                       (d->e->direct && str_is(o->chat, d->e->chat)));
    if (d->has_news) {
        size_t from = place_of(d, d->news), to = place_of(d, d->news_end);
        if (to <= o->text.n)
            o->news = (struct str){o->text.p + from, to - from};
    }
    if (o->kind == OUT_POST && d->picture.n > 0 && draft_can(d, CAN_PICTURE) &&
        draft_fits(d, o->text, limits->caption_chars))
        o->picture = d->picture;
    assert(d->n_sent < MAX_OUTGOING);
    d->sent[d->n_sent++] = (struct message){d->network->account, *o};
}

struct str draft_slot(const struct draft *d, const char *what, int64_t no, int64_t n)
{
    return n < 0 ? arena_print(d->a, "%s:%lld", what, (long long)no)
                 : arena_print(d->a, "%s:%lld:%lld", what, (long long)no, (long long)n);
}

/* ---- the text ---- */

void draft_line(struct draft *d, struct str s)
{
    if (s.n == 0)
        return;
    if (d->text.n > 0)
        buf_char(&d->text, '\n');
    buf_put(&d->text, s);
}

void draft_fold(struct draft *d, enum text title)
{
    d->short_names = false;
    if (d->folds++ > 0) {
        SAY(d, title);
        return;
    }
    d->fold = d->text.n;
    if (d->text.n > 0)
        buf_char(&d->text, '\n');
    if (draft_can(d, CAN_FOLD))
        buf_char(&d->text, MARK_FOLD);
    buf_put(&d->text, TX(d, title));
}

void draft_unfold(struct draft *d)
{
    if (--d->folds > 0)
        return;
    if (draft_can(d, CAN_FOLD)) {
        buf_char(&d->text, MARK_END);
        return;
    }
    /* Where nothing folds a hash or a seed is shown to those who ask: in place of its line stands
     * how. */
    struct str rest = arena_str(d->a, str_trim(str_skip(buf_str(&d->text), d->fold)));
    struct str title = str_cut(rest, '\n', &rest), lines = {0};
    bool left_out = false;
    while (rest.n > 0) {
        struct str line = str_cut(rest, '\n', &rest);
        bool code = memchr(line.p, MARK_CODE, line.n) != NULL;
        left_out |= code;
        if (!code)
            lines = draft_join(d, lines, STR("\n"), line);
    }
    if (!left_out)
        return;
    d->text.n = d->fold;
    if (lines.n > 0)
        draft_line(d, draft_join(d, title, STR("\n"), lines));
    SAY_IF(d, d->table, T_SETTING, TX(d, T_SEALS_FOLD), draft_command(d, VERB_VERIFY));
}

void draft_character_says(struct draft *d, int seat, enum manner m)
{
    const struct player_seen *p = &d->table->player[seat];
    if (p->computer && p->character)
        SAY(d, T_CHARACTER_SAYS, draft_name(d, seat), TX(d, character_text(p->character, m)));
}

void draft_table(struct draft *d, const struct draft_cells *row, int n, unsigned left, int own,
                 bool apart)
{
    enum { ROW_BYTES = 256 };
    int wide[DRAFT_COLUMNS] = {0};
    for (int i = n - 1; i >= 0; i--) /* the head widens a column that something is in */
        for (int k = 0; k < DRAFT_COLUMNS; k++) {
            int columns = text_columns(row[i].at[k]);
            wide[k] = columns > wide[k] && (i > 0 || wide[k] > 0) ? columns : wide[k];
        }
    buf_char(&d->text, '\n');
    buf_char(&d->text, MARK_TABLE);
    for (int i = 0; i < n; i++) {
        struct buf b = {arena_room(d->a, ROW_BYTES), 0, ROW_BYTES, false};
        for (int k = 0; k < DRAFT_COLUMNS; k++) {
            struct str cell = row[i].at[k];
            int blanks = wide[k] - text_columns(cell), before = left >> k & 1 ? 0 : blanks;
            if (wide[k] > 0)
                buf_print(&b, "%s%*s%.*s%*s", k == 0 ? " " : "  ", before, "", STR_ARG(cell),
                          blanks - before, "");
        }
        while (b.n > 0 && b.p[b.n - 1] == ' ')
            b.n--;
        if (i == own) /* all read the table, so the row keeps its name */
            buf_put(&b, TX(d, T_BOARD_OWN));
        if (apart && i == n - 1)
            draft_line(d, STR(" …"));
        if (i > 0)
            buf_char(&d->text, '\n');
        buf_put(&d->text, buf_str(&b));
    }
    buf_char(&d->text, MARK_END);
}

void draft_document(struct draft *d, const struct draft_cells *row, int n, int columns,
                    struct buf *ret)
{
    json_put_open(ret, "rows", '[');
    for (int i = 0; i < n; i++) {
        json_put_open(ret, NULL, '[');
        for (int c = 0; c < columns; c++)
            json_put_str(ret, NULL, draft_unmarked(d, row[i].at[c]));
        buf_char(ret, ']');
    }
    buf_char(ret, ']');
    json_put_open(ret, "lines", '[');
    for (struct str rest = buf_str(&d->text); rest.n > 0;)
        json_put_str(ret, NULL, draft_unmarked(d, str_cut(rest, '\n', &rest)));
    buf_char(ret, ']');
}

/* ---- buttons and picture ---- */

struct str draft_own_slot(const struct draft *d, enum notice_kind kind, int64_t id)
{
    static const char *const names[N_NOTICES] = {
#define PAGE(kind, function, flags, reaction) [NOTICE_##kind] = #kind,
#include "notice.def"
    };
    struct str what = text_fold(d->a, str_of(names[kind]));
    return draft_slot(d, kind == NOTICE_START_MENU ? "door" : what.p, d->w->me.person, id);
}

void draft_name_own(struct draft *d, int64_t id)
{
    if (d->w->me.person == 0 || !draft_can(d, CAN_CLOSE))
        return;
    d->out.slot = draft_own_slot(d, (enum notice_kind)d->page, id);
    d->out.named = true;
}

static int64_t button_version(const struct draft *d, enum verb v)
{
    if (v == VERB_REVIEW && d->notice->audience == TO_ASKER)
        return press_reader(d->w->me.person);
    if (v == VERB_DRAW || v == VERB_TAKEBACK || v == VERB_CONTINUE)
        return d->notice->posted; /* of this question, and no later one */
    return d->table ? d->table->version : d->press_version;
}

void draft_button(struct draft *d, struct str label, enum verb v, int64_t index,
                  enum button_style style)
{
    const struct limits *limits = &d->network->limits;
    int n = d->out.n_buttons;
    if (!draft_can(d, CAN_BUTTONS) || n == MAX_BUTTONS ||
        (limits->buttons > 0 && n >= limits->buttons))
        return;
    struct button *b = &d->out.buttons[n];
    struct press p = {v, d->table ? d->table->no : d->press_no, button_version(d, v), index};
    *b =
        (struct button){.label = text_cut(d->a, label, d->poll ? ANSWER_CHARS : LABEL_CHARS, false),
                        .style = (uint8_t)style};
    if (style == BUTTON_QUERY)
        b->data = arena_print(d->a, "hand %lld", (long long)p.no);
    else if (style == BUTTON_APP)
        b->data = draft_int(d, p.no);
    else if (style == BUTTON_LINK)
        b->data = arena_print(d->a, "%s_%lld", v == VERB_EXPORT ? "o" : "h", (long long)p.no);
    else if (style != BUTTON_BACK && style != BUTTON_ADD)
        b->data = press_write(d->network->key, p, d->a);
    int in_row = 1, widest = text_columns(b->label);
    for (int i = n - 1; i >= 0 && !d->out.buttons[i].row_end; i--) {
        int columns = text_columns(d->out.buttons[i].label);
        widest = columns > widest ? columns : widest;
        in_row++;
    }
    if (in_row > 1 && limits->row_columns > 0 && in_row * (widest + 1) > limits->row_columns) {
        draft_row(d);
        in_row = 1;
    }
    b->row_end = limits->buttons_a_row > 0 && in_row >= limits->buttons_a_row;
    d->out.n_buttons++;
}

void draft_press(struct draft *d, enum text label, enum verb v, int64_t index,
                 enum button_style style)
{
    draft_button(d, TX(d, label), v, index, style);
}

void draft_row(struct draft *d)
{
    if (d->out.n_buttons > 0)
        d->out.buttons[d->out.n_buttons - 1].row_end = true;
}

void draft_picture(struct draft *d, const struct layout *l)
{
    struct buf b = {arena_room(d->a, LAYOUT_BYTES), 0, LAYOUT_BYTES, false};
    layout_write(l, &b);
    d->picture = b.cut ? STR("") : buf_str(&b);
}
