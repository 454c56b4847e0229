/* The way of each notice: into which chat it goes, in which form. `ways` is the one table: of the rows
 * of an audience and a kind, the first whose conditions hold is taken; what a network cannot do passes
 * the notice on to the next one. See way.h.
 * A condition is a bit: an ability of the network itself (enum ability, but not polls in place of
 * buttons), or one of those below, which the *_holds() find out. */
#include "way.h"

#define MINUTE_MS  ((int64_t)60 * 1000)

#define IS(bit)    ((uint64_t)1 << (32 + (bit)))
#define FRESH      IS(0)  /* a new message may be sent, not only an edit */
#define IN_PRIVATE IS(1)  /* the event comes from a private chat */
#define PRESSED    IS(2)  /* the reader's press waits for an answer */
#define REACHABLE  IS(3)  /* the sender has a private chat with the bot */
#define HELD       IS(22) /* the network lets the bot write in the event's chat later only */
/* an answer */
#define BRIEF      IS(4) /* a line without buttons */
#define FOR_POPUP  IS(5) /* a popup is made for it, or is all that the sender sees */
#define POPUP_ONLY IS(6)
#define FOR_ALL    IS(7) /* typed in a group, and all there may read it */
#define REFUSES    IS(8) /* or asks which match is meant */
#define ONE_FILE   IS(9) /* of a record: it fits into one */
/* a hand */
#define WITH_BOARD  IS(10) /* board and hand are one message, in a chat with this player alone */
#define BY_POPUP    IS(11) /* the player sees no other form */
#define POPUP_TOO   IS(12) /* in inline mode the press that asked gets a popup, too */
#define WHISPERED   IS(13)
#define ASKED       IS(14) /* the player asked for it, */
#define ASKED_AGAIN IS(15) /* for one that is hidden in the group */
#define TYPED       IS(16) /* by a command */
/* a table in one of its venues */
#define READ_BY_ONE  IS(17) /* a private chat */
#define BETWEEN      IS(18) /* no round runs */
#define PING_FOLLOWS IS(19)
#define HAND_PINGS   IS(20) /* the player gets the hand as a new message, which notifies */
#define BOARD_PINGS  IS(21) /* the board can, sent anew below: it takes the place of the old one */

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

/* ---- an answer to the sender ---- */

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
    if (o->where == TO_WHISPER) /* if it is said aloud, and refused as well */
        o->learners = apart_asker(d);
    bool hand = false; /* the sender has one here, and may tap it */
    for (int i = 0; i < d->w->here.n; i++)
        hand |= d->w->here.at[i]->phase == SESSION_PLAYING &&
                session_seat(d->w->here.at[i], d->w->me.person) >= 0;
    if (o->or_aloud && !to_all)
        o->aloud = hand ? TX(d, T_TAP_HAND, sender_name(d)) : TX(d, T_IN_PRIVATE);
}

static void open_answer(struct draft *d)
{
    draft_open(d, (struct outgoing){.chat = d->e->chat, .to = d->e->from.id, .press = d->e->press});
}

/* In the private chat; the group is the fallback if that is closed. */
static void go_private(struct draft *d)
{
    d->out.where = TO_DIRECT;
    d->out.group = d->e->chat;
    d->out.chat = STR("");
}

/* It has no buttons; it passes, or waits for a tap. */
static void answer_popup(struct draft *d)
{
    d->out.kind = OUT_ANSWER;
    d->out.alert = d->notice->kind != NOTICE_LINE || d->out.n_buttons > 0;
    d->out.n_buttons = 0;
    draft_send(d);
}

/* Inline mode: the bot can post nothing beside the shared message. */
static void answer_beside_inline(struct draft *d)
{
    d->out.where = TO_DIRECT;
    d->out.chat = d->out.press = STR("");
    draft_send(d);
}

static void answer(struct draft *d)
{
    const struct notice *notice = d->notice;
    if (d->where == TO_CHAT && !d->e->direct) {
        if (notice->kind == NOTICE_LINE && !page_may_be_public(notice)) {
            /* about a card: the hand, which only its owner sees */
            open_answer(d);
            SAY(d, T_TAP_HAND, sender_name(d));
        }
        d->out.reply_to = d->e->said;
        d->out.learners = apart_asker(d);
    }
    if (d->where == TO_CHAT && !d->e->direct && d->poll)
        d->out.n_buttons = 0; /* a poll is for one person: the words say what to type */
    d->out.where = d->where;
    apart_name_asked(d);
    if (d->where == TO_DIRECT)
        go_private(d);
    if (d->where != TO_CHAT)
        allow_fallbacks(d);
    draft_send(d);
    if (d->where == TO_DIRECT)
        tell_where(d);
}

/* Takes the buttons of an own message of the sender away. */
static void close_own(struct draft *d)
{
    draft_open(d, (struct outgoing){
                      .kind = OUT_CLOSE,
                      .where = d->where,
                      .chat = d->e->chat,
                      .to = d->e->from.id,
                      .slot = draft_own_slot(d, (enum notice_kind)d->notice->n, d->notice->post),
                      .expires = d->e->now + CLOSE_MS});
    draft_send(d);
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

/* The text in as many messages as it takes, each an answer of its own. */
static void answer_in_parts(struct draft *d)
{
    const struct notice *all = d->notice;
    int most = d->network->limits.text_chars;
    for (struct str rest = all->text; rest.n > 0 && d->n_sent < MAX_OUTGOING - 2;) {
        struct notice part = *all;
        part.text = str_trim(cut_lines(&rest, most == 0 ? SIZE_MAX : (size_t)most));
        part.n = 1;
        d->notice = &part;
        way_take(d);
    }
    d->notice = all;
}

/* The record, in private; where that is closed, a line in the group with the link that opens it. It
 * brings a player the record; for others a match of this group has no number there. */
static void answer_record(struct draft *d)
{
    const struct event *e = d->e;
    const struct table *t = d->notice->table;
    struct outgoing *o = &d->out;
    bool plays = false;
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
static void answer_data(struct draft *d)
{
    struct str rest = d->notice->text;
    bool one = rest.n <= OUT_FILE_MOST;
    for (int no = 1; rest.n > 0 && d->n_sent < MAX_OUTGOING - 2; no++)
        post(d, (struct outgoing){.chat = d->e->chat,
                                  .to = d->e->from.id,
                                  .file = cut_lines(&rest, OUT_FILE_MOST),
                                  .file_name = one ? STR("mydata.jsonl")
                                                   : arena_print(d->a, "mydata-%d.jsonl", no)});
}

/* ---- slots of a table ---- */

/* True if every question to a player is a new message, which notifies: a poll cannot be edited, and
 * a person can react once to a message. */
static bool hand_is_new_each_time(const struct draft *d)
{
    return network_can(d, CAN_POLL) || (network_can(d, CAN_REACT) && !network_can(d, CAN_BUTTONS));
}

/* The board is edited where it stands; without pings, which move it down, each round has its own. */
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

static const struct player_seen *owner_of(const struct draft *d)
{
    return &d->notice->table->player[d->notice->seat];
}

/* True if the event comes from the player of the seat. */
static bool is_owner(const struct draft *d)
{
    const struct player_seen *p = owner_of(d);
    return p->id.n > 0 && str_is(p->id, d->e->from.id) && p->account == d->e->account;
}

static bool is_whispered(const struct draft *d)
{
    return owner_of(d)->channel == CHANNEL_WHISPER && !(is_owner(d) && d->e->direct);
}

/* True if board and hand are one message, in a chat with this player alone. */
static bool is_private_venue(const struct draft *d)
{
    return d->at->direct && d->at->account == owner_of(d)->account;
}

/* The message with the hand, the newest or the one `before` it. */
static struct outgoing hand_address(const struct draft *d, bool whisper, unsigned before)
{
    const struct player_seen *player = owner_of(d);
    long long no = d->notice->table->no;
    if (is_private_venue(d))
        return (struct outgoing){.chat = d->at->chat,
                                 .to = player->id,
                                 .slot = draft_slot(d, "board", no, player->hand_message)};
    return (struct outgoing){.where = whisper ? TO_WHISPER : TO_DIRECT,
                             .chat = whisper ? d->at->chat : STR(""),
                             .to = player->id,
                             .slot = arena_print(d->a, "hand:%lld:%d:%u", no, d->notice->seat,
                                                 (unsigned)player->hand_message - before)};
}

/* Takes the buttons of a hand away. */
static void close_hand(struct draft *d)
{
    struct outgoing address = hand_address(d, owner_of(d)->channel == CHANNEL_WHISPER, 0);
    for (int i = 0; i < d->fx->n_notices; i++) /* an edit takes them away, but those of a poll */
        if (d->fx->notice[i]->kind == NOTICE_HAND && d->fx->notice[i]->seat == d->notice->seat &&
            d->fx->notice[i]->table->player[d->notice->seat].hand_message ==
                owner_of(d)->hand_message &&
            network_can(d, CAN_EDIT) && !network_can(d, CAN_POLL))
            return;
    address.kind = OUT_CLOSE;
    address.expires = d->e->now + CLOSE_MS;
    draft_open(d, address);
    draft_send(d);
}

static void put_hand_with_board(struct draft *d)
{
    struct outgoing address = hand_address(d, false, 0);
    address.replace_only = !d->notice->fresh;
    address.notify = d->notice->fresh && !is_owner(d) && !owner_of(d)->quiet;
    draft_open(d, address);
    page_write(d);
    page_caption(d);
    draft_send(d);
}

/* The hand, as its owner alone sees it: hidden in the group, or in the private chat. */
static void put_hand(struct draft *d)
{
    const struct player_seen *owner = owner_of(d);
    struct outgoing *o = &d->out;
    bool edits = network_can(d, CAN_EDIT), fresh = d->notice->fresh, asked = is_owner(d),
         whisper = d->where == TO_WHISPER;
    draft_open(d, hand_address(d, whisper, 0));
    page_write(d);
    page_caption(d);
    o->replace_only = !fresh || (whisper && !asked && edits);
    if (asked)
        o->press = d->e->press;
    if (!whisper && network_can(d, CAN_RETURN) && d->at->account == owner->account) {
        struct str name = d->at->chat_name.n ? d->at->chat_name : TX(d, T_THE_GROUP);
        o->group = d->at->chat; /* to the board of the match */
        o->group_slot = board_slot(d);
        draft_row(d);
        draft_button(d, TX(d, T_BUTTON_BACK, name), VERB_NONE, 0, BUTTON_BACK);
    }
    bool menu = network_can(d, CAN_POLL) ? o->n_buttons > 0 : fresh && hand_is_new_each_time(d);
    o->notify =
        ((!whisper && menu) || (fresh && (!edits || owner->apart))) && (asked || !owner->quiet);
    draft_send(d);
}

static void put_hand_anew(struct draft *d)
{
    put_hand(d);
    struct outgoing dropped = hand_address(d, true, 1); /* the network may show the one before */
    dropped.kind = OUT_ERASE;
    draft_open(d, dropped);
    draft_send(d);
}

/* Answers a press or a command in the group, too: the hand is in the private chat. */
static void put_hand_told(struct draft *d)
{
    bool press = d->e->press.n > 0;
    put_hand(d);
    draft_open(d, (struct outgoing){.kind = press ? OUT_ANSWER : OUT_POST,
                                    .chat = d->e->chat,
                                    .to = owner_of(d)->id,
                                    .press = d->e->press,
                                    .reply_to = press ? STR("") : d->e->said,
                                    .expires = d->w->chat.held_until ? d->e->now + MINUTE_MS : 0});
    draft_line(d, press ? TX(d, T_HAND_IN_PRIVATE)
                        : TX(d, T_ANSWER_IN_PRIVATE, draft_mention(d, d->notice->seat)));
    draft_send(d);
}

/* A press has one answer: if it has one already, the hand is appended to it. */
static void hand_popup(struct draft *d)
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
    address.to = owner_of(d)->id;
    address.alert = true;
    address.n_buttons = 0;
    draft_open(d, address);
    draft_line(d, before ? before->out.text : STR(""));
    draft_line(d, hand);
    draft_send(d);
    if (before)
        *before = d->sent[--d->n_sent];
}

static void hand_popup_too(struct draft *d)
{
    hand_popup(d);
    put_hand(d);
}

/* ---- a table, in one of its venues ---- */

/* Erases or closes the message of a slot in the venue. */
static void remove_at_venue(struct draft *d, enum out_kind kind, struct str slot)
{
    draft_open(d, (struct outgoing){.kind = kind,
                                    .chat = d->at->chat,
                                    .slot = slot,
                                    .expires = kind == OUT_CLOSE ? d->e->now + CLOSE_MS : 0});
    draft_send(d);
}

static void close_post(struct draft *d)
{
    remove_at_venue(d, OUT_CLOSE, d->notice->posted ? posted_slot(d) : board_slot(d));
}

static struct str ping_slot(const struct draft *d)
{
    return draft_slot(d, "ping", d->notice->table->no, d->notice->table->ping);
}

static void erase_ping(struct draft *d)
{
    remove_at_venue(d, OUT_ERASE, ping_slot(d));
}

/* A message of a table, ready to be sent. */
static void write_post(struct draft *d, enum notice_kind page)
{
    const struct notice *notice = d->notice;
    const struct table *t = notice->table;
    const char *reaction = network_can(d, CAN_REACT) ? page_of[page].reaction : NULL;
    struct outgoing *o = &d->out;
    draft_open(d, (struct outgoing){.chat = d->at->chat,
                                    .slot = page == NOTICE_BOARD  ? board_slot(d)
                                            : page == NOTICE_PING ? ping_slot(d)
                                            : reaction ? draft_slot(d, reaction, t->no, t->version)
                                                       : STR(""),
                                    .notify = notice->kind != NOTICE_BOARD && notice->notify &&
                                              !apart_quiet(d),
                                    .expires = page == NOTICE_PING ? t->deadline : 0});
    if (page == NOTICE_PING)
        o->to = draft_id(d, notice->seat);
    if (notice->kind != NOTICE_BOARD)
        o->learners = apart_learners(d);
    o->reports = d->at->state == VENUE_REFUSES;
    page_write_as(d, page);
    bool edited = notice->kind == NOTICE_OFFER && network_can(d, CAN_EDIT);
    o->named = !edited && notice->posted && o->n_buttons > 0 && network_can(d, CAN_CLOSE);
    if (o->named || (edited && notice->posted && o->slot.n == 0))
        o->slot = posted_slot(d);
}

static void put_post(struct draft *d)
{
    write_post(d, (enum notice_kind)d->notice->kind);
    draft_send(d);
}

/* Below all else, with the player's name as a mention if it calls them; the old one goes. */
static void put_board_anew(struct draft *d)
{
    remove_at_venue(d, OUT_ERASE, board_slot(d));
    write_post(d, NOTICE_BOARD);
    draft_send(d);
}

/* A result whose words do not fit under its picture: as many lines as do, and the others with the
 * buttons in a second message, which makes no sound. */
static void put_result(struct draft *d)
{
    enum { TIME_SLACK = 80 }; /* a time may be longer than it is here */
    int most = d->network->limits.caption_chars - TIME_SLACK;
    size_t end = 0;
    put_post(d);
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

/* Pings a player in private on the network they play from, if their venue is on another one; erases
 * that ping for NOTICE_QUIET. Returns true if the venue needs no ping. */
static bool ping_other_network(struct draft *d)
{
    const struct notice *notice = d->notice;
    const struct table *t = notice->table;
    const struct player_seen *p = owner_of(d);
    bool quiet = notice->kind == NOTICE_QUIET;
    if (p->account == t->venue[notice->only].account || !draft_from(d, p->account, NULL))
        return false;
    if (!network_can(d, CAN_DIRECT) || (quiet && !network_can(d, CAN_ERASE)))
        return !quiet;
    if (!network_can(d, CAN_EDIT) || hand_is_new_each_time(d)) {
        if (quiet)
            apart_uncall(d);
        else if (notice->fresh)
            apart_call(d);
        return !quiet; /* the hand itself is a new message that notifies */
    }
    struct outgoing address = {.kind = quiet ? OUT_ERASE : OUT_POST,
                               .where = TO_DIRECT,
                               .to = p->id,
                               .slot = ping_slot(d),
                               .notify = !quiet && !p->quiet,
                               .expires = quiet ? 0 : t->deadline};
    post(d, address); /* NOTICE_QUIET has no page */
    return !quiet;
}

/* ---- other chats ---- */

static void put_in_chat(struct draft *d)
{
    const struct notice *notice = d->notice;
    post(d, (struct outgoing){.chat = d->at->chat,
                              .replace_only = !notice->fresh,
                              .notify = notice->notify,
                              .learners = apart_learners(d)});
}

/* The chat of the event. Pages to leaf through are edits of one message. */
static void put_here(struct draft *d)
{
    const struct notice *notice = d->notice;
    draft_open(d, (struct outgoing){
                      .chat = d->e->chat, .notify = notice->notify, .learners = apart_asker(d)});
    page_write(d);
    if (notice->post > 0 && d->out.slot.n == 0 && (d->out.n_buttons > 0 || d->e->pressed))
        d->out.slot =
            draft_slot(d, notice->kind == NOTICE_REPLAY ? "replay" : "pages", notice->post, -1);
    if (notice->key == T_CANNOT_READ && network_can(d, CAN_REACT))
        d->out.slot = draft_slot(d, "deaf", d->w->chat.id, -1);
    if (network_can(d, CAN_EDIT) || !d->out.replace_only)
        draft_send(d);
}

static void put_to_handle(struct draft *d)
{
    post(d, (struct outgoing){
                .where = TO_DIRECT, .to = d->notice->handle.id, .notify = d->notice->notify});
}

/* ---- the table ---- */

enum { AS_FILE = TO_CHATS + 1, TO_QUERY }; /* TO_ASKER of these kinds */

#define KIND(name) ((uint64_t)1 << NOTICE_##name)
_Static_assert(N_NOTICES <= 64, "a bit for each kind");

static const struct {
    uint8_t audience;
    uint64_t kinds;        /* KIND() bits; 0: all */
    uint64_t when, unless; /* all of the ones, none of the others */
    page_writer *take;     /* NULL: the notice is not sent */
    enum out_where where;  /* the form, as draft.where */
} ways[] = {
    {AS_FILE, KIND(EXPORT), CAN_FILE | ONE_FILE | IN_PRIVATE, 0, answer_record, TO_CHAT},
    {AS_FILE, KIND(EXPORT), CAN_FILE | ONE_FILE | CAN_DIRECT, CAN_ONE_POST, answer_record,
     TO_DIRECT},
    {AS_FILE, KIND(MYDATA), CAN_FILE, 0, answer_data, TO_CHAT},
    {AS_FILE, 0, 0, 0, answer_in_parts, TO_CHAT},
    {TO_QUERY, 0, 0, 0, inline_articles, TO_CHAT},

    {TO_ASKER, KIND(CLOSE), 0, CAN_CLOSE, NULL, 0},
    {TO_ASKER, KIND(CLOSE), IN_PRIVATE, 0, close_own, TO_CHAT},
    {TO_ASKER, KIND(CLOSE), CAN_WHISPER, CAN_ONE_POST, close_own, TO_WHISPER},
    {TO_ASKER, KIND(CLOSE), 0, 0, NULL, 0},
    {TO_ASKER, KIND(SETS), 0, CAN_PICTURE, NULL, 0},
    {TO_ASKER, KIND(SETS), POPUP_ONLY, 0, NULL, 0},
    {TO_ASKER, 0, CAN_ONE_POST | PRESSED | BRIEF, 0, answer_popup, TO_CHAT},
    {TO_ASKER, 0, CAN_ONE_POST | PRESSED, REACHABLE, answer_popup, TO_CHAT},
    {TO_ASKER, 0, CAN_ONE_POST | REACHABLE, 0, answer_beside_inline, TO_DIRECT},
    {TO_ASKER, 0, CAN_ONE_POST, 0, NULL, 0},
    {TO_ASKER, 0, CAN_POPUP | PRESSED | BRIEF, 0, answer_popup, TO_CHAT},
    {TO_ASKER, 0, CAN_POPUP | PRESSED | FOR_POPUP, 0, answer_popup, TO_CHAT},
    {TO_ASKER, 0, IN_PRIVATE, 0, answer, TO_CHAT},
    {TO_ASKER, 0, HELD | REACHABLE | CAN_DIRECT, 0, answer, TO_DIRECT},
    {TO_ASKER, 0, HELD | PRESSED | CAN_POPUP, 0, apart_tell_held, TO_CHAT},
    {TO_ASKER, 0, FOR_ALL, REFUSES, answer, TO_CHAT},
    {TO_ASKER, 0, FOR_ALL, CAN_WHISPER, answer, TO_CHAT},
    {TO_ASKER, 0, CAN_WHISPER, 0, answer, TO_WHISPER},
    {TO_ASKER, 0, CAN_DIRECT, 0, answer, TO_DIRECT},
    {TO_ASKER, 0, 0, 0, answer, TO_CHAT},

    {TO_SEAT, KIND(HAND) | KIND(TARGETS), CAN_SCENE, 0, NULL, 0},
    {TO_SEAT, KIND(CLOSE), CAN_CLOSE | ASKED, 0, apart_close_asked, 0},
    {TO_SEAT, KIND(CLOSE), CAN_CLOSE | WITH_BOARD, 0, close_hand, 0},
    {TO_SEAT, KIND(CLOSE), CAN_CLOSE, BY_POPUP, close_hand, 0},
    {TO_SEAT, KIND(CLOSE), 0, 0, NULL, 0},
    {TO_SEAT, 0, 0, FRESH | CAN_EDIT, NULL, 0},
    {TO_SEAT, 0, WITH_BOARD, 0, put_hand_with_board, TO_CHAT},
    {TO_SEAT, 0, BY_POPUP | FRESH | PRESSED | CAN_POPUP, 0, hand_popup, TO_CHAT},
    {TO_SEAT, 0, BY_POPUP | ASKED | TYPED, 0, apart_tell_tap, TO_CHAT},
    {TO_SEAT, 0, BY_POPUP, 0, NULL, 0},
    {TO_SEAT, 0, POPUP_TOO | FRESH | CAN_POPUP | WHISPERED, 0, hand_popup_too, TO_WHISPER},
    {TO_SEAT, 0, POPUP_TOO | FRESH | CAN_POPUP, 0, hand_popup_too, TO_DIRECT},
    {TO_SEAT, 0, POPUP_TOO, 0, NULL, 0},
    {TO_SEAT, 0, HELD | WHISPERED | ASKED | REACHABLE | CAN_DIRECT, IN_PRIVATE, put_hand_told,
     TO_DIRECT},
    {TO_SEAT, 0, HELD | WHISPERED | ASKED | PRESSED | CAN_POPUP, IN_PRIVATE, apart_tell_held,
     TO_CHAT},
    {TO_SEAT, 0, WHISPERED | ASKED_AGAIN, 0, put_hand_anew, TO_WHISPER},
    {TO_SEAT, 0, WHISPERED, 0, put_hand, TO_WHISPER},
    {TO_SEAT, 0, ASKED | TYPED | REACHABLE, IN_PRIVATE, put_hand_told, TO_DIRECT},
    {TO_SEAT, 0, ASKED | PRESSED | REACHABLE | CAN_POPUP, IN_PRIVATE, put_hand_told, TO_DIRECT},
    {TO_SEAT, 0, 0, 0, put_hand, TO_DIRECT},

    {TO_TABLE, KIND(BOARD) | KIND(PING) | KIND(QUIET), CAN_SCENE, 0, NULL, 0},
    {TO_TABLE, KIND(BOARD), FRESH, 0, put_board_anew, TO_CHAT},
    {TO_TABLE, KIND(CLOSE), CAN_CLOSE | CAN_BUTTONS, 0, close_post, 0},
    {TO_TABLE, KIND(CLOSE), 0, 0, NULL, 0},
    {TO_TABLE, KIND(QUIET), 0, CAN_ERASE, NULL, 0},
    {TO_TABLE, KIND(QUIET), HAND_PINGS | CAN_POLL | CAN_DIRECT, 0, apart_uncall, TO_DIRECT},
    {TO_TABLE, KIND(QUIET), BOARD_PINGS, 0, NULL, 0}, /* the next board takes the mention away */
    {TO_TABLE, KIND(QUIET), 0, 0, erase_ping, 0},
    {TO_TABLE, KIND(PING), HAND_PINGS | FRESH | CAN_POLL | CAN_DIRECT, 0, apart_call, TO_DIRECT},
    {TO_TABLE, KIND(PING), HAND_PINGS, 0, NULL, 0},
    {TO_TABLE, KIND(PING), BOARD_PINGS, 0, put_board_anew, TO_CHAT},
    {TO_TABLE, KIND(BOARD), READ_BY_ONE, 0, NULL, 0},                /* the hand shows it */
    {TO_TABLE, KIND(BOARD), BETWEEN, CAN_EDIT, NULL, 0},             /* the result does */
    {TO_TABLE, KIND(BOARD), PING_FOLLOWS | BOARD_PINGS, 0, NULL, 0}, /* the ping does */
    {TO_TABLE, KIND(ROUND) | KIND(MATCH) | KIND(REVIEW), 0, 0, put_result, TO_CHAT},
    {TO_TABLE, 0, 0, 0, put_post, TO_CHAT},

    {TO_CHATS, 0, FRESH, 0, put_in_chat, TO_CHAT},
    {TO_CHATS, 0, CAN_EDIT, 0, put_in_chat, TO_CHAT},
    {TO_HERE, 0, 0, 0, put_here, TO_CHAT},
    {TO_HANDLE, 0, CAN_DIRECT, 0, put_to_handle, TO_DIRECT},
};

static uint64_t if_so(bool so, uint64_t bit)
{
    return so ? bit : 0;
}

/* Of an answer, whose page is written. */
static uint64_t answer_holds(const struct draft *d)
{
    const struct notice *notice = d->notice;
    enum notice_kind kind = (enum notice_kind)notice->kind;
    unsigned flags = page_of[kind].flags;
    bool buttons = d->out.n_buttons > 0, line = kind == NOTICE_LINE,
         popup_only = part_popup_only(d),
         asks = (kind == NOTICE_TARGETS && part_asks_by_popup(d)) || (flags & PAGE_POPUP) ||
                (!d->e->direct && (flags & PAGE_GROUP_POPUP));
    return if_so(d->e->press.n > 0, PRESSED) | if_so(line && !buttons, BRIEF) |
           if_so(popup_only, POPUP_ONLY) |
           if_so(asks || (popup_only && (!buttons || page_may_be_public(notice))), FOR_POPUP) |
           if_so(!notice->opens && is_typed_here(d) && may_be_read_here(d), FOR_ALL) |
           if_so(line || notice->key == T_WHICH_MATCH, REFUSES);
}

static uint64_t seat_holds(const struct draft *d)
{
    bool owner = is_owner(d), pressed = owner && d->e->pressed && d->e->press.n > 0;
    int64_t asked = d->notice->n; /* enum hand_asked */
    return if_so(is_private_venue(d), WITH_BOARD) | if_so(pressed, PRESSED) |
           if_so(owner_of(d)->channel >= CHANNEL_POPUP, BY_POPUP) |
           if_so(network_can(d, CAN_ONE_POST) && pressed && asked, POPUP_TOO) |
           if_so(is_whispered(d), WHISPERED) | if_so(asked, ASKED) |
           if_so(asked == HAND_AGAIN, ASKED_AGAIN) |
           if_so(owner && !d->e->pressed && d->e->press.n == 0, TYPED);
}

static uint64_t venue_holds(const struct draft *d)
{
    const struct table *t = d->notice->table;
    bool edits = network_can(d, CAN_EDIT), hand_pings = false, board_pings = false;
    if (d->notice->seat >= 0) {
        const struct player_seen *p = owner_of(d);
        hand_pings = p->channel <= CHANNEL_DIRECT &&
                     (!edits || (p->channel == CHANNEL_DIRECT && hand_is_new_each_time(d)));
        board_pings = p->venue == d->at->venue && p->account == d->at->account && !d->at->direct &&
                      edits && network_can(d, CAN_ERASE) && !hand_pings;
    }
    return if_so(d->at->direct, READ_BY_ONE) | if_so(t->view.stage != MATCH_PLAYING, BETWEEN) |
           if_so(d->notice->notify, PING_FOLLOWS) | if_so(hand_pings, HAND_PINGS) |
           if_so(board_pings, BOARD_PINGS);
}

static void take(struct draft *d, uint8_t audience, uint64_t holds)
{
    uint64_t kind = (uint64_t)1 << d->notice->kind;
    size_t i = 0, n = sizeof ways / sizeof *ways;
    holds |= d->network->can | if_so(d->w->chat.held_until > 0, HELD) |
             if_so(d->notice->fresh, FRESH) | if_so(d->e->direct, IN_PRIVATE) |
             if_so(d->w->me.reachable, REACHABLE) |
             if_so(d->notice->text.n <= OUT_FILE_MOST, ONE_FILE);
    while (i < n && (ways[i].audience != audience || (ways[i].kinds && !(ways[i].kinds & kind)) ||
                     (ways[i].when & ~holds) || (ways[i].unless & holds)))
        i++;
    if (i == n || !ways[i].take)
        return;
    d->where = ways[i].where;
    ways[i].take(d);
}

void way_take(struct draft *d)
{
    const struct notice *notice = d->notice;
    const struct table *t = notice->table;
    uint64_t kind = (uint64_t)1 << notice->kind;
    bool file = kind & (KIND(EXPORT) | KIND(MYDATA)), query = kind & (KIND(INVITES) | KIND(MOVES)),
         ping = kind & (KIND(PING) | KIND(QUIET));
    switch ((enum audience)notice->audience) {
    case TO_ASKER:
        draft_in_words(d);
        if (query || (file && notice->n == 0)) {
            take(d, query ? TO_QUERY : AS_FILE, 0);
            break;
        }
        open_answer(d);
        page_write(d);
        take(d, TO_ASKER, answer_holds(d));
        break;
    case TO_SEAT:
        if (!draft_from(d, owner_of(d)->account, &t->venue[owner_of(d)->venue]))
            break;
        if (d->at->one_post && d->at->account == owner_of(d)->account)
            draft_one_post(d);
        else
            draft_in_words(d);
        take(d, TO_SEAT, seat_holds(d));
        break;
    case TO_TABLE:
        if (ping && notice->only >= 0 && ping_other_network(d))
            break;
        for (int i = 0; i < t->n_venues; i++)
            if ((notice->only < 0 || notice->only == i) && !t->venue[i].one_post &&
                draft_from(d, t->venue[i].account, &t->venue[i])) {
                bool called = notice->kind == NOTICE_QUIET && network_can(d, CAN_POLL);
                if (t->venue[i].state != VENUE_LEFT || called)
                    take(d, TO_TABLE, venue_holds(d));
                apart_put(d);
            }
        break;
    case TO_CHATS:
        for (int i = 0; i < notice->chats.n; i++) {
            const struct seen_from *at = &notice->chats.at[i];
            if ((notice->only < 0 || notice->only == i) && !at->one_post &&
                draft_from(d, at->account, at)) {
                take(d, TO_CHATS, 0);
                apart_put(d);
            }
        }
        break;
    case TO_HANDLE:
        if (draft_from(d, notice->handle.account, NULL))
            take(d, TO_HANDLE, 0);
        break;
    case TO_HERE:
        take(d, TO_HERE, 0);
        break;
    }
}
