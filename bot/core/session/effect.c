/* See effect.h. */
#include "effect.h"

#include "choice.h"

#include <assert.h>

struct notice *effect_notice(struct effects *fx, enum notice_kind kind, enum audience to)
{
    assert(fx->n_notices < MAX_NOTICES);
    struct notice *notice = arena_new(fx->arena, struct notice);
    notice->kind = (uint8_t)kind;
    notice->audience = (uint8_t)to;
    notice->seat = SEAT_PUBLIC;
    notice->only = -1;
    fx->notice[fx->n_notices++] = notice;
    return notice;
}

struct str effect_name(struct arena *a, struct str name, int twin)
{
    return twin ? arena_print(a, "%.*s (%d)", STR_ARG(name), twin) : arena_str(a, name);
}

static struct str copy_text(struct effects *fx, const char *z)
{
    return arena_str(fx->arena, str_of(z));
}

static bool is_sealed(const struct seed *s)
{
    static const struct seed none;
    return memcmp(s, &none, sizeof none) != 0;
}

static void commit_of(struct effects *fx, const struct seed *s, char ret[static SEED_HEX_SIZE])
{
    int i = 0;
    while (i < fx->n_seals && memcmp(&fx->seal[i].seed, s, sizeof *s) != 0)
        i++;
    if (i == fx->n_seals) {
        i %= MAX_SEALS; /* a full cache loses its first */
        fx->n_seals += i == fx->n_seals;
        fx->seal[i].seed = *s;
        chance_commit(s, fx->seal[i].commit);
    }
    memcpy(ret, fx->seal[i].commit, SEED_HEX_SIZE);
}

static void fill_seals(struct effects *fx, const struct session *s, struct table *t)
{
    bool running = s->phase == SESSION_PLAYING && s->match.stage == MATCH_PLAYING;
    if (is_sealed(&s->next_seed))
        commit_of(fx, &s->next_seed, t->next_commit);
    if (is_sealed(&s->deal_seed)) {
        commit_of(fx, &s->deal_seed, t->deal_commit);
        if (!running)
            chance_hex(&s->deal_seed, t->deal_seed);
    }
    t->beacon = (struct beacon_seen){copy_text(fx, s->beacon.url), s->beacon.next, s->beacon.deal,
                                     copy_text(fx, s->beacon.value)};
    if (!session_has_lots(s))
        return;
    commit_of(fx, &s->lots_seed, t->lots_commit);
    if (s->match.players > 0)
        chance_hex(&s->lots_seed, t->lots_seed);
}

static void fill_seats(struct effects *fx, const struct session *s, struct table *t)
{
    for (int i = 0; i < s->players; i++) {
        const struct player *p = &s->player[i];
        t->player[i].name = effect_name(fx->arena, str_of(p->name), session_twin(s, i));
        t->player[i].id = copy_text(fx, p->id);
        t->player[i].handle = copy_text(fx, p->handle);
        t->player[i].language = copy_text(fx, p->language);
        t->player[i].seed = copy_text(fx, p->seed);
        t->player[i].person = p->person;
        t->player[i].account = p->account;
        t->player[i].venue = p->venue;
        t->player[i].computer = p->computer;
        t->player[i].gone = session_gone(s, i);
        t->player[i].apart = session_apart(s, i);
        t->player[i].joined = p->joined;
        t->player[i].ready = p->ready;
        t->player[i].cut = p->cut[0] != '\0';
        t->player[i].channel = p->channel;
        t->player[i].lot = p->lot;
        t->player[i].level = p->level;
        t->player[i].character = p->character;
        t->player[i].hand_message = p->hand_message;
        t->player[i].tips = p->tips;
        t->player[i].words = p->words;
        t->player[i].time_left = p->time_left;
        t->computer |= p->computer;
    }
}

static void fill_venues(struct effects *fx, const struct session *s, struct table *t)
{
    t->n_venues = (uint8_t)(1 + s->n_more);
    for (int i = 0; i < t->n_venues; i++) {
        const struct venue *v = &s->venue[i];
        t->venue[i] = (struct seen_from){.account = v->account,
                                         .chat = copy_text(fx, v->chat_key),
                                         .chat_name = copy_text(fx, v->chat_name),
                                         .language = copy_text(fx, v->language),
                                         .board_picture = v->board_picture,
                                         .utc_offset = v->utc_offset,
                                         .venue = (uint8_t)i,
                                         .state = v->state,
                                         .direct = v->direct,
                                         .one_post = v->one_post};
    }
    t->at = t->venue[0];
}

struct table *effect_table(struct effects *fx, struct ruleset_cache *rulesets,
                           const struct session *s, int seat)
{
    struct table *t = arena_new(fx->arena, struct table);
    struct move ahead;
    t->no = s->no;
    t->version = s->version;
    t->ping = s->ping.version;
    t->by_code = s->by_code;
    t->lobby = s->lobby;
    t->tournament = s->tournament;
    t->from = s->from;
    t->duel = s->duel[0];
    t->strangers = s->strangers;
#define KEPT(type, member, field) t->member = s->member;
#include "feature.def"
    t->again = s->again;
    t->first = s->first;
    t->overdue = s->move.overdue;
    t->phase = s->phase;
    t->end = s->end;
    t->players = s->players;
    t->match_id = copy_text(fx, s->id);
    t->rules = s->rules;
    t->time = s->time;
    t->due = s->due;
    t->left = s->left;
    t->casual = s->casual;
    t->watched = effect_watched(s);
    t->links = s->links;
    t->ask = s->ask;
    t->left_timeout = s->left_timeout;
    fill_venues(fx, s, t);
    if (seat >= 0 && seat == session_turn(s) && s->move.hinted)
        t->hint = copy_text(fx, s->move.hint);
    if (seat >= 0 && choice_read(s->player[seat].ahead, &ahead))
        t->ahead = (uint8_t)(ahead.card + 1);
    fill_seats(fx, s, t);
    fill_seals(fx, s, t);
    if (s->match.players > 0)
        view_of(ruleset_cache_get(rulesets, &s->rules), &s->match, seat, &t->view);
    assert(fx->n_tables < MAX_TABLES);
    fx->table[fx->n_tables++] = t;
    return t;
}

void effects_number(struct effects *fx, struct session *s, int64_t no)
{
    s->no = no;
    for (int i = 0; i < fx->n_tables; i++)
        if (fx->table[i]->no == 0)
            fx->table[i]->no = no;
}

void effect_times(struct table *t, const struct session *s, int64_t now)
{
    t->deadline = session_deadline(s);
    for (int i = 0; i < s->players; i++) {
        const struct absence *absence = &s->player[i].absence;
        bool on = absence_on_vacation(absence, now);
        t->player[i].vacation = on ? absence->vacation_until : 0;
        t->player[i].quiet = absence_quiet_end(absence, now) > 0;
    }
}

void effect_rewind(struct session *s, const struct match *position)
{
    s->match = *position;
    s->phase = position->stage == MATCH_OVER ? SESSION_OVER : SESSION_PLAYING;
    s->time.move_ms = s->time.total_ms = 0;
    s->move.overdue = false;
    s->ask.what = ASK_NONE;
}

bool effect_watched(const struct session *s)
{
    bool any = false, all = s->phase != SESSION_OFFERED && !s->duel[0];
    for (int i = 0; i < s->players; i++) {
        bool person = !s->player[i].computer && !session_gone(s, i);
        any |= person;
        all &= !person || s->player[i].watched;
    }
    return any && all;
}
