/* Inline mode: what players can post in chats that the bot is not in, and the challenges made
 * there. */
#include "lobby.h"

#include "rules_option.h"
#include "options.h"

static const struct rules *preset_of(const struct world *w, int64_t hash)
{
    for (int i = 0; i < w->bot->n_presets; i++)
        if ((int64_t)(str_hash(str_of(w->bot->presets[i].name)) & UINT32_MAX) == hash)
            return &w->bot->presets[i];
    return NULL;
}

/* Takes the rules over if they fit together, can be played by two and fit into a button. */
static void take_if_good(struct step *st, struct rules *r, const struct rules *next)
{
    int64_t packed;
    const struct rules *preset = step_preset(st->w, str_of(next->name));
    if (value_rounds_ok(next) && !rules_check(next) && preset &&
        rules_option_pack(next, preset, &packed))
        *r = *next;
}

static void take_rounds(struct step *st, struct rules *r, int64_t rounds)
{
    struct rules next = *r;
    next.rounds = (uint8_t)rounds;
    take_if_good(st, r, &next);
}

/* "koikoi_limit=2": any rule option, as behind /challenge. */
static void take_option(struct step *st, struct rules *r, struct str word)
{
    char list[RULES_ALLOWED_SIZE];
    struct buf allowed = BUF(list);
    struct rules next = *r;
    struct str value, name = str_cut(word, '=', &value);
    if (name.n < word.n && rules_option_set(&next, name, value, &allowed) == RULES_OPTION_OK)
        take_if_good(st, r, &next);
}

static void begin_invited(struct step *st, const struct rules *rules)
{
    struct session *s = arena_new(st->fx->arena, struct session);
    s->rules = *rules;
    s->time.move_ms = CLOCK_MS;
    s->players = 2;
    for (int i = 0; i < MAX_PLAYERS; i++)
        lobby_player(st, &s->player[i]);
    lobby_sit(&s->player[0], st->w->mention[0].person, &st->e->mention[0]);
    lobby_agree(st, &s->player[0]);
    if (st->w->me.person != st->w->mention[0].person)
        lobby_sit(&s->player[1], st->w->me.person, &st->e->from);
    lobby_venue(st, &s->venue[0]);
    lobby_begin(st, s);
    lobby_offer(st, step_change(st, s), -1);
}

/* The rule set of which this is the name, else the only one whose name begins so. */
static const struct rules *preset_begun(const struct world *w, struct str word)
{
    const struct rules *found = step_preset(w, word);
    int n = 0;
    for (int i = 0; !found && i < w->bot->n_presets; i++)
        n += str_starts(str_of(w->bot->presets[i].name), word);
    for (int i = 0; n == 1 && i < w->bot->n_presets; i++)
        if (str_starts(str_of(w->bot->presets[i].name), word))
            found = &w->bot->presets[i];
    return found;
}

/* What was typed behind the bot's name, "standard 3 yaku.tsukimi=0": a rule set, a number of rounds
 * and rule options, in any order; other words, and what the rule set cannot be, change nothing. */
static struct rules wanted_rules(struct step *st)
{
    const struct rules *preset = NULL;
    int64_t rounds = 0;
    for (struct str rest = text_fold(st->fx->arena, st->e->words), word = str_word(&rest);
         word.n > 0; word = str_word(&rest))
        if (!value_number(word, 1, MAX_ROUNDS, &rounds) && !preset)
            preset = preset_begun(st->w, word);
    struct rules r = preset ? *preset : *step_usual_rules(st->w);
    if (rounds)
        take_rounds(st, &r, rounds);
    for (struct str rest = text_fold(st->fx->arena, st->e->words), word = str_word(&rest);
         word.n > 0; word = str_word(&rest))
        take_option(st, &r, word);
    return r;
}

/* A posted challenge is made when the network reports it, or at the first press of its button,
 * whichever comes first. From then on it is sealed, and accepted like any other. */
enum verdict lobby_invite(struct step *st)
{
    const struct world *w = st->w;
    const struct rules *rules = preset_of(w, st->e->version);
    bool own = w->me.person == w->mention[0].person;
    int64_t packed = 0;
    if (w->here.n > 0 && w->here.at[0]->phase == SESSION_OFFERED)
        return st->e->press.n > 0 ? lobby_accept(st, w->here.at[0]) : IGNORED;
    if (w->here.n > 0)
        return lobby_not_open(st, w->here.at[0]);
    if (w->last || !rules || w->mention[0].person == 0)
        return notice_refuse(st, T_OFFER_GONE, ARGS(arg_command(VERB_CHALLENGE)));
    if (!lobby_room(st))
        return REFUSED;
    struct rules chosen = *rules, wanted;
    if (str_int(st->e->words, &packed) && rules_option_unpack(packed, rules, &wanted))
        take_if_good(st, &chosen, &wanted);
    begin_invited(st, &chosen);
    if (!own && st->e->press.n > 0)
        notice_answer(st, T_SEALED_NOW, NO_ARGS);
    return TAKEN;
}

/* The moves of the match that was asked for, else the challenges to choose from. */
enum verdict lobby_query(struct step *st)
{
    const struct session *s = st->w->named;
    int seat = s && s->phase == SESSION_PLAYING ? session_seat(s, st->w->me.person) : -1;
    bool hand = seat >= 0 && s->match.stage == MATCH_PLAYING;
    struct notice *notice = effect_notice(st->fx, hand ? NOTICE_MOVES : NOTICE_INVITES, TO_ASKER);
    if (hand) {
        notice->seat = (int8_t)seat;
        notice->table = step_table(st, s, seat);
        return TAKEN;
    }
    struct session *model = arena_new(st->fx->arena, struct session);
    *model =
        (struct session){.players = 2, .time.move_ms = CLOCK_MS, .rules = st->w->bot->presets[0]};
    lobby_player(st, &model->player[0]);
    lobby_player(st, &model->player[1]);
    lobby_sit(&model->player[0], st->w->me.handle,
              &st->e->from); /* INVITE finds the challenger by it */
    struct rules *first = arena_new(st->fx->arena, struct rules);
    *first = wanted_rules(st);
    notice->rules = first;
    notice->table = step_table(st, model, SEAT_PUBLIC);
    return TAKEN;
}
