/* Play on from here: a match of the sender with the computer that begins at a position of a finished
 * one, with the stock as it was dealt or dealt anew. It keeps that match's id, so that the deals of its
 * beginning are checked like any other, and counts for nothing. */
#include "character.h"
#include "lobby.h"
#include "play.h"

/* A position in which somebody is to act, for a seat that was not left. */
static bool open_at(const struct position *p, int64_t step, int64_t seat)
{
    const struct match *m = &p->match;
    return p->step == step && m->stage == MATCH_PLAYING && m->round.phase != PHASE_OVER &&
           seat < m->players && !(m->gone >> seat & 1);
}

/* The sender on their seat; on the others the computer, as it was there or as the chat's opponent. */
static void sit_down(struct step *st, struct session *s, const struct session *was, int seat)
{
    int usual =
        character_find(st->w->bot->languages, st->fx->arena, str_of(st->w->chat.settings.opponent));
    lobby_seats(st, s);
    lobby_venue(st, &s->venue[0]);
    for (int i = 0; i < s->players; i++) {
        struct player *p = &s->player[i];
        const struct player *old = &was->player[i];
        bool computer = old->computer;
        if (i == seat) {
            lobby_take_seat(st, p, 0);
        } else {
            p->computer = p->joined = p->ready = true;
            p->character = computer ? old->character : (uint8_t)usual;
            p->level = computer       ? old->level
                       : p->character ? characters[p->character].level
                                      : LEVEL_NORMAL;
        }
        p->lot = old->lot;
        p->seat_joined = old->seat_joined;
    }
}

enum verdict play_on(struct step *st, const struct session *was)
{
    const struct position *at = st->w->position;
    int64_t seat = st->e->index / 2;
    bool played = was->phase == SESSION_OVER && was->end == END_PLAYED && !was->duel[0];
    if (!played || !at || !open_at(at, st->e->version, seat))
        return refuse(st, T_REPLAY_NONE, arg_command(VERB_HISTORY));
    if (!lobby_room(st))
        return REFUSED;
    bool anew = st->e->index % 2 && at->match.round.next < N_CARDS;
    struct session *s = arena_new(st->fx->arena, struct session);
    struct seed *seed = NULL;
    s->rules = was->rules;
    s->players = was->players;
    s->first = was->first;
    s->lots_seed = was->lots_seed;
    s->match = at->match;
    s->deal_seed = at->seed;
    s->from = (struct origin){was->no, anew};
    s->casual = true;
    s->phase = SESSION_PLAYING;
    s->version = 1;
    s->created = s->moved = st->e->now;
    s->left = -1;
    for (int i = 0; i < s->players; i++)
        if (at->match.gone >> i & 1)
            s->left = (int8_t)i;
    NAME_PUT(s->id, str_of(was->id));
    sit_down(st, s, was, (int)seat);
    if (anew) {
        struct match *m = &s->match;
        seed = arena_new(st->fx->arena, struct seed);
        memcpy(seed->at, st->e->chance + CHANCE_LOTS, sizeof seed->at);
        chance_rest(seed, str_of(s->id), m->round_no, m->attempt, N_CARDS - m->round.next,
                    m->round.deck);
    }
    return play_from(st, step_change(st, s), at->lines, seed);
}
