/* See hint.h: blank-separated, the move first in the engine's notation, then the numbers of the
 * rows. */
#include "hint.h"

#include "notation.h"

static const struct {
    size_t offset;
    int min, max;
} rows[] = {
    {offsetof(struct hint, win), 0, 100},
    {offsetof(struct hint, kind), 0, N_REASONS - 1},
    {offsetof(struct hint, seat), -1, MAX_PLAYERS - 1},
    {offsetof(struct hint, yaku), 0, N_YAKU},
    {offsetof(struct hint, card), 0, CARD_NONE},
    {offsetof(struct hint, chance), 0, 100},
    {offsetof(struct hint, instead), 0, 100},
    {offsetof(struct hint, decision), 0, 1},
    {offsetof(struct hint, stop_win), 0, 100},
    {offsetof(struct hint, stop_gain), 0, POINTS_MAX},
    {offsetof(struct hint, koikoi_win), 0, 100},
    {offsetof(struct hint, won), 0, 100},
    {offsetof(struct hint, gain), 0, POINTS_MAX},
    {offsetof(struct hint, lost), 0, 100},
    {offsetof(struct hint, risk), 0, POINTS_MAX},
    {offsetof(struct hint, next), -1, 100},
    {offsetof(struct hint, plan), 0, N_YAKU},
    {offsetof(struct hint, plan_chance), 0, 100},
    {offsetof(struct hint, threat_seat), -1, MAX_PLAYERS - 1},
    {offsetof(struct hint, threat), 0, N_YAKU},
    {offsetof(struct hint, threat_chance), 0, 100},
};
enum { N_ROWS = sizeof rows / sizeof *rows, N_FIRST_ROWS = N_ROWS - 6 };

static int whole(float x)
{
    return (int)(x + 0.5f);
}

void hint_of(const struct view *v, const struct review *r, struct hint *ret)
{
    *ret = (struct hint){.best = v->legal[r->best],
                         .win = whole(100 * r->advice.at[r->best].win),
                         .kind = r->reason.kind,
                         .seat = r->reason.seat,
                         .yaku = r->reason.yaku,
                         .card = r->reason.card,
                         .chance = whole(100 * r->reason.chance),
                         .instead = whole(100 * r->reason.instead),
                         .decision = r->decision,
                         .stop_win = whole(100 * r->stop.win),
                         .stop_gain = whole(r->stop.gain),
                         .koikoi_win = whole(100 * r->koikoi.win),
                         .won = whole(100 * r->koikoi.won),
                         .gain = whole(r->koikoi.gain),
                         .lost = whole(100 * r->koikoi.lost),
                         .risk = whole(r->koikoi.risk),
                         .next = r->next < 0 ? -1 : whole(100 * r->next),
                         .plan = r->plan.yaku,
                         .plan_chance = whole(100 * r->plan.chance),
                         .threat_seat = r->threat.seat,
                         .threat = r->threat.yaku,
                         .threat_chance = whole(100 * r->threat.chance)};
}

void hint_write(const struct hint *h, struct buf *ret)
{
    char move[NOTATION_MOVE_MAX];
    notation_move(h->best, move);
    buf_put(ret, str_of(move));
    for (int i = 0; i < N_ROWS; i++) {
        int n;
        memcpy(&n, (const char *)h + rows[i].offset, sizeof n);
        buf_char(ret, ' ');
        buf_int(ret, n);
    }
}

bool hint_read(struct str s, struct hint *ret)
{
    struct hint h = {.next = -1};
    struct str rest = s, move = str_word(&rest);
    if (notation_read_move(move.p, move.n, &h.best) >= 0)
        return false;
    for (int i = 0; i < N_ROWS && (i != N_FIRST_ROWS || rest.n > 0); i++) {
        int64_t n;
        if (!str_int(str_word(&rest), &n) || n < rows[i].min || n > rows[i].max)
            return false;
        int whole_n = (int)n;
        memcpy((char *)&h + rows[i].offset, &whole_n, sizeof whole_n);
    }
    if (rest.n > 0 ||
        (h.kind >= REASON_COMPLETES && h.kind <= REASON_BLOCKS && (h.seat < 0 || h.yaku == N_YAKU)))
        return false;
    if ((h.plan_chance > 0 && h.plan == N_YAKU) ||
        (h.threat_chance > 0 && (h.threat == N_YAKU || h.threat_seat < 0)))
        return false;
    *ret = h;
    return true;
}
