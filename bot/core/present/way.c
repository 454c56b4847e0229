/* The way of each notice, by its audience: the first one that is open. See way.h.
 *
 *     sender alone   popup, ephemeral in the group, private chat, the chat itself
 *     a seat         the board in a private chat; ephemeral, private chat, popup
 *     a table        a message, or the board where it stands, in each venue; a ping
 *
 * What no network can is asked here and nowhere below: `network_can` is about the network itself,
 * without the polls that stand in for buttons. */
#include "way.h"
#include "part.h"
#include "tournament_run.h"

#define CLOSE_MS ((int64_t)3600 * 1000) /* buttons that could not be closed by then stay */

static bool network_can(const struct draft *d, enum ability can)
{
    return (d->network->can & can) != 0;
}

static void to_sender(struct draft *d)
{
    d->out.to = d->e->from.id;
}

/* ---- the sender alone ---- */

static bool is_played_here(const struct draft *d, const struct table *t)
{
    for (int i = 0; i < t->n_venues; i++)
        if (t->venue[i].account == d->e->account && str_is(t->venue[i].chat, d->e->chat))
            return true;
    return false;
}

/* True for an answer to a command that was typed in a group, certainly for this bot. */
static bool is_typed_here(const struct draft *d)
{
    const struct event *e = d->e;
    bool command = e->verb < N_COMMANDS || (e->verb == VERB_UNKNOWN && e->for_us);
    return command && !e->direct && !e->pressed && e->press.n == 0;
}

/* True if all may read this answer, and it shows no match of another chat. */
static bool may_be_read_here(const struct draft *d)
{
    const struct notice *notice = d->notice;
    if (notice->table && !is_played_here(d, notice->table))
        return false;
    for (int i = 0; i < notice->games.n; i++)
        if (!is_played_here(d, notice->games.at[i]))
            return false;
    return notice->kind != NOTICE_REVIEW && page_may_be_public(notice);
}

enum answer_way { WAY_NONE, WAY_POPUP, WAY_WHISPER, WAY_DIRECT, WAY_CHAT };

/* The way of an answer that is written already; brief: one line without buttons. */
static enum answer_way way_to_sender(const struct draft *d, bool brief)
{
    const struct event *e = d->e;
    const struct notice *notice = d->notice;
    enum notice_kind kind = (enum notice_kind)notice->kind;
    bool pressed = e->press.n > 0;
    if (kind == NOTICE_SETS && (!network_can(d, CAN_PICTURE) || part_popup_only(d)))
        return WAY_NONE;
    /* inline mode: the bot can post nothing beside the shared message */
    if (d->w->chat.can & CAN_ONE_POST)
        return pressed && (brief || !d->w->me.reachable) ? WAY_POPUP
               : d->w->me.reachable                      ? WAY_DIRECT
                                                         : WAY_NONE;
    bool asks = (kind == NOTICE_TARGETS && part_asks_by_popup(d)) ||
                kind == NOTICE_LESSON_REFUSAL || (kind == NOTICE_PUZZLE_KEPT && !e->direct),
         alone = (d->out.n_buttons == 0 || page_may_be_public(notice)) && part_popup_only(d);
    if (pressed && network_can(d, CAN_POPUP) && (brief || asks || alone))
        return WAY_POPUP;
    /* What was asked in a group is answered there for all to read; a refusal, and the question
     * which match is meant, are hidden if the network can. */
    bool aloud =
        !notice->opens && is_typed_here(d) && may_be_read_here(d) &&
        ((kind != NOTICE_LINE && notice->key != T_WHICH_MATCH) || !network_can(d, CAN_WHISPER));
    return e->direct || aloud            ? WAY_CHAT
           : network_can(d, CAN_WHISPER) ? WAY_WHISPER
           : network_can(d, CAN_DIRECT)  ? WAY_DIRECT
                                         : WAY_CHAT;
}

/* Lets a hidden answer go to the private chat or the group if the network refuses it. What was
 * typed in a group is answered there: by the answer, or by a line that tells where it is. A command
 * of another bot, perhaps (VERB_UNKNOWN), gets no such answer. */
static void allow_fallbacks(struct draft *d)
{
    const struct event *e = d->e;
    struct outgoing *o = &d->out;
    bool typed = is_typed_here(d), to_all = may_be_read_here(d);
    if (e->verb == VERB_UNKNOWN && !typed)
        return;
    o->or_direct = network_can(d, CAN_DIRECT) && !typed;
    o->or_aloud = !e->pressed && e->said.n > 0 && (to_all || network_can(d, CAN_BUTTONS));
    o->reply_to = e->said;
    if (o->or_aloud && !to_all)
        o->aloud = TX(d, T_TAP_HAND, draft_mark_name(d, e->from.name, e->from.id));
}

/* A line in the group for what was typed there and is answered in private. */
static void tell_where(struct draft *d)
{
    if (!is_typed_here(d) || !d->w->me.reachable)
        return;
    for (int i = 0; i < d->n_sent; i++) /* an answer of several parts */
        if (d->sent[i].out.where == TO_CHAT && d->sent[i].out.kind == OUT_POST)
            return;
    draft_open(d, OUT_POST, TO_CHAT);
    SAY(d, T_ANSWER_IN_PRIVATE, draft_mark_name(d, d->e->from.name, d->e->from.id));
    d->out.reply_to = d->e->said;
    (void)draft_send(d);
}

/* To the private chat; the group is the fallback if that is closed. */
static void to_private_chat(struct draft *d)
{
    d->out.where = TO_DIRECT;
    d->out.group = d->e->chat;
    d->out.chat = (struct str){0};
}

static void answer(struct draft *d)
{
    const struct event *e = d->e;
    const struct notice *notice = d->notice;
    draft_open(d, OUT_POST, TO_CHAT);
    page_write(d);
    bool brief = notice->kind == NOTICE_LINE && d->out.n_buttons == 0;
    bool one_post = (d->w->chat.can & CAN_ONE_POST) != 0;
    enum answer_way taken = way_to_sender(d, brief);
    struct outgoing *o = &d->out;
    if (taken == WAY_CHAT && notice->kind == NOTICE_LINE && !e->direct &&
        !page_may_be_public(notice)) {
        /* about a card, where all would read it: the hand, which only its owner sees */
        draft_open(d, OUT_POST, TO_CHAT);
        SAY(d, T_TAP_HAND, draft_mark_name(d, e->from.name, e->from.id));
    }
    if (notice->kind == NOTICE_LESSON && taken != WAY_POPUP && !one_post) {
        /* in one message, until they ask for it anew */
        o->slot = draft_slot(d, "lesson", d->w->me.person,
                             d->fx->prefs ? d->fx->prefs->lesson_message : 0);
        o->notify = notice->fresh;
    }
    switch (taken) {
    case WAY_NONE:
        return;
    case WAY_POPUP: /* it has no buttons; it passes, or waits for a tap (alert) */
        o->kind = OUT_ANSWER;
        o->alert = !brief;
        o->n_buttons = 0;
        break;
    case WAY_CHAT:
        o->reply_to = e->direct ? (struct str){0} : e->said;
        break;
    case WAY_WHISPER:
        o->where = TO_WHISPER;
        allow_fallbacks(d);
        break;
    case WAY_DIRECT:
        to_private_chat(d);
        if (!one_post)
            allow_fallbacks(d);
        else
            o->group = (struct str){0};
        break;
    }
    if (taken == WAY_POPUP || !one_post)
        o->press = e->press;
    to_sender(d);
    (void)draft_send(d);
    if (taken == WAY_DIRECT && !one_post)
        tell_where(d);
}

/* ---- files for the sender ---- */

/* Length of the whole lines at the start that have at most so many bytes; of a part of the first
 * line if that is longer. */
static size_t whole_lines(struct str s, size_t most)
{
    size_t n = s.n <= most ? s.n : most;
    while (n < s.n && n > 0 && s.p[n - 1] != '\n')
        n--;
    return n == 0 ? most : n;
}

/* The text of the notice in as many messages as it takes. */
static void answer_in_several(struct draft *d)
{
    const struct notice *all = d->notice;
    int most = d->network->limits.text_chars;
    for (struct str rest = all->text; rest.n > 0 && d->n_sent < MAX_OUTGOING - 2;) {
        size_t n = whole_lines(rest, most == 0 ? SIZE_MAX : (size_t)most);
        struct notice part = *all;
        part.text = str_trim((struct str){rest.p, n});
        d->notice = &part;
        answer(d);
        rest = str_skip(rest, n);
    }
    d->notice = all;
}

/* The record, in private; where that is closed, a line in the group with the link that opens it. It
 * brings a player the record; for others a match of this group has no number there. */
static void answer_with_record(struct draft *d)
{
    const struct event *e = d->e;
    struct outgoing *o = &d->out;
    bool apart = !e->direct && (!network_can(d, CAN_DIRECT) || (d->w->chat.can & CAN_ONE_POST)),
         plays = false;
    if (!network_can(d, CAN_FILE) || d->notice->text.n > OUT_FILE_MOST || apart) {
        answer_in_several(d);
        return;
    }
    draft_open(d, OUT_POST, TO_CHAT);
    page_write(d);
    for (int i = 0; i < d->table->players; i++)
        plays |= d->w->me.person && d->table->player[i].person == d->w->me.person;
    if (!e->direct) {
        struct str name = draft_mark_name(d, e->from.name, e->from.id);
        to_private_chat(d);
        o->or_aloud = true;
        o->reply_to = e->said;
        o->aloud = plays ? TX(d, T_EXPORT_CLOSED, name)
                         : TX(d, T_EXPORT_CLOSED_AGAIN, name, draft_command(d, VERB_EXPORT));
        draft_press(d, T_BUTTON_OPEN, plays ? VERB_EXPORT : VERB_START, 0, BUTTON_LINK);
    }
    o->file_name = arena_print(d->a, "%.*s.koikoi", STR_ARG(d->table->match_id));
    o->file = d->notice->text;
    to_sender(d);
    (void)draft_send(d);
    if (!e->direct)
        tell_where(d);
}

/* All that is kept of the sender: a file for each OUT_FILE_MOST bytes. */
static void answer_with_data(struct draft *d)
{
    if (!network_can(d, CAN_FILE)) {
        answer_in_several(d);
        return;
    }
    int no = 0;
    for (struct str rest = d->notice->text; rest.n > 0 && d->n_sent < MAX_OUTGOING - 2;) {
        size_t n = whole_lines(rest, OUT_FILE_MOST);
        draft_open(d, OUT_POST, TO_CHAT);
        SAY(d, T_MYDATA_HEAD);
        d->out.file_name = no == 0 && n == rest.n ? STR("mydata.jsonl")
                                                  : arena_print(d->a, "mydata-%d.jsonl", no + 1);
        d->out.file = (struct str){rest.p, n};
        to_sender(d);
        (void)draft_send(d);
        rest = str_skip(rest, n);
        no++;
    }
}

/* ---- slots of a table ---- */

/* True if every question to a player is a new message, which notifies: a poll cannot be edited, and
 * a person can react once to a message. */
static bool hand_is_new_each_time(const struct draft *d)
{
    return network_can(d, CAN_POLL) || (network_can(d, CAN_REACT) && !network_can(d, CAN_BUTTONS));
}

/* The board is edited where it stands; where no ping brings it down to the newest messages, each
 * round has a board of its own. */
static struct str board_slot(const struct draft *d)
{
    const struct table *t = d->notice->table;
    bool between = t->view.stage == MATCH_READY && t->view.round_no > 1;
    if (!hand_is_new_each_time(d))
        return draft_slot(d, "board", t->no, -1);
    return arena_print(d->a, "board:%lld:round%d", (long long)t->no, t->view.round_no - between);
}

static struct str hand_slot(const struct draft *d, uint32_t hand_message)
{
    const struct notice *notice = d->notice;
    return arena_print(d->a, "hand:%lld:%d:%u", (long long)notice->table->no, notice->seat,
                       (unsigned)hand_message);
}

static struct str posted_slot(const struct draft *d)
{
    return draft_slot(d, "posted", d->notice->table->no, d->notice->posted);
}

/* ---- a seat ---- */

/* In a chat with one player alone, board and hand are one message. */
static void to_private_venue(struct draft *d, bool asker)
{
    const struct notice *notice = d->notice;
    const struct player_seen *player = &notice->table->player[notice->seat];
    if (!notice->fresh && !network_can(d, CAN_EDIT))
        return;
    draft_open(d, OUT_POST, TO_CHAT);
    d->out.chat = d->at->chat;
    d->out.slot = draft_slot(d, "board", notice->table->no, player->hand_message);
    d->out.replace_only = !notice->fresh;
    d->out.notify = notice->fresh && !asker && !player->quiet;
    page_write(d);
    (void)draft_send(d);
}

/* A press has one answer: if it has one already, the hand is appended to it. */
static void to_seat_popup(struct draft *d)
{
    struct message *before = NULL;
    for (int i = 0; i < d->n_sent; i++)
        if (d->sent[i].out.kind == OUT_ANSWER && str_is(d->sent[i].out.press, d->e->press))
            before = &d->sent[i];
    draft_open(d, OUT_ANSWER, TO_CHAT);
    page_write_as(d, NOTICE_HAND_SHORT);
    struct str hand = buf_str(&d->text);
    draft_open(d, OUT_ANSWER, TO_CHAT);
    if (before) {
        d->out = before->out;
        draft_line(d, before->out.text);
    }
    draft_line(d, hand);
    d->out.press = d->e->press;
    d->out.to = draft_id(d, d->notice->seat);
    d->out.alert = true;
    d->out.n_buttons = 0;
    (void)draft_send(d);
    if (before)
        *before = d->sent[--d->n_sent];
}

/* Takes the buttons of a hand away. */
static void close_hand(struct draft *d, bool private_venue)
{
    const struct notice *notice = d->notice;
    const struct player_seen *player = &notice->table->player[notice->seat];
    bool whisper = player->channel == CHANNEL_WHISPER;
    if (!network_can(d, CAN_CLOSE) || player->id.n == 0 ||
        (!private_venue && player->channel > CHANNEL_DIRECT))
        return;
    for (int i = 0; i < d->fx->n_notices; i++) /* an edit takes them away, but those of a poll */
        if (d->fx->notice[i]->kind == NOTICE_HAND && d->fx->notice[i]->seat == notice->seat &&
            !network_can(d, CAN_POLL))
            return;
    draft_open(d, OUT_CLOSE, private_venue ? TO_CHAT : whisper ? TO_WHISPER : TO_DIRECT);
    d->out.chat = private_venue || whisper ? d->at->chat : (struct str){0};
    d->out.to = private_venue ? STR("") : player->id;
    d->out.slot = private_venue ? draft_slot(d, "board", notice->table->no, player->hand_message)
                                : hand_slot(d, player->hand_message);
    d->out.expires = d->e->now + CLOSE_MS;
    (void)draft_send(d);
}

/* Erases the ephemeral hand that the new one replaces, in case the network still shows it. */
static void erase_dropped_hand(struct draft *d)
{
    const struct notice *notice = d->notice;
    const struct player_seen *player = &notice->table->player[notice->seat];
    draft_open(d, OUT_ERASE, TO_WHISPER);
    d->out.chat = d->at->chat;
    d->out.to = player->id;
    d->out.slot = hand_slot(d, player->hand_message - 1);
    (void)draft_send(d);
}

/* Answers a press or a command in the group: the hand is in the private chat. */
static void answer_see_private_chat(struct draft *d)
{
    bool press = d->e->press.n > 0;
    draft_open(d, press ? OUT_ANSWER : OUT_POST, TO_CHAT);
    draft_line(d, press ? TX(d, T_HAND_IN_PRIVATE)
                        : TX(d, T_ANSWER_IN_PRIVATE, draft_mention(d, d->notice->seat)));
    d->out.press = d->e->press;
    if (!press)
        d->out.reply_to = d->e->said;
    d->out.to = d->notice->table->player[d->notice->seat].id;
    (void)draft_send(d);
}

/* A hand that only its owner sees: ephemeral in the group, or in their private chat. */
static void to_seat_alone(struct draft *d, bool whisper, bool asker)
{
    const struct notice *notice = d->notice;
    const struct table *t = notice->table;
    const struct player_seen *player = &t->player[notice->seat];
    struct outgoing *o = &d->out;
    bool edits = network_can(d, CAN_EDIT);
    if (!notice->fresh && !edits)
        return;
    draft_open(d, OUT_POST, whisper ? TO_WHISPER : TO_DIRECT);
    o->chat = whisper ? d->at->chat : (struct str){0};
    o->to = player->id;
    o->press = asker ? d->e->press : (struct str){0};
    o->slot = hand_slot(d, player->hand_message);
    o->replace_only = !notice->fresh || (whisper && !asker && edits);
    page_write(d);
    if (!whisper && network_can(d, CAN_RETURN) && d->at->account == player->account) {
        struct str name = d->at->chat_name.n ? d->at->chat_name : TX(d, T_THE_GROUP);
        o->group = d->at->chat; /* to the board of the match */
        o->group_slot = board_slot(d);
        draft_row(d);
        draft_button(d, TX(d, T_BUTTON_BACK, name), VERB_NONE, 0, BUTTON_BACK);
    }
    bool menu =
        network_can(d, CAN_POLL) ? o->n_buttons > 0 : notice->fresh && hand_is_new_each_time(d);
    o->notify = ((!whisper && menu) || (notice->fresh && !edits)) && (asker || !player->quiet);
    (void)draft_send(d);
}

static void to_seat(struct draft *d)
{
    const struct notice *notice = d->notice;
    const struct event *e = d->e;
    const struct player_seen *player = &notice->table->player[notice->seat];
    if (!draft_from(d, player->account))
        return;
    d->at = &notice->table->venue[player->venue];
    bool at_venue = d->at->account == player->account,
         asker =
             player->id.n > 0 && str_is(player->id, e->from.id) && player->account == e->account,
         press = asker && e->pressed && e->press.n > 0,
         typed = asker && !e->pressed && e->press.n == 0;
    if (d->at->one_post && at_venue)
        draft_one_post(d);
    if (notice->kind == NOTICE_CLOSE) {
        close_hand(d, d->at->direct && at_venue);
        return;
    }
    if (d->at->direct && at_venue) {
        to_private_venue(d, asker);
        return;
    }
    bool popup_too = network_can(d, CAN_ONE_POST) && press && notice->n,
         whisper = player->channel == CHANNEL_WHISPER && !(asker && e->direct);
    if (player->channel >= CHANNEL_POPUP || popup_too) {
        if (!notice->fresh || !press || !network_can(d, CAN_POPUP))
            return;
        to_seat_popup(d);
    }
    if (player->channel < CHANNEL_POPUP)
        to_seat_alone(d, whisper, asker);
    if (whisper && notice->n == HAND_AGAIN)
        erase_dropped_hand(d);
    if (player->channel == CHANNEL_DIRECT && !popup_too && notice->n && !e->direct &&
        d->w->me.reachable && (typed || (press && network_can(d, CAN_POPUP))))
        answer_see_private_chat(d);
}

/* ---- a table ---- */

/* True if another message covers this notice in that chat. */
static bool is_covered(const struct draft *d, enum notice_kind kind)
{
    const struct table *t = d->notice->table;
    bool edits = network_can(d, CAN_EDIT);
    if (kind == NOTICE_BOARD) /* by the hand; by the result */
        return d->at->direct || (!edits && t->view.stage != MATCH_PLAYING);
    if (kind != NOTICE_PING)
        return false;
    uint8_t channel = t->player[d->notice->seat].channel;
    return channel <= CHANNEL_DIRECT && /* by a hand that is a new message and notifies */
           (!edits || (channel == CHANNEL_DIRECT && hand_is_new_each_time(d)));
}

/* True if the board of this venue can stand in for a player's ping: sent anew at the bottom, with
 * their name as a mention, in the place of the old one. */
static bool board_can_ping(const struct draft *d)
{
    const struct player_seen *p = &d->notice->table->player[d->notice->seat];
    return p->venue == d->at->venue && p->account == d->at->account && !d->at->direct &&
           network_can(d, CAN_EDIT) && network_can(d, CAN_ERASE) && !is_covered(d, NOTICE_PING);
}

/* True if the message must not ring: it is in the quiet hours of the player it is for, or of one
 * who plays in that venue. */
static bool is_quiet(const struct draft *d)
{
    const struct notice *notice = d->notice;
    const struct table *t = notice->table;
    bool for_one = notice->kind == NOTICE_PING || notice->kind == NOTICE_BOARD, any = false;
    for (int i = 0; i < t->players; i++)
        any |= t->player[i].quiet && t->player[i].venue == d->at->venue &&
               (!for_one || i == notice->seat);
    return any;
}

/* Erases or closes the message of a slot; OUT_CLOSE only if it is soon. */
static void remove_at_venue(struct draft *d, enum out_kind kind, struct str slot)
{
    draft_open(d, kind, TO_CHAT);
    d->out.chat = d->at->chat;
    d->out.slot = slot;
    if (kind == OUT_CLOSE)
        d->out.expires = d->e->now + CLOSE_MS;
    (void)draft_send(d);
}

/* A result whose words do not fit under its picture: as many lines as do, and the others with the
 * buttons in a second message, which makes no sound. */
static void send_result(struct draft *d)
{
    enum { TIME_SLACK = 80 }; /* a time may be longer than it is here */
    struct outgoing *o = draft_send(d), rest = *o;
    size_t end = 0;
    if (!network_can(d, CAN_PICTURE) || d->picture.n == 0 || o->picture.n > 0)
        return;
    for (size_t i = 0; i < o->text.n && o->text.p[i] != MARK_FOLD; i++)
        if (o->text.p[i] == '\n' && draft_fits(d, (struct str){o->text.p, i},
                                               d->network->limits.caption_chars - TIME_SLACK))
            end = i;
    if (end == 0)
        return;
    rest.text = str_skip(o->text, end + 1);
    rest.notify = false;
    o->text.n = end;
    o->picture = d->picture;
    o->n_buttons = 0; /* the rest has them, and the name by which they are taken away */
    o->named = false;
    o->slot = (struct str){0};
    o->news = rest.news = (struct str){0};
    d->sent[d->n_sent++] = (struct message){d->network->account, rest};
}

static void to_venue(struct draft *d, int venue)
{
    const struct notice *notice = d->notice;
    const struct table *t = notice->table;
    enum notice_kind kind = (enum notice_kind)notice->kind;
    bool quiet = kind == NOTICE_QUIET, ping = kind == NOTICE_PING, board = kind == NOTICE_BOARD;
    if (t->venue[venue].one_post || !draft_from_venue(d, venue) ||
        (quiet ? !network_can(d, CAN_ERASE) : is_covered(d, kind)))
        return;
    struct str slot = {0};
    if (kind == NOTICE_CLOSE) {
        if (network_can(d, CAN_CLOSE) && network_can(d, CAN_BUTTONS))
            remove_at_venue(d, OUT_CLOSE, notice->posted ? posted_slot(d) : board_slot(d));
        return;
    }
    if (((board && notice->notify) || quiet || ping) && board_can_ping(d)) {
        if (!ping)
            return; /* the board that follows; the next board takes the mention away */
        slot = board_slot(d);
        remove_at_venue(d, OUT_ERASE, slot);
        board = true;
    } else if (quiet || ping) {
        slot = draft_slot(d, "ping", t->no, t->ping);
    } else if (board) {
        slot = board_slot(d);
    } else if (network_can(d, CAN_REACT) && page_of[kind].reaction) {
        slot = draft_slot(d, page_of[kind].reaction, t->no, t->version);
    }
    if (quiet) {
        remove_at_venue(d, OUT_ERASE, slot);
        return;
    }
    struct outgoing *o = &d->out;
    draft_open(d, OUT_POST, TO_CHAT);
    o->chat = d->at->chat;
    o->slot = slot;
    if (ping && !board) {
        o->to = draft_id(d, notice->seat);
        o->expires = t->deadline;
    }
    o->notify = kind != NOTICE_BOARD && notice->notify && !is_quiet(d);
    page_write_as(d, board ? NOTICE_BOARD : kind);
    o->named = notice->posted && o->n_buttons > 0 && network_can(d, CAN_CLOSE);
    if (o->named)
        o->slot = posted_slot(d);
    if (page_of[kind].flags & PAGE_RESULT)
        send_result(d);
    else
        (void)draft_send(d);
}

/* Pings a player in private on the network they play from, if their venue is on another one; erases
 * that ping for NOTICE_QUIET. Returns true if the venue needs no ping. */
static bool ping_other_network(struct draft *d)
{
    const struct notice *notice = d->notice;
    const struct table *t = notice->table;
    const struct player_seen *p = &t->player[notice->seat];
    bool quiet = notice->kind == NOTICE_QUIET;
    if (p->account == t->venue[notice->only].account || !draft_from(d, p->account))
        return false;
    if (!network_can(d, CAN_DIRECT) || (quiet && !network_can(d, CAN_ERASE)))
        return !quiet;
    if (!quiet && (!network_can(d, CAN_EDIT) || hand_is_new_each_time(d)))
        return true; /* the hand itself is a new message that notifies */
    draft_open(d, quiet ? OUT_ERASE : OUT_POST, TO_DIRECT);
    d->out.chat = (struct str){0};
    d->out.to = p->id;
    d->out.slot = draft_slot(d, "ping", t->no, t->ping);
    if (!quiet) {
        d->out.notify = !p->quiet;
        d->out.expires = t->deadline;
        page_write(d);
    }
    (void)draft_send(d);
    return !quiet;
}

static void to_table(struct draft *d)
{
    const struct notice *notice = d->notice;
    bool ping = notice->kind == NOTICE_PING || notice->kind == NOTICE_QUIET;
    if (ping && notice->only >= 0 && ping_other_network(d))
        return;
    for (int i = 0; i < notice->table->n_venues; i++)
        if (notice->only < 0 || notice->only == i)
            to_venue(d, i);
}

/* ---- other audiences ---- */

static void to_tournament(struct draft *d)
{
    const struct notice *notice = d->notice;
    const struct tournament_run *run = notice->tournament.run;
    for (int i = 0; i < run->n_chats; i++) {
        const struct seen_from *at = &run->at[i];
        if ((notice->only >= 0 && notice->only != i) || at->one_post ||
            !draft_from(d, at->account) || (!notice->fresh && !network_can(d, CAN_EDIT)))
            continue;
        d->at = at;
        draft_open(d, OUT_POST, TO_CHAT);
        d->out.chat = at->chat;
        if (notice->kind == NOTICE_TOURNAMENT && notice->n <= TOURNAMENT_ROUND)
            d->out.slot = draft_slot(d, "tournament", run->t.no, notice->tournament.round);
        d->out.replace_only = !notice->fresh;
        d->out.notify = notice->notify;
        page_write(d);
        (void)draft_send(d);
    }
}

static void to_handle(struct draft *d)
{
    const struct handle *handle = &d->notice->handle;
    if (!draft_from(d, handle->account) || !network_can(d, CAN_DIRECT))
        return;
    draft_open(d, OUT_POST, TO_DIRECT);
    d->out.chat = (struct str){0};
    d->out.to = handle->id;
    d->out.notify = d->notice->notify;
    page_write(d);
    (void)draft_send(d);
}

/* The chat of the event. */
static void to_chat(struct draft *d)
{
    const struct notice *notice = d->notice;
    draft_open(d, OUT_POST, TO_CHAT);
    page_write(d);
    if (notice->post > 0 && d->out.n_buttons > 0) /* pages are edits of one message */
        d->out.slot =
            draft_slot(d, notice->kind == NOTICE_REPLAY ? "replay" : "pages", notice->post, -1);
    if (notice->key == T_CANNOT_READ && network_can(d, CAN_REACT))
        d->out.slot = draft_slot(d, "deaf", d->w->chat.id, -1);
    d->out.notify = notice->notify;
    (void)draft_send(d);
}

void way_take(struct draft *d)
{
    switch ((enum notice_kind)d->notice->kind) {
    case NOTICE_INVITES:
    case NOTICE_MOVES:
        inline_articles(d);
        return;
    case NOTICE_EXPORT:
        answer_with_record(d);
        return;
    case NOTICE_MYDATA:
        answer_with_data(d);
        return;
    default:
        break;
    }
    switch ((enum audience)d->notice->audience) {
    case TO_ASKER:
        answer(d);
        break;
    case TO_SEAT:
        to_seat(d);
        break;
    case TO_TABLE:
        to_table(d);
        break;
    case TO_TOURNAMENT:
        to_tournament(d);
        break;
    case TO_HANDLE:
        to_handle(d);
        break;
    case TO_HERE:
        to_chat(d);
        break;
    }
}
