/* /tutorial: shows the lesson where a person is, judges an answer, remembers the place. Only a
 * right answer changes anything. And the start menu that /start opens in a private chat: a press of
 * one of its buttons; Learn and Language are the buttons of their commands. */
#include "choice.h"
#include "lesson.h"
#include "lobby.h"

/* So long after a lesson a bare number is still an answer to it. */
#define LESSON_MS (30 * MINUTE_MS)

/* ---- the start menu ---- */

enum verdict tutorial_menu(struct step *st)
{
    switch (st->e->index) {
    case MENU_HERE:
        return lobby_here(st);
    case MENU_COMPUTER:
        return lobby_first(st, STR("computer"), false);
    case MENU_MEI:
        return lobby_first(st, STR("mei"), false);
    case MENU_CODE:
        return lobby_first(st, STR("code"), false);
    case MENU_FRIEND:
        effect_notice(st->fx, NOTICE_FRIEND, TO_ASKER);
        return TAKEN;
    case MENU_GROUP:
        return answer(st, T_DOOR_ADD_HOW, arg_command(VERB_CHALLENGE));
    default:
        notice_hello(st);
        return TAKEN;
    }
}

/* ---- lessons ---- */

/* The position as a table: the learner at seat 0, the computer at seat 1; by the preset `standard`,
 * else by the usual rules. Returns NULL if they do not allow the lesson. */
static struct table *table_of_lesson(struct step *st, int place, bool answered)
{
    const struct rules *standard = step_preset(st->w, STR("standard"));
    struct session *s = arena_new(st->fx->arena, struct session);
    s->phase = SESSION_PLAYING;
    s->players = 2;
    s->player[0].joined = s->player[1].joined = s->player[1].computer = true;
    lesson_rules(standard ? standard : step_usual_rules(st->w), &s->rules);
    s->version = (uint32_t)place;
    return lesson_position(step_ruleset(st, s), place, answered, &s->match) ? step_table(st, s, 0)
                                                                            : NULL;
}

static enum verdict show(struct step *st, int place, const struct table *answered, bool anew)
{
    const struct table **after = arena_array(st->fx->arena, const struct table *, 1);
    bool over = place > LESSON_PLACES;
    const struct table *table = table_of_lesson(st, over ? LESSON_PLACES : place, over);
    if (!table)
        return query_rules(st, NULL);
    struct person_prefs *prefs = step_prefs(st);
    prefs->lesson = (uint8_t)place;
    prefs->lesson_shown = st->e->now;
    if (anew)
        step_close_own(st, NOTICE_LESSON, prefs->lesson_message);
    prefs->lesson_message = (uint16_t)(prefs->lesson_message + anew);
    struct notice *notice = effect_notice(st->fx, NOTICE_LESSON, TO_ASKER);
    notice->n = place;
    notice->table = table;
    notice->fresh = anew;
    after[0] = answered;
    notice->games = (struct tables){answered != NULL, after};
    return TAKEN;
}

/* number: of the answers, from 1. */
static enum verdict answer_lesson(struct step *st, int place, int64_t number)
{
    const struct table *table = table_of_lesson(st, place, false);
    uint8_t option[MAX_MOVES];
    if (!table)
        return query_rules(st, NULL);
    int n = choice_options(table->view.legal, table->view.n_legal, option);
    if (number < 1 || number > n)
        return refuse(st, T_LESSON_NUMBERS, arg_int(n));
    if (!lesson_is_answer(place, &table->view.legal[option[number - 1]])) {
        struct notice *notice = effect_notice(st->fx, NOTICE_LESSON_REFUSAL, TO_ASKER);
        notice->n = place;
        notice->arg[0] = arg_int(option[number - 1]);
        notice->table = table;
        return REFUSED;
    }
    return show(st, place + 1, table_of_lesson(st, place, true),
                !st->e->pressed || place == LESSON_PLACES);
}

enum verdict tutorial_command(struct step *st)
{
    int place = st->w->me.prefs.lesson;
    int64_t typed, index = st->e->pressed ? st->e->index : 0;
    if (st->w->me.person == 0)
        return query_rules(st, NULL);
    if (!step_reaches_alone(st)) /* they are for one person alone */
        return refuse(st, T_LESSON_PRIVATE, arg_command(VERB_TUTORIAL));
    if (!st->e->pressed && str_int(str_trim(st->e->words), &typed))
        index = typed == 0 ? LESSON_AGAIN : typed;
    if (place < 1 || place > LESSON_OVER || index == LESSON_AGAIN)
        return show(st, 1, NULL, true);
    if (index > 0 && st->e->pressed && st->e->version != place) /* of an older message */
        return show(st, place, NULL, true);
    return index > 0 && place <= LESSON_PLACES ? answer_lesson(st, place, index)
                                               : show(st, place, NULL, true);
}

/* True if one of these matches has asked the sender for a move, or shown their hand, since that
 * time. */
static bool asked_since(const struct step *st, const struct session_list *list, int64_t time)
{
    for (int i = 0; i < list->n; i++) {
        const struct session *s = list->at[i];
        int turn = session_turn(s);
        if (turn >= 0 && turn == step_seat(st, s) &&
            (s->moved >= time || s->player[turn].hand_at >= time))
            return true;
    }
    return false;
}

/* A number answers what was asked last: the lesson, or a match that waits for the sender's move. */
enum verdict tutorial_number(struct step *st, const struct session *s)
{
    const struct person_prefs *prefs = &st->w->me.prefs;
    bool in_lesson = st->e->direct && st->e->no == 0 && prefs->lesson >= 1 &&
                     prefs->lesson <= LESSON_PLACES &&
                     st->e->now < prefs->lesson_shown + LESSON_MS &&
                     !asked_since(st, &st->w->here, prefs->lesson_shown) &&
                     !asked_since(st, &st->w->mine, prefs->lesson_shown);
    int64_t number;
    if (in_lesson && str_int(str_trim(st->e->words), &number))
        return answer_lesson(st, prefs->lesson, number);
    if (s)
        return play_cards(st, s);
    return st->fits.n > 1 ? step_which_match(st) : step_no_match(st);
}

/* ---- tips ----
 *
 * In a match against the computer the first capture, set, koi-koi and doubling of a person are
 * explained to them once, under their hand. A tip stands until their next move. */

/* True if the match has changed by this event, and is no new one. */
static bool goes_on(const struct step *st, const struct session *s)
{
    const struct session *before = step_before(st, s);
    return before && before->version != s->version;
}

/* True if a win of this pile, stopped now, would be multiplied. */
static bool is_multiplied(const struct ruleset *g, const struct round *r, int seat)
{
    struct score score;
    struct round_result pay;
    struct calls calls = {.players = r->players, .table_brights = r->table_brights};
    memcpy(calls.koikoi, r->koikoi, sizeof calls.koikoi);
    score_pile(g, r->taken[seat], r->koikoi[seat] > 0, &score);
    score_pay(g, &calls, seat, &score, true, &pay);
    return pay.points > score.base;
}

/* Adds what happened to the sender for the first time, if a match went on. */
void tip_add(struct step *st)
{
    struct effects *fx = st->fx;
    for (int i = 0; i < fx->n_saves; i++) {
        struct session *s = fx->save[i];
        const struct person_prefs *prefs = fx->prefs ? fx->prefs : &st->w->me.prefs;
        int seat = step_seat(st, s);
        unsigned tips = 0;
        if (seat < 0 || !session_with_computer(s) || !goes_on(st, s))
            continue;
        if (!st->w->chat.settings.tips_off && s->phase == SESSION_PLAYING &&
            s->match.stage == MATCH_PLAYING) {
            const struct round *r = &s->match.round;
            bool decides = r->phase == PHASE_DECIDE && r->turn == seat, called = false;
            for (int k = 0; k < r->players; k++)
                called |= r->koikoi[k] > 0;
            bool doubled = decides && is_multiplied(step_ruleset(st, s), r, seat);
            tips = ((r->taken[seat] != 0) << TIP_CAPTURE | decides << TIP_YAKU |
                    called << TIP_KOIKOI | doubled << TIP_DOUBLING) &
                   ~(unsigned)prefs->tips;
        }
        s->player[seat].tips = (uint8_t)tips;
        for (int t = 0; t < fx->n_tables; t++)
            if (str_is(fx->table[t]->match_id, str_of(s->id)))
                fx->table[t]->player[seat].tips = (uint8_t)tips;
        if (tips)
            step_prefs(st)->tips |= (uint8_t)tips;
    }
}
