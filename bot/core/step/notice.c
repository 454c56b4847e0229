/* Notices that many handlers make: a line to some audience, an answer to the sender, an
 * announcement to the table; and messages whose buttons go dead: each gets its number when it is
 * made, and loses its buttons with the step after which they are dead, or when a newer one of its
 * kind takes its place. */
#include "turn.h"

struct arg arg_seat(const struct session *s, int seat)
{
    const struct player *p = &s->player[seat];
    return (struct arg){.kind = ARG_NAME,
                        .n = session_by_computer(s, seat) ? 1 + p->character : 0,
                        .s = str_of(p->name),
                        .id = str_of(p->id),
                        .twin = (uint8_t)session_twin(s, seat),
                        .account = p->account,
                        .known = s->strangers ? 1 + p->venue : 0};
}

struct arg arg_typed(struct step *st, struct str words)
{
    return arg_str(text_clean(st->fx->arena, words, NAME_COLUMNS));
}

struct notice *notice_with(struct step *st, enum audience to, enum text key,
                           const struct arg args[MAX_ARGS])
{
    struct notice *notice = effect_notice(st->fx, NOTICE_LINE, to);
    notice->key = key;
    memcpy(notice->arg, args, sizeof notice->arg);
    for (int i = 0; i < MAX_ARGS; i++) { /* they may point into a session that goes away */
        notice->arg[i].s = arena_str(st->fx->arena, notice->arg[i].s);
        notice->arg[i].id = arena_str(st->fx->arena, notice->arg[i].id);
    }
    return notice;
}

enum verdict notice_refuse(struct step *st, enum text key, const struct arg args[MAX_ARGS])
{
    notice_with(st, TO_ASKER, key, args);
    return REFUSED;
}

enum verdict notice_answer(struct step *st, enum text key, const struct arg args[MAX_ARGS])
{
    notice_with(st, TO_ASKER, key, args);
    return TAKEN;
}

struct notice *notice_inform(struct step *st, const struct session *s, enum text key,
                             const struct arg args[MAX_ARGS])
{
    struct notice *notice = notice_with(st, TO_TABLE, key, args);
    notice->table = step_table(st, s, SEAT_PUBLIC);
    return notice;
}

struct notice *notice_announce(struct step *st, const struct session *s, uint64_t buttons,
                               enum text key, const struct arg args[MAX_ARGS])
{
    struct notice *notice = notice_inform(st, s, key, args);
    notice->notify = true;
    notice->verbs = buttons;
    return notice;
}

struct notice *notice_show(struct step *st, enum notice_kind kind, enum audience to,
                           const struct session *s, int seat)
{
    struct notice *notice = effect_notice(st->fx, kind, to);
    notice->seat = (int8_t)seat;
    notice->table = step_table(st, s, seat);
    return notice;
}

enum verdict notice_not_theirs(struct step *st, const struct session *s)
{
    struct arg who[MAX_PLAYERS];
    for (int i = 0; i < s->players; i++) {
        who[i] = arg_seat(s, i);
        if (!s->player[i].computer) /* also one who has left */
            who[i].n = 0;
    }
    struct arg own = arg_command(VERB_CHALLENGE);
    return s->players > 2 ? refuse(st, T_NOT_YOUR_MATCH_OF_THREE, who[0], who[1], who[2], own)
                          : refuse(st, T_NOT_YOUR_MATCH, who[0], who[1], own);
}

bool notice_closed(struct step *st)
{
    if (st->w->draining)
        refuse(st, T_DRAINING);
    return st->w->draining;
}

void notice_hello(struct step *st)
{
    bool screen = st->w->chat.can & CAN_NUMBER; /* one person alone, or a few who sit together */
    bool invited = st->e->verb == VERB_JOINED;  /* it may be unable to read */
    bool alone = (st->e->direct || screen) && !invited;
    effect_notice(st->fx, alone ? NOTICE_START_MENU : NOTICE_WELCOME,
                  alone && !st->e->direct ? TO_ASKER : TO_HERE);
}

/* ---- buttons that go dead ---- */

/* True if two more notices fit into this step; else the buttons wait for a later one. */
static bool has_room(const struct step *st)
{
    return st->fx->n_notices + 1 < MAX_NOTICES && st->fx->n_tables + 1 < MAX_TABLES;
}

static void close_one(struct step *st, struct session *s, enum posted kind)
{
    if (s->posts.standing[kind] == 0 || !has_room(st))
        return;
    struct notice *notice = notice_show(st, NOTICE_CLOSE, TO_TABLE, s, SEAT_PUBLIC);
    notice->posted = s->posts.standing[kind];
    notice->n = kind;
    s->posts.standing[kind] = 0;
}

void step_posts_add(struct step *st, struct session *s, enum posted kind, struct notice *notice)
{
    close_one(st, s, kind);
    notice->posted = s->posts.standing[kind] = ++s->posts.n;
}

void step_close_own(struct step *st, enum notice_kind kind, int64_t id)
{
    if (!has_room(st))
        return;
    struct notice *notice = effect_notice(st->fx, NOTICE_CLOSE, TO_ASKER);
    notice->n = kind;
    notice->post = id;
}

void step_posts_close_hand(struct step *st, const struct session *s, int seat)
{
    if (has_room(st))
        notice_show(st, NOTICE_CLOSE, TO_SEAT, s, seat);
}

struct notice *step_ping(struct step *st, const struct session *s, enum notice_kind kind)
{
    struct notice *notice = notice_show(st, kind, TO_TABLE, s, SEAT_PUBLIC);
    notice->seat = (int8_t)s->ping.seat;
    notice->only = (int8_t)s->ping.venue;
    notice->notify = kind == NOTICE_PING;
    return notice;
}

void step_quiet(struct step *st, struct session *s)
{
    if (s->ping.version == 0)
        return;
    step_ping(st, s, NOTICE_QUIET);
    s->ping = (struct ping){0};
}

static bool is_played(const struct session *s)
{
    return s->phase == SESSION_PLAYING && s->match.stage == MATCH_PLAYING;
}

/* What a player was asked about the match, numbered `post`, is over. */
static void close_asked(struct step *st, const struct session *s, int seat, int64_t post)
{
    if (!has_room(st) || session_by_computer(s, seat) || !s->player[seat].id[0])
        return;
    struct notice *notice = notice_show(st, NOTICE_CLOSE, TO_SEAT, s, SEAT_PUBLIC);
    notice->seat = (int8_t)seat;
    notice->n = 1;
    notice->post = post;
}

/* Questions to one player: why they decline, which card takes what, whether they really give up. */
static void close_questions(struct step *st, const struct session *was, const struct session *s)
{
    const bool runs = s->phase == SESSION_PLAYING, offered = was->phase == SESSION_OFFERED;
    const int turn = session_turn(was);
    for (int seat = 0; seat < was->players && seat < s->players; seat++) {
        const int64_t asked = was->player[seat].resign_asked;
        if (offered && s->phase != SESSION_OFFERED && seat > 0)
            close_asked(st, s, seat, 0);
        if (!offered && asked && (!runs || s->player[seat].resign_asked != asked))
            close_asked(st, s, seat, asked);
        if (seat == turn && was->move.asked && (!runs || !s->move.asked))
            close_asked(st, s, seat, 0);
    }
}

/* The round is over, by whatever end: each hand says so and cannot be tapped; the board does so by
 * the result, or here without a result. */
static void close_round(struct step *st, const struct session *s)
{
    for (int seat = 0; seat < s->players; seat++)
        if (!session_by_computer(s, seat) && has_room(st)) {
            notice_show(st, NOTICE_HAND, TO_SEAT, s, seat);
            step_posts_close_hand(st, s, seat);
        }
}

/* A match that was given up, between rounds too: its board has no result that replaces it. */
static void close_board(struct step *st, const struct session *s)
{
    if (!session_dealt(s) || !has_room(st))
        return;
    notice_show(st, NOTICE_BOARD, TO_TABLE, s, SEAT_PUBLIC);
    notice_show(st, NOTICE_CLOSE, TO_TABLE, s, SEAT_PUBLIC);
}

void step_posts_close(struct step *st)
{
    for (int i = 0; i < st->fx->n_saves; i++) {
        struct session *s = st->fx->save[i];
        bool runs = s->phase == SESSION_PLAYING;
        const bool dead[N_POSTED] = {[POSTED_OFFER] = s->phase != SESSION_OFFERED,
                                     [POSTED_PAUSE] = !runs || s->match.stage != MATCH_READY,
                                     [POSTED_QUESTION] = !runs || s->ask.what == ASK_NONE,
                                     [POSTED_TIME] = !runs || !s->move.overdue,
                                     [POSTED_REMINDER] = !runs};
        for (int kind = 0; kind < N_POSTED; kind++)
            if (dead[kind])
                close_one(st, s, (enum posted)kind);
        const struct session *was = step_before(st, s);
        bool played = was && is_played(was);
        if (was)
            close_questions(st, was, s);
        if (played && !is_played(s))
            close_round(st, s);
        if (!runs && has_room(st))
            step_quiet(st, s); /* nobody is called any more */
        if (s->phase == SESSION_OVER && s->end != END_PLAYED && s->match.players > 0)
            close_board(st, s);
        if (runs && !(was && was->phase == SESSION_PLAYING) && step_seat(st, s) >= 0)
            step_close_own(st, NOTICE_START_MENU, -1);
    }
}
