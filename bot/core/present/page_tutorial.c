/* What a newcomer meets: the door that /start opens, the lessons of /tutorial, and what the rule
 * sets do differently, at their end. */
#include "page.h"
#include "part.h"

#include "character.h"
#include "lesson.h"
#include "review.h"
#include "tutorial.h"

/* ---- the door ---- */

/* How to play a friend; at a screen there is no group to add the bot to. */
static struct str friend_how(const struct draft *d)
{
    return TX(d, draft_can(d, CAN_NUMBER) ? T_DOOR_FRIEND_HERE : T_DOOR_FRIEND_HOW,
              draft_command_at(d, VERB_CHALLENGE, false));
}

void page_start_menu(struct draft *d)
{
    static const struct {
        enum text label;
        enum verb verb;
        int index;
    } rows[] = {
        {T_BUTTON_COMPUTER, VERB_START_MENU, MENU_COMPUTER},
        {T_BUTTON_FRIEND, VERB_START_MENU, MENU_FRIEND},
        {T_BUTTON_LEARN, VERB_TUTORIAL, 0},
        {T_BUTTON_ADD, VERB_START_MENU, MENU_GROUP},
        {T_BUTTON_LANGUAGE, VERB_LANGUAGE, 0},
    };
    SAY(d, T_DOOR);
    if (!draft_can(d, CAN_BUTTONS)) {
        SAY(d, T_DOOR_COMPUTER_HOW, draft_command(d, VERB_CHALLENGE));
        draft_line(d, friend_how(d));
        SAY(d, T_DOOR_LEARN_HOW, draft_command(d, VERB_TUTORIAL));
        SAY(d, T_DOOR_ADD_HOW, draft_command_at(d, VERB_CHALLENGE, false));
        SAY(d, T_DOOR_LANGUAGE_HOW, draft_command(d, VERB_LANGUAGE));
    }
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        bool adds = rows[i].verb == VERB_START_MENU && rows[i].index == MENU_GROUP;
        if (adds && draft_can(d, CAN_NUMBER))
            continue;
        draft_press(d, rows[i].label, rows[i].verb, rows[i].index,
                    adds && draft_can(d, CAN_ADD) ? BUTTON_ADD : BUTTON_PLAIN);
        draft_row(d);
    }
    SAY(d, T_DOOR_HELP, draft_command(d, VERB_HELP));
}

void page_friend(struct draft *d)
{
    draft_line(d, friend_how(d));
    draft_press(d, T_BUTTON_CODE, VERB_START_MENU, MENU_CODE, BUTTON_PLAIN);
}

void page_languages(struct draft *d)
{
    enum { IN_A_ROW = 3 };
    const struct languages *all = d->w->bot->languages;
    SAY(d, T_LANGUAGES, d->notice->text, draft_command(d, VERB_LANGUAGE));
    for (int i = 0; i < all->n; i++) {
        if (i > 0 && i % IN_A_ROW == 0)
            draft_row(d);
        draft_button(d, all->at[i]->title, VERB_LANGUAGE, i + 1, BUTTON_PLAIN);
    }
}

/* ---- tips ---- */

void page_tips(struct draft *d)
{
    const struct table *t = d->table;
    unsigned tips = t->view.seat >= 0 ? t->player[t->view.seat].tips : 0;
    const struct str stop = d->words->word[WORD_STOP], koikoi = d->words->word[WORD_KOIKOI];
    if (tips >> TIP_CAPTURE & 1)
        SAY(d, T_TIP_CAPTURE, draft_command(d, VERB_YAKU));
    if (tips >> TIP_YAKU & 1)
        SAY(d, T_TIP_YAKU, stop, koikoi);
    if (tips >> TIP_KOIKOI & 1)
        SAY(d, T_TIP_KOIKOI, koikoi);
    if (tips >> TIP_DOUBLING & 1)
        SAY(d, T_TIP_DOUBLING, draft_command(d, VERB_RULES));
}

/* ---- sentences of lessons ---- */

/* One word of a row, see struct lesson_question. */
static struct str lesson_arg(const struct draft *d, struct str word)
{
    struct round_result pay = part_pay_of(d);
    for (int y = 0; y < N_YAKU; y++)
        if (str_is(word, str_of(yaku_key((enum yaku)y))))
            return d->words->yaku[y];
    switch (word.n == 1 ? word.p[0] : '\0') {
    case 's':
        return d->words->word[WORD_STOP];
    case 'k':
        return d->words->word[WORD_KOIKOI];
    case 'y':
        return draft_yaku(d, pay.score.worth);
    case 'b':
        return draft_int(d, pay.score.base);
    case 'x':
        return part_factors(d, pay.added, pay.x);
    case '$':
        return draft_coins(d, pay.points);
    default:
        return draft_label(d, card_read(word.p, word.n));
    }
}

static struct str lesson_text(const struct draft *d, enum text key, const char *words)
{
    struct str args[MAX_ARGS], rest = str_of(words);
    int n = 0;
    for (struct str word = str_word(&rest); word.n > 0 && n < MAX_ARGS; word = str_word(&rest))
        args[n++] = lesson_arg(d, word);
    return draft_text(d, key, 0, args, n);
}

/* ---- answers ---- */

void page_lesson_refusal(struct draft *d)
{
    const struct lesson_question *q = lesson_question((int)d->notice->n);
    const struct view *v = &d->table->view;
    const struct move *m = &v->legal[d->notice->arg[0].n];
    if (m->kind != MOVE_PLAY || m->take) {
        draft_line(d, lesson_text(d, q->refusal, q->refusal_words));
        return;
    }
    struct str wanted = {0};
    for (int i = 0; i < v->n_legal && wanted.n == 0; i++)
        if (lesson_is_answer((int)d->notice->n, &v->legal[i]))
            wanted = part_option_label(d, &v->legal[i]);
    SAY(d, T_LESSON_LIES, d->words->month[card_month(m->card)], draft_label(d, m->card), wanted);
}

/* ---- a lesson ---- */

/* A set that the lesson is about, captures, field and hand. */
static void put_picture(struct draft *d, const struct lesson *l)
{
    const struct view *v = &d->table->view;
    const struct str names[MAX_PLAYERS] = {draft_unmarked(d, TX(d, T_YOU)),
                                           draft_computer(d, NO_CHARACTER)};
    struct layout layout;
    int need;
    if (!draft_can(d, CAN_PICTURE))
        return;
    layout_open(&layout, v->rules.deck);
    if (l->shows_yaku) {
        layout_row(&layout, LAYOUT_YAKU);
        layout_cards(&layout, yaku_cards(&v->rules, l->yaku, &need));
        layout_text(&layout, d->words->yaku[l->yaku]);
        layout_text(&layout, draft_int(d, v->rules.yaku[l->yaku]));
    }
    layout_piles(&layout, v, names);
    layout_table(&layout, v, (struct str){0});
    draft_picture(d, &layout);
}

static void put_idea(struct draft *d, int place)
{
    const struct lesson *l = lesson_at(place);
    int number = 1 + lesson_question(place)->lesson;
    SAY(d, T_LESSON_HEAD, draft_int(d, number), draft_int(d, LESSONS), TX(d, l->title));
    if (!lesson_begins(place) && d->notice->games.n > 0) /* it stood above the last answer */
        return;
    draft_line(d, lesson_text(d, l->idea, l->idea_words));
    if (l->idea == T_LESSON_DOUBLE_IDEA)
        part_pay(d, &d->table->rules);
}

static void put_position(struct draft *d)
{
    const struct view *v = &d->table->view;
    part_field(d);
    if (v->taken[0] | v->taken[1])
        part_captures(d);
    if (v->phase == PHASE_DRAW)
        SAY(d, T_YOU_DREW, draft_card(d, v->drawn));
}

static void put_other_buttons(struct draft *d, int place)
{
    enum { SETS_KNOWN = 4 };
    if (!draft_can(d, CAN_BUTTONS))
        SAY(d, T_LESSON_HOW, draft_command(d, VERB_TUTORIAL));
    if (place <= LESSON_PLACES && lesson_question(place)->lesson >= SETS_KNOWN)
        draft_press(d, T_BUTTON_SETS, VERB_RULES, RULES_SETS, BUTTON_PLAIN);
    if (place > 1 && d->notice->fresh)
        draft_press(d, T_BUTTON_LESSON_AGAIN, VERB_TUTORIAL, LESSON_AGAIN, BUTTON_PLAIN);
}

/* ---- the end: what each rule set does differently ---- */

static void put_difference(struct draft *d, const struct rules *r, const struct rules *learned)
{
    struct table *table = arena_new(d->a, struct table);
    struct str rounds = TN(d, T_ROUNDS, r->rounds, draft_int(d, r->rounds));
    const struct words *words = words_for(d->t, str_of(r->words)), *before = d->words;
    table->rules = *r;
    d->table = table;
    d->words = words;
    SAY(d, T_RULE_HEAD, str_of(r->name), rounds);
    if (strcmp(r->name, learned->name) == 0) {
        SAY(d, T_LESSON_LEARNED);
        return;
    }
    if (!str_is(words->word[WORD_BRIGHT], before->word[WORD_BRIGHT]))
        SAY(d, T_LESSON_WORDS, words->word[WORD_BRIGHT], words->word[WORD_ANIMAL],
            words->word[WORD_RIBBON], words->word[WORD_PLAIN]);
    if (!str_is(words->word[WORD_STOP], before->word[WORD_STOP]))
        SAY(d, T_LESSON_STOP_WORD, words->word[WORD_STOP]);
    page_differences(d, r, learned);
}

static void put_end(struct draft *d)
{
    const struct table *lesson = d->table;
    const struct words *words = d->words;
    const struct world *w = d->w;
    const struct rules *learned = &lesson->rules; /* changed for small deals, if it is no preset */
    for (int i = 0; i < w->bot->n_presets; i++)
        if (strcmp(w->bot->presets[i].name, learned->name) == 0)
            learned = &w->bot->presets[i];
    SAY(d, T_LESSON_END);
    for (int i = 0; i < w->bot->n_presets; i++) {
        put_difference(d, &w->bot->presets[i], learned);
        d->words = words;
    }
    d->table = NULL;
    if (!draft_can(d, CAN_BUTTONS))
        SAY(d, T_DOOR_COMPUTER_HOW, draft_command(d, VERB_CHALLENGE));
    draft_press(d, T_BUTTON_COMPUTER, VERB_START_MENU, MENU_COMPUTER, BUTTON_TAKE);
    draft_press(d, T_BUTTON_FRIEND, VERB_START_MENU, MENU_FRIEND, BUTTON_PLAIN);
    draft_row(d);
    for (int i = 0; i < w->bot->n_presets; i++)
        draft_button(d, str_of(w->bot->presets[i].name), VERB_RULES,
                     RULES_TABLE + (i + 1) * N_RULES_PAGES, BUTTON_PLAIN);
    draft_row(d);
    draft_press(d, T_BUTTON_LESSON_AGAIN, VERB_TUTORIAL, LESSON_AGAIN, BUTTON_PLAIN);
    d->table = lesson;
}

void page_lesson(struct draft *d)
{
    const struct notice *notice = d->notice;
    int place = (int)notice->n;
    if (notice->games.n > 0) {
        const struct lesson_question *q = lesson_question(place - 1);
        d->table = notice->games.at[0];
        draft_line(d, lesson_text(d, q->done, q->done_words));
        d->table = notice->table;
    }
    if (place == LESSON_OVER) {
        put_end(d);
        return;
    }
    put_picture(d, lesson_at(place));
    put_idea(d, place);
    put_position(d);
    part_options(d, VERB_TUTORIAL);
    const struct lesson_question *q = lesson_question(place);
    draft_line(d, lesson_text(d, q->ask, q->ask_words));
    put_other_buttons(d, place);
}
