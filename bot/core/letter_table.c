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

/* True if what is asked in private is a new message each time, which notifies: a poll cannot be changed, and a
 * reaction can be given once to one message. */
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

void letter_to_seat(struct presenting *pr, const struct say *asked)
{
    struct say here = *asked;
    const struct say *say = &here;
    const struct player_seen *player = &asked->table->player[asked->seat];
    if (!letter_by_account(pr, player->account))
        return;
    here.table = letter_seen_at(pr, asked->table, player->venue);
    const struct table *t = say->table;
    bool at_venue = t->at.account == player->account;
    if (t->at.one_post && at_venue)
        letter_in_one_post(pr);
    bool asker = str_is(t->player[say->seat].id, pr->e->from.id) && pr->e->from.id.n > 0 &&
                 player->account == pr->e->account;
    bool press = asker && pr->e->pressed;
    enum channel channel = (enum channel)t->player[say->seat].channel;
    if (t->at.direct && at_venue) {
        to_private_venue(pr, say, asker);
        return;
    }
    bool popup_too = letter_can(pr, CAN_ONE_POST) && pr->e->press.n > 0 && press && say->n;
    if (channel >= CHANNEL_POPUP || popup_too) {
        if (!say->fresh || !press || pr->e->press.n == 0 || !letter_can(pr, CAN_POPUP))
            return;
        to_popup(pr, say);
        if (channel >= CHANNEL_POPUP)
            return;
    }
    bool whisper = channel == CHANNEL_WHISPER && !(asker && pr->e->direct);
    if (!say->fresh && !letter_can(pr, CAN_EDIT))
        return;
    struct outgoing *o = letter_new(pr, OUT_POST, whisper ? TO_WHISPER : TO_DIRECT);
    o->chat = whisper ? t->at.chat : (struct str){0};
    o->to = t->player[say->seat].id;
    o->to_name = t->player[say->seat].name;
    o->press = asker ? pr->e->press : (struct str){0};
    o->slot = arena_print(pr->fx->arena, "hand:%lld:%d:%u", (long long)t->no, say->seat,
                          (unsigned)t->player[say->seat].hand_no);
    o->replace_only = !say->fresh || (whisper && !asker && letter_can(pr, CAN_EDIT));
    struct page *pg = letter_page(pr, say);
    if (!whisper && letter_can(pr, CAN_RETURN) && at_venue)
        way_back(pr, t, pg, o);
    letter_text(pr, o, pg, pr->p->limits.text_chars);
    letter_picture(pr, o, pg);
    bool menu = letter_can(pr, CAN_POLL) ? o->n_buttons > 0 : say->fresh && asks_anew(pr);
    o->notify = (!whisper && menu) || (say->fresh && !letter_can(pr, CAN_EDIT));
}

static void to_venue(struct presenting *pr, const struct say *asked, int venue)
{
    struct say here = *asked;
    const struct say *say = &here;
    if (asked->table->venue[venue].one_post ||
        !letter_by_account(pr, asked->table->venue[venue].account))
        return;
    here.table = letter_seen_at(pr, asked->table, venue);
    const struct table *t = say->table;
    enum channel channel =
        say->seat >= 0 ? (enum channel)t->player[say->seat].channel : CHANNEL_NONE;
    if (say->kind == SAY_QUIET) {
        if (!letter_can(pr, CAN_ERASE))
            return;
        struct outgoing *o = letter_new(pr, OUT_ERASE, TO_CHAT);
        o->chat = t->at.chat;
        o->slot = letter_slot(pr, "ping", t->no, t->ping);
        return;
    }
    if (say->kind == SAY_PING && channel <= CHANNEL_DIRECT &&
        (!letter_can(pr, CAN_EDIT) || (channel == CHANNEL_DIRECT && asks_anew(pr))))
        return; /* the hand itself is a new message that notifies */
    if (say->kind == SAY_BOARD && t->at.direct)
        return; /* the hand shows it */
    if (say->kind == SAY_BOARD && !letter_can(pr, CAN_EDIT) && t->view.stage != MATCH_PLAYING)
        return; /* the result says it */
    struct outgoing *o = letter_new(pr, OUT_POST, TO_CHAT);
    o->chat = t->at.chat;
    o->notify = say->notify;
    if (say->kind == SAY_BOARD)
        o->slot = letter_slot(pr, "board", t->no, -1);
    if (say->kind == SAY_PING) {
        o->slot = letter_slot(pr, "ping", t->no, t->ping);
        o->to = t->player[say->seat].id;
        o->expires = t->deadline;
    }
    letter_text(pr, o, letter_page(pr, say), pr->p->limits.text_chars);
}

/* Somebody who sits in a chat but plays from another network is pinged in private there; and what was
 * said there is taken away. */
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
