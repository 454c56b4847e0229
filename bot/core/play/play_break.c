/* Breaks of a running match: a seat is left, and the match ends or goes on without its player; a
 * draw is agreed on; moves are taken back. play_ask.c asks the others first. */
#include "notation.h"
#include "play.h"

#include <assert.h>

void play_leave(struct step *st, struct session *s, int seat, bool timeout)
{
    const struct session *before = step_snapshot(st, s);
    struct round_log log = {0};
    match_leave(step_ruleset(st, s), &s->match, seat, &log);
    s->left = (int8_t)seat;
    s->left_timeout = timeout;
    play_follow(st, before, s, -1, &log);
}

void play_agree(struct step *st, struct session *s, int seat)
{
    const struct session *before = step_snapshot(st, s);
    struct round_log log = {0};
    match_agree(step_ruleset(st, s), &s->match, seat, &log);
    play_follow(st, before, s, -1, &log);
}

void play_stop_for_choice(struct step *st, struct session *s)
{
    play_quiet(st, s);
    s->overdue = false;
    s->nudged = 0;
    s->beacon.until = 0; /* a deal that waits for it waits anew */
    play_board(st, s);
}

/* Between rounds the sealed seed of the next deal stays, and only the pause begins anew. */
void play_go_on(struct step *st, struct session *s, int seat)
{
    const struct session *before = step_snapshot(st, s);
    struct round_log log = {0};
    match_go_on(&s->match, seat, &log);
    memset(s->player[seat].ahead, 0, sizeof s->player[seat].ahead);
    if (s->match.stage == MATCH_PLAYING) {
        play_follow(st, before, s, -1, &log);
        return;
    }
    play_log(st, before, s, &log);
    s->ask = ASK_NONE;
    s->player[seat].ready = true;
    timer_set(s, st->e->now + PAUSE_MS, TIMER_READY);
    play_board(st, s);
}

void play_take_back(struct step *st, struct session *s, int seat, int n_seen)
{
    const struct session *before = step_snapshot(st, s);
    struct round_log log = {0};
    bool done = match_take_back(step_ruleset(st, s), &s->match, seat, n_seen, &log);
    assert(done);
    (void)done;
    st->taken_back = true;
    for (int i = 0; i < s->players; i++) { /* they were kept for another position */
        struct move kept;
        char *ahead = s->player[i].ahead;
        if (ahead[0] && notation_read_move(ahead, strlen(ahead), &kept) < 0)
            st->lost[i] = (uint8_t)(kept.card + 1);
        memset(ahead, 0, sizeof s->player[i].ahead);
    }
    play_follow(st, before, s, -1, &log);
    for (int i = 0; i < s->players; i++)
        if (i != seat)
            play_hand(st, s, i, false, false);
}
