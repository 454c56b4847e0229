/* One more entry of the inbox: the timer of a tournament has fired. */
#include "inbox_internal.h"

#include "store_tournament.h"

static const int64_t DAY_MS = 24 * 3600 * (int64_t)1000;

/* Where a player of the game that begins next sits, and from which handle they play. *ret_there is
 * false if that is on a network which is not configured now. */
static bool seat_load(struct turn *t, const struct tournament_entrant *e,
                      struct tournament_seat *ret, bool *ret_there)
{
    struct store *store = t->in->parts.store;
    struct chat chat;
    struct chat_settings settings;
    struct person p, who;
    struct person_prefs prefs = {0};
    bool found, known, same;
    if (!store_chat_by_id(store, t->in->turn, e->chat, &chat, &found, t->err) ||
        !store_person_by_id(store, t->in->turn, e->handle, &p, &known, t->err) ||
        !store_person_by_id(store, t->in->turn, e->person, &who, &same, t->err))
        return false;
    const struct account *account = found ? turn_account(t->in, chat.account) : NULL;
    *ret_there = account && known;
    if (!*ret_there)
        return true;
    *ret = (struct tournament_seat){.can = account_can(account, chat.key)};
    struct venue *v = &ret->venue;
    tournament_chat_settings(t, &chat, &settings, &v->utc_offset);
    v->chat = chat.id;
    v->account = chat.account;
    v->board_picture = settings.board_picture;
    v->direct = chat.direct;
    v->one_post = (ret->can & CAN_ONE_POST) != 0;
    NAME_PUT(v->chat_key, chat.key);
    NAME_PUT(v->chat_name, chat.name);
    NAME_PUT(v->language, str_of(settings.language));
    struct player *player = &ret->player;
    player->person = e->person;
    player->account = p.account;
    NAME_PUT(player->id, p.network_id);
    NAME_PUT(player->name, text_clean(t->in->turn, p.name, NAME_COLUMNS));
    NAME_PUT(player->handle, p.handle);
    if (same)
        person_prefs_read(who.prefs, &prefs);
    facts_offsets(t, &prefs);
    player->absence = prefs.absence;
    NAME_PUT(player->language, str_of(prefs.language));
    return true;
}

static bool next_load(struct turn *t, struct tournament_run *run)
{
    const struct tournament_game *g = tournament_next_to_begin(&run->t);
    struct tournament_seat *seat = arena_array(t->in->turn, struct tournament_seat, 2);
    bool first, second;
    if (!g)
        return true;
    if (!seat_load(t, &run->t.entrant[g->first], &seat[0], &first) ||
        !seat_load(t, &run->t.entrant[g->second], &seat[1], &second))
        return false;
    run->next = first && second ? seat : NULL;
    return true;
}

/* The match of the game that is decided next. */
static bool open_load(struct turn *t, struct tournament_run *run)
{
    const struct tournament_game *g = tournament_next_open(&run->t);
    bool found;
    return !g || g->session == 0 || facts_named(t, g->session, &found);
}

static bool fire(struct turn *t, int64_t no)
{
    struct tournament_run *run;
    if (!facts_chat(t, t->event.chat, (struct str){0}, t->event.direct) ||
        !tournament_load(t, no, &run))
        return false;
    if (!run)
        return store_set_tournament_due(t->in->parts.store, no, t->event.now + DAY_MS, t->err);
    if (!next_load(t, run) || !open_load(t, run))
        return false;
    t->event.verb = VERB_TOURNAMENT_DUE;
    t->world.tournament = run;
    return settle_event(t);
}

bool inbox_tournaments(struct inbox *in, struct err *err)
{
    struct tournament_row row;
    struct turn *t;
    bool found = false;
    int64_t no, now = clock_now(in->parts.clock);
    if (!store_tournament_due(in->parts.store, now, &no, err))
        return false;
    if (no == 0)
        return true;
    arena_reset(in->turn);
    if (!store_tournament(in->parts.store, in->turn, no, &row, &found, err) ||
        !turn_begin_in(in, row.chat, &t, err))
        return false;
    /* its network is not configured now */
    return t ? fire(t, no) : store_set_tournament_due(in->parts.store, no, now + DAY_MS, err);
}

bool inbox_put_off_tournament(struct inbox *in, int64_t ms, struct err *err)
{
    int64_t no, now = clock_now(in->parts.clock);
    return store_tournament_due(in->parts.store, now, &no, err) &&
           (no == 0 || store_set_tournament_due(in->parts.store, no, now + ms, err));
}

bool inbox_move_tournaments(struct inbox *in, int64_t ms, struct err *err)
{
    return store_move_tournaments(in->parts.store, ms, err);
}
