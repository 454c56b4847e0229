/* See examine_account.h. Not asked to set anything, it reads the profile and says how to. */
#include "examine_account.h"

#include "seal.h"

enum account_step { ASK_KEYS, ASK_PROFILE, ASK_UPLOAD, ASK_PICTURE, ASK_NAME };

static struct str profile_path(const struct matrix *m, struct arena *a, const char *field)
{
    return arena_print(a, "/_matrix/client/v3/profile/%.*s%s",
                       STR_ARG(wire_escape(a, m->session.user)), field);
}

static void ask_step(struct matrix *m, struct arena *a, enum account_step step, const char *method,
                     struct str path, struct request *next)
{
    m->exam_account = (int)step;
    wire_request(m, a, method, path, "doctor", next);
}

static void ask_field(struct matrix *m, struct arena *a, enum account_step step, const char *field,
                      struct str value, struct request *next)
{
    cJSON *body = cJSON_CreateObject();
    ask_step(m, a, step, "PUT", profile_path(m, a, arena_print(a, "/%s", field).p), next);
    wire_put(body, field, value);
    wire_request_json(a, next, body);
}

static void ask_profile(struct matrix *m, struct arena *a, struct request *next)
{
    if (!m->asked || !m->asked->set_profile) {
        ask_step(m, a, ASK_PROFILE, "GET", profile_path(m, a, ""), next);
        return;
    }
    ask_step(m, a, ASK_UPLOAD, "POST", STR("/_matrix/media/v3/upload?filename=koikoi.png"), next);
    wire_request_header(next, STR("Content-Type"), STR("image/png"));
    next->body = m->asked->picture;
}

void examine_account_begin(struct matrix *m, struct arena *a, struct str user, struct str device,
                           struct request *next)
{
    m->session.user = arena_str(m->own, user);
    m->session.device = arena_str(m->own, device);
    if (str_is(m->e2ee, STR("no")) || !seal_available()) {
        ask_profile(m, a, next);
        return;
    }
    cJSON *body = cJSON_CreateObject();
    cJSON_AddArrayToObject(cJSON_AddObjectToObject(body, "device_keys"), arena_str(a, user).p);
    ask_step(m, a, ASK_KEYS, "POST", STR("/_matrix/client/v3/keys/query"), next);
    wire_request_json(a, next, body);
}

/* True if the identity that the server has of the user has signed the device. */
static bool is_signed(const cJSON *o, const char *user, const char *device)
{
    const cJSON *signatures = wire_in(o, "device_keys", user, device, "signatures", user, NULL);
    const cJSON *key;
    cJSON_ArrayForEach(key, wire_in(o, "self_signing_keys", user, "keys", NULL))
    {
        if (key->string && wire_at(signatures, key->string))
            return true;
    }
    return false;
}

static void found_keys(struct matrix *m, struct arena *a, const struct reply *reply,
                       struct findings *ret)
{
    const char *user = arena_str(a, m->session.user).p, *device = arena_str(a, m->session.device).p;
    cJSON *o = wire_is_good(reply) ? wire_parse(reply->body) : NULL;
    bool here = m->asked && m->asked->has_keys;
    bool there = wire_in(o, "device_keys", user, device, NULL);
    bool identity = wire_in(o, "master_keys", user, NULL), good = is_signed(o, user, device);
    if (!o)
        finding_add(ret, FOUND_ADVICE,
                    STR("the homeserver has no end-to-end encryption: encrypted rooms cannot be "
                        "played in"));
    else if (there && !here)
        finding_add(ret, FOUND_WRONG,
                    arena_print(a,
                                "the server has keys of the device %s, the store has none: it was "
                                "lost. Bring the store and its key file back from a backup, or "
                                "give another device in [matrix] device",
                                device));
    else if (there && !good)
        finding_add(ret, FOUND_WRONG,
                    arena_print(a,
                                "the device %s is not signed by the account's identity, so clients "
                                "do not read it: give the identity's key in [matrix] recovery_key, "
                                "and another device in [matrix] device",
                                device));
    else if (!there && identity && m->recovery_key.n == 0 && m->password.n == 0)
        finding_add(ret, FOUND_WRONG,
                    STR("the account has an identity that was made in a client: give its key in "
                        "[matrix] recovery_key"));
    else if (!there && identity && m->recovery_key.n == 0)
        finding_add(ret, FOUND_ADVICE,
                    STR("the account has an identity that was made in a client: with its key in "
                        "[matrix] recovery_key it is kept, without it is replaced"));
    else if (there)
        finding_add(ret, FOUND_FINE,
                    arena_print(a, "the device %s is signed: clients read what it says", device));
    cJSON_Delete(o);
}

static void found_profile(struct matrix *m, struct arena *a, const struct reply *reply,
                          struct findings *ret)
{
    cJSON *o = wire_is_good(reply) ? wire_parse(reply->body) : NULL;
    struct str name = wire_name(a, o, "displayname"), picture = wire_id(a, o, "avatar_url");
    cJSON_Delete(o);
    if (name.n > 0 && picture.n > 0)
        finding_add(ret, FOUND_FINE,
                    arena_print(a, "people see it as %.*s, with a picture", STR_ARG(name)));
    else
        finding_add(ret, FOUND_ADVICE,
                    arena_print(a,
                                "%.*s has no %s: koikoi doctor --set-profile sets name and picture",
                                STR_ARG(m->session.user), name.n > 0 ? "picture" : "name"));
}

/* True if the step of setting the profile was refused, which ends it. */
static bool profile_refused(struct arena *a, const char *what, const struct reply *reply,
                            struct findings *ret)
{
    if (wire_is_good(reply))
        return false;
    struct wire_error t = wire_error_of(a, reply);
    finding_add(ret, FOUND_WRONG,
                arena_print(a, "the homeserver does not take the account's %s (%d %.*s)%s", what,
                            reply->status, STR_ARG(t.code),
                            t.limit ? ": ask again in some minutes" : ""));
    return true;
}

static bool found_upload(struct matrix *m, struct arena *a, const struct reply *reply,
                         struct request *next, struct findings *ret)
{
    if (profile_refused(a, "picture", reply, ret))
        return false;
    cJSON *o = wire_parse(reply->body);
    ask_field(m, a, ASK_PICTURE, "avatar_url", wire_id(a, o, "content_uri"), next);
    cJSON_Delete(o);
    return true;
}

bool examine_account_read(struct matrix *m, struct arena *a, const struct reply *reply,
                          struct request *next, struct findings *ret)
{
    switch ((enum account_step)m->exam_account) {
    case ASK_KEYS:
        found_keys(m, a, reply, ret);
        ask_profile(m, a, next);
        return true;
    case ASK_UPLOAD:
        return found_upload(m, a, reply, next, ret);
    case ASK_PICTURE:
        if (profile_refused(a, "picture", reply, ret))
            return false;
        ask_field(m, a, ASK_NAME, "displayname", m->asked->name, next);
        return true;
    case ASK_NAME:
        if (!profile_refused(a, "name", reply, ret))
            finding_add(ret, FOUND_FINE,
                        arena_print(a, "people see it as %.*s from now on, with a picture",
                                    STR_ARG(m->asked->name)));
        return false;
    default:
        found_profile(m, a, reply, ret);
        return false;
    }
}
