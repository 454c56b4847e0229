/* Challenges in chats that the bot is not in: what a person may say there, and what becomes of
 * it. */
#include "lobby.h"

static const struct rules *preset_of(const struct world *w, int64_t hash)
{
    for (int i = 0; i < w->n_presets; i++)
        if ((int64_t)(str_hash(str_of(w->presets[i].name)) & UINT32_MAX) == hash)
            return &w->presets[i];
    return NULL;
}

static void begin_invited(struct step *st, const struct rules *rules)
{
    struct session *s = arena_new(st->fx->arena, struct session);
    s->rules = *rules;
    s->clock_ms = CLOCK_MS;
    s->players = 2;
    for (int i = 0; i < MAX_PLAYERS; i++)
        lobby_player(st, &s->player[i]);
    lobby_sit(&s->player[0], st->w->mention[0], &st->e->mention[0]);
    s->player[0].joined = true;
    if (st->w->me != st->w->mention[0])
        lobby_sit(&s->player[1], st->w->me, &st->e->from);
    lobby_venue(st, &s->home);
    lobby_begin(st, s);
    lobby_offer(st, step_change(st, s), -1);
}

/* The news that it was said, or whoever is the first to press its button, makes the challenge: from
 * then on it is sealed, and accepted like any other; by the one who pressed first. */
enum verdict lobby_invite(struct step *st)
{
    const struct world *w = st->w;
    const struct rules *rules = preset_of(w, st->e->version);
    bool own = w->me == w->mention[0];
    if (w->n_here > 0 && w->here[0]->phase == SESSION_OFFERED)
        return st->e->press.n > 0 ? lobby_accept(st, w->here[0]) : IGNORED;
    if (w->n_here > 0)
        return refuse(st, T_OFFER_BEGUN, NO_ARGS);
    if (w->last || !rules || w->mention[0] == 0)
        return refuse(st, T_OFFER_GONE, ARGS(a_alias(VERB_CHALLENGE)));
    if (!lobby_room(st))
        return REFUSED;
    begin_invited(st, rules);
    if (!own && st->e->press.n > 0)
        answer(st, T_SEALED_NOW, NO_ARGS);
    return TAKEN;
}

/* For which match something is looked for, else which challenges there are. */
enum verdict lobby_query(struct step *st)
{
    const struct session *s = st->w->named;
    int seat = s && s->phase == SESSION_PLAYING ? session_seat(s, st->w->me) : -1;
    bool hand = seat >= 0 && s->match.stage == MATCH_PLAYING;
    struct say *say = effect_say(st->fx, hand ? SAY_MOVES : SAY_INVITES, TO_ASKER);
    if (hand) {
        say->seat = (int8_t)seat;
        say->table = step_table(st, s, seat);
        return TAKEN;
    }
    struct session *model = arena_new(st->fx->arena, struct session);
    *model = (struct session){.players = 2, .clock_ms = CLOCK_MS, .rules = st->w->presets[0]};
    lobby_player(st, &model->player[0]);
    lobby_player(st, &model->player[1]);
    lobby_sit(&model->player[0], st->w->handle, &st->e->from); /* who is found by it again */
    const struct rules *wanted = step_preset(st->w, text_fold(st->fx->arena, st->e->words));
    say->rules = wanted ? wanted : step_usual_rules(st->w); /* the first */
    say->table = step_table(st, model, SEAT_PUBLIC);
    return TAKEN;
}
