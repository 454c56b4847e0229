/* See players.h. */
#include "players.h"

#include <assert.h>
#include <pthread.h>

static const char BOT[] = "@bot:koi.test", POLL[] = "org.matrix.msc3381.poll.start";

struct players {
    struct home *home;
    pthread_mutex_t lock;
    int n, seen, upgrade_at, stop_at;
    const char *id[MOST_PLAYERS], *room, *preset;
    bool challenged, accepted[MOST_PLAYERS];
    enum players_way way;
    uint32_t random_state;
    struct players_progress progress;
};

static const char *text_of(const cJSON *o, const char *key)
{
    const cJSON *v = cJSON_GetObjectItemCaseSensitive(o, key);
    return cJSON_IsString(v) ? v->valuestring : "";
}

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
    const cJSON *poll = cJSON_GetObjectItemCaseSensitive(e->content, POLL);
    const cJSON *answers = cJSON_GetObjectItemCaseSensitive(poll, "answers");
    int n = cJSON_GetArraySize(answers);
    for (int i = 0; i < p->n && n > 0 && p->way == PLAYERS_VOTE; i++)
        if (is_in(p, i, e->room)) {
            home_votes(p->home, p->id[i], e->id,
                       text_of(cJSON_GetArrayItem(answers, random_below(p, n)), "id"));
            p->progress.moves++;
        }
}

/* A message in a private chat that offers a choice: the player takes the first. */
static void on_hand(struct players *p, const struct home_event *e, const char *body)
{
    const cJSON *relation = cJSON_GetObjectItemCaseSensitive(e->content, "m.relates_to");
    const char *post = *text_of(relation, "event_id") ? text_of(relation, "event_id") : e->id;
    bool asked = strstr(body, "\n1. ") && !strstr(body, " to move");
    for (int i = 0; i < p->n; i++) {
        if (!is_in(p, i, e->room) || !asked)
            continue;
        if (p->way == PLAYERS_TYPE)
            home_says(p->home, p->id[i], e->room, "1");
        else
            home_reacts(p->home, p->id[i], post, "1\xef\xb8\x8f\xe2\x83\xa3");
        p->progress.moves++;
    }
}

static void on_message(struct players *p, const struct home_event *e)
{
    const cJSON *now = cJSON_GetObjectItemCaseSensitive(e->content, "m.new_content");
    const char *body = text_of(now ? now : e->content, "body");
    bool here = strcmp(e->room, p->room) == 0;
    p->progress.boards += here && now;
    if (here && strstr(body, "\xf0\x9f\x8f\x81"))
        p->progress.over = true;
    if (!here && p->way != PLAYERS_VOTE)
        on_hand(p, e, body);
    for (int i = 0; i < p->n && here && !p->progress.over; i++) {
        if (i > 0 && !p->accepted[i] && strstr(body, "!koi accept")) {
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
            strcmp(text_of(e->content, "membership"), "invite") == 0)
            home_joins(p->home, p->id[i], e->room);
}

static void challenge(struct players *p)
{
    char text[256];
    struct buf b = BUF(text);
    buf_put(&b, STR("!koi challenge"));
    for (int i = 1; i < p->n; i++)
        buf_print(&b, " %s", p->id[i]);
    buf_print(&b, " %s%c", p->preset, '\0');
    p->challenged = true;
    home_says(p->home, p->id[0], p->room, text);
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
    pthread_mutex_lock(&p->lock);
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
    pthread_mutex_unlock(&p->lock);
}

struct players *players_open(struct home *h, int n, const char *const *names, const char *preset,
                             enum players_way way)
{
    struct players *p = calloc(1, sizeof *p);
    assert(p && n >= 2 && n <= MOST_PLAYERS);
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
    pthread_mutex_lock(&p->lock);
    struct players_progress progress = p->progress;
    pthread_mutex_unlock(&p->lock);
    return progress;
}

const char *players_room(struct players *p)
{
    pthread_mutex_lock(&p->lock);
    const char *room = p->room;
    pthread_mutex_unlock(&p->lock);
    return room;
}

void players_stop_after(struct players *p, int moves)
{
    pthread_mutex_lock(&p->lock);
    p->stop_at = moves;
    pthread_mutex_unlock(&p->lock);
}

void players_upgrade_after(struct players *p, int moves)
{
    pthread_mutex_lock(&p->lock);
    p->upgrade_at = moves;
    pthread_mutex_unlock(&p->lock);
}
