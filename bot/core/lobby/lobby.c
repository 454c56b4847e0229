/* New challenges: /challenge, /join with a code from another chat, /rematch.
 *
 * A challenge seals the lots and the first deal: their commitments stand in its message, which is
 * never edited. The players' seeds are fixed when the last seat is taken (play_start). */
#include "lobby.h"

#include "beacon_wait.h"
#include "challenge_options.h"
#include "character.h"
#include "step_posts.h"

#include <assert.h>

static void new_id(const struct event *e, char ret[MATCH_ID_SIZE])
{
    enum { ID_CHARS = 10 };
    static const char digits[] = "abcdefghijkmnpqrstuvwxyz23456789";
    for (int i = 0; i < ID_CHARS; i++)
        ret[i] = digits[e->chance[CHANCE_ID + i] & 31];
    ret[ID_CHARS] = '\0';
}

void lobby_begin(struct step *st, struct session *s)
{
    s->phase = SESSION_OFFERED;
    s->version = 1;
    s->left = -1;
    s->created = s->moved = st->e->now;
    timer_set(s, st->e->now + OFFER_MS, TIMER_EXPIRE);
    new_id(st->e, s->id);
    step_seed(st->e, CHANCE_LOTS, &s->lots_seed);
    beacon_seal(st, s);
}

void lobby_offer(struct step *st, struct session *s, int only)
{
    struct notice *notice = effect_notice(st->fx, NOTICE_OFFER, TO_TABLE);
    notice->only = (int8_t)only;
    notice->table = step_table(st, s, SEAT_PUBLIC);
    notice->notify = true;
    if (only < 0)
        step_posts_add(st, s, POSTED_OFFER, notice);
    else
        step_posts_again(s, POSTED_OFFER, notice);
}

static void invite(struct player *p, struct step *st, int mention)
{
    lobby_sit(p, st->w->mention[mention], &st->e->mention[mention]);
    p->absence = st->w->absence[mention];
}

/* Seats the mentioned people behind the challenger. Returns the number of people, or -1 after a
 * refusal. */
static int seat_guests(struct step *st, struct session *s)
{
    int n = 1;
    for (int i = 0; i < st->e->n_mentions; i++) {
        const struct sender *guest = &st->e->mention[i];
        if (guest->bot) /* counted by challenge_options_read */
            continue;
        if (st->w->mention[i] == st->w->me) {
            notice_refuse(st, T_CHALLENGE_SELF, ARGS(arg_command(VERB_CHALLENGE)));
            return -1;
        }
        for (int j = 1; j < n; j++)
            if (s->player[j].person == st->w->mention[i]) {
                notice_refuse(st, T_CHALLENGE_TWICE, ARGS(arg_str(guest->name)));
                return -1;
            }
        if (n < MAX_PLAYERS)
            invite(&s->player[n], st, i);
        n++;
    }
    return n;
}

/* Character of the i-th computer: the one named in the challenge, else the chat's usual one. A
 * level in the challenge means a computer without character. */
static int character_of(struct step *st, const struct challenge_options *options, int i)
{
    if (i < options->n_characters)
        return options->character[i];
    if (i > 0 || options->n_characters > 0 || options->level >= 0)
        return NO_CHARACTER;
    return character_find(st->w->languages, st->fx->arena, str_of(st->w->settings.opponent));
}

static bool fill_table(struct step *st, struct session *s, struct challenge_options *options)
{
    for (int i = 0; i < MAX_PLAYERS; i++)
        lobby_player(st, &s->player[i]);
    lobby_sit(&s->player[0], st->w->me, &st->e->from);
    channel_recall(st, &s->player[0]);
    lobby_agree(st, &s->player[0]);
    s->player[0].absence = st->w->prefs.absence;
    NAME_PUT(s->player[0].language, str_of(st->w->prefs.language));
    int n = seat_guests(st, s), people = n;
    if (n < 0)
        return false;
    n += options->computers + options->open;
    int want = options->players > 0 ? options->players : n > 1 ? n : 2;
    if (n > want || want > MAX_PLAYERS || !(s->rules.players_allowed >> want & 1)) {
        notice_refuse(st, T_CHALLENGE_PLAYERS,
                      ARGS(arg_str(str_of(s->rules.name)), arg_int(n > want ? n : want)));
        return false;
    }
    s->players = (uint8_t)want;
    for (int i = 0; i < options->computers; i++) {
        struct player *p = &s->player[want - 1 - i];
        p->computer = p->joined = p->ready = true;
        p->character = (uint8_t)character_of(st, options, i);
        p->level = (uint8_t)(options->level >= 0 ? options->level
                             : p->character      ? characters[p->character].level
                                                 : LEVEL_NORMAL);
    }
    if (st->e->direct && (people > 1 || (!options->by_code && want - options->computers > 1))) {
        notice_refuse(st, T_CHALLENGE_NEEDS_GROUP, ARGS(arg_command(VERB_CHALLENGE)));
        return false;
    }
    return true;
}

/* Those that people have begun themselves; a tournament has its own limit. */
static int own_matches(const struct session *const *at, int n)
{
    int own = 0;
    for (int i = 0; i < n; i++)
        own += at[i]->tournament == 0;
    return own;
}

bool lobby_room(struct step *st)
{
    if (notice_closed(st))
        return false;
    if (!st->e->direct && !(st->w->can & (CAN_WHISPER | CAN_DIRECT | CAN_POPUP))) {
        notice_refuse(st, T_NO_PRIVACY, NO_ARGS);
        return false;
    }
    if (st->e->from.anonymous) {
        notice_refuse(st, T_ANONYMOUS, NO_ARGS);
        return false;
    }
    if (lobby_on_vacation(st))
        return false;
    if (own_matches(st->w->here, st->w->n_here) >= MAX_LIVE_HERE) {
        notice_refuse(st, T_TOO_MANY_HERE, ARGS(arg_int(MAX_LIVE_HERE), arg_command(VERB_GAMES)));
        return false;
    }
    if (own_matches(st->w->mine, st->w->n_mine) >= MAX_LIVE_MINE) {
        notice_refuse(st, T_TOO_MANY_YOURS, ARGS(arg_int(MAX_LIVE_MINE), arg_command(VERB_GAMES)));
        return false;
    }
    return true;
}

/* Asks which of several people is meant, or says how to name somebody. */
static enum verdict refuse_name(struct step *st)
{
    const struct event *e = st->e;
    struct arg typed = arg_str(e->unnamed), challenge = arg_command(VERB_CHALLENGE);
    if (e->n_choices == 0)
        return notice_refuse(st, T_NAME_UNKNOWN, ARGS(typed));
    struct str list = {0};
    for (int i = 0; i < e->n_choices; i++)
        list = arena_print(st->fx->arena, "%.*s%s@%.*s", STR_ARG(list), i > 0 ? ", " : "",
                           STR_ARG(e->choice[i].handle));
    return notice_refuse(st, T_NAME_SEVERAL, ARGS(typed, arg_str(list), challenge));
}

enum verdict lobby_challenge(struct step *st)
{
    struct challenge_options options;
    struct session *s = arena_new(st->fx->arena, struct session);
    if (st->e->unnamed.n > 0)
        return refuse_name(st);
    if (!lobby_room(st) || !challenge_options_read(st, st->e->words, &options))
        return REFUSED;
    if (st->e->direct && st->e->n_mentions == 0 && options.computers == 0 && !options.by_code)
        return notice_refuse(st, T_CHALLENGE_ALONE, ARGS(arg_in_group(VERB_CHALLENGE)));
    s->rules = options.rules;
    s->clock_ms = options.clock_ms;
    s->total_ms = options.total_ms;
    s->gain_ms = options.gain_ms;
    s->by_code = options.by_code;
    s->casual = options.casual;
    if (!fill_table(st, s, &options))
        return REFUSED;
    if (options.clock_ms < 0)
        s->clock_ms = session_with_computer(s) ? 0 : CLOCK_MS;
    lobby_venue(st, &s->home);
    lobby_begin(st, s);
    s = step_change(st, s);
    lobby_offer(st, s, -1);
    if (options.open > 0 && !options.by_code && !st->e->direct)
        lobby_tell_watchers(st, s);
    return TAKEN;
}

/* Brings a challenge with a code to this chat. It is shown here with its seals, before it is
 * accepted. */
enum verdict lobby_join(struct step *st, const struct session *s)
{
    if (!s || !s->by_code)
        return notice_refuse(st, T_JOIN_BAD, ARGS(arg_command(VERB_CHALLENGE)));
    if (s->phase != SESSION_OFFERED)
        return lobby_not_open(st, s);
    if (session_venue_of(s, st->w->chat) >= 0)
        return lobby_accept(st, s);
    if (!lobby_room(st))
        return REFUSED;
    if (s->n_more == MAX_VENUES - 1)
        return notice_refuse(st, T_JOIN_FULL, ARGS(arg_seat(s, 0)));
    struct session *next = step_change(st, s);
    lobby_venue(st, &next->more[next->n_more++]);
    lobby_offer(st, next, next->n_more);
    return TAKEN;
}

/* ---- again ---- */

/* A player of the last match who has not accepted the rematch yet: who they are and how their hand
 * can be shown, nothing of how they played. */
static struct player asked_again(const struct player *was)
{
    struct player p = {.person = was->person,
                       .account = was->account,
                       .venue = was->venue,
                       .computer = was->computer,
                       .joined = was->computer,
                       .ready = was->computer,
                       .level = was->level,
                       .character = was->character,
                       .channel = was->channel,
                       .channel_failed_at = was->channel_failed_at,
                       .lot = CARD_NONE};
    NAME_PUT(p.id, str_of(was->id));
    NAME_PUT(p.name, str_of(was->name));
    NAME_PUT(p.handle, str_of(was->handle));
    NAME_PUT(p.language, str_of(was->language));
    return p;
}

enum verdict lobby_rematch(struct step *st, const struct session *old)
{
    if (old->phase != SESSION_OVER)
        return notice_refuse(st, T_REMATCH_RUNNING, ARGS(arg_command(VERB_GAMES)));
    if (old->end != END_PLAYED)
        return notice_refuse(st, T_REMATCH_NONE, ARGS(arg_command(VERB_CHALLENGE)));
    int mine = session_seat(old, st->w->me);
    if (mine < 0)
        return notice_refuse(st, T_REMATCH_FOREIGN, ARGS(arg_command(VERB_CHALLENGE)));
    for (int i = 0; i < st->w->n_here; i++) /* the opponent asked first: accept theirs */
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
    s->total_ms = old->total_ms;
    s->gain_ms = old->gain_ms;
    s->casual = old->casual;
    s->search.on = old->search.on;
    s->players = old->players;
    assert(s->players >= 2 && s->players <= MAX_PLAYERS);
    for (int i = 0; i < s->players; i++) /* from the sender round the table */
        s->player[i] = asked_again(&old->player[(mine + i) % s->players]);
    lobby_agree(st, &s->player[0]);
    s->again = true; /* the seat after the last first dealer's deals first */
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
