/* See session.h. */
#include "session.h"

int session_seat(const struct session *s, int64_t person)
{
    for (int i = 0; person != 0 && i < s->players; i++)
        if (s->player[i].joined && s->player[i].person == person)
            return i;
    return -1;
}

int session_turn(const struct session *s)
{
    bool running = s->phase == SESSION_PLAYING && s->match.stage == MATCH_PLAYING;
    return running && s->match.round.phase != PHASE_OVER ? s->match.round.turn : -1;
}

bool session_with_computer(const struct session *s)
{
    for (int i = 0; i < s->players; i++)
        if (s->player[i].computer)
            return true;
    return false;
}

bool session_has_lots(const struct session *s)
{
    return s->rules.first_dealer != FIRST_CHALLENGER;
}

const struct venue *session_venue(const struct session *s, int i)
{
    return i == 0 ? &s->home : &s->more[i - 1];
}

int session_venue_of(const struct session *s, int64_t chat)
{
    for (int i = 0; i <= s->n_more; i++)
        if (session_venue(s, i)->chat == chat)
            return i;
    return -1;
}

void session_drop_venue(struct session *s, int i)
{
    memmove(&s->more[i - 1], &s->more[i], (size_t)(s->n_more - i) * sizeof *s->more);
    s->more[--s->n_more] = (struct venue){0};
    for (int p = 0; p < s->players; p++)
        s->player[p].venue -= s->player[p].venue > i;
    s->ping_venue -= s->ping_venue > i;
}

void name_put(char *ret, size_t size, struct str s)
{
    size_t n = s.n < size - 1 ? s.n : size - 1;
    while (n < s.n && n > 0 && ((unsigned char)s.p[n] & 0xC0) == 0x80)
        n--;
    if (n > 0)
        memcpy(ret, s.p, n);
    memset(ret + n, 0, size - n);
}
