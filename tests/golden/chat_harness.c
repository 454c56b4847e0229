/* The program under test: start, restart, clock and timers, jobs. See chat_harness.h. */
#include "golden/chat_harness.h"

#include "chance.h"
#include "effect.h"
#include "file.h"
#include "fixture/scratch.h"

#include <assert.h>
#include <stdlib.h>
#include <sys/stat.h>

#define BEACON_URL "https://beacon.example/52db9ba7"

struct chat_harness *harness;

struct str chat_harness_keep(struct str s)
{
    return s.n ? arena_str(harness->arena, s) : (struct str){0};
}

static int64_t harness_clock(void *arg)
{
    return ((struct chat_harness *)arg)->now;
}

static void chance(void *arg, uint8_t *ret, size_t n)
{
    struct chat_harness *s = arg;
    for (size_t i = 0; i < n; i++) {
        s->chance = s->chance * 6364136223846793005u + 1442695040888963407u;
        ret[i] = (uint8_t)(s->chance >> 56);
    }
}

/* ---- opening ---- */

void chat_harness_must(bool good, const struct err *err)
{
    if (!good) {
        fprintf(stderr, "chat harness: %s\n", err->text);
        abort();
    }
}

static bool self(const void *account, struct arena *turn, struct str *ret_name,
                 struct str *ret_link)
{
    (void)account;
    (void)turn;
    *ret_name = STR("@koikoi_bot");
    *ret_link = STR("https://chat.example/koikoi_bot?add");
    return true;
}

static void start_program(struct chat_harness *s)
{
    struct err err = {"?"};
    chat_harness_must(store_open(str_of(s->path), &s->store, &err), &err);
    for (int i = 0; i < 2; i++) {
        struct account *a = &s->accounts[i];
        a->name = !i ? STR("near") : *s->twins ? STR("near.second") : STR("far");
        s->adapters[i].name = a->name.p;
        s->adapters[i].title = i ? "Far" : "Near";
        s->adapters[i].self = self;
        a->adapter = &s->adapters[i];
        a->id = store_account(s->store, a->name);
    }
    struct inbox_parts parts = {.store = s->store,
                                .clock = &s->clock,
                                .n_accounts = 2,
                                .accounts = s->accounts,
                                .texts_dir = s->texts_dir,
                                .default_rules = STR("sensei"),
                                .default_language = STR("en"),
                                .operators = STR("far:olga near:olga"),
                                .think_ms = 300,
                                .beacon = s->beacon};
    store_begin(s->store);
    chat_harness_must(inbox_open(&parts, &s->inbox, &err), &err);
    chat_harness_must(store_commit(s->store, &err), &err);
}

struct chat_harness *chat_harness_open(uint32_t can)
{
    static struct chat_harness s;
    memset(&s, 0, sizeof s);
    harness = &s;
    s.arena = arena_open((size_t)1 << 28);
    s.now = INT64_C(1795262400000); /* Saturday, 21 November 2026, 12:00 UTC */
    s.chance = 1;
    for (int i = 0; i < 2; i++) {
        s.accounts[i].can = can;
        s.accounts[i].limits =
            (struct limits){.text_chars = 4000, .popup_chars = 200, .buttons_a_row = 8};
    }
    s.clock = (struct clock){.now_ms = harness_clock, .chance = chance, .arg = &s};
    if (!scratch_open())
        abort();
    scratch_store_new();
    struct str path = scratch_store();
    snprintf(s.path, sizeof s.path, "%.*s", STR_ARG(path));
    start_program(&s);
    return &s;
}

void chat_harness_close(struct chat_harness *s)
{
    inbox_close(s->inbox);
    beacon_client_close(s->beacon);
    store_close(s->store);
    scratch_close();
    arena_close(s->arena);
    harness = NULL;
}

void chat_harness_restart(struct chat_harness *s)
{
    inbox_close(s->inbox);
    store_close(s->store);
    s->n_jobs = 0; /* unfinished jobs are lost */
    s->loses_jobs = false;
    start_program(s);
}

void chat_harness_speaks(struct chat_harness *s, const char *language)
{
    char from[64], to[64];
    struct str bytes;
    struct err err;
    if (s->texts_dir.n == 0) {
        s->texts_dir = chat_harness_keep(scratch_file("texts"));
        (void)mkdir(s->texts_dir.p, 0700);
    }
    snprintf(from, sizeof from, "tests/golden/texts/%s.json", language);
    snprintf(to, sizeof to, "texts/%s.json", language);
    chat_harness_must(file_read(from, 1 << 20, &bytes, &err), &err);
    scratch_write(to, arena_str(harness->arena, bytes).p);
    file_free(bytes);
    chat_harness_restart(s);
}

/* ---- time ---- */

static bool never_spent(void *arg)
{
    (void)arg;
    return false;
}

static void hand_in(struct chat_harness *s, const struct job_done *done)
{
    struct err err = {"?"};
    store_begin(s->store);
    inbox_job_done(s->inbox, done);
    chat_harness_must(store_commit(s->store, &err), &err);
}

static void ask_beacon(struct chat_harness *s)
{
    struct request request;
    struct job_done done;
    struct err ignored;
    void *tag;
    while (s->beacon && (tag = beacon_client_ask(s->beacon, s->now, s->arena, &request))) {
        char body[FAKE_BEACON_BODY];
        struct reply reply = {0};
        reply.status = fake_beacon_answer(str_skip(request.url, strlen(BEACON_URL)), s->beacon_way,
                                          s->now, body);
        reply.body = str_of(reply.status ? body : "");
        (void)!beacon_client_reply(s->beacon, tag, s->now, &reply, &ignored);
    }
    while (s->beacon && beacon_client_next(s->beacon, s->arena, &done))
        hand_in(s, &done);
}

void chat_harness_beacon(struct chat_harness *s, enum fake_beacon_way way)
{
    s->beacon_way = way;
    if (!s->beacon) {
        s->beacon = beacon_client_open(STR(BEACON_URL));
        chat_harness_restart(s);
    }
    ask_beacon(s);
}

/* Whoever is to be forgotten leaves all their matches. */
static void forget_on(struct chat_harness *s)
{
    struct err err = {"?"};
    while (inbox_forgetting(s->inbox)) {
        store_begin(s->store);
        inbox_forget_step(s->inbox);
        chat_harness_must(store_commit(s->store, &err), &err);
    }
}

/* What the outbox would do and report. */
static void report_on(struct chat_harness *s)
{
    for (; s->n_reported < s->n_sent; s->n_reported++) {
        struct err err = {"?"};
        const struct sent_message *m = &s->sent[s->n_reported];
        const struct account *on = &s->accounts[m->account];
        if (m->out.kind == OUT_ASK) {
            assert(s->n_asked < MAX_ASKED);
            s->asked[s->n_asked++] = *m;
            continue;
        }
        struct receipt r = {.kind = m->refused ? NEVER : SENT, .why = NEVER_UNREACHABLE};
        bool arrives = m->out.reports && m->out.where == TO_CHAT && !m->edit && !m->dropped;
        if (m->waits || (!m->refused && !m->held && !arrives))
            continue;
        store_begin(s->store);
        const bool passed_on = (m->refused || m->held) && m->out.where == TO_CHAT;
        for (struct str rest = m->out.learners; passed_on && rest.n > 0;) {
            struct outgoing next = outbox_to_learner(&m->out, str_cut(rest, '\n', &rest));
            outbox_push(NULL, on, &next);
        }
        if (!m->held)
            inbox_report(s->inbox, on, &m->out, &r);
        chat_harness_must(store_commit(s->store, &err), &err);
    }
}

void chat_harness_tell_admins(struct chat_harness *s)
{
    int n = s->n_asked;
    for (int i = 0; i < n; i++) {
        struct err err = {"?"};
        const struct outgoing *out = &s->asked[i].out;
        struct receipt r = {.kind = SENT, .admin = str_is(out->to, str_of(s->admin))};
        store_begin(s->store);
        inbox_report(s->inbox, &s->accounts[s->asked[i].account], out, &r);
        chat_harness_must(store_commit(s->store, &err), &err);
    }
    s->n_asked = 0;
    chat_harness_jobs(s);
}

void chat_harness_jobs(struct chat_harness *s)
{
    report_on(s);
    const struct job_pace pace = {.crowd = 1, .spent = never_spent};
    while (s->n_jobs > 0) {
        static char output[JOB_RESULT];
        struct job job = s->jobs[--s->n_jobs];
        struct buf b = BUF(output);
        if (job.tag != JOB_MOVE && s->analysis) {
            buf_put(&b, str_of(s->analysis));
            s->analysis = NULL;
        } else {
            job.run(job.input, &pace, &b);
        }
        if (job.tag == JOB_MOVE && s->computer_calls && str_is(buf_str(&b), STR("stop"))) {
            b.n = 0;
            buf_put(&b, STR("koikoi"));
            s->computer_calls = false;
        }
        struct job_done done = {job.tag, job.session, job.version, buf_str(&b)};
        hand_in(s, &done);
    }
    report_on(s);
    ask_beacon(s);
    forget_on(s);
}

void chat_harness_wait(struct chat_harness *s, int64_t ms)
{
    int64_t end = s->now + ms, due;
    struct err err = {"?"};
    struct ids ids;
    for (;;) {
        due = store_soonest_due(s->store);
        if (due == 0 || due > end)
            break;
        s->now = due > s->now ? due : s->now;
        ids = store_due(s->store, s->arena, s->now, 1);
        store_begin(s->store);
        if (ids.n > 0)
            inbox_clock(s->inbox, ids.at[0]);
        else
            for (int i = 0; inbox_date_kind(i); i++)
                inbox_date(s->inbox, i, 0);
        chat_harness_must(store_commit(s->store, &err), &err);
        chat_harness_jobs(s);
    }
    s->now = end;
}

void chat_harness_away(struct chat_harness *s, int64_t ms)
{
    struct err err = {"?"};
    s->now += ms;
    chat_harness_restart(s);
    store_begin(s->store);
    inbox_move_tournaments(s->inbox, ms);
    chat_harness_must(store_commit(s->store, &err), &err);
    struct ids chats = store_live_chats(s->store, s->arena, 0, 100);
    for (int i = 0; i < chats.n; i++) {
        store_begin(s->store);
        inbox_away(s->inbox, chats.at[i], ms, ms);
        chat_harness_must(store_commit(s->store, &err), &err);
    }
    chat_harness_jobs(s);
}

/* The first letter of its stored row, while the program does not run. */
static void write_letter(struct chat_harness *s, int64_t no, char letter)
{
    inbox_close(s->inbox);
    store_close(s->store);
    scratch_store_damaged();
    scratch_store_sql(
        arena_print(s->arena, "UPDATE session SET line = '%c' || substr(line, 2) WHERE id = %lld",
                    letter, (long long)no)
            .p);
    start_program(s);
}

void chat_harness_damage(struct chat_harness *s, int64_t no)
{
    struct err err = {"?"};
    write_letter(s, no, 'x');
    s->aside = s->now;
    store_begin(s->store);
    inbox_quarantine(s->inbox);
    chat_harness_must(store_commit(s->store, &err), &err);
}

void chat_harness_mend(struct chat_harness *s, int64_t no)
{
    struct err err = {"?"};
    write_letter(s, no, 'k');
    store_begin(s->store);
    inbox_take_back(s->inbox, no, s->aside);
    chat_harness_must(store_commit(s->store, &err), &err);
}

/* ---- looking ---- */

bool chat_harness_session(struct chat_harness *s, struct session *ret)
{
    const struct session_rows rows = store_live_sessions(s->store, s->arena, 0, 64);
    for (int i = rows.n - 1; i >= 0; i--) {
        if (!rows.at[i].live)
            continue;
        const char *wrong = session_read(rows.at[i].line, &s->rulesets, ret);
        if (wrong) {
            fprintf(stderr, "session %lld: %s\n", (long long)rows.at[i].id, wrong);
            abort();
        }
        ret->no = rows.at[i].id;
        return true;
    }
    return false;
}

void chat_harness_key(struct chat_harness *s, struct seed *ret)
{
    struct str hex = store_meta(s->store, s->arena, STR("press_key"));
    bool good = chance_read_seed(hex, ret);
    assert(good);
    (void)good;
}

bool chat_harness_read_press(struct chat_harness *s, struct str data, struct press *ret)
{
    struct seed key;
    chat_harness_key(s, &key);
    return press_read(key.at, data, ret);
}

bool chat_harness_is_record(struct chat_harness *s, struct str text)
{
    enum { SESSIONS = 40 };
    for (int no = 1; no <= SESSIONS; no++) {
        struct str record = store_record(s->store, s->arena, no);
        if (record.n > 0 && str_is(str_trim(record), text))
            return true;
    }
    return false;
}

int chat_harness_sent(struct chat_harness *s, const struct sent_message **ret)
{
    *ret = &s->sent[s->n_read];
    return s->n_sent - s->n_read;
}

void chat_harness_forget(struct chat_harness *s)
{
    s->n_read = s->n_reported = s->n_sent;
    if (s->n_sent > MAX_SENT / 8 * 7) { /* drops old messages */
        int keep_n = MAX_SENT / 4, from = s->n_sent - keep_n;
        memmove(s->sent, s->sent + from, sizeof *s->sent * (size_t)keep_n);
        s->n_sent = s->n_read = s->n_reported = keep_n;
    }
}
