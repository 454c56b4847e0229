/* A running match: the deal, moves, what they lead to, and how people leave. Rules are the engine's; this
 * file decides what is told to whom, what goes into the record, and what happens next. */
#include "note.h"
#include "search.h"
#include "stepping.h"

#include <assert.h>

static const struct ruleset *rules_of(struct step *st, const struct session *s)
{
    return made_ruleset(st->w->made, &s->rules);
}

static const struct session *as_it_is(struct step *st, const struct session *s)
{
    struct session *copy = arena_new(st->fx->arena, struct session);
    *copy = *s;
    return copy;
}

/* ---- the record ---- */

static struct record_effect *record(struct step *st, enum record_kind kind,
                                    const struct session *before, const struct session *after)
{
    assert(st->fx->n_records < MAX_RECORDS);
    struct record_effect *r = &st->fx->record[st->fx->n_records++];
    *r = (struct record_effect){.kind = (uint8_t)kind, .before = before, .after = after};
    for (int i = 0; i < st->fx->n_saves; i++)
        if (strcmp(st->fx->save[i]->id, after->id) == 0)
            r->session = (uint8_t)i;
    return r;
}

/* ---- what is said ---- */

static void board(struct step *st, const struct session *s)
{
    effect_say(st->fx, SAY_BOARD, TO_TABLE)->table = step_table(st, s, SEAT_PUBLIC);
}

static void hand(struct step *st, const struct session *s, int seat, bool fresh, bool asked)
{
    if (s->player[seat].computer)
        return;
    struct say *say = effect_say(st->fx, SAY_HAND, TO_SEAT);
    say->seat = (int8_t)seat;
    say->fresh = fresh;
    say->n = asked;
    say->table = step_table(st, s, seat);
}

/* The message that waits for an answer is taken away. */
static void quiet(struct step *st, struct session *s)
{
    if (s->ping == 0)
        return;
    struct say *say = effect_say(st->fx, SAY_QUIET, TO_TABLE);
    say->only = (int8_t)s->ping_venue;
    say->seat = (int8_t)s->ping_seat;
    say->table = step_table(st, s, SEAT_PUBLIC);
    s->ping = 0;
    s->ping_venue = s->ping_seat = 0;
}

/* It is another player's turn: everybody sees the board, that player is told. */
static void hand_over(struct step *st, struct session *s)
{
    int seat = session_turn(s);
    quiet(st, s);
    board(st, s);
    knock_turn(st, s);
    if (s->player[seat].computer)
        return;
    const struct player *p = &s->player[seat];
    if (!session_venue(s, p->venue)->direct || !session_with_computer(s)) {
        s->ping = s->version;
        s->ping_venue = p->venue;
        s->ping_seat = (uint8_t)seat;
        struct say *ping = effect_say(st->fx, SAY_PING, TO_TABLE);
        ping->seat = (int8_t)seat;
        ping->only = (int8_t)p->venue;
        ping->notify = true;
        ping->table = step_table(st, s, SEAT_PUBLIC);
    }
    hand(st, s, seat, true, false);
}

/* ---- ends ---- */

/* A match counts in the season of every chat that it was played in. */
static void results_at(struct step *st, const struct session *s, const struct venue *v)
{
    struct season_key season;
    season_at(st->e->now, v->utc_offset, (enum season_length)v->season, &season);
    for (int i = 0; i < s->players; i++) {
        const struct player *p = &s->player[i];
        struct result_effect *r = &st->fx->result[st->fx->n_results++];
        *r = (struct result_effect){.chat = v->chat, .season = season};
        r->who = (struct handle){.account = p->account,
                                 .id = arena_str(st->fx->arena, str_of(p->id)),
                                 .name = arena_str(st->fx->arena, str_of(p->name))};
        r->won = s->match.winner == i;
        r->drawn = s->match.winner < 0;
        r->lost = s->match.winner >= 0 && s->match.winner != i;
        r->points = s->match.scores[i] - rules_start_score(&s->rules);
    }
}

static void results(struct step *st, const struct session *s)
{
    for (int i = 0; i <= s->n_more && !session_with_computer(s); i++)
        results_at(st, s, session_venue(s, i));
}

static void between(struct step *st, struct session *s)
{
    seed_from(st->e, CHANCE_NEXT, &s->next_seed);
    for (int i = 0; i < s->players; i++) {
        s->player[i].ready = s->player[i].computer;
        memset(s->player[i].event, 0, sizeof s->player[i].event);
        memset(s->player[i].cut, 0, sizeof s->player[i].cut);
    }
    s->due = st->e->now + PAUSE_MS;
    s->knock = KNOCK_READY;
}

static void tell_end(struct step *st, struct session *s, int mover, bool was_void)
{
    bool over = s->match.stage == MATCH_OVER;
    if (over) {
        results(st, s);
        knock_close(s, END_PLAYED);
    } else {
        between(st, s);
    }
    quiet(st, s);
    if (mover >= 0 && !session_venue(s, s->player[mover].venue)->direct)
        hand(st, s, mover, false, false);
    board(st, s);
    struct say *say = effect_say(st->fx,
                                 over       ? SAY_MATCH
                                 : was_void ? SAY_VOID
                                            : SAY_ROUND,
                                 TO_TABLE);
    say->table = step_table(st, s, SEAT_PUBLIC);
    say->notify = true;
}

/* After any change of the match. `mover` made it, -1 for a deal. */
static void settle(struct step *st, const struct session *before, struct session *s, int mover,
                   const struct round_log *log)
{
    if (log->n > 0)
        record(st, RECORD_LOG, before, as_it_is(st, s))->log = *log;
    bool was_void = log->n > 0 && log->at[log->n - 1].kind == LOG_VOID;
    s->version++;
    s->moved = st->e->now;
    s->overdue = false;
    s->nudged = 0;
    s->resign_asked = -1;
    memset(s->thought, 0, sizeof s->thought);
    memset(s->hint, 0, sizeof s->hint);
    s->hinted = false;
    if (s->match.stage != MATCH_PLAYING) {
        tell_end(st, s, mover, was_void);
        return;
    }
    int seat = session_turn(s);
    if (seat == mover) { /* still to choose: for that player alone */
        knock_turn(st, s);
        hand(st, s, seat, true, false);
        if (s->match.round.phase == PHASE_DECIDE && teach_casual(s) && !s->player[seat].computer)
            teach_think(st, s);
        return;
    }
    if (mover >= 0)
        hand(st, s, mover, false, false);
    hand_over(st, s);
}

/* ---- deals ---- */

static void client_seeds(struct step *st, struct session *s)
{
    char fallback[CUT_SIZE];
    NAME_PUT(fallback, st->e->id);
    for (int i = 0; i < s->players; i++) {
        struct player *p = &s->player[i];
        struct str given = p->cut[0] ? str_of(p->cut) : str_of(p->event);
        if (given.n == 0) {
            char made[CUT_SIZE];
            struct buf b = {made, 0, CUT_SIZE - 1, false};
            size_t n = strlen(fallback);
            buf_put(&b, (struct str){fallback, n < CUT_SIZE - 4 ? n : CUT_SIZE - 4});
            buf_char(&b, '.');
            buf_int(&b, i);
            NAME_PUT(p->seed, buf_str(&b));
        } else {
            NAME_PUT(p->seed, given);
        }
    }
}

static void deck_of(const struct session *s, const struct seed *seed, int round, int attempt,
                    uint8_t *ret)
{
    struct str client[MAX_PLAYERS];
    for (int i = 0; i < s->players; i++)
        client[i] = str_of(s->player[i].seed);
    chance_shuffle(seed, str_of(s->id), round, attempt, s->players, client, ret);
}

void play_deal(struct step *st, struct session *s)
{
    static const struct seed none;
    const struct ruleset *g = rules_of(st, s);
    struct round_log log = {0};
    if (s->match.round_no > 1 || s->match.attempt > 1)
        client_seeds(st, s);
    s->deal_seed = s->next_seed;
    s->next_seed = none;
    for (int i = 0; i < s->players; i++)
        s->player[i].hand_no++; /* a new message for each deal */
    const struct session *before = as_it_is(st, s);
    struct record_effect *r = record(st, RECORD_DEAL, before, before);
    deck_of(s, &s->deal_seed, s->match.round_no, s->match.attempt, r->deck);
    match_deal(g, &s->match, r->deck, &log);
    settle(st, before, s, -1, &log);
}

/* Chats that the challenge was brought to, and from which nobody plays. */
static void leave_empty_venues(struct step *st, struct session *s)
{
    for (int i = s->n_more; i > 0; i--) {
        bool empty = true;
        for (int p = 0; p < s->players; p++)
            empty &= s->player[p].venue != i;
        if (!empty)
            continue;
        struct say *say = say_line(st, TO_TABLE, T_OFFER_ELSEWHERE, ARGS(a_seat(s, 0)));
        say->only = (int8_t)i;
        say->table = step_table(st, s, SEAT_PUBLIC);
        session_drop_venue(s, i);
    }
}

void play_start(struct step *st, struct session *s)
{
    uint8_t deck[N_CARDS] = {0};
    struct seats seats;
    struct player joined[MAX_PLAYERS];
    client_seeds(st, s);
    if (session_has_lots(s))
        deck_of(s, &s->lots_seed, 0, 1, deck);
    chance_seats((enum first_dealer)s->rules.first_dealer, s->players, deck, &seats);
    leave_empty_venues(st, s);
    memcpy(joined, s->player, sizeof joined);
    for (int i = 0; i < s->players; i++) {
        s->player[i] = joined[seats.joined[i]];
        s->player[i].lot = seats.has_lots ? seats.lots[i] : CARD_NONE;
        s->player[i].seat_joined = seats.joined[i];
    }
    s->phase = SESSION_PLAYING;
    match_start(&s->rules, s->players, seats.dealer, &s->match);
    const struct session *seated = as_it_is(st, s);
    record(st, RECORD_MATCH, seated, seated);
    struct say *say = effect_say(st->fx, SAY_START, TO_TABLE);
    say->table = step_table(st, s, SEAT_PUBLIC);
    play_deal(st, s);
}

/* ---- moves ---- */

bool step_alike(cardset a, cardset b)
{
    return set_count(a) == 1 && set_count(b) == 1 &&
           card_month(set_first(a)) == card_month(set_first(b)) && (a & set_plains) &&
           (b & set_plains);
}

/* A drawn card that can only take one of two equal plains: nobody is asked. */
static void draw_alike(const struct ruleset *g, struct session *s, struct round_log *log)
{
    struct move legal[MAX_MOVES];
    struct round_log more = {0};
    if (s->match.stage != MATCH_PLAYING || s->match.round.phase != PHASE_DRAW)
        return;
    int seat = s->match.round.turn, n = round_legal(g, &s->match.round, seat, legal);
    for (int i = 1; i < n; i++)
        if (!step_alike(legal[0].take, legal[i].take))
            return;
    (void)match_apply(g, &s->match, seat, legal[0], &more);
    for (int i = 0; i < more.n && log->n < MAX_LOG; i++)
        log->at[log->n++] = more.at[i];
}

void play_make(struct step *st, struct session *s, int seat, struct move m)
{
    const struct ruleset *g = rules_of(st, s);
    const struct session *before = as_it_is(st, s);
    struct round_log log = {0};
    enum illegal no = match_apply(g, &s->match, seat, m, &log);
    assert(no == LEGAL);
    (void)no;
    draw_alike(g, s, &log);
    settle(st, before, s, seat, &log);
}

void play_leave(struct step *st, struct session *s, int seat, bool timeout)
{
    const struct ruleset *g = rules_of(st, s);
    const struct session *before = as_it_is(st, s);
    struct round_log log = {0};
    match_leave(g, &s->match, seat, &log);
    s->left = (int8_t)seat;
    s->left_timeout = timeout;
    settle(st, before, s, -1, &log);
}

bool play_out_of_turn(struct step *st, const struct session *s, int *ret_seat)
{
    int seat = session_seat(s, st->w->me), turn = session_turn(s);
    *ret_seat = seat;
    if (s->phase == SESSION_OVER)
        refuse(st, T_MATCH_OVER, ARGS(a_alias(VERB_CHALLENGE)));
    else if (s->phase == SESSION_OFFERED)
        refuse(st, T_NOT_BEGUN, NO_ARGS);
    else if (seat < 0)
        refuse(st, T_NOT_YOUR_MATCH, ARGS(a_seat(s, 0), a_seat(s, 1), a_alias(VERB_CHALLENGE)));
    else if (turn < 0)
        refuse(st, T_BETWEEN_ROUNDS, ARGS(a_alias(VERB_READY)));
    else if (turn != seat && s->player[turn].computer)
        refuse(st, T_COMPUTER_THINKS, NO_ARGS);
    else if (turn != seat)
        refuse(st, knock_deadline(s) ? T_NOT_YOUR_TURN : T_NOT_YOUR_TURN_EVER,
               ARGS(a_seat(s, turn), a_time(knock_deadline(s))));
    else
        return false;
    return true;
}

static int legal_of(struct step *st, const struct session *s, int seat, struct move *ret)
{
    return round_legal(rules_of(st, s), &s->match.round, seat, ret);
}

/* A button of an old message: true if it was said, with the hand as it is now. */
static bool stale(struct step *st, const struct session *s, int seat)
{
    int64_t ago = (int64_t)s->version - st->e->version;
    if (ago == 0)
        return false;
    say_line(st, TO_ASKER, T_STALE, ARGS(a_int(ago)))->n = ago;
    hand(st, s, seat, true, true);
    return true;
}

enum verdict play_move(struct step *st, const struct session *s)
{
    struct move legal[MAX_MOVES];
    int seat;
    if (play_out_of_turn(st, s, &seat) || stale(st, s, seat))
        return REFUSED;
    int n = legal_of(st, s, seat, legal);
    if (st->e->index >= n)
        return refuse(st, T_STALE, ARGS(a_int(1)));
    play_make(st, step_change(st, s), seat, legal[st->e->index]);
    return TAKEN;
}

/* The move of this kind, if it is legal now. */
static bool has_move(const struct move *legal, int n, enum move_kind kind, struct move *ret)
{
    for (int i = 0; i < n; i++)
        if (legal[i].kind == kind) {
            *ret = legal[i];
            return true;
        }
    return false;
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
    struct move legal[MAX_MOVES], m;
    int seat = session_seat(s, st->w->me), row = 0;
    while (rows[row].verb != st->e->verb)
        row++;
    bool redeal = st->e->verb == VERB_REDEAL && s->phase == SESSION_PLAYING && seat >= 0 &&
                  session_turn(s) >= 0;
    bool button = st->e->verb == VERB_STOP || st->e->verb == VERB_KOIKOI;
    if (!redeal &&
        (play_out_of_turn(st, s, &seat) || (button && st->e->pressed && stale(st, s, seat))))
        return REFUSED;
    int n = legal_of(st, s, seat, legal);
    if (!has_move(legal, n, rows[row].kind, &m))
        return refuse(st, rows[row].no, ARGS(a_alias(VERB_YAKU)));
    play_make(st, step_change(st, s), seat, m);
    return TAKEN;
}

/* ---- cards by number, code or name ---- */

static int nth(cardset cards, int64_t n)
{
    for (; cards && n > 1; n--)
        cards = set_rest(cards);
    return cards && n == 1 ? set_first(cards) : CARD_NONE;
}

struct typed {
    struct step *st;
    const struct texts *t;
    const struct words *w;
};

/* One card among some, as typed: a number, a code, words. */
static enum find one_of(const struct typed *y, cardset among, struct str said, int *ret)
{
    int64_t n;
    int card = card_read(said.p, said.n);
    if (card != CARD_NONE) {
        *ret = card;
        return among & CARD(card) ? FIND_ONE : FIND_NONE;
    }
    if (str_int(said, &n)) {
        *ret = nth(among, n);
        return *ret != CARD_NONE ? FIND_ONE : FIND_NONE;
    }
    return find_card(y->st->fx->arena, y->w, among, said, ret);
}

/* The legal plays of `card`; ret_takes in the order shown. */
static int plays_of(const struct move *legal, int n, int card, struct move *ret)
{
    int k = 0;
    for (int i = 0; i < n; i++)
        if ((legal[i].kind == MOVE_PLAY || legal[i].kind == MOVE_CHOOSE) && legal[i].card == card)
            ret[k++] = legal[i];
    return k;
}

/* The play of this number; plays that differ only in equal plains are shown as one. NULL: there is none. */
static const struct move *numbered(const struct move *plays, int n, int64_t number)
{
    for (int i = 0; i < n; i++)
        if ((i == 0 || !step_alike(plays[i - 1].take, plays[i].take)) && --number == 0)
            return &plays[i];
    return NULL;
}

/* Which of the plays takes what was said; all the single cards that the plays take are meant. */
static enum find one_play(const struct typed *y, const struct move *plays, int n, struct str said,
                          struct move *ret)
{
    int64_t number;
    cardset all = 0;
    int card;
    if (str_int(said, &number)) {
        const struct move *play = numbered(plays, n, number);
        if (play)
            *ret = *play;
        return play ? FIND_ONE : FIND_NONE;
    }
    for (int i = 0; i < n; i++)
        all |= plays[i].take;
    enum find found = one_of(y, all, said, &card);
    if (found != FIND_ONE)
        return found;
    for (int i = 0; i < n; i++)
        if (plays[i].take & CARD(card)) {
            *ret = plays[i];
            return FIND_ONE;
        }
    return FIND_NONE;
}

static enum verdict ask_target(struct step *st, const struct session *s, int seat, int card)
{
    struct say *say = effect_say(st->fx, SAY_TARGETS, TO_ASKER);
    say->n = card;
    say->table = step_table(st, s, seat);
    return REFUSED;
}

static bool all_alike(const struct move *plays, int n)
{
    for (int i = 1; i < n; i++)
        if (!step_alike(plays[0].take, plays[i].take))
            return false;
    return true;
}

static enum verdict play_one(struct step *st, const struct session *s, int seat,
                             const struct typed *y, const struct move *plays, int n,
                             struct str target)
{
    assert(n > 0);
    struct move m = plays[0];
    if (target.n > 0) {
        enum find found = one_play(y, plays, n, target, &m);
        if (found == FIND_NONE)
            return refuse(st, T_CANNOT_TAKE, ARGS(a_card(plays[0].card), a_str(target)));
        if (found == FIND_MANY)
            return ask_target(st, s, seat, plays[0].card);
    } else if (n > 1 && !all_alike(plays, n)) {
        return ask_target(st, s, seat, plays[0].card);
    }
    play_make(st, step_change(st, s), seat, m);
    return TAKEN;
}

static struct str without_arrow(struct str s)
{
    static const char *const arrows[] = {"->", ">", "=", "takes ", "x "};
    s = str_trim(s);
    for (size_t i = 0; i < sizeof arrows / sizeof *arrows; i++)
        if (str_starts(s, str_of(arrows[i])))
            return str_trim(str_skip(s, strlen(arrows[i])));
    return s;
}

/* "1 1" is a card and what it takes, although "1 pine" is a card's name and folds to begin like it. */
static bool several_numbers(struct str said)
{
    bool blank = false;
    for (size_t i = 0; i < said.n; i++) {
        if (said.p[i] != ' ' && (said.p[i] < '0' || said.p[i] > '9'))
            return false;
        blank |= said.p[i] == ' ';
    }
    return blank;
}

/* Splits "sake moon" in every place: the longest head that names one card of the hand counts. */
static enum find split(const struct typed *y, cardset among, struct str said, int *ret_card,
                       struct str *ret_target)
{
    enum find best = FIND_NONE;
    for (size_t n = said.n; n > 0; n--) {
        if (n < said.n && said.p[n] != ' ')
            continue;
        struct str head = {said.p, n};
        enum find found = several_numbers(head) ? FIND_NONE : one_of(y, among, head, ret_card);
        if (found == FIND_ONE) {
            *ret_target = without_arrow(str_skip(said, n));
            return FIND_ONE;
        }
        if (found == FIND_MANY)
            best = FIND_MANY;
    }
    return best;
}

static struct typed typed_of(struct step *st, const struct session *s)
{
    int seat = session_seat(s, st->w->me);
    const struct venue *v = session_venue(s, seat < 0 ? 0 : s->player[seat].venue);
    struct str language = str_of(st->w->prefs.language[0] ? st->w->prefs.language : v->language);
    const struct texts *t = texts_for(st->w->languages, language);
    return (struct typed){st, t, words_for(t, str_of(s->rules.words))};
}

bool play_names(struct step *st, const struct session *s)
{
    struct typed y = typed_of(st, s);
    struct str target;
    int card, seat = session_turn(s);
    const struct round *r = &s->match.round;
    cardset among = r->phase == PHASE_HAND ? r->hand[seat] : r->phase == PHASE_DRAW ? r->field : 0;
    return split(&y, among, text_fold(st->fx->arena, st->e->words), &card, &target) != FIND_NONE;
}

enum verdict play_cards(struct step *st, const struct session *s)
{
    struct move legal[MAX_MOVES], plays[MAX_MOVES];
    int seat, card = CARD_NONE;
    if (play_out_of_turn(st, s, &seat) || (st->e->pressed && stale(st, s, seat)))
        return REFUSED;
    struct typed y = typed_of(st, s);
    struct str said = text_fold(st->fx->arena, st->e->words), target = {0};
    cardset held = s->match.round.hand[seat];
    int n = legal_of(st, s, seat, legal);
    if (s->match.round.phase == PHASE_DECIDE)
        return refuse(st, T_DECIDE_FIRST, ARGS(a_alias(VERB_STOP), a_alias(VERB_KOIKOI)));
    if (said.n == 0)
        return refuse(st, T_PLAY_WHAT, ARGS(a_int(set_count(held)), a_alias(VERB_PLAY)));
    if (s->match.round.phase == PHASE_DRAW) {
        card = s->match.round.drawn;
        return play_one(st, s, seat, &y, plays, plays_of(legal, n, card, plays), said);
    }
    enum find found = split(&y, held, said, &card, &target);
    if (found == FIND_MANY)
        return refuse(st, T_WHICH_CARD, ARGS(a_str(said)));
    if (found == FIND_NONE) {
        int64_t number;
        bool is_number = str_int(said, &number);
        return refuse(st, is_number ? T_HAND_NUMBERS : T_NOT_IN_HAND,
                      ARGS(is_number ? a_int(set_count(held)) : a_str(said), a_alias(VERB_HAND)));
    }
    return play_one(st, s, seat, &y, plays, plays_of(legal, n, card, plays), target);
}

/* ---- the computer ---- */

enum verdict play_advice(struct step *st, const struct session *s)
{
    struct move legal[MAX_MOVES], m = st->e->move;
    int turn = session_turn(s);
    if (turn < 0 || !s->player[turn].computer || st->e->version != s->version)
        return IGNORED;
    int n = legal_of(st, s, turn, legal), i = 0;
    while (i < n && (legal[i].kind != m.kind || legal[i].card != m.card || legal[i].take != m.take))
        i++;
    if (i == n)
        return IGNORED;
    struct session *next = step_change(st, s);
    if (st->e->now >= s->due)
        play_make(st, next, turn, m);
    else
        note_move(m, next->thought);
    return TAKEN;
}

/* ---- between rounds ---- */

enum verdict play_ready(struct step *st, const struct session *s)
{
    int seat = session_seat(s, st->w->me);
    if (s->phase == SESSION_OFFERED)
        return lobby_accept(st, s);
    if (s->phase == SESSION_OVER)
        return refuse(st, T_MATCH_OVER, ARGS(a_alias(VERB_CHALLENGE)));
    if (seat < 0)
        return refuse(st, T_NOT_YOUR_MATCH,
                      ARGS(a_seat(s, 0), a_seat(s, 1), a_alias(VERB_CHALLENGE)));
    if (s->match.stage != MATCH_READY)
        return refuse(st, T_ROUND_RUNS, ARGS(a_int(s->match.round_no)));
    if (s->player[seat].ready)
        return refuse(st, T_READY_AGAIN, ARGS(a_time(s->due)));
    struct session *next = step_change(st, s);
    next->player[seat].ready = true;
    NAME_PUT(next->player[seat].event, st->e->id);
    for (int i = 0; i < next->players; i++)
        if (!next->player[i].ready) {
            answer(st, T_READY_NOTED, ARGS(a_seat(next, i), a_time(next->due)));
            return TAKEN;
        }
    play_deal(st, next);
    return TAKEN;
}

enum verdict play_cut(struct step *st, const struct session *s)
{
    int seat = session_seat(s, st->w->me);
    if (seat < 0 || s->phase == SESSION_OVER)
        return refuse(st, T_NOT_YOUR_MATCH,
                      ARGS(a_seat(s, 0), a_seat(s, 1), a_alias(VERB_CHALLENGE)));
    if (s->phase == SESSION_PLAYING && s->match.stage != MATCH_READY)
        return refuse(st, T_CUT_LATER, ARGS(a_alias(VERB_CUT)));
    struct str text = text_clean(st->fx->arena, st->e->words, CUT_SIZE - 1);
    if (st->e->words.n == 0)
        return refuse(st, T_CUT_WHAT, ARGS(a_alias(VERB_CUT)));
    struct session *next = step_change(st, s);
    NAME_PUT(next->player[seat].cut, text);
    answer(st, T_CUT_DONE,
           ARGS(a_str(str_of(next->player[seat].cut)),
                a_int(s->phase == SESSION_OFFERED ? 1 : s->match.round_no)));
    return TAKEN;
}

/* ---- leaving ---- */

static bool must_sit(struct step *st, const struct session *s, int *ret_seat)
{
    *ret_seat = session_seat(s, st->w->me);
    if (s->phase == SESSION_OVER)
        refuse(st, T_MATCH_OVER, ARGS(a_alias(VERB_CHALLENGE)));
    else if (*ret_seat < 0)
        refuse(st, T_NOT_YOUR_MATCH, ARGS(a_seat(s, 0), a_seat(s, 1), a_alias(VERB_CHALLENGE)));
    else if (s->phase == SESSION_OFFERED)
        refuse(st, T_NOT_BEGUN, NO_ARGS);
    else
        return true;
    return false;
}

enum verdict play_resign(struct step *st, const struct session *s)
{
    int seat;
    if (!must_sit(st, s, &seat))
        return REFUSED;
    struct session *next = step_change(st, s);
    if (s->resign_asked != seat) {
        next->resign_asked = (int8_t)seat;
        struct say *say = say_line(st, TO_ASKER, T_RESIGN_SURE, ARGS(a_alias(VERB_RESIGN)));
        say->verbs = (uint64_t)1 << VERB_RESIGN;
        say->table = step_table(st, next, SEAT_PUBLIC);
        return TAKEN;
    }
    play_leave(st, next, seat, false);
    return TAKEN;
}

enum verdict play_claim(struct step *st, const struct session *s)
{
    int seat, turn = session_turn(s);
    if (!must_sit(st, s, &seat))
        return REFUSED;
    if (!s->overdue || turn < 0)
        return turn >= 0 && knock_deadline(s)
                   ? refuse(st, T_CLAIM_EARLY, ARGS(a_seat(s, turn), a_time(knock_deadline(s))))
                   : refuse(st, T_CLAIM_NO_CLOCK, NO_ARGS);
    if (turn == seat)
        return refuse(st, T_CLAIM_OWN, NO_ARGS);
    play_leave(st, step_change(st, s), turn, true);
    return TAKEN;
}

enum verdict play_wait(struct step *st, const struct session *s)
{
    int seat, turn = session_turn(s);
    if (!must_sit(st, s, &seat))
        return REFUSED;
    if (!s->overdue || turn < 0 || turn == seat)
        return refuse(st, T_WAIT_NOTHING, NO_ARGS);
    struct session *next = step_change(st, s);
    next->overdue = false;
    next->moved = st->e->now;
    knock_turn(st, next);
    struct say *say =
        say_line(st, TO_TABLE, T_WAITING,
                 ARGS(a_seat(s, seat), a_seat(s, turn), a_time(knock_deadline(next))));
    say->table = step_table(st, next, SEAT_PUBLIC);
    say->notify = true;
    return TAKEN;
}
