/* Before a match: challenges, who joins, who declines, and the rematch.
 *
 * A challenge seals the lots and the first deal: their commitments stand in its message, which is never
 * edited. The players' seeds are fixed only when the table is complete (play_start). */
#include "character.h"
#include "stepping.h"

static void new_id(const struct event *e, char ret[MATCH_ID_SIZE])
{
    static const char digits[] = "abcdefghijkmnpqrstuvwxyz23456789";
    for (int i = 0; i < 10; i++)
        ret[i] = digits[e->chance[CHANCE_ID + i] & 31];
    ret[10] = '\0';
}

static void sit(struct player *p, int64_t person, const struct sender *who)
{
    p->person = person;
    NAME_PUT(p->id, who->id);
    NAME_PUT(p->handle, who->handle);
    if (who->id.n > 0) {
        NAME_PUT(p->name, who->name);
    } else { /* has never spoken: only "@bo" is known */
        p->name[0] = '@';
        name_put(p->name + 1, sizeof p->name - 1, who->handle);
    }
}

enum channel lobby_channel(uint32_t can)
{
    return can & CAN_WHISPER ? CHANNEL_WHISPER : can & CAN_DIRECT ? CHANNEL_DIRECT : CHANNEL_POPUP;
}

/* Where there is but one message, the private chat is tried once it is known to be open. */
static enum channel channel_here(const struct world *w)
{
    return w->can_here & CAN_ONE_POST ? CHANNEL_POPUP : lobby_channel(w->can);
}

/* What was found out about a person's hand where they last played in this chat, if that is not long ago. */
static const struct player *remembered(const struct step *st, int64_t person)
{
    const struct player *found = NULL;
    for (int i = -1; i < st->w->n_here; i++) {
        const struct session *s = i < 0 ? st->w->last : st->w->here[i];
        int seat = s && person ? session_seat(s, person) : -1;
        const struct player *p = seat >= 0 ? &s->player[seat] : NULL;
        if (p && p->account == st->e->account && session_venue(s, p->venue)->chat == st->w->chat &&
            p->lowered && st->e->now < p->lowered + REMEMBER_MS &&
            (!found || p->lowered > found->lowered))
            found = p;
    }
    return found;
}

/* Begins with the way that worked. */
static void recall(const struct step *st, struct player *p)
{
    const struct player *was = remembered(st, p->person);
    if (was && was->channel > p->channel) {
        p->channel = was->channel;
        p->lowered = was->lowered;
    }
}

static void new_player(struct step *st, struct player *p)
{
    *p = (struct player){
        .lot = CARD_NONE, .account = st->e->account, .channel = (uint8_t)channel_here(st->w)};
}

void lobby_venue(struct step *st, struct venue *ret)
{
    const struct event *e = st->e;
    *ret = (struct venue){.chat = st->w->chat,
                          .account = e->account,
                          .utc_offset = st->w->utc_offset,
                          .season = st->w->settings.season,
                          .direct = e->direct,
                          .one_post = (st->w->can_here & CAN_ONE_POST) != 0};
    NAME_PUT(ret->chat_key, e->chat);
    NAME_PUT(ret->chat_name, e->chat_name);
    NAME_PUT(ret->language, str_of(st->w->settings.language));
}

static void begin(struct step *st, struct session *s)
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

static void offer(struct step *st, struct session *s, int only)
{
    struct say *say = effect_say(st->fx, SAY_OFFER, TO_TABLE);
    say->only = (int8_t)only;
    say->table = step_table(st, s, SEAT_PUBLIC);
    say->notify = true;
}

/* The people named, without the challenger; -1: somebody cannot be challenged, refused. */
static int guests(struct step *st, struct session *s, struct wish *wish)
{
    int n = 1;
    for (int i = 0; i < st->e->n_mentions; i++) {
        const struct sender *who = &st->e->mention[i];
        if (who->bot) {
            wish->computers++;
            continue;
        }
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
            sit(&s->player[n], st->w->mention[i], who);
        n++;
    }
    return n;
}

/* Whom the i-th computer plays as: who was named, else who usually plays here; a level that was asked for
 * is the computer's own. */
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
        new_player(st, &s->player[i]);
    sit(&s->player[0], st->w->me, &st->e->from);
    recall(st, &s->player[0]);
    s->player[0].joined = true;
    NAME_PUT(s->player[0].language, str_of(st->w->prefs.language));
    int n = guests(st, s, wish), people = n;
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

static bool room_for_more(struct step *st)
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
    if (!room_for_more(st) || !wish_read(st, st->e->words, &wish))
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
    begin(st, s);
    s = step_change(st, s);
    offer(st, s, -1);
    return TAKEN;
}

/* A challenge with a code is brought to this chat, too: it is shown here, seals and all, before anybody
 * here accepts it. */
enum verdict lobby_join(struct step *st, const struct session *s)
{
    if (!s || !s->by_code)
        return refuse(st, T_JOIN_BAD, ARGS(a_alias(VERB_CHALLENGE)));
    if (s->phase != SESSION_OFFERED)
        return refuse(st, s->phase == SESSION_PLAYING ? T_OFFER_BEGUN : T_OFFER_GONE,
                      ARGS(a_alias(VERB_CHALLENGE)));
    if (session_venue_of(s, st->w->chat) >= 0)
        return lobby_accept(st, s);
    if (!room_for_more(st))
        return REFUSED;
    if (s->n_more == MAX_VENUES - 1)
        return refuse(st, T_JOIN_FULL, ARGS(a_seat(s, 0)));
    struct session *next = step_change(st, s);
    lobby_venue(st, &next->more[next->n_more++]);
    offer(st, next, next->n_more);
    return TAKEN;
}

/* ---- answers ---- */

/* The seat this person would take, -1 if none is theirs. */
static int seat_for(const struct session *s, int64_t me)
{
    for (int i = 1; i < s->players; i++)
        if (!s->player[i].joined && s->player[i].person == me)
            return i;
    for (int i = 1; i < s->players; i++)
        if (!s->player[i].joined && s->player[i].person == 0)
            return i;
    return -1;
}

static bool complete(const struct session *s)
{
    for (int i = 0; i < s->players; i++)
        if (!s->player[i].joined)
            return false;
    return true;
}

/* For whom a challenge is: "Bo", or "Bo and Cleo". */
static int awaited(const struct session *s)
{
    for (int i = 1; i < s->players; i++)
        if (!s->player[i].joined)
            return i;
    return 0;
}

/* Where the sender would sit, -1 if nowhere: a venue they speak in; else, in private, the home. */
static int venue_for(struct step *st, const struct session *s, int seat)
{
    int venue = session_venue_of(s, st->w->chat);
    bool known = s->player[seat].person == st->w->me || s->home.account == st->e->account;
    return venue < 0 && known ? 0 : venue;
}

/* The challenge is taken up by this person, who sits down. */
static void take_seat(struct step *st, struct player *p, int venue)
{
    sit(p, st->w->me, &st->e->from);
    p->account = st->e->account;
    p->venue = (uint8_t)venue;
    p->channel = (uint8_t)channel_here(st->w);
    recall(st, p);
    p->joined = true;
    NAME_PUT(p->event, st->e->id);
    NAME_PUT(p->language, str_of(st->w->prefs.language));
}

enum verdict lobby_accept(struct step *st, const struct session *s)
{
    if (s->phase != SESSION_OFFERED)
        return refuse(st, s->phase == SESSION_PLAYING ? T_OFFER_BEGUN : T_OFFER_GONE,
                      ARGS(a_alias(VERB_CHALLENGE)));
    if (st->e->from.anonymous)
        return refuse(st, T_ANONYMOUS, NO_ARGS);
    bool mine = s->player[0].person == st->w->me;
    if (mine && complete(s)) { /* only the computer is on the other side */
        struct session *next = step_change(st, s);
        NAME_PUT(next->player[0].event, st->e->id);
        play_start(st, next);
        return TAKEN;
    }
    if (session_seat(s, st->w->me) >= 0)
        return refuse(st, mine ? T_ACCEPT_OWN : T_ACCEPT_AGAIN,
                      ARGS(a_seat(s, awaited(s)), a_alias(VERB_CANCEL)));
    int seat = seat_for(s, st->w->me);
    if (seat < 0)
        return refuse(st, T_NOT_FOR_YOU, ARGS(a_seat(s, awaited(s)), a_alias(VERB_CHALLENGE)));
    int venue = venue_for(st, s, seat);
    if (venue < 0)
        return refuse(st, T_NO_SUCH_MATCH, ARGS(a_int(s->no), a_alias(VERB_GAMES)));
    struct session *next = step_change(st, s);
    take_seat(st, &next->player[seat], venue);
    if (complete(next)) {
        play_start(st, next);
        return TAKEN;
    }
    next->version++;
    struct say *say = say_line(st, TO_TABLE, T_JOINED_TABLE,
                               ARGS(a_seat(next, seat), a_seat(next, awaited(next))));
    say->table = step_table(st, next, SEAT_PUBLIC);
    return TAKEN;
}

/* ---- in chats that the bot is not in ---- */

static const struct rules *preset_of(const struct world *w, int64_t hash)
{
    for (int i = 0; i < w->n_presets; i++)
        if ((int64_t)(str_hash(str_of(w->presets[i].name)) & UINT32_MAX) == hash)
            return &w->presets[i];
    return NULL;
}

static void begin_invited(struct step *st, const struct rules *rules)
{
    struct session *s = arena_new(st->fx->arena, struct session);
    s->rules = *rules;
    s->clock_ms = CLOCK_MS;
    s->players = 2;
    for (int i = 0; i < MAX_PLAYERS; i++)
        new_player(st, &s->player[i]);
    sit(&s->player[0], st->w->mention[0], &st->e->mention[0]);
    s->player[0].joined = true;
    if (st->w->me != st->w->mention[0])
        sit(&s->player[1], st->w->me, &st->e->from);
    lobby_venue(st, &s->home);
    begin(st, s);
    offer(st, step_change(st, s), -1);
}

/* The news that it was said, or whoever is the first to press its button, makes the challenge: from then on
 * it is sealed, and accepted like any other; by the one who pressed first. */
enum verdict lobby_invite(struct step *st)
{
    const struct world *w = st->w;
    const struct rules *rules = preset_of(w, st->e->version);
    bool own = w->me == w->mention[0];
    if (w->n_here > 0 && w->here[0]->phase == SESSION_OFFERED)
        return st->e->press.n > 0 ? lobby_accept(st, w->here[0]) : IGNORED;
    if (w->n_here > 0)
        return refuse(st, T_OFFER_BEGUN, NO_ARGS);
    if (w->last || !rules || w->mention[0] == 0)
        return refuse(st, T_OFFER_GONE, ARGS(a_alias(VERB_CHALLENGE)));
    if (!room_for_more(st))
        return REFUSED;
    begin_invited(st, rules);
    if (!own && st->e->press.n > 0)
        answer(st, T_SEALED_NOW, NO_ARGS);
    return TAKEN;
}

/* For which match something is looked for, else which challenges there are. */
enum verdict lobby_query(struct step *st)
{
    const struct session *s = st->w->named;
    int seat = s && s->phase == SESSION_PLAYING ? session_seat(s, st->w->me) : -1;
    bool hand = seat >= 0 && s->match.stage == MATCH_PLAYING;
    struct say *say = effect_say(st->fx, hand ? SAY_MOVES : SAY_INVITES, TO_ASKER);
    if (hand) {
        say->seat = (int8_t)seat;
        say->table = step_table(st, s, seat);
        return TAKEN;
    }
    struct session *model = arena_new(st->fx->arena, struct session);
    *model = (struct session){.players = 2, .clock_ms = CLOCK_MS, .rules = st->w->presets[0]};
    new_player(st, &model->player[0]);
    new_player(st, &model->player[1]);
    sit(&model->player[0], st->w->handle, &st->e->from); /* who is found by it again */
    const struct rules *wanted = step_preset(st->w, text_fold(st->fx->arena, st->e->words));
    say->rules = wanted ? wanted : step_usual_rules(st->w); /* the first */
    say->table = step_table(st, model, SEAT_PUBLIC);
    return TAKEN;
}

/* ---- no ---- */

static enum text reason_of(struct step *st)
{
    static const struct {
        enum spare option;
        enum text key;
    } reasons[] = {
        {OPTION_LATER, T_REASON_LATER},
        {OPTION_TOO_LONG, T_REASON_TOO_LONG},
        {OPTION_OTHER_RULES, T_REASON_RULES},
        {OPTION_NO_TIME, T_REASON_NO_TIME},
        {OPTION_NO_COMPUTER, T_REASON_NO_COMPUTER},
        {OPTION_STRONG, T_REASON_STRONG},
    };
    if (st->e->pressed)
        return st->e->index >= 2 && st->e->index < 8 ? reasons[st->e->index - 2].key
                                                     : T_REASON_NONE;
    enum spare option = option_find(st->w->languages, st->fx->arena, st->e->words);
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
        if (reasons[i].option == option)
            return reasons[i].key;
    return T_REASON_NONE;
}

enum verdict lobby_decline(struct step *st, const struct session *s)
{
    if (s->phase != SESSION_OFFERED)
        return refuse(st, s->phase == SESSION_PLAYING ? T_OFFER_BEGUN : T_OFFER_GONE,
                      ARGS(a_alias(VERB_CHALLENGE)));
    if (s->player[0].person == st->w->me)
        return lobby_cancel(st, s);
    int seat = seat_for(s, st->w->me);
    if (seat < 0 || s->player[seat].person != st->w->me)
        return refuse(st, T_NOT_FOR_YOU, ARGS(a_seat(s, awaited(s)), a_alias(VERB_CHALLENGE)));
    if (st->e->pressed && st->e->index == 0) { /* the button: which reason? */
        struct say *ask = effect_say(st->fx, SAY_DECLINE, TO_ASKER);
        ask->table = step_table(st, s, SEAT_PUBLIC);
        return TAKEN;
    }
    struct session *next = step_change(st, s);
    knock_close(next, END_DECLINED);
    struct say *say = say_line(
        st, TO_TABLE, T_DECLINED,
        ARGS(a_name(st->e->from.name, st->e->from.id), a_seat(s, 0), a_key(reason_of(st))));
    say->table = step_table(st, next, SEAT_PUBLIC);
    say->notify = true;
    return TAKEN;
}

enum verdict lobby_cancel(struct step *st, const struct session *s)
{
    if (s->phase == SESSION_PLAYING)
        return refuse(st, T_CANCEL_RUNNING, ARGS(a_alias(VERB_RESIGN)));
    if (s->phase == SESSION_OVER)
        return refuse(st, T_OFFER_GONE, ARGS(a_alias(VERB_CHALLENGE)));
    bool admin = st->e->admin && st->w->chat == s->home.chat;
    if (s->player[0].person != st->w->me && !admin)
        return refuse(st, T_CANCEL_FOREIGN, ARGS(a_seat(s, 0)));
    struct session *next = step_change(st, s);
    knock_close(next, END_CANCELLED);
    struct say *say =
        say_line(st, TO_TABLE, T_CANCELLED, ARGS(a_name(st->e->from.name, st->e->from.id)));
    say->table = step_table(st, next, SEAT_PUBLIC);
    return TAKEN;
}

/* ---- again ---- */

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
    if (!room_for_more(st))
        return REFUSED;
    struct session *s = arena_new(st->fx->arena, struct session);
    s->rules = old->rules;
    s->clock_ms = old->clock_ms;
    s->players = old->players;
    for (int i = 0; i < s->players; i++) { /* from who asks, round the table the other way */
        struct player *p = &s->player[i];
        *p = old->player[(mine + s->players - i) % s->players];
        p->joined = p->ready = p->computer;
        p->lot = CARD_NONE;
        memset(p->cut, 0, sizeof p->cut);
        memset(p->seed, 0, sizeof p->seed);
        memset(p->event, 0, sizeof p->event);
    }
    s->player[0].joined = true;
    s->home = old->home;
    s->n_more = old->n_more;
    memcpy(s->more, old->more, sizeof s->more);
    begin(st, s);
    s = step_change(st, s);
    offer(st, s, -1);
    return TAKEN;
}
