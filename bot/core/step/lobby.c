/* Challenges: /challenge, /join with a code from another chat, /rematch; and their answers: accept,
 * decline with a reason, cancel.
 *
 * A challenge seals the lots and the first deal: their commitments stand in its message, which is
 * never edited. The players' seeds are fixed when the last seat is taken (play_start). */
#include "keyword.h"
#include "lobby.h"

#include "options.h"
#include "character.h"
#include "play.h"

#include <assert.h>

/* ---- seats and venues of a new challenge ---- */

void lobby_sit(struct player *p, int64_t person, const struct sender *who)
{
    p->person = person;
    NAME_PUT(p->id, who->id);
    NAME_PUT(p->handle, who->handle);
    if (who->id.n > 0) {
        NAME_PUT(p->name, who->name);
    } else { /* the bot has never heard of them: only "@bo" is known */
        p->name[0] = '@';
        session_put_name(p->name + 1, sizeof p->name - 1, who->handle);
    }
}

void lobby_player(struct step *st, struct player *p)
{
    *p = (struct player){
        .lot = CARD_NONE, .account = st->e->account, .channel = (uint8_t)channel_here(st->w)};
}

void lobby_agree(struct step *st, struct player *p)
{
    p->joined = true;
    p->heard = st->e->now;
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
    NAME_PUT(ret->language, str_of(st->w->chat.settings.language));
}

bool lobby_on_vacation(struct step *st)
{
    const struct absence *absence = &st->w->me.prefs.absence;
    if (!absence_on_vacation(absence, st->e->now))
        return false;
    notice_refuse(st, T_VACATION_FIRST,
                  ARGS(arg_time(absence->away_until), arg_command(VERB_VACATION)));
    return true;
}

/* ---- making one ---- */

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
    lobby_sit(p, st->w->mention[mention].person, &st->e->mention[mention]);
    p->absence = st->w->mention[mention].absence;
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
        if (st->w->mention[i].person == st->w->me.person) {
            notice_refuse(st, T_CHALLENGE_SELF, ARGS(arg_command(VERB_CHALLENGE)));
            return -1;
        }
        for (int j = 1; j < n; j++)
            if (s->player[j].person == st->w->mention[i].person) {
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
    return character_find(st->w->bot->languages, st->fx->arena,
                          str_of(st->w->chat.settings.opponent));
}

static bool fill_table(struct step *st, struct session *s, struct challenge_options *options)
{
    for (int i = 0; i < MAX_PLAYERS; i++)
        lobby_player(st, &s->player[i]);
    lobby_sit(&s->player[0], st->w->me.person, &st->e->from);
    channel_recall(st, &s->player[0]);
    lobby_agree(st, &s->player[0]);
    s->player[0].absence = st->w->me.prefs.absence;
    NAME_PUT(s->player[0].language, str_of(st->w->me.prefs.language));
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
    if (own_matches(st->w->here.at, st->w->here.n) >= MAX_LIVE_HERE) {
        notice_refuse(st, T_TOO_MANY_HERE, ARGS(arg_int(MAX_LIVE_HERE), arg_command(VERB_GAMES)));
        return false;
    }
    if (own_matches(st->w->mine.at, st->w->mine.n) >= MAX_LIVE_MINE) {
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

/* ---- accept ---- */

/* The seat this person would take: the one kept for them, else an open one. Returns -1 if there is
 * none. */
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

/* The first seat that is still free; 0 if none is. */
static int awaited(const struct session *s)
{
    for (int i = 1; i < s->players; i++)
        if (!s->player[i].joined)
            return i;
    return 0;
}

/* The venue the sender would sit in: the chat of the event, else the home, for a person the
 * challenge is meant for. -1 without either. */
static int venue_for(struct step *st, const struct session *s, int seat)
{
    int venue = session_venue_of(s, st->w->chat.id);
    return venue < 0 && s->player[seat].person == st->w->me.person ? 0 : venue;
}

void lobby_take_seat(struct step *st, struct player *p, int venue)
{
    lobby_sit(p, st->w->me.person, &st->e->from);
    p->account = st->e->account;
    p->venue = (uint8_t)venue;
    p->channel = (uint8_t)channel_here(st->w);
    channel_recall(st, p);
    lobby_agree(st, p);
    if (st->e->verb == VERB_ACCEPT &&
        st->e->words.n > 0) /* "/accept my words" cuts the deck as well */
        NAME_PUT(p->cut, text_clean(st->fx->arena, st->e->words, CUT_SIZE - 1));
    p->absence = st->w->me.prefs.absence;
    NAME_PUT(p->language, str_of(st->w->me.prefs.language));
}

enum verdict lobby_not_open(struct step *st, const struct session *s)
{
    if (s->phase != SESSION_PLAYING)
        return notice_refuse(st, T_OFFER_GONE, ARGS(arg_command(VERB_CHALLENGE)));
    bool plays = session_seat(s, st->w->me.person) >= 0;
    return notice_refuse(st, plays ? T_OFFER_BEGUN : T_OFFER_TAKEN, NO_ARGS);
}

enum verdict lobby_accept(struct step *st, const struct session *s)
{
    if (s->phase != SESSION_OFFERED)
        return lobby_not_open(st, s);
    if (st->e->from.anonymous)
        return notice_refuse(st, T_ANONYMOUS, NO_ARGS);
    if (notice_closed(st))
        return REFUSED;
    bool mine = s->player[0].person == st->w->me.person;
    if (mine && complete(s)) { /* against computers alone */
        play_start(st, step_change(st, s));
        return TAKEN;
    }
    if (session_seat(s, st->w->me.person) >= 0)
        return notice_refuse(st, mine ? T_ACCEPT_OWN : T_ACCEPT_AGAIN,
                             ARGS(arg_seat(s, awaited(s)), arg_command(VERB_CANCEL)));
    int seat = seat_for(s, st->w->me.person);
    if (seat < 0)
        return notice_refuse(st, T_NOT_FOR_YOU,
                             ARGS(arg_seat(s, awaited(s)), arg_command(VERB_CHALLENGE)));
    if (lobby_on_vacation(st))
        return REFUSED;
    int venue = venue_for(st, s, seat);
    if (venue < 0)
        return notice_refuse(st, T_NO_SUCH_MATCH, ARGS(arg_int(s->no), arg_command(VERB_GAMES)));
    struct session *next = step_change(st, s);
    lobby_take_seat(st, &next->player[seat], venue);
    if (complete(next)) {
        play_start(st, next);
        return TAKEN;
    }
    next->version++;
    struct notice *notice = notice_line(st, TO_TABLE, T_JOINED_TABLE,
                                        ARGS(arg_seat(next, seat), arg_seat(next, awaited(next))));
    notice->table = step_table(st, next, SEAT_PUBLIC);
    return TAKEN;
}

/* ---- decline, cancel ---- */

/* Without the last word and the punctuation before it. */
static struct str shorter(struct str s)
{
    while (s.n > 0 && s.p[s.n - 1] != ' ')
        s.n--;
    while (s.n > 0 && strchr(" ,.;:!-", s.p[s.n - 1]))
        s.n--;
    return s;
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
    for (struct str words = st->e->words; words.n > 0; words = shorter(words)) {
        enum keyword option = keyword_find(st->w->bot->languages, st->fx->arena, words);
        for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
            if (reasons[i].option == option)
                return reasons[i].key;
    }
    return T_REASON_NONE;
}

/* The words behind /decline, fit to be shown; empty if there are none. */
static struct str own_words(const struct step *st)
{
    enum { REASON_COLUMNS = 60 };
    if (st->e->pressed || st->e->words.n == 0)
        return (struct str){0};
    return text_clean(st->fx->arena, st->e->words, REASON_COLUMNS);
}

enum verdict lobby_decline(struct step *st, const struct session *s)
{
    if (s->phase != SESSION_OFFERED)
        return lobby_not_open(st, s);
    if (s->player[0].person == st->w->me.person)
        return lobby_cancel(st, s);
    int seat = seat_for(s, st->w->me.person);
    if (seat < 0 || s->player[seat].person != st->w->me.person)
        return notice_refuse(st, T_NOT_FOR_YOU,
                             ARGS(arg_seat(s, awaited(s)), arg_command(VERB_CHALLENGE)));
    if (st->e->pressed && st->e->index == 0) { /* the first button: ask for the reason */
        struct notice *ask = effect_notice(st->fx, NOTICE_DECLINE, TO_ASKER);
        ask->table = step_table(st, s, SEAT_PUBLIC);
        return TAKEN;
    }
    struct session *next = step_change(st, s);
    timer_close(next, END_DECLINED);
    enum text reason = reason_of(st);
    struct str own = own_words(st);
    bool known = reason != T_REASON_NONE || own.n == 0;
    struct notice *notice =
        notice_line(st, TO_TABLE, known ? T_DECLINED : T_DECLINED_WORDS,
                    ARGS(arg_name(st->e->from.name, st->e->from.id), arg_seat(s, 0),
                         known ? arg_key(reason) : arg_str(own)));
    notice->table = step_table(st, next, SEAT_PUBLIC);
    notice->notify = true;
    return TAKEN;
}

enum verdict lobby_cancel(struct step *st, const struct session *s)
{
    if (s->phase == SESSION_PLAYING)
        return notice_refuse(st, T_CANCEL_RUNNING, ARGS(arg_command(VERB_RESIGN)));
    if (s->phase == SESSION_OVER)
        return notice_refuse(st, T_OFFER_GONE, ARGS(arg_command(VERB_CHALLENGE)));
    bool admin = st->e->admin && st->w->chat.id == s->venue[0].chat;
    if (s->player[0].person != st->w->me.person && !admin)
        return notice_refuse(st, T_CANCEL_FOREIGN, ARGS(arg_seat(s, 0)));
    struct session *next = step_change(st, s);
    timer_close(next, END_CANCELLED);
    struct notice *notice =
        notice_line(st, TO_TABLE, T_CANCELLED, ARGS(arg_name(st->e->from.name, st->e->from.id)));
    notice->table = step_table(st, next, SEAT_PUBLIC);
    return TAKEN;
}

/* ---- commands that make one ---- */

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
    s->time = options.time;
    s->by_code = options.by_code;
    s->casual = options.casual;
    if (!fill_table(st, s, &options))
        return REFUSED;
    if (options.time.move_ms < 0)
        s->time.move_ms = session_with_computer(s) ? 0 : CLOCK_MS;
    lobby_venue(st, &s->venue[0]);
    lobby_begin(st, s);
    s = step_change(st, s);
    lobby_offer(st, s, -1);
    if (options.open > 0 && !options.by_code && !st->e->direct)
        st->open = s;
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
    if (session_venue_of(s, st->w->chat.id) >= 0)
        return lobby_accept(st, s);
    if (!lobby_room(st))
        return REFUSED;
    if (s->n_more == MAX_VENUES - 1)
        return notice_refuse(st, T_JOIN_FULL, ARGS(arg_seat(s, 0)));
    struct session *next = step_change(st, s);
    lobby_venue(st, &next->venue[++next->n_more]);
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
    int mine = session_seat(old, st->w->me.person);
    if (mine < 0)
        return notice_refuse(st, T_REMATCH_FOREIGN, ARGS(arg_command(VERB_CHALLENGE)));
    for (int i = 0; i < st->w->here.n; i++) /* the opponent asked first: accept theirs */
        if (st->w->here.at[i]->phase == SESSION_OFFERED &&
            st->w->here.at[i]->created >= old->moved &&
            session_seat(st->w->here.at[i], st->w->me.person) < 0 &&
            st->w->here.at[i]->player[0].person != st->w->me.person)
            for (int j = 1; j < st->w->here.at[i]->players; j++)
                if (st->w->here.at[i]->player[j].person == st->w->me.person)
                    return lobby_accept(st, st->w->here.at[i]);
    if (!lobby_room(st))
        return REFUSED;
    struct session *s = arena_new(st->fx->arena, struct session);
    s->rules = old->rules;
    s->time = old->time;
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
    memcpy(s->venue, old->venue, sizeof s->venue);
    s->n_more = old->n_more;
    lobby_begin(st, s);
    s = step_change(st, s);
    lobby_offer(st, s, -1);
    return TAKEN;
}
