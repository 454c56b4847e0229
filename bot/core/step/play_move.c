/* Moves as players ask for them: by button, by number, code or name of a card, by koikoi, stop,
 * declare and redeal; and the computer's. A move that is out of turn, illegal or ambiguous gets one
 * answer and changes nothing. */
#include "choice.h"
#include "notation.h"
#include "lobby.h"
#include "play.h"
#include "search.h"

#include <assert.h>

/* Cards as players type them, in the words of their language. */
struct typed_move {
    struct step *st;
    const struct words *w;
};

enum find { FIND_ONE, FIND_NONE, FIND_MANY };

/* ---- a card by its typed name: "crane", "sake", "8 geese", "pine ribbon", "plum" ---- */

/* The word that is shown for the one that was typed. */
static struct str shown_word(const struct words *w, struct str typed)
{
    for (int i = 0; i < w->n_also; i++)
        if (str_is(typed, w->also[i].key))
            return w->also[i].word;
    return typed;
}

static bool has_word(struct arena *a, struct str text, struct str word)
{
    struct str rest = text_fold(a, text);
    for (struct str w = str_word(&rest); w.n > 0; w = str_word(&rest))
        if (str_is(w, word))
            return true;
    return false;
}

/* Every word must be one of the card's words, another word for one, or the number of its month. */
static bool card_fits(const struct typed_move *y, int card, struct str name)
{
    struct arena *a = y->st->fx->arena;
    const struct words *w = y->w;
    char month[4];
    struct buf b = BUF(month);
    buf_int(&b, card_month(card) + 1);
    const struct str own[] = {w->card[card], w->named[card], w->taken[card],
                              w->month[card_month(card)], w->word[WORD_BRIGHT + card_kind(card)]};
    for (struct str word = str_word(&name); word.n > 0; word = str_word(&name)) {
        bool fits = str_is(word, buf_str(&b));
        for (size_t i = 0; !fits && i < sizeof own / sizeof *own; i++)
            fits = has_word(a, own[i], word) || has_word(a, own[i], shown_word(w, word));
        if (!fits)
            return false;
    }
    return true;
}

/* Plains of one month, which play alike, count as one card. */
static enum find find_card(const struct typed_move *y, cardset among, struct str folded, int *ret)
{
    int found = CARD_NONE;
    for (cardset rest = among; folded.n > 0 && rest; rest = set_rest(rest)) {
        int card = set_first(rest);
        if (!card_fits(y, card, folded))
            continue;
        if (found != CARD_NONE && (card_month(found) != card_month(card) ||
                                   card_kind(found) != CARD_PLAIN || card_kind(card) != CARD_PLAIN))
            return FIND_MANY;
        if (found == CARD_NONE)
            found = card;
    }
    if (found == CARD_NONE)
        return FIND_NONE;
    *ret = found;
    return FIND_ONE;
}

/* ---- what is typed ---- */

static int nth(cardset cards, int64_t n)
{
    for (; cards && n > 1; n--)
        cards = set_rest(cards);
    return cards && n == 1 ? set_first(cards) : CARD_NONE;
}

/* One card among some, as typed: a number, a code, words. */
static enum find one_of(const struct typed_move *y, cardset among, struct str words, int *ret)
{
    int64_t n;
    int card = card_read(words.p, words.n);
    if (card != CARD_NONE) {
        *ret = card;
        return among & CARD(card) ? FIND_ONE : FIND_NONE;
    }
    if (str_int(words, &n)) {
        *ret = nth(among, n);
        return *ret != CARD_NONE ? FIND_ONE : FIND_NONE;
    }
    return find_card(y, among, words, ret);
}

/* The legal plays of `card`, in the order shown. */
static int plays_of(const struct move *legal, int n, int card, struct move *ret)
{
    int k = 0;
    for (int i = 0; i < n; i++)
        if ((legal[i].kind == MOVE_PLAY || legal[i].kind == MOVE_CHOOSE) && legal[i].card == card)
            ret[k++] = legal[i];
    return k;
}

/* The n-th play as shown: plays that differ only in equal plains count as one. Returns NULL if not
 * found. */
static const struct move *numbered(const struct move *plays, int n, int64_t number)
{
    for (int i = 0; i < n; i++)
        if (!choice_repeats(plays, i) && --number == 0)
            return &plays[i];
    return NULL;
}

/* The play that takes the named card; any of the cards of a capture names it. */
static enum find find_capture(const struct typed_move *y, const struct move *plays, int n,
                              struct str words, struct move *ret)
{
    int64_t number;
    cardset all = 0;
    int card;
    if (str_int(words, &number)) {
        const struct move *play = numbered(plays, n, number);
        if (play)
            *ret = *play;
        return play ? FIND_ONE : FIND_NONE;
    }
    for (int i = 0; i < n; i++)
        all |= plays[i].take;
    enum find found = one_of(y, all, words, &card);
    if (found != FIND_ONE)
        return found;
    for (int i = 0; i < n; i++)
        if (plays[i].take & CARD(card)) {
            *ret = plays[i];
            return FIND_ONE;
        }
    return FIND_NONE;
}

static struct str without_arrow(struct str s)
{
    static const char *const arrows[] = {"->", "→", ">", "=", "takes ", "x "};
    enum { N_ARROWS = sizeof arrows / sizeof *arrows };
    s = str_trim(s);
    for (int i = 0; i < N_ARROWS;) {
        bool found = str_starts(s, str_of(arrows[i]));
        if (found)
            s = str_trim(str_skip(s, strlen(arrows[i])));
        i = found ? 0 : i + 1;
    }
    return s;
}

/* "1 1" is a card and what it takes, although "1 pine" is a card's name and folds to begin like
 * it. */
static bool several_numbers(struct str words)
{
    bool blank = false;
    for (size_t i = 0; i < words.n; i++) {
        if (words.p[i] != ' ' && (words.p[i] < '0' || words.p[i] > '9'))
            return false;
        blank |= words.p[i] == ' ';
    }
    return blank;
}

/* "6 peony", as a hand is printed: true if the card in that place has that name. */
static bool as_printed(const struct typed_move *y, cardset among, struct str words, int *ret_card,
                       struct str *ret_target)
{
    int64_t place, digits;
    int card, named;
    struct str rest = words, number = str_word(&rest);
    if (!str_int(number, &place) || (card = nth(among, place)) == CARD_NONE)
        return false;
    rest = str_trim(rest);
    for (size_t n = rest.n; n > 0; n--) {
        struct str head = {rest.p, n};
        if ((n < rest.n && rest.p[n] != ' ') || several_numbers(head) || str_int(head, &digits) ||
            find_card(y, CARD(card), head, &named) != FIND_ONE)
            continue;
        *ret_card = card;
        *ret_target = without_arrow(str_skip(rest, n));
        return true;
    }
    return false;
}

/* Splits "sake moon" into card and target: the longest head that names one card of the set is the
 * card. FIND_MANY: ret_target is the longest head that names several. */
static enum find find_typed(const struct typed_move *y, cardset among, struct str words,
                            int *ret_card, struct str *ret_target)
{
    enum find best = FIND_NONE;
    int64_t number;
    if (as_printed(y, among, words, ret_card, ret_target))
        return FIND_ONE;
    for (size_t n = words.n; n > 0; n--) {
        if (n < words.n && words.p[n] != ' ')
            continue;
        struct str head = {words.p, n};
        if (best == FIND_MANY && str_int(head, &number)) /* of a month, not a place */
            return FIND_MANY;
        enum find found = several_numbers(head) ? FIND_NONE : one_of(y, among, head, ret_card);
        if (found == FIND_ONE) {
            *ret_target = without_arrow(str_skip(words, n));
            return FIND_ONE;
        }
        if (found == FIND_MANY && best != FIND_MANY)
            *ret_target = head;
        if (found == FIND_MANY)
            best = FIND_MANY;
    }
    return best;
}

/* In the language of the sender. */
static struct typed_move typed_by(struct step *st, const struct session *s)
{
    int seat = step_seat(st, s);
    const struct venue *v = &s->venue[seat < 0 ? 0 : s->player[seat].venue];
    struct str own = str_of(st->w->me.prefs.language);
    const struct texts *t = texts_for(st->w->bot->languages, own.n > 0 ? own : str_of(v->language));
    return (struct typed_move){st, words_for(t, str_of(s->rules.words))};
}

/* ---- moves ---- */

bool play_out_of_turn(struct step *st, const struct session *s, int *ret_seat)
{
    int seat = step_seat(st, s), turn = session_turn(s);
    *ret_seat = seat;
    if (s->phase == SESSION_OVER)
        refuse(st, T_MATCH_OVER, arg_command(VERB_CHALLENGE));
    else if (s->phase == SESSION_OFFERED)
        refuse(st, T_NOT_BEGUN);
    else if (seat < 0)
        notice_not_theirs(st, s);
    else if (s->ask.what == ASK_GO_ON)
        play_choose_first(st, s);
    else if (turn < 0)
        refuse(st, T_BETWEEN_ROUNDS, arg_command(VERB_READY));
    else if (turn != seat && session_by_computer(s, turn))
        refuse(st, T_NOT_YOUR_TURN_EVER, arg_seat(s, turn));
    else if (turn != seat)
        refuse(st, session_deadline(s) ? T_NOT_YOUR_TURN : T_NOT_YOUR_TURN_EVER, arg_seat(s, turn),
               arg_time(session_deadline(s)));
    else
        return false;
    return true;
}

static int legal_of(struct step *st, const struct session *s, int seat, struct move *ret)
{
    return round_legal(step_ruleset(st, s), &s->match.round, seat, ret);
}

static enum verdict make(struct step *st, const struct session *s, int seat, struct move m)
{
    return play_make(st, step_change(st, s), seat, m);
}

/* Answers a button of an old message with the hand as it is now. Returns true if it was one. */
static bool stale(struct step *st, const struct session *s, int seat)
{
    int64_t ago = (int64_t)s->version - st->e->version;
    if (ago == 0)
        return false;
    notice_line(st, TO_ASKER, T_STALE, arg_int(ago))->n = ago;
    play_hand(st, s, seat, true, true);
    return true;
}

enum verdict play_move(struct step *st, const struct session *s)
{
    struct move legal[MAX_MOVES];
    int seat;
    if (play_out_of_turn(st, s, &seat) || stale(st, s, seat))
        return REFUSED;
    if (st->e->index >= legal_of(st, s, seat, legal))
        return refuse(st, T_STALE, arg_int(1));
    return make(st, s, seat, legal[st->e->index]);
}

/* The place of the move of this kind among the legal ones; n if it is not there. */
static int find_kind(const struct move *legal, int n, int kind)
{
    int i = 0;
    while (i < n && (int)legal[i].kind != kind)
        i++;
    return i;
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
    struct move legal[MAX_MOVES];
    int seat = step_seat(st, s), row = 0;
    while (rows[row].verb != st->e->verb)
        row++;
    bool redeal = st->e->verb == VERB_REDEAL && s->phase == SESSION_PLAYING && seat >= 0 &&
                  session_turn(s) >= 0;
    bool button = st->e->verb == VERB_STOP || st->e->verb == VERB_KOIKOI;
    if (!redeal &&
        (play_out_of_turn(st, s, &seat) || (button && st->e->pressed && stale(st, s, seat))))
        return REFUSED;
    int n = legal_of(st, s, seat, legal), i = find_kind(legal, n, rows[row].kind);
    return i < n ? make(st, s, seat, legal[i]) : refuse(st, rows[row].no, arg_command(VERB_YAKU));
}

/* ---- cards ---- */

/* One of the plays of a card: by the words that say what it takes, else if there is no choice. */
static enum find choose_play(const struct typed_move *y, const struct move *plays, int n,
                             struct str target, struct move *ret)
{
    assert(n > 0); /* every card can take, or lie down */
    *ret = plays[0];
    if (target.n > 0)
        return find_capture(y, plays, n, target, ret);
    return choice_is_one(plays, n) ? FIND_ONE : FIND_MANY;
}

/* One of the plays of a card; the words say what it takes. Else it is asked for, in place of the
 * hand whose button was pressed, if only its owner sees it and it can be edited. The next bare
 * number is the answer, or a button with a letter. */
static enum verdict play_one(struct step *st, const struct session *s, int seat,
                             const struct typed_move *y, const struct move *plays, int n,
                             struct str target)
{
    struct move m;
    enum find found = choose_play(y, plays, n, target, &m);
    if (found == FIND_NONE)
        return refuse(st, T_CANNOT_TAKE, arg_card(plays[0].card), arg_str(target));
    if (found == FIND_ONE)
        return make(st, s, seat, m);
    const struct player *p = &s->player[seat];
    const struct venue *v = &s->venue[p->venue];
    bool in_hand = st->e->pressed && (st->w->can & CAN_EDIT) && !(st->w->can & CAN_POLL) &&
                   !v->one_post && p->account == st->e->account &&
                   (p->channel <= CHANNEL_DIRECT || v->direct);
    struct session *next = step_change(st, s);
    next->move.asked = s->match.round.phase == PHASE_HAND ? (uint8_t)(plays[0].card + 1) : 0;
    struct notice *notice =
        notice_show(st, NOTICE_TARGETS, in_hand ? TO_SEAT : TO_ASKER, next, seat);
    notice->fresh = true;
    notice->card = plays[0].card;
    return TAKEN;
}

/* True if this seat can keep a move for its turn. */
static bool can_keep(const struct session *s, int seat)
{
    int turn = session_turn(s);
    return seat >= 0 && turn >= 0 && turn != seat && s->match.round.hand[seat];
}

bool play_names(struct step *st, const struct session *s)
{
    struct typed_move y = typed_by(st, s);
    struct str target;
    int card, seat = step_seat(st, s);
    const struct round *r = &s->match.round;
    if (seat != session_turn(s) && !can_keep(s, seat))
        return false;
    cardset among = r->phase == PHASE_HAND || seat != r->turn ? r->hand[seat]
                    : r->phase == PHASE_DRAW                  ? r->field
                                                              : 0;
    return find_typed(&y, among, text_fold(st->fx->arena, st->e->words), &card, &target) !=
           FIND_NONE;
}

/* A card that fits none of the hand, or several. */
static enum verdict refuse_card(const struct typed_move *y, cardset held, enum find found,
                                struct str words, struct str target)
{
    struct str places = {0}; /* of the cards that the words fit: "2, 3, 4" */
    int64_t number;
    int card, place = 1;
    for (cardset rest = held; found == FIND_MANY && rest; rest = set_rest(rest), place++)
        if (one_of(y, rest & -rest, target, &card) == FIND_ONE)
            places = value_list(y->st, places, arena_print(y->st->fx->arena, "%d", place));
    if (found == FIND_MANY)
        return refuse(y->st, T_WHICH_CARD, arg_str(target), arg_str(places));
    if (str_int(words, &number))
        return refuse(y->st, T_HAND_NUMBERS, arg_int(set_count(held)), arg_command(VERB_HAND));
    return refuse(y->st, T_NOT_IN_HAND, arg_str(words), arg_command(VERB_HAND));
}

/* ---- cards that are kept ---- */

static enum verdict keep(struct step *st, const struct session *s, int seat, int card,
                         const struct move *m)
{
    struct session *next = step_change(st, s);
    char *ahead = next->player[seat].ahead;
    memset(ahead, 0, sizeof next->player[seat].ahead);
    if (m)
        notation_move(*m, ahead);
    answer(st, m ? T_AHEAD_KEPT : T_AHEAD_DROPPED, arg_card(card));
    play_hand(st, next, seat, false, false);
    return TAKEN;
}

/* A card chosen while another player is to move is kept for one's own turn; chosen again, it is
 * dropped. */
static enum verdict keep_card(struct step *st, const struct session *s, int seat)
{
    struct move plays[N_CARDS], kept = {.card = CARD_NONE};
    struct typed_move y = typed_by(st, s);
    struct str words = text_fold(st->fx->arena, st->e->words), target = {0};
    cardset held = s->match.round.hand[seat], takes[N_CARDS];
    int card;
    if (words.n == 0)
        return refuse(st, T_PLAY_WHAT, arg_int(set_count(held)), arg_command(VERB_PLAY));
    enum find found = find_typed(&y, held, words, &card, &target);
    if (found != FIND_ONE)
        return refuse_card(&y, held, found, words, target);
    (void)choice_read(s->player[seat].ahead, &kept);
    if (target.n == 0 && kept.card == card)
        return keep(st, s, seat, card, NULL);
    int n = round_takes(&s->rules, s->match.round.field, card, false, takes);
    for (int i = 0; i < n; i++)
        plays[i] = (struct move){.kind = MOVE_PLAY, .card = (uint8_t)card, .take = takes[i]};
    struct move m;
    found = choose_play(&y, plays, n, target, &m);
    if (found == FIND_NONE)
        return refuse(st, T_CANNOT_TAKE, arg_card(card), arg_str(target));
    if (found == FIND_MANY)
        return refuse(st, T_AHEAD_WHICH, arg_card(card), arg_command(VERB_PLAY));
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

/* True if the event chooses a card for this seat's next turn: the answer reaches its player alone,
 * by a popup or in private, and it is no old message. */
static bool chooses_ahead(const struct step *st, const struct session *s, int seat)
{
    const struct event *e = st->e;
    bool card = e->index != INDEX_ANOTHER && (e->index <= INDEX_TARGET || e->index >= INDEX_AHEAD);
    return can_keep(s, seat) && card && e->under != UNDER_OTHER &&
           (e->pressed || e->direct || s->player[seat].channel <= CHANNEL_DIRECT) &&
           !(e->pressed && e->version != s->version);
}

/* ---- /play, and what stands for it ---- */

/* 1 stops and 2 calls koi-koi, where the two are listed so. */
static enum verdict decide_by_number(struct step *st, const struct session *s, int seat,
                                     const struct move *legal, int n)
{
    int64_t number = 0;
    bool listed = !st->e->pressed && !(st->w->can & CAN_BUTTONS) && st->e->under != UNDER_OTHER;
    if (!listed || !str_int(st->e->words, &number))
        number = 0;
    int i = find_kind(legal, n, number == 1 ? MOVE_STOP : number == 2 ? MOVE_KOIKOI : -1);
    return i < n ? make(st, s, seat, legal[i])
                 : refuse(st, T_DECIDE_FIRST, arg_command(VERB_STOP), arg_command(VERB_KOIKOI));
}

enum verdict play_cards(struct step *st, const struct session *s)
{
    const struct event *e = st->e;
    struct move legal[MAX_MOVES], plays[MAX_MOVES];
    int seat = step_seat(st, s);
    if (chooses_ahead(st, s, seat))
        return e->pressed && e->index >= INDEX_AHEAD ? keep_pressed(st, s, seat)
                                                     : keep_card(st, s, seat);
    if (play_out_of_turn(st, s, &seat) || (e->pressed && stale(st, s, seat)))
        return REFUSED;
    int n = legal_of(st, s, seat, legal), asked = s->move.asked - 1, n_asked = 0, card;
    if (asked >= 0)
        n_asked = plays_of(legal, n, asked, plays);
    if (e->pressed && e->index > INDEX_TARGET) { /* a capture of the card that was picked */
        const struct move *play = numbered(plays, n_asked, e->index - INDEX_TARGET);
        return play ? make(st, s, seat, *play) : refuse(st, T_PICK_FIRST);
    }
    if (e->pressed && e->index == INDEX_ANOTHER) { /* the hand in place of that question */
        struct session *next = step_change(st, s);
        next->move.asked = 0;
        play_hand(st, next, seat, true, false);
        return TAKEN;
    }
    struct typed_move y = typed_by(st, s);
    struct str words = text_fold(st->fx->arena, e->words), target = {0};
    cardset held = s->match.round.hand[seat];
    if (s->match.round.phase == PHASE_DECIDE)
        return decide_by_number(st, s, seat, legal, n);
    if (words.n == 0)
        return refuse(st, T_PLAY_WHAT, arg_int(set_count(held)), arg_command(VERB_PLAY));
    /* A number answers the question. A button is a card, and so is a reaction under a hand. */
    int64_t number;
    bool answered = !e->pressed && e->under != UNDER_HAND && asked >= 0 &&
                    str_int(words, &number) && numbered(plays, n_asked, number);
    if (e->under == UNDER_OTHER && !answered) {
        refuse(st, T_OLD_HAND);
        play_hand(st, s, seat, true, true);
        return REFUSED;
    }
    if (answered)
        return play_one(st, s, seat, &y, plays, n_asked, words);
    if (s->match.round.phase == PHASE_DRAW) {
        n = plays_of(legal, n, s->match.round.drawn, plays);
        return play_one(st, s, seat, &y, plays, n, words);
    }
    enum find found = find_typed(&y, held, words, &card, &target);
    if (found != FIND_ONE)
        return refuse_card(&y, held, found, words, target);
    return play_one(st, s, seat, &y, plays, plays_of(legal, n, card, plays), target);
}

/* ---- the computer ---- */

enum verdict play_advice(struct step *st, const struct session *s)
{
    struct move legal[MAX_MOVES], m = st->e->move;
    int turn = session_turn(s);
    if (turn < 0 || !session_by_computer(s, turn) || st->e->version != s->version)
        return IGNORED;
    int n = legal_of(st, s, turn, legal);
    if (choice_find(legal, n, m) == n)
        return IGNORED;
    struct session *next = step_change(st, s);
    if (timer_paused(st, s))
        play_make(st, next, turn, m);
    else
        notation_move(m, next->move.thought);
    return TAKEN;
}
