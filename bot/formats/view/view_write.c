/* Writer of a view; moves both ways. See view_json.h. */
#include "record.h"
#include "ruleset_file.h"
#include "view_json.h"

static const char *const phases[] = {"hand", "draw", "decide", "over"};
static const char *const move_kinds[] = {"play",    "choose", "koikoi", "stop",
                                         "declare", "redeal", "resign", NULL};
static const char *const seen_kinds[] = {"play", "draw", "koikoi"};
static const char *const void_whys[] = {"", "table_four", "hand_four"};

void view_write_move(struct buf *b, struct move m)
{
    buf_print(b, "{\"do\":\"%s\"", move_kinds[m.kind]);
    if (m.kind == MOVE_PLAY) {
        buf_put(b, STR(",\"card\":"));
        json_put_card(b, m.card);
    }
    if (m.kind == MOVE_PLAY || m.kind == MOVE_CHOOSE) {
        buf_put(b, STR(",\"take\":"));
        json_put_cardset(b, m.take);
    }
    buf_char(b, '}');
}

bool view_read_move(const cJSON *v, struct move *ret, bool *ret_take_given, struct err *err)
{
    static const char *const bare[] = {"do", NULL}, *const choose[] = {"do", "take", NULL},
                             *const play[] = {"do", "card", "take", NULL};
    struct move m = {.card = CARD_NONE};
    int kind = 0;
    bool given = false;
    if (!json_object(v, "", false, err))
        return false;
    if (!json_choice(json_member(v, "do"), "do", move_kinds, &kind, err) ||
        !json_only(v,
                   kind == MOVE_PLAY     ? play
                   : kind == MOVE_CHOOSE ? choose
                                         : bare,
                   err))
        return false;
    m.kind = (uint8_t)kind;
    if (kind == MOVE_PLAY && !json_card(json_member(v, "card"), "card", &m.card, err))
        return false;
    if (json_member(v, "take")) {
        given = true;
        if (!json_cardset(json_member(v, "take"), "take", &m.take, err))
            return false;
    }
    *ret = m;
    *ret_take_given = given;
    return true;
}

static void put_ints(struct buf *b, const char *name, const uint8_t *at, int n)
{
    buf_print(b, ",\"%s\":", name);
    for (int i = 0; i < n; i++)
        buf_print(b, "%c%d", i == 0 ? '[' : ',', at[i]);
    buf_char(b, ']');
}

static void put_sets(struct buf *b, const char *name, const cardset *at, int n)
{
    buf_print(b, ",\"%s\":", name);
    for (int i = 0; i < n; i++) {
        buf_char(b, i == 0 ? '[' : ',');
        json_put_cardset(b, at[i]);
    }
    buf_char(b, ']');
}

static void put_decisions(struct buf *b, const struct view *v)
{
    buf_put(b, STR(",\"last_decision\":"));
    for (int p = 0; p < v->players; p++) {
        buf_char(b, p == 0 ? '[' : ',');
        if (v->koikoi[p] > 0)
            record_yaku(b, &v->last_decision[p]);
        else
            buf_put(b, STR("null"));
    }
    buf_char(b, ']');
}

/* [seat, "play", card, taken cards ...] */
static void put_seen(struct buf *b, const struct view *v)
{
    buf_put(b, STR(",\"seen\":["));
    for (int i = 0; i < v->n_seen; i++) {
        int kind = v->seen[i].seat_kind & 15;
        buf_print(b, "%s[%d,\"%s\"", i == 0 ? "" : ",", v->seen[i].seat_kind >> 4,
                  seen_kinds[kind]);
        if (kind != SEEN_KOIKOI) {
            buf_char(b, ',');
            json_put_card(b, v->seen[i].card);
            for (cardset take = seen_take(v->seen[i]); take; take = set_rest(take)) {
                buf_char(b, ',');
                json_put_card(b, set_first(take));
            }
        }
        buf_char(b, ']');
    }
    buf_char(b, ']');
}

static void put_legal(struct buf *b, const struct view *v)
{
    buf_put(b, STR(",\"legal\":["));
    for (int i = 0; i < v->n_legal; i++) {
        if (i > 0)
            buf_char(b, ',');
        view_write_move(b, v->legal[i]);
    }
    buf_char(b, ']');
}

void view_write(struct buf *b, const struct view *v, const struct match *all)
{
    buf_print(b, "\"phase\":\"%s\",\"turn\":%d", phases[v->phase], v->turn);
    if (all) {
        put_sets(b, "hands", all->round.hand, v->players);
        buf_put(b, STR(",\"stock\":"));
        json_put_cards(b, all->round.deck + all->round.next, N_CARDS - all->round.next);
    } else {
        buf_put(b, STR(",\"hand\":"));
        json_put_cardset(b, v->hand);
    }
    buf_put(b, STR(",\"table\":"));
    json_put_cardset(b, v->field);
    put_sets(b, "taken", v->taken, v->players);
    put_ints(b, "hand_sizes", v->hand_size, v->players);
    buf_print(b, ",\"stock_size\":%d", v->stock_size);
    put_ints(b, "koikoi", v->koikoi, v->players);
    buf_put(b, STR(",\"scores\":"));
    json_put_ints(b, v->scores, v->players);
    buf_put(b, STR(",\"drawn\":"));
    if (v->drawn == CARD_NONE)
        buf_put(b, STR("null"));
    else
        json_put_card(b, v->drawn);
    put_legal(b, v);
    buf_put(b, STR(",\"result\":"));
    if (v->result.why == WHY_NONE) {
        buf_put(b, STR("null"));
    } else {
        buf_char(b, '{');
        record_result(b, &v->result, v->players, v->scores);
        buf_char(b, '}');
    }
    if (v->void_why != VOID_NONE)
        buf_print(b, ",\"void\":\"%s\"", void_whys[v->void_why]);
    if (all)
        buf_put(b, STR(",\"seat\":\"all\""));
    else
        buf_print(b, ",\"seat\":%d", v->seat);
    buf_print(b, ",\"dealer\":%d,\"round\":%d,\"rules\":", v->dealer, v->round_no);
    ruleset_file_write(b, &v->rules);
    buf_print(b, ",\"table_brights\":%d", v->table_brights);
    put_decisions(b, v);
    put_seen(b, v);
}
