/* A private message that could not be delivered: the player's hand goes to the next channel, or the
 * table reads what the player can do. */
#include "turn.h"

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

/* A failed whisper that answered typed words says nothing about the channel: networks allow
 * whispers as answers to presses only. */
enum verdict delivery_failed(struct step *st, const struct session *s)
{
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
    else
        ask_player(st, next, seat, T_OPEN_CHAT, BUTTON_OF(VERB_START) | BUTTON_OF(VERB_HAND));
    if (p->channel == CHANNEL_POPUP && session_turn(next) == seat) /* a board with their buttons */
        notice_show(st, NOTICE_BOARD, TO_TABLE, next, SEAT_PUBLIC);
    return TAKEN;
}
