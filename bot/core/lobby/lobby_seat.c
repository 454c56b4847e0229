/* Seats and venues of a new challenge: who a seat is for, and the chat it is made in. */
#include "lobby.h"

void lobby_sit(struct player *p, int64_t person, const struct sender *who)
{
    p->person = person;
    NAME_PUT(p->id, who->id);
    NAME_PUT(p->handle, who->handle);
    if (who->id.n > 0) {
        NAME_PUT(p->name, who->name);
    } else { /* the bot has never heard of them: only "@bo" is known */
        p->name[0] = '@';
        session_put_name(p->name + 1, sizeof p->name - 1, who->handle);
    }
}

void lobby_player(struct step *st, struct player *p)
{
    *p = (struct player){
        .lot = CARD_NONE, .account = st->e->account, .channel = (uint8_t)channel_here(st->w)};
}

void lobby_agree(struct step *st, struct player *p)
{
    p->joined = true;
    p->heard = st->e->now;
}

void lobby_venue(struct step *st, struct venue *ret)
{
    const struct event *e = st->e;
    *ret = (struct venue){.chat = st->w->chat,
                          .account = e->account,
                          .utc_offset = st->w->utc_offset,
                          .board_picture = st->w->settings.board_picture,
                          .direct = e->direct,
                          .one_post = (st->w->can_here & CAN_ONE_POST) != 0};
    NAME_PUT(ret->chat_key, e->chat);
    NAME_PUT(ret->chat_name, e->chat_name);
    NAME_PUT(ret->language, str_of(st->w->settings.language));
}

bool lobby_on_vacation(struct step *st)
{
    const struct absence *absence = &st->w->prefs.absence;
    if (!absence_on_vacation(absence, st->e->now))
        return false;
    notice_refuse(st, T_VACATION_FIRST,
                  ARGS(arg_time(absence->away_until), arg_command(VERB_VACATION)));
    return true;
}
