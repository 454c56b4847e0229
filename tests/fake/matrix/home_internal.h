/* The homeserver from inside: who and what there is, and the answers its parts give each other.
 * Everything here is called with the lock held. */
#ifndef KOIKOI_HOME_WORLD_H
#define KOIKOI_HOME_WORLD_H

#include <pthread.h>

#include "arena.h"
#include "home.h"
#include "serve.h"

enum {
    MOST_EVENTS = 60000,
    MOST_ROOMS = 256,
    MOST_USERS = 32,
    MOST_TOKENS = 512,
    MOST_FAULTS = 16,
    MOST_GRANTS = 64,
    MOST_UPLOADS = 1024,
    MOST_HELD = 64
};

struct room {
    const char *id, *version, *creator;
};
/* Account data is an event without a room: its key is its owner. */
struct event {
    const char *id, *sender, *type, *key, *txn, *device;
    struct room *room;
    cJSON *content;
    const cJSON *before; /* the content it replaces */
    const char *redacts;
    int64_t at;
    bool redacted;
};
struct bucket {
    double left;
    int64_t at, told, until; /* when it was refused, and until when it was asked to wait */
    bool filled;
};
struct user {
    const char *id, *password;
    int n_events;
    bool blocks;
    struct bucket events, rooms;
};
struct token {
    const char *access, *refresh, *device;
    struct user *user;
    int64_t expires; /* 0: never */
    int next;        /* what it was exchanged for; -1: nothing */
    bool used, soft, dead, oauth;
};
struct grant { /* a device code */
    const char *code, *user_code, *client;
    struct user *user; /* who has confirmed */
    bool denied, taken;
    int64_t asked, expires;
    char device[64];
};
struct fault {
    enum home_fault kind;
    const char *part;
    int in, times;
};

struct home {
    pthread_mutex_t lock;
    struct serve *serve;
    struct arena *arena;
    const _Atomic int64_t *clock;
    char root[64];
    struct home_setup setup;
    struct event event[MOST_EVENTS];
    struct room room[MOST_ROOMS];
    struct user user[MOST_USERS];
    struct token token[MOST_TOKENS];
    struct fault fault[MOST_FAULTS];
    struct grant grant[MOST_GRANTS];
    struct {
        int fd;
        int64_t until;
    } held[MOST_HELD];
    struct {
        const char *mxc;
        uint64_t hash;
    } upload[MOST_UPLOADS];
    int n_events, n_rooms, n_users, n_tokens, n_faults, n_grants, n_clients;
    uint64_t serial;
    void (*watch)(void *);
    void *watch_arg;
    const char *kill_part;
    int kill_in, kill_pid;
    bool kill_done;
    int64_t rests;
    struct home_counts count;
    struct buf problems;
    char problem_text[16 * 1024];
};

enum { MOST_PARTS = 6 };

/* A request as its handler sees it, and the answer it gives. */
struct call {
    struct home *h;
    const struct asked *asked;
    struct token *token;            /* NULL: an endpoint without one */
    const char *part[MOST_PARTS];   /* what stands for each "*" of the path, decoded */
    const cJSON *body;              /* never NULL; an empty object if there is none */
    int status;
    cJSON *answer;
    char header[64];                /* "" if none */
    bool later;
};

int64_t home_now(const struct home *h);
const char *home_keep(struct home *h, const char *text);
const char *home_print(struct home *h, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* `head` and 43 letters that follow from the number; and the same for a number never used
 * before. */
const char *home_name(struct home *h, const char *head, uint64_t of);
const char *home_secret(struct home *h, const char *head);
void home_problem(struct home *h, const char *format, ...) __attribute__((format(printf, 2, 3)));
void call_refuse(struct call *c, int status, const char *code, const char *why);
/* A parameter of the query, decoded; NULL: it is not there. */
const char *call_query(struct call *c, const char *name);
const char *call_decode(struct home *h, const char *text, size_t n);
const char *home_text(const cJSON *o, const char *key);            /* "" if it is none */

/* ---- rooms ---- */

struct user *home_find_user(struct home *h, const char *id);
struct room *home_find_room(struct home *h, const char *id);
/* The event in force before number `end`. */
struct event *home_state(struct home *h, const struct room *room, const char *type, const char *key,
                         int end);
const char *home_member(struct home *h, const struct room *room, const char *user, int end);
int home_number(struct home *h, const char *event_id);             /* -1: none */
cJSON *home_client_event(const struct home *h, const struct event *e, const struct token *reader);
struct event *home_add(struct home *h, struct room *room, const char *sender, const char *type,
                       const char *key, cJSON *content);

cJSON *home_with(const char *key, const char *value);              /* {key: value} */
void home_set_member(struct home *h, struct room *room, const char *sender, const char *who,
                     const char *membership, bool direct);
/* A room with its creator and its powers, and no more; `from`: the room it replaces. */
struct room *home_new_room(struct home *h, const char *creator, const char *from);
/* What a preset adds, and then `extra`, a list of state events. */
void home_create_state(struct home *h, struct room *room, const char *preset, const cJSON *extra);
int64_t home_level(struct home *h, const struct room *room, const char *user);
bool home_may(struct home *h, const struct room *room, const char *user, bool state);

/* ---- endpoints ---- */

typedef void endpoint(struct call *c);
endpoint do_create, do_join, do_invite, do_leave, do_forget, do_send, do_redact,
    do_state, do_upload;
endpoint do_news, do_messages, do_data, do_set_data;
endpoint do_versions, do_logout, do_flows, do_login, do_refresh, do_whoami, do_metadata,
    do_register, do_device, do_token;
/* The token of a request; false: it was refused. */
bool login_check(struct call *c);

/* What is wrong with the content of an event the bot puts. */
void judge_content(struct call *c, struct room *room, const char *type, const cJSON *content);

#endif
