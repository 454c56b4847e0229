/* See stage.h. The program: opened, closed, started again; its clock, and what is due by it. */
#include "golden/stage.h"

#include "effect.h"
#include "golden/catalogue.h"
#include "shell/scratch.h"

#include <stdlib.h>
#include <sys/stat.h>

struct stage *stage;

struct str stage_keep(struct str s)
{
    return s.n ? arena_str(stage->arena, s) : (struct str){0};
}

static int64_t now_ms(void *arg)
{
    return ((struct stage *)arg)->now;
}

static void chance(void *arg, uint8_t *ret, size_t n)
{
    struct stage *s = arg;
    for (size_t i = 0; i < n; i++) {
        s->chance = s->chance * 6364136223846793005u + 1442695040888963407u;
        ret[i] = (uint8_t)(s->chance >> 56);
    }
}

/* ---- opening ---- */

void stage_must(bool good, const struct err *err)
{
    if (!good) {
        fprintf(stderr, "stage: %s\n", err->text);
        abort();
    }
}

static void start(struct stage *s)
{
    struct err err = {"?"};
    stage_must(store_open(str_of(s->path), &s->store, &err), &err);
    for (int i = 0; i < 2; i++) {
        struct account *a = &s->accounts[i];
        a->name = i ? STR("far") : STR("stage");
        s->adapters[i].title = i ? "Far" : "Near";
        a->adapter = &s->adapters[i];
        stage_must(store_account(s->store, a->name, &a->id, &err), &err);
    }
    struct inbox_parts parts = {.store = s->store,
                                .clock = &s->clock,
                                .n_accounts = 2,
                                .accounts = s->accounts,
                                .texts_dir = s->texts_dir,
                                .default_rules = STR("sensei"),
                                .default_language = STR("en"),
                                .think_ms = 300};
    stage_must(store_begin(s->store, &err), &err);
    stage_must(inbox_open(&parts, &s->inbox, &err), &err);
    stage_must(store_commit(s->store, &err), &err);
}

struct stage *stage_open(uint32_t can)
{
    static struct stage s;
    memset(&s, 0, sizeof s);
    stage = &s;
    s.arena = arena_open((size_t)1 << 28);
    s.now = INT64_C(1795262400000); /* Saturday, 21 November 2026, 12:00 UTC */
    s.chance = 1;
    for (int i = 0; i < 2; i++) {
        s.accounts[i].can = can;
        s.accounts[i].limits = (struct limits){
            .text_chars = 4000, .popup_chars = 200, .data_bytes = 64, .buttons_a_row = 8};
    }
    s.clock = (struct clock){now_ms, chance, &s};
    if (!scratch_open())
        abort();
    struct str path = scratch_file("koikoi.db");
    snprintf(s.path, sizeof s.path, "%.*s", STR_ARG(path));
    start(&s);
    return &s;
}

void stage_close(struct stage *s)
{
    inbox_close(s->inbox);
    store_close(s->store);
    scratch_close();
    arena_close(s->arena);
    stage = NULL;
}

void stage_restart(struct stage *s)
{
    inbox_close(s->inbox);
    store_close(s->store);
    s->n_jobs = 0; /* what was being computed is lost */
    s->lose = false;
    start(s);
}

void stage_speaks(struct stage *s, const char *language)
{
    struct str path = scratch_file("texts");
    if (s->texts_dir.n == 0) {
        s->texts_dir = stage_keep(path);
        (void)mkdir(s->texts_dir.p, 0700);
    }
    if (!catalogue_make(language, s->texts_dir.p)) {
        fprintf(stderr, "stage: there is no tests/golden/texts/%s.json\n", language);
        abort();
    }
    stage_restart(s);
}

/* ---- time passes ---- */

static bool never(void *arg)
{
    (void)arg;
    return false;
}

void stage_jobs(struct stage *s)
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
        stage_must(store_begin(s->store, &err), &err);
        stage_must(inbox_job_done(s->inbox, &done, &err), &err);
        stage_must(store_commit(s->store, &err), &err);
    }
}

void stage_wait(struct stage *s, int64_t ms)
{
    int64_t end = s->now + ms, due;
    struct err err = {"?"};
    struct ids ids;
    for (;;) {
        stage_must(store_soonest_due(s->store, &due, &err), &err);
        if (due == 0 || due > end)
            break;
        s->now = due > s->now ? due : s->now;
        stage_must(store_due(s->store, s->arena, s->now, 1, &ids, &err), &err);
        stage_must(store_begin(s->store, &err), &err);
        stage_must(inbox_clock(s->inbox, ids.at[0], &err), &err);
        stage_must(store_commit(s->store, &err), &err);
        stage_jobs(s);
    }
    s->now = end;
}

void stage_away(struct stage *s, int64_t ms)
{
    struct err err = {"?"};
    struct ids chats;
    s->now += ms;
    stage_restart(s);
    stage_must(store_live_chats(s->store, s->arena, 0, 100, &chats, &err), &err);
    for (int i = 0; i < chats.n; i++) {
        stage_must(store_begin(s->store, &err), &err);
        stage_must(inbox_away(s->inbox, chats.at[i], ms, &err), &err);
        stage_must(store_commit(s->store, &err), &err);
    }
    stage_jobs(s);
}

/* ---- looking on ---- */

bool stage_session(struct stage *s, struct session *ret)
{
    struct err err = {"?"};
    struct session_row row;
    bool found = true;
    for (int64_t id = 64; id > 0; id--) {
        stage_must(store_session(s->store, s->arena, id, &row, &found, &err), &err);
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

int stage_said(struct stage *s, const struct said **ret)
{
    *ret = &s->said[s->n_heard];
    return s->n_said - s->n_heard;
}

void stage_heard(struct stage *s)
{
    s->n_heard = s->n_said;
    if (s->n_said > MAX_SAID / 8 * 7) { /* old messages are forgotten */
        int keep_n = MAX_SAID / 4, from = s->n_said - keep_n;
        memmove(s->said, s->said + from, sizeof *s->said * (size_t)keep_n);
        s->n_said = s->n_heard = keep_n;
    }
}
