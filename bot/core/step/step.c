/* See step.h. Hands the event to the handler of its verb: lobby*.c before a match, play*.c in it,
 * timer_due.c when its timer fires, query.c for questions. command.def has the rows. */
#include "keyword.h"
#include "play.h"

struct handler {
    enum verdict (*alone)(struct step *st);
    enum verdict (*with_session)(struct step *st, const struct session *s);
    enum text says;
};

#define ALONE(fn)                                                                                  \
    {                                                                                              \
        .alone = fn                                                                                \
    }
#define ONE(scope, fn)                                                                             \
    {                                                                                              \
        .with_session = fn                                                                         \
    }
#define MAYBE(scope, fn)                                                                           \
    {                                                                                              \
        .with_session = fn                                                                         \
    }
#define SAYS(key)                                                                                  \
    {                                                                                              \
        .says = T_##key                                                                            \
    }
#define COMMAND(verb, n, l, f, fn, ...) [VERB_##verb] = fn,
#define EVENT(verb, l, f, fn)           [VERB_##verb] = fn,
static const struct handler handlers[N_VERBS] = {
#include "command.def"
};

/* A bare number in a group is mostly talk. It is a move if it is the sender's turn, and if the
 * network has no buttons to play with or the text can only be meant for the bot. */
static bool number_counts(const struct world *w, const struct event *e, const struct session *s)
{
    if (e->direct)
        return true;
    return s && (!(w->can & CAN_BUTTONS) || e->for_us) && session_turn(s) >= 0 &&
           session_turn(s) == session_seat(s, w->me.person);
}

/* In private a card's name alone is a move, also one that is kept for the sender's turn. */
static bool names_a_card(struct step *st, const struct session *s)
{
    return s && st->e->direct && session_turn(s) >= 0 && play_names(st, s);
}

/* Answers a guessed command with where to go. Returns false if the word is not known. */
static bool answer_guess(struct step *st)
{
    enum { MOST = MAX_ARGS - 1 };
    static const struct {
        enum keyword guess;
        enum text key;
        bool named; /* the sentence begins with the word */
        enum verb go[MOST];
    } rows[] = {
        {KEYWORD_RESULTS, T_GUESS_RESULTS, true, {VERB_BOARD}},
        {KEYWORD_PAST, T_GUESS_PAST, true, {VERB_SCORE, VERB_BOARD, VERB_GAMES}},
        {KEYWORD_REPLAY, T_GUESS_REPLAY, true, {VERB_REPLAY, VERB_REVIEW, VERB_EXPORT}},
        {KEYWORD_ABOUT, T_GUESS_ABOUT, false, {VERB_HELP, VERB_PRIVACY}},
    };
    struct arg args[MAX_ARGS] = {{0}};
    enum keyword guess = keyword_find(st->w->bot->languages, st->fx->arena, st->e->alias);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].guess == guess) {
            int n = 0;
            if (rows[i].named)
                args[n++] = arg_str(text_clean(st->fx->arena, st->e->alias, NAME_COLUMNS));
            for (int v = 0; v < MOST && rows[i].go[v] != VERB_NONE; v++)
                args[n++] = arg_command(rows[i].go[v]);
            notice_refuse(st, rows[i].key, args);
            return true;
        }
    return false;
}

enum verdict step_unknown(struct step *st, const struct session *s)
{
    const struct event *e = st->e;
    if (names_a_card(st, s))
        return play_cards(st, s);
    if (answer_guess(st))
        return REFUSED;
    struct arg typed = arg_str(text_clean(st->fx->arena, e->alias, NAME_COLUMNS));
    if (e->near != VERB_NONE)
        return notice_refuse(st, T_UNKNOWN_NEAR, ARGS(typed, arg_command(e->near)));
    return notice_refuse(st, T_UNKNOWN, ARGS(typed, arg_command(VERB_HELP)));
}

enum verdict step_forged(struct step *st)
{
    return notice_refuse(st, T_FORGED, NO_ARGS);
}

enum verdict step_too_many(struct step *st)
{
    return notice_refuse(st, T_TOO_MANY_COMMANDS, NO_ARGS);
}

/* Answers with a sentence whose placeholders are names of commands. */
static enum verdict say(struct step *st, enum text key)
{
    struct arg args[MAX_ARGS] = {{0}};
    struct str names = str_of(text_args(key));
    for (int n = 0; n < MAX_ARGS && names.n > 0; n++) {
        struct str name = str_word(&names);
        for (int verb = 1; verb < N_COMMANDS; verb++)
            if (str_is(name, str_of(commands[verb].name)))
                args[n] = arg_command(verb);
    }
    return notice_answer(st, key, args);
}

static enum verdict handle(struct step *st, struct candidates c)
{
    const struct command *row = &commands[st->e->verb];
    const struct handler *handler = &handlers[st->e->verb];
    if (handler->alone)
        return handler->alone(st);
    if (!handler->with_session)
        return say(st, handler->says);
    if (row->scope == SCOPE_NAMED)
        return st->w->named ? handler->with_session(st, st->w->named) : IGNORED;
    if (c.n != 1 && !row->optional)
        return c.n == 0 ? step_no_match(st) : step_which_match(st);
    return handler->with_session(st, c.n == 1 ? c.s : NULL);
}

enum verdict bot_step(const struct world *w, const struct event *e, struct effects *fx)
{
    struct candidates c = step_candidates(w, e);
    struct step st = {.w = w, .e = e, .fx = fx, .many = c.n > 1};
    if (e->verb == VERB_NONE || (e->verb == VERB_NUMBER && !number_counts(w, e, c.s)))
        return IGNORED;
    enum verdict verdict = handle(&st, c);
    step_posts_close(&st);
#define AFTER(fn) fn(&st);
#include "feature.def"
    return verdict;
}
