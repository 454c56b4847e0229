/* The bot in its chats: added, removed, given or denied rights, unable to read, to deliver or to go
 * on. What each of these means for the matches played there. */
#include "lobby.h"
#include "play.h"

static struct arg chat_or_group(struct str name)
{
    return name.n > 0 ? arg_str(name) : arg_key(T_THE_GROUP);
}

/* ---- players who cannot read their venue ---- */

/* A line in private about the chat of a match. */
static void tell_player(struct step *st, const struct player *p, enum text key, struct arg chat,
                        int64_t no)
{
    struct notice *notice = notice_line(st, TO_HANDLE, key, chat, arg_int(no));
    notice->handle =
        (struct handle){.account = p->account, .id = arena_str(st->fx->arena, str_of(p->id))};
    notice->language = arena_str(st->fx->arena, str_of(p->language));
    notice->notify = !absence_quiet_end(&p->absence, st->e->now);
}

/* They get their hand, and what follows, in private. A network without private chats reaches them no
 * more. */
static void go_private(struct step *st, struct session *s, int seat, enum text why)
{
    struct player *p = &s->player[seat];
    bool can = st->w->can & CAN_DIRECT;
    if (p->account == st->e->account)
        p->channel = can ? CHANNEL_DIRECT : CHANNEL_NONE;
    if (!can || !p->id[0])
        return;
    tell_player(st, p, why, chat_or_group(str_of(s->venue[p->venue].chat_name)), s->no);
    if (s->match.stage == MATCH_PLAYING)
        play_hand_anew(st, s, seat);
}

/* The bot cannot write in a venue any more. Whoever sits there goes on in private, and the player to
 * move gets the whole time for the move again: of their turn they were not told, perhaps. */
static void venue_closes(struct step *st, struct session *s, int venue, enum venue_state state)
{
    struct arg chat = chat_or_group(str_of(s->venue[venue].chat_name));
    int turn = session_turn(s);
    bool goes_on = s->venue[venue].state != VENUE_OPEN;
    s->venue[venue].state = (uint8_t)state;
    if (goes_on || s->venue[venue].direct || s->venue[venue].one_post)
        return;
    if (s->ping.venue == venue)
        step_quiet(st, s); /* also what called them in private */
    for (int v = 0; v <= s->n_more; v++)
        if (v != venue)
            announce(st, s, 0, T_VENUE_LEFT, chat)->only = (int8_t)v;
    for (int i = 0; i < s->players; i++)
        if (s->player[i].venue == venue && session_apart(s, i))
            go_private(st, s, i, T_VENUE_SHUT);
    if (turn < 0 || s->player[turn].venue != venue)
        return;
    s->move.overdue = false;
    s->moved = st->e->now;
    timer_turn(st, s);
}

/* It can write there again. A clock that stood goes on. */
static void venue_opens(struct step *st, struct session *s, int venue)
{
    struct arg chat = chat_or_group(str_of(s->venue[venue].chat_name));
    bool stood = timer_stands(s);
    if (s->venue[venue].state == VENUE_OPEN || s->venue[venue].direct)
        return;
    for (int i = 0; i < s->players; i++) {
        const struct player *p = &s->player[i];
        if (p->venue == venue && session_apart(s, i) && p->channel <= CHANNEL_DIRECT && p->id[0])
            tell_player(st, p, T_VENUE_AGAIN, chat, s->no);
    }
    s->venue[venue].state = VENUE_OPEN;
    if (!stood)
        return;
    s->moved = st->e->now;
    timer_turn(st, s);
}

/* The seat of the sender in the chat of the event, also one that is kept for them; or -1. */
static int seat_here(const struct step *st, const struct session *s)
{
    int seat = step_seat(st, s), venue = session_venue_of(s, st->w->chat.id);
    int kept = s->phase == SESSION_OFFERED ? session_free_seat(s, st->w->me.person) : 0;
    seat = seat < 0 && kept > 0 ? kept : seat;
    return seat >= 0 && s->player[seat].venue == venue && !s->venue[venue].direct ? seat : -1;
}

/* They are told in private, and the others in the chat. */
enum verdict membership_gone(struct step *st)
{
    for (int i = 0; i < st->w->here.n; i++) {
        const struct session *was = st->w->here.at[i];
        int seat = seat_here(st, was);
        if (seat < 0 || was->player[seat].left_chat)
            continue;
        struct session *s = step_change(st, was);
        if (s->phase != SESSION_PLAYING) { /* they read in private what becomes of the challenge */
            lobby_leaves_chat(&s->player[seat], st->w->can);
            continue;
        }
        inform(st, s, T_PLAYER_LEFT, arg_seat(s, seat));
        s->player[seat].left_chat = true;
        go_private(st, s, seat, T_LEFT_CHAT);
    }
    return TAKEN;
}

/* They read it again. */
enum verdict membership_back(struct step *st)
{
    for (int i = 0; i < st->w->here.n; i++) {
        const struct session *was = st->w->here.at[i];
        int seat = seat_here(st, was);
        if (seat < 0 || !was->player[seat].left_chat)
            continue;
        struct session *s = step_change(st, was);
        s->player[seat].left_chat = false;
        s->player[seat].channel = (uint8_t)channel_best(st->w->can);
    }
    return TAKEN;
}

/* The chat that the bot was removed from gets no message. A challenge is closed if it was made
 * or accepted there. A match goes on with those who can be reached in private. */
enum verdict membership_left(struct step *st)
{
    for (int i = 0; i < st->w->here.n; i++) {
        struct session *s = step_change(st, st->w->here.at[i]);
        int venue = session_venue_of(s, st->w->chat.id);
        struct arg chat = chat_or_group(str_of(s->venue[venue].chat_name));
        bool plays = s->phase == SESSION_PLAYING, sits = venue == 0;
        for (int p = 0; p < s->players; p++)
            sits |= s->player[p].joined && s->player[p].venue == venue;
        if (!plays && !sits) {
            session_drop_venue(s, venue);
            continue;
        }
        if (plays) {
            venue_closes(st, s, venue, VENUE_LEFT);
            continue;
        }
        timer_close(s, END_CANCELLED);
        s->venue[venue].state = VENUE_LEFT; /* who sits there reads it in private */
        announce(st, s, 0, T_VENUE_LEFT_OFFER, chat, arg_command(VERB_CHALLENGE));
    }
    return TAKEN;
}

/* Below the greeting in that venue, as an edit in the others. */
static void board_returns(struct step *st, const struct session *s, int venue)
{
    for (int v = 0; v <= s->n_more; v++) {
        struct notice *board = play_board(st, s);
        board->only = (int8_t)v;
        board->fresh = v == venue && board->kind == NOTICE_BOARD;
    }
}

/* The player to move gets the whole time for the move again. */
enum verdict membership_joined(struct step *st)
{
    (void)step_chat_language(st);
    notice_hello(st);
    for (int i = 0; i < st->w->here.n; i++) {
        const struct session *was = st->w->here.at[i];
        if (was->phase != SESSION_PLAYING || was->venue[0].direct)
            continue;
        struct session *s = step_change(st, was);
        int turn = session_turn(s);
        venue_opens(st, s, session_venue_of(s, st->w->chat.id));
        s->move.overdue = false;
        s->moved = st->e->now;
        if (s->ask.what == ASK_GO_ON)
            timer_set(s, st->e->now + CHOOSE_MS, TIMER_CHOOSE);
        else if (turn < 0)
            timer_set(s, st->e->now + PAUSE_MS, TIMER_READY);
        else if (session_by_computer(s, turn))
            timer_computer(st, s);
        else
            timer_turn(st, s);
        board_returns(st, s, session_venue_of(s, st->w->chat.id));
    }
    return TAKEN;
}

/* What the bot sent to the old chat cannot be edited any more, and is far from where people
 * write. */
enum verdict membership_moved(struct step *st)
{
    for (int i = 0; i < st->w->here.n; i++) {
        const struct session *s = st->w->here.at[i];
        int venue = session_venue_of(s, st->w->chat.id);
        if (s->phase == SESSION_PLAYING)
            play_show_again(st, s, venue);
        else if (s->phase == SESSION_OFFERED)
            lobby_offer(st, step_change(st, s), venue);
    }
    return TAKEN;
}

enum verdict membership_erased(struct step *st, const struct session *s)
{
    int venue = session_venue_of(s, st->w->chat.id);
    if (venue >= 0 && s->phase == SESSION_PLAYING)
        play_board(st, s)->only = (int8_t)venue;
    else if (venue >= 0 && s->phase == SESSION_OFFERED)
        lobby_offer(st, step_change(st, s), venue);
    return TAKEN;
}

/* A channel that failed before may work now: every hand is tried by the best one again, and the board
 * stands where it was refused. */
enum verdict membership_rights(struct step *st)
{
    for (int i = 0; i < st->w->here.n; i++) {
        struct session *s = step_change(st, st->w->here.at[i]);
        int venue = session_venue_of(s, st->w->chat.id);
        bool shut = s->venue[venue].state != VENUE_OPEN;
        venue_opens(st, s, venue);
        if (shut && s->phase == SESSION_PLAYING)
            play_board(st, s)->only = (int8_t)venue;
        for (int p = 0; p < s->players; p++)
            if (s->player[p].account == st->e->account &&
                s->venue[s->player[p].venue].chat == st->w->chat.id)
                s->player[p].channel = (uint8_t)channel_best(st->w->can);
    }
    return TAKEN;
}

/* Once to all, with what opens a private chat; that is offered to the sender, who invited the bot
 * or has reacted to that message. */
enum verdict membership_cannot_read(struct step *st)
{
    if (st->e->under == UNDER_NOTHING) {
        (void)step_chat_language(st);
        notice_line(st, TO_HERE, T_CANNOT_READ);
    }
    if (st->e->from.id.n > 0)
        notice_line(st, TO_ASKER, T_CAN_READ_HERE, arg_private(VERB_CHALLENGE),
                    arg_private(VERB_JOIN))
            ->opens = true;
    return TAKEN;
}

/* To the sender, who invited the bot to a chat where it may not write, or to a space. */
enum verdict membership_stranded(struct step *st)
{
    if (st->e->from.id.n == 0)
        return IGNORED;
    notice_line(st, TO_ASKER, st->e->verb == VERB_IN_SPACE ? T_IN_SPACE : T_CANNOT_WRITE,
                chat_or_group(st->e->chat_name))
        ->opens = true;
    return TAKEN;
}

enum verdict membership_unread(struct step *st)
{
    if (st->e->from.id.n == 0)
        return IGNORED;
    if (st->e->verb == VERB_UNABLE) {
        struct notice *notice = notice_line(st, TO_HANDLE, T_UNREAD_THERE);
        notice->handle = (struct handle){st->e->account, st->e->from.id, st->e->from.name};
        notice->notify = true;
        return TAKEN;
    }
    notice_line(st, TO_HERE, st->e->verb == VERB_UNREAD ? T_UNREAD : T_NO_COMPARING,
                arg_name(st->e->from.name, st->e->from.id));
    return TAKEN;
}

/* Matches that are played here go on with the hands in private chats of their own. */
enum verdict membership_crowded(struct step *st)
{
    if (st->w->here.n > 0)
        notice_line(st, TO_HERE, T_CROWDED);
    for (int i = 0; i < st->w->here.n; i++) {
        struct session *s = step_change(st, st->w->here.at[i]);
        int venue = session_venue_of(s, st->w->chat.id);
        s->venue[venue].direct = false;
        if (s->phase != SESSION_PLAYING)
            continue;
        play_board(st, s)->only = (int8_t)venue;
        for (int k = 0; k < s->players && s->match.stage == MATCH_PLAYING; k++)
            if (s->player[k].venue == venue)
                play_hand(st, s, k, true, false);
    }
    return TAKEN;
}

/* The match cannot be read: only its number is known. */
enum verdict membership_match_damaged(struct step *st)
{
    notice_line(st, TO_HERE, T_DAMAGED, arg_int(st->e->no), arg_command(VERB_CHALLENGE));
    return TAKEN;
}

/* ---- a private message that could not be delivered: the hand goes to the next channel, or the table
 * reads what the player can do ---- */

static void show_hand(struct step *st, const struct session *s, int seat)
{
    struct notice *notice = effect_notice(st->fx, NOTICE_HAND, TO_SEAT);
    struct table *table = step_table(st, s, seat);
    table->player[seat].channel = CHANNEL_DIRECT;
    notice->seat = (int8_t)seat;
    notice->fresh = true;
    notice->table = table;
}

/* A line in the venue where the player sits. */
static void ask_player(struct step *st, const struct session *s, int seat, enum text key,
                       uint64_t buttons)
{
    announce(st, s, buttons, key, arg_seat(s, seat))->only = (int8_t)s->player[seat].venue;
}

/* The chat refused a message. */
static enum verdict venue_refuses(struct step *st, const struct session *s)
{
    int venue = session_venue_of(s, st->w->chat.id);
    if (venue < 0 || s->phase != SESSION_PLAYING || s->venue[venue].direct ||
        s->venue[venue].one_post || s->venue[venue].state != VENUE_OPEN)
        return IGNORED;
    venue_closes(st, step_change(st, s), venue, VENUE_REFUSES);
    return TAKEN;
}

/* A message has arrived in a chat that refused one. */
enum verdict delivery_succeeded(struct step *st, const struct session *s)
{
    int venue = session_venue_of(s, st->w->chat.id);
    if (venue < 0 || s->phase != SESSION_PLAYING || s->venue[venue].state != VENUE_REFUSES)
        return IGNORED;
    venue_opens(st, step_change(st, s), venue);
    return TAKEN;
}

/* Nothing reaches the player: where the bot cannot write, their clock stands. */
static void lose_touch(struct step *st, struct session *s, int seat)
{
    if (!session_out_of_reach(s, seat))
        return;
    announce(st, s, 0, T_OUT_OF_REACH, arg_seat(s, seat));
    if (session_turn(s) == seat) {
        s->move.overdue = false;
        timer_turn(st, s);
    }
}

/* A failed whisper that answered typed words says nothing about the channel: networks allow
 * whispers as answers to presses only. */
enum verdict delivery_failed(struct step *st, const struct session *s)
{
    if (st->e->where == TO_CHAT)
        return venue_refuses(st, s);
    int seat = step_seat(st, s);
    uint32_t can = st->w->can;
    if (seat < 0 || s->phase != SESSION_PLAYING || s->player[seat].account != st->e->account)
        return IGNORED;
    bool whisper = st->e->where == TO_WHISPER;
    enum channel failed = whisper ? CHANNEL_WHISPER : CHANNEL_DIRECT;
    if (whisper && st->e->press.n == 0 && (can & CAN_DIRECT)) {
        show_hand(st, s, seat);
        return TAKEN;
    }
    if (s->player[seat].channel < failed) {
        ask_player(st, s, seat, T_TAP_HAND, BUTTON_OF(VERB_HAND));
        return TAKEN;
    }
    if (s->player[seat].channel > failed)
        return IGNORED;
    struct session *next = step_change(st, s);
    struct player *p = &next->player[seat];
    p->channel_failed_at = st->e->now;
    p->channel = whisper && (can & CAN_DIRECT) ? CHANNEL_DIRECT
                 : can & CAN_POPUP             ? CHANNEL_POPUP
                                               : CHANNEL_NONE;
    if (p->channel == CHANNEL_DIRECT)
        show_hand(st, next, seat);
    else if (session_apart(next, seat))
        lose_touch(st, next, seat);
    else
        ask_player(st, next, seat, T_OPEN_CHAT, BUTTON_OF(VERB_START) | BUTTON_OF(VERB_HAND));
    if (p->channel == CHANNEL_POPUP && session_turn(next) == seat) /* a board with their buttons */
        play_board(st, next);
    return TAKEN;
}
