/* People: what they type, press, query and post. Also events that the network itself reports. See
 * chat_harness.h. */
#include "golden/chat_harness.h"

#include "command.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>

void chat_harness_admin(struct chat_harness *s, const char *who)
{
    snprintf(s->admin, sizeof s->admin, "%s", who);
}

static bool is_far(const char *who)
{
    struct str rest = str_of(harness->far);
    for (struct str w = str_word(&rest); w.n > 0; w = str_word(&rest))
        if (str_is(w, str_of(who)))
            return true;
    return false;
}

static void deliver_on(struct chat_harness *s, int account, const struct update *u)
{
    struct err err = {"?"};
    store_begin(s->store);
    inbox_handle(s->inbox, &s->accounts[account], u);
    chat_harness_must(store_commit(s->store, &err), &err);
    chat_harness_jobs(s);
}

/* On the sender's network. */
static void deliver(struct chat_harness *s, const struct update *u)
{
    deliver_on(s, s->sender_far, u);
}

static struct str capitalized(const char *who)
{
    char *p = arena_alloc(harness->arena, strlen(who) + 1);
    memcpy(p, who, strlen(who));
    p[0] = (char)toupper((unsigned char)p[0]);
    return str_of(p);
}

/* What a list "ann=pl bo=ja" says of a person. */
static struct str said_of(const char *list, const char *who, struct str otherwise)
{
    struct str rest = str_of(list), value;
    for (struct str w = str_word(&rest); w.n > 0; w = str_word(&rest))
        if (str_is(str_cut(w, '=', &value), str_of(who)))
            return value;
    return otherwise;
}

/* "blank" has no handle, and a name that shows as nothing. */
static struct sender sender_of(const char *who)
{
    if (strcmp(who, "blank") == 0)
        return (struct sender){.id = STR("blank"), .name = STR("\xE3\x85\xA4 \xE2\x80\x8B")};
    return (struct sender){.id = chat_harness_keep(said_of(harness->twins, who, str_of(who))),
                           .name = capitalized(who),
                           .handle = chat_harness_keep(said_of(harness->handles, who, str_of(who))),
                           .language = said_of(harness->apps, who, (struct str){0})};
}

static void fill_update(struct chat_harness *s, const char *who, const char *room, bool direct,
                        struct update *u)
{
    s->sender_far = is_far(who);
    u->id = arena_print(s->arena, "u%d", ++s->updates);
    u->from = sender_of(who);
    u->direct = direct;
    bool topic = direct && isdigit((unsigned char)room[0]);
    u->chat = !direct || strncmp(room, "dm-", 3) == 0 ? chat_harness_keep(str_of(room))
              : topic                                 ? arena_print(s->arena, "dm-%s/%s", who, room)
                                                      : arena_print(s->arena, "dm-%s", who);
    u->from.anonymous = s->anonymous && strcmp(s->anonymous, who) == 0;
    u->chat_name = direct || strcmp(room, "nameless") == 0 ? (struct str){0} : capitalized(room);
    u->when = s->now;
    u->ask_admin = s->asks_admins && !direct;
    u->admin = !u->ask_admin && (direct || strcmp(s->admin, who) == 0);
}

/* "~bo" is a name that no member of the chat has, "~an=ann,andy" one that fits these handles: what
 * a network says that looks names up. */
static void unnamed(struct update *u, struct str word)
{
    struct str handles;
    u->unnamed = str_cut(str_skip(word, 1), '=', &handles);
    while (handles.n > 0 && u->n_choices < MAX_MENTIONS)
        u->choice[u->n_choices++] = (struct sender){.handle = str_cut(handles, ',', &handles)};
}

/* A bot that is picked from the app's list: it is named without a handle, and leaves the text. */
static void picked(struct update *u, struct str word)
{
    struct str after = str_skip(u->text, (size_t)(word.p + word.n - u->text.p));
    u->mention[u->n_mentions++] =
        (struct sender){.id = word, .name = str_skip(word, 1), .bot = true};
    u->text = arena_print(harness->arena, "%.*s%.*s", (int)(word.p - u->text.p), u->text.p,
                          STR_ARG(after));
}

static bool is_bot(struct str word)
{
    return word.n > 4 && str_is(str_skip(word, word.n - 4), STR("_bot"));
}

static void mentions(struct update *u)
{
    for (struct str rest = u->text, w = str_word(&rest); w.n > 0; w = str_word(&rest))
        if (w.n > 1 && w.p[0] == '@' && u->n_mentions < MAX_MENTIONS)
            u->mention[u->n_mentions++] = (struct sender){
                .handle = str_skip(w, 1), .self = str_is(w, STR("@koikoi_bot")), .bot = is_bot(w)};
        else if (w.p[0] == '~' && is_bot(w) && u->n_mentions < MAX_MENTIONS)
            picked(u, w);
        else if (w.n > 1 && w.p[0] == '~')
            unnamed(u, w);
}

void chat_harness_type(struct chat_harness *s, const char *who, const char *room, bool direct,
                       const char *text)
{
    struct str typed = str_of(text);
    const char *at = strstr(text, "<code>");
    if (at) /* the newest one */
        typed = arena_print(s->arena, "%.*s%s%s", (int)(at - text), text, s->code, at + 6);
    struct update u = {.kind = UPDATE_TEXT, .text = chat_harness_keep(typed)};
    fill_update(s, who, room, direct, &u);
    u.said = STR("words");
    u.addressed = strstr(text, "@koikoi_bot") != NULL;
    mentions(&u);
    deliver(s, &u);
}

void chat_harness_answer(struct chat_harness *s, const char *who, const char *text)
{
    struct update u = {
        .kind = UPDATE_TEXT, .text = chat_harness_keep(str_of(text)), .addressed = true};
    fill_update(s, who, "tea", false, &u);
    u.said = STR("words");
    deliver(s, &u);
}

static bool can_see(const struct sent_message *sent, const char *who)
{
    if (sent->account != is_far(who) || sent->dropped || sent->out.kind != OUT_POST)
        return false;
    if (sent->out.where == TO_CHAT && !str_starts(sent->out.chat, STR("dm-")))
        return true;
    struct str topic,
        of = str_starts(sent->out.chat, STR("dm-")) ? str_skip(sent->out.chat, 3) : (struct str){0};
    return str_is(sent->out.to, str_of(who)) || str_is(str_cut(of, '/', &topic), str_of(who));
}

/* The newest button whose label begins so; `who`: that they can see, NULL: that anybody can. */
static const struct button *newest_button(struct chat_harness *s, const char *who,
                                          const char *label, const struct outgoing **ret)
{
    for (int i = s->n_sent - 1; i >= 0; i--) {
        const struct outgoing *o = &s->sent[i].out;
        for (int b = 0; (!who || can_see(&s->sent[i], who)) && b < o->n_buttons; b++)
            if (str_starts(o->buttons[b].label, str_of(label))) {
                *ret = o;
                return &o->buttons[b];
            }
    }
    return NULL;
}

static bool press_button(struct chat_harness *s, const char *who, const struct button *button,
                         const char *room, bool direct)
{
    if (!button)
        return false;
    struct update u = {.kind = UPDATE_PRESS, .text = button->data};
    fill_update(s, who, room, direct, &u);
    u.press = arena_print(s->arena, "press%d", s->updates);
    s->last_press = u;
    s->last_far = s->sender_far;
    deliver(s, &u);
    return true;
}

static bool press_under(struct chat_harness *s, const char *who, const struct outgoing *o,
                        const struct button *button)
{
    bool direct = o && (o->where == TO_DIRECT || str_starts(o->chat, STR("dm-")));
    const char *room = o ? arena_str(s->arena, o->chat).p : "";
    return press_button(s, who, button, room, direct);
}

bool chat_harness_press(struct chat_harness *s, const char *who, const char *label)
{
    const struct outgoing *o = NULL;
    const struct button *button = newest_button(s, who, label, &o);
    return press_under(s, who, o, button);
}

bool chat_harness_press_old(struct chat_harness *s, const char *who, const char *label)
{
    for (int i = s->n_sent - 1; i >= 0; i--) {
        const struct outgoing *o = &s->sent[i].out;
        for (int b = 0; can_see(&s->sent[i], who) && b < o->n_buttons; b++) {
            if (!str_starts(o->buttons[b].label, str_of(label)))
                continue;
            struct str topic, chat = str_cut(o->chat, '/', &topic);
            struct update u = {.kind = UPDATE_PRESS,
                               .text = o->buttons[b].data,
                               .part_unknown = true,
                               .post = str_of(s->sent[i].post)};
            fill_update(s, who, arena_str(s->arena, chat).p, false, &u);
            u.press = arena_print(s->arena, "press%d", s->updates);
            deliver(s, &u);
            return true;
        }
    }
    return false;
}

bool chat_harness_tap(struct chat_harness *s, const char *who, int no)
{
    const struct outgoing *o = NULL;
    const struct button *first = newest_button(s, who, "", &o);
    return press_under(s, who, o, first && no <= o->n_buttons ? first + no - 1 : NULL);
}

bool chat_harness_press_in(struct chat_harness *s, const char *who, const struct sent_message *sent,
                           const struct button *button)
{
    const struct outgoing *o = &sent->out;
    bool direct = o->where == TO_DIRECT || str_starts(o->chat, STR("dm-"));
    const char *room = direct ? "" : arena_print(s->arena, "%.*s", STR_ARG(o->chat)).p;
    return can_see(sent, who) && press_button(s, who, button, room, direct);
}

bool chat_harness_copy(struct chat_harness *s, const char *who, const char *room, bool direct,
                       const char *label)
{
    const struct outgoing *o = NULL;
    return press_button(s, who, newest_button(s, NULL, label, &o), room, direct);
}

bool chat_harness_react(struct chat_harness *s, const char *who, bool before, const char *number)
{
    const char *newest = NULL;
    bool direct = number[0] >= '0' && number[0] <= '9';
    for (int i = s->n_sent - 1; i >= 0; i--) {
        const struct sent_message *sent = &s->sent[i];
        bool own = sent->out.where == TO_DIRECT || str_starts(sent->out.chat, STR("dm-"));
        if (!can_see(sent, who) || own != direct || (newest && strcmp(newest, sent->post) == 0))
            continue;
        if (before && !newest) {
            newest = sent->post;
            continue;
        }
        struct update u = {
            .kind = UPDATE_TEXT, .reacted = true, .text = chat_harness_keep(str_of(number))};
        fill_update(s, who, direct ? "" : arena_str(s->arena, sent->out.chat).p, direct, &u);
        u.post = str_of(sent->post);
        deliver(s, &u);
        return true;
    }
    return false;
}

bool chat_harness_redact(struct chat_harness *s, const char *who, bool bot)
{
    for (int i = s->n_sent - 1; i >= 0; i--) {
        const struct sent_message *sent = &s->sent[i];
        if (sent->out.where != TO_CHAT || sent->out.kind != OUT_POST)
            continue;
        struct update u = {.kind = UPDATE_ERASED, .part_unknown = true, .post = str_of(sent->post)};
        struct str topic, chat = str_cut(sent->out.chat, '/', &topic);
        fill_update(s, who, arena_str(s->arena, chat).p, false, &u);
        u.from.bot = bot;
        for (int k = s->n_standing - 1; k >= 0; k--)
            if (strcmp(s->standing[k].id, sent->post) == 0)
                s->standing[k] = s->standing[--s->n_standing];
        deliver(s, &u);
        return true;
    }
    return false;
}

void chat_harness_inline_query(struct chat_harness *s, const char *who, const char *text)
{
    struct update u = {.kind = UPDATE_QUERY, .text = chat_harness_keep(str_of(text))};
    fill_update(s, who, "tea", false, &u);
    u.press = arena_print(s->arena, "query%d", s->updates);
    deliver(s, &u);
}

bool chat_harness_post_article(struct chat_harness *s, const char *who, const char *title,
                               bool reported)
{
    const struct article *found = NULL;
    for (int i = s->n_sent - 1; i >= 0 && !found; i--)
        for (int k = 0; k < s->sent[i].out.n_articles && !found; k++)
            if (str_is(s->sent[i].out.to, str_of(who)) &&
                str_starts(s->sent[i].out.articles[k].title, str_of(title)))
                found = &s->sent[i].out.articles[k];
    if (!found)
        return false;
    struct sent_message *sent = &s->sent[s->n_sent++];
    *sent = (struct sent_message){
        .out = {.kind = OUT_POST, .where = TO_CHAT, .chat = STR("tea"), .text = found->text}};
    sent->out.buttons = arena_new(s->arena, struct button);
    sent->out.n_buttons = found->label.n > 0;
    sent->out.buttons[0] = (struct button){.label = found->label, .data = found->id};
    struct update u = {.kind = UPDATE_PRESS, .text = found->id};
    fill_update(s, who, "tea", false, &u);
    if (reported)
        deliver(s, &u);
    return true;
}

void chat_harness_play_on(struct chat_harness *s, const char *who, int64_t no, int64_t step,
                          int64_t index)
{
    struct seed key;
    struct update u = {.kind = UPDATE_PRESS};
    chat_harness_key(s, &key);
    u.text = press_write(key.at, (struct press){VERB_PLAY_ON, no, step, index}, s->arena);
    fill_update(s, who, arena_print(s->arena, "dm-%s", who).p, true, &u);
    u.press = arena_print(s->arena, "press%d", s->updates);
    s->last_press = u;
    s->last_far = s->sender_far;
    deliver(s, &u);
}

void chat_harness_press_again(struct chat_harness *s, bool same_update)
{
    struct update u = s->last_press;
    s->sender_far = s->last_far;
    if (!same_update) {
        u.id = arena_print(s->arena, "u%d", ++s->updates);
        u.press = arena_print(s->arena, "press%d", s->updates);
    }
    deliver(s, &u);
}

void chat_harness_forge(struct chat_harness *s, const char *who, const char *data)
{
    struct update u = {.kind = UPDATE_PRESS, .text = chat_harness_keep(str_of(data))};
    fill_update(s, who, "tea", false, &u);
    u.press = arena_print(s->arena, "press%d", s->updates);
    deliver(s, &u);
}

void chat_harness_bot(struct chat_harness *s, const char *what, const char *room, const char *by)
{
    struct update u = {.kind = UPDATE_RIGHTS};
    if (strcmp(what, "joins") == 0 || strcmp(what, "leaves") == 0)
        u.kind = what[0] == 'j' ? UPDATE_JOINED : UPDATE_LEFT;
    else if (strcmp(what, "deaf") == 0)
        u.text = STR("encrypted");
    else if (strcmp(what, "rights") != 0)
        u.text = str_of(what);
    fill_update(s, "", room, false, &u);
    u.from = *by ? sender_of(by) : (struct sender){0};
    deliver_on(s, strcmp(room, "isle") == 0, &u);
}

void chat_harness_goes(struct chat_harness *s, const char *who, const char *room, bool back)
{
    struct update u = {.kind = back ? UPDATE_BACK : UPDATE_GONE};
    fill_update(s, who, room, false, &u);
    deliver_on(s, strcmp(room, "isle") == 0, &u);
}

void chat_harness_unreachable(struct chat_harness *s, const char *who)
{
    struct err err = {"?"};
    for (int i = s->n_sent - 1; i >= 0; i--)
        if (s->sent[i].out.where != TO_CHAT && str_is(s->sent[i].out.to, str_of(who))) {
            struct receipt r = {.kind = NEVER, .why = NEVER_UNREACHABLE};
            store_begin(s->store);
            inbox_report(s->inbox, &s->accounts[s->sent[i].account], &s->sent[i].out, &r);
            chat_harness_must(store_commit(s->store, &err), &err);
            return;
        }
    fprintf(stderr, "chat harness: nothing was said to %s alone\n", who);
    abort();
}

void chat_harness_refuses(struct chat_harness *s, const char *room, bool refuses)
{
    snprintf(s->refuses, sizeof s->refuses, "%s", refuses ? room : "");
}

void chat_harness_hangs(struct chat_harness *s, const char *places)
{
    snprintf(s->hangs, sizeof s->hangs, "%s", places);
    for (int i = 0; i < s->n_sent; i++)
        s->sent[i].waits &= chat_harness_hangs_at(s, &s->sent[i].out);
}

bool chat_harness_hangs_at(const struct chat_harness *s, const struct outgoing *out)
{
    struct str place = outbox_post_key(s->arena, out), rest = str_of(s->hangs);
    for (struct str word = str_word(&rest); word.n > 0; word = str_word(&rest))
        if (str_is(word, place) && out->kind != OUT_ANSWER)
            return true;
    return false;
}

void chat_harness_blocks(struct chat_harness *s, const char *who, bool blocks)
{
    snprintf(s->blocks, sizeof s->blocks, "%s", blocks ? who : "");
}

void chat_harness_hold(struct chat_harness *s, const char *room, int64_t ms)
{
    snprintf(s->held, sizeof s->held, "%s", room);
    s->held_until = s->now + ms;
}

void chat_harness_moves(struct chat_harness *s, const char *room, const char *new_key)
{
    struct update u = {.kind = UPDATE_MOVED, .text = chat_harness_keep(str_of(new_key))};
    fill_update(s, "", room, false, &u);
    u.from = sender_of("alice"); /* the inviter */
    deliver_on(s, strcmp(room, "isle") == 0, &u);
}

bool chat_harness_auto(struct chat_harness *s, bool koikoi)
{
    struct session game;
    struct ruleset g;
    struct move legal[MAX_MOVES];
    struct seed key;
    if (!chat_harness_session(s, &game) || session_turn(&game) < 0)
        return false;
    int seat = session_turn(&game), pick = 0;
    ruleset_make(&game.rules, &g);
    int n = round_legal(&g, &game.match.round, seat, legal);
    for (int i = 0; i < n; i++) {
        bool stops = legal[i].kind == MOVE_STOP && !koikoi,
             goes = legal[i].kind == MOVE_KOIKOI && koikoi;
        if (stops || goes || (legal[pick].take == 0 && legal[i].take != 0))
            pick = i;
    }
    chat_harness_key(s, &key);
    struct update u = {.kind = UPDATE_PRESS};
    u.text = press_write(key.at, (struct press){VERB_MOVE, game.no, game.version, pick}, s->arena);
    const struct venue *v = &game.venue[game.player[seat].venue];
    fill_update(s, game.player[seat].id, v->chat_key, v->direct, &u);
    u.press = arena_print(s->arena, "press%d", s->updates);
    s->last_press = u;
    s->last_far = s->sender_far;
    deliver(s, &u);
    return true;
}
