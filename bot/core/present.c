/* See present.h. This file decides where each say goes and in what form; page.c and present_*.c write it. */
#include "page.h"

#include <assert.h>

struct presenting {
    const struct world *w;
    const struct event *e;
    const struct effects *fx;
    const struct places *places;
    const struct place *p; /* of what is being said */
    struct place narrow;   /* the same where there is one message only */
    struct letter *out;
    int n;
};

/* ---- accounts ---- */

/* What follows is said by this account; false: it is not there. */
static bool by_account(struct presenting *pr, int64_t account)
{
    for (int i = 0; i < pr->places->n; i++)
        if (pr->places->at[i].account == account) {
            pr->p = &pr->places->at[i];
            return true;
        }
    return false;
}

/* What follows is said where there is but one message. */
static void in_one_post(struct presenting *pr)
{
    pr->narrow = *pr->p;
    pr->narrow.can &= ~(uint32_t)(CAN_WHISPER | CAN_ERASE | CAN_PICTURE | CAN_RETURN);
    pr->narrow.can |= CAN_ONE_POST;
    pr->p = &pr->narrow;
}

/* The session as it is looked at from venue i, by account: an id of another network says nothing there. */
static const struct table *seen_at(const struct presenting *pr, const struct table *t, int i)
{
    struct table *seen = arena_new(pr->fx->arena, struct table);
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

static struct outgoing *add(struct presenting *pr, enum out_kind kind, enum out_where where)
{
    assert(pr->n < MAX_OUTGOING);
    pr->out[pr->n].account = pr->p->account;
    struct outgoing *o = &pr->out[pr->n++].out;
    *o = (struct outgoing){.kind = kind, .where = where, .chat = pr->e->chat};
    return o;
}

static bool can(const struct presenting *pr, enum ability a)
{
    return (pr->p->can & a) != 0;
}

/* Marks that this network cannot show are dropped: a name keeps its shown half, nothing else is lost. */
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

static void set_text(struct presenting *pr, struct outgoing *o, struct page *pg, int chars)
{
    struct str text = buf_str(&pg->body);
    if (!can(pr, CAN_STYLE))
        text = unmarked(pr->fx->arena, text);
    o->text = text_cut(pr->fx->arena, text, chars, pr->p->limits.counts_utf16);
    o->n_buttons = pg->n_buttons;
    o->buttons = pg->buttons;
}

static struct str slot(struct presenting *pr, const char *what, int64_t no, int64_t n)
{
    return n < 0 ? arena_print(pr->fx->arena, "%s:%lld", what, (long long)no)
                 : arena_print(pr->fx->arena, "%s:%lld:%lld", what, (long long)no, (long long)n);
}

/* ---- pages ---- */

/* What a page writes about. */
static void turn_to(struct page *pg, const struct say *say)
{
    const struct rules *r = say->kind == SAY_RULES ? say->rules
                            : say->table           ? &say->table->rules
                                                   : NULL;
    pg->table = say->table;
    pg->words = words_for(pg->t, r ? str_of(r->words) : STR("standard"));
}

static struct page *page_new(struct presenting *pr, const struct say *say)
{
    struct arena *a = pr->fx->arena;
    struct page *pg = arena_new(a, struct page);
    size_t size = say->kind == SAY_EXPORT ? say->text.n + 1 : PAGE_BYTES;
    *pg = (struct page){.w = pr->w,
                        .e = pr->e,
                        .place = pr->p,
                        .a = a,
                        .t = texts_of(pr, say),
                        .utc_offset = say->table ? say->table->at.utc_offset : pr->w->utc_offset};
    turn_to(pg, say);
    pg->body = (struct buf){arena_room(a, size), 0, size, false};
    pg->buttons = arena_array(a, struct button, MAX_BUTTONS);
    pg->poll = (say->kind == SAY_HAND || say->kind == SAY_TARGETS) && can(pr, CAN_POLL);
    return pg;
}

static struct page *page_of(struct presenting *pr, const struct say *say)
{
    struct page *pg = page_new(pr, say);
    present_say(pg, say);
    return pg;
}

/* True if an answer to one person would do no harm if all could read it. */
static bool harmless(const struct say *say)
{
    switch ((enum say_kind)say->kind) {
    case SAY_SCORE:
    case SAY_RULES:
    case SAY_GAMES:
    case SAY_STANDINGS:
    case SAY_HELP:
    case SAY_SETTINGS:
    case SAY_VERIFY:
    case SAY_OPPONENTS:
    case SAY_REVIEW:
        return true;
    case SAY_LINE:
        for (int i = 0; i < MAX_ARGS; i++)
            if (say->arg[i].kind == ARG_CARD)
                return false;
        return true;
    default:
        return false;
    }
}

/* Typed for all to see, it cannot be answered unseen everywhere; but it is answered, unless it may have
 * been meant for another bot. */
static void ways_on(struct presenting *pr, const struct say *say, struct page *pg,
                    struct outgoing *o)
{
    if (pr->e->verb == VERB_UNKNOWN)
        return;
    o->or_direct = can(pr, CAN_DIRECT);
    o->or_aloud = !pr->e->pressed && pr->e->said.n > 0;
    o->reply_to = pr->e->said;
    if (o->or_aloud && !harmless(say))
        o->aloud = TX(pg, T_TAP_HAND, page_mention(pg, pr->e->from.name, pr->e->from.id));
}

static void whom(struct presenting *pr, struct outgoing *o)
{
    o->to = pr->e->from.id;
    o->to_name = pr->e->from.name;
}

/* Where all share one message nothing can be said beside it: a popup, as much as it holds, or the private
 * chat where that is open. */
static void to_asker_elsewhere(struct presenting *pr, bool brief, struct page *pg)
{
    struct outgoing *o;
    if (pr->e->press.n > 0 && (brief || !pr->w->reachable)) {
        o = add(pr, OUT_ANSWER, TO_CHAT);
        o->press = pr->e->press;
        o->alert = !brief;
        pg->n_buttons = 0;
        set_text(pr, o, pg, pr->p->limits.popup_chars);
    } else if (pr->w->reachable) {
        o = add(pr, OUT_POST, TO_DIRECT);
        o->chat = (struct str){0};
        set_text(pr, o, pg, pr->p->limits.text_chars);
    } else {
        return;
    }
    whom(pr, o);
}

/* One person alone, in answer to what they did: a popup for a press, else where only they see it. */
static void to_asker(struct presenting *pr, const struct say *say, struct page *pg)
{
    bool brief = say->kind == SAY_LINE && pg->n_buttons == 0;
    struct outgoing *o;
    if (pr->w->can_here & CAN_ONE_POST) {
        to_asker_elsewhere(pr, brief, pg);
        return;
    }
    if (pr->e->press.n > 0 && can(pr, CAN_POPUP) && brief) {
        o = add(pr, OUT_ANSWER, TO_CHAT);
        o->press = pr->e->press;
        set_text(pr, o, pg, pr->p->limits.popup_chars);
    } else {
        bool whisper = !pr->e->direct && can(pr, CAN_WHISPER),
             direct = !pr->e->direct && can(pr, CAN_DIRECT);
        o = add(pr, OUT_POST, whisper ? TO_WHISPER : direct ? TO_DIRECT : TO_CHAT);
        o->press = pr->e->press;
        o->reply_to = o->where == TO_CHAT && !pr->e->direct ? pr->e->said : (struct str){0};
        if (o->where == TO_DIRECT)
            o->chat = (struct str){0};
        if (o->where == TO_WHISPER)
            ways_on(pr, say, pg, o);
        set_text(pr, o, pg, pr->p->limits.text_chars);
    }
    whom(pr, o);
}

/* From a private chat to the board of the match. */
static void way_back(struct presenting *pr, const struct table *t, struct page *pg,
                     struct outgoing *o)
{
    struct str name = t->at.chat_name.n ? t->at.chat_name : TX0(pg, T_THE_GROUP);
    o->group = t->at.chat;
    o->group_slot = slot(pr, "board", t->no, -1);
    page_row(pg);
    page_button(pg, TX(pg, T_BUTTON_BACK, name), VERB_NONE, 0, BUTTON_BACK);
}

/* A player in whose chat nobody else is: board and hand are one message. */
static void to_private_venue(struct presenting *pr, const struct say *say, bool asker)
{
    const struct table *t = say->table;
    if (!say->fresh && !can(pr, CAN_EDIT))
        return;
    struct outgoing *o = add(pr, OUT_POST, TO_CHAT);
    o->chat = t->at.chat;
    o->slot = slot(pr, "board", t->no, t->player[say->seat].hand_no);
    o->replace_only = !say->fresh;
    o->notify = say->fresh && !asker;
    set_text(pr, o, page_of(pr, say), pr->p->limits.text_chars);
}

static void to_seat(struct presenting *pr, const struct say *asked)
{
    struct say here = *asked;
    const struct say *say = &here;
    const struct player_seen *player = &asked->table->player[asked->seat];
    if (!by_account(pr, player->account))
        return;
    here.table = seen_at(pr, asked->table, player->venue);
    const struct table *t = say->table;
    bool at_venue = t->at.account == player->account;
    if (t->at.one_post && at_venue)
        in_one_post(pr);
    bool asker = str_is(t->player[say->seat].id, pr->e->from.id) && pr->e->from.id.n > 0 &&
                 player->account == pr->e->account;
    bool press = asker && pr->e->pressed;
    enum channel channel = (enum channel)t->player[say->seat].channel;
    if (t->at.direct && at_venue) {
        to_private_venue(pr, say, asker);
        return;
    }
    bool popup_too = can(pr, CAN_ONE_POST) && pr->e->press.n > 0 && press && say->n;
    if (channel >= CHANNEL_POPUP || popup_too) {
        if (!say->fresh || !press || pr->e->press.n == 0 || !can(pr, CAN_POPUP))
            return;
        struct outgoing *o = add(pr, OUT_ANSWER, TO_CHAT);
        o->press = pr->e->press;
        o->to = t->player[say->seat].id;
        o->to_name = t->player[say->seat].name;
        o->alert = true;
        struct say brief = *say;
        brief.kind = SAY_HAND_SHORT;
        set_text(pr, o, page_of(pr, &brief), pr->p->limits.popup_chars);
        if (channel >= CHANNEL_POPUP)
            return;
    }
    bool whisper = channel == CHANNEL_WHISPER && !(asker && pr->e->direct);
    if (!say->fresh && !can(pr, CAN_EDIT))
        return;
    struct outgoing *o = add(pr, OUT_POST, whisper ? TO_WHISPER : TO_DIRECT);
    o->chat = whisper ? t->at.chat : (struct str){0};
    o->to = t->player[say->seat].id;
    o->to_name = t->player[say->seat].name;
    o->press = asker ? pr->e->press : (struct str){0};
    o->slot = arena_print(pr->fx->arena, "hand:%lld:%d:%u", (long long)t->no, say->seat,
                          (unsigned)t->player[say->seat].hand_no);
    o->replace_only = !say->fresh || (whisper && !asker && can(pr, CAN_EDIT));
    struct page *pg = page_of(pr, say);
    if (!whisper && can(pr, CAN_RETURN) && at_venue)
        way_back(pr, t, pg, o);
    set_text(pr, o, pg, pr->p->limits.text_chars);
    bool menu = can(pr, CAN_POLL) && o->n_buttons > 0; /* a new poll each time */
    o->notify = (!whisper && menu) || (say->fresh && !can(pr, CAN_EDIT));
}

static void to_venue(struct presenting *pr, const struct say *asked, int venue)
{
    struct say here = *asked;
    const struct say *say = &here;
    if (asked->table->venue[venue].one_post || !by_account(pr, asked->table->venue[venue].account))
        return;
    here.table = seen_at(pr, asked->table, venue);
    const struct table *t = say->table;
    enum channel channel =
        say->seat >= 0 ? (enum channel)t->player[say->seat].channel : CHANNEL_NONE;
    if (say->kind == SAY_QUIET) {
        if (!can(pr, CAN_ERASE))
            return;
        struct outgoing *o = add(pr, OUT_ERASE, TO_CHAT);
        o->chat = t->at.chat;
        o->slot = slot(pr, "ping", t->no, t->ping);
        return;
    }
    if (say->kind == SAY_PING && channel <= CHANNEL_DIRECT &&
        (!can(pr, CAN_EDIT) || (channel == CHANNEL_DIRECT && can(pr, CAN_POLL))))
        return; /* the hand itself is a new message that notifies */
    if (say->kind == SAY_BOARD && t->at.direct)
        return; /* the hand shows it */
    if (say->kind == SAY_BOARD && !can(pr, CAN_EDIT) && t->view.stage != MATCH_PLAYING)
        return; /* the result says it */
    struct outgoing *o = add(pr, OUT_POST, TO_CHAT);
    o->chat = t->at.chat;
    o->notify = say->notify;
    if (say->kind == SAY_BOARD)
        o->slot = slot(pr, "board", t->no, -1);
    if (say->kind == SAY_PING) {
        o->slot = slot(pr, "ping", t->no, t->ping);
        o->to = t->player[say->seat].id;
        o->expires = t->deadline;
    }
    set_text(pr, o, page_of(pr, say), pr->p->limits.text_chars);
}

/* Somebody who sits in a chat but plays from another network is pinged in private there; and what was
 * said there is taken away. */
static bool ping_elsewhere(struct presenting *pr, const struct say *say)
{
    const struct table *t = say->table;
    const struct player_seen *p = &t->player[say->seat];
    bool quiet = say->kind == SAY_QUIET;
    if (p->account == t->venue[say->only].account || !by_account(pr, p->account))
        return false;
    if (!can(pr, CAN_DIRECT) || (quiet && !can(pr, CAN_ERASE)))
        return !quiet;
    if (!quiet && (!can(pr, CAN_EDIT) || can(pr, CAN_POLL)))
        return true; /* the hand itself is a new message that notifies */
    struct outgoing *o = add(pr, quiet ? OUT_ERASE : OUT_POST, TO_DIRECT);
    o->chat = (struct str){0};
    o->to = p->id;
    o->to_name = p->name;
    o->slot = slot(pr, "ping", t->no, t->ping);
    if (!quiet) {
        o->notify = true;
        o->expires = t->deadline;
        set_text(pr, o, page_of(pr, say), pr->p->limits.text_chars);
    }
    return !quiet;
}

static void to_table(struct presenting *pr, const struct say *say)
{
    bool ping = say->kind == SAY_PING || say->kind == SAY_QUIET;
    if (ping && say->only >= 0 && ping_elsewhere(pr, say))
        return;
    for (int i = 0; i < say->table->n_venues; i++)
        if (say->only < 0 || say->only == i)
            to_venue(pr, say, i);
}

/* In the private chat of somebody on another network. */
static void to_handle(struct presenting *pr, const struct say *say)
{
    if (!by_account(pr, say->handle.account) || !can(pr, CAN_DIRECT))
        return;
    struct outgoing *o = add(pr, OUT_POST, TO_DIRECT);
    o->chat = (struct str){0};
    o->to = say->handle.id;
    o->to_name = say->handle.name;
    o->notify = say->notify;
    set_text(pr, o, page_of(pr, say), pr->p->limits.text_chars);
}

/* A press wants an answer even if nothing is said to the presser alone. */
static void settle_press(struct presenting *pr)
{
    if (!pr->e->pressed || pr->e->press.n == 0)
        return;
    for (int i = 0; i < pr->n; i++)
        if (pr->out[i].out.kind == OUT_ANSWER)
            return;
    struct outgoing *o = add(pr, OUT_ANSWER, TO_CHAT);
    o->press = pr->e->press;
    o->to = pr->e->from.id;
}

/* A long text in as many messages as it takes, cut between lines. */
static void records(struct presenting *pr, const struct say *say)
{
    int most = pr->p->limits.text_chars;
    for (struct str rest = say->text; rest.n > 0 && pr->n < MAX_OUTGOING - 2;) {
        size_t n = most == 0 || rest.n <= (size_t)most ? rest.n : (size_t)most;
        while (n < rest.n && n > 0 && rest.p[n - 1] != '\n')
            n--;
        if (n == 0)
            n = (size_t)most;
        struct say part = *say;
        part.text = str_trim((struct str){rest.p, n});
        to_asker(pr, &part, page_of(pr, &part));
        rest = str_skip(rest, n);
    }
}

/* Nothing was changed and one thing is said, which will not be edited: it answers a question, and needs no
 * place in the order of what goes on. */
static void set_aside(struct presenting *pr)
{
    struct outgoing *only = NULL;
    int n = 0;
    for (int i = 0; i < pr->n; i++)
        if (pr->out[i].out.kind != OUT_ANSWER) {
            only = &pr->out[i].out;
            n++;
        }
    if (n == 1 && only->kind == OUT_POST && only->slot.n == 0)
        only->aside = pr->fx->n_saves == 0 && !pr->fx->set_chat && !pr->fx->set_prefs;
}

/* ---- in chats that the bot is not in ---- */

/* Which venue of a table is one message, -1: none. */
static int one_post_of(const struct table *t)
{
    for (int i = 0; t && i < t->n_venues; i++)
        if (t->venue[i].one_post)
            return i;
    return -1;
}

static bool said_there(const struct say *say)
{
    int venue = one_post_of(say->table);
    return say->audience == TO_TABLE && venue >= 0 && say->kind != SAY_QUIET &&
           (say->only < 0 || say->only == venue);
}

/* All but the board, one after the other. */
static void news_there(struct presenting *pr, struct page *pg, const struct say *but, int venue)
{
    for (int i = 0; i < pr->fx->n_says; i++) {
        struct say say = *pr->fx->say[i];
        if (!said_there(&say) || say.kind == SAY_PING || pr->fx->say[i] == but)
            continue;
        say.table = seen_at(pr, say.table, venue);
        turn_to(pg, &say);
        present_say(pg, &say);
        page_row(pg);
        page_line(pg, STR(" "));
    }
}

/* The one message there says all that was said, and then how the match stands. */
static void one_post(struct presenting *pr)
{
    const struct say *last = NULL, *shown = NULL;
    bool ended = false;
    for (int i = 0; i < pr->fx->n_says; i++) {
        const struct say *say = pr->fx->say[i];
        if (!said_there(say))
            continue;
        last = say;
        ended |= say->kind == SAY_MATCH;
        if (say->kind == SAY_BOARD || say->kind == SAY_OFFER)
            shown = say;
    }
    int venue = last ? one_post_of(last->table) : -1;
    if (venue < 0 || !by_account(pr, last->table->venue[venue].account))
        return;
    in_one_post(pr);
    struct say stands = {.seat = SEAT_PUBLIC,
                         .only = -1,
                         .audience = TO_TABLE,
                         .table = seen_at(pr, (shown ? shown : last)->table, venue)};
    const struct table *t = stands.table;
    bool begun = t->view.players > 0, offered = t->phase == SESSION_OFFERED;
    stands.kind = offered ? SAY_OFFER : SAY_BOARD;
    struct page *pg = page_new(pr, &stands);
    news_there(pr, pg, shown, venue);
    turn_to(pg, &stands);
    if (!ended && (begun || offered))
        present_say(pg, &stands);
    if (begun)
        present_seal(pg); /* the message that said it before is this one */
    struct outgoing *o = add(pr, OUT_POST, TO_CHAT);
    o->chat = t->at.chat;
    o->slot = slot(pr, "board", t->no, -1);
    set_text(pr, o, pg, pr->p->limits.text_chars);
}

static void articles(struct presenting *pr, const struct say *say)
{
    struct article *at = arena_array(pr->fx->arena, struct article, MAX_ARTICLES);
    const struct view *v = &say->table->view;
    int n = 0;
    if (say->kind == SAY_INVITES) {
        present_invite(page_new(pr, say), say->rules, &at[n++]);
        for (int i = 0; i < pr->w->n_presets && n < MAX_ARTICLES; i++)
            if (&pr->w->presets[i] != say->rules && (pr->w->presets[i].players_allowed >> 2 & 1))
                present_invite(page_new(pr, say), &pr->w->presets[i], &at[n++]);
    } else {
        for (int i = 0; i < v->n_legal && n < MAX_ARTICLES; i++)
            n += present_move_article(page_new(pr, say), i, &at[n]);
    }
    if (n == 0)
        present_hand_article(page_new(pr, say), &at[n++]);
    struct outgoing *o = add(pr, OUT_ANSWER, TO_CHAT);
    o->press = pr->e->press;
    o->articles = at;
    o->n_articles = n;
    whom(pr, o);
}

int present(const struct world *w, const struct event *e, const struct effects *fx,
            const struct places *places, struct letter ret[static MAX_OUTGOING])
{
    struct presenting pr = {.w = w, .e = e, .fx = fx, .places = places, .out = ret};
    for (int i = 0; i < fx->n_says; i++) {
        const struct say *say = fx->say[i];
        bool here = by_account(&pr, e->account);
        assert(here);
        (void)here;
        if (w->can_here & CAN_ONE_POST)
            in_one_post(&pr);
        if (say->kind == SAY_INVITES || say->kind == SAY_MOVES) {
            articles(&pr, say);
        } else if (say->kind == SAY_EXPORT) {
            records(&pr, say);
        } else if (say->audience == TO_SEAT) {
            to_seat(&pr, say);
        } else if (say->audience == TO_TABLE) {
            to_table(&pr, say);
        } else if (say->audience == TO_HANDLE) {
            to_handle(&pr, say);
        } else if (say->audience == TO_ASKER) {
            to_asker(&pr, say, page_of(&pr, say));
        } else {
            struct page *pg = page_of(&pr, say);
            set_text(&pr, add(&pr, OUT_POST, TO_CHAT), pg, pr.p->limits.text_chars);
        }
    }
    one_post(&pr);
    if (by_account(&pr, e->account))
        settle_press(&pr);
    set_aside(&pr);
    return pr.n;
}
