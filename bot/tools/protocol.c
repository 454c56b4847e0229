/* See protocol.h. Each request is a row: its name, its fields, its handler. */
#include "protocol.h"
#include "tool.h"

#include "alloc.h"
#include "clock.h"
#include "json_cards.h"
#include "record.h"
#include "ruleset_file.h"
#include "search.h"
#include "view_json.h"

enum { SCORE_LIMIT = 1000000000, MS_LIMIT = 600000, SEED_BITS = 53 };

struct protocol {
    struct str folder;
    int64_t (*now_ms)(void);
    bool has_round;
    struct ruleset ruleset;
    struct match match;
    uint16_t round_no; /* of the round held; the match may be one further */
    uint8_t dealer;
};

/* Answers one kind of request. It checks all fields before it changes the state, and writes its
 * answer only when it cannot fail any more. Returns the code of its fault; the words are in v. */
typedef const char *answer(struct protocol *p, struct json v, struct buf *b);

/* ---- states ---- */

static void held_view(const struct protocol *p, int seat, struct view *ret)
{
    view_of(&p->ruleset, &p->match, seat, ret);
    ret->round_no = p->round_no;
    ret->dealer = p->dealer;
}

static void put_state(const struct protocol *p, int seat, bool all, struct buf *b)
{
    struct view v;
    held_view(p, all ? p->match.round.turn : seat, &v);
    view_write(b, &v, all ? &p->match : NULL);
}

/* ---- requests ---- */

static const char *const GOOD = NULL, *const BAD_FIELD = "bad_field",
                         *const BAD_STATE = "bad_state";

/* A field that may be left out. */
static int64_t read_field(struct json v, const char *key, int64_t least, int64_t most,
                          int64_t usual)
{
    return json_at(v, key).at ? json_int(v, key, least, most) : usual;
}

static const char *do_score(struct protocol *p, struct json v, struct buf *b)
{
    struct rules r;
    struct ruleset g;
    struct score s;
    ruleset_file_value(v, "rules", p->folder, &r);
    cardset taken = json_cardset(v, "taken");
    int64_t calls = read_field(v, "koikoi", 0, N_CARDS, 0); /* of the owner of the pile */
    int64_t round = read_field(v, "round", 1, LAST_ROUND, 1);
    if (!json_good(v))
        return BAD_FIELD;
    rules_in_round(&r, (int)round);
    ruleset_make(&r, &g);
    score_pile(&g, taken, calls > 0, &s);
    json_put_yaku(b, "yaku", &s);
    json_put_int(b, "base", s.base);
    return GOOD;
}

static const char *do_rules(struct protocol *p, struct json v, struct buf *b)
{
    struct rules r;
    ruleset_file_value(v, "rules", p->folder, &r);
    if (!json_good(v))
        return BAD_FIELD;
    json_put_name(b, "rules");
    ruleset_file_write(b, &r);
    return GOOD;
}

static const char *do_new(struct protocol *p, struct json v, struct buf *b)
{
    struct rules r;
    struct match m;
    uint8_t deck[N_CARDS];
    int i = 0;
    ruleset_file_value(v, "rules", p->folder, &r);
    int players = (int)json_int(v, "players", MIN_PLAYERS, MAX_PLAYERS);
    if (json_good(v) && !(r.players_allowed & 1 << players))
        json_fail(v, "players", "expected a number that the rule set allows, got %d", players);
    if (!json_good(v))
        return BAD_FIELD;
    match_start(&r, players, 0, &m);
    int last = r.tie_break == TIE_EXTRA_ROUND ? LAST_ROUND : r.rounds;
    int64_t dealer = read_field(v, "dealer", 0, players - 1, 0);
    int64_t round = read_field(v, "round", 1, last, 1);
    if (json_at(v, "scores").at) {
        struct json s = json_first(json_list(v, "scores", players, players));
        for (; s.at; s = json_next(s))
            m.scores[i++] = (int32_t)json_int(s, NULL, 0, SCORE_LIMIT);
    }
    json_cards(v, "deck", N_CARDS, N_CARDS, deck);
    if (!json_good(v))
        return BAD_FIELD;
    ruleset_make(&r, &p->ruleset);
    m.dealer = p->dealer = (uint8_t)dealer;
    m.round_no = p->round_no = (uint16_t)round;
    match_deal(&p->ruleset, &m, deck, NULL);
    p->match = m;
    p->has_round = true;
    put_state(p, 0, true, b);
    return GOOD;
}

static const char *no_round(struct json v)
{
    json_fail(v, NULL, "no round is held: begin one with `new`");
    return BAD_STATE;
}

static const char *do_state(struct protocol *p, struct json v, struct buf *b)
{
    enum json_kind kind = json_kind(json_at(v, "for"));
    bool all = json_is(v, "for", "all");
    if (!p->has_round)
        return no_round(v);
    if (kind != JSON_NONE && kind != JSON_NUMBER && !all)
        json_fail(v, "for", "expected a seat or \"all\"");
    int seat = all ? 0 : (int)json_int(v, "for", 0, p->match.players - 1);
    if (!json_good(v))
        return BAD_FIELD;
    put_state(p, seat, all, b);
    return GOOD;
}

static const char *do_apply(struct protocol *p, struct json v, struct buf *b)
{
    bool take_given;
    if (!p->has_round)
        return no_round(v);
    int seat = (int)json_int(v, "p", 0, p->match.players - 1);
    struct move m = view_read_move(v, "move", &take_given);
    if (!json_good(v))
        return BAD_FIELD;
    enum illegal no = round_complete(&p->ruleset, &p->match.round, seat, take_given, &m);
    if (no == LEGAL)
        no = match_apply(&p->ruleset, &p->match, seat, m, NULL);
    if (no != LEGAL) {
        json_fail(v, NULL, "%s", record_illegal_text(no));
        return "illegal_move";
    }
    put_state(p, 0, true, b);
    return GOOD;
}

/* ---- advice ---- */

struct search_alarm {
    int64_t (*now_ms)(void);
    int64_t end;
};

static bool rings(void *arg)
{
    const struct search_alarm *a = arg;
    return a->now_ms() >= a->end;
}

/* The view that is to be advised on: one in the request, or of the round held. */
static const char *read_eyes(const struct protocol *p, struct json v, struct view *ret)
{
    bool over = false;
    if (json_at(v, "view").at) {
        view_read(v, "view", p->folder, ret, &over);
        return over ? BAD_STATE : json_good(v) ? GOOD : BAD_FIELD;
    }
    if (!p->has_round)
        json_fail(v, NULL, "no round is held: begin one with `new`, or show one in `view`");
    else if (p->match.round.phase == PHASE_OVER)
        json_fail(v, NULL, "the round is over");
    else
        held_view(p, p->match.round.turn, ret);
    return json_good(v) ? GOOD : BAD_STATE;
}

static const char *do_advise(struct protocol *p, struct json v, struct buf *b)
{
    struct view view;
    struct advice a = {.n = 0};
    int level = LEVEL_MASTER;
    if (json_at(v, "level").at) {
        struct str name = json_str(v, "level");
        level = level_read(name.p, name.n);
        if (level < 0)
            json_fail(v, "level", "expected beginner, easy, normal, hard or master, got \"%.20s\"",
                      name.p);
    }
    int64_t ms = read_field(v, "ms", 1, MS_LIMIT, 0);
    int64_t visits = read_field(v, "visits", 1, UINT32_MAX, 0);
    int64_t seed = read_field(v, "seed", 0, (int64_t)1 << SEED_BITS, 0);
    if (ms > 0 && visits > 0)
        json_fail(v, "visits", "expected either ms or visits, got both");
    const char *fault = json_good(v) ? read_eyes(p, v, &view) : BAD_FIELD;
    if (fault)
        return fault;
    struct search_alarm alarm = {p->now_ms, p->now_ms() + ms};
    struct budget budget = {.visits = ms > 0 ? UINT32_MAX : (uint32_t)visits,
                            .spent = ms > 0 ? rings : NULL,
                            .arg = &alarm};
    search(&view, (enum level)level, &budget, (uint64_t)seed, &a);
    view_write_move(b, "move", a.move);
    buf_print(b, ",\"value\":%.4f", (double)a.value);
    json_put_open(b, "moves", '[');
    for (int i = 0; i < a.n; i++) {
        json_put_open(b, NULL, '{');
        view_write_move(b, "move", a.at[i].move);
        buf_print(b, ",\"value\":%.4f,\"visits\":%u}", (double)a.at[i].value,
                  (unsigned)a.at[i].visits);
    }
    buf_char(b, ']');
    return GOOD;
}

/* ---- lines ---- */

enum { MAX_KEYS = 10 };

static const struct protocol_request {
    const char *name;
    answer *answer;
    const char *keys[MAX_KEYS];
} requests[] = {
    {"score", do_score, {"id", "do", "rules", "taken", "koikoi", "round"}},
    {"rules", do_rules, {"id", "do", "rules"}},
    {"new", do_new, {"id", "do", "rules", "players", "dealer", "round", "scores", "deck"}},
    {"state", do_state, {"id", "do", "for"}},
    {"apply", do_apply, {"id", "do", "p", "move"}},
    {"advise", do_advise, {"id", "do", "level", "ms", "visits", "seed", "view"}},
};

static const char *answer_request(struct protocol *p, struct json v, struct buf *b)
{
    struct str name = json_str(v, "do");
    if (!json_good(v))
        return BAD_FIELD;
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++)
        if (str_is(name, str_of(requests[i].name))) {
            json_allow(v, requests[i].keys);
            return json_good(v) ? requests[i].answer(p, v, b) : BAD_FIELD;
        }
    json_fail(v, "do", "unknown request \"%.40s\"", name.p);
    return "unknown";
}

/* Returns the code of the fault, NULL if the answer is written. */
static const char *serve_line(struct protocol *p, struct str line, struct buf *b, struct err *err)
{
    if (line.n > PROTOCOL_LINE_MAX) {
        (void)err_set(err, "expected at most %d bytes in a line, got more", PROTOCOL_LINE_MAX);
        return "bad_json";
    }
    struct json v = json_open(line, JSON_LINE);
    const char *fault = json_good(v) ? answer_request(p, v, b) : "bad_json";
    return json_close(v, err) ? NULL : fault;
}

/* Messages quote the request, cut at a byte that may be inside a character. */
static struct str whole_characters(char *text)
{
    struct str s = str_of(text);
    for (size_t i = 0; i < s.n; i++)
        if ((unsigned char)text[i] >= 0x80)
            text[i] = '?';
    return s;
}

/* True if the value is JSON by itself: what is wrong with its line may be inside of it. */
static bool is_sound(struct str value)
{
    struct buf b = {alloc_room(value.n + 16), 0, value.n + 16, false};
    struct err err;
    JSON_PUT(&b, "{'id':@}", value);
    bool sound = json_close(json_open(buf_str(&b), JSON_LINE), &err);
    free(b.p);
    return sound;
}

static void begin_answer(struct buf *ret, struct str id)
{
    buf_put(ret, STR("{\"id\":"));
    buf_put(ret, id);
    buf_char(ret, ',');
}

void protocol_line(struct protocol *p, struct str line, struct buf *ret)
{
    struct str id = STR("null");
    struct err err = {""};
    size_t begin = ret->n;
    if (line.n > 0 && line.p[line.n - 1] == '\r')
        line.n--;
    if (line.n <= PROTOCOL_LINE_MAX)
        (void)json_raw(line, "id", &id);
    begin_answer(ret, id);
    const char *fault = serve_line(p, line, ret, &err);
    if (fault) {
        ret->n = begin;
        begin_answer(ret, is_sound(id) ? id : STR("null"));
        json_put_open(ret, "error", '{');
        json_put_str(ret, "code", str_of(fault));
        json_put_str(ret, "message", whole_characters(err.text));
        buf_char(ret, '}');
    }
    buf_put(ret, STR("}\n"));
}

struct protocol *protocol_open(struct str folder, int64_t (*now_ms)(void))
{
    struct protocol *p = alloc_zeroed(sizeof *p);
    p->folder = folder;
    p->now_ms = now_ms;
    return p;
}

void protocol_close(struct protocol *p)
{
    free(p);
}

/* ---- standard input and output ---- */

/* Reads one line without its line feed; of a longer one, the first `size` bytes. Returns false at
 * the end. */
static bool read_request(FILE *in, char *room, size_t size, struct str *ret)
{
    size_t n = 0;
    int c;
    while ((c = getc_unlocked(in)) != EOF && c != '\n')
        if (n < size)
            room[n++] = (char)c;
    *ret = (struct str){room, n};
    return c != EOF || n > 0;
}

bool protocol_serve(FILE *in, FILE *out, struct str folder)
{
    char *room = alloc_room(PROTOCOL_LINE_MAX + 1), *text = alloc_room(PROTOCOL_ANSWER_MAX);
    struct protocol *p = protocol_open(folder, clock_awake_ms);
    struct str line;
    bool ok = true;
    while (ok && read_request(in, room, PROTOCOL_LINE_MAX + 1, &line)) {
        struct buf b = {text, 0, PROTOCOL_ANSWER_MAX, false};
        protocol_line(p, line, &b);
        ok = fwrite(b.p, 1, b.n, out) == b.n && fflush(out) == 0;
    }
    protocol_close(p);
    free(room);
    free(text);
    return ok;
}

enum tool_status engine_main(struct tool *t)
{
    (void)t;
    return protocol_serve(stdin, stdout, str_of(getenv("KOIKOI_RULES_DIR"))) ? TOOL_GOOD : TOOL_BAD;
}
