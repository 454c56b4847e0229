/* Questions to the other people of a match: play on without one of three who has left, a draw, a
 * move taken back. One is open at a time. All who are asked must say yes; one no is enough. A draw
 * and a takeback are open until the next move; while the two others choose whether to play on, the
 * match stands still.
 *
 * A takeback shows no card that was hidden: hands are shown as they were, and the stock keeps its
 * order, for the deck is sealed. What was turned up is known to all, so between people it is for
 * casual matches, and until another person has moved. Against the computer its answer is taken
 * back too. */
#include "choice.h"
#include "keyword.h"
#include "play.h"

/* ---- the table ---- */

bool play_must_sit(struct step *st, const struct session *s, int *ret_seat)
{
    *ret_seat = session_seat(s, st->w->me.person);
    if (s->phase == SESSION_OVER)
        notice_refuse(st, T_MATCH_OVER, ARGS(arg_command(VERB_CHALLENGE)));
    else if (*ret_seat < 0)
        notice_refuse(st, T_NOT_YOUR_MATCH,
                      ARGS(arg_seat(s, 0), arg_seat(s, 1), arg_command(VERB_CHALLENGE)));
    else if (s->phase == SESSION_OFFERED)
        notice_refuse(st, T_NOT_BEGUN, NO_ARGS);
    else
        return true;
    return false;
}

enum verdict play_choose_first(struct step *st, const struct session *s)
{
    return notice_refuse(st, T_CHOOSE_FIRST,
                         ARGS(arg_seat(s, s->ask.seat), arg_command(VERB_CONTINUE)));
}

/* The people who have to agree to a question of this seat: bit n is seat n. */
static unsigned asked_by(const struct session *s, int seat)
{
    unsigned asked = 0;
    for (int i = 0; i < s->players; i++)
        asked |= i != seat && !session_by_computer(s, i) ? 1u << i : 0;
    return asked;
}

/* ---- leaving ---- */

static int first_of(unsigned seats)
{
    return __builtin_ctz(seats);
}

static void open_question(struct session *s, enum ask what, int seat)
{
    s->ask = (struct open_question){(uint8_t)what, (uint8_t)seat, 0};
}

void play_leave_table(struct step *st, struct session *s, int seat, bool timeout)
{
    unsigned others = asked_by(s, seat);
    if (s->players < MAX_PLAYERS || s->match.gone || others == 0) {
        play_leave(st, s, seat, timeout);
        return;
    }
    open_question(s, ASK_GO_ON, seat);
    s->left = (int8_t)seat;
    s->left_timeout = timeout;
    timer_set(s, st->e->now + CHOOSE_MS, TIMER_CHOOSE);
    play_stop_for_choice(st, s);
    int ann = first_of(others);
    unsigned rest = others & (others - 1);
    struct notice *notice = notice_announce(
        st, s, rest ? T_CHOOSE_TWO : T_CHOOSE_ONE,
        ARGS(arg_seat(s, seat), arg_command(VERB_CONTINUE), arg_time(s->due), arg_seat(s, ann),
             rest ? arg_seat(s, first_of(rest)) : (struct arg){0}),
        BUTTON_OF(VERB_CONTINUE));
    step_posts_add(st, s, POSTED_QUESTION, notice);
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
    return st->e->pressed
               ? st->e->index == 1
               : keyword_find(st->w->bot->languages, st->fx->arena, st->e->words) == KEYWORD_NO;
}

/* The first of those asked who has not agreed yet; -1 if all have. */
static int waits_for(const struct session *s)
{
    unsigned rest = asked_by(s, s->ask.seat) & ~(unsigned)s->ask.agreed;
    return rest ? first_of(rest) : -1;
}

/* A yes of this seat. Returns true if it was the last one. */
static bool all_agree(struct step *st, struct session *s, int seat)
{
    s->ask.agreed |= (uint8_t)(1u << seat);
    int next = waits_for(s);
    if (next >= 0)
        notice_answer(st, T_AGREED_NOTED, ARGS(arg_seat(s, next)));
    return next < 0;
}

/* Closes the question; the match stays as it is. */
static enum verdict drop(struct step *st, const struct session *s, enum text key, int seat)
{
    struct session *next = step_change(st, s);
    open_question(next, ASK_NONE, 0);
    notice_announce(st, next, key, ARGS(arg_seat(s, seat)), 0)->notify = false;
    return TAKEN;
}

enum verdict play_continue(struct step *st, const struct session *s)
{
    int seat;
    if (!play_must_sit(st, s, &seat))
        return REFUSED;
    if (s->ask.what != ASK_GO_ON || is_outdated(st, s))
        return notice_refuse(st, T_NOTHING_ASKED, NO_ARGS);
    struct session *next = step_change(st, s);
    if (says_no(st)) {
        play_leave(st, next, s->ask.seat, s->left_timeout);
        return TAKEN;
    }
    if (!all_agree(st, next, seat))
        return TAKEN;
    notice_announce(st, next, T_GOES_ON_WITHOUT, ARGS(arg_seat(s, s->ask.seat)), 0)->notify = false;
    play_go_on(st, next, s->ask.seat);
    for (int i = 0; next->match.stage == MATCH_READY && i < next->players; i++)
        if (!next->player[i].ready)
            return TAKEN;
    if (next->match.stage == MATCH_READY)
        play_deal(st, next);
    return TAKEN;
}

/* A question of one player to the others, as /draw and /takeback put it. */
struct ask_row {
    enum ask what;
    enum verb verb;
    enum text asks, waits, declined;
};

/* A button or command about a question that is open, or was. Returns false if it puts a new one. */
static bool answer(struct step *st, const struct session *s, const struct ask_row *q, int seat,
                   enum verdict *ret, bool *ret_agreed)
{
    bool no = says_no(st);
    *ret = TAKEN;
    *ret_agreed = false;
    if (s->ask.what == ASK_GO_ON) {
        *ret = play_choose_first(st, s);
    } else if (s->ask.what != q->what) {
        if (!no && !st->e->pressed)
            return false;
        *ret = notice_refuse(st, T_NOTHING_ASKED, NO_ARGS);
    } else if (is_outdated(st, s)) {
        *ret = notice_refuse(st, T_NOTHING_ASKED, NO_ARGS);
    } else if (s->ask.seat == seat) {
        *ret = no && !st->e->pressed
                   ? drop(st, s, T_ASK_DROPPED, seat)
                   : notice_refuse(st, q->waits,
                                   ARGS(arg_seat(s, waits_for(s)), arg_command((int)q->verb)));
    } else if (no) {
        *ret = drop(st, s, q->declined, seat);
    } else {
        *ret_agreed = true;
    }
    return true;
}

static enum verdict put(struct step *st, const struct session *s, const struct ask_row *q, int seat)
{
    struct session *next = step_change(st, s);
    open_question(next, q->what, seat);
    step_posts_add(st, next, POSTED_QUESTION,
                   notice_announce(st, next, q->asks,
                                   ARGS(arg_seat(s, seat), arg_command((int)q->verb)),
                                   BUTTON_OF(q->verb)));
    return TAKEN;
}

/* ---- a draw ---- */

static int first_computer(const struct session *s)
{
    int seat = 0;
    while (!session_by_computer(s, seat))
        seat++;
    return seat;
}

enum verdict play_draw(struct step *st, const struct session *s)
{
    static const struct ask_row q = {ASK_DRAW, VERB_DRAW, T_DRAW_OFFERED, T_DRAW_WAITS,
                                     T_DRAW_DECLINED};
    enum verdict verdict;
    bool agreed;
    int seat;
    if (!play_must_sit(st, s, &seat))
        return REFUSED;
    if (!answer(st, s, &q, seat, &verdict, &agreed))
        return asked_by(s, seat) != 0
                   ? put(st, s, &q, seat)
                   : notice_refuse(st, T_DRAW_COMPUTER,
                                   ARGS(arg_seat(s, first_computer(s)), arg_command(VERB_RESIGN)));
    if (!agreed)
        return verdict;
    struct session *next = step_change(st, s);
    if (all_agree(st, next, seat))
        play_agree(st, next, seat);
    return TAKEN;
}

/* ---- taking back ---- */

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
    bool agreed;
    int seat, later;
    if (!play_must_sit(st, s, &seat))
        return REFUSED;
    if (!session_casual(s))
        return notice_refuse(st, T_TAKEBACK_COUNTS, ARGS(arg_command(VERB_CHALLENGE)));
    bool open = answer(st, s, &q, seat, &verdict, &agreed);
    if (open && !agreed)
        return verdict;
    int whose = open ? s->ask.seat : seat;
    int n = s->match.stage == MATCH_PLAYING ? last_choice(st, s, whose, &later) : -1;
    if (n < 0)
        return notice_refuse(st, T_TAKEBACK_NONE, NO_ARGS);
    if (later >= 0)
        return notice_refuse(st, T_TAKEBACK_LATE, ARGS(arg_seat(s, later)));
    if (!open && asked_by(s, seat) != 0)
        return put(st, s, &q, seat);
    struct session *next = step_change(st, s);
    if (open && !all_agree(st, next, seat))
        return TAKEN;
    notice_announce(st, next, T_TAKEN_BACK, ARGS(arg_seat(s, whose)), 0)->notify = false;
    play_take_back(st, next, whose, n);
    return TAKEN;
}
