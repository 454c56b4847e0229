/* Watchers: people who want to read of somebody who looks for a game. */
#include "lobby.h"

static void tell(struct step *st, const struct session *s, const struct watcher *watcher)
{
    struct str chat = watcher->here ? st->e->chat_name : (struct str){0};
    struct arg rules = s->search.any_rules ? arg_key(T_ANY_RULES) : arg_str(str_of(s->rules.name));
    struct arg name = arg_str(str_of(s->player[0].name));
    struct notice *notice =
        chat.n > 0 ? notice_line(st, TO_HANDLE, T_NOTIFY_HERE, ARGS(name, arg_str(chat), rules))
                   : notice_line(st, TO_HANDLE, T_NOTIFY_ANY, ARGS(name, rules));
    struct str language = str_of(watcher->prefs.language);
    notice->handle = watcher->handle;
    notice->language = language.n > 0 ? language : st->w->default_language;
    notice->table = step_table(st, s, SEAT_PUBLIC);
    if (s->search.on)
        notice->verbs = BUTTON_OF(VERB_SEEK);
}

void lobby_tell_watchers(struct step *st, const struct session *s)
{
    struct watch_effect *told = &st->fx->watch;
    for (int i = 0; i < st->w->n_watchers && told->n_told < MAX_TOLD; i++) {
        const struct watcher *watcher = &st->w->watcher[i];
        if (absence_ring_at(&watcher->prefs.absence, st->e->now) > st->e->now)
            continue;
        tell(st, s, watcher);
        told->told[told->n_told++] = watcher->person;
    }
}
