/* Tables by tapping: a lobby is a challenge to anyone here that its opener begins, with as many as
 * have sat down. All that happens before is an edit of one message: who sits, how many may, rounds,
 * rules. The opener of a typed challenge has the same chips. */
#include "lobby.h"

#include "character.h"

/* The sender's own table against that computer, which waits here for nothing but its start. */
static const struct session *standing_table(struct step *st, struct str words)
{
    int wanted = character_find(st->w->bot->languages, st->fx->arena, words);
    for (int i = 0; i < st->w->here.n; i++) {
        const struct session *s = st->w->here.at[i];
        if (s->phase == SESSION_OFFERED && !s->again && !session_awaited_seat(s) &&
            step_seat(st, s) == 0 &&
            (wanted == NO_CHARACTER || s->player[s->players - 1].character == wanted))
            return s;
    }
    return NULL;
}

enum verdict lobby_first(struct step *st, struct str words, bool lobby)
{
    const struct session *stands = lobby ? NULL : standing_table(st, words);
    if (stands) { /* a second tap: the same table, at the end of the talk */
        lobby_offer(st, step_change(st, stands), -1);
        return TAKEN;
    }
    return lobby_open(st, words, lobby, true);
}

enum verdict lobby_here(struct step *st)
{
    for (int i = 0; i < st->w->here.n; i++) {
        const struct session *s = st->w->here.at[i];
        if (s->phase != SESSION_OFFERED || !s->lobby)
            continue;
        if (step_seat(st, s) >= 0)
            return refuse(st, T_LOBBY_STANDS, arg_int(s->no));
        if (session_free_seat(s, 0) > 0)
            return lobby_accept(st, s);
    }
    return lobby_first(st, STR("open"), true);
}

/* ---- the chips of the opener ---- */

/* The rule set for so many players, played for that number of rounds or, if it cannot be, for few. */
static bool take_preset(struct session *s, const struct rules *preset, int players, int rounds)
{
    struct rules r = *preset;
    if (!(r.players_allowed >> players & 1))
        return false;
    r.rounds = (uint8_t)rounds;
    if (!value_rounds_ok(&r)) {
        r.rounds = FEW_ROUNDS;
        if (!value_rounds_ok(&r))
            r.rounds = preset->rounds;
    }
    s->rules = r;
    s->players = (uint8_t)players;
    return true;
}

static bool take_seats(struct step *st, struct session *s, int players)
{
    const struct bot *bot = st->w->bot;
    int rounds = s->rules.rounds;
    if (players < MIN_PLAYERS || players > MAX_PLAYERS)
        return false;
    if (s->rules.players_allowed >> players & 1) {
        s->players = (uint8_t)players;
        return true;
    }
    if (take_preset(s, step_usual_rules(st->w), players, rounds))
        return true;
    for (int i = 0; i < bot->n_presets; i++)
        if (take_preset(s, &bot->presets[i], players, rounds))
            return true;
    return false;
}

static bool take_rounds(struct session *s, int64_t rounds)
{
    if (rounds < 1 || rounds > MAX_ROUNDS)
        return false;
    s->rules.rounds = (uint8_t)rounds;
    return value_rounds_ok(&s->rules);
}

enum verdict lobby_terms(struct step *st, const struct session *s)
{
    const struct bot *bot = st->w->bot;
    int64_t index = st->e->index, preset = index - TERMS_PRESET;
    if (s->phase != SESSION_OFFERED)
        return lobby_not_open(st, s);
    if (s->player[0].person != st->w->me.person)
        return refuse(st, T_TERMS_OPENER, arg_seat(s, 0));
    struct session *next = step_snapshot(st, s);
    bool good = index == TERMS_RULES;
    if (index >= TERMS_ROUNDS)
        good = take_rounds(next, index - TERMS_ROUNDS);
    else if (index >= TERMS_SEATS)
        good = s->lobby && take_seats(st, next, (int)(index - TERMS_SEATS));
    else if (preset >= 0 && preset < bot->n_presets)
        good = take_preset(next, &bot->presets[preset], s->players, s->rules.rounds);
    for (int i = next->players; i < s->players; i++)
        if (s->player[i].joined)
            return refuse(st, T_LOBBY_SITS, arg_seat(s, i));
    if (!good || rules_check(&next->rules))
        return refuse(st, T_TERMS_CHANGED);
    next = step_change(st, next);
    next->version += index != TERMS_RULES; /* a tap that accepts the terms before is stale */
    lobby_show(st, next)->card = index == TERMS_RULES;
    return TAKEN;
}
