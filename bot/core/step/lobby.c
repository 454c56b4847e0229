/* Challenges: /challenge, /join with a code from another chat, /rematch; and their answers: accept,
 * decline with a reason, cancel.
 *
 * A challenge seals the lots and the first deal: their commitments stand in its message, in each
 * edit of it. The players' seeds are fixed when the last seat is taken (play_start). */
#include "lobby.h"

#include "character.h"
#include "play.h"

#include <assert.h>

#define REMEMBER_MS (7 * DAY_MS) /* later matches of the chat skip a failed channel */
#define WITHDRAW_MS MINUTE_MS    /* so long a second tap takes a challenge back */

/* ---- seats and venues of a new challenge ---- */

/* Where all is one message, the private chat is tried once it is known to be open. */
static enum channel channel_here(const struct world *w)
{
    return w->chat.can & CAN_ONE_POST ? CHANNEL_POPUP : channel_best(w->can);
}

/* Starts with the channel that worked where this player last played in this chat: looks for their seat in the match of this chat whose channel failed last. */
static void channel_recall(const struct step *st, struct player *p)
{
    const struct player *last = NULL;
    for (int i = -1; i < st->w->here.n; i++) {
        const struct session *s = i < 0 ? st->w->last : st->w->here.at[i];
        int seat = s ? session_seat(s, p->person) : -1;
        const struct player *was = seat >= 0 ? &s->player[seat] : NULL;
        if (was && was->account == st->e->account && s->venue[was->venue].chat == st->w->chat.id &&
            was->channel_failed_at && st->e->now < was->channel_failed_at + REMEMBER_MS &&
            (!last || was->channel_failed_at > last->channel_failed_at))
            last = was;
    }
    if (last && last->channel > p->channel) {
        p->channel = last->channel;
        p->channel_failed_at = last->channel_failed_at;
    }
}

void lobby_sit(struct player *p, int64_t person, const struct sender *who)
{
    p->person = person;
    NAME_PUT(p->id, who->id);
    NAME_PUT(p->handle, who->handle);
    p->by_handle = false;
    if (who->id.n > 0) {
        NAME_PUT(p->name, who->name);
    } else { /* the bot has never heard of them: only "@bo" is known */
        p->name[0] = '@';
        session_put_name(p->name + 1, sizeof p->name - 1, who->handle);
    }
}

void lobby_leaves_chat(struct player *p, uint32_t can)
{
    p->left_chat = true;
    p->channel = can & CAN_DIRECT ? CHANNEL_DIRECT : CHANNEL_NONE;
}

void lobby_seats(struct step *st, struct session *s)
{
    for (int i = 0; i < MAX_PLAYERS; i++)
        s->player[i] = (struct player){
            .lot = CARD_NONE, .account = st->e->account, .channel = (uint8_t)channel_here(st->w)};
}

void lobby_take_seat(struct step *st, struct player *p, int venue)
{
    lobby_sit(p, st->w->me.person, &st->e->from);
    p->account = st->e->account;
    p->venue = (uint8_t)venue;
    if (p->left_chat && st->e->direct) {
        lobby_leaves_chat(p, st->w->can);
    } else {
        p->left_chat = false;
        p->channel = (uint8_t)channel_here(st->w);
        channel_recall(st, p);
    }
    p->joined = true;
    p->heard = st->e->now;
    if (st->e->verb == VERB_ACCEPT &&
        st->e->words.n > 0) /* "/accept my words" cuts the deck as well */
        NAME_PUT(p->cut, text_clean(st->fx->arena, st->e->words, CUT_SIZE - 1));
    p->absence = st->w->me.prefs.absence;
    p->words = st->w->me.prefs.words;
    NAME_PUT(p->language, str_of(st->w->me.prefs.language));
}

void lobby_venue(struct step *st, struct venue *ret)
{
    const struct event *e = st->e;
    *ret = (struct venue){.chat = st->w->chat.id,
                          .account = e->account,
                          .utc_offset = st->w->chat.utc_offset,
                          .board_picture = st->w->chat.settings.board_picture,
                          .direct = e->direct,
                          .one_post = (st->w->chat.can & CAN_ONE_POST) != 0};
    NAME_PUT(ret->chat_key, e->chat);
    NAME_PUT(ret->chat_name, e->chat_name);
    NAME_PUT(ret->language, step_chat_language(st));
}

bool lobby_on_vacation(struct step *st)
{
    const struct absence *absence = &st->w->me.prefs.absence;
    if (!absence_on_vacation(absence, st->e->now))
        return false;
    refuse(st, T_VACATION_FIRST, arg_time(absence->vacation_until), arg_command(VERB_VACATION));
    return true;
}

/* ---- making one ---- */

/* The sentence does not tell why: that is between the operator and the person. */
static bool invites_banned(struct step *st, const struct session *s)
{
    int seat = st->w->banned ? session_free_seat(s, st->w->banned) : 0;
    return seat > 0 &&
           !deny(st, T_CHALLENGE_CLOSED, arg_seat(s, seat), arg_command(VERB_CHALLENGE));
}

/* Matches that people have begun themselves; a tournament has its own limit. */
static int own_matches(const struct session_list *list)
{
    int own = 0;
    for (int i = 0; i < list->n; i++)
        own += list->at[i]->tournament == 0;
    return own;
}

bool lobby_room(struct step *st)
{
    if (notice_closed(st))
        return false;
    if (!st->e->direct && !(st->w->can & (CAN_WHISPER | CAN_DIRECT | CAN_POPUP)))
        return deny(st, T_NO_PRIVACY);
    if (st->e->from.anonymous)
        return deny(st, T_ANONYMOUS);
    if (lobby_on_vacation(st))
        return false;
    if (own_matches(&st->w->here) >= MAX_LIVE_HERE)
        return deny(st, T_TOO_MANY_HERE, arg_int(MAX_LIVE_HERE), arg_command(VERB_GAMES));
    return own_matches(&st->w->mine) < MAX_LIVE_MINE ||
           deny(st, T_TOO_MANY_YOURS, arg_int(MAX_LIVE_MINE), arg_command(VERB_GAMES));
}

void lobby_begin(struct step *st, struct session *s)
{
    enum { ID_CHARS = 10 };
    static const char digits[] = "abcdefghijkmnpqrstuvwxyz23456789";
    s->phase = SESSION_OFFERED;
    s->version = 1;
    s->left = -1;
    s->created = s->moved = st->e->now;
    timer_set(s, st->e->now + OFFER_MS, TIMER_EXPIRE);
    for (int i = 0; i < ID_CHARS; i++)
        s->id[i] = digits[st->e->chance[CHANCE_ID + i] & 31];
    s->id[ID_CHARS] = '\0';
    memcpy(s->lots_seed.at, st->e->chance + CHANCE_LOTS, sizeof s->lots_seed.at);
    play_seal(st, s);
}

struct notice *lobby_offer(struct step *st, struct session *s, int only)
{
    struct notice *notice = notice_show(st, NOTICE_OFFER, TO_TABLE, s, SEAT_PUBLIC);
    notice->only = (int8_t)only;
    notice->notify = notice->fresh = true;
    if (only < 0)
        step_posts_add(st, s, POSTED_OFFER, notice);
    else /* the same message in one more chat */
        notice->posted = s->posts.standing[POSTED_OFFER];
    return notice;
}

struct notice *lobby_show(struct step *st, const struct session *s)
{
    struct notice *notice = notice_show(st, NOTICE_OFFER, TO_TABLE, s, SEAT_PUBLIC);
    notice->posted = s->posts.standing[POSTED_OFFER];
    return notice;
}

/* Seats the people who are mentioned behind the challenger, and the computers last. A computer has
 * the character named in the challenge; the first, if none and no level is named, the chat's usual
 * one. The bot's own name was counted by challenge_options_read(). */
static bool fill_table(struct step *st, struct session *s, struct challenge_options *options)
{
    int people = 1;
    lobby_seats(st, s);
    lobby_take_seat(st, &s->player[0], 0);
    for (int i = 0; i < st->e->n_mentions; i++) {
        const struct sender *guest = &st->e->mention[i];
        const struct mention_facts *who = &st->w->mention[i];
        if (guest->self)
            continue;
        if (who->person == st->w->me.person)
            return deny(st, T_CHALLENGE_SELF, arg_command(VERB_CHALLENGE));
        for (int j = 1; j < people; j++)
            if (s->player[j].person == who->person)
                return deny(st, T_CHALLENGE_TWICE, arg_str(guest->name));
        if (people < MAX_PLAYERS) {
            lobby_sit(&s->player[people], who->person, guest);
            s->player[people].by_handle = who->by_handle;
            s->player[people].absence = who->absence;
            if (who->left)
                lobby_leaves_chat(&s->player[people], st->w->can);
        }
        people++;
    }
    int n = people + options->computers + options->open;
    int want = options->players > 0 ? options->players : n > 1 ? n : 2;
    if (n > want || want > MAX_PLAYERS || !(s->rules.players_allowed >> want & 1))
        return deny(st, T_CHALLENGE_PLAYERS, arg_str(str_of(s->rules.name)),
                    arg_int(n > want ? n : want));
    s->players = (uint8_t)want;
    int usual = options->n_characters > 0 || options->level >= 0
                    ? NO_CHARACTER
                    : character_find(st->w->bot->languages, st->fx->arena,
                                     str_of(st->w->chat.settings.opponent));
    for (int i = 0; i < options->computers; i++) {
        struct player *p = &s->player[want - 1 - i];
        p->computer = p->joined = p->ready = true;
        p->character = (uint8_t)(i < options->n_characters ? options->character[i]
                                 : i == 0                  ? usual
                                                           : NO_CHARACTER);
        p->level = (uint8_t)(options->level >= 0 ? options->level
                             : p->character      ? characters[p->character].level
                                                 : LEVEL_NORMAL);
    }
    bool needs_group = people > 1 || (!options->by_code && want - options->computers > 1);
    return !st->e->direct || !needs_group ||
           deny(st, T_CHALLENGE_NEEDS_GROUP, arg_command(VERB_CHALLENGE));
}

/* ---- answers ---- */

/* The seat the sender would take: the one kept for them, else an open one. 0 without either. */
static int seat_for(const struct step *st, const struct session *s)
{
    int kept = session_free_seat(s, st->w->me.person);
    return kept ? kept : session_free_seat(s, 0);
}

enum verdict lobby_not_open(struct step *st, const struct session *s)
{
    if (s->phase != SESSION_PLAYING)
        return refuse(st, T_OFFER_GONE, arg_command(VERB_CHALLENGE));
    return refuse(st, step_seat(st, s) >= 0 ? T_OFFER_BEGUN : T_OFFER_TAKEN);
}

/* A lobby begins with those who sit: its opener says so, anybody of them once it is full. */
static enum verdict begin_lobby(struct step *st, const struct session *s)
{
    int seat = step_seat(st, s), n = 0;
    bool joins = st->e->pressed && st->e->index != ACCEPT_BEGIN;
    for (int i = 0; i < s->players; i++)
        n += s->player[i].joined;
    if (seat == 0 && (n < MIN_PLAYERS || joins))
        return refuse(st, T_LOBBY_WAITS);
    if (seat > 0 && joins)
        return refuse(st, T_ACCEPT_AGAIN, arg_seat(s, 0), arg_command(VERB_CANCEL));
    if (seat < 0 || (seat > 0 && n < s->players))
        return refuse(st, T_LOBBY_STARTS, arg_seat(s, 0));
    if (!(s->rules.players_allowed >> n & 1))
        return refuse(st, T_CHALLENGE_PLAYERS, arg_str(str_of(s->rules.name)), arg_int(n));
    struct session *next = step_change(st, s);
    next->players = (uint8_t)n; /* those who sit are the first */
    return play_start(st, next);
}

enum verdict lobby_leave(struct step *st, const struct session *s, int seat)
{
    struct session *next = step_change(st, s);
    for (int i = seat; i + 1 < s->players; i++)
        next->player[i] = next->player[i + 1];
    next->player[s->players - 1] =
        (struct player){.lot = CARD_NONE, .account = s->venue[0].account};
    lobby_show(st, next);
    return TAKEN;
}

/* The sender sits in the chat of the event, or in the home if the challenge is meant for them. */
enum verdict lobby_accept(struct step *st, const struct session *s)
{
    if (s->phase != SESSION_OFFERED)
        return lobby_not_open(st, s);
    if (st->e->from.anonymous)
        return refuse(st, T_ANONYMOUS);
    if (notice_closed(st))
        return REFUSED;
    bool mine = s->player[0].person == st->w->me.person;
    if (s->lobby && (step_seat(st, s) >= 0 || st->e->index == ACCEPT_BEGIN))
        return begin_lobby(st, s);
    if (st->e->verb == VERB_ACCEPT && st->e->pressed && st->e->version < (int64_t)s->version)
        return refuse(st, T_TERMS_CHANGED);
    if (mine && s->player[0].joined && !session_awaited_seat(s)) /* against computers alone */
        return play_start(st, step_change(st, s));
    if (step_seat(st, s) >= 0)
        return refuse(st, mine ? T_ACCEPT_OWN : T_ACCEPT_AGAIN,
                      arg_seat(s, session_awaited_seat(s)), arg_command(VERB_CANCEL));
    int seat = seat_for(st, s), venue = session_venue_of(s, st->w->chat.id);
    if (seat == 0 && s->lobby)
        return refuse(st, T_LOBBY_FULL);
    if (seat == 0)
        return refuse(st, T_NOT_FOR_YOU, arg_seat(s, session_awaited_seat(s)),
                      arg_command(VERB_CHALLENGE));
    if (lobby_on_vacation(st))
        return REFUSED;
    if (venue < 0 && s->player[seat].person == st->w->me.person)
        venue = 0;
    if (venue < 0)
        return refuse(st, T_NO_SUCH_MATCH, arg_int(s->no), arg_command(VERB_GAMES));
    struct session *next = step_change(st, s);
    lobby_take_seat(st, &next->player[seat], venue);
    if (!next->lobby && next->player[0].joined && !session_awaited_seat(next))
        return play_start(st, next);
    lobby_show(st, next)->seat = (int8_t)seat;
    return TAKEN;
}

/* A reason is recognized by its beginning: "no time, sorry" is "no time". */
static enum text reason_of(struct step *st)
{
    static const struct {
        enum keyword option;
        enum text key;
    } reasons[] = {
        {KEYWORD_LATER, T_REASON_LATER},
        {KEYWORD_TOO_LONG, T_REASON_TOO_LONG},
        {KEYWORD_OTHER_RULES, T_REASON_RULES},
        {KEYWORD_NO_TIME, T_REASON_NO_TIME},
        {KEYWORD_NO_COMPUTER, T_REASON_NO_COMPUTER},
        {KEYWORD_STRONG, T_REASON_STRONG},
    };
    if (st->e->pressed)
        return st->e->index >= 2 && st->e->index < 8 ? reasons[st->e->index - 2].key
                                                     : T_REASON_NONE;
    struct str words = st->e->words;
    while (words.n > 0) {
        enum keyword option = step_keyword(st, words);
        for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
            if (reasons[i].option == option)
                return reasons[i].key;
        while (words.n > 0 && words.p[words.n - 1] != ' ') /* without the last word */
            words.n--;
        while (words.n > 0 && strchr(" ,.;:!-", words.p[words.n - 1]))
            words.n--;
    }
    return T_REASON_NONE;
}

enum verdict lobby_decline(struct step *st, const struct session *s)
{
    enum { REASON_COLUMNS = 60 };
    if (s->phase != SESSION_OFFERED)
        return lobby_not_open(st, s);
    if (s->player[0].person == st->w->me.person)
        return lobby_cancel(st, s);
    if (s->lobby)
        return step_seat(st, s) > 0 ? lobby_leave(st, s, step_seat(st, s))
                                    : refuse(st, T_LOBBY_OUT);
    int seat = seat_for(st, s);
    if (seat == 0 || s->player[seat].person != st->w->me.person)
        return refuse(st, T_NOT_FOR_YOU, arg_seat(s, session_awaited_seat(s)),
                      arg_command(VERB_CHALLENGE));
    if (st->e->pressed && st->e->index == 0) { /* the first button: ask for the reason */
        struct session *asks = step_save(st, s);
        NAME_PUT(asks->player[seat].id, st->e->from.id); /* known by a handle alone, perhaps */
        notice_show(st, NOTICE_DECLINE, TO_ASKER, asks, SEAT_PUBLIC)->seat = (int8_t)seat;
        return TAKEN;
    }
    struct session *next = step_change(st, s);
    timer_close(next, END_DECLINED);
    enum text reason = reason_of(st);
    struct str own = {0};
    if (!st->e->pressed && st->e->words.n > 0)
        own = text_clean(st->fx->arena, st->e->words, REASON_COLUMNS);
    bool known = reason != T_REASON_NONE || own.n == 0;
    announce(st, next, 0, known ? T_DECLINED : T_DECLINED_WORDS,
             arg_name(st->e->from.name, st->e->from.id), arg_seat(s, 0),
             known ? arg_key(reason) : arg_str(own));
    return TAKEN;
}

enum verdict lobby_cancel(struct step *st, const struct session *s)
{
    if (s->phase == SESSION_PLAYING)
        return refuse(st, T_CANCEL_RUNNING, arg_command(VERB_RESIGN));
    if (s->phase == SESSION_OVER)
        return refuse(st, T_OFFER_GONE, arg_command(VERB_CHALLENGE));
    bool admin = st->e->admin && st->w->chat.id == s->venue[0].chat;
    if (s->player[0].person != st->w->me.person && !admin)
        return refuse(st, T_CANCEL_FOREIGN, arg_seat(s, 0));
    struct session *next = step_change(st, s);
    if (st->e->pressed && st->e->now >= s->player[0].resign_asked + WITHDRAW_MS) {
        next->player[0].resign_asked = st->e->now;
        return answer(st, T_WITHDRAW_SURE);
    }
    timer_close(next, END_CANCELLED);
    inform(st, next, T_CANCELLED, arg_name(st->e->from.name, st->e->from.id));
    return TAKEN;
}

/* ---- commands that make one ---- */

enum verdict lobby_open(struct step *st, struct str words, bool lobby, bool few)
{
    struct challenge_options options;
    struct session *s = arena_new(st->fx->arena, struct session);
    if (!lobby_room(st) || !challenge_options_read(st, words, few, &options))
        return REFUSED;
    if (st->e->direct && st->e->n_mentions == 0 && options.computers == 0 && !options.by_code)
        return refuse(st, T_CHALLENGE_ALONE, arg_in_group(VERB_CHALLENGE));
    s->rules = options.rules;
    s->time = options.time;
    s->by_code = options.by_code;
    s->casual = options.casual;
    s->lobby = lobby;
    if (!fill_table(st, s, &options) || invites_banned(st, s))
        return REFUSED;
    if (s->time.move_ms < 0)
        s->time.move_ms = session_with_computer(s) ? 0 : CLOCK_MS;
    lobby_venue(st, &s->venue[0]);
    lobby_begin(st, s);
    s = step_change(st, s);
    lobby_offer(st, s, -1);
    if (session_free_seat(s, 0) > 0 && !options.by_code && !st->e->direct)
        st->open = s;
    return TAKEN;
}

enum verdict lobby_challenge(struct step *st)
{
    const struct event *e = st->e;
    struct str choices = {0};
    for (int i = 0; i < e->n_choices; i++)
        choices = value_list(st, choices,
                             arena_print(st->fx->arena, "@%.*s", STR_ARG(e->choice[i].handle)));
    if (e->unnamed.n > 0) /* how to name somebody, or which of several people is meant? */
        return e->n_choices == 0 ? refuse(st, T_NAME_UNKNOWN, arg_str(e->unnamed))
                                 : refuse(st, T_NAME_SEVERAL, arg_str(e->unnamed), arg_str(choices),
                                          arg_command(VERB_CHALLENGE));
    return lobby_open(st, e->words, false, false);
}

/* Brings a challenge with a code to this chat. It is shown here with its seals, before it is
 * accepted. */
enum verdict lobby_join(struct step *st, const struct session *s)
{
    if (!s || !s->by_code)
        return refuse(st, T_JOIN_BAD, arg_command(VERB_CHALLENGE));
    if (s->phase != SESSION_OFFERED)
        return lobby_not_open(st, s);
    if (session_venue_of(s, st->w->chat.id) >= 0)
        return lobby_accept(st, s);
    if (!lobby_room(st))
        return REFUSED;
    if (s->n_more == MAX_VENUES - 1)
        return refuse(st, T_JOIN_FULL, arg_seat(s, 0));
    struct session *next = step_change(st, s);
    lobby_venue(st, &next->venue[++next->n_more]);
    lobby_offer(st, next, next->n_more);
    return TAKEN;
}

/* The challenge here, made since that match, in which a seat is kept for the sender: the opponent
 * asked first. Returns NULL if not found. */
static const struct session *asked_first(struct step *st, const struct session *old)
{
    int64_t me = st->w->me.person;
    for (int i = 0; i < st->w->here.n; i++) {
        const struct session *s = st->w->here.at[i];
        if (s->phase == SESSION_OFFERED && s->created >= old->moved && step_seat(st, s) < 0 &&
            s->player[0].person != me && session_free_seat(s, me))
            return s;
    }
    return NULL;
}

/* Players of the last match, from the sender round the table: who they are and how their hand can
 * be shown, nothing of how they played. */
enum verdict lobby_rematch(struct step *st, const struct session *old)
{
    int mine = step_seat(st, old);
    if (old->phase != SESSION_OVER)
        return refuse(st, T_REMATCH_RUNNING, arg_command(VERB_GAMES));
    if (old->end != END_PLAYED)
        return refuse(st, T_REMATCH_NONE, arg_command(VERB_CHALLENGE));
    if (mine < 0)
        return refuse(st, T_REMATCH_FOREIGN, arg_command(VERB_CHALLENGE));
    const struct session *theirs = asked_first(st, old);
    if (theirs)
        return lobby_accept(st, theirs);
    if (!lobby_room(st))
        return REFUSED;
    assert(old->players >= 2 && old->players <= MAX_PLAYERS);
    struct session *s = arena_new(st->fx->arena, struct session);
    s->rules = old->rules;
    s->time = old->time;
    s->casual = old->casual;
    s->strangers = old->strangers;
    s->players = old->players;
    for (int i = 0; i < s->players; i++) {
        const struct player *was = &old->player[(mine + i) % s->players];
        struct player *p = &s->player[i];
        *p = (struct player){.person = was->person,
                             .account = was->account,
                             .venue = was->venue,
                             .computer = was->computer,
                             .joined = was->computer,
                             .ready = was->computer,
                             .level = was->level,
                             .character = was->character,
                             .words = was->words,
                             .channel = was->channel,
                             .channel_failed_at = was->channel_failed_at,
                             .lot = CARD_NONE};
        if (st->w->left_chat >> ((mine + i) % s->players) & 1)
            lobby_leaves_chat(p, st->w->can);
        memcpy(p->id, was->id, sizeof p->id);
        memcpy(p->name, was->name, sizeof p->name);
        memcpy(p->handle, was->handle, sizeof p->handle);
        memcpy(p->language, was->language, sizeof p->language);
    }
    if (invites_banned(st, s))
        return REFUSED;
    s->player[0].joined = true;
    s->player[0].heard = st->e->now;
    s->again = true; /* the seat after the last first dealer's deals first */
    s->first = (uint8_t)((old->first + 1 + s->players - mine) % s->players);
    s->rules.first_dealer = FIRST_CHALLENGER;
    memcpy(s->venue, old->venue, sizeof s->venue);
    s->n_more = old->n_more;
    lobby_begin(st, s);
    s = step_change(st, s);
    lobby_offer(st, s, -1);
    return TAKEN;
}
