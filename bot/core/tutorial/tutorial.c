/* /tutorial: shows the lesson where a person is, judges an answer, remembers the place. Only a
 * right answer changes anything. */
#include "lesson.h"
#include "turn.h"
#include "tutorial.h"

/* So long after a lesson a bare number is still an answer to it. */
#define LESSON_MS (30 * MINUTE_MS)

/* The rules of the lessons: the preset `standard`, else the usual one. */
static const struct ruleset *ruleset_of_lessons(struct step *st)
{
    const struct rules *standard = step_preset(st->w, STR("standard"));
    struct rules r;
    lesson_rules(standard ? standard : step_usual_rules(st->w), &r);
    return ruleset_cache_get(st->w->bot->rulesets, &r);
}

/* The position as a table: the learner at seat 0, the computer at seat 1. Returns NULL if the rules
 * do not allow the lesson. */
static struct table *table_of_lesson(struct step *st, int place, bool answered)
{
    const struct ruleset *g = ruleset_of_lessons(st);
    struct session *s = arena_new(st->fx->arena, struct session);
    s->phase = SESSION_PLAYING;
    s->players = 2;
    s->player[0].joined = s->player[1].joined = s->player[1].computer = true;
    s->rules = g->rules;
    s->version = (uint32_t)place;
    return lesson_position(g, place, answered, &s->match) ? step_table(st, s, 0) : NULL;
}

static enum verdict show(struct step *st, int place, const struct table *answered, bool anew)
{
    const struct table **after = arena_array(st->fx->arena, const struct table *, 1);
    const struct table *table =
        table_of_lesson(st, place <= LESSON_PLACES ? place : LESSON_PLACES, place > LESSON_PLACES);
    if (!table)
        return query_rules(st, NULL);
    struct person_prefs *prefs = step_prefs(st);
    prefs->lesson = (uint8_t)place;
    prefs->lesson_shown = st->e->now;
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
    int n = lesson_options(table->view.legal, table->view.n_legal, option);
    if (number < 1 || number > n)
        return notice_refuse(st, T_LESSON_NUMBERS, ARGS(arg_int(n)));
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

/* The lessons are for one person alone, and no message here reaches this one. */
static bool needs_private_chat(const struct step *st)
{
    bool whispers = (st->w->chat.can & (CAN_WHISPER | CAN_ONE_POST)) == CAN_WHISPER;
    return !st->e->direct && !st->w->me.reachable && !whispers;
}

enum verdict tutorial_command(struct step *st)
{
    int place = st->w->me.prefs.lesson;
    int64_t typed, index = st->e->pressed ? st->e->index : 0;
    if (st->w->me.person == 0)
        return query_rules(st, NULL);
    if (needs_private_chat(st))
        return notice_refuse(st, T_LESSON_PRIVATE, ARGS(arg_command(VERB_TUTORIAL)));
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
static bool asked_since(const struct step *st, const struct session *const *at, int n, int64_t time)
{
    for (int i = 0; i < n; i++) {
        int turn = session_turn(at[i]), seat = session_seat(at[i], st->w->me.person);
        if (turn >= 0 && turn == seat &&
            (at[i]->moved >= time || at[i]->player[seat].hand_at >= time))
            return true;
    }
    return false;
}

/* A number answers what was asked last: the lesson, or a match that waits for the sender's move. */
enum verdict tutorial_number(struct step *st, const struct session *s)
{
    const struct world *w = st->w;
    const struct person_prefs *prefs = &w->me.prefs;
    bool in_lesson = st->e->direct && st->e->no == 0 && prefs->lesson >= 1 &&
                     prefs->lesson <= LESSON_PLACES &&
                     st->e->now < prefs->lesson_shown + LESSON_MS &&
                     !asked_since(st, w->here.at, w->here.n, prefs->lesson_shown) &&
                     !asked_since(st, w->mine.at, w->mine.n, prefs->lesson_shown);
    int64_t number;
    if (in_lesson && str_int(str_trim(st->e->words), &number))
        return answer_lesson(st, prefs->lesson, number);
    if (s)
        return play_cards(st, s);
    return st->many ? step_which_match(st) : step_no_match(st);
}
