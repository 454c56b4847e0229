/* What a newcomer meets: the start menu, the lessons of /tutorial, tips under the hand. */
#include "page.h"

#include "lesson.h"
#include "review.h"

/* ---- the start menu ---- */

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
    draft_name_own(d, -1);
}

void page_welcome(struct draft *d)
{
    if (!draft_can(d, CAN_BUTTONS))
        SAY(d, T_HELLO, draft_command_at(d, VERB_CHALLENGE, false), draft_command(d, VERB_HELP),
            draft_command(d, VERB_RULES));
    else
        SAY(d, T_WELCOME);
    part_doors(d);
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

/* ---- sentences of lessons ---- */

/* One word of a row, see struct lesson_question. */
static struct str lesson_arg(const struct draft *d, struct str word)
{
    const struct round_result *pay = &draft_scene(d)->stop;
    for (int y = 0; y < N_YAKU; y++)
        if (str_is(word, str_of(yaku_key((enum yaku)y))))
            return d->words->yaku[y];
    char c = word.n == 1 ? word.p[0] : '\0';
    return c == 's'   ? d->words->word[WORD_STOP]
           : c == 'k' ? d->words->word[WORD_KOIKOI]
           : c == 'y' ? draft_yaku(d, pay->score.worth)
           : c == 'b' ? draft_int(d, pay->score.base)
           : c == 'x' ? part_factors(d, pay->added, pay->x)
           : c == '$' ? draft_coins(d, pay->points)
                      : draft_label(d, card_read(word.p, word.n));
}

static void put_lesson_line(struct draft *d, enum text key, const char *words)
{
    struct str args[MAX_ARGS], rest = str_of(words);
    int n = 0;
    for (struct str word = str_word(&rest); word.n > 0 && n < MAX_ARGS; word = str_word(&rest))
        args[n++] = lesson_arg(d, word);
    draft_line(d, draft_text(d, key, 0, args, n));
}

/* ---- answers ---- */

void page_lesson_refusal(struct draft *d)
{
    int place = (int)d->notice->n;
    const struct lesson_question *q = lesson_question(place);
    const struct move *m = &d->table->view.legal[d->notice->arg[0].n];
    const struct scene *s = draft_scene(d);
    struct str wanted = {0};
    if (m->kind != MOVE_PLAY || m->take) {
        put_lesson_line(d, q->refusal, q->refusal_words);
        return;
    }
    for (int i = 0; i < s->n_moves && wanted.n == 0; i++)
        if (lesson_is_answer(place, &s->move[i].move))
            wanted = part_option_label(d, &s->move[i]);
    SAY(d, T_LESSON_LIES, d->words->month[card_month(m->card)], draft_label(d, m->card), wanted);
}

/* ---- a lesson ---- */

/* A set that the lesson is about, captures, field and hand. */
static void put_picture(struct draft *d, const struct lesson *l)
{
    const struct rules *r = &d->table->view.rules;
    const struct str names[MAX_PLAYERS] = {draft_unmarked(d, TX(d, T_YOU)),
                                           draft_computer(d, NO_CHARACTER)};
    struct layout layout;
    int need;
    if (!draft_can(d, CAN_PICTURE))
        return;
    layout_open(&layout, r->deck);
    if (l->shows_yaku) {
        part_layout_line(&layout, LAYOUT_YAKU, d->words->yaku[l->yaku],
                         draft_int(d, r->yaku[l->yaku]));
        layout_cards(&layout, yaku_cards(r, l->yaku, &need));
    }
    part_layout_table(d, &layout, names, STR(""));
    draft_picture(d, &layout);
}

/* ---- the end ---- */

static void put_end(struct draft *d)
{
    const struct world *w = d->w;
    const struct table *lesson = d->table;
    const int mei = character_find(w->bot->languages, d->a, STR("mei"));
    SAY(d, T_LESSON_END, draft_command(d, VERB_RULES));
    SAY_IF(d, !draft_can(d, CAN_BUTTONS), T_DOOR_COMPUTER_HOW, draft_command(d, VERB_CHALLENGE));
    d->table = NULL;
    draft_button(d,
                 TX(d, T_BUTTON_MEI, draft_computer(d, mei),
                    TN(d, T_ROUNDS, FEW_ROUNDS, draft_int(d, FEW_ROUNDS))),
                 VERB_START_MENU, MENU_MEI, BUTTON_TAKE);
    draft_press(d, T_BUTTON_FRIEND, VERB_START_MENU, MENU_FRIEND, BUTTON_PLAIN);
    draft_row(d);
    for (int i = 0; i < w->bot->n_presets; i++)
        draft_button(d, str_of(w->bot->presets[i].name), VERB_RULES,
                     RULES_TABLE + (i + 1) * N_RULES_PAGES, BUTTON_PLAIN);
    draft_row(d);
    draft_press(d, T_BUTTON_CARDS, VERB_CARDS, 0, BUTTON_PLAIN);
    draft_press(d, T_BUTTON_LESSON_AGAIN, VERB_TUTORIAL, LESSON_AGAIN, BUTTON_PLAIN);
    d->table = lesson;
}

void page_lesson(struct draft *d)
{
    enum { SETS_KNOWN = 4 };
    const struct notice *notice = d->notice;
    int place = (int)notice->n;
    bool answered = notice->games.n > 0;
    /* in one message, until they ask for it anew */
    d->out.slot = draft_own_slot(d, NOTICE_LESSON, d->fx->prefs ? d->fx->prefs->lesson_message : 0);
    d->out.notify = notice->fresh;
    if (answered) {
        const struct lesson_question *q = lesson_question(place - 1);
        d->table = notice->games.at[0];
        put_lesson_line(d, q->done, q->done_words);
        d->table = notice->table;
    }
    if (place == LESSON_OVER) {
        put_end(d);
        return;
    }
    const struct lesson *l = lesson_at(place);
    const struct lesson_question *q = lesson_question(place);
    const struct scene *s = draft_scene(d);
    put_picture(d, l);
    SAY(d, T_LESSON_HEAD, draft_int(d, 1 + q->lesson), draft_int(d, LESSONS), TX(d, l->title));
    if (lesson_begins(place) || !answered) { /* else it stood above the last answer */
        put_lesson_line(d, l->idea, l->idea_words);
        if (l->idea == T_LESSON_DOUBLE_IDEA)
            part_pay(d, &d->table->rules);
    }
    part_field(d);
    if (s->at[0].pile | s->at[1].pile)
        part_captures(d);
    SAY_IF(d, s->phase == PHASE_DRAW, T_YOU_DREW, draft_card_taken(d, s->drawn.card));
    part_options(d, VERB_TUTORIAL);
    put_lesson_line(d, q->ask, q->ask_words);
    SAY_IF(d, !draft_can(d, CAN_BUTTONS), T_LESSON_HOW, draft_command(d, VERB_TUTORIAL));
    if (q->lesson >= SETS_KNOWN)
        draft_press(d, T_BUTTON_SETS, VERB_RULES, RULES_SETS, BUTTON_PLAIN);
    if (place > 1 && notice->fresh)
        draft_press(d, T_BUTTON_LESSON_AGAIN, VERB_TUTORIAL, LESSON_AGAIN, BUTTON_PLAIN);
}

/* ---- tips ---- */

/* What just happened to the owner for the first time. */
void tutorial_tips(struct draft *d)
{
    const struct table *t = d->table;
    unsigned tips = t->view.seat >= 0 ? t->player[t->view.seat].tips : 0;
    const struct str stop = d->words->word[WORD_STOP], koikoi = d->words->word[WORD_KOIKOI];
    SAY_IF(d, tips >> TIP_CAPTURE & 1, T_TIP_CAPTURE, draft_command(d, VERB_YAKU));
    SAY_IF(d, tips >> TIP_YAKU & 1, T_TIP_YAKU, stop, koikoi);
    SAY_IF(d, tips >> TIP_KOIKOI & 1, T_TIP_KOIKOI, koikoi);
    SAY_IF(d, tips >> TIP_DOUBLING & 1, T_TIP_DOUBLING, draft_command(d, VERB_RULES));
}
