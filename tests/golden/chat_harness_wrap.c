/* Functions that the linker puts in place of the program's own (--wrap): outbox_push collects the
 * messages, work_push keeps the computer's job until the event is over, chance_shuffle deals the
 * cards that a chat names, embedded_find gives the files of tests/golden/embedded, texts_load opens the built-in
 * catalogues once for all chats of the process, as they were a third of what a chat takes, store_save
 * looks at the versions of matches. See chat_harness.h. */
#include "golden/chat_harness.h"

#include "embedded.h"
#include "file.h"
#include "texts.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>

bool chat_harness_is_code(struct str s)
{
    bool dash = false;
    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] != '-' && !islower((unsigned char)s.p[i]) && !isdigit((unsigned char)s.p[i]))
            return false;
        dash |= s.p[i] == '-';
    }
    return dash && s.n >= 10 && s.n < 40;
}

void __wrap_outbox_push(struct outbox *o, const struct account *to, const struct outgoing *out);
int64_t __wrap_outbox_held(const struct outbox *o, const struct account *to, struct str chat);

enum outbox_wait __wrap_outbox_waits(const struct outbox *o, const struct account *to,
                                     struct str place, int64_t match);

int64_t __wrap_outbox_held(const struct outbox *o, const struct account *to, struct str chat)
{
    (void)o, (void)to;
    bool held = harness->held[0] && str_is(chat, str_of(harness->held));
    return held && harness->held_until > harness->now ? harness->held_until : 0;
}

enum outbox_wait __wrap_outbox_waits(const struct outbox *o, const struct account *to,
                                     struct str place, int64_t match)
{
    for (int i = 0; i < harness->n_sent; i++) {
        const struct sent_message *m = &harness->sent[i];
        if (m->waits && !m->out.aside && m->out.match == match &&
            str_is(outbox_post_key(harness->arena, &m->out), place))
            return WAITS;
    }
    return __wrap_outbox_held(o, to, place) ? WAITS_PASSED_ON : WAITS_NOT;
}

void __wrap_work_push(struct work *w, const struct job *job);
void __wrap_chance_shuffle(const struct seed *seed, struct str id, int round, int attempt,
                           int players, const struct str client[], struct str beacon,
                           uint8_t ret_deck[static N_CARDS]);
void __real_chance_shuffle(const struct seed *seed, struct str id, int round, int attempt,
                           int players, const struct str client[], struct str beacon,
                           uint8_t ret_deck[static N_CARDS]);

struct str __wrap_embedded_find(struct str name);
struct str __real_embedded_find(struct str name);

struct str __wrap_embedded_find(struct str name)
{
    static char bytes[32 * 1024]; /* of the last one that was asked for */
    char path[128];
    struct str file;
    struct err err;
    snprintf(path, sizeof path, "tests/golden/embedded/%.*s", STR_ARG(name));
    if (!harness || harness->files_of_program || !file_read(path, sizeof bytes, &file, &err))
        return __real_embedded_find(name);
    size_t n = file.n;
    memcpy(bytes, file.p, n);
    file_free(file);
    return (struct str){bytes, n};
}

static int find_standing(const char *place, const char *slot)
{
    for (int i = 0; i < harness->n_standing; i++)
        if (strcmp(harness->standing[i].place, place) == 0 &&
            strcmp(harness->standing[i].slot, slot) == 0)
            return i;
    return -1;
}

static void chat_and_reader(int account, const struct outgoing *o, char ret[400])
{
    if (o->where == TO_CHAT)
        snprintf(ret, 400, "%d chat %.*s", account, STR_ARG(o->chat));
    else
        snprintf(ret, 400, "%d to %d %.*s", account, o->where, STR_ARG(o->to));
}

static void remember_code(struct str text)
{
    for (size_t i = 0; i < text.n; i++) {
        struct str rest;
        if (text.p[i] != MARK_CODE)
            continue;
        struct str code = str_cut(str_skip(text, i + 1), MARK_END, &rest);
        if (chat_harness_is_code(code))
            snprintf(harness->code, sizeof harness->code, "%.*s", STR_ARG(code));
    }
}

/* By its group, also if it is hidden there, or by a person who wants no private messages. */
static bool is_refused(const struct outgoing *out)
{
    if (out->kind == OUT_ANSWER)
        return false;
    if (out->where == TO_DIRECT)
        return str_is(out->to, str_of(harness->blocks));
    return out->chat.n > 0 && str_is(out->chat, str_of(harness->refuses));
}

/* As on Matrix: what has answers in a private chat. */
static bool is_poll(const struct account *to, const struct outgoing *out)
{
    bool any = false;
    for (int i = 0; i < out->n_buttons; i++)
        any |= out->buttons[i].style != BUTTON_LINK;
    return any && (to->can & CAN_POLL) && !(to->can & CAN_BUTTONS);
}

void __wrap_store_save(struct store *s, const struct session_row *row, int64_t was);
void __real_store_save(struct store *s, const struct session_row *row, int64_t was);

/* A number of a session's line; 0 if it is left out. */
static int64_t number_of(struct str line, const char *name)
{
    const char *at = memmem(line.p, line.n, name, strlen(name));
    return at ? strtoll(at + strlen(name), NULL, 10) : 0;
}

/* Buttons carry the version: it never falls, and rises with the end of a match, so that no old button
 * means something else. */
void __wrap_store_save(struct store *s, const struct session_row *row, int64_t was)
{
    const struct session_row *before = store_session(s, harness->arena, row->id);
    if (before && !before->damaged) {
        int64_t now = number_of(row->line, " version="),
                then = number_of(before->line, " version=");
        assert(now >= then);
        assert(now > then || number_of(before->line, " phase=") != SESSION_PLAYING ||
               number_of(row->line, " phase=") == SESSION_PLAYING);
    }
    __real_store_save(s, row, was);
}

void __wrap_outbox_push(struct outbox *o, const struct account *to, const struct outgoing *out)
{
    (void)o;
    assert(!store_failed(harness->store));
    assert(harness->n_sent < MAX_SENT);
    /* the contract: what is for one person names them */
    assert(out->to.n > 0 || (out->where == TO_CHAT && out->kind != OUT_ANSWER));
    struct sent_message *sent = &harness->sent[harness->n_sent++];
    char place[400], slot[80];
    *sent = (struct sent_message){.out = *out, .account = to != &harness->accounts[0]};
    remember_code(out->text);
    struct outgoing *k = &sent->out;
    k->chat = chat_harness_keep(out->chat);
    k->to = chat_harness_keep(out->to);
    k->slot = chat_harness_keep(out->slot);
    k->text = chat_harness_keep(out->text);
    k->picture = chat_harness_keep(out->picture);
    k->caption = chat_harness_keep(out->caption);
    k->press = chat_harness_keep(out->press);
    k->file_name = chat_harness_keep(out->file_name);
    k->file = chat_harness_keep(out->file);
    k->aloud = chat_harness_keep(out->aloud);
    k->group = chat_harness_keep(out->group);
    k->articles = arena_array(harness->arena, struct article, (size_t)out->n_articles + 1);
    for (int i = 0; i < out->n_articles; i++) {
        const struct article *from = &out->articles[i];
        k->articles[i] =
            (struct article){chat_harness_keep(from->id), chat_harness_keep(from->title),
                             chat_harness_keep(from->about), chat_harness_keep(from->text),
                             chat_harness_keep(from->label)};
    }
    k->buttons = arena_array(harness->arena, struct button, (size_t)out->n_buttons + 1);
    for (int i = 0; i < out->n_buttons; i++) {
        k->buttons[i] = out->buttons[i];
        k->buttons[i].label = chat_harness_keep(out->buttons[i].label);
        k->buttons[i].data = chat_harness_keep(out->buttons[i].data);
        assert(out->buttons[i].data.n <= 64);
    }
    k->learners = chat_harness_keep(out->learners);
    snprintf(sent->post, sizeof sent->post, "m%d", harness->n_sent);
    const bool held = out->kind != OUT_ANSWER && __wrap_outbox_held(o, to, out->chat);
    sent->refused = is_refused(out) || (held && out->where == TO_WHISPER && out->press.n > 0);
    sent->held = held && !sent->refused;
    sent->waits = chat_harness_hangs_at(harness, out);
    if (sent->refused) {
        sent->dropped = true;
        return;
    }
    if (out->slot.n == 0 || out->kind == OUT_ANSWER || (out->aside && out->kind == OUT_POST))
        return;
    chat_and_reader(sent->account, out, place);
    snprintf(slot, sizeof slot, "%.*s", STR_ARG(out->slot));
    int at = find_standing(place, slot);
    if (out->kind == OUT_ERASE || out->kind == OUT_CLOSE) {
        sent->dropped = at < 0;
        /* an ephemeral message is erased in the chat where it was shown */
        assert(at < 0 || out->where != TO_WHISPER || out->kind == OUT_CLOSE ||
               str_is(out->chat, str_of(harness->standing[at].chat)));
        if (at >= 0)
            harness->standing[at] = harness->standing[--harness->n_standing];
        store_set_post(harness->store, to->id, outbox_post_key(harness->arena, out), out->slot,
                       STR(""));
        return;
    }
    /* A reaction cannot be given twice: there, a message that notifies is a new one. A poll cannot be
     * edited, nor can what becomes one. */
    bool poll = is_poll(to, out), was_poll = at >= 0 && harness->standing[at].poll;
    bool anew = poll || was_poll || (out->notify && (to->can & (CAN_POLL | CAN_REACT)));
    sent->edit = at >= 0 && (to->can & CAN_EDIT) && !anew;
    sent->dropped = out->replace_only && (at < 0 || (was_poll && !poll));
    if (sent->dropped)
        return;
    if (at < 0) {
        assert(harness->n_standing < MAX_STANDING);
        at = harness->n_standing++;
        memcpy(harness->standing[at].place, place, sizeof place);
        memcpy(harness->standing[at].slot, slot, sizeof slot);
    }
    snprintf(harness->standing[at].chat, sizeof harness->standing[at].chat, "%.*s",
             STR_ARG(out->chat));
    harness->standing[at].poll = poll;
    if (sent->edit)
        memcpy(sent->post, harness->standing[at].id, sizeof sent->post);
    memcpy(harness->standing[at].id, sent->post, sizeof sent->post);
    store_set_post(harness->store, to->id, outbox_post_key(harness->arena, out), out->slot,
                   str_of(sent->post));
}

void __wrap_work_push(struct work *w, const struct job *job)
{
    (void)w;
    if (harness->loses_jobs || !job->run)
        return;
    assert(harness->n_jobs < JOBS);
    harness->jobs[harness->n_jobs] = *job;
    harness->jobs[harness->n_jobs++].input = chat_harness_keep(job->input);
}

static cardset read_codes(struct str list, uint8_t *ret, int *ret_n)
{
    cardset all = 0;
    *ret_n = 0;
    for (struct str w = str_word(&list); w.n > 0; w = str_word(&list)) {
        int card = card_read(w.p, w.n);
        if (card == CARD_NONE) {
            fprintf(stderr, "deal: expected a card code, got %.*s\n", STR_ARG(w));
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

/* A deck that deals the named cards to their places; the others follow in canonical order. */
static void arrange_deck(const struct session *s, const char *cards, uint8_t *ret)
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
        cardset these = read_codes(part, want, &n);
        if (taken & these || set_count(these) != n) {
            fprintf(stderr, "deal: expected each card once, got %s\n", cards);
            abort();
        }
        taken |= these;
        if (seat < 0 && !str_is(who, STR("field")) && !str_is(who, STR("stock"))) {
            fprintf(stderr, "deal: expected field, stock or who plays, got %.*s\n", STR_ARG(who));
            abort();
        }
        if (seat >= 0 && n > hand) {
            fprintf(stderr, "deal: expected %d cards for a hand, got %s\n", hand, cards);
            abort();
        }
        for (int i = 0; i < n; i++) {
            if (str_is(who, STR("field")))
                ret[table[i]] = want[i];
            else if (str_is(who, STR("stock")))
                ret[s->players * hand + on_table + i] = want[i];
            else
                ret[hands[seat][i]] = want[i];
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

/* The client seeds that the chat names for a deal; they belong to the match that asks first.
 * Returns false if the chat names none. */
static bool drawn_from(struct chat_harness *s, struct str id, int round, int attempt, int players,
                       struct str *ret)
{
    for (int i = 0; i < s->n_draws; i++) {
        struct drawn_deal *d = &s->draws[i];
        struct str rest = str_of(d->texts);
        if (d->round != round || d->attempt != attempt || (d->id[0] && !str_is(id, str_of(d->id))))
            continue;
        snprintf(d->id, sizeof d->id, "%.*s", STR_ARG(id));
        for (int p = 0; p < players; p++)
            ret[p] = str_trim(str_cut(rest, '|', &rest));
        return true;
    }
    return false;
}

void __wrap_chance_shuffle(const struct seed *seed, struct str id, int round, int attempt,
                           int players, const struct str client[], struct str beacon,
                           uint8_t ret_deck[static N_CARDS])
{
    struct session s;
    for (int i = 0; harness && i < harness->n_deals; i++) {
        if (round == 0) { /* the challenger draws the crane, and deals */
            for (int c = 0; c < N_CARDS; c++)
                ret_deck[c] = (uint8_t)c;
            return;
        }
        if (harness->deals[i].round == round && harness->deals[i].attempt == attempt &&
            chat_harness_session(harness, &s)) {
            arrange_deck(&s, harness->deals[i].cards, ret_deck);
            return;
        }
    }
    struct str drawn[MAX_PLAYERS];
    bool is_drawn = harness && drawn_from(harness, id, round, attempt, players, drawn);
    __real_chance_shuffle(seed, id, round, attempt, players, is_drawn ? drawn : client, beacon,
                          ret_deck);
}

void chat_harness_deal(struct chat_harness *s, int round, int attempt, const char *cards)
{
    assert(s->n_deals < MAX_DEALS);
    struct fixed_deal *d = &s->deals[s->n_deals++];
    d->round = round;
    d->attempt = attempt;
    snprintf(d->cards, sizeof d->cards, "%s", cards);
}

void chat_harness_draw(struct chat_harness *s, int round, int attempt, const char *texts)
{
    assert(s->n_draws < MAX_DRAWS);
    struct drawn_deal *d = &s->draws[s->n_draws++];
    *d = (struct drawn_deal){.round = round, .attempt = attempt};
    snprintf(d->texts, sizeof d->texts, "%s", texts);
}

bool __wrap_texts_load(struct str folder, struct str fallback, bool strict, struct arena *process,
                       struct languages *ret, struct err *err);
bool __real_texts_load(struct str folder, struct str fallback, bool strict, struct arena *process,
                       struct languages *ret, struct err *err);

bool __wrap_texts_load(struct str folder, struct str fallback, bool strict, struct arena *process,
                       struct languages *ret, struct err *err)
{
    static struct languages opened[MAX_LANGUAGES]; /* by the language that comes first */
    static struct arena *kept;
    int i = 0;
    if (folder.n > 0)
        return __real_texts_load(folder, fallback, strict, process, ret, err);
    if (!kept)
        kept = arena_open((size_t)1 << 28);
    while (i < MAX_LANGUAGES && opened[i].n > 0 && !str_is(opened[i].at[0]->language, fallback))
        i++;
    assert(i < MAX_LANGUAGES);
    if (opened[i].n == 0 && !__real_texts_load(folder, fallback, strict, kept, &opened[i], err))
        return false;
    *ret = opened[i];
    return true;
}
