/* See letter.h. */
#include "letter.h"

#include <assert.h>

/* ---- accounts ---- */

bool letter_by_account(struct presenting *pr, int64_t account)
{
    for (int i = 0; i < pr->places->n; i++)
        if (pr->places->at[i].account == account) {
            pr->p = &pr->places->at[i];
            return true;
        }
    return false;
}

void letter_in_one_post(struct presenting *pr)
{
    pr->narrow = *pr->p;
    pr->narrow.can &= ~(uint32_t)(CAN_WHISPER | CAN_ERASE | CAN_PICTURE | CAN_RETURN);
    pr->narrow.can |= CAN_ONE_POST;
    pr->p = &pr->narrow;
}

/* The session as it is looked at from venue i, by account: an id of another network says nothing
 * there. */
const struct table *letter_seen_at(const struct presenting *pr, const struct table *t, int i)
{
    struct table *seen = (void *)arena_room(pr->fx->arena, sizeof *seen);
    *seen = *t;
    seen->at = t->venue[i];
    for (int p = 0; p < t->players; p++)
        if (t->player[p].account != pr->p->account)
            seen->player[p].id = (struct str){0};
    return seen;
}

/* ---- languages and places ---- */

/* A language that was just chosen is spoken at once. */
static const struct texts *texts_of(const struct presenting *pr, const struct say *say)
{
    const struct person_prefs *asker = pr->fx->set_prefs ? &pr->fx->prefs : &pr->w->prefs;
    struct str language =
        str_of(pr->fx->set_chat ? pr->fx->chat.language : pr->w->settings.language);
    if (say->table && say->table->at.language.n > 0)
        language = say->table->at.language;
    if ((say->audience == TO_ASKER || say->audience == TO_HANDLE) && asker->language[0])
        language = str_of(asker->language);
    assert(say->audience != TO_SEAT || say->table);
    if (say->audience == TO_SEAT && say->table->player[say->seat].language.n > 0)
        language = say->table->player[say->seat].language;
    return texts_for(pr->w->languages, language.n > 0 ? language : pr->w->default_language);
}

struct outgoing *letter_new(struct presenting *pr, enum out_kind kind, enum out_where where)
{
    assert(pr->n < MAX_OUTGOING);
    pr->out[pr->n].account = pr->p->account;
    struct outgoing *o = &pr->out[pr->n++].out;
    *o = (struct outgoing){.kind = kind, .where = where, .chat = pr->e->chat};
    return o;
}

bool letter_can(const struct presenting *pr, enum ability a)
{
    return (pr->p->can & a) != 0;
}

/* Marks that this network cannot show are dropped: a name keeps its shown half, nothing else is
 * lost. */
static struct str unmarked(struct arena *a, struct str s)
{
    struct buf b = {arena_alloc(a, s.n + 1), 0, s.n, false};
    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] == MARK_NAME)
            while (++i < s.n && s.p[i] != MARK_NAME)
                continue;
        else if (s.p[i] < MARK_BOLD || s.p[i] > MARK_END)
            buf_char(&b, s.p[i]);
    }
    return buf_str(&b);
}

void letter_text(struct presenting *pr, struct outgoing *o, struct page *pg, int chars)
{
    struct str text = buf_str(&pg->body);
    if (!letter_can(pr, CAN_STYLE))
        text = unmarked(pr->fx->arena, text);
    o->text = text_cut(pr->fx->arena, text, chars, pr->p->limits.counts_utf16);
    o->n_buttons = pg->n_buttons;
    o->buttons = pg->buttons;
}

void letter_picture(struct presenting *pr, struct outgoing *o, const struct page *pg)
{
    int most = pr->p->limits.caption_chars;
    if (letter_can(pr, CAN_PICTURE) &&
        (most == 0 || text_units(o->text, pr->p->limits.counts_utf16) <= most))
        o->picture = pg->picture;
}

struct str letter_slot(struct presenting *pr, const char *what, int64_t no, int64_t n)
{
    return n < 0 ? arena_print(pr->fx->arena, "%s:%lld", what, (long long)no)
                 : arena_print(pr->fx->arena, "%s:%lld:%lld", what, (long long)no, (long long)n);
}

/* ---- pages ---- */

void letter_about(struct page *pg, const struct say *say)
{
    const struct rules *r = say->kind == SAY_RULES ? say->rules
                            : say->table           ? &say->table->rules
                                                   : NULL;
    pg->say = say;
    pg->table = say->table;
    pg->words = words_for(pg->t, r ? str_of(r->words) : STR("standard"));
}

struct page *letter_blank(struct presenting *pr, const struct say *say)
{
    struct arena *a = pr->fx->arena;
    struct page *pg = arena_new(a, struct page);
    size_t size = say->kind == SAY_EXPORT ? say->text.n + 1 : PAGE_BYTES;
    *pg = (struct page){.w = pr->w,
                        .e = pr->e,
                        .place = pr->p,
                        .a = a,
                        .t = texts_of(pr, say),
                        .names = &pr->names,
                        .utc_offset = say->table ? say->table->at.utc_offset : pr->w->utc_offset};
    letter_about(pg, say);
    pg->body = (struct buf){arena_room(a, size), 0, size, false};
    pg->buttons = (void *)arena_room(a, MAX_BUTTONS * sizeof *pg->buttons);
    pg->poll = (say->kind == SAY_HAND || say->kind == SAY_TARGETS) && letter_can(pr, CAN_POLL);
    return pg;
}

struct page *letter_page(struct presenting *pr, const struct say *say)
{
    struct page *pg = letter_blank(pr, say);
    present_say(pg);
    return pg;
}
