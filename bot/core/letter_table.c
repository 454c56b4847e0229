/* What is said at a table: to each seat its hand, to every chat the board and the news, to who is
 * waited for a ping; and to somebody on another network what concerns them. */
#include "letter.h"

/* From a private chat to the board of the match. */
static void way_back(struct presenting *pr, const struct table *t, struct page *pg,
                     struct outgoing *o)
{
    struct str name = t->at.chat_name.n ? t->at.chat_name : TX0(pg, T_THE_GROUP);
    o->group = t->at.chat;
    o->group_slot = letter_slot(pr, "board", t->no, -1);
    page_row(pg);
    page_button(pg, TX(pg, T_BUTTON_BACK, name), VERB_NONE, 0, BUTTON_BACK);
}

/* True if what is asked in private is a new message each time, which notifies: a poll cannot be
 * changed, and a reaction can be given once to one message. */
static bool asks_anew(const struct presenting *pr)
{
    return letter_can(pr, CAN_POLL) || (letter_can(pr, CAN_REACT) && !letter_can(pr, CAN_BUTTONS));
}

/* A player in whose chat nobody else is: board and hand are one message. */
static void to_private_venue(struct presenting *pr, const struct say *say, bool asker)
{
    const struct table *t = say->table;
    if (!say->fresh && !letter_can(pr, CAN_EDIT))
        return;
    struct outgoing *o = letter_new(pr, OUT_POST, TO_CHAT);
    o->chat = t->at.chat;
    o->slot = letter_slot(pr, "board", t->no, t->player[say->seat].hand_no);
    o->replace_only = !say->fresh;
    o->notify = say->fresh && !asker;
    struct page *pg = letter_page(pr, say);
    letter_text(pr, o, pg, pr->p->limits.text_chars);
    letter_picture(pr, o, pg);
}

/* A press is answered once: what it was answered already comes first. */
static void to_popup(struct presenting *pr, const struct say *say)
{
    struct outgoing *o = NULL;
    struct say brief = *say;
    brief.kind = SAY_HAND_SHORT;
    struct page *pg = letter_page(pr, &brief), *both = letter_blank(pr, &brief);
    for (int i = 0; i < pr->n; i++)
        if (pr->out[i].out.kind == OUT_ANSWER && str_is(pr->out[i].out.press, pr->e->press))
            o = &pr->out[i].out;
    if (o)
        page_line(both, o->text);
    else
        o = letter_new(pr, OUT_ANSWER, TO_CHAT);
    page_line(both, buf_str(&pg->body));
    o->press = pr->e->press;
    o->to = say->table->player[say->seat].id;
    o->to_name = say->table->player[say->seat].name;
    o->alert = true;
    letter_text(pr, o, both, pr->p->limits.popup_chars);
}

static struct str hand_slot(struct presenting *pr, const struct table *t, int seat,
                            uint32_t hand_no)
{
    return arena_print(pr->fx->arena, "hand:%lld:%d:%u", (long long)t->no, seat, (unsigned)hand_no);
}

/* The hidden message that the one just said replaces, if anybody still sees it. */
static void take_back(struct presenting *pr, const struct say *say)
{
    const struct player_seen *player = &say->table->player[say->seat];
    struct outgoing *o = letter_new(pr, OUT_ERASE, TO_WHISPER);
    o->chat = say->table->at.chat;
    o->to = player->id;
    o->to_name = player->name;
    o->slot = hand_slot(pr, say->table, say->seat, player->hand_no - 1);
}

/* The hand that was asked for by a press in the group is shown in the private chat: the press says
 * so. */
static void to_private_chat(struct presenting *pr, const struct say *say)
{
    const struct player_seen *player = &say->table->player[say->seat];
    struct page *pg = letter_blank(pr, say);
    struct outgoing *o = letter_new(pr, OUT_ANSWER, TO_CHAT);
    page_line(pg, TX0(pg, T_HAND_IN_PRIVATE));
    o->press = pr->e->press;
    o->to = player->id;
    o->to_name = player->name;
    letter_text(pr, o, pg, pr->p->limits.popup_chars);
}

/* A message for one person alone: in the group, or in their private chat. */
static void to_own_eyes(struct presenting *pr, const struct say *say, bool whisper, bool asker)
{
    const struct table *t = say->table;
    const struct player_seen *player = &t->player[say->seat];
    if (!say->fresh && !letter_can(pr, CAN_EDIT))
        return;
    struct outgoing *o = letter_new(pr, OUT_POST, whisper ? TO_WHISPER : TO_DIRECT);
    o->chat = whisper ? t->at.chat : (struct str){0};
    o->to = player->id;
    o->to_name = player->name;
    o->press = asker ? pr->e->press : (struct str){0};
    o->slot = hand_slot(pr, t, say->seat, player->hand_no);
    o->replace_only = !say->fresh || (whisper && !asker && letter_can(pr, CAN_EDIT));
    struct page *pg = letter_page(pr, say);
    if (!whisper && letter_can(pr, CAN_RETURN) && t->at.account == player->account)
        way_back(pr, t, pg, o);
    letter_text(pr, o, pg, pr->p->limits.text_chars);
    letter_picture(pr, o, pg);
    bool menu = letter_can(pr, CAN_POLL) ? o->n_buttons > 0 : say->fresh && asks_anew(pr);
    o->notify = (!whisper && menu) || (say->fresh && !letter_can(pr, CAN_EDIT));
}

void letter_to_seat(struct presenting *pr, const struct say *asked)
{
    struct say say = *asked;
    const struct player_seen *player = &asked->table->player[asked->seat];
    if (!letter_by_account(pr, player->account))
        return;
    say.table = letter_seen_at(pr, asked->table, player->venue);
    const struct seen_from *at = &say.table->at;
    bool at_venue = at->account == player->account;
    if (at->one_post && at_venue)
        letter_in_one_post(pr);
    bool asker =
        str_is(player->id, pr->e->from.id) && player->id.n > 0 && player->account == pr->e->account;
    bool press = asker && pr->e->pressed && pr->e->press.n > 0;
    enum channel channel = (enum channel)player->channel;
    if (at->direct && at_venue) {
        to_private_venue(pr, &say, asker);
        return;
    }
    bool popup_too = letter_can(pr, CAN_ONE_POST) && press && say.n;
    if (channel >= CHANNEL_POPUP || popup_too) {
        if (!say.fresh || !press || !letter_can(pr, CAN_POPUP))
            return;
        to_popup(pr, &say);
    }
    bool whisper = channel == CHANNEL_WHISPER && !(asker && pr->e->direct);
    if (channel < CHANNEL_POPUP)
        to_own_eyes(pr, &say, whisper, asker);
    if (whisper && say.n == HAND_AGAIN)
        take_back(pr, &say);
    if (channel == CHANNEL_DIRECT && !popup_too && press && say.n && !pr->e->direct &&
        letter_can(pr, CAN_POPUP) && pr->w->reachable)
        to_private_chat(pr, &say);
}

/* True if another message says it there. */
static bool said_otherwise(const struct presenting *pr, const struct say *say)
{
    const struct table *t = say->table;
    bool edits = letter_can(pr, CAN_EDIT);
    if (say->kind == SAY_BOARD) /* the hand shows it; the result says it */
        return t->at.direct || (!edits && t->view.stage != MATCH_PLAYING);
    if (say->kind != SAY_PING)
        return false;
    enum channel channel = (enum channel)t->player[say->seat].channel;
    return channel <= CHANNEL_DIRECT && /* by a hand that is a new message, and notifies */
           (!edits || (channel == CHANNEL_DIRECT && asks_anew(pr)));
}

static void to_venue(struct presenting *pr, const struct say *asked, int venue)
{
    struct say say = *asked;
    const struct seen_from *at = &asked->table->venue[venue];
    if (at->one_post || !letter_by_account(pr, at->account))
        return;
    const struct table *t = say.table = letter_seen_at(pr, asked->table, venue);
    bool quiet = say.kind == SAY_QUIET, ping = say.kind == SAY_PING;
    if (quiet ? !letter_can(pr, CAN_ERASE) : said_otherwise(pr, &say))
        return;
    struct outgoing *o = letter_new(pr, quiet ? OUT_ERASE : OUT_POST, TO_CHAT);
    o->chat = t->at.chat;
    if (say.kind == SAY_BOARD)
        o->slot = letter_slot(pr, "board", t->no, -1);
    if (quiet || ping)
        o->slot = letter_slot(pr, "ping", t->no, t->ping);
    if (quiet)
        return;
    if (ping) {
        o->to = t->player[say.seat].id;
        o->expires = t->deadline;
    }
    o->notify = say.notify;
    letter_text(pr, o, letter_page(pr, &say), pr->p->limits.text_chars);
}

/* Somebody who sits in a chat but plays from another network is pinged in private there; and what
 * was said there is taken away. */
static bool ping_elsewhere(struct presenting *pr, const struct say *say)
{
    const struct table *t = say->table;
    const struct player_seen *p = &t->player[say->seat];
    bool quiet = say->kind == SAY_QUIET;
    if (p->account == t->venue[say->only].account || !letter_by_account(pr, p->account))
        return false;
    if (!letter_can(pr, CAN_DIRECT) || (quiet && !letter_can(pr, CAN_ERASE)))
        return !quiet;
    if (!quiet && (!letter_can(pr, CAN_EDIT) || asks_anew(pr)))
        return true; /* the hand itself is a new message that notifies */
    struct outgoing *o = letter_new(pr, quiet ? OUT_ERASE : OUT_POST, TO_DIRECT);
    o->chat = (struct str){0};
    o->to = p->id;
    o->to_name = p->name;
    o->slot = letter_slot(pr, "ping", t->no, t->ping);
    if (!quiet) {
        o->notify = true;
        o->expires = t->deadline;
        letter_text(pr, o, letter_page(pr, say), pr->p->limits.text_chars);
    }
    return !quiet;
}

void letter_to_table(struct presenting *pr, const struct say *say)
{
    bool ping = say->kind == SAY_PING || say->kind == SAY_QUIET;
    if (ping && say->only >= 0 && ping_elsewhere(pr, say))
        return;
    for (int i = 0; i < say->table->n_venues; i++)
        if (say->only < 0 || say->only == i)
            to_venue(pr, say, i);
}

void letter_to_handle(struct presenting *pr, const struct say *say)
{
    if (!letter_by_account(pr, say->handle.account) || !letter_can(pr, CAN_DIRECT))
        return;
    struct outgoing *o = letter_new(pr, OUT_POST, TO_DIRECT);
    o->chat = (struct str){0};
    o->to = say->handle.id;
    o->to_name = say->handle.name;
    o->notify = say->notify;
    letter_text(pr, o, letter_page(pr, say), pr->p->limits.text_chars);
}
