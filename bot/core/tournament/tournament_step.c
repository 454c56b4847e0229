/* Tournaments in chats. `/tournament`: its words, and the buttons that stand for them: opening, its
 * table, joining, leaving, and what its host does. And what happens by itself: the timer fires, a
 * match ends, and what follows a result, in the same step. A timer does one thing: it begins one
 * match, decides one whose time is up, reminds, or closes what was never started. So every step is
 * small, and a daemon that is stopped in between goes on with the next one. */
#include "lobby.h"
#include "play.h"
#include "tournament_run.h"

#define JOINING_MS (7 * DAY_MS) /* from the opening to the start */
#define ROUND_MS   (7 * DAY_MS) /* of a round, if nothing else is asked for */
#define ARENA_MS   HOUR_MS      /* of an arena, the same */
/* `due` of a tournament whose next step waits for no time; it does not move with the clock. */
enum { AT_ONCE = 1 };
/* The usual clock of an arena's matches: for each player, and after each turn. */
enum { ARENA_TOTAL_MS = 3 * 60 * 1000, ARENA_GAIN_MS = 5 * 1000 };

/* A copy to work on; it will be saved. */
static struct tournament_run *change(struct step *st, const struct tournament_run *was)
{
    struct tournament_run *run = arena_new(st->fx->arena, struct tournament_run);
    *run = *was;
    st->fx->tournament = run;
    return run;
}

/* ---- what its chats read ---- */

/* Its chats; who plays in each of them must learn what is new. */
static struct chats chats_of(struct step *st, const struct tournament_run *run)
{
    struct reader *readers = arena_array(st->fx->arena, struct reader, ENTRANTS_MOST);
    int n = 0;
    for (int i = 0; i < run->t.n_entrants; i++) {
        const struct tournament_entrant *e = &run->t.entrant[i];
        for (int c = 0; c < run->n_chats; c++)
            if (!e->out && e->chat == run->chat_id[c] && e->account == run->at[c].account &&
                e->id.n > 0)
                readers[n++] = (struct reader){.id = e->id,
                                               .account = e->account,
                                               .at = (uint8_t)c,
                                               .apart = e->left_chat,
                                               .quiet = e->quiet};
    }
    return (struct chats){run->n_chats, run->at, n, readers};
}

/* One page of it, to its chats. fresh: as a new message. */
static struct notice *show(struct step *st, const struct tournament_run *run,
                           enum tournament_page page, int round, bool fresh)
{
    struct notice *notice = effect_notice(st->fx, NOTICE_TOURNAMENT, TO_CHATS);
    notice->tournament.run = run;
    notice->chats = chats_of(st, run);
    notice->rules = &run->rules; /* whose words are used */
    notice->n = page;
    notice->tournament.round = round;
    notice->fresh = fresh;
    return notice;
}

/* A line to its chats. */
#define announce_all(st, run, key, ...) announce_with(st, run, key, ARGS(__VA_ARGS__))
static void announce_with(struct step *st, const struct tournament_run *run, enum text key,
                          const struct arg args[MAX_ARGS])
{
    struct notice *notice = notice_with(st, TO_CHATS, key, args);
    notice->chats = chats_of(st, run);
    notice->fresh = true;
}

/* ---- rounds ---- */

/* When the timer fires next; a round's reminder comes a quarter of it before its end. */
static void set_due(struct tournament_run *run)
{
    if (run->t.stage != STAGE_RUNNING)
        run->due = run->t.stage == STAGE_OPEN ? run->ends : 0;
    else if (tournament_next_to_begin(&run->t))
        run->due = AT_ONCE;
    else
        run->due = run->reminded ? run->ends : run->ends - run->round_ms / 4;
}

static void finish(struct step *st, struct tournament_run *run)
{
    run->t.stage = STAGE_OVER;
    run->ends = st->e->now;
    set_due(run);
    show(st, run, TOURNAMENT_RESULT, run->t.round, true)->notify = true;
}

/* Rounds in which everybody's game is decided at once, since others have left, pass by. */
static void next_round(struct step *st, struct tournament_run *run)
{
    do
        tournament_pair(&run->t);
    while (tournament_round_over(&run->t) && !tournament_is_over(&run->t));
    if (tournament_is_over(&run->t)) {
        finish(st, run);
        return;
    }
    run->ends = st->e->now + run->round_ms;
    run->reminded = false;
    set_due(run);
    show(st, run, TOURNAMENT_ROUND, run->t.round, true)->notify = true;
}

static bool is_arena(const struct tournament_run *run)
{
    return run->t.format == FORMAT_ARENA;
}

/* Its time is up and all games are over, or everybody has left. */
static bool arena_is_over(const struct step *st, const struct tournament_run *run)
{
    return tournament_round_over(&run->t) &&
           (st->e->now >= run->ends || tournament_present(&run->t) == 0);
}

/* Pairs those who are free, while there is time for a game. */
static void arena_goes_on(struct step *st, struct tournament_run *run)
{
    if (st->e->now < run->ends)
        tournament_pair_free(&run->t);
    set_due(run);
}

static enum verdict start(struct step *st, struct tournament_run *run)
{
    run->t.stage = STAGE_RUNNING;
    tournament_seed(&run->t);
    show(st, run, TOURNAMENT_OPENING, 0, false);
    if (!is_arena(run)) {
        next_round(st, run);
        return TAKEN;
    }
    run->t.round = 1;
    run->ends = st->e->now + run->round_ms;
    run->reminded = true; /* its message says until when */
    arena_goes_on(st, run);
    show(st, run, TOURNAMENT_ROUND, run->t.round, true)->notify = true;
    return TAKEN;
}

/* A game has got its result, or somebody has left: what follows. */
static enum verdict follow(struct step *st, struct tournament_run *run)
{
    if (is_arena(run) && !arena_is_over(st, run)) {
        arena_goes_on(st, run);
        show(st, run, TOURNAMENT_ROUND, run->t.round, false);
        return TAKEN;
    }
    show(st, run, TOURNAMENT_ROUND, run->t.round, false);
    if (!tournament_round_over(&run->t))
        set_due(run);
    else if (tournament_is_over(&run->t))
        finish(st, run);
    else
        next_round(st, run);
    return TAKEN;
}

/* ---- a game begins ---- */

/* Both read once why a clock stands still: a player went on vacation after joining. */
static void begin_game(struct step *st, struct tournament_run *run, struct tournament_game *g)
{
    const struct tournament_seat *seat = run->next;
    struct session *s = arena_new(st->fx->arena, struct session);
    s->rules = run->rules;
    s->time = run->time;
    s->players = 2;
    s->tournament = run->t.no;
    s->venue[0] = seat[0].venue;
    if (seat[1].venue.chat != seat[0].venue.chat)
        s->venue[++s->n_more] = seat[1].venue;
    for (int i = 0; i < 2; i++) {
        s->player[i] = seat[i].player;
        s->player[i].lot = CARD_NONE;
        s->player[i].joined = true;
        if (s->player[i].left_chat)
            lobby_leaves_chat(&s->player[i], seat[i].can);
        else
            s->player[i].channel = (uint8_t)channel_best(seat[i].can);
    }
    s->player[1].venue = s->n_more;
    lobby_begin(st, s);
    s = step_change(st, s);
    play_open(st, s);
    for (int i = 0; i < s->players; i++) {
        const struct absence *absence = &s->player[i].absence;
        if (absence_on_vacation(absence, st->e->now))
            inform(st, s, T_VACATION_TOLD, arg_seat(s, i), arg_time(absence->vacation_until));
    }
    run->begins = 1 + (int)(g - run->t.game);
}

/* ---- a game is decided ---- */

/* A match that was not played to its end counts as it stands. A player of whom nothing has been
 * heard since it began never came, and has lost. */
static void decide_game(const struct session *s, struct tournament_game *g)
{
    const int32_t *scores = s->match.scores;
    struct match_outcome o = outcome_of(s, 0);
    bool first = s->player[0].heard == 0, second = s->player[1].heard == 0;
    if (s->end == END_PLAYED) {
        g->result = o.won ? GAME_FIRST : o.drawn ? GAME_DRAW : GAME_SECOND;
        g->unplayed = o.forfeit && (o.won ? second : first);
        return;
    }
    g->unplayed = false;
    if (!tournament_forfeit(g, first, second))
        g->result = scores[0] > scores[1]   ? GAME_FIRST
                    : scores[0] < scores[1] ? GAME_SECOND
                                            : GAME_DRAW;
}

/* Who never came to a game of an arena and did not win it, or ran out of time, is paired no more;
 * they may join again. */
static void arena_drop_absent(struct tournament_run *run, const struct session *s,
                              const struct tournament_game *g)
{
    const uint8_t at[] = {g->first, g->second}, wins[] = {GAME_FIRST, GAME_SECOND};
    for (int i = 0; i < 2 && is_arena(run); i++)
        run->t.entrant[at[i]].out |=
            (s->player[i].heard == 0 && g->result != wins[i]) || (s->left_timeout && s->left == i);
}

/* Ends the next game whose time is up. A match that is no more, since it was damaged, is a draw;
 * where one player never came it is a forfeit as any other; else it is closed as it stands. */
static void close_game(struct step *st, struct tournament_run *run, struct tournament_game *g)
{
    const struct session *was = st->w->named;
    bool found = was && was->no == g->session;
    run->due = AT_ONCE; /* others may be open */
    if (!found || was->phase != SESSION_PLAYING) {
        if (found && !session_live(was))
            decide_game(was, g);
        else
            g->result = GAME_DRAW;
        follow(st, run);
        return;
    }
    struct session *s = step_change(st, was);
    bool first = s->player[0].heard == 0, second = s->player[1].heard == 0;
    if (first != second) {
        play_leave(st, s, first ? 0 : 1, true);
        return;
    }
    struct tournament_game closed = {0};
    timer_close(s, END_ABANDONED);
    s->version++;
    step_quiet(st, s);
    decide_game(s, &closed);
    announce(st, s, 0,
             closed.result == GAME_NEITHER ? T_TOURNAMENT_NEITHER
             : closed.result == GAME_DRAW  ? T_TOURNAMENT_LEVEL
                                           : T_TOURNAMENT_LEADS,
             arg_seat(s, closed.result == GAME_SECOND ? 1 : 0))
        ->seals = true;
}

/* ---- events ---- */

enum verdict tournament_due(struct step *st)
{
    const struct tournament_run *was = st->w->tournament;
    int64_t now = st->e->now;
    if (!was || was->due == 0 || was->due > now)
        return IGNORED;
    struct tournament_run *run = change(st, was);
    struct tournament *t = &run->t;
    struct tournament_game *waits = tournament_next_to_begin(t), *open = tournament_next_open(t);
    if (t->stage == STAGE_OPEN) {
        t->stage = STAGE_CANCELLED;
        run->ends = now;
        set_due(run);
        show(st, run, TOURNAMENT_OPENING, 0, false); /* without its buttons */
        announce_all(st, run, T_TOURNAMENT_EXPIRED, arg_int(t->no));
    } else if (waits && tournament_forfeit(waits, t->entrant[waits->first].out,
                                           t->entrant[waits->second].out)) {
        follow(st, run); /* the bot has forgotten them at their own wish */
    } else if (waits && run->next) {
        begin_game(st, run, waits);
        waits->session = -1; /* its number is known when the match is saved */
        set_due(run);
    } else if (waits && now < run->ends) { /* one of them plays on a network that is not there */
        run->due = now + HOUR_MS;
    } else if (waits) {
        tournament_forfeit(waits, true, true);
        follow(st, run);
    } else if (open && now >= run->ends) {
        close_game(st, run, open);
    } else if (open) {
        run->reminded = true;
        set_due(run);
        show(st, run, TOURNAMENT_REMINDER, t->round, true);
    } else {
        follow(st, run);
    }
    return TAKEN;
}

enum verdict tournament_result(struct step *st)
{
    const struct session *s = st->w->named;
    const struct tournament_run *was = st->w->tournament;
    if (!was || !s || was->t.stage != STAGE_RUNNING || session_live(s))
        return IGNORED;
    for (int i = 0; i < was->t.n_games; i++) {
        if (was->t.game[i].session != s->no || was->t.game[i].result != GAME_OPEN)
            continue;
        struct tournament_run *run = change(st, was);
        decide_game(s, &run->t.game[i]);
        arena_drop_absent(run, s, &run->t.game[i]);
        return follow(st, run);
    }
    return IGNORED;
}

/* ---- what /tournament refuses ---- */

static bool must_be_stage(struct step *st, enum tournament_stage stage)
{
    const struct tournament_run *run = st->w->tournament;
    return run->t.stage == stage ||
           deny(st, run->t.stage == STAGE_RUNNING ? T_TOURNAMENT_BEGUN : T_TOURNAMENT_GONE,
                arg_command(VERB_TOURNAMENT));
}

static bool must_host(struct step *st)
{
    const struct tournament_run *run = st->w->tournament;
    int64_t me = st->w->me.person;
    return (me && me == run->host) || (st->e->admin && st->w->chat.id == run->chat) ||
           deny(st, T_TOURNAMENT_HOST_ONLY, arg_str(run->host_name));
}

/* ---- the chat and the sender join in ---- */

/* The place of the event's chat; it joins in. Returns -1, after a refusal, if there are too
 * many. */
static int add_chat(struct step *st, struct tournament_run *run)
{
    struct arena *a = st->fx->arena;
    int at = 0;
    while (at < run->n_chats && run->chat_id[at] != st->w->chat.id)
        at++;
    if (at < run->n_chats)
        return at;
    if (at == TOURNAMENT_CHATS) {
        refuse(st, T_TOURNAMENT_CHATS, arg_int(TOURNAMENT_CHATS));
        return -1;
    }
    run->n_chats++;
    run->chat_id[at] = st->w->chat.id;
    run->at[at] = (struct seen_from){
        .account = st->e->account,
        .chat = arena_str(a, st->e->chat),
        .chat_name = arena_str(a, st->e->chat_name),
        .language = arena_str(a, step_chat_language(st)),
        .utc_offset = st->w->chat.utc_offset,
        .direct = st->e->direct,
        .one_post = (st->w->chat.can & CAN_ONE_POST) != 0,
    };
    return at;
}

static void add_sender(struct step *st, struct tournament *t)
{
    t->entrant[t->n_entrants++] = (struct tournament_entrant){.person = st->w->me.person,
                                                              .handle = st->w->me.handle,
                                                              .chat = st->w->chat.id,
                                                              .name = st->e->from.name};
}

/* ---- opening ----
 *
 * The options of a challenge, the number of rounds of a Swiss in front, the time for a round. */

/* Takes the words of this command alone out of those of a challenge. Returns false after a refusal;
 * *ret are the words that are left. */
static bool read_words(struct step *st, struct tournament_run *run, struct str words,
                       struct str *ret)
{
    struct str folded = text_fold(st->fx->arena, step_options(st, words)), rest = folded;
    struct buf left = {arena_alloc(st->fx->arena, folded.n + 1), 0, folded.n + 1, false};
    int64_t rounds;
    bool first = true;
    for (struct str word = str_word(&rest); word.n > 0; word = str_word(&rest), first = false) {
        struct str value, name = str_cut(word, '=', &value);
        if (first && run->t.format == FORMAT_SWISS &&
            value_number(word, 1, TOURNAMENT_ROUNDS_MOST, &rounds)) {
            run->t.rounds = (int)rounds;
        } else if (str_is(name, STR("round")) && name.n < word.n) {
            run->round_ms = value_span(st, value);
            if (run->round_ms <= 0)
                return value_refuse_for(st, name, arg_key(T_TOURNAMENT_ROUND_EXAMPLES));
        } else if (step_keyword(st, word) == KEYWORD_CODE) {
            run->by_code = true;
        } else {
            buf_put(&left, left.n ? STR(" ") : STR(""));
            buf_put(&left, word);
        }
    }
    *ret = buf_str(&left);
    return true;
}

/* Two people, and the first deal by turns, as the pairing has it. */
static enum verdict open_tournament(struct step *st, enum tournament_format format,
                                    struct str words)
{
    const struct tournament_run *here = st->w->tournament;
    struct challenge_options options;
    struct str rest;
    if (here && here->chat == st->w->chat.id && here->t.stage <= STAGE_RUNNING)
        return refuse(st, T_TOURNAMENT_HERE, arg_command(VERB_TOURNAMENT));
    if (lobby_on_vacation(st)) /* who opens one plays in it */
        return REFUSED;
    struct tournament_run *run = arena_new(st->fx->arena, struct tournament_run);
    run->t.format = (uint8_t)format;
    run->round_ms = is_arena(run) ? ARENA_MS : ROUND_MS;
    run->by_code = st->e->direct && st->e->pressed; /* others can join in no other way */
    if (!read_words(st, run, words, &rest))
        return REFUSED;
    if (!challenge_options_read(st, rest, true, &options))
        return REFUSED;
    if (options.computers > 0 || options.open > 0 || options.players > 2 || options.casual ||
        !(options.rules.players_allowed >> 2 & 1))
        return refuse(st, T_TOURNAMENT_PEOPLE);
    if (st->e->direct && !run->by_code)
        return refuse(st, T_TOURNAMENT_NEEDS_GROUP, arg_command(VERB_TOURNAMENT));
    run->rules = options.rules;
    run->rules.first_dealer = FIRST_CHALLENGER;
    if (format == FORMAT_KNOCKOUT)
        run->rules.tie_break = TIE_EXTRA_ROUND;
    run->time = options.time;
    if (run->time.move_ms < 0 && is_arena(run))
        run->time = (struct time_control){.total_ms = ARENA_TOTAL_MS, .gain_ms = ARENA_GAIN_MS};
    else if (run->time.move_ms < 0)
        run->time.move_ms = CLOCK_MS;
    run->chat = st->w->chat.id;
    run->host = st->w->me.person;
    run->host_handle = st->w->me.handle;
    run->host_name = st->e->from.name;
    run->ends = run->due = st->e->now + JOINING_MS;
    (void)add_chat(st, run);
    add_sender(st, &run->t);
    st->fx->tournament = run;
    show(st, run, TOURNAMENT_OPENING, 0, true)->notify = true;
    return TAKEN;
}

/* What to open is asked by buttons, in one message; they stand for words. */
static enum verdict ask(struct step *st, int64_t pressed)
{
    struct notice *notice = effect_notice(st->fx, NOTICE_TOURNAMENT, TO_HERE);
    notice->n = TOURNAMENT_ASK;
    notice->tournament.round = (int)pressed;
    notice->rules = step_usual_rules(st->w);
    notice->post = st->e->pressed && st->e->version > 0 ? st->e->version : step_post(st);
    return TAKEN;
}

static enum verdict pressed_new(struct step *st)
{
    int64_t index = st->e->index, chosen = index - TOURNAMENT_OPENS;
    if (chosen < 0)
        return ask(st, index);
    if (chosen / 100 >= N_FORMATS)
        return refuse(st, T_FORGED);
    struct str words =
        arena_print(st->fx->arena, "%s %d", step_usual_rules(st->w)->name, (int)(chosen % 100));
    enum verdict v = open_tournament(st, (enum tournament_format)(chosen / 100), words);
    return v == TAKEN ? ask(st, index) : v;
}

/* ---- looking ---- */

/* A typed question is answered for all, and its pages are edits of the answer; a pressed one is
 * answered to the sender. Who has joined is shown anew, at the bottom of a chat of the
 * tournament. */
static enum verdict show_table(struct step *st, bool picture)
{
    const struct event *e = st->e;
    const struct tournament_run *run = st->w->tournament;
    bool paged = e->pressed && e->version > 0;
    if (run->t.stage == STAGE_CANCELLED)
        return st->w->can & CAN_BUTTONS && !e->pressed
                   ? ask(st, TOURNAMENT_NEW)
                   : refuse(st, T_TOURNAMENT_GONE, arg_command(VERB_TOURNAMENT));
    bool open = run->t.stage == STAGE_OPEN,
         arena = is_arena(run) && run->t.stage == STAGE_RUNNING && !paged && !picture;
    for (int i = 0; (open || arena) && i < run->n_chats; i++)
        if (run->chat_id[i] == st->w->chat.id) {
            show(st, run, open ? TOURNAMENT_OPENING : TOURNAMENT_ROUND, run->t.round, true)->only =
                (int8_t)i;
            return TAKEN;
        }
    struct notice *notice =
        effect_notice(st->fx, NOTICE_TOURNAMENT, e->pressed && !paged ? TO_ASKER : TO_HERE);
    notice->n = run->t.stage == STAGE_OPEN ? TOURNAMENT_OPENING
                : picture                  ? TOURNAMENT_PICTURE
                                           : TOURNAMENT_TABLE;
    notice->tournament = (struct tournament_shown){
        .run = run,
        .page = e->pressed && e->index >= TOURNAMENT_PAGE ? (int)e->index - TOURNAMENT_PAGE : 0,
        .round = run->t.round};
    notice->post = paged ? e->version : e->pressed ? 0 : step_post(st);
    return TAKEN;
}

/* ---- joining and leaving ---- */

static enum verdict join_tournament(struct step *st)
{
    const struct tournament_run *was = st->w->tournament;
    if (st->w->me.person == 0 || st->e->from.anonymous)
        return refuse(st, T_ANONYMOUS);
    bool late = is_arena(was) && was->t.stage == STAGE_RUNNING && st->e->now < was->ends;
    if (!late && !must_be_stage(st, STAGE_OPEN))
        return REFUSED;
    int place = tournament_find(&was->t, st->w->me.person);
    bool again = late && place >= 0 && was->t.entrant[place].out;
    if (place >= 0 && !again)
        return refuse(st, T_TOURNAMENT_IN, arg_int(was->t.no));
    if (was->t.n_entrants == ENTRANTS_MOST && !again)
        return refuse(st, T_TOURNAMENT_FULL, arg_int(ENTRANTS_MOST));
    if (!st->e->direct && !(st->w->can & (CAN_WHISPER | CAN_DIRECT | CAN_POPUP)))
        return refuse(st, T_NO_PRIVACY);
    if (lobby_on_vacation(st))
        return REFUSED;
    struct tournament_run joined = *was;
    if (add_chat(st, &joined) < 0)
        return REFUSED;
    struct tournament_run *run = change(st, &joined);
    if (again)
        run->t.entrant[place].out = false;
    else
        add_sender(st, &run->t);
    if (late) {
        follow(st, run);
        return answer(st, T_TOURNAMENT_JOINED, arg_int(run->t.no));
    }
    for (int i = 0; i < run->n_chats; i++)
        show(st, run, TOURNAMENT_OPENING, 0, i >= was->n_chats)->only = (int8_t)i;
    return answer(st, T_TOURNAMENT_JOINED, arg_int(run->t.no));
}

/* Another entrant hosts it, if the host has left. */
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

/* The sender, or the one the host names, leaves. A match of theirs that runs is world.named: it
 * ends, and its result follows in the same transaction, or it plays on. Returns false if they are
 * not in it. */
static bool remove_player(struct step *st, int64_t person, bool plays_on)
{
    int at = tournament_find(&st->w->tournament->t, person);
    if (at < 0 || st->w->tournament->t.entrant[at].out)
        return false;
    struct tournament_run *run = change(st, st->w->tournament);
    struct tournament *t = &run->t;
    struct str name = t->entrant[at].name;
    if (t->stage == STAGE_OPEN) {
        t->n_entrants--;
        for (int i = at; i < t->n_entrants; i++)
            t->entrant[i] = t->entrant[i + 1];
        pass_on(run, person);
        show(st, run, TOURNAMENT_OPENING, 0, false);
        return true;
    }
    struct tournament_game *g = tournament_leave(t, at);
    pass_on(run, person);
    announce_all(st, run, T_TOURNAMENT_PLAYER_GONE, arg_str(name), arg_int(t->no));
    const struct session *s = st->w->named;
    int seat = g && s && s->no == g->session ? session_seat(s, person) : -1;
    if (seat >= 0 && s->phase == SESSION_PLAYING) {
        play_leave(st, step_change(st, s), seat, false);
        return true;
    }
    if (g && !plays_on)
        g->result = g->first == at ? GAME_SECOND : GAME_FIRST;
    follow(st, run);
    return true;
}

/* What becomes of a match that runs is for the operator to say. */
enum verdict tournament_banned(struct step *st)
{
    return remove_player(st, st->w->mention[0].person, true) ? TAKEN : IGNORED;
}

/* ---- the command ---- */

/* The longest beginning of the words, two or one, that is a keyword; *rest are those behind it. */
static enum keyword first_keyword(struct step *st, struct str *rest)
{
    struct str behind_one = *rest, one = str_word(&behind_one), behind_two = behind_one,
               two = str_word(&behind_two);
    struct str both = {one.p, two.n ? (size_t)(two.p + two.n - one.p) : one.n};
    enum keyword k = step_keyword(st, both);
    if (k >= KEYWORD_SWISS) {
        *rest = two.n ? behind_two : behind_one;
        return k;
    }
    k = step_keyword(st, one);
    if (k < KEYWORD_SWISS)
        return KEYWORD_NONE;
    *rest = behind_one;
    return k;
}

enum verdict tournament_command(struct step *st)
{
    const struct event *e = st->e;
    const struct tournament_run *was = st->w->tournament;
    struct str rest = str_trim(e->words);
    enum keyword what = !e->pressed                           ? first_keyword(st, &rest)
                        : e->index == TOURNAMENT_BUTTON_JOIN  ? KEYWORD_JOIN
                        : e->index == TOURNAMENT_BUTTON_LEAVE ? KEYWORD_LEAVE
                        : e->index == TOURNAMENT_BUTTON_START ? KEYWORD_START
                                                              : KEYWORD_NONE;
    if (st->w->me.person == 0 && what != KEYWORD_NONE)
        return refuse(st, T_ANONYMOUS);
    bool opens = what >= KEYWORD_SWISS && what <= KEYWORD_ARENA,
         asks = e->pressed && e->index >= TOURNAMENT_NEW;
    if (asks && st->w->me.person == 0)
        return refuse(st, T_ANONYMOUS);
    if ((opens || asks || what == KEYWORD_START) && notice_closed(st))
        return REFUSED;
    if (opens)
        return open_tournament(st, (enum tournament_format)(what - KEYWORD_SWISS + FORMAT_SWISS),
                               rest);
    if (asks)
        return pressed_new(st);
    if (!was && (what == KEYWORD_NONE || what == KEYWORD_TABLE) && rest.n == 0 && !e->pressed &&
        e->no == 0 && (st->w->can & CAN_BUTTONS))
        return ask(st, TOURNAMENT_NEW);
    if (!was)
        return refuse(st, T_TOURNAMENT_NONE, arg_command(VERB_TOURNAMENT));
    if ((what == KEYWORD_LEAVE || what == KEYWORD_KICK || what == KEYWORD_CANCEL) &&
        was->t.stage > STAGE_RUNNING)
        return must_be_stage(st, STAGE_OPEN) ? TAKEN : REFUSED;
    switch (what) {
    case KEYWORD_JOIN:
        return join_tournament(st);
    case KEYWORD_LEAVE:
        if (!remove_player(st, st->w->me.person, false))
            return refuse(st, T_TOURNAMENT_NOT_IN, arg_int(was->t.no));
        return answer(st, T_TOURNAMENT_LEFT, arg_int(was->t.no));
    case KEYWORD_KICK:
        if (!must_host(st))
            return REFUSED;
        if (e->n_mentions != 1)
            return refuse(st, T_TOURNAMENT_KICK_WHOM, arg_command(VERB_TOURNAMENT));
        if (!remove_player(st, st->w->mention[0].person, false))
            return refuse(st, T_TOURNAMENT_NOT_IN_THEY, arg_str(e->mention[0].name));
        return TAKEN;
    case KEYWORD_START:
        if (!must_be_stage(st, STAGE_OPEN) || !must_host(st))
            return REFUSED;
        int least = is_arena(was) ? ARENA_LEAST : ENTRANTS_LEAST;
        if (was->t.n_entrants < least)
            return refuse(st, T_TOURNAMENT_FEW, arg_int(least), arg_int(was->t.n_entrants));
        return start(st, change(st, was));
    case KEYWORD_CANCEL:
        if (!must_host(st))
            return REFUSED;
        struct tournament_run *run = change(st, was);
        run->t.stage = STAGE_CANCELLED;
        run->ends = e->now;
        run->due = 0;
        if (was->t.stage == STAGE_OPEN)
            show(st, run, TOURNAMENT_OPENING, 0, false); /* without its buttons */
        else if (is_arena(run))
            show(st, run, TOURNAMENT_ROUND, run->t.round, false);
        announce_all(st, run,
                     was->t.stage == STAGE_RUNNING ? T_TOURNAMENT_STOPPED : T_TOURNAMENT_CANCELLED,
                     arg_str(e->from.name), arg_int(was->t.no));
        return TAKEN;
    default:
        break;
    }
    bool picture = e->pressed
                       ? e->index == TOURNAMENT_BUTTON_PICTURE
                       : keyword_cut(st->w->bot->languages, st->fx->arena, &rest, KEYWORD_PICTURE);
    return rest.n > 0 ? refuse(st, T_TOURNAMENT_WORDS, arg_command(VERB_TOURNAMENT))
                      : show_table(st, picture);
}
