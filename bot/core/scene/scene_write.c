/* See scene_write.h. The words are those of the chats: the draft and the pages of bot/core/present
 * write them, and their lines and buttons become fields here. */
#include "scene_write.h"

#include "json.h"
#include "page.h"

enum { ROOM = 4 * SCENE_BYTES };

/* A document while it is written. */
struct writing {
    struct draft *d;
    const struct scene *s;
    const struct table *t;
    struct buf *b;
    const struct match *open; /* hands are shown; NULL */
    const struct scene_topic *topic;
    bool brief;    /* without sentences */
    bool wordless; /* nor texts of moves */
    cardset shown; /* cards that the document names */
};

/* ---- pieces ---- */

static void put_text(struct writing *w, const char *name, struct str marked)
{
    json_put_str(w->b, name, draft_unmarked(w->d, marked));
}

static void put_card(struct writing *w, const char *name, int card)
{
    char code[CARD_CODE_SIZE];
    (void)card_code(card, code);
    w->shown |= CARD(card);
    json_put_str(w->b, name, str_of(code));
}

static void put_cards(struct writing *w, const char *name, cardset cards)
{
    json_put_open(w->b, name, '[');
    for (cardset rest = cards; rest; rest = set_rest(rest))
        put_card(w, NULL, set_first(rest));
    buf_char(w->b, ']');
}

/* The lines of the draft without its folds, which hold what only the curious open. */
static void put_lines(struct writing *w, const char *name)
{
    struct str rest = buf_str(&w->d->text);
    json_put_open(w->b, name, '[');
    while (!w->brief && rest.n > 0) {
        struct str line = str_cut(rest, '\n', &rest);
        if (line.n > 0 && line.p[0] == MARK_FOLD) {
            const char *end = line.p + 1;
            for (int depth = 1; end < rest.p + rest.n && depth > 0; end++)
                depth += *end == MARK_END ? -1 : *end > 0 && *end <= MARK_LAST;
            rest = str_skip(rest, end > rest.p ? (size_t)(end - rest.p) : 0);
        } else if (str_trim(line).n > 0) {
            put_text(w, NULL, line);
        }
    }
    buf_char(w->b, ']');
}

static void begin_lines(struct writing *w)
{
    w->d->text.n = 0;
    w->d->out.n_buttons = 0;
}

static struct str press(const struct writing *w, enum verb verb, int64_t index)
{
    struct press p = {verb, w->t->no, w->t->version, index};
    return press_write(w->d->network->key, p, w->d->a);
}

static struct str press_move(const struct writing *w, const struct scene_move *m)
{
    return w->topic ? press(w, w->topic->verb, m - w->s->move + 1) : press(w, VERB_MOVE, m->legal);
}

static bool is_mine(const struct writing *w)
{
    return w->s->mine && !(w->topic && w->topic->done);
}

/* ---- seats ---- */

static void put_taken(struct writing *w, cardset pile)
{
    const cardset groups[] = {set_brights, set_animals, set_ribbons, set_plains};
    json_put_open(w->b, "taken", '[');
    for (int k = 0; k < 4; k++)
        put_cards(w, NULL, pile & groups[k]);
    buf_char(w->b, ']');
}

static void put_progress(struct writing *w, const struct scene_seat *at)
{
    json_put_open(w->b, "near", '[');
    for (int i = 0; i < at->n_near; i++) {
        json_put_open(w->b, NULL, '{');
        json_put_str(w->b, "name", part_short_yaku(w->d, at->near[i].yaku));
        json_put_int(w->b, "have", at->near[i].have);
        json_put_int(w->b, "need", at->near[i].need);
        buf_char(w->b, '}');
    }
    buf_char(w->b, ']');
    json_put_open(w->b, "made", '[');
    for (int y = 0; y < N_YAKU; y++)
        if (at->score.worth[y] > 0)
            put_text(w, NULL, draft_worth(w->d, part_short_yaku(w->d, y), at->score.worth[y]));
    buf_char(w->b, ']');
}

static void put_seat(struct writing *w, int i)
{
    const struct scene_seat *at = &w->s->at[i];
    const struct player_seen *p = &w->t->player[i];
    bool free_seat = !p->computer && p->name.n == 0, dealt = w->s->players > 0;
    struct str calls = STR("");
    if (at->calls > 0)
        calls = arena_print(w->d->a, "%.*s \xC3\x97%d", STR_ARG(w->d->words->word[WORD_KOIKOI]),
                            at->calls);
    json_put_open(w->b, NULL, '{');
    put_text(w, "name", free_seat ? STR("") : draft_name(w->d, i));
    if (p->computer && p->character)
        json_put_str(w->b, "face", str_of(characters[p->character].key));
    json_put_int(w->b, "points", at->points);
    put_text(w, "score", dealt ? draft_coins(w->d, at->points) : STR(""));
    json_put_int(w->b, "cards", at->hand_size);
    if (w->open)
        put_cards(w, "hand", w->s->dealt ? w->open->round.hand[i] : 0);
    json_put_str(w->b, "calls", calls);
    put_taken(w, at->pile);
    put_progress(w, at);
    json_put_bool(w->b, "dealer", dealt && w->s->dealer == i);
    json_put_bool(w->b, "computer", p->computer || p->gone);
    buf_char(w->b, '}');
}

/* ---- cards and their moves ---- */

/* What a tap on a card of the hand does. */
enum scene_tap { TAP_NOTHING, TAP_PLAYS, TAP_KEEPS };
enum { MOST_KEPT = 3 }; /* captures of a card that may be kept, as in the chats */

static enum scene_tap tap_of(const struct writing *w)
{
    const struct scene *s = w->s;
    if (!s->dealt || s->seat < 0 || w->t->phase != SESSION_PLAYING)
        return TAP_NOTHING;
    if (!s->mine)
        return s->n_hand > 0 ? TAP_KEEPS : TAP_NOTHING;
    return s->phase == PHASE_DECIDE || !is_mine(w) ? TAP_NOTHING : TAP_PLAYS;
}

static void put_move(struct writing *w, const struct scene_move *m, struct str data)
{
    json_put_open(w->b, NULL, '{');
    put_cards(w, "take", m->move.take);
    json_put_str(w->b, "press", data);
    put_text(w, "text", w->wordless ? STR("") : part_move(w->d, m));
    put_text(w, "makes", m->makes_any ? draft_yaku(w->d, m->makes) : STR(""));
    buf_char(w->b, '}');
}

/* A card of the hand by its number from 1, or the drawn one, number 0. */
static void put_tappable(struct writing *w, const char *name, const struct scene_card *c,
                         int number)
{
    enum scene_tap tap = tap_of(w);
    bool kept = tap == TAP_KEEPS && w->t->ahead == c->card + 1;
    bool plays = w->s->mine && tap == TAP_PLAYS &&
                 (number == 0) == (w->s->phase == PHASE_DRAW); /* one of both is asked for */
    bool keeps = tap == TAP_KEEPS && number > 0 && c->n <= MOST_KEPT;
    json_put_open(w->b, name, '{');
    put_card(w, "card", c->card);
    json_put_open(w->b, "moves", '[');
    for (int k = 0; (plays || keeps) && k < c->n; k++) {
        const struct scene_move *m = &w->s->move[c->first + k];
        if (plays && m->legal >= 0)
            put_move(w, m, press_move(w, m));
        else if (keeps)
            put_move(w, m, press(w, VERB_PLAY, INDEX_AHEAD + N_CARDS * c->card + k));
    }
    buf_char(w->b, ']');
    json_put_bool(w->b, "kept", kept);
    json_put_str(w->b, "back", kept ? press(w, VERB_PLAY, number) : STR(""));
    buf_char(w->b, '}');
}

/* ---- buttons ---- */

static void put_button(struct writing *w, struct str text, struct str data, const char *style,
                       struct str sub, struct str page)
{
    json_put_open(w->b, NULL, '{');
    put_text(w, "text", text);
    json_put_str(w->b, "press", data);
    json_put_str(w->b, "style", str_of(style));
    put_text(w, "sub", sub);
    if (page.n > 0)
        json_put_str(w->b, "page", page);
    buf_char(w->b, '}');
}

static void put_press(struct writing *w, enum text text, enum verb verb, const char *style)
{
    put_button(w, TX(w->d, text), press(w, verb, 0), style, STR(""), STR(""));
}

/* What calling may win and cost, on one line. */
static struct str koikoi_means(struct writing *w)
{
    begin_lines(w);
    part_koikoi_means(w->d);
    struct str lines = arena_str(w->d->a, buf_str(&w->d->text)), list = {0};
    while (lines.n > 0)
        list = draft_join(w->d, list, TX(w->d, T_NEXT), str_cut(lines, '\n', &lines));
    return list;
}

/* Moves without a card, stop before koi-koi. */
static void put_calls(struct writing *w)
{
    struct draft *d = w->d;
    for (int i = w->s->n_moves - 1; i >= 0; i--) {
        const struct scene_move *m = &w->s->move[i];
        struct str data = press_move(w, m);
        if (m->move.kind == MOVE_STOP)
            put_button(w, TX(d, T_PAGE_STOP, draft_coins(d, part_stop_gain(d))), data, "take",
                       draft_yaku(d, w->s->stop.score.worth), STR(""));
        else if (m->move.kind == MOVE_KOIKOI)
            put_button(w, TX(d, T_PAGE_KOIKOI), data, "danger", koikoi_means(w), STR(""));
        else if (m->move.kind == MOVE_DECLARE)
            put_button(w, part_declare(d), data, "yaku", STR(""), STR(""));
    }
    for (int i = 0; i < w->t->view.n_legal; i++)
        if (w->t->view.legal[i].kind == MOVE_REDEAL)
            put_press(w, T_BUTTON_REDEAL, VERB_REDEAL, "");
}

static void put_offer_buttons(struct writing *w)
{
    const struct table *t = w->t;
    bool people = false, named = true;
    for (int i = 1; i < t->players; i++) {
        people |= !t->player[i].computer;
        named &= t->player[i].computer || t->player[i].name.n > 0;
    }
    bool own = t->view.seat == 0;
    if (!own || !people)
        put_press(w, people ? T_BUTTON_ACCEPT : T_BUTTON_START, VERB_ACCEPT, "take");
    if (own)
        put_press(w, T_BUTTON_WITHDRAW, VERB_CANCEL, "");
    else if (named)
        put_press(w, T_BUTTON_DECLINE_INLINE, VERB_DECLINE, "");
    put_press(w, T_BUTTON_HOW, VERB_RULES, "quiet");
}

/* Of a step of a replay: seats from which to play on with the computer, with the stock as it was dealt
 * or dealt anew. */
static void put_play_on(struct writing *w, int64_t step)
{
    const enum text stocks[] = {T_PAGE_STOCK_DEALT, T_PAGE_STOCK_ANEW};
    bool open = w->s->dealt && w->t->phase == SESSION_PLAYING;
    for (int i = 0; open && i < w->t->players; i++)
        for (int anew = 0; !w->t->player[i].gone && anew < 2; anew++) {
            struct press p = {VERB_PLAY_ON, w->t->no, step, 2 * i + anew};
            put_button(w, draft_name(w->d, i), press_write(w->d->network->key, p, w->d->a), "",
                       TX(w->d, stocks[anew]), STR(""));
        }
}

static void put_topic_buttons(struct writing *w)
{
    const struct scene_topic *of = w->topic;
    if (is_mine(w))
        put_calls(w);
    else if (of->done)
        put_button(w, TX(w->d, of->button), press(w, of->verb, of->index), "take", STR(""),
                   of->page);
}

static void put_buttons(struct writing *w, const struct scene_reader *r)
{
    const struct table *t = w->t;
    const struct scene *s = w->s;
    bool plays = s->seat >= 0 && t->phase == SESSION_PLAYING;
    json_put_open(w->b, "buttons", '[');
    if (w->open) {
        if (r->play_on)
            put_play_on(w, r->version - 1);
    } else if (w->topic) {
        put_topic_buttons(w);
    } else if (t->phase == SESSION_OFFERED) {
        put_offer_buttons(w);
    } else if (t->phase == SESSION_OVER && t->end == END_PLAYED && s->seat >= 0) {
        put_press(w, T_BUTTON_REMATCH, VERB_REMATCH, "take");
        put_press(w, T_BUTTON_REVIEW, VERB_REVIEW, "");
        put_button(w, TX(w->d, T_PAGE_REPLAY), press(w, VERB_REPLAY, 0), "", STR(""),
                   share_write(w->d->network->key, "replay", t->no, t->links, w->d->a));
        put_press(w, T_BUTTON_SCORE, VERB_SCORE, "quiet");
        put_press(w, T_BUTTON_VERIFY, VERB_VERIFY, "quiet");
    } else if (plays && !s->dealt) {
        if (!t->player[s->seat].ready)
            put_press(w, T_BUTTON_READY, VERB_READY, "take");
    } else if (plays) {
        if (s->mine)
            put_calls(w);
        if (s->mine && t->computer && t->hint.n == 0 && t->view.n_legal > 1)
            put_press(w, T_BUTTON_HINT, VERB_HINT, "quiet");
        put_press(w, T_BUTTON_YAKU, VERB_YAKU, "quiet");
        put_press(w, T_BUTTON_SCORE, VERB_SCORE, "quiet");
    }
    buf_char(w->b, ']');
}

/* ---- what happened ---- */

static void put_say(struct writing *w)
{
    const struct table *t = w->t;
    begin_lines(w);
    if (w->topic)
        w->topic->say(w->d);
    else if (t->phase == SESSION_OFFERED)
        page_write_as(w->d, NOTICE_OFFER);
    else if (t->phase == SESSION_OVER && t->end == END_PLAYED)
        page_write_as(w->d, NOTICE_MATCH);
    else if (t->phase == SESSION_OVER)
        SAY(w->d, T_IS_OVER);
    else if (!w->s->dealt)
        page_write_as(w->d, t->view.void_why ? NOTICE_VOID : NOTICE_ROUND);
    else
        part_events(w->d);
    put_lines(w, "say");
    begin_lines(w);
    struct hint h;
    if (w->s->mine && hint_read(t->hint, &h))
        part_hint(w->d, &h);
    put_lines(w, "hint");
}

static void put_acts(struct writing *w)
{
    static const char *const done[] = {
        [SEEN_PLAY] = "play", [SEEN_DRAW] = "draw", [SEEN_KOIKOI] = "koikoi"};
    json_put_open(w->b, "acts", '[');
    for (int i = 0; i < w->s->n_acts && !w->topic; i++) {
        const struct scene_act *act = &w->s->act[i];
        json_put_open(w->b, NULL, '{');
        json_put_int(w->b, "p", act->seat);
        json_put_str(w->b, "do", str_of(done[act->kind]));
        if (act->kind == SEEN_KOIKOI)
            json_put_null(w->b, "card");
        else
            put_card(w, "card", act->card);
        put_cards(w, "took", act->took);
        buf_char(w->b, '}');
    }
    buf_char(w->b, ']');
}

/* ---- the document ---- */

static const char *phase_of(const struct writing *w)
{
    static const char *const phases[] = {
        [PHASE_HAND] = "hand", [PHASE_DRAW] = "draw", [PHASE_DECIDE] = "decide"};
    return w->t->phase == SESSION_OFFERED ? "offer"
           : w->t->phase == SESSION_OVER  ? "over"
           : !w->s->dealt                 ? "ready"
                                          : phases[w->s->phase];
}

static struct str status_of(const struct writing *w)
{
    struct draft *d = w->d;
    return w->topic                         ? draft_rounds(d)
           : w->t->phase == SESSION_OFFERED ? STR("")
           : w->t->ask.what == ASK_GO_ON    ? part_turn(d)
           : w->t->phase == SESSION_OVER    ? TX(d, T_IS_OVER)
           : !w->s->dealt                   ? TX(d, T_IS_BETWEEN)
           : w->s->mine                     ? TX(d, T_YOUR_MOVE)
                                            : TX(d, T_TO_MOVE, draft_name(d, w->s->turn));
}

static void put_head(struct writing *w, const struct scene_reader *r)
{
    static const char *const taps[] = {
        [TAP_NOTHING] = "", [TAP_PLAYS] = "play", [TAP_KEEPS] = "keep"};
    const struct table *t = w->t;
    bool runs = t->phase == SESSION_PLAYING;
    json_put_int(w->b, "t", t->no);
    json_put_int(w->b, "v", r->version);
    json_put_int(w->b, "from", r->version - 1);
    json_put_str(w->b, "deck", str_of(t->rules.deck));
    json_put_str(w->b, "lang", w->d->t->language);
    json_put_str(w->b, "phase", str_of(phase_of(w)));
    json_put_int(w->b, "me", t->view.seat);
    json_put_int(w->b, "turn", runs && w->s->dealt ? w->s->turn : -1);
    json_put_bool(w->b, "mine", runs && is_mine(w));
    json_put_str(w->b, "tap", str_of(taps[tap_of(w)]));
    put_text(w, "head",
             w->topic        ? w->topic->head(w->d)
             : w->s->players ? draft_rounds(w->d)
                             : draft_names(w->d));
    put_text(w, "status", status_of(w));
    json_put_int(w->b, "due", !runs ? 0 : w->s->dealt ? t->deadline : t->due);
    json_put_int(w->b, "now", r->now);
}

static void put_table(struct writing *w)
{
    static const enum text groups[] = {T_PAGE_BRIGHTS, T_PAGE_ANIMALS, T_PAGE_RIBBONS,
                                       T_PAGE_PLAINS};
    const struct scene *s = w->s;
    json_put_open(w->b, "seats", '[');
    for (int i = 0; i < w->t->players; i++)
        put_seat(w, i);
    buf_char(w->b, ']');
    json_put_open(w->b, "groups", '[');
    for (int k = 0; k < 4; k++)
        put_text(w, NULL, TX(w->d, groups[k]));
    buf_char(w->b, ']');
    put_cards(w, "field", s->dealt ? s->field : 0);
    json_put_int(w->b, "stock", s->dealt ? s->stock_size : 0);
    put_text(w, "left", s->dealt ? TX(w->d, T_PAGE_LEFT, draft_int(w->d, s->stock_size)) : STR(""));
    if (s->dealt && s->phase == PHASE_DRAW)
        put_tappable(w, "drawn", &s->drawn, 0);
    else
        json_put_null(w->b, "drawn");
    json_put_open(w->b, "hand", '[');
    for (int i = 0; s->dealt && i < s->n_hand; i++)
        put_tappable(w, NULL, &s->hand[i], i + 1);
    buf_char(w->b, ']');
}

/* A card by its whole name: "8 pampas moon". */
static void put_names(struct writing *w, const char *name)
{
    struct draft *d = w->d;
    json_put_open(w->b, name, '{');
    for (cardset rest = w->shown; rest; rest = set_rest(rest)) {
        int card = set_first(rest);
        char code[CARD_CODE_SIZE];
        (void)card_code(card, code);
        put_text(w, code,
                 TX(d, T_CARD, draft_int(d, card_month(card) + 1), d->words->named[card], STR("")));
    }
    buf_char(w->b, '}');
}

static struct str write_document(const struct scene_reader *r, struct draft *d, bool brief,
                                 bool wordless)
{
    struct buf b = {arena_room(r->arena, ROOM), 0, ROOM, false};
    struct writing w = {.d = d,
                        .s = draft_scene(d),
                        .t = r->table,
                        .b = &b,
                        .open = r->open,
                        .topic = r->topic,
                        .brief = brief,
                        .wordless = wordless};
    json_put_open(&b, NULL, '{');
    put_head(&w, r);
    put_say(&w);
    put_acts(&w);
    put_table(&w);
    put_buttons(&w, r);
    if (!w.open) /* those of a replay are in one place for all steps */
        put_names(&w, "names");
    buf_char(&b, '}');
    return buf_str(&b);
}

/* A reader of plain words with buttons, in private. */
struct quiet_draft {
    struct network network;
    struct networks networks;
    struct world world;
    struct event event;
    struct effects effects;
    struct notice notice;
    struct draft draft;
};

struct draft *scene_draft(const struct scene_reader *r)
{
    struct quiet_draft *q = arena_new(r->arena, struct quiet_draft);
    struct scene_cache *scene = (void *)arena_room(r->arena, sizeof *scene);
    scene->table = NULL; /* the rest is made of a table */
    q->network =
        (struct network){.can = CAN_BUTTONS | CAN_EDIT | CAN_DIRECT | CAN_FOLD, .key = r->key};
    q->networks = (struct networks){1, &q->network};
    q->world.bot = r->bot;
    q->event = (struct event){.now = r->now, .direct = true};
    q->effects.arena = r->arena;
    q->notice = r->topic ? *r->topic->notice : (struct notice){0};
    q->notice.kind = NOTICE_BOARD;
    q->notice.audience = TO_HERE;
    q->notice.table = r->table;
    q->notice.language = r->language.n ? r->language : r->bot->default_language;
    q->draft = (struct draft){.w = &q->world,
                              .e = &q->event,
                              .fx = &q->effects,
                              .networks = &q->networks,
                              .network = &q->network,
                              .a = r->arena,
                              .scene = scene,
                              .notice = &q->notice,
                              .quoted = true};
    chat_settings_default(&q->world.chat.settings);
    draft_open(&q->draft, (struct outgoing){0});
    return &q->draft;
}

struct str scene_write(const struct scene_reader *r)
{
    struct draft *d = scene_draft(r);
    struct str document = write_document(r, d, false, false);
    if (document.n > SCENE_BYTES)
        document = write_document(r, d, true, false);
    if (document.n > SCENE_BYTES)
        document = write_document(r, d, true, true);
    return document;
}

struct str scene_names(const struct scene_reader *r)
{
    struct buf b = {arena_room(r->arena, ROOM), 0, ROOM, false};
    struct writing w = {.d = scene_draft(r),
                        .b = &b,
                        .shown = set_brights | set_animals | set_ribbons | set_plains};
    put_names(&w, NULL);
    return buf_str(&b);
}
