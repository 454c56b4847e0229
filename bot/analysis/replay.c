/* See replay.h.
 *
 * A line is either a decision (a deal, a play, a choice, a call, a leave) or a consequence of one.
 * Each decision is applied to a match of our own; the record writer then gives the lines that
 * belong there, the decision's own line first, and the file must hold the same. So there is one
 * check for all fields, and it covers every field that the writer learns.
 */
#include "replay.h"

#include "record_read.h"
#include "record_text.h"
#include "verify.h"

struct replay {
    struct record_lines lines;
    cJSON *opening_tree; /* holds the strings of the opening */
    struct record_opening opening;
    struct record_cards cards; /* its strings end with its line */
    struct ruleset ruleset;
    struct match match;
    const struct replay_watch *watch; /* may be NULL */
    bool hinted;                      /* the current decision was made after a hint */
    struct str due;                   /* the lines expected next, in room */
    char room[RECORD_STEP_MAX];
};

/* ---- decisions ---- */

static bool read_seat(const struct replay *r, const cJSON *v, int *ret, struct err *err)
{
    int64_t seat = 0;
    if (!json_whole(json_member(v, "p"), "p", 0, r->match.players - 1, &seat, err))
        return false;
    *ret = (int)seat;
    return true;
}

static bool read_take(const cJSON *v, enum move_kind kind, struct move *ret, struct err *err)
{
    ret->kind = (uint8_t)kind;
    return json_card(json_member(v, "card"), "card", &ret->card, err) &&
           json_cardset(json_member(v, "take"), "take", &ret->take, err);
}

static bool read_decision(const cJSON *v, struct move *ret, struct err *err)
{
    static const char *const calls[] = {"koikoi", "stop", NULL};
    int call = 0;
    if (!json_choice(json_member(v, "do"), "do", calls, &call, err))
        return false;
    *ret = (struct move){.kind = call == 0 ? MOVE_KOIKOI : MOVE_STOP, .card = CARD_NONE};
    return true;
}

/* "hint":true, or no such field. */
static bool read_hint(struct replay *r, const cJSON *v, struct err *err)
{
    const cJSON *hint = json_member(v, "hint");
    r->hinted = hint;
    return !hint || cJSON_IsTrue(hint) || err_set(err, "hint: expected true or no such field");
}

static bool is_legal(const struct replay *r, int seat, struct move m)
{
    struct match after = r->match;
    return match_apply(&r->ruleset, &after, seat, m, NULL) == LEGAL;
}

static bool make_move(struct replay *r, struct str t, const cJSON *v, struct round_log *log,
                      struct err *err)
{
    struct move m = {.card = CARD_NONE};
    bool ok = true;
    int seat = 0;
    if (str_is(t, STR("play")))
        ok = read_take(v, MOVE_PLAY, &m, err);
    else if (str_is(t, STR("draw")))
        ok = read_take(v, MOVE_CHOOSE, &m, err);
    else if (str_is(t, STR("decide")))
        ok = read_decision(v, &m, err);
    else if (str_is(t, STR("declare")))
        m.kind = MOVE_DECLARE;
    else if (str_is(t, STR("void")))
        m.kind = MOVE_REDEAL;
    else
        return err_set(err, "t: unexpected \"%.20s\" here", t.p);
    if (!ok || !read_seat(r, v, &seat, err) || !read_hint(r, v, err))
        return false;
    if (r->watch && is_legal(r, seat, m) &&
        !r->watch->move(r->watch->arg, &r->ruleset, &r->match, seat, m, r->hinted, err))
        return false;
    enum illegal no = match_apply(&r->ruleset, &r->match, seat, m, log);
    return no == LEGAL || err_set(err, "illegal move: %s", record_illegal_text(no));
}

static bool seat_plays(const struct replay *r, int seat, struct err *err)
{
    return !(r->match.gone >> seat & 1) ||
           err_set(err, "p: expected a seat that was not left, got %d", seat);
}

static bool make_leave(struct replay *r, const cJSON *v, struct round_log *log,
                       enum leave_why *ret_why, struct err *err)
{
    static const char *const whys[] = {"resign", "timeout", NULL};
    const cJSON *goes_on = json_member(v, "goes_on");
    int seat = 0, why = 0;
    if (!read_seat(r, v, &seat, err) || !json_choice(json_member(v, "why"), "why", whys, &why, err))
        return false;
    if (!seat_plays(r, seat, err))
        return false;
    if (goes_on && (r->match.players < 3 || r->match.gone))
        return err_set(err, "goes_on: expected the first of three to leave");
    if (goes_on)
        match_go_on(&r->match, seat, log);
    else
        match_leave(&r->ruleset, &r->match, seat, log);
    *ret_why = (enum leave_why)why;
    return true;
}

static bool make_agreement(struct replay *r, const cJSON *v, struct round_log *log, struct err *err)
{
    int seat = 0;
    if (!read_seat(r, v, &seat, err) || !seat_plays(r, seat, err))
        return false;
    match_agree(&r->ruleset, &r->match, seat, log);
    return true;
}

/* The last `lines` lines of the deal do not count. */
static bool make_takeback(struct replay *r, const cJSON *v, struct round_log *log, struct err *err)
{
    int64_t lines = 0;
    int seat = 0, seen = r->match.round.n_seen;
    if (!read_seat(r, v, &seat, err) ||
        !json_whole(json_member(v, "lines"), "lines", 1, seen, &lines, err))
        return false;
    int back_to = seen - (int)lines;
    if (r->match.round.seen[back_to].seat_kind >> 4 != seat)
        return err_set(err, "p: expected the seat whose line is taken back first, got %d", seat);
    if (!match_take_back(&r->ruleset, &r->match, seat, back_to, log))
        return err_set(err, "lines: expected all lines since a decision, got %d", (int)lines);
    return !r->watch || r->watch->takeback(r->watch->arg, &r->match, err);
}

static bool same_number(const char *name, int found, int wanted, struct err *err)
{
    return found == wanted || err_set(err, "%s: expected %d, got %d", name, wanted, found);
}

static bool make_deal(struct replay *r, const cJSON *v, struct round_log *log, struct err *err)
{
    const struct record_deal *d = &r->cards.deal;
    struct match *m = &r->match;
    if (!record_read_deal(v, &r->opening, &r->cards, err) ||
        !same_number("round", d->round, m->round_no, err) ||
        !same_number("attempt", d->attempt, m->attempt, err) ||
        !same_number("dealer", d->dealer, m->dealer, err))
        return false;
    if (r->watch && !r->watch->deal(r->watch->arg, &r->ruleset, m, err))
        return false;
    match_deal(&r->ruleset, m, d->deck, log);
    return true;
}

/* Applies the decision of a line, and keeps the lines expected because of it. */
static bool apply_decision(struct replay *r, struct str t, const cJSON *v, struct err *err)
{
    struct round_log log = {.n = 0};
    struct buf b = BUF(r->room);
    enum leave_why why = LEAVE_RESIGN;
    bool ok, deal = str_is(t, STR("deal")) && r->match.stage == MATCH_READY;
    r->hinted = false;
    if (deal)
        ok = make_deal(r, v, &log, err);
    else if (str_is(t, STR("leave")) && r->match.stage != MATCH_OVER)
        ok = make_leave(r, v, &log, &why, err);
    else if (str_is(t, STR("agree")) && r->match.stage != MATCH_OVER)
        ok = make_agreement(r, v, &log, err);
    else if (str_is(t, STR("takeback")) && r->match.stage == MATCH_PLAYING)
        ok = make_takeback(r, v, &log, err);
    else if (r->match.stage == MATCH_PLAYING)
        ok = make_move(r, t, v, &log, err);
    else
        return err_set(err, "t: unexpected \"%.20s\" here", t.p);
    if (!ok)
        return false;
    record_log(&b, &r->match, &r->cards.deal, &log, why, r->hinted);
    r->due = buf_str(&b);
    return true;
}

/* ---- what follows ---- */

/* The line must be the first of those expected. Its seed is copied: verify.c checks it. */
static bool follows(struct replay *r, const cJSON *v, struct err *err)
{
    struct str line = str_cut(r->due, '\n', &r->due);
    cJSON *wanted = json_parse(line, err), *seed = json_member(v, "server_seed");
    if (wanted && json_member(wanted, "server_seed") && cJSON_IsString(seed))
        cJSON_ReplaceItemInObjectCaseSensitive(wanted, "server_seed", cJSON_Duplicate(seed, true));
    bool ok = wanted && json_same(wanted, v, err);
    cJSON_Delete(wanted);
    return ok;
}

static bool open_match(struct replay *r, struct str t, cJSON *tree, struct err *err)
{
    r->opening_tree = tree;
    if (!str_is(t, STR("match")))
        return err_set(err, "t: expected match in the first line, got %.20s", t.p);
    if (!record_read_match(tree, &r->opening, err))
        return false;
    const struct record_head *h = &r->opening.head;
    ruleset_make(&r->opening.rules, &r->ruleset);
    match_start(&r->opening.rules, h->players, h->seats.dealer, &r->match);
    return true;
}

static bool check_line(struct replay *r, struct str t, const cJSON *v, struct err *err)
{
    if (r->due.n == 0) {
        if (!apply_decision(r, t, v, err))
            return false;
        if (str_is(t, STR("deal"))) /* read field by field already; the expected lines follow */
            return true;
    }
    return follows(r, v, err);
}

/* Up to the end, or to the line before `stop`. */
static bool walk(struct replay *r, int stop, FILE *out, struct err *err)
{
    struct str t = {NULL, 0};
    bool end = false;
    while (r->lines.n + 1 != stop) {
        cJSON *v = record_next(&r->lines, &t, &end, err);
        if (end) {
            r->lines.n++;
            return (r->match.stage == MATCH_OVER && r->due.n == 0) ||
                   err_set(err, "expected match_end, got the end of the record");
        }
        bool first = r->lines.n == 1,
             ok = v && (first ? open_match(r, t, v, err) : check_line(r, t, v, err));
        if (ok && out)
            record_text(out, &r->opening.head, t, v);
        if (v != r->opening_tree)
            cJSON_Delete(v);
        if (!ok)
            return false;
    }
    return true;
}

/* Replays the whole record. */
static bool play_again(struct replay *r, struct str record, FILE *out, int *ret_line,
                       struct err *err)
{
    struct err unfair;
    int unfair_line = 0;
    bool fair = verify_record(record, NULL, &unfair_line, &unfair);
    r->lines.rest = record;
    bool ok = walk(r, unfair_line, out, err);
    if (!ok)
        *ret_line = r->lines.n;
    if (ok && !fair) {
        *ret_line = unfair_line;
        *err = unfair;
    }
    return ok && fair;
}

bool replay_record(struct str record, FILE *out, int *ret_line, struct err *err)
{
    struct replay *r = calloc(1, sizeof *r);
    if (!r)
        return err_set(err, "no memory");
    bool good = play_again(r, record, out, ret_line, err);
    cJSON_Delete(r->opening_tree);
    free(r);
    return good;
}

bool replay_watched(struct str record, const struct replay_watch *watch, struct match *ret_end,
                    struct rules *ret_rules, struct buf *ret_names, int *ret_line, struct err *err)
{
    struct replay *r = calloc(1, sizeof *r);
    if (!r)
        return err_set(err, "no memory");
    r->watch = watch;
    r->lines.rest = record;
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
    cJSON_Delete(r->opening_tree);
    free(r);
    return good;
}
