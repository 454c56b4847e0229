/* See puzzle_file.h. */
#include "puzzle_file.h"

#include "json_cards.h"
#include "view_json.h"

static int read_int(struct json v, const char *key, int most)
{
    return (int)json_int(v, key, 0, most);
}

static void read_reason(struct json o, struct puzzle *p)
{
    static const char *const fields[] = {"kind", "seat", "yaku", "card", "chance", "instead", NULL};
    const char *kinds[N_REASONS + 1] = {NULL}, *yaku[N_YAKU + 1] = {NULL};
    struct hint *h = &p->hint;
    for (int i = 0; i < N_REASONS; i++)
        kinds[i] =
            i >= REASON_COMPLETES && i <= REASON_BLOCKS ? reason_key((enum reason_kind)i) : "";
    for (int y = 0; y < N_YAKU; y++)
        yaku[y] = yaku_key((enum yaku)y);
    json_allow(o, fields);
    h->kind = json_word(o, "kind", kinds);
    h->seat = read_int(o, "seat", p->view.players - 1);
    h->yaku = json_word(o, "yaku", yaku);
    h->chance = read_int(o, "chance", 100);
    h->instead = read_int(o, "instead", 100);
    h->card = json_at(o, "card").at ? json_card(o, "card") : CARD_NONE;
}

/* What stop and koi-koi bring. */
static void read_calls(struct json o, struct puzzle *p)
{
    static const char *const both[] = {"stop", "koikoi", NULL},
                             *const stops[] = {"win", "points", NULL},
                             *const goes_on[] = {"win", "won", "gain", "lost", "risk", NULL};
    struct json stop = json_object(o, "stop"), koikoi = json_object(o, "koikoi");
    struct hint *h = &p->hint;
    json_allow(o, both);
    json_allow(stop, stops);
    json_allow(koikoi, goes_on);
    h->decision = 1;
    h->kind = h->best.kind == MOVE_STOP ? REASON_STOP : REASON_KOIKOI;
    h->seat = -1;
    h->yaku = N_YAKU;
    h->card = CARD_NONE;
    h->stop_win = read_int(stop, "win", 100);
    h->stop_gain = read_int(stop, "points", POINTS_MAX);
    h->koikoi_win = read_int(koikoi, "win", 100);
    h->won = read_int(koikoi, "won", 100);
    h->gain = read_int(koikoi, "gain", POINTS_MAX);
    h->lost = read_int(koikoi, "lost", 100);
    h->risk = read_int(koikoi, "risk", POINTS_MAX);
}

static void read_fields(struct json line, struct puzzle *p)
{
    static const char *const keys[] = {"puzzle",    "view",   "best",  "win",
                                       "missed_by", "reason", "calls", NULL};
    const char *levels[N_LEVELS + 1] = {NULL};
    struct view *v = &p->view;
    bool over, given;
    int i = 0;
    for (int l = 0; l < LEVEL_MASTER; l++)
        levels[l] = level_key((enum level)l);
    json_allow(line, keys);
    p->no = (int)json_int(line, "puzzle", 1, 100000);
    view_read(line, "view", (struct str){0}, v, &over);
    if (!json_good(line))
        return;
    if (v->seat != v->turn || v->n_legal < 2 || v->n_legal > MAX_PUZZLE_ANSWERS) {
        json_fail(line, "view", "expected 2 to %d legal moves of the seat to move, got %d",
                  MAX_PUZZLE_ANSWERS, v->n_legal);
        return;
    }
    int best = view_legal_place(v, view_read_move(line, "best", &given));
    if (best < 0) {
        json_fail(line, "best", "expected a legal move");
        return;
    }
    struct json win = json_list(line, "win", v->n_legal, v->n_legal);
    for (struct json m = json_first(win); m.at; m = json_next(m))
        p->win[i++] = (uint8_t)read_int(m, NULL, 100);
    p->level = (uint8_t)json_word(line, "missed_by", levels);
    p->hint.best = v->legal[best];
    p->hint.win = p->win[best];
    if (v->phase == PHASE_DECIDE)
        read_calls(json_object(line, "calls"), p);
    else
        read_reason(json_object(line, "reason"), p);
}

bool puzzle_file_read(struct str line, struct puzzle *ret, struct err *err)
{
    struct json v = json_open(line, JSON_LINE);
    *ret = (struct puzzle){.hint = {.next = -1}};
    read_fields(v, ret);
    return json_close(v, err);
}

struct str puzzle_file_line(struct str file, int place)
{
    struct str rest = file, line = {0};
    for (int i = 0; i <= place; i++)
        line = str_cut(rest, '\n', &rest);
    return line;
}

int puzzle_file_count(struct str file)
{
    int n = 0;
    for (size_t i = 0; i < file.n; i++)
        n += file.p[i] == '\n';
    return n;
}
