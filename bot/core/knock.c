/* The clock. A session has one deadline at a time; when it has come the loop feeds an event and
 * this file does what is due: a challenge expires, a move is warned of or may be claimed, the pause
 * between rounds ends, the computer moves, a match that nobody goes on with is closed. */
#include "note.h"
#include "stepping.h"

static void set(struct session *s, int64_t due, enum knock knock)
{
    s->due = due;
    s->knock = (uint8_t)knock;
}

int64_t knock_deadline(const struct session *s)
{
    int turn = session_turn(s);
    return turn < 0 || s->clock_ms == 0 || s->player[turn].computer ? 0 : s->moved + s->clock_ms;
}

/* A human rhythm, the same whatever the cards are: 2 to 5 seconds by the event's chance. */
static int64_t delay(const struct event *e)
{
    return 2000 + (e->chance[CHANCE_DELAY] | e->chance[CHANCE_DELAY + 1] << 8) % 3001;
}

static void think(struct step *st, const struct session *s, int seat)
{
    const struct table *t = step_table(st, s, seat);
    struct job_effect *job = &st->fx->job;
    st->fx->think = true;
    *job = (struct job_effect){
        .view = &t->view, .level = s->player[seat].level, .version = s->version};
    memcpy(&job->seed, st->e->chance + CHANCE_SEARCH, sizeof job->seed);
}

void knock_turn(struct step *st, struct session *s)
{
    int seat = session_turn(s);
    s->resign_asked = -1;
    if (s->player[seat].computer) {
        set(s, st->e->now + delay(st->e), KNOCK_COMPUTER);
        think(st, s, seat);
    } else if (s->clock_ms > 0) {
        set(s, s->moved + s->clock_ms * 3 / 4, KNOCK_WARN);
    } else {
        set(s, st->e->now + ABANDON_MS, KNOCK_ABANDON);
    }
}

void knock_close(struct session *s, enum session_end end)
{
    s->phase = SESSION_OVER;
    s->end = (uint8_t)end;
    set(s, 0, KNOCK_NONE);
}

static void tell(struct step *st, const struct session *s, enum text key,
                 const struct arg args[MAX_ARGS], uint64_t buttons)
{
    struct say *say = say_line(st, TO_TABLE, key, args);
    say->table = step_table(st, s, SEAT_PUBLIC);
    say->notify = true;
    say->verbs = buttons;
}

/* A deal that was begun shows its seed in the end, this one too. */
static void reveal(struct step *st, const struct session *s)
{
    char hex[SEED_HEX_SIZE];
    chance_hex(&s->deal_seed, hex);
    struct say *say =
        say_line(st, TO_TABLE, T_DEAL_SEED, ARGS(a_str(str_of(hex)), a_alias(VERB_VERIFY)));
    say->table = step_table(st, s, SEAT_PUBLIC);
}

static void computer(struct step *st, struct session *s)
{
    struct move m;
    int turn = session_turn(s);
    if (s->thought[0] && note_read_move(s->thought, strlen(s->thought), &m) < 0) {
        play_make(st, s, turn, m);
        return;
    }
    set(s, st->e->now + MINUTE_MS / 2, KNOCK_COMPUTER); /* the answer was lost: ask again */
    think(st, s, turn);
}

enum verdict knock(struct step *st, const struct session *was)
{
    if (was->due == 0 || was->due > st->e->now)
        return IGNORED;
    struct session *s = step_change(st, was);
    int turn = session_turn(s);
    switch ((enum knock)s->knock) {
    case KNOCK_EXPIRE:
        knock_close(s, END_EXPIRED);
        tell(st, s, T_EXPIRED, ARGS(a_seat(s, 0), a_alias(VERB_CHALLENGE)), 0);
        break;
    case KNOCK_WARN:
        set(s, s->moved + s->clock_ms, KNOCK_TIME);
        tell(st, s, T_WARNED, ARGS(a_seat(s, turn), a_time(s->moved + s->clock_ms)),
             (uint64_t)1 << VERB_HAND);
        break;
    case KNOCK_TIME:
        s->overdue = true;
        set(s, st->e->now + CLAIM_MS, KNOCK_ABANDON);
        tell(st, s, T_TIME_UP, ARGS(a_seat(s, turn), a_alias(VERB_CLAIM), a_alias(VERB_WAIT)),
             (uint64_t)1 << VERB_CLAIM | (uint64_t)1 << VERB_WAIT);
        break;
    case KNOCK_ABANDON:
        knock_close(s, END_ABANDONED);
        s->version++;
        tell(st, s, T_ABANDONED, ARGS(a_seat(s, 0), a_seat(s, 1), a_alias(VERB_CHALLENGE)), 0);
        reveal(st, s);
        break;
    case KNOCK_READY:
        play_deal(st, s);
        break;
    case KNOCK_COMPUTER:
        computer(st, s);
        break;
    case KNOCK_NONE:
    case N_KNOCKS:
        break;
    }
    return TAKEN;
}

enum verdict nudge(struct step *st, const struct session *s)
{
    int seat = session_seat(s, st->w->me), turn = session_turn(s);
    if (s->phase == SESSION_OVER)
        return refuse(st, T_MATCH_OVER, ARGS(a_alias(VERB_CHALLENGE)));
    if (turn < 0)
        return refuse(st, T_NUDGE_NOBODY, NO_ARGS);
    if (seat < 0)
        return refuse(st, T_NOT_YOUR_MATCH,
                      ARGS(a_seat(s, 0), a_seat(s, 1), a_alias(VERB_CHALLENGE)));
    if (turn == seat)
        return refuse(st, T_NUDGE_SELF, ARGS(a_alias(VERB_HAND)));
    if (s->player[turn].computer)
        return refuse(st, T_COMPUTER_THINKS, NO_ARGS);
    if (s->nudged && st->e->now < s->nudged + NUDGE_MS)
        return refuse(st, T_NUDGE_EARLY, ARGS(a_seat(s, turn), a_time(s->nudged + NUDGE_MS)));
    struct session *next = step_change(st, s);
    next->nudged = st->e->now;
    tell(st, next, T_NUDGED, ARGS(a_seat(s, turn), a_seat(s, seat)), (uint64_t)1 << VERB_HAND);
    return TAKEN;
}

/* ---- the bot in a chat ---- */

/* Says it at every venue but one. */
static void tell_others(struct step *st, const struct session *s, int but, enum text key,
                        const struct arg args[MAX_ARGS])
{
    for (int i = 0; i <= s->n_more; i++) {
        if (i == but)
            continue;
        struct say *say = say_line(st, TO_TABLE, key, args);
        say->only = (int8_t)i;
        say->table = step_table(st, s, SEAT_PUBLIC);
        say->notify = true;
    }
}

static bool sits_at(const struct session *s, int venue)
{
    for (int i = 0; i < s->players; i++)
        if (s->player[i].joined && s->player[i].venue == venue)
            return true;
    return false;
}

/* Nothing is said into a chat that the bot was removed from. A challenge is closed if it came from
 * there or somebody there has taken it up; a match stands still until the bot is back, and is
 * closed without a result after as long as any that nobody goes on with. */
static void stand_still(struct step *st, struct session *s)
{
    int venue = session_venue_of(s, st->w->chat);
    struct str chat = str_of(session_venue(s, venue)->chat_name);
    struct arg name = chat.n > 0 ? a_str(chat) : a_key(T_THE_GROUP);
    if (s->phase == SESSION_PLAYING) {
        set(s, st->e->now + ABANDON_MS, KNOCK_ABANDON);
        tell_others(st, s, venue, T_VENUE_LEFT, ARGS(name));
    } else if (venue == 0 || sits_at(s, venue)) {
        knock_close(s, END_CANCELLED);
        tell_others(st, s, venue, T_VENUE_LEFT_OFFER, ARGS(name, a_alias(VERB_CHALLENGE)));
    } else {
        session_drop_venue(s, venue);
    }
}

enum verdict chat_left(struct step *st)
{
    for (int i = 0; i < st->w->n_here; i++)
        stand_still(st, step_change(st, st->w->here[i]));
    return TAKEN;
}

/* Back in the chat: whoever is to move has their whole time again. */
static void resume(struct step *st, struct session *s)
{
    int turn = session_turn(s);
    s->overdue = false;
    s->moved = st->e->now;
    if (turn < 0)
        set(s, st->e->now + PAUSE_MS, KNOCK_READY);
    else if (s->player[turn].computer)
        set(s, st->e->now + delay(st->e), KNOCK_COMPUTER);
    else
        knock_turn(st, s);
    effect_say(st->fx, SAY_BOARD, TO_TABLE)->table = step_table(st, s, SEAT_PUBLIC);
}

enum verdict chat_joined(struct step *st)
{
    hello(st);
    for (int i = 0; i < st->w->n_here; i++)
        if (st->w->here[i]->phase == SESSION_PLAYING && !st->w->here[i]->home.direct)
            resume(st, step_change(st, st->w->here[i]));
    return TAKEN;
}

/* What failed before may work now: every hand is shown the best way again. */
enum verdict chat_rights(struct step *st)
{
    for (int i = 0; i < st->w->n_here; i++) {
        struct session *s = step_change(st, st->w->here[i]);
        for (int p = 0; p < s->players; p++)
            if (s->player[p].account == st->e->account &&
                session_venue(s, s->player[p].venue)->chat == st->w->chat)
                s->player[p].channel = (uint8_t)lobby_channel(st->w->can);
    }
    return TAKEN;
}

/* Whole minutes, hours, days: nobody cares for more. */
static int64_t about(int64_t ms)
{
    int64_t unit = ms < 2 * HOUR_MS ? MINUTE_MS : ms < 2 * DAY_MS ? HOUR_MS : DAY_MS;
    return (ms + unit / 2) / unit * unit;
}

/* The bot did not run for a while. No clock ran meanwhile: what was due is due as much later. Of a
 * match with several venues that is done once, at its home. */
enum verdict chat_away(struct step *st)
{
    struct say *say = effect_say(st->fx, SAY_GAMES, TO_HERE);
    const struct table **list = arena_array(st->fx->arena, const struct table *, MAX_CANDIDATES);
    say->key = T_AWAY;
    say->n = about(st->e->away);
    for (int i = 0; i < st->w->n_here; i++) {
        const struct session *s = st->w->here[i];
        if (s->home.chat == st->w->chat && s->due > 0 && s->knock != KNOCK_COMPUTER) {
            struct session *next = step_change(st, s);
            next->due += st->e->away;
            next->moved += st->e->away;
            s = next;
        }
        if (s->phase == SESSION_PLAYING)
            list[say->n_games++] = step_table(st, s, SEAT_PUBLIC);
    }
    say->games = list;
    st->fx->n_says -= say->n_games == 0;
    return TAKEN;
}

static void show_hand(struct step *st, const struct session *s, int seat, enum channel by)
{
    struct say *say = effect_say(st->fx, SAY_HAND, TO_SEAT);
    struct table *table = step_table(st, s, seat);
    table->player[seat].channel = (uint8_t)by;
    say->seat = (int8_t)seat;
    say->fresh = true;
    say->table = table;
}

/* To a player, where they sit. */
static void tell_venue(struct step *st, const struct session *s, int seat, enum text key,
                       uint64_t buttons)
{
    tell(st, s, key, ARGS(a_seat(s, seat)), buttons);
    st->fx->say[st->fx->n_says - 1]->only = (int8_t)s->player[seat].venue;
}

/* A private message could not be given: the next way is tried, or the table is told what to do.
 * Words typed for all to see give no right to answer unseen, so that says nothing about the way
 * itself. */
enum verdict unreachable(struct step *st, const struct session *s)
{
    int seat = session_seat(s, st->w->me);
    if (seat < 0 || s->phase != SESSION_PLAYING || s->player[seat].account != st->e->account)
        return IGNORED;
    bool whisper = st->e->where == TO_WHISPER, direct = (st->w->can & CAN_DIRECT) != 0;
    enum channel failed = whisper ? CHANNEL_WHISPER : CHANNEL_DIRECT;
    if (whisper && st->e->press.n == 0 && direct) {
        show_hand(st, s, seat, CHANNEL_DIRECT);
        return TAKEN;
    }
    if (s->player[seat].channel < failed) {
        tell_venue(st, s, seat, T_TAP_HAND, (uint64_t)1 << VERB_HAND);
        return TAKEN;
    }
    if (s->player[seat].channel > failed)
        return IGNORED;
    struct session *next = step_change(st, s);
    struct player *p = &next->player[seat];
    p->lowered = st->e->now;
    p->channel = whisper && direct        ? CHANNEL_DIRECT
                 : st->w->can & CAN_POPUP ? CHANNEL_POPUP
                                          : CHANNEL_NONE;
    if (p->channel == CHANNEL_DIRECT)
        show_hand(st, next, seat, CHANNEL_DIRECT);
    else
        tell_venue(st, next, seat, T_OPEN_CHAT,
                   (uint64_t)1 << VERB_START | (uint64_t)1 << VERB_HAND);
    if (p->channel == CHANNEL_POPUP && session_turn(next) == seat) /* with buttons for them */
        effect_say(st->fx, SAY_BOARD, TO_TABLE)->table = step_table(st, next, SEAT_PUBLIC);
    return TAKEN;
}
