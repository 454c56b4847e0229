/* See step.h. Hands the event to the handler of its verb: lobby*.c before a match, play*.c in it,
 * timer_due.c when its timer fires, query.c for questions. command.def has the rows. */
#include "play.h"

/* One of these. */
struct handler {
    enum verdict (*no_session)(struct step *st);
    enum verdict (*with_session)(struct step *st, const struct session *s);
    enum text says;
};

#define NO_SESSION(fn)                  .no_session = fn
#define ONE(scope, fn)                  .with_session = fn
#define MAYBE(scope, fn)                .with_session = fn
#define SAYS(key)                       .says = T_##key
#define COMMAND(verb, n, l, f, fn, ...) [VERB_##verb] = {fn},
#define EVENT(verb, l, f, fn)           [VERB_##verb] = {fn},
static const struct handler handlers[N_VERBS] = {
#include "command.def"
};

/* ---- what is no command ---- */

const struct guess step_guesses[] = {
    {KEYWORD_RESULTS, T_GUESS_RESULTS, true, {VERB_BOARD}},
    {KEYWORD_PAST, T_GUESS_PAST, true, {VERB_SCORE, VERB_BOARD, VERB_GAMES}},
    {KEYWORD_REPLAY, T_GUESS_REPLAY, true, {VERB_REPLAY, VERB_REVIEW, VERB_EXPORT}},
    {KEYWORD_ABOUT, T_GUESS_ABOUT, false, {VERB_HELP, VERB_PRIVACY}},
    {KEYWORD_NEW_MATCH, T_UNKNOWN_NEAR, true, {VERB_CHALLENGE}},
    {KEYWORD_START, T_UNKNOWN_NEAR, true, {VERB_CHALLENGE}},
    {KEYWORD_COMPUTER, T_UNKNOWN_NEAR, true, {VERB_CHALLENGE}},
    {KEYWORD_ALONE, T_UNKNOWN_NEAR, true, {VERB_CHALLENGE}},
    {KEYWORD_ANOTHER, T_UNKNOWN_NEAR, true, {VERB_PUZZLE}},
    {KEYWORD_MENU, T_UNKNOWN_NEAR, true, {VERB_START}},
    {KEYWORD_HOW, T_UNKNOWN_NEAR, true, {VERB_RULES}},
    {KEYWORD_POINTS, T_UNKNOWN_NEAR, true, {VERB_SCORE}},
    {KEYWORD_SURRENDER, T_UNKNOWN_NEAR, true, {VERB_RESIGN}},
    {KEYWORD_LOOKS, T_UNKNOWN_NEAR, true, {VERB_SETTINGS}},
    {KEYWORD_BREAK, T_UNKNOWN_NEAR, true, {VERB_VACATION}},
    {KEYWORD_WHO, T_UNKNOWN_NEAR, true, {VERB_GAMES}},
    {KEYWORD_BADGES, T_UNKNOWN_NEAR, true, {VERB_ME}},
    {KEYWORD_LEVEL, T_UNKNOWN_NEAR, true, {VERB_OPPONENTS}},
    {KEYWORD_TONGUE, T_UNKNOWN_NEAR, true, {VERB_LANGUAGE}},
};
const int n_step_guesses = sizeof step_guesses / sizeof *step_guesses;

/* A guessed command is answered with where to go. */
enum verdict step_unknown(struct step *st, const struct session *s)
{
    const struct event *e = st->e;
    /* where all is for the bot a card's name alone is a move, also one that is kept for their turn */
    if (s && (e->direct || e->for_us) && session_turn(s) >= 0 && play_names(st, s))
        return play_cards(st, s);
    struct arg typed = arg_typed(st, e->alias), args[MAX_ARGS] = {{0}};
    struct str word = text_fold(st->fx->arena, e->alias);
    for (int i = 0; i < n_step_guesses; i++) {
        const struct guess *g = &step_guesses[i];
        if (!keyword_is(st->w->bot->languages, word, g->word))
            continue;
        const int n = g->named ? 1 : 0;
        if (n > 0)
            args[0] = typed;
        for (int v = 0; v < MAX_ARGS - 1 && g->go[v] != VERB_NONE; v++)
            args[n + v] = arg_command(g->go[v]);
        return notice_refuse(st, g->key, args);
    }
    if (e->near != VERB_NONE)
        return refuse(st, T_UNKNOWN_NEAR, typed, arg_command(e->near));
    return refuse(st, T_UNKNOWN, typed, arg_command(VERB_HELP));
}

enum verdict step_refuse(struct step *st)
{
    return refuse(st, st->e->verb == VERB_FORGED ? T_FORGED : T_TOO_MANY_COMMANDS);
}

/* ---- dispatch ---- */

enum verdict bot_step(const struct world *w, const struct event *e, struct effects *fx)
{
    const struct command *row = &commands[e->verb];
    const struct handler *handler = &handlers[e->verb];
    struct candidates c = step_candidates(w, e);
    const struct session *s = c.n == 1 ? c.s : NULL;
    struct step st = {.w = w, .e = e, .fx = fx, .fits = c};
    /* A bare number in a group is mostly talk. It is a move if it is the sender's turn, and if the
     * network has no buttons to play with or the text can only be meant for the bot. */
    bool counts = e->direct || (c.s && (!(w->can & CAN_BUTTONS) || e->for_us) &&
                                session_turn(c.s) >= 0 && session_turn(c.s) == step_seat(&st, c.s));
    if (e->verb == VERB_NONE || (e->verb == VERB_NUMBER && !counts))
        return IGNORED;
    struct arg args[MAX_ARGS] = {{0}}; /* of what a row says: names of commands */
    struct str names = str_of(handler->says ? text_args(handler->says) : "");
    for (int n = 0; n < MAX_ARGS && names.n > 0; n++)
        args[n] = arg_command(command_find(NULL, 0, true, str_word(&names)));
    enum verdict verdict;
    if (row->permitted == FOR_PEOPLE && w->me.person == 0)
        verdict = refuse(&st, T_ANONYMOUS);
    else if (handler->no_session)
        verdict = handler->no_session(&st);
    else if (!handler->with_session)
        verdict = notice_answer(&st, handler->says, args);
    else if (row->scope == SCOPE_NAMED)
        verdict = w->named ? handler->with_session(&st, w->named) : IGNORED;
    else if (c.n != 1 && !row->optional)
        verdict = c.n == 0 ? step_no_match(&st) : step_which_match(&st);
    else
        verdict = handler->with_session(&st, s);
    step_posts_close(&st);
#define AFTER(fn) fn(&st);
#include "feature.def"
    return verdict;
}
