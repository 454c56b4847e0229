/* The stage on which golden chats are played: the real inbox and the real store, a clock and chance that
 * are moved by hand, and people who type and press. What the bot says is caught where it would go to
 * the outbox.
 *
 * All of it is in this header, because only golden_test.c is linked with the three functions replaced
 * (--wrap): outbox_push hands its messages to the stage, work_push runs the computer's job when the event
 * is over, chance_shuffle deals the cards that a chat asked for. The program that people run has no such
 * door. */
#ifndef KOIKOI_STAGE_H
#define KOIKOI_STAGE_H

#include "effect.h"
#include "command.h"
#include "golden/catalogue.h"
#include "inbox.h"
#include "shell/scratch.h"
#include "session.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <sys/stat.h>

enum { STAGE_SAID = 256, STAGE_PEOPLE = 8 };

struct said {
    struct outgoing out;
    int account;                /* 0: said on the near network, 1: on the far one */
    bool edit;                  /* it replaces a message that stands */
    bool dropped;               /* replace_only, and nothing stands */
    char post[16];              /* what the network calls the message */
};

struct stage;

static struct stage *stage_open(uint32_t can);
static void stage_close(struct stage *s);
/* Ends the program and starts it again on the same store. */
static void stage_restart(struct stage *s);

/* Somebody types; in the group `room`, or in private. */
static void stage_type(struct stage *s, const char *who, const char *room, bool direct, const char *text);
/* Somebody presses the newest button with that label that they can see; false if there is none. */
static bool stage_press(struct stage *s, const char *who, const char *label);
/* The same press once more, as a network may deliver it twice: another update, or the same one. */
static void stage_press_again(struct stage *s, bool same_update);
/* A number under the newest private message to them, or under the one before it; false if there is none. */
static bool stage_react(struct stage *s, const char *who, bool before, const char *number);
/* Somebody looks for something to say by way of the bot; then says the newest answer whose title begins so:
 * it stands in the group, and the bot is told of it or not. False: there is none. */
static void stage_ask(struct stage *s, const char *who, const char *text);
static bool stage_say(struct stage *s, const char *who, const char *title, bool told);
/* A press whose data the bot never wrote. */
static void stage_forge(struct stage *s, const char *who, const char *data);
/* The bot "joins" or "leaves" a group, or its "rights" change there, or it is "deaf": it cannot read. */
static void stage_bot(struct stage *s, const char *what, const char *room);
/* The network says that the last private message to this person cannot be given. */
static void stage_unreachable(struct stage *s, const char *who);
/* Moves the clock; what becomes due happens in its order. */
static void stage_wait(struct stage *s, int64_t ms);
static void stage_admin(struct stage *s, const char *who);
/* The program does not run for so long, and starts again. */
static void stage_away(struct stage *s, int64_t ms);
/* The network gives a group another key. */
static void stage_moves(struct stage *s, const char *room, const char *new_key);
/* A catalogue of this language (catalogue.h) is laid where the program looks for them; it starts again. */
static void stage_speaks(struct stage *s, const char *language);
/* The next legal move of the newest live match, by a press: the first that takes, stop when it can. */
static bool stage_auto(struct stage *s, bool koikoi);
/* Sets the cards of a deal: "ann 1b 1r; bo 2a; field 3b; stock 4a"; the rest follows in order. */
static void stage_deal(struct stage *s, int round, int attempt, const char *cards);

/* What was said since the last call of stage_heard(). */
static int stage_said(struct stage *s, const struct said **ret);
static void stage_heard(struct stage *s);
/* The newest live session; false if there is none. */
static bool stage_session(struct stage *s, struct session *ret);

enum { MAX_DEALS = 16, MAX_POSTS = 512, JOBS = 8 };

struct deal { int round, attempt; char cards[512]; };
struct post { char place[400], slot[80], id[16]; };

struct stage {
    struct arena *arena;
    char path[300];
    struct store *store;
    struct inbox *inbox;
    struct account accounts[2];         /* the near network and the far one */
    struct adapter adapters[2];
    char far[200];                      /* who is on the far one, blank separated */
    char code[40];                      /* the newest that was shown */
    struct made made;
    struct clock clock;
    int64_t now;
    uint64_t chance;
    int n_said, n_heard;
    struct said said[STAGE_SAID * 16];
    int n_posts;
    struct post posts[MAX_POSTS];
    int n_deals;
    struct deal deals[MAX_DEALS];
    int n_jobs;
    struct job jobs[JOBS];
    int updates;
    struct update last_press;
    char admin[32];
    const char *anonymous;
    struct str texts_dir;       /* catalogues beside the built-in ones; empty: none */
    bool lose;                  /* what is being computed does not arrive */
    bool goes_on;               /* the computer's next stop becomes koi-koi */
    const char *teaches;        /* what the teacher says next; empty: nothing; NULL: as it thinks */
};

static struct stage *stage;             /* the one that is open: the wrapped functions have no argument for it */

/* ---- clock and chance ---- */

static int64_t now_ms(void *arg) { return ((struct stage *)arg)->now; }

static void chance(void *arg, uint8_t *ret, size_t n)
{
    struct stage *s = arg;
    for (size_t i = 0; i < n; i++) {
        s->chance = s->chance * 6364136223846793005u + 1442695040888963407u;
        ret[i] = (uint8_t)(s->chance >> 56);
    }
}

/* ---- what the linker puts in place ---- */

bool __wrap_outbox_push(struct outbox *o, const struct account *to, const struct outgoing *out, struct err *err);
void __wrap_work_push(struct work *w, const struct job *job);
void __wrap_chance_shuffle(const struct seed *seed, struct str id, int round, int attempt, int players,
                           const struct str client[], uint8_t ret_deck[static N_CARDS]);
void __real_chance_shuffle(const struct seed *seed, struct str id, int round, int attempt, int players,
                           const struct str client[], uint8_t ret_deck[static N_CARDS]);

static struct str keep(struct str s) { return s.n ? arena_str(stage->arena, s) : (struct str){0}; }

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

/* `k7qfm-2xa9d`, `12-k7qfm2xa`: what stands between marks for code and looks like one. */
static bool is_code(struct str s)
{
    bool dash = false;
    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] != '-' && !islower((unsigned char)s.p[i]) && !isdigit((unsigned char)s.p[i]))
            return false;
        dash |= s.p[i] == '-';
    }
    return dash && s.n >= 10 && s.n < 40;
}

static void note_code(struct str text)
{
    for (size_t i = 0; i < text.n; i++) {
        struct str rest, code;
        if (text.p[i] != MARK_CODE)
            continue;
        code = str_cut(str_skip(text, i + 1), MARK_END, &rest);
        if (is_code(code))
            snprintf(stage->code, sizeof stage->code, "%.*s", STR_ARG(code));
    }
}

bool __wrap_outbox_push(struct outbox *o, const struct account *to, const struct outgoing *out, struct err *err)
{
    (void)o;
    assert(stage->n_said < STAGE_SAID * 16);
    struct said *said = &stage->said[stage->n_said++];
    char place[400], slot[80];
    *said = (struct said){.out = *out, .account = to != &stage->accounts[0]};
    note_code(out->text);
    struct outgoing *k = &said->out;
    k->chat = keep(out->chat);
    k->to = keep(out->to);
    k->slot = keep(out->slot);
    k->text = keep(out->text);
    k->press = keep(out->press);
    k->articles = arena_array(stage->arena, struct article, (size_t)out->n_articles + 1);
    for (int i = 0; i < out->n_articles; i++) {
        const struct article *from = &out->articles[i];
        k->articles[i] = (struct article){keep(from->id), keep(from->title), keep(from->about),
                                          keep(from->text), keep(from->label)};
    }
    k->buttons = arena_array(stage->arena, struct button, (size_t)out->n_buttons + 1);
    for (int i = 0; i < out->n_buttons; i++) {
        k->buttons[i] = out->buttons[i];
        k->buttons[i].label = keep(out->buttons[i].label);
        k->buttons[i].data = keep(out->buttons[i].data);
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
        return store_set_post(stage->store, to->id, outbox_place(stage->arena, out), out->slot, STR(""), err);
    }
    /* A poll cannot be changed, and a reaction not given again: there, what notifies is said anew. */
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
    return store_set_post(stage->store, to->id, outbox_place(stage->arena, out), out->slot, str_of(said->post), err);
}

void __wrap_work_push(struct work *w, const struct job *job)
{
    (void)w;
    if (stage->lose || !job->run)
        return;
    assert(stage->n_jobs < JOBS);
    stage->jobs[stage->n_jobs] = *job;
    stage->jobs[stage->n_jobs++].input = keep(job->input);
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
        if (str_is(name, str_of(s->player[i].computer ? "computer" : lower[0] == '@' ? lower + 1 : lower)))
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
        int seat = seat_named(s, who), hand = s->rules.hand[s->players], on_table = s->rules.table[s->players];
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

void __wrap_chance_shuffle(const struct seed *seed, struct str id, int round, int attempt, int players,
                           const struct str client[], uint8_t ret_deck[static N_CARDS])
{
    struct session s;
    for (int i = 0; stage && i < stage->n_deals; i++) {
        if (round == 0) {                               /* the challenger draws the crane, and deals */
            for (int c = 0; c < N_CARDS; c++)
                ret_deck[c] = (uint8_t)c;
            return;
        }
        if (stage->deals[i].round == round && stage->deals[i].attempt == attempt && stage_session(stage, &s)) {
            arrange(&s, stage->deals[i].cards, ret_deck);
            return;
        }
    }
    __real_chance_shuffle(seed, id, round, attempt, players, client, ret_deck);
}

/* ---- opening ---- */

static void must(bool good, const struct err *err)
{
    if (!good) {
        fprintf(stderr, "stage: %s\n", err->text);
        abort();
    }
}

static void start(struct stage *s)
{
    struct err err = {"?"};
    must(store_open(str_of(s->path), &s->store, &err), &err);
    for (int i = 0; i < 2; i++) {
        struct account *a = &s->accounts[i];
        a->name = i ? STR("far") : STR("stage");
        s->adapters[i].title = i ? "Far" : "Near";
        a->adapter = &s->adapters[i];
        must(store_account(s->store, a->name, &a->id, &err), &err);
    }
    struct inbox_parts parts = {.store = s->store, .clock = &s->clock, .n_accounts = 2, .accounts = s->accounts, .texts_dir = s->texts_dir,
                                .default_rules = STR("sensei"), .default_language = STR("en"), .think_ms = 300};
    must(store_begin(s->store, &err), &err);
    must(inbox_open(&parts, &s->inbox, &err), &err);
    must(store_commit(s->store, &err), &err);
}

static struct stage *stage_open(uint32_t can)
{
    static struct stage s;
    memset(&s, 0, sizeof s);
    stage = &s;
    s.arena = arena_open((size_t)1 << 28);
    s.now = INT64_C(1795262400000);                     /* Saturday, 21 November 2026, 12:00 UTC */
    s.chance = 1;
    for (int i = 0; i < 2; i++) {
        s.accounts[i].can = can;
        s.accounts[i].limits = (struct limits){.text_chars = 4000, .popup_chars = 200, .data_bytes = 64, .buttons_a_row = 8};
    }
    s.clock = (struct clock){now_ms, chance, &s};
    if (!scratch_open())
        abort();
    struct str path = scratch_file("koikoi.db");
    snprintf(s.path, sizeof s.path, "%.*s", STR_ARG(path));
    start(&s);
    return &s;
}

static void stage_close(struct stage *s)
{
    inbox_close(s->inbox);
    store_close(s->store);
    scratch_close();
    arena_close(s->arena);
    stage = NULL;
}

static void stage_restart(struct stage *s)
{
    inbox_close(s->inbox);
    store_close(s->store);
    s->n_jobs = 0;                                      /* what was being computed is lost */
    s->lose = false;
    start(s);
}

/* ---- events ---- */

static bool never(void *arg)
{
    (void)arg;
    return false;
}

static void jobs_run(struct stage *s)
{
    const struct job_pace pace = {.crowd = 1, .spent = never};
    while (s->n_jobs > 0) {
        static char output[JOB_RESULT];
        struct job job = s->jobs[--s->n_jobs];
        struct buf b = BUF(output);
        struct err err = {"?"};
        if (job.tag != JOB_MOVE && s->teaches) {
            buf_put(&b, str_of(s->teaches));
            s->teaches = NULL;
        } else {
            job.run(job.input, &pace, &b);
        }
        if (job.tag == JOB_MOVE && s->goes_on && str_is(buf_str(&b), STR("stop"))) {
            b.n = 0;
            buf_put(&b, STR("koikoi"));
            s->goes_on = false;
        }
        struct job_done done = {job.tag, job.session, job.version, buf_str(&b)};
        must(store_begin(s->store, &err), &err);
        must(inbox_job_done(s->inbox, &done, &err), &err);
        must(store_commit(s->store, &err), &err);
    }
}

static bool is_far(const char *who)
{
    struct str rest = str_of(stage->far);
    for (struct str w = str_word(&rest); w.n > 0; w = str_word(&rest))
        if (str_is(w, str_of(who)))
            return true;
    return false;
}

static void take_on(struct stage *s, int account, const struct update *u)
{
    struct err err = {"?"};
    must(store_begin(s->store, &err), &err);
    must(inbox_take(s->inbox, &s->accounts[account], u, &err), &err);
    must(store_commit(s->store, &err), &err);
    jobs_run(s);
}

/* On the network of whoever does it. */
static void take(struct stage *s, const struct update *u)
{
    char id[64];
    snprintf(id, sizeof id, "%.*s", STR_ARG(u->from.id));
    take_on(s, is_far(id), u);
}

static struct str capital(const char *who)
{
    char *p = arena_alloc(stage->arena, strlen(who) + 1);
    memcpy(p, who, strlen(who));
    p[0] = (char)toupper((unsigned char)p[0]);
    return str_of(p);
}

static struct sender sender_of(const char *who)
{
    return (struct sender){.id = keep(str_of(who)), .name = capital(who), .handle = keep(str_of(who))};
}

static void fill(struct stage *s, const char *who, const char *room, bool direct, struct update *u)
{
    u->id = arena_print(s->arena, "u%d", ++s->updates);
    u->from = sender_of(who);
    u->direct = direct;
    u->chat = direct ? arena_print(s->arena, "dm-%s", who) : keep(str_of(room));
    u->from.anonymous = s->anonymous && strcmp(s->anonymous, who) == 0;
    u->chat_name = direct || strcmp(room, "nameless") == 0 ? (struct str){0} : capital(room);
    u->when = s->now;
    u->admin = direct || strcmp(s->admin, who) == 0;
}

static void mentions(struct update *u)
{
    for (struct str rest = u->text, w = str_word(&rest); w.n > 0; w = str_word(&rest))
        if (w.n > 1 && w.p[0] == '@' && u->n_mentions < MAX_MENTIONS)
            u->mention[u->n_mentions++] = (struct sender){.handle = str_skip(w, 1)};
}

static void stage_type(struct stage *s, const char *who, const char *room, bool direct, const char *text)
{
    struct str typed = str_of(text);
    const char *at = strstr(text, "<code>");
    if (at) /* the newest one */
        typed = arena_print(s->arena, "%.*s%s%s", (int)(at - text), text, s->code, at + 6);
    struct update u = {.kind = UPDATE_TEXT, .text = keep(typed)};
    fill(s, who, room, direct, &u);
    u.said = STR("words");
    mentions(&u);
    take(s, &u);
}

static bool sees(const struct said *said, const char *who)
{
    if (said->account != is_far(who) || said->dropped || said->out.kind != OUT_POST)
        return false;
    if (said->out.where == TO_CHAT && !str_starts(said->out.chat, STR("dm-")))
        return true;
    return str_is(said->out.to, str_of(who)) ||
           (str_starts(said->out.chat, STR("dm-")) && str_is(str_skip(said->out.chat, 3), str_of(who)));
}

static bool stage_press(struct stage *s, const char *who, const char *label)
{
    for (int i = s->n_said - 1; i >= 0; i--) {
        const struct outgoing *o = &s->said[i].out;
        for (int b = 0; sees(&s->said[i], who) && b < o->n_buttons; b++) {
            if (!str_starts(o->buttons[b].label, str_of(label)))
                continue;
            bool direct = o->where == TO_DIRECT || str_starts(o->chat, STR("dm-"));
            struct update u = {.kind = UPDATE_PRESS, .text = o->buttons[b].data};
            fill(s, who, direct ? "" : arena_print(s->arena, "%.*s", STR_ARG(o->chat)).p, direct, &u);
            u.press = arena_print(s->arena, "press%d", s->updates);
            s->last_press = u;
            take(s, &u);
            return true;
        }
    }
    return false;
}

static bool stage_react(struct stage *s, const char *who, bool before, const char *number)
{
    const char *newest = NULL;
    for (int i = s->n_said - 1; i >= 0; i--) {
        const struct said *said = &s->said[i];
        bool own = said->out.where == TO_DIRECT || str_starts(said->out.chat, STR("dm-"));
        if (!sees(said, who) || !own || (newest && strcmp(newest, said->post) == 0))
            continue;
        if (before && !newest) {
            newest = said->post;
            continue;
        }
        struct update u = {.kind = UPDATE_TEXT, .reacted = true, .text = keep(str_of(number))};
        fill(s, who, "", true, &u);
        u.post = str_of(said->post);
        take(s, &u);
        return true;
    }
    return false;
}

static void stage_ask(struct stage *s, const char *who, const char *text)
{
    struct update u = {.kind = UPDATE_QUERY, .text = keep(str_of(text))};
    fill(s, who, "tea", false, &u);
    u.press = arena_print(s->arena, "query%d", s->updates);
    take(s, &u);
}

static bool stage_say(struct stage *s, const char *who, const char *title, bool told)
{
    const struct article *found = NULL;
    for (int i = s->n_said - 1; i >= 0 && !found; i--)
        for (int k = 0; k < s->said[i].out.n_articles && !found; k++)
            if (str_is(s->said[i].out.to, str_of(who)) &&
                str_starts(s->said[i].out.articles[k].title, str_of(title)))
                found = &s->said[i].out.articles[k];
    if (!found)
        return false;
    struct said *said = &s->said[s->n_said++];
    *said = (struct said){.out = {.kind = OUT_POST, .where = TO_CHAT, .chat = STR("tea"), .text = found->text}};
    said->out.buttons = arena_new(s->arena, struct button);
    said->out.n_buttons = found->label.n > 0;
    said->out.buttons[0] = (struct button){.label = found->label, .data = found->id};
    struct update u = {.kind = UPDATE_PRESS, .text = found->id};
    fill(s, who, "tea", false, &u);
    if (told)
        take(s, &u);
    return true;
}

static void stage_press_again(struct stage *s, bool same_update)
{
    struct update u = s->last_press;
    if (!same_update) {
        u.id = arena_print(s->arena, "u%d", ++s->updates);
        u.press = arena_print(s->arena, "press%d", s->updates);
    }
    take(s, &u);
}

static void stage_forge(struct stage *s, const char *who, const char *data)
{
    struct update u = {.kind = UPDATE_PRESS, .text = keep(str_of(data))};
    fill(s, who, "tea", false, &u);
    u.press = arena_print(s->arena, "press%d", s->updates);
    take(s, &u);
}

static void stage_bot(struct stage *s, const char *what, const char *room)
{
    struct update u = {.kind = UPDATE_RIGHTS};
    if (strcmp(what, "joins") == 0 || strcmp(what, "leaves") == 0)
        u.kind = what[0] == 'j' ? UPDATE_JOINED : UPDATE_LEFT;
    else if (strcmp(what, "deaf") == 0)
        u.text = STR("encrypted");
    else if (strcmp(what, "rights") != 0)
        abort();
    fill(s, "", room, false, &u);
    u.from = u.text.n > 0 ? sender_of("alice") : (struct sender){0}; /* who has invited it */
    take_on(s, strcmp(room, "isle") == 0, &u);
}

static void stage_unreachable(struct stage *s, const char *who)
{
    struct err err = {"?"};
    for (int i = s->n_said - 1; i >= 0; i--)
        if (s->said[i].out.where != TO_CHAT && str_is(s->said[i].out.to, str_of(who))) {
            struct receipt r = {.kind = NEVER, .why = NEVER_UNREACHABLE};
            must(store_begin(s->store, &err), &err);
            must(inbox_never(s->inbox, &s->accounts[s->said[i].account], &s->said[i].out, &r, &err), &err);
            must(store_commit(s->store, &err), &err);
            return;
        }
    abort();
}

static void stage_wait(struct stage *s, int64_t ms)
{
    int64_t end = s->now + ms, due;
    struct err err = {"?"};
    struct ids ids;
    for (;;) {
        must(store_soonest_due(s->store, &due, &err), &err);
        if (due == 0 || due > end)
            break;
        s->now = due > s->now ? due : s->now;
        must(store_due(s->store, s->arena, s->now, 1, &ids, &err), &err);
        must(store_begin(s->store, &err), &err);
        must(inbox_clock(s->inbox, ids.at[0], &err), &err);
        must(store_commit(s->store, &err), &err);
        jobs_run(s);
    }
    s->now = end;
}

static void stage_away(struct stage *s, int64_t ms)
{
    struct err err = {"?"};
    struct ids chats;
    s->now += ms;
    stage_restart(s);
    must(store_live_chats(s->store, s->arena, 0, 100, &chats, &err), &err);
    for (int i = 0; i < chats.n; i++) {
        must(store_begin(s->store, &err), &err);
        must(inbox_away(s->inbox, chats.at[i], ms, &err), &err);
        must(store_commit(s->store, &err), &err);
    }
    jobs_run(s);
}

static void stage_moves(struct stage *s, const char *room, const char *new_key)
{
    struct update u = {.kind = UPDATE_MOVED, .text = keep(str_of(new_key))};
    fill(s, "", room, false, &u);
    u.from = u.text.n > 0 ? sender_of("alice") : (struct sender){0}; /* who has invited it */
    take_on(s, strcmp(room, "isle") == 0, &u);
}

static void stage_speaks(struct stage *s, const char *language)
{
    struct str path = scratch_file("texts");
    if (s->texts_dir.n == 0) {
        s->texts_dir = keep(path);
        (void)mkdir(s->texts_dir.p, 0700);
    }
    if (!catalogue_make(language, s->texts_dir.p)) {
        fprintf(stderr, "stage: there is no tests/golden/texts/%s.json\n", language);
        abort();
    }
    stage_restart(s);
}

static void stage_admin(struct stage *s, const char *who) { snprintf(s->admin, sizeof s->admin, "%s", who); }

static bool stage_session(struct stage *s, struct session *ret)
{
    struct err err = {"?"};
    struct session_row row;
    bool found = true;
    for (int64_t id = 64; id > 0; id--) {
        must(store_session(s->store, s->arena, id, &row, &found, &err), &err);
        if (!found || !row.live)
            continue;
        const char *wrong = session_read(row.line, &s->made, ret);
        if (wrong) {
            fprintf(stderr, "session %lld: %s\n", (long long)id, wrong);
            abort();
        }
        ret->no = id;
        return true;
    }
    return false;
}

static bool stage_auto(struct stage *s, bool koikoi)
{
    struct session game;
    struct ruleset g;
    struct move legal[MAX_MOVES];
    struct str hex;
    struct seed key;
    struct err err = {"?"};
    if (!stage_session(s, &game) || session_turn(&game) < 0)
        return false;
    int seat = session_turn(&game), pick = 0;
    ruleset_make(&game.rules, &g);
    int n = round_legal(&g, &game.match.round, seat, legal);
    for (int i = 0; i < n; i++) {
        bool stops = legal[i].kind == MOVE_STOP && !koikoi, goes = legal[i].kind == MOVE_KOIKOI && koikoi;
        if (stops || goes || (legal[pick].take == 0 && legal[i].take != 0))
            pick = i;
    }
    must(store_meta(s->store, s->arena, STR("press_key"), &hex, &err), &err);
    bool good = chance_read_seed(hex, &key);
    assert(good);
    (void)good;
    struct update u = {.kind = UPDATE_PRESS};
    u.text = press_write(key.at, (struct press){VERB_MOVE, game.no, game.version, pick}, s->arena);
    const struct venue *v = session_venue(&game, game.player[seat].venue);
    fill(s, game.player[seat].id, v->chat_key, v->direct, &u);
    u.press = arena_print(s->arena, "press%d", s->updates);
    s->last_press = u;
    take(s, &u);
    return true;
}

static void stage_deal(struct stage *s, int round, int attempt, const char *cards)
{
    assert(s->n_deals < MAX_DEALS);
    struct deal *d = &s->deals[s->n_deals++];
    d->round = round;
    d->attempt = attempt;
    snprintf(d->cards, sizeof d->cards, "%s", cards);
}

static int stage_said(struct stage *s, const struct said **ret)
{
    *ret = &s->said[s->n_heard];
    return s->n_said - s->n_heard;
}

static void stage_heard(struct stage *s)
{
    s->n_heard = s->n_said;
    if (s->n_said > STAGE_SAID * 14) {                  /* old messages are forgotten */
        int keep_n = STAGE_SAID * 4, from = s->n_said - keep_n;
        memmove(s->said, s->said + from, sizeof *s->said * (size_t)keep_n);
        s->n_said = s->n_heard = keep_n;
    }
}

#endif
