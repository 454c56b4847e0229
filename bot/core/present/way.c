/* The way of each notice, by its audience: the first one that is open. See way.h.
 *
 *     sender alone   popup, ephemeral in the group, private chat, the chat itself; files
 *     a seat         the board in a private chat; ephemeral, private chat, popup
 *     a table        in each venue a message, the board where it stands, or a ping
 *
 * What no network can is asked here: network_can() is about the network itself, without the polls
 * that stand in for buttons. */
#include "way.h"

#include "tournament_run.h"

#define CLOSE_MS ((int64_t)3600 * 1000) /* buttons that could not be closed by then stay */

static bool network_can(const struct draft *d, enum ability can)
{
    return (d->network->can & can) != 0;
}

/* The page of the notice, to that address. */
static void post(struct draft *d, struct outgoing address)
{
    draft_open(d, address);
    page_write(d);
    draft_send(d);
}

/* ---- the sender alone ---- */

/* True for an answer to a command that was typed in a group, certainly for this bot. */
static bool is_typed_here(const struct draft *d)
{
    const struct event *e = d->e;
    bool command = e->verb < N_COMMANDS || (e->verb == VERB_UNKNOWN && e->for_us);
    return command && !e->direct && !e->pressed && e->press.n == 0;
}

static bool is_played_here(const struct draft *d, const struct table *t)
{
    for (int i = 0; i < t->n_venues; i++)
        if (t->venue[i].account == d->e->account && str_is(t->venue[i].chat, d->e->chat))
            return true;
    return false;
}

/* True if all may read this answer, and it shows no match of another chat. */
static bool may_be_read_here(const struct draft *d)
{
    const struct notice *notice = d->notice;
    bool here = !notice->table || is_played_here(d, notice->table);
    for (int i = 0; i < notice->games.n; i++)
        here &= is_played_here(d, notice->games.at[i]);
    return here && notice->kind != NOTICE_REVIEW && page_may_be_public(notice);
}

static struct str sender_name(const struct draft *d)
{
    return draft_mark_name(d, d->e->from.name, d->e->from.id);
}

/* In the private chat; the group is the fallback if that is closed. */
static void go_private(struct draft *d)
{
    d->out.where = TO_DIRECT;
    d->out.group = d->e->chat;
    d->out.chat = STR("");
}

/* A line in the group for what was typed there and is answered in private. */
static void tell_where(struct draft *d)
{
    if (!is_typed_here(d) || !d->w->me.reachable)
        return;
    for (int i = 0; i < d->n_sent; i++) /* an answer of several parts */
        if (d->sent[i].out.where == TO_CHAT && d->sent[i].out.kind == OUT_POST)
            return;
    draft_open(d, (struct outgoing){.chat = d->e->chat, .reply_to = d->e->said});
    SAY(d, T_ANSWER_IN_PRIVATE, sender_name(d));
    draft_send(d);
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
        o->aloud = TX(d, T_TAP_HAND, sender_name(d));
}

/* A popup, the answer to a press: it has no buttons; it passes, or waits for a tap (alert). */
static void send_popup(struct draft *d, bool alert)
{
    d->out.kind = OUT_ANSWER;
    d->out.alert = alert;
    d->out.n_buttons = 0;
    draft_send(d);
}

static void answer(struct draft *d)
{
    const struct event *e = d->e;
    const struct notice *notice = d->notice;
    const struct outgoing address = {.chat = e->chat, .to = e->from.id, .press = e->press};
    enum notice_kind kind = (enum notice_kind)notice->kind;
    struct outgoing *o = &d->out;
    draft_open(d, address);
    page_write(d);
    bool line = kind == NOTICE_LINE, brief = line && o->n_buttons == 0, press = e->press.n > 0;
    if (kind == NOTICE_SETS && (!network_can(d, CAN_PICTURE) || part_popup_only(d)))
        return;
    /* inline mode: the bot can post nothing beside the shared message */
    if (d->w->chat.can & CAN_ONE_POST) {
        if (press && (brief || !d->w->me.reachable)) {
            send_popup(d, !brief);
        } else if (d->w->me.reachable) {
            o->where = TO_DIRECT;
            o->chat = o->press = STR("");
            draft_send(d);
        }
        return;
    }
    bool asks = (kind == NOTICE_TARGETS && part_asks_by_popup(d)) ||
                kind == NOTICE_LESSON_REFUSAL || (kind == NOTICE_PUZZLE_KEPT && !e->direct),
         for_all = page_may_be_public(notice),
         only_popup = part_popup_only(d) && (o->n_buttons == 0 || for_all);
    if (press && network_can(d, CAN_POPUP) && (brief || asks || only_popup)) {
        send_popup(d, !brief);
        return;
    }
    /* What was asked in a group is answered there for all to read; a refusal, and the question
     * which match is meant, are hidden if the network can. */
    bool aloud = !notice->opens && is_typed_here(d) && may_be_read_here(d) &&
                 ((!line && notice->key != T_WHICH_MATCH) || !network_can(d, CAN_WHISPER));
    bool hidden = !e->direct && !aloud;
    if (hidden && network_can(d, CAN_WHISPER)) {
        o->where = TO_WHISPER;
        allow_fallbacks(d);
    } else if (hidden && network_can(d, CAN_DIRECT)) {
        go_private(d);
        allow_fallbacks(d);
    } else if (!e->direct) {
        if (line && !for_all) { /* about a card: the hand, which only its owner sees */
            draft_open(d, address);
            SAY(d, T_TAP_HAND, sender_name(d));
        }
        o->reply_to = e->said;
    }
    if (kind == NOTICE_LESSON) { /* in one message, until they ask for it anew */
        o->slot = draft_slot(d, "lesson", d->w->me.person,
                             d->fx->prefs ? d->fx->prefs->lesson_message : 0);
        o->notify = notice->fresh;
    }
    draft_send(d);
    if (o->where == TO_DIRECT)
        tell_where(d);
}

/* ---- files for the sender ---- */

/* Cuts whole lines of at most so many bytes off; part of the first line if that is longer. */
static struct str cut_lines(struct str *rest, size_t most)
{
    size_t n = rest->n <= most ? rest->n : most;
    while (n < rest->n && n > 0 && rest->p[n - 1] != '\n')
        n--;
    struct str lines = {rest->p, n == 0 ? most : n};
    *rest = str_skip(*rest, lines.n);
    return lines;
}

/* The text of the notice in as many messages as it takes. */
static void answer_in_several(struct draft *d)
{
    const struct notice *all = d->notice;
    int most = d->network->limits.text_chars;
    for (struct str rest = all->text; rest.n > 0 && d->n_sent < MAX_OUTGOING - 2;) {
        struct notice part = *all;
        part.text = str_trim(cut_lines(&rest, most == 0 ? SIZE_MAX : (size_t)most));
        d->notice = &part;
        answer(d);
    }
    d->notice = all;
}

/* The record, in private; where that is closed, a line in the group with the link that opens it. It
 * brings a player the record; for others a match of this group has no number there. */
static void answer_with_record(struct draft *d)
{
    const struct event *e = d->e;
    const struct table *t = d->notice->table;
    struct outgoing *o = &d->out;
    bool alone = e->direct || (network_can(d, CAN_DIRECT) && !(d->w->chat.can & CAN_ONE_POST)),
         plays = false;
    if (!network_can(d, CAN_FILE) || d->notice->text.n > OUT_FILE_MOST || !alone) {
        answer_in_several(d);
        return;
    }
    for (int i = 0; i < t->players; i++)
        plays |= d->w->me.person && t->player[i].person == d->w->me.person;
    draft_open(
        d, (struct outgoing){.chat = e->chat,
                             .to = e->from.id,
                             .file_name = arena_print(d->a, "%.*s.koikoi", STR_ARG(t->match_id)),
                             .file = d->notice->text});
    page_write(d);
    if (!e->direct) {
        go_private(d);
        o->or_aloud = true;
        o->reply_to = e->said;
        o->aloud =
            plays ? TX(d, T_EXPORT_CLOSED, sender_name(d))
                  : TX(d, T_EXPORT_CLOSED_AGAIN, sender_name(d), draft_command(d, VERB_EXPORT));
        draft_press(d, T_BUTTON_OPEN, plays ? VERB_EXPORT : VERB_START, 0, BUTTON_LINK);
    }
    draft_send(d);
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
    struct str rest = d->notice->text;
    bool one = rest.n <= OUT_FILE_MOST;
    for (int no = 1; rest.n > 0 && d->n_sent < MAX_OUTGOING - 2; no++) {
        draft_open(d,
                   (struct outgoing){.chat = d->e->chat,
                                     .to = d->e->from.id,
                                     .file = cut_lines(&rest, OUT_FILE_MOST),
                                     .file_name = one ? STR("mydata.jsonl")
                                                      : arena_print(d->a, "mydata-%d.jsonl", no)});
        SAY(d, T_MYDATA_HEAD);
        draft_send(d);
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

static struct str posted_slot(const struct draft *d)
{
    return draft_slot(d, "posted", d->notice->table->no, d->notice->posted);
}

/* ---- a seat ---- */

/* True if board and hand are one message, in a chat with this player alone. */
static bool is_private_venue(const struct draft *d)
{
    const struct notice *notice = d->notice;
    return d->at->direct && d->at->account == notice->table->player[notice->seat].account;
}

/* The message with the hand, the newest or the one `before` it. */
static struct outgoing hand_address(const struct draft *d, bool whisper, unsigned before)
{
    const struct notice *notice = d->notice;
    const struct player_seen *player = &notice->table->player[notice->seat];
    long long no = notice->table->no;
    if (is_private_venue(d))
        return (struct outgoing){.chat = d->at->chat,
                                 .slot = draft_slot(d, "board", no, player->hand_message)};
    return (struct outgoing){.where = whisper ? TO_WHISPER : TO_DIRECT,
                             .chat = whisper ? d->at->chat : STR(""),
                             .to = player->id,
                             .slot = arena_print(d->a, "hand:%lld:%d:%u", no, notice->seat,
                                                 (unsigned)player->hand_message - before)};
}

/* Takes the buttons of a hand away. */
static void close_hand(struct draft *d)
{
    const struct notice *notice = d->notice;
    const struct player_seen *player = &notice->table->player[notice->seat];
    struct outgoing address = hand_address(d, player->channel == CHANNEL_WHISPER, 0);
    if (!network_can(d, CAN_CLOSE) || player->id.n == 0 ||
        (!is_private_venue(d) && player->channel > CHANNEL_DIRECT))
        return;
    for (int i = 0; i < d->fx->n_notices; i++) /* an edit takes them away, but those of a poll */
        if (d->fx->notice[i]->kind == NOTICE_HAND && d->fx->notice[i]->seat == notice->seat &&
            !network_can(d, CAN_POLL))
            return;
    address.kind = OUT_CLOSE;
    address.expires = d->e->now + CLOSE_MS;
    draft_open(d, address);
    draft_send(d);
}

/* A press has one answer: if it has one already, the hand is appended to it. */
static void to_seat_popup(struct draft *d)
{
    struct message *before = NULL;
    struct outgoing address = {.kind = OUT_ANSWER, .chat = d->e->chat};
    for (int i = 0; i < d->n_sent; i++)
        if (d->sent[i].out.kind == OUT_ANSWER && str_is(d->sent[i].out.press, d->e->press))
            before = &d->sent[i];
    draft_open(d, address);
    page_write_as(d, NOTICE_HAND_SHORT);
    struct str hand = buf_str(&d->text);
    if (before)
        address = before->out;
    address.press = d->e->press;
    address.to = d->notice->table->player[d->notice->seat].id;
    address.alert = true;
    address.n_buttons = 0;
    draft_open(d, address);
    draft_line(d, before ? before->out.text : STR(""));
    draft_line(d, hand);
    draft_send(d);
    if (before)
        *before = d->sent[--d->n_sent];
}

/* The hand, as its owner alone sees it; asker: they asked for it by this event. */
static void to_seat_alone(struct draft *d, bool whisper, bool asker)
{
    const struct notice *notice = d->notice;
    const struct player_seen *player = &notice->table->player[notice->seat];
    struct outgoing *o = &d->out;
    bool edits = network_can(d, CAN_EDIT), fresh = notice->fresh, alone = !is_private_venue(d);
    if (!fresh && !edits)
        return;
    draft_open(d, hand_address(d, whisper, 0));
    page_write(d);
    o->replace_only = !fresh || (alone && whisper && !asker && edits);
    if (!alone) {
        o->notify = fresh && !asker && !player->quiet;
        draft_send(d);
        return;
    }
    if (asker)
        o->press = d->e->press;
    if (!whisper && network_can(d, CAN_RETURN) && d->at->account == player->account) {
        struct str name = d->at->chat_name.n ? d->at->chat_name : TX(d, T_THE_GROUP);
        o->group = d->at->chat; /* to the board of the match */
        o->group_slot = board_slot(d);
        draft_row(d);
        draft_button(d, TX(d, T_BUTTON_BACK, name), VERB_NONE, 0, BUTTON_BACK);
    }
    bool menu = network_can(d, CAN_POLL) ? o->n_buttons > 0 : fresh && hand_is_new_each_time(d);
    o->notify = ((!whisper && menu) || (fresh && !edits)) && (asker || !player->quiet);
    draft_send(d);
}

/* Answers a press or a command in the group: the hand is in the private chat. */
static void tell_private_chat(struct draft *d)
{
    const struct notice *notice = d->notice;
    bool press = d->e->press.n > 0;
    draft_open(d, (struct outgoing){.kind = press ? OUT_ANSWER : OUT_POST,
                                    .chat = d->e->chat,
                                    .to = notice->table->player[notice->seat].id,
                                    .press = d->e->press,
                                    .reply_to = press ? STR("") : d->e->said});
    draft_line(d, press ? TX(d, T_HAND_IN_PRIVATE)
                        : TX(d, T_ANSWER_IN_PRIVATE, draft_mention(d, notice->seat)));
    draft_send(d);
}

static void to_seat(struct draft *d)
{
    const struct notice *notice = d->notice;
    const struct event *e = d->e;
    const struct player_seen *player = &notice->table->player[notice->seat];
    if (!draft_from(d, player->account, &notice->table->venue[player->venue]))
        return;
    if (d->at->one_post && d->at->account == player->account)
        draft_one_post(d);
    if (notice->kind == NOTICE_CLOSE) {
        close_hand(d);
        return;
    }
    bool asker =
             player->id.n > 0 && str_is(player->id, e->from.id) && player->account == e->account,
         press = asker && e->pressed && e->press.n > 0,
         typed = asker && !e->pressed && e->press.n == 0,
         whisper = player->channel == CHANNEL_WHISPER && !(asker && e->direct),
         popup_too = network_can(d, CAN_ONE_POST) && press && notice->n;
    if (is_private_venue(d)) {
        to_seat_alone(d, false, asker);
        return;
    }
    if (player->channel >= CHANNEL_POPUP || popup_too) {
        if (!notice->fresh || !press || !network_can(d, CAN_POPUP))
            return;
        to_seat_popup(d);
    }
    if (player->channel < CHANNEL_POPUP)
        to_seat_alone(d, whisper, asker);
    if (whisper && notice->n == HAND_AGAIN) { /* in case the network still shows the one before */
        struct outgoing dropped = hand_address(d, true, 1);
        dropped.kind = OUT_ERASE;
        draft_open(d, dropped);
        draft_send(d);
    }
    if (player->channel == CHANNEL_DIRECT && !popup_too && notice->n && !e->direct &&
        d->w->me.reachable && (typed || (press && network_can(d, CAN_POPUP))))
        tell_private_chat(d);
}

/* ---- a table ---- */

/* True if another message covers this kind of notice in that chat. */
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
    bool any = false;
    for (int i = 0; i < t->players; i++)
        any |= t->player[i].quiet && t->player[i].venue == d->at->venue &&
               (notice->kind != NOTICE_PING || i == notice->seat);
    return any;
}

/* Erases or closes the message of a slot in the venue. */
static void remove_at_venue(struct draft *d, enum out_kind kind, struct str slot)
{
    draft_open(d, (struct outgoing){.kind = kind,
                                    .chat = d->at->chat,
                                    .slot = slot,
                                    .expires = kind == OUT_CLOSE ? d->e->now + CLOSE_MS : 0});
    draft_send(d);
}

/* A result whose words do not fit under its picture: as many lines as do, and the others with the
 * buttons in a second message, which makes no sound. */
static void send_result(struct draft *d)
{
    enum { TIME_SLACK = 80 }; /* a time may be longer than it is here */
    int most = d->network->limits.caption_chars - TIME_SLACK;
    size_t end = 0;
    draft_send(d);
    struct outgoing *o = &d->sent[d->n_sent - 1].out, rest = *o;
    if (!network_can(d, CAN_PICTURE) || d->picture.n == 0 || o->picture.n > 0)
        return;
    for (size_t i = 0; i < o->text.n && o->text.p[i] != MARK_FOLD; i++)
        if (o->text.p[i] == '\n' && draft_fits(d, (struct str){o->text.p, i}, most))
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
    const struct page *page = &page_of[kind];
    const struct seen_from *at = &t->venue[venue];
    bool quiet = kind == NOTICE_QUIET, ping = kind == NOTICE_PING, board = kind == NOTICE_BOARD;
    if (at->one_post || !draft_from(d, at->account, at) ||
        (quiet ? !network_can(d, CAN_ERASE) : is_covered(d, kind)))
        return;
    if (kind == NOTICE_CLOSE) {
        if (network_can(d, CAN_CLOSE) && network_can(d, CAN_BUTTONS))
            remove_at_venue(d, OUT_CLOSE, notice->posted ? posted_slot(d) : board_slot(d));
        return;
    }
    struct outgoing *o = &d->out, address = {.chat = d->at->chat};
    if (((board && notice->notify) || quiet || ping) && board_can_ping(d)) {
        if (!ping)
            return; /* the board that follows; the next board takes the mention away */
        remove_at_venue(d, OUT_ERASE, board_slot(d));
        board = true;
    }
    if (board) {
        address.slot = board_slot(d);
    } else if (quiet || ping) {
        address.slot = draft_slot(d, "ping", t->no, t->ping);
        address.expires = t->deadline;
    } else if (network_can(d, CAN_REACT) && page->reaction) {
        address.slot = draft_slot(d, page->reaction, t->no, t->version);
    }
    if (quiet) {
        remove_at_venue(d, OUT_ERASE, address.slot);
        return;
    }
    address.notify = kind != NOTICE_BOARD && notice->notify && !is_quiet(d);
    draft_open(d, address);
    if (ping && !board)
        o->to = draft_id(d, notice->seat);
    page_write_as(d, board ? NOTICE_BOARD : kind);
    o->named = notice->posted && o->n_buttons > 0 && network_can(d, CAN_CLOSE);
    if (o->named)
        o->slot = posted_slot(d);
    if (page->flags & PAGE_RESULT)
        send_result(d);
    else
        draft_send(d);
}

/* Pings a player in private on the network they play from, if their venue is on another one; erases
 * that ping for NOTICE_QUIET. Returns true if the venue needs no ping. */
static bool ping_other_network(struct draft *d)
{
    const struct notice *notice = d->notice;
    const struct table *t = notice->table;
    const struct player_seen *p = &t->player[notice->seat];
    bool quiet = notice->kind == NOTICE_QUIET;
    if (p->account == t->venue[notice->only].account || !draft_from(d, p->account, NULL))
        return false;
    if (!network_can(d, CAN_DIRECT) || (quiet && !network_can(d, CAN_ERASE)))
        return !quiet;
    if (!quiet && (!network_can(d, CAN_EDIT) || hand_is_new_each_time(d)))
        return true; /* the hand itself is a new message that notifies */
    struct outgoing address = {.kind = quiet ? OUT_ERASE : OUT_POST,
                               .where = TO_DIRECT,
                               .to = p->id,
                               .slot = draft_slot(d, "ping", t->no, t->ping),
                               .notify = !quiet && !p->quiet,
                               .expires = quiet ? 0 : t->deadline};
    post(d, address); /* NOTICE_QUIET has no page */
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
    bool edited = notice->kind == NOTICE_TOURNAMENT && notice->n <= TOURNAMENT_ROUND;
    for (int i = 0; i < run->n_chats; i++) {
        const struct seen_from *at = &run->at[i];
        if ((notice->only >= 0 && notice->only != i) || at->one_post ||
            !draft_from(d, at->account, at) || (!notice->fresh && !network_can(d, CAN_EDIT)))
            continue;
        post(d, (struct outgoing){.chat = at->chat,
                                  .slot = edited ? draft_slot(d, "tournament", run->t.no,
                                                              notice->tournament.round)
                                                 : STR(""),
                                  .replace_only = !notice->fresh,
                                  .notify = notice->notify});
    }
}

/* The chat of the event. */
static void to_chat(struct draft *d)
{
    const struct notice *notice = d->notice;
    draft_open(d, (struct outgoing){.chat = d->e->chat, .notify = notice->notify});
    page_write(d);
    if (notice->post > 0 && d->out.n_buttons > 0) /* pages are edits of one message */
        d->out.slot =
            draft_slot(d, notice->kind == NOTICE_REPLAY ? "replay" : "pages", notice->post, -1);
    if (notice->key == T_CANNOT_READ && network_can(d, CAN_REACT))
        d->out.slot = draft_slot(d, "deaf", d->w->chat.id, -1);
    draft_send(d);
}

/* A person on another network. */
static void to_handle(struct draft *d)
{
    const struct handle *handle = &d->notice->handle;
    if (draft_from(d, handle->account, NULL) && network_can(d, CAN_DIRECT))
        post(d,
             (struct outgoing){.where = TO_DIRECT, .to = handle->id, .notify = d->notice->notify});
}

void way_take(struct draft *d)
{
    static page_writer
        *const by_kind[N_NOTICES] = {[NOTICE_INVITES] = inline_articles,
                                     [NOTICE_MOVES] = inline_articles,
                                     [NOTICE_EXPORT] = answer_with_record,
                                     [NOTICE_MYDATA] = answer_with_data},
               *const by_audience[] = {
                   [TO_TABLE] = to_table, [TO_SEAT] = to_seat,     [TO_HERE] = to_chat,
                   [TO_ASKER] = answer,   [TO_HANDLE] = to_handle, [TO_TOURNAMENT] = to_tournament};
    page_writer *own = by_kind[d->notice->kind];
    (own ? own : by_audience[d->notice->audience])(d);
}
