/* Who must learn a message to a table beside those who read its chat. Each message names its
 * learners, for the case that the chat refuses it; players who cannot read their venue anyway, because
 * the bot cannot write there or because they have left it, get it in private at once; so do the people
 * of a tournament who have left the chat where they joined. A popup stands in
 * for a hand that the network cannot show for a while. See way.h. */
#include "draft_words.h"
#include "way.h"

/* True of what all who are concerned must learn; a player's turn comes with the hand. */
static bool is_for_all(const struct notice *notice)
{
    bool turn = notice->kind == NOTICE_BOARD || notice->kind == NOTICE_PING;
    if (notice->audience == TO_CHATS)
        return notice->fresh;
    return notice->kind == NOTICE_LINE || notice->kind == NOTICE_START || (notice->notify && !turn);
}

/* True if the event is that a private message did not reach this person. */
static bool is_out_of_touch(const struct draft *d, struct str id, int64_t account)
{
    const struct event *e = d->e;
    return e->verb == VERB_UNREACHABLE && e->where == TO_DIRECT && e->account == account &&
           str_is(e->from.id, id);
}

/* Who must learn what d->notice says in d->at: the player it calls, all who sit there, or the people
 * of a tournament who joined there; without a person whom a private message has just failed to reach. */
static int readers_here(const struct draft *d, struct reader **ret)
{
    const struct notice *notice = d->notice;
    const struct table *t = notice->table;
    const struct chats *chats = &notice->chats;
    int n = 0;
    *ret = arena_array(d->a, struct reader, (size_t)chats->n_readers + MAX_PLAYERS);
    for (int i = 0; notice->audience == TO_CHATS && i < chats->n_readers; i++)
        if (&chats->at[chats->readers[i].at] == d->at)
            (*ret)[n++] = chats->readers[i];
    for (int i = 0; notice->audience == TO_TABLE && i < t->players; i++) {
        const struct player_seen *p = &t->player[i];
        bool called = notice->kind != NOTICE_PING || i == notice->seat;
        bool sits = !p->gone || notice->kind == NOTICE_CLOSE;
        if (called && sits && p->venue == d->at->venue && p->id.n > 0 &&
            !is_out_of_touch(d, p->id, p->account))
            (*ret)[n++] = (struct reader){.id = p->id,
                                          .account = p->account,
                                          .at = p->venue,
                                          .apart = p->apart,
                                          .shut = p->channel > CHANNEL_DIRECT,
                                          .quiet = p->quiet};
    }
    return n;
}

struct str apart_learners(const struct draft *d)
{
    struct reader *readers;
    struct str all = STR("");
    if (d->at->direct || !(d->network->can & CAN_DIRECT) ||
        (d->notice->kind != NOTICE_PING && !is_for_all(d->notice)))
        return all;
    int n = readers_here(d, &readers);
    for (int i = 0; i < n; i++)
        if (!readers[i].apart && readers[i].account == d->at->account)
            all = arena_print(d->a, "%.*s%.*s\n", STR_ARG(all), STR_ARG(readers[i].id));
    return all;
}

struct str apart_asker(const struct draft *d)
{
    const struct event *e = d->e;
    bool told =
        !e->direct && e->from.id.n > 0 && d->w->me.reachable && d->network->can & CAN_DIRECT;
    return told ? arena_print(d->a, "%.*s\n", STR_ARG(e->from.id)) : STR("");
}

bool apart_quiet(const struct draft *d)
{
    const struct notice *notice = d->notice;
    const struct table *t = notice->table;
    bool any = false;
    for (int i = 0; i < t->players; i++)
        any |= t->player[i].quiet && t->player[i].venue == d->at->venue &&
               (notice->kind != NOTICE_PING || i == notice->seat);
    return any;
}

static void put(struct draft *d, const struct reader *r)
{
    draft_open(d, (struct outgoing){.where = TO_DIRECT,
                                    .to = r->id,
                                    .notify = d->notice->notify && !r->quiet,
                                    .reports = true});
    page_write(d);
    if (d->notice->posted && d->out.n_buttons > 0 && (d->network->can & CAN_CLOSE)) {
        d->out.slot = draft_slot(d, "posted", d->notice->table->no, d->notice->posted);
        d->out.named = true;
    }
    draft_send(d);
}

/* The private copy of what was posted loses its buttons with it. What calls is closed for those who are
 * back in their venue, too; challenges and pauses are many. */
static void close_copy(struct draft *d, const struct reader *r)
{
    draft_open(d, (struct outgoing){
                      .kind = OUT_CLOSE,
                      .where = TO_DIRECT,
                      .to = r->id,
                      .slot = draft_slot(d, "posted", d->notice->table->no, d->notice->posted),
                      .expires = d->e->now + CLOSE_MS});
    draft_send(d);
}

/* The same message in private, to each of them who cannot read it in the chat. The turn of a player is
 * not among these: it comes with the hand. */
void apart_put(struct draft *d)
{
    const struct notice *notice = d->notice;
    const struct seen_from *at = d->at;
    bool closes =
             notice->kind == NOTICE_CLOSE && notice->posted && (d->network->can & CAN_CLOSE) != 0,
         called = closes && notice->n != POSTED_OFFER && notice->n != POSTED_PAUSE;
    void (*const put_to)(struct draft *, const struct reader *) = closes ? close_copy : put;
    struct reader *r;
    int n = closes || is_for_all(notice) ? readers_here(d, &r) : 0;
    for (int i = 0; i < n; i++)
        if ((r[i].apart || called) && !r[i].shut && draft_from(d, r[i].account, at))
            put_to(d, &r[i]);
}

/* ---- what one player was asked ---- */

/* "asked:12:1", "asked:12:1:1795262400000": of the match, the seat and, if it is asked again, the time. */
static struct str asked_slot(const struct draft *d)
{
    const struct notice *notice = d->notice;
    struct str slot = draft_slot(d, "asked", notice->table->no, notice->seat);
    return notice->post ? arena_print(d->a, "%.*s:%lld", STR_ARG(slot), (long long)notice->post)
                        : slot;
}

void apart_name_asked(struct draft *d)
{
    const struct notice *notice = d->notice;
    bool asks = notice->kind == NOTICE_DECLINE || notice->kind == NOTICE_TARGETS ||
                (notice->kind == NOTICE_LINE && notice->post > 0 && notice->table);
    if (!asks || d->out.kind != OUT_POST || d->out.n_buttons == 0 || notice->seat < 0 ||
        !(d->network->can & CAN_CLOSE))
        return;
    d->out.slot = asked_slot(d);
    d->out.named = true;
    if (d->e->direct && d->network->can & CAN_DIRECT) { /* their chat, whoever closes it */
        d->out.where = TO_DIRECT;
        d->out.chat = STR("");
    }
}

/* It was hidden in the group, or in private where the group refused it, or in the chat. */
void apart_close_asked(struct draft *d)
{
    const uint32_t can = d->at->direct ? 0 : d->network->can;
    const bool places[] = {
        [TO_CHAT] = true, [TO_WHISPER] = can & CAN_WHISPER, [TO_DIRECT] = can & CAN_DIRECT};
    for (size_t where = 0; where < sizeof places / sizeof *places; where++) {
        if (!places[where])
            continue;
        draft_open(d, (struct outgoing){.kind = OUT_CLOSE,
                                        .where = (enum out_where)where,
                                        .chat = where == TO_DIRECT ? STR("") : d->at->chat,
                                        .to = d->notice->table->player[d->notice->seat].id,
                                        .slot = asked_slot(d),
                                        .expires = d->e->now + CLOSE_MS});
        draft_send(d);
    }
}

/* The chat of the event is held up: the press gets to know until when. */
void apart_tell_held(struct draft *d)
{
    draft_open(d, (struct outgoing){.kind = OUT_ANSWER,
                                    .chat = d->e->chat,
                                    .to = d->e->from.id,
                                    .press = d->e->press,
                                    .alert = true});
    SAY(d, T_HELD, draft_time(d, d->w->chat.held_until));
    draft_send(d);
}

/* They see their cards by a press alone, and have typed. */
void apart_tell_tap(struct draft *d)
{
    const struct event *e = d->e;
    draft_open(d, (struct outgoing){.chat = e->chat, .reply_to = e->said});
    SAY(d, T_TAP_HAND, draft_mark_name(d, e->from.name, e->from.id));
    draft_send(d);
}

void apart_call(struct draft *d)
{
    const struct table *t = d->notice->table;
    const struct player_seen *p = &t->player[d->notice->seat];
    draft_open(d, (struct outgoing){.where = TO_DIRECT,
                                    .to = p->id,
                                    .slot = draft_slot(d, "ping", t->no, t->ping),
                                    .notify = !p->quiet,
                                    .expires = t->deadline});
    draft_line(d, TX(d, T_YOUR_MOVE));
    SAY_IF(d, (d->network->can & CAN_POLL) && !p->words, T_POLL_UNSEEN,
           draft_command(d, VERB_SETTINGS));
    draft_send(d);
}

void apart_uncall(struct draft *d)
{
    const struct table *t = d->notice->table;
    draft_open(d, (struct outgoing){.kind = OUT_ERASE,
                                    .where = TO_DIRECT,
                                    .to = t->player[d->notice->seat].id,
                                    .slot = draft_slot(d, "ping", t->no, t->ping),
                                    .aside = true,
                                    .expires = d->e->now + CLOSE_MS});
    draft_send(d);
}
