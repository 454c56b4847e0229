/* A challenge is made: whom it asks and under which rules, how it comes to one more chat by its
 * code, and the rematch.
 *
 * A challenge seals the lots and the first deal: their commitments stand in its message, which is
 * never edited. The players' seeds are fixed only when the table is complete (play_start). */
#include "lobby.h"

#include "character.h"

#include <assert.h>

static void new_id(const struct event *e, char ret[MATCH_ID_SIZE])
{
    static const char digits[] = "abcdefghijkmnpqrstuvwxyz23456789";
    for (int i = 0; i < 10; i++)
        ret[i] = digits[e->chance[CHANCE_ID + i] & 31];
    ret[10] = '\0';
}

void lobby_begin(struct step *st, struct session *s)
{
    s->phase = SESSION_OFFERED;
    s->version = 1;
    s->resign_asked = s->left = -1;
    s->created = s->moved = st->e->now;
    s->due = st->e->now + OFFER_MS;
    s->knock = KNOCK_EXPIRE;
    new_id(st->e, s->id);
    seed_from(st->e, CHANCE_LOTS, &s->lots_seed);
    seed_from(st->e, CHANCE_NEXT, &s->next_seed);
}

void lobby_offer(struct step *st, struct session *s, int only)
{
    struct say *say = effect_say(st->fx, SAY_OFFER, TO_TABLE);
    say->only = (int8_t)only;
    say->table = step_table(st, s, SEAT_PUBLIC);
    say->notify = true;
}

/* The people named, without the challenger; -1: somebody cannot be challenged, refused. */
static int guests(struct step *st, struct session *s)
{
    int n = 1;
    for (int i = 0; i < st->e->n_mentions; i++) {
        const struct sender *who = &st->e->mention[i];
        if (who->bot) /* counted by wish_read */
            continue;
        if (st->w->mention[i] == st->w->me) {
            refuse(st, T_CHALLENGE_SELF, ARGS(a_alias(VERB_CHALLENGE)));
            return -1;
        }
        for (int j = 1; j < n; j++)
            if (s->player[j].person == st->w->mention[i]) {
                refuse(st, T_CHALLENGE_TWICE, ARGS(a_str(who->name)));
                return -1;
            }
        if (n < MAX_PLAYERS)
            lobby_sit(&s->player[n], st->w->mention[i], who);
        n++;
    }
    return n;
}

/* Whom the i-th computer plays as: who was named, else who usually plays here; a level that was
 * asked for is the computer's own. */
static int character_of(struct step *st, const struct wish *wish, int i)
{
    if (i < wish->n_characters)
        return wish->character[i];
    if (i > 0 || wish->n_characters > 0 || wish->level >= 0)
        return NO_CHARACTER;
    return character_find(st->w->languages, st->fx->arena, str_of(st->w->settings.opponent));
}

static bool seats(struct step *st, struct session *s, struct wish *wish)
{
    for (int i = 0; i < MAX_PLAYERS; i++)
        lobby_player(st, &s->player[i]);
    lobby_sit(&s->player[0], st->w->me, &st->e->from);
    lobby_recall(st, &s->player[0]);
    s->player[0].joined = true;
    NAME_PUT(s->player[0].language, str_of(st->w->prefs.language));
    int n = guests(st, s), people = n;
    if (n < 0)
        return false;
    n += wish->computers + wish->open;
    int want = wish->players > 0 ? wish->players : n > 1 ? n : 2;
    if (n > want || want > MAX_PLAYERS || !(s->rules.players_allowed >> want & 1)) {
        refuse(st, T_CHALLENGE_PLAYERS,
               ARGS(a_str(str_of(s->rules.name)), a_int(n > want ? n : want)));
        return false;
    }
    s->players = (uint8_t)want;
    for (int i = 0; i < wish->computers; i++) {
        struct player *p = &s->player[want - 1 - i];
        p->computer = p->joined = p->ready = true;
        p->character = (uint8_t)character_of(st, wish, i);
        p->level = (uint8_t)(wish->level >= 0 ? wish->level
                             : p->character   ? characters[p->character].level
                                              : LEVEL_NORMAL);
    }
    if (st->e->direct && (people > 1 || (!wish->by_code && want - wish->computers > 1))) {
        refuse(st, T_CHALLENGE_NEEDS_GROUP, ARGS(a_alias(VERB_CHALLENGE)));
        return false;
    }
    return true;
}

bool lobby_room(struct step *st)
{
    if (!st->e->direct && !(st->w->can & (CAN_WHISPER | CAN_DIRECT | CAN_POPUP))) {
        refuse(st, T_NO_PRIVACY, NO_ARGS);
        return false;
    }
    if (st->e->from.anonymous) {
        refuse(st, T_ANONYMOUS, NO_ARGS);
        return false;
    }
    if (st->w->n_here >= MAX_LIVE_HERE) {
        refuse(st, T_TOO_MANY_HERE, ARGS(a_int(MAX_LIVE_HERE), a_alias(VERB_GAMES)));
        return false;
    }
    if (st->w->n_mine >= MAX_LIVE_MINE) {
        refuse(st, T_TOO_MANY_YOURS, ARGS(a_int(MAX_LIVE_MINE), a_alias(VERB_GAMES)));
        return false;
    }
    return true;
}

enum verdict lobby_challenge(struct step *st)
{
    struct wish wish;
    struct session *s = arena_new(st->fx->arena, struct session);
    if (!lobby_room(st) || !wish_read(st, st->e->words, &wish))
        return REFUSED;
    if (st->e->direct && st->e->n_mentions == 0 && wish.computers == 0 && !wish.by_code)
        return refuse(st, T_CHALLENGE_ALONE, ARGS(a_alias(VERB_CHALLENGE)));
    s->rules = wish.rules;
    s->clock_ms = wish.clock_ms;
    s->by_code = wish.by_code;
    if (!seats(st, s, &wish))
        return REFUSED;
    if (wish.clock_ms < 0)
        s->clock_ms = session_with_computer(s) ? 0 : CLOCK_MS;
    lobby_venue(st, &s->home);
    lobby_begin(st, s);
    s = step_change(st, s);
    lobby_offer(st, s, -1);
    return TAKEN;
}

/* A challenge with a code is brought to this chat, too: it is shown here, seals and all, before
 * anybody here accepts it. */
enum verdict lobby_join(struct step *st, const struct session *s)
{
    if (!s || !s->by_code)
        return refuse(st, T_JOIN_BAD, ARGS(a_alias(VERB_CHALLENGE)));
    if (s->phase != SESSION_OFFERED)
        return refuse(st, s->phase == SESSION_PLAYING ? T_OFFER_BEGUN : T_OFFER_GONE,
                      ARGS(a_alias(VERB_CHALLENGE)));
    if (session_venue_of(s, st->w->chat) >= 0)
        return lobby_accept(st, s);
    if (!lobby_room(st))
        return REFUSED;
    if (s->n_more == MAX_VENUES - 1)
        return refuse(st, T_JOIN_FULL, ARGS(a_seat(s, 0)));
    struct session *next = step_change(st, s);
    lobby_venue(st, &next->more[next->n_more++]);
    lobby_offer(st, next, next->n_more);
    return TAKEN;
}

/* ---- again ---- */

/* Who played the last match, before they have said that they play this one. */
static struct player asked_again(const struct player *was)
{
    struct player p = *was;
    p.joined = p.ready = p.computer;
    p.lot = CARD_NONE;
    memset(p.cut, 0, sizeof p.cut);
    memset(p.seed, 0, sizeof p.seed);
    memset(p.event, 0, sizeof p.event);
    return p;
}

enum verdict lobby_rematch(struct step *st, const struct session *old)
{
    if (old->phase != SESSION_OVER)
        return refuse(st, T_REMATCH_RUNNING, ARGS(a_alias(VERB_GAMES)));
    if (old->end != END_PLAYED)
        return refuse(st, T_REMATCH_NONE, ARGS(a_alias(VERB_CHALLENGE)));
    int mine = session_seat(old, st->w->me);
    if (mine < 0)
        return refuse(st, T_REMATCH_FOREIGN, ARGS(a_alias(VERB_CHALLENGE)));
    for (int i = 0; i < st->w->n_here; i++) /* the other was faster: this accepts it */
        if (st->w->here[i]->phase == SESSION_OFFERED && st->w->here[i]->created >= old->moved &&
            session_seat(st->w->here[i], st->w->me) < 0 &&
            st->w->here[i]->player[0].person != st->w->me)
            for (int j = 1; j < st->w->here[i]->players; j++)
                if (st->w->here[i]->player[j].person == st->w->me)
                    return lobby_accept(st, st->w->here[i]);
    if (!lobby_room(st))
        return REFUSED;
    struct session *s = arena_new(st->fx->arena, struct session);
    s->rules = old->rules;
    s->clock_ms = old->clock_ms;
    s->players = old->players;
    assert(s->players >= 2 && s->players <= MAX_PLAYERS);
    for (int i = 0; i < s->players; i++) /* from who asks, round the table */
        s->player[i] = asked_again(&old->player[(mine + i) % s->players]);
    s->player[0].joined = true;
    s->again = true; /* whoever asks, the seat behind the last first dealer's deals first now */
    s->first = (uint8_t)((old->first + 1 + s->players - mine) % s->players);
    s->rules.first_dealer = FIRST_CHALLENGER;
    s->home = old->home;
    s->n_more = old->n_more;
    memcpy(s->more, old->more, sizeof s->more);
    lobby_begin(st, s);
    s = step_change(st, s);
    lobby_offer(st, s, -1);
    return TAKEN;
}
