/* A private message that could not be delivered: the player's hand goes to the next channel, or the
 * table reads what the player can do. */
#include "turn.h"

static void show_hand(struct step *st, const struct session *s, int seat, enum channel by)
{
    struct notice *notice = effect_notice(st->fx, NOTICE_HAND, TO_SEAT);
    struct table *table = step_table(st, s, seat);
    table->player[seat].channel = (uint8_t)by;
    notice->seat = (int8_t)seat;
    notice->fresh = true;
    notice->table = table;
}

/* A line in the venue where the player sits. */
static void ask_player(struct step *st, const struct session *s, int seat, enum text key,
                       uint64_t buttons)
{
    notice_announce(st, s, key, ARGS(arg_seat(s, seat)), buttons)->only =
        (int8_t)s->player[seat].venue;
}

/* The channel after the one that failed. */
static enum channel next_channel(const struct world *w, bool whisper_failed)
{
    if (whisper_failed && (w->can & CAN_DIRECT))
        return CHANNEL_DIRECT;
    return w->can & CAN_POPUP ? CHANNEL_POPUP : CHANNEL_NONE;
}

/* A failed whisper that answered typed words says nothing about the channel: networks allow
 * whispers as answers to presses only. */
enum verdict delivery_failed(struct step *st, const struct session *s)
{
    int seat = session_seat(s, st->w->me.person);
    if (seat < 0 || s->phase != SESSION_PLAYING || s->player[seat].account != st->e->account)
        return IGNORED;
    bool whisper = st->e->where == TO_WHISPER;
    enum channel failed = whisper ? CHANNEL_WHISPER : CHANNEL_DIRECT;
    if (whisper && st->e->press.n == 0 && (st->w->can & CAN_DIRECT)) {
        show_hand(st, s, seat, CHANNEL_DIRECT);
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
    p->channel = (uint8_t)next_channel(st->w, whisper);
    if (p->channel == CHANNEL_DIRECT)
        show_hand(st, next, seat, CHANNEL_DIRECT);
    else
        ask_player(st, next, seat, T_OPEN_CHAT, BUTTON_OF(VERB_START) | BUTTON_OF(VERB_HAND));
    if (p->channel == CHANNEL_POPUP && session_turn(next) == seat) /* a board with their buttons */
        effect_notice(st->fx, NOTICE_BOARD, TO_TABLE)->table = step_table(st, next, SEAT_PUBLIC);
    return TAKEN;
}
