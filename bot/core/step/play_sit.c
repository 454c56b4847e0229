/* Players around the cards: ready for the next round, the cut of a deal, its beacon, nudging,
 * resigning, claiming and waiting. And questions to the other people of a match: play on without one
 * of three who has left, a draw, a move taken back. One is open at a time. All who are asked must
 * say yes; one no is enough. A draw and a takeback are open until the next move; while the two
 * others choose whether to play on, the match stands still.
 *
 * A takeback shows no card that was hidden: hands are shown as they were, and the stock keeps its
 * order, for the deck is sealed. What was turned up is known to all, so between people it is for
 * casual matches, and until another person has moved. Against the computer its answer is taken
 * back too. */
#include "choice.h"
#include "play.h"

#define NUDGE_MS  ((int64_t)HOUR_MS) /* between two nudges */
#define RESIGN_MS (5 * MINUTE_MS)    /* a second /resign confirms the first */

/* ---- the table ---- */

/* True if the sender sits in a match that has begun; else a refusal. */
static bool must_sit(struct step *st, const struct session *s, int *ret_seat)
{
    *ret_seat = step_seat(st, s);
    if (s->phase == SESSION_OVER)
        refuse(st, T_MATCH_OVER, arg_command(VERB_CHALLENGE));
    else if (*ret_seat < 0)
        notice_not_theirs(st, s);
    else if (s->phase == SESSION_OFFERED)
        refuse(st, T_NOT_BEGUN);
    else
        return true;
    return false;
}

enum verdict play_choose_first(struct step *st, const struct session *s)
{
    return refuse(st, T_CHOOSE_FIRST, arg_seat(s, s->ask.seat), arg_command(VERB_CONTINUE));
}

/* The people who have to agree to a question of this seat: bit n is seat n. */
static unsigned asked_by(const struct session *s, int seat)
{
    unsigned asked = 0;
    for (int i = 0; i < s->players; i++)
        asked |= i != seat && !session_by_computer(s, i) ? 1u << i : 0;
    return asked;
}

/* The first of those asked who has not agreed yet; -1 if all have. */
static int waits_for(const struct session *s)
{
    unsigned rest = asked_by(s, s->ask.seat) & ~(unsigned)s->ask.agreed;
    return rest ? __builtin_ctz(rest) : -1;
}

/* The first seat that is not ready for the next round; -1 if all are. */
static int first_unready(const struct session *s)
{
    for (int i = 0; i < s->players; i++)
        if (!s->player[i].ready)
            return i;
    return -1;
}

/* ---- leaving ---- */

/* A seat leaves; of three, the others are asked whether they play on. */
static enum verdict leave_table(struct step *st, struct session *s, int seat, bool timeout)
{
    unsigned others = asked_by(s, seat), rest = others & (others - 1);
    if (s->players < MAX_PLAYERS || s->match.gone || others == 0)
        return play_leave(st, s, seat, timeout);
    s->ask = (struct open_question){ASK_GO_ON, (uint8_t)seat, 0};
    s->left = (int8_t)seat;
    s->left_timeout = timeout;
    timer_set(s, st->e->now + CHOOSE_MS, TIMER_CHOOSE);
    step_quiet(st, s);
    s->move.overdue = false;
    s->move.nudged = 0;
    s->beacon.until = 0; /* a deal that waits for it waits anew */
    s->player[seat].resign_asked = 0;
    step_posts_close_hand(st, s, seat); /* for them the match is over */
    play_board(st, s);
    struct arg second = rest ? arg_seat(s, __builtin_ctz(rest)) : (struct arg){0};
    struct notice *notice = announce(
        st, s, BUTTON_OF(VERB_CONTINUE), rest ? T_CHOOSE_TWO : T_CHOOSE_ONE, arg_seat(s, seat),
        arg_command(VERB_CONTINUE), arg_time(s->due), arg_seat(s, __builtin_ctz(others)), second);
    step_posts_add(st, s, POSTED_QUESTION, notice);
    return TAKEN;
}

/* ---- answers ---- */

/* True for a button of an earlier question than the open one. Lines of an older daemon have no
 * number. */
static bool is_outdated(const struct step *st, const struct session *s)
{
    uint32_t open = s->posts.standing[POSTED_QUESTION];
    return st->e->pressed && open > 0 && st->e->version != open;
}

/* "/draw no", or the second button. */
static bool says_no(const struct step *st)
{
    return st->e->pressed ? st->e->index == 1 : step_keyword(st, st->e->words) == KEYWORD_NO;
}

/* A yes of this seat. Returns true if it was the last one. */
static bool all_agree(struct step *st, struct session *s, int seat)
{
    s->ask.agreed |= (uint8_t)(1u << seat);
    int next = waits_for(s);
    if (next >= 0)
        answer(st, T_AGREED_NOTED, arg_seat(s, next));
    return next < 0;
}

/* Closes the question; the match stays as it is. */
static enum verdict drop(struct step *st, const struct session *s, enum text key, int seat)
{
    struct session *next = step_change(st, s);
    next->ask = (struct open_question){0};
    inform(st, next, key, arg_seat(s, seat));
    return TAKEN;
}

enum verdict play_continue(struct step *st, const struct session *s)
{
    int seat;
    if (!must_sit(st, s, &seat))
        return REFUSED;
    if (s->ask.what != ASK_GO_ON || is_outdated(st, s))
        return refuse(st, T_NOTHING_ASKED);
    struct session *next = step_change(st, s);
    if (says_no(st))
        return play_leave(st, next, s->ask.seat, s->left_timeout);
    if (!all_agree(st, next, seat))
        return TAKEN;
    inform(st, next, T_GOES_ON_WITHOUT, arg_seat(s, s->ask.seat));
    play_go_on(st, next, s->ask.seat);
    if (next->match.stage == MATCH_READY && first_unready(next) < 0)
        play_deal(st, next);
    return TAKEN;
}

/* A question of one player to the others, as /draw and /takeback put it. */
struct ask_row {
    enum ask what;
    enum verb verb;
    enum text asks, waits, declined;
};

/* What a button or command says about a question: it puts a new one, agrees to the open one, or has
 * been answered, with *ret. */
enum stance { STANCE_ANEW, STANCE_YES, STANCE_DONE };
static enum stance stance_of(struct step *st, const struct session *s, const struct ask_row *q,
                             int seat, enum verdict *ret)
{
    bool no = says_no(st);
    if (s->ask.what == ASK_GO_ON)
        *ret = play_choose_first(st, s);
    else if (s->ask.what != q->what && !no && !st->e->pressed)
        return STANCE_ANEW;
    else if (s->ask.what != q->what || is_outdated(st, s))
        *ret = refuse(st, T_NOTHING_ASKED);
    else if (s->ask.seat == seat && no && !st->e->pressed)
        *ret = drop(st, s, T_ASK_DROPPED, seat);
    else if (s->ask.seat == seat)
        *ret = refuse(st, q->waits, arg_seat(s, waits_for(s)), arg_command((int)q->verb));
    else if (no)
        *ret = drop(st, s, q->declined, seat);
    else
        return STANCE_YES;
    return STANCE_DONE;
}

static enum verdict put(struct step *st, const struct session *s, const struct ask_row *q, int seat)
{
    struct session *next = step_change(st, s);
    next->ask = (struct open_question){(uint8_t)q->what, (uint8_t)seat, 0};
    struct notice *notice = announce(st, next, BUTTON_OF(q->verb), q->asks, arg_seat(s, seat),
                                     arg_command((int)q->verb));
    step_posts_add(st, next, POSTED_QUESTION, notice);
    return TAKEN;
}

enum verdict play_draw(struct step *st, const struct session *s)
{
    static const struct ask_row q = {ASK_DRAW, VERB_DRAW, T_DRAW_OFFERED, T_DRAW_WAITS,
                                     T_DRAW_DECLINED};
    enum verdict verdict;
    int seat, computer = 0;
    if (!must_sit(st, s, &seat))
        return REFUSED;
    enum stance stance = stance_of(st, s, &q, seat, &verdict);
    if (stance == STANCE_DONE)
        return verdict;
    if (stance == STANCE_ANEW && asked_by(s, seat) != 0)
        return put(st, s, &q, seat);
    if (stance == STANCE_ANEW) {
        while (!session_by_computer(s, computer))
            computer++;
        return refuse(st, T_DRAW_COMPUTER, arg_seat(s, computer), arg_command(VERB_RESIGN));
    }
    struct session *next = step_change(st, s);
    if (all_agree(st, next, seat))
        play_agree(st, next, seat);
    return TAKEN;
}

/* The event of the round before which this seat last had a choice to make; -1 if none. *ret_later
 * is a person who has moved since, -1 if none. */
static int last_choice(struct step *st, const struct session *s, int seat, int *ret_later)
{
    const struct ruleset *g = step_ruleset(st, s);
    struct match *m = arena_new(st->fx->arena, struct match);
    struct move legal[MAX_MOVES];
    *ret_later = -1;
    for (int n = s->match.round.n_seen - 1; n >= 0; n--) {
        int who = s->match.round.seen[n].seat_kind >> 4;
        *m = s->match;
        if (who != seat)
            *ret_later = session_by_computer(s, who) ? *ret_later : who;
        else if (match_take_back(g, m, seat, n, NULL) &&
                 !choice_is_one(legal, round_legal(g, &m->round, seat, legal)))
            return n;
    }
    return -1;
}

enum verdict play_takeback(struct step *st, const struct session *s)
{
    static const struct ask_row q = {ASK_TAKEBACK, VERB_TAKEBACK, T_TAKEBACK_ASKED,
                                     T_TAKEBACK_WAITS, T_TAKEBACK_DECLINED};
    enum verdict verdict;
    int seat, later;
    if (!must_sit(st, s, &seat))
        return REFUSED;
    if (s->duel[0])
        return refuse(st, T_DUEL_NO_HELP);
    if (!session_casual(s))
        return refuse(st, T_TAKEBACK_COUNTS, arg_command(VERB_CHALLENGE));
    enum stance stance = stance_of(st, s, &q, seat, &verdict);
    if (stance == STANCE_DONE)
        return verdict;
    int whose = stance == STANCE_YES ? s->ask.seat : seat;
    int n = s->match.stage == MATCH_PLAYING ? last_choice(st, s, whose, &later) : -1;
    if (n < 0)
        return refuse(st, T_TAKEBACK_NONE);
    if (later >= 0)
        return refuse(st, T_TAKEBACK_LATE, arg_seat(s, later));
    if (stance == STANCE_ANEW && asked_by(s, seat) != 0)
        return put(st, s, &q, seat);
    struct session *next = step_change(st, s);
    if (stance == STANCE_YES && !all_agree(st, next, seat))
        return TAKEN;
    inform(st, next, T_TAKEN_BACK, arg_seat(s, whose));
    return play_take_back(st, next, whose, n);
}

/* ---- between rounds ---- */

enum verdict play_ready(struct step *st, const struct session *s)
{
    int seat;
    if (s->phase == SESSION_OFFERED)
        return lobby_accept(st, s);
    if (!must_sit(st, s, &seat))
        return REFUSED;
    if (s->ask.what == ASK_GO_ON)
        return play_choose_first(st, s);
    if (s->match.stage != MATCH_READY)
        return refuse(st, T_ROUND_RUNS, arg_int(s->match.round_no));
    if (s->player[seat].ready)
        return refuse(st, T_READY_AGAIN, arg_time(s->due));
    struct session *next = step_change(st, s);
    next->player[seat].ready = true;
    int other = first_unready(next);
    return other < 0 ? play_deal(st, next)
                     : answer(st, T_READY_NOTED, arg_seat(next, other), arg_time(next->due));
}

enum verdict play_cut(struct step *st, const struct session *s)
{
    int seat = step_seat(st, s);
    if (seat < 0 || s->phase == SESSION_OVER)
        return notice_not_theirs(st, s);
    if (s->duel[0])
        return refuse(st, T_DUEL_NO_HELP);
    if (s->phase == SESSION_PLAYING && (s->match.stage != MATCH_READY || s->beacon.until))
        return refuse(st, T_CUT_LATER, arg_command(VERB_CUT));
    if (st->e->words.n == 0)
        return refuse(st, T_CUT_WHAT, arg_command(VERB_CUT));
    struct session *next = step_change(st, s);
    NAME_PUT(next->player[seat].cut, text_clean(st->fx->arena, st->e->words, CUT_SIZE - 1));
    return answer(st, T_CUT_DONE, arg_str(str_of(next->player[seat].cut)),
                  arg_int(s->phase == SESSION_OFFERED ? 1 : s->match.round_no));
}

enum verdict play_beacon(struct step *st, const struct session *s)
{
    if (s->phase != SESSION_PLAYING || !s->beacon.until || st->e->version != s->version)
        return IGNORED;
    return play_deal_mixed(st, step_change(st, s), st->e->words);
}

/* ---- a slow player ---- */

enum verdict play_nudge(struct step *st, const struct session *s)
{
    int seat = step_seat(st, s), turn = session_turn(s);
    int64_t now = st->e->now;
    if (s->phase == SESSION_OVER)
        return refuse(st, T_MATCH_OVER, arg_command(VERB_CHALLENGE));
    if (turn < 0)
        return refuse(st, T_NUDGE_NO_TURN);
    if (seat < 0)
        return notice_not_theirs(st, s);
    if (turn == seat)
        return refuse(st, T_NUDGE_SELF, arg_command(VERB_HAND));
    if (session_by_computer(s, turn))
        return refuse(st, T_NOT_YOUR_TURN_EVER, arg_seat(s, turn));
    const struct absence *absence = &s->player[turn].absence;
    if (absence_ring_at(absence, now) > now)
        return refuse(st, absence_on_vacation(absence, now) ? T_NUDGE_VACATION : T_NUDGE_QUIET,
                      arg_seat(s, turn), arg_time(absence_ring_at(absence, now)));
    if (s->move.nudged && now < s->move.nudged + NUDGE_MS)
        return refuse(st, T_NUDGE_EARLY, arg_seat(s, turn), arg_time(s->move.nudged + NUDGE_MS));
    struct session *next = step_change(st, s);
    next->move.nudged = now;
    struct notice *notice =
        announce(st, next, BUTTON_OF(VERB_HAND), T_NUDGED, arg_seat(s, turn), arg_seat(s, seat));
    step_posts_add(st, next, POSTED_REMINDER, notice);
    return TAKEN;
}

/* ---- resign, claim, wait ---- */

enum verdict play_resign(struct step *st, const struct session *s)
{
    int seat;
    if (!must_sit(st, s, &seat))
        return REFUSED;
    if (st->e->pressed && st->e->index > 0 && st->e->index <= s->players &&
        st->e->index != seat + 1)
        return refuse(st, T_RESIGN_OTHERS, arg_seat(s, (int)st->e->index - 1),
                      arg_command(VERB_RESIGN));
    if (s->ask.what == ASK_GO_ON)
        return play_choose_first(st, s);
    struct session *next = step_change(st, s);
    int64_t asked = s->player[seat].resign_asked;
    if (asked == 0 || st->e->now >= asked + RESIGN_MS) {
        next->player[seat].resign_asked = st->e->now;
        enum text sure = s->duel[0]                           ? T_RESIGN_DUEL
                         : session_casual(s) || s->from.match ? T_RESIGN_CASUAL
                                                              : T_RESIGN_SURE;
        struct notice *notice = notice_line(st, TO_ASKER, sure, arg_command(VERB_RESIGN));
        notice->verbs = BUTTON_OF(VERB_RESIGN);
        notice->table = step_table(st, next, SEAT_PUBLIC);
        notice->seat = (int8_t)seat;
        notice->post = st->e->now;
        return TAKEN;
    }
    return leave_table(st, next, seat, false);
}

enum verdict play_claim(struct step *st, const struct session *s)
{
    int seat, turn = session_turn(s);
    if (!must_sit(st, s, &seat))
        return REFUSED;
    if (!s->move.overdue && turn == seat)
        return refuse(st, T_NUDGE_SELF, arg_command(VERB_HAND));
    if (!s->move.overdue || turn < 0)
        return turn >= 0 && session_deadline(s)
                   ? refuse(st, T_CLAIM_EARLY, arg_seat(s, turn), arg_time(session_deadline(s)))
                   : refuse(st, T_CLAIM_NO_CLOCK);
    if (turn == seat)
        return refuse(st, T_CLAIM_OWN);
    return leave_table(st, step_change(st, s), turn, true);
}

enum verdict play_wait(struct step *st, const struct session *s)
{
    int seat, turn = session_turn(s);
    if (!must_sit(st, s, &seat))
        return REFUSED;
    if (!s->move.overdue || turn < 0 || turn == seat)
        return refuse(st, T_WAIT_NOTHING);
    struct session *next = step_change(st, s);
    next->move.overdue = false;
    next->moved = st->e->now;
    next->player[turn].time_left = next->time.total_ms;
    timer_turn(st, next);
    inform(st, next, T_WAITING, arg_seat(s, seat), arg_seat(s, turn),
           arg_time(session_deadline(next)))
        ->notify = true;
    return TAKEN;
}
