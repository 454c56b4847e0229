/* A challenge is answered: accepted, declined with a reason, or taken back. */
#include "lobby.h"

/* ---- yes ---- */

/* The seat this person would take, -1 if none is theirs. */
static int seat_for(const struct session *s, int64_t me)
{
    for (int i = 1; i < s->players; i++)
        if (!s->player[i].joined && s->player[i].person == me)
            return i;
    for (int i = 1; i < s->players; i++)
        if (!s->player[i].joined && s->player[i].person == 0)
            return i;
    return -1;
}

static bool complete(const struct session *s)
{
    for (int i = 0; i < s->players; i++)
        if (!s->player[i].joined)
            return false;
    return true;
}

/* For whom a challenge is: "Bo", or "Bo and Cleo". */
static int awaited(const struct session *s)
{
    for (int i = 1; i < s->players; i++)
        if (!s->player[i].joined)
            return i;
    return 0;
}

/* Where the sender would sit, -1 if nowhere: a venue they speak in; else, in private, the home. */
static int venue_for(struct step *st, const struct session *s, int seat)
{
    int venue = session_venue_of(s, st->w->chat);
    bool known = s->player[seat].person == st->w->me || s->home.account == st->e->account;
    return venue < 0 && known ? 0 : venue;
}

/* The challenge is taken up by this person, who sits down. */
static void take_seat(struct step *st, struct player *p, int venue)
{
    lobby_sit(p, st->w->me, &st->e->from);
    p->account = st->e->account;
    p->venue = (uint8_t)venue;
    p->channel = (uint8_t)lobby_channel_here(st->w);
    lobby_recall(st, p);
    p->joined = true;
    NAME_PUT(p->event, st->e->id);
    NAME_PUT(p->language, str_of(st->w->prefs.language));
}

enum verdict lobby_accept(struct step *st, const struct session *s)
{
    if (s->phase != SESSION_OFFERED)
        return refuse(st, s->phase == SESSION_PLAYING ? T_OFFER_BEGUN : T_OFFER_GONE,
                      ARGS(a_alias(VERB_CHALLENGE)));
    if (st->e->from.anonymous)
        return refuse(st, T_ANONYMOUS, NO_ARGS);
    bool mine = s->player[0].person == st->w->me;
    if (mine && complete(s)) { /* only the computer is on the other side */
        struct session *next = step_change(st, s);
        NAME_PUT(next->player[0].event, st->e->id);
        play_start(st, next);
        return TAKEN;
    }
    if (session_seat(s, st->w->me) >= 0)
        return refuse(st, mine ? T_ACCEPT_OWN : T_ACCEPT_AGAIN,
                      ARGS(a_seat(s, awaited(s)), a_alias(VERB_CANCEL)));
    int seat = seat_for(s, st->w->me);
    if (seat < 0)
        return refuse(st, T_NOT_FOR_YOU, ARGS(a_seat(s, awaited(s)), a_alias(VERB_CHALLENGE)));
    int venue = venue_for(st, s, seat);
    if (venue < 0)
        return refuse(st, T_NO_SUCH_MATCH, ARGS(a_int(s->no), a_alias(VERB_GAMES)));
    struct session *next = step_change(st, s);
    take_seat(st, &next->player[seat], venue);
    if (complete(next)) {
        play_start(st, next);
        return TAKEN;
    }
    next->version++;
    struct say *say = say_line(st, TO_TABLE, T_JOINED_TABLE,
                               ARGS(a_seat(next, seat), a_seat(next, awaited(next))));
    say->table = step_table(st, next, SEAT_PUBLIC);
    return TAKEN;
}

/* ---- no ---- */

/* Without its last word, and what stands before that but letters. */
static struct str shorter(struct str s)
{
    while (s.n > 0 && s.p[s.n - 1] != ' ')
        s.n--;
    while (s.n > 0 && strchr(" ,.;:!-", s.p[s.n - 1]))
        s.n--;
    return s;
}

/* A reason is known by how it begins: "no time, sorry" is no time. */
static enum text reason_of(struct step *st)
{
    static const struct {
        enum spare option;
        enum text key;
    } reasons[] = {
        {OPTION_LATER, T_REASON_LATER},
        {OPTION_TOO_LONG, T_REASON_TOO_LONG},
        {OPTION_OTHER_RULES, T_REASON_RULES},
        {OPTION_NO_TIME, T_REASON_NO_TIME},
        {OPTION_NO_COMPUTER, T_REASON_NO_COMPUTER},
        {OPTION_STRONG, T_REASON_STRONG},
    };
    if (st->e->pressed)
        return st->e->index >= 2 && st->e->index < 8 ? reasons[st->e->index - 2].key
                                                     : T_REASON_NONE;
    for (struct str words = st->e->words; words.n > 0; words = shorter(words)) {
        enum spare option = option_find(st->w->languages, st->fx->arena, words);
        for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
            if (reasons[i].option == option)
                return reasons[i].key;
    }
    return T_REASON_NONE;
}

/* What was typed behind it, fit to be shown; empty if nothing was. */
static struct str own_words(const struct step *st)
{
    enum { REASON_COLUMNS = 60 };
    if (st->e->pressed || st->e->words.n == 0)
        return (struct str){0};
    return text_clean(st->fx->arena, st->e->words, REASON_COLUMNS);
}

enum verdict lobby_decline(struct step *st, const struct session *s)
{
    if (s->phase != SESSION_OFFERED)
        return refuse(st, s->phase == SESSION_PLAYING ? T_OFFER_BEGUN : T_OFFER_GONE,
                      ARGS(a_alias(VERB_CHALLENGE)));
    if (s->player[0].person == st->w->me)
        return lobby_cancel(st, s);
    int seat = seat_for(s, st->w->me);
    if (seat < 0 || s->player[seat].person != st->w->me)
        return refuse(st, T_NOT_FOR_YOU, ARGS(a_seat(s, awaited(s)), a_alias(VERB_CHALLENGE)));
    if (st->e->pressed && st->e->index == 0) { /* the button: which reason? */
        struct say *ask = effect_say(st->fx, SAY_DECLINE, TO_ASKER);
        ask->table = step_table(st, s, SEAT_PUBLIC);
        return TAKEN;
    }
    struct session *next = step_change(st, s);
    knock_close(next, END_DECLINED);
    enum text reason = reason_of(st);
    struct str own = own_words(st);
    bool known = reason != T_REASON_NONE || own.n == 0;
    struct say *say = say_line(st, TO_TABLE, known ? T_DECLINED : T_DECLINED_WORDS,
                               ARGS(a_name(st->e->from.name, st->e->from.id), a_seat(s, 0),
                                    known ? a_key(reason) : a_str(own)));
    say->table = step_table(st, next, SEAT_PUBLIC);
    say->notify = true;
    return TAKEN;
}

enum verdict lobby_cancel(struct step *st, const struct session *s)
{
    if (s->phase == SESSION_PLAYING)
        return refuse(st, T_CANCEL_RUNNING, ARGS(a_alias(VERB_RESIGN)));
    if (s->phase == SESSION_OVER)
        return refuse(st, T_OFFER_GONE, ARGS(a_alias(VERB_CHALLENGE)));
    bool admin = st->e->admin && st->w->chat == s->home.chat;
    if (s->player[0].person != st->w->me && !admin)
        return refuse(st, T_CANCEL_FOREIGN, ARGS(a_seat(s, 0)));
    struct session *next = step_change(st, s);
    knock_close(next, END_CANCELLED);
    struct say *say =
        say_line(st, TO_TABLE, T_CANCELLED, ARGS(a_name(st->e->from.name, st->e->from.id)));
    say->table = step_table(st, next, SEAT_PUBLIC);
    return TAKEN;
}
