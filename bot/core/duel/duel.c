/* See duel.h. `/duel` and its buttons; the end of a day; a person's own result. */
#include "duel.h"

#include "character.h"
#include "lobby.h"
#include "play.h"

/* ---- what is shown ---- */

static struct notice *show(struct step *st, enum duel_page page, enum audience to,
                           const struct duel_facts *f)
{
    struct notice *notice = effect_notice(st->fx, NOTICE_DUEL, to);
    notice->n = page;
    notice->duel = f;
    notice->rules = &f->rules; /* whose words are used */
    return notice;
}

/* The post of a day, in its chat. */
static struct notice *post(struct step *st, enum duel_page page, const struct duel_facts *f)
{
    struct notice *notice = show(st, page, TO_CHATS, f);
    notice->chats = (struct chats){.n = 1, .at = &f->at};
    return notice;
}

/* ---- a try ---- */

/* The computer's usual character for all, so that all meet the same one. */
static void sit_down(struct step *st, struct session *s, const struct tournament_seat *seat)
{
    int mei = character_find(st->w->bot->languages, st->fx->arena, STR("mei"));
    lobby_seats(st, s);
    s->players = 2;
    s->venue[0] = seat->venue;
    s->player[0] = seat->player;
    s->player[0].lot = CARD_NONE;
    s->player[0].joined = true;
    s->player[0].heard = st->e->now;
    s->player[0].channel = (uint8_t)channel_best(seat->can);
    s->player[1].computer = s->player[1].joined = s->player[1].ready = true;
    s->player[1].character = (uint8_t)mei;
    s->player[1].level = characters[mei].level;
}

static enum verdict begin(struct step *st, const struct duel_facts *f)
{
    enum { ID_DIGITS = 11 };
    if (notice_closed(st))
        return REFUSED;
    if (!f->seat)
        return refuse(st, T_DUEL_PRIVATE);
    if (st->w->mine.n >= MAX_LIVE_MINE)
        return refuse(st, T_TOO_MANY_YOURS, arg_int(MAX_LIVE_MINE), arg_command(VERB_GAMES));
    struct session *s = arena_new(st->fx->arena, struct session);
    char commit[SEED_HEX_SIZE];
    s->rules = f->rules;
    chance_hex(&f->seed, s->duel);
    chance_commit(&f->seed, commit);
    sit_down(st, s, f->seat);
    lobby_begin(st, s);
    NAME_PUT(s->id, arena_print(st->fx->arena, "duel%.*s", ID_DIGITS, commit));
    s = step_change(st, s);
    play_start(st, s);
    st->fx->duel = STEP_NEW(st, struct duel_effects, .begins = true);
    struct duel_facts *joined = arena_new(st->fx->arena, struct duel_facts);
    struct duel_try *tries = arena_array(st->fx->arena, struct duel_try, (size_t)f->n + 1);
    *joined = *f;
    for (int i = 0; i < f->n; i++)
        tries[i] = f->at_try[i];
    tries[joined->n++] = (struct duel_try){.person = st->w->me.person, .name = st->e->from.name};
    joined->at_try = tries;
    post(st, DUEL_INVITES, joined);
    return st->e->direct ? TAKEN : answer(st, T_DUEL_BEGUN);
}

void duel_outcome(const struct session *s, struct duel_try *ret)
{
    int own = s->player[0].computer ? 1 : 0;
    ret->state = s->end != END_PLAYED          ? DUEL_UNFINISHED
                 : s->match.why == MATCH_LEAVE ? DUEL_GAVE_UP
                                               : DUEL_PLAYED;
    ret->points = s->match.players ? s->match.scores[own] - s->match.scores[1 - own] : 0;
}

/* ---- the command ---- */

static bool has_played(const struct duel_facts *f)
{
    return f->own && f->own->state != DUEL_PLAYING;
}

/* Typed, it shows the day's post; to one who has played, in private, the table. */
enum verdict duel_command(struct step *st)
{
    const struct event *e = st->e;
    const struct duel_facts *f = st->w->duel;
    bool plays = e->pressed ? e->index == DUEL_BUTTON_PLAY
                            : step_keyword(st, str_trim(e->words)) == KEYWORD_START;
    if (!e->pressed && !plays && str_trim(e->words).n > 0)
        return refuse(st, T_DUEL_WORDS, arg_command(VERB_DUEL), arg_command(VERB_CHALLENGE));
    if (f && f->day == 0 && f->ends > 0)
        return refuse(st, T_DUEL_SOON, arg_time(f->ends));
    if (!f || f->day == 0)
        return refuse(st, T_DUEL_OFF, arg_command(VERB_SETTINGS));
    if (e->pressed && e->version != f->day)
        return refuse(st, T_DUEL_PAST, arg_command(VERB_DUEL));
    if (plays && !f->own)
        return begin(st, f);
    if (plays)
        return refuse(st, T_DUEL_ONCE, arg_int(f->own->session), arg_time(f->ends));
    if (has_played(f) && (e->pressed || e->direct)) {
        show(st, DUEL_SO_FAR, TO_ASKER, f);
        return TAKEN;
    }
    if (e->pressed)
        return refuse(st, T_DUEL_HIDDEN, arg_time(f->ends));
    if (st->w->chat.id == f->chat)
        post(st, DUEL_INVITES, f)->fresh = true;
    else
        show(st, DUEL_INVITES, TO_ASKER, f);
    return TAKEN;
}

/* ---- the day ends, and the next one begins ---- */

/* Those of the chat, for two people, in few rounds; the person deals first. */
static struct rules rules_of_day(const struct world *w)
{
    struct rules r = *step_usual_rules(w);
    for (int i = 0; i < w->bot->n_presets && !(r.players_allowed >> 2 & 1); i++)
        r = w->bot->presets[i];
    r.rounds = FEW_ROUNDS;
    (void)value_rounds_ok(&r);
    r.first_dealer = FIRST_CHALLENGER;
    return r;
}

/* Ends the try that still runs, in this event and without a result. */
static void close_try(struct step *st, const struct session *was)
{
    struct session *s = step_save(st, was);
    timer_close(s, END_ABANDONED);
    s->version++;
    step_quiet(st, s);
    announce(st, s, 0, T_DUEL_CLOSED)->seals = true;
}

enum verdict duel_due(struct step *st)
{
    const struct duel_facts *f = st->w->duel;
    if (st->w->named && st->w->named->phase == SESSION_PLAYING) {
        close_try(st, st->w->named);
        return TAKEN;
    }
    struct duel_effects *fx = STEP_NEW(st, struct duel_effects, .over = f->day > 0);
    st->fx->duel = fx;
    if (f->day) {
        post(st, DUEL_CLOSED, f);
        if (f->n > 0)
            post(st, DUEL_OVER, f)->fresh = true;
    }
    if (!f->opens)
        return TAKEN;
    struct duel_facts *next =
        STEP_NEW(st, struct duel_facts, .chat = f->chat, .at = f->at, .shared = f->shared,
                 .day = f->opens, .ends = f->opens_ends, .rules = rules_of_day(st->w));
    memcpy(next->seed.at, st->e->chance + CHANCE_LOTS, sizeof next->seed.at);
    fx->opened = next;
    struct notice *notice = post(st, DUEL_INVITES, next);
    notice->fresh = notice->notify = true;
    return TAKEN;
}

enum verdict duel_result(struct step *st)
{
    show(st, DUEL_SO_FAR, TO_HERE, st->w->duel);
    return TAKEN;
}
