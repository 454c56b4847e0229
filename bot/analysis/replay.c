/* See replay.h.
 *
 * A line is either a decision (a deal, a play, a choice, a call, a leave) or a consequence of one.
 * Each decision is applied to a match of our own; the record writer then gives the lines that
 * belong there, the decision's own line first, and the file must hold the same. So there is one
 * check for all fields, and it covers every field that the writer learns.
 */
#include "replay.h"

#include "alloc.h"
#include "json_cards.h"
#include "record_read.h"

struct replay {
    struct record_lines lines;
    struct json opening_line; /* holds the strings of the opening */
    struct record_opening opening;
    struct record_cards cards; /* its strings end with its line */
    struct ruleset ruleset;
    struct match match;
    replay_watch *watch; /* may be NULL */
    void *watch_arg;
    bool hinted;    /* the current decision was made after a hint */
    struct str due; /* the lines expected next, in room */
    char room[RECORD_STEP_MAX];
};

/* Calls the watch; its error is the line's. */
static bool seen(struct replay *r, struct json v, struct replay_event e)
{
    struct err err;
    e.ruleset = &r->ruleset;
    e.match = &r->match;
    e.line = r->lines.n;
    return !r->watch || r->watch(r->watch_arg, &e, &err) || json_fail(v, NULL, "%s", err.text);
}

/* ---- decisions ---- */

static int read_seat(const struct replay *r, struct json v)
{
    return (int)json_int(v, "p", 0, r->match.players - 1);
}

static bool is_legal(const struct replay *r, int seat, struct move m)
{
    struct match after = r->match;
    return match_apply(&r->ruleset, &after, seat, m, NULL) == LEGAL;
}

static void make_move(struct replay *r, struct str t, struct json v, struct round_log *log)
{
    static const char *const calls[] = {"koikoi", "stop", NULL};
    struct move m = {.card = CARD_NONE};
    if (str_is(t, STR("play")) || str_is(t, STR("draw"))) {
        m.kind = str_is(t, STR("play")) ? MOVE_PLAY : MOVE_CHOOSE;
        m.card = json_card(v, "card");
        m.take = json_cardset(v, "take");
    } else if (str_is(t, STR("decide"))) {
        m.kind = json_word(v, "do", calls) == 0 ? MOVE_KOIKOI : MOVE_STOP;
    } else if (str_is(t, STR("declare"))) {
        m.kind = MOVE_DECLARE;
    } else if (str_is(t, STR("void"))) {
        m.kind = MOVE_REDEAL;
    } else {
        json_fail(v, "t", "unexpected \"%.20s\" here", t.p);
    }
    int seat = read_seat(r, v);
    r->hinted = json_at(v, "hint").at;
    if (r->hinted && !(json_kind(json_at(v, "hint")) == JSON_BOOL && json_bool(v, "hint")))
        json_fail(v, "hint", "expected true or no such field");
    if (!json_good(v))
        return;
    if (r->watch && is_legal(r, seat, m) &&
        !seen(r, v,
              (struct replay_event){
                  .what = REPLAY_MOVE, .seat = seat, .move = m, .hinted = r->hinted}))
        return;
    enum illegal no = match_apply(&r->ruleset, &r->match, seat, m, log);
    if (no != LEGAL)
        json_fail(v, NULL, "illegal move: %s", record_illegal_text(no));
}

/* A seat that was not left. */
static int read_player(const struct replay *r, struct json v)
{
    int seat = read_seat(r, v);
    if (r->match.gone >> seat & 1)
        json_fail(v, "p", "expected a seat that was not left, got %d", seat);
    return seat;
}

static void make_leave(struct replay *r, struct json v, struct round_log *log,
                       enum leave_why *ret_why)
{
    static const char *const whys[] = {"resign", "timeout", NULL};
    int seat = read_player(r, v);
    bool goes_on = json_at(v, "goes_on").at;
    *ret_why = (enum leave_why)json_word(v, "why", whys);
    if (goes_on && (r->match.players < 3 || r->match.gone))
        json_fail(v, "goes_on", "expected the first of three to leave");
    if (!json_good(v))
        return;
    if (goes_on)
        match_go_on(&r->match, seat, log);
    else
        match_leave(&r->ruleset, &r->match, seat, log);
}

/* The last `lines` lines of the deal do not count. */
static void make_takeback(struct replay *r, struct json v, struct round_log *log)
{
    int n_seen = r->match.round.n_seen, seat = read_seat(r, v);
    int lines = (int)json_int(v, "lines", 1, n_seen), back_to = n_seen - lines;
    if (!json_good(v))
        return;
    if (r->match.round.seen[back_to].seat_kind >> 4 != seat)
        json_fail(v, "p", "expected the seat whose line is taken back first, got %d", seat);
    else if (!match_take_back(&r->ruleset, &r->match, seat, back_to, log))
        json_fail(v, "lines", "expected all lines since a decision, got %d", lines);
    else
        (void)seen(r, v, (struct replay_event){.what = REPLAY_TAKEBACK});
}

static void make_deal(struct replay *r, struct json v, struct round_log *log)
{
    const struct record_deal *d = &r->cards.deal;
    struct match *m = &r->match;
    record_read_deal(v, &r->opening, &r->cards);
    const struct {
        const char *name;
        int found, wanted;
    } numbers[] = {{"round", d->round, m->round_no},
                   {"attempt", d->attempt, m->attempt},
                   {"dealer", d->dealer, m->dealer}};
    for (int i = 0; i < 3; i++)
        if (numbers[i].found != numbers[i].wanted)
            json_fail(v, numbers[i].name, "expected %d, got %d", numbers[i].wanted,
                      numbers[i].found);
    if (!json_good(v))
        return;
    if (seen(r, v, (struct replay_event){.what = REPLAY_DEAL}))
        match_deal(&r->ruleset, m, d->deck, log);
}

/* Applies the decision of a line, and keeps the lines expected because of it. */
static void apply_decision(struct replay *r, struct str t, struct json v)
{
    struct round_log log = {.n = 0};
    struct buf b = BUF(r->room);
    enum leave_why why = LEAVE_RESIGN;
    bool playing = r->match.stage == MATCH_PLAYING, running = r->match.stage != MATCH_OVER;
    r->hinted = false;
    if (str_is(t, STR("deal")) && r->match.stage == MATCH_READY) {
        make_deal(r, v, &log);
    } else if (str_is(t, STR("leave")) && running) {
        make_leave(r, v, &log, &why);
    } else if (str_is(t, STR("agree")) && running) {
        int seat = read_player(r, v);
        if (json_good(v))
            match_agree(&r->ruleset, &r->match, seat, &log);
    } else if (str_is(t, STR("takeback")) && playing) {
        make_takeback(r, v, &log);
    } else if (playing) {
        make_move(r, t, v, &log);
    } else {
        json_fail(v, "t", "unexpected \"%.20s\" here", t.p);
    }
    if (!json_good(v))
        return;
    record_log(&b, &r->match, &r->cards.deal, &log, why, r->hinted);
    r->due = buf_str(&b);
}

/* ---- what follows ---- */

/* The line must be the first of those expected. Its seed is copied: verify.c checks it. */
static void check_due(struct replay *r, struct json v)
{
    struct json wanted = json_open(str_cut(r->due, '\n', &r->due), JSON_LINE);
    if (json_at(wanted, "server_seed").at && json_kind(json_at(v, "server_seed")) == JSON_STRING)
        json_set_str(wanted, "server_seed", json_str(v, "server_seed"));
    json_same(v, wanted);
    json_free(wanted);
}

static void open_match(struct replay *r, struct str t, struct json v)
{
    if (!str_is(t, STR("match")))
        json_fail(v, "t", "expected match in the first line, got %.20s", t.p);
    record_read_match(v, &r->opening);
    if (!json_good(v))
        return;
    const struct record_head *h = &r->opening.head;
    ruleset_make(&r->opening.rules, &r->ruleset);
    match_start(&r->opening.rules, h->players, h->seats.dealer, &r->match);
}

static void check_line(struct replay *r, struct str t, struct json v)
{
    bool decides = r->due.n == 0;
    if (decides)
        apply_decision(r, t, v);
    /* a deal is read field by field already; the expected lines follow */
    if (json_good(v) && !(decides && str_is(t, STR("deal"))))
        check_due(r, v);
}

/* Up to the end, or to the line before `stop`. */
static bool walk(struct replay *r, int stop, FILE *out, struct err *err)
{
    struct json v;
    struct str t;
    while (r->lines.n + 1 != stop) {
        if (!record_next(&r->lines, &v, &t)) {
            r->lines.n++;
            return (r->match.stage == MATCH_OVER && r->due.n == 0) ||
                   err_set(err, "expected match_end, got the end of the record");
        }
        bool first = r->lines.n == 1;
        if (json_good(v) && first)
            open_match(r, t, v);
        else if (json_good(v))
            check_line(r, t, v);
        if (json_good(v) && out)
            record_text(out, &r->opening.head, t, v);
        if (first && json_good(v))
            r->opening_line = v;
        else if (!json_close(v, err))
            return false;
    }
    return true;
}

static struct replay *replay_open(struct str record)
{
    struct replay *r = alloc_zeroed(sizeof *r);
    r->lines.rest = record;
    return r;
}

static void replay_close(struct replay *r)
{
    json_free(r->opening_line);
    free(r);
}

bool replay_record(struct str record, FILE *out, int *ret_line, struct err *err)
{
    struct err unfair;
    int unfair_line = 0;
    struct replay *r = replay_open(record);
    bool fair = verify_record(record, NULL, &unfair_line, &unfair);
    bool good = walk(r, unfair_line, out, err);
    if (!good)
        *ret_line = r->lines.n;
    if (good && !fair) {
        *ret_line = unfair_line;
        *err = unfair;
    }
    replay_close(r);
    return good && fair;
}

bool replay_watched(struct str record, replay_watch *watch, void *arg, struct match *ret_end,
                    struct rules *ret_rules, struct buf *ret_names, int *ret_line, struct err *err)
{
    struct replay *r = replay_open(record);
    r->watch = watch;
    r->watch_arg = arg;
    bool good = walk(r, 0, NULL, err);
    if (!good)
        *ret_line = r->lines.n;
    for (int i = 0; good && i < r->match.players; i++) {
        buf_put(ret_names, r->opening.head.names[i]);
        buf_char(ret_names, '\n');
    }
    if (good) {
        *ret_end = r->match;
        *ret_rules = r->opening.rules;
    }
    replay_close(r);
    return good;
}

/* ---- positions ---- */

struct position_walk {
    replay_each *each;
    void *arg;
    struct match deal; /* as it stood before a deal, with the round that is over */
    int n;
};

/* The end of the round before a deal is a position of its own. */
static bool watch_positions(void *arg, const struct replay_event *e, struct err *err)
{
    struct position_walk *w = arg;
    (void)err;
    if (e->what == REPLAY_DEAL) {
        w->deal = *e->match;
        if (w->n > 0)
            w->each(w->arg, e->match, w->n++, e->line - 1, false);
        w->deal.stage = MATCH_READY;
    } else if (e->what == REPLAY_MOVE) {
        w->each(w->arg, e->match, w->n++, e->line - 1, w->deal.stage == MATCH_READY);
        w->deal.stage = MATCH_PLAYING;
    }
    return true;
}

bool replay_positions(struct str record, replay_each *each, void *arg, struct err *err)
{
    char names[1024];
    struct buf b = BUF(names);
    struct position_walk *w = alloc_zeroed(sizeof *w);
    struct match end;
    struct rules rules;
    int line;
    *w = (struct position_walk){.each = each, .arg = arg};
    bool good = replay_watched(record, watch_positions, w, &end, &rules, &b, &line, err);
    int lines = 0;
    for (size_t i = 0; i < record.n; i++)
        lines += record.p[i] == '\n';
    if (good)
        each(arg, &end, w->n, lines, false);
    free(w);
    return good;
}

struct position_search {
    int64_t wanted;
    struct position at; /* the wanted one, once it was met; else the last */
    int round_begins, last_begins;
};

static void pass_position(void *arg, const struct match *m, int n, int lines, bool begins)
{
    struct position_search *s = arg;
    if (begins) {
        s->last_begins = s->round_begins;
        s->round_begins = n;
        if (s->at.next_round == 0 && n > s->wanted)
            s->at.next_round = n;
    }
    if (n <= s->wanted) {
        s->at.match = *m;
        s->at.step = n;
        s->at.lines = lines;
        s->at.round_begins = n > s->round_begins ? s->round_begins : s->last_begins;
    }
    s->at.last = n;
}

/* The seed of the deal that runs after so many lines: the next one that a line reveals. */
static void read_seed(struct str record, int lines, struct seed *ret)
{
    struct record_lines rest = {.rest = record};
    struct str line = {0}, name = STR("\"server_seed\":\"");
    const char *found = NULL;
    while (rest.rest.n > 0 && !found) {
        line = str_cut(rest.rest, '\n', &rest.rest);
        found = rest.n++ < lines ? NULL : memmem(line.p, line.n, name.p, name.n);
    }
    size_t left = found ? (size_t)(line.p + line.n - found) : 0;
    if (left >= name.n + SEED_HEX_SIZE)
        (void)chance_read_seed((struct str){found + name.n, SEED_HEX_SIZE - 1}, ret);
}

bool replay_position(struct str record, int64_t step, struct arena *a, const struct position **ret,
                     struct err *err)
{
    struct position_search *s = arena_new(a, struct position_search);
    s->wanted = step < 0 ? 0 : step;
    if (!replay_positions(record, pass_position, s, err))
        return false;
    read_seed(record, s->at.lines, &s->at.seed);
    *ret = &s->at;
    return true;
}
