/* Answers to a challenge: accept, decline with a reason, cancel. */
#include "lobby.h"

#include "keyword.h"
#include "play.h"

/* ---- accept ---- */

/* The seat this person would take: the one kept for them, else an open one. Returns -1 if there is
 * none. */
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

/* The first seat that is still free; 0 if none is. */
static int awaited(const struct session *s)
{
    for (int i = 1; i < s->players; i++)
        if (!s->player[i].joined)
            return i;
    return 0;
}

/* The venue the sender would sit in: the chat of the event, else the home, for a person the
 * challenge is meant for. -1 without either. */
static int venue_for(struct step *st, const struct session *s, int seat)
{
    int venue = session_venue_of(s, st->w->chat);
    return venue < 0 && s->player[seat].person == st->w->me ? 0 : venue;
}

void lobby_take_seat(struct step *st, struct player *p, int venue)
{
    lobby_sit(p, st->w->me, &st->e->from);
    p->account = st->e->account;
    p->venue = (uint8_t)venue;
    p->channel = (uint8_t)channel_here(st->w);
    channel_recall(st, p);
    lobby_agree(st, p);
    if (st->e->verb == VERB_ACCEPT &&
        st->e->words.n > 0) /* "/accept my words" cuts the deck as well */
        NAME_PUT(p->cut, text_clean(st->fx->arena, st->e->words, CUT_SIZE - 1));
    p->absence = st->w->prefs.absence;
    NAME_PUT(p->language, str_of(st->w->prefs.language));
}

enum verdict lobby_not_open(struct step *st, const struct session *s)
{
    if (s->phase != SESSION_PLAYING)
        return notice_refuse(st, T_OFFER_GONE, ARGS(arg_command(VERB_CHALLENGE)));
    bool plays = session_seat(s, st->w->me) >= 0;
    return notice_refuse(st, plays ? T_OFFER_BEGUN : T_OFFER_TAKEN, NO_ARGS);
}

enum verdict lobby_accept(struct step *st, const struct session *s)
{
    if (s->phase != SESSION_OFFERED)
        return lobby_not_open(st, s);
    if (st->e->from.anonymous)
        return notice_refuse(st, T_ANONYMOUS, NO_ARGS);
    if (notice_closed(st))
        return REFUSED;
    bool mine = s->player[0].person == st->w->me;
    if (mine && complete(s)) { /* against computers alone */
        play_start(st, step_change(st, s));
        return TAKEN;
    }
    if (session_seat(s, st->w->me) >= 0)
        return notice_refuse(st, mine ? T_ACCEPT_OWN : T_ACCEPT_AGAIN,
                             ARGS(arg_seat(s, awaited(s)), arg_command(VERB_CANCEL)));
    int seat = seat_for(s, st->w->me);
    if (seat < 0)
        return notice_refuse(st, T_NOT_FOR_YOU,
                             ARGS(arg_seat(s, awaited(s)), arg_command(VERB_CHALLENGE)));
    if (lobby_on_vacation(st))
        return REFUSED;
    int venue = venue_for(st, s, seat);
    if (venue < 0)
        return notice_refuse(st, T_NO_SUCH_MATCH, ARGS(arg_int(s->no), arg_command(VERB_GAMES)));
    struct session *next = step_change(st, s);
    lobby_take_seat(st, &next->player[seat], venue);
    if (complete(next)) {
        play_start(st, next);
        return TAKEN;
    }
    next->version++;
    struct notice *notice = notice_line(st, TO_TABLE, T_JOINED_TABLE,
                                        ARGS(arg_seat(next, seat), arg_seat(next, awaited(next))));
    notice->table = step_table(st, next, SEAT_PUBLIC);
    return TAKEN;
}

/* ---- decline, cancel ---- */

/* Without the last word and the punctuation before it. */
static struct str shorter(struct str s)
{
    while (s.n > 0 && s.p[s.n - 1] != ' ')
        s.n--;
    while (s.n > 0 && strchr(" ,.;:!-", s.p[s.n - 1]))
        s.n--;
    return s;
}

/* A reason is recognized by its beginning: "no time, sorry" is "no time". */
static enum text reason_of(struct step *st)
{
    static const struct {
        enum keyword option;
        enum text key;
    } reasons[] = {
        {KEYWORD_LATER, T_REASON_LATER},
        {KEYWORD_TOO_LONG, T_REASON_TOO_LONG},
        {KEYWORD_OTHER_RULES, T_REASON_RULES},
        {KEYWORD_NO_TIME, T_REASON_NO_TIME},
        {KEYWORD_NO_COMPUTER, T_REASON_NO_COMPUTER},
        {KEYWORD_STRONG, T_REASON_STRONG},
    };
    if (st->e->pressed)
        return st->e->index >= 2 && st->e->index < 8 ? reasons[st->e->index - 2].key
                                                     : T_REASON_NONE;
    for (struct str words = st->e->words; words.n > 0; words = shorter(words)) {
        enum keyword option = keyword_find(st->w->languages, st->fx->arena, words);
        for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
            if (reasons[i].option == option)
                return reasons[i].key;
    }
    return T_REASON_NONE;
}

/* The words behind /decline, fit to be shown; empty if there are none. */
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
        return lobby_not_open(st, s);
    if (s->player[0].person == st->w->me)
        return lobby_cancel(st, s);
    int seat = seat_for(s, st->w->me);
    if (seat < 0 || s->player[seat].person != st->w->me)
        return notice_refuse(st, T_NOT_FOR_YOU,
                             ARGS(arg_seat(s, awaited(s)), arg_command(VERB_CHALLENGE)));
    if (st->e->pressed && st->e->index == 0) { /* the first button: ask for the reason */
        struct notice *ask = effect_notice(st->fx, NOTICE_DECLINE, TO_ASKER);
        ask->table = step_table(st, s, SEAT_PUBLIC);
        return TAKEN;
    }
    struct session *next = step_change(st, s);
    timer_close(next, END_DECLINED);
    enum text reason = reason_of(st);
    struct str own = own_words(st);
    bool known = reason != T_REASON_NONE || own.n == 0;
    struct notice *notice =
        notice_line(st, TO_TABLE, known ? T_DECLINED : T_DECLINED_WORDS,
                    ARGS(arg_name(st->e->from.name, st->e->from.id), arg_seat(s, 0),
                         known ? arg_key(reason) : arg_str(own)));
    notice->table = step_table(st, next, SEAT_PUBLIC);
    notice->notify = true;
    return TAKEN;
}

enum verdict lobby_cancel(struct step *st, const struct session *s)
{
    if (s->phase == SESSION_PLAYING)
        return notice_refuse(st, T_CANCEL_RUNNING, ARGS(arg_command(VERB_RESIGN)));
    if (s->phase == SESSION_OVER)
        return notice_refuse(st, T_OFFER_GONE, ARGS(arg_command(VERB_CHALLENGE)));
    bool admin = st->e->admin && st->w->chat == s->home.chat;
    if (s->player[0].person != st->w->me && !admin)
        return notice_refuse(st, T_CANCEL_FOREIGN, ARGS(arg_seat(s, 0)));
    struct session *next = step_change(st, s);
    timer_close(next, END_CANCELLED);
    struct notice *notice =
        notice_line(st, TO_TABLE, T_CANCELLED, ARGS(arg_name(st->e->from.name, st->e->from.id)));
    notice->table = step_table(st, next, SEAT_PUBLIC);
    return TAKEN;
}
