/* See stage.h. Who types, presses and looks for something to say; and what the network itself
 * tells. */
#include "golden/stage.h"

#include "command.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>

void stage_admin(struct stage *s, const char *who)
{
    snprintf(s->admin, sizeof s->admin, "%s", who);
}

static bool is_far(const char *who)
{
    struct str rest = str_of(stage->far);
    for (struct str w = str_word(&rest); w.n > 0; w = str_word(&rest))
        if (str_is(w, str_of(who)))
            return true;
    return false;
}

static void take_on(struct stage *s, int account, const struct update *u)
{
    struct err err = {"?"};
    stage_must(store_begin(s->store, &err), &err);
    stage_must(inbox_take(s->inbox, &s->accounts[account], u, &err), &err);
    stage_must(store_commit(s->store, &err), &err);
    stage_jobs(s);
}

/* On the network of whoever does it. */
static void take(struct stage *s, const struct update *u)
{
    char id[64];
    snprintf(id, sizeof id, "%.*s", STR_ARG(u->from.id));
    take_on(s, is_far(id), u);
}

static struct str capital(const char *who)
{
    char *p = arena_alloc(stage->arena, strlen(who) + 1);
    memcpy(p, who, strlen(who));
    p[0] = (char)toupper((unsigned char)p[0]);
    return str_of(p);
}

static struct sender sender_of(const char *who)
{
    return (struct sender){
        .id = stage_keep(str_of(who)), .name = capital(who), .handle = stage_keep(str_of(who))};
}

static void fill(struct stage *s, const char *who, const char *room, bool direct, struct update *u)
{
    u->id = arena_print(s->arena, "u%d", ++s->updates);
    u->from = sender_of(who);
    u->direct = direct;
    u->chat = direct ? arena_print(s->arena, "dm-%s", who) : stage_keep(str_of(room));
    u->from.anonymous = s->anonymous && strcmp(s->anonymous, who) == 0;
    u->chat_name = direct || strcmp(room, "nameless") == 0 ? (struct str){0} : capital(room);
    u->when = s->now;
    u->admin = direct || strcmp(s->admin, who) == 0;
}

static void mentions(struct update *u)
{
    for (struct str rest = u->text, w = str_word(&rest); w.n > 0; w = str_word(&rest))
        if (w.n > 1 && w.p[0] == '@' && u->n_mentions < MAX_MENTIONS)
            u->mention[u->n_mentions++] =
                (struct sender){.handle = str_skip(w, 1), .bot = str_is(w, STR("@koikoi_bot"))};
}

void stage_type(struct stage *s, const char *who, const char *room, bool direct, const char *text)
{
    struct str typed = str_of(text);
    const char *at = strstr(text, "<code>");
    if (at) /* the newest one */
        typed = arena_print(s->arena, "%.*s%s%s", (int)(at - text), text, s->code, at + 6);
    struct update u = {.kind = UPDATE_TEXT, .text = stage_keep(typed)};
    fill(s, who, room, direct, &u);
    u.said = STR("words");
    mentions(&u);
    take(s, &u);
}

static bool sees(const struct said *said, const char *who)
{
    if (said->account != is_far(who) || said->dropped || said->out.kind != OUT_POST)
        return false;
    if (said->out.where == TO_CHAT && !str_starts(said->out.chat, STR("dm-")))
        return true;
    return str_is(said->out.to, str_of(who)) || (str_starts(said->out.chat, STR("dm-")) &&
                                                 str_is(str_skip(said->out.chat, 3), str_of(who)));
}

bool stage_press(struct stage *s, const char *who, const char *label)
{
    for (int i = s->n_said - 1; i >= 0; i--) {
        const struct outgoing *o = &s->said[i].out;
        for (int b = 0; sees(&s->said[i], who) && b < o->n_buttons; b++) {
            if (!str_starts(o->buttons[b].label, str_of(label)))
                continue;
            bool direct = o->where == TO_DIRECT || str_starts(o->chat, STR("dm-"));
            struct update u = {.kind = UPDATE_PRESS, .text = o->buttons[b].data};
            fill(s, who, direct ? "" : arena_print(s->arena, "%.*s", STR_ARG(o->chat)).p, direct,
                 &u);
            u.press = arena_print(s->arena, "press%d", s->updates);
            s->last_press = u;
            take(s, &u);
            return true;
        }
    }
    return false;
}

bool stage_react(struct stage *s, const char *who, bool before, const char *number)
{
    const char *newest = NULL;
    for (int i = s->n_said - 1; i >= 0; i--) {
        const struct said *said = &s->said[i];
        bool own = said->out.where == TO_DIRECT || str_starts(said->out.chat, STR("dm-"));
        if (!sees(said, who) || !own || (newest && strcmp(newest, said->post) == 0))
            continue;
        if (before && !newest) {
            newest = said->post;
            continue;
        }
        struct update u = {
            .kind = UPDATE_TEXT, .reacted = true, .text = stage_keep(str_of(number))};
        fill(s, who, "", true, &u);
        u.post = str_of(said->post);
        take(s, &u);
        return true;
    }
    return false;
}

void stage_ask(struct stage *s, const char *who, const char *text)
{
    struct update u = {.kind = UPDATE_QUERY, .text = stage_keep(str_of(text))};
    fill(s, who, "tea", false, &u);
    u.press = arena_print(s->arena, "query%d", s->updates);
    take(s, &u);
}

bool stage_say(struct stage *s, const char *who, const char *title, bool told)
{
    const struct article *found = NULL;
    for (int i = s->n_said - 1; i >= 0 && !found; i--)
        for (int k = 0; k < s->said[i].out.n_articles && !found; k++)
            if (str_is(s->said[i].out.to, str_of(who)) &&
                str_starts(s->said[i].out.articles[k].title, str_of(title)))
                found = &s->said[i].out.articles[k];
    if (!found)
        return false;
    struct said *said = &s->said[s->n_said++];
    *said = (struct said){
        .out = {.kind = OUT_POST, .where = TO_CHAT, .chat = STR("tea"), .text = found->text}};
    said->out.buttons = arena_new(s->arena, struct button);
    said->out.n_buttons = found->label.n > 0;
    said->out.buttons[0] = (struct button){.label = found->label, .data = found->id};
    struct update u = {.kind = UPDATE_PRESS, .text = found->id};
    fill(s, who, "tea", false, &u);
    if (told)
        take(s, &u);
    return true;
}

void stage_press_again(struct stage *s, bool same_update)
{
    struct update u = s->last_press;
    if (!same_update) {
        u.id = arena_print(s->arena, "u%d", ++s->updates);
        u.press = arena_print(s->arena, "press%d", s->updates);
    }
    take(s, &u);
}

void stage_forge(struct stage *s, const char *who, const char *data)
{
    struct update u = {.kind = UPDATE_PRESS, .text = stage_keep(str_of(data))};
    fill(s, who, "tea", false, &u);
    u.press = arena_print(s->arena, "press%d", s->updates);
    take(s, &u);
}

void stage_bot(struct stage *s, const char *what, const char *room)
{
    struct update u = {.kind = UPDATE_RIGHTS};
    if (strcmp(what, "joins") == 0 || strcmp(what, "leaves") == 0)
        u.kind = what[0] == 'j' ? UPDATE_JOINED : UPDATE_LEFT;
    else if (strcmp(what, "deaf") == 0)
        u.text = STR("encrypted");
    else if (strcmp(what, "rights") != 0)
        abort();
    fill(s, "", room, false, &u);
    u.from = u.text.n > 0 ? sender_of("alice") : (struct sender){0}; /* who has invited it */
    take_on(s, strcmp(room, "isle") == 0, &u);
}

void stage_unreachable(struct stage *s, const char *who)
{
    struct err err = {"?"};
    for (int i = s->n_said - 1; i >= 0; i--)
        if (s->said[i].out.where != TO_CHAT && str_is(s->said[i].out.to, str_of(who))) {
            struct receipt r = {.kind = NEVER, .why = NEVER_UNREACHABLE};
            stage_must(store_begin(s->store, &err), &err);
            stage_must(
                inbox_never(s->inbox, &s->accounts[s->said[i].account], &s->said[i].out, &r, &err),
                &err);
            stage_must(store_commit(s->store, &err), &err);
            return;
        }
    abort();
}

void stage_moves(struct stage *s, const char *room, const char *new_key)
{
    struct update u = {.kind = UPDATE_MOVED, .text = stage_keep(str_of(new_key))};
    fill(s, "", room, false, &u);
    u.from = sender_of("alice"); /* who has invited it */
    take_on(s, strcmp(room, "isle") == 0, &u);
}

bool stage_auto(struct stage *s, bool koikoi)
{
    struct session game;
    struct ruleset g;
    struct move legal[MAX_MOVES];
    struct str hex;
    struct seed key;
    struct err err = {"?"};
    if (!stage_session(s, &game) || session_turn(&game) < 0)
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
    stage_must(store_meta(s->store, s->arena, STR("press_key"), &hex, &err), &err);
    bool good = chance_read_seed(hex, &key);
    assert(good);
    (void)good;
    struct update u = {.kind = UPDATE_PRESS};
    u.text = press_write(key.at, (struct press){VERB_MOVE, game.no, game.version, pick}, s->arena);
    const struct venue *v = session_venue(&game, game.player[seat].venue);
    fill(s, game.player[seat].id, v->chat_key, v->direct, &u);
    u.press = arena_print(s->arena, "press%d", s->updates);
    s->last_press = u;
    take(s, &u);
    return true;
}
