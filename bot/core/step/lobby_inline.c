/* Inline mode: what players can post in chats that the bot is not in, and the challenges made
 * there. */
#include "lobby.h"
#include "rules_option.h"

/* Takes the rules over if they fit together, can be played by two and fit into a button. */
static void take_if_good(struct step *st, struct rules *r, const struct rules *wanted)
{
    int64_t packed;
    struct rules next = *wanted;
    const struct rules *preset = step_preset(st->w, str_of(next.name));
    if (preset && rules_option_pack(&next, preset, &packed) && value_rounds_ok(&next) &&
        !rules_check(&next))
        *r = next;
}

/* The rule set of which this is the name, else the only one whose name begins so. */
static const struct rules *preset_begun(const struct bot *bot, struct str word)
{
    const struct rules *found = NULL;
    int n = 0;
    for (int i = 0; i < bot->n_presets; i++) {
        struct str name = str_of(bot->presets[i].name);
        if (str_is(name, word))
            return &bot->presets[i];
        if (!str_starts(name, word))
            continue;
        found = &bot->presets[i];
        n++;
    }
    return n == 1 ? found : NULL;
}

/* A posted challenge is made when the network reports it, or at the first press of its button,
 * whichever comes first. From then on it is sealed, and accepted like any other. */
enum verdict lobby_invite(struct step *st)
{
    const struct world *w = st->w;
    const struct rules *preset = NULL;
    int64_t packed = 0;
    for (int i = 0; !preset && i < w->bot->n_presets; i++)
        if ((int64_t)(str_hash(str_of(w->bot->presets[i].name)) & UINT32_MAX) == st->e->version)
            preset = &w->bot->presets[i];
    if (w->here.n > 0 && w->here.at[0]->phase == SESSION_OFFERED)
        return st->e->press.n > 0 ? lobby_accept(st, w->here.at[0]) : IGNORED;
    if (w->here.n > 0)
        return lobby_not_open(st, w->here.at[0]);
    if (w->last || !preset || w->mention[0].person == 0)
        return refuse(st, T_OFFER_GONE, arg_command(VERB_CHALLENGE));
    if (!lobby_room(st))
        return REFUSED;
    struct rules wanted;
    struct session *s = arena_new(st->fx->arena, struct session);
    s->rules = *preset;
    if (str_int(st->e->words, &packed) && rules_option_unpack(packed, preset, &wanted))
        take_if_good(st, &s->rules, &wanted);
    s->time.move_ms = CLOCK_MS;
    s->players = 2;
    lobby_seats(st, s);
    lobby_sit(&s->player[0], w->mention[0].person, &st->e->mention[0]);
    s->player[0].joined = true;
    s->player[0].heard = st->e->now;
    bool own = w->me.person == w->mention[0].person;
    if (!own)
        lobby_sit(&s->player[1], w->me.person, &st->e->from);
    lobby_venue(st, &s->venue[0]);
    lobby_begin(st, s);
    lobby_offer(st, step_change(st, s), -1);
    if (!own && st->e->press.n > 0)
        answer(st, T_SEALED_NOW);
    return TAKEN;
}

/* The moves of the match that was asked for, else the challenges to choose from. What was typed
 * behind the bot's name, "standard 3 yaku.tsukimi=0", is a rule set, a number of rounds and any rule
 * option, as behind /challenge, in any order; other words, and what the rule set cannot be, change
 * nothing. */
enum verdict lobby_query(struct step *st)
{
    const struct session *s = st->w->named;
    int seat = s && s->phase == SESSION_PLAYING ? step_seat(st, s) : -1;
    if (seat >= 0 && s->match.stage == MATCH_PLAYING) {
        notice_show(st, NOTICE_MOVES, TO_ASKER, s, seat);
        return TAKEN;
    }
    const struct rules *preset = NULL;
    struct str folded = text_fold(st->fx->arena, step_options(st, st->e->words)), value;
    int64_t rounds = 0;
    for (struct str rest = folded, word = str_word(&rest); word.n > 0; word = str_word(&rest))
        if (!value_number(word, 1, MAX_ROUNDS, &rounds) && !preset)
            preset = preset_begun(st->w->bot, word);
    struct rules *first = arena_new(st->fx->arena, struct rules);
    *first = preset ? *preset : *step_usual_rules(st->w);
    struct rules next = *first;
    next.rounds =
        (uint8_t)(rounds ? rounds : step_usual_rounds(st->w, first, preset != NULL, false));
    if (next.rounds != first->rounds)
        take_if_good(st, first, &next);
    for (struct str rest = folded, word = str_word(&rest); word.n > 0; word = str_word(&rest)) {
        char list[RULES_ALLOWED_SIZE];
        struct buf allowed = BUF(list);
        struct str name = str_cut(word, '=', &value);
        next = *first;
        if (name.n < word.n && rules_option_set(&next, name, value, &allowed) == RULES_OPTION_OK)
            take_if_good(st, first, &next);
    }
    struct session *model = arena_new(st->fx->arena, struct session);
    model->players = 2;
    model->time.move_ms = CLOCK_MS;
    model->rules = st->w->bot->presets[0];
    lobby_seats(st, model);
    /* INVITE finds the challenger by it */
    lobby_sit(&model->player[0], st->w->me.handle, &st->e->from);
    notice_show(st, NOTICE_INVITES, TO_ASKER, model, SEAT_PUBLIC)->rules = first;
    return TAKEN;
}
