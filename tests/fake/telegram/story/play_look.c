/* Steps that look for messages of the bot, and count them. */
#include "play_copy.h"

#include "fake/telegram/api.h"

int64_t play_person(const struct copy *x, int person)
{
    return script.people[person].id + (int64_t)x->number * STRIDE;
}

struct tg_chat *play_place(const struct copy *x, const struct story_step *s, int person)
{
    if (s->group != NOBODY)
        return x->groups[s->group];
    return world_chat(play_person(x, person));
}

int play_actor(const struct copy *x, const struct story_step *s)
{
    return s->person == MOVER ? x->mover : s->person;
}

struct copy_view *play_view(struct copy *x, int64_t chat, int64_t receiver)
{
    for (int i = 0; i < x->n_views; i++)
        if (x->views[i].chat == chat && x->views[i].receiver == receiver)
            return &x->views[i];
    if (x->n_views == MAX_VIEWS) {
        fprintf(stderr, "fake telegram: a story with more than %d views\n", MAX_VIEWS);
        exit(2);
    }
    x->views[x->n_views] = (struct copy_view){.chat = chat, .receiver = receiver};
    return &x->views[x->n_views++];
}

bool play_matches(const struct story_step *s, const char *text)
{
    return regexec(&s->pattern, text, 0, NULL, 0) == 0;
}

struct tg_message *play_said_since(const struct story_step *s, struct tg_chat *c, int64_t receiver,
                                   uint64_t since)
{
    struct tg_message *best = NULL;
    for (size_t i = 0; i < c->n; i++) {
        struct tg_message *m = &c->messages[i];
        if (m->from || m->receiver != receiver || m->event <= since ||
            (s->thread && m->thread != s->thread))
            continue;
        if ((!best || m->event < best->event) && play_matches(s, m->text))
            best = m;
    }
    return best;
}

int64_t play_receiver(const struct copy *x, const struct story_step *s)
{
    int who = play_actor(x, s);
    return s->group != NOBODY && who >= 0 ? play_person(x, who) : 0;
}

enum result play_expect(struct copy *x, const struct story_step *s)
{
    int64_t receiver = play_receiver(x, s);
    struct tg_chat *c = play_place(x, s, play_actor(x, s));
    struct copy_view *v = play_view(x, c->id, receiver);
    uint64_t since = v->seen > x->looked ? v->seen : x->looked;
    struct tg_message *m = play_said_since(s, c, receiver, since);
    if (!m)
        return WAIT;
    v->seen = m->event;
    play_time(x, m);
    return DONE;
}

int64_t play_times_said(struct copy *x, const struct story_step *s, const struct copy_words *from)
{
    const struct tg_chat *c = play_place(x, s, play_actor(x, s));
    int64_t n = 0;
    for (const struct copy_words *w = x->words; w != from; w = w->before)
        n += (w->chat == c || w->chat->moved_to == c->id) && w->receiver == play_receiver(x, s) &&
             play_matches(s, w->text) && (!s->thread || w->thread == s->thread);
    return n;
}

enum result play_hold(struct copy *x, const struct story_step *s)
{
    x->held = x->words;
    if (s->verb == HOLDS)
        api_hold(x->groups[s->group]);
    else
        api_release(x->groups[s->group]);
    return DONE;
}

/* Takes the person whom the newest matching public text names as the mover. */
enum result play_who(struct copy *x, const struct story_step *s)
{
    struct tg_chat *c = play_place(x, s, play_actor(x, s));
    const struct tg_message *best = NULL;
    for (size_t i = 0; i < c->n; i++)
        if (!c->messages[i].from && !c->messages[i].receiver && !c->messages[i].gone &&
            (!s->thread || c->messages[i].thread == s->thread) &&
            play_matches(s, c->messages[i].text) && (!best || c->messages[i].event > best->event))
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

/* The person whose key stands in braces at `s`. Returns NOBODY if not found. */
static int person_at(const char *s, size_t n)
{
    for (int i = 0; i < script.n_people; i++)
        if (strlen(script.people[i].key) == n && strncmp(script.people[i].key, s, n) == 0)
            return i;
    return NOBODY;
}

char *play_filled(const struct copy *x, const char *text)
{
    struct text_buffer t = {0};
    text_put(&t, "");
    while (*text) {
        size_t n = *text == '{' ? strcspn(text, "}") : 0;
        int person = n > 0 ? person_at(text + 1, n - 1) : NOBODY;
        bool copy = n == 5 && strncmp(text, "{copy}", 6) == 0;
        if (copy && x->number > 0)
            text_int(&t, x->number);
        else if (person != NOBODY)
            text_print(&t, "[%lld]", (long long)play_person(x, person));
        else if (!copy) {
            text_add(&t, text++, 1);
            continue;
        }
        text += n + 1;
    }
    return t.p;
}
