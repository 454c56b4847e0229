/* One step of a story: texts, events of the bot and its groups; other kinds by their own files. */
#include "play_copy.h"

#include "fake/telegram/api.h"
#include "fake/telegram/bot/child.h"
#include "actions.h"
#include "fake/telegram/inline.h"
#include "fake/telegram/bot/event_log.h"
#include "fake/telegram/options.h"
#include "fake/telegram/updates.h"

#include <signal.h>

static void speak(struct copy *x, const struct story_step *s, const char *words)
{
    int who = play_actor(x, s);
    enum action_as as = who == ANONYMOUS        ? AS_ANONYMOUS
                        : s->verb == SAY_HIDDEN ? AS_HIDDEN
                                                : AS_SELF;
    struct tg_chat *c = who == ANONYMOUS ? x->groups[s->group] : play_place(x, s, who);
    tally.texts++;
    x->acted_at = wire_now();
    x->acted_event = world_events;
    const char *key = who >= 0 ? script.people[who].key : "anonymous";
    event_log_say(key, c, words);
    if (opt.trace)
        fprintf(stderr, "%d %s in %s: %s\n", x->number, key, c->title, words);
    action_say(c, who >= 0 ? play_person(x, who) : 0, s->thread, words, as);
}

static enum result do_say(struct copy *x, const struct story_step *s)
{
    char *words = play_filled(x, s->text);
    speak(x, s, words);
    free(words);
    return DONE;
}

/* Sends /ping with a number of its own and waits for the answer: then the bot has handled
 * everything before it. */
static enum result do_ping(struct copy *x, const struct story_step *s)
{
    struct tg_chat *c = play_place(x, s, play_actor(x, s));
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

static enum result do_forget(struct copy *x, const struct story_step *s)
{
    struct tg_chat *c = play_place(x, s, play_actor(x, s));
    for (size_t i = 0; i < c->n; i++)
        c->messages[i].gone |= c->messages[i].receiver == play_person(x, play_actor(x, s));
    return DONE;
}

static enum result do_group(struct copy *x, const struct story_step *s)
{
    struct tg_chat **c = &x->groups[s->group];
    int64_t by = play_person(x, s->person >= 0 ? s->person : 0);
    if (s->verb == MIGRATES)
        *c = action_migrate(*c, by, (*c)->id - 1000000000000);
    else
        action_standing(*c, by,
                        s->verb == PROMOTES  ? BOT_ADMIN
                        : s->verb == REMOVES ? BOT_KICKED
                                             : BOT_MEMBER);
    return DONE;
}

static enum result do_count(struct copy *x, const struct story_step *s)
{
    bool good = s->verb == NEVER ? play_times_said(x, s, NULL) == 0
                                 : play_times_said(x, s, x->held) <= s->n;
    return good ? DONE : FAILED;
}

static enum result do_block(struct copy *x, const struct story_step *s)
{
    action_block(play_person(x, play_actor(x, s)));
    return DONE;
}

static enum result do_child(struct copy *x, const struct story_step *s)
{
    (void)x;
    if (s->verb == START)
        child_start();
    else
        child_kill(s->verb == KILL ? SIGKILL : SIGTERM);
    return DONE;
}

static enum result do_fault(struct copy *x, const struct story_step *s)
{
    (void)x;
    api_order(s->verb == STORM     ? FAULT_429
              : s->verb == GATEWAY ? FAULT_502
                                   : FAULT_LOST,
              (int)s->n, (int)s->seconds);
    return DONE;
}

/* Steps about the delivery of updates. */
static enum result do_updates(struct copy *x, const struct story_step *s)
{
    (void)x;
    if (s->verb == DEAF)
        inline_feedback = false;
    else if (s->verb == AGE)
        updates_age(s->n);
    else
        updates_twist(s->verb == TWICE, s->verb == BACKWARDS);
    return DONE;
}

static enum result do_wait(struct copy *x, const struct story_step *s)
{
    (void)x, (void)s;
    return world_all_answered() ? DONE : WAIT;
}

enum result play_step(struct copy *x, const struct story_step *s)
{
    static enum result (*const rows[])(struct copy *, const struct story_step *) = {
        [SAY] = do_say,       [SAY_HIDDEN] = do_say,  [PRESS] = play_press,
        [FORGE] = play_forge, [ASK] = play_ask,       [CHOOSE] = play_ask,
        [MENTION] = play_ask, [EXPECT] = play_expect, [NEVER] = do_count,
        [MOST] = do_count,    [HOLDS] = play_hold,    [RELEASES] = play_hold,
        [TOAST] = play_toast, [WHO] = play_who,       [FORGETS] = do_forget,
        [PINGS] = do_ping,    [BLOCKS] = do_block,    [KILL] = do_child,
        [STOP] = do_child,    [START] = do_child,     [STORM] = do_fault,
        [GATEWAY] = do_fault, [LOSE] = do_fault,      [ANSWERED] = do_wait,
        [AGE] = do_updates,   [TWICE] = do_updates,   [BACKWARDS] = do_updates,
        [DEAF] = do_updates,  [MIGRATES] = do_group,  [PROMOTES] = do_group,
        [DEMOTES] = do_group, [REMOVES] = do_group,   [ADDS] = do_group,
    };
    return rows[s->verb](x, s);
}
