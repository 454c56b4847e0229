/* Windows of lanes: which of them a row counts in, and when they let it go. See lane.h. */
#include "lane_window.h"

enum {
    ANSWERS = 2, /* a minute, into a chat that is busy */
    STRICT_MS = 10 * 60 * 1000,
    STRICT_MOST_MS = 24 * 3600 * 1000
};

/* What one person sees counts by itself: hidden messages in a group, or what goes into a private
 * chat. */
static bool apart(const struct account_queue *q, bool alone, const struct row *r)
{
    return q->person.most > 0 && q->chat.most > 0 && (alone || r->whisper);
}

/* By which window of its lane a row waits. */
struct counted {
    struct rate rate;
    const struct window *window;
    bool answer; /* lane.answers too */
};

static struct counted counted_as(const struct account_queue *q, const struct lane *l,
                                 const struct row *r, int64_t now)
{
    bool strict = now < q->strict[l->alone].until, own = apart(q, l->alone, r);
    bool personal = own && !strict;
    return (struct counted){.rate = personal ? q->person : q->chat,
                            .window = l->alone ? &l->window
                                      : strict ? &l->all
                                      : own    ? &l->whispers
                                               : &l->window,
                            .answer = r->aside && !personal && q->chat.most > 3 * ANSWERS};
}

static struct rate answers_rate(struct rate chat)
{
    return (struct rate){ANSWERS, chat.span};
}

bool lane_is_board(const struct lane *l, const struct row *r)
{
    return r->n_slot > 0 && !r->named && !r->aside && !r->whisper && !l->alone;
}

/* What closes the buttons of a message leaves two thirds of its window to the match, and half of
 * the account's burst to all chats. */
static int64_t close_due_at(const struct account_queue *q, const struct counted *c, int ahead,
                            int64_t now)
{
    struct rate third = {(c->rate.most + 2) / 3, c->rate.span};
    int64_t quiet = window_next(c->window, third, ahead, now),
            half = bucket_half_left(&q->bucket, q->refill, now)
                       ? now
                       : q->bucket.due - q->refill.interval * (q->refill.burst / 2);
    return quiet > half ? quiet : half;
}

bool lane_shares_boards(const struct lanes *ls, const struct lane *l, const struct row *r,
                        int64_t now)
{
    const struct board_sent *other = &l->board[l->board[0].slot == str_hash(row_slot(r)) ? 1 : 0];
    return other->slot != 0 && now - other->at < ls->queue[l->account].chat.span;
}

/* The moment from which a window lets a board go. */
static int64_t board_due_at(const struct lanes *ls, const struct lane *l, const struct row *r,
                            const struct counted *c, int64_t now)
{
    int64_t last = l->board[0].at, due = window_even(c->window, c->rate, last, now);
    if (!lane_shares_boards(ls, l, r, now) || c->rate.most == 0)
        return due;
    int64_t next = last + c->rate.span / c->rate.most;
    return due > next ? due : next;
}

static void note_board(struct lane *l, const struct row *r, int64_t now)
{
    uint64_t slot = str_hash(row_slot(r));
    if (l->board[0].slot != slot)
        l->board[1] = l->board[0];
    l->board[0] = (struct board_sent){slot, now};
}

int64_t lane_due_at(const struct lanes *ls, const struct lane *l, const struct row *r, int ahead,
                    int64_t now)
{
    if (l->answer)
        return 0;
    struct counted c = counted_as(&ls->queue[l->account], l, r, now);
    if (r->closes)
        return close_due_at(&ls->queue[l->account], &c, ahead, now);
    int64_t due = window_next(c.window, c.rate, ahead, now);
    if (lane_is_board(l, r)) {
        int64_t even = board_due_at(ls, l, r, &c, now);
        due = due > even ? due : even;
    }
    if (!c.answer)
        return due;
    struct rate third = {c.rate.most / 3, c.rate.span};
    int64_t quiet = window_next(c.window, third, ahead, now),
            spare = window_next(&l->answers, answers_rate(c.rate), ahead, now),
            soonest = quiet < spare ? quiet : spare;
    return due > soonest ? due : soonest;
}

bool lane_has_room(const struct lanes *ls, int account, const struct lane *l, bool alone,
                   const struct row *r, int ahead, int64_t now)
{
    struct lane none = {.account = account, .alone = alone};
    return lane_due_at(ls, l ? l : &none, r, ahead, now) <= now;
}

void lane_charge(struct lanes *ls, struct lane *l, const struct row *r, int64_t now)
{
    struct account_queue *q = &ls->queue[l->account];
    if (l->answer)
        return;
    bool own = apart(q, l->alone, r);
    if (lane_is_board(l, r))
        note_board(l, r, now);
    window_charge(own && !l->alone ? &l->whispers : &l->window, own ? q->person : q->chat, now);
    if (!l->alone && q->person.most > 0)
        window_charge(&l->all, q->chat, now);
    if (!r->closes && counted_as(q, l, r, now).answer)
        window_charge(&l->answers, answers_rate(q->chat), now);
    bucket_charge(&q->bucket, q->refill, now);
}

void lane_learn(struct lanes *ls, const struct lane *l, const struct row *r, int64_t now)
{
    struct account_queue *q = &ls->queue[l->account];
    struct strictness *strict = &q->strict[l->alone];
    bool whispered = window_used(&l->whispers, q->person, now) > 0;
    if (l->answer || !(apart(q, l->alone, r) || whispered) || now < strict->until)
        return;
    bool long_ago = now - strict->until > STRICT_MOST_MS;
    strict->span = long_ago || strict->span == 0 ? STRICT_MS : strict->span * 2;
    if (strict->span > STRICT_MOST_MS)
        strict->span = STRICT_MOST_MS;
    strict->until = now + strict->span;
}

void lane_half_fill(const struct lanes *ls, struct lane *l, int64_t now)
{
    const struct account_queue *q = &ls->queue[l->account];
    bool own = l->alone && q->person.most > 0 && q->chat.most > 0;
    struct rate rate = own ? q->person : q->chat;
    if (l->answer || now - ls->opened >= rate.span)
        return;
    /* a refusal may make this the window of a group */
    int half = (own && q->chat.most < rate.most ? q->chat.most : rate.most) / 2;
    for (int i = 0; i < half; i++) {
        window_charge(&l->window, rate, ls->opened);
        if (!l->alone && q->person.most > 0)
            window_charge(&l->all, rate, ls->opened);
    }
}

int64_t lane_idle_at(const struct lanes *ls, const struct lane *l)
{
    const struct account_queue *q = &ls->queue[l->account];
    int64_t shared = window_idle_at(&l->window, q->chat),
            whispers = window_idle_at(&l->whispers, q->person);
    return shared > whispers ? shared : whispers;
}
