/* Turn of the inbox: one event while it is handled, in its chat. See inbox_internal.h. */
#include "inbox_features.h"

#include "zone.h"

#include <assert.h>
#include <stdio.h>

struct turn *turn_begin(struct inbox *in, const struct account *account)
{
    arena_reset(in->turn);
    struct turn *t = arena_new(in->turn, struct turn);
    t->in = in;
    t->store = in->parts.store;
    t->arena = in->turn;
    t->account = account;
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
                     .pages = in->pages,
                     .beacon = in->parts.beacon ? beacon_client_chain(in->parts.beacon) : NULL};
    t->world = (struct world){.bot = &in->bot,
                              .can = account->can,
                              .zone_ok = true,
                              .absence = &t->absence,
                              .link = &t->link,
                              .seasons = &t->seasons};
    chat_settings_default(&t->world.chat.settings);
    return t;
}

struct turn *turn_begin_in(struct inbox *in, int64_t chat_id)
{
    arena_reset(in->turn);
    const struct chat *chat = store_chat_by_id(in->parts.store, in->turn, chat_id);
    const struct account *account = chat ? turn_account(in, chat->account) : NULL;
    if (!account)
        return NULL;
    char key[CHAT_KEY_SIZE];
    bool direct = chat->direct;
    NAME_PUT(key, chat->key);
    struct turn *t = turn_begin(in, account);
    t->event.chat = arena_str(t->arena, str_of(key));
    t->event.direct = direct;
    facts_chat(t, t->event.chat, STR(""), direct);
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
    struct buf line = {arena_room(t->arena, SESSION_LINE), 0, SESSION_LINE, false};
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

struct str turn_name(struct turn *t, struct str name)
{
    return text_clean(t->arena, name, NAME_COLUMNS);
}

/* Nothing that may be undone on the strength of a read that failed. */
/* The update waits for its network's answer, in the outbox; what else is heard does not. OUT_ASK, or
 * OUT_WIDGET with the address of the page. */
void turn_ask(struct turn *t, enum out_kind kind, struct str page)
{
    enum { ASK_MS = 60 * 1000 };
    struct update kept = *t->update;
    kept.ask_admin = false;
    kept.id = (struct str){0};
    outbox_push(t->in->parts.outbox, t->account,
                &(struct outgoing){.kind = kind,
                                   .chat = kept.chat,
                                   .to = kept.from.id,
                                   .text = update_pack(&kept, t->arena),
                                   .caption = page,
                                   .reports = true,
                                   .expires = t->event.now + ASK_MS});
}

void turn_push_job(struct turn *t, const struct job *job)
{
    assert(!store_failed(t->store));
    work_push(t->in->parts.work, job);
}

/* With the chat where the match is played, wherever somebody pressed. */
void turn_log(struct turn *t, const char *event, const struct session *s, const char *key,
              const char *value)
{
    const struct account *home = turn_account(t->in, s->venue[0].account);
    char no[24];
    assert(!store_failed(t->store));
    snprintf(no, sizeof no, "%lld", (long long)s->no);
    log_hold(&t->in->log, LOG_INFO, event, "account", (home ? home : t->account)->name.p, "chat",
             s->venue[0].chat_key, "#match", no, key, value, NULL);
}

/* ---- its chat ---- */

static struct cache_key key_of_chat(int64_t account, struct str chat)
{
    return (struct cache_key){.no = account, .text = chat};
}

void turn_note_said(struct turn *t, int64_t account, struct str chat)
{
    CACHE_KEEP(t->in->last_said, key_of_chat(account, chat), BYTES_OF(t->event.now));
}

struct chat_settings facts_settings_of(struct turn *t, const struct chat *chat, int32_t *ret_offset)
{
    struct chat_settings settings;
    chat_settings_default(&settings);
    chat_settings_read(chat->settings, &settings);
    if (!zone_offset_cached(t->in->zone_cache, str_of(settings.zone), t->event.now, ret_offset))
        *ret_offset = 0;
    return settings;
}

void facts_chat(struct turn *t, struct str key, struct str name, bool direct)
{
    t->chat = store_chat(t->store, t->arena, t->account->id, key, name, direct);
    t->world.chat.id = t->chat.id;
    t->world.chat.can = account_can(t->account, key);
    t->world.chat.held_until = outbox_held(t->in->parts.outbox, t->account, key);
    (void)cache_read(t->in->last_said, key_of_chat(t->account->id, key), &t->world.chat.said_at,
                     sizeof t->world.chat.said_at);
    t->event.chat_name = t->chat.name;
    t->world.chat.settings = facts_settings_of(t, &t->chat, &t->world.chat.utc_offset);
}
