/* Moves as people ask for them: by button, by number, code or name of a card, by the rule set's own
 * words; and the computer's. One that is not theirs, not legal or not clear gets one answer and
 * changes nothing. */
#include "choice.h"
#include "note.h"
#include "search.h"
#include "stepping.h"

#include <assert.h>

bool play_out_of_turn(struct step *st, const struct session *s, int *ret_seat)
{
    int seat = session_seat(s, st->w->me), turn = session_turn(s);
    *ret_seat = seat;
    if (s->phase == SESSION_OVER)
        refuse(st, T_MATCH_OVER, ARGS(a_alias(VERB_CHALLENGE)));
    else if (s->phase == SESSION_OFFERED)
        refuse(st, T_NOT_BEGUN, NO_ARGS);
    else if (seat < 0)
        refuse(st, T_NOT_YOUR_MATCH, ARGS(a_seat(s, 0), a_seat(s, 1), a_alias(VERB_CHALLENGE)));
    else if (turn < 0)
        refuse(st, T_BETWEEN_ROUNDS, ARGS(a_alias(VERB_READY)));
    else if (turn != seat && s->player[turn].computer)
        refuse(st, T_COMPUTER_THINKS, NO_ARGS);
    else if (turn != seat)
        refuse(st, knock_deadline(s) ? T_NOT_YOUR_TURN : T_NOT_YOUR_TURN_EVER,
               ARGS(a_seat(s, turn), a_time(knock_deadline(s))));
    else
        return false;
    return true;
}

static int legal_of(struct step *st, const struct session *s, int seat, struct move *ret)
{
    return round_legal(made_ruleset(st->w->made, &s->rules), &s->match.round, seat, ret);
}

/* A button of an old message: true if it was said, with the hand as it is now. */
static bool stale(struct step *st, const struct session *s, int seat)
{
    int64_t ago = (int64_t)s->version - st->e->version;
    if (ago == 0)
        return false;
    say_line(st, TO_ASKER, T_STALE, ARGS(a_int(ago)))->n = ago;
    play_hand(st, s, seat, true, true);
    return true;
}

enum verdict play_move(struct step *st, const struct session *s)
{
    struct move legal[MAX_MOVES];
    int seat;
    if (play_out_of_turn(st, s, &seat) || stale(st, s, seat))
        return REFUSED;
    int n = legal_of(st, s, seat, legal);
    if (st->e->index >= n)
        return refuse(st, T_STALE, ARGS(a_int(1)));
    play_make(st, step_change(st, s), seat, legal[st->e->index]);
    return TAKEN;
}

/* The move of this kind, if it is legal now. */
static bool has_move(const struct move *legal, int n, enum move_kind kind, struct move *ret)
{
    for (int i = 0; i < n; i++)
        if (legal[i].kind == kind) {
            *ret = legal[i];
            return true;
        }
    return false;
}

enum verdict play_verb(struct step *st, const struct session *s)
{
    static const struct {
        enum verb verb;
        enum move_kind kind;
        enum text no;
    } rows[] = {
        {VERB_KOIKOI, MOVE_KOIKOI, T_NO_DECISION},
        {VERB_STOP, MOVE_STOP, T_NO_DECISION},
        {VERB_DECLARE, MOVE_DECLARE, T_NO_HAND_YAKU},
        {VERB_REDEAL, MOVE_REDEAL, T_NO_REDEAL},
    };
    struct move legal[MAX_MOVES], m;
    int seat = session_seat(s, st->w->me), row = 0;
    while (rows[row].verb != st->e->verb)
        row++;
    bool redeal = st->e->verb == VERB_REDEAL && s->phase == SESSION_PLAYING && seat >= 0 &&
                  session_turn(s) >= 0;
    bool button = st->e->verb == VERB_STOP || st->e->verb == VERB_KOIKOI;
    if (!redeal &&
        (play_out_of_turn(st, s, &seat) || (button && st->e->pressed && stale(st, s, seat))))
        return REFUSED;
    int n = legal_of(st, s, seat, legal);
    if (!has_move(legal, n, rows[row].kind, &m))
        return refuse(st, rows[row].no, ARGS(a_alias(VERB_YAKU)));
    play_make(st, step_change(st, s), seat, m);
    return TAKEN;
}

/* ---- cards by number, code or name ---- */

static int nth(cardset cards, int64_t n)
{
    for (; cards && n > 1; n--)
        cards = set_rest(cards);
    return cards && n == 1 ? set_first(cards) : CARD_NONE;
}

struct typed {
    struct step *st;
    const struct texts *t;
    const struct words *w;
};

/* One card among some, as typed: a number, a code, words. */
static enum find one_of(const struct typed *y, cardset among, struct str said, int *ret)
{
    int64_t n;
    int card = card_read(said.p, said.n);
    if (card != CARD_NONE) {
        *ret = card;
        return among & CARD(card) ? FIND_ONE : FIND_NONE;
    }
    if (str_int(said, &n)) {
        *ret = nth(among, n);
        return *ret != CARD_NONE ? FIND_ONE : FIND_NONE;
    }
    return find_card(y->st->fx->arena, y->w, among, said, ret);
}

/* The legal plays of `card`; ret_takes in the order shown. */
static int plays_of(const struct move *legal, int n, int card, struct move *ret)
{
    int k = 0;
    for (int i = 0; i < n; i++)
        if ((legal[i].kind == MOVE_PLAY || legal[i].kind == MOVE_CHOOSE) && legal[i].card == card)
            ret[k++] = legal[i];
    return k;
}

/* The play of this number; plays that differ only in equal plains are shown as one. NULL: there is
 * none. */
static const struct move *numbered(const struct move *plays, int n, int64_t number)
{
    for (int i = 0; i < n; i++)
        if (!choice_repeats(plays, i) && --number == 0)
            return &plays[i];
    return NULL;
}

/* Which of the plays takes what was said; all the single cards that the plays take are meant. */
static enum find one_play(const struct typed *y, const struct move *plays, int n, struct str said,
                          struct move *ret)
{
    int64_t number;
    cardset all = 0;
    int card;
    if (str_int(said, &number)) {
        const struct move *play = numbered(plays, n, number);
        if (play)
            *ret = *play;
        return play ? FIND_ONE : FIND_NONE;
    }
    for (int i = 0; i < n; i++)
        all |= plays[i].take;
    enum find found = one_of(y, all, said, &card);
    if (found != FIND_ONE)
        return found;
    for (int i = 0; i < n; i++)
        if (plays[i].take & CARD(card)) {
            *ret = plays[i];
            return FIND_ONE;
        }
    return FIND_NONE;
}

/* A number that is typed next, by itself, is the answer; or the button of a letter. */
static enum verdict ask_target(struct step *st, const struct session *s, int seat, int card)
{
    struct session *next = step_change(st, s);
    next->asked = s->match.round.phase == PHASE_HAND ? (uint8_t)(card + 1) : 0;
    struct say *say = effect_say(st->fx, SAY_TARGETS, TO_ASKER);
    say->n = card;
    say->table = step_table(st, next, seat);
    return TAKEN;
}

static enum verdict play_one(struct step *st, const struct session *s, int seat,
                             const struct typed *y, const struct move *plays, int n,
                             struct str target)
{
    assert(n > 0);
    struct move m = plays[0];
    if (target.n > 0) {
        enum find found = one_play(y, plays, n, target, &m);
        if (found == FIND_NONE)
            return refuse(st, T_CANNOT_TAKE, ARGS(a_card(plays[0].card), a_str(target)));
        if (found == FIND_MANY)
            return ask_target(st, s, seat, plays[0].card);
    } else if (n > 1 && !choice_is_one(plays, n)) {
        return ask_target(st, s, seat, plays[0].card);
    }
    play_make(st, step_change(st, s), seat, m);
    return TAKEN;
}

static struct str without_arrow(struct str s)
{
    static const char *const arrows[] = {"->", ">", "=", "takes ", "x "};
    s = str_trim(s);
    for (size_t i = 0; i < sizeof arrows / sizeof *arrows; i++)
        if (str_starts(s, str_of(arrows[i])))
            return str_trim(str_skip(s, strlen(arrows[i])));
    return s;
}

/* "1 1" is a card and what it takes, although "1 pine" is a card's name and folds to begin like
 * it. */
static bool several_numbers(struct str said)
{
    bool blank = false;
    for (size_t i = 0; i < said.n; i++) {
        if (said.p[i] != ' ' && (said.p[i] < '0' || said.p[i] > '9'))
            return false;
        blank |= said.p[i] == ' ';
    }
    return blank;
}

/* Splits "sake moon" in every place: the longest head that names one card of the hand counts. */
static enum find split(const struct typed *y, cardset among, struct str said, int *ret_card,
                       struct str *ret_target)
{
    enum find best = FIND_NONE;
    for (size_t n = said.n; n > 0; n--) {
        if (n < said.n && said.p[n] != ' ')
            continue;
        struct str head = {said.p, n};
        enum find found = several_numbers(head) ? FIND_NONE : one_of(y, among, head, ret_card);
        if (found == FIND_ONE) {
            *ret_target = without_arrow(str_skip(said, n));
            return FIND_ONE;
        }
        if (found == FIND_MANY)
            best = FIND_MANY;
    }
    return best;
}

static struct typed typed_of(struct step *st, const struct session *s)
{
    int seat = session_seat(s, st->w->me);
    const struct venue *v = session_venue(s, seat < 0 ? 0 : s->player[seat].venue);
    struct str language = str_of(st->w->prefs.language[0] ? st->w->prefs.language : v->language);
    const struct texts *t = texts_for(st->w->languages, language);
    return (struct typed){st, t, words_for(t, str_of(s->rules.words))};
}

bool play_names(struct step *st, const struct session *s)
{
    struct typed y = typed_of(st, s);
    struct str target;
    int card, seat = session_turn(s);
    const struct round *r = &s->match.round;
    cardset among = r->phase == PHASE_HAND ? r->hand[seat] : r->phase == PHASE_DRAW ? r->field : 0;
    return split(&y, among, text_fold(st->fx->arena, st->e->words), &card, &target) != FIND_NONE;
}

/* True if what was said is the number of an answer to the question what a card shall take. */
static bool answers(const struct session *s, const struct move *legal, int n, struct str said)
{
    struct move plays[MAX_MOVES];
    int64_t number;
    return s->asked && str_int(said, &number) &&
           numbered(plays, plays_of(legal, n, s->asked - 1, plays), number);
}

/* A letter: which of the things that the picked card can take. */
static enum verdict play_target(struct step *st, const struct session *s, int seat)
{
    struct move legal[MAX_MOVES], plays[MAX_MOVES];
    int n = legal_of(st, s, seat, legal), card = s->asked - 1;
    n = card >= 0 ? plays_of(legal, n, card, plays) : 0;
    const struct move *play = numbered(plays, n, st->e->index - INDEX_TARGET);
    if (!play)
        return refuse(st, T_PICK_FIRST, NO_ARGS);
    play_make(st, step_change(st, s), seat, *play);
    return TAKEN;
}

enum verdict play_cards(struct step *st, const struct session *s)
{
    struct move legal[MAX_MOVES], plays[MAX_MOVES];
    int seat, card = CARD_NONE;
    if (play_out_of_turn(st, s, &seat) || (st->e->pressed && stale(st, s, seat)))
        return REFUSED;
    if (st->e->pressed && st->e->index > INDEX_TARGET)
        return play_target(st, s, seat);
    struct typed y = typed_of(st, s);
    struct str said = text_fold(st->fx->arena, st->e->words), target = {0};
    cardset held = s->match.round.hand[seat];
    int n = legal_of(st, s, seat, legal);
    if (s->match.round.phase == PHASE_DECIDE)
        return refuse(st, T_DECIDE_FIRST, ARGS(a_alias(VERB_STOP), a_alias(VERB_KOIKOI)));
    if (said.n == 0)
        return refuse(st, T_PLAY_WHAT, ARGS(a_int(set_count(held)), a_alias(VERB_PLAY)));
    /* A button names a card, and so does what is set under a hand. */
    bool answered = !st->e->pressed && st->e->under != UNDER_HAND && answers(s, legal, n, said);
    if (st->e->under == UNDER_OTHER && !answered) {
        enum verdict no = refuse(st, T_OLD_HAND, NO_ARGS);
        play_hand(st, s, seat, true, true);
        return no;
    }
    if (s->match.round.phase == PHASE_DRAW || answered) {
        card = answered ? s->asked - 1 : s->match.round.drawn;
        return play_one(st, s, seat, &y, plays, plays_of(legal, n, card, plays), said);
    }
    enum find found = split(&y, held, said, &card, &target);
    if (found == FIND_MANY)
        return refuse(st, T_WHICH_CARD, ARGS(a_str(said)));
    if (found == FIND_NONE) {
        int64_t number;
        bool is_number = str_int(said, &number);
        return refuse(st, is_number ? T_HAND_NUMBERS : T_NOT_IN_HAND,
                      ARGS(is_number ? a_int(set_count(held)) : a_str(said), a_alias(VERB_HAND)));
    }
    return play_one(st, s, seat, &y, plays, plays_of(legal, n, card, plays), target);
}

/* ---- the computer ---- */

enum verdict play_advice(struct step *st, const struct session *s)
{
    struct move legal[MAX_MOVES], m = st->e->move;
    int turn = session_turn(s);
    if (turn < 0 || !s->player[turn].computer || st->e->version != s->version)
        return IGNORED;
    int n = legal_of(st, s, turn, legal), i = 0;
    while (i < n && (legal[i].kind != m.kind || legal[i].card != m.card || legal[i].take != m.take))
        i++;
    if (i == n)
        return IGNORED;
    struct session *next = step_change(st, s);
    if (st->e->now >= s->due)
        play_make(st, next, turn, m);
    else
        note_move(m, next->thought);
    return TAKEN;
}
