/* /tournament: its words, and the buttons that stand for them. Its table, joining, leaving, and
 * what its host does. */
#include "contest.h"

#include "keyword.h"

/* Numbers of posts that can be leafed through: they fit a button. */
enum { POSTS = 1000000 };

struct tournament_run *contest_change(struct step *st, const struct tournament_run *was)
{
    struct tournament_run *run = arena_new(st->fx->arena, struct tournament_run);
    *run = *was;
    st->fx->tournament = run;
    return run;
}

/* ---- refusals ---- */

static enum verdict refuse_none(struct step *st)
{
    return notice_refuse(st, T_TOURNAMENT_NONE, ARGS(arg_command(VERB_TOURNAMENT)));
}

static bool must_be_stage(struct step *st, enum tournament_stage stage)
{
    const struct tournament_run *run = st->w->tournament;
    if (run->t.stage == stage)
        return true;
    notice_refuse(st, run->t.stage == STAGE_RUNNING ? T_TOURNAMENT_BEGUN : T_TOURNAMENT_GONE,
                  ARGS(arg_command(VERB_TOURNAMENT)));
    return false;
}

static bool must_host(struct step *st)
{
    const struct tournament_run *run = st->w->tournament;
    if ((st->w->me.person && st->w->me.person == run->host) ||
        (st->e->admin && st->w->chat.id == run->chat))
        return true;
    notice_refuse(st, T_TOURNAMENT_HOST_ONLY, ARGS(arg_str(run->host_name)));
    return false;
}

/* ---- looking ---- */

/* Anew, at the bottom of the chat. Returns false if the tournament is not played there. */
static bool show_opening(struct step *st)
{
    const struct tournament_run *run = st->w->tournament;
    for (int i = 0; i < run->n_chats; i++)
        if (run->chat_id[i] == st->w->chat.id) {
            contest_show(st, run, TOURNAMENT_OPENING, 0, true)->only = (int8_t)i;
            return true;
        }
    return false;
}

/* A typed question is answered for all, and its pages are edits of the answer; a pressed one is
 * answered to the sender. */
static enum verdict show_table(struct step *st)
{
    const struct event *e = st->e;
    const struct tournament_run *run = st->w->tournament;
    bool paged = e->pressed && e->version > 0;
    if (run->t.stage == STAGE_CANCELLED)
        return notice_refuse(st, T_TOURNAMENT_GONE, ARGS(arg_command(VERB_TOURNAMENT)));
    if (run->t.stage == STAGE_OPEN && show_opening(st))
        return TAKEN;
    struct notice *notice =
        effect_notice(st->fx, NOTICE_TOURNAMENT, e->pressed && !paged ? TO_ASKER : TO_HERE);
    notice->tournament.run = run;
    notice->n = run->t.stage == STAGE_OPEN ? TOURNAMENT_OPENING : TOURNAMENT_TABLE;
    notice->tournament.round = run->t.round;
    notice->tournament.page =
        e->pressed && e->index >= TOURNAMENT_PAGE ? (int)e->index - TOURNAMENT_PAGE : 0;
    notice->post = paged ? e->version : e->pressed ? 0 : 1 + e->now / 1000 % POSTS;
    return TAKEN;
}

/* ---- joining and leaving ---- */

static enum verdict join_tournament(struct step *st)
{
    const struct tournament_run *was = st->w->tournament;
    if (st->w->me.person == 0 || st->e->from.anonymous)
        return notice_refuse(st, T_ANONYMOUS, NO_ARGS);
    if (!must_be_stage(st, STAGE_OPEN))
        return REFUSED;
    if (tournament_find(&was->t, st->w->me.person) >= 0)
        return notice_refuse(st, T_TOURNAMENT_IN, ARGS(arg_int(was->t.no)));
    if (was->t.n_entrants == ENTRANTS_MOST)
        return notice_refuse(st, T_TOURNAMENT_FULL, ARGS(arg_int(ENTRANTS_MOST)));
    if (!st->e->direct && !(st->w->can & (CAN_WHISPER | CAN_DIRECT | CAN_POPUP)))
        return notice_refuse(st, T_NO_PRIVACY, NO_ARGS);
    if (lobby_on_vacation(st))
        return REFUSED;
    struct tournament_run joined = *was;
    if (!contest_add_chat(st, &joined))
        return REFUSED;
    struct tournament_run *run = contest_change(st, &joined);
    run->t.entrant[run->t.n_entrants++] = (struct tournament_entrant){.person = st->w->me.person,
                                                                      .handle = st->w->me.handle,
                                                                      .chat = st->w->chat.id,
                                                                      .name = st->e->from.name};
    for (int i = 0; i < run->n_chats; i++)
        contest_show(st, run, TOURNAMENT_OPENING, 0, i >= was->n_chats)->only = (int8_t)i;
    return notice_answer(st, T_TOURNAMENT_JOINED, ARGS(arg_int(run->t.no)));
}

/* Somebody else hosts it, if the host has left. */
static void pass_on(struct tournament_run *run, int64_t left)
{
    for (int i = 0; run->host == left && i < run->t.n_entrants; i++) {
        const struct tournament_entrant *e = &run->t.entrant[i];
        if (e->out || e->person == left)
            continue;
        run->host = e->person;
        run->host_handle = e->handle;
        run->host_name = e->name;
    }
}

static void take_out(struct tournament *t, int at)
{
    t->n_entrants--;
    for (int i = at; i < t->n_entrants; i++)
        t->entrant[i] = t->entrant[i + 1];
}

/* Their match, if one runs, is world.named: it ends, and its result follows in the same
 * transaction. Returns false if it is not there. */
static bool give_up_match(struct step *st, int64_t person, const struct tournament_game *g)
{
    const struct session *s = st->w->named;
    int seat = s && s->no == g->session ? session_seat(s, person) : -1;
    if (seat < 0 || s->phase != SESSION_PLAYING)
        return false;
    play_leave(st, step_change(st, s), seat, false);
    return true;
}

/* True if the sender, or the one the host names, leaves. */
static bool remove_player(struct step *st, int64_t person, struct tournament_run **ret)
{
    int at = tournament_find(&st->w->tournament->t, person);
    if (at < 0 || st->w->tournament->t.entrant[at].out)
        return false;
    struct tournament_run *run = *ret = contest_change(st, st->w->tournament);
    struct str name = run->t.entrant[at].name;
    if (run->t.stage == STAGE_OPEN) {
        take_out(&run->t, at);
        pass_on(run, person);
        contest_show(st, run, TOURNAMENT_OPENING, 0, false);
        return true;
    }
    struct tournament_game *g = tournament_leave(&run->t, at);
    pass_on(run, person);
    contest_announce(st, run, T_TOURNAMENT_PLAYER_GONE, ARGS(arg_str(name), arg_int(run->t.no)));
    if (g && give_up_match(st, person, g))
        return true;
    if (g)
        g->result = g->first == at ? GAME_SECOND : GAME_FIRST;
    contest_follow(st, run);
    return true;
}

static enum verdict leave(struct step *st)
{
    struct tournament_run *run;
    if (st->w->tournament->t.stage > STAGE_RUNNING)
        return must_be_stage(st, STAGE_OPEN) ? TAKEN : REFUSED;
    if (!remove_player(st, st->w->me.person, &run))
        return notice_refuse(st, T_TOURNAMENT_NOT_IN, ARGS(arg_int(st->w->tournament->t.no)));
    return notice_answer(st, T_TOURNAMENT_LEFT, ARGS(arg_int(run->t.no)));
}

/* ---- what its host does ---- */

static enum verdict kick(struct step *st)
{
    struct tournament_run *run;
    if (st->w->tournament->t.stage > STAGE_RUNNING)
        return must_be_stage(st, STAGE_OPEN) ? TAKEN : REFUSED;
    if (!must_host(st))
        return REFUSED;
    if (st->e->n_mentions != 1)
        return notice_refuse(st, T_TOURNAMENT_KICK_WHOM, ARGS(arg_command(VERB_TOURNAMENT)));
    if (!remove_player(st, st->w->mention[0].person, &run))
        return notice_refuse(st, T_TOURNAMENT_NOT_IN_THEY, ARGS(arg_str(st->e->mention[0].name)));
    return TAKEN;
}

static enum verdict start(struct step *st)
{
    const struct tournament_run *was = st->w->tournament;
    if (!must_be_stage(st, STAGE_OPEN) || !must_host(st))
        return REFUSED;
    if (was->t.n_entrants < ENTRANTS_LEAST)
        return notice_refuse(st, T_TOURNAMENT_FEW,
                             ARGS(arg_int(ENTRANTS_LEAST), arg_int(was->t.n_entrants)));
    contest_start(st, contest_change(st, was));
    return TAKEN;
}

static enum verdict cancel(struct step *st)
{
    if (st->w->tournament->t.stage > STAGE_RUNNING)
        return must_be_stage(st, STAGE_OPEN) ? TAKEN : REFUSED;
    if (!must_host(st))
        return REFUSED;
    struct tournament_run *run = contest_change(st, st->w->tournament);
    bool running = run->t.stage == STAGE_RUNNING;
    run->t.stage = STAGE_CANCELLED;
    run->ends = st->e->now;
    run->due = 0;
    contest_announce(st, run, running ? T_TOURNAMENT_STOPPED : T_TOURNAMENT_CANCELLED,
                     ARGS(arg_str(st->e->from.name), arg_int(run->t.no)));
    return TAKEN;
}

/* ---- the command ---- */

/* The longest beginning of the words, two or one, that is a keyword; *rest are those behind it. */
static enum keyword first_keyword(struct step *st, struct str *rest)
{
    struct str all = *rest, one = str_word(rest), behind = *rest, two = str_word(&behind);
    struct str both = {one.p, two.n ? (size_t)(two.p + two.n - one.p) : one.n};
    enum keyword k = keyword_find(st->w->bot->languages, st->fx->arena, both);
    if (k >= KEYWORD_SWISS) {
        *rest = two.n ? behind : *rest;
        return k;
    }
    k = keyword_find(st->w->bot->languages, st->fx->arena, one);
    if (k < KEYWORD_SWISS)
        *rest = all;
    return k >= KEYWORD_SWISS ? k : KEYWORD_NONE;
}

static enum keyword asked(struct step *st, struct str *rest)
{
    if (!st->e->pressed)
        return first_keyword(st, rest);
    return st->e->index == TOURNAMENT_BUTTON_JOIN    ? KEYWORD_JOIN
           : st->e->index == TOURNAMENT_BUTTON_LEAVE ? KEYWORD_LEAVE
           : st->e->index == TOURNAMENT_BUTTON_START ? KEYWORD_START
                                                     : KEYWORD_NONE;
}

enum verdict tournament_command(struct step *st)
{
    struct str rest = str_trim(st->e->words);
    enum keyword what = asked(st, &rest);
    if (st->w->me.person == 0 && what != KEYWORD_NONE)
        return notice_refuse(st, T_ANONYMOUS, NO_ARGS);
    bool opens = what >= KEYWORD_SWISS && what <= KEYWORD_KNOCKOUT;
    if ((opens || what == KEYWORD_START) && notice_closed(st))
        return REFUSED;
    if (opens)
        return contest_open(st,
                            what == KEYWORD_SWISS         ? FORMAT_SWISS
                            : what == KEYWORD_ROUND_ROBIN ? FORMAT_ROUND_ROBIN
                                                          : FORMAT_KNOCKOUT,
                            rest);
    if (!st->w->tournament)
        return refuse_none(st);
    switch (what) {
    case KEYWORD_JOIN:
        return join_tournament(st);
    case KEYWORD_LEAVE:
        return leave(st);
    case KEYWORD_KICK:
        return kick(st);
    case KEYWORD_START:
        return start(st);
    case KEYWORD_CANCEL:
        return cancel(st);
    default:
        break;
    }
    if (rest.n > 0)
        return notice_refuse(st, T_TOURNAMENT_WORDS, ARGS(arg_command(VERB_TOURNAMENT)));
    return show_table(st);
}
