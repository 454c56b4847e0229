/* See puzzle_file.h. */
#include "puzzle_file.h"

#include "view_json.h"

static bool read_int(const cJSON *o, const char *name, int low, int high, int *ret, struct err *err)
{
    int64_t n = 0;
    if (!json_whole(json_member(o, name), name, low, high, &n, err))
        return false;
    *ret = (int)n;
    return true;
}

/* The index in view.legal of the move; only a legal one is valid. */
static bool read_best(const cJSON *line, struct puzzle *p, int *ret, struct err *err)
{
    bool given = false;
    struct move m = {0};
    if (!view_read_move(json_member(line, "best"), &m, &given, err))
        return err_wrap(err, "best");
    for (*ret = 0; *ret < p->view.n_legal; ++*ret) {
        const struct move *l = &p->view.legal[*ret];
        if (l->kind == m.kind && l->take == m.take &&
            (m.kind == MOVE_CHOOSE || l->card == m.card)) {
            p->hint.best = *l;
            return true;
        }
    }
    return err_set(err, "best: expected a legal move");
}

static bool read_chances(const cJSON *line, struct puzzle *p, struct err *err)
{
    const cJSON *list = json_member(line, "win");
    int64_t n = 0;
    int i = 0;
    if (!json_list(list, "win", p->view.n_legal, p->view.n_legal, err))
        return false;
    for (const cJSON *m = list->child; m; m = m->next) {
        if (!json_whole(m, "win", 0, 100, &n, err))
            return false;
        p->win[i++] = (uint8_t)n;
    }
    return true;
}

static bool read_reason(const cJSON *o, struct puzzle *p, struct err *err)
{
    static const char *const fields[] = {"kind", "seat", "yaku", "card", "chance", "instead", NULL};
    const char *kinds[N_REASONS + 1] = {NULL}, *yaku[N_YAKU + 1] = {NULL};
    struct hint *h = &p->hint;
    uint8_t card = CARD_NONE;
    for (int i = 0; i < N_REASONS; i++)
        kinds[i] =
            i >= REASON_COMPLETES && i <= REASON_BLOCKS ? reason_key((enum reason_kind)i) : "";
    for (int y = 0; y < N_YAKU; y++)
        yaku[y] = yaku_key((enum yaku)y);
    if (!json_object(o, "reason", false, err) || !json_only(o, fields, err) ||
        !json_choice(json_member(o, "kind"), "kind", kinds, &h->kind, err) ||
        !read_int(o, "seat", 0, p->view.players - 1, &h->seat, err) ||
        !json_choice(json_member(o, "yaku"), "yaku", yaku, &h->yaku, err) ||
        !read_int(o, "chance", 0, 100, &h->chance, err) ||
        !read_int(o, "instead", 0, 100, &h->instead, err))
        return false;
    if (json_member(o, "card") && !json_card(json_member(o, "card"), "card", &card, err))
        return false;
    h->card = card;
    return true;
}

/* What stop and koi-koi bring. */
static bool read_calls(const cJSON *o, struct puzzle *p, struct err *err)
{
    static const char *const both[] = {"stop", "koikoi", NULL},
                             *const stops[] = {"win", "points", NULL},
                             *const goes_on[] = {"win", "won", "gain", "lost", "risk", NULL};
    struct hint *h = &p->hint;
    if (!json_object(o, "calls", false, err) || !json_only(o, both, err))
        return false;
    const cJSON *stop = json_member(o, "stop"), *koikoi = json_member(o, "koikoi");
    h->decision = 1;
    h->kind = h->best.kind == MOVE_STOP ? REASON_STOP : REASON_KOIKOI;
    h->seat = -1;
    h->yaku = N_YAKU;
    h->card = CARD_NONE;
    return json_object(stop, "stop", false, err) && json_only(stop, stops, err) &&
           json_object(koikoi, "koikoi", false, err) && json_only(koikoi, goes_on, err) &&
           read_int(stop, "win", 0, 100, &h->stop_win, err) &&
           read_int(stop, "points", 0, POINTS_MAX, &h->stop_gain, err) &&
           read_int(koikoi, "win", 0, 100, &h->koikoi_win, err) &&
           read_int(koikoi, "won", 0, 100, &h->won, err) &&
           read_int(koikoi, "gain", 0, POINTS_MAX, &h->gain, err) &&
           read_int(koikoi, "lost", 0, 100, &h->lost, err) &&
           read_int(koikoi, "risk", 0, POINTS_MAX, &h->risk, err);
}

static bool read_fields(const cJSON *line, struct puzzle *p, struct err *err)
{
    static const char *const keys[] = {"puzzle",    "view",   "best",  "win",
                                       "missed_by", "reason", "calls", NULL};
    const char *levels[N_LEVELS + 1] = {NULL};
    int level = 0, best = 0;
    bool over;
    for (int l = 0; l < LEVEL_MASTER; l++)
        levels[l] = level_key((enum level)l);
    if (!json_only(line, keys, err) || !read_int(line, "puzzle", 1, 100000, &p->no, err))
        return false;
    if (!view_read(json_member(line, "view"), (struct str){0}, &p->view, &over, err))
        return err_wrap(err, "view");
    if (p->view.seat != p->view.turn || p->view.n_legal < 2 || p->view.n_legal > MAX_PUZZLE_ANSWERS)
        return err_set(err, "view: expected 2 to %d legal moves of the seat to move, got %d",
                       MAX_PUZZLE_ANSWERS, p->view.n_legal);
    if (!read_best(line, p, &best, err) || !read_chances(line, p, err) ||
        !json_choice(json_member(line, "missed_by"), "missed_by", levels, &level, err))
        return false;
    p->level = (uint8_t)level;
    p->hint.win = p->win[best];
    return p->view.phase == PHASE_DECIDE ? read_calls(json_member(line, "calls"), p, err)
                                         : read_reason(json_member(line, "reason"), p, err);
}

bool puzzle_file_read(struct str line, struct puzzle *ret, struct err *err)
{
    cJSON *v = json_parse_line(line, err);
    *ret = (struct puzzle){.hint = {.next = -1}};
    bool ok = v && read_fields(v, ret, err);
    cJSON_Delete(v);
    return ok;
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
