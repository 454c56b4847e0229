/* See play.h. A copy runs until a step has to wait; whatever the bot says or answers lets it try
 * again, and then only what is new since it looked in vain is looked at. What a copy waits for has a
 * limit, nothing else looks at the clock. */
#include "play.h"

#include "api.h"
#include "child.h"
#include "deeds.h"
#include "inline.h"
#include "ledger.h"
#include "load.h"
#include "options.h"
#include "script.h"
#include "updates.h"

#include <signal.h>

enum { STRIDE = 1000, MAX_VIEWS = 64, MAX_ERRORS = 5, MAX_DEPTH = 8 };
enum result { DONE, WAIT, FAILED };

/* How far a copy has read a chat (public, or what one person alone sees), and last pressed there.
 */
struct view {
    int64_t chat, receiver;
    uint64_t seen, pressed;
};

struct copy {
    int number, at, depth, n_views, mover, pings;
    int64_t left[MAX_DEPTH];
    uint64_t since[MAX_DEPTH]; /* what loops wait for was not said until then */
    uint64_t looked;           /* what the step waits for was not there until then */
    struct view views[MAX_VIEWS];
    struct chat *groups[MAX_GROUPS];
    int64_t last_tap[MAX_PEOPLE];
    uint64_t always[MAX_ALWAYS]; /* the newest message on which this was pressed */
    int64_t deadline, turn, acted_at;
    uint64_t acted_event;
    bool over, tried_in_vain, pinging;
    char *last_words;
    struct words *words;      /* all that was said and edited, newest first */
    const struct words *held; /* the newest when `holds` or `releases` came */
};

struct words {
    struct words *before;
    const struct chat *chat;
    int64_t receiver, thread;
    char *text;
};

static struct script script;
static struct copy *copies;
static int n_over, n_failed, n_errors;
static char *errors[MAX_ERRORS];
static int64_t presses, texts, killed, steps_done, from_ns, to_ns, n_latency, latency_cap;
static int64_t crowd_ns,
    crowd_deeds; /* as long as most copies played: from then on some wait for the others */
static uint32_t *latency;

static void run(struct copy *x);

/* ---- who and where ---- */

static int64_t person_id(const struct copy *x, int person)
{
    return script.people[person].id + (int64_t)x->number * STRIDE;
}

static struct chat *place(const struct copy *x, const struct step *s, int person)
{
    if (s->group != NOBODY)
        return x->groups[s->group];
    return world_chat(person_id(x, person));
}

static int actor(const struct copy *x, const struct step *s)
{
    return s->person == MOVER ? x->mover : s->person;
}

static struct view *view(struct copy *x, int64_t chat, int64_t receiver)
{
    for (int i = 0; i < x->n_views; i++)
        if (x->views[i].chat == chat && x->views[i].receiver == receiver)
            return &x->views[i];
    if (x->n_views == MAX_VIEWS) {
        fprintf(stderr, "fake telegram: a scenario with more than %d views\n", MAX_VIEWS);
        exit(2);
    }
    x->views[x->n_views] = (struct view){.chat = chat, .receiver = receiver};
    return &x->views[x->n_views++];
}

/* "{copy}" becomes the copy's number; the first copy has none. */
static char *filled(const struct copy *x, const char *text)
{
    struct text t = {0};
    const char *gap;
    for (; (gap = strstr(text, "{copy}")); text = gap + 6) {
        text_add(&t, text, (size_t)(gap - text));
        if (x->number > 0)
            text_int(&t, x->number);
    }
    text_put(&t, text);
    return t.p;
}

static bool matches(const struct step *s, const char *text)
{
    return regexec(&s->pattern, text, 0, NULL, 0) == 0;
}

/* ---- looking ---- */

/* The earliest thing the bot said after `since` that matches. */
static struct message *said_since(const struct step *s, struct chat *c, int64_t receiver,
                                  uint64_t since)
{
    struct message *best = NULL;
    for (size_t i = 0; i < c->n; i++) {
        struct message *m = &c->messages[i];
        if (m->from || m->receiver != receiver || m->event <= since ||
            (s->thread && m->thread != s->thread))
            continue;
        if ((!best || m->event < best->event) && matches(s, m->text))
            best = m;
    }
    return best;
}

static int64_t receiver_of(const struct copy *x, const struct step *s)
{
    int who = actor(x, s);
    return s->group != NOBODY && who >= 0 ? person_id(x, who) : 0;
}

static void time_it(struct copy *x, const struct message *m)
{
    if (!x->acted_at || m->event <= x->acted_event)
        return;
    if (n_latency == latency_cap)
        latency =
            must(realloc(latency, (size_t)(latency_cap = latency_cap ? latency_cap * 2 : 1024) *
                                      sizeof *latency));
    latency[n_latency++] = (uint32_t)((wire_now() - x->acted_at) / 1000);
    x->acted_at = 0;
}

static enum result do_expect(struct copy *x, const struct step *s)
{
    int64_t receiver = receiver_of(x, s);
    struct chat *c = place(x, s, actor(x, s));
    struct view *v = view(x, c->id, receiver);
    uint64_t since = v->seen > x->looked ? v->seen : x->looked;
    struct message *m = said_since(s, c, receiver, since);
    if (!m)
        return WAIT;
    v->seen = m->event;
    time_it(x, m);
    return DONE;
}

/* How often it was said, whatever became of the message later: of all that is newer than `from`. */
static int64_t times_said(struct copy *x, const struct step *s, const struct words *from)
{
    const struct chat *c = place(x, s, actor(x, s));
    int64_t n = 0;
    for (const struct words *w = x->words; w != from; w = w->before)
        n += (w->chat == c || w->chat->moved_to == c->id) && w->receiver == receiver_of(x, s) &&
             matches(s, w->text) && (!s->thread || w->thread == s->thread);
    return n;
}

static void keep_words(struct copy *x, const struct chat *c, const struct message *m,
                       const char *text)
{
    struct words *w = must(malloc(sizeof *w));
    *w = (struct words){x->words, c, m ? m->receiver : 0, m ? m->thread : 0, must(strdup(text))};
    x->words = w;
}

static enum result do_hold(struct copy *x, const struct step *s)
{
    x->held = x->words;
    if (s->verb == HOLDS)
        api_hold(x->groups[s->group]);
    else
        api_release(x->groups[s->group]);
    return DONE;
}

/* The newest public text with "NAME something": who is that? */
static enum result do_who(struct copy *x, const struct step *s)
{
    struct chat *c = place(x, s, actor(x, s));
    const struct message *best = NULL;
    for (size_t i = 0; i < c->n; i++)
        if (!c->messages[i].from && !c->messages[i].receiver && !c->messages[i].gone &&
            (!s->thread || c->messages[i].thread == s->thread) && matches(s, c->messages[i].text) &&
            (!best || c->messages[i].event > best->event))
            best = &c->messages[i];
    regmatch_t part[2];
    if (!best || regexec(&s->pattern, best->text, 2, part, 0) != 0 || part[1].rm_so < 0)
        return WAIT;
    for (int i = 0; i < script.n_people; i++) {
        size_t n = strlen(script.people[i].name);
        if (n == (size_t)(part[1].rm_eo - part[1].rm_so) &&
            strncmp(script.people[i].name, best->text + part[1].rm_so, n) == 0) {
            x->mover = i;
            return DONE;
        }
    }
    return WAIT;
}

/* ---- pressing ---- */

struct found {
    const struct message *message;
    const char *label, *data;
    int person;
};

static void look_at_buttons(const struct step *s, const struct message *m, int person,
                            struct found *best)
{
    const cJSON *row, *b;
    int n = 0;
    cJSON_ArrayForEach(row, cJSON_GetObjectItem(m->markup, "inline_keyboard"))
        cJSON_ArrayForEach(b, row)
    {
        const char *label = cJSON_GetStringValue(cJSON_GetObjectItem(b, "text"));
        const char *data = cJSON_GetStringValue(cJSON_GetObjectItem(b, "callback_data"));
        if (!data || matches(s, label) == s->but)
            continue;
        n++;
        bool take = n == 1 || s->last || (s->chance && world_chance() * n < 1);
        if (take)
            *best = (struct found){m, label, data, person};
    }
}

static void look_for_button(struct copy *x, const struct step *s, int person, struct found *best)
{
    struct chat *c = place(x, s, person);
    int64_t id = person_id(x, person);
    uint64_t after = s->again || s->always ? 0 : view(x, c->id, id)->pressed;
    after = s->always || after > x->looked ? after : x->looked;
    for (size_t i = 0; i < c->n; i++) {
        const struct message *m = &c->messages[i];
        if (m->from || m->gone || (m->receiver && m->receiver != id && !s->stolen) ||
            m->event <= after)
            continue;
        if (!best->message || m->event > best->message->event)
            look_at_buttons(s, m, person, best);
    }
}

static int64_t make_press(struct copy *x, const struct step *s, const struct found *f,
                          const char *data)
{
    const char *who = script.people[f->person].key;
    struct chat *c = place(x, s, f->person);
    struct tap *tap = deed_press(c, person_id(x, f->person), f->message, data, s->late);
    presses++;
    ledger_press(who, c, tap, f->label, data);
    if (opt.trace)
        fprintf(stderr, "%d %s presses [%s] %s\n", x->number, who, f->label, data);
    return tap->n;
}

static void pressed(struct copy *x, const struct step *s, const struct found *f, const char *data)
{
    struct chat *c = place(x, s, f->person);
    uint64_t *mark = &view(x, c->id, person_id(x, f->person))->pressed;
    *mark = f->message->event > *mark ? f->message->event : *mark;
    x->acted_at = wire_now();
    x->acted_event = world_events;
    x->last_tap[f->person] = make_press(x, s, f, data);
}

/* "p1.2.0.MAC" speaks of another move than was sealed: "p1.2.1.MAC". */
static void other_index(char *data)
{
    char *dot = strchr(data, '.');
    dot = dot ? strchr(dot + 1, '.') : NULL;
    if (dot)
        dot[1] = dot[1] == '1' ? '0' : '1';
}

static enum result do_press(struct copy *x, const struct step *s)
{
    struct found best = {0};
    int who = actor(x, s);
    for (int i = 0; i < script.n_people; i++)
        if (who == ANYBODY || who == i)
            look_for_button(x, s, i, &best);
    if (!best.message)
        return WAIT;
    char *data = must(strdup(best.data));
    if (s->lying)
        other_index(data);
    pressed(x, s, &best, data);
    free(data);
    return DONE;
}

/* What somebody presses whenever it is there: once on each message, beside the steps. */
static void press_always(struct copy *x)
{
    for (int i = 0; i < script.n_always; i++) {
        const struct step *s = &script.always[i];
        struct found f = {0};
        look_for_button(x, s, s->person, &f);
        if (!f.message || f.message->event <= x->always[i])
            continue;
        char *data = must(strdup(f.data));
        x->always[i] = f.message->event;
        make_press(x, s, &f, data);
        free(data);
    }
}

/* Presses what no button says, on the newest message of the bot in the chat. */
static enum result do_forge(struct copy *x, const struct step *s)
{
    struct chat *c = place(x, s, actor(x, s));
    for (size_t i = c->n; i-- > 0;)
        if (!c->messages[i].from && !c->messages[i].gone && !c->messages[i].receiver) {
            struct found f = {&c->messages[i], "forged", s->text, actor(x, s)};
            pressed(x, s, &f, s->text);
            return DONE;
        }
    return WAIT;
}

/* ---- through the bot ---- */

static bool title_matches(void *with, const char *title)
{
    return matches(with, title);
}

static enum result do_ask(struct copy *x, const struct step *s)
{
    struct chat *c = place(x, s, actor(x, s));
    int64_t who = person_id(x, actor(x, s));
    if (s->verb == MENTION) {
        inline_mention(c, who, s->text);
        return DONE;
    }
    if (s->verb == ASK) {
        inline_ask(c, who, s->text);
        return DONE;
    }
    struct step pattern = *s;
    return inline_say(c, who, title_matches, &pattern) ? DONE : WAIT;
}

static enum result do_toast(struct copy *x, const struct step *s)
{
    char id[32];
    snprintf(id, sizeof id, "tap%lld", (long long)x->last_tap[actor(x, s)]);
    struct tap *tap = world_tap(id);
    if (!tap || !tap->answered)
        return WAIT;
    return matches(s, tap->answer) ? DONE : FAILED;
}

/* ---- the other steps ---- */

static void speak(struct copy *x, const struct step *s, const char *words)
{
    int who = actor(x, s);
    enum deed_as as = who == ANONYMOUS ? AS_ANONYMOUS : s->verb == SAY_HIDDEN ? AS_HIDDEN : AS_SELF;
    struct chat *c = who == ANONYMOUS ? x->groups[s->group] : place(x, s, who);
    texts++;
    x->acted_at = wire_now();
    x->acted_event = world_events;
    const char *key = who >= 0 ? script.people[who].key : "anonymous";
    ledger_say(key, c, words);
    if (opt.trace)
        fprintf(stderr, "%d %s in %s: %s\n", x->number, key, c->title, words);
    deed_say(c, who >= 0 ? person_id(x, who) : 0, s->thread, words, as);
}

static enum result do_say(struct copy *x, const struct step *s)
{
    char *words = filled(x, s->text);
    speak(x, s, words);
    free(words);
    return DONE;
}

/* Asks whether the bot is there, with a number of its own, and waits for the answer: then all that was
 * said and pressed there before has been dealt with. */
static enum result do_ping(struct copy *x, const struct step *s)
{
    struct chat *c = place(x, s, actor(x, s));
    char words[32];
    x->pings += !x->pinging;
    snprintf(words, sizeof words, "/ping %d.%d", x->number, x->pings);
    if (!x->pinging)
        speak(x, s, words);
    snprintf(words, sizeof words, "pong %d.%d", x->number, x->pings);
    x->pinging = true;
    for (size_t i = c->n; i-- > 0 && x->pinging;)
        x->pinging = c->messages[i].from || strcmp(c->messages[i].text, words) != 0;
    return x->pinging ? WAIT : DONE;
}

static enum result do_forget(struct copy *x, const struct step *s)
{
    struct chat *c = place(x, s, actor(x, s));
    for (size_t i = 0; i < c->n; i++)
        c->messages[i].gone |= c->messages[i].receiver == person_id(x, actor(x, s));
    return DONE;
}

static enum result do_group(struct copy *x, const struct step *s)
{
    struct chat **c = &x->groups[s->group];
    int64_t by = person_id(x, s->person >= 0 ? s->person : 0);
    if (s->verb == MIGRATES)
        *c = deed_migrate(*c, by, (*c)->id - 1000000000000);
    else
        deed_standing(*c, by,
                      s->verb == PROMOTES  ? BOT_ADMIN
                      : s->verb == REMOVES ? BOT_KICKED
                                           : BOT_MEMBER);
    return DONE;
}

static enum result do_step(struct copy *x, const struct step *s)
{
    switch (s->verb) {
    case SAY:
    case SAY_HIDDEN:
        return do_say(x, s);
    case PRESS:
        return do_press(x, s);
    case FORGE:
        return do_forge(x, s);
    case ASK:
    case CHOOSE:
    case MENTION:
        return do_ask(x, s);
    case DEAF:
        inline_feedback = false;
        return DONE;
    case EXPECT:
        return do_expect(x, s);
    case NEVER:
        return times_said(x, s, NULL) == 0 ? DONE : FAILED;
    case MOST:
        return times_said(x, s, x->held) <= s->n ? DONE : FAILED;
    case HOLDS:
    case RELEASES:
        return do_hold(x, s);
    case TOAST:
        return do_toast(x, s);
    case WHO:
        return do_who(x, s);
    case FORGETS:
        return do_forget(x, s);
    case PINGS:
        return do_ping(x, s);
    case BLOCKS:
        deed_block(person_id(x, actor(x, s)));
        return DONE;
    case KILL:
        child_kill(SIGKILL);
        return DONE;
    case STOP:
        child_kill(SIGTERM);
        return DONE;
    case START:
        child_start();
        return DONE;
    case STORM:
    case GATEWAY:
    case LOSE:
        api_order(s->verb == STORM     ? FAULT_429
                  : s->verb == GATEWAY ? FAULT_502
                                       : FAULT_LOST,
                  (int)s->n, (int)s->seconds);
        return DONE;
    case ANSWERED:
        return world_all_answered() ? DONE : WAIT;
    case AGE:
        updates_age(s->n);
        return DONE;
    case TWICE:
    case BACKWARDS:
        updates_twist(s->verb == TWICE, s->verb == BACKWARDS);
        return DONE;
    default:
        return do_group(x, s);
    }
}

/* ---- running ---- */

static void over(struct copy *x, const struct step *failed)
{
    x->over = true;
    if (failed) {
        struct text t = {0};
        n_failed++;
        text_print(&t, "%s:%d (copy %d): %s; last from the bot: %.300s", opt.play, failed->line,
                   x->number, failed->text ? failed->text : "",
                   x->last_words ? x->last_words : "nothing");
        if (opt.trace)
            fprintf(stderr, "%s\n", t.p);
        if (n_errors < MAX_ERRORS)
            errors[n_errors++] = t.p;
        else
            text_free(&t);
    }
    if (++n_over * 2 >= opt.copies && crowd_ns == 0) {
        crowd_ns = wire_now();
        crowd_deeds = texts + presses;
    }
    if (n_over == opt.copies) {
        to_ns = wire_now();
        wire_stop();
    }
}

/* Enters, repeats or leaves a loop. */
static void loop_step(struct copy *x, const struct step *s)
{
    if (s->verb == REPEAT) {
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

/* Has a loop met what it waits for? Then on behind its end. */
static void leave_loops(struct copy *x)
{
    for (int d = 0, at = 0; d < x->depth; d++) {
        while (script.steps[at].verb != REPEAT || script.steps[at].other_end < x->at)
            at++;
        const struct step *s = &script.steps[at++];
        if (s->until && said_since(s, place(x, s, actor(x, s)), receiver_of(x, s), x->since[d])) {
            x->depth = d;
            x->at = s->other_end + 1;
            x->deadline = 0;
            x->looked = 0;
            return;
        }
        x->since[d] = world_events;
    }
}

struct alarm {
    struct copy *x;
    int64_t turn;
};

static void too_late(void *with)
{
    struct alarm *a = with;
    struct copy *x = a->x;
    if (!x->over && x->turn == a->turn) {
        const struct step *s = &script.steps[x->at];
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
    struct alarm *a = must(malloc(sizeof *a));
    x->deadline = wire_now() + (int64_t)(seconds * 1e9);
    *a = (struct alarm){x, ++x->turn};
    wire_at(x->deadline, too_late, a);
}

static void run(struct copy *x)
{
    while (!x->over) {
        leave_loops(x);
        if (x->at == script.n) {
            over(x, NULL);
            return;
        }
        const struct step *s = &script.steps[x->at];
        if (s->verb == REPEAT || s->verb == END) {
            loop_step(x, s);
            continue;
        }
        enum result r = s->otherwise && !x->tried_in_vain ? DONE : do_step(x, s);
        if (r == WAIT) {
            x->looked = world_events;
            press_always(x);
            arm(x, s->try ? s->within : s->within * opt.patience);
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

/* ---- what the bot does ---- */

static void polled(void)
{
    static bool once;
    if (once)
        return;
    once = true;
    from_ns = wire_now();
    for (int i = 0; i < opt.copies; i++)
        run(&copies[i]);
}

static void handed(uint32_t tag, int64_t now)
{
    (void)tag, (void)now;
}

static void restart(void *unused)
{
    (void)unused;
    child_start();
}

/* --kill-every counts presses here: the bot dies between two of them, whatever it was doing. */
static void kill_if_due(void)
{
    if (!opt.kill_every || killed == opt.kills || presses < (killed + 1) * opt.kill_every)
        return;
    killed++;
    child_kill(opt.kill_signal);
    wire_at(wire_now() + (int64_t)(opt.restart_ms * 1e6), restart, NULL);
}

/* The copy whose people and groups these are; groups keep their number after a migration. */
static struct copy *copy_of(int64_t chat)
{
    int64_t n = llabs(chat) % 1000000000000 / STRIDE;
    return n < opt.copies ? &copies[n] : NULL;
}

static void said(struct chat *c, struct message *m, const char *text)
{
    struct copy *x = copy_of(c->id);
    if (m)
        ledger_bot(c, m);
    if (opt.trace) {
        char *markup = m && m->markup ? cJSON_PrintUnformatted(m->markup) : NULL;
        fprintf(stderr, "   bot in %s%s: %s\n%s%s", c->title, m && m->receiver ? " (whisper)" : "",
                text, markup ? markup : "", markup ? "\n" : "");
        free(markup);
    }
    if (!x || x->over)
        return;
    keep_words(x, c, m, text);
    free(x->last_words);
    x->last_words = must(strdup(text));
    run(x);
}

static void answered(struct tap *t)
{
    struct copy *x = copy_of(t->person);
    ledger_answer(t);
    if (opt.trace)
        fprintf(stderr, "   bot answers tap%lld: %s\n", (long long)t->n, t->answer);
    if (x && !x->over)
        run(x);
    kill_if_due();
}

static void watch(void *unused)
{
    (void)unused;
    int64_t now = wire_now();
    bool ended = child_ended();
    if (ended)
        fprintf(stderr, "fake telegram: the bot ended by itself\n");
    to_ns = now;
    if (ended || (double)(now - from_ns) / 1e9 > opt.max_s)
        wire_stop();
    else
        wire_at(now + 100000000, watch, NULL);
}

static void make_world(struct copy *x)
{
    for (int i = 0; i < script.n_people; i++) {
        const struct cast_person *p = &script.people[i];
        world_person_new((struct person){person_id(x, i), p->name, filled(x, p->handle),
                                         p->language, p->opened, false});
        world_chat_new(person_id(x, i), CHAT_PRIVATE, p->name);
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

void play_begin(void)
{
    world_keeps = true;
    script_read(&script, opt.play);
    copies = must(calloc((size_t)opt.copies, sizeof *copies));
    for (int i = 0; i < opt.copies; i++) {
        copies[i].number = i;
        copies[i].mover = NOBODY;
        make_world(&copies[i]);
    }
    hooks = (struct hooks){polled, handed, said, answered};
    from_ns = wire_now();
    wire_at(from_ns, watch, NULL);
}

bool play_report(struct text *t)
{
    double wall = (double)(to_ns - from_ns) / 1e9;
    double crowd = (double)((crowd_ns ? crowd_ns : to_ns) - from_ns) / 1e9;
    text_put(t, "\"mode\":\"play\",\"scenario\":");
    text_json(t, opt.play);
    text_print(t, ",\"copies\":%d,\"passed\":%d,\"failed\":%d,\"unfinished\":%d,\"wall_s\":%.3f,",
               opt.copies, n_over - n_failed, n_failed, opt.copies - n_over, wall);
    text_print(t,
               "\"steps\":%lld,\"texts\":%lld,\"presses\":%lld,\"kills\":%lld,\"deeds_per_s\":%.1f,"
               "\"crowd_deeds_per_s\":%.1f,"
               "\"cpu_ms_per_deed\":%.3f,\"server_busy\":%.2f,\"p50_ms\":%.3f,\"p99_ms\":%.3f,"
               "\"cpu_s\":%.3f,\"rss_mb\":%.1f,\"errors\":[",
               (long long)steps_done, (long long)texts, (long long)presses, (long long)killed,
               (double)(texts + presses) / wall,
               (double)(crowd_ns ? crowd_deeds : texts + presses) / crowd,
               child_cpu() * 1e3 / (double)(texts + presses), (double)wire_cpu() / 1e9 / wall,
               percentile_ms(latency, n_latency, .5), percentile_ms(latency, n_latency, .99),
               child_cpu(), child_rss());
    for (int i = 0; i < n_errors; i++) {
        text_put(t, i ? "," : "");
        text_json(t, errors[i]);
    }
    text_put(t, "],");
    return n_over == opt.copies && n_failed == 0;
}
