/* The core takes an event, and what it says shall follow is done: sessions and records stored,
 * scores added, messages pushed, the computer set to think. All of it inside the caller's
 * transaction. */
#include "inbox_parts.h"

#include "character.h"
#include "record.h"
#include "lesson_make.h"
#include "notebook.h"
#include "search.h"

#include <assert.h>

/* ---- storing ---- */

void settle_row(struct taking *t, const struct session *s, struct session_row *ret)
{
    struct buf line = {arena_room(t->in->turn, SESSION_LINE), 0, SESSION_LINE, false};
    *ret = (struct session_row){.id = s->no,
                                .due = s->due,
                                .live = session_live(s),
                                .n_chats = 1 + s->n_more,
                                .line = session_write(s, &line)};
    for (int i = 0; i < ret->n_chats; i++)
        ret->chat[i] = session_venue(s, i)->chat;
    for (int i = 0; i < s->players; i++) {
        int64_t person = s->player[i].person;
        bool listed = person == 0;
        for (int j = 0; j < ret->n_people; j++)
            listed |= ret->person[j] == person;
        if (!listed)
            ret->person[ret->n_people++] = person;
    }
}

static bool save(struct taking *t, struct effects *fx, struct session *s)
{
    struct session_row row;
    settle_row(t, s, &row);
    if (s->no == 0) {
        row.version = 1;
        if (!store_new_session(t->in->parts.store, &row, t->err))
            return false;
        effects_number(fx, s, row.id);
        recall_keep(t->in->recall, row.id, row.line, s);
        return true;
    }
    int i = 0;
    while (i < t->n_rows && t->row[i]->no != s->no)
        i++;
    assert(i < t->n_rows);
    row.version = t->row_version[i] + 1;
    if (!row.live && session_live(t->row[i]))
        work_push(t->in->parts.work, &(struct job){.session = s->no}); /* nobody waits */
    recall_keep(t->in->recall, row.id, row.line, s);
    return store_save(t->in->parts.store, &row, t->row_version[i], t->err);
}

static void head_of(const struct session *s, struct record_head *h)
{
    *h = (struct record_head){
        .id = str_of(s->id), .rules = &s->rules, .players = s->players, .seed = s->lots_seed};
    h->seats.dealer = s->match.dealer;
    h->seats.has_lots = s->rules.first_dealer == FIRST_LOTS;
    for (int i = 0; i < s->players; i++) {
        const struct player *p = &s->player[i];
        h->names[i] = p->character  ? str_of(characters[p->character].key)
                      : p->computer ? str_of("computer")
                                    : str_of(p->name);
        h->seats.joined[i] = p->seat_joined;
        h->seats.lots[i] = p->lot;
        h->clients[p->seat_joined] = str_of(p->seed);
    }
}

static bool record_save(struct taking *t, const struct effects *fx, const struct record_effect *r)
{
    enum { RECORD_BYTES = 64 * 1024 };
    struct buf b = {arena_room(t->in->turn, RECORD_BYTES), 0, RECORD_BYTES, false};
    const struct session *was = r->before, *is = r->after;
    struct record_deal deal = {.round = was->match.round_no,
                               .attempt = was->match.attempt,
                               .dealer = was->match.dealer,
                               .players = was->players,
                               .seed = was->deal_seed,
                               .deck = r->kind == RECORD_DEAL ? r->deck : is->match.round.deck};
    for (int i = 0; i < was->players; i++)
        deal.clients[i] = str_of(was->player[i].seed);
    struct record_head head;
    switch ((enum record_kind)r->kind) {
    case RECORD_MATCH:
        head_of(is, &head);
        record_match(&b, &head);
        break;
    case RECORD_DEAL:
        record_deal(&b, &was->rules, &deal);
        break;
    case RECORD_LOG:
        record_log(&b, &is->match, &deal, &r->log, is->left_timeout ? LEAVE_TIMEOUT : LEAVE_RESIGN,
                   was->hinted);
        break;
    }
    assert(!b.cut);
    return store_append_record(t->in->parts.store, fx->save[r->session]->no, buf_str(&b), t->err);
}

/* ---- the computer ---- */

struct think {
    struct view view;
    uint64_t seed;
    uint32_t visits;
    uint8_t level;
};

/* While others wait each gets the less, so that all are answered. The number of playouts decides,
 * which makes the answer the same whenever it is asked for; time is only the last resort of a slow
 * machine. */
static void think(struct str input, const struct job_pace *pace, struct buf *ret)
{
    struct think job;
    struct advice advice;
    char note[NOTE_MOVE_MAX];
    assert(input.n == sizeof job);
    memcpy(&job, input.p, sizeof job);
    uint32_t visits = job.visits / (uint32_t)pace->crowd;
    struct budget b = {.visits = visits ? visits : 1, .spent = pace->spent, .arg = pace->arg};
    search(&job.view, (enum level)job.level, &b, job.seed, &advice);
    note_move(advice.move, note);
    buf_put(ret, str_of(note));
}

static void move_push(struct taking *t, const struct effects *fx)
{
    enum { USUAL_MS = 300 }; /* for the number of playouts that is a level's own */
    struct think *job = arena_new(t->in->turn, struct think);
    int64_t ms = t->in->parts.think_ms;
    int64_t visits = level_visits((enum level)fx->job.level) * ms / USUAL_MS;
    job->view = *fx->job.view;
    job->seed = fx->job.seed;
    job->level = fx->job.level;
    job->visits = (uint32_t)(visits ? visits : 1);
    work_push(t->in->parts.work, &(struct job){.run = think,
                                               .tag = JOB_MOVE,
                                               .session = fx->save[fx->job.session]->no,
                                               .version = fx->job.version,
                                               .input = {(const char *)job, sizeof *job},
                                               .ms = (int)ms});
}

static void hint_push(struct taking *t, const struct job_effect *fx)
{
    struct hint_ask *ask = arena_new(t->in->turn, struct hint_ask);
    ask->view = *fx->view;
    ask->seed = fx->seed;
    work_push(t->in->parts.work, &(struct job){.run = lesson_hint_job,
                                               .tag = JOB_HINT,
                                               .session = fx->no,
                                               .version = fx->version,
                                               .input = {(const char *)ask, sizeof *ask}});
}

static bool lesson_push(struct taking *t, const struct job_effect *fx)
{
    struct str record;
    if (!store_record(t->in->parts.store, t->in->turn, fx->no, &record, t->err))
        return false;
    lessons_ask(&t->in->lessons, fx->no, t->event.now);
    work_push(t->in->parts.work,
              &(struct job){.run = lesson_job,
                            .tag = JOB_LESSON,
                            .session = fx->no,
                            .version = fx->version,
                            .patient = true,
                            .input = record.n <= JOB_BYTES ? record : (struct str){0}});
    return true;
}

static bool think_push(struct taking *t, const struct effects *fx)
{
    switch ((enum job_kind)fx->job.kind) {
    case JOB_HINT:
        hint_push(t, &fx->job);
        return true;
    case JOB_LESSON:
        return lesson_push(t, &fx->job);
    case JOB_MOVE:
        break;
    }
    move_push(t, fx);
    return true;
}

/* ---- all that follows ---- */

static bool place_of(struct taking *t, const struct result_effect *r, int64_t person, int64_t *ret)
{
    struct standing own;
    bool found;
    if (!store_standing(t->in->parts.store, t->in->turn, r->chat, str_of(r->season.text), person,
                        &own, &found, t->err))
        return false;
    *ret = found ? own.place : 0;
    return true;
}

/* A result moves the places of all: they are looked at before the first is added and after the
 * last. */
static bool add_results(struct taking *t, struct effects *fx)
{
    struct store *store = t->in->parts.store;
    struct person who[MAX_RESULTS];
    for (int i = 0; i < fx->n_results; i++) {
        struct result_effect *r = &fx->result[i];
        const struct sender from = {.id = r->who.id};
        if (!store_person(store, t->in->turn, r->who.account, &from, &who[i], t->err) ||
            !place_of(t, r, who[i].who, &r->was))
            return false;
    }
    for (int i = 0; i < fx->n_results; i++) {
        const struct result_effect *r = &fx->result[i];
        const struct tally add = {r->won, r->drawn, r->lost, r->points};
        if (!store_add_result(store, r->chat, str_of(r->season.text), who[i].id, add, t->err))
            return false;
        for (size_t k = 0; k < sizeof r->also / sizeof *r->also; k++)
            if (!store_add_result(store, r->chat, str_of(r->also[k].text), who[i].id, add, t->err))
                return false;
    }
    for (int i = 0; i < fx->n_results; i++)
        if (!place_of(t, &fx->result[i], who[i].who, &fx->result[i].place))
            return false;
    return true;
}

static struct places *places_of(struct taking *t)
{
    struct places *ret = arena_new(t->in->turn, struct places);
    int n = t->in->parts.n_accounts;
    struct place *at = arena_array(t->in->turn, struct place, (size_t)n);
    for (int i = 0; i < n; i++) {
        const struct account *a = &t->in->parts.accounts[i];
        at[i] = (struct place){a->id, account_can(a, STR("")), a->limits, t->in->key};
    }
    *ret = (struct places){n, at};
    return ret;
}

static bool carry_out(struct taking *t, struct effects *fx)
{
    struct store *store = t->in->parts.store;
    for (int i = 0; i < fx->n_saves; i++)
        if (!save(t, fx, fx->save[i]))
            return false;
    for (int i = 0; i < fx->n_records; i++)
        if (!record_save(t, fx, &fx->record[i]))
            return false;
    if (!add_results(t, fx))
        return false;
    if (fx->set_chat) {
        char line[512];
        struct buf b = BUF(line);
        if (!store_set_settings(store, t->chat.id, chat_settings_write(&fx->chat, &b), t->err))
            return false;
    }
    if (fx->set_prefs && !store_set_prefs(store, t->me.who, str_of(fx->prefs.language), t->err))
        return false;
    if (!settle_link(t, &fx->link))
        return false;
    return !fx->think || think_push(t, fx);
}

/* Who tells of the end of a match has its rounds at hand, the last one too. */
static bool notebooks(struct taking *t, struct effects *fx)
{
    struct str record;
    for (int i = 0; i < fx->n_says; i++) {
        struct say *say = fx->say[i];
        if (say->kind != SAY_MATCH)
            continue;
        if (!store_record(t->in->parts.store, t->in->turn, say->table->no, &record, t->err))
            return false;
        say->n_notes = notebook_read(t->in->turn, record, &say->notes);
    }
    return true;
}

bool settle_event(struct taking *t)
{
    struct effects *fx = arena_new(t->in->turn, struct effects);
    fx->arena = t->in->turn;
    if (bot_step(&t->world, &t->event, fx) == IGNORED && fx->n_saves == 0 && fx->n_says == 0 &&
        !t->event.pressed)
        return true;
    if (!carry_out(t, fx) || !notebooks(t, fx))
        return false;
    struct letter *out = (void *)arena_room(t->in->turn, MAX_OUTGOING * sizeof *out);
    int n = present(&t->world, &t->event, fx, places_of(t), out);
    for (int i = 0; i < n; i++)
        if (!outbox_push(t->in->parts.outbox, account_by_id(t->in, out[i].account), &out[i].out,
                         t->err))
            return false;
    return true;
}
