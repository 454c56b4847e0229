/* Moves that follow by themselves: a drawn card that can only take one of two equal plains, a stop
 * where calling can bring nothing, and the move that a player has kept for their turn. */
#include "choice.h"
#include "notation.h"
#include "play.h"

static void add_log(struct round_log *log, const struct round_log *more)
{
    for (int i = 0; i < more->n && log->n < MAX_LOG; i++)
        log->at[log->n++] = more->at[i];
}

/* Plays a drawn card that can only take one of two equal plains, which is no choice. */
static void resolve_equal_draw(const struct ruleset *g, struct session *s, struct round_log *log)
{
    struct move legal[MAX_MOVES];
    struct round_log more = {0};
    if (s->match.stage != MATCH_PLAYING || s->match.round.phase != PHASE_DRAW)
        return;
    int seat = s->match.round.turn, n = round_legal(g, &s->match.round, seat, legal);
    if (!choice_is_one(legal, n))
        return;
    (void)match_apply(g, &s->match, seat, legal[0], &more);
    add_log(log, &more);
}

/* Stops for a player who has a yaku and no call left (koikoi_limit), or no card: calling can bring
 * them nothing then. Only a dealer under oya-kan is paid if no player stops, and decides. */
static void stop_without_choice(const struct ruleset *g, struct session *s, struct round_log *log)
{
    const struct round *r = &s->match.round;
    struct round_log more = {0};
    struct move legal[MAX_MOVES];
    if (s->match.stage != MATCH_PLAYING || r->phase != PHASE_DECIDE)
        return;
    bool may_call = round_legal(g, r, r->turn, legal) > 1;
    bool oya_kan = s->rules.exhausted == EXHAUSTED_OYA_KAN && r->turn == r->dealer;
    if (may_call && (r->hand[r->turn] || oya_kan))
        return;
    (void)match_apply(g, &s->match, r->turn, (struct move){.kind = MOVE_STOP}, &more);
    add_log(log, &more);
}

void play_auto(const struct ruleset *g, struct session *s, struct round_log *log)
{
    resolve_equal_draw(g, s, log);
    stop_without_choice(g, s, log);
}

bool play_auto_kept(struct step *st, struct session *s, struct move *ret)
{
    int seat = session_turn(s);
    struct player *p = &s->player[seat];
    struct move legal[MAX_MOVES], m;
    if (!p->ahead[0])
        return false;
    bool good = notation_read_move(p->ahead, strlen(p->ahead), &m) < 0;
    memset(p->ahead, 0, sizeof p->ahead);
    if (!good)
        return false;
    int n = round_legal(step_ruleset(st, s), &s->match.round, seat, legal);
    for (int i = 0; i < n; i++)
        if (legal[i].kind == m.kind && legal[i].card == m.card && legal[i].take == m.take) {
            *ret = m;
            return true;
        }
    st->lost[seat] = (uint8_t)(m.card + 1);
    return false;
}
