/* The door that /start opens in a private chat: a press of one of its buttons. Learn and Language
 * are the buttons of their commands. */
#include "turn.h"
#include "tutorial.h"

/* As if the sender had typed /challenge with these words. */
static enum verdict challenge(struct step *st, struct str words)
{
    struct event typed = *st->e;
    struct step as_typed = *st;
    typed.verb = VERB_CHALLENGE;
    typed.words = words;
    as_typed.e = &typed;
    return lobby_challenge(&as_typed);
}

enum verdict door_press(struct step *st)
{
    switch (st->e->index) {
    case DOOR_COMPUTER:
        return challenge(st, STR("computer"));
    case DOOR_CODE:
        return challenge(st, STR("code"));
    case DOOR_FRIEND:
        effect_notice(st->fx, NOTICE_FRIEND, TO_ASKER);
        return TAKEN;
    case DOOR_GROUP:
        return notice_answer(st, T_DOOR_ADD_HOW, ARGS(arg_command(VERB_CHALLENGE)));
    default:
        notice_hello(st);
        return TAKEN;
    }
}
