/* See protocol.h. Each request is a row: its name, its fields, its handler. A handler checks all
 * fields before it changes the state, and writes its answer only when it cannot fail any more. */
#include "protocol.h"

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

/* An error: a code of the format, and words. */
struct protocol_fault {
    const char *code;
    struct err err;
};

static bool refuse(struct protocol_fault *f, const char *code, const char *text)
{
    f->code = code;
    return err_set(&f->err, "%s", text);
}

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

static bool read_rules(const struct protocol *p, const cJSON *request, struct rules *ret,
                       struct err *err)
{
    const cJSON *v = json_member(request, "rules");
    if (!v)
        return err_set(err, "rules: missing");
    return ruleset_file_value(p->folder, v, ret, err) || err_wrap(err, "rules");
}

/* A field that may be left out. */
static bool read_field(const cJSON *request, const char *name, int64_t low, int64_t high,
                       int64_t *ret, struct err *err)
{
    const cJSON *v = json_member(request, name);
    return !v || json_whole(v, name, low, high, ret, err);
}

static bool do_score(struct protocol *p, const cJSON *request, struct buf *b,
                     struct protocol_fault *f)
{
    struct rules r;
    struct ruleset g;
    struct score s;
    cardset taken;
    int64_t calls = 0; /* of the owner of the pile */
    if (!read_rules(p, request, &r, &f->err) ||
        !json_cardset(json_member(request, "taken"), "taken", &taken, &f->err) ||
        !read_field(request, "koikoi", 0, N_CARDS, &calls, &f->err))
        return false;
    ruleset_make(&r, &g);
    score_pile(&g, taken, calls > 0, &s);
    buf_put(b, STR("\"yaku\":"));
    record_yaku(b, &s);
    buf_print(b, ",\"base\":%d", s.base);
    return true;
}

static bool do_rules(struct protocol *p, const cJSON *request, struct buf *b,
                     struct protocol_fault *f)
{
    struct rules r;
    if (!read_rules(p, request, &r, &f->err))
        return false;
    buf_put(b, STR("\"rules\":"));
    ruleset_file_write(b, &r);
    return true;
}

static bool read_scores(const cJSON *request, struct match *m, struct err *err)
{
    const cJSON *v = json_member(request, "scores");
    int64_t score = 0;
    int i = 0;
    if (!v)
        return true;
    if (!json_list(v, "scores", m->players, m->players, err))
        return false;
    for (const cJSON *s = v->child; s; s = s->next) {
        if (!json_whole(s, "scores", 0, SCORE_LIMIT, &score, err))
            return false;
        m->scores[i++] = (int32_t)score;
    }
    return true;
}

static bool do_new(struct protocol *p, const cJSON *request, struct buf *b,
                   struct protocol_fault *f)
{
    struct rules r;
    struct match m;
    uint8_t deck[N_CARDS];
    int64_t players = 0, dealer = 0, round = 1;
    int n;
    if (!read_rules(p, request, &r, &f->err) ||
        !json_whole(json_member(request, "players"), "players", MIN_PLAYERS, MAX_PLAYERS, &players,
                    &f->err))
        return false;
    if (!(r.players_allowed & 1 << players))
        return err_set(&f->err, "players: expected a number that the rule set allows, got %d",
                       (int)players);
    match_start(&r, (int)players, 0, &m);
    if (!read_field(request, "dealer", 0, players - 1, &dealer, &f->err) ||
        !read_field(request, "round", 1, r.tie_break == TIE_EXTRA_ROUND ? LAST_ROUND : r.rounds,
                    &round, &f->err) ||
        !read_scores(request, &m, &f->err) ||
        !json_cards(json_member(request, "deck"), "deck", N_CARDS, N_CARDS, deck, &n, &f->err))
        return false;
    ruleset_make(&r, &p->ruleset);
    m.dealer = p->dealer = (uint8_t)dealer;
    m.round_no = p->round_no = (uint16_t)round;
    match_deal(&p->ruleset, &m, deck, NULL);
    p->match = m;
    p->has_round = true;
    put_state(p, 0, true, b);
    return true;
}

static bool do_state(struct protocol *p, const cJSON *request, struct buf *b,
                     struct protocol_fault *f)
{
    const cJSON *v = json_member(request, "for");
    int64_t seat = 0;
    bool all = cJSON_IsString(v) && strcmp(v->valuestring, "all") == 0;
    if (!p->has_round)
        return refuse(f, "bad_state", "no round is held: begin one with `new`");
    if (v && !all && !cJSON_IsNumber(v))
        return err_set(&f->err, "for: expected a seat or \"all\"");
    if (!all && !json_whole(v, "for", 0, p->match.players - 1, &seat, &f->err))
        return false;
    put_state(p, (int)seat, all, b);
    return true;
}

static bool do_apply(struct protocol *p, const cJSON *request, struct buf *b,
                     struct protocol_fault *f)
{
    const cJSON *v = json_member(request, "move");
    struct move m = {.card = CARD_NONE};
    bool take_given = false;
    int64_t seat = 0;
    if (!p->has_round)
        return refuse(f, "bad_state", "no round is held: begin one with `new`");
    if (!json_whole(json_member(request, "p"), "p", 0, p->match.players - 1, &seat, &f->err))
        return false;
    if (!v)
        return err_set(&f->err, "move: missing");
    if (!view_read_move(v, &m, &take_given, &f->err))
        return err_wrap(&f->err, "move");
    enum illegal no = round_complete(&p->ruleset, &p->match.round, (int)seat, take_given, &m);
    if (no == LEGAL)
        no = match_apply(&p->ruleset, &p->match, (int)seat, m, NULL);
    if (no != LEGAL)
        return refuse(f, "illegal_move", record_illegal_text(no));
    put_state(p, 0, true, b);
    return true;
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

struct advice_order {
    int level;
    int64_t ms, visits, seed;
}; /* ms, visits: 0 = not given */

static bool read_order(const cJSON *request, struct advice_order *ret, struct err *err)
{
    const cJSON *level = json_member(request, "level");
    struct advice_order o = {.level = LEVEL_MASTER};
    struct str name = {NULL, 0};
    if (level) {
        if (!json_text(level, "level", &name, err))
            return false;
        o.level = level_read(name.p, name.n);
        if (o.level < 0)
            return err_set(err,
                           "level: expected beginner, easy, normal, hard or master, got \"%.20s\"",
                           name.p);
    }
    if (!read_field(request, "ms", 1, MS_LIMIT, &o.ms, err) ||
        !read_field(request, "visits", 1, UINT32_MAX, &o.visits, err) ||
        !read_field(request, "seed", 0, (int64_t)1 << SEED_BITS, &o.seed, err))
        return false;
    if (o.ms > 0 && o.visits > 0)
        return err_set(err, "visits: expected either ms or visits, got both");
    *ret = o;
    return true;
}

static bool read_eyes(const struct protocol *p, const cJSON *request, struct view *ret,
                      struct protocol_fault *f)
{
    const cJSON *v = json_member(request, "view");
    bool over = false;
    if (v) {
        if (!view_read(v, p->folder, ret, &over, &f->err)) {
            f->code = over ? "bad_state" : f->code;
            return err_wrap(&f->err, "view");
        }
        return true;
    }
    if (!p->has_round)
        return refuse(f, "bad_state",
                      "no round is held: begin one with `new`, or show one in `view`");
    if (p->match.round.phase == PHASE_OVER)
        return refuse(f, "bad_state", "the round is over");
    held_view(p, p->match.round.turn, ret);
    return true;
}

static bool do_advise(struct protocol *p, const cJSON *request, struct buf *b,
                      struct protocol_fault *f)
{
    struct view v;
    struct advice_order o = {.level = LEVEL_MASTER};
    struct advice a = {.n = 0};
    if (!read_order(request, &o, &f->err) || !read_eyes(p, request, &v, f))
        return false;
    struct search_alarm alarm = {p->now_ms, p->now_ms() + o.ms};
    struct budget budget = {.visits = o.ms > 0 ? UINT32_MAX : (uint32_t)o.visits,
                            .spent = o.ms > 0 ? rings : NULL,
                            .arg = &alarm};
    search(&v, (enum level)o.level, &budget, (uint64_t)o.seed, &a);
    buf_put(b, STR("\"move\":"));
    view_write_move(b, a.move);
    buf_print(b, ",\"value\":%.4f,\"moves\":[", (double)a.value);
    for (int i = 0; i < a.n; i++) {
        buf_put(b, i == 0 ? STR("{\"move\":") : STR(",{\"move\":"));
        view_write_move(b, a.at[i].move);
        buf_print(b, ",\"value\":%.4f,\"visits\":%u}", (double)a.at[i].value,
                  (unsigned)a.at[i].visits);
    }
    buf_char(b, ']');
    return true;
}

/* ---- lines ---- */

enum { MAX_KEYS = 10 };

static const struct protocol_request {
    const char *name;
    bool (*answer_request)(struct protocol *p, const cJSON *request, struct buf *b,
                           struct protocol_fault *f);
    const char *keys[MAX_KEYS];
} requests[] = {
    {"score", do_score, {"id", "do", "rules", "taken", "koikoi"}},
    {"rules", do_rules, {"id", "do", "rules"}},
    {"new", do_new, {"id", "do", "rules", "players", "dealer", "round", "scores", "deck"}},
    {"state", do_state, {"id", "do", "for"}},
    {"apply", do_apply, {"id", "do", "p", "move"}},
    {"advise", do_advise, {"id", "do", "level", "ms", "visits", "seed", "view"}},
};

static bool answer_request(struct protocol *p, const cJSON *request, struct buf *b,
                           struct protocol_fault *f)
{
    struct str name = {NULL, 0};
    if (!json_text(json_member(request, "do"), "do", &name, &f->err))
        return false;
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++)
        if (str_is(name, str_of(requests[i].name)))
            return json_only(request, requests[i].keys, &f->err) &&
                   requests[i].answer_request(p, request, b, f);
    f->code = "unknown";
    return err_set(&f->err, "do: unknown request \"%.40s\"", name.p);
}

static bool serve_line(struct protocol *p, struct str line, struct buf *b, struct protocol_fault *f)
{
    f->code = "bad_json";
    if (line.n > PROTOCOL_LINE_MAX)
        return err_set(&f->err, "expected at most %d bytes in a line, got more", PROTOCOL_LINE_MAX);
    cJSON *request = json_parse_line(line, &f->err);
    if (!request)
        return false;
    bool ok = json_object(request, "request", false, &f->err);
    if (ok) {
        f->code = "bad_field";
        ok = answer_request(p, request, b, f);
    }
    cJSON_Delete(request);
    return ok;
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

void protocol_line(struct protocol *p, struct str line, struct buf *ret)
{
    struct str id = STR("null");
    struct protocol_fault f = {.code = NULL};
    if (line.n > 0 && line.p[line.n - 1] == '\r')
        line.n--;
    if (line.n <= PROTOCOL_LINE_MAX)
        (void)json_raw(line, "id", &id);
    buf_put(ret, STR("{\"id\":"));
    buf_put(ret, id);
    buf_char(ret, ',');
    size_t begin = ret->n;
    if (!serve_line(p, line, ret, &f)) {
        ret->n = begin;
        buf_print(ret, "\"error\":{\"code\":\"%s\",\"message\":", f.code);
        json_put_text(ret, whole_characters(f.err.text));
        buf_char(ret, '}');
    }
    buf_put(ret, STR("}\n"));
}

struct protocol *protocol_open(struct str folder, int64_t (*now_ms)(void))
{
    struct protocol *p = calloc(1, sizeof *p);
    if (!p)
        abort();
    p->folder = folder;
    p->now_ms = now_ms;
    return p;
}

void protocol_close(struct protocol *p)
{
    free(p);
}
