/* Turn of the inbox: one event while it is handled. See inbox_internal.h. */
#include "inbox_internal.h"

struct turn *turn_begin(struct inbox *in, const struct account *account, struct err *err)
{
    arena_reset(in->turn);
    struct turn *t = arena_new(in->turn, struct turn);
    t->in = in;
    t->account = account;
    t->err = err;
    t->event.account = account->id;
    t->event.version = t->event.index = -1;
    t->event.now = clock_now(in->parts.clock);
    in->parts.clock->chance(in->parts.clock->arg, t->event.chance, sizeof t->event.chance);
    in->bot =
        (struct bot){.languages = &in->languages,
                     .n_presets = in->n_presets,
                     .presets = in->presets,
                     .rulesets = &in->rulesets,
                     .default_rules = in->parts.default_rules,
                     .default_language = in->parts.default_language,
                     .beacon = in->parts.beacon ? beacon_client_chain(in->parts.beacon) : NULL};
    t->world = (struct world){.bot = &in->bot,
                              .can = account->can,
                              .zone_ok = true,
                              .absence = &t->absence,
                              .link = &t->link,
                              .seasons = &t->seasons,
                              .seek = &t->seek};
    chat_settings_default(&t->world.chat.settings);
    return t;
}

const struct account *turn_account(const struct inbox *in, int64_t account)
{
    for (int i = 0; i < in->parts.n_accounts; i++)
        if (in->parts.accounts[i].id == account)
            return &in->parts.accounts[i];
    return NULL;
}

int64_t turn_session_of_slot(struct str slot, struct str kind)
{
    int64_t no;
    struct str rest, what = str_cut(slot, ':', &rest);
    return str_is(what, kind) && str_int(str_cut(rest, ':', &rest), &no) && no > 0 ? no : 0;
}

void turn_row(struct turn *t, const struct session *s, struct session_row *ret)
{
    struct buf line = {arena_room(t->in->turn, SESSION_LINE), 0, SESSION_LINE, false};
    *ret = (struct session_row){.id = s->no,
                                .due = s->due,
                                .live = session_live(s),
                                .ended = t->event.now,
                                .n_chats = 1 + s->n_more,
                                .line = session_write(s, &line)};
    for (int i = 0; i < ret->n_chats; i++)
        ret->chat[i] = s->venue[i].chat;
    for (int i = 0; i < s->players; i++) {
        int64_t person = session_gone(s, i) ? 0 : s->player[i].person;
        bool listed = person == 0;
        for (int j = 0; j < ret->n_people; j++)
            listed |= ret->person[j] == person;
        if (!listed)
            ret->person[ret->n_people++] = person;
    }
}

static struct cache_key key_of_chat(int64_t account, struct str chat)
{
    return (struct cache_key){.no = account, .text = chat};
}

void turn_note_said(struct turn *t, int64_t account, struct str chat)
{
    int64_t *at = cache_put(t->in->last_said, key_of_chat(account, chat), sizeof *at);
    if (at)
        *at = t->event.now;
}

int64_t turn_said_at(const struct turn *t, struct str chat)
{
    int64_t at = 0;
    struct str value;
    if (cache_find(t->in->last_said, key_of_chat(t->account->id, chat), &value))
        memcpy(&at, value.p, sizeof at);
    return at;
}

void turn_note_damaged(struct inbox *in, int64_t session)
{
    if (!turn_noted_damaged(in, session) && in->n_damaged < DAMAGED_MOST)
        in->damaged[in->n_damaged++] = session; /* others will be met again */
}

bool turn_noted_damaged(const struct inbox *in, int64_t session)
{
    for (int i = 0; i < in->n_damaged; i++)
        if (in->damaged[i] == session)
            return true;
    return false;
}

bool turn_begin_in(struct inbox *in, int64_t chat_id, struct turn **ret, struct err *err)
{
    struct chat chat;
    bool found;
    arena_reset(in->turn);
    if (!store_chat_by_id(in->parts.store, in->turn, chat_id, &chat, &found, err))
        return false;
    const struct account *account = found ? turn_account(in, chat.account) : NULL;
    *ret = NULL;
    if (!account)
        return true;
    char key[CHAT_KEY_SIZE];
    bool direct = chat.direct;
    NAME_PUT(key, chat.key);
    struct turn *t = turn_begin(in, account, err);
    t->event.chat = arena_str(in->turn, str_of(key));
    t->event.direct = direct;
    *ret = t;
    return true;
}
