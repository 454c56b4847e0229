/* See home_people.h. */
#include "home_people.h"

#include <assert.h>
#include <pthread.h>

static const char BOT[] = "@bot:koi.test", POLL[] = "org.matrix.msc3381.poll.start";

struct people {
    struct home *home;
    pthread_mutex_t lock;
    int n, seen, upgrade_at, rest_at;
    const char *id[MOST_PEOPLE], *room, *preset;
    bool challenged, accepted[MOST_PEOPLE];
    enum people_way way;
    uint32_t chance;
    struct people_said said;
};

static const char *text_of(const cJSON *o, const char *key)
{
    const cJSON *v = cJSON_GetObjectItemCaseSensitive(o, key);
    return cJSON_IsString(v) ? v->valuestring : "";
}

static bool is_in(struct people *p, int who, const char *room)
{
    return strcmp(home_membership(p->home, room, p->id[who]), "join") == 0;
}

/* Not always the same, but the same again in a story that is told again. */
static int any(struct people *p, int n)
{
    p->chance = p->chance * 1664525 + 1013904223;
    return (int)((p->chance >> 16) % (uint32_t)n);
}

static void hear_poll(struct people *p, const struct home_event *e)
{
    const cJSON *poll = cJSON_GetObjectItemCaseSensitive(e->content, POLL);
    const cJSON *answers = cJSON_GetObjectItemCaseSensitive(poll, "answers");
    int n = cJSON_GetArraySize(answers);
    for (int i = 0; i < p->n && n > 0 && p->way == PEOPLE_VOTE; i++)
        if (is_in(p, i, e->room)) {
            home_votes(p->home, p->id[i], e->id,
                       text_of(cJSON_GetArrayItem(answers, any(p, n)), "id"));
            p->said.moves++;
        }
}

/* Something in a private chat that offers a first choice. */
static void hear_hand(struct people *p, const struct home_event *e, const char *body)
{
    const cJSON *relation = cJSON_GetObjectItemCaseSensitive(e->content, "m.relates_to");
    const char *post = *text_of(relation, "event_id") ? text_of(relation, "event_id") : e->id;
    bool asked = strstr(body, "\n1. ") && !strstr(body, " to move"),
         stop = strstr(body, "!koi stop");
    for (int i = 0; i < p->n; i++) {
        if (!is_in(p, i, e->room) || !(asked || stop))
            continue;
        if (stop)
            home_says(p->home, p->id[i], e->room, "stop");
        else if (p->way == PEOPLE_TYPE)
            home_says(p->home, p->id[i], e->room, "1");
        else
            home_reacts(p->home, p->id[i], post, "1\xef\xb8\x8f\xe2\x83\xa3");
        p->said.moves++;
    }
}

static void hear_text(struct people *p, const struct home_event *e)
{
    const cJSON *now = cJSON_GetObjectItemCaseSensitive(e->content, "m.new_content");
    const char *body = text_of(now ? now : e->content, "body");
    bool here = strcmp(e->room, p->room) == 0;
    p->said.boards += here && now;
    if (here && strstr(body, "\xf0\x9f\x8f\x81"))
        p->said.over = true;
    if (!here && p->way != PEOPLE_VOTE)
        hear_hand(p, e, body);
    for (int i = 0; i < p->n && here && !p->said.over; i++) {
        if (i > 0 && !p->accepted[i] && strstr(body, "!koi accept")) {
            p->accepted[i] = true;
            home_says(p->home, p->id[i], p->room, "!koi accept");
        }
        if (!now && strstr(body, "!koi ready"))
            home_says(p->home, p->id[i], p->room, "!koi ready");
    }
}

static void hear_invite(struct people *p, const struct home_event *e)
{
    for (int i = 0; i < p->n; i++)
        if (e->key && strcmp(e->key, p->id[i]) == 0 &&
            strcmp(text_of(e->content, "membership"), "invite") == 0)
            home_joins(p->home, p->id[i], e->room);
}

static void challenge(struct people *p)
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

static void upgrade(struct people *p)
{
    p->upgrade_at = 0;
    const char *room = home_upgrades(p->home, p->id[0], p->room);
    p->room = room;
    for (int i = 1; i < p->n; i++)
        home_joins(p->home, p->id[i], p->room);
}

static void turn(void *arg)
{
    struct people *p = arg;
    pthread_mutex_lock(&p->lock);
    if (!p->challenged && strcmp(home_membership(p->home, p->room, BOT), "join") == 0)
        challenge(p);
    for (; p->seen < home_events(p->home); p->seen++) {
        if (p->rest_at > 0 && p->said.moves >= p->rest_at)
            break;
        struct home_event e = home_event(p->home, p->seen);
        if (strcmp(e.type, "m.room.member") == 0)
            hear_invite(p, &e);
        if (strcmp(e.sender, BOT) != 0)
            continue;
        if (strcmp(e.type, POLL) == 0)
            hear_poll(p, &e);
        else if (strcmp(e.type, "m.room.message") == 0)
            hear_text(p, &e);
    }
    if (p->upgrade_at > 0 && p->said.moves >= p->upgrade_at)
        upgrade(p);
    pthread_mutex_unlock(&p->lock);
}

struct people *people_open(struct home *h, int n, const char *const *names, const char *preset,
                           enum people_way way)
{
    struct people *p = calloc(1, sizeof *p);
    assert(p && n >= 2 && n <= MOST_PEOPLE);
    p->home = h;
    p->n = n;
    p->preset = preset;
    p->way = way;
    p->chance = 7;
    pthread_mutex_init(&p->lock, NULL);
    for (int i = 0; i < n; i++)
        p->id[i] = home_user(h, names[i]);
    p->room = home_room(h, p->id[0], "Tea room", NULL);
    home_invites(h, p->id[0], p->room, BOT, false);
    for (int i = 1; i < n; i++)
        home_joins(h, p->id[i], p->room);
    home_watched(h, turn, p);
    return p;
}

void people_close(struct people *p)
{
    free(p);
}

struct people_said people_said(struct people *p)
{
    pthread_mutex_lock(&p->lock);
    struct people_said said = p->said;
    pthread_mutex_unlock(&p->lock);
    return said;
}

const char *people_room(struct people *p)
{
    pthread_mutex_lock(&p->lock);
    const char *room = p->room;
    pthread_mutex_unlock(&p->lock);
    return room;
}

void people_rest(struct people *p, int moves)
{
    pthread_mutex_lock(&p->lock);
    p->rest_at = moves;
    pthread_mutex_unlock(&p->lock);
}

void people_upgrade(struct people *p, int moves)
{
    pthread_mutex_lock(&p->lock);
    p->upgrade_at = moves;
    pthread_mutex_unlock(&p->lock);
}
