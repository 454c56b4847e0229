/* See players.h. */
#include "players.h"

#include "serve.h"

#include <assert.h>

static const char BOT[] = "@bot:koi.test", POLL[] = "org.matrix.msc3381.poll.start";

struct players {
    struct home *home;
    pthread_mutex_t lock;
    int n, seen, upgrade_at, stop_at;
    const char *id[MOST_PLAYERS], *room, *preset, *code;
    bool challenged, accepted[MOST_PLAYERS];
    enum players_way way;
    uint32_t random_state;
    struct players_progress progress;
};

static bool is_in(struct players *p, int who, const char *room)
{
    return strcmp(home_membership(p->home, room, p->id[who]), "join") == 0;
}

/* A pseudo-random number below n, the same in each run of a story. */
static int random_below(struct players *p, int n)
{
    p->random_state = p->random_state * 1664525 + 1013904223;
    return (int)((p->random_state >> 16) % (uint32_t)n);
}

static void on_poll(struct players *p, const struct home_event *e)
{
    const cJSON *answers = js_at(js_at(e->content, POLL), "answers");
    int n = cJSON_GetArraySize(answers);
    for (int i = 0; i < p->n && n > 0 && p->way == PLAYERS_VOTE; i++)
        if (is_in(p, i, e->room)) {
            home_votes(p->home, p->id[i], e->id,
                       js_text(cJSON_GetArrayItem(answers, random_below(p, n)), "id"));
            p->progress.moves++;
        }
}

/* A message in a private chat that offers a choice: the player takes the first. */
static void on_hand(struct players *p, const struct home_event *e, const char *body)
{
    const char *related = js_text(e->content, "m.relates_to/event_id");
    bool asked = strstr(body, "\n1. ") && !strstr(body, " to move");
    for (int i = 0; i < p->n; i++) {
        if (!is_in(p, i, e->room) || !asked)
            continue;
        if (p->way == PLAYERS_TYPE)
            home_says(p->home, p->id[i], e->room, "1");
        else
            home_reacts(p->home, p->id[i], *related ? related : e->id, "1\xef\xb8\x8f\xe2\x83\xa3");
        p->progress.moves++;
    }
}

static void players_end(struct players *p, const char *body)
{
    p->progress.over = true;
    snprintf(p->progress.result, sizeof p->progress.result, "%s", body);
}

static void on_message(struct players *p, const struct home_event *e)
{
    const cJSON *now = js_at(e->content, "m.new_content");
    const char *body = js_text(now ? now : e->content, "body");
    bool here = strcmp(e->room, p->room) == 0;
    p->progress.boards += here && now;
    if (here && strstr(body, "\xf0\x9f\x8f\x81"))
        players_end(p, body);
    if (!here && p->way != PLAYERS_VOTE)
        on_hand(p, e, body);
    for (int i = 0; i < p->n && here && !p->progress.over; i++) {
        if ((i > 0 || p->code) && !p->accepted[i] && strstr(body, "!koi accept")) {
            p->accepted[i] = true;
            home_says(p->home, p->id[i], p->room, "!koi accept");
        }
        if (!now && strstr(body, "!koi ready"))
            home_says(p->home, p->id[i], p->room, "!koi ready");
    }
}

static void on_invite(struct players *p, const struct home_event *e)
{
    for (int i = 0; i < p->n; i++)
        if (e->key && strcmp(e->key, p->id[i]) == 0 &&
            strcmp(js_text(e->content, "membership"), "invite") == 0)
            home_joins(p->home, p->id[i], e->room);
}

static void challenge(struct players *p)
{
    struct text_buffer t = {0};
    txt_put(&t, p->code ? "!koi join" : "!koi challenge");
    for (int i = 1; i < p->n && !p->code; i++)
        txt_print(&t, " %s", p->id[i]);
    txt_print(&t, " %s", p->code ? p->code : p->preset);
    p->challenged = true;
    home_says(p->home, p->id[0], p->room, t.p);
    txt_free(&t);
}

static void upgrade(struct players *p)
{
    p->upgrade_at = 0;
    const char *room = home_upgrades(p->home, p->id[0], p->room);
    p->room = room;
    for (int i = 1; i < p->n; i++)
        home_joins(p->home, p->id[i], p->room);
}

static void turn(void *arg)
{
    struct players *p = arg;
    HOLD(&p->lock);
    if (!p->challenged && strcmp(home_membership(p->home, p->room, BOT), "join") == 0)
        challenge(p);
    for (; p->seen < home_events(p->home); p->seen++) {
        if (p->stop_at > 0 && p->progress.moves >= p->stop_at)
            break;
        struct home_event e = home_event(p->home, p->seen);
        if (strcmp(e.type, "m.room.member") == 0)
            on_invite(p, &e);
        if (strcmp(e.sender, BOT) != 0)
            continue;
        if (strcmp(e.type, POLL) == 0)
            on_poll(p, &e);
        else if (strcmp(e.type, "m.room.message") == 0)
            on_message(p, &e);
    }
    if (p->upgrade_at > 0 && p->progress.moves >= p->upgrade_at)
        upgrade(p);
}

struct players *players_open(struct home *h, int n, const char *const *names, const char *preset,
                             enum players_way way)
{
    struct players *p = calloc(1, sizeof *p);
    assert(p && n >= 1 && n <= MOST_PLAYERS);
    p->home = h;
    p->n = n;
    p->preset = preset;
    p->way = way;
    p->random_state = 7;
    pthread_mutex_init(&p->lock, NULL);
    for (int i = 0; i < n; i++)
        p->id[i] = home_user(h, names[i]);
    p->room = home_room(h, p->id[0], "Tea room", NULL);
    home_invites(h, p->id[0], p->room, BOT, false);
    for (int i = 1; i < n; i++)
        home_joins(h, p->id[i], p->room);
    home_on_answer(h, turn, p);
    return p;
}

void players_close(struct players *p)
{
    free(p);
}

struct players_progress players_progress(struct players *p)
{
    HOLD(&p->lock);
    return p->progress;
}

const char *players_room(struct players *p)
{
    HOLD(&p->lock);
    return p->room;
}

void players_join(struct players *p, const char *code)
{
    HOLD(&p->lock);
    p->code = code;
}

void players_stop_after(struct players *p, int moves)
{
    HOLD(&p->lock);
    p->stop_at = moves;
}

void players_upgrade_after(struct players *p, int moves)
{
    HOLD(&p->lock);
    p->upgrade_at = moves;
}
