/* See session.h. */
#include "session.h"

int session_seat(const struct session *s, int64_t person)
{
    for (int i = 0; person != 0 && i < s->players; i++)
        if (s->player[i].joined && s->player[i].person == person)
            return session_gone(s, i) || (s->ask.what == ASK_GO_ON && s->ask.seat == i) ? -1 : i;
    return -1;
}

bool session_apart(const struct session *s, int seat)
{
    const struct player *p = &s->player[seat];
    const struct venue *v = &s->venue[p->venue];
    return !v->direct && !v->one_post && !session_by_computer(s, seat) &&
           (v->state != VENUE_OPEN || p->left_chat);
}

bool session_out_of_reach(const struct session *s, int seat)
{
    const struct player *p = &s->player[seat];
    return session_apart(s, seat) && s->venue[p->venue].state != VENUE_OPEN &&
           p->channel > CHANNEL_DIRECT;
}

int session_free_seat(const struct session *s, int64_t person)
{
    for (int i = 1; i < s->players; i++)
        if (!s->player[i].joined && s->player[i].person == person)
            return i;
    return 0;
}

int session_awaited_seat(const struct session *s)
{
    for (int i = 1; i < s->players; i++)
        if (!s->player[i].joined)
            return i;
    return 0;
}

int session_turn(const struct session *s)
{
    bool running = s->phase == SESSION_PLAYING && s->match.stage == MATCH_PLAYING;
    return running && s->ask.what != ASK_GO_ON && s->match.round.phase != PHASE_OVER
               ? s->match.round.turn
               : -1;
}

bool session_dealt(const struct session *s)
{
    return s->match.round.next > 0;
}

int session_twin(const struct session *s, int seat)
{
    const struct player *own = &s->player[seat];
    int twin = 1;
    for (int i = 0; i < s->players; i++) /* not by seats: the lots change those */
        twin += own->name[0] && !own->computer && !s->player[i].computer &&
                s->player[i].person < own->person && strcmp(s->player[i].name, own->name) == 0;
    return twin > 1 ? twin : 0;
}

bool session_gone(const struct session *s, int seat)
{
    return s->match.gone >> seat & 1;
}

bool session_by_computer(const struct session *s, int seat)
{
    return s->player[seat].computer || session_gone(s, seat);
}

bool session_with_computer(const struct session *s)
{
    for (int i = 0; i < s->players; i++)
        if (s->player[i].computer)
            return true;
    return false;
}

bool session_casual(const struct session *s)
{
    return s->casual || session_with_computer(s);
}

bool session_has_clock(const struct session *s)
{
    return s->time.move_ms > 0 || s->time.total_ms > 0;
}

int64_t session_time(const struct session *s, int seat)
{
    return s->time.total_ms > 0 ? s->player[seat].time_left : s->time.move_ms;
}

int64_t session_deadline(const struct session *s)
{
    int turn = session_turn(s);
    if (turn < 0 || !session_has_clock(s) || session_by_computer(s, turn) ||
        session_out_of_reach(s, turn))
        return 0;
    return absence_deadline(&s->player[turn].absence, s->moved, session_time(s, turn));
}

void session_spend(struct session *s, const struct session *was, int64_t now)
{
    int turn = session_turn(was);
    if (was->time.total_ms == 0 || turn < 0 || session_by_computer(was, turn) ||
        session_out_of_reach(was, turn))
        return;
    struct player *p = &s->player[turn];
    int64_t spent = absence_spent(&p->absence, was->moved, now);
    p->time_left = spent < p->time_left ? p->time_left - spent : 0;
    if (session_turn(s) != turn)
        p->time_left += s->time.gain_ms;
}

bool session_has_lots(const struct session *s)
{
    return s->rules.first_dealer != FIRST_CHALLENGER;
}

int session_venue_of(const struct session *s, int64_t chat)
{
    for (int i = 0; i <= s->n_more; i++)
        if (s->venue[i].chat == chat)
            return i;
    return -1;
}

void session_drop_venue(struct session *s, int i)
{
    memmove(&s->venue[i], &s->venue[1 + i], (size_t)(s->n_more - i) * sizeof *s->venue);
    s->venue[s->n_more--] = (struct venue){0};
    for (int p = 0; p < s->players; p++)
        s->player[p].venue -= s->player[p].venue > i;
    s->ping.venue -= s->ping.venue > i;
}

void session_put_name(char *ret, size_t size, struct str s)
{
    size_t n = s.n < size - 1 ? s.n : size - 1;
    while (n < s.n && n > 0 && ((unsigned char)s.p[n] & 0xC0) == 0x80)
        n--;
    if (n > 0)
        memcpy(ret, s.p, n);
    memset(ret + n, 0, size - n);
}

struct match_outcome outcome_of(const struct session *s, int seat)
{
    const struct match *m = &s->match;
    bool broken_off = m->why == MATCH_LEAVE,
         left = (broken_off && s->left == seat) || session_gone(s, seat);
    struct match_outcome o = {.won = m->winner == seat};
    o.lost = left || (!o.won && m->winner >= 0 && !broken_off);
    o.drawn = !o.won && !o.lost;
    o.forfeit = left || (o.won && broken_off);
    return o;
}
