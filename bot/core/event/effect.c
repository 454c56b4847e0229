/* See effect.h. */
#include "effect.h"

#include <assert.h>

struct say *effect_say(struct effects *fx, enum say_kind kind, enum audience to)
{
    assert(fx->n_says < MAX_SAYS);
    struct say *say = arena_new(fx->arena, struct say);
    say->kind = (uint8_t)kind;
    say->audience = (uint8_t)to;
    say->seat = SEAT_PUBLIC;
    say->only = -1;
    fx->say[fx->n_says++] = say;
    return say;
}

static struct str keep(struct effects *fx, const char *z)
{
    return arena_str(fx->arena, str_of(z));
}

static bool sealed(const struct seed *s)
{
    static const struct seed none;
    return memcmp(s, &none, sizeof none) != 0;
}

static void commit(struct effects *fx, const struct seed *s, char ret[static SEED_HEX_SIZE])
{
    int i = 0;
    while (i < fx->n_seals && memcmp(&fx->seal[i].seed, s, sizeof *s) != 0)
        i++;
    if (i == MAX_SEALS) {
        chance_commit(s, ret);
        return;
    }
    if (i == fx->n_seals) {
        fx->seal[i].seed = *s;
        chance_commit(s, fx->seal[i].commit);
        fx->n_seals++;
    }
    memcpy(ret, fx->seal[i].commit, SEED_HEX_SIZE);
}

static void seals(struct effects *fx, const struct session *s, struct table *t)
{
    bool running = s->phase == SESSION_PLAYING && s->match.stage == MATCH_PLAYING;
    if (sealed(&s->next_seed))
        commit(fx, &s->next_seed, t->next_commit);
    if (sealed(&s->deal_seed)) {
        commit(fx, &s->deal_seed, t->deal_commit);
        if (!running)
            chance_hex(&s->deal_seed, t->deal_seed);
    }
    if (!session_has_lots(s))
        return;
    commit(fx, &s->lots_seed, t->lots_commit);
    if (s->match.players > 0)
        chance_hex(&s->lots_seed, t->lots_seed);
}

static void seats(struct effects *fx, const struct session *s, struct table *t)
{
    for (int i = 0; i < s->players; i++) {
        const struct player *p = &s->player[i];
        t->player[i].name = keep(fx, p->name);
        t->player[i].id = keep(fx, p->id);
        t->player[i].handle = keep(fx, p->handle);
        t->player[i].language = keep(fx, p->language);
        t->player[i].seed = keep(fx, p->seed);
        t->player[i].person = p->person;
        t->player[i].account = p->account;
        t->player[i].venue = p->venue;
        t->player[i].computer = p->computer;
        t->player[i].joined = p->joined;
        t->player[i].ready = p->ready;
        t->player[i].cut = p->cut[0] != '\0';
        t->player[i].channel = p->channel;
        t->player[i].lot = p->lot;
        t->player[i].level = p->level;
        t->player[i].character = p->character;
        t->player[i].hand_no = p->hand_no;
        t->computer |= p->computer;
    }
}

static void venues(struct effects *fx, const struct session *s, struct table *t)
{
    t->n_venues = (uint8_t)(1 + s->n_more);
    for (int i = 0; i < t->n_venues; i++) {
        const struct venue *v = session_venue(s, i);
        t->venue[i] = (struct seen_from){.account = v->account,
                                         .chat = keep(fx, v->chat_key),
                                         .chat_name = keep(fx, v->chat_name),
                                         .language = keep(fx, v->language),
                                         .utc_offset = v->utc_offset,
                                         .venue = (uint8_t)i,
                                         .direct = v->direct,
                                         .one_post = v->one_post};
    }
    t->at = t->venue[0];
}

struct table *effect_table(struct effects *fx, struct made *made, const struct session *s, int seat)
{
    struct table *t = arena_new(fx->arena, struct table);
    t->no = s->no;
    t->version = s->version;
    t->ping = s->ping;
    t->by_code = s->by_code;
    t->again = s->again;
    t->first = s->first;
    t->overdue = s->overdue;
    t->phase = s->phase;
    t->end = s->end;
    t->players = s->players;
    t->match_id = keep(fx, s->id);
    t->rules = s->rules;
    t->clock_ms = s->clock_ms;
    t->due = s->due;
    t->left = s->left;
    t->left_timeout = s->left_timeout;
    venues(fx, s, t);
    if (seat >= 0 && seat == session_turn(s) && s->hinted)
        t->hint = keep(fx, s->hint);
    seats(fx, s, t);
    seals(fx, s, t);
    if (s->match.players > 0)
        view_of(made_ruleset(made, &s->rules), &s->match, seat, &t->view);
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

/* ---- settings of a chat ---- */

void chat_settings_default(struct chat_settings *ret)
{
    *ret = (struct chat_settings){.clock_ms = -1};
}

struct str chat_settings_write(const struct chat_settings *c, struct buf *ret)
{
    size_t start = ret->n;
    buf_print(ret, "rules=%s rounds=%d clock=%lld season=%d zone=%s language=%s opponent=%s",
              c->rules, c->rounds, (long long)c->clock_ms, c->season, c->zone, c->language,
              c->opponent);
    return (struct str){ret->p + start, ret->n - start};
}

void chat_settings_read(struct str line, struct chat_settings *ret)
{
    chat_settings_default(ret);
    for (struct str rest = line, word = str_word(&rest); word.n > 0; word = str_word(&rest)) {
        struct str value, name = str_cut(word, '=', &value);
        int64_t n = 0;
        bool number = str_int(value, &n);
        if (str_is(name, STR("rules")))
            NAME_PUT(ret->rules, value);
        else if (str_is(name, STR("rounds")) && number && n >= 0 && n <= MAX_ROUNDS)
            ret->rounds = (uint8_t)n;
        else if (str_is(name, STR("clock")) && number && n >= -1)
            ret->clock_ms = n;
        else if (str_is(name, STR("season")) && number && n >= 0 && n < N_SEASON_LENGTHS)
            ret->season = (uint8_t)n;
        else if (str_is(name, STR("zone")))
            NAME_PUT(ret->zone, value);
        else if (str_is(name, STR("language")))
            NAME_PUT(ret->language, value);
        else if (str_is(name, STR("opponent")))
            NAME_PUT(ret->opponent, value);
    }
}
