/* See stage.h. What the linker puts in place of three functions of the program: outbox_push hands
 * its messages to the stage, work_push keeps the computer's job until the event is over,
 * chance_shuffle deals the cards that a chat asked for. */
#include "golden/stage.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>

/* `k7qfm-2xa9d`, `12-k7qfm2xa`: what stands between marks for code and looks like one. */
bool stage_is_code(struct str s)
{
    bool dash = false;
    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] != '-' && !islower((unsigned char)s.p[i]) && !isdigit((unsigned char)s.p[i]))
            return false;
        dash |= s.p[i] == '-';
    }
    return dash && s.n >= 10 && s.n < 40;
}

bool __wrap_outbox_push(struct outbox *o, const struct account *to, const struct outgoing *out,
                        struct err *err);
void __wrap_work_push(struct work *w, const struct job *job);
void __wrap_chance_shuffle(const struct seed *seed, struct str id, int round, int attempt,
                           int players, const struct str client[],
                           uint8_t ret_deck[static N_CARDS]);
void __real_chance_shuffle(const struct seed *seed, struct str id, int round, int attempt,
                           int players, const struct str client[],
                           uint8_t ret_deck[static N_CARDS]);

static int find_post(const char *place, const char *slot)
{
    for (int i = 0; i < stage->n_posts; i++)
        if (strcmp(stage->posts[i].place, place) == 0 && strcmp(stage->posts[i].slot, slot) == 0)
            return i;
    return -1;
}

static void place_of(int account, const struct outgoing *o, char ret[400])
{
    if (o->where == TO_CHAT)
        snprintf(ret, 400, "%d chat %.*s", account, STR_ARG(o->chat));
    else
        snprintf(ret, 400, "%d to %d %.*s", account, o->where, STR_ARG(o->to));
}

static void note_code(struct str text)
{
    for (size_t i = 0; i < text.n; i++) {
        struct str rest, code;
        if (text.p[i] != MARK_CODE)
            continue;
        code = str_cut(str_skip(text, i + 1), MARK_END, &rest);
        if (stage_is_code(code))
            snprintf(stage->code, sizeof stage->code, "%.*s", STR_ARG(code));
    }
}

bool __wrap_outbox_push(struct outbox *o, const struct account *to, const struct outgoing *out,
                        struct err *err)
{
    (void)o;
    assert(stage->n_said < MAX_SAID);
    struct said *said = &stage->said[stage->n_said++];
    char place[400], slot[80];
    *said = (struct said){.out = *out, .account = to != &stage->accounts[0]};
    note_code(out->text);
    struct outgoing *k = &said->out;
    k->chat = stage_keep(out->chat);
    k->to = stage_keep(out->to);
    k->slot = stage_keep(out->slot);
    k->text = stage_keep(out->text);
    k->press = stage_keep(out->press);
    k->articles = arena_array(stage->arena, struct article, (size_t)out->n_articles + 1);
    for (int i = 0; i < out->n_articles; i++) {
        const struct article *from = &out->articles[i];
        k->articles[i] =
            (struct article){stage_keep(from->id), stage_keep(from->title), stage_keep(from->about),
                             stage_keep(from->text), stage_keep(from->label)};
    }
    k->buttons = arena_array(stage->arena, struct button, (size_t)out->n_buttons + 1);
    for (int i = 0; i < out->n_buttons; i++) {
        k->buttons[i] = out->buttons[i];
        k->buttons[i].label = stage_keep(out->buttons[i].label);
        k->buttons[i].data = stage_keep(out->buttons[i].data);
        assert(out->buttons[i].data.n <= 64);
    }
    snprintf(said->post, sizeof said->post, "m%d", stage->n_said);
    if (out->slot.n == 0 || out->kind == OUT_ANSWER)
        return true;
    place_of(said->account, out, place);
    snprintf(slot, sizeof slot, "%.*s", STR_ARG(out->slot));
    int at = find_post(place, slot);
    if (out->kind == OUT_ERASE) {
        said->dropped = at < 0;
        if (at >= 0)
            stage->posts[at] = stage->posts[--stage->n_posts];
        return store_set_post(stage->store, to->id, outbox_place(stage->arena, out), out->slot,
                              STR(""), err);
    }
    /* A poll cannot be changed, and a reaction not given again: there, what notifies is said
     * anew. */
    bool anew = out->notify && (to->can & (CAN_POLL | CAN_REACT));
    said->edit = at >= 0 && (to->can & CAN_EDIT) && !anew;
    said->dropped = at < 0 && out->replace_only;
    if (said->dropped)
        return true;
    if (at < 0) {
        assert(stage->n_posts < MAX_POSTS);
        at = stage->n_posts++;
        memcpy(stage->posts[at].place, place, sizeof place);
        memcpy(stage->posts[at].slot, slot, sizeof slot);
    }
    if (said->edit)
        memcpy(said->post, stage->posts[at].id, sizeof said->post);
    memcpy(stage->posts[at].id, said->post, sizeof said->post);
    return store_set_post(stage->store, to->id, outbox_place(stage->arena, out), out->slot,
                          str_of(said->post), err);
}

void __wrap_work_push(struct work *w, const struct job *job)
{
    (void)w;
    if (stage->lose || !job->run)
        return;
    assert(stage->n_jobs < JOBS);
    stage->jobs[stage->n_jobs] = *job;
    stage->jobs[stage->n_jobs++].input = stage_keep(job->input);
}

static cardset codes_of(struct str list, uint8_t *ret, int *ret_n)
{
    cardset all = 0;
    *ret_n = 0;
    for (struct str w = str_word(&list); w.n > 0; w = str_word(&list)) {
        int card = card_read(w.p, w.n);
        if (card == CARD_NONE) {
            fprintf(stderr, "deal: no card %.*s\n", STR_ARG(w));
            abort();
        }
        ret[(*ret_n)++] = (uint8_t)card;
        all |= CARD(card);
    }
    return all;
}

static int seat_named(const struct session *s, struct str name)
{
    for (int i = 0; i < s->players; i++) {
        char lower[NAME_SIZE] = "";
        for (size_t k = 0; s->player[i].name[k]; k++)
            lower[k] = (char)tolower((unsigned char)s->player[i].name[k]);
        if (str_is(name, str_of(s->player[i].computer ? "computer"
                                : lower[0] == '@'     ? lower + 1
                                                      : lower)))
            return i;
    }
    return -1;
}

/* Puts the cards asked for where the rules deal them from; all others follow in canonical order. */
static void arrange(const struct session *s, const char *cards, uint8_t *ret)
{
    uint8_t place[N_CARDS], hands[MAX_PLAYERS][N_CARDS], table[N_CARDS], want[N_CARDS];
    cardset taken = 0;
    int n, dealer = s->phase == SESSION_PLAYING ? s->match.dealer : 0;
    for (int i = 0; i < N_CARDS; i++)
        place[i] = (uint8_t)i;
    deal_order(&s->rules, s->players, dealer, place, hands, table);
    memset(ret, CARD_NONE, N_CARDS);
    for (struct str rest = str_of(cards), part; rest.n > 0;) {
        part = str_trim(str_cut(rest, ';', &rest));
        struct str who = str_word(&part);
        int seat = seat_named(s, who), hand = s->rules.hand[s->players],
            on_table = s->rules.table[s->players];
        cardset these = codes_of(part, want, &n);
        if (taken & these || set_count(these) != n) {
            fprintf(stderr, "deal: a card lies in two places: %s\n", cards);
            abort();
        }
        taken |= these;
        for (int i = 0; i < n; i++) {
            if (str_is(who, STR("field")))
                ret[table[i]] = want[i];
            else if (str_is(who, STR("stock")))
                ret[s->players * hand + on_table + i] = want[i];
            else if (seat >= 0)
                ret[hands[seat][i]] = want[i];
            else
                abort();
        }
    }
    for (int i = 0, card = 0; i < N_CARDS; i++) {
        if (ret[i] != CARD_NONE)
            continue;
        while (taken >> card & 1)
            card++;
        ret[i] = (uint8_t)card++;
    }
}

void __wrap_chance_shuffle(const struct seed *seed, struct str id, int round, int attempt,
                           int players, const struct str client[], uint8_t ret_deck[static N_CARDS])
{
    struct session s;
    for (int i = 0; stage && i < stage->n_deals; i++) {
        if (round == 0) { /* the challenger draws the crane, and deals */
            for (int c = 0; c < N_CARDS; c++)
                ret_deck[c] = (uint8_t)c;
            return;
        }
        if (stage->deals[i].round == round && stage->deals[i].attempt == attempt &&
            stage_session(stage, &s)) {
            arrange(&s, stage->deals[i].cards, ret_deck);
            return;
        }
    }
    __real_chance_shuffle(seed, id, round, attempt, players, client, ret_deck);
}

void stage_deal(struct stage *s, int round, int attempt, const char *cards)
{
    assert(s->n_deals < MAX_DEALS);
    struct deal *d = &s->deals[s->n_deals++];
    d->round = round;
    d->attempt = attempt;
    snprintf(d->cards, sizeof d->cards, "%s", cards);
}
