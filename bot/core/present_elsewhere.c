/* What is shown where the bot is not: challenges and moves that a person may say there, and buttons
 * by which two people can play in one message that both see. */
#include "choice.h"
#include "page.h"

/* ---- articles ---- */

static struct str seal(const struct page *pg, enum verb verb, int64_t no, int64_t version,
                       int64_t index)
{
    return press_write(pg->place->key, (struct press){verb, no, version, index}, pg->a);
}

void present_invite(struct page *pg, const struct rules *r, struct article *ret)
{
    struct str rounds = TN(pg, T_ROUNDS, r->rounds, page_int(pg, r->rounds));
    struct table *own = arena_new(pg->a, struct table);
    *own = *pg->table;
    own->rules = *r;
    pg->table = own;
    pg->words = words_for(pg->t, str_of(r->words));
    page_line(pg, TX(pg, T_INVITE, page_name(pg, 0)));
    present_terms(pg, r);
    page_line(pg, TX0(pg, T_INVITE_HOW));
    *ret = (struct article){.id = seal(pg, VERB_INVITE, pg->table->player[0].person,
                                       (int64_t)(str_hash(str_of(r->name)) & UINT32_MAX), 0),
                            .title = TX(pg, T_INVITE_TITLE, str_of(r->name), rounds),
                            .about = present_doublings(pg, r),
                            .text = buf_str(&pg->body),
                            .label = TX0(pg, T_BUTTON_ACCEPT)};
}

/* What a move is called to its player alone. */
static struct str title_of(const struct page *pg, const struct move *m)
{
    switch (m->kind) {
    case MOVE_KOIKOI:
        return pg->words->word[WORD_KOIKOI];
    case MOVE_STOP:
        return pg->words->word[WORD_STOP];
    case MOVE_REDEAL:
        return TX0(pg, T_BUTTON_REDEAL);
    case MOVE_DECLARE:
        return present_declare(pg);
    default:
        return page_card(pg, m->card);
    }
}

bool present_move_article(struct page *pg, int move, struct article *ret)
{
    const struct view *v = &pg->table->view;
    const struct move *m = &v->legal[move];
    bool cards = m->kind == MOVE_PLAY || m->kind == MOVE_CHOOSE;
    if (m->kind == MOVE_RESIGN || choice_repeats(v->legal, move))
        return false;
    page_line(pg, TX(pg, T_MOVES_HERE, page_name(pg, v->seat), page_int(pg, pg->table->no)));
    *ret = (struct article){.id = seal(pg, VERB_MOVE, pg->table->no, pg->table->version, move),
                            .title = title_of(pg, m),
                            .about = cards ? present_option(pg, m) : present_turn(pg),
                            .text = buf_str(&pg->body),
                            .label = TX0(pg, T_BUTTON_CONFIRM)};
    return true;
}

void present_hand_article(struct page *pg, struct article *ret)
{
    const struct view *v = &pg->table->view;
    page_line(pg, TX(pg, T_LOOKS_HERE, page_name(pg, v->seat), page_int(pg, pg->table->no)));
    *ret = (struct article){.id = seal(pg, VERB_HAND, pg->table->no, pg->table->version, 0),
                            .title = present_turn(pg),
                            .about = page_cards(pg, v->hand),
                            .text = buf_str(&pg->body)};
}

/* ---- one message for all ---- */

static void choices(struct page *pg, const struct view *v)
{
    cardset takes[N_CARDS];
    int n = choice_takes(&v->rules, v->field, v->drawn, true, takes);
    for (int i = 0; i < n; i++)
        page_button(pg, takes[i] ? page_label(pg, set_first(takes[i])) : TX0(pg, T_BUTTON_LAY),
                    VERB_PLAY, i + 1, BUTTON_TAKE);
}

/* How many things one card of a hand can take at most, as far as all can know: of the cards that
 * lie open none is in a hand. */
static int most_targets(const struct view *v)
{
    cardset open = v->field, takes[N_CARDS];
    int most = 0;
    for (int i = 0; i < v->players; i++)
        open |= v->taken[i];
    for (int card = 0; card < N_CARDS; card++) {
        int n = open & CARD(card) ? 0 : choice_takes(&v->rules, v->field, card, false, takes);
        most = n > most ? n : most;
    }
    return most;
}

/* One letter for each: a card that was pressed may ask for it. They are there whatever is in the
 * hands. */
static void letters(struct page *pg, const struct view *v)
{
    int n = most_targets(v);
    page_row(pg);
    for (int i = 1; n > 1 && i <= n && i <= PAGE_LETTERS; i++)
        page_button(pg, page_letter(pg, i), VERB_PLAY, INDEX_TARGET + i, BUTTON_PLAIN);
}

bool present_in_open(const struct page *pg)
{
    const struct table *t = pg->table;
    if (page_can(pg, CAN_ONE_POST))
        return true;
    return t->view.stage == MATCH_PLAYING && page_can(pg, CAN_POPUP) && !t->at.direct &&
           !t->player[t->view.turn].computer &&
           t->player[t->view.turn].account == pg->place->account &&
           t->player[t->view.turn].channel == CHANNEL_POPUP;
}

bool present_asks_by_popup(const struct page *pg)
{
    const struct table *t = pg->table;
    if (page_can(pg, CAN_ONE_POST))
        return !pg->w->reachable;
    return pg->e->press.n > 0 && page_can(pg, CAN_POPUP) && t->view.seat >= 0 &&
           t->player[t->view.seat].channel == CHANNEL_POPUP && !pg->e->direct;
}

bool present_popup_alone(const struct page *pg)
{
    int channel = CHANNEL_WHISPER;
    for (int i = 0; pg->table && i < pg->table->players; i++) {
        const struct player_seen *p = &pg->table->player[i];
        if (p->account == pg->e->account && p->id.n > 0 && str_is(p->id, pg->e->from.id))
            channel = p->channel;
    }
    bool unseen = page_can(pg, CAN_WHISPER) && channel < CHANNEL_POPUP;
    return pg->e->pressed && page_can(pg, CAN_POPUP) && !pg->e->direct && !unseen &&
           page_can(pg, CAN_DIRECT) && !pg->w->reachable;
}

/* What is to be decided, as all have seen it. */
static void open_question(struct page *pg, const struct view *v)
{
    struct score score;
    if (v->phase == PHASE_DRAW)
        page_line(pg, TX(pg, T_OPEN_DREW, page_name(pg, v->turn), page_card(pg, v->drawn)));
    if (v->phase != PHASE_DECIDE)
        return;
    score_pile(page_ruleset(pg), v->taken[v->turn], &score);
    page_line(pg, TX(pg, T_OPEN_DECIDE, page_name(pg, v->turn), page_yaku(pg, &score)));
}

/* Cards by their numbers, which tell nothing; what was drawn, and a yaku, all have seen. */
void present_open_moves(struct page *pg)
{
    const struct view *v = &pg->table->view;
    if (page_can(pg, CAN_DIRECT))
        page_button(pg, TX0(pg, T_BUTTON_OPEN), VERB_START, 0, BUTTON_LINK);
    page_row(pg);
    if (v->stage == MATCH_PLAYING)
        open_question(pg, v);
    if (v->stage != MATCH_PLAYING)
        return;
    if (v->phase == PHASE_HAND) {
        for (int i = 1; i <= v->hand_size[v->turn]; i++)
            page_button(pg, page_int(pg, i), VERB_PLAY, i, BUTTON_PLAIN);
        letters(pg, v);
    } else if (v->phase == PHASE_DRAW) {
        choices(pg, v);
    } else if (v->phase == PHASE_DECIDE) {
        page_button(pg, pg->words->word[WORD_STOP], VERB_STOP, 0, BUTTON_TAKE);
        page_button(pg, TX(pg, T_BUTTON_KOIKOI, pg->words->word[WORD_KOIKOI]), VERB_KOIKOI, 0,
                    BUTTON_DANGER);
    }
    page_row(pg);
}
