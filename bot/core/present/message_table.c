/* Messages of a table: hands to seats, boards and news to its venues, pings to the player to move
 * (the board itself, sent anew, where that can be), and private messages to players on other
 * networks. */
#include "message.h"

#define CLOSE_MS ((int64_t)3600 * 1000) /* buttons that could not be closed by then stay */

/* True if every question to a player is a new message, which notifies: a poll cannot be edited, and
 * a person can react once to a message. */
static bool hand_is_new_each_time(const struct render *render)
{
    return message_can(render, CAN_POLL) ||
           (message_can(render, CAN_REACT) && !message_can(render, CAN_BUTTONS));
}

/* The board is edited where it stands; where no ping brings it down to the newest messages, each
 * round has a board of its own. */
static struct str board_slot(struct render *render, const struct table *t)
{
    const struct view *v = &t->view;
    bool between = v->stage == MATCH_READY && v->round_no > 1;
    if (!hand_is_new_each_time(render))
        return message_slot(render, "board", t->no, -1);
    return arena_print(render->fx->arena, "board:%lld:round%d", (long long)t->no,
                       v->round_no - between);
}

/* A button that leads from a private chat to the board of the match. */
static void put_back_button(struct render *render, const struct table *t, struct body *body,
                            struct outgoing *o)
{
    struct str name = t->at.chat_name.n ? t->at.chat_name : TX0(body, T_THE_GROUP);
    o->group = t->at.chat;
    o->group_slot = board_slot(render, t);
    body_row(body);
    body_button(body, TX(body, T_BUTTON_BACK, name), VERB_NONE, 0, BUTTON_BACK);
}

/* In a chat with one player alone, board and hand are one message. */
static void to_private_venue(struct render *render, const struct notice *notice, bool asker)
{
    const struct table *t = notice->table;
    if (!notice->fresh && !message_can(render, CAN_EDIT))
        return;
    struct outgoing *o = message_new(render, OUT_POST, TO_CHAT);
    o->chat = t->at.chat;
    o->slot = message_slot(render, "board", t->no, t->player[notice->seat].hand_message);
    o->replace_only = !notice->fresh;
    o->notify = notice->fresh && !asker && !t->player[notice->seat].quiet;
    struct body *body = message_body(render, notice);
    message_text(render, o, body, render->network->limits.text_chars);
    message_picture(render, o, body);
}

/* A press has one answer: if it has one already, the hand is appended to it. */
static void to_seat_popup(struct render *render, const struct notice *notice)
{
    struct outgoing *o = NULL;
    struct notice brief = *notice;
    brief.kind = NOTICE_HAND_SHORT;
    struct body *body = message_body(render, &brief), *both = message_blank_body(render, &brief);
    for (int i = 0; i < render->n; i++)
        if (render->out[i].out.kind == OUT_ANSWER &&
            str_is(render->out[i].out.press, render->e->press))
            o = &render->out[i].out;
    if (o)
        body_line(both, o->text);
    else
        o = message_new(render, OUT_ANSWER, TO_CHAT);
    body_line(both, buf_str(&body->text));
    o->press = render->e->press;
    o->to = notice->table->player[notice->seat].id;
    o->alert = true;
    message_text(render, o, both, render->network->limits.popup_chars);
}

static struct str hand_slot(struct render *render, const struct table *t, int seat,
                            uint32_t hand_message)
{
    return arena_print(render->fx->arena, "hand:%lld:%d:%u", (long long)t->no, seat,
                       (unsigned)hand_message);
}

/* True if an edit takes the buttons away, as that of a poll cannot. */
static bool hand_is_edited(const struct render *render, int seat)
{
    for (int i = 0; i < render->fx->n_notices; i++)
        if (render->fx->notice[i]->kind == NOTICE_HAND && render->fx->notice[i]->seat == seat)
            return !message_can(render, CAN_POLL);
    return false;
}

/* Takes the buttons of a hand away. */
static void close_hand(struct render *render, const struct notice *notice)
{
    const struct table *t = notice->table;
    const struct player_seen *player = &t->player[notice->seat];
    bool private_venue = t->at.direct && t->at.account == player->account,
         whisper = player->channel == CHANNEL_WHISPER;
    if (!message_can(render, CAN_CLOSE) || player->id.n == 0 ||
        (!private_venue && player->channel > CHANNEL_DIRECT) ||
        hand_is_edited(render, notice->seat))
        return;
    struct outgoing *o = message_new(render, OUT_CLOSE,
                                     private_venue ? TO_CHAT
                                     : whisper     ? TO_WHISPER
                                                   : TO_DIRECT);
    o->chat = private_venue || whisper ? t->at.chat : (struct str){0};
    o->to = private_venue ? STR("") : player->id;
    o->slot = private_venue ? message_slot(render, "board", t->no, player->hand_message)
                            : hand_slot(render, t, notice->seat, player->hand_message);
    o->expires = render->e->now + CLOSE_MS;
}

/* Erases the ephemeral hand that the new one replaces, in case the network still shows it. */
static void erase_dropped_hand(struct render *render, const struct notice *notice)
{
    const struct player_seen *player = &notice->table->player[notice->seat];
    struct outgoing *o = message_new(render, OUT_ERASE, TO_WHISPER);
    o->chat = notice->table->at.chat;
    o->to = player->id;
    o->slot = hand_slot(render, notice->table, notice->seat, player->hand_message - 1);
}

/* Answers a press or a command in the group: the hand is in the private chat. */
static void answer_see_private_chat(struct render *render, const struct notice *notice)
{
    const struct player_seen *player = &notice->table->player[notice->seat];
    bool press = render->e->press.n > 0;
    struct body *body = message_blank_body(render, notice);
    struct outgoing *o = message_new(render, press ? OUT_ANSWER : OUT_POST, TO_CHAT);
    body_line(body,
              press ? TX0(body, T_HAND_IN_PRIVATE)
                    : TX(body, T_ANSWER_IN_PRIVATE, body_mention(body, player->name, player->id)));
    o->press = render->e->press;
    if (!press)
        o->reply_to = render->e->said;
    o->to = player->id;
    message_text(render, o, body, render->network->limits.popup_chars);
}

/* A hand that only its owner sees: ephemeral in the group, or in their private chat. */
static void to_seat_alone(struct render *render, const struct notice *notice, bool whisper,
                          bool asker)
{
    const struct table *t = notice->table;
    const struct player_seen *player = &t->player[notice->seat];
    if (!notice->fresh && !message_can(render, CAN_EDIT))
        return;
    struct outgoing *o = message_new(render, OUT_POST, whisper ? TO_WHISPER : TO_DIRECT);
    o->chat = whisper ? t->at.chat : (struct str){0};
    o->to = player->id;
    o->press = asker ? render->e->press : (struct str){0};
    o->slot = hand_slot(render, t, notice->seat, player->hand_message);
    o->replace_only = !notice->fresh || (whisper && !asker && message_can(render, CAN_EDIT));
    struct body *body = message_body(render, notice);
    if (!whisper && message_can(render, CAN_RETURN) && t->at.account == player->account)
        put_back_button(render, t, body, o);
    message_text(render, o, body, render->network->limits.text_chars);
    message_picture(render, o, body);
    bool menu = message_can(render, CAN_POLL) ? o->n_buttons > 0
                                              : notice->fresh && hand_is_new_each_time(render);
    o->notify = ((!whisper && menu) || (notice->fresh && !message_can(render, CAN_EDIT))) &&
                (asker || !player->quiet);
}

void message_to_seat(struct render *render, const struct notice *asked)
{
    struct notice notice = *asked;
    const struct player_seen *player = &asked->table->player[asked->seat];
    if (!message_from_account(render, player->account))
        return;
    notice.table = message_table_at(render, asked->table, player->venue);
    const struct seen_from *at = &notice.table->at;
    bool at_venue = at->account == player->account;
    if (at->one_post && at_venue)
        message_one_post(render);
    if (notice.kind == NOTICE_CLOSE) {
        close_hand(render, &notice);
        return;
    }
    bool asker = str_is(player->id, render->e->from.id) && player->id.n > 0 &&
                 player->account == render->e->account;
    bool press = asker && render->e->pressed && render->e->press.n > 0;
    enum channel channel = (enum channel)player->channel;
    if (at->direct && at_venue) {
        to_private_venue(render, &notice, asker);
        return;
    }
    bool popup_too = message_can(render, CAN_ONE_POST) && press && notice.n;
    if (channel >= CHANNEL_POPUP || popup_too) {
        if (!notice.fresh || !press || !message_can(render, CAN_POPUP))
            return;
        to_seat_popup(render, &notice);
    }
    bool whisper = channel == CHANNEL_WHISPER && !(asker && render->e->direct);
    if (channel < CHANNEL_POPUP)
        to_seat_alone(render, &notice, whisper, asker);
    if (whisper && notice.n == HAND_AGAIN)
        erase_dropped_hand(render, &notice);
    bool typed = asker && !render->e->pressed && render->e->press.n == 0;
    if (channel == CHANNEL_DIRECT && !popup_too && notice.n && !render->e->direct &&
        render->w->reachable && (typed || (press && message_can(render, CAN_POPUP))))
        answer_see_private_chat(render, &notice);
}

/* True if another message covers this notice in that chat. */
static bool covered_by_another_message(const struct render *render, const struct notice *notice)
{
    const struct table *t = notice->table;
    bool edits = message_can(render, CAN_EDIT);
    if (notice->kind == NOTICE_BOARD) /* covered by the hand; by the result */
        return t->at.direct || (!edits && t->view.stage != MATCH_PLAYING);
    if (notice->kind != NOTICE_PING)
        return false;
    enum channel channel = (enum channel)t->player[notice->seat].channel;
    return channel <= CHANNEL_DIRECT && /* covered by a hand that is a new message and notifies */
           (!edits || (channel == CHANNEL_DIRECT && hand_is_new_each_time(render)));
}

/* True if the board of this venue can stand in for a player's ping: sent anew at the bottom, with
 * their name as a mention, in the place of the old one. */
static bool board_can_ping(const struct render *render, const struct table *t, int seat)
{
    const struct player_seen *p = &t->player[seat];
    struct notice ping = {.kind = NOTICE_PING, .seat = (int8_t)seat, .table = t};
    return p->venue == t->at.venue && p->account == t->at.account && !t->at.direct &&
           message_can(render, CAN_EDIT) && message_can(render, CAN_ERASE) &&
           !covered_by_another_message(render, &ping);
}

static struct outgoing *add_to_venue(struct render *render, const struct table *t,
                                     enum out_kind kind, struct str slot)
{
    struct outgoing *o = message_new(render, kind, TO_CHAT);
    o->chat = t->at.chat;
    o->slot = slot;
    return o;
}

/* True if the message must not ring: it is in the quiet hours of the player it is for, or of one
 * who plays in that venue. */
static bool is_quiet(const struct notice *notice, int venue)
{
    const struct table *t = notice->table;
    bool for_one = notice->kind == NOTICE_PING || notice->kind == NOTICE_BOARD, any = false;
    for (int i = 0; i < t->players; i++)
        any |= t->player[i].quiet && t->player[i].venue == venue && (!for_one || i == notice->seat);
    return any;
}

static struct str slot_of_posted(struct render *render, const struct table *t, uint32_t posted)
{
    return message_slot(render, "posted", t->no, posted);
}

/* Takes the buttons away from a message that can be closed, or from the board. */
static void close_at_venue(struct render *render, const struct table *t, uint32_t posted)
{
    if (!message_can(render, CAN_CLOSE) || !message_can(render, CAN_BUTTONS))
        return;
    struct outgoing *o = add_to_venue(
        render, t, OUT_CLOSE, posted ? slot_of_posted(render, t, posted) : board_slot(render, t));
    o->expires = render->e->now + CLOSE_MS;
}

/* A slot by which a reaction to the message is understood; each message has its own. */
static struct str reaction_slot(struct render *render, const struct notice *notice)
{
    static const char *const kinds[N_NOTICES] = {
        [NOTICE_OFFER] = "offer", [NOTICE_ROUND] = "round", [NOTICE_MATCH] = "match"};
    const struct table *t = notice->table;
    if (!message_can(render, CAN_REACT) || !kinds[notice->kind])
        return (struct str){0};
    return message_slot(render, kinds[notice->kind], t->no, t->version);
}

static bool is_result(const struct notice *notice)
{
    return notice->kind == NOTICE_ROUND || notice->kind == NOTICE_MATCH ||
           notice->kind == NOTICE_REVIEW;
}

static void to_venue(struct render *render, const struct notice *asked, int venue)
{
    struct notice notice = *asked;
    const struct seen_from *at = &asked->table->venue[venue];
    if (at->one_post || !message_from_account(render, at->account))
        return;
    const struct table *t = notice.table = message_table_at(render, asked->table, venue);
    bool quiet = notice.kind == NOTICE_QUIET, ping = notice.kind == NOTICE_PING;
    if (quiet ? !message_can(render, CAN_ERASE) : covered_by_another_message(render, &notice))
        return;
    struct str board = board_slot(render, t),
               ping_slot = message_slot(render, "ping", t->no, t->ping), slot = {0};
    if (notice.kind == NOTICE_CLOSE) {
        close_at_venue(render, t, notice.posted);
        return;
    }
    bool told = notice.kind == NOTICE_BOARD && notice.notify;
    if ((told || quiet || ping) && board_can_ping(render, t, notice.seat)) {
        if (!ping)
            return; /* the board that follows; the next board takes the mention away */
        notice.kind = NOTICE_BOARD;
        add_to_venue(render, t, OUT_ERASE, board);
        slot = board;
    } else if (quiet || ping) {
        slot = ping_slot;
    } else if (notice.kind == NOTICE_BOARD) {
        slot = board;
        notice.notify = false;
    } else {
        slot = reaction_slot(render, &notice);
    }
    struct outgoing *o = add_to_venue(render, t, quiet ? OUT_ERASE : OUT_POST, slot);
    if (quiet)
        return;
    if (ping && notice.kind == NOTICE_PING) {
        o->to = t->player[notice.seat].id;
        o->expires = t->deadline;
    }
    o->notify = notice.notify && !is_quiet(&notice, venue);
    struct body *body = message_body(render, &notice);
    message_text(render, o, body, render->network->limits.text_chars);
    o->named = notice.posted && o->n_buttons > 0 && message_can(render, CAN_CLOSE);
    if (o->named)
        o->slot = slot_of_posted(render, t, notice.posted);
    (is_result(&notice) ? message_picture_first : message_picture)(render, o, body);
}

/* Pings a player in private on the network they play from, if their venue is on another one; erases
 * that ping for NOTICE_QUIET. Returns true if the venue needs no ping. */
static bool ping_other_network(struct render *render, const struct notice *notice)
{
    const struct table *t = notice->table;
    const struct player_seen *p = &t->player[notice->seat];
    bool quiet = notice->kind == NOTICE_QUIET;
    if (p->account == t->venue[notice->only].account || !message_from_account(render, p->account))
        return false;
    if (!message_can(render, CAN_DIRECT) || (quiet && !message_can(render, CAN_ERASE)))
        return !quiet;
    if (!quiet && (!message_can(render, CAN_EDIT) || hand_is_new_each_time(render)))
        return true; /* the hand itself is a new message that notifies */
    struct outgoing *o = message_new(render, quiet ? OUT_ERASE : OUT_POST, TO_DIRECT);
    o->chat = (struct str){0};
    o->to = p->id;
    o->slot = message_slot(render, "ping", t->no, t->ping);
    if (!quiet) {
        o->notify = !p->quiet;
        o->expires = t->deadline;
        message_text(render, o, message_body(render, notice), render->network->limits.text_chars);
    }
    return !quiet;
}

void message_to_table(struct render *render, const struct notice *notice)
{
    bool ping = notice->kind == NOTICE_PING || notice->kind == NOTICE_QUIET;
    if (ping && notice->only >= 0 && ping_other_network(render, notice))
        return;
    for (int i = 0; i < notice->table->n_venues; i++)
        if (notice->only < 0 || notice->only == i)
            to_venue(render, notice, i);
}

void message_to_tournament(struct render *render, const struct notice *notice)
{
    const struct tournament_run *run = notice->tournament;
    for (int i = 0; i < run->n_chats; i++) {
        const struct seen_from *at = &run->at[i];
        if ((notice->only >= 0 && notice->only != i) || at->one_post ||
            !message_from_account(render, at->account) ||
            (!notice->fresh && !message_can(render, CAN_EDIT)))
            continue;
        struct notice here = *notice;
        here.at = at;
        struct outgoing *o = message_new(render, OUT_POST, TO_CHAT);
        o->chat = at->chat;
        if (notice->kind == NOTICE_TOURNAMENT && notice->n <= TOURNAMENT_ROUND)
            o->slot = message_slot(render, "tournament", run->t.no, notice->round);
        o->replace_only = !notice->fresh;
        o->notify = notice->notify;
        struct body *body = message_body(render, &here);
        message_text(render, o, body, render->network->limits.text_chars);
    }
}

void message_to_handle(struct render *render, const struct notice *notice)
{
    if (!message_from_account(render, notice->handle.account) || !message_can(render, CAN_DIRECT))
        return;
    struct outgoing *o = message_new(render, OUT_POST, TO_DIRECT);
    o->chat = (struct str){0};
    o->to = notice->handle.id;
    o->notify = notice->notify;
    message_text(render, o, message_body(render, notice), render->network->limits.text_chars);
}
