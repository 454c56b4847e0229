/* Steps that press buttons and choose inline answers, found by their labels. */
#include "play_copy.h"

#include "actions.h"
#include "fake/telegram/inline.h"
#include "fake/telegram/bot/event_log.h"
#include "fake/telegram/options.h"

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
    cJSON_ArrayForEach(row, cJSON_GetObjectItem(m->markup, "inline_keyboard"))
        cJSON_ArrayForEach(b, row)
    {
        const char *label = cJSON_GetStringValue(cJSON_GetObjectItem(b, "text"));
        const char *data = cJSON_GetStringValue(cJSON_GetObjectItem(b, "callback_data"));
        if (!data || play_matches(s, label) == s->but)
            continue;
        n++;
        bool take = n == 1 || s->last || (s->chance && world_chance() * n < 1);
        if (take)
            *best = (struct copy_button){m, label, data, person};
    }
}

static void look_for_button(struct copy *x, const struct story_step *s, int person,
                            struct copy_button *best)
{
    struct tg_chat *c = play_place(x, s, person);
    int64_t id = play_person(x, person);
    uint64_t after = s->again || s->always ? 0 : play_view(x, c->id, id)->pressed;
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
    const char *who = script.people[f->person].key;
    struct tg_chat *c = play_place(x, s, f->person);
    struct tap *tap = action_press(c, play_person(x, f->person), f->message, data, s->late);
    tally.presses++;
    event_log_press(who, c, tap, f->label, data);
    if (opt.trace)
        fprintf(stderr, "%d %s presses [%s] %s\n", x->number, who, f->label, data);
    return tap->n;
}

static void pressed(struct copy *x, const struct story_step *s, const struct copy_button *f,
                    const char *data)
{
    struct tg_chat *c = play_place(x, s, f->person);
    uint64_t *mark = &play_view(x, c->id, play_person(x, f->person))->pressed;
    *mark = f->message->event > *mark ? f->message->event : *mark;
    x->acted_at = wire_now();
    x->acted_event = world_events;
    x->last_tap[f->person] = make_press(x, s, f, data);
}

/* Changes the move in the data of a button: "p1.2.0.MAC" becomes "p1.2.1.MAC". */
static void other_index(char *data)
{
    char *dot = strchr(data, '.');
    dot = dot ? strchr(dot + 1, '.') : NULL;
    if (dot)
        dot[1] = dot[1] == '1' ? '0' : '1';
}

enum result play_press(struct copy *x, const struct story_step *s)
{
    struct copy_button best = {0};
    int who = play_actor(x, s);
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

enum result play_forge(struct copy *x, const struct story_step *s)
{
    struct tg_chat *c = play_place(x, s, play_actor(x, s));
    for (size_t i = c->n; i-- > 0;)
        if (!c->messages[i].from && !c->messages[i].gone && !c->messages[i].receiver) {
            struct copy_button f = {&c->messages[i], "forged", s->text, play_actor(x, s)};
            pressed(x, s, &f, s->text);
            return DONE;
        }
    return WAIT;
}

static bool title_matches(void *with, const char *title)
{
    return play_matches(with, title);
}

enum result play_ask(struct copy *x, const struct story_step *s)
{
    struct tg_chat *c = play_place(x, s, play_actor(x, s));
    int64_t who = play_person(x, play_actor(x, s));
    if (s->verb == MENTION) {
        inline_mention(c, who, s->text);
        return DONE;
    }
    if (s->verb == ASK) {
        inline_ask(c, who, s->text);
        return DONE;
    }
    struct story_step pattern = *s;
    return inline_say(c, who, title_matches, &pattern) ? DONE : WAIT;
}

enum result play_toast(struct copy *x, const struct story_step *s)
{
    char id[32];
    snprintf(id, sizeof id, "tap%lld", (long long)x->last_tap[play_actor(x, s)]);
    struct tap *tap = world_tap(id);
    if (!tap || !tap->answered)
        return WAIT;
    return play_matches(s, tap->answer) ? DONE : FAILED;
}
