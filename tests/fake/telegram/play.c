/* Player of stories; see story.h. A copy runs until a step has to wait. After each message or answer
 * of the bot it tries again, with the messages since its last attempt. Waiting has a time limit. */
#include "story.h"

#include "api.h"
#include "bot.h"

enum { MAX_ERRORS = 5 };
static struct {
    const char *file;
    int copies;
    double patience; /* factor for the time limits of steps */
} story = {.copies = 1, .patience = 1};
const struct argument play_table[] = {
    {"play", IS_TEXT, &story.file, "the story to play; without it the server only serves"},
    {"copies", IS_INT, &story.copies, "that many of the story at once, each with its own people"},
    {"patience", IS_REAL, &story.patience, "so many times the time of a step"},
    {NULL, IS_FLAG, NULL, NULL},
};
struct story_tally tally;
static struct copy *copies;
static int n_over, n_failed, n_errors;
static char *errors[MAX_ERRORS];
static int64_t killed, steps_done, from_ns, to_ns, n_latency, latency_cap;
static int64_t crowd_ns,
    crowd_deeds; /* most copies run until then; from then on some wait for the others */
static uint32_t *latency;

static void run(struct copy *x);

void play_time(struct copy *x, const struct tg_message *m)
{
    if (!x->acted_at || m->event <= x->acted_event)
        return;
    if (n_latency == latency_cap)
        latency =
            must(realloc(latency, (size_t)(latency_cap = latency_cap ? latency_cap * 2 : 1024) *
                                      sizeof *latency));
    latency[n_latency++] = (uint32_t)((serve_now() - x->acted_at) / 1000);
    x->acted_at = 0;
}

/* ---- running ---- */

static void over(struct copy *x, const struct story_step *failed)
{
    x->over = true;
    if (failed) {
        struct text_buffer t = {0};
        n_failed++;
        txt_print(&t, "%s:%d (copy %d): %s; last from the bot: %.300s", story.file, failed->line,
                  x->number, failed->text ? failed->text : "",
                  x->words ? x->words->text : "nothing");
        if (opt.trace)
            fprintf(stderr, "%s\n", t.p);
        if (n_errors < MAX_ERRORS)
            errors[n_errors++] = t.p;
        else
            txt_free(&t);
    }
    if (++n_over * 2 >= story.copies && crowd_ns == 0) {
        crowd_ns = serve_now();
        crowd_deeds = tally.texts + tally.presses;
    }
    if (n_over == story.copies) {
        to_ns = serve_now();
        serve_stop(server);
    }
}

/* Enters, repeats or leaves a loop. */
static void loop_step(struct copy *x, const struct story_step *s)
{
    if (s->verb->arg) {
        x->left[x->depth] = s->n;
        x->since[x->depth++] = world_events;
        x->at++;
    } else if (--x->left[x->depth - 1] > 0) {
        x->at = s->other_end + 1;
    } else if (script.steps[s->other_end].until) {
        over(x, &script.steps[s->other_end]);
    } else {
        x->depth--;
        x->at++;
    }
}

/* Leaves a loop whose condition has come true. */
static void leave_loops(struct copy *x)
{
    for (int d = 0, at = 0; d < x->depth; d++) {
        while (script.steps[at].verb->act || !script.steps[at].verb->arg ||
               script.steps[at].other_end < x->at)
            at++;
        const struct story_step *s = &script.steps[at++];
        if (s->until && play_said_since(x, s, x->since[d])) {
            x->depth = d;
            x->at = s->other_end + 1;
            x->deadline = 0;
            x->looked = 0;
            return;
        }
        x->since[d] = world_events;
    }
}

struct copy_timer {
    struct copy *x;
    int64_t turn;
};

static void too_late(void *with)
{
    struct copy_timer *a = with;
    struct copy *x = a->x;
    if (!x->over && x->turn == a->turn) {
        const struct story_step *s = &script.steps[x->at];
        x->deadline = 0;
        x->looked = 0;
        x->turn++;
        x->tried_in_vain = s->try;
        if (s->try)
            x->at++;
        else
            over(x, s);
        if (!x->over)
            run(x);
    }
    free(a);
}

static void arm(struct copy *x, double seconds)
{
    if (x->deadline)
        return;
    struct copy_timer *a = must(malloc(sizeof *a));
    x->deadline = serve_now() + (int64_t)(seconds * 1e9);
    *a = (struct copy_timer){x, ++x->turn};
    serve_at(server, x->deadline, too_late, a);
}

static void run(struct copy *x)
{
    while (!x->over) {
        leave_loops(x);
        if (x->at == script.n) {
            over(x, NULL);
            return;
        }
        const struct story_step *s = &script.steps[x->at];
        if (!s->verb->act) {
            loop_step(x, s);
            continue;
        }
        enum result r = s->otherwise && !x->tried_in_vain ? DONE : s->verb->act(x, s);
        if (r == WAIT) {
            x->looked = world_events;
            play_press_always(x);
            arm(x, s->try ? s->within : s->within * story.patience);
            return;
        }
        if (r == FAILED) {
            over(x, s);
            return;
        }
        steps_done++;
        x->tried_in_vain &= !s->try;
        x->deadline = 0;
        x->looked = 0;
        x->turn++;
        x->at++;
    }
}

/* ---- events of the bot ---- */

static void polled(void)
{
    static bool once;
    if (once)
        return;
    once = true;
    from_ns = serve_now();
    for (int i = 0; i < story.copies; i++)
        run(&copies[i]);
}

/* With --kill-every presses count: the bot dies between two of them, whatever it is doing. */
static void kill_if_due(void)
{
    if (!opt.kill_every || killed == opt.kills || tally.presses < (killed + 1) * opt.kill_every)
        return;
    killed++;
    child_restart(opt.kill_signal, NULL);
}

/* The copy that owns this chat; groups keep their number after a migration. */
static struct copy *copy_of(int64_t chat)
{
    int64_t n = llabs(chat) % 1000000000000 / STRIDE;
    return n < story.copies ? &copies[n] : NULL;
}

static void log_message(const struct tg_chat *c, const struct tg_message *m)
{
    struct text_buffer data = {0};
    const cJSON *row, *b;
    cJSON_ArrayForEach(row, js_at(m->markup, "inline_keyboard"))
    {
        cJSON_ArrayForEach(b, row)
        {
            if (js_at(b, "callback_data"))
                js_put(&data, "%-s%s", data.n > 0 ? "," : "", js_text(b, "callback_data"));
        }
    }
    if (m->document)
        event_log("bot", ",'chat':%lld,'id':%lld,'to':%lld,'text':%s,'file':%s,'data':[%-s]",
                  (long long)c->id, (long long)m->id, (long long)m->receiver, m->text, m->document,
                  data.n > 0 ? data.p : "");
    else
        event_log("bot", ",'chat':%lld,'id':%lld,'to':%lld,'calls':%lld,'text':%s,'data':[%-s]",
                  (long long)c->id, (long long)m->id, (long long)m->receiver,
                  m->entities && strstr(m->entities, "text_mention") ? 1LL : 0LL, m->text,
                  data.n > 0 ? data.p : "");
    txt_free(&data);
}

static void said(struct tg_chat *c, struct tg_message *m, const char *text)
{
    struct copy *x = copy_of(c->id);
    if (m)
        log_message(c, m);
    if (opt.trace) {
        char *markup = m && m->markup ? cJSON_PrintUnformatted(m->markup) : NULL;
        fprintf(stderr, "   bot in %s%s: %s\n%s%s", c->title, m && m->receiver ? " (whisper)" : "",
                text, markup ? markup : "", markup ? "\n" : "");
        free(markup);
    }
    if (!x || x->over)
        return;
    struct copy_words *w = must(malloc(sizeof *w));
    *w = (struct copy_words){x->words, c, m ? m->receiver : 0, m ? m->thread : 0,
                             must(strdup(text))};
    x->words = w;
    run(x);
}

static void answered(struct tap *t)
{
    struct copy *x = copy_of(t->person);
    event_log("answer", ",'tap':%lld,'text':%s", (long long)t->n, t->answer);
    if (opt.trace)
        fprintf(stderr, "   bot answers tap%lld: %s\n", (long long)t->n, t->answer);
    if (x && !x->over)
        run(x);
    kill_if_due();
}

static void watch(void *unused)
{
    (void)unused;
    int64_t now = serve_now();
    bool ended = child_ended();
    if (ended)
        fprintf(stderr, "fake telegram: the bot ended by itself\n");
    to_ns = now;
    if (ended || (double)(now - from_ns) / 1e9 > opt.max_s)
        serve_stop(server);
    else
        serve_at(server, now + 100000000, watch, NULL);
}

static void make_world(struct copy *x)
{
    for (int i = 0; i < script.n_people; i++) {
        const struct cast_person *p = &script.people[i];
        world_person_new((struct tg_person){play_person(x, i), p->name, play_filled(x, p->handle),
                                            p->language, p->opened, false, p->owner});
        world_chat_new(play_person(x, i), CHAT_PRIVATE, p->name);
        x->last_tap[i] = -1;
    }
    for (int i = 0; i < script.n_groups; i++) {
        const struct cast_group *g = &script.groups[i];
        int64_t id = -(g->id + (int64_t)x->number * STRIDE) - (g->super ? 1000000000000 : 0);
        x->groups[i] = world_chat_new(id, g->super ? CHAT_SUPERGROUP : CHAT_GROUP, g->title);
        x->groups[i]->forum = g->forum;
        x->groups[i]->bare = g->bare;
        x->groups[i]->bot = g->without ? BOT_LEFT : g->admin ? BOT_ADMIN : BOT_MEMBER;
    }
}

bool play_begin(void)
{
    if (!story.file)
        return false;
    if (story.copies < 1) {
        fprintf(stderr, "fake telegram: --copies: expected 1 or more, got %d\n", story.copies);
        exit(2);
    }
    world_keeps = true;
    script_read(story.file);
    copies = must(calloc((size_t)story.copies, sizeof *copies));
    for (int i = 0; i < story.copies; i++) {
        copies[i].number = i;
        copies[i].mover = NOBODY;
        make_world(&copies[i]);
    }
    hooks = (struct hooks){.polled = polled, .said = said, .answered = answered};
    from_ns = serve_now();
    serve_at(server, from_ns, watch, NULL);
    return true;
}

bool play_report(struct text_buffer *t)
{
    double wall = (double)(to_ns - from_ns) / 1e9;
    double deeds = (double)(tally.texts + tally.presses);
    double crowd = (double)((crowd_ns ? crowd_ns : to_ns) - from_ns) / 1e9;
    js_put(t, "'mode':'play','story':%s,'copies':%d,'passed':%d,'failed':%d,'unfinished':%d,",
           story.file, story.copies, n_over - n_failed, n_failed, story.copies - n_over);
    js_put(t, "'steps':%lld,'texts':%lld,'presses':%lld,'kills':%lld,", (long long)steps_done,
           (long long)tally.texts, (long long)tally.presses, (long long)killed);
    txt_print(t,
              "\"wall_s\":%.3f,\"deeds_per_s\":%.1f,\"crowd_deeds_per_s\":%.1f,"
              "\"cpu_ms_per_deed\":%.3f,\"server_busy\":%.2f,\"p50_ms\":%.3f,\"p99_ms\":%.3f,"
              "\"cpu_s\":%.3f,\"rss_mb\":%.1f,\"errors\":[",
              wall, deeds / wall, (crowd_ns ? (double)crowd_deeds : deeds) / crowd,
              child_cpu() * 1e3 / deeds, (double)serve_cpu() / 1e9 / wall,
              percentile_ms(latency, n_latency, .5), percentile_ms(latency, n_latency, .99),
              child_cpu(), child_rss());
    for (int i = 0; i < n_errors; i++)
        js_put(t, "%-s%s", i ? "," : "", errors[i]);
    txt_put(t, "],");
    return n_over == story.copies && n_failed == 0;
}
