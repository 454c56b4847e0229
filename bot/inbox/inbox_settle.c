/* Runs the core on an event and carries out its effects: stores sessions and records, adds scores,
 * pushes messages, starts the computer. All inside the caller's transaction. */
#include "inbox_features.h"

#include "character.h"
#include "match_review_make.h"
#include "record.h"
#include "record_rounds.h"
#include "search.h"

#include <assert.h>

/* ---- storing ---- */

static void save(struct turn *t, struct effects *fx, struct session *s)
{
    struct session_row row;
    turn_row(t, s, &row);
    if (s->no > 0)
        changed_note(t->in, s->no);
    if (s->no == 0) {
        row.version = 1;
        int64_t no = store_new_session(t->store, &row);
        if (store_failed(t->store))
            return; /* the core knows no session of number 0 */
        effects_number(fx, s, no);
        changed_note(t->in, no);
        session_cache_put(t->in->session_cache, no, row.line, s);
        return;
    }
    int i = 0;
    while (i < t->n_rows && t->row[i]->no != s->no)
        i++;
    assert(i < t->n_rows);
    row.version = t->row_version[i] + 1;
    store_save(t->store, &row, t->row_version[i]);
    session_cache_put(t->in->session_cache, row.id, row.line, s);
    if (row.live || !session_live(t->row[i]) || store_failed(t->store))
        return;
    /* it ends */
    if (t->row[i]->phase == SESSION_PLAYING) {
        static const char *const how[N_ENDS] = {"",          "played",  "declined",
                                                "cancelled", "expired", "abandoned"};
        t->in->counts.finished++;
        turn_log(t, "match_ended", s, "how", how[s->end]);
    }
    turn_push_job(t, &(struct job){.session = s->no}); /* its waiter is gone */
    for (int p = 0; s->end == END_PLAYED && p < s->players; p++)
        if (s->player[p].person)
            store_set_last_of_person(t->store, s->player[p].person, s->no);
}

/* By seat, as records write them. */
static void record_names(const struct session *s, struct str ret[static MAX_PLAYERS])
{
    for (int i = 0; i < s->players; i++) {
        const struct player *p = &s->player[i];
        ret[i] = p->character  ? str_of(characters[p->character].key)
                 : p->computer ? STR("computer")
                               : str_of(p->name);
    }
}

/* The match begins with the lines of another one. */
static void record_save_begun(struct turn *t, const struct effects *fx,
                              const struct record_effect *r)
{
    const struct session *s = r->after;
    struct record_begun begun = {.from = s->from.match,
                                 .lines = r->lines,
                                 .anew = r->anew,
                                 .deal_seed = &s->deal_seed,
                                 .deck = s->match.round.deck,
                                 .next = s->match.round.next};
    struct str record = store_record(t->store, t->arena, s->from.match);
    size_t room = record.n + RECORD_STEP_MAX;
    struct buf b = {arena_room(t->arena, room), 0, room, false};
    record_names(s, begun.names);
    for (int i = 0; i < s->players; i++)
        begun.joined[i] = s->player[i].seat_joined;
    t->in->counts.begun++;
    turn_log(t, "match_begun", fx->save[r->session], "rules", s->rules.name);
    if (store_failed(t->store))
        return;
    bool good = record_begin(&b, record, &begun);
    assert(good && !b.cut); /* the same record gave the position */
    (void)good;
    store_append_record(t->store, fx->save[r->session]->no, buf_str(&b));
}

static void record_save(struct turn *t, const struct effects *fx, const struct record_effect *r)
{
    enum { RECORD_BYTES = 64 * 1024 };
    struct buf b = {arena_room(t->arena, RECORD_BYTES), 0, RECORD_BYTES, false};
    const struct session *was = r->before, *is = r->after;
    struct record_deal deal = {.round = was->match.round_no,
                               .attempt = was->match.attempt,
                               .dealer = was->match.dealer,
                               .players = was->players,
                               .seed = was->deal_seed,
                               .deck = r->kind == RECORD_DEAL ? r->deck : is->match.round.deck};
    for (int i = 0; i < was->players; i++)
        deal.clients[i] = str_of(was->player[i].seed);
    deal.beacon = (struct record_beacon){str_of(was->beacon.url), was->beacon.deal,
                                         str_of(was->beacon.value)};
    struct record_head head = {
        .id = str_of(is->id), .rules = &is->rules, .players = is->players, .seed = is->lots_seed};
    switch ((enum record_kind)r->kind) {
    case RECORD_MATCH:
        t->in->counts.begun++;
        turn_log(t, "match_begun", fx->save[r->session], "rules", is->rules.name);
        head.seats.dealer = is->match.dealer;
        head.seats.has_lots = is->rules.first_dealer == FIRST_LOTS;
        record_names(is, head.names);
        for (int i = 0; i < is->players; i++) {
            const struct player *p = &is->player[i];
            head.seats.joined[i] = p->seat_joined;
            head.seats.lots[i] = p->lot;
            head.clients[p->seat_joined] = str_of(p->seed);
        }
        record_match(&b, &head);
        break;
    case RECORD_DEAL:
        record_deal(&b, &was->rules, &deal);
        break;
    case RECORD_FROM:
        record_save_begun(t, fx, r);
        return;
    case RECORD_LOG:
        record_log(&b, &is->match, &deal, &r->log, is->left_timeout ? LEAVE_TIMEOUT : LEAVE_RESIGN,
                   was->move.hinted);
        break;
    }
    assert(!b.cut);
    store_append_record(t->store, fx->save[r->session]->no, buf_str(&b));
}

/* ---- the computer ---- */

struct think {
    struct view view;
    uint64_t seed;
    uint32_t visits;
    uint8_t level;
};

/* The more sessions wait, the fewer playouts each gets. The number of playouts decides, so that the
 * answer is reproducible; the time limit is the last resort on a slow machine. */
static void think(struct str input, const struct job_pace *pace, struct buf *ret)
{
    struct think job;
    struct advice advice;
    char note[NOTATION_MOVE_MAX];
    assert(input.n == sizeof job);
    memcpy(&job, input.p, sizeof job);
    uint32_t visits = job.visits / (uint32_t)pace->crowd;
    struct budget b = {.visits = visits ? visits : 1, .spent = pace->spent, .arg = pace->arg};
    search(&job.view, (enum level)job.level, &b, job.seed, &advice);
    notation_move(advice.move, note);
    buf_put(ret, str_of(note));
}

static void job_push(struct turn *t, const struct effects *fx)
{
    enum { USUAL_MS = 300 }; /* for the number of playouts that is a level's own */
    const struct job_effect *ask = fx->job;
    struct job job = {.tag = ask->kind, .session = ask->no, .version = ask->version};
    if (ask->kind == JOB_BEACON) {
        beacon_client_want(t->in->parts.beacon, ask->no, ask->version, ask->round);
        return;
    }
    if (ask->kind == JOB_HINT) {
        struct hint_ask *hint = arena_new(t->arena, struct hint_ask);
        hint->view = *ask->view;
        hint->seed = ask->seed;
        job.run = match_review_hint_job;
        job.input = (struct str){(const char *)hint, sizeof *hint};
    } else if (ask->kind == JOB_REVIEW) {
        struct str record = store_record(t->store, t->arena, ask->no);
        if (store_failed(t->store))
            return;
        review_cache_ask(t->in->review_cache, ask->no, t->event.now);
        job.run = match_review_job;
        job.patient = true;
        job.input = record.n <= JOB_BYTES ? record : (struct str){0};
    } else {
        struct think *move = arena_new(t->arena, struct think);
        int64_t ms = t->in->parts.think_ms;
        int64_t visits = level_visits((enum level)ask->level) * ms / USUAL_MS;
        move->view = *ask->view;
        move->seed = ask->seed;
        move->level = ask->level;
        move->visits = (uint32_t)(visits ? visits : 1);
        job.run = think;
        job.session = fx->save[ask->session]->no;
        job.input = (struct str){(const char *)move, sizeof *move};
        job.ms = (int)ms;
    }
    turn_push_job(t, &job);
}

/* ---- effects ---- */

/* The store has the hash of a ticket, so that a copy of the store opens no seat. */
static void settle_ticket(struct turn *t, const struct seed *ticket)
{
    enum { TICKET_MS = 10 * 60 * 1000 };
    char hash[SEED_HEX_SIZE];
    chance_commit(ticket, hash);
    store_put_login(t->store, &(struct login){.hash = str_of(hash),
                                              .ticket = true,
                                              .account = t->account->id,
                                              .network_id = t->event.from.id,
                                              .until = t->event.now + TICKET_MS});
}

static void carry_out(struct turn *t, struct effects *fx)
{
    char line[512];
    struct buf b = BUF(line);
    for (int i = 0; i < fx->n_saves && !store_failed(t->store); i++)
        save(t, fx, fx->save[i]);
    if (store_failed(t->store))
        return;
    for (int i = 0; i < fx->n_records && !store_failed(t->store); i++)
        record_save(t, fx, &fx->record[i]);
    for (int i = 0; inbox_features[i] && !store_failed(t->store); i++)
        if (inbox_features[i]->settle)
            inbox_features[i]->settle(t, fx);
    if (fx->chat) {
        store_set_settings(t->store, t->chat.id, chat_settings_write(fx->chat, &b));
        changed_note(t->in, 0);
        for (int i = 0; inbox_features[i]; i++) {
            if (inbox_features[i]->follow)
                inbox_features[i]->follow(t, fx->chat);
            if (inbox_features[i]->daily)
                daily_follow_settings(t, inbox_features[i]->daily, fx->chat);
        }
    }
    if (fx->prefs) {
        char prefs[PREFS_LINE];
        struct buf p = BUF(prefs);
        store_set_prefs(t->store, t->me.who, person_prefs_write(fx->prefs, &p));
    }
    if (fx->link)
        settle_link(t, fx->link);
    if (fx->link || fx->forget || fx->operates)
        t->in->changed.links = true;
    if (fx->ticket)
        settle_ticket(t, fx->ticket);
    if (fx->window.n > 0)
        store_confirm_login(t->store, t->account->id, t->event.from.id, fx->window,
                            t->event.now + WINDOW_MS);
    if (fx->widget)
        turn_ask(t, OUT_WIDGET, fx->widget == WIDGET_SHOWN ? t->in->pages : STR(""));
    if (fx->forget)
        settle_forget(t);
    if (fx->job && !store_failed(t->store))
        job_push(t, fx);
}

/* True if message i stands at the bottom of its chat: it replaces none, or one that goes before. */
static bool is_new_message(const struct message *out, int i)
{
    const struct outgoing *o = &out[i].out;
    if (o->kind != OUT_POST || o->where != TO_CHAT || o->replace_only)
        return false;
    return o->slot.n == 0 || o->aside || o->named ||
           (i > 0 && out[i - 1].out.kind == OUT_ERASE && str_is(out[i - 1].out.slot, o->slot));
}

void settle_event(struct turn *t)
{
    struct effects *fx = arena_new(t->arena, struct effects);
    fx->arena = t->arena;
    if (store_failed(t->store))
        return;
    enum verdict verdict = bot_step(&t->world, &t->event, fx);
    t->taken = verdict == TAKEN;
    if (verdict == IGNORED && fx->n_saves == 0 && fx->n_notices == 0 && !t->event.pressed)
        return;
    carry_out(t, fx);
    for (int i = 0; i < fx->n_notices; i++)
        if (fx->notice[i]->kind == NOTICE_MATCH) { /* with the rounds, the last one included */
            struct notice *ended = fx->notice[i];
            struct str record = store_record(t->store, t->arena, ended->table->no);
            ended->rounds.n = record_rounds_read(t->arena, record, &ended->rounds.at);
        }
    if (store_failed(t->store))
        return;
    if (t->in->match == 0)
        t->in->match = fx->n_saves > 0 ? fx->save[0]->no : t->event.no;
    int n_networks = t->in->parts.n_accounts;
    struct network *network = arena_array(t->arena, struct network, (size_t)n_networks);
    for (int i = 0; i < n_networks; i++) {
        const struct account *a = &t->in->parts.accounts[i];
        uint32_t popup = t->page && a == t->account ? CAN_POPUP : 0;
        network[i] = (struct network){.account = a->id,
                                      .can = account_can(a, STR("")) | popup,
                                      .limits = a->limits,
                                      .key = t->in->key};
        if (!a->adapter->self ||
            !a->adapter->self(a->state, t->arena, &network[i].name, &network[i].link))
            network[i].name = network[i].link = STR("");
    }
    const struct networks networks = {n_networks, network};
    struct message *out = (void *)arena_room(t->arena, MAX_OUTGOING * sizeof *out);
    int n = present(&t->world, &t->event, fx, &networks, out);
    for (int i = 0; i < n && !store_failed(t->store); i++) {
        if (t->page && out[i].out.kind == OUT_ANSWER) {
            popup_keep(t->in, t->event.press, out[i].out.text);
            continue;
        }
        if (is_new_message(out, i))
            turn_note_said(t, out[i].account, out[i].out.chat);
        outbox_push(t->in->parts.outbox, turn_account(t->in, out[i].account), &out[i].out);
    }
    for (int i = 0; i < fx->n_saves; i++)
        if (!session_live(fx->save[i])) {
            for (int k = 0; inbox_features[k]; k++) {
                struct turn *next =
                    inbox_features[k]->ended ? inbox_features[k]->ended(t, fx->save[i]) : NULL;
                if (next)
                    settle_event(next);
            }
        }
}
