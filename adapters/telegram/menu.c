/* The list of commands that apps show behind "/": one call for each language and scope after a
 * start. In groups, commands whose answer is for the sender alone are ephemeral, where the app
 * can. */
#include "telegram.h"

/* The scopes of a list, and whether commands may be ephemeral there; private chats list more. */
static const struct {
    const char *scope;
    bool unseen, is_private;
} scopes[] = {{"{\"type\":\"all_private_chats\"}", false, true},
              {"{\"type\":\"all_group_chats\"}", true, false}};
enum { N_SCOPES = sizeof scopes / sizeof *scopes };

bool tg_menu_left(const struct telegram *t)
{
    return t->menu_at < t->n_menu * N_SCOPES;
}

/* The entries of one language stand together: the end of those that begin at `from`. */
static int menu_end(const struct telegram *t, int from)
{
    int end = from;
    while (end < t->n_menu && str_is(t->menu[end].language, t->menu[from].language))
        end++;
    return end;
}

struct request tg_menu_ask(struct telegram *t, struct arena *a)
{
    int from = t->menu_at / N_SCOPES, scope = t->menu_at % N_SCOPES, end = menu_end(t, from);
    size_t cap = 64;
    for (int i = from; i < end; i++)
        cap += 96 + t->menu[i].command.n + t->menu[i].about.n * 6;
    struct buf b = {arena_alloc(a, cap), 0, cap, false};
    struct call_fields f = {0};
    buf_char(&b, '[');
    for (int i = from; i < end; i++) {
        if (t->menu[i].about.n == 0 || /* known, not shown */
            (t->menu[i].private_only && !scopes[scope].is_private))
            continue;
        buf_put(&b, b.n > 1 ? STR(",{\"command\":") : STR("{\"command\":"));
        tg_json_string(&b, t->menu[i].command);
        buf_put(&b, STR(",\"description\":"));
        tg_json_string(&b, t->menu[i].about);
        if (scopes[scope].unseen && t->menu[i].unseen)
            buf_put(&b, STR(",\"is_ephemeral\":true"));
        buf_char(&b, '}');
    }
    buf_char(&b, ']');
    tg_call_json(&f, "commands", buf_str(&b));
    tg_call_json(&f, "scope", str_of(scopes[scope].scope));
    if (t->menu[from].language.n > 0)
        tg_call_text(&f, "language_code", t->menu[from].language);
    return tg_call(t, a, "setMyCommands", &f);
}

void tg_menu_done(struct telegram *t)
{
    int from = t->menu_at / N_SCOPES, scope = t->menu_at % N_SCOPES;
    t->menu_at = scope + 1 < N_SCOPES ? t->menu_at + 1 : menu_end(t, from) * N_SCOPES;
}
