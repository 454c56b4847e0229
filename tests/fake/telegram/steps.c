/* Steps of a story, a row each; see story.h. */
#include "story.h"

#include "api.h"
#include "bot.h"

#include <signal.h>

/* ---- who and where ---- */

int64_t play_person(const struct copy *x, int person)
{
    return script.people[person].id + (int64_t)x->number * STRIDE;
}

static int actor(const struct copy *x, const struct story_step *s)
{
    return s->person == MOVER ? x->mover : s->person;
}

/* The chat of a step, for this person. */
static struct tg_chat *place(const struct copy *x, const struct story_step *s, int person)
{
    return s->group != NOBODY ? x->groups[s->group] : world_chat(play_person(x, person));
}

/* The only person who sees what the step looks for; 0: everybody. */
static int64_t receiver(const struct copy *x, const struct story_step *s)
{
    int who = actor(x, s);
    return s->group != NOBODY && who >= 0 ? play_person(x, who) : 0;
}

static struct copy_view *view(struct copy *x, int64_t chat, int64_t of)
{
    for (int i = 0; i < x->n_views; i++)
        if (x->views[i].chat == chat && x->views[i].receiver == of)
            return &x->views[i];
    if (x->n_views == MAX_VIEWS) {
        fprintf(stderr, "fake telegram: a story with more than %d views\n", MAX_VIEWS);
        exit(2);
    }
    x->views[x->n_views] = (struct copy_view){.chat = chat, .receiver = of};
    return &x->views[x->n_views++];
}

static bool matches(const struct story_step *s, const char *text)
{
    return regexec(&s->pattern, text, 0, NULL, 0) == 0;
}

char *play_filled(const struct copy *x, const char *text)
{
    struct text_buffer t = {0};
    txt_put(&t, "");
    while (*text) {
        size_t n = *text == '{' ? strcspn(text, "}") : 0;
        bool copy = n == 5 && strncmp(text, "{copy}", 6) == 0;
        int person = n > 0 ? script.n_people : 0;
        while (person-- > 0)
            if (strlen(script.people[person].key) == n - 1 &&
                strncmp(script.people[person].key, text + 1, n - 1) == 0)
                break;
        if (copy && x->number > 0)
            txt_int(&t, x->number);
        else if (person >= 0)
            txt_print(&t, "[%lld]", (long long)play_person(x, person));
        else if (!copy)
            n = 0;
        if (n == 0)
            txt_add(&t, text, 1);
        text += n + 1;
    }
    return t.p;
}

/* ---- messages of the bot ---- */

struct tg_message *play_said_since(const struct copy *x, const struct story_step *s, uint64_t since)
{
    struct tg_chat *c = place(x, s, actor(x, s));
    struct tg_message *best = NULL;
    for (size_t i = 0; i < c->n; i++) {
        struct tg_message *m = &c->messages[i];
        if (m->from || m->receiver != receiver(x, s) || m->event <= since ||
            (s->thread && m->thread != s->thread))
            continue;
        if ((!best || m->event < best->event) && matches(s, m->text))
            best = m;
    }
    return best;
}

static enum result expect(struct copy *x, const struct story_step *s)
{
    struct copy_view *v = view(x, place(x, s, actor(x, s))->id, receiver(x, s));
    struct tg_message *m = play_said_since(x, s, v->seen > x->looked ? v->seen : x->looked);
    if (!m)
        return WAIT;
    v->seen = m->event;
    play_time(x, m);
    return DONE;
}

/* No more than s->n matching messages, also of those changed or erased later; `most`: since the
 * last `holds` or `releases`. */
static enum result most(struct copy *x, const struct story_step *s)
{
    const struct tg_chat *c = place(x, s, actor(x, s));
    bool never = s->verb->arg;
    int64_t n = 0;
    for (const struct copy_words *w = x->words; w != (never ? NULL : x->held); w = w->before)
        n += (w->chat == c || w->chat->moved_to == c->id) && w->receiver == receiver(x, s) &&
             matches(s, w->text) && (!s->thread || w->thread == s->thread);
    return n <= (never ? 0 : s->n) ? DONE : FAILED;
}

static enum result hold(struct copy *x, const struct story_step *s)
{
    x->held = x->words;
    if (s->verb->arg)
        api_hold(x->groups[s->group]);
    else
        api_release(x->groups[s->group]);
    return DONE;
}

/* Takes the person whom the newest matching public text names as the mover. */
static enum result who(struct copy *x, const struct story_step *s)
{
    struct tg_chat *c = place(x, s, actor(x, s));
    const struct tg_message *best = NULL;
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

/* ---- buttons and inline answers, found by their labels ---- */

struct copy_button {
    const struct tg_message *message;
    const char *label, *data;
    int person;
};

static void look_at_buttons(const struct story_step *s, const struct tg_message *m, int person,
                            struct copy_button *best)
{
    const cJSON *row, *b;
    int n = 0;
    cJSON_ArrayForEach(row, js_at(m->markup, "inline_keyboard"))
    {
        cJSON_ArrayForEach(b, row)
        {
            const char *label = js_text(b, "text"), *data = js_text(b, "callback_data");
            if (!*data || matches(s, label) == s->but)
                continue;
            n++;
            if (n == 1 || s->last || (s->chance && world_chance() * n < 1))
                *best = (struct copy_button){m, label, data, person};
        }
    }
}

static void look_for_button(struct copy *x, const struct story_step *s, int person,
                            struct copy_button *best)
{
    struct tg_chat *c = place(x, s, person);
    int64_t id = play_person(x, person);
    uint64_t after = s->again || s->always ? 0 : view(x, c->id, id)->pressed;
    after = s->always || after > x->looked ? after : x->looked;
    for (size_t i = 0; i < c->n; i++) {
        const struct tg_message *m = &c->messages[i];
        if (m->from || m->gone || (m->receiver && m->receiver != id && !s->stolen) ||
            m->event <= after)
            continue;
        if (!best->message || m->event > best->message->event)
            look_at_buttons(s, m, person, best);
    }
}

static int64_t make_press(struct copy *x, const struct story_step *s, const struct copy_button *f,
                          const char *data)
{
    const char *key = script.people[f->person].key;
    struct tg_chat *c = place(x, s, f->person);
    struct tap *tap = action_press(c, play_person(x, f->person), f->message, data, s->late);
    tally.presses++;
    event_log("press", ",'by':%s,'chat':%lld,'tap':%lld,'label':%s,'data':%s", key,
              (long long)c->id, (long long)tap->n, f->label, data);
    if (opt.trace)
        fprintf(stderr, "%d %s presses [%s] %s\n", x->number, key, f->label, data);
    return tap->n;
}

static enum result pressed(struct copy *x, const struct story_step *s, const struct copy_button *f,
                           const char *data)
{
    struct tg_chat *c = place(x, s, f->person);
    uint64_t *mark = &view(x, c->id, play_person(x, f->person))->pressed;
    *mark = f->message->event > *mark ? f->message->event : *mark;
    x->acted_at = serve_now();
    x->acted_event = world_events;
    x->last_tap[f->person] = make_press(x, s, f, data);
    return DONE;
}

static enum result press(struct copy *x, const struct story_step *s)
{
    struct copy_button best = {0};
    int by = actor(x, s);
    for (int i = 0; i < script.n_people; i++)
        if (by == ANYBODY || by == i)
            look_for_button(x, s, i, &best);
    if (!best.message)
        return WAIT;
    char *data = must(strdup(best.data)), *dot = s->lying ? strchr(data, '.') : NULL;
    dot = dot ? strchr(dot + 1, '.') : NULL;
    if (dot) /* another move: "p1.2.0.MAC" becomes "p1.2.1.MAC" */
        dot[1] = dot[1] == '1' ? '0' : '1';
    pressed(x, s, &best, data);
    free(data);
    return DONE;
}

void play_press_always(struct copy *x)
{
    for (int i = 0; i < script.n_always; i++) {
        const struct story_step *s = &script.always[i];
        struct copy_button f = {0};
        look_for_button(x, s, s->person, &f);
        if (!f.message || f.message->event <= x->always[i])
            continue;
        char *data = must(strdup(f.data));
        x->always[i] = f.message->event;
        make_press(x, s, &f, data);
        free(data);
    }
}

/* Presses data that no button holds, on the newest message of the bot in the chat. */
static enum result forge(struct copy *x, const struct story_step *s)
{
    struct tg_chat *c = place(x, s, actor(x, s));
    for (size_t i = c->n; i-- > 0;)
        if (!c->messages[i].from && !c->messages[i].gone && !c->messages[i].receiver)
            return pressed(x, s,
                           &(struct copy_button){&c->messages[i], "forged", s->text, actor(x, s)},
                           s->text);
    return WAIT;
}

static enum result toast(struct copy *x, const struct story_step *s)
{
    char id[32];
    snprintf(id, sizeof id, "tap%lld", (long long)x->last_tap[actor(x, s)]);
    struct tap *tap = world_tap(id);
    if (!tap || !tap->answered)
        return WAIT;
    return matches(s, tap->answer) ? DONE : FAILED;
}

static enum result ask(struct copy *x, const struct story_step *s)
{
    inline_ask(place(x, s, actor(x, s)), play_person(x, actor(x, s)), s->text);
    return DONE;
}

static enum result mention(struct copy *x, const struct story_step *s)
{
    inline_mention(place(x, s, actor(x, s)), play_person(x, actor(x, s)), s->text);
    return DONE;
}

static bool title_matches(const void *with, const char *title)
{
    return matches(with, title);
}

static enum result choose(struct copy *x, const struct story_step *s)
{
    return inline_say(place(x, s, actor(x, s)), play_person(x, actor(x, s)), title_matches, s)
               ? DONE
               : WAIT;
}

/* ---- texts ---- */

static void speak(struct copy *x, const struct story_step *s, const char *words)
{
    int by = actor(x, s);
    struct tg_chat *c = by == ANONYMOUS ? x->groups[s->group] : place(x, s, by);
    const char *key = by >= 0 ? script.people[by].key : "anonymous";
    tally.texts++;
    x->acted_at = serve_now();
    x->acted_event = world_events;
    event_log("say", ",'by':%s,'chat':%lld,'text':%s", key, (long long)c->id, words);
    if (opt.trace)
        fprintf(stderr, "%d %s in %s: %s\n", x->number, key, c->title, words);
    action_say(c, by >= 0 ? play_person(x, by) : 0, s->thread, words,
               by == ANONYMOUS ? AS_ANONYMOUS : (enum action_as)s->verb->arg);
}

static enum result say(struct copy *x, const struct story_step *s)
{
    char *words = play_filled(x, s->text);
    speak(x, s, words);
    free(words);
    return DONE;
}

/* Sends /ping with a number of its own and waits for the answer: then the bot has handled
 * everything before it. */
static enum result ping(struct copy *x, const struct story_step *s)
{
    struct tg_chat *c = place(x, s, actor(x, s));
    char words[32];
    x->pings += !x->pinging;
    snprintf(words, sizeof words, "/ping %d n %d", x->number, x->pings);
    if (!x->pinging)
        speak(x, s, words);
    snprintf(words, sizeof words, "pong %d n %d", x->number, x->pings);
    x->pinging = true;
    for (size_t i = c->n; i-- > 0 && x->pinging;)
        x->pinging = c->messages[i].from || strcmp(c->messages[i].text, words) != 0;
    return x->pinging ? WAIT : DONE;
}

static enum result forget(struct copy *x, const struct story_step *s)
{
    struct tg_chat *c = place(x, s, actor(x, s));
    for (size_t i = 0; i < c->n; i++)
        c->messages[i].gone |= c->messages[i].receiver == play_person(x, actor(x, s));
    return DONE;
}

/* ---- groups, the bot, the delivery ---- */

static int64_t doer(const struct copy *x, const struct story_step *s)
{
    return play_person(x, s->person >= 0 ? s->person : 0);
}

static enum result standing(struct copy *x, const struct story_step *s)
{
    action_standing(x->groups[s->group], doer(x, s), (enum tg_standing)s->verb->arg);
    return DONE;
}

static enum result migrate(struct copy *x, const struct story_step *s)
{
    struct tg_chat **c = &x->groups[s->group];
    *c = action_migrate(*c, doer(x, s), (*c)->id - 1000000000000);
    return DONE;
}

static enum result block(struct copy *x, const struct story_step *s)
{
    action_block(play_person(x, actor(x, s)));
    return DONE;
}

static enum result start(struct copy *x, const struct story_step *s)
{
    (void)x, (void)s;
    child_start();
    return DONE;
}

static enum result kill_bot(struct copy *x, const struct story_step *s)
{
    (void)x;
    child_kill(s->verb->arg);
    return DONE;
}

static enum result fault(struct copy *x, const struct story_step *s)
{
    (void)x;
    api_order((enum api_fault)s->verb->arg, (int)s->n, (int)s->seconds);
    return DONE;
}

static enum result unfed(struct copy *x, const struct story_step *s)
{
    (void)x, (void)s;
    inline_feedback = false;
    return DONE;
}

static enum result age(struct copy *x, const struct story_step *s)
{
    (void)x;
    updates_age(s->n);
    return DONE;
}

static enum result twist(struct copy *x, const struct story_step *s)
{
    (void)x;
    updates_twist(!s->verb->arg, s->verb->arg);
    return DONE;
}

static enum result answered(struct copy *x, const struct story_step *s)
{
    (void)x, (void)s;
    return world_all_answered() ? DONE : WAIT;
}

const struct story_verb story_verbs[] = {
    {">", say, AS_SELF, PLAIN},
    {">>", say, AS_HIDDEN, PLAIN},
    {":", expect, 0, PATTERN},
    {"never", most, true, PATTERN},
    {"most", most, false, PATTERN},
    {"who", who, 0, PATTERN},
    {"presses", press, 0, PATTERN},
    {"forges", forge, 0, PLAIN},
    {"toast", toast, 0, PATTERN},
    {"asks", ask, 0, PLAIN},
    {"says", choose, 0, PATTERN},
    {"mentions", mention, 0, PLAIN},
    {"pings", ping, AS_SELF, PLAIN},
    {"forgets", forget, 0, PLAIN},
    {"blocks", block, 0, PLAIN},
    {"holds", hold, true, PLAIN},
    {"releases", hold, false, PLAIN},
    {"migrates", migrate, 0, PLAIN},
    {"promotes", standing, BOT_ADMIN, PLAIN},
    {"demotes", standing, BOT_MEMBER, PLAIN},
    {"removes", standing, BOT_KICKED, PLAIN},
    {"adds", standing, BOT_MEMBER, PLAIN},
    {"repeat", NULL, true, ALONE},
    {"end", NULL, false, ALONE},
    {"start", start, 0, ALONE},
    {"kill", kill_bot, SIGKILL, ALONE},
    {"stop", kill_bot, SIGTERM, ALONE},
    {"storm", fault, FAULT_429, ALONE},
    {"gateway", fault, FAULT_502, ALONE},
    {"lose", fault, FAULT_LOST, ALONE},
    {"age", age, 0, ALONE},
    {"twice", twist, false, ALONE},
    {"backwards", twist, true, ALONE},
    {"unfed", unfed, 0, ALONE},
    {"answered", answered, 0, ALONE},
    {NULL, NULL, 0, PLAIN},
};
