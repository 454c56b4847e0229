/* Routed messages: account, language, address, words. See message.h. */
#include "message.h"

#include <assert.h>

/* ---- accounts ---- */

bool message_from_account(struct render *render, int64_t account)
{
    for (int i = 0; i < render->networks->n; i++)
        if (render->networks->at[i].account == account) {
            render->network = &render->networks->at[i];
            return true;
        }
    return false;
}

void message_one_post(struct render *render)
{
    render->one_post = *render->network;
    render->one_post.can &= ~(uint32_t)(CAN_WHISPER | CAN_ERASE | CAN_PICTURE | CAN_RETURN);
    render->one_post.can |= CAN_ONE_POST;
    render->network = &render->one_post;
}

const struct table *message_table_at(const struct render *render, const struct table *t, int i)
{
    struct table *seen = (void *)arena_room(render->fx->arena, sizeof *seen);
    *seen = *t;
    seen->at = t->venue[i];
    for (int p = 0; p < t->players; p++)
        if (t->player[p].account != render->network->account ||
            (t->search && t->player[p].venue != i))
            seen->player[p].id = (struct str){0};
    return seen;
}

/* ---- languages ---- */

/* The reader's catalogue. A language chosen by this very event counts already. */
static const struct texts *texts_of(const struct render *render, const struct notice *notice)
{
    const struct person_prefs *asker =
        render->fx->set_prefs ? &render->fx->prefs : &render->w->prefs;
    struct str language =
        str_of(render->fx->set_chat ? render->fx->chat.language : render->w->settings.language);
    if (notice->table && notice->table->at.language.n > 0)
        language = notice->table->at.language;
    if (notice->at && notice->at->language.n > 0)
        language = notice->at->language;
    if ((notice->audience == TO_ASKER || notice->audience == TO_HANDLE) && asker->language[0])
        language = str_of(asker->language);
    if (notice->language.n > 0)
        language = notice->language;
    assert(notice->audience != TO_SEAT || notice->table);
    if (notice->audience == TO_SEAT && notice->table->player[notice->seat].language.n > 0)
        language = notice->table->player[notice->seat].language;
    return texts_for(render->w->languages, language.n > 0 ? language : render->w->default_language);
}

/* ---- messages ---- */

struct outgoing *message_new(struct render *render, enum out_kind kind, enum out_where where)
{
    assert(render->n < MAX_OUTGOING);
    render->out[render->n].account = render->network->account;
    struct outgoing *o = &render->out[render->n++].out;
    *o = (struct outgoing){.kind = kind, .where = where, .chat = render->e->chat};
    return o;
}

bool message_can(const struct render *render, enum ability a)
{
    return (render->network->can & a) != 0;
}

/* Where `upto` bytes of the body end in the text as it is sent. */
static size_t place_of(const struct render *render, const struct body *body, size_t upto)
{
    struct str part = {body->text.p, upto};
    return message_can(render, CAN_STYLE) ? upto : body_unmarked(body, part).n;
}

static void message_news(struct render *render, struct outgoing *o, const struct body *body)
{
    if (!body->has_news)
        return;
    size_t from = place_of(render, body, body->news), to = place_of(render, body, body->news_end);
    if (to <= o->text.n)
        o->news = (struct str){o->text.p + from, to - from};
}

void message_text(struct render *render, struct outgoing *o, struct body *body, int chars)
{
    struct str text = buf_str(&body->text);
    if (!message_can(render, CAN_STYLE))
        text = body_unmarked(body, text);
    o->text = text_cut(render->fx->arena, text, chars, render->network->limits.counts_utf16);
    message_news(render, o, body);
    o->n_buttons = body->n_buttons;
    o->buttons = body->buttons;
}

void message_picture(struct render *render, struct outgoing *o, const struct body *body)
{
    int most = render->network->limits.caption_chars;
    if (message_can(render, CAN_PICTURE) &&
        (most == 0 || text_units(o->text, render->network->limits.counts_utf16) <= most))
        o->picture = body->picture;
}

/* Where the lines end that fit under a picture, before any fold; 0: not even the first one does. */
static size_t caption_end(const struct render *render, struct str text)
{
    enum { TIME_SLACK = 80 }; /* a time may be longer than it is here */
    int most = render->network->limits.caption_chars - TIME_SLACK;
    size_t end = 0;
    for (size_t i = 0; i < text.n && text.p[i] != MARK_FOLD; i++)
        if (text.p[i] == '\n' &&
            text_units((struct str){text.p, i}, render->network->limits.counts_utf16) <= most)
            end = i;
    return end;
}

void message_picture_first(struct render *render, struct outgoing *o, const struct body *body)
{
    message_picture(render, o, body);
    bool left_out = message_can(render, CAN_PICTURE) && body->picture.n > 0 && o->picture.n == 0;
    size_t end = left_out ? caption_end(render, o->text) : 0;
    if (end == 0)
        return;
    struct outgoing *rest = message_new(render, o->kind, o->where);
    *rest = *o;
    rest->text = str_skip(o->text, end + 1);
    rest->notify = false;
    o->text.n = end;
    o->picture = body->picture;
    o->n_buttons = 0; /* the rest has them, and the name by which they are taken away */
    o->named = false;
    o->slot = (struct str){0};
    o->news = rest->news = (struct str){0};
}

struct str message_slot(struct render *render, const char *what, int64_t no, int64_t n)
{
    return n < 0
               ? arena_print(render->fx->arena, "%s:%lld", what, (long long)no)
               : arena_print(render->fx->arena, "%s:%lld:%lld", what, (long long)no, (long long)n);
}

/* ---- bodies ---- */

void message_about(struct body *body, const struct notice *notice)
{
    const struct rules *r = notice->rules   ? notice->rules
                            : notice->table ? &notice->table->rules
                                            : NULL;
    body->notice = notice;
    body->table = notice->table;
    body->words = words_for(body->t, r ? str_of(r->words) : STR("standard"));
}

/* True if its buttons are worth a poll where there are no buttons. */
static bool is_menu(const struct notice *notice)
{
    switch ((enum notice_kind)notice->kind) {
    case NOTICE_HAND:
    case NOTICE_TARGETS:
    case NOTICE_DOOR:
    case NOTICE_FRIEND:
    case NOTICE_LANGUAGES:
    case NOTICE_LESSON:
        return true;
    case NOTICE_PUZZLE: /* all would see the answers of a group's poll */
        return notice->audience == TO_ASKER || notice->table->at.direct;
    default:
        return false;
    }
}

/* True if the message goes to a private chat; an answer may still end in the group. */
static bool is_private(const struct render *render, const struct notice *notice)
{
    const struct table *t = notice->table;
    switch ((enum audience)notice->audience) {
    case TO_TABLE:
        return t->at.direct;
    case TO_SEAT:
        return t->at.direct || t->player[notice->seat].channel == CHANNEL_DIRECT;
    case TO_HANDLE:
        return true;
    case TO_TOURNAMENT:
        return notice->at && notice->at->direct;
    case TO_HERE:
    case TO_ASKER:
        break;
    }
    return render->e->direct;
}

struct body *message_blank_body(struct render *render, const struct notice *notice)
{
    struct arena *a = render->fx->arena;
    struct body *body = arena_new(a, struct body);
    size_t size = notice->kind == NOTICE_EXPORT || notice->kind == NOTICE_MYDATA
                      ? notice->text.n + 1
                      : BODY_BYTES;
    *body = (struct body){.w = render->w,
                          .e = render->e,
                          .network = render->network,
                          .a = a,
                          .t = texts_of(render, notice),
                          .names = &render->names,
                          .utc_offset = notice->at      ? notice->at->utc_offset
                                        : notice->table ? notice->table->at.utc_offset
                                                        : render->w->utc_offset};
    message_about(body, notice);
    body->text = (struct buf){arena_room(a, size), 0, size, false};
    body->buttons = (void *)arena_room(a, MAX_BUTTONS * sizeof *body->buttons);
    body->in_private = is_private(render, notice);
    body->poll = is_menu(notice) && message_can(render, CAN_POLL);
    return body;
}

struct body *message_body(struct render *render, const struct notice *notice)
{
    struct body *body = message_blank_body(render, notice);
    present_notice(body);
    return body;
}
