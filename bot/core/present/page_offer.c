/* A challenge with its terms and commitments, the reasons to decline it, and the start of its match
 * with the lots. */
#include "page.h"

static bool is_open(const struct table *t, int seat)
{
    return !t->player[seat].computer && t->player[seat].name.n == 0;
}

static struct str guest_names(const struct draft *d)
{
    const struct table *t = d->table;
    struct str list = {0};
    if (t->players == 3 && is_open(t, 1) && is_open(t, 2))
        return TX(d, T_ANY_TWO);
    for (int i = 1; i < t->players; i++) {
        const struct player_seen *p = &t->player[i];
        struct str level = p->computer ? part_level(d, p->level) : (struct str){0};
        draft_add(d, &list, T_AND,
                  is_open(t, i)  ? TX(d, T_ANYONE)
                  : !p->computer ? draft_mention(d, i)
                  : p->character ? TX(d, T_CHARACTER_LEVEL, draft_computer(d, p->character), level)
                                 : TX(d, T_COMPUTER_LEVEL, level));
    }
    return list;
}

static void put_how(struct draft *d, const struct offer *o)
{
    const struct table *t = d->table;
    struct str rules = draft_command(d, VERB_RULES);
    bool buttons = draft_can(d, CAN_BUTTONS);
    if (!buttons && !o->people)
        SAY(d, T_OFFER_HOW_COMPUTER, draft_command(d, VERB_READY), rules);
    else if (!buttons)
        SAY(d, T_OFFER_HOW, draft_command(d, VERB_ACCEPT), draft_command(d, VERB_DECLINE), rules);
    SAY_IF(d, !buttons && o->people && draft_can(d, CAN_REACT), T_OFFER_REACT);
    if (t->by_code)
        SAY(d, T_OFFER_CODE, join_code_write(d->network->key, VERB_JOIN, t->no, d->a),
            draft_command(d, VERB_JOIN));
    else if (o->open && !o->said && !t->lobby && t->players == 2 && !draft_can(d, CAN_ONE_POST))
        SAY(d, T_OFFER_ALONE, draft_command(d, VERB_CHALLENGE));
}

/* "✓ Ann · ✓ Bo · one seat free", once somebody besides the challenger may have sat down. */
static void put_seats(struct draft *d)
{
    const struct table *t = d->table;
    struct str list = {0};
    int free_seats = 0, guests = 0;
    for (int i = 0; i < t->players; i++) {
        guests += i > 0 && t->player[i].joined && !t->player[i].computer;
        free_seats += is_open(t, i);
        if (!is_open(t, i))
            draft_add(d, &list, T_DOT,
                      t->player[i].joined ? TX(d, T_SEAT_IN, draft_name(d, i)) : draft_name(d, i));
    }
    if (!t->lobby && guests == 0)
        return;
    if (free_seats > 0)
        draft_add(d, &list, T_DOT, TN(d, T_SEATS_FREE, free_seats, draft_int(d, free_seats)));
    draft_line(d, list);
}

/* ---- buttons ---- */

/* What the challenger may choose: one of several; the chosen one is marked. */
static void put_chip(struct draft *d, struct str label, int64_t index, bool chosen)
{
    draft_button(d, chosen ? TX(d, T_SEAT_IN, label) : label, VERB_TERMS, index, BUTTON_PLAIN);
}

static void put_chips(struct draft *d)
{
    static const uint8_t rounds[] = {FEW_ROUNDS, 6, 12};
    const struct table *t = d->table;
    const struct bot *bot = d->w->bot;
    struct rules r = t->rules;
    draft_row(d);
    for (size_t i = 0; i < sizeof rounds; i++) {
        r.rounds = rounds[i];
        if (rounds[i] == FEW_ROUNDS || memchr(r.rounds_allowed, rounds[i], r.n_rounds_allowed))
            put_chip(d, part_rounds(d, &r), TERMS_ROUNDS + rounds[i], rounds[i] == t->rules.rounds);
    }
    draft_row(d);
    for (int n = MIN_PLAYERS; t->lobby && n <= MAX_PLAYERS; n++)
        put_chip(d, TN(d, T_PLAYERS, n, draft_int(d, n)), TERMS_SEATS + n, n == t->players);
    if (d->notice->card == 0) {
        draft_press(d, T_BUTTON_RULES, VERB_TERMS, TERMS_RULES, BUTTON_PLAIN);
        draft_row(d);
        return;
    }
    draft_row(d);
    for (int i = 0; i < bot->n_presets; i++)
        if (bot->presets[i].players_allowed >> t->players & 1)
            put_chip(d, str_of(bot->presets[i].name), TERMS_PRESET + i,
                     strcmp(bot->presets[i].name, t->rules.name) == 0);
    draft_row(d);
}

static void put_buttons(struct draft *d, bool open, bool people)
{
    const struct table *t = d->table;
    const bool one_post = draft_can(d, CAN_ONE_POST);
    int in = 0;
    for (int i = 0; i < t->players; i++)
        in += t->player[i].joined;
    if (t->lobby && open)
        draft_press(d, T_BUTTON_JOIN, VERB_ACCEPT, 0, BUTTON_TAKE);
    else if (!t->lobby)
        draft_press(d, people ? T_BUTTON_ACCEPT : T_BUTTON_START, VERB_ACCEPT, 0, BUTTON_TAKE);
    if (t->lobby && in > 1) {
        draft_press(d, T_BUTTON_LEAVE, VERB_DECLINE, 0, BUTTON_PLAIN);
        draft_press(d, T_BUTTON_START, VERB_ACCEPT, ACCEPT_BEGIN, BUTTON_TAKE);
    }
    if (people && !open && !t->lobby) /* inline at once: a popup has no buttons for a reason */
        draft_press(d, T_BUTTON_DECLINE, VERB_DECLINE, one_post, BUTTON_PLAIN);
    draft_press(d, T_BUTTON_HOW, VERB_RULES, 0, BUTTON_PLAIN);
    if (one_post || t->again)
        return;
    put_chips(d);
    if (open || !people || t->lobby)
        draft_press(d, T_BUTTON_WITHDRAW, VERB_CANCEL, 0, BUTTON_PLAIN);
}

static void put_head(struct draft *d)
{
    const struct table *t = d->table;
    struct str no = draft_int(d, t->no);
    draft_line(d, t->lobby ? TX(d, T_LOBBY_HEAD, draft_name(d, 0), no)
                           : TX(d, T_OFFER_HEAD, draft_name(d, 0), guest_names(d), no));
    put_seats(d);
    draft_line(d, t->again
                      ? TX(d, T_OFFER_AGAIN, draft_name(d, t->first), d->words->word[WORD_DEALER])
                      : TX(d, T_OFFER_PITCH));
}

/* The characters of the table; where pictures are apart from the words, once. */
static void put_faces(struct draft *d)
{
    struct layout l;
    if (!draft_can(d, CAN_PICTURE) || d->quoted ||
        (d->network->limits.picture_apart && !d->notice->fresh))
        return;
    part_poster(d, &l);
    for (int i = 0; i < d->table->players; i++) {
        const struct player_seen *p = &d->table->player[i];
        if (d->page == NOTICE_START)
            part_face(d, &l, i, MANNER_GREETING);
        else if (p->computer && p->character)
            LAYOUT_ADD(&l, LAYOUT_FACE, str_of(characters[p->character].key),
                       draft_computer(d, p->character), part_level(d, p->level));
    }
    if (l.n_rows == 0)
        return;
    part_poster_end(d, &l);
}

void page_offer(struct draft *d)
{
    const struct table *t = d->table;
    struct offer o = {0};
    for (int i = 1; i < t->players; i++) {
        o.open |= is_open(t, i);
        o.people |= !t->player[i].computer;
    }
    bool joined = d->notice->seat >= 0 && !t->lobby; /* its buttons are as they were */
    if (!d->notice->fresh && !draft_can(d, CAN_EDIT) && (joined || !draft_can(d, CAN_BUTTONS))) {
        part_many(d);
        put_seats(d); /* the challenge itself stands above */
        return;
    }
#define OFFERED(function) function(d, &o);
#include "notice.def"
    if (!o.said)
        put_head(d);
    part_terms(d, &t->rules);
    draft_line(d, o.more);
    SAY_IF(d, t->casual, T_OFFER_CASUAL);
    if (!o.elsewhere)
        put_how(d, &o);
    draft_fold(d, T_OFFER_FOLD);
    part_pay(d, &t->rules);
    SAY_IF(d, !t->again && t->lots_commit[0], T_LOTS_SEALED, str_of(t->lots_commit));
    part_seal_next(d, 1);
    draft_unfold(d);
    if (!o.elsewhere)
        put_buttons(d, o.open, o.people);
    else if (o.open)
        draft_press(d, T_BUTTON_WITHDRAW, VERB_CANCEL, 0, BUTTON_PLAIN);
    put_faces(d);
}

void page_decline(struct draft *d)
{
    bool computer = false;
    if (part_popup_only(d)) { /* a popup has no buttons */
        SAY(d, T_DECLINE_BY_WORDS, draft_name(d, 0), draft_command(d, VERB_DECLINE));
        return;
    }
    SAY(d, T_WHY_DECLINE, draft_name(d, 0));
    for (int i = 0; i < d->table->players; i++)
        computer |= d->table->player[i].computer;
    for (int i = 0; i < 7; i++)
        if (computer || T_REASON_NONE + i != T_REASON_NO_COMPUTER)
            draft_press(d, (enum text)(T_REASON_NONE + i), VERB_DECLINE, i + 1, BUTTON_PLAIN);
}

/* ---- the start ---- */

void page_start(struct draft *d)
{
    const struct table *t = d->table;
    struct str lots = {0}, order = {0};
    for (int i = 0; i < t->players; i++) {
        if (t->player[i].lot != CARD_NONE)
            draft_add(d, &lots, T_DOT,
                      TX(d, T_LOT, draft_name(d, i), draft_card(d, t->player[i].lot)));
        draft_add(d, &order, T_DASH, draft_name(d, i));
    }
    SAY(d, T_STARTED, draft_names(d));
    SAY_IF(d, t->tournament, T_TOURNAMENT_MATCH, draft_int(d, t->tournament));
    SAY_IF(d, t->duel, T_DUEL_MATCH);
    SAY_IF(d, lots.n > 0, T_LOTS, lots);
    SAY(d, T_FIRST_DEALER, draft_name(d, draft_scene(d)->dealer), d->words->word[WORD_DEALER]);
    SAY_IF(d, t->players > 2, T_SEAT_ORDER, order);
    for (int i = 0; i < t->players; i++)
        draft_character_says(d, i, MANNER_GREETING);
    put_faces(d);
    if (t->tournament) { /* no challenge has shown the seal of the first deal: it waits for both */
        SAY(d, T_FIRST_DEAL, draft_command(d, VERB_READY), draft_time(d, t->due));
        draft_fold(d, T_SEALS_FOLD);
        part_seal_next(d, t->view.round_no);
        draft_unfold(d);
        draft_press(d, T_BUTTON_READY, VERB_READY, 0, BUTTON_TAKE);
    }
    if (!t->lots_seed[0])
        return;
    draft_fold(d, T_SEALS_FOLD);
    SAY(d, T_LOTS_SEED, str_of(t->lots_seed));
    draft_unfold(d);
}
