/* What a newcomer meets: the door that /start opens, the lessons of /tutorial, and what the rule
 * sets do differently, at their end. */
#include "present_bodies.h"

#include "character.h"
#include "lesson.h"
#include "review.h"
#include "tutorial.h"

/* ---- the door ---- */

/* How to play a friend; at a screen there is no group to add the bot to. */
static struct str friend_how(const struct body *body)
{
    return TX(body, body_can(body, CAN_NUMBER) ? T_DOOR_FRIEND_HERE : T_DOOR_FRIEND_HOW,
              body_command_in_group(body, VERB_CHALLENGE));
}

void present_door(struct body *body)
{
    static const struct {
        enum text label;
        enum verb verb;
        int index;
    } rows[] = {
        {T_BUTTON_COMPUTER, VERB_DOOR, DOOR_COMPUTER},
        {T_BUTTON_FRIEND, VERB_DOOR, DOOR_FRIEND},
        {T_BUTTON_LEARN, VERB_TUTORIAL, 0},
        {T_BUTTON_ADD, VERB_DOOR, DOOR_GROUP},
        {T_BUTTON_LANGUAGE, VERB_LANGUAGE, 0},
    };
    body_line(body, TX0(body, T_DOOR));
    if (!body_can(body, CAN_BUTTONS)) {
        body_line(body, TX(body, T_DOOR_COMPUTER_HOW, body_command(body, VERB_CHALLENGE)));
        body_line(body, friend_how(body));
        body_line(body, TX(body, T_DOOR_LEARN_HOW, body_command(body, VERB_TUTORIAL)));
        body_line(body, TX(body, T_DOOR_ADD_HOW, body_command_in_group(body, VERB_CHALLENGE)));
        body_line(body, TX(body, T_DOOR_LANGUAGE_HOW, body_command(body, VERB_LANGUAGE)));
    }
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        bool adds = rows[i].verb == VERB_DOOR && rows[i].index == DOOR_GROUP;
        if (adds && body_can(body, CAN_NUMBER))
            continue;
        body_button(body, TX0(body, rows[i].label), rows[i].verb, rows[i].index,
                    adds && body_can(body, CAN_ADD) ? BUTTON_ADD : BUTTON_PLAIN);
        body_row(body);
    }
    body_line(body, TX(body, T_DOOR_HELP, body_command(body, VERB_HELP)));
}

void present_friend(struct body *body)
{
    body_line(body, friend_how(body));
    body_button(body, TX0(body, T_BUTTON_CODE), VERB_DOOR, DOOR_CODE, BUTTON_PLAIN);
}

void present_languages(struct body *body)
{
    enum { IN_A_ROW = 3 };
    const struct languages *all = body->w->languages;
    body_line(body, TX(body, T_LANGUAGES, body->notice->text, body_command(body, VERB_LANGUAGE)));
    for (int i = 0; i < all->n; i++) {
        if (i > 0 && i % IN_A_ROW == 0)
            body_row(body);
        body_button(body, all->at[i]->title, VERB_LANGUAGE, i + 1, BUTTON_PLAIN);
    }
}

/* ---- tips ---- */

void present_tips(struct body *body)
{
    const struct table *t = body->table;
    unsigned tips = t->view.seat >= 0 ? t->player[t->view.seat].tips : 0;
    const struct str stop = body->words->word[WORD_STOP], koikoi = body->words->word[WORD_KOIKOI];
    if (tips >> TIP_CAPTURE & 1)
        body_line(body, TX(body, T_TIP_CAPTURE, body_command(body, VERB_YAKU)));
    if (tips >> TIP_YAKU & 1)
        body_line(body, TX(body, T_TIP_YAKU, stop, koikoi));
    if (tips >> TIP_KOIKOI & 1)
        body_line(body, TX(body, T_TIP_KOIKOI, koikoi));
    if (tips >> TIP_DOUBLING & 1)
        body_line(body, TX(body, T_TIP_DOUBLING, body_command(body, VERB_RULES)));
}

/* ---- sentences of lessons ---- */

/* One word of a row, see struct lesson_question. */
static struct str lesson_arg(const struct body *body, struct str word)
{
    struct round_result pay = part_pay_of(body);
    for (int y = 0; y < N_YAKU; y++)
        if (str_is(word, str_of(yaku_key((enum yaku)y))))
            return body->words->yaku[y];
    switch (word.n == 1 ? word.p[0] : '\0') {
    case 's':
        return body->words->word[WORD_STOP];
    case 'k':
        return body->words->word[WORD_KOIKOI];
    case 'y':
        return body_yaku(body, &pay.score);
    case 'b':
        return body_int(body, pay.score.base);
    case 'x':
        return part_factors(body, pay.added, pay.x);
    case '$':
        return body_coins(body, pay.points);
    default:
        return body_label(body, card_read(word.p, word.n));
    }
}

static struct str lesson_text(const struct body *body, enum text key, const char *words)
{
    struct str args[MAX_ARGS], rest = str_of(words);
    int n = 0;
    for (struct str word = str_word(&rest); word.n > 0 && n < MAX_ARGS; word = str_word(&rest))
        args[n++] = lesson_arg(body, word);
    return body_text(body, key, 0, args, n);
}

/* ---- answers ---- */

void present_lesson_refusal(struct body *body)
{
    const struct lesson_question *q = lesson_question((int)body->notice->n);
    const struct view *v = &body->table->view;
    const struct move *m = &v->legal[body->notice->arg[0].n];
    if (m->kind != MOVE_PLAY || m->take) {
        body_line(body, lesson_text(body, q->refusal, q->refusal_words));
        return;
    }
    struct str wanted = {0};
    for (int i = 0; i < v->n_legal && wanted.n == 0; i++)
        if (lesson_is_answer((int)body->notice->n, &v->legal[i]))
            wanted = part_option_label(body, &v->legal[i]);
    body_line(body, TX(body, T_LESSON_LIES, body->words->month[card_month(m->card)],
                       body_label(body, m->card), wanted));
}

/* ---- a lesson ---- */

/* A set that the lesson is about, captures, field and hand. */
static void put_picture(struct body *body, const struct lesson *l)
{
    const struct view *v = &body->table->view;
    const struct str names[MAX_PLAYERS] = {body_unmarked(body, TX0(body, T_YOU)),
                                           body_computer(body, NO_CHARACTER)};
    struct layout layout;
    int need;
    if (!body_can(body, CAN_PICTURE))
        return;
    layout_open(&layout, v->rules.deck);
    if (l->shows_yaku) {
        layout_row(&layout, LAYOUT_YAKU);
        layout_cards(&layout, yaku_cards(&v->rules, l->yaku, &need));
        layout_text(&layout, body->words->yaku[l->yaku]);
        layout_text(&layout, body_int(body, v->rules.yaku[l->yaku]));
    }
    layout_piles(&layout, v, names);
    layout_table(&layout, v, (struct str){0});
    body_picture(body, &layout);
}

static void put_idea(struct body *body, int place)
{
    const struct lesson *l = lesson_at(place);
    int number = 1 + lesson_question(place)->lesson;
    body_line(body, TX(body, T_LESSON_HEAD, body_int(body, number), body_int(body, LESSONS),
                       TX0(body, l->title)));
    if (!lesson_begins(place) && body->notice->n_games > 0) /* it stood above the last answer */
        return;
    body_line(body, lesson_text(body, l->idea, l->idea_words));
    if (l->idea == T_LESSON_DOUBLE_IDEA)
        part_pay(body, &body->table->rules);
}

static void put_position(struct body *body)
{
    const struct view *v = &body->table->view;
    part_field(body);
    if (v->taken[0] | v->taken[1])
        part_captures(body);
    if (v->phase == PHASE_DRAW)
        body_line(body, TX(body, T_YOU_DREW, body_card(body, v->drawn)));
}

static void put_other_buttons(struct body *body, int place)
{
    enum { SETS_KNOWN = 4 };
    if (!body_can(body, CAN_BUTTONS))
        body_line(body, TX(body, T_LESSON_HOW, body_command(body, VERB_TUTORIAL)));
    if (place <= LESSON_PLACES && lesson_question(place)->lesson >= SETS_KNOWN)
        body_button(body, TX0(body, T_BUTTON_SETS), VERB_RULES, RULES_SETS, BUTTON_PLAIN);
    if (place > 1 && body->notice->fresh)
        body_button(body, TX0(body, T_BUTTON_LESSON_AGAIN), VERB_TUTORIAL, LESSON_AGAIN,
                    BUTTON_PLAIN);
}

/* ---- the end: what each rule set does differently ---- */

static void put_difference(struct body *body, const struct rules *r, const struct rules *learned)
{
    struct table *table = arena_new(body->a, struct table);
    struct str rounds = TN(body, T_ROUNDS, r->rounds, body_int(body, r->rounds));
    const struct words *words = words_for(body->t, str_of(r->words)), *before = body->words;
    table->rules = *r;
    body->table = table;
    body->words = words;
    body_line(body, TX(body, T_RULE_HEAD, str_of(r->name), rounds));
    if (strcmp(r->name, learned->name) == 0) {
        body_line(body, TX0(body, T_LESSON_LEARNED));
        return;
    }
    if (!str_is(words->word[WORD_BRIGHT], before->word[WORD_BRIGHT]))
        body_line(body, TX(body, T_LESSON_WORDS, words->word[WORD_BRIGHT], words->word[WORD_ANIMAL],
                           words->word[WORD_RIBBON], words->word[WORD_PLAIN]));
    if (!str_is(words->word[WORD_STOP], before->word[WORD_STOP]))
        body_line(body, TX(body, T_LESSON_STOP_WORD, words->word[WORD_STOP]));
    present_differences(body, r, learned);
}

static void put_end(struct body *body)
{
    const struct table *lesson = body->table;
    const struct words *words = body->words;
    const struct world *w = body->w;
    const struct rules *learned = &lesson->rules; /* changed for small deals, if it is no preset */
    for (int i = 0; i < w->n_presets; i++)
        if (strcmp(w->presets[i].name, learned->name) == 0)
            learned = &w->presets[i];
    body_line(body, TX0(body, T_LESSON_END));
    for (int i = 0; i < w->n_presets; i++) {
        put_difference(body, &w->presets[i], learned);
        body->words = words;
    }
    body->table = NULL;
    if (!body_can(body, CAN_BUTTONS))
        body_line(body, TX(body, T_DOOR_COMPUTER_HOW, body_command(body, VERB_CHALLENGE)));
    body_button(body, TX0(body, T_BUTTON_COMPUTER), VERB_DOOR, DOOR_COMPUTER, BUTTON_TAKE);
    body_button(body, TX0(body, T_BUTTON_FRIEND), VERB_DOOR, DOOR_FRIEND, BUTTON_PLAIN);
    body_row(body);
    for (int i = 0; i < w->n_presets; i++)
        body_button(body, str_of(w->presets[i].name), VERB_RULES,
                    RULES_TABLE + (i + 1) * N_RULES_PAGES, BUTTON_PLAIN);
    body_row(body);
    body_button(body, TX0(body, T_BUTTON_LESSON_AGAIN), VERB_TUTORIAL, LESSON_AGAIN, BUTTON_PLAIN);
    body->table = lesson;
}

void present_lesson(struct body *body)
{
    const struct notice *notice = body->notice;
    int place = (int)notice->n;
    if (notice->n_games > 0) {
        const struct lesson_question *q = lesson_question(place - 1);
        body->table = notice->games[0];
        body_line(body, lesson_text(body, q->done, q->done_words));
        body->table = notice->table;
    }
    if (place == LESSON_OVER) {
        put_end(body);
        return;
    }
    put_picture(body, lesson_at(place));
    put_idea(body, place);
    put_position(body);
    part_options(body, VERB_TUTORIAL);
    const struct lesson_question *q = lesson_question(place);
    body_line(body, lesson_text(body, q->ask, q->ask_words));
    put_other_buttons(body, place);
}
