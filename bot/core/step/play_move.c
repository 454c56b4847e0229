/* Moves as players ask for them: by button, by number, code or name of a card, by koikoi, stop,
 * declare and redeal; and the computer's. A move that is out of turn, illegal or ambiguous gets one
 * answer and changes nothing. */
#include "choice.h"
#include "notation.h"
#include "play.h"
#include "play_words.h"
#include "search.h"

#include <assert.h>

bool play_out_of_turn(struct step *st, const struct session *s, int *ret_seat)
{
    int seat = session_seat(s, st->w->me.person), turn = session_turn(s);
    *ret_seat = seat;
    if (s->phase == SESSION_OVER)
        notice_refuse(st, T_MATCH_OVER, ARGS(arg_command(VERB_CHALLENGE)));
    else if (s->phase == SESSION_OFFERED)
        notice_refuse(st, T_NOT_BEGUN, NO_ARGS);
    else if (seat < 0)
        notice_refuse(st, T_NOT_YOUR_MATCH,
                      ARGS(arg_seat(s, 0), arg_seat(s, 1), arg_command(VERB_CHALLENGE)));
    else if (s->ask.what == ASK_GO_ON)
        play_choose_first(st, s);
    else if (turn < 0)
        notice_refuse(st, T_BETWEEN_ROUNDS, ARGS(arg_command(VERB_READY)));
    else if (turn != seat && session_by_computer(s, turn))
        notice_refuse(st, T_NOT_YOUR_TURN_EVER, ARGS(arg_seat(s, turn)));
    else if (turn != seat)
        notice_refuse(st, session_deadline(s) ? T_NOT_YOUR_TURN : T_NOT_YOUR_TURN_EVER,
                      ARGS(arg_seat(s, turn), arg_time(session_deadline(s))));
    else
        return false;
    return true;
}

static int legal_of(struct step *st, const struct session *s, int seat, struct move *ret)
{
    return round_legal(step_ruleset(st, s), &s->match.round, seat, ret);
}

/* Answers a button of an old message with the hand as it is now. Returns true if it was one. */
static bool stale(struct step *st, const struct session *s, int seat)
{
    int64_t ago = (int64_t)s->version - st->e->version;
    if (ago == 0)
        return false;
    notice_line(st, TO_ASKER, T_STALE, ARGS(arg_int(ago)))->n = ago;
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
        return notice_refuse(st, T_STALE, ARGS(arg_int(1)));
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
    int seat = session_seat(s, st->w->me.person), row = 0;
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
        return notice_refuse(st, rows[row].no, ARGS(arg_command(VERB_YAKU)));
    play_make(st, step_change(st, s), seat, m);
    return TAKEN;
}

/* ---- cards ---- */

/* True if a button of a hand was pressed that only its owner sees, and that can be edited. */
static bool pressed_hand(const struct step *st, const struct session *s, int seat)
{
    const struct player *p = &s->player[seat];
    const struct venue *v = &s->venue[p->venue];
    return st->e->pressed && (st->w->can & CAN_EDIT) && !(st->w->can & CAN_POLL) && !v->one_post &&
           p->account == st->e->account && (p->channel <= CHANNEL_DIRECT || v->direct);
}

/* Asks what the card shall take, in place of the hand that was pressed. The next bare number is the
 * answer, or a button with a letter. */
static enum verdict ask_target(struct step *st, const struct session *s, int seat, int card)
{
    struct session *next = step_change(st, s);
    bool in_hand = pressed_hand(st, s, seat);
    next->move.asked = s->match.round.phase == PHASE_HAND ? (uint8_t)(card + 1) : 0;
    struct notice *notice = effect_notice(st->fx, NOTICE_TARGETS, in_hand ? TO_SEAT : TO_ASKER);
    notice->seat = (int8_t)seat;
    notice->fresh = true;
    notice->card = (uint8_t)card;
    notice->table = step_table(st, next, seat);
    return TAKEN;
}

/* The hand once more in place of that question. */
static enum verdict another_card(struct step *st, const struct session *s, int seat)
{
    struct session *next = step_change(st, s);
    next->move.asked = 0;
    play_hand(st, next, seat, true, false);
    return TAKEN;
}

static enum verdict play_one(struct step *st, const struct session *s, int seat,
                             const struct typed_move *y, const struct move *plays, int n,
                             struct str target)
{
    assert(n > 0);
    struct move m = plays[0];
    if (target.n > 0) {
        enum find found = play_words_capture(y, plays, n, target, &m);
        if (found == FIND_NONE)
            return notice_refuse(st, T_CANNOT_TAKE, ARGS(arg_card(plays[0].card), arg_str(target)));
        if (found == FIND_MANY)
            return ask_target(st, s, seat, plays[0].card);
    } else if (n > 1 && !choice_is_one(plays, n)) {
        return ask_target(st, s, seat, plays[0].card);
    }
    play_make(st, step_change(st, s), seat, m);
    return TAKEN;
}

/* True if this seat can keep a move for its turn. */
static bool can_keep(const struct session *s, int seat)
{
    int turn = session_turn(s);
    return seat >= 0 && turn >= 0 && turn != seat && s->match.round.hand[seat];
}

/* True if the answer reaches this seat alone: by a popup or in private. */
static bool answers_alone(const struct step *st, const struct session *s, int seat)
{
    return st->e->pressed || st->e->direct || s->player[seat].channel <= CHANNEL_DIRECT;
}

bool play_names(struct step *st, const struct session *s)
{
    struct typed_move y = play_words_of(st, s);
    struct str target;
    int card, seat = session_seat(s, st->w->me.person);
    const struct round *r = &s->match.round;
    if (seat != session_turn(s) && !can_keep(s, seat))
        return false;
    cardset among = r->phase == PHASE_HAND || seat != r->turn ? r->hand[seat]
                    : r->phase == PHASE_DRAW                  ? r->field
                                                              : 0;
    return play_words_card(&y, among, text_fold(st->fx->arena, st->e->words), &card, &target) !=
           FIND_NONE;
}

/* True if the words are a number that answers the question of ask_target(). */
static bool answers(const struct session *s, const struct move *legal, int n, struct str words)
{
    struct move plays[MAX_MOVES];
    int64_t number;
    return s->move.asked && str_int(words, &number) &&
           play_words_numbered(plays, play_words_plays(legal, n, s->move.asked - 1, plays), number);
}

/* A button with a letter: one of the captures of the card that was picked. */
static enum verdict play_target(struct step *st, const struct session *s, int seat)
{
    struct move legal[MAX_MOVES], plays[MAX_MOVES];
    int n = legal_of(st, s, seat, legal), card = s->move.asked - 1;
    n = card >= 0 ? play_words_plays(legal, n, card, plays) : 0;
    const struct move *play = play_words_numbered(plays, n, st->e->index - INDEX_TARGET);
    if (!play)
        return notice_refuse(st, T_PICK_FIRST, NO_ARGS);
    play_make(st, step_change(st, s), seat, *play);
    return TAKEN;
}

/* A card that fits none of the hand, or several. */
static enum verdict refuse_card(const struct typed_move *y, cardset held, enum find found,
                                struct str words, struct str target)
{
    int64_t number;
    bool is_number = str_int(words, &number);
    if (found == FIND_MANY)
        return notice_refuse(y->st, T_WHICH_CARD,
                             ARGS(arg_str(target), arg_str(play_words_places(y, held, target))));
    return notice_refuse(
        y->st, is_number ? T_HAND_NUMBERS : T_NOT_IN_HAND,
        ARGS(is_number ? arg_int(set_count(held)) : arg_str(words), arg_command(VERB_HAND)));
}

/* What a card of this seat could do if it were their turn. */
static int plays_ahead(const struct session *s, int card, struct move *ret)
{
    cardset takes[N_CARDS];
    int n = round_takes(&s->rules, s->match.round.field, card, false, takes);
    for (int i = 0; i < n; i++)
        ret[i] = (struct move){.kind = MOVE_PLAY, .card = (uint8_t)card, .take = takes[i]};
    return n;
}

static enum verdict keep(struct step *st, const struct session *s, int seat, int card,
                         const struct move *m)
{
    struct session *next = step_change(st, s);
    char *ahead = next->player[seat].ahead;
    memset(ahead, 0, sizeof next->player[seat].ahead);
    if (m)
        notation_move(*m, ahead);
    notice_answer(st, m ? T_AHEAD_KEPT : T_AHEAD_DROPPED, ARGS(arg_card(card)));
    play_hand(st, next, seat, false, false);
    return TAKEN;
}

/* A card chosen while another player is to move is kept for one's own turn; chosen again, it is
 * dropped. */
static enum verdict keep_card(struct step *st, const struct session *s, int seat)
{
    struct move plays[MAX_MOVES], kept = {.card = CARD_NONE}, m;
    struct typed_move y = play_words_of(st, s);
    struct str words = text_fold(st->fx->arena, st->e->words), target = {0};
    const char *ahead = s->player[seat].ahead;
    cardset held = s->match.round.hand[seat];
    int card;
    if (words.n == 0)
        return notice_refuse(st, T_PLAY_WHAT,
                             ARGS(arg_int(set_count(held)), arg_command(VERB_PLAY)));
    enum find found = play_words_card(&y, held, words, &card, &target);
    if (found != FIND_ONE)
        return refuse_card(&y, held, found, words, target);
    (void)(notation_read_move(ahead, strlen(ahead), &kept) < 0);
    int n = plays_ahead(s, card, plays);
    assert(n > 0); /* every card can take, or lie down */
    m = plays[0];
    if (target.n > 0)
        found = play_words_capture(&y, plays, n, target, &m);
    else if (kept.card == card)
        return keep(st, s, seat, card, NULL);
    else if (!choice_is_one(plays, n))
        found = FIND_MANY;
    if (found == FIND_NONE)
        return notice_refuse(st, T_CANNOT_TAKE, ARGS(arg_card(card), arg_str(target)));
    if (found == FIND_MANY)
        return notice_refuse(st, T_AHEAD_WHICH, ARGS(arg_card(card), arg_command(VERB_PLAY)));
    return keep(st, s, seat, card, &m);
}

/* A button of the hand of a player who waits: a card with one of its captures. */
static enum verdict keep_pressed(struct step *st, const struct session *s, int seat)
{
    cardset takes[N_CARDS];
    int64_t card = (st->e->index - INDEX_AHEAD) / N_CARDS,
            which = (st->e->index - INDEX_AHEAD) % N_CARDS;
    if (card >= N_CARDS || !(s->match.round.hand[seat] & CARD(card)) ||
        which >= choice_takes(&s->rules, s->match.round.field, (int)card, false, takes))
        return IGNORED;
    struct move m = {MOVE_PLAY, (uint8_t)card, takes[which]};
    return keep(st, s, seat, (int)card, &m);
}

/* True if the event chooses a card for this seat's next turn. */
static bool chooses_ahead(const struct step *st, const struct session *s, int seat)
{
    const struct event *e = st->e;
    bool card = e->index <= INDEX_TARGET || e->index >= INDEX_AHEAD;
    return can_keep(s, seat) && answers_alone(st, s, seat) && card && e->index != INDEX_ANOTHER &&
           e->under != UNDER_OTHER && !(e->pressed && e->version != s->version);
}

/* 1 stops and 2 calls koi-koi, where the two are listed so. */
static enum verdict decide_by_number(struct step *st, const struct session *s, int seat,
                                     const struct move *legal, int n)
{
    int64_t number = 0;
    bool listed = !st->e->pressed && !(st->w->can & CAN_BUTTONS) && st->e->under != UNDER_OTHER;
    if (!listed || !str_int(st->e->words, &number))
        number = 0;
    int kind = number == 1 ? MOVE_STOP : number == 2 ? MOVE_KOIKOI : -1;
    for (int i = 0; i < n; i++)
        if ((int)legal[i].kind == kind) {
            play_make(st, step_change(st, s), seat, legal[i]);
            return TAKEN;
        }
    return notice_refuse(st, T_DECIDE_FIRST,
                         ARGS(arg_command(VERB_STOP), arg_command(VERB_KOIKOI)));
}

enum verdict play_cards(struct step *st, const struct session *s)
{
    struct move legal[MAX_MOVES], plays[MAX_MOVES];
    int seat = session_seat(s, st->w->me.person), card = CARD_NONE;
    if (chooses_ahead(st, s, seat))
        return st->e->pressed && st->e->index >= INDEX_AHEAD ? keep_pressed(st, s, seat)
                                                             : keep_card(st, s, seat);
    if (play_out_of_turn(st, s, &seat) || (st->e->pressed && stale(st, s, seat)))
        return REFUSED;
    if (st->e->pressed && st->e->index > INDEX_TARGET)
        return play_target(st, s, seat);
    if (st->e->pressed && st->e->index == INDEX_ANOTHER)
        return another_card(st, s, seat);
    struct typed_move y = play_words_of(st, s);
    struct str words = text_fold(st->fx->arena, st->e->words), target = {0};
    cardset held = s->match.round.hand[seat];
    int n = legal_of(st, s, seat, legal);
    if (s->match.round.phase == PHASE_DECIDE)
        return decide_by_number(st, s, seat, legal, n);
    if (words.n == 0)
        return notice_refuse(st, T_PLAY_WHAT,
                             ARGS(arg_int(set_count(held)), arg_command(VERB_PLAY)));
    /* A button is a card, and so is a reaction under a hand. */
    bool answered = !st->e->pressed && st->e->under != UNDER_HAND && answers(s, legal, n, words);
    if (st->e->under == UNDER_OTHER && !answered) {
        enum verdict no = notice_refuse(st, T_OLD_HAND, NO_ARGS);
        play_hand(st, s, seat, true, true);
        return no;
    }
    if (s->match.round.phase == PHASE_DRAW || answered) {
        card = answered ? s->move.asked - 1 : s->match.round.drawn;
        return play_one(st, s, seat, &y, plays, play_words_plays(legal, n, card, plays), words);
    }
    enum find found = play_words_card(&y, held, words, &card, &target);
    if (found != FIND_ONE)
        return refuse_card(&y, held, found, words, target);
    return play_one(st, s, seat, &y, plays, play_words_plays(legal, n, card, plays), target);
}

/* ---- the computer ---- */

enum verdict play_advice(struct step *st, const struct session *s)
{
    struct move legal[MAX_MOVES], m = st->e->move;
    int turn = session_turn(s);
    if (turn < 0 || !session_by_computer(s, turn) || st->e->version != s->version)
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
        notation_move(m, next->move.thought);
    return TAKEN;
}
