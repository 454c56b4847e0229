/* See inbox.h. One path for everything: an event is made, the facts it needs are fetched, bot_step says
 * what follows, and all of it is stored, pushed and asked for inside the caller's transaction. */
#include "inbox.h"

#include "log.h"
#include "menu.h"
#include "notebook.h"
#include "present.h"
#include "record.h"
#include "ruleset_file.h"
#include "search.h"
#include "texts.h"
#include "zone.h"

#include <assert.h>

enum { TURN_BYTES = 32 * 1024 * 1024, MAX_PRESETS = 32, MAX_NOTES = 60, BOARD_ROWS = 10 };

struct inbox {
    struct inbox_parts parts;
    struct arena *process, *turn;
    struct languages languages;
    int n_presets;
    struct rules presets[MAX_PRESETS];
    struct made made;             /* tables of the rule sets that are played */
    uint8_t key[PRESS_KEY_BYTES]; /* of button data */
};

/* What one event needs while it is taken. */
struct taking {
    struct inbox *in;
    const struct account *account;
    struct event event;
    struct world world;
    struct person me;
    struct chat chat;
    int64_t
        row_version[2 * MAX_CANDIDATES + 2]; /* of the sessions that were read, by place in `row` */
    const struct session *row[2 * MAX_CANDIDATES + 2];
    int n_rows;
    struct err *err;
};

/* ---- opening ---- */

static bool key_load(struct inbox *in, struct err *err)
{
    struct str saved;
    struct seed seed;
    if (!store_meta(in->parts.store, in->process, STR("press_key"), &saved, err))
        return false;
    if (saved.n == 0) {
        char hex[SEED_HEX_SIZE];
        in->parts.clock->chance(in->parts.clock->arg, seed.at, sizeof seed.at);
        chance_hex(&seed, hex);
        if (!store_set_meta(in->parts.store, STR("press_key"), str_of(hex), err))
            return false;
    } else if (!chance_read_seed(saved, &seed)) {
        return err_set(err, "the store's press_key is damaged");
    }
    memcpy(in->key, seed.at, sizeof in->key);
    return true;
}

static bool presets_load(struct inbox *in, struct err *err)
{
    char names[MAX_PRESETS][RULES_NAME_SIZE];
    int n = ruleset_file_names(in->parts.rules_dir, MAX_PRESETS, names);
    bool found = false;
    for (int i = 0; i < n; i++) {
        if (!ruleset_file_find(in->parts.rules_dir, str_of(names[i]), &in->presets[i], err))
            return false;
        found |= str_is(str_of(names[i]), in->parts.default_rules);
    }
    in->n_presets = n;
    return found || err_set(err, "there is no rule set \"%.*s\"", STR_ARG(in->parts.default_rules));
}

static void tell_menu(struct inbox *in)
{
    const struct menu_entry *menu;
    int n = menu_of(&in->languages, in->process, &menu);
    for (int i = 0; i < in->parts.n_accounts; i++)
        if (in->parts.accounts[i].adapter->menu)
            in->parts.accounts[i].adapter->menu(in->parts.accounts[i].state, menu, n);
}

bool inbox_open(const struct inbox_parts *parts, struct inbox **ret, struct err *err)
{
    struct arena *process = arena_open(TURN_BYTES);
    struct inbox *in = arena_new(process, struct inbox);
    in->parts = *parts;
    in->process = process;
    in->turn = arena_open(TURN_BYTES);
    if (!texts_load(parts->texts_dir, parts->default_language, process, &in->languages, err) ||
        !presets_load(in, err) || !key_load(in, err)) {
        inbox_close(in);
        return false;
    }
    tell_menu(in);
    *ret = in;
    return true;
}

void inbox_close(struct inbox *in)
{
    if (!in)
        return;
    arena_close(in->turn);
    arena_close(in->process);
}

/* ---- facts ---- */

static struct taking *begin(struct inbox *in, const struct account *account, struct err *err)
{
    arena_reset(in->turn);
    struct taking *t = arena_new(in->turn, struct taking);
    t->in = in;
    t->account = account;
    t->err = err;
    t->event.account = account->name;
    t->event.version = t->event.index = -1;
    t->event.now = clock_now(in->parts.clock);
    in->parts.clock->chance(in->parts.clock->arg, t->event.chance, sizeof t->event.chance);
    t->world = (struct world){.languages = &in->languages,
                              .n_presets = in->n_presets,
                              .presets = in->presets,
                              .made = &in->made,
                              .default_rules = in->parts.default_rules,
                              .default_language = in->parts.default_language,
                              .can = account->can,
                              .zone_ok = true};
    chat_settings_default(&t->world.settings);
    return t;
}

/* A chat that has moved keeps its id and has a new key; the session follows it. */
static bool follow_chat(struct taking *t, const struct session_row *row, struct session *s)
{
    struct chat chat = t->chat;
    bool found = true;
    if (row->n_chats == 0)
        return true;
    if (row->chat[0] != t->chat.id &&
        !store_chat_by_id(t->in->parts.store, t->in->turn, row->chat[0], &chat, &found, t->err))
        return false;
    if (found && chat.key.n < sizeof s->chat_key) {
        memcpy(s->chat_key, chat.key.p, chat.key.n);
        s->chat_key[chat.key.n] = 0;
    }
    return true;
}

/* A row as a session; NULL if it cannot be read, which is logged: the chat must go on. NULL too if the
 * database failed: store_ill() tells. */
static const struct session *session_of(struct taking *t, const struct session_row *row)
{
    struct session *s = arena_new(t->in->turn, struct session);
    const char *wrong = session_read(row->line, &t->in->made, s);
    if (wrong) {
        struct str no = arena_print(t->in->turn, "%lld", (long long)row->id);
        log_line(LOG_ERROR, "session_unreadable", "session", no.p, "field", wrong, NULL);
        return NULL;
    }
    s->no = row->id;
    if (!follow_chat(t, row, s))
        return NULL;
    assert(t->n_rows < (int)(sizeof t->row / sizeof *t->row));
    t->row_version[t->n_rows] = row->version;
    t->row[t->n_rows++] = s;
    return s;
}

static const struct session *already(const struct taking *t, int64_t no)
{
    for (int i = 0; i < t->n_rows; i++)
        if (t->row[i]->no == no)
            return t->row[i];
    return NULL;
}

/* What cannot be read is left out; false if the database failed. */
static bool sessions_of(struct taking *t, const struct session_rows *rows,
                        const struct session **ret, int *ret_n)
{
    int n = 0;
    for (int i = 0; i < rows->n && n < MAX_CANDIDATES; i++) {
        const struct session *s = already(t, rows->at[i].id);
        if (!s)
            s = session_of(t, &rows->at[i]);
        if (store_ill(t->in->parts.store))
            return false;
        if (s)
            ret[n++] = s;
    }
    *ret_n = n;
    return true;
}

static bool named_load(struct taking *t, int64_t no, bool *ret_found)
{
    struct session_row row;
    t->world.named = already(t, no);
    *ret_found = t->world.named != NULL;
    if (t->world.named)
        return true;
    if (!store_session(t->in->parts.store, t->in->turn, no, &row, ret_found, t->err))
        return false;
    if (*ret_found)
        t->world.named = session_of(t, &row);
    *ret_found = t->world.named != NULL;
    return !store_ill(t->in->parts.store);
}

static bool chat_load(struct taking *t, struct str key, struct str name, bool direct)
{
    if (!store_chat(t->in->parts.store, t->in->turn, t->account->id, key, name, direct, &t->chat,
                    t->err))
        return false;
    t->world.chat = t->chat.id;
    t->event.chat_name = t->chat.name;
    chat_settings_read(t->chat.settings, &t->world.settings);
    if (!t->world.settings.language[0])
        NAME_PUT(t->world.settings.language, t->in->parts.default_language);
    if (!zone_offset(str_of(t->world.settings.zone), t->event.now, &t->world.utc_offset))
        t->world.utc_offset = 0;
    return true;
}

static bool person_load(struct taking *t)
{
    struct event *e = &t->event;
    if (e->from.id.n == 0 || e->from.anonymous)
        return true;
    if (!store_person(t->in->parts.store, t->in->turn, t->account->id, &e->from, &t->me, t->err))
        return false;
    t->world.me = t->me.id;
    if (t->me.prefs.n > 0)
        NAME_PUT(t->world.prefs.language, t->me.prefs);
    return !e->direct || (t->me.reachable && str_is(t->me.direct_chat, e->chat)) ||
           store_set_direct(t->in->parts.store, t->me.id, e->chat, true, t->err);
}

/* "/challenge @bo" where the network itself does not mark names. */
static void mentions_from_words(struct taking *t)
{
    struct event *e = &t->event;
    for (struct str rest = e->words, w = str_word(&rest); w.n > 0 && e->n_mentions < MAX_MENTIONS;
         w = str_word(&rest))
        if (w.n > 1 && w.p[0] == '@' && (t->account->can & CAN_HANDLES))
            e->mention[e->n_mentions++] = (struct sender){.handle = str_skip(w, 1)};
}

static bool mentions_load(struct taking *t)
{
    struct event *e = &t->event;
    struct person p;
    if (e->n_mentions == 0)
        mentions_from_words(t);
    for (int i = 0; i < e->n_mentions; i++) {
        struct sender *who = &e->mention[i];
        if (who->bot || (who->id.n == 0 && who->handle.n == 0))
            continue;
        if (!store_person(t->in->parts.store, t->in->turn, t->account->id, who, &p, t->err))
            return false;
        t->world.mention[i] = p.id;
        who->name = text_clean(t->in->turn, p.name, NAME_COLUMNS);
        who->id = p.network_id;
        who->handle = p.handle;
    }
    return true;
}

static bool lists_load(struct taking *t, unsigned facts)
{
    struct store *store = t->in->parts.store;
    struct session_rows rows;
    struct session_row last;
    bool found = true;
    if (facts & FACT_HERE) {
        if (!store_sessions_of_chat(store, t->in->turn, t->chat.id, MAX_CANDIDATES, &rows, t->err))
            return false;
        if (!sessions_of(t, &rows, t->world.here, &t->world.n_here))
            return false;
    }
    if ((facts & FACT_MINE) && t->me.id) {
        if (!store_sessions_of_person(store, t->in->turn, t->me.id, MAX_CANDIDATES, &rows, t->err))
            return false;
        if (!sessions_of(t, &rows, t->world.mine, &t->world.n_mine))
            return false;
    }
    if (facts & FACT_LAST) {
        if (!store_last_session_of_chat(store, t->in->turn, t->chat.id, &last, &found, t->err))
            return false;
        t->world.last = !found                ? NULL
                        : already(t, last.id) ? already(t, last.id)
                                              : session_of(t, &last);
        if (store_ill(store))
            return false;
    }
    return t->event.no == 0 || named_load(t, t->event.no, &found);
}

/* ---- the scoreboard ---- */

static struct stand stand_of(const struct standing *s)
{
    return (struct stand){s->place,      s->person,       s->tally.won, s->tally.drawn,
                          s->tally.lost, s->tally.points, s->name};
}

static bool board_load(struct taking *t)
{
    struct board_facts *f = arena_new(t->in->turn, struct board_facts);
    struct standings rows;
    struct standing own;
    bool found, listed = false;
    struct season_key now, asked;
    t->world.board = NULL;
    if (!step_season(&t->world, &t->event, &asked))
        return true;
    f->season = asked;
    struct str key = str_of(f->season.text);
    season_at(t->event.now, t->world.utc_offset, t->world.settings.season, &now);
    f->last = strcmp(now.text, asked.text) != 0;
    f->ends = f->last ? 0 : season_end(&f->season, t->world.utc_offset);
    if (!store_standings(t->in->parts.store, t->in->turn, t->chat.id, key, BOARD_ROWS, &rows,
                         t->err))
        return false;
    struct stand *at = arena_array(t->in->turn, struct stand, (size_t)rows.n + 1);
    for (int i = 0; i < rows.n; i++) {
        at[i] = stand_of(&rows.at[i]);
        listed |= at[i].person == t->me.id;
    }
    if (t->me.id && !listed) {
        if (!store_standing(t->in->parts.store, t->in->turn, t->chat.id, key, t->me.id, &own,
                            &found, t->err))
            return false;
        if (found) {
            at[rows.n] = stand_of(&own);
            f->own = &at[rows.n];
        }
    }
    f->n = rows.n;
    f->at = at;
    f->asker = t->me.id;
    t->world.board = f;
    return true;
}

static bool record_load(struct taking *t, unsigned facts)
{
    struct str record;
    const struct session *s = facts & FACT_RECORD ? t->event.no ? t->world.named : t->world.last
                                                  : step_pick(&t->world, &t->event);
    if (!s)
        return true;
    if (!store_record(t->in->parts.store, t->in->turn, s->no, &record, t->err))
        return false;
    if (facts & FACT_RECORD)
        t->world.record = record;
    struct round_note *notes = arena_array(t->in->turn, struct round_note, MAX_NOTES);
    t->world.n_notes = facts & FACT_NOTEBOOK ? notebook_read(record, MAX_NOTES, notes) : 0;
    t->world.notes = notes;
    return true;
}

static void zone_check(struct taking *t)
{
    int32_t offset;
    for (struct str rest = t->event.words, w = str_word(&rest); w.n > 0; w = str_word(&rest)) {
        struct str value, name = str_cut(w, '=', &value);
        if (str_is(text_fold(t->in->turn, name), STR("zone")))
            t->world.zone_ok = value.n > 0 && value.n < sizeof t->world.settings.zone &&
                               zone_offset(value, t->event.now, &offset);
    }
}

static bool facts_load(struct taking *t)
{
    unsigned facts = commands[t->event.verb].facts;
    if (t->event.verb == VERB_CHALLENGE && !mentions_load(t))
        return false;
    if (t->event.verb == VERB_SETTINGS)
        zone_check(t);
    if (!lists_load(t, facts))
        return false;
    if ((facts & FACT_STANDINGS) && !board_load(t))
        return false;
    return !(facts & (FACT_NOTEBOOK | FACT_RECORD)) || record_load(t, facts);
}

/* ---- what follows ---- */

static void row_of(struct taking *t, const struct session *s, struct session_row *ret)
{
    struct buf line = {arena_alloc(t->in->turn, SESSION_LINE), 0, SESSION_LINE, false};
    *ret = (struct session_row){.id = s->no,
                                .due = s->due,
                                .live = session_live(s),
                                .n_chats = 1,
                                .chat = {s->chat},
                                .line = session_write(s, &line)};
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
    row_of(t, s, &row);
    if (s->no == 0) {
        row.version = 1;
        if (!store_new_session(t->in->parts.store, &row, t->err))
            return false;
        effects_number(fx, s, row.id);
        return true;
    }
    int i = 0;
    while (i < t->n_rows && t->row[i]->no != s->no)
        i++;
    assert(i < t->n_rows);
    row.version = t->row_version[i] + 1;
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
        h->names[i] = p->computer ? str_of("computer") : str_of(p->name);
        h->seats.joined[i] = p->seat_joined;
        h->seats.lots[i] = p->lot;
        h->clients[p->seat_joined] = str_of(p->seed);
    }
}

static bool record_save(struct taking *t, const struct effects *fx, const struct record_effect *r)
{
    enum { RECORD_BYTES = 64 * 1024 };
    struct buf b = {arena_alloc(t->in->turn, RECORD_BYTES), 0, RECORD_BYTES, false};
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
        record_log(&b, &is->match, &deal, &r->log, is->left_timeout ? LEAVE_TIMEOUT : LEAVE_RESIGN);
        break;
    }
    assert(!b.cut);
    return store_append_record(t->in->parts.store, fx->save[r->session]->no, buf_str(&b), t->err);
}

/* ---- the computer ---- */

struct think {
    struct view view;
    uint64_t seed;
    uint8_t level;
};

static void think(struct str input, struct buf *ret)
{
    struct think job;
    struct advice advice;
    const struct budget of_level = {.visits = 0};
    char note[NOTE_MOVE_MAX];
    assert(input.n == sizeof job);
    memcpy(&job, input.p, sizeof job);
    search(&job.view, (enum level)job.level, &of_level, job.seed, &advice);
    note_move(advice.move, note);
    buf_put(ret, str_of(note));
}

static void think_push(struct taking *t, const struct effects *fx)
{
    struct think *job = arena_new(t->in->turn, struct think);
    job->view = *fx->job.view;
    job->seed = fx->job.seed;
    job->level = fx->job.level;
    work_push(t->in->parts.work, &(struct job){.run = think,
                                               .session = fx->save[fx->job.session]->no,
                                               .version = fx->job.version,
                                               .input = {(const char *)job, sizeof *job}});
}

/* ---- one event ---- */

static bool settle(struct taking *t, struct effects *fx)
{
    struct store *store = t->in->parts.store;
    for (int i = 0; i < fx->n_saves; i++)
        if (!save(t, fx, fx->save[i]))
            return false;
    for (int i = 0; i < fx->n_records; i++)
        if (!record_save(t, fx, &fx->record[i]))
            return false;
    for (int i = 0; i < fx->n_results; i++) {
        const struct result_effect *r = &fx->result[i];
        struct tally add = {r->won, r->drawn, r->lost, r->points};
        if (!store_add_result(store, r->chat, str_of(r->season.text), r->person, add, t->err))
            return false;
    }
    if (fx->set_chat) {
        char line[512];
        struct buf b = BUF(line);
        if (!store_set_settings(store, t->chat.id, chat_settings_write(&fx->chat, &b), t->err))
            return false;
    }
    if (fx->set_prefs && !store_set_prefs(store, t->me.id, str_of(fx->prefs.language), t->err))
        return false;
    if (fx->think)
        think_push(t, fx);
    return true;
}

static bool run(struct taking *t)
{
    struct effects *fx = arena_new(t->in->turn, struct effects);
    struct outgoing *out = arena_array(t->in->turn, struct outgoing, MAX_OUTGOING);
    struct place place = {t->account->can, t->account->limits, t->in->key};
    fx->arena = t->in->turn;
    if (bot_step(&t->world, &t->event, fx) == IGNORED && fx->n_saves == 0 && fx->n_says == 0 &&
        !t->event.pressed)
        return true;
    if (!settle(t, fx))
        return false;
    int n = present(&t->world, &t->event, fx, &place, out);
    for (int i = 0; i < n; i++)
        if (!outbox_push(t->in->parts.outbox, t->account, &out[i], t->err))
            return false;
    return true;
}

/* ---- doors ---- */

static void sender_clean(struct taking *t, const struct sender *from, struct sender *ret)
{
    *ret = *from;
    ret->name = text_clean(t->in->turn, from->name.n > 0 ? from->name : from->handle, NAME_COLUMNS);
    ret->handle = from->handle.n > 0 ? text_clean(t->in->turn, from->handle, HANDLE_SIZE - 1)
                                     : (struct str){0};
    if (ret->id.n >= NETWORK_ID_SIZE)
        ret->id = (struct str){0};
}

static void event_of(struct taking *t, const struct update *u)
{
    struct event *e = &t->event;
    e->chat = u->chat;
    e->chat_name =
        u->chat_name.n > 0 ? text_clean(t->in->turn, u->chat_name, NAME_COLUMNS) : (struct str){0};
    e->direct = u->direct;
    e->admin = u->admin;
    e->for_us = u->direct || t->account->limits.prefix.n > 0;
    e->post = u->post;
    e->said = u->said;
    sender_clean(t, &u->from, &e->from);
    e->id = u->id.n > 0 ? u->id : arena_print(t->in->turn, "t%lld", (long long)e->now);
    e->n_mentions = u->n_mentions;
    for (int i = 0; i < u->n_mentions; i++)
        sender_clean(t, &u->mention[i], &e->mention[i]);
}

static void press_take(struct taking *t, const struct update *u)
{
    struct event *e = &t->event;
    struct press p;
    e->pressed = true;
    e->press = u->press;
    if (!press_read(t->in->key, u->text, &p)) {
        e->verb = VERB_FORGED;
        return;
    }
    e->verb = p.verb;
    e->no = p.no;
    e->version = p.version;
    e->index = p.index;
    if (p.verb == VERB_PLAY)
        e->words = arena_print(t->in->turn, "%lld", (long long)p.index);
}

/* A link under a board brings "/start hand-12". */
static void start_take(struct event *e)
{
    int64_t no;
    if (e->verb == VERB_START && str_starts(e->words, STR("hand-")) &&
        str_int(str_skip(e->words, 5), &no) && no > 0)
        e->no = no;
}

static bool text_take(struct taking *t, const struct update *u)
{
    const struct texts *texts[] = {texts_for(&t->in->languages, str_of(t->world.prefs.language)),
                                   texts_for(&t->in->languages, str_of(t->world.settings.language)),
                                   t->in->languages.at[0]};
    command_read(texts, 3, t->in->turn, u->text, &t->event);
    t->event.press = u->press; /* typed unseen: so must the answer be */
    start_take(&t->event);
    return t->event.verb != VERB_NONE;
}

/* The chat has another key now: what is played in it goes on there. */
static bool chat_moved(struct taking *t, const struct update *u)
{
    struct store *store = t->in->parts.store;
    struct session_rows rows;
    if (!store_move_chat(store, t->account->id, u->chat, u->text, t->err) ||
        !store_chat(store, t->in->turn, t->account->id, u->text, u->chat_name, u->direct, &t->chat,
                    t->err) ||
        !store_sessions_of_chat(store, t->in->turn, t->chat.id, MAX_CANDIDATES, &rows, t->err))
        return false;
    for (int i = 0; i < rows.n; i++) {
        const struct session *was = session_of(t, &rows.at[i]);
        if (!was)
            continue;
        struct session now = *was;
        struct session_row row;
        NAME_PUT(now.chat_key, u->text);
        row_of(t, &now, &row);
        row.version = rows.at[i].version + 1;
        if (!store_save(store, &row, rows.at[i].version, t->err))
            return false;
    }
    return true;
}

bool inbox_take(struct inbox *in, const struct account *from, const struct update *u,
                struct err *err)
{
    bool is_new = true;
    struct taking *t = begin(in, from, err);
    if (u->id.n > 0 && !store_hear(in->parts.store, from->id, u->id, t->event.now, &is_new, err))
        return false;
    if (!is_new)
        return true;
    if (u->kind == UPDATE_MOVED)
        return chat_moved(t, u);
    if (u->chat.n == 0 || u->chat.n >= CHAT_KEY_SIZE)
        return true;
    event_of(t, u);
    if (u->kind == UPDATE_TEXT) { /* chatter costs nothing more than its mark */
        struct event probe = t->event;
        command_read((const struct texts *const *)in->languages.at, in->languages.n, in->turn,
                     u->text, &probe);
        if (probe.verb == VERB_NONE)
            return true;
    }
    if (!chat_load(t, u->chat, t->event.chat_name, u->direct) || !person_load(t))
        return false;
    switch (u->kind) {
    case UPDATE_TEXT:
        if (!text_take(t, u))
            return true;
        break;
    case UPDATE_PRESS:
        press_take(t, u);
        break;
    case UPDATE_JOINED:
        t->event.verb = VERB_JOINED;
        break;
    case UPDATE_BLOCKED:
        return t->me.id == 0 ||
               store_set_direct(in->parts.store, t->me.id, (struct str){0}, false, err);
    case UPDATE_LEFT:
        t->event.verb = VERB_LEFT;
        break;
    case UPDATE_RIGHTS:
        t->event.verb = str_is(u->text, STR("encrypted")) ? VERB_CANNOT_READ : VERB_RIGHTS;
        break;
    case UPDATE_MOVED:
    case UPDATE_QUERY:
        return true;
    }
    return facts_load(t) && run(t);
}

static bool chat_of_session(struct taking *t)
{
    const struct session *s = t->world.named;
    t->event.chat = str_of(s->chat_key);
    t->event.direct = s->direct;
    return chat_load(t, t->event.chat, str_of(s->chat_name), s->direct);
}

/* The account that a session lives on. */
static const struct account *account_of(struct inbox *in, int64_t session, struct err *err)
{
    struct session_row row;
    struct chat chat;
    bool found = false;
    if (!store_session(in->parts.store, in->turn, session, &row, &found, err))
        return NULL;
    if (!found || row.n_chats == 0 ||
        !store_chat_by_id(in->parts.store, in->turn, row.chat[0], &chat, &found, err) || !found) {
        err_set(err, "session %lld: its chat is not there", (long long)session);
        return NULL;
    }
    for (int i = 0; i < in->parts.n_accounts; i++)
        if (in->parts.accounts[i].id == chat.account)
            return &in->parts.accounts[i];
    err_set(err, "session %lld: its network is not configured", (long long)session);
    return NULL;
}

bool inbox_clock(struct inbox *in, int64_t session, struct err *err)
{
    bool found;
    arena_reset(in->turn);
    const struct account *account = account_of(in, session, err);
    if (!account)
        return false;
    struct taking *t = begin(in, account, err);
    t->event.verb = VERB_CLOCK;
    t->event.no = session;
    if (!named_load(t, session, &found))
        return false;
    if (!found)
        return err_set(err, "session %lld cannot be read", (long long)session);
    t->event.id = arena_print(in->turn, "clock-%lld", (long long)t->world.named->due);
    return chat_of_session(t) && lists_load(t, FACT_HERE) && run(t);
}

/* "hand:12:0": the session that a slot belongs to, 0 if none. */
static int64_t session_of_slot(struct str slot)
{
    int64_t no;
    struct str rest, what = str_cut(slot, ':', &rest);
    return str_is(what, STR("hand")) && str_int(str_cut(rest, ':', &rest), &no) && no > 0 ? no : 0;
}

/* A message for one person was refused: the next way of saying it that it allows; false: there is none. */
static bool next_way(struct outgoing *out)
{
    if (out->kind != OUT_POST || out->slot.n > 0 || out->to.n == 0)
        return false;
    if (out->where == TO_WHISPER && out->or_direct) {
        out->where = TO_DIRECT;
        out->group = out->chat;
        out->chat = out->press = (struct str){0};
        return true;
    }
    if (out->where == TO_CHAT || !out->or_aloud)
        return false;
    out->chat = out->where == TO_DIRECT ? out->group : out->chat;
    out->where = TO_CHAT;
    out->press = (struct str){0};
    if (out->aloud.n > 0) {
        out->text = out->aloud;
        out->n_buttons = 0;
    }
    return out->chat.n > 0;
}

bool inbox_never(struct inbox *in, const struct account *on, const struct outgoing *out,
                 const struct receipt *receipt, struct err *err)
{
    bool found;
    struct taking *t = begin(in, on, err);
    int64_t no = session_of_slot(out->slot);
    struct outgoing next = *out;
    if (receipt->why == NEVER_UNREACHABLE && next_way(&next))
        return outbox_push(in->parts.outbox, on, &next, err);
    if (receipt->why != NEVER_UNREACHABLE || no == 0 || out->to.n == 0 || out->replace_only)
        return true;
    t->event.verb = VERB_UNREACHABLE;
    t->event.no = no;
    t->event.where = out->where;
    t->event.press = arena_str(in->turn, out->press);
    t->event.from.id = arena_str(in->turn, out->to);
    if (!named_load(t, no, &found))
        return false;
    if (!found || !chat_of_session(t))
        return !found;
    if (!store_person_by_network_id(in->parts.store, in->turn, on->id, t->event.from.id, &t->me,
                                    &found, err))
        return false;
    t->world.me = found ? t->me.id : 0;
    return run(t);
}

bool inbox_job_done(struct inbox *in, const struct job_done *done, struct err *err)
{
    bool found;
    arena_reset(in->turn);
    struct str output = done->output;
    const struct account *account = account_of(in, done->session, err);
    if (!account)
        return false;
    struct taking *t = begin(in, account, err);
    t->event.verb = VERB_ADVICE;
    t->event.no = done->session;
    t->event.version = done->version;
    if (note_read_move(output.p, output.n, &t->event.move) >= 0)
        return err_set(err, "the computer's move cannot be read");
    if (!named_load(t, done->session, &found) || !found)
        return !found;
    t->event.id = arena_print(in->turn, "computer-%lld", (long long)done->version);
    return chat_of_session(t) && lists_load(t, FACT_HERE) && run(t);
}
