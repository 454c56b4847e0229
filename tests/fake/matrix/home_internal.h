/* Internals of the fake homeserver: users, rooms, events, and calls between its files, all made
 * with the lock held. */
#ifndef KOIKOI_HOME_INTERNAL_H
#define KOIKOI_HOME_INTERNAL_H

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
    MOST_MEDIA = 1024,
    MOST_HELD = 64
};

struct mx_room {
    const char *id, *version, *creator;
};
/* Account data is an event without a room; its key is the user. */
struct mx_event {
    const char *id, *sender, *type, *key, *txn, *device;
    struct mx_room *room;
    cJSON *content;
    const cJSON *before; /* the content that it replaced */
    const char *redacts;
    int64_t at;
    bool redacted;
};
struct mx_bucket {
    double left;
    int64_t at, refused_at, until; /* time of the last refusal, and until when it asked to wait */
    bool filled;
};
struct user {
    const char *id, *password, *name, *picture;
    int n_events;
    bool blocks;
    struct mx_bucket events, rooms;
};
struct token {
    const char *access, *refresh, *device;
    struct user *user;
    int64_t expires; /* 0: never */
    int next;        /* index of the token that replaced it; -1: none */
    bool used, soft, dead, oauth;
};
struct grant { /* OAuth device code */
    const char *code, *user_code, *client, *device;
    struct user *user; /* the user who confirmed it */
    bool denied, taken;
    int64_t asked, expires;
};
struct fault {
    enum home_fault kind;
    const char *part;
    int in, times;
};
struct held { /* a request whose answer waits until something has happened */
    struct serve_request request;
    int64_t until;
};

/* An address for bytes. */
struct media {
    const char *mxc;
    uint64_t hash; /* of the bytes; 0: not there yet */
    bool named;    /* by an event */
};

struct home {
    pthread_mutex_t lock;
    struct serve *serve;
    struct arena *arena;
    const _Atomic int64_t *clock;
    char root[64];
    struct home_setup setup;
    struct mx_event event[MOST_EVENTS];
    struct mx_room room[MOST_ROOMS];
    struct user user[MOST_USERS];
    struct token token[MOST_TOKENS];
    struct fault fault[MOST_FAULTS];
    struct grant grant[MOST_GRANTS];
    struct held held[MOST_HELD];
    struct media media[MOST_MEDIA];
    int n_media; /* the oldest are replaced */
    int n_events, n_rooms, n_users, n_tokens, n_faults, n_grants, n_held, n_clients;
    bool looking; /* at the requests that wait, soon */
    uint64_t serial;
    void (*watch)(void *);
    void *watch_arg;
    const char *kill_part;
    int kill_in, kill_pid;
    bool kill_done;
    int64_t outage_until;
    struct home_counts count;
    struct buf problems;
    char problem_text[16 * 1024];
};

enum { MOST_PARTS = 6 };

/* A request and its answer. */
struct mx_call {
    struct home *h;
    struct serve_request *asked;
    struct token *token;          /* NULL if the endpoint needs no token */
    const char *part[MOST_PARTS]; /* the decoded parts of the path that "*" matched */
    cJSON *body;                  /* never NULL; an empty object if the request has no JSON body */
    int status;
    cJSON *answer;
    char header[64];    /* "" if there is none */
    int64_t hold_until; /* of the first try: the answer may wait so long; 0: it does not */
    bool again, later;  /* again: it waited */
};

int64_t home_now(const struct home *h);
const char *home_keep(struct home *h, const char *text);
const char *home_print(struct home *h, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* home_name: `head` and 43 letters that follow from `of`. home_secret: the same from a new number
 * each time. */
const char *home_name(struct home *h, const char *head, uint64_t of);
const char *home_secret(struct home *h, const char *head);
void home_problem(struct home *h, const char *format, ...) __attribute__((format(printf, 2, 3)));
void call_refuse(struct mx_call *c, int status, const char *code, const char *why);
/* A field of "a=b&c=d", decoded. Returns NULL if not found. */
const char *call_field(struct mx_call *c, const char *form, const char *name);
const char *call_decode(struct home *h, const char *text, size_t n);

/* ---- rooms ---- */

struct user *home_find_user(struct home *h, const char *id);
struct mx_room *home_find_room(struct home *h, const char *id);
/* The state event in force just before event number `end`. Returns NULL if not found. */
struct mx_event *home_state(struct home *h, const struct mx_room *room, const char *type,
                            const char *key, int end);
const char *home_member(struct home *h, const struct mx_room *room, const char *user, int end);
bool home_is_in(struct home *h, const struct mx_room *room, const char *user); /* by now */
int home_number(struct home *h, const char *event_id);                         /* -1 if not found */
cJSON *home_client_event(const struct home *h, const struct mx_event *e,
                         const struct token *reader);
struct mx_event *home_add(struct home *h, struct mx_room *room, const char *sender,
                          const char *type, const char *key, cJSON *content);
void home_set_member(struct home *h, struct mx_room *room, const char *sender, const char *who,
                     const char *membership, bool direct);
/* A room with only its creator and its power levels. `from`: the room it replaces, or NULL. */
struct mx_room *home_new_room(struct home *h, const char *creator, const char *from);
/* Adds the state events of a preset, then `extra`, a list of state events. */
void home_create_state(struct home *h, struct mx_room *room, const char *preset,
                       const cJSON *extra);
int64_t home_level(struct home *h, const struct mx_room *room, const char *user);
bool home_may(struct home *h, const struct mx_room *room, const char *user, bool state);
/* False for an address that was never given; its bytes may be still to come. */
bool home_names_media(struct home *h, const char *mxc);

/* ---- endpoints ---- */

typedef void endpoint(struct mx_call *c);
endpoint do_create, do_join, do_invite, do_leave, do_typing, do_kick, do_forget, do_send, do_redact,
    do_state, do_members, do_upload, do_reserve, do_profile, do_set_profile;
endpoint do_sync, do_messages, do_account_data, do_set_account_data;
endpoint do_versions, do_logout, do_flows, do_login, do_refresh, do_whoami, do_metadata,
    do_register, do_device, do_token;
/* Finds the token of a request. Refuses the request and returns false if it is missing or
 * invalid. */
bool login_check(struct mx_call *c);

/* Lists the faults of an event's content; see home_problems(). */
void check_content(struct mx_call *c, struct mx_room *room, const char *type, const cJSON *content);

#endif
